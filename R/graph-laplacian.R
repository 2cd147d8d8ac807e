# Laplacians of a graph, and quadratic forms of the features on it.

#' Laplacian matrix of a graph
#'
#' The Laplacian of a graph measures how much values on its samples differ along
#' the edges: f'Lf is the sum over edges of weight times squared difference.
#'
#' @param graph A [similarity_graph()], or a symmetric matrix (plain or of
#'   package \pkg{Matrix}) of non-negative weights; the diagonal is ignored.
#' @param type With S the weights and D the diagonal matrix of their row sums:
#'   `"unnormalized"`, D - S; `"symmetric"`, I - D^(-1/2) S D^(-1/2);
#'   `"random_walk"`, I - D^(-1) S.
#' @param ... Must be empty.
#'
#' @return An n by n matrix with the names of the samples: a `dgCMatrix`, or a
#'   plain matrix when the graph is one (`adjacency = "full"`).
#'
#' @details A sample without edges has a row and column of zeros. Cost and
#'   memory: proportional to the edges.
#'
#' @section Errors: `linkrank_error_argument` when `graph` is not a graph.
#'
#' @references Hijazi, S. (2019). *Semi-supervised Margin-based Feature
#'   Selection for Classification.* PhD thesis, NNT 2019DUNK0546. Section 1.3.
#'
#' @examples
#' x <- log2(colon$x)
#' graph <- similarity_graph(x)
#' laplacian <- graph_laplacian(graph)
#' f <- x[, 1]
#' sum(f * (laplacian %*% f))
#' @export
graph_laplacian <- function(graph, type = c("unnormalized", "symmetric",
                                            "random_walk"), ...) {
    check_dots_empty(...)
    type <- check_choice(type, c("unnormalized", "symmetric", "random_walk"),
                         "type")
    graph <- as_graph(graph)
    degree <- graph_degrees(graph)
    joined <- degree > 0
    power <- numeric(graph$n)
    power[joined] <- switch(type, unnormalized = 1,
                            symmetric = 1 / sqrt(degree[joined]),
                            random_walk = 1 / degree[joined])
    row <- power
    column <- if (type == "symmetric") power else rep(1, graph$n)
    diagonal <- if (type == "unnormalized") degree else as.numeric(joined)
    weights <- graph$weights
    if (is.matrix(weights)) {
        laplacian <- -(weights * row)
        laplacian <- laplacian * rep(column, each = graph$n)
        diag(laplacian) <- diagonal
        return(laplacian)
    }
    weights@x <- -weights@x * row[weights@i + 1L] *
        rep(column, diff(weights@p))
    laplacian <- weights + Matrix::Diagonal(x = diagonal)
    laplacian <- methods::as(laplacian, "CsparseMatrix")
    dimnames(laplacian) <- dimnames(weights)
    laplacian
}
