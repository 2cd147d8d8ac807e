ranked <- function() {
    made_ranking(c(3, 1, 2, 0, -1), c("a1", "b1", "a2", "b2", "a3"),
                 fdr = c(0.01, 0.04, 0.2, 0.9, NA))
}

test_that("top_features() by count, proportion, score, p-value and name", {
    ranking <- ranked()
    expect_identical(top_features(ranking, 2), c("a1", "a2"))
    expect_identical(top_features(ranking), ranking$feature)
    expect_identical(top_features(ranking, prop = 0.5), c("a1", "a2", "b1"))
    expect_identical(top_features(ranking, prop = 0), character())
    expect_identical(top_features(ranking, threshold = 2), c("a1", "a2"))
    expect_identical(top_features(ranking, alpha = 0.05), c("a1", "b1"))
    expect_identical(top_features(ranking, pattern = "^a"),
                     c("a1", "a2", "a3"))
    expect_identical(top_features(ranking, pattern = "^(?!a)"), c("b1", "b2"))
    # of those that match
    expect_identical(top_features(ranking, 1, pattern = "^b"), "b1")
    expect_identical(top_features(ranking, prop = 0.3, pattern = "^a"), "a1")
    expect_identical(top_features(ranking, threshold = 1, alpha = 0.03), "a1")
})

test_that("a threshold goes the way of the method", {
    x <- random_matrix(12, 4)
    ranking <- constraint_score(x, few_links(rownames(x)))
    least <- sort(feature_scores(ranking))[2]
    expect_setequal(top_features(ranking, threshold = least),
                    ranking$feature[1:2])
})

test_that("annotation is added to table and printed output", {
    known <- data.frame(feature = c("b1", "a1", "zz"), chromosome = 1:3)
    got <- annotate_ranking(ranked(), known)
    expect_s3_class(got, "feature_ranking")
    expect_identical(got$chromosome, c(2L, NA, 1L, NA, NA))
    expect_identical(got$margin, ranked()$margin)
    named <- data.frame(chromosome = 1:2, row.names = c("a1", "b2"))
    expect_identical(annotate_ranking(ranked(), named)$chromosome,
                     c(1L, NA, NA, 2L, NA))
    expect_snapshot(got)
    skip_if_not_installed("SummarizedExperiment")
    se <- SummarizedExperiment::SummarizedExperiment(
        list(matrix(0, 2, 1, dimnames = list(c("a1", "b1"), NULL))),
        rowData = data.frame(symbol = c("A", "B"), row.names = c("a1", "b1"))
    )
    expect_identical(annotate_ranking(ranked(), se)$symbol,
                     c("A", NA, "B", NA, NA))
})

test_that("what is wrong is said", {
    ranking <- ranked()
    expect_refused("argument", top_features(ranking, prop = 2),
                   top_features(ranking, alpha = -1),
                   top_features(ranking, pattern = "("),
                   top_features(ranking, pattern = 1),
                   top_features(ranking, threshold = "high"),
                   top_features(made_ranking(1:2), alpha = 0.1),
                   annotate_ranking(ranking, 1),
                   annotate_ranking(ranking, data.frame(feature = "no")),
                   annotate_ranking(ranking,
                                    data.frame(feature = c("a1", "a1"))),
                   annotate_ranking(ranking, data.frame(feature = "a1",
                                                        score = 1)))
})

test_that("add_ranking() marks the best", {
    skip_if_not_installed("SummarizedExperiment")
    se <- SummarizedExperiment::SummarizedExperiment(
        list(matrix(0, 3, 1, dimnames = list(c("b1", "a1", "new"), NULL)))
    )
    rows <- SummarizedExperiment::rowData(add_ranking(se, ranked(), "own", 2))
    expect_identical(rows$own_selected, c(FALSE, TRUE, FALSE))
    expect_identical(rows$own_rank, c(3L, 1L, NA))
    expect_null(SummarizedExperiment::rowData(
        add_ranking(se, ranked()))$relieff_sc_selected)
    # two rows with the name of one ranked feature
    expect_refused("input", add_ranking(se[c(1, 2, 2), ], ranked()))
    expect_no_error(add_ranking(se[c(1, 2, 3, 3), ], ranked()))
    # the class of the condition outlives the S4 dispatch of `[`
    expect_error(keep_features(se, ranked(), 5),
                 class = "linkrank_error_argument")
})

test_that("features without names are not those of other data", {
    skip_if_not_installed("SummarizedExperiment")
    x <- random_matrix(20, 6)
    se <- experiment_of(x)
    rownames(se) <- NULL
    ranking <- variance_score(se)
    markers <- group_markers(se, rep(1:2, 10))
    rows <- SummarizedExperiment::rowData(add_ranking(se, ranking, "own"))
    expect_identical(rows$own_score, unname(feature_scores(ranking)))
    part <- se[4:6, ]
    few <- ranking[ranking$feature %in% c("V1", "V2"), ]
    expect_refused("argument", add_ranking(part, ranking),
                   add_ranking(part, markers), keep_features(part, few),
                   plot_features(part, few),
                   diversify_ranking(few, unname(x)[, 4:6]),
                   pair_margins(unname(x)[, 4:6], few_links(20), few),
                   evaluate_ranking(few, unname(x)[, 4:6], rep(1:2, 10),
                                    unname(x)[, 1:3], rep(1:2, 10)))
})

test_that("a ranking without a feature is said to have none", {
    x <- random_matrix(20, 3)
    none <- variance_score(x)[0, ]
    expect_refused("argument", plot_features(x, none),
                   evaluate_ranking(none, x, rep(1:2, 10), x[1:4, ],
                                    rep(1:2, 2)))
})

