# 30 samples of two kinds: `marker` tells them apart, `rare` is seen in one only.
two_kinds <- function() {
    set.seed(1)
    kind <- rep(0:1, each = 15)
    x <- cbind(matrix(rnorm(30 * 5, sd = 0.1), 30), rare = 0,
               marker = kind * 4 + rnorm(30), constant = 7,
               weaker = kind * 2 + rnorm(30))
    x[3, "rare"] <- 50
    colnames(x)[1:5] <- paste0("noise", 1:5)
    x
}

test_that("a feature of one sample only does not win", {
    q <- questionnaire(two_kinds(), strategy = "groups", scale = "range")
    found <- separating_features(q, c(3L, 20L), 9)
    names <- q$data$features[found$number]
    expect_identical(names[1], "marker")
    expect_true(all(names %in% c("marker", "weaker")))
    value <- function(i, f) format(signif(two_kinds()[i, f], 3), digits = 3)
    expect_identical(differing_features(q, c(3L, 20L))[1], sprintf(
        "marker (%s / %s)", value(3, "marker"), value(20, "marker")))
})

test_that("one search serves all pairs of a question", {
    q <- questionnaire(two_kinds(), strategy = "groups")
    shown <- c(20L, 3L, 25L, 7L)
    around <- q$around(shown)
    for (other in shown[-1]) {
        pair <- c(shown[1], other)
        expect_identical(separating_features(q, pair, 9, around),
                         separating_features(q, pair, 9))
    }
    # few samples, all of which are shown
    q <- questionnaire(two_kinds()[12:17, ], strategy = "groups")
    around <- q$around(6:1)
    expect_identical(separating_features(q, c(6L, 2L), 9, around),
                     separating_features(q, c(6L, 2L), 9))
})

test_that("what is around a sample is read once, the last ones stay", {
    asked <- list()
    around <- remember(function(i) {
        asked <<- c(asked, list(i))
        lapply(i, function(one) matrix(one, 2, 5))
    }, most = 30)
    expect_identical(around(c(4L, 2L)), list(`4` = matrix(4L, 2, 5),
                                             `2` = matrix(2L, 2, 5)))
    expect_identical(around(2L), matrix(2L, 2, 5))
    expect_identical(around(7L, 1:2), matrix(7L, 2, 5))
    around(1L)
    around(4L)
    expect_identical(asked, list(c(4L, 2L), c(7L, 1L), 4L))
})

test_that("the weight is that of the equation, missing values left out", {
    set.seed(2)
    a <- matrix(rnorm(40), 4)
    b <- matrix(rnorm(60), 6)
    a[1, 1] <- NA
    a[3, 2] <- NA
    got <- separation(a, b)
    spread <- size <- numeric(10)
    for (f in 1:10) {
        u <- a[, f][!is.na(a[, f])]
        v <- b[, f]
        spread[f] <- sqrt((sum((u - mean(u))^2) + sum((v - mean(v))^2)) / 8)
        own <- a[1, f] - b[1, f]
        between <- mean(u) - mean(v)
        size[f] <- if (is.na(own) || own * between <= 0) 0 else
            min(abs(own), abs(between))
    }
    expect_equal(got, size / (spread + median(spread[size > 0])))
    expect_identical(got[1], 0)
    # nothing differs
    expect_identical(separation(b[2, , drop = FALSE],
                                b[2, , drop = FALSE]), numeric(10))
})

test_that("factors, flags and positions are described in words", {
    x <- data.frame(a = c(0, 10, 5, 2), b = c(TRUE, FALSE, TRUE, TRUE),
                    c = factor(c("u", "v", "w", "u")), d = 7)
    q <- questionnaire(x, strategy = "random")
    expect_setequal(differing_features(q, 1:2),
                    c("a (0 / 10)", "b (yes / no)", "c (u / v)"))
    expect_identical(differing_features(q, c(1L, 4L)), "a (0 / 2)")
    x$a <- 1
    expect_identical(differing_features(questionnaire(x, strategy = "random"),
                                        c(1L, 4L)), "nothing beyond noise")
})

