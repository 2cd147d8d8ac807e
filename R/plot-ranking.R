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
    x <- x[order(x$rank), ]
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
                       substring(info$key, 2L),
                       if (info$direction == "lower") ", lower is better")
    }
    ranks <- range(x$rank[shown])
    # the best feature is always on top
    sign <- if (info$direction == "lower") -1 else 1
    draw_axes(x$rank[shown], values[shown], main, xlab, ylab, list(
        xlim = ranks + c(0, 0.15 * ranks[2L]),
        ylim = range(values[shown])[if (sign < 0) 2:1 else 1:2]
    ), ...)
    draw_ranking(x, values, shown, alpha)
    best <- utils::head(which(shown), n)
    draw_names(x$feature[best], x$rank[best], values[best], sum(shown), sign)
    invisible(x)
}

# An empty plot; whatever the user gives in the dots goes before `defaults`.
draw_axes <- function(x, y, main, xlab, ylab, defaults, ...) {
    settings <- utils::modifyList(c(list(las = 1), defaults), list(...))
    do.call(graphics::plot, c(
        list(x, y, type = "n", main = main, xlab = xlab, ylab = ylab), settings
    ))
}

draw_ranking <- function(x, values, shown, alpha) {
    if (min(values[shown]) < 0) {
        graphics::abline(h = 0, col = "grey70")
    }
    at <- x$rank[elbow(values)]
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
        graphics::points(x$rank[rows], values[rows], pch = 20, cex = 0.7,
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

# Names of the best features: beside their points when the points stand apart,
# else in a column on the right of them, with a line to each point. The curve
# falls, so there is room above it; `sign` is -1 where the axis is turned round
# for that.
draw_names <- function(names, ranks, values, count, sign = 1) {
    n <- length(names)
    if (n < 1L) {
        return(invisible())
    }
    names <- shorten(names, 24L)
    size <- graphics::par("usr")
    height <- 1.2 * abs(graphics::strheight("M", cex = 0.75))
    over <- diff(ranks) < graphics::strwidth(names[-n], cex = 0.75) &
        -sign * diff(values) < height
    apart <- count <= 40L && !any(over)
    y <- sign * values
    for (i in seq_len(n)[-1L]) {
        if (!apart) y[i] <- min(y[i], y[i - 1L] - height)
    }
    y <- sign * (y + max(0, sign * size[3L] + height - y[n]))
    x <- if (apart) ranks else rep(max(ranks) + 0.07 * diff(size[1:2]), n)
    if (!apart) {
        graphics::segments(ranks, values, x, y, col = "grey75")
    }
    graphics::text(x, y, names, pos = 4, cex = 0.75,
                   offset = if (apart) 0.4 else 0.2)
}
