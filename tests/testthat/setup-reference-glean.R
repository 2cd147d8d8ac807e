# Slow references of glean(), step by step from methods, section 12: x a matrix
# or a data.frame without missing cells. A factor of several levels stays one,
# with the difference of two levels as its attribute.

reference_glean_scale <- function(x, scale) {
    x <- as.data.frame(x, optional = TRUE)
    weight <- rep(1, ncol(x))
    if (scale == "balanced") {
        weight <- balanced_weights(x)
        scale <- "range"
    }
    u <- Map(function(v, w) {
        if (is.factor(v) && nlevels(v) > 2) {
            return(structure(v, weight = w))
        }
        if (!is.numeric(v)) {
            return(w * scaled_numbers(as.numeric(v)))
        }
        w * if (scale == "none") v - min(v) else scaled_numbers(v, scale)
    }, x, weight)
    as.data.frame(u, optional = TRUE)
}

# Differences of samples i and j (one of them may be several) in one feature.
reference_gap <- function(v, i, j) {
    if (is.factor(v)) attr(v, "weight") * (v[i] != v[j]) else abs(v[i] - v[j])
}

# A feature as columns of numbers: level indicators by the square root of 2.
reference_level_columns <- function(v) {
    if (!is.factor(v)) {
        return(cbind(v))
    }
    sapply(levels(v), function(level) attr(v, "weight") * (v == level)) /
        sqrt(2)
}

reference_varies <- function(u) {
    vapply(u, function(v) length(unique(v)) > 1, NA)
}

# Step 1: distances, rounded ones, and the order of the others for each sample;
# v are the importances of the features; others are those of the same block.
reference_glean_space <- function(u, space = 20, v = rep(1, ncol(u)),
                                  block = rep(1, nrow(u))) {
    c <- do.call(cbind, Map(function(f, weight) {
        columns <- reference_level_columns(f)
        weight * sweep(columns, 2, colMeans(columns))
    }, u, v))
    if (!is.null(space)) {
        parts <- eigen(tcrossprod(c), symmetric = TRUE)
        q <- min(space, sum(parts$values > 1e-10 * parts$values[1]))
        c <- parts$vectors[, seq_len(q), drop = FALSE] %*%
            diag(sqrt(parts$values[seq_len(q)]), q)
    }
    d <- as.matrix(dist(c))
    unit <- 1e-9 * max(d)
    d[d <= unit] <- 0
    key <- if (unit > 0) round(d / unit) else d
    order_of <- lapply(seq_len(nrow(d)), function(i) {
        others <- setdiff(which(block == block[i]), i)
        others[order(key[i, others], others)]
    })
    list(d = unname(d), order = order_of, block = block, points = unname(c),
         unit = unit, components = !is.null(space))
}

# Step 3, without the feature's own say: for a feature with more than .005 of
# v^2 var u the rounded distances of all samples in the space without its term,
# NULL for others.
reference_without <- function(u, v, space) {
    columns <- Map(function(f, weight) {
        f <- reference_level_columns(f)
        weight * sweep(f, 2, colMeans(f))
    }, u, v)
    spread <- vapply(columns, function(f) sum(f^2), 0)
    share <- spread / max(sum(spread), 1e-300)
    varied <- sum(spread > 0)
    lapply(seq_along(columns), function(f) {
        if (share[f] <= 0.005 || varied < 2) {
            return(NULL)
        }
        if (space$components) {
            z <- space$points
            d <- dist(z - columns[[f]] %*% t(crossprod(z, columns[[f]]) /
                                                 colSums(z^2)))
        } else {
            d <- dist(do.call(cbind, columns[-f]))
        }
        d <- as.matrix(d)
        d[d <= space$unit] <- 0
        unname(round(d / space$unit))
    })
}

# The candidates of sample i, nearest first, in the order without the feature.
reference_again <- function(without, i, candidates) {
    if (is.null(without)) candidates else
        candidates[order(without[i, candidates], candidates)]
}