test_that("levels and dates are said as they were given, never as codes", {
    x <- data.frame(
        leaf = factor(c("ovate", "linear", "ovate", "linear"),
                      c("none", "ovate", "linear")),
        stage = factor(c("III", "I", "III", "II"), c("I", "II", "III"),
                       ordered = TRUE),
        stain = c("weak", "strong", "weak", "weak"),
        seen = as.Date(c("2024-03-01", "2024-09-30", "2024-03-02", NA)),
        `two words` = factor(c("a level of more than 24 letters", "b")[c(1, 2, 1, 2)]),
        check.names = FALSE
    )
    q <- questionnaire(x, strategy = "random", na.action = "mean")
    expect_setequal(differing_features(q, 1:2, 9), c(
        "leaf (ovate / linear)", "stage (III / I)", "stain (weak / strong)",
        "seen (2024-03-01 / 2024-09-30)", "two words (a level of mo... letters / b)"
    ))
    # sides follow the pair; in the dialogue too
    expect_true("stage (I / III)" %in% differing_features(q, 2:1, 9))
    shown <- dialogue(data.frame(leaf = c("ovate", "linear", "round")), "q")$shown
    expect_match(paste(shown, collapse = ""), "leaf \\([a-z]+ / [a-z]+\\)")
})

test_that("places are from 0 to 1 for any scale and container", {
    x <- two_kinds() * 40 + 300
    pair <- c(3L, 20L)
    expect_places <- function(x, ...) {
        q <- questionnaire(x, strategy = "groups", ...)
        found <- separating_features(q, pair, 9)
        expect_gt(nrow(found), 0)
        places <- as.matrix(found[c("first", "second")])
        expect_true(all(places >= 0 & places <= 1))
        for (at in seq_len(nrow(found))) {
            v <- as.matrix(q$data$values)[, found$number[at]]
            expect_equal(unname(places[at, ]),
                         unname((v[pair] - min(v)) / (max(v) - min(v))))
            expect_equal(found$first_value[at], unname(v[pair[1]]))
        }
        found
    }
    expect_places(x, scale = "range")
    plain <- expect_places(x, scale = "none")
    q <- questionnaire(x, strategy = "groups", scale = "none")
    expect_match(differing_features(q, pair)[1], "^marker \\(287 / 468\\)")
    skip_if_not_installed("SummarizedExperiment")
    se <- SummarizedExperiment::SummarizedExperiment(list(logcounts = t(x)))
    q <- questionnaire(se, strategy = "groups")
    expect_equal(separating_features(q, pair, 9), plain)
})

# 60 samples of three kinds: each has three features of its own, other six are noise.
three_kinds <- function() {
    set.seed(2)
    kind <- rep(1:3, 20)
    x <- matrix(rnorm(60 * 15), 60)
    for (k in 1:3) x[kind == k, 3 * k - 2:0] <- x[kind == k, 3 * k - 2:0] + 6
    colnames(x) <- c(paste0(rep(c("a", "b", "c"), each = 3), 1:3),
                     paste0("noise", 1:6))
    x
}

test_that("half is what the first sample has, half what the second has", {
    q <- questionnaire(three_kinds(), strategy = "groups")
    names <- function(pair, count) {
        q$data$features[separating_features(q, pair, count)$number]
    }
    expect_match(paste(names(1:2, 4), collapse = " "), "^a. a. b. b.$")
    expect_match(paste(names(2:1, 4), collapse = " "), "^b. b. a. a.$")
    # odd: the stronger one; one side has no more
    expect_length(names(1:2, 3), 3L)
    marks <- grep("noise", names(1:2, 9), invert = TRUE, value = TRUE)
    expect_setequal(marks, paste0(rep(c("a", "b"), each = 3), 1:3))
    x <- three_kinds()
    x[, c("b1", "b2", "b3")] <- 0
    q <- questionnaire(x, strategy = "groups")
    expect_setequal(intersect(names(1:2, 9), colnames(x)[1:9]), c("a1", "a2", "a3"))
})

test_that("noise is no difference", {
    x <- three_kinds()
    q <- questionnaire(x, strategy = "groups")
    near <- vapply(q$around(1:60), attr, integer(9), "row")[-1, ]
    mutual <- which(vapply(1:60, function(j) {
        j != 1 && j %in% near[, 1] && 1 %in% near[, j]
    }, NA))[1]
    expect_identical(differing_features(q, c(1L, mutual)), "nothing beyond noise")
    # pure noise is rarely listed
    set.seed(7)
    q <- questionnaire(random_matrix(120, 300), strategy = "random")
    listed <- vapply(1:40, function(k) {
        nrow(separating_features(q, c(k, k + 40L), 8))
    }, 0L)
    expect_lt(mean(listed > 0), 0.2)
    skip_if_not_installed("htmltools")
    q <- questionnaire(x, strategy = "groups")
    text <- as.character(htmltools::tagList(show_differences(
        q, c(1L, mutual), c("A", "B"), list(words = page_texts(), differences = 8))))
    expect_match(text, "No feature separates these two clearly")
})
