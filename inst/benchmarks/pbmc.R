# Twenty questions about 3k blood cells (unscaled log counts): glean() beside
# the variance of the log counts, no answers and all labels.
#
#   Rscript pbmc.R FOLDER [SEEDS] [RESULTS.csv]
#
# FOLDER holds pbmc3k.mtx.gz (cells x genes) and pbmc3k_labels.csv.gz. For each
# seed 600 cells: rankings and questions on 200 of one half, the nearest neighbour
# on the other half, unscaled, with the best 5, 10, 20, 50 and 100 genes.
library(linkrank)
options(linkrank.progress = FALSE)
arguments <- commandArgs(trailingOnly = TRUE)
folder <- arguments[1]
seeds <- if (length(arguments) > 1) eval(parse(text = arguments[2])) else 1:4
results <- if (length(arguments) > 2) arguments[3] else "pbmc.csv"
depths <- c(5, 10, 20, 50, 100)

counts <- Matrix::readMM(gzfile(file.path(folder, "pbmc3k.mtx.gz")))
counts <- methods::as(methods::as(counts, "generalMatrix"), "CsparseMatrix")
cells <- counts
cells@x <- log1p(1e4 * counts@x / Matrix::rowSums(counts)[counts@i + 1L])
dimnames(cells) <- list(NULL, paste0("g", seq_len(ncol(cells))))
class <- utils::read.csv(gzfile(file.path(folder,
                                          "pbmc3k_labels.csv.gz")))$class

# 1-NN on cells as they are: squared distances over the first genes.
accuracy <- function(ranking, x, y, test, y_test) {
    best <- top_features(ranking, max(depths))
    a <- as.matrix(x[, best])
    b <- as.matrix(test[, best])
    100 * vapply(depths, function(depth) {
        keep <- seq_len(depth)
        square <- outer(rowSums(b[, keep]^2), rowSums(a[, keep]^2), "+") -
            2 * b[, keep] %*% t(a[, keep])
        mean(vapply(seq_along(y_test), function(i) {
            near <- which(square[i, ] <= min(square[i, ]) + 1e-9)
            mean(y[near] == y_test[i])
        }, 0))
    }, 0)
}

run <- function(seed) {
    set.seed(seed)
    kept <- sort(sample(nrow(cells), 600))
    half <- split_half(factor(class[kept]))
    train <- sort(sample(half$train, 200))
    x <- cells[kept[train], ]
    varies <- diff(x@p) > 0
    x <- x[, varies]
    test <- cells[kept[half$test], ][, varies]
    y <- class[kept[train]]
    links <- suppressWarnings(active_constraints(x, y, n = 20,
                                                 scale = "none"))
    rankings <- list(
        glean = glean(x, links, scale = "none"),
        relieff_sc = relieff_sc(x, links, scale = "none"),
        no_answers = glean(x, pairwise_constraints(samples = nrow(x)),
                           scale = "none"),
        all_labels = glean(x, constraints_from_labels(y), scale = "none"),
        variance = variance_score(x, scale = "none")
    )
    do.call(rbind, lapply(names(rankings), function(method) {
        own <- accuracy(rankings[[method]], x, y, test, class[kept[half$test]])
        data.frame(seed = seed, method = method, genes = depths, accuracy = own)
    }))
}

done <- if (file.exists(results)) utils::read.csv(results)
for (seed in setdiff(seeds, done$seed)) {
    row <- run(seed)
    utils::write.table(row, results, append = !is.null(done), sep = ",",
                       col.names = is.null(done), row.names = FALSE)
    done <- rbind(done, row)
}
table <- tapply(done$accuracy, done[c("method", "genes")], mean)
print(round(cbind(table, mean = rowMeans(table)), 1))
per_seed <- tapply(done$accuracy, done[c("seed", "method")], mean)
gain <- per_seed[, "glean"] - per_seed[, "variance"]
cat(sprintf("glean - variance: %+.1f, standard error over %d samples %.1f\n",
            mean(gain), length(gain), sd(gain) / sqrt(length(gain))))
