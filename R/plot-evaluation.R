# Pictures of evaluations and of questions.

# ==== evaluations =============================================================

# Curves along rankings.

# What ranking_stability() measures, by column.
stability_measures <- c(overlap = "overlap",
                        corrected = "overlap beyond chance",
                        chance = "the same, relabelled",
                        correlation = "rank correlation")

# A table of curves: x, y, kind (the name of the curve, the best first where
# there are more than have a colour), ymin and ymax. `around`: the length of a
# bar to either side.
curve_table <- function(x, y, kind, around = 0) {
    data.frame(x, y, kind, ymin = y - around, ymax = y + around)
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
    curves(curve_table(table$features, value, ranking, around),
           titles_are(main, "Features", metric_title(measure)))
}

stability_curves <- function(x, name) {
    check_columns(x, c("features", names(stability_measures)), name,
                  "ranking_stability()")
    value <- unlist(unclass(x)[names(stability_measures)], use.names = FALSE)
    measure <- factor(rep(stability_measures, each = nrow(x)),
                      stability_measures)
    table <- curve_table(x$features, value, measure)[is.finite(value), ]
    curves(table, titles_are(
        paste0(attr(x, "method"), ": agreement between ",
               count_noun(attr(x, "rankings"), "part"), " of the samples"),
        "Features", "Agreement"
    ), settings = list(log = "x", ylim = range(0, 1, table$y)))
}

# Largest number of curves in colour, with a name at the end of each.
most_curves <- 8L

#' @rdname ranking_evaluation
#' @exportS3Method
plot.ranking_evaluation <- function(x, measure = NULL, main = NULL,
                                    xlab = "Features", ylab = NULL, ...) {
    draw(evaluation_curves(x, measure, "x"), main, xlab, ylab, ...)
    invisible(x)
}

# The picture of a table of curves: a line with a mark at its end, or the mark
# alone. `level`: where a line is dashed.
curves <- function(table, titles, level = NULL, ...) {
    kinds <- droplevels(table$kind)
    lines <- cbind(table[1:2], of = as.integer(kinds), table[4:5])
    lines <- lines[order(lines$of, lines$x), ]
    shown <- lines[lines$of <= most_curves, ]
    others <- lines[lines$of > most_curves, ]
    known <- shown[is.finite(shown$y), ]
    wide <- known$of[known$ymin < known$ymax]
    ends <- known[!duplicated(known$of, fromLast = TRUE), c("x", "y", "of")]
    count <- nlevels(kinds)
    named <- utils::head(levels(kinds), most_curves)
    styles <- cbind(label = named, style_of(length(named)),
                    legend = if (identical(named, "")) "" else "names")
    picture(
        titles,
        list(lines = if (nrow(others)) cbind(others[1:3], shade = 0.25),
             bands = known[known$of %in% wide, -2L],
             lines = cbind(shown[1:3], width = 2), points = ends,
             across = if (!is.null(level)) data.frame(
                 yintercept = level, line = 2L, shade = 0.5)),
        styles = styles, names = cbind(ends, label = styles$label[ends$of]),
        note = if (count > most_curves) paste(count - most_curves,
                                              "more in grey"),
        whole = TRUE, whole_names = TRUE, ...
    )
}

#' @rdname ranking_stability
#' @param main,xlab,ylab Titles of the plot.
#' @exportS3Method
plot.ranking_stability <- function(x, main = NULL, xlab = "Features",
                                   ylab = "Agreement", ...) {
    draw(stability_curves(x, "x"), main, xlab, ylab, ...)
    invisible(x)
}

# ==== plans of questions ======================================================

# The plan of questions, and curves along them.

#' @rdname plan_questions
#' @order 3
#' @param main Title of the plot.
#' @export
plot.question_plan <- function(x, main = "Features found by questions", ...) {
    tables <- lapply(c("found", "right"), function(what) {
        curve <- curve_table(x$questions, x[[what]], factor(what),
                             x[[paste0(what, "_se")]])
        transform(curve, ymin = pmax(0, curve$ymin),
                  ymax = pmin(1, curve$ymax))
    })
    draw(curves(do.call(rbind, tables),
                titles_are(main, "Questions", "Share of planted features"),
                level = attr(x, "info")$target,
                settings = list(ylim = c(0, 1))), ...)
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
#' @param x What [active_constraints()] returned, or a [questionnaire()].
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
#' @rawNamespace S3method(plot, questionnaire, plot.active_constraints)
plot.active_constraints <- function(x, y, space = NULL, classes = NULL,
                                    assay.type = NULL,
                                    labels = TRUE, main = "Questions in order",
                                    xlab = NULL, ylab = NULL, ...) {
    view <- sample_view(y, assay.type, space, classes,
                              "was asked about, as in plot(links, x)")
    x <- match_constraints(check_constraints(held_constraints(x)),
                           view$data)
    if (is.null(x$questions)) {
        # a subset of the samples: only the pairs are left
        return(plot(x, y, space, classes, assay.type, main = main,
                    xlab = xlab, ylab = ylab, ...))
    }
    draw(questions_asked(x, view, check_flag(labels, "labels")), main, xlab,
         ylab, ...)
    invisible(view$axes)
}

# A line for each question that was asked; what followed from it is not drawn.
questions_asked <- function(x, view, labels) {
    asked <- x$questions[!x$questions$implied, ]
    kind <- factor(asked$type, rownames(agreement_style))
    lines <- lines_between(view$axes, asked$i, asked$j)
    lines$of <- as.integer(kind)
    samples_picture(
        view, lines, paste0(c("same", "different", "unsure"), " (", table(kind),
                            ")"), agreement_style, unique(c(asked$i, asked$j)),
        labels = if (labels && nrow(lines)) data.frame(
            x = (lines$x + lines$xend) / 2, y = (lines$y + lines$yend) / 2,
            label = asked$question, size = 0.65)
    )
}
