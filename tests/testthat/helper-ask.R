# A person who answers, for several test files.

# Answers all questions of a questionnaire from labels.
answer_all <- function(q, labels, count = Inf) {
    while (count > 0 && !is.null(pair <- next_pair(q))) {
        same <- labels[pair[1]] == labels[pair[2]]
        q <- answer_pair(q, if (is.na(same)) NA else
            if (same) "must-link" else "cannot-link")
        count <- count - 1
    }
    q
}

# A dialogue with what a person would type; returns what is printed.
dialogue <- function(x, keys, n = 20, file = NULL, ...) {
    input <- textConnection(keys)
    on.exit(close(input))
    result <- NULL
    shown <- capture.output(
        result <- active_constraints(x, console_oracle(file = file,
                                                       input = input, ...),
                                     n = n)
    )
    list(result = result, shown = shown)
}
