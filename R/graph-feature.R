# Graphs of features, and the trees and clusters that are made of them.

# ==== graphs ==================================================================

# Graphs among features: list(similarity, ...) of class `feature_graph`.
#
#   similarity   symmetric sparse matrix (dsCMatrix, lower triangle), features
#                as names, zero diagonal
#   method, lambda, k   settings; NULL if not applicable
#   samples      count
#   original     per feature the number of the first feature with the same
#                scaled values (its own if it is the first), 0 for a
#                constant feature
#   kkt, nonzeros, rounds   per feature, or NULL: see feature_graph()

#' Sparse similarity graph of features
#'
#' Connects features with the same information. `"simplex"` and `"nnlasso"`
#' reconstruct each feature as a combination of a few others, which become its
#' neighbours; `"correlation"` connects each to its most correlated ones.
#' [fcrsc()] clusters this graph.
#'
#' @param BPPARAM From 5000 features on, compute sparse codes in parallel on
#'   [workers].
#' @param ... Arguments of [prepare_data()], by name: `scale`, `na.action`,
#'   `by`, `assay.type`, `threads`, `progress`.
#' @param x Data as for [prepare_data()]. Features must be numeric, logical or
#'   factors of two levels.
#' @param method `"simplex"`, `"nnlasso"` or `"correlation"`; see Details.
#' @param lambda Penalty of `"nnlasso"`, from 0 to 1, of the largest inner
#'   product of the feature with another one. Larger is sparser.
#' @param k Neighbours per feature with `"correlation"`, a whole number from 1.
#' @return An object of class `feature_graph`, a list with
#' * `similarity`: a symmetric sparse matrix of package \pkg{Matrix} with zero
#'   diagonal, named by feature;
#' * `method`, `lambda`, `k`: the settings; `samples`: the number of samples;
#' * `original`: per feature the number of the first one with equal scaled
#'   values, 0 for a constant feature;
#' * `kkt`, `nonzeros`, `rounds` (not for `"correlation"`): per feature the
#'   largest violation of the optimality conditions as a fraction of its squared
#'   length, how many features reconstruct it, the rounds; `NA` for copies and
#'   constant features.
#'
#' [plot()][plot.feature_graph] shows the matrix.
#'
#' @details Features are scaled, by the range not centred. With A_i a feature
#'   and X_i all others (3.22 to 3.25; with s >= 0 and 1's = 1 the published L1
#'   norm is constant, so that its problem is least squares):
#'
#' * `"simplex"`: minimise ||A_i - X_i s||^2 subject to s >= 0, 1's = 1;
#' * `"nnlasso"`: minimise ||A_i - X_i s||^2 / 2 + l 1's subject to s >= 0, with
#'   l = `lambda` times the largest A_j'A_i.
#'
#' The similarity of two features is the mean of the two weights they give each
#' other. Solutions are exact, by an active-set method. A violation above 1e-9
#' gives a warning.
#'
#' `"correlation"`: i and j are joined with similarity |r_ij| if either is among
#' the k most correlated with the other.
#'
#' *Copies.* Of features with equal scaled values only the first is used; the
#' others are connected to it alone, with similarity 1. *Constant features* are
#' isolated. *Ties* go to the lower column.
#'
#' *Cost.* About 14 n p^2 operations in single precision for n samples and p
#' features that correlate, several times as many where they hardly do;
#' `"correlation"` 2 n p^2. Memory: 12 n p bytes and the edges.
#'
#' @section Errors: `linkrank_error_input` for `x`, missing values and factors
#'   of more than two levels; `linkrank_error_argument`, also for a `lambda` or
#'   `k` that the method does not use.
#'
#' @references Hijazi, S. (2019). PhD thesis, NNT 2019DUNK0546. Section 3.3.1.
#'
#' @seealso [cluster_features()], [fcrsc()]
#' @examples
#' x <- log2(colon$x)
#' graph <- feature_graph(x[, 1:200])
#' graph
#' summary(graph)$kkt
#' plot(graph)
#' @export
feature_graph <- function(
    x, ..., method = c("simplex", "nnlasso", "correlation"), lambda = 0.1,
    k = 10, BPPARAM = NULL) {
    options <- feature_graph_options(method, lambda, k)
    refuse_unused("method", options$method, list(nnlasso = "lambda",
                                                 correlation = "k"))
    workers <- check_workers(BPPARAM)
    data <- prepared(x, ..., uses = score_arguments)
    make_feature_graph(scaled_data(data, "range", numbers = TRUE), options,
                       c(data$control, list(workers = workers)))
}

feature_graph_options <- function(method, lambda, k, name = "method") {
    method <- check_choice(method, c("simplex", "nnlasso", "correlation"), name)
    lambda <- check_number(lambda, "lambda", 0, 1)
    k <- check_count(k, "k")
    list(method = method, lambda = if (method == "nnlasso") lambda,
         k = if (method == "correlation") k)
}

