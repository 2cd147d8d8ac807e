# The class of rankings: how one is made, and its columns.

# The ranking: a data.frame, best feature first, with columns rank, feature,
# score and the method's own. Its attribute `info` holds the settings:
#
#   method, label, direction     row of the registry ("relieff_sc",
#                                "ReliefF-Sc", "higher")
#   key                          the column that orders it
#   parameters                   named list of the arguments
#   samples, features            counts
#   names                        feature names in column order
#   cannot_links, must_links     counts of constraints, or NULL
#   note                         further text of the header line, or NULL
#   no_direction                 why there is no column `highest`, or NULL
#   order                        text about the order in the header, or ""
#   constraints                  how they came about, for a methods section
#   class                        a class before feature_ranking, or NULL
#   ...                          further results of a method, such as the
#                                course of its iterations

# `table`: the method's columns, a list or data.frame, features in column order.
# `key`: the column that orders the ranking, and optionally a column that orders
# its ties, largest first; otherwise ties keep column order. NA is last.
# `where`: the neighbour_space, whose label is shown, or NULL. `block`: code per
# sample, or NULL. `...`: more fields of `info`: `label`, `direction`, `order`
# when they differ from the method's row; `class`, for methods such as plot();
# results besides the table.
new_feature_ranking <- function(table, data, method, key, parameters,
                                constraints = NULL, note = NULL, where = NULL,
                                block = where$block,
                                pairs = if (!is.null(constraints))
                                    pairs_of(constraints, block), ...) {
    row <- registry_row(method)[c("label", "direction", "order")]
    own <- list(...)
    own <- own[!vapply(own, is.null, NA)]
    others <- names(own) %in% names(row)
    row[names(own)[others]] <- own[others]
    if (is.na(row$order)) row$order <- ""
    parameters$assay.type <- data$settings$assay.type
    if (!is.null(where$label) && length(dim(parameters$space)))
        parameters$space <- where$label
    note <- c(note, if (!is.null(where$label))
        paste("neighbours in", where$label), if (!is.null(block))
            paste("within", count_noun(max(data$block_of, 0L, na.rm = TRUE),
                                       "block")))
    direction <- answer_direction(data, constraints, block, pairs)
    table <- c(table, direction$columns)
    # a stable sort by the key, NA last; ties by the second key
    ties <- lapply(unname(table[key[-1L]]), `-`)
    key <- key[1L]
    better <- if (row$direction == "higher") -table[[key]] else table[[key]]
    place <- do.call(order, c(list(better), ties))
    # data.frame() and list2DF() check the columns, which takes longer than
    # ranking a small table
    ranking <- c(list(rank = seq_along(place), feature = data$features[place]),
                 lapply(table, function(column) column[place]))
    attr(ranking, "row.names") <- .set_row_names(length(place))
    stopifnot(is.numeric(ranking$score), key %in% names(ranking))
    info <- list(method = method, label = row$label,
                 direction = row$direction, key = key,
                 parameters = parameters, samples = data$n,
                 features = data$p, names = data$features,
                 cannot_links = pairs$count,
                 must_links = pairs$kinds[["must_link"]], note = note,
                 order = row$order, no_direction = direction$missing,
                 made_by = this_version(),
                 constraints = if (any(pairs$touched > 0)) constraint_methods(
                     constraints, pairs$kinds, pairs$touched, direction$groups))
    restore_ranking(ranking, c(info, own[!others]))
}

restore_ranking <- function(table, info) {
    attr(table, "info") <- info
    class(table) <- c(info$class, "feature_ranking", "data.frame")
    table
}

