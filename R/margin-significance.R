# Significance of the margins: a paired t-test over the constraints, and
# permutation by random pairs.

# Bound of the rounding error of the margin of one pair: scaled values are
# rounded to about 1e-16 of the largest of the feature, and so are differences
# and their means. `sums`: from C_constrained_margins.
margin_rounding <- function(sums, data, scaling) {
    extent <- pmax(abs(data$minimum - scaling$center),
                   abs(data$maximum - scaling$center)) / scaling$divisor
    extent[scaling$divisor == 0] <- 0
    1e-15 * extent + 1e-13 * sums$size
}

# The variance is 0 when it is not larger than rounding error (`no_spread`: the
# bound of the sum of squares about the mean).
margin_statistics <- function(sums) {
    pairs <- sums$pairs
    squares <- sums$square - sums$deviation^2 / pairs
    none <- pairs < 2 | squares <= sums$no_spread
    variance <- squares / (pairs - 1)
    statistic <- sums$margin / pairs / sqrt(pmax(variance, 0) / pairs)
    statistic[none] <- NA_real_
    p_value <- stats::pt(statistic, pairs - 1, lower.tail = FALSE)
    list(statistic = statistic, p_value = p_value,
         adj_p_value = stats::p.adjust(p_value, "BH"))
}

# Proportion of random sets of pairs with a margin at least as large, up to
# rounding, because the same pairs in another order have the same margin.
permutation_p_values <- function(input, sums, options, control) {
    constraints <- input$constraints
    least <- sums$margin - sums$pairs * sums$rounding
    draw <- pair_sampler(components_of(constraints) + 1L, same = FALSE)
    pairs <- count_pairs(constraints)[["cannot_link"]]
    at_once <- sets_at_once(input$data, pairs, options)
    shared <- list(input = input, least = least, options = options,
                   weight = cannot_linked(constraints)$weight,
                   control = control)
    at_least <- if (has_workers(control$workers)) {
        spread_sets(draw, pairs, at_once, shared)
    } else {
        count_in_batches(draw, pairs, at_once, shared)
    }
    (at_least + 1) / (options$permutations + 1)
}

# Number of sets drawn and counted at a time, because their pairs and hits take
# memory, and so do their samples if the data are on disk.
sets_at_once <- function(data, pairs, options) {
    hits <- min(options$k, data$n - 1)
    sets <- 2^23 / (pairs * (2 * hits + 6))
    if (!is.null(data$cells)) {
        sets <- min(sets, held_ends(data, 2 * hits) / (2 * pairs))
    }
    max(1, floor(sets))
}

count_in_batches <- function(draw, pairs, at_once, shared) {
    at_least <- numeric(shared$input$data$p)
    left <- shared$options$permutations
    while (left > 0) {
        sets <- lapply(seq_len(min(left, at_once)), function(b) draw(pairs))
        at_least <- at_least + count_at_least(sets, shared)
        left <- left - length(sets)
    }
    at_least
}

# All sets are drawn here, so that workers draw nothing.
spread_sets <- function(draw, pairs, at_once, shared, most_tasks = 8) {
    permutations <- shared$options$permutations
    sets <- lapply(seq_len(permutations), function(b) draw(pairs))
    per_task <- min(at_once, ceiling(permutations / most_tasks))
    workers <- shared$control$workers
    progress <- shared$control$progress
    shared$control <- no_progress(shared$control)
    shared$control$workers <- NULL
    counts <- spread(split(sets, (seq_along(sets) - 1) %/% per_task),
                     count_at_least, shared, workers,
                     c("Permutations", "batches of sets"), progress,
                     random = FALSE)
    Reduce(`+`, counts)
}

# Per feature, in how many of these sets of pairs the margin is at least
# `least`.
count_at_least <- function(sets, shared) {
    input <- shared$input
    options <- shared$options
    samples_of <- function(side) {
        vapply(sets, function(set) set[, side], integer(nrow(sets[[1L]])))
    }
    pairs <- list(first = samples_of(1L), second = samples_of(2L))
    pairs <- lapply(pairs, matrix, ncol = length(sets))
    use <- options$must_link == "use"
    links <- if (use) constraint_links(input$constraints, cannot_links = FALSE)
    # samples that a set's cannot-links exclude are removed from these lists, so
    # the lists are longer by that number
    spare <- if (use) most_excluded(pairs$first, pairs$second, links) else 0
    lists <- find_hits(input, sort(unique(unlist(pairs))), options$k,
                       linked_rule(links, spare), shared$control)
    if (use && !is.null(lists$rows)) {
        links <- restrict_links(links, lists$rows)
    }
    .Call(C_permuted_margins, lists$data, input$scaling,
          c(lapply(pairs, number_in, lists$rows), list(weight = shared$weight)),
          lists, links,
          options$direction == "both", shared$least, shared$control)
}

# The largest number of samples that one set's cannot-links exclude from the
# hits of a sample.
most_excluded <- function(first, second, links) {
    size <- diff(links$member_start)
    a <- links$component[first] + 1L
    b <- links$component[second] + 1L
    set <- rep(seq_len(ncol(first)), each = nrow(first))
    key <- c(a, b) + (links$count + 1) * c(set, set)
    max(rowsum(as.numeric(c(size[b], size[a])), key))
}

# STIR (2.43) from counts of pairs and C_segment_moments. A variance not larger
# than rounding error is 0: then equal means give NA, and others Inf.
stir_statistics <- function(moments, adjust, data, scaling) {
    pairs <- moments$pairs
    sums <- moments$sums
    of_both <- function(what) {
        sums[paste(what, c("hit", "miss"), sep = "_"), , drop = FALSE]
    }
    mean <- of_both("first") + of_both("deviation") / pairs
    # sums of squares about the means
    squares <- of_both("square") - of_both("deviation")^2 / pairs
    df <- sum(pairs) - 2
    margin <- mean["first_miss", ] - mean["first_hit", ]
    pooled <- pmax(colSums(squares), 0) / df
    size <- pmax(mean["first_hit", ], mean["first_miss", ])
    rounding <- margin_rounding(list(size = size), data, scaling)
    pooled[pooled <= rounding^2] <- 0
    margin[abs(margin) <= rounding] <- 0
    statistic <- margin / sqrt(pooled * sum(1 / pairs))
    statistic[is.nan(statistic)] <- NA_real_
    p_value <- stats::pt(statistic, df, lower.tail = FALSE)
    data.frame(score = statistic, margin = margin, statistic = statistic,
               p_value = p_value,
               adj_p_value = stats::p.adjust(p_value, adjust), df = df)
}
