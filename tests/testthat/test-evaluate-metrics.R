# One pair of samples at a time.
reference_auc <- function(shares, truth) {
    classes <- sort(unique(truth))
    areas <- c()
    for (i in classes) for (j in setdiff(classes, i)) {
        own <- which(truth == i)
        other <- which(truth == j)
        won <- 0
        for (a in own) for (b in other) {
            won <- won + (shares[a, i] > shares[b, i]) +
                (shares[a, i] == shares[b, i]) / 2
        }
        areas <- c(areas, won / (length(own) * length(other)))
    }
    mean(areas)
}

# Votes of the k nearest by their description: those at the k-th distance share
# what is left.
reference_shares <- function(train, y, test, k) {
    t(apply(test, 1, function(row) {
        distance <- colSums((t(train) - row)^2)
        limit <- sort(distance)[k]
        weight <- (distance < limit) +
            (distance == limit) * (k - sum(distance < limit)) /
                sum(distance == limit)
        tapply(weight, factor(y, sort(unique(y))), sum) / k
    }))
}

# The six samples below: f1 of a 2 * 2 / 5, of b 2 * 1 / 4, of c 2 * 1 / 3; mcc
# (4 * 6 - (3 * 2 + 2 * 2 + 1 * 2)) / sqrt((36 - 14) (36 - 12)).
test_that("f1 and mcc, by either name, and functions", {
    x <- random_matrix(6, 2)
    truth <- c("a", "a", "b", "b", "c", "c")
    judge <- function(metric, says = c("a", "a", "a", "b", "b", "c"), ...) {
        evaluate_ranking(made_ranking(2:1), x, truth, x, truth, n = 1,
                         classifier = function(train, y, test) says,
                         metric = metric, ...)
    }
    got <- judge(c("f1", "mcc", "f_meas", "kap"))
    expect_identical(names(got)[-(1:2)], c("f1", "mcc", "f_meas", "kap"))
    expect_equal(got$f1, mean(c(4 / 5, 2 / 4, 2 / 3)))
    expect_equal(judge("f1", positive = "a")$f1, 4 / 5)
    expect_equal(got$mcc, (24 - 12) / sqrt(22 * 24))
    expect_identical(c(got$f_meas, got$kap), c(got$f1, judge("kappa")$kappa))
    expect_identical(judge("mcc", rep("a", 6))$mcc, 0)
    right <- function(truth, estimate) {
        expect_identical(levels(estimate), levels(truth))
        mean(truth == estimate)
    }
    wrong <- structure(function(truth, estimate) mean(truth != estimate),
                       direction = "minimize")
    got <- judge(list("accuracy", own = right, bad = wrong))
    expect_identical(got$own, got$accuracy)
    expect_equal(got$bad, 1 - got$own)
    expect_identical(metrics_of(got),
                     c(accuracy = FALSE, own = FALSE, bad = TRUE))
    expect_identical(names(judge(right))[3], "metric")
    # probabilities, of which the first of the largest is the class
    shares <- cbind(a = c(.5, .5, .2, .1, .1, 0), b = c(.5, .3, .6, .8, .2, 0),
                    c = c(0, .2, .2, .1, .7, 1))
    got <- judge(list(right, share = function(truth, probability) {
        mean(probability[cbind(1:6, truth)])
    }), shares)
    expect_equal(got$metric, 1)
    expect_equal(got$share, mean(c(.5, .5, .6, .8, .7, 1)))
})

