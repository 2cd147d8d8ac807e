# Sessions of questions that simulated raters answer.

# A session with simulated raters: a function of a number of questions that
# returns list(constraints, groups), `groups` being those of a user's strategy.
# `kind`: of each sample; `noise`: the share of wrong answers.
simulate_answers <- function(x, kind, strategy, count, noise, raters, ...) {
    sorted <- identical(strategy, "sorted")
    # the group of sample i among those of the samples j, 0 for none
    rater <- function(i, j) {
        choice <- c(which(kind[j] == kind[i]), 0L)[1L]
        wrong <- setdiff(c(0L, seq_along(j)), choice)
        if (stats::runif(1L) >= noise) choice else
            wrong[sample.int(length(wrong), 1L)]
    }
    groups <- new.env(parent = emptyenv())
    if (is.function(strategy)) {
        own <- strategy
        strategy <- function(state) {
            found <- own(state)
            if (is.list(found) && !is.null(found$memory$groups)) {
                assign(as.character(nrow(state$answers)), found$memory$groups,
                       groups)
            }
            found
        }
        # it is called once more to return groups after the last answer
        count <- count + 1
    }
    count <- max(count, 1)
    session <- suppressWarnings(suppressMessages(active_constraints(
        x, if (sorted) rater else function(i, j) rater(i, j) == 1L, count,
        strategy = if (sorted) "groups" else strategy, max_questions = count,
        ask = if (sorted) "groups" else "pairs", progress = FALSE, ...
    )))
    pairs <- session$questions
    pairs <- pairs[pairs$type != "unsure", ]
    others <- lapply(seq_len(raters - 1L), function(other) {
        said <- lapply(split(pairs, pairs$question), function(own) {
            seq_along(own$j) == rater(own$i[1L], own$j)
        })
        data.frame(i = pairs$i, j = pairs$j, answer = unlist(said))
    })
    function(questions) {
        kept <- which(pairs$question <= questions)
        known <- as.integer(names(groups))
        last <- max(known[known <= questions], -1L)
        list(constraints = join_raters(pairs[kept, ],
                                       lapply(others, `[`, kept, ),
                                       length(kind)),
             groups = groups[[as.character(last)]])
    }
}

join_raters <- function(pairs, others, n) {
    if (!nrow(pairs)) {
        return(pairwise_constraints(samples = n, origin = "questions"))
    }
    said <- data.frame(i = pairs$i, j = pairs$j,
                       answer = pairs$type == "must-link")
    if (!length(others)) {
        return(pairwise_constraints(said, samples = n, origin = "questions"))
    }
    suppressMessages(reconcile_answers(c(list(said), others), n))
}
