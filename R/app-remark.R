# The remark on an answer, on the page: its field, and what the field sends.

# Below the question that is due it is empty, and sent with the answer. Below an
# earlier answer it holds that one's remark, and sends it when it is left.
show_remark <- function(state, options) {
    tags <- htmltools::tags
    q <- state$q
    earlier <- !is.null(state$look)
    shown <- samples_text(shown_samples(state))
    if (shown == "") {
        return(NULL)
    }
    held <- if (earlier) {
        q$remark[match(match(shown, action_table(q)$shown), q$action)]
    }
    tags$div(
        class = "remark",
        tags$label(`for` = "remark", say(options$words, "remark"),
                   tags$kbd(toupper(first_key("remark")))),
        tags$input(
            type = "text", id = "remark", maxlength = "500",
            autocomplete = "off", value = if (isTRUE(!is.na(held))) held,
            `data-shown` = shown,
            `data-earlier` = if (earlier) "true"
        )
    )
}

sent_remark <- function(action) {
    remark <- action$remark
    if (is_text(remark)) {
        check_remark(substr(remark, 1L, 500L))
    }
}

# The state after an answer, with its remark.
remark_last <- function(after, state, action) {
    given <- count_answers(after$q)
    remark <- sent_remark(action)
    if (given == count_answers(state$q) + 1L && !is.null(remark)) {
        after$q <- set_remark(after$q, given, remark)
    }
    after
}

step_remark <- function(state, action) {
    number <- match(sent_text(action$shown), action_table(state$q)$shown)
    remark <- sent_remark(action)
    if (is.na(number) || is.null(remark)) {
        return(state)
    }
    state$q <- set_remark(state$q, number, remark)
    state$notice <- list(key = "remark_kept", number = number)
    state
}

# More questions, for a questionnaire that has ended at its limit.
step_more <- function(state) {
    if (has_more_questions(state$q)) {
        state$q <- stats::update(state$q, n = questions_more)
    }
    state
}

questions_more <- 10L
