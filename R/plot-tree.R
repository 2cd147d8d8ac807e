# Pictures of graphs and trees of features, and of subsets chosen from them.

# ==== graphs of features ======================================================

#' Plot a feature graph
#'
#' Draws the similarity matrix in the order of the tree: similar features form
#' blocks along the diagonal.
#'
#' @param x A [feature_graph()].
#' @param tree Its tree from [cluster_features()], if it is known.
#' @param most Largest number of edges to draw; the most similar ones are drawn.
#' @param main,xlab,ylab,... Graphical parameters, passed on to [plot()].
#'
#' @return The tree, invisibly.
#'
#' @details Every edge is a point on both sides of the diagonal, darker the more
#' similar its two features are. Features are named on the axes if their names
#' fit: about 60 at 5 inches, more on a larger device.
#'
#' @examples
#' x <- log2(colon$x)
#' plot(feature_graph(x[, 1:150]))
#' @exportS3Method
plot.feature_graph <- function(x, tree = NULL, most = 100000L, main = NULL,
                               xlab = NULL, ylab = "", ...) {
    edges <- drawn_edges(x, tree, most)
    old <- graphics::par(pty = "s")
    on.exit(graphics::par(old))
    inches <- min(graphics::par("pin")) / length(edges$names)
    # a box is not smaller than a visible dot
    shown <- matrix_picture(edges, inches / graphics::par("csi") >= 0.48,
                            max(0.5, 0.009 / inches))
    draw(shown, main, xlab, ylab, ...)
    invisible(edges$tree)
}

# The matrix, with the names of the features or their numbers.
matrix_picture <- function(edges, named, half = 0.5) {
    limits <- c(0.5, length(edges$names) + 0.5)
    picture(
        titles_are(edges$title,
                   if (named) "" else "Feature, in the order of the tree", ""),
        list(boxes = data.frame(
            xmin = edges$x - half, xmax = edges$x + half,
            ymin = edges$y - half, ymax = edges$y + half, shade = edges$shade)),
        rows = if (named) rev(edges$names), columns = if (named) edges$names,
        settings = list(xlim = limits, ylim = rev(limits),
                        xaxt = if (named) "n", yaxt = if (named) "n")
    )
}

# list(x, y, shade; names, title, tree): points of both triangles, the most
# similar last, drawn over the others.
drawn_edges <- function(graph, tree, most) {
    most <- check_count(most, "most", 1)
    tree <- tree %||% cluster_features(graph)
    similarity <- graph$similarity
    check_tree_features(check_tree(tree), rownames(similarity))
    place <- order(tree$order)
    column <- rep(seq_along(place), diff(similarity@p))
    value <- similarity@x
    kept <- rev(utils::head(order(-value), most))
    a <- place[similarity@i + 1L][kept]
    b <- place[column][kept]
    list(x = c(a, b), y = c(b, a),
         shade = rep(0.15 + 0.85 * value[kept] / max(value, 1e-300), 2L),
         names = shown_names(rownames(similarity)[tree$order]), tree = tree,
         title = paste0("Feature graph (", graph_label(graph), "): ",
                        count_noun(length(value), "edge")))
}

# ==== trees ===================================================================

# The tree of a feature graph, drawn horizontally so that names can be read.

#' Plot a tree of features (dendrogram)
#'
#' Draws the tree of [cluster_features()], with the cut and the clusters.
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
#' number of the others.
#'
#' `plot(as.dendrogram(x))` draws it as R does.
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
    draw_tree(cut, main, xlab, ylab, ...)
    invisible(cut$clusters)
}

# A tree that is cut: list(tree, clusters, merges, title; representatives, for
# each cluster the feature whose name it gets; note).
cut_tree <- function(tree, k, h) {
    merges <- count_merges(check_tree(tree), k, h)
    clusters <- cut_features(tree, nrow(tree$merge) + 1 - merges)
    list(tree = tree, clusters = clusters, merges = merges,
         title = paste0("Tree of ", count_noun(length(clusters), "feature"),
                        " (", tree$dist.method, "): ",
                        count_noun(max(clusters), "cluster")),
         representatives = match(seq_len(max(clusters)), clusters),
         note = "named: the largest clusters, by their first features")
}

height_title <- "Height (largest similarity minus that of the clusters joined)"

