test_that("relief() and relieff() are their references", {
    x <- random_matrix(24, 5)
    y <- three_classes(24)
    expect_equal(in_order(relief(x, y)), reference_relief(x, y))
    for (k in list(1, 3, 50, "surf", "multisurf")) {
        expect_equal(in_order(relieff(x, y, k = k)),
                     reference_relieff(x, y, k), label = k)
    }
    expect_equal(in_order(relieff(x, y, k = 3, distance = "euclidean")),
                 reference_relieff(x, y, 3, distance = "euclidean"))
    expect_equal(in_order(relieff(x, y, k = "surf", distance = "euclidean")),
                 reference_relieff(x, y, "surf", distance = "euclidean"))
    expect_equal(in_order(relieff(x, y, k = 3, scale = "zscore")),
                 reference_relieff(x, y, 3, scale = "zscore"))
    expect_equal(in_order(relieff(x, y, k = 3, scale = "none")),
                 reference_relieff(x, y, 3, scale = "none"))
})

test_that("mixed and missing data follow ReliefD, with and without a ramp", {
    x <- mixed_data()
    y <- three_classes(30)
    expect_equal(in_order(relieff(x, y, k = 4)), reference_relieff(x, y, 4))
    ramp <- c(0.1, 0.3)
    expect_equal(in_order(relieff(x, y, k = 4, ramp = ramp)),
                 reference_relieff(x, y, 4, ramp = ramp))
    expect_equal(in_order(relieff(x, y, k = "multisurf")),
                 reference_relieff(x, y, "multisurf"))
    expect_equal(in_order(relief(x, y)), reference_relief(x, y))
    expect_identical(in_order(relieff(x, y))[["f"]], 0)
})

test_that("drawn samples come from R's random numbers", {
    x <- random_matrix(30, 6)
    y <- three_classes(30)
    set.seed(5)
    some <- relieff(x, y, k = 3, samples = 10)
    set.seed(5)
    drawn <- sort(sample.int(30, 10))
    expect_equal(in_order(some), reference_relieff(x, y, 3, drawn))
    set.seed(5)
    expect_identical(in_order(relieff(x, y, k = 3, samples = 10)),
                     in_order(some))
    expect_identical(in_order(relieff(x, y, k = 3, samples = 30)),
                     in_order(relieff(x, y, k = 3)))
})

test_that("unlabelled samples only widen the range", {
    x <- random_matrix(30, 6)
    y <- three_classes(30)
    x[5, ] <- colMeans(x)
    y[5] <- NA
    expect_equal(in_order(relieff(x, y, k = 3)), in_order(relieff(x[-5, ], y[-5],
                                                              k = 3)))
    expect_equal(in_order(relieff(x, y, k = "surf")),
                 in_order(relieff(x[-5, ], y[-5], k = "surf")))
    expect_equal(in_order(relieff(x, y, k = "multisurf")),
                 in_order(relieff(x[-5, ], y[-5], k = "multisurf")))
    expect_equal(in_order(stir(x, y, k = 3)), in_order(stir(x[-5, ], y[-5], k = 3)))
})

# Table 2.1 of Hijazi (2019): class = A1 A2 or A1 A3; with ever more points A1
# explains 3/4 of the changes of class, A2 and A3 3/16 each. A little noise
# breaks the ties between misses evenly.
test_that("the boolean problem converges to 0.75, 0.1875, 0.1875", {
    set.seed(6)
    points <- as.matrix(expand.grid(A1 = 0:1, A2 = 0:1, A3 = 0:1))
    x <- points[rep(1:8, each = 400), ]
    y <- (x[, 1] & x[, 2]) | (x[, 1] & x[, 3])
    score <- in_order(relieff(cbind(x, noise = runif(nrow(x))), y, k = 10))
    expect_equal(score[["A1"]], 0.75, tolerance = 0.01)
    expect_equal(score[["A2"]], 0.1875, tolerance = 0.05)
    expect_equal(score[["A3"]], 0.1875, tolerance = 0.05)
    expect_lt(abs(score[["noise"]]), 0.02)
})

