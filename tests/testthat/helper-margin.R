# Data with factors, gaps, a constant and copies.
mixed_data <- function(n = 30, seed = 1) {
    set.seed(seed)
    x <- data.frame(a = rnorm(n), b = runif(n), c = sample(0:3, n, TRUE),
                    d = factor(sample(c("u", "v", "w"), n, TRUE)),
                    e = sample(c(TRUE, FALSE), n, TRUE), f = 7)
    x$g <- x$a
    x$a[c(2, 9)] <- NA
    x$d[c(4, 9)] <- NA
    x
}

three_classes <- function(n, seed = 3) {
    set.seed(seed)
    factor(sample(c("p", "q", "r"), n, TRUE, c(0.5, 0.3, 0.2)))
}
