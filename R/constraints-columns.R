# Pairs from columns of the samples: known groups, and cannot-links within
# blocks.

# ==== columns =================================================================

# Constraints from columns of sample data, and what is computed from codes per
# sample: see the fields `group_of` and `class_of` in R/constraints.R.

#' Constraints from columns of sample data
#'
#' Pairs from existing annotation of the samples: samples of the same clone or
#' the same line are must-linked, samples of different known types are
#' cannot-linked. A batch is no reason for must-links: see Details.
#'
#' @param x Object with the columns: a SummarizedExperiment or
#'   SingleCellExperiment (its `colData`), an ExpressionSet (its `pData`), a
#'   data.frame or a DataFrame with a row per sample. Its sample names, if any,
#'   become the sample names of the constraints.
#' @param ... Must be empty: the columns are given by name.
#' @param must_link Name of a column: samples with the same value are
#'   must-linked. `NULL` for none.
#' @param cannot_link Name of a column: samples with different values are
#'   cannot-linked. `NULL` for none.
#' @param origin Where the columns come from, as in [pairwise_constraints()]:
#'   `"data"` for types that were read off the same values, such as cells that
#'   express markers of different lineages. P-values by these data are then
#'   not valid, which [relieff_sc()] says, and [group_markers()] gives none.
#'
#' @return An object of class [`pairwise_constraints`][pairwise_constraints()].
#'   It stores the groups and the labels instead of a list of pairs, so ten
#'   thousand samples take no more memory than their columns. Scores, counts and
#'   printed output use all pairs. `as.data.frame()`, `[` and `c()` list the
#'   pairs. The same column for both arguments gives the constraints of
#'   [constraints_from_labels()].
#'
#' @details `NA` means unknown: such a sample is in no pair of that column.
#' Columns are factors, text, logical or whole numbers. For more than one column
#' of a kind, or to add pairs that a person gave, combine sets by `c()`.
#'
#'   A group whose samples disagree in `cannot_link` is a contradiction. If only
#'   some samples of a group have a known value, it holds for the others by
#'   transitive closure, as with any must-links.
#'
#' *Batches, donors and paired designs.* Samples of one batch or donor are alike
#' for reasons that are not asked about, and must-links between them teach a
#' ranking the batch. Use the column as `block` in [relieff_sc()], [glean()] or
#' [group_markers()] instead. The same holds for tumour and normal tissue of the
#' same patients: `must_link = "patient"` contradicts `cannot_link = "tissue"`.
#' Take the cannot-links alone and compare within patients,
#' `constraints_from_columns(x, cannot_link = "tissue")` with
#' `block = "patient"`, where a patient has several samples; with one of each
#' kind, no sample has another neighbour in its block, and the tissue is a
#' label: `group_markers(x, "tissue", block = "patient")`.
#'
#' @section Errors: `linkrank_error_argument`: no such column (the message lists
#'   the columns), or neither argument given. `linkrank_error_constraints`: a
#'   column without a known value, a single value in `cannot_link`, and a
#'   contradiction, with the columns, their values, the samples and the chain.
#'
#' @seealso [constraints_from_labels()], [pairwise_constraints()]
#' @examples
#' cells <- data.frame(
#'     clone = c("a", "a", NA, "b", "b", NA),
#'     known = c("T", NA, "B", "B", NA, NA),
#'     row.names = paste0("cell", 1:6)
#' )
#' links <- constraints_from_columns(cells, must_link = "clone",
#'                                   cannot_link = "known")
#' links
#' as.data.frame(links)
#'
#' # with the answer of a person
#' given <- pairwise_constraints(must_link = cbind("cell3", "cell6"),
#'                               samples = rownames(cells))
#' c(links, given)
#' @export
constraints_from_columns <- function(x, ..., must_link = NULL,
                                     cannot_link = NULL,
                                     origin = c("given", "questions",
                                                "features in view", "data")) {
    check_dots_empty(...)
    origin <- check_choice(origin, constraint_origins, "origin")
    table <- sample_table(x)
    refuse_if(is.null(must_link) && is.null(cannot_link),
              "`must_link` or `cannot_link` must name a column of the sample ",
              "data, but both are NULL.")
    if (identical(must_link, cannot_link)) {
        return(with_origin(constraints_from_labels(
            named_column(table, must_link, "must_link")), origin))
    }
    group_of <- known_values(table, must_link, "must_link")
    class_of <- known_values(table, cannot_link, "cannot_link")
    if (!is.null(class_of)) {
        check_label_classes(class_of, Inf, column_words(cannot_link))
    }
    constraints <- new_coded_constraints(
        group_of, class_of, table$samples, worst_origin(
            attr(group_of, "origin"), attr(class_of, "origin"), origin),
        list(group_of = must_link, class_of = cannot_link)
    )
    check_columns_agree(constraints)
    constraints
}

