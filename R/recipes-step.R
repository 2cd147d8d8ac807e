# A step of package recipes: rank by pairs and keep the best, in resampling.
# recipes and rlang are only suggested; the methods are registered when recipes
# is loaded.

#' Recipe step for feature selection
#'
#' Ranks features from must-link and cannot-link pairs and keeps the best
#' `num_terms` of them, as a step of a \pkg{recipes} recipe. In resampling
#' (\pkg{rsample}, \pkg{tune}) it ranks again in every training set and uses no
#' other data. `vignette("tidymodels")` shows a whole analysis.
#'
#' @param recipe A recipe.
#' @param ... Selectors of the features to rank, such as
#'   `recipes::all_predictors()`; see [recipes::selections]. Numeric, logical
#'   and factor columns; columns that are not selected are not changed.
#' @param constraints Constraints with sample names, such as from
#'   [pairwise_constraints()] or [active_constraints()]; or `NULL`. Row numbers
#'   are not possible, because every split has its own row numbers.
#' @param sample_id Name of the column that names the samples as `constraints`
#'   does. Without it every row counts as a sample of its own.
#' @param must_link,cannot_link Names of columns: samples with the same value of
#'   a `must_link` column (patient, clone) are must-linked, samples with
#'   different values of a `cannot_link` column (known type) are cannot-linked;
#'   `NA` means unknown; see [constraints_from_columns()]. Pairs of columns and
#'   of `constraints` are combined. For methods that need `y`, name the outcome
#'   in both `must_link` and `cannot_link`.
#' @param num_terms How many features to keep, at least 1, or `tune::tune()`;
#'   all if there are fewer.
#' @param method,options Name of a method, see [ranking_methods()], and a list
#'   of its arguments.
#' @param role,trained,removals,ranking,skip,id As in other steps; `prep()`
#'   stores the names of the columns to remove in `removals` and the table of
#'   the ranking in `ranking`.
#'
#' @return The recipe with the step added. `tidy()` of the step is a tibble with
#'   columns `terms` (features, best first), `rank`, `score`, `margin` (`NA` for
#'   methods without margins), `removed` and `id`; before training `terms` holds
#'   the selectors. `tunable()` offers `num_terms` from 1 to 100.
#'
#' @details `prep()` uses no information from the samples left out:
#' * Pairs are restricted to the samples of the training set as by
#'   [restrict_constraints()]: a pair with a sample that was left out counts
#'   only as far as it implies a pair of training samples.
#' * Samples that are not in `constraints` are in no pair, and serve as
#'   neighbours.
#' * A sample that is repeated, as in a bootstrap, counts once (its first row),
#'   because it would be its own nearest neighbour. Repeated rows cannot be
#'   recognised without `sample_id`, so give it.
#' * Values are scaled by ranges or deviations of the training set.
#' * The names of columns and the ranking are stored, but no values.
#'
#' Cost: that of the method, once for every training set. Tuning `num_terms`
#' ranks again for each of its values.
#'
#' A step cannot prevent two kinds of leakage. Pairs that [active_constraints()]
#' selected on all rows depend on the values of the samples left out (not on
#' their labels); strictly, ask inside each split. Must-linked samples on both
#' sides of a split make the accuracy too optimistic;
#' `rsample::group_vfold_cv()` keeps them together.
#'
#' `predict()` and `bake()` require every column of the recipe, including
#' `sample_id`, unless `recipes::update_role_requirements()` removes this
#' requirement, as in the example.
#'
#' @section Errors: `linkrank_error_argument`: no source of pairs; `constraints`
#'   without names or without `sample_id`; a column that does not exist, or that
#'   is both ranked and a source of pairs; no feature selected; `num_terms` or
#'   `method` out of range. `linkrank_error_constraints`: no cannot-link between
#'   two samples of the training set. `linkrank_error_package` without
#'   \pkg{recipes}. Errors of the method.
#'
#' @seealso [rank_features()], [evaluate_method()], which resamples without
#'   further packages.
#' @examples
#' if (requireNamespace("recipes", quietly = TRUE)) {
#'     samples <- data.frame(sample = rownames(colon$x), tissue = colon$tissue,
#'                           log2(colon$x[, 1:50]))
#'     links <- pairwise_constraints(
#'         cannot_link = cbind(paste0("T", 1:6), paste0("N", 1:6)),
#'         samples = samples$sample
#'     )
#'     rec <- recipes::recipe(tissue ~ ., data = samples) |>
#'         recipes::update_role(sample, new_role = "id") |>
#'         recipes::update_role_requirements("id", bake = FALSE) |>
#'         step_select_linkrank(recipes::all_predictors(), constraints = links,
#'                              sample_id = "sample", num_terms = 5)
#'     names(recipes::bake(recipes::prep(rec), new_data = samples))
#' }
#' @export
step_select_linkrank <- function(recipe, ..., constraints = NULL,
                                 sample_id = NULL, must_link = NULL,
                                 cannot_link = NULL, num_terms = 20L,
                                 method = "relieff_sc", options = list(),
                                 role = NA, trained = FALSE, removals = NULL,
                                 ranking = NULL, skip = FALSE,
                                 id = recipes::rand_id("select_linkrank")) {
    check_given(recipe, "the result of recipes::recipe()")
    if (!requireNamespace("recipes", quietly = TRUE)) {
        abort_linkrank("step_select_linkrank() needs the package \"recipes\", ",
                       "which is not installed.", class = "package")
    }
    check_pair_source(constraints, sample_id, must_link, cannot_link)
    recipes::add_step(recipe, new_step_select_linkrank(
        terms = rlang::enquos(...), constraints = constraints,
        sample_id = sample_id, must_link = must_link,
        cannot_link = cannot_link, num_terms = num_terms, method = method,
        options = options, role = role, trained = trained,
        removals = removals, ranking = ranking, skip = skip, id = id
    ))
}

