# app_step() without shiny or a browser.

start <- function(...) {
    new_app_state(questionnaire(random_matrix(14, 4), ask = "pairs", ...))
}

send <- function(state, what, ...) app_step(state, list(what = what, ...))

answer_due <- function(state, answer) {
    due <- state$q$pending
    send(state, "answer", answer = answer, shown = samples_text(due))
}

given <- function(state) action_table(state$q)

test_that("an answer is about its pair; one that is late does nothing", {
    state <- start()
    due <- state$q$pending
    after <- answer_due(state, "must-link")
    expect_identical(given(after)$said, "must-link")
    expect_identical(answer_table(after$q)$source, "web")
    again <- send(after, "answer", answer = "must-link",
                  shown = samples_text(due))
    expect_identical(again$q, after$q)
})

test_that("what no page sends does nothing", {
    state <- answer_due(start(), "unsure")
    due <- samples_text(state$q$pending)
    last <- given(state)$shown
    actions <- list(
        list(), list(what = "answer"), list(what = 3), list(what = "dance"),
        list(what = "answer", answer = "maybe", shown = due),
        list(what = "answer", answer = "1", shown = due),
        list(what = "answer", answer = "unsure", shown = 1),
        list(what = "answer", answer = "unsure", shown = c(due, due)),
        list(what = "answer", answer = c("unsure", "unsure"), shown = due),
        list(what = "undo"), list(what = "undo", count = 7),
        list(what = "undo", count = "1"), list(what = "undo", count = 1),
        list(what = "undo", count = 1e300, shown = last),
        list(what = "undo", count = 1, shown = due),
        list(what = "change", shown = "1e300 3", answer = "unsure"),
        list(what = "change", answer = "must-link", shown = "1 1"),
        list(what = "change", answer = "must-link", shown = due),
        list(what = "change", answer = "must-link", shown = last,
             was = "cannot-link"),
        list(what = "change", answer = "like", shown = last, was = "unsure"),
        list(what = "look", shown = "1 1"), list(what = "list", rows = -1),
        "undo", 5, NULL, TRUE
    )
    expect_each(seq_along(actions), function(at) {
        identical(app_step(state, actions[[at]])$q, state$q)
    })
    none <- app_step(state, list(what = "list", rows = -1))
    expect_identical(none$rows, state$rows)
})

undo <- function(state, last = given(state)) {
    at <- nrow(last)
    send(state, "undo", count = at, shown = c(last$shown[at], "")[1])
}

test_that("undo takes the last answer back, once", {
    state <- answer_due(answer_due(start(), "unsure"), "cannot-link")
    back <- undo(state)
    expect_identical(nrow(given(back)), 1L)
    expect_identical(back$notice$key, "undone")
    expect_identical(nrow(given(undo(back, given(state)))), 1L)
    expect_null(send(start(), "undo", count = 0)$notice)
    # another window has undone and answered again: not this answer
    other <- transform(given(state), shown = rev(shown))
    late <- undo(state, other)
    expect_identical(given(late), given(state))
    expect_identical(late$notice$key, "changed_elsewhere")
})

test_that("an earlier answer is shown again, and left", {
    state <- answer_due(answer_due(start(), "unsure"), "cannot-link")
    first <- given(state)$shown[1]
    look <- send(state, "look", shown = first)
    expect_identical(samples_text(shown_samples(look)), first)
    expect_identical(look$q, state$q)
    expect_identical(shown_samples(send(look, "back")), state$q$pending)
    changed <- send(look, "change", shown = first, was = "unsure",
                    answer = "must-link")
    expect_identical(given(changed)$said, c("must-link", "cannot-link"))
    # undone in another window
    look$q <- undo(undo(state))$q
    expect_null(forget_outdated(look)$look)
})

test_that("a contradiction is kept until it is resolved or left", {
    q <- questionnaire(random_matrix(5, 2), ask = "pairs", order = 1:5,
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
        answers <- given(state)
        send(state, "change", shown = answers$shown[number],
             was = answers$said[number], answer = answer)
    }
    caught <- change(state, 1, "must-link")
    expect_identical(caught$q, q)
    expect_identical(caught$conflict$path, c(3L, 1L, 2L))
    expect_identical(caught$conflict$numbers, 1:3)
    left <- send(caught, "leave")
    expect_null(left$conflict)
    solved <- change(caught, 2, "must-link")
    expect_null(solved$conflict)
    expect_identical(solved$notice, list(key = "changed", numbers = "1, 2"))
    expect_identical(given(solved)$said, rep("must-link", 3))
    # the answer that stands already changes nothing
    expect_identical(change(state, 1, "cannot-link")$q, q)
    expect_null(change(state, 1, "cannot-link")$notice)
    # an answer in between leaves the changes
    expect_null(answer_due(caught, "unsure")$conflict)
    # another window undoes all and answers otherwise: nothing that nobody said
    other <- caught
    other$q <- undo(undo(undo(state)))$q
    gone <- forget_outdated(other)
    expect_null(gone$conflict)
    expect_identical(gone$notice$key, "changed_elsewhere")
    late <- send(other, "change", shown = "2 3", was = "cannot-link",
                 answer = "must-link")
    expect_identical(nrow(given(late)), 0L)
    # another window only went on: the contradiction stays
    more <- caught
    more$q <- answer_due(state, "unsure")$q
    expect_false(is.null(forget_outdated(more)$conflict))
})

