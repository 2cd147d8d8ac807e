test_that("indices are those worked by hand", {
    # cells 2, 1 and 3: pairs alike in both 1 + 0 + 3 = 4, in groups 3 + 3 = 6,
    # in classes 1 + 6 = 7 of 15; by chance 6 * 7 / 15 = 2.8, at most 6.5
    group <- c(1, 1, 1, 2, 2, 2)
    class <- factor(c("a", "a", "b", "b", "b", "b"))
    got <- group_indices(group, class)
    expect_equal(got[["ari"]], (4 - 2.8) / (6.5 - 2.8))
    # entropies log 2 and log 3 - (2 / 3) log 2; cells of 1/3, 1/6 and 1/2
    both <- log(3) / 3 + log(6) / 6 + log(2) / 2
    own <- log(2) + log(3) - 2 / 3 * log(2)
    expect_equal(got[["nmi"]], 2 * (own - both) / own)
    expect_identical(got[["groups"]], 2)
    # cells 2, 1, 1: as many as by chance
    expect_equal(group_indices(c(1, 1, 2, 2), c("a", "a", "a", "b"))[["ari"]],
                 0)
})

test_that("the same partition has 1, no answer 0, in any names and order", {
    class <- factor(rep(c("a", "b", "c"), c(5, 3, 4)))
    expect_equal(group_indices(c(9, 4, 7)[class], class),
                 c(ari = 1, nmi = 1, groups = 3))
    expect_equal(group_indices(rep(NA, 12), class),
                 c(ari = 0, nmi = 0, groups = 0))
    expect_equal(group_indices(rep(1, 12), rep("a", 12)),
                 c(ari = 1, nmi = 1, groups = 1))
    # samples without a group are together
    part <- c(1, 1, 2, 2, NA, NA)
    expect_equal(group_indices(part, c(1, 2, 2, 1, 1, 2))[1:2],
                 group_indices(c(1, 1, 2, 2, 3, 3), c(1, 2, 2, 1, 1, 2))[1:2])
    set.seed(1)
    group <- sample(4, 40, TRUE)
    class <- sample(3, 40, TRUE)
    turn <- sample(40)
    expect_equal(group_indices(group[turn], class[turn]),
                 group_indices(group, class))
})
