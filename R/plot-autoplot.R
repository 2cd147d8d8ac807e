# Plots as ggplot objects. ggplot2 is only suggested: these methods are
# registered when it is loaded.

#' Plots with ggplot2
#'
#' Methods of `ggplot2::autoplot()` return the plots of this package as ggplot
#' objects, without a theme. Available as soon as \pkg{ggplot2} is loaded.
#'
#' @param object A ranking, constraints, markers, margins of pairs, a graph or
#'   tree, an evaluation, or the stability of a method.
#' @param x The data: needed for constraints, a similarity graph, and for the
#'   types `"curve"`, `"heat"` and `"dots"` of a ranking.
#' @param type As in `plot()`. Of a ranking `"scores"`, `"significance"`,
#'   `"convergence"` or `"curve"` ([plot.feature_ranking()]), of [glean()] first
#'   `"parts"` and `"samples"`, of [fcrsc()] first `"tree"`; of all `"heat"` and
#'   `"dots"` ([plot_features()], without links). Of markers `"dots"` or
#'   `"volcano"`.
#' @param n How many of the best features to show or name; by default 20 for
#'   `"parts"`, else 10; of the best markers of each group, or of pairs.
#' @param space,classes,assay.type As in [plot.pairwise_constraints()] and
#'   [plot_features()].
#' @param measure As in [plot.ranking_evaluation()], or of
#'   [evaluate_questions()].
#' @param group,alpha As in [plot.group_markers()].
#' @param feature As in [plot.pair_margins()].
#' @param edges As in [plot.similarity_graph()].
#' @param tree,most As in [plot.feature_graph()].
#' @param k,h As in [plot.feature_tree()].
#' @param ... Unused.
#'
#' @return A ggplot object; nothing is drawn until it is printed.
#'
#' @details The best eight of many curves are in colour. In a heat map every
#'   class has the same width.
#'
#' @section Errors: `linkrank_error_argument` when a type needs data or classes
#'   that are not given.
#'
#' @examples
#' x <- log2(colon$x)
#' links <- pairwise_constraints(
#'     cannot_link = rbind(c(1, 2), c(5, 8), c(9, 12)),
#'                               samples = rownames(x))
#' genes <- relieff_sc(x, links)
#' if (requireNamespace("ggplot2", quietly = TRUE)) {
#'     ggplot2::autoplot(genes)
#'     ggplot2::autoplot(links, x, classes = colon$tissue)
#' }
#' @name autoplot
NULL

#' @rdname autoplot
#' @exportS3Method ggplot2::autoplot
autoplot.feature_ranking <- function(object, x = NULL, type = NULL, n = NULL,
                                     classes = NULL, assay.type = NULL, ...) {
    check_dots_empty(...)
    check_ranking(object, "object")
    types <- c(if (inherits(object, "glean_ranking")) c("parts", "samples"),
               if (inherits(object, "fcrsc_ranking")) "tree",
               ranking_plots, "heat", "dots")
    type <- check_choice(type %||% types[1L], types, "type")
    n <- check_count(n %||% if (type == "parts") 20 else 10, "n", 1)
    if (type %in% c("heat", "dots")) {
        refuse_if(is.null(x), "`x` must be the data for type \"", type, "\".")
        view <- feature_view(x, object, n, classes, NULL, assay.type)
        if (type == "heat") return(auto_heat(view))
    }
    if (type == "scores" && inherits(object, "subset_ranking"))
        return(as_ggplot(entered_picture(object, n, "object")))
    as_ggplot(switch(type,
        parts = parts_picture(object, n), samples = glean_picture(object),
        tree = tree_picture(ranking_cut(object), 30),
        dots = dots_picture(class_dots(view)),
        ranking_picture(object, type, n, 0.05, x, classes, "x", assay.type)))
}

