# All pairs of labelled samples of one class, or of two, by going through all.
pairs_by_trying <- function(labels, same) {
    n <- length(labels)
    out <- matrix(integer(), 0, 2)
    for (i in seq_len(n - 1)) {
        for (j in (i + 1):n) {
            known <- !is.na(labels[i]) && !is.na(labels[j])
            if (known && (labels[i] == labels[j]) == same) {
                out <- rbind(out, c(i, j))
            }
        }
    }
    out
}

sorted_ends <- function(pairs) cbind(pmin(pairs[, 1], pairs[, 2]),
                                     pmax(pairs[, 1], pairs[, 2]))

# ---- all pairs --------------------------------------------------------------

test_that("all labels mean all pairs, kept as labels", {
    labels <- c("b", "a", NA, "b", "c")
    links <- constraints_from_labels(labels)
    expect_null(links$first)
    expect_identical(links$class_of, c(2L, 1L, NA, 2L, 3L))
    expect_identical(links$classes, c("a", "b", "c"))
    # 1-4 share a class; 1-2, 1-5, 2-4, 2-5, 4-5 do not
    expect_identical(length(links), 6L)
    expect_identical(as.data.frame(links), data.frame(
        i = c(1L, 1L, 2L, 2L, 4L, 1L), j = c(2L, 5L, 4L, 5L, 5L, 4L),
        type = rep(c("cannot-link", "must-link"), c(5, 1)),
        confidence = NA_real_, name_i = NA_character_, name_j = NA_character_
    ))
})

test_that("labels of every kind give the same constraints", {
    codes <- c(2, 1, NA, 2, 1, 1)
    links <- constraints_from_labels(codes)
    expect_identical(constraints_from_labels(as.integer(codes)), links)
    expect_identical(constraints_from_labels(as.character(codes)), links)
    expect_identical(constraints_from_labels(factor(codes)), links)
    flags <- constraints_from_labels(codes == 2)
    expect_identical(flags$class_of, links$class_of)
})

test_that("names of the labels are the sample names", {
    labels <- c(u = "a", v = "b", w = "a")
    expect_identical(constraints_from_labels(labels)$names, c("u", "v", "w"))
    drawn <- constraints_from_labels(labels, cannot_link = 1, must_link = 1)
    expect_identical(drawn$names, c("u", "v", "w"))
})

test_that("pairs of a class, or of two, are those found by trying all", {
    set.seed(1)
    expect_every(50, function(trial) {
        labels <- sample(c(1:4, NA), sample(3:15, 1), replace = TRUE)
        all(vapply(c(TRUE, FALSE), function(same) {
            pairs <- pairs_by_trying(labels, same)
            identical(label_pairs(labels, same), pairs) &&
                count_label_pairs(labels, same) == nrow(pairs)
        }, NA))
    })
})

test_that("all of one kind and none of the other is a list of pairs", {
    labels <- c(1, 2, 1, NA, 2)
    apart <- constraints_from_labels(labels, must_link = 0)
    expect_identical(cbind(apart$first, apart$second),
                     pairs_by_trying(labels, FALSE))
    expect_false(any(apart$must_link))
    together <- constraints_from_labels(labels, cannot_link = 0)
    expect_identical(cbind(together$first, together$second),
                     pairs_by_trying(labels, TRUE))
    expect_true(all(together$must_link))
})

test_that("100,000 labels cost no more than themselves", {
    labels <- rep(1:4, 25000)
    links <- constraints_from_labels(labels)
    # both kinds of pairs share the codes, which object.size() counts twice
    expect_lt(as.numeric(object.size(links)), 2.1 * 4e5)
    # 1e5 * (1e5 - 1) / 2 pairs
    expect_identical(length(links), 4999950000)
    expect_identical(close_constraints(links), links)
    expect_identical(max(constraint_groups(links)), 4L)
})

