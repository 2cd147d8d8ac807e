# Methods of constraints for generics of R.

# print, summary and what base R does with constraints: their pairs, or an
# error. The fields of the list are reached by `$`, and by `[[` with a name.

#' @export
length.pairwise_constraints <- function(x) {
    # not an integer where there are more than 2^31 - 1 pairs
    n <- sum(count_pairs(check_constraints(x)))
    if (n <= .Machine$integer.max) as.integer(n) else n
}

#' @exportS3Method
as.data.frame.pairwise_constraints <- function(x, row.names = NULL,
                                               optional = FALSE, ...) {
    x <- write_out(check_constraints(x))
    name <- function(i) x$names[i] %||% rep(NA_character_, length(i))
    table <- data.frame(i = x$first, j = x$second,
                        type = ifelse(x$must_link, "must-link", "cannot-link"),
                        confidence = x$confidence, name_i = name(x$first),
                        name_j = name(x$second), row.names = row.names)
    table$votes <- x$votes
    if (x$origin != "given") table$origin <- rep(x$origin, nrow(table))
    table
}

# The same constraints as a list of pairs.
write_out <- function(constraints) {
    if (!is_coded(constraints)) return(constraints)
    cannot <- draw_label_pairs(constraints$class_of, FALSE, Inf, "cannot_link")
    must <- draw_label_pairs(constraints$group_of, TRUE, Inf, "must_link")
    if (is_from_labels(constraints)) {
        first <- which(!duplicated(constraints$class_of, incomparables = NA) &
                           !is.na(constraints$class_of))
        constraints$group_names <- data.frame(
            sample = first,
            name = constraints$classes[constraints$class_of[first]]
        )
    }
    constraints[c("group_of", "groups", "class_of", "classes",
                  "columns")] <- NULL
    constraints[c("first", "second", "must_link", "confidence")] <- list(
        c(cannot[, 1L], must[, 1L]), c(cannot[, 2L], must[, 2L]),
        rep(c(FALSE, TRUE), c(nrow(cannot), nrow(must))),
        rep(NA_real_, nrow(cannot) + nrow(must))
    )
    constraints
}

