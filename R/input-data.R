# The data of a call as C reads them: matrices, data frames, sparse data.

# ==== data ====================================================================

# What prepare_data() returns, a `prepared_data`, is what every method takes; no
# other function depends on the class of `x`:
#
#   values, layout   the cells: a matrix with samples in rows ("columns") or in
#                    columns ("rows"), a dgCMatrix with samples in rows
#                    ("sparse") or in columns ("by sample",
#                    see transposed_once()), or a function(first, count) that
#                    returns some features as a samples x features matrix
#                    ("reader")
#   block            features that a reader returns at a time
#   stored           function() that returns the stored cells of a reader as
#                    memory (input-disk.R), or NULL
#   cells            a reader of samples besides (input-disk.R), or NULL
#   transposed       of "by sample": an environment whose `values` are samples x
#                    features, made when they are first asked for; else NULL
#   n, p             samples, features
#   features         names, always there
#   samples          names, or NULL
#   kind             "numeric", "logical" or "factor" per feature; a factor's
#                    cells are codes
#   types            by name, of each factor, text, date, time or duration an
#                    empty column, by which cell_text() shows its cells
#   minimum, maximum, missing, several    per feature, of the observed cells;
#                    several: are there more than two different values?
#   sample_data      what is known of the samples besides, or NULL
#   container        the class of `x`, for messages
#   one_unit         do the features share a unit, as those of a Bioconductor
#                    container do? See decide_scale()
#   spaces           coordinates of the samples by name (reducedDims), or NULL
#   clusters         where samples are the means of groups: their `size`, and
#                    `deviation`, the standard one of each feature within them
#   settings         what prepare_data() was given besides, by name
#   block_of         code of each sample's block, NA where it is not known; or
#                    NULL for no blocks
#   unit_of          the same of each sample's biological unit
#   known            an environment for what was computed from them
#   control          how the present call runs, see run_control()

# What `x` holds, where it was left out.
data_words <- "the data, with a row per sample"

# How to make a container that is read from one that is not.
conversion_of <- function(x) {
    calls <- c(DGEList = paste("t(edgeR::cpm(x, log = TRUE)) with `scale =",
                               "\"none\"`, because its counts are not logged"),
               Seurat = "Seurat::as.SingleCellExperiment(x)",
               dist = "cmdscale(x, k = 20), coordinates with these distances",
               MultiAssayExperiment = paste("one of its experiments, such as",
                   "MultiAssayExperiment::getWithColData(x, 1)"))
    call <- calls[inherits(x, names(calls), which = TRUE) > 0]
    if (length(call)) paste(": give", call[[1L]])
}

# A matrix of the wrong type is more than "a matrix".
describe_matrix <- function(x) {
    plain <- is.matrix(x) && !is.object(x)
    if (plain) paste("a", typeof(x), "matrix") else describe_class(x)
}

#' @export
prepare_data.data.frame <- function(x, ...) {
    refuse_if(inherits(x, c("feature_ranking", "group_markers")), "`x` must ",
              "be the data, not a table of results: the data come first.")
    settings <- data_settings(list(...))
    # Ordered factors count as the numbers of their levels, dates, times and
    # durations as those that R stores.
    stored <- c("Date", "POSIXct", "difftime")
    is_stored <- function(column, class) {
        is.null(dim(column)) && inherits(column, class)
    }
    numbers <- vapply(x, is_stored, NA, c("ordered", stored))
    shown <- lapply(unclass(x)[vapply(x, is_stored, NA, c("factor", stored))],
                    function(column) unname(column[0L]))
    if (any(numbers)) {
        # the methods of [<- of other classes copy all columns, or group them
        class <- oldClass(x)
        x <- unclass(x)
        x[numbers] <- lapply(x[numbers], as.numeric)
        oldClass(x) <- class
    }
    types <- if (length(x)) .Call(C_frame_types, x) else integer()
    other <- which(types == 0L)
    refuse_if(length(other), "`x` must have numeric, logical, factor or ",
              "character columns, but column \"", names(x)[other[1L]],
              "\" is ", describe_class(x[[other[1L]]]), ".", class = "input")
    n <- .row_names_info(x, 2L)
    check_extent(n, length(x), settings$fewest)
    warn_text_numbers(x, which(types > 3L))
    refuse_identifiers(x, types, n)
    codes <- text_codes(x, types == 5L)
    values <- .Call(C_frame_matrix, x, codes)
    shown[names(x)[types == 5L]] <- list(structure(
        integer(), levels = attr(codes, "levels"), class = "factor"))
    new_prepared_data(values, "columns", c(n, length(x)), names(x),
                      own_row_names(x),
                      c("numeric", "numeric", "logical", "factor",
                        "factor")[types], settings, container = "data.frame",
                      types = shown)
}

