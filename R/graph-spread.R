# Propagation over a graph of the samples: columns of (I - a P)^-1, with P =
# D^(-1/2) S D^(-1/2), used for constraints and labels.

# Columns of M = (I - a P)^-1 for some samples: n x T.
propagation_columns <- function(weights, samples, a, control) {
    check_bytes(7 * 8 * nrow(weights) * length(samples), "The propagation")
    unit <- matrix(0, nrow(weights), length(samples))
    unit[cbind(samples, seq_along(samples))] <- 1
    spread_columns(weights, unit, a, control)
}

# M Y for any right-hand sides Y: n x T.
spread_columns <- function(weights, y, a, control) {
    degree <- .Call(C_graph_degrees, weights)
    root <- ifelse(degree > 0, 1 / sqrt(degree), 0)
    .Call(C_propagation_columns, weights, root, a, y, control)
}
