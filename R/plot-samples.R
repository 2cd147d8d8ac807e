# Pictures of samples: constraints, groups and graphs on a map.

# ==== samples =================================================================

# Samples on two axes, for plots of constraints and graphs.

#' Plot constraints between samples
#'
#' Draws the samples on two axes, and the links between them.
#'
#' @param x Constraints: an object of class `pairwise_constraints`.
#' @param y The data, as for [prepare_data()]; missing cells are drawn as means.
#' @param assay.type Which assay of a container: see [prepare_data()].
#' @param labels Write the names of the samples that are in a pair? By default
#'   when there are at most 30, and at most 300 samples.
#' @param space Coordinates of the samples: `NULL` for two principal components
#'   of the data; the name of a reducedDim, or a matrix with a row per sample,
#'   whose first two columns are drawn.
#' @param classes Class of each sample, shown by colour, or the name of a column
#'   of sample data. More than twelve are named at their centres.
#' @param main,xlab,ylab,... Graphical parameters, passed on to [plot()].
#'
#' @return The coordinates, a matrix with one row per sample, invisibly.
#'
#' @details Components are those of centred features, scaled by the rule of
#'   [prepare_data()]; the largest coordinate of each is positive. At most 2000
#'   links of each kind are drawn. Names that do not fit are counted.
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
    touched <- which(is_labelled(x))
    draw(linked(x, view), main, xlab, ylab, ...)
    labels <- labels %||% (length(touched) <= 30L && view$data$n <= 300)
    if (check_flag(labels, "labels") && length(touched)) {
        names <- show_samples(touched, x$names)
        place_labels(shorten(drop_common(names, 6L), 20L),
                     view$axes[touched, , drop = FALSE], view$axes, 0.7)
        note_below(dropped_note(names, 6L))
    }
    invisible(view$axes)
}

#' @rdname pck_means
#' @param y The data that were clustered.
#' @param main Title of the plot, whose `...` are for
#'   [plot.pairwise_constraints()].
#' @export
plot.constrained_clusters <- function(x, y, ..., main = "Clusters") {
    plot.pairwise_constraints(
        pairwise_constraints(samples = length(x$cluster)), y, ...,
        classes = x$cluster, main = main)
}

# The picture of samples, with lines between them of several kinds, which differ
# by line type, and by colour unless colours show classes. Samples of a pair
# (`touched`) are highlighted: dark if the others are grey, with a ring if
# colours show the class. Too many classes are named at their centres.
samples_picture <- function(view, lines, kinds = NULL, style = NULL,
                            touched = integer(), ...) {
    classes <- view$classes
    axes <- data.frame(x = view$axes[, 1L], y = view$axes[, 2L],
                       row.names = NULL)
    size <- point_size(nrow(axes))
    styles <- if (!is.null(kinds) && nrow(lines)) {
        lines$width <- 1.5
        data.frame(
            label = kinds, shape = NA, line = style$line, legend = "top",
            colour = if (is.null(classes)) style$colour else ink(0.6))
    }
    mark <- if (is.null(classes)) c(20, max(0.7, 1.1 * size)) else
        c(1, max(1.5 * size, 1.1))
    paired <- cbind(axes[touched, ], shape = rep(mark[1L], length(touched)),
                    size = rep(mark[2L], length(touched)))
    if (is.null(classes)) {
        axes$shade <- if (length(touched)) 0.3 else 1
        axes$shape <- 20L
    } else {
        axes$of <- NROW(styles) + codes_of(classes)
    }
    axes$size <- if (is.null(classes)) 1.1 * size else 0.85 * size
    picture(titles_are(NULL, view$titles[1L], view$titles[2L]),
            list(segments = lines, points = axes, points = paired,
                 labels = if (nlevels(classes) > most_colours)
                     class_centres(view), ...),
            styles = rbind(styles, class_styles(classes)))
}

# At most `most` links of each kind, and how many there are.
linked <- function(x, view, most = 2000L) {
    pairs <- link_pairs(x, most)
    ends <- do.call(rbind, pairs)
    lines <- lines_between(view$axes, ends[, 1L], ends[, 2L])
    lines$of <- rep(1:2, vapply(pairs, nrow, 0L))
    samples_picture(view, lines, link_kinds(count_pairs(x)), link_style,
                    which(is_labelled(x)))
}

