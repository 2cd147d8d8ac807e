# Any symmetric similarities as a graph.
graph_of <- function(s, original = seq_len(ncol(s))) {
    if (is.null(colnames(s))) {
        dimnames(s) <- rep(list(paste0("g", seq_len(ncol(s)))), 2)
    }
    at <- which(lower.tri(s) & s > 0, arr.ind = TRUE)
    new_feature_graph(
        Matrix::sparseMatrix(i = at[, 1], j = at[, 2], x = s[at],
                             dims = dim(s), symmetric = TRUE,
                             dimnames = dimnames(s)),
        as.integer(original), list(method = "simplex"), 10
    )
}

random_similarity <- function(p, density, seed, levels = NULL) {
    set.seed(seed)
    s <- matrix(0, p, p)
    low <- lower.tri(s)
    value <- if (is.null(levels)) runif(sum(low)) else
        sample(levels, sum(low), TRUE) / levels
    s[low] <- ifelse(runif(sum(low)) < density, value, 0)
    s + t(s)
}

test_that("heights are those of stats::hclust", {
    for (seed in 1:6) {
        s <- random_similarity(40, c(0.05, 0.3, 1)[seed %% 3 + 1], seed)
        tree <- cluster_features(graph_of(s))
        want <- hclust(as.dist(max(s) - s), "single")
        expect_equal(tree$height, want$height, tolerance = 1e-14)
        for (k in c(1, 5, 17, 39)) {
            distinct <- diff(want$height)[40 - k] > 0
            if (k > tree$components && isTRUE(distinct)) {
                expect_true(same_partition(cut_features(tree, k = k),
                                           cutree(want, k)))
            }
        }
    }
    tree <- cluster_features(feature_graph(log2(colon$x)[, 1:150]))
    s <- as.matrix(feature_graph(log2(colon$x)[, 1:150]))
    expect_equal(tree$height,
                 hclust(as.dist(max(s) - s), "single")$height)
})

test_that("worked: merges, heights and order by hand", {
    s <- matrix(0, 5, 5)
    s[2, 1] <- 0.5
    s[4, 3] <- 0.9
    s[3, 2] <- 0.25
    tree <- cluster_features(graph_of(s + t(s)))
    expect_equal(tree$merge, rbind(c(-3, -4), c(-1, -2), c(1, 2), c(-5, 3)))
    expect_equal(tree$height, c(0, 0.4, 0.65, 0.9))
    expect_equal(tree$components, 2)
    expect_equal(tree$order, c(5, 3, 4, 1, 2))
    # just below the merge of {3, 4} and {1, 2}
    expect_equal(unname(cut_features(tree)), c(1, 1, 2, 2, 3))
})

test_that("the automatic cut", {
    for (seed in 1:8) {
        s <- random_similarity(30, 0.1 * seed, seed)
        expect_true(same_partition(cut_features(cluster_features(graph_of(s))),
                                   reference_clusters(s)))
    }
    # a star: no two clusters merge, so the components
    s <- matrix(0, 6, 6)
    s[2:4, 1] <- c(0.9, 0.8, 0.7)
    tree <- cluster_features(graph_of(s + t(s)))
    expect_equal(unname(cut_features(tree)), c(1, 1, 1, 1, 2, 3))
})

test_that("merges at the height of the cut are undone", {
    s <- matrix(0, 6, 6)
    s[2, 1] <- s[4, 3] <- 0.9
    s[5, 1] <- s[3, 2] <- 0.5
    tree <- cluster_features(graph_of(s + t(s)))
    expect_equal(unname(cut_features(tree)), c(1, 1, 2, 2, 3, 4))
})

test_that("copies stay together whatever the cut", {
    s <- matrix(0, 6, 6)
    s[4, 1] <- s[5, 2] <- 1
    s[2, 1] <- 1
    s[3, 1] <- 0.2
    tree <- cluster_features(graph_of(s + t(s), c(1, 2, 3, 1, 2, 0)))
    expect_equal(tree$copies, 2)
    expect_equal(tree$height, c(0, 0, 0, 0.8, 1))
    expect_equal(unname(cut_features(tree)), c(1, 2, 3, 1, 2, 4))
})

test_that("clusters do not depend on the order of columns", {
    x <- log2(colon$x)[, 1:150]
    set.seed(4)
    turned <- sample(150)
    for (method in c("simplex", "nnlasso", "correlation")) {
        one <- cut_features(cluster_features(feature_graph(x, method = method)))
        two <- cut_features(cluster_features(feature_graph(x[, turned],
                                                           method = method)))
        expect_true(same_partition(one[turned], two))
    }
})

test_that("cuts by number and by height agree with cutree()", {
    tree <- cluster_features(feature_graph(log2(colon$x)[, 1:100]))
    for (k in c(1, 2, 10, 50, 100)) {
        expect_equal(cut_features(tree, k = k), cutree(tree, k))
        expect_equal(max(cut_features(tree, k = k)), k)
    }
    for (h in c(-1, 0, 0.3, 0.5, 2)) {
        want <- if (h < 0) seq_len(100) else unname(cutree(tree, h = h))
        expect_equal(unname(cut_features(tree, h = h)), want)
    }
    expect_named(cut_features(tree), colnames(colon$x)[1:100])
    other <- hclust(dist(random_matrix(9, 3)))
    expect_equal(cut_features(other, k = 4), cutree(other, 4))
})

test_that("no edges, and a single feature", {
    tree <- cluster_features(graph_of(matrix(0, 4, 4)))
    expect_equal(tree$height, rep(0, 3))
    expect_equal(unname(cut_features(tree)), 1:4)
    one <- cluster_features(feature_graph(matrix(c(1, 2, 4))))
    expect_equal(unname(cut_features(one)), 1)
})

test_that("the tree is an hclust that R's functions take", {
    tree <- cluster_features(feature_graph(log2(colon$x)[, 1:80]))
    expect_s3_class(tree, "hclust")
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    plot(as.dendrogram(tree))
    expect_length(rect.hclust(tree, k = 5), 5)
    dendrogram <- as.dendrogram(tree)
    expect_equal(order.dendrogram(dendrogram), tree$order)
    expect_equal(attr(dendrogram, "members"), 80)
})

test_that("20,000 leaves", {
    p <- 20000
    set.seed(2)
    i <- c(seq_len(p - 1) + 1, sample(p, 1e5, TRUE))
    j <- c(seq_len(p - 1), sample(p, 1e5, TRUE))
    kept <- i != j & !duplicated(cbind(pmax(i, j), pmin(i, j)))
    s <- Matrix::sparseMatrix(i = pmax(i, j)[kept], j = pmin(i, j)[kept],
                              x = runif(sum(kept)), dims = c(p, p),
                              symmetric = TRUE)
    graph <- new_feature_graph(s, seq_len(p), list(method = "simplex"), 10)
    tree <- cluster_features(graph)
    expect_false(is.unsorted(tree$height))
    expect_equal(sort(tree$order), seq_len(p))
    expect_equal(max(cut_features(tree, k = 700)), 700)
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    expect_no_error(plot(tree))
})

test_that("arguments are checked", {
    tree <- cluster_features(graph_of(random_similarity(5, 1, 1)))
    unsorted <- tree
    unsorted$height <- rev(tree$height)
    expect_refused("argument", cluster_features(tree), cut_features(1),
                   cut_features(tree, k = 6), cut_features(tree, k = 0),
                   cut_features(tree, k = 2, h = 1),
                   cut_features(tree, h = "a"),
                   cut_features(unsorted), cluster_features(tree, k = 3))
})
