# Implications of constraints: components of the must-link graph, the
# cannot-links between them, and the proof of a contradiction.

#' Transitive closure of constraints
#'
#' Must-links are transitive, and a cannot-link between two samples holds for
#' all samples that are must-linked to them. `close_constraints()` lists these
#' implied pairs. `constraint_groups()` returns the groups that the pairs make.
#'
#' @param constraints An object of class
#'   [`pairwise_constraints`][pairwise_constraints()].
#' @param of Where the samples of the constraints are groups, as after
#'   `questionnaire(prepare_data(x, by = label))`: these labels, one for each of
#'   the samples of `x`.
#' @param names Names of the groups: a vector named by groups, or by samples (or
#'   labels) that belong to them, or one name for each group in their order;
#'   `NULL` for the names given on the result page of [questionnaire_app()].
#'
#' @return `close_constraints()`: a `pairwise_constraints` object with the
#'   original pairs first, in their order and direction, then the implied ones
#'   of each kind (`i < j`). Constraints made from all labels are already closed
#'   and are returned unchanged; those from columns stay groups and labels.
#'
#'   `constraint_groups()`: an integer per sample, named by sample if the
#'   samples have names: the number of its group, of samples that must-links
#'   join, or of a single sample that is apart from every group. Groups are
#'   numbered by their lowest sample, those of a questionnaire in the order in
#'   which they were founded, here and in
#'   [glean_labels()], [group_markers()], the column `highest` of rankings,
#'   plots and the page; `NA` is a sample in no group. With `of` or
#'   `names`: a factor of class `linkrank_labels`, by which [group_markers()]
#'   knows that the groups come from these data, one value per sample, or per
#'   element of `of`. A group without a name has those of its members, as in
#'   `"3+6"`; a label that no answer joins with another one stays a group of its
#'   own.
#'
#' @details Groups are computed by union-find, in close to linear time in
#' samples and pairs. A group of m samples implies m (m - 1) / 2 must-links, and
#' a cannot-link between groups of m and l samples implies m l cannot-links. The
#' closure can therefore be much longer than the constraints. No ranking needs
#' the list.
#'
#' @section Errors: A cannot-link within a group is a contradiction. It is an
#'   error when the constraints are made; the message shows a shortest chain of
#'   must-links that proves it. `linkrank_error_memory`: a closure, or groups of
#'   that many samples, that would take more than
#'   `getOption("linkrank.max_bytes")` bytes (default 4 GiB).
#'
#' @examples
#' links <- pairwise_constraints(cannot_link = cbind(1, 4),
#'                               must_link = rbind(c(1, 2), c(2, 3)),
#'                               samples = 5)
#' close_constraints(links)
#' constraint_groups(links)
#' @export
close_constraints <- function(constraints) {
    check_constraints(constraints)
    if (is_coded(constraints)) {
        # every member of a group has the class of the group
        component <- components_of(constraints)
        constraints$class_of <- component_classes(constraints,
                                                  component)[component + 1L]
        return(constraints)
    }
    links <- constraint_links(constraints)
    check_bytes(20 * sum(count_closure(links)), "The closure")
    implied <- .Call(C_closure, links)
    add_pairs(constraints, implied$first + 1L, implied$second + 1L,
              implied$must_link)
}

#' @rdname close_constraints
#' @export
constraint_groups <- function(constraints, of = NULL, names = NULL) {
    check_constraints(constraints)
    groups <- closure_groups(constraints)
    groups$code[groups$code > groups$count] <- NA
    if (!is.null(of) || !is.null(names)) {
        return(named_groups(constraints, groups, of, names))
    }
    stats::setNames(groups$code, constraints$names)
}

# The samples that must-links join, numbered from 1; NA for all others.
must_linked_groups <- function(constraints) {
    component <- components_of(constraints) + 1L
    component[tabulate(component)[component] < 2L] <- NA
    match(component, unique(component[!is.na(component)]))
}

# The groups of the elements of `of`, or of the samples, as a factor.
named_groups <- function(constraints, groups, of, names) {
    labels <- show_samples(seq_len(constraints$samples), constraints$names)
    own <- groups$names[seq_len(groups$count)]
    group <- groups$code
    at <- seq_along(labels)
    if (!is.null(of)) {
        of <- as_class_labels(of, "of")
        at <- match(levels(of), labels)
        refuse_if(anyNA(at), "`of` has the label ",
                  quote_values(levels(of)[is.na(at)][1L]),
                  ", which is no sample of `constraints`: they must be the ",
                  "labels that prepare_data() got as `by`.")
        at <- at[of]
        # groups of clusters have the names of these, unless they were named
        group[is.na(group)] <- groups$count + seq_len(sum(is.na(group)))
        members <- vapply(split(labels, group), paste, "", collapse = "+",
                          USE.NAMES = FALSE)
        named <- which(own != seq_along(own))
        own <- replace(members, named, own[named])
    }
    derived_labels(group[at], name_groups(own, group, labels, names))
}