test_that("unlabelled samples cost nothing when pairs are written out", {
    labels <- rep(NA, 1e6)
    labels[c(5, 50, 500, 5000)] <- c(1, 1, 2, 2)
    links <- constraints_from_labels(labels)
    expect_identical(as.data.frame(links)$i, c(5L, 5L, 50L, 50L, 5L, 500L))
    set.seed(2)
    some <- constraints_from_labels(labels, cannot_link = 3, must_link = 1)
    expect_length(some, 4)
})

test_that("pairs of many small classes are listed without all the others", {
    labels <- rep(1:20000, 2)
    set.seed(3)
    links <- constraints_from_labels(labels, cannot_link = 0)
    expect_identical(links$second - links$first, rep(20000L, 20000))
    drawn <- constraints_from_labels(labels, cannot_link = 5, must_link = 15000)
    expect_identical(sum(drawn$must_link), 15000L)
})

# ---- random pairs -----------------------------------------------------------

test_that("random pairs have the right kind, number and no repeats", {
    set.seed(4)
    labels <- sample(c("a", "b", "c", NA), 60, replace = TRUE)
    expect_every(30, function(trial) {
        links <- constraints_from_labels(labels, cannot_link = 20, must_link = 15)
        same <- labels[links$first] == labels[links$second]
        key <- pair_key(links$first, links$second, 60)
        identical(same, links$must_link) && sum(same) == 15 &&
            length(same) == 35 && !anyDuplicated(key)
    })
})

test_that("set.seed() gives the same pairs again, on both code paths", {
    for (n in c(50, 3000)) {
        labels <- rep(1:2, n / 2)
        set.seed(5)
        first <- constraints_from_labels(labels, cannot_link = 10, must_link = 10)
        other <- constraints_from_labels(labels, cannot_link = 10, must_link = 10)
        set.seed(5)
        expect_identical(constraints_from_labels(labels, cannot_link = 10, must_link = 10), first)
        expect_false(identical(other, first))
    }
})

test_that("asking for all there are gives all of them", {
    set.seed(6)
    labels <- c(1, 1, 2, 2, 2, NA)
    links <- constraints_from_labels(labels, cannot_link = 6, must_link = 4)
    cannot <- sorted_ends(cbind(links$first, links$second)[1:6, ])
    expect_identical(cannot[order(cannot[, 1], cannot[, 2]), ],
                     pairs_by_trying(labels, FALSE))
    expect_identical(sum(links$must_link), 4L)
})

# A function that draws so many pairs of these codes.
drawing <- function(codes, same) {
    function(count) draw_label_pairs(codes, same, count, "pairs")
}

test_that("every pair, in every direction, is drawn equally often", {
    # 2 x 3 samples of two classes: 6 cannot-links, 12 directed
    set.seed(7)
    draw <- drawing(c(1, 1, 2, 2, 2), FALSE)
    drawn <- replicate(3000, draw(1)[1, ])
    counts <- table(paste(drawn[1, ], drawn[2, ]))
    expect_length(counts, 12)
    expect_gt(chisq.test(counts)$p.value, 0.001)
})

test_that("every set of pairs is drawn equally often", {
    # 3 of the 4 must-links of 1, 1, 2, 2, 2: four sets
    set.seed(8)
    draw <- drawing(c(1, 1, 2, 2, 2), TRUE)
    sets <- replicate(2000, {
        pairs <- sorted_ends(draw(3))
        paste(sort(paste(pairs[, 1], pairs[, 2])), collapse = " ")
    })
    expect_length(unique(sets), 4)
    expect_gt(chisq.test(table(sets))$p.value, 0.001)
})

test_that("drawing again is as uniform as drawing from a list", {
    set.seed(9)
    codes <- c(1, NA, 1, 2, NA, 2, 2)
    drawn <- replicate(2000, draw_again(codes, FALSE, 2, 6))
    expect_true(all(codes[drawn[, 1, ]] != codes[drawn[, 2, ]]))
    keys <- paste(drawn[, 1, ], drawn[, 2, ])
    expect_length(unique(keys), 6)
    expect_gt(chisq.test(table(keys))$p.value, 0.001)
})

