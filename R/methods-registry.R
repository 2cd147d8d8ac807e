# The table of ranking methods, and update() of a ranking.

# ==== the table ===============================================================

# Ranking by the name of a method, or by a user's function.

#' Rank features by any method, given its name
#'
#' `rank_features()` calls a ranking method by its name, or any function that
#' ranks. `ranking_methods()` returns the table of all methods.
#'
#' @param x Data: see [prepare_data()]. Or a formula with `data = `, as in
#'   [relieff()]; its left side is `y`, for methods that use it.
#' @param constraints,y Constraints, or a class or number per sample: what the
#'   method needs (column `needs`).
#' @param method Name of a method, one of `ranking_methods()$method`; or a
#'   function that gets those of `x`, `constraints` and `y` that are among its
#'   arguments, and returns a `feature_ranking` or a numeric vector named by
#'   feature, higher is better. `NULL`: `"glean"` for constraints or nothing;
#'   for `y` alone `"relieff"`, or `"rrelieff"` for dates, numbers with
#'   fractions or more than 20 different ones.
#' @param ... Arguments of the method, and those of [prepare_data()] that it
#'   uses, by name; others are refused. And `data`, if `x` is a formula.
#'
#' @return `rank_features()`: a [`feature_ranking`][feature_ranking].
#'
#' `ranking_methods()`: a data.frame, one row per method, with columns `method`
#' (the name to give), `label`, `family`, `needs` (what besides `x`),
#' `direction` (is a higher or a lower score better) and `source`.
#'
#' @section Errors: `linkrank_error_argument` for an unknown method, what it
#'   needs but is missing, and what it does not accept.
#'
#' @examples
#' x <- log2(colon$x)
#' ranking_methods()
#' links <- pairwise_constraints(cannot_link = rbind(c(1, 2), c(5, 8)),
#'                               samples = rownames(x))
#' rank_features(x, links)
#' rank_features(x, links, method = "relieff_sc", k = 1)
#' rank_features(Species ~ ., data = iris, method = "fisher_score")
#' @export
rank_features <- function(x, constraints = NULL, y = NULL, ...,
                          method = NULL) {
    if (has_formula(x, ...)) {
        # `data` without its name come second, as the constraints do
        pairs <- is.null(method) &&
            inherits(constraints, "pairwise_constraints")
        return(rank_by_formula(!pairs && "y" %in% method_inputs(method)))
    }
    moved <- move_to_data(x, list(...))
    given <- known_parts(moved$x, constraints, y, method)
    method <- default_method(method, given)
    # a function may take the pairs by their numbers
    if (is.function(method) && inherits(constraints, "pairwise_constraints")) {
        given$constraints <- match_constraints(constraints,
                                               sample_axis(given$x))
    }
    as_ranker(method, names(given), moved$options)(given)
}

#' @rdname rank_features
#' @export
ranking_methods <- function() {
    package_table("methods.csv")[c("method", "label", "family", "needs",
                                   "direction", "source")]
}

# The options that say of each sample where it belongs, or which cells are read.
per_sample <- c("by", "block", "unit", "space", "assay.type")

# list(x, options): the options `per_sample` go with the data, which
# is where groups become the samples (`by`), before anything else is read.
move_to_data <- function(x, options, needed = !is.null(options$by)) {
    check_given(x, data_words)
    if (needed) {
        own <- names(options) %in% per_sample
        x <- do.call(prepare_data, c(list(x), options[own]), quote = TRUE)
        options <- options[!own]
    }
    list(x = x, options = options)
}

# list(x, options, block, progress) for calls on parts of the data, of which the
# line of progress is. Bad input of the method is refused here, before anything
# is drawn.
values_with_data <- function(given, options, method) {
    progress <- run_control(progress = options$progress)$progress
    if (!is.function(method)) options$progress <- FALSE
    as_ranker(method, names(given), options)
    moved <- move_to_data(given$x, options, !is.function(method) && (
        length(c(options$block, options$unit)) || length(options$space) > 1L))
    c(moved, list(progress = progress, block = if (inherits(
        moved$x, "prepared_data")) known_block(moved$x, FALSE)))
}

# ---- the one way from a name to a ranking ------------------------------------

# The method of these inputs where none is given.
default_method <- function(method, given) {
    method %||% if (!is.null(given$constraints)) "glean" else
        if (holds_numbers(given$y) || has_many_numbers(given$y)) "rrelieff" else
            "relieff"
}

