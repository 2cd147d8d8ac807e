# The tree of a feature graph, drawn horizontally so that names can be read.

#' Plot a tree of features (dendrogram)
#'
#' Draws the tree of [cluster_features()] from its root on the left to the
#' features on the right, with the cut and the resulting clusters.
#'
#' @param x What [cluster_features()] returned.
#' @param k,h Where to cut, as in [cut_features()]: a number of clusters, or a
#'   height; by default the automatic cut.
#' @param main,xlab,ylab,... Graphical parameters, passed on to [plot()].
#'
#' @return The clusters, as [cut_features()] returns them, invisibly.
#'
#' @details Clusters of two or more features are drawn in colour, adjacent ones
#' in different colours; the dashed line is the cut. Features are named if all
#' names fit (about 25 at 5 inches), without their common prefix and suffix.
#' Otherwise the largest clusters are named by their first feature and the
#' number of the others. Drawing 20,000 features takes about a second.
#'
#' The tree is also an [hclust][stats::hclust]; `plot(as.dendrogram(x))` draws
#' it as R does.
#'
#' @section Errors: `linkrank_error_argument` as in [cut_features()].
#'
#' @examples
#' x <- log2(colon$x)
#' tree <- cluster_features(feature_graph(x[, 1:40]))
#' plot(tree)
#' clusters <- plot(cluster_features(feature_graph(x[, 1:300])))
#' max(table(clusters))
#' @exportS3Method
plot.feature_tree <- function(x, k = NULL, h = NULL, main = NULL, xlab = NULL,
                              ylab = "", ...) {
    cut <- cut_tree(x, k, h)
    draw_tree(x, unname(cut$clusters), cut$merges,
              list(main = main %||% cut$title, xlab = xlab, ylab = ylab), ...)
    invisible(cut$clusters)
}

cut_tree <- function(tree, k, h) {
    merges <- count_merges(check_tree(tree), k, h)
    clusters <- cut_features(tree, nrow(tree$merge) + 1 - merges)
    list(merges = merges, clusters = clusters,
         title = paste0("Tree of ", count_noun(length(clusters), "feature"),
                        " (", tree$dist.method, "): ",
                        count_noun(max(clusters), "cluster")))
}

height_title <- "Height (largest similarity minus that of the clusters joined)"

# titles: main, xlab, ylab. `representatives`: for each cluster the feature
# whose name it gets.
draw_tree <- function(tree, clusters, merges, titles, ...,
                      representatives = match(seq_len(max(clusters)), clusters),
                      note = "by their first features") {
    p <- length(clusters)
    old <- graphics::par(mar = c(graphics::par("mar")[1L], 1, 2.6, 1))
    on.exit(graphics::par(old))
    lines <- floor(graphics::par("pin")[2L] / line_inches(0.5))
    shown <- tree_names(tree, clusters, representatives, lines)
    fitted <- fit_names(shown$names, whole = shown$clusters)
    titles$xlab <- titles$xlab %||% height_title
    # the axis grows to the right, the height to the left
    heights <- c(-max(tree$height, 0), 0)
    draw_axes(heights, c(0, p + 1), titles, list(axes = FALSE), ...,
              reserved = c(fitted$inches, 0))
    ticks <- pretty(heights)
    ticks <- ticks[ticks >= heights[1L] & ticks <= 0]
    graphics::axis(1L, ticks, rev(format_ticks(rev(-ticks))))
    branches <- tree_lines(tree, clusters, merges)
    # thin above the cut if there are many
    draw_lines(branches, col = branches$colour, lwd = ifelse(
        branches$above, max(0.25, min(1, 150 / p)), 1))
    cut <- -cut_height(tree, merges)
    graphics::segments(cut, 0, cut, p + 1, lty = 2, col = ink(0.6))
    draw_side_names(fitted, rep(0, length(shown$at)), p + 1 - shown$at, 0)
    if (shown$clusters) {
        note_below(paste("named: the largest clusters,", note))
    }
}

# The names beside the tree and their positions from the top: of all features,
# or of the largest clusters if there are more names than `lines`.
tree_names <- function(tree, clusters, representatives, lines) {
    place <- order(tree$order)
    if (length(clusters) <= lines) {
        return(list(names = tree$labels[tree$order],
                    at = seq_along(tree$order), clusters = FALSE))
    }
    sizes <- tabulate(clusters)
    largest <- utils::head(order(-sizes), min(lines %/% 2L, sum(sizes > 1L)))
    at <- vapply(largest, function(cluster) mean(place[clusters == cluster]), 0)
    names <- drop_common(tree$labels)[representatives[largest]]
    names <- paste0(shorten(names, 28L), " and ", sizes[largest] - 1L, " more")
    top <- order(at)
    list(names = names[top], at = at[top], clusters = TRUE)
}

# Halfway between the last merge below the cut and the first above it.
cut_height <- function(tree, merges) {
    height <- c(0, tree$height, max(tree$height, 0))
    mean(height[merges + 1:2])
}

# A merge is a vertical line, with a branch to each child; branches below the
# cut have the colour of their cluster, those `above` it are drawn first.
tree_lines <- function(tree, clusters, merges) {
    nodes <- place_nodes(tree)
    p <- length(clusters)
    y <- p + 1 - nodes$at
    child <- abs(tree$merge + ifelse(tree$merge < 0L, 0L, p))
    colour <- merge_colours(tree, clusters, merges, nodes)
    above <- seq_len(p - 1L) > merges
    at <- -tree$height
    branches <- data.frame(x = c(-nodes$height[child], at), y = c(y[child],
                           y[child[, 1L]]), xend = rep(at, 3L),
                           yend = c(y[child], y[child[, 2L]]),
                           colour = rep(colour, 3L), above = rep(above, 3L))
    branches[order(!branches$above), ]
}

# Height, place from the top and a feature of every leaf and merge.
place_nodes <- function(tree) {
    p <- nrow(tree$merge) + 1L
    at <- c(order(tree$order), numeric(p - 1L))
    leaf <- c(seq_len(p), integer(p - 1L))
    for (merge in seq_len(p - 1L)) {
        child <- tree$merge[merge, ]
        child <- ifelse(child < 0L, -child, child + p)
        at[p + merge] <- mean(at[child])
        leaf[p + merge] <- leaf[child[1L]]
    }
    list(height = c(numeric(p), tree$height), at = at, leaf = leaf)
}

merge_colours <- function(tree, clusters, merges, nodes) {
    p <- length(clusters)
    # adjacent clusters in different colours
    first <- unique(clusters[tree$order])
    paint <- integer(length(first))
    many <- tabulate(clusters)[first] > 1L
    paint[first[many]] <- seq_len(sum(many))
    below <- seq_len(p - 1L) <= merges
    of <- clusters[nodes$leaf[p + seq_len(p - 1L)]]
    ifelse(below, style_of(max(1L, sum(many)))$colour[pmax(1L, paint[of])],
           ink(if (p > 600L) 0.25 else 0.55))
}
