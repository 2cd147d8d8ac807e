#' Plot the questions of active selection
#'
#' Draws the samples on two axes with the questions numbered in order.
#'
#' @param x What [active_constraints()] returned.
#' @param y The data, as for [active_constraints()]; missing values are replaced
#'   by the feature's mean for this plot.
#' @param space,classes,assay.type Coordinates and colours of the samples, and
#'   which assay of a container: see [plot.pairwise_constraints()].
#' @param main,xlab,ylab,... Graphical parameters for the samples, passed on to
#'   [plot()].
#'
#' @return The coordinates, a matrix with one row per sample and columns `PC1`
#'   and `PC2` (or as `space` names them), invisibly.
#'
#' @details The number of a question is drawn between its samples: solid lines
#'   are must-links, dashed ones cannot-links, dotted ones unsure. Pairs that
#'   earlier answers decided are drawn without a number.
#'
#' @seealso [plot.pairwise_constraints()] for constraints of any origin
#' @examples
#' x <- log2(colon$x)
#' links <- active_constraints(x, colon$tissue, n = 8)
#' plot(links, x)
#' @exportS3Method
plot.active_constraints <- function(x, y, space = NULL, classes = NULL,
                                    assay.type = NULL,
                                    main = "Questions in order", xlab = NULL,
                                    ylab = NULL, ...) {
    view <- sample_view(y, assay.type, space, classes,
                              "was asked about, as in plot(links, x)")
    x <- match_constraints(check_constraints(x), view$data)
    if (is.null(x$questions)) {
        # a subset of the samples: only the pairs are left
        return(plot(x, y, space, classes, assay.type, main = main,
                    xlab = xlab, ylab = ylab, ...))
    }
    lines <- question_lines(x$questions, view$axes)
    draw_linked(lines, view, agreement_style,
                unique(c(x$questions$i, x$questions$j)),
                list(main = main, xlab = xlab, ylab = ylab), ...)
    asked <- which(!lines$implied)
    if (length(asked)) {
        at <- number_places(as.matrix(lines[asked, c("x", "y")]),
                            as.matrix(lines[asked, c("xend", "yend")]))
        graphics::points(at, pch = 21, bg = ink(0), cex = 2.1)
        graphics::text(at, labels = lines$question[asked], cex = 0.65)
    }
    invisible(view$axes)
}

# A line for each question, and each pair that was `implied`.
question_lines <- function(questions, axes) {
    kind <- factor(questions$type, rownames(agreement_style))
    levels(kind) <- paste0(c("same", "different", "unsure"), " (", table(kind),
                           ")")
    cbind(lines_between(axes, questions$i, questions$j), kind = kind,
          questions[c("question", "implied")])
}

# Position of the number of a question on its line: as near to the middle as
# possible without overlap with earlier numbers.
number_places <- function(from, to) {
    parts <- c(0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82)
    inch <- abs(data_inches())
    half <- rep(1.1 * 0.1 * graphics::par("cex"), 2L)
    taken <- matrix(0, 0L, 4L)
    for (i in seq_len(nrow(from))) {
        tried <- (outer(parts, from[i, ]) + outer(1 - parts, to[i, ])) /
            rep(inch, each = length(parts))
        k <- first_free(tried, half, taken)
        taken <- rbind(taken, c(tried[if (is.na(k)) 1L else k, ], half))
    }
    taken[, 1:2, drop = FALSE] * rep(inch, each = nrow(taken))
}
