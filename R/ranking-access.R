# What a ranking says: names and scores of its features, and their annotation.

#' Names and scores of a ranking
#'
#' @param ranking A `feature_ranking`.
#' @param n How many of the best features; used only when none of the following
#'   is given. `"best"`, of [select_subset()]: the features up to the minimum of
#'   its curve.
#' @param prop A proportion of the ranked features, from 0 to 1, rounded up.
#' @param threshold The worst score to keep, as `feature_scores()` gives it; not
#'   for [select_subset()].
#' @param alpha The largest `fdr` to keep; an error for a ranking that has none.
#' @param pattern A regular expression that the names must match, such as
#'   `"^(?!MT-)"` (Perl's kind) for all but mitochondrial genes.
#' @param ... For other objects than rankings: see [group_markers-methods].
#'
#' @return
#' * `top_features()`: names of the best features that fulfil all given
#'   conditions, best first; `n` and `prop` count those that match `pattern`.
#' * `feature_scores()`: a vector named by feature, in column order: the column
#'   that orders the ranking.
#'
#' @examples
#' x <- log2(colon$x)
#' links <- pairwise_constraints(cannot_link = rbind(c(1, 2), c(5, 8)),
#'                               samples = rownames(x))
#' genes <- relieff_sc(x, links)
#' top_features(genes, 3)
#' top_features(genes, prop = 0.01, pattern = "^Hsa.2")
#' head(feature_scores(genes), 3)
#' @name feature_ranking_access
NULL

#' @rdname feature_ranking_access
#' @export
top_features <- function(ranking, n = 10L, ...) {
    check_given(ranking, ranking_words)
    UseMethod("top_features")
}

#' @rdname feature_ranking_access
#' @export
top_features.default <- function(ranking, n = 10L, prop = NULL,
                                 threshold = NULL, alpha = NULL,
                                 pattern = NULL, ...) {
    check_dots_empty(...)
    check_ranking(ranking)
    refuse_if(identical(n, "best"), "`n` = \"best\" needs a ranking by
              select_subset(), not by {attr(ranking, \"info\")$label}.")
    alone <- is.null(c(prop, threshold, alpha, pattern))
    count <- if (!missing(n) || alone) check_count_or_all(n, "n", 1) else Inf
    kept <- if (is.null(pattern)) rep(TRUE, length(ranking$feature)) else {
        check_text(pattern, "pattern")
        tryCatch(suppressWarnings(grepl(pattern, ranking$feature, perl = TRUE)),
                 error = function(condition) {
                     abort_linkrank("`pattern` must be a regular expression,
                                    but {quote_each(pattern)} is not.")
                 })
    }
    if (!is.null(prop)) {
        count <- min(count, ceiling(check_number(prop, "prop", 0, 1) *
                                        sum(kept)))
    }
    kept <- kept & cumsum(kept) <= count
    if (!is.null(threshold)) {
        refuse_if(inherits(ranking, "subset_ranking"), "`threshold` must be ",
                  "left out, because the scores of select_subset() are a ",
                  "curve: n = \"best\" gives the features up to its minimum.")
        threshold <- check_number(threshold, "threshold")
        sign <- if (attr(ranking, "info")$direction == "higher") 1 else -1
        scores <- ordering_scores(ranking)
        kept <- kept & (sign * scores >= sign * threshold) %in% TRUE
    }
    if (!is.null(alpha)) {
        alpha <- check_number(alpha, "alpha", 0, 1)
        check_significance(ranking, "`alpha` needs")
        kept <- kept & (ranking[["fdr"]] <= alpha) %in% TRUE
    }
    ranking$feature[kept]
}

#' @rdname feature_ranking_access
#' @export
feature_scores <- function(ranking) {
    check_ranking(ranking)
    scores <- stats::setNames(ordering_scores(ranking), ranking$feature)
    scores[intersect(attr(ranking, "info")$names, ranking$feature)]
}

# The scores that order a ranking: of margins their share of the length, in the
# column `score`, which for select_subset() is the curve.
ordering_scores <- function(ranking) {
    key <- attr(ranking, "info")$key
    ranking[[if (key %in% c("entry", "margin")) "score" else key]]
}

#' Add feature annotation
#'
#' Adds columns, such as gene symbols, to the table of a ranking or of markers.
#'
#' @param ranking A `feature_ranking`, or what [group_markers()] returned.
#' @param annotation A data.frame with the features in its row names or, when
#'   there is one, in a column `feature`; or a SummarizedExperiment or
#'   ExpressionSet, whose `rowData()` or `fData()` is used. Rows are matched by
#'   feature name; others are ignored.
#'
#' @return The ranking, or the markers, with the columns of `annotation` after
#' their own; `NA` for features that are not in `annotation`.
#'
#' @section Errors: `linkrank_error_argument` when `annotation` has none of the
#'   features, has a feature twice, or has a column that the ranking already
#'   has.
#'
#' @examples
#' x <- log2(colon$x)
#' links <- pairwise_constraints(cannot_link = rbind(c(1, 2), c(5, 8)),
#'                               samples = rownames(x))
#' genes <- relieff_sc(x, links)
#' known <- data.frame(feature = colnames(x),
#'                     column = seq_len(ncol(x)))
#' head(annotate_ranking(genes, known), 3)
#' @export
annotate_ranking <- function(ranking, annotation) {
    check_given(ranking, ranking_words)
    check_given(annotation, "the annotation of the features")
    UseMethod("annotate_ranking")
}

#' @export
annotate_ranking.default <- function(ranking, annotation) {
    check_ranking(ranking)
    restore_ranking(annotated(ranking, annotation), attr(ranking, "info"))
}

# The table with the columns of the annotation.
annotated <- function(ranking, annotation) {
    if (has_feature_table(annotation))
        annotation <- as.data.frame(feature_table(annotation), optional = TRUE)
    refuse_class_if(!is.data.frame(annotation), annotation, "`annotation` must
                    be a data.frame or a container")
    table <- as.data.frame(annotation)
    features <- as_names(table[["feature"]] %||% own_row_names(table))
    table$feature <- NULL
    at <- match(ranking$feature, features)
    refuse_if(all(is.na(at)), "`annotation` has none of the features of the
              ranking, such as {quote_values(ranking$feature[1L])}.")
    refuse_duplicated(features[features %in% ranking$feature],
                      "`annotation` must have one row per feature")
    warn_if(!length(table), "`annotation` has no column besides the names of the
            features, so it adds nothing.", class = "annotation")
    taken <- intersect(names(table), names(ranking))
    refuse_if(length(taken), "`annotation` must have other columns than the ",
              "ranking, but both have ", quote_values(taken), ".")
    data.frame(as.data.frame(ranking), table[at, , drop = FALSE],
               row.names = NULL, check.names = FALSE)
}

has_feature_table <- function(x) {
    methods::is(x, "SummarizedExperiment") || methods::is(x, "ExpressionSet")
}

feature_table <- function(x) {
    if (methods::is(x, "SummarizedExperiment")) {
        need_package("SummarizedExperiment", x)
        return(SummarizedExperiment::rowData(x))
    }
    need_package("Biobase", x)
    Biobase::fData(x)
}
