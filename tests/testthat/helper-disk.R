with_block_size <- function(bytes, code) {
    before <- DelayedArray::getAutoBlockSize()
    suppressMessages(DelayedArray::setAutoBlockSize(bytes))
    on.exit(suppressMessages(DelayedArray::setAutoBlockSize(before)))
    code
}

# rhdf5 looks for "GZIP" as toupper("gzip"), which is another word in Turkish.
with_plain_letters <- function(code) {
    before <- Sys.getlocale("LC_CTYPE")
    Sys.setlocale("LC_CTYPE", "C")
    on.exit(Sys.setlocale("LC_CTYPE", before))
    code
}

# x in a file, in chunks of this shape.
in_file <- function(x, chunks) {
    file <- tempfile(fileext = ".h5")
    values <- with_plain_letters(
        HDF5Array::writeHDF5Array(unname(x), file, "x", chunkdim = chunks))
    dimnames(values) <- dimnames(x)
    values
}

# Files of samples x features, opened as Bioconductor has them: features x
# samples.

# A TENxMatrix. Made from its parts: in some versions of HDF5Array TENxMatrix()
# fails from the second call of a session on.
in_tenx <- function(x) {
    cells <- Matrix::t(stored_cells(x))
    stored <- write_columns(cells, "m", ".h5")
    DelayedArray::DelayedArray(methods::new(
        "TENxMatrixSeed", filepath = stored$file, group = "/m", subdata = NULL,
        dim = dim(cells), indptr_ranges = stored$ranges,
        dimnames = list(NULL, NULL)
    ))
}

stored_cells <- function(x) {
    methods::as(methods::as(Matrix::Matrix(x, sparse = TRUE),
                            "generalMatrix"), "CsparseMatrix")
}

# The cells of a dgCMatrix in a group of a new file: list(file, ranges), where
# those of each column are.
write_columns <- function(cells, group, ending) {
    file <- tempfile(fileext = ending)
    rhdf5::h5createFile(file)
    rhdf5::h5createGroup(file, group)
    with_plain_letters({
        rhdf5::h5write(cells@x, file, paste0(group, "/data"))
        rhdf5::h5write(cells@i, file, paste0(group, "/indices"))
        rhdf5::h5write(cells@p, file, paste0(group, "/indptr"))
    })
    list(file = file,
         ranges = data.frame(start = cells@p[-length(cells@p)] + 1,
                             width = diff(cells@p)))
}

# An H5ADMatrix, as H5ADMatrix() opens it; the file has the cells of a sample
# together ("samples"), or those of a feature. Some versions of HDF5Array cannot
# open such a file with that of rhdf5 beside them.
in_h5ad <- function(x, together = c("samples", "features")) {
    together <- match.arg(together)
    x <- stored_cells(x)
    stored <- write_columns(if (together == "samples") Matrix::t(x) else x,
                            "X", ".h5ad")
    class <- c(samples = "CSC_H5ADMatrixSeed", features = "CSR_H5ADMatrixSeed")
    DelayedArray::DelayedArray(methods::new(
        class[[together]], filepath = stored$file, group = "/X",
        subdata = NULL, dim = rev(dim(x)), dimnames = list(NULL, NULL),
        indptr_ranges = stored$ranges
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

# ---- full disks ---------------------------------------------------------------

# A folder on a disk of its own, where this machine lets us have one.
small_disk <- function(size = "16k", frame = parent.frame()) {
    skip_on_cran()
    skip_on_os(c("windows", "mac", "solaris"))
    folder <- tempfile("disk")
    dir.create(folder)
    options <- c("-t", "tmpfs", "-o", paste0("size=", size))
    mounted <- system2("mount", c(options, "tmpfs", folder), stdout = FALSE,
                       stderr = FALSE)
    if (mounted != 0) {
        skip("no small disk can be mounted here")
    }
    do.call(on.exit, list(bquote({
        system2("umount", .(folder), stdout = FALSE, stderr = FALSE)
        unlink(.(folder), recursive = TRUE)
    })), envir = frame)
    folder
}

fill_disk <- function(folder) {
    try(suppressWarnings(writeBin(raw(1e6), file.path(folder, "full"))),
        silent = TRUE)
}
