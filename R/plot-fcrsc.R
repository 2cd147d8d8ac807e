#' Plot an FCRSC result
#'
#' Draws the tree of the features with the cut of [fcrsc()], as
#' [`plot()`][plot.feature_tree()] of [cluster_features()] does. If not all names
#' fit, the largest clusters have the name of their selected feature.
#' [plot_features()] draws the features in the data.
#'
#' @param x What [fcrsc()] returned.
#' @param type `"tree"`, or `"significance"` as [plot.feature_ranking()] draws
#'   it.
#' @param main,... Graphical parameters, passed on to [plot()], or arguments of
#'   [plot.feature_ranking()].
#'
#' @return Invisibly, the clusters of the tree as [cut_features()] gives them;
#'   for `"significance"` `x`.
#'
#' @examples
#' set.seed(1)
#' x <- log2(colon$x[, 1:300])
#' links <- constraints_from_labels(colon$tissue, cannot_link = 10,
#'                                  must_link = 0)
#' plot(fcrsc(x, links))
#' @exportS3Method
plot.fcrsc_ranking <- function(x, type = c("tree", "significance"), main = NULL,
                               ...) {
    check_ranking(x, "x")
    type <- check_plot_type(type, c("tree", "significance"))
    if (type == "significance") {
        return(plot.feature_ranking(x, type, main = main, ...))
    }
    draw_feature_tree(x, main, ...)
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
