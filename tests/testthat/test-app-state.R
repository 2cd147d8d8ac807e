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
    last <- given(state)
    actions <- list(
        list(), list(what = "answer"), list(what = 3), list(what = "dance"),
        list(what = "answer", answer = "maybe", i = due[1], j = due[2]),
        list(what = "answer", answer = "unsure", i = "1", j = NULL),
        list(what = "answer", answer = c("unsure", "unsure"), i = due[1],
             j = due[2]),
        list(what = "undo"), list(what = "undo", count = 7),
        list(what = "undo", count = "1"), list(what = "undo", count = 1),
        list(what = "undo", count = 1, i = 1e300, j = 2),
        list(what = "change", i = 1e300, j = 3, answer = "unsure"),
        list(what = "change", answer = "must-link", i = 1, j = 1),
        list(what = "change", answer = "must-link", i = due[1], j = due[2]),
        list(what = "change", answer = "must-link", i = last$i, j = last$j,
             was = "cannot-link"),
        list(what = "look", i = 1, j = 1), list(what = "list", older = -1),
        "undo", 5, NULL, TRUE
    )
    expect_every(length(actions), function(at) {
        identical(app_step(state, actions[[at]])$q, state$q)
    })
})

undo <- function(state, last = given(state)) {
    at <- nrow(last)
    send(state, "undo", count = at, i = last$i[at], j = last$j[at])
}

test_that("undo takes the last answer back, once", {
    state <- answer_due(answer_due(start(), "unsure"), "cannot-link")
    back <- undo(state)
    expect_identical(nrow(given(back)), 1L)
    expect_identical(back$notice$key, "undone")
    expect_identical(nrow(given(undo(back, given(state)))), 1L)
    expect_null(send(start(), "undo", count = 0)$notice)
    # another window has undone and answered again: not this answer
    other <- transform(given(state), i = j, j = i)
    expect_identical(given(undo(state, other)), given(state))
})

test_that("an earlier answer is shown again, and left", {
    state <- answer_due(answer_due(start(), "unsure"), "cannot-link")
    first <- unlist(given(state)[1, c("i", "j")], use.names = FALSE)
    look <- send(state, "look", i = first[1], j = first[2])
    expect_identical(shown_pair(look), first)
    expect_identical(look$q, state$q)
    expect_identical(shown_pair(send(look, "back")), state$q$pending)
    changed <- send(look, "change", i = first[1], j = first[2],
                    was = "unsure", answer = "must-link")
    expect_identical(given(changed)$type, c("must-link", "cannot-link"))
    # undone in another window
    look$q <- undo(undo(state))$q
    expect_null(forget_outdated(look)$look)
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
        send(state, "change", i = answers$i[number], j = answers$j[number],
             was = answers$type[number], answer = answer)
    }
    caught <- change(state, 1, "must-link")
    expect_identical(caught$q, q)
    expect_identical(caught$conflict$path, c(3L, 1L, 2L))
    expect_identical(nrow(caught$conflict$answers), 3L)
    left <- send(caught, "leave")
    expect_null(left$conflict)
    expect_identical(left$changes, no_changes)
    solved <- change(caught, 2, "must-link")
    expect_null(solved$conflict)
    expect_identical(solved$notice, list(key = "changed", numbers = "1, 2"))
    expect_identical(given(solved)$type, rep("must-link", 3))
    # the answer that stands already changes nothing
    expect_identical(change(state, 1, "cannot-link")$q, q)
    expect_null(change(state, 1, "cannot-link")$notice)
    # an answer in between leaves the changes
    expect_identical(answer_due(caught, "unsure")$changes, no_changes)
    # another window undoes all and answers otherwise: nothing that nobody said
    other <- caught
    other$q <- undo(undo(undo(state)))$q
    gone <- forget_outdated(other)
    expect_null(gone$conflict)
    expect_identical(gone$notice$key, "changed_elsewhere")
    late <- send(other, "change", i = 2L, j = 3L, was = "cannot-link",
                 answer = "must-link")
    expect_identical(nrow(given(late)), 0L)
    # another window only went on: the contradiction stays
    more <- caught
    more$q <- answer_due(state, "unsure")$q
    expect_false(is.null(forget_outdated(more)$conflict))
})