test_that("functions judge neighbours as names do, and the better wins", {
    x <- random_matrix(40, 5)
    y <- rep(c("u", "v"), 20)
    x[, 2] <- x[, 2] + 1.5 * (y == "v")
    half <- rep(c(TRUE, TRUE, FALSE, FALSE), 10)
    both <- evaluate_ranking(
        made_ranking(5:1), x[half, ], y[half], x[!half, ], y[!half], k = 3,
        metric = list("accuracy", "roc_auc", own = function(truth, estimate) {
            mean(truth == estimate)
        }, area = function(truth, probability) {
            probability_above(probability[truth == "u", "u"],
                              probability[truth == "v", "u"])
        })
    )
    expect_equal(both$own, both$accuracy)
    expect_equal(both$area, both$roc_auc)
    number <- x[, 2] + rnorm(40) / 9
    pairs <- list("rmse", "mae", own = structure(function(truth, estimate) {
        sqrt(mean((truth - estimate)^2))
    }, direction = "minimize"), off = function(truth, estimate) {
        -mean(abs(truth - estimate))
    })
    set.seed(1)
    found <- evaluate_method(x, number, c("rrelieff", "variance_score"),
                             splits = 3, n = 1:2, metric = pairs)
    expect_equal(found$own, found$rmse)
    expect_equal(found$off, -found$mae)
    facts <- summary(found, metric = c("rmse", "mae", "own", "off"))
    firsts <- split(as.character(facts$ranking), facts$metric)
    expect_length(unique(firsts), 1)
    grDevices::pdf(NULL)
    plot(found, measure = "own")
    grDevices::dev.off()
})

test_that("functions as yardstick has them judge", {
    x <- as.matrix(iris[51:150, 1:4])
    y <- droplevels(iris$Species[51:150])
    judge <- function(...) {
        set.seed(3)
        evaluate_method(x, y, "relieff", splits = 2, n = 1:2, k = 5,
                        metric = list(...))
    }
    theirs <- function(truth, estimate, estimator = NULL, na_rm = TRUE,
                       case_weights = NULL, event_level = "first", ...) {
        expect_null(estimator)
        mean(truth == estimate)
    }
    area <- function(truth, probability) mean(probability[, 1])
    # the real ones where they are
    if (nzchar(system.file(package = "yardstick"))) {
        theirs <- getExportedValue("yardstick", "accuracy_vec")
        area <- function(truth, probability) {
            getExportedValue("yardstick", "roc_auc_vec")(truth, probability[, 1])
        }
    }
    found <- judge("accuracy", theirs = theirs, "roc_auc", area = area)
    expect_true(all(found$area > 0 & found$area <= 1))
    # equal votes are divided there, and go to the first class here
    expect_true(all(abs(found$theirs - found$accuracy) < 0.1))
})

test_that("whole numbers are numbers for a metric or a method of numbers", {
    x <- as.matrix(mtcars[c("mpg", "wt", "qsec", "disp")])
    hp <- mtcars$hp
    judge <- function(y, ...) {
        set.seed(1)
        evaluate_method(x, y, ..., splits = 3, n = 1:3)
    }
    whole <- judge(hp, "rrelieff")
    expect_identical(names(whole)[5], "rmse")
    expect_identical(whole, judge(hp + 0, list(RReliefF = "rrelieff")))
    expect_equal(judge(hp, "variance_score", metric = "mae"),
                 judge(hp + 1e-9, "variance_score", metric = "mae"))
    expect_warning(judge(hp, "variance_score"), "22 different numbers",
                   class = "linkrank_warning_outcome")
    half <- seq(1, 32, 2)
    found <- evaluate_ranking(rrelieff(x[half, ], hp[half]), x[half, ],
                              hp[half], x[-half, ], hp[-half])
    expect_identical(names(found)[3], "rmse")
    # what has few whole numbers is classes
    expect_identical(names(judge(mtcars$cyl, "relieff"))[5], "accuracy")
})

all_metrics <- c("auc", "accuracy", "balanced_accuracy", "kappa", "precision",
                 "recall")

