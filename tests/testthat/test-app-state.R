# app_step() without shiny or a browser.

start <- function(...) {
    new_app_state(questionnaire(random_matrix(14, 4), "groups", ...))
}

send <- function(state, what, ...) app_step(state, list(what = what, ...))

answer_due <- function(state, answer) {
    due <- state$q$pending
    send(state, "answer", answer = answer, i = due[1], j = due[2])
}

given <- function(state) answer_table(state$q)

test_that("an answer is about its pair; one that is late does nothing", {
    state <- start()
    due <- state$q$pending
    after <- answer_due(state, "must-link")
    expect_identical(given(after)$type, "must-link")
    expect_identical(given(after)$source, "web")
    again <- send(after, "answer", answer = "must-link", i = due[1],
                  j = due[2])
    expect_identical(again$q, after$q)
})

test_that("what no page sends does nothing", {
    state <- answer_due(start(), "unsure")
    due <- state$q$pending
    actions <- list(
        list(), list(what = "answer"), list(what = 3), list(what = "dance"),
        list(what = "answer", answer = "maybe", i = due[1], j = due[2]),
        list(what = "answer", answer = "unsure", i = "1", j = NULL),
        list(what = "answer", answer = c("unsure", "unsure"), i = due[1],
             j = due[2]),
        list(what = "undo"), list(what = "undo", count = 7),
        list(what = "undo", count = "1"),
        list(what = "change", number = 1e300, answer = "unsure"),
        list(what = "change", number = 1, answer = "must-link", i = 1, j = 1)
    )
    expect_every(length(actions), function(at) {
        identical(app_step(state, actions[[at]])$q, state$q)
    })
})

test_that("undo takes the last answer back, once", {
    state <- answer_due(answer_due(start(), "unsure"), "cannot-link")
    back <- send(state, "undo", count = 2)
    expect_identical(nrow(given(back)), 1L)
    expect_match(back$notice, "undone")
    expect_identical(send(back, "undo", count = 2)$q, back$q)
    expect_null(send(start(), "undo", count = 0)$notice)
})

test_that("a contradiction is kept until it is resolved or left", {
    q <- questionnaire(random_matrix(5, 2), "groups", order = 1:5,
                       answers = data.frame(
                           i = c(1, 2, 1), j = c(2, 3, 3),
                           name_i = c("s1", "s2", "s1"),
                           name_j = c("s2", "s3", "s3"),
                           type = c("cannot-link", "cannot-link",
                                    "must-link"),
                           time = "2026-01-01T00:00:00Z", source = "person"
                       ))
    state <- new_app_state(q)
    change <- function(state, number, answer) {
        answers <- answer_table(state$q)
        send(state, "change", number = number, answer = answer,
             i = answers$i[number], j = answers$j[number])
    }
    caught <- change(state, 1, "must-link")
    expect_identical(caught$q, q)
    expect_identical(caught$conflict$path, c(3L, 1L, 2L))
    left <- send(caught, "leave")
    expect_null(left$conflict)
    expect_identical(left$changes, list())
    solved <- change(caught, 2, "must-link")
    expect_null(solved$conflict)
    expect_identical(solved$notice, "Answer 1, 2 changed.")
    expect_identical(given(solved)$type, rep("must-link", 3))
    # the answer that stands already changes nothing
    expect_identical(change(state, 1, "cannot-link")$q, q)
    expect_null(change(state, 1, "cannot-link")$notice)
    # an answer in between leaves the changes
    expect_identical(answer_due(caught, "unsure")$changes, list())
})
