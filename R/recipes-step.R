# Rankings in other frameworks: steps of recipes, filters of mlr3.

# ==== recipes =================================================================

# A step of package recipes: rank by the outcome or by pairs and keep the best,
# in resampling. recipes and rlang are only suggested; the methods are
# registered when recipes is loaded.

#' Recipe step for feature selection
#'
#' Ranks features by any method and keeps the best, as a step of a \pkg{recipes}
#' recipe. In resampling (\pkg{rsample}, \pkg{tune}) it ranks again in every
#' training set. See `vignette("labels")`.
#'
#' @param recipe A recipe.
#' @param ... Selectors of the features to rank, such as
#'   `recipes::all_predictors()`: numeric, logical and factor columns. Others
#'   are not changed.
#' @param constraints For methods that rank by pairs: constraints with sample
#'   names, or `NULL`. Row numbers are refused.
#' @param sample_id Name of the column that names the samples as `constraints`
#'   does. Without it, or where it is blank or `NA`, every row is a sample of
#'   its own.
#' @param must_link,cannot_link Names of columns: samples with the same value of
#'   a `must_link` column (patient, clone) are must-linked, with different
#'   values of a `cannot_link` column (known type) cannot-linked; `NA` means
#'   unknown; see [constraints_from_columns()]. They are combined with
#'   `constraints`.
#' @param outcome Name of the column, for methods that need `y`, or pairs and
#'   get none; `NULL`: the one of role `"outcome"`.
#' @param num_terms How many features to keep, at least 1, or `tune::tune()`.
#'   Without limit if only `prop` or `threshold` is given.
#' @param prop,threshold Proportion of features to keep, above 0 and at most 1,
#'   or `tune::tune()`; the worst score to keep. A feature is kept if all three
#'   keep it.
#' @param method,options Name of a method, see [ranking_methods()], and a list
#'   of its arguments. `NULL`: `"glean"` for pairs, or without any outcome; else
#'   `"relieff"`, or `"rrelieff"` for numbers. Missing cells are means
#'   (`na.action`) unless `options` say otherwise. Or a function, as in
#'   [rank_features()].
#' @param diversify `TRUE`: [diversify_ranking()] re-orders the ranking, so that
#'   features kept are little correlated. Factors must have two levels.
#' @param role,trained,removals,ranking,skip,id As in other steps; `prep()`
#'   stores the names of the columns to remove in `removals` and the table of
#'   the ranking in `ranking`.
#'
#' @return The recipe with the step added. `tidy()` of the step is a tibble with
#'   `terms` (features, best first; before training the selectors), `rank`,
#'   `score`, `margin` (`NA` for methods without), `removed` and `id`.
#'   `tunable()` offers `num_terms`, from 1 to at most 100, and `prop` from 0.05
#'   to 1.
#'
#' @details A method ranks by what `ranking_methods()$needs` says: pairs, if
#'   they are given, else the outcome. `prep()` uses no information from the
#'   samples left out:
#' * Pairs are restricted to the training set ([restrict_constraints()]).
#' * With `sample_id`, a sample that a bootstrap repeats counts once.
#' * Values are scaled by the training set, and not stored.
#'
#' Cost: that of the method, for every training set and value of `num_terms`.
#'
#' Accuracies are too optimistic if [active_constraints()] selected pairs on all
#' rows (ask inside each split), or if must-linked samples are on both sides of
#' a split (`rsample::group_vfold_cv()` keeps them together).
#'
#' `predict()` and `bake()` require every column but the outcome, unless
#' `recipes::update_role_requirements()` says otherwise.
#'
#' @section Errors: `linkrank_error_argument`: no pairs or outcome that the
#'   method needs; case weights; `constraints` without names or `sample_id`;
#'   columns that do not exist, or are both ranked and a source of pairs; no
#'   feature selected or kept. `linkrank_error_constraints`: no cannot-link in
#'   the training set. `linkrank_error_package` without \pkg{recipes}.
#'
#' @seealso [rank_features()], [evaluate_method()], which resamples without
#'   further packages.
#' @examples
#' if (requireNamespace("recipes", quietly = TRUE)) {
#'     samples <- data.frame(sample = rownames(colon$x), tissue = colon$tissue,
#'                           log2(colon$x[, 1:50]))
#'     rec <- recipes::recipe(tissue ~ ., data = samples) |>
#'         recipes::update_role(sample, new_role = "id") |>
#'         recipes::update_role_requirements("id", bake = FALSE)
#'
#'     # by the outcome of the recipe
#'     by_labels <- rec |>
#'         step_select_linkrank(recipes::all_predictors(), method = "relieff",
#'                              num_terms = 5)
#'     names(recipes::bake(recipes::prep(by_labels), new_data = samples))
#'
#'     # by pairs of samples
#'     links <- pairwise_constraints(
#'         cannot_link = cbind(paste0("T", 1:6), paste0("N", 1:6)),
#'         samples = samples$sample
#'     )
#'     by_pairs <- rec |>
#'         step_select_linkrank(recipes::all_predictors(), constraints = links,
#'                              sample_id = "sample", prop = 0.1,
#'                              diversify = TRUE)
#'     names(recipes::bake(recipes::prep(by_pairs), new_data = samples))
#' }
#' @export
step_select_linkrank <- function(
    recipe, ..., constraints = NULL, sample_id = NULL, must_link = NULL,
    cannot_link = NULL, outcome = NULL, num_terms = 20L, prop = NULL,
    threshold = NULL, method = NULL, options = list(),
    diversify = FALSE, role = NA, trained = FALSE, removals = NULL,
    ranking = NULL, skip = FALSE, id = recipes::rand_id("select_linkrank")) {
    check_given(recipe, "the result of recipes::recipe()")
    need_package("recipes", user = "step_select_linkrank()")
    refuse_class_if(!inherits(recipe, "recipe"), recipe,
                    "`recipe` must be the result of recipes::recipe()")
    terms <- rlang::enquos(...)
    refuse_named_selectors(names(terms))
    check_step_sources(constraints, sample_id, must_link, cannot_link, outcome,
                       method)
    refuse_class_if(!is.null(options) && !is.list(options), options,
                    "`options` must be a list")
    if (missing(num_terms) && !(is.null(prop) && is.null(threshold)))
        num_terms <- NULL
    # The largest `num_terms` to try. Columns that an earlier step makes do not
    # exist yet; then all predictors are counted.
    selected <- tryCatch(
        recipes::recipes_eval_select(terms, recipe$template, recipe$var_info),
        error = function(condition) NULL
    )
    count <- length(selected)
    if (count == 0L) count <- sum(recipe$var_info$role %in% "predictor")
    recipes::add_step(recipe, recipes::step(
        subclass = "select_linkrank", terms = terms, constraints = constraints,
        sample_id = sample_id, must_link = must_link,
        cannot_link = cannot_link, num_terms = num_terms, method = method,
        options = options, outcome = outcome, prop = prop,
        threshold = threshold, diversify = check_flag(diversify, "diversify"),
        most = max(1L, min(100L, count)), role = role, trained = trained,
        removals = removals, ranking = ranking, skip = skip, id = id
    ))
}

