# Redundancy of a set of features.

#' Redundancy of a set of features
#'
#' Two measures of how redundant the features of a selection are. The redundancy
#' rate is the average correlation of two features. Representation entropy is
#' large when the variance is distributed evenly over independent directions.
#'
#' @param ... Arguments of [prepare_data()], by name: `na.action`, `by`,
#'   `assay.type`, `threads`, `progress`.
#' @param x Data with the selected features only, such as
#'   `keep_features(x, ranking, 20)`, of any kind that [feature_graph()]
#'   accepts.
#' @param measure `"rate"` or `"entropy"`.
#' @param absolute For the rate: average the absolute correlations?
#'
#' @return A number.
#' * `"rate"`: as published, from -1/2 to 1/2; with `absolute = TRUE`, from 0
#'   to 1. Lower is less redundant.
#' * `"entropy"`: from 0 (all variance in one direction) to the logarithm of the
#'   number of features (all directions alike).
#'
#' @details
#' Representation entropy is H_R = - sum over j of l_j log l_j, with l_j the
#' eigenvalues of the covariance matrix of the features, scaled by their range,
#' divided by their sum; 0 log 0 is 0, and so is the entropy of constant
#' features.
#'
#' The redundancy rate of d features is the sum of the correlations of all pairs
#' i > j, divided by d (d - 1) as in the source (2019), which is half the mean
#' correlation; `absolute = TRUE` gives the mean absolute correlation, the sum
#' divided by d (d - 1) / 2. Positive and negative correlations cancel in the
#' published form; use `absolute = TRUE` to compare selections. The correlation
#' with a constant feature counts as 0, and a single feature has rate 0.
#'
#' *Cost.* The rate: n p^2 operations and a copy of the data. The entropy:
#' n p min(n, p) operations and a matrix of min(n, p) rows and columns.
#'
#' @section Errors: As [feature_graph()]; `linkrank_error_argument` for
#'   `absolute = TRUE` with `measure = "entropy"`, which does not use it.
#'
#' @references Mitra, P., Murthy, C. A. and Pal, S. K. (2002). Unsupervised
#'   feature selection using feature similarity. *IEEE Transactions on Pattern
#'   Analysis and Machine Intelligence*, 24(3), 301-312. \doi{10.1109/34.990133}
#'
#'   Hijazi, S. (2019). *Semi-supervised Margin-based Feature
#'   Selection for Classification.* PhD thesis, Universite du Littoral Cote
#'   d'Opale, NNT 2019DUNK0546. Section 3.4.
#'
#' @seealso [diversify_ranking()], [fcrsc()]
#' @examples
#' x <- log2(colon$x)
#' set.seed(1)
#' links <- constraints_from_labels(colon$tissue, cannot_link = 10,
#'                                  must_link = 0)
#' genes <- relieff_sc(x, links)
#' small <- keep_features(x, genes, 20)
#' redundancy(small, absolute = TRUE)
#' redundancy(small, measure = "entropy")
#'
#' varied <- diversify_ranking(genes, x)
#' redundancy(keep_features(x, varied, 20), absolute = TRUE)
#' @export
redundancy <- function(x, ..., measure = c("rate", "entropy"),
                       absolute = FALSE) {
    measure <- check_choice(measure, c("rate", "entropy"), "measure")
    refuse_if(check_flag(absolute, "absolute") && measure == "entropy",
              "`absolute` must be left out for measure = \"entropy\", which ",
              "does not use it.")
    data <- prepared(x, ..., uses = "na.action")
    if (measure == "rate") mean_correlation(data, absolute) else
        direction_entropy(data)
}

direction_entropy <- function(data) {
    check_scaled_bytes(data$n, min(data$n, data$p))
    numeric_cells(data)
    values <- eigen(product_matrix(data), symmetric = TRUE,
                    only.values = TRUE)$values
    values <- pmax(values, 0)
    proportion <- values[values > 0] / max(sum(values), 1e-300)
    -sum(proportion * log(proportion))
}

# U U' or U'U, whichever is smaller, of the range-scaled, centred features: its
# eigenvalues are proportional to those of the covariance matrix.
product_matrix <- function(data) {
    if (data$p <= data$n) return(crossprod(scaled_cells(data, seq_len(data$p))))
    products <- 0
    per_block <- max(1, floor(2^21 / data$n))
    for (first in seq(1, data$p, by = per_block)) {
        columns <- seq(first, min(first + per_block - 1, data$p))
        products <- products +
            tcrossprod(scaled_cells(data, as.integer(columns)))
    }
    products
}

mean_correlation <- function(data, absolute) {
    check_scaled_bytes(data$n, data$p)
    cells <- numeric_cells(data)
    if (data$p == 1) return(0)
    sums <- .Call(C_correlation_sums, cells$data, cells$scaling, cells$fill,
                  seq_len(data$p), data$control)
    pairs <- data$p * (data$p - 1)
    if (absolute) sums[2L] / (pairs / 2) else sums[1L] / pairs
}
