# Trouble with files that the package writes for itself.

# "\"/tmp/a\" on disk \"/tmp\" with 12 MB left": a folder, its disk and the free
# space, as far as the system says them.
describe_disk <- function(folder) {
    paste0(quote_values(folder), disk_of(folder))
}

disk_of <- function(folder) {
    if (.Platform$OS.type == "windows") {
        return(paste0(" on disk ", substr(normalizePath(folder), 1L, 2L)))
    }
    # the last line: device, kilobytes in all, used and free, used in %, place
    lines <- tryCatch(suppressWarnings(
        system2("df", c("-P", "-k", shQuote(folder)), stdout = TRUE,
                stderr = FALSE)
    ), error = function(condition) character())
    line <- regmatches(lines, regexec(
        "([0-9]+) +([0-9]+) +(-?[0-9]+) +[0-9]+% +(/.*)$", lines
    ))
    line <- if (length(line)) line[[length(line)]] else character()
    if (length(line) != 5L) {
        return("")
    }
    paste0(" on disk ", quote_values(line[5L]), " with ",
           format(structure(1024 * max(0, as.numeric(line[4L])),
                            class = "object_size"), units = "auto"), " free")
}

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
        free <- describe_disk(dirname(file))
        unlink(file)
        abort_linkrank(what, " could not be written to ", free, " (", reason,
                       ").", class = "disk")
    }
}
