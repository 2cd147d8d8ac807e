# Slow references of the subset scores, clusterings and evaluations, written
# from the equations.

# Pairs i < j with targets, in the order in which the score adds them.
subset_pairs_in_order <- function(i, j, target) {
    pairs <- data.frame(i = pmin(i, j), j = pmax(i, j), target = target)
    pairs[order(pairs$j, -pairs$target, pairs$i), ]
}

# (33) over unordered pairs, plain sums: Reduce() adds one by one in double
# precision, where sum() would use more.
reference_forward <- function(u, pairs, sigma, steps = ncol(u)) {
    w <- rep(1, nrow(pairs))
    kernel <- function(f) {
        exp(-((u[pairs$i, f] - u[pairs$j, f])^2) / (2 * (sigma * sigma)))
    }
    order <- integer()
    error <- numeric()
    for (step in seq_len(steps)) {
        left <- setdiff(seq_len(ncol(u)), order)
        errors <- vapply(left, function(f) {
            Reduce(`+`, (w * kernel(f) - pairs$target)^2, 0)
        }, 0)
        best <- left[which.min(errors)]
        w <- w * kernel(best)
        order <- c(order, best)
        error <- c(error, min(errors))
    }
    list(order = order, error = error)
}

# Nearest prototype by loops; a prototype's own is itself.
reference_nearest_class <- function(u, prototypes, class) {
    vapply(seq_len(nrow(u)), function(n) {
        if (n %in% prototypes) return(class[match(n, prototypes)])
        d <- vapply(prototypes, function(m) {
            Reduce(`+`, (u[n, ] - u[m, ])^2, 0)
        }, 0)
        class[which.min(d)]
    }, class[1])
}

all_reference_pairs <- function(class) {
    at <- t(utils::combn(length(class), 2))
    subset_pairs_in_order(at[, 1], at[, 2],
                    as.numeric(class[at[, 1]] == class[at[, 2]]))
}

# The objective of PCK-means over the closure, pair by pair.
reference_pck_objective <- function(u, constraints, cluster, penalty = 1) {
    closure <- reference_closure_of(constraints)
    upper <- upper.tri(closure$same)
    within <- vapply(sort(unique(cluster)), function(k) {
        own <- u[cluster == k, , drop = FALSE]
        sum(sweep(own, 2, colMeans(own))^2)
    }, 0)
    same <- outer(cluster, cluster, "==")
    broken <- (closure$same & !same) | (closure$apart & same)
    0.5 * sum(within) + penalty * sum(broken[upper])
}

# S of Algorithm 3 [Berahmand et al. 2020] as a full matrix.
reference_agreement <- function(votes) {
    alike <- function(vote) outer(votes[, vote], votes[, vote], "==") * 1
    s <- alike(1)
    for (vote in seq_len(ncol(votes))[-1]) s <- (alike(vote) + s) / 2
    s
}

# (7) by loops.
reference_pcfs_score <- function(u, pairs, s, strength) {
    part <- function(f, type) {
        rows <- which(pairs$type == type)
        total <- 0
        for (t in rows) total <- total + 1 - s[pairs$i[t], pairs$j[t]]
        value <- 0
        for (t in rows) {
            i <- pairs$i[t]
            j <- pairs$j[t]
            value <- value + (u[i, f] - u[j, f])^2 * strength[t]
            if (total > 0) {
                value <- value + (1 - s[i, j]) / total * (1 - strength[t])
            }
        }
        value
    }
    vapply(seq_len(ncol(u)), function(f) {
        part(f, "must-link") / part(f, "cannot-link")
    }, 0)
}

# 1-NN in the first n features of an order, scaled over the training rows.
reference_nearest_accuracy <- function(order, train, y, test, y_test, n,
                                       k = 1) {
    shares <- reference_nearest_shares(order, train, y, test, n, k)
    vapply(shares, function(share) {
        mean(share[cbind(seq_along(y_test), match(y_test, colnames(share)))])
    }, 0)
}

# Weights of the training samples for each test sample, by their description: a
# list by number of features of matrices, test x training samples.
reference_nearest_weights <- function(order, train, test, n, k = 1) {
    low <- apply(train, 2, min)
    width <- apply(train, 2, max) - low
    width[width == 0] <- Inf
    a <- sweep(sweep(train, 2, low), 2, width, "/")[, order, drop = FALSE]
    b <- sweep(sweep(test, 2, low), 2, width, "/")[, order, drop = FALSE]
    k <- min(k, nrow(a))
    lapply(n, function(count) {
        own <- seq_len(count)
        t(vapply(seq_len(nrow(b)), function(t) {
            distance <- vapply(seq_len(nrow(a)), function(i) {
                Reduce(`+`, (b[t, own] - a[i, own])^2, 0)
            }, 0)
            limit <- sort(distance)[k]
            nearer <- distance < limit
            nearer + (distance == limit) * (k - sum(nearer)) /
                sum(distance == limit)
        }, numeric(nrow(a))))
    })
}

# What each class gets of each test sample.
reference_nearest_shares <- function(order, train, y, test, n, k = 1) {
    classes <- as.character(sort(unique(y)))
    lapply(reference_nearest_weights(order, train, test, n, k), function(w) {
        votes <- vapply(classes, function(class) {
            rowSums(w[, as.character(y) == class, drop = FALSE])
        }, numeric(nrow(w)))
        votes <- matrix(votes, nrow(w), dimnames = list(NULL, classes))
        if (k == 1) {
            return(votes)
        }
        most <- votes >= apply(votes, 1, max) - 1e-12
        most / rowSums(most)
    })
}
