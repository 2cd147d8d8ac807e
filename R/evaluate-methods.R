# Several methods or rankings beside each other.

# ==== methods =================================================================

# Methods for evaluations over several runs.

# The standard error of a mean over runs, of each `curve`; of a matrix, which
# has a row for each run, of each column. Splits share samples, so what they say
# is not independent: runs of one split are averaged, and the variance of the
# mean of J splits is their variance times 1 / J + test / training samples
# (Nadeau and Bengio 2003). NA for one split.
corrected_error <- function(values, split, ratio,
                            curve = as.vector(col(as.matrix(values)))) {
    half <- interaction(rep_len(split, length(curve)), curve, drop = TRUE)
    means <- rowsum(as.vector(values), half) / tabulate(half)
    parts <- split(means, curve[match(levels(half), half)])
    error <- sqrt(1 / lengths(parts) + ratio)
    unname(vapply(parts, stats::sd, 0) * error)
}

# Means over the runs, their standard deviation and error.
average_splits <- function(x) {
    table <- as.data.frame(x)
    ratio <- attr(x, "ratio") %||% NA_real_
    key <- interaction(table$features, table$ranking, drop = TRUE)
    out <- table[match(levels(key), key), c("ranking", "features")]
    rownames(out) <- NULL
    for (measure in names(metrics_of(x))) {
        parts <- split(table[[measure]], key)
        out[[measure]] <- vapply(parts, mean, 0)
        out[[paste0(measure, "_sd")]] <- vapply(parts, stats::sd, 0)
        out[[paste0(measure, "_se")]] <- corrected_error(
            table[[measure]], table$split, ratio, key)
    }
    out
}

#' @rdname ranking_evaluation
#' @export
print.method_evaluation <- function(x, ...) {
    check_columns(x, "ranking", "x", "evaluate_method()")
    draws <- attr(x, "draws")
    cat("<method_evaluation> ",
        count_noun(length(unique(x$ranking)), "ranker"), ", ",
        count_noun(attr(x, "splits"), "split"),
        if (draws > 1) paste0(", ", draws, " draws of constraints each"),
        "\n", sep = "")
    cat_lines(attr(x, "split_by"))
    dropped <- attr(x, "dropped")
    if (!is.null(dropped)) {
        cat("  constraints across the split or among test samples: ",
            format(mean(dropped), digits = 3L), " dropped on average\n",
            sep = "")
    }
    print_means(average_splits(x), summary(x), main_metric(x))
    invisible(x)
}

# A line per ranking, best first: the mean over all numbers of features and the
# difference to the best, each with its standard error; the mean with some
# numbers of features; and the smallest number within one standard error.
print_means <- function(middle, facts, measure) {
    reference <- facts$ranking == attr(facts, "reference")
    but_reference <- function(values) ifelse(reference, "", shown_value(values))
    names <- fit_width(as.character(facts$ranking), 24L)
    # Some numbers of features, as many as fit.
    counts <- shown_counts(c(1, 5, 20, 100), middle$features)
    counts <- utils::head(counts, max(1L, (37L - max(nchar(names), 8L)) %/% 7L))
    cat_cells(measure, names, c("mean", shown_value(facts$mean)),
              c("se", shown_value(facts$se)),
              c("to best", but_reference(facts$difference)),
              c("se", but_reference(facts$difference_se)),
              shown_values(middle, measure, facts$ranking, counts, "n = "),
              format(c("1 se", facts$features_1se)))
    cat("  se: corrected for splits that overlap; to best: mean difference on ",
        "the same\n  runs; 1 se: features within one se of the best n. ",
        "summary() and plot() show\n  more.\n", sep = "")
}

#' @rdname ranking_evaluation
#' @exportS3Method
as.data.frame.method_evaluation <- as.data.frame.ranking_evaluation

