#' How features are scaled, and near samples found
#'
#' @description What `scale` and `distance` of [prepare_data()] do. Where all
#' features have one unit, such as logged expressions, use `"none"`; for columns
#' of different units `"balanced"` or `"range"`.
#'
#' @details *Scale.* `"range"`: (x - min) / (max - min); `"zscore"`:
#' (x - mean) / sd. Factors and logical features always differ by 0 or 1. Scaled
#' by range, codes of two or three values would lead every ranking. So
#' `"balanced"` divides these differences by max(1, s / M): s is the standard
#' deviation of the range-scaled values (of a categorical feature with shares
#' p_l of its levels sqrt(n / (n - 1) (1 - sum p_l^2) / 2)). M is the median of
#' s over the numeric features with more than two values, or over all that vary.
#'
#' Some methods scale as published when `scale` is not given: [relieff()] and
#' its family, [fisher_score()], [variance_score()] and [constraint_score()] by
#' `"range"`, or not at all in containers; [irelief()], [select_subset()] and
#' [feature_graph()] by `"range"`, [supervised_laplacian_score()] and
#' [semisupervised_laplacian_score()] by `"zscore"`. The classifier of
#' [evaluate_ranking()] and [evaluate_method()] takes the range.
#'
#' *Correlation.* Samples are near when their scaled features go up and down
#' together; margins stay differences of the features. The distance, also for `k
#' = "surf"`, is rounded to 1e-9. A constant feature counts as 0, a missing cell
#' as its feature's mean; a sample without variation has r = 0 with others, 1
#' with another one. Factors of more than two levels are refused.
#'
#' @seealso [prepare_data()]
#' @name scaling
#' @aliases NULL scaling
#' @usage NULL
# How raw cells become the values u = (x - center) / divisor that differences
# are taken of. Logical and factor features keep differences of 0 and 1
# whatever the scale: a factor of two values is its codes over their range, one
# of more values is compared for equality (`category`). `labels`: where a
# missing cell stands for the values of its class, from class_response().
feature_scaling <- function(data, scale = decide_scale(data), labels = NULL,
                            ramp = NULL) {
    numeric <- data$kind == "numeric"
    center <- data$minimum
    divisor <- data$maximum - data$minimum
    constant <- divisor == 0
    if (scale == "zscore") {
        moments <- .Call(C_feature_moments, data, data$control)
        center[numeric] <- moments$mean[numeric]
        divisor[numeric] <- moments$deviation[numeric]
    } else if (scale == "none") {
        odd <- odd_ranges(divisor * numeric)
        if (length(odd)) abort_linkrank("`scale = \"none\"` is for features
            whose range is between 1e-150 and 1e150, but that of feature
            \"{data$features[odd[1L]]}\" is
            {format(divisor[odd[1L]], digits = 3L)}.", class = "input")
        center[numeric] <- 0
        divisor[numeric] <- 1
    }
    divisor[constant] <- 0
    # two codes, whichever they are, become 0 and 1 by their range; with a ramp,
    # logical and two-level features keep differences of 0 and 1
    category <- data$kind == "factor" & data$several
    if (!is.null(ramp)) category <- data$kind != "numeric"
    scaling <- new_scaling(center, divisor, category, data$missing, scale,
                           labels$code, length(labels$levels), ramp)
    if (scale == "balanced") scaling <- balance_features(scaling, data)
    scaling
}

# Differences divided by how much wider a feature spreads than the median
# measurement, or the median feature where nothing was measured: else what
# spreads most would lead all rankings (see prepare_data()).
balance_features <- function(scaling, data) {
    deviation <- feature_deviation(data)
    varied <- data$maximum > data$minimum
    measured <- data$kind == "numeric" & data$several
    middle <- stats::median(deviation[if (any(measured)) measured else varied])
    wider <- deviation / middle
    wider[is.na(wider) | wider < 1] <- 1
    weigh_features(scaling, 1 / wider)
}

# Standard deviation of each feature scaled by its range, NaN of a constant one.
# That of two values and of a category is by the counts of its values, the same
# whatever their codes. Kept for the next method.
feature_deviation <- function(data) {
    if (is.null(data$known$deviation)) {
        moments <- .Call(C_feature_moments, data, data$control)
        range <- data$maximum - data$minimum
        n <- data$n - data$missing
        deviation <- moments$deviation / range
        count <- round((moments$mean - data$minimum) / range * n)
        pairs <- 2 * count * (n - count)
        for (j in which(data$kind == "factor" & data$several))
            pairs[j] <- n[j]^2 - sum(table(read_features(data, j))^2)
        counted <- data$kind == "factor" | !data$several
        deviation[counted] <- sqrt(pairs / (2 * n * (n - 1)))[counted]
        assign("deviation", deviation, data$known)
    }
    data$known$deviation
}

# Differences multiplied by the weights of their features.
weigh_features <- function(scaling, weight) {
    scaling$divisor <- scaling$divisor / weight
    scaling$divisor[!(weight > 0)] <- 0
    scaling$step <- if (is.null(scaling$step)) weight else weight * scaling$step
    scaling["expected"] <- list(NULL)
    scaling
}

# The only place where a scaling is made, so that C finds every field
# (src/lr_matrix.h): per feature center, divisor (0: constant), category, number
# of missing cells and `step`, the difference of two categories (NULL: 1); per
# sample class_of, from 0, or NULL; two numbers `ramp`, or NULL; `expected`, see
# scaled_search(), or NULL; and `scale`, what was chosen or decided.
new_scaling <- function(center, divisor, category = logical(length(center)),
                        missing = integer(length(center)), scale = "none",
                        class_of = NULL, classes = 0L, ramp = NULL) {
    list(center = center, divisor = divisor, category = category,
         missing = missing, class_of = class_of,
         classes = as.integer(classes), ramp = ramp, step = NULL,
         expected = NULL, scale = scale)
}

# Squares and sums of unscaled differences must neither overflow nor vanish;
# `range` is 0 for constant features.
odd_ranges <- function(range) {
    which(range > 1e150 | (range > 0 & range < 1e-150))
}

# The same data as differences to each feature's minimum, for scores that do not
# depend on where a feature begins: squares of large values lose the digits of
# small differences.
from_minimum <- function(input) {
    if (input$scaling$scale == "none") {
        numeric <- input$scaling$divisor > 0 & !input$scaling$category
        input$scaling$center[numeric] <- input$data$minimum[numeric]
    }
    input
}

# What all methods but margins take: list(data, scaling, settings: what a
# ranking keeps of these), without missing cells. The scale is that of the
# observed cells; then a feature's mean (of a factor with more levels: the most
# frequent one) stands for what is missing.
# `numbers`: for inner products or correlations, which factors of more levels do
# not have.
scaled_data <- function(data, rule = "data", scale = decide_scale(data, rule),
                        numbers = FALSE) {
    na_action <- missing_rule(data)
    if (na_action == "fail") refuse_missing(data)
    scaling <- feature_scaling(data, scale)
    if (numbers) refuse_factors(data, which(scaling$category),
                                " or factors of two levels")
    data <- without_missing(data, scaling)
    scaling$missing <- data$missing
    list(data = data, scaling = scaling,
         settings = list(scale = scaling$scale, na.action = na_action))
}

without_missing <- function(data, scaling) {
    incomplete <- which(data$missing > 0L)
    if (!length(incomplete)) return(data)
    moments <- .Call(C_feature_moments, data, data$control)
    fill <- moments$mean[incomplete]
    category <- which(scaling$category[incomplete])
    if (length(category)) {
        codes <- .Call(C_read_features, data, incomplete[category])
        fill[category] <- apply(codes, 2L, function(codes) {
            # the lowest of equally frequent ones
            values <- sort(unique(codes[!is.na(codes)]))
            values[which.max(tabulate(match(codes, values)))]
        })
    }
    fill_missing(data, incomplete, fill)
}

fill_missing <- function(data, incomplete, fill) {
    # The same data with the samples in rows, for who changes their cells.
    if (data$layout == "by sample") {
        data$values <- data$transposed$values
        data$layout <- "sparse"
        data["transposed"] <- list(NULL)
    }
    values <- data$values
    if (data$layout == "reader") {
        data$values <- filled_reader(values, incomplete, fill)
        data[c("stored", "cells")] <- list(NULL)
    } else if (data$layout == "sparse") {
        column <- rep(seq_along(data$features), diff(values@p))
        gone <- which(is.na(values@x))
        values@x[gone] <- fill[match(column[gone], incomplete)]
        data$values <- values
    } else {
        storage.mode(values) <- "double"
        gone <- which(is.na(values), arr.ind = TRUE, useNames = FALSE)
        feature <- gone[, if (data$layout == "columns") 2L else 1L]
        values[gone] <- fill[match(feature, incomplete)]
        data$values <- values
    }
    data$missing <- integer(length(data$missing))
    data
}

# The means are taken of the data as they are, before this reader replaces the
# one they are read with.
filled_reader <- function(read, incomplete, fill) {
    force(read)
    force(incomplete)
    force(fill)
    function(first, count) {
        values <- read(first, count)
        gone <- which(is.na(values), arr.ind = TRUE, useNames = FALSE)
        values[gone] <- fill[match(gone[, 2L] + first - 1, incomplete)]
        values
    }
}

# For methods with means, inner products or correlations. `or`: which factors
# are allowed, and for what.
refuse_factors <- function(data, factors = which(data$kind == "factor"),
                           or = "") {
    refuse_if(length(factors), "`x` must have numeric or logical features{or},
              not {quote_values(data$features[factors])}: ordered() or
              model.matrix() makes numbers of them.", class = "input")
}

# Scaled cells of some features (ascending), samples x features; a category
# keeps its codes.
read_scaled <- function(data, scaling, features) {
    u <- .Call(C_read_features, data, as.integer(features))
    divisor <- scaling$divisor[features]
    u <- (u - rep(scaling$center[features], each = data$n)) /
        rep(ifelse(divisor == 0, 1, divisor), each = data$n)
    u[, divisor == 0] <- 0
    u
}

# The same data with each category as columns of numbers, its levels' indicators
# by sqrt(2), so that squared Euclidean distances of rows are those of the data,
# for what needs inner products or means. `feature`: the feature of each column;
# NULL where each is its own. No missing cells.
level_columns <- function(input) {
    data <- input$data
    scaling <- input$scaling
    category <- which(scaling$category & scaling$divisor != 0)
    if (!length(category)) return(input)
    plain <- setdiff(seq_len(data$p), category)
    levels <- lapply(category, function(j) {
        codes <- drop(read_features(data, j))
        outer(codes, sort(unique(codes)), "==") + 0
    })
    count <- vapply(levels, ncol, 0L)
    feature <- c(plain, rep(category, count))
    check_bytes(16 * data$n * length(feature), "The indicators of the levels")
    number <- c(rep("", length(plain)), paste0(".", sequence(count)))
    indicator <- number != ""
    step <- (scaling$step %||% rep(1, data$p))[feature]
    take <- function(values, level) ifelse(indicator, level, values[feature])
    input$scaling <- new_scaling(take(scaling$center, 0),
                                 take(scaling$divisor, sqrt(2) / step),
                                 scale = scaling$scale)
    data[c("layout", "transposed", "cells", "block")] <- list("columns", NULL,
                                                              NULL, NULL)
    data$values <- cbind(read_features(data, plain), do.call(cbind, levels))
    data$p <- as.numeric(length(feature))
    data$features <- paste0(data$features[feature], number)
    data$kind <- rep("numeric", length(feature))
    data$minimum <- take(data$minimum, 0)
    data$maximum <- take(data$maximum, 1)
    data$missing <- integer(length(feature))
    c(list(data = data, feature = feature),
      input[setdiff(names(input), "data")])
}

# Scaled cells of all features, samples x columns; a category has one for each
# level. Attribute `feature`: the feature of each column.
euclidean_cells <- function(input) {
    check_bytes(16 * input$data$n * input$data$p, "The scaled data")
    input <- level_columns(input)
    columns <- seq_len(input$data$p)
    u <- read_scaled(input$data, input$scaling, columns)
    dimnames(u) <- list(input$data$samples, input$data$features)
    structure(u, feature = input$feature %||% columns)
}
