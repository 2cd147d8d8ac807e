# Oracles. Inside, an oracle is a list:
#
#   hint          should the questionnaire follow the ranking?
#   file          where the answers are, or NULL
#   begin(q, x)   the questionnaire before the first question, with earlier
#                 answers
#   ask(q, x)     the questionnaire after one more answer (or another change),
#                 NULL to stop

as_oracle <- function(oracle, samples) {
    check_given(oracle, "who answers, as console_oracle() or class labels")
    if (inherits(oracle, "console_oracle")) {
        return(unclass(oracle))
    }
    if (is.function(oracle)) {
        return(function_oracle(oracle, "function"))
    }
    if (is.null(oracle) || is.list(oracle)) {
        abort_linkrank("`oracle` must be a function, a vector of labels or ",
                       "console_oracle(), not ", describe_class(oracle), ".",
                       class = "argument")
    }
    labels <- as.integer(as_class_labels(oracle, "oracle"))
    match_length(labels, samples, "oracle")
    function_oracle(function(i, j) {
        same <- labels[i] == labels[j]
        if (is.na(same)) NA else if (same) "must-link" else "cannot-link"
    }, "labels")
}

function_oracle <- function(answer, source) {
    list(hint = FALSE, begin = function(q, x) advance(q),
         ask = function(q, x) {
             if (is.null(q$pending)) {
                 return(NULL)
             }
             pair <- q$pending
             given <- check_answer(answer(pair[1L], pair[2L]),
                                   "What `oracle` returns")
             answer_pair(q, given, source = source)
         })
}

#' Ask a person at the R prompt (oracle)
#'
#' An oracle for [active_constraints()] that shows two samples and asks whether
#' they are of the same kind. With `file`, every answer is saved to disk before
#' the next question is shown. If R ends for any reason, the same call continues
#' with the next question.
#'
#' @param describe `NULL`, or a function of two row numbers that prints a
#'   description of the two samples or returns it as lines. The default shows
#'   their names, the columns named in `show`, and the three features in which
#'   they differ most, see Details.
#' @param file Name of the file of answers (CSV, see [read_answers()]), or
#'   `NULL` to keep none. Questions that the file already answers are not asked
#'   again.
#' @param input `NULL` to read from the R prompt, or a connection to read the
#'   keys from, one line each, such as `file("stdin")` in a script.
#' @param hint Print a note when the last answers did not change the ranking?
#' @param show Names of columns of `colData()` or `pData()` to show for each
#'   sample. None by default, because a column of labels would reveal the
#'   answer.
#'
#' @return An oracle for [active_constraints()].
#'
#' @details The keys, each followed by Enter; capital letters and whole words
#' also work:
#'
#' | key | meaning |
#' | --- | --- |
#' | `y`, `yes`, `same` | the same kind (must-link) |
#' | `n`, `no`, `different` | different kinds (cannot-link) |
#' | `u`, `?`, `unsure` | unsure |
#' | `z`, `undo` | undo the last answer and ask it again |
#' | `l`, `list` | list the answers; a number then changes one |
#' | `q`, `quit` | save and quit; also the end of `input` |
#'
#' [questionnaire_app()] has the same keys. A changed answer that contradicts
#' others is refused. The chain that contradicts it is shown, and any answer in
#' it can be changed instead or as well. After three answers that hardly changed
#' the ranking by [relieff_sc()], a line says that you may stop. Ctrl-C acts
#' like `q`, with a warning.
#'
#' *The features shown* are those in which the two samples differ much, relative
#' to the spread among their neighbours. The measure is the difference of the
#' two samples, or of the means of their neighbourhoods (each with its 7 nearest
#' samples) if that is smaller, divided by the standard deviation within the
#' neighbourhoods plus its median over the features. A feature that only one
#' sample has is not shown. Answers based on these features add nothing new to
#' the data; use other knowledge of the samples, or show it by `describe`.
#'
#' *The file.* See [questionnaire()]: the file is complete at any time, and
#' answers that another program added are imported. If an answer cannot be
#' saved, the dialogue ends and returns all answers, including this one.
#'
#' @section Errors: `linkrank_error_answers` when `file` belongs to other
#'   samples, is damaged before its last line or cannot be read or written;
#'   `linkrank_error_argument` when R is not interactive and `input` is `NULL`,
#'   or when `show` names a column that the data do not have.
#'
#' @examples
#' # a script instead of a person: same, different, undo, unsure, quit
#' keys <- textConnection(c("yes", "no", "z", "u", "q"))
#' file <- tempfile(fileext = ".csv")
#' active_constraints(colon$x, console_oracle(file = file, input = keys),
#'                    n = 20)
#' close(keys)
#' read_answers(file)
#' @export
console_oracle <- function(describe = NULL, file = NULL, input = NULL,
                           hint = TRUE, show = NULL) {
    if (!is.null(describe) && !is.function(describe)) {
        abort_linkrank("`describe` must be a function of two row numbers, not ",
                       describe_class(describe), ".", class = "argument")
    }
    if (!is.null(file)) {
        check_file_name(file)
    }
    if (!is.null(input) && !inherits(input, "connection")) {
        abort_linkrank("`input` must be a connection, not ",
                       describe_class(input), ".", class = "argument")
    }
    talk <- list(describe = describe, show = show, store = answer_store(file),
                 read_line = line_reader(input))
    structure(
        list(hint = check_flag(hint, "hint"), file = file,
             begin = function(q, x) {
                 check_prompt(input)
                 check_show(show, q$data)
                 begin_dialogue(q, talk$store)
             },
             ask = function(q, x) ask_person(q, talk)),
        class = "console_oracle"
    )
}

