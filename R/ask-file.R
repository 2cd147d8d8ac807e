# Files of answers: written while they are given, read again, and changed
# later.

# ==== files ===================================================================

# The file of answers on disk is a log: an action is appended in one write, what
# is in the file is never changed. Of one rater and pair the last row counts: an
# answer that was undone or changed is a further row. Before rows are appended,
# those that another program has appended are taken over.

#' @rdname write_answers
#' @order 2
#' @export
read_answers <- function(file, history = FALSE) {
    check_file_name(file)
    check_flag(history, "history")
    bytes <- read_bytes(file)
    refuse_if(is.null(bytes), "`file` must be the name of a file of answers, ",
              "but \"", file, "\" does not exist.", class = "answers")
    found <- split_records(bytes, file)
    sheet <- read_sheet(found$text, file)
    if (!is.null(sheet)) return(sheet)
    log <- parse_answers(bytes, file, found)
    rows <- fold_rows(log$rows)
    answers <- if (history) rows else in_force(rows)
    answers$action <- action_runs(answers)
    answers <- drop_unused(answers)
    rownames(answers) <- NULL
    attr(answers, "damaged") <- log$damaged
    named <- log$rows[log$rows$type == "name", ]
    attr(answers, "group_names") <- if (nrow(named)) named
    answers
}

#' Write and read a file of answers
#'
#' Saves the answers of a [questionnaire()] or of [active_constraints()] in a
#' CSV file that others can read and continue, or the questions as an empty
#' sheet to fill in, and reads such a file.
#'
#' @param questionnaire A questionnaire, or what [active_constraints()]
#'   returned.
#' @param file Name of a file.
#' @param empty Write a sheet to fill in, of the samples (after sorting) or
#'   pairs that this session asked about (`n` samples at random where nothing
#'   was asked yet), without the answers? See *Sheets*.
#' @param names Show the names of the samples in the sheet? `FALSE`: random
#'   codes, with a second file `sheet-key.csv` of what they stand for.
#' @param history Return the answers that were undone or changed too?
#'
#' @return `write_answers()`: the name of the file, invisibly.
#'
#' `read_answers()`: a data.frame, one row per question, in order, with columns
#' `i`, `j` (row numbers), `name_i`, `name_j` (empty without names), `type`
#' (`"must-link"`, `"cannot-link"`, `"unsure"`), `time` (UTC), `source`; and, if
#' any answer has them, `rater`, `confidence`, `action` (one number for the
#' pairs of one sorted sample), `implied` (`TRUE`: follows from the rest of the
#' answer), `origin` (see [pairwise_constraints()]), `shown` (joined by `+`),
#' `remark` and, with `history`, `superseded`, when the answer was undone or
#' changed. `attr(, "group_names")` holds names of groups. Of a sheet: its
#' columns.
#'
#' @details *Files.* CSV in UTF-8 with BOM. An apostrophe stands before text
#'   that a spreadsheet would run as a formula, and before the remark `NA`;
#'   `read_answers()` removes it. Rows are appended, never changed: of one rater
#'   and pair the last row counts, an undone answer is a row of type `"undone"`;
#'   where the clock is behind the last row, the time is the second after it.
#'   What a spreadsheet saved is read: semicolons or tabs, other line ends and
#'   times (`03/04/2026` is refused if no other time shows which is the day).
#'   Text in other columns becomes part of `remark`.
#'
#' *Sheets.* After sorting a sheet has a row per sample, in whose column `group`
#' any number or word is a group (`?`: unsure, empty: not placed); after pairs a
#' row per pair, with `same`, `different` or `?` in `answer`.
#' [reconcile_answers()], [answer_agreement()], [pairwise_constraints()] and
#' [questionnaire()] take what `read_answers()` reads; words are names of the
#' groups. A sheet is that of one person; those of several are a list. Codes are
#' replaced where the key is in the same folder.
#'
#' *Damage.* A killed process loses at most the row it was writing, which is
#' left out with a warning (`attr(, "damaged")`).
#'
#' *Several writers.* What others have appended is imported before each write;
#' an unsure answer gives way to one that decides. A contradiction is an error,
#' and nothing is written. Rows of another `rater` stay.
#'
#' @section Errors: `linkrank_error_answers` for a file that cannot be read or
#'   written, is of other samples, or contradicts the answers.
#'
#' @seealso [questionnaire()], [reconcile_answers()], [pairwise_constraints()]
#' @examples
#' x <- log2(colon$x)
#' q <- answer_pair(questionnaire(x), "different")
#' file <- tempfile(fileext = ".csv")
#' write_answers(q, file)
#' read_answers(file)[c("i", "j", "type")]
#' again <- questionnaire(x, answers = read_answers(file))
#' identical(next_pair(again), next_pair(q))
#'
#' # a sheet of ten samples to sort in a spreadsheet
#' sheet <- tempfile(fileext = ".csv")
#' write_answers(questionnaire(x, n = 10), sheet, empty = TRUE)
#' head(read.csv(sheet), 3)
#' @order 1
#' @export
write_answers <- function(questionnaire, file, empty = FALSE, names = TRUE) {
    check_given(questionnaire, "what questionnaire() made")
    store <- answer_store(check_file_name(file))
    if (check_flag(empty, "empty")) {
        write_sheet(questionnaire, file, check_flag(names, "names"))
        return(invisible(file))
    }
    if (inherits(questionnaire, "active_constraints")) {
        about <- unclass(questionnaire)[c("samples", "names")]
        rows <- given_rows(answer_rows(questionnaire), about$samples,
                           about$names)
        # answers of one person are beside those of others, as in a session
        rater <- unique(rows$rater)
        about$person <- if (length(rater) == 1L) rater
        save_rows(rows, about, store)
    } else {
        save_answers(check_questionnaire(questionnaire), store)
    }
    invisible(file)
}

