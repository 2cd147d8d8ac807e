# Nearest neighbours in sparse and in dense data: the screened searches against
# all distances of the same cells, and against packages for neighbours. CPU
# seconds, as `compare()` prints elapsed ones.
#
#   Rscript sparse.R [large] [pbmc3k.rds: list(x = dgCMatrix, y = classes)]

source(system.file("benchmarks", "harness.R", package = "linkrank"))
machine()
internal <- asNamespace("linkrank")

cpu <- function(code) {
    gc(FALSE)
    seconds <- system.time(code)
    seconds[[1L]] + seconds[[2L]]
}

show_cpu <- function(what, ...) {
    seconds <- c(...)
    cat(sprintf("%-52s %s\n", what,
                paste(sprintf("%s %.2f s", names(seconds), seconds),
                      collapse = ", ")))
}

pairs_case <- function(n) {
    set.seed(2)
    ends <- sample.int(n, 200)
    pairwise_constraints(cannot_link = matrix(ends, 100), samples = n)
}

sides <- function(n, p, density) {
    x <- sparse_case(n, p, density)
    links <- pairs_case(n)
    data <- linkrank::prepare_data(x)
    scaling <- internal$feature_scaling(data, "range")
    ends <- internal$pairs_of(links)$ends
    control <- internal$run_control(1L, FALSE)
    find <- function(data) {
        internal$nearest(internal$feature_space(data, scaling, "manhattan"),
                         ends, 3, internal$neighbour_rule(), control)
    }
    # samples in columns: every distance is computed
    turned <- data
    turned$values <- function(first, count) {
        as.matrix(x[, first + seq_len(count) - 1L])
    }
    turned$layout <- "reader"
    turned$block <- 100
    title <- sprintf("%d x %d, %.0f %%, %d query samples", n, p, 100 * density,
                     length(ends))
    found <- list()
    show_cpu(title, shared = cpu(found$a <- find(data)),
             `all distances` = cpu(found$b <- find(turned)),
             relieff_sc = cpu(relieff_sc(x, links, k = 3)))
    cat("  same lists:", identical(found$a, found$b), "\n")
}

# The nearest five of all samples, by packages that take a dense matrix.
others <- function(x) {
    dense <- as.matrix(x)
    low <- apply(dense, 2L, min)
    width <- apply(dense, 2L, max) - low
    u <- sweep(sweep(dense, 2L, low), 2L, ifelse(width > 0, width, 1), "/")
    c(similarity_graph = cpu(similarity_graph(x, k = 5)),
      BiocNeighbors = if (requireNamespace("BiocNeighbors", quietly = TRUE))
          cpu(BiocNeighbors::findKNN(u, k = 5)),
      FNN = if (requireNamespace("FNN", quietly = TRUE))
          cpu(FNN::get.knn(u, k = 5)))
}

sides(5000, 5000, 0.05)
show_cpu("1000 x 2000, 5 %, five nearest of all",
         others(sparse_case(1000, 2000, 0.05)))
set.seed(3)
x <- matrix(stats::runif(20000 * 500), 20000)
links <- pairs_case(20000)
for (kernels in c("portable", "fastest")) {
    run <- function() relieff_sc(x, links, k = 10)
    show_cpu(paste("dense 20000 x 500, 200 query samples, K = 10,", kernels),
             bytes = cpu(if (kernels == "portable") portable(run)() else run()))
}
if (run_large()) {
    sides(20000, 20000, 0.05)
    x <- matrix(stats::runif(1e5 * 2000), 1e5)
    show_cpu("dense 100000 x 2000, 200 query samples, K = 10, portable",
             bytes = cpu(portable(function() {
                 relieff_sc(x, pairs_case(1e5), k = 10)
             })()))
}
file <- grep("[.]rds$", commandArgs(trailingOnly = TRUE), value = TRUE)
if (length(file)) {
    cells <- readRDS(file)
    x <- cells$x
    links <- constraints_from_labels(cells$y)
    show_cpu(basename(file),
             `relieff_sc, all labels` = cpu(relieff_sc(x, links)),
             similarity_graph = cpu(similarity_graph(x, k = 5)),
             laplacian_score = cpu(laplacian_score(x)),
             relieff = cpu(relieff(x, cells$y)),
             `groups, 20 questions` = cpu(
                 active_constraints(x, cells$y, n = 20, ask = "pairs")
             ))
}
