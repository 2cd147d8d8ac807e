# Draws on no device; returns what plot() returns, and the limits it drew.
drawn <- function(...) {
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    value <- withVisible(plot(...))
    list(value = value$value, visible = value$visible,
         limits = graphics::par("usr"), log = graphics::par("xlog"))
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
        ranking <- made_ranking(50:1, fdr = adjusted)
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

test_that("what orders the ranking is drawn", {
    ranking <- made_ranking(1:3, statistic = c(30, 10, 20), key = "statistic")
    expect_gt(drawn(ranking)$limits[4], 29)
})

test_that("graphical parameters may be given, limits too", {
    ranking <- made_ranking(100:1)
    limits <- drawn(ranking, xlim = c(1, 10), ylim = c(50, 100), main = "Mine",
                    las = 2, col.lab = "red", xlab = "x", ylab = "y", n = 0)$limits
    expect_lt(limits[2], 11)
    expect_gt(limits[3], 40)
    # names have space beside the limits; only what lies within them is named
    beside <- drawn(ranking, xlim = c(1, 10))$limits
    expect_identical(beside[1], limits[1])
    expect_gt(beside[2], limits[2])
    texts <- texts_of(plot(ranking, xlim = c(95, 100), n = 97))
    expect_true(all(ranking$feature[95:97] %in% texts))
    expect_false(any(ranking$feature[1:94] %in% texts))
    expect_false(drawn(made_ranking(600:1), log = "")$log)
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

test_that("data beside a ranking lead to plot_features()", {
    x <- random_matrix(24, 6)
    ranked <- list(variance_score(x), glean(x, few_links(24)),
                   fcrsc(x, few_links(24)))
    for (ranking in ranked) {
        expect_error(plot(ranking, x), "plot_features\\(x, ranking\\) draws",
                     class = "linkrank_error_argument")
    }
})

test_that("many ranks have a logarithmic axis", {
    expect_false(drawn(made_ranking(500:1))$log)
    expect_true(drawn(made_ranking(501:1))$log)
})

test_that("features with the same best score are counted", {
    tied <- made_ranking(c(3, 3, 3, 1), key = "score")
    said <- paste("3 features have the same best", attr(tied, "info")$key)
    expect_true(said %in% texts_of(plot(tied)))
    expect_output(print(tied), said, fixed = TRUE)
    expect_identical(summary(tied)$ties, said)
    expect_output(print(summary(tied)), said, fixed = TRUE)
    expect_null(summary(made_ranking(c(3, 2, 2)))$ties)
    # the best one is not among these
    expect_null(ties_note(tied[2:3, ], attr(tied, "info")))
})

test_that("every name is inside the plot and not on the points", {
    for (count in c(10, 40)) {
        names <- paste0(strrep("name", 6), "_", seq_len(60))
        boxes <- text_boxes(plot(made_ranking(60:1, names), n = count))
        named <- boxes[grepl("^[0-9]+$|more$", boxes$text) & boxes$beside, ]
        expect_gt(nrow(named), 9)
        expect_true(all(named$right <= 7 & named$left >= 0))
        expect_true(all(named$low >= 0 & named$high <= 5))
    }
})

test_that("a type of points is refused, not an error of R's own", {
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    expect_error(plot(made_ranking(3:1 * 1.0), type = mean), "`type` must be",
                 class = "linkrank_error_argument")
    expect_error(plot(made_ranking(3:1 * 1.0), type = "h"), "`type` must be",
                 class = "linkrank_error_argument")
})

test_that("dots need a known class", {
    x <- random_matrix(8, 3)
    expect_error(plot_features(x, variance_score(x), classes = rep(NA, 8),
                               type = "dots"),
                 "known class", class = "linkrank_error")
})

test_that("the scores are drawn along an axis, above the means of the groups", {
    set.seed(1)
    x <- matrix(stats::rnorm(20 * 12), 20) + outer(rep(0:1, 10), 1:12)
    colnames(x) <- paste0("nm", c(12:7, 1:6) * 2)
    y <- rep(c("a", "b"), 10)
    ranking <- variance_score(x)
    drawn <- axis_curves(ranking, x, y, "y")
    table <- drawn$layers$lines
    along <- order(as.numeric(sub("nm", "", colnames(x))))
    expect_identical(drawn$styles$label, c("score", "a", "b"))
    parts <- split(table, drawn$styles$label[table$of])
    expect_identical(parts$a$x, seq(2, 24, 2))
    expect_equal(parts$b$y, unname(colMeans(x[y == "b", along])))
    # by hand: the worst score a tenth of the height above the highest mean, the
    # best half of it
    means <- c(parts$a$y, parts$b$y)
    height <- diff(range(means))
    score <- feature_scores(ranking)[along]
    expect_equal(min(parts$score$y), max(means) + 0.1 * height)
    expect_equal(max(parts$score$y), max(means) + 0.5 * height)
    expect_equal(stats::cor(parts$score$y, score), 1)
    # a lower score that is better is drawn higher
    lower <- axis_curves(laplacian_score(x, k = 3), x, NULL, "y")
    expect_identical(lower$styles$label, c("score", "all samples"))
    expect_equal(which.max(lower$layers$lines$y[1:12]),
                 match(laplacian_score(x, k = 3)$feature[1], colnames(x)[along]))
    links <- pairwise_constraints(cannot_link = cbind(1:3, 2:4), samples = 20)
    found <- glean(x, links, rank_by = "relevance")
    expect_identical(axis_curves(found, x, NULL, "y")$styles$label,
                     c("relevance", levels(glean_samples(found)$group)))
    boxes <- text_boxes(plot(ranking, type = "curve", x, classes = y))
    expect_true(all(c("score", "a", "b") %in% boxes$text))
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    expect_identical(plot(found, type = "curve", x), found)
    names <- x
    colnames(names) <- replace(colnames(x), 1, "water")
    expect_refused("argument", plot(ranking, type = "curve"),
                   plot(variance_score(names), type = "curve", names),
                   plot(ranking, y = x))
    skip_if_not_installed("ggplot2")
    drawn <- ggplot2::autoplot(ranking, x, type = "curve", classes = y)
    expect_equal(drawn$layers[[1]]$data$y, table$y)
})
