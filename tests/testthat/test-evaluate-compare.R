test_that("precision and distance are worked by hand", {
    target <- made_ranking(4:1 * 1.0, letters[1:4])
    other <- made_ranking(c(2, 4, 1, 3), letters[1:4])
    expect_identical(other$feature, c("b", "d", "a", "c"))
    expect_equal(compare_rankings(other, target, 2), 1 / 2)
    expect_equal(compare_rankings(other, target, 4), 1)
    # a is third instead of first, b first instead of second; at most
    # 3 + 1 + 1 + 3
    expect_equal(compare_rankings(other, target, 2, measure = "distance"), 3 / 8)
    expect_equal(compare_rankings(target, target, 4, measure = "distance"), 0)
    reversed <- made_ranking(1:4 * 1.0, letters[1:4])
    expect_equal(compare_rankings(reversed, target, 4, measure = "distance"), 1)
    expect_equal(compare_rankings(made_ranking(1, "a"), made_ranking(1, "a"),
                                  1, measure = "distance"), 0)
    # several numbers at once
    expect_equal(compare_rankings(other, target, 1:4), c(0, 1 / 2, 2 / 3, 1))
    expect_equal(compare_rankings(other, target, c(2, 1), measure = "distance"), c(3, 2) / 8)
    # 50, or all that there are
    expect_equal(compare_rankings(other, target), 1)
    expect_refused("argument",
        compare_rankings(other, target, 1, "recall"),
        compare_rankings(other, target, c(1, 5), measure = "distance"),
        compare_rankings(other, target, 5),
        compare_rankings(other, made_ranking(1:2 * 1.0, c("a", "x")), 1, measure = "distance"),
        compare_rankings(other, "a", 1, measure = "distance"))
})

test_that("equal accuracies get the smallest rank", {
    accuracy <- cbind(a = c(0.9, 0.8, 0.7), b = c(0.9, 0.7, 0.8),
                      c = c(0.1, 0.8, 0.9))
    expect_equal(rank_sum(accuracy), c(a = 1 + 1 + 3, b = 1 + 3 + 2,
                                       c = 3 + 1 + 1))
    expect_equal(rank_sum(accuracy[, 1, drop = FALSE]), c(a = 3))
})
