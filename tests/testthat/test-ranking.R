# ---- the table --------------------------------------------------------------

test_that("a ranking holds every feature, best first, ties in column order", {
    ranking <- made_ranking(c(1, 3, NA, 3, -1, 1))
    expect_identical(ranking$rank, 1:6)
    expect_identical(ranking$feature, c("g2", "g4", "g1", "g6", "g5", "g3"))
    expect_identical(ranking$margin, c(3, 3, 1, 1, -1, NA))
    expect_s3_class(ranking, c("feature_ranking", "data.frame"), exact = TRUE)
})

test_that("infinite, undefined and zero keys have their places", {
    ranking <- made_ranking(c(NaN, 0, Inf, -Inf, NA, -0))
    expect_identical(ranking$feature, c("g3", "g2", "g6", "g4", "g1", "g5"))
})

test_that("any column may be the key", {
    ranking <- made_ranking(c(1, 2, 3), statistic = c(5, NA, 6),
                            key = "statistic")
    expect_identical(ranking$feature, c("g3", "g1", "g2"))
    expect_identical(summary(ranking)$key, "statistic")
})

test_that("permuted columns permute the result, except for ties", {
    x <- random_matrix(12, 20)
    links <- few_links(12)
    set.seed(2)
    order <- sample(20)
    here <- feature_scores(relieff_sc(x, links))
    there <- feature_scores(relieff_sc(x[, order], links))
    expect_equal(there[names(here)], here)
})

test_that("20,000 equal features keep their order", {
    ranking <- made_ranking(rep(c(0, 1), c(10000, 10000)))
    expect_identical(ranking$feature, paste0("g", c(10001:20000, 1:10000)))
})

# ---- what it tells ----------------------------------------------------------

test_that("top_features() gives the best names, at most all of them", {
    ranking <- made_ranking(c(1, 3, 2))
    expect_identical(top_features(ranking, 2), c("g2", "g3"))
    expect_identical(top_features(ranking), c("g2", "g3", "g1"))
    expect_identical(top_features(ranking, Inf), c("g2", "g3", "g1"))
    expect_refused("argument",
        top_features(ranking, 0),
        top_features(ranking, "all"),
        top_features(as.data.frame(ranking)),
        top_features(NULL)
    )
})

test_that("feature_scores() come in column order, by name", {
    ranking <- made_ranking(c(1, 3, -2))
    expect_identical(feature_scores(ranking), c(g1 = 1, g2 = 3, g3 = 0))
    # of a part, those that are left
    expect_identical(feature_scores(ranking[1:2, ]), c(g1 = 1, g2 = 3))
    expect_refused("argument", feature_scores(1:3))
    # of a constant feature neither is known
    x <- cbind(random_matrix(12, 3), constant = 1)
    by_statistic <- suppressMessages(stir(x, rep(1:2, 6)))
    expect_named(suppressMessages(feature_scores(by_statistic)), colnames(x))
})

test_that("summary() of a ranking gives method, parameters, counts and versions", {
    info <- summary(relieff_sc(random_matrix(6, 4), few_links(6), k = 2))
    expect_identical(info$method, "relieff_sc")
    expect_identical(info$label, "ReliefF-Sc")
    expect_identical(info$direction, "higher")
    expect_identical(info$key, "margin")
    expect_identical(info$parameters$k, 2)
    expect_identical(info$parameters$scale, "balanced")
    expect_equal(c(info$samples, info$features), c(6, 4))
    expect_equal(c(info$cannot_links, info$must_links), c(3, 1))
    expect_named(info$versions, c("linkrank", "R"))
})

# ---- keep_features() ------------------------------------------------------

x <- random_matrix(6, 5)
ranking <- made_ranking(c(1, 5, 2, 4, 3), colnames(x))

