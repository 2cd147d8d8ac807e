# How many questions are worth their answers: curves, and plan_questions().

# ==== curves ==================================================================

# print() and summary() of curves along rankings.

#' Print, plot and summarise evaluations
#'
#' @param x,object What [evaluate_ranking()] or [evaluate_method()] returned.
#' @param measure The metric to draw, one of the columns; `NULL` for the first,
#'   the main one.
#' @param metric Names of metrics among the columns; `NULL` for the main one.
#' @param reference Name of the ranking that the others are compared with;
#'   `NULL` for the one of best mean.
#' @param main,xlab,ylab Titles of the plot.
#' @param row.names,optional Unused.
#' @param ... Graphical parameters for `plot()`, else unused.
#'
#' @return `summary()`: a data.frame with a row per ranking: the mean of the
#'   metric over all numbers of features, the best value, which is too good, and
#'   the smallest number of features that reaches it. After [evaluate_method()]
#'   a row per metric and ranking, the best first: also `sd`, the standard
#'   deviation over the runs (splits and draws); `se`, the corrected standard
#'   error of the mean; `run_se`, the plain one; `difference`, the mean
#'   difference to `reference` on the same runs, and its corrected
#'   `difference_se`; `features_1se`, the smallest number of features within one
#'   corrected standard error of the best mean; and `rank_sum`, the sum over the
#'   runs of the rank of its mean (40 of Salmi et al. 2020).
#'
#' @details *Standard errors.* Splits have samples in common, so the plain
#'   standard error is far too small. `se` averages the draws of a split and
#'   multiplies the standard deviation over J splits by
#'   sqrt(1 / J + test / training samples) (Nadeau and Bengio 2003). It is `NA`
#'   for a single split; of fewer than five the quantile of t takes the place of
#'   1.96.
#'
#' @references Nadeau, C. and Bengio, Y. (2003). *Machine Learning*, 52,
#'   239-281. \doi{10.1023/A:1024068626366}
#' @examples
#' set.seed(1)
#' x <- log2(colon$x)
#' half <- sample(nrow(x), 31)
#' train <- x[half, ]
#' links <- constraints_from_labels(colon$tissue[half],
#'     cannot_link = 10, must_link = 10)
#' found <- evaluate_ranking(relieff_sc(train, links), train,
#'                           colon$tissue[half], x[-half, ],
#'                           colon$tissue[-half])
#' plot(found, measure = "recall")
#' summary(found)
#' @name ranking_evaluation
NULL

#' @rdname ranking_evaluation
#' @export
print.ranking_evaluation <- function(x, ...) {
    samples <- attr(x, "samples")
    cat("<ranking_evaluation> ",
        count_noun(length(unique(x$ranking)), "ranking"),
        if (!is.null(samples))
            paste0(", ", samples[["train"]], " training and ",
                   samples[["test"]], " test samples"), "\n", sep = "")
    # A line per ranking: accuracies at some numbers of features, and the best.
    facts <- summary(x)
    measure <- main_metric(x)
    counts <- shown_counts(c(1, 2, 5, 10, 20, 50, 100), x$features)
    # as many as fit into 80 columns beside names and best
    names <- fit_width(as.character(facts$ranking), 24L)
    counts <- some_of(counts, (60 - max(nchar(names), 13L)) %/% 7)
    cat_cells(paste(measure, "with"), names,
              format(shown_values(x, measure, facts$ranking, counts),
                     justify = "right"),
              format(c("best", paste0(shown_value(facts$best), " with ",
                                      facts$features))))
    cat("  plot() draws the curves, as.data.frame() gives all values.\n")
    invisible(x)
}

shown_value <- function(values) formatC(values, digits = 3L, format = "f")

# Numbers of features for a table: those wanted that there are, or the ends.
shown_counts <- function(wanted, features) {
    there <- intersect(wanted, features)
    if (length(there)) there else unique(range(features))
}

# Numbers of features as headings, and rankings x these, as text.
shown_values <- function(table, measure, rankings, counts, before = "") {
    rbind(paste0(before, counts), vapply(counts, function(count) {
        own <- table[table$features == count, ]
        shown_value(own[[measure]][match(rankings, own$ranking)])
    }, character(length(rankings))))
}

# Columns of text beside names, each with its heading.
cat_cells <- function(title, names, ...) {
    cells <- apply(cbind(...), 2L, format, justify = "right")
    cells <- cbind(pad_text(c(title, names)), cells)
    cells <- apply(cells, 1L, paste, collapse = "  ")
    cat(sub(" +$", "", paste0("  ", cells)), sep = "\n")
}

#' @rdname ranking_evaluation
#' @exportS3Method
as.data.frame.ranking_evaluation <- function(x, row.names = NULL,
                                             optional = FALSE, ...) {
    attributes(x)[c("samples", "splits", "split_by", "draws", "ratio",
                    "dropped", "metrics")] <- NULL
    class(x) <- "data.frame"
    # rankings that are not among these rows
    droplevels(x)
}

#' @rdname ranking_evaluation
#' @export
summary.ranking_evaluation <- function(object, ...) {
    lower <- metrics_of(object)[1L]
    best_counts(as.data.frame(object), names(lower), lower)[1:4]
}

