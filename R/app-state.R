# What an action on the page does: app_step(), a function of the state and the
# action, independent of shiny. The state is a list:
#
#   q         the questionnaire, which other windows change as well
#   before    the margins before the last answer, or NULL
#   changes   data.frame(i, j, was, answer): pending changes of answers that
#             contradict others
#   conflict  list(answers, path): the answers that contradict one another,
#             data.frame(i, j, type), and the path of must-links; or NULL
#   look      c(i, j): an earlier answer that is shown again, or NULL
#   older     how many of the newest answers the list leaves out
#   notice    list(key, ...): a text of the page and what it says, or NULL
#
# Answers are named by their pair and by what they say, never by a number, which
# another window may have given to another answer meanwhile.

# `action`: list(what, ...) as the page sends it. It names its pair and what it
# was, so an action from a page that shows an older state (a second window, a
# key pressed twice, a slow connection) does nothing.
app_step <- function(state, action) {
    state <- forget_outdated(state)
    if (!is.list(action)) {
        return(state)
    }
    state["notice"] <- list(NULL)
    what <- if (is.character(action$what)) action$what[1L] else ""
    switch(what,
        answer = remark_last(step_answer(state, action), state, action),
        undo = step_undo(state, action),
        change = step_change(state, action),
        look = step_look(state, action),
        leave = step_leave(state),
        back = step_back(state),
        list = step_list(state, action),
        remark = step_remark(state, action),
        more = step_more(state),
        state
    )
}

new_app_state <- function(q) {
    c(list(q = q, before = NULL), new_window())
}

# The part of the state that belongs to one window.
new_window <- function() {
    list(changes = no_changes, conflict = NULL, look = NULL, older = 0L,
         notice = NULL)
}

no_changes <- data.frame(i = integer(), j = integer(), was = character(),
                         answer = character())

# A contradiction or an answer that is shown again is dropped when another
# window has undone or changed one of its answers.
forget_outdated <- function(state) {
    answers <- answer_table(state$q)
    if (!is.null(state$look) && is.na(answer_row(answers, state$look))) {
        state["look"] <- list(NULL)
    }
    if (is.null(state$conflict)) {
        return(state)
    }
    there <- paste(answers$i, answers$j, answers$type)
    held <- c(do.call(paste, state$conflict$answers),
              do.call(paste, state$changes[c("i", "j", "was")]))
    if (!all(held %in% there)) {
        state <- nothing_wanted(state)
        state$notice <- list(key = "changed_elsewhere")
    }
    state
}

nothing_wanted <- function(state) {
    state$changes <- no_changes
    state["conflict"] <- list(NULL)
    state
}

step_leave <- function(state) step_back(nothing_wanted(state))

# From an answer that is shown again to the question.
step_back <- function(state) {
    state["look"] <- list(NULL)
    state
}

step_list <- function(state, action) {
    older <- sent_number(action$older)
    if (!is.na(older) && older >= 0L && older < count_answers(state$q)) {
        state$older <- older
    }
    state
}

is_answer <- function(answer) {
    is.character(answer) && length(answer) == 1L && answer %in% answer_choices
}

# A whole number from the page, NA for anything else.
sent_number <- function(value) {
    good <- is.numeric(value) && length(value) == 1L &&
        isTRUE(abs(value) <= .Machine$integer.max)
    if (good) as.integer(value) else NA_integer_
}

sent_pair <- function(action) {
    c(sent_number(action$i), sent_number(action$j))
}

# The row of the answer about a pair, in the order in which it was shown; NA for
# none. The two orders of a pair are two questions.
answer_row <- function(answers, pair) {
    match(paste(pair, collapse = " "), paste(answers$i, answers$j))
}

step_answer <- function(state, action) {
    q <- state$q
    if (is.null(q$pending) || !identical(sent_pair(action), q$pending) ||
        !is_answer(action$answer)) {
        return(state)
    }
    state["before"] <- list(q$margin)
    state$q <- answer_pair(q, action$answer, source = "web")
    state$older <- 0L
    step_leave(state)
}

step_undo <- function(state, action) {
    answers <- answer_table(state$q)
    last <- nrow(answers)
    if (last == 0L || !identical(sent_number(action$count),
                                 count_answers(state$q)) ||
        !identical(sent_pair(action), c(answers$i[last], answers$j[last]))) {
        return(state)
    }
    state["before"] <- list(NULL)
    state$q <- undo_answer(state$q)
    state$older <- 0L
    state$notice <- list(key = "undone")
    step_leave(state)
}

step_look <- function(state, action) {
    pair <- sent_pair(action)
    if (!is.na(answer_row(answer_table(state$q), pair))) {
        state$look <- pair
    }
    state
}

# The page sends what the answer was (`was`), so that a page that shows an older
# state changes nothing.
step_change <- function(state, action) {
    q <- state$q
    answers <- answer_table(q)
    row <- answer_row(answers, sent_pair(action))
    if (is.na(row) || !is_answer(action$answer) ||
        !identical(action$was, answers$type[row])) {
        return(state)
    }
    if (!nrow(state$changes) && answers$type[row] == action$answer) {
        return(state)
    }
    apply_change(state, answers, row, action$answer)
}

apply_change <- function(state, answers, row, answer) {
    rows <- match(paste(state$changes$i, state$changes$j),
                  paste(answers$i, answers$j))
    pending <- stats::setNames(as.list(state$changes$answer), rows)
    result <- change_until_consistent(state$q, pending, row, answer, "web")
    if (is.null(result$conflict)) {
        state["before"] <- list(state$q$margin)
        state$q <- result$q
        state$notice <- list(key = "changed", numbers = paste(
            sort(unique(c(rows, row))), collapse = ", "))
        return(nothing_wanted(state))
    }
    rows <- as.integer(names(result$changes))
    state$changes <- data.frame(i = answers$i[rows], j = answers$j[rows],
                                was = answers$type[rows],
                                answer = unlist(result$changes))
    state$conflict <- list(
        answers = answers[result$conflict$numbers, c("i", "j", "type")],
        path = result$conflict$path
    )
    state
}
