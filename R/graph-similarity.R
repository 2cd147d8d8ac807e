# Graphs of the samples. A `similarity_graph` is a list:
#
#   weights      symmetric n x n, no self-edges: a dgCMatrix, or a dense double
#                matrix when the adjacency is "full"
#   samples      names, or NULL
#   n            number of samples
#   parameters   named list of the arguments that made it
#
# as_graph() gives one from whatever a method accepts; in C, read_graph()
# (src/r_entry.h) reads `weights`.

#' Similarity graph of the samples
#'
#' Joins samples that are close to each other, with weights by how close they
#' are. Laplacian and constraint scores take such a graph instead of their
#' default.
#'
#' @param x Data: see [prepare_data()].
#' @param adjacency Which samples are joined: `"knn"`, when either is among the
#'   `k` nearest of the other; `"mutual_knn"`, when both are; `"epsilon"`, when
#'   their distance is below `epsilon`; `"full"`, all of them.
#' @param weight Weight of an edge, see Details: `"heat"`, `"gaussian"`,
#'   `"self_tuning"`, `"inverse"`, `"cosine"` or `"binary"`.
#' @param k Number of neighbours, a whole number from 1, also for the scale of
#'   self-tuning weights. `NULL`: 7 for these, else 5.
#' @param epsilon Distance below which samples are joined by `"epsilon"`.
#' @param sigma,t Widths of the weights, positive numbers: `t` of `"heat"`,
#'   `sigma` of `"gaussian"` and `"inverse"`. `t = NULL`: the median of d^2 over
#'   the edges (if it is 0, the smallest positive d^2, or 1).
#' @param ... Arguments of [prepare_data()], by name: `scale`, `space`,
#'   `distance`, `na.action`, `by`, `assay.type`, `threads`, `progress`.
#'
#' @return A list of class `similarity_graph` with elements
#' * `weights`: the symmetric n by n matrix of weights, with a zero diagonal; a
#'   sparse `dgCMatrix`, or a plain matrix for `"full"`;
#' * `samples`, `n`: names (or `NULL`) and number of samples;
#' * `parameters`: the arguments.
#'
#' `as.matrix(graph)` is always a plain matrix. An argument `graph` takes it, or
#' any symmetric matrix of non-negative weights, an undirected graph of
#' \pkg{igraph} (edge attribute `weight`, else 1), or a `colPair()` (column
#' `weight`, else the first).
#'
#' @details With d the distance of samples n and m,
#'
#' * `"heat"`: exp(-d^2 / t)
#' * `"gaussian"`: exp(-d^2 / (2 sigma^2))
#' * `"self_tuning"`: exp(-d^2 / (2 s_n s_m)), s_n the distance of n to its k-th
#'   neighbour (1.5)
#' * `"inverse"`: 1 / (d^2 / sigma^2 + 1)
#' * `"cosine"`: absolute cosine of the angle between the samples, about the
#'   origin of the scaled features
#' * `"binary"`: 1
#'
#' *Ties.* Equal distances keep row order. Distances of scaled counts may differ
#' by rounding, with the order of the columns; with `scale = "none"` whole
#' numbers are exact.
#'
#' *Duplicates* keep their edge. A self-tuning scale of 0 becomes the smallest
#' positive one, or 1. A sample of zeros has cosine 0 with all others. Samples
#' without an edge are possible; scores leave them out.
#'
#' *Cost.* The search is exact: n (n - 1) / 2 distances of p features, fewer in
#' a sparse matrix. Memory beyond `x`: at most about 200 MB, and 24 bytes per
#' edge. `"full"` holds the n by n matrix.
#'
#' @section Errors: `linkrank_error_argument`, also for arguments that the graph
#'   does not use; `linkrank_error_memory` for more than
#'   `getOption("linkrank.max_bytes")`; `linkrank_error_input` for `x`.
#'
#' @references Hijazi, S. (2019). PhD thesis, NNT 2019DUNK0546. Section 1.3.
#'
#' Zelnik-Manor, L. and Perona, P. (2004). *NIPS* 17.
#'
#' @seealso [graph_laplacian()], [laplacian_score()], [plot.similarity_graph()]
#' @examples
#' x <- log2(colon$x)
#' graph <- similarity_graph(x)
#' graph
#' summary(graph)
#' similarity_graph(x, adjacency = "full", weight = "self_tuning")
#' @export
similarity_graph <- function(x, ..., adjacency = c("knn", "mutual_knn",
                                                   "epsilon", "full"),
                             weight = c("heat", "gaussian", "self_tuning",
                                        "inverse", "cosine", "binary"),
                             k = NULL, epsilon = NULL, sigma = 1, t = NULL) {
    options <- graph_options(adjacency, weight, k, epsilon, sigma, t)
    refuse_unused("weight", options$weight, list(
        heat = "t", gaussian = "sigma", inverse = "sigma"))
    refuse_unused("adjacency", options$adjacency, list(epsilon = "epsilon"))
    data <- prepared(x, ..., uses = c("scale", "space", "distance",
                                      "na.action"))
    space <- data$settings$space
    input <- scaled_data(data)
    where <- neighbour_space(space, input$data, input$scaling, graph_distances)
    options$distance <- where$distance
    build_graph(where, options, data$control,
                c(options, input$settings,
                  space = if (!is.null(space)) where$label))
}

