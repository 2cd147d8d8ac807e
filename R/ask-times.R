# The times in tables of answers: UTC, as 2026-01-31T09:30:00Z, also where a
# spreadsheet has saved them in another form.

time_pattern <- "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z$"

# The parts of a time as a spreadsheet may save it, in the order that `parts`
# names: 2026-11-22 14:03, 22.11.2026 14:03:59, 11/22/26, 2:03 PM.
time_forms <- local({
    clock <- paste0("[T ,]+([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:[.][0-9]+)?",
                    ")?(?: ?([AP]M)|Z)?$")
    two <- "([0-9]{1,2})"
    year <- "([0-9]{4}|[0-9]{2})"
    list(
        year_first = paste0("^([0-9]{4})[-/.]", two, "[-/.]", two, clock),
        day_first = paste0("^", two, "[.-]", two, "[.-]", year, clock),
        slashes = paste0("^", two, "/", two, "/", year, clock)
    )
})

# Times as 2026-01-31T09:30:00Z, NA for what is none. The digits stay as they
# are, because a spreadsheet that shows a time of ours otherwise does not shift
# it.
read_times <- function(text, file = NULL) {
    times <- rep(NA_character_, length(text))
    for (form in names(time_forms)) {
        found <- regmatches(text, regexec(time_forms[[form]], text,
                                          perl = TRUE, ignore.case = TRUE))
        at <- which(lengths(found) == 8L)
        if (length(at)) {
            parts <- do.call(rbind, found[at])[, -1L, drop = FALSE]
            order <- switch(form, year_first = 1:3, day_first = 3:1,
                            slashes = slash_order(parts, text[at], file))
            times[at] <- put_time(parts[, c(order, 4:7), drop = FALSE])
        }
    }
    times
}

# Columns of year, month and day in 11/22/2026 or 22/11/2026.
slash_order <- function(parts, text, file) {
    first <- as.integer(parts[, 1L])
    second <- as.integer(parts[, 2L])
    if (any(second > 12L) || any(nzchar(parts[, 7L]))) {
        c(3L, 1L, 2L)
    } else if (any(first > 12L) || all(first == second)) {
        3:1
    } else {
        abort_linkrank("The time \"", from_bytes(text[1L]), "\"",
                       if (!is.null(file)) paste0(" in \"", file, "\""),
                       " has two meanings: save the column `time` in the form ",
                       "2026-01-31 09:30.", class = "answers")
    }
}

# `parts`: text, a row per time: year, month, day, hour, minute, second, AM or
# PM.
put_time <- function(parts) {
    half <- toupper(parts[, 7L])
    parts[, 6L][parts[, 6L] == ""] <- "0"
    number <- matrix(as.integer(parts[, 1:6]), nrow(parts))
    number[, 1L] <- number[, 1L] + 2000L * (number[, 1L] < 100L)
    twelve <- half != ""
    number[twelve, 4L] <- number[twelve, 4L] %% 12L +
        12L * (half[twelve] == "PM")
    time <- ISOdatetime(number[, 1L], number[, 2L], number[, 3L], number[, 4L],
                        number[, 5L], number[, 6L], tz = "UTC")
    format(time, "%Y-%m-%dT%H:%M:%SZ", tz = "UTC")
}

# Also those of read.csv(), or of a spreadsheet.
plain_times <- function(times) {
    if (inherits(times, "POSIXt")) {
        return(format(times, "%Y-%m-%dT%H:%M:%SZ", tz = "UTC"))
    }
    times <- as.character(times)
    read <- read_times(times)
    ifelse(is.na(read), times, read)
}
