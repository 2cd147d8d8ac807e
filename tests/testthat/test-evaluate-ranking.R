# The nearest neighbour by its description, one point of the curve at a time.
reference_nearest <- function(features, train, y, test) {
    a <- train[, features, drop = FALSE]
    b <- test[, features, drop = FALSE]
    for (f in seq_along(features)) {
        low <- min(a[, f])
        range <- max(a[, f]) - low
        a[, f] <- if (range > 0) (a[, f] - low) / range else 0
        b[, f] <- if (range > 0) (b[, f] - low) / range else 0
    }
    apply(b, 1, function(row) {
        distance <- 0
        for (f in seq_along(row)) distance <- distance + (a[, f] - row[f])^2
        as.character(y[which.min(distance)])
    })
}

halves <- function(seed = 1, n = 40, p = 6) {
    x <- round(random_matrix(n, p, seed), 1)
    x[, 3] <- 2
    y <- factor(sample(c("a", "b", "c"), n, TRUE))
    half <- seq_len(n / 2)
    list(train = x[half, ], y = y[half], test = x[-half, ], y_test = y[-half],
         ranking = made_ranking(c(3, 1, 2, 9, 4, 5)))
}

test_that("the curve is the nearest neighbour's, ties and constants included", {
    expect_every(10, function(seed) {
        h <- halves(seed)
        got <- evaluate_ranking(h$ranking, h$train, h$y, h$test, h$y_test)
        want <- vapply(1:6, function(count) {
            mean(reference_nearest(h$ranking$feature[seq_len(count)], h$train,
                                   h$y, h$test) == h$y_test)
        }, 0)
        isTRUE(all.equal(got$accuracy, want)) &&
            identical(got$features, 1:6)
    })
})

test_that("equally near training samples: the first one counts", {
    ranking <- made_ranking(1, "g1")
    train <- matrix(c(0, 1, 0.5, 0.5), 4, dimnames = list(NULL, "g1"))
    test <- matrix(c(0.25, 0.5), 2, dimnames = list(NULL, "g1"))
    got <- evaluate_ranking(ranking, train, c("a", "b", "c", "d"), test,
                            c("a", "c"))
    expect_identical(got$accuracy, 1)
})

test_that("any kind of data gives the same curve", {
    h <- halves()
    want <- evaluate_ranking(h$ranking, h$train, h$y, h$test, h$y_test)
    frame <- evaluate_ranking(h$ranking, as.data.frame(h$train), h$y,
                              as.data.frame(h$test), h$y_test)
    sparse <- evaluate_ranking(h$ranking, methods::as(h$train, "CsparseMatrix"),
                               h$y, methods::as(h$test, "CsparseMatrix"),
                               h$y_test)
    expect_identical(frame, want)
    expect_identical(sparse, want)
    # columns in another order, and one more
    turned <- evaluate_ranking(h$ranking, h$train[, 6:1], h$y,
                               cbind(new = 1, h$test), h$y_test)
    expect_identical(turned, want)
})

test_that("factors have the same levels in both halves", {
    train <- data.frame(g1 = c("u", "v", "w"))
    test <- data.frame(g1 = c("w", "v", "z"))
    got <- evaluate_ranking(made_ranking(1, "g1"), train, c("a", "b", "c"),
                            test, c("c", "b", "a"))
    # "z" is as far from all: the first one counts
    expect_identical(got$accuracy, 1)
})

test_that("samples without a label are left out", {
    h <- halves()
    y <- h$y
    y[2:4] <- NA
    y_test <- h$y_test
    y_test[1] <- NA
    got <- evaluate_ranking(h$ranking, h$train, y, h$test, y_test)
    want <- vapply(1:6, function(count) {
        mean(reference_nearest(h$ranking$feature[seq_len(count)],
                               h$train[-(2:4), ], y[-(2:4)],
                               h$test[-1, ]) == y_test[-1])
    }, 0)
    expect_equal(got$accuracy, want)
})

