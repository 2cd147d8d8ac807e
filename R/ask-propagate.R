# propagate_constraints(): answers propagated to similar samples.

#' Propagate constraints to similar samples
#'
#' Neighbours of two samples of different kinds probably differ too.
#' `propagate_constraints()` adds such pairs, each with a confidence, and none
#' that contradicts a known one. Wrong pairs cost more than missing ones: check
#' a few by hand.
#'
#' @param constraints Constraints: see [pairwise_constraints()]; best those of
#'   [active_constraints()].
#' @param x Data of the same samples: see [prepare_data()].
#' @param method `"local"`: to close neighbours only. `"published"`: over the
#'   whole graph, see Details.
#' @param a How far constraints are propagated, a number between 0 and 1, both
#'   excluded; `NULL` for 0.5 (`"local"`) or 0.99 (`"published"`).
#' @param k Number of neighbours of the self-tuning graph, a whole number from
#'   1, if no `graph` is given.
#' @param relative For `"local"`: the smallest confidence to keep, above 0 and
#'   at most 1.
#' @param must_link `"use"`: both kinds are propagated; `"ignore"`: only
#'   cannot-links are. Given must-links are kept.
#' @param graph A [similarity_graph()] of the samples, or a symmetric matrix of
#'   weights.
#' @param ... Arguments of [prepare_data()], by name: `scale`, `space`, `block`,
#'   `na.action`, `by`, `assay.type`, `threads`, `progress`.
#' @return An object of class `propagated_constraints`, which inherits from
#'   [`pairwise_constraints`][pairwise_constraints()]: of each kind the original
#'   pairs, then the added ones (`i < j`), most confident first. Element
#'   `propagation` is a list: `method`, `a`, `added` and `dropped` (numbers of
#'   pairs by kind; dropped ones contradicted pairs of higher confidence).
#'   Element `added` says which pairs were added.
#'
#' @details With P = D^(-1/2) S D^(-1/2) and M = (I - a P)^(-1):
#'
#' *`"local"`* (the default). S is the self-tuning graph of the `k` nearest
#' neighbours ("or" rule). For an original pair (n, m) the pair (i, j) gets its
#' type with confidence
#' \deqn{c = \frac{M_{in}}{M_{nn}} \frac{M_{jm}}{M_{mm}}}{c = (M_in / M_nn) (M_jm / M_mm)}
#' if that is at least `relative`. The largest over both directions and all
#' original pairs counts. A pair that has equal confidence for both kinds is not
#' added.
#'
#' *`"published"`* (Algorithm 4.2). S is the similarity that
#' [active_constraints()] with `strategy = "perturbation"` returned, else the
#' full self-tuning graph. With Q_nm = Q_mn = 1 for cannot-links (and -1 for
#' must-links), G = (1 - a)^2 M Q M (4.14); tau is the mean of the row maxima of
#' G. Pairs with G >= tau become cannot-links (4.15), pairs with G <= -tau
#' must-links, with confidence |G|. If tau is not positive, nothing is
#' propagated and there is a warning.
#'
#' *When not to use it.* Rankings from answers alone are better on average. Many
#' of the pairs of `"published"` with `a` near 1 are wrong; with small `a` it
#' adds nothing. The transitive closure ([close_constraints()]) is exact.
#'
#' *Order of entry.* Candidates are added in decreasing confidence, equal ones
#' by the lowest (i, j), unless they contradict the closure of those before.
#' Where distances are equal but for rounding, edges and confidences may differ
#' with the order of the columns ([similarity_graph()]).
#'
#' *Cost.* 10 to 30 products of S with T vectors, T the samples in pairs; G
#' takes n^2 T operations. Memory: S, and several times n T numbers. Samples
#' without an edge propagate nothing.
#'
#' @section The published form: Algorithm 4.2 of Hijazi (2019), from the pairs
#'   that [active_constraints()] asked; `a` is 0.99 on Soybean, elsewhere tuned
#'   from 0.37 to 0.75:
#'
#' ```
#' propagate_constraints(constraints, x, method = "published", a = 0.99,
#'                       must_link = "ignore", scale = "range")
#' ```
#'
#' Our default is `"local"`.
#'
#' @section Errors: `linkrank_error_argument`; `linkrank_error_constraints` when
#'   there is no pair; `linkrank_error_memory` for too large a graph or too many
#'   pairs. A warning `linkrank_warning_convergence` says how accurate M is
#'   where `a` is too near to 1.
#'
#' @references Hijazi, S. (2019). PhD thesis, NNT 2019DUNK0546. Section 4.4.
#'
#' @seealso [close_constraints()] for pairs that follow logically
#' @examples
#' x <- log2(colon$x)
#' links <- active_constraints(x, colon$tissue, n = 20)
#' propagate_constraints(links, x)
#' @export
propagate_constraints <- function(
    constraints, x, ..., method = c("local", "published"), a = NULL, k = 7,
    relative = 0.1, must_link = c("use", "ignore"), graph = NULL) {
    method <- check_choice(method, c("local", "published"), "method")
    a <- a %||% c(local = 0.5, published = 0.99)[[method]]
    refuse_value_if(!is_number(a) || a <= 0 || a >= 1, a,
                    "`a` must be a number between 0 and 1, both excluded")
    options <- c(list(a = as.numeric(a)), checked(k, relative, must_link),
                 list(graph = graph))
    refuse_if(relative == 0, "`relative` must be above 0: at 0 every pair of ",
              "samples would be added.")
    refuse_unused("method", method, list(local = "relative"))
    refuse_beside("k", "graph")
    check_constraints(constraints)
    check_one_place(graph, ...names())
    input <- asked_input(prepared(x, ..., uses = c(
        "scale", "space", "block", "na.action"
    )), distances = space_distance)
    control <- input$data$control
    given <- write_out(match_constraints(constraints, input$data))
    pairs <- pairs_of(given, input$block)
    note_across(pairs)
    seeds <- spreading_pairs(given, pairs, options$must_link)
    weights <- propagation_graph(given, input, method, options, control)
    samples <- sort(unique(c(seeds$first, seeds$second)))
    columns <- propagation_columns(weights, samples, options$a, control)
    propagate <- if (method == "local") spread_locally else spread_published
    candidates <- propagate(columns, samples, seeds, options, control)
    result <- admit_candidates(given, candidates[
        order(-candidates$confidence, candidates$i, candidates$j), ])
    result$propagation <- c(list(method = method, a = options$a),
                            result$propagation)
    if (control$progress) message(propagation_line(result))
    result
}

