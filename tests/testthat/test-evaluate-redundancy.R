test_that("representation entropy is that of the covariance matrix", {
    for (p in c(3, 8, 30)) {
        x <- random_matrix(10, p, p)
        values <- eigen(cov(scaled_by_range(x)))$values
        share <- values[values > 1e-14] / sum(values)
        expect_equal(representation_entropy(x), -sum(share * log(share)))
    }
})

test_that("worked: entropies and rates", {
    # two features at right angles, equal variances: log 2, no correlation
    x <- cbind(c(0, 0, 1, 1), c(0, 1, 0, 1))
    expect_equal(representation_entropy(x), log(2))
    expect_equal(redundancy_rate(x), 0)
    # copies: one direction, correlation 1, halved as printed
    y <- cbind(x[, 1], x[, 1])
    expect_equal(representation_entropy(y), 0)
    expect_equal(redundancy_rate(y), 1 / 2)
    expect_equal(redundancy_rate(cbind(y, -y[, 1])), (1 - 1 - 1) / 6)
    expect_equal(redundancy_rate(cbind(y, -y[, 1]), absolute = TRUE), 1)
    # a constant feature is correlated with nothing
    expect_equal(redundancy_rate(cbind(y, 5)), 1 / 6)
    expect_equal(redundancy_rate(y[, 1, drop = FALSE]), 0)
    expect_equal(representation_entropy(cbind(rep(1, 4), 2)), 0)
})

test_that("redundancy rates are sums of correlations", {
    for (p in c(2, 65, 300)) {
        x <- random_matrix(15, p, p)
        r <- cor(x)
        low <- lower.tri(r)
        expect_equal(redundancy_rate(x), sum(r[low]) / (p * (p - 1)))
        expect_equal(redundancy_rate(x, absolute = TRUE), mean(abs(r[low])))
    }
})

test_that("any kind of data, missing values by name or by mean", {
    x <- random_matrix(12, 6, 4)
    frame <- as.data.frame(x)
    expect_equal(redundancy_rate(frame), redundancy_rate(x))
    expect_equal(representation_entropy(frame), representation_entropy(x))
    x[2, 3] <- NA
    filled <- x
    filled[2, 3] <- mean(x[, 3], na.rm = TRUE)
    for (measure in list(redundancy_rate, representation_entropy)) {
        expect_equal(measure(x, na.action = "mean"), measure(filled))
    }
    expect_refused("input", redundancy_rate(x), representation_entropy(x),
                   redundancy_rate(iris))
    expect_refused("argument", redundancy_rate(filled, absolute = NA),
                   representation_entropy(filled, scale = "none"))
})
