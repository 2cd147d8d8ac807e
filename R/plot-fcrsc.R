#' Plot an FCRSC result
#'
#' With the data, a heat map of the best selected features, each followed by its
#' redundant companions; without, the tree of the features with the cut.
#'
#' @param x What [fcrsc()] returned.
#' @param y The data, as for [fcrsc()]; without them only the tree can be drawn.
#' @param which `"heatmap"` or `"tree"`.
#' @param n How many of the selected features to show, best first; the heat map
#'   leaves out those beyond `rows` rows.
#' @param companions The most companions to show under a selected feature.
#' @param rows The most rows of the heat map.
#' @param groups What is known of the samples, a factor or vector with one value
#'   per sample: the samples stand by group, with a bar of colours above.
#'   Without, they stand in the order of a clustering on the features shown.
#' @param assay.type Which assay of a container: see [relieff_sc()].
#' @param main,... Graphical parameters, passed on to [plot()] or to the plot of
#'   the tree.
#'
#' @return Invisibly, the names of the rows of the heat map from top to bottom,
#'   or the clusters of the tree as [cut_features()] gives them.
#'
#' @details
#' *Heat map.* Rows are features, columns samples; colours are the features'
#' values scaled to mean 0 and standard deviation 1, from blue (-2 and below)
#' over white to red (2 and above). Names of selected features are bold with
#' their cluster's size; companions, in the order of the ranking, are indented
#' and grey.
#'
#' *Tree.* Heights are largest similarity minus similarity; the dashed line is
#' the cut. Clusters of two or more features are drawn in red up to the cut.
#' Names are written for up to 100 features.
#'
#' @examples
#' set.seed(1)
#' x <- colon$x[, 1:300]
#' links <- constraints_from_labels(colon$tissue, cannot_link = 10,
#'                                  must_link = 0)
#' compact <- fcrsc(x, links)
#' plot(compact, log(x), groups = colon$tissue)
#' plot(compact, which = "tree")
#' @exportS3Method
plot.fcrsc_ranking <- function(x, y = NULL, which = c("heatmap", "tree"),
                               n = 15L, companions = 4L, rows = 45L,
                               groups = NULL, assay.type = NULL, main = NULL,
                               ...) {
    which <- if (missing(which) && is.null(y)) "tree" else
        check_choice(which, c("heatmap", "tree"), "which")
    if (which == "tree") {
        return(draw_feature_tree(x, main, ...))
    }
    if (is.null(y)) {
        abort_linkrank("`y` must be the data for a heat map, as in ",
                       "plot(ranking, x).", class = "argument")
    }
    shown <- heatmap_rows(x, check_count(n, "n", 1),
                          check_count(companions, "companions", 0),
                          check_count(rows, "rows", 2))
    data <- as_feature_data(y, assay.type, missing = "keep")
    cells <- heatmap_cells(data, match_features(shown$feature,
                                                data$features))
    if (is.null(main)) {
        main <- paste0(attr(x, "info")$label, ": ", sum(shown$selected),
                       " of ", sum(x$selected), " selected features")
    }
    draw_heatmap(cells, shown, check_groups(groups, data), main, ...)
    invisible(shown$feature)
}

# The best selected features, each before its companions.
heatmap_rows <- function(ranking, n, companions, rows) {
    table <- as.data.frame(ranking)
    chosen <- utils::head(table$cluster[table$selected], n)
    parts <- lapply(chosen, function(cluster) {
        utils::head(table[table$cluster == cluster, ], companions + 1)
    })
    length <- cumsum(vapply(parts, nrow, 0L))
    do.call(rbind, parts[length <= max(rows, length[1L])])
}

heatmap_cells <- function(data, places) {
    wanted <- sort(places)
    cells <- .Call(C_read_features, data, wanted)
    cells <- scale(cells[, match(places, wanted), drop = FALSE])
    # constant, or missing: in the middle
    cells[!is.finite(cells)] <- 0
    attributes(cells)[c("scaled:center", "scaled:scale")] <- NULL
    cells
}

check_groups <- function(groups, data) {
    if (is.null(groups)) {
        return(NULL)
    }
    as.factor(match_length(groups, data$n, "groups"))
}

sample_order <- function(cells, groups) {
    order <- stats::hclust(stats::dist(cells), "average")$order
    if (is.null(groups)) order else order[order(groups[order])]
}

