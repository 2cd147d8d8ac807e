# The texts of the page.

test_that("words in braces are replaced, by vectors as well", {
    words <- list(a = "{first} and {second}", b = "plain", c = "{odd} {first}")
    expect_identical(say(words, "a", first = c("x", "y"), second = 1:2),
                     c("x and 1", "y and 2"))
    expect_identical(say(words, "b"), "plain")
    # what is inserted is not replaced again
    expect_identical(say(words, "a", first = "{second}", second = "z"),
                     "{second} and z")
    expect_identical(say(words, "c", first = "x"), "{odd} x")
})

test_that("no text ends what holds it, in any language", {
    skip_if_not_installed("shiny")
    odd <- "a\"'</script><b> \u00fc\U0001f600"
    page <- as.character(app_page(list(
        words = page_texts(words = c(no_picture = odd)), finish = TRUE,
        ranking = FALSE, names = TRUE)))
    expect_no_match(page, "</script><b>", fixed = TRUE)
    held <- sub(".*<meta id=\"words\" content=\"([^\"]*)\".*", "\\1", page)
    marks <- c("&quot;" = "\"", "&#39;" = "'", "&lt;" = "<", "&gt;" = ">",
               "&amp;" = "&")
    for (mark in names(marks)) {
        held <- gsub(mark, marks[[mark]], held, fixed = TRUE)
    }
    expect_identical(jsonlite::fromJSON(held)$no_picture, odd)
    expect_identical(act(what = "undo", count = 123456L),
                     "{\"what\":\"undo\",\"count\":123456}")
})

test_that("the German texts are all there, with the same words in braces", {
    german <- questionnaire_words("de")
    expect_setequal(names(german), names(questionnaire_words()))
    for (name in names(german)) {
        expect_setequal(word_marks(german[[name]]),
                        word_marks(questionnaire_words()[[name]]))
    }
    expect_identical(page_texts(words = german)$lang, "de")
    # the language or a file says the same
    expect_identical(page_texts(words = "de"), page_texts(words = german))
    file <- tempfile(fileext = ".csv")
    # write.csv() has no umlauts in a session without them
    writeBin(csv_bytes(data.frame(name = names(german), text = german)), file)
    expect_identical(page_texts(words = file), page_texts(words = german))
    expect_match(german[["zoom_in"]], "Vergr\u00f6\u00dfern")
    expect_true(all(validUTF8(german)))
    # "Zurück" alone would say as well that one leaves an earlier answer
    expect_identical(german[["undo"]], "R\u00fcckg\u00e4ngig")
})

test_that("some texts may be said otherwise, and unknown ones are refused", {
    words <- page_texts("Same grade?", c(same = "Same grade"))
    expect_identical(words$same, "Same grade")
    expect_identical(words$question, "Same grade?")
    expect_identical(words$undo, "Undo")
    expect_refused("argument", page_texts(words = c(sama = "x")),
                   page_texts(words = "x"), page_texts(words = list(same = 1)),
                   page_texts(words = c(undo = "{number} back")))
})

test_that("every text that the pages say is there", {
    said <- function(code) {
        if (is.call(code)) {
            own <- if (identical(code[[1]], quote(say)) && length(code) > 2) {
                Filter(is.character, as.list(code)[3])
            }
            c(own, unlist(lapply(as.list(code), said)))
        }
    }
    space <- asNamespace("linkrank")
    names <- unlist(lapply(mget(grep("^(show|app|name)_", ls(space), value = TRUE),
                                space), function(f) said(body(f))))
    expect_gt(length(names), 60L)
    expect_identical(setdiff(names, names(questionnaire_words())), character())
})
