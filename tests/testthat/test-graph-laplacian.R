test_that("the three Laplacians equal their definitions", {
    x <- random_matrix(20, 3)
    # with isolated samples
    for (graph in list(similarity_graph(x),
                       similarity_graph(x, adjacency = "epsilon", epsilon = 0.25),
                       similarity_graph(x, adjacency = "full", weight = "gaussian"))) {
        for (type in c("unnormalised", "symmetric", "random_walk")) {
            got <- graph_laplacian(graph, type)
            expect_equal(unname(as.matrix(got)),
                         reference_laplacian(dense(graph), type))
            expect_identical(is.matrix(got), is.matrix(graph$weights))
            expect_identical(dimnames(got), dimnames(graph$weights))
        }
    }
    expect_s4_class(graph_laplacian(similarity_graph(x)), "dgCMatrix")
})

test_that("a path of three samples, by hand", {
    s <- rbind(c(0, 1, 0), c(1, 0, 3), c(0, 3, 0))
    expect_equal(graph_laplacian(s), rbind(c(1, -1, 0), c(-1, 4, -3),
                                           c(0, -3, 3)))
    expect_equal(graph_laplacian(s, "random_walk"),
                 rbind(c(1, -1, 0), c(-1 / 4, 1, -3 / 4), c(0, -1, 1)))
    expect_refused("argument", graph_laplacian(1:3),
                   graph_laplacian(s, "normal"), graph_laplacian(s, tipe = 1))
})
