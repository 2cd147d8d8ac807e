# A ranking and its data: subsets to the best features, and scores added to the
# data.

#' Subset data to the best features
#'
#' @param x The data that were ranked, or others with the same features: a
#'   matrix, data.frame, sparse matrix, SummarizedExperiment (and derived
#'   classes) or ExpressionSet.
#' @param ranking A `feature_ranking`.
#' @param n How many features to keep, at most.
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
#' x <- log2(colon$x)
#' links <- pairwise_constraints(cannot_link = rbind(c(1, 2), c(5, 8)),
#'                               samples = rownames(x))
#' small <- keep_features(x, relieff_sc(x, links), 50)
#' dim(small)
#' @export
keep_features <- function(x, ranking, n = 10L) {
    check_given(x, "the data to subset")
    check_given(ranking, ranking_words)
    UseMethod("keep_features")
}

#' @export
keep_features.default <- function(x, ranking, n = 10L) {
    across <- samples_in_columns(x)
    if (across) need_package(attr(class(x), "package"), x)
    x <- as_samples(x)
    check_slots(x)
    # before S4 dispatch of `[` would wrap the condition
    places <- feature_places(x, ranking, n)
    if (across) return(x[places, ])
    # whose own `[` evaluates j as an expression
    if (inherits(x, "data.table")) return(x[, places, with = FALSE])
    small <- x[, places, drop = FALSE]
    # package Matrix would convert these to triplets
    by_row <- methods::is(x, "RsparseMatrix")
    if (by_row) methods::as(small, "RsparseMatrix") else small
}

# Positions of the n best features in `x`, or in `data` prepared from it.
feature_places <- function(x, ranking, n, data = NULL) {
    wanted <- top_features(ranking, n)
    ranked <- attr(ranking, "info")$names
    names <- names_as_ranked(without_unfit(x, data), ranked) %||%
        data$features %||% ranked
    places <- match(wanted, names)
    lacking <- wanted[is.na(places)]
    refuse_if(length(lacking), "`x` lacks features of the ranking:
              {quote_values(lacking)}.")
    refuse_duplicated(names[names %in% wanted], "`x` must have each feature ",
                      "of the ranking once", class = "input")
    places
}

#' Add a ranking to a container
#'
#' Adds a ranking, or the markers of groups, to `rowData()`, or to the `fData()`
#' of an ExpressionSet. The order of the rows does not change.
#'
#' @param x A SummarizedExperiment, SingleCellExperiment or ExpressionSet.
#' @param ranking A `feature_ranking` of its features, or what [group_markers()]
#'   returned.
#' @param name Start of the new column names; by default the method's name, or
#'   `"markers"`.
#' @param n How many of the best features to mark, of markers in each group, or
#'   `NULL` for no marks.
#' @param columns Columns to add: of a ranking besides `score`, `rank`, what
#'   [glean()] ranked by, p-values, `highest` and `difference`, such as
#'   `"margin"`; of markers by default `rank`, `difference` and `fdr`.
#'
#' @return `x` with columns `<name>_score` and `<name>_rank` in `rowData(x)` or
#'   `fData(x)`, p-values, `highest` and `difference` where there are any, those
#'   of `columns`, and with `n` a column `<name>_selected`, `TRUE` for the `n`
#'   best; `NA` for a feature that was not ranked. Of markers these are columns
#'   of each group, such as `markers_B cell_rank`. Columns of these names are
#'   replaced. Features are found by name. `metadata(x)$linkrank` of a
#'   SummarizedExperiment has, by `name`, how it was made.
#'
#' @section Errors: `linkrank_error_argument` for another `x`, or when none of
#'   its features was ranked; `linkrank_error_input` when two rows have the name
#'   of one that was.
#'
#' @examples
#' if (requireNamespace("SummarizedExperiment", quietly = TRUE)) {
#'     se <- SummarizedExperiment::SummarizedExperiment(
#'         list(log2 = t(log2(colon$x))),
#'         colData = data.frame(tissue = colon$tissue)
#'     )
#'     links <- pairwise_constraints(cannot_link = rbind(c(1, 2), c(5, 8)),
#'                                   samples = colnames(se))
#'     se <- add_ranking(se, relieff_sc(se, links))
#'     se <- add_ranking(se, group_markers(se, "tissue"), columns = "auc")
#'     SummarizedExperiment::rowData(se)[1:3, ]
#' }
#' @export
add_ranking <- function(x, ranking, name = NULL, n = NULL, columns = NULL) {
    check_given(x, "the container that gets the ranking")
    check_given(ranking, ranking_words)
    UseMethod("add_ranking")
}

#' @export
add_ranking.default <- function(x, ranking, name = NULL, n = NULL,
                                columns = NULL) {
    write_ranking(ranking, x, name, n, columns)
}

# The container with what a ranking, or markers, say of its features.
write_ranking <- function(ranking, x, name, n, columns) {
    UseMethod("write_ranking")
}

#' @export
write_ranking.default <- function(ranking, x, name, n, columns) {
    check_ranking(ranking)
    known <- setdiff(names(ranking), c("rank", "feature", "score"))
    check_added(columns, known, "besides score and rank")
    tests <- grep("p_value$|fdr$|^highest$|^difference$", known, value = TRUE)
    info <- attr(ranking, "info")
    name <- name %||% info$method
    order <- if (info$method == "glean") info$key
    x <- add_columns(x, ranking, info$names, name,
                     unique(c("score", "rank", order, tests, columns)), n)
    add_settings(x, name, c(info, methods = methods_sentence(info)))
}

# `x` with how something was made in `metadata(x)$linkrank`, by its name.
add_settings <- function(x, name, info) {
    kept <- c("method", "direction", "parameters", "samples", "features",
              "cannot_links", "must_links", "methods", "groups", "size",
              "origin", "lfc", "variance", "permutations", "versions")
    made <- ranking_settings(info)
    if (methods::is(x, "SummarizedExperiment"))
        S4Vectors::metadata(x)$linkrank[[name]] <- made[names(made) %in% kept]
    x
}

check_added <- function(columns, known, besides) {
    refuse_value_if(
        !is.null(columns) && !is.character(columns) || !all(columns %in% known),
        columns, "`columns` must be names of columns of the ranking, which ",
        "has ",
        if (length(known)) quote_values(known, 8L) else paste("none", besides))
}

# `x` with these columns of the table in what it knows of its features.
# `ranked`: the names of all features of the data behind the table.
add_columns <- function(x, table, ranked, name, columns, n) {
    refuse_class_if(!has_feature_table(x), x,
                    "`x` must be a SummarizedExperiment or an ExpressionSet")
    check_text(name, "name")
    names <- names_as_ranked(x, ranked) %||% feature_names(x)
    at <- match(names, table$feature)
    refuse_if(all(is.na(at)), "`x` has none of the features of the ranking, ",
              "such as ", quote_values(utils::head(table$feature, 2L)), ".")
    refuse_duplicated(names[!is.na(at)], "`x` must have each feature of the ",
                      "ranking once", class = "input")
    rows <- feature_table(x)
    for (column in columns)
        rows[[paste0(name, "_", column)]] <- table[[column]][at]
    if (!is.null(n)) {
        rows[[paste0(name, "_selected")]] <-
            !is.na(at) & at <= check_count_or_all(n, "n", 1)
    }
    if (methods::is(x, "SummarizedExperiment")) {
        SummarizedExperiment::rowData(x) <- rows
    } else {
        Biobase::fData(x) <- rows
    }
    x
}