# The names of groups; `own`: those that they have by their members.
name_groups <- function(own, group, labels, names) {
    if (!length(names)) return(own)
    refuse_if(anyNA(names) || !all(nzchar(trimws(names))),
              "`names` must be texts, none of them empty or NA.")
    key <- names(names)
    if (is.null(key)) {
        refuse_if(length(names) != length(own), "`names` must have a name for ",
                  "each of the ", length(own), " groups (",
                  quote_values(own), "), not ", length(names), ".")
        key <- own
    }
    at <- match(key, own)
    at[is.na(at)] <- group[match(key[is.na(at)], labels)]
    refuse_if(anyNA(at), "`names` is named by ",
              quote_values(key[is.na(at)][1L]),
              ", which is neither a group nor one of their members.")
    names <- as_names(names)
    given <- unique(data.frame(at, names))
    twice <- anyDuplicated(given$at)
    refuse_if(twice, "`names` must give one name to a group, but group ",
              quote_values(own[given$at[twice]]), " gets ",
              quote_values(given$names[given$at == given$at[twice]]), ".")
    own[given$at] <- given$names
    twice <- anyDuplicated(own)
    refuse_if(twice, "`names` must be different for different groups, but two ",
              "are ", quote_values(own[twice]), ": a must-link makes them one.")
    own
}

# Component of each sample, from 0, by the lowest sample; a sample without
# must-links is a component of its own.
components_of <- function(constraints) {
    # counting and numbering components takes ten integers per sample
    check_bytes(40 * constraints$samples, "The groups of samples")
    if (is_coded(constraints)) {
        key <- constraints$group_of
        alone <- is.na(key)
        key[alone] <- max(key[!alone], 0L) + seq_len(sum(alone))
        return(match(key, unique(key)) - 1L)
    }
    must <- constraints$must_link
    .Call(C_components, constraints$samples, constraints$first[must],
          constraints$second[must])
}

# The closure by component, as the C code reads it (src/constraints.h): numbers
# from 0, compressed lists of the members of a component and of the components
# that are cannot-linked to it. Codes have a `side` per component instead of
# lists, its class from 0, -1 for none: components of different classes are
# cannot-linked. `listed`: return lists for these as well.
constraint_links <- function(constraints, listed = FALSE) {
    component <- components_of(constraints)
    count <- max(component) + 1L
    side <- if (is_coded(constraints)) {
        class <- component_classes(constraints, component) - 1L
        ifelse(is.na(class), -1L, class)
    }
    against <- if (is.null(side)) {
        cannot <- !constraints$must_link
        both_directions(component[constraints$first[cannot]],
                        component[constraints$second[cannot]], count)
    } else if (listed) {
        side_pairs(side)
    }
    list(component = component, count = count,
         member = order(component) - 1L,
         member_start = compressed_starts(component, count),
         against = as.integer(against$to),
         against_start = compressed_starts(against$from, count),
         side = if (!listed) side)
}

# Components of different classes.
side_pairs <- function(side) {
    known <- ifelse(side < 0L, NA_integer_, side + 1L)
    check_bytes(60 * count_label_pairs(known, FALSE),
                "The list of cannot-linked groups")
    pairs <- label_pairs(known, FALSE) - 1L
    both_directions(pairs[, 1L], pairs[, 2L], length(side))
}

# Pairs of components, each in both directions, sorted, without duplicates.
both_directions <- function(a, b, count) {
    key <- unique(c(a * as.numeric(count) + b, b * as.numeric(count) + a))
    key <- sort.int(key, method = "quick")
    list(from = as.integer(key %/% count), to = as.integer(key %% count))
}

compressed_starts <- function(rows, count) {
    c(0L, cumsum(tabulate(rows + 1L, count)))
}

# Number of pairs in the closure, of each kind.
count_closure <- function(links) {
    size <- as.numeric(diff(links$member_start))
    from <- rep(seq_len(links$count), diff(links$against_start))
    side <- links$side %||% rep(-1L, links$count)
    on_side <- as.numeric(tapply(size[side >= 0L], side[side >= 0L], sum))
    c(cannot_link = sum(size[from] * size[links$against + 1L]) / 2 +
          (sum(on_side)^2 - sum(on_side^2)) / 2,
      must_link = sum(size * (size - 1) / 2))
}
