# Plots of what the margin methods tell besides an order.

#' Plot margins against their significance
#'
#' A volcano-like picture of a ranking with p-values: the margin of each feature
#' against -log10 of its p-value. Features far to the right separate the groups
#' widely, features high up do so consistently; those that stay significant
#' after adjustment are coloured.
#'
#' @param x A `feature_ranking` with columns `margin` and `p_value`, as [stir()]
#'   and [relieff_sc()] return.
#' @param n How many of the most significant features to name.
#' @param alpha Level at which an adjusted p-value counts as significant.
#' @param main,xlab,ylab,... Graphical parameters, passed on to [plot()].
#'
#' @return `x`, invisibly.
#'
#' @details Features without a p-value are left out; p-values of 0 are drawn at
#' the smallest positive one.
#'
#' @section Errors: `linkrank_error_argument` when the ranking has no p-values.
#'
#' @examples
#' plot_significance(stir(colon$x, colon$tissue, k = 1))
#' @export
plot_significance <- function(x, n = 10L, alpha = 0.05, main = NULL,
                              xlab = "Margin",
                              ylab = "-log10 of the p-value", ...) {
    check_ranking(x, "x")
    n <- check_count(n, "n", 0)
    alpha <- check_number(alpha, "alpha", 0, 1)
    if (is.null(x$margin) || is.null(x$p_value) || all(is.na(x$p_value))) {
        abort_linkrank("`x` must be a ranking with margins and p-values, as ",
                       "stir() and relieff_sc() return, not one by ",
                       attr(x, "info")$label, ".", class = "argument")
    }
    table <- as.data.frame(x)[!is.na(x$p_value), ]
    least <- min(table$p_value[table$p_value > 0], 1)
    height <- -log10(pmax(table$p_value, least))
    significant <- table$adj_p_value <= alpha
    if (is.null(main)) {
        main <- paste0(attr(x, "info")$label, ": ",
                       count_noun(sum(significant), "feature"),
                       " with adjusted p <= ", alpha)
    }
    graphics::plot(table$margin, height, type = "n", main = main, xlab = xlab,
                   ylab = ylab, las = 1, xlim = wider(table$margin), ...)
    graphics::abline(v = 0, col = "grey70")
    for (kind in c(FALSE, TRUE)) {
        rows <- which(significant == kind)
        graphics::points(table$margin[rows], height[rows], pch = 20,
                         cex = 0.7, col = ranking_colours[kind + 1L])
    }
    name_highest(table, height, n)
    invisible(x)
}

# Room for names on the right.
wider <- function(values) {
    range(values) + c(0, 0.2) * diff(range(values))
}

# Names of the highest points, moved apart from each other downwards.
name_highest <- function(table, height, n) {
    best <- utils::head(order(-height, -table$margin), n)
    if (length(best) == 0L) {
        return(invisible())
    }
    line <- 1.2 * graphics::strheight("M", cex = 0.75)
    y <- height[best]
    for (i in seq_along(y)[-1L]) {
        y[i] <- min(y[i], y[i - 1L] - line)
    }
    size <- graphics::par("usr")
    y <- y + max(0, size[3L] + line - y[length(y)])
    x <- max(table$margin[best]) + 0.03 * (size[2L] - size[1L])
    graphics::segments(table$margin[best], height[best], x, y, col = "grey75")
    graphics::text(x, y, shorten(table$feature[best], 24L), pos = 4,
                   cex = 0.75, offset = 0.2)
}

#' Plot how an iterative ranking settled
#'
#' For [irelief()]: the change of the weights in each iteration. For [simba()]
#' and [simba_sc()]: the running mean of the margins of the visits of each
#' start; the chosen start is drawn on top. Curves that still rise or fall at
#' the end, or starts that end far apart, say that more iterations or starts are
#' needed.
#'
#' @param x A `feature_ranking` by [irelief()], [simba()] or [simba_sc()].
#' @param main,xlab,ylab,... Graphical parameters, passed on to [plot()].
#'
#' @return `x`, invisibly.
#'
#' @section Errors: `linkrank_error_argument` for a ranking by another method.
#'
#' @examples
#' plot_convergence(irelief(iris[, 1:4], iris$Species, sigma = 0.5))
#' @export
plot_convergence <- function(x, main = NULL, xlab = NULL, ylab = NULL, ...) {
    check_ranking(x, "x")
    info <- attr(x, "info")
    if (is.null(main)) {
        main <- paste0(info$label, ": convergence")
    }
    if (!is.null(info$convergence)) {
        draw_changes(info, main, xlab, ylab, ...)
    } else if (!is.null(info$trace)) {
        draw_traces(info, main, xlab, ylab, ...)
    } else {
        abort_linkrank("`x` must be a ranking by irelief(), simba() or ",
                       "simba_sc(), not by ", info$label, ".",
                       class = "argument")
    }
    invisible(x)
}

draw_changes <- function(info, main, xlab, ylab, ...) {
    steps <- info$convergence
    shown <- steps$change > 0
    graphics::plot(steps$iteration[shown], steps$change[shown], type = "b",
                   pch = 20, log = "y", las = 0, main = main,
                   xlab = if (is.null(xlab)) "Iteration" else xlab,
                   ylab = if (is.null(ylab)) "Change of the weights" else
                       ylab, ...)
    tol <- info$parameters$tol
    if (tol > 0) {
        graphics::abline(h = tol, lty = 2, col = "grey50")
        graphics::mtext(paste("tol:", tol), side = 4, at = tol, cex = 0.8,
                        col = "grey30", line = 0.1)
    }
}

draw_traces <- function(info, main, xlab, ylab, ...) {
    visits <- seq_len(nrow(info$trace))
    running <- apply(info$trace, 2L, cumsum) / visits
    dim(running) <- dim(info$trace)
    best <- which(info$starts$chosen)
    # means of the first few visits would leave no room for the rest
    settled <- visits > 0.05 * length(visits)
    graphics::matplot(visits, running, type = "l", lty = 1, col = "grey70",
                      las = 1, main = main, ylim = range(running[settled, ]),
                      xlab = if (is.null(xlab)) "Visit" else xlab,
                      ylab = if (is.null(ylab)) "Mean margin so far" else
                          ylab, ...)
    graphics::lines(visits, running[, best], lwd = 2,
                    col = ranking_colours[2L])
    graphics::legend("bottomright", bty = "n", cex = 0.85, lwd = c(2, 1),
                     col = c(ranking_colours[2L], "grey70"),
                     legend = c(paste0("start ", best, ", chosen"),
                                "other starts"))
}
