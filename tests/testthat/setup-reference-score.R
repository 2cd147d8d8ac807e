# Slow, obvious versions of the scores, from the equations: sums over all pairs
# of samples, one feature at a time.

# `form(f)` of each feature; the indicators of a factor add up.
reference_by_feature <- function(u, form) {
    values <- apply(u, 2L, form)
    feature <- attr(u, "feature")
    if (is.null(feature)) values else as.vector(tapply(values, feature, sum))
}

# Sum over unordered pairs of w (f_n - f_m)^2.
reference_quadratic <- function(f, w) sum(w * outer(f, f, "-")^2) / 2

reference_spread <- function(f, weight, centre = weight) {
    sum(weight * (f - sum(centre * f) / sum(centre))^2)
}

# SPEC by the eigenvectors' definition: list(first, second).
reference_spectral <- function(u, s) {
    d <- rowSums(s)
    l <- reference_laplacian(s, "symmetric")
    xi <- sqrt(d) / sqrt(sum(d))
    hat <- apply(u, 2, function(f) sqrt(d) * f / sqrt(sum(d * f^2)))
    phi <- colSums(hat * (l %*% hat))
    list(first = phi, second = phi / (1 - drop(crossprod(hat, xi))^2))
}

reference_laplacian_score <- function(u, s) {
    d <- rowSums(s)
    top <- reference_by_feature(u, function(f) {
        drop(f %*% (diag(d) - s) %*% f)
    })
    bottom <- reference_by_feature(u, function(f) reference_spread(f, d))
    ifelse(bottom == 0, NA, top / bottom)
}

# Must-linked and cannot-linked samples as 0/1 matrices.
reference_links <- function(constraints) {
    pairs <- as.data.frame(constraints)
    n <- constraints$samples
    links <- list(must = matrix(0, n, n), cannot = matrix(0, n, n),
                  weight = matrix(1, n, n))
    weight <- rep(reference_pair_weights(pairs$confidence), length.out =
                      nrow(pairs))
    for (p in seq_len(nrow(pairs))) {
        kind <- sub("-link", "", pairs$type[p])
        links[[kind]][pairs$i[p], pairs$j[p]] <- 1
        links[[kind]][pairs$j[p], pairs$i[p]] <- 1
        links$weight[pairs$i[p], pairs$j[p]] <- weight[p]
        links$weight[pairs$j[p], pairs$i[p]] <- weight[p]
    }
    links$free <- rowSums(links$must + links$cannot) == 0
    links$either <- outer(links$free, links$free, "|")
    links$both <- outer(links$free, links$free, "&")
    links
}

reference_constraint_score <- function(u, constraints, type, y = NULL,
                                       lambda = NULL, gamma = NULL,
                                       unlabelled = "either",
                                       denominator = "pairs_and_unlabelled",
                                       k = 5, t = NULL) {
    l <- reference_links(constraints)
    sums <- function(w) {
        reference_by_feature(u, function(f) reference_quadratic(f, w))
    }
    must <- sums(l$must * l$weight)
    cannot <- sums(l$cannot * l$weight)
    near <- (reference_graph(u, k = k, weight = "binary") > 0) * 1
    square <- reference_gaps(u)
    if (is.null(t)) t <- reference_width(square, near == 1)
    heat <- exp(-square / t)
    w <- heat * near
    value <- switch(type,
        CS1 = must / cannot,
        CS2 = must - (if (is.null(lambda)) 0.1 else lambda) * cannot,
        CS3 = {
            gamma <- if (is.null(gamma)) 100 else gamma
            ends <- l[[unlabelled]]
            sums(ifelse(l$must == 1, gamma * l$weight, near * ends)) / cannot
        },
        CS4 = reference_laplacian_score(u, w) * must / cannot,
        CLS = {
            weights <- heat * (near == 1 | l$must == 1) *
                ifelse(near == 1, 1, l$weight)
            reference_ratio(u, weights, rowSums(weights), l, denominator)
        },
        C6 = {
            weights <- ifelse(l$cannot == 1 & near == 1, w + w^2,
                              ifelse(l$must == 1 & near == 0,
                                     l$weight * heat^2,
                                     ifelse(near == 1 & l$either, w, 0)))
            reference_ratio(u, weights, rowSums(w), l, denominator)
        },
        CCLS = reference_ccls(u, constraints, l, near, w, y, lambda, gamma)
    )
    value[is.nan(value)] <- NA
    value
}

reference_ratio <- function(u, weights, d, l, denominator) {
    top <- reference_by_feature(u, function(f) reference_quadratic(f, weights))
    bottom <- reference_by_feature(u, function(f) {
        pairs <- sum(l$cannot * l$weight * d * outer(f, f, "-")^2)
        if (denominator == "pairs" || !any(l$free)) return(pairs)
        pairs + reference_spread(f, d * l$free, d)
    })
    top / bottom
}

reference_ccls <- function(u, constraints, l, near, w, y, lambda, gamma) {
    lambda <- if (is.null(lambda)) 0.5 else lambda
    gamma <- if (is.null(gamma)) 0.9 else gamma
    weights <- ifelse(l$must == 1,
                      ifelse(near == 1, 1, lambda) * l$weight,
                      ifelse(l$cannot == 1, (1 - gamma) * w,
                             ifelse(l$either, w, 0)))
    groups <- if (is.null(y)) reference_groups(constraints) else y
    d <- rowSums(weights)
    top <- reference_by_feature(u, function(f) {
        2 * reference_quadratic(f, weights)
    })
    bottom <- reference_by_feature(u, function(f) {
        g <- f[!is.na(groups)]
        by <- as.character(groups[!is.na(groups)])
        mean <- ave(g, by)
        reference_spread(f, d) + sum((mean - mean(g))^2) - sum((g - mean)^2)
    })
    value <- ifelse(bottom <= 0, Inf, top / bottom)
    spread <- reference_by_feature(u, function(f) max(f) - min(f))
    value[spread == 0] <- NA
    value
}

reference_fisher <- function(u, y) {
    y <- as.character(y)
    known <- !is.na(y)
    parts <- function(f, what) {
        f <- f[known]
        mean <- ave(f, y[known])
        if (what == "between") sum((mean - mean(f))^2) else sum((f - mean)^2)
    }
    between <- reference_by_feature(u, function(f) parts(f, "between"))
    within <- reference_by_feature(u, function(f) parts(f, "within"))
    between / within
}

# (3), (4) [Doquire and Verleysen 2013]
reference_sls <- function(u, y, k = 5, t = 1) {
    known <- which(!is.na(y))
    z <- (y - mean(y, na.rm = TRUE)) / sd(y, na.rm = TRUE)
    d <- abs(outer(y[known], y[known], "-"))
    joined <- reference_joined(d, "knn", k, NULL, FALSE)
    s <- matrix(0, length(y), length(y))
    s[known, known] <- joined * exp(-outer(z[known], z[known], "-")^2 / t)
    reference_laplacian_score(u, s)
}

# (10) to (12)
reference_ssls <- function(u, y, k = 30, t = 1, C = 1, features = ncol(u),
                           k_output = 5) {
    z <- (y - mean(y, na.rm = TRUE)) / sd(y, na.rm = TRUE)
    gap <- outer(z, z, "-")^2
    both <- !is.na(gap)
    d <- ifelse(both, gap, reference_gaps(u) / features)
    s <- reference_joined(d, "knn", k, NULL, TRUE) * exp(-d / t) *
        ifelse(both, C, 1)
    reference_laplacian_score(u, s) * reference_sls(u, y, k_output, t)
}
