# Data on disk, some samples at a time. A `cell reader` is a list:
#
#   read     function(samples) that returns features x samples for these sample
#            numbers (ascending): a dgCMatrix, or a matrix of numbers
#   first    the first sample of every tile: consecutive samples that are read
#            at a time
#   joined   tiles whose cells take about a block in memory together
#            (DelayedArray::getAutoBlockSize())
#   bytes    memory of a sample, about
#   found    of sparse cells: an environment for their number in each feature,
#            `entries`, when all were read once
#   across   of dense cells: TRUE where blocks of features are read as cheaply,
#            and need not be turned round
#
# Sparse files (TENx, H5AD) keep the cells of a sample together, so that a block
# of features would read all of the file, and many methods need the cells of few
# samples only. What needs features sorts the cells once, see feature_reader().

# The cell reader of a DelayedMatrix whose features are along `side`, or NULL
# where the samples cannot be read alone without reading much more.
cell_reader <- function(x, side) {
    if (!DelayedArray::is_sparse(x)) return(dense_reader(x, side))
    # An eighth of a block is read at a time: vectors of tens of megabytes that
    # come and go make R collect garbage, which took as long as the reading.
    p <- dim(x)[side]
    n <- dim(x)[3L - side]
    if (spans(x, 3L - side)) return(NULL)
    seed <- stored_by_sample(x, side)
    read <- function(samples) {
        read_checked(x, read_stored(x, seed, side, samples))
    }
    bytes <- column_bytes(read, n)
    list(read = read, first = tile_starts(n, bytes * 12, 1), joined = 8L,
         bytes = bytes, n = n, p = p, found = new.env(parent = emptyenv()))
}

# Memory of a column of the sparse matrix that read(columns) returns, about: an
# entry is a double and a row, and a copy is made of both.
column_bytes <- function(read, n) {
    some <- some_of(seq_len(n), 100)
    8 * (1 + length(read(some)@x) / length(some)) + 100
}

# The other way round: list(read, bytes, n) of a sparse DelayedMatrix that keeps
# the cells of a feature together (H5AD with the features first), where
# read(features) is samples x features; else NULL.
sparse_features <- function(x, side) {
    if (!DelayedArray::is_sparse(x) || !spans(x, 3L - side)) return(NULL)
    p <- dim(x)[side]
    read <- function(features) {
        read_checked(x, read_sparse(x, 3L - side, features))
    }
    list(read = read, bytes = column_bytes(read, p), n = p)
}

dense_reader <- function(x, side) {
    p <- dim(x)[side]
    n <- dim(x)[3L - side]
    chunk <- chunk_side(x, 3L - side)
    first <- tile_starts(n, 8 * p, chunk)
    # tiles within a chunk would read it several times
    if (length(first) > ceiling(n / chunk)) return(NULL)
    read <- function(samples) {
        block <- read_checked(x, DelayedArray::extract_array(
            x, place_along(3L - side, samples)))
        if (side == 1L) block else t(block)
    }
    # Are blocks of features whole chunks? Of some features in another order
    # than in the file, whose chunks are not known, each block may need all of
    # the file.
    across <- side == 2L && !is.null(DelayedArray::chunkdim(x)) &&
        delayed_block(x, side) %% chunk_side(x, side) == 0
    list(read = read, first = first, joined = 1L, bytes = 8 * p, n = n, p = p,
         across = across)
}

# Some places of a side, and all of the other, as an index of DelayedArray, some
# of whose seeds take integers only.
place_along <- function(side, places) {
    places <- as.integer(places)
    if (side == 1L) list(places, NULL) else list(NULL, places)
}

# Does a chunk of the file go along all of a side, and not of the other?
spans <- function(x, side) {
    chunk_side(x, side) >= dim(x)[side] &&
        chunk_side(x, 3L - side) < dim(x)[3L - side]
}

chunk_side <- function(x, side) {
    chunk <- DelayedArray::chunkdim(x)[side]
    if (is.null(chunk) || is.na(chunk)) 1 else chunk
}

# Whole chunks, as many as a block holds, and a sample at least.
tile_starts <- function(n, bytes, chunk) {
    fit <- DelayedArray::getAutoBlockSize() / bytes
    size <- if (fit >= chunk) floor(fit / chunk) * chunk else floor(fit)
    seq(1, n, by = min(max(size, 1), n))
}

