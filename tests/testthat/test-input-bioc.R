# Blocks of a few features at a time, as a file far larger than memory is read.
# ---- the same data in every container ---------------------------------------

test_that("experiments are the same data as their transposed matrix", {
    skip_if_not_installed("SummarizedExperiment")
    x <- count_matrix()
    whole <- x
    storage.mode(whole) <- "integer"
    expect_same_data(experiment_of(x), x)
    expect_same_data(experiment_of(whole), x)
    expect_same_data(experiment_of(x > 0), x > 0)
    expect_same_data(experiment_of(as_matrix_class(x, "dgCMatrix")), x)
    expect_same_data(experiment_of(Matrix::Matrix(x > 0, sparse = TRUE)), x > 0)
})

test_that("a SingleCellExperiment is the same data", {
    skip_if_not_installed("SingleCellExperiment")
    x <- count_matrix()
    sce <- SingleCellExperiment::SingleCellExperiment(list(counts = t(x)))
    expect_same_data(sce, x)
})

test_that("an ExpressionSet is the same data", {
    skip_if_not_installed("Biobase")
    x <- count_matrix()
    expect_same_data(Biobase::ExpressionSet(t(x)), x)
})

test_that("a DelayedMatrix is the same data, bare and as an assay", {
    skip_if_not_installed("DelayedArray")
    skip_if_not_installed("SummarizedExperiment")
    x <- count_matrix()
    for (bytes in c(1, 200, 1e8)) {
        with_block_size(bytes, {
            expect_same_data(DelayedArray::DelayedArray(x), x)
            expect_same_data(experiment_of(DelayedArray::DelayedArray(x)), x)
        })
    }
})

test_that("delayed operations are carried out block by block", {
    skip_if_not_installed("DelayedArray")
    skip_if_not_installed("SummarizedExperiment")
    x <- count_matrix()
    delayed <- log2(DelayedArray::DelayedArray(x)[9:1, 14:1] + 1)
    with_block_size(200, {
        expect_same_data(delayed, log2(x[9:1, 14:1] + 1))
        expect_same_data(experiment_of(delayed), log2(x[9:1, 14:1] + 1))
    })
})

test_that("a file is the same data, in chunks of any shape", {
    skip_if_not_installed("HDF5Array")
    skip_if_not_installed("SummarizedExperiment")
    x <- count_matrix()
    shapes <- list(c(9, 14), c(1, 1), c(1, 14), c(4, 5))
    for (shape in shapes) {
        with_block_size(400, {
            values <- in_file(x, shape)
            expect_same_data(values, x)
            expect_same_data(experiment_of(values), x)
        })
    }
})

test_that("a file of whole numbers with missing cells is the same data", {
    skip_if_not_installed("HDF5Array")
    skip_if_not_installed("SummarizedExperiment")
    x <- count_matrix()
    x[cbind(c(2, 9), c(4, 14))] <- NA
    whole <- x
    storage.mode(whole) <- "integer"
    values <- in_file(whole, c(4, 5))
    expect_identical(DelayedArray::type(values), "integer")
    expect_same_data(values, x)
    expect_same_data(experiment_of(values), x)
    expect_same_data(in_file(x > 0, c(4, 5)), x > 0)
})

test_that("z-scores and threads read blocks alike", {
    skip_if_not_installed("HDF5Array")
    x <- count_matrix(12, 14)
    values <- in_file(x, c(5, 3))
    with_block_size(300, expect_identical(
        relieff_sc(values, few_links(12), scale = "zscore", threads = 2),
        relieff_sc(x, few_links(12), scale = "zscore")
    ))
})

test_that("many rows of features are transposed block by block", {
    skip_if_not_installed("SummarizedExperiment")
    set.seed(3)
    x <- matrix(rpois(300 * 8000, 0.3), 300)
    some <- c(1L, 31L, 32L, 33L, 6990L, 6991L, 6992L, 8000L)
    se <- SummarizedExperiment::SummarizedExperiment(list(t(x)))
    data <- prepare_data(se)
    expect_identical(data$layout, "rows")
    expect_identical(.Call(C_read_features, data, some), x[, some] + 0)
    expect_identical(data[c("minimum", "maximum")],
                     prepare_data(x)[c("minimum", "maximum")])
})

