# The ranking: a data.frame, best feature first, with columns rank, feature,
# score and the method's own. Its attribute `info` holds how it came about:
#
#   method, label, direction     row of the registry ("relieff_sc",
#                                "ReliefF-Sc", "higher")
#   key                          the column that orders it
#   parameters                   named list of the arguments
#   samples, features            counts
#   names                        feature names in column order
#   cannot_links, must_links     counts of constraints, or NULL
#   note                         what the header line adds, or NULL
#   order                        what the header says of the order, or ""
#   class                        a class before feature_ranking, or NULL
#   ...                          what else a method tells, such as the course of
#                                its iterations

# `table`: a data.frame of the method's columns, features in column order.
# `key`: what orders the ranking; ties keep column order, NA goes last.
# `...`: more of `info`: `label`, `direction`, `order` when they are not those of
# the method's row; `class`, for methods such as plot(); what else it tells.
new_feature_ranking <- function(table, data, method, key, parameters,
                                constraints = NULL, note = NULL, ...) {
    row <- as.list(registry_row(method)[c("label", "direction", "order")])
    own <- list(...)
    stopifnot(sum(nzchar(names(own))) == length(own))
    own <- Filter(Negate(is.null), own)
    row <- utils::modifyList(row, own[intersect(names(own), names(row))])
    row$order <- if (is.na(row$order)) "" else row$order
    better <- if (row$direction == "higher") -table[[key]] else table[[key]]
    place <- order(better, na.last = TRUE)
    ranking <- data.frame(rank = seq_along(place),
                          feature = data$features[place],
                          table[place, , drop = FALSE],
                          row.names = NULL, check.names = FALSE)
    pairs <- if (!is.null(constraints)) count_pairs(constraints)
    info <- list(method = method, label = row$label,
                 direction = row$direction, key = key,
                 parameters = parameters, samples = data$n,
                 features = data$p, names = data$features,
                 cannot_links = pairs[["cannot_link"]],
                 must_links = pairs[["must_link"]], note = note,
                 order = row$order)
    info <- c(info, own[setdiff(names(own), names(row))])
    validate_feature_ranking(restore_ranking(ranking, info))
}

restore_ranking <- function(table, info) {
    structure(table, info = info,
              class = c(info$class, "feature_ranking", "data.frame"))
}

# The rows of a ranking's table in another order, with ranks to match.
reorder_ranking <- function(table, place, info) {
    table$rank <- NULL
    restore_ranking(data.frame(rank = seq_along(place),
                               table[place, , drop = FALSE],
                               row.names = NULL, check.names = FALSE), info)
}

validate_feature_ranking <- function(ranking) {
    info <- attr(ranking, "info")
    stopifnot(
        nrow(ranking) == info$features,
        setequal(ranking$feature, info$names),
        identical(ranking$rank, seq_len(nrow(ranking))),
        is.numeric(ranking$score),
        info$key %in% names(ranking)
    )
    ranking
}

check_ranking <- function(ranking, name = "ranking") {
    if (!inherits(ranking, "feature_ranking")) {
        abort_linkrank("`", name, "` must be a feature_ranking, as ",
                       "relieff_sc() and the other methods return, not ",
                       describe_class(ranking), ".", class = "argument")
    }
    ranking
}

#' Names, scores and settings of a ranking
#'
#' @param ranking A `feature_ranking`.
#' @param n How many of the best features, in order of rank; when there are
#'   fewer, all of them.
#'
#' @return
#' * `top_features()`: names of the `n` best features, best first.
#' * `feature_scores()`: the column `score`, a vector named by feature, in the column
#'   order of the data that were ranked.
#' * `ranking_info()`: a list: `method` and `label`; `direction` (`"higher"` or
#'   `"lower"` is better); `key`, the column that orders the ranking;
#'   `parameters`, the arguments it was made with; `samples`, `features`,
#'   `cannot_links`, `must_links`, counts; `versions` of R and of the package.
#'
#' @examples
#' links <- pairwise_constraints(rbind(c(1, 2), c(5, 8)),
#'                               samples = rownames(colon$x))
#' genes <- relieff_sc(colon$x, links)
#' top_features(genes, 3)
#' head(feature_scores(genes), 3)
#' ranking_info(genes)$parameters$k
#' @name feature_ranking_access
NULL

#' @rdname feature_ranking_access
#' @export
top_features <- function(ranking, n = 10L) {
    check_ranking(ranking)
    n <- check_count_or_all(n, "n", 1)
    utils::head(ranking$feature, min(n, nrow(ranking)))
}

#' @rdname feature_ranking_access
#' @export
feature_scores <- function(ranking) {
    check_ranking(ranking)
    names <- attr(ranking, "info")$names
    at <- match(names, ranking$feature)
    there <- !is.na(at)
    stats::setNames(ranking$score[at[there]], names[there])
}

#' @rdname feature_ranking_access
#' @export
ranking_info <- function(ranking) {
    check_ranking(ranking)
    info <- attr(ranking, "info")
    info[c("names", "class", "order")] <- NULL
    c(Filter(Negate(is.null), info), list(versions = c(
        linkrank = as.character(utils::packageVersion("linkrank")),
        R = as.character(getRversion())
    )))
}

