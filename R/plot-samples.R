# Samples on two axes, for plots of constraints and graphs.

#' Plot constraints between samples
#'
#' Draws the samples on two axes, and the links between them.
#'
#' @param x Constraints: an object of class `pairwise_constraints`.
#' @param y The data, as for [prepare_data()]; missing values are replaced by the
#'   feature's mean for this plot.
#' @param assay.type Which assay of a container: see [prepare_data()].
#' @param labels Write the names (or numbers) of the samples that are in a
#'   pair? By default when there are at most 30 of them and at most 300 samples.
#' @param space Coordinates of the samples: `NULL` for the first two principal
#'   components of the data; the name of a reducedDim of a SingleCellExperiment,
#'   or a matrix with a row per sample, whose first two columns are drawn as
#'   they are.
#' @param classes Class of each sample, shown by colour, or the name of a column
#'   of `colData()` or `pData()`; `NULL` for none. More than twelve classes are
#'   named at their centres, as colours repeat.
#' @param main,xlab,ylab,... Graphical parameters, passed on to [plot()].
#'
#' @return The coordinates, a matrix with one row per sample and columns `PC1`
#'   and `PC2` (or as `space` names them), invisibly.
#'
#' @details Components are those of centred features, unscaled in a container of
#'   Bioconductor, where all have the same unit, and otherwise scaled by their
#'   range. A component's sign is chosen so that its largest coordinate is
#'   positive. At most 2000 links of each kind are drawn, evenly selected. Names
#'   that do not fit beside their points are left out, and counted. Features are
#'   read in blocks; the n by n or p by p matrix of products (whichever is
#'   smaller) is not formed. With `space` no feature is read.
#'
#' @examples
#' x <- log2(colon$x)
#' set.seed(1)
#' links <- constraints_from_labels(colon$tissue, cannot_link = 8,
#'                                  must_link = 5)
#' plot(links, x)
#' plot(links, x, classes = colon$tissue)
#' @exportS3Method
plot.pairwise_constraints <- function(x, y, space = NULL, classes = NULL,
                                      assay.type = NULL, labels = NULL,
                                      main = "Constraints", xlab = NULL,
                                      ylab = NULL, ...) {
    view <- sample_view(y, assay.type, space, classes,
                              "the constraints are about, as in plot(links, x)")
    x <- match_constraints(check_constraints(x), view$data)
    pairs <- link_pairs(x, 2000L)
    style <- link_style
    if (!is.null(view$classes)) {
        # colours belong to the classes
        style$colour <- ink(0.6)
    }
    key <- top_legend(paste0(c("cannot-link (", "must-link ("),
                             count_pairs(x), ")"),
                      class_legend(view$classes)$inches)
    draw_sample_axes(view, key, list(main = main, xlab = xlab, ylab = ylab),
                     ...)
    for (kind in c("cannot", "must")) {
        from <- view$axes[pairs[[kind]][, 1L], , drop = FALSE]
        to <- view$axes[pairs[[kind]][, 2L], , drop = FALSE]
        graphics::segments(from[, 1L], from[, 2L], to[, 1L], to[, 2L],
                           col = style[kind, "colour"],
                           lty = style[kind, "line"], lwd = 1.5)
    }
    draw_top_legend(key, lty = style$line, col = style$colour, lwd = 1.5)
    touched <- which(is_labelled(x))
    draw_samples(view, touched)
    labels <- labels %||% (length(touched) <= 30L && view$data$n <= 300)
    if (check_flag(labels, "labels") && length(touched)) {
        names <- show_sample(touched, x$names)
        place_labels(shorten(drop_common(names, 6L), 20L),
                     view$axes[touched, , drop = FALSE], view$axes, 0.7)
        note_below(dropped_note(names, 6L))
    }
    invisible(view$axes)
}

# The data of plots of samples: list(data, classes, axes, titles).
sample_view <- function(y, assay.type, space, classes, about, name = "y") {
    refuse_if(missing(y), "`", name, "` must be the data that ", about, ".")
    data <- prepare_data(y, assay.type = assay.type)
    c(list(data = data, classes = view_classes(classes, y, data, of = name)),
      sample_axes(data, space))
}

