# The file of answers on disk is a log: an action is appended in one write, what
# is in the file is never changed. Of one rater and pair the last row counts: an
# answer that was undone or changed is a further row. Before rows are appended,
# those that another program has appended are taken over.

#' @rdname questionnaire
#' @order 7
#' @export
read_answers <- function(file, history = FALSE) {
    check_file_name(file)
    check_flag(history, "history")
    bytes <- read_bytes(file)
    refuse_if(is.null(bytes), "`file` must be the name of a file of answers, ",
              "but \"", file, "\" does not exist.", class = "answers")
    log <- parse_answers(bytes, file)
    rows <- fold_rows(log$rows)
    answers <- drop_unused(all_columns(if (history) rows else in_force(rows)))
    rownames(answers) <- NULL
    attr(answers, "damaged") <- log$damaged
    named <- name_rows(log$rows)
    last <- !duplicated(named[c("sample", "rater")], fromLast = TRUE)
    attr(answers, "group_names") <- if (any(last)) named[last, ]
    answers
}

#' @rdname questionnaire
#' @order 6
#' @export
write_answers <- function(questionnaire, file) {
    check_given(questionnaire, "what questionnaire() made")
    store <- answer_store(check_file_name(file))
    if (inherits(questionnaire, "active_constraints")) {
        # as answer_table() gives it
        asked <- questionnaire$questions
        asked <- asked[!is.na(asked$question), ]
        asked$action <- asked$question
        save_table(drop_unused(all_columns(asked)), questionnaire, store)
    } else {
        save_answers(check_questionnaire(questionnaire), store)
    }
    invisible(file)
}

check_file_name <- function(file) {
    check_given(file, "the name of a file")
    refuse_if(!is_text(file) ||
                  file == "", "`file` must be the name of a file, not ",
              describe_value(file), ".", class = "argument")
    file
}

# ---- the file of a user interface --------------------------------------------

# The file's name, its bytes when it was last read or written (NULL for no
# file), and what they hold, see parse_answers().
answer_store <- function(file) {
    if (!is.null(file)) {
        list2env(list(file = file, held = NULL, log = list(rows = no_rows())),
                 parent = emptyenv())
    }
}

# Afterwards the file and the returned questionnaire hold every answer of both.
# If the file cannot be written, the error holds the questionnaire.
save_answers <- function(q, store) {
    if (is.null(store)) {
        return(q)
    }
    answers <- answer_table(q)
    all <- tryCatch(
        suspendInterrupts(save_table(answers, q, store)),
        linkrank_error_answers = function(condition) {
            condition$questionnaire <- q
            stop(condition)
        }
    )
    q <- take_group_names(q, attr(all, "group_names"))
    attr(all, "group_names") <- NULL
    if (identical(all, answers)) q else with_answers(q, all)
}

# `about`: a questionnaire or list(samples, names). Returns all answers, with
# the names of groups in the file.
save_table <- function(answers, about, store) {
    bytes <- read_bytes(store$file)
    changed <- !identical(bytes, store$held)
    log <- if (!changed) {
        store$log
    } else if (length(bytes)) {
        parse_answers(bytes, store$file)
    } else {
        list(rows = no_rows())
    }
    own <- log$rows[!of_other_raters(log$rows, about), ]
    rows <- own[own$type != "name", ]
    gone <- about$superseded %||% no_rows()
    all <- if (changed) {
        join_answers(answers, rows, gone, about, store$file)
    } else {
        answers
    }
    append_rows(store, bytes, log, rbind(rater_rows(about, all, log$rows),
                                         new_rows(all, rows, gone),
                                         new_names(about, own)))
    attr(all, "group_names") <- name_rows(own)
    all
}

no_rows <- function() {
    rows <- all_columns(empty_answers())
    rows$superseded <- character()
    rows
}

# Two people may decide a pair differently: the rows of both stay in the file, as
# do those of raters whose disputes are settled.
of_other_raters <- function(rows, about) {
    person <- about$person %||% NA
    !is.na(rows$rater) & (!is.na(person) & rows$rater != person |
                              rows$rater %in% about$said$rater)
}

# The rows of a questionnaire in a file of its own, as bytes.
log_bytes <- function(q) {
    all <- answer_table(q)
    rows <- new_rows(all_columns(all), no_rows(), q$superseded)
    c(utf8_mark, row_bytes(rbind(rater_rows(q, all, no_rows()), rows,
                                 new_names(q, no_rows())), ",", "\n"))
}

