#' Plot the questions of active selection
#'
#' Draws the samples on two axes with the questions numbered in order.
#'
#' @param x What [active_constraints()] returned.
#' @param y The data, as for [active_constraints()]; missing values are replaced
#'   by the feature's mean for this plot.
#' @param space,classes,assay.type Coordinates and colours of the samples, and
#'   which assay of a container: see [plot.pairwise_constraints()].
#' @param labels Are the questions numbered?
#' @param main,xlab,ylab,... Graphical parameters for the samples, passed on to
#'   [plot()].
#'
#' @return The coordinates, a matrix with one row per sample and columns `PC1`
#'   and `PC2` (or as `space` names them), invisibly.
#'
#' @details The number of a question is drawn at the middle of the line between
#'   its samples, or beside it: solid lines are must-links, dashed ones
#'   cannot-links, dotted ones unsure. Pairs that follow from the answers are not
#'   drawn; `plot(close_constraints(x), y)` draws them.
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
