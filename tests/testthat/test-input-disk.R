# Samples of a reader, in all tiles, as samples x features.
all_samples <- function(cells) {
    tiles <- lapply(seq_along(cells$first), function(tile) {
        cells$read(tile_samples(cells, tile))
    })
    unname(t(as.matrix(do.call(cbind, tiles))))
}

test_that("a sparse file is the same data, whole or in tiles", {
    skip_without_tenx()
    x <- sparse_cells(7, 9)
    for (bytes in c(1, 300, 1e8)) {
        with_block_size(bytes, {
            data <- prepare_data(experiment_with(in_tenx(x), x))
            expect_identical(data$layout,
                             if (bytes == 1e8) "by sample" else "reader")
            expect_same_data(experiment_with(in_tenx(x), x), x)
            expect_same_data(t(in_tenx(x)), unname(x))
            expect_identical(stored_by_sample(t(in_tenx(x)), 2L)@dim, dim(t(x)))
        })
    }
})

test_that("H5AD files of either order are the same data", {
    skip_without_tenx()
    x <- sparse_cells(10, 9)
    features <- in_h5ad(x, "features")
    expect_null(cell_reader(features, 1L))
    for (bytes in c(300, 1e8)) {
        with_block_size(bytes, {
            data <- prepare_data(experiment_with(features, x))
            expect_identical(data$layout,
                             if (bytes == 1e8) "sparse" else "reader")
            expect_same_data(experiment_with(features, x), x)
            expect_same_data(experiment_with(in_h5ad(x), x), x)
            expect_same_data(t(features), unname(x))
            expect_same_data(t(log1p(features)[2:9, 4:10]),
                             unname(log1p(x[4:10, 2:9])))
        })
    }
})

test_that("tiles hold about a block, and all samples once", {
    skip_without_tenx()
    x <- sparse_cells(200, 50)
    with_block_size(40000, {
        cells <- cell_reader(in_tenx(x), 1L)
        expect_gt(length(cells$first), 3L)
        expect_identical(all_samples(cells), unname(x))
        size <- vapply(seq_along(cells$first), function(tile) {
            as.numeric(object.size(cells$read(tile_samples(cells, tile))))
        }, 0)
        expect_true(all(size < 40000))
        expect_identical(unname(as.matrix(cells$read(c(3, 90, 91)))),
                         unname(t(x[c(3, 90, 91), ])))
    })
})

test_that("a dense matrix that fits into a block is read once and kept", {
    skip_if_not_installed("DelayedArray")
    x <- random_matrix(20, 6)
    data <- prepare_data(DelayedArray::DelayedArray(x))
    expect_identical(unname(data$values), unname(t(x)))
    expect_null(data$cells)
    with_block_size(8 * length(x) - 1, {
        expect_type(prepare_data(DelayedArray::DelayedArray(x))$cells$read,
                    "closure")
    })
})

test_that("delayed operations, subsets and transposed files are read alike", {
    skip_without_tenx()
    x <- sparse_cells(24, 12)
    rows <- c(24, 2:16)
    columns <- c(12, 1:7)
    changed <- log1p(x[rows, columns])
    with_block_size(700, {
        delayed <- log1p(in_tenx(x)[columns, rows])
        expect_false(is.null(cell_reader(delayed, 1L)))
        expect_same_data(experiment_with(delayed, changed), changed)
        inside <- DelayedArray::DelayedArray(
            methods::as(Matrix::Matrix(t(x), sparse = TRUE), "dgCMatrix"))
        expect_same_data(experiment_with(inside, x), x)
        expect_same_data(t(inside), x)
        # of seeds that take no numbers with fractions as places
        runs <- DelayedArray::RleArray(S4Vectors::Rle(as.vector(x)), dim(x),
                                       dimnames(x))
        expect_same_data(runs, x)
    })
})

test_that("ranges, missing and bad cells of samples are those of features", {
    skip_without_tenx()
    x <- sparse_cells(50, 8)
    x[cbind(c(3, 9, 9), c(2, 2, 5))] <- NA
    x[, 3] <- x[, 3] - 4
    x[, 4] <- 7
    want <- prepare_data(x)
    expect_scan <- function(file, bytes) {
        got <- with_block_size(bytes, prepare_data(experiment_with(file, x)))
        for (name in c("minimum", "maximum", "missing")) {
            expect_identical(got[[name]], want[[name]])
        }
    }
    expect_scan(in_tenx(x), 6000) # 4 samples at a time
    expect_scan(in_file(t(x), c(3, 9)), 1000)
    expect_scan(in_file(t(x), c(8, 50)), 1000)
    x[30, 6] <- Inf
    links <- few_links(50)
    with_block_size(6000, expect_refused("input",
        relieff_sc(experiment_with(in_tenx(x), x), links)))
})

