# A strategy proposes the next pair and learns the answers. It is a list of
#
#   name      its name in `strategies`
#   counts    what `n` counts: "questions" or "cannot-links"
#   origin    of the pairs: see constraint_origins
#   start()   its state before the first question
#   propose(state, record)          list(state, pair, step): the next pair, in
#                                   the direction in which it is stored, NULL
#                                   when there is none; `step` is what the
#                                   result keeps of it
#   learn(state, pair, type)        the state after an answer of any pair
#   keep(state, record, steps)      list(questions, parts): further columns of
#                                   the table of questions, and elements of the
#                                   result; a strategy may have none
#   notes     the sentence of print() for each note of the result
#
# and is independent of persons, files and limits, which belong to the
# questionnaire. `record` holds the answers so far: list(first, second, type,
# closure), in order, including selected pairs that the closure decided; `most`
# is how many groups the next question may show.

# All strategies, the default first: `counts`, `origin`, `scaled` (does it
# compute distances, so that the data are scaled?) and make(input, options,
# control), which returns the other elements; input: from asked_input();
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
    if (is.function(strategy)) {
        return(c(list(name = "own"), own_strategy(strategy)))
    }
    refuse_value_if(length(strategy) == 1L && !is.character(strategy), strategy,
                    "`strategy` must be one of ",
                    quote_values(names(strategies)), " or a function of the ",
                    "state")
    name <- check_choice(strategy, names(strategies), "strategy")
    c(list(name = name), strategies[[name]])
}

choose_strategy <- function(strategy, input, options, control) {
    within <- strategy$name %in% c("groups", "random")
    refuse_if(!is.null(input$block) && !within,
              "`block` must be left out for this `strategy`: only \"groups\" ",
              "and \"random\" ask within blocks.")
    c(strategy[c("name", "counts", "origin")],
      strategy$make(input, options, control))
}

random_strategy <- function(input, options, control) {
    samples <- input$data$n
    block <- input$where$block
    list(start = function() list(),
         propose = function(state, record) {
             list(state = state, pair = draw_pair(samples, record, block))
         },
         learn = function(state, pair, type) state)
}

# A pair that is neither asked nor decided, uniformly among those of one block.
# Drawn again until it is allowed; when few are left, found by counting.
draw_pair <- function(samples, record, block = NULL) {
    allowed <- function(a, b) {
        is_open(record, a, b) &
            (if (is.null(block)) TRUE else block[a] == block[b])
    }
    all <- samples * (samples - 1) / 2
    draw <- if (is.null(block)) {
        function() number_to_pair(pmax(ceiling(stats::runif(16L) * all), 1))
    } else {
        block_drawer(block)
    }
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

# ---- the closure of the answers ----------------------------------------------

# list(component, against): the must-link component of each sample, from 0, and
# the sorted keys of cannot-linked components.
answer_closure <- function(samples, first, second, type) {
    must <- type == "must-link"
    component <- .Call(C_components, as.integer(samples), first[must],
                       second[must])
    different <- type == "cannot-link"
    list(component = component, against = unique(component_key(
        component[first[different]], component[second[different]]
    )))
}

component_key <- function(a, b) pmin(a, b) * 2^26 + pmax(a, b)

component_pair <- function(key) list(a = key %/% 2^26, b = key %% 2^26)

# "must-link", "cannot-link" or NA (not decided) for pairs a, b.
closure_relation <- function(closure, a, b) {
    a <- closure$component[a]
    b <- closure$component[b]
    relation <- ifelse(component_key(a, b) %in% closure$against,
                       "cannot-link", NA_character_)
    relation[a == b] <- "must-link"
    relation
}

# Which pairs are in the record?
was_asked <- function(record, a, b) {
    samples <- length(record$closure$component)
    pair_key(a, b, samples) %in%
        pair_key(record$first, record$second, samples)
}

# Which are neither there nor decided by it?
is_open <- function(record, a, b) {
    is.na(closure_relation(record$closure, a, b)) & !was_asked(record, a, b)
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

# A function of a sample: its column of the matrix work(samples). With it those
# of samples `ahead`, wanted next, are computed, up to `together`, as a walk
# through all data takes hardly longer for many. At most `most` numbers are kept
# beside the last ones.
remember <- function(work, together = 24L, most = 2^22) {
    state <- new.env(parent = emptyenv())
    state$kept <- list()
    function(i, ahead = NULL) {
        if (is.null(state$kept[[paste(i)]])) {
            new <- setdiff(paste(c(i, ahead)), names(state$kept))
            new <- utils::head(new, together)
            found <- work(as.integer(new))
            if (length(found) + sum(lengths(state$kept)) > most) {
                state$kept <- list()
            }
            state$kept[new] <- split(found, col(found))
        }
        state$kept[[paste(i)]]
    }
}