# Step 2, by growing components one must-link at a time. `disputed` samples, in
# cannot-links only, have a unit of their own, but are in no group.
reference_glean_groups <- function(n, cannot, must, disputed = integer()) {
    group <- seq_len(n)
    for (turn in seq_len(n)) {
        for (row in seq_len(nrow(must))) {
            group[must[row, ]] <- min(group[must[row, ]])
        }
    }
    touched <- sort(unique(c(cannot, must)))
    touched <- c(setdiff(touched, disputed), intersect(touched, disputed))
    number <- rep(NA, n)
    number[touched] <- match(group[touched], unique(group[touched]))
    count <- if (length(touched)) max(number, na.rm = TRUE) else 0
    apart <- matrix(FALSE, count, count)
    for (row in seq_len(nrow(cannot))) {
        a <- number[cannot[row, 1]]
        b <- number[cannot[row, 2]]
        apart[a, b] <- apart[b, a] <- TRUE
    }
    inside <- replace(number, disputed, NA)
    list(of = inside, count = length(unique(inside[!is.na(inside)])),
         unit = number, apart = apart)
}

# Step 3. `alone`: does structure alone rank? Then that of a feature with
# neighbours of its own counts a hundredth below two standard errors.
reference_structure <- function(u, space, without, alone) {
    same <- outer(space$block, space$block, "==")
    same <- same[lower.tri(same)]
    pairs <- which(lower.tri(diag(nrow(u))), arr.ind = TRUE)[same, , drop = FALSE]
    vapply(seq_along(u), function(f) {
        v <- u[[f]]
        all <- if (any(same)) mean(reference_gap(v, pairs[, 1], pairs[, 2])) else
            0
        each <- unlist(lapply(seq_along(v), function(i) {
            others <- head(reference_again(without[[f]], i, space$order[[i]]), 3)
            if (length(others)) mean(reference_gap(v, i, others))
        }))
        near <- mean(each)
        # with up to four samples all others are neighbours
        if (!any(same) || abs(all - near) < 1e-12 * all) return(0)
        weak <- alone && !is.null(without[[f]]) && near < all &&
            all - near < 2 * stats::sd(each) / sqrt(length(each))
        (all - near) / if (weak) 100 else 1
    }, 0)
}

# Step 4. `weight`: of each row of `cannot`.
reference_glean_margin <- function(u, space, groups, cannot, weight, without) {
    nearest <- function(i, without) {
        others <- space$order[[i]]
        own <- groups$unit[others] %in% groups$unit[i]
        apart <- vapply(others, function(j) {
            !is.na(groups$unit[j]) &&
                groups$apart[groups$unit[i], groups$unit[j]]
        }, NA)
        head(c(reference_again(without, i, others[own]),
               reference_again(without, i, others[!own & !apart])), 3)
    }
    if (nrow(cannot) == 0) {
        return(numeric(ncol(u)))
    }
    low <- pmin(cannot[, 1], cannot[, 2])
    high <- pmax(cannot[, 1], cannot[, 2])
    once <- !duplicated(cbind(low, high))
    pairs <- cbind(low, high)[once, , drop = FALSE]
    weight <- rep(weight, length.out = length(low))[once]
    both <- rbind(pairs, pairs[, 2:1, drop = FALSE])
    away <- function(a, from, v) {
        if (length(from)) mean(reference_gap(v, from, a)) else 0
    }
    vapply(seq_along(u), function(f) {
        v <- u[[f]]
        near <- lapply(seq_len(nrow(u)), function(i) {
            if (i %in% both) nearest(i, without[[f]])
        })
        margins <- vapply(seq_len(nrow(both)), function(row) {
            a <- both[row, 1]
            away(a, near[[both[row, 2]]], v) - away(a, near[[a]], v)
        }, 0)
        stats::weighted.mean(margins, c(weight, weight))
    }, 0)
}

