# How sure are the margins? A paired t-test over the constraints, and random
# pairs in their place.

# How far from its exact value the margin of one pair may be: scaled values are
# rounded to about 1e-16 of the largest of the feature, and so are differences
# and their means. `sums`: from C_constrained_margins.
margin_rounding <- function(sums, data, scaling) {
    extent <- pmax(abs(data$minimum - scaling$center),
                   abs(data$maximum - scaling$center)) / scaling$divisor
    extent[scaling$divisor == 0] <- 0
    1e-15 * extent + 1e-13 * sums$size
}

# The spread is 0 when it is no more than rounding (`no_spread`: such a sum of
# squares about the mean).
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

# Share of random sets of pairs whose margin is at least as large, but for
# rounding: the same pairs in another order are as large.
permutation_p_values <- function(data, scaling, constraints, sums, options,
                                 control) {
    least <- sums$margin - sums$pairs * sums$rounding
    draw <- pair_sampler(components_of(constraints) + 1L, same = FALSE)
    pairs <- count_pairs(constraints)[["cannot_link"]]
    # sets drawn and counted at a time: their pairs and hits take memory
    hits <- min(options$k, data$n - 1)
    at_once <- max(1, floor(2^23 / (pairs * (2 * hits + 6))))
    at_least <- numeric(data$p)
    left <- options$permutations
    while (left > 0) {
        sets <- lapply(seq_len(min(left, at_once)), function(b) draw(pairs))
        at_least <- at_least + count_at_least(data, scaling, constraints, sets,
                                              least, options, control)
        left <- left - length(sets)
    }
    (at_least + 1) / (options$permutations + 1)
}

count_at_least <- function(data, scaling, constraints, sets, least, options,
                           control) {
    first <- vapply(sets, function(set) set[, 1L], integer(nrow(sets[[1L]])))
    second <- vapply(sets, function(set) set[, 2L], integer(nrow(sets[[1L]])))
    dim(first) <- dim(second) <- c(nrow(sets[[1L]]), length(sets))
    use <- options$must_link == "use"
    links <- if (use) constraint_links(constraints, cannot_links = FALSE)
    # hits are taken from these lists after leaving out what the set's own
    # cannot-links exclude, so the lists are that much longer
    spare <- if (use) most_excluded(first, second, links) else 0
    lists <- find_neighbours(data, scaling, sort(unique(c(first, second))),
                             options$k, spare, links, options$distance,
                             control)
    .Call(C_permuted_margins, data, scaling,
          list(first = first, second = second), lists, links,
          options$direction == "both", least, control)
}

# The most samples that one set's cannot-links keep from one sample's hits.
most_excluded <- function(first, second, links) {
    size <- diff(links$member_start)
    a <- links$component[first] + 1L
    b <- links$component[second] + 1L
    set <- rep(seq_len(ncol(first)), each = nrow(first))
    key <- c(a, b) + (links$count + 1) * c(set, set)
    max(rowsum(as.numeric(c(size[b], size[a])), key))
}

# STIR (2.43) from counts of pairs and C_segment_moments. A spread that is no
# more than rounding is none: then equal means give NA, and others Inf.
stir_statistics <- function(moments, adjust, data, scaling) {
    pairs <- moments$pairs
    sums <- moments$sums
    mean <- sums[1:2, , drop = FALSE] + sums[3:4, , drop = FALSE] / pairs
    # sums of squares about the means
    squares <- sums[5:6, , drop = FALSE] -
        sums[3:4, , drop = FALSE]^2 / pairs
    df <- sum(pairs) - 2
    margin <- mean[2L, ] - mean[1L, ]
    pooled <- pmax(colSums(squares), 0) / df
    rounding <- margin_rounding(list(size = pmax(mean[1L, ], mean[2L, ])),
                                data, scaling)
    pooled[pooled <= rounding^2] <- 0
    margin[abs(margin) <= rounding] <- 0
    statistic <- margin / sqrt(pooled * sum(1 / pairs))
    statistic[is.nan(statistic)] <- NA_real_
    p_value <- stats::pt(statistic, df, lower.tail = FALSE)
    data.frame(score = statistic, margin = margin, statistic = statistic,
               p_value = p_value,
               adj_p_value = stats::p.adjust(p_value, adjust), df = df)
}
