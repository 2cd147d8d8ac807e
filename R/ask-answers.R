# The answers of a session: what was asked, said and changed, in the order in
# which it happened.

# ==== answers =================================================================

# The answers as a table and as text: CSV, a row per action and pair. The text
# is written and read as bytes, in UTF-8 if possible, so that no locale changes
# a name. ask-file.R handles the file; constraints-log.R says which rows count.

# Rows that are no answers: the last one about these samples is undone; the kind
# of a sample (`i` and `j`) was given the name in `remark`.
other_kinds <- c("undone", "name")

# ---- writing -----------------------------------------------------------------

# Rows as lines, names in quotes. The last cell is TRUE or FALSE, because the
# beginning of a remark, of a row that was cut, would look whole.
answer_lines <- function(rows, separator = ",") {
    # other text needs quotes if it is not plain; NA is an empty cell
    word <- function(text, plain = "^([A-Za-z0-9][A-Za-z0-9 :._-]*)?$") {
        text <- as.character(text)
        text[is.na(text)] <- ""
        odd <- !grepl(plain, text, useBytes = TRUE)
        text[odd] <- quote_cells(text[odd])
        text
    }
    cells <- lapply(rows[log_columns], word)
    cells[c("name_i", "name_j")] <- lapply(rows[c("name_i", "name_j")],
                                           quote_cells)
    # a remark of "NA" is no empty cell, also without quotes
    cells$remark <- sub("^\"('*NA\")$", "\"'\\1", word(rows$remark, "^$"),
                        useBytes = TRUE)
    do.call(paste, c(unname(cells), sep = separator))
}

header_line <- function(separator) paste(log_columns, collapse = separator)

# ---- reading -----------------------------------------------------------------

# The contents of the bytes of a file: list(rows, damaged, header, end,
# closing). `rows` have all columns, `superseded` among them; `damaged` is what
# is no row any more; with `header`, `end` of line and `closing`, which ends a
# row that was cut, more rows are added. `file` is its name, for messages.
parse_answers <- function(bytes, file, found = split_records(bytes, file)) {
    begun <- c(utf8_mark, charToRaw(paste0(header_line(","), "\n")))
    if (length(bytes) && length(bytes) < length(begun) &&
        identical(bytes, begun[seq_along(bytes)])) {
        # the first write was cut within the header
        empty <- parse_answers(begun, file)
        empty$closing <- rawToChar(begun[-seq_along(bytes)])
        return(empty)
    }
    headers <- lapply(found$text, read_header)
    heads <- which(lengths(headers) > 0L)
    headers <- headers[heads]
    refuse_if(!1L %in% heads, "`file` must begin with the columns ",
              paste(answer_columns, collapse = ","), ", each once, but \"",
              file, "\" begins with ", describe_value(shorten(from_bytes(
                  c(found$text, "nothing")[1L]), 60L)), ".", class = "answers")
    last <- length(found$text)
    ends <- c(heads[-1L] - 1L, last)
    parts <- Map(function(header, from, to) {
        read_section(found$text[seq_len(to - from) + from], header, file,
                     if (to == last) found)
    }, headers, heads, ends)
    fault <- unlist(lapply(parts, `[[`, "fault"))
    at <- setdiff(seq_len(last), heads)
    bad <- at[!is.na(fault)]
    cut <- grepl(cut_pattern, found$text, useBytes = TRUE)
    cut[last] <- !found$swallowed
    wrong <- bad[!cut[bad]]
    refuse_if(length(wrong), "`file` must contain an answer in every line, ",
              "but line ", found$line[wrong[1L]], " of \"", file, "\" ",
              fault[match(wrong[1L], at)], ".", class = "answers")
    damaged <- if (length(bad)) from_bytes(found$text[bad])
    warn_if(length(bad), "Line ", found$line[bad[1L]],
            if (length(bad) > 1L) paste(" and", length(bad) - 1L, "more"),
            " of \"", file, "\", damaged and left out: ",
            shorten(damaged[1L], 60L), class = "answers")
    closing <- paste0(if (last %in% bad) paste0("\""[found$open], cut_mark),
                      "\n")
    rows <- do.call(rbind, lapply(parts, `[[`, "rows"))
    list(rows = by_time(rows), damaged = damaged,
         header = headers[[length(headers)]], end = found$end,
         closing = if (found$ended) "" else closing)
}

