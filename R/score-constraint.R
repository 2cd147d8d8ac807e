# Constraint scores: ratios and differences of quadratic forms on the links.
# A type is a list(forms, score, separation): the forms it needs (see
# score-common.R), its formula as a function of their values, and a function
# of the differences of cannot-linked samples, which orders ties.

#' Constraint scores (CS1 to CS4, CLS, C6, CCLS)
#'
#' Scores each feature separately: a good one differs little between must-linked
#' and much between cannot-linked samples. `"CS1"` and `"CS2"` use only the
#' pairs; the others also the neighbours of all samples, which suits few
#' constraints.
#'
#' @param type Which score, see Details.
#' @param y For `type = "CCLS"`: classes of the samples (`NA` where unknown),
#'   whose scatter is used; `NULL` for that of the must-linked groups.
#' @param lambda Weight, from 0, of the cannot-links in CS2 (`NULL`: 0.1), or of
#'   must-linked samples that are no neighbours in CCLS (`NULL`: 0.5).
#' @param gamma Weight of the must-links in CS3 (`NULL`: 100), or the fraction
#'   by which CCLS reduces the weight of cannot-linked neighbours (`NULL`: 0.9).
#' @param unlabelled For CS3: keep neighbours when either (`"either"`) or both
#'   (`"both"`) of them are in no pair.
#' @param denominator For CLS and C6: cannot-linked `"pairs_and_unlabelled"`
#'   samples, or the `"pairs"` alone.
#' @param k Number of neighbours, a whole number from 1 (not in CS1 and CS2).
#' @param t Width of the heat weights exp(-d^2 / t), a positive number; `NULL`
#'   for the median of d^2 over the edges between neighbours.
#' @param graph For CS4, instead of `k` and `t`: a [similarity_graph()] of the
#'   samples or a symmetric matrix of weights.
#' @param ... Arguments of [prepare_data()], by name: `scale`, `na.action`,
#'   `by`, `assay.type`, `threads`, `progress`.
#' @inheritParams relieff_sc
#' @param constraints Constraints: see [pairwise_constraints()]. CS1 and CS4
#'   need must-links and cannot-links, CS3 and `denominator = "pairs"` a
#'   cannot-link, CS2 any pair.
#'
#' @return A [`feature_ranking`][feature_ranking()] with the columns `rank`,
#'   `feature`, `score`, lowest score first (lower is better), and `apart`, the
#'   difference between cannot-linked samples: CL, in CLS and C6 the first sum
#'   of the denominator.
#'
#' @details ML and CL are the sums over the must-linked and cannot-linked pairs
#'   of the squared difference of the scaled feature, w = exp(-d^2 / t),
#'   neighbours are samples of which either is among the `k` nearest of the
#'   other, unlabelled samples are in no pair, and f'Lf is the sum over edges of
#'   weight times squared difference. Sums over pairs weight each by its
#'   `confidence` (`NA`: 1) divided by the mean; an edge between neighbours
#'   keeps its weight in all types but CCLS.
#'
#' * `"CS1"`: ML / CL
#' * `"CS2"`: ML - `lambda` CL
#' * `"CS3"`: f'Lf / CL; weight `gamma` for must-links, 1 for neighbours of
#'   which one is unlabelled
#' * `"CS4"`: Laplacian score times CS1
#' * `"CLS"`: f'Lf / (sum over ordered cannot-links (n, m) of
#'   d_n (f_n - f_m)^2 + sum over unlabelled n of d_n (f_n - mu)^2); weight w
#'   for neighbours and must-links; the Laplacian score without constraints
#' * `"C6"`: the same with weight w + w^2 for cannot-linked neighbours, w^2 for
#'   must-links that are no neighbours, w for neighbours of which one is
#'   unlabelled
#' * `"CCLS"`: 2 f'Lf / (V + B - W); weight 1 for must-linked neighbours,
#'   `lambda` for other must-links, (1 - `gamma`) w for cannot-linked
#'   neighbours, w for neighbours of which one is unlabelled
#'
#' d_n is the sum of the weights at n (in C6, of the graph of neighbours with
#' weights w) and mu the mean weighted by it; V is the scatter weighted by d, B
#' and W those between and within the labelled groups. CS1 (5) and CS2 (6) are
#' of Zhang et al.; CS3 (12, 13), CS4 (14), CLS (18), C6 (21-23) and CCLS
#' (24-31) of Salmi et al.; `denominator = "pairs"` is (1.41) of Hijazi and
#' (20).
#'
#' *Ties* are ordered by `apart`, largest first, then by column; they are common
#' among counts that are mostly 0; of neighbours see [similarity_graph()].
#' *Constant features* have no score (`NA`) and come last, after features
#' without any difference between cannot-linked samples, whose score is `Inf`;
#' CS2 of a constant feature is 0. In CCLS a denominator of 0 or less gives
#' `Inf`. *Factors* of more than two levels differ by 0 or 1.
#'
#' *Cost.* One operation for each edge, pair and feature; n (n - 1) / 2
#' distances for neighbours. Only CLS and C6 expand all labels to pairs, with 24
#' bytes for each must-link.
#'
#' @section The published form: CS1 and CS2 are those of Zhang et al. (2008),
#'   who do not scale, the others those of Salmi et al. (2020), where t = 2
#'   sigma^2 with sigma = 1:
#'
#' ```
#' constraint_score(x, constraints, type = "CS1", scale = "none")
#' constraint_score(x, constraints, type = "CS2", lambda = 0.1, scale = "none")
#' constraint_score(x, constraints, type = "CS3", gamma = 100, k = 5)
#' graph <- similarity_graph(x, adjacency = "full", weight = "gaussian",
#'                           sigma = 1)
#' constraint_score(x, constraints, type = "CS4", graph = graph)
#' constraint_score(x, constraints, type = "CLS", k = 5, t = 2)
#' constraint_score(x, constraints, type = "C6", k = 5, t = 2)
#' constraint_score(x, constraints, type = "CCLS", y = y, lambda = 0.5,
#'                  gamma = 0.9, k = 5, t = 2)
#' ```
#'
#' Salmi et al. scale by the range and use **`lambda = 1`** in CS2. Hijazi
#' (2019) uses the self-tuning graph in CS4 and `denominator = "pairs"` in CLS.
#' Our defaults: scaled by the range, `lambda = 0.1`, a `t` that follows the
#' data, in CS4 `k` neighbours.
#'
#' @section Errors: `linkrank_error_constraints` (other samples, pairs that a
#'   type needs), `linkrank_error_argument`, `linkrank_error_memory` for the
#'   pairs of CLS and C6.
#'
#' @references Zhang, D., Chen, S. and Zhou, Z.-H. (2008). *Pattern
#'   Recognition*, 41, 1440-1451. \doi{10.1016/j.patcog.2007.10.009}
#'
#' Salmi, A., Hammouche, K. and Macaire, L. (2020). *Knowledge-Based Systems*,
#' 209, 106429. \doi{10.1016/j.knosys.2020.106429}
#'
#' Benabdeslem, K. and Hindawi, M. (2011). *ECML PKDD*, 204-218.
#' \doi{10.1007/978-3-642-23780-5_23}
#'
#' @seealso [laplacian_score()], [relieff_sc()], [ensemble_ranking()]
#' @examples
#' x <- log2(colon$x)
#' set.seed(1)
#' links <- constraints_from_labels(colon$tissue, cannot_link = 10,
#'                                  must_link = 10)
#' constraint_score(x, links)
#' constraint_score(x, links, type = "CS3")
#' @export
constraint_score <- function(
    x, constraints, ...,
    type = c("CS1", "CS2", "CS3", "CS4", "CLS", "C6", "CCLS"),
    y = NULL, lambda = NULL, gamma = NULL, unlabelled = c("either", "both"),
    denominator = c("pairs_and_unlabelled", "pairs"), k = 5, t = NULL,
    graph = NULL) {
    if (names_column(y, x)) return(rank_by_formula())
    type <- check_choice(type, names(score_plans), "type")
    options <- constraint_options(type, named_response(y, x), lambda, gamma,
                                  unlabelled, denominator, k, t)
    # `k` and `t` may be options of several methods at once
    refuse_unused("type", type, type_options)
    refuse_beside(c("k", "t"), "graph")
    if (!is.null(graph)) {
        options$graph <- as_graph(graph)
        options[c("k", "t")] <- NULL
    }
    check_constraints(constraints)
    check_pairs_for(type, constraints, options)
    data <- prepared(x, ..., uses = score_arguments)
    # of CS2 and of the graph scores as published
    input <- score_input(data, "published")
    constraints <- match_constraints(constraints, input$data)
    if (!is.null(options$y)) match_response(options$y, input$data)
    plan <- score_plans[[type]](constraints, options, input)
    # The values of named forms, a data.frame; class_form() has two.
    values <- quadratic_forms(input, unname(plan$forms))
    colnames(values) <- unlist(Map(function(name, form) {
        two <- form_kinds[form$kind + 1L] == "classes"
        paste0(name, if (two) c(".within", ".between"))
    }, names(plan$forms), plan$forms))
    forms <- as.data.frame(values)
    # `t`: of the graph, where none is given
    settings <- Filter(length, c(options[c("lambda", "gamma", "k")], plan["t"]))
    score_ranking(plan$score(forms), input, "constraint_score",
                  options[setdiff(names(options), "y")],
                  constraints = constraints, apart = plan$separation(forms),
                  label = paste("Constraint score", type),
                  note = sprintf("%s = %s", names(settings), vapply(
                      settings, format, "", digits = 4L)))
}

