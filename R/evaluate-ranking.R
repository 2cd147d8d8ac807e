# How well the first features of a ranking classify other samples.

#' Judge rankings by classifying other samples
#'
#' Takes the first 1, 2, 3, ... features of one or several rankings, trains a
#' classifier with them and tells how it does on test samples. Rank on training
#' samples only, or the accuracy is too good to be true. The curve shows how many
#' features are worth keeping, and which ranking reaches a given accuracy with
#' fewest.
#'
#' @param ranking A `feature_ranking`, or a named list of them.
#' @param train,test Training and test samples, in any form that
#'   [relieff_sc()] takes. Features are found by name; without names on both
#'   sides, by position.
#' @param y,y_test Their classes. Training samples with `NA` are not used, test
#'   samples with `NA` not counted.
#' @param classifier `NULL`: the nearest neighbour. Else a function
#'   `function(train, y, test)` that gets some features of the training samples,
#'   best first, in the form in which `train` was given and as they are, their
#'   classes, a factor, and the same features of the test samples; it returns a
#'   class for each test sample.
#' @param n Numbers of features to try; by default 1, 2, ... up to all.
#' @param positive Class whose precision and recall are told; `NULL`: their
#'   means over the classes.
#' @param na.action For the nearest neighbour. `"fail"`: missing values are an
#'   error; `"mean"`: the mean over the training samples stands for them.
#' @param assay.type,threads,progress,... See [relieff_sc()].
#'
#' @return An object of class `ranking_evaluation`, a data.frame with one row
#'   per ranking and number of features: `ranking`, `features`, `accuracy`,
#'   `precision`, `recall`, from 0 to 1. `plot()` draws the curves, `summary()`
#'   gives the mean and the best accuracy of each ranking.
#'
#' @details The nearest neighbour of a test sample is the training sample at the
#' least Euclidean distance in the features tried, scaled by their range over
#' the labelled training samples; equally near: the lower row. Distances for
#' more features go on from those for fewer, so a whole curve costs little more
#' than its last point: test samples times training samples times features.
#' Memory: the cells of the features tried, and 16 rows of distances per thread.
#'
#' Precision of a class: the share of the samples predicted to be of it that
#' are; recall: the share of its samples that are predicted. A class that is
#' never predicted counts with precision 0. A factor of more than two levels
#' differs by 0 or 1.
#'
#' @section Errors: `linkrank_error_argument`: a test set that lacks features
#'   (the message names them), classes of another length than the samples, a
#'   classifier that returns another number of classes or `NA`. A class of
#'   `y_test` that is not in `y` can never be right: a warning of class
#'   `linkrank_warning_evaluation` names it.
#'
#' @seealso [split_half()], [evaluate_method()] for repeated splits,
#'   [ranking_stability()]
#' @examples
#' set.seed(1)
#' half <- split_half(colon$tissue)
#' x <- colon$x[half$train, ]
#' y <- colon$tissue[half$train]
#' links <- constraints_from_labels(y, cannot_link = 10, must_link = 10)
#' found <- evaluate_ranking(
#'     list(`ReliefF-Sc` = relieff_sc(x, links),
#'          `Relief-Sc` = relief_sc(x, links)),
#'     x, y, colon$x[half$test, ], colon$tissue[half$test]
#' )
#' found
#' summary(found)
#' plot(found)
#' @export
evaluate_ranking <- function(ranking, train, y, test, y_test,
                             classifier = NULL, n = NULL, positive = NULL,
                             na.action = c("fail", "mean"), assay.type = 1L,
                             threads = getOption("linkrank.threads", 1L),
                             progress = getOption("linkrank.progress",
                                                  interactive()), ...) {
    check_dots_empty(...)
    control <- run_control(threads, progress)
    na.action <- check_choice(na.action, c("fail", "mean"), "na.action")
    rankings <- check_rankings(ranking)
    check_classifier(classifier)
    halves <- read_halves(train, test, assay.type, na.action, progress)
    y <- check_classes(y, "y", halves$n_train, "train")
    y_test <- check_classes(y_test, "y_test", halves$n_test, "test")
    warn_absent_classes(y, y_test)
    positive <- check_positive_class(positive, y_test)
    curves <- lapply(names(rankings), function(name) {
        counts <- check_counts(n, nrow(rankings[[name]]))
        predicted <- if (is.null(classifier)) {
            predict_nearest(rankings[[name]], halves, y, counts, control)
        } else {
            predict_by(classifier, rankings[[name]], train, y, test,
                       halves$n_test, counts)
        }
        data.frame(ranking = name, features = counts,
                   score_predictions(predicted, y_test, positive))
    })
    new_evaluation(do.call(rbind, curves), halves, rankings)
}

