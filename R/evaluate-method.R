# Ranking methods judged over repeated splits.

#' Judge ranking methods over repeated splits
#'
#' Splits the samples in halves, ranks on the training half by several methods
#' that all get the same information, classifies the test half with the first
#' features of each ranking, and repeats. One split says little: the spread over
#' splits tells which differences between methods mean something.
#'
#' @param x Data: see [relieff_sc()].
#' @param y Class of each sample; they must all be known.
#' @param rankers Names of methods ([ranking_methods()]), or a named list of
#'   such names and functions. A function gets what its arguments name of `x`,
#'   `y` and `constraints`, the training half, and returns a `feature_ranking`.
#' @param splits Number of splits; for `type = "first"` there is one.
#' @param type See [split_half()].
#' @param cannot_link,must_link How many pairs of each kind are drawn from the
#'   training labels ([constraints_from_labels()]) for methods that rank from
#'   constraints; all methods get the same pairs. `Inf` for both: all of them.
#' @param n,classifier,positive,na.action See [evaluate_ranking()]; `na.action`
#'   is not handed to the rankers.
#' @param threads,progress,... See [relieff_sc()].
#'
#' @return An object of class `method_evaluation` (and `ranking_evaluation`), a
#'   data.frame with a row per split, ranking and number of features: `split`,
#'   `ranking`, `features`, `accuracy`, `precision`, `recall`. `plot()` draws
#'   the means with a band of one standard deviation, `summary()` adds the
#'   spread and the rank sum.
#'
#' @details Each method ranks anew on every training half; test samples are
#' never seen by it. Splits and pairs come from R's random numbers, drawn before
#' any method runs, so methods do not disturb each other's splits. A method that
#' stops with an error ends the evaluation; the message names it.
#'
#' @section Errors: `linkrank_error_argument`: an unknown method, a function
#'   that does not return a ranking, an unknown class in `y`. Also those of
#'   [evaluate_ranking()].
#'
#' @examples
#' set.seed(1)
#' found <- evaluate_method(
#'     colon$x[, 1:200], colon$tissue, splits = 5, n = c(1, 5, 10, 20),
#'     rankers = list(
#'         `ReliefF-Sc` = "relieff_sc",
#'         `one neighbour` = function(x, constraints) relief_sc(x, constraints)
#'     )
#' )
#' found
#' plot(found)
#' @export
evaluate_method <- function(x, y, rankers, splits = 20,
                            type = c("random", "first"), cannot_link = 10,
                            must_link = 0, n = NULL, classifier = NULL,
                            positive = NULL,
                            na.action = c("fail", "mean"),
                            threads = getOption("linkrank.threads", 1L),
                            progress = getOption("linkrank.progress",
                                                 interactive()), ...) {
    check_dots_empty(...)
    run_control(threads, progress)
    type <- check_choice(type, c("random", "first"), "type")
    splits <- if (type == "first") 1 else check_count(splits, "splits")
    samples <- count_samples(x)
    classes <- check_classes(y, "y", samples, "x")
    if (anyNA(classes)) {
        abort_linkrank("`y` must be known for all samples, but that of sample ",
                       which(is.na(classes))[1L], " is NA.",
                       class = "argument")
    }
    rankers <- check_rankers(rankers)
    drawn <- lapply(seq_len(splits), function(split) {
        half <- split_half(classes, type)
        c(half, list(constraints = draw_constraints(
            rankers, classes[half$train], cannot_link, must_link
        )))
    })
    results <- lapply(seq_len(splits), function(split) {
        half <- drawn[[split]]
        train <- take_samples(x, half$train)
        rankings <- run_rankers(rankers, train, classes[half$train],
                                half$constraints, progress)
        found <- evaluate_ranking(
            rankings, train, classes[half$train], take_samples(x, half$test),
            classes[half$test], classifier = classifier, n = n,
            positive = positive, na.action = na.action, threads = threads,
            progress = progress
        )
        cbind(split = split, as.data.frame(found))
    })
    structure(do.call(rbind, results), splits = splits,
              class = c("method_evaluation", "ranking_evaluation",
                        "data.frame"))
}

# ---- rankers ----------------------------------------------------------------