# Six test samples; the classifier says a a a b b c.
#   truth     a a b b c c
#   accuracy  4/6; recalls 1, 1/2, 1/2: their mean is 2/3
#   kappa     by chance (3 * 2 + 2 * 2 + 1 * 2) / 36 = 1/3:
#             (2/3 - 1/3) / (1 - 1/3) = 1/2
test_that("metrics of classes are worked by hand", {
    x <- random_matrix(6, 2)
    truth <- c("a", "a", "b", "b", "c", "c")
    judge <- function(says, metric, truth) {
        evaluate_ranking(made_ranking(2:1), x, truth, x, truth,
                         classifier = function(train, y, test) says, n = 1, metric = metric)
    }
    got <- judge(c("a", "a", "a", "b", "b", "c"),
                 c("kappa", "balanced_accuracy", "accuracy"), truth)
    expect_identical(names(got), c("ranking", "features", "kappa",
                                   "balanced_accuracy", "accuracy"))
    expect_equal(unlist(got[3:5]), c(kappa = 1 / 2, balanced_accuracy = 2 / 3,
                                     accuracy = 2 / 3))
    expect_equal(summary(got)$mean, 1 / 2)
    # all of one class: no chance correction is possible, and 0 would be the mean
    # of a classifier that is always right
    for (metric in c("kappa", "mcc")) {
        expect_error(judge(rep("a", 6), metric, rep("a", 6)),
                     paste0("two different classes for metric \"", metric))
    }
    expect_error(evaluate_method(random_matrix(8, 3), rep(1:2, each = 4), "relieff",
                                 unit = rep(1:4, each = 2), folds = 4,
                                 metric = "kappa"), "different classes",
                 class = "linkrank_error")
    # b: 0.4 0.6 of 0.9, 0.4 in a: 1 + 1 + 0 + 1/2 of four pairs
    shares <- cbind(b = 1 - c(0.9, 0.4, 0.6, 0.4), a = c(0.9, 0.4, 0.6, 0.4))
    two <- evaluate_ranking(made_ranking(2:1), x[1:4, ], truth[1:4], x[1:4, ],
                            truth[1:4], classifier = function(train, y, test) shares,
                            n = 1, metric = c("auc", "accuracy"))
    expect_equal(two$auc, 2.5 / 4)
    # predicted a b a b of a a b b
    expect_equal(two$accuracy, 2 / 4)
})

test_that("probabilities are areas and predictions, ties in equal parts", {
    set.seed(2)
    truth <- sample(c("u", "v", "w"), 30, TRUE)
    shares <- matrix(sample(0:4, 90, TRUE) / 10, 30,
                     dimnames = list(NULL, c("w", "u", "v")))
    x <- random_matrix(30, 2)
    judge <- function(found) {
        evaluate_ranking(made_ranking(2:1), x, truth, x, truth,
                         classifier = function(train, y, test) found, n = 1,
                         metric = all_metrics)
    }
    got <- judge(shares)
    expect_equal(got$auc, reference_auc(shares, truth))
    chosen <- shares == apply(shares, 1, max)
    parts <- chosen / rowSums(chosen)
    own <- parts[cbind(1:30, match(truth, colnames(parts)))]
    recall <- tapply(own, truth, mean)
    expect_equal(got$accuracy, mean(own))
    expect_equal(got$balanced_accuracy, mean(recall))
    chance <- sum(colMeans(parts)[names(recall)] * table(truth) / 30)
    expect_equal(got$kappa, (mean(own) - chance) / (1 - chance))
    expect_equal(judge(as.data.frame(shares))$auc, got$auc)
    expect_equal(judge(array(shares, c(30, 3, 1), list(NULL, colnames(shares),
                                                        NULL))), got)
})

