# Slow, obvious versions of graphs and Laplacians: dense matrices and loops,
# written from the equations.

# Scaled cells; a constant feature is 0. Factors of more than two levels become
# indicators times sqrt(1/2), so that squared differences are 0 or 1.
reference_columns <- function(x, scale = "range") {
    columns <- lapply(seq_len(ncol(x)), function(j) {
        f <- x[, j]
        wide <- is.factor(f) && max(as.integer(f)) - min(as.integer(f)) > 1
        if (wide) {
            return(sqrt(0.5) * outer(as.character(f), levels(f), "==") * 1)
        }
        if (is.factor(f)) {
            return(as.integer(f) - min(as.integer(f)))
        }
        scaled_numbers(f, scale)
    })
    u <- do.call(cbind, columns)
    attr(u, "feature") <- rep(seq_along(columns),
                              vapply(columns, NCOL, 0L))
    unname(u)
}

# Distances (Euclidean: squares), one feature after the other.
reference_gaps <- function(u, distance = "euclidean") {
    d <- matrix(0, nrow(u), nrow(u))
    for (j in seq_len(ncol(u))) {
        gap <- abs(outer(u[, j], u[, j], "-"))
        d <- d + if (distance == "euclidean") gap^2 else gap
    }
    d
}

# Row i: the k nearest others of i, equal distances by row.
reference_neighbours <- function(d, k) {
    t(vapply(seq_len(nrow(d)), function(i) {
        setdiff(order(d[i, ]), i)[seq_len(k)]
    }, integer(k)))
}

reference_joined <- function(d, adjacency, k, epsilon, root) {
    n <- nrow(d)
    if (adjacency == "full") {
        return(diag(n) == 0)
    }
    if (adjacency == "epsilon") {
        return((if (root) sqrt(d) else d) < epsilon & diag(n) == 0)
    }
    near <- matrix(FALSE, n, n)
    lists <- reference_neighbours(d, min(k, n - 1L))
    dim(lists) <- c(n, min(k, n - 1L))
    for (i in seq_len(n)) {
        near[i, lists[i, ]] <- TRUE
    }
    if (adjacency == "knn") near | t(near) else near & t(near)
}

reference_graph <- function(u, adjacency = "knn", weight = "heat", k = 5,
                            epsilon = NULL, sigma = 1, t = NULL,
                            distance = "euclidean") {
    d <- reference_gaps(u, distance)
    euclidean <- distance == "euclidean"
    joined <- reference_joined(d, adjacency, k, epsilon, euclidean)
    square <- if (euclidean) d else d^2
    if (is.null(t)) t <- reference_width(square, joined)
    s <- switch(weight, heat = exp(-square / t),
                gaussian = exp(-square / (2 * sigma^2)),
                inverse = 1 / (square / sigma^2 + 1), binary = 1 + 0 * d,
                self_tuning = {
                    own <- reference_scales(square, k)
                    exp(-square / (2 * outer(own, own)))
                },
                cosine = {
                    length <- sqrt(rowSums(u^2))
                    length[length == 0] <- Inf
                    abs(tcrossprod(u)) / outer(length, length)
                })
    s * joined
}

# The median over the joined pairs; if that is 0, the smallest positive, or 1.
reference_width <- function(square, joined) {
    values <- square[upper.tri(square) & joined]
    width <- if (length(values)) median(values) else 0
    if (width > 0) width else if (any(values > 0)) min(values[values > 0]) else 1
}

reference_scales <- function(square, k) {
    own <- vapply(seq_len(nrow(square)), function(i) {
        sqrt(sort(square[i, -i])[min(k, nrow(square) - 1L)])
    }, 0)
    smallest <- if (any(own > 0)) min(own[own > 0]) else 1
    own[own == 0] <- smallest
    own
}

reference_laplacian <- function(s, type = "unnormalised") {
    d <- rowSums(s)
    if (type == "unnormalised") {
        return(diag(d) - s)
    }
    power <- ifelse(d > 0, 1 / sqrt(d), 0)
    if (type == "symmetric") {
        return(diag((d > 0) * 1) - power * s * rep(power, each = nrow(s)))
    }
    diag((d > 0) * 1) - ifelse(d > 0, 1 / d, 0) * s
}

dense <- function(graph) unname(as.matrix(graph))