# A column of numbers is read as text where a cell is "n/a", or where decimals
# have a comma. A factor of plain numbers is meant as categories.
warn_text_numbers <- function(x, columns) {
    number <- "^ *[-+]?([0-9]+([.,][0-9]*)?|[.,][0-9]+)(e[-+]?[0-9]+)? *$"
    for (j in columns) {
        values <- if (is.factor(x[[j]])) levels(x[[j]]) else unique(x[[j]])
        numbers <- grepl(number, values, ignore.case = TRUE)
        plain <- numbers & !grepl(",", values, fixed = TRUE)
        cells <- if (is.factor(x[[j]])) as.integer(x[[j]]) else
            match(x[[j]], values)
        cells[is.na(x[[j]])] <- NA
        enough <- isTRUE(mean(numbers[cells], na.rm = TRUE) >= 0.9)
        if (!enough || is.factor(x[[j]]) && all(plain)) next
        row <- c(which(!plain[cells]), which(!is.na(cells)))[1L]
        warn_linkrank("Column \"", names(x)[j], "\" of `x` contains numbers ",
                      "as text, such as ", quote_values(values[cells[row]]),
                      " in row ", row, ", which are used as categories: ",
                      "as.numeric() makes numbers of it.", class = "text")
    }
}

# A text or factor that is different in every row names the rows: as a feature
# it would only add noise to all distances. Few rows may well differ by chance.
# Integers that count the rows do as well, but may be an order in time.
refuse_identifiers <- function(x, types, n, least = 20L) {
    if (n < least) return(invisible())
    for (j in which(types == 2L)) {
        warn_if(identical(as.vector(x[[j]]), seq_len(n)), "Column \"",
                names(x)[j], "\" of `x` numbers the rows: leave it out, ",
                "unless their order is a feature.", class = "identifier")
    }
    columns <- which(types > 3L)
    names_rows <- vapply(columns, function(j) {
        column <- x[[j]]
        enough <- !is.factor(column) || nlevels(column) >= n
        enough && !anyNA(column) && !anyDuplicated(column)
    }, NA)
    found <- names(x)[columns[names_rows]]
    listed <- quote_values(found)
    one <- length(found) == 1L
    refuse_if(length(found), "`x` must contain features, but ",
              if (one) "column " else "columns ", listed,
              if (one) " has" else " have", " a different value in each of ",
              "the ", show_number(n), " rows, as identifiers do: drop ",
              if (one) "it" else "them", " by x[",
              if (one) listed else paste0("c(", listed, ")"), "] <- NULL.",
              class = "input")
}

# Codes of all text columns by one look-up: only equality within a column
# matters, so the columns may share one set of codes.
text_codes <- function(x, text) {
    if (!any(text)) return(NULL)
    cells <- unlist(unclass(x)[text], use.names = FALSE)
    levels <- unique(cells)
    codes <- match(cells, levels)
    codes[is.na(cells)] <- NA_integer_
    structure(codes, levels = levels)
}

#' @export
prepare_data.Matrix <- function(x, ...) {
    settings <- data_settings(list(...))
    new_prepared_data(as_sparse_columns(x), "sparse", dim(x), colnames(x),
                      rownames(x), cell_kind(x), settings,
                      container = class(x)[1L])
}

# The kind of all features of a matrix: TRUE and FALSE differ by 0 or 1,
# whatever the scale.
cell_kind <- function(values) {
    flags <- is.logical(values) || isS4(values) &&
        (methods::is(values, "lMatrix") || methods::is(values, "nMatrix"))
    if (flags) "logical" else "numeric"
}