graph_options <- function(adjacency = "knn", weight = "heat", k = NULL,
                          epsilon = NULL, sigma = 1, t = NULL,
                          distance = space_distance) {
    kind <- checked(adjacency, weight)
    k <- k %||% if (kind$weight == "self_tuning") 7 else 5
    kind <- c(kind, checked(k))
    if (kind$adjacency == "epsilon") checked(epsilon)
    c(kind, list(epsilon = epsilon), checked(sigma), list(
        t = if (!is.null(t)) checked(t)$t,
        distance = check_choice(distance, graph_distances, "distance")))
}

# `where`: a neighbour_space, of which the graph's own distance is taken.
# `response`: known outputs, for the distances of semi-supervised regression
# (src/search_walk.c), or NULL.
build_graph <- function(where, options, control, parameters = options,
                        response = NULL) {
    where$metric <- distance_table[options$distance, "metric"]
    where$response <- response
    n <- where$data$n
    k <- if (options$adjacency %in% c("knn", "mutual_knn") ||
                 options$weight == "self_tuning") min(options$k, n - 1) else 0
    if (options$adjacency == "full") check_bytes(8 * n^2, "The full graph")
    check_bytes(24 * n * k, "The graph's lists of neighbours")
    lists <- if (k > 0) nearest_of_all(where, k, control)
    squared <- where$metric == 1L
    square <- function(distance) if (squared) distance else distance^2
    squares <- if (options$adjacency == "full") {
        square(.Call(C_sample_distances, where, NULL, control))
    } else {
        pairs <- if (options$adjacency == "epsilon")
            near_pairs(where, options$epsilon, control) else
                neighbour_pairs(lists, options$adjacency == "mutual_knn")
        joined_pairs(pairs, square(pairs$distance), n)
    }
    if (options$weight == "heat" && is.null(options$t))
        parameters$t <- options$t <- median_square(squares)
    scale <- if (options$weight == "self_tuning") {
        farthest <- last_distances(lists)
        positive_scales(if (squared) sqrt(farthest) else farthest)
    }
    weights <- cut_blocks(weigh_edges(squares, options, scale), where$block)
    if (options$weight == "cosine")
        weights <- cosine_weights(weights, where, control)
    warn_lost_weights(weights, options)
    new_similarity_graph(both_halves(weights), where$data$samples, parameters)
}

# Pairs of samples, first < second, each once: list(first, second, distance),
# squared for the Euclidean metric.
near_pairs <- function(where, epsilon, control) {
    most <- min(set_options("max_bytes")$max_bytes / edge_bytes,
                .Machine$integer.max / 2)
    near <- .Call(C_near_pairs, where, epsilon, most, control)
    if (near$count > most) check_bytes(edge_bytes * near$count, "The graph")
    near[-1L]
}

# Those of lists of neighbours, whose rows are 0 where a list has no more;
# `mutual`: where each is in the list of the other.
neighbour_pairs <- function(lists, mutual) {
    row <- as.vector(lists$row)
    query <- as.vector(col(lists$row))
    first <- pmin.int(row, query)
    second <- pmax.int(row, query)
    at <- order(second, first, method = "radix")
    first <- first[at]
    second <- second[at]
    again <- c(FALSE, diff(first) == 0L & diff(second) == 0L)
    kept <- which(first > 0L & again == mutual)
    list(first = first[kept], second = second[kept],
         distance = lists$distance[at[kept]])
}

# A dsCMatrix, which has the upper triangle only.
joined_pairs <- function(pairs, value, n) {
    entries <- methods::new(structure("dsTMatrix", package = "Matrix"),
                            i = pairs$first - 1L, j = pairs$second - 1L,
                            x = value, Dim = rep(as.integer(n), 2L))
    methods::as(entries, "CsparseMatrix")
}

both_halves <- function(weights) {
    if (is.matrix(weights)) weights else methods::as(weights, "generalMatrix")
}

