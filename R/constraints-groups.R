# The groups that closure makes of the samples in given pairs.

# Samples in some pair. A group of one sample and a single known class make
# none.
is_labelled <- function(constraints) {
    if (!is_coded(constraints)) {
        return(seq_len(constraints$samples) %in%
                   c(constraints$first, constraints$second))
    }
    group_of <- constraints$group_of
    class_of <- constraints$class_of
    several <- length(unique(class_of[!is.na(class_of)])) > 1L
    (tabulate(group_of)[group_of] > 1L) %in% TRUE | !is.na(class_of) & several
}

# Samples in dispute found no group: answers about them were left out, and no
# must-link that stayed says where they belong.
disputed_samples <- function(constraints) {
    pairs <- constraints$disputes
    if (is.null(pairs)) return(integer())
    n <- constraints$samples
    settled <- pair_key(pairs[, 1L], pairs[, 2L], n) %in%
        pair_key(constraints$first, constraints$second, n)
    must <- constraints$must_link
    setdiff(pairs[!settled, ],
            c(constraints$first[must], constraints$second[must]))
}

# In a question the sample that is asked about comes first, beside a member of a
# group.
founding_order <- function(first, second) unique(c(rbind(second, first)))

# The groups of the answers, the one numbering of them: list(code, per sample,
# NA for one in no pair or in dispute; first, a sample of each; size; count;
# names). Those of answers come in the order in which they were founded, others
# in that of their lowest samples. A sample in cannot-links only is a group of
# its own; if it is not apart from all others, its number is above `count`.
closure_groups <- function(constraints) {
    component <- components_of(constraints)
    touched <- is_labelled(constraints)
    touched[disputed_samples(constraints)] <- FALSE
    order <- unique(c(constraints$founded, which(touched)))
    order <- order[touched[order]]
    code <- rep(NA_integer_, constraints$samples)
    code[order] <- match(component[order], unique(component[order]))
    size <- tabulate(code, max(code, 0L, na.rm = TRUE))
    apart <- size > 1L | lone_groups(constraints, code, size)
    number <- order(!apart)
    code <- match(code, number)
    first <- order[match(seq_along(size), code[order])]
    list(code = code, first = first, size = size[number], count = sum(apart),
         names = group_labels(constraints, code, first))
}

# Which single samples are apart from every group of several, and from those of
# their kind before them?
lone_groups <- function(constraints, code, size) {
    several <- size > 1L
    if (is_coded(constraints)) {
        side <- side_of(constraints, code, seq_along(size))
        return(!several & !is.na(side) & !anyNA(side[several]) &
                   !side %in% side[several] & !duplicated(side))
    }
    cannot <- !constraints$must_link
    ends <- cbind(code[constraints$first[cannot]],
                  code[constraints$second[cannot]])
    ends <- unique(rbind(ends, ends[, 2:1]))
    ends <- ends[!is.na(rowSums(ends)), , drop = FALSE]
    against <- tabulate(ends[several[ends[, 2L]], 1L], length(size))
    able <- which(!several & against == sum(several))
    among <- split(ends[, 2L], factor(ends[, 1L], able))
    found <- logical(length(size))
    for (at in seq_along(able)) {
        found[able[at]] <- sum(found[among[[at]]]) == sum(found)
    }
    found
}

# Names of groups: those that were given, of labels the class, else the number.
group_labels <- function(constraints, code, first) {
    names <- as.character(seq_along(first))
    given <- constraints$group_names
    if (is_from_labels(constraints)) {
        names <- constraints$classes[constraints$class_of[first]]
    } else if (NROW(given)) {
        at <- code[given$sample]
        names[at[!is.na(at)]] <- given$name[!is.na(at)]
    }
    # of two groups of one name nobody has said that they are one
    again <- names %in% names[duplicated(names)]
    names[again] <- paste0(names[again], " (", which(again), ")")
    names
}

show_samples <- function(samples, names) {
    if (is.null(names)) as_names(samples) else names[samples]
}

# Which groups, numbers from 1 per sample, an answer sets apart: a symmetric
# matrix.
groups_apart <- function(constraints, code, count) {
    apart <- matrix(FALSE, count, count)
    if (is_coded(constraints)) {
        side <- side_of(constraints, code, seq_len(count))
        apart[] <- outer(side, side, `!=`) %in% TRUE
        return(apart)
    }
    cannot <- !constraints$must_link
    pairs <- cbind(code[constraints$first[cannot]],
                   code[constraints$second[cannot]])
    pairs <- pairs[!is.na(rowSums(pairs)), , drop = FALSE]
    apart[rbind(pairs, pairs[, 2:1])] <- TRUE
    apart
}

# Two groups that no answer sets apart, the lowest ones; NULL where all are
# apart from one another.
undecided_groups <- function(constraints, groups) {
    if (is_coded(constraints)) {
        return(same_side(side_of(constraints, groups$code,
                                 seq_along(groups$size))))
    }
    apart <- groups_apart(constraints, groups$code, length(groups$size))
    # by row, each pair once
    open <- which(t(!apart & upper.tri(apart)))[1L] - 1L
    if (!is.na(open)) {
        c(open %/% nrow(apart), open %% nrow(apart)) + 1L
    }
}

# The class of each group, NA for none.
side_of <- function(constraints, code, groups) {
    class <- constraints$class_of
    known <- which(!is.na(class) & !is.na(code))
    class[known][match(groups, code[known])]
}

# Two groups of one class, or one without a class and another one.
same_side <- function(side) {
    if (anyNA(side)) {
        without <- match(NA, side)
        return(sort(c(without, if (without == 1L) 2L else 1L)))
    }
    again <- anyDuplicated(side)
    if (again) c(match(side[again], side), again)
}