make_feature_graph <- function(cells, options, control) {
    check_scaled_bytes(cells$data$n, cells$data$p)
    edges <- if (options$method == "correlation") {
        .Call(C_correlation_graph, cells$data, cells$scaling, options$k,
              control)
    } else {
        code_features(cells, options, control)
    }
    graph <- new_feature_graph(
        graph_matrix(edges, cells$data$features, options$method),
        edges$original, c(options, if (options$method != "correlation")
            edges[c("kkt", "nonzeros", "rounds")]), cells$data$n)
    check_certificate(graph)
    graph
}

new_feature_graph <- function(similarity, original, parts, samples) {
    structure(c(list(similarity = similarity, original = original,
                     samples = samples, made_by = this_version()),
                Filter(length, parts)), class = "feature_graph")
}

# The sparse codes of all features, on workers when there are many features.
code_features <- function(cells, options, control, parts = 16L) {
    workers <- control$workers
    control$workers <- NULL
    shared <- list(cells = cells, options = options, control = control)
    if (is.null(workers) || cells$data$p < 5000)
        return(code_part(list(number = 1L, parts = 1L), shared))
    shared$control <- no_progress(control)
    codes <- spread(lapply(seq_len(parts), function(number) {
        list(number = number, parts = parts)
    }), code_part, shared, workers, c("Feature graph", "parts of the features"),
    control$progress, random = FALSE)
    join_codes(codes)
}

# part: list(number, parts)
code_part <- function(part, shared) {
    cells <- shared$cells
    options <- shared$options
    .Call(C_sparse_graph, cells$data, cells$scaling,
          options$method == "simplex", max(0, options$lambda), part,
          shared$control)
}

# Concatenates the edges of the parts; the values of a feature are NA in all
# parts except its own.
join_codes <- function(parts) {
    out <- parts[[1L]]
    for (name in c("from", "to", "weight"))
        out[[name]] <- unlist(lapply(parts, `[[`, name))
    for (name in c("kkt", "nonzeros", "rounds")) out[[name]] <-
        do.call(pmax, c(lapply(parts, `[[`, name), na.rm = TRUE))
    out
}

# (S + S') / 2, or the edges once, with the copies.
graph_matrix <- function(edges, features, method) {
    low <- pmax(edges$from, edges$to)
    high <- pmin(edges$from, edges$to)
    weight <- edges$weight
    if (method == "correlation") {
        pair <- low * as.double(length(features)) + high
        kept <- weight > 0 & !duplicated(pair)
        low <- low[kept]
        high <- high[kept]
        weight <- weight[kept]
    } else {
        weight <- weight / 2
    }
    copies <- which(edges$original > 0 & edges$original < seq_along(features))
    Matrix::sparseMatrix(i = c(low, copies),
                         j = c(high, edges$original[copies]),
                         x = c(weight, rep(1, length(copies))),
                         dims = rep(length(features), 2L), symmetric = TRUE,
                         dimnames = list(features, features))
}

check_certificate <- function(graph) {
    worst <- max(0, graph$kkt, na.rm = TRUE)
    warn_if(worst > 1e-9, "The graph is inaccurate at feature \"",
            rownames(graph$similarity)[which.max(graph$kkt)], "\" (error ",
            format(worst, digits = 2L), " instead of 1e-9): remove nearly ",
            "equal features.", class = "certificate")
}

check_graph <- function(graph, name = "graph") {
    check_given(graph, "what feature_graph() returned")
    refuse_class_if(!inherits(graph, "feature_graph"), graph, "`", name, "` ",
                    "must be a feature_graph, as feature_graph() returns")
    check_undamaged(feature_graph_problem(graph), name, "feature_graph()")
    graph
}

feature_graph_problem <- function(graph) {
    s <- graph$similarity
    if (!methods::is(s, "dsCMatrix"))
        return("its similarities are not a symmetric sparse matrix")
    p <- nrow(s)
    if (!numbers_within(graph$original, p, 0L, p))
        return("a feature is a copy of an unknown feature")
    if (!is_text(graph$method)) return("it has no method")
    slot_problem(s)
}

#' @rdname feature_graph
#' @param object A `feature_graph`.
#' @export
summary.feature_graph <- function(object, ...) {
    check_graph(object, "object")
    p <- length(object$original)
    degree <- Matrix::colSums(object$similarity > 0)
    made <- !is.null(object$kkt)
    structure(
        list(header = paste("<feature_graph>", graph_label(object)),
             samples = object$samples, features = p,
             edges = length(object$similarity@x), degree = degree,
             copies = sum(object$original < seq_len(p) & object$original > 0),
             constant = sum(object$original == 0), isolated = sum(degree == 0),
             kkt = if (made) max(0, object$kkt, na.rm = TRUE),
             nonzeros = if (made) mean(object$nonzeros, na.rm = TRUE),
             rounds = if (made) max(0, object$rounds, na.rm = TRUE)),
        class = "summary.feature_graph"
    )
}

