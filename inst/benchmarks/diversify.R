# Redundant features moved down a ranking, and redundancy rates.
#
#   Rscript diversify.R

source(system.file("benchmarks", "harness.R", package = "linkrank"))
machine()

set.seed(1)
samples <- 102
x <- matrix(stats::rnorm(samples * 12600), samples)
links <- pairwise_constraints(cbind(1:10, 51:60), samples = samples)
ranking <- relieff_sc(x, links)

# The definition with the full correlation matrix of the features in question.
naive <- function(top) {
    x <- x[, match(top_features(ranking, top), paste0("V", seq_len(ncol(x))))]
    relevance <- pmax(ranking$score[seq_len(top)] / max(ranking$score), 1e-4)
    r <- stats::cor(x)^2
    redundant <- numeric(top)
    order <- integer(top)
    for (step in seq_len(top)) {
        order[step] <- which.max(ifelse(seq_len(top) %in% order, -1,
                                        relevance * (1 - redundant)))
        redundant <- pmax(redundant, r[, order[step]])
    }
    order
}

compare("102 x 12,600, top = 1500",
        diversify_ranking = portable(function() {
            diversify_ranking(ranking, x)
        }), `cor() and loops` = function() naive(1500), times = 3)
stopifnot(identical(
    top_features(diversify_ranking(ranking, x), 1500),
    top_features(ranking, 1500)[naive(1500)]
))
cat(sprintf("  peak memory %6.1f MB, with the correlation matrix %6.1f MB\n\n",
            peak_memory(function() diversify_ranking(ranking, x)),
            peak_memory(function() naive(1500))))

compare("102 x 12,600, all of them",
        prune = portable(function() {
            diversify_ranking(ranking, x, method = "prune")
        }),
        redundancy = portable(function() {
            redundancy(x, absolute = TRUE)
        }),
        correlation_graph = portable(function() {
            feature_graph(x, method = "correlation")
        }), times = 1)