# What `[`, an assignment or a verb of dplyr made of `ranking`: a ranking while
# its rows are in order of rank, with the ranks, scores and keys of the method;
# else a plain data.frame.
still_ranking <- function(table, ranking) {
    info <- attr(ranking, "info")
    attr(table, "info") <- NULL
    class(table) <- "data.frame"
    required <- unique(c("rank", "feature", "score", info$key))
    if (!all(required %in% names(table)) || !in_rank_order(table)) return(table)
    at <- match(table$feature, ranking$feature)
    same <- vapply(required, function(name) {
        identical(table[[name]], .subset2(ranking, name)[at])
    }, NA)
    if (all(same)) restore_ranking(table, info) else table
}

in_rank_order <- function(table) {
    !anyNA(table$rank) && !is.unsorted(table$rank, strictly = TRUE)
}

# The rows of a ranking's table in another order, with new ranks.
reorder_ranking <- function(table, place, info) {
    table$rank <- NULL
    restore_ranking(data.frame(rank = seq_along(place),
                               table[place, , drop = FALSE],
                               row.names = NULL, check.names = FALSE), info)
}

# Description of `ranking`, for the message when it is missing.
ranking_words <- "a ranking, from relieff_sc() or another method"

check_ranking <- function(ranking, name = "ranking") {
    check_given(ranking, ranking_words)
    refuse_former_ranking(ranking, name)
    refuse_class_if(!inherits(ranking, "feature_ranking"), ranking,
                    "`", name, "` must be a feature_ranking, as ",
                    "relieff_sc() and the other methods return")
    check_undamaged(ranking_problem(ranking), name, "its method")
    ranking
}

# A ranking that base R or dplyr has sorted, bound or edited.
is_former_ranking <- function(x) {
    is.data.frame(x) && !inherits(x, "feature_ranking") &&
        all(c("rank", "feature", "score") %in% names(x))
}

refuse_former_ranking <- function(x, name) {
    refuse_if(is_former_ranking(x), "`", name, "` must be a feature_ranking, ",
              "not a data.frame, which sorting, binding or editing makes of ",
              "it: give the ranking itself, or as_feature_ranking(scores).")
}

ranking_problem <- function(ranking) {
    info <- attr(ranking, "info")
    if (!is.data.frame(ranking) || !is.list(info) ||
        !all(c("rank", "feature", "score", info$key) %in% names(ranking))) {
        return("it lacks columns or the settings of the method")
    }
    if (is.null(info$made_by)) return(version_problem(info$made_by))
    if (!all(vapply(unclass(ranking), NROW, 0L) == nrow(ranking)))
        return("its columns differ in length")
    if (!all(ranking$feature %in% info$names))
        return("it contains a feature that was not ranked")
    if (!is.numeric(ranking$score) || !is.numeric(ranking$rank))
        return("its scores or ranks are not numbers")
    if (!in_rank_order(ranking) || anyDuplicated(ranking$feature))
        "its rows are not in order of rank, each feature once"
}

# ==== rankings from scores of another source ==================================