test_that("a classifier of one's own, at some numbers of features", {
    h <- halves()
    seen <- list()
    nearest <- function(train, y, test) {
        seen[[length(seen) + 1]] <<- colnames(train)
        reference_nearest(colnames(train), train, y, test)
    }
    got <- evaluate_ranking(h$ranking, h$train, h$y, h$test, h$y_test,
                            classifier = nearest, n = c(4, 2))
    all <- evaluate_ranking(h$ranking, h$train, h$y, h$test, h$y_test)
    expect_identical(got$features, c(2L, 4L))
    expect_identical(got$accuracy, all$accuracy[c(2, 4)])
    expect_identical(seen, list(h$ranking$feature[1:2],
                                h$ranking$feature[1:4]))
})

ranked <- function(features, order) {
    made_ranking(rev(seq_along(features))[order(order)] * 1.0, features)
}

test_that("accuracies are those of a search by hand, ties included", {
    for (seed in 1:10) {
        set.seed(seed)
        p <- 6
        x <- matrix(sample(0:3, 20 * p, TRUE), 20)
        test <- matrix(sample(0:4, 12 * p, TRUE), 12)
        y <- rep(1:2, 10)
        y_test <- rep(1:2, 6)
        order <- sample(p)
        ranking <- ranked(paste0("V", 1:p), order)
        expect_identical(ranking$feature, paste0("V", order))
        got <- evaluate_ranking(ranking, x, y, test, y_test)
        expect_identical(got$features, 1:6)
        expect_equal(got$accuracy,
                     reference_nearest_accuracy(order, x, y, test, y_test,
                                                1:6))
    }
})

# Six test samples; the classifier says a a a b b c.
#   truth     a a b b c c
#   accuracy  right: 1, 2, 4, 6: 4 / 6
#   precision a 2/3, b 1/2, c 1; recall a 1, b 1/2, c 1/2
test_that("precision and recall are worked by hand", {
    x <- random_matrix(6, 3)
    truth <- c("a", "a", "b", "b", "c", "c")
    says <- function(train, y, test) c("a", "a", "a", "b", "b", "c")
    ranking <- ranked(colnames(x), 1:3)
    got <- evaluate_ranking(ranking, x, truth, x, truth, says, n = c(1, 3))
    expect_identical(got$features, c(1L, 3L))
    expect_equal(got$accuracy, rep(4 / 6, 2))
    expect_equal(got$precision, rep((2 / 3 + 1 / 2 + 1) / 3, 2))
    expect_equal(got$recall, rep((1 + 1 / 2 + 1 / 2) / 3, 2))
    one <- evaluate_ranking(ranking, x, truth, x, truth, says, n = 1,
                            positive = "b")
    expect_equal(c(one$precision, one$recall), c(1 / 2, 1 / 2))
})

test_that("a classifier gets the best features as they are, best first", {
    x <- random_matrix(8, 4)
    y <- rep(c("u", "v"), 4)
    seen <- new.env()
    look <- function(train, y, test) {
        seen$train <- train
        seen$y <- y
        rep("u", nrow(test))
    }
    ranking <- ranked(colnames(x), c(3, 1, 4, 2))
    evaluate_ranking(ranking, x, y, x, y, look, n = 2)
    expect_identical(colnames(seen$train), c("g3", "g1"))
    expect_identical(seen$train, x[, c(3, 1)])
    expect_identical(seen$y, factor(y))
    frame <- as.data.frame(x)
    evaluate_ranking(ranking, frame, replace(y, 1, NA), frame, y, look, n = 2)
    expect_identical(seen$train, frame[-1, c("g3", "g1")])
})

test_that("threads share the test samples and change nothing", {
    x <- random_matrix(60, 12)
    y <- rep(1:3, 20)
    test <- random_matrix(70, 12, seed = 2)
    ranking <- ranked(colnames(x), 1:12)
    expect_same_for_threads(function(threads) {
        evaluate_ranking(ranking, x, y, test, rep_len(1:3, 70),
                         threads = threads)
    })
})

