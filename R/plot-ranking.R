# Pictures of rankings and of the features in them.

# ==== rankings ================================================================

#' Plot a ranking
#'
#' Draws the ordered scores, margins against p-values, scores along a spectrum,
#' or the course of an iterative method.
#'
#' @param x A `feature_ranking`; for `"significance"` one with margins and
#'   p-values: of [stir()], or with `permutations`; for `"convergence"` one by
#'   [irelief()], [simba()] or [simba_sc()].
#' @param type `"scores"`, `"significance"`, `"convergence"` or `"curve"`;
#'   [plot_features()] draws the features in the data.
#' @param y,classes For `"curve"`: the data (`plot(ranking, data, type =
#'   "curve")`, since `x` is the ranking), and a class for each sample or the
#'   name of a column of sample data; without classes the groups that [glean()]
#'   found, or all samples.
#' @param n How many of the best features to name; for `"significance"` those of
#'   the smallest `fdr`.
#' @param alpha The false discovery rate up to which a feature is marked; an
#'   error without p-values.
#' @param main,xlab,ylab,... Graphical parameters: `log = ""` gives a linear
#'   axis of ranks, `xlim` and `ylim` zoom in.
#'
#' @return `x`, invisibly.
#'
#' @details *Scores.* The vertical axis is the column that orders the ranking.
#'   The elbow is the last point before the one farthest below the straight line
#'   between the first feature and the last one with a positive value: a guide,
#'   not a rule. Names lose their common prefix and suffix; the last line counts
#'   those that do not fit.
#'
#' *Significance.* The margin of each feature against -log10 of its p-value, by
#' permutation where there is one: features on the right separate the groups
#' widely, at the top consistently. Filled triangles are significant after
#' adjustment. The smallest p-value by permutation is 1 / (permutations + 1).
#' Features without one are left out.
#'
#' *Convergence.* For [irelief()], the change of the weights in each iteration.
#' For [simba()] and [simba_sc()], the running mean of the margins of each start
#' and its total margin with the final weights; the largest, drawn solid, is
#' chosen. Where curves have not settled, or starts differ, more are needed.
#'
#' *Curve.* For features in an order: ten or more, whose names are numbers,
#' alike but for these (`nm1100`, `nm1102`). Along this axis the mean of each
#' class and, above them, the scores, the best at the top. A feature without a
#' score is a gap.
#'
#' @section Errors: `linkrank_error_argument` when the ranking has no p-values,
#'   no course or no axis to draw.
#'
#' @examples
#' x <- log2(colon$x)
#' set.seed(1)
#' links <- constraints_from_labels(colon$tissue, cannot_link = 10,
#'                                  must_link = 0)
#' plot(relieff_sc(x, links))
#' plot(stir(x, colon$tissue, k = 1), type = "significance")
#' plot(irelief(iris[, 1:4], iris$Species, sigma = 0.5), type = "convergence")
#' @exportS3Method
plot.feature_ranking <- function(
    x, type = c("scores", "significance", "convergence", "curve"), y = NULL,
    n = 10L, alpha = 0.05, classes = NULL, main = NULL, xlab = NULL,
    ylab = NULL, ...) {
    check_ranking(x, "x")
    type <- check_plot_type(type, ranking_plots)
    drawn <- c("n", "alpha")
    refuse_unused("type", type, list(scores = drawn, significance = drawn,
                                     curve = c("y", "classes")))
    n <- check_count(n, "n", 0)
    if (type == "scores" && !missing(alpha))
        check_significance(x, "`alpha` needs")
    alpha <- check_number(alpha, "alpha", 0, 1)
    draw(ranking_picture(x, type, n, alpha, y, classes, "y",
                         log = list(...)$log), main, xlab, ylab, ...)
    invisible(x)
}

# `name`: the argument that holds the data `y`.
ranking_picture <- function(x, type, n, alpha, y, classes, name,
                            assay.type = NULL, log = NULL) {
    switch(type,
        scores = score_picture(x, n, alpha, log),
        significance = volcano(significance_volcano(x, n, alpha)),
        curve = axis_curves(x, y, classes, name, assay.type),
        convergence = convergence_curves(x))
}

# What plot() and autoplot() draw of any ranking.
ranking_plots <- c("scores", "significance", "convergence", "curve")

# Data, which plots of pairs and graphs take here, are for another function.
check_plot_type <- function(type, types) {
    refuse_if(length(dim(type)) == 2L || list(type) %in% c("heat", "dots"),
              "`plot()` of a ranking takes no data: ",
              "plot_features(x, ranking) draws its features in the data `x`.")
    check_choice(type, types, "type")
}