#' Make a ranking from other scores
#'
#' Converts scores of features from any source (a table of limma, the importance
#' of a random forest) into a `feature_ranking`.
#'
#' @param scores A numeric vector named by feature; or a data.frame with columns
#'   `feature` and `score` (without `feature`: its row names); or a numeric
#'   matrix of one column with row names. `NA` for a feature without a score.
#' @param direction Is a `"higher"` or a `"lower"` score better? By default that
#'   of `scores` where it is a ranking, or which its column `rank` follows, else
#'   `"higher"`.
#' @param method Name of the method, for printed output.
#' @param samples Number of samples from which the scores were computed; `NULL`
#'   when unknown.
#'
#' @return A [`feature_ranking`][feature_ranking] with the columns `rank`,
#'   `feature`, `score` and the other columns of a data.frame. Its column
#'   `settings` (see [as.data.frame()][feature_ranking]) is a parameter.
#'
#' @details Equal scores keep the order in which they are given, which is taken
#'   as the column order of the data; features without a score come last.
#'
#' @section Errors: `linkrank_error_argument`: scores that are not numbers or
#'   are NaN, features without a name, or with the same name.
#'
#' @seealso [rank_features()], [evaluate_method()], which takes functions that
#'   rank
#' @examples
#' x <- log2(colon$x)
#' spread <- apply(x, 2, stats::mad)
#' genes <- as_feature_ranking(spread, method = "MAD", samples = 62)
#' genes
#' top_features(genes, 3)
#'
#' tests <- data.frame(feature = colnames(iris)[1:4],
#'                     score = c(1e-8, 0.03, 1e-12, 1e-12))
#' as_feature_ranking(tests, direction = "lower", method = "p-value")
#' @export
as_feature_ranking <- function(scores, direction = c("higher", "lower"),
                               method = "own", samples = NULL) {
    check_given(scores, "a number per feature, by name")
    if (inherits(scores, "feature_ranking")) check_ranking(scores, "scores")
    check_text(method, "method")
    if (!is.null(samples)) samples <- check_count(samples, "samples")
    table <- read_scores(scores)
    direction <- if (missing(direction)) direction_of(scores) else
        check_choice(direction, c("higher", "lower"), "direction")
    # NA is a feature without a score.
    odd <- which(is.nan(table$score))
    refuse_if(length(odd), "`scores` must be numbers, with NA for a feature ",
              "without a score, but that of ", quote_values(table$feature[odd]),
              " is NaN.")
    features <- table$feature
    refuse_if(!length(features),
              "`scores` must contain at least one feature, but it is empty.")
    empty <- which(is.na(features) | features == "")
    refuse_if(length(empty), "`scores` must name every feature, but feature ",
              empty[1L], " has no name.")
    refuse_duplicated(features, "`scores` must name each feature once")
    table$feature <- NULL
    made <- table[["settings"]]
    new_feature_ranking(
        table[names(table) != "settings"],
        list(n = samples, p = length(features), features = features), "own",
        "score", as.list(c(settings = made[nzchar(made)])), label = method,
        direction = direction)
}

# The direction where nobody says it: that of a ranking, or of the ranks in a
# table of one.
direction_of <- function(scores) {
    rank <- if (is.data.frame(scores)) scores[["rank"]]
    ranked <- if (is.numeric(rank)) scores[["score"]][order(rank)]
    ranked <- ranked[!is.na(ranked)]
    inform_if(is.unsorted(ranked) && is.unsorted(rev(ranked)), "The features ",
              "are ranked by `score`, which their column `rank` does not ",
              "follow.", class = "scores")
    rises <- length(unique(ranked)) > 1L &&
        stats::cor(seq_along(ranked), rank(ranked)) > 0
    attr(scores, "info")$direction %||% if (rises) "lower" else "higher"
}

# A data.frame with columns feature, score and others, in the order given.
read_scores <- function(scores) {
    if (is.matrix(scores) && ncol(scores) == 1L)
        scores <- stats::setNames(as.vector(scores), rownames(scores))
    if (is.data.frame(scores)) return(read_score_table(as.data.frame(scores)))
    refuse_class_if(!is.numeric(scores) || !is.null(dim(scores)), scores,
                    "`scores` must be a named numeric vector or a ",
                    "data.frame with columns `feature` and `score`")
    refuse_if(is.null(names(scores)),
              "`scores` must be named by feature, but it has no names.")
    data.frame(feature = names(scores), score = as.numeric(scores))
}

read_score_table <- function(table) {
    score <- table[["score"]]
    refuse_if(!is.numeric(score), "`scores` must have a numeric column ",
              "`score`, but ", if (is.null(score)) "it has none" else
                  paste("that is", describe_class(score)), ".")
    if (is.null(table[["feature"]])) {
        table$feature <- own_row_names(table)
        refuse_if(is.null(table$feature), "`scores` must have a column ",
                  "`feature` or row names, but it has neither.")
    }
    rest <- setdiff(names(table), c("rank", "feature", "score"))
    data.frame(feature = as_names(table$feature), table["score"],
               table[rest], row.names = NULL, check.names = FALSE)
}
