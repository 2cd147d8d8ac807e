# The answers as a table and as text: CSV with a header, one record per
# question. The text is written and read as bytes, in UTF-8 if possible, so that
# no locale changes a name. ask-file.R handles the file.

answer_columns <- c("i", "j", "name_i", "name_j", "type", "time", "source")

answer_header <- function(columns = answer_columns) {
    paste(columns, collapse = ",")
}

empty_answers <- function() {
    data.frame(i = integer(), j = integer(), name_i = character(),
               name_j = character(), type = character(), time = character(),
               source = character())
}

# ---- writing -----------------------------------------------------------------

# The bytes of a whole file: a record each, the names in quotes; text from a file
# may need quotes too.
answer_bytes <- function(answers, comments = character()) {
    # text that is not plain needs quotes; NA is an empty cell
    word <- function(text) {
        text[is.na(text)] <- ""
        plain <- grepl("^([A-Za-z0-9][A-Za-z0-9 :._-]*)?$", text, useBytes = TRUE)
        text[!plain] <- quote_cells(text[!plain])
        text
    }
    # the time when an answer was superseded is not the last cell: of a file that
    # was cut, it is whole, or the line is damaged
    further <- intersect(c("superseded", optional_columns), names(answers))
    more <- lapply(answers[further],
                   function(column) word(as.character(column)))
    records <- if (nrow(answers)) do.call(paste, c(
        list(answers$i, answers$j, quote_cells(answers$name_i),
             quote_cells(answers$name_j), answers$type, answers$time,
             word(answers$source)), unname(more), sep = ","
    ))
    line_bytes(c(answer_header(c(answer_columns, further)), records, comments))
}

# Bytes from a file as text.
from_bytes <- function(text) {
    Encoding(text) <- "unknown"
    valid <- validUTF8(text)
    Encoding(text[valid]) <- "UTF-8"
    text
}

# ---- reading -----------------------------------------------------------------

# list(answers, comments, damaged): the contents of the bytes of a file. `file`
# is its name, for messages.
parse_answers <- function(bytes, file) {
    found <- split_records(bytes, file)
    header <- read_header(found$text[1L])
    if (is.null(header)) {
        abort_linkrank("`file` must begin with the columns ",
                       answer_header(), ", each once, but \"", file,
                       "\" begins with ",
                       describe_value(shorten(from_bytes(
                           c(found$text, "nothing")[1L]), 60L)),
                       ".", class = "answers")
    }
    cells <- split_cells(found$text[-1L], header$separator)
    last <- length(cells)
    cells <- lapply(seq_along(cells), function(at) {
        fit_cells(cells[[at]], header$columns, found$cut && at == last)
    })
    # Those of all records, NULL for what is not an answer.
    whole <- which(!vapply(cells, is.null, NA))
    # both columns at once: either may tell the day from the month
    times <- lapply(cells[whole], function(one) {
        one <- one[names(one) %in% c("time", "superseded")]
        one[nzchar(one)]
    })
    read <- split(read_times(unlist(times), file),
                  rep(seq_along(times), lengths(times)))
    for (k in as.integer(names(read))) {
        cells[[whole[k]]][names(times[[k]])] <- read[[as.character(k)]]
    }
    cells <- lapply(cells,
                    function(one) if (!is.null(one)) check_cells_of_answer(one))
    bad <- which(vapply(cells, is.null, NA))
    damaged <- NULL
    if (length(bad) == 1L && bad == last && !found$swallowed) {
        damaged <- from_bytes(found$text[bad + 1L])
        cells <- cells[-bad]
        warn_linkrank("The last line of \"", file, "\" is damaged and was ",
                      "left out: ", shorten(damaged, 60L), class = "answers")
    } else if (length(bad)) {
        abort_linkrank("`file` must hold an answer in every line, but line ",
                       found$line[bad[1L] + 1L], " of \"", file,
                       "\" does not.", class = "answers")
    }
    list(answers = cells_to_answers(cells), comments = found$comments,
         damaged = damaged)
}

# list(separator, columns) of the first record, NULL if it is no header.
# Spreadsheets of many countries save semicolons.
read_header <- function(text) {
    for (separator in c(",", ";", "\t")) {
        columns <- from_bytes(c("", unlist(split_cells(text, separator))))[-1L]
        known <- columns[columns %in% c(answer_columns, "superseded",
                                        optional_columns)]
        if (all(answer_columns %in% known) && !anyDuplicated(known)) {
            return(list(separator = separator, columns = columns))
        }
    }
}

