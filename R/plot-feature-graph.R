#' Plot a feature graph
#'
#' Draws the similarity matrix with the features in the order of their tree, so
#' that similar features form blocks along the diagonal.
#'
#' @param x A [feature_graph()].
#' @param tree Its tree from [cluster_features()], to save computing it again.
#' @param most Largest number of edges to draw; the most similar ones are drawn.
#' @param main,xlab,ylab,... Graphical parameters, passed on to [plot()].
#'
#' @return The tree, invisibly.
#'
#' @details Every edge is a point on both sides of the diagonal, darker the more
#' similar its two features are. Features are named on the axes if their names
#' fit: about 60 at 5 inches, more on a larger device.
#'
#' @examples
#' x <- log2(colon$x)
#' plot(feature_graph(x[, 1:150]))
#' @exportS3Method
plot.feature_graph <- function(x, tree = NULL, most = 100000L, main = NULL,
                               xlab = NULL, ylab = "", ...) {
    edges <- drawn_edges(x, tree, most)
    p <- length(edges$names)
    names <- edges$names
    named <- row_letter_size(p) >= 0.45
    # A square for the matrix, with space for names on two sides if they fit.
    old <- graphics::par(pty = "s")
    if (named) {
        size <- min(row_letter_size(length(names)), 0.8)
        inches <- min(text_inches(names, size) + 0.15,
                      0.3 * min(graphics::par("fin")))
        old <- c(old, graphics::par(mai = c(inches, inches, 0.75, 0.1)))
    }
    on.exit(graphics::par(old))
    xlab <- xlab %||% if (named) "" else "Feature, in the order of the tree"
    limits <- c(0.5, p + 0.5)
    graphics::plot(NULL, xlim = limits, ylim = rev(limits), xlab = xlab,
                   main = main %||% edges$title, ylab = ylab, axes = FALSE,
                   xaxs = "i", yaxs = "i", ...)
    # not smaller than a visible dot
    half <- max(0.5, 0.009 * p / graphics::par("pin")[1L])
    graphics::rect(edges$x - half, edges$y - half, edges$x + half,
                   edges$y + half, col = ink(edges$shade), border = NA)
    draw_feature_axes(names, named)
    graphics::box(col = ink(0.3))
    invisible(edges$tree)
}

# The size of letters that fits a row of the matrix; names need at least 0.4.
row_letter_size <- function(count) {
    0.95 * min(graphics::par("pin")) / count / graphics::par("csi")
}

# list(x, y, shade; names, title, tree): points of both triangles, the most
# similar last, drawn over the others.
drawn_edges <- function(graph, tree, most) {
    most <- check_count(most, "most", 1)
    tree <- tree %||% cluster_features(graph)
    similarity <- graph$similarity
    check_tree_features(check_tree(tree), rownames(similarity))
    place <- order(tree$order)
    column <- rep(seq_along(place), diff(similarity@p))
    value <- similarity@x
    kept <- rev(utils::head(order(-value), most))
    a <- place[similarity@i + 1L][kept]
    b <- place[column][kept]
    list(x = c(a, b), y = c(b, a),
         shade = rep(0.15 + 0.85 * value[kept] / max(value, 1e-300), 2L),
         names = shown_names(rownames(similarity)[tree$order]), tree = tree,
         title = paste0("Feature graph (", graph_label(graph), "): ",
                        count_noun(length(value), "edge")))
}

draw_feature_axes <- function(names, named) {
    if (!named) {
        graphics::axis(1L, col = ink(0.3))
        graphics::axis(2L, col = ink(0.3), las = 1)
        return(invisible())
    }
    available <- graphics::par("mai")[2L] - 0.1
    size <- min(0.8, row_letter_size(length(names)),
                0.8 * available / text_inches(names, 0.8))
    for (side in 1:2) {
        graphics::mtext(names, side, 0.2, at = seq_along(names), las = 2,
                        cex = size)
    }
}
