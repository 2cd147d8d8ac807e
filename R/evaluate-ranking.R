# How well the first features of a ranking classify other samples.

#' Evaluate rankings by classification of test samples
#'
#' Takes the first 1, 2, 3, ... features of one or several rankings, trains a
#' classifier with them and reports its accuracy on test samples. Rank on
#' training samples only, otherwise the accuracy is too optimistic. The curve
#' shows how many features to keep, and which ranking reaches a given accuracy
#' with the fewest.
#'
#' @param ranking A `feature_ranking`, or a named list of them.
#' @param train,test Training and test samples, in any form that
#'   [relieff_sc()] takes. Features are found by name; without names on both
#'   sides, by position.
#' @param y,y_test Their classes, or a number to predict. Whole numbers are
#'   classes, unless a metric or a ranking is one of numbers. Training samples
#'   with `NA` are not used, test samples with `NA` not counted.
#' @param classifier `NULL`: the `k` nearest neighbours. Else a function
#'   `function(train, y, test)` that gets the unscaled values of some features
#'   of the training samples, best first, in the form in which `train` was
#'   given; the classes of these samples, a factor (or numbers); and the same
#'   features of the test samples. It returns a class (a number) for each test
#'   sample, or the probabilities of the classes, a matrix with a row per test
#'   sample and a column named by each class. A function with arguments `train`,
#'   `test` and `cl`, such as `knn()` of package \pkg{class}, gets the classes
#'   as `cl`.
#' @param n Numbers of features to try; by default 1, 2, ... up to all.
#' @param positive Class whose precision and recall are reported; `NULL`: their
#'   means over the classes.
#' @param metric Names of metrics, functions, or a named list of both; `NULL`
#'   for the default. Of classes `"accuracy"`, `"balanced_accuracy"`, `"kappa"`,
#'   `"mcc"`, `"auc"`, `"f1"`, `"precision"` and `"recall"` (default: accuracy,
#'   precision and recall); of a numeric outcome `"rmse"` (default), `"mae"` and
#'   `"r2"`; also the names of \pkg{yardstick} (`"roc_auc"`, `"bal_accuracy"`,
#'   `"kap"`, `"f_meas"`, `"rsq"`). A function `function(truth, estimate)` gets
#'   the classes or numbers of the test samples and those predicted, as
#'   `yardstick::f_meas_vec()`, and returns a number, higher is better unless
#'   its attribute `direction` is `"minimize"`. `function(truth, probability)`
#'   gets the matrix of class probabilities. The first metric is the main one,
#'   which `print()`, `summary()` and `plot()` show.
#' @param k Number of nearest neighbours, a whole number from 1; more than there
#'   are means all of them.
#' @param ... Arguments of [prepare_data()], by name: `scale`, `na.action` (both
#'   of the classifier), `assay.type`, `threads`, `progress`.
#' @return An object of class `ranking_evaluation`, a data.frame with one row
#'   per ranking and number of features: `ranking`, `features` and a column per
#'   metric; by default `accuracy`, `precision`, `recall`, from 0 to 1; for a
#'   numeric outcome `rmse`, the root mean squared error. `plot()` draws the
#'   curves, `summary()` gives the mean and the best value of each ranking.
#'
#' @details *Neighbours* are the training samples with the smallest Euclidean
#' distance in the features tried. *Ties* count in equal parts. With `k = 1`,
#' the accuracy of a test sample is the proportion of its nearest training
#' samples (all at exactly the smallest computed distance) that are of its
#' class. This is the expected accuracy when one of them is drawn at random.
#' With larger `k`, training samples nearer than the k-th distance have one vote
#' each, and those at this distance divide the remaining votes equally; the
#' classes with most votes (within 1e-12) divide the prediction. A number is
#' predicted by the mean with the votes as weights. The order of the samples in
#' the data therefore changes no bit of the result.
#'
#' Distances for more features are updated from those for fewer, so a whole
#' curve costs little more than its last point: test samples times training
#' samples times features. Memory: the cells of the features tried, test samples
#' times numbers of features, and 16 rows of distances per thread.
#'
#' Precision of a class is the proportion of correct samples among those
#' predicted to be of it. Recall is the proportion of its samples that are
#' predicted to be of it. A sample with a divided prediction counts with its
#' parts in each class. A class that is never predicted counts with precision 0.
#' A factor of more than two levels differs by 0 or 1.
#'
#' *Metrics.* `f1` of a class is 2 right / (predicted + there), and as precision
#' and recall the mean over the classes, or that of `positive`. `mcc` is
#' Matthews' correlation for any number of classes; 0 where all samples are of
#' one class, or predicted to be. A function gets, of equally probable classes,
#' the first. `balanced_accuracy` is the mean recall of the classes that the
#' test samples have. `kappa` is Cohen's: (accuracy - c) / (1 - c), with c the
#' accuracy expected of predictions that are independent of the classes; 0 where
#' all samples are of one class and predicted to be. `auc` is the area under the
#' ROC curve of the class probabilities, from 0 to 1 and 1/2 for random ones:
#' the proportion of pairs of test samples of different classes in which the
#' sample of the class has the higher probability, ties count one half. Of more
#' than two classes it is the mean over all pairs of classes and both
#' probabilities (Hand and Till 2001). For the nearest neighbours the
#' probability is the share of the `k` votes, so give `k` of 5 or more; this
#' takes test samples times classes times numbers of features in memory. `r2` is
#' 1 minus the sum of squared errors over the sum of squared differences from
#' the mean of the test samples. `auc` and `r2` need test samples of two classes
#' or different numbers, so they are not possible with leave-one-out.
#'
#' @references Hand, D. J. and Till, R. J. (2001). A simple generalisation of
#'   the area under the ROC curve for multiple class classification problems.
#'   *Machine Learning*, 45, 171-186. \doi{10.1023/A:1010920819831}
#'
#' @section Errors: `linkrank_error_argument`: a test set that lacks features
#'   (the message names them), classes of another length than the samples, a
#'   classifier that returns another number of classes or `NA`. A class of
#'   `y_test` that is not in `y` can never be predicted; a warning of class
#'   `linkrank_warning_evaluation` names it. A feature that is `y` itself is
#'   named by a warning of class `linkrank_warning_outcome` (see [relieff()]).
#'
#' @seealso [evaluate_method()] for repeated splits, [ranking_stability()]
#' @examples
#' set.seed(1)
#' x <- log2(colon$x)
#' half <- sample(nrow(x), 31)
#' train <- x[half, ]
#' y <- colon$tissue[half]
#' links <- constraints_from_labels(y, cannot_link = 10, must_link = 10)
#' found <- evaluate_ranking(
#'     list(`ReliefF-Sc` = relieff_sc(train, links),
#'          `Relief-Sc` = relief_sc(train, links)),
#'     train, y, x[-half, ], colon$tissue[-half]
#' )
#' found
#' summary(found)
#' plot(found)
#' @export
evaluate_ranking <- function(ranking, train, y, test, y_test, ...,
                             classifier = NULL, n = NULL, positive = NULL,
                             metric = NULL, k = 1) {
    called <- called_settings(..., uses = score_arguments)
    rankings <- check_rankings(ranking)
    y <- named_response(y, train, of = "train")
    y_test <- named_response(y_test, test, "y_test", "test")
    settings <- evaluation_options(classifier, n, positive, metric, k, called)
    settings$rankings <- length(rankings)
    if (identical(train, test)) {
        warn_linkrank("`test` holds the samples of `train`: their accuracy ",
                      "says nothing of new samples, and is 1 by the nearest ",
                      "neighbour whatever the features.", class = "samples")
    }
    halves <- read_halves(train, test, called)
    numbers <- holds_numbers(y) || holds_numbers(y_test) ||
        predicts_numbers(y, metric, lapply(rankings, ranking_method))
    known <- known_truth_of(y, y_test, halves, settings$positive, numbers)
    warn_outcome_ranked(known$y[match(seq_len(halves$train$n), halves$rows)],
                        halves$train)
    settings$metric <- check_metric(metric, is.null(known$positive))
    check_metric_values(settings$metric, known)
    curves <- lapply(names(rankings), function(name) {
        counts <- check_counts(settings$n, nrow(rankings[[name]]))
        scores <- if (is.null(settings$classifier)) {
            evaluate_by_nearest(rankings[[name]], halves, known, counts,
                                settings)
        } else {
            evaluate_by_classifier(settings$classifier, rankings[[name]],
                                   train, test, known, counts,
                                   settings$metric)
        }
        data.frame(ranking = name, features = counts, scores)
    })
    curves <- do.call(rbind, curves)
    curves$ranking <- factor(curves$ranking, names(rankings))
    structure(curves, samples = c(train = halves$n_train,
                                  test = halves$n_test),
              metrics = metric_directions(settings$metric),
              class = c("ranking_evaluation", "data.frame"))
}

