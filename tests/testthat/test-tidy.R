test_that("tidiers give the tables, bare", {
    skip_if_not_installed("generics")
    x <- random_matrix(12, 5)
    links <- few_links(rownames(x))
    ranking <- relieff_sc(x, links, k = 2)
    table <- generics::tidy(ranking)
    expect_false(inherits(table, "feature_ranking"))
    expect_equal(as.data.frame(table), as.data.frame(ranking))
    expect_equal(as.data.frame(generics::tidy(links)), as.data.frame(links))
    one <- generics::glance(ranking)
    expect_identical(nrow(one), 1L)
    expect_identical(one$n_cannot_link, 3)
    expect_identical(one$n_must_link, 1)
    expect_identical(one$n_positive, sum(ranking$score > 0))
    expect_identical(generics::glance(variance_score(x))$n_cannot_link,
                     NA_real_)
})

test_that("tidiers of questions, evaluations, stability and clusters", {
    skip_if_not_installed("generics")
    x <- random_matrix(24, 5)
    y <- factor(rep(c("a", "b"), 12))
    asked <- active_constraints(x, y, n = 4)
    expect_equal(as.data.frame(generics::tidy(asked)), asked$questions)
    set.seed(1)
    found <- evaluate_method(x, y, c("variance_score", "fisher_score"),
                             splits = 2)
    expect_equal(as.data.frame(generics::tidy(found)), as.data.frame(found))
    expect_gte(nrow(generics::glance(found)), 2)
    stable <- ranking_stability(x, y = y, method = "fisher_score",
                                replicates = 3, n = 1:3)
    expect_identical(class(as.data.frame(generics::tidy(stable))),
                     "data.frame")
    expect_identical(generics::tidy(stable)$overlap, stable$overlap)
    clusters <- pck_means(x, few_links(24), clusters = 2)
    expect_identical(generics::tidy(clusters)$size, clusters$sizes)
    one <- generics::glance(clusters)
    expect_identical(one$n_samples, 24L)
    expect_identical(one$objective, clusters$objective)
    several <- generics::glance(spectral_clustering(x, few_links(24),
                                                    clusters = 3))
    expect_identical(names(several), names(one))
    expect_identical(several$n_clusters, 3L)
    data <- generics::augment(clusters, x)
    expect_identical(data$.cluster,
                     unname(clusters$cluster))
    labels <- glean_labels(glean(x, few_links(24)))
    expect_identical(names(generics::glance(labels)), names(one))
    expect_identical(generics::tidy(labels)$size, labels$sizes)
    expect_identical(sum(labels$sizes), sum(!is.na(labels$cluster)))
    both <- generics::augment(labels, x)
    expect_identical(both$.cluster, unname(labels$cluster))
    expect_identical(both$.confidence, labels$confidence)
    expect_identical(predict(labels), labels$cluster)
    expect_output(print(labels), "propagated, 24 samples, [0-9]+ clusters?")
    expect_refused("argument",
                   predict(labels, x),
                   generics::augment(clusters, x[1:3, ]),
                   generics::augment(clusters, x[, c(1, 1)]),
                   generics::augment(clusters, mean),
                   generics::augment(clusters, NULL),
                   generics::augment(clusters))
    # samples in another order, by name
    rownames(x) <- paste0("s", 1:24)
    labels <- glean_labels(glean(x, few_links(rownames(x))))
    turned <- suppressMessages(generics::augment(labels, x[24:1, ]))
    expect_identical(turned$.cluster, rev(unname(labels$cluster)))
    expect_identical(turned$.confidence, rev(labels$confidence))
    skip_if_not_installed("S4Vectors")
    named <- S4Vectors::DataFrame("a b" = seq_len(nrow(x)), check.names = FALSE)
    expect_identical(names(generics::augment(clusters, named)),
                     c("a b", ".cluster"))
})

test_that("dplyr verbs keep the promises or give a plain table", {
    skip_if_not_installed("dplyr")
    x <- random_matrix(12, 6)
    ranking <- relieff_sc(x, few_links(rownames(x)), k = 2)
    is_ranking <- function(table) inherits(table, "feature_ranking")
    half <- dplyr::filter(ranking, rank <= 3)
    expect_true(is_ranking(half))
    expect_identical(half, ranking[1:3, ])
    expect_true(is_ranking(dplyr::mutate(ranking, group = 1)))
    expect_true(is_ranking(dplyr::slice(ranking, 2:4)))
    expect_false(is_ranking(dplyr::mutate(ranking, score = 0)))
    expect_false(is_ranking(dplyr::mutate(ranking, feature = "one")))
    expect_false(is_ranking(dplyr::arrange(ranking, dplyr::desc(rank))))
    expect_false(is_ranking(dplyr::select(ranking, feature)))
    expect_false(is_ranking(dplyr::slice(ranking, c(1, 1))))
    expect_null(attr(dplyr::mutate(ranking, score = 0), "info"))
})

# What a fresh R prints when it runs `script` with the package attached.
fresh_r <- function(script) {
    printed <- system2(file.path(R.home("bin"), "Rscript"),
                       c("--vanilla", "-e",
                         shQuote(paste("library(linkrank);", script))),
                       stdout = TRUE,
                       env = paste0("R_LIBS=",
                                    paste(.libPaths(), collapse = ":")))
    paste(printed, collapse = "")
}

test_that("loading takes none of the suggested packages, and not Matrix", {
    suggested <- strsplit(packageDescription("linkrank")$Suggests, ",")[[1]]
    suggested <- trimws(sub("\\(.*", "", suggested))
    expect_true(all(c("recipes", "rlang", "ggplot2") %in% suggested))
    # Matrix takes a second to load: the first call that needs it does so
    expect_identical(
        fresh_r(paste0("cat(intersect(loadedNamespaces(), c(",
                       paste0("'", c(suggested, "Matrix"), "'", collapse = ", "),
                       ")))")), "")
})

test_that("sparse data of a file are read before Matrix was loaded", {
    file <- tempfile(fileext = ".rds")
    x <- Matrix::Matrix(random_matrix(12, 5), sparse = TRUE)
    saveRDS(list(data = prepare_data(x), graph = similarity_graph(x, k = 3)), file)
    expect_identical(
        fresh_r(paste0("o <- readRDS('", file, "'); ",
                       "cat(dim(o$data[1:3, ]), dim(graph_laplacian(o$graph)))")),
        "3 5 12 12")
})

test_that("a ranking of unknown samples has a row of facts", {
    facts <- glance.feature_ranking(as_feature_ranking(c(a = 1, b = 2)))
    expect_identical(facts$n_samples, NA_integer_)
    expect_identical(nrow(facts), 1L)
})
