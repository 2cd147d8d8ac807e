# The filter of package mlr3filters: mlr3filters::flt("linkrank"). The class is
# made when mlr3filters is loaded.

# what R6 gives to methods
utils::globalVariables(c("self", "super"))

mlr3_filter <- function() {
    R6::R6Class(
        "FilterLinkrank", inherit = mlr3filters::Filter,
        public = list(initialize = function() {
            settings <- paradox::ps(
                method = paradox::p_fct(ranking_methods()$method,
                                        special_vals = list(NULL)),
                constraints = paradox::p_uty(), options = paradox::p_uty()
            )
            super$initialize(
                id = "linkrank", task_types = NA_character_,
                param_set = settings, packages = "linkrank",
                feature_types = c("integer", "numeric", "factor", "ordered",
                                  "logical"),
                label = "Ranking from pairs, labels, numbers or nothing",
                man = "linkrank::rank_features"
            )
        }),
        private = list(
            .calculate = function(task, nfeat) {
                ranking <- rank_task(task, self$param_set$values)
                # scores may be equal, or better when lower
                stats::setNames(-ranking$rank, ranking$feature)
            },
            .get_properties = function() "missings"
        )
    )
}

# Ranks by the pairs among the rows of the task, or by its target; all pairs of
# its classes for a method that needs pairs. Rows that a bootstrap repeats count
# once, because they would be their own neighbours.
rank_task <- function(task, settings) {
    rows <- which(!duplicated(task$row_ids))
    x <- as.data.frame(task$data(cols = task$feature_names))
    takes <- method_inputs(settings$method)
    y <- if (length(task$target_names)) task$truth()[rows]
    links <- if (!is.null(settings$constraints)) suppressMessages(
        restrict_constraints(settings$constraints, task$row_ids[rows]))
    if (is.null(links) && !"y" %in% takes && !is.null(y)) {
        links <- constraints_from_labels(y)
    }
    given <- known_parts(x[rows, , drop = FALSE],
                         if ("constraints" %in% takes) links,
                         if ("y" %in% takes && is.null(links)) y,
                         method = settings$method)
    method <- default_method(settings$method, given)
    as_ranker(method, names(given),
              mean_for_missing(settings$options, method))(given)
}

register_mlr3_filter <- function(...) {
    mlr3filters::mlr_filters$add("linkrank", mlr3_filter())
}