draw_heatmap <- function(cells, shown, groups, main, ...) {
    order <- sample_order(cells, groups)
    count <- nrow(shown)
    size <- min(0.8, 28 / count)
    name <- ifelse(shown$selected,
                   paste0(shorten(shown$feature, 18L),
                          ifelse(shown$cluster_size > 1L,
                                 paste0(" (", shown$cluster_size, ")"), "")),
                   paste0("   ", shorten(shown$feature, 18L)))
    old <- graphics::par(mar = c(3.2, 9, 4.4, 1))
    on.exit(graphics::par(old))
    graphics::image(seq_along(order), seq_len(count),
                    pmin(pmax(cells[order, rev(seq_len(count)),
                                    drop = FALSE], -2), 2),
                    zlim = c(-2, 2), col = heat_colours, axes = FALSE,
                    xlab = "", ylab = "", ...)
    graphics::title(main, line = 2.6)
    graphics::mtext(paste(length(order), "samples"), 1L, 0.4, cex = 0.8)
    # one by one: mtext() takes a single font
    for (row in seq_len(count)) {
        graphics::mtext(name[row], 2L, 0.3, las = 1, at = count + 1 - row,
                        cex = size, font = if (shown$selected[row]) 2 else 1,
                        col = if (shown$selected[row]) "black" else "grey40")
    }
    starts <- which(shown$selected)[-1L]
    graphics::abline(h = count - starts + 1.5, col = "white", lwd = 2)
    draw_groups(groups[order], count)
    draw_colour_key()
}

heat_colours <- grDevices::hcl.colors(41L, "Blue-Red 3")

draw_groups <- function(groups, count) {
    if (is.null(groups)) {
        return(invisible())
    }
    levels <- levels(groups)
    colour <- grDevices::hcl.colors(max(2L, length(levels)), "Dark 3")
    height <- 0.025 * diff(graphics::par("usr")[3:4])
    low <- graphics::par("usr")[4L] + 0.3 * height
    graphics::rect(seq_along(groups) - 0.5, low, seq_along(groups) + 0.5,
                   low + height, border = NA, col = colour[groups],
                   xpd = NA)
    middle <- tapply(seq_along(groups), groups, mean)
    graphics::text(middle, low + height, levels, pos = 3, cex = 0.75,
                   offset = 0.2, xpd = NA, col = colour[seq_along(levels)])
}

# From -2 to 2, below the names on the left.
draw_colour_key <- function() {
    usr <- graphics::par("usr")
    width <- 0.14 * diff(usr[1:2])
    height <- 0.02 * diff(usr[3:4])
    left <- usr[1L] - 1.15 * width + width * (0:40) / 41
    bottom <- usr[3L] - 2.2 * height
    graphics::rect(left, bottom, left + width / 41, bottom + height,
                   border = NA, col = heat_colours, xpd = NA)
    graphics::text(range(left), bottom, c("-2 sd", "2 sd"), pos = 1,
                   cex = 0.65, xpd = NA, offset = 0.25)
}

draw_feature_tree <- function(ranking, main, ...) {
    info <- attr(ranking, "info")
    tree <- info$tree
    clusters <- cut_features(tree, nrow(tree$merge) + 1 - info$merges)
    if (is.null(main)) {
        main <- paste0(info$label, ": ", count_noun(length(clusters),
                                                    "feature"),
                       " in ", count_noun(max(clusters), "cluster"))
    }
    few <- length(clusters) <= 100L
    graphics::plot(tree_frame(tree), type = "n", main = main, axes = FALSE,
                   xlab = if (few) "" else "Feature, in the order of the tree",
                   ylab = "Height (largest similarity - similarity)", ...)
    draw_branches(tree, info$merges)
    height <- cut_height(tree, info$merges)
    graphics::abline(h = height, lty = 2, col = "grey40")
    graphics::axis(2L, las = 1)
    if (few) {
        graphics::axis(1L, seq_along(tree$order), tick = FALSE, las = 2,
                       labels = shorten(names(clusters)[tree$order], 12L),
                       cex.axis = max(0.4, min(0.8, 30 / length(clusters))))
    }
    invisible(clusters)
}

tree_frame <- function(tree) {
    list(x = c(0.5, length(tree$order) + 0.5), y = c(0, max(tree$height)))
}

# Between the last merge that stands and the first that does not.
cut_height <- function(tree, merges) {
    height <- c(0, tree$height, max(tree$height))
    mean(height[merges + 1:2])
}

# All branches at once: where each merge stands and how far its two arms reach.
draw_branches <- function(tree, merges) {
    p <- length(tree$order)
    count <- p - 1L
    x <- numeric(p + count)
    y <- c(numeric(p), tree$height)
    x[tree$order] <- seq_len(p)
    # features are numbered 1 to p here, merges follow
    ends <- ifelse(tree$merge < 0, -tree$merge, tree$merge + p)
    for (m in seq_len(count)) {
        x[p + m] <- (x[ends[m, 1L]] + x[ends[m, 2L]]) / 2
    }
    colour <- ifelse(seq_len(count) <= merges, "#b2182b", "grey60")
    width <- max(0.3, min(1, 200 / p))
    for (side in 1:2) {
        end <- ends[, side]
        graphics::segments(x[end], y[end], x[end], tree$height, col = colour,
                           lwd = width)
    }
    graphics::segments(x[ends[, 1L]], tree$height, x[ends[, 2L]],
                       tree$height, col = colour, lwd = width)
}
