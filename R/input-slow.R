# What work on data costs, in seconds of the machine of R/format-slow.R: each a
# count of operations times the time of one, measured on the sets that the
# benchmarks use.

# All distances from some samples to all samples.
distance_seconds <- function(data, ends) {
    terms <- if (holds_sparse(data)) {
        length(data$values@x) * 2e-10
    } else {
        data$n * data$p * 1.2e-10
    }
    as.numeric(ends) * terms
}

# Means over neighbours, a row of the data for each.
margin_seconds <- function(data, rows) {
    as.numeric(rows) * data$p * 1.2e-9
}

tell_slow_search <- function(data, ends, rows = 0) {
    tell_slow(distance_seconds(data, ends) + margin_seconds(data, rows),
              paste("neighbours of", count_noun(ends, "sample"), "among",
                    show_number(data$n), "in", count_noun(data$p, "feature")),
              paste("`space` = 20, where there is such an argument, seeks",
                    "them in principal components, and fewer features are",
                    "faster"))
}

# Inner products of all pairs of features, `per` seconds for one; `code`: and a
# sparse code of each, which takes longer with many samples.
tell_slow_features <- function(data, features, per, what, instead,
                               code = FALSE) {
    features <- as.numeric(features)
    tell_slow(data$n * features^2 * per + code * features * data$n^2 * 2.4e-9,
              paste(what, "of", count_noun(features, "feature"), "in",
                    count_noun(data$n, "sample")), instead)
}

# Cells that are stored: in a sparse matrix those that are not 0.
stored_count <- function(data) {
    if (holds_sparse(data)) length(data$values@x) else data$n * data$p
}

# Two passes over a DelayedMatrix: what its features are like, and the work. The
# bytes of a reader are those of its entries (see column_bytes()), or of cells.
tell_slow_reading <- function(reader, extent, sparse) {
    cells <- prod(as.numeric(extent))
    if (sparse && !is.null(reader)) {
        cells <- reader$n * max(0, (reader$bytes - 108) / 8)
    }
    tell_slow(2 * cells * (if (sparse) 2e-7 else 6e-8),
              paste("reading", count_noun(extent[1L], "sample"), "of",
                    count_noun(extent[2L], "feature"), "twice, in blocks"),
              paste("where it fits into memory, an assay that was turned into",
                    "a dgCMatrix or a matrix is faster"))
}
