# Which rows of a file of answers count: of one rater and pair the last, by time
# and then by row, because the file is a log, see ask-file.R.

# The columns of a log, and what they hold where they say nothing: so a file has
# them, and a questionnaire has its answers.
log_defaults <- list(
    i = NA_integer_, j = NA_integer_, name_i = "", name_j = "", type = "",
    time = "", source = "", rater = NA_character_, confidence = NA_real_,
    action = NA_integer_, origin = NA_character_, shown = NA_character_,
    remark = NA_character_, implied = FALSE, superseded = NA_character_
)
log_columns <- setdiff(names(log_defaults), "superseded")
no_rows <- list2DF(lapply(log_defaults, `[`, 0L))

# Columns that every table of answers has, and those that it has only where they
# say something.
answer_columns <- log_columns[1:7]
optional_columns <- c("rater", "confidence", "action", "implied", "origin",
                      "shown", "remark")

# The answers of a log, also one that read.csv() has read, or of a table of
# answers with those that were changed or undone, and when.
in_force <- function(answers) {
    if (is.null(answers[["superseded"]]) &&
        all(log_columns %in% names(answers))) {
        answers$superseded <- rep(NA_character_, nrow(answers))
        answers <- fold_rows(by_time(answers))
    }
    time <- answers[["superseded"]]
    if (is.null(time)) return(answers)
    old <- !is.na(time) & time != ""
    answers[!old, names(answers) != "superseded", drop = FALSE]
}

