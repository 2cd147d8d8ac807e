# Speed-up by a second thread: the same call with one and with two.
#
#   Rscript threads.R [large] [PART]
#
# PART is a regular expression for the names of the cases; "large" runs those of
# single-cell size instead, each of which takes seconds with one thread (4 GB of
# memory). Two free processors are needed for the elapsed times. If they are not
# free, the processor seconds of the busiest thread (reported by Linux) show the
# time with two free ones. The results must be the same, bit for bit.

# Waiting threads sleep, so that waiting does not count as work.
if (!nzchar(Sys.getenv("OMP_WAIT_POLICY"))) {
    Sys.setenv(OMP_WAIT_POLICY = "passive")
}
source(system.file("benchmarks", "harness.R", package = "linkrank"))
machine()

random <- function(n, p) {
    set.seed(1)
    matrix(stats::rnorm(n * p), n)
}

# Processor seconds of each thread of this process so far, by its number.
thread_seconds <- function() {
    files <- Sys.glob("/proc/self/task/*/schedstat")
    used <- vapply(files, function(file) {
        as.numeric(strsplit(readLines(file), " ")[[1L]][1L]) / 1e9
    }, 0)
    stats::setNames(used, basename(dirname(files)))
}

busiest <- function(run) {
    before <- thread_seconds()
    run()
    after <- thread_seconds()
    if (length(after) == 0L) {
        return(NA_real_)
    }
    known <- before[names(after)]
    max(after - ifelse(is.na(known), 0, known))
}

cases <- list(
    `relieff(), 6000 x 500` = function() {
        x <- random(6000, 500)
        function(threads) relieff(x, rep(1:2, 3000), threads = threads)
    },
    `similarity_graph(), 6000 x 500` = function() {
        x <- random(6000, 500)
        function(threads) similarity_graph(x, threads = threads)
    },
    `relieff_sc(), 100,000 x 500, 40 pairs` = function() {
        x <- random(1e5, 500)
        links <- pairwise_constraints(cannot_link = matrix(sample(1e5, 80), 40),
                                      samples = 1e5)
        function(threads) relieff_sc(x, links, threads = threads)
    },
    `irelief(), 2000 x 200` = function() {
        x <- random(2000, 200)
        function(threads) {
            irelief(x, rep(1:2, 1000), max_iter = 3, threads = threads)
        }
    },
    `propagate_constraints("published"), 2000 x 20, 200 pairs` = function() {
        x <- random(2000, 20)
        links <- constraints_from_labels(rep(1:4, 500), cannot_link = 100,
                                         must_link = 100)
        function(threads) {
            propagate_constraints(links, x, method = "published", threads = threads)
        }
    },
    `propagate_constraints(), 8000 x 20, 200 pairs` = function() {
        x <- random(8000, 20)
        links <- constraints_from_labels(rep(1:4, 2000), cannot_link = 100,
                                         must_link = 100)
        function(threads) propagate_constraints(links, x, threads = threads)
    },
    `feature_graph(), colon` = function() {
        function(threads) feature_graph(log2(colon$x), threads = threads)
    },
    `simba(), 200 x 5000, 16 starts` = function() {
        x <- random(200, 5000)
        function(threads) {
            set.seed(2)
            simba(x, rep(1:2, 100), starts = 16, threads = threads)
        }
    },
    `simba(), 200 x 5000, 1 start` = function() {
        x <- random(200, 5000)
        function(threads) {
            set.seed(2)
            simba(x, rep(1:2, 100), starts = 1, threads = threads)
        }
    },
    `select_subset(), 200 x 1024, 100 steps` = function() {
        x <- random(200, 1024)
        function(threads) {
            select_subset(x, y = rep_len(1:40, 200), n = 100,
                          threads = threads)
        }
    },
    `laplacian_score(), 2000 x 2000, full graph` = function() {
        x <- random(2000, 2000)
        graph <- similarity_graph(x[, 1:20], adjacency = "full")
        function(threads) laplacian_score(x, graph = graph, threads = threads)
    },
    `evaluate_ranking(), 1500 x 500` = function() {
        x <- random(1500, 500)
        y <- rep(1:3, 500)
        ranking <- variance_score(x)
        function(threads) {
            evaluate_ranking(ranking, x, y, x, y, threads = threads)
        }
    }
)

# ---- single-cell size --------------------------------------------------------

some_pairs <- function(n) {
    set.seed(2)
    pairwise_constraints(cannot_link = matrix(sample.int(n, 200), 100), samples = n)
}

