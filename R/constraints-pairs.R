# The pairs of a set as one value: how many there are, which of them are summed,
# and what their confidence counts for.

# ==== counts and weights ======================================================

# Pairs of each kind.
count_pairs <- function(constraints) {
    if (is_coded(constraints)) return(c(
        cannot_link = count_label_pairs(constraints$class_of, FALSE),
        must_link = count_label_pairs(constraints$group_of, TRUE)))
    must <- sum(constraints$must_link)
    c(cannot_link = length(constraints$must_link) - must, must_link = must)
}

# Number of pairs of entries that are equal in all vectors.
count_alike <- function(...) {
    sizes <- as.numeric(table(...))
    sum(sizes * (sizes - 1) / 2)
}

# Number of constraints that a partition violates, of each kind.
count_broken <- function(constraints, cluster) {
    if (is_coded(constraints)) {
        class_of <- constraints$class_of
        group_of <- constraints$group_of
        labelled <- !is.na(class_of)
        return(c(cannot_link = count_alike(cluster[labelled]) -
                     count_alike(class_of[labelled], cluster[labelled]),
                 must_link = count_alike(group_of) -
                     count_alike(group_of, cluster)))
    }
    same <- cluster[constraints$first] == cluster[constraints$second]
    c(cannot_link = sum(same & !constraints$must_link),
      must_link = sum(!same & constraints$must_link))
}

# Weights of some pairs, their confidence (NA: 1) divided by its mean, so that
# sums over pairs keep their scale; NULL if all are equal.
confidence_weights <- function(constraints, which = TRUE) {
    # published propagation has no weights
    if (identical(constraints$propagation$method, "published")) return(NULL)
    confidence <- constraints$confidence[which]
    confidence[is.na(confidence)] <- 1
    if (any(confidence != confidence[1L])) confidence / mean(confidence)
}

# ==== blocks ==================================================================

# Cannot-links across blocks, such as batches or donors. They are left out of
# sums, since whatever the blocks differ in would separate their samples; what
# they imply within a block still keeps samples apart.

# Has a part of the samples pairs of every kind that the whole has?
keeps_kinds <- function(part, whole, block = NULL) {
    part <- pairs_of(part, block)
    all(c(part$count, part$kinds[["must_link"]]) > 0 | count_pairs(whole) == 0)
}

# Tells how many cannot-links join two blocks and are left out of the sums;
# stops where none is left.
note_across <- function(pairs) {
    count <- pairs$kinds[["cannot_link"]]
    across <- count - pairs$count
    all <- count_noun(count, "cannot-link")
    one <- across == 1
    refuse_if(across > 0 && across == count,
              "`block` leaves no cannot-link, because ",
              if (one) "the only cannot-link joins" else
                  paste("all", all, "join"), " different blocks: give pairs ",
              "within a block, or corrected data or `space` without `block`.",
              class = "constraints")
    inform_if(across > 0, show_number(across), " of ", all,
              if (one) " is" else " are", " left out, because the two ",
              "samples are of different blocks.", class = "pairs")
}

# What to do where no block has a sample besides the two of a pair, as with the
# tumour and the normal sample of each patient; NULL elsewhere.
matched_note <- function(block) {
    if (!is.null(block) && max(tabulate(block)) < 3L)
        paste0(": no block has a sample besides the two of a pair, so none ",
               "has other neighbours; leave `block` out, or give the labels, ",
               "if it is known which sample of each pair is which: ",
               "group_markers(x, labels, block = )")
}

# The cannot-links within blocks by end point: a list of pairs, or the labels of
# the ends and their blocks, in which pairs are of one block; their `count`; of
# all pairs `kinds` (count_pairs()) and `touched`, how many samples have any.
pairs_of <- function(constraints, block = NULL) {
    kinds <- count_pairs(constraints)
    label <- constraints$class_of
    if (!is.null(label)) {
        count <- kinds[["cannot_link"]]
        ends <- which(!is.na(label))
        if (!is.null(block)) {
            inside <- vapply(split(label[ends], factor(
                block[ends], seq_len(max(block[ends], 0L)))),
                count_label_pairs, 0, same = FALSE)
            ends <- ends[inside[block[ends]] > 0]
            count <- sum(inside)
        }
        return(list(ends = ends, count = count, kinds = kinds,
                    touched = sum(is_labelled(constraints)), first = NULL,
                    second = NULL, label = label[ends], weight = NULL,
                    block = block[ends]))
    }
    used <- !constraints$must_link
    if (!is.null(block))
        used <- used & block[constraints$first] == block[constraints$second]
    first <- constraints$first[used]
    second <- constraints$second[used]
    ends <- sort.int(unique(c(first, second)), method = "quick")
    list(ends = ends, count = length(first), kinds = kinds,
         touched = length(unique(c(constraints$first, constraints$second))),
         first = match(first, ends), second = match(second, ends), label = NULL,
         weight = confidence_weights(constraints, used))
}

# ---- columns that separate the samples of the cannot-links -------------------

# Tells once of a column of the sample data, such as a batch, that differs
# between the samples of at least 90 % of the cannot-links, if these are 8 or
# more and random pairs would not do so. A column that agrees with all pairs,
# three must-links among them, is what the pairs are about, and one as fine as
# three groups or more may be.
note_split_column <- function(constraints, data) {
    columns <- data$sample_data
    # none where there are codes
    cannot <- which(constraints$must_link %in% FALSE)
    if (length(cannot) < 8L || !length(columns)) return(invisible())
    delayedAssign("groups", sum(closure_groups(constraints)$size > 1L))
    for (name in names(columns)) {
        # codes of a column of categories without NA, from two to a third of
        # the samples
        values <- columns[[name]]
        if (isS4(values)) values <- plain_column(values)
        category <- is.factor(values) || is.character(values) ||
            is.logical(values) || is.integer(values)
        if (!category || length(values) != data$n || anyNA(values)) next
        values <- match(values, unique(values))
        if (max(values) < 2L || max(values) > data$n / 3) next
        splits <- values[constraints$first] != values[constraints$second]
        share <- tabulate(values) / length(values)
        by_chance <- stats::pbinom(sum(splits[cannot]) - 1, length(cannot),
                                   1 - sum(share^2), lower.tail = FALSE)
        agrees <- all(splits != constraints$must_link) &&
            sum(constraints$must_link) >= 3L
        if (mean(splits[cannot]) >= 0.9 && by_chance < 0.05 && !agrees &&
            (groups < 3L || max(values) < groups)) {
            inform_once(paste("split by", name), sum(splits[cannot]), " of ",
                        length(cannot), " cannot-links are between values of ",
                        "column \"", name, "\" of the sample data: if it is a ",
                        "batch or donor, give it as `block`.", class = "pairs")
            return(invisible())
        }
    }
}
