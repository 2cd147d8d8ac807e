# N of Kamvar et al. in full, by eigen().
reference_spectral_vectors <- function(x, links, clusters) {
    weights <- as.matrix(similarity_graph(x, adjacency = "full", weight = "self_tuning")$weights)
    dimnames(weights) <- NULL
    pairs <- as.data.frame(links)
    for (t in seq_len(nrow(pairs))) {
        value <- as.numeric(pairs$type[t] == "must-link")
        weights[pairs$i[t], pairs$j[t]] <- value
        weights[pairs$j[t], pairs$i[t]] <- value
    }
    degree <- rowSums(weights)
    n <- (weights + diag(max(degree) - degree)) / max(degree)
    vectors <- eigen(n, symmetric = TRUE)$vectors[, seq_len(clusters)]
    vectors / sqrt(rowSums(vectors^2))
}

test_that("the vectors are the leading ones of the published matrix", {
    for (seed in 1:5) {
        set.seed(seed)
        x <- matrix(rnorm(120), 40)
        links <- constraints_from_labels(sample(3, 40, TRUE), 5, 5)
        got <- spectral_clustering(x, links, clusters = 3)$vectors
        want <- reference_spectral_vectors(x, links, 3)
        # the same space: rows have the same inner products
        expect_equal(tcrossprod(got), tcrossprod(want), tolerance = 1e-6)
    }
})

test_that("rings that k-means cannot separate are found", {
    set.seed(1)
    angle <- runif(200, 0, 2 * pi)
    radius <- rep(c(1, 4), each = 100)
    x <- cbind(radius * cos(angle), radius * sin(angle)) + rnorm(400, sd = 0.1)
    links <- constraints_from_labels(radius, 5, 5)
    found <- spectral_clustering(x, links, clusters = 2)
    expect_equal(sum(table(found$cluster, radius) > 0), 2)
    expect_identical(found, spectral_clustering(x, links, clusters = 2))
    expect_equal(sum(found$broken), 0)
})

test_that("a sparse graph, a given one and one in parts work", {
    set.seed(1)
    truth <- rep(1:3, each = 20)
    x <- matrix(rnorm(120, sd = 0.1), 60) + 10 * truth
    links <- constraints_from_labels(truth, 4, 4)
    graph <- similarity_graph(x, adjacency = "knn", weight = "binary", k = 4)
    found <- spectral_clustering(x, links, clusters = 3, graph = graph)
    expect_equal(sum(table(found$cluster, truth) > 0), 3)
    more <- spectral_clustering(x, links, clusters = 4, graph = graph)
    # a fourth cluster splits one of the three and joins none
    expect_true(all(more$sizes > 0))
    expect_equal(sum(table(more$cluster, truth) > 0), 4)
})
