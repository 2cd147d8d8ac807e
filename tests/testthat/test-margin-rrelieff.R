test_that("rrelieff() is its reference", {
    set.seed(4)
    x <- random_matrix(25, 6)
    y <- x[, 1] + rnorm(25) / 4
    expect_equal(in_order(rrelieff(x, y)), reference_rrelieff(x, y))
    expect_equal(in_order(rrelieff(x, y, k = 40, sigma = Inf)),
                 reference_rrelieff(x, y, 40, Inf))
    expect_equal(in_order(rrelieff(x, y, k = 5, sigma = 2)),
                 reference_rrelieff(x, y, 5, 2))
    mixed <- mixed_data(25)
    expect_equal(in_order(rrelieff(mixed, y, k = 4)),
                 reference_rrelieff(mixed, y, 4))
    # a tiny sigma leaves the nearest neighbour
    expect_equal(in_order(rrelieff(x, y, k = 5, sigma = 0.01)),
                 in_order(rrelieff(x, y, k = 1)))
    x[3, ] <- colMeans(x)
    y[3] <- NA
    expect_equal(in_order(rrelieff(x, y)),
                 in_order(rrelieff(x[-3, ], y[-3])))
})
