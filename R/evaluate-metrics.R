# Metrics of predictions: of classes from counts and probabilities, of numbers
# from errors.

class_metrics <- c("accuracy", "balanced_accuracy", "kappa", "mcc", "auc",
                   "f1", "precision", "recall")
number_metrics <- c("rmse", "mae", "r2")

# What \pkg{yardstick} calls them.
yardstick_names <- c(bal_accuracy = "balanced_accuracy", kap = "kappa",
                 roc_auc = "auc", f_meas = "f1", rsq = "r2")

own_name <- function(metric) {
    if (metric %in% names(yardstick_names)) yardstick_names[[metric]] else
        metric
}

# The metrics of an evaluation in the order given: a list with a name, or a
# function, by the name of the column.
check_metric <- function(metric, numbers) {
    known <- if (numbers) number_metrics else class_metrics
    metric <- metric %||% if (numbers) "rmse" else
        c("accuracy", "precision", "recall")
    metric <- name_choices(metric, "metric")
    text <- vapply(metric, is_text, NA)
    own <- vapply(metric, is.function, NA)
    if (!length(metric) || !all(text | own))
        abort_metric(metric, known, numbers)
    names <- names(metric)
    metric <- unname(metric)
    metric[text] <- lapply(metric[text], own_name)
    if (!all(unlist(metric[text]) %in% known))
        abort_metric(metric[text], known, numbers)
    again <- duplicated(names) & duplicated(metric)
    taken <- c(names[duplicated(names) & !again],
               intersect(names, c("split", "draw", "ranking", "features")))
    refuse_if(length(taken), "`metric` must give each metric another name, as
              list(mine = ), but two are {quote_values(taken[1L])}.")
    stats::setNames(metric[!again], names[!again])
}

# Names and functions as a list, each with a name: its own, what it is called,
# or that of any `other`.
name_choices <- function(choices, other) {
    choices <- if (is.function(choices)) list(choices) else as.list(choices)
    text <- vapply(choices, is_text, NA)
    names <- names(choices) %||% rep("", length(choices))
    names[names == "" & text] <- unlist(choices[names == "" & text])
    names[names == ""] <- other
    stats::setNames(choices, names)
}

abort_metric <- function(metric, known, numbers) {
    text <- Filter(is_text, metric)
    shown <- setdiff(unlist(text), known)
    abort_linkrank("`metric` must be among ", quote_values(known, 8L), " for ",
                   if (numbers) "numbers" else "classes",
                   ", or a function(truth, estimate), not ",
                   if (length(shown)) quote_values(shown) else describe_value(
                           if (length(metric) == 1L) metric[[1L]] else metric
                       ), ".")
}

# The metrics of an evaluation by the name of their columns, the main one first:
# is a lower value better?
metrics_of <- function(x) {
    known <- intersect(names(x), c(class_metrics, number_metrics))
    found <- attr(x, "metrics") %||% metric_directions(as.list(
        stats::setNames(nm = known)))
    found[names(found) %in% names(x)]
}

# A function is better the higher it is, unless its attribute `direction`, as
# those of yardstick have it, is "minimize".
metric_directions <- function(metric) {
    vapply(metric, function(one) {
        if (is.function(one)) identical(attr(one, "direction"), "minimize") else
            one %in% c("rmse", "mae")
    }, NA)
}

main_metric <- function(x) names(metrics_of(x))[1L]

metric_title <- function(metric) {
    titles <- c(balanced_accuracy = "Balanced accuracy",
                kappa = "Cohen's kappa", auc = "Area under the ROC curve",
                f1 = "F1", mcc = "Matthews correlation",
                rmse = "Root mean squared error",
                mae = "Mean absolute error", r2 = "R squared",
                ari = "Adjusted Rand index", groups = "Number of groups",
                nmi = "Normalised mutual information",
                ari_all = "Adjusted Rand index of all samples")
    own <- own_name(metric)
    if (own %in% names(titles)) titles[[own]] else capitalise(metric)
}

# ---- of the values to predict ------------------------------------------------

# What the metrics need of the test samples.
check_metric_values <- function(metric, known) {
    y_test <- known$y_test[!is.na(known$y_test)]
    different <- length(unique(y_test))
    name <- intersect(c("r2", "auc", "kappa", "mcc"),
                      unlist(Filter(is_text, metric)))[1L]
    refuse_if(different < 2L && !is.na(name), "`y_test` must have at least two
              different ", if (name == "r2") "values" else "classes", " for
              metric \"{name}\": use larger test parts, or another metric.")
}

# ---- numbers ----------------------------------------------------------------

# `predicted`: test samples x counts; `known`: from known_truth_of().
number_scores <- function(predicted, known, metric) {
    there <- which(!is.na(known$y_test))
    predicted <- predicted[there, , drop = FALSE]
    y_test <- known$y_test[there]
    sums <- sums_in_order((predicted - y_test)^2)
    n <- length(y_test)
    ordered <- sort(y_test)
    total <- sum((ordered - mean(ordered))^2)
    as.data.frame(lapply(metric, function(one) {
        if (is.function(one)) {
            return(apply(predicted, 2L, function(estimate) {
                call_metric(one, list(truth = y_test, estimate = estimate))
            }))
        }
        switch(one, rmse = sqrt(sums / n), r2 = 1 - sums / total,
               mae = sums_in_order(abs(predicted - y_test)) / n)
    }), optional = TRUE)
}

# A user's metric: one number.
call_metric <- function(metric, given) {
    if ("probability" %in% names(formals(args(metric)))) {
        given <- given[names(given) != "estimate"]
        refuse_if(is.null(given$probability), "`classifier` must return ",
                  "probabilities for a metric of `probability`, a matrix with ",
                  "a column named by each class.")
    } else {
        given$probability <- NULL
    }
    value <- tryCatch(do.call(metric, unname(given[1L:2L]), quote = TRUE),
                      error = function(condition) abort_called(
                          condition, "`metric`, called as metric(",
                          paste(names(given), collapse = ", "), "),"
                      ))
    refuse_value_if(!is.numeric(value) || length(value) != 1L, value,
                    "`metric` must return a single number")
    as.numeric(value)
}

# ---- classes ----------------------------------------------------------------

# `tally`: list(right, given, own, truth, shares). right, given: classes x
# counts, how many test samples of a class are predicted to be of it, and how
# many of all are, each with the parts that its prediction gives; own: how many
# there are of each class. Rows are named by class. truth: the classes of the
# test samples; shares: for each count a class of each, or the probabilities of
# the classes; NULL where no metric needs them.
class_scores <- function(tally, known, metric) {
    positive <- known$positive
    total <- sum(tally$own)
    accuracy <- add_rows(tally$right) / total
    recall <- tally$right / tally$own
    # how many are right by chance, times the number of samples
    chance <- add_rows(tally$given * tally$own)
    counted <- 0 * tally$given + tally$own
    as.data.frame(lapply(metric, function(one) {
        if (is.function(one)) {
            return(vapply(tally$shares, judge_classes, 0, one, tally$truth,
                          rownames(tally$right)))
        }
        switch(one,
            accuracy = accuracy,
            balanced_accuracy = add_rows(recall[tally$own > 0, ,
                                                drop = FALSE]) /
                sum(tally$own > 0),
            # 0 where all samples are of one class and predicted to be
            kappa = ifelse(chance / total^2 >= 1, 0,
                           (accuracy - chance / total^2) /
                               (1 - chance / total^2)),
            mcc = {
                scale <- (total^2 - add_rows(tally$given^2)) *
                    (total^2 - sum(tally$own^2))
                # 0 where all are of one class, or predicted to be
                ifelse(scale > 0, (accuracy * total^2 - chance) / sqrt(scale),
                       0)
            },
            auc = vapply(tally$shares, area_under_curve, 0, tally$truth),
            f1 = mean_ratio(2 * tally$right, tally$given + counted, positive),
            precision = mean_ratio(tally$right, tally$given, positive),
            recall = mean_ratio(tally$right, counted, positive)
        )
    }), optional = TRUE)
}

# A user's metric of classes: of equally probable ones the first is predicted.
judge_classes <- function(found, metric, truth, levels) {
    given <- list(truth = factor(truth, levels), estimate = found)
    if (is.matrix(found)) {
        at <- max.col(round(found, 12L), ties.method = "first")
        given$estimate <- colnames(found)[at]
        given$probability <- matrix(0, nrow(found), length(levels),
                                    dimnames = list(NULL, levels))
        given$probability[, colnames(found)] <- found
    }
    given$estimate <- factor(given$estimate, levels)
    call_metric(metric, given)
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
            share <- if (high %in% colnames(shares)) shares[, high] else
                numeric(length(truth))
            probability_above(share[truth == high], share[truth == low])
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
