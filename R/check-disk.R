# Trouble with files that the package writes for itself.

# Evaluates code that writes: NULL, or the reason why it could not.
disk_trouble <- function(code) {
    tryCatch({
        code
        NULL
    }, warning = disk_reason, error = disk_reason)
}

# The reason in a message of R: "cannot open file 'a': Permission denied".
disk_reason <- function(condition) {
    text <- one_line(conditionMessage(condition))
    sub("^.*(reason '|: +)([^':]+)'?$", "\\2", text)
}

# What another package says, as a part of our sentence: its lines as one, cut at
# the end of a word.
one_line <- function(text, most = 160L) {
    lines <- strsplit(text, "\n", fixed = TRUE)[[1L]]
    line <- paste(trimws(lines[nzchar(lines)]), collapse = " ")
    if (nchar(line) > most) {
        return(paste(sub(" +[^ ]*$", "", substr(line, 1L, most)), "..."))
    }
    sub("[.]$", "", line)
}

# Writes a file whole; `what` begins the message, "The ranking".
write_checked <- function(file, bytes, what) {
    reason <- .Call(C_write_file, file, bytes)
    if (!is.null(reason)) {
        unlink(file)
        abort_linkrank(what, " could not be written to ",
                       quote_values(dirname(file)), " (", reason, ").",
                       class = "disk")
    }
}
