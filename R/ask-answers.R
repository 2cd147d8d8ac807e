# The answers as a table and as text: CSV with a header, one record per
# question. The text is written and read as bytes, in UTF-8 if possible, so that
# no locale changes a name. ask-file.R handles the file.

answer_columns <- c("i", "j", "name_i", "name_j", "type", "time", "source")

empty_answers <- function() {
    data.frame(i = integer(), j = integer(), name_i = character(),
               name_j = character(), type = character(), time = character(),
               source = character())
}

# ---- writing -----------------------------------------------------------------

# The bytes of a whole file: a record each, the names in quotes; text from a
# file may need quotes too.
answer_bytes <- function(answers, comments = character()) {
    # text that is not plain needs quotes; NA is an empty cell
    word <- function(text) {
        text[is.na(text)] <- ""
        plain <- grepl("^([A-Za-z0-9][A-Za-z0-9 :._-]*)?$", text, useBytes = TRUE)
        text[!plain] <- quote_cells(text[!plain])
        text
    }
    # the time when an answer was superseded is not the last cell: of a file
    # that was cut, it is whole, or the line is damaged
    further <- intersect(c("superseded", optional_columns), names(answers))
    more <- lapply(answers[further],
                   function(column) word(as.character(column)))
    records <- if (nrow(answers)) do.call(paste, c(
        list(answers$i, answers$j, quote_cells(answers$name_i),
             quote_cells(answers$name_j), answers$type, answers$time,
             word(answers$source)), unname(more), sep = ","
    ))
    line_bytes(c(paste(c(answer_columns, further), collapse = ","), records,
                 comments))
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
                       paste(answer_columns, collapse = ","),
                       ", each once, but \"", file, "\" begins with ",
                       describe_value(shorten(from_bytes(
                           c(found$text, "nothing")[1L]), 60L)),
                       ".", class = "answers")
    }
    own <- seq_along(header$columns)
    cells <- split_cells(found$text[-1L], header$separator, length(own))
    last <- nrow(cells)
    # spreadsheets leave out empty cells at the end of a line, and add some
    whole <- rowSums(cells[, -own, drop = FALSE] != "", na.rm = TRUE) == 0
    if (last && (found$open || found$cut && anyNA(cells[last, own]))) {
        whole[last] <- FALSE
    }
    table <- cells_to_answers(cells[, own, drop = FALSE], header$columns)
    table <- plain_file_times(table, whole, file)
    bad <- which(!(whole & are_answers(table)))
    damaged <- NULL
    if (identical(bad, last) && !found$swallowed) {
        damaged <- from_bytes(found$text[bad + 1L])
        warn_linkrank("The last line of \"", file, "\" is damaged and was ",
                      "left out: ", shorten(damaged, 60L), class = "answers")
    } else if (length(bad)) {
        abort_linkrank("`file` must hold an answer in every line, but line ",
                       found$line[bad[1L] + 1L], " of \"", file,
                       "\" does not.", class = "answers")
    }
    list(answers = typed_answers(table[setdiff(seq_len(last), bad), ]),
         comments = found$comments, damaged = damaged)
}

# list(separator, columns) of the first record, NULL if it is no header.
# Spreadsheets of many countries save semicolons.
read_header <- function(text) {
    for (separator in c(",", ";", "\t")) {
        columns <- from_bytes(split_cells(text, separator))
        known <- columns[columns %in% known_columns()]
        if (all(answer_columns %in% known) && !anyDuplicated(known)) {
            return(list(separator = separator, columns = columns))
        }
    }
}

known_columns <- function() {
    c(answer_columns, "superseded", optional_columns)
}

# The lines of a file as records of text: list(text, line, comments, open,
# swallowed, cut), `line` being the numbers of their first lines. A quoted name
# may run over several lines. `open`: the last record has a quote that never
# ends;
# `swallowed`: and what follows it looks like answers; `cut`: the last line does
# not end.
split_records <- function(bytes, file) {
    refuse_if(any(bytes == 0L), "`file` must be a text file, but \"", file,
              "\" holds bytes that are not text.", class = "answers")
    marked <- identical(bytes[seq_len(min(3L, length(bytes)))], utf8_mark)
    text <- rawToChar(if (marked) bytes[-(1:3)] else bytes)
    Encoding(text) <- "bytes"
    text <- plain_line_ends(text)
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
    rest <- which(record == count & seq_along(lines) > line[count])
    begins <- "^\"?[1-9][0-9]*\"?[,;\t]\"?[1-9][0-9]*\"?[,;\t]"
    list(text = sub("\r$", "", useBytes = TRUE, vapply(
             split(lines, factor(record, seq_len(count))), paste, "",
             collapse = "\n", USE.NAMES = FALSE)),
         line = line, open = open,
         comments = lines[record == 0L & grepl("^\"?#", lines, useBytes = TRUE)],
         swallowed = open && any(grepl(begins, lines[rest], useBytes = TRUE)),
         cut = !endsWith(text, "\n"))
}