new_step_select_linkrank <- function(...) {
    recipes::step(subclass = "select_linkrank", ...)
}

check_pair_source <- function(constraints, sample_id, must_link, cannot_link) {
    check_column_names(sample_id, "sample_id", 1L)
    check_column_names(must_link, "must_link")
    check_column_names(cannot_link, "cannot_link")
    if (is.null(constraints)) {
        if (length(must_link) + length(cannot_link) == 0L) {
            abort_linkrank("`constraints`, or columns as `must_link` and ",
                           "`cannot_link`, must be given.", class = "argument")
        }
        return(invisible())
    }
    check_constraints(constraints)
    if (is.null(constraints$names)) {
        abort_linkrank("`constraints` must have sample names, because every ",
                       "split has its own row numbers, but it has none.",
                       class = "argument")
    }
    if (is.null(sample_id)) {
        abort_linkrank("`sample_id` must be the name of the column with the ",
                       "sample names of `constraints`, not NULL.",
                       class = "argument")
    }
}

check_column_names <- function(columns, name, most = Inf) {
    ok <- is.null(columns) || is.character(columns) && !anyNA(columns) &&
        length(columns) >= 1L && length(columns) <= most
    if (!ok) {
        abort_linkrank("`", name, "` must be ",
                       if (most == 1L) "the name of a column" else
                           "names of columns",
                       ", not ", describe_value(columns), ".",
                       class = "argument")
    }
}

#' @exportS3Method recipes::prep
prep.step_select_linkrank <- function(x, training, info = NULL, ...) {
    columns <- unname(recipes::recipes_eval_select(x$terms, training, info))
    training <- as.data.frame(training)
    check_step(x, columns, names(training))
    rows <- training[sample_rows(training, x$sample_id), , drop = FALSE]
    given <- c(list(rows[columns]), known_of_step(x, rows))
    ranking <- do.call(rank_features,
                       c(given, method = x$method, x$options), quote = TRUE)
    x$ranking <- as.data.frame(ranking)
    x$removals <- setdiff(columns, top_features(ranking, x$num_terms))
    x$trained <- TRUE
    x
}

check_step <- function(x, columns, present) {
    check_method(x$method)
    check_count(x$num_terms, "num_terms")
    pairing <- unique(c(x$sample_id, x$must_link, x$cannot_link))
    lacking <- setdiff(pairing, present)
    if (length(lacking)) {
        abort_linkrank("The training set must have the column ",
                       quote_values(lacking[1L]), ", which the step names, ",
                       "but it has ", quote_values(present), ".",
                       class = "argument")
    }
    if (!length(columns)) {
        abort_linkrank("The selectors of step_select_linkrank() must select ",
                       "features to rank, but they select none.",
                       class = "argument")
    }
    both <- intersect(pairing, columns)
    if (length(both)) {
        abort_linkrank("Column ", quote_values(both[1L]), " must not be ",
                       "ranked, because it defines pairs or sample names: ",
                       "leave it out of the selectors, or give it the role ",
                       "\"id\" by recipes::update_role().", class = "argument")
    }
}

