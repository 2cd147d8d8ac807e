# Slow reference of group_markers(), section 15 of the methods: one feature, one
# group and one other group at a time, from the definitions.

# Cohen's d of two samples; 0 / 0 is 0. One sample alone has no variance.
reference_cohen <- function(a, b) {
    known <- c(if (length(a) > 1L) var(a), if (length(b) > 1L) var(b))
    if (!length(known)) {
        return(NA_real_)
    }
    difference <- mean(a) - mean(b)
    if (difference == 0) 0 else difference / sqrt(mean(known))
}

# Every sample of one against every sample of the other.
reference_auc <- function(a, b) {
    mean(outer(a, b, function(one, other) {
        (one > other) + 0.5 * (one == other)
    }))
}

# g against h in one feature; `block`: a number per sample.
reference_pair <- function(value, y, block, g, h, spread) {
    parts <- lapply(unique(block), function(b) {
        one <- value[y == g & block == b]
        other <- value[y == h & block == b]
        if (!length(one) || !length(other)) {
            return(NULL)
        }
        c(weight = 1 / (1 / length(one) + 1 / length(other)),
          mean = mean(one), other = mean(other), above = mean(one > 0),
          above_other = mean(other > 0),
          cohen_d = reference_cohen(one, other),
          auc = reference_auc(one, other))
    })
    parts <- do.call(rbind, parts)
    if (is.null(parts)) {
        return(rep(NA_real_, 6L))
    }
    average <- function(column) {
        there <- is.finite(parts[, column])
        if (!any(there)) {
            return(mean(parts[, column], na.rm = TRUE))
        }
        sum((parts[, "weight"] * parts[, column])[there]) /
            sum(parts[there, "weight"])
    }
    columns <- c("mean", "other", "above", "above_other", "cohen_d", "auc")
    pair <- vapply(columns, average, 0)
    if (all(is.na(parts[, "cohen_d"]))) {
        # no block knows a variance: that of the whole model
        difference <- unname(pair["mean"] - pair["other"])
        pair["cohen_d"] <- if (difference == 0) 0 else difference / spread
    }
    pair
}

# The prior of the variances, Smyth (2004), section 6.2: the root of trigamma is
# searched between two numbers.
reference_prior <- function(variance, df) {
    variance <- pmax(variance, 1e-5 * median(variance))
    e <- log(variance) - digamma(df / 2) + log(df / 2)
    excess <- var(e) - trigamma(df / 2)
    if (excess <= 0) {
        return(list(df = Inf, variance = mean(variance)))
    }
    half <- exp(uniroot(function(at) log(trigamma(exp(at))) - log(excess),
                        c(-40, 40), tol = 1e-14)$root)
    list(df = 2 * half, variance = exp(mean(e) + digamma(half) - log(half)))
}

# Do more, or fewer, samples inside have another value than most?
reference_detection <- function(other, inside) {
    found <- sum(other & inside)
    ways <- function(count) {
        choose(sum(inside), count) * choose(sum(!inside), sum(other) - count) /
            choose(length(other), sum(other))
    }
    more <- sum(ways(found:sum(other)))
    fewer <- sum(ways(0:found))
    min(1, 2 * more, 2 * fewer)
}

# Samples x features: is it another value than the median (the lower of two),
# which is the value of most samples if there is one?
reference_others <- function(x) {
    apply(x, 2L, function(value) {
        value != sort(value)[(length(value) + 1) %/% 2]
    })
}

# The model of groups and blocks, sample by sample.
reference_model <- function(x, y, block) {
    design <- model.matrix(~ 0 + y)
    if (length(unique(block)) > 1L) {
        design <- cbind(design, model.matrix(~ factor(block))[, -1L])
    }
    fit <- qr(design)
    df <- nrow(x) - fit$rank
    list(design = design, inverse = inverse_of(crossprod(design)),
         df = df, variance = colSums(qr.resid(fit, x)^2) / df)
}

# The inverse, or a generalised one where the columns depend on each other.
inverse_of <- function(a) {
    parts <- eigen(a, symmetric = TRUE)
    kept <- parts$values > 1e-9 * max(parts$values)
    vectors <- parts$vectors[, kept, drop = FALSE]
    vectors %*% (t(vectors) / parts$values[kept])
}

