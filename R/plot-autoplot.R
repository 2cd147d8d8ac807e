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
    info <- attr(object, "info")
    if (type %in% c("heat", "dots")) {
        refuse_if(is.null(x), "`x` must be the data for type \"", type, "\".")
        view <- feature_view(x, object, n, classes, NULL, assay.type)
    }
    switch(type,
        parts = auto_parts(relative_parts(object, n)),
        samples = auto_groups(glean_samples(object)),
        tree = autoplot.feature_tree(
            info$tree, nrow(info$tree$merge) + 1 - info$merges),
        scores = if (inherits(object, "subset_ranking"))
            auto_subset(entered_curve(object, "object"), n) else
                auto_scores(scored_features(object), n),
        significance = auto_volcano(significance_volcano(object, n, 0.05)),
        convergence = auto_curves(convergence_curves(object)),
        curve = auto_curves(axis_curves(object, x, classes, "x", assay.type)),
        heat = auto_heat(view), dots = auto_dots(class_dots(view)))
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
    asked <- object$questions
    lines <- if (is.null(asked)) drawn_links(object, view$axes) else
        question_lines(asked, view$axes)
    style <- if (is.null(asked)) link_style else agreement_style
    auto_samples(view) +
        ggplot2::geom_segment(map(xend = "xend", yend = "yend",
                                 linetype = "kind"), data = lines) +
        ggplot2::scale_linetype_manual(values = style$line, drop = FALSE) +
        (if (!is.null(asked)) ggplot2::geom_label(
            map(label = "question"), size = 2.5, data = transform(
                lines, x = (lines$x + lines$xend) / 2,
                y = (lines$y + lines$yend) / 2),
            label.padding = ggplot2::unit(0.12, "lines"))) +
        class_names(view)
}

#' @rdname autoplot
#' @exportS3Method ggplot2::autoplot
autoplot.similarity_graph <- function(object, x, space = NULL, classes = NULL,
                                      assay.type = NULL, edges = 5000, ...) {
    check_dots_empty(...)
    view <- sample_view(x, assay.type, space, classes,
                        "the graph is about, as in autoplot(graph, x)",
                        name = "x")
    lines <- graph_lines(object, view, edges)
    auto_samples(view, ggplot2::geom_segment(
        map(xend = "xend", yend = "yend", alpha = "level"), data = lines)) +
        ggplot2::scale_alpha(range = c(0.1, 0.6), limits = 0:1,
                             guide = "none") +
        class_names(view) + ggplot2::labs(subtitle = attr(lines, "note"))
}

#' @rdname autoplot
#' @exportS3Method ggplot2::autoplot
autoplot.feature_graph <- function(object, tree = NULL, most = 100000L, ...) {
    check_dots_empty(...)
    edges <- drawn_edges(object, tree, most)
    places <- seq_along(edges$names)
    few <- length(places) <= 60L
    axis <- function(scale, ends, ...) {
        scale(breaks = if (few) places else ggplot2::waiver(),
              labels = if (few) edges$names else ggplot2::waiver(),
              limits = (range(places) + c(-0.5, 0.5))[ends], expand = c(0, 0),
              ...)
    }
    ggplot2::ggplot(data.frame(edges[c("x", "y", "shade")]),
                    map(x = "x", y = "y", alpha = "shade")) +
        ggplot2::geom_tile(width = 1, height = 1) +
        ggplot2::scale_alpha_identity() + ggplot2::coord_fixed() +
        axis(ggplot2::scale_x_continuous, 1:2,
             guide = ggplot2::guide_axis(angle = if (few) 90)) +
        axis(ggplot2::scale_y_reverse, 2:1) +
        ggplot2::labs(title = edges$title, y = NULL, x = if (!few)
            "Feature, in the order of the tree")
}

#' @rdname autoplot
#' @exportS3Method ggplot2::autoplot
autoplot.feature_tree <- function(object, k = NULL, h = NULL, ...) {
    check_dots_empty(...)
    cut <- cut_tree(object, k, h)
    clusters <- unname(cut$clusters)
    first <- match(seq_len(max(clusters)), clusters)
    shown <- tree_names(object, clusters, first, 50)
    ggplot2::ggplot(tree_lines(object, clusters, cut$merges),
                    map(x = "x", y = "y", xend = "xend", yend = "yend",
                       colour = "colour")) +
        ggplot2::geom_segment() + ggplot2::scale_colour_identity() +
        ggplot2::geom_vline(xintercept = -cut_height(object, cut$merges),
                            linetype = 2) +
        ggplot2::scale_x_continuous(labels = function(x) format(-x)) +
        ggplot2::scale_y_continuous(
            breaks = length(clusters) + 1 - shown$at, minor_breaks = NULL,
            labels = if (shown$clusters) shown$names else
                shown_names(shown$names),
            guide = ggplot2::guide_axis(check.overlap = TRUE),
            position = "right") +
        ggplot2::labs(x = height_title, y = NULL, title = cut$title)
}

