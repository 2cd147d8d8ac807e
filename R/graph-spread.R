# What spreads over a graph of the samples: columns of (I - a P)^-1, with
# P = D^(-1/2) S D^(-1/2), as constraints and labels are spread with.

# Columns of M for some samples: n x T.
propagation_columns <- function(weights, samples, a, control) {
    check_bytes(6 * 8 * nrow(weights) * length(samples), "The propagation")
    degree <- .Call(C_graph_degrees, weights)
    root <- ifelse(degree > 0, 1 / sqrt(degree), 0)
    .Call(C_propagation_columns, weights, root, a, samples, control)
}
