test_that("every split ranks on its own training half", {
    set.seed(1)
    x <- random_matrix(40, 10)
    y <- rep(c("a", "b"), 20)
    seen <- new.env()
    seen$rows <- list()
    ranker <- function(x, y, constraints) {
        seen$rows <- c(seen$rows, list(rownames(x)))
        seen$links <- constraints
        relieff_sc(x, constraints)
    }
    set.seed(7)
    found <- evaluate_method(x, y, list(own = ranker, named = "relieff_sc"),
                             splits = 3, cannot_link = 4, must_link = 2)
    expect_identical(unique(found$split), 1:3)
    expect_length(seen$rows, 3)
    expect_true(all(lengths(seen$rows) == 20))
    expect_length(seen$links, 6)
    # the same pairs for both
    own <- found[found$ranking == "own", "accuracy"]
    expect_equal(own, found[found$ranking == "named", "accuracy"])
    set.seed(7)
    again <- evaluate_method(x, y, list(own = ranker, named = "relieff_sc"),
                             splits = 3, cannot_link = 4, must_link = 2)
    expect_identical(again, found)
})

test_that("methods are asked for by name, first halves once", {
    x <- random_matrix(24, 6)
    y <- factor(rep(1:3, 8))
    found <- evaluate_method(x, y, c("variance_score", "fisher_score"),
                             type = "first", n = c(1, 6))
    expect_identical(levels(found$ranking), c("Variance", "Fisher score"))
    half <- split_half(y, "first")
    want <- evaluate_ranking(fisher_score(x[half$train, ], y[half$train]),
                             x[half$train, ], y[half$train], x[half$test, ],
                             y[half$test], n = c(1, 6))
    expect_equal(found$accuracy[found$ranking == "Fisher score"],
                 want$accuracy)
})

test_that("it prints, is drawn and summarised", {
    x <- random_matrix(24, 6)
    y <- factor(rep(1:2, 12))
    set.seed(2)
    found <- evaluate_method(x, y, c("variance_score", "relieff_sc"),
                             splits = 4, cannot_link = 3)
    expect_narrow(found)
    expect_snapshot(found)
    facts <- summary(found)
    expect_named(facts, c("ranking", "mean", "sd", "best", "features",
                          "rank_sum"))
    means <- tapply(found$accuracy, list(found$split, found$ranking), mean)
    expect_equal(facts$mean, unname(colMeans(means)))
    expect_equal(facts$rank_sum, unname(rank_sum(means)))
    grDevices::pdf(NULL)
    expect_identical(plot(found), found)
    grDevices::dev.off()
})

test_that("rankers that cannot be used are refused", {
    x <- random_matrix(24, 6)
    y <- factor(rep(1:2, 12))
    expect_refused("argument",
        evaluate_method(x, y, "forest"),
        evaluate_method(x, y, list("relieff_sc", "relief_sc")),
        evaluate_method(x, y, list(a = function(x) 1)),
        evaluate_method(x, y, list(a = function(x) stop("No luck."))),
        evaluate_method(x, replace(y, 3, NA), "relieff_sc"),
        evaluate_method(x, y[1:5], "relieff_sc"),
        evaluate_method(x, y, "relieff_sc", splits = 0))
})
