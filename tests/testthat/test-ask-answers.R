data40 <- function() {
    set.seed(4)
    random_matrix(40, 5)
}
kinds40 <- rep(c("a", "b", "c"), length.out = 40)

test_that("what is written of answers is read again, whatever the names", {
    names <- c("plain", "with, comma", "a \"quote\"", "two\nlines", "\u00e9t\u00e9",
               "#hash", " blank ", "=1+1")
    answers <- data.frame(
        i = c(1L, 3L, 5L, 7L), j = c(2L, 4L, 6L, 8L),
        name_i = names[c(1, 3, 5, 7)], name_j = names[c(2, 4, 6, 8)],
        type = c("must-link", "cannot-link", "unsure", "must-link"),
        time = "2020-01-01T00:00:00Z", source = "person"
    )
    bytes <- row_bytes(given_rows(answers, 8L, names), ",", "\n", TRUE)
    again <- parse_answers(bytes, "memory")$rows
    expect_identical(as.list(again)[answer_columns],
                     as.list(answers)[answer_columns])
})

test_that("rater and confidence are checked, kept and used", {
    x <- data40()
    expect_refused("argument",
        questionnaire(x, rater = ""),
        questionnaire(x, rater = c("a", "b")),
        questionnaire(x, rater = "two\nlines"),
        questionnaire(x, rater = 3)
    )
    q <- questionnaire(x, rater = "ann")
    q <- answer_pair(q, TRUE, confidence = 0.5)
    q <- answer_pair(q, FALSE)
    expect_identical(answer_table(q)$confidence, c(0.5, NA))
    links <- pairwise_constraints(q)
    expect_identical(links$confidence[links$must_link], 0.5)
    expect_identical(links$questions$rater, c("ann", "ann"))
    file <- tempfile(fileext = ".csv")
    write_answers(links, file)
    expect_identical(read_answers(file)[c("rater", "confidence")],
                     answer_table(q)[c("rater", "confidence")])
    expect_named(read_answers(file), c(answer_columns, "rater", "confidence",
                                       "origin"))
    unlink(file)
})

# ---- answers of others -------------------------------------------------------

test_that("answers are matched by name; those about lost samples stay in the file", {
    x <- data40()
    q <- answer_all(questionnaire(x, ask = "pairs", n = 12), kinds40)
    file <- tempfile(fileext = ".csv")
    write_answers(q, file)
    answers <- read_answers(file)
    lost <- answers$name_i[12]
    keep <- rev(setdiff(rownames(x), lost))
    gone <- answers$name_i == lost | answers$name_j == lost
    expect_message(part <- questionnaire(x[keep, ], ask = "pairs",
                                         answers = answers),
                   paste(sum(gone), "of 12 answers"))
    expect_identical(answer_table(part)$name_i, answers$name_i[!gone])
    expect_identical(x[keep, ][answer_table(part)$i, 1],
                     x[answers$name_i[!gone], 1])
    suppressMessages(write_answers(part, file))
    expect_setequal(paste(read_answers(file)$name_i, read_answers(file)$name_j),
                    paste(answers$name_i, answers$name_j))
    # and the ranking's constraints
    expect_message(links <- pairwise_constraints(answers, samples = keep),
                   "pairs? dropped")
    expect_identical(links$names, keep)
    unlink(file)
})

test_that("two raters on one pair: every contradiction is said, none resolved", {
    x <- data40()
    q <- answer_all(questionnaire(x, ask = "pairs", n = 12), kinds40)
    ann <- answer_table(q)
    bob <- ann
    flip <- c(`must-link` = "cannot-link", `cannot-link` = "must-link")
    bob$type[c(2, 5)] <- flip[bob$type[c(2, 5)]]
    expect_error(questionnaire(x, answers = rbind(ann, bob)),
                 "The pairs contain [0-9]+ contradictions.*reconcile_answers",
                 class = "linkrank_error_contradiction")
    # unsure is none, in either order
    bob$type[c(2, 5)] <- "unsure"
    for (both in list(rbind(ann, bob), rbind(bob, ann))) {
        merged <- questionnaire(x, answers = both)
        expect_setequal(do.call(paste, merged$answers[c("i", "j", "type")]),
                        paste(ann$i, ann$j, ann$type))
    }
    expect_message(links <- pairwise_constraints(bob, samples = rownames(x)),
                   "Not used, as unsure: 2 of 12 answers.")
    expect_length(links, 10)
})

test_that("unsure in one of two writers' files is no conflict", {
    x <- data40()
    q <- questionnaire(x, ask = "pairs")
    file <- tempfile(fileext = ".csv")
    write_answers(answer_pair(q, "unsure", source = "ann"), file)
    write_answers(answer_pair(q, "different", source = "bob"), file)
    expect_identical(read_answers(file)[c("type", "source")],
                     data.frame(type = "cannot-link", source = "bob"))
    write_answers(answer_pair(q, NA, source = "ann"), file)
    expect_identical(read_answers(file)$type, "cannot-link")
    unlink(file)
})
