raw_scores <- function(ranking) unname(feature_scores(ranking))

outcomes <- function(n = 40) {
    set.seed(9)
    x <- cbind(a = rnorm(n), b = rnorm(n), c = 2)
    list(x = x, y = x[, 1] + rnorm(n) / 3,
         some = ifelse(seq_len(n) %% 3 == 0, x[, 1] + rnorm(n) / 3, NA))
}

test_that("SLS and SSLS equal their equations", {
    o <- outcomes()
    u <- reference_columns(o$x, "zscore")
    expect_equal(raw_scores(supervised_laplacian_score(o$x, o$y)),
                 reference_sls(u, o$y))
    expect_equal(raw_scores(supervised_laplacian_score(o$x, o$some, k = 3,
                                                       t = 2)),
                 reference_sls(u, o$some, 3, 2))
    for (y in list(o$y, o$some)) {
        expect_equal(raw_scores(semisupervised_laplacian_score(o$x, y)),
                     reference_ssls(u, y))
        expect_equal(raw_scores(semisupervised_laplacian_score(
            o$x, y, k = 4, t = 2, C = 5
        )), reference_ssls(u, y, 4, 2, 5))
    }
})

test_that("with all outcomes known SSLS is a product of two SLS", {
    o <- outcomes()
    expect_equal(
        feature_scores(semisupervised_laplacian_score(o$x, o$y, k = 7)),
        feature_scores(supervised_laplacian_score(o$x, o$y, k = 7)) *
            feature_scores(supervised_laplacian_score(o$x, o$y))
    )
})

test_that("a feature that follows the outcome comes first, a constant last", {
    o <- outcomes()
    for (y in list(o$y, o$some)) {
        expect_identical(supervised_laplacian_score(o$x, y)$feature,
                         c("a", "b", "c"))
        got <- semisupervised_laplacian_score(o$x, y)
        expect_identical(got$feature[c(1, 3)], c("a", "c"))
        expect_identical(got$score[3], NA_real_)
    }
})

test_that("constant and equal outcomes keep row order", {
    o <- outcomes()
    u <- reference_columns(o$x, "zscore")
    near <- reference_joined(matrix(0, 40, 40), "knn", 5, NULL, FALSE) * 1
    got <- supervised_laplacian_score(o$x, rep(4, 40))
    expect_equal(raw_scores(got), reference_laplacian_score(u, near))
    steps <- rep(1:8, 5)
    expect_equal(raw_scores(supervised_laplacian_score(o$x, steps)),
                 reference_sls(u, steps))
})

test_that("two known outcomes are enough", {
    o <- outcomes()
    y <- replace(rep(NA, 40), c(3, 30), 1:2)
    got <- raw_scores(supervised_laplacian_score(o$x, y))
    # one edge: half the squared difference over the sum of squares, 2 * 1/4
    expect_equal(got, c(2, 2, NA))
})

test_that("sparse data, other scales and missing values", {
    o <- outcomes()
    x <- o$x
    x[abs(x) < 0.5] <- 0
    expect_identical(feature_scores(semisupervised_laplacian_score(
        Matrix::Matrix(x, sparse = TRUE), o$some
    )), feature_scores(semisupervised_laplacian_score(x, o$some)))
    u <- reference_columns(o$x, "range")
    expect_equal(raw_scores(supervised_laplacian_score(o$x, o$y,
                                                       scale = "range")),
                 reference_sls(u, o$y))
    o$x[2, 1] <- NA
    expect_refused("input", supervised_laplacian_score(o$x, o$y))
    z <- o$x
    z[, 1] <- (z[, 1] - mean(z[, 1], na.rm = TRUE)) / sd(z[, 1], na.rm = TRUE)
    z[2, 1] <- 0
    z[, 2] <- (z[, 2] - mean(z[, 2])) / sd(z[, 2])
    expect_equal(
        feature_scores(semisupervised_laplacian_score(o$x, o$some,
                                              na.action = "mean")),
        feature_scores(semisupervised_laplacian_score(z, o$some, scale = "none"))
    )
})

test_that("what is wrong is said", {
    o <- outcomes()
    expect_refused(
        "argument", supervised_laplacian_score(o$x, rep(NA_real_, 40)),
        semisupervised_laplacian_score(o$x, c(1, rep(NA, 39))),
        supervised_laplacian_score(o$x, factor(o$some > 0)),
        supervised_laplacian_score(o$x, o$y[-1]),
        supervised_laplacian_score(o$x, replace(o$y, 3, Inf)),
        supervised_laplacian_score(o$x, o$y, k = 0),
        semisupervised_laplacian_score(o$x, o$y, C = 0)
    )
    expect_snapshot({
        supervised_laplacian_score(o$x, o$some)
        semisupervised_laplacian_score(o$x, o$some, C = 5)
    })
})

test_that("the outcomes' graph has its own number of neighbours", {
    x <- random_matrix(24, 5)
    set.seed(3)
    y <- replace(rnorm(24), sample(24, 8), NA)
    u <- scale(x)
    for (k_output in c(1, 3, 9)) {
        got <- semisupervised_laplacian_score(x, y, k = 6, k_output = k_output)
        want <- reference_ssls(u, y, k = 6, k_output = k_output)
        expect_equal(unname(feature_scores(got)), unname(want))
        expect_identical(summary(got)$parameters$k_output, k_output)
    }
    expect_error(semisupervised_laplacian_score(x, y, k_output = 0),
                 class = "linkrank_error_argument")
})
