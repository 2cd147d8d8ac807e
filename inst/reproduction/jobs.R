# Runs jobs on two cores, stores every run, and classifies the rows.

# ---- stored runs ------------------------------------------------------------

open_cache <- function() {
    home <- Sys.getenv("REPRODUCTION_CACHE",
                       tools::R_user_dir("linkrank", "cache"))
    version <- as.character(utils::packageVersion("linkrank"))
    place <- file.path(home, paste0("reproduction-", version))
    dir.create(place, recursive = TRUE, showWarnings = FALSE)
    list(place = place)
}

# Runs belong to a version of the package and to the code that made them: what
# `one` calls and reads in these scripts, through all levels. Comments and the
# numbers of runs do not count.
code_of <- function(made) {
    text <- seen <- character()
    left <- list(made)
    while (length(left)) {
        made <- left[[1L]]
        left <- left[-1L]
        text <- c(text, deparse(formals(made)), deparse(body(made)))
        for (name in setdiff(globals_of(made), seen)) {
            found <- get0(name, environment(made), inherits = TRUE)
            seen <- c(seen, name)
            if (is_own(found)) {
                left <- c(left, found)
            } else if (!is.function(found)) {
                text <- c(text, name, deparse(found))
            }
        }
    }
    text
}

globals_of <- local({
    known <- list()
    function(made) {
        text <- paste(deparse(made), collapse = "\n")
        if (is.null(known[[text]])) {
            known[[text]] <<- codetools::findGlobals(made)
        }
        known[[text]]
    }
})

is_own <- function(found) {
    is.function(found) && !is.primitive(found) &&
        identical(topenv(environment(found)), globalenv())
}

code_key <- function(job) {
    file <- tempfile()
    on.exit(unlink(file))
    writeLines(code_of(job$one), file)
    substr(unname(tools::md5sum(file)), 1L, 12L)
}

cache_file <- function(job, cache) {
    file.path(cache$place,
              paste0(job$paper, "-", job$name, "-", job$key, ".rds"))
}

kept_runs <- function(job, cache) {
    file <- cache_file(job, cache)
    if (file.exists(file)) readRDS(file) else list()
}

keep_runs <- function(runs, job, cache) {
    file <- cache_file(job, cache)
    beside <- paste0(file, ".", Sys.getpid())
    saveRDS(runs, beside)
    file.rename(beside, file)
}

# ---- running ----------------------------------------------------------------

can_run <- function(job) all(vapply(job$data, has_set, NA))

runs_left <- function(job, mode, cache) {
    if (!can_run(job)) {
        return(0)
    }
    max(0, job$runs[[mode]] - length(kept_runs(job, cache)))
}

# A seed per run: what a run finds depends on neither the order nor the cores.
finish_job <- function(job, mode, cache) {
    runs <- kept_runs(job, cache)
    saved <- proc.time()[["elapsed"]]
    while (length(runs) < job$runs[[mode]]) {
        set.seed(1000L + length(runs))
        runs[[length(runs) + 1L]] <- job$one(length(runs) + 1L)
        if (proc.time()[["elapsed"]] - saved > 10) {
            keep_runs(runs, job, cache)
            saved <- proc.time()[["elapsed"]]
        }
    }
    keep_runs(runs, job, cache)
}

run_jobs <- function(jobs, mode, cache) {
    left <- vapply(jobs, runs_left, 0, mode = mode, cache = cache)
    seconds <- left * vapply(jobs, `[[`, 0, "seconds")
    todo <- order(seconds)
    todo <- todo[left[todo] > 0]
    cores <- cores_at_hand()
    message(length(todo), " of ", length(jobs), " jobs to run, ", mode,
            ", on ", cores, if (cores == 1L) " core" else " cores")
    walk_jobs(jobs, todo, seconds, cores, mode, cache)
}

cores_at_hand <- function() {
    if (.Platform$OS.type == "windows") {
        return(1L)
    }
    asked <- Sys.getenv("REPRODUCTION_CORES", "2")
    max(1L, min(as.integer(asked), parallel::detectCores()))
}

# Children take the jobs one by one, the shortest first: a call that is stopped
# leaves the most rows.
walk_jobs <- function(jobs, todo, seconds, cores, mode, cache) {
    started <- proc.time()[["elapsed"]]
    total <- sum(seconds[todo])
    running <- list()
    on.exit(lapply(running, function(child) tools::pskill(child$pid)))
    done <- 0
    while (length(todo) || length(running)) {
        while (length(todo) && length(running) < cores) {
            at <- todo[1L]
            todo <- todo[-1L]
            child <- start_job(jobs[[at]], mode, cache)
            child$at <- at
            running[[as.character(child$pid)]] <- child
        }
        ended <- wait_for(running)
        done <- done + sum(seconds[vapply(running[ended], `[[`, 0L, "at")])
        for (child in running[ended]) tell_end(child, jobs[[child$at]])
        running[ended] <- NULL
        tell_left(started, done, total)
    }
}

start_job <- function(job, mode, cache) {
    parallel::mcparallel(tryCatch({
        finish_job(job, mode, cache)
        "done"
    }, error = function(condition) conditionMessage(condition)))
}