test_that("features are matched by name, and may stand in another order", {
    x <- random_matrix(20, 5)
    y <- rep(1:2, 10)
    test <- random_matrix(10, 5, seed = 2)
    ranking <- ranked(colnames(x), c(2, 5, 1, 3, 4))
    plain <- evaluate_ranking(ranking, x, y, test, rep(1:2, 5))
    expect_equal(evaluate_ranking(ranking, x, y, test[, 5:1], rep(1:2, 5)),
                 plain)
    expect_equal(evaluate_ranking(ranking, as.data.frame(x), y,
                                  as.data.frame(test)[5:1], rep(1:2, 5)),
                 plain)
    expect_equal(evaluate_ranking(ranking, Matrix::Matrix(x, sparse = TRUE), y,
                                  test, rep(1:2, 5)), plain)
    expect_refused("argument",
        evaluate_ranking(ranking, x, y, test[, 1:3], rep(1:2, 5)),
        evaluate_ranking(ranking, x[, 1:3], y, test[, 1:3], rep(1:2, 5)),
        evaluate_ranking(ranking, x, 1:3, test, rep(1:2, 5)),
        evaluate_ranking(ranking, x, y, test, NULL),
        evaluate_ranking(ranking, x, y, test, rep(1:2, 5), n = 0),
        evaluate_ranking(ranking, x, y, test, rep(1:2, 5), positive = 3),
        evaluate_ranking(ranking, x, y, test, rep(1:2, 5), "forest"),
        evaluate_ranking(list(ranking), x, y, test, rep(1:2, 5)),
        evaluate_ranking("g1", x, y, test, rep(1:2, 5)),
        evaluate_ranking(ranking, x, y, test, rep(1:2, 5),
                         function(train, y, test) 1:3),
        evaluate_ranking(ranking, x, y, test, rep(1:2, 5),
                         function(train, y, test) c(1:9, NA)))
})

test_that("factors differ by 0 or 1 and unknown classes are left out", {
    train <- data.frame(a = c("u", "v", "w"), b = c(0, 0.5, 1))
    test <- data.frame(a = c("w", "z", "v"), b = c(0, 0, 1))
    ranking <- ranked(c("a", "b"), 1:2)
    got <- evaluate_ranking(ranking, train, 1:3, test, c(3, 1, 2))
    # first a alone: w, then z as near to all, so row 1, then v
    expect_equal(got$accuracy[1], 1)
    # with b: (w, 0): 1 + 0 to row 1, 0 + 1 to row 3: row 1 is as near
    expect_equal(got$accuracy[2], 1 / 3 + 0 + 1 / 3, tolerance = 1)
    x <- random_matrix(6, 2)
    some <- evaluate_ranking(ranked(colnames(x), 1:2), x,
                             c(1, 2, NA, NA, 1, 2), x, c(1, 2, 1, NA, 1, 2))
    expect_gt(min(some$accuracy), 0.7)
    expect_warning(
        evaluate_ranking(ranked(colnames(x), 1:2), x, rep(1:2, 3), x,
                         c(1:3, 1:3)),
        class = "linkrank_warning_evaluation"
    )
})

test_that("missing values are the training mean when asked for", {
    x <- random_matrix(10, 2)
    test <- x
    test[2, 1] <- NA
    y <- rep(1:2, 5)
    ranking <- ranked(colnames(x), 1:2)
    expect_error(evaluate_ranking(ranking, x, y, test, y),
                 class = "linkrank_error_input")
    filled <- test
    filled[2, 1] <- mean(x[, 1])
    expect_equal(evaluate_ranking(ranking, x, y, test, y,
                                  na.action = "mean"),
                 evaluate_ranking(ranking, x, y, filled, y))
})

test_that("several rankings are printed, summarised and drawn", {
    x <- random_matrix(30, 12)
    y <- rep(1:2, 15)
    both <- list(forwards = ranked(colnames(x), 1:12),
                 backwards = ranked(colnames(x), 12:1))
    found <- evaluate_ranking(both, x[1:15, ], y[1:15], x[16:30, ], y[16:30])
    expect_narrow(found)
    expect_snapshot(found)
    expect_snapshot(summary(found))
    expect_identical(class(as.data.frame(found)), "data.frame")
    single <- evaluate_ranking(both$backwards, x[1:15, ], y[1:15],
                               x[16:30, ], y[16:30])
    expect_equal(single$accuracy,
                 found$accuracy[found$ranking == "backwards"])
    grDevices::pdf(NULL)
    expect_identical(plot(found, "recall"), found)
    grDevices::dev.off()
})
