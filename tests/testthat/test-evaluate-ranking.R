ranked <- function(features, order) {
    made_ranking(rev(seq_along(features))[order(order)] * 1.0, features)
}

# The nearest neighbour by its description, one point of the curve at a time;
# of equally near ones the first.
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

# The same where equally near ones share: what is right on average.
reference_accuracy <- function(features, train, y, test, y_test) {
    order <- match(features, colnames(train))
    reference_nearest_accuracy(order, train, y, test, y_test,
                               length(features))
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
            reference_accuracy(h$ranking$feature[seq_len(count)], h$train,
                               h$y, h$test, h$y_test)
        }, 0)
        isTRUE(all.equal(got$accuracy, want)) &&
            identical(got$features, 1:6)
    })
})

test_that("equally near training samples divide a test sample", {
    ranking <- made_ranking(1, "g1")
    train <- matrix(c(0, 1, 0.5, 0.5), 4, dimnames = list(NULL, "g1"))
    test <- matrix(c(0.25, 0.5), 2, dimnames = list(NULL, "g1"))
    judged <- function(y_test, ...) {
        evaluate_ranking(ranking, train, c("a", "b", "c", "d"), test, y_test,
                         ...)
    }
    # 0.25 is as near to a as to c and d: a third each; 0.5 is c's and d's
    expect_equal(judged(c("a", "c"))$accuracy, (1 / 3 + 1 / 2) / 2)
    # a is given 1/3, c and d 5/6 each, and is right with 1/3 of 1 sample
    found <- judged(c("a", "c"))
    expect_equal(found$precision, (1 + (1 / 2) / (5 / 6)) / 2)
    expect_equal(found$recall, (1 / 3 + 1 / 2) / 2)
    # two nearest: at 0.25 all three tie for first; at 0.5 c and d have a vote
    expect_equal(judged(c("a", "c"), k = 2)$accuracy, (1 / 3 + 1 / 2) / 2)
    # all four nearest: a tie of all classes
    expect_equal(judged(c("a", "c"), k = 9)$accuracy, 1 / 4)
})

test_that("votes and proportions are those of a search by hand, for any k", {
    expect_every(6, function(seed) {
        set.seed(seed)
        p <- 4
        x <- matrix(sample(0:2, 26 * p, TRUE), 26)
        test <- matrix(sample(0:3, 15 * p, TRUE), 15)
        y <- sample(c("a", "b", "c"), 26, TRUE)
        y_test <- sample(c("a", "b", "c"), 15, TRUE)
        order <- sample(p)
        all(vapply(c(1, 2, 7, 26), function(k) {
            got <- evaluate_ranking(ranked(paste0("V", 1:p), order), x, y,
                                    test, y_test, k = k)
            shares <- reference_nearest_shares(order, x, y, test, 1:p, k)
            part <- function(class, all) {
                vapply(shares, function(share) {
                    own <- if (all) TRUE else y_test == class
                    sum(share[own, class])
                }, 0)
            }
            precision <- vapply(colnames(shares[[1]]), function(class) {
                given <- part(class, TRUE)
                ifelse(given > 0, part(class, FALSE) / given, 0)
            }, numeric(p))
            recall <- vapply(colnames(shares[[1]]), function(class) {
                part(class, FALSE) / max(sum(y_test == class), 1)
            }, numeric(p))
            of_a <- evaluate_ranking(ranked(paste0("V", 1:p), order), x, y,
                                     test, y_test, k = k, positive = "a")
            isTRUE(all.equal(got$accuracy, reference_nearest_accuracy(
                order, x, y, test, y_test, 1:p, k
            ))) && isTRUE(all.equal(got$precision, rowMeans(precision))) &&
                isTRUE(all.equal(got$recall, rowMeans(recall))) &&
                isTRUE(all.equal(of_a$precision, precision[, "a"])) &&
                isTRUE(all.equal(of_a$recall, recall[, "a"]))
        }, NA))
    })
})

