# Oracles. Inside, an oracle is a list:
#
#   hint          should the questionnaire follow the ranking?
#   begin(q, x)   the questionnaire before the first question, with answers
#                 that were given before
#   ask(q, x)     the questionnaire after one more answer (or another change),
#                 NULL to stop

as_oracle <- function(oracle, samples) {
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
    if (length(labels) != samples) {
        abort_linkrank("`oracle` must hold one label per sample, but it has ",
                       length(labels), " and `x` has ", samples, " samples.",
                       class = "argument")
    }
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

#' Ask a person at the R prompt
#'
#' An oracle for [active_constraints()] that shows two samples and asks whether
#' they are of the same kind. With `file`, every answer is on disk before the
#' next question comes: whatever ends R, the same call goes on with the next
#' question.
#'
#' @param describe `NULL`, or a function of two row numbers that prints what
#'   helps to compare the two samples. By default their names, what the data
#'   hold about them (`colData()`, `pData()`), and the three features in which
#'   they differ most.
#' @param file Name of the file of answers (CSV, see [read_answers()]), or
#'   `NULL` to keep none. Answers that it holds already are not asked again.
#' @param input `NULL` to read from the R prompt, or a connection to read the
#'   keys from, one line each, such as `file("stdin")` in a script.
#' @param hint Say when the last answers have stopped changing the ranking?
#'
#' @return An oracle, to be given to [active_constraints()].
#'
#' @details The keys, each followed by Enter:
#'
#' | key | meaning |
#' | --- | --- |
#' | `y` | the same kind (must-link) |
#' | `n` | different kinds (cannot-link) |
#' | `?` | unsure |
#' | `u` | undo the last answer and ask it again |
#' | `l` | list the answers; a number then changes one |
#' | `q` | save and quit; also the end of `input` |
#'
#' A changed answer that contradicts others is not taken: the chain that
#' contradicts it is named, and any answer of it can be changed instead, or
#' together with it. After three answers that hardly changed the ranking by
#' [relieff_sc()] a line says that one may stop.
#'
#' @section Errors: `linkrank_error_answers` when `file` belongs to other
#'   samples or is damaged before its last line; `linkrank_error_argument`
#'   without a prompt to ask at.
#'
#' @examples
#' # a script in place of a person: same, different, undo, unsure, quit
#' keys <- textConnection(c("y", "n", "u", "?", "q"))
#' file <- tempfile(fileext = ".csv")
#' active_constraints(colon$x, console_oracle(file = file, input = keys),
#'                    n = 20)
#' close(keys)
#' read_answers(file)
#' @export
console_oracle <- function(describe = NULL, file = NULL, input = NULL,
                           hint = TRUE) {
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
    read_line <- line_reader(input)
    store <- answer_store(file)
    structure(
        list(hint = check_flag(hint, "hint"),
             begin = function(q, x) {
                 check_prompt(input)
                 begin_dialogue(q, store)
             },
             ask = function(q, x) {
                 ask_person(q, x, describe, store, read_line)
             }),
        class = "console_oracle"
    )
}

key_prompt <- "> "

# A function(prompt) that returns a line, NULL at the end.
line_reader <- function(input) {
    if (is.null(input)) {
        return(function(prompt) {
            # a terminal that has gone returns empty lines for ever
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
        # what a person typed shows on a terminal, what was read does not
        cat(line, "\n", sep = "")
        if (length(line)) line
    }
}

check_prompt <- function(input) {
    if (is.null(input) && !interactive()) {
        abort_linkrank("`input` must be given to console_oracle() where there ",
                       "is no R prompt to ask at.", class = "argument")
    }
}

# Takes what the file holds, or begins one.
begin_dialogue <- function(q, store) {
    q <- save_answers(q, store)
    given <- sum(!q$implied)
    if (given) {
        cat("Going on after ", count_noun(given, "answer"), " in ",
            store$file, ".\n", sep = "")
        q
    } else {
        advance(q)
    }
}

ask_person <- function(q, x, describe, store, read_line) {
    if (is.null(q$pending)) {
        return(NULL)
    }
    show_question(q, x, describe)
    repeat {
        key <- read_line(key_prompt)
        key <- if (is.null(key)) "q" else tolower(trimws(key))
        if (key %in% c("y", "n", "?")) {
            return(take_answer(q, key, store))
        }
        if (key == "q") {
            return(NULL)
        }
        if (key == "u" && any(!q$implied)) {
            return(save_answers(undo_answer(q), store))
        }
        if (key == "l" && any(!q$implied)) {
            changed <- change_dialogue(q, read_line)
            if (!identical(changed, q)) {
                return(save_answers(changed, store))
            }
            show_question(q, x, describe)
        } else if (key %in% c("u", "l")) {
            cat("There is no answer yet.\n")
        } else {
            cat("Please type one of: y n ? u l q\n")
        }
    }
}

# On disk first; choosing the next pair may take its time.
take_answer <- function(q, key, store) {
    answer <- switch(key, y = "must-link", n = "cannot-link", "unsure")
    q <- record_answer(q, q$pending, answer, FALSE, time_now(), "person",
                       q$pending_step)
    q["pending"] <- list(NULL)
    q <- save_answers(q, store)
    if (is_stable(q)) {
        cat(strwrap_line(stable_text), sep = "\n")
    }
    q
}

# ---- what the person sees ----------------------------------------------------

show_question <- function(q, x, describe) {
    number <- sum(!q$implied) + 1L
    limit <- q$max_questions
    if (q$strategy$counts == "questions") {
        limit <- min(limit, q$n)
    }
    cat("Question ", number, if (is.finite(limit)) paste(" of", limit),
        if (q$strategy$counts != "questions" && is.finite(q$n))
            paste0(" (", sum(q$type == "cannot-link"), " of ", q$n,
                   " cannot-links found)"),
        ": are these two of the same kind?\n", sep = "")
    pair <- q$pending
    if (is.null(describe)) {
        cat(describe_pair(q$data, pair[1L], pair[2L]), sep = "\n")
    } else {
        shown <- describe(pair[1L], pair[2L])
        if (is.character(shown)) {
            cat(shown, sep = "\n")
        }
    }
    cat(" y same   n different   ? unsure   u undo   l list   ",
        "q save and quit\n", sep = "")
}

# The samples with what is known of them, and where they differ most; a line
# that is too long goes on below.
describe_pair <- function(data, i, j) {
    c(fold_line(c(describe_sample(data, i), describe_sample(data, j)),
                "   ", "   and   "),
      fold_line(differing_features(data, i, j), "   differ most in: ", ", "))
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

describe_sample <- function(data, i) {
    name <- if (is.null(data$samples)) paste("sample", i) else data$samples[i]
    known <- data$sample_data
    if (is.null(known) || !ncol(known)) {
        return(name)
    }
    facts <- vapply(utils::head(names(known), 4L), function(column) {
        value <- format(known[[column]][i], digits = 4L)
        if (grepl("^[0-9.+-]+$", value)) paste(column, value) else value
    }, "")
    paste0(name, " (", paste(facts, collapse = ", "), ")")
}

differing_features <- function(data, i, j, count = 3L) {
    scaling <- feature_scaling(data, "range")
    cells <- .Call(C_read_samples, data, scaling, as.integer(c(i, j)))
    difference <- abs(cells[1L, ] - cells[2L, ])
    difference[scaling$category & difference > 0] <- 1
    difference[is.na(difference)] <- 0
    top <- utils::head(order(-difference), count)
    top <- top[difference[top] > 0]
    if (!length(top)) {
        return("nothing")
    }
    level <- function(value, kind) {
        if (kind == "logical") c("no", "yes")[1L + (value > 0)] else
            c("low", "middle", "high")[1L + (value > 1 / 3) + (value > 2 / 3)]
    }
    vapply(top, function(f) {
        if (data$kind[f] == "factor") {
            return(shorten(data$features[f], 24L))
        }
        levels <- c(level(cells[1L, f], data$kind[f]),
                    level(cells[2L, f], data$kind[f]))
        if (levels[1L] == levels[2L]) {
            levels <- c("lower", "higher")[rank(cells[, f])]
        }
        paste0(shorten(data$features[f], 24L), " (", levels[1L], " / ",
               levels[2L], ")")
    }, "")
}

# ---- changing answers --------------------------------------------------------

answer_words <- c(`must-link` = "same", `cannot-link` = "different",
                  unsure = "unsure")

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

# The questionnaire with answers changed, or as it was.
change_dialogue <- function(q, read_line) {
    show_answers(q)
    number <- read_number(q, read_line,
                          "Number to change, or Enter to go on: ")
    changes <- list()
    while (!is.null(number)) {
        answer <- read_answer(read_line, number)
        if (is.null(answer)) {
            return(q)
        }
        changes[[as.character(number)]] <- answer
        result <- tryCatch(
            answer_pair(q, unlist(changes), as.integer(names(changes))),
            linkrank_error_contradiction = function(condition) condition
        )
        if (!inherits(result, "condition")) {
            return(result)
        }
        cat(strwrap_line(conditionMessage(result)), sep = "\n")
        show_answers(q, result$numbers, changes)
        number <- read_number(q, read_line, paste0(
            "Number of another one to change too, or Enter to leave all as ",
            "it was: "
        ))
    }
    q
}

read_number <- function(q, read_line, prompt) {
    count <- sum(!q$implied)
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

read_answer <- function(read_line, number) {
    repeat {
        line <- read_line(paste0("Answer ", number,
                                 ": y same, n different, ? unsure: "))
        line <- if (is.null(line)) "" else tolower(trimws(line))
        if (line == "") {
            return(NULL)
        }
        if (line %in% c("y", "n", "?")) {
            return(switch(line, y = "must-link", n = "cannot-link",
                          "unsure"))
        }
        cat("Please type y, n or ?, or Enter to leave it.\n")
    }
}
