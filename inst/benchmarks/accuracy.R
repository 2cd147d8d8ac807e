# Accuracy of the nearest neighbour along a ranking, 1000 x 1000 samples, 100
# features: the whole curve at once, against knn1() of class for each number of
# features.
#
#   Rscript accuracy.R

source(system.file("benchmarks", "harness.R", package = "linkrank"))
machine()

set.seed(1)
y <- rep_len(1:5, 2000)
x <- matrix(stats::rnorm(2000 * 300), 2000) +
    matrix(stats::rnorm(5 * 300, sd = 0.3), 5)[y, ]
train <- seq_len(1000)
ranking <- variance_score(x[train, ])
curve <- function(threads = 1) {
    evaluate_ranking(ranking, x[train, ], y[train], x[-train, ], y[-train],
                     threads = threads)
}
sides <- list(`whole curve` = portable(curve),
              `two threads` = function() curve(2))
if (requireNamespace("class", quietly = TRUE)) {
    sides$`class::knn1, each n` <- function() {
        for (n in 1:100) {
            best <- top_features(ranking, n)
            at <- match(best, paste0("V", 1:300))
            class::knn1(x[train, at, drop = FALSE],
                        x[-train, at, drop = FALSE], y[train])
        }
    }
}
do.call(compare, c(list("1000 x 1000 samples, 100 features"), sides,
                   list(times = 2)))