#' @export
print.summary.feature_graph <- function(x, ...) {
    cat(x$header, "\n", sep = "")
    degree <- format(stats::quantile(x$degree, c(0, 0.5, 1)), digits = 3L,
                     trim = TRUE)
    rows <- c("Samples, features" = paste0(x$samples, ", ", x$features),
              "Edges" = x$edges,
              "Neighbours" = paste0(degree[2L], " in the middle (", degree[1L],
                                    " to ", degree[3L], ")"),
              "Isolated" = paste0(x$isolated, " (", x$constant, " constant)"),
              "Copies" = x$copies)
    if (!is.null(x$kkt)) {
        rows["Reconstructed from"] <-
            paste(format(x$nonzeros, digits = 3L), "features on average")
        rows["Optimality (KKT)"] <- paste0(format(x$kkt, digits = 2L),
                                           " at most, after ", x$rounds,
                                           " rounds at most")
    }
    cat(paste0("  ", pad_text(names(rows), 20L), rows), sep = "\n")
    invisible(x)
}

#' @rdname feature_graph
#' @export
print.feature_graph <- function(x, ...) {
    print(summary(x))
    invisible(x)
}

graph_label <- function(graph) {
    switch(graph$method,
           simplex = "simplex",
           nnlasso = paste0("nnlasso, lambda = ", format(graph$lambda)),
           correlation = paste0("correlation, k = ", format(graph$k)))
}

#' @rdname feature_graph
#' @export
as.matrix.feature_graph <- function(x, ...) {
    check_graph(x, "x")
    as.matrix(x$similarity)
}

# ==== trees and clusters ======================================================

# Single linkage of a feature graph, and cuts of the tree.

#' Single-linkage clustering of features
#'
#' `cluster_features()` converts a [feature_graph()] into a tree;
#' `cut_features()` cuts the tree into clusters: at an automatic or given
#' height, or into a number of clusters.
#'
#' @param graph A [feature_graph()].
#' @param tree What `cluster_features()` returned, or another `hclust`.
#' @param k Number of clusters, from 1 to the number of features.
#' @param h Height of the cut; merges up to and including it are kept. Give `k`,
#'   `h` or neither.
#' @param ... Must be empty.
#'
#' @return `cluster_features()`: an object of class `feature_tree`, and an
#'   [hclust][stats::hclust] too, with `copies` (how many of the first merges
#'   join copies), `components` (of the graph) and `top` (the largest
#'   similarity).
#'
#' `cut_features()`: a whole number per feature, named by feature, clusters in
#' the order of their first features.
#'
#' @details The two most similar clusters merge first; the similarity of
#'   clusters is that of their most similar features, s_(h,ij) = max(s_h,i,
#'   s_h,j). Equal similarities: the lowest (i, j) first. Exact copies merge
#'   first, at height 0; every other merge has height max(S) - s, and the
#'   components are joined last, at max(S).
#'
#' *Automatic cut*: just below the height of the first merge that joins two
#' clusters of two or more features, and never above the height where the
#' similarity reaches 0. All merges at this height are undone; copies stay
#' together.
#'
#' *Cost.* Linear in the number of edges.
#'
#' @section Errors: `linkrank_error_argument` for another `graph` or `tree`,
#'   both `k` and `h`, or a `k` out of range.
#'
#' @references Hijazi, S. (2019). PhD thesis, NNT 2019DUNK0546. Sections 3.3.2
#'   and 3.3.3.
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
    stats::setNames(merged_clusters(tree$merge, merges), tree$labels)
}

# The clusters after the first `count` merges, numbered by their first feature:
# from the last merge back, each passes its number down.
merged_clusters <- function(merge, count) {
    cluster <- -seq_len(nrow(merge) + 1L)
    number <- seq_len(count)
    for (m in rev(number)) for (child in merge[m, ]) {
        if (child < 0L) cluster[-child] <- number[m] else
            number[child] <- number[m]
    }
    match(cluster, unique(cluster))
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
    if (!is.matrix(merge) || ncol(merge) != 2L || !is.integer(merge))
        return("its merges are not a matrix of two columns of whole numbers")
    count <- nrow(merge)
    if (!is.numeric(tree$height) || length(tree$height) != count ||
        anyNA(tree$height) ||
        !is.null(tree$labels) && length(tree$labels) != count + 1L) {
        return("its numbers of heights or labels do not match its merges")
    }
    whole <- numbers_within(as.vector(merge), 2L * count, -count - 1L, count) &&
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
