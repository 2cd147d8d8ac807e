# Principal components of the samples, for plots and for neighbours.

# Scores of the first components of scaled, centred data, samples x components;
# fewer than `count` where the rank is lower. `tolerance`: of the vectors, where
# the data are too large for an exact solution, beyond `exact` samples or
# features. With 1e-8 questions and features of glean() were those of 1e-10 on
# all of seven sets, with 1e-6 not on two; 1e-8 takes a fifth less. Of up to
# `formed` features the matrix of products is formed, which takes half the time.
# `start`: `vectors` of nearly the same data, to begin with there. `cuts`: how
# often the search starts anew at most. Attributes: `values`, the sum of squares
# of each component, `total`, that of the data, and `vectors`, unit vectors over
# the samples, or over the features where these are fewer.
component_scores <- function(data, scaling, count, tolerance = 1e-8,
                             exact = 500, formed = 800, start = NULL,
                             cuts = 500L) {
    columns <- level_columns(list(data = without_missing(data, scaling),
                                  scaling = scaling))
    data <- columns$data
    scaling <- columns$scaling
    # centring removes any shift, so the shift is chosen such that a zero cell
    # stays 0, and sparse data have the same sums as dense data
    scaling$center[data$minimum <= 0 & data$maximum >= 0] <- 0
    fit <- .Call(C_principal_components, data, scaling, as.numeric(count),
                 list(tolerance = tolerance, exact = exact, formed = formed,
                      cuts = cuts), start, data$control)
    if (fit$excess > 1) warn_linkrank("The principal components are accurate to
        {format(fit$excess * tolerance, digits = 2L)} only: give `space` fewer
        of them.", class = "convergence")
    scores <- fit$scores
    dimnames(scores) <- list(data$samples, if (ncol(scores))
        paste0("PC", seq_len(ncol(scores))))
    structure(scores, values = fit$values, total = fit$total,
              vectors = fit$vectors)
}

# The first components of the data for a plot, scaled by the default of the
# ranking methods: always `count` columns, 0 beyond the rank. The tolerance is
# invisible in a plot: pure noise of 2000 x 5000 takes 0.9 seconds with it and
# 2.1 with 0.001.
principal_components <- function(data, count = 2L, tolerance = 0.05) {
    data$control <- default_control()
    scaling <- feature_scaling(data, decide_scale(data, scale = NULL))
    scores <- component_scores(data, scaling, count, tolerance, formed = 0)
    rank <- ncol(scores)
    axes <- matrix(0, data$n, count, dimnames = list(
        data$samples, paste0("PC", seq_len(count))))
    axes[, seq_len(rank)] <- scores
    values <- numeric(count)
    values[seq_len(rank)] <- attr(scores, "values")
    attr(axes, "explained") <- values / max(attr(scores, "total"), 1e-300)
    axes
}
