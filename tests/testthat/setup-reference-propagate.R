# Propagation with dense inverses and loops over all pairs.

reference_inverse <- function(s, a) {
    degree <- rowSums(s)
    root <- ifelse(degree > 0, 1 / sqrt(degree), 0)
    solve(diag(nrow(s)) - a * (root * s * rep(root, each = nrow(s))))
}

# All candidates i < j with type and confidence.
reference_candidates <- function(s, pairs, method, a, relative, must_link) {
    m <- reference_inverse(s, a)
    n <- nrow(s)
    if (must_link == "ignore") pairs <- pairs[pairs$type == "cannot-link", ]
    sign <- ifelse(pairs$type == "must-link", -1, 1)
    value <- matrix(0, n, n)
    if (method == "published") {
        q <- matrix(0, n, n)
        q[cbind(c(pairs$i, pairs$j), c(pairs$j, pairs$i))] <- c(sign, sign)
        value <- (1 - a)^2 * m %*% q %*% m
        least <- mean(apply(value, 1, max))
    } else {
        for (t in seq_len(nrow(pairs))) {
            one <- m[, pairs$i[t]] / m[pairs$i[t], pairs$i[t]]
            other <- m[, pairs$j[t]] / m[pairs$j[t], pairs$j[t]]
            for (c in list(outer(one, other), outer(other, one))) {
                value <- ifelse(c > abs(value), sign[t] * c, value)
            }
        }
        least <- relative
    }
    at <- which(upper.tri(value) & (value >= least |
                                        (value <= -least &
                                             must_link == "use")),
                arr.ind = TRUE)
    out <- data.frame(i = at[, 1], j = at[, 2], type = ifelse(
        value[at] < 0, "must-link", "cannot-link"
    ), confidence = abs(value[at]))
    out[order(-out$confidence, out$i, out$j), ]
}

# What enters, by closing everything anew for each candidate.
reference_propagation <- function(n, pairs, candidates) {
    taken <- pairs[c("i", "j", "type")]
    taken$confidence <- NA_real_
    dropped <- 0
    for (t in seq_len(nrow(candidates))) {
        one <- candidates[t, ]
        there <- (taken$i == one$i & taken$j == one$j) |
            (taken$i == one$j & taken$j == one$i)
        if (any(there & taken$type == one$type)) next
        known <- reference_relation(n, taken)[one$i, one$j]
        if (is.na(known) || known == (one$type == "must-link")) {
            taken <- rbind(taken, one)
        } else {
            dropped <- dropped + 1
        }
    }
    list(taken = taken, dropped = dropped)
}
