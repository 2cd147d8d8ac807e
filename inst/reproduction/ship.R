# Makes inst/extdata/reproduction.csv.gz, which the article "The papers' tables" reads:
# the rows of published.csv, and what runs have found; beside it, in
# reproduction.txt, what they say together.
#
#   Rscript inst/reproduction/ship.R [linkrank-reproduction/results.csv]
#
# Called in the folder of the sources. A row that results.csv has with at least
# as many runs takes its numbers; any other keeps those that ship, as long as
# its printed number and its settings are still the same. So whoever changes a
# protocol changes the settings of its rows. Reasons, expectations and verdicts
# are always made anew from published.csv.

folder <- "inst/reproduction"
shipped <- "inst/extdata/reproduction.csv.gz"
given <- commandArgs(trailingOnly = TRUE)
if (length(given) > 1L || !all(file.exists(c(folder, given)))) {
    message("usage, in the sources: Rscript inst/reproduction/ship.R ",
            "[results.csv]")
    quit(status = 2)
}
source(file.path(folder, "judge.R"))

read_rows <- function(file) utils::read.csv(file, colClasses = "character")

row_key <- function(rows) {
    with(rows, paste(paper, table, data, method, metric, sep = "|"))
}

measured <- c("ours", "se", "difference", "ours_d", "ours_runs", "readings")

# The measured numbers of `rows`, of `from` where it has the row; `same` are the
# columns that must agree.
numbers_from <- function(rows, from, same) {
    at <- match(row_key(rows), row_key(from))
    found <- from[at, measured]
    fits <- !is.na(at) & Reduce(`&`, lapply(same, function(column) {
        rows[[column]] == from[[column]][at]
    }))
    found[measured[1:5]] <- lapply(found[measured[1:5]], as.numeric)
    found[!fits, ] <- NA
    found$ours_runs[is.na(found$ours_runs)] <- 0
    found$readings[is.na(found$readings)] <- ""
    found
}

rows <- read_rows(file.path(folder, "published.csv"))
numbers <- numbers_from(rows, read_rows(gzfile(shipped)),
                        c("published", "settings"))
if (length(given)) {
    new <- numbers_from(rows, read_rows(given), "published")
    taken <- new$ours_runs > 0 & new$ours_runs >= numbers$ours_runs
    numbers[taken, ] <- new[taken, ]
}
rounded <- c("ours", "se", "difference", "ours_d")
numbers[rounded] <- lapply(numbers[rounded], signif, digits = 5)

titles <- read_rows(file.path(folder, "tables.csv"))
rows$title <- titles$title[match(paste(rows$paper, rows$table),
                                 paste(titles$paper, titles$table))]
digits <- printed_digits(rows)
rows <- cbind(rows, numbers)
rows$verdict <- vapply(seq_len(nrow(rows)), function(i) {
    verdict_of(c(rows[i, ], digits = digits[i]), numbers[i, ],
               absent = rows$expected[i] == "no data")
}, "")
rows <- explain_rows(rows)
# a full disk is not always reported: what ships is replaced by a whole file only
lines <- utils::capture.output(
    utils::write.csv(rows, row.names = FALSE, na = ""))
beside <- paste0(shipped, ".new")
to <- gzfile(beside, "wb", compression = 9)
written <- tryCatch({
    writeLines(lines, to)
    close(to)
    identical(readLines(beside), lines)
}, warning = function(condition) FALSE, error = function(condition) FALSE)
if (!written || !file.rename(beside, shipped)) {
    unlink(beside)
    stop("`", shipped, "` could not be written; is the disk full?")
}
writeLines(answers(rows), sub("csv.gz$", "txt", shipped))
message(nrow(rows), " rows, ", file.size(shipped), " bytes")
print(table(rows$paper, rows$verdict))
