# Properties that somebody else's code decides: packages that compute a part of
# what linkrank computes. A package that is absent skips its test.

random_data <- function(n, p, seed) {
    set.seed(seed)
    matrix(rnorm(n * p), n, p, dimnames = list(NULL, paste0("g", seq_len(p))))
}

test_that("trees of features are single linkage, as stats::hclust has it", {
    for (seed in 1:5) {
        graph <- feature_graph(random_data(30, 60, seed))
        s <- as.matrix(graph)
        tree <- cluster_features(graph)
        want <- stats::hclust(stats::as.dist(max(s) - s), "single")
        expect_equal(tree$height, want$height, tolerance = 1e-12)
        parts <- setdiff(c(2, 10, 40), seq_len(tree$components))
        for (k in parts) {
            sizes <- function(cluster) sort(tabulate(cluster))
            expect_equal(sizes(cut_features(tree, k = k)),
                         sizes(stats::cutree(want, k)))
        }
    }
})

# The margins of every cannot-link, by hand, from the nearest samples of dist().
margins_by_hand <- function(x, pairs, k) {
    distance <- as.matrix(stats::dist(x, "manhattan"))
    diag(distance) <- Inf
    hits <- t(apply(distance, 1L, order))[, seq_len(k), drop = FALSE]
    from <- function(a, near) {
        colMeans(abs(sweep(x[near, , drop = FALSE], 2L, x[a, ])))
    }
    t(apply(pairs, 1L, function(pair) {
        a <- pair[1L]
        b <- pair[2L]
        (from(a, hits[b, ]) - from(a, hits[a, ]) +
             from(b, hits[a, ]) - from(b, hits[b, ])) / 2
    }))
}

test_that("statistics are those of stats::t.test", {
    x <- random_data(40, 12, 1)
    pairs <- cbind(1:12, 21:32)
    links <- pairwise_constraints(cannot_link = pairs, samples = 40)
    got <- relieff_sc(x, links, k = 2, scale = "none", own_term = "keep")
    each <- margins_by_hand(x, pairs, 2)
    got <- got[match(colnames(x), got$feature), ]
    tests <- apply(each, 2L, stats::t.test, alternative = "greater")
    expect_equal(got$margin, unname(colSums(each)), tolerance = 1e-12)
    expect_equal(got$statistic, unname(vapply(tests, `[[`, 0, "statistic")),
                 tolerance = 1e-10)
})

test_that("must-link groups are the components of igraph", {
    skip_if_not_installed("igraph")
    for (seed in 1:10) {
        set.seed(seed)
        pairs <- unique(t(replicate(25, sort(sample(60, 2)))))
        links <- pairwise_constraints(must_link = pairs, samples = 60)
        groups <- constraint_groups(links)
        graph <- igraph::graph_from_edgelist(pairs, directed = FALSE)
        graph <- igraph::add_vertices(graph, 60 - igraph::vcount(graph))
        want <- igraph::components(graph)
        alone <- want$csize[want$membership] == 1
        expect_identical(is.na(unname(groups)), alone)
        expect_equal(as.vector(table(groups[!alone])[as.character(
            unique(groups[!alone]))]), want$csize[unique(
                want$membership[!alone])])
        same <- outer(groups, groups, `==`)
        expect_equal(unname(same[!alone, !alone]),
                     outer(want$membership, want$membership, `==`)[
                         !alone, !alone])
    }
})

test_that("the second eigenvector of the questions is that of RSpectra", {
    skip_if_not_installed("RSpectra")
    for (seed in 1:3) {
        x <- random_data(60, 5, seed)
        y <- rep(c("a", "b"), 30)
        graph <- similarity_graph(x, adjacency = "full", weight = "self_tuning")
        asked <- suppressWarnings(active_constraints(
            x, y, n = 2, strategy = "perturbation", graph = graph
        ))
        s <- as.matrix(graph)
        want <- RSpectra::eigs_sym(diag(rowSums(s)) - s, 2, "SM",
                                   opts = list(tol = 1e-14))
        v <- want$vectors[, which.max(want$values)]
        expect_equal(abs(sum(v * asked$vectors[, 1L])), 1, tolerance = 1e-8)
    }
})

