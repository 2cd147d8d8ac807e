# A graph drawn on the first two components of the samples.

#' Plot a similarity graph
#'
#' Draws the samples on two axes and the edges of the graph between them, darker
#' where their weight is larger.
#'
#' @param x A [similarity_graph()].
#' @param y The data, as for [similarity_graph()]; missing values are replaced
#'   by the feature's mean for this plot.
#' @param space,classes,assay.type Coordinates and colours of the samples, and
#'   which assay of a container: see [plot.pairwise_constraints()].
#' @param edges Largest number of edges to draw, a whole number; those of
#'   largest weight are drawn.
#' @param main,xlab,ylab,... Graphical parameters, passed on to [plot()].
#'
#' @return The coordinates, a matrix with one row per sample and columns `PC1`
#'   and `PC2` (or as `space` names them), invisibly.
#'
#' @details Edges of equal weight are drawn in row order. Classes differ in
#'   colour and shape; the legend names them all.
#'
#' @examples
#' x <- log2(colon$x)
#' graph <- similarity_graph(x, weight = "self_tuning")
#' plot(graph, x, classes = colon$tissue)
#' @exportS3Method
plot.similarity_graph <- function(x, y, space = NULL, classes = NULL,
                                  assay.type = NULL, edges = 5000,
                                  main = "Similarity graph", xlab = NULL,
                                  ylab = NULL, ...) {
    view <- sample_view(y, assay.type, space, classes,
                        "the graph is about, as in plot(graph, x)")
    lines <- graph_lines(x, view, edges)
    draw_sample_axes(view, list(inches = 0),
                     list(main = main, xlab = xlab, ylab = ylab), ...)
    draw_lines(lines, col = ink(0.1 + 0.5 * lines$level))
    draw_samples(view)
    graphics::mtext(attr(lines, "note") %||% "", side = 3, line = 0.2,
                    cex = 0.8, col = ink(0.75))
    invisible(view$axes)
}

# The heaviest edges, these last, so that they are on top. `level`: the rank of
# the weight, because weights may differ by many powers of ten.
graph_lines <- function(graph, view, edges) {
    edges <- check_count(edges, "edges", 0)
    match_graph(graph, view$data)
    all <- upper_edges(graph$weights)
    keep <- rev(utils::head(order(-all$weight), edges))
    lines <- lines_between(view$axes, all$row[keep] + 1L, all$column[keep] + 1L)
    lines$level <- rank(all$weight[keep]) / length(keep)
    structure(lines, note = if (length(keep) < length(all$at))
        paste("the", length(keep), "edges of largest weight"))
}
