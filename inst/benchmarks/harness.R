# Shared by the benchmark scripts: source it with
#   source(system.file("benchmarks", "harness.R", package = "linkrank"))
#
# compare() times both sides of a ratio in one run, turn by turn, so that a busy
# machine slows both; it prints minima and medians of the elapsed seconds and
# the ratio to the first side. peak_memory() tells what a call takes beyond
# what was there before it. portable() runs the kernels that every machine has.

library(linkrank)
options(linkrank.progress = FALSE)

# Scripts run larger cases when called with the word "large".
run_large <- function() "large" %in% commandArgs(trailingOnly = TRUE)

elapsed <- function(run) {
    gc(FALSE)
    begin <- proc.time()[["elapsed"]]
    precise <- Sys.time()
    run()
    seconds <- as.numeric(difftime(Sys.time(), precise, units = "secs"))
    # the clock may be set in between: then the coarse one is right
    if (seconds < 0) proc.time()[["elapsed"]] - begin else seconds
}

# ...: named functions without arguments, the side to be judged first.
# times: runs of each; a slow side may have fewer (a named vector).
compare <- function(title, ..., times = 5) {
    sides <- list(...)
    runs <- rep_len(times, length(sides))
    if (!is.null(names(times))) {
        runs <- unname(times[names(sides)])
    }
    seconds <- lapply(sides, function(side) numeric())
    for (turn in seq_len(max(runs))) {
        for (i in which(runs >= turn)) {
            seconds[[i]] <- c(seconds[[i]], elapsed(sides[[i]]))
        }
    }
    least <- vapply(seconds, min, 0)
    cat(title, "\n", sep = "")
    cat(sprintf("  %-28s %10.4f s least %10.4f s median %4d runs  x %.2f\n",
                names(sides), least, vapply(seconds, stats::median, 0),
                lengths(seconds), least / least[1L]), sep = "")
    invisible(least)
}

# Megabytes of R memory that a call takes at its peak, its result included;
# the C code keeps its scratch in R memory too.
peak_memory <- function(run) {
    before <- sum(gc(reset = TRUE)[, 2L])
    result <- run()
    peak <- sum(gc()[, 6L])
    rm(result)
    peak - before
}

portable <- function(run) {
    function() {
        old <- options(linkrank.portable = TRUE)
        on.exit(options(old))
        run()
    }
}

machine <- function() {
    cat("linkrank ", as.character(utils::packageVersion("linkrank")), ", R ",
        as.character(getRversion()), ", BLAS ",
        basename(extSoftVersion()[["BLAS"]]), ", ",
        parallel::detectCores(), " cores\n\n", sep = "")
}