# list(text, line, comments, swallowed, cut): the records with the numbers of
# their first lines; a quoted name may run over several lines. `swallowed`: the
# last one has a quote that never ends, and what follows it looks like answers.
# `cut`: the last line does not end.
split_records <- function(bytes, file) {
    refuse_if(any(bytes == 0L), "`file` must be a text file, but \"", file,
              "\" holds bytes that are not text.", class = "answers")
    marked <- identical(bytes[seq_len(min(3L, length(bytes)))], utf8_mark)
    text <- rawToChar(if (marked) bytes[-(1:3)] else bytes)
    Encoding(text) <- "bytes"
    text <- plain_line_ends(text)
    cut <- !endsWith(text, "\n")
    lines <- strsplit(text, "\n", fixed = TRUE, useBytes = TRUE)[[1L]]
    # spreadsheets fill empty lines with separators
    aside <- grepl("^(\"?#|[ \t\r,;]*$)", lines, useBytes = TRUE)
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
    line <- match(seq_len(count), record)
    text <- vapply(split(lines, factor(record, seq_len(count))), paste, "",
                   collapse = "\n", USE.NAMES = FALSE)
    rest <- which(record == count & seq_along(lines) > line[count])
    list(text = sub("\r$", "", text, useBytes = TRUE), line = line,
         comments = lines[record == 0L & grepl("^\"?#", lines, useBytes = TRUE)],
         swallowed = open && any(grepl(
             "^\"?[1-9][0-9]*\"?[,;\t]\"?[1-9][0-9]*\"?[,;\t]", lines[rest],
             useBytes = TRUE)),
         cut = cut)
}

# A program that changed the ends of all lines changed those within names too.
plain_line_ends <- function(text) {
    count <- function(what) {
        sum(gregexpr(what, text, fixed = TRUE, useBytes = TRUE)[[1L]] > 0L)
    }
    ends <- count("\n")
    if (!ends) {
        gsub("\r", "\n", text, fixed = TRUE, useBytes = TRUE)
    } else if (count("\r\n") == ends) {
        gsub("\r\n", "\n", text, fixed = TRUE, useBytes = TRUE)
    } else {
        text
    }
}

# For each record its cells without quotes, NULL where a quote is out of place.
split_cells <- function(records, separator) {
    if (!length(records)) {
        return(list())
    }
    blank <- if (separator == "\t") " *" else "[ \t]*"
    pattern <- paste0("\\G", blank, "(\"(?:[^\"]|\"\")*\"|[^\"", separator,
                      "]*?)", blank, separator)
    records <- paste0(records, separator)
    # places are those of bytes
    Encoding(records) <- "bytes"
    match <- gregexpr(pattern, records, perl = TRUE, useBytes = TRUE)
    lapply(seq_along(records), function(at) {
        length <- attr(match[[at]], "match.length")
        if (sum(length) == nchar(records[at], "bytes")) {
            start <- attr(match[[at]], "capture.start")
            unquote(substring(records[at], start, start + attr(
                match[[at]], "capture.length") - 1L))
        }
    })
}

unquote <- function(cells) {
    quoted <- startsWith(cells, "\"")
    inner <- substring(cells[quoted], 2L, nchar(cells[quoted], "bytes") - 1L)
    cells[quoted] <- gsub("\"\"", "\"", inner, fixed = TRUE, useBytes = TRUE)
    cells
}

# The cells of one record by column, NULL if they do not fit. Spreadsheets add
# and leave out empty cells at the end of a line. Text in columns that are not
# those of answers becomes part of the remark.
fit_cells <- function(cells, columns, cut) {
    count <- length(cells)
    more <- cells[seq_len(count) > length(columns)]
    if (!count || any(nzchar(more)) || cut && count < length(columns)) {
        return(NULL)
    }
    cells <- stats::setNames(c(cells, rep("", length(columns)))[
        seq_along(columns)], columns)
    text <- names(cells) %in% c("name_i", "name_j", "source", "rater", "remark")
    cells[text] <- unguard_formulas(cells[text])
    # TRUE and 0.5 as German and French spreadsheets save them.
    yes <- names(cells) %in% c("repeated", "implied")
    is <- function(words) {
        grepl(paste0("^(", words, ")$"), cells, TRUE, useBytes = TRUE)
    }
    cells[yes & is("true|wahr|vrai")] <- "TRUE"
    cells[yes & is("false|falsch|faux")] <- "FALSE"
    number <- names(cells) == "confidence"
    cells[number] <- sub(",", ".", cells[number], fixed = TRUE,
                         useBytes = TRUE)
    known <- names(cells) %in% c(answer_columns, "superseded",
                                 optional_columns)
    other <- unguard_formulas(cells[!known & nzchar(cells)])
    if (length(other)) {
        named <- nzchar(names(other))
        other[named] <- paste0(utf8_bytes(names(other)[named]), ": ",
                               other[named])
        remark <- c(cells[names(cells) == "remark"], other)
        remark <- paste(remark[nzchar(remark)], collapse = "; ")
        Encoding(remark) <- "bytes"
        cells[["remark"]] <- remark
    }
    cells[names(cells) %in% c(answer_columns, "superseded", optional_columns)]
}