# As many cells, genes and types as PBMC 3k.
blood_cells <- function() {
    set.seed(3)
    list(x = sparse_case(2638, 13714, 0.062),
         y = factor(sample.int(9, 2638, replace = TRUE)))
}

# Genes x cells in a file, read as a container's assay is. The file is read by
# one thread: a second one helps with what was read.
cells_in_file <- function() {
    suppressPackageStartupMessages(library(HDF5Array))
    file <- tempfile(fileext = ".h5")
    x <- Matrix::t(sparse_case(12000, 20000, 0.05))
    # some versions write the file, but cannot open it
    try(HDF5Array::writeTENxMatrix(x, file, group = "/m"), silent = TRUE)
    width <- diff(x@p)
    start <- cumsum(c(1, width))[seq_along(width)]
    seed <- methods::new(
        "TENxMatrixSeed", filepath = file, group = "/m", subdata = NULL,
        dim = dim(x), indptr_ranges = data.frame(start = start, width = width),
        dimnames = list(NULL, NULL)
    )
    counts <- DelayedArray::DelayedArray(seed)
    SummarizedExperiment::SummarizedExperiment(list(logcounts = counts))
}

large_cases <- list(
    `relieff_sc(), 60,000 x 20,000 sparse, 100 pairs` = function() {
        x <- sparse_case(60000, 20000, 0.05)
        links <- some_pairs(60000)
        function(threads) relieff_sc(x, links, k = 3, threads = threads)
    },
    `relieff_sc(), 100,000 x 2000 dense, 100 pairs` = function() {
        x <- random(1e5, 2000)
        links <- some_pairs(1e5)
        function(threads) relieff_sc(x, links, k = 10, threads = threads)
    },
    `relieff_sc(), 2638 x 13,714 sparse, all labels` = function() {
        cells <- blood_cells()
        links <- constraints_from_labels(cells$y)
        function(threads) relieff_sc(cells$x, links, threads = threads)
    },
    `relieff(), 2638 x 13,714 sparse` = function() {
        cells <- blood_cells()
        function(threads) relieff(cells$x, cells$y, threads = threads)
    },
    `active_constraints("groups"), 2638 x 13,714 sparse` = function() {
        cells <- blood_cells()
        function(threads) {
            set.seed(4)
            found <- unclass(active_constraints(
                cells$x, cells$y, n = 20, ask = "pairs",
                threads = threads
            ))
            found$questions$time <- NULL # the hour of each answer
            found
        }
    },
    `similarity_graph(), 8000 x 20,000 sparse` = function() {
        x <- sparse_case(8000, 20000, 0.05)
        function(threads) similarity_graph(x, threads = threads)
    },
    `similarity_graph(), 20,000 x 20,000 sparse, 20 components` = function() {
        x <- sparse_case(20000, 20000, 0.05)
        function(threads) {
            similarity_graph(x, space = 20, threads = threads)
        }
    },
    `glean(), 2638 x 13,714 sparse` = function() {
        cells <- blood_cells()
        links <- some_pairs(2638)
        function(threads) glean(cells$x, links, threads = threads)
    },
    `glean(), 20,000 x 3000 sparse` = function() {
        x <- sparse_case(20000, 3000, 0.05)
        links <- some_pairs(20000)
        function(threads) glean(x, links, threads = threads)
    },
    `relieff_sc(), 12,000 x 20,000 TENx file, 100 pairs` = function() {
        x <- cells_in_file()
        links <- some_pairs(12000)
        function(threads) relieff_sc(x, links, k = 3, threads = threads)
    }
)
packages <- c("HDF5Array", "SummarizedExperiment")
if (!all(vapply(packages, requireNamespace, NA, quietly = TRUE))) {
    large_cases <- large_cases[!grepl("file", names(large_cases))]
}

if (run_large()) {
    cases <- large_cases
}
part <- setdiff(commandArgs(trailingOnly = TRUE), "large")
for (name in grep(if (length(part)) part[1L] else "", names(cases),
                  value = TRUE)) {
    call <- suppressWarnings(cases[[name]]())
    run <- function(threads) suppressWarnings(call(threads))
    stopifnot(identical(run(2), run(1)))
    compare(name, `two threads` = function() run(2),
            `one thread` = function() run(1),
            times = if (run_large()) 2 else 3)
    cat(sprintf("  busiest thread: %.2f times less to do\n\n",
                busiest(function() run(1)) / busiest(function() run(2))))
}