key_prompt <- "> "

# A function(prompt) that returns a line, NULL at the end.
line_reader <- function(input) {
    if (is.null(input)) {
        return(function(prompt) {
            # a closed terminal returns empty lines for ever
            for (try in seq_len(20L)) {
                line <- readline(prompt)
                if (line != "" || prompt != key_prompt) return(line)
            }
            NULL
        })
    }
    function(prompt) {
        if (!isOpen(input)) {
            open(input, "r")
        }
        cat(prompt)
        line <- readLines(input, n = 1L, warn = FALSE)
        # a terminal shows what a person types, but not what is read
        cat(line, "\n", sep = "")
        if (length(line)) line
    }
}

check_prompt <- function(input) {
    if (is.null(input) && !interactive()) {
        abort_linkrank("`input` must be given to console_oracle() where there ",
                       "is no R prompt.", class = "argument")
    }
}

# Reads the answers of the file, or starts a new file.
begin_dialogue <- function(q, store) {
    q <- save_answers(q, store)
    given <- count_answers(q)
    if (given) {
        cat("Continuing after ", count_noun(given, "answer"), " in ",
            store$file, ".\n", sep = "")
        q
    } else {
        advance(q)
    }
}

# `talk`: list(describe, show, store, read_line).
ask_person <- function(q, talk) {
    if (is.null(q$pending)) {
        return(NULL)
    }
    show_question(q, talk)
    repeat {
        line <- talk$read_line(key_prompt)
        key <- if (is.null(line)) "quit" else read_key(line)
        if (key %in% answer_choices) {
            return(keep_answer(q, key, talk$store))
        }
        if (key == "quit") {
            say_goodbye(q, talk$store$file)
            return(NULL)
        }
        if (key == "") {
            cat("Please type one of: y n u z l q\n")
        } else if (count_answers(q) == 0L) {
            cat("There is no answer yet.\n")
        } else if (key == "undo") {
            return(save_answers(undo_answer(q), talk$store))
        } else {
            changed <- change_dialogue(q, talk$read_line)
            if (!identical(changed, q)) {
                return(save_answers(changed, talk$store))
            }
            show_question(q, talk)
        }
    }
}

# The answer is saved first, because choosing the next pair may take long.
keep_answer <- function(q, answer, store) {
    q <- save_answers(take_answer(q, answer, list()), store)
    if (is_stable(q)) {
        cat(strwrap_line(stable_text), sep = "\n")
    }
    q
}

say_goodbye <- function(q, file) {
    given <- count_noun(count_answers(q), "answer")
    if (!is.null(file)) {
        cat(strwrap_line(paste0(given, " in ", file, ": the same call goes ",
                                "on from there.")), sep = "\n")
    }
}

# ---- output of the dialogue --------------------------------------------------