# A class of each sample, given as a vector or by the name of a column; or NULL.
view_classes <- function(classes, x, data, name = "classes", of = "x") {
    if (is.null(classes)) {
        return(NULL)
    }
    classes <- match_response(named_response(classes, x, name, of), data,
                              name)
    as_class_labels(classes, name)
}

# list(axes, titles): two coordinates of each sample, and their names.
sample_axes <- function(data, space) {
    components <- is.numeric(space) && is.null(dim(space))
    if (is.null(space) || components) {
        axes <- principal_components(data)
        explained <- attr(axes, "explained")
        return(list(axes = axes, titles = sprintf(
            "PC%d (%.0f %% of variance)", 1:2, 100 * explained)))
    }
    names <- if (is.character(space)) colnames(data$spaces[[space[1L]]]) else
        colnames(space)
    points <- space_coordinates(space, data)$points
    axes <- cbind(points, if (ncol(points) == 1L) 0)[, 1:2, drop = FALSE]
    if (length(names) < 2L) {
        names <- paste(if (is.character(space)) space else "Dimension", 1:2)
    }
    dimnames(axes) <- list(data$samples, names[1:2])
    list(axes = axes, titles = names[1:2])
}

# Empty axes with space for the legend of the links above and that of the
# classes on the right.
draw_sample_axes <- function(view, key, titles, ...) {
    axes <- view$axes
    titles$xlab <- titles$xlab %||% view$titles[1L]
    titles$ylab <- titles$ylab %||% view$titles[2L]
    legend <- class_legend(view$classes)
    draw_axes(axes[, 1L], axes[, 2L], titles, ...,
              reserved = c(legend$inches, key$inches))
    if (length(legend$labels)) {
        draw_side_legend(legend, pch = legend$style$shape,
                         col = legend$style$colour)
    }
}

class_legend <- function(classes) {
    named <- if (!outnumber_colours(classes)) levels(classes)
    unknown <- if (anyNA(classes)) "unknown"
    legend <- side_legend(c(named, unknown))
    legend$style <- rbind(style_of(length(named)),
                          if (!is.null(unknown)) unknown_style())
    legend
}

outnumber_colours <- function(classes) {
    nlevels(classes) > length(colours) + length(more_colours)
}

# The median of each class on both axes; its rows are named by the classes.
class_centres <- function(view) {
    rows <- split(seq_along(view$classes), view$classes, drop = TRUE)
    centre <- function(axis) {
        vapply(rows, function(rows) stats::median(view$axes[rows, axis]), 0)
    }
    cbind(centre(1L), centre(2L))
}

unknown_style <- function() {
    data.frame(colour = ink(0.35), shape = 3L, line = 1L)
}

