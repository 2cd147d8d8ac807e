# What the answers have decided so far: for the decision to ask on or to stop.

# ==== pairs that are decided ==================================================

# Questions that decide what given answers leave open: two groups that they
# neither join nor set apart, and pairs in dispute. Fields of a questionnaire:
#
#   deciding   do these questions come first? So it is where the answers are
#              constraints, or were not given to this questionnaire
#   others     what other people answered, see read_others(), or NULL: it counts
#              for what is open, and is not part of the result
#   disputes   pairs in dispute, as constraints have them, or NULL

# The two samples to ask about, or a sample and members of several groups; NULL
# where nothing is open. A pair that was asked is not asked again.
deciding_question <- function(q) {
    if (q$strategy$name != "groups" && is.null(q$others)) return(NULL)
    sample <- samples_to_judge(q)[1L]
    if (!is.na(sample)) return(c(sample, members_to_judge(q, sample)))
    groups <- if (is.null(q$said) || length(q$others$judged))
        open_pairs_of_groups(q)
    for (g in groups$order) {
        question <- ask_for_group(q, groups, g)
        if (length(question)) return(question)
    }
    pairs <- q$disputes
    for (row in seq_len(NROW(pairs)))
        if (is_open(q, pairs[row, 1L], pairs[row, 2L])) return(pairs[row, ])
    NULL
}

# Those of the samples in dispute that are still to be placed.
samples_to_judge <- function(q) {
    left <- q$others$judged %||% integer()
    if (q$ask == "sort") left <- setdiff(left, q$answers$i)
    left[vapply(left, function(i) length(members_to_judge(q, i)) > 0L, NA)]
}

# How many of the samples (after sorting) or pairs that raters dispute are still
# to be settled, and how many there were; NULL where this is not asked.
left_to_judge <- function(q) {
    pairs <- q$disputes
    if (length(q$others$judged)) {
        c(length(samples_to_judge(q)), length(q$others$judged))
    } else if (!is.null(q$said) && NROW(pairs)) {
        c(sum(is_open(q, pairs[, 1L], pairs[, 2L])), nrow(pairs))
    }
}

# The nearest sample of each group that may be that of a sample, as many as a
# question shows.
members_to_judge <- function(q, sample) {
    # but the group that is this sample alone
    groups <- Filter(length, lapply(seen_groups(q), setdiff, sample))
    utils::head(open_members(q, groups, sample, q$far(sample)), groups_shown(q))
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
    open <- outer(first, first, function(a, b) is.na(relation(q$closure, a, b)))
    count <- rowSums(open)
    decides <- (outer(count, count, `+`) - 1 - open %*% open) * open
    most <- vapply(seq_along(members), function(g) max(decides[g, ]), 0)
    list(members = members, open = open, decides = decides,
         order = order(-most)[sort(-most) < 0])
}

# A sample of group g beside a member of the groups that are open for it, those
# that decide most first; NULL where all such pairs were asked.
ask_for_group <- function(q, groups, g) {
    # not where three people, or one three times, could not tell
    group <- codes_of_groups(q, groups$members)
    unsure <- q$answers[q$answers$type == "unsure", ]
    ends <- cbind(group[unsure$i], group[unsure$j])
    count <- tabulate(c(ends[ends[, 2L] == g, 1L], ends[ends[, 1L] == g, 2L]),
                      length(groups$members))
    others <- which(groups$open[g, ] & count < 3L)
    others <- others[order(-groups$decides[g, others], others)]
    own <- groups$members[[g]]
    if (!is.null(q$block)) {
        # of a block that a group to ask about has, too
        shared <- q$block[own] %in% q$block[unlist(groups$members[others])]
        own <- own[order(!shared)]
    }
    for (sample in own) {
        beside <- unlist(lapply(groups$members[others], function(members) {
            if (!is.null(q$block))
                members <- members[order(q$block[members] != q$block[sample])]
            members[is_open(q, sample, members)][1L]
        }))
        beside <- utils::head(beside[!is.na(beside)],
                                min(groups_shown(q), groups_at_once))
        if (length(beside)) return(c(sample, unname(beside)))
    }
    NULL
}

# ---- what is given -----------------------------------------------------------

# What other people said, in whatever form: list(rows, as of answers,
# group_names, disputes, judged, answered), `judged` being samples in dispute
# between raters who sorted, the most undecided first.
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
    raters <- links <- given_pairs(raters, q, "raters")
    judged <- disputed_between(links)
    if (length(judged)) {
        links <- undisputed_pairs(links, judged)
        judged <- setdiff(judged, c(links$first, links$second))
    }
    rows <- new_rows(q, links$first, links$second, list(
        type = ifelse(links$must_link, "must-link", "cannot-link"),
        confidence = links$confidence, origin = links$origin))
    list(rows = rows, group_names = raters$group_names,
         disputes = links$disputes, judged = judged,
         answered = raters$answered)
}

