# Principal components of the samples, for plots and for neighbours.

# Scores of the first components of scaled, centred data, samples x components;
# fewer than `count` where the rank is lower. No missing cells, no categories
# (see level_columns()). `tolerance`: of the vectors, where the data are too
# large for an exact solution. `start`: `vectors` of nearly the same data, to
# begin with there. Attributes: `values`, the sum of squares of each component,
# `total`, that of the data, and `vectors`, unit vectors over the samples, or
# over the features where these are fewer.
component_scores <- function(data, scaling, count, control,
                             tolerance = 1e-10, exact = 500, start = NULL) {
    # centring removes any shift, so the shift is chosen such that a zero cell
    # stays 0, and sparse data have the same sums as dense data
    scaling$center[data$minimum <= 0 & data$maximum >= 0] <- 0
    found <- .Call(C_principal_components, data, scaling, as.numeric(count),
                   tolerance, exact, start, control)
    scores <- found$scores
    dimnames(scores) <- list(data$samples, if (ncol(scores))
        paste0("PC", seq_len(ncol(scores))))
    structure(scores, values = found$values, total = found$total,
              vectors = found$vectors)
}

# The first components of the data for a plot, scaled by the default of the
# ranking methods: always `count` columns, 0 beyond the rank. The tolerance is
# invisible in a plot: pure noise of 2000 x 5000 takes 0.9 seconds with it and
# 2.1 with 0.001.
principal_components <- function(data, count = 2L, tolerance = 0.05) {
    scaling <- feature_scaling(data, decide_scale(NULL, data))
    control <- default_control()
    columns <- level_columns(list(
        data = without_missing(data, scaling, control), scaling = scaling
    ))
    scores <- component_scores(columns$data, columns$scaling, count, control,
                               tolerance)
    found <- ncol(scores)
    axes <- matrix(0, data$n, count, dimnames = list(
        data$samples, paste0("PC", seq_len(count))))
    axes[, seq_len(found)] <- scores
    values <- numeric(count)
    values[seq_len(found)] <- attr(scores, "values")
    attr(axes, "explained") <- values / max(attr(scores, "total"), 1e-300)
    axes
}

# Range-scaled, centred cells of some features; a missing cell is the mean.
scaled_cells <- function(data, columns) {
    cells <- .Call(C_read_features, data, columns)
    range <- (data$maximum - data$minimum)[columns]
    cells <- sweep(cells, 2L, data$minimum[columns])
    cells <- sweep(cells, 2L, ifelse(range > 0, range, 1), "/")
    cells <- sweep(cells, 2L, colMeans(cells, na.rm = TRUE))
    cells[is.na(cells)] <- 0
    cells
}
