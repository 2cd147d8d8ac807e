# How the next question is chosen: the strategies, their state and their common
# parts.

# ==== all strategies ==========================================================

# A strategy proposes the next pair. It is a list of
#
#   name      its name in `strategies`
#   counts    what `n` counts: "questions" or "cannot-links"
#   origin    of the pairs: see constraint_origins
#   start()   its state before the first question
#   propose(state, record)          list(state, pair, step, decided): the next
#                                   pair, in the direction in which it is
#                                   stored, NULL when there is none; `step` is
#                                   what the result keeps of it; `decided` what
#                                   the closure says of a pair that it may have
#                                   decided
#   keep(state, record, steps)      list(questions, parts): further columns of
#                                   the table of questions, and elements of the
#                                   result; a strategy may have none
#   notes     the sentence of print() for each note of the result
#
# and is independent of persons, files and limits, which belong to the
# questionnaire, of which `record` has the `answers` so far, with selected pairs
# that the closure decided, their `closure`, and how to `ask`.

# All strategies, the default first: `counts`, `origin`, `scaled` (does it
# compute distances, so that the data are scaled?) and make(input, options,
# control), which returns the other elements; input: from asked_input(), with
# distances_of() as `far`;
# options: see question_settings().
strategies <- list(
    groups = list(counts = "questions", origin = "questions", scaled = TRUE,
                  make = function(...) groups_strategy(...)),
    perturbation = list(counts = "cannot-links", origin = "data", scaled = TRUE,
                        make = function(...) perturbation_strategy(...)),
    random = list(counts = "questions", origin = "given", scaled = FALSE,
                  make = function(...) random_strategy(...))
)

