# Laplacians of a graph of samples, their eigenvectors, and propagation of
# labels.

# ==== Laplacians ==============================================================

# Laplacians of a graph, and quadratic forms of the features on it.

#' Laplacian matrix of a graph
#'
#' The Laplacian of a graph measures how much values on its samples differ along
#' the edges: f'Lf is the sum over edges of weight times squared difference.
#'
#' @param graph A [similarity_graph()], or a symmetric matrix (plain or of
#'   package \pkg{Matrix}) of non-negative weights; the diagonal is ignored.
#' @param type With S the weights and D the diagonal matrix of their row sums:
#'   `"unnormalised"`, D - S; `"symmetric"`, I - D^(-1/2) S D^(-1/2);
#'   `"random_walk"`, I - D^(-1) S.
#' @param ... Must be empty.
#'
#' @return An n by n matrix with the names of the samples: a `dgCMatrix`, or a
#'   plain matrix when the graph is one (`adjacency = "full"`).
#'
#' @details A sample without edges has a row and column of zeros. Cost:
#'   proportional to the edges.
#'
#' @section Errors: `linkrank_error_argument` when `graph` is not a graph.
#'
#' @references Hijazi, S. (2019). PhD thesis, NNT 2019DUNK0546. Section 1.3.
#'
#' @examples
#' x <- log2(colon$x)
#' graph <- similarity_graph(x)
#' laplacian <- graph_laplacian(graph)
#' f <- x[, 1]
#' sum(f * (laplacian %*% f))
#' @export
graph_laplacian <- function(graph, type = c("unnormalised", "symmetric",
                                            "random_walk"), ...) {
    check_dots_empty(...)
    type <- check_choice(type)
    graph <- as_graph(graph)
    degree <- graph_degrees(graph)
    joined <- degree > 0
    power <- numeric(graph$n)
    power[joined] <- switch(type, unnormalised = 1,
                            symmetric = 1 / sqrt(degree[joined]),
                            random_walk = 1 / degree[joined])
    column <- if (type == "symmetric") power else rep(1, graph$n)
    diagonal <- if (type == "unnormalised") degree else as.numeric(joined)
    weights <- graph$weights
    if (is.matrix(weights)) {
        laplacian <- -(weights * power) * rep(column, each = graph$n)
        diag(laplacian) <- diagonal
        return(laplacian)
    }
    weights@x <- -weights@x * power[weights@i + 1L] *
        rep(column, diff(weights@p))
    laplacian <- weights + Matrix::Diagonal(x = diagonal)
    laplacian <- methods::as(laplacian, "CsparseMatrix")
    dimnames(laplacian) <- dimnames(weights)
    laplacian
}

# ==== spectra =================================================================

# Eigenvectors of graphs by Lanczos, and the Laplacian that active selection
# changes one weight at a time. src/components_lanczos_walk.c has the method,
# src/graph_spectral.c the products.

# ---- the Laplacian of a graph, with edits ----------------------------------

# `weights`: as in a similarity_graph. An edit changes the weight of one pair;
# the model stores the difference.
laplacian_model <- function(weights, control = default_control()) {
    list(n = as.numeric(nrow(weights)), weights = weights, control = control,
         degree = .Call(C_graph_degrees, weights),
         first = integer(), second = integer(), delta = numeric())
}

is_dense_model <- function(model) is.matrix(model$weights)

edit_model <- function(model, i, j, delta) {
    model$first <- c(model$first, i - 1L)
    model$second <- c(model$second, j - 1L)
    model$delta <- c(model$delta, delta)
    model
}

# Degrees with the edits.
current_degree <- function(model) {
    samples <- c(model$first, model$second) + 1L
    change <- c(model$delta, model$delta)
    for (t in seq_along(samples))
        model$degree[samples[t]] <- model$degree[samples[t]] + change[t]
    model$degree
}

# ---- Lanczos -----------------------------------------------------------------

# The eigenvectors of the largest eigenvalues, orthogonal to `deflate`: `wanted`
# of them or as many as exist, as list(values, vectors, residuals, steps,
# failed); of which operator, see r_lanczos(). accuracy: the largest residual,
# as c(absolute, share of the value, share of the spread of the values).
lanczos <- function(model, deflate, wanted, accuracy, inverse = NULL,
                    root = NULL, laplacian = FALSE, start = NULL,
                    steps = 30000) {
    .Call(C_lanczos, model, inverse, root, deflate, start,
          list(wanted = wanted, steps = steps, laplacian = laplacian,
               accuracy = c(accuracy, 0)))
}

