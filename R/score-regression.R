# Laplacian scores for a numeric outcome.

#' Laplacian scores for a numeric outcome (regression)
#'
#' Prefers features that vary little between samples of similar outcome,
#' compared with their overall variation. `supervised_laplacian_score()` uses
#' the samples whose outcome is known; take `semisupervised_laplacian_score()`,
#' which uses all, when few are known.
#'
#' @param x Data: see [prepare_data()]; or a formula with `data = `, as in
#'   [relieff()].
#' @param y Outcome of each sample, numeric, at least 2 known; `NA` where
#'   unknown. Also the name of a column, as in [rrelieff()].
#' @param k Number of neighbours, a whole number from 1.
#' @param k_output Number of neighbours by the output, in the factor of the
#'   samples of known outcome, from 1.
#' @param t Width of the weights, a positive number.
#' @param C Factor of the weight between two samples of known outcome, a
#'   positive number.
#' @param ... Arguments of [prepare_data()], by name: `scale`, `na.action`,
#'   `by`, `assay.type`, `threads`, `progress`. And `data = `, a data.frame, if
#'   `x` is a formula.
#'
#' @return A [`feature_ranking`][feature_ranking] with the columns `rank`,
#'   `feature` and `score`, lowest score first; lower is better.
#'
#' @details Features and y are standardised, each over its known values.
#'   `supervised_laplacian_score()` (SLS; 3, 4) is the Laplacian score
#' \deqn{SLS_i = \frac{\tilde f_i' L \tilde f_i}{\tilde f_i' D \tilde f_i}}{SLS = f~' L f~ / f~' D f~}
#' on the graph that joins samples when either is among the `k` of nearest
#' outcome of the other, with weights exp(-(y_n - y_m)^2 / t).
#'
#' `semisupervised_laplacian_score()` (SSLS; 10-12) is the product of SLS, with
#' `k_output` neighbours, on the samples of known outcome, and of the same ratio
#' on a graph of all samples: d^2 is (y_n - y_m)^2 where both outcomes are
#' known, else the mean over the features of (x_n - x_m)^2; each sample is
#' connected to its `k` nearest, and weights are exp(-d^2 / t), times `C` where
#' both outcomes are known.
#'
#' *Ties.* Equal distances keep row order (but for rounding, see
#' [similarity_graph()]), equal scores column order. *Constant
#' features* have no score (`NA`) and come last. With constant outcomes
#' neighbours are the first rows.
#'
#' *Cost.* n (n - 1) / 2 differences of outcomes, for SSLS distances of all
#' features, then one operation for each edge and feature.
#'
#' @section The published form: SLS and SSLS of Doquire and Verleysen (2013),
#'   with few outcomes known (`C = 1` from 1 % on):
#'
#' ```
#' supervised_laplacian_score(x, y, k = 5)
#' semisupervised_laplacian_score(x, y, k = 30, k_output = 5, C = 5)
#' ```
#'
#' The defaults differ only in `C = 1`; the source does not state `t`.
#'
#' @section Errors: `linkrank_error_argument` for `y`; `linkrank_error_input`
#'   for `x`.
#'
#' @references Doquire, G. and Verleysen, M. (2013). *Neurocomputing*, 121,
#'   5-13. \doi{10.1016/j.neucom.2012.10.028}
#'
#' @seealso [laplacian_score()], [plot.feature_ranking()]
#' @examples
#' ozone <- airquality[complete.cases(airquality), ]
#' supervised_laplacian_score(ozone[-1], ozone$Ozone)
#'
#' # outcomes known for every fifth day
#' known <- ifelse(seq_len(nrow(ozone)) %% 5 == 0, ozone$Ozone, NA)
#' semisupervised_laplacian_score(ozone[-1], known)
#' @export
supervised_laplacian_score <- function(x, y, ..., k = 5, t = 1) {
    if (has_formula(x, ..., y = y)) return(rank_by_formula())
    y <- known_response(named_response(y, x))
    options <- checked(k, t)
    input <- score_input(prepared(x, ..., uses = score_arguments), "zscore")
    match_response(y, input$data)
    warn_outcome_ranked(y, input$data)
    score <- supervised_ratio(input, y, options$k, options$t)
    score_ranking(score, input, "supervised_laplacian_score", options,
                  note = c(known_note(y), paste("k =", options$k)))
}

#' @rdname supervised_laplacian_score
#' @export
semisupervised_laplacian_score <- function(x, y, ..., k = 30, t = 1, C = 1,
                                           k_output = 5) {
    if (has_formula(x, ..., y = y)) return(rank_by_formula())
    y <- known_response(named_response(y, x))
    options <- checked(k, t, C, k_output)
    input <- score_input(prepared(x, ..., uses = score_arguments), "zscore")
    match_response(y, input$data)
    warn_outcome_ranked(y, input$data)
    # (10), (11)
    graph <- build_graph(input$where,
                         graph_options(k = options$k, t = options[["t"]]),
                         input$data$control, response = standardised(y))
    if (options$C != 1) {
        weights <- graph$weights
        column <- rep(seq_len(ncol(weights)), diff(weights@p))
        both <- !is.na(y[weights@i + 1L]) & !is.na(y[column])
        weights@x[both] <- weights@x[both] * options$C
        graph$weights <- weights
    }
    score <- laplacian_ratio(input, graph) *
        supervised_ratio(input, y, options$k_output, options$t)
    score_ranking(score, input, "semisupervised_laplacian_score", options,
                  note = c(known_note(y), paste("k =", options$k),
                           paste("C =", format(options$C))))
}

known_response <- function(y) {
    y <- as_numeric_response(y)
    known <- sum(!is.na(y))
    refuse_if(known < 2L,
              "`y` must contain at least 2 known outcomes, not ", known, ".")
    y
}

known_note <- function(y) count_noun(sum(!is.na(y)), "known outcome")

# (y - mean) / sd over the known values; 0 when they are all the same.
standardised <- function(y) {
    deviation <- stats::sd(y, na.rm = TRUE)
    centred <- y - mean(y, na.rm = TRUE)
    if (max(y, na.rm = TRUE) == min(y, na.rm = TRUE)) centred * 0 else
        centred / deviation
}

# (3), (4): the ratio on the graph of the known outcomes.
supervised_ratio <- function(input, y, k, t) {
    known <- which(!is.na(y))
    # Neighbours by the original outcomes, weights by the standardised ones.
    standard <- standardised(y)[known]
    weights <- build_graph(coordinate_space(matrix(as.numeric(y[known]))),
                           graph_options(weight = "binary", k = k,
                                         distance = "manhattan"),
                           no_progress(input$data$control))$weights
    edges <- upper_edges(weights)
    first <- edges$row + 1L
    second <- edges$column + 1L
    # of some samples among all n of them
    pairs <- list(first = known[first], second = known[second])
    heat <- exp(-(standard[first] - standard[second])^2 / t)
    weights <- both_halves(joined_pairs(pairs, heat, input$data$n))
    graph <- new_similarity_graph(weights, NULL,
                                  list(adjacency = "knn", weight = "heat"))
    laplacian_ratio(input, graph)
}
