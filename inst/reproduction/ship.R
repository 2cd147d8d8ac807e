# Makes inst/extdata/reproduction.csv.gz, which vignette("reproduction") reads,
# from what a run has found:
#
#   Rscript inst/reproduction/ship.R linkrank-reproduction/results.csv
#
# Called in the folder of the sources; every row says in `ours_runs` how often
# it was run.

given <- commandArgs(trailingOnly = TRUE)
if (length(given) != 1L || !file.exists(given) || !dir.exists("inst/extdata")) {
    message("usage, in the sources: Rscript inst/reproduction/ship.R results.csv")
    quit(status = 2)
}
rows <- utils::read.csv(given, colClasses = "character")
rows$id <- NULL
rounded <- c("ours", "se", "difference", "ours_d")
rows[rounded] <- lapply(rows[rounded], function(column) {
    signif(as.numeric(column), 5)
})
to <- gzfile("inst/extdata/reproduction.csv.gz", "wb", compression = 9)
utils::write.csv(rows, to, row.names = FALSE, na = "")
close(to)
message(nrow(rows), " rows, ", file.size("inst/extdata/reproduction.csv.gz"),
        " bytes")
