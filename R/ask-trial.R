# A blind trial of the ranking: samples that nobody has seen, with the group that
# glean() gives them, which a person confirms or corrects. That is an action like
# others, with source "check" and the predicted group first, and no question.

# A member of each kind, that of the predicted one first.
trial_members <- function(q, at) {
    members <- vapply(seen_kinds(q), `[`, 0L, 1L)
    own <- q$closure$component[q$trial$member[at]]
    home <- q$closure$component[members] == own
    c(members[home], members[!home])
}

# `choice`: the predicted kind (1), another one of trial_members(), 0 or NA.
answer_trial <- function(q, at, choice, shown = NULL) {
    sample <- q$trial$sample[at]
    question <- c(sample, trial_members(q, at))
    if (sample %in% c(q$first, q$second) || !length(question[-1L])) {
        return(q)
    }
    said <- list(source = "check", shown = join_view(shown))
    q <- record_action(q, question, c(choice_pairs(choice, question), said),
                       NULL)
    advance(if (q$hint) rank_answers(q) else q)
}

# Of each checked sample: was the prediction right? NA: can't tell.
trial_verdicts <- function(q) {
    rows <- which(q$source %in% "check")
    vapply(split(rows, q$action[rows]), function(at) {
        if (all(q$type[at] == "unsure")) NA else q$type[at[1L]] == "must-link"
    }, NA)
}

# "4 of 5 unseen samples confirmed", NULL for none.
trial_line <- function(q) {
    right <- trial_verdicts(q)
    if (any(!is.na(right))) {
        paste(sum(right, na.rm = TRUE), "of", count_noun(sum(!is.na(right)),
              "unseen sample"), "confirmed")
    }
}
