# Clusters of one half of the counts, tested on the other half: how often is there
# a discovery where all cells are of one type, and what is found of 30 of 200 genes
# that are higher in a third of the cells? By binomial halves, and by beta-binomial
# halves with depth regressed out of the half that is clustered. With a FOLDER also the counts of PBMC 3k: the 400 most
# frequent genes of its CD14+ monocytes, those of each gene permuted among cells of
# about the same depth, so that nothing is left to be found but the genes' own
# distributions and the depth; a fold is planted by thinning in the other cells.
#
#   Rscript thinning.R [SETS [FOLDER]]    data sets of each design (40)

suppressPackageStartupMessages(library(linkrank))
options(linkrank.progress = FALSE)
given <- commandArgs(trailingOnly = TRUE)
sets <- if (length(given)) as.integer(given[1L]) else 40L

quiet <- function(work) suppressWarnings(suppressMessages(work))
thin <- function(counts) {
    expected <- outer(rowMeans(counts), colSums(counts) / mean(colSums(counts)))
    extra <- rowSums((counts - expected)^2 - expected) / rowSums(expected^2)
    size <- 1 / pmax(extra, 1e-6)
    size <- sqrt(size * median(size, na.rm = TRUE))
    at <- which(counts > 0)
    own <- size[(at - 1) %% nrow(counts) + 1] / 2
    counts[at] <- rbinom(length(at), counts[at], rbeta(length(at), own, own))
    counts
}
logs <- function(counts) {
    log1p(t(counts) / colSums(counts) * mean(colSums(counts)))
}
clusters <- function(values) {
    kmeans(prcomp(values, rank. = 10)$x, 2, nstart = 5)$cluster
}
by_binomial <- function(counts) {
    half <- matrix(rbinom(length(counts), counts, 0.5), nrow(counts))
    list(half = half, values = logs)
}
by_size <- function(counts) {
    list(half = thin(counts), values = function(counts) {
        depth <- log(colSums(counts))
        residuals(lm(logs(counts) ~ depth + I(depth^2)))
    })
}

# What one data set shows of which rows 1 to 30 may differ: is there a discovery, the
# share of the 30 that is found, and of what is found the share that is false?
judge <- function(split, counts) {
    made <- split(counts)
    kept <- colSums(made$half) > 0 & colSums(counts - made$half) > 0
    groups <- clusters(made$values(made$half[, kept]))
    rest <- (counts - made$half)[, kept]
    found <- quiet(group_markers(logs(rest), groups))
    found <- found[found$group == found$group[1L], ]
    hit <- found$feature[which(found$fdr <= 0.05)]
    own <- hit %in% paste0("V", 1:30)
    c(any = length(hit) > 0, found = sum(own) / 30,
      false = sum(!own) / max(1, length(hit)))
}

# 150 cells of negative binomial counts (`size` Inf: Poisson), with
# depths of standard deviation `sd` (log).
simulate <- function(size, sd, fold = 1) {
    mean <- outer(rgamma(200, 1, 0.5), exp(rnorm(150, 0, sd)))
    mean[1:30, 1:50] <- mean[1:30, 1:50] * fold
    matrix(if (is.finite(size)) rnbinom(30000, mu = mean, size = size)
           else rpois(30000, mean), 200)
}

set.seed(1)
ways <- list(binomial = by_binomial, `by size` = by_size)
for (way in names(ways)) {
    for (design in list(c(Inf, 0), c(2, 0), c(0.5, 0), c(Inf, 0.7), c(2, 0.7))) {
        any <- replicate(sets, judge(ways[[way]], simulate(
            design[1L], design[2L]))["any"])
        cat(sprintf("%-9s one type, size %3g, sd of depth %.1f: any %.2f\n", way,
                    design[1L], design[2L], mean(any)))
    }
    for (fold in c(2.5, 5)) {
        facts <- rowMeans(replicate(sets, judge(ways[[way]],
                                               simulate(2, 0.5, fold))))
        cat(sprintf("%-9s %.1f fold: found %.2f, false %.2f of those\n", way, fold,
                    facts[["found"]], facts[["false"]]))
    }
}

# ---- PBMC 3k -----------------------------------------------------------------

if (length(given) < 2L) quit()
read <- function(name) utils::read.csv(gzfile(file.path(given[2L], name)))
all <- Matrix::readMM(gzfile(file.path(given[2L], "pbmc3k.mtx.gz")))
type <- read("pbmc3k_labels.csv.gz")$class
own <- t(as.matrix(all[which(type == "CD14+ Mono"), ]))
own <- unname(own[order(-rowSums(own))[1:400], ])
cat(sprintf("%d cells of PBMC 3k, %.0f counts of a cell, log sd of depth %.2f\n",
            ncol(own), mean(colSums(own)), sd(log(colSums(own)))))
alike <- cut(rank(colSums(own), ties.method = "first"), 20, labels = FALSE)
permuted <- function(fold = 1) {
    counts <- own[sample.int(400), ]
    for (row in 1:400) counts[row, ] <- ave(counts[row, ], alike, FUN = sample)
    others <- sample.int(ncol(own), round(2 / 3 * ncol(own)))
    counts[1:30, others] <- rbinom(30 * length(others), counts[1:30, others],
                                   1 / fold)
    counts
}
for (way in names(ways)) for (fold in c(1, 2.5, 5)) {
    facts <- replicate(sets, judge(ways[[way]], permuted(fold)))
    cat(sprintf("%-9s PBMC 3k, %.1f fold: any %.2f, found %.2f, false %.2f\n", way,
                fold, mean(facts["any", ]), mean(facts["found", ]),
                mean(facts["false", ])))
}
