# distance = "correlation": neighbours by 1 - r, r the correlation of two
# samples over their scaled features.
#
# A sample that is centred and scaled to unit length over its p features,
#     z_a = (u_a - mean u_a) / |u_a - mean u_a|,
# has |z_a - z_b|^2 = 2 (1 - r_ab). So the samples z are a space of p
# coordinates in which the Euclidean search finds the neighbours, with its
# order, ties, blocks and threads. A sample without variation has no
# correlation: it gets r = 0 with the others by one more coordinate, in which it
# is 1 and they are 0, and r = 1 with another such sample.
#
# Data in memory that are dense have a dense copy z. The z of sparse data and of
# files are made block by block whenever they are read.

correlation_space <- function(data, scaling, control, block = NULL) {
    check_numbers_only(data, scaling, "for distance = \"correlation\"")
    data <- without_missing(data, scaling, control)
    width <- max(1, min(data$p, floor(2^22 / data$n)))
    standard <- sample_standards(data, scaling, width)
    read <- standard_reader(data, scaling, standard)
    q <- data$p + any(standard$flat)
    held <- data$layout == "columns" || data$layout == "by sample"
    if (held) {
        check_bytes(8 * data$n * q, "The standardised samples")
    }
    where <- unscaled_space(if (held) read(1, q) else read,
                            if (held) "columns" else "reader", data$n,
                            rep(-1, q), rep(1, q), data$samples, block,
                            if (!held) width)
    # samples that are the same but for their mean and length are equally near
    where$rounding <- 1e-9
    where$label <- "all features by correlation"
    where
}

# list(mean, length, flat) of the scaled features of each sample. Sums run over
# the features in column order, so that blocks change no bit.
sample_standards <- function(data, scaling, width) {
    add_over <- function(term) {
        total <- numeric(data$n)
        for (first in seq(1, data$p, by = width)) {
            u <- read_scaled(data, scaling,
                             first:min(first + width - 1, data$p))
            for (j in seq_len(ncol(u))) {
                total <- total + term(u[, j])
            }
        }
        total
    }
    mean <- add_over(identity) / data$p
    square <- add_over(function(u) (u - mean)^2)
    # what rounding leaves of a sample whose values are all the same
    flat <- sqrt(square) <= data$p^1.5 * 2^-50 * abs(mean)
    list(mean = mean, length = ifelse(flat, 1, sqrt(square)), flat = flat)
}

# A function(first, count) that returns z of some features, samples x features.
standard_reader <- function(data, scaling, standard) {
    force(scaling)
    function(first, count) {
        last <- min(first + count - 1, data$p)
        z <- read_scaled(data, scaling,
                         first - 1 + seq_len(last - first + 1))
        z <- (z - standard$mean) / standard$length
        z[standard$flat, ] <- 0
        if (first + count - 1 > data$p) cbind(z, as.numeric(standard$flat)) else
            z
    }
}
