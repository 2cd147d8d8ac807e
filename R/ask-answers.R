# The file of answers: CSV with a header, one line per question.

answer_columns <- c("i", "j", "name_i", "name_j", "type", "time", "source")

#' @rdname questionnaire
#' @export
write_answers <- function(questionnaire, file) {
    answers <- if (inherits(questionnaire, "active_constraints")) {
        asked <- questionnaire$questions[!questionnaire$questions$implied, ]
        asked[answer_columns]
    } else {
        answer_table(check_questionnaire(questionnaire))
    }
    check_file_name(file)
    replace_file(file, c(answer_header(), format_answers(answers)))
    invisible(file)
}

check_file_name <- function(file) {
    if (!is.character(file) || length(file) != 1L || is.na(file) ||
        file == "") {
        abort_linkrank("`file` must be the name of a file, not ",
                       describe_value(file), ".", class = "argument")
    }
    file
}

answer_header <- function() paste(answer_columns, collapse = ",")

# One line each, text in quotes.
format_answers <- function(answers) {
    quoted <- function(text) paste0("\"", gsub("\"", "\"\"", text), "\"")
    if (!nrow(answers)) {
        return(character())
    }
    paste(answers$i, answers$j, quoted(answers$name_i),
          quoted(answers$name_j), answers$type, answers$time, answers$source,
          sep = ",")
}

# By way of a file beside it: whoever is killed leaves the old or the new one.
replace_file <- function(file, lines) {
    beside <- paste0(file, ".new")
    connection <- file(beside, "w", encoding = "UTF-8")
    writeLines(lines, connection)
    close(connection)
    if (!file.rename(beside, file)) {
        abort_linkrank("`file` must be the name of a file that can be ",
                       "written, but \"", file, "\" cannot.",
                       class = "argument")
    }
}

# One more line, on disk when this returns.
append_answer <- function(file, answer) {
    connection <- file(file, "a", encoding = "UTF-8")
    on.exit(close(connection))
    writeLines(format_answers(answer), connection)
    flush(connection)
}

#' @rdname questionnaire
#' @export
read_answers <- function(file) {
    check_file_name(file)
    if (!file.exists(file)) {
        abort_linkrank("`file` must be the name of a file of answers, but \"",
                       file, "\" does not exist.", class = "answers")
    }
    lines <- readLines(file, warn = FALSE, encoding = "UTF-8")
    number <- seq_along(lines)
    number <- number[!grepl("^#", lines) & nzchar(trimws(lines))]
    lines <- lines[number]
    if (!length(lines) || gsub("[\" ]", "", lines[1L]) != answer_header()) {
        abort_linkrank("`file` must begin with the columns ",
                       answer_header(), ", but \"", file, "\" begins with ",
                       describe_value(shorten(c(lines, "nothing")[1L], 60L)),
                       ".", class = "answers")
    }
    rows <- lapply(lines[-1L], parse_answer)
    bad <- which(vapply(rows, is.null, NA))
    damaged <- NULL
    if (length(bad) == 1L && bad == length(rows)) {
        damaged <- lines[length(lines)]
        rows <- rows[-bad]
        warn_linkrank("The last line of \"", file, "\" is damaged and was ",
                      "left out: ", shorten(damaged, 60L), class = "answers")
    } else if (length(bad)) {
        abort_linkrank("`file` must hold an answer in every line, but line ",
                       number[bad[1L] + 1L], " of \"", file, "\" does not.",
                       class = "answers")
    }
    answers <- do.call(rbind, c(list(empty_answers()), rows))
    attr(answers, "damaged") <- damaged
    answers
}

empty_answers <- function() {
    data.frame(i = integer(), j = integer(), name_i = character(),
               name_j = character(), type = character(), time = character(),
               source = character())
}

# One line as a row; NULL when it is none.
parse_answer <- function(line) {
    cells <- tryCatch(
        scan(text = line, what = "", sep = ",", quote = "\"", quiet = TRUE,
             na.strings = character(), strip.white = TRUE),
        error = function(condition) character(),
        warning = function(condition) character()
    )
    whole <- grepl("^[1-9][0-9]{0,8}$", cells[1:2])
    if (length(cells) != 7L || !all(whole) || cells[1L] == cells[2L] ||
        !cells[5L] %in% answer_choices || !nzchar(cells[7L]) ||
        !grepl("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z$", cells[6L])) {
        return(NULL)
    }
    data.frame(i = as.integer(cells[1L]), j = as.integer(cells[2L]),
               name_i = cells[3L], name_j = cells[4L], type = cells[5L],
               time = cells[6L], source = cells[7L])
}

# Answers that a questionnaire is to go on from.
check_answer_table <- function(answers, q) {
    if (!is.data.frame(answers) || !all(answer_columns %in% names(answers))) {
        abort_linkrank("`answers` must be a data.frame with the columns ",
                       answer_header(), ", as read_answers() returns, not ",
                       describe_class(answers), ".", class = "answers")
    }
    ends <- c(answers$i, answers$j)
    outside <- which(is.na(ends) | ends < 1 | ends > q$samples)
    if (length(outside)) {
        abort_linkrank("The answers refer to sample ", ends[outside[1L]],
                       ", but `x` has ", q$samples, " samples.",
                       class = "answers")
    }
    given <- c(answers$name_i, answers$name_j)
    expected <- if (is.null(q$names)) rep("", length(given)) else q$names[ends]
    other <- which(given != expected)
    if (length(other)) {
        at <- other[1L]
        show <- function(name) if (name == "") "without a name" else
            quote_values(name)
        abort_linkrank("The answers belong to other data: sample ", ends[at],
                       " is ", show(given[at]), " there and ",
                       show(expected[at]), " in `x`.", class = "answers")
    }
    key <- pair_key(answers$i, answers$j, q$samples)
    # a pair answered again counts as answered last, in its first place
    last <- !duplicated(key, fromLast = TRUE)
    kept <- !duplicated(key)
    answers$type[kept] <- answers$type[last][match(key[kept], key[last])]
    answers[kept, answer_columns]
}