# The data of plots of samples: list(data, classes, axes, titles).
sample_view <- function(y, assay.type, space, classes, about, name = "y") {
    refuse_if(missing(y), "`", name, "` must be the data that ", about, ".")
    taken <- split_column(y, classes)
    data <- prepare_data(taken$x, assay.type = assay.type)
    c(list(data = data,
           classes = view_classes(taken$y, taken$x, data, of = name)),
      sample_axes(data, space))
}

# A class of each sample, given as a vector or by the name of a column; or NULL.
view_classes <- function(classes, x, data, name = "classes", of = "x") {
    if (is.null(classes)) return(NULL)
    classes <- split_column(x, classes)$y
    classes <- match_response(named_response(classes, x, name, of), data, name)
    as_class_labels(classes, name)
}

# list(axes, titles): two coordinates of each sample, and their names. `name`:
# of the argument.
sample_axes <- function(data, space, name = "space") {
    components <- is.numeric(space) && is.null(dim(space))
    if (is.null(space) || components) {
        axes <- principal_components(data)
        explained <- attr(axes, "explained")
        return(list(axes = axes, titles = sprintf(
            "PC%d (%.0f %% of variance)", 1:2, 100 * explained)))
    }
    names <- if (is.character(space)) colnames(data$spaces[[space[1L]]]) else
        colnames(space)
    points <- space_coordinates(space, data, name = name)$points
    axes <- cbind(points, if (ncol(points) == 1L) 0)[, 1:2, drop = FALSE]
    if (length(names) < 2L)
        names <- paste(if (is.character(space)) space else "Dimension", 1:2)
    dimnames(axes) <- list(data$samples, names[1:2])
    list(axes = axes, titles = names[1:2])
}

# Numbers of the classes, unknown ones last.
codes_of <- function(classes) as.integer(addNA(classes))

# Their styles; the legend has at most `most` of them.
class_styles <- function(classes, unknown = "unknown", most = most_colours) {
    known <- nlevels(classes)
    rbind(if (known) cbind(label = levels(classes), style_of(known)[1:2],
                           line = 0L, legend = if (known > most) "" else
                               "side"),
          if (anyNA(classes)) data.frame(label = unknown, colour = ink(0.35),
                                         shape = 3L, line = 0L,
                                         legend = "side"))
}

# The median of each class on both axes, with its name.
class_centres <- function(view) {
    classes <- droplevels(view$classes)
    middle <- unname(apply(view$axes, 2L, tapply, classes, stats::median))
    data.frame(x = middle[, 1L], y = middle[, 2L], size = 0.8,
               label = shorten(drop_common(levels(classes), 24L), 32L))
}

# At most `most` pairs of each kind, evenly selected from all.
link_pairs <- function(constraints, most) {
    x <- write_out(thin_labels(constraints))
    lapply(c(cannot = FALSE, must = TRUE), function(must) {
        rows <- some_of(which(x$must_link == must), most)
        cbind(x$first[rows], x$second[rows])
    })
}

# A table of lines: x, y, xend and yend.
lines_between <- function(axes, from, to) {
    data.frame(x = axes[from, 1L], y = axes[from, 2L], xend = axes[to, 1L],
               yend = axes[to, 2L], row.names = NULL)
}

link_kinds <- function(counts) {
    paste0(c("cannot-link (", "must-link ("), counts, ")")
}

# Labels, or groups and labels of columns, of at most 1000 samples, evenly
# selected, so that the pairs can be listed.
thin_labels <- function(constraints, most = 1000L) {
    for (codes in c("group_of", "class_of")) {
        known <- which(!is.na(constraints[[codes]]))
        left_out <- setdiff(known, some_of(known, most))
        if (length(left_out)) constraints[[codes]][left_out] <- NA
    }
    constraints
}

# Small points for thousands of samples.
point_size <- function(count) {
    max(0.4, min(1, (300 / count)^0.25))
}

