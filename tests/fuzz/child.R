# One process that makes many calls:
#
#   Rscript child.R FOLDER SEED FIRST LAST
#
# FOLDER/at is the call that is being made, so that whoever waits can tell what a
# crash or a hang was; FOLDER/results has a line for each that came to its end.
args <- commandArgs(trailingOnly = TRUE)
here <- dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE)))
# valgrind takes minutes to load what the containers need
containers <- !nzchar(Sys.getenv("FUZZ_VALGRIND"))
suppressPackageStartupMessages({
    library(linkrank)
    library(Matrix)
    library(methods)
    if (containers) requireNamespace("SummarizedExperiment", quietly = TRUE)
})
for (file in c("objects", "arguments", "invariants", "functions")) {
    source(file.path(here, paste0(file, ".R")))
}
if (!containers || !has("SummarizedExperiment") || !has("DelayedArray")) {
    container_kinds <- c("data.frame", "sparse")
}
if (nzchar(Sys.getenv("FUZZ_TORTURE"))) {
    source(file.path(here, "torture.R"))
    torture_entries()
}
options(linkrank.progress = FALSE, warn = 1)
folder <- args[1]
seed <- as.integer(args[2])

outcome <- function(kind, call, number) {
    fun <- if (call$fun %in% names(generic_calls)) {
        generic_calls[[call$fun]]
    } else {
        fun_of(call$fun)
    }
    set.seed(number)
    tryCatch({
        value <- do.call(fun, call$args, quote = TRUE)
        list(word = "ok", value = value)
    }, linkrank_error = function(e) list(word = "refused", note = conditionMessage(e)),
    error = function(e) list(word = "raw", note = conditionMessage(e)))
}

look_at <- function(call, value, number, s) {
    if (call$fun %in% names(generic_calls)) return("ok")
    names <- Filter(function(name) fits(name, call$fun, call$args),
                    names(invariants))
    for (name in names[sample.int(length(names), min(2L, length(names)))]) {
        found <- tryCatch(invariants[[name]](call$fun, call$args, value,
                                             number, s),
                          error = function(e) {
                              structure(FALSE, note = conditionMessage(e))
                          })
        if (isFALSE(as.vector(found))) {
            return(c("wrong", paste(name, attr(found, "note"))))
        }
    }
    "ok"
}

one_call <- function(number) {
    set.seed((seed * 1000003 + number) %% .Machine$integer.max)
    kind <- sample(c("valid", "bad", "damaged"), 1L, prob = c(6, 3, 1))
    writeLines(paste(number, kind, "making"), file.path(folder, "at"))
    s <- new_scene()
    call <- tryCatch(draw_call(s, kind), linkrank_error = identity)
    if (inherits(call, "condition")) {
        return(c("valid", "making", "refused", conditionMessage(call)))
    }
    writeLines(paste(number, kind, call$fun), file.path(folder, "at"))
    repeat {
        got <- suppressWarnings(suppressMessages(outcome(kind, call, number)))
        # what another argument makes idle is refused: again without it
        idle <- sub("^`(\\w+)` .*must be left out.*", "\\1", got$note)
        if (kind != "valid" || !isTRUE(idle %in% names(call$args))) break
        call$args[[idle]] <- NULL
    }
    if (got$word != "ok" || kind != "valid") {
        return(c(kind, call$fun, got$word, got$note))
    }
    said <- suppressWarnings(suppressMessages(
        look_at(call, got$value, number, s)))
    c(kind, call$fun, said)
}

setwd(tempdir()) # for files whose name is drawn
grDevices::pdf(NULL)
results <- file(file.path(folder, "results"), "a")
sink(file.path(folder, "printed"))
for (number in seq(as.integer(args[3]), as.integer(args[4]))) {
    said <- tryCatch(one_call(number), error = function(e) {
        c("valid", "harness", "raw", conditionMessage(e))
    })
    said <- c(said, rep("", 4L))[1:4]
    writeLines(paste(c(number, gsub("[\t\n]", " ", said)), collapse = "\t"),
               results)
    flush(results)
}
sink()
if (nzchar(Sys.getenv("FUZZ_TORTURE"))) {
    note_entries(file.path(folder, "entries"))
}
cat(sum(proc.time()[1:2]), "\n", file = file.path(folder, "cpu"), append = TRUE)
writeLines("done", file.path(folder, "at"))
