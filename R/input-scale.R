# How raw cells become the values u = (x - center) / divisor that differences
# are taken of. Logical and factor features keep differences of 0 and 1
# whatever the scale: a factor of two levels is its codes over their range, one
# of more levels is compared for equality (`category`).
feature_scaling <- function(data, scale = c("range", "zscore", "none"),
                            progress = FALSE) {
    numeric <- data$kind == "numeric"
    center <- data$minimum
    divisor <- data$maximum - data$minimum
    constant <- divisor == 0
    if (scale == "zscore") {
        moments <- .Call(C_feature_moments, data, run_control(1L, progress))
        center[numeric] <- moments$mean[numeric]
        divisor[numeric] <- moments$deviation[numeric]
    } else if (scale == "none") {
        check_unscaled(data, divisor * numeric)
        center[numeric] <- 0
        divisor[numeric] <- 1
    }
    divisor[constant] <- 0
    list(center = center, divisor = divisor,
         category = data$kind == "factor" & !is_two_level(data),
         missing = data$missing)
}

# Squares and sums of unscaled differences must neither overflow nor vanish.
check_unscaled <- function(data, range) {
    widest <- which.max(range)
    extent <- range[widest]
    if (extent > 1e150 || (extent > 0 && extent < 1e-150)) {
        abort_linkrank("`scale = \"none\"` is for features whose range is ",
                       "between 1e-150 and 1e150, but that of feature \"",
                       data$features[widest], "\" is ",
                       format(extent, digits = 3L), ".",
                       class = "input")
    }
}

# Codes next to each other: 0 and 1 after scaling by the range.
is_two_level <- function(data) {
    data$maximum - data$minimum <= 1
}
