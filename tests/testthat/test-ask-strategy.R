test_that("the closure of answers is that of brute force", {
    expect_every(50, function(seed) {
        set.seed(seed)
        n <- sample(4:12, 1)
        truth <- sample(3, n, replace = TRUE)
        pairs <- t(replicate(sample(1:8, 1), sample(n, 2)))
        type <- ifelse(truth[pairs[, 1]] == truth[pairs[, 2]], "must-link",
                       "cannot-link")
        type[runif(length(type)) < 0.2] <- "unsure"
        want <- reference_relation(n, data.frame(i = pairs[, 1], j = pairs[, 2],
                                                type = type))
        said <- type != "unsure"
        closure <- pair_closure(pairs[said, 1], pairs[said, 2],
                                type[said] == "must-link", n)
        all <- expand.grid(a = seq_len(n), b = seq_len(n))
        got <- relation(closure, all$a, all$b)
        identical(match(got, c("cannot-link", "must-link")) - 1,
                  as.vector(want))
    })
})

test_that("random pairs are uniform over those that are open", {
    answers <- data.frame(i = c(1L, 2L, 5L), j = c(2L, 3L, 6L),
                          type = c("must-link", "must-link", "unsure"))
    record <- list(answers = answers, closure = pair_closure(
        c(1L, 2L), c(2L, 3L), c(TRUE, TRUE), 6L))
    # 1-2-3 are one group, 5-6 was asked: 11 of 15 pairs are open
    set.seed(1)
    drawn <- t(replicate(5500, draw_pair(6, record)))
    key <- pair_key(drawn[, 1], drawn[, 2], 6)
    expect_length(unique(key), 11)
    expect_gt(stats::chisq.test(table(key))$p.value, 1e-3)
    expect_equal(mean(drawn[, 1] < drawn[, 2]), 0.5, tolerance = 0.05)
})

test_that("the last open pair is found however many are decided", {
    allowed <- function(a, b) a == 3 & b == 40
    set.seed(1)
    expect_identical(count_out_pair(50 * 49 / 2, allowed, part = 100),
                     c(3L, 40L))
    expect_null(count_out_pair(50 * 49 / 2, function(a, b) a > b, part = 100))
})
