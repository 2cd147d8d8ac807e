# Independent tasks, in this process or on workers. With any back end a task
# gets the same arguments and the same random numbers, and the results are in
# the order of the tasks; and one task in a second process.

#' Run a call in parallel
#'
#' Argument `BPPARAM` runs the independent tasks of a call (rankings of an
#' ensemble, splits, permutations) on the cores of this computer, on several
#' computers, or as jobs of a cluster.
#'
#' @name workers
#'
#' @details *`BPPARAM`* is `NULL` (one after the other in this process) or an
#' object of package \pkg{BiocParallel}:
#'
#' ```
#' ensemble_ranking(x, links, BPPARAM = BiocParallel::MulticoreParam(4))
#'
#' slurm <- BiocParallel::BatchtoolsParam(
#'     workers = 20, cluster = "slurm", template = "slurm.tmpl",
#'     registryargs = BiocParallel::batchtoolsRegistryargs(
#'         file.dir = tempfile("registry", "."), work.dir = "."
#'     )
#' )
#' ensemble_ranking(x, links, BPPARAM = slurm)
#' ```
#'
#' Workers load this package, which must be in a library that they search: new R
#' processes, such as those of a `SnowParam`, know `R_LIBS` but not the
#' `.libPaths()` of this session. In a function of yours write `package::`
#' before functions of other packages. Inside a `MulticoreParam` every task uses
#' one thread.
#'
#' *Results are not stored*: a call that is killed begins anew. To keep results,
#' make each call a target of package \pkg{targets}:
#'
#' ```
#' # _targets.R
#' library(targets)
#' list(
#'     tar_target(links, readRDS("links.rds")),
#'     tar_target(genes, linkrank::glean(readRDS("x.rds"), links)),
#'     tar_target(stable, linkrank::ranking_stability(readRDS("x.rds"), links))
#' )
#' ```
#'
#' *Random numbers.* Each task has its own stream (L'Ecuyer's generator), drawn
#' in the calling process: `set.seed()` reproduces the result on any workers. No
#' result depends on `BPPARAM`.
#'
#' *Warnings* of the tasks are given at the end, identical ones once.
#'
#' *Memory.* Each worker holds a copy of the data; of an assay on disk only the
#' path is sent.
#'
#' @section Errors: `linkrank_error_workers` when a worker was lost or could not
#'   start. An error in a task is an error of the call.
#'   `linkrank_error_argument` for another kind of `BPPARAM`;
#'   `linkrank_error_package` without \pkg{BiocParallel}.
#'
#' @param BPPARAM A BiocParallelParam object; `NULL` for this process.
#' @seealso [ensemble_ranking()], [ranking_stability()], [evaluate_method()],
#'   [relieff_sc()], [feature_graph()], [fcrsc()]
NULL

# Results of work(task, shared) for each task, in their order.
#   tasks    a list: the data of each task
#   work     a function of this namespace, which takes no data to the workers
#   shared   the data of all tasks
#   workers  from check_workers()
#   label    c(task, unit), for the line of progress: c("Ensemble", "rankings")
#   random   do tasks draw random numbers? Else R's are left alone.
spread <- function(tasks, work, shared, workers, label, progress = FALSE,
                   random = TRUE) {
    streams <- if (random) task_streams(length(tasks)) else list(NULL)
    tasks <- Map(function(task, stream) list(task = task, stream = stream),
                 unname(tasks), streams)
    give_results(run_tasks(tasks, work, shared, workers, label, progress),
                 label[2L])
}

# Seeds of separate streams of L'Ecuyer-CMRG, each 2^127 numbers after the
# previous one, from six numbers below both of its moduli.
task_streams <- function(count) {
    stream <- c(10407L, sample.int(2^31 - 2^16, 6L, replace = TRUE))
    streams <- vector("list", count)
    for (i in seq_len(count)) {
        streams[[i]] <- stream
        stream <- parallel::nextRNGStream(stream)
    }
    streams
}

# ---- running -----------------------------------------------------------------

# One outcome per task: list(value, warnings), list(error), or NULL if the
# worker was lost.
run_tasks <- function(tasks, work, shared, workers, label, progress) {
    if (is.null(workers)) {
        run <- function(task) run_task(task, work, shared)
        return(lapply_progress(tasks, run, label, progress))
    }
    call <- basename(tempfile("call"))
    tokens <- paste(call, seq_along(tasks))
    tasks <- Map(c, tasks, token = tokens)
    # a back end may draw random numbers itself
    results <- keep_random_state(tryCatch(
        BiocParallel::bplapply(tasks, run_task, work = work, shared = shared,
                               attached = is_attached(), BPPARAM = workers),
        error = function(condition) {
            # Forked workers that go on after another one was killed would
            # answer later calls with results of this one: 48 of 48 calls of
            # relieff_sc() had none of their own (BiocParallel 1.32).
            if (methods::is(workers, "MulticoreParam"))
                suppressWarnings(asNamespace("parallel")$mccollect())
            lost_tasks(condition, length(tasks))
        }
    ))
    # after a worker was killed, BiocParallel may return results of an earlier
    # call
    answered <- mapply(function(outcome, token) identical(outcome$token, token),
                       results, tokens)
    results[!answered] <- list(NULL)
    results
}

