# Any ranking method, averaged over samples of the rows and of the features, and
# averages of given rankings.

#' Ensemble ranking by bootstrap and random subspaces
#'
#' Ranks many times, each time with a bootstrap sample of the rows and a random
#' subset of the features, and averages; or averages given rankings. Averages
#' depend less on single samples and constraints. With `method =
#' "constraint_score", options = list(type = "C6")` this is the ensemble
#' constrained Laplacian score (EnsCLS).
#'
#' @param x Data: see [prepare_data()]. Or a list of rankings of the same
#'   features: each a `feature_ranking`, or a numeric vector named by feature,
#'   higher is better; then only `combine` and `n` may be given.
#' @param constraints,y What the method needs: constraints, or a class or number
#'   per sample.
#' @param method Name of a method, or a function: see [rank_features()].
#' @param replicates Number of rankings to average, a whole number from 1.
#' @param features Number of features in each, from 1; `NULL` for the square
#'   root of their number p, but at least p (1 - (0.05 / p)^(1 / `replicates`)).
#' @param combine What is averaged: the `"rank"` within the subset, or the
#'   `"score"`: the column that orders the ranking, such as `margin`.
#' @param options Named list of arguments of the method.
#' @param n How many of the best features of each ranking count as selected, a
#'   whole number from 1; `NULL` for a quarter, rounded up.
#' @param BPPARAM Run the rankings in parallel on [workers].
#' @param ... Arguments of the method and of [prepare_data()], by name.
#'
#' @return A [`feature_ranking`][feature_ranking] with columns
#' * `score`: the mean rank (lower is better) or mean score over the rankings
#'   with the feature, `NA` if in none;
#' * `frequency`: proportion of these in which it was among the `n` best;
#' * `drawn`: in how many rankings it was.
#'
#' @details *Rows.* n of n rows are drawn with replacement, and each is used
#'   once. Constraints keep the pairs with both samples drawn. A sample that
#'   lacks what the method needs is drawn again.
#'
#' *Features.* Distances and graphs use the subset only. With `"rank"` a feature
#' without a score is last; with `"score"` missing scores are left out. Equal
#' averages keep column order.
#'
#' *Given rankings* count equally. A mean `"score"` needs the same direction,
#' and means something only with the same unit; the mean rank needs neither.
#'
#' *Random numbers* are those of [workers]. A warning
#' `linkrank_warning_ensemble` counts features that were never drawn: use more
#' `replicates` or `features`.
#'
#' *Cost.* `replicates` times that of the method on 63 % of the rows and
#' `features` features.
#'
#' @section Errors: `linkrank_error_argument` (also given rankings of different
#'   features); `linkrank_error_constraints` when 1000 consecutive bootstrap
#'   samples lose all constraints of a kind; those of the method.
#'
#' @references Benabdeslem, K., Elghazel, H. and Hindawi, M. (2016). *Knowledge
#'   and Information Systems*, 49, 1161-1185. \doi{10.1007/s10115-015-0901-0}
#'
#' @seealso [constraint_score()], [rank_features()]
#' @examples
#' x <- log2(colon$x)
#' set.seed(1)
#' links <- constraints_from_labels(colon$tissue, cannot_link = 10,
#'                                  must_link = 10)
#' ensemble_ranking(x, links, method = "constraint_score",
#'                  replicates = 20, features = 500,
#'                  options = list(type = "C6", t = 50))
#'
#' # the mean rank of two methods and of scores from elsewhere
#' ensemble_ranking(list(relieff_sc(x, links), glean(x, links),
#'                       apply(x, 2, stats::mad)))
#' @export
ensemble_ranking <- function(
    x, constraints = NULL, y = NULL, ..., method = NULL,
    replicates = 50, features = NULL, combine = c("rank", "score"),
    options = list(), n = NULL, BPPARAM = NULL) {
    combine <- check_choice(combine)
    check_given(x, data_words)
    if (is_ranking_list(x)) {
        extra <- setdiff(names(match.call())[-1L],
                         c("x", "combine", "n", "progress"))
        refuse_if(length(extra), "`", extra[1L], "` must be left out when ",
                  "`x` is a list of rankings, which are only averaged.")
        return(average_rankings(x, combine, n))
    }
    moved <- move_to_data(x, c(as.list(options), list(...)))
    options <- moved$options
    given <- known_parts(moved$x, constraints, y, method)
    method <- check_method(default_method(method, given))
    refuse_if(!is.function(method) && registry_row(method)$ensemble != "yes",
              "`method` must be one that can be averaged, not \"{method}\".")
    whole <- values_with_data(given, options, method)
    replicates <- check_count(replicates, "replicates", 1, 1e6)
    data <- prepare_data(whole$x, assay.type = whole$options$assay.type)
    given$x <- without_unfit(whole$x, data)
    features <- check_count(features %||% covering_size(data$p, replicates),
                            "features", 1, data$p)
    n <- check_count(n %||% ceiling(features / 4), "n", 1, features)
    given <- match_known(given, data)
    workers <- check_workers(BPPARAM)
    # drawn in the calling process
    plan <- lapply(seq_len(replicates), function(b) {
        rows <- draw_rows(data$n, given, whole$block)
        list(rows = rows, features = sort(sample.int(data$p, features)))
    })
    # the warning about unlogged values was given when the data were read
    tables <- warn_once(
        spread(plan, rank_replicate,
               list(given = given, method = method, options = whole$options),
               workers, c("Ensemble", "rankings"), whole$progress),
        "linkrank_warning_unlogged")
    combine_replicates(tables, data, given$constraints, list(
        method = method, replicates = replicates, features = features,
        combine = combine, n = n, options = options
    ))
}

