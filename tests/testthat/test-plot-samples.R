drawn <- function(...) {
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    withVisible(plot(...))
}

# ---- principal components ---------------------------------------------------

# prcomp() of the range-scaled data, signs as here.
# ---- plot -------------------------------------------------------------------

test_that("plot() gives the coordinates back, invisibly", {
    x <- two_directions(12, 6)
    out <- expect_silent(drawn(few_links(12), x))
    expect_false(out$visible)
    expect_identical(out$value, principal_components(prepare_data(x)))
})

test_that("constraints of every sort are drawn without a word", {
    x <- two_directions(40, 6)
    sets <- list(
        few_links(40), few_links(rownames(x)),
        pairwise_constraints(samples = 40),
        pairwise_constraints(must_link = cbind(1, 2), samples = 40),
        constraints_from_labels(rep(c("a", "b", NA, "c"), 10)),
        constraints_from_labels(c("a", "b", rep(NA, 38)))
    )
    for (links in sets) {
        expect_silent(drawn(links, x))
        expect_silent(drawn(links, x, labels = TRUE))
        expect_silent(drawn(links, x, labels = FALSE))
    }
})

test_that("data of every sort are drawn without a word", {
    x <- count_matrix(12, 6)
    gaps <- x
    gaps[2, 3] <- NA
    sets <- list(x, as.data.frame(x), as_matrix_class(x, "dgCMatrix"), gaps,
                 x[, 1, drop = FALSE], matrix(1, 12, 3), x * 1e300,
                 data.frame(f = rep(c("a", "b", "c"), 4), g = rep(1:2, 6)))
    for (data in sets) {
        expect_silent(drawn(few_links(12), data))
    }
})

test_that("an experiment is drawn from the assay that is asked for", {
    skip_if_not_installed("SummarizedExperiment")
    x <- two_directions(12, 6)
    se <- SummarizedExperiment::SummarizedExperiment(list(a = t(x), b = t(x^2)))
    # features of a container share a unit: their components are not scaled
    drawn_axes <- unname(drawn(few_links(12), se, assay.type = "b")$value)
    expected <- stats::prcomp(x^2, rank. = 2)$x
    expect_equal(abs(drawn_axes[, 1:2]), abs(unname(expected)),
                 ignore_attr = TRUE, tolerance = 1e-3)
})

test_that("labels of many samples are drawn without writing all pairs out", {
    x <- two_directions(5000, 3)
    options(linkrank.max_bytes = 2e7)
    on.exit(options(linkrank.max_bytes = NULL))
    expect_silent(drawn(constraints_from_labels(rep(1:2, 2500)), x))
})

test_that("graphical parameters may be given, limits too", {
    x <- two_directions(12, 6)
    expect_silent(drawn(few_links(12), x, xlim = c(-9, 9), ylim = c(-9, 9),
                        las = 0, main = "Mine", xlab = "x", ylab = "y"))
})

test_that("at most so many links of a kind are drawn, from first to last", {
    pairs <- cbind(1:3000, 3001:6000)
    links <- pairwise_constraints(cannot_link = pairs, samples = 6000)
    ends <- link_pairs(links, 2000L)
    expect_identical(dim(ends$cannot), c(2000L, 2L))
    expect_identical(ends$cannot[c(1, 2000), ], pairs[c(1, 3000), ])
    expect_identical(anyDuplicated(ends$cannot), 0L)
    expect_identical(nrow(ends$must), 0L)
    expect_identical(link_pairs(few_links(6), 10L)$must, cbind(1L, 2L))
})

test_that("few labels stay as they are, many are thinned evenly", {
    few <- constraints_from_labels(c("a", NA, "b"))
    expect_identical(thin_labels(few), few)
    many <- thin_labels(constraints_from_labels(rep(1:2, 5000)))
    kept <- which(!is.na(many$class_of))
    expect_length(kept, 1000)
    expect_identical(range(kept), c(1L, 10000L))
})

test_that("what cannot be drawn is refused", {
    x <- two_directions(12, 6)
    expect_refused("argument",
        plot(few_links(12)),
        drawn(few_links(12), x, labels = "yes")
    )
    expect_refused("constraints",
        drawn(few_links(13), x),
        drawn(few_links(letters[1:12]), x)
    )
    expect_refused("input",
        drawn(few_links(12), "x"),
        drawn(few_links(12), x / 0)
    )
})

# ---- space, classes, names --------------------------------------------------

