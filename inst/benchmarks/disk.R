# ReliefF-Sc on a TENx file of cells x 20,000 genes, 5.3 % of the cells not zero,
# 100 cannot-links and 50 must-links, K = 3; each run in a separate process,
# whose peak memory the system reports. "dgCMatrix" is the same call with the
# matrix in memory. Time is linear in the entries; the last line extrapolates to
# a million cells.
#
#   Rscript disk.R [large]
#
# "large": 10, 40 and 160 million entries (2.4 GB of files) instead of 2 and 8.
# Needs HDF5Array and rhdf5; the peak needs /usr/bin/time.

source(system.file("benchmarks", "harness.R", package = "linkrank"))
features <- 20000L

# ---- a file ------------------------------------------------------------------

# Skewed densities, as genes have them, and log counts; some cells at a time.
write_cells <- function(file, cells, at_once = 4000L) {
    set.seed(1)
    density <- pmin(stats::rgamma(features, 0.35), 20)
    density <- pmin(0.053 * density / mean(density), 0.95)
    # the cap takes some
    density <- pmin(density * 0.053 / mean(density), 0.95)
    rhdf5::h5createFile(file)
    rhdf5::h5createGroup(file, "m")
    capacity <- ceiling(1.1 * sum(density) * cells)
    for (part in list(c("data", "double"), c("indices", "integer"))) {
        rhdf5::h5createDataset(file, paste0("m/", part[1L]), capacity,
                               storage.mode = part[2L], chunk = 30000L,
                               level = 4L)
    }
    width <- integer()
    at <- 0
    for (first in seq(1L, cells, by = at_once)) {
        n <- min(at_once, cells - first + 1L)
        count <- stats::rbinom(features, n, density)
        key <- unique((sample.int(n, sum(count), replace = TRUE) - 1) *
                          features + rep(seq_len(features) - 1, count))
        key <- sort(key)
        rhdf5::h5write(log1p(1 + stats::rgeom(length(key), 0.5)), file,
                       "m/data", start = at + 1, count = length(key))
        rhdf5::h5write(as.integer(key %% features), file, "m/indices",
                       start = at + 1, count = length(key))
        width <- c(width, tabulate(key %/% features + 1, n))
        at <- at + length(key)
    }
    saveRDS(list(width = width, file = file), paste0(file, ".rds"))
    rhdf5::h5closeAll()
    at
}

# From its parts: TENxMatrix() fails from the second call of a session on in some
# versions of HDF5Array.
open_cells <- function(file) {
    width <- readRDS(paste0(file, ".rds"))$width
    start <- cumsum(c(1, width))[seq_along(width)]
    HDF5Array::DelayedArray(methods::new(
        "TENxMatrixSeed", filepath = file, group = "/m", subdata = NULL,
        dim = c(features, length(width)),
        indptr_ranges = data.frame(start = start, width = width),
        dimnames = list(NULL, NULL)
    ))
}

in_memory <- function(file) {
    width <- readRDS(paste0(file, ".rds"))$width
    read <- function(name) {
        as.vector(rhdf5::h5read(file, paste0("m/", name), start = 1,
                                count = sum(width)))
    }
    methods::new("dgCMatrix", i = read("indices"), x = read("data"),
                 p = as.integer(cumsum(c(0, width))),
                 Dim = c(features, length(width)))
}

# ---- one run, in a separate process ------------------------------------------

run_one <- function(file, side) {
    suppressPackageStartupMessages(library(HDF5Array))
    x <- open_cells(file)
    if (side == "dgCMatrix") {
        x <- in_memory(file)
    }
    n <- ncol(x)
    set.seed(2)
    pairs <- matrix(sample.int(n, 300L), ncol = 2L)
    links <- pairwise_constraints(cannot_link = pairs[1:100, ], must_link = pairs[101:150, ], samples = n)
    x <- SummarizedExperiment::SummarizedExperiment(list(logcounts = x))
    seconds <- system.time(if (side != "nothing") {
        ranking <- relieff_sc(x, links, scale = "range")
    })
    cat("seconds", sum(seconds[1:2]), "elapsed", seconds[[3L]], "first",
        if (side != "nothing") ranking$feature[1:3], "sum",
        if (side != "nothing") sprintf("%a", sum(ranking$margin)), "\n")
}

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) == 3L && arguments[1L] == "one") {
    run_one(arguments[2L], arguments[3L])
    quit(status = 0L)
}

measure <- function(file, side) {
    script <- system.file("benchmarks", "disk.R", package = "linkrank")
    lines <- system2("/usr/bin/time", c("-v", file.path(R.home("bin"), "Rscript"),
                                        "--no-init-file", script, "one", file,
                                        side), stdout = TRUE, stderr = TRUE)
    peak <- grep("Maximum resident", lines, value = TRUE)
    timed <- grep("^seconds", lines, value = TRUE)
    if (!length(timed)) {
        stop(paste(utils::tail(lines, 30L), collapse = "\n"))
    }
    list(timed = timed, seconds = as.numeric(strsplit(timed, " ")[[1L]][2L]),
         peak = as.numeric(sub(".*: ", "", peak)) / 1024)
}

machine()
sizes <- if (run_large()) c(9500L, 38000L, 152000L) else c(2000L, 8000L)
entries <- seconds <- numeric()
for (cells in sizes) {
    file <- tempfile(fileext = ".h5")
    written <- system.time(entries <- c(entries, write_cells(file, cells)))
    found <- lapply(c(disk = "disk", dgCMatrix = if (cells < 1e5) "dgCMatrix",
                      nothing = "nothing"), measure, file = file)
    seconds <- c(seconds, found$disk$seconds)
    cat(sprintf("%7d cells, %5.1f million entries, written in %.0f s\n",
                cells, utils::tail(entries, 1L) / 1e6, written[[3L]]))
    for (side in names(found)) {
        cat(sprintf("  %-10s %7.1f s CPU, peak of the process %6.0f MB  %s\n",
                    side, found[[side]]$seconds, found[[side]]$peak,
                    sub(".*first", "", found[[side]]$timed)))
    }
    flush(stdout())
    unlink(c(file, paste0(file, ".rds")))
}
per_entry <- seconds / entries
cat(sprintf("Seconds per 10^9 entries: %s; a million cells: %.0f s\n",
            paste(round(1e9 * per_entry), collapse = ", "),
            0.053 * features * 1e6 * utils::tail(per_entry, 1L)))