# Rows in the order of their times, because somebody may have sorted the file. A
# row without a time or a number stays behind the row above it.
by_time <- function(rows) {
    time <- plain_times(rows$time)
    dated <- grepl(time_pattern, time)
    time <- c("", time[dated])[cumsum(dated) + 1L]
    if (!is.unsorted(time)) return(rows)
    # what has no number follows all that is above it
    action <- ifelse(is.na(rows$action), cummax(pmax(rows$action, 0L,
                                                     na.rm = TRUE)),
                     rows$action)
    at <- order(time, action, method = "radix")
    inform_if(any(vapply(split(at, row_keys(rows)$about[at]), is.unsorted, NA)),
              "Answers are in another order than their times: of answers about
              one pair the last by time counts.", class = "answers")
    rows[at, ]
}

# What a row is about and what it says, as numbers that equal rows share: the
# `pair` (of two samples in either order), `about`, that of a rater, the `slot`
# (what only follows from an answer has its own), what was `said` of it, and the
# `version`, that with its remark. Samples go by name, so that it does not
# matter who has read the file, and times by the minute, as spreadsheets keep
# them.
row_keys <- function(rows) {
    label <- function(name, number) {
        ifelse(name %in% c("", NA), number, utf8_bytes(name))
    }
    first <- label(rows$name_i, rows$i)
    second <- label(rows$name_j, rows$j)
    samples <- unique(c(first, second))
    ends <- list(match(first, samples), match(second, samples))
    pair <- paste(do.call(pmin, ends), do.call(pmax, ends))
    about <- paste(pair, utf8_bytes(rows$rater))
    slot <- paste(pair, rows$implied %in% c(TRUE, "TRUE"))
    said <- paste(slot, rows$type, utf8_bytes(rows$rater),
                  ifelse(rows$type == "undone", "",
                         paste(substr(rows$time, 1L, 16L), rows$source,
                               rows$confidence)))
    version <- paste(said, is.na(rows$remark), utf8_bytes(rows$remark))
    lapply(list(pair = pair, about = about, slot = slot, said = said,
                version = version), function(key) match(key, key))
}

# Where equal ones follow, the place of the next; NA for none.
next_alike <- function(key) {
    key <- match(key, key)
    order <- order(key)
    following <- replace(seq_along(key), order, c(order[-1L], NA))
    ifelse(key[following] == key, following, NA)
}

# The number of the action of each row, from 1: an action is consecutive rows.
action_runs <- function(rows) {
    count <- nrow(rows)
    action_of <- ifelse(is.na(rows$action), paste("row", seq_len(count)),
                        paste(rows$action, rows$i, rows$rater))
    cumsum(c(TRUE[count > 0L], action_of[-1L] != action_of[-count]))
}

# `superseded` of every row: when a later one took its place, NA for those that
# count; and the `unit` of each, its answer: consecutive rows of one action.
count_rows <- function(rows) {
    open <- is.na(rows$superseded)
    key <- row_keys(rows)
    pair <- key$about
    run <- action_runs(rows)
    # the same pairs once more are another answer
    again <- stats::ave(pair, paste(run, pair), FUN = seq_along)
    unit <- paste(run, again, open)
    unit <- match(unit, unit)
    pairs <- vapply(split(pair, unit), function(all) {
        paste(sort(all), collapse = " ")
    }, "")[as.character(unit)]
    # a row takes the place of those about its pair; an answer, of those about
    # all of its pairs, where other pairs may be the implied ones
    later <- pmin(next_alike(paste(pair, key$slot, open)),
                  next_alike(paste(pair, pairs, open)), na.rm = TRUE)
    superseded <- rows$superseded
    superseded[open] <- rows$time[later[open]]
    list(superseded = superseded, unit = unit)
}

# The answers of a file, with `superseded`: rater by rater, in the order of the
# actions; a changed answer stays in its place.
fold_rows <- function(rows) {
    rows <- rows[!rows$type %in% "name", ]
    counted <- count_rows(rows)
    rows$superseded <- counted$superseded
    rater <- match(rows$rater, rows$rater)
    # rows without a number follow those above, each that counts by one more
    action <- suppressWarnings(as.numeric(rows$action))
    numbered <- !is.na(action)
    more <- stats::ave(1 * (!numbered & is.na(rows$superseded)), rater,
                       FUN = cumsum)
    above <- stats::ave(pmax(action - more, 0, na.rm = TRUE), rater,
                        FUN = cummax)
    order <- order(rater, ifelse(numbered, action, above + more))
    rows <- rows[order, ]
    unit <- counted$unit[order]
    rows$action <- match(unit, unique(unit))
    rows[!rows$type %in% "undone", ]
}

# ---- times ----------------------------------------------------------------
# UTC, as 2026-01-31T09:30:00Z, also where a spreadsheet has saved them in
# another form.

time_form <- "%Y-%m-%dT%H:%M:%SZ"
time_pattern <- "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z$"

# A time as a spreadsheet may save it: 2026-11-22 14:03, 22.11.2026 14:03:59,
# 11/22/26, 2:03 PM.
sheet_time <- paste0(
    "^([0-9]{1,4})([-/.])([0-9]{1,2})[-/.]([0-9]{4}|[0-9]{1,2})[T ,]+",
    "([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:[.][0-9]+)?)?(?: ?([AP]M)|Z)?$"
)

# Times as 2026-01-31T09:30:00Z, NA for what is none. The digits stay as they
# are, because a spreadsheet that shows a time of ours otherwise does not shift
# it.
read_times <- function(text, file = NULL) {
    times <- rep(NA_character_, length(text))
    # nearly all are as they were written
    whole <- grepl(time_pattern, text, useBytes = TRUE)
    is_time <- !is.na(strptime(text[whole], time_form, tz = "UTC"))
    times[whole][is_time] <- text[whole][is_time]
    rest <- which(!whole)
    parsed <- regmatches(text[rest], regexec(sheet_time, text[rest],
                                             perl = TRUE, ignore.case = TRUE))
    from_sheet <- rest[lengths(parsed) > 0L]
    if (!length(from_sheet)) return(times)
    parts <- do.call(rbind, parsed)[, -1L, drop = FALSE]
    half <- toupper(parts[, 8L])
    number <- sub("^$", "0", parts[, -c(2L, 8L), drop = FALSE])
    storage.mode(number) <- "integer"
    # year, month, day, hour, minute, second
    last <- nchar(parts[, 1L]) < 4L
    slashes <- which(last & parts[, 2L] == "/")
    number[last, 1:3] <- number[last, 3:1]
    if (month_first(number[slashes, 3L], number[slashes, 2L], half[slashes],
                    text[from_sheet][slashes], file)) {
        number[slashes, 2:3] <- number[slashes, 3:2]
    }
    number[, 1L] <- number[, 1L] + 2000L * (number[, 1L] < 100L)
    twelve <- half != ""
    number[twelve, 4L] <- number[twelve, 4L] %% 12L +
        12L * (half[twelve] == "PM")
    time <- do.call(ISOdatetime, c(unname(as.data.frame(number)), tz = "UTC"))
    times[from_sheet] <- format(time, time_form, tz = "UTC")
    times
}

# Is it 11/22/2026, or 22/11/2026?
month_first <- function(first, second, half, text, file) {
    if (any(second > 12L) || any(nzchar(half))) return(TRUE)
    refuse_if(!any(first > 12L) && any(first != second),
              "The time \"", from_bytes(text[1L]), "\"",
              if (!is.null(file)) paste0(" in \"", file, "\""),
              " is ambiguous (day or month first): write it as ",
              "2026-01-31 09:30.", class = "answers")
    FALSE
}

# Also those of read.csv(), or of a spreadsheet.
plain_times <- function(times) {
    if (inherits(times, "POSIXt"))
        return(format(times, time_form, tz = "UTC"))
    times <- as.character(times)
    read <- read_times(times)
    ifelse(is.na(read), times, read)
}
