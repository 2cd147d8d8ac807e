# Exact nearest neighbours of all samples, one thread, portable kernels, beside
# the neighbour searches of CRAN and Bioconductor that are installed.
source(system.file("benchmarks", "harness.R", package = "linkrank"))
machine()

peers <- function(x, k) {
    sides <- list(
        "FNN brute" = if (requireNamespace("FNN", quietly = TRUE))
            function() FNN::get.knn(x, k, "brute"),
        "RANN nn2" = if (requireNamespace("RANN", quietly = TRUE))
            function() RANN::nn2(x, x, k + 1L),
        "dbscan linear" = if (requireNamespace("dbscan", quietly = TRUE))
            function() dbscan::kNN(x, k, search = "linear"),
        "dbscan kd-tree" = if (requireNamespace("dbscan", quietly = TRUE))
            function() dbscan::kNN(x, k)
    )
    Filter(Negate(is.null), sides)
}

bioc <- function(x, k, distance) {
    if (!requireNamespace("BiocNeighbors", quietly = TRUE)) {
        return(list())
    }
    search <- function(param) {
        function() BiocNeighbors::findKNN(x, k, BNPARAM = param)
    }
    list("BiocNeighbors exhaustive" =
             search(BiocNeighbors::ExhaustiveParam(distance = distance)),
         "BiocNeighbors KMKNN" =
             search(BiocNeighbors::KmknnParam(distance = distance)))
}

run <- function(n, p, k = 10, times) {
    set.seed(1)
    x <- matrix(rnorm(n * p), n)
    for (distance in c("euclidean", "manhattan")) {
        ours <- list(linkrank = portable(function() {
            similarity_graph(x, weight = "binary", k = k, scale = "none",
                             distance = distance)
        }))
        theirs <- c(if (distance == "euclidean") peers(x, k),
                    bioc(x, k, if (distance == "euclidean") "Euclidean" else
                        "Manhattan"))
        do.call(compare, c(
            sprintf("%d x %d, k = %d, %s", n, p, k, distance), ours, theirs,
            list(times = c(times, rep(1L, length(theirs))))
        ))
    }
}

run(2000, 50, times = 3)
if (run_large()) {
    run(20000, 20, k = 7, times = 3)
    run(10000, 50, times = 3)
    run(3000, 2000, times = 2)
}
