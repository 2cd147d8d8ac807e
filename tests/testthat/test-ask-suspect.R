# From the definition: all pairs of samples.
reference_suspects <- function(links, points) {
    all <- as.vector(stats::dist(points))
    pairs <- as.data.frame(links)
    d <- sqrt(rowSums((points[pairs$i, , drop = FALSE] -
                           points[pairs$j, , drop = FALSE])^2))
    share <- ifelse(pairs$type == "must-link",
                    vapply(d, function(one) mean(all >= one - 1e-12), 0),
                    vapply(d, function(one) mean(all <= one + 1e-12), 0))
    order <- order(share)
    data.frame(i = pairs$i, j = pairs$j, distance = d, share = share)[order, ]
}

test_that("shares are those among all pairs, in any space", {
    set.seed(1)
    x <- matrix(rnorm(60 * 8), 60, dimnames = list(paste0("s", 1:60), NULL))
    y <- rep(1:3, 20)
    x[, 1:3] <- x[, 1:3] + 3 * (y == 1)
    links <- constraints_from_labels(y, cannot_link = 12, must_link = 8)
    points <- matrix(rnorm(60 * 3), 60)
    got <- suspect_answers(links, unname(x), space = points, scale = "range")
    want <- reference_suspects(links, points)
    expect_equal(as.data.frame(got)[c("i", "j", "distance", "share")], want,
                 ignore_attr = TRUE)
    # all features, not scaled
    got <- suspect_answers(links, unname(x), space = NULL, scale = "none")
    expect_equal(got$share, reference_suspects(links, x)$share)
    # components of the range-scaled data
    scaled <- apply(x, 2, function(f) (f - min(f)) / diff(range(f)))
    pcs <- stats::prcomp(scaled)$x[, 1:2]
    expect_equal(suspect_answers(links, unname(x), space = 2,
                                 scale = "range")$share,
                 reference_suspects(links, pcs)$share)
    # all pairs of labelled samples
    labels <- constraints_from_labels(replace(y, 10:60, NA))
    expect_identical(nrow(suspect_answers(labels, unname(x),
                                          scale = "range")), 36L)
})

test_that("pairs of many samples are sampled, ties count on both sides", {
    points <- cbind(rep(1:2, each = 1500), 0)
    x <- matrix(rnorm(3000 * 2), 3000)
    links <- pairwise_constraints(cannot_link = cbind(1, 3000), must_link = cbind(c(1, 2), c(2, 1600)),
                                  samples = 3000)
    got <- suspect_answers(links, x, space = points)
    # half of all pairs have distance 0, half 1
    near <- (1500 * 1499) / (3000 * 2999 / 2)
    expect_equal(got$share[got$type == "cannot-link"], 1)
    expect_equal(sort(got$share[got$type == "must-link"]), c(1 - near, 1),
                 tolerance = 1e-3)
})

test_that("a planted mistake between clear groups is found first", {
    set.seed(5)
    y <- rep(1:2, each = 30)
    x <- matrix(rnorm(60 * 10), 60)
    x[, 1:5] <- x[, 1:5] + 4 * y
    links <- active_constraints(x, y, n = 15)
    answers <- links$questions
    wrong <- 7
    answers$type[wrong] <- setdiff(c("must-link", "cannot-link"),
                                   answers$type[wrong])
    links <- suppressMessages(reconcile_answers(
        answers[c("i", "j", "type")], samples = 60))
    found <- suspect_answers(links, x)
    left_out <- nrow(answer_conflicts(links)) > 0
    expect_true(left_out || setequal(unlist(found[1, c("i", "j")]),
                                     unlist(answers[wrong, c("i", "j")])))
})

test_that("suspects are printed, and bad input is refused", {
    x <- random_matrix(10, 4)
    links <- pairwise_constraints(cannot_link = cbind("s1", "s2"),
                                  must_link = cbind("s3", c("s4", "s5", "s6")),
                                  samples = rownames(x))
    found <- suspect_answers(links, x)
    expect_output(print(found), "look again at s")
    expect_output(print(found), "1 less unusual")
    expect_output(print(found[0, ]), "0 answers")
    expect_output(print(found["i"]), "i")
    none <- pairwise_constraints(samples = 10)
    expect_identical(nrow(suspect_answers(none, unname(x))), 0L)
    expect_refused("constraints", suspect_answers(1, x))
    expect_refused("argument", suspect_answers(links, x, space = "PCA"),
                   suspect_answers(links, x, space = 20, more = 1))
})
