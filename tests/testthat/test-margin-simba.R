test_that("simba() is its reference, start by start", {
    x <- random_matrix(24, 10)
    y <- rep(c("a", "b", "c"), 8)
    set.seed(1)
    order <- sample.int(24)
    expect_equal(in_order(simba(x, y, order = order)),
                 reference_simba(x, y, order))
    set.seed(2)
    several <- simba(x, y, starts = 6)
    info <- summary(several)
    set.seed(2)
    orders <- vapply(1:6, function(s) sample.int(24), 1:24)
    best <- which(info$starts$chosen)
    expect_identical(best, which.max(info$starts$margin))
    expect_equal(in_order(several), reference_simba(x, y, orders[, best]))
    expect_identical(dim(info$trace), c(24L, 6L))
})

# Margins (2.27) of the weights by the definition.
total_margin <- function(x, y, w) {
    distance <- reference_distance(margin_arrays(x, y), "euclidean", w^2)
    sum(vapply(seq_along(y), function(i) {
        miss <- reference_nearest(distance, i, which(y != y[i]), 1)
        hit <- reference_nearest(distance, i, which(y == y[i]), 1)
        sqrt(distance[i, miss]) - sqrt(distance[i, hit])
    }, 0))
}

test_that("the total margin is that of the normalised weights", {
    x <- random_matrix(20, 7)
    y <- rep(1:2, 10)
    got <- simba(x, y, order = 20:1)
    expect_equal(summary(got)$starts$margin,
                 total_margin(x, y, in_order(got)))
    # the first margin is that of sample 20 with all weights 1
    d <- reference_distance(margin_arrays(x), "euclidean")
    miss <- min(d[20, y == 1])
    hit <- min(d[20, setdiff(which(y == 2), 20)])
    expect_equal(summary(got)$trace[1, 1], sqrt(miss) - sqrt(hit))
})

test_that("simba_sc() is its reference in both directions", {
    x <- random_matrix(20, 9)
    cannot <- rbind(c(1, 4), c(2, 5), c(6, 3), c(1, 6), c(19, 20))
    links <- pairwise_constraints(cannot_link = cannot, samples = rownames(x))
    order <- c(3, 1, 5, 2, 4)
    for (direction in c("first", "both")) {
        got <- simba_sc(x, links, order = order, direction = direction,
                        must_link = "ignore", scale = "range")
        expect_equal(in_order(got),
                     reference_simba_sc(x, cannot, order,
                                        both = direction == "both"))
    }
})

test_that("pairs count by their confidence in simba_sc()", {
    set.seed(6)
    x <- matrix(rnorm(60), 12)
    cannot <- rbind(c(1, 2), c(3, 9), c(5, 12), c(7, 2))
    links <- pairwise_constraints(cannot_link = cannot, samples = 12)
    links$confidence <- c(0.2, NA, 0.7, 0.5)
    weight <- reference_pair_weights(links$confidence)
    for (both in c(TRUE, FALSE)) {
        got <- simba_sc(x, links, order = c(2, 4, 1, 3),
                        direction = if (both) "both" else "first",
                        must_link = "ignore", scale = "range")
        want <- reference_simba_sc(x, cannot, c(2, 4, 1, 3), both,
                                   weight = weight)
        expect_equal(feature_scores(got)[names(want)], want)
    }
    # the chosen start has the largest weighted total
    totals <- function(links) summary(links)$starts$margin
    set.seed(1)
    weighted <- totals(simba_sc(x, links, starts = 3, scale = "range"))
    set.seed(1)
    plain <- links
    plain$confidence[] <- NA
    expect_false(isTRUE(all.equal(weighted, totals(simba_sc(x, plain,
                                                            starts = 3,
                                                            scale = "range")))))
    links$confidence[] <- 0.4
    set.seed(1)
    equal <- simba_sc(x, links, starts = 3, scale = "range")
    set.seed(1)
    expect_identical(equal, simba_sc(x, links[seq_along(links)], starts = 3,
                                     scale = "range"))
    set.seed(1)
    expect_identical(as.data.frame(equal),
                     as.data.frame(simba_sc(x, plain, starts = 3,
                                            scale = "range")))
})

test_that("hits come from the must-link group, never from across", {
    x <- random_matrix(20, 9)
    cannot <- rbind(c(1, 4), c(2, 5), c(6, 3), c(19, 20))
    links <- pairwise_constraints(cannot_link = cannot, must_link = cbind(1, 2), samples = rownames(x))
    group <- list(`1` = 2, `2` = 1)
    apart <- list(`1` = c(4, 5), `2` = c(4, 5), `4` = 1:2, `5` = 1:2, `6` = 3,
                  `3` = 6, `19` = 20, `20` = 19)
    allowed <- function(i) {
        name <- as.character(i)
        if (!is.null(group[[name]])) group[[name]] else
            setdiff(1:20, apart[[name]])
    }
    got <- simba_sc(x, links, order = c(2, 4, 1, 3), scale = "range")
    expect_equal(in_order(got),
                 reference_simba_sc(x, cannot, c(2, 4, 1, 3),
                                    allowed = allowed))
})

