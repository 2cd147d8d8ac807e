# Published strategies of active clustering for evaluate_questions(): a method
# of your own needs one such function. See the article "The numbers".

# An algorithm that asks wherever it needs an answer. `algorithm(ask, state,
# keep)`: ask(i, j) is TRUE for the same group; keep$groups are its groups so
# far, and what else it puts into `keep` is there when it runs again, after each
# new answer; answers that are known are returned at once.
asking <- function(algorithm) {
    function(state) {
        keep <- state$memory$keep
        if (is.null(keep)) keep <- new.env()
        ask <- function(i, j) {
            said <- state$relation(i, j)
            if (is.na(said)) {
                stop(structure(list(message = "", call = NULL, pair = c(i, j)),
                               class = c("question", "error", "condition")))
            }
            said == "must-link"
        }
        pair <- tryCatch({
            algorithm(ask, state, keep)
            NULL
        }, question = function(question) question$pair)
        list(pair = pair, memory = list(keep = keep, groups = keep$groups))
    }
}

# Explore and Consolidate (Basu, Banerjee and Mooney 2004) for k groups: the
# sample farthest from all placed ones, until there are k groups, then random
# ones; each beside the groups, the nearest first.
explore_consolidate <- function(k) asking(function(ask, state, keep) {
    if (is.null(keep$order)) keep$order <- sample.int(state$samples)
    groups <- list(keep$order[1L])
    nearest <- state$distances(keep$order[1L])
    for (step in seq_len(state$samples - 1L)) {
        left <- setdiff(keep$order, unlist(groups))
        i <- left[if (length(groups) < k) which.max(nearest[left]) else 1L]
        nearest <- pmin(nearest, state$distances(i))
        away <- vapply(groups, function(own) mean(state$distances(i)[own]), 0)
        groups <- place(i, groups, order(away), ask)
    }
})

# The groups with sample i, asked about beside one after the other.
place <- function(i, groups, order, ask) {
    for (g in order) {
        if (ask(i, groups[[g]][1L])) {
            groups[[g]] <- c(groups[[g]], i)
            return(groups)
        }
    }
    c(groups, list(i))
}

# Normalised point-based uncertainty (Xiong, Azimi and Fern 2014): the sample of
# largest entropy over the groups for each question that it is expected to take.
# Similarity is a Gaussian of the distance, where the paper has a forest's.
npu <- asking(function(ask, state, keep) {
    if (is.null(keep$s)) {
        d <- vapply(seq_len(state$samples), state$distances,
                    numeric(state$samples))
        keep$s <- exp(-d^2 / (2 * stats::median(d[d > 0])^2))
        keep$placed <- list(sample.int(state$samples, 1L))
    }
    groups <- keep$placed
    while (length(left <- setdiff(seq_len(state$samples), unlist(groups)))) {
        p <- vapply(groups, function(own) rowMeans(keep$s[, own, drop = FALSE]),
                    numeric(state$samples))[left, , drop = FALSE]
        p <- p / rowSums(p)
        questions <- apply(p, 1L, function(q) sum(sort(q, TRUE) * seq_along(q)))
        best <- which.max(-rowSums(p * log(p)) / questions)
        groups <- place(left[best], groups, order(-p[best, ]), ask)
        keep$placed <- groups
    }
})

# COBRAS (Van Craenendonck et al. 2018): the largest part is split into as many
# parts as questions about halves suggest, then near parts are joined by
# questions. Parts are those of medoids (package cluster), not of k-means.
cobras <- asking(function(ask, state, keep) {
    n <- state$samples
    if (is.null(keep$d)) {
        keep$d <- vapply(seq_len(n), state$distances, numeric(n))
        keep$parts <- list(seq_len(n))
        keep$groups <- rep(1L, n)
        keep$joined <- 1L
    }
    while (max(lengths(keep$parts)) > 1L) {
        at <- which.max(lengths(keep$parts))
        new <- medoid_parts(keep$parts[[at]],
                            2L^split_level(keep$parts[at], keep, ask), keep)
        joined <- c(keep$joined[-at], max(keep$joined) + seq_along(new))
        parts <- c(keep$parts[-at], new)
        keep$joined <- join_parts(joined, parts, keep, ask)
        keep$parts <- parts
        keep$groups <- rep(keep$joined, lengths(parts))[order(unlist(parts))]
    }
})

# How often halves of halves are of different groups, the smaller half first.
split_level <- function(half, keep, ask) {
    level <- 0L
    while (length(half)) {
        half <- medoid_parts(half[[which.min(lengths(half))]], 2L, keep)
        if (ask(middle(half[[1L]], keep), middle(half[[2L]], keep))) break
        level <- level + 1L
        half <- half[lengths(half) > 1L]
    }
    max(level, 1L)
}

middle <- function(own, keep) {
    own[which.min(colSums(keep$d[own, own, drop = FALSE]))]
}

# The parts of some samples around k medoids, computed once.
medoid_parts <- function(own, k, keep) {
    name <- paste(c(k, own), collapse = " ")
    if (k >= length(own)) return(as.list(own))
    if (is.null(keep[[name]])) {
        near <- cluster::pam(stats::as.dist(keep$d[own, own]), k,
                             cluster.only = TRUE)
        keep[[name]] <- unname(split(own, near))
    }
    keep[[name]]
}

# Groups of parts, joined where the answer about their middles is yes, the
# nearest first.
join_parts <- function(group, parts, keep, ask) {
    at <- vapply(parts, middle, 0L, keep)
    pairs <- which(upper.tri(diag(length(at))), arr.ind = TRUE)
    pairs <- pairs[order(keep$d[cbind(at[pairs[, 1L]], at[pairs[, 2L]])]), ,
                   drop = FALSE]
    for (row in seq_len(nrow(pairs))) {
        both <- group[pairs[row, ]]
        if (both[1L] != both[2L] &&
            ask(at[pairs[row, 1L]], at[pairs[row, 2L]])) {
            group[group == both[2L]] <- both[1L]
        }
    }
    group
}