ranking_method <- function(ranking) attr(ranking, "info")$method

# Whole numbers are classes, unless a metric or a method is one of numbers.
predicts_numbers <- function(y, metric, methods) {
    named <- vapply(Filter(is_text, as.list(metric)), own_name, "")
    is.numeric(y) && (any(named %in% number_metrics) ||
                          any(vapply(methods, ranks_by_number, NA)))
}

# `called`: from called_settings().
evaluation_options <- function(classifier, n, positive, metric, k, called) {
    refuse_value_if(!is.null(classifier) && !is.function(classifier),
                    classifier, "`classifier` must be a function(train, y, ",
                    "test), or NULL for the nearest neighbour")
    list(classifier = classifier, n = n, positive = positive, metric = metric,
         k = check_count(k, "k"),
         scale = called$scale %||% "range", na.action = called$na.action,
         assay.type = called$assay.type, control = called$control)
}

# Outcomes of both halves: list(y, y_test, positive), classes or, with
# `positive` NULL, numbers.
known_truth_of <- function(y, y_test, halves, positive, numbers) {
    if (numbers) {
        refuse_if(!is.null(positive), "`positive` is for classes and must be ",
                  "left out when `y` holds numbers.")
        y <- as_numeric_response(y)
        y_test <- as_numeric_response(y_test, "y_test")
        match_response(y, list(n = halves$n_train), "y")
        match_response(y_test, list(n = halves$n_test), "y_test")
        return(list(y = y, y_test = y_test, positive = NULL))
    }
    warn_many_numbers(y, "metric = \"rmse\" judges predicted numbers")
    y <- check_classes(y, "y", halves$n_train, "train")
    y_test <- check_classes(y_test, "y_test", halves$n_test, "test")
    absent <- setdiff(levels(y_test), levels(y))
    if (length(absent)) {
        warn_linkrank("`y` lacks ", if (length(absent) > 1L) "classes " else
            "class ", quote_values(absent), " of `y_test`, so ",
            count_noun(sum(y_test %in% absent), "test sample"),
            " can never be predicted.", class = "evaluation")
    }
    list(y = y, y_test = y_test,
         positive = check_positive_class(positive, y_test))
}