test_that("own_term leaves each feature out of its own hits", {
    set.seed(5)
    mixed <- data.frame(a = rnorm(20), b = factor(sample(letters[1:3], 20, TRUE)),
                        c = sample(3, 20, TRUE), d = runif(20))
    mixed$a[c(3, 12)] <- NA
    tied <- as.data.frame(matrix(sample(0:2, 60, TRUE), 20))
    cannot <- rbind(c(1, 4), c(2, 5), c(6, 3), c(19, 20), c(12, 7))
    links <- pairwise_constraints(cannot_link = cannot, samples = 20)
    links$confidence <- c(0.2, NA, 0.7, 0.5, 1)
    weight <- reference_pair_weights(links$confidence)
    order <- c(3, 1, 5, 2, 4)
    ranked <- function(x, ...) {
        simba_sc(x, links, order = order, must_link = "ignore", scale = "range",
                 ...)
    }
    for (x in list(mixed, tied, mixed[c("b", "c")])) {
        for (both in c(TRUE, FALSE)) {
            direction <- if (both) "both" else "first"
            got <- ranked(x, direction = direction, own_term = "leave_out")
            want <- reference_simba_sc(x, cannot, order, both, weight = weight,
                                       own_term = "leave_out")
            expect_equal(feature_scores(got)[names(want)], want,
                         tolerance = 1e-12)
        }
        expect_false(isTRUE(all.equal(feature_scores(got),
                                      feature_scores(ranked(x)))))
    }
    # by default as published
    expect_identical(ranked(mixed), ranked(mixed, own_term = "keep"))
    expect_identical(summary(ranked(mixed))$parameters$own_term, "keep")
    # a header says what is not the default, and a paragraph says nothing twice
    for (rank in list(simba_sc, fcrsc)) {
        got <- function(...) summary(rank(tied, links, ...))
        expect_match(toString(got(own_term = "leave_out")$header),
                     "own_term = leave_out")
        expect_no_match(toString(got()$header), "own_term")
        expect_identical(lengths(gregexpr("own_term|starts", got()$methods)),
                         if (identical(rank, simba_sc)) 2L else 1L)
    }
    # the margins of the visits are those of the space with all features
    traces <- lapply(c("keep", "leave_out"), function(own_term) {
        summary(ranked(mixed, own_term = own_term))$trace[1L]
    })
    expect_identical(traces[[1L]], traces[[2L]])
    # batches and threads change nothing
    several <- function(...) {
        set.seed(1)
        simba_sc(mixed, links, starts = 7, own_term = "leave_out", ...)$score
    }
    one <- several(threads = 1)
    expect_identical(several(threads = 2), one)
    expect_identical(with_option(list(linkrank.batch_bytes = 1), several()),
                     one)
    # of more than 200 features none has neighbours of its own
    wide <- random_matrix(20, 201)
    expect_identical(ranked(wide, own_term = "leave_out")$score,
                     ranked(wide)$score)
})

test_that("factors, gaps and constants are taken", {
    set.seed(3)
    x <- data.frame(a = rnorm(20), b = factor(sample(letters[1:3], 20, TRUE)),
                    c = 5, d = runif(20), e = sample(c(TRUE, FALSE), 20, TRUE))
    x$a[3] <- NA
    x$b[c(3, 8)] <- NA
    y <- rep(c("p", "q"), each = 10)
    order <- sample.int(20)
    got <- in_order(simba(x, y, order = order))
    wanted <- reference_simba(x[-3], y, order)
    expect_equal(got[names(wanted)], wanted)
    expect_identical(got[["c"]], 0)
    cannot <- cbind(1:5, 11:15)
    links <- pairwise_constraints(cannot_link = cannot, samples = 20)
    got <- in_order(simba_sc(x, links, order = 1:5, must_link = "ignore",
                             scale = "range"))
    expect_equal(got[names(wanted)], reference_simba_sc(x[-3], cannot))
    expect_identical(simba(matrix(1, 5, 2), c(1, 1, 2, 2, 2))$score, c(0, 0))
})

test_that("threads, kernels and batches of starts change nothing", {
    x <- random_matrix(40, 600)
    y <- rep(1:2, 20)
    run <- function(...) {
        set.seed(4)
        simba(x, y, starts = 9, ...)
    }
    whole <- expect_same_for_threads(function(threads) run(threads = threads))
    expect_identical(with_option(list(linkrank.portable = TRUE), run()), whole)
    # two starts at a time, and one when not even one fits
    each <- 8 * (2 * (40 + 40) + 3 * 600)
    for (bytes in c(2.5 * each, 1)) {
        expect_identical(
            with_option(list(linkrank.batch_bytes = bytes), run()), whole
        )
    }
    set.seed(4)
    expect_identical(simba(as.data.frame(x), y, starts = 9)$score,
                     whole$score)
})

test_that("orders must be permutations", {
    x <- random_matrix(6, 3)
    y <- c("a", "b", NA, "a", "b", "a")
    links <- few_links(rownames(x))
    expect_refused("argument",
        simba(x, y, order = 1:6), simba(x, y, order = c(1, 1, 2, 4, 5)),
        simba(x, y, order = "no"), simba(x, y, starts = 0),
        simba_sc(x, links, order = 1:2), simba(x, y, k = 2)
    )
    expect_refused("constraints",
        simba_sc(x, pairwise_constraints(must_link = cbind(1, 2),
                                         samples = 6)),
        simba_sc(unname_samples(x)[1:4, ], links)
    )
    ranked <- simba(x, y, order = c(6, 5, 4, 2, 1))
    expect_identical(nrow(summary(ranked)$trace), 5L)
})

test_that("printed output names the starts", {
    set.seed(5)
    expect_snapshot({
        simba(iris[, 1:4], iris$Species)
        simba_sc(log2(colon$x), few_links(rownames(colon$x)))
    })
})