# `settings`: from data_settings().
new_prepared_data <- function(values, layout, extent, features, samples, kind,
                              settings, block = NULL, sample_data = NULL,
                              container = class(values)[1L], one_unit = FALSE,
                              spaces = NULL, cells = NULL, types = NULL,
                              stored = NULL) {
    control <- settings$control
    check_extent(extent[1L], extent[2L], settings$fewest)
    check_bytes(8 * extent[1L], "The cells of one feature")
    data <- list(values = values, layout = layout, block = block,
                 made_by = this_version,
                 n = as.numeric(extent[1L]), p = as.numeric(extent[2L]),
                 features = check_names(features, "feature"),
                 # of length 0 in package Matrix: none
                 samples = if (length(samples)) check_names(samples, "sample"),
                 kind = rep_len(kind, extent[2L]), sample_data = sample_data,
                 container = container, one_unit = one_unit, spaces = spaces,
                 cells = cells, types = types, stored = stored,
                 transposed = if (layout == "by sample")
                     transposed_once(values))
    if (!length(features)) data$features <- paste0("V", seq_len(extent[2L]))
    scan <- if (!is.null(cells) && !isTRUE(cells$across)) {
        scan_samples(cells, control$progress)
    } else if (layout == "by sample") {
        # what C_scan_features() returns, of features x samples, which are read
        # sample by sample
        scan <- .Call(C_scan_samples, values, empty_scan(nrow(values)))
        .Call(C_scan_zeros, scan, ncol(values))
    } else {
        .Call(C_scan_features, data, control)
    }
    # C counts entries as integers; Windows cannot take a file as memory
    if (sum(scan$entries) > .Machine$integer.max ||
        .Platform$OS.type == "windows") {
        data["stored"] <- list(NULL)
    }
    check_cells(data, scan)
    data[c("minimum", "maximum", "missing")] <-
        scan[c("minimum", "maximum", "missing")]
    data$several <- scan$several > 0L
    warn_unlogged(data, scan$whole)
    data$known <- new.env(parent = emptyenv())
    class(data) <- "prepared_data"
    with_settings(data, settings)
}

# `fewest`: 3 unless a call says otherwise, as for samples that are judged only.
check_extent <- function(n, p, fewest = NULL) {
    refuse_if(p < 1L || n < fewest %||% 3L, "`x` must have at least ",
              if (p < 1L) "one feature, but it has none" else
                  paste("3 samples, not", n), ".", class = "input")
}

check_names <- function(names, noun, of = "`x`", class = "input") {
    empty <- is.na(names) | names == ""
    if (any(empty)) {
        abort_linkrank(of, " must name every ", noun, " or none, but ", noun,
                       " ", which(empty)[1L], " has no name.", class = class)
    } else if (anyDuplicated(names)) {
        refuse_duplicated(names, of, " must have a different name for every ",
                          noun, class = class)
    }
    names
}

check_cells <- function(data, scan) {
    bad <- which(scan$bad > 0L)
    if (length(bad)) abort_not_finite(data, bad, "keep")
    empty <- which(scan$missing == data$n)
    if (length(empty)) abort_linkrank(
        "`x` must have a known value in every feature, but feature \"",
        data$features[empty[1L]], "\" has none.", class = "input"
    )
    wide <- which(!is.finite(scan$maximum - scan$minimum))
    j <- wide[1L]
    refuse_if(length(wide), "`x` must have features whose range is a finite ",
              "number, but feature \"", data$features[j], "\" runs from ",
              format(scan$minimum[j]), " to ", format(scan$maximum[j]), ".",
              class = "input")
}

# Methods without a rule of their own for missing cells.
refuse_missing <- function(data) {
    incomplete <- which(data$missing > 0L)
    if (length(incomplete)) abort_not_finite(data, incomplete, "fail")
    data
}

# `missing`: "fail", or "keep" where missing cells are allowed.
abort_not_finite <- function(data, bad, missing) {
    j <- bad[1L]
    cells <- .Call(C_read_features, data, j)
    lacks <- is.na(cells) & !is.nan(cells)
    wrong <- !is.finite(cells) & !(missing == "keep" & lacks)
    count <- sum(wrong)
    what <- if (all(lacks[wrong])) "missing value" else "non-finite value"
    more <- length(bad) - 1L
    abort_linkrank("`x` must be finite", if (missing == "keep") " or NA",
                   ", but feature \"", data$features[j], "\" has ",
                   count_noun(count, what), ", ",
                   if (count > 1L) "the first in" else "in",
                   " sample ", name_sample(data, which(wrong)[1L]),
                   if (more > 0L) paste0(" (and ", more, " more such ",
                                         if (more > 1L) "features" else
                                             "feature", ")"),
                   if (what == "missing value")
                       "; na.action = \"mean\" replaces them",
                   ".", class = "input")
}

# Raw cells of some features, in the order of `places`, samples x features.
read_features <- function(data, places) {
    .Call(C_read_features, data, as.integer(places))
}

# The numbers in names that are alike but for them; NULL for other features.
axis_places <- function(features) {
    at <- suppressWarnings(as.numeric(sub("^.*?(?=[0-9.]+$)", "", features,
                                          perl = TRUE)))
    if (length(at) >= 10L && !anyNA(at) && !anyDuplicated(at) &&
        length(unique(sub("[0-9.]+$", "", features))) == 1L) at
}

