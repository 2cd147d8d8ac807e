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
                                  test, rep(1:2, 5), threads = 2), plain)
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
