# Worked by hand: a and b are copies, c and d are near, e is alone.
small_tree <- function(names = letters[1:5]) {
    s <- Matrix::sparseMatrix(i = c(3, 4), j = c(1, 3), x = c(0.2, 0.8),
                              dims = c(5, 5), symmetric = TRUE,
                              dimnames = list(names, names))
    cluster_features(structure(
        list(similarity = s, original = c(1L, 1L, 3L, 4L, 5L), samples = 10,
             made_by = this_version(), method = "simplex"),
        class = "feature_graph"))
}

test_that("nodes are drawn at their height, in the middle of their branches", {
    tree <- small_tree()
    nodes <- place_nodes(tree)
    # a + b at 0; c + d at 0.8 - 0.8; both at 0.8 - 0.2; e joins at 0.8
    expect_equal(nodes$height[6:9], c(0, 0, 0.6, 0.8))
    place <- order(tree$order)
    expect_equal(nodes$at[1:5], place)
    expect_equal(nodes$at[6], mean(place[1:2]))
    expect_equal(nodes$at[7], mean(place[3:4]))
    expect_equal(nodes$at[8], mean(nodes$at[6:7]))
    expect_equal(nodes$at[9], mean(c(place[5], nodes$at[8])))
})

test_that("branches below the cut have the colour of their cluster", {
    tree <- small_tree()
    nodes <- place_nodes(tree)
    colours_at <- function(k) {
        merge_colours(tree, unname(cut_features(tree, k = k)), 5 - k, nodes)
    }
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    graphics::plot.new()
    three <- colours_at(3)
    expect_equal(length(unique(three)), 3)
    expect_equal(three[3:4], rep(ink(0.55), 2))
    expect_equal(length(unique(colours_at(1))), 1)
    expect_equal(unique(colours_at(5)), ink(0.55))
})

test_that("the cut is drawn between the merges", {
    tree <- list(height = c(0, 0, 0.6, 0.8))
    expect_equal(cut_height(tree, 2), 0.3)
    expect_equal(cut_height(tree, 0), 0)
    expect_equal(cut_height(tree, 4), 0.8)
})

test_that("plot() returns the clusters it drew", {
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    tree <- small_tree()
    old <- graphics::par("mar")
    expect_identical(plot(tree, k = 3), cut_features(tree, k = 3))
    expect_identical(plot(tree, main = "T"), cut_features(tree))
    expect_identical(graphics::par("mar"), old)
    expect_refused("argument", plot(tree, k = 2, h = 1), plot(tree, k = 9))
    one <- cluster_features(feature_graph(matrix(c(1, 2, 4))))
    expect_equal(unname(plot(one)), 1)
})

test_that("names are whole, or the largest clusters are named", {
    tree <- small_tree()
    clusters <- unname(cut_features(tree, k = 3))
    expect_identical(tree_names(tree, clusters, c(1, 3, 5), 5)$names,
                     letters[1:5][tree$order])
    # no space for five names
    few <- tree_names(tree, clusters, c(1, 3, 5), 4)
    expect_setequal(few$names, c("a and 1 more", "c and 1 more"))
    # another feature of each cluster gives its name
    other <- tree_names(tree, clusters, c(2, 4, 5), 4)
    expect_setequal(other$names, c("b and 1 more", "d and 1 more"))
    expect_equal(few$at, sort(few$at))
})

test_that("titles of the picture of a ranking can be given", {
    x <- random_matrix(10, 5)
    links <- pairwise_constraints(cannot_link = cbind(1:3, 4:6), samples = 10)
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    expect_silent(plot(fcrsc(x, links), main = "a", xlab = "b", ylab = "c"))
})
