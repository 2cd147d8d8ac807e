# Questions about samples in blocks, such as batches or donors. Samples of
# different blocks are compared only to join groups: as soon as no new group has
# turned up in any block for some time, and again later.

# A function that draws 16 pairs, each of one block, uniformly.
block_drawer <- function(block) {
    members <- split(seq_along(block), block)
    pairs <- choose(lengths(members), 2)
    function() {
        if (!any(pairs > 0)) return(matrix(integer(), 0L, 2L))
        own <- members[sample.int(length(members), 16L, TRUE, pairs)]
        t(vapply(own, function(some) {
            some[sample.int(length(some), 2L)]
        }, integer(2L), USE.NAMES = FALSE))
    }
}

# The order of each block by itself, one sample of each block in turn.
order_in_blocks <- function(weights, block) {
    orders <- lapply(split(seq_along(block), block), function(own) {
        if (length(own) < 3L) return(own)
        own[spectral_order(weights[own, own, drop = FALSE])]
    })
    place <- unlist(lapply(orders, seq_along))
    unlist(orders, use.names = FALSE)[order(place)]
}

# A question that joins two blocks, or NULL: the first sample of a group beside
# the nearest member of every group of an earlier block to which it may belong.
propose_joining <- function(state, record, block, distances) {
    if (!is_settled(state, block)) return(NULL)
    of <- vapply(state$groups, function(members) block[members[1L]], 0L)
    for (g in order(of)) {
        first <- state$groups[[g]][1L]
        for (b in seq_len(of[g] - 1L)) {
            open <- open_groups(state$groups[of == b], first, record,
                                distances)
            if (length(open)) {
                return(question_about(state, first, open, record$most))
            }
        }
    }
    NULL
}

# The nearest member of each of these groups, as they are shown; none when the
# sample is known to belong to one. Pairs that were asked are left out.
open_groups <- function(groups, sample, record, distances) {
    relation <- closure_relation(record$closure, sample, unlist(groups))
    if (!length(groups) || any(relation %in% "must-link")) return(integer())
    distance <- distances(sample)
    nearest <- nearest_members(groups, distance)
    asked <- vapply(groups, function(members) {
        any(was_asked(record, sample, members))
    }, NA)
    open <- nearest[!asked & is.na(closure_relation(record$closure, sample,
                                                    nearest))]
    open[shown_order(open, distance, record$most)]
}

# In every block the last samples, two or more and as many as it has groups,
# have all joined a group, or none is left.
is_settled <- function(state, block) {
    placed <- utils::head(state$order, state$at)
    founders <- vapply(state$groups, `[`, 0L, 1L)
    of <- block[founders]
    left <- tabulate(block[setdiff(state$order, placed)], max(block))
    all(vapply(seq_len(max(block)), function(b) {
        own <- placed[block[placed] == b]
        recent <- utils::tail(own, max(2L, sum(of == b)))
        left[b] == 0L || length(own) > length(recent) &&
            !any(recent %in% founders)
    }, NA))
}