new_evaluation <- function(curves, halves, rankings) {
    curves$ranking <- factor(curves$ranking, names(rankings))
    structure(curves, samples = c(train = halves$n_train,
                                  test = halves$n_test),
              class = c("ranking_evaluation", "data.frame"))
}

# ---- checks -----------------------------------------------------------------

# A named list of rankings.
check_rankings <- function(ranking) {
    if (inherits(ranking, "feature_ranking")) {
        label <- attr(ranking, "info")$label
        return(stats::setNames(list(ranking), label))
    }
    if (!is.list(ranking) || !length(ranking)) {
        abort_linkrank("`ranking` must be a feature_ranking or a named list ",
                       "of them, not ", describe_class(ranking), ".",
                       class = "argument")
    }
    for (one in ranking) {
        check_ranking(one)
    }
    names <- names(ranking)
    if (is.null(names) || any(names == "") || anyDuplicated(names)) {
        abort_linkrank("`ranking` must name its rankings, each differently.",
                       class = "argument")
    }
    ranking
}

check_classifier <- function(classifier) {
    if (!is.null(classifier) && !is.function(classifier)) {
        abort_linkrank("`classifier` must be a function(train, y, test), or ",
                       "NULL for the nearest neighbour, not ",
                       describe_value(classifier), ".", class = "argument")
    }
}

warn_absent_classes <- function(y, y_test) {
    absent <- setdiff(levels(y_test), levels(y))
    if (length(absent)) {
        warn_linkrank("`y` lacks ", if (length(absent) > 1L) "classes " else
            "class ", quote_values(absent), " of `y_test`, so ",
            count_noun(sum(y_test %in% absent), "test sample"),
            " can never be right.", class = "evaluation")
    }
}

check_positive_class <- function(positive, y_test) {
    if (is.null(positive)) {
        return(levels(y_test))
    }
    positive <- as.character(positive)
    if (length(positive) != 1L || !positive %in% levels(y_test)) {
        abort_linkrank("`positive` must be one of the classes of `y_test`, ",
                       quote_values(levels(y_test)), ", not ",
                       describe_value(positive), ".", class = "argument")
    }
    positive
}

# Numbers of features, ascending.
check_counts <- function(n, most) {
    if (is.null(n)) {
        return(seq_len(most))
    }
    ok <- is.numeric(n) && length(n) && !anyNA(n) && all(n == floor(n)) &&
        all(n >= 1 & n <= most)
    if (!ok) {
        abort_linkrank("`n` must be numbers of features from 1 to ", most,
                       ", not ", if (is.numeric(n)) quote_values(n) else
                           describe_value(n), ".", class = "argument")
    }
    as.integer(sort(unique(n)))
}

# ---- the data of both halves ------------------------------------------------

# list(train, test, n_train, n_test, rows, rows_test, names): the data of both
# halves, which may be the same, and the rows of each.
read_halves <- function(train, test, assay.type, na.action, progress) {
    missing <- if (na.action == "mean") "keep" else "fail"
    read <- function(x) as_feature_data(x, assay.type, missing, progress)
    stacked <- stack_samples(train, test)
    if (!is.null(stacked)) {
        data <- read(stacked$all)
        rows <- stacked$train
        rest <- setdiff(seq_len(data$n), rows)
        return(list(train = data, test = data, n_train = length(rows),
                    n_test = length(rest), rows = rows, rows_test = rest,
                    names = list(train = colnames(train),
                                 test = colnames(test))))
    }
    a <- read(train)
    b <- read(test)
    if (any(c(a$kind, b$kind) == "factor")) {
        abort_linkrank("`train` and `test` must both be data.frames when ",
                       "features are factors or text.", class = "argument")
    }
    list(train = a, test = b, n_train = a$n, n_test = b$n,
         rows = seq_len(a$n), rows_test = seq_len(b$n),
         names = list(train = a$features, test = b$features))
}

check_features_there <- function(features, halves) {
    for (half in names(halves$names)) {
        lacking <- setdiff(features, halves$names[[half]])
        if (!is.null(halves$names[[half]]) && length(lacking)) {
            abort_linkrank("`", half, "` must have the features of the ",
                           "ranking, but it lacks ", quote_values(lacking),
                           ".", class = "argument")
        }
    }
}

