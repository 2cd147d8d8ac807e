test_that("must-link quality is that of the pairs written out", {
    for (seed in 1:20) {
        set.seed(seed)
        n <- 18
        x <- matrix(rnorm(n * 3), n)
        truth <- sample(3, n, TRUE)
        links <- pairwise_constraints(
            cannot_link = cbind(1, 5), must_link = rbind(c(1, 2), c(2, 3), c(5, 6)), samples = n
        )
        found <- reference_nearest_class(scaled_by_range(x), c(1, 2, 3, 5, 6),
                                         c(1, 1, 1, 2, 2))
        at <- t(utils::combn(n, 2))
        extended <- found[at[, 1]] == found[at[, 2]]
        group <- replace(seq_len(n) + 10, c(1, 2, 3, 5, 6), c(1, 1, 1, 2, 2))
        original <- group[at[, 1]] == group[at[, 2]]
        right <- truth[at[, 1]] == truth[at[, 2]]
        got <- constraint_quality(links, x, measure = "must_link",
                                  truth = truth, scale = "range")
        expect_equal(got[["NML"]], sum(extended) / sum(original))
        expect_equal(got[["CNML"]], mean(right[extended & !original]))
    }
})

# Davidson, Wagstaff and Basu 2006, in the plane, without scaling. The
# must-link runs from (0, 0) to (4, 0).
#
#   orthogonal  (2, 1) to (2, 3): projected on the must-link it is a point, and
#               the must-link projects on one point of its line: coherent.
#   parallel    (1, 1) to (3, 1): projects on (1, 0) to (3, 0), half of the
#               must-link: not coherent.
#   apart       (5, 1) to (7, 1): projects beyond the must-link, and the
#               must-link before it: coherent.
#   slanted     (3, 1) to (6, 4): projects on (3, 0) to (6, 0), which covers
#               (3, 0) to (4, 0): not coherent.
test_that("coherence is what the projections say", {
    x <- rbind(c(0, 0), c(4, 0), c(2, 1), c(2, 3), c(1, 1), c(3, 1), c(5, 1),
               c(7, 1), c(3, 1), c(6, 4))
    coherence <- function(cannot) {
        constraint_quality(pairwise_constraints(cannot_link = cannot, must_link = cbind(1, 2),
                                                  samples = 10),
                             x, scale = "none")
    }
    expect_equal(coherence(cbind(3, 4)), 1)
    expect_equal(coherence(cbind(5, 6)), 0)
    expect_equal(coherence(cbind(7, 8)), 1)
    expect_equal(coherence(cbind(9, 10)), 0)
    expect_equal(coherence(rbind(c(3, 4), c(5, 6), c(7, 8), c(9, 10))), 0.5)
    # two samples in one place have no direction
    expect_equal(coherence(cbind(6, 9)), 1)
    # the slanted pair covers a quarter of the must-link, from 3 to 4; of
    # itself the must-link covers ((4, 0) - (3, 1)) (3, 3) / 18 = 0: nothing
    products <- tcrossprod(x)
    slanted <- list(first = 9L, second = 10L)
    base <- list(first = 1L, second = 2L)
    expect_equal(overlap(products, slanted, base), 0.25)
    expect_equal(overlap(products, base, slanted), 0)
    expect_true(is.nan(constraint_quality(few_links(10)[1:3], x)))
})

test_that("coherence is the same whichever kind is rarer", {
    x <- random_matrix(40, 3)
    y <- rep(1:2, 20)
    one_by_one <- function(links) {
        pairs <- as.data.frame(links)
        kinds <- split(pairs[c("i", "j")], pairs$type)
        cells <- scale(x, apply(x, 2, min), apply(x, 2, function(v) {
            diff(range(v))
        }))
        covers <- function(of, on) {
            axis <- cells[on$j, ] - cells[on$i, ]
            place <- sort(vapply(of, function(sample) {
                sum((cells[sample, ] - cells[on$i, ]) * axis) / sum(axis^2)
            }, 0))
            min(1, place[2]) - max(0, place[1]) > 1e-9
        }
        each <- expand.grid(must = seq_len(nrow(kinds[["must-link"]])),
                            cannot = seq_len(nrow(kinds[["cannot-link"]])))
        mean(mapply(function(must, cannot) {
            must <- kinds[["must-link"]][must, ]
            cannot <- kinds[["cannot-link"]][cannot, ]
            !covers(must, cannot) && !covers(cannot, must)
        }, each$must, each$cannot))
    }
    set.seed(1)
    for (links in list(constraints_from_labels(y, cannot_link = 3, must_link = 12),
                       constraints_from_labels(y, cannot_link = 12, must_link = 3))) {
        expect_equal(constraint_quality(links, x,
                                        scale = "range"), one_by_one(links))
    }
})

test_that("too many combinations are refused", {
    n <- 46400
    x <- matrix(seq_len(n))
    labels <- constraints_from_labels(rep(1:2, n / 2))
    expect_refused("constraints", constraint_quality(labels, x))
    # 440 samples, 48,180 must-links and 48,400 cannot-links, are not too many
    expect_silent(check_combinations(constraints_from_labels(rep(1:2, 220))))
})

test_that("informativeness is the proportion that a clustering violates", {
    x <- random_matrix(10, 3)
    links <- pairwise_constraints(cannot_link = rbind(c(1, 2), c(3, 4)),
                                  must_link = rbind(c(5, 6), c(7, 8)), samples = 10)
    # breaks the cannot-link 1-2 and the must-link 7-8: 2 of 4
    cluster <- c(1, 1, 1, 2, 1, 1, 1, 2, 1, 1)
    expect_equal(constraint_quality(links, x, cluster = cluster, measure = "informativeness"), 0.5)
    labels <- rep(1:2, 5)
    all <- constraints_from_labels(labels)
    expect_equal(
        constraint_quality(all, x, cluster = cluster, measure = "informativeness"),
        constraint_quality(all[seq_along(all)], x, cluster = cluster, measure = "informativeness")
    )
    set.seed(1)
    truth <- rep(1:2, each = 20)
    far <- matrix(rnorm(80, sd = 0.1), 40) + 5 * truth
    expect_equal(constraint_quality(
        constraints_from_labels(truth, cannot_link = 5, must_link = 5), far, clusters = 2,
        measure = "informativeness"
    ), 0)
    expect_refused("argument",
        constraint_quality(links, x, measure = "informativeness"),
        constraint_quality(links, x, clusters = 2, cluster = cluster, measure = "informativeness"),
        constraint_quality(links, x, cluster = 1:3, measure = "informativeness"),
        constraint_quality(few_links(10), x, measure = "must_link"),
        constraint_quality(few_links(10), x, truth = rep(1, 10)),
        constraint_quality(few_links(10), x, measure = "must_link",
                           truth = c(NA, rep(1, 9))))
})
