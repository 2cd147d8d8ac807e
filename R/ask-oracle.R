# Who answers: a person in the console, labels, or a function; the words of the
# console.

# ==== oracles =================================================================

# Oracles. Inside, an oracle is a list:
#
#   hint          should the questionnaire follow the ranking?
#   file          where the answers are, or NULL
#   begin(q)      the questionnaire before the first question, with earlier
#                 answers
#   ask(q)        the questionnaire after one more answer (or another change),
#                 NULL to stop

as_oracle <- function(oracle, data) {
    if (inherits(oracle, "console_oracle")) return(unclass(oracle))
    if (is.function(oracle)) {
        takes <- names(formals(args(oracle)))
        refuse_if(length(takes) < 2L && !"..." %in% takes, "`oracle` must be a
                  function of two samples, not of {length(takes)}.")
        return(new_oracle("function", function(q, i, others) {
            choice_of(q, oracle(i, others), q$pending, "What `oracle` returns")
        }))
    }
    refuse_class_if(is.null(oracle) || is.list(oracle), oracle, "`oracle` must
                    be a function, a vector of labels or console_oracle()")
    oracle <- named_response(oracle, data, "oracle")
    given <- as_class_labels(oracle, "oracle")
    labels <- as.integer(given)
    match_length(labels, data$n, "oracle")
    new_oracle("labels", function(q, i, others) {
        same <- labels[others] == labels[i]
        c(which(same), if (anyNA(same)) NA else 0L)[1L]
    }, given, oracle)
}

# `choose`: the choice (see ask-sort.R) of a questionnaire, a sample and others;
# `labels`: of the samples, by which groups are named; `given`: as they were.
new_oracle <- function(source, choose, labels = NULL, given = NULL) {
    list(hint = FALSE, labels = given, begin = function(q) {
        q$labels <- labels
        advance(q)
    }, ask = function(q) {
        if (is.null(q$pending)) return(NULL)
        choice <- choose(q, q$pending[1L], q$pending[-1L])
        advance(take_answer(q, choice, list(source = source)))
    })
}

#' Ask a person at the R prompt (oracle)
#'
#' An oracle for [active_constraints()] that shows a sample beside a member of
#' every known group and asks which is of the same group; with `ask = "pairs"`,
#' whether two samples are. With `file`, the same call continues with the next
#' question.
#'
#' @param describe `NULL`, or a function of two row numbers that prints or
#'   returns a description of the two samples. The default shows names, the
#'   columns in `show`, and up to four features in which they differ most.
#' @param file Name of the file of answers (CSV, see [read_answers()]), or
#'   `NULL`. Questions that it already answers are not asked again.
#' @param input `NULL` for the R prompt, or a connection with a key per line,
#'   such as `file("stdin")` in a script.
#' @param hint Print after every eighth answer how many groups there are, and
#'   how many of the best features stayed? See [questionnaire()].
#' @param show Names of columns of `colData()` or `pData()` to show. Labels
#'   would give the answer away.
#'
#' @return An oracle for [active_constraints()].
#'
#' @details The keys, each followed by Enter (whole words also work):
#'
#' * `y`, `yes`, `same`: the same group (must-link)
#' * `n`, `no`, `different`: different groups (cannot-link)
#' * `u`, `?`, `unsure`: unsure
#' * `z`, `undo`: undo the last answer and ask it again
#' * `l`, `list`: list the answers; a number then changes one
#' * `r`, `remark`: a remark, in one line, that is stored with the next answer
#' * `s`, `sort`: sort from here on; offered when nearly all pairs differ
#' * `q`, `quit`: save and quit; also the end of `input`
#'
#' While samples are sorted (the default):
#'
#' * `1`, `2`, ...: like this one (must-link; with one group also `y`)
#' * `0`, `n`, `no`, `different`: the next eight groups; like none of them
#' * `3=5`: these two groups are one (see [answer_pair()])
#' * `u`, `?`, `unsure`: not sure
#'
#' An answer is undone as a whole. A changed answer that contradicts others is
#' refused, with the chain that contradicts it. Ctrl-C acts like `q`, with a
#' warning.
#'
#' *The features shown* are those in which the two samples differ most, relative
#' to their neighbourhoods; half are higher in the first. The measure is the
#' difference of the samples, or of the means of their neighbourhoods (each with
#' its 7 nearest samples) if that is smaller, divided by the standard deviation
#' within these plus its median over the features. A feature that only one
#' sample has is not shown, nor one whose difference may be noise: twice the
#' measure over sqrt(1/8 + 1/8) is taken as a t, at a false discovery rate of
#' 0.05 (fewer than 16 samples: all are shown). Answers based on these features
#' add nothing new to the data (`origin` `"features in view"`, see
#' [pairwise_constraints()]): use other knowledge, or show it by `describe`.
#'
#' *The file.* Every answer is appended at once, and those of other programs are
#' imported. If one cannot be saved, the dialogue ends and returns all.
#'
#' @section Errors: `linkrank_error_answers` for a `file` of other samples,
#'   damaged before its last line, or not writable; `linkrank_error_argument`
#'   when R is not interactive and `input` is `NULL`, or for unknown `show`.
#'
#' @examples
#' x <- log2(colon$x)
#' # a script instead of a person: same, different, undo, unsure, quit
#' keys <- textConnection(c("yes", "no", "z", "u", "q"))
#' file <- tempfile(fileext = ".csv")
#' active_constraints(x, console_oracle(file = file, input = keys),
#'                    n = 20)
#' close(keys)
#' read_answers(file)
#' @export
console_oracle <- function(describe = NULL, file = NULL, input = NULL,
                           hint = TRUE, show = NULL) {
    check_optional_function(describe, "describe", "two row numbers")
    if (!is.null(file)) check_file_name(file)
    refuse_class_if(!is.null(input) && !inherits(input, "connection"), input,
                    "`input` must be a connection")
    talk <- list(describe = describe, show = show, store = answer_store(file),
                 read_line = line_reader(input))
    structure(
        list(hint = check_flag(hint, "hint"), file = file,
             begin = function(q) {
                 refuse_if(is.null(input) && !interactive(), "`input` must be
                           given where there is no R prompt.")
                 check_show(show, q$data)
                 # the answers of the file, or a new file
                 q <- save_answers(q, talk$store)
                 given <- count_answers(q)
                 if (!given) return(advance(q))
                 cat("Continuing after ", count_noun(given, "answer"), " in ",
                     file, ".\n", sep = "")
                 q
             },
             ask = function(q) ask_person(q, talk)),
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
        if (!isOpen(input)) open(input, "r")
        cat(prompt)
        line <- readLines(input, n = 1L, warn = FALSE)
        # a terminal shows what a person types, but not what is read
        cat(line, "\n", sep = "")
        if (length(line)) line
    }
}

# `talk`: list(describe, show, store, read_line). What is said before the
# answer, and how many groups have been listed, is the state of the turn.
ask_person <- function(q, talk) {
    if (is.null(q$pending)) return(NULL)
    show_question(q, talk)
    seen <- if (!is.null(talk$describe)) "description" else
        c("names", "features", if (length(talk$show)) "description")
    turn <- list2env(list(said = list(shown = join_view(seen)),
                          listed = groups_at_once))
    repeat {
        after <- obey(q, talk$read_line(key_prompt), talk, turn)
        if (isFALSE(after)) return(NULL)
        if (!is.null(after)) {
            # saved first, because choosing the next pair may take long
            after <- save_answers(after, talk$store)
            given <- count_answers(after)
            # what raters said, and now and then how things stand
            if (given > count_answers(q)) cat_lines(c(
                paste0("   ", said_of(after, given), recycle0 = TRUE),
                if (given %% stability_span == 0L) standing_lines(after)))
            return(after)
        }
    }
}

# The questionnaire after what a line says, NULL where the question still
# stands, FALSE to quit.
obey <- function(q, line, talk, turn) {
    choice <- read_choice(line, is_sorted(q, q$pending), q$pending)
    joined <- joined_groups(line, q$pending)
    if (!is.null(choice)) {
        more <- choice %in% 0L && length(q$pending) - 1L > turn$listed
        return(if (more) show_groups(q, talk, turn) else
            take_answer(q, choice, turn$said))
    }
    if (!is.null(joined)) {
        return(join_groups(q, joined, c(turn$said, source = "person",
                                        confidence = NA_real_)))
    }
    key <- if (is.null(line)) "quit" else read_key(line)
    if (key %in% c("undo", "list") && !count_answers(q))
        return(cat("There is no answer yet.\n"))
    if (key == "sort" && !offers_sorting(q)) key <- ""
    switch(
        key,
        sort = stats::update(q, ask = "sort"),
        undo = undo_answer(q),
        list = change_dialogue(q, talk$read_line) %||% show_question(q, talk),
        remark = {
            turn$said$remark <- check_remark(talk$read_line("Remark: "))
            NULL
        },
        quit = {
            if (!is.null(talk$store)) {
                cat_lines(paste0(count_noun(count_answers(q), "answer"),
                                 " in ", talk$store$file, ": the same ",
                                 "call goes on from there."))
            }
            FALSE
        }, cat("Please type one of: ", if (q$ask == "pairs") "y n u" else
            paste0(if (length(q$pending) > 2L) "1-", length(q$pending) - 1L,
                   " 0 u"), " z l r q\n", sep = "")
    )
}

# ---- output of the dialogue --------------------------------------------------

show_question <- function(q, talk) {
    number <- count_answers(q) + 1L
    all <- number - 1L + summary(q)$left
    sorting <- q$ask == "sort"
    cat("Question ", number, if (is.finite(all)) paste(" of", all),
        if (q$strategy$counts != "questions" && is.finite(q$n))
            paste0(" (", count_found(q)$`cannot-links`, " of ", q$n,
                   " cannot-links found)"),
        if (sorting) ": which of these is" else ": are these two",
        " of the same group?\n", sep = "")
    judge <- left_to_judge(q)
    if (!is.null(judge)) {
        cat("   ", count_noun(judge[1L], if (length(q$others$judged))
            "sample" else "pair"), " left on which raters differ\n", sep = "")
    }
    if (sorting) return(show_groups(q, talk, list2env(list(listed = 0L))))
    pair <- q$pending
    if (is.null(talk$describe)) {
        samples <- vapply(pair, describe_sample, "", data = q$data,
                          show = talk$show)
        cat(fold_line(samples, "   ", "   and   ", indent = 5L),
            feature_lines(q, pair, "   "), sep = "\n")
    } else {
        show_description(talk$describe, pair)
    }
    cat(" y same   n different   u unsure   z undo   l list   r remark   ",
        "q quit\n", if (offers_sorting(q)) paste0(
            " s sort from here on, as nearly all pairs are different: one ",
            "answer then\n   compares a sample with all groups\n"
        ), sep = "")
}

# In what two samples differ.
feature_lines <- function(q, pair, begin, around = q$around(pair)) {
    if (!is.null(q$data$clusters)) {
        # the first one is described once, above the others
        return(cluster_lines(q, if (q$ask == "sort") pair[2L] else pair, begin))
    }
    fold_line(differing_features(q, pair, around = around),
              paste0(begin, "differ most in: "), indent = nchar(begin) + 2L)
}

# What a person's function prints, or returns as lines.
show_description <- function(describe, pair) {
    text <- describe(pair[1L], pair[2L])
    if (is.character(text)) cat(text, sep = "\n")
}

# The new sample, and the next eight groups by number, after turn$listed others.
show_groups <- function(q, talk, turn) {
    shown <- q$pending
    count <- length(shown) - 1L
    last <- min(count, turn$listed + groups_at_once)
    component <- q$closure$component
    name <- group_name(q, shown[-1L])
    name <- ifelse(nzchar(name), paste0(name, ": "), "")
    if (is.null(talk$describe)) {
        listed <- shown[-1L][seq(turn$listed + 1L, last)]
        around <- q$around(c(shown[1L], listed))
        cat(paste0("   ", describe_sample(q$data, shown[1L], talk$show)),
            if (!is.null(q$data$clusters)) cluster_lines(q, shown[1L], "   "),
            sep = "\n")
    }
    for (group in seq(turn$listed + 1L, last)) {
        pair <- shown[c(1L, group + 1L)]
        if (is.null(talk$describe)) {
            others <- sum(component == component[pair[2L]]) - 1L
            cat(fold_line(c(describe_sample(q$data, pair[2L], talk$show),
                            if (others > 0L) paste(others, "like it")),
                          paste0("   ", group, "  ", name[group]), " and ",
                          indent = 6L),
                feature_lines(q, pair, "      ", around), sep = "\n")
        } else {
            cat(" group ", group, ":\n", sep = "")
            show_description(talk$describe, pair)
        }
    }
    turn$listed <- last
    if (count > last) {
        cat("   (0 shows ", count_noun(count - last, "more group"), ")\n",
            sep = "")
    }
    cat(" ", if (count > 1L) "1-", count, " like this one   ",
        "0 none   u not sure   ",
        if (count > 1L) "1=2 these two are one group\n ",
        "z undo   l list   r remark   q quit\n", sep = "")
}

describe_sample <- function(data, i, show) {
    name <- if (is.null(data$samples)) paste("sample", i) else data$samples[i]
    if (!is.null(data$clusters))
        name <- paste0(name, ", ", count_noun(data$clusters$size[i], "sample"))
    if (!length(show)) return(name)
    facts <- sample_facts(data, i, show)
    named <- ifelse(grepl("^[0-9.+-]+$", facts), paste0(show, " "), "")
    paste0(name, " (", toString(paste0(named, facts)), ")")
}

# ---- changing answers --------------------------------------------------------

show_answers <- function(q, changes = list(),
                         numbers = seq_len(count_answers(q))) {
    said <- vapply(numbers, function(number) {
        shown <- shown_of(q, number)
        change <- changes[[as.character(number)]]
        choice <- change %||% choice_given(q, number)
        names <- shorten(show_samples(shown, q$names), 24L)
        all <- paste(names[-1L], collapse = ", ")
        # "like T31", "like none of T31, T7", "not sure (T31, T7)"
        text <- if (!is_sorted(q, shown)) {
            paste0(names[1L], " and ", names[2L], ": ",
                   answer_words[choice_pairs(choice, shown)$type])
        } else if (is.na(choice)) {
            paste0(names[1L], ": not sure (", all, ")")
        } else {
            paste0(names[1L], ": like ", if (choice == 0L)
                paste("none of", all) else names[choice + 1L])
        }
        note <- paste(c(said_of(q, number), remark_on(q, number)),
                      collapse = "; ")
        paste0("  ", formatC(number, width = 3L), "  ", text,
               if (nzchar(note)) paste0(" (", note, ")"),
               if (!is.null(change)) " (changed)")
    }, "")
    cat(said, sep = "\n")
}

# The questionnaire with changed answers, NULL for unchanged.
change_dialogue <- function(q, read_line) {
    show_answers(q)
    changes <- list()
    prompt <- "Number to change, or Enter to continue:"
    repeat {
        number <- read_number(q, read_line, prompt)
        choice <- if (!is.null(number)) read_answer(q, read_line, number)
        if (is.null(choice)) return(NULL)
        if (!length(changes) && identical(choice, choice_given(q, number)))
            return(cat("Answer ", number, " stays as it was.\n", sep = ""))
        wanted <- change_until_consistent(q, changes, number, choice, "person")
        if (is.null(wanted$conflict)) {
            cat("Answer ", wanted$changed, " changed.\n", sep = "")
            return(wanted$q)
        }
        changes <- wanted$changes
        cat_lines(conditionMessage(wanted$conflict))
        show_answers(q, changes, wanted$conflict$numbers)
        prompt <- paste("Number of another answer to change too, or Enter to",
                        "change nothing:")
    }
}

read_number <- function(q, read_line, prompt) {
    count <- count_answers(q)
    ask_until(read_line, prompt, function(line) {
        number <- suppressWarnings(as.numeric(line))
        if (number %in% seq_len(count)) as.integer(number)
    }, paste0("Please type a number from 1 to ", count, ", or Enter."))
}

read_answer <- function(q, read_line, number) {
    shown <- shown_of(q, number)
    names <- show_samples(shown, q$names)
    sorting <- is_sorted(q, shown)
    prompt <- if (sorting) {
        c(names[1L], ": ", paste(seq_along(names[-1L]), names[-1L],
                                 collapse = ", "), ", 0 none, u not sure:")
    } else {
        c(names[1L], " and ", names[2L], ": y same, n different, u unsure:")
    }
    prompt <- paste(c("Answer ", number, ", ", prompt), collapse = "")
    ask_until(read_line, prompt, function(line) {
        read_choice(line, sorting, shown)
    }, paste0("Please type ", if (sorting) "a number or u" else "y, n or u",
              ", or Enter to leave it."))
}

# What meaning(line) makes of a line, NULL for Enter or at the end. A line
# without meaning is answered by `help`.
ask_until <- function(read_line, prompt, meaning, help) {
    prompt <- strwrap_line(prompt)
    repeat {
        cat(paste0(utils::head(prompt, -1L), "\n", recycle0 = TRUE), sep = "")
        line <- read_line(paste0(utils::tail(prompt, 1L), " "))
        if (is.null(line) || trimws(line) == "") return(NULL)
        found <- meaning(line)
        if (!is.null(found)) return(found)
        cat(help, "\n", sep = "")
    }
}

# ==== words of the console ====================================================

# Keys and words of the actions, in the dialogue and on the page: the key of
# each action, then the words with the same meaning.

key_words <- list(
    `must-link` = c("y", "yes", "same"),
    `cannot-link` = c("n", "no", "different"), unsure = c("u", "?", "unsure"),
    undo = c("z", "undo"), list = c("l", "list"),
    remark = c("r", "remark"), sort = c("s", "sort"), quit = c("q", "quit")
)

# The action for a key or word, "" for none.
read_key <- function(text) {
    meant <- vapply(key_words, function(words) {
        ascii_lower(trimws(text)) %in% words
    }, NA)
    c(names(key_words)[meant], "")[1L]
}

# The choice (see ask-sort.R) for a key or word, NULL for none. `shown`: the
# samples of the question.
read_choice <- function(text, sorted, shown) {
    if (is.null(text)) return(NULL)
    groups <- length(shown) - 1L
    if (sorted && trimws(text) %in% 0:groups) return(as.integer(text))
    choice_of_kind(read_key(text), groups)
}

# ---- columns about the samples -----------------------------------------------

# The columns of the sample data to show: only those that are named, because a
# column of labels would reveal the answer.
check_show <- function(show, data) {
    if (is.null(show)) return(character())
    refuse_value_if(!is.character(show) || anyNA(show), show,
                    "`show` must be names of columns about the samples")
    known <- names(data$sample_data)
    lacking <- setdiff(show, known)
    refuse_if(length(lacking), "`show` names the column ",
              quote_values(lacking[1L]), ", but `x` has ",
              if (length(known)) paste("the columns", quote_values(known)) else
                  "no data about its samples", ".")
    show
}

# The values of these columns for one sample: text, named by column.
sample_facts <- function(data, i, show) {
    vapply(stats::setNames(nm = show), function(column) {
        values <- plain_column(data$sample_data[[column]])
        row <- if (is.null(dim(values))) values[i] else
            vapply(as.data.frame(values)[i, ], as.character, "")
        # the number of a donor, say, has no exponent
        toString(if (whole_within(row, -Inf, Inf)) as_names(row) else
            format(row, digits = 4L))
    }, "")
}