# By the first feature the test samples are nearest to a, a, b, b, by both to
# a, b, b, b; they are a, b, b, b in truth.
#   one feature   accuracy 3 / 4; precision a 1/2, b 1; recall a 1, b 2/3
#   two features  all right
# The third feature is a constant and changes nothing.
test_that("all measures at several numbers of features, worked by hand", {
    train <- cbind(g1 = c(0, 0, 1, 1), g2 = c(0, 0, 1, 1), g3 = 1)
    test <- cbind(g1 = c(0.1, 0.4, 0.9, 1), g2 = c(0, 0.9, 1, 1), g3 = 1)
    y <- c("a", "a", "b", "b")
    truth <- c("a", "b", "b", "b")
    judge <- function(...) {
        evaluate_ranking(ranked(paste0("g", 1:3), 1:3), train, y, test, truth,
                         ...)
    }
    got <- judge()
    expect_equal(got$accuracy, c(3 / 4, 1, 1))
    expect_equal(got$precision, c(3 / 4, 1, 1))
    expect_equal(got$recall, c(5 / 6, 1, 1))
    of_b <- judge(positive = "b")
    expect_equal(of_b$precision, c(1, 1, 1))
    expect_equal(of_b$recall, c(2 / 3, 1, 1))
    # a class that is never predicted
    alone <- evaluate_ranking(ranked(c("g1", "g2"), 1:2), train[, 1:2],
                              y, test[c(1, 1, 4), 1:2], c("a", "b", "b"))
    expect_equal(alone$recall, c(3 / 4, 3 / 4))
    expect_equal(alone$precision, c(3 / 4, 3 / 4))
    # RMSE: the nearest values are 0, 0, 1, 1 and then 0, 1, 1, 1
    number <- evaluate_ranking(ranked(c("g1", "g2"), 1:2), train[, 1:2],
                               c(0, 0, 1, 1) + 0.5, test[, 1:2],
                               c(0, 1, 1, 1) + 0.5)
    expect_equal(number$rmse, c(1 / 2, 0))
})

test_that("evaluate_method() has the measures of each split's own predictions", {
    set.seed(5)
    x <- matrix(rnorm(60 * 4), 60, dimnames = list(NULL, paste0("g", 1:4)))
    y <- sample(c("a", "b", "c"), 60, TRUE, c(0.5, 0.3, 0.2))
    x[y == "b", 2] <- x[y == "b", 2] + 2
    nearest <- function(train, y, test) {
        low <- apply(train, 2, min)
        width <- apply(train, 2, max) - low
        u <- sweep(sweep(train, 2, low), 2, width, "/")
        v <- sweep(sweep(test, 2, low), 2, width, "/")
        as.character(y)[apply(v, 1, function(one) {
            which.min(colSums((t(u) - one)^2))
        })]
    }
    judged <- function(...) {
        set.seed(8)
        evaluate_method(x, y, c("relieff", "variance_score"), splits = 3, ...)
    }
    # the classifier's measures are computed by other code
    for (positive in list(NULL, "b")) {
        built_in <- judged(positive = positive)
        expect_equal(as.data.frame(built_in),
                     as.data.frame(judged(positive = positive,
                                          classifier = nearest)))
        expect_gt(length(unique(built_in$recall)), 4)
    }
})

test_that("permuted rows change no bit, threads neither", {
    expect_every(8, function(seed) {
        set.seed(seed)
        x <- matrix(sample(0:5, 60 * 5, TRUE) / 3, 60)
        y <- sample(letters[1:3], 60, TRUE)
        number <- rnorm(60)
        ranking <- ranked(paste0("V", 1:5), sample(5))
        a <- sample(60, 33)
        b <- setdiff(1:60, a)
        judged <- function(a, b, y, ...) {
            as.data.frame(evaluate_ranking(ranking, x[a, ], y[a], x[b, ], y[b],
                                           ...))
        }
        all(vapply(c("range", "zscore", "none"), function(scale) {
            turned <- sample(a)
            tested <- sample(b)
            identical(judged(a, b, y, scale = scale),
                      judged(turned, tested, y, scale = scale)) &&
                identical(judged(a, b, y, k = 4, scale = scale),
                          judged(turned, tested, y, k = 4, scale = scale,
                                 threads = 2)) &&
                identical(judged(a, b, number, k = 4, scale = scale),
                          judged(turned, tested, number, k = 4,
                                 scale = scale))
        }, NA))
    })
})

