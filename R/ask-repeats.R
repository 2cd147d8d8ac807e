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