# ---- checks -----------------------------------------------------------------

# A named list of rankings.
check_rankings <- function(ranking) {
    check_given(ranking, "a ranking, or a named list of them")
    if (inherits(ranking, "feature_ranking")) {
        label <- attr(check_ranking(ranking), "info")$label
        return(stats::setNames(list(ranking), label))
    }
    refuse_former_ranking(ranking, "ranking")
    refuse_class_if(!is.list(ranking) || !length(ranking), ranking,
                    "`ranking` must be a feature_ranking or a named ",
                    "list of them")
    for (one in ranking) {
        check_ranking(one)
    }
    names <- names(ranking)
    refuse_if(is.null(names) || any(names == "") || anyDuplicated(names),
              "`ranking` must name its rankings, each differently.")
    ranking
}

check_positive_class <- function(positive, y_test) {
    if (is.null(positive)) return(levels(y_test))
    refuse_value_if(!is.atomic(positive) || length(positive) != 1L ||
                        !as_names(positive) %in% levels(y_test), positive,
                    "`positive` must be one of the classes of ",
                    "`y_test`, ", quote_values(levels(y_test)))
    as_names(positive)
}

# Numbers of features, ascending.
check_counts <- function(n, most) {
    if (is.null(n)) return(seq_len(most))
    if (!whole_within(n, 1, most)) {
        numbers <- is.numeric(n) && is.null(dim(n))
        abort_linkrank("`n` must be numbers of features from 1 to ", most,
                       ", not ", if (numbers) quote_values(n) else
                           describe_value(n), ".")
    }
    as.integer(sort(unique(n)))
}
