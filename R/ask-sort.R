# Sorting samples into groups: a question shows a sample beside one member of
# every group. The answer is a choice: the number of the group, 0 for none of
# them, NA for unsure. A question about a pair is one about a single group.

groups_at_once <- 8L

check_ask <- function(ask, strategy) {
    ask <- check_choice(ask, c("pairs", "groups"), "ask")
    if (ask == "groups" && strategy != "groups") {
        abort_linkrank("`ask` must be \"pairs\" for strategy \"", strategy,
                       "\", because only strategy \"groups\" knows groups.",
                       class = "argument")
    }
    ask
}

# The choice that an answer means, among `count` groups.
check_group_choice <- function(answer, count, name = "`answer`") {
    single <- is.atomic(answer) && length(answer) == 1L
    if (single && is.numeric(answer) && answer %in% c(0:count, NA)) {
        return(as.integer(answer))
    }
    kind <- if (single && !is.numeric(answer)) answer_kind(answer)
    # "same" is clear about one group only
    known <- c(`cannot-link` = 0L, unsure = NA, `must-link` = 1L)
    known <- known[seq_len(if (count == 1L) 3L else 2L)]
    if (is.null(kind) || !kind %in% names(known)) {
        abort_linkrank(name, " must be the number of a group",
                       if (count > 1L) paste(" from 1 to", count) else " (1)",
                       ", 0 for none of them or NA for unsure, not ",
                       describe_value(answer), ".", class = "argument")
    }
    known[[kind]]
}

# The choice for the question about the samples `shown`.
choice_of <- function(q, answer, shown, name = "`answer`") {
    if (q$ask == "groups") {
        return(check_group_choice(answer, length(shown) - 1L, name))
    }
    c(`must-link` = 1L, `cannot-link` = 0L,
      unsure = NA)[[check_answer(answer, name)]]
}

# What a choice says of the pairs of the first sample with the others:
# list(second, type).
choice_pairs <- function(choice, shown) {
    others <- shown[-1L]
    if (choice %in% seq_along(others)) {
        return(list(second = others[choice], type = "must-link"))
    }
    type <- if (is.na(choice)) "unsure" else "cannot-link"
    list(second = others, type = rep(type, length(others)))
}

# "Like this one" also says that the sample is not like the others shown. These
# pairs follow from the answer, but rankings from cannot-links need them.
record_other_groups <- function(q, shown) {
    if (q$ask != "groups" || length(shown) < 3L) {
        return(q)
    }
    said <- list(implied = TRUE, source = "closure",
                 confidence = q$confidence[length(q$confidence)])
    relation <- closure_relation(q$closure, shown[1L], shown[-1L])
    others <- shown[-1L][relation %in% "cannot-link"]
    known <- pair_key(q$first, q$second, q$samples)
    for (other in others) {
        if (!pair_key(shown[1L], other, q$samples) %in% known) {
            q <- record_answer(q, c(shown[1L], other), "cannot-link", said)
        }
    }
    q
}

# The samples that the question of an action showed.
shown_of <- function(q, number) {
    at <- which(q$action == number)
    shown <- q$step[[at[1L]]]$shown
    if (is.null(shown)) c(q$first[at[1L]], unique(q$second[at])) else shown
}

# What a question of `q` about the first of these pairs showed, as a step, so
# that it can be changed to any of its groups; NULL for none.
shown_before <- function(q, rows) {
    key <- pair_key(q$first, q$second, q$samples)
    at <- which(key == pair_key(rows$i[1L], rows$j[1L], q$samples) &
                    !q$repeated & !q$implied)
    if (q$ask == "groups" && !rows$repeated[1L] && length(at)) {
        list(shown = shown_of(q, q$action[at[1L]]))
    }
}

# The choice that an action was.
choice_given <- function(q, number) {
    at <- which(q$action == number)
    type <- q$type[at]
    if ("must-link" %in% type) {
        return(match(q$second[at[type == "must-link"][1L]],
                     shown_of(q, number)[-1L]))
    }
    if (all(type == "unsure")) NA_integer_ else 0L
}

# "like T31", "like none of T31, T7", "can't tell (T31, T7)"
describe_choice <- function(choice, shown, names) {
    others <- shorten(show_samples(shown[-1L], names), 24L)
    if (is.na(choice)) {
        paste0("can't tell (", paste(others, collapse = ", "), ")")
    } else if (choice == 0L) {
        paste("like none of", paste(others, collapse = ", "))
    } else {
        paste("like", others[choice])
    }
}
