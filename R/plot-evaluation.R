# Pictures of evaluations and of questions.

# ==== evaluations =============================================================

# Curves along rankings.

# What ranking_stability() measures, by column.
stability_measures <- c(overlap = "overlap",
                        corrected = "overlap beyond chance",
                        chance = "the same, relabelled",
                        correlation = "rank correlation")

# Curves are a picture(): a data.frame features, ranking (the name of the curve,
# the best first where there are more than have a colour), value, low and high,
# with the attributes `settings` of plot(), `level`, where a line is dashed, and
# `ticks` of the vertical axis.

# Such a table; `around`: the length of a bar to either side.
curve_table <- function(features, value, ranking, around = 0) {
    data.frame(features, ranking, value, low = value - around,
               high = value + around)
}

# `name`: the argument that holds `x`.
evaluation_curves <- function(x, measure, name) {
    averaged <- inherits(x, "method_evaluation")
    check_columns(x, c("features", if (averaged) "split"), name,
                  if (averaged) "evaluate_method()" else "evaluate_ranking()")
    table <- if (averaged) average_splits(x) else as.data.frame(x)
    there <- metrics_of(x)
    measure <- if (is.null(measure)) names(there)[1L] else
        check_choice(measure, names(there), "measure")
    value <- table[[measure]]
    ranking <- table$ranking
    around <- 0
    if (averaged && nlevels(ranking) <= 4L) {
        # more bands would hide each other
        around <- table[[paste0(measure, "_se")]]
        around[is.na(around)] <- 0
    }
    if (nlevels(ranking) > most_curves) {
        means <- tapply(value, ranking, mean)
        ranking <- factor(ranking, names(means)[order(
            if (there[[measure]]) means else -means)])
    }
    draws <- attr(x, "draws")
    main <- if (averaged) {
        paste0("Mean over ", count_noun(attr(x, "splits"), "split"),
               if (draws > 1) paste(" with", draws, "draws"))
    } else {
        paste(if (own_name(measure) %in% class_metrics) "Classification" else
            "Prediction", "of test samples")
    }
    picture(curve_table(table$features, value, ranking, around), main,
            "Features", metric_title(measure))
}

stability_curves <- function(x, name) {
    check_columns(x, c("features", names(stability_measures)), name,
                  "ranking_stability()")
    value <- unlist(unclass(x)[names(stability_measures)], use.names = FALSE)
    measure <- factor(rep(stability_measures, each = nrow(x)),
                      stability_measures)
    table <- curve_table(x$features, value, measure)[is.finite(value), ]
    picture(table, paste0(attr(x, "method"), ": agreement between ",
                          count_noun(attr(x, "rankings"), "part"),
                          " of the samples"), "Features", "Agreement",
            settings = list(log = "x", ylim = range(0, 1, table$value)))
}

# Largest number of curves in colour, with a name at the end of each.
most_curves <- 8L

#' @rdname ranking_evaluation
#' @exportS3Method
plot.ranking_evaluation <- function(x, measure = NULL, main = NULL,
                                    xlab = "Features", ylab = NULL, ...) {
    draw_curves(evaluation_curves(x, measure, "x"), main, xlab, ylab, ...)
    invisible(x)
}

draw_curves <- function(table, main = NULL, xlab = NULL, ylab = NULL, ...) {
    curves <- split(table, table$ranking, drop = TRUE)
    others <- curves[-seq_len(min(most_curves, length(curves)))]
    curves <- utils::head(curves, most_curves)
    style <- style_of(length(curves))
    names <- fit_names(names(curves), 0.8, whole = TRUE)
    window <- draw_axes(table$features, c(table$low, table$high),
                        titles_of(table, main, xlab, ylab),
                        attr(table, "settings") %||% list(), ...,
                        reserved = c(names$inches, 0), whole = TRUE)
    for (other in others)
        graphics::lines(other$features, other$value, col = ink(0.25))
    if (length(others))
        note_below(paste(length(others), "more in grey"), right = TRUE)
    for (k in seq_along(curves)) draw_band(curves[[k]], style$colour[k])
    last <- vapply(curves, function(curve) {
        known <- curve[!is.na(curve$value), c("features", "value")]
        unlist(known[which.max(known$features), ])
    }, c(features = 0, value = 0))
    # a line with a mark at its end, or the mark alone
    for (k in seq_along(curves)) {
        graphics::lines(curves[[k]]$features, curves[[k]]$value,
                        col = style$colour[k], lty = style$line[k], lwd = 2)
        graphics::points(last["features", k], last["value", k],
                         col = style$colour[k], pch = style$shape[k])
    }
    draw_side_names(names, last["features", ], last["value", ],
                    max(window$x), style$colour)
    graphics::abline(h = attr(table, "level"), lty = 2, col = ink(0.5))
    ticks <- attr(table, "ticks")
    if (!is.null(ticks)) graphics::axis(2L, ticks)
}