# The features with a score, best first.
score_picture <- function(x, n, alpha, log) {
    info <- attr(x, "info")
    shown <- as.data.frame(x)[order(x$rank), ]
    shown$value <- shown[[info$key]]
    shown <- shown[is.finite(shown$value), ]
    refuse_if(!nrow(shown), "The ranking must contain a finite ", info$key, " ",
              "to be plotted, but it has none.")
    # with more features the first few would be compressed at the edge
    log <- log %||% if (nrow(shown) > 500L) "x" else ""
    lower <- info$direction == "lower"
    places <- data.frame(x = shown$rank, y = shown$value)
    adjusted <- shown[["fdr"]]
    elbow <- shown$rank[elbow(shown$value)]
    tested <- tested_points(places, (adjusted <= alpha) %in% TRUE,
                            if (!is.null(adjusted)) paste("fdr <=", alpha))
    picture(
        titles_are(paste0(info$label, ": ", count_noun(nrow(x), "feature")),
                   if (grepl("x", log)) "Rank (log scale)" else "Rank",
                   paste0(capitalise(info$key),
                          if (lower) ", lower is better")),
        list(across = if (min(shown$value) < 0) data.frame(yintercept = 0,
                                                           shade = 0.3),
             down = if (!is.na(elbow)) data.frame(
                 xintercept = elbow, line = 2L, shade = 0.6,
                 label = paste("elbow:", elbow)),
             points = tested$points),
        styles = tested$styles, note = ties_note(x, info), whole = TRUE,
        names = utils::head(cbind(places, label = shown$feature), n),
        # the best feature is always at the top
        settings = list(log = log, ylim = if (lower) rev(
            window_of(shown$value, NULL)))
    )
}

# Points with their styles: filled if significant, drawn last, over the others;
# open if not; without a test, where `words` is NULL, all are the same.
tested_points <- function(places, significant, words) {
    if (is.null(words))
        return(list(points = cbind(places, shade = 0.7, size = 0.5)))
    counts <- c(sum(significant), sum(!significant))
    points <- cbind(places, of = 2L - significant,
                    size = ifelse(significant, 0.75, 0.5))
    list(points = points[order(significant), ], styles = cbind(
        label = paste0(c(words, "others"), " (", counts, ")"),
        significance_style(), legend = "top"
    ))
}

significance_style <- function() {
    data.frame(colour = c(colours[["vermillion"]], ink(0.7)),
               shape = c(17L, 1L), line = 0L)
}

# ==== margins =================================================================

# Plots of p-values and of the convergence of margin methods.

# The margin of each feature against -log10 of its p-value, a table as that of
# marker_volcano().
significance_volcano <- function(x, n, alpha) {
    check_significance(x, "`x` must contain")
    p_value <- x[["p_value"]]
    known <- !is.na(p_value)
    refuse_if(!any(known), "A feature of `x` must have a p-value, but all are ",
              "missing.")
    refuse_if(is.null(x[["margin"]]), "`x` must be a ranking with margins and ",
              "p-values, not one by ", attr(x, "info")$label, ".")
    p_value <- p_value[known]
    adjusted <- x[["fdr"]][known]
    titled(data.frame(
        feature = x$feature[known], effect = x$margin[known],
        height = -log10(pmax(p_value, min(p_value[p_value > 0], 1))),
        significant = (adjusted <= alpha) %in% TRUE,
        named = order(order(adjusted, p_value, -x$margin[known])) <= n),
        paste0(attr(x, "info")$label, ": ", count_noun(sum(known), "feature")),
        "Margin", "-log10 of the p-value", words = paste("fdr <=", alpha))
}

# The course of an iterative method. Means of the first few visits would
# compress the rest, and a change of 0 has no logarithm.
convergence_curves <- function(x) {
    info <- attr(x, "info")
    steps <- info$convergence
    refuse_if(is.null(steps) && is.null(info$trace), "`x` must be a ranking ",
              "by irelief(), simba() or simba_sc(), not by ", info$label, ".")
    if (is.null(steps)) {
        visits <- nrow(info$trace)
        late <- which(seq_len(visits) > 0.05 * visits)
        first <- order(-info$starts$margin)
        names <- paste0("start ", first, ": ", formatC(
            info$starts$margin[first], digits = 4L),
            ifelse(info$starts$chosen[first], ", chosen", ""))
        running <- apply(info$trace, 2L, cumsum) / seq_len(visits)
        dim(running) <- dim(info$trace)
        x <- rep(late, length(first))
        y <- as.vector(running[late, first])
        of <- factor(rep(names, each = length(late)), names)
        titles <- c("Visit; beside it the total margin with the final weights",
                    "Mean margin so far")
    } else {
        steps <- steps[steps$change > 0, ]
        refuse_if(!nrow(steps), "The weights of `x` must change to have a ",
                  "course, but they did not.")
        x <- steps$iteration
        y <- steps$change
        of <- factor(rep("", length(y)))
        titles <- c("Iteration", "Change of the weights")
    }
    curves(curve_table(x, y, of),
           titles_are(paste0(info$label, ": convergence"), titles[1L],
                      titles[2L]),
           settings = list(log = if (is.null(steps)) "" else "y"),
           level = info$parameters$tol)
}

