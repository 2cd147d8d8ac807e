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
    plain <- prepare_data(m)
    expect_identical(decide_scale(plain), "balanced")
    expect_identical(decide_scale(plain, scale = "zscore"), "zscore")
    sparse <- prepare_data(Matrix::Matrix(m, sparse = TRUE))
    expect_identical(decide_scale(sparse), "balanced")
    expect_identical(feature_scaling(plain)$scale, "balanced")
    expect_identical(feature_scaling(plain),
                     feature_scaling(plain, "balanced"))
    skip_if_not_installed("SummarizedExperiment")
    held <- prepare_data(experiment(t(m)))
    expect_identical(decide_scale(held), "none")
    expect_identical(decide_scale(held, scale = "range"), "range")
    expect_identical(feature_scaling(held),
                     feature_scaling(held, "none"))
})

test_that("a bare DelayedMatrix is scaled like every other matrix", {
    skip_if_not_installed("DelayedArray")
    data <- prepare_data(DelayedArray::DelayedArray(counts_matrix()))
    expect_identical(decide_scale(data), "balanced")
})

test_that("an ExpressionSet is a container too", {
    skip_if_not_installed("Biobase")
    m <- t(counts_matrix(20))
    set <- Biobase::ExpressionSet(m)
    expect_identical(decide_scale(prepare_data(set)), "none")
    Biobase::assayDataElement(set, "a_first") <- m * 2
    data <- prepare_data(set)
    expect_identical(data$maximum, unname(apply(m, 1, max)) * 1)
})

test_that("logcounts come first, then the only assay, else a question", {
    skip_if_not_installed("SummarizedExperiment")
    m <- t(counts_matrix(20))
    se <- experiment(counts = m, logcounts = log1p(m))
    data <- prepare_data(se)
    expect_identical(data$maximum, unname(apply(log1p(m), 1, max)))
    expect_identical(prepare_data(experiment(m))$p, 7)
    expect_snapshot(error = TRUE, {
        prepare_data(experiment(counts = m, tpm = m / 2))
        prepare_data(experiment(m, m))
    })
})

test_that("raw counts are named, once, and only raw counts", {
    m <- counts_matrix()
    sparse <- Matrix::Matrix(m, sparse = TRUE)
    expect_snapshot(invisible(prepare_data(sparse)))
    expect_warning(prepare_data(sparse), class = "linkrank_warning_counts")
    expect_no_warning(prepare_data(m))
    expect_no_warning(prepare_data(Matrix::Matrix(counts_matrix(50),
                                                     sparse = TRUE)))
    expect_no_warning(prepare_data(log1p(sparse)))
    # one fraction, away from the extremes of its feature
    fraction <- m
    fraction[order(fraction[, 3])[6], 3] <- 2.5
    expect_no_warning(prepare_data(Matrix::Matrix(fraction,
                                                     sparse = TRUE)))
    expect_no_warning(prepare_data(-sparse))
    warned <- 0
    withCallingHandlers(
        relieff_sc(sparse, pairwise_constraints(cannot_link = cbind(1, 2), samples = 12)),
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
        expect_warning(prepare_data(experiment(assay)),
                       class = "linkrank_warning_counts")
    }
    m[m == 3][1] <- 3.5
    for (assay in list(m, DelayedArray::DelayedArray(m))) {
        expect_no_warning(prepare_data(experiment(assay)))
    }
    expect_no_warning(prepare_data(DelayedArray::DelayedArray(
        counts_matrix())))
})

test_that("unlogged intensities are named, and tables of other values not", {
    set.seed(1)
    level <- rnorm(120, 9, 1.5)
    logs <- matrix(rnorm(12 * 120, rep(level, each = 12), .4), 12)
    expect_snapshot({
        invisible(prepare_data(2^logs))
        invisible(prepare_data(2^logs - 50))
    })
    expect_warning(prepare_data(as.data.frame(2^logs)),
                   class = "linkrank_warning_intensities")
    expect_warning(prepare_data(round(2^logs)),
                   class = "linkrank_warning_intensities")
    # logs, centred, scaled, 8-bit pixels, features of like size (16 bits, or
    # around 500), spectra, fewer features, two units, principal components
    pixels <- matrix(runif(12 * 120, 0, 255), 12)
    tables <- list(logs, scale(2^logs), pixels, 200 * pixels,
                   matrix(rnorm(12 * 120, 480, 40), 12),
                   2^logs / max(2^logs), (2^logs)[, 1:99],
                   cbind(logs, (2^logs)[, 1:100]),
                   matrix(rnorm(12 * 120, sd = rep(2^level, each = 12)), 12))
    for (table in tables) {
        expect_no_warning(prepare_data(table))
    }
    expect_false(are_unlogged_intensities(numeric(200), rep(2000, 200),
                                          FALSE))
    maxima <- exp(seq(log(60), log(1001), length.out = 100))
    expect_true(are_unlogged_intensities(numeric(100), maxima, FALSE))
    expect_false(are_unlogged_intensities(numeric(99), maxima[-50], FALSE))
    expect_false(are_unlogged_intensities(numeric(100), maxima - 1.1, FALSE))
})

test_that("a container of unlogged values needs less to be named", {
    skip_if_not_installed("SummarizedExperiment")
    set.seed(1)
    normalised <- 2^matrix(rnorm(12 * 120, rep(rnorm(120, 3, 1.5), each = 12),
                                 .4), 12)
    expect_no_warning(prepare_data(normalised))
    expect_warning(prepare_data(experiment(t(normalised))),
                   class = "linkrank_warning_intensities")
    expect_warning(prepare_data(Matrix::Matrix(normalised, sparse = TRUE)),
                   class = "linkrank_warning_unlogged")
    expect_no_warning(prepare_data(experiment(log2(t(normalised)))))
})

test_that("blocks of any size find the only fraction", {
    m <- counts_matrix()
    m[5, 4] <- 1.5
    for (part in list(m, Matrix::Matrix(m, sparse = TRUE))) {
        data <- prepare_data(part)
        data$maximum <- rep(60, 7)
        whole <- data
        if (is.matrix(part)) whole$values <- floor(data$values) else
            whole$values@x <- floor(data$values@x)
        for (at_once in c(1, 40, 1000)) {
            expect_false(holds_whole_numbers(data, NULL, at_once))
            expect_true(holds_whole_numbers(whole, NULL, at_once))
        }
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
    expect_identical(warned(fcrsc(20 * sparse, links, n = 4)), 1L)
    # training and test samples are read one after the other
    skip_if_not_installed("DelayedArray")
    ranking <- variance_score(counts_matrix())
    stored <- DelayedArray::DelayedArray(sparse)
    expect_identical(warned(evaluate_ranking(ranking, stored, y, stored, y)),
                     1L)
})