# A program that changed the ends of all lines changed those within names too.
plain_line_ends <- function(text) {
    ends <- gregexpr("\r?\n", text, useBytes = TRUE)[[1L]]
    if (ends[1L] < 0L) {
        gsub("\r", "\n", text, fixed = TRUE, useBytes = TRUE)
    } else if (all(attr(ends, "match.length") == 2L)) {
        gsub("\r\n", "\n", text, fixed = TRUE, useBytes = TRUE)
    } else {
        text
    }
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
    known <- columns %in% known_columns()
    text <- !known | columns %in% c("name_i", "name_j", "source", "rater",
                                    "remark")
    cells[, text] <- unguard_formulas(cells[, text])
    table <- stats::setNames(as.data.frame(cells), columns)[known]
    for (at in which(!known & colSums(cells != "") > 0)) {
        title <- if (nzchar(columns[at])) paste0(utf8_bytes(columns[at]), ": ")
        first <- table$remark %||% ""
        table$remark <- paste0(
            first, ifelse(first != "" & cells[, at] != "", "; ", ""),
            ifelse(cells[, at] != "", paste0(title, cells[, at]), "")
        )
    }
    table <- table[intersect(known_columns(), names(table))]
    # TRUE and 0.5 as German and French spreadsheets save them
    for (name in intersect(c("repeated", "implied"), columns)) {
        flag <- sub("^(wahr|vrai|true)$", "TRUE", table[[name]], TRUE,
                    useBytes = TRUE)
        table[[name]] <- sub("^(falsch|faux|false)$", "FALSE", flag, TRUE,
                             useBytes = TRUE)
    }
    if (!is.null(table$confidence)) {
        table$confidence <- sub(",", ".", table$confidence, fixed = TRUE,
                                useBytes = TRUE)
    }
    table
}

# Both columns of times at once: either may tell the day from the month.
plain_file_times <- function(table, whole, file) {
    columns <- intersect(c("time", "superseded"), names(table))
    text <- unlist(table[columns], use.names = FALSE)
    given <- which(nzchar(text) & whole)
    text[given] <- read_times(text[given], file)
    # each column, also of no rows
    of <- factor(rep(columns, each = nrow(table)), columns)
    table[columns] <- split(text, of)
    table
}

# Which rows hold an answer?
are_answers <- function(table) {
    number <- "^[1-9][0-9]{0,8}$"
    flag <- "^(TRUE|FALSE)?$"
    forms <- c(i = number, j = number, time = time_pattern, source = ".",
               superseded = paste0("^$|", time_pattern),
               confidence = "^([0-9.]+(e-[0-9]+)?)?$", repeated = flag,
               implied = flag, action = paste0("^$|", number),
               origin = paste0("^(", paste(constraint_origins, collapse = "|"),
                               ")?$"))
    good <- table$i != table$j & !is.na(kind_of_bytes(table$type))
    for (name in intersect(names(forms), names(table))) {
        good <- good & grepl(forms[[name]], table[[name]], useBytes = TRUE)
    }
    weight <- table$confidence
    weight[!good | weight == ""] <- "1"
    weight <- suppressWarnings(as.numeric(weight))
    if (length(weight)) good & (weight > 0 & weight <= 1) %in% TRUE else good
}

kind_of_bytes <- function(text) {
    kind <- rep(NA_character_, length(text))
    valid <- validUTF8(text)
    kind[valid] <- answer_kind(from_bytes(text[valid]))
    kind
}

# Checked rows with the types that the columns have in R.
typed_answers <- function(table) {
    table$type <- kind_of_bytes(table$type)
    table[] <- lapply(table, from_bytes)
    for (name in setdiff(names(table), answer_columns)) {
        table[[name]][table[[name]] == ""] <- NA
    }
    types <- c(list(i = 0L, j = 0L), column_defaults)
    for (name in intersect(names(types), names(table))) {
        storage.mode(table[[name]]) <- typeof(types[[name]])
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
                        "remark", "origin", "shown"), given)
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
    for (name in intersect(c("rater", "remark", "shown"), given)) {
        answers[[name]][answers[[name]] %in% ""] <- NA
    }
    answers$origin <- read_origins(answers, length(answers$i))
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
