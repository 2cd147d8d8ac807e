# Spectral clustering of a graph modified by constraints.

#' Spectral clustering under constraints
#'
#' Joins must-linked samples and separates cannot-linked ones in the similarity
#' graph of the data, then clusters its leading eigenvectors. It finds groups of
#' any shape that are connected in the graph; [pck_means()] finds spherical
#' groups.
#'
#' @param x Data: see [prepare_data()].
#' @param constraints Constraints: see [pairwise_constraints()].
#' @param clusters Number of clusters, from 1 to the number of samples.
#' @param graph A graph to use instead: see [similarity_graph()].
#' @param k Neighbours of the self-tuning similarity.
#' @param normalisation `"symmetric"` (Ng, Jordan and Weiss 2002) or
#'   `"additive"` (Kamvar, Klein and Manning 2003): see Details.
#' @param ... Arguments of [prepare_data()], by name: `scale`, `space`,
#'   `na.action`, `by`, `assay.type`, `threads`, `progress`.
#' @return An object of class `constrained_clusters` as [pck_means()] returns
#'   it, with `cluster`, `sizes`, `broken`, and `vectors`, the eigenvectors
#'   (samples x clusters, rows of length 1).
#'
#' @details S is the full self-tuning graph (k = 7; above 2000 samples of
#'   nearest neighbours), with 1 for each must-link and 0 for each cannot-link
#'   of the closure; D has the degrees. The leading eigenvectors are those of
#'   D^(-1/2) S D^(-1/2), or for `"additive"` of (S + d_max I - D) / d_max, with
#'   the largest degree d_max; connected components come first, the largest
#'   before. Their rows, divided by their lengths, are clustered by k-means,
#'   which starts farthest-first from the sample of largest degree; equal
#'   distances: the lower sample. It need not satisfy all constraints.
#'
#' The additive form puts nearly all samples into one cluster where degrees
#' differ. A warning `linkrank_warning_clusters` says so where a cluster has 90
#' % of the samples. [glean_labels()] finds the number of groups itself;
#' `clusterings.csv` in folder `benchmarks` compares the methods.
#'
#' *Cost.* The graph, then one pass over the stored weights per step. Memory: 16
#' n^2 bytes, or with neighbours 100 per edge and 1 kB per sample.
#'
#' @section Errors: `linkrank_error_argument`: more clusters than samples;
#'   `linkrank_error_constraints`: cannot-links that cannot all hold with this
#'   number of clusters. Also those of [similarity_graph()].
#'
#' @references Kamvar, S. D., Klein, D. and Manning, C. D. (2003). *IJCAI*,
#' 561-566.
#'
#' Ng, A. Y., Jordan, M. I. and Weiss, Y. (2002). *NIPS* 14, 849-856.
#'
#' @examples
#' set.seed(1)
#' links <- constraints_from_labels(iris$Species, cannot_link = 10,
#'                                  must_link = 10)
#' found <- spectral_clustering(iris[1:4], links, clusters = 3)
#' table(found$cluster, iris$Species)
#' @export
spectral_clustering <- function(
    x, constraints, ..., clusters, graph = NULL, k = 7,
    normalisation = c("symmetric", "additive")) {
    check_constraints(constraints)
    normalisation <- check_choice(normalisation)
    check_one_place(graph, ...names())
    refuse_beside("k", "graph")
    data <- prepared(x, ..., uses = c(score_arguments, "space"))
    data$settings$distance <- NULL
    graph <- if (is.null(graph)) {
        similarity_graph(data, weight = "self_tuning", k = k, adjacency =
                             if (data$n > 2000) "knn" else "full")
    } else {
        match_graph(as_graph(graph, "graph"), data)
    }
    data["samples"] <- list(data$samples %||% graph$samples)
    check_given(clusters, "how many to make, as `k` is for neighbours")
    clusters <- check_count(clusters, "clusters", 1, data$n)
    constraints <- match_constraints(constraints, data)
    check_can_be_met(constraint_links(constraints, listed = TRUE), clusters,
                     constraints$names)
    closed <- close_constraints(constraints)
    model <- laplacian_model(constrain_weights(graph$weights,
                                               write_out(closed)))
    vectors <- leading_vectors(model, clusters, normalisation)
    norm <- sqrt(rowSums(vectors^2))
    vectors <- vectors / ifelse(norm > 0, norm, 1)
    cluster <- vector_clusters(vectors, model$degree)
    largest <- max(tabulate(cluster)) / data$n
    warn_if(clusters > 1 && largest >= 0.9, "One of {clusters} clusters has
            {round(100 * largest)} % of the samples: try pck_means() or another
            `normalisation`.", class = "clusters")
    new_constrained_clusters(
        cluster, clusters, data$samples,
        paste0("constrained spectral (", normalisation, ")"),
        broken = count_broken(closed, cluster), vectors = vectors
    )
}

# k-means of the rows of eigenvectors, started farthest-first from the sample of
# largest degree: the cluster of each sample. One with equal distance to two
# centres is assigned to the first; a cluster that loses its samples stays
# empty.
vector_clusters <- function(vectors, degree, most = 1000L) {
    starts <- farthest_first(vectors, which.max(degree))
    if (length(starts) == 1L) return(rep(1L, nrow(vectors)))
    # kmeans() warns of empty clusters and of the last step
    fit <- suppressWarnings(stats::kmeans(
        vectors, vectors[starts, ], iter.max = most, algorithm = "Lloyd"))
    warn_if(fit$iter > most, "k-means did not end in {most} steps: try another
            number of `clusters`.", class = "convergence")
    fit$cluster
}

# As many samples as there are columns, each the farthest from those before;
# fewer where no other differs from these.
farthest_first <- function(vectors, first) {
    columns <- t(vectors)
    starts <- first
    nearest <- Inf
    while (length(starts) < nrow(columns)) {
        at <- columns[, starts[length(starts)]]
        nearest <- pmin(nearest, colSums((columns - at)^2))
        if (max(nearest) == 0) break
        starts <- c(starts, which.max(signif(nearest, 6L)))
    }
    starts
}

# Weight 1 for must-links, 0 for cannot-links, instead of the graph's weight.
# `listed`: list(first, second, must_link).
constrain_weights <- function(weights, listed) {
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
                         x = c(weights@x[kept], value[linked]), dims = c(n, n))
}