show_question <- function(q, talk) {
    counts <- summary(q)
    limit <- counts$limit + length(q$repeats$after)
    cat("Question ", count_answers(q) + 1L,
        if (is.finite(limit)) paste(" of", limit),
        if (q$strategy$counts != "questions" && is.finite(q$n))
            paste0(" (", sum(q$type == "cannot-link"), " of ", q$n,
                   " cannot-links found)"),
        ": are these two of the same kind?\n", sep = "")
    pair <- q$pending
    if (is.null(talk$describe)) {
        cat(describe_pair(q, pair, talk$show), sep = "\n")
    } else {
        shown <- talk$describe(pair[1L], pair[2L])
        if (is.character(shown)) {
            cat(shown, sep = "\n")
        }
    }
    cat(" y same   n different   u unsure   z undo   l list   ",
        "q save and quit\n", sep = "")
}

# The samples with their descriptions, and the features in which they differ;
# long lines are wrapped.
describe_pair <- function(q, pair, show) {
    samples <- vapply(pair, describe_sample, "", data = q$data, show = show)
    c(fold_line(samples, "   ", "   and   "),
      fold_line(differing_features(q, pair), "   differ most in: ", ", "))
}

fold_line <- function(parts, before, between, width = 80L) {
    lines <- paste0(before, parts[1L])
    for (part in parts[-1L]) {
        last <- length(lines)
        longer <- paste0(lines[last], between, part)
        if (nchar(longer) <= width) {
            lines[last] <- longer
        } else {
            lines[last] <- paste0(lines[last], sub(" +$", "", between))
            lines <- c(lines, paste0("     ", part))
        }
    }
    lines
}

describe_sample <- function(data, i, show) {
    name <- if (is.null(data$samples)) paste("sample", i) else data$samples[i]
    if (!length(show)) {
        return(name)
    }
    facts <- sample_facts(data, i, show)
    number <- grepl("^[0-9.+-]+$", facts)
    facts[number] <- paste(names(facts)[number], facts[number])
    paste0(name, " (", paste(facts, collapse = ", "), ")")
}

# ---- changing answers --------------------------------------------------------

show_answers <- function(q, numbers = NULL, changes = list()) {
    answers <- answer_table(q)
    changed <- as.integer(names(changes))
    answers$type[changed] <- unlist(changes)
    if (is.null(numbers)) {
        numbers <- seq_len(nrow(answers))
    }
    answers <- answers[numbers, ]
    cat(paste0("  ", formatC(numbers, width = 3L), "  ",
               shorten(show_sample(answers$i, q$names), 24L), " and ",
               shorten(show_sample(answers$j, q$names), 24L), ": ",
               answer_words[answers$type],
               ifelse(numbers %in% changed, " (changed)", "")), sep = "\n")
}

# The questionnaire with changed answers, or unchanged.
change_dialogue <- function(q, read_line) {
    show_answers(q)
    number <- read_number(q, read_line,
                          "Number to change, or Enter to continue: ")
    wanted <- list(q = q, changes = list(), conflict = NULL)
    while (!is.null(number)) {
        answer <- read_answer(q, read_line, number)
        if (is.null(answer)) {
            return(q)
        }
        wanted <- change_until_consistent(q, wanted$changes, number, answer,
                                          "person")
        if (is.null(wanted$conflict)) {
            return(wanted$q)
        }
        cat(strwrap_line(conditionMessage(wanted$conflict)), sep = "\n")
        show_answers(q, wanted$conflict$numbers, wanted$changes)
        number <- read_number(q, read_line, paste0(
            "Number of another answer to change too, or Enter to change ",
            "nothing: "
        ))
    }
    q
}

read_number <- function(q, read_line, prompt) {
    count <- count_answers(q)
    repeat {
        line <- read_line(prompt)
        line <- if (is.null(line)) "" else trimws(line)
        if (line == "") {
            return(NULL)
        }
        number <- suppressWarnings(as.numeric(line))
        if (!is.na(number) && number %in% seq_len(count)) {
            return(as.integer(number))
        }
        cat("Please type a number from 1 to ", count, ", or Enter.\n", sep = "")
    }
}

read_answer <- function(q, read_line, number) {
    answers <- answer_table(q)
    prompt <- paste0("Answer ", number, ", ",
                     show_sample(answers$i[number], q$names), " and ",
                     show_sample(answers$j[number], q$names),
                     ": y same, n different, u unsure: ")
    repeat {
        line <- read_line(prompt)
        if (is.null(line) || trimws(line) == "") {
            return(NULL)
        }
        key <- read_key(line)
        if (key %in% answer_choices) {
            return(key)
        }
        cat("Please type y, n or u, or Enter to leave it.\n")
    }
}
