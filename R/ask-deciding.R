# Questions that decide what given answers leave open: two groups that they
# neither join nor set apart, and pairs in dispute. Fields of a questionnaire:
#
#   deciding   do these questions come first? So it is where the answers are
#              constraints, or were not given to this questionnaire
#   others     what other people answered, list(first, second, type), or NULL:
#              it counts for what is open, and is not part of the result
#   disputes   pairs in dispute, as constraints have them, or NULL
#   judged     samples in dispute between raters who sorted, the most undecided
#              first

# The two samples to ask about, or a sample and members of several groups; NULL
# where nothing is open. A pair that was asked is not asked again.
deciding_question <- function(q) {
    if (!q$deciding || q$strategy$name != "groups" && is.null(q$others)) {
        return(NULL)
    }
    sample <- samples_to_judge(q)[1L]
    if (!is.na(sample)) return(c(sample, open_members(q, sample)))
    groups <- if (is.null(q$said) || length(q$judged)) open_pairs_of_groups(q)
    for (g in groups$order) {
        question <- ask_for_group(q, groups, g)
        if (length(question)) return(question)
    }
    pairs <- q$disputes
    for (row in seq_len(NROW(pairs))) {
        if (is_open(q, pairs[row, 1L], pairs[row, 2L])) return(pairs[row, ])
    }
    NULL
}

# Those of the samples in dispute that are still to be placed.
samples_to_judge <- function(q) {
    left <- q$judged %||% integer()
    if (q$ask == "groups") left <- setdiff(left, q$first)
    left[vapply(left, function(i) length(open_members(q, i)) > 0L, NA)]
}

# How many of the samples (after sorting) or pairs that raters dispute are still to
# be settled, and how many there were; NULL where this is not asked.
left_to_judge <- function(q) {
    pairs <- q$disputes
    if (length(q$judged)) {
        c(length(samples_to_judge(q)), length(q$judged))
    } else if (!is.null(q$said) && NROW(pairs)) {
        c(sum(is_open(q, pairs[, 1L], pairs[, 2L])), nrow(pairs))
    }
}

# The nearest sample of each kind that may be that of a sample, as many as a
# question shows.
open_members <- function(q, sample) {
    distance <- q$far(sample)
    # but the kind that is this sample alone
    kinds <- Filter(length, lapply(seen_kinds(q), setdiff, sample))
    members <- nearest_members(kinds, distance)
    members <- members[is_open(q, rep(sample, length(members)), members)]
    most <- groups_shown(q)
    utils::head(members[shown_order(members, distance, most)], most)
}

# list(members, open, decides, order): the groups of two samples or more, the
# largest first and at most 500; which pairs of them are open, and how many of
# these "same" would decide, as one group is apart from all that either was
# apart from; the groups in the order in which they are asked about.
open_pairs_of_groups <- function(q) {
    component <- q$closure$component
    size <- tabulate(component + 1L)
    kept <- utils::head(order(-size), min(sum(size > 1L), 500L))
    members <- split(seq_along(component), factor(component, kept - 1L))
    first <- vapply(members, `[`, 0L, 1L)
    open <- outer(first, first, function(a, b) {
        is.na(closure_relation(q$closure, a, b))
    })
    count <- rowSums(open)
    decides <- (outer(count, count, `+`) - 1 - open %*% open) * open
    most <- vapply(seq_along(members), function(g) max(decides[g, ]), 0)
    list(members = members, open = open, decides = decides,
         order = order(-most)[sort(-most) < 0])
}

# A sample of group g beside a member of the groups that are open for it, those
# that decide most first; NULL where all such pairs were asked.
ask_for_group <- function(q, groups, g) {
    others <- which(groups$open[g, ] & !too_often_unsure(q, groups, g))
    others <- others[order(-groups$decides[g, others], others)]
    own <- groups$members[[g]]
    if (!is.null(q$block)) {
        # of a block that a group to ask about has, too
        shared <- q$block[own] %in% q$block[unlist(groups$members[others])]
        own <- own[order(!shared)]
    }
    for (sample in own) {
        beside <- unlist(lapply(groups$members[others], function(members) {
            if (!is.null(q$block)) {
                members <- members[order(q$block[members] != q$block[sample])]
            }
            members[is_open(q, sample, members)][1L]
        }))
        beside <- utils::head(beside[!is.na(beside)], 
                                min(groups_shown(q), groups_at_once))
        if (length(beside)) return(c(sample, unname(beside)))
    }
    NULL
}