# The axis grows to the right, the height to the left. `lines`: how many names
# there may be.
tree_picture <- function(cut, lines) {
    tree <- cut$tree
    clusters <- unname(cut$clusters)
    p <- length(clusters)
    shown <- tree_names(tree, clusters, cut$representatives, lines)
    highest <- max(tree$height, 0)
    ticks <- Filter(function(at) at <= highest, pretty(c(0, highest)))
    picture(
        titles_are(cut$title, height_title, ""),
        list(segments = tree_lines(tree, clusters, cut$merges),
             down = data.frame(xintercept = -cut_height(tree, cut$merges),
                               line = 2L, shade = 0.6)),
        names = data.frame(x = rep(0, length(shown$at)), y = p + 1 - shown$at,
                           label = shown$names),
        settings = list(axes = FALSE, ylim = c(0, p + 1),
                        xlim = window_of(c(-highest, 0), NULL)),
        x_ticks = data.frame(at = -ticks, label = format_ticks(ticks)),
        whole_names = shown$clusters,
        note = if (shown$clusters) cut$note
    )
}

draw_tree <- function(cut, ...) {
    old <- graphics::par(mar = c(graphics::par("mar")[1L], 1, 2.6, 1))
    on.exit(graphics::par(old))
    lines <- floor(graphics::par("pin")[2L] / line_inches(0.5))
    draw(tree_picture(cut, lines), ...)
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
# cut have the colour of their cluster, those above it are drawn first.
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
                           colour = rep(colour, 3L),
                           # thin above the cut if there are many
                           width = rep(ifelse(above, max(0.25, min(1, 150 / p)),
                                              1), 3L))
    branches[order(!rep(above, 3L)), ]
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

# ==== fcrsc() =================================================================

#' Plot an FCRSC result
#'
#' Draws the tree of the features with the cut of [fcrsc()], as
#' [`plot()`][plot.feature_tree()] of [cluster_features()] does. If not all
#' names fit, the largest clusters have the name of their selected feature.
#'
#' @param x What [fcrsc()] returned.
#' @param type `"tree"`, or a type of [plot.feature_ranking()].
#' @param main,... Graphical parameters, passed on to [plot()], or arguments of
#'   [plot.feature_ranking()].
#'
#' @return Invisibly, the clusters of the tree as [cut_features()] gives them;
#'   for other types `x`.
#'
#' @examples
#' set.seed(1)
#' x <- log2(colon$x[, 1:300])
#' links <- constraints_from_labels(colon$tissue, cannot_link = 10,
#'                                  must_link = 0)
#' plot(fcrsc(x, links))
#' @exportS3Method
plot.fcrsc_ranking <- function(x, type = c("tree", "scores", "significance",
                                        "convergence", "curve"), main = NULL,
                               ...) {
    check_ranking(x, "x")
    type <- check_plot_type(type, c("tree", ranking_plots))
    if (type %in% ranking_plots) return(NextMethod())
    cut <- ranking_cut(x)
    draw_tree(cut, main, ...)
    invisible(cut$clusters)
}

ranking_cut <- function(ranking) {
    info <- attr(ranking, "info")
    cut <- cut_tree(info$tree, nrow(info$tree$merge) + 1 - info$merges, NULL)
    clusters <- cut$clusters
    cut$title <- paste0(info$label, ": ",
                        count_noun(length(clusters), "feature"), " in ",
                        count_noun(max(clusters), "cluster"))
    # of several in a cluster, as prune may select them, the best one; a subset
    # of a ranking may lack the selected feature of a cluster
    best <- rev(match(ranking$feature[ranking$selected], info$tree$labels))
    cut$representatives[clusters[best]] <- best
    cut$note <- "named: the largest clusters, by the features selected"
    cut
}

# ==== select_subset() =========================================================

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
                                xlab = NULL, ylab = NULL, ...) {
    n <- check_count(n, "n", 0)
    draw(entered_picture(x, n, "x"), main, xlab, ylab, ...)
    invisible(x)
}

# A line, with a triangle among its dots where the score is least.
entered_picture <- function(x, n, name) {
    table <- entered_features(x, name)
    places <- data.frame(x = seq_len(nrow(table)), y = table$score)
    best <- which.min(table$score)
    colour <- colours[["vermillion"]]
    context <- attr(x, "info")$parameters$context
    picture(
        titles_are(paste("Forward selection:",
                         count_noun(nrow(table), "feature")),
                   "Number of features",
                   if (context == "supervised") "eps^S" else "eps^SS"),
        list(lines = places, points = cbind(places, shape = 20L, size = 0.7),
             down = data.frame(xintercept = best, line = 2L, colour,
                               label = paste("minimum:", best)),
             points = cbind(places[best, ], shape = 17L, colour)),
        names = utils::head(cbind(places, label = table$feature), n),
        whole = TRUE
    )
}