test_that("many samples: pairs are different, of their kind, from all ends", {
    set.seed(10)
    n <- 4000
    codes <- rep(1:2, each = n / 2)
    pairs <- draw_label_pairs(codes, FALSE, 20000, "pairs")
    expect_identical(dim(pairs), c(20000L, 2L))
    expect_true(all(codes[pairs[, 1]] != codes[pairs[, 2]]))
    expect_identical(anyDuplicated(pair_key(pairs[, 1], pairs[, 2], n)), 0L)
    # ten pairs an end: the spread of a Poisson count
    ends <- tabulate(pairs, n)
    expect_equal(mean(ends), 10)
    expect_equal(var(ends), 10, tolerance = 0.1)
    expect_equal(mean(pairs[, 1] < pairs[, 2]), 0.5, tolerance = 0.03)
})

test_that("many samples and most of their pairs come from the list", {
    set.seed(11)
    # 1,500 singletons: 1,124,250 pairs, more than are listed at once
    draw <- drawing(1:1500, FALSE)
    pairs <- draw(6e5)
    expect_identical(anyDuplicated(pair_key(pairs[, 1], pairs[, 2], 1500)), 0L)
})

test_that("a sampler gives new pairs each time", {
    set.seed(12)
    for (n in c(20, 2000)) {
        draw <- drawing(rep(1:2, n / 2), FALSE)
        expect_false(identical(draw(5), draw(5)))
    }
})

# ---- pairs by number --------------------------------------------------------

test_that("pairs are numbered in the order (1, 2), (1, 3), (2, 3), ...", {
    pairs <- number_to_pair(1:15)
    expect_identical(pairs[, 1], c(1L, 1:2, 1:3, 1:4, 1:5))
    expect_identical(pairs[, 2], rep(2:6, 1:5))
    expect_identical(dim(number_to_pair(integer())), c(0L, 2L))
})

test_that("large numbers are exact where the square root is not", {
    # the last pair of j - 1 is (j - 2, j - 1), the next one (1, j)
    j <- c(10, 1e3, 46341, 65536, 1e5, 1e6, 67108865, 9e7)
    last <- (j - 1) * (j - 2) / 2
    expect_identical(number_to_pair(last), cbind(as.integer(j - 2),
                                                 as.integer(j - 1)))
    expect_identical(number_to_pair(last + 1), cbind(1L, as.integer(j)))
    expect_identical(number_to_pair(last + j - 1),
                     cbind(as.integer(j - 1), as.integer(j)))
})

# ---- what is refused --------------------------------------------------------

test_that("labels without pairs are refused", {
    expect_refused("constraints",
        constraints_from_labels(c(NA, NA, NA)),
        constraints_from_labels(character()),
        constraints_from_labels(rep("a", 5)),
        constraints_from_labels(c("a", NA)),
        constraints_from_labels(factor(c("a", "a"), levels = c("a", "b")), cannot_link = 3)
    )
})

test_that("more pairs than there are, are refused", {
    labels <- c("a", "a", "b")
    expect_refused("constraints",
        constraints_from_labels(labels, cannot_link = 3),
        constraints_from_labels(labels, must_link = 1e5),
        constraints_from_labels(c("a", "b"), cannot_link = 1, must_link = 1)
    )
})

test_that("counts that are none are refused", {
    labels <- c("a", "a", "b")
    expect_refused("argument",
        constraints_from_labels(labels, cannot_link = -1),
        constraints_from_labels(labels, cannot_link = 1.5),
        constraints_from_labels(labels, must_link = NA),
        constraints_from_labels(labels, must_link = "all"),
        constraints_from_labels(list("a", "b"))
    )
})

test_that("labels with doubtful names are refused", {
    expect_refused("constraints",
        constraints_from_labels(c(u = "a", u = "b")),
        constraints_from_labels(c(u = "a", "b"))
    )
})

test_that("lists of pairs too long for the memory are refused", {
    labels <- rep(1:2, 50000)
    expect_refused("memory",
        as.data.frame(constraints_from_labels(labels)),
        constraints_from_labels(labels, cannot_link = 1e9),
        constraints_from_labels(labels, cannot_link = 5)
    )
})
