# Metrics of predictions: of classes from counts and probabilities, of numbers
# from errors.

class_metrics <- c("accuracy", "balanced_accuracy", "kappa", "auc",
                   "precision", "recall")
number_metrics <- c("rmse", "r2")

# The metrics of an evaluation, in the order in which they were given.
check_metric <- function(metric, numbers) {
    known <- if (numbers) number_metrics else class_metrics
    if (is.null(metric)) {
        return(if (numbers) "rmse" else c("accuracy", "precision", "recall"))
    }
    if (!is.character(metric) || !length(metric) || !all(metric %in% known)) {
        shown <- if (is.character(metric)) quote_values(setdiff(metric, known))
        abort_linkrank("`metric` must be among ", quote_values(known, 6L),
                       " for ", if (numbers) "numbers" else "classes",
                       ", not ", if (length(shown)) shown else
                           describe_value(metric), ".")
    }
    unique(metric)
}

# The columns of a table that are metrics; the first is the main one.
metrics_of <- function(table) {
    intersect(names(table), c(class_metrics, number_metrics))
}

main_metric <- function(table) metrics_of(table)[1L]

lower_is_better <- function(metric) metric == "rmse"

metric_title <- function(metric) {
    titles <- c(balanced_accuracy = "Balanced accuracy",
                kappa = "Cohen's kappa", auc = "Area under the ROC curve",
                rmse = "Root mean squared error", r2 = "R squared")
    if (metric %in% names(titles)) titles[[metric]] else capitalise(metric)
}

# ---- of the values to predict ------------------------------------------------

# What the metrics need of the test samples.
check_metric_values <- function(metric, known) {
    y_test <- known$y_test[!is.na(known$y_test)]
    different <- length(unique(y_test))
    if (different < 2L && any(c("auc", "r2") %in% metric)) {
        name <- intersect(c("auc", "r2"), metric)
        abort_linkrank("`y_test` must have at least two different ",
                       if (name == "auc") "classes" else "values",
                       " for metric \"", name, "\", but it has ", different,
                       ": use larger test parts, or another metric.")
    }
}

# ---- numbers ----------------------------------------------------------------

# `errors`: squared, known test samples x counts; `y_test`: their numbers.
number_scores <- function(errors, y_test, metric) {
    sums <- apply(errors, 2L, sum_in_order)
    y_test <- sort(y_test)
    total <- sum((y_test - mean(y_test))^2)
    data.frame(rmse = sqrt(sums / length(y_test)),
               r2 = 1 - sums / total)[metric]
}

# ---- classes ----------------------------------------------------------------

# `tally`: list(right, given, own, auc). right, given: classes x counts, how
# many test samples of a class are predicted to be of it, and how many of all
# are, each with the parts that its prediction gives; own: how many there are of
# each class; auc: one for each count, or NULL. Rows are named by class.
class_scores <- function(tally, positive, metric) {
    total <- sum(tally$own)
    accuracy <- add_rows(tally$right) / total
    recall <- tally$right / tally$own
    columns <- lapply(stats::setNames(metric, metric), function(name) {
        switch(name,
            accuracy = accuracy,
            balanced_accuracy = add_rows(recall[tally$own > 0, ,
                                                drop = FALSE]) /
                sum(tally$own > 0),
            kappa = {
                chance <- add_rows(tally$given * tally$own) / total^2
                # where all samples are of one class and predicted to be
                ifelse(chance >= 1, 0, (accuracy - chance) / (1 - chance))
            },
            auc = tally$auc,
            precision = mean_ratio(tally$right, tally$given, positive),
            recall = mean_ratio(tally$right, 0 * tally$given + tally$own,
                                positive)
        )
    })
    as.data.frame(columns)
}

# Sums over the classes, one addition after the other.
add_rows <- function(table) {
    Reduce(`+`, lapply(seq_len(nrow(table)), function(i) table[i, ]))
}

# Mean over some classes of part / all, 0 where `all` is 0.
mean_ratio <- function(part, all, classes) {
    ratio <- part / all
    ratio[all == 0] <- 0
    add_rows(ratio[classes, , drop = FALSE]) / length(classes)
}

# Area under the ROC curve, for more than two classes the mean over all pairs of
# them (Hand and Till 2001). `shares`: test samples x classes, named by class;
# `truth`: the class of each.
area_under_curve <- function(shares, truth) {
    present <- sort_text(unique(truth))
    pairs <- utils::combn(present, 2L, simplify = FALSE)
    areas <- vapply(pairs, function(pair) {
        area <- function(high, low) {
            share <- function(class) {
                if (high %in% colnames(shares)) shares[truth == class, high] else
                    numeric(sum(truth == class))
            }
            probability_above(share(high), share(low))
        }
        (area(pair[1L], pair[2L]) + area(pair[2L], pair[1L])) / 2
    }, 0)
    mean(areas)
}

# How often a value of `high` is above one of `low`, ties count one half.
probability_above <- function(high, low) {
    ranks <- rank(c(high, low))[seq_along(high)]
    n <- length(high)
    (sum(ranks) - n * (n + 1) / 2) / n / length(low)
}
