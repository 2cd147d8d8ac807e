# Rankings of data on disk against those of the same data in memory; left open,
# the scale of a container and that of a matrix differ.
expect_same_ranking <- function(file, x, links, ..., scale = "range",
                                rank = relieff_sc) {
    set.seed(5)
    got <- rank(experiment_with(file, x), links, ..., scale = scale)
    set.seed(5)
    want <- rank(x, links, ..., scale = scale)
    expect_identical(as.data.frame(got), as.data.frame(want))
}

some_links <- function(n, seed = 2) {
    set.seed(seed)
    labels <- rep(c("a", "b", "c"), length.out = n)
    constraints_from_labels(labels, cannot_link = 8, must_link = 6)
}

test_that("sparse and dense files give the bits of memory, whatever the tiles", {
    skip_without_tenx()
    x <- sparse_cells(15, 17)
    links <- some_links(15)
    files <- list(in_tenx(x), in_file(t(x), c(17, 4)), in_file(t(x), c(5, 15)),
                  DelayedArray::DelayedArray(t(x)), in_h5ad(x),
                  in_h5ad(x, "features"))
    with_block_size(1700, for (file in files) {
        expect_same_ranking(file, x, links, scale = "range")
        expect_same_ranking(file, x, links, scale = "none", k = 8,
                            distance = "euclidean")
    })
    with_block_size(650, for (file in files[1:2]) {
        expect_same_ranking(file, x, links, scale = "zscore",
                            must_link = "ignore", direction = "first",
                            rank = relief_sc)
    })
})

test_that("a search by tiles is what is tested", {
    skip_without_tenx()
    x <- sparse_cells(90, 17)
    with_block_size(12000, {
        data <- prepare_data(experiment_with(in_tenx(x), x))
        scaling <- feature_scaling(data, "range")
        ends <- c(3L, 40L, 41L, 90L)
        expect_gt(length(data$cells$first), 5L)
        expect_true(reads_samples(data, 4L, 3L, neighbour_rule()))
        found <- found_in(data, scaling, ends, 5, with_distance = TRUE)
        memory <- prepare_data(x)
        want <- found_in(memory, feature_scaling(memory, "range"), ends, 5,
                         with_distance = TRUE)
    })
    expect_identical(found[c("row", "distance", "list")],
                     want[c("row", "distance", "list")])
    # only what margins need is in memory
    needed <- samples_needed(data, ends, found$row, found$held)
    expect_identical(needed$rows, sort(unique(c(ends, as.vector(want$row)))))
    expect_identical(needed$data$n, as.numeric(length(needed$rows)))
})

test_that("features that are read as cheaply are read once, as they come", {
    skip_if_not_installed("HDF5Array")
    x <- random_matrix(40, 12)
    links <- few_links(40)
    for (shape in list(c(7, 4), c(9, 1), c(7, 12))) with_block_size(1500, {
        file <- in_file(x, shape)
        data <- prepare_data(file)
        # a chunk along all features is larger than a block of them
        expect_identical(data$cells$across, shape[2L] < 12)
        # in another order each block of features may need all of the file,
        # unless each feature has chunks of its own
        some <- prepare_data(file[, c(12, 1, 6, 3, 9)])
        expect_identical(some$cells$across, shape[2L] == 1)
        same <- c("minimum", "maximum", "missing", "several")
        expect_identical(unclass(data)[same], unclass(prepare_data(x))[same])
        read <- list(features = integer(), samples = list())
        values <- data$values
        cells <- data$cells$read
        data$values <- function(first, count) {
            read$features <<- c(read$features, first - 1L + seq_len(count))
            values(first, count)
        }
        data$cells$read <- function(samples) {
            read$samples <<- c(read$samples, list(samples))
            cells(samples)
        }
        scaling <- feature_scaling(data, "range")
        found <- found_in(data, scaling, c(3, 20), 5, with_distance = TRUE)
        want <- found_in(prepare_data(x), scaling, c(3, 20), 5,
                         with_distance = TRUE)
        expect_identical(found[c("row", "distance")],
                         want[c("row", "distance")])
        needed <- sort(unique(c(3L, 20L, found$row)))
        expect_identical(as.integer(found$held$rows), needed)
        expect_identical(unname(found$held$block), unname(t(x[needed, ])))
        if (shape[2L] < 12) {
            expect_identical(as.integer(read$features), 1:12)
            expect_identical(lengths(read$samples), length(needed))
        }
        ranked <- lapply(list(file, x), function(x) {
            set.seed(5)
            as.data.frame(relieff_sc(x, links, permutations = 9))
        })
        expect_identical(ranked[[1L]], ranked[[2L]])
    })
})

