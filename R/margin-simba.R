# Simba and Simba-Sc: stochastic gradient ascent of margins in a weighted space.

#' Rank features by margins in a weighted space (Simba)
#'
#' Simba searches for feature weights under which samples are nearer to their
#' own class than to others. Of redundant features it tends to weight one only.
#' The result depends on the order of visits, so several starts are run.
#' `simba_sc()` uses cannot-links instead of classes; [relieff()] and
#' [relieff_sc()] are faster and have a unique result.
#'
#' @param ... Arguments of [prepare_data()], by name: `scale`, `by`,
#'   `assay.type`, `threads`, `progress`. And `data = `, a data.frame, if `x` is
#'   a formula.
#' @inheritParams relieff
#' @param x Data: see [prepare_data()]. For `simba()` also a formula with
#'   `data =`, as in [relieff()].
#' @param starts Number of starts, from 1; each visits all samples
#'   (cannot-links) once, in random order.
#' @param order `NULL`, or the order of visits of a single start: a permutation
#'   of the row numbers of the labelled samples (of the numbers of the
#'   cannot-links as given). The result is then not random.
#' @param own_term `"keep"`, as published: all features have the same hits;
#'   `"leave_out"`: those that change the weight of a feature are found without
#'   it, as in [relieff_sc()], *A feature's own term*, at p times the cost.
#'
#' @return A [`feature_ranking`][feature_ranking()], highest score first;
#'   `score` is the weight, from 0 to 1, of the start with the largest total
#'   margin. `summary()` also holds
#' * `starts`: a data.frame of their total `margin`, and whether each was
#'   `chosen`;
#' * `trace`: a matrix, visits x starts: the margin of each visit, for a largest
#'   weight of 1, which `plot(ranking, type = "convergence")` draws.
#'
#' @details All weights start at 1. A visit of sample x, with M and H its
#'   nearest miss and hit under the current weights and
#'   \eqn{\|v\|_w = (\sum_i w_i^2 v_i^2)^{1/2}}{||v||_w = sqrt(sum w_i^2
#'   v_i^2)}, changes every weight by (2.29)
#' \deqn{\Delta w_i = \left( \frac{(x_i - M_i)^2}{\|x - M\|_w} - \frac{(x_i - H_i)^2}{\|x - H\|_w} \right) w_i}{((x_i - M_i)^2 / ||x - M||_w - (x_i - H_i)^2 / ||x - H||_w) w_i}
#' After the last visit the weights become
#' \eqn{w^2 / \max(w^2)}{w^2 / max(w^2)}. The start with the largest sum of
#' \eqn{\|x - M\|_w - \|x - H\|_w}{||x - M||_w - ||x - H||_w} over all samples,
#' with these weights, wins (2.27; the first of equal ones).
#'
#' `simba_sc()` (Algorithm 3.3) visits cannot-links (n, m). The miss of n is the
#' hit of m: a visit changes the weights by (2.29) with x = x_n, M = H(x_m) and
#' H = H(x_n). The start with the largest total margin of the normalised weights
#' wins (3.18 and 3.19):
#' \deqn{e(w) = \sum_{(n, m)} \left( \|x_n - H(x_m)\|_w - \|x_n - H(x_n)\|_w \right)}{e(w) = sum over (n, m) of ||x_n - H(x_m)||_w - ||x_n - H(x_n)||_w}
#' The norms are those of the algorithm, not the cubes of (3.20) and (3.21).
#' With `direction = "both"` changes and margins of the two directions are
#' averaged. They are multiplied by the weight of the pair. Hits are as in
#' [relieff_sc()], for `k = 1`, computed again in each visit.
#'
#' *Ties* keep row order (but for rounding, see [similarity_graph()]); a zero
#' norm, or a sample without hit or miss, contributes 0; constant features have
#' weight 0. Missing values and factors are as in [relieff()], for `simba_sc()`
#' as in [relieff_sc()].
#'
#' *Batches.* There is no `block`: use [relieff_sc()], or corrected data.
#'
#' *Cost.* n p differences for each visit (twice for a pair) and start, at most
#' the same again for the total margins. Memory: a scaled copy of `x`.
#'
#' @section The published form: Simba is that of Gilad-Bachrach et al. (2004),
#'   Algorithm 2.3 of Hijazi (2019), with our defaults. Simba-Sc is Algorithm
#'   3.3 there, after Yang and Song (2010); our defaults use both directions,
#'   and must-links:
#'
#' ```
#' simba(x, y, starts = 5, scale = "range")
#' simba_sc(x, constraints, starts = 5, direction = "first",
#'          must_link = "ignore", scale = "range")
#' ```
#'
#' @inheritSection relieff Errors
#'
#' @references Gilad-Bachrach, R., Navot, A. and Tishby, N. (2004). *ICML 2004*.
#'   \doi{10.1145/1015330.1015352}
#'
#' Yang, M. and Song, J. (2010). *Neurocomputing*, 73, 2859-2872.
#' \doi{10.1016/j.neucom.2010.08.006}
#'
#' Hijazi, S. (2019). PhD thesis, NNT 2019DUNK0546. Sections 2.5.2.2 and 3.2.4.
#'
#' @examples
#' x <- log2(colon$x)
#' set.seed(1)
#' flowers <- simba(iris[, 1:4], iris$Species)
#' flowers
#' summary(flowers)$starts
#'
#' links <- pairwise_constraints(
#'     cannot_link = rbind(c(1, 2), c(5, 8), c(9, 12)),
#'                               samples = rownames(x))
#' genes <- simba_sc(x, links)
#' plot(genes, type = "convergence")
#' @export
simba <- function(x, y, ..., starts = 5, order = NULL) {
    if (has_formula(x, ..., y = y)) return(rank_by_formula())
    if (!is_number(starts) || starts != 1) refuse_beside("starts", "order")
    # an order is that of one start
    options <- list(starts = if (is.null(order))
        checked(starts)$starts, order = order)
    work <- open_labelled(prepared(x, ..., uses = "scale"), y, class_response,
                          distances = NULL)
    labelled <- work$labels$known
    visits <- list(first = labelled, second = NULL, samples = labelled,
                   weight = NULL, own = NULL)
    orders <- visiting_orders(order, labelled, options$starts)
    result <- .Call(C_simba, work$data, work$scaling, visits, orders, NULL,
                    FALSE, work$data$control)
    options$scale <- work$scaling$scale
    note <- labelled_note(work, options, count_noun(ncol(orders), "start"))
    simba_ranking(result, work$data, "simba", options, NULL, note)
}