lost_tasks <- function(condition, count) {
    results <- tryCatch(BiocParallel::bpresult(condition),
                        error = function(condition) NULL)
    # The message of the first task that failed on a worker; else that of
    # BiocParallel, which only counts them.
    failed <- Filter(function(one) {
        inherits(one, "condition") && !inherits(one, "unevaluated_error")
    }, results)
    reason <- conditionMessage(if (length(failed)) failed[[1L]] else condition)
    results <- lapply(seq_len(count), function(i) {
        one <- if (i <= length(results)) results[[i]]
        if (is.list(one) && !inherits(one, "condition") &&
                any(c("value", "error") %in% names(one))) one
    })
    structure(results, reason = reason)
}

is_attached <- function() "package:linkrank" %in% search()

# `attached`: is this package attached where the tasks come from? A function of
# the user's calls its functions by their names then.
run_task <- function(task, work, shared, attached = FALSE) {
    # a worker that cannot find this package says so: R replaces a namespace
    # that is missing by the global environment
    loadNamespace("linkrank")
    if (attached && !is_attached()) attachNamespace("linkrank")
    caught <- new.env(parent = emptyenv())
    caught$warnings <- list()
    outcome <- tryCatch(
        with_stream(task$stream, withCallingHandlers(
            list(value = as_parts(work(task$task, shared))),
            warning = function(condition) {
                assign("warnings", c(caught$warnings,
                                     list(without_call(condition))), caught)
                tryInvokeRestart("muffleWarning")
            }
        )),
        error = function(condition) list(error = without_call(condition))
    )
    c(outcome, list(warnings = caught$warnings, token = task$token))
}

# A call may contain all data.
without_call <- function(condition) {
    condition["call"] <- list(NULL)
    condition
}

# lapply() that stops at the first failed task, with a progress line after two
# seconds, like the C code.
lapply_progress <- function(items, use, label, progress) {
    line <- progress_line(label, length(items), progress)
    on.exit(line$end())
    results <- vector("list", length(items))
    for (i in seq_along(items)) {
        results[[i]] <- use(items[[i]])
        if (!is.null(results[[i]]$error)) break
        line$tick(i)
    }
    results
}

# label: c(task, unit)
progress_line <- function(label, total, on) {
    begin <- proc.time()[["elapsed"]]
    last <- new.env(parent = emptyenv())
    last$shown <- 0
    tick <- function(done) {
        elapsed <- proc.time()[["elapsed"]] - begin
        if (on && elapsed > 2 && elapsed - last$shown > 1) {
            left <- elapsed / done * max(0, total - done)
            message("\r", sprintf("%s: %.0f %% of %d %s, %.0f s left  ",
                                  label[1L], 100 * min(1, done / total), total,
                                  label[2L], left), appendLF = FALSE)
            assign("shown", elapsed, last)
        }
    }
    end <- function() {
        if (last$shown > 0)
            message("\r", strrep(" ", 70L), "\r", appendLF = FALSE)
    }
    list(tick = tick, end = end)
}

# Evaluates with another stream of random numbers and restores the old one.
with_stream <- function(stream, code) {
    if (is.null(stream)) return(code)
    keep_random_state({
        assign(".Random.seed", stream, envir = globalenv())
        code
    })
}

keep_random_state <- function(code) {
    home <- globalenv()
    old <- get0(".Random.seed", envir = home, inherits = FALSE)
    on.exit(if (!is.null(old)) {
        assign(".Random.seed", old, envir = home)
    } else if (exists(".Random.seed", home, inherits = FALSE)) {
        rm(".Random.seed", envir = home)
    })
    force(code)
}

# ---- outcomes in the calling process -----------------------------------------

# Values of the outcomes, after the warnings of the tasks. The first failed task
# stops the call, as it would without workers.
give_results <- function(outcomes, unit) {
    failed <- which(vapply(outcomes, function(outcome) {
        !is.null(outcome$error)
    }, NA))
    if (length(failed)) stop(outcomes[[failed[1L]]]$error)
    lost <- vapply(outcomes, is.null, NA)
    if (any(lost)) {
        reason <- attr(outcomes, "reason")
        abort_linkrank(sum(lost), " of ", length(outcomes), " ", unit,
                       " have no result", if (!is.null(reason))
                           paste0(" (a worker says: ", one_line(reason), ")"),
                       ".", class = "workers")
    }
    warnings <- unlist(lapply(outcomes, `[[`, "warnings"), recursive = FALSE)
    said <- vapply(warnings, conditionMessage, "")
    for (condition in warnings[!duplicated(said)]) warning(condition)
    lapply(outcomes, `[[`, "value")
}

# ==== one task in a second process ============================================

# Work in a second process, where R can fork: list(take, end). take(): the list
# that work() returns, NULL as long as there is none. Without a second process,
# or where it was lost, it is made then and there. Windows has neither function
# of package parallel.
beside <- function(work) {
    parallel <- asNamespace("parallel")
    job <- tryCatch(parallel$mcparallel(work(), mc.set.seed = FALSE,
                                        silent = TRUE),
                    error = function(condition) NULL)
    if (is.null(job)) return(list(take = work, end = function() NULL))
    list(take = function() {
        result <- suppressWarnings(parallel$mccollect(job, wait = FALSE))
        if (length(result)) Find(is.list, result) %||% work()
    }, end = function() {
        tools::pskill(job$pid)
        suppressWarnings(parallel$mccollect(job))
    })
}