test_that("given coordinates are drawn as they are", {
    x <- two_directions(12, 6)
    points <- cbind(UMAP_1 = 1:12, UMAP_2 = (12:1)^2, other = 0)
    out <- drawn(few_links(12), x, space = points)$value
    expect_identical(unname(out), unname(points[, 1:2]))
    expect_identical(colnames(out), c("UMAP_1", "UMAP_2"))
    expect_true(all(c("UMAP_1", "UMAP_2") %in%
                        texts_of(plot(few_links(12), x, space = points))))
    one <- drawn(few_links(12), x, space = points[, 1, drop = FALSE])$value
    expect_identical(unname(one[, 2]), numeric(12))
    expect_refused("argument", drawn(few_links(12), x, space = points[-1, ]),
                   drawn(few_links(12), x, space = "UMAP"))
})

test_that("a reducedDim and a column are taken by name", {
    skip_if_not_installed("SingleCellExperiment")
    x <- two_directions(12, 6)
    points <- cbind(1:12, 12:1)
    dimnames(points) <- list(rownames(x), NULL)
    sce <- SingleCellExperiment::SingleCellExperiment(
        list(logcounts = t(x)), reducedDims = list(UMAP = points))
    sce$kind <- rep(c("round", "square"), 6)
    links <- few_links(12)
    out <- drawn(links, sce, space = "UMAP", classes = "kind")$value
    expect_identical(unname(out), unname(points) + 0)
    text <- texts_of(plot(links, sce, space = "UMAP", classes = "kind"))
    expect_true(all(c("UMAP 1", "UMAP 2", "round", "square") %in% text))
    asked <- active_constraints(sce, sce$kind, n = 3)
    expect_identical(unname(drawn(asked, sce, space = "UMAP",
                                  classes = "kind")$value), unname(points) + 0)
    graph <- similarity_graph(sce, k = 2)
    expect_identical(unname(drawn(graph, sce, space = "UMAP",
                                  classes = "kind")$value), unname(points) + 0)
    expect_refused("argument", drawn(links, sce, classes = "shape"),
                   drawn(links, sce, space = "PCA"))
})

test_that("names are inside the plot, on no point and on no other name", {
    set.seed(5)
    x <- random_matrix(40, 5)
    rownames(x) <- sprintf("Patient_number_%02d_biopsy", 1:40)
    links <- pairwise_constraints(cannot_link = cbind(rownames(x)[1:10], rownames(x)[11:20]),
                                  samples = rownames(x))
    boxes <- text_boxes(plot(links, x))
    named <- boxes[boxes$text %in% sprintf("%02d", 1:20), ]
    expect_gt(nrow(named), 12)
    expect_false(any_overlap(named))
    expect_true(all(named$left >= 0 & named$right <= 7))
    expect_true(any(grepl("^names without", texts_of(plot(links, x)))))
    # of hundreds, no names
    many <- random_matrix(301, 3)
    expect_false("s1" %in% texts_of(plot(few_links(rownames(many)), many)))
})

test_that("more classes than colours are named at their centres", {
    set.seed(6)
    classes <- factor(rep(paste("type", letters[1:13]), each = 6))
    points <- 6 * cbind(as.integer(classes) %% 4, as.integer(classes) %/% 4) +
        matrix(rnorm(156), 78)
    x <- cbind(points, rnorm(78))
    links <- pairwise_constraints(cannot_link = cbind(1, 78), samples = 78)
    picture <- function(classes) {
        plot(links, x, space = points, classes = classes, labels = FALSE)
    }
    boxes <- text_boxes(picture(classes))
    names <- boxes[boxes$text %in% levels(classes), ]
    # each eight times on paper of its own, then in ink, without a legend
    expect_identical(as.vector(table(names$text)), rep(9L, 13))
    expect_false(any_overlap(names[seq(9, nrow(names), 9), ]))
    left_to_right <- function(by) rank(tapply(by, classes, median))
    middle <- with(names[seq(9, nrow(names), 9), ], (left + right) / 2)
    expect_gt(cor(left_to_right(points[, 1]), middle), 0.9)
    # twelve have a legend, an unknown class has one always
    twelve <- factor(classes, levels(classes)[1:12])
    boxes <- text_boxes(picture(twelve))
    expect_identical(sum(boxes$text == "type b"), 1L)
    expect_true("unknown" %in% texts_of(picture(replace(classes, 1, NA))))
    skip_if_not_installed("ggplot2")
    drawn <- ggplot2::ggplot_build(ggplot2::autoplot(links, x, space = points,
                                                     classes = classes))
    expect_equal(drawn$data[[4]][c("x", "y")],
                 data.frame(x = as.vector(tapply(points[, 1], classes, median)),
                            y = as.vector(tapply(points[, 2], classes, median))))
})
