# Twenty questions about 3k blood cells, unscaled log counts: glean() beside the
# variance, no answers, all labels, and `before`, without contrast and rounds. The
# accuracy of the variance depends on how counts are normalised before the
# logarithm, so three ways are shown:
#
#   counts   log(1 + count)
#   depth    log(1 + count x median total / total of the cell), nearly
#            scater::logNormCounts()
#   10,000   log(1 + count x 10,000 / total of the cell)
#
#   Rscript pbmc.R FOLDER [SEEDS] [RESULTS.csv]
#
# FOLDER holds pbmc3k.mtx.gz (cells x genes) and pbmc3k_labels.csv.gz. For each
# seed 600 cells: rankings and questions on 200 of one half, the nearest neighbour
# on the other half, unscaled, with the best 5, 10, 20, 50 and 100 genes.
source(system.file("benchmarks", "harness.R", package = "linkrank"))
call <- read_call("pbmc.csv")
depths <- c(5, 10, 20, 50, 100)

if (!file.exists(file.path(call$folder, "pbmc3k.mtx.gz"))) {
    not_run("there is no pbmc3k.mtx.gz in ", call$folder)
}
counts <- Matrix::readMM(gzfile(file.path(call$folder, "pbmc3k.mtx.gz")))
counts <- methods::as(methods::as(counts, "generalMatrix"), "CsparseMatrix")
dimnames(counts) <- list(NULL, paste0("g", seq_len(ncol(counts))))
class <- utils::read.csv(gzfile(file.path(call$folder,
                                          "pbmc3k_labels.csv.gz")))$class
total <- Matrix::rowSums(counts)
target <- list(counts = NULL, depth = stats::median(total), `10,000` = 1e4)

log_counts <- function(target) {
    cells <- counts
    by <- if (is.null(target)) 1 else target / total[counts@i + 1L]
    cells@x <- log1p(by * counts@x)
    cells
}

# 1-NN on unscaled cells: squared distances over the first genes.
accuracy <- function(ranking, d) {
    best <- top_features(ranking, max(depths))
    a <- as.matrix(d$x[, best])
    b <- as.matrix(d$test[, best])
    100 * vapply(depths, function(depth) {
        keep <- seq_len(depth)
        square <- outer(rowSums(b[, keep]^2), rowSums(a[, keep]^2), "+") -
            2 * b[, keep] %*% t(a[, keep])
        mean(vapply(seq_along(d$y_test), function(i) {
            near <- which(square[i, ] <= min(square[i, ]) + 1e-9)
            mean(d$y[near] == d$y_test[i])
        }, 0))
    }, 0)
}

draw_cells <- function(cells, seed) {
    set.seed(seed)
    kept <- sort(sample(nrow(cells), 600))
    half <- linkrank:::split_half(factor(class[kept]))
    train <- kept[sort(sample(half$train, 200))]
    test <- kept[half$test]
    varies <- diff(cells[train, ]@p) > 0
    list(x = cells[train, varies], y = class[train],
         test = cells[test, varies], y_test = class[test])
}

run <- function(counted, seed) {
    d <- draw_cells(log_counts(target[[counted]]), seed)
    links <- suppressWarnings(active_constraints(d$x, d$y, n = 20,
                                                 scale = "none", ask = "pairs"))
    none <- pairwise_constraints(samples = nrow(d$x))
    rankings <- list(
        variance = variance_score(d$x, scale = "none"),
        relieff_sc = relieff_sc(d$x, links, scale = "none"),
        no_answers = glean(d$x, none, scale = "none"),
        before = three_parts(d$x, links, "none"),
        glean = glean(d$x, links, scale = "none"),
        all_labels = glean(d$x, constraints_from_labels(d$y), scale = "none")
    )
    do.call(rbind, lapply(names(rankings), function(method) {
        data.frame(method = method, genes = depths,
                   accuracy = accuracy(rankings[[method]], d))
    }))
}

done <- run_sets(names(target), call, run)
for (counted in names(target)) {
    own <- done[done$set == counted, ]
    own$method <- factor(own$method, unique(own$method))
    cat("\n", counted, "\n", sep = "")
    table <- tapply(own$accuracy, own[c("method", "genes")], mean)
    print(round(cbind(table, mean = rowMeans(table)), 1))
    mean_of <- tapply(own$accuracy, own[c("seed", "method")], mean)
    for (other in c("before", "variance", "no_answers", "all_labels")) {
        gain <- mean_of[, "glean"] - mean_of[, other]
        cat(sprintf("glean - %-10s %+.1f, standard error over %d samples %.1f\n",
                    other, mean(gain), length(gain),
                    sd(gain) / sqrt(length(gain))))
    }
}
