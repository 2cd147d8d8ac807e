# Many cells: twenty sorted questions, glean(), its labels and markers.
#
#   Rscript atlas.R [large] [million]
#
# Simulated log counts of ten classes, of which 100 genes each are higher.
#
#   both     10,000 cells x 2,000 genes, five simulations: questions and
#            neighbours in all genes beside the default, 20 components; means
#            and standard errors
#   large    68,579 cells x 20,387 genes, 37 million stored values, two threads:
#            the first question, a further one, glean() and markers; the share
#            of cells with the right label, beside that of the nearest mean of
#            the true classes in the genes that are truly higher; features scaled
#            by range, the default, and standardised; the same from a TENx file
#   million  1,000,000 cells x 20,000 genes, 2 % of the values stored, in a TENx
#            file, which stays in the folder LINKRANK_DISK and is not made
#            again where it is there (default: a temporary folder)
#
# The files need HDF5Array and rhdf5.
source(system.file("benchmarks", "harness.R", package = "linkrank"))
library(Matrix)

# Ten classes: list(rate: how often a gene is drawn, genes x classes; share of each
# class; marked: genes that are higher in some class).
simulate_classes <- function(seed, genes, classes = 10L) {
    set.seed(seed)
    share <- stats::rexp(classes) + 0.15
    rate <- matrix(stats::rgamma(genes, 0.4) + 1e-3, genes, classes)
    marked <- replicate(classes, sample.int(genes, 100L))
    at <- cbind(c(marked), rep(seq_len(classes), each = 100L))
    rate[at] <- 6 * rate[at] + 0.3
    list(rate = rate, share = share, marked = sort(unique(c(marked))))
}

# list(x: genes x cells, class); `counts`: the mean number of counts of a cell.
simulate_cells <- function(classes, cells, counts) {
    genes <- nrow(classes$rate)
    class <- sample(length(classes$share), cells, replace = TRUE,
                   prob = classes$share)
    total <- stats::rpois(cells,
                          counts * exp(stats::rnorm(cells, -0.06, 0.35)))
    gene <- vector("list", cells)
    for (own in seq_along(classes$share)) {
        those <- which(class == own)
        drawn <- sample.int(genes, sum(total[those]), TRUE, classes$rate[, own])
        gene[those] <- split(drawn, factor(rep(those, total[those]), those))
    }
    x <- sparseMatrix(unlist(gene), rep(seq_len(cells), total), x = 1,
                      dims = c(genes, cells))
    x@x <- log1p(x@x * rep(counts / pmax(total, 1), diff(x@p)))
    rownames(x) <- paste0("gene", seq_len(genes))
    list(x = x, class = factor(class, seq_along(classes$share)))
}

# list(x: cells x genes, class, marked)
simulated <- function(seed, cells, genes, counts) {
    classes <- simulate_classes(seed, genes)
    d <- simulate_cells(classes, cells, counts)
    list(x = t(d$x), class = d$class, marked = classes$marked)
}

classes_seen <- function(links, class) {
    asked <- links$questions[!links$questions$implied, ]
    length(unique(class[c(asked$i, asked$j)]))
}

# The share of cells in groups of their class: a group is the class of most of its
# members.
share_right <- function(ranking, class) {
    counts <- table(glean_labels(ranking)$cluster, class)
    sum(apply(counts, 1L, max)) / length(class)
}

nearest_mean <- function(d) {
    x <- as.matrix(d$x[, d$marked])
    means <- rowsum(x, d$class) / c(table(d$class))
    closeness <- 2 * tcrossprod(x, means) -
        rep(rowSums(means^2), each = nrow(x))
    mean(max.col(closeness) == as.integer(d$class))
}

both_ways <- function(seed) {
    d <- simulated(seed, 10000L, 2000L, 200)
    ways <- list(`all genes` = list(space = NULL), components = list())
    vapply(ways, function(way) {
        data <- prepare_data(d$x)
        links <- NULL
        seconds <- elapsed(function() {
            links <<- do.call(active_constraints,
                              c(list(data, d$class, n = 20), way))
        })
        ranking <- glean(data, links)
        c(seconds = seconds, classes = classes_seen(links, d$class),
          right = share_right(ranking, d$class),
          marked = mean(head(ranking$feature, 200L) %in%
                            colnames(d$x)[d$marked]))
    }, numeric(4L))
}

machine()
runs <- suppressMessages(simplify2array(lapply(1:5, both_ways)))
cat("10,000 x 2,000, 20 sorted questions, means of 5 (standard error)\n")
for (way in dimnames(runs)[[2L]]) {
    own <- runs[, way, ]
    cat(sprintf("  %-12s", way), sprintf("%s %.3f (%.3f)", rownames(own),
                                         rowMeans(own),
                                         apply(own, 1L, stats::sd) / sqrt(5)),
        "\n")
}

