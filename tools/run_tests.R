# Runs the tests of the installed package and counts blocks and expectations.
#
#   Rscript run_tests.R FOLDER FILTER COUNTS [QUEUE [last]]
#
# FOLDER holds the test files, FILTER is a regular expression for their names
# ("" for all). Processes with the same folder QUEUE, which exists, share the
# files: each takes the next one that no other has taken, with `last` from the
# end. Files that load Bioconductor's containers, which takes seconds, come first,
# so that one process does it. COUNTS takes the lines `N passed, N failed,
# N skipped` and `N blocks`, and COUNTS.times the seconds of each block. A process
# that does not come to its end leaves no COUNTS.
args <- commandArgs(trailingOnly = TRUE)
folder <- args[1]
counts <- args[3]
queue <- if (length(args) > 3) args[4]
from_end <- identical(args[5], "last")

suppressPackageStartupMessages({
  library(testthat)
  library(linkrank)
})

# For each of thousands of expectations that hold, testthat would set the options
# of its output again, which all of a file has, and lay out a sentence on how a
# snapshot is accepted: a twentieth of the time.
replace_in_testthat <- function(name, by) {
  if (exists(name, asNamespace("testthat"))) {
    utils::assignInNamespace(name, by, "testthat")
  }
}
replace_in_testthat("local_reporter_output", function(...) NULL)
replace_in_testthat("snapshot_accept_hint", function(...) {
  "`make snapshots` accepts the change."
})

recorded_snapshots <- function() {
  files <- list.files(file.path(folder, "_snaps"), recursive = TRUE)
  sums <- tools::md5sum(file.path(folder, "_snaps", files))
  setNames(unname(sums), files)
}

# Making a folder tells whether it was there, in one step.
is_free <- function(name) {
  is.null(queue) || dir.create(file.path(queue, name), showWarnings = FALSE)
}

run_file <- function(name) {
  test_dir(folder, filter = paste0("^", name, "$"),
           reporter = SilentReporter$new(), package = "linkrank",
           load_package = "installed", stop_on_failure = FALSE)
}

loads_containers <- function(file) {
  any(grepl("(Summarized|SingleCell)Experiment|experiment_|DelayedArray|in_tenx",
            readLines(file)))
}

files <- sort(list.files(folder, "^test.*[.][rR]$"), method = "radix")
containers <- vapply(file.path(folder, files), loads_containers, NA)
names <- sub("[.]R$", "", sub("^test-?", "", files[order(!containers)]))
names <- grep(args[2], names, value = TRUE)
if (from_end) names <- rev(names)
before <- recorded_snapshots()
reporter <- SummaryReporter$new(show_praise = FALSE, omit_dots = TRUE,
                                max_reports = Inf)
invisible(reporter$start_reporter())
# The conditions that testthat lists beside them hold on to the data of the tests,
# which each collection of garbage would go through.
columns <- c("file", "test", "passed", "failed", "skipped", "error", "user",
             "system")
blocks <- list()
for (name in names) {
  if (!is_free(name)) next
  reporter$start_context(name)
  results <- run_file(name)
  for (block in results) {
    for (result in block$results) reporter$add_result(name, block$test, result)
  }
  reporter$end_context(name)
  blocks[[name]] <- as.data.frame(results)[columns]
}
invisible(reporter$end_reporter())
blocks <- do.call(rbind, blocks)

# testthat records a snapshot it has never seen, and lets it pass. What nobody
# has read is no expectation, so here it fails. A `.new` file belongs to a
# snapshot that has failed already.
after <- recorded_snapshots()
after <- after[!grepl("\\.new\\.[^.]*$", names(after))]
unrecorded <- names(after)[!mapply(identical, before[names(after)], after,
                                   USE.NAMES = FALSE)]
for (file in unrecorded) {
  cat("Not as recorded: tests/testthat/_snaps/", file,
      " (`make snapshots` records it)\n", sep = "")
}

cat(sprintf("%d passed, %d failed, %d skipped\n%d blocks\n",
            sum(blocks$passed),
            sum(blocks$failed) + sum(blocks$error) + length(unrecorded),
            sum(blocks$skipped), NROW(blocks)), file = counts)
if (length(blocks)) {
  write.table(data.frame(cpu = blocks$user + blocks$system, blocks$file,
                         blocks$test),
              paste0(counts, ".times"), sep = "\t", quote = FALSE,
              row.names = FALSE, col.names = FALSE)
}