reference_tests <- function(x, y, block, lfc, constant, apart) {
    model <- reference_model(x, y, block)
    prior <- reference_prior(model$variance[!constant], model$df)
    variance <- if (is.infinite(prior$df)) {
        rep(prior$variance, ncol(x))
    } else {
        (prior$df * prior$variance + model$df * model$variance) /
            (prior$df + model$df)
    }
    df <- min(model$df + prior$df, model$df * sum(!constant))
    groups <- levels(y)
    tests <- sapply(groups, simplify = FALSE, function(g) {
        contrast <- ifelse(groups == g, 1, -apart[g, ] / sum(apart[g, ]))
        contrast <- c(contrast, numeric(ncol(model$design) - length(groups)))
        # can the model estimate it at all?
        hat <- model$inverse %*% crossprod(model$design)
        estimable <- max(abs(contrast %*% hat - contrast)) < 1e-6
        estimate <- drop(contrast %*% model$inverse %*%
                             crossprod(model$design, x))
        error <- sqrt(variance *
                          drop(contrast %*% model$inverse %*% contrast))
        beyond <- (abs(estimate) - lfc) / error
        p <- pt(beyond, df, lower.tail = FALSE) +
            pt((abs(estimate) + lfc) / error, df, lower.tail = FALSE)
        statistic <- sign(estimate) * pmax(beyond, 0)
        statistic[constant] <- p[constant] <- NA
        if (!estimable) statistic[] <- p[] <- NA
        other <- reference_others(x)
        near <- y == g | apart[g, as.character(y)]
        exact <- ifelse(colSums(other) <= nrow(x) / 2, apply(other, 2L, function(o) {
            reference_detection(o[near], (y == g)[near])
        }), 0)
        data.frame(statistic, p_value = p,
                   fdr = p.adjust(pmax(p, exact), "BH"))
    })
    list(tests = tests, moderated = sqrt(variance))
}

# The table of one group, in column order, with its place in `rank`. With fewer
# than five samples of either group in a block that holds both the moderated
# deviation orders the features.
reference_group <- function(x, y, block, g, tests, spread, moderated, apart,
                            one_unit) {
    others <- levels(y)[apart[g, ]]
    pairs <- lapply(others, function(h) {
        t(sapply(seq_len(ncol(x)), function(j) {
            reference_pair(x[, j], y, block, g, h, spread[j])
        }))
    })
    average <- function(column) {
        rowMeans(sapply(pairs, function(pair) pair[, column]), na.rm = TRUE)
    }
    d <- sapply(pairs, function(pair) pair[, 5L])
    for (h in seq_along(others)) {
        size <- table(block, y)[, c(g, others[h]), drop = FALSE]
        size <- size[apply(size > 0, 1L, all), ]
        if (length(size) && min(size) < 5) {
            difference <- pairs[[h]][, 1L] - pairs[[h]][, 2L]
            d[, h] <- ifelse(difference == 0, 0, difference / moderated)
        }
    }
    key <- if (one_unit) average(1L) - average(2L) else rowMeans(d, na.rm = TRUE)
    table <- data.frame(
        feature = colnames(x), difference = average(1L) - average(2L),
        cohen_d = average(5L), auc = average(6L), mean = average(1L),
        mean_others = average(2L), detected = average(3L),
        detected_others = average(4L), tests[[g]]
    )
    table$rank <- order(order(-key, seq_len(ncol(x))))
    table
}

# x: samples x features; y: a factor; `apart`: which groups are compared, a
# matrix; a list of tables by group.
reference_markers <- function(x, y, block = rep(1, nrow(x)), lfc = 0,
                              apart = diag(nlevels(y)) == 0,
                              one_unit = FALSE) {
    dimnames(apart) <- list(levels(y), levels(y))
    constant <- apply(x, 2L, function(value) max(value) == min(value))
    tests <- reference_tests(x, y, block, lfc, constant, apart)
    spread <- sqrt(reference_model(x, y, block)$variance)
    sapply(levels(y), simplify = FALSE, function(g) {
        reference_group(x, y, block, g, tests$tests, spread, tests$moderated,
                        apart, one_unit)
    })
}