sorting <- function(...) {
    new_app_state(questionnaire(random_matrix(9, 4), ask = "sort",
                                order = 1:9, ...))
}

test_that("samples are sorted: one action each, undone and changed as one", {
    state <- sorting()
    for (answer in c("0", "2", "0", "1", "unsure", "3")) {
        state <- answer_due(state, answer)
    }
    expect_identical(given(state)$said, c("0", "2", "0", "1", "unsure", "3"))
    expect_identical(lengths(strsplit(given(state)$shown, " ")),
                     c(2L, 3L, 3L, 4L, 4L, 4L))
    expect_identical(given(undo(state)), given(state)[1:5, ])
    expect_identical(undo(state)$q$pending, shown_of(state$q, 6))
    look <- send(state, "look", shown = given(state)$shown[3])
    expect_length(shown_samples(look), 3)
    changed <- send(look, "change", shown = given(state)$shown[4], was = "1",
                    answer = "unsure")
    expect_identical(given(changed)$said, c("0", "2", "0", "unsure", "unsure",
                                            "3"))
    expect_identical(given(changed)$shown, given(state)$shown)
    expect_identical(changed$notice$numbers, "4")
    # a choice that the question does not have, or of a pair
    due <- samples_text(state$q$pending)
    for (answer in list("4", "9", "must-link", "-1", "", 1, "1e0")) {
        expect_identical(send(state, "answer", answer = answer,
                              shown = due)$q, state$q)
    }
})

test_that("a change of a sorted sample may contradict others", {
    x <- cbind(c(0, 5, 6, 7, 20, 30), 1:6)
    state <- new_app_state(questionnaire(x, ask = "sort", order = 1:6))
    # 3 is like 2, and 4 like none of 1 and 3; then 3 is like 1, and 4 like 2
    for (answer in c("0", "2", "0")) state <- answer_due(state, answer)
    change <- function(state, number, answer) {
        answers <- given(state)
        send(state, "change", shown = answers$shown[number],
             was = answers$said[number], answer = answer)
    }
    state <- answer_due(change(state, 2, "1"), "1")
    expect_identical(given(state)$shown[2:4], c("3 1 2", "4 1 3", "4 2"))
    caught <- change(state, 2, "2")
    expect_identical(caught$q, state$q)
    expect_identical(caught$conflict$changes, list(`2` = 2L))
    expect_identical(caught$conflict$numbers, 2:4)
    expect_length(caught$conflict$path, 3)
    solved <- change(caught, 4, "0")
    expect_null(solved$conflict)
    expect_identical(given(solved)$said, c("0", "2", "0", "0"))
    # what only follows is no contradiction: two groups become one
    second <- change(solved, 1, "1")
    expect_null(second$conflict)
    expect_identical(given(second)$shown, given(solved)$shown)
})

test_that("groups are joined on the page, and pairs go on as sorting", {
    state <- sorting()
    for (answer in c("0", "0")) state <- answer_due(state, answer)
    due <- samples_text(state$q$pending)
    for (answer in c("1=1", "1=4", "=", "1=2=3")) {
        expect_identical(send(state, "answer", answer = answer,
                              shown = due)$q, state$q)
    }
    joined <- send(state, "answer", answer = "1=3", shown = due)
    expect_identical(joined$notice, list(key = "changed", numbers = "2"))
    expect_identical(given(joined)$said, c("0", "1"))
    expect_length(joined$q$pending, 3)
    pairs <- new_app_state(questionnaire(random_matrix(20, 4), ask = "pairs"))
    expect_identical(send(pairs, "sort"), pairs)
    for (t in 1:8) pairs <- answer_due(pairs, "cannot-link")
    skip_if_not_installed("htmltools")
    expect_true(offers_sorting(pairs$q))
    expect_gt(length(send(pairs, "sort")$q$pending), 2)
})

test_that("sorted samples of a file are one answer each where pairs are asked", {
    file <- tempfile(fileext = ".csv")
    sorted <- sorting()
    for (answer in c("0", "0", "2", "0")) sorted <- answer_due(sorted, answer)
    write_answers(sorted$q, file)
    q <- questionnaire(random_matrix(9, 4), ask = "pairs", order = 1:9,
                       answers = read_answers(file))
    state <- new_app_state(q)
    expect_identical(given(state)$shown, given(sorted)$shown)
    expect_identical(given(state)$said, c("cannot-link", "0", "2", "0"))
    changed <- send(state, "change", shown = given(state)$shown[3], was = "2",
                    answer = "1")
    expect_identical(given(changed)$said, c("cannot-link", "0", "1", "0"))
    back <- undo(changed)
    expect_identical(nrow(given(back)), 3L)
    expect_length(next_pair(back$q), 2)
    unlink(file)
})

test_that("what was in view goes with answers and changes", {
    state <- start()
    act <- function(state, ...) app_step(state, list(...), c("names", "map"))
    state <- act(state, what = "answer", answer = "unsure",
                 shown = samples_text(state$q$pending))
    state <- answer_due(state, "must-link")
    expect_identical(state$q$answers$shown, c("names+map", NA))
    state <- act(state, what = "change", answer = "cannot-link",
                 shown = given(state)$shown[2], was = "must-link")
    expect_identical(state$q$answers$shown, rep("names+map", 2))
    expect_identical(pairwise_constraints(state$q)$origin, "features in view")
})
