# The answers as a table and as text: CSV with a header, one record per
# question. The text is written and read as bytes, in UTF-8 if possible, so that
# no locale changes a name. ask-file.R handles the file.

answer_columns <- c("i", "j", "name_i", "name_j", "type", "time", "source")

answer_header <- function() paste(answer_columns, collapse = ",")

empty_answers <- function() {
    data.frame(i = integer(), j = integer(), name_i = character(),
               name_j = character(), type = character(), time = character(),
               source = character())
}

# ---- writing -----------------------------------------------------------------

# One record each, the names in quotes; text from a file may need quotes too.
format_answers <- function(answers) {
    quoted <- function(text) {
        paste0("\"", gsub("\"", "\"\"", utf8_bytes(text), fixed = TRUE,
                          useBytes = TRUE), "\"")
    }
    if (!nrow(answers)) {
        return(character())
    }
    source <- answers$source
    plain <- grepl("^[A-Za-z0-9 ._-]+$", source, useBytes = TRUE)
    source[!plain] <- quoted(source[!plain])
    paste(answers$i, answers$j, quoted(answers$name_i),
          quoted(answers$name_j), answers$type, answers$time, source,
          sep = ",")
}

# The bytes of a whole file.
answer_bytes <- function(answers, comments = character()) {
    lines <- c(answer_header(), format_answers(answers), comments)
    unlist(lapply(lines, function(line) c(charToRaw(line), as.raw(10L))))
}

