# Undo of the last answer, change of earlier ones. The strategy's costly parts
# (its graph, distances) are not computed again.

#' @rdname questionnaire
#' @order 4
#' @export
undo_answer <- function(questionnaire) {
    q <- check_questionnaire(questionnaire)
    last <- count_answers(q)
    refuse_if(last == 0L,
              "There must be an answer to undo, but none has been given.")
    q <- supersede(q, last, undone = TRUE)
    at <- which(q$action == last)[1L]
    pair <- shown_of(q, last)
    step <- q$step[[at]]
    q <- rebuild(q, seq_len(at - 1L))
    q$stability <- utils::head(q$stability, -1L)
    q$best <- utils::head(q$best, -1L)
    if (q$hint) q <- rank_answers(q)
    q["finished"] <- list(NULL)
    if (length(pair) > 2L && q$ask == "pairs") {
        # one of "Ask five more", or from a file of sorted samples
        return(advance(q))
    }
    set_pending(q, pair, step)
}

# Notes answers that are changed or undone in the log.
supersede <- function(q, actions, undone = FALSE) {
    answers <- as_log(answer_table(q))
    old <- answers[answers$action %in% actions, ]
    q$history <- rbind(q$history, old, if (undone) undone_rows(old))
    q
}

change_answers <- function(q, answer, number, said) {
    given <- count_answers(q)
    refuse_if(!given,
              "There must be an answer to change, but none has been given.")
    refuse_value_if(!is.numeric(number), number,
                    "`number` must be the number of an answer")
    for (one in number) {
        check_count(one, "number", 1, given)
    }
    refuse_if(length(answer) != length(number), "`answer` and `number` must ",
              "be of the same length, one for each of the answers given, but ",
              "there are ", length(answer), " and ", length(number), ".")
    answers <- all_columns(answer_table(q))
    if (length(number) == 1L && !is.null(said$remark)) {
        # is it what was said before? Then only the remark is new
        choice <- choice_of(q, answer[[1L]], shown_of(q, number))
        if (identical(choice, choice_given(q, number))) {
            return(set_remark(q, number, said$remark))
        }
    }
    for (t in seq_along(number)) {
        answers <- change_action(q, answers, answer[[t]], number[t], said)
    }
    check_consistent(q, answers)
    with_answers(supersede(q, number), answers)
}

# `remark`: NA for none. The answer without it is kept like one that was
# changed.
set_remark <- function(q, number, remark) {
    at <- which(q$action == number)
    if (!identical(q$remark[at[1L]], remark)) {
        q <- supersede(q, number)
        q$remark[at] <- remark
    }
    q
}

# The table of answers with another answer to one question.
change_action <- function(q, answers, answer, number, said) {
    shown <- shown_of(q, number)
    pairs <- choice_pairs(choice_of(q, answer, shown), shown)
    at <- which(answers$action == number)
    new <- answers[at, ]
    new[c("type", "implied")] <- pairs
    new$time <- time_now()
    new$source <- said$source
    new$rater <- q$person
    new$confidence <- said$confidence
    if (!is.null(said$remark)) new$remark <- said$remark
    # whoever changes an answer knows what was in view before
    new$shown <- join_view(new$shown, said$shown)
    answers[at, ] <- new
    answers
}

# The questionnaire as if these answers had been given from the beginning.
with_answers <- function(q, answers) {
    fresh <- rebuild(q, integer())
    fresh["pending"] <- list(NULL)
    fresh$stability <- numeric()
    fresh$best <- list()
    replay(fresh, answers)
}

# Changes one more answer, together with earlier pending changes (`changes`:
# answers, named by their numbers). list(q, changes, conflict): the
# questionnaire with all changes when they contradict nothing. Otherwise it is
# unchanged, the changes are kept, and `conflict` is the condition that names
# the contradicting answers. Used by every user interface.
change_until_consistent <- function(q, changes, number, answer, source,
                                    shown = NULL) {
    changes[[as.character(number)]] <- answer
    result <- tryCatch(
        answer_pair(q, unname(changes), as.integer(names(changes)), source,
                    shown = shown),
        linkrank_error_contradiction = function(condition) condition
    )
    if (inherits(result, "condition")) {
        list(q = q, changes = changes, conflict = result)
    } else {
        list(q = result, changes = list(), conflict = NULL)
    }
}
