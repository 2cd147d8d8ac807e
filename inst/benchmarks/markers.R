# Markers of nine groups in data of single-cell size, beside scran where it is
# installed: the same d and AUC, as tests/peers checks.
#
#     Rscript markers.R           2638 cells x 13,714 genes, 6 % stored
#     Rscript markers.R large     20,000 cells x 15,000 genes, 6 % stored

source(system.file("benchmarks", "harness.R", package = "linkrank"))
machine()

n <- if (run_large()) 20000 else 2638
p <- if (run_large()) 15000 else 13714
x <- sparse_case(n, p, 0.062)
dimnames(x) <- list(paste0("c", seq_len(n)), paste0("g", seq_len(p)))
set.seed(2)
groups <- factor(sample(letters[1:9], n, TRUE))
batch <- factor(sample(1:3, n, TRUE))
features_in_rows <- Matrix::t(x)

sides <- list(
    "group_markers()" = function() group_markers(x, groups),
    "genes in rows" = function() {
        group_markers(SummarizedExperiment::SummarizedExperiment(
            list(logcounts = features_in_rows)), groups)
    },
    "pairwise" = function() group_markers(x, groups, pairwise = TRUE),
    "3 blocks" = function() group_markers(x, groups, block = batch),
    "portable kernels" = portable(function() group_markers(x, groups))
)
if (!requireNamespace("SummarizedExperiment", quietly = TRUE)) {
    sides[["genes in rows"]] <- NULL
}
if (requireNamespace("scran", quietly = TRUE)) {
    sides[["scran::scoreMarkers()"]] <- function() {
        scran::scoreMarkers(features_in_rows, groups)
    }
    sides[["scran::findMarkers()"]] <- function() {
        scran::findMarkers(features_in_rows, groups)
    }
    sides[["scran::scoreMarkers(block)"]] <- function() {
        scran::scoreMarkers(features_in_rows, groups, block = batch)
    }
} else {
    cat("scran is not installed: this package alone.\n")
}
do.call(compare, c(list(sprintf("%d cells x %d genes, %d groups", n, p,
                                nlevels(groups))),
                   sides, times = 3))
cat(sprintf("peak beyond the data: %.0f MB\n",
            peak_memory(function() group_markers(x, groups))))

dense <- as.matrix(x[seq_len(min(n, 2638)), 1:4000])
wide <- groups[seq_len(nrow(dense))]
compare("dense, 4000 genes", "group_markers()" = function() {
    group_markers(dense, wide)
}, "sparse" = function() group_markers(x[seq_len(nrow(dense)), 1:4000], wide),
times = 3)
