# Sessions of questions that simulated raters answer.

# Sessions with simulated raters, one for each, whose questions follow the
# rater's own answers: a function of a number of questions that returns
# list(constraints, asked, groups), `asked` being the samples asked about so far
# and `groups` those of a user's strategy. `kind`: of each sample; `noise`: the
# share of wrong answers.
simulate_answers <- function(x, kind, strategy, count, noise, raters, ...) {
    sessions <- lapply(seq_len(raters), function(rater) {
        simulate_session(x, kind, strategy, count, noise, ...)
    })
    function(questions) {
        pairs <- lapply(sessions, function(session) {
            session$pairs[session$pairs$action <= questions, ]
        })
        groups <- sessions[[1L]]$groups
        known <- as.integer(names(groups))
        last <- max(known[known <= questions], -1L)
        list(constraints = join_raters(pairs, length(kind)),
             asked = unique(unlist(lapply(pairs, `[`, c("i", "j")))),
             groups = groups[[as.character(last)]])
    }
}

# list(pairs, groups): the answers, and the groups of a user's strategy by the
# number of answers.
simulate_session <- function(x, kind, strategy, count, noise, ...) {
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
    pairs <- session$questions[c("i", "j", "type", "question", "implied")]
    names(pairs)[4L] <- "action"
    list(pairs = pairs[!is.na(pairs$action), ], groups = groups)
}

join_raters <- function(pairs, n) {
    pairs <- Filter(nrow, pairs)
    if (length(pairs) > 1L) {
        return(suppressMessages(reconcile_answers(pairs, samples = n)))
    }
    known <- if (length(pairs)) pairs[[1L]][pairs[[1L]]$type != "unsure", ]
    pairwise_constraints(known, samples = n, origin = "questions")
}
