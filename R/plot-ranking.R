#' Plot a ranking
#'
#' Draws the ordered scores of all features, with the names of the best, the
#' elbow after which little is gained, and the features that stay significant
#' after adjustment.
#'
#' @param x A `feature_ranking`.
#' @param n How many of the best features to name.
#' @param alpha Level at which an adjusted p-value counts as significant.
#' @param main,xlab,ylab,... Graphical parameters, passed on to [plot()].
#'
#' @return `x`, invisibly.
#'
#' @details The vertical axis is the column that orders the ranking, such as the
#'   margin; the horizontal one is the rank, on a logarithmic scale for more
#'   than 50 features, because only the first ranks matter. The elbow is the
#'   point farthest below the straight line between the first feature and the
#'   last one with a positive value: a place to look, not a rule.
#'
#' @examples
#' set.seed(1)
#' links <- constraints_from_labels(colon$tissue, cannot_link = 10,
#'                                  must_link = 0)
#' plot(relieff_sc(colon$x, links))
#' @exportS3Method
plot.feature_ranking <- function(x, n = 10L, alpha = 0.05, main = NULL,
                                 xlab = "Rank", ylab = NULL, ...) {
    info <- attr(x, "info")
    n <- check_count(n, "n", 0)
    alpha <- check_number(alpha, "alpha", 0, 1)
    values <- x[[info$key]]
    shown <- is.finite(values)
    if (!any(shown)) {
        abort_linkrank("The ranking must hold a finite ", info$key,
                       " to be plotted, but it has none.", class = "argument")
    }
    if (is.null(main)) {
        main <- paste0(info$label, ": ", count_noun(nrow(x), "feature"))
    }
    if (is.null(ylab)) {
        ylab <- paste0(toupper(substr(info$key, 1L, 1L)),
                       substring(info$key, 2L))
    }
    log <- if (sum(shown) > 50L) "x" else ""
    graphics::plot(which(shown), values[shown], type = "n", log = log,
                   main = main, xlab = xlab, ylab = ylab, las = 1,
                   xlim = ranking_limits(sum(shown), log), ...)
    draw_ranking(x, values, shown, alpha)
    draw_names(x$feature[shown], which(shown), values[shown],
               min(n, sum(shown)), log)
    invisible(x)
}

# Room on the right of the first ranks, where the names stand.
ranking_limits <- function(count, log) {
    if (log == "x") c(0.9, count * 1.2) else c(0.5, count + 0.5)
}

draw_ranking <- function(x, values, shown, alpha) {
    if (min(values[shown]) < 0) {
        graphics::abline(h = 0, col = "grey70")
    }
    significant <- shown & !is.na(values) & rep_len(FALSE, length(values))
    if (!is.null(x$adj_p_value)) {
        significant <- shown & !is.na(x$adj_p_value) & x$adj_p_value <= alpha
    }
    at <- elbow(values)
    if (!is.na(at)) {
        graphics::abline(v = at, lty = 2, col = "grey50")
        graphics::mtext(paste("elbow:", at), side = 3, at = at, cex = 0.8,
                        col = "grey30", line = 0.1)
    }
    graphics::points(which(shown), values[shown], pch = 20, cex = 0.6,
                     col = ifelse(significant[shown], "#b2182b", "#4d4d4d"))
    if (!is.null(x$adj_p_value)) {
        graphics::legend(
            "topright", bty = "n", pch = 20, cex = 0.85,
            col = c("#b2182b", "#4d4d4d"),
            legend = c(paste0("adjusted p <= ", alpha, " (", sum(significant),
                              ")"),
                       paste0("others (", sum(shown) - sum(significant), ")"))
        )
    }
}

# Names to the right of the points, moved down where they would overlap, with
# a line to the point each belongs to.
draw_names <- function(names, ranks, values, n, log) {
    if (n < 1L) {
        return(invisible())
    }
    rows <- seq_len(n)
    height <- 1.15 * graphics::strheight("M", cex = 0.75)
    y <- values[rows]
    for (i in rows[-1L]) {
        y[i] <- min(y[i], y[i - 1L] - height)
    }
    low <- graphics::par("usr")[3L] + height / 2
    if (y[n] < low) {
        y <- y + min(low - y[n], graphics::par("usr")[4L] - height - y[1L])
    }
    edge <- if (log == "x") {
        log10(ranks[n]) + 0.08 * diff(graphics::par("usr")[1:2])
    } else {
        ranks[n] + 0.06 * diff(graphics::par("usr")[1:2])
    }
    x <- if (log == "x") 10^edge else edge
    graphics::segments(ranks[rows], values[rows], x, y, col = "grey75")
    graphics::text(x, y, shorten(names[rows], 24L), pos = 4, cex = 0.75,
                   offset = 0.2)
}
