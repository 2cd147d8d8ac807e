# Draws on no device; returns what plot() returns, and the limits it drew.
drawn <- function(...) {
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    value <- withVisible(plot(...))
    list(value = value$value, visible = value$visible,
         limits = graphics::par("usr"))
}

test_that("plot() gives the ranking back, invisibly", {
    ranking <- made_ranking(c(3, 1, 2))
    out <- expect_silent(drawn(ranking))
    expect_identical(out$value, ranking)
    expect_false(out$visible)
})

test_that("rankings of every shape are drawn without a word", {
    shapes <- list(
        one = 5, two = c(2, 1), equal = rep(1, 20), zero = numeric(5),
        negative = -(1:30), many = rexp(500), part = c(3, 2, NA, NaN),
        huge = c(1e300, -1e300, 0), tiny = c(3e-300, 1e-300),
        inf = c(Inf, 2, 1),
        all_but_one = c(NA, NA, 1), steps = rep(3:1, each = 30)
    )
    for (margin in shapes) {
        expect_silent(drawn(made_ranking(margin)))
        expect_silent(drawn(made_ranking(margin), n = 0))
        expect_silent(drawn(made_ranking(margin), n = 1000))
    }
})

test_that("p-values of every kind are drawn without a word", {
    values <- list(rep(0, 50), rep(1, 50), rep(NA_real_, 50), runif(50))
    for (adjusted in values) {
        ranking <- made_ranking(50:1, adj_p_value = adjusted)
        expect_silent(drawn(ranking, alpha = 0.5))
    }
})

test_that("names of every kind are drawn without a word", {
    names <- c("two\nlines", "\u00e9t\u00e9", "bytes \xe9\xff", "",
               strrep("long", 30))
    expect_silent(drawn(made_ranking(5:1, names)))
})

test_that("a part of a ranking is drawn at its own ranks", {
    ranking <- made_ranking(60:1)
    limits <- drawn(ranking[41:50, ])$limits
    expect_gt(limits[1], 30)
    expect_lt(limits[2], 70)
    expect_lt(limits[4], 25)
})

test_that("rows in another order are drawn by rank", {
    ranking <- made_ranking(c(5, 4, 3, 2, 1))
    turned <- ranking[5:1, ]
    expect_identical(drawn(turned)$value$rank, 1:5)
    expect_identical(drawn(turned)$limits, drawn(ranking)$limits)
})

test_that("what orders the ranking is drawn", {
    ranking <- made_ranking(1:3, statistic = c(30, 10, 20), key = "statistic")
    expect_gt(drawn(ranking)$limits[4], 29)
})

test_that("graphical parameters may be given, limits too", {
    ranking <- made_ranking(100:1)
    limits <- drawn(ranking, xlim = c(1, 10), ylim = c(50, 100), main = "Mine",
                    las = 2, col.lab = "red", xlab = "x", ylab = "y")$limits
    expect_lt(limits[2], 11)
    expect_gt(limits[3], 40)
})

test_that("what cannot be drawn is refused", {
    ranking <- made_ranking(3:1)
    expect_refused("argument",
        drawn(made_ranking(c(NA, NaN))),
        drawn(made_ranking(c(Inf, -Inf))),
        drawn(made_ranking(c(1, 2), statistic = c(NA, NA_real_),
                           key = "statistic")),
        drawn(ranking[0, ]),
        drawn(ranking, n = -1),
        drawn(ranking, n = "all"),
        drawn(ranking, alpha = 2)
    )
})
