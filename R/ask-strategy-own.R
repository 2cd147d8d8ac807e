# strategy = function: a user's strategy, see active_constraints().

# Calls in a row that may propose a pair that is not open.
most_proposals <- 100L

own_strategy <- function(own) {
    force(own)
    list(counts = "questions", origin = "data", scaled = TRUE,
         make = function(input, options, control) {
             squared <- distances_of(input$where, control)
             distances <- function(i) sqrt(squared(i))
             propose <- function(state, record) {
                 shown <- shown_state(input$data, record, distances)
                 tryCatch(propose_own(own, state, shown),
                          error = function(condition) {
                              strategy_failed(condition, state,
                                              length(record$first))
                          })
             }
             list(start = function() list(memory = NULL), propose = propose,
                  learn = function(state, pair, type) state)
         })
}

# Answers that were given before are kept.
strategy_failed <- function(condition, state, given) {
    reason <- conditionMessage(condition)
    if (!given && inherits(condition, "linkrank_error")) {
        stop(condition)
    }
    refuse_if(!given, "`strategy` stopped with the message: ",
              sub("[.]?$", ".", reason))
    warn_linkrank("The strategy failed after ", count_noun(given, "pair"),
                  ", so no more questions are asked: ", reason,
                  class = "questions")
    list(state = state, pair = NULL, finished = "the strategy failed")
}

# What the user's function gets, but for its memory.
shown_state <- function(data, record, distances) {
    list(samples = data$n, names = data$samples,
         answers = data.frame(i = record$first, j = record$second,
                              type = record$type),
         relation = function(i, j) closure_relation(record$closure, i, j),
         open = function(i, j) is_open(record, i, j),
         distances = distances)
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
        if (is.null(found) || anyNA(found)) {
            return(list(state = state, pair = NULL))
        }
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
        if (shown$open(pair[1L], pair[2L])) {
            return(list(state = state, pair = pair))
        }
    }
    abort_linkrank("`strategy` must propose a pair that is neither asked nor ",
                   "decided by the answers, but ", most_proposals,
                   " times in a row it proposed others, the last time samples ",
                   show_sample(pair[1L], shown$names), " and ",
                   show_sample(pair[2L], shown$names), ".")
}