test_that("a block that was handed out never changes", {
    skip_without_tenx()
    x <- sparse_cells(90, 17)
    with_block_size(12000, {
        cells <- prepare_data(experiment_with(in_tenx(x), x))$cells
        held <- hold_samples(cells, c(3L, 40L))
        blocks <- list()
        copies <- list()
        for (tiles in list(1:2, 3:4, 5:6)) {
            held <- add_tiles(held, cells, tiles)
            blocks <- c(blocks, held$block)
            # every byte of the vectors, not a reference to them
            copies <- c(copies, unserialize(serialize(held$block, NULL)))
            expect_identical(length(held$block@x),
                             held$block@p[ncol(held$block) + 1L])
            expect_identical(as.matrix(held$block),
                             unname(t(x[held$rows, ])))
        }
        for (at in seq_along(blocks)) {
            expect_identical(blocks[[at]], copies[[at]])
        }
    })
})

test_that("ties across tiles keep the order of samples", {
    skip_without_tenx()
    x <- sparse_cells(12, 6)[rep(1:12, 8), ]
    dimnames(x) <- list(paste0("s", 1:96), paste0("g", 1:6))
    with_block_size(11000, {
        expect_same_ranking(in_tenx(x), x, some_links(96), k = 5)
    })
    with_block_size(1500, {
        expect_same_ranking(in_file(t(x), c(6, 1)), x, some_links(96), k = 40)
    })
})

test_that("samples of no entry, and lists that no tile fills, are alike", {
    skip_without_tenx()
    x <- sparse_cells(60, 9, density = 0.1)
    x[c(1:20, 55:60), ] <- 0
    with_block_size(6500, {
        # no feature has a positive margin
        suppressWarnings({
            expect_same_ranking(in_tenx(x), x, some_links(60), k = 59)
            expect_same_ranking(in_tenx(x), x, few_links(60), k = 3)
        })
    })
})

test_that("permutations, missing cells and too many ends are alike", {
    skip_without_tenx()
    x <- sparse_cells(15, 9)
    links <- some_links(15)
    with_block_size(1700, {
        expect_same_ranking(in_tenx(x), x, links, permutations = 7)
        expect_same_ranking(in_tenx(x), x, links, permutations = 7,
                            must_link = "ignore")
        labels <- constraints_from_labels(rep(1:3, 5))
        expect_same_ranking(in_tenx(x), x, labels)
        holes <- x
        holes[cbind(c(2, 8, 13), c(1, 4, 4))] <- NA
        expect_same_ranking(in_tenx(holes), holes, links)
    })
})

test_that("links of some samples are those of all, restricted", {
    links <- constraint_links(pairwise_constraints(
        cannot_link = rbind(c(1, 5), c(2, 7)), must_link = rbind(c(1, 2), c(2, 9), c(4, 5)), samples = 10))
    rows <- c(2L, 4L, 5L, 9L, 10L)
    part <- restrict_links(links, rows)
    for (a in seq_along(rows)) {
        together <- part$component == part$component[a]
        expect_identical(rows[together],
                         intersect(rows, which(links$component ==
                                                   links$component[rows[a]])))
        own <- part$component[a] + 1L
        members <- part$member[seq(part$member_start[own] + 1L,
                                   part$member_start[own + 1L])]
        expect_identical(members + 1L, which(together))
    }
    expect_identical(part$against, links$against)
})

test_that("workers change nothing in rankings by constraints", {
    skip_without_tenx()
    skip_if_not_installed("BiocParallel")
    x <- sparse_cells(10, 17)
    links <- some_links(10)
    with_block_size(1150, {
        file <- experiment_with(in_tenx(x), x)
        expect_length(prepare_data(file)$cells$first, 10)
        run <- function(x, ...) {
            set.seed(5)
            list(relieff_sc(x, links, permutations = 9, scale = "range", ...),
                 runif(1))
        }
        one <- run(x)
        expect_equal(one[[2L]], run(file)[[2L]])
        table <- function(run) as.data.frame(run[[1L]])
        for (workers in list(BiocParallel::SerialParam(),
                             BiocParallel::MulticoreParam(2))) {
            for (data in list(x, file)) {
                got <- run(data, BPPARAM = workers)
                expect_identical(table(got), table(one))
                expect_identical(got[[2L]], one[[2L]])
            }
        }
    })
})
