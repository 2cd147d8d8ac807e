raw_scores <- function(ranking) unname(feature_scores(ranking))

# numbers, a constant column, a factor of three levels, one of two
mixed <- function(n = 40) {
    set.seed(5)
    data.frame(a = rnorm(n), b = rexp(n), c = rep(3, n),
               d = factor(sample(c("u", "v", "w"), n, TRUE)),
               e = sample(c("x", "y"), n, TRUE), stringsAsFactors = TRUE)
}

# ---- against the references --------------------------------------------------

test_that("variance equals its definition, factors as halved indicators", {
    x <- mixed()
    for (scale in c("range", "zscore", "none")) {
        u <- reference_columns(x, scale)
        want <- reference_by_feature(u, function(f) mean((f - mean(f))^2))
        expect_equal(raw_scores(variance_score(x, scale = scale)), want)
    }
    # (1 - sum of squared shares) / 2
    shares <- table(x$d) / nrow(x)
    expect_equal(feature_scores(variance_score(x))[["d"]], (1 - sum(shares^2)) / 2)
})

test_that("the Laplacian score equals f~'Lf~ / f~'Df~", {
    x <- mixed()
    u <- reference_columns(x)
    expect_equal(raw_scores(laplacian_score(x, scale = "range")),
                 reference_laplacian_score(u, reference_graph(u)))
    for (graph in list(similarity_graph(x, adjacency = "epsilon", epsilon = 0.3),
                       similarity_graph(x, adjacency = "full", weight = "self_tuning"))) {
        got <- laplacian_score(x, graph = graph, scale = "range")
        expect_equal(raw_scores(got),
                     reference_laplacian_score(u, dense(graph)))
        expect_identical(raw_scores(laplacian_score(x, graph = graph$weights,
                                                    scale = "range")),
                         raw_scores(got))
    }
    expect_equal(raw_scores(laplacian_score(x, k = 3, t = 2, scale = "range")),
                 reference_laplacian_score(u, reference_graph(u, k = 3,
                                                              t = 2)))
})

test_that("spectral scores equal their definition by eigenvectors", {
    x <- mixed()[c("a", "b", "e")]
    u <- reference_columns(x)
    want <- reference_spectral(u, reference_graph(u, k = 6))
    expect_equal(raw_scores(spectral_score(x, type = 1, k = 6,
                                           scale = "range")), want$first)
    expect_equal(raw_scores(spectral_score(x, type = 2, k = 6,
                                           scale = "range")), want$second)
    expect_equal(raw_scores(spectral_score(x, type = 2)),
                 raw_scores(laplacian_score(x)))
})

test_that("spectral scores of data with missing cells are those of the means", {
    for (seed in 1:4) {
        filled <- x <- random_matrix(16, 5, seed = seed)
        x[sample.int(length(x), 9L)] <- NA
        for (j in 1:5) {
            filled[is.na(x[, j]), j] <- mean(x[, j], na.rm = TRUE)
        }
        u <- reference_columns(filled)
        want <- reference_spectral(u, reference_graph(u, k = 4))
        for (given in list(x, as.data.frame(x),
                           Matrix::Matrix(x, sparse = TRUE))) {
            got <- function(type) {
                raw_scores(spectral_score(given, type = type, k = 4,
                                          na.action = "mean", scale = "range"))
            }
            expect_equal(unname(got(1)), unname(want$first))
            expect_equal(unname(got(2)), unname(want$second))
        }
    }
})

test_that("the Fisher score equals its definition and its graph form", {
    x <- mixed()
    set.seed(1)
    y <- sample(c("p", "q", "r", NA), nrow(x), TRUE)
    u <- reference_columns(x)
    got <- raw_scores(fisher_score(x, y))
    want <- reference_fisher(u, y)
    expect_equal(got, ifelse(is.nan(want), NA, want))
    # weights 1 / n_c within a class: f'Lf is the scatter within the classes
    known <- !is.na(y)
    count <- table(y)[y[known]]
    same <- outer(y[known], y[known], "==") / as.vector(count)
    graph <- laplacian_score(x[known, ], graph = same - diag(diag(same)),
                             scale = "range")
    within <- reference_by_feature(reference_columns(x[known, ]), function(f) {
        reference_quadratic(f, same)
    })
    total <- reference_by_feature(reference_columns(x[known, ]), function(f) {
        sum((f - mean(f))^2)
    })
    expect_equal(raw_scores(fisher_score(x[known, ], y[known]))[-3],
                 ((total - within) / within)[-3])
})