# What is put behind a row that was cut, so that it can never look whole.
cut_mark <- ",#cut"
cut_pattern <- "[,;\t]#cut[,;\t]*$"

# list(rows, fault): the rows below one header, and what is wrong with each
# record, NA for a row.
# `end`: what split_records() says of the end of the file, if these are the
# last.
read_section <- function(text, header, file, end) {
    own <- seq_along(header$columns)
    cells <- split_cells(text, header$separator, length(own))
    # spreadsheets leave out empty cells at the end of a line, and add some
    whole <- rowSums(cells[, -own, drop = FALSE] != "", na.rm = TRUE) == 0 &
        !grepl(cut_pattern, text, useBytes = TRUE)
    last <- nrow(cells)
    if (last && !is.null(end) && (end$open || end$cut)) {
        # the last cell of our rows is never empty; others leave out the mark,
        # and some the end of the last line
        ends <- cells[last, length(own)]
        whole[last] <- whole[last] && !end$open && !is.na(ends) &&
            (ends != "" || !end$marked)
    }
    table <- cells_to_answers(cells[, own, drop = FALSE], header$columns)
    # both columns of times at once: either may tell the day from the month
    times <- c(table$time, table$superseded)
    given <- which(nzchar(times) & whole)
    times[given] <- read_times(times[given], file)
    table$time <- utils::head(times, last)
    table$superseded <- utils::tail(times, last)
    fault <- answer_faults(table)
    fault[is.na(fault) & !whole] <- "has other cells than the header"
    list(rows = typed_answers(table[is.na(fault), ]), fault = fault)
}

# list(separator, columns) of the first record, NULL if it is no header.
# Spreadsheets of many countries save semicolons.
read_header <- function(text) {
    named <- grepl("name_i", text, ignore.case = TRUE, useBytes = TRUE)
    if (!named || !validUTF8(text)) return(NULL)
    for (separator in c(",", ";", "\t")) {
        columns <- from_bytes(as.vector(split_cells(text, separator)))
        lower <- ascii_lower(columns)
        columns <- ifelse(lower %in% names(log_defaults), lower, columns)
        # a header that was cut in its last word, "implied", has another "i"
        columns[intersect(which(columns == "i")[-1L], length(columns))] <- ""
        known <- columns[columns %in% names(log_defaults)]
        if (all(answer_columns %in% known) && !anyDuplicated(known))
            return(list(separator = separator, columns = columns))
    }
}

