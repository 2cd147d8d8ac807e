# Which rows of a file of answers count: of one rater and pair the last, because
# the file is a log, see ask-file.R.

log_columns <- c("i", "j", "name_i", "name_j", "type", "time", "source",
                 "rater", "confidence", "action", "implied", "origin", "shown",
                 "remark")

# The answers of a log, also one that read.csv() has read, or of a table of
# answers with those that were changed or undone, and when.
in_force <- function(answers) {
    answers <- without_repeats(answers)
    if (is.null(answers[["superseded"]]) &&
        all(log_columns %in% names(answers))) {
        answers$superseded <- rep(NA_character_, nrow(answers))
        answers <- fold_rows(answers)
    }
    time <- answers[["superseded"]]
    if (is.null(time)) {
        return(answers)
    }
    old <- !is.na(time) & time != ""
    answers[!old, names(answers) != "superseded", drop = FALSE]
}

# Some questions were once asked twice. The second answer decided nothing.
without_repeats <- function(rows) {
    again <- rows[["repeated"]] %in% c(TRUE, "TRUE")
    if (!any(again)) {
        return(rows)
    }
    inform_linkrank("Answers to questions that were asked a second time are ",
                    "not used: ", count_noun(sum(again), "row"), ".",
                    class = "answers")
    rows[!again, ]
}

# What a row is about and what it says, as numbers that equal rows share: the
# `pair` (of two samples in either order), the `slot`
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
    known <- unique(c(first, second))
    ends <- list(match(first, known), match(second, known))
    pair <- paste(do.call(pmin, ends), do.call(pmax, ends))
    slot <- paste(pair, rows$implied %in% c(TRUE, "TRUE"))
    said <- paste(slot, rows$type, utf8_bytes(rows$rater),
                  ifelse(rows$type == "undone", "",
                         paste(substr(rows$time, 1L, 16L), rows$source,
                               rows$confidence)))
    version <- paste(said, utf8_bytes(rows$remark))
    lapply(list(pair = pair, slot = slot, said = said, version = version),
           function(key) match(key, key))
}

# Where equal ones follow, the place of the next; NA for none.
next_alike <- function(key) {
    key <- match(key, key)
    order <- order(key)
    alike <- which(key[order][-1L] == key[order][-length(key)])
    following <- rep(NA_integer_, length(key))
    following[order[alike]] <- order[alike + 1L]
    following
}

# The number of the action of each row, from 1: an action is consecutive rows.
action_runs <- function(rows) {
    count <- nrow(rows)
    own <- ifelse(is.na(rows$action), paste("row", seq_len(count)),
                  paste(rows$action, rows$i, rows$rater))
    cumsum(c(TRUE[count > 0L], own[-1L] != own[-count]))
}

# `superseded` of every row: when a later one took its place, NA for those that
# count; and the `unit` of each, its answer: consecutive rows of one action.
count_rows <- function(rows) {
    open <- is.na(rows$superseded)
    key <- row_keys(rows)
    pair <- paste(key$pair, utf8_bytes(rows$rater))
    pair <- match(pair, pair)
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
    # rows without a number follow those above
    top <- integer(nrow(rows))
    for (t in seq_along(top)) {
        number <- rows$action[t]
        if (is.na(number)) {
            number <- top[rater[t]] + is.na(rows$superseded[t])
        }
        top[rater[t]] <- max(top[rater[t]], number)
        rows$action[t] <- number
    }
    order <- order(rater, rows$action)
    rows <- rows[order, ]
    unit <- counted$unit[order]
    rows$action <- match(unit, unique(unit))
    rows[!rows$type %in% "undone", ]
}