#' @export
`[.pairwise_constraints` <- function(x, i, ...) {
    refuse_if(nargs() > 2L, "Constraints have a single index, as in ",
              "links[1:3], but ", nargs() - 1L, " were given.")
    refuse_value_if(!missing(i) && !is.numeric(i) && !is.logical(i), i,
                    "The index must be numbers or TRUE and FALSE")
    x <- write_out(check_constraints(x))
    keep <- seq_along(x$first)[i]
    refuse_if(anyNA(keep), "The index must choose from {length(x$first)} pairs
              by number or by TRUE and FALSE, but some of it chooses none.")
    with_rows(x, pair_rows(x)[keep, ])
}

#' @export
`[[.pairwise_constraints` <- function(x, i, ...) {
    if (is.character(i)) return(.subset2(x, i))
    refuse_value_if(!whole_within(i, 1, length(x)) || length(i) != 1L, i, "The
                    index must be a number from 1 to {length(x)}")
    x[i]
}

# A set of one pair for each, which lapply() walks over too.
#' @exportS3Method
as.list.pairwise_constraints <- function(x, ...) {
    x <- x[]
    lapply(seq_along(x$first), function(i) x[i])
}

refuse_use <- function(...) {
    abort_linkrank("Constraints are a set of pairs, no vector or matrix: `[`
                   chooses some of them, c() combines sets, and as.data.frame()
                   gives a table of them.", class = "constraints")
}

# What other generics say of a set, which holds each pair once and knows it; to
# be registered when the package is loaded (zzz.R).
set_methods <- list(
    names = function(x) NULL, unique = function(x, ...) check_constraints(x),
    duplicated = function(x, ...) logical(length(x)),
    anyDuplicated = function(x, ...) 0L,
    is.na = function(x) logical(length(x)), anyNA = function(x, ...) FALSE,
    as.matrix = refuse_use, as.character = refuse_use, as.vector = refuse_use,
    rep = refuse_use, xtfrm = refuse_use, unlist = refuse_use, Ops = refuse_use,
    `length<-` = refuse_use, `names<-` = refuse_use, rbind = refuse_use,
    cbind = refuse_use
)

#' @exportS3Method
c.pairwise_constraints <- function(...) {
    all <- lapply(list(...), check_constraints)
    first <- all[[1L]]
    if (length(all) == 1L) return(first)
    part <- function(name) lapply(all, `[[`, name)
    counts <- unlist(part("samples"))
    other <- counts[counts != counts[1L]]
    refuse_if(length(other), "Constraints can be combined when they are about
              the same samples, but one is for {show_number(counts[1L])} and
              another for {show_number(other[1L])}.", class = "constraints")
    names <- unique(Filter(length, part("names")))
    refuse_if(length(names) > 1L, "Constraints can be combined when they have
              the same sample names, but they differ.", class = "constraints")
    inform_if(length(names) && !all(lengths(part("names"))), "Some of the ",
              "constraints have sample names and some have none, so samples ",
              "are matched by position.", class = "constraints")
    together <- list(
        samples = counts[1L], names = unlist(names),
        votes = unlist(part("votes")),
        disputes = unique(do.call(rbind, part("disputes"))),
        origin = worst_origin(unlist(part("origin"))),
        founded = unique(unlist(part("founded"))),
        group_names = unique(do.call(rbind, part("group_names"))),
        conflicts = unique(do.call(rbind, part("conflicts"))),
        answered = unique(unlist(part("answered"))),
        raters = bind_raters(unique(Filter(length, part("raters"))))
    )
    rows <- lapply(all, function(one) pair_rows(write_out(one)))
    with_rows(together, do.call(rbind, rows))
}

# Nobody knows how raters of two sets agree.
bind_raters <- function(tables) {
    if (length(tables) < 2L) return(if (length(tables)) tables[[1L]])
    all <- do.call(rbind, lapply(tables, `[`, c("rater", "samples", "error")))
    all$agreement <- matrix(NA_real_, nrow(all), nrow(all))
    all
}

# ---- print and summary -----------------------------------------------------

#' @export
all.equal.pairwise_constraints <- function(target, current, ...) {
    if (!inherits(current, "pairwise_constraints") ||
        !is.null(c(target$class_of, current$class_of))) return(NextMethod())
    pairs <- lapply(lapply(list(target, current), as.data.frame), do.call,
                    what = paste)
    same <- sum(pairs[[1L]] %in% pairs[[2L]])
    alike <- same == max(lengths(pairs)) && target$samples == current$samples
    if (alike) TRUE else paste0(lengths(pairs)[1L], " and ", lengths(pairs)[2L],
               " pairs, of which ", same, " are the same")
}

#' @export
print.pairwise_constraints <- function(x, n = 10L, ...) {
    n <- check_count_or_all(n, "n")
    cat_lines(c(pair_lines(summary(x), paste0("<", class(x)[1L], ">")),
                if (x$origin != "given")
                    paste0("  origin: ", origin_words[[x$origin]]),
                if (!is.null(x$raters)) rater_lines(x$raters, n)))
    shown <- utils::head(seq_along(x$first), n)
    lines <- if (is_coded(x)) code_lines(x) else
        if (length(shown)) pair_table(x, shown)
    if (length(lines)) cat(lines, sep = "\n")
    cat_rest(length(x$first) - length(shown),
             " more; as.data.frame() gives all.")
    invisible(x)
}

# The counts of a summary in two lines.
pair_lines <- function(facts, title) {
    implied <- c(facts$implied_cannot_link, facts$implied_must_link)
    more <- c(count_noun(implied[1L], "more cannot-link"),
              count_noun(implied[2L], "more must-link"))[implied > 0]
    c(paste0(title, " ", count_noun(facts$samples, "sample"), ", ",
             show_number(facts$cannot_link), " cannot-link, ",
             show_number(facts$must_link), " must-link pairs"),
      paste0("  touching ", count_noun(facts$touched, "sample"),
             if (facts$groups > 0L)
                 paste0(", ", count_noun(facts$groups, "must-link group")),
             if (length(more))
                 paste0("; closure implies ", paste(more, collapse = " and "))))
}

code_lines <- function(x) {
    if (is_from_labels(x)) return(class_words(x, "kept as labels:"))
    sizes <- sort(tabulate(x$group_of), decreasing = TRUE)
    sizes <- sizes[sizes > 1L]
    groups <- paste0("must-links kept as ", count_noun(length(sizes), "group"),
                     " of column ", quote_values(x$columns$group_of),
                     if (length(sizes)) paste0(", of ", paste(c(
                         show_number(utils::head(sizes, 10L)),
                         if (length(sizes) > 10L) "..."), collapse = ", "),
                         " samples"))
    c(if (!is.null(x$groups)) strwrap(groups, 78L, indent = 2L, exdent = 6L),
      if (!is.null(x$classes))
          class_words(x, paste0("cannot-links kept as labels of column ",
                                quote_values(x$columns$class_of), ":")))
}

# The classes with their sizes, after `title`.
class_words <- function(x, title) {
    classes <- with_sizes(shorten(x$classes, 20L), tabulate(
        x$class_of, length(x$classes)), " classes")
    classes[1L] <- paste(title, classes[1L])
    lines <- fold_line(classes, width = 76L)
    paste0(c("  ", rep("    ", length(lines) - 1L)), lines)
}

# At most eight names, each with its size, then the count of the others.
with_sizes <- function(names, sizes, noun = "") {
    rest <- length(names) - 8L
    c(utils::head(paste0(names, " (", show_number(sizes), ")"), 8L),
      if (rest > 0L) paste0(show_number(rest), " more", noun))
}

pair_table <- function(x, rows) {
    names <- show_samples(c(x$first[rows], x$second[rows]), x$names)
    confidence <- formatC(x$confidence[rows], digits = 3L, format = "f")
    confidence[is.na(x$confidence[rows])] <- ""
    known <- any(nzchar(confidence))
    name_width <- if (known) 25L else 31L
    ends <- matrix(fit_width(names, name_width), ncol = 2L)
    width <- max(nchar(ends, type = "width"))
    type <- ifelse(x$must_link[rows], "must-link", "cannot-link")
    lines <- paste0("  ", pad_text(c("i", ends[, 1L]), width, left = FALSE),
                    "  ", pad_text(c("j", ends[, 2L]), width, left = FALSE),
                    "  ", pad_text(c("type", type), 11L),
                    if (known) paste0("  ", c("confidence", confidence)))
    c(sub(" +$", "", lines), note_line(as.character(names), name_width))
}

# The same pairs on renumbered samples, only those in a pair, so that memory
# does not grow with the number of samples (up to 2^31 - 1).
touched_samples <- function(constraints) {
    if (is_coded(constraints)) return(constraints)
    touched <- sort(unique(c(constraints$first, constraints$second)))
    constraints <- follow_groups(constraints, touched)
    constraints$disputes <- follow_disputes(constraints, touched)
    constraints$first <- match(constraints$first, touched)
    constraints$second <- match(constraints$second, touched)
    constraints$samples <- max(1L, length(touched))
    constraints["names"] <- list(NULL)
    constraints
}

#' @export
summary.pairwise_constraints <- function(object, ...) {
    check_constraints(object)
    pairs <- count_pairs(object)
    touched <- touched_samples(object)
    closure <- closure_of(touched)
    closed <- count_closure(closure)
    sizes <- tabulate(closure$component + 1L)
    count <- sum(is_labelled(touched))
    groups <- closure_groups(touched, closure$component)
    apart <- choose(length(groups$size), 2) <= closed[["cannot_link"]] &&
        is.null(undecided_groups(touched, groups))
    structure(
        list(samples = object$samples, touched = count,
             cannot_link = pairs[["cannot_link"]],
             must_link = pairs[["must_link"]],
             implied_cannot_link = (closed - pairs)[["cannot_link"]],
             implied_must_link = (closed - pairs)[["must_link"]],
             groups = sum(sizes > 1L),
             group_sizes = sort(sizes[sizes > 1L], decreasing = TRUE),
             methods = constraint_methods(object, pairs, count,
                                          if (apart) groups)),
        class = "summary.pairwise_constraints"
    )
}

#' @export
print.summary.pairwise_constraints <- function(x, ...) {
    cat_lines(c(pair_lines(x, "Pairwise constraints:"),
                "",
                "For a methods section:", paste0("  ", x$methods)))
    invisible(x)
}
