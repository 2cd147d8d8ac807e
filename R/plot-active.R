#' Plot the questions of active selection
#'
#' Draws the samples on the first two principal components with the questions
#' numbered in order, and for `strategy = "perturbation"` the second
#' eigenvector before the first and after the last answer.
#'
#' @param x What [active_constraints()] returned.
#' @param y The data, as for [active_constraints()]; missing values are replaced
#'   by the feature's mean for this picture.
#' @param assay.type Which assay of a container: see [relieff_sc()].
#' @param main,xlab,ylab,... Graphical parameters for the samples, passed on to
#'   [plot()].
#'
#' @return The coordinates, a matrix with one row per sample and columns `PC1`
#'   and `PC2`, invisibly.
#'
#' @details A question's number stands between its samples: solid lines
#'   are must-links, dashed ones cannot-links, dotted ones unsure. Pairs that
#'   earlier answers decided are drawn without a number. Samples outside the
#'   component that v_2 is about have no point in the second picture.
#'
#' @seealso [plot.pairwise_constraints()] for constraints of any origin
#' @examples
#' links <- active_constraints(colon$x, colon$tissue, n = 4,
#'                             strategy = "perturbation", max_questions = 10)
#' plot(links, colon$x)
#' @exportS3Method
plot.active_constraints <- function(x, y, assay.type = NULL,
                                    main = "Questions in order", xlab = NULL,
                                    ylab = NULL, ...) {
    if (missing(y)) {
        abort_linkrank("`y` must be the data that was asked about, as in ",
                       "plot(links, x).", class = "argument")
    }
    data <- as_feature_data(y, assay.type, missing = "keep")
    x <- match_constraints(x, data)
    if (is.null(x$questions)) {
        # some of the samples: the pairs alone are left
        return(plot(x, y, assay.type, main = main, xlab = xlab, ylab = ylab,
                    ...))
    }
    axes <- principal_components(data)
    vectors <- known_vectors(x)
    if (length(vectors)) {
        old <- graphics::par(mfrow = c(1L, 2L))
        on.exit(graphics::par(old))
    }
    draw_component_axes(axes, main, xlab, ylab, ...)
    draw_questions(x$questions, axes)
    if (length(vectors)) {
        draw_vectors(vectors)
    }
    invisible(axes)
}

# v_2 of the steps that have one.
known_vectors <- function(x) {
    if (is.null(x$vectors)) {
        return(NULL)
    }
    x$vectors[, colSums(!is.na(x$vectors)) > 0, drop = FALSE]
}

draw_questions <- function(questions, axes) {
    colour <- c(`must-link` = link_colours[["must"]],
                `cannot-link` = link_colours[["cannot"]], unsure = "grey50")
    line <- c(`must-link` = 1, `cannot-link` = 2, unsure = 3)
    touched <- unique(c(questions$i, questions$j))
    from <- axes[questions$i, , drop = FALSE]
    to <- axes[questions$j, , drop = FALSE]
    graphics::points(axes, pch = 20, col = "grey75")
    graphics::segments(from[, 1L], from[, 2L], to[, 1L], to[, 2L],
                       col = colour[questions$type],
                       lty = line[questions$type],
                       lwd = ifelse(questions$implied, 1, 1.5))
    graphics::points(axes[touched, , drop = FALSE], pch = 20)
    asked <- !questions$implied
    if (any(asked)) {
        draw_numbers(questions[asked, ], from[asked, , drop = FALSE],
                     to[asked, , drop = FALSE], colour)
    }
    counts <- table(factor(questions$type, names(colour)))
    graphics::legend("top", horiz = TRUE, bty = "n", cex = 0.8, lwd = 1.5,
                     lty = line, col = colour,
                     legend = paste0(c("same", "different", "unsure"), " (",
                                     counts, ")"))
}

draw_numbers <- function(questions, from, to, colour) {
    # not all half way: many questions may share a sample
    part <- rep_len(c(0.5, 0.4, 0.6, 0.35, 0.65), nrow(questions))
    middle <- part * from + (1 - part) * to
    graphics::points(middle, pch = 21, bg = "white", cex = 2.1,
                     col = colour[questions$type])
    graphics::text(middle, labels = questions$question, cex = 0.65)
}

# Samples in order of the first vector; the sign of the last one as the first's.
draw_vectors <- function(vectors) {
    before <- vectors[, 1L]
    after <- vectors[, ncol(vectors)]
    if (sum(before * after, na.rm = TRUE) < 0) {
        after <- -after
    }
    place <- order(before)
    graphics::matplot(cbind(before, after)[place, ], pch = c(1, 20),
                      col = c("grey55", "black"), las = 1,
                      main = "Second eigenvector", ylab = "v_2",
                      xlab = "Samples in order of v_2 before")
    graphics::abline(h = 0, col = "grey80")
    graphics::legend("topleft", bty = "n", cex = 0.8, pch = c(1, 20),
                     col = c("grey55", "black"),
                     legend = c("before the first answer",
                                "after the last answer"))
}
