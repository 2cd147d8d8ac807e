test_that("irelief() is its reference", {
    x <- random_matrix(24, 7)
    x[, 1] <- x[, 1] + rep(0:2, 8)
    y <- rep(c("a", "b", "c"), 8)
    for (variant in 1:2) {
        expect_equal(in_order(irelief(x, y, sigma = 0.5, variant = variant, tol = 1e-12,
                                      max_iter = 500)),
                     reference_irelief(x, y, 0.5, variant, 1e-12, 500))
    }
    # unequal classes, one of them a single sample
    y[2:9] <- "a"
    y[1] <- "d"
    expect_equal(in_order(irelief(x, y, tol = 1e-9)),
                 reference_irelief(x, y, tol = 1e-9))
})

test_that("factors and gaps are taken", {
    set.seed(3)
    x <- data.frame(a = rnorm(20), b = factor(sample(letters[1:3], 20, TRUE)),
                    c = 5, d = runif(20), e = sample(c(TRUE, FALSE), 20, TRUE))
    y <- rep(c("p", "q"), each = 10)
    x$d <- x$d + (y == "p")
    x$a[3] <- NA
    x$b[c(3, 8)] <- NA
    got <- irelief(x, y, tol = 1e-10, max_iter = 500)
    expect_equal(in_order(got),
                 reference_irelief(x, y, tol = 1e-10, max_iter = 500))
    expect_identical(in_order(got)[["c"]], 0)
})

test_that("its course and its outliers are reported", {
    x <- as.matrix(iris[, 1:4])
    y <- as.character(iris$Species)
    y[1] <- "virginica" # a wrong label
    got <- irelief(x, y, sigma = 0.2)
    info <- summary(got)
    expect_lte(utils::tail(info$convergence$change, 1), 1e-6)
    expect_identical(which.min(info$gamma), 1L)
    y[1] <- NA
    expect_identical(which(is.na(summary(irelief(x, y))$gamma)), 1L)
    expect_equal(sum(got$score^2), 1)
})

test_that("a narrow kernel does not vanish", {
    x <- random_matrix(15, 4) * 1000
    y <- rep(1:3, 5)
    x[, 2] <- x[, 2] + 2000 * y
    expect_warning(got <- irelief(x, y, sigma = 1e-5, scale = "none"),
                   class = "linkrank_warning_convergence")
    expect_true(all(is.finite(got$score)))
    expect_identical(got$feature[1], "g2")
})

test_that("what stopped it is a warning", {
    x <- random_matrix(20, 4)
    y <- rep(1:2, 10)
    expect_snapshot(few <- irelief(x, y, max_iter = 1))
    expect_warning(irelief(x, y, max_iter = 1),
                   class = "linkrank_warning_convergence")
    expect_identical(nrow(summary(few)$convergence), 1L)
    # classes that only differ by chance against the margin
    flat <- cbind(c(0, 1, 0, 1, 0, 1), 1)
    expect_warning(none <- irelief(flat, c(1, 1, 2, 2, 1, 2)),
                   class = "linkrank_warning_margin")
    expect_identical(none$score, c(0, 0))
})

test_that("threads and kernels change nothing, blocks of data only bits", {
    # more end points than a pass holds
    x <- random_matrix(300, 30)
    x[, 3] <- x[, 3] + rep(0:1, 150)
    y <- rep(1:2, 150)
    whole <- expect_same_for_threads(function(threads) {
        irelief(x, y, threads = threads)
    })
    expect_equal(irelief(Matrix::Matrix(x, sparse = TRUE), y)$score,
                 whole$score)
    old <- options(linkrank.portable = TRUE)
    on.exit(options(old))
    expect_identical(irelief(x, y), whole)
})

test_that("parameters are checked", {
    x <- random_matrix(10, 3)
    y <- rep(1:2, 5)
    expect_refused("argument",
        irelief(x, y, sigma = -1), irelief(x, y, variant = 3),
        irelief(x, y, tol = -1), irelief(x, y, max_iter = 0),
        irelief(x, y, k = 3)
    )
})
