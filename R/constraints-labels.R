# Constraints from known classes and from columns of the samples, and pairs by
# their number.

#' Constraints from class labels
#'
#' Samples of one class are must-linked, of different classes cannot-linked. The
#' result holds all pairs, or a random selection.
#'
#' @param labels Class of each sample: a factor, or a character, logical or
#'   whole-number vector, named by sample if at all; `NA` for unlabelled
#'   samples. Or an object that has them in a column: a container of
#'   Bioconductor, a data.frame or a DataFrame.
#' @param column Name of that column.
#' @param ... Must be empty.
#' @param cannot_link,must_link How many pairs of each kind to draw at random,
#'   without repetition, each in a random direction; `Inf` for all. `cannot_link
#'   = 10` alone includes all must-links.
#'
#' @return An object of class [`pairwise_constraints`][pairwise_constraints()].
#'   With both numbers `Inf` it stores the labels instead of a list of pairs;
#'   `as.data.frame()` and `[` list them (`i < j`).
#'
#' @section Errors: `linkrank_error_constraints`: no known label; a single class
#'   for cannot-links; more pairs than there are.
#'
#' @seealso [constraints_from_columns()] for must-links from one column and
#'   cannot-links from another; [pairwise_constraints()]
#' @examples
#' set.seed(1)
#' constraints_from_labels(colon$tissue, cannot_link = 10, must_link = 5)
#' constraints_from_labels(colon$tissue)
#' @export
constraints_from_labels <- function(labels, ...) {
    check_given(labels, "a class per sample, or a table with this column")
    UseMethod("constraints_from_labels")
}

#' @rdname constraints_from_labels
#' @export
constraints_from_labels.default <- function(labels, ..., cannot_link = Inf,
                                            must_link = Inf) {
    check_dots_empty(...)
    cannot_link <- check_count_or_all(cannot_link, "cannot_link")
    must_link <- check_count_or_all(must_link, "must_link")
    names <- check_names(names(labels), "sample", "`labels`", "constraints")
    classes <- as_class_labels(labels)
    check_label_classes(classes, cannot_link)
    if (is.infinite(cannot_link) && is.infinite(must_link)) {
        return(new_coded_constraints(classes, classes, names,
                                     label_origin(labels)))
    }
    codes <- as.integer(classes)
    cannot <- draw_label_pairs(codes, FALSE, cannot_link, "cannot_link")
    must <- draw_label_pairs(codes, TRUE, must_link, "must_link")
    new_constraints(rbind(cannot, must),
                    rep(c(FALSE, TRUE), c(nrow(cannot), nrow(must))),
                    length(codes), names, origin = label_origin(labels),
                    drawn = TRUE)
}

# Groups that were found in data: a factor whose class says so, because tests of
# the same data find differences between them where there are none.
derived_labels <- function(code, names = seq_len(max(0L, code, na.rm = TRUE))) {
    labels <- factor(names[code], names)
    structure(labels, class = c("linkrank_labels", "factor"))
}

# factor() itself makes a plain factor of anything.
#' @exportS3Method
droplevels.linkrank_labels <- function(x, ...) {
    structure(NextMethod(), class = oldClass(x))
}

#' @rdname constraints_from_labels
#' @export
constraints_from_labels.data.frame <- function(labels, column, ...,
                                               cannot_link = Inf,
                                               must_link = Inf) {
    check_dots_empty(...)
    table <- sample_table(labels)
    refuse_if(missing(column), "`column` must name the column of labels: ",
              describe_columns(table), ".")
    constraints_from_labels(named_column(table, column, "column"),
                            cannot_link = cannot_link, must_link = must_link)
}

#' @rdname constraints_from_labels
#' @export
constraints_from_labels.DataFrame <- constraints_from_labels.data.frame

#' @rdname constraints_from_labels
#' @export
constraints_from_labels.SummarizedExperiment <-
    constraints_from_labels.data.frame

#' @rdname constraints_from_labels
#' @export
constraints_from_labels.ExpressionSet <- constraints_from_labels.data.frame

#' @rdname constraints_from_labels
#' @export
constraints_from_labels.EList <- constraints_from_labels.data.frame

