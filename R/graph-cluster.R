# Single linkage of a feature graph, and cuts of the tree.

#' Single-linkage clustering of features
#'
#' `cluster_features()` converts a [feature_graph()] into a tree;
#' `cut_features()` cuts the tree into clusters of features: at an automatic
#' height, into a number of clusters, or at a given height.
#'
#' @param graph A [feature_graph()].
#' @param tree What `cluster_features()` returned, or another `hclust`.
#' @param k Number of clusters, from 1 to the number of features.
#' @param h Height of the cut; merges up to and including it are kept. Give `k`,
#'   `h` or neither.
#' @param ... Must be empty.
#'
#' @return `cluster_features()`: an object of class `feature_tree`, which
#'   [plot()][plot.feature_tree] draws. It is an [hclust][stats::hclust] too, so
#'   that [cutree()][stats::cutree] and
#'   [as.dendrogram()][stats::as.dendrogram] work, with the additional elements
#'   `copies` (how many of the first merges join copies of features),
#'   `components` (connected components of the graph) and `top` (the largest
#'   similarity).
#'
#'   `cut_features()`: a whole number per feature, named by feature; clusters
#'   are numbered in the order of their first features.
#'
#' @details
#' The two most similar clusters merge first; the similarity of clusters is that
#' of their most similar features, s_(h,ij) = max(s_h,i, s_h,j). This is the
#' maximum spanning forest of the sparse graph. Equal similarities: the lowest
#' (i, j) first. Exact copies of features merge first, at height 0. The height
#' of every other merge is max(S) - s, and the components are joined last, at
#' height max(S).
#'
#' *Automatic cut*: just below the height of the first merge that joins two
#' clusters of two or more features, and never above the height where the
#' similarity reaches 0, so that features without any connection stay separate.
#' All merges at this height are undone as well, for any order of the columns;
#' copies stay together.
#'
#' *Cost.* Linear in the number of edges: milliseconds for 20,000 features.
#'
#' @section Errors: `linkrank_error_argument` for a `graph` or `tree` of another
#'   class, for both `k` and `h`, and for a `k` or `h` that is out of range.
#'
#' @references Hijazi, S. (2019). *Semi-supervised Margin-based Feature
#'   Selection for Classification.* PhD thesis, Universite du Littoral Cote
#'   d'Opale, NNT 2019DUNK0546. Sections 3.3.2 and 3.3.3.
#'
#' @examples
#' x <- log2(colon$x)
#' tree <- cluster_features(feature_graph(x[, 1:100]))
#' clusters <- cut_features(tree)
#' sort(table(clusters), decreasing = TRUE)[1:5]
#' plot(tree)
#' @export
cluster_features <- function(graph, ...) {
    check_dots_empty(...)
    check_graph(graph)
    s <- graph$similarity
    top <- max(0, s@x)
    own <- seq_len(nrow(s))
    copied <- ifelse(graph$original > 0L, graph$original, own) - 1L
    tree <- .Call(C_forest, s@i, rep.int(own - 1L, diff(s@p)), s@x, copied, top)
    structure(list(merge = tree$merge, height = tree$height,
                   order = tree$order + 1L, labels = rownames(s),
                   method = "single", call = match.call(),
                   dist.method = graph_label(graph),
                   copies = sum(graph$original > 0 & graph$original < own),
                   components = tree$components, top = top),
              class = c("feature_tree", "hclust"))
}

#' @rdname cluster_features
#' @export
cut_features <- function(tree, k = NULL, h = NULL, ...) {
    check_dots_empty(...)
    check_tree(tree)
    merges <- count_merges(tree, k, h)
    stats::setNames(.Call(C_cut_tree, tree$merge, as.integer(merges)),
                    tree$labels)
}

check_tree <- function(tree) {
    check_given(tree, "what cluster_features() returned")
    refuse_class_if(!inherits(tree, "hclust") || is.null(tree$merge), tree,
                    "`tree` must be an hclust, as cluster_features() returns")
    check_undamaged(tree_problem(tree), "tree", "cluster_features()")
    refuse_if(is.unsorted(tree$height), "`tree` must have heights that do not ",
              "decrease from one merge to the next, but they do.")
    tree
}

# Every leaf and every merge except the last one is joined once, by a later
# merge.
tree_problem <- function(tree) {
    merge <- tree$merge
    if (!is.matrix(merge) || ncol(merge) != 2L || !is.integer(merge)) {
        return("its merges are not a matrix of two columns of whole numbers")
    }
    count <- nrow(merge)
    if (!is.numeric(tree$height) || length(tree$height) != count ||
        anyNA(tree$height) ||
        !is.null(tree$labels) && length(tree$labels) != count + 1L) {
        return("its numbers of heights or labels do not match its merges")
    }
    whole <- numbers_within(as.vector(merge), 2L * count, -count - 1L,
                            count) &&
        all(merge != 0L) && all(merge < row(merge)) &&
        !anyDuplicated(as.vector(merge))
    if (!whole) "its merges do not join every feature once"
}

# Number of merges below the cut, counted from the first.
count_merges <- function(tree, k, h, name = "k") {
    refuse_if(!is.null(k) && !is.null(h), "`k` or `h` must be given, not both.")
    p <- nrow(tree$merge) + 1
    if (!is.null(k)) return(p - check_count(k, name, 1, p))
    if (!is.null(h)) return(sum(tree$height <= check_number(h, "h")))
    # automatic: before the first merge of two clusters
    copies <- max(0, tree$copies)
    most <- nrow(tree$merge) + 1 - max(1, tree$components)
    both <- tree$merge[, 1L] > 0 & tree$merge[, 2L] > 0
    first <- which(both & seq_along(both) <= most)
    if (length(first) == 0L) return(most)
    max(copies, sum(tree$height < tree$height[first[1L]]))
}
