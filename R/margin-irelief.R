# I-Relief: iterated margins over all hits and misses, weighted by probability.

#' Rank features by iterated margins over all neighbours (I-Relief)
#'
#' I-Relief replaces the nearest hit and miss of Relief by all of them, each
#' with the probability of being the nearest under the current feature weights,
#' and gives little weight to outliers. Use it for data with mislabelled or
#' atypical samples, or with many irrelevant features.
#'
#' @param ... Arguments of [prepare_data()], by name: `scale`, `by`,
#'   `assay.type`, `threads`, `progress`. And `data = `, a data.frame, if `x` is
#'   a formula.
#' @inheritParams relieff
#' @param sigma Kernel width, above 0: only samples within a few `sigma`
#'   contribute. Large values converge faster.
#' @param variant For more than two classes: `1L` takes misses class by class,
#'   weighted by the class proportions; `2L` takes the nearest of all other
#'   classes together.
#' @param tol The iteration stops when the weight vector changes by no more than
#'   this length.
#' @param max_iter Largest number of iterations.
#'
#' @return A [`feature_ranking`][feature_ranking()], highest score first;
#'   `score` is the weight w >= 0, of length 1 over all features. `summary()`
#'   also holds
#' * `convergence`: a data.frame with `iteration` and `change`, which
#'   [plot()][plot.feature_ranking] draws;
#' * `gamma`: for each sample the probability that it is not an outlier; `NA`
#'   when unlabelled.
#'
#' @details Weights start at 1 / p. With \eqn{d = \sum_i w_i |x_i - y_i|}{d =
#'   sum w_i
#' |x_i - y_i|} and \eqn{f(d) = \exp(-d / \sigma)}{f(d) = exp(-d / sigma)}, each
#' iteration computes for every sample the probabilities of its misses and hits
#' (2.31, 2.32), proportional to f, and \eqn{\gamma}{gamma}, the proportion of
#' hits in the sum of f over all samples (2.33, 2.34); then (2.35, 2.36)
#' \deqn{v = \sum_n \gamma_n \left( \sum_{m \in M_n} \alpha_{mn} |x_n - x_m| - \sum_{m \in H_n} \beta_{mn} |x_n - x_m| \right), \quad w = v^+ / \|v^+\|_2}{v = sum_n gamma_n (sum over misses alpha |x_n - x_m| - sum over hits beta |x_n - x_m|), w = v+ / ||v+||}
#' The kernel is relative to the nearest sample. When no feature has a positive
#' v, all scores are 0 with a warning; another reports that `max_iter` was too
#' small: use a larger `sigma` if the weights alternate.
#'
#' Missing values and factors are as in [relieff()]; constant features have
#' weight 0. *Cost* per iteration: 2 n^2 p differences and n^2 exponentials;
#' memory beyond `x` is 128 n numbers.
#'
#' @section The published form: I-Relief of Sun (2007), Algorithm 2.4 and (2.30)
#'   to (2.37) of Hijazi (2019):
#'
#' ```
#' irelief(x, y, sigma = 1, variant = 1L, scale = "range")
#' ```
#'
#' These are the defaults; the paper does not fix `sigma`.
#'
#' @inheritSection relieff Errors
#'
#' @references Sun, Y. (2007). *IEEE TPAMI*, 29, 1035-1051.
#' \doi{10.1109/TPAMI.2007.1093}
#'
#' Hijazi, S. (2019). PhD thesis, NNT 2019DUNK0546. Section 2.5.2.3.
#'
#' @examples
#' flowers <- irelief(iris[, 1:4], iris$Species, sigma = 0.5)
#' flowers
#' plot(flowers, type = "convergence")
#' # the flowers that are most similar to another species
#' order(summary(flowers)$gamma)[1:5]
#' @export
irelief <- function(x, y, ..., sigma = 1, variant = 1L, tol = 1e-6,
                    max_iter = 100) {
    if (has_formula(x, ..., y = y)) return(rank_by_formula())
    options <- checked(sigma, variant, tol, max_iter)
    work <- open_labelled(prepared(x, ..., uses = "scale"), y, class_response,
                          distances = NULL, rule = "range")
    options$scale <- work$scaling$scale
    result <- iterate_irelief(work, options)
    gamma <- rep(NA_real_, work$data$n)
    gamma[work$labels$known] <- result$gamma
    names(gamma) <- work$data$samples
    steps <- length(result$change)
    note <- labelled_note(work, options, paste("sigma =", options$sigma),
                          count_noun(steps, "iteration"))
    new_feature_ranking(
        data.frame(score = result$w), work$data, "irelief", "score", options,
        note = note,
        convergence = data.frame(iteration = seq_len(steps),
                                 change = result$change),
        gamma = gamma
    )
}

iterate_irelief <- function(work, options) {
    labels <- work$labels
    prior <- tabulate(labels$code + 1L, length(labels$levels)) /
        length(labels$known)
    w <- rep(1 / work$data$p, work$data$p)
    change <- numeric()
    for (round in seq_len(options$max_iter)) {
        weighted <- feature_space(work$data, weigh_features(work$scaling, w),
                                  "manhattan")
        step <- .Call(C_irelief_step, work$data, work$scaling, weighted,
                      labels$known,
                      list(sigma = options$sigma, variant = options$variant,
                           prior = prior), work$data$control)
        last <- w
        w <- unit_length(pmax(step$v, 0),
                         "the table is in the order of the columns")
        change[round] <- sqrt(sum((w - last)^2))
        done <- change[round] <= options$tol || all(w == 0)
        if (done) break
    }
    warn_if(!done, "I-Relief stopped after ", count_noun(round, "iteration"),
            ": the weights still changed by
            {format(change[round], digits = 2L)}, more than `tol`.",
            class = "convergence")
    list(w = w, gamma = step$gamma, change = change)
}