# Three people, or one three times, could not tell.
too_often_unsure <- function(q, groups, g) {
    unsure <- which(q$type == "unsure")
    count <- vapply(groups$members, function(members) {
        own <- groups$members[[g]]
        sum(q$first[unsure] %in% own & q$second[unsure] %in% members |
                q$second[unsure] %in% own & q$first[unsure] %in% members)
    }, 0L)
    count >= 3L
}

# ---- what is given -----------------------------------------------------------

# What other people said, in whatever form: list(first, second, type, disputes).
read_others <- function(raters, q) {
    if (is.null(raters)) return(NULL)
    if (!inherits(raters, "pairwise_constraints")) {
        refuse_class_if(!is.list(raters), raters, "`raters` must be what ",
                        "reconcile_answers() takes or returned",
                        class = "constraints")
        raters <- suppressMessages(
            reconcile_answers(raters, q$names %||% q$samples),
            classes = "linkrank_message_constraints"
        )
    }
    links <- given_pairs(raters, q, "raters")
    links$raters <- raters$raters
    judged <- disputed_between(links)
    if (length(judged)) {
        links <- undisputed_pairs(links, judged)
        judged <- setdiff(judged, c(links$first, links$second))
    }
    list(first = links$first, second = links$second,
         type = ifelse(links$must_link, "must-link", "cannot-link"),
         confidence = links$confidence, origin = links$origin,
         disputes = links$disputes, judged = judged)
}

# Of raters who sorted; of pairs it is these that are asked about.
disputed_between <- function(links) {
    pairs <- if (!is.null(links$raters)) links$disputes
    pairs[pairs[, 1L] == pairs[, 2L], 1L]
}

# The groups and what sets them apart without the samples in dispute; the surest
# one stands for a group that has no others.
undisputed_pairs <- function(links, judged) {
    group <- closure_groups(links)$code
    known <- setdiff(which(!is.na(group)), judged)
    alone <- rev(judged[!is.na(group[judged]) & !group[judged] %in% group[known]])
    known <- c(known, alone[!duplicated(group[alone])])
    first <- known[match(seq_len(max(0L, group, na.rm = TRUE)), group[known])]
    apart <- which(groups_apart(links, group, length(first)), arr.ind = TRUE)
    apart <- apart[apart[, 1L] < apart[, 2L], , drop = FALSE]
    home <- setdiff(known, first)
    new_constraints(rbind(cbind(first[apart[, 1L]], first[apart[, 2L]]),
                          cbind(home, first[group[home]])),
                    rep(c(FALSE, TRUE), c(nrow(apart), length(home))),
                    links$samples, links$names, disputes = links$disputes,
                    origin = links$origin)
}

# Constraints of the samples of the data, as pairs; of labels and columns only
# as many as imply all.
given_pairs <- function(constraints, q, name) {
    check_constraints(constraints, name)
    constraints <- match_constraints(constraints, q$data)
    if (!is_coded(constraints)) return(constraints)
    links <- constraint_links(constraints, listed = TRUE)
    own <- split(links$member + 1L, links$component[links$member + 1L])
    must <- do.call(rbind, lapply(unname(own), function(members) {
        cbind(members[-length(members)], members[-1L])
    }))
    first <- vapply(unname(own), `[`, 0L, 1L)
    from <- rep(seq_len(links$count), diff(links$against_start))
    to <- links$against + 1L
    cannot <- cbind(first[from], first[to])[from < to, , drop = FALSE]
    new_constraints(rbind(cannot, must),
                    rep(c(FALSE, TRUE), c(nrow(cannot), nrow(must))),
                    constraints$samples, constraints$names,
                    origin = constraints$origin)
}