test_that("raw counts are seen without another pass", {
    skip_without_tenx()
    x <- sparse_cells(50, 8) * 100
    with_block_size(6000, {
        expect_warning(prepare_data(experiment_with(in_tenx(round(x)), x)),
                       class = "linkrank_warning_counts")
        expect_silent(prepare_data(experiment_with(in_tenx(x / 7), x)))
    })
})

test_that("dense files are read by samples where chunks allow it", {
    skip_if_not_installed("HDF5Array")
    x <- random_matrix(40, 12)
    with_block_size(12 * 8 * 7, {
        for (shape in list(c(12, 7), c(12, 1), c(5, 3), c(1, 2))) {
            cells <- cell_reader(in_file(t(x), shape), 1L)
            expect_identical(diff(cells$first)[1L], 7 - 7 %% shape[2L])
            expect_identical(all_samples(cells), unname(x))
        }
        # a chunk of more samples than fit would be unpacked for every tile
        expect_null(cell_reader(in_file(t(x), c(2, 40)), 1L))
        cells <- cell_reader(in_file(x, c(7, 4)), 2L)
        expect_identical(all_samples(cells), unname(x))
    })
})

test_that("no block of features is larger than its buffer", {
    skip_without_tenx()
    file <- in_tenx(sparse_cells(25, 30))
    # 25 samples x 8 bytes, where a chunk goes along all 30 features
    with_block_size(1000, {
        expect_equal(delayed_block(file, 1L), 5)
        read <- prepare_data(experiment_with(file, sparse_cells(25, 30)))
        expect_identical(dim(read$values(1, 5)), c(25L, 5L))
    })
    wide <- in_file(matrix(0, 30, 100), c(30, 100))
    with_block_size(4000, expect_equal(delayed_block(wide, 1L), 5))
})

test_that("chunks that take more than a block are refused with their size", {
    skip_if_not_installed("HDF5Array")
    file <- in_file(matrix(0, 10, 100), c(10, 100))
    with_block_size(100, {
        expect_silent(check_chunks(file))
        expect_refused("input", check_chunks(file, most = 1000))
    })
})

test_that("the temporary file of entries goes with its data", {
    skip_without_tenx()
    x <- sparse_cells(14, 12)
    entries <- function() list.files(tempdir(), "entries$")
    invisible(gc())
    before <- entries()
    with_block_size(1000, {
        data <- prepare_data(experiment_with(in_tenx(x), x))
        expect_identical(entries(), before)
        # read in another order, then mapped
        expect_identical(data$values(11, 2), unname(x[, 11:12]))
        expect_length(setdiff(entries(), before), 1L)
        expect_identical(all_cells(data), unname(x))
        if (!is.null(data$stored)) expect_identical(entries(), before)
        expect_identical(data$values(11, 2), unname(x[, 11:12]))
    })
    rm(data)
    invisible(gc())
    expect_identical(entries(), before)
})

test_that("the temporary file of entries goes when the call ends", {
    skip_without_tenx()
    x <- sparse_cells(8, 12)
    y <- rep(1:2, 4)
    disk <- experiment_with(in_tenx(x), x)
    links <- constraints_from_labels(y, cannot_link = 6, must_link = 6)
    entries <- function() list.files(tempdir(), "entries$")
    invisible(gc())
    before <- entries()
    during <- 0
    counted <- function(x, y, ...) {
        during <<- max(during, length(setdiff(entries(), before)))
        fisher_score(x, y)
    }
    with_block_size(700, {
        for (call in list(
            function() variance_score(disk), function() fisher_score(disk, y),
            function() glean(disk, links), function() group_markers(disk, y),
            function() rank_features(disk, links),
            function() active_constraints(disk, y, n = 4),
            function() evaluate_method(disk, y, list(own = counted),
                                       splits = 3),
            function() try(relieff(disk, rep(1:3, 8)), silent = TRUE)
        )) {
            call()
            expect_identical(entries(), before)
        }
        # a call within another one does not wait for its end
        expect_lte(during, 1)
        # a questionnaire keeps its file, and does without
        q <- answer_all(questionnaire(disk, n = 4), y)
        unlink(file.path(tempdir(), setdiff(entries(), before)))
        expect_identical(pairwise_constraints(q)$first,
                         active_constraints(disk, y, n = 4)$first)
    })
})

# ---- the temporary file ------------------------------------------------------

# A reader of x by samples, four at a time, without a file.
reader_of <- function(x) {
    x <- stored_cells(x)
    list(read = function(samples) Matrix::t(x[samples, , drop = FALSE]),
         first = seq(1, nrow(x), by = 4), joined = 1L, bytes = 8 * ncol(x),
         n = nrow(x), p = ncol(x))
}

