# Keys and words of the actions, in the dialogue and on the page: the key of
# each action, then the words with the same meaning.

key_words <- list(
    `must-link` = c("y", "yes", "same"),
    `cannot-link` = c("n", "no", "different"),
    unsure = c("u", "?", "unsure"),
    undo = c("z", "undo"),
    list = c("l", "list"),
    remark = c("r", "remark"),
    sort = c("s", "sort"),
    quit = c("q", "quit")
)

# The action for a key or word, "" for none.
read_key <- function(text) {
    meant <- vapply(key_words, function(words) {
        ascii_lower(trimws(text)) %in% words
    }, NA)
    c(names(key_words)[meant], "")[1L]
}

# The choice (see ask-sort.R) for a key or word, NULL for none. `shown`: the
# samples of the question.
read_choice <- function(text, sorted, shown) {
    if (is.null(text)) return(NULL)
    key <- read_key(text)
    count <- length(shown) - 1L
    if (sorted && trimws(text) %in% as.character(0:count)) {
        return(as.integer(text))
    }
    choices <- c(`cannot-link` = 0L, unsure = NA,
                 if (count == 1L) c(`must-link` = 1L))
    if (key %in% names(choices)) choices[[key]]
}

# The keys of an answer, for a hint.
answer_keys <- function(q) {
    if (q$ask == "groups") {
        count <- length(q$pending) - 1L
        paste0(if (count > 1L) "1-", count, " 0 u")
    } else {
        "y n u"
    }
}

# ---- columns about the samples -----------------------------------------------

# The columns of the sample data to show: only those that are named, because a
# column of labels would reveal the answer.
check_show <- function(show, data) {
    if (is.null(show)) return(character())
    refuse_value_if(!is.character(show) || anyNA(show), show,
                    "`show` must be names of columns about the samples")
    known <- names(data$sample_data)
    lacking <- setdiff(show, known)
    refuse_if(length(lacking), "`show` names the column ",
              quote_values(lacking[1L]), ", but `x` has ",
              if (length(known)) paste("the columns", quote_values(known)) else
                  "no data about its samples", ".")
    show
}

# The values of these columns for one sample: text, named by column.
sample_facts <- function(data, i, show) {
    vapply(stats::setNames(nm = show), function(column) {
        format(data$sample_data[[column]][i], digits = 4L)
    }, "")
}
