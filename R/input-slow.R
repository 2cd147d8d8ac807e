# How many operations work on data takes, where several functions do the same.

# All distances from some samples to all samples, eight terms at a time (four
# of sparse data), and means over neighbours for some rows.
note_slow_search <- function(data, ends, rows = 0) {
    terms <- if (holds_sparse(data)) length(data$values@x) / 4 else
        data$n * data$p / 8
    note_slow(as.numeric(ends) * terms + as.numeric(rows) * data$p,
              paste("neighbours of", count_noun(ends, "sample"), "among",
                    show_number(data$n), "in", count_noun(data$p, "feature")),
              paste("`space` = 20, where there is such an argument, seeks",
                    "them in principal components, and fewer features are",
                    "faster"))
}

# `each` operations for a pair of features and a sample; `code`: and a sparse
# code of each feature, which takes longer with many samples.
note_slow_features <- function(data, features, each, what, instead,
                               code = FALSE) {
    features <- as.numeric(features)
    note_slow(data$n * features^2 * each + 2 * code * features * data$n^2,
              paste(what, "of", count_noun(features, "feature"), "in",
                    count_noun(data$n, "sample")), instead)
}

# Two passes over a DelayedMatrix: what its features are like, and the work. The
# bytes of a reader are those of its entries (see column_bytes()), or of cells.
note_slow_reading <- function(reader, extent, sparse) {
    cells <- prod(as.numeric(extent))
    if (sparse && !is.null(reader)) {
        cells <- reader$n * max(0, (reader$bytes - 108) / 8)
    }
    note_slow((if (sparse) 400 else 120) * cells,
              paste("reading", count_noun(extent[1L], "sample"), "of",
                    count_noun(extent[2L], "feature"), "twice, in blocks"),
              paste("where it fits into memory, an assay that was turned into",
                    "a dgCMatrix or a matrix is faster"))
}
