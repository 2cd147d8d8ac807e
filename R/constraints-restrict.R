# Constraints for a subset of samples, in another order, or matched to data by
# name.

#' Restrict constraints to a subset of samples
#'
#' Restricts constraints to some samples, such as a fold of a cross-validation,
#' or adapts them to reordered data. All information about these samples is
#' kept.
#'
#' @param constraints An object of class
#'   [`pairwise_constraints`][pairwise_constraints()].
#' @param samples The samples to keep, each once: row numbers, sample names, or
#'   a logical vector with a value for every sample, by name if it has names.
#'   They become samples 1, 2, ... in the order given.
#'
#' @return Constraints of these samples. A message
#'   `linkrank_message_constraints` reports how many pairs were dropped, if any.
#'
#' @details
#' * A pair of two kept samples is kept, with direction, confidence and
#'   position.
#' * A must-link group that lost samples is connected again by the fewest
#'   must-links, in ascending order of old numbers.
#' * In a cannot-link a removed sample is replaced by the lowest remaining
#'   member of its must-link group, unless the groups already have a
#'   cannot-link; without one the pair is dropped.
#'
#' The closure ([close_constraints()]) on the kept samples is therefore the
#' same. Constraints from all labels or columns keep these.
#' [active_constraints()] keeps its questions, eigenvectors and similarity when
#' samples are only reordered, else the pairs alone.
#'
#' @section Matching by name: Functions match data and constraints by sample
#'   name when both have names. Remaining pairs are used as above, and a message
#'   reports how many were dropped; none left is an error. Samples that the
#'   constraints do not contain are in no pair. Otherwise samples are matched by
#'   position, and their numbers must agree; a message says so when only the
#'   constraints have names. Automatic row names are not names.
#'
#' @section Errors: `linkrank_error_constraints`: an unknown or repeated sample,
#'   or no sample.
#'
#' @seealso [pairwise_constraints()], [evaluate_method()]
#' @examples
#' links <- pairwise_constraints(
#'     cannot_link = rbind(c("a", "d"), c("e", "f")),
#'     must_link = rbind(c("a", "b"), c("b", "c")),
#'     samples = letters[1:6]
#' )
#' restrict_constraints(links, c("a", "c", "d", "e"))
#' restrict_constraints(links, 6:1)
#' @export
restrict_constraints <- function(constraints, samples) {
    check_constraints(constraints)
    check_given(samples, "the numbers or names of the samples to keep")
    count <- constraints$samples
    if (is.factor(samples)) samples <- as.character(samples)
    if (is.character(samples)) {
        rows <- match_samples(matrix(samples, ncol = 1L), "samples",
                              constraints$names, "`constraints`")
    } else if (is.logical(samples)) {
        refuse_value_if(length(samples) != count || anyNA(samples), samples,
                        "`samples` must be TRUE or FALSE for each of ",
                        count_noun(count, "sample"), class = "constraints")
        rows <- which(match_places(samples, constraints$names, "samples",
                                   "constraints"))
    } else {
        if (is.numeric(samples)) samples <- as.vector(samples)
        rows <- check_sample_numbers(samples, "samples", count)
    }
    refuse_if(!length(rows), "`samples` must keep at least one sample, but it ",
              "keeps none.", class = "constraints")
    twice <- rows[anyDuplicated(rows)]
    refuse_if(length(twice), "`samples` must contain each sample once, but ",
              show_samples(twice, constraints$names), " is duplicated.",
              class = "constraints")
    rows <- as.integer(rows)
    follow_and_report(constraints, rows, constraints$names[rows])
}

# follow_samples() with its messages.
follow_and_report <- function(constraints, rows, names) {
    part <- follow_samples(constraints, rows, names)
    report_dropped(part, constraints)
    part$constraints
}

# list(constraints, dropped, similarity): the constraints of the samples `rows`
# (NA: a sample that is not in the constraints), which become samples 1, 2, ...;
# the number of dropped pairs; whether a similarity had to be left out.
follow_samples <- function(constraints, rows, names) {
    if (is_coded(constraints)) return(follow_codes(constraints, rows, names))
    part <- follow_groups(constraints, rows)
    part$samples <- length(rows)
    part["names"] <- list(names)
    part$disputes <- follow_disputes(constraints, rows)
    part$conflicts <- follow_conflicts(constraints, rows)
    if (setequal(rows, seq_len(constraints$samples))) {
        return(list(constraints = reorder_pairs(part, rows), dropped = 0,
                    similarity = FALSE))
    }
    kept <- follow_pairs(constraints, rows)
    ends <- c("first", "second")
    kept$pairs[ends] <- lapply(kept$pairs[ends], match, rows)
    list(constraints = with_rows(part, kept$pairs), dropped = kept$dropped,
         similarity = !is.null(constraints$similarity))
}

