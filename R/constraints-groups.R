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
    if (is.null(pairs)) {
        return(integer())
    }
    n <- constraints$samples
    settled <- pair_key(pairs[, 1L], pairs[, 2L], n) %in%
        pair_key(constraints$first, constraints$second, n)
    must <- constraints$must_link
    setdiff(pairs[!settled, ],
            c(constraints$first[must], constraints$second[must]))
}

# A sample that is in cannot-links only is a group of its own, unless it is in
# dispute. Groups are numbered and named by their lowest sample: list(code, per
# sample, NA for one in no pair; first, these samples; names; size).
closure_groups <- function(constraints) {
    touched <- setdiff(which(is_labelled(constraints)),
                       disputed_samples(constraints))
    component <- components_of(constraints)[touched]
    code <- rep(NA_integer_, constraints$samples)
    code[touched] <- match(component, unique(component))
    first <- match(seq_len(max(code, 0L, na.rm = TRUE)), code)
    list(code = code, first = first,
         names = show_samples(first, constraints$names),
         size = tabulate(code, length(first)))
}

show_samples <- function(samples, names) {
    if (is.null(names)) as.character(samples) else names[samples]
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