# Arguments of each type; those of other types must not be given.
type_options <- list(CS2 = "lambda", CS3 = c("gamma", "unlabelled"),
                     CS4 = "graph", CLS = "denominator", C6 = "denominator",
                     CCLS = c("y", "lambda", "gamma"))

constraint_options <- function(type, y, lambda, gamma, unlabelled, denominator,
                               k, t) {
    options <- list(type = type, y = if (!is.null(y)) as_class_labels(y, "y"))
    own <- type_options[[type]]
    if ("lambda" %in% own) options$lambda <- check_number(
        lambda %||% c(CS2 = 0.1, CCLS = 0.5)[[type]], "lambda", 0)
    if ("gamma" %in% own) options$gamma <- check_number(
        gamma %||% c(CS3 = 100, CCLS = 0.9)[[type]], "gamma", 0,
        c(CS3 = Inf, CCLS = 1)[[type]])
    if (!type %in% c("CS1", "CS2"))
        own <- c(own, "k", if (type != "CS3" && !is.null(t)) "t")
    rest <- c(checked(unlabelled, denominator, k), if (!is.null(t)) checked(t))
    c(options, rest[intersect(names(rest), own)])
}

check_pairs_for <- function(type, constraints, options) {
    pairs <- count_pairs(constraints)
    needs <- switch(type, CS1 = , CS4 = c("must_link", "cannot_link"),
                    CS2 = if (sum(pairs) == 0) "cannot_link",
                    CS3 = "cannot_link",
                    CLS = , C6 = if (options$denominator == "pairs")
                        "cannot_link")
    lacking <- needs[pairs[needs] == 0]
    refuse_if(length(lacking), "`constraints` must contain at least one ",
              sub("_", "-", lacking[1L]), " for type \"", type, "\", but it ",
              "has none.", class = "constraints")
}

