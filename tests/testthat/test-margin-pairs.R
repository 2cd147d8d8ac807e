# pair_margins(): the terms of a margin.

sum_in_order <- function(margins) {
    vapply(colnames(margins), function(feature) {
        add_up(unclass(margins)[, feature])
    }, 0)
}

test_that("the pairs' margins add up to those of relieff_sc, bit by bit", {
    for (seed in 1:6) {
        x <- random_matrix(25, 7, seed)
        x[, 3] <- round(x[, 3])
        x[, 4] <- 1
        pairs <- matrix(sample(25, 16), ncol = 2)
        links <- pairwise_constraints(cannot_link = pairs, must_link = cbind(pairs[1, 1], pairs[1, 2] %%
                                                       25 + 1)[0, ],
                                      samples = rownames(x))
        for (k in c(1, 3)) {
            ranking <- relieff_sc(x, links, k = k)
            margins <- pair_margins(x, links, colnames(x), k = k)
            expect_identical(dim(margins), c(8L, 7L))
            # 0 but for rounding is 0
            sums <- sum_in_order(margins)
            expect_identical(
                ifelse(abs(sums) < 1e-15, 0, sums),
                stats::setNames(ranking$margin, ranking$feature)[colnames(x)]
            )
        }
    }
})

test_that("arguments of relieff_sc change the terms as they change the sum", {
    x <- random_matrix(20, 6)
    links <- few_links(rownames(x))
    runs <- list(list(direction = "first"), list(must_link = "ignore"),
                 list(distance = "euclidean"), list(space = 3),
                 list(scale = "none"), list(k = 50))
    for (options in runs) {
        ranking <- do.call(relieff_sc, c(list(x, links), options))
        margins <- do.call(pair_margins,
                           c(list(x, links, ranking), options))
        sums <- sum_in_order(margins)
        # what is 0 but for rounding is 0 in the ranking
        sums[ranking$margin == 0 & abs(sums) < 1e-15] <- 0
        expect_identical(sums,
                         stats::setNames(ranking$margin, ranking$feature))
    }
    # one pair against the rest of the constraints left as they are
    alone <- relieff_sc(x, links, must_link = "ignore")
    expect_identical(rownames(pair_margins(x, links, "g1")),
                     c("s1 - s4", "s2 - s5", "s6 - s3"))
})

test_that("factors, missing cells, sparse data and labels have terms", {
    set.seed(1)
    x <- data.frame(a = rnorm(16), b = gl(4, 4), c = rnorm(16))
    x$c[3] <- NA
    links <- pairwise_constraints(cannot_link = rbind(c(1, 9), c(3, 12), c(5, 16)),
                                  samples = 16)
    ranking <- relieff_sc(x, links)
    margins <- pair_margins(x, links, c("c", "b"))
    expect_identical(sum_in_order(margins),
                     stats::setNames(ranking$margin,
                                     ranking$feature)[c("c", "b")])
    counts <- matrix(rpois(200, 0.3), 20, dimnames = list(NULL, letters[1:10]))
    links <- few_links(20)
    expect_identical(
        unclass(pair_margins(Matrix::Matrix(counts, sparse = TRUE), links, 2)),
        unclass(pair_margins(counts, links, "b"))
    )
    labels <- rep(c("u", "v", NA), c(4, 3, 13))
    all <- constraints_from_labels(labels)
    margins <- pair_margins(counts, all, 1:10)
    ranking <- relieff_sc(counts, all)
    expect_identical(nrow(margins), 12L)
    sums <- stats::setNames(ranking$margin, ranking$feature)
    expect_equal(sum_in_order(margins), sums[letters[1:10]],
                 tolerance = 1e-12)
})

test_that("values, print-out and refusals", {
    x <- random_matrix(12, 4)
    links <- few_links(rownames(x))
    margins <- pair_margins(x, links, c("g3", "g1"))
    expect_snapshot(print(margins))
    table <- as.data.frame(margins)
    expect_identical(table$value_i, as.vector(x[c(1, 2, 6), c("g3", "g1")]))
    expect_identical(table$value_j, as.vector(x[c(4, 5, 3), c("g3", "g1")]))
    expect_identical(table$margin, as.vector(unclass(margins)))
    expect_narrow(pair_margins(x, links, 1:4))
    expect_refused("argument",
        pair_margins(x, links),
        pair_margins(x, links, "g9"),
        pair_margins(x, links, character()),
        pair_margins(x, links, 5),
        pair_margins(x, links, 1, permutations = 9)
    )
    expect_refused("constraints",
        pair_margins(x, pairwise_constraints(must_link = cbind(1, 2),
                                             samples = 12), 1)
    )
})

test_that("some features have the margins that they have among all", {
    set.seed(1)
    x <- data.frame(random_matrix(20, 5),
                    h = rep(c(TRUE, FALSE, FALSE, TRUE), 5),
                    g = factor(rep(c(1, 2, 3, 2, 1), 4)))
    x[2, 1] <- x[c(3, 7), 4] <- NA
    links <- pairwise_constraints(cannot_link = rbind(c(1, 4), c(2, 5)), must_link = cbind(2, 3),
                                  samples = 20)
    all <- pair_margins(x, links, names(x))
    for (some in list("g", c("h", "g"), names(x)[4], names(x)[c(7, 1)])) {
        expect_identical(c(pair_margins(x, links, some)),
                         unname(c(all[, some])))
    }
})

test_that("pictures take classes by the names of the samples", {
    x <- random_matrix(12, 3)
    rownames(x) <- paste0("s", 1:12)
    classes <- stats::setNames(rep(c("a", "b", "c"), 4), rownames(x))
    margins <- pair_margins(x, few_links(rownames(x)), 1)
    drawn <- function(classes) {
        pair_panels(shown_pairs(margins, 1, 5, classes, "x"))
    }
    expect_identical(suppressMessages(drawn(rev(classes))), drawn(classes))
    expect_identical(drawn(unname(classes)), drawn(classes))
})
