# The same ranking again, for other data or with more constraints.

#' Rank again with the same method and arguments
#'
#' Ranks data with the method and the arguments of an existing ranking, for
#' instance after more questions have been answered, or for another batch of
#' samples.
#'
#' @param object A [`feature_ranking`][feature_ranking] that one of
#'   [ranking_methods()] made.
#' @param x Data: see [prepare_data()].
#' @param constraints,y Constraints, or a class or number per sample: what the
#'   method needs.
#' @param ... Arguments of the method to change from those in [summary()][feature_ranking].
#'   A `block` is that of the same samples.
#'
#' @return A [`feature_ranking`][feature_ranking], as a call of the method with
#'   these arguments returns.
#'
#' @section Errors: `linkrank_error_argument` for a ranking whose method is not
#'   one of [ranking_methods()] (such as [ensemble_ranking()] or
#'   [as_feature_ranking()]), and those of [rank_features()].
#'
#' @examples
#' x <- log2(colon$x)
#' links <- pairwise_constraints(cannot_link = rbind(c(1, 2), c(5, 8)),
#'                               samples = rownames(x))
#' genes <- relieff_sc(x, links, k = 5)
#' more <- c(links, pairwise_constraints(
#'     cannot_link = cbind(9, 12), samples = links$names))
#' update(genes, x, more)
#' @export
update.feature_ranking <- function(object, x, constraints = NULL, y = NULL,
                                   ...) {
    check_given(x, paste("the data again, and what else was ranked by, as",
                         "update(ranking, x, constraints): a ranking holds",
                         "neither"))
    info <- attr(check_ranking(object, "object"), "info")
    averaged <- !is.null(info$parameters$replicates)
    refuse_if(averaged || !info$method %in% method_registry()$method,
              "`object` must be a ranking by one of ranking_methods(), but it ",
              "is by ", info$label, ".")
    # other parameters were computed, such as the number of components
    takes <- method_arguments(info$method)
    known <- info$parameters[names(info$parameters) %in% takes]
    known <- open_graph(Filter(Negate(is.null), known), names(list(...)))
    options <- utils::modifyList(known, list(...))
    x <- as_samples(x)
    if (length(known$block) > 1L && !"block" %in% names(list(...))) {
        # What was kept, for the samples of other data.
        kept <- known$block
        samples <- sample_axis(x)
        if (!is.null(samples$samples) && !is.null(names(kept))) {
            kept <- kept[samples$samples]
        }
        refuse_if(anyNA(kept) || length(kept) != samples$n,
                  "`block` must be given again, because `x` has samples whose ",
                  "block the ranking does not hold.")
        options$block <- kept
    }
    given <- known_parts(x, constraints, y)
    as_ranker(info$method, names(given), options)(given)
}

# A ranking stores the settings of its graph of samples. Those of the default
# graph are arguments; any other graph belongs to the old data.
open_graph <- function(known, given) {
    graph <- known$graph
    if (!is.list(graph)) return(known)
    known$graph <- NULL
    if ("graph" %in% given) return(known)
    refuse_if(!identical(c(graph$adjacency, graph$weight), c("knn", "heat")),
              "`graph` must be given again, because the graph of the ranking ",
              "is of other samples.")
    c(known, graph[c("k", "t")])
}
