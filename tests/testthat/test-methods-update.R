# Every method of the registry, ranked and then ranked again.
again <- function(method, x, links, y, number) {
    needs <- ranking_methods()$needs[ranking_methods()$method == method]
    needs <- sub("numeric ", "", sub(" or .*", "", needs))
    takes_number <- method %in% c("rrelieff", "supervised_laplacian_score",
                                  "semisupervised_laplacian_score")
    known <- list(constraints = links, y = if (takes_number) number else y)
    known <- known[names(known) %in% needs]
    run <- function(call, ...) {
        set.seed(1)
        suppressWarnings(do.call(call, list(...)))
    }
    first <- do.call(run, c(list(rank_features, x = x, method = method),
                            known))
    second <- do.call(run, c(list(stats::update, first, x), known))
    expect_identical(second, first)
}

test_that("the assay is that of the ranking, unless another one is given", {
    skip_if_not_installed("SummarizedExperiment")
    x <- abs(random_matrix(20, 5))
    links <- few_links(20)
    # without `assay.type` the logarithms are taken
    se <- SummarizedExperiment::SummarizedExperiment(
        list(counts = t(x)^2, logcounts = t(x), sized = t(x) * 1:5))
    cells <- function(assay) prepare_data(se, assay.type = assay)
    rankers <- list(function(...) relieff_sc(..., k = 2), fisher_score,
                    variance_score)
    given <- list(list(links), list(y = rep(1:2, 10)), list())
    for (at in seq_along(rankers)) {
        rank <- function(...) do.call(rankers[[at]], c(list(...), given[[at]]))
        again <- function(...) do.call(update, c(list(...), given[[at]]))
        first <- rank(se, assay.type = "counts")
        expect_identical(again(first, se), first)
        expect_identical(again(first, cells("counts"))$score, first$score)
        expect_identical(again(first, cells("sized"))$score,
                         rank(cells("sized"))$score)
        expect_identical(again(first, se, assay.type = "sized")$score,
                         rank(se, assay.type = "sized")$score)
        expect_identical(again(first, x)$score, rank(se)$score)
        # the default stays the default
        expect_identical(again(rank(se), se), rank(se))
        expect_null(attr(rank(se), "info")$parameters$assay.type)
    }
})

test_that("every method can be run again from what its ranking holds", {
    x <- log2(colon$x)[, 1:40]
    set.seed(1)
    links <- constraints_from_labels(colon$tissue, cannot_link = 10, must_link = 10)
    for (method in ranking_methods()$method) {
        again(method, x, links, colon$tissue, rowMeans(x))
    }
})

test_that("arguments are kept, and can be changed", {
    x <- random_matrix(20, 6)
    links <- few_links(rownames(x))
    first <- relieff_sc(x, links, k = 2, direction = "first", scale = "none")
    expect_identical(update(first, x[, 3:1], links),
                     relieff_sc(x[, 3:1], links, k = 2, direction = "first",
                                scale = "none"))
    expect_identical(update(first, x, links, k = 4),
                     relieff_sc(x, links, k = 4, direction = "first",
                                scale = "none"))
    graph <- similarity_graph(x, adjacency = "full", weight = "self_tuning")
    score <- laplacian_score(x, graph = graph)
    expect_identical(update(score, x, graph = graph), score)
    averaged <- suppressWarnings(ensemble_ranking(x, links, replicates = 2))
    expect_refused("argument", update(score, x), update(first, x),
                   update(made_ranking(1:3), x, links, kk = 1),
                   update(averaged, x, links))
})

test_that("what is no whole ranking is not run again", {
    x <- random_matrix(6, 3)
    empty <- structure(list(), class = "feature_ranking")
    expect_refused("argument", update(empty, x),
                   update(variance_score(x), scale = "none"))
})

test_that("a ranking holds the block of each sample", {
    x <- random_matrix(20, 6)
    links <- pairwise_constraints(cannot_link = rbind(c(1, 3), c(2, 6)),
                                  samples = rownames(x))
    block <- factor(rep(c("a", "b"), 10))
    for (method in list(relieff_sc, relief_sc, glean, fcrsc)) {
        first <- method(x, links, block = block)
        expect_identical(update(first, x, links), first)
        # found by name
        part <- c(12:1)
        kept <- restrict_constraints(links, rownames(x)[part])
        expect_identical(update(first, x[part, ], kept),
                         update(first, x[part, ], kept, block = block[part]))
    }
    unnamed <- unname(x)
    first <- relieff_sc(unnamed, few <- pairwise_constraints(cannot_link = cbind(1, 3),
                                                             samples = 20),
                        block = block)
    expect_identical(update(first, unnamed, few), first)
    other <- rbind(x, new = x[1, ] + 1)
    more <- pairwise_constraints(cannot_link = cbind(1, 3), samples = rownames(other))
    expect_error(update(relieff_sc(x, links, block = block), other, more),
                 "`block` must be given again: the ranking has not that",
                 class = "linkrank_error_argument")
    expect_identical(
        update(first, x, links, block = NULL)$margin,
        update(relieff_sc(unnamed, few), x, links)$margin)
})

test_that("a ranking holds the unit of each sample", {
    x <- random_matrix(24, 5)
    links <- pairwise_constraints(cannot_link = rbind(c(1, 3), c(2, 6)),
                                  samples = rownames(x))
    y <- rep(c("a", "b"), each = 12)
    unit <- rep(1:8, each = 3)
    seeded <- function(...) {
        set.seed(1)
        suppressMessages(rank_features(..., permutations = 5))
    }
    again <- function(...) {
        set.seed(1)
        suppressMessages(update(...))
    }
    for (method in c("relieff_sc", "relief_sc", "fcrsc")) {
        first <- seeded(x, links, method = method, unit = unit)
        expect_identical(again(first, x, links), first)
        # by name, of fewer samples in another order
        some <- x[c(23:10, 1:6), ]
        expect_identical(again(first, some, links),
                         again(first, some, links,
                               unit = unit[c(23:10, 1:6)]))
    }
    first <- seeded(x, y = y, method = "stir", unit = unit)
    expect_identical(again(first, x, y = y), first)
    expect_error(again(first, rbind(x, new = 1), y = c(y, "a")),
                 "`unit` must be given again", class = "linkrank_error_argument")
    # a block that is not known is kept as such
    block <- replace(rep(1:2, 12), 3, NA)
    first <- suppressMessages(relieff_sc(x, links[2], block = block))
    expect_identical(suppressMessages(update(first, x, links[2])), first)
    # and the units of a sample of the rows are theirs
    averaged <- function(...) {
        set.seed(1)
        suppressMessages(suppressWarnings(ensemble_ranking(
            x, links, method = "relieff_sc", replicates = 3, ...)))
    }
    expect_identical(averaged(unit = unit)$score, averaged()$score)
})

test_that("a ranking holds the space of its graph", {
    x <- random_matrix(20, 6)
    for (method in list(laplacian_score, spectral_score)) {
        first <- method(x, space = 2)
        expect_identical(update(first, x), first)
        expect_identical(update(first, x, space = 3), method(x, space = 3))
        graph <- similarity_graph(x)
        expect_identical(update(first, x, graph = graph),
                         method(x, graph = graph))
        expect_error(update(method(x, space = unname(x[, 1:2])), x), "`space`",
                     class = "linkrank_error_argument")
    }
})
