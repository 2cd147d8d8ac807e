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
    # all of one class: no chance correction is possible
    expect_equal(judge(rep("a", 6), "kappa", rep("a", 6))$kappa, 0)
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
    expect_identical(metrics_of(got), c("r2", "rmse"))
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
        judge(metric = "roc_auc"),
        judge(metric = "rmse"),
        judge(metric = 1),
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
        pairwise_constraints(cbind(first, other[which.max(
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