check_rankers <- function(rankers) {
    if (is.function(rankers)) {
        rankers <- list(ranker = rankers)
    }
    if (is.character(rankers) && is.null(names(rankers))) {
        registry <- method_registry()
        names(rankers) <- registry$label[match(rankers, registry$method)]
    }
    rankers <- as.list(rankers)
    if (!length(rankers) || is.null(names(rankers)) ||
        anyDuplicated(names(rankers))) {
        abort_linkrank("`rankers` must be names of methods, or a list that ",
                       "names each ranker differently.", class = "argument")
    }
    for (ranker in rankers) {
        if (!is.function(ranker)) {
            check_method(ranker)
        }
    }
    rankers
}

draw_constraints <- function(rankers, y, cannot_link, must_link) {
    wanted <- vapply(rankers, function(ranker) {
        "constraints" %in% ranker_parts(ranker)
    }, NA)
    if (any(wanted)) constraints_from_labels(y, cannot_link, must_link)
}

run_rankers <- function(rankers, x, y, constraints, progress) {
    given <- list(x = x, y = y, constraints = constraints)
    rankings <- lapply(names(rankers), function(name) {
        ranker <- rankers[[name]]
        parts <- given[names(given) %in% ranker_parts(ranker)]
        ranking <- tryCatch(as_ranker(ranker, names(parts))(parts),
                            error = function(condition) {
                                abort_linkrank("Ranker \"", name, "\": ",
                                               conditionMessage(condition),
                                               class = "argument")
                            })
        if (!inherits(ranking, "feature_ranking")) {
            abort_linkrank("Ranker \"", name, "\" must return a ",
                           "feature_ranking, not ", describe_class(ranking),
                           ".", class = "argument")
        }
        ranking
    })
    stats::setNames(rankings, names(rankers))
}

# ---- print, summary, plot ---------------------------------------------------

# Means and standard deviations over the splits.
average_splits <- function(x) {
    table <- as.data.frame(x)
    key <- interaction(table$features, table$ranking, drop = TRUE)
    first <- match(levels(key), key)
    out <- table[first, c("ranking", "features")]
    rownames(out) <- NULL
    for (measure in c("accuracy", "precision", "recall")) {
        parts <- split(table[[measure]], key)
        out[[measure]] <- vapply(parts, mean, 0)
        out[[paste0(measure, "_sd")]] <- vapply(parts, stats::sd, 0)
    }
    out
}

#' @rdname ranking_evaluation
#' @export
print.method_evaluation <- function(x, ...) {
    cat("<method_evaluation> ", count_noun(nlevels(x$ranking), "ranker"),
        ", ", count_noun(attr(x, "splits"), "split"), "\n", sep = "")
    facts <- summary(x)
    print_accuracies(average_splits(x), facts)
    cat(paste0("  ", format(shorten(as.character(facts$ranking), 24L)),
               "  mean ", formatC(facts$mean, digits = 3L, format = "f"),
               ", sd over splits ",
               formatC(facts$sd, digits = 3L, format = "f")), sep = "\n")
    invisible(x)
}

#' @rdname ranking_evaluation
#' @exportS3Method
as.data.frame.method_evaluation <- function(x, row.names = NULL,
                                            optional = FALSE, ...) {
    attr(x, "splits") <- NULL
    class(x) <- "data.frame"
    x
}

#' @rdname ranking_evaluation
#' @export
summary.method_evaluation <- function(object, ...) {
    table <- as.data.frame(object)
    means <- tapply(table$accuracy, table[c("split", "ranking")], mean)
    middle <- average_splits(object)
    best <- vapply(split(seq_len(nrow(middle)), middle$ranking),
                   function(own) own[which.max(middle$accuracy[own])], 0L)
    data.frame(ranking = factor(colnames(means), levels(table$ranking)),
               mean = unname(colMeans(means)),
               sd = unname(apply(means, 2L, stats::sd)),
               best = middle$accuracy[best], features = middle$features[best],
               rank_sum = unname(rank_sum(unclass(means))))
}

#' @rdname ranking_evaluation
#' @exportS3Method
plot.method_evaluation <- function(x, measure = c("accuracy", "precision",
                                                  "recall"),
                                   main = NULL, xlab = "Features",
                                   ylab = NULL, ...) {
    measure <- check_choice(measure, c("accuracy", "precision", "recall"),
                            "measure")
    if (is.null(main)) {
        main <- paste("Mean over",
                      count_noun(attr(x, "splits"), "split"))
    }
    draw_curves(average_splits(x), measure, paste0(measure, "_sd"), main,
                xlab, ylab, ...)
    invisible(x)
}