# The samples of consecutive tiles.
tile_samples <- function(cells, tiles) {
    after <- tiles[length(tiles)] + 1L
    last <- if (after > length(cells$first)) cells$n else cells$first[after] - 1
    seq(cells$first[tiles[1L]], last)
}

# Blocks of samples side by side, features x samples, in vectors of their own.
bind_samples <- function(blocks) {
    if (!methods::is(blocks[[1L]], "dgCMatrix")) return(do.call(cbind, blocks))
    cells <- .Call(C_bind_samples, blocks)
    sparse_matrix(cells$i, cells$x, cells$p,
                  c(nrow(blocks[[1L]]), length(cells$p) - 1L))
}

# ---- reading a file ----------------------------------------------------------

# Evaluates code that reads cells of x. An error of the packages that read
# files, and sparse cells with wrong row numbers, which C would write elsewhere,
# become an error that names the file. A time limit or an interrupt waits for
# the end of the tile: within the reading of HDF5 it would leave the file open.
read_checked <- function(x, code) {
    block <- tryCatch(suspendInterrupts(code), error = function(condition) {
        if (inherits(condition, "linkrank_error")) stop(condition)
        # S4 puts the argument whose evaluation failed in front
        text <- sub("^error in evaluating the argument .* function '[^']*': *",
                    "", conditionMessage(condition))
        abort_unread(x, if (grepl("invalid class", text)) wrong_rows else
            one_line(text))
    })
    if (methods::is(block, "dgCMatrix") && !is.null(slot_problem(block))) {
        block <- sort_rows(block)
        if (!is.null(slot_problem(block))) abort_unread(x, wrong_rows)
    }
    block
}

wrong_rows <- "row numbers of its cells are out of range or repeated"

# Data are read in several passes, which must see the same file. Returns a
# function that makes a reader into one that fails as soon as a file of x is
# another than now, by its size or its time.
watch_files <- function(x) {
    begun <- new.env(parent = emptyenv())
    # size, folder, mode and time of change
    stamp <- function() suspendInterrupts(file.info(data_files(x))[1:4])
    begun$stamp <- stamp()
    function(read) {
        force(read)
        function(...) {
            block <- read(...)
            if (!identical(stamp(), begun$stamp))
                abort_unread(x, "it was changed while it was read")
            block
        }
    }
}

# The files that hold the cells of x, as far as its classes name them.
data_files <- function(x) {
    files <- tryCatch(DelayedArray::seedApply(x, function(seed) {
        if (methods::.hasSlot(seed, "filepath")) seed@filepath
    }), error = function(condition) NULL)
    as.character(unique(unlist(files)))
}

abort_unread <- function(x, reason) {
    files <- data_files(x)
    abort_linkrank("`x` could not be read",
                   if (length(files)) paste0(" from ", quote_values(files)),
                   " (", reason, ").", class = "input")
}

# Files may hold the cells of a sample in any order.
sort_rows <- function(block) {
    if (length(block@i) != length(block@x) || is.unsorted(block@p) ||
        block@p[length(block@p)] != length(block@i)) {
        return(block)
    }
    place <- order(rep(seq_len(ncol(block)), diff(block@p)), block@i)
    sparse_matrix(block@i[place], block@x[place], block@p, dim(block))
}

# ---- reading sparse samples --------------------------------------------------

read_sparse <- function(x, side, samples) {
    cells <- DelayedArray::extract_sparse_array(
        x, place_along(3L - side, samples))
    # t() of a file passes over cells that are outside
    if (methods::.hasSlot(cells, "nzindex") &&
        any(cells@nzindex < 1L, cells@nzindex[, 1L] > dim(cells)[1L],
            cells@nzindex[, 2L] > dim(cells)[2L])) {
        abort_unread(x, wrong_rows)
    }
    block <- methods::as(cells, "dgCMatrix")
    if (side == 1L) block else Matrix::t(block)
}

