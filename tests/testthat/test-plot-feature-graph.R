test_that("a graph of few and of many features is drawn", {
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    x <- log2(colon$x)[, 1:100]
    few <- feature_graph(x[, 1:12])
    tree <- plot(few)
    expect_s3_class(tree, "hclust")
    expect_equal(sort(tree$order), 1:12)
    expect_no_error(plot(feature_graph(x), most = 10, main = "part"))
    expect_no_error(plot(feature_graph(cbind(a = 1:3, b = 2))))
    expect_refused("argument", plot(few, tree = 1), plot(few, most = 0),
                   plot(few, tree = cluster_features(feature_graph(x))))
})

test_that("edges are drawn in the order of the tree", {
    graph <- feature_graph(random_matrix(9, 5, 2))
    drawn <- drawn_edges(graph, NULL, 1000)
    order <- drawn$tree$order
    plain <- as.matrix(graph$similarity)[order, order]
    expect_identical(drawn$names, rownames(plain))
    expect_equal(nrow(unique(cbind(drawn$x, drawn$y))), sum(plain > 0))
    expect_true(all(plain[cbind(drawn$x, drawn$y)] > 0))
    # the most similar last
    last <- length(drawn$x)
    expect_equal(plain[drawn$x[last], drawn$y[last]], max(plain))
})