#' Keep the best features of a data set
#'
#' @param x The data that were ranked, or others with the same features: a
#'   matrix, data.frame, sparse matrix, SummarizedExperiment (and its kin) or
#'   ExpressionSet.
#' @param ranking A `feature_ranking`.
#' @param n How many features to keep, in order of rank; when there are fewer,
#'   all of them.
#'
#' @return `x` with `n` features, of the same class, best first.
#'
#' @details Features are found by name; data without feature names must have as
#'   many features as were ranked, and these are then taken by position.
#'
#' @section Errors: `linkrank_error_argument` when `x` lacks a feature, which
#'   the message names.
#'
#' @examples
#' links <- pairwise_constraints(rbind(c(1, 2), c(5, 8)),
#'                               samples = rownames(colon$x))
#' small <- keep_features(colon$x, relieff_sc(colon$x, links), 50)
#' dim(small)
#' @export
keep_features <- function(x, ranking, n = 10L) {
    UseMethod("keep_features")
}

#' @export
keep_features.default <- function(x, ranking, n = 10L) {
    if (length(dim(x)) != 2L) {
        as_feature_data.default(x)
    }
    places <- feature_places(colnames(x), ncol(x), ranking, n)
    small <- x[, places, drop = FALSE]
    if (methods::is(x, "RsparseMatrix")) {
        # package Matrix turns these into triplets
        small <- methods::as(small, "RsparseMatrix")
    }
    small
}

#' @export
keep_features.data.frame <- function(x, ranking, n = 10L) {
    places <- feature_places(names(x), length(x), ranking, n)
    if (inherits(x, "data.table")) {
        # its own `[` reads a variable in j as an expression
        return(x[, places, with = FALSE])
    }
    x[, places, drop = FALSE]
}

#' @export
keep_features.SummarizedExperiment <- function(x, ranking, n = 10L) {
    need_package("SummarizedExperiment", x)
    x[feature_places(rownames(x), nrow(x), ranking, n), ]
}

#' @export
keep_features.ExpressionSet <- function(x, ranking, n = 10L) {
    need_package("Biobase", x)
    x[feature_places(Biobase::featureNames(x), nrow(x), ranking, n), ]
}

# Where the n best features stand.
feature_places <- function(names, count, ranking, n) {
    wanted <- top_features(ranking, n)
    ranked <- attr(ranking, "info")$names
    if (is.null(names)) {
        if (count != length(ranked)) {
            abort_linkrank("`x` has no feature names and ", count,
                           " features, but ", length(ranked),
                           " were ranked.", class = "argument")
        }
        names <- ranked
    }
    match_features(wanted, names)
}

match_features <- function(wanted, names) {
    places <- match(wanted, names)
    if (anyNA(places)) {
        lacking <- wanted[is.na(places)]
        abort_linkrank("`x` lacks ", count_noun(length(lacking), "feature"),
                       " of the ranking: ", quote_values(lacking), ".",
                       class = "argument")
    }
    places
}

#' Write a ranking into a SummarizedExperiment
#'
#' Adds the scores and ranks of a ranking to `rowData()`, so that they travel
#' with the object. The order of the rows is not touched.
#'
#' @param x A SummarizedExperiment or SingleCellExperiment.
#' @param ranking A `feature_ranking` of its features.
#' @param name Start of the new column names; the method's name by default.
#'
#' @return `x` with columns `<name>_score` and `<name>_rank` in `rowData(x)`;
#'   `NA` for a feature that was not ranked. Columns of these names are
#'   replaced.
#'
#' @section Errors: `linkrank_error_argument` when `x` is of another class, or
#'   when none of its features was ranked.
#'
#' @examples
#' if (requireNamespace("SummarizedExperiment", quietly = TRUE)) {
#'     se <- SummarizedExperiment::SummarizedExperiment(
#'         list(intensity = t(colon$x)),
#'         colData = data.frame(tissue = colon$tissue)
#'     )
#'     links <- pairwise_constraints(rbind(c(1, 2), c(5, 8)),
#'                                   samples = colnames(se))
#'     se <- add_ranking(se, relieff_sc(se, links))
#'     SummarizedExperiment::rowData(se)[1:3, ]
#' }
#' @export
add_ranking <- function(x, ranking, name = NULL) {
    check_ranking(ranking)
    if (!methods::is(x, "SummarizedExperiment")) {
        abort_linkrank("`x` must be a SummarizedExperiment, not ",
                       describe_class(x), ".", class = "argument")
    }
    need_package("SummarizedExperiment", x)
    if (is.null(name)) {
        name <- attr(ranking, "info")$method
    }
    if (!is.character(name) || length(name) != 1L || is.na(name)) {
        abort_linkrank("`name` must be a single text, not ",
                       describe_value(name), ".", class = "argument")
    }
    features <- rownames(x)
    if (is.null(features)) {
        features <- paste0("V", seq_len(nrow(x)))
    }
    at <- match(features, ranking$feature)
    if (all(is.na(at))) {
        abort_linkrank("`x` has none of the features of the ranking, such as ",
                       quote_values(utils::head(ranking$feature, 2L)), ".",
                       class = "argument")
    }
    rows <- SummarizedExperiment::rowData(x)
    rows[[paste0(name, "_score")]] <- ranking$score[at]
    rows[[paste0(name, "_rank")]] <- ranking$rank[at]
    SummarizedExperiment::rowData(x) <- rows
    x
}
