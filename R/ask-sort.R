# Sorting samples into groups: a question shows a sample beside one member of
# every group. The answer is a choice: the number of the group, 0 for none of
# them, NA for unsure. A question about a pair is one about a single group.

# How many groups a question shows beside a sample. The dialogue lists so many
# at once.
groups_shown <- function(q) if (q$ask == "groups") Inf else 1L
groups_at_once <- 8L

check_ask <- function(ask, strategy) {
    if (is.null(ask)) return(if (strategy == "groups") "groups" else "pairs")
    ask <- check_choice(ask, c("pairs", "groups"), "ask")
    refuse_if(ask == "groups" && strategy != "groups", "`ask` must be ",
              "\"pairs\" for strategy \"", strategy, "\", because only ",
              "strategy \"groups\" knows groups.", class = "argument")
    ask
}

# Is nearly every pair of different groups, so that sorting would say more?
offers_sorting <- function(q) {
    said <- q$type[!q$implied & q$type != "unsure"]
    is.null(q$said) && q$ask == "pairs" && q$strategy$name == "groups" &&
        !is.null(q$pending) && length(said) >= 8L &&
        mean(said == "cannot-link") >= 7 / 8
}

# Has a question groups to choose from? Also one from a file of sorted samples,
# where this questionnaire asks about pairs.
is_sorted <- function(q, shown) q$ask == "groups" || length(shown) > 2L

# The choice that an answer to the question about the samples `shown` means.
choice_of <- function(q, answer, shown, name = "`answer`") {
    sorted <- is_sorted(q, shown)
    count <- length(shown) - 1L
    single <- is.atomic(answer) && length(answer) == 1L
    number <- single && is.numeric(answer) && !is.na(answer)
    if (sorted && number && answer %in% 0:count) return(as.integer(answer))
    # other numbers are answers in tables only
    kind <- if (single && !number) answer_kind(answer)
    # "same" is clear about one group only
    choices <- c(`cannot-link` = 0L, unsure = NA,
                 if (count == 1L) c(`must-link` = 1L))
    if (isTRUE(kind %in% names(choices))) return(choices[[kind]])
    refuse_if(sorted, name, " must be the number of a group",
              if (count > 1L) paste(" from 1 to", count) else " (1)", ", 0 ",
              "for none of them or NA for unsure, not ", describe_value(answer),
              ".", class = "argument")
    abort_value(answer, name, " must be \"must-link\", \"cannot-link\" or ",
                "\"unsure\" (TRUE, FALSE and NA, or \"same\" and ",
                "\"different\", mean the same)")
}

# The members of the two groups that an answer such as "3=5" joins, NULL for any
# other answer. `shown`: the samples of a question.
joined_groups <- function(answer, shown) {
    pair <- if (is_text(answer)) strsplit(answer, " *= *")[[1L]]
    if (length(unique(pair)) == 2L && all(pair %in% seq_along(shown[-1L]))) {
        shown[sort(as.integer(pair)) + 1L]
    }
}

# Two groups are of one kind: the answers that set them apart are changed to
# "like" the other group; without any, it is an answer of its own.
join_groups <- function(q, pair, said) {
    side <- match(q$closure$component, q$closure$component[pair])
    apart <- which(!q$implied & q$type == "cannot-link" &
                       side[q$first] + side[q$second] == 3L)
    apart <- apart[!duplicated(q$action[apart])]
    number <- q$action[apart]
    if (length(apart)) {
        return(change_answers(q, as.list(apart - match(number, q$action) + 1L),
                              number, said))
    }
    advance(take_answer(set_pending(q, pair), 1L, said))
}

# What a choice says of the pairs of the first sample with the others:
# list(type, implied). "Like this one" implies that it is unlike the others, as
# far as their groups are apart; rankings from cannot-links need these pairs.
choice_pairs <- function(choice, shown) {
    others <- seq_along(shown[-1L])
    type <- rep(if (is.na(choice)) "unsure" else "cannot-link", length(others))
    type[others == choice] <- "must-link"
    list(type = type, implied = choice %in% others & others != choice)
}

# Records an action: `said` holds a value for each of the pairs, or one for all.
record_action <- function(q, shown, said, step) {
    others <- shown[-1L]
    said <- lapply(said, rep_len, length(others))
    said$action <- rep(count_answers(q) + 1L, length(others))
    if (any(said$implied)) {
        home <- others[said$type == "must-link" & !said$implied][1L]
        follows <- closure_relation(q$closure, home, others)
        follows[is.na(follows)] <- "unsure"
        said$type[said$implied] <- follows[said$implied]
    }
    rest <- said[names(said) != "type"]
    for (t in seq_along(others)) {
        own <- lapply(rest, `[`, t)
        q <- record_answer(q, c(shown[1L], others[t]), said$type[t], own, step)
    }
    q
}

# The samples that the question of an action showed.
shown_of <- function(q, number) {
    at <- which(q$action == number)
    c(q$first[at[1L]], q$second[at])
}

# The choice that an action was; `at`: its pairs in the record.
choice_given <- function(q, number, at = which(q$action == number)) {
    type <- ifelse(q$implied[at], "", q$type[at])
    if ("must-link" %in% type) return(match("must-link", type))
    if (all(type == "unsure")) NA_integer_ else 0L
}

# All actions in order, as text: the samples `shown`, and what was `said`, "2"
# for like the second member shown, "0" for like none, "unsure"; of a pair its
# type.
action_table <- function(q) {
    at <- which(!is.na(q$action))
    rows <- unname(split(at, q$action[at]))
    shown <- lapply(rows, function(own) c(q$first[own[1L]], q$second[own]))
    said <- vapply(seq_along(rows), function(number) {
        own <- rows[[number]]
        if (!is_sorted(q, shown[[number]])) return(q$type[own])
        choice <- choice_given(q, at = own)
        if (is.na(choice)) "unsure" else as.character(choice)
    }, "")
    data.frame(shown = vapply(shown, paste, "", collapse = " "), said = said)
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

# ---- further samples ---------------------------------------------------------

# Samples that were drawn from those that nobody was asked about, and what was
# computed of them, which nobody sees before they are answered: q$further =
# list(after, sample, member): asked after so many answers; a member of the group
# that each is computed to be of.

# The next of them beside its nearest member of every kind, whatever the strategy
# asks; NULL where none is left.
further_question <- function(q) {
    kinds <- seen_kinds(q)
    left <- setdiff(q$further$sample, c(q$first, q$second))
    if (length(left) && length(kinds) && count_answers(q) >= q$further$after) {
        c(left[1L], nearest_members(kinds, q$far(left[1L], left)))
    }
}

# list(right, placed): for how many of them the answers tell whether the computed
# group was right, and how often it was; NULL until all are answered.
further_right <- function(q) {
    sample <- q$further$sample
    if (!length(sample) || !all(sample %in% c(q$first, q$second))) return(NULL)
    found <- closure_relation(q$closure, sample, q$further$member)
    found <- found[!is.na(found)]
    if (length(found)) {
        list(right = sum(found == "must-link"), placed = length(found))
    }
}