# The order of features that are the points of a curve, such as a spectrum:
# named by numbers, or alike with numbers, and next to one another alike. NULL
# for others.
curve_order <- function(data) {
    at <- axis_places(data$features)
    if (is.null(at) || any(data$kind == "factor")) return(NULL)
    order <- order(at)
    some <- unique(round(seq(1, data$n, length.out = 50)))
    cells <- scale(sample_cells(data, some)[, order], scale = FALSE)
    alike <- stats::cor(c(cells[, -1L]), c(cells[, -ncol(cells)]), use = "pair")
    if (isTRUE(alike > 0.5)) order
}

# As they were given.
sample_cells <- function(data, i) {
    .Call(C_read_samples, data, new_scaling(numeric(data$p), rep(1, data$p)),
          as.integer(i))
}

# Some cells of a feature as text: levels, dates; NULL for plain numbers and
# flags. NA where a cell is missing.
cell_text <- function(data, feature, cells) {
    type <- data$types[[data$features[feature]]]
    if (!is.null(type)) {
        storage.mode(cells) <- typeof(type)
        attributes(cells) <- attributes(type)
        ifelse(is.na(cells), NA, trimws(format(cells)))
    }
}

name_sample <- function(data, i) {
    if (is.null(data$samples)) i else paste0("\"", data$samples[i], "\"")
}

# ==== sparse data =============================================================

# Sparse matrices in memory. Bioconductor's containers, and files of cells, hold
# them with features in rows: the cells of a sample are stored together.
# Neighbours and ranges are computed without transposing them. A walk over
# features needs a transposed copy: it is made when it is first asked for and
# kept as long as the data (src/read_transpose.h).

# A matrix of package Matrix, of any class, as a dgCMatrix whose slots fit.
as_sparse_columns <- function(x, name = "x", class = "input") {
    check_undamaged(slot_problem(x), name, "package Matrix", class)
    if (methods::is(x, "dgCMatrix")) return(x)
    for (class in c("dMatrix", "generalMatrix", "CsparseMatrix"))
        x <- methods::as(x, class)
    x
}

holds_sparse <- function(data) data$layout %in% c("sparse", "by sample")

# A dgCMatrix from its slots, set one by one: a validity check would read all
# entries. The name of the package loads it, which takes a second: the first
# call that needs it does that.
sparse_matrix <- function(i, x, p, extent) {
    out <- methods::new(structure("dgCMatrix", package = "Matrix"))
    out@i <- i
    out@x <- x
    out@p <- as.integer(p)
    out@Dim <- as.integer(extent)
    out
}

# What C calls `transposed`: an environment whose `values` are t() of a
# dgCMatrix, samples x features without names.
transposed_once <- function(x) {
    force(x)
    transposed <- new.env(parent = emptyenv())
    delayedAssign("values", {
        cells <- .Call(C_transpose_samples, x)
        sparse_matrix(cells$i, cells$x, cells$p, rev(dim(x)))
    }, assign.env = transposed)
    transposed
}

# Some columns of a matrix; those of a dgCMatrix without names.
take_columns <- function(x, columns) {
    if (is.matrix(x)) return(x[, columns, drop = FALSE])
    width <- diff(x@p)[columns]
    at <- sequence(width, x@p[columns] + 1)
    sparse_matrix(x@i[at], x@x[at], c(0, cumsum(as.numeric(width))),
                  c(nrow(x), length(columns)))
}

# Data of these samples alone, where that takes less than a walk over all; of
# data on disk the samples that are read alone.
answered_part <- function(data, rows) {
    if (length(rows) > data$n / 2) return(data)
    block <- if (!is.null(data$cells)) data$cells$read(rows) else
        if (data$layout == "by sample") take_columns(data$values, rows)
    if (!is.null(block))
        return(held_data(data, list(rows = rows, block = block)))
    if (data$layout == "sparse") {
        data$values <- data$values[rows, , drop = FALSE]
        data$n <- as.numeric(length(rows))
    }
    data
}

# Samples `held`, list(rows, block: their cells, features x samples), as data in
# memory; what is known of the features stays that of all samples.
held_data <- function(data, held) {
    sparse <- methods::is(held$block, "dgCMatrix")
    part <- unclass(data)
    part$values <- held$block
    part$layout <- if (sparse) "by sample" else "rows"
    part["transposed"] <- list(if (sparse) transposed_once(held$block))
    part$n <- as.numeric(length(held$rows))
    part["samples"] <- list(data$samples[held$rows])
    part[c("cells", "block", "sample_data")] <- list(NULL)
    structure(part, class = "prepared_data")
}

# What C_scan_samples() has found before any sample.
empty_scan <- function(p) {
    list(minimum = rep(NaN, p), maximum = rep(NaN, p), missing = integer(p),
         bad = integer(p), entries = numeric(p), whole = TRUE,
         several = integer(p))
}
