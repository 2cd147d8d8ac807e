# A graph drawn on the samples' two components.

#' Plot a similarity graph
#'
#' Draws the samples on the first two principal components of the data, and the
#' edges of the graph between them, darker where their weight is larger.
#'
#' @param x A [similarity_graph()].
#' @param y The data, as for [similarity_graph()]; missing values are replaced
#'   by the feature's mean for this picture.
#' @param assay.type Which assay of a container: see [relieff_sc()].
#' @param classes What samples are coloured by, one value each; `NULL` for none.
#' @param edges The most edges to draw: those of largest weight, a whole number.
#' @param main,xlab,ylab,... Graphical parameters, passed on to [plot()].
#'
#' @return The coordinates, a matrix with one row per sample and columns `PC1`
#'   and `PC2`, invisibly.
#'
#' @details Features are scaled by their range and centred. Edges of equal
#'   weight are drawn in row order.
#'
#' @examples
#' graph <- similarity_graph(colon$x, weight = "self_tuning")
#' plot(graph, colon$x, classes = colon$tissue)
#' @exportS3Method
plot.similarity_graph <- function(x, y, assay.type = NULL, classes = NULL,
                                  edges = 5000, main = "Similarity graph",
                                  xlab = NULL, ylab = NULL, ...) {
    if (missing(y)) {
        abort_linkrank("`y` must be the data that the graph is about, as in ",
                       "plot(graph, x).", class = "argument")
    }
    edges <- check_count(edges, "edges", 0)
    data <- as_feature_data(y, assay.type, missing = "keep")
    match_graph(x, data)
    if (!is.null(classes)) {
        classes <- match_response(as_class_labels(classes, "classes"), data,
                                  "classes")
    }
    axes <- principal_components(data)
    share <- attr(axes, "share")
    title <- function(given, i) {
        if (!is.null(given)) return(given)
        sprintf("PC%d (%.0f %% of variance)", i, 100 * share[i])
    }
    # room for the legend above the samples
    top <- range(axes[, 2L]) + c(0, 0.12 * diff(range(axes[, 2L])))
    graphics::plot(axes, type = "n", main = main, xlab = title(xlab, 1L),
                   ylab = title(ylab, 2L), ylim = top, las = 1, ...)
    drawn <- draw_edges(x, axes, edges)
    draw_classes(axes, classes)
    if (drawn < length(upper_edges(x$weights)$at)) {
        graphics::mtext(paste("the", drawn, "edges of largest weight"),
                        side = 3, line = 0.2, cex = 0.8, col = "grey30")
    }
    invisible(axes)
}

# Lightest first, so that heavy edges lie on top.
draw_edges <- function(graph, axes, most) {
    ends <- upper_edges(graph$weights)
    weight <- if (is.matrix(graph$weights)) graph$weights[ends$at] else
        graph$weights@x[ends$at]
    keep <- rev(utils::head(order(-weight), most))
    if (!length(keep)) {
        return(0L)
    }
    from <- ends$row[keep] + 1L
    to <- ends$column[keep] + 1L
    # by rank: weights may differ by many powers of ten
    level <- rank(weight[keep], ties.method = "average") / length(keep)
    graphics::segments(axes[from, 1L], axes[from, 2L], axes[to, 1L],
                       axes[to, 2L], col = grDevices::grey(0.9 - 0.5 * level))
    length(keep)
}

class_colours <- c("#2166ac", "#b2182b", "#1b7837", "#762a83", "#e08214",
                   "#35978f", "#c51b7d", "#8c510a")

draw_classes <- function(axes, classes) {
    if (is.null(classes)) {
        graphics::points(axes, pch = 20)
        return(invisible())
    }
    codes <- as.integer(classes)
    colour <- class_colours[(codes - 1L) %% length(class_colours) + 1L]
    colour[is.na(codes)] <- "grey50"
    # the shape tells classes apart when colours come round again
    shape <- c(19, 17, 15, 18)[(codes - 1L) %/% length(class_colours) %% 4L +
                                   1L]
    shape[is.na(codes)] <- 1
    graphics::points(axes, pch = shape, col = colour)
    shown <- seq_len(min(nlevels(classes), length(class_colours)))
    graphics::legend("top", ncol = min(length(shown), 4L), bty = "n",
                     cex = 0.85, pch = 19, col = class_colours[shown],
                     legend = shorten(levels(classes)[shown], 16L))
}
