# Constraints from columns of sample data. They store codes per sample instead
# of a list of pairs: see the fields `group_of` and `class_of` in
# R/constraints.R.

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
#' @param must_link Name of a column: samples with the same value are
#'   must-linked. `NULL` for none.
#' @param cannot_link Name of a column: samples with different values are
#'   cannot-linked. `NULL` for none.
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
#' kind, every sample's only neighbour in its block is the other kind, so leave
#' `block` out and give the pairs of each patient as cannot-links.
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
constraints_from_columns <- function(x, must_link = NULL, cannot_link = NULL) {
    table <- sample_table(x)
    refuse_if(is.null(must_link) && is.null(cannot_link),
              "`must_link` or `cannot_link` must name a column of the sample ",
              "data, but both are NULL.")
    if (identical(must_link, cannot_link)) {
        return(constraints_from_labels(
            named_column(table, must_link, "must_link")
        ))
    }
    group_of <- known_values(table, must_link, "must_link")
    class_of <- known_values(table, cannot_link, "cannot_link")
    if (!is.null(class_of)) {
        check_label_classes(class_of, Inf, column_words(cannot_link))
    }
    # `group_of`, `class_of`: factors with a level per group and class, or
    # NULL; `columns`: the names of the columns.
    columns <- list(group_of = must_link, class_of = cannot_link)
    constraints <- structure(
        list(samples = length(group_of %||% class_of), names = table$samples,
             first = NULL, second = NULL, must_link = NULL, confidence = NULL,
             origin = worst_origin(attr(group_of, "origin"),
                                   attr(class_of, "origin")),
             labels = NULL, classes = levels(class_of),
             group_of = if (!is.null(group_of)) as.integer(group_of),
             groups = levels(group_of),
             class_of = if (!is.null(class_of)) as.integer(class_of),
             columns = columns),
        class = "pairwise_constraints"
    )
    check_columns_agree(constraints)
    constraints
}

column_words <- function(name) {
    paste0("Column ", encodeString(name, quote = "\""))
}

# A factor, or NULL if no column is named.
known_values <- function(table, name, argument) {
    if (is.null(name)) {
        return(NULL)
    }
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
    if (!length(wrong)) {
        return(invisible())
    }
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

from_columns <- function(constraints) !is.null(constraints$columns)

# Stored as codes per sample, not as a list of pairs?
is_coded <- function(constraints) {
    !is.null(constraints$labels) || !is.null(constraints$columns)
}

# Code per sample: samples with the same code are must-linked; NA: with none.
group_codes <- function(constraints) coded_as(constraints, "group_of")

# Samples with different codes are cannot-linked.
class_codes <- function(constraints) coded_as(constraints, "class_of")

coded_as <- function(constraints, kind) {
    if (is_from_labels(constraints)) {
        return(constraints$labels)
    }
    constraints[[kind]] %||% rep(NA_integer_, constraints$samples)
}

# Is a sample in a pair of either kind, by codes? A group of one sample and a
# single known class give no pair.
coded_samples <- function(constraints) {
    if (is_from_labels(constraints)) {
        return(!is.na(constraints$labels))
    }
    group_of <- group_codes(constraints)
    class_of <- class_codes(constraints)
    several <- length(unique(class_of[!is.na(class_of)])) > 1L
    (tabulate(group_of)[group_of] > 1L) %in% TRUE | !is.na(class_of) & several
}

# follow_samples() of columns: when a group loses its samples of known class,
# its lowest remaining sample gets this class.
follow_columns <- function(constraints, rows, names) {
    part <- constraints
    part$samples <- length(rows)
    part["names"] <- list(names)
    part["group_of"] <- list(constraints$group_of[rows])
    placed <- class_codes(constraints)
    if (!is.null(constraints$class_of)) {
        component <- components_of(constraints)
        staying <- sort(rows)
        placed[!component %in% component[staying]] <- NA
        class <- component_classes(constraints, component)
        heir <- staying[!duplicated(component[staying])]
        known <- component[staying[!is.na(placed[staying])]]
        heir <- heir[!component[heir] %in% known]
        kept <- constraints$class_of
        kept[heir] <- class[component[heir] + 1L]
        part$class_of <- kept[rows]
    }
    dropped <- count_pairs(constraints) -
        c(count_label_pairs(placed, FALSE), count_pairs(part)[["must_link"]])
    list(constraints = part, dropped = sum(dropped), similarity = FALSE)
}

# The class of each component by `class_of`, NA for none.
component_classes <- function(constraints, component) {
    class_of <- class_codes(constraints)
    known <- which(!is.na(class_of))
    class_of[known][match(seq_len(max(component) + 1L) - 1L, component[known])]
}

# Closure: every member of a group has the class of the group.
close_columns <- function(constraints) {
    if (is.null(constraints$class_of)) {
        return(constraints)
    }
    component <- components_of(constraints)
    constraints$class_of <- component_classes(constraints,
                                           component)[component + 1L]
    constraints
}

column_lines <- function(x) {
    sizes <- sort(tabulate(group_codes(x)), decreasing = TRUE)
    sizes <- sizes[sizes > 1L]
    groups <- if (!is.null(x$group_of)) {
        paste0("must-links kept as ", count_noun(length(sizes), "group"),
               " of column ", quote_values(x$columns$group_of),
               if (length(sizes)) paste0(", of ", show_sizes(sizes),
                                         " samples"))
    }
    labels <- if (!is.null(x$class_of)) {
        class_words(x, x$class_of,
                    paste0("cannot-links kept as labels of column ",
                           quote_values(x$columns$class_of), ":"))
    }
    c(if (!is.null(groups)) strwrap(groups, 78L, indent = 2L, exdent = 6L),
      labels)
}

# The sizes of at most ten groups, as text.
show_sizes <- function(sizes) {
    paste0(paste(show_number(utils::head(sizes, 10L)), collapse = ", "),
           if (length(sizes) > 10L) ", ...")
}
