# Remarks and more questions on the page, without a browser.

due <- function(state, ...) {
    app_step(state, list(what = "answer", answer = "unsure",
                         shown = samples_text(state$q$pending), ...))
}

test_that("a remark comes with its answer, and can be changed", {
    state <- new_app_state(questionnaire(random_matrix(14, 4), ask = "pairs"))
    state <- due(due(state, remark = "  blurred "), remark = "")
    expect_identical(state$q$answers$remark, c("blurred", NA))
    shown <- paste(shown_of(state$q, 1), collapse = " ")
    after <- app_step(state, list(what = "remark", shown = shown,
                                  remark = "sharp"))
    expect_identical(after$q$answers$remark, c("sharp", NA))
    expect_identical(after$notice$key, "remark_kept")
    expect_identical(after$q$history$remark, "blurred")
    for (action in list(list(shown = "1 1", remark = "a"), list(shown = shown),
                        list(shown = shown, remark = 3),
                        list(shown = c("x", "y"), remark = "a"))) {
        expect_identical(app_step(state, c(what = "remark", action))$q, state$q)
    }
})

test_that("the field holds the remark of an earlier answer", {
    skip_if_not_installed("htmltools")
    state <- new_app_state(questionnaire(random_matrix(14, 4), ask = "pairs"))
    state <- due(state, remark = "a \"quoted\" <b>")
    options <- list(words = page_texts(), names = TRUE, differences = 0,
                    map = FALSE)
    field <- function(state) as.character(show_question_page(state, options))
    expect_no_match(field(state), "quoted")
    expect_match(as.character(show_answer_list(state)[[1]]), fixed = TRUE,
                 "<small>a \"quoted\" &lt;b&gt;</small>")
    state$look <- shown_of(state$q, 1)
    expect_match(field(state), fixed = TRUE,
                 "data-remark=\"a &quot;quoted&quot; &lt;b&gt;\"")
})

test_that("more questions follow the last one, once", {
    state <- new_app_state(questionnaire(random_matrix(14, 4), ask = "pairs", n = 2))
    expect_identical(app_step(state, list(what = "more"))$q, state$q)
    state <- due(due(state))
    expect_true(has_more_questions(state$q))
    more <- app_step(state, list(what = "more"))
    expect_false(is.null(next_pair(more$q)))
    expect_identical(summary(more$q)$left, 10)
    expect_identical(app_step(more, list(what = "more"))$q, more$q)
})