# The pairs to propagate: list(first, second, must_link).
spreading_pairs <- function(constraints, pairs, must_link) {
    must <- must_link == "use" & constraints$must_link
    first <- c(pairs$ends[pairs$first], constraints$first[must])
    refuse_if(!length(first), "`constraints` must contain a
              {if (must_link == \"ignore\") \"cannot-link\" else \"pair\"} to
              propagate, but has none.", class = "constraints")
    list(first = first,
         second = c(pairs$ends[pairs$second], constraints$second[must]),
         must_link = rep(c(FALSE, TRUE), c(pairs$count, sum(must))))
}

propagation_graph <- function(constraints, input, method, options, control) {
    given <- options$graph
    if (is.null(given) && is.null(input$where$label) &&
            method == "published") {
        given <- constraints$similarity
    }
    if (is.null(given)) {
        adjacency <- if (method == "local") "knn" else "full"
        return(self_tuning_weights(input$where, adjacency, options$k, control))
    }
    graph <- match_graph(as_graph(given, "graph"), input$data, "graph")
    cut_blocks(graph$weights, input$block)
}

# ---- local -------------------------------------------------------------------

# Candidates: a data.frame of i < j, must_link, confidence. `columns` of M, one
# for each of the `samples` in pairs.
spread_locally <- function(columns, samples, seeds, options, control) {
    own <- columns[cbind(samples, seq_along(samples))]
    # column by column, because a copy of all of them exceeds the cache
    relative_to_own <- function(t) columns[, t] / own[t]
    largest <- max(vapply(seq_along(samples),
                          function(t) max(relative_to_own(t)), 0))
    # below this value no product with another weight is large enough
    least <- options$relative * (1 - 1e-9) / largest
    near <- lapply(seq_along(samples), function(t) {
        weight <- relative_to_own(t)
        at <- which(weight >= least)
        at <- at[order(-weight[at])]
        list(sample = at, weight = weight[at])
    })
    a <- match(seeds$first, samples)
    b <- match(seeds$second, samples)
    found <- lapply(seq_along(a), function(t) {
        strong_products(near[[a[t]]], near[[b[t]]], options$relative)
    })
    part <- function(name) unlist(lapply(found, `[[`, name))
    candidates <- data.frame(i = part("i"), j = part("j"),
                             confidence = part("confidence"))
    pairs <- vapply(found, function(products) length(products$i), 0L)
    candidates$must_link <- rep(seeds$must_link, pairs)
    candidates <- candidates[order(-candidates$confidence, candidates$i,
                                   candidates$j), ]
    key <- pair_key(candidates$i, candidates$j, nrow(columns))
    first <- match(key, key)
    # as near to a must-link as to a cannot-link but for rounding: neither
    even <- candidates$must_link != candidates$must_link[first] &
        candidates$confidence >= candidates$confidence[first] * (1 - 1e-9)
    candidates[first == seq_along(key) & !key %in% key[even], ]
}

# All pairs whose product of weights is at least `least`, from two decreasing
# lists.
strong_products <- function(one, other, least) {
    # a little too many, then exactly those
    reach <- findInterval(-least * (1 - 1e-9) / one$weight, -other$weight)
    i <- rep(seq_along(reach), reach)
    j <- sequence(reach)
    confidence <- one$weight[i] * other$weight[j]
    first <- one$sample[i]
    second <- other$sample[j]
    keep <- confidence >= least & first != second
    list(i = pmin(first, second)[keep], j = pmax(first, second)[keep],
         confidence = confidence[keep])
}

# ---- published ---------------------------------------------------------------

spread_published <- function(columns, samples, seeds, options, control) {
    first <- match(seeds$first, samples)
    second <- match(seeds$second, samples)
    # Y Q: few entries of Q differ from 0
    product <- matrix(0, nrow(columns), ncol(columns))
    for (t in seq_along(first)) {
        sign <- if (seeds$must_link[t]) -1 else 1
        product[, second[t]] <- product[, second[t]] +
            sign * columns[, first[t]]
        product[, first[t]] <- product[, first[t]] + sign * columns[, second[t]]
    }
    product <- (1 - options$a)^2 * product
    found <- .Call(C_strong_entries, product, columns,
                   list(both = options$must_link == "use",
                        most = set_options("max_bytes")$max_bytes / 64),
                   control)
    if (!(found$tau > 0)) {
        warn_linkrank("Nothing was propagated: the threshold must be positive,
                      not {format(found$tau, digits = 3L)}; try `method =
                      \"local\"` or give more pairs.", class = "propagation")
        return(data.frame(i = integer(), j = integer(), confidence = numeric(),
                          must_link = logical()))
    }
    check_bytes(64 * found$count, "The propagated pairs")
    data.frame(i = found$first, j = found$second,
               confidence = abs(found$value), must_link = found$value < 0)
}

# ---- pairs to add ------------------------------------------------------------

admit_candidates <- function(given, candidates) {
    known <- match(pair_key(candidates$i, candidates$j, given$samples),
                   pair_key(given$first, given$second, given$samples))
    # a pair that is known already is not added, but must not be contradicted
    news <- is.na(known) | given$must_link[known] != candidates$must_link
    candidates <- candidates[news, ]
    count <- length(given$first)
    taken <- .Call(C_admit_pairs, given$samples, count,
                   c(given$first, candidates$i) - 1L,
                   c(given$second, candidates$j) - 1L,
                   c(given$must_link, candidates$must_link))
    taken <- taken[count + seq_len(nrow(candidates))]
    added <- candidates[taken, ]
    result <- new_constraints(
        rbind(cbind(given$first, given$second), cbind(added$i, added$j)),
        c(given$must_link, added$must_link), given$samples, given$names,
        c(given$confidence, added$confidence), origin = "data"
    )
    result$added <- rep(c(FALSE, TRUE), c(count, nrow(added)))[
        order(c(given$must_link, added$must_link))]
    result$propagation <- list(added = count_pairs(added),
                               dropped = count_pairs(candidates[!taken, ]))
    class(result) <- c("propagated_constraints", class(result))
    result
}

propagation_line <- function(x) {
    added <- x$propagation$added
    paste0("Added ", count_noun(added[["cannot_link"]], "cannot-link"),
           " and ", count_noun(added[["must_link"]], "must-link"), ", dropped ",
           sum(x$propagation$dropped), " that contradicted them.")
}

#' @export
print.propagated_constraints <- function(x, n = 10L, ...) {
    NextMethod()
    cat_lines(paste0("  method \"", x$propagation$method, "\", a = ",
                     format(x$propagation$a), ": ", propagation_line(x)))
    invisible(x)
}