test_that("a matrix of any type comes back with the best columns, in order", {
    expect_identical(keep_features(x, ranking, 3), x[, c(2, 4, 5)])
    expect_identical(keep_features(x, ranking, 1), x[, 2, drop = FALSE])
    whole <- round(x * 10)
    storage.mode(whole) <- "integer"
    expect_identical(keep_features(whole, ranking, 2), whole[, c(2, 4)])
    expect_identical(keep_features(x > 0, ranking, 2), x[, c(2, 4)] > 0)
})

test_that("prepared data stay prepared, arrays of limma arrays", {
    data <- prepare_data(x, scale = "none")
    kept <- keep_features(data, ranking, 2)
    expect_s3_class(kept, "prepared_data")
    expect_identical(dimnames(kept), list(rownames(x), c("g2", "g4")))
    links <- few_links(6)
    expect_identical(relieff_sc(kept, links),
                     relieff_sc(x[, c(2, 4)], links, scale = "none"))
    skip_if_not_installed("limma")
    arrays <- methods::new(methods::getClass("EList", where = asNamespace("limma")),
                           list(E = t(x)))
    expect_identical(keep_features(arrays, ranking, 2)$E, t(x)[c(2, 4), ])
})

test_that("more than there are means all", {
    expect_identical(keep_features(x, ranking, 100), x[, c(2, 4, 5, 3, 1)])
    expect_identical(keep_features(x, ranking, Inf), x[, c(2, 4, 5, 3, 1)])
})

test_that("a data.frame stays one, of its class", {
    frame <- as.data.frame(x)
    expect_identical(keep_features(frame, ranking, 2), frame[c(2, 4)])
    expect_identical(keep_features(frame, ranking, 1), frame[2])
    tibble_like <- structure(frame, class = c("tbl_df", "tbl", "data.frame"))
    small <- keep_features(tibble_like, ranking, 2)
    expect_s3_class(small, "tbl_df")
    expect_named(small, c("g2", "g4"))
})

test_that("sparse matrices keep their class", {
    for (class in c("dgCMatrix", "dgTMatrix", "dgRMatrix")) {
        sparse <- as_matrix_class(round(x), class)
        small <- keep_features(sparse, ranking, 2)
        expect_s4_class(small, class)
        expect_equal(as.matrix(small), round(x)[, c(2, 4)])
    }
})

test_that("a SummarizedExperiment loses rows, and keeps the rest", {
    skip_if_not_installed("SummarizedExperiment")
    se <- experiment_of(x)
    small <- keep_features(se, ranking, 2)
    expect_s4_class(small, "SummarizedExperiment")
    expect_identical(rownames(small), c("g2", "g4"))
    expect_identical(SummarizedExperiment::colData(small),
                     SummarizedExperiment::colData(se))
})

test_that("a SingleCellExperiment stays one", {
    skip_if_not_installed("SingleCellExperiment")
    sce <- SingleCellExperiment::SingleCellExperiment(list(counts = t(x)))
    small <- keep_features(sce, ranking, 2)
    expect_s4_class(small, "SingleCellExperiment")
    expect_identical(rownames(small), c("g2", "g4"))
})

test_that("an ExpressionSet stays one", {
    skip_if_not_installed("Biobase")
    set <- Biobase::ExpressionSet(t(x))
    small <- keep_features(set, ranking, 2)
    expect_s4_class(small, "ExpressionSet")
    expect_identical(Biobase::exprs(small), t(x)[c(2, 4), ])
})

test_that("a DelayedMatrix stays one", {
    skip_if_not_installed("DelayedArray")
    small <- keep_features(DelayedArray::DelayedArray(x), ranking, 2)
    expect_s4_class(small, "DelayedMatrix")
    expect_identical(as.matrix(small), x[, c(2, 4)])
})

test_that("features are found by name in other data", {
    other <- x[1:3, 5:1]
    expect_identical(keep_features(other, ranking, 2), other[, c("g2", "g4")])
})

