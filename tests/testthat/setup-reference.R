# Slow references of the methods, written from the equations and not from the C:
# one matrix of all samples by all samples per feature, and loops. R adds in
# extended precision in sum() and mean(), so what must have the bits of double
# additions in a stated order is added up by add_up().

add_up <- function(values) {
    total <- 0
    for (value in values) {
        total <- total + value
    }
    total
}

# ---- section 0 of the methods: scaled values, differences, distances --------

# A column of numbers as u, NA where missing; a constant one is 0.
scaled_numbers <- function(column, scale = "range") {
    low <- min(column, na.rm = TRUE)
    high <- max(column, na.rm = TRUE)
    if (low == high) {
        return(0 * column)
    }
    switch(scale,
        range = (column - low) / (high - low),
        zscore = (column - mean(column, na.rm = TRUE)) /
            sd(column, na.rm = TRUE),
        none = column + 0
    )
}

# Any column; `category`: compared for equality.
reference_scaled <- function(column, scale = "range") {
    if (is.character(column)) {
        column <- factor(column)
    }
    if (is.factor(column) || is.logical(column)) {
        return(list(u = as.numeric(as.integer(column)), category = TRUE))
    }
    list(u = scaled_numbers(column, scale), category = FALSE)
}

# A matrix of numbers, scaled.
scaled_by_range <- function(x) {
    apply(x, 2, scaled_numbers)
}

# What the differences of each feature are multiplied by when balanced: 1 by
# max(1, s / M), with missing cells left out.
balanced_weights <- function(x) {
    spread <- vapply(x, function(v) {
        v <- v[!is.na(v)]
        n <- length(v)
        if (length(unique(v)) < 2) {
            0
        } else if (is.numeric(v)) {
            u <- (v - min(v)) / (max(v) - min(v))
            sqrt(sum((u - mean(u))^2) / (n - 1))
        } else {
            # half of all pairs of samples differ by 1, as in a variance
            sqrt(sum(outer(v, v, "!=")) / (2 * n * (n - 1)))
        }
    }, 0)
    values <- vapply(x, function(v) length(unique(v[!is.na(v)])), 0)
    measured <- vapply(x, is.numeric, NA) & values > 2
    among <- if (any(measured)) spread[measured] else spread[values > 1]
    if (length(among)) 1 / pmax(1, spread / median(among)) else 0 * spread + 1
}

# Delta of all pairs of samples in one feature (2.1, 2.2). A missing cell stands
# for the observed values: the expected difference, over one or both of them.
# To itself a sample differs by 0, whatever is missing.
reference_differences <- function(feature, weight = 1) {
    u <- feature$u
    difference <- function(a, b) {
        weight * if (feature$category) as.numeric(a != b) else abs(a - b)
    }
    known <- which(!is.na(u))
    to_any <- vapply(u, function(value) mean(difference(value, u[known])), 0)
    if (length(unique(u[known])) < 2L) {
        to_any[] <- 0
    }
    delta <- outer(u, u, difference)
    for (i in which(is.na(u))) {
        delta[i, ] <- to_any
        delta[, i] <- to_any
    }
    unknown <- which(is.na(u))
    delta[unknown, unknown] <- add_up(to_any[known]) / length(known)
    diag(delta) <- 0 # one unknown value, not two
    delta
}

# One matrix of differences per feature, in column order.
reference_features <- function(x, scale = "range") {
    columns <- if (is.data.frame(x)) unname(as.list(x)) else
        lapply(seq_len(ncol(x)), function(j) x[, j])
    weight <- rep(1, length(columns))
    if (scale == "balanced") {
        weight <- balanced_weights(columns)
        scale <- "range"
    }
    Map(function(column, weight) {
        reference_differences(reference_scaled(column, scale), weight)
    }, columns, weight)
}

# Sums over the features in column order, one addition each; squares are
# compared, not their roots.
reference_distances <- function(deltas, distance = "manhattan") {
    total <- 0
    for (delta in deltas) {
        total <- total + if (distance == "euclidean") delta * delta else delta
    }
    total
}

# ---- constraints ------------------------------------------------------------

# Cannot-links and must-links as two-column matrices, whatever they came from.
reference_pairs <- function(constraints) {
    if (is.null(constraints$class_of)) {
        both <- cbind(constraints$first, constraints$second)
        must <- constraints$must_link
        return(list(cannot = both[!must, , drop = FALSE],
                    must = both[must, , drop = FALSE]))
    }
    labels <- constraints$class_of
    cannot <- must <- NULL
    for (i in which(!is.na(labels))) {
        for (j in which(!is.na(labels))) {
            if (i < j && labels[i] == labels[j]) {
                must <- rbind(must, c(i, j))
            } else if (i < j) {
                cannot <- rbind(cannot, c(i, j))
            }
        }
    }
    list(cannot = cannot, must = must)
}

# n x n matrices: who is joined to whom by must-links (everybody to himself),
# who is kept apart from whom.
reference_closure <- function(cannot, must, n) {
    same <- diag(n) == 1
    same[rbind(must, must[, 2:1])] <- TRUE
    for (via in seq_len(n)) {
        same <- same | outer(same[, via], same[via, ], "&")
    }
    apart <- matrix(FALSE, n, n)
    apart[rbind(cannot, cannot[, 2:1])] <- TRUE
    list(same = same, apart = (same %*% apart %*% same) > 0)
}

