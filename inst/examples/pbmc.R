# Makes `sce`, a SingleCellExperiment of 300 blood cells and 1,000 genes with
# log-normalised counts, for the examples of the README:
#
#   source(system.file("examples/pbmc.R", package = "linkrank"))
#
# vignette("bioconductor") explains the steps, inst/extdata/README the data.
if (!requireNamespace("SingleCellExperiment", quietly = TRUE)) {
    stop("This example needs the package SingleCellExperiment: ",
         "BiocManager::install(\"SingleCellExperiment\").", call. = FALSE)
}
sce <- local({
    cells <- readRDS(system.file("extdata", "pbmc.rds", package = "linkrank"))
    counts <- Matrix::sparseMatrix(
        cells$i + 1, p = cells$p, x = as.numeric(cells$x),
        dimnames = list(cells$genes, cells$cells$barcode)
    )
    # the depth of a cell, over all its genes, not over these 1,000 alone
    depth <- cells$cells$total / mean(cells$cells$total)
    logged <- log1p(Matrix::t(Matrix::t(counts) / depth)) / log(2)
    sce <- SingleCellExperiment::SingleCellExperiment(
        list(counts = counts, logcounts = logged), colData = cells$cells[-1]
    )
    SingleCellExperiment::sizeFactors(sce) <- depth
    sce
})