# The samples or pairs that were asked about, or where nothing was as many
# samples as `n` at random, as a table without answers.
write_sheet <- function(asked, file, names) {
    refuse_if(file.exists(file), "`file` must be a new file, because \"", file,
              "\" may have been filled in.", class = "answers")
    session <- held_constraints(asked)$questions
    refuse_class_if(is.null(session), asked, "`questionnaire` must come from ",
                    "questionnaire() or active_constraints()")
    session <- session[!is.na(session$question), c("question", "i", "j")]
    if (!nrow(session)) {
        at <- sample.int(asked$samples, min(asked$n, asked$samples))
        session <- data.frame(question = 1L, i = at, j = at)
    }
    label <- asked$names %||% as.character(seq_len(asked$samples))
    code <- if (names) label else draw_codes(length(label), label)
    sheet <- if (anyDuplicated(session$question)) {
        data.frame(sample = code[founding_order(session$i, session$j)],
                   group = "", remark = "")
    } else {
        data.frame(first = code[session$i], second = code[session$j],
                   answer = "", remark = "")
    }
    if (!names) {
        # the order of the questions may say something, too
        sheet <- sheet[order(sheet[[1L]]), ]
        write_checked(key_file(file),
                      csv_bytes(data.frame(code = code, sample = label)),
                      "The key")
    }
    write_checked(file, csv_bytes(sheet), "The sheet")
}

# The table of such a sheet, filled in and saved by any spreadsheet, codes
# replaced by names; NULL for another file.
read_sheet <- function(records, file) {
    if (!length(records) || !validUTF8(records[1L])) return(NULL)
    columns <- names(read_cells(utils::head(records, 1L)))
    if (!all(c("sample", "group") %in% columns) &&
        !all(c("first", "second", "answer") %in% columns)) return(NULL)
    sheet <- read_cells(records)
    ends <- intersect(c("sample", "first", "second"), columns)
    # the key of a copy under another name is the one that has all of its codes
    codes <- unlist(sheet[ends], use.names = FALSE)
    keys <- key_file(file)
    if (!file.exists(keys))
        keys <- list.files(dirname(file), "-key([.][^.]*)?$", full.names = TRUE)
    keys <- lapply(keys, function(key) {
        read_cells(split_records(read_bytes(key), key)$text)
    })
    whole <- vapply(keys, function(key) all(codes %in% key$code), NA)
    refuse_if(sum(whole) > 1L, "The codes of \"", file, "\" must be those of ",
              "one key, but ", sum(whole), " files beside it have them: give ",
              "it the name of the sheet that was written.", class = "answers")
    for (key in keys[whole]) sheet[ends] <- key$sample[match(codes, key$code)]
    # numbers are names where the data have names, see match_samples()
    sheet
}

# The cells of a file by the names in its first line, as text.
read_cells <- function(records) {
    for (separator in c(",", ";", "\t")) {
        cells <- split_cells(c(records, "")[1L], separator)
        if (length(cells) > 1L) break
    }
    cells <- split_cells(records, separator, length(cells))
    cells[is.na(cells)] <- ""
    table <- as.data.frame(cells)
    table[] <- lapply(table, function(cells) {
        from_bytes(guard_formulas(cells, "'", ""))
    })
    plain_names(stats::setNames(table[-1L, , drop = FALSE],
                                unlist(table[1L, ])))
}

