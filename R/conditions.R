# The only place that signals conditions. Every message is one sentence with
# what was expected, what was given, and where (examples:
# tests/testthat/_snaps).

# `kind`: "error", "warning" or "message"; `class` is the finer class:
# "argument", "input", "constraints", "package". `fields`: data for the handler
# of the condition besides its message. `call`: given if the message alone does
# not identify the function.
linkrank_condition <- function(kind, class, text, fields = list(),
                               call = NULL) {
    structure(
        class = c(paste0("linkrank_", kind, c(paste0("_", class), "")), kind,
                  "condition"), c(list(message = text, call = call), fields)
    )
}

abort_linkrank <- function(..., class = "argument", fields = list(),
                           call = NULL, frame = parent.frame()) {
    text <- sentence(..., frame = frame)
    stop(linkrank_condition("error", class, text, fields, call))
}

# The pieces of a message as one text. In a piece that is written in the call,
# {code} is replaced by its value in the `frame` of the call, a number as
# show_number() has it, and a line break by a blank; one that is computed may
# have the braces of a user's names.
sentence <- function(..., frame) {
    pieces <- list(...)
    written <- vapply(as.list(substitute(list(...)))[-1L], is.character, NA)
    pieces[written] <- lapply(pieces[written], function(text) {
        text <- gsub("\n *", " ", text)
        code <- gregexpr("[{][^{}]*[}]", text)
        values <- lapply(regmatches(text, code)[[1L]], function(one) {
            value <- eval(str2lang(one), frame)
            if (is.numeric(value)) value <- show_number(value)
            paste(value, collapse = "")
        })
        regmatches(text, code) <- list(as.character(values))
        text
    })
    do.call(paste0, pieces, quote = TRUE)
}

# The same where something is `wrong`; the sentence is put together only then.
refuse_if <- function(wrong, ..., frame = parent.frame()) {
    if (wrong) abort_linkrank(..., frame = frame)
}

# A function of the user failed; a refusal by one of ours says why already.
abort_called <- function(condition, ...) {
    if (inherits(condition, "linkrank_error")) stop(condition)
    abort_linkrank(..., " stopped with the message: ",
                   sub("[.]?$", ".", conditionMessage(condition)))
}

# An argument is not what it must be: the sentence ends with what was given.
abort_value <- function(value, ..., class = "argument",
                        frame = parent.frame()) {
    abort_linkrank(..., ", not ", describe_value(value), ".", class = class,
                   frame = frame)
}

# Says so where the first two arguments of a call are each what the other must
# be.
refuse_swapped <- function() {
    takes <- c(x = "data", train = "data", y = "vector", oracle = "vector",
               groups = "vector", constraints = "constraints",
               ranking = "ranking")
    for (number in seq_len(sys.nframe())) {
        called <- sys.function(number)
        names <- utils::head(names(formals(called)), 2L)
        roles <- unname(takes[names])
        if (length(roles) == 2L && !anyNA(roles) && roles[1L] != roles[2L] &&
            identical(environment(called), topenv())) {
            given <- vapply(names, function(name) {
                tryCatch(role_of(get(name, sys.frame(number))),
                         error = function(condition) "")
            }, "")
            refuse_if(identical(unname(given), rev(roles)), "`{names[1L]}` and
                      `{names[2L]}` are swapped: `{names[1L]}` comes first.")
        }
    }
}

role_of <- function(value) {
    if (inherits(value, "pairwise_constraints")) return("constraints")
    if (inherits(value, "feature_ranking")) return("ranking")
    if (length(dim(value)) == 2L) return("data")
    if (is.atomic(value) && length(value) > 1L) "vector" else ""
}

refuse_value_if <- function(wrong, value, ..., frame = parent.frame()) {
    if (wrong) abort_value(value, ..., frame = frame)
}

refuse_class_if <- function(wrong, value, ..., class = "argument",
                            frame = parent.frame()) {
    if (!wrong) return(invisible())
    refuse_swapped()
    abort_linkrank(..., ", not ", describe_class(value), ".", class = class,
                   frame = frame)
}

warn_linkrank <- function(..., class, frame = parent.frame()) {
    text <- sentence(..., frame = frame)
    warning(linkrank_condition("warning", class, text))
}

# A message about what was done, of a class that can be silenced.
inform_linkrank <- function(..., class, frame = parent.frame()) {
    text <- paste0(sentence(..., frame = frame), "\n")
    message(linkrank_condition("message", class, text))
}

# The same where there is something to say.
warn_if <- function(wrong, ..., frame = parent.frame()) {
    if (wrong) warn_linkrank(..., frame = frame)
}

inform_if <- function(there, ..., frame = parent.frame()) {
    if (there) inform_linkrank(..., frame = frame)
}

# What would be said at every call is said once a session for each `key`.
said_before <- new.env(parent = emptyenv())

inform_once <- function(key, ..., class, frame = parent.frame()) {
    if (is.null(said_before[[key]]))
        inform_linkrank(..., class = class, frame = frame)
    assign(key, TRUE, said_before)
}

# Code that reads parts of the data: a feature may have no value in a part, and
# what is said of text was said of the whole.
as_parts <- function(code) {
    before <- reads_parts()
    on.exit(assign("parts", before, said_before))
    assign("parts", TRUE, said_before)
    code
}

reads_parts <- function() isTRUE(said_before$parts)
