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
#' margin. The elbow is the point farthest below the straight line between the
#' first feature and the last one with a positive value: a place to look, not a
#' rule.
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
    graphics::plot(which(shown), values[shown], type = "n", main = main,
                   xlab = xlab, ylab = ylab, las = 1,
                   xlim = c(1, max(which(shown)) * 1.15), ...)
    draw_ranking(x, values, shown, alpha)
    draw_names(x$feature, values, min(n, sum(shown)), sum(shown))
    invisible(x)
}

draw_ranking <- function(x, values, shown, alpha) {
    if (min(values[shown]) < 0) {
        graphics::abline(h = 0, col = "grey70")
    }
    at <- elbow(values)
    if (!is.na(at)) {
        graphics::abline(v = at, lty = 2, col = "grey50")
        graphics::mtext(paste("elbow:", at), side = 3, at = at, cex = 0.8,
                        col = "grey30", line = 0.1)
    }
    tested <- !is.null(x$adj_p_value)
    significant <- if (tested) {
        shown & !is.na(x$adj_p_value) & x$adj_p_value <= alpha
    } else {
        rep(FALSE, length(values))
    }
    # the few significant ones are drawn last, over the others
    for (kind in c(FALSE, TRUE)) {
        rows <- which(shown & significant == kind)
        graphics::points(rows, values[rows], pch = 20, cex = 0.7,
                         col = ranking_colours[kind + 1L])
    }
    if (tested) {
        counts <- c(sum(shown & significant), sum(shown & !significant))
        graphics::legend("topright", bty = "n", pch = 20, cex = 0.85,
                         col = rev(ranking_colours),
                         legend = paste0(c(paste("adjusted p <=", alpha),
                                           "others"), " (", counts, ")"))
    }
}

ranking_colours <- c("grey30", "#b2182b")

# Names of the first n features: beside their points when the points stand
# apart, else in a column on the right of them, with a line to each point. The
# curve falls, so there is room above it.
draw_names <- function(names, values, n, count) {
    if (n < 1L) {
        return(invisible())
    }
    rows <- seq_len(n)
    size <- graphics::par("usr")
    height <- 1.2 * graphics::strheight("M", cex = 0.75)
    apart <- count <= 40L
    y <- values[rows]
    for (i in rows[-1L]) {
        if (!apart) y[i] <- min(y[i], y[i - 1L] - height)
    }
    y <- y + max(0, size[3L] + height - y[n])
    x <- if (apart) rows else rep(n + 0.07 * (size[2L] - size[1L]), n)
    if (!apart) {
        graphics::segments(rows, values[rows], x, y, col = "grey75")
    }
    graphics::text(x, y, shorten(names[rows], 24L), pos = 4, cex = 0.75,
                   offset = if (apart) 0.4 else 0.2)
}
