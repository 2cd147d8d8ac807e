# inst/extdata/pbmc.rds: 300 blood cells by 1,000 genes of PBMC 3k, for the
# vignette `bioconductor`. Counts: 10x Genomics, "3k PBMCs from a Healthy Donor"
# (CC BY 4.0), filtered as in the standard tutorial to 2,638 cells. Labels: the
# annotation of these cells in RcppML (GPL >= 3).
#
#   Rscript data-raw/pbmc.R FOLDER   FOLDER holds pbmc3k.mtx.gz and its names
#
# Cells are drawn at random in each type, in proportion but eight at least; the
# genes are those of largest variance of the log-normalised counts, after the
# markers that the vignette names, by name. Size factors are of all genes.
folder <- commandArgs(TRUE)[1L]
read <- function(name) file.path(folder, paste0("pbmc3k", name))
counts <- Matrix::t(Matrix::readMM(gzfile(read(".mtx.gz"))))
genes <- read.csv(gzfile(read("_features.csv.gz")))$feature
cells <- read.csv(gzfile(read("_labels.csv.gz")))
counts <- methods::as(methods::as(counts, "dMatrix"), "CsparseMatrix")

set.seed(2026)
size <- table(cells$class)
taken <- setNames(pmax(8, round(300 * size / sum(size))), names(size))
taken[which.max(taken)] <- taken[which.max(taken)] - (sum(taken) - 300)
columns <- sort(unlist(lapply(names(size), function(type) {
    of <- which(cells$class == type)
    of[sample.int(length(of), taken[[type]])]
})))

depth <- Matrix::colSums(counts)
logged <- counts
logged@x <- log2(counts@x / rep(depth / mean(depth), diff(counts@p)) + 1)
mean_of <- Matrix::rowMeans(logged)
variance <- Matrix::rowMeans(logged^2) - mean_of^2
markers <- c("CD3E", "CD3D", "IL7R", "CD8A", "CD79A", "MS4A1", "CD14", "LYZ",
             "FCGR3A", "MS4A7", "NKG7", "GNLY", "FCER1A", "CST3", "PPBP")
best <- genes[order(-variance)]
kept <- sort(match(union(markers, best)[1:1000], genes))

part <- counts[kept, columns]
storage.mode(part@x) <- "double"
pbmc <- list(
    i = part@i, p = part@p, x = as.integer(part@x),
    genes = genes[kept],
    cells = data.frame(barcode = cells$cell[columns],
                       cell_type = cells$class[columns],
                       total = as.integer(depth[columns]),
                       detected = as.integer(Matrix::colSums(counts[, columns]
                                                             > 0)))
)
saveRDS(pbmc, "inst/extdata/pbmc.rds", compress = "bzip2", version = 2L)
cat(file.size("inst/extdata/pbmc.rds"), "bytes;", ncol(part), "cells,",
    length(part@x), "counts\n")