# The known inputs of a ranking by `method`: an empty constraint set, where
# neither the method nor anything that it could rank by is given.
known_parts <- function(x, constraints = NULL, y = NULL, method = "given") {
    taken <- split_column(as_samples(x), y)
    x <- taken$x
    # classes as the second argument, which is `constraints`
    labels <- is.factor(constraints) || is.atomic(constraints) &&
        !is.null(constraints) && is.null(dim(constraints))
    refuse_if(labels && is.null(y), "`constraints` must be pairs, but it is ",
              describe_class(constraints), ": did you mean `y = `?")
    if (is.null(method) && is.null(constraints) && is.null(y))
        constraints <- pairwise_constraints(samples = count_samples(x))
    Filter(Negate(is.null), list(x = x, constraints = constraints,
                                 y = named_response(taken$y, x)))
}

# A function(given) that ranks a list of `x`, `constraints`, `y` by `method`: a
# name, or a function with some of these as arguments. `parts`: the names of the
# inputs that will be given. Errors in name, parts and options are found here,
# before anything is computed.
as_ranker <- function(method, parts, options = list()) {
    method <- check_method(method)
    takes <- method_arguments(method)
    # A function gets all that it has as arguments, a method one of its inputs.
    needs <- method_needs(method)
    lacking <- if (is.function(method)) setdiff(needs, parts) else
        if (!any(needs %in% parts) &&
            !grepl("nothing", registry_row(method)$needs)) needs
    refuse_if(length(lacking), paste0("`", lacking, "`", collapse = " or "),
              " must be given: ", method_words(method), " needs it.")
    extra <- setdiff(intersect(parts, c("x", "constraints", "y")), takes)
    refuse_if(length(extra), "`", extra[1L], "` must be left out: ",
              method_words(method), " does not use it.")
    rank <- if (is.function(method)) method else method_function(method)
    if (!is.function(method) || !"..." %in% takes)
        options <- check_options(options, takes, method_words(method))
    function(given) {
        given <- given[names(given) %in% takes]
        as_own_ranking(do.call(rank, c(given, options), quote = TRUE))
    }
}

