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

utils::globalVariables(".data")

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
    draw <- switch(type, parts = auto_parts, samples = auto_glean_samples,
                   tree = function(object, n) {
                       info <- attr(object, "info")
                       autoplot.feature_tree(
                           info$tree, nrow(info$tree$merge) + 1 - info$merges
                       )
                   }, scores = if (inherits(object, "subset_ranking"))
                       auto_subset else auto_scores,
                   significance = function(object, n)
                       auto_volcano(significance_volcano(object, n, 0.05)),
                   convergence = function(object, n)
                       auto_curves(convergence_curves(object)),
                   curve = function(object, n) auto_curves(axis_curves(
                       object, x, classes, "x", assay.type)))
    if (!is.null(draw)) return(draw(object, n))
    refuse_if(is.null(x), "`x` must be the data for type \"", type, "\".")
    view <- feature_view(x, object, n, classes, NULL, assay.type)
    title <- attr(object, "info")$label
    if (type == "heat") auto_heat(view, title) else
        auto_dots(class_dots(view), view, title)
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
    if (is.null(asked)) {
        links <- drawn_links(object, view$axes)
        return(auto_samples(view) + auto_lines(links, link_style$line) +
                   class_names(view))
    }
    lines <- question_lines(asked, view$axes)
    auto_samples(view) + auto_lines(lines, agreement_style$line) +
        ggplot2::geom_label(ggplot2::aes((.data$x + .data$xend) / 2,
                                         (.data$y + .data$yend) / 2,
                                         label = .data$question),
                            data = lines, size = 2.5,
                            label.padding = ggplot2::unit(0.12, "lines")) +
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
        ggplot2::aes(xend = .data$xend, yend = .data$yend,
                     alpha = .data$level), data = lines)) +
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
    ggplot2::ggplot(data.frame(edges[c("x", "y", "shade")]), ggplot2::aes(
        .data$x, .data$y, alpha = .data$shade)) +
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
    ggplot2::ggplot(tree_lines(object, clusters, cut$merges), ggplot2::aes(
        .data$x, .data$y, xend = .data$xend, yend = .data$yend,
        colour = .data$colour)) +
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
    if (type == "dots") {
        dots <- marker_dots(object, n, "object")
        return(auto_dots(dots_table(dots), list(names = unique(dots$feature)),
                         dots_title(n)))
    }
    auto_volcano(marker_volcano(object, n, group, alpha, "object")) +
        ggplot2::facet_wrap(ggplot2::vars(.data$group))
}