# list(train, test, counts): the cells of some features in this order, scaled
# over the labelled training samples, which alone are kept; counts: columns
# taken by the first 1, 2, ... features.
scaled_halves <- function(halves, features, known) {
    check_features_there(features, halves)
    places <- match(features, halves$train$features)
    if (anyNA(places)) {
        abort_linkrank("`train` must have the features of the ranking, but it ",
                       "lacks ", quote_values(features[is.na(places)]), ".",
                       class = "argument")
    }
    train <- read_columns(halves$train, places)
    train <- train[halves$rows[known], , drop = FALSE]
    test <- read_columns(halves$test,
                         match(features, halves$test$features))
    test <- test[halves$rows_test, , drop = FALSE]
    low <- apply(train, 2L, min, na.rm = TRUE)
    width <- apply(train, 2L, max, na.rm = TRUE) - low
    scale <- function(cells) {
        u <- (cells - rep(low, each = nrow(cells))) /
            rep(ifelse(width > 0, width, 1), each = nrow(cells))
        u[, width == 0] <- 0
        u
    }
    fill <- colMeans(scale(train), na.rm = TRUE)
    fill_cells <- function(u) {
        gone <- which(is.na(u), arr.ind = TRUE)
        u[gone] <- fill[gone[, 2L]]
        u
    }
    split_levels(fill_cells(scale(train)), fill_cells(scale(test)),
                 halves$train$kind[places] == "factor", features)
}

# Features in any order.
read_columns <- function(data, places) {
    ascending <- sort(places)
    cells <- .Call(C_read_features, data, as.integer(ascending))
    cells[, match(places, ascending), drop = FALSE]
}

# A factor of more than two levels: indicators times sqrt(1/2).
split_levels <- function(train, test, factors, features) {
    colnames(train) <- colnames(test) <- features
    values <- lapply(seq_along(features), function(j) {
        if (factors[j]) sort(unique(c(train[, j], test[, j])))
    })
    wide <- lengths(values) > 2L
    if (!any(wide)) {
        return(list(train = train, test = test, counts = seq_along(features)))
    }
    spread <- function(u) {
        do.call(cbind, lapply(seq_along(features), function(j) {
            if (!wide[j]) return(u[, j, drop = FALSE])
            indicator <- outer(u[, j], values[[j]], "==") * sqrt(0.5)
            colnames(indicator) <- paste0(features[j], ".",
                                          seq_along(values[[j]]))
            indicator
        }))
    }
    list(train = spread(train), test = spread(test),
         counts = cumsum(ifelse(wide, lengths(values), 1L)))
}

# ---- predictions ------------------------------------------------------------

# Predicted class of each test sample (rows) for each number of features.
predict_nearest <- function(ranking, halves, y, counts, control) {
    known <- which(!is.na(y))
    cells <- scaled_halves(halves, top_features(ranking, max(counts)), known)
    nearest <- .Call(C_nearest_along, cells$train, cells$test,
                     as.integer(cells$counts[counts]), control)
    matrix(as.character(y[known])[nearest], halves$n_test)
}

predict_by <- function(classifier, ranking, train, y, test, samples, counts) {
    known <- which(!is.na(y))
    train <- take_samples(train, known)
    predicted <- lapply(counts, function(count) {
        check_predictions(classifier(keep_features(train, ranking, count),
                                     y[known],
                                     keep_features(test, ranking, count)),
                          samples)
    })
    matrix(unlist(predicted), samples)
}

# One row per column of `predicted`.
score_predictions <- function(predicted, truth, positive) {
    known <- !is.na(truth)
    predicted <- predicted[known, , drop = FALSE]
    truth <- as.character(truth)[known]
    precision <- recall <- 0
    for (class in positive) {
        right <- colSums(predicted == class & truth == class)
        precision <- precision + right / pmax(colSums(predicted == class), 1)
        recall <- recall + right / max(sum(truth == class), 1)
    }
    data.frame(accuracy = colMeans(predicted == truth),
               precision = precision / length(positive),
               recall = recall / length(positive))
}

# ---- print, summary, plot ---------------------------------------------------

#' Methods for evaluations
#'
#' @param x,object What [evaluate_ranking()] or [evaluate_method()] returned.
#' @param measure `"accuracy"`, `"precision"` or `"recall"`.
#' @param main,xlab,ylab Titles of the plot.
#' @param row.names,optional Unused.
#' @param ... Graphical parameters for `plot()`, else unused.
#'
#' @return `plot()` and `print()` return their argument, invisibly;
#'   `as.data.frame()` the plain table; `summary()` a data.frame with a row per
#'   ranking: the mean accuracy over all numbers of features, the best accuracy
#'   and the least number of features that reaches it; after
#'   [evaluate_method()] also the spread over the splits (`sd`) and the rank sum
#'   of the mean accuracies.
#' @examples
#' set.seed(1)
#' half <- split_half(colon$tissue)
#' x <- colon$x[half$train, ]
#' links <- constraints_from_labels(colon$tissue[half$train], 10, 10)
#' found <- evaluate_ranking(relieff_sc(x, links), x,
#'                           colon$tissue[half$train], colon$x[half$test, ],
#'                           colon$tissue[half$test])
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
    print_accuracies(x, summary(x))
    cat("  plot() draws the curves, as.data.frame() gives all values.\n")
    invisible(x)
}

