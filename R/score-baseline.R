# Scores without constraints: variance, Laplacian, Fisher, SPEC.

#' Variance, Laplacian, spectral and Fisher scores
#'
#' Scores of single features, for comparison and for data without labels or
#' pairs. `variance_score()` prefers features that vary much,
#' `laplacian_score()` and `spectral_score()` features that vary little between
#' neighbours compared with their overall variation. `fisher_score()` needs the
#' class of some samples.
#'
#' @param x Data: see [prepare_data()]. For `variance_score()` and
#'   `fisher_score()` also a formula with `data = `, as in [relieff()].
#' @param y Class of each sample, as in [relieff()]; `NA` for samples to leave
#'   out. Also the name of a column of a data.frame, which is then no feature.
#' @param graph A [similarity_graph()] of the samples, or a symmetric matrix of
#'   non-negative weights; `NULL`: the `k` nearest neighbours, with weight
#'   exp(-d^2 / t).
#' @param k Neighbours of the default graph, a whole number from 1.
#' @param t Width of these weights, a positive number; `NULL` for the median of
#'   d^2 over the edges.
#' @param type 1 or 2, which of the two scores of Details.
#' @param ... Arguments of [prepare_data()], by name: `scale`, `na.action`,
#'   `by`, `assay.type`, `threads`, `progress`. Graph scores also take `space`.
#'   And `data = `, a data.frame, if `x` is a formula.
#'
#' @return A [`feature_ranking`][feature_ranking] with the columns `rank`,
#'   `feature` and `score`. Higher is better for variance and Fisher score,
#'   lower for the other two.
#'
#' @details With f the scaled feature, S the weights of the graph, D the
#'   diagonal matrix of their row sums, L = D - S and f~ the feature minus its
#'   D-weighted mean:
#'
#' * variance (1.21): (1/n) sum of (f_n - mean)^2
#' * Laplacian (1.25, 1.26): f~' L f~ / f~' D f~
#' * Fisher (1.27): sum over classes of n_c (mean_c - mean)^2 / sum of n_c var_c
#' * spectral, `type = 1`: f^' L_sym f^, f^ = D^(1/2) f / length
#' * spectral, `type = 2`: the same / (1 - (f^' xi)^2), xi the trivial
#'   eigenvector
#'
#' Variances are population variances. Spectral scores of `type = 2` equal
#' Laplacian scores.
#'
#' *Factors* of more than two levels differ by 0 or 1.
#'
#' *Ties* keep column order, of neighbours see [similarity_graph()].
#' *Constant features* have variance 0 and no other score (`NA`), and come last;
#' a feature that varies between classes but not within has Fisher score `Inf`.
#' Samples without an edge do not count in graph scores.
#'
#' *Cost.* Per feature n operations for variance and Fisher score, one for each
#' edge for the others; n (n - 1) / 2 distances for the default graph.
#'
#' @section The published form: The Laplacian score of He et al. (2005), the
#'   spectral scores of Zhao and Liu (2007), variance and Fisher score as in
#'   Hijazi (2019), whose Laplacian scores use the full self-tuning graph:
#'
#' ```
#' laplacian_score(x, k = 5, t = 1, scale = "none")
#' graph <- similarity_graph(x, adjacency = "full", weight = "self_tuning")
#' laplacian_score(x, graph = graph)
#' graph <- similarity_graph(x, adjacency = "full", weight = "gaussian")
#' spectral_score(x, graph = graph)
#' variance_score(x, scale = "range")
#' fisher_score(x, y, scale = "range")
#' ```
#'
#' Our defaults differ: features are scaled, graph scores use `k` neighbours,
#' and `t` follows the data. No source states `t`.
#'
#' @section Errors: `linkrank_error_input` for `x`; `linkrank_error_argument`
#'   for `y`, `graph` (also of weights 0) and the others.
#'
#' @references He, X., Cai, D. and Niyogi, P. (2005). *NIPS* 18.
#'
#' Zhao, Z. and Liu, H. (2007). *ICML*, 1151-1157. \doi{10.1145/1273496.1273641}
#'
#' Hijazi, S. (2019). PhD thesis, NNT 2019DUNK0546. Section 1.4.
#'
#' @seealso [constraint_score()], [similarity_graph()], [plot.feature_ranking()]
#' @examples
#' x <- log2(colon$x)
#' variance_score(x)
#' fisher_score(x, colon$tissue)
#' fisher_score(Species ~ ., data = iris)
#' graph <- similarity_graph(x, weight = "self_tuning")
#' laplacian_score(x, graph = graph)
#' spectral_score(x, type = 1, graph = graph)
#' @name baseline_scores
NULL

#' @rdname baseline_scores
#' @export
variance_score <- function(x, ...) {
    if (has_formula(x, ...)) return(rank_by_formula())
    data <- prepared(x, ..., uses = score_arguments)
    input <- from_minimum(score_input(data, "published"))
    forms <- list(scatter_form(NULL, center = rep(1, data$n)))
    squares <- quadratic_forms(input, forms)[, 1L]
    score_ranking(squares / data$n, input, "variance_score")
}

#' @rdname baseline_scores
#' @export
laplacian_score <- function(x, ..., graph = NULL, k = 5, t = NULL) {
    given <- read_graph_argument(graph, k, t, ...names())
    input <- graph_input(prepared(x, ..., uses = c(score_arguments, "space")),
                         given)
    score_ranking(laplacian_ratio(input, input$graph), input,
                  "laplacian_score", list(graph = given),
                  note = graph_note(input$graph))
}

#' @rdname baseline_scores
#' @export
spectral_score <- function(x, ..., type = 1, graph = NULL, k = 5, t = NULL) {
    type <- check_count(type, "type", 1, 2)
    given <- read_graph_argument(graph, k, t, ...names())
    input <- graph_input(prepared(x, ..., uses = c(score_arguments, "space")),
                         given)
    score_ranking(laplacian_ratio(input, input$graph, type == 2), input,
                  "spectral_score", list(type = type, graph = given),
                  note = paste0("type ", type, ", ", graph_note(input$graph)))
}

#' @rdname baseline_scores
#' @export
fisher_score <- function(x, y, ...) {
    if (has_formula(x, ..., y = y)) return(rank_by_formula())
    y <- named_response(y, x)
    classes <- check_two_classes(as_class_labels(y, "y"))
    warn_many_numbers(y)
    data <- prepared(x, ..., uses = score_arguments)
    input <- from_minimum(score_input(data, "published"))
    match_response(classes, data)
    warn_outcome_ranked(classes, data)
    forms <- list(class_form(as.integer(classes), rep(1, nlevels(classes))))
    sums <- quadratic_forms(input, forms)
    score_ranking(ratio(sums[, 2L], sums[, 1L]), input, "fisher_score",
                  note = paste0(count_noun(sum(!is.na(classes)),
                                           "labelled sample"), " of ",
                                nlevels(classes), " classes"))
}
