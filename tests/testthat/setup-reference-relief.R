# Slow, obvious references of the margin methods that take labels, written from
# the equations: dense matrices and loops, nothing shared with the package.

# Scaled columns as a list: numbers, or codes with attribute `category`.
margin_columns <- function(x, scale = "range") {
    lapply(as.data.frame(x), function(v) {
        if (!is.numeric(v)) {
            return(structure(as.integer(factor(v)), category = TRUE))
        }
        structure(scaled_numbers(v, scale), category = FALSE)
    })
}

# n x n differences of one feature; missing cells stand for the values observed
# in the class of their sample.
margin_differences <- function(u, y, ramp = NULL) {
    category <- attr(u, "category")
    u <- as.numeric(u)
    plain <- function(a, b) {
        if (category) return(as.numeric(a != b))
        d <- abs(a - b)
        if (is.null(ramp)) return(d)
        pmin(pmax((d - ramp[1]) / (ramp[2] - ramp[1]), 0), 1)
    }
    values <- function(i) {
        if (!is.na(u[i])) return(u[i])
        same <- u[!is.na(u) & y == y[i]]
        if (length(same)) same else u[!is.na(u)]
    }
    n <- length(u)
    d <- matrix(0, n, n)
    for (i in seq_len(n)) for (j in seq_len(n)) {
        d[i, j] <- mean(outer(values(i), values(j), plain))
    }
    diag(d) <- 0 # one unknown value, not two
    d
}

margin_arrays <- function(x, y = rep(1, nrow(x)), scale = "range",
                             ramp = NULL) {
    lapply(margin_columns(x, scale), margin_differences, y = y,
           ramp = ramp)
}

# Sums over the features in column order.
reference_distance <- function(d, distance = "manhattan", w = NULL) {
    if (is.null(w)) w <- rep(1, length(d))
    total <- 0 * d[[1]]
    for (f in seq_along(d)) {
        total <- total + w[f] * (if (distance == "manhattan") d[[f]] else
            d[[f]]^2)
    }
    total
}

# Samples of `from`, nearest first, equal distances in row order.
reference_nearest <- function(distance, i, from, k) {
    from <- setdiff(from, i)
    utils::head(from[order(distance[i, from], from)], k)
}

reference_relief <- function(x, y) {
    d <- margin_arrays(x, y)
    distance <- reference_distance(d, "euclidean")
    n <- nrow(x)
    vapply(d, function(f) {
        mean(vapply(seq_len(n), function(i) {
            hit <- reference_nearest(distance, i, which(y == y[i]), 1)
            miss <- reference_nearest(distance, i, which(y != y[i]), 1)
            sum(f[i, miss]^2) - sum(f[i, hit]^2)
        }, 0))
    }, 0)
}

# Neighbours of sample i among the samples `from`.
reference_neighbourhood <- function(distance, i, from, k) {
    n <- nrow(distance)
    if (is.numeric(k)) return(reference_nearest(distance, i, from, k))
    others <- distance[i, -i]
    radius <- if (k == "surf") mean(distance[upper.tri(distance)]) else
        mean(others) - stats::sd(others) / 2
    from <- setdiff(from, i)
    from[distance[i, from] < radius]
}

reference_relieff <- function(x, y, k = 10, samples = seq_len(nrow(x)),
                              distance = "manhattan", ramp = NULL,
                              scale = "range") {
    y <- factor(y)
    d <- margin_arrays(x, y, scale, ramp)
    squared <- distance == "euclidean"
    distance <- reference_distance(d, distance)
    # a radius is a distance; the order of neighbours is that of the squares
    if (squared && is.character(k)) distance <- sqrt(distance)
    prior <- table(y) / length(y)
    mean0 <- function(v) if (length(v)) mean(v) else 0
    vapply(d, function(f) {
        mean(vapply(samples, function(i) {
            total <- 0
            for (c in levels(y)) {
                near <- reference_neighbourhood(distance, i, which(y == c), k)
                weight <- if (c == y[i]) -1 else
                    prior[[c]] / (1 - prior[[as.character(y[i])]])
                total <- total + weight * mean0(f[i, near])
            }
            total
        }, 0))
    }, 0)
}

# The ordered pairs of every hit and every miss.
reference_stir_pairs <- function(x, y, k) {
    d <- margin_arrays(x, y)
    distance <- reference_distance(d)
    pairs <- list(hit = NULL, miss = NULL)
    for (i in seq_len(nrow(x))) {
        hit <- reference_neighbourhood(distance, i, which(y == y[i]), k)
        miss <- reference_neighbourhood(distance, i, which(y != y[i]), k)
        pairs$hit <- rbind(pairs$hit, cbind(rep(i, length(hit)), hit))
        pairs$miss <- rbind(pairs$miss, cbind(rep(i, length(miss)), miss))
    }
    c(pairs, list(differences = d))
}

reference_stir <- function(x, y, k = 10) {
    pairs <- reference_stir_pairs(x, y, k)
    one <- function(f) {
        m <- f[pairs$miss]
        h <- f[pairs$hit]
        pooled <- sqrt(((length(m) - 1) * stats::var(m) +
                            (length(h) - 1) * stats::var(h)) /
                           (length(m) + length(h) - 2))
        margin <- mean(m) - mean(h)
        t <- margin / (pooled * sqrt(1 / length(m) + 1 / length(h)))
        if (is.nan(t)) t <- NA
        c(margin = margin, statistic = t)
    }
    out <- as.data.frame(t(vapply(pairs$differences, one, c(0, 0))))
    df <- nrow(pairs$hit) + nrow(pairs$miss) - 2
    out$p_value <- stats::pt(out$statistic, df, lower.tail = FALSE)
    out$fdr <- stats::p.adjust(out$p_value, "BH")
    out
}

