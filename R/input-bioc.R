# Containers of Bioconductor, with features in rows. The packages are only
# suggested, because a user with such an object has the package.

#' @export
prepare_data.SummarizedExperiment <- function(x, ...) {
    settings <- data_settings(list(...))
    single_cell <- methods::is(x, "SingleCellExperiment")
    need_package(c("SummarizedExperiment", if (single_cell)
        "SingleCellExperiment"), x)
    assays <- SummarizedExperiment::assayNames(x)
    count <- length(SummarizedExperiment::assays(x, withDimnames = FALSE))
    assay.type <- decide_assay(settings$assay.type, assays, count)
    values <- SummarizedExperiment::assay(x, assay.type, withDimnames = FALSE)
    spaces <- NULL
    if (single_cell) {
        # reducedDims() brings all of `x` up to date first, for 40 milliseconds,
        # and is needed for objects of the class as it was before; of cells in
        # another order the rows have names of their own
        spaces <- SingleCellExperiment::int_colData(x)$reducedDims
        if (is.null(spaces)) spaces <- SingleCellExperiment::reducedDims(
            x, withDimnames = FALSE)
        spaces <- as.list(spaces)
        for (name in names(spaces)) {
            spaces[[name]] <- match_places(spaces[[name]], colnames(x),
                                           paste("reducedDim", name))
        }
    }
    data_from_rows(values, rownames(x), colnames(x), settings,
                   sample_data = SummarizedExperiment::colData(x),
                   container = class(x)[1L], spaces = spaces)
}

#' @export
prepare_data.ExpressionSet <- function(x, ...) {
    settings <- data_settings(list(...))
    need_package("Biobase", x)
    assays <- Biobase::assayDataElementNames(x)
    # `exprs` is the first assay, for any order of the environment
    assays <- c(intersect("exprs", assays), setdiff(assays, "exprs"))
    assay.type <- decide_assay(settings$assay.type, assays, length(assays),
                               "exprs")
    values <- Biobase::assayDataElement(x, assays[assay.type])
    data_from_rows(values, Biobase::featureNames(x), Biobase::sampleNames(x),
                   settings, sample_data = Biobase::pData(x),
                   container = class(x)[1L])
}

# Log expressions of limma. Weights, of values or of arrays, have no meaning for
# neighbours and margins, and lmFit() has the tests that use them.
#' @export
prepare_data.EList <- function(x, ...) {
    settings <- data_settings(list(...))
    decide_assay(settings$assay.type, "E", 1L, "E")
    weights <- x$weights
    refuse_if(length(weights) && !isTRUE(all(weights == weights[1L])), "`x` has
              weights, which are not used here: `x$weights <- NULL` leaves them
              out, and limma::lmFit() tests with them.", class = "input")
    data_from_rows(x$E, rownames(x$E), colnames(x$E), settings,
                   sample_data = array_targets(x), container = "EList")
}

# A bare DelayedMatrix has samples in rows, like every other matrix here.
#' @export
prepare_data.DelayedMatrix <- function(x, ...) {
    settings <- data_settings(list(...))
    need_package("DelayedArray", x)
    new_delayed_data(x, 2L, colnames(x), rownames(x), settings,
                     container = class(x)[1L])
}

# A matrix of any kind with features in rows. `...`: of new_prepared_data().
data_from_rows <- function(values, features, samples, settings, ...) {
    layout <- "rows"
    kind <- cell_kind(values)
    if (methods::is(values, "DelayedMatrix")) {
        need_package("DelayedArray", values)
        return(new_delayed_data(values, 1L, features, samples, settings,
                                one_unit = TRUE, ...))
    }
    if (methods::is(values, "Matrix")) {
        layout <- "by sample"
        values <- as_sparse_columns(values)
    } else if (!is.matrix(values) ||
               !(is.numeric(values) || is.logical(values))) {
        abort_linkrank("The assay of `x` must be a numeric matrix, not ",
                       describe_matrix(values), ".", class = "input")
    }
    new_prepared_data(values, layout, rev(dim(values)), features, samples, kind,
                      settings, one_unit = TRUE, ...)
}

# A DelayedMatrix with features along `side`: small ones are read whole; others
# get a reader of samples, if that is cheap, and one of features.
new_delayed_data <- function(x, side, features, samples, settings, ...) {
    unchanged <- watch_files(x)
    type <- read_checked(x, DelayedArray::type(x))
    refuse_if(!type %in% c("double", "integer", "logical"), "A DelayedMatrix
              must contain numbers, not {quote_values(type)}.", class = "input")
    kind <- if (type == "logical") "logical" else "numeric"
    check_chunks(x)
    if (is.null(stored_by_sample(x, side))) check_stored(x)
    some <- min(dim(x)) > 0L
    cells <- if (some) cell_reader(x, side)
    by_feature <- if (some) sparse_features(x, side)
    if (!is.null(cells)) cells$read <- unchanged(cells$read)
    if (!is.null(by_feature)) by_feature$read <- unchanged(by_feature$read)
    extent <- dim(x)[c(3L - side, side)]
    reader <- by_feature %||% cells
    # what takes no more memory than a block is read whole
    if (!is.null(reader) &&
        reader$n * reader$bytes <= DelayedArray::getAutoBlockSize()) {
        values <- reader$read(seq_len(reader$n))
        layout <- if (is.matrix(values)) "rows" else
            if (is.null(by_feature)) "by sample" else "sparse"
        return(new_prepared_data(values, layout, extent, features, samples,
                                 kind, settings, ...))
    }
    reader <- delayed_reader(x, side, cells, by_feature, unchanged)
    new_prepared_data(reader, "reader", extent, features, samples, kind,
                      settings, block = delayed_block(x, side), cells = cells,
                      stored = attr(reader, "stored"), ...)
}

# function(first, count) that returns some features as samples x features.
delayed_reader <- function(x, side, cells, by_feature, unchanged) {
    if (!is.null(by_feature)) {
        function(first, count) {
            as.matrix(by_feature$read(first - 1 + seq_len(count)))
        }
    } else if (!is.null(cells) && DelayedArray::is_sparse(x)) {
        feature_reader(cells)
    } else {
        unchanged(function(first, count) {
            index <- place_along(side, first - 1 + seq_len(count))
            values <- read_checked(x, DelayedArray::extract_array(x, index))
            # a copy is made even where nothing is to be changed
            if (!is.double(values)) storage.mode(values) <- "double"
            if (side == 1L) t(values) else values
        })
    }
}

# Features to read at a time: whole chunks of the file if one fits into the
# user's block size, up to half of it, as larger vectors that come and go make R
# collect garbage; else as many features as fit, and at least one.
delayed_block <- function(x, side) {
    capacity <- floor(DelayedArray::getAutoBlockSize() /
                          (8 * dim(x)[3L - side]))
    chunk <- chunk_side(x, side)
    if (capacity >= chunk && !DelayedArray::is_sparse(x))
        capacity <- max(floor(capacity / (2 * chunk)), 1) * chunk
    min(max(capacity, 1), dim(x)[side])
}

# A chunk is always uncompressed as a whole.
check_chunks <- function(x, most = 2^30) {
    chunk <- DelayedArray::chunkdim(x)
    bytes <- prod(as.numeric(chunk), 8)
    refuse_if(!is.null(chunk) && !DelayedArray::is_sparse(x) && !anyNA(chunk) &&
              bytes > max(most, DelayedArray::getAutoBlockSize()), "`x` is
              stored in chunks of {show_bytes(bytes)}, more than the block size:
              write it with a smaller `chunkdim` or raise
              DelayedArray::setAutoBlockSize().", class = "input")
}
