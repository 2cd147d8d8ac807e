# The file of answers on disk. A file is never changed in place: a complete new
# file is written in the same folder, flushed to disk, read back and renamed.
# Before that the file is read, and answers that another program has written
# meanwhile are merged with those given here.

#' @rdname questionnaire
#' @order 7
#' @export
read_answers <- function(file, history = FALSE) {
    check_file_name(file)
    check_flag(history, "history")
    bytes <- read_bytes(file)
    refuse_if(is.null(bytes), "`file` must be the name of a file of answers, ",
              "but \"", file, "\" does not exist.", class = "answers")
    found <- parse_answers(bytes, file)
    answers <- if (history) found$answers else in_force(found$answers)
    rownames(answers) <- NULL
    attr(answers, "damaged") <- found$damaged
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
        save_table(drop_unused(all_columns(asked)), empty_answers(),
                   questionnaire, store)
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

# The file's name and its bytes when it was last read or written; NULL for no
# file.
answer_store <- function(file) {
    if (is.null(file)) {
        return(NULL)
    }
    list2env(list(file = file, held = NULL, comments = character(),
                  others = NULL, history = NULL),
             parent = emptyenv())
}

# Merges the file and the questionnaire: afterwards the file and the returned
# questionnaire hold every answer. If the file cannot be written, the error
# holds the questionnaire.
save_answers <- function(q, store) {
    if (is.null(store)) {
        return(q)
    }
    answers <- answer_table(q)
    all <- tryCatch(
        suspendInterrupts(save_table(answers, q$superseded, q, store)),
        linkrank_error_answers = function(condition) {
            condition$questionnaire <- q
            stop(condition)
        }
    )
    if (identical(all, answers)) q else with_answers(q, all)
}

# `superseded`: answers that were undone or changed here; `about`:
# list(samples, names). Returns all answers.
save_table <- function(answers, superseded, about, store) {
    with_lock(store$file, merge_table(answers, superseded, about, store))
}

# Another program may write the file while this one prepares its own: then that
# file is read, too.
merge_table <- function(answers, superseded, about, store) {
    for (attempt in 1:20) {
        held <- read_bytes(store$file)
        if (length(held) && !identical(held, store$held)) {
            answers <- join_file(held, answers, superseded, about, store)
        }
        bytes <- file_bytes(answers, superseded, store)
        if (identical(bytes, held) ||
            replace_file(store$file, bytes, held)) {
            store$held <- bytes
            return(answers)
        }
    }
    abort_file(store$file, "written to",
               "another program writes it again and again")
}

# These answers and those in the bytes of the file, whose other content is noted
# in `store`.
join_file <- function(held, answers, superseded, about, store) {
    found <- parse_answers(held, store$file)
    store$history <- found$answers[which(!is.na(
        found$answers[["superseded"]])), ]
    given <- in_force(found$answers)
    other <- of_other_raters(given, about)
    there <- check_answer_table(given[!other, ], about)
    answers <- join_answers(answers, there, superseded, about, store$file)
    # these answers, and those about samples that are gone, stay in the file
    kept <- attr(there, "others")
    store$others <- if (any(other)) {
        bind_answers(given[other, ], kept)
    } else {
        kept
    }
    # A damaged last line stays in the file as a comment.
    store$comments <- c(found$comments, if (!is.null(found$damaged)) {
        lines <- strsplit(utf8_bytes(found$damaged), "\n", fixed = TRUE,
                          useBytes = TRUE)[[1L]]
        paste(c("# damaged:", rep("#", length(lines) - 1L)), lines)
    })
    answers
}

# A whole file: these answers, and what is in the file besides.
file_bytes <- function(answers, superseded, store) {
    all <- bind_answers(answers, store$others)
    answer_bytes(bind_answers(all, all_history(store$history, superseded)),
                 store$comments)
}

# What was superseded, in the file or here, once.
all_history <- function(there, here) {
    if (!NROW(there) && !nrow(here)) {
        return(NULL)
    }
    all <- bind_answers(here[0L, ], there)
    known <- paste(version_of(all, TRUE), all$superseded)
    new <- !paste(version_of(here), here$superseded) %in% known
    drop_unused(all_columns(bind_answers(all, here[new, ])))
}

# Which answer a row is, whoever reads it: the names, what was said, when and by
# whom. `both`: also with the two samples the other way round.
version_of <- function(answers, both = FALSE) {
    label <- function(name, number) {
        name <- utf8_bytes(name)
        ifelse(name == "", number, name)
    }
    rater <- if (is.null(answers$rater)) rep(NA, nrow(answers)) else
        utf8_bytes(answers$rater)
    first <- label(answers$name_i, answers$i)
    second <- label(answers$name_j, answers$j)
    rest <- paste(answers$type, answers$time, answers$source, rater)
    c(paste(first, second, rest), if (both) paste(second, first, rest))
}

# Two people may decide a pair differently: the rows of both stay in the file.
of_other_raters <- function(answers, about) {
    person <- about$person
    if (is.null(person) || is.na(person) || is.null(answers$rater)) {
        return(rep(FALSE, nrow(answers)))
    }
    !is.na(answers$rater) & answers$rater != person
}

# One program at a time: making a folder is one step, and it fails where the
# folder is there. One that was not used for long was left by a program that
# was killed.
with_lock <- function(file, work, patience = 5, forgotten = 30) {
    target <- file_behind(file)
    if (file_kind(target) == "device" ||
        file.access(dirname(target), 2L) != 0L) {
        return(work)
    }
    lock <- paste0(target, ".lock")
    begin <- Sys.time()
    missed <- 0L
    while (!dir.create(lock, showWarnings = FALSE)) {
        age <- difftime(Sys.time(), file.mtime(lock), units = "secs")
        if (isTRUE(age > forgotten)) {
            unlink(lock, recursive = TRUE)
        } else if (!dir.exists(lock)) {
            # just removed, or the disk is full: then writing says so
            missed <- missed + 1L
            if (missed > 20L) {
                return(work)
            }
        } else if (difftime(Sys.time(), begin, units = "secs") > patience) {
            abort_file(file, "written to", paste0(
                "another program is writing it (folder \"", basename(lock),
                "\", which is removed ", forgotten, " seconds after its ",
                "program was killed)"))
        } else {
            Sys.sleep(0.02)
        }
    }
    on.exit(unlink(lock, recursive = TRUE))
    work
}

# ---- several writers of one file ---------------------------------------------

# All answers: those that both have, those that only the file has, those that
# only R has, each in their order. Answers that were undone or changed in R
# (`superseded`) are not read back from the file.
join_answers <- function(here, there, superseded, about, file) {
    here <- all_columns(here)
    there <- all_columns(there)
    there$action <- there$action + max(here$action, 0L)
    # a repeated question is another one, and so is what only follows
    key <- function(answers) {
        pair_key(answers$i, answers$j, about$samples) + answers$repeated / 2 +
            answers$implied / 4
    }
    shared <- key(here) %in% key(there)
    there <- there[!version_of(there) %in% version_of(superseded, TRUE), ]
    at <- match(key(there), key(here))
    both <- !is.na(at)
    # unsure contradicts nothing: the other answer stays
    gains <- which(both & there$type != "unsure" & here$type[at] == "unsure")
    fields <- setdiff(names(there), "action")
    here[at[gains], fields] <- there[gains, fields]
    # a remark may have been added to the file
    new <- which(both & !is.na(there$remark) & is.na(here$remark[at]))
    here$remark[at[new]] <- there$remark[new]
    differ <- which(both & there$type != here$type[at] &
                        there$type != "unsure" & !there$implied)
    if (length(differ)) {
        abort_two_raters(here[at[differ[1L]], ], there[differ[1L], ], about,
                         file)
    }
    all <- drop_unused(all_columns(rbind(here[shared, ], there[!both, ],
                                         here[!shared, ])))
    rownames(all) <- NULL
    tryCatch(
        check_consistent(about, all),
        linkrank_error_contradiction = function(condition) {
            own <- key(all_columns(all)) %in% key(here)
            abort_joined_chain(condition, all, own, about, file)
        }
    )
    all
}

# Rows below each other, where either may have columns that the other lacks.
bind_answers <- function(answers, more) {
    if (is.null(more)) {
        return(answers)
    }
    names <- union(names(answers), names(more))
    full <- function(table) {
        count <- nrow(table)
        for (name in setdiff(names, names(table))) {
            table[[name]] <- rep(NA, count)
        }
        table[names]
    }
    rbind(full(answers), full(more))
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
               if (own[at]) " here" else " there")
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

# FALSE, with nothing done, if the file does not hold the bytes `held` any more.
replace_file <- function(file, bytes, held) {
    with_file(file, "written to", {
        target <- file_behind(file)
        kind <- file_kind(target)
        if (kind == "device") {
            write_bytes(target, bytes, file)
            TRUE
        } else {
            if (kind == "file" && file.access(target, 2L) != 0L) {
                abort_file(file, "written to", "it is read-only")
            }
            put_in_place(target, bytes, held, file)
        }
    })
}

# A process that is killed during this leaves the old file, and perhaps a new
# one beside it, which the next call removes.
put_in_place <- function(target, bytes, held, file) {
    left <- list.files(dirname(target), "[.][0-9a-f]{8,}[.]new$")
    left <- left[sub("[.][^.]+[.]new$", "", left) == basename(target)]
    unlink(file.path(dirname(target), left))
    beside <- tempfile(paste0(basename(target), "."), dirname(target), ".new")
    on.exit(unlink(beside))
    write_bytes(beside, bytes, file)
    if (!identical(readBin(beside, "raw", file.size(beside)), bytes)) {
        abort_file(file, "written to", "its content was not written correctly")
    }
    if (!identical(read_bytes(target), held)) {
        return(FALSE)
    }
    if (!is.null(held)) {
        Sys.chmod(beside, file.mode(target), use_umask = FALSE)
    }
    if (!file.rename(beside, target)) {
        abort_file(file, "written to", "it cannot be replaced")
    }
    # not every system can flush a folder
    .Call(C_sync_folder, dirname(target))
    TRUE
}

# `file` is the name that the user gave.
write_bytes <- function(target, bytes, file) {
    trouble <- .Call(C_write_file, target, bytes)
    if (!is.null(trouble)) {
        abort_file(file, "written to", trouble)
    }
}

# The target of a symbolic link: the link is kept.
file_behind <- function(file) {
    file <- path.expand(file)
    for (step in seq_len(40L)) {
        link <- Sys.readlink(file)
        if (is.na(link) || link == "") {
            return(file)
        }
        file <- if (startsWith(link, "/")) link else
            file.path(dirname(file), link)
    }
    abort_file(file, "written to", "its symbolic links form a circle")
}