reference_rrelieff <- function(x, y, k = 10, sigma = 20) {
    d <- margin_arrays(x)
    distance <- reference_distance(d)
    change <- abs(outer(y, y, "-")) / (max(y) - min(y))
    n <- nrow(x)
    dc <- 0
    da <- dcda <- numeric(length(d))
    for (i in seq_len(n)) {
        near <- reference_nearest(distance, i, seq_len(n), k)
        w <- exp(-(seq_along(near) / sigma)^2)
        w <- w / sum(w)
        dc <- dc + sum(w * change[i, near])
        for (f in seq_along(d)) {
            da[f] <- da[f] + sum(w * d[[f]][i, near])
            dcda[f] <- dcda[f] + sum(w * d[[f]][i, near] * change[i, near])
        }
    }
    stats::setNames(dcda / dc - (da - dcda) / (n - dc), names(d))
}

reference_irelief <- function(x, y, sigma = 1, variant = 1L, tol = 1e-6,
                              max_iter = 100) {
    y <- factor(y)
    d <- margin_arrays(x, y)
    n <- nrow(x)
    prior <- table(y) / n
    w <- rep(1 / length(d), length(d))
    for (iteration in seq_len(max_iter)) {
        distance <- reference_distance(d, w = w)
        v <- numeric(length(d))
        for (i in seq_len(n)) {
            others <- setdiff(seq_len(n), i)
            f <- exp(-(distance[i, ] - min(distance[i, others])) / sigma)
            hits <- setdiff(which(y == y[i]), i)
            misses <- which(y != y[i])
            gamma <- sum(f[hits]) / sum(f[others])
            weight <- numeric(n)
            if (variant == 1L) {
                for (c in setdiff(levels(y), y[i])) {
                    of <- which(y == c)
                    weight[of] <- prior[[c]] / (1 - prior[[y[i]]]) *
                        f[of] / sum(f[of])
                }
            } else {
                weight[misses] <- f[misses] / sum(f[misses])
            }
            if (length(hits)) weight[hits] <- -f[hits] / sum(f[hits])
            for (j in seq_along(d)) {
                v[j] <- v[j] + gamma * sum(weight * d[[j]][i, ])
            }
        }
        if (all(v <= 0)) {
            w[] <- 0
            break
        }
        last <- w
        w <- pmax(v, 0) / sqrt(sum(pmax(v, 0)^2))
        if (sqrt(sum((w - last)^2)) <= tol) break
    }
    stats::setNames(w, names(d))
}

# One pass of Simba; `steps`: a list of functions of the weighted distances
# that give the samples of one step, list(of, miss, hit). `own`: the features
# whose samples are those of the distances without them.
reference_simba_pass <- function(d, steps, own = rep(FALSE, length(d))) {
    w <- rep(1, length(d))
    for (step in steps) {
        distance <- reference_distance(d, "euclidean", w^2)
        change <- function(f) {
            part <- function(of, other) {
                if (!length(other) || distance[of, other] == 0) return(0)
                d[[f]][of, other]^2 / sqrt(distance[of, other])
            }
            visited <- step(if (!own[f]) distance else
                reference_distance(d, "euclidean", replace(w^2, f, 0)))
            sum(vapply(visited, function(s) {
                s$share * (part(s$of, s$miss) - part(s$of, s$hit))
            }, 0))
        }
        w <- w + vapply(seq_along(d), change, 0) * w
    }
    stats::setNames(w^2 / max(w^2), names(d))
}

reference_simba <- function(x, y, order) {
    d <- margin_arrays(x, y)
    steps <- lapply(order, function(i) function(distance) {
        list(list(of = i, share = 1,
                  miss = reference_nearest(distance, i, which(y != y[i]), 1),
                  hit = reference_nearest(distance, i, which(y == y[i]), 1)))
    })
    reference_simba_pass(d, steps)
}

# `allowed(i)`: the samples among which the hit of i is looked for.
reference_simba_sc <- function(x, cannot, order = seq_len(nrow(cannot)),
                               both = TRUE, allowed = NULL,
                               weight = rep(1, nrow(cannot)),
                               own_term = "keep") {
    d <- margin_arrays(x)
    own <- own_term == "leave_out" & reference_shares(x) > 0.005 &
        sum(vapply(d, max, 0) > 0) > 1
    if (is.null(allowed)) allowed <- function(i) seq_len(nrow(x))
    steps <- lapply(order, function(t) function(distance) {
        hit <- function(i) reference_nearest(distance, i, allowed(i), 1)
        n <- cannot[t, 1]
        m <- cannot[t, 2]
        if (!both) {
            return(list(list(of = n, share = weight[t], miss = hit(m), hit = hit(n))))
        }
        half <- weight[t] / 2
        list(list(of = n, share = half, miss = hit(m), hit = hit(n)),
             list(of = m, share = half, miss = hit(n), hit = hit(m)))
    })
    reference_simba_pass(d, steps, own)
}