test_that("numbers are predicted by the mean of the neighbours", {
    set.seed(2)
    x <- matrix(sample(0:3, 20 * 4, TRUE), 20)
    test <- matrix(sample(0:4, 9 * 4, TRUE), 9)
    y <- rnorm(20)
    y_test <- rnorm(9)
    order <- c(2, 4, 1, 3)
    for (k in c(1, 3, 20)) {
        weights <- reference_nearest_weights(order, x, test, 1:4, k)
        want <- vapply(weights, function(w) {
            sqrt(mean((drop(w %*% y) / k - y_test)^2))
        }, 0)
        got <- evaluate_ranking(ranked(paste0("V", 1:4), order), x, y, test,
                                y_test, k = k)
        expect_named(got, c("ranking", "features", "rmse"))
        expect_equal(got$rmse, want)
    }
    # samples of unknown outcome do not count
    less <- evaluate_ranking(ranked(paste0("V", 1:4), order), x,
                             replace(y, 3, NA), test, replace(y_test, 2, NA))
    expect_equal(less$rmse, evaluate_ranking(
        ranked(paste0("V", 1:4), order), x[-3, ], y[-3], test[-2, ],
        y_test[-2]
    )$rmse)
    middle <- function(train, y, test) rep(mean(y), nrow(test))
    own <- evaluate_ranking(ranked(paste0("V", 1:4), order), x, y, test,
                            y_test, classifier = middle)
    expect_equal(own$rmse, rep(sqrt(mean((y_test - mean(y))^2)), 4))
    expect_narrow(own)
    expect_snapshot(own)
    grDevices::pdf(NULL)
    expect_identical(plot(own), own)
    grDevices::dev.off()
    ranking <- ranked(paste0("V", 1:4), order)
    expect_refused("argument",
        evaluate_ranking(ranking, x, y, test, letters[1:9]),
        evaluate_ranking(ranking, x, y, test, y_test, positive = 1),
        evaluate_ranking(ranking, x, y, test, y_test,
                         classifier = function(train, y, test) "a"))
})

test_that("other scales are those of the training samples", {
    x <- random_matrix(20, 3) * rep(c(1, 10, 100), each = 20)
    test <- random_matrix(9, 3, seed = 2) * rep(c(1, 10, 100), each = 9)
    y <- rep(1:2, 10)
    y_test <- rep(1:3, 3)[1:9] %% 2 + 1
    ranking <- ranked(colnames(x), 3:1)
    judged <- function(x, test, ...) {
        evaluate_ranking(ranking, x, y, test, y_test, ...)
    }
    z <- scale(x)
    z_test <- scale(test, attr(z, "scaled:center"), attr(z, "scaled:scale"))
    expect_equal(judged(x, test, scale = "zscore"),
                 judged(z[, 1:3], z_test[, 1:3], scale = "none"))
    expect_false(identical(judged(x, test, scale = "none")$accuracy,
                           judged(x, test)$accuracy))
})

