# Sparse matrices in memory. Bioconductor's containers, and files of cells, hold
# them with features in rows: the cells of a sample are stored together.
# Neighbours and ranges are computed without transposing them. A walk over
# features needs a transposed copy: it is made when it is first asked for and
# kept as long as the data (src/read_transpose.h).

# Any class of package Matrix as a dgCMatrix.
as_sparse_columns <- function(x) {
    if (methods::is(x, "dgCMatrix")) return(x)
    for (class in c("dMatrix", "generalMatrix", "CsparseMatrix")) {
        x <- methods::as(x, class)
    }
    x
}

holds_sparse <- function(data) data$layout %in% c("sparse", "by sample")

# A dgCMatrix from its slots, set one by one: a validity check would read all
# entries.
sparse_matrix <- function(i, x, p, extent) {
    out <- methods::new("dgCMatrix")
    out@i <- i
    out@x <- x
    out@p <- p
    out@Dim <- as.integer(extent)
    out
}

# Features x samples from entries that are stored sample after sample.
sparse_columns <- function(feature, value, width, p) {
    sparse_matrix(feature, value, as.integer(c(0, cumsum(as.numeric(width)))),
                  c(p, length(width)))
}

# t() of a dgCMatrix, without names.
transpose_samples <- function(x) {
    cells <- .Call(C_transpose_samples, x)
    sparse_matrix(cells$i, cells$x, cells$p, rev(dim(x)))
}

# What C calls `transposed`: an environment whose `values` are samples x
# features.
transposed_once <- function(x) {
    force(x)
    transposed <- structure(new.env(parent = emptyenv()),
                            class = "session_state")
    delayedAssign("values", transpose_samples(x), assign.env = transposed)
    transposed
}

# Some columns of a dgCMatrix, without names.
take_columns <- function(x, columns) {
    width <- diff(x@p)[columns]
    at <- sequence(width, x@p[columns] + 1)
    sparse_columns(x@i[at], x@x[at], width, nrow(x))
}

# What C_scan_samples() has found before any sample.
empty_scan <- function(p) {
    list(minimum = rep(NaN, p), maximum = rep(NaN, p), missing = integer(p),
         bad = integer(p), entries = numeric(p), whole = TRUE,
         several = integer(p))
}
