# Slow references of active selection and propagation, from the equations: dense
# matrices, eigen() and solve() at every step, pairs in a plain table.

# (1.5): full self-tuning weights of range-scaled features.
reference_self_tuning <- function(x, k, full = TRUE) {
    u <- apply(x, 2L, function(f) {
        if (max(f) > min(f)) (f - min(f)) / (max(f) - min(f)) else 0 * f
    })
    d2 <- as.matrix(stats::dist(u))^2
    dimnames(d2) <- NULL
    n <- nrow(x)
    scale <- vapply(seq_len(n), function(i) sort(sqrt(d2[i, -i]))[k], 0)
    s <- exp(-d2 / (2 * outer(scale, scale)))
    if (!full) {
        near <- t(vapply(seq_len(n), function(i) {
            seq_len(n) %in% setdiff(order(d2[i, ]), i)[seq_len(k)]
        }, logical(n)))
        s <- s * (near | t(near))
    }
    diag(s) <- 0
    s
}

# What a table of answers implies: 1 must-link, 0 cannot-link, NA open.
reference_relation <- function(n, pairs) {
    of <- function(type) {
        as.matrix(pairs[pairs$type == type, c("i", "j")])
    }
    closure <- reference_closure(of("cannot-link"), of("must-link"), n)
    relation <- matrix(NA_real_, n, n)
    relation[closure$same] <- 1
    relation[closure$apart] <- 0
    relation
}

# (4.3): sensitivities of all pairs by the sum over all eigenvectors.
reference_scores <- function(s, q, criterion, entry = NULL) {
    n <- nrow(s)
    laplacian <- diag(rowSums(s)) - s
    e <- eigen(laplacian, symmetric = TRUE)
    lambda <- rev(e$values)
    v <- e$vectors[, rev(seq_len(n))]
    tolerance <- 1e-8 * max(rowSums(s))
    if (is.null(entry)) {
        entry <- reference_entry(abs(v[, 2L]))
    }
    total <- matrix(0, n, n)
    for (r in seq_len(q) + 1L) {
        dv <- outer(v[, r], v[, r], "-")
        if (criterion == "eigenvalue") {
            total <- total + dv^2
            next
        }
        sensitivity <- matrix(0, n, n)
        for (p in setdiff(2:n, r)) {
            if (abs(lambda[r] - lambda[p]) < tolerance) next
            sensitivity <- sensitivity + dv * outer(v[, p], v[, p], "-") *
                v[entry, p] / (lambda[r] - lambda[p])
        }
        total <- total + abs(sensitivity)
    }
    list(total = total, entry = entry, v2 = v[, 2L])
}

# The first of the smallest values, up to rounding.
reference_entry <- function(size) {
    which(size <= min(size) + 1e-10 * max(size[is.finite(size)]))[1L]
}

# The questions of the published strategy, in order, with what was used.
reference_questions <- function(s, labels, n, max_questions = Inf, q = 1L,
                                criterion = "eigenvector", pairs = "all") {
    size <- nrow(s)
    used <- data.frame(i = integer(), j = integer(), type = character(),
                       asked = logical())
    open <- upper.tri(s)
    while (sum(used$type == "cannot-link") < n &&
           sum(used$asked) < max_questions && any(open)) {
        relation <- reference_relation(size, used)
        pair <- reference_next(s, used, open, relation, q, criterion, pairs)
        known <- relation[pair[1L], pair[2L]]
        answer <- if (is.na(known)) as.numeric(labels[pair[1L]] ==
                                                   labels[pair[2L]]) else known
        if (!is.na(answer)) {
            s[pair[1L], pair[2L]] <- s[pair[2L], pair[1L]] <- answer
        }
        open[min(pair), max(pair)] <- FALSE
        type <- if (is.na(answer)) "unsure" else
            c("cannot-link", "must-link")[answer + 1]
        used[nrow(used) + 1L, ] <- list(pair[1L], pair[2L], type, is.na(known))
    }
    used
}

reference_parts <- function(s) {
    reach <- s > 0 | diag(nrow(s)) == 1
    for (m in seq_len(nrow(s))) {
        reach <- reach | outer(reach[, m], reach[m, ])
    }
    apply(reach, 1L, which.max)
}

# Components that no answer relates are joined first; then inside the largest
# that has a pair left; then any pair.
reference_next <- function(s, used, open, relation, q, criterion, pairs) {
    part <- match(reference_parts(s), unique(reference_parts(s)))
    for (a in seq_len(max(part))) {
        for (b in seq_len(max(part))[seq_len(max(part)) > a]) {
            met <- (part[used$i] == a & part[used$j] == b) |
                (part[used$i] == b & part[used$j] == a)
            if (!any(met) && all(is.na(relation[part == a, part == b]))) {
                degree <- rowSums(s)
                ends <- lapply(c(a, b), function(own) {
                    own <- which(part == own)
                    own[which.max(degree[own])]
                })
                return(unlist(ends))
            }
        }
    }
    for (a in order(-tabulate(part))) {
        inside <- which(part == a)
        if (any(open[inside, inside])) {
            return(inside[reference_inside(s[inside, inside],
                                           open[inside, inside], q, criterion,
                                           pairs)])
        }
    }
    left <- which(open, arr.ind = TRUE)
    left[order(left[, 1L], left[, 2L])[1L], ]
}

reference_inside <- function(s, open, q, criterion, pairs) {
    if (nrow(s) == 2L) {
        return(1:2)
    }
    q <- min(q, nrow(s) - 1L)
    found <- reference_scores(s, q, criterion)
    allowed <- open
    if (pairs == "uncertain") {
        left <- colSums(open | t(open)) > 0
        entry <- reference_entry(ifelse(left, abs(found$v2), Inf))
        found <- reference_scores(s, q, criterion, entry = entry)
        allowed[-entry, -entry] <- FALSE
    }
    best <- max(found$total[allowed])
    # nothing but rounding is left
    best <- if (best < 1e-14 * max(found$total)) 0 else best
    ties <- which(allowed & found$total >= best * (1 - 1e-10), arr.ind = TRUE)
    at <- ties[order(ties[, 1L], ties[, 2L])[1L], ]
    unname(if (found$entry == at[2L]) rev(at) else at)
}
