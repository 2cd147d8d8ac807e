# Markers of groups: a dot for each feature and group, or differences against
# p-values.

#' Plot the markers of groups
#'
#' Dots: a row per marker, a column per group, a dot for each: the larger, the
#' more samples of the group have a value above 0; the colour tells the
#' difference to the other groups. Volcano: the difference of every feature
#' against -log10 of its `fdr`, a panel for each group.
#'
#' @param x What [group_markers()] returned, for dots with the rows of all
#'   features that are drawn.
#' @param type `"dots"` or `"volcano"`.
#' @param n How many of the best markers of each group to draw as dots, or how
#'   many of the highest points to name in a volcano. A feature that is among the best of several groups has
#'   one row of dots, with the first of them.
#' @param group For a volcano: names of the groups to draw; `NULL` for all.
#' @param alpha For a volcano: features of at most this `fdr` are marked.
#' @param main,... The title, of a volcano one for each group, and graphical
#'   parameters, for dots those of [title()].
#'
#' @return Invisibly, what is drawn: a data.frame with a row per feature and
#'   group. Dots: `feature`, `of` (the group whose marker it is), `group`,
#'   `detected` and `difference`. Volcano: `group`, `feature`, `difference`,
#'   `height`, `significant` and `named`.
#'
#' @details In dots red is higher in the group than in the others, blue is
#'   lower; the scale of the colours is symmetric and ends at the largest
#'   difference drawn. Lines divide the markers of one group from those of the
#'   next.
#'
#'   In a volcano features on the right are higher in the group. Height, mark and
#'   name go by `fdr`: triangles are features of at most `alpha`, and the highest
#'   are named, of equal ones those of the largest difference. An `fdr` of 0 is
#'   drawn at the smallest positive one. Markers without p-values, because the
#'   data made their groups, are drawn and named by the size of `statistic`, and
#'   none is marked.
#'
#' @seealso [plot_features()] for single samples.
#' @examples
#' types <- iris$Species
#' markers <- group_markers(as.matrix(iris[1:4]), types)
#' plot(markers, n = 2)
#' plot(group_markers(log2(colon$x), colon$tissue), type = "volcano",
#'      group = "tumour")
#' @exportS3Method
plot.group_markers <- function(x, type = c("dots", "volcano"), n = 5L,
                               group = NULL, alpha = 0.05, main = NULL, ...) {
    check_markers(x)
    type <- check_choice(type, c("dots", "volcano"), "type")
    refuse_unused("type", type, list(volcano = c("group", "alpha")))
    n <- check_count(n, "n", if (type == "dots") 1 else 0)
    if (type == "volcano") {
        return(draw_volcanoes(marker_volcano(x, n, group, alpha), main, ...))
    }
    dots <- marker_dots(x, n)
    draw_dots(dots_table(dots), list(names = unique(dots$feature)),
              main %||% dots_title(n), ...)
    invisible(dots)
}

# The best of each group, each feature once, in all groups.
marker_dots <- function(x, n) {
    best <- top_features(x, n)
    chosen <- data.frame(feature = unlist(best, use.names = FALSE),
                         of = rep(names(best), lengths(best)))
    chosen <- chosen[!duplicated(chosen$feature), ]
    at <- match(as.character(x$feature), chosen$feature)
    rows <- which(!is.na(at))
    rows <- rows[order(at[rows], as.integer(x$group)[rows])]
    data.frame(feature = as.character(x$feature)[rows],
               of = factor(chosen$of[at[rows]], names(best)),
               group = droplevels(x$group[rows]), detected = x$detected[rows],
               difference = x$difference[rows])
}

# The same as a table for draw_dots().
dots_table <- function(dots) {
    of <- dots$of[!duplicated(dots$feature)]
    known <- dots[!is.na(dots$detected) & !is.na(dots$difference), ]
    structure(
        data.frame(feature = known$feature, class = known$group,
                   mean = known$difference, share = known$detected),
        level = "above 0", colour = "difference",
        rules = which(diff(as.integer(of)) != 0)
    )
}

dots_title <- function(n) {
    if (n == 1) "The best marker of each group" else
        paste("The best", n, "markers of each group")
}

# A row per group and feature: group, feature, difference, height, significant
# and named, the rows of a group in order of rank; the attributes `height` (what
# it is) and `words` (of the legend).
marker_volcano <- function(x, n, group, alpha) {
    alpha <- check_number(alpha, "alpha", 0, 1)
    groups <- groups_of(x)
    lacking <- setdiff(as_names(group), groups)
    refuse_if(length(lacking), "`group` must be among ",
              quote_values(groups), ", not ", quote_values(lacking), ".")
    if (!is.null(group)) groups <- intersect(groups, as_names(group))
    rows <- unlist(lapply(groups, rows_of, markers = x))
    table <- as.data.frame(x)[rows, ]
    column <- intersect(c("fdr", "statistic"), names(table))[1L]
    height <- abs(table[[column]])
    if (column == "fdr") {
        height <- -log10(pmax(height, min(height[height > 0], 1, na.rm = TRUE)))
    }
    # equal heights, as those of no significance, by the size of the difference
    first <- order(table$group, -height, -abs(table$difference))
    drawn <- data.frame(
        group = factor(table$group, groups), feature = table$feature,
        difference = table$difference, height = height,
        significant = (table$fdr %||% Inf <= alpha) %in% TRUE,
        named = stats::ave(order(first), table$group, FUN = rank) <= n
    )[is.finite(height), ]
    refuse_if(!nrow(drawn), "`x` must have a finite ", column, " to be drawn, ",
              "but it has none.")
    structure(drawn, height = if (column == "fdr") "-log10 of the fdr" else
        "Size of the statistic", words = if (column == "fdr")
            paste("fdr <=", alpha))
}

draw_volcanoes <- function(table, main, ...) {
    groups <- levels(table$group)
    titles <- rep_len(main %||% shorten(groups, 30L), length(groups))
    if (length(groups) > 1L) {
        old <- graphics::par(mfrow = rev(grDevices::n2mfrow(length(groups))),
                             mar = c(3.2, 3.6, 2.2, 0.6), mgp = c(2.1, 0.7, 0))
        on.exit(graphics::par(old))
    }
    for (k in seq_along(groups)) {
        draw_volcano(table[table$group == groups[k], ],
                     list(main = titles[k], xlab = "Difference",
                          ylab = attr(table, "height")), ...,
                     words = attr(table, "words"))
    }
    invisible(table)
}

# `table`: feature, difference, height, significant, and which are named;
# `words`: what marks tell, NULL for no legend.
draw_volcano <- function(table, titles, ..., words) {
    best <- which(table$named)
    names <- fit_names(table$feature[best])
    key <- significance_key(table$significant, words, names$inches)
    window <- draw_axes(table$difference, table$height, titles,
                        reserved = c(names$inches, key$inches), ...)
    graphics::abline(v = 0, col = ink(0.3))
    draw_tested(table$difference, table$height, key)
    draw_side_names(names, table$difference[best], table$height[best],
                    max(window$x))
}
