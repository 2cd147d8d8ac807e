# Which samples does group_markers() need for its order? The best 20 markers from a
# few cells of each group, beside the best 20 of scran::scoreMarkers(block = ) from
# all cells, by the same rule (smallest rank of Cohen's d).
#
#   Rscript markers_blocks.R FOLDER [SEEDS]
#
# FOLDER holds pbmc3k.mtx.gz, pbmc3k_labels.csv.gz and zeisel_1464.csv.gz. Half of
# the cells, in two random batches: the rate of each gene in the second batch is
# multiplied by exp(N(0, 0.8)).
source(system.file("benchmarks", "harness.R", package = "linkrank"))
call <- read_call("none.csv", seeds = 1:4)
if (!requireNamespace("scran", quietly = TRUE)) {
    not_run("scran is not installed")
}
cells_per_group <- c(3, 4, 5, 6, 8, 10, 14)

read_counts <- function(name) {
    at <- function(file) file.path(call$folder, file)
    if (name == "zeisel_1464") {
        set <- read_set(call$folder, name)
        return(list(counts = methods::as(set$x, "CsparseMatrix"),
                    y = factor(set$y)))
    }
    counts <- Matrix::readMM(gzfile(at("pbmc3k.mtx.gz")))
    class <- utils::read.csv(gzfile(at("pbmc3k_labels.csv.gz")))$class
    lineage <- c(B = "B", NK = "NK", `CD14+ Mono` = "Mono",
                 `FCGR3A+ Mono` = "Mono", `CD8 T` = "T",
                 `Memory CD4 T` = "T", `Naive CD4 T` = "T")[class]
    kept <- which(!is.na(lineage))
    list(counts = methods::as(counts, "CsparseMatrix")[kept, ],
         y = factor(lineage[kept]))
}

# Half of the cells in two batches, as logs.
draw_batches <- function(set, seed) {
    set.seed(seed)
    half <- sort(sample(nrow(set$counts), nrow(set$counts) / 2))
    counts <- set$counts[half, ]
    counts <- counts[, Matrix::colSums(counts > 0) >= 3]
    batch <- sample(1:2, length(half), TRUE)
    rate <- exp(stats::rnorm(ncol(counts), 0, 0.8))
    counts[batch == 2, ] <- counts[batch == 2, ] %*% Matrix::Diagonal(x = rate)
    total <- Matrix::rowSums(counts)
    counts <- Matrix::Diagonal(x = stats::median(total) / total) %*% counts
    counts@x <- log1p(counts@x)
    dimnames(counts) <- list(paste0("c", half), paste0("g", seq_len(ncol(counts))))
    list(x = counts, y = set$y[half], batch = batch)
}

best_of_scran <- function(d) {
    tables <- scran::scoreMarkers(Matrix::t(d$x), d$y, block = d$batch)
    lapply(tables, function(table) {
        rownames(table)[order(table$rank.logFC.cohen,
                              -table$mean.logFC.cohen)][1:20]
    })
}

# Half of the cells of a group from each batch.
few_cells <- function(d, count) {
    unlist(lapply(levels(d$y), function(group) {
        unlist(lapply(1:2, function(batch) {
            own <- which(d$y == group & d$batch == batch)
            own[sample.int(length(own), if (batch == 1) count %/% 2 else
                count - count %/% 2)]
        }))
    }))
}

shares <- function(d, wanted, count) {
    rows <- few_cells(d, count)
    of <- function(block, column) {
        markers <- group_markers(d$x[rows, ], droplevels(d$y[rows]),
                                 block = block)
        mean(vapply(names(wanted), function(group) {
            own <- as.data.frame(markers)[markers$group == group, ]
            own <- own[order(own[[column]], decreasing = column != "rank"), ]
            mean(own$feature[1:20] %in% wanted[[group]])
        }, 0))
    }
    batch <- d$batch[rows]
    c(`no block, rank` = of(NULL, "rank"), `block, rank` = of(batch, "rank"),
      `block, statistic` = of(batch, "statistic"),
      `block, difference` = of(batch, "difference"))
}

for (name in c("pbmc3k", "zeisel_1464")) {
    set <- read_counts(name)
    found <- lapply(call$seeds, function(seed) {
        d <- draw_batches(set, seed)
        wanted <- best_of_scran(d)
        vapply(cells_per_group, function(count) shares(d, wanted, count),
               numeric(4L))
    })
    table <- Reduce(`+`, found) / length(found)
    colnames(table) <- cells_per_group
    cat("\n", name, ", ", length(call$seeds), " draws, cells per group\n", sep = "")
    print(round(table, 2))
}
