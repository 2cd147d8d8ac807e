# Spectral clustering of a graph modified by constraints.

#' Spectral clustering under constraints
#'
#' Joins must-linked samples and separates cannot-linked ones in the similarity
#' graph of the data, then clusters its leading eigenvectors (Kamvar, Klein and
#' Manning 2003). It finds groups of any shape that are connected in the graph;
#' [pck_means()] finds spherical groups.
#'
#' @param x Data: see [prepare_data()].
#' @param constraints Constraints of the same samples, from
#'   [pairwise_constraints()] or [constraints_from_labels()].
#' @param clusters Number of clusters, from 1 to the number of samples.
#' @param graph A graph to use instead: see [similarity_graph()].
#' @param k Neighbours of the self-tuning similarity.
#' @param ... Arguments of [prepare_data()], by name: `scale`, `space`,
#'   `na.action`, `by`, `assay.type`, `threads`, `progress`.
#' @return An object of class `constrained_clusters` as [pck_means()] returns
#'   it, with `cluster`, `sizes`, `broken`, and `vectors`, the eigenvectors
#'   (samples x clusters, rows of length 1).
#'
#' @details S is the full self-tuning graph (k = 7; above 2000 samples the
#' k-nearest-neighbour graph), with 1 for each given must-link and 0 for each
#' given cannot-link. N = (S + d_max I - D) / d_max, with the degrees D and the
#' largest degree d_max. Its `clusters` leading eigenvectors are those of the
#' Laplacian D - S with the smallest eigenvalues, computed by the Lanczos
#' method. Their rows, divided by their lengths, are clustered by k-means, which
#' starts farthest-first from the sample of largest degree; equal distances: the
#' lower sample. The result is deterministic. It follows the constraints
#' closely, but need not satisfy all of them.
#'
#' Cost: the graph, then one pass over the stored weights per Lanczos step.
#' Memory: the full graph takes 8 n^2 bytes, the graph of neighbours about 100
#' bytes per edge.
#'
#' @section Errors: `linkrank_error_argument`: more clusters than samples;
#'   `linkrank_error_constraints`: cannot-links that cannot all hold with this
#'   number of clusters. Also those of [similarity_graph()].
#'
#' @references Kamvar, S. D., Klein, D. and Manning, C. D. (2003). Spectral
#'   learning. *Proceedings of the 18th International Joint Conference on
#'   Artificial Intelligence*, 561-566.
#'
#' @examples
#' set.seed(1)
#' links <- constraints_from_labels(iris$Species, cannot_link = 10,
#'                                  must_link = 10)
#' found <- spectral_clustering(iris[1:4], links, clusters = 3)
#' table(found$cluster, iris$Species)
#' @export
spectral_clustering <- function(
    x, constraints, ..., clusters, graph = NULL, k = 7) {
    check_constraints(constraints)
    check_one_place(graph, ...names())
    samples <- count_samples(x)
    graph <- if (is.null(graph)) {
        data <- prepared(x, ..., uses = c(score_arguments, "space"))
        data$settings$distance <- NULL
        samples <- data$n
        similarity_graph(data, adjacency = if (samples > 2000) "knn" else "full",
                         weight = "self_tuning", k = k)
    } else {
        as_graph(graph, "graph")
    }
    clusters <- check_count(clusters, "clusters", 1, samples)
    constraints <- match_constraints(constraints,
                                     list(n = samples, samples = graph$samples))
    check_can_be_met(constraint_links(constraints, listed = TRUE), clusters,
                     constraints$names)
    weights <- constrain_weights(graph$weights, constraints)
    vectors <- unit_rows(lowest_vectors(laplacian_model(weights), clusters))
    degree <- if (is.matrix(weights)) rowSums(weights) else
        Matrix::rowSums(weights)
    starts <- farthest_first(vectors, which.max(degree), clusters)
    found <- nearest_centres(vectors, vectors[starts, , drop = FALSE])
    new_constrained_clusters(
        found$cluster, clusters, graph$samples, "constrained spectral",
        broken = count_broken(constraints, found$cluster), vectors = vectors
    )
}

# Weight 1 for must-links, 0 for cannot-links, instead of the graph's weight.
constrain_weights <- function(weights, constraints) {
    listed <- write_out(constraints)
    dimnames(weights) <- list(NULL, NULL)
    i <- c(listed$first, listed$second)
    j <- c(listed$second, listed$first)
    value <- as.numeric(rep(listed$must_link, 2L))
    if (is.matrix(weights)) {
        diag(weights) <- 0
        weights[cbind(i, j)] <- value
        return(weights)
    }
    n <- nrow(weights)
    row <- weights@i + 1L
    column <- rep(seq_len(n), diff(weights@p))
    kept <- !((column - 1) * n + row) %in% ((j - 1) * n + i) & row != column
    linked <- value > 0
    Matrix::sparseMatrix(c(row[kept], i[linked]), c(column[kept], j[linked]),
                         x = c(weights@x[kept], value[linked]),
                         dims = c(n, n))
}

# Eigenvectors of D - S for the smallest eigenvalues: first those of eigenvalue
# 0, which are constant on the connected components (largest first), then by
# Lanczos.
lowest_vectors <- function(model, count) {
    parts <- utils::head(split_by_size(connected_parts(model)), count)
    found <- vapply(parts, function(part) {
        vector <- numeric(model$n)
        vector[part] <- 1 / sqrt(length(part))
        vector
    }, numeric(model$n))
    more_vectors(model, list(plain = TRUE), found, count, "smallest",
                 1e-7 * max(model$degree))
}

unit_rows <- function(rows) {
    length <- sqrt(rowSums(rows^2))
    rows / ifelse(length > 0, length, 1)
}
