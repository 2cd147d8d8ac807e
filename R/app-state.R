# What an action on the page does: app_step(), a function of the state and the
# action, independent of shiny. The state is a list:
#
#   q         the questionnaire, which other windows change as well
#   conflict  list(changes, numbers, path, answers): choices that are wanted,
#             named by the numbers of answers; the numbers of those that
#             contradict one another then, and the path of must-links; all
#             answers of that time, as text; or NULL
#   look      the samples of an earlier answer that is shown again; or, with
#             the attribute `offer`, a sample of a group and the nearest that
#             nobody was asked about; or NULL
#   result    is what has been found shown?
#   ranking   is the ranking shown?
#   again     how often what failed was tried again
#   peek      the place on the map of a sample that is shown there, or NULL
#   wide      the question of which all groups are shown, or NULL
#   rows, find   how many answers the list shows, and which: a text in them
#   notice    list(key, ...): a text of the page and what it says, or NULL
#
# Answers are named by the samples that they showed ("5 2", a sample and members
# of groups "5 2 1 3") and by what they say, see action_table(), never by a
# number, which another window may have given to another answer meanwhile.

# `action`: list(what, ...) as the page sends it. It names its samples and what
# it was, so an action from a page that shows an older state (a second window, a
# key pressed twice, a slow connection) does nothing. `shown`: see in_view().
app_step <- function(state, action, shown = NULL) {
    state <- forget_outdated(state)
    if (!is_action(action)) return(state)
    state["notice"] <- list(NULL)
    steps[[action$what]](state, action, shown)
}

is_action <- function(action) {
    is.list(action) && isTRUE(action$what %in% names(steps))
}

# The part of the state that belongs to one window.
new_window <- function() {
    list(conflict = NULL, look = NULL, find = "", rows = answers_at_once,
         notice = NULL, result = FALSE, ranking = FALSE, peek = NULL,
         again = 0, wide = NULL)
}

# A contradiction or an answer that is shown again is dropped when another
# window has undone or changed one of its answers.
forget_outdated <- function(state) {
    if (!is.null(state$look) && !is_offer(state) &&
        is.na(named_answer(state$q, samples_text(state$look)))) {
        state["look"] <- list(NULL)
    }
    then <- state$conflict$answers
    now <- do.call(paste, action_table(state$q))
    if (!is.null(then) && !identical(now[seq_along(then)], then)) {
        state[c("conflict", "notice")] <- list(NULL, list(
            key = "changed_elsewhere"))
    }
    state
}

# What is done, by the name of the action: functions of the state, the action
# and what is in view.
steps <- list()

# To the question, whatever is wanted or shown again.
steps$leave <- function(state, ...) {
    state["conflict"] <- list(NULL)
    steps$back(state)
}

# From an answer that is shown again to the question.
steps$back <- function(state, ...) {
    if (is.null(state$look)) state$result <- FALSE
    state[c("look", "peek")] <- list(NULL)
    state
}

# Shows a sample of the map, by its place there.
steps$peek <- function(state, action, ...) {
    if (is_number(action$x) && is_number(action$y))
        state$peek <- c(action$x, action$y)
    state
}

# Shows all groups of this question.
steps$groups <- function(state, ...) {
    state$wide <- state$q$pending
    state
}

# What has been found, with the ranking of now.
steps$result <- function(state, ...) {
    state$q <- catch_up(state$q)
    if (!state$q$hint) state$q["ranking"] <- list(current_ranking(state$q))
    state$result <- TRUE
    state
}

steps$ranking <- function(state, ...) {
    state$ranking <- !state$ranking
    if (state$ranking) state$q <- catch_up(state$q)
    state
}

# A page that shows an older state draws no samples.
steps$further <- function(state, action, ...) {
    if (is_number(action$count) && can_ask_further(state$q) &&
        action$count == count_answers(state$q)) {
        state$q <- ask_further(state$q)
        state$result <- FALSE
    }
    state
}

# The samples of a group, by its number. The page sends how many groups it
# showed: NULL where there are others by now.
numbered_group <- function(q, action) {
    groups <- seen_groups(q)
    if (identical(as.numeric(action$of), as.numeric(length(groups))) &&
        is_number(action$group) && action$group %in% seq_along(groups)) {
        groups[[action$group]]
    }
}

steps$name <- function(state, action, ...) {
    group <- numbered_group(state$q, action)
    if (!is.null(group) && is_text(action$answer)) {
        state$q <- name_group(state$q, group[1L],
                              substr(action$answer, 1L, 40L))
    }
    state
}

steps$also <- function(state, action, ...) {
    group <- numbered_group(state$q, action)
    if (length(group) < 2L) return(state)
    nearest <- nearest_of_group(state$q, group)
    if (!length(nearest)) state$notice <- list(key = "also_none") else
        state$look <- structure(c(group[1L], nearest), offer = TRUE)
    state
}