test_that("a full disk under the temporary file is an error, never a result", {
    disk <- small_disk("96k")
    # 41 kB of entries
    x <- matrix(seq_len(3400) / 7, 40)
    whole <- feature_reader(reader_of(x), disk)
    expect_identical(whole(1, 85), x)
    expect_identical(whole(7, 2), x[, 7:8])
    whole <- NULL
    gc()
    expect_identical(list.files(disk), character())
    # not even 4 kB, about half, and all but the last bytes
    for (taken in c(96, 84, 76, 68, 60) * 1024) {
        full <- file.path(disk, "full")
        suppressWarnings(writeBin(raw(taken), full))
        part <- feature_reader(reader_of(x), disk)
        refused <- tryCatch(part(1, 85), error = identity)
        expect_s3_class(refused, "linkrank_error_disk")
        expect_match(conditionMessage(refused),
                     paste0("written to \"", disk, "\" ("), fixed = TRUE)
        expect_match(conditionMessage(refused), "No space left on device")
        expect_identical(list.files(disk), "full")
        # with space again the same reader works
        unlink(full)
        expect_identical(part(1, 85), x)
        unlink(setdiff(list.files(disk, full.names = TRUE), full))
    }
})

test_that("a temporary file that is cut or removed gives no wrong cells", {
    x <- matrix(seq_len(3400) / 7, 40)
    folder <- tempfile("entries")
    dir.create(folder)
    reader <- feature_reader(reader_of(x), folder)
    expect_identical(reader(1, 85), x)
    stored <- attr(reader, "stored")
    file <- list.files(folder, full.names = TRUE)
    bytes <- readBin(file, "raw", 1e5)
    for (kept in c(0, 1000, length(bytes) - 1)) {
        writeBin(bytes[seq_len(kept)], file)
        expect_error(reader(1, 85), "was cut to", class = "linkrank_error_disk")
        expect_error(stored(), "was cut to", class = "linkrank_error_disk")
    }
    # a removed file is written again
    unlink(file)
    expect_identical(reader(1, 85), x)
    # nobody can open one that is mapped: another length, or other rows, would
    # end R
    expect_type(stored()$start, "integer")
    expect_identical(list.files(folder), character())
    expect_type(stored()$start, "integer")
})

test_that("features are joined from tiles whatever the size of their groups", {
    skip_if_not_installed("DelayedArray")
    x <- unname(sparse_cells(13, 9))
    x[, 4] <- 0
    for (bytes in c(96, 500, 1e5)) {
        with_block_size(bytes, {
            reader <- feature_reader(reader_of(x))
            expect_identical(reader(1, 9), x)
            for (j in 1:9) {
                expect_identical(reader(j, 1), x[, j, drop = FALSE])
            }
            expect_identical(reader(3, 4), x[, 3:6])
        })
    }
})

test_that("the file as memory gives what its reader and the matrix give", {
    skip_on_os("windows")
    skip_if_not_installed("DelayedArray")
    x <- unname(sparse_cells(60, 40))
    x[3, 5] <- -2
    y <- rep_len(1:3, 60)
    links <- constraints_from_labels(replace(y, 13:60, NA))
    calls <- list(
        function(x) relieff(x, y), function(x) glean(x, links),
        function(x) laplacian_score(x), function(x) fisher_score(x, y),
        function(x) constraint_score(x, links), function(x) fcrsc(x, links),
        function(x) group_markers(x, y), function(x) relieff_sc(x, links),
        function(x) similarity_graph(x)$weights,
        function(x) feature_graph(x)$weights
    )
    with_block_size(8000, {
        mapped <- prepare_data(DelayedArray::DelayedArray(stored_cells(x)))
        expect_true(is.function(mapped$stored))
        read <- replace(mapped, "stored", list(NULL))
        for (call in calls) {
            expect_identical(call(mapped), call(read))
        }
        # nothing is kept of what is freed
        kept <- mapped$stored()
        gctorture2(2000L)
        on.exit(gctorture2(0L))
        again <- glean(mapped, links)
        gctorture2(0L)
        expect_identical(again, glean(read, links))
        # where all is 0, the file is empty
        none <- feature_reader(reader_of(matrix(0, 8, 3)))
        expect_identical(attr(none, "stored")()$start, integer(4L))
        # of another process, the pointer is none
        other <- unserialize(serialize(mapped, NULL))
        expect_identical(relieff(other, y), relieff(read, y))
    })
})

test_that("missing cells on disk are filled as in memory", {
    skip_if_not_installed("DelayedArray")
    x <- sparse_cells(30, 12)
    x[cbind(c(3, 9, 20), c(2, 2, 7))] <- NA
    y <- rep_len(1:2, 30)
    with_block_size(1000, {
        disk <- prepare_data(DelayedArray::DelayedArray(stored_cells(x)),
                             na.action = "mean", scale = "range")
        memory <- prepare_data(x, na.action = "mean", scale = "range")
        expect_equal(own_columns(laplacian_score(disk)),
                     own_columns(laplacian_score(memory)))
        expect_equal(own_columns(relieff(disk, y)),
                     own_columns(relieff(memory, y)))
    })
})
