test_that("halves are halves of every class", {
    y <- factor(c("a", "b", "a", "a", "b", NA, "c", "a", "a", NA))
    first <- split_half(y, "first")
    expect_identical(first$train, c(1L, 2L, 3L, 4L, 6L, 7L))
    expect_identical(first$test, c(5L, 8L, 9L, 10L))
    for (seed in 1:10) {
        set.seed(seed)
        half <- split_half(y)
        expect_identical(sort(c(half$train, half$test)), 1:10)
        expect_equal(as.vector(table(y[half$train])), c(3, 1, 1))
    }
    set.seed(1)
    a <- split_half(rep(1:2, 20))
    b <- split_half(rep(1:2, 20))
    expect_false(identical(a, b))
    expect_refused("argument", split_half(c(0.5, 1)))
})