#' @rdname autoplot
#' @exportS3Method ggplot2::autoplot
autoplot.pairwise_constraints <- function(object, x, space = NULL,
                                          classes = NULL, assay.type = NULL,
                                          ...) {
    check_dots_empty(...)
    view <- sample_view(x, assay.type, space, classes,
        "the constraints are about, as in autoplot(links, x)", name = "x")
    object <- match_constraints(check_constraints(object), view$data)
    as_ggplot(if (is.null(object$questions)) linked(object, view) else
        questions_asked(object, view, TRUE))
}

#' @rdname autoplot
#' @exportS3Method ggplot2::autoplot
autoplot.similarity_graph <- function(object, x, space = NULL, classes = NULL,
                                      assay.type = NULL, edges = 5000, ...) {
    check_dots_empty(...)
    view <- sample_view(x, assay.type, space, classes,
                        "the graph is about, as in autoplot(graph, x)",
                        name = "x")
    as_ggplot(graph_picture(object, view, edges))
}

#' @rdname autoplot
#' @exportS3Method ggplot2::autoplot
autoplot.feature_graph <- function(object, tree = NULL, most = 100000L, ...) {
    check_dots_empty(...)
    edges <- drawn_edges(object, tree, most)
    as_ggplot(matrix_picture(edges, length(edges$names) <= 60L)) +
        ggplot2::coord_fixed()
}

#' @rdname autoplot
#' @exportS3Method ggplot2::autoplot
autoplot.feature_tree <- function(object, k = NULL, h = NULL, ...) {
    check_dots_empty(...)
    as_ggplot(tree_picture(cut_tree(object, k, h), 30))
}

#' @rdname autoplot
#' @exportS3Method ggplot2::autoplot
autoplot.group_markers <- function(object, type = c("dots", "volcano"), n = 5,
                                   group = NULL, alpha = 0.05, ...) {
    check_dots_empty(...)
    check_markers(object, "object")
    type <- check_choice(type)
    refuse_unused("type", type, list(volcano = c("group", "alpha")))
    n <- check_count(n, "n", if (type == "dots") 1 else 0)
    if (type == "dots")
        return(as_ggplot(dots_picture(dots_table(
            marker_dots(object, n, "object"), n))))
    as_ggplot(volcano(marker_volcano(object, n, group, alpha, "object"))) +
        ggplot2::facet_wrap("group")
}

#' @rdname autoplot
#' @exportS3Method ggplot2::autoplot
autoplot.pair_margins <- function(object, feature = 1L, n = 30L, classes = NULL,
                                  ...) {
    check_dots_empty(...)
    pairs <- shown_pairs(object, feature, n, classes, "object")
    panels <- pair_panels(pairs)
    shown <- panels$values
    shown$layers <- unlist(unname(Map(function(panel, group) {
        lapply(panel$layers, cbind, group = factor(group, names(panels)))
    }, panels, names(panels))), recursive = FALSE)
    titles <- vapply(panels, function(panel) panel$titles$xlab, "")
    as_ggplot(shown) +
        ggplot2::facet_wrap("group", scales = "free_x",
                            strip.position = "bottom",
                            labeller = ggplot2::as_labeller(titles)) +
        ggplot2::labs(title = pairs$title, x = NULL)
}

#' @rdname autoplot
#' @exportS3Method ggplot2::autoplot
autoplot.ranking_evaluation <- function(object, measure = NULL, ...) {
    check_dots_empty(...)
    as_ggplot(evaluation_curves(object, measure, "object"))
}

#' @rdname autoplot
#' @exportS3Method ggplot2::autoplot
autoplot.question_evaluation <- function(object, measure = NULL, ...) {
    autoplot.ranking_evaluation(as_method_evaluation(object, measure, "object"),
                                ...) + ggplot2::labs(x = "Questions")
}

#' @rdname autoplot
#' @exportS3Method ggplot2::autoplot
autoplot.ranking_stability <- function(object, ...) {
    check_dots_empty(...)
    as_ggplot(stability_curves(object, "object"))
}

# ---- any picture ------------------------------------------------------------

