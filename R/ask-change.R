# Undo of the last answer, change of earlier ones. The strategy's costly parts
# (its graph, distances) are not computed again.

#' @rdname questionnaire
#' @order 4
#' @export
undo_answer <- function(questionnaire) {
    q <- check_questionnaire(questionnaire)
    asked <- which(!q$implied)
    if (!length(asked)) {
        abort_linkrank("There must be an answer to undo, but none has been ",
                       "given.", class = "argument")
    }
    answers <- answer_table(q)
    q$superseded <- rbind(q$superseded, answers[nrow(answers), ])
    last <- asked[length(asked)]
    pair <- c(q$first[last], q$second[last])
    step <- q$step[[last]]
    q <- rebuild(q, seq_len(last - 1L))
    q$stability <- utils::head(q$stability, -1L)
    if (q$hint) {
        q["margin"] <- list(current_margin(q))
    }
    q["finished"] <- list(NULL)
    q$pending <- pair
    q["pending_step"] <- list(step)
    q
}

# The questionnaire with some of its answers only: the strategy learns them
# again, no new pair is chosen.
rebuild <- function(q, kept) {
    for (field in c("first", "second", "type", "implied", "time", "source",
                    "step")) {
        q[[field]] <- q[[field]][kept]
    }
    q$closure <- answer_closure(q$samples, q$first, q$second, q$type)
    state <- q$strategy$start()
    for (t in seq_along(kept)) {
        state <- q$strategy$learn(state, c(q$first[t], q$second[t]), q$type[t])
    }
    q$state <- state
    q
}

change_answers <- function(q, answer, number, source) {
    given <- sum(!q$implied)
    if (!given) {
        abort_linkrank("There must be an answer to change, but none has been ",
                       "given.", class = "argument")
    }
    if (!is.numeric(number)) {
        abort_linkrank("`number` must be the number of an answer, not ",
                       describe_value(number), ".", class = "argument")
    }
    for (one in number) {
        check_count(one, "number", 1, given)
    }
    if (length(answer) != length(number)) {
        abort_linkrank("`answer` and `number` must be of the same length, one ",
                       "for each of the answers given, but there are ",
                       length(answer), " and ", length(number), ".",
                       class = "argument")
    }
    answers <- answer_table(q)
    answers$type[number] <- answer
    answers$time[number] <- time_now()
    answers$source[number] <- source
    check_consistent(q, answers)
    q$superseded <- rbind(q$superseded, answer_table(q)[number, ])
    with_answers(q, answers)
}

# The questionnaire as if these answers had been given from the beginning.
with_answers <- function(q, answers) {
    fresh <- rebuild(q, integer())
    fresh[c("pending", "margin")] <- list(NULL)
    fresh$stability <- numeric()
    replay(fresh, answers)
}

# Changes one more answer, together with earlier pending changes (`changes`:
# answers, named by their numbers). list(q, changes, conflict): the
# questionnaire with all changes when they contradict nothing. Otherwise it is
# unchanged, the changes are kept, and `conflict` is the condition that names
# the contradicting answers. Used by every user interface.
change_until_consistent <- function(q, changes, number, answer, source) {
    changes[[as.character(number)]] <- answer
    result <- tryCatch(
        answer_pair(q, unlist(changes), as.integer(names(changes)), source),
        linkrank_error_contradiction = function(condition) condition
    )
    if (inherits(result, "condition")) {
        list(q = q, changes = changes, conflict = result)
    } else {
        list(q = result, changes = list(), conflict = NULL)
    }
}
