# PCK-means: n = 2000, d = 20, 100 constraints, and larger; against ckmeans() of
# conclust on few samples where that package is installed (its time grows with
# the cube of the samples).
#
#   Rscript pck_means.R

source(system.file("benchmarks", "harness.R", package = "linkrank"))
machine()

make <- function(samples, features, clusters, pairs) {
    set.seed(1)
    y <- sample.int(clusters, samples, replace = TRUE)
    center <- matrix(stats::rnorm(clusters * features), clusters)
    x <- center[y, ] + matrix(stats::rnorm(samples * features), samples)
    list(x = x, y = y,
         links = constraints_from_labels(y, pairs / 2, pairs / 2))
}

run <- function(samples, features, clusters, pairs) {
    case <- make(samples, features, clusters, pairs)
    compare(sprintf("%d x %d, %d clusters, %d constraints", samples, features,
                    clusters, pairs),
            `PCK-means` = function() {
                pck_means(case$x, case$links, clusters = clusters)
            },
            `k-means of R, 5 starts` = function() {
                stats::kmeans(case$x, clusters, nstart = 5, iter.max = 100)
            }, times = 5)
    cat(sprintf("  peak memory %6.1f MB\n\n", peak_memory(function() {
        pck_means(case$x, case$links, clusters = clusters)
    })))
}

run(2000, 20, 10, 100)
run(5000, 200, 10, 400)

case <- make(2000, 20, 10, 100)
compare("spectral clustering, 2000 x 20, full graph",
        `spectral clustering` = function() {
            spectral_clustering(case$x, case$links, clusters = 10)
        }, times = 2)
case <- make(5000, 50, 10, 400)
compare("spectral clustering, 5000 x 50, nearest neighbours",
        `spectral clustering` = function() {
            spectral_clustering(case$x, case$links, clusters = 10)
        }, times = 2)

if (requireNamespace("conclust", quietly = TRUE)) {
    case <- make(200, 20, 4, 100)
    pairs <- as.data.frame(case$links)
    part <- function(type) {
        as.matrix(pairs[pairs$type == type, c("i", "j")])
    }
    compare("200 x 20, 4 clusters, 100 constraints",
            `PCK-means` = function() pck_means(case$x, case$links, clusters = 4),
            `conclust::ckmeans` = function() {
                conclust::ckmeans(case$x, 4, part("must-link"),
                                  part("cannot-link"))
            }, times = c(`PCK-means` = 5, `conclust::ckmeans` = 1))
}