as_ggplot <- function(picture) {
    settings <- picture$settings
    log <- settings$log %||% ""
    rows <- picture$rows
    heads <- picture$heads
    x_ticks <- picture$x_ticks %||%
        list(at = seq_along(picture$columns), label = picture$columns)
    if (!length(x_ticks$at)) x_ticks <- NULL
    turned <- isTRUE(diff(settings$ylim) < 0)
    named <- !is.null(picture$names) && is.null(picture$names$of)
    layers <- Map(layer_geom, names(picture$layers), picture$layers)
    # space for names beyond the last point
    scale_x <- if (log == "x") ggplot2::scale_x_log10 else
        ggplot2::scale_x_continuous
    scale_y <- if (log == "y") ggplot2::scale_y_log10 else if (turned)
        ggplot2::scale_y_reverse else ggplot2::scale_y_continuous
    ggplot2::ggplot() + unname(layers) +
        (if (named) name_geoms(picture, turned)) +
        scale_x(expand = ggplot2::expansion(mult = c(0.04, if (named &&
            is.null(picture$names$group)) 0.3 else 0.04)),
                breaks = x_ticks$at %||% ggplot2::waiver(),
                labels = x_ticks$label %||% ggplot2::waiver(),
                guide = ggplot2::guide_axis(
                    angle = if (sum(nchar(picture$columns)) > 50L) 90),
                sec.axis = if (is.null(heads)) ggplot2::waiver() else
                    ggplot2::dup_axis(breaks = heads$at, labels = heads$label,
                                      name = NULL)) +
        scale_y(breaks = picture$ticks %||% if (length(rows))
                    rev(seq_along(rows)) else if (!isFALSE(settings$axes))
                        ggplot2::waiver(),
                labels = rows %||% ggplot2::waiver()) +
        (if (!is.null(settings$ylim))
            ggplot2::expand_limits(y = settings$ylim)) +
        (if (!is.null(picture$styles)) style_scales(picture$styles)) +
        ggplot2::labs(title = picture$titles$main, x = picture$titles$xlab,
                      y = picture$titles$ylab, subtitle = picture$note)
}

# What is shown by which column of the data.
map <- function(...) ggplot2::aes(!!!lapply(c(...), as.name))

layer_geom <- function(kind, layer) {
    make <- switch(kind,
        points = ggplot2::geom_point, lines = ggplot2::geom_line,
        bands = ggplot2::geom_ribbon, boxes = ggplot2::geom_rect,
        segments = ggplot2::geom_segment, labels = ggplot2::geom_label,
        down = ggplot2::geom_vline, across = ggplot2::geom_hline)
    known <- switch(kind, points = c("colour", "shape", "size", "fill"),
                    bands = , boxes = "fill", labels = c("colour", "size"),
                    c("colour", "linetype", "linewidth"))
    unit <- if (kind == "labels") 3.8 else 1.8
    fixed <- list(colour = layer$colour, fill = layer$fill %||% layer$colour,
                  shape = layer$shape, linetype = layer$line,
                  size = unit * (layer$size %||% 1),
                  linewidth = (layer$width %||% 1) / 2.2)
    fixed <- Filter(length, fixed[known])
    fixed$alpha <- if (kind == "bands") 0.15 else layer$shade
    at <- intersect(c("x", "y", "xend", "yend", "xmin", "xmax", "ymin", "ymax",
                      "xintercept", "yintercept",
                      if (kind == "labels") "label"), names(layer))
    names(at) <- at
    if (!is.null(layer$of)) {
        layer$style <- factor(layer$of)
        keyed <- setdiff(known, c(names(fixed), "size", "linewidth"))
        if (is.null(layer$shade)) at[keyed] <- "style"
        at["group"] <- "of"
    }
    do.call(make, c(list(map(at), data = layer, na.rm = TRUE), fixed))
}