# The lines of a file as records of text: list(text, line, open, swallowed, cut,
# ended, marked, end), `line` being the numbers of their first lines. A quoted
# name may run over several lines. `open`: the last record has a quote that
# never ends; `swallowed`: and what follows it looks like answers; `cut`: the
# last record does not end; `ended`: the last line does, which may be a note;
# `marked`: with the mark of UTF-8; `end`: how lines end.
split_records <- function(bytes, file) {
    # a character that text has not stands for a carriage return below
    strange <- any(bytes == 0L) || all(as.raw(1:8) %in% bytes)
    refuse_if(strange, "`file` must be a text file, but \"", file,
              "\" contains bytes that are not text",
              if (mean(bytes == 0L) > 0.4) paste(", as UTF-16 (the \"Unicode",
                  "text\" of spreadsheets) does: save it as \"CSV UTF-8\""),
              ".", class = "answers")
    marked <- identical(bytes[seq_len(min(3L, length(bytes)))], utf8_mark)
    text <- rawToChar(if (marked) bytes[-(1:3)] else bytes)
    Encoding(text) <- "bytes"
    end <- line_end(text)
    # a program that changed the ends of all lines changed those in names too
    text <- gsub(end, "\n", text, fixed = TRUE, useBytes = TRUE)
    lines <- strsplit(text, "\n", fixed = TRUE, useBytes = TRUE)[[1L]]
    # the mark is lost where a spreadsheet saves another encoding
    if (!marked) lines <- readable_bytes(lines)
    Encoding(lines) <- "bytes"
    # spreadsheets fill empty lines with separators, and name theirs
    aside <- grepl("^(\"?#|[ \t\r,;]*$|\"?sep=)", lines, useBytes = TRUE)
    bare <- gsub("\"", "", lines, fixed = TRUE, useBytes = TRUE)
    odd <- (nchar(lines, "bytes") - nchar(bare, "bytes")) %% 2 == 1
    record <- integer(length(lines))
    count <- 0L
    open <- FALSE
    for (at in seq_along(lines)) {
        if (open || !aside[at]) {
            count <- count + !open
            record[at] <- count
            open <- xor(open, odd[at])
        }
    }
    ended <- !open && endsWith(text, "\n")
    line <- match(seq_len(count), record)
    rest <- which(record == count & seq_along(lines) > line[count])
    begins <- "^\"?[1-9][0-9]*\"?[,;\t]\"?[1-9][0-9]*\"?[,;\t]"
    list(text = sub("\r$", "", useBytes = TRUE, vapply(
             split(lines, factor(record, seq_len(count))), paste, "",
             collapse = "\n", USE.NAMES = FALSE)), line = line, open = open,
         swallowed = open && any(grepl(begins, lines[rest], useBytes = TRUE)),
         cut = !ended && isTRUE(record[length(lines)] > 0L),
         ended = ended, marked = marked, end = end)
}

line_end <- function(text) {
    ends <- gregexpr("\r?\n", text, useBytes = TRUE)[[1L]]
    old <- ends[1L] < 0L && grepl("\r", text, fixed = TRUE, useBytes = TRUE)
    if (old) return("\r")
    if (all(attr(ends, "match.length") == 2L)) "\r\n" else "\n"
}

# A matrix of the cells without quotes, a row per record, NA where it has no
# more, of at least so many columns.
split_cells <- function(records, separator, columns = 0L) {
    bytes <- charToRaw(paste0(records, "\n", collapse = "", recycle0 = TRUE))
    # for scan() a carriage return ends a line
    instead <- as.raw(setdiff(1:8, as.integer(bytes))[1L])
    bytes[bytes == charToRaw("\r")] <- instead
    read <- function(use, ...) {
        connection <- rawConnection(bytes)
        on.exit(close(connection))
        suppressWarnings(use(connection, sep = separator, quote = "\"",
                             comment.char = "", ...))
    }
    width <- read(utils::count.fields, blank.lines.skip = FALSE)
    # NA: a line within a record
    width <- width[!is.na(width)]
    text <- read(scan, what = "", na.strings = character(), quiet = TRUE,
                 strip.white = TRUE)
    text <- gsub(rawToChar(instead), "\r", text, fixed = TRUE, useBytes = TRUE)
    Encoding(text) <- "bytes"
    cells <- matrix(NA_character_, length(width), max(width, columns))
    cells[cbind(rep(seq_along(width), width), sequence(width))] <- text
    cells
}

