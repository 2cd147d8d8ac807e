# Principal components of the samples, for pictures and for neighbours.

# First principal components of the range-scaled, centred data by block Krylov
# iteration (the Lanczos method with several vectors at a time): a few passes
# over the features, and no matrix of products. It needs far fewer passes than
# subspace iteration where the components hardly differ, as in noise.
principal_components <- function(data, count = 2L, most = 40L) {
    # a fixed start, so that a plot never depends on random numbers
    block <- qr.Q(qr(outer(
        seq_len(data$n), seq_len(min(count + 6L, data$n - 1L)),
        function(i, j) cos(i * j) + sin(i * i * j)
    )))
    basis <- image <- NULL
    values <- numeric(count)
    for (step in seq_len(most)) {
        product <- gram_product(data, block)
        basis <- cbind(basis, block)
        image <- cbind(image, product$value)
        small <- eigen(crossprod(basis, image), symmetric = TRUE)
        last <- values
        values <- c(pmax(small$values, 0), last * 0)[seq_len(count)]
        block <- new_directions(product$value, basis)
        if (ncol(block) == 0L ||
            max(abs(values - last)) <= 1e-10 * values[1L]) {
            break
        }
    }
    # what rounding leaves of a component that is not there
    values[values <= 1e-13 * values[1L]] <- 0
    coordinates <- component_coordinates(basis %*% small$vectors, values, count)
    rownames(coordinates) <- data$samples
    attr(coordinates, "share") <- values / max(product$total, 1e-300)
    coordinates
}

# An orthonormal basis of what some vectors add to a basis.
new_directions <- function(vectors, basis) {
    largest <- max(abs(vectors))
    # twice: the first time leaves rounding behind
    for (turn in 1:2) {
        vectors <- vectors - basis %*% crossprod(basis, vectors)
    }
    added <- sqrt(colSums(vectors^2)) > 1e-9 * largest
    parts <- qr(vectors[, added, drop = FALSE])
    fresh <- qr.Q(parts)[, seq_len(parts$rank), drop = FALSE]
    qr.Q(qr(fresh - basis %*% crossprod(basis, fresh)))
}

component_coordinates <- function(axes, values, count) {
    coordinates <- matrix(0, nrow(axes), count)
    for (j in seq_len(min(count, ncol(axes)))) {
        sign <- sign(axes[which.max(abs(axes[, j])), j])
        coordinates[, j] <- axes[, j] * sqrt(max(values[j], 0)) * sign
    }
    colnames(coordinates) <- paste0("PC", seq_len(count))
    coordinates
}

# X X' times some vectors, and the sum of squares of X, by blocks of so many
# cells.
gram_product <- function(data, vectors, cells_at_once = 2^21) {
    value <- matrix(0, data$n, ncol(vectors))
    total <- 0
    per_block <- max(1, floor(cells_at_once / data$n))
    for (first in seq(1, data$p, by = per_block)) {
        columns <- seq(first, min(first + per_block - 1, data$p))
        cells <- scaled_cells(data, as.integer(columns))
        value <- value + cells %*% crossprod(cells, vectors)
        total <- total + sum(cells^2)
    }
    list(value = value, total = total)
}

scaled_cells <- function(data, columns) {
    cells <- .Call(C_read_features, data, columns)
    range <- (data$maximum - data$minimum)[columns]
    cells <- sweep(cells, 2L, data$minimum[columns])
    cells <- sweep(cells, 2L, ifelse(range > 0, range, 1), "/")
    cells <- sweep(cells, 2L, colMeans(cells, na.rm = TRUE))
    cells[is.na(cells)] <- 0
    cells
}