#' @rdname simba
#' @inheritParams relieff_sc
#' @export
simba_sc <- function(x, constraints, ..., starts = 5, order = NULL,
                     direction = c("both", "first"),
                     must_link = c("use", "ignore"),
                     own_term = c("keep", "leave_out")) {
    if (!is_number(starts) || starts != 1) refuse_beside("starts", "order")
    options <- c(list(starts = if (is.null(order)) checked(starts)$starts,
                      order = order), checked(direction, must_link),
                 own_term = check_choice(own_term))
    input <- constrained_data(x, constraints, ..., uses = "scale")
    data <- input$data
    scaling <- feature_scaling(data)
    options$scale <- scaling$scale
    pairs <- pairs_of(write_out(input$constraints))
    visits <- list(first = pairs$ends[pairs$first],
                   second = pairs$ends[pairs$second], samples = pairs$ends,
                   weight = pairs$weight)
    orders <- visiting_orders(order, seq_along(pairs$first), options$starts)
    visits["own"] <- list(if (options$own_term == "leave_out") own_features(
        list(data = data, scaling = scaling, where = list(data = data)),
        2 * length(orders)))
    links <- if (options$must_link == "use") constraint_links(input$constraints)
    result <- .Call(C_simba, data, scaling, visits, orders, links,
                    options$direction == "both", data$control)
    note <- c(count_noun(ncol(orders), "start"),
              margin_note(options, FALSE, "keep"))
    simba_ranking(result, data, "simba_sc", options, input$constraints, note)
}

# A column of visit numbers for each start. `visited`: the numbers allowed in
# `order`.
visiting_orders <- function(order, visited, starts) {
    if (is.null(order)) {
        draws <- replicate(starts, sample.int(length(visited)))
        return(matrix(draws, length(visited)))
    }
    whole <- is.numeric(order) && is.null(dim(order)) &&
        length(order) == length(visited) && !anyNA(order)
    refuse_value_if(!whole || anyDuplicated(order) || !all(order %in% visited),
                    order, "`order` must be a reordering of ",
                    count_noun(length(visited), "number"), " from ",
                    min(visited), " to ", max(visited))
    matrix(match(order, visited), ncol = 1L)
}

simba_ranking <- function(result, data, method, options, constraints, note) {
    totals <- data.frame(start = seq_along(result$total), margin = result$total,
                         chosen = seq_along(result$total) == result$best)
    new_feature_ranking(list(score = result$weight), data, method, "score",
                        options, constraints, note, starts = totals,
                        trace = result$trace)
}
