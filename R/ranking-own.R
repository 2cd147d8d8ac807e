# A ranking from scores of another source.

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
        check_choice(direction)
    # NA is a feature without a score.
    odd <- which(is.nan(table$score))
    refuse_if(length(odd), "`scores` must be numbers or NA, but that of
              {quote_values(table$feature[odd])} is NaN.")
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