# The same from a set of constraints.
reference_closure_of <- function(constraints) {
    pairs <- reference_pairs(constraints)
    reference_closure(pairs$cannot, pairs$must, constraints$samples)
}

# The must-link group of each sample, by its lowest member; NA: in none.
reference_groups <- function(constraints) {
    same <- reference_closure_of(constraints)$same
    ifelse(rowSums(same) > 1, max.col(same, ties.method = "first"), NA)
}

# ---- section 5: hits and margins --------------------------------------------

# H_1(x), ..., H_k(x) of one sample: nearest first, equal distances in order of
# rows. With a closure, its group first and never who is kept apart from it; with
# blocks, only samples of its own.
reference_hits <- function(distances, sample, k, closure = NULL,
                           block = rep(1, nrow(distances))) {
    nearest <- function(candidates) {
        candidates[order(distances[sample, candidates], candidates)]
    }
    all <- setdiff(which(block == block[sample]), sample)
    if (is.null(closure)) {
        return(head(nearest(all), k))
    }
    group <- intersect(all, which(closure$same[sample, ]))
    others <- setdiff(all, c(group, which(closure$apart[sample, ])))
    head(c(nearest(group), nearest(others)), k)
}

# (3.16): margins of one feature, one per pair. A sample without hits adds 0.
reference_margins <- function(delta, cannot, hits, direction) {
    to_hits <- function(sample, owner) {
        h <- hits[[owner]]
        if (length(h)) add_up(delta[sample, h]) / length(h) else 0
    }
    one_way <- function(n, m) to_hits(n, m) - to_hits(n, n)
    vapply(seq_len(nrow(cannot)), function(t) {
        n <- cannot[t, 1L]
        m <- cannot[t, 2L]
        if (direction == "both") (one_way(n, m) + one_way(m, n)) / 2 else
            one_way(n, m)
    }, 0)
}

# What each pair counts for: its confidence (1 where there is none), on average
# 1.
reference_pair_weights <- function(confidence) {
    confidence[is.na(confidence)] <- 1
    if (length(unique(confidence)) < 2L) {
        return(1)
    }
    confidence * length(confidence) / sum(confidence)
}

# (3.15). `largest`: of the differences in a feature; a margin of some 1e-16 of
# that is what rounding leaves of 0.
reference_weights <- function(z, largest = 1) {
    plus <- ifelse(z > 1e-13 * largest, z, 0)
    if (any(plus > 0)) plus / sqrt(sum(plus^2)) else plus
}

# Section 5, "The feature's own say": the share of each feature in the mean
# distance of all pairs; of a missing cell there is no difference.
reference_shares <- function(x, scale = "range") {
    columns <- if (is.data.frame(x)) as.list(x) else
        lapply(seq_len(ncol(x)), function(j) x[, j])
    # a column alone is balanced by its range
    alone <- if (scale == "balanced") "range" else scale
    mean_difference <- vapply(columns, function(v) {
        v <- v[!is.na(v)]
        if (is.character(v)) v <- factor(v)
        d <- reference_features(data.frame(v), alone)[[1L]]
        if (length(v) < 2L) 0 else sum(d) / (length(v) * (length(v) - 1))
    }, 0)
    if (scale == "balanced")
        mean_difference <- balanced_weights(columns) * mean_difference
    mean_difference / sum(mean_difference)
}

# In units of 1e-9 of the distance of two samples at the ends of all ranges.
reference_leave_out <- function(deltas, feature, distance) {
    widths <- reference_distances(lapply(deltas, max), distance)
    distances <- reference_distances(deltas[-feature], distance)
    round(if (distance == "euclidean") sqrt(distances / widths) * 1e9 else
        distances / widths * 1e9)
}

# Everything that relieff_sc() returns, features in column order, and how it
# came about: hits by sample, one column of margins a feature.
reference_relieff_sc <- function(x, constraints, k = 3, direction = "both",
                                 must_link = "use", distance = "manhattan",
                                 scale = "range", block = NULL,
                                 own_term = "leave_out") {
    deltas <- reference_features(x, scale)
    distances <- reference_distances(deltas, distance)
    own <- own_term == "leave_out" & reference_shares(x, scale) > 0.005 &
        sum(vapply(deltas, max, 0) > 0) > 1
    pairs <- reference_pairs(constraints)
    block <- if (is.null(block)) rep(1, nrow(distances)) else block
    # of all pairs, those across blocks too, which have no margin
    closure <- if (must_link == "use")
        reference_closure(pairs$cannot, pairs$must, nrow(distances))
    inside <- block[pairs$cannot[, 1L]] == block[pairs$cannot[, 2L]]
    pairs$cannot <- pairs$cannot[inside, , drop = FALSE]
    hits <- vector("list", nrow(distances))
    for (sample in unique(c(pairs$cannot))) {
        hits[[sample]] <- reference_hits(distances, sample, k, closure, block)
    }
    margins <- matrix(0, nrow(pairs$cannot), length(deltas))
    for (i in seq_along(deltas)) {
        found <- hits
        if (own[i] %in% TRUE) {
            without <- reference_leave_out(deltas, i, distance)
            for (sample in unique(c(pairs$cannot))) {
                found[[sample]] <- reference_hits(without, sample, k, closure,
                                                  block)
            }
        }
        margins[, i] <- reference_margins(deltas[[i]], pairs$cannot, found,
                                          direction)
    }
    if (is.null(constraints$class_of)) {
        margins <- margins * reference_pair_weights(
            constraints$confidence[!constraints$must_link][inside]
        )
    }
    z <- apply(margins, 2L, add_up)
    largest <- vapply(deltas, max, 0)
    list(distances = distances, hits = hits, margins = margins, margin = z,
         score = reference_weights(z, largest),
         statistic = reference_statistic(margins, largest))
}

