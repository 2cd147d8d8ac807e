# evaluate_ranking() and the choice of constraints that it is judged with.

# ==== evaluate_ranking() ======================================================

# How well the first features of a ranking classify other samples.

#' Evaluate rankings by classification of test samples
#'
#' Trains a classifier with the first 1, 2, 3, ... features of rankings and
#' reports its accuracy on test samples. Use it to choose a ranking and a number
#' of features. Rank on training samples only, otherwise the accuracy is too
#' optimistic; so it is where samples of one donor, or replicates, are in both
#' parts (a warning says so if both have a `unit`). [evaluate_method()] makes
#' the splits.
#'
#' @param ranking A `feature_ranking`, or a named list of them.
#' @param train,test Training and test samples, in any form that [relieff_sc()]
#'   takes. Features are found by name, else by position.
#' @param y,y_test Their classes, or a number to predict. Whole numbers are
#'   classes, unless a metric or a ranking is one of numbers. `NA`: not used,
#'   not counted.
#' @param classifier `NULL`: the `k` nearest neighbours. Else a function
#'   `function(train, y, test)` of unscaled values of some features, best first,
#'   and classes, a factor (or numbers). It returns a class (a number) for each
#'   test sample, or class probabilities, a matrix with a row per test sample
#'   and a column named by each class. A function with arguments `train`, `test`
#'   and `cl`, such as `class::knn()`, gets the classes as `cl`.
#' @param n Numbers of features to try; by default all.
#' @param positive Class whose precision and recall are reported; `NULL`: means
#'   over the classes.
#' @param metric Names of metrics, functions, or a named list of both. For
#'   classes `"accuracy"`, `"precision"`, `"recall"` (`NULL`: these three),
#'   `"balanced_accuracy"`, `"kappa"`, `"mcc"`, `"auc"`, `"f1"`; for a number
#'   `"rmse"` (`NULL`), `"mae"`, `"r2"`; also names of \pkg{yardstick}. A
#'   function `function(truth, estimate)` returns a number, higher is better
#'   unless its attribute `direction` is `"minimize"`; `function(truth,
#'   probability)` gets the matrix of class probabilities. The first metric is
#'   the main one.
#' @param k Number of nearest neighbours, a whole number from 1.
#' @param ... Arguments of [prepare_data()], by name: `scale`, `na.action` (of
#'   the classifier; a missing cell is the mean of the training samples, unless
#'   `"fail"`), `assay.type`, `threads`, `progress`.
#' @return An object of class [ranking_evaluation], a data.frame with one row
#'   per ranking and number of features: `ranking`, `features` and a column per
#'   metric, from 0 to 1, or for a number `rmse` in units of `y`.
#'
#' @details *Neighbours* are the training samples with the smallest Euclidean
#'   distance in the features tried. Training samples nearer than the k-th
#'   distance have one vote each, and those at exactly this distance divide the
#'   remaining votes equally; the classes with most votes (within 1e-12) divide
#'   the prediction. So the order of samples changes no bit. A number is
#'   predicted by the mean with the votes as weights.
#'
#' *Cost.* Test samples times training samples times features for a whole curve.
#'
#' *Metrics.* Precision of a class is the proportion of correct samples among
#' those predicted to be of it (0 where none is); recall that of its samples
#' that are. A divided prediction counts with its parts. `f1` is 2
#' right / (predicted + there). All three are means over the classes, or of
#' `positive`; `balanced_accuracy` is the mean recall of the classes in the test
#' samples. `mcc` is Matthews' correlation, 0 where one class is always
#' predicted. `kappa` is (accuracy - c) / (1 - c), with c the accuracy expected
#' of independent predictions. `auc` is the proportion of pairs of test samples
#' of different classes in which the sample of the class has the higher
#' probability, ties count one half. Of more classes it is the mean over pairs
#' of classes and both probabilities (Hand and Till 2001). For nearest
#' neighbours the probability is the share of votes: give `k` of 5 or more. `r2`
#' is 1 minus the sum of squared errors over that of differences from the test
#' mean. `kappa`, `mcc` and `auc` are refused where a test part has one class,
#' `r2` where it has one number, so with leave-one-out. A function gets, of
#' equally probable classes, the first.
#'
#' @references Hand, D. J. and Till, R. J. (2001). *Machine Learning*, 45,
#'   171-186. \doi{10.1023/A:1010920819831}
#'
#' @section Errors: `linkrank_error_argument`: a test set that lacks features,
#'   classes of another length, a classifier that returns another number of
#'   classes or `NA`. Warnings: `linkrank_warning_evaluation` names a class of
#'   `y_test` that is not in `y`, `linkrank_warning_outcome` a feature that is
#'   `y` itself (see [relieff()]).
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
    rankings <- check_rankings(ranking, train, test)
    taken <- list(split_column(train, y), split_column(test, y_test))
    train <- taken[[1L]]$x
    test <- taken[[2L]]$x
    y <- named_response(taken[[1L]]$y, train, of = "train")
    y_test <- named_response(taken[[2L]]$y, test, "y_test", "test")
    settings <- evaluation_options(classifier, n, positive, metric, k, called)
    warn_if(identical(train, test), "`test` contains the samples of `train`:
            their accuracy says nothing about new samples.", class = "samples")
    warn_shared_units(train, test)
    halves <- read_halves(train, test, called)
    methods <- lapply(rankings, function(one) attr(one, "info")$method)
    numbers <- holds_numbers(y) || holds_numbers(y_test) ||
        predicts_numbers(y, metric, methods)
    known <- known_truth_of(y, y_test, halves, settings$positive, numbers)
    warn_outcome_ranked(known$y[match(seq_len(halves$train$n),
                                      halves$rows$train)], halves$train)
    settings$metric <- check_metric(metric, is.null(known$positive))
    check_metric_values(settings$metric, known)
    curves <- lapply(names(rankings), function(name) {
        counts <- check_counts(settings$n, nrow(rankings[[name]]))
        found <- if (is.null(settings$classifier)) {
            predict_by_nearest(rankings[[name]], halves, known, counts,
                               settings)
        } else {
            predict_by_classifier(settings$classifier, rankings[[name]],
                                  train, test, known, counts, settings$metric)
        }
        score <- if (is.null(known$positive)) number_scores else class_scores
        data.frame(ranking = name, features = counts,
                   score(found, known, settings$metric))
    })
    curves <- do.call(rbind, curves)
    curves$ranking <- factor(curves$ranking, names(rankings))
    structure(curves, samples = lengths(halves$rows),
              metrics = metric_directions(settings$metric),
              made_by = this_version(),
              class = c("ranking_evaluation", "data.frame"))
}

