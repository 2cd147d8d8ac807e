with_device <- function(code) {
    file <- tempfile(fileext = ".pdf")
    grDevices::pdf(file)
    on.exit({
        grDevices::dev.off()
        unlink(file)
    })
    force(code)
}

test_that("a graph is drawn on the components that constraints have", {
    x <- random_matrix(30, 5)
    graph <- similarity_graph(x)
    with_device({
        axes <- plot(graph, x, classes = rep(c("u", "v", NA), 10))
        expect_identical(axes, plot(few_links(30), x))
        expect_identical(plot(similarity_graph(x, adjacency = "full"), x, edges = 10),
                         axes)
        # no edge at all, many classes, missing values
        x[1, 1] <- NA
        plot(as_graph(matrix(0, 30, 30)), x, classes = rep(1:15, 2))
    })
    expect_identical(colnames(axes), c("PC1", "PC2"))
})

test_that("what is wrong is said", {
    x <- random_matrix(30, 5)
    graph <- similarity_graph(x)
    expect_refused("argument", plot(graph), plot(graph, x[-1, ]),
                   plot(graph, x, classes = 1:3), plot(graph, x, edges = -1))
})