# Of the squared distances of a graph's edges; duplicates alone have no width.
median_square <- function(squares) {
    values <- if (is.matrix(squares)) squares[upper.tri(squares)] else squares@x
    middle <- if (length(values)) stats::median(values) else 0
    if (middle > 0) middle else min(values[values > 0], if (all(values == 0)) 1)
}

# Of the lists of neighbours, nearest first; 0 for an empty one.
last_distances <- function(lists) {
    count <- colSums(lists$row > 0L)
    last <- lists$distance[cbind(pmax(count, 1), seq_along(count))]
    ifelse(count > 0, last, 0)
}

# 0 becomes the smallest positive one, or 1 when there is none.
positive_scales <- function(scale) {
    scale[scale == 0] <- min(scale[scale > 0], if (all(scale == 0)) 1)
    scale
}

# Squared distances to weights; cosines are found later. `scale`: s_n of each
# sample, (1.5) [Hijazi 2019], for "self_tuning". A full graph is large: one
# other n x n matrix is there, which becomes the weights.
weigh_edges <- function(squares, options, scale) {
    full <- is.matrix(squares)
    d2 <- if (full) squares else squares@x
    value <- switch(options$weight, cosine = d2, binary = 0 * d2 + 1,
        heat = exp(d2 / -options$t),
        gaussian = exp(d2 / (-2 * options$sigma^2)),
        inverse = 1 / (d2 / options$sigma^2 + 1),
        self_tuning = exp(d2 / if (full) tcrossprod(-2 * scale, scale) else
            (-2 * scale[squares@i + 1L] * rep(scale, diff(squares@p)))))
    if (!full) {
        squares@x <- value
        return(squares)
    }
    value[seq(1, by = nrow(value) + 1, length.out = nrow(value))] <- 0
    value
}

# Without the edges between blocks.
cut_blocks <- function(weights, block) {
    if (is.null(block)) return(weights)
    if (is.matrix(weights)) return(weights * outer(block, block, "=="))
    column <- rep(seq_len(ncol(weights)), diff(weights@p))
    weights@x[block[weights@i + 1L] != block[column]] <- 0
    Matrix::drop0(weights)
}

