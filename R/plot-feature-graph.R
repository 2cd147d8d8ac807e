#' Plot a feature graph
#'
#' Draws the similarity matrix with the features in the order of their tree, so
#' that features that belong together stand along the diagonal.
#'
#' @param x A [feature_graph()].
#' @param tree Its tree, when [cluster_features()] has made it already.
#' @param most How many edges to draw at most; the most similar ones.
#' @param main,xlab,ylab,... Graphical parameters, passed on to [plot()].
#'
#' @return The tree, invisibly.
#'
#' @details Every edge is a point on both sides of the diagonal, darker the more
#' similar its two features are. Up to 60 features are named on the axes.
#'
#' @examples
#' plot(feature_graph(colon$x[, 1:150]))
#' @exportS3Method
plot.feature_graph <- function(x, tree = NULL, most = 100000L, main = NULL,
                               xlab = NULL, ylab = "", ...) {
    most <- check_count(most, "most", 1)
    if (is.null(tree)) {
        tree <- cluster_features(x)
    }
    check_tree_features(check_tree(tree), rownames(x$similarity))
    edges <- drawn_edges(x$similarity, tree$order, most)
    p <- length(tree$order)
    few <- p <= 60L
    if (is.null(main)) {
        main <- paste0("Feature graph (", graph_label(x), "): ",
                       count_noun(length(x$similarity@x), "edge"))
    }
    if (is.null(xlab)) {
        xlab <- if (few) "" else "Feature, in the order of the tree"
    }
    graphics::plot(NULL, xlim = c(1, p), ylim = c(p, 1), asp = 1, main = main,
                   xlab = xlab, ylab = ylab, axes = FALSE, ...)
    # points as large as the room for one feature, within reason
    size <- max(0.25, min(2, 40 / p))
    graphics::points(edges$x, edges$y, pch = 15, cex = size,
                     col = edges$colour)
    draw_feature_axes(rownames(x$similarity)[tree$order], few)
    graphics::box(col = "grey70")
    invisible(tree)
}

# Points of both triangles, the most similar last, over the others.
drawn_edges <- function(similarity, order, most) {
    p <- length(order)
    place <- integer(p)
    place[order] <- seq_len(p)
    column <- rep(seq_len(p), diff(similarity@p))
    value <- similarity@x
    kept <- rev(utils::head(order(-value), most))
    a <- place[similarity@i + 1L][kept]
    b <- place[column][kept]
    shade <- value[kept] / max(value, 1e-300)
    colour <- grDevices::grey(0.85 * (1 - shade))
    list(x = c(a, b), y = c(b, a), colour = rep(colour, 2L))
}

draw_feature_axes <- function(names, few) {
    if (!few) {
        graphics::axis(1L, col = "grey70")
        graphics::axis(2L, col = "grey70", las = 1)
        return(invisible())
    }
    size <- max(0.4, min(0.8, 25 / length(names)))
    at <- seq_along(names)
    graphics::axis(1L, at, shorten(names, 12L), las = 2, cex.axis = size,
                   tick = FALSE, line = -0.8)
    graphics::axis(2L, at, shorten(names, 12L), las = 1, cex.axis = size,
                   tick = FALSE, line = -0.8)
}
