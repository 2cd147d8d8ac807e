# What pairs imply: closure, groups and their one numbering, contradictions.

# ==== closure =================================================================

# Implications of constraints: components of the must-link graph, the
# cannot-links between them, and the proof of a contradiction.

#' Transitive closure of constraints
#'
#' Must-links are transitive, and a cannot-link holds for all samples that are
#' must-linked to its two. `close_constraints()` lists these implied pairs,
#' `constraint_groups()` returns the groups.
#'
#' @param constraints An object of class
#'   [`pairwise_constraints`][pairwise_constraints()].
#' @param of Where the samples of the constraints are groups, as after
#'   `questionnaire(prepare_data(x, by = label))`: these labels, one for each of
#'   the samples of `x`.
#' @param names Names of the groups: a vector named by groups, or by samples (or
#'   labels) that belong to them, or one name for each group in order; `NULL`:
#'   those given on the page of [questionnaire_app()].
#'
#' @return `close_constraints()`: a `pairwise_constraints` object, of each kind
#'   the original pairs first, then the implied ones (`i < j`). Constraints from
#'   all labels are already closed; those from columns stay groups and labels.
#'
#' `constraint_groups()`: an integer per sample, named by sample: the number of
#' its group, of samples that must-links join, or of a single sample that is
#' apart from every group; `NA`: in no group. Groups are numbered by their
#' lowest sample, those of a questionnaire in order of founding, here and in all
#' other functions. With `of` or `names`: a factor of class `linkrank_labels`,
#' by which [group_markers()] knows that the groups come from these data, one
#' value per sample, or per element of `of`. A group without a name has those of
#' its members, as in `"3+6"`; a label that no answer joins with another stays a
#' group.
#'
#' @details Groups are computed by union-find. A group of m samples implies m
#'   (m - 1) / 2 must-links, and a cannot-link between groups of m and l samples
#'   m l cannot-links. No ranking needs the list.
#'
#' @section Errors: A cannot-link within a group is an error when the
#'   constraints are made, with a shortest chain that proves it.
#'   `linkrank_error_memory`: more than `getOption("linkrank.max_bytes")` bytes.
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
    check_bytes(20 * sum(count_closure(closure_of(constraints))), "The closure")
    implied <- implied_pairs(constraint_links(constraints))
    add_pairs(constraints, implied$first, implied$second, implied$must_link)
}

# Every pair of the closure, first < second: must-links by component, then
# cannot-links by pair of components. `links`: listed, see constraint_links().
implied_pairs <- function(links) {
    start <- links$member_start
    size <- diff(start)
    member <- links$member + 1L
    place <- seq_along(member)
    # each member and those behind it in its component
    behind <- rep(start[-1L], size) - place
    near <- rep(place, behind)
    # each member of the lower component and all of the other one
    lower <- rep(seq_len(links$count), diff(links$against_start))
    other <- links$against[links$against + 1L > lower] + 1L
    lower <- lower[links$against + 1L > lower]
    inside <- sequence(size[lower], start[lower] + 1L)
    other <- rep(other, size[lower])
    a <- member[c(near, rep(inside, size[other]))]
    b <- member[c(near + sequence(behind),
                  sequence(size[other], start[other] + 1L))]
    list(first = pmin.int(a, b), second = pmax.int(a, b),
         must_link = rep(c(TRUE, FALSE), c(length(near),
                                           length(a) - length(near))))
}