# exp(-745) is the last one that is not 0: with a width of 1 and thousands of
# features edges lose their weight, and a few close pairs decide all scores.
warn_lost_weights <- function(weights, options) {
    width <- c(heat = "t", gaussian = "sigma")[options$weight]
    lost <- if (!is.na(width)) describe_lost_weights(weights)
    warn_if(!is.null(lost), "With `{width}` = {format(options[[width]])} {lost}:
            give a larger `{width}`, or `weight = \"self_tuning\"` to
            similarity_graph().", class = "graph")
}

# NULL when no weight is lost. 1e-8: then sums of the largest and of others no
# longer hold what all others say.
describe_lost_weights <- function(weights, least = 1e-8) {
    full <- is.matrix(weights)
    stored <- if (full) weights else weights@x
    lost <- sum(if (full) rowSums(weights) == 0 else stored == 0)
    if (lost > 0) {
        paste0(lost, " of ", if (full) nrow(weights) else length(stored),
               if (full) " samples have no weight above 0" else
                   " edges have the weight 0",
               ", since exp() of so large a distance underflows")
    } else if (length(stored) && max(stored) < least) {
        paste0("the largest weight is ", format(max(stored), digits = 2),
               ", since exp() of so large a distance is almost 0")
    }
}

# What an edge takes while a graph is put together.
edge_bytes <- 80

# |cos| of the samples that are joined, from the scaled cells.
cosine_weights <- function(weights, where, control) {
    n <- where$data$n
    itself <- seq_len(n) - 1L
    norms <- sqrt(.Call(C_pair_sums, where$data, where$scaling, itself, itself,
                        TRUE, control))
    norms[norms == 0] <- Inf
    ends <- upper_edges(weights)
    products <- .Call(C_pair_sums, where$data, where$scaling, ends$row,
                      ends$column, TRUE, control)
    cosines <- pmin(abs(products) / (norms[ends$row + 1L] *
                                         norms[ends$column + 1L]), 1)
    if (!is.matrix(weights)) {
        weights@x <- cosines
        return(weights)
    }
    weights[ends$at] <- cosines
    weights[cbind(ends$column, ends$row) + 1L] <- cosines
    weights
}

# Each edge once, from 0, and its weight: row < column, in the order of the
# columns.
upper_edges <- function(weights) {
    if (is.matrix(weights)) {
        at <- which(upper.tri(weights))
        n <- nrow(weights)
        return(list(row = as.integer((at - 1) %% n),
                    column = as.integer((at - 1) %/% n), at = at,
                    weight = weights[at]))
    }
    column <- rep(seq_len(ncol(weights)) - 1L, diff(weights@p))
    at <- which(weights@i < column)
    list(row = weights@i[at], column = column[at], at = at,
         weight = weights@x[at])
}

new_similarity_graph <- function(weights, samples, parameters) {
    if (!is.null(samples)) dimnames(weights) <- list(samples, samples)
    structure(list(weights = weights, samples = samples, n = nrow(weights),
                   parameters = parameters, made_by = this_version()),
              class = "similarity_graph")
}

# A graph of package igraph or of colPair() as a sparse matrix of weights.
foreign_graph <- function(x) {
    if (inherits(x, "igraph")) {
        need_package("igraph", x)
        weighted <- "weight" %in% igraph::edge_attr_names(x)
        return(igraph::as_adjacency_matrix(x, attr = if (weighted) "weight"))
    }
    if (!methods::is(x, "SelfHits")) return(x)
    columns <- x@elementMetadata@listData
    weight <- columns[["weight"]] %||% c(columns, list(1))[[1L]]
    Matrix::sparseMatrix(x@from, x@to, x = as.numeric(weight),
                         dims = rep(x@nRnode, 2L))
}

# A graph from what the user gave: a similarity_graph, a symmetric matrix of
# weights or a graph of another package.
as_graph <- function(x, name = "graph") {
    check_given(x, "what similarity_graph() returned")
    if (inherits(x, "similarity_graph")) {
        check_undamaged(similarity_problem(x), name, "similarity_graph()")
        return(x)
    }
    x <- foreign_graph(x)
    sparse <- methods::is(x, "Matrix")
    dense <- is.matrix(x) && (is.numeric(x) || is.logical(x))
    refuse_class_if(!sparse && !dense, x, "`{name}` must be a similarity_graph,
                    a symmetric matrix of weights, an igraph or a colPair()")
    samples <- rownames(x) %||% colnames(x)
    apart <- !is.null(colnames(x)) && !identical(samples, colnames(x))
    if (sparse) {
        weights <- as_sparse_columns(x, name, "argument")
        # `dimnames<-` of package Matrix has something to say of NULL
        weights@Dimnames <- list(NULL, NULL)
    } else {
        weights <- x
        dimnames(weights) <- NULL
        storage.mode(weights) <- "double"
    }
    cells <- if (is.matrix(weights)) weights else weights@x
    problem <- if (nrow(weights) != ncol(weights)) {
        paste("is", nrow(weights), "x", ncol(weights))
    } else if (anyNA(cells) || any(is.infinite(cells))) {
        "has weights that are not finite"
    } else if (any(cells < 0)) {
        paste("has the weight", format(min(cells)))
    } else if (apart || !Matrix::isSymmetric(weights)) {
        paste0("is not symmetric", if (apart) " in its names")
    }
    refuse_if(!is.null(problem), "`", name, "` must be a symmetric matrix of ",
              "finite weights of at least 0, but it ", problem, ".")
    weights <- without_diagonal(as_symmetric(weights))
    new_similarity_graph(weights, samples,
                         list(adjacency = "given", weight = "given"))
}

similarity_problem <- function(graph) {
    weights <- graph$weights
    sparse <- methods::is(weights, "dgCMatrix")
    if (!sparse && !(is.matrix(weights) && is.double(weights)))
        return("its weights are no matrix")
    n <- graph$n
    if (!is_number(n) || any(dim(weights) != n) ||
        !length(graph$samples) %in% c(0, n))
        return("its number of samples is not that of its weights")
    if (sparse) slot_problem(weights)
}

# Symmetric within rounding, as it may be given: then the weights above the
# diagonal stand for both, as sums in C take an edge from either side.
as_symmetric <- function(weights) {
    if (Matrix::isSymmetric(weights, tol = 0)) return(weights)
    upper <- Matrix::forceSymmetric(weights, uplo = "U")
    if (is.matrix(weights)) as.matrix(upper) else as_sparse_columns(upper)
}

without_diagonal <- function(weights) {
    if (is.matrix(weights)) {
        diag(weights) <- 0
        return(weights)
    }
    column <- rep(seq_len(ncol(weights)) - 1L, diff(weights@p))
    weights@x[weights@i == column] <- 0
    Matrix::drop0(weights)
}

# Does the graph speak of the samples of the data?
match_graph <- function(graph, data, name = "graph") {
    refuse_if(graph$n != data$n, "`", name, "` is for ", graph$n, " samples, ",
              "but `x` has ", data$n, ask_if_turned(data$p == graph$n))
    # none where one of them has no names
    other <- which(graph$samples != data$samples)
    refuse_if(length(other), "`{name}` and `x` must name the samples alike, but
              sample {other[1L]} is {quote_values(graph$samples[other[1L]])} in
              one and {quote_values(data$samples[other[1L]])} in the other.")
    graph
}
