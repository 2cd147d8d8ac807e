# The papers' tables with this package.
#
#   Rscript run.R [quick|full] [zhang] [salmi] [doquire] [berahmand] [hijazi]
#   Rscript run.R full salmi only=clustered_orl only=clustered_yale
#
# The second runs the jobs whose names hold one of these texts, and judges all.
# Writes linkrank-reproduction/ in the current folder. What a run has found is
# kept in the folder that REPRODUCTION_CACHE names (default: the user's cache),
# so a stopped call continues where it was and `full` extends `quick`. It uses
# two cores, or as many as REPRODUCTION_CORES says. Ends with status 1 when a
# row that is expected to agree leaves three standard errors in a full run; those
# of five to ten runs are too uncertain for that, so `quick` lists such rows only.

suppressPackageStartupMessages(library(linkrank))
options(linkrank.progress = FALSE, linkrank.threads = 1L, warn = 1)

folder <- local({
    file <- grep("^--file=", commandArgs(), value = TRUE)
    dirname(normalizePath(sub("^--file=", "", file)))
})
parts <- c("data.R", "protocol.R", "jobs.R", "judge.R", "report.R", "zhang.R",
           "doquire.R", "berahmand.R", "salmi.R", "hijazi.R", "hijazi-times.R",
           "hijazi-fcrsc.R")
for (part in parts) source(file.path(folder, part))

papers <- list(zhang = zhang_jobs, doquire = doquire_jobs,
               berahmand = berahmand_jobs, salmi = salmi_jobs,
               hijazi = hijazi_jobs)

read_arguments <- function(given) {
    known <- c("quick", "full", names(papers))
    only <- sub("^only=", "", grep("^only=", given, value = TRUE))
    if (!all(given %in% known | grepl("^only=", given))) {
        message("usage: Rscript run.R [", paste(known, collapse = "] ["),
                "] [only=TEXT] ...")
        quit(status = 2)
    }
    chosen <- intersect(names(papers), given)
    list(mode = if ("full" %in% given) "full" else "quick", only = only,
         papers = if (length(chosen)) chosen else names(papers))
}

make_jobs <- function(papers) {
    jobs <- do.call(c, lapply(papers, function(make) make()))
    lapply(unname(jobs), function(job) c(job, list(key = code_key(job))))
}

main <- function() {
    asked <- read_arguments(commandArgs(trailingOnly = TRUE))
    published <- utils::read.csv(file.path(folder, "published.csv"),
                                 colClasses = "character")
    published$id <- row_id(published$paper, published$table, published$data,
                           published$method, published$metric)
    titles <- utils::read.csv(file.path(folder, "tables.csv"),
                              colClasses = "character")
    published$title <- titles$title[
        match(row_id(published$paper, published$table),
              row_id(titles$paper, titles$table))]
    published <- published[published$paper %in% asked$papers, ]
    cache <- open_cache()
    jobs <- make_jobs(papers[asked$papers])
    named <- vapply(jobs, function(job) {
        !length(asked$only) ||
            any(vapply(asked$only, grepl, NA, job$name, fixed = TRUE))
    }, NA)
    run_jobs(jobs[named], asked$mode, cache)
    results <- judge_rows(published, jobs, asked$mode, cache)
    write_report(results, "linkrank-reproduction", asked$mode)
    astray <- results$expected == "agree" & results$verdict == "differs"
    if (any(astray)) {
        message("Expected to agree, but beyond three standard errors:\n  ",
                paste(results$id[astray], collapse = "\n  "))
    }
    quit(status = as.integer(any(astray) && asked$mode == "full"))
}
main()
