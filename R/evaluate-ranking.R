# evaluate_ranking(): how well the best features of a ranking classify.

#' Accuracy of a classifier along a ranking
#'
#' Trains a classifier on the best feature, on the best two, and so on, and
#' counts how many test samples it gets right: a ranking is good when few of its
#' features suffice. Rank on the training samples only, or the accuracy is too
#' good to be true.
#'
#' @param ranking A [`feature_ranking`][feature_ranking].
#' @param train,test Training and test data with the ranked features: see
#'   [relieff_sc()]; of the same class, without missing values.
#' @param y,y_test Their class labels; samples with `NA` are left out.
#' @param classifier `NULL` for the nearest neighbour, or a function of `train`
#'   (some features of the training data, best first, of the same class as
#'   `train`), `y` (a factor) and `test` that returns the predicted class of
#'   each test sample.
#' @param n Numbers of best features to evaluate at; `NULL` for 1, 2, ... up to
#'   all of them.
#' @param assay.type Which assay of a SummarizedExperiment or ExpressionSet.
#' @param ... Must be empty.
#' @param x What `evaluate_ranking()` returned.
#' @param main,xlab,ylab Graphical parameters; further ones in `...`.
#'
#' @return A data.frame of class `ranking_evaluation` with a row for each of `n`
#'   and columns `features` (how many) and `accuracy` (share of right
#'   predictions, from 0 to 1). `print()` shows its mean over the first half of
#'   the ranking and its maximum, `plot()` draws the curve.
#'
#' @details The nearest neighbour is Euclidean, on features scaled by the range
#'   that they have in the training samples (a feature constant there counts
#'   nothing; factors differ by 0 or 1); of equally near training samples the
#'   first one counts. Distances grow by one feature at a time, in order of the
#'   ranking, so that the whole curve costs as much as its last point: samples in
#'   `train` times samples in `test` times features.
#'
#' @section Errors: `linkrank_error_argument` when labels and samples differ in
#'   number, when a ranked feature is lacking, when the classifier returns
#'   another number of predictions; `linkrank_error_input` for `train` and
#'   `test`.
#'
#' @seealso [split_half()]
#' @examples
#' set.seed(1)
#' half <- split_half(colon$tissue)
#' train <- colon$x[half$train, ]
#' links <- active_constraints(train, colon$tissue[half$train], n = 20)
#' curve <- evaluate_ranking(relieff_sc(train, links), train,
#'                           colon$tissue[half$train], colon$x[half$test, ],
#'                           colon$tissue[half$test], n = 1:100)
#' curve
#' plot(curve)
#' @export
evaluate_ranking <- function(ranking, train, y, test, y_test,
                             classifier = NULL, n = NULL, assay.type = 1L,
                             ...) {
    check_dots_empty(...)
    check_ranking(ranking)
    counts <- check_counts(n, nrow(ranking))
    if (!is.null(classifier) && !is.function(classifier)) {
        abort_linkrank("`classifier` must be a function of `train`, `y` and ",
                       "`test`, not ", describe_class(classifier), ".",
                       class = "argument")
    }
    y <- as_class_labels(y, "y")
    y_test <- as_class_labels(y_test, "y_test")
    predicted <- if (is.null(classifier)) {
        predict_nearest(ranking, train, y, test, y_test, counts, assay.type)
    } else {
        predict_by(classifier, ranking, train, y, test, y_test, counts)
    }
    truth <- as.character(y_test)
    accuracy <- colMeans(predicted == truth, na.rm = TRUE)
    structure(data.frame(features = counts, accuracy = accuracy),
              ranked = nrow(ranking), label = attr(ranking, "info")$label,
              class = c("ranking_evaluation", "data.frame"))
}

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
    sort(unique(as.integer(n)))
}

check_labels_length <- function(y, samples, name, data_name) {
    if (length(y) != samples) {
        abort_linkrank("`", name, "` must hold one label per sample, but it ",
                       "has ", length(y), " and `", data_name, "` has ",
                       samples, " samples.", class = "argument")
    }
    if (all(is.na(y))) {
        abort_linkrank("`", name, "` must hold a known label, but all ",
                       length(y), " are NA.", class = "argument")
    }
}