column_words <- function(name) {
    paste0("Column ", encodeString(name, quote = "\""))
}

# A factor, or NULL if no column is named.
known_values <- function(table, name, argument) {
    if (is.null(name)) return(NULL)
    values <- sample_column(table, name, argument)
    classes <- as_class_labels(values, name)
    check_label_classes(classes, 0, column_words(name))
    structure(classes, origin = label_origin(values))
}

named_column <- function(table, name, argument) {
    stats::setNames(sample_column(table, name, argument), table$samples)
}

# Stops at a must-link group with two different known classes.
check_columns_agree <- function(constraints) {
    both <- which(!is.na(constraints$group_of) & !is.na(constraints$class_of))
    group <- constraints$group_of[both]
    first <- both[match(group, group)]
    wrong <- which(constraints$class_of[both] != constraints$class_of[first])
    if (!length(wrong)) return(invisible())
    pair <- c(first[wrong[1L]], both[wrong[1L]])
    shown <- show_sample(pair, constraints$names)
    columns <- constraints$columns
    abort_linkrank(
        "Samples ", shown[1L], " and ", shown[2L], " are cannot-linked by ",
        "column ", quote_values(columns$class_of), " (",
        quote_values(constraints$classes[constraints$class_of[pair]]),
        "), but ",
        show_path(pair, constraints$names), " is a chain of must-links by ",
        "column ", quote_values(columns$group_of), " (",
        quote_values(constraints$groups[constraints$group_of[pair[1L]]]), ").",
        class = "constraints"
    )
}

# ---- codes per sample, of labels and of columns ------------------------------

