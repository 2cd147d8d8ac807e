# Single linkage of a sparse graph and the automatic cut, against R's own
# dense clustering where that is possible.
#
#   Rscript forest.R

source(system.file("benchmarks", "harness.R", package = "linkrank"))
machine()

make <- function(features, edges) {
    set.seed(1)
    i <- sample.int(features, edges + 1000L, replace = TRUE)
    j <- sample.int(features, edges + 1000L, replace = TRUE)
    kept <- i != j & !duplicated(cbind(pmax(i, j), pmin(i, j)))
    rows <- utils::head(which(kept), edges)
    s <- Matrix::sparseMatrix(i = pmax(i, j)[rows], j = pmin(i, j)[rows],
                              x = stats::runif(length(rows)),
                              dims = c(features, features), symmetric = TRUE)
    linkrank:::new_feature_graph(s, seq_len(features),
                                 list(method = "simplex"), 100)
}

large <- make(20000, 200000)
tree <- cluster_features(large)
compare("20,000 features, 200,000 edges",
        cluster_features = function() cluster_features(large), times = 9)
compare("automatic cut", cut_features = function() cut_features(tree),
        times = 9)
compare("700 clusters",
        cut_features = function() cut_features(tree, k = 700),
        cutree = function() stats::cutree(tree, 700), times = 3)

small <- make(2000, 10000)
dense <- as.matrix(small)
compare("2000 features, 10,000 edges",
        cluster_features = function() cluster_features(small),
        hclust = function() {
            stats::hclust(stats::as.dist(max(dense) - dense), "single")
        }, times = 5)
stopifnot(all.equal(
    cluster_features(small)$height,
    stats::hclust(stats::as.dist(max(dense) - dense), "single")$height
))