# ---- larger ones -------------------------------------------------------------

# The way of a user: questions, glean(), labels and markers, and their cost.
whole_way <- function(title, x, class, marked, ...) {
    cat(title, "\n", sep = "")
    timed <- function(what, run) {
        begin <- sum(proc.time()[1:2])
        seconds <- elapsed(run)
        cat(sprintf("  %-20s %8.1f s, %8.1f s of CPU\n", what, seconds,
                    sum(proc.time()[1:2]) - begin))
    }
    q <- links <- ranking <- NULL
    peak <- peak_memory(function() {
        data <- prepare_data(x, threads = 2L, ...)
        timed("the first question", function() {
            q <<- questionnaire(data)
            next_pair(q)
        })
        timed("20 sorted questions", function() {
            links <<- active_constraints(data, class, n = 20)
        })
        timed("glean()", function() ranking <<- glean(data, links))
        timed("group_markers()", function() {
            group_markers(data, glean_labels(ranking))
        })
    })
    found <- utils::head(ranking$feature, 200L)
    cat(sprintf(paste("  classes seen %d of %d, labels right %.4f,",
                      "of 200 genes %.3f marked, peak %.0f MB\n"),
                classes_seen(links, class), nlevels(class),
                share_right(ranking, class),
                mean(found %in% paste0("gene", marked)), peak))
}

# Cells x genes in a file as 10x Genomics writes them: cells one after the
# other. `part(i)` returns a dgCMatrix, genes x cells.
write_tenx <- function(file, parts, part) {
    unlink(file)
    rhdf5::h5createFile(file)
    rhdf5::h5createGroup(file, "m")
    at <- 0
    start <- 0
    for (i in seq_len(parts)) {
        cells <- part(i)
        genes <- dim(cells)[1L]
        count <- length(cells@x)
        if (i == 1L) {
            for (name in c("data", "indices")) {
                rhdf5::h5createDataset(
                    file, paste0("m/", name), count,
                    maxdims = rhdf5::H5Sunlimited(),
                    storage.mode = if (name == "data") "double" else "integer",
                    chunk = 1e5, level = 1L)
            }
        } else {
            rhdf5::h5set_extent(file, "m/data", at + count)
            rhdf5::h5set_extent(file, "m/indices", at + count)
        }
        rhdf5::h5write(cells@x, file, "m/data", start = at + 1, count = count)
        rhdf5::h5write(cells@i, file, "m/indices", start = at + 1,
                       count = count)
        start <- c(start, at + cells@p[-1L])
        at <- at + count
    }
    rhdf5::h5write(start, file, "m/indptr")
    rhdf5::h5write(c(genes, length(start) - 1L), file, "m/shape")
    rhdf5::h5write(paste0("gene", seq_len(genes)), file, "m/genes")
    rhdf5::h5write(paste0("cell", seq_len(length(start) - 1L)), file,
                   "m/barcodes")
    rhdf5::h5closeAll()
}

on_disk <- function(file) {
    t(HDF5Array::DelayedArray(HDF5Array::TENxMatrixSeed(file, "m")))
}

if (run_large()) {
    d <- simulated(6, 68579L, 20387L, 560)
    cat(sprintf("%.1f million stored values, nearest mean right %.4f\n",
                length(d$x@x) / 1e6, nearest_mean(d)))
    whole_way("68,579 x 20,387, by range", d$x, d$class, d$marked)
    whole_way("68,579 x 20,387, standardised", d$x, d$class, d$marked,
              scale = "zscore")
    if (requireNamespace("HDF5Array", quietly = TRUE)) {
        file <- tempfile(fileext = ".h5")
        write_tenx(file, 1L, function(i) t(d$x))
        whole_way("68,579 x 20,387, TENx", on_disk(file), d$class, d$marked)
        unlink(file)
    }
}

if ("million" %in% commandArgs(trailingOnly = TRUE)) {
    if (!requireNamespace("HDF5Array", quietly = TRUE)) {
        not_run("HDF5Array is not installed")
    }
    file <- file.path(Sys.getenv("LINKRANK_DISK", tempdir()), "million.h5")
    truth <- sub("h5$", "rds", file)
    if (!file.exists(truth)) {
        classes <- simulate_classes(7, 20000L)
        class <- list()
        write_tenx(file, 20L, function(i) {
            d <- simulate_cells(classes, 50000L, 410)
            class[[i]] <<- d$class
            d$x
        })
        saveRDS(list(class = unlist(class), marked = classes$marked), truth)
    }
    d <- readRDS(truth)
    cat(sprintf("a file of %.2f GB\n", file.size(file) / 1e9))
    whole_way("1,000,000 x 20,000, TENx, standardised", on_disk(file), d$class,
              d$marked, scale = "zscore")
}
