# `known`: deciding answers; `share`: the last value of stability.
settled <- function(share, known = 30L) {
    list(stability = c(NA, share), implied = rep(FALSE, known),
         repeated = rep(FALSE, known), type = rep("must-link", known),
         action = seq_len(known), best = list(1:20))
}

test_that("advice to stop: 85 % of the best, at least 10 answers that decide", {
    expect_true(is_stable(settled(0.85)))
    expect_true(is_stable(settled(1, 10L)))
    expect_false(is_stable(settled(1, 9L)))
    expect_false(is_stable(settled(0.84)))
    expect_false(is_stable(settled(NA)))
    expect_false(is_stable(list(stability = numeric())))
    expect_identical(stability_sentence(settled(0.9)), paste(
        "18 of the best 20 features are the same as 8 answers ago: you may",
        "stop."))
    expect_null(stability_sentence(settled(0.5)))
    expect_identical(stability_counts(settled(0.5)),
                     list(same = 10, count = 20L, before = 8L))
})

test_that("stability is the share of the best features of 8 answers before", {
    x <- random_matrix(30, 50)
    truth <- rep(1:2, 15)
    for (strategy in c("groups", "random")) {
        q <- questionnaire(x, strategy, n = 16, hint = TRUE)
        best <- list()
        wanted <- numeric()
        while (!is.null(pair <- next_pair(q))) {
            unsure <- length(wanted) %in% c(3, 12)
            same <- truth[pair[1]] == truth[pair[2]]
            q <- answer_pair(q, if (unsure) NA else same)
            links <- questionnaire_constraints(q)
            ranked <- count_pairs(links)[["cannot_link"]] > 0 && !unsure
            if (ranked) {
                ranking <- if (strategy == "groups") {
                    glean(x, links)
                } else {
                    relieff_sc(x, links)
                }
                best <- c(best, list(top_features(ranking, 20)))
            }
            at <- length(best)
            wanted <- c(wanted, if (ranked && at > 8) {
                mean(best[[at]] %in% best[[at - 8]])
            } else {
                NA
            })
        }
        expect_equal(q$stability, wanted)
        expect_gt(sum(!is.na(wanted)), 2)
    }
})

test_that("unsure answers never advise to stop", {
    x <- random_matrix(30, 50)
    q <- questionnaire(x, hint = TRUE)
    q <- answer_pair(q, "different")
    for (k in 1:20) q <- answer_pair(q, NA)
    expect_false(is_stable(q))
    expect_null(stability_sentence(q))
    expect_identical(q$stability, rep(NA_real_, 21))
})

test_that("what takes seconds is ranked by margins, and nothing is said", {
    small <- questionnaire(random_matrix(14, 6), hint = TRUE)
    expect_true(ranks_by_glean(small))
    small$samples <- 1001L
    expect_false(ranks_by_glean(small))
    expect_silent(answer_pair(questionnaire(random_matrix(14, 6), hint = TRUE),
                              FALSE))
})