wait_for <- function(running) {
    repeat {
        found <- parallel::mccollect(running, wait = FALSE, timeout = 1)
        if (length(found)) {
            failed <- Filter(function(text) !identical(text, "done"), found)
            for (text in failed) message("A job stopped: ", text)
            return(names(running) %in% names(found))
        }
    }
}

tell_end <- function(child, job) {
    message("  ", job$paper, " ", job$name)
}

tell_left <- function(started, done, total) {
    spent <- proc.time()[["elapsed"]] - started
    if (done > 0 && done < total) {
        minutes <- spent * (total - done) / done / 60
        message(sprintf("%3.0f %% done, about %.0f minutes left",
                        100 * done / total, ceiling(minutes)))
    }
}

# ---- classification of rows -------------------------------------------------

judge_rows <- function(published, jobs, mode, cache) {
    told <- list()
    for (job in jobs) {
        runs <- kept_runs(job, cache)
        if (length(runs)) {
            told <- c(told, job$tell(runs))
        }
    }
    ready <- Filter(can_run, jobs)
    at_hand <- vapply(ready, function(job) {
        paste(job$paper, data_label(job))
    }, "")
    absent <- !paste(published$paper, published$data) %in% at_hand
    published$digits <- printed_digits(published)
    rows <- lapply(seq_len(nrow(published)), function(i) {
        judge_row(published[i, ], told[[published$id[i]]], absent[i])
    })
    results <- do.call(rbind, rows)
    attr(results, "curves") <- Filter(Negate(is.null), lapply(told, `[[`,
                                                              "curve"))
    results
}

# Zeros at the end are not always printed: the digits of a column are those of its
# longest number.
printed_digits <- function(published) {
    own <- nchar(sub("^[^.]*\\.?", "", published$published))
    column <- paste(published$paper, published$table, published$metric)
    stats::ave(own, column, FUN = max)
}

# The papers' name of a set, where several sizes of it exist.
data_label <- function(job) {
    if (length(job$data)) sub(" (2310|64 x 64)$", "", job$data) else job$name
}

judge_row <- function(row, told, absent) {
    ours <- list(ours = NA_real_, se = NA_real_, difference = NA_real_,
                 ours_d = NA_real_, ours_runs = 0L)
    verdict <- if (row$expected == "not run") "not run" else if (absent)
        "no data" else "not run"
    if (!is.null(told)) {
        ours <- measure(row, told)
        verdict <- verdict_of(row, ours)
    }
    why <- row$reason
    if (verdict == "not run" && !nzchar(why)) {
        why <- "only in a full run"
    }
    cbind(row[setdiff(names(row), c("reason", "digits"))], ours, verdict = verdict,
          why = why)
}

# The error of a printed mean is its printed spread over its runs; where no
# spread is printed, ours at the printed number of features. With fewer than twenty runs of ours, the larger of the
# two spreads counts for both; and when all of them gave one number, though the
# paper's need not have, the printed number counts as one more.
measure <- function(row, told) {
    values <- told$values
    runs <- length(values)
    published <- as.numeric(row$published)
    printed <- suppressWarnings(as.numeric(row$published_sd))
    printed_runs <- as.numeric(row$runs)
    spread <- if (runs > 1L) round(stats::sd(values), 9L) else NA
    used <- spread
    if (runs > 1L && runs < 20L && printed_runs > 1) {
        if (spread == 0) {
            used <- stats::sd(c(values, published))
        }
        used <- max(used, printed, na.rm = TRUE)
    }
    if (is.na(printed)) {
        printed <- spread_at(told, row$published_d, used)
    }
    both <- sqrt(sum(c(used^2 / runs, printed^2 / printed_runs), na.rm = TRUE))
    away <- mean(values) - published
    list(ours = mean(values), se = spread / sqrt(runs),
         difference = if (both > 0) away / both else NA_real_,
         ours_d = if (is.null(told[["d"]])) NA_real_ else told[["d"]],
         ours_runs = runs)
}

spread_at <- function(told, features, otherwise) {
    at <- match(as.numeric(features), told$curve$d)
    error <- told$curve$se[at]
    if (length(error) == 1L && !is.na(error)) {
        error * sqrt(length(told$values))
    } else {
        otherwise
    }
}

# A number without an error agrees when it is the printed one, rounded or cut.
# The limits are those of two and three standard errors of a normal number; of
# few runs, those of Student's t that are as likely.
verdict_of <- function(row, ours) {
    if (row$expected == "time") {
        return("time")
    }
    if (is_printed(ours$ours, as.numeric(row$published), row$digits)) {
        return("exact")
    }
    size <- abs(ours$difference)
    freedom <- if (ours$ours_runs > 1L) ours$ours_runs - 1L else Inf
    limits <- stats::qt(stats::pnorm(2:3), freedom)
    if (is.na(size) || size > limits[2L]) {
        "differs"
    } else if (size <= limits[1L]) {
        "within 2 se"
    } else {
        "close"
    }
}

is_printed <- function(ours, published, digits) {
    times <- round(ours * 10^digits, 6L)
    round(published * 10^digits) %in% c(floor(times), floor(times + 0.5))
}