#' @rdname ranking_evaluation
#' @export
summary.method_evaluation <- function(object, reference = NULL, metric = NULL,
                                      ...) {
    metric <- if (is.null(metric)) main_metric(object) else
        vapply(metric, check_choice, "", names(metrics_of(object)), "metric",
               USE.NAMES = FALSE)
    table <- if (length(metric) == 1L) {
        compare_rankers(object, metric, reference)
    } else {
        do.call(rbind, lapply(metric, function(one) {
            data.frame(metric = one, compare_rankers(object, one, reference))
        }))
    }
    structure(table, splits = length(unique(object$split)),
              class = c("evaluation_summary", "data.frame"))
}

# A row per ranking, best first, of one metric. Attribute `reference`: the
# ranking that the others are compared with. average(values): of a run.
compare_rankers <- function(object, measure, reference, average = mean) {
    check_columns(object, "ranking", "object", "evaluate_method()")
    table <- as.data.frame(object)
    run <- interaction(table$draw, table$split, drop = TRUE)
    means <- tapply(table[[measure]], list(run, table$ranking), average)
    lower <- metrics_of(object)[[measure]]
    better <- if (lower) -1 else 1
    rankings <- colnames(means)
    order <- order(-better * colMeans(means))
    reference <- if (is.null(reference)) rankings[order[1L]] else
        check_choice(reference, rankings, "reference")
    split <- table$split[match(rownames(means), run)]
    ratio <- attr(object, "ratio") %||% NA_real_
    gap <- means - means[, reference]
    sd <- unname(apply(means, 2L, stats::sd))
    out <- data.frame(ranking = factor(rankings, levels(table$ranking)),
                      mean = unname(colMeans(means)),
                      sd = sd, se = corrected_error(means, split, ratio),
                      run_se = sd / sqrt(nrow(means)),
                      difference = unname(colMeans(gap)),
                      difference_se = corrected_error(gap, split, ratio),
                      best_counts(average_splits(object), measure, lower)[3:5],
                      rank_sum = unname(rank_sum(unclass(better * means))))
    out <- out[order, ]
    rownames(out) <- NULL
    structure(out, reference = reference)
}

#' @rdname ranking_evaluation
#' @export
print.evaluation_summary <- function(x, ...) {
    short <- c(difference = "diff", difference_se = "diff_se", features = "n",
               features_1se = "n_1se", rank_sum = "ranks")
    table <- as.data.frame(x)
    real <- intersect(names(table), c("mean", "sd", "se", "difference",
                                      "difference_se", "best"))
    table[real] <- lapply(table[real], formatC, digits = 3L, format = "f")
    if (!all(c("ranking", names(short)) %in% names(table))) {
        # some columns of a summary
        print(table, row.names = FALSE)
        return(invisible(x))
    }
    table$ranking <- pad_text(fit_width(as.character(table$ranking), 24L))
    table$run_se <- NULL
    names(table)[match(names(short), names(table))] <- short
    metric <- table$metric %||% rep("", nrow(table))
    table$metric <- NULL
    for (one in unique(metric)) {
        if (nzchar(one)) cat(one, "\n", sep = "")
        print(table[metric == one, ], row.names = FALSE)
    }
    cat("se: corrected for splits that overlap; diff: mean difference to the ",
        "reference\non the same runs; best: the best mean of any n, chosen on ",
        "the same splits, so\ntoo good; n: its features; n_1se: fewest within ",
        "one se of it; ranks: rank sum.\n", sep = "")
    if (any(attr(x, "splits") == 2:4))
        cat("Fewer than 5 splits: an interval needs the factor of t.\n")
    invisible(x)
}

# Of each ranking the mean over all numbers of features, the best value, its
# number of features, and the smallest number of features whose value is within
# one standard error of it, where there is one.
best_counts <- function(middle, measure, lower) {
    rows <- lapply(split(middle, middle$ranking), function(own) {
        value <- own[[measure]]
        # NA where a user's metric has no value
        at <- c(if (lower) which.min(value) else which.max(value), NA)[1L]
        margin <- (own[[paste0(measure, "_se")]] %||% NA)[at]
        near <- abs(value - value[at]) <= if (is.na(margin)) 0 else margin
        data.frame(ranking = own$ranking[1L], mean = mean(value),
                   best = value[at], features = own$features[at],
                   features_1se = min(own$features[near]))
    })
    do.call(rbind, unname(rows))
}

