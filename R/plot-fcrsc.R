#' Plot an FCRSC result
#'
#' With the data, draws a heat map of the best selected features, each followed
#' by the redundant features of its cluster. Without the data, draws the tree of
#' the features with the cut.
#'
#' @param x What [fcrsc()] returned.
#' @param y The data, as for [fcrsc()]; without them only the tree can be drawn.
#' @param type `"heatmap"`, `"tree"`, or `"significance"` as
#'   [plot.feature_ranking()] draws it.
#' @param n How many of the selected features to show, best first; the heat map
#'   leaves out those beyond `rows` rows.
#' @param companions Largest number of redundant features to show under a
#'   selected feature.
#' @param rows Largest number of rows of the heat map.
#' @param groups Group of each sample, or the name of a column of `colData()` or
#'   `pData()`. The samples are ordered by group, with a bar of colours above.
#'   Within a group, and without groups, they are ordered by the first principal
#'   component of the features shown.
#' @param assay.type Which assay of a container: see [prepare_data()].
#' @param main,... Graphical parameters, passed on to [plot()] or to the plot of
#'   the tree.
#'
#' @return Invisibly, the names of the rows of the heat map from top to bottom,
#'   or the clusters of the tree as [cut_features()] gives them.
#'
#' @details
#' *Heat map.* Rows are features, columns samples; colours are the features'
#' values scaled to mean 0 and standard deviation 1, from blue (-2 and below)
#' over white to red (2 and above). Names of selected features are bold with the
#' size of their cluster. The redundant features of the cluster, in the order of
#' the ranking, are indented and grey.
#'
#' *Tree.* It is drawn as by [`plot()`][plot.feature_tree()] of
#' [cluster_features()], with the cut of [fcrsc()]. If not all names fit, the
#' largest clusters have the name of their selected feature.
#'
#' @examples
#' set.seed(1)
#' x <- log2(colon$x[, 1:300])
#' links <- constraints_from_labels(colon$tissue, cannot_link = 10,
#'                                  must_link = 0)
#' compact <- fcrsc(x, links)
#' plot(compact, log(x), groups = colon$tissue)
#' plot(compact, type = "tree")
#' @exportS3Method
plot.fcrsc_ranking <- function(x, y = NULL,
                               type = c("heatmap", "tree", "significance"),
                               n = 15L, companions = 4L, rows = 45L,
                               groups = NULL, assay.type = NULL, main = NULL,
                               ...) {
    check_ranking(x, "x")
    type <- if (missing(type) && is.null(y)) "tree" else
        check_choice(type, c("heatmap", "tree", "significance"), "type")
    if (type == "significance") {
        return(plot.feature_ranking(x, type, n, main = main, ...))
    }
    if (type == "tree") {
        return(draw_feature_tree(x, main, ...))
    }
    refuse_if(is.null(y),
              "`y` must be the data for a heat map, as in plot(ranking, x).")
    # The best selected features, each followed by the others of its cluster.
    n <- check_count(n, "n", 1)
    companions <- check_count(companions, "companions", 0)
    rows <- check_count(rows, "rows", 2)
    table <- as.data.frame(x)
    parts <- lapply(utils::head(table$cluster[table$selected], n),
                    function(cluster) {
        utils::head(table[table$cluster %in% cluster, ], companions + 1)
    })
    length <- cumsum(vapply(parts, nrow, 0L))
    shown <- do.call(rbind, parts[length <= max(rows, length[1L])])
    data <- prepare_data(y, assay.type = assay.type)
    cells <- read_cells(data, match_features(shown$feature, data$features))
    main <- main %||% paste0(attr(x, "info")$label, ": ", sum(shown$selected),
                             " of ", sum(x$selected), " selected features")
    starts <- which(shown$selected)[-1L]
    draw_heat(scale_cells(cells), heatmap_names(shown),
              view_classes(groups, y, data, "groups", "y"), NULL,
              list(main = main, ...), rules = nrow(shown) - starts + 1)
    invisible(shown$feature)
}

# Selected features in bold with the size of their cluster, the others indented.
heatmap_names <- function(shown) {
    names <- shown_names(shown$feature)
    size <- ifelse(shown$cluster_size > 1L,
                   paste0(" (", shown$cluster_size, ")"), "")
    list(text = ifelse(shown$selected, paste0(names, size),
                       paste0("   ", names)),
         font = ifelse(shown$selected, 2L, 1L),
         colour = ink(ifelse(shown$selected, 1, 0.6)))
}

draw_feature_tree <- function(ranking, main, ...) {
    info <- attr(ranking, "info")
    tree <- info$tree
    clusters <- cut_features(tree, nrow(tree$merge) + 1 - info$merges)
    main <- main %||% paste0(info$label, ": ",
                             count_noun(length(clusters), "feature"), " in ",
                             count_noun(max(clusters), "cluster"))
    # a subset of a ranking may lack the selected feature of a cluster
    representatives <- match(seq_len(max(clusters)), clusters)
    best <- match(ranking$feature[ranking$selected], tree$labels)
    representatives[clusters[best]] <- best
    draw_tree(tree, unname(clusters), info$merges,
              list(main = main, xlab = NULL, ylab = ""), ...,
              representatives = representatives,
              note = "by the features selected")
    invisible(clusters)
}