# follow_samples() of codes: when a group loses its samples of known class, its
# lowest remaining sample gets this class.
follow_codes <- function(constraints, rows, names) {
    component <- components_of(constraints)
    staying <- sort(rows)
    class_of <- constraints$class_of
    heir <- staying[!duplicated(component[staying])]
    known <- component[staying[!is.na(class_of[staying])]]
    heir <- heir[!component[heir] %in% known]
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

# The class of each component, NA for none.
component_classes <- function(constraints, component) {
    known <- which(!is.na(constraints$class_of))
    constraints$class_of[known][match(seq_len(max(component) + 1L) - 1L,
                                      component[known])]
}

code_lines <- function(x) {
    if (is_from_labels(x)) return(class_words(x, "kept as labels:"))
    sizes <- sort(tabulate(x$group_of), decreasing = TRUE)
    sizes <- sizes[sizes > 1L]
    groups <- paste0("must-links kept as ", count_noun(length(sizes), "group"),
                     " of column ", quote_values(x$columns$group_of),
                     if (length(sizes)) paste0(", of ", show_sizes(sizes),
                                               " samples"))
    c(if (!is.null(x$groups)) strwrap(groups, 78L, indent = 2L, exdent = 6L),
      if (!is.null(x$classes))
          class_words(x, paste0("cannot-links kept as labels of column ",
                                quote_values(x$columns$class_of), ":")))
}

# The sizes of at most ten groups, as text.
show_sizes <- function(sizes) {
    paste0(paste(show_number(utils::head(sizes, 10L)), collapse = ", "),
           if (length(sizes) > 10L) ", ...")
}

# ==== blocks ==================================================================

# Cannot-links across blocks, such as batches or donors. They are left out of
# sums, since whatever the blocks differ in would separate their samples; what
# they imply within a block still keeps samples apart.

# Of all cannot-links: how many are there, how many of them join samples of two
# blocks? `block`: NULL for none.
count_across <- function(constraints, block) {
    all <- count_pairs(constraints)[["cannot_link"]]
    if (is.null(block)) return(c(all = all, across = 0))
    across <- all - cannot_linked(constraints, block)$count
    storage.mode(across) <- typeof(all)
    c(all = all, across = across)
}

# Pairs of each kind, cannot-links within blocks only.
used_pairs <- function(constraints, block = NULL,
                       count = count_pairs(constraints)) {
    if (!is.null(block)) {
        count[["cannot_link"]] <- count[["cannot_link"]] -
            count_across(constraints, block)[["across"]]
    }
    count
}

# Has a part of the samples pairs of every kind that the whole has?
keeps_kinds <- function(part, whole, block = NULL) {
    all(used_pairs(part, block) > 0 | count_pairs(whole) == 0)
}

# Tells how many cannot-links join two blocks and are left out of the sums;
# stops where none is left.
note_across <- function(constraints, block) {
    if (is.null(block)) return(invisible())
    count <- count_across(constraints, block)
    all <- count_noun(count[["all"]], "cannot-link")
    one <- count[["across"]] == 1
    if (count[["across"]] > 0 && count[["across"]] == count[["all"]]) {
        abort_linkrank("`block` leaves no cannot-link, because ",
                       if (one) "the only cannot-link joins" else
                           paste("all", all, "join"),
                       " different blocks: give pairs within a block, or ",
                       "corrected data or `space` without `block`.",
                       class = "constraints")
    }
    if (count[["across"]] > 0) {
        inform_linkrank(show_number(count[["across"]]), " of ", all,
                        if (one) " is" else " are", " left out, because the ",
                        "two samples are of different blocks.",
                        class = "pairs")
    }
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

# Of pairs that are written out: which are cannot-links within a block?
is_cannot_within <- function(constraints, block) {
    cannot <- !constraints$must_link
    if (is.null(block)) cannot else
        cannot & block[constraints$first] == block[constraints$second]
}

# The cannot-links within blocks by end point: a list of pairs, or the labels of
# the ends and their blocks, in which pairs are of one block.
cannot_linked <- function(constraints, block = NULL) {
    if (is_coded(constraints)) {
        count <- as.numeric(count_pairs(constraints)[["cannot_link"]])
        label <- constraints$class_of
        ends <- which(!is.na(label))
        if (!is.null(block)) {
            inside <- vapply(split(label[ends], factor(
                block[ends], seq_len(max(block[ends], 0L)))),
                count_label_pairs, 0, same = FALSE)
            ends <- ends[inside[block[ends]] > 0]
            count <- sum(inside)
        }
        return(list(ends = ends, count = count, first = NULL, second = NULL,
                    label = label[ends], weight = NULL, block = block[ends]))
    }
    cannot <- is_cannot_within(constraints, block)
    first <- constraints$first[cannot]
    second <- constraints$second[cannot]
    ends <- sort.int(unique(c(first, second)), method = "quick")
    list(ends = ends, count = as.numeric(sum(cannot)),
         first = match(first, ends), second = match(second, ends), label = NULL,
         weight = confidence_weights(constraints, cannot))
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
    codes <- category_codes(columns, data$n)
    for (name in names(codes)) {
        values <- codes[[name]]
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

# Codes of the columns of categories without NA, from two to a third of the
# samples.
category_codes <- function(columns, n) {
    Filter(Negate(is.null), lapply(as.list(columns), function(values) {
        if (isS4(values)) values <- as.vector(values)
        category <- is.factor(values) || is.character(values) ||
            is.logical(values) || is.integer(values)
        if (!category || length(values) != n || anyNA(values)) return(NULL)
        codes <- match(values, unique(values))
        if (max(codes) >= 2L && max(codes) <= n / 3) codes
    }))
}