# A line per ranking: accuracies at some numbers of features, and the best.
print_accuracies <- function(curves, facts) {
    shown <- intersect(c(1, 2, 5, 10, 20, 50, 100), curves$features)
    shown <- if (length(shown)) shown else
        unique(range(curves$features))
    # as many as 80 columns hold beside names and best
    names <- shorten(as.character(facts$ranking), 24L)
    most <- (60 - max(nchar(names), 13L)) %/% 7
    if (length(shown) > most) {
        shown <- shown[round(seq(1, length(shown), length.out = most))]
    }
    cells <- vapply(shown, function(count) {
        own <- curves[curves$features == count, ]
        formatC(own$accuracy[match(facts$ranking, own$ranking)],
                digits = 3L, format = "f")
    }, character(nrow(facts)))
    table <- cbind(format(c("accuracy with", names)),
        format(rbind(shown, matrix(cells, nrow(facts))), justify = "right"),
        format(c("best", paste0(formatC(facts$best, digits = 3L, format = "f"),
                                " with ", facts$features)),
               justify = "left"))
    cat(sub(" +$", "", apply(table, 1L, function(row) {
        paste0("  ", paste(row, collapse = "  "))
    })), sep = "\n")
}

#' @rdname ranking_evaluation
#' @exportS3Method
as.data.frame.ranking_evaluation <- function(x, row.names = NULL,
                                             optional = FALSE, ...) {
    attr(x, "samples") <- NULL
    class(x) <- "data.frame"
    x
}

#' @rdname ranking_evaluation
#' @export
summary.ranking_evaluation <- function(object, ...) {
    table <- as.data.frame(object)
    rows <- lapply(split(table, table$ranking), function(own) {
        best <- which.max(own$accuracy)
        data.frame(ranking = own$ranking[1L], mean = mean(own$accuracy),
                   best = own$accuracy[best], features = own$features[best])
    })
    out <- do.call(rbind, rows)
    rownames(out) <- NULL
    out
}

#' @rdname ranking_evaluation
#' @exportS3Method
plot.ranking_evaluation <- function(x, measure = c("accuracy", "precision",
                                                   "recall"),
                                    main = NULL, xlab = "Features",
                                    ylab = NULL, ...) {
    measure <- check_choice(measure, c("accuracy", "precision", "recall"),
                            "measure")
    draw_curves(as.data.frame(x), measure, NULL, main, xlab, ylab, ...)
    invisible(x)
}

curve_colours <- c("#1b6ca8", "#b2182b", "#3a7d44", "#8e5ea2", "#d98200",
                   "#444444", "#00808a", "#a0522d", "#c2589a", "#7a7a00")

# Curves of one measure by number of features; `spread`: the name of a column to
# shade around them, or NULL.
draw_curves <- function(table, measure, spread, main, xlab, ylab, ...) {
    rankings <- levels(table$ranking)
    colours <- rep_len(curve_colours, length(rankings))
    types <- rep(seq_len(6L), each = length(curve_colours),
                 length.out = length(rankings))
    # more bands than a few would hide each other
    if (length(rankings) > 4L) spread <- NULL
    width <- if (is.null(spread)) 0 else table[[spread]]
    limits <- range(table[[measure]] - width, table[[measure]] + width,
                    na.rm = TRUE)
    if (is.null(main)) main <- "Classification of test samples"
    if (is.null(ylab)) {
        ylab <- paste0(toupper(substr(measure, 1L, 1L)),
                       substring(measure, 2L))
    }
    graphics::plot(range(table$features), limits, type = "n", main = main,
                   xlab = xlab, ylab = ylab, las = 1, ...)
    parts <- split(table, table$ranking)
    if (!is.null(spread)) {
        for (k in seq_along(parts)) {
            draw_band(parts[[k]], measure, spread, colours[k])
        }
    }
    for (k in seq_along(parts)) {
        single <- nrow(parts[[k]]) == 1L
        graphics::lines(parts[[k]]$features, parts[[k]][[measure]],
                        type = if (single) "p" else "l", col = colours[k],
                        lty = types[k], lwd = 2, pch = 19)
    }
    graphics::legend("bottomright", legend = shorten(rankings, 24L), lwd = 2,
                     col = colours, lty = types, bty = "n", cex = 0.8,
                     ncol = if (length(rankings) > 8L) 2L else 1L)
}

draw_band <- function(own, measure, spread, colour) {
    middle <- own[[measure]]
    around <- own[[spread]]
    around[is.na(around)] <- 0
    graphics::polygon(c(own$features, rev(own$features)),
                      c(middle - around, rev(middle + around)), border = NA,
                      col = grDevices::adjustcolor(colour, 0.15))
}