# The columns of answers among those of a file, as bytes. Text in other columns
# becomes part of the remark.
cells_to_answers <- function(cells, columns) {
    cells[is.na(cells)] <- ""
    known <- columns %in% names(log_defaults)
    text <- !known | columns %in% c("name_i", "name_j", "source", "rater",
                                    "remark")
    cells[, text] <- guard_formulas(cells[, text], "'", "")
    table <- stats::setNames(as.data.frame(cells), columns)[known]
    for (at in which(!known & colSums(cells != "") > 0)) {
        title <- if (nzchar(columns[at])) paste0(utf8_bytes(columns[at]), ": ")
        first <- table$remark %||% ""
        table$remark <- paste0(
            first, ifelse(first != "" & cells[, at] != "", "; ", ""),
            ifelse(cells[, at] != "", paste0(title, cells[, at]), "")
        )
    }
    lacking <- setdiff(names(log_defaults), names(table))
    table[lacking] <- list(character(nrow(cells)))
    # what write.csv() makes of an empty cell; a sample may have this name
    for (name in names(table)) {
        cells <- table[[name]]
        empty <- cells == "NA"
        if (!name %in% file_names || all(empty | cells == ""))
            table[[name]][empty] <- ""
    }
    table$remark <- sub("^'('*NA)$", "\\1", table$remark, useBytes = TRUE)
    kind <- kind_of_bytes(table$implied)
    table$implied[kind %in% "must-link"] <- "TRUE"
    table$implied[kind %in% "cannot-link"] <- "FALSE"
    # 0.5 as it is written in many countries, and whole numbers as 12.0
    table$confidence <- sub(",", ".", table$confidence, fixed = TRUE,
                            useBytes = TRUE)
    for (name in c("i", "j", "action"))
        table[[name]] <- sub("[.,]0+$", "", table[[name]], useBytes = TRUE)
    table[names(log_defaults)]
}

# What is wrong with each row, NA where it holds an answer: its first column
# without the form of inst/answers.csv.
answer_faults <- function(table) {
    cells <- package_table("answers.csv")
    wrong <- Map(function(name, form) {
        !grepl(form, table[[name]], useBytes = TRUE)
    }, cells$column, cells$form)
    kind <- kind_of_bytes(table$type)
    wrong$type <- is.na(kind)
    wrong$j <- wrong$j | (table$i == table$j) != (kind %in% "name")
    given <- which(!wrong$confidence & table$confidence != "")
    weight <- suppressWarnings(as.numeric(table$confidence[given]))
    wrong$confidence[given] <- !(weight > 0 & weight <= 1) %in% TRUE
    fault <- rep(NA_character_, nrow(table))
    for (name in rev(names(wrong))) {
        at <- which(wrong[[name]])
        held <- quote_each(from_bytes(table[[name]][at]))
        allowed <- cells$allowed[cells$column == name]
        fault[at] <- paste0("has ", held, " in column \"", name, "\", where ",
                            allowed, " is expected", recycle0 = TRUE)
    }
    fault
}

kind_of_bytes <- function(text) {
    kind <- rep(NA_character_, length(text))
    valid <- validUTF8(text)
    kind[valid] <- answer_kind(from_bytes(text[valid]))
    other <- text %in% other_kinds
    kind[other] <- text[other]
    kind
}

# Checked rows with the types that the columns have in R.
typed_answers <- function(table) {
    table$type <- kind_of_bytes(table$type)
    list2DF(Map(function(cells, empty) {
        cells <- from_bytes(cells)
        cells[cells == ""] <- NA
        storage.mode(cells) <- typeof(empty)
        replace(cells, is.na(cells), empty)
    }, table[names(log_defaults)], log_defaults))
}

# ---- checking ----------------------------------------------------------------

# Answers in any form as rows of a log; `about`: list(samples,
# names). Those about samples that are gone are left out, if need be `all`.
check_answers <- function(answers, about, all = FALSE) {
    table <- answer_rows(answers)
    names <- about$names
    if (!is.null(names)) {
        names <- c(names, other_names(table, names, all = TRUE))
    } else if (has_file_names(table)) {
        inform_linkrank("`answers` has sample names and `x` has none, so ",
                        "samples are matched by position.", class = "answers")
    }
    answers <- given_rows(table, max(about$samples, length(names)), names)
    here <- pmax(answers$i, answers$j) <= about$samples
    gone <- sum(!here)
    strange <- list_strange(names[-seq_len(about$samples)], about$names)
    refuse_if(gone && !any(here, all), "The answers belong to other data: ",
              "none is about samples of `x`", strange, ".", class = "answers")
    inform_if(gone, show_number(gone), " of ",
              count_noun(length(here), "answer"),
              if (gone == 1L) " is" else " are",
              " not used, because `x` has no data of their samples", strange,
              ".", class = "answers")
    answers <- join_same_answers(answers[here, ], about)
    answers$action <- action_runs(answers)
    rownames(answers) <- NULL
    answers
}

