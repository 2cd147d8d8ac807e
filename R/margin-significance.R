# Statistics of the margins: a paired t over the constraints, and that of STIR.

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
margin_statistic <- function(sums) {
    pairs <- sums$pairs
    squares <- sums$square - sums$deviation^2 / pairs
    none <- pairs < 2 | squares <= sums$no_spread
    variance <- squares / (pairs - 1)
    statistic <- sums$margin / pairs / sqrt(pmax(variance, 0) / pairs)
    statistic[none] <- NA_real_
    statistic
}

# What STIR (2.43) is made of, from counts of pairs and C_segment_moments. A
# margin or variance that is no more than rounding error is 0.
stir_margins <- function(moments, work) {
    pairs <- moments$pairs
    sums <- moments$sums
    rownames(sums) <- paste(rep(c("first", "deviation", "square"), each = 2L),
                            c("hit", "miss"), sep = "_")
    of_both <- function(what) {
        sums[paste(what, c("hit", "miss"), sep = "_"), , drop = FALSE]
    }
    mean <- of_both("first") + of_both("deviation") / pairs
    # sums of squares about the means
    squares <- of_both("square") - of_both("deviation")^2 / pairs
    df <- sum(pairs) - 2
    # without a name where there is one feature
    margin <- unname(mean["first_miss", ] - mean["first_hit", ])
    pooled <- pmax(colSums(squares), 0) / df
    size <- unname(pmax(mean["first_hit", ], mean["first_miss", ]))
    rounding <- margin_rounding(list(size = size), work$data, work$scaling)
    pooled[pooled <= rounding^2] <- 0
    margin[abs(margin) <= rounding] <- 0
    list(margin = margin, error = sqrt(pooled * sum(1 / pairs)), df = df,
         rounding = rounding)
}