test_that("blocks are whole chunks, about as many as memory is meant for", {
    skip_if_not_installed("HDF5Array")
    values <- in_file(matrix(0, 10, 100), c(10, 7))
    # 10 samples x 8 bytes: 1000 bytes hold 12 features, so one chunk of 7
    with_block_size(1000, expect_equal(delayed_block(values, 2L), 7))
    with_block_size(1700, expect_equal(delayed_block(values, 2L), 7))
    with_block_size(3400, expect_equal(delayed_block(values, 2L), 21))
    # never more than the limit, though a chunk is read again then
    with_block_size(400, expect_equal(delayed_block(values, 2L), 5))
    with_block_size(1, expect_equal(delayed_block(values, 2L), 1))
    with_block_size(1e8, expect_equal(delayed_block(values, 2L), 100))
})

# ---- assays, names, sample data ---------------------------------------------

test_that("assay.type picks an assay by number or name, the first by default", {
    skip_if_not_installed("SummarizedExperiment")
    x <- count_matrix()
    se <- SummarizedExperiment::SummarizedExperiment(
        list(counts = t(x), logs = log1p(t(x)))
    )
    links <- few_links(9)
    # a ranking says which assay it is of, and is else the same
    expect_of_assay <- function(x, assay) {
        ranking <- relieff_sc(se, links, assay.type = assay)
        info <- attr(ranking, "info")
        expect_identical(info$parameters$assay.type, assay)
        info$parameters$assay.type <- NULL
        attr(ranking, "info") <- info
        expect_identical(ranking, relieff_sc(x, links, scale = "none"))
    }
    expect_of_assay(x, 1)
    for (assay in list("logs", 2, 2L)) expect_of_assay(log1p(x), assay)
})

test_that("exprs is the first assay of an ExpressionSet", {
    skip_if_not_installed("Biobase")
    x <- count_matrix()
    set <- Biobase::ExpressionSet(Biobase::assayDataNew(
        "environment", a = t(x) * 2, exprs = t(x), z = t(x)^2
    ))
    expect_identical(all_cells(prepare_data(set)), unname(x))
    expect_identical(all_cells(prepare_data(set, assay.type = "z")), unname(x)^2)
    expect_identical(all_cells(prepare_data(set, assay.type = 2)), unname(x) * 2)
})

test_that("names come from the container, not from the assay", {
    skip_if_not_installed("SummarizedExperiment")
    x <- count_matrix()
    se <- SummarizedExperiment::SummarizedExperiment(list(unname(t(x))))
    expect_identical(prepare_data(se)$features[1:2], c("V1", "V2"))
    expect_null(prepare_data(se)$samples)
    dimnames(se) <- list(paste0("gene", 1:14), paste0("cell", 1:9))
    data <- prepare_data(se)
    expect_identical(data$features[2], "gene2")
    expect_identical(data$samples[9], "cell9")
})

test_that("pairs of a container are pairs", {
    skip_if_not_installed("S4Vectors")
    pairs <- S4Vectors::SelfHits(c(1, 2), c(3, 4), nnode = 5)
    expect_identical(pairwise_constraints(must_link = pairs, samples = 5),
                     pairwise_constraints(must_link = cbind(1:2, 3:4),
                                          samples = 5))
})

test_that("what is known of the samples comes along", {
    skip_if_not_installed("SummarizedExperiment")
    se <- experiment_of(count_matrix())
    se$tissue <- rep(c("a", "b", "c"), 3)
    expect_identical(prepare_data(se)$sample_data$tissue, se$tissue)
})