test_that("margins find a pair that only counts together", {
    set.seed(7)
    x <- matrix(rnorm(200 * 12), 200, dimnames = list(NULL, letters[1:12]))
    y <- (x[, "c"] > 0) != (x[, "h"] > 0)
    pair <- c("c", "h")
    expect_setequal(top_features(relieff(x, y), 2), pair)
    expect_setequal(top_features(stir(x, y), 2), pair)
    # no single feature tells
    alone <- apply(x, 2, function(v) stats::t.test(v ~ y)$p.value)
    expect_false(setequal(names(sort(alone))[1:2], pair))
})

test_that("threads, kernels, layouts and order of rows change nothing", {
    x <- random_matrix(300, 40)
    y <- three_classes(300)
    whole <- expect_same_for_threads(function(threads) {
        relieff(x, y, k = 5, threads = threads)
    })
    expect_identical(relieff(as.data.frame(x), y, k = 5)$score, whole$score)
    expect_identical(
        relieff(Matrix::Matrix(x, sparse = TRUE), y, k = 5)$score, whole$score
    )
    old <- options(linkrank.portable = TRUE)
    on.exit(options(old))
    expect_identical(relieff(x, y, k = 5), whole)
    turned <- sample.int(300)
    expect_equal(in_order(relieff(x[turned, ], y[turned], k = 5)),
                 in_order(whole))
    expect_same_for_threads(function(threads) {
        stir(x, y, k = 3, threads = threads)
    })
    expect_same_for_threads(function(threads) {
        relieff(x, y, k = "surf", threads = threads)
    })
})

test_that("every walk over pairs runs in threads and gives the same", {
    # more samples than a pass, a tile and a share hold; ties; missing cells
    set.seed(3)
    x <- matrix(sample(0:9, 1300 * 6, TRUE), 1300)
    x[sample(length(x), 200)] <- NA
    y <- sample(c("a", "b", NA), 1300, TRUE)
    work <- open_labelled(prepared(x), y, class_response)
    known <- work$labels$known
    same <- function(walk) {
        expect_same_for_threads(function(threads) {
            work$data$control <- run_control(threads, FALSE)
            walk(work)
        })
    }
    manhattan <- feature_space(work$data, work$scaling, "manhattan")
    classes <- same_class(work)
    same(function(work) nearest(manhattan, known, 4, classes, work$data$control,
                                TRUE))
    same(function(work) nearest(work$where, known[-1], 4, classes,
                                work$data$control))
    same(function(work) mean_distance(work$where, known, work$data$control))
    same(function(work) within_radius(manhattan, known[1:300], NULL, classes,
                                      work$data$control))
    same(function(work) nearest(manhattan, known, 7, neighbour_rule(),
                                work$data$control))
    same(function(work) sample_distances(work$where, known[1:70],
                                         work$data$control))
})

test_that("all samples at once find what one at a time find", {
    # more samples than a pass and a chunk of rows hold, with ties
    set.seed(8)
    x <- matrix(sample(0:9, 1500 * 5, TRUE), 1500)
    y <- sample(c("a", "b"), 1500, TRUE)
    work <- open_labelled(prepared(x), y, class_response)
    all <- nearest_segments(work, 1:1500, 4)
    half <- nearest_segments(work, 1:1499, 4)
    expect_identical(half$row, all$row[seq_along(half$row)])
})

test_that("what cannot be ranked is refused", {
    x <- random_matrix(10, 3)
    y <- rep(c("a", "b"), 5)
    expect_refused("argument",
        relieff(x, y[-1]), relieff(x, rep("a", 10)), relieff(x, rep(NA, 10)),
        relieff(x, seq(0.5, 5, 0.5)), relieff(x, NULL),
        relieff(x, data.frame(y, y)), relieff(x, y, k = 0),
        relieff(x, y, k = "all"), relieff(x, y, ramp = c(0.2, 0.1)),
        relieff(x, y, ramp = "yes"), relieff(x, y, samples = 0),
        relieff(x, y, K = 3), stir(x, y, adjust = "bh"),
        rrelieff(x, y), rrelieff(x, rep(1, 10)), rrelieff(x, c(Inf, 1:9)),
        rrelieff(x, 1:9), rrelieff(x, 1:10, sigma = 0)
    )
    x[2, 2] <- NaN
    expect_refused("input", relieff(x, y))
})