test_that("a path of three samples, by hand", {
    # f = 0, 1/2, 1 on a path of weights 1, 1: f'Lf = 1/4 + 1/4; D = 1, 2, 1,
    # mean 1/2, f~'Df~ = 1/4 + 1/4
    s <- rbind(c(0, 1, 0), c(1, 0, 1), c(0, 1, 0))
    expect_equal(raw_scores(laplacian_score(matrix(c(0, 5, 10)), graph = s)), 1)
    expect_equal(raw_scores(spectral_score(matrix(c(0, 5, 10)), type = 1, graph = s)),
                 0.5 / 1.5)
    expect_equal(raw_scores(variance_score(matrix(c(0, 5, 10)))), 1 / 6)
    # means 0 and 3/4 of classes of 1 and 2; within 1/8
    expect_equal(raw_scores(fisher_score(matrix(c(0, 5, 10)), c(1, 2, 2))),
                 (1 / 4 + 2 / 16) / (1 / 8))
})

# ---- odd data ----------------------------------------------------------------

test_that("constant features have no score and come last", {
    x <- mixed()
    for (ranking in list(laplacian_score(x), spectral_score(x),
                         spectral_score(x, type = 2),
                         fisher_score(x, rep(1:2, 20)))) {
        expect_identical(ranking$feature[5], "c")
        expect_identical(feature_scores(ranking)[["c"]], NA_real_)
        expect_false(anyNA(feature_scores(ranking)[-3]))
    }
    expect_identical(feature_scores(variance_score(x))[["c"]], 0)
})

test_that("a feature without spread in its classes has score Inf", {
    # 0.1 + 0.1 + 0.1 is not 0.3: no rounding may be left over
    x <- cbind(a = rep(c(0.1, 0.7, 0.1), 10), b = rnorm(30))
    y <- rep(c(1, 2, 1), 10)
    expect_identical(feature_scores(fisher_score(x, y, scale = "none"))[["a"]], Inf)
    expect_identical(feature_scores(fisher_score(Matrix::Matrix(x, sparse = TRUE), y,
                                         scale = "none"))[["a"]], Inf)
    # constant within the labelled samples only
    y <- rep(c(1, NA, 2), 10)
    expect_identical(feature_scores(fisher_score(x, y, scale = "none"))[["a"]],
                     NA_real_)
})

test_that("a class of one and unlabelled samples are fine", {
    x <- random_matrix(12, 5)
    y <- factor(c("one", rep(c("two", NA, "three"), length.out = 11)))
    u <- reference_columns(x)
    expect_equal(raw_scores(fisher_score(x, y)), reference_fisher(u, y))
})

test_that("samples without an edge do not count", {
    x <- random_matrix(12, 5)
    s <- matrix(0, 12, 12)
    s[1:6, 1:6] <- 1 - diag(6)
    low <- apply(x, 2, min)
    u <- sweep(sweep(x, 2, low), 2, apply(x, 2, max) - low, "/")
    expect_equal(raw_scores(laplacian_score(x, graph = s)),
                 raw_scores(laplacian_score(u[1:6, ], graph = 1 - diag(6),
                                            scale = "none")))
    # a feature that varies only among samples without an edge
    x[1:6, 2] <- 0.3
    expect_identical(raw_scores(laplacian_score(x, graph = s))[2], NA_real_)
    expect_identical(raw_scores(laplacian_score(
        Matrix::Matrix(x, sparse = TRUE), graph = s
    ))[2], NA_real_)
})

test_that("huge, tiny, whole and logical numbers", {
    x <- random_matrix(20, 4)
    y <- rep(1:2, 10)
    for (factor in c(1e300, 1e-300)) {
        expect_equal(feature_scores(laplacian_score(x * factor)),
                     feature_scores(laplacian_score(x)))
        expect_equal(feature_scores(fisher_score(x * factor, y)),
                     feature_scores(fisher_score(x, y)))
    }
    whole <- matrix(sample(5, 60, TRUE), 20)
    expect_identical(feature_scores(variance_score(whole)),
                     feature_scores(variance_score(whole + 0)))
    expect_identical(feature_scores(variance_score(whole > 2)),
                     feature_scores(variance_score((whole > 2) + 0)))
    expect_identical(variance_score(matrix(1:3))$rank, 1L)
})

test_that("missing values are refused, or replaced by the mean", {
    x <- random_matrix(20, 4)
    x[c(2, 9), 3] <- NA
    expect_refused("input", variance_score(x), laplacian_score(x,
                                                               scale = "range"),
                   fisher_score(x, rep(1:2, 10)))
    filled <- x
    filled[c(2, 9), 3] <- mean(x[, 3], na.rm = TRUE)
    for (given in list(x, as.data.frame(x), Matrix::Matrix(x, sparse = TRUE))) {
        expect_equal(feature_scores(variance_score(given, na.action = "mean")),
                     feature_scores(variance_score(filled)))
        expect_equal(feature_scores(laplacian_score(given, na.action = "mean",
                                                    scale = "range")),
                     feature_scores(laplacian_score(filled, scale = "range")))
    }
})

# ---- properties --------------------------------------------------------------

