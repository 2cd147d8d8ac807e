# Methods for evaluations over several runs.

# The standard error of a mean over runs, of each column of `values`, a row a
# run. Splits share samples, so what they say is not independent: runs of one
# split are averaged, and the variance of the mean of J splits is their variance
# times 1 / J + test / training samples (Nadeau and Bengio 2003). NA for one
# split.
corrected_error <- function(values, split, ratio) {
    means <- rowsum(values, split) / as.vector(table(split))
    unname(apply(means, 2L, stats::sd)) * sqrt(1 / nrow(means) + ratio)
}

# Means over the runs, their standard deviation and error.
average_splits <- function(x) {
    table <- as.data.frame(x)
    ratio <- attr(x, "ratio") %||% NA_real_
    key <- interaction(table$features, table$ranking, drop = TRUE)
    first <- match(levels(key), key)
    out <- table[first, c("ranking", "features")]
    rownames(out) <- NULL
    for (measure in names(metrics_of(x))) {
        parts <- split(table[[measure]], key)
        out[[measure]] <- vapply(parts, mean, 0)
        out[[paste0(measure, "_sd")]] <- vapply(parts, stats::sd, 0)
        out[[paste0(measure, "_se")]] <- mapply(
            corrected_error, parts, split(table$split, key), ratio,
            USE.NAMES = FALSE
        )
    }
    out
}

#' @rdname ranking_evaluation
#' @export
print.method_evaluation <- function(x, ...) {
    splits <- attr(x, "splits")
    draws <- attr(x, "draws")
    cat("<method_evaluation> ", count_noun(nlevels(x$ranking), "ranker"),
        ", ", count_noun(splits, "split"),
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
    shown <- intersect(c(1, 5, 20, 100), middle$features)
    shown <- if (length(shown)) shown else unique(range(middle$features))
    counts <- utils::head(shown, max(1L, (80L - 43L -
                                              max(nchar(names), 8L)) %/% 7L))
    cells <- cbind(c("mean", shown_value(facts$mean)),
                   c("se", shown_value(facts$se)),
                   c("to best", but_reference(facts$difference)),
                   c("se", but_reference(facts$difference_se)),
                   rbind(paste("n =", counts), shown_values(
                       middle, measure, facts$ranking, counts)),
                   c("1 se", facts$features_1se))
    cells[, ncol(cells)] <- format(cells[, ncol(cells)])
    cells <- cbind(pad_text(c(measure, names)),
                   apply(cells, 2L, format, justify = "right"))
    cat(row_lines(cells), sep = "\n")
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
    structure(table, class = c("evaluation_summary", "data.frame"))
}

# A row per ranking, best first, of one metric. Attribute `reference`: the
# ranking that the others are compared with. average(values): of a run.
compare_rankers <- function(object, measure, reference, average = mean) {
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
    out <- data.frame(ranking = factor(rankings, levels(table$ranking)),
                      mean = unname(colMeans(means)),
                      sd = unname(apply(means, 2L, stats::sd)),
                      se = corrected_error(means, split, ratio),
                      run_se = unname(apply(means, 2L, stats::sd)) /
                          sqrt(nrow(means)),
                      difference = unname(colMeans(gap)),
                      difference_se = corrected_error(gap, split, ratio),
                      best_counts(average_splits(object), measure, lower),
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
    parts <- if (is.null(table$metric)) list(table) else
        split(table, factor(table$metric, unique(table$metric)))
    for (part in parts) {
        if (!is.null(part$metric)) {
            cat(part$metric[1L], "\n", sep = "")
        }
        part$metric <- NULL
        print(part, row.names = FALSE)
    }
    cat("se: corrected for splits that overlap; diff: mean difference to the ",
        "reference\non the same runs; best: the best mean of any n, chosen on ",
        "the same splits, so\ntoo good; n: its features; n_1se: fewest within ",
        "one se of it; ranks: rank sum.\n", sep = "")
    invisible(x)
}

# The best mean of each ranking, its number of features, and the smallest number
# of features whose mean is within one standard error of it.
best_counts <- function(middle, measure, lower) {
    rows <- lapply(split(middle, middle$ranking), function(own) {
        at <- best_place(own[[measure]], lower)
        margin <- own[[paste0(measure, "_se")]][at]
        margin <- if (is.na(margin)) 0 else margin
        near <- abs(own[[measure]] - own[[measure]][at]) <= margin
        data.frame(best = own[[measure]][at], features = own$features[at],
                   features_1se = min(own$features[near]))
    })
    out <- do.call(rbind, rows)
    rownames(out) <- NULL
    out
}

# Sums over the runs, in rows, of the rank of each method, 1 for the best: (40)
# of Salmi et al. (2020). Equal values get the smallest of their ranks.
rank_sum <- function(accuracy) {
    ranks <- apply(-as.matrix(accuracy), 1L, rank, ties.method = "min")
    stats::setNames(rowSums(matrix(ranks, ncol(accuracy))), colnames(accuracy))
}