# Of raters who sorted; of pairs it is these that are asked about.
disputed_between <- function(links) {
    pairs <- if (!is.null(links$raters)) links$disputes
    pairs[pairs[, 1L] == pairs[, 2L], 1L]
}

# The groups and what sets them apart without the samples in dispute, as few
# pairs as imply all; the surest one stands for a group that has no others.
undisputed_pairs <- function(links, judged) {
    group <- closure_groups(links)$code
    known <- setdiff(which(!is.na(group)), judged)
    alone <- rev(judged[!group[judged] %in% c(NA, group[known])])
    known <- c(known, alone[!duplicated(group[alone])])
    first <- known[match(seq_len(max(0L, group, na.rm = TRUE)), group[known])]
    apart <- which(set_apart(closure_of(links), first), arr.ind = TRUE)
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
    count <- length(closure_groups(constraints)$size)
    check_bytes(30 * count^2, "The list of cannot-linked groups")
    undisputed_pairs(constraints, integer())
}

# ==== stability ===============================================================

# Do further answers still change the best features? How many groups are there?

# The ranking that such answers are for, which is shown and whose best features
# are followed: list(order, score, by), column numbers and scores, the best
# first; `by`: "margin" or "score" (of glean()). NULL without a cannot-link.
current_ranking <- function(q) {
    input <- questionnaire_input(q, margin_distances[1L])
    input$constraints <- answer_constraints(q)
    input$pairs <- pairs_of(input$constraints, q$block)
    if (input$pairs$count == 0) return(NULL)
    if (!ranks_by_glean(q)) {
        options <- list(k = 3, direction = "both", must_link = "use")
        input$own <- own_features(input)
        margin <- constrained_margins(input, options, q$control)$margin
        order <- order(-margin)
        return(list(order = order, score = margin[order], by = "margin"))
    }
    ranking <- glean_answers_of(q)
    list(order = match(ranking$feature, q$data$features),
         score = ranking$score, by = "score")
}

glean_answers_of <- function(q) {
    # by its name, because the ranking is in a later layer
    rank <- get("glean", envir = topenv(), mode = "function")
    # in the space of glean(), whatever that of the questions
    data <- q$data
    data$settings["space"] <- NULL
    suppressMessages(rank(
        data, answer_constraints(q), block = q$block, scale = q$scaling$scale,
        na.action = "mean", progress = FALSE, threads = q$control$threads
    ))
}

# The best 20 features, or the better half of fewer.
best_features <- function(q) {
    count <- max(min(20, q$data$p %/% 2), 1)
    if (!is.null(q$ranking)) utils::head(q$ranking$order, count)
}

# glean() takes seconds on many samples, and a person waits.
ranks_by_glean <- function(q) {
    q$strategy$name == "groups" && q$samples <= 1000 &&
        q$samples * q$data$p <= 2e6 && q$data$p > 1 &&
        !anyDuplicated(q$data$features)
}

stability_span <- 8L
stability_answers <- 10L
stability_share <- 0.85

# What the last answer changed: the ranking, and the share of the best features
# that were among the best 8 deciding answers before (NA after an unsure
# answer).
follow_ranking <- function(q) {
    at <- count_answers(q)
    decided <- any(q$answers$type[q$answers$action %in% at] != "unsure")
    if (decided || isTRUE(q$behind)) q <- rank_answers(q)
    q$best[at] <- list(if (decided) best_features(q))
    before <- rev(Filter(length, q$best))[-seq_len(stability_span)]
    q$stability[at] <- if (decided && length(before) && !isTRUE(q$behind))
        mean(best_features(q) %in% before[[1L]]) else NA_real_
    q
}

# The next question does not need the ranking, and nobody should wait for it.
# Where it may come `later`, the last one stands and is `behind` until
# catch_up(); one that further answers have outdated is never computed.
rank_answers <- function(q) {
    q$behind <- isTRUE(q$later)
    if (!q$behind) q["ranking"] <- list(current_ranking(q))
    q
}

catch_up <- function(q) {
    if (!isTRUE(q$behind)) return(q)
    q$later <- FALSE
    q <- if (length(q$stability)) follow_ranking(q) else rank_answers(q)
    q$later <- TRUE
    q
}

# The groups that the answers tell apart, each as its samples, in the order in
# which they were founded. A sample that may still belong to a group before it
# is none.
seen_groups <- function(q) {
    known <- known_rows(q)
    seen <- founding_order(known$i, known$j)
    component <- q$closure$component
    seen <- seen[!duplicated(component[seen])]
    apart <- set_apart(q$closure, seen)
    founders <- integer()
    for (at in seq_along(seen))
        if (all(apart[at, founders])) founders <- c(founders, at)
    lapply(seen[founders], function(one) which(component == component[one]))
}