test_that("the neighbours' probabilities are their votes", {
    for (k in c(1, 4)) {
        set.seed(k)
        x <- matrix(sample(0:3, 50 * 3, TRUE), 50,
                    dimnames = list(NULL, c("g1", "g2", "g3")))
        y <- sample(c("a", "b", "c"), 50, TRUE)
        train <- 1:30
        got <- evaluate_ranking(made_ranking(3:1), x[train, ], y[train],
                                x[-train, ], y[-train], k = k, scale = "none",
                                metric = all_metrics)
        for (count in 1:3) {
            columns <- seq_len(count)
            shares <- reference_shares(x[train, columns, drop = FALSE],
                                       y[train],
                                       x[-train, columns, drop = FALSE], k)
            expect_equal(got$auc[count], reference_auc(shares, y[-train]))
            parts <- if (k == 1) shares else {
                chosen <- shares >= apply(shares, 1, max) - 1e-12
                chosen / rowSums(chosen)
            }
            own <- parts[cbind(1:20, match(y[-train], colnames(parts)))]
            expect_equal(got$balanced_accuracy[count],
                         mean(tapply(own, y[-train], mean)))
        }
    }
    expect_same_for_threads(function(threads) {
        evaluate_ranking(made_ranking(3:1), x[train, ], y[train], x[-train, ],
                         y[-train], k = 4, metric = "auc", threads = threads)
    })
})

test_that("a class that the training samples lack, and unknown ones", {
    x <- matrix(c(1, 2, 3, 1, 2, 3, 9), 7, dimnames = list(NULL, "g1"))
    y <- c("a", "b", "b")
    # the last test sample is c, the one before unknown
    expect_warning(got <- evaluate_ranking(
        made_ranking(1), x[1:3, , drop = FALSE], y, x[4:7, , drop = FALSE],
        c("a", "b", NA, "c"), metric = c("auc", "balanced_accuracy")
    ), class = "linkrank_warning_evaluation")
    # a, b: 1; a, c: a above c 1, c is tied 1/2; b, c: b 1/2 tied with 9, 1/2
    expect_equal(got$auc, (1 + (1 + 1 / 2) / 2 + 1 / 2) / 3)
    expect_equal(got$balanced_accuracy, 2 / 3)
})

test_that("r2 is worked by hand", {
    x <- random_matrix(4, 1)
    y <- c(0.5, 1, 2, 4.5)
    got <- evaluate_ranking(made_ranking(1), x, y, x, y,
                            classifier = function(train, y, test) c(1, 1, 2, 4), n = 1,
                            metric = c("r2", "rmse"))
    # squares about the mean of 2: 2.25 + 1 + 0 + 6.25
    expect_equal(got$r2, 1 - 0.5 / 9.5)
    expect_equal(got$rmse, sqrt(0.5 / 4))
    expect_identical(metrics_of(got), c(r2 = FALSE, rmse = TRUE))
})

test_that("each metric is compared over the runs", {
    set.seed(4)
    x <- random_matrix(40, 6)
    y <- rep(c("a", "b"), 20)
    x[y == "a", 1] <- x[y == "a", 1] + 2
    found <- evaluate_method(x, y, c("relieff", "variance_score"), splits = 4,
                             n = c(1, 3), k = 5, metric = c("auc", "kappa"))
    expect_identical(names(found), c("split", "draw", "ranking", "features",
                                     "auc", "kappa"))
    facts <- summary(found, metric = c("auc", "kappa"))
    expect_identical(facts$metric, rep(c("auc", "kappa"), each = 2))
    kappa <- tapply(found$kappa, found[c("split", "ranking")], mean)
    apart <- unclass(kappa[, "Variance"] - kappa[, "ReliefF"])
    expect_equal(facts$difference[4], mean(apart))
    expect_equal(facts$difference_se[4],
                 sd(apart) * sqrt(1 / 4 + attr(found, "ratio")))
    expect_equal(summary(found)$mean, facts$mean[1:2])
    expect_snapshot({
        found
        summary(found, metric = c("auc", "kappa"))
        summary(found)[c("ranking", "mean")]
        summary(found)["mean"]
    })
    grDevices::pdf(NULL)
    expect_identical(plot(found, measure = "kappa"), found)
    grDevices::dev.off()
})

test_that("functions like knn() of class get the classes as `cl`", {
    x <- random_matrix(12, 3)
    y <- factor(rep(1:3, 4))
    judge <- function(classifier) {
        evaluate_ranking(made_ranking(3:1), x, y, x, y, classifier = classifier)
    }
    first <- function(train, test, cl) rep(cl[2], nrow(test))
    expect_identical(judge(first), judge(function(train, y, test) {
        rep(y[2], nrow(test))
    }))
})