check_cells_of_answer <- function(cells) {
    whole <- "^[1-9][0-9]{0,8}$"
    given <- function(column) {
        if (column %in% names(cells) && nzchar(cells[column])) cells[column]
    }
    if (!all(validUTF8(cells[names(cells) %in% c("type", "confidence")]))) {
        return(NULL)
    }
    cells["type"] <- answer_kind(from_bytes(cells["type"]))
    weight <- suppressWarnings(as.numeric(given("confidence")))
    good <- all(grepl(whole, cells[c("i", "j")])) &&
        cells["i"] != cells["j"] && cells["type"] %in% answer_choices &&
        nzchar(cells["source"]) && grepl(time_pattern, cells["time"]) &&
        all(grepl(time_pattern, given("superseded"))) &&
        all(weight > 0 & weight <= 1) %in% TRUE &&
        all(c(given("repeated"), given("implied")) %in% c("TRUE", "FALSE")) &&
        all(grepl(whole, given("action"))) &&
        all(given("origin") %in% constraint_origins)
    if (good) cells
}

cells_to_answers <- function(cells) {
    names <- unique(unlist(lapply(cells, names)))
    columns <- c(answer_columns, intersect(c("superseded", optional_columns),
                                           names))
    table <- as.data.frame(lapply(stats::setNames(nm = columns), function(k) {
        from_bytes(vapply(cells, function(one) {
            if (k %in% names(one)) one[[k]] else ""
        }, ""))
    }))
    for (name in setdiff(columns, answer_columns)) {
        table[[name]][table[[name]] == ""] <- NA
    }
    kinds <- c(i = "integer", j = "integer", confidence = "double",
               repeated = "logical", action = "integer",
               implied = "logical")
    for (name in intersect(names(kinds), columns)) {
        storage.mode(table[[name]]) <- kinds[[name]]
    }
    table
}

# ---- checking ----------------------------------------------------------------

# Checks answers given to a questionnaire as strictly as those of a file.
# `about`: list(samples, names). The rows of the result are about samples that
# exist; attribute `others`: those about samples that are gone.
check_answer_table <- function(answers, about) {
    if (!is.data.frame(answers) || !all(answer_columns %in% names(answers))) {
        abort_class(answers, "`answers` must be constraints or a table of ",
                    "answers, as read_answers() returns", class = "answers")
    }
    answers <- plain_answers(in_force(answers))
    others <- empty_answers()
    at <- match_answer_names(answers, about)
    if (is.null(at)) {
        check_answer_names(answers, about)
    } else {
        here <- !is.na(at$i) & !is.na(at$j)
        others <- answers[!here, ]
        answers[c("i", "j")] <- at
        answers <- answers[here, ]
    }
    self <- which(answers$i == answers$j)
    refuse_if(length(self), "`answers` must be about two different samples, ",
              "but answer ", self[1L], " is about sample ", answers$i[self[1L]],
              " twice.", class = "answers")
    refuse <- function(column, wanted, good) {
        bad <- which(!good)
        refuse_if(length(bad), "`answers` must have ", wanted, " in the ",
                  "column `", column, "`, but answer ", bad[1L], " has ",
                  describe_value(answers[[column]][bad[1L]]), ".",
                  class = "answers")
    }
    refuse("type", quote_values(answer_choices),
           answers$type %in% answer_choices)
    refuse("time", "times as 2026-01-31T09:30:00Z",
           grepl(time_pattern, answers$time))
    refuse("source", "a word", !is.na(answers$source) &
               nzchar(answers$source))
    answers <- drop_unused(join_same_answers(all_columns(answers), about))
    rownames(answers) <- NULL
    if (nrow(others)) attr(answers, "others") <- others
    answers
}

