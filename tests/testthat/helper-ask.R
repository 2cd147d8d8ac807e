# A person who answers, for several test files.

# Answers all questions of a questionnaire from labels.
answer_all <- function(q, labels, count = Inf) {
    while (count > 0 && !is.null(pair <- next_pair(q))) {
        same <- labels[pair[1]] == labels[pair[-1]]
        q <- answer_pair(q, if (is_sorted(q, pair))
            c(which(same), if (anyNA(same)) NA else 0)[1] else same)
        count <- count - 1
    }
    q
}

# The answers to questions, as read_answers() gives those of a file.
answer_table <- function(q) drop_unused(answers_in(q)[log_columns])

# A dialogue with what a person would type; returns what is printed.
dialogue <- function(x, keys, n = 20, file = NULL, ..., ask = "pairs") {
    input <- textConnection(keys)
    on.exit(close(input))
    result <- NULL
    shown <- capture.output(
        result <- active_constraints(x, console_oracle(file = file,
                                                       input = input, ...),
                                     n = n, ask = ask)
    )
    list(result = result, shown = shown)
}

# What one window of the page knows: see app_step().
new_app_state <- function(q) c(list(q = q), new_window())

# shiny says that its test has no request; the page asks for the origin in it.
test_page <- function(app, expr) {
    code <- substitute(expr)
    withCallingHandlers(
        eval(bquote(shiny::testServer(app, .(code))), list(app = app),
             parent.frame()),
        warning = function(condition) {
            if (grepl("realistic request", conditionMessage(condition))) {
                invokeRestart("muffleWarning")
            }
        }
    )
}

# The bytes of a new file of answers.
log_bytes <- function(q) {
    file <- tempfile(fileext = ".csv")
    on.exit(unlink(file))
    write_answers(q, file)
    readBin(file, "raw", file.size(file))
}