# follow_samples() of codes: when a group loses its samples of known class, its
# lowest remaining sample gets this class.
follow_codes <- function(constraints, rows, names) {
    component <- components_of(constraints)
    staying <- sort(rows)
    class_of <- constraints$class_of
    heir <- staying[!duplicated(component[staying])]
    kept_parts <- component[staying[!is.na(class_of[staying])]]
    heir <- heir[!component[heir] %in% kept_parts]
    class_of[heir] <- component_classes(constraints,
                                        component)[component[heir] + 1L]
    part <- constraints
    part$samples <- length(rows)
    part["names"] <- list(names)
    part[c("group_of", "groups")] <- used_codes(constraints$group_of[rows],
                                                constraints$groups)
    part[c("class_of", "classes")] <- used_codes(class_of[rows],
                                                 constraints$classes)
    # a pair of a group that has samples left is not dropped
    placed <- constraints$class_of
    placed[!component %in% component[staying]] <- NA
    dropped <- count_pairs(constraints) -
        c(count_label_pairs(placed, FALSE), count_pairs(part)[["must_link"]])
    list(constraints = part, dropped = sum(dropped), similarity = FALSE)
}

# list(codes, names) without names that no sample has.
used_codes <- function(codes, names) {
    used <- factor(codes)
    list(as.integer(used), names[as.integer(levels(used))])
}

# A sample stays in dispute when the other one of its pair is gone: the pair is
# then of this sample with itself, and nothing decides it.
follow_disputes <- function(constraints, rows) {
    pairs <- constraints$disputes
    if (is.null(pairs)) return(NULL)
    pairs <- matrix(match(pairs, rows), ncol = 2L)
    pairs <- ifelse(is.na(pairs), pairs[, 2:1], pairs)
    pairs <- pairs[!is.na(pairs[, 1L]), , drop = FALSE]
    if (nrow(pairs)) pairs
}

# Answers about a sample that is gone go, too.
follow_conflicts <- function(constraints, rows) {
    conflicts <- constraints$conflicts
    kept <- show_places(rows, constraints$names)
    conflicts <- conflicts[conflicts$first %in% kept &
                               conflicts$second %in% kept, ]
    if (!NROW(conflicts)) return(conflicts)
    if (is.null(constraints$names)) {
        ends <- c("first", "second")
        conflicts[ends] <- lapply(conflicts[ends], match, rows)
        # but not "(7 more)"
        numbers <- gregexpr("[0-9]++(?! more)", conflicts$chain, perl = TRUE)
        regmatches(conflicts$chain, numbers) <- lapply(
            regmatches(conflicts$chain, numbers),
            function(old) ifelse(old %in% rows, match(old, rows), "?")
        )
    }
    as_conflicts(conflicts)
}

# Number and name of a group go with its members; a name whose sample is gone
# goes to another member.
follow_groups <- function(constraints, rows) {
    founded <- match(constraints$founded, rows)
    constraints$founded <- if (length(founded)) founded[!is.na(founded)]
    named <- constraints$group_names
    if (!is.null(named)) {
        component <- components_of(constraints)
        heir <- rows[match(component[named$sample], component[rows])]
        named$sample <- match(ifelse(named$sample %in% rows, named$sample,
                                     heir), rows)
        constraints$group_names <- named[!is.na(named$sample), ]
    }
    constraints
}

# list(pairs, dropped): rows of pairs by old numbers, and how many are gone. The
# pairs of two kept samples stay, a cannot-link moves to the lowest remaining
# members of its groups, and new must-links reconnect a group.
follow_pairs <- function(constraints, rows) {
    pairs <- pair_rows(constraints)
    must <- pairs$must_link
    inside <- pairs$first %in% rows & pairs$second %in% rows
    component <- components_of(constraints)
    key <- pair_key(component[pairs$first] + 1, component[pairs$second] + 1,
                    constraints$samples)
    staying <- as.integer(sort(rows))
    lowest <- staying[match(component, component[staying])]
    for (end in c("first", "second")) {
        leaves <- !must & !pairs[[end]] %in% rows
        pairs[[end]][leaves] <- lowest[pairs[[end]][leaves]]
    }
    placed <- !is.na(pairs$first) & !is.na(pairs$second)
    moved <- !must & placed & !inside & !key %in% key[inside & !must]
    moved[moved] <- !duplicated(key[moved])
    joins <- reconnecting_links(component, staying, pairs[inside & must, ])
    list(pairs = rbind(pairs[inside | moved, ], joins),
         dropped = sum(!placed, must & !inside) - nrow(joins))
}