row_bytes <- function(rows, separator, end, header = TRUE) {
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
        trouble <- .Call(C_append_file, store$file, bytes)
        if (!is.null(trouble)) {
            abort_file(store$file, "written to", trouble)
        }
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

# All answers: those of the file that are in force, and those that only R has.
# `gone`: what was undone or changed in R, which is not read back.
join_answers <- function(here, rows, gone, about, file) {
    given <- here
    here <- all_columns(here)
    there <- all_columns(check_answer_table(in_force(fold_rows(rows)), about))
    key <- stats::setNames(keys_of(here, there, rows, gone),
                           c("here", "there", "rows", "gone"))
    version <- lapply(key, `[[`, "version")
    # another program has changed or undone what it found in the file
    stays <- !version$here %in% version$rows |
        version$here %in% c(version$there, version$gone)
    new <- !version$there %in% c(version$here, version$gone)
    if (all(stays) && !any(new)) {
        return(given)
    }
    here <- here[stays, ]
    at <- match(key$there$slot, key$here$slot[stays])
    both <- which(new & !is.na(at))
    # unsure contradicts nothing: the other answer stays
    differ <- there$type[both] != here$type[at[both]]
    weak <- differ & (there$type[both] == "unsure" | there$implied[both])
    clash <- both[differ & !weak & here$type[at[both]] != "unsure"]
    if (length(clash)) {
        abort_two_raters(here[at[clash[1L]], ], there[clash[1L], ], about, file)
    }
    taken <- both[!weak]
    # a remark may have been added here
    bare <- taken[is.na(there$remark[taken])]
    there$remark[bare] <- here$remark[at[bare]]
    fields <- setdiff(log_columns, "action")
    here[at[taken], fields] <- there[taken, fields]
    there$action <- there$action + max(here$action, 0L)
    # in the order of the file, then those that only R has
    new <- which(new & is.na(at))
    place <- match(key$here$pair[stays], key$there$pair)
    place[is.na(place)] <- Inf
    order <- order(c(place, new))
    all <- rbind(here, there[new, ])[order, ]
    own <- order <= nrow(here)
    all <- drop_unused(all_columns(all))
    rownames(all) <- NULL
    tryCatch(
        check_consistent(about, all),
        linkrank_error_contradiction = function(condition) {
            abort_joined_chain(condition, all, own, about, file)
        }
    )
    all
}

# The rows that the file lacks: answers that were undone or changed before they
# were written; whole actions; and what else of `gone` still counts there, which
# is undone.
new_rows <- function(all, rows, gone) {
    all <- all_columns(all)
    all$superseded <- rep(NA_character_, nrow(all))
    when <- gone$superseded
    gone$superseded <- rep(NA_character_, nrow(gone))
    version <- lapply(keys_of(rows, all, gone), `[[`, "version")
    late <- !version[[3L]] %in% version[[1L]]
    log <- rbind(rows, gone[late, names(rows)])
    said <- c(version[[1L]], version[[3L]][late])
    counts <- function(log) is.na(count_rows(log)$superseded)
    due <- all$action %in%
        all$action[!version[[2L]] %in% said[counts(log)]]
    log <- rbind(log, all[due, names(rows)])
    said <- c(said, version[[2L]][due])
    open <- which(counts(log) & said %in% setdiff(version[[3L]],
                                                  version[[2L]]))
    undone <- undone_rows(log[open, ], when[match(said[open], version[[3L]],
                                                  nomatch = 0L)])
    rbind(log[seq_len(nrow(log)) > nrow(rows), ], undone)
}

undone_rows <- function(rows, time) {
    blank <- c(type = "undone", column_defaults[c("confidence", "remark",
                                                  "shown")])
    rows[names(blank)] <- lapply(blank, rep, nrow(rows))
    rows$time <- rep_len(time, nrow(rows))
    rows
}

abort_two_raters <- function(here, there, about, file) {
    said <- function(answer) {
        paste0("\"", answer$type, "\" (", answer$source, ", ", answer$time,
               ")")
    }
    abort_linkrank("\"", file, "\" was changed by another program: samples ",
                   show_sample(here$i, about$names), " and ",
                   show_sample(here$j, about$names), " are ", said(there),
                   " there, but ", said(here), " here.", class = "answers")
}

# No pair was answered differently, but together the answers contradict each
# other.
abort_joined_chain <- function(condition, all, own, about, file) {
    path <- condition$path
    link <- function(a, b) {
        at <- match(pair_key(a, b, about$samples),
                    pair_key(all$i, all$j, about$samples))
        paste0(show_sample(a, about$names), "-", show_sample(b, about$names),
               c(" there", " here", " of others")[
                   if (is.na(at)) 3L else 1L + own[at]])
    }
    last <- length(path)
    chain <- vapply(seq_len(last - 1L), function(k) {
        link(path[k], path[k + 1L])
    }, "")
    if (length(chain) > 6L) {
        chain <- c(chain[1:3], paste(length(chain) - 6L, "more"),
                   utils::tail(chain, 3L))
    }
    abort_linkrank("\"", file, "\" was changed by another program: the ",
                   "cannot-link ", link(path[1L], path[last]),
                   " contradicts a chain of must-links (",
                   paste(chain, collapse = ", "), ").", class = "answers")
}

# ---- bytes and folders -------------------------------------------------------

# An error of R about a file as a linkrank error with its name and reason.
with_file <- function(file, doing, work) {
    failed <- function(condition) {
        if (inherits(condition, "linkrank_error")) {
            stop(condition)
        }
        # "cannot open file 'a.csv': Permission denied" ends with the reason.
        message <- conditionMessage(condition)
        message <- sub("^.*reason '(.*)'$", "\\1", message)
        abort_file(file, doing, trimws(sub("^.*: +", "", message)))
    }
    tryCatch(work, warning = failed, error = failed)
}

abort_file <- function(file, doing, reason) {
    abort_linkrank("The answers cannot be ", doing, " \"", file, "\": ",
                   reason, ".", class = "answers")
}

file_kind <- function(file) .Call(C_file_kind, file)

# The bytes of a file; NULL when it does not exist or is empty.
read_bytes <- function(file) {
    kind <- file_kind(file)
    if (kind == "folder") {
        abort_file(file, "read from", "it is a folder")
    }
    if (kind == "file") {
        with_file(file, "read from", readBin(file, "raw", file.size(file)))
    }
}