# Step 5: label and confidence, by solve().
reference_spread_labels <- function(space, groups) {
    n <- nrow(space$d)
    near <- lapply(space$order, head, 7)
    sigma <- vapply(seq_len(n), function(i) {
        max(0, space$d[i, near[[i]]])
    }, 0)
    sigma[sigma == 0] <- if (any(sigma > 0)) min(sigma[sigma > 0]) else 1
    w <- matrix(0, n, n)
    for (i in seq_len(n)) {
        for (j in seq_len(n)) {
            a <- groups$unit[i]
            b <- groups$unit[j]
            if (i != j && (i %in% near[[j]] || j %in% near[[i]])) {
                w[i, j] <- exp(-space$d[i, j]^2 / (2 * sigma[i] * sigma[j]))
            }
            if (!is.na(a) && !is.na(b)) {
                if (a == b) w[i, j] <- 1
                if (groups$apart[a, b]) w[i, j] <- 0
            }
        }
    }
    diag(w) <- 0
    degree <- rowSums(w)
    root <- ifelse(degree > 0, 1 / sqrt(degree), 0)
    p <- diag(root) %*% w %*% diag(root)
    y <- outer(groups$of, seq_len(groups$count), function(a, b) {
        ifelse(!is.na(a) & a == b, 1 / table(groups$of)[b], 0)
    })
    q <- solve(diag(n) - 0.9 * p, y)
    label <- groups$of
    confidence <- ifelse(is.na(groups$of), 0, 1)
    for (i in which(is.na(groups$of))) {
        if (sum(q[i, ]) > 1e-10) {
            share <- q[i, ] / sum(q[i, ])
            label[i] <- which.max(share)
            confidence[i] <- -diff(sort(share, decreasing = TRUE)[1:2])
            if (confidence[i] < 1e-10) confidence[i] <- 0
        }
    }
    list(label = label, confidence = confidence)
}

reference_glean_spread <- function(u, space, groups, spread) {
    c <- spread$confidence
    l <- spread$label
    share <- vapply(seq_len(groups$count), function(g) {
        sum(c[c > 0 & l %in% g]) / sum(c)
    }, 0)
    near <- lapply(seq_len(groups$count), function(g) {
        lapply(space$order, function(others) {
            head(others[c[others] > 0 & l[others] == g], 3)
        })
    })
    vapply(u, function(v) {
        apart <- function(i, g) {
            j <- near[[g]][[i]]
            if (length(j)) sum(c[j] * reference_gap(v, j, i)) / sum(c[j]) else 0
        }
        terms <- vapply(which(c > 0), function(i) {
            others <- setdiff(seq_len(groups$count), l[i])
            far <- sum(vapply(others, function(g) {
                if (share[g] == 0) 0 else
                    share[g] / (1 - share[l[i]]) * apart(i, g)
            }, 0))
            c[i] * (far - apart(i, l[i]))
        }, 0)
        sum(terms) / sum(c)
    }, 0)
}

# Step 5, the contrast: scatter of the means of the labels over that around them.
reference_glean_contrast <- function(u, groups, spread, block) {
    c <- spread$confidence
    l <- spread$label
    between <- within <- numeric(ncol(u))
    for (f in seq_len(ncol(u))) {
        columns <- reference_level_columns(u[[f]])
        for (k in seq_len(ncol(columns))) for (b in unique(block)) {
            v <- columns[, k]
            all <- which(c > 0 & block == b)
            mu <- sum(c[all] * v[all]) / sum(c[all])
            for (g in seq_len(groups$count)) {
                own <- which(c > 0 & l == g & block == b)
                if (length(own)) {
                    mu_g <- sum(c[own] * v[own]) / sum(c[own])
                    between[f] <- between[f] + sum(c[own]) * (mu_g - mu)^2
                    within[f] <- within[f] + sum(c[own] * (v[own] - mu_g)^2)
                }
            }
        }
    }
    varies <- reference_varies(u)
    if (!any(varies)) {
        return(numeric(ncol(u)))
    }
    middle <- median(within[varies]) + 1e-9 * max(between + within)
    ifelse(between == 0, 0, between / (within + middle))
}