# A ranking, or scores with the names of the features, as a ranking.
as_own_ranking <- function(result, name = "method") {
    if (is_former_ranking(result) || inherits(result, "feature_ranking"))
        return(check_ranking(result, name))
    refuse_class_if(!is_named_scores(result), result, "The ranking function must
                    return a feature_ranking or numbers named by feature")
    as_feature_ranking(result)
}

is_named_scores <- function(scores) {
    is.numeric(scores) && is.null(dim(scores)) && !is.null(names(scores))
}

# The inputs of a ranker among x, constraints and y: the arguments of a
# function, or what a method needs (the first if there is a choice).
ranker_parts <- function(ranker) {
    if (is.function(ranker)) return(names(formals(args(ranker))))
    c("x", utils::head(method_needs(ranker), 1L))
}

# Which of "constraints" and "y" the method can use: what it needs, or the
# arguments of a function; either where none is given yet.
method_inputs <- function(method) {
    if (is.null(method)) return(c("constraints", "y"))
    if (is.function(method))
        return(intersect(c("constraints", "y"), method_arguments(method)))
    method_needs(check_method(method))
}

method_function <- function(method) {
    get(method, envir = topenv(), mode = "function")
}

# Names of the arguments of a method, including those in its dots.
method_arguments <- function(method) {
    if (is.function(method)) return(names(formals(args(method))))
    row <- registry_row(method)
    unique(c(names(formals(method_function(method))),
             if (nzchar(row$dots)) names(formals(method_function(row$dots))),
             strsplit(row$data, " ")[[1L]], "assay.type", "threads",
             "progress"))
}

# Those of the settings of a call that a method has as arguments.
settings_of <- function(method, settings) {
    settings[names(settings) %in% method_arguments(method)]
}

# The options of a method within a model, which must not stop at a missing cell.
mean_for_missing <- function(options, method) {
    if (!is.function(method) && is.null(options$na.action) &&
        "na.action" %in% method_arguments(method)) {
        options$na.action <- "mean"
    }
    options
}

# What a method needs besides `x`; one of these is enough. A function needs its
# arguments of these names that have no default, and no method nothing.
method_needs <- function(method) {
    if (is.null(method)) return(character())
    if (is.function(method)) {
        inputs <- as.list(formals(args(method)))[c("constraints", "y")]
        required <- vapply(inputs, identical, NA, quote(expr = ))
        return(names(inputs)[required])
    }
    needs <- sub("numeric ", "", registry_row(method)$needs, fixed = TRUE)
    setdiff(strsplit(needs, " or ", fixed = TRUE)[[1L]], "nothing")
}

# The name of a method, or a function that ranks.
check_method <- function(method) {
    if (is.function(method)) {
        refuse_if(!"x" %in% method_arguments(method), "`method` must be a ",
                  "function with an argument `x`, which is the data.")
        return(method)
    }
    known <- package_table("methods.csv")$method
    text <- is_text(method)
    refuse_if(!text || !method %in% known, "`method` must be a name that
              ranking_methods() lists, or a function that ranks, not
              {describe_value(method)}.", if (text) suggest_name(method, known))
    method
}

method_words <- function(method) {
    if (is.function(method)) "the ranking function" else
        paste0("method \"", method, "\"")
}

# ==== update() ================================================================

# The same ranking again, for other data or with more constraints.

#' Rank again with the same method and arguments
#'
#' Ranks data with the method and the arguments of an existing ranking, for
#' instance after more answers.
#'
#' @param object A [`feature_ranking`][feature_ranking] that one of
#'   [ranking_methods()] made.
#' @param x Data: see [prepare_data()]. May be left out where `rank_by` is the
#'   only change of a ranking by [glean()], which is then only sorted.
#' @param constraints,y Constraints, or a class or number per sample: what the
#'   method needs.
#' @param ... Arguments of the method to change, `assay.type` among them. The
#'   `block` of the ranking is used again, so give the same samples.
#'
#' @return A [`feature_ranking`][feature_ranking], as a call of the method with
#'   these arguments returns.
#'
#' @section Errors: `linkrank_error_argument` for a ranking by another method,
#'   and those of [rank_features()].
#'
#' @examples
#' x <- log2(colon$x)
#' links <- pairwise_constraints(cannot_link = rbind(c(1, 2), c(5, 8)),
#'                               samples = rownames(x))
#' genes <- relieff_sc(x, links, k = 5)
#' more <- c(links, pairwise_constraints(
#'     cannot_link = cbind(9, 12), samples = links$names))
#' update(genes, x, more)
#' update(glean(x, links), rank_by = "contrast")
#' @export
update.feature_ranking <- function(object, x, constraints = NULL, y = NULL,
                                   ...) {
    info <- attr(check_ranking(object, "object"), "info")
    if (missing(x) && identical(...names(), "rank_by") &&
        is.null(info$diversified) && all(glean_orders %in% names(object))) {
        return(order_glean(object, check_choice(...elt(1L), glean_orders,
                                                "rank_by")))
    }
    check_given(x, paste("the data again, and what else was ranked by, as",
                         "update(ranking, x, constraints): a ranking stores",
                         "neither"))
    refuse_if(!is.null(info$parameters$replicates) ||
              is.na(registry_row(info$method)$label), "`object` must be a
              ranking by one of ranking_methods(), not by {info$label}.")
    # other parameters were computed, such as the number of components
    known <- open_graph(Filter(Negate(is.null), settings_of(
        info$method, info$parameters)), ...names())
    given <- known_parts(x, constraints, y)
    # prepared data are of an assay already, and other data have none
    if (!samples_in_columns(given$x)) known$assay.type <- NULL
    # nor does what a changed argument replaces hold any more
    options <- list(...)
    of_type <- names(type_options) %in% list(options$type)
    replaced <- list(
        graph = c("graph", if (info$method == "fcrsc") "lambda" else
            c("space", "k", "t")),
        order = "starts", starts = "order", cut = "h", h = "cut",
        # nothing is learned in coordinates, neither before nor now
        space = if (is.character(info$parameters$space) ||
                    is.character(options$space) || length(dim(options$space)))
            "rounds",
        type = setdiff(unlist(type_options), unlist(type_options[of_type]))
    )[names(options)[lengths(options) > 0L]]
    known <- known[!names(known) %in% unlist(replaced)]
    options <- utils::modifyList(known, options)
    samples <- sample_axis(given$x)
    for (name in setdiff(c("block", "unit"), ...names())) {
        # What was kept, for the samples of other data.
        kept <- known[[name]]
        if (length(kept) < 2L) next
        at <- if (is.null(samples$samples) || is.null(names(kept)))
            seq_along(kept) else match(samples$samples, names(kept))
        refuse_if(anyNA(at) || length(at) != samples$n, "`{name}` must be given
                  again: the ranking has not that of all samples of `x`.")
        options[[name]] <- kept[at]
    }
    as_ranker(info$method, names(given), options)(given)
}

# A ranking stores the settings of its graph of samples. Those of the default
# graph are arguments; any other graph belongs to the old data.
open_graph <- function(known, given) {
    graph <- known$graph
    if (!is.list(graph) || "graph" %in% given) return(known)
    known$graph <- NULL
    refuse_if(!identical(c(graph$adjacency, graph$weight), c("knn", "heat")),
              "`graph` must be given again: the ranking has one of others.")
    c(known, graph[c("k", "t")])
}