# The seed of a bare matrix, or of one by t(), in a file that holds sample after
# sample: its cells are read directly, in half the time (by t(), a fifth) and a
# quarter of the memory.
stored_by_sample <- function(x, side) {
    if (side == 2L) x <- t(x)
    if (!requireNamespace("HDF5Array", quietly = TRUE) ||
        !requireNamespace("rhdf5", quietly = TRUE) ||
        !DelayedArray::isPristine(x, ignore.dimnames = TRUE)) {
        return(NULL)
    }
    seed <- DelayedArray::seed(x)
    if (methods::is(seed, "CSC_H5SparseMatrixSeed") &&
        methods::.hasSlot(seed, "indptr_ranges") && is.null(seed@subdata)) seed
}

read_stored <- function(x, seed, side, samples) {
    run <- identical(as.numeric(samples),
                     as.numeric(samples[1L]) + seq_along(samples) - 1)
    if (is.null(seed) || !run) read_sparse(x, side, samples) else
        stored_columns(seed, samples)
}

# Consecutive columns of a seed that keeps the cells of a column together, or
# rows of one that keeps those of a row; without `values` their places only.
stored_columns <- function(seed, columns, values = TRUE) {
    width <- seed@indptr_ranges$width[columns]
    start <- seed@indptr_ranges$start[columns[1L]]
    count <- sum(width)
    read <- function(name) {
        rhdf5::h5read(seed@filepath, paste0(seed@group, "/", name),
                      start = start, count = count, drop = TRUE)
    }
    across <- if (methods::is(seed, "CSR_H5SparseMatrixSeed")) 2L else 1L
    place <- if (count > 0) as.integer(read("indices")) else integer()
    value <- if (values && count > 0) as.double(read("data")) else double(count)
    sparse_matrix(place, value, c(0, cumsum(as.numeric(width))),
                  c(dim(seed)[across], length(width)))
}

# Other packages write a cell where its row number in the file says, which may
# be anywhere in memory: R stops. What they are to read is gone through before.
check_stored <- function(x, most = 2^22) {
    DelayedArray::seedApply(x, function(seed) {
        if (!methods::is(seed, "H5SparseMatrixSeed") ||
            !methods::.hasSlot(seed, "indptr_ranges")) {
            return(NULL)
        }
        cells <- cumsum(as.numeric(seed@indptr_ranges$width))
        for (columns in split(seq_along(cells), floor(cells / most)))
            read_checked(x, stored_columns(seed, columns, values = FALSE))
    })
}

# ---- all samples -------------------------------------------------------------

# What C_scan_features() returns, from one pass over the samples; besides
# `whole`: are all values whole numbers?
scan_samples <- function(cells, progress) {
    line <- progress_line(c("Reading", "samples"), cells$n, progress)
    on.exit(line$end())
    scan <- empty_scan(cells$p)
    for (tile in seq_along(cells$first)) {
        samples <- tile_samples(cells, tile)
        last <- samples[length(samples)]
        block <- cells$read(samples)
        if (is.matrix(block) && !is.double(block))
            storage.mode(block) <- "double"
        # with the last tile, zeros are counted: C wants the number of samples
        scan <- .Call(C_scan_samples, block, scan, last * (last == cells$n))
        line$tick(last)
    }
    cells$found$entries <- scan$entries
    scan
}

# A reader of features (see input-data.R) of sparse samples, from a temporary
# file of all entries, feature by feature: first their values, then their rows.
# It is written when it is first needed. Attribute `stored`: a function that
# returns list(start, map), the file as memory, from which C takes the entries
# as they are; nobody else can open it then.
feature_reader <- function(cells, folder = NULL) {
    # files and memory of this session
    state <- new.env(parent = emptyenv())
    state$folder <- folder %||% tempdir()
    remove_after_call(state)
    needed <- function() {
        if (is.null(state$file) || !file.exists(state$file)) {
            write_entries(cells, state)
            # large tiles would stay beside the file until R collects next
            if (max(state$start) > 2^25) gc()
        }
    }
    structure(function(first, count) {
        needed()
        read_entries(cells$n, state, first, count)
    }, stored = function() {
        if (!.Call(C_is_mapped, state$stored$map)) {
            needed()
            map_entries(cells$n, state)
        }
        state$stored
    })
}

