# Constraints from columns of sample data. They keep codes per sample and never
# a list of pairs: see the fields `same` and `apart` in R/constraints.R.

#' Constraints from columns of sample data
#'
#' Pairs from existing annotation of the samples: samples of the same clone,
#' patient or batch are must-linked, samples of different known types are
#' cannot-linked.
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
    if (is.null(must_link) && is.null(cannot_link)) {
        abort_linkrank("`must_link` or `cannot_link` must name a column of ",
                       "the sample data, but both are NULL.",
                       class = "argument")
    }
    if (identical(must_link, cannot_link)) {
        return(constraints_from_labels(
            named_column(table, must_link, "must_link")
        ))
    }
    same <- known_values(table, must_link, "must_link")
    apart <- known_values(table, cannot_link, "cannot_link")
    if (!is.null(apart)) {
        check_label_classes(apart, Inf, column_words(cannot_link))
    }
    new_column_constraints(same, apart, table$samples,
                           list(same = must_link, apart = cannot_link))
}

column_words <- function(name) {
    paste0("Column ", encodeString(name, quote = "\""))
}

# A factor, or NULL where no column is named.
known_values <- function(table, name, argument) {
    if (is.null(name)) {
        return(NULL)
    }
    values <- sample_column(table, name, argument)
    classes <- as_class_labels(values, name)
    check_label_classes(classes, 0, column_words(name))
    classes
}

named_column <- function(table, name, argument) {
    stats::setNames(sample_column(table, name, argument), table$samples)
}

# `same`, `apart`: factors of one level per group and class, or NULL; `columns`
# their names.
new_column_constraints <- function(same, apart, names, columns) {
    constraints <- structure(
        list(samples = length(if (is.null(same)) apart else same),
             names = names, first = NULL, second = NULL, must_link = NULL,
             confidence = NULL, labels = NULL, classes = levels(apart),
             same = if (!is.null(same)) as.integer(same), groups = levels(same),
             apart = if (!is.null(apart)) as.integer(apart),
             columns = columns),
        class = "pairwise_constraints"
    )
    check_columns_agree(constraints)
    constraints
}

# A group of `same` in which two values of `apart` are known.
check_columns_agree <- function(constraints) {
    both <- which(!is.na(constraints$same) & !is.na(constraints$apart))
    group <- constraints$same[both]
    first <- both[match(group, group)]
    wrong <- which(constraints$apart[both] != constraints$apart[first])
    if (!length(wrong)) {
        return(invisible())
    }
    ends <- c(first[wrong[1L]], both[wrong[1L]])
    shown <- show_sample(ends, constraints$names)
    columns <- constraints$columns
    abort_linkrank(
        "Samples ", shown[1L], " and ", shown[2L], " are cannot-linked by ",
        "column ", quote_values(columns$apart), " (",
        quote_values(constraints$classes[constraints$apart[ends]]), "), but ",
        show_path(ends, constraints$names), " is a chain of must-links by ",
        "column ", quote_values(columns$same), " (",
        quote_values(constraints$groups[constraints$same[ends[1L]]]), ").",
        class = "constraints"
    )
}

# ---- what has codes per sample: labels, and columns --------------------------

from_columns <- function(constraints) !is.null(constraints$columns)

# Kept as codes per sample, not as a list of pairs?
is_coded <- function(constraints) {
    is_from_labels(constraints) || from_columns(constraints)
}

# Code per sample: samples with the same one are must-linked; NA: with none.
same_codes <- function(constraints) coded_as(constraints, "same")

# Samples with different codes are cannot-linked.
apart_codes <- function(constraints) coded_as(constraints, "apart")

coded_as <- function(constraints, kind) {
    if (is_from_labels(constraints)) {
        return(constraints$labels)
    }
    codes <- constraints[[kind]]
    if (is.null(codes)) rep(NA_integer_, constraints$samples) else codes
}

# Is a sample in a pair of either kind, by codes? A group of one sample and the
# only known class make none.
coded_samples <- function(constraints) {
    if (is_from_labels(constraints)) {
        return(!is.na(constraints$labels))
    }
    same <- same_codes(constraints)
    apart <- apart_codes(constraints)
    several <- length(unique(apart[!is.na(apart)])) > 1L
    (tabulate(same)[same] > 1L) %in% TRUE | !is.na(apart) & several
}

# follow_samples() of columns: a group that lost the samples whose class was
# known keeps that class in its lowest sample.
follow_columns <- function(constraints, rows, names) {
    part <- constraints
    part$samples <- length(rows)
    part["names"] <- list(names)
    part["same"] <- list(constraints$same[rows])
    placed <- apart_codes(constraints)
    if (!is.null(constraints$apart)) {
        component <- components_of(constraints)
        staying <- sort(rows)
        placed[!component %in% component[staying]] <- NA
        class <- component_classes(constraints, component)
        heir <- staying[!duplicated(component[staying])]
        known <- component[staying[!is.na(placed[staying])]]
        heir <- heir[!component[heir] %in% known]
        kept <- constraints$apart
        kept[heir] <- class[component[heir] + 1L]
        part$apart <- kept[rows]
    }
    dropped <- count_pairs(constraints) -
        c(count_label_pairs(placed, FALSE), count_pairs(part)[["must_link"]])
    list(constraints = part, dropped = sum(dropped), similarity = FALSE)
}

# The class of each component by `apart`, NA for none.
component_classes <- function(constraints, component) {
    apart <- apart_codes(constraints)
    known <- which(!is.na(apart))
    apart[known][match(seq_len(max(component) + 1L) - 1L, component[known])]
}

# What closure adds: every member of a group has the class of the group.
close_columns <- function(constraints) {
    if (is.null(constraints$apart)) {
        return(constraints)
    }
    component <- components_of(constraints)
    constraints$apart <- component_classes(constraints,
                                           component)[component + 1L]
    constraints
}

column_lines <- function(x) {
    sizes <- sort(tabulate(same_codes(x)), decreasing = TRUE)
    sizes <- sizes[sizes > 1L]
    groups <- if (!is.null(x$same)) {
        paste0("must-links kept as ", count_noun(length(sizes), "group"),
               " of column ", quote_values(x$columns$same),
               if (length(sizes)) paste0(", of ", show_sizes(sizes),
                                         " samples"))
    }
    labels <- if (!is.null(x$apart)) {
        class_words(x, x$apart, paste0("cannot-links kept as labels of column ",
                                       quote_values(x$columns$apart), ":"))
    }
    c(if (!is.null(groups)) strwrap(groups, 78L, indent = 2L, exdent = 6L),
      labels)
}

# At most ten of the sizes of groups, as text.
show_sizes <- function(sizes) {
    paste0(paste(show_number(utils::head(sizes, 10L)), collapse = ", "),
           if (length(sizes) > 10L) ", ...")
}
