# Runs jobs on two cores and stores every run.

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

# saveRDS() does not report a full disk: what is kept stays as it was.
keep_runs <- function(runs, job, cache) {
    file <- cache_file(job, cache)
    beside <- paste0(file, ".", Sys.getpid())
    on.exit(unlink(beside))
    write_file(beside, serialize(runs, NULL))
    file.rename(beside, file)
}

# Writes the bytes or lines whole, or stops with the name of the disk.
write_file <- function(file, content) {
    if (is.character(content)) {
        content <- charToRaw(paste0(content, "\n", collapse = ""))
    }
    linkrank:::write_checked(file, content, paste("The file", basename(file)))
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

# A process takes the jobs one by one, the shortest first: a call that is
# stopped leaves the most rows.
run_jobs <- function(jobs, mode, cache) {
    left <- vapply(jobs, runs_left, 0, mode = mode, cache = cache)
    seconds <- left * vapply(jobs, `[[`, 0, "seconds")
    todo <- order(seconds)
    todo <- todo[left[todo] > 0]
    share <- cumsum(seconds[todo]) / sum(seconds)
    cores <- cores_at_hand()
    message(length(todo), " of ", length(jobs), " jobs to run, ", mode,
            ", on ", cores, if (cores == 1L) " core" else " cores")
    started <- proc.time()[["elapsed"]]
    parallel::mclapply(seq_along(todo), function(k) {
        job <- jobs[[todo[k]]]
        tryCatch(finish_job(job, mode, cache), error = function(condition) {
            message("A job stopped: ", conditionMessage(condition))
        })
        spent <- proc.time()[["elapsed"]] - started
        message(sprintf("  %s %s: %.0f %% done, about %.0f minutes left",
                        job$paper, job$name, 100 * share[k],
                        ceiling(spent * (1 / share[k] - 1) / 60)))
    }, mc.cores = cores, mc.preschedule = FALSE)
}

cores_at_hand <- function() {
    if (.Platform$OS.type == "windows") {
        return(1L)
    }
    asked <- Sys.getenv("REPRODUCTION_CORES", "2")
    max(1L, min(as.integer(asked), parallel::detectCores()))
}
