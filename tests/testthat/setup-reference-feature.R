# Slow references of the feature graph, its clusters and what is done along a
# ranking, written from the equations.

# Weights of one feature: the only support on which all optimality conditions
# hold, found by trying every one.
reference_code <- function(u, target, method, lambda) {
    others <- setdiff(seq_len(ncol(u)), target)
    y <- u[, target]
    level <- lambda * max(crossprod(u[, others, drop = FALSE], y))
    for (code in seq_len(2^length(others)) - 1) {
        used <- others[bitwAnd(code, 2^(seq_along(others) - 1)) > 0]
        s <- numeric(ncol(u))
        if (length(used)) {
            part <- u[, used, drop = FALSE]
            gram <- crossprod(part)
            if (rcond(gram) < 1e-12) next
            if (method == "simplex") {
                one <- rep(1, length(used))
                system <- rbind(cbind(gram, one), c(one, 0))
                solved <- solve(system, c(crossprod(part, y), 1))
                level <- solved[length(solved)]
                s[used] <- solved[seq_along(used)]
            } else {
                s[used] <- solve(gram, crossprod(part, y) - level)
            }
        } else if (method == "simplex") {
            next
        }
        gradient <- crossprod(u, y - u %*% s)
        if (all(s >= 0) && all(gradient[others] <= level + 1e-9)) {
            return(s)
        }
    }
}

# Without copies or constant features.
reference_feature_graph <- function(x, method, lambda = 0.1) {
    u <- scaled_by_range(x)
    s <- vapply(seq_len(ncol(u)), reference_code, numeric(ncol(u)), u = u,
                method = method, lambda = lambda)
    (s + t(s)) / 2
}

# The automatic cut, by merging clusters of a dense similarity matrix one by
# one. Without copies or equal similarities.
reference_clusters <- function(s) {
    label <- seq_len(ncol(s))
    repeat {
        apart <- outer(label, label, "!=")
        most <- max(0, s[apart])
        if (most == 0) {
            return(label)
        }
        at <- which(apart & s == most, arr.ind = TRUE)[1, ]
        both <- label[at]
        if (sum(label == both[1]) > 1 && sum(label == both[2]) > 1) {
            return(label)
        }
        label[label == both[2]] <- both[1]
    }
}

same_partition <- function(a, b) {
    a <- match(a, unique(a))
    b <- match(b, unique(b))
    identical(unname(a), unname(b))
}

# `feature`: whose columns of `x` these are; two features correlate as the two
# columns do that correlate most.
reference_diversify <- function(x, relevance, feature = seq_len(ncol(x))) {
    r <- suppressWarnings(cor(x))^2
    r[is.na(r)] <- 0
    both <- list(feature[row(r)], feature[col(r)])
    r <- matrix(tapply(r, both, max), length(relevance))
    order <- integer()
    for (step in seq_along(relevance)) {
        redundant <- if (step == 1) numeric(ncol(r)) else
            apply(r[, order, drop = FALSE], 1, max)
        value <- relevance * (1 - redundant)
        value[order] <- -1
        order <- c(order, which.max(value))
    }
    order
}

reference_keep <- function(x, most) {
    r <- abs(suppressWarnings(cor(x)))
    r[is.na(r)] <- 0
    kept <- integer()
    for (j in seq_len(ncol(x))) {
        if (all(r[j, kept] <= most)) kept <- c(kept, j)
    }
    kept
}
