drawn_features <- function(...) {
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    withVisible(plot_features(...))
}

some_ranking <- function(x) {
    variance_score(x, scale = "none")
}

test_that("the heat map holds the best features, standardised, by class", {
    x <- random_matrix(30, 8)
    classes <- rep(c("b", "a", NA), 10)
    ranking <- some_ranking(x)
    out <- drawn_features(x, ranking, n = 3, classes = classes)
    expect_false(out$visible)
    best <- top_features(ranking, 3)
    expect_identical(rownames(out$value), best)
    expect_setequal(colnames(out$value), rownames(x))
    drawn <- t(out$value)[rownames(x), ]
    expect_equal(drawn, scale(x[, best]), ignore_attr = TRUE)
    # by class in the order of the levels, unknown ones last
    by <- classes[match(colnames(out$value), rownames(x))]
    expect_identical(by, rep(c("a", "b", NA), each = 10))
    # in a class along the first component of what is shown
    along <- drop(out$value %*% svd(t(out$value))$u[, 1])
    cells <- scale(x[, best])
    score <- svd(cells)$u[, 1] * sign(sum(svd(cells)$v[, 1]))
    names(score) <- rownames(x)
    expect_false(is.unsorted(score[colnames(out$value)[1:10]]))
})

test_that("dots are means and proportions of each class", {
    x <- random_matrix(12, 5)
    classes <- factor(rep(c("u", "v", NA), 4), c("v", "u"))
    dots <- drawn_features(x, some_ranking(x), n = 2, classes = classes,
                           type = "dots")$value
    best <- top_features(some_ranking(x), 2)
    expect_identical(dots$feature, rep(best, each = 2))
    expect_identical(as.character(dots$class), rep(c("v", "u"), 2))
    expect_identical(dots$samples, rep(4L, 4))
    z <- scale(x[, best])
    for (row in seq_len(nrow(dots))) {
        own <- which(classes == dots$class[row])
        expect_equal(dots$mean[row], mean(z[own, dots$feature[row]]))
        values <- x[, dots$feature[row]]
        expect_equal(dots$share[row], mean(values[own] > median(values)))
    }
    # what is never negative and often 0 counts from 0
    counts <- count_matrix(20, 6)
    some <- drawn_features(counts, some_ranking(counts), n = 6,
                           classes = rep(1:2, 10), type = "dots")$value
    if (min(counts) == 0) {
        expect_equal(some$share[1], mean(counts[seq(1, 19, 2),
                                                some$feature[1]] > 0))
        expect_identical(attr(some, "level"), "above 0")
    }
})

test_that("a container, sparse data and missing values give the same plot", {
    x <- count_matrix(20, 6)
    ranking <- some_ranking(x)
    plain <- drawn_features(x, ranking, n = 4)$value
    expect_equal(drawn_features(as_matrix_class(x, "dgCMatrix"), ranking,
                                n = 4)$value, plain)
    gaps <- x
    gaps[3, ] <- NA
    gapped <- drawn_features(gaps, ranking, n = 4)$value
    expect_identical(unname(gapped[, rownames(x)[3]]), numeric(4))
    skip_if_not_installed("SummarizedExperiment")
    se <- SummarizedExperiment::SummarizedExperiment(
        list(logcounts = t(x)), colData = S4Vectors::DataFrame(
            type = rep(c("a", "b"), 10)))
    expect_equal(drawn_features(se, ranking, n = 4, classes = "type")$value,
                 drawn_features(x, ranking, n = 4,
                                classes = rep(c("a", "b"), 10))$value)
    expect_refused("argument",
                   drawn_features(se, ranking, classes = "kind"))
})

test_that("links are marked by arcs, must-links solid and cannot-links dashed", {
    x <- random_matrix(20, 5)
    calls <- drawn_calls(plot_features(x, some_ranking(x),
                                       constraints = few_links(20)))$calls
    text <- unlist(texts_of(plot_features(x, some_ranking(x),
                                          constraints = few_links(20))))
    expect_true(all(c("cannot-link (3)", "must-link (1)") %in% text))
    arcs <- Filter(function(call) call$name == "C_plotXY", calls)
    expect_length(arcs, 4)
})

test_that("a class of few among thousands keeps a width that can be seen", {
    columns <- heat_columns(rep(1:3, c(2600, 30, 8)))
    expect_true(all(columns$right - columns$left > 0.025))
    expect_equal(max(columns$right), 1)
    expect_false(is.unsorted(columns$left))
    expect_silent(drawn_features(
        random_matrix(2638, 12), some_ranking(random_matrix(2638, 12)),
        classes = rep(c("many", "few"), c(2630, 8))))
})

test_that("rankings and data of every sort are drawn without a word", {
    x <- random_matrix(10, 3)
    ranking <- some_ranking(x)
    expect_silent(drawn_features(x, ranking, n = 1))
    expect_silent(drawn_features(x, ranking, n = 1, classes = 1:10))
    expect_silent(drawn_features(x, ranking, classes = rep(1, 10),
                                 type = "dots", main = "Mine"))
    flat <- cbind(x, flat = 1)
    expect_silent(drawn_features(flat, some_ranking(flat)))
    expect_silent(drawn_features(flat, some_ranking(flat), type = "dots",
                                 classes = rep(1:2, 5)))
})

test_that("what cannot be drawn is refused", {
    x <- random_matrix(10, 3)
    ranking <- some_ranking(x)
    expect_refused("argument",
                   plot_features(x, 1), plot_features(x, ranking, n = 0),
                   plot_features(x, ranking, type = "dots"),
                   plot_features(x, ranking, type = "bars"),
                   plot_features(x[, 1:2], ranking),
                   plot_features(x, ranking, classes = 1:3))
    expect_refused("constraints",
                   plot_features(x, ranking, constraints = 1),
                   plot_features(x, ranking, constraints = few_links(11)))
})

test_that("many links are thin arcs", {
    x <- random_matrix(40, 6)
    widths <- function(cannot) {
        links <- pairwise_constraints(cannot_link = cbind(seq_len(cannot),
                                            20 + seq_len(cannot)),
                                      samples = rownames(x))
        calls <- drawn_calls(plot_features(x, variance_score(x), n = 3,
                                           constraints = links))$calls
        lines <- Filter(function(call) call$name == "C_plotXY", calls)
        unique(unlist(lapply(lines, function(call) call$arguments[[8L]])))
    }
    expect_identical(widths(5), 1.3)
    expect_identical(widths(19), 0.8)
})

test_that("colours end at two standard deviations", {
    x <- cbind(a = c(rep(0, 99), 50), b = rep(1:2, 50))
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    dots <- plot_features(x, variance_score(x, scale = "none"), type = "dots",
                          classes = rep(1:2, c(99, 1)))
    expect_gt(max(dots$mean), 9)
    expect_identical(attr(dots, "limit"), 2)
})