#' @rdname autoplot
#' @exportS3Method ggplot2::autoplot
autoplot.group_markers <- function(object, type = c("dots", "volcano"), n = 5,
                                   group = NULL, alpha = 0.05, ...) {
    check_dots_empty(...)
    check_markers(object, "object")
    type <- check_choice(type, c("dots", "volcano"), "type")
    refuse_unused("type", type, list(volcano = c("group", "alpha")))
    n <- check_count(n, "n", if (type == "dots") 1 else 0)
    if (type == "dots")
        return(auto_dots(dots_table(marker_dots(object, n, "object"), n)))
    auto_volcano(marker_volcano(object, n, group, alpha, "object")) +
        ggplot2::facet_wrap("group")
}

#' @rdname autoplot
#' @exportS3Method ggplot2::autoplot
autoplot.pair_margins <- function(object, feature = 1L, n = 30L, classes = NULL,
                                  ...) {
    check_dots_empty(...)
    picture <- pair_picture(object, feature, n, classes, "object")
    rows <- picture$rows
    rows$y <- rev(seq_len(nrow(rows)))
    rows$sign <- ifelse(rows$margin > 0, "must", "cannot")
    titles <- c("Value", "Margin of the pair")
    panels <- factor(titles, titles)
    marks <- cbind(picture$values, panel = panels[1L])
    labels <- picture$style$labels
    marks$end_of <- factor(labels[marks$code], labels)
    ggplot2::ggplot(marks, map(x = "value", y = "y")) +
        ggplot2::geom_segment(
            map(x = "first", xend = "second", yend = "y"), alpha = 0.3,
            data = cbind(rows, panel = panels[1L]), na.rm = TRUE) +
        ggplot2::geom_point(map(colour = "end_of"), data = marks[!marks$end, ],
                            shape = 1L, size = 1, na.rm = TRUE) +
        ggplot2::geom_point(map(colour = "end_of", shape = "end_of"),
                            data = marks[marks$end, ], size = 2, na.rm = TRUE) +
        ggplot2::geom_col(map(x = "margin", fill = "sign"), orientation = "y",
                          data = cbind(rows, panel = panels[2L]), width = 0.7) +
        ggplot2::scale_fill_manual(
            values = stats::setNames(link_style$colour, rownames(link_style)),
            guide = "none") +
        style_scales(length(labels)) +
        ggplot2::facet_wrap("panel", scales = "free_x",
                            strip.position = "bottom") +
        ggplot2::scale_y_continuous(breaks = rows$y, labels = picture$names,
                                    minor_breaks = NULL) +
        ggplot2::labs(x = NULL, y = NULL, colour = NULL, shape = NULL,
                      title = picture$title)
}

#' @rdname autoplot
#' @exportS3Method ggplot2::autoplot
autoplot.ranking_evaluation <- function(object, measure = NULL, ...) {
    check_dots_empty(...)
    auto_curves(evaluation_curves(object, measure, "object"))
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
    auto_curves(stability_curves(object, "object"))
}

# What is shown by which column of the data.
map <- function(...) ggplot2::aes(!!!lapply(c(...), as.name))