#' @rdname close_constraints
#' @export
constraint_groups <- function(constraints, of = NULL, names = NULL) {
    check_constraints(constraints)
    groups <- closure_groups(constraints)
    groups$code[groups$code > groups$count] <- NA
    if (!is.null(of) || !is.null(names))
        return(named_groups(constraints, groups, of, names))
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
        refuse_if(length(names) != length(own), "`names` must have a name for
                  each of the groups {quote_values(own)}, not {length(names)}.")
        key <- own
    }
    at <- match(key, own)
    at[is.na(at)] <- group[match(key[is.na(at)], labels)]
    refuse_if(anyNA(at), "`names` is named by
              {quote_values(key[is.na(at)][1L])}, no group or member of one.")
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
    key <- constraints$group_of
    if (!is.null(key)) {
        alone <- is.na(key)
        key[alone] <- max(key[!alone], 0L) + seq_len(sum(alone))
        return(match(key, unique(key)) - 1L)
    }
    must <- constraints$must_link
    .Call(C_components, constraints$samples, constraints$first[must],
          constraints$second[must])
}

# The class of each component, NA for none.
component_classes <- function(constraints, component) {
    side_of(constraints, component, seq_len(max(component) + 1L) - 1L)
}

# The closure by component, as the C code reads it (src/constraints.h): numbers
# from 0, compressed lists of the members of a component and of the components
# that are cannot-linked to it. Codes have a `side` per component instead of
# lists, its class from 0, -1 for none: components of different classes are
# cannot-linked. `listed`: return lists for these as well.
constraint_links <- function(constraints, listed = FALSE) {
    component <- components_of(constraints)
    count <- max(component) + 1L
    class <- if (!is.null(constraints$class_of))
        component_classes(constraints, component)
    pairs <- if (is.null(class)) {
        cannot <- !constraints$must_link
        cbind(component[constraints$first[cannot]],
              component[constraints$second[cannot]])
    } else if (listed) {
        check_bytes(60 * count_label_pairs(class, FALSE),
                    "The list of cannot-linked groups")
        label_pairs(class, FALSE) - 1L
    } else matrix(0L, 0L, 2L)
    # in both directions, sorted, without duplicates
    key <- unique(c(pairs %*% c(count, 1), pairs %*% c(1, count)))
    key <- sort.int(key, method = "quick")
    list(component = component, count = count, member = order(component) - 1L,
         member_start = c(0L, cumsum(tabulate(component + 1L, count))),
         against = as.integer(key %% count),
         against_start = c(0L, cumsum(tabulate(key %/% count + 1L, count))),
         side = if (!listed && !is.null(class))
             ifelse(is.na(class), -1L, class - 1L))
}

# ---- what pairs say of any two samples ---------------------------------------

# list(component, against, side): the must-link component of each sample, from
# 0; the keys of cannot-linked components, ascending, or of codes the class of
# each component, NA for none.
closure_of <- function(constraints) {
    component <- components_of(constraints)
    if (is_coded(constraints)) {
        return(list(component = component,
                    side = component_classes(constraints, component)))
    }
    pair_closure(constraints$first, constraints$second, constraints$must_link,
                 component = component)
}

# The same of pairs that are listed.
pair_closure <- function(first, second, must_link, samples,
                         component = .Call(C_components, samples,
                                           first[must_link],
                                           second[must_link])) {
    a <- component[first[!must_link]]
    b <- component[second[!must_link]]
    key <- pmin(a, b) * 2^26 + pmax(a, b)
    list(component = component,
         against = sort.int(unique(key), method = "quick"))
}

# Number of pairs in the closure, of each kind.
count_closure <- function(closure) {
    size <- as.numeric(tabulate(closure$component + 1L))
    pair <- component_pair(closure$against)
    on_side <- if (!is.null(closure$side))
        as.numeric(tapply(size, closure$side, sum))
    c(cannot_link = sum(size[pair$a + 1] * size[pair$b + 1]) +
          (sum(on_side)^2 - sum(on_side^2)) / 2,
      must_link = sum(size * (size - 1) / 2))
}

# The components of a key.
component_pair <- function(key) list(a = key %/% 2^26, b = key %% 2^26)

# "must-link", "cannot-link" or NA (not decided) for pairs i, j.
relation <- function(closure, i, j) {
    a <- closure$component[i]
    b <- closure$component[j]
    apart <- if (is.null(closure$side)) {
        key <- pmin(a, b) * 2^26 + pmax(a, b)
        # match() would hash all keys at every call
        closure$against[pmax(findInterval(key, closure$against), 1L)] == key
    } else closure$side[a + 1L] != closure$side[b + 1L]
    said <- ifelse(apart %in% TRUE, "cannot-link", NA_character_)
    said[a == b] <- "must-link"
    said
}

# Which of these samples are apart from one another: a symmetric matrix.
set_apart <- function(closure, samples) {
    outer(samples, samples, function(i, j) {
        relation(closure, i, j) %in% "cannot-link"
    })
}

# ==== groups ==================================================================

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
# names; disputed). Those of answers come in the order in which they were
# founded, others in that of their lowest samples. A sample in cannot-links only
# is a group of its own; if it is not apart from all others, its number is above
# `count`.
closure_groups <- function(constraints,
                           component = components_of(constraints)) {
    force(component) # refuses what would fill the memory
    disputed <- disputed_samples(constraints)
    touched <- replace(is_labelled(constraints), disputed, FALSE)
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
         names = group_labels(constraints, code, first), disputed = disputed)
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
    # the groups of each cannot-link, in both directions
    cannot <- !constraints$must_link
    ends <- cbind(code[constraints$first[cannot]],
                  code[constraints$second[cannot]])
    ends <- unique(rbind(ends, ends[, 2:1]))
    ends <- ends[!is.na(rowSums(ends)), , drop = FALSE]
    against <- tabulate(ends[several[ends[, 2L]], 1L], length(size))
    able <- which(!several & against == sum(several))
    among <- split(ends[, 2L], factor(ends[, 1L], able))
    alone <- logical(length(size))
    for (i in seq_along(able))
        alone[able[i]] <- sum(alone[among[[i]]]) == sum(alone)
    alone
}

