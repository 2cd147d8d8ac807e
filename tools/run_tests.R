# Runs the tests of the installed package and counts expectations.
#
#   Rscript run_tests.R FOLDER FILTER COUNTS
#
# FOLDER holds the test files, FILTER is a regular expression for their names
# ("" for all), COUNTS the file that takes the line `N passed, N failed, N
# skipped`. A file that cannot be run to its end leaves no COUNTS.
args <- commandArgs(trailingOnly = TRUE)
folder <- args[1]
filter <- if (nzchar(args[2])) args[2]

suppressPackageStartupMessages({
  library(testthat)
  library(linkrank)
})

recorded_snapshots <- function() {
  files <- list.files(file.path(folder, "_snaps"), recursive = TRUE)
  sums <- tools::md5sum(file.path(folder, "_snaps", files))
  setNames(unname(sums), files)
}

before <- recorded_snapshots()
results <- as.data.frame(test_dir(
  folder,
  filter = filter,
  reporter = SummaryReporter$new(
    show_praise = FALSE, omit_dots = TRUE, max_reports = Inf
  ),
  package = "linkrank",
  load_package = "installed",
  stop_on_failure = FALSE
))

# testthat records a snapshot it has never seen, and lets it pass. What nobody
# has looked at is no expectation, so here it fails. A `.new` file belongs to a
# snapshot that has failed already.
after <- recorded_snapshots()
after <- after[!grepl("\\.new\\.[^.]*$", names(after))]
unrecorded <- names(after)[!mapply(identical, before[names(after)], after,
                                   USE.NAMES = FALSE)]
for (file in unrecorded) {
  cat("Not as recorded: tests/testthat/_snaps/", file,
      " (`make snapshots` records it)\n", sep = "")
}

counts <- c(
  sum(results$passed),
  sum(results$failed) + sum(results$error) + length(unrecorded),
  sum(results$skipped)
)
cat(sprintf("%d passed, %d failed, %d skipped\n",
            counts[1], counts[2], counts[3]), file = args[3])