check_columns <- function(object, columns, name, maker) {
    whole <- is.data.frame(object) && all(columns %in% names(object)) &&
        nrow(object) > 0L
    check_undamaged(if (!whole) "a column is missing or it has no row", name,
                    maker)
}

# ==== plans ===================================================================

# The splits of an evaluation.

# A list of list(train, test, split). `splits`: NULL when it was not given;
# `unit`: of each sample, or NULL.
plan_splits <- function(splits, type, share, folds, y, unit = NULL) {
    type <- check_choice(type, c("random", "first"), "type")
    share <- check_number(share, "share", 0, 1)
    strata <- if (is.factor(y)) y else factor(rep(1L, length(y)))
    if (is.list(splits)) {
        refuse_if(!is.null(folds), "`folds` must be left out when `splits` ",
                  "contains the splits themselves.")
        found <- given_splits(splits, length(y))
        torn <- vapply(found, function(split) {
            any(unit[split$train] %in% unit[split$test])
        }, NA)
        refuse_if(any(torn), "`splits` must have all samples of a unit on one ",
                  "side, but split ", which(torn)[1L], " has some on both.")
    } else {
        # the samples of each unit, which has the class of most of them
        parts <- split(seq_along(strata), unit %||% seq_along(strata))
        if (!is.null(unit)) {
            strata <- factor(vapply(parts, function(own) {
                names(which.max(table(strata[own])))
            }, ""), levels(strata))
            refuse_if(length(parts) < 2L, "`unit` must have at least 2 different
                      values, some for training, not {length(parts)}.")
        }
        found <- lapply(drawn_splits(splits, type, share, folds, strata),
                        lapply, function(places) {
            sort(unlist(parts[places], use.names = FALSE))
        })
    }
    unname(Map(c, found, split = seq_along(found)))
}

drawn_splits <- function(splits, type, share, folds, strata) {
    splits <- if (!is.null(splits)) check_count(splits, "splits", 1, 1e6) else
        if (is.null(folds) && type == "random") 20 else 1
    if (!is.null(folds)) {
        # Each class is distributed over the folds cyclically, beginning where
        # the previous class ended.
        samples <- length(strata)
        if (identical(folds, Inf)) folds <- samples
        folds <- check_count(folds, "folds", 2, samples)
        unlist(lapply(seq_len(splits), function(again) {
            rows <- split(seq_len(samples), strata)
            rows <- unlist(lapply(rows, function(own) {
                if (type == "random") own[sample.int(length(own))] else own
            }), use.names = FALSE)
            fold <- rep_len(seq_len(folds), samples)
            lapply(seq_len(folds), function(part) {
                list(train = sort(rows[fold != part]),
                     test = sort(rows[fold == part]))
            })
        }), recursive = FALSE)
    } else {
        refuse_if(type == "first" && splits > 1, "`splits` must be 1 for type =
                  \"first\", of which there is one, not {splits}; `draws` draws
                  constraints again and again.")
        lapply(seq_len(splits), function(split) split_half(strata, type, share))
    }
}

# What the splits take as independent, for print().
split_words <- function(samples, unit) {
    paste0("  split: ", if (!is.null(unit))
        paste(count_noun(length(unique(unit)), "unit"), "of "),
        count_noun(samples, "sample"),
        if (is.null(unit)) ", taken as independent")
}

# Test samples per training sample, for corrected_error().
test_ratio <- function(plan) {
    mean(vapply(plan, function(split) {
        length(split$test) / length(split$train)
    }, 0))
}

# Splits given by the user: a list of training rows, of list(train, test), or an
# rset or rsplit of rsample.
given_splits <- function(splits, samples) {
    if (is.data.frame(splits)) {
        splits <- lapply(splits$splits, rsample_rows)
    } else if (inherits(splits, "rsplit")) {
        splits <- list(rsample_rows(splits))
    }
    refuse_class_if(is.object(splits), splits, "`splits` must be a number, a ",
                    "list of splits or what rsample made")
    refuse_if(!length(splits),
              "`splits` must contain at least one split, but it is empty.")
    lapply(seq_along(splits), function(i) {
        split <- splits[[i]]
        if (!is.list(split)) split <- list(train = split)
        train <- check_split_rows(split$train, i, "train", samples)
        test <- if (is.null(split$test)) {
            setdiff(seq_len(samples), train)
        } else {
            check_split_rows(split$test, i, "test", samples)
        }
        refuse_if(!length(test) || length(intersect(train, test)),
                  "`splits` must have test samples that are not for training, ",
                  "but split ", i,
                  if (length(test)) " has some in both." else " has none.")
        list(train = sort(train), test = sort(test))
    })
}

# A bootstrap sample of rsample holds rows repeatedly; here each is used once.
rsample_rows <- function(split) {
    test <- split$out_id
    list(train = unique(split$in_id),
         test = if (length(test) && !anyNA(test)) test)
}

check_split_rows <- function(rows, i, part, samples) {
    if (is.numeric(rows)) rows <- as.vector(rows)
    refuse_if(!whole_within(rows, 1, samples) || anyDuplicated(rows),
              "`splits` must contain different row numbers from 1 to ", samples,
              ", but the ", part, " part of split ", i, " does not.")
    as.integer(rows)
}