test_that("any kind of data gives the same curve", {
    h <- halves()
    want <- evaluate_ranking(h$ranking, h$train, h$y, h$test, h$y_test)
    frame <- evaluate_ranking(h$ranking, as.data.frame(h$train), h$y,
                              as.data.frame(h$test), h$y_test)
    sparse <- evaluate_ranking(h$ranking, as_matrix_class(h$train, "dgCMatrix"),
                               h$y, as_matrix_class(h$test, "dgCMatrix"),
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
    # "z" is as far from all: a third of it counts
    expect_equal(got$accuracy, (2 + 1 / 3) / 3)
})

test_that("samples without a label are left out", {
    h <- halves()
    y <- h$y
    y[2:4] <- NA
    y_test <- h$y_test
    y_test[1] <- NA
    got <- evaluate_ranking(h$ranking, h$train, y, h$test, y_test)
    want <- vapply(1:6, function(count) {
        reference_accuracy(h$ranking$feature[seq_len(count)],
                           h$train[-(2:4), ], y[-(2:4)], h$test[-1, ],
                           y_test[-1])
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
    want <- vapply(c(2, 4), function(count) {
        mean(reference_nearest(h$ranking$feature[seq_len(count)], h$train,
                               h$y, h$test) == h$y_test)
    }, 0)
    expect_identical(got$features, c(2L, 4L))
    expect_identical(got$accuracy, want)
    expect_identical(seen, list(h$ranking$feature[1:2],
                                h$ranking$feature[1:4]))
})

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
    got <- evaluate_ranking(ranking, x, truth, x, truth, classifier = says, n = c(1, 3))
    expect_identical(got$features, c(1L, 3L))
    expect_equal(got$accuracy, rep(4 / 6, 2))
    expect_equal(got$precision, rep((2 / 3 + 1 / 2 + 1) / 3, 2))
    expect_equal(got$recall, rep((1 + 1 / 2 + 1 / 2) / 3, 2))
    one <- evaluate_ranking(ranking, x, truth, x, truth, classifier = says, n = 1,
                            positive = "b")
    expect_equal(c(one$precision, one$recall), c(1 / 2, 1 / 2))
})

test_that("numbers of features are a vector: of an array, copies would stay", {
    x <- matrix(rnorm(96), 8, dimnames = list(NULL, paste0("g", 1:12)))
    y <- rep(1:2, 4)
    ranking <- variance_score(x)
    # R's unique() of an array compares its slices
    for (n in list(array(1, c(2, 2, 2)), matrix(1:4, 2))) {
        expect_refused("argument",
            evaluate_ranking(ranking, x, y, x, y, n = n),
            evaluate_method(x, y, "variance_score", splits = 2, n = n)
        )
    }
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
    evaluate_ranking(ranking, x, y, x, y, classifier = look, n = 2)
    expect_identical(colnames(seen$train), c("g3", "g1"))
    expect_identical(seen$train, x[, c(3, 1)])
    expect_identical(seen$y, factor(y))
    frame <- as.data.frame(x)
    evaluate_ranking(ranking, frame, replace(y, 1, NA), frame, y, classifier = look, n = 2)
    expect_identical(seen$train, frame[-1, c("g3", "g1")])
})

test_that("predictions that name the test samples are matched by name", {
    d <- halves()
    test <- d$test
    rownames(test) <- paste0("t", seq_len(nrow(test)))
    train <- d$train
    rownames(train) <- paste0("s", seq_len(nrow(train)))
    accuracy <- function(classifier, y = d$y, y_test = d$y_test, ...) {
        unlist(evaluate_ranking(d$ranking, train, y, test, y_test, n = 3,
                                classifier = classifier, ...)[-(1:2)])
    }
    classes <- function(train, y, test) stats::setNames(
        reference_nearest(colnames(train), train, y, test), rownames(test))
    want <- accuracy(function(...) unname(classes(...)))
    turned <- function(train, y, test) rev(classes(train, y, test))
    expect_identical(accuracy(turned), want)
    # probabilities, also as an array of one matrix; numbers
    shares <- function(found) {
        matrix(outer(as.character(found), levels(d$y), `==`) + 0, length(found),
               dimnames = list(names(found), levels(d$y)))
    }
    for (form in list(identity, as.data.frame, function(found) {
        array(found, c(dim(found), 1L), c(dimnames(found), "s0"))
    })) {
        expect_identical(accuracy(function(...) form(shares(turned(...)))),
                         want)
    }
    numbers <- seq_along(d$y) / 7
    truth <- seq_along(d$y_test) / 7
    expect_identical(unname(accuracy(function(train, y, test) {
        stats::setNames(rev(truth), rev(rownames(test)))
    }, numbers, truth)), 0)
    # names that are not of samples tell nothing
    for (names in list(seq_len(nrow(test)), letters[rep(1:2, 9)],
                       paste0("row", seq_len(nrow(test))))) {
        expect_identical(accuracy(function(...) stats::setNames(
            classes(...), rep_len(names, nrow(test)))), want)
    }
    # nor do those of the nearest training samples, of which a name may be left
    few <- function(classifier) evaluate_ranking(
        d$ranking, train, d$y, test[1:3, ], d$y_test[1:3], n = 3,
        classifier = classifier)$accuracy
    expect_identical(few(function(...) stats::setNames(
        classes(...), rownames(train)[c(7, 2, 5)])), few(classes))
    # `y` that is named does not make names of predictions
    expect_identical(accuracy(function(train, y, test) {
        y[match(classes(train, y, test), y)]
    }, stats::setNames(d$y, rownames(train))), want)
    # predictions of training samples, and of other test samples
    rows <- seq_len(nrow(test))
    expect_message_of <- function(names, text) {
        expect_error(accuracy(function(...) {
            stats::setNames(classes(...), names)
        }), text, class = "linkrank_error_argument")
    }
    expect_message_of(rownames(train)[rows], "but it names other samples: \"s1\"")
    expect_message_of(rev(c("other", rownames(test)[-1])),
                      "but it names \"other\" and has no \"t1\"")
})

test_that("threads divide the test samples and change nothing", {
    x <- random_matrix(60, 12)
    y <- rep(1:3, 20)
    test <- random_matrix(70, 12, seed = 2)
    ranking <- ranked(colnames(x), 1:12)
    expect_same_for_threads(function(threads) {
        evaluate_ranking(ranking, x, y, test, rep_len(1:3, 70),
                         threads = threads)
    })
})

test_that("features are matched by name, in any order", {
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
        evaluate_ranking(ranking, x, y, test, rep(1:2, 5), positive = mean),
        evaluate_ranking(structure(list(), class = "feature_ranking"), x, y,
                         test, rep(1:2, 5)),
        evaluate_ranking(ranking, x, y, test, rep(1:2, 5), classifier = "forest"),
        evaluate_ranking(list(ranking), x, y, test, rep(1:2, 5)),
        evaluate_ranking("g1", x, y, test, rep(1:2, 5)),
        evaluate_ranking(ranking, x, y, test, rep(1:2, 5),
                         classifier = function(train, y, test) 1:3),
        evaluate_ranking(ranking, x, y, test, rep(1:2, 5),
                         classifier = function(train, y, test) c(1:9, NA)))
})