# Must-links that reconnect the groups that those which are left (`pairs`) no
# longer connect: from each ascending member that is in none of the connected
# parts before it, to the member before.
reconnecting_links <- function(component, staying, pairs) {
    left <- .Call(C_components, length(component), pairs$first, pairs$second)
    member <- staying[order(component[staying])]
    joins <- which(duplicated(component[member]) & !duplicated(left[member]))
    new_pairs(member[joins - 1L], member[joins], TRUE)
}

# All samples in another order: the pairs, and what follow_samples() leaves.
reorder_pairs <- function(constraints, rows) {
    place <- match(seq_along(rows), rows)
    constraints$first <- place[constraints$first]
    constraints$second <- place[constraints$second]
    for (column in c("i", "j", "entry")) {
        old <- constraints$questions[[column]]
        if (!is.null(old)) constraints$questions[[column]] <- place[old]
    }
    if (!is.null(constraints$vectors))
        constraints$vectors <- constraints$vectors[rows, , drop = FALSE]
    if (!is.null(constraints$similarity)) {
        graph <- constraints$similarity
        graph$weights <- graph$weights[rows, rows]
        graph["samples"] <- list(constraints$names)
        constraints$similarity <- graph
    }
    constraints
}

# The same without messages, for repeated subsets.
constraints_of <- function(constraints, rows) {
    follow_samples(constraints, rows, constraints$names[rows])$constraints
}

report_dropped <- function(part, constraints) {
    inform_if(part$dropped > 0, "{part$dropped} of
              {count_noun(sum(count_pairs(constraints)), \"pair\")} dropped,
              without information on the kept samples.", class = "constraints")
    inform_if(part$similarity, "The similarity of the questions is left out, ",
              "because it belongs to all samples.", class = "constraints")
}

# ---- constraints and data ---------------------------------------------------

# The constraints of the samples of the data, in their order: by name if both
# have names, else by position. The constraints have been checked before.
match_constraints <- function(constraints, data) {
    named <- !is.null(constraints$names)
    if (constraints$samples == data$n &&
        (!named || identical(constraints$names, data$samples))) {
        return(constraints)
    }
    if (!named || is.null(data$samples)) {
        largest <- max(constraints$first, constraints$second, 0L)
        refuse_if(constraints$samples != data$n, "`constraints` ",
                  if (largest > data$n)
                      paste("refers to sample", show_number(largest)) else
                          paste("is for", count_noun(constraints$samples,
                                                     "sample")),
                  ", but `x` has ", count_noun(data$n, "sample"),
                  if (named) " without names to match them by",
                  end_of_misfit(constraints, data), class = "constraints")
        inform_if(named, "`constraints` has sample names and `x` has none, so ",
                  "samples are matched by position.", class = "constraints")
        return(constraints)
    }
    rows <- match(data$samples, constraints$names)
    refuse_if(all(is.na(rows)), "`constraints` and `x` must have the same sample
              names, but {quote_values(constraints$names, 2L)} are in one,
              {quote_values(data$samples, 2L)} in the other",
              end_of_misfit(constraints, data), class = "constraints")
    part <- follow_samples(constraints, rows, data$samples)
    before <- sum(count_pairs(constraints))
    refuse_if(before > 0 && sum(count_pairs(part$constraints)) == 0,
              "`constraints` must contain a pair of samples of `x`, but none of
              its {before} is.", class = "constraints")
    report_dropped(part, constraints)
    part$constraints
}

# As many features as samples are missed, or features of their names: `x` has
# its samples in columns.
end_of_misfit <- function(constraints, data) {
    ask_if_turned(isTRUE(data$p == constraints$samples) ||
                      any(constraints$names %in% data$features))
}

# For repeated ranking of subsets: matched once, with one message.
match_constraints_once <- function(constraints, data) {
    check_constraints(constraints)
    constraints <- match_constraints(constraints, data)
    if (is.null(data$samples)) constraints["names"] <- list(NULL)
    constraints
}