test_that("only a column of exactly this name is what it is taken for", {
    x <- random_matrix(20, 3)
    ranking <- variance_score(x)
    other <- data.frame(feature_type = "gene", margin_there = 1:3,
                        p_value = 1:3 / 9, fdr = 1:3 / 9,
                        row.names = colnames(x))
    found <- annotate_ranking(ranking, other)
    expect_identical(found$feature_type, rep("gene", 3))
    expect_null(summary(found)$positive)
    expect_error(plot(found, type = "significance"), "with margins")
    # made of these data: no p-values of their own
    made <- glean_labels(glean(x, few_links(rownames(x))))$cluster
    markers <- suppressMessages(group_markers(x, made))
    markers <- annotate_ranking(markers, data.frame(fdr_there = 1:3 / 99,
                                                    row.names = colnames(x)))
    expect_true(all(is.na(summary(markers)[c("found", "higher")])))
    expect_error(top_features(markers, alpha = 0.05), "no p-values")
    # the numbers that R gives to rows are no names
    colnames(x) <- 3:1
    expect_error(annotate_ranking(variance_score(x), data.frame(symbol = 1:3)),
                 "has none", class = "linkrank_error_argument")
})

test_that("rows go by the names of features, and none is made of NA", {
    ranking <- made_ranking(c(1, 3, NA, 2))
    expect_identical(ranking[c("g1", "g3"), ]$feature, c("g1", "g3"))
    expect_identical(ranking["g2", "margin"], 3)
    expect_identical(ranking[factor("g4"), ]$rank, 2L)
    expect_identical(ranking[ranking$margin > 1.5, ]$feature, c("g2", "g4"))
    expect_identical(ranking[-1, ]$feature, c("g4", "g1", "g3"))
    expect_identical(ranking[NULL, ]$feature, character())
    expect_refused("argument", ranking[c("g1", "LYZ", "1"), ], ranking[5, ],
                   ranking[c(1, NA), "rank"])
})

test_that("further columns, and an ExpressionSet, take a ranking", {
    skip_if_not_installed("Biobase")
    x <- random_matrix(12, 5)
    links <- few_links(rownames(x))
    set <- Biobase::ExpressionSet(t(x))
    ranking <- relieff_sc(set, links)
    added <- add_ranking(set, ranking, n = 2, columns = c("margin", "statistic"))
    table <- Biobase::fData(added)
    at <- match(colnames(x), ranking$feature)
    expect_identical(table$relieff_sc_margin, ranking$margin[at])
    expect_identical(table$relieff_sc_statistic, ranking$statistic[at])
    expect_identical(table$relieff_sc_rank, ranking$rank[at])
    expect_identical(sum(table$relieff_sc_selected), 2L)
    se <- experiment_of(x)
    rows <- SummarizedExperiment::rowData(add_ranking(se, ranking,
                                                      columns = "margin"))
    expect_identical(rows$relieff_sc_margin, ranking$margin[at])
    expect_refused("argument", add_ranking(se, ranking, columns = "p_value"),
                   add_ranking(x, ranking))
    expect_warning(
        same <- annotate_ranking(ranking, set),
        "has no column besides", class = "linkrank_warning_annotation"
    )
    expect_identical(same, ranking)
})

test_that("how a ranking was made is in a sentence, in files and in metadata", {
    x <- log2(colon$x[, 1:30])
    links <- pairwise_constraints(cannot_link = cbind(1:3, 10:12), samples = 62)
    genes <- relieff_sc(x, links, k = 2, scale = "none")
    said <- summary(genes)$methods
    expect_match(said, "^Given pairs made 3 cannot-links and 0 must-")
    expect_match(said, "[.] ReliefF-Sc \\(Hijazi 2019, Algorithm 3.2; relieff_sc\\(\\)")
    expect_match(said, ", R [0-9.]+\\) ranked 30 features of 62 samples by margin ")
    expect_match(said, "\\(k = 2, both directions, unscaled, must_link = use")
    file <- tempfile()
    on.exit(unlink(file))
    utils::write.csv(as.data.frame(genes, settings = TRUE), file,
                     row.names = FALSE)
    back <- as_feature_ranking(utils::read.csv(file))
    expect_identical(back$feature, genes$feature)
    expect_identical(summary(back)$parameters$settings, said)
    expect_null(as_feature_ranking(as.data.frame(genes))$settings)

    skip_if_not_installed("SummarizedExperiment")
    se <- SummarizedExperiment::SummarizedExperiment(list(log2 = t(x)))
    tested <- suppressMessages(relieff_sc(x, links, permutations = 9))
    se <- add_ranking(add_ranking(se, tested), group_markers(x, colon$tissue))
    rows <- SummarizedExperiment::rowData(se)
    expect_true(all(c("relieff_sc_p_value", "relieff_sc_family_p_value",
                      "markers_normal_fdr") %in% names(rows)))
    made <- S4Vectors::metadata(se)$linkrank
    expect_identical(made$relieff_sc$methods, summary(tested)$methods)
    expect_identical(made$relieff_sc$cannot_links, 3L)
    expect_identical(made$markers$groups, levels(colon$tissue))
    expect_named(made$markers$versions, c("linkrank", "R"))
})

test_that("each method is named in the citation, and tables fit sheets", {
    cited <- paste(unlist(utils::citation("linkrank")$header), collapse = " ")
    for (method in ranking_methods()$method) {
        expect_match(cited, paste0(method, "("), fixed = TRUE)
    }
    x <- log2(colon$x[, 1:5])
    group <- rep(c("1", "a/b: both", strrep("long ", 9)), length.out = 62)
    expect_named(marker_lists(group_markers(x, group), NULL),
                 c("Group 1", "a_b_ both", strtrim(strrep("long ", 9), 28)))
    expect_named(marker_lists(group_markers(x, group)), sort(unique(group)))
})