auto_titles <- function(picture, ...) {
    titles <- attr(picture, "titles")
    ggplot2::labs(title = titles$main, x = titles$xlab, y = titles$ylab, ...)
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

feature_axis <- function(features) {
    ggplot2::scale_y_discrete(labels = stats::setNames(shown_names(features),
                                                       features))
}

# Points, of another shape for features that are significant, where there are
# p-values.
auto_points <- function(significant, size, words = "fdr <= 0.05") {
    if (is.null(significant)) return(ggplot2::geom_point(size = size))
    style <- significance_style()
    kinds <- c("others", words)
    kind <- factor(kinds[1L + significant %in% TRUE], kinds)
    list(ggplot2::geom_point(ggplot2::aes(shape = kind, colour = kind),
                             size = size),
         ggplot2::scale_shape_manual(name = NULL, drop = FALSE,
                                     values = style$shape),
         ggplot2::scale_colour_manual(name = NULL, drop = FALSE,
                                      values = style$colour))
}

auto_scores <- function(table, n) {
    adjusted <- table[["fdr"]]
    lower <- attr(table, "lower")
    elbow <- attr(table, "elbow")
    scale_rank <- if (attr(table, "many")) ggplot2::scale_x_log10 else
        ggplot2::scale_x_continuous
    # Names beside the points, each with a line to its point.
    best <- utils::head(table, n)
    sign <- if (lower) -1 else 1
    best$name <- shown_names(best$feature)
    limits <- range(table$value)
    best$at <- sign * separate_places(sign * best$value, 0.055 * diff(limits),
                                      sign * limits)
    best$end <- max(table$rank) * 1.05
    ggplot2::ggplot(table, map(x = "rank", y = "value")) +
        (if (!is.na(elbow)) ggplot2::geom_vline(xintercept = elbow,
                                                linetype = 2)) +
        ggplot2::geom_segment(map(xend = "end", yend = "at"), data = best,
                              alpha = 0.2) +
        ggplot2::geom_text(map(x = "end", y = "at", label = "name"),
                           data = best, hjust = -0.05, size = 3) +
        auto_points(if (!is.null(adjusted)) adjusted <= 0.05, 0.7) +
        # space for names beyond the last rank
        scale_rank(expand = ggplot2::expansion(mult = c(0.04, 0.25))) +
        (if (lower) ggplot2::scale_y_reverse()) +
        auto_titles(table, subtitle = attr(table, "note"))
}

auto_subset <- function(table, n) {
    table$name <- shown_names(table$feature)
    ggplot2::ggplot(table, map(x = "entry", y = "score")) +
        ggplot2::geom_line() + ggplot2::geom_point(size = 0.7) +
        ggplot2::geom_vline(xintercept = which.min(table$score), linetype = 2) +
        ggplot2::geom_text(map(label = "name"), data = utils::head(table, n),
                           vjust = -0.6, size = 3) +
        auto_titles(table)
}

auto_volcano <- function(table) {
    words <- attr(table, "words")
    names <- table[table$named, ]
    names$name <- shown_names(names$feature)
    ggplot2::ggplot(table, map(x = "effect", y = "height")) +
        ggplot2::geom_vline(xintercept = 0, alpha = 0.3) +
        auto_points(if (!is.null(words)) table$significant, 0.8, words) +
        ggplot2::geom_text(map(label = "name"), data = names, size = 3,
                           vjust = -0.6, hjust = "inward",
                           check_overlap = TRUE) +
        ggplot2::scale_y_continuous(
            expand = ggplot2::expansion(mult = c(0.05, 0.12))) +
        auto_titles(table)
}

# ---- features in the data ---------------------------------------------------

auto_heat <- function(view) {
    cells <- scale_cells(view$cells)
    classes <- heat_groups(view)
    order <- sample_order(cells, classes)
    parts <- lapply(split(order, classes[order]), function(rows) {
        # at most a hundred columns a class
        means <- average_runs(cells[rows, , drop = FALSE], 100)
        data.frame(place = (as.vector(row(means)) - 0.5) / nrow(means),
                   feature = view$names[as.vector(col(means))],
                   class = classes[rows[1L]], width = 1 / nrow(means),
                   value = pmin(pmax(as.vector(means), -2), 2))
    })
    table <- do.call(rbind, unname(parts))
    table$feature <- factor(table$feature, rev(view$names))
    ggplot2::ggplot(table, map(x = "place", y = "feature", fill = "value",
                              width = "width")) +
        ggplot2::geom_tile() + feature_axis(levels(table$feature)) +
        ggplot2::scale_x_continuous(breaks = NULL, expand = c(0, 0)) +
        ggplot2::scale_fill_gradientn(colours = heat_colours,
                                      limits = c(-2, 2)) +
        (if (nlevels(classes) > 1L) ggplot2::facet_wrap(
            "class", nrow = 1L,
            labeller = strip_labels(levels(classes), nlevels(classes)))) +
        ggplot2::labs(x = paste(length(order), "samples"), y = NULL,
                      fill = "sd", title = view$main)
}

auto_dots <- function(dots) {
    dots$feature <- factor(dots$feature, rev(attr(dots, "features")))
    top <- min(max(abs(dots$mean), 1e-9), attr(dots, "limit"))
    dots$mean <- pmin(pmax(dots$mean, -top), top)
    ggplot2::ggplot(dots, map(x = "class", y = "feature", size = "share",
                             fill = "mean")) +
        ggplot2::geom_point(shape = 21L) + feature_axis(levels(dots$feature)) +
        ggplot2::scale_x_discrete(guide = ggplot2::guide_axis(
            angle = if (sum(nchar(levels(dots$class))) > 50L) 90)) +
        ggplot2::scale_size_area(limits = c(0, 1)) +
        ggplot2::scale_fill_gradientn(colours = heat_colours,
                                      limits = c(-top, top)) +
        auto_titles(dots, fill = attr(dots, "colour"),
                    size = attr(dots, "level"))
}

# ---- samples ----------------------------------------------------------------

# The points of the samples on `below`.
auto_samples <- function(view, below = NULL) {
    samples <- data.frame(x = view$axes[, 1L], y = view$axes[, 2L])
    samples$class <- view$classes
    shown <- !is.null(view$classes)
    ggplot2::ggplot(samples, map(x = "x", y = "y")) + below +
        ggplot2::geom_point(if (shown) map(colour = "class", shape = "class"),
                            size = 1.5 * point_size(nrow(samples))) +
        (if (shown) style_scales(nlevels(view$classes))) +
        ggplot2::labs(x = view$titles[1L], y = view$titles[2L],
                      linetype = NULL, colour = NULL, shape = NULL)
}

# Of more classes than there are colours.
class_names <- function(view) {
    if (outnumber_colours(view$classes)) {
        centres <- class_centres(view)
        list(ggplot2::geom_label(
                 map(label = "name"), size = 3, alpha = 0.8,
                 data = data.frame(x = centres[, 1L], y = centres[, 2L],
                                   name = rownames(centres))),
             ggplot2::guides(colour = "none", shape = "none"))
    }
}

# Colours with the shapes or line types that go with them.
style_scales <- function(count, line = FALSE) {
    style <- style_of(count)
    unknown <- unknown_style()
    list(ggplot2::scale_colour_manual(values = style$colour,
                                      na.value = unknown$colour),
         if (line) ggplot2::scale_linetype_manual(values = style$line) else
             ggplot2::scale_shape_manual(values = style$shape,
                                         na.value = unknown$shape))
}

# ---- evaluations ------------------------------------------------------------

auto_curves <- function(picture) {
    coloured <- as.integer(picture$ranking) <= most_curves
    others <- picture[!coloured, ]
    table <- droplevels(picture[coloured, ])
    log <- attr(picture, "settings")$log %||% ""
    level <- attr(picture, "level")
    ticks <- attr(picture, "ticks")
    ggplot2::ggplot(table, map(x = "features", y = "value", colour = "ranking",
                              linetype = "ranking")) +
        (if (nrow(others)) ggplot2::geom_line(
            map(x = "features", y = "value", group = "ranking"), data = others,
            inherit.aes = FALSE, alpha = 0.4,
            colour = unknown_style()$colour)) +
        (if (any(table$low < table$high, na.rm = TRUE)) ggplot2::geom_ribbon(
            map(ymin = "low", ymax = "high", group = "ranking"), alpha = 0.1,
            colour = NA)) + ggplot2::geom_line() +
        style_scales(nlevels(table$ranking), line = TRUE) +
        (if (log == "x") ggplot2::scale_x_log10()) +
        (if (log == "y") ggplot2::scale_y_log10()) +
        (if (!is.null(level)) ggplot2::geom_hline(yintercept = level,
                                                  linetype = 2)) +
        (if (!is.null(ticks)) ggplot2::scale_y_continuous(breaks = ticks)) +
        auto_titles(picture, colour = NULL, linetype = NULL)
}

# ---- glean ------------------------------------------------------------------

auto_parts <- function(relative) {
    features <- rownames(relative)
    parts <- colnames(relative)
    table <- data.frame(feature = factor(features, rev(features)),
                        part = rep(factor(parts, parts), each = nrow(relative)),
                        share = as.vector(relative))
    ggplot2::ggplot(table, map(x = "share", y = "feature", fill = "part")) +
        ggplot2::geom_col() + feature_axis(levels(table$feature)) +
        ggplot2::scale_fill_manual(values = part_style[parts, "colour"],
                                   guide = "none") +
        ggplot2::facet_wrap("part", nrow = 1L) +
        # short labels, so that those of two panels do not touch
        ggplot2::scale_x_continuous(breaks = c(0, 0.5, 1),
                                    labels = c("0", "0.5", "1")) +
        auto_titles(relative) + ggplot2::labs(y = NULL)
}

auto_groups <- function(samples) {
    ggplot2::ggplot(samples, map(x = "x", y = "y", colour = "group",
                                shape = "group", size = "confidence")) +
        ggplot2::geom_point() + style_scales(nlevels(samples$group)) +
        ggplot2::scale_size(range = c(0.5, 3)) + auto_titles(samples)
}