# Prepared data know the unit of each sample.
warn_shared_units <- function(train, test) {
    units <- lapply(list(train, test), function(x) {
        given <- if (inherits(x, "prepared_data")) x$settings$unit
        if (!is.null(given))
            stats::na.omit(as_names(named_response(given, x, "unit")))
    })
    shared <- intersect(units[[1L]], units[[2L]])
    warn_if(length(shared), "`train` and `test` share the unit
            {quote_values(shared, 1L)}: samples of a unit are alike, so the
            accuracy is too high.", class = "samples")
}

# Whole numbers are classes, unless a metric or a method is one of numbers.
predicts_numbers <- function(y, metric, methods) {
    texts <- function(v) Filter(is_text, if (!is.function(v)) as.list(v))
    named <- vapply(texts(metric), own_name, "")
    needs <- lapply(texts(methods), function(m) registry_row(m)$needs)
    is.numeric(y) && any(named %in% number_metrics, needs %in% "numeric y")
}

# `called`: from called_settings().
evaluation_options <- function(classifier, n, positive, metric, k, called) {
    refuse_value_if(!is.null(classifier) && !is.function(classifier),
                    classifier, "`classifier` must be a function(train, y, ",
                    "test), or NULL for the nearest neighbour")
    list(classifier = classifier, n = n, positive = positive, metric = metric,
         k = check_count(k, "k"), scale = called$scale %||% "range",
         control = called$control)
}

# How the calls within an evaluation read the data, without lines of progress.
inner_settings <- function(called) {
    Filter(Negate(is.null), list(
        na.action = called$na.action, assay.type = called$assay.type,
        threads = called$control$threads, progress = FALSE))
}

# Outcomes of both halves: list(y, y_test, levels of both, positive), classes
# or, with `positive` NULL, numbers.
known_truth_of <- function(y, y_test, halves, positive, numbers) {
    n <- lengths(halves$rows)
    if (numbers) {
        refuse_if(!is.null(positive), "`positive` is for classes and must be ",
                  "left out when `y` contains numbers.")
        y <- match_response(as_numeric_response(y), list(n = n[["train"]]))
        y_test <- match_response(as_numeric_response(y_test, "y_test"),
                                 list(n = n[["test"]]), "y_test")
        return(list(y = y, y_test = y_test, positive = NULL))
    }
    warn_many_numbers(y, "metric = \"rmse\" judges predicted numbers")
    y <- check_classes(y, "y", n[["train"]], "train")
    y_test <- check_classes(y_test, "y_test", n[["test"]], "test")
    absent <- setdiff(levels(y_test), levels(y))
    warn_if(length(absent), "Classes of `y_test` that are not in `y` are never
            predicted: {quote_values(absent)}, of {sum(y_test %in% absent)} test
            samples.", class = "evaluation")
    list(y = y, y_test = y_test, levels = union(levels(y), levels(y_test)),
         positive = check_positive_class(positive, y_test))
}

# ---- checks -----------------------------------------------------------------

# A named list of rankings.
check_rankings <- function(ranking, train, test) {
    check_given(ranking, "a ranking, or a named list of them")
    if (inherits(ranking, "feature_ranking")) {
        label <- attr(check_ranking(ranking), "info")$label
        ranking <- stats::setNames(list(ranking), label)
    }
    refuse_former_ranking(ranking, "ranking")
    refuse_class_if(!is.list(ranking) || !length(ranking), ranking, "`ranking`
                    must be a feature_ranking or a named list of them")
    for (one in ranking) {
        refuse_if(!nrow(check_ranking(one)), "`ranking` must have a feature, ",
                  "but it has none.")
        names_as_ranked(train, attr(one, "info")$names, "train")
        names_as_ranked(test, attr(one, "info")$names, "test")
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
                    "`positive` must be one of {quote_values(levels(y_test))}")
    as_names(positive)
}

# Numbers of features, ascending.
check_counts <- function(n, most) {
    if (is.null(n)) return(seq_len(most))
    refuse_if(!whole_within(n, 1, most), "`n` must be numbers of features ",
              "from 1 to ", most, ", not ",
              if (is.numeric(n) && is.null(dim(n))) quote_values(n) else
                  describe_value(n), ".")
    as.integer(sort(unique(n)))
}

# ==== constraints from known labels ===========================================

# Quality of a set of constraints: accuracy of extensions, coherence,
# informativeness.

#' Quality of a set of constraints
#'
#' How useful are constraints likely to be? Informativeness measures how much
#' they add to the data, coherence how little must-links and cannot-links
#' conflict in the feature space (Davidson, Wagstaff and Basu 2006). A third
#' measure is the accuracy of the must-links that [select_subset()] derives.
#'
#' @param constraints Constraints: see [pairwise_constraints()].
#' @param x Data of the same samples: see [prepare_data()].
#' @param measure `"coherence"`, `"informativeness"` or `"must_link"`.
#' @param truth Of `"must_link"`: the true class of each sample, without `NA`.
#' @param y Of `"must_link"`: see [select_subset()].
#' @param clusters,starts Of `"informativeness"`: number of clusters of the
#'   clustering without constraints, and its random starts; or give `cluster`.
#' @param cluster Of `"informativeness"`: the cluster of each sample from any
#'   clustering without the constraints.
#' @param ... Arguments of [prepare_data()], by name: `scale`, `na.action`,
#'   `by`, `assay.type`, `threads`, `progress`.
#'
#' @return
#' * `"coherence"`: the proportion of all combinations of a must-link and a
#'   cannot-link that do not overlap; `NaN` when one kind is missing.
#' * `"informativeness"`: the proportion of the constraints that a clustering
#'   without constraints violates.
#' * `"must_link"`: a named vector: `NML`, extended must-links divided by
#'   original ones (41); `CNML`, the proportion of the added must-links within
#'   one true class (42), `NaN` when none is added; `original` and `extended`,
#'   the numbers of must-linked pairs.
#'
#' @details *Coherence*: a pair of samples is the line segment between them in
#'   the scaled feature space. Pair b is projected on the line through pair a;
#'   the overlap of b with a is the length of the part of segment a that the
#'   projection covers. A must-link and a cannot-link are coherent when neither
#'   overlaps the other. Cost: must-links times cannot-links, at most 1e10.
#'
#' *Informativeness*: by default the clustering is [pck_means()] without
#' constraints, the best of `starts`.
#'
#' *Must-links*: the score eps^SS of [select_subset()] adds must-links; when few
#' of them are correct, take eps^S.
#'
#' @section Errors: Those of [relieff_sc()]; `linkrank_error_argument` for an
#'   argument of another measure.
#'
#' @references Davidson, I., Wagstaff, K. L. and Basu, S. (2006). *PKDD 2006*,
#'   115-126. \doi{10.1007/11871637_15}
#'
#' Salmi, A., Hammouche, K. and Macaire, L. (2020). *Knowledge-Based Systems*,
#' 209, 106429. \doi{10.1016/j.knosys.2020.106429}
#'
#' @examples
#' set.seed(1)
#' x <- iris[1:4]
#' links <- constraints_from_labels(iris$Species,
#'     cannot_link = 10, must_link = 10)
#' constraint_quality(links, x)
#' constraint_quality(links, x, measure = "informativeness", clusters = 3)
#' constraint_quality(links, x, measure = "must_link", truth = iris$Species)
#' @export
constraint_quality <- function(
    constraints, x, ..., measure = c("coherence", "informativeness",
                                     "must_link"),
    truth = NULL, y = NULL, clusters = NULL, cluster = NULL, starts = 10) {
    measure <- check_choice(measure)
    refuse_unused("measure", measure, list(
        informativeness = c("clusters", "cluster", "starts"),
        must_link = c("truth", "y")
    ))
    check_constraints(constraints)
    if (measure == "informativeness") {
        refuse_beside("starts", "cluster")
        return(informativeness_of(constraints, x, ..., clusters = clusters,
                                  cluster = cluster, starts = starts))
    }
    data <- prepared(x, ..., uses = score_arguments)
    input <- scaled_data(data)
    constraints <- match_constraints(constraints, data)
    if (measure == "coherence") coherence_of(constraints, input) else
        derived_quality(constraints, input, truth, y)
}

derived_quality <- function(constraints, input, truth, y) {
    refuse_if(is.null(truth), "`truth` must be given for measure = ",
              "\"must_link\": the class of each sample.")
    truth <- check_true_classes(truth, input$data)
    prototypes <- prototypes_of(constraints, y)
    found <- nearest_class(input, prototypes)
    extended <- count_alike(found)
    original <- count_alike(prototypes$class)
    right <- count_alike(found, truth) -
        count_alike(prototypes$class, truth[prototypes$rows])
    c(NML = extended / original, CNML = right / (extended - original),
      original = original, extended = extended)
}

# `axis`: data, or the result of sample_axis().
check_true_classes <- function(truth, axis, name = "truth") {
    classes <- check_classes(truth, name, axis$n, "x", axis$samples)
    check_all_known(classes, name)
}

check_all_known <- function(values, name) {
    refuse_if(anyNA(values), "`", name, "` must be known for all samples, but ",
              "that of sample ", which(is.na(values))[1L], " is NA.")
    values
}

coherence_of <- function(constraints, input) {
    check_combinations(constraints)
    listed <- write_out(constraints)
    rows <- sort(unique(c(listed$first, listed$second)))
    check_bytes(8 * as.numeric(length(rows))^2,
                "The inner products of the samples in pairs")
    products <- tcrossprod(euclidean_cells(input)[rows, , drop = FALSE])
    pairs <- list(first = match(listed$first, rows),
                  second = match(listed$second, rows))
    kinds <- list(lapply(pairs, `[`, listed$must_link),
                  lapply(pairs, `[`, !listed$must_link))
    count <- lengths(lapply(kinds, `[[`, "first"))
    # each pair of the rarer kind with all of the other
    many <- kinds[[which.max(count)]]
    few <- kinds[[3L - which.max(count)]]
    coherent <- vapply(seq_along(few$first), function(t) {
        one <- list(first = few$first[t], second = few$second[t])
        sum(overlap(products, one, many) == 0 &
                overlap(products, many, one) == 0)
    }, 0L)
    sum(as.numeric(coherent)) / prod(count)
}

# Every must-link is compared with every cannot-link.
check_combinations <- function(constraints) {
    count <- as.numeric(count_pairs(constraints))
    refuse_if(prod(count) > 1e10, "`constraints` must have at most 1e10
              combinations of a must-link and a cannot-link, not {prod(count)}:
              use fewer pairs.", class = "constraints")
}

# Fraction of each pair `on` that the projection of pair `of` covers; one of
# them may be a single pair.
overlap <- function(products, of, on) {
    at <- function(a, b) products[(b - 1) * nrow(products) + a]
    square <- at(on$first, on$first) - 2 * at(on$first, on$second) +
        at(on$second, on$second)
    place <- function(point) {
        along <- at(point, on$second) - at(point, on$first) -
            at(on$first, on$second) + at(on$first, on$first)
        along / square
    }
    s <- place(of$first)
    t <- place(of$second)
    covered <- pmin(1, pmax(s, t)) - pmax(0, pmin(s, t))
    # rounding of the products can leave small values for orthogonal pairs
    covered[!is.finite(covered) | covered < 1e-9] <- 0
    covered
}

informativeness_of <- function(constraints, x, ..., clusters, cluster,
                               starts) {
    refuse_if(is.null(clusters) == is.null(cluster), "Give either `clusters`, ",
              "their number, or `cluster`, the cluster of each sample.")
    axis <- sample_axis(x)
    constraints <- match_constraints_once(constraints, axis)
    if (is.null(cluster)) {
        none <- pairwise_constraints(samples = constraints$samples)
        cluster <- pck_means(x, none, ..., clusters = clusters,
                             starts = starts)$cluster
    }
    cluster <- as.integer(check_true_classes(cluster, axis, "cluster"))
    sum(count_broken(constraints, cluster)) / sum(count_pairs(constraints))
}