# At most `most` pairs of each kind, evenly selected from all.
link_pairs <- function(constraints, most) {
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
# selected, so that the pairs can be listed.
thin_labels <- function(constraints, most = 1000L) {
    if (!is_coded(constraints)) {
        return(constraints)
    }
    for (codes in c("labels", "group_of", "class_of")) {
        known <- which(!is.na(constraints[[codes]]))
        if (length(known) > most) {
            kept <- known[round(seq(1, length(known), length.out = most))]
            constraints[[codes]][-kept] <- NA
        }
    }
    constraints
}

# Samples of a pair are highlighted: dark if the others are grey, with a ring if
# colours show the class.
draw_samples <- function(view, touched = integer()) {
    axes <- view$axes
    size <- point_size(nrow(axes))
    if (is.null(view$classes)) {
        colour <- rep(ink(if (length(touched)) 0.3 else 1), nrow(axes))
        graphics::points(axes, pch = 20, col = colour, cex = 1.1 * size)
        graphics::points(axes[touched, , drop = FALSE], pch = 20,
                         cex = max(0.7, 1.1 * size))
        return(invisible())
    }
    code <- as.integer(view$classes)
    style <- rbind(style_of(nlevels(view$classes)), unknown_style())
    code[is.na(code)] <- nrow(style)
    graphics::points(axes, pch = style$shape[code], col = style$colour[code],
                     cex = 0.85 * size)
    graphics::points(axes[touched, , drop = FALSE], pch = 1,
                     cex = max(1.5 * size, 1.1))
    if (outnumber_colours(view$classes)) {
        centres <- class_centres(view)
        place_labels(shorten(drop_common(rownames(centres), 24L), 32L), centres,
                     centres[0L, ], 0.8, halo = TRUE)
    }
}

# Small points for thousands of samples.
point_size <- function(count) {
    max(0.4, min(1, (300 / count)^0.25))
}

# Names at their places, or beside them, where they hide none of the `points` and
# no other name. Positions around the place are tried, near ones first; a name
# without a free position is left out, and counted above the plot. `halo`: on
# paper of their own.
place_labels <- function(names, places, points, size, halo = FALSE) {
    inch <- abs(data_inches())
    in_inches <- function(axes) {
        sweep(unname(axes[, 1:2, drop = FALSE]), 2L, inch, "/")
    }
    places <- in_inches(places)
    points <- in_inches(points)
    half <- cbind(graphics::strwidth(names, "inches", cex = size) / 2 + 0.02,
                  graphics::par("csi") * size / 2)
    edges <- matrix(graphics::par("usr"), 2L) / rep(inch, each = 2L)
    boxes <- matrix(numeric(), 0L, 4L)
    left_out <- 0L
    for (i in seq_along(names)) {
        box <- free_box(places[i, ], half[i, ], points, boxes, edges)
        if (is.null(box)) {
            left_out <- left_out + 1L
            next
        }
        boxes <- rbind(boxes, box)
        at <- c(mean(box[1:2]), mean(box[3:4])) * inch
        if (halo) {
            around <- 0.015 * inch * rbind(cospi(0:7 / 4), sinpi(0:7 / 4))
            graphics::text(at[1L] + around[1L, ], at[2L] + around[2L, ],
                           names[i], cex = size, col = ink(0), font = 2L)
        }
        graphics::text(at[1L], at[2L], names[i], cex = size,
                       font = if (halo) 2L else 1L)
    }
    if (left_out > 0L) {
        graphics::mtext(paste(count_noun(left_out, "name"),
                              "left out for lack of space"),
                        side = 3L, line = 0.2, adj = 1, cex = 0.7,
                        col = ink(0.75))
    }
}

# The first free box on a place or around it: c(left, right, low, high).
free_box <- function(place, half, points, boxes, edges) {
    around <- rbind(c(0, 1), c(1, 0), c(-1, 0), c(0, -1), c(1, 1), c(-1, 1),
                    c(1, -1), c(-1, -1))
    steps <- rbind(0, do.call(rbind, lapply(c(0.06, 0.16, 0.26), function(gap) {
        sweep(around, 2L, half + gap, "*")
    })))
    for (k in seq_len(nrow(steps))) {
        middle <- place + steps[k, ]
        box <- c(middle[1L] + c(-1, 1) * half[1L],
                 middle[2L] + c(-1, 1) * half[2L])
        if (is_free(box, points, boxes, edges)) {
            return(box)
        }
    }
    NULL
}

is_free <- function(box, points, boxes, edges) {
    inside <- box[1L] > edges[1L, 1L] && box[2L] < edges[2L, 1L] &&
        box[3L] > edges[1L, 2L] && box[4L] < edges[2L, 2L]
    near <- 0.03
    hides <- any(points[, 1L] > box[1L] - near & points[, 1L] < box[2L] + near &
                     points[, 2L] > box[3L] - near &
                     points[, 2L] < box[4L] + near)
    meets <- any(boxes[, 1L] < box[2L] & boxes[, 2L] > box[1L] &
                     boxes[, 3L] < box[4L] & boxes[, 4L] > box[3L])
    inside && !hides && !meets
}
