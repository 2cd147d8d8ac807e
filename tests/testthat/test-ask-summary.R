test_that("a questionnaire counts its questions and pairs", {
    labels <- rep(c("a", "b", NA), 4)
    q <- questionnaire(random_matrix(12, 3), ask = "pairs", n = 9)
    for (count in 0:9) {
        facts <- summary(q)
        answers <- answer_table(q)
        expect_identical(facts$asked, nrow(answers))
        expect_identical(facts$unsure, sum(answers$type == "unsure"))
        expect_identical(facts$left, 9 - count)
        # from all pairs, one by one
        pairs <- utils::combn(12, 2)
        known <- !is.na(closure_relation(q$closure, pairs[1, ], pairs[2, ]))
        given <- sum(answers$type != "unsure")
        expect_identical(facts$open, as.numeric(sum(!known)))
        expect_identical(facts$implied, as.numeric(sum(known) - given))
        q <- answer_all(q, labels, 1)
    }
    expect_snapshot(summary(q))
    open <- summary(questionnaire(random_matrix(12, 3), strategy = "random"))
    expect_identical(open$left, Inf)
    expect_snapshot(open)
    expect_refused("argument", summary(q, 3))
})