# ==== along an axis ===========================================================

# Means of groups, and above them the scores. `name`: of the argument `x`.
axis_curves <- function(ranking, x, classes, name, assay.type = NULL) {
    refuse_if(is.null(x), "`", name, "` must be the data for type \"curve\".")
    data <- prepare_data(x, assay.type = assay.type)
    at <- axis_places(data$features)
    refuse_if(is.null(at), "`", name, "` must have ten features or more whose ",
              "names are numbers, alike but for these, not ",
              quote_values(utils::head(data$features, 3L)), ".")
    groups <- view_classes(classes, x, data, of = name) %||%
        if (inherits(ranking, "glean_ranking")) glean_samples(ranking)$group
    if (length(groups) != data$n || all(is.na(groups)))
        groups <- factor(rep("all samples", data$n))
    along <- order(at)
    means <- group_moments(data, as.integer(groups), nlevels(groups))$mean
    ends <- range(means, na.rm = TRUE)
    info <- attr(ranking, "info")
    score <- ordering_scores(ranking) * if (info$direction == "lower") -1 else 1
    score <- (score - min(score, na.rm = TRUE)) /
        max(diff(range(score, na.rm = TRUE)), 1e-300)
    score <- ends[2L] + max(diff(ends), 1e-9) * (0.1 + 0.4 * score)
    score <- score[match(seq_len(data$p), feature_places(x, ranking, Inf,
                                                         data))]
    kinds <- c(info$key, levels(groups))
    curves(curve_table(at[along], as.vector(cbind(score, means)[along, ]),
                       gl(length(kinds), data$p, labels = kinds)),
           titles_are(paste0(info$label, ": ", kinds[1L], " and means"),
                      "Feature", "Mean"), settings = list(yaxt = "n"),
           ticks = Filter(function(at) at <= ends[2L], pretty(ends)))
}

# ==== features ================================================================

# The best features of a ranking in the data.

#' Plot the best features in the data
#'
#' Draws a heat map of the best features, with samples ordered by class and the
#' links marked below, or a dot for each feature and class.
#'
#' @param x The data, as for [prepare_data()], with the features of the ranking.
#' @param ranking A `feature_ranking`.
#' @param n How many of the best features to show.
#' @param classes Class of each sample, or the name of a column of `colData()`
#'   or `pData()`. Needed for dots.
#' @param constraints Pairs to mark below the heat map; at most 200 of each
#'   kind.
#' @param type `"heat"` or `"dots"`.
#' @param assay.type Which assay of a container: see [prepare_data()].
#' @param main,... The title, and graphical parameters for [title()].
#'
#' @return Invisibly, what is drawn. Heat: a matrix of features by samples, each
#'   feature with mean 0 and standard deviation 1. Dots: a data.frame with a row
#'   per feature and class: `feature`, `class`, `mean` of the standardised
#'   values, `share`, the proportion of samples above 0 (above the feature's
#'   median unless the smallest value shown is 0), `samples`.
#'
#' @details *Heat.* Colours go from -2 (blue) to 2 standard deviations (red).
#'   Samples are ordered by class, and within a class by the first principal
#'   component of the features shown. A class has at least 3 percent of the
#'   width; with more than 600 samples adjacent samples are averaged. Links are
#'   arcs: solid for must-links, dashed for cannot-links.
#'
#' *Dots.* The area is `share`; the colour is the mean. A missing value is
#' replaced by the feature's mean, and is not above the level.
#'
#' @section Errors: `linkrank_error_argument` when dots have no classes or `x`
#'   lacks a feature; `linkrank_error_constraints` for other samples.
#'
#' @seealso [plot.feature_ranking()] for the scores
#' @examples
#' set.seed(1)
#' x <- log2(colon$x)
#' links <- constraints_from_labels(colon$tissue, cannot_link = 8,
#'                                  must_link = 5)
#' genes <- relieff_sc(x, links, scale = "none")
#' plot_features(x, genes, classes = colon$tissue, constraints = links)
#' plot_features(x, genes, classes = colon$tissue, type = "dots")
#' @export
plot_features <- function(x, ranking, n = 10L, classes = NULL,
                          constraints = NULL, type = c("heat", "dots"),
                          assay.type = NULL, main = NULL, ...) {
    type <- check_choice(type)
    view <- feature_view(x, ranking, n, classes, constraints, assay.type)
    if (type == "dots") return(draw_dots(class_dots(view), main, ...))
    cells <- scale_cells(view$cells)
    order <- draw_heat(cells, shown_names(view$names), heat_groups(view),
                       view$links, list(main = main %||% view$main, ...))
    invisible(t(cells)[, order, drop = FALSE])
}

