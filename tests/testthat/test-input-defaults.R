# scale = NULL, assay.type = NULL and the warning about raw counts.

counts_matrix <- function(largest = 60) {
    set.seed(5)
    m <- matrix(rpois(12 * 7, 3), 12, dimnames = list(
        paste0("s", 1:12), paste0("g", 1:7)))
    m[2, 3] <- largest
    m
}

experiment <- function(...) {
    SummarizedExperiment::SummarizedExperiment(list(...))
}

test_that("the scale is that of the container unless one is given", {
    m <- counts_matrix(20)
    plain <- as_feature_data(m)
    expect_identical(decide_scale(NULL, plain), "range")
    expect_identical(decide_scale("zscore", plain), "zscore")
    sparse <- as_feature_data(Matrix::Matrix(m, sparse = TRUE))
    expect_identical(decide_scale(NULL, sparse), "range")
    expect_identical(feature_scaling(plain, NULL)$scale, "range")
    expect_identical(feature_scaling(plain, NULL),
                     feature_scaling(plain, "range"))
    skip_if_not_installed("SummarizedExperiment")
    held <- as_feature_data(experiment(t(m)))
    expect_identical(decide_scale(NULL, held), "none")
    expect_identical(decide_scale("range", held), "range")
    expect_identical(feature_scaling(held, NULL),
                     feature_scaling(held, "none"))
})

test_that("a bare DelayedMatrix is scaled like every other matrix", {
    skip_if_not_installed("DelayedArray")
    data <- as_feature_data(DelayedArray::DelayedArray(counts_matrix()))
    expect_identical(decide_scale(NULL, data), "range")
})

test_that("an ExpressionSet is a container too", {
    skip_if_not_installed("Biobase")
    m <- t(counts_matrix(20))
    set <- Biobase::ExpressionSet(m)
    expect_identical(decide_scale(NULL, as_feature_data(set)), "none")
    Biobase::assayDataElement(set, "a_first") <- m * 2
    data <- as_feature_data(set)
    expect_identical(data$maximum, unname(apply(m, 1, max)) * 1)
})

test_that("logcounts come first, then the only assay, else a question", {
    skip_if_not_installed("SummarizedExperiment")
    m <- t(counts_matrix(20))
    se <- experiment(counts = m, logcounts = log1p(m))
    data <- as_feature_data(se)
    expect_identical(data$maximum, unname(apply(log1p(m), 1, max)))
    expect_identical(as_feature_data(experiment(m))$p, 7)
    expect_snapshot(error = TRUE, {
        as_feature_data(experiment(counts = m, tpm = m / 2))
        as_feature_data(experiment(m, m))
    })
})

test_that("raw counts are named, once, and only raw counts", {
    m <- counts_matrix()
    sparse <- Matrix::Matrix(m, sparse = TRUE)
    expect_snapshot(invisible(as_feature_data(sparse)))
    expect_warning(as_feature_data(sparse), class = "linkrank_warning_counts")
    expect_no_warning(as_feature_data(m))
    expect_no_warning(as_feature_data(Matrix::Matrix(counts_matrix(50),
                                                     sparse = TRUE)))
    expect_no_warning(as_feature_data(log1p(sparse)))
    # one fraction, away from the extremes of its feature
    fraction <- m
    fraction[order(fraction[, 3])[6], 3] <- 2.5
    expect_no_warning(as_feature_data(Matrix::Matrix(fraction,
                                                     sparse = TRUE)))
    expect_no_warning(as_feature_data(-sparse))
    warned <- 0
    withCallingHandlers(
        relieff_sc(sparse, pairwise_constraints(cbind(1, 2), samples = 12)),
        linkrank_warning_counts = function(w) {
            warned <<- warned + 1
            tryInvokeRestart("muffleWarning")
        }
    )
    expect_identical(warned, 1)
})

test_that("raw counts are seen in every container", {
    skip_if_not_installed("SummarizedExperiment")
    skip_if_not_installed("DelayedArray")
    m <- t(counts_matrix())
    whole <- m
    storage.mode(whole) <- "integer"
    for (assay in list(m, whole, Matrix::Matrix(m, sparse = TRUE),
                       DelayedArray::DelayedArray(m))) {
        expect_warning(as_feature_data(experiment(assay)),
                       class = "linkrank_warning_counts")
    }
    m[m == 3][1] <- 3.5
    for (assay in list(m, DelayedArray::DelayedArray(m))) {
        expect_no_warning(as_feature_data(experiment(assay)))
    }
    expect_no_warning(as_feature_data(DelayedArray::DelayedArray(
        counts_matrix())))
})

test_that("blocks of any size find the only fraction", {
    m <- counts_matrix()
    m[5, 4] <- 1.5
    data <- as_feature_data(Matrix::Matrix(m, sparse = TRUE))
    data$maximum <- rep(60, 7)
    for (step in c(1, 4, 7, 1000)) {
        expect_false(holds_whole_numbers(data, NULL, step))
    }
    data$values@x <- floor(data$values@x)
    for (step in c(1, 4, 7, 1000)) {
        expect_true(holds_whole_numbers(data, NULL, step))
    }
})

test_that("raw counts are spoken of once in a call that reads them often", {
    sparse <- Matrix::Matrix(counts_matrix(), sparse = TRUE)
    y <- rep(c("a", "b"), 6)
    links <- constraints_from_labels(y)
    warned <- function(code) {
        count <- 0L
        withCallingHandlers(
            suppressMessages(code),
            linkrank_warning_counts = function(w) {
                count <<- count + 1L
                tryInvokeRestart("muffleWarning")
            },
            warning = function(w) tryInvokeRestart("muffleWarning")
        )
        count
    }
    set.seed(1)
    expect_identical(warned(ensemble_ranking(sparse, links, replicates = 3,
                                             features = 4)), 1L)
    expect_identical(warned(ranking_stability(sparse, links,
                                              replicates = 3)), 1L)
    expect_identical(warned(evaluate_method(sparse, y, "variance_score",
                                            splits = 3)), 1L)
})
