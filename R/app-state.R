# What an action on the page does: app_step(), a function of the state and the
# action, independent of shiny. The state is a list:
#
#   q         the questionnaire, which other windows change as well
#   before    the ranking before the last answer, see current_ranking(), or NULL
#   changes   data.frame(shown, was, answer): pending changes of answers that
#             contradict others
#   conflict  list(answers, path): the answers that contradict one another,
#             data.frame(shown, said), and the path of must-links; or NULL
#   look      the samples of an earlier answer that is shown again, or NULL
#   older     how many of the newest answers the list leaves out
#   notice    list(key, ...): a text of the page and what it says, or NULL
#
# Answers are named by the samples that they showed ("5 2", a sample and members
# of groups "5 2 1 3") and by what they say, see action_table(), never by a number,
# which another window may have given to another answer meanwhile.

# `action`: list(what, ...) as the page sends it. It names its samples and what it
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

no_changes <- data.frame(shown = character(), was = character(),
                         answer = character())

# A contradiction or an answer that is shown again is dropped when another
# window has undone or changed one of its answers.
forget_outdated <- function(state) {
    if (is.null(state$look) && is.null(state$conflict)) {
        return(state)
    }
    answers <- action_table(state$q)
    if (!is.null(state$look) && !samples_text(state$look) %in% answers$shown) {
        state["look"] <- list(NULL)
    }
    if (is.null(state$conflict)) {
        return(state)
    }
    held <- c(do.call(paste, state$conflict$answers),
              do.call(paste, state$changes[c("shown", "was")]))
    if (!all(held %in% do.call(paste, answers))) {
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

# A whole number from the page, NA for anything else.
sent_number <- function(value) {
    good <- is.numeric(value) && length(value) == 1L &&
        isTRUE(abs(value) <= .Machine$integer.max)
    if (good) as.integer(value) else NA_integer_
}

# The samples of a question as text, "5 2".
samples_text <- function(shown) paste(shown, collapse = " ")

sent_text <- function(value) {
    if (is.character(value) && length(value) == 1L) value else NA_character_
}

# The answer to the question about these samples, as answer_pair() takes it; NULL
# for anything else.
sent_answer <- function(value, q, shown) {
    text <- sent_text(value)
    groups <- as.character(0:(length(shown) - 1L))
    if (!is_sorted(q, shown)) {
        if (text %in% answer_choices) text
    } else if (text %in% groups) {
        as.integer(text)
    } else if (text %in% "unsure") {
        text
    }
}

step_answer <- function(state, action) {
    q <- state$q
    answer <- if (!is.null(q$pending)) sent_answer(action$answer, q, q$pending)
    if (is.null(answer) ||
        !identical(sent_text(action$shown), samples_text(q$pending))) {
        return(state)
    }
    state["before"] <- list(q$ranking)
    state$q <- answer_pair(q, answer, source = "web")
    state$older <- 0L
    step_leave(state)
}

step_undo <- function(state, action) {
    last <- count_answers(state$q)
    if (last == 0L || !identical(sent_number(action$count), last) ||
        !identical(sent_text(action$shown),
                   samples_text(shown_of(state$q, last)))) {
        return(state)
    }
    state["before"] <- list(NULL)
    state$q <- undo_answer(state$q)
    state$older <- 0L
    state$notice <- list(key = "undone")
    step_leave(state)
}

step_look <- function(state, action) {
    number <- match(sent_text(action$shown), action_table(state$q)$shown)
    if (!is.na(number)) {
        state$look <- shown_of(state$q, number)
    }
    state
}

# The page sends what the answer was (`was`), so that a page that shows an older
# state changes nothing.
step_change <- function(state, action) {
    answers <- action_table(state$q)
    number <- match(sent_text(action$shown), answers$shown)
    if (is.na(number) || !identical(action$was, answers$said[number]) ||
        is.null(sent_answer(action$answer, state$q,
                            shown_of(state$q, number)))) {
        return(state)
    }
    if (!nrow(state$changes) && answers$said[number] == action$answer) {
        return(state)
    }
    # `answer`: as in `said` of action_table().
    value <- function(text, number) {
        sent_answer(text, state$q, shown_of(state$q, number))
    }
    numbers <- match(state$changes$shown, answers$shown)
    pending <- stats::setNames(Map(value, state$changes$answer, numbers),
                               numbers)
    result <- change_until_consistent(state$q, pending, number,
                                      value(action$answer, number), "web")
    if (is.null(result$conflict)) {
        state["before"] <- list(state$q$ranking)
        state$q <- result$q
        state$notice <- list(key = "changed", numbers = paste(
            sort(unique(c(numbers, number))), collapse = ", "))
        return(nothing_wanted(state))
    }
    numbers <- as.integer(names(result$changes))
    state$changes <- data.frame(
        shown = answers$shown[numbers], was = answers$said[numbers],
        answer = vapply(result$changes, as.character, "")
    )
    state$conflict <- list(answers = answers[result$conflict$numbers, ],
                           path = result$conflict$path)
    state
}
