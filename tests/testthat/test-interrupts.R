# What stops R from outside, in processes of their own.

# A shell starts what it puts into the background with SIGINT ignored, and newer R
# leaves it so.
heeding_signals <- "env --default-signal=INT,QUIT"

in_child <- function(code, log) {
    script <- tempfile(fileext = ".R")
    writeLines(c("suppressPackageStartupMessages(library(linkrank))",
                 "options(linkrank.progress = FALSE)", code), script)
    pid <- tempfile()
    paths <- paste(.libPaths(), collapse = .Platform$path.sep)
    rscript <- file.path(R.home("bin"), "Rscript")
    system(paste0("R_GCTORTURE= R_LIBS='", paths, "' ", heeding_signals,
                  " sh -c 'echo $$ > ", pid, "; exec ", rscript,
                  " --no-init-file ", script, "' >", log,
                  " 2>&1 </dev/null &"))
    until(function() file.exists(pid) && length(readLines(pid)) == 1L)
    as.integer(readLines(pid))
}

# Gives up on what hangs only, and says so: a busy machine may take its time.
until <- function(done, seconds = 300) {
    end <- Sys.time() + seconds
    while (Sys.time() < end) {
        if (isTRUE(tryCatch(done(), error = function(e) FALSE,
                            warning = function(w) FALSE))) {
            return(TRUE)
        }
        Sys.sleep(0.02)
    }
    message("Gave up after ", seconds, " s: ", deparse(body(done))[1L])
    FALSE
}

runs <- function(pid) file.exists(file.path("/proc", pid))

# Seconds of the processor that a process has had (hundredths in /proc).
cpu_of <- function(pid) {
    stat <- readLines(file.path("/proc", pid, "stat"))
    sum(as.numeric(strsplit(sub("^.*\\) ", "", stat), " ")[[1]][12:13])) / 100
}

skip_without_signals <- function() {
    skip_on_cran()
    skip_if_not(dir.exists("/proc/self"), "a system without /proc")
    skip_if_not(system(paste(heeding_signals, "true"), ignore.stderr = TRUE) == 0,
                "an env that resets no signals")
}

# Calls of many seconds. The child says when it begins, how long it was from the
# signal to the end, in seconds of the processor, as other programs may run
# besides, and what the next call gives.
long_calls <- c(
    relieff = "for (i in 1:100) relieff(x, y, k = 50)",
    irelief = "irelief(x, y, max_iter = 1000, tol = 1e-300)",
    simba = "simba(x, y, starts = 1000)",
    permutations = "for (i in 1:1000) relief_sc(x, links, permutations = 2000)",
    feature_graph = "for (i in 1:100) feature_graph(x)",
    pck_means = "for (i in 1:1000) pck_means(x, links, clusters = 8)",
    propagate = "propagate_constraints(links, x, method = \"published\")",
    fcrsc = "for (i in 1:1000) fcrsc(x, links)",
    evaluate_method = "evaluate_method(x, y, \"relieff\", splits = 1000)"
)

test_that("SIGINT stops a long call soon, and the next one is right", {
    skip_without_signals()
    log <- tempfile()
    begun <- tempfile(names(long_calls))
    ended <- tempfile(names(long_calls))
    # one process for all: every call comes after an interrupted one
    pid <- in_child(c(
        "set.seed(1)", "x <- matrix(rnorm(2000 * 300), 2000)",
        "y <- rep(1:4, 500)",
        "links <- pairwise_constraints(cannot_link = cbind(1:900, 901:1800),",
        "                              samples = 2000)",
        "want <- feature_scores(variance_score(x[1:50, ]))",
        paste0("file.create(", vapply(begun, deparse, ""), ")\n",
               "stopped <- tryCatch({", long_calls, "; FALSE},\n",
               "    interrupt = function(i) TRUE)\n",
               "file.create(", vapply(ended, deparse, ""), ")\n",
               "again <- feature_scores(variance_score(x[1:50, ]))\n",
               "cat(\"said\", stopped, identical(again, want), \"\\n\")")
    ), log)
    expect_each(seq_along(long_calls), function(at) {
        until(function() file.exists(begun[at]) || !runs(pid))
        Sys.sleep(0.2)
        before <- cpu_of(pid)
        after <- before
        tools::pskill(pid, tools::SIGINT)
        stopped <- until(function() {
            if (runs(pid)) after <<- cpu_of(pid)
            file.exists(ended[at]) || !runs(pid)
        })
        if (!stopped) tools::pskill(pid, tools::SIGKILL)
        soon <- !judges_time() || after - before < 1
        if (!soon) message(names(long_calls)[at], ": ", after - before, " s")
        stopped && soon
    })
    until(function() !runs(pid))
    said <- grep("^said", readLines(log), value = TRUE)
    expect_identical(trimws(said), rep("said TRUE TRUE", length(long_calls)))
})

test_that("a killed process loses no answer that it had said was stored", {
    skip_without_signals()
    expect_every(2L, function(trial) {
        log <- tempfile()
        file <- tempfile(fileext = ".csv")
        pid <- in_child(c(
            "set.seed(2)", "x <- matrix(rnorm(60 * 20), 60)",
            "q <- questionnaire(x, strategy = \"random\")",
            "for (i in 1:500) {",
            "    q <- answer_pair(q, \"unsure\")",
            paste0("    write_answers(q, ", deparse(file), ")"),
            "    cat(i, \"\\n\")", "}"
        ), log)
        until(function() length(readLines(log)) > 3L + 2L * trial)
        tools::pskill(pid, tools::SIGKILL)
        until(function() !runs(pid))
        said <- max(as.integer(readLines(log)), na.rm = TRUE)
        answers <- read_answers(file)
        nrow(answers) >= said && is.null(attr(answers, "damaged"))
    })
})