# A table that a user gives as rows of a log.
given_rows <- function(table, samples, names) {
    said <- as.list(read_pair_table(table, samples, names, "answers", "`x`"))
    check_no_self_pair(said$i, said$j, names)
    none <- replace(log_defaults, c("time", "source"),
                    list(time_now(), "given"))
    for (name in c("time", "source", "shown", "remark")) {
        values <- as.character(table[[name]] %||% none[[name]])
        said[[name]] <- ifelse(values %in% c("", NA), none[[name]], values)
    }
    said$time <- plain_times(said$time)
    odd <- which(is.na(read_times(said$time)))
    refuse_if(length(odd), "`answers` must have times as 2026-01-31T09:30:00Z,
              not {quote_values(said$time[odd[1L]])}.", class = "answers")
    rows <- new_rows(list(names = names), said$i, said$j, said)
    rows$action <- action_runs(rows)
    rows
}

# A pair that was answered several times alike counts once, in its first place;
# unsure counts only where nothing else was said. Answers that differ stay.
join_same_answers <- function(answers, about) {
    key <- paste(pair_key(answers$i, answers$j, about$samples), answers$implied)
    known <- answers$type != "unsure"
    decided <- unique(key[known])
    at <- which(!known & !duplicated(key) & key %in% decided)
    keep <- setdiff(names(answers), c("i", "j", "action"))
    answers[at, keep] <- answers[match(key[at], ifelse(known, key, NA)), keep]
    answers[!duplicated(paste(key, answers$type)) &
                !(answers$type == "unsure" & key %in% decided), ]
}

# ==== the record of a session =================================================

# The answers of a questionnaire are rows of a log, `q$answers`, one for each
# pair in order. An action is what the person said at once: one pair, or, where
# samples are sorted into groups, the pairs of one sample with all members
# shown, in their order; those that only follow from the answer are `implied`. A
# pair that the closure decided has no action. q$step: what the strategy keeps
# of each row.

# Rows about a sample and others; `said`: what is not as in rows that the person
# adds now, one for each of them or for all.
new_rows <- function(q, sample, others, said) {
    rows <- replace(log_defaults, c("i", "j", "source", "rater"), list(
        as.integer(sample), as.integer(others), "person", q$person))
    if (!is.null(q$names))
        rows[c("name_i", "name_j")] <- list(q$names[sample], q$names[others])
    if (is.null(said[["time"]])) rows$time <- next_time(q)
    list2DF(lapply(replace(rows, names(said), said), rep_len, length(others)))
}

# The questionnaire with an answer about the samples `shown`: `said` has a value
# for each pair of the first with another, or one for all. What follows from a
# must-link is what is known of its group, else unsure.
record_answers <- function(q, shown, said, step) {
    asked <- list(action = count_answers(q) + 1L, origin = q$strategy$origin)
    rows <- new_rows(q, shown[1L], shown[-1L], replace(asked, names(said),
                                                       said))
    if (any(rows$implied) && !anyNA(rows$action)) {
        home <- rows$j[rows$type == "must-link" & !rows$implied][1L]
        follows <- relation(q$closure, home, rows$j[rows$implied])
        rows$type[rows$implied] <- ifelse(is.na(follows), "unsure", follows)
    }
    if (!is.null(said$shown))
        rows$origin <- seen_origin(rows$origin, rows$shown)
    # rbind() takes a millisecond
    q$answers <- list2DF(Map(c, q$answers, rows))
    q$step <- c(q$step, rep(list(step), nrow(rows)))
    if (any(rows$type != "unsure")) q$closure <- closure_of_record(q)
    q
}

time_now <- function() format(Sys.time(), time_form, tz = "UTC")

# The time of a new row of the log, never before those that are there: a clock
# that was set back by an hour brought undone answers back.
next_time <- function(q) {
    now <- time_now()
    last <- max(q$answers$time, q$history$time, q$said$time, "")
    if (now < last) later_time(now, last) else now
}

# Times; those before others are the second after these.
later_time <- function(time, than) {
    late <- which(time < than)
    if (!length(late)) return(time)
    time[late] <- plain_times(strptime(than[late], time_form, tz = "UTC") + 1)
    time
}

# Rows of what is decided, first by other people.
known_rows <- function(q) {
    rows <- q$answers[c("i", "j", "type")]
    if (!is.null(q$others)) rows <- rbind(q$others$rows[names(rows)], rows)
    rows[rows$type != "unsure", ]
}

closure_of_record <- function(q) {
    rows <- known_rows(q)
    pair_closure(rows$i, rows$j, rows$type == "must-link", q$samples)
}

# Questions that the person has answered.
count_answers <- function(q) max(q$answers$action, 0L, na.rm = TRUE)

# The remark on an answer, NULL for none.
remark_on <- function(q, number) {
    remark <- q$answers$remark[match(number, q$answers$action)]
    if (!is.na(remark)) remark
}

# The questionnaire with some of its answers only: the strategy begins again,
# and no new pair is chosen.
rebuild <- function(q, kept) {
    q$answers <- q$answers[kept, ]
    q$step <- q$step[kept]
    q$closure <- closure_of_record(q)
    q$state <- q$strategy$start()
    q["pending"] <- list(NULL)
    q$best <- utils::head(q$best, count_answers(q))
    q$stability <- utils::head(q$stability, count_answers(q))
    q
}

# The answers to questions, in order; that all are "given" need not be said.
answers_in <- function(q) {
    rows <- q$answers[!is.na(q$answers$action), ]
    if (all(rows$origin %in% c(NA, "given"))) rows$origin[] <- NA
    rownames(rows) <- NULL
    rows
}

# Without optional columns that say nothing.
drop_unused <- function(answers) {
    used <- vapply(optional_columns, function(name) {
        !all(answers[[name]] %in% c(log_defaults[[name]], NA))
    }, NA)
    used["action"] <- used["action"] && anyDuplicated(answers$action) > 0L
    used["origin"] <- !all(answers$origin %in% c(NA, "given"))
    answers[c(answer_columns, intersect("superseded", names(answers)),
              optional_columns[used])]
}

# ---- names of groups ---------------------------------------------------------

# A group is named by a row of the log about one of its samples; "" takes the
# name away.
name_group <- function(q, sample, name) {
    check_questionnaire(q)
    name <- trimws(name)
    q$history <- rbind(q$history, new_rows(q, sample, sample, list(
        type = "name", remark = if (nzchar(name)) name else NA_character_)))
    q
}

# The name of the group of each of some samples, "" for none.
group_name <- function(q, samples) {
    named <- group_names(q)
    component <- q$closure$component
    name <- named$name[match(component[samples], component[named$sample])]
    ifelse(is.na(name), "", name)
}

# The names in force, data.frame(sample, name): of each group the last, those of
# others first. Samples go by name, if they have one.
group_names <- function(q) {
    rows <- q$history
    rows <- rows[rows$type == "name" & !of_other_raters(rows, q), ]
    named <- names_of_rows(rows, q$names, q$samples)[c("sample", "name")]
    named <- rbind(q$others$group_names, named)
    group <- q$closure$component[named$sample]
    named <- named[!duplicated(group, fromLast = TRUE) & !is.na(named$name), ]
    rownames(named) <- NULL
    named
}
