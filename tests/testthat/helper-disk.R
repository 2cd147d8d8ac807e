with_block_size <- function(bytes, code) {
    before <- DelayedArray::getAutoBlockSize()
    suppressMessages(DelayedArray::setAutoBlockSize(bytes))
    on.exit(suppressMessages(DelayedArray::setAutoBlockSize(before)))
    code
}

# x in a file, in chunks of this shape.
in_file <- function(x, chunks) {
    file <- tempfile(fileext = ".h5")
    values <- HDF5Array::writeHDF5Array(unname(x), file, "x", chunkdim = chunks)
    dimnames(values) <- dimnames(x)
    values
}

# Files of samples x features, opened as Bioconductor has them: features x
# samples.

# A TENxMatrix. Made from its parts: in some versions of HDF5Array TENxMatrix()
# fails from the second call of a session on.
in_tenx <- function(x) {
    cells <- Matrix::t(methods::as(methods::as(
        Matrix::Matrix(x, sparse = TRUE), "generalMatrix"), "CsparseMatrix"))
    file <- tempfile(fileext = ".h5")
    rhdf5::h5createFile(file)
    rhdf5::h5createGroup(file, "m")
    rhdf5::h5write(cells@x, file, "m/data")
    rhdf5::h5write(cells@i, file, "m/indices")
    rhdf5::h5write(cells@p, file, "m/indptr")
    ranges <- data.frame(start = cells@p[-length(cells@p)] + 1,
                         width = diff(cells@p))
    DelayedArray::DelayedArray(methods::new(
        "TENxMatrixSeed", filepath = file, group = "/m", subdata = NULL,
        dim = dim(cells), indptr_ranges = ranges,
        dimnames = list(NULL, NULL)
    ))
}

# An H5ADMatrix, as H5ADMatrix() opens it; the file has the cells of a sample
# together ("samples"), or those of a feature. Some versions of HDF5Array cannot
# open such a file with that of rhdf5 beside them.
in_h5ad <- function(x, together = c("samples", "features")) {
    together <- match.arg(together)
    x <- methods::as(methods::as(Matrix::Matrix(x, sparse = TRUE),
                                 "generalMatrix"), "CsparseMatrix")
    stored <- if (together == "samples") Matrix::t(x) else x
    class <- c(samples = "CSC_H5ADMatrixSeed", features = "CSR_H5ADMatrixSeed")
    file <- tempfile(fileext = ".h5ad")
    rhdf5::h5createFile(file)
    rhdf5::h5createGroup(file, "X")
    rhdf5::h5write(stored@x, file, "X/data")
    rhdf5::h5write(stored@i, file, "X/indices")
    rhdf5::h5write(stored@p, file, "X/indptr")
    DelayedArray::DelayedArray(methods::new(
        class[[together]], filepath = file, group = "/X", subdata = NULL,
        dim = rev(dim(x)), dimnames = list(NULL, NULL),
        indptr_ranges = data.frame(start = stored@p[-length(stored@p)] + 1,
                                   width = diff(stored@p))
    ))
}

skip_without_tenx <- function() {
    skip_if_not_installed("HDF5Array")
    skip_if_not_installed("rhdf5")
    skip_if_not_installed("SummarizedExperiment")
    skip_if_not(methods::existsMethod("DelayedArray", "TENxMatrixSeed") ||
                    methods::isClass("TENxMatrixSeed",
                                     where = asNamespace("HDF5Array")))
}

# An experiment with this assay and the names of x.
experiment_with <- function(assay, x) {
    se <- SummarizedExperiment::SummarizedExperiment(list(logcounts = assay))
    dimnames(se) <- rev(dimnames(x))
    se
}

# Counts with many zeros, ties and a feature that no cell has.
sparse_cells <- function(n, p, density = 0.3, seed = 1) {
    set.seed(seed)
    x <- matrix(rbinom(n * p, 1, density) * round(rexp(n * p, 0.5), 1), n, p,
                dimnames = list(paste0("s", seq_len(n)),
                                paste0("g", seq_len(p))))
    x[, p] <- 0
    x
}
