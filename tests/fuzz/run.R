# Random calls in child processes; see tools/fuzz.
#
#   Rscript run.R SEED N [FIRST]
#
# A child makes many calls, one after another. One that dies is a crash of the
# call it was making, one that stays at a call for a minute of a processor is a
# hang; the next child goes on with the call after it.
args <- as.integer(commandArgs(trailingOnly = TRUE))
seed <- args[1]
first <- if (length(args) > 2) args[3] else 1L
last <- first + args[2] - 1L
here <- dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE)))
patience <- as.integer(Sys.getenv("FUZZ_PATIENCE", 60))
batch <- 5000L # a process takes as long to begin as 300 calls
# what a damaged object asks for must fail, not fill the machine
Sys.setenv(R_MAX_VSIZE = Sys.getenv("R_MAX_VSIZE", "6Gb"))
folder <- tempfile("fuzz")
dir.create(folder)

add_result <- function(number, kind, fun, word, note) {
    cat(paste(c(number, kind, fun, word, note), collapse = "\t"), "\n",
        sep = "", file = file.path(folder, "results"), append = TRUE)
}

read_at <- function() {
    at <- tryCatch(suppressWarnings(readLines(file.path(folder, "at"))),
                   error = function(e) "")
    if (length(at)) at[1L] else ""
}

# R with the file of the child, under the valgrind of FUZZ_VALGRIND if there is one.
child_command <- function(file) {
    valgrind <- Sys.getenv("FUZZ_VALGRIND")
    if (nzchar(valgrind)) {
        c("R", "-d", valgrind, "--vanilla", "--no-echo",
          paste0("--file=", file), "--args")
    } else {
        c("Rscript", "--no-init-file", "--min-nsize=10M", "--min-vsize=300M",
          file)
    }
}

# Makes the calls in a process of its own. The words of its end: "done", "crash"
# or "hang".
run_child <- function(from, to) {
    unlink(file.path(folder, c("at", "hang")))
    system2("sh", shQuote(c(file.path(here, "watch.sh"), folder, patience,
                            child_command(file.path(here, "child.R")), folder,
                            seed, from, to)))
    if (read_at() == "done") "done" else
        if (file.exists(file.path(folder, "hang"))) "hang" else "crash"
}

number <- first
begun <- 0L
while (number <= last) {
    to <- min(number + batch - 1L, last)
    end <- run_child(number, to)
    if (end == "done") {
        number <- to + 1L
        next
    }
    at <- strsplit(read_at(), " ")[[1L]]
    if (length(at) < 3L && begun < 3L) {
        begun <- begun + 1L # no memory, or the line was being written
        next
    }
    if (length(at) < 3L) {
        cat(readLines(file.path(folder, "said")), sep = "\n")
        stop("a child process did not begin")
    }
    add_result(at[1L], at[2L], at[3L], end, "")
    number <- as.integer(at[1L]) + 1L
}

# ---- what was found ----------------------------------------------------------

results <- read.delim(file.path(folder, "results"), header = FALSE, quote = "",
                      col.names = c("number", "kind", "fun", "word", "note"),
                      comment.char = "")
print(table(results$kind, results$word))
called <- length(unique(results$fun))
cpu <- file.path(folder, "cpu")
cat(called, "functions and methods were called in",
    if (file.exists(cpu)) round(sum(scan(cpu, quiet = TRUE))), "s of CPU\n")
if (file.exists(file.path(folder, "entries"))) {
    entries <- read.table(file.path(folder, "entries"),
                          col.names = c("name", "count"))
    count <- tapply(entries$count, entries$name, sum)
    cat(sum(count > 0), "of", length(count), "entries of C were called",
        sum(count), "times under torture; not:", names(count)[count == 0], "\n")
}
# what a damaged object leads to need not be in our words, but must not crash
bad <- results$word %in% c("crash", "hang", "wrong") |
    results$word == "raw" & results$kind != "damaged"
for (i in which(bad)) {
    cat("call ", results$number[i], ", ", results$kind[i], ", ",
        results$fun[i], ": ", results$word[i], " ", results$note[i], "\n",
        sep = "")
}
said <- readLines(file.path(folder, "said"), warn = FALSE)
reports <- grep("runtime error:|AddressSanitizer|^tortured:|^==[0-9]+== [A-Z]",
                said, value = TRUE)
cat(reports, sep = "\n")
saveRDS(results, Sys.getenv("FUZZ_RESULTS", file.path(folder, "results.rds")))
cat(nrow(results) - sum(bad), " passed, ", sum(bad) + length(reports),
    " failed\n", sep = "")
quit(status = as.integer(any(bad) || length(reports) > 0))