# sheet-key.csv for sheet.csv
key_file <- function(file) sub("([.][^.]*)?$", "-key\\1", file)

# Different codes of a letter and a number, at random, none of them a name.
draw_codes <- function(count, names) {
    letters <- setdiff(LETTERS, c("I", "O"))
    numbers <- seq_len(max(9, ceiling(2 * count / length(letters))))
    sample(setdiff(outer(letters, numbers, paste0), names), count)
}

check_file_name <- function(file) {
    check_given(file, "the name of a file")
    refuse_value_if(!is_text(file) || file == "", file,
                    "`file` must be the name of a file")
    refuse_if(grepl("[.](xlsx?|ods|rds)$", file, ignore.case = TRUE), "`file`
              must be the name of a CSV file, not \"{file}\".")
    file
}

# ---- the file of a user interface --------------------------------------------

# The file's name, its bytes when it was last read or written (NULL for no
# file), and what they hold, see parse_answers().
answer_store <- function(file) {
    if (!is.null(file)) {
        list2env(list(file = file, held = NULL, log = list(rows = no_rows)),
                 parent = emptyenv())
    }
}

# Afterwards the file and the returned questionnaire hold every answer of both.
# If the file cannot be written, the error holds the questionnaire.
save_answers <- function(q, store) {
    if (is.null(store)) return(q)
    joined <- tryCatch(
        suspendInterrupts(save_rows(log_rows(q), q, store)),
        linkrank_error_answers = function(condition) {
            condition$questionnaire <- q
            stop(condition)
        }
    )
    if (is.null(joined)) return(q)
    q$history <- joined$history
    answers <- joined$answers
    if (identical(answers, answers_in(q))) q else with_answers(q, answers)
}

# Adds to the file what it lacks of `mine`, see log_rows(). `about`: a
# questionnaire or list(samples, names). What join_logs() returns where another
# program has changed the file, else NULL.
save_rows <- function(mine, about, store) {
    held <- read_bytes(store$file)
    changed <- !identical(held, store$held)
    log <- if (!changed) store$log else if (length(held))
        parse_answers(held, store$file) else list(rows = no_rows)
    joined <- if (changed) join_logs(mine, log$rows, about, store$file) else
        list(mine = mine, fresh = lacking_rows(mine, log$rows, about))
    append_rows(store, held, log, whole_actions(joined$mine, joined$fresh))
    if (changed) joined
}

# The rows of `mine` to append, `fresh` among them. A changed answer may change
# what follows from another one, which is then written again as a whole: a pair
# alone would be an answer of its own.
whole_actions <- function(mine, fresh) {
    rows <- mine[fresh, ]
    run <- action_runs(rows)
    alone <- rows$implied & !run %in% run[!rows$implied]
    if (!any(alone)) return(rows)
    counted <- count_rows(mine)
    again <- counted$unit %in% counted$unit[fresh[alone]] &
        is.na(counted$superseded)
    mine[sort(union(fresh, which(again))), ]
}

# The log of a questionnaire: what raters in dispute said, what was changed,
# undone or named, and the answers in force.
log_rows <- function(q) rbind(rater_rows(q), q$history, answers_in(q))

# Two people may decide a pair differently: the rows of both stay in the file,
# as do those of raters whose disputes are settled.
of_other_raters <- function(rows, about) {
    person <- about$person %||% NA
    !is.na(rows$rater) & (!is.na(person) & rows$rater != person |
                              rows$rater %in% about$said$rater)
}

# Which rows of one log another one lacks: what is said twice must be there
# twice. To what is said without a remark somebody may have added one; when
# others said something is of no importance.
lacking_rows <- function(mine, log, about) {
    rows <- rbind(log, mine)
    rows$time[of_other_raters(rows, about)] <- ""
    here <- seq_len(nrow(rows)) > nrow(log)
    keys <- row_keys(rows)
    lacks <- lapply(keys[c("said", "version")], function(key) {
        key <- paste(key, stats::ave(key, key, here, FUN = seq_along))
        !key[here] %in% key[!here]
    })
    fresh <- lacks$version & (lacks$said | !is.na(mine$remark))
    # what is said of a pair after that is not there either
    which(stats::ave(as.numeric(fresh), keys$about[here], FUN = cummax) > 0)
}

row_bytes <- function(rows, separator, end, header) {
    lines <- c(if (header) header_line(separator),
               if (nrow(rows)) answer_lines(rows, separator))
    text <- paste0(lines, "\n", collapse = "")
    charToRaw(gsub("\n", end, text, fixed = TRUE, useBytes = TRUE))
}

