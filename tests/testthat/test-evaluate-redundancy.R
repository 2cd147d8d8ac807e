test_that("representation entropy is that of the covariance matrix", {
    for (p in c(3, 8, 30)) {
        x <- random_matrix(10, p, p)
        values <- eigen(cov(scaled_by_range(x)))$values
        share <- values[values > 1e-14] / sum(values)
        expect_equal(redundancy(x, measure = "entropy"), -sum(share * log(share)))
    }
})

test_that("worked: entropies and rates", {
    # two features at right angles, equal variances: log 2, no correlation
    x <- cbind(c(0, 0, 1, 1), c(0, 1, 0, 1))
    expect_equal(redundancy(x, measure = "entropy"), log(2))
    expect_equal(redundancy(x), 0)
    # copies: one direction, correlation 1, halved as printed
    y <- cbind(x[, 1], x[, 1])
    expect_equal(redundancy(y, measure = "entropy"), 0)
    expect_equal(redundancy(y), 1 / 2)
    expect_equal(redundancy(cbind(y, -y[, 1])), (1 - 1 - 1) / 6)
    expect_equal(redundancy(cbind(y, -y[, 1]), absolute = TRUE), 1)
    # a constant feature is correlated with nothing
    expect_equal(redundancy(cbind(y, 5)), 1 / 6)
    expect_equal(redundancy(y[, 1, drop = FALSE]), 0)
    expect_equal(redundancy(cbind(rep(1, 4), 2), measure = "entropy"), 0)
})

test_that("redundancy rates are sums of correlations", {
    for (p in c(2, 65, 300)) {
        x <- random_matrix(15, p, p)
        r <- cor(x)
        low <- lower.tri(r)
        expect_equal(redundancy(x), sum(r[low]) / (p * (p - 1)))
        expect_equal(redundancy(x, absolute = TRUE), mean(abs(r[low])))
    }
})

test_that("any kind of data, missing values by name or by mean", {
    x <- random_matrix(12, 6, 4)
    frame <- as.data.frame(x)
    expect_equal(redundancy(frame), redundancy(x))
    expect_equal(redundancy(frame, measure = "entropy"), redundancy(x, measure = "entropy"))
    x[2, 3] <- NA
    filled <- x
    filled[2, 3] <- mean(x[, 3], na.rm = TRUE)
    for (measure in c("rate", "entropy")) {
        expect_equal(redundancy(x, na.action = "mean", measure = measure),
                     redundancy(filled, measure = measure))
    }
    expect_refused("input", redundancy(x), redundancy(x, measure = "entropy"),
                   redundancy(iris))
    expect_refused("argument", redundancy(filled, absolute = NA),
                   redundancy(filled, scale = "none"),
                   redundancy(filled, measure = "entropy", absolute = TRUE))
})