match_known <- function(known, data) {
    if (!is.null(known$constraints)) {
        check_constraints(known$constraints)
        known$constraints <- match_constraints(known$constraints, data)
        # by number from here on, because parts of a data.frame have no row
        # names
        known$constraints["names"] <- list(NULL)
    }
    if (!is.null(known$y)) match_response(known$y, data)
    known
}

# Rows of a bootstrap sample, each once, that are sufficient for the method.
draw_rows <- function(n, known, block = NULL) {
    for (try in seq_len(1000L)) {
        rows <- sort(unique(sample.int(n, n, replace = TRUE)))
        if (length(rows) >= 3L && is_usable(rows, known, block[rows]))
            return(rows)
    }
    abort_linkrank("Each of 1000 bootstrap samples lost all constraints of a ",
                   "kind, or all known values of a class: give more of them.",
                   class = "constraints")
}

is_usable <- function(rows, known, block = NULL) {
    pairs <- known$constraints
    if (!is.null(pairs) &&
        !keeps_kinds(constraints_of(pairs, rows), pairs, block)) {
        return(FALSE)
    }
    if (is.null(known$y)) return(TRUE)
    length(unique(known$y[rows][!is.na(known$y[rows])])) >=
        min(2L, length(unique(known$y[!is.na(known$y)])))
}

# ---- ranking a replicate ----------------------------------------------------

# list(feature, rank, score): the features by number in the whole data.
# `shared`: list(given, method, options).
rank_replicate <- function(replicate, shared) {
    given <- shared$given
    given$x <- take_cells(given$x, replicate$rows, replicate$features)
    if (!is.null(given$constraints))
        given$constraints <- constraints_of(given$constraints, replicate$rows)
    given$y <- given$y[replicate$rows]
    ranking <- as_ranker(shared$method, names(given), shared$options)(given)
    info <- attr(ranking, "info")
    # a method's by position, because data without names are renumbered
    at <- if (is.function(shared$method))
        own_places(ranking$feature, given$x) else
            match(ranking$feature, info$names)
    list(feature = replicate$features[at], rank = ranking$rank,
         score = ranking[[info$key]], direction = info$direction,
         label = info$label)
}

# The smallest subsets of p features of which p (1 - size / p)^replicates, the
# mean number of features in none, is at most 0.05; at least the square root of
# p.
covering_size <- function(p, replicates) {
    max(ceiling(sqrt(p)), ceiling(p * (1 - (0.05 / p)^(1 / replicates))))
}