# The columns of a table of answers with the types that they have in a file.
plain_answers <- function(answers) {
    given <- intersect(c(answer_columns, optional_columns), names(answers))
    answers <- as.list(answers)[given]
    for (column in c("i", "j")) {
        answers[[column]] <- check_answer_numbers(answers[[column]], column)
    }
    text <- intersect(c("name_i", "name_j", "type", "source", "rater",
                        "remark", "origin"), given)
    answers[text] <- lapply(answers[text], function(text) {
        if (is.factor(text) || is.logical(text)) as.character(text) else text
    })
    for (name in c("name_i", "name_j")) {
        # a column of empty names comes back as NA from read.csv()
        answers[[name]][is.na(answers[[name]])] <- ""
    }
    answers$time <- plain_times(answers$time)
    kind <- answer_kind(answers$type)
    answers$type <- ifelse(is.na(kind), as.character(answers$type), kind)
    for (name in intersect(c("rater", "remark"), given)) {
        answers[[name]][answers[[name]] %in% ""] <- NA
    }
    if (!is.null(answers$origin)) {
        answers$origin <- read_origins(answers$origin, length(answers$i))
    }
    if (!is.null(answers$confidence)) {
        answers$confidence <- read_confidence(answers$confidence,
                                              length(answers$i))
    }
    as.data.frame(answers)
}

# Numbers in the data of the samples that are named there: list(i, j), NA for a
# name that is gone. NULL if they are the numbers in the table, or if the table
# or the data have no names.
match_answer_names <- function(answers, about) {
    if (is.null(about$names) || !nrow(answers) ||
        any(answers$name_i == "" | answers$name_j == "")) {
        return(NULL)
    }
    names <- utf8_bytes(about$names)
    at <- list(i = match(utf8_bytes(answers$name_i), names),
               j = match(utf8_bytes(answers$name_j), names))
    gone <- sum(is.na(at$i) | is.na(at$j))
    # files of other data are refused by check_answer_names()
    if (gone == nrow(answers) || identical(at, as.list(answers[c("i", "j")]))) {
        return(NULL)
    }
    if (gone) {
        inform_linkrank(show_number(gone), " of ",
                        count_noun(nrow(answers), "answer"),
                        if (gone == 1L) " is" else " are",
                        " not used, because `x` lacks their samples.",
                        class = "answers")
    }
    at
}

# A pair that was answered several times alike counts once, in its first place;
# unsure counts only where nothing else was said. Answers that differ stay.
join_same_answers <- function(answers, about) {
    key <- paste(pair_key(answers$i, answers$j, about$samples),
                 answers$repeated, answers$implied)
    known <- answers$type != "unsure"
    decided <- unique(key[known])
    for (at in which(!known & !duplicated(key) & key %in% decided)) {
        same <- which(known & key == key[at])[1L]
        keep <- setdiff(names(answers), c("i", "j", "action"))
        answers[at, keep] <- answers[same, keep]
    }
    answers[!duplicated(paste(key, answers$type)) &
                !(answers$type == "unsure" & key %in% decided), ]
}

check_answer_numbers <- function(numbers, column) {
    refuse_if(!is.numeric(numbers),
              "`answers` must have row numbers in the column `", column, "`, ",
              "but it is ", describe_class(numbers), ".", class = "answers")
    bad <- which(!is.finite(numbers) | numbers < 1 |
                     numbers != floor(numbers))
    refuse_if(length(bad), "`answers` must have row numbers in the column `",
              column, "`, but answer ", bad[1L], " has ",
              describe_value(numbers[bad[1L]]), ".", class = "answers")
    as.integer(numbers)
}

check_answer_names <- function(answers, about) {
    samples <- c(answers$i, answers$j)
    outside <- samples[samples > about$samples]
    refuse_if(length(outside),
              "The answers refer to sample ", show_number(outside[1L]), ", ",
              "but `x` has ", about$samples, " samples.", class = "answers")
    given <- c(answers$name_i, answers$name_j)
    expected <- if (is.null(about$names)) rep("", length(given)) else
        about$names[samples]
    other <- which(utf8_bytes(given) != utf8_bytes(expected))
    if (length(other)) {
        at <- other[1L]
        show <- function(name) if (name == "") "without a name" else
            quote_values(name)
        abort_linkrank("The answers belong to other data: sample ", samples[at],
                       " is ", show(given[at]), " there and ",
                       show(expected[at]), " in `x`.", class = "answers")
    }
}
