# Slow versions of what is computed from answers that disagree, from the
# definitions: closures by matrices, cuts and exchanges by trying all sets.

# `pairs`: a data.frame of first, second, must_link. Do they contradict?
reference_consistent <- function(pairs, n) {
    same <- diag(n) == 1
    for (p in which(pairs$must_link)) {
        same[pairs$first[p], pairs$second[p]] <- TRUE
        same[pairs$second[p], pairs$first[p]] <- TRUE
    }
    for (m in seq_len(n)) {
        same <- same | outer(same[, m], same[m, ])
    }
    !any(same[cbind(pairs$first, pairs$second)[!pairs$must_link, ,
                                               drop = FALSE]])
}

# One by one in order of weight.
reference_enter <- function(pairs, n, inside) {
    for (p in order(-pairs$weight)) {
        trial <- replace(inside, p, TRUE)
        if (reference_consistent(pairs[trial, ], n)) {
            inside <- trial
        }
    }
    inside
}

# Exchanges, the lightest set to take out by trying all subsets.
reference_settle <- function(pairs, n) {
    inside <- reference_enter(pairs, n, logical(nrow(pairs)))
    left_out <- function(inside) sum(pairs$weight[!inside])
    repeat {
        better <- NULL
        for (out in order(-pairs$weight)) {
            if (inside[out]) next
            trial <- replace(inside, out, TRUE)
            trial[reference_cut(pairs, n, trial, out)] <- FALSE
            trial <- reference_enter(pairs, n, trial)
            if (left_out(trial) < left_out(inside) - 1e-9) {
                better <- trial
                break
            }
        }
        if (is.null(better)) return(inside)
        inside <- better
    }
}

# The subset of least weight without which the pairs are consistent.
reference_cut <- function(pairs, n, inside, keep) {
    candidates <- setdiff(which(inside), keep)
    sets <- lapply(seq_len(2^length(candidates)) - 1, function(bits) {
        candidates[bitwAnd(bits, 2^(seq_along(candidates) - 1)) > 0]
    })
    weight <- vapply(sets, function(set) sum(pairs$weight[set]), 0)
    for (at in order(weight)) {
        rest <- replace(inside, sets[[at]], FALSE)
        if (reference_consistent(pairs[rest, ], n)) return(sets[[at]])
    }
}

# The largest weight that a consistent subset can have, by trying all.
reference_most_weight <- function(pairs, n) {
    sets <- lapply(seq_len(2^nrow(pairs)) - 1, function(bits) {
        bitwAnd(bits, 2^(seq_len(nrow(pairs)) - 1)) > 0
    })
    weight <- vapply(sets, function(set) sum(pairs$weight[set]), 0)
    for (at in order(-weight)) {
        if (reference_consistent(pairs[sets[[at]], ], n)) return(weight[at])
    }
}