test_that("permuted samples or features permute the scores", {
    x <- random_matrix(50, 9)
    y <- rep(1:5, 10)
    rows <- sample(50)
    columns <- sample(9)
    calls <- list(variance_score, laplacian_score, spectral_score,
                  function(x) fisher_score(x, y[match(rownames(x),
                                                      paste0("s", 1:50))]))
    for (call in calls) {
        one <- feature_scores(call(x))
        expect_equal(feature_scores(call(x[rows, ])), one, tolerance = 1e-10)
        expect_equal(feature_scores(call(x[, columns]))[names(one)], one,
                     tolerance = 1e-12)
    }
})

test_that("kinds of data agree; sparse ones are not expanded", {
    skip_if_not_installed("SummarizedExperiment")
    set.seed(1)
    x <- matrix(rpois(60 * 40, 0.5), 60,
                dimnames = list(NULL, paste0("g", 1:40)))
    y <- rep(1:3, 20)
    se <- SummarizedExperiment::SummarizedExperiment(list(counts = t(x)))
    calls <- list(function(x) variance_score(x, scale = "range"),
                  function(x) laplacian_score(x, scale = "range"),
                  function(x) fisher_score(x, y, scale = "range"))
    for (call in calls) {
        one <- feature_scores(call(x))
        expect_identical(feature_scores(call(se)), one)
        expect_identical(feature_scores(call(as.data.frame(x))), one)
        expect_identical(feature_scores(call(Matrix::Matrix(x, sparse = TRUE))),
                         one)
    }
})

test_that("equal scores of counts are equal in sparse data, in column order", {
    set.seed(1)
    x <- matrix(rbinom(60 * 500, 3, 0.1) + 0, 60,
                dimnames = list(NULL, paste0("g", 1:500)))
    sparse <- Matrix::Matrix(x, sparse = TRUE)
    y <- rep(1:3, 20)
    links <- few_links(60)
    for (scale in c("range", "zscore", "none")) {
        calls <- list(
            function(x) variance_score(x, scale = scale),
            function(x) fisher_score(x, y, scale = scale),
            function(x) laplacian_score(x, t = 100, scale = scale),
            function(x) spectral_score(x, type = 1, t = 100,
                                       scale = scale),
            function(x) supervised_laplacian_score(x, rep(1:4 / 4, 15),
                                                   scale = scale)
        )
        for (call in calls) {
            expect_identical(as.data.frame(call(sparse)),
                             as.data.frame(call(x)))
        }
    }
})

test_that("what is wrong is said", {
    x <- random_matrix(12, 3)
    s <- 1 - diag(12)
    expect_refused(
        "argument", fisher_score(x, rep(1, 12)), fisher_score(x, 1:3),
        fisher_score(x, c(1.5, 2:12)), laplacian_score(x, graph = diag(12)),
        laplacian_score(x, graph = 1 - diag(3)), laplacian_score(x, graph = s, k = 3),
        laplacian_score(x, t = 1e-9), spectral_score(x, type = 3),
        laplacian_score(x, graph = "knn"), variance_score(x, scale = "rang"),
        variance_score(x, na.action = "omit"), variance_score(x, k = 3)
    )
    named <- similarity_graph(x)
    rownames(x) <- rev(rownames(x))
    expect_refused("argument", laplacian_score(x, graph = named))
})

test_that("printed output shows the settings", {
    x <- random_matrix(12, 3)
    expect_snapshot({
        variance_score(x)
        laplacian_score(x)
        spectral_score(x, type = 2, graph = similarity_graph(x, adjacency = "full", weight = "self_tuning"))
        fisher_score(x, rep(c(1, 2, NA), 4))
        summary(laplacian_score(x))
    })
    info <- summary(laplacian_score(x, k = 3))
    expect_identical(info$parameters$graph$k, 3)
    expect_identical(info$direction, "lower")
})

test_that("a large offset takes no digit of variance and Fisher scores", {
    set.seed(1)
    counts <- matrix(stats::rpois(600, 5), 30)
    y <- rep(1:3, 10)
    for (offset in c(1e9, 1e15)) {
        # 1e15 + counts is exact
        far <- counts + offset
        for (scale in c("none", "range")) {
            expect_equal(variance_score(far, scale = scale)$score,
                         variance_score(counts, scale = scale)$score,
                         tolerance = 1e-12)
            expect_equal(fisher_score(far, y, scale = scale)$score,
                         fisher_score(counts, y, scale = scale)$score,
                         tolerance = 1e-12)
        }
    }
    # by the equation
    means <- rowsum(counts, y) / 10
    within <- colSums((counts - means[y, ])^2)
    between <- 10 * colSums(sweep(means, 2, colMeans(counts))^2)
    expect_equal(unname(in_order(fisher_score(counts + 1e15, y,
                                              scale = "none"))),
                 between / within, tolerance = 1e-12)
})
