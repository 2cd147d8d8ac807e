# Manhattan neighbours of many end points in a double matrix are screened by
# features rounded to bytes; the same cells with samples in columns go through
# all distances.

dense_cells <- function(seed) {
    set.seed(seed)
    n <- sample(256:420, 1L)
    p <- sample(c(17, 100, 128, 129, 161, 191), 1L)
    draw <- switch(seed %% 3 + 1, sample.int(4L, n * p, TRUE) / 2,
                   rnorm(n * p), runif(n * p)^4)
    x <- matrix(draw, n)
    if (seed %% 4 == 0) x <- x[sample.int(n, n, TRUE), , drop = FALSE]
    x
}

test_that("bytes leave the same neighbours as all distances", {
    expect_every(200, function(seed) {
        x <- dense_cells(seed)
        n <- nrow(x)
        data <- as_feature_data(x)
        turned <- data
        turned$values <- t(x)
        turned$layout <- "rows"
        scaling <- feature_scaling(data, "range")
        labels <- sample(1:3, n, TRUE)
        links <- if (seed %% 2) NULL else
            constraint_links(constraints_from_labels(labels, 6, 4))
        ends <- sort(sample.int(n, 60L))
        run <- function(data) {
            find_neighbours(data, scaling, ends, 1 + seed %% 6, 0, links,
                            "manhattan", run_control(1, FALSE))
        }
        wanted <- run(turned)
        identical(run(data), wanted) &&
            identical(with_option(list(linkrank.portable = TRUE), run(data)),
                      wanted)
    })
})

test_that("bytes give the same bits for any number of threads", {
    x <- matrix(stats::runif(900 * 40), 900)
    y <- factor(rep(1:3, 300))
    one <- expect_same_for_threads(function(threads) {
        relieff(x, y, threads = threads)
    })
    turned <- experiment_of(x)
    expect_equal(one$score, relieff(turned, y, scale = "range")$score,
                 tolerance = 0)
})