# Removes the temporary file when the public call ends that reads the data. That
# of prepared data and of a questionnaire, which keep them, goes with these, see
# spill_entries().
remove_after_call <- function(state) {
    home <- topenv()
    public <- mget(setdiff(getNamespaceExports(home),
                           c("questionnaire", "prepare_data")), home,
                   mode = "function", ifnotfound = list(NULL))
    for (number in rev(seq_len(sys.nframe()))) {
        if (any(vapply(public, identical, NA, sys.function(number)))) {
            # on exit of that call
            remove <- as.call(list(function() {
                unlink(as.character(state$file))
                map <- state$stored$map
                if (.Call(C_is_mapped, map)) .Call(C_unmap_file, map)
            }))
            do.call(on.exit, list(remove, add = TRUE),
                    envir = sys.frame(number))
            return(invisible())
        }
    }
}

# state: `folder`, `file`, and `start`, the place of each feature's entries in
# it, and `stored`, what the function of that name returns. The entries of some
# tiles at a time go to their places, which are known from how many each feature
# has.
write_entries <- function(cells, state) {
    state$file <- NULL
    # that of another session is gone
    if (!dir.exists(state$folder)) state$folder <- tempdir()
    file <- tempfile("linkrank-", state$folder, ".entries")
    unlink_with(state, file)
    on.exit(if (is.null(state$file)) unlink(file))
    entries <- cells$found$entries %||% scan_samples(cells, FALSE)$entries
    state$start <- c(0, cumsum(entries))
    at <- state$start[-(cells$p + 1)]
    # made once: large vectors that come and go make R collect garbage
    space <- numeric()
    tiles <- seq_along(cells$first)
    for (some in split(tiles, (tiles - 1L) %/% cells$joined)) {
        blocks <- lapply(some, function(tile) {
            cells$read(tile_samples(cells, tile))
        })
        count <- sum(vapply(blocks, function(block) length(block@x), 0L))
        if (length(space) < 3 * count) space <- numeric(3.3 * count)
        at <- .Call(C_place_cells, file, blocks, cells$first[some[1L]] - 1,
                    state$start, at, space)
        refuse_if(is.character(at), "The temporary file of the non-zero cells ",
                  "could not be written to ", quote_values(state$folder), " (",
                  at, "); start R with the environment variable TMPDIR as ",
                  "a folder with more space.", class = "disk")
    }
    state$file <- file
}

# The frame of this function is kept as long as the state: it holds nothing
# else.
unlink_with <- function(state, file) {
    force(file)
    reg.finalizer(state, function(state) unlink(file), onexit = TRUE)
}

# Features first .. first + count - 1 as a matrix of n samples.
read_entries <- function(n, state, first, count) {
    connection <- file(state$file, "rb")
    on.exit(close(connection))
    start <- state$start[first + 0:count]
    read <- function(from, type) {
        seek(connection, from)
        values <- readBin(connection, type, start[count + 1] - start[1L])
        check_uncut(state, length(values) == start[count + 1] - start[1L])
        values
    }
    value <- read(8 * start[1L], "double")
    row <- read(8 * state$start[length(state$start)] + 4 * start[1L], "integer")
    check_entries(state, all(row >= 0 & row < n), "changed: ", wrong_rows)
    out <- matrix(0, n, count)
    out[row + 1 + n * rep(seq_len(count) - 1, diff(start))] <- value
    out
}

map_entries <- function(n, state) {
    bytes <- 12 * state$start[length(state$start)]
    check_uncut(state, file.size(state$file) == bytes)
    map <- .Call(C_map_file, state$file, bytes, n)
    check_entries(state, !isFALSE(map), "changed: ", wrong_rows)
    refuse_if(is.null(map), "The temporary file in {quote_values(state$folder)}
              ({show_bytes(bytes)}) could not be mapped: raise the limit of
              memory (ulimit -v), or set TMPDIR.", class = "disk")
    # C holds neither: they stay as long as the data
    state$stored <- list(start = as.integer(state$start), map = map)
    # what is mapped stays: rows that were overwritten in the file ended R
    unlink(state$file)
    state$file <- NULL
}

# C writes a cell where its row number says.
check_entries <- function(state, fit, ...) {
    refuse_if(!fit, "The temporary file of the non-zero cells in ",
              quote_values(state$folder), " was ", ..., ".", class = "disk")
}

check_uncut <- function(state, whole) {
    check_entries(state, whole, "cut to ", show_number(file.size(state$file)),
                  " of ", show_number(12 * state$start[length(state$start)]),
                  " bytes")
}
