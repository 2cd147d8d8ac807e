# Questions that are asked twice, with the sides swapped, so that a person's own
# consistency is known.

# When each repeat is due (after how many other answers), and a number from 0 to
# 1 that chooses its pair. Both are drawn before the first question, so that an
# undone answer changes nothing.
draw_repeats <- function(repeats, limit) {
    repeats <- check_count(repeats, "repeats", 0, .Machine$integer.max)
    if (repeats == 0) {
        return(NULL)
    }
    refuse_if(is.infinite(limit) || repeats > limit - 2,
              "`repeats` must be at most `n` - 2, because the first is asked ",
              "after three questions or later, but `repeats` is ",
              show_number(repeats), " and `n` is ", show_number(limit), ".")
    list(after = sort(2L + sample.int(limit - 2L, repeats)),
         pick = stats::runif(repeats))
}

# The pair to repeat now, sides swapped, or NULL: a decided one that was not the
# last question.
due_repeat <- function(q) {
    done <- sum(q$repeated)
    if (done >= length(q$repeats$after) ||
        count_asked(q) < q$repeats$after[done + 1L]) {
        return(NULL)
    }
    key <- pair_key(q$first, q$second, q$samples)
    able <- which(!q$implied & !q$repeated & q$type != "unsure" &
                      q$action < max(q$action[!q$repeated], na.rm = TRUE) &
                      !key %in% key[q$repeated])
    if (length(able)) {
        at <- able[max(1, ceiling(q$repeats$pick[done + 1L] * length(able)))]
        c(q$second[at], q$first[at])
    }
}

# The numbers of the answers that the question which is due asks for again.
asked_again <- function(q) {
    if (!q$pending_repeat || is.null(q$pending)) {
        return(integer())
    }
    key <- pair_key(q$first, q$second, q$samples)
    unique(q$action[!q$implied & key == pair_key(q$pending[1L], q$pending[2L],
                                                 q$samples)])
}

# The questionnaire as it is shown: while a question is repeated, the groups do
# not tell its first answer. Where other answers join the two samples as well,
# which a change or a file can bring about, one of the two is shown without a
# group.
without_repeat <- function(q) {
    again <- asked_again(q)
    if (!length(again)) {
        return(q)
    }
    closure <- function(use) {
        use <- use & !q$repeated & !q$implied
        answer_closure(q$samples, q$first[use], q$second[use], q$type[use])
    }
    q$closure <- closure(!q$action %in% again)
    if (closure_relation(q$closure, q$pending[1L], q$pending[2L]) %in%
        "must-link") {
        q$closure <- closure(q$first != q$pending[1L] &
                                 q$second != q$pending[1L])
    }
    q
}

# Questions left, with those that are still to be repeated; Inf without a limit.
questions_left <- function(q) {
    if (is.null(q$pending)) {
        return(0)
    }
    summary(q)$left + max(length(q$repeats$after) - sum(q$repeated), 0)
}

# A row per repeated question that was decided both times: the numbers of both
# answers, the pair, and whether they are alike.
repeat_verdicts <- function(q) {
    again <- which(q$repeated & q$type != "unsure")
    key <- pair_key(q$first, q$second, q$samples)
    once <- which(!q$repeated & !q$implied)
    first <- once[match(key[again], key[once])]
    known <- !is.na(first) & q$type[first] != "unsure"
    again <- again[known]
    first <- first[known]
    data.frame(number = q$action[first], again = q$action[again],
               i = q$first[first], j = q$second[first],
               alike = q$type[first] == q$type[again])
}

# One line on them, or NULL.
repeat_line <- function(q) {
    found <- repeat_verdicts(q)
    if (!nrow(found)) {
        return(NULL)
    }
    other <- found[!found$alike, ]
    paste0(count_noun(nrow(found), "question"), " asked twice: ",
           if (!nrow(other)) "the answers are alike" else paste0(
               nrow(other), " answered differently (",
               paste0(show_sample(other$i, q$names), " and ",
                      show_sample(other$j, q$names), ", answers ",
                      other$number, " and ", other$again, collapse = "; "),
               ")"
           ))
}

inform_repeats <- function(q) {
    if (any(!repeat_verdicts(q)$alike)) {
        inform_linkrank(repeat_line(q), "; the first answer is used until ",
                        "answer_pair() with `number` changes one of them.",
                        class = "answers")
    }
}