test_that("data without names are taken by position", {
    expect_identical(keep_features(unname(x), ranking, 2),
                     unname(x)[, c(2, 4)])
    unnamed <- relieff_sc(unname(x), few_links(6), k = 1)
    places <- as.integer(sub("V", "", top_features(unnamed, 2)))
    expect_identical(keep_features(unname(x), unnamed, 2),
                     unname(x)[, places])
})

test_that("data that lack features are refused", {
    expect_refused("argument",
        keep_features(x[, -2], ranking, 3),
        keep_features(x[, 1, drop = FALSE], ranking),
        keep_features(unname(x)[, 1:3], ranking, 2),
        keep_features(x, ranking, 0),
        keep_features(x, x)
    )
    expect_refused("input",
        keep_features(1:5, ranking),
        keep_features(list(g1 = 1), ranking),
        keep_features(NULL, ranking)
    )
})

# ---- add_ranking() ----------------------------------------------------------

test_that("scores and ranks go to rowData() in the order of the rows", {
    skip_if_not_installed("SummarizedExperiment")
    se <- experiment_of(x)
    added <- add_ranking(se, ranking)
    row_data <- SummarizedExperiment::rowData(added)
    expect_identical(rownames(added), colnames(x))
    expect_identical(row_data$relieff_sc_score, c(1, 5, 2, 4, 3))
    expect_identical(row_data$relieff_sc_rank, c(5L, 1L, 4L, 2L, 3L))
    expect_identical(row_data$length, 5:1)
    expect_identical(SummarizedExperiment::assay(added),
                     SummarizedExperiment::assay(se))
})

test_that("features that were not ranked get NA, old columns are replaced", {
    skip_if_not_installed("SummarizedExperiment")
    added <- add_ranking(experiment_of(x), ranking, name = "margin")
    again <- add_ranking(added, ranking[1:2, ], name = "margin")
    row_data <- SummarizedExperiment::rowData(again)
    expect_identical(row_data$margin_rank, c(NA, 1L, NA, 2L, NA))
    expect_identical(names(row_data), c("length", "margin_score",
                                        "margin_rank"))
})

test_that("an experiment without row names is met by V1, V2, ...", {
    skip_if_not_installed("SummarizedExperiment")
    se <- SummarizedExperiment::SummarizedExperiment(list(unname(t(x))))
    ranked <- relieff_sc(se, few_links(6), k = 1)
    rank <- SummarizedExperiment::rowData(add_ranking(se, ranked))
    expect_identical(paste0("V", order(rank$relieff_sc_rank)), ranked$feature)
})

test_that("a ranking of something else is not added", {
    skip_if_not_installed("SummarizedExperiment")
    se <- experiment_of(x)
    rownames(se) <- paste0("other", 1:5)
    expect_refused("argument",
        add_ranking(x, ranking),
        add_ranking(se, ranking),
        add_ranking(se, as.data.frame(ranking)),
        add_ranking(experiment_of(x), ranking, name = 1),
        add_ranking(experiment_of(x), ranking, name = c("a", "b")),
        add_ranking(experiment_of(x), ranking, name = NA_character_)
    )
})

test_that("of features with one name none is taken for another", {
    x <- random_matrix(12, 4)
    y <- rep(1:2, 6)
    ranking <- relieff(x, y)
    twice <- x
    colnames(twice)[4] <- "g2"
    wide <- as.data.frame(twice, optional = TRUE)
    part <- ranking[ranking$feature != "g4", ]
    for (data in list(twice, wide)) {
        expect_error(keep_features(data, part, 3), "\"g2\" is duplicated",
                     class = "linkrank_error_input")
        expect_error(evaluate_ranking(part, data[1:6, ], y[1:6], data[7:12, ],
                                      y[7:12]),
                     "\"g2\" is duplicated", class = "linkrank_error_input")
    }
    others <- part[part$feature != "g2", ]
    expect_identical(keep_features(twice, others, 2), x[, others$feature])
})
