# Samples of two batches: how many features of the batch lead a ranking from
# pairs, and what `block`, corrected coordinates and corrected data do about it.
#
#   Rscript blocks.R [REPLICATES]
#
# The 62 samples of `colon` (log2, each with mean 0) are in two batches at random, and 400 random genes of
# 2,000 are 1.5 (log2) higher in the second batch. Forty cannot-links and twenty
# must-links agree with the tissue; cannot-links join two batches never, half of
# the time, in 80 % and always. `batch`: share of the 400 genes among the best
# 50, .20 being chance. `markers`: overlap with the best 50 of the test of the
# tissue within batches on all labels. Means over the replicates, with standard
# errors in brackets.
source(system.file("benchmarks", "harness.R", package = "linkrank"))
given <- as.numeric(commandArgs(trailingOnly = TRUE))
replicates <- if (length(given)) given[1L] else 40

logs <- log2(colon$x)
logs <- logs - rowMeans(logs)
tissue <- colon$tissue

# Pairs of both tissues; a share of the cannot-links joins two batches.
draw_pairs <- function(batch, share, cannot = 40, must = 20) {
    all <- t(utils::combn(length(tissue), 2L))
    same <- tissue[all[, 1L]] == tissue[all[, 2L]]
    across <- batch[all[, 1L]] != batch[all[, 2L]]
    some <- function(rows, count) {
        all[rows[sample.int(length(rows), count)], , drop = FALSE]
    }
    crossing <- round(share * cannot)
    pairwise_constraints(cannot_link = rbind(some(which(!same & across), crossing),
                               some(which(!same & !across), cannot - crossing)),
                         must_link = some(which(same), must), samples = length(tissue))
}

# Without the difference of the batches, as limma::removeBatchEffect() with the
# tissue in the design would leave it.
without_batch <- function(x, batch) {
    fit <- stats::lm.fit(stats::model.matrix(~ tissue + batch), x)
    effect <- fit$coefficients[3L, ]
    x - outer(as.numeric(batch == levels(batch)[2L]) - 0.5, effect)
}

rankings <- function(x, links, batch) {
    clean <- without_batch(x, batch)
    points <- stats::prcomp(clean, rank. = 20)$x
    run <- function(rank, ...) {
        tryCatch(suppressMessages(rank(constraints = links, scale = "none", ...)),
                 linkrank_error_constraints = function(condition) NULL)
    }
    list(relieff_sc = run(relieff_sc, x = x),
         "  block" = run(relieff_sc, x = x, block = batch),
         "  corrected space" = run(relieff_sc, x = x, space = points),
         "  corrected data" = run(relieff_sc, x = clean),
         glean = run(glean, x = x),
         "  block " = run(glean, x = x, block = batch),
         "  corrected data " = run(glean, x = clean))
}

one_replicate <- function(seed, share) {
    set.seed(seed)
    batch <- factor(sample(rep(c("one", "two"), length.out = length(tissue))))
    shifted <- sample(ncol(logs), 400)
    x <- logs
    x[batch == "two", shifted] <- x[batch == "two", shifted] + 1.5
    links <- draw_pairs(batch, share)
    tested <- group_markers(x, tissue, block = batch)
    tested <- tested[tested$group == levels(tissue)[1L], ]
    truth <- tested$feature[order(tested$p_value)][1:50]
    best <- lapply(rankings(x, links, batch), function(ranking) {
        if (!is.null(ranking)) top_features(ranking, 50)
    })
    names <- colnames(logs)[shifted]
    vapply(best, function(genes) {
        if (is.null(genes)) c(batch = NA, markers = NA) else
            c(batch = mean(genes %in% names), markers = mean(genes %in% truth))
    }, c(batch = 0, markers = 0))
}

show <- function(values) {
    if (all(is.na(values))) "no pair left" else
        sub("0\\.", ".", sprintf("%.2f (%s)", mean(values), sub(
            "^0", "", sprintf("%.3f", stats::sd(values) / sqrt(length(values)))
        )))
}

shares <- c(never = 0, half = 0.5, "80 %" = 0.8, always = 1)
cells <- lapply(shares, function(share) {
    found <- lapply(seq_len(replicates), one_replicate, share = share)
    array(unlist(found), c(2L, ncol(found[[1L]]), replicates),
          list(c("batch", "markers"), colnames(found[[1L]]), NULL))
})
for (what in c("batch", "markers")) {
    table <- vapply(cells, function(cell) apply(cell[what, , ], 1L, show),
                    character(dim(cells[[1L]])[2L]))
    cat("\n", if (what == "batch") "share of batch genes in the best 50" else
        "overlap with the best 50 of the test within batches",
        ", pairs that cross batches\n", sep = "")
    print(noquote(table), right = TRUE)
}