# ---- the types ---------------------------------------------------------------

plan_pairs <- function(constraints, options, ...) {
    sums <- link_sums(constraints)
    list(forms = sums$forms, separation = sums$cannot, score = function(f) {
        if (options$type == "CS1") ratio(sums$must(f), sums$cannot(f)) else
            sums$must(f) - options$lambda * sums$cannot(f)
    })
}

plan_cs3 <- function(constraints, options, input) {
    sums <- link_sums(constraints)
    edges <- neighbour_edges(constraints, options, input, "binary")
    keep <- edges$free >= if (options$unlabelled == "either") 1L else 2L
    near <- edge_weights(edges$first[keep], edges$second[keep],
                         rep(1, sum(keep)), input$data$n)
    list(forms = c(sums$forms, list(near = graph_form(near))),
         separation = sums$cannot, score = function(f) {
             ratio(options$gamma * sums$must(f) + f$near, sums$cannot(f))
         })
}

plan_cs4 <- function(constraints, options, input) {
    sums <- link_sums(constraints)
    graph <- graph_of(options$graph %||% graph_options(
        k = options$k, t = options[["t"]]), input)
    t <- if (is.null(options$graph)) graph$parameters$t
    forms <- list(edges = graph_form(graph$weights),
                  scatter = scatter_form(positive_degrees(graph)))
    list(forms = c(sums$forms, forms), separation = sums$cannot, t = t,
         score = function(f) {
        value <- ratio(f$edges, f$scatter) * ratio(sums$must(f), sums$cannot(f))
        value[is.nan(value)] <- NA_real_
        value
    })
}