# Sums over the runs, in rows, of the rank of each method, 1 for the best: (40)
# of Salmi et al. (2020). Equal values get the smallest of their ranks.
rank_sum <- function(accuracy) {
    ranks <- apply(-as.matrix(accuracy), 1L, rank, ties.method = "min")
    stats::setNames(rowSums(matrix(ranks, ncol(accuracy))), colnames(accuracy))
}

# ==== rankings ================================================================

# Comparison of rankings with each other.

#' Compare a ranking with a target ranking
#'
#' Measures how well the first features of a ranking, such as from a few pairs,
#' agree with those of a target, such as from all labels.
#'
#' @param ranking A `feature_ranking`.
#' @param target Another one of the same features.
#' @param n How many of the first features of `target` count, from 1; one or
#'   several numbers. `NULL`: 50, or all where there are fewer.
#' @param measure `"precision"` or `"distance"`.
#'
#' @return A number for each of `n`.
#' * `"precision"`: the proportion of the first `n` features of `target` that
#'   are among the first `n` of `ranking`, from 0 to 1, higher is better (4.16).
#' * `"distance"`: the sum over the first `n` features of `target` of the
#'   absolute difference of their two ranks, divided by the largest possible sum
#'   over all features, that of a reversed ranking (4.17, 4.18); 0 is best.
#'
#' @details Both take the full rankings, so `n` must not exceed their features.
#' With a single feature the distance is 0.
#'
#' @references Hijazi, S. (2019). PhD thesis, NNT 2019DUNK0546. Section 4.6.3.
#'
#' @examples
#' x <- log2(colon$x)
#' set.seed(1)
#' few <- relieff_sc(x, constraints_from_labels(colon$tissue,
#'     cannot_link = 10, must_link = 10))
#' all <- relieff_sc(x, constraints_from_labels(colon$tissue))
#' compare_rankings(few, all, c(10, 50))
#' compare_rankings(few, all, 50, measure = "distance")
#' @export
compare_rankings <- function(ranking, target, n = NULL,
                             measure = c("precision", "distance")) {
    measure <- check_choice(measure)
    n <- check_pair_of_rankings(ranking, target, n %||% min(50, nrow(target)))
    place <- match(target$feature, ranking$feature)
    if (measure == "precision") {
        return(vapply(n, function(count) mean(place[seq_len(count)] <= count),
                      0))
    }
    order <- seq_along(place)
    largest <- sum(abs(order - rev(order)))
    if (largest == 0) numeric(length(n)) else
        cumsum(abs(place - order))[n] / largest
}

check_pair_of_rankings <- function(ranking, target, n) {
    check_ranking(ranking)
    check_ranking(target, "target")
    other <- c(setdiff(target$feature, ranking$feature),
               setdiff(ranking$feature, target$feature))
    refuse_if(length(other), "`ranking` and `target` must contain the same ",
              "features, but only one of them has ", quote_values(other), ".")
    if (length(n) < 2L) return(check_count(n, "n", 1, nrow(target)))
    vapply(n, check_count, 0, name = "n", lower = 1, upper = nrow(target))
}

# ==== redundancy ==============================================================

# Redundancy of a set of features.