# The first row of each sample, because rows of one sample are not neighbours.
sample_rows <- function(training, sample_id) {
    if (is.null(sample_id)) {
        return(seq_len(nrow(training)))
    }
    id <- training[[sample_id]]
    which(is.na(id) | !duplicated(id))
}

# The inputs of the method: a list of `constraints` or `y`, or an empty list.
known_of_step <- function(x, rows) {
    needs <- method_needs(x$method)
    if ("constraints" %in% needs) {
        list(constraints = step_constraints(x, rows))
    } else if ("y" %in% needs) {
        list(y = rows[[step_labels(x)]])
    }
}

step_labels <- function(x) {
    one <- length(x$must_link) == 1L && identical(x$must_link, x$cannot_link)
    if (!one) {
        abort_linkrank("`must_link` and `cannot_link` must both name the same ",
                       "column, which method \"", x$method, "\" needs as `y`, ",
                       "such as the outcome.", class = "argument")
    }
    x$must_link
}

step_constraints <- function(x, rows) {
    parts <- list()
    if (!is.null(x$constraints)) {
        known <- match(as.character(rows[[x$sample_id]]), x$constraints$names)
        parts$given <- follow_samples(x$constraints, known, NULL)$constraints
    }
    if (length(c(x$must_link, x$cannot_link))) {
        parts$columns <- column_constraints(x, rows)
    }
    links <- do.call(c, unname(parts))
    if (count_pairs(links)[["cannot_link"]] == 0) {
        abort_no_cannot_link(x, nrow(rows))
    }
    links
}

column_constraints <- function(x, rows) {
    row.names(rows) <- NULL
    must <- x$must_link
    cannot <- x$cannot_link
    if (length(must) <= 1L && length(cannot) <= 1L) {
        return(constraints_from_columns(rows, must, cannot))
    }
    do.call(c, c(
        lapply(must, function(column) {
            constraints_from_columns(rows, must_link = column)
        }),
        lapply(cannot, function(column) {
            constraints_from_columns(rows, cannot_link = column)
        })
    ))
}

abort_no_cannot_link <- function(x, samples) {
    had <- if (!is.null(x$constraints)) {
        count_pairs(x$constraints)[["cannot_link"]]
    }
    abort_linkrank(if (is.null(had)) "The columns have no cannot-link" else
                       paste0("`constraints` has ",
                              count_noun(had, "cannot-link"), ", but none"),
                   " between two of the ", count_noun(samples, "sample"),
                   " of this training set: give more pairs, or make larger ",
                   "training sets.", class = "constraints")
}

#' @exportS3Method recipes::bake
bake.step_select_linkrank <- function(object, new_data, ...) {
    new_data[setdiff(names(new_data), object$removals)]
}

#' @export
print.step_select_linkrank <- function(x, width = max(20, getOption("width") -
                                                          36), ...) {
    recipes::print_step(x$removals, x$terms, x$trained,
                        paste0("Features left out by ", x$method, "() on "),
                        width)
    invisible(x)
}

#' @exportS3Method generics::tidy
tidy.step_select_linkrank <- function(x, ...) {
    if (!isTRUE(x$trained)) {
        terms <- recipes::sel2char(x$terms)
        return(tibble::tibble(terms = terms, rank = NA_integer_,
                              score = NA_real_, margin = NA_real_,
                              removed = NA, id = x$id))
    }
    table <- x$ranking
    margin <- if (is.null(table$margin)) NA_real_ else table$margin
    tibble::tibble(terms = table$feature, rank = table$rank,
                   score = table$score, margin = margin,
                   removed = table$feature %in% x$removals, id = x$id)
}

#' @exportS3Method generics::tunable
tunable.step_select_linkrank <- function(x, ...) {
    tibble::tibble(
        name = "num_terms",
        call_info = list(list(pkg = "dials", fun = "num_terms",
                              range = c(1L, 100L))),
        source = "recipe", component = "step_select_linkrank",
        component_id = x$id
    )
}

#' @exportS3Method generics::required_pkgs
required_pkgs.step_select_linkrank <- function(x, ...) "linkrank"
