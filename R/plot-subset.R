# The curve of a forward selection.

#' Plot and summarise a forward selection
#'
#' Draws the score of the subset against its number of features, with the
#' minimum that `top_features(x, n = "best")` uses.
#'
#' @param x,object What [select_subset()] returned.
#' @param n How many of the first features to name.
#' @param main,xlab,ylab,... Graphical parameters, passed on to [plot()]; `...`
#'   is unused in `summary()`.
#'
#' @return `plot()`: `x`, invisibly. `summary()`: a list with the settings, as of other
#'   rankings ([summary()][feature_ranking]), `entered`, `best`
#'   (the names of the best subset), `minimum` (its score) and `last` (the score
#'   with all features that entered).
#'
#' @examples
#' x <- log2(colon$x)
#' set.seed(1)
#' links <- constraints_from_labels(colon$tissue, 10, 10)
#' genes <- select_subset(x, links, n = 25)
#' plot(genes)
#' summary(genes)
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

#' @rdname plot.subset_ranking
#' @export
summary.subset_ranking <- function(object, ...) {
    info <- attr(object, "info")
    score <- entered_features(object, "object")$score
    structure(
        c(ranking_settings(info), list(
             header = ranking_header(info), entered = length(score),
             best = top_features(object, "best"), minimum = min(score),
             last = score[length(score)])),
        class = "summary.subset_ranking"
    )
}

#' @export
print.summary.subset_ranking <- function(x, ...) {
    cat(x$header, sep = "\n")
    number <- function(value) formatC(value, digits = 4L)
    rows <- c("Entered" = count_noun(x$entered, "feature"),
              "Best subset" = paste0(count_noun(length(x$best), "feature"),
                                     ", score ", number(x$minimum)),
              "All that entered" = paste("score", number(x$last)),
              "First" = paste(shorten(utils::head(x$best, 4L), 14L),
                              collapse = ", "))
    cat(paste0("  ", pad_text(names(rows), 20L), rows), sep = "\n")
    invisible(x)
}
