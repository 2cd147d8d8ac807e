# The curve of a forward selection.

#' Plot a forward selection
#'
#' Draws the score of the subset against its number of features, with the
#' minimum that `top_features(x, n = "best")` uses.
#'
#' @param x What [select_subset()] returned.
#' @param n How many of the first features to name.
#' @param main,xlab,ylab,... Graphical parameters, passed on to [plot()].
#'
#' @return `x`, invisibly.
#'
#' @examples
#' x <- log2(colon$x)
#' set.seed(1)
#' links <- constraints_from_labels(colon$tissue,
#'     cannot_link = 10, must_link = 10)
#' genes <- select_subset(x, links, n = 25)
#' plot(genes)
#' @exportS3Method
plot.subset_ranking <- function(x, n = 10L, main = NULL,
                                xlab = "Number of features", ylab = NULL, ...) {
    n <- check_count(n, "n", 0)
    context <- attr(x, "info")$parameters$context
    entered <- entered_features(x, "x")
    score <- entered$score
    best <- which.min(score)
    main <- main %||% paste("Forward selection:",
                            count_noun(length(score), "feature"))
    ylab <- ylab %||% if (context == "supervised") "eps^S" else "eps^SS"
    named <- seq_len(min(n, length(score)))
    names <- fit_names(entered$feature[named])
    window <- draw_axes(seq_along(score), score,
                        list(main = main, xlab = xlab, ylab = ylab),
                        reserved = c(names$inches, 0), whole = TRUE, ...)
    graphics::lines(seq_along(score), score, type = "o", pch = 20, cex = 0.7)
    # a triangle among dots, and the number above
    colour <- colours[["vermillion"]]
    graphics::abline(v = best, lty = 2, col = colour)
    graphics::points(best, score[best], pch = 17, col = colour)
    graphics::mtext(paste("minimum:", best), side = 3, at = best, cex = 0.8,
                    line = 0.1, col = colour)
    draw_side_names(names, named, score[named], max(window$x))
    invisible(x)
}