# ---- when the step is added --------------------------------------------------

# recipes ignores the names of selectors, so a misspelt argument would be lost.
refuse_named_selectors <- function(names) {
    name <- names[names != ""][1L]
    if (is.na(name)) return(invisible())
    # what other packages call it
    known <- setdiff(names(formals(step_select_linkrank)), c("recipe", "..."))
    other <- c(top_p = "num_terms", cutoff = "threshold")
    abort_linkrank("Unused argument `", name, "`.", if (name %in% names(other))
        paste0(" Did you mean `", other[[name]], "`?") else
            suggest_name(name, known))
}

check_step_sources <- function(constraints, sample_id, must_link, cannot_link,
                               outcome, method) {
    check_column_names(sample_id, "sample_id", 1L)
    check_column_names(must_link, "must_link")
    check_column_names(cannot_link, "cannot_link")
    check_column_names(outcome, "outcome", 1L)
    # tune::tune() is a call
    takes <- if (!is.call(method)) method_inputs(method)
    columns <- !same_column(must_link, cannot_link)
    given <- c(constraints = !is.null(constraints),
               must_link = columns && !is.null(must_link),
               cannot_link = columns && !is.null(cannot_link))
    refuse_if(!is.null(takes) && !"constraints" %in% takes && any(given),
              "`", names(which(given))[1L], "` must be left out: ",
              method_words(method), " does not use pairs.")
    if (is.null(constraints)) return(invisible())
    check_constraints(constraints)
    refuse_if(is.null(constraints$names), "`constraints` must have sample names,
              because every split has its own row numbers, but it has none.")
    refuse_if(is.null(sample_id), "`sample_id` must be the name of the column ",
              "with the sample names of `constraints`, not NULL.")
}

check_column_names <- function(columns, name, most = Inf) {
    ok <- is.null(columns) || is.character(columns) && !anyNA(columns) &&
        length(columns) >= 1L && length(columns) <= most
    refuse_if(!ok, "`", name, "` must be ",
              if (most == 1L) "the name of a column" else "names of columns",
              ", not ", describe_value(columns), ".")
}

# ---- training ----------------------------------------------------------------

#' @exportS3Method recipes::prep
prep.step_select_linkrank <- function(x, training, info = NULL, ...) {
    columns <- unname(recipes::recipes_eval_select(x$terms, training, info))
    training <- as.data.frame(training)
    x$outcome <- step_outcome(x, info)
    if (!is.null(x$num_terms)) check_count(x$num_terms, "num_terms")
    if (!is.null(x$prop)) check_number(x$prop, "prop", 0, 1)
    weights <- info$variable[info$role %in% "case_weights"]
    refuse_if(length(weights), "The recipe must have no case weights, but column
              {quote_values(weights)} has: no ranking method uses them.")
    named <- unique(c(x$sample_id, x$must_link, x$cannot_link, x$outcome))
    lacking <- setdiff(named, names(training))
    refuse_if(length(lacking), "The training set must have the column ",
              quote_values(lacking[1L]), ", which the step names, but it has ",
              quote_values(names(training)), ".")
    refuse_if(!length(columns), "The selectors of step_select_linkrank() must ",
              "select features to rank, but they select none.")
    both <- intersect(named, columns)
    refuse_if(length(both), "Column {quote_values(both[1L])} must not be ranked,
              because it is the outcome, defines pairs or names samples: remove
              it from the selectors or set its role to \"id\".")
    # one row of each sample, because rows of one sample are not neighbours
    id <- if (!is.null(x$sample_id))
        blank_as_missing(training[[x$sample_id]], "sample_id")
    rows <- if (is.null(id)) training else
        training[is.na(id) | !duplicated(id), , drop = FALSE]
    known <- known_of_step(x, rows)
    given <- do.call(known_parts, c(list(rows[columns], method = x$method),
                                    known))
    x$method <- default_method(x$method, given)
    x$options <- mean_for_missing(x$options, x$method)
    ranking <- as_ranker(x$method, names(given), x$options)(given)
    if (x$diversify)
        ranking <- diversify_ranking(ranking, rows[columns], na.action = "mean")
    x$ranking <- as.data.frame(ranking)
    x$ranking$score <- ordering_scores(ranking)
    kept <- top_features(ranking, x$num_terms %||% Inf, prop = x$prop,
                         threshold = x$threshold)
    refuse_if(!length(kept),
              if (is.null(x$threshold)) "`prop`" else "`threshold`", " must ",
              "keep at least one feature, but the best score is ",
              format(x$ranking$score[1L], digits = 4L), ".")
    x$removals <- setdiff(columns, kept)
    x$trained <- TRUE
    x
}

# Does the step rank by `y`? A method that takes either prefers pairs; a
# function gets both.
ranks_by_outcome <- function(x) {
    takes <- method_inputs(x$method)
    "y" %in% takes &&
        (is.function(x$method) || !has_pairs(x) || !"constraints" %in% takes)
}

has_pairs <- function(x) {
    !is.null(x$constraints) || !is.null(x$must_link) || !is.null(x$cannot_link)
}

# The same column for both says that it holds the classes.
same_column <- function(must_link, cannot_link) {
    length(must_link) == 1L && identical(must_link, cannot_link)
}

# The name of the column that is `y`, or holds the classes of a method that
# needs pairs and has no others.
step_outcome <- function(x, info) {
    by_classes <- !ranks_by_outcome(x)
    if (!is.null(x$outcome) || by_classes && has_pairs(x)) return(x$outcome)
    if (same_column(x$must_link, x$cannot_link)) return(x$must_link)
    needs <- method_needs(x$method)
    there <- info$variable[info$role %in% "outcome"]
    if (length(there) == 1L || !length(needs)) {
        takes <- length(method_inputs(x$method)) > 0L
        return(if (takes && length(there) == 1L) there)
    }
    has <- paste("the recipe has", if (length(there))
        paste("the outcomes", quote_values(there)) else "no outcome")
    refuse_if("y" %in% needs, "`outcome` must name a column, because ",
              method_words(x$method), " needs `y` and ", has, ".")
    abort_linkrank("`constraints`, or columns as `must_link` and ",
                   "`cannot_link`, must be given, because ",
                   method_words(x$method), " ranks by pairs and ", has, ".")
}

# The inputs of the method: a list of `constraints`, `y`, both or none.
known_of_step <- function(x, rows) {
    by_outcome <- ranks_by_outcome(x) && !is.null(x$outcome)
    by_pairs <- "constraints" %in% method_inputs(x$method) &&
        (has_pairs(x) || !by_outcome && !is.null(x$outcome))
    c(if (by_outcome) list(y = rows[[x$outcome]]),
      if (by_pairs) list(constraints = step_constraints(x, rows)))
}

step_constraints <- function(x, rows) {
    parts <- list()
    if (!is.null(x$constraints)) {
        known <- match(as_names(rows[[x$sample_id]]), x$constraints$names)
        parts$given <- follow_samples(x$constraints, known, NULL)$constraints
    }
    if (length(c(x$must_link, x$cannot_link))) {
        parts$columns <- column_constraints(x, rows)
    } else if (is.null(x$constraints)) {
        refuse_if(holds_numbers(rows[[x$outcome]]), "`outcome` must be a column
                  of classes for {method_words(x$method)}, which ranks by pairs,
                  but column {quote_values(x$outcome)} contains numbers.")
        parts$classes <- constraints_from_labels(rows[[x$outcome]])
    }
    links <- do.call(c, unname(parts))
    given <- x$constraints
    refuse_if(
        count_pairs(links)[["cannot_link"]] == 0, if (is.null(given))
            "The columns have no cannot-link" else
                paste0("`constraints` has ", count_noun(
                    count_pairs(given)[["cannot_link"]], "cannot-link"),
                    ", but none"),
        " between two of the ", count_noun(nrow(rows), "sample"),
        " of this training set: give more pairs, or make larger training sets.",
        class = "constraints"
    )
    links
}

column_constraints <- function(x, rows) {
    row.names(rows) <- NULL
    # one of each is checked for agreement
    sets <- if (max(lengths(x[c("must_link", "cannot_link")])) == 1L)
        list(list(x$must_link, x$cannot_link)) else
            c(lapply(x$must_link, list, NULL),
              lapply(x$cannot_link, function(column) list(NULL, column)))
    do.call(c, lapply(sets, function(set) constraints_from_columns(
        rows, must_link = set[[1L]], cannot_link = set[[2L]])))
}

#' @exportS3Method recipes::bake
bake.step_select_linkrank <- function(object, new_data, ...) {
    new_data[setdiff(names(new_data), object$removals)]
}

#' @export
print.step_select_linkrank <- function(x, width = max(20, getOption("width") -
                                                          36), ...) {
    recipes::print_step(x$removals, x$terms, x$trained, paste(
        "Features left out by", if (is.null(x$method)) "the default method" else
            method_words(x$method), "on "), width)
    invisible(x)
}

#' @exportS3Method generics::tidy
tidy.step_select_linkrank <- function(x, ...) {
    if (!isTRUE(x$trained)) return(tibble::tibble(
        terms = recipes::sel2char(x$terms), rank = NA_integer_,
        score = NA_real_, margin = NA_real_, removed = NA, id = x$id))
    tibble::tibble(terms = x$ranking$feature, rank = x$ranking$rank,
                   score = x$ranking$score,
                   margin = x$ranking[["margin"]] %||% NA_real_,
                   removed = x$ranking$feature %in% x$removals, id = x$id)
}

#' @exportS3Method generics::tunable
tunable.step_select_linkrank <- function(x, ...) {
    tibble::tibble(
        name = c("num_terms", "prop"),
        call_info = list(list(pkg = "dials", fun = "num_terms",
                              range = c(1L, x$most)),
                         list(pkg = "dials", fun = "predictor_prop",
                              range = c(0.05, 1))),
        source = "recipe", component = "step_select_linkrank",
        component_id = x$id
    )
}

#' @exportS3Method generics::required_pkgs
required_pkgs.step_select_linkrank <- function(x, ...) "linkrank"

# ==== mlr3 ====================================================================

# The filter of package mlr3filters: mlr3filters::flt("linkrank"). The class is
# made when mlr3filters is loaded.

# what R6 gives to methods
utils::globalVariables(c("self", "super"))

#' Filter of mlr3 by any ranking method
#'
#' @description
#' `flt("linkrank")` of package mlr3filters ranks the features of a task by any
#' method of this package. Use it to select features in an mlr3 pipeline. It
#' exists as soon as both packages are loaded.
#'
#' ```r
#' filter <- mlr3filters::flt("linkrank", method = "relieff", k = 5)
#' filter$calculate(mlr3::tsk("iris"))
#' head(data.table::as.data.table(filter), 3)      # feature and score
#' ```
#'
#' @details
#' Parameters: `method`, a name of [ranking_methods()], left out for the default
#' of [rank_features()]; `constraints`, pairs of the rows of the task by
#' [pairwise_constraints()]; arguments of the methods that are numbers or words,
#' such as `k`, `t`, `scale`, `own_term`, with their ranges, to set or to tune
#' (`k = paradox::to_tune(3, 20)`); `options`, a list of all others. What the
#' method does not use is refused.
#'
#' Scores are the column that orders the ranking, its negative where lower is
#' better (`NA` beyond `top` of [glean()]), and the negative ranks of [fcrsc()]
#' and [select_subset()]. Equal scores
#' come in random order, as \pkg{mlr3filters} draws it.
#'
#' Pairs are restricted to the rows of the task. A method that needs pairs and
#' gets none takes all pairs of the target's classes. Rows that a bootstrap
#' repeats count once. Missing cells are means, unless `options` have
#' `na.action`.
#'
#' @seealso [step_select_linkrank()] for recipes
#' @name mlr_filters_linkrank
#' @aliases NULL mlr_filters_linkrank
#' @usage NULL
mlr3_filter <- function() {
    R6::R6Class(
        "FilterLinkrank", inherit = mlr3filters::Filter,
        public = list(initialize = function() {
            super$initialize(
                id = "linkrank", task_types = NA_character_,
                param_set = do.call(paradox::ps, filter_parameters()),
                packages = "linkrank", feature_types = c(
                    "integer", "numeric", "factor", "ordered", "logical"),
                label = "Ranking from pairs, labels, numbers or nothing",
                man = "linkrank::mlr_filters_linkrank"
            )
        }),
        private = list(
            .calculate = function(task, nfeat) {
                ranking <- rank_task(task, self$param_set$values)
                info <- attr(ranking, "info")
                sign <- if (info$direction == "lower") -1 else 1
                score <- sign * ranking[[info$key]]
                # of fcrsc() one feature of each cluster comes first
                if (is.unsorted(-score, na.rm = TRUE)) score <- -ranking$rank
                stats::setNames(score, ranking$feature)
            },
            .get_properties = function() "missings"
        )
    )
}

# Arguments of methods that are numbers or words have their ranges, so that they
# can be tuned; all others are in `options`.
filter_parameters <- function() {
    takes <- unlist(lapply(ranking_methods()$method, method_arguments))
    rules <- package_table("arguments.csv")
    rules <- rules[rules$argument %in% takes, ]
    c(list(method = paradox::p_fct(ranking_methods()$method),
           constraints = paradox::p_uty(), options = paradox::p_uty(),
           scale = paradox::p_fct(feature_scales)),
      Map(function(name, kind, low, high, words) switch(
          kind, count = paradox::p_int(low, high), choice = paradox::p_fct(
              strsplit(words, " ")[[1L]]), paradox::p_dbl(low, high)),
          rules$argument, rules$kind, as.numeric(rules$lower),
          as.numeric(rules$upper), rules$choices))
}

# Ranks by the pairs among the rows of the task, or by its target; all pairs of
# its classes for a method that needs pairs. Rows that a bootstrap repeats count
# once, because they would be their own neighbours.
rank_task <- function(task, settings) {
    rows <- unique(task$row_ids)
    x <- as.data.frame(task$data(rows, task$feature_names))
    takes <- method_inputs(settings$method)
    y <- if (length(task$target_names)) task$truth(rows)
    links <- if (!is.null(settings$constraints)) suppressMessages(
        restrict_constraints(settings$constraints, rows))
    if (is.null(links) && !"y" %in% takes && !is.null(y))
        links <- constraints_from_labels(y)
    given <- known_parts(x, if ("constraints" %in% takes) links,
                         if ("y" %in% takes && is.null(links)) y,
                         method = settings$method)
    method <- default_method(settings$method, given)
    options <- c(settings$options, settings[!names(settings) %in% c(
        "method", "constraints", "options")])
    as_ranker(method, names(given), mean_for_missing(options, method))(given)
}

register_mlr3_filter <- function(...) {
    mlr3filters::mlr_filters$add("linkrank", mlr3_filter())
}
