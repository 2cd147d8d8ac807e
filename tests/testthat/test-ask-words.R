test_that("keys and whole words mean the same, capitals or not", {
    typed <- c("y", "Yes", " SAME", "n", "no", "different", "u", "?", "unsure",
               "z", "undo", "l", "List", "q", "quit", "", "yy", "maybe")
    expect_identical(vapply(typed, read_key, "", USE.NAMES = FALSE), c(
        rep(c("must-link", "cannot-link", "unsure"), each = 3),
        rep(c("undo", "list", "quit"), each = 2), "", "", ""
    ))
    # no word stands for two actions
    expect_false(anyDuplicated(unlist(key_words)) > 0)
})

test_that("the same words mean the same wherever an answer is taken", {
    x <- random_matrix(12, 5)
    vocabulary <- list(
        `must-link` = list("must-link", "same", TRUE, "Same", factor("same")),
        `cannot-link` = list("cannot-link", "different", FALSE, "FALSE"),
        unsure = list("unsure", NA, NA_character_, " Unsure ")
    )
    table_of <- function(word) {
        data.frame(i = 1L, j = 7L, name_i = "s1", name_j = "s7", type = word,
                   time = "2026-01-31T09:30:00Z", source = "web")
    }
    known <- function(links) c(as.data.frame(links)$type, "unsure")[1]
    for (meant in names(vocabulary)) {
        for (word in vocabulary[[meant]]) {
            links <- active_constraints(x, function(i, j) word, n = 1)
            expect_identical(links$questions$type, meant)
            q <- answer_pair(questionnaire(x), word)
            expect_identical(answer_table(q)$type, meant)
            # but for the time, which may be the next second
            same <- function(q) answer_table(q)[names(answer_table(q)) != "time"]
            expect_identical(same(answer_pair(q, word, number = 1)), same(q))
            expect_identical(answer_table(
                questionnaire(x, answers = table_of(word)))$type, meant)
            file <- tempfile()
            write.csv(table_of(word), file, row.names = FALSE, na = "")
            expect_identical(read_answers(file)$type, meant)
            unlink(file)
            suppressMessages({
                expect_identical(known(pairwise_constraints(
                    table_of(word), samples = rownames(x))), meant)
                expect_identical(known(reconcile_answers(
                    table_of(word), rownames(x))), meant)
            })
        }
    }
    sorted <- questionnaire(x, ask = "sort")
    for (word in vocabulary[["cannot-link"]]) {
        expect_identical(answer_pair(sorted, word)$answers$type, "cannot-link")
    }
    expect_identical(answer_pair(sorted, "Unsure")$answers$type, "unsure")
})

test_that("unsure is neither a conflict nor an error", {
    x <- random_matrix(12, 5)
    pairs <- data.frame(first = c("s1", "s2"), second = c("s3", "s4"))
    unsure <- cbind(pairs, answer = "unsure")
    same <- cbind(pairs, answer = "same")
    expect_message(none <- pairwise_constraints(unsure, samples = rownames(x)),
                   "Not used, as unsure: 2 of 2 answers")
    expect_length(none, 0)
    expect_length(reconcile_answers(unsure, rownames(x)), 0)
    for (answers in list(list(unsure, same), list(same, unsure))) {
        links <- reconcile_answers(answers, rownames(x))
        expect_identical(as.data.frame(links)$type, rep("must-link", 2))
        expect_identical(nrow(answer_conflicts(links)), 0L)
        # both have seen the pairs, and one could not tell
        expect_equal(links$confidence, c(0.5, 0.5))
        joined <- do.call(rbind, answers)
        expect_identical(as.data.frame(suppressMessages(
            pairwise_constraints(joined, samples = rownames(x)))),
            as.data.frame(reconcile_answers(joined, rownames(x))))
    }
    agreement <- answer_agreement(list(ann = unsure, bob = same))
    expect_identical(agreement$pairs, 0L)
    expect_identical(agreement$raters$unsure, c(2L, 0L))
    expect_output(print(agreement), "0 pairs decided by two")
    # every answer of a questionnaire
    q <- questionnaire(x, n = 3)
    while (!is.null(next_pair(q))) q <- answer_pair(q, NA)
    links <- pairwise_constraints(q)
    expect_output(print(links), "3 unsure")
    expect_identical(nrow(suspect_answers(links, x)), 0L)
    expect_s3_class(glean(x, links), "feature_ranking")
    again <- questionnaire(x, n = 3, answers = answer_table(q))
    expect_identical(again$answers$type, q$answers$type)
})