test_that("the non-negative lasso graph is that of glmnet", {
    skip_if_not_installed("glmnet")
    x <- random_data(40, 15, 4)
    u <- apply(x, 2L, function(f) (f - min(f)) / (max(f) - min(f)))
    rows <- vapply(seq_len(ncol(u)), function(j) {
        lambda <- 0.1 * max(crossprod(u[, -j], u[, j]))
        fit <- glmnet::glmnet(
            u[, -j], u[, j], lambda = lambda / nrow(u), lower.limits = 0,
            intercept = FALSE, standardize = FALSE, thresh = 1e-22,
            maxit = 1e7
        )
        replace(numeric(ncol(u)), -j, as.vector(fit$beta))
    }, numeric(ncol(u)))
    graph <- feature_graph(x, method = "nnlasso", lambda = 0.1)
    expect_equal(unname(as.matrix(graph)), (rows + t(rows)) / 2,
                 tolerance = 1e-6)
})

nearest_of_graph <- function(x, k, ...) {
    graph <- similarity_graph(x, adjacency = "knn", weight = "binary", k = k, scale = "none", ...)
    unname(as.matrix(graph)) > 0
}

joined <- function(index) {
    n <- nrow(index)
    near <- matrix(FALSE, n, n)
    near[cbind(rep(seq_len(n), ncol(index)), as.vector(index))] <- TRUE
    near | t(near)
}

test_that("nearest samples are those of FNN", {
    skip_if_not_installed("FNN")
    for (seed in 1:3) {
        x <- random_data(200, 6, seed)
        expect_identical(nearest_of_graph(x, 5),
                         joined(FNN::get.knn(x, 5)$nn.index))
    }
})

test_that("nearest samples are those of BiocNeighbors, both distances", {
    skip_if_not_installed("BiocNeighbors")
    for (metric in c("euclidean", "manhattan")) {
        x <- random_data(200, 6, 1)
        search <- BiocNeighbors::KmknnParam(
            distance = if (metric == "euclidean") "Euclidean" else "Manhattan"
        )
        found <- BiocNeighbors::findKNN(x, k = 5, BNPARAM = search)
        expect_identical(nearest_of_graph(x, 5, distance = metric),
                         joined(found$index))
    }
})

test_that("ReliefF is CORElearn's where there are no ties", {
    skip_if_not_installed("CORElearn")
    set.seed(1)
    x <- random_data(80, 10, 5)
    y <- factor(rep(c("a", "b"), 40))
    want <- CORElearn::attrEval("y", data.frame(x, y = y), "ReliefFequalK",
                                ReliefIterations = 0, kNearestEqual = 5)
    expect_equal(feature_scores(relieff(x, y, k = 5))[names(want)], want,
                 tolerance = 1e-6)
})

test_that("an rset of rsample gives the rows that rsample gives", {
    skip_if_not_installed("rsample")
    x <- random_data(60, 8, 1)
    y <- factor(rep(c("a", "b", "c"), 20))
    x[, 3] <- x[, 3] + 3 * as.integer(y)
    table <- data.frame(x, y = y)
    set.seed(2)
    kinds <- list(rsample::vfold_cv(table, v = 3, repeats = 2, strata = "y"),
                  rsample::bootstraps(table, times = 2),
                  rsample::mc_cv(table, prop = 2 / 3, times = 2),
                  rsample::loo_cv(table[1:9, ]))
    for (resamples in kinds) {
        rows <- lapply(resamples$splits, function(split) {
            list(train = unique(sort(as.integer(split))),
                 test = as.integer(split, data = "assessment"))
        })
        n <- nrow(resamples$splits[[1]]$data)
        judge <- function(splits) {
            evaluate_method(x[1:n, ], y[1:n], "fisher_score", splits = splits,
                            n = c(1, 8))
        }
        found <- judge(resamples)
        expect_identical(found, judge(rows))
        expect_identical(max(found$split), length(rows))
    }
    expect_gt(mean(found$accuracy[found$features == 1]), 0.5)
})

test_that("a single split of rsample is a split", {
    skip_if_not_installed("rsample")
    x <- random_data(20, 4, 1)
    y <- rep(c("a", "b"), 10)
    set.seed(1)
    split <- rsample::initial_split(data.frame(x, y = y), strata = "y")
    got <- evaluate_method(x, y, "relieff", splits = split, n = 2:3)
    expect_identical(got, evaluate_method(x, y, "relieff", n = 2:3,
                                          splits = list(split$in_id)))
})