# The action says the places of those that were checked.
steps$add <- function(state, action, shown) {
    q <- state$q
    if (!is_offer(state) || !is_text(action$answer)) return(state)
    nearest <- state$look[-1L]
    picked <- seq_along(nearest) %in% strsplit(action$answer, " ")[[1L]]
    picked <- intersect(nearest[picked], unasked_samples(q))
    state$notice <- list(key = "also_nothing")
    if (!length(picked)) return(state)
    state$q <- join_samples(q, state$look[1L], picked, "web", shown)
    state$notice <- list(key = "also_added", count = length(picked))
    state["look"] <- list(NULL)
    state
}

steps$list <- function(state, action, ...) {
    if (is_number(action$rows) && action$rows > 0) state$rows <- action$rows
    if (is_text(action$answer))
        state[c("find", "rows")] <- list(action$answer, answers_at_once)
    state
}

# The samples of a question as text, "5 2".
samples_text <- function(shown) paste(shown, collapse = " ")

# The number of the answer that showed these samples, given as text; NA for
# none.
named_answer <- function(q, text) {
    if (is_text(text)) match(text, action_table(q)$shown) else NA_integer_
}

# The answer to the question about these samples, as answer_pair() takes it;
# NULL for anything else.
sent_answer <- function(value, q, shown) {
    known <- if (is_sorted(q, shown)) c(seq_along(shown) - 1L, "unsure") else
        answer_choices
    if (is_text(value) && value %in% known)
        utils::type.convert(value, as.is = TRUE)
}

steps$answer <- function(state, action, shown) {
    q <- state$q
    joins <- !is.null(joined_groups(action$answer, q$pending))
    answer <- if (joins) action$answer else
        sent_answer(action$answer, q, q$pending)
    if (is.null(q$pending) || is.null(answer) ||
        !identical(action$shown, samples_text(q$pending))) {
        return(state)
    }
    state$q <- answer_pair(q, answer, source = "web",
                           remark = sent_remark(action), shown = shown)
    if (count_answers(state$q) == count_answers(q)) {
        now <- action_table(state$q)$said
        state$notice <- list(key = "changed", numbers = paste(
            which(now != action_table(q)$said), collapse = ", "))
    }
    steps$leave(state)
}

steps$undo <- function(state, action, ...) {
    last <- count_answers(state$q)
    if (last == 0L) return(state)
    if (!is_number(action$count) || action$count != last ||
        !identical(action$shown, samples_text(shown_of(state$q, last)))) {
        state$notice <- list(key = "changed_elsewhere")
        return(state)
    }
    state$q <- undo_answer(state$q)
    state$notice <- list(key = if (last - count_answers(state$q) > 1L)
        "undone_all" else "undone", count = last - count_answers(state$q))
    steps$leave(state)
}

steps$look <- function(state, action, ...) {
    number <- named_answer(state$q, action$shown)
    if (!is.na(number)) state$look <- shown_of(state$q, number)
    state
}

# The page sends what the answer was (`was`), so that a page that shows an older
# state changes nothing.
steps$change <- function(state, action, shown) {
    q <- state$q
    answers <- action_table(q)
    number <- named_answer(q, action$shown)
    asked <- if (!is.na(number)) shown_of(q, number)
    answer <- if (!is.na(number)) sent_answer(action$answer, q, asked)
    if (is.null(answer) || !identical(action$was, answers$said[number]) ||
        is.null(state$conflict) && action$answer == action$was) {
        return(state)
    }
    result <- change_until_consistent(q, state$conflict$changes, number,
                                      choice_of(q, answer, asked), "web", shown)
    state$q <- result$q
    state["conflict"] <- list(if (!is.null(result$conflict)) c(
        result["changes"], unclass(result$conflict)[c("numbers", "path")],
        list(answers = do.call(paste, answers))))
    if (is.null(result$conflict))
        state$notice <- list(key = "changed", numbers = result$changed)
    state
}

sent_remark <- function(action) {
    if (is_text(action$remark)) substr(action$remark, 1L, 500L)
}

# A remark on an earlier answer that is shown again.
steps$remark <- function(state, action, ...) {
    number <- named_answer(state$q, action$shown)
    remark <- check_remark(sent_remark(action))
    if (is.na(number) || is.null(remark)) return(state)
    state$q <- set_remark(state$q, number, remark)
    state$notice <- list(key = "remark_kept", number = number)
    state
}

# More questions, for a questionnaire that has ended at its limit.
steps$more <- function(state, ...) {
    if (has_more_questions(state$q))
        state$q <- stats::update(state$q, n = questions_more)
    state
}

steps$sort <- function(state, ...) {
    if (offers_sorting(state$q)) state$q <- stats::update(state$q, ask = "sort")
    state
}

steps$again <- function(state, ...) {
    state$again <- state$again + 1
    state
}

questions_more <- 10L