# What `run` of lanczos() has not reached.
warn_late_vectors <- function(run) {
    worst <- which.max(run$residuals)
    warn_if(run$failed, "Eigenvector {worst} of {length(run$residuals)} of the
            graph has a residual of {format(run$residuals[worst], digits = 2L)}
            after {run$steps} products: a graph with more neighbours (`k`) needs
            fewer.", class = "convergence")
}

# The `count` leading eigenvectors of D^-1/2 S D^-1/2, or for "additive" of S -
# D: first those of the connected components, largest first, then by Lanczos.
leading_vectors <- function(model, count, normalisation = "symmetric", ...) {
    n <- model$n
    count <- min(count, n)
    additive <- normalisation == "additive"
    length <- if (additive) numeric(n) else sqrt(model$degree)
    root <- if (additive) rep(1, n) else ifelse(length > 0, 1 / length, 0)
    length[length == 0] <- 1
    parts <- utils::head(split_by_size(connected_parts(model)), count)
    vectors <- vapply(parts, function(part) {
        vector <- numeric(n)
        vector[part] <- length[part] / sqrt(sum(length[part]^2))
        vector
    }, numeric(n))
    if (ncol(vectors) == count) return(vectors)
    largest <- if (additive) 1e-7 * max(model$degree) else 1e-9
    run <- lanczos(model, vectors, count - ncol(vectors), c(largest, 0, 0),
                   root = root, laplacian = additive, ...)
    warn_late_vectors(run)
    cbind(vectors, run$vectors)
}

# ---- the low end of the Laplacian ------------------------------------------

# A factor of L - sigma I with sigma just below lambda_2, so that few steps of
# Lanczos on its inverse give v_2. NULL for a sparse graph, whose factor would
# be dense.
factor_model <- function(model) {
    if (!is_dense_model(model)) return(NULL)
    n <- model$n
    run <- lanczos(model, matrix(1 / sqrt(n), n, 1L), 2L, c(0, 0, 0.01),
                   root = rep(1, n), laplacian = TRUE)
    second <- max(-run$values[1L], 0)
    gap <- if (length(run$values) > 1L) -run$values[2L] - second else second
    below <- max(0.1 * gap, 1e-3 * second, 1e-12 * max(model$degree))
    repeat {
        # the estimate is never below lambda_2, but may be above it; there is a
        # factor in the end, as the diagonal outweighs all else
        sigma <- second - below
        factor <- .Call(C_shifted_factor, model, sigma,
                        2 * max(second, abs(sigma)) / n)
        if (!is.null(factor)) break
        below <- 2 * below
    }
    list(factor = factor, sigma = sigma, first = integer(),
         second = integer(), delta = numeric(), z = matrix(0, n, 0L),
         small = matrix(0, 0L, 0L))
}

# The inverse after one more edit (Woodbury); NULL when it must be recomputed:
# after many edits, or when an eigenvalue has fallen below sigma.
update_inverse <- function(inverse, i, j, delta, most = 50L) {
    if (is.null(inverse) || length(inverse$delta) >= most) return(NULL)
    plain <- inverse
    plain[c("first", "second", "z", "small")] <-
        list(integer(), integer(), matrix(0, nrow(inverse$z), 0L),
             matrix(0, 0L, 0L))
    b <- numeric(nrow(inverse$z))
    b[c(i, j)] <- c(1, -1)
    inverse <- edit_model(inverse, i, j, delta)
    inverse$z <- cbind(inverse$z, .Call(C_inverse_product, plain, b))
    small <- diag(1 / inverse$delta, length(inverse$delta)) +
        inverse$z[inverse$first + 1L, , drop = FALSE] -
        inverse$z[inverse$second + 1L, , drop = FALSE]
    small <- (small + t(small)) / 2
    values <- eigen(small, symmetric = TRUE, only.values = TRUE)$values
    # Sylvester: number of negative eigenvalues of the updated matrix
    negative <- sum(values > 0) - sum(inverse$delta > 0)
    if (negative != 0L || min(abs(values)) <= 1e-12 * max(abs(values)))
        return(NULL)
    inverse$small <- solve(small)
    inverse
}

# The next eigenvector of L above those in `deflate`: list(value, vector,
# steps, failed).
next_vector <- function(model, inverse, deflate, start = NULL) {
    direct <- is.null(inverse)
    run <- lanczos(model, deflate, 1L,
                   if (direct) c(1e-9 * max(model$degree), 0, 0) else
                       c(0, 1e-12, 0),
                   inverse, if (direct) rep(1, model$n), direct, start)
    warn_late_vectors(run)
    list(value = if (direct) -run$values else inverse$sigma + 1 / run$values,
         vector = drop(run$vectors), steps = run$steps, failed = run$failed)
}

# ---- connected parts ---------------------------------------------------------

# Edges smaller than the rounding error of the largest degree do not connect.
connection_threshold <- function(model) {
    .Machine$double.eps * max(model$degree)
}

connected_parts <- function(model, threshold = connection_threshold(model)) {
    .Call(C_graph_components, model, threshold) + 1L
}

# Members of each component, largest first, equal ones by their lowest sample.
split_by_size <- function(component) {
    parts <- unname(split(seq_along(component), component))
    parts[order(-lengths(parts))]
}

# ==== propagation =============================================================

# Propagation over a graph of the samples: columns of (I - a P)^-1, with P =
# D^(-1/2) S D^(-1/2), used for constraints and labels.

# Columns of M = (I - a P)^-1 for some samples: n x T.
propagation_columns <- function(weights, samples, a, control) {
    check_bytes(7 * 8 * nrow(weights) * length(samples), "The propagation")
    unit <- matrix(0, nrow(weights), length(samples))
    unit[cbind(samples, seq_along(samples))] <- 1
    spread_columns(weights, unit, a, control)
}

# M Y for any right-hand sides Y: n x T. An error of a column is at most its
# residual / (1 - a).
spread_columns <- function(weights, y, a, control, steps = 1e6) {
    degree <- .Call(C_graph_degrees, weights)
    root <- ifelse(degree > 0, 1 / sqrt(degree), 0)
    solved <- .Call(C_propagation_columns, weights, root,
                    list(a = a, steps = steps), y, control)
    if (solved$unfinished > 0) warn_linkrank("The propagation is inaccurate in
        {solved$unfinished} of {ncol(y)} columns, by up to
        {format(solved$longest / (1 - a), digits = 2L)}: give an `a` that is
        farther from 1.", class = "convergence")
    solved$columns
}