# Step 6.
reference_glean_relevance <- function(u, parts) {
    logs <- lapply(parts, function(v) {
        if (max(v) > 0) log(pmax(v / max(v), 1e-4))
    })
    logs <- Filter(Negate(is.null), logs)
    r <- if (length(logs)) exp(Reduce(`+`, logs) / length(logs)) else
        rep(1, ncol(u))
    r[!reference_varies(u)] <- 0
    r
}

# Step 7.
reference_glean_table <- function(u, parts, top = 1500) {
    varies <- reference_varies(u)
    r <- reference_glean_relevance(u, parts)
    best <- head(order(-r), min(top, sum(varies)))
    best <- best[r[best] > 0]
    score <- rep(NA_real_, ncol(u))
    redundant <- numeric(ncol(u))
    taken <- integer()
    while (length(left <- setdiff(best, taken))) {
        value <- r[left] * (1 - redundant[left])
        left <- left[order(-value, -r[left], left)]
        b <- left[1]
        score[b] <- r[b] * (1 - redundant[b])
        taken <- c(taken, b)
        square <- vapply(u[best], function(v) {
            max(suppressWarnings(cor(reference_level_columns(u[[b]]),
                                     reference_level_columns(v)))^2)
        }, 0)
        square[square > 1 - 1e-12] <- 1
        redundant[best] <- pmax(redundant[best], square)
    }
    others <- setdiff(which(varies), taken)
    place <- c(taken, others[order(-r[others])], which(!varies))
    data.frame(feature = colnames(u), score = score, relevance = r,
               parts)[place, ]
}

# Steps 1 and 3 to 5 in the space of these importances.
reference_glean_pass <- function(u, v, groups, cannot, space, weight, block) {
    near <- reference_glean_space(u, space, v, block)
    nothing <- numeric(ncol(u))
    without <- reference_without(u, v, near)
    parts <- list(structure = reference_structure(u, near, without,
                                                  groups$count < 2),
                  margin = reference_glean_margin(u, near, groups, cannot, weight,
                                                  without),
                  spread = nothing, contrast = nothing)
    spread <- NULL
    if (groups$count >= 2) {
        spread <- reference_spread_labels(near, groups)
        parts$spread <- reference_glean_spread(u, near, groups, spread)
        parts$contrast <- reference_glean_contrast(u, groups, spread, block)
    }
    # how many answered samples are next to one of their own group
    known <- which(!is.na(groups$of))
    right <- sum(vapply(known, function(i) {
        other <- intersect(near$order[[i]], known)[1]
        isTRUE(groups$of[other] == groups$of[i])
    }, NA))
    list(parts = parts, spread = spread, right = right)
}

# Step 8 is the loop; labels are those of the last space, unless the first one has
# more answered samples beside one of their own group.
reference_glean <- function(x, cannot, must, scale = "balanced", space = 20,
                            top = 1500, rounds = 1, weight = 1,
                            block = rep(1, nrow(x)), disputed = integer()) {
    pairs <- function(p) if (is.null(p)) matrix(0, 0, 2) else p
    u <- reference_glean_scale(x, scale)
    groups <- reference_glean_groups(nrow(x), pairs(cannot), pairs(must),
                                     disputed)
    inside <- block[pairs(cannot)[, 1]] == block[pairs(cannot)[, 2]]
    cannot <- pairs(cannot)[inside, , drop = FALSE]
    v <- rep(1, ncol(u))
    for (pass in 0:(if (groups$count >= 2) rounds else 0)) {
        found <- reference_glean_pass(u, v, groups, pairs(cannot), space,
                                      weight, block)
        if (pass == 0) first <- found
        r <- reference_glean_relevance(u, found$parts)
        v <- r / max(r, 1e-300)
    }
    labels <- if (first$right > found$right) first else found
    list(table = reference_glean_table(u, found$parts, top),
         spread = labels$spread)
}
