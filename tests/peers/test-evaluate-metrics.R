# Metrics of predictions against those of package yardstick.

test_that("metrics of classes are yardstick's", {
    skip_if_not_installed("yardstick")
    for (classes in 2:4) {
        set.seed(classes)
        levels <- letters[seq_len(classes)]
        y <- factor(sample(levels, 80, TRUE), levels)
        x <- random_data(80, 3, classes)
        shares <- matrix(runif(40 * classes), 40, dimnames = list(NULL, levels))
        shares <- shares / rowSums(shares)
        own <- c("accuracy", "balanced_accuracy", "kappa", "auc")
        got <- evaluate_ranking(
            as_feature_ranking(c(g1 = 3, g2 = 2, g3 = 1)), x[1:40, ], y[1:40],
            x[41:80, ], y[41:80], classifier = function(train, y, test) shares, n = 1,
            metric = own
        )
        truth <- y[41:80]
        predicted <- factor(levels[max.col(shares)], levels)
        want <- c(
            yardstick::accuracy_vec(truth, predicted),
            # for two classes its balanced accuracy is the mean recall
            yardstick::recall_vec(truth, predicted, estimator = "macro"),
            yardstick::kap_vec(truth, predicted),
            if (classes == 2)
                yardstick::roc_auc_vec(truth, shares[, 1]) else
                yardstick::roc_auc_vec(truth, shares, estimator = "hand_till")
        )
        expect_equal(unlist(got[own], use.names = FALSE), want,
                     tolerance = 1e-12)
    }
})

test_that("metrics of numbers are yardstick's", {
    skip_if_not_installed("yardstick")
    x <- random_data(40, 2, 1)
    y <- x[, 1] + rnorm(40)
    predicted <- x[21:40, 1]
    got <- evaluate_ranking(
        as_feature_ranking(c(g1 = 2, g2 = 1)), x[1:20, ], y[1:20], x[21:40, ],
        y[21:40], classifier = function(train, y, test) predicted, n = 1,
        metric = c("rmse", "r2")
    )
    expect_equal(got$rmse, yardstick::rmse_vec(y[21:40], predicted))
    expect_equal(got$r2, yardstick::rsq_trad_vec(y[21:40], predicted))
})

test_that("class::knn() is called as it wants to be", {
    skip_if_not_installed("class")
    set.seed(1)
    x <- matrix(rnorm(120), 40, dimnames = list(NULL, c("g1", "g2", "g3")))
    y <- factor(rep(c("a", "b"), 20))
    train <- 1:25
    got <- evaluate_ranking(
        as_feature_ranking(c(g1 = 3, g2 = 2, g3 = 1)), x[train, ], y[train],
        x[-train, ], y[-train], classifier = class::knn, n = 2:3
    )
    want <- vapply(2:3, function(n) {
        mean(class::knn(x[train, 1:n], x[-train, 1:n], y[train]) == y[-train])
    }, 0)
    expect_equal(got$accuracy, want)
})

test_that("indices of groups are those of mclust and igraph", {
    skip_if_not_installed("mclust")
    skip_if_not_installed("igraph")
    for (seed in 1:50) {
        set.seed(seed)
        group <- sample(sample(6, 1), 30, TRUE)
        class <- sample(3, 30, TRUE)
        got <- linkrank:::group_indices(group, class)
        expect_equal(got[["ari"]], mclust::adjustedRandIndex(group, class))
        expect_equal(got[["nmi"]], igraph::compare(
            factor(group), factor(class), method = "nmi"))
    }
})