#' Redundancy of a set of features
#'
#' The redundancy rate is the average correlation of two features;
#' representation entropy is large when the variance is distributed evenly over
#' independent directions.
#'
#' @param ... Arguments of [prepare_data()], by name: `na.action`, `by`,
#'   `assay.type`, `threads`, `progress`.
#' @param x Data with the selected features only, such as
#'   `keep_features(x, ranking, 20)`.
#' @param measure `"rate"` or `"entropy"`.
#' @param absolute For the rate: average the absolute correlations?
#'
#' @return A number.
#' * `"rate"`: as published, from -1/2 to 1/2; with `absolute = TRUE`, from 0
#'   to 1. Lower is less redundant.
#' * `"entropy"`: from 0 (all variance in one direction) to the logarithm of the
#'   number of features (all directions alike).
#'
#' @details Representation entropy is H_R = - sum over j of l_j log l_j, with
#'   l_j the eigenvalues of the covariance matrix of the features, scaled by
#'   their range, divided by their sum; 0 log 0 is 0, and so is the entropy of
#'   constant features.
#'
#' The redundancy rate of d features is the sum of the correlations of all pairs
#' i > j, divided by d (d - 1) as published, which is half the mean; positive
#' and negative ones cancel. `absolute = TRUE` gives the mean absolute
#' correlation, to compare selections. With a constant feature it counts as 0; a
#' single feature has rate 0.
#'
#' *Cost.* The rate: n p^2 operations. The entropy: n p min(n, p).
#'
#' @section Errors: As [feature_graph()]; `linkrank_error_argument` for
#'   `absolute = TRUE` with `"entropy"`.
#'
#' @references Mitra, P., Murthy, C. A. and Pal, S. K. (2002). *IEEE TPAMI*, 24,
#'   301-312. \doi{10.1109/34.990133}
#'
#' Hijazi, S. (2019). PhD thesis, NNT 2019DUNK0546. Section 3.4.
#'
#' @seealso [diversify_ranking()], [fcrsc()]
#' @examples
#' x <- log2(colon$x)
#' set.seed(1)
#' links <- constraints_from_labels(colon$tissue, cannot_link = 10,
#'                                  must_link = 0)
#' genes <- relieff_sc(x, links)
#' small <- keep_features(x, genes, 20)
#' redundancy(small, absolute = TRUE)
#' redundancy(small, measure = "entropy")
#'
#' varied <- diversify_ranking(genes, x)
#' redundancy(keep_features(x, varied, 20), absolute = TRUE)
#' @export
redundancy <- function(x, ..., measure = c("rate", "entropy"),
                       absolute = FALSE) {
    measure <- check_choice(measure)
    absolute <- check_flag(absolute, "absolute")
    refuse_unused("measure", measure, list(rate = "absolute"))
    data <- prepared(x, ..., uses = "na.action")
    if (measure == "rate") mean_correlation(data, absolute) else
        direction_entropy(data)
}

direction_entropy <- function(data) {
    check_scaled_bytes(data$n, min(data$n, data$p))
    cells <- scaled_data(data, scale = "range", numbers = TRUE)
    values <- eigen(product_matrix(cells), symmetric = TRUE,
                    only.values = TRUE)$values
    values <- pmax(values, 0)
    proportion <- values[values > 0] / max(sum(values), 1e-300)
    -sum(proportion * log(proportion))
}

# U U' or U'U, whichever is smaller, of the range-scaled, centred features: its
# eigenvalues are proportional to those of the covariance matrix.
product_matrix <- function(cells) {
    data <- cells$data
    centred <- function(columns) {
        u <- read_scaled(data, cells$scaling, columns)
        sweep(u, 2L, colMeans(u))
    }
    if (data$p <= data$n) return(crossprod(centred(seq_len(data$p))))
    products <- 0
    per_block <- max(1, floor(2^21 / data$n))
    for (first in seq(1, data$p, by = per_block)) {
        columns <- seq(first, min(first + per_block - 1, data$p))
        products <- products + tcrossprod(centred(columns))
    }
    products
}

mean_correlation <- function(data, absolute) {
    check_scaled_bytes(data$n, data$p)
    cells <- scaled_data(data, scale = "range", numbers = TRUE)
    if (data$p == 1) return(0)
    sums <- .Call(C_correlation_sums, cells$data, cells$scaling,
                  seq_len(data$p), data$control)
    pairs <- data$p * (data$p - 1)
    if (absolute) sums[2L] / (pairs / 2) else sums[1L] / pairs
}