#' @rdname autoplot
#' @exportS3Method ggplot2::autoplot
autoplot.pair_margins <- function(object, feature = 1L, n = 30L, classes = NULL,
                                  ...) {
    check_dots_empty(...)
    picture <- pair_picture(object, feature, n, classes, "object")
    rows <- picture$rows
    rows$y <- rev(seq_len(nrow(rows)))
    titles <- c("Value", "Margin of the pair")
    panels <- factor(titles, titles)
    marks <- cbind(picture$values, panel = panels[1L])
    marks$end_of <- factor(picture$style$labels[marks$code],
                           picture$style$labels)
    rows$sign <- ifelse(rows$margin > 0, "must", "cannot")
    ggplot2::ggplot(marks, ggplot2::aes(.data$value, .data$y)) +
        ggplot2::geom_segment(
            ggplot2::aes(.data$first, xend = .data$second, yend = .data$y),
            data = cbind(rows, panel = panels[1L]), alpha = 0.3, na.rm = TRUE) +
        ggplot2::geom_point(ggplot2::aes(colour = .data$end_of),
                            data = marks[!marks$end, ], shape = 1L, size = 1,
                            na.rm = TRUE) +
        ggplot2::geom_point(ggplot2::aes(colour = .data$end_of,
                                         shape = .data$end_of),
                            data = marks[marks$end, ], size = 2, na.rm = TRUE) +
        ggplot2::geom_col(
            ggplot2::aes(.data$margin, fill = .data$sign), orientation = "y",
            data = cbind(rows, panel = panels[2L]), width = 0.7) +
        ggplot2::scale_fill_manual(
            values = stats::setNames(link_style$colour, rownames(link_style)),
            guide = "none") +
        style_scales(length(picture$style$labels)) +
        ggplot2::facet_wrap(ggplot2::vars(.data$panel), scales = "free_x",
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

auto_scores <- function(object, n) {
    info <- attr(object, "info")
    table <- scored_features(object, info)
    adjusted <- table[["fdr"]]
    place <- elbow(table$value)
    many <- nrow(table) > many_features
    scale_rank <- if (many) ggplot2::scale_x_log10 else
        ggplot2::scale_x_continuous
    # Names beside the points, each with a line to its point.
    best <- utils::head(table, n)
    sign <- if (info$direction == "lower") -1 else 1
    best$name <- shown_names(best$feature)
    limits <- range(table$value)
    best$at <- sign * separate_places(sign * best$value, 0.055 * diff(limits),
                                      sign * limits)
    best$end <- max(table$rank) * 1.05
    ggplot2::ggplot(table, ggplot2::aes(.data$rank, .data$value)) +
        (if (!is.na(place)) ggplot2::geom_vline(
            xintercept = table$rank[place], linetype = 2)) +
        list(ggplot2::geom_segment(ggplot2::aes(xend = .data$end,
                                                yend = .data$at),
                                   data = best, alpha = 0.2),
             ggplot2::geom_text(ggplot2::aes(.data$end, .data$at,
                                             label = .data$name),
                                data = best, hjust = -0.05, size = 3)) +
        auto_points(if (!is.null(adjusted)) adjusted <= 0.05, 0.7) +
        # space for names beyond the last rank
        scale_rank(expand = ggplot2::expansion(mult = c(0.04, 0.25))) +
        (if (info$direction == "lower") ggplot2::scale_y_reverse()) +
        ggplot2::labs(title = info$label, subtitle = ties_note(object, info),
                      x = if (many) "Rank (log scale)" else "Rank",
                      y = capitalise(info$key))
}

auto_subset <- function(object, n) {
    table <- entered_features(object, "object")
    table$name <- shown_names(table$feature)
    ggplot2::ggplot(table, ggplot2::aes(.data$entry, .data$score)) +
        ggplot2::geom_line() + ggplot2::geom_point(size = 0.7) +
        ggplot2::geom_vline(xintercept = which.min(table$score), linetype = 2) +
        ggplot2::geom_text(ggplot2::aes(label = .data$name), vjust = -0.6,
                           data = utils::head(table, n), size = 3) +
        ggplot2::labs(x = "Number of features", y = subset_measure(object),
                      title = attr(object, "info")$label)
}

auto_volcano <- function(table) {
    words <- attr(table, "words")
    names <- table[table$named, ]
    names$name <- shown_names(names$feature)
    ggplot2::ggplot(table, ggplot2::aes(.data$effect, .data$height)) +
        ggplot2::geom_vline(xintercept = 0, alpha = 0.3) +
        auto_points(if (!is.null(words)) table$significant, 0.8, words) +
        ggplot2::geom_text(ggplot2::aes(label = .data$name), data = names,
                           size = 3, vjust = -0.6, hjust = "inward",
                           check_overlap = TRUE) +
        ggplot2::scale_y_continuous(
            expand = ggplot2::expansion(mult = c(0.05, 0.12))) +
        auto_titles(table)
}

# ---- features in the data ---------------------------------------------------

auto_heat <- function(view, title) {
    cells <- scale_cells(view$cells)
    classes <- addNA(view$classes %||% factor(rep("", nrow(cells))),
                     ifany = TRUE)
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
    ggplot2::ggplot(table, ggplot2::aes(.data$place, .data$feature,
                                        fill = .data$value,
                                        width = .data$width)) +
        ggplot2::geom_tile() + feature_axis(levels(table$feature)) +
        ggplot2::scale_x_continuous(breaks = NULL, expand = c(0, 0)) +
        ggplot2::scale_fill_gradientn(colours = heat_colours,
                                      limits = c(-2, 2)) +
        (if (nlevels(classes) > 1L) ggplot2::facet_wrap(
            ggplot2::vars(.data$class), nrow = 1L,
            labeller = strip_labels(levels(classes), nlevels(classes)))) +
        ggplot2::labs(x = paste(length(order), "samples"), y = NULL,
                      fill = "sd", title = title)
}

auto_dots <- function(dots, view, title) {
    dots$feature <- factor(dots$feature, rev(view$names))
    top <- min(max(abs(dots$mean), 1e-9), attr(dots, "limit"))
    dots$mean <- pmin(pmax(dots$mean, -top), top)
    ggplot2::ggplot(dots, ggplot2::aes(.data$class, .data$feature,
                                       size = .data$share, fill = .data$mean)) +
        ggplot2::geom_point(shape = 21L) + feature_axis(levels(dots$feature)) +
        ggplot2::scale_x_discrete(guide = ggplot2::guide_axis(
            angle = if (sum(nchar(levels(dots$class))) > 50L) 90)) +
        ggplot2::scale_size_area(limits = c(0, 1)) +
        ggplot2::scale_fill_gradientn(colours = heat_colours,
                                      limits = c(-top, top)) +
        ggplot2::labs(x = NULL, y = NULL, fill = attr(dots, "colour"),
                      size = attr(dots, "level"), title = title)
}

# ---- samples ----------------------------------------------------------------

# The points of the samples on `below`.
auto_samples <- function(view, below = NULL) {
    samples <- data.frame(x = view$axes[, 1L], y = view$axes[, 2L])
    samples$class <- view$classes
    look <- if (is.null(view$classes)) ggplot2::aes() else
        ggplot2::aes(colour = .data$class, shape = .data$class)
    ggplot2::ggplot(samples, ggplot2::aes(.data$x, .data$y)) + below +
        ggplot2::geom_point(look, size = 1.5 * point_size(nrow(samples))) +
        (if (!is.null(view$classes)) style_scales(nlevels(view$classes))) +
        ggplot2::labs(x = view$titles[1L], y = view$titles[2L],
                      linetype = NULL, colour = NULL, shape = NULL)
}

auto_lines <- function(lines, types) {
    list(ggplot2::geom_segment(
        ggplot2::aes(xend = .data$xend, yend = .data$yend,
                     linetype = .data$kind), data = lines),
         ggplot2::scale_linetype_manual(values = types, drop = FALSE))
}

# Of more classes than there are colours.
class_names <- function(view) {
    if (outnumber_colours(view$classes)) {
        centres <- class_centres(view)
        list(ggplot2::geom_label(
                 ggplot2::aes(label = .data$name), size = 3, alpha = 0.8,
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
    wide <- any(table$low < table$high, na.rm = TRUE)
    band <- if (wide) ggplot2::geom_ribbon(
        ggplot2::aes(ymin = .data$low, ymax = .data$high,
                     group = .data$ranking), alpha = 0.1, colour = NA)
    ggplot2::ggplot(table, ggplot2::aes(.data$features, .data$value,
                                        colour = .data$ranking,
                                        linetype = .data$ranking)) +
        (if (nrow(others)) ggplot2::geom_line(
            ggplot2::aes(.data$features, .data$value, group = .data$ranking),
            data = others, inherit.aes = FALSE, alpha = 0.4,
            colour = unknown_style()$colour)) +
        band + ggplot2::geom_line() +
        style_scales(nlevels(table$ranking), line = TRUE) +
        (if (log == "x") ggplot2::scale_x_log10()) +
        (if (log == "y") ggplot2::scale_y_log10()) +
        (if (!is.null(level)) ggplot2::geom_hline(yintercept = level,
                                                  linetype = 2)) +
        (if (!is.null(ticks)) ggplot2::scale_y_continuous(breaks = ticks)) +
        auto_titles(picture, colour = NULL, linetype = NULL)
}

# ---- glean ------------------------------------------------------------------

auto_parts <- function(object, n) {
    relative <- relative_parts(object, n)
    table <- data.frame(
        feature = factor(rep(rownames(relative), ncol(relative)),
                         rev(rownames(relative))),
        part = factor(rep(colnames(relative), each = nrow(relative)),
                      colnames(relative)), share = as.vector(relative))
    ggplot2::ggplot(table, ggplot2::aes(.data$share, .data$feature,
                                        fill = .data$part)) +
        ggplot2::geom_col() + feature_axis(levels(table$feature)) +
        ggplot2::scale_fill_manual(
            values = part_style[colnames(relative), "colour"], guide = "none") +
        ggplot2::facet_wrap(ggplot2::vars(.data$part), nrow = 1L) +
        # short labels, so that those of two panels do not touch
        ggplot2::scale_x_continuous(breaks = c(0, 0.5, 1),
                                    labels = c("0", "0.5", "1")) +
        ggplot2::labs(x = "Fraction of the part's largest value", y = NULL,
                      title = attr(object, "info")$label)
}

auto_glean_samples <- function(object, n) {
    table <- glean_samples(object)
    titles <- attr(table, "titles")
    ggplot2::ggplot(table, ggplot2::aes(
        .data$x, .data$y, colour = .data$group, shape = .data$group,
        size = .data$confidence
    )) + ggplot2::geom_point() + style_scales(nlevels(table$group)) +
        ggplot2::scale_size(range = c(0.5, 3)) +
        ggplot2::labs(x = titles[1L], y = titles[2L],
                      title = attr(object, "info")$label)
}