# A row of `strategies` with its name, from a name or a user's function.
as_strategy <- function(strategy) {
    if (is.function(strategy))
        return(c(list(name = "own"), own_strategy(strategy)))
    refuse_value_if(length(strategy) == 1L && !is.character(strategy), strategy,
                    "`strategy` must be one of {quote_values(names(strategies))}
                    or a function of the state")
    refuse_sorted(strategy)
    name <- check_choice(strategy, names(strategies), "strategy")
    c(list(name = name), strategies[[name]])
}

# Sorting is how questions are asked, not how they are chosen.
#' Strategies of questions: perturbation, and your own
#'
#' @description Strategies of [active_constraints()] and [questionnaire()]
#' beside the default. `"perturbation"` asks for the pair that would change the
#' main division of the samples most; it is slower, and asks more. A function of
#' your own chooses pairs by any rule.
#'
#' @details
#' *`"perturbation"`*, as published (Algorithm 4.1). With S the similarity, L =
#' D - S, v_2 its second eigenvector and i* = argmin |v_2(i)|, the pair of
#' largest sensitivity is asked (4.3, 4.7)
#' \deqn{\left|\frac{\partial v_2(i^*)}{\partial s_{nm}}\right| = \left| (v_2(n) - v_2(m)) (g(n) - g(m)) \right|, \quad g = \sum_{p > 2} \frac{v_p(i^*)}{\lambda_2 - \lambda_p} v_p}{|(v_2(n) - v_2(m)) (g(n) - g(m))| with g = sum over p > 2 of v_p(i*) v_p / (lambda_2 - lambda_p)}
#' A cannot-link sets s_nm to 0, a must-link to 1. A pair that the closure
#' decides counts. In a stored pair i* comes first, else the lower row. Values
#' within 1e-10 of the largest are equal; the lowest i*, then the lowest pair
#' wins. With `pairs = "uncertain"` the sample of next smallest |v_2| follows
#' when i* has no pair left. Components of the graph are asked about first, then
#' pairs inside the largest. Terms of eigenvalues closer than 1e-8 of the
#' largest degree are left out.
#'
#' *A strategy of your own* is a function of one argument, a list:
#' * `samples`, how many there are, and `names`, their names or `NULL`;
#' * `answers`, a data.frame of the pairs so far: row numbers `i` and `j`,
#'   `type`;
#' * `relation(i, j)`: what the closure of the answers says of pairs, or `NA`;
#' * `open(i, j)`: was this pair neither asked nor decided?
#' * `distances(i)`: the Euclidean distances of sample `i` to all samples;
#' * `memory`: what the function returned as `memory` the last time; `NULL` at
#'   first, and after an answer was undone or changed.
#'
#' It returns the next pair, two row numbers or names, or a list of `pair` and
#' `memory`; `NULL` where none is left. For a pair that is not open it is called
#' again, up to 100 times.
#'
#' @seealso [active_constraints()]
#' @name question_strategies
#' @aliases NULL question_strategies
#' @usage NULL
refuse_sorted <- function(strategy) {
    refuse_if(is.character(strategy) && "sorted" %in% strategy, "No strategy is
              \"sorted\": strategy \"groups\" sorts, with `ask = \"sort\"`.")
}

choose_strategy <- function(strategy, input, options, control) {
    within <- strategy$name %in% c("groups", "random")
    refuse_if(!is.null(input$block) && !within, "`block` must be left out: only
              strategies \"groups\" and \"random\" ask within blocks.")
    c(strategy[c("name", "counts", "origin")],
      strategy$make(input, options, control))
}

random_strategy <- function(input, options, control) {
    samples <- input$data$n
    block <- input$where$block
    list(start = function() list(),
         propose = function(state, record) {
             list(state = state, pair = draw_pair(samples, record, block))
         })
}

# A pair that is neither asked nor decided, uniformly among those of one block.
# Drawn again until it is allowed; when few are left, found by counting.
draw_pair <- function(samples, record, block = NULL) {
    allowed <- function(a, b) {
        is_open(record, a, b) &
            (if (is.null(block)) TRUE else block[a] == block[b])
    }
    all <- samples * (samples - 1) / 2
    draw <- if (!is.null(block)) block_drawer(block) else
        function() number_to_pair(pmax(ceiling(stats::runif(16L) * all), 1))
    for (try in seq_len(20L)) {
        pairs <- draw()
        good <- which(allowed(pairs[, 1L], pairs[, 2L]))
        if (length(good)) return(swap_pair(pairs[good[1L], ]))
    }
    pair <- count_out_pair(all, allowed)
    if (!is.null(pair)) swap_pair(pair)
}

swap_pair <- function(pair) if (stats::runif(1L) < 0.5) pair else rev(pair)

# One of all allowed pairs, which few are, looked for in parts.
count_out_pair <- function(all, allowed, part = 2^20) {
    left <- unlist(lapply(seq(0, all - 1, by = part), function(from) {
        number <- from + seq_len(min(part, all - from))
        pairs <- number_to_pair(number)
        number[allowed(pairs[, 1L], pairs[, 2L])]
    }))
    if (length(left)) {
        at <- max(ceiling(stats::runif(1L) * length(left)), 1)
        number_to_pair(left[at])[1L, ]
    }
}

# ---- pairs that were asked ---------------------------------------------------

# Which pairs are in the record?
was_asked <- function(record, a, b) {
    samples <- length(record$closure$component)
    pair_key(a, b, samples) %in%
        pair_key(record$answers$i, record$answers$j, samples)
}

# Which are neither there nor decided by it?
is_open <- function(record, a, b) {
    is.na(relation(record$closure, a, b)) & !was_asked(record, a, b)
}

# ---- values computed once ----------------------------------------------------

# A function without arguments that computes its value when it is first called.
once <- function(work) {
    kept <- new.env(parent = emptyenv())
    function() {
        kept$value <- kept$value %||% work()
        kept$value
    }
}

# A function of a sample: its column of the matrix work(samples), or element of
# that list; of several samples a list, named by them. With it those of samples
# `ahead`, wanted next, are computed, up to `together`, as a walk through all
# data takes hardly longer for many. At most `most` numbers are kept beside the
# last ones.
remember <- function(work, together = 24L, most = 2^22) {
    state <- new.env(parent = emptyenv())
    function(i, ahead = NULL) {
        kept <- state$kept
        if (!all(paste(i) %in% names(kept))) {
            new <- setdiff(paste(c(i, ahead)), names(kept))
            new <- utils::head(new, max(together, length(i)))
            found <- work(as.integer(new))
            if (is.matrix(found)) found <- split(found, col(found))
            names(found) <- new
            kept <- c(kept, found)
            state$kept <- if (sum(lengths(kept)) > most) found else kept
        }
        if (length(i) == 1L) kept[[paste(i)]] else kept[paste(i)]
    }
}

# ==== groups ==================================================================

# strategy = "groups": samples in a fixed order, each compared with the nearest
# member of every known group until its own group is found (after Explore of
# Basu, Banerjee and Mooney 2004).

# The beginning of the order is worked out for the first question, the rest when
# that is used up: all of 500 samples took four fifths of ten questions.
groups_strategy <- function(input, options, control) {
    given <- if (!is.null(options$order)) check_order(options$order, input$data)
    ordered <- function(most) once(function() {
        given %||% question_order(input$where, control, most)
    })
    all <- ordered(Inf)
    distances <- input$far
    block <- input$where$block
    # one, and twice as many as distances are computed of together
    begin <- if (is.null(block)) ordered(49) else all
    near <- function(i, ahead) {
        distance <- distances(i, ahead)
        if (is.null(block)) distance else
            replace(distance, block != block[i], Inf)
    }
    list(start = function() {
             list(order = begin(), at = 0L, groups = list(), sample = NULL,
                  members = NULL)
         },
         propose = function(state, record) {
             propose_for_groups(state, record, near, all, function(state) {
                 if (!is.null(block))
                     propose_joining(state, record, block, distances)
             })
         })
}

# The state holds no answers: they are looked up in the record, so that they may
# be given in any order and changed. A question is about a sample and its
# nearest member of the groups that it may belong to. Where several groups are
# shown, a sample that cannot be judged is in no group; where one is, the next
# group, the nearest first, is asked about. join(state): a question that comes
# before the next sample, or NULL.
propose_for_groups <- function(state, record, distances, all, join) {
    most <- groups_shown(record)
    repeat {
        if (is.null(state$sample)) {
            joining <- join(state)
            if (!is.null(joining)) return(joining)
            state <- next_sample(state, distances, all, most)
            if (is.null(state$sample)) return(list(state = state, pair = NULL))
        }
        members <- state$members
        between <- relation(record$closure, state$sample, members)
        home <- which(between %in% "must-link")[1L]
        # a pair that was asked is not decided where nobody could tell
        unsure <- is.na(between) & "unsure" %in% record$answers$type
        if (any(unsure)) unsure <- unsure & was_asked(record, state$sample,
                                                      members)
        # groups that answers have joined are one
        twice <- most > 1L & duplicated(record$closure$component[members])
        open <- which(is.na(between) & !unsure & !twice)
        if (!is.na(home) && (most > 1L || !any(open < home))) {
            at <- Position(function(own) members[home] %in% own, state$groups)
            state$groups[[at]] <- c(state$groups[[at]], state$sample)
        } else if (!(most > 1L && any(unsure))) {
            if (length(open)) {
                return(list(state = state, pair = utils::head(
                    c(state$sample, members[open]), most + 1L)))
            }
            state$groups <- c(state$groups, list(state$sample))
        }
        state$sample <- NULL
    }
}

# The state with a sample to place, unless none is left: the next one in order,
# with its nearest member of each group, as they are shown. all(): the whole
# order.
next_sample <- function(state, distances, all, most) {
    if (state$at == length(state$order)) state$order <- all()
    if (state$at == length(state$order)) return(state)
    state$at <- state$at + 1L
    state$sample <- state$order[state$at]
    state$members <- integer()
    if (length(state$groups)) {
        ahead <- utils::head(state$order[-seq_len(state$at)], 23L)
        state$members <- shown_members(state$groups,
                                       distances(state$sample, ahead), most)
    }
    state
}

# The nearest members of groups, in the order in which they are shown, without
# those that `may` not be: another block is infinitely far away. Up to nine at
# once keep the order in which the groups were founded: after a wrong answer two
# groups are of one kind, and if the nearest came first the data would decide
# which of them gets a sample, so that they differ where nothing does. Of more,
# and one after the other: the nearest first (equal distances: the lower
# sample), as nobody finds one of forty by its place.
shown_members <- function(groups, distance, most,
                          may = function(members) distance[members] < Inf) {
    by_distance <- function(members) members[order(distance[members], members)]
    nearest <- vapply(groups, function(members) by_distance(members)[1L], 0L)
    nearest <- nearest[may(nearest)]
    if (most > 1L && length(nearest) <= groups_in_place) nearest else
        by_distance(nearest)
}

# ---- the order ---------------------------------------------------------------

# The order of each block by itself, one sample of each block in turn; its
# beginning, where `most` are fewer than are compared.
question_order <- function(where, control, most = Inf) {
    block <- where$block %||% integer(where$data$n)
    orders <- lapply(split(seq_along(block), block), function(own) {
        # evenly spaced, so that sorted rows are met in proportion
        few <- min(length(own), most_in_order)
        some <- own[floor((seq_len(few) - 1) * length(own) / few) + 1]
        first <- some[covering_order(sqrt(distances_among(where, some,
                                                           control)), most)]
        c(first, if (length(first) == few) setdiff(own, some))
    })
    place <- unlist(lapply(orders, seq_along))
    unlist(orders, use.names = FALSE)[order(place)]
}

# So many samples take part in the order; the others follow.
most_in_order <- 1000

# The order in which samples lower most the sum of the distances of all to the
# nearest one taken (BUILD of Kaufman and Rousseeuw 1990); gains within 1e-9 of
# the largest are equal, the lower row wins. Gains only fall, also when rounded,
# so that only those are computed anew which may be the largest: 33,000 of the
# million of 1000 samples.
covering_order <- function(distance, most = Inf) {
    taken <- integer(min(most, ncol(distance)))
    nearest <- rep(max(distance), nrow(distance))
    gain <- rep(Inf, ncol(distance))
    for (step in seq_along(taken)) {
        # of those that are still to be computed anew
        bound <- gain
        least <- 0
        while (length(open <- which(bound > 0 & bound >= least))) {
            if (length(open) > 8L) open <- open[order(-bound[open])[1:8]]
            nearer <- nearest - distance[, open, drop = FALSE]
            gain[open] <- colSums(nearer + abs(nearer)) / 2
            bound[open] <- 0
            least <- max(least, (1 - 1e-9) * gain[open])
        }
        taken[step] <- which(gain >= least)[1L]
        nearest <- pmin(nearest, distance[, taken[step]])
        gain[taken[step]] <- -1
    }
    taken
}

# ==== blocks of questions =====================================================

# Questions about samples in blocks, such as batches or donors. Samples of
# different blocks are compared only to join groups: as soon as no new group has
# turned up in any block for some time, and again later.

# A function that draws 16 pairs, each of one block, uniformly.
block_drawer <- function(block) {
    members <- split(seq_along(block), block)
    pairs <- choose(lengths(members), 2)
    function() {
        if (!any(pairs > 0)) return(matrix(integer(), 0L, 2L))
        own <- members[sample.int(length(members), 16L, TRUE, pairs)]
        t(vapply(own, function(some) {
            some[sample.int(length(some), 2L)]
        }, integer(2L), USE.NAMES = FALSE))
    }
}

# A question that joins two blocks, or NULL: the first sample of a group beside
# the nearest member of every group of an earlier block to which it may belong.
propose_joining <- function(state, record, block, distances) {
    if (!is_settled(state, block)) return(NULL)
    of <- vapply(state$groups, function(members) block[members[1L]], 0L)
    for (g in order(of)) {
        first <- state$groups[[g]][1L]
        for (b in seq_len(of[g] - 1L)) {
            open <- open_groups(state$groups[of == b], first, record, distances)
            if (length(open)) {
                return(list(state = state, pair = utils::head(
                    c(first, open), groups_shown(record) + 1L)))
            }
        }
    }
    NULL
}

# The same of groups that are open for a sample.
open_members <- function(record, groups, sample, distance) {
    shown_members(groups, distance, groups_shown(record), function(members) {
        is_open(record, rep(sample, length(members)), members)
    })
}

# Those of groups of which no pair was asked; none when the sample is known to
# belong to one.
open_groups <- function(groups, sample, record, distances) {
    between <- relation(record$closure, sample, unlist(groups))
    if (!length(groups) || any(between %in% "must-link")) return(integer())
    groups <- Filter(function(members) {
        !any(was_asked(record, sample, members))
    }, groups)
    open_members(record, groups, sample, distances(sample))
}

# In every block the last samples, two or more and as many as it has groups,
# have all joined a group, or none is left.
is_settled <- function(state, block) {
    placed <- utils::head(state$order, state$at)
    founders <- vapply(state$groups, `[`, 0L, 1L)
    of <- block[founders]
    left <- tabulate(block[setdiff(state$order, placed)], max(block))
    all(vapply(seq_len(max(block)), function(b) {
        own <- placed[block[placed] == b]
        recent <- utils::tail(own, max(2L, sum(of == b)))
        left[b] == 0L || length(own) > length(recent) &&
            !any(recent %in% founders)
    }, NA))
}

# ==== strategies of users =====================================================

# strategy = function: a user's strategy, see active_constraints().

# Calls in a row that may propose a pair that is not open.
most_proposals <- 100L

own_strategy <- function(own) {
    force(own)
    make <- function(input, options, control) {
        propose <- function(state, record) {
            # what the user's function gets, but for its memory
            shown <- list(
                samples = input$data$n, names = input$data$samples,
                answers = record$answers[c("i", "j", "type")],
                relation = function(i, j) relation(record$closure, i, j),
                open = function(i, j) is_open(record, i, j),
                distances = function(i) sqrt(input$far(i)))
            tryCatch(propose_own(own, state, shown), error = function(e) {
                # answers that were given before are kept
                given <- nrow(record$answers)
                if (!given) abort_called(e, "`strategy`")
                warn_linkrank("The strategy failed after ",
                              count_noun(given, "pair"), ", so no more ",
                              "questions are asked: ", conditionMessage(e),
                              class = "questions")
                list(state = state, pair = NULL,
                     finished = "the strategy failed")
            })
        }
        list(start = function() list(memory = NULL), propose = propose)
    }
    list(counts = "questions", origin = "data", scaled = TRUE, make = make)
}

# list(state, pair). Random strategies may propose a pair that is not open, and
# are called again.
propose_own <- function(own, state, shown) {
    for (try in seq_len(most_proposals)) {
        shown["memory"] <- list(state$memory)
        found <- own(shown)
        if (is.list(found)) {
            state["memory"] <- list(found$memory)
            found <- found$pair
        }
        if (is.null(found) || anyNA(found))
            return(list(state = state, pair = NULL))
        number <- if (is.character(found)) match(found, shown$names) else found
        refuse_if(
            length(number) != 2L || !whole_within(number, 1, shown$samples) ||
                number[1L] == number[2L],
            "`strategy` must propose two different samples, by row number ",
            "from 1 to ", shown$samples, " or by name, or NULL, not ",
            if (is.atomic(found)) quote_values(found) else
                describe_value(found), "."
        )
        pair <- as.integer(number)
        if (shown$open(pair[1L], pair[2L]))
            return(list(state = state, pair = pair))
    }
    abort_linkrank("`strategy` must propose a pair that is neither asked nor
                   implied by the answers, but its last {most_proposals} were,
                   such as samples {show_samples(pair[1L], shown$names)} and
                   {show_samples(pair[2L], shown$names)}.")
}
