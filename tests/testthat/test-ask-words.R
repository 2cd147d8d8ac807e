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
