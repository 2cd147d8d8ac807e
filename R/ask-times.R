# The times in tables of answers: UTC, as 2026-01-31T09:30:00Z, also where a
# spreadsheet has saved them in another form.

time_pattern <- "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z$"

# A time as a spreadsheet may save it: 2026-11-22 14:03, 22.11.2026 14:03:59,
# 11/22/26, 2:03 PM.
time_form <- paste0(
    "^([0-9]{1,4})([-/.])([0-9]{1,2})[-/.]([0-9]{4}|[0-9]{1,2})[T ,]+",
    "([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:[.][0-9]+)?)?(?: ?([AP]M)|Z)?$"
)

# Times as 2026-01-31T09:30:00Z, NA for what is none. The digits stay as they
# are, because a spreadsheet that shows a time of ours otherwise does not shift
# it.
read_times <- function(text, file = NULL) {
    found <- regmatches(text, regexec(time_form, text, perl = TRUE,
                                      ignore.case = TRUE))
    times <- rep(NA_character_, length(text))
    at <- which(lengths(found) > 0L)
    if (!length(at)) {
        return(times)
    }
    parts <- do.call(rbind, found[at])[, -1L, drop = FALSE]
    half <- toupper(parts[, 8L])
    number <- sub("^$", "0", parts[, -c(2L, 8L), drop = FALSE])
    storage.mode(number) <- "integer"
    # year, month, day, hour, minute, second
    last <- nchar(parts[, 1L]) < 4L
    slashes <- which(last & parts[, 2L] == "/")
    number[last, 1:3] <- number[last, 3:1]
    if (month_first(number[slashes, 3L], number[slashes, 2L], half[slashes],
                    text[at][slashes], file)) {
        number[slashes, 2:3] <- number[slashes, 3:2]
    }
    number[, 1L] <- number[, 1L] + 2000L * (number[, 1L] < 100L)
    twelve <- half != ""
    number[twelve, 4L] <- number[twelve, 4L] %% 12L +
        12L * (half[twelve] == "PM")
    time <- do.call(ISOdatetime, c(unname(as.data.frame(number)), tz = "UTC"))
    times[at] <- format(time, "%Y-%m-%dT%H:%M:%SZ", tz = "UTC")
    times
}

# Is it 11/22/2026, or 22/11/2026?
month_first <- function(first, second, half, text, file) {
    if (any(second > 12L) || any(nzchar(half))) {
        return(TRUE)
    }
    if (!any(first > 12L) && any(first != second)) {
        abort_linkrank("The time \"", from_bytes(text[1L]), "\"",
                       if (!is.null(file)) paste0(" in \"", file, "\""),
                       " has two meanings: save the column `time` in the form ",
                       "2026-01-31 09:30.", class = "answers")
    }
    FALSE
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