# The number of the group of each sample, 0 for none.
codes_of_groups <- function(q, groups) {
    codes <- integer(q$samples)
    replace(codes, unlist(groups), rep(seq_along(groups), lengths(groups)))
}

# How things stand: list(groups, once, same, count, before, settled): the groups
# so far and those seen only once, where questions build groups (others leave
# most samples alone); of how many best features how many were among the best
# `before` answers ago, as far as is known, and whether that has settled.
# Questions are no random draw of the samples, so nothing follows for groups
# that were not seen. NULL where too few features are ranked, and before the
# first answer.
session_facts <- function(q) {
    if (!q$hint || q$data$p < fewest_features || !length(q$stability))
        return(NULL)
    sizes <- lengths(seen_groups(q))
    share <- utils::tail(q$stability[!is.na(q$stability)], 1L)
    count <- length(best_features(q))
    decided <- unique(q$answers$action[
        !q$answers$implied & q$answers$type != "unsure"])
    c(if (q$strategy$name == "groups" && length(sizes)) {
        list(groups = length(sizes), once = sum(sizes == 1L))
    }, if (length(share)) {
        list(same = round(share * count), count = count,
             before = stability_span,
             settled = share >= stability_share - 1e-9 &&
                 length(decided) >= stability_answers)
    })
}

fewest_features <- 10L

# The same in words, and what was right of further samples, as numbers that can
# be followed.
standing_lines <- function(q, words = questionnaire_words()) {
    said <- c(session_facts(q), further_right(q))
    names <- c(
        if (!is.null(said$groups)) if (said$once > 0) "groups_once" else
            "groups_so_far",
        if (!is.null(said$same)) if (said$settled) "settled" else "best_kept",
        if (!is.null(said$right)) "further_right"
    )
    unlist(lapply(names, function(name) {
        do.call(say, c(list(words, name), said))
    }))
}

# Texts by name: a column of a table that has the column `name`.
questionnaire_words <- function(column = "en",
                                table = package_table("app/words.csv")) {
    stats::setNames(table[[column]], table$name)
}

# ==== summary =================================================================

# print() and summary() of a questionnaire.

#' @export
print.questionnaire <- function(x, ...) {
    counts <- summary(check_questionnaire(x, "x"))
    cat_lines(c(
        paste0("<questionnaire> ", count_noun(x$samples, "sample"),
               ", ", strategy_words(x$strategy$name, x$where$label)),
        paste0("  ", questions_line(counts$asked, unlist(
            counts[c("cannot_link", "must_link", "unsure")]))),
        if (is.null(x$pending)) {
            paste0("  finished: ", show_finished(x))
        } else {
            paste0("  next: ", show_samples(x$pending[1L], x$names),
                   if (x$ask == "sort") " beside " else " and ",
                   toString(show_samples(x$pending[-1L], x$names)))
        }, paste0("  ", standing_lines(x), recycle0 = TRUE)
    ))
    invisible(x)
}

# "3 questions about 9 pairs: 5 cannot-link, 3 must-link, 1 unsure"
questions_line <- function(asked, pairs) {
    paste0(count_noun(asked, "question"), if (sum(pairs) != asked)
               paste0(" about ", count_noun(sum(pairs), "pair")),
           ": ", kinds_line(pairs))
}

kinds_line <- function(pairs) {
    paste(pairs, c("cannot-link", "must-link", "unsure"), collapse = ", ")
}

#' @rdname questionnaire
#' @export
summary.questionnaire <- function(object, ...) {
    check_dots_empty(...)
    check_questionnaire(object, "object")
    closed <- sum(count_closure(object$closure))
    type <- object$answers$type[!object$answers$implied]
    known <- sum(type != "unsure")
    all <- object$samples * (object$samples - 1) / 2
    limit <- min(object$max_questions,
                 if (object$strategy$counts == "questions") object$n)
    structure(list(
        asked = count_answers(object), must_link = sum(type == "must-link"),
        cannot_link = sum(type == "cannot-link"),
        unsure = sum(type == "unsure"), implied = closed - known,
        open = all - closed, limit = limit,
        left = max(limit - count_found(object)$questions, 0)
    ), class = "summary.questionnaire")
}

#' @export
print.summary.questionnaire <- function(x, ...) {
    cat_lines(c(
        paste0("Questionnaire: ", count_noun(x$asked, "question"), ", ",
               if (is.finite(x$left)) paste(show_number(x$left), "left") else
                   "no limit"),
        paste0("  ", kinds_line(c(x$cannot_link, x$must_link, x$unsure))),
        paste0("  ", count_noun(x$implied, "more pair"), " ",
               if (x$implied == 1) "follows" else "follow", ", ",
               count_noun(x$open, "pair"), " open")
    ))
    invisible(x)
}