# Rows below a header that a spreadsheet has changed get a header of their own.
append_rows <- function(store, held, log, rows) {
    separator <- log$header$separator %||% ","
    if (nrow(rows) || is.null(log$header)) {
        bytes <- c(if (is.null(log$header)) utf8_mark,
                   charToRaw(log$closing %||% ""),
                   row_bytes(rows, separator, log$end %||% "\n",
                             !identical(log$header$columns, log_columns)))
        trouble <- .Call(C_write_file, store$file, bytes, TRUE)
        if (!is.null(trouble)) abort_file(store$file, "written to", trouble)
        if (is.null(log$header)) {
            # not every system can flush a folder
            .Call(C_sync_folder, dirname(store$file))
        }
        held <- c(held, bytes)
        log$rows <- rbind(log$rows, rows)
        log$closing <- ""
        log$header <- list(separator = separator, columns = log_columns)
    }
    store$held <- held
    store$log <- log
}

# ---- several writers of one file ---------------------------------------------

# The log of a file that another program has changed, followed by what it lacks:
# list(answers, history, mine, fresh), the answers in force as answers_in() has
# them, all other rows, and which of `mine` are to be appended.
join_logs <- function(mine, log, about, file) {
    own <- log[!of_other_raters(log, about), ]
    fresh <- lacking_rows(mine, log, about)
    # what counts there and was not said here; answers whose implied pairs
    # changed are there twice
    said <- row_keys(rbind(own, mine))$said
    there <- seq_along(said) <= nrow(own)
    news <- own[are_in_force(own) & !said[there] %in% said[!there], ]
    fresh <- fresh[!outdone(mine[fresh, ], news, about, file)]
    mine$time[fresh] <- times_behind(mine[fresh, ], own)
    added <- fresh[!of_other_raters(mine[fresh, ], about)]
    rows <- by_time(rbind(own, mine[added, ]))
    past <- is.na(rows$superseded) & !are_in_force(rows)
    answers <- check_answers(in_force(fold_rows(rows)), about)
    tryCatch(
        check_consistent(about, answers),
        linkrank_error_contradiction = function(condition) {
            abort_linkrank("\"", file, "\" was changed by another program: ",
                           sub("^S", "s", conditionMessage(condition)),
                           class = "answers")
        }
    )
    list(answers = answers, history = rows[past, ], mine = mine, fresh = fresh)
}

# The times of rows that are appended to others: behind what these say of the
# same pair, or of names, also where the clock of who wrote that is ahead.
times_behind <- function(fresh, own) {
    rows <- rbind(own, fresh)
    about <- paste(ifelse(rows$type == "name", "name", row_keys(rows)$pair),
                   utf8_bytes(rows$rater))
    here <- seq_along(about) > nrow(own)
    newest <- tapply(own$time, about[!here], max)[about[here]]
    stats::ave(later_time(fresh$time, newest), action_runs(fresh), FUN = max)
}

# Which rows of a log are answers that count?
are_in_force <- function(rows) {
    is.na(count_rows(rows)$superseded) & !rows$type %in% other_kinds
}

# Which rows of `here` an answer in `there` takes the place of: what was changed
# or undone before it was saved, and answers that are unsure. Two that decide a
# pair differently are an error.
outdone <- function(here, there, about, file) {
    own <- !of_other_raters(here, about) & here$type != "name"
    counts <- own & are_in_force(here)
    known <- seq_len(nrow(there))
    pair <- row_keys(rbind(there, here))$pair
    there <- there[match(pair[!seq_along(pair) %in% known], pair[known]), ]
    differ <- (here$type != there$type) %in% TRUE & there$type != "unsure" &
        !there$implied %in% TRUE
    clash <- which(counts & differ & here$type != "unsure")[1L]
    if (!is.na(clash)) {
        said <- function(answer) {
            paste0("\"", answer$type, "\" (", answer$source, ", ", answer$time,
                   ")")
        }
        pair <- show_samples(c(here$i[clash], here$j[clash]), about$names)
        abort_linkrank("\"", file, "\" was changed by another program: ",
                       "samples ", pair[1L], " and ", pair[2L], " are ",
                       said(there[clash, ]), " there, but ",
                       said(here[clash, ]), " here.", class = "answers")
    }
    own & !is.na(there$type) & (differ | !counts)
}

undone_rows <- function(q, rows) {
    blank <- c(list(type = "undone", time = next_time(q)),
               log_defaults[c("confidence", "remark", "shown")])
    rows[names(blank)] <- lapply(blank, rep, nrow(rows))
    rows
}

# ---- bytes and folders -------------------------------------------------------