draw_band <- function(curve, colour) {
    curve <- curve[is.finite(curve$value), ]
    if (all(curve$low == curve$high)) return(invisible())
    graphics::polygon(c(curve$features, rev(curve$features)),
                      c(curve$low, rev(curve$high)), border = NA,
                      col = grDevices::adjustcolor(colour, 0.15))
}

#' @rdname ranking_stability
#' @param main,xlab,ylab Titles of the plot.
#' @exportS3Method
plot.ranking_stability <- function(x, main = NULL, xlab = "Features",
                                   ylab = "Agreement", ...) {
    draw_curves(stability_curves(x, "x"), main, xlab, ylab, ...)
    invisible(x)
}

# ==== plans of questions ======================================================

# The plan of questions, and curves along them.

#' @rdname plan_questions
#' @order 3
#' @param main Title of the plot.
#' @export
plot.question_plan <- function(x, main = "Features found by questions", ...) {
    curves <- lapply(c("found", "right"), function(what) {
        curve <- curve_table(x$questions, x[[what]], factor(what),
                             x[[paste0(what, "_se")]])
        transform(curve, low = pmax(0, curve$low),
                  high = pmin(1, curve$high))
    })
    draw_curves(picture(do.call(rbind, curves), main, "Questions",
                        "Share of planted features",
                        settings = list(ylim = c(0, 1)),
                        level = attr(x, "info")$target), ...)
    invisible(x)
}

#' @rdname evaluate_questions
#' @order 4
#' @param main,xlab,ylab Titles of the plot.
#' @exportS3Method
plot.question_evaluation <- function(x, measure = NULL, main = NULL,
                                     xlab = "Questions", ylab = NULL, ...) {
    plot(as_method_evaluation(x, measure, "x"), main = main, xlab = xlab,
         ylab = ylab, ...)
    invisible(x)
}

# ==== questions ===============================================================

#' Plot the questions of active selection
#'
#' Draws the samples on two axes with the questions numbered in order.
#'
#' @param x What [active_constraints()] returned.
#' @param y The data, as for [active_constraints()]; missing cells are drawn as
#'   means.
#' @param space,classes,assay.type Coordinates and colours of the samples, and
#'   which assay of a container: see [plot.pairwise_constraints()].
#' @param labels Number the questions?
#' @param main,xlab,ylab,... Graphical parameters for the samples, passed on to
#'   [plot()].
#'
#' @return The coordinates, a matrix with one row per sample and columns `PC1`
#'   and `PC2` (or as `space` names them), invisibly.
#'
#' @details The number of a question is drawn at the middle of the line between
#'   its samples, or beside it: solid lines are must-links, dashed ones
#'   cannot-links, dotted ones unsure. Pairs that follow are not drawn;
#'   `plot(close_constraints(x), y)` draws them.
#'
#' @seealso [plot.pairwise_constraints()] for constraints of any origin
#' @examples
#' x <- log2(colon$x)
#' links <- active_constraints(x, colon$tissue, n = 8)
#' plot(links, x)
#' @exportS3Method
plot.active_constraints <- function(x, y, space = NULL, classes = NULL,
                                    assay.type = NULL,
                                    labels = TRUE, main = "Questions in order",
                                    xlab = NULL, ylab = NULL, ...) {
    view <- sample_view(y, assay.type, space, classes,
                              "was asked about, as in plot(links, x)")
    x <- match_constraints(check_constraints(x), view$data)
    if (is.null(x$questions)) {
        # a subset of the samples: only the pairs are left
        return(plot(x, y, space, classes, assay.type, main = main,
                    xlab = xlab, ylab = ylab, ...))
    }
    lines <- question_lines(x$questions, view$axes)
    draw_linked(lines, view, agreement_style, unique(c(lines$i, lines$j)),
                list(main = main, xlab = xlab, ylab = ylab), ...)
    if (check_flag(labels, "labels")) {
        place_labels(lines$question, cbind(lines$x + lines$xend,
                                           lines$y + lines$yend) / 2,
                     view$axes[0L, ], 0.65, halo = TRUE)
    }
    invisible(view$axes)
}

# A line for each question that was asked; what followed from it is not drawn.
question_lines <- function(questions, axes) {
    asked <- questions[!questions$implied, ]
    kind <- factor(asked$type, rownames(agreement_style))
    levels(kind) <- paste0(c("same", "different", "unsure"), " (", table(kind),
                           ")")
    cbind(lines_between(axes, asked$i, asked$j), kind = kind,
          asked[c("question", "i", "j")])
}