# list(names, main, cells, classes, links): the data of plots of features.
feature_view <- function(x, ranking, n, classes, constraints, assay.type) {
    check_ranking(ranking)
    data <- prepare_data(x, assay.type = assay.type)
    places <- feature_places(x, ranking, n, data)
    names <- top_features(ranking, n)
    refuse_if(!length(names), "`ranking` must have a feature, but it has none.")
    links <- if (!is.null(constraints)) {
        check_constraints(constraints)
        link_pairs(match_constraints(constraints, data), 200L)
    }
    cells <- read_features(data, places)
    dimnames(cells) <- list(data$samples, names)
    list(names = names, cells = cells,
         main = paste0(attr(ranking, "info")$label, ": ",
                       if (length(names) == nrow(ranking)) "all " else
                           "the best ", count_noun(length(names), "feature")),
         classes = view_classes(classes, x, data), links = links)
}

shown_names <- function(names) {
    shorten(drop_common(names, 16L), 40L)
}

# A row per feature and class.
class_dots <- function(view) {
    classes <- view$classes
    refuse_if(is.null(classes), "`classes` must be given for dots, which show ",
              "a value for each feature and class.")
    refuse_if(all(is.na(classes)), "`classes` must contain a known class, but ",
              "all are NA.")
    cells <- view$cells
    level <- if (min(cells, Inf, na.rm = TRUE) == 0) rep(0, ncol(cells)) else
        apply(cells, 2L, stats::median, na.rm = TRUE)
    count <- as.vector(table(classes))
    known <- !is.na(classes)
    means <- function(values) {
        rowsum(values[known, , drop = FALSE], as.integer(classes)[known]) /
            count
    }
    above <- sweep(cells, 2L, level, ">")
    above[is.na(above)] <- FALSE
    titled(
        data.frame(feature = rep(view$names, each = nlevels(classes)),
                   class = factor(rep(levels(classes), ncol(cells)),
                                  levels(classes)),
                   mean = as.vector(means(scale_cells(cells))),
                   share = as.vector(means(above + 0)),
                   samples = rep(count, ncol(cells))),
        view$main, "", "", features = view$names,
        level = if (all(level == 0)) "above 0" else "above the median",
        colour = "mean, sd", limit = 2
    )
}

# `dots`, a table: feature, class, mean (its colour) and share; attributes
# `features` from top to bottom, `level` and `colour` name what share and mean
# are, `rules`: rows with a line below, `limit`: where the colours end at the
# latest.
draw_dots <- function(dots, main, ...) {
    cells <- c(nlevels(dots$class), length(attr(dots, "features")))
    inches <- min(graphics::par("pin") / (cells + c(2, 0)))
    draw(dots_picture(dots, max(1, min(3.7, 11 * inches))), main, ...)
    invisible(dots)
}

# `largest`: the size of a dot for a share of 1.
dots_picture <- function(dots, largest = 3.7) {
    features <- attr(dots, "features")
    rows <- length(features)
    classes <- levels(dots$class)
    top <- min(max(abs(dots$mean), 1e-9), attr(dots, "limit"))
    paint <- function(level) {
        heat_colours[round((pmin(pmax(level, -1), 1) + 1) * 20) + 1]
    }
    outline <- ink(0.5)
    lines <- c(seq_len(rows), rows + 0.5 - attr(dots, "rules"))
    key <- data.frame(
        label = c(attr(dots, "level"), "25 %", "50 %", "100 %",
                  attr(dots, "colour"), signif(c(-top, 0, top), 2L)),
        colour = outline, shape = rep(c(NA, 21L, 21L, 21L), 2L), line = 0L,
        fill = paint(c(0, 0, 0, 0, 0, -1, 0, 1)), legend = "side",
        size = largest * sqrt(c(0, 0.25, 0.5, 1, 0, 0.5, 0.5, 0.5)))
    picture(
        attr(dots, "titles"),
        list(segments = data.frame(
                 x = 0.4, xend = length(classes) + 0.6, y = lines, yend = lines,
                 shade = rep(c(0.12, 0.4), c(rows, length(lines) - rows))),
             points = data.frame(
                 x = as.integer(dots$class),
                 y = rows + 1 - match(dots$feature, features), shape = 21L,
                 size = largest * sqrt(dots$share), colour = outline,
                 fill = paint(dots$mean / top)),
             # only for the legend
             points = data.frame(x = NA_real_, y = NA_real_, of = 1:8)),
        styles = key, rows = shown_names(features),
        columns = shorten(classes, 40L),
        settings = list(xlim = c(0.4, length(classes) + 0.6),
                        ylim = c(0.4, rows + 0.6), xaxt = "n", yaxt = "n")
    )
}