# Names beside the points, each with a line to its point; in panels above it.
name_geoms <- function(picture, turned) {
    names <- picture$names
    if (!isTRUE(picture$whole_names)) names$label <- shown_names(names$label)
    if (!is.null(names$group)) {
        return(ggplot2::geom_text(map(x = "x", y = "y", label = "label"),
                                  data = names, size = 3, vjust = -0.6,
                                  hjust = "inward", check_overlap = TRUE))
    }
    sign <- if (turned) -1 else 1
    x <- range(names$x, in_layers(picture, "x"))
    y <- range(names$y, in_layers(picture, "y"))
    gap <- min(0.055, 1 / nrow(names))
    names$at <- sign * separate_places(sign * names$y, gap * diff(y), sign * y)
    names$edge <- x[2L] + 0.02 * diff(x)
    names$end <- x[2L] + 0.08 * diff(x)
    list(ggplot2::geom_segment(map(x = "x", y = "y", xend = "edge", yend = "y"),
                               data = names, alpha = 0.2),
         ggplot2::geom_segment(map(x = "edge", y = "y", xend = "end",
                                   yend = "at"), data = names, alpha = 0.2),
         ggplot2::geom_text(map(x = "end", y = "at", label = "label"),
                            data = names, hjust = -0.05,
                            size = max(2.2, 55 * gap)))
}

# Colours with the shapes and line types that go with them.
style_scales <- function(styles) {
    rows <- as.character(seq_len(nrow(styles)))
    listed <- styles$legend != ""
    sizes <- if (is.null(styles$size)) list() else
        list(size = 1.8 * styles$size)
    scale <- function(make, values, ...) {
        make(name = NULL, values = stats::setNames(values, rows), limits = rows,
             breaks = rows[listed], labels = styles$label[listed], ...)
    }
    list(scale(ggplot2::scale_colour_manual, styles$colour,
               guide = ggplot2::guide_legend(override.aes = sizes)),
         scale(ggplot2::scale_fill_manual, styles$fill %||% styles$colour),
         scale(ggplot2::scale_shape_manual, styles$shape),
         scale(ggplot2::scale_linetype_manual, styles$line))
}

# Names above `columns` adjacent panels, wrapped to lines that fit a plot 450
# dots wide; the common prefix and suffix are removed.
strip_labels <- function(names, columns) {
    width <- max(4L, 52L %/% columns)
    known <- names[!is.na(names)]
    wrapped <- wrap_names(drop_common(known, width), width)
    ggplot2::as_labeller(function(values) {
        ifelse(values %in% known, wrapped[match(values, known)], "NA")
    })
}

# Lines of at most `width` letters: broken after a space or mark, and within a
# word only where that is longer.
wrap_names <- function(names, width) {
    line <- sprintf("(.{1,%d})(?: +|(?<=[_./-])|$)|(.{%d})", width, width)
    trimws(gsub(line, "\\1\\2\n", names, perl = TRUE))
}

# ---- rankings ---------------------------------------------------------------

auto_heat <- function(view) {
    cells <- scale_cells(view$cells)
    classes <- heat_groups(view)
    order <- sample_order(cells, classes)
    parts <- lapply(split(order, classes[order]), function(rows) {
        # at most a hundred columns a class
        means <- average_runs(cells[rows, , drop = FALSE], 100)
        data.frame(place = (as.vector(row(means)) - 0.5) / nrow(means),
                   feature = view$names[as.vector(col(means))],
                   class = classes[[rows[1L]]], width = 1 / nrow(means),
                   value = pmin(pmax(as.vector(means), -2), 2))
    })
    table <- do.call(rbind, unname(parts))
    table$feature <- factor(table$feature, rev(view$names))
    ggplot2::ggplot(table, map(x = "place", y = "feature", fill = "value",
                              width = "width")) +
        ggplot2::geom_tile() + ggplot2::scale_y_discrete(
            labels = stats::setNames(shown_names(view$names), view$names)) +
        ggplot2::scale_x_continuous(breaks = NULL, expand = c(0, 0)) +
        ggplot2::scale_fill_gradientn(colours = heat_colours,
                                      limits = c(-2, 2)) +
        (if (nlevels(classes) > 1L) ggplot2::facet_wrap(
            "class", nrow = 1L,
            labeller = strip_labels(levels(classes), nlevels(classes)))) +
        ggplot2::labs(x = paste(length(order), "samples"), y = NULL,
                      fill = "sd", title = view$main)
}