# Names of groups: those that were given, of labels the class, else the number.
group_labels <- function(constraints, code, first) {
    names <- as.character(seq_along(first))
    given <- constraints$group_names
    if (is_from_labels(constraints)) {
        names <- constraints$classes[constraints$class_of[first]]
    } else if (NROW(given)) {
        group <- code[given$sample]
        names[group[!is.na(group)]] <- given$name[!is.na(group)]
    }
    # of two groups of one name nobody has said that they are one
    again <- names %in% names[duplicated(names)]
    names[again] <- paste0(names[again], " (", which(again), ")")
    names
}

show_samples <- function(samples, names) {
    names[samples] %||% as_names(samples)
}

# Two groups that no answer sets apart, the lowest ones; NULL where all are
# apart from one another.
undecided_groups <- function(constraints, groups) {
    closure <- closure_of(constraints)
    side <- closure$side[closure$component[groups$first] + 1L]
    # of thousands of classes only those that several groups have
    some <- if (is.null(side) || anyNA(side)) seq_along(groups$first) else
        which(side %in% side[duplicated(side)])
    for (g in some) {
        open <- which(is.na(relation(closure, groups$first[g], groups$first)))
        if (length(open)) return(c(g, open[1L]))
    }
}

# The class of each group, NA for none.
side_of <- function(constraints, code, groups) {
    class <- constraints$class_of
    labelled <- which(!is.na(class) & !is.na(code))
    class[labelled][match(groups, code[labelled])]
}

# ==== contradictions ==========================================================

# Which pairs contradict each other: cannot-links between samples that
# must-links connect, each with a shortest chain that proves it.

# list(count, at, chains): the number of contradictions; of the first `most`
# the positions of their cannot-links and the chains, sample numbers from one
# end to the other. A pair that is given twice counts once.
find_contradictions <- function(first, second, must_link, most = 10L) {
    if (!any(must_link) || all(must_link))
        return(list(count = 0L, at = integer(), chains = list()))
    # only few of many samples may be in a pair
    touched <- sort(unique(c(first, second)))
    a <- match(first, touched)
    b <- match(second, touched)
    component <- .Call(C_components, length(touched), a[must_link],
                       b[must_link])
    wrong <- which(!must_link & component[a] == component[b])
    wrong <- wrong[!duplicated(pair_key(a[wrong], b[wrong], length(touched)))]
    at <- utils::head(wrong, most)
    list(count = length(wrong), at = at, chains = lapply(at, function(row) {
        touched[.Call(C_shortest_path, length(touched), a[must_link],
                      b[must_link], a[row], b[row])]
    }))
}

check_no_contradiction <- function(first, second, must_link, names,
                                   class = "constraints") {
    wrong <- find_contradictions(first, second, must_link)
    if (wrong$count) abort_contradictions(wrong, first, second, names, class)
}

# One sentence that lists them. The condition holds the same as a table.
abort_contradictions <- function(wrong, first, second, names, class) {
    from <- show_samples(first[wrong$at], names)
    to <- show_samples(second[wrong$at], names)
    both <- lengths(wrong$chains) == 2L
    chains <- vapply(wrong$chains, show_path, "", names = names)
    said <- paste0(from, " and ", to, " (",
                   ifelse(both, "given as both", chains), ")")
    rest <- wrong$count - length(wrong$at)
    text <- if (wrong$count > 1L) {
        paste0("The pairs contain ", show_number(wrong$count), " ",
               "contradictions, a cannot-link and a chain of must-links each: ",
               paste(said, collapse = ", "),
               if (rest) paste0(" and ", show_number(rest), " more"))
    } else if (both) {
        paste0("Samples ", from, " and ", to, " are given both as ",
               "cannot-link and as must-link")
    } else {
        paste0("Samples ", from, " and ", to, " are cannot-linked, but ",
               chains, " is a chain of must-links")
    }
    abort_linkrank(text, "; reconcile_answers() settles answers that disagree.",
                   class = class, fields = list(contradictions = data.frame(
                       first = from, second = to, chain = chains
                   )))
}

# Of a long chain the beginning and the end are shown.
show_path <- function(path, names) {
    steps <- show_samples(path, names)
    if (length(steps) > 12L) {
        steps <- c(steps[1:6], paste0("(", length(steps) - 11L, " more)"),
                   utils::tail(steps, 5L))
    }
    paste(steps, collapse = "-")
}