# ---- significance -----------------------------------------------------------

# Paired one-sided t of each column of margins; NA without spread.
reference_statistic <- function(margins, largest = 1) {
    pairs <- nrow(margins)
    spread <- apply(margins, 2L, sd)
    statistic <- colMeans(margins) / (spread / sqrt(pairs))
    statistic[pairs < 2L | spread <= 1e-14 * largest] <- NA
    statistic
}

# The columns of methods 14. samples: n x sets, sample v of every pair replaced by
# samples[v, b].
# p-values are of margins with must-links, also where these are ignored.
reference_relabelling <- function(x, constraints, samples, ..., must_link = "use",
                                  among = seq_len(nrow(x))) {
    pairs <- reference_pairs(constraints)
    n <- constraints$samples
    margins <- function(place) {
        again <- function(pairs) {
            if (nrow(pairs)) matrix(place[pairs], ncol = 2L)
        }
        instead <- pairwise_constraints(cannot_link = again(pairs$cannot), must_link = again(pairs$must),
                                        samples = n)
        if (is.null(constraints$class_of)) {
            instead$confidence <-
                constraints$confidence[order(constraints$must_link)]
        }
        reference_relieff_sc(x, instead, ...)$margin
    }
    z <- rbind(margins(seq_len(n)),
               do.call(rbind, lapply(seq_len(ncol(samples)), function(b) {
                   margins(samples[, b])
               })))
    varies <- vapply(reference_features(x), function(delta) any(delta > 0), NA)
    reference_relabelling_tests(z, varies, reference_varied(x, among),
                                constraints$origin == "given")
}

# Of the samples `among`, do a tenth and at least three differ from the most
# frequent value?
reference_varied <- function(x, among = seq_len(nrow(x))) {
    vapply(as.data.frame(x), function(values) {
        counts <- table(as.character(values[among]))
        sum(counts) - max(0, counts) >= max(3, length(among) / 10)
    }, NA, USE.NAMES = FALSE)
}

# z: sets + 1 x features, the constraints as given first. NA: not `rated`; where
# not `varied` only p_value is there. `centred`: of 100 features or more.
reference_relabelling_tests <- function(z, rated = rep(TRUE, ncol(z)),
                                        varied = rep(TRUE, ncol(z)),
                                        centred = FALSE) {
    near <- 1e-10 * max(abs(z), 1)
    p_value <- colMeans(sweep(z, 2L, z[1L, ] - near, ">="))
    standardise <- function(values) {
        if (sd(values) <= near) 0 * values else
            (values - mean(values)) / sd(values)
    }
    alone <- ifelse(rated, p_value, NA)
    rated <- rated & varied
    t <- apply(z[, rated, drop = FALSE], 2L, standardise)
    if (centred && ncol(t) >= 100L) {
        varies <- apply(t, 2L, sd) > 0
        t[, varies] <- sweep(t, 1L, apply(t, 1L, median))[, varies]
        t <- apply(t, 2L, standardise)
    }
    given <- t[1L, ]
    fdr <- vapply(given, function(value) {
        expected <- sum(t >= value - 1e-9) / nrow(t)
        min(1, expected / sum(given >= value - 1e-9))
    }, 0)
    lowest <- vapply(given, function(value) {
        min(fdr[given <= value + 1e-9])
    }, 0)
    family <- vapply(given, function(value) {
        mean(apply(t, 1L, max) >= value - 1e-9)
    }, 0)
    column <- function(values) {
        out <- rep(NA_real_, ncol(z))
        out[rated] <- values
        out
    }
    list(p_value = alone, fdr = column(lowest),
         family_p_value = column(family))
}

# ---- comparing --------------------------------------------------------------

# A column of a ranking by feature, in the order of the data.
in_order <- function(ranking, column = "score") {
    names <- attr(ranking, "info")$names
    stats::setNames(ranking[[column]][match(names, ranking$feature)], names)
}

# All columns that hold numbers, likewise, without names.
in_column_order <- function(ranking) {
    columns <- setdiff(names(ranking), c("rank", "feature"))
    values <- lapply(columns, function(column) {
        unname(in_order(ranking, column))
    })
    stats::setNames(values, columns)
}