# Names at their places, or beside them, where they hide none of the `points`
# and no other name. A name without a free position is left out, and counted
# above the plot. `halo`: on paper of their own.
place_labels <- function(names, places, points, size, halo = FALSE) {
    inch <- abs(data_inches())
    in_inches <- function(axes) axes[, 1:2, drop = FALSE] %*% diag(1 / inch)
    places <- in_inches(places)
    half <- cbind(graphics::strwidth(names, "inches", cex = size) / 2 + 0.02,
                  graphics::par("csi") * size / 2)
    around <- rbind(c(0, 1), c(1, 0), c(-1, 0), c(0, -1), c(1, 1), c(-1, 1),
                    c(1, -1), c(-1, -1))
    gap <- rep(c(0.06, 0.16, 0.26), each = 8L)
    taken <- cbind(in_inches(points), matrix(0.03, nrow(points), 2L))
    left_out <- 0L
    for (i in seq_along(names)) {
        steps <- rbind(0, around[rep(1:8, 3L), ] *
                           cbind(half[i, 1L] + gap, half[i, 2L] + gap))
        tried <- steps + rep(places[i, ], each = nrow(steps))
        k <- first_free(tried, half[i, ], taken)
        if (is.na(k)) {
            left_out <- left_out + 1L
            next
        }
        taken <- rbind(taken, c(tried[k, ], half[i, ]))
        at <- tried[k, ] * inch
        if (halo) {
            rim <- 0.015 * inch * rbind(cospi(0:7 / 4), sinpi(0:7 / 4))
            graphics::text(at[1L] + rim[1L, ], at[2L] + rim[2L, ], names[i],
                           cex = size, col = ink(0), font = 2L)
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

# The number of the first place (a row each, in inches) where a box of these
# half sides is inside the plot and meets none of the boxes (middle, half sides)
# that are taken; NA if there is none.
first_free <- function(places, half, taken) {
    edges <- matrix(graphics::par("usr"), 2L) /
        rep(abs(data_inches()), each = 2L)
    for (k in seq_len(nrow(places))) {
        place <- places[k, ]
        if (all(place - half > edges[1L, ], place + half < edges[2L, ]) &&
            !any(abs(taken[, 1L] - place[1L]) < taken[, 3L] + half[1L] &
                     abs(taken[, 2L] - place[2L]) < taken[, 4L] + half[2L])) {
            return(k)
        }
    }
    NA
}

# ==== graphs ==================================================================

# A graph drawn on the first two components of the samples.

#' Plot a similarity graph
#'
#' Draws the samples on two axes and the edges between them, darker where their
#' weight is larger.
#'
#' @param x A [similarity_graph()].
#' @param y The data, as for [similarity_graph()]; missing cells are drawn as
#'   means.
#' @param space,classes,assay.type Coordinates and colours of the samples, and
#'   which assay of a container: see [plot.pairwise_constraints()].
#' @param edges Largest number of edges to draw, a whole number; those of
#'   largest weight are drawn.
#' @param main,xlab,ylab,... Graphical parameters, passed on to [plot()].
#'
#' @return The coordinates, a matrix with one row per sample and columns `PC1`
#'   and `PC2` (or as `space` names them), invisibly.
#'
#' @details Edges of equal weight are drawn in row order.
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
    draw(graph_picture(x, view, edges), main, xlab, ylab, ...)
    invisible(view$axes)
}

# The heaviest edges, these last, so that they are on top, and darker by the
# rank of the weight, because weights may differ by many powers of ten.
graph_picture <- function(graph, view, edges) {
    edges <- check_count(edges, "edges", 0)
    match_graph(graph, view$data)
    all <- upper_edges(graph$weights)
    keep <- rev(utils::head(order(-all$weight), edges))
    lines <- lines_between(view$axes, all$row[keep] + 1L, all$column[keep] + 1L)
    lines$shade <- 0.1 + 0.5 * rank(all$weight[keep]) / length(keep)
    picture <- samples_picture(view, lines)
    picture$note <- if (length(keep) < length(all$at))
        paste("the", length(keep), "edges of largest weight")
    picture
}