test_that("metrics that cannot be had are refused", {
    x <- random_matrix(12, 3)
    y <- rep(c("a", "b"), 6)
    judge <- function(..., y_test = y) {
        evaluate_ranking(made_ranking(3:1), x, y, x, y_test, n = 1, ...)
    }
    shares <- cbind(a = 1:12 / 12, b = 12:1 / 12)
    expect_refused("argument",
        judge(metric = "logloss"),
        judge(metric = "rmse"),
        judge(metric = 1),
        judge(metric = list("kap", 1)),
        judge(metric = function(truth, estimate) 1:2),
        judge(metric = function(truth, estimate) stop("No luck")),
        judge(metric = function(truth, probability) 1,
              classifier = function(train, y, test) y),
        judge(classifier = function(train, y, test) rep("zzz", 12)),
        judge(metric = "auc", y_test = rep("a", 12)),
        judge(metric = "auc", classifier = function(train, y, test) y),
        judge(classifier = function(train, y, test) shares[1:3, ]),
        judge(classifier = function(train, y, test) cbind(shares, c = 1)),
        judge(classifier = function(train, y, test) unname(shares)),
        judge(classifier = function(train, y, test) replace(shares, 5, NA)),
        judge(classifier = function(train, y, test) shares[, 1]),
        judge(classifier = function(train, y, test) stop("No luck")),
        evaluate_method(x, y, "relieff", folds = Inf, metric = "auc"),
        evaluate_method(x, 1:12 / 7, "rrelieff", splits = 2, metric = "auc"),
        summary(evaluate_method(x, y, "relieff", splits = 2), metric = "auc")
    )
})

test_that("drawn constraints may depend on the training samples", {
    x <- random_matrix(20, 4)
    y <- rep(c("a", "b"), 10)
    seen <- list()
    far <- function(x, y, rows) {
        seen[[length(seen) + 1]] <<- list(x, y, rows)
        first <- which(y == "a")[1]
        other <- which(y == "b")
        pairwise_constraints(cannot_link = cbind(first, other[which.max(
            as.matrix(dist(x))[first, other]
        )]), samples = nrow(x))
    }
    found <- evaluate_method(x, y, "relief_sc", splits = 2, n = 1:2,
                             constraints = far)
    expect_s3_class(found, "method_evaluation")
    for (one in seen) {
        expect_identical(one, list(x[one[[3]], ], factor(y[one[[3]]]),
                                   one[[3]]))
    }
})

test_that("each metric is a column of its own", {
    x <- random_matrix(12, 3)
    y <- rep(c("a", "b"), 6)
    judge <- function(metric) {
        names(evaluate_ranking(variance_score(x), x, y, x + 1, y,
                               metric = metric))[-(1:2)]
    }
    one <- function(truth, estimate) 1
    two <- function(truth, estimate) 2
    expect_identical(judge(c("auc", "auc")), "auc")
    expect_identical(judge(list(one, mine = two)), c("metric", "mine"))
    for (wrong in list(list(one, two), list(features = one), list(split = one),
                       list(auc = one, "auc"))) {
        expect_error(judge(wrong), "another name", class = "linkrank_error")
    }
})

test_that("classes that the data made are said to be that", {
    expect_warning(evaluate_method(random_matrix(12, 3), derived_labels(rep(1:2, 6)),
                                   "relieff", splits = 1),
                   "these data made its classes",
                   class = "linkrank_warning_significance")
})

test_that("a metric without a value leaves the best of its curve unknown", {
    x <- random_matrix(12, 3)
    y <- rep(1:2, 6)
    found <- evaluate_ranking(variance_score(x), x, y, x + 1, y,
                              metric = function(truth, estimate) NaN)
    expect_identical(summary(found)$features, NA_integer_)
    expect_output(print(found), "NA with NA")
})