abort_file <- function(file, doing, reason) {
    abort_linkrank("The answers cannot be ", doing, " \"", file, "\": ",
                   reason, ".", class = "answers")
}

# The bytes of a file; NULL when it does not exist or is empty.
read_bytes <- function(file) {
    kind <- .Call(C_file_kind, file)
    if (kind == "folder") abort_file(file, "read from", "it is a folder")
    failed <- function(condition) {
        abort_file(file, "read from", disk_reason(condition))
    }
    if (kind == "file") {
        tryCatch(readBin(file, "raw", file.size(file)),
                 warning = failed, error = failed)
    }
}

# ==== changed answers =========================================================

# Undo of the last answer, change of earlier ones. The strategy's costly parts
# (its graph, distances) are not computed again.

#' @rdname answer_pair
#' @order 3
#' @export
undo_answer <- function(questionnaire) {
    q <- check_questionnaire(questionnaire)
    refuse_if(!count_answers(q),
              "There must be an answer to undo, but none has been given.")
    last <- last_answers(q)
    q <- supersede(q, last, undone = TRUE)
    at <- match(last[1L], q$answers$action)
    pair <- shown_of(q, last[1L])
    step <- q$step[[at]]
    checked <- was_checked(q$answers$shown[at])
    q <- rebuild(q, seq_len(at - 1L))
    if (q$hint) q <- rank_answers(q)
    q["finished"] <- list(NULL)
    if (checked || length(pair) > 2L && q$ask == "pairs") {
        # one of "Ask five more", or from a file of sorted samples
        return(advance(q))
    }
    set_pending(q, pair, step)
}

# Notes answers that are changed or undone in the log.
supersede <- function(q, actions, undone = FALSE) {
    answers <- answers_in(q)
    old <- answers[answers$action %in% actions, ]
    q$history <- rbind(q$history, old, if (undone) undone_rows(q, old))
    q
}

# The choices that answers to these questions mean.
changed_choices <- function(q, answer, number) {
    given <- count_answers(q)
    refuse_if(!given,
              "There must be an answer to change, but none has been given.")
    refuse_value_if(!is.numeric(number), number,
                    "`number` must be the number of an answer")
    for (one in number) check_count(one, "number", 1, given)
    refuse_if(length(answer) != length(number), "`answer` and `number` must be
              of the same length, not {length(answer)} and {length(number)}.")
    Map(function(answer, one) choice_of(q, answer, shown_of(q, one)), answer,
        number)
}

change_answers <- function(q, choices, number, said) {
    # is it what was said before? Then only the remark is new
    if (length(number) == 1L && !is.null(said$remark) &&
        identical(choices[[1L]], choice_given(q, number)))
        return(set_remark(q, number, said$remark))
    answers <- answers_in(q)
    for (t in seq_along(number)) {
        shown <- shown_of(q, number[t])
        at <- which(answers$action == number[t])
        rows <- answers[at, ]
        now <- c(choice_pairs(choices[[t]], shown),
                 list(time = next_time(q), rater = q$person), said)
        # whoever changes an answer knows what was in view before
        now$shown <- join_view(rows$shown, said$shown)
        rows[names(now)] <- now
        answers[at, ] <- rows
    }
    check_consistent(q, answers)
    with_answers(supersede(q, number), answers)
}

# `remark`: NA for none. The answer without it is kept like one that was
# changed.
set_remark <- function(q, number, remark) {
    at <- which(q$answers$action == number)
    if (!identical(q$answers$remark[at[1L]], remark)) {
        q <- supersede(q, number)
        q$answers$remark[at] <- remark
    }
    q
}

# The questionnaire as if these answers had been given from the beginning.
with_answers <- function(q, answers) replay(rebuild(q, integer()), answers)

# Changes one more answer, together with earlier pending changes (`changes`:
# choices, named by the numbers of answers). list(q, changes, changed,
# conflict): the questionnaire with all changes when they contradict nothing,
# and which were `changed`. Otherwise it is unchanged, the changes are kept, and
# `conflict` is the condition that names the contradicting answers. Used by
# every user interface.
change_until_consistent <- function(q, changes, number, choice, source,
                                    shown = NULL) {
    changes <- replace(as.list(changes), as.character(number), choice)
    numbers <- as.integer(names(changes))
    result <- tryCatch(
        change_answers(q, changes, numbers, list(
            source = source, confidence = NA_real_, shown = shown
        )), linkrank_error_contradiction = identity)
    if (inherits(result, "condition"))
        return(list(q = q, changes = changes, conflict = result))
    list(q = result, changed = toString(sort(numbers)))
}
