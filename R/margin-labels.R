# Margins of constraints from all labels: every pair of labelled samples of
# different classes counts, but they are summed together (margin_labels.h).

# Scratch takes about 110 bytes for each hit of each labelled sample.
label_sums_fit <- function(pairs, lists) {
    !is.null(pairs$label) && as.numeric(lists$k) * length(lists$ends) <= 4e6
}

# What C_constrained_margins returns, and `magnitude`, the size of the terms
# that the sum of squares is made of. Categories and features with missing
# values go through the pairs.
label_margins <- function(data, scaling, pairs, lists, control) {
    # lr_labels: the labelled samples class by class, their hits, whose hit a
    # sample is, and the nodes of the tree of classes; all counted from 0.
    label <- pairs$label
    by_class <- order(label)
    # the must-linked ones come first
    own <- seq_len(nrow(lists$row)) > lists$others
    found <- lists$row[order(!own), by_class, drop = FALSE]
    there <- which(found > 0L)
    owner <- (there - 1L) %/% nrow(found)
    kept <- sequence(tabulate(owner + 1L, length(label))) <= lists$k
    owner <- owner[kept]
    hit <- found[there[kept]] - 1L
    hits <- tabulate(owner + 1L, length(label))
    index <- list(row = lists$ends[by_class] - 1L,
                  start = c(0L, cumsum(hits)), hit = hit, owner = owner,
                  user_start = c(0L, cumsum(tabulate(hit + 1L, data$n))),
                  user = owner[order(hit)],
                  with_hits = c(0L, cumsum(hits > 0L)),
                  nodes = class_tree(tabulate(label)))
    sums <- .Call(C_label_margins, data, scaling, index, control)
    sums$deviation <- sums$margin
    sums$magnitude <- sums$magnitude + sums$margin^2 / pairs$count
    sums$pairs <- pairs$count
    plain <- !scaling$category & scaling$missing == 0L
    if (any(!plain & scaling$divisor != 0)) {
        scaling$divisor[plain] <- 0
        others <- .Call(C_constrained_margins, data, scaling, pairs, lists,
                        TRUE, control)
        for (name in c("margin", "deviation", "square", "size")) {
            sums[[name]][!plain] <- others[[name]][!plain]
        }
    }
    sums
}

# A binary tree of classes, each node with about as many samples on either side:
# columns of the labelled samples begin .. middle - 1, middle .. end - 1 and the
# nodes of both parts, -1 for a single class.
class_tree <- function(sizes) {
    sizes <- sizes[sizes > 0L]
    before <- c(0L, cumsum(sizes))
    nodes <- matrix(-1L, 5L, length(sizes) - 1L)
    made <- 0L
    # parts to be split: first, last, and where their number belongs
    waiting <- list(c(1L, length(sizes), NA, NA))
    while (length(waiting)) {
        part <- waiting[[length(waiting)]]
        waiting[[length(waiting)]] <- NULL
        if (part[1L] == part[2L]) next
        if (made > 0L) nodes[part[3L], part[4L]] <- made
        made <- made + 1L
        # the last class of the first part, with about half of the samples
        half <- (before[part[1L]] + before[part[2L] + 1L]) / 2
        ends <- part[1L]:(part[2L] - 1L)
        cut <- ends[which.min(abs(before[ends + 1L] - half))]
        nodes[1:3, made] <- before[c(part[1L], cut + 1L, part[2L] + 1L)]
        waiting <- c(waiting, list(c(cut + 1L, part[2L], 5L, made),
                                   c(part[1L], cut, 4L, made)))
    }
    nodes
}