# The places in data of the features that a user's function ranked: all of them,
# as ranks among some cannot be averaged.
own_places <- function(features, x) {
    known <- feature_names(x)
    unknown <- setdiff(features, known)
    refuse_if(length(unknown), "The ranking function must return scores of
              features of its `x`, but `x` has no {quote_values(unknown)}.")
    lacking <- setdiff(known, features)
    refuse_if(length(lacking), "The ranking function must rank all features ",
              "of its `x`, but it left out ", quote_values(lacking), ".")
    match(features, known)
}

# ---- averages ---------------------------------------------------------------

combine_replicates <- function(tables, data, constraints, parameters) {
    table <- average_tables(tables, length(data$features), parameters)
    never <- sum(table$drawn == 0L)
    warn_if(never > 0L, "{parameters$replicates} rankings of
            {parameters$features} features left {never} of {nrow(table)} without
            a score: give more `replicates` or `features`.", class = "ensemble")
    label <- if (is.function(parameters$method)) tables[[1L]]$label else
        registry_row(parameters$method)$label
    if (is.function(parameters$method)) parameters$method <- "own"
    new_feature_ranking(
        table, data, parameters$method, "score", parameters, constraints,
        note = c(paste(parameters$replicates, "samples of",
                       parameters$features, "features"),
                 paste("mean", parameters$combine)),
        label = paste(c("Ensemble of", label, parameters$options$type),
                      collapse = " "), order = "",
        direction = if (parameters$combine == "rank") "lower" else
            tables[[1L]]$direction
    )
}

# The columns of an ensemble from lists of feature (a number), rank and score.
average_tables <- function(tables, count, parameters) {
    feature <- factor(unlist(lapply(tables, `[[`, "feature")),
                      levels = seq_len(count))
    rank <- unlist(lapply(tables, `[[`, "rank"))
    values <- if (parameters$combine == "rank") rank else
        unlist(lapply(tables, `[[`, "score"))
    sums <- function(values) {
        as.vector(tapply(values, feature, sum, default = 0))
    }
    there <- !is.na(values)
    values[!there] <- 0
    drawn <- tabulate(feature, nlevels(feature))
    data.frame(score = ratio(sums(values), sums(as.numeric(there))),
               frequency = ratio(sums(as.numeric(rank <= parameters$n)),
                                 drawn), drawn = drawn)
}

# ---- given rankings ---------------------------------------------------------

is_ranking_list <- function(x) {
    is.list(x) && !is.object(x) && length(x) > 0L &&
        all(vapply(x, function(one) {
            inherits(one, "feature_ranking") || is_named_scores(one) ||
                is_former_ranking(one)
        }, NA))
}

average_rankings <- function(rankings, combine, n) {
    rankings <- lapply(rankings, as_own_ranking, "x")
    infos <- lapply(rankings, attr, "info")
    # in the order of the data of the first
    features <- infos[[1L]]$names
    for (one in rankings) {
        lacking <- c(setdiff(features, one$feature),
                     setdiff(one$feature, features))
        refuse_if(length(lacking), "`x` must contain rankings of the same
                  features, but {quote_values(lacking[1L])} is not in all.")
    }
    directions <- unique(vapply(infos, `[[`, "", "direction"))
    refuse_if(combine == "score" && length(directions) > 1L,
              "`combine` must be \"rank\" when a high score is better in some ",
              "of the rankings and a low one in others.")
    count <- length(features)
    parameters <- list(
        replicates = length(rankings), combine = combine,
        n = check_count(n %||% ceiling(count / 4), "n", 1, count)
    )
    table <- average_tables(lapply(rankings, function(one) {
        list(feature = match(one$feature, features),
             rank = one$rank, score = one[[attr(one, "info")$key]])
    }), count, parameters)
    samples <- unique(lapply(infos, `[[`, "samples"))
    new_feature_ranking(
        table[c("score", "frequency")],
        list(n = if (length(samples) == 1L) samples[[1L]], p = count,
             features = features),
        "own", "score", parameters,
        note = paste("mean", combine), order = "",
        label = paste("Ensemble of", count_noun(length(rankings), "ranking")),
        direction = if (combine == "rank") "lower" else directions
    )
}