# A matrix of predicted classes: test samples x counts.
predict_nearest <- function(ranking, train, y, test, y_test, counts,
                            assay.type) {
    cells <- ranked_cells(ranking, max(counts), train, test, assay.type)
    check_labels_length(y, nrow(cells$train), "y", "train")
    check_labels_length(y_test, nrow(cells$test), "y_test", "test")
    known <- which(!is.na(y))
    square <- matrix(0, nrow(cells$test), length(known))
    predicted <- matrix("", nrow(cells$test), length(counts))
    for (f in seq_len(max(counts))) {
        difference <- outer(cells$test[, f], cells$train[known, f], "-")
        square <- square + if (cells$category[f]) difference != 0 else
            difference^2
        at <- match(f, counts)
        if (!is.na(at)) {
            nearest <- max.col(-square, ties.method = "first")
            predicted[, at] <- as.character(y[known])[nearest]
        }
    }
    predicted
}

# The best features, best first, scaled by their range in the training samples.
ranked_cells <- function(ranking, count, train, test, assay.type) {
    rows <- NULL
    if (is.data.frame(train) && is.data.frame(test)) {
        # together, so that factors have the same codes
        common <- intersect(names(train), names(test))
        rows <- seq_len(nrow(train))
        train <- rbind(as.data.frame(train)[common],
                       as.data.frame(test)[common], make.row.names = FALSE)
    }
    read <- function(x) {
        data <- as_feature_data(x, assay.type)
        places <- feature_places(data$features, data$p, ranking, count)
        sorted <- sort(places)
        cells <- .Call(C_read_features, data, as.integer(sorted))
        list(cells = cells[, match(places, sorted), drop = FALSE],
             category = feature_scaling(data, "range")$category[places])
    }
    one <- read(train)
    if (is.null(rows)) {
        own <- one$cells
        other <- read(test)$cells
    } else {
        own <- one$cells[rows, , drop = FALSE]
        other <- one$cells[-rows, , drop = FALSE]
    }
    low <- apply(own, 2L, min)
    range <- apply(own, 2L, max) - low
    scaled <- function(cells) {
        divisor <- ifelse(range > 0, ifelse(one$category, 1, range), Inf)
        sweep(sweep(cells, 2L, low), 2L, divisor, "/")
    }
    list(train = scaled(own), test = scaled(other), category = one$category)
}

predict_by <- function(classifier, ranking, train, y, test, y_test, counts) {
    known <- !is.na(y)
    pick <- function(x, rows) {
        by_column <- methods::is(x, "SummarizedExperiment") ||
            methods::is(x, "ExpressionSet")
        if (by_column) x[, rows] else x[rows, , drop = FALSE]
    }
    vapply(counts, function(count) {
        part <- select_features(train, ranking, count)
        samples <- if (nrow(part) == length(y)) nrow(part) else ncol(part)
        check_labels_length(y, samples, "y", "train")
        given <- classifier(pick(part, known), y[known],
                            select_features(test, ranking, count))
        if (length(given) != length(y_test)) {
            abort_linkrank("`classifier` must return a class for each of the ",
                           length(y_test), " test samples, not ",
                           length(given), " values.", class = "argument")
        }
        as.character(given)
    }, character(length(y_test)))
}

# Mean accuracy over the first half of the ranking, as far as it was evaluated.
first_half <- function(x) {
    half <- x$features <= max(attr(x, "ranked") / 2, min(x$features))
    mean(x$accuracy[half])
}

#' @export
print.ranking_evaluation <- function(x, ...) {
    best <- which.max(x$accuracy)
    cat("<ranking_evaluation> ", attr(x, "label"), ", 1 to ",
        count_noun(max(x$features), "feature"), "\n", sep = "")
    cat("  mean accuracy over the first half of the ranking ",
        formatC(first_half(x), digits = 3L, format = "f"), "\n",
        "  largest ", formatC(x$accuracy[best], digits = 3L, format = "f"),
        " with ", count_noun(x$features[best], "feature"), "\n", sep = "")
    invisible(x)
}

#' @rdname evaluate_ranking
#' @exportS3Method
plot.ranking_evaluation <- function(x, main = NULL, xlab = "Best features",
                                    ylab = "Accuracy", ...) {
    if (is.null(main)) {
        main <- paste0(attr(x, "label"), ": accuracy along the ranking")
    }
    graphics::plot(x$features, x$accuracy, type = "l", main = main,
                   xlab = xlab, ylab = ylab, las = 1, lwd = 1.5, ...)
    best <- which.max(x$accuracy)
    graphics::points(x$features[best], x$accuracy[best], pch = 19)
    graphics::mtext(paste0("largest ", formatC(x$accuracy[best], digits = 3L,
                                               format = "f"), " with ",
                           count_noun(x$features[best], "feature")),
                    side = 3, cex = 0.8, col = "grey30", line = 0.1)
    invisible(x)
}
