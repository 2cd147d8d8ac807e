# Markers of groups: a dot for each feature and group.

#' Plot the markers of groups
#'
#' A row per marker, a column per group, a dot for each: the larger, the more
#' samples of the group have a value above 0; the colour tells the difference to
#' the other groups.
#'
#' @param x What [group_markers()] returned, with the rows of all features that
#'   are drawn.
#' @param n How many of the best markers of each group to draw. A feature that
#'   is among the best of several groups is drawn once, with the first of them.
#' @param main,... The title, and graphical parameters for [title()].
#'
#' @return Invisibly, what is drawn: a data.frame with a row per feature and
#'   group, `feature`, `of` (the group whose marker it is), `group`, `detected`
#'   and `difference`.
#'
#' @details Red is higher in the group than in the others, blue is lower; the
#'   scale of the colours is symmetric and ends at the largest difference drawn.
#'   Lines divide the markers of one group from those of the next.
#'
#' @seealso [plot_features()] for single samples.
#' @examples
#' types <- iris$Species
#' markers <- group_markers(as.matrix(iris[1:4]), types)
#' plot(markers, n = 2)
#' @exportS3Method
plot.group_markers <- function(x, n = 5L, main = NULL, ...) {
    check_markers(x)
    n <- check_count(n, "n")
    # The best of each group, each feature once, in all groups.
    best <- top_features(x, n)
    chosen <- data.frame(feature = unlist(best, use.names = FALSE),
                         of = rep(names(best), lengths(best)))
    chosen <- chosen[!duplicated(chosen$feature), ]
    at <- match(as.character(x$feature), chosen$feature)
    rows <- which(!is.na(at))
    rows <- rows[order(at[rows], as.integer(x$group)[rows])]
    dots <- data.frame(feature = as.character(x$feature)[rows],
                       of = factor(chosen$of[at[rows]], names(best)),
                       group = droplevels(x$group[rows]),
                       detected = x$detected[rows],
                       difference = x$difference[rows])
    main <- main %||% if (n == 1) "The best marker of each group" else
        paste("The best", n, "markers of each group")
    features <- unique(dots$feature)
    of <- dots$of[match(features, dots$feature)]
    known <- dots[!is.na(dots$detected) & !is.na(dots$difference), ]
    table <- structure(
        data.frame(feature = known$feature, class = known$group,
                   mean = known$difference, share = known$detected),
        level = "above 0", colour = "difference",
        rules = which(diff(as.integer(of)) != 0)
    )
    draw_dots(table, list(names = features), main, ...)
    invisible(dots)
}
