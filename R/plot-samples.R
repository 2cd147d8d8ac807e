# Samples on two axes, for plots of constraints and graphs.

#' Plot constraints
#'
#' Draws the samples on the first two principal components of the data, and the
#' links between them.
#'
#' @param x Constraints: an object of class `pairwise_constraints`.
#' @param y The data, as for [relieff_sc()]; missing values are replaced by the
#'   feature's mean for this picture.
#' @param assay.type Which assay of a container: see [relieff_sc()].
#' @param labels Write the names (or numbers) of the samples that are in a
#'   pair? By default when there are at most 30 of them.
#' @param main,xlab,ylab,... Graphical parameters, passed on to [plot()].
#'
#' @return The coordinates, a matrix with one row per sample and columns `PC1`
#'   and `PC2`, invisibly.
#'
#' @details Features are scaled by their range and centred. A component's sign
#'   is chosen so that its largest coordinate is positive. At most 2000 links of
#'   each kind are drawn, evenly chosen. Features are read in blocks; the n by n
#'   or p by p matrix of products (whichever is smaller) is not formed.
#'
#' @examples
#' set.seed(1)
#' links <- constraints_from_labels(colon$tissue, cannot_link = 8,
#'                                  must_link = 5)
#' plot(links, colon$x)
#' @exportS3Method
plot.pairwise_constraints <- function(x, y, assay.type = NULL, labels = NULL,
                                      main = "Constraints", xlab = NULL,
                                      ylab = NULL, ...) {
    if (missing(y)) {
        abort_linkrank("`y` must be the data that the constraints are about, ",
                       "as in plot(links, x).", class = "argument")
    }
    data <- as_feature_data(y, assay.type, missing = "keep")
    x <- match_constraints(x, data)
    axes <- principal_components(data)
    draw_component_axes(axes, main, xlab, ylab, ...)
    draw_links(x, axes)
    draw_samples(x, axes, labels)
    invisible(axes)
}

# Empty axes with room for a legend above the samples.
draw_component_axes <- function(axes, main, xlab, ylab, ...) {
    share <- attr(axes, "share")
    title <- function(given, i) {
        if (!is.null(given)) return(given)
        sprintf("PC%d (%.0f %% of variance)", i, 100 * share[i])
    }
    top <- range(axes[, 2L]) + c(0, 0.12 * diff(range(axes[, 2L])))
    draw_axes(axes[, 1L], axes[, 2L], main, title(xlab, 1L), title(ylab, 2L),
              list(ylim = top), ...)
}

link_colours <- c(cannot = "#b2182b", must = "#2166ac")

draw_links <- function(constraints, axes) {
    links <- link_ends(constraints, 2000L)
    for (kind in c("cannot", "must")) {
        ends <- links[[kind]]
        graphics::segments(axes[ends[, 1L], 1L], axes[ends[, 1L], 2L],
                           axes[ends[, 2L], 1L], axes[ends[, 2L], 2L],
                           col = link_colours[[kind]],
                           lty = if (kind == "cannot") 2 else 1, lwd = 1.5)
    }
    counts <- count_pairs(constraints)
    graphics::legend("top", horiz = TRUE, bty = "n", cex = 0.85, lwd = 1.5,
                     lty = c(2, 1), col = link_colours,
                     legend = paste0(c("cannot-link (", "must-link ("),
                                     counts, ")"))
}

# At most `most` pairs of each kind, evenly chosen from all.
link_ends <- function(constraints, most) {
    x <- write_out(thin_labels(constraints))
    lapply(c(cannot = FALSE, must = TRUE), function(must) {
        rows <- which(x$must_link == must)
        if (length(rows) > most) {
            rows <- rows[round(seq(1, length(rows), length.out = most))]
        }
        cbind(x$first[rows], x$second[rows])
    })
}

# Labels, or groups and labels of columns, of at most 1000 samples, evenly
# chosen, so that the pairs can be written out.
thin_labels <- function(constraints, most = 1000L) {
    if (!is_coded(constraints)) {
        return(constraints)
    }
    for (codes in c("labels", "same", "apart")) {
        known <- which(!is.na(constraints[[codes]]))
        if (length(known) > most) {
            kept <- known[round(seq(1, length(known), length.out = most))]
            constraints[[codes]][-kept] <- NA
        }
    }
    constraints
}

draw_samples <- function(constraints, axes, labels) {
    x <- summary(constraints)
    touched <- which(is_labelled(constraints))
    colour <- rep("grey70", nrow(axes))
    colour[touched] <- "black"
    graphics::points(axes, pch = 20, col = colour)
    if (is.null(labels)) {
        labels <- x$touched <= 30L
    }
    if (check_flag(labels, "labels") && length(touched)) {
        graphics::text(axes[touched, , drop = FALSE],
                       shorten(show_sample(touched, constraints$names), 12L),
                       pos = 3, cex = 0.7, offset = 0.3)
    }
}
