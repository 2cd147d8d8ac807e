# What a ranking says: its features, scores and directions.

# ==== features and scores =====================================================

# Names and scores of a ranking, and annotation of its features.

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
    refuse_if(identical(n, "best"), "`n` = \"best\" needs a ranking by ",
              "select_subset(), but this one is by ",
              attr(ranking, "info")$label, ".")
    alone <- is.null(c(prop, threshold, alpha, pattern))
    count <- if (!missing(n) || alone) check_count_or_all(n, "n", 1) else Inf
    kept <- if (is.null(pattern)) rep(TRUE, length(ranking$feature)) else {
        check_text(pattern, "pattern")
        tryCatch(suppressWarnings(grepl(pattern, ranking$feature, perl = TRUE)),
                 error = function(condition) {
                     abort_linkrank("`pattern` must be a regular expression,
                                    but ", encodeString(pattern, quote = "\""),
                                    " is not.")
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
    refuse_class_if(!is.data.frame(annotation), annotation,
                    "`annotation` must be a data.frame, a ",
                    "SummarizedExperiment or an ExpressionSet")
    table <- as.data.frame(annotation)
    features <- as_names(table[["feature"]] %||% own_row_names(table))
    table$feature <- NULL
    at <- match(ranking$feature, features)
    refuse_if(all(is.na(at)),
              "`annotation` has none of the features of the ranking, such as ",
              quote_values(utils::head(ranking$feature, 2L)), ".")
    refuse_duplicated(features[features %in% ranking$feature],
                      "`annotation` must have one row per feature")
    warn_if(!length(table), "`annotation` has no column besides the names of ",
            "the features, so the ranking is returned as it was.",
            class = "annotation")
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

# ==== directions ==============================================================

# Where a ranking from pairs goes up: the groups that the answers make are
# compared by their means, where all of these groups are apart.

# list(columns, missing): `columns` are highest and difference in column order,
# of the values as they are given; where some groups have no cannot-link,
# `missing` says so instead of them, if must-links make groups at all.
# NULL where there are not two groups. Nothing but the answered samples is read.
# `pairs`: from pairs_of().
answer_direction <- function(data, constraints, block, pairs) {
    kinds <- pairs$kinds
    if (is.null(constraints) || !inherits(data, "prepared_data") ||
        kinds[["cannot_link"]] == 0) {
        return(NULL)
    }
    missing <- function(...) {
        if (kinds[["must_link"]] > 0) list(missing = paste(...))
    }
    # Too few for all groups to be apart, however must-links join the samples?
    # Counts tell so for most sets of few pairs, before any group is made.
    known <- pairs$touched - length(disputed_samples(constraints))
    least <- max(known - kinds[["must_link"]], 0)
    if (choose(least, 2) > kinds[["cannot_link"]])
        return(missing("some pairs of groups have no cannot-link"))
    groups <- closure_groups(constraints)
    if (length(groups$size) < 2L) return(NULL)
    open <- undecided_groups(constraints, groups)
    if (!is.null(open)) {
        open <- shorten(show_samples(groups$first[open], data$samples), 30L)
        return(missing("no answer says whether the groups of", open[1L], "and",
                       open[2L], "differ"))
    }
    moments <- answered_moments(data, groups, block)
    moments$mean[data$kind == "factor", ] <- NA
    above <- if (is.null(block)) {
        means <- moments$mean
        known <- rowSums(!is.na(means))
        means[known < 2, ] <- NA
        means - (rowSums(means, na.rm = TRUE) - means) / (known - 1)
    } else above_in_blocks(moments)
    highest <- max.col(replace(above, is.na(above), -Inf), "first")
    difference <- above[cbind(seq_along(highest), highest)]
    highest[is.na(difference) | difference <= 0] <- NA
    list(columns = list(highest = groups$names[highest],
                        difference = difference),
         groups = groups[c("names", "size")])
}

# Means, features x groups (and blocks); NA where there is no known value.
answered_moments <- function(data, groups, block) {
    rows <- which(!is.na(groups$code))
    part <- answered_part(data, rows)
    if (part$n < length(groups$code)) {
        groups$code <- groups$code[rows]
        block <- block[rows]
    }
    moments <- group_moments(part, groups$code, length(groups$size), block)
    moments$mean[is.nan(moments$mean)] <- NA
    moments
}

# Mean of each group minus the mean of the others, features x groups, from the
# differences within each block that holds two groups.
above_in_blocks <- function(moments) {
    all <- seq_len(moments$groups)
    above <- lapply(all, function(g) {
        shares <- block_shares(moments, g)
        rowMeans(do.call(cbind, lapply(all[-g], function(h) {
            there <- which(shares[, h] > 0)
            if (!length(there)) return(rep(NA_real_, nrow(moments$mean)))
            away <- moments$mean[, moments$cells[g, there], drop = FALSE] -
                moments$mean[, moments$cells[h, there], drop = FALSE]
            drop(away %*% shares[there, h])
        })), na.rm = TRUE)
    })
    above <- do.call(cbind, above)
    above[is.nan(above)] <- NA
    above
}
