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
    edges <- check_count(edges, "edges", 0)
    view <- sample_view(y, assay.type, space, classes,
                              "the graph is about, as in plot(graph, x)")
    match_graph(x, view$data)
    draw_sample_axes(view, list(inches = 0),
                     list(main = main, xlab = xlab, ylab = ylab), ...)
    # heavy edges are drawn last, on top
    axes <- view$axes
    all <- upper_edges(x$weights)
    keep <- rev(utils::head(order(-all$weight), edges))
    if (length(keep)) {
        from <- all$row[keep] + 1L
        to <- all$column[keep] + 1L
        # by rank, because weights may differ by many powers of ten
        level <- rank(all$weight[keep], ties.method = "average") / length(keep)
        graphics::segments(axes[from, 1L], axes[from, 2L], axes[to, 1L],
                           axes[to, 2L], col = ink(0.1 + 0.5 * level))
    }
    draw_samples(view)
    if (length(keep) < length(all$at)) {
        graphics::mtext(paste("the", length(keep), "edges of largest weight"),
                        side = 3, line = 0.2, cex = 0.8, col = ink(0.75))
    }
    invisible(view$axes)
}