check_label_classes <- function(classes, cannot_link, labels = "`labels`") {
    refuse_if(all(is.na(classes)), labels, " must contain at least one known
              class, but ", if (length(classes)) "all are NA." else
                  "it is empty.", class = "constraints")
    refuse_if(nlevels(classes) < 2L && cannot_link > 0, labels, " must contain
              at least two classes, but {quote_values(levels(classes))} is the
              only one.", class = "constraints")
}

# Number of pairs of labelled samples of one class, or of two classes.
count_label_pairs <- function(codes, same) {
    sizes <- as.numeric(tabulate(codes))
    within <- sum(sizes * (sizes - 1) / 2)
    if (same) within else sum(sizes) * (sum(sizes) - 1) / 2 - within
}

# `count` different pairs, drawn uniformly with R's random numbers, each in a
# random direction; Inf: all of them, i < j.
draw_label_pairs <- function(codes, same, count, name) {
    if (count == 0) return(matrix(integer(), 0L, 2L))
    there <- count_label_pairs(codes, same)
    refuse_if(is.finite(count) && count > there, "`", name, "` requests ",
              count_noun(count, "pair"), ", but the labels have only ",
              show_number(there), " of them.", class = "constraints")
    check_bytes(20 * min(count, there),
                paste("The list of", if (same) "must-links" else
                    "cannot-links"))
    if (is.infinite(count)) return(label_pairs(codes, same))
    # few pairs are drawn from their list; for many, pairs of the other kind are
    # drawn again
    pairs <- if (there <= 2^20 || count > there / 2) {
        label_pairs(codes, same)[sample.int(there, count), , drop = FALSE]
    } else {
        draw_again(codes, same, count, there)
    }
    swapped <- stats::runif(count) < 0.5
    pairs[swapped, ] <- pairs[swapped, 2:1]
    pairs
}

# ---- pairs by number -------------------------------------------------------
# Pair number 1 is (1, 2), then (1, 3), (2, 3), (1, 4), ...: all pairs below
# sample j come before the pairs of j.

number_to_pair <- function(number) {
    j <- ceiling((1 + sqrt(8 * number + 1)) / 2)
    # the root may be off by one when the number is large
    j <- j - ((j - 1) * (j - 2) / 2 >= number)
    j <- j + (j * (j - 1) / 2 < number)
    cbind(as.integer(number - (j - 1) * (j - 2) / 2), as.integer(j))
}

# All pairs i < j of samples with the same code, or with different codes, in
# order; NA: in no pair. Time and memory are proportional to the number of these
# pairs, not to the square of the number of samples.
label_pairs <- function(codes, same) {
    labelled <- which(!is.na(codes))
    member <- labelled[order(codes[labelled])]
    place <- seq_along(member)
    size <- tabulate(codes[member])
    last <- rep(cumsum(size), size)
    # each with those behind it in its group, or behind its group
    behind <- if (same) last - place else length(member) - last
    a <- member[rep(place, behind)]
    b <- member[sequence(behind, (if (same) place else last) + 1L)]
    pairs <- matrix(c(pmin.int(a, b), pmax.int(a, b)), ncol = 2L)
    pairs[order(pairs[, 1L], pairs[, 2L]), , drop = FALSE]
}

draw_again <- function(codes, same, count, there) {
    labelled <- which(!is.na(codes))
    all <- length(labelled) * (length(labelled) - 1) / 2
    numbers <- numeric()
    while (length(numbers) < count) {
        wanted <- ceiling(1.2 * (count - length(numbers)) * all / there) + 8
        # not runif(), because it has fewer values than 100,000 samples have
        # pairs
        drawn <- sample.int(all, min(wanted, 1e6), replace = TRUE)
        pair <- number_to_pair(drawn)
        a <- codes[labelled[pair[, 1L]]]
        b <- codes[labelled[pair[, 2L]]]
        numbers <- unique(c(numbers, drawn[(a == b) == same]))
    }
    matrix(labelled[number_to_pair(numbers[seq_len(count)])], ncol = 2L)
}

# ==== columns =================================================================

# Constraints from columns of sample data, kept as codes per sample: see the
# fields `group_of` and `class_of` in R/constraints.R.

#' Constraints from columns of sample data
#'
#' Samples of the same clone or line are must-linked, samples of different known
#' types are cannot-linked. A batch is no reason for must-links: see Details.
#'
#' @param x Object with the columns: a SummarizedExperiment or
#'   SingleCellExperiment (its `colData`), an ExpressionSet (its `pData`), a
#'   data.frame or a DataFrame with a row per sample.
#' @param ... Must be empty: the columns are given by name.
#' @param must_link Name of a column: samples with the same value are
#'   must-linked. `NULL` for none.
#' @param cannot_link Name of a column: samples with different values are
#'   cannot-linked. `NULL` for none.
#' @param origin As in [pairwise_constraints()]: `"data"` for types that were
#'   read off the same values, such as cells that express markers of different
#'   lineages. P-values by these data are then not valid.
#'
#' @return An object of class [`pairwise_constraints`][pairwise_constraints()],
#'   which stores groups and labels instead of pairs. `as.data.frame()`, `c()`
#'   and subsets list them. The same column for both arguments gives those of
#'   [constraints_from_labels()].
#'
#' @details `NA` means unknown: in no pair of that column. Columns are factors,
#'   text, logical or whole numbers. Combine sets of more columns by `c()`.
#'
#' A group whose samples disagree in `cannot_link` is a contradiction. A known
#' value of some holds for the whole group.
#'
#' *Batches, donors and paired designs.* Must-links within a batch or donor
#' teach a ranking the batch. Use the column as `block` instead. So with tumour
#' and normal tissue of patients: `constraints_from_columns(x, cannot_link =
#' "tissue")`, with `block = "patient"`, where a patient has several samples of
#' a kind; with one of each `group_markers(x, "tissue", block = "patient")`.
#'
#' @section Errors: `linkrank_error_argument`: no such column, or neither given.
#'   `linkrank_error_constraints`: a column without a known value, a single
#'   value in `cannot_link`, a contradiction, with its chain.
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
    origin <- check_choice(origin)
    table <- sample_table(x)
    refuse_if(is.null(must_link) && is.null(cannot_link), "`must_link` or
              `cannot_link` must name a column of the sample data.")
    if (identical(must_link, cannot_link)) {
        return(with_origin(constraints_from_labels(
            named_column(table, must_link, "must_link")), origin))
    }
    group_of <- known_values(table, must_link, "must_link")
    class_of <- known_values(table, cannot_link, "cannot_link")
    if (!is.null(class_of))
        check_label_classes(class_of, Inf, column_words(cannot_link))
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
    shown <- show_samples(pair, constraints$names)
    columns <- constraints$columns
    abort_linkrank(
        "Samples {shown[1L]} and {shown[2L]} are cannot-linked by column
        {quote_values(columns$class_of)} (",
        quote_values(constraints$classes[constraints$class_of[pair]]), "), but
        {show_path(pair, constraints$names)} is a chain of must-links by column
        {quote_values(columns$group_of)} (",
        quote_values(constraints$groups[constraints$group_of[pair[1L]]]), ").",
        class = "constraints")
}