test_that("factors differ by 0 or 1 and unknown classes are left out", {
    train <- data.frame(a = c("u", "v", "w"), b = c(0, 0.5, 1))
    test <- data.frame(a = c("w", "z", "v"), b = c(0, 0, 1))
    ranking <- ranked(c("a", "b"), 1:2)
    got <- evaluate_ranking(ranking, train, 1:3, test, c(3, 1, 2))
    # first a alone: w, then z as near to all, then v
    expect_equal(got$accuracy[1], (1 + 1 / 3 + 1) / 3)
    # with b: (w, 0): 1 + 0 to row 1, 0 + 1 to row 3, 1 + 1 / 4 to row 2;
    # (z, 0): row 1; (v, 1): 1 / 4 to row 2
    expect_equal(got$accuracy[2], (1 / 2 + 1 + 1) / 3)
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

test_that("missing values are the training mean, or refused", {
    x <- random_matrix(10, 2)
    test <- x
    test[2, 1] <- NA
    y <- rep(1:2, 5)
    ranking <- ranked(colnames(x), 1:2)
    expect_error(evaluate_ranking(ranking, x, y, test, y, na.action = "fail"),
                 class = "linkrank_error_input")
    filled <- test
    filled[2, 1] <- mean(x[, 1])
    expect_equal(evaluate_ranking(ranking, x, y, test, y,
                                  na.action = "mean"),
                 evaluate_ranking(ranking, x, y, filled, y))
    expect_equal(evaluate_ranking(ranking, x, y, test, y),
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

test_that("samples that were seen are no test, and it is said", {
    x <- random_matrix(12, 4)
    y <- rep(1:2, 6)
    expect_warning(evaluate_ranking(relieff(x, y), x, y, x, y, n = 2),
                   "samples of `train`", class = "linkrank_warning_samples")
    expect_no_warning(evaluate_ranking(relieff(x, y), x, y, x + 1e-3, y, n = 2))
})

test_that("rows of an evaluation are those of fewer rankings", {
    x <- random_matrix(24, 4)
    y <- rep(c("a", "b"), 12)
    rankings <- list(one = relieff(x[1:12, ], y[1:12]),
                     two = variance_score(x[1:12, ]))
    part <- function(rankings) {
        evaluate_ranking(rankings, x[1:12, ], y[1:12], x[13:24, ], y[13:24])
    }
    both <- part(rankings)
    two <- both[both$ranking == "two", ]
    alone <- part(rankings["two"])
    expect_identical(summary(two), summary(alone))
    expect_output(print(two), "1 ranking,", fixed = TRUE)
    expect_identical(evaluation_curves(two, NULL, "x"),
                     evaluation_curves(alone, NULL, "x"))
    set.seed(1)
    methods <- evaluate_method(x, y, c("relieff", "fisher_score"), splits = 2)
    one <- methods[methods$ranking == "ReliefF", ]
    expect_identical(nrow(summary(one)), 1L)
    expect_output(print(one), "1 ranker,", fixed = TRUE)
})
