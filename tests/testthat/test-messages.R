# What the package says to users, as tools/messages lists it.

listed <- new.env()

# Read once for all of this file.
read_messages <- function() {
    if (is.null(listed$found)) {
        sys.source(package_sources("tools/messages.R"), listed)
        listed$found <- listed$all_messages(dirname(package_sources("DESCRIPTION")))
    }
    listed$found
}

test_that("no message has a private word or more than two lines of 80 columns", {
    found <- read_messages()
    expect_gt(nrow(found), 400)
    marks <- vapply(found$text, listed$mark_of, "")
    long <- nzchar(marks)
    expect_identical(sprintf("%s:%d: %s", found$file, found$line, marks)[long],
                     character())
})

test_that("the list finds every branch, and marks what it should", {
    read_messages()
    file <- tempfile(fileext = ".R")
    on.exit(unlink(file))
    writeLines(c(
        "check <- function(x, why) {",
        "    refuse_if(is.null(x), \"`x` holds \",",
        "              if (why) \"one\" else paste(\"two\", \"words\"), \".\",",
        "              class = \"input\")",
        "    refuse_value_if(x < 0, x, \"`x` must be positive\")",
        "}"), file)
    found <- listed$messages_of_r(file)
    expect_identical(found$line, c(2L, 5L))
    expect_identical(found$text,
                     c("`x` holds two words.",
                       "`x` must be positive, not {what was given}."))
    expect_match(listed$mark_of(found$text[1L]), "for holds")
    expect_identical(listed$mark_of(found$text[2L]), "")
    expect_identical(listed$mark_of("glean() and `tells` are names."), "")
    expect_match(listed$mark_of(strrep("a word ", 24)), "168 letters")
})

test_that("the page and the dialogue use no private word", {
    read_messages()
    texts <- c(questionnaire_words(), package_table("elsewhere.csv")$advice)
    marks <- vapply(texts, listed$mark_of, "")
    expect_identical(marks[nzchar(marks)], marks[character()])
})