test_that("an assay that is not there is refused", {
    skip_if_not_installed("SummarizedExperiment")
    x <- count_matrix()
    se <- SummarizedExperiment::SummarizedExperiment(
        list(counts = t(x), logs = log1p(t(x)))
    )
    unnamed <- SummarizedExperiment::SummarizedExperiment(list(t(x)))
    none <- SummarizedExperiment::SummarizedExperiment()
    links <- few_links(9)
    expect_refused("argument",
        relieff_sc(se, links, assay.type = "logcounts"),
        relieff_sc(se, links, assay.type = 3),
        relieff_sc(se, links, assay.type = 0),
        relieff_sc(se, links, assay.type = 1.5),
        relieff_sc(se, links, assay.type = c("counts", "logs")),
        relieff_sc(se, links, assay.type = NA_character_),
        relieff_sc(se, links, assay.type = NULL),
        relieff_sc(unnamed, links, assay.type = "counts")
    )
    expect_refused("input", relieff_sc(none, links))
})

test_that("an assay that holds no numbers is refused", {
    skip_if_not_installed("SummarizedExperiment")
    skip_if_not_installed("DelayedArray")
    text <- matrix("a", 4, 9)
    as_assay <- function(values) {
        SummarizedExperiment::SummarizedExperiment(list(values))
    }
    links <- few_links(9)
    expect_refused("input",
        relieff_sc(as_assay(text), links),
        relieff_sc(as_assay(array(0, c(4, 9, 2))), links),
        relieff_sc(as_assay(as.data.frame(matrix(0, 4, 9))), links),
        relieff_sc(as_assay(DelayedArray::DelayedArray(text)), links),
        relieff_sc(DelayedArray::DelayedArray(t(text)), links)
    )
})

test_that("faults in a container are reported like those of a matrix", {
    skip_if_not_installed("SummarizedExperiment")
    skip_if_not_installed("DelayedArray")
    x <- count_matrix()
    x[3, 5] <- Inf
    twice <- experiment_of(count_matrix())
    rownames(twice)[2] <- "g1"
    links <- few_links(9)
    expect_refused("input",
        relieff_sc(experiment_of(x), links),
        relieff_sc(DelayedArray::DelayedArray(x), links),
        relieff_sc(twice, links),
        relieff_sc(experiment_of(x)[, 1:2], links),
        relieff_sc(experiment_of(x)[0, ], links),
        relieff_sc(DelayedArray::DelayedArray(x)[, 0], links),
        relieff_sc(DelayedArray::DelayedArray(x)[0, ], links)
    )
})

test_that("a container whose package is missing is refused", {
    expect_refused("package", need_package("no.such.package", data.frame()))
})

test_that("columns of sample data that are tables or encoded are no trouble", {
    skip_if_not_installed("SingleCellExperiment")
    x <- random_matrix(20, 4)
    y <- factor(rep(c("u", "v"), each = 10), c("v", "u"))
    sce <- SingleCellExperiment::SingleCellExperiment(
        list(logcounts = t(x)), colData = S4Vectors::DataFrame(
            class = S4Vectors::Rle(y), part = c(NA, rep(1:3, length = 19))))
    sce$scores <- S4Vectors::DataFrame(a = 1:20)
    sce$range <- S4Vectors::Pairs(1:20, 21:40)
    SingleCellExperiment::reducedDim(sce, "PCA") <- x[, 1:2]
    expect_identical(levels(group_markers(sce, "class")$group), c("v", "u"))
    links <- constraints_from_labels(y)
    expect_identical(relieff_sc(sce, links)$feature,
                     relieff_sc(x, links, scale = "none")$feature)
    expect_no_warning(by <- suppressMessages(prepare_data(sce, by = "part")))
    expect_equal(by$spaces$PCA, rowsum(x[-1, 1:2], sce$part[-1]) /
                     c(7, 6, 6), ignore_attr = TRUE)
    for (column in c("scores", "range")) {
        expect_error(relieff(sce, column), "`y` must be", class = "linkrank_error")
        expect_error(group_markers(sce, column), "`groups` must be",
                     class = "linkrank_error")
    }
})
