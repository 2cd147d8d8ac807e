# Eigenvectors of graphs by Lanczos, and the Laplacian that active selection
# changes one weight at a time. src/graph_spectral.c computes products and
# solutions; the small problems are solved by eigen() and solve().

# ---- the Laplacian of a graph, with edits ----------------------------------

# `weights`: as in a similarity_graph. An edit changes the weight of one pair;
# the model stores the difference.
laplacian_model <- function(weights) {
    list(n = as.numeric(nrow(weights)), weights = weights,
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
    for (t in seq_along(samples)) {
        model$degree[samples[t]] <- model$degree[samples[t]] + change[t]
    }
    model$degree
}

# ---- Lanczos -----------------------------------------------------------------

# The same start for every call, without relation to any graph.
lanczos_start <- function(n) {
    cos(seq_len(n)) + sin(seq_len(n)^2)
}

# Extreme eigenvectors of a symmetric operator, orthogonal to `deflate`.
# operator: list(inverse, root, plain), see r_lanczos(). end: "largest" or
# "smallest" eigenvalues. done(values, residuals): are the wanted ones accurate
# enough? Returns list(values, vectors, residuals, steps, failed), `wanted` of
# them or as many as exist.
lanczos <- function(model, operator, deflate, start, wanted, end, done,
                    chunk = 10L, most = 600L) {
    for (pass in 1:2) {
        start <- start - deflate %*% crossprod(deflate, start)
    }
    basis <- matrix(start / sqrt(sum(start^2)))
    alpha <- beta <- numeric()
    failed <- FALSE
    repeat {
        run <- .Call(C_lanczos, model, operator$inverse, operator$root,
                     isTRUE(operator$plain), deflate, basis, chunk)
        basis <- run$basis
        alpha <- c(alpha, run$alpha)
        beta <- c(beta, run$beta)
        failed <- failed || run$failed
        found <- ritz_pairs(alpha, beta, wanted, end)
        m <- length(alpha)
        if (beta[m] == 0 || m >= most || failed ||
            (length(found$values) == wanted &&
             done(found$values, found$residuals))) {
            break
        }
    }
    vectors <- basis[, seq_len(m), drop = FALSE] %*% found$small
    list(values = found$values, vectors = vectors,
         residuals = found$residuals, steps = m, failed = failed)
}

ritz_pairs <- function(alpha, beta, wanted, end) {
    m <- length(alpha)
    tridiagonal <- diag(alpha, m)
    for (i in seq_len(m - 1L)) {
        tridiagonal[i, i + 1L] <- tridiagonal[i + 1L, i] <- beta[i]
    }
    small <- eigen(tridiagonal, symmetric = TRUE)
    picks <- utils::head(if (end == "largest") seq_len(m) else rev(seq_len(m)),
                         wanted)
    list(values = small$values[picks],
         small = small$vectors[, picks, drop = FALSE],
         residuals = abs(beta[m] * small$vectors[m, picks]))
}

# The `count` leading eigenvectors of D^-1/2 S D^-1/2, or for "additive" of S - D:
# first those of the connected components, largest first, then by Lanczos.
leading_vectors <- function(model, count, normalisation = "symmetric") {
    count <- min(count, model$n)
    symmetric <- normalisation == "symmetric"
    length <- if (symmetric) sqrt(model$degree) else numeric(model$n)
    length[length == 0] <- 1
    parts <- utils::head(split_by_size(connected_parts(model)), count)
    found <- vapply(parts, function(part) {
        vector <- numeric(model$n)
        vector[part] <- length[part] / sqrt(sum(length[part]^2))
        vector
    }, numeric(model$n))
    if (symmetric) {
        root <- ifelse(model$degree > 0, 1 / length, 0)
        return(more_vectors(model, list(root = root), found, count, "largest",
                            1e-9))
    }
    more_vectors(model, list(plain = TRUE), found, count, "smallest",
                 1e-7 * max(model$degree))
}

# Vectors besides those `found`. An operator with few different eigenvalues ends
# a run early; the next run has another start.
more_vectors <- function(model, operator, found, count, end, tolerance) {
    done <- function(values, residuals) all(residuals <= tolerance)
    while (ncol(found) < count) {
        start <- lanczos_start(model$n + ncol(found))
        run <- lanczos(model, operator, found,
                       start[ncol(found) + seq_len(model$n)],
                       count - ncol(found), end, done, chunk = 20L)
        found <- cbind(found, run$vectors)
    }
    found
}

# ---- the low end of the Laplacian ------------------------------------------

# A factor of L - sigma I with sigma just below lambda_2, so that few steps of
# Lanczos on its inverse give v_2. NULL for a sparse graph, whose factor would
# be dense; conjugate gradients are used instead.
factor_model <- function(model) {
    if (!is_dense_model(model)) {
        return(NULL)
    }
    n <- model$n
    run <- lanczos(model, list(plain = TRUE), matrix(1 / sqrt(n), n, 1L),
                   lanczos_start(n), 2L, "smallest",
                   function(values, residuals) {
                       all(residuals <= 0.01 * (values[2L] - values[1L]))
                   }, chunk = 20L, most = 300L)
    second <- max(run$values[1L], 0)
    gap <- if (length(run$values) > 1L) run$values[2L] - second else second
    below <- max(0.1 * gap, 1e-3 * second, 1e-12 * max(model$degree))
    for (try in 0:60) {
        # the estimate is never below lambda_2, but may be above it
        sigma <- second - below * 2^try
        factor <- .Call(C_shifted_factor, model, sigma,
                        2 * max(second, abs(sigma)) / n)
        if (!is.null(factor)) {
            break
        }
    }
    list(factor = factor, sigma = sigma, first = integer(),
         second = integer(), delta = numeric(), z = matrix(0, n, 0L),
         small = matrix(0, 0L, 0L))
}

# The inverse after one more edit (Woodbury); NULL when it must be recomputed:
# after many edits, or when an eigenvalue has fallen below sigma.
update_inverse <- function(inverse, i, j, delta, most = 50L) {
    if (is.null(inverse) || length(inverse$delta) >= most) {
        return(NULL)
    }
    plain <- inverse
    plain[c("first", "second", "z", "small")] <-
        list(integer(), integer(), matrix(0, nrow(inverse$z), 0L),
             matrix(0, 0L, 0L))
    b <- numeric(nrow(inverse$z))
    b[c(i, j)] <- c(1, -1)
    inverse$first <- c(inverse$first, i - 1L)
    inverse$second <- c(inverse$second, j - 1L)
    inverse$delta <- c(inverse$delta, delta)
    inverse$z <- cbind(inverse$z, .Call(C_inverse_product, plain, b))
    small <- diag(1 / inverse$delta, length(inverse$delta)) +
        inverse$z[inverse$first + 1L, , drop = FALSE] -
        inverse$z[inverse$second + 1L, , drop = FALSE]
    small <- (small + t(small)) / 2
    values <- eigen(small, symmetric = TRUE, only.values = TRUE)$values
    # Sylvester: number of negative eigenvalues of the updated matrix
    negative <- sum(values > 0) - sum(inverse$delta > 0)
    if (negative != 0L || min(abs(values)) <= 1e-12 * max(abs(values))) {
        return(NULL)
    }
    inverse$small <- solve(small)
    inverse
}

# The next eigenvector of L above those in `deflate`: list(value, vector,
# steps, failed).
next_vector <- function(model, inverse, deflate, start) {
    done <- function(values, residuals) residuals <= 1e-12 * abs(values)
    run <- lanczos(model, list(inverse = inverse), deflate, start, 1L,
                   "largest", done, chunk = if (is.null(inverse)) 6L else 8L)
    sigma <- if (is.null(inverse)) 0 else inverse$sigma
    list(value = sigma + 1 / run$values, vector = drop(run$vectors),
         steps = run$steps, failed = run$failed)
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
