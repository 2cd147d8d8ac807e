# What an action on the page does: app_step(), a function of the state and the
# action, independent of shiny. The state is a list:
#
#   q         the questionnaire of all windows of an app
#   before    the margins before the last answer, or NULL
#   changes   pending changes of answers that contradict others, named by their
#             numbers
#   conflict  the condition of this contradiction, or NULL
#   notice    one line for the person, or NULL

# `action`: list(what, ...) as the page sends it. It names its pair or answer,
# so an action from a page that shows an older state (a second window, a key
# pressed twice, a slow connection) does nothing.
app_step <- function(state, action) {
    state["notice"] <- list(NULL)
    what <- if (is.character(action$what)) action$what[1L] else ""
    switch(what,
        answer = step_answer(state, action),
        undo = step_undo(state, action),
        change = step_change(state, action),
        leave = nothing_wanted(state),
        state
    )
}

new_app_state <- function(q) {
    list(q = q, before = NULL, changes = list(), conflict = NULL,
         notice = NULL)
}

nothing_wanted <- function(state) {
    state$changes <- list()
    state["conflict"] <- list(NULL)
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

step_answer <- function(state, action) {
    q <- state$q
    if (is.null(q$pending) || !identical(sent_pair(action), q$pending) ||
        !is_answer(action$answer)) {
        return(state)
    }
    state["before"] <- list(q$margin)
    state$q <- answer_pair(q, action$answer, source = "web")
    nothing_wanted(state)
}

step_undo <- function(state, action) {
    given <- count_answers(state$q)
    if (given == 0L || !identical(sent_number(action$count), given)) {
        return(state)
    }
    state["before"] <- list(NULL)
    state$q <- undo_answer(state$q)
    state$notice <- "The last answer is undone and asked again."
    nothing_wanted(state)
}

step_change <- function(state, action) {
    q <- state$q
    number <- sent_number(action$number)
    answers <- answer_table(q)
    if (!number %in% seq_len(nrow(answers)) || !is_answer(action$answer) ||
        !identical(sent_pair(action), c(answers$i[number],
                                        answers$j[number]))) {
        return(state)
    }
    if (!length(state$changes) && answers$type[number] == action$answer) {
        return(state)
    }
    changed <- c(names(state$changes), number)
    result <- change_until_consistent(q, state$changes, number, action$answer,
                                      "web")
    if (is.null(result$conflict)) {
        state["before"] <- list(q$margin)
        state$notice <- paste0("Answer ", paste(
            sort(unique(as.integer(changed))), collapse = ", "), " changed.")
    }
    state[c("q", "changes")] <- result[c("q", "changes")]
    state["conflict"] <- list(result$conflict)
    state
}