# Text as UTF-8, marked as bytes, which no function translates; bytes that are
# not valid in this locale are not changed.
utf8_bytes <- function(text) {
    text <- as.character(text)
    marked <- Encoding(text) %in% c("latin1", "UTF-8")
    text[marked] <- enc2utf8(text[marked])
    native <- which(Encoding(text) == "unknown")
    said <- iconv(text[native], "", "UTF-8")
    text[native] <- ifelse(is.na(said), text[native], said)
    Encoding(text) <- "bytes"
    text
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
    header <- found$text[1L]
    if (!length(found$text) ||
        gsub("[\" ]", "", header, useBytes = TRUE) != answer_header()) {
        abort_linkrank("`file` must begin with the columns ",
                       answer_header(), ", but \"", file, "\" begins with ",
                       describe_value(shorten(from_bytes(
                           c(found$text, "nothing")[1L]), 60L)),
                       ".", class = "answers")
    }
    cells <- split_cells(found$text[-1L])
    bad <- which(vapply(cells, is.null, NA))
    damaged <- NULL
    if (length(bad) == 1L && bad == length(cells) && !found$swallowed) {
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

# list(text, line, comments, swallowed): the records with the numbers of their
# first lines; a quoted name may run over several lines. `swallowed`: the last
# one has a quote that never ends, and what follows it looks like answers.
split_records <- function(bytes, file) {
    if (any(bytes == 0L)) {
        abort_linkrank("`file` must be a text file, but \"", file,
                       "\" holds bytes that are not text.", class = "answers")
    }
    text <- rawToChar(bytes)
    Encoding(text) <- "bytes"
    text <- sub("^\xef\xbb\xbf", "", text, useBytes = TRUE)
    lines <- strsplit(text, "\n", fixed = TRUE, useBytes = TRUE)[[1L]]
    aside <- grepl("^(#|[ \t\r]*$)", lines, useBytes = TRUE)
    odd <- count_quotes(lines) %% 2 == 1
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
         comments = lines[record == 0L & grepl("^#", lines, useBytes = TRUE)],
         swallowed = open && any(grepl("^[1-9][0-9]*,[1-9][0-9]*,",
                                       lines[rest], useBytes = TRUE)))
}

count_quotes <- function(text) {
    bare <- gsub("\"", "", text, fixed = TRUE, useBytes = TRUE)
    nchar(text, "bytes") - nchar(bare, "bytes")
}

# For each record its seven cells, NULL if it is not an answer.
split_cells <- function(records) {
    cell <- "[ \t]*(\"(?:[^\"]|\"\")*\"|[^\",]*?)[ \t]*"
    pattern <- paste0("\\A", paste(rep(cell, 7L), collapse = ","), "\\z")
    match <- regexec(pattern, records, perl = TRUE, useBytes = TRUE)
    lapply(seq_along(records), function(at) {
        start <- match[[at]][-1L]
        if (!length(start)) {
            return(NULL)
        }
        end <- start + attr(match[[at]], "match.length")[-1L] - 1L
        check_cells_of_answer(cut_cells(records[at], start, end))
    })
}

# Parts of one record, without the quotes round them.
cut_cells <- function(record, start, end) {
    bytes <- charToRaw(record)
    cells <- vapply(seq_along(start), function(k) {
        rawToChar(bytes[seq_len(end[k] - start[k] + 1L) + start[k] - 1L])
    }, "")
    Encoding(cells) <- "bytes"
    quoted <- startsWith(cells, "\"")
    inner <- sub("^\"(.*)\"$", "\\1", cells[quoted], useBytes = TRUE)
    cells[quoted] <- gsub("\"\"", "\"", inner, fixed = TRUE, useBytes = TRUE)
    cells
}

time_pattern <- "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z$"

check_cells_of_answer <- function(cells) {
    whole <- grepl("^[1-9][0-9]{0,8}$", cells[1:2])
    good <- all(whole) && cells[1L] != cells[2L] &&
        cells[5L] %in% answer_choices && nzchar(cells[7L]) &&
        grepl(time_pattern, cells[6L])
    if (good) cells
}

cells_to_answers <- function(cells) {
    column <- function(k) from_bytes(vapply(cells, `[`, "", k))
    data.frame(i = as.integer(column(1L)), j = as.integer(column(2L)),
               name_i = column(3L), name_j = column(4L), type = column(5L),
               time = column(6L), source = column(7L))
}

# ---- checking ----------------------------------------------------------------

# Checks answers given to a questionnaire as strictly as those of a file.
# `about`: list(samples, names).
check_answer_table <- function(answers, about) {
    if (!is.data.frame(answers) || !all(answer_columns %in% names(answers))) {
        abort_linkrank("`answers` must be a data.frame with the columns ",
                       answer_header(), ", as read_answers() returns, not ",
                       describe_class(answers), ".", class = "answers")
    }
    answers <- as.list(answers)[answer_columns]
    for (column in c("i", "j")) {
        answers[[column]] <- check_answer_numbers(answers[[column]], column,
                                                  about$samples)
    }
    answers[-(1:2)] <- lapply(answers[-(1:2)], function(text) {
        if (is.factor(text) || is.logical(text)) as.character(text) else text
    })
    for (name in c("name_i", "name_j")) {
        # a column of empty names comes back as NA from read.csv()
        answers[[name]][is.na(answers[[name]])] <- ""
    }
    check_answer_words(answers)
    check_answer_names(answers, about)
    key <- pair_key(answers$i, answers$j, about$samples)
    # a pair that was answered again keeps its first position and last answer
    last <- !duplicated(key, fromLast = TRUE)
    kept <- !duplicated(key)
    answers <- as.data.frame(answers)
    said <- c("type", "time", "source")
    answers[kept, said] <- answers[last, said][match(key[kept], key[last]), ]
    answers <- answers[kept, ]
    rownames(answers) <- NULL
    answers
}

check_answer_numbers <- function(numbers, column, samples) {
    if (!is.numeric(numbers)) {
        abort_linkrank("`answers` must have row numbers in the column `",
                       column, "`, but it is ", describe_class(numbers), ".",
                       class = "answers")
    }
    bad <- which(!is.finite(numbers) | numbers < 1 |
                     numbers != floor(numbers))
    if (length(bad)) {
        abort_linkrank("`answers` must have row numbers in the column `",
                       column, "`, but answer ", bad[1L], " has ",
                       describe_value(numbers[bad[1L]]), ".",
                       class = "answers")
    }
    outside <- which(numbers > samples)
    if (length(outside)) {
        abort_linkrank("The answers refer to sample ",
                       show_number(numbers[outside[1L]]), ", but `x` has ",
                       samples, " samples.", class = "answers")
    }
    as.integer(numbers)
}

check_answer_words <- function(answers) {
    self <- which(answers$i == answers$j)
    if (length(self)) {
        abort_linkrank("`answers` must be about two different samples, but ",
                       "answer ", self[1L], " is about sample ",
                       answers$i[self[1L]], " twice.", class = "answers")
    }
    refuse <- function(column, wanted, good) {
        bad <- which(!good)
        if (length(bad)) {
            abort_linkrank("`answers` must have ", wanted, " in the column `",
                           column, "`, but answer ", bad[1L], " has ",
                           describe_value(answers[[column]][bad[1L]]), ".",
                           class = "answers")
        }
    }
    refuse("type", quote_values(answer_choices),
           answers$type %in% answer_choices)
    refuse("time", "times as 2026-01-31T09:30:00Z",
           grepl(time_pattern, answers$time))
    refuse("source", "a word", !is.na(answers$source) &
               nzchar(answers$source))
}

check_answer_names <- function(answers, about) {
    samples <- c(answers$i, answers$j)
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
