# RReliefF: ReliefF for a numeric outcome.

#' Relief for a numeric outcome (regression, RReliefF)
#'
#' RReliefF is [relieff()] for a numeric `y`: a feature has a high score when
#' near samples that differ in it also differ in `y`. Use it for regression
#' problems in which features may matter only together. It fits no model.
#'
#' @param ... Arguments of [prepare_data()], by name: `scale`, `space`,
#'   `distance`, `by`, `assay.type`, `threads`, `progress`. And `data = `, a
#'   data.frame, if `x` is a formula.
#' @inheritParams relieff
#' @param y A number or date for each sample, with at least two different
#'   values; or a data.frame of one such column. `NA`:
#'   unknown; such a sample is left out.
#'   For a container of Bioconductor also the name of a column of its sample
#'   data.
#' @param k Number of neighbours, a whole number from 1; more than there are
#'   means all of them.
#' @param sigma How slowly the weight of a neighbour decreases with its rank;
#'   `Inf` for equal weights.
#'
#' @return A [`feature_ranking`][feature_ranking], one row per feature, highest
#'   score first; column `score` is the weight W, between -1 and 1 for
#'   `scale = "range"`.
#'
#' @details
#' The j-th nearest neighbour of a sample has weight \eqn{\exp(-(j /
#' \sigma)^2)}{exp(-(j / sigma)^2)}, divided by their sum. With
#' \eqn{N_{dC}}{NdC}, \eqn{N_{dA}}{NdA} and \eqn{N_{dCdA}}{NdCdA} the weighted
#' sums, over all samples and their neighbours, of the differences of `y`
#' (divided by its range), of the feature, and of their products, and m the
#' number of samples, \deqn{W = \frac{N_{dCdA}}{N_{dC}} - \frac{N_{dA} -
#' N_{dCdA}}{m - N_{dC}}}{W = NdCdA / NdC - (NdA - NdCdA) / (m - NdC)}
#' A term whose denominator is 0 is 0; then `y` never, or always fully, differs
#' between neighbours. A missing value is replaced by the distribution of the
#' observed values of its feature. Ties, factors and cost are as in [relieff()].
#'
#' @section The published form: RReliefF is that of Robnik-Sikonja and Kononenko
#' (2003), with weights that decrease with the rank, or with equal weights, as
#' in their program CORElearn:
#'
#' ```
#' rrelieff(x, y, k = 70, sigma = 20, scale = "range")
#' rrelieff(x, y, k = 10, sigma = Inf, scale = "range")
#' ```
#'
#' The default `k = 10, sigma = 20` is between the two.
#'
#' @inheritSection relieff Errors
#'
#' @references Robnik-Sikonja, M. and Kononenko, I. (2003). Theoretical and
#'   empirical analysis of ReliefF and RReliefF. *Machine Learning*, 53, 23-69.
#'   \doi{10.1023/A:1025667309714}
#'
#' @examples
#' rrelieff(mtcars[, -1], mtcars$mpg)
#' rrelieff(mpg ~ ., data = mtcars)
#' @export
rrelieff <- function(x, y, ..., k = 10, sigma = 20, ramp = NULL) {
    if (has_formula(x, ...)) return(rank_by_formula())
    options <- list(
        k = check_count(k, "k"),
        sigma = check_positive(sigma, "sigma", infinite = TRUE),
        ramp = check_ramp(ramp)
    )
    work <- open_labelled(prepared(x, ..., uses = label_arguments), y,
                          numeric_response, options$ramp)
    near <- nearest_segments(work, work$labels$known, options$k)
    segments <- weigh_ranks(near, work$labels$value, options$sigma)
    score <- .Call(C_segment_sums, work$data, work$scaling, segments, FALSE,
                   NULL, work$control)
    labelled_ranking(list(score = score), work, "rrelieff", "score", options,
                     paste("sigma =", options$sigma))
}

# A segment for each neighbour: both terms of W have the same differences of
# the feature, so one coefficient holds them.
weigh_ranks <- function(near, y, sigma) {
    owner <- rep(near$owner, near$count)
    rank <- sequence(near$count)
    # relative to the nearest one, so that a small sigma keeps only that one
    weight <- exp((1 - rank^2) / sigma^2)
    at <- rep(seq_along(near$count), near$count)
    weight <- weight / rowsum(weight, at, reorder = FALSE)[at, 1L]
    known <- y[near$owner]
    change <- abs(y[owner] - y[near$row]) / (max(known) - min(known))
    total <- sum(weight * change)
    rest <- length(near$owner) - total
    explained <- if (total > 0) change / total else 0
    unexplained <- if (rest > 0) (1 - change) / rest else 0
    list(owner = owner, start = seq.int(0L, length(owner)), row = near$row,
         coefficient = weight * (explained - unexplained), group = NULL)
}
