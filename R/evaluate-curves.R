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
#' @return `plot()` and `print()` return their argument, invisibly;
#'   `as.data.frame()` returns the plain table; `summary()` a data.frame with a
#'   row per ranking: the mean of the metric over all numbers of features, the
#'   best value and the smallest number of features that reaches it, chosen on
#'   the same test samples, so that the best value is too good. After
#'   [evaluate_method()] a row per metric (a column `metric` names it, if there
#'   are several) and ranking, the best ranking first: also `sd`, the standard
#'   deviation over the runs (splits and draws); `se`, the corrected standard
#'   error of the mean; `run_se`, the plain one, sd / sqrt(runs); `difference`,
#'   the mean difference to the ranking `reference` on the same runs, and its
#'   corrected `difference_se`; `features_1se`, the smallest number of features
#'   whose mean is within one corrected standard error of the best mean; and
#'   `rank_sum`, the sum over the runs of the rank of its mean, 1 for the best
#'   and for its equals (40 of Salmi et al. 2020). Printed summaries are
#'   rounded, the values are not.
#'
#' @details *Standard errors.* Splits have samples in common, so the plain
#' standard error is far too small, and goes to 0 with the number of splits:
#' with nothing to be found, the mean of 20 splits plus or minus 1.96 `run_se`
#' held the true accuracy in 42 % of data sets, that of 50 splits in 25 %. `se`
#' averages the draws of a split and multiplies the standard deviation over J
#' splits by sqrt(1 / J + test / training samples) (Nadeau and Bengio 2003):
#' `vignette("methods")` has the coverage. It is `NA` for a single split.
#'
#' @references Nadeau, C. and Bengio, Y. (2003). Inference for the
#'   generalization error. *Machine Learning*, 52, 239-281.
#'   \doi{10.1023/A:1024068626366}
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
    cat("<ranking_evaluation> ", count_noun(nlevels(x$ranking), "ranking"),
        if (!is.null(samples))
            paste0(", ", samples[["train"]], " training and ",
                   samples[["test"]], " test samples"), "\n", sep = "")
    # A line per ranking: accuracies at some numbers of features, and the best.
    facts <- summary(x)
    measure <- main_metric(x)
    shown <- intersect(c(1, 2, 5, 10, 20, 50, 100), x$features)
    shown <- if (length(shown)) shown else
        unique(range(x$features))
    # as many as fit into 80 columns beside names and best
    names <- fit_width(as.character(facts$ranking), 24L)
    most <- (60 - max(nchar(names), 13L)) %/% 7
    if (length(shown) > most) {
        shown <- shown[round(seq(1, length(shown), length.out = most))]
    }
    cells <- shown_values(x, measure, facts$ranking, shown)
    table <- cbind(pad_text(c(paste(measure, "with"), names)),
        format(rbind(shown, cells), justify = "right"),
        format(c("best", paste0(shown_value(facts$best), " with ",
                                facts$features)),
               justify = "left"))
    cat(row_lines(table), sep = "\n")
    cat("  plot() draws the curves, as.data.frame() gives all values.\n")
    invisible(x)
}

shown_value <- function(values) formatC(values, digits = 3L, format = "f")

# Rankings x numbers of features, as text.
shown_values <- function(table, measure, rankings, counts) {
    cells <- vapply(counts, function(count) {
        own <- table[table$features == count, ]
        shown_value(own[[measure]][match(rankings, own$ranking)])
    }, character(length(rankings)))
    matrix(cells, length(rankings))
}

# The rows of a matrix of text as lines.
row_lines <- function(table) {
    sub(" +$", "", paste0("  ", apply(table, 1L, paste, collapse = "  ")))
}

#' @rdname ranking_evaluation
#' @exportS3Method
as.data.frame.ranking_evaluation <- function(x, row.names = NULL,
                                             optional = FALSE, ...) {
    attributes(x)[c("samples", "splits", "split_by", "draws", "ratio",
                    "dropped", "metrics")] <- NULL
    class(x) <- "data.frame"
    x
}

#' @rdname ranking_evaluation
#' @export
summary.ranking_evaluation <- function(object, ...) {
    table <- as.data.frame(object)
    measure <- main_metric(object)
    rows <- lapply(split(table, table$ranking), function(own) {
        best <- best_place(own[[measure]], metrics_of(object)[[measure]])
        data.frame(ranking = own$ranking[1L], mean = mean(own[[measure]]),
                   best = own[[measure]][best], features = own$features[best])
    })
    out <- do.call(rbind, rows)
    rownames(out) <- NULL
    out
}

best_place <- function(values, lower) {
    if (lower) which.min(values) else which.max(values)
}

check_columns <- function(object, columns, name, maker) {
    whole <- is.data.frame(object) && all(columns %in% names(object)) &&
        nrow(object) > 0L
    check_undamaged(if (!whole) "a column is missing or it has no row", name,
                    maker)
}
