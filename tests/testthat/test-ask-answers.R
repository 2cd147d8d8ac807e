test_that("what is written of answers is read again, whatever the names", {
    names <- c("plain", "with, comma", "a \"quote\"", "two\nlines", "\u00e9t\u00e9",
               "#hash", " blank ", "=1+1")
    answers <- data.frame(
        i = c(1L, 3L, 5L, 7L), j = c(2L, 4L, 6L, 8L),
        name_i = names[c(1, 3, 5, 7)], name_j = names[c(2, 4, 6, 8)],
        type = c("must-link", "cannot-link", "unsure", "must-link"),
        time = "2020-01-01T00:00:00Z", source = "person"
    )
    bytes <- row_bytes(all_columns(answers), ",", "\n")
    again <- parse_answers(bytes, "memory")$rows
    expect_identical(as.list(again)[answer_columns],
                     as.list(answers)[answer_columns])
})
