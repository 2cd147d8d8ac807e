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
        known <- !is.na(relation(q$closure, pairs[1, ], pairs[2, ]))
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

test_that("questionnaire and constraints tell the same counts", {
    x <- random_matrix(40, 3)
    labels <- replace(rep(c("a", "b", "c", "d"), 10), c(3, 17), NA)
    for (ask in c("sort", "pairs")) {
        q <- answer_all(questionnaire(x, ask = ask, n = 15), labels, 15)
        links <- pairwise_constraints(q)
        asked <- summary(q)
        facts <- summary(links)
        expect_match(facts$methods, "one person \\(15 questions")
        line <- asked_line(links)
        expect_match(line, paste0("^", questions_line(
            asked$asked, c(asked$cannot_link, asked$must_link, asked$unsure))))
        # what was answered and what follows are all that is known
        expect_equal(asked$cannot_link + asked$must_link + asked$implied,
                     length(links) + facts$implied_cannot_link +
                         facts$implied_must_link)
        more <- as.numeric(sub(".*; ([0-9]+) more pair.*", "\\1", line))
        if (ask == "sort") {
            expect_identical(asked$cannot_link + asked$must_link + more,
                             as.numeric(length(links)))
        } else expect_identical(length(links), 15L - asked$unsure)
    }
})
