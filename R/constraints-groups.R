# The groups that closure makes of the samples in given pairs.

# Samples in some pair.
is_labelled <- function(constraints) {
    if (is_coded(constraints)) {
        return(coded_samples(constraints))
    }
    seq_len(constraints$samples) %in% c(constraints$first, constraints$second)
}

# A sample that is in cannot-links only is a group of its own. Groups are
# numbered and named by their lowest sample: list(code, per sample, NA for one
# in no pair; first, these samples; names; size).
closure_groups <- function(constraints) {
    touched <- which(is_labelled(constraints))
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

# Two of the groups `kept` that no answer sets apart, the lowest ones; NULL
# where all are apart from one another.
undecided_groups <- function(constraints, groups,
                             kept = seq_along(groups$size)) {
    if (is_from_labels(constraints) || length(kept) < 2L) {
        return(NULL)
    }
    if (from_columns(constraints)) {
        return(same_side(class_codes(constraints), groups$code, kept))
    }
    cannot <- !constraints$must_link
    a <- groups$code[constraints$first[cannot]]
    b <- groups$code[constraints$second[cannot]]
    among <- a %in% kept & b %in% kept
    pairs <- cbind(pmin(a, b), pmax(a, b))[among, , drop = FALSE]
    # one number for a pair: unique() of a matrix writes every row as text
    key <- pairs[, 1L] * as.double(length(groups$size)) + pairs[, 2L]
    pairs <- pairs[!duplicated(key), , drop = FALSE]
    if (nrow(pairs) == length(kept) * (length(kept) - 1) / 2) {
        return(NULL)
    }
    met <- tabulate(pairs, max(kept))[kept]
    lowest <- kept[match(TRUE, met < length(kept) - 1L)]
    against <- c(pairs[pairs[, 1L] == lowest, 2L],
                 pairs[pairs[, 2L] == lowest, 1L])
    c(lowest, setdiff(kept, c(lowest, against))[1L])
}

# Two groups of one class, or one without a class and another one.
same_side <- function(class, code, kept) {
    known <- which(!is.na(class) & !is.na(code))
    side <- class[known][match(kept, code[known])]
    if (anyNA(side)) {
        without <- match(NA, side)
        return(kept[sort(c(without, if (without == 1L) 2L else 1L))])
    }
    again <- anyDuplicated(side)
    if (again) kept[c(match(side[again], side), again)]
}
