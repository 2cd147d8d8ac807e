# Markers of nine groups in data of single-cell size, beside scran where it is
# installed: the same d and AUC, as tests/peers checks.
#
#     Rscript markers.R           2638 cells x 13,714 genes, 6 % stored
#     Rscript markers.R large     20,000 cells x 15,000 genes, 6 % stored
#
# Or what markers of a few sorted cells are worth, with scran and scuttle:
#
#     Rscript markers.R FOLDER [SEEDS]
#
# FOLDER holds pbmc3k.mtx.gz (cells x genes) with its labels and features, and
# zeisel_1464.csv.gz, as fetch.R writes them. 20 and 40 cells are sorted, with a
# tenth of the labels drawn again; of each group the best 20 by each column are
# compared with the best 20 of findMarkers() and of scoreMarkers() (mean AUC), all
# cells and true labels, for the class of most of the cells of the group. Standard
# errors, in brackets, are between seeds.

source(system.file("benchmarks", "harness.R", package = "linkrank"))
machine()

# ---- markers of a few cells ----------------------------------------------------

# Genes x cells as log counts, classes, and a batch of half the cells, in which a
# fifth of the genes lose half of their counts.
read_cells <- function(folder, name) {
    file <- function(end) gzfile(file.path(folder, paste0(name, end)))
    if (name == "pbmc3k") {
        counts <- Matrix::t(Matrix::readMM(file(".mtx.gz")))
        class <- utils::read.csv(file("_labels.csv.gz"))$class
        rownames(counts) <- utils::read.csv(file("_features.csv.gz"))$feature
    } else {
        table <- utils::read.csv(file(".csv.gz"), check.names = FALSE)
        counts <- Matrix::Matrix(t(as.matrix(table[-ncol(table)])), sparse = TRUE)
        class <- table$class
    }
    colnames(counts) <- paste0("cell", seq_len(ncol(counts)))
    list(counts = methods::as(methods::as(counts, "generalMatrix"),
                              "CsparseMatrix"), class = factor(class))
}

lose_counts <- function(counts, batch) {
    genes <- sample.int(nrow(counts), nrow(counts) %/% 5)
    cell <- rep(seq_len(ncol(counts)), diff(counts@p))
    fewer <- which(batch[cell] == "b" & (counts@i + 1L) %in% genes)
    counts@x[fewer] <- stats::rbinom(length(fewer), counts@x[fewer], 0.5)
    counts
}

# The best 20 genes of each class: names, classes in columns.
true_markers <- function(x, class, batch) {
    found <- scran::findMarkers(x, class, block = batch, direction = "up")
    scores <- scran::scoreMarkers(x, class, block = batch)
    best <- function(genes) utils::head(genes, 20L)
    list(findMarkers = vapply(found, function(own) best(rownames(own)),
                              character(20L)),
         scoreMarkers = vapply(scores, function(own) {
             best(rownames(own)[order(-own$mean.AUC)])
         }, character(20L)))
}

# Mean shares over the groups, by the order of the table and by columns.
shares_of <- function(markers, group_class, truth) {
    orders <- c("rank", "difference", "cohen_d", "auc", "statistic")
    groups <- names(group_class)
    vapply(truth, function(best) {
        vapply(stats::setNames(nm = orders), function(column) {
            mean(vapply(groups, function(group) {
                own <- as.data.frame(markers)[markers$group == group, ]
                key <- if (column == "rank") own$rank else -own[[column]]
                mean(own$feature[order(key)[1:20]] %in% best[, group_class[group]])
            }, 0))
        }, 0)
    }, numeric(5L))
}

most_of <- function(group, class) {
    counts <- table(group, class)
    stats::setNames(colnames(counts)[max.col(counts, "first")], rownames(counts))
}

try_cells <- function(cells, seed, blocks) {
    set.seed(seed)
    batch <- if (blocks) sample(rep_len(c("a", "b"), length(cells$class)))
    counts <- if (blocks) lose_counts(cells$counts, batch) else cells$counts
    x <- scuttle::normalizeCounts(counts)
    truth <- true_markers(x, cells$class, batch)
    answers <- cells$class
    wrong <- sample.int(length(answers), length(answers) %/% 10)
    answers[wrong] <- sample(answers[wrong])
    data <- prepare_data(Matrix::t(x), scale = "none", block = batch)
    found <- lapply(c(20, 40), function(n) {
        links <- active_constraints(data, answers, n = n)
        markers <- group_markers(data, links)
        groups <- linkrank:::closure_groups(links)
        group <- groups$names[groups$code]
        classes <- most_of(group, cells$class)[levels(markers$group)]
        ranking <- glean(data, links)
        spread <- group_markers(data, ranking)
        labels <- glean_labels(ranking)$cluster
        list(answers = shares_of(markers, classes, truth),
             glean = shares_of(spread, most_of(labels, cells$class)[
                 levels(spread$group)], truth))
    })
    simplify2array(lapply(found, simplify2array))
}

compare_few <- function(folder, seeds) {
    for (name in c("pbmc3k", "zeisel_1464")) {
        cells <- read_cells(folder, name)
        for (blocks in c(FALSE, TRUE)) {
            runs <- suppressMessages(simplify2array(lapply(seeds, function(seed) {
                try_cells(cells, seed, blocks)
            })))
            for (n in 1:2) {
                cat(sprintf("\n%s, %d cells sorted%s, %d seeds: %s\n", name,
                            20 * n, if (blocks) ", two batches as blocks" else "",
                            length(seeds), "shared with findMarkers / scoreMarkers"))
                own <- runs[, , , n, ]
                mean <- apply(own, 1:3, base::mean)
                error <- apply(own, 1:3, stats::sd) / sqrt(length(seeds))
                shown <- array(sprintf("%.3f (%.3f)", mean, error), dim(mean))
                print(noquote(array(paste(shown[, 1L, ], "/", shown[, 2L, ]),
                                    dim(mean)[-2L], dimnames(mean)[-2L])))
                gain <- own["rank", "findMarkers", , ] -
                    own["cohen_d", "findMarkers", , ]
                cat(sprintf("order of the table - cohen_d, %s: %+.3f (%.3f)\n",
                            rownames(gain), rowMeans(gain),
                            apply(gain, 1L, stats::sd) / sqrt(length(seeds))),
                    sep = "")
            }
        }
    }
}

given <- setdiff(commandArgs(trailingOnly = TRUE), "large")
if (length(given)) {
    seeds <- if (length(given) > 1L) eval(parse(text = given[2L])) else 1:10
    compare_few(given[1L], seeds)
    quit(save = "no")
}

# ---- time ----------------------------------------------------------------------

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