test_that("printed output shows the settings", {
    y <- colon$tissue
    y[1:5] <- NA
    expect_snapshot({
        relieff(log2(colon$x), y, k = "multisurf")
        stir(log2(colon$x), colon$tissue, k = 1)
        rrelieff(mtcars[, -1], mtcars$mpg)
    })
    expect_narrow(stir(log2(colon$x), colon$tissue))
})

test_that("tiny and odd data are ranked", {
    x <- matrix(c(1, 2, 3), 3)
    y <- c("a", "a", "b")
    expect_equal(relieff(x, y)$score, reference_relieff(x, y)[[1]])
    expect_equal(relieff(x * 1e300, y)$score, relieff(x, y)$score)
    expect_equal(relieff(x * 1e-300, y)$score, relieff(x, y)$score)
    expect_identical(nrow(stir(x, y)), 1L)
    # all samples the same
    expect_identical(relieff(matrix(1, 5, 2), c(1, 1, 2, 2, 2))$score, c(0, 0))
    # classes of one
    expect_equal(in_order(relieff(random_matrix(6, 3), c(1:5, 5))),
                 reference_relieff(random_matrix(6, 3), c(1:5, 5)))
})

test_that("very many classes are refused before they fill the memory", {
    x <- matrix(stats::rnorm(40), 20)
    expect_error(relieff(x, 1:20), "samples that share a class",
                 class = "linkrank_error_argument")
    expect_error(relief(x, factor(1:20)), "all known values differ",
                 class = "linkrank_error_argument")
    expect_error(stir(x, c(1:19, NA)), "all known values differ",
                 class = "linkrank_error_argument")
    # one pair that shares a class is enough, and two samples of two classes are
    # as before
    expect_s3_class(relieff(x, c(1:19, 1)), "feature_ranking")
    # the size by arithmetic: 16 bytes a place and 64 a list
    old <- options(linkrank.max_bytes = 80 * 20 * 19 - 1)
    on.exit(options(old))
    expect_error(relieff(x, c(1:19, 1), k = 1), "20 samples in each of 19",
                 class = "linkrank_error_memory")
    options(linkrank.max_bytes = 80 * 20 * 19)
    expect_s3_class(relieff(x, c(1:19, 1), k = 1), "feature_ranking")
    # as many as an int can number, however much memory there is
    options(linkrank.max_bytes = 1e15)
    expect_silent(check_class_lists(2^15, 2^16 - 1, 1))
    expect_silent(check_class_lists(2^31 - 1, 1, 1))
    expect_error(check_class_lists(46341, 46341, 1), "2147488281",
                 class = "linkrank_error_memory")
    expect_error(check_class_lists(2^15, 2^15, 2), "2147483648",
                 class = "linkrank_error_memory")
    options(old)
    n <- 47000
    expect_error(relieff(matrix(seq_len(2 * n), n), c(1, seq_len(n - 1)), k = 1),
                 "would take", class = "linkrank_error_memory")
})

test_that("search and margins share expected differences, and know the same", {
    set.seed(2)
    x <- matrix(rnorm(90 * 70), 90)
    x[sample(length(x), 700)] <- NA
    y <- factor(rep(c("a", "b", NA), 30))
    work <- open_labelled(prepared(x), y, class_response)
    expect_length(work$scaling$expected,
                  sum(colSums(is.na(x)) > 0) * 3 * 90 + 64)
    apart <- work
    apart$scaling["expected"] <- list(NULL)
    apart$where$scaling <- apart$scaling
    ends <- work$labels$known
    sums <- function(work) {
        segments <- nearest_segments(work, ends, 5)
        segments$coefficient <- weigh_classes(segments, work$labels)
        .Call(C_segment_sums, work$data, work$scaling, segments, FALSE, NULL,
              work$data$control)
    }
    expect_identical(sums(work), sums(apart))
})