plan_cls <- function(constraints, options, input) {
    edges <- linked_edges(constraints, options, input)
    more <- edges$more
    weights <- edge_weights(c(edges$first, more$first),
                            c(edges$second, more$second),
                            c(edges$weight, more$weight * edges$heat),
                            input$data$n)
    degree <- graph_degrees(list(weights = weights))
    c(plan_ratio(weights, degree, constraints, options), t = edges$t)
}

plan_c6 <- function(constraints, options, input) {
    edges <- linked_edges(constraints, options, input)
    more <- edges$more
    w <- edges$weight
    weight <- ifelse(edges$cannot, w + w^2, ifelse(edges$free > 0L, w, 0))
    keep <- edges$cannot | edges$free > 0L
    weights <- edge_weights(c(edges$first[keep], more$first),
                            c(edges$second[keep], more$second),
                            c(weight[keep], more$weight * edges$heat^2),
                            input$data$n)
    c(plan_ratio(weights, positive_degrees(edges$graph), constraints, options),
      t = edges$t)
}

# f'Lf over the cannot-links, each sample weighted by its degree, and the
# scatter of the unlabelled samples: (18), (23) [Salmi et al. 2020].
plan_ratio <- function(weights, degree, constraints, options) {
    forms <- list(edges = graph_form(weights),
                  pairs = weighted_cannot_links(constraints, degree))
    if (options$denominator != "pairs") forms$free <- scatter_form(
        degree * !is_labelled(constraints), center = degree)
    list(forms = forms, separation = function(f) f$pairs,
         score = function(f) ratio(f$edges, f$pairs + (f$free %||% 0)))
}

# sum over ordered cannot-links (n, m) of degree_n (f_n - f_m)^2
weighted_cannot_links <- function(constraints, degree) {
    if (is_coded(constraints)) {
        codes <- constraints$class_of
        return(different_form(codes, max(codes, 0L, na.rm = TRUE), degree))
    }
    cannot <- !constraints$must_link
    both <- degree[constraints$first[cannot]] +
        degree[constraints$second[cannot]]
    graph_form(link_weights(constraints, FALSE, both))
}

# (24) to (31): must-links weigh lambda, and 1 - lambda more where they are
# neighbours.
plan_ccls <- function(constraints, options, input) {
    edges <- neighbour_edges(constraints, options, input)
    weight <- ifelse(edges$must, (1 - options$lambda) * edges$own_weight,
                     ifelse(edges$cannot, (1 - options$gamma) * edges$weight,
                            ifelse(edges$free > 0L, edges$weight, 0)))
    keep <- edges$must | edges$cannot | edges$free > 0L
    near <- edge_weights(edges$first[keep], edges$second[keep], weight[keep],
                         input$data$n)
    sums <- link_sums(constraints)
    degree <- graph_degrees(list(weights = near)) +
        options$lambda * count_must_links(constraints)
    # groups of (27), (28): classes, else the must-linked groups
    codes <- if (is.null(options$y)) must_linked_groups(constraints) else
        as.integer(options$y)
    forms <- c(sums$forms, list(near = graph_form(near),
                                scatter = scatter_form(degree)))
    if (any(!is.na(codes)))
        forms$groups <- class_form(codes, rep(1, max(codes, na.rm = TRUE)))
    list(forms = forms, separation = sums$cannot,
         t = edges$graph$parameters$t, score = function(f) {
        within <- if (is.null(f$groups.within)) 0 else
            f$groups.between - f$groups.within
        top <- 2 * (options$lambda * sums$must(f) + f$near)
        bottom <- f$scatter + within
        value <- ratio(top, bottom)
        value[bottom <= 0] <- Inf
        value[input$scaling$divisor == 0] <- NA_real_
        value
    })
}

# Number of must-linked samples of each sample.
count_must_links <- function(constraints) {
    if (is_coded(constraints)) {
        codes <- constraints$group_of
        sizes <- tabulate(codes)[codes]
        return(ifelse(is.na(sizes), 0, sizes - 1))
    }
    must <- constraints$must_link
    ends <- factor(c(constraints$first[must], constraints$second[must]),
                   seq_len(constraints$samples))
    weight <- rep(pair_weights(constraints)[must], 2L)
    as.vector(tapply(weight, ends, sum, default = 0))
}

# list(forms, score, separation) by type.
score_plans <- list(CS1 = plan_pairs, CS2 = plan_pairs, CS3 = plan_cs3,
                    CS4 = plan_cs4, CLS = plan_cls, C6 = plan_c6,
                    CCLS = plan_ccls)
