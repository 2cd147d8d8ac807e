# ---- paired t over the constraints ------------------------------------------

# Continuous features, one factor and one with gaps.
mixed_frame <- function(n, p) {
    x <- data.frame(matrix(rnorm(n * p), n))
    x[[p - 1L]] <- factor(sample(c("a", "b", "c"), n, replace = TRUE))
    x[[p]][sample.int(n, 3L)] <- NA
    x
}

random_links <- function(n, cannot, must) {
    constraints_from_labels(rep(1:3, length.out = n), cannot_link = cannot, must_link = must)
}

test_that("statistics are those of t.test() over the constraints", {
    for (direction in c("both", "first")) {
        for (pairs in c(2, 3, 25)) {
            set.seed(pairs)
            x <- mixed_frame(24, 12)
            links <- random_links(24, pairs, 4)
            got <- in_column_order(relieff_sc(x, links, direction = direction,
                                              scale = "range"))
            margins <- reference_relieff_sc(x, links,
                                            direction = direction)$margins
            statistics <- apply(margins, 2L, function(margin) {
                t.test(margin, alternative = "greater")$statistic
            })
            expect_equal(got$statistic, statistics, tolerance = 1e-10)
        }
    }
})

# Groups of four samples far apart in `group`: n, its hit, m, its hit. In
# `value` they stand at 0, 1, 7, 5 from an offset of their own, so that every
# margin is 5 - 1 = 4, back 6 - 2 = 4, over the range.
equal_margins <- function(offsets) {
    groups <- length(offsets)
    x <- cbind(group = rep(1e8 * seq_len(groups), each = 4),
               value = rep(offsets, each = 4) + c(0, 1, 7, 5))
    first <- 4 * seq_len(groups) - 3
    list(x = x, links = pairwise_constraints(cannot_link = cbind(first, first + 2),
                                             samples = nrow(x)))
}

test_that("margins that are equal but for rounding have no statistic", {
    offsets <- c(0, 13, 29, 31, 57, 83, 90, 100)
    # the wider the range, the smaller are the margins next to the values
    for (width in c(1, 7, 1e3, 1e6)) {
        example <- equal_margins(round(offsets * width))
        for (scale in c("range", "zscore", "none")) {
            margins <- reference_relieff_sc(example$x, example$links, k = 1,
                                            must_link = "ignore",
                                            scale = scale)$margins
            got <- in_column_order(relief_sc(example$x, example$links,
                                             must_link = "ignore",
                                             scale = scale))
            expect_equal(got$margin[2L], sum(margins[, 2L]))
            expect_identical(got$statistic, c(NA_real_, NA_real_))
        }
    }
    # the plain formula is misled
    expect_gt(sd(margins <- reference_relieff_sc(
        equal_margins(offsets)$x, equal_margins(offsets)$links, k = 1,
        must_link = "ignore"
    )$margins[, 2L]), 0)
    expect_lt(sd(margins), 1e-16)
})

test_that("a small spread is no rounding", {
    # margins of 4 and one of 5 over a range of 1e6, or of 4 + 1e-6 over 100
    example <- equal_margins(c(0, 3e5, 1e6))
    example$x[4, 2] <- 6
    got <- in_column_order(relief_sc(example$x, example$links))
    margins <- reference_relieff_sc(example$x, example$links, k = 1)$margins
    expect_equal(got$statistic[2L],
                 t.test(margins[, 2L])$statistic[["t"]], tolerance = 1e-6)
    example <- equal_margins(c(0, 40, 100))
    example$x[4, 2] <- 5 + 1e-6
    got <- in_column_order(relief_sc(example$x, example$links))
    margins <- reference_relieff_sc(example$x, example$links, k = 1)$margins
    expect_equal(got$statistic[2L],
                 t.test(margins[, 2L])$statistic[["t"]], tolerance = 1e-6)
})

test_that("rank_by = \"statistic\" orders by it, without one last", {
    set.seed(1)
    x <- random_matrix(25, 14)
    x[, c(1, 6)] <- 0
    x[, 11] <- x[, 3]
    links <- random_links(25, 8, 3)
    by_margin <- relieff_sc(x, links)
    by_statistic <- relieff_sc(x, links, rank_by = "statistic")
    expect_identical(in_column_order(by_statistic), in_column_order(by_margin))
    wanted <- order(-in_column_order(by_margin)$statistic)
    expect_identical(by_statistic$feature, colnames(x)[wanted])
    expect_identical(by_statistic$feature[13:14], c("g1", "g6"))
    expect_identical(summary(by_statistic)$key, "statistic")
    # copies keep the order of columns
    expect_identical(diff(match(c("g3", "g11"), by_statistic$feature)), 1L)

    one <- relieff_sc(x, links[1], rank_by = "statistic")
    expect_identical(one$feature, colnames(x))
})
