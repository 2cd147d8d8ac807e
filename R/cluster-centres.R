# k-means on few rows, without random numbers.

farthest_first <- function(rows, first, count) {
    starts <- first
    nearest <- rep(Inf, nrow(rows))
    while (length(starts) < count) {
        at <- rows[starts[length(starts)], ]
        nearest <- pmin(nearest, rowSums(sweep(rows, 2L, at)^2))
        starts <- c(starts, which.max(nearest))
    }
    starts
}

# Lloyd's iterations until convergence. A sample with equal distance to two
# centres is assigned to the first; a centre without samples does not move.
nearest_centres <- function(rows, centres, most = 100L) {
    cluster <- integer(nrow(rows))
    columns <- t(rows)
    for (step in seq_len(most)) {
        squares <- vapply(seq_len(nrow(centres)), function(k) {
            colSums((columns - centres[k, ])^2)
        }, numeric(nrow(rows)))
        last <- cluster
        cluster <- max.col(-squares, ties.method = "first")
        if (identical(cluster, last)) {
            break
        }
        for (k in unique(cluster)) {
            centres[k, ] <- colMeans(rows[cluster == k, , drop = FALSE])
        }
    }
    list(cluster = cluster,
         distance = squares[cbind(seq_len(nrow(rows)), cluster)])
}
