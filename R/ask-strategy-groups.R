# strategy = "groups": samples in a fixed order, each compared with the nearest
# member of every known group until its own group is found (after Explore of
# Basu, Banerjee and Mooney 2004).

groups_strategy <- function(input, options, control) {
    data <- input$data
    given <- if (!is.null(options$order)) check_order(options$order, data)
    explore_groups(
        order = once(function() {
            if (!is.null(given)) return(given)
            weights <- question_graph(input, options, control)$weights
            if (is.null(input$where$block)) spectral_order(weights) else
                order_in_blocks(weights, input$where$block)
        }),
        distances = distances_of(input$where, control),
        block = input$where$block
    )
}

# distances(i): distances of sample i to all samples. order(): the samples in
# order, called for the first question. `block`: code per sample, or NULL; see
# ask-strategy-blocks.R. record$most: how many groups a question may show.
explore_groups <- function(order, distances, block = NULL) {
    near <- function(i, ahead) {
        distance <- distances(i, ahead)
        if (is.null(block)) distance else
            replace(distance, block != block[i], Inf)
    }
    list(start = function() {
             list(order = order(), at = 0L, groups = list(), sample = NULL,
                  queue = NULL)
         },
         propose = function(state, record) {
             propose_for_groups(state, record, near, function(state) {
                 if (!is.null(block)) {
                     propose_joining(state, record, block, distances)
                 }
             })
         },
         learn = function(state, pair, type) state)
}

# The state holds no answers: they are looked up in the record, so that they may
# be given in any order and changed. A question is about a sample and its
# nearest member of the groups that it may belong to. Where several groups are
# shown, a sample that cannot be judged is in no group; where one is, the next
# group, the nearest first, is asked about. join(state): a question that comes
# before the next sample, or NULL.
propose_for_groups <- function(state, record, distances, join) {
    most <- record$most
    repeat {
        joining <- if (is.null(state$sample)) join(state)
        if (!is.null(joining)) return(joining)
        state <- with_sample(state, distances, most)
        if (is.null(state$sample)) return(list(state = state, pair = NULL))
        members <- state$nearest[state$queue]
        relation <- closure_relation(record$closure, state$sample, members)
        home <- which(relation %in% "must-link")[1L]
        unsure <- is.na(relation) & was_asked(record, state$sample, members)
        # groups that answers have joined are one
        twice <- most > 1L & duplicated(record$closure$component[members])
        open <- which(is.na(relation) & !unsure & !twice)
        if (!is.na(home) && (most > 1L || !any(open < home))) {
            at <- state$queue[home]
            state$groups[[at]] <- c(state$groups[[at]], state$sample)
        } else if (!(most > 1L && any(unsure))) {
            if (length(open)) {
                return(question_about(state, state$sample, members[open], most))
            }
            state$groups <- c(state$groups, list(state$sample))
        }
        state$sample <- NULL
    }
}

# A sample beside one member of the first `most` of some groups.
question_about <- function(state, sample, members, most) {
    list(state = state, pair = c(sample, utils::head(members, most)))
}

# The state with a sample to place, unless none is left: the next one in order,
# with its nearest member of each group.
with_sample <- function(state, distances, most) {
    if (!is.null(state$sample) || state$at == length(state$order)) return(state)
    state$at <- state$at + 1L
    state$sample <- state$order[state$at]
    state$nearest <- state$queue <- integer()
    if (length(state$groups)) {
        ahead <- utils::head(state$order[-seq_len(state$at)], 23L)
        distance <- distances(state$sample, ahead)
        state$nearest <- nearest_members(state$groups, distance)
        state$queue <- shown_order(state$nearest, distance, most)
        # another block is infinitely far away
        state$queue <- state$queue[distance[state$nearest[state$queue]] < Inf]
    }
    state
}

# Members of groups, one of each in the order in which these were founded, in
# the order in which they are shown. Several at once keep their order: after a
# wrong answer two groups are of one kind, and if the nearest came first the
# data would decide which of them gets a sample, so that they differ where
# nothing does. One after the other: the nearest first (equal distances: the
# lower sample).
shown_order <- function(members, distance, most) {
    if (most > 1L) seq_along(members) else order(distance[members], members)
}

nearest_members <- function(groups, distance) {
    vapply(groups, function(members) {
        members[order(distance[members], members)[1L]]
    }, 0L)
}

# ---- the spectral order ------------------------------------------------------

# Samples of the spectral groups, visited cyclically, the member nearest its
# group's centre first (see active_constraints() for the rules).
spectral_order <- function(weights) {
    model <- laplacian_model(weights)
    n <- model$n
    wanted <- if (n >= many_samples) 14 else max(1, min(7, n %/% 3))
    groups <- graph_groups(weights, model, wanted)
    place <- unlist(lapply(groups, seq_along))
    samples <- unlist(groups)
    samples[order(place, rep(seq_along(groups), lengths(groups)))]
}

# List of groups in the order of visits, each with its members in order.
graph_groups <- function(weights, model, wanted) {
    parts <- split_by_size(connected_parts(model))
    small <- lengths(parts) < model$n / 1000
    if (model$n >= many_samples && !all(small)) {
        # All parts at once, as the largest may be one kind and another several;
        # small ones, far from all others, do not take the places of kinds.
        return(c(groups_within(sort(unlist(parts[!small])), weights, model,
                               wanted),
                 groups_of_parts(parts[small], 1L, model)))
    }
    if (length(parts) >= wanted) return(groups_of_parts(parts, wanted, model))
    c(groups_within(parts[[1L]], weights, model, wanted - length(parts) + 1L),
      groups_of_parts(parts[-1L], Inf, model))
}

# Each part is a group; from the `most`th on, all together are one.
groups_of_parts <- function(parts, most, model) {
    own <- seq_along(parts) < most
    if (!all(own)) {
        parts <- c(parts[own], list(sort(unlist(parts[!own]))))
    }
    lapply(parts, by_degree, degree = model$degree)
}

# `count` groups of some samples.
groups_within <- function(samples, weights, model, count) {
    part <- if (length(samples) < model$n) {
        laplacian_model(weights[samples, samples, drop = FALSE])
    } else {
        model
    }
    lapply(spectral_groups(part, min(count, length(samples))),
           function(members) samples[members])
}

by_degree <- function(members, degree) {
    members[order(-degree[members], members)]
}

# k-means on the unit rows of the first eigenvectors, started farthest-first.
spectral_groups <- function(model, count) {
    if (count == 1L) return(list(by_degree(seq_len(model$n), model$degree)))
    fit <- vector_clusters(unit_rows(leading_vectors(model, count)),
                           model$degree)
    members <- split(seq_len(model$n), factor(fit$cluster, seq_len(count)))
    lapply(unname(members[lengths(members) > 0L]), function(own) {
        # distances are rounded so that equal ones are equal on any machine
        own[order(signif(fit$distance[own], 8L), -model$degree[own], own)]
    })
}
