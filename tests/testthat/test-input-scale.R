scaled <- function(x, scale) {
    data <- prepare_data(x)
    by <- feature_scaling(data, scale)
    u <- sweep(sweep(all_cells(data), 2, by$center), 2, by$divisor, "/")
    u[, by$divisor == 0] <- 0
    u
}

test_that("range: from 0 to 1, missing values aside", {
    x <- cbind(c(2, 4, 10), c(-1, NA, 3), c(5, 5, 5))
    # (2 - 2) / 8, (4 - 2) / 8, (10 - 2) / 8; constant features are 0
    expect_identical(scaled(x, "range"), cbind(c(0, 0.25, 1), c(0, NA, 1),
                                               c(0, 0, 0)))
})

test_that("zscore: mean 0, standard deviation 1, denominator n - 1", {
    x <- unname(random_matrix(20, 4))
    x[c(3, 9), 2] <- NA
    x <- cbind(x, 7)
    u <- scaled(x, "zscore")
    expect_equal(u[, 1:4], unname(scale(x[, 1:4])), ignore_attr = TRUE)
    expect_identical(u[, 5], numeric(20))
})

test_that("none: as it is, but constant features are 0", {
    x <- cbind(c(2, 4, 10), c(7, 7, 7))
    expect_identical(scaled(x, "none"), cbind(c(2, 4, 10), 0))
})

test_that("flags and factors differ by 0 or 1 whatever the scale", {
    x <- data.frame(
        flag = c(TRUE, FALSE, TRUE, TRUE), two = factor(c("a", "b", "b", "a")),
        text = c("w", "u", "v", "u"), one = factor(rep("a", 4)),
        n = c(0, 2, 1, 9)
    )
    data <- prepare_data(x)
    for (scale in c("range", "zscore", "none")) {
        by <- feature_scaling(data, scale)
        expect_identical(by$category, c(FALSE, FALSE, TRUE, FALSE, FALSE))
        u <- scaled(x, scale)
        expect_identical(abs(outer(u[, 1], u[, 1], "-")),
                         outer(x$flag, x$flag, "!=") + 0)
        expect_identical(abs(outer(u[, 2], u[, 2], "-")),
                         outer(x$two, x$two, "!=") + 0)
        expect_identical(u[, 4], numeric(4))
    }
})

test_that("a matrix of flags is scaled like a data.frame of them", {
    x <- random_matrix(12, 5) > 0
    for (scale in c("range", "zscore", "none")) {
        expect_identical(
            relieff_sc(x, few_links(12), scale = scale),
            relieff_sc(as.data.frame(x), few_links(12), scale = scale)
        )
    }
})

test_that("a factor or text of two values is 0 and 1, whatever its codes are", {
    # codes 1 and 3; texts share their codes
    x <- data.frame(f = factor(c("a", "c", "a"), levels = c("a", "b", "c")))
    by <- feature_scaling(prepare_data(x), "range")
    expect_false(by$category)
    x <- data.frame(random_matrix(20, 3), town = rep(letters[1:4], 5),
                    smoker = rep(c("no", "no", "yes", "no", "yes"), 4))
    flags <- transform(x, smoker = smoker == "yes")
    links <- few_links(20)
    expect_identical(relieff_sc(x, links), relieff_sc(flags, links))
    expect_identical(glean(x, links), glean(flags, links))
    expect_identical(feature_graph(x[-4]), feature_graph(flags[-4]))
})

test_that("z-scores near the ends of the double range are those of 1", {
    x <- count_matrix(12, 4)
    expected <- scaled(x, "zscore")
    for (power in c(-1000, -540, 500, 1000)) {
        expect_equal(scaled(x * 2^power, "zscore"), expected)
    }
})

test_that("a feature with a single known value counts as constant", {
    x <- cbind(c(3, NA, NA, NA), c(1, 2, 3, 4))
    for (scale in c("range", "zscore", "none")) {
        by <- feature_scaling(prepare_data(x), scale)
        expect_identical(by$divisor[1], 0)
    }
})

test_that("a large mean does not drown a small spread", {
    x <- matrix(1e9 + c(1, 2, 3, 4), 4)
    expect_equal(scaled(x, "zscore")[, 1], (c(1, 2, 3, 4) - 2.5) / sd(1:4))
})

test_that("the mean replaces missing cells of delayed and HDF5 data", {
    skip_if_not_installed("HDF5Array")
    x <- random_matrix(12, 8)
    x[cbind(c(2, 5, 5), c(1, 3, 8))] <- NA
    file <- tempfile(fileext = ".h5")
    on.exit(unlink(file))
    whole <- list(DelayedArray::DelayedArray(x),
                  HDF5Array::writeHDF5Array(x, file, "x", chunkdim = c(4, 3),
                                            with.dimnames = TRUE))
    calls <- list(
        function(x) variance_score(x, na.action = "mean"),
        function(x) laplacian_score(x, na.action = "mean"),
        function(x) constraint_score(x, few_links(12), na.action = "mean"),
        function(x) select_subset(x, few_links(12), na.action = "mean")
    )
    for (call in calls) {
        for (given in whole) {
            expect_identical(as.data.frame(call(given)),
                             as.data.frame(call(x)))
        }
    }
})

test_that("a narrow feature beside ordinary ones is not taken for constant", {
    set.seed(1)
    x <- matrix(stats::rnorm(60), 20)
    x[, 2] <- x[, 2] * 1e-300
    expect_refused(
        "input", constraint_score(x, few_links(20), scale = "none"),
        laplacian_score(x, scale = "none"),
        variance_score(x, scale = "none"),
        relieff_sc(x, few_links(20), scale = "none")
    )
    expect_error(variance_score(x, scale = "none"), "feature \"V2\" is",
                 class = "linkrank_error_input")
    expect_false(anyNA(variance_score(x, scale = "range")$score))
    # a constant feature is one
    x[, 2] <- 3
    expect_s3_class(variance_score(x, scale = "none"), "feature_ranking")
})
