# print, summary, [, assignments, rbind and as.data.frame for rankings.

#' Feature rankings
#'
#' Every ranking method returns a `feature_ranking`: a data.frame with one row
#' per feature, best first.
#'
#' @param x,object A `feature_ranking`.
#' @param n How many rows to print.
#' @param i,j,drop As for a data.frame. Rows keep their ranks.
#' @param settings `TRUE` for a column `settings` that says in its first row how
#'   the ranking was made, for files. [as_feature_ranking()] reads it.
#' @param row.names,optional,... As for [as.data.frame()]; unused.
#'
#' @return `as.data.frame()` gives the plain data.frame. `summary()` gives a
#'   list: `method` and `label`; `direction` (`"higher"` or `"lower"` is
#'   better); `key`, the column that orders the ranking; `parameters`;
#'   `samples`, `features`, `cannot_links`, `must_links`, counts; `versions` of
#'   R and of the package; `methods`, a paragraph for a methods section; what
#'   the method's help page names; and, where defined, the number of features
#'   with a positive margin (`positive`), significant at 0.05 after adjustment
#'   (`significant`), without a score (`undefined`), with the same best score
#'   (`ties`), and at the elbow (`elbow`, see [plot.feature_ranking()]).
#'
#' @details Columns of every ranking: `rank`, `feature` and `score`; the
#'   method's help page explains its own columns.
#'
#' *Direction.* A ranking by constraints that make at least two groups of
#' samples, any two of them cannot-linked, has two more columns. `highest` is
#' the group with the largest mean among the answered samples, named as in
#' [group_markers()]. `difference` is that mean minus the mean over the other
#' groups of theirs, in units of the data: of logged data a log fold change.
#' `NA` for features that do not differ, and for factors. They describe the
#' answered samples; [group_markers()] tests the difference.
#'
#' *Order.* Ranking is a stable sort: equal features keep their order in the
#' data, and features without a score come last.
#'
#' @section In base R and dplyr: Functions that take a ranking read its rows
#'   from the best to the worst. So subsets, `head()`, `filter()` and
#'   assignments give a ranking while the rows are in order of rank, each
#'   feature once, with the columns `rank`, `feature`, `score` and the one that
#'   orders them. A ranking that is sorted, bound or edited otherwise is a plain
#'   data.frame, which these functions refuse: see [as_feature_ranking()].
#'
#' @section Rows: `ranking[i, ]` takes names of features, numbers of rows or a
#'   logical vector, whose `NA` counts as `FALSE`. Others than the ranking has
#'   are an error (`linkrank_error_argument`).
#'
#' @seealso [top_features()], [feature_scores()], [keep_features()],
#'   [add_ranking()]
#' @examples
#' x <- log2(colon$x)
#' links <- pairwise_constraints(
#'     cannot_link = rbind(c(1, 2), c(5, 8), c(9, 12)),
#'                               samples = rownames(x))
#' genes <- relieff_sc(x, links)
#' genes
#' summary(genes)
#' summary(genes)$parameters$k
#' genes[genes$margin > 0.5, ]
#' @name feature_ranking
NULL

#' @rdname feature_ranking
#' @export
print.feature_ranking <- function(x, n = 10L, ...) {
    check_ranking(x, "x")
    n <- check_count_or_all(n, "n")
    info <- attr(x, "info")
    cat(ranking_header(info), sep = "\n")
    shown <- min(n, nrow(x))
    # The columns that everybody asks for come first.
    table <- as.data.frame(x)[seq_len(shown), , drop = FALSE]
    first <- c("rank", "feature", if (info$method == "glean") info$key, "score",
               if (!is.null(table$family_p_value)) c("p_value", "fdr"),
               "family_p_value", "highest", "difference")
    cat(format_table(table[c(intersect(first, names(table)),
                             setdiff(names(table), first))]), sep = "\n")
    ties <- ties_note(x, info)
    notes <- c(if (!is.null(ties)) paste0(ties, "."),
               if (!is.null(info$no_direction))
                   paste0("No direction is shown: ", info$no_direction, "."),
               significance_note(x, info))
    if (length(notes)) cat_lines(paste0("  ", notes))
    rest <- nrow(x) - shown
    if (rest > 0L) {
        cat_lines(paste0(
            "  ... ", show_number(rest), " more. plot() shows all; ",
            "top_features(ranking, 50) gives names."
        ))
    }
    invisible(x)
}

ranking_header <- function(info) {
    first <- paste0("<feature_ranking> ", info$label, ", ",
                    if (nzchar(info$order)) info$order else
                        paste(info$direction, info$key, "is better"))
    second <- paste0("  ", if (!is.null(info$samples))
                         paste0(count_noun(info$samples, "sample"), ", "),
                     count_noun(info$features, "feature"))
    if (!is.null(info$cannot_links)) {
        second <- paste0(second, ", ",
                         count_noun(info$cannot_links, "cannot-link"), ", ",
                         count_noun(info$must_links, "must-link"))
    }
    parts <- setting_notes(info)
    note <- if (length(parts)) paste0("(", paste(parts, collapse = ", "), ")")
    fits <- nchar(second) + nchar(paste0(" ", note)) <= 80L
    c(strwrap_line(first), if (fits) paste(c(second, note), collapse = " ") else
        c(second, strwrap_line(paste0("  ", note))))
}

# Settings of the ranking, with the scale, in words.
setting_notes <- function(info) {
    c(info$note, if (!is.null(info$parameters$scale)) switch(
        info$parameters$scale, range = "scaled by range", zscore = "z-scored",
        balanced = "scaled, no feature spreads more than the median one",
        none = "unscaled"))
}

# Number of features with the score of the best one, as a sentence; NULL if it
# is unique.
ties_note <- function(x, info) {
    best <- x[[info$key]][match(1L, x$rank)]
    count <- sum(x[[info$key]] == best, na.rm = TRUE)
    if (count > 1L)
        paste(show_number(count), "features have the same best", info$key)
}

# Lines of a table of features, as wide as the console. Where it is too wide,
# long headings go on in a second line; columns that do not fit are named below.
format_table <- function(table) {
    other <- names(table) != "feature"
    features <- as.character(table$feature)
    columns <- vector("list", length(table))
    columns[other] <- Map(column_cells, table[other], names(table)[other])
    space <- max(60L, getOption("width"))
    needed <- sum(column_width(columns[other]) + 2L) + text_width(features) + 2L
    broken <- needed > space
    if (broken) columns[other] <- lapply(columns[other], break_heading)
    # the method's own columns are dropped for long names; rank and score stay
    widths <- column_width(columns[other]) + 2L
    width <- max(28L, space - 2L - sum(widths))
    if (text_width(features) > width)
        width <- space - 2L - sum(utils::head(widths, 2L))
    columns[!other] <- list(c(if (broken) "", column_cells(
        fit_width(features, width), "feature")))
    columns <- Map(function(cells, left) pad_text(cells, left = left), columns,
                   !other)
    fits <- cumsum(column_width(columns) + 2L) <= space
    lines <- do.call(paste0, lapply(columns[fits], function(cells) {
        paste0("  ", cells)
    }))
    hidden <- paste(shorten(names(table)[!fits], 40L), collapse = ", ")
    lines <- sub(" +$", "", lines)
    c(lines[nzchar(lines)],
      if (!all(fits)) strwrap_line(paste0("  columns left out: ", hidden)),
      note_line(features, width))
}

# The heading in two lines as even as possible, if that saves three columns.
# "p_value" stays in one piece.
break_heading <- function(cells) {
    cells <- trimws(cells)
    heading <- cells[1L]
    at <- gregexpr("_(?!value)", heading, perl = TRUE)[[1L]]
    wider <- pmax(at, nchar(heading) - at)
    if (at[1L] < 0L ||
        nchar(heading) - max(min(wider), text_width(cells[-1L])) < 3L) {
        return(c("", cells))
    }
    at <- at[which.min(wider)]
    c(substring(heading, c(1L, at + 1L), c(at, nchar(heading))), cells[-1L])
}

text_width <- function(text) {
    max(nchar(encodeString(text), type = "width"), 0L)
}

column_width <- function(columns) {
    vapply(columns, function(cells) max(nchar(cells, type = "width")), 0L)
}

column_cells <- function(values, name) {
    cells <- c(name, if (name == "feature") values else
        format_column(values, name))
    pad_text(cells, left = name == "feature")
}

format_column <- function(values, name) {
    if (is.character(values) || is.factor(values)) {
        text <- shorten(as.character(values), 28L)
        return(ifelse(is.na(values), "NA", text))
    }
    if (!is.double(values)) return(format(values, scientific = FALSE))
    if (grepl("p_value$|^fdr$", name)) {
        out <- formatC(values, digits = 2L, format = "g")
    } else {
        # a contrast without any variance within the groups has no size
        perfect <- name == "contrast" & values > 1e6 & !is.na(values)
        out <- format_numbers(replace(values, perfect, NA))
        out[perfect] <- "perfect"
    }
    out[is.na(values)] <- "NA"
    out
}

# The same number of decimals in a column, four digits for its largest value;
# powers of ten if that would be too wide.
format_numbers <- function(values) {
    finite <- abs(values[is.finite(values)])
    largest <- if (length(finite)) max(finite) else 0
    if (largest >= 1e6 || (largest > 0 && largest < 1e-4))
        return(formatC(values, digits = 3L, format = "e"))
    whole <- if (largest > 0) floor(log10(largest)) else 0
    out <- formatC(values, digits = max(0, 3 - whole), format = "f")
    sub("^-(0(\\.0*)?)$", "\\1", out)
}

#' @rdname feature_ranking
#' @export
`[.feature_ranking` <- function(x, i, j, drop) {
    indices <- nargs() - 1L - as.integer(!missing(drop))
    if (indices == 2L && !missing(i)) i <- ranking_rows(x, i)
    part <- table_part(as.data.frame.feature_ranking(x), indices, i, j, drop)
    if (is.data.frame(part)) still_ranking(part, x) else part
}

#' @export
`[<-.feature_ranking` <- function(x, ..., value) {
    still_ranking(NextMethod(), x)
}

#' @export
`[[<-.feature_ranking` <- `[<-.feature_ranking`

#' @export
`$<-.feature_ranking` <- `[<-.feature_ranking`

#' @export
`names<-.feature_ranking` <- `[<-.feature_ranking`

# Of several tables: they have no common order, and one header.
#' @exportS3Method
rbind.feature_ranking <- function(..., deparse.level = 1) {
    do.call(rbind, lapply(list(...), function(part) {
        if (inherits(part, "feature_ranking")) check_ranking(part)
        if (is.data.frame(part)) as.data.frame(part) else part
    }))
}

# Rows by the names of their features; a row that is not there is no row of NA.
ranking_rows <- function(ranking, i) {
    if (is.factor(i)) i <- as.character(i)
    if (is.character(i)) {
        at <- match(i, ranking$feature)
        refuse_if(anyNA(at), "`i` must name features of the ranking, but it ",
                  "has no ", quote_values(unique(i[is.na(at)])), ".")
        return(at)
    }
    if (is.logical(i)) return(i & !is.na(i))
    # trunc(): as `[` takes 2.5
    beyond <- if (is.numeric(i)) is.na(i) | trunc(i) > nrow(ranking)
    refuse_if(any(beyond), "`i` must be numbers of the ", nrow(ranking), " ",
              "rows of the ranking, not ", format(i[beyond][1L]), ".")
    i
}

# What `[` gives of a data.frame, where one index chooses columns; `indices`:
# how many there are.
table_part <- function(table, indices, i, j, drop) {
    if (indices < 2L) return(if (missing(i)) table else table[i])
    if (missing(drop)) table[i, j] else table[i, j, drop = drop]
}

#' @rdname feature_ranking
#' @export
summary.feature_ranking <- function(object, ...) {
    check_ranking(object, "object")
    info <- attr(object, "info")
    adjusted <- object[["fdr"]]
    values <- object[[info$key]]
    settings <- ranking_settings(info)
    settings$features <- nrow(object)
    structure(
        c(settings, list(header = ranking_header(info),
             methods = methods_sentence(info),
             positive = if (!is.null(object[["margin"]]))
                 sum(object$margin > 0, na.rm = TRUE),
             significant = if (!is.null(adjusted))
                 sum(adjusted <= 0.05, na.rm = TRUE),
             significance = significance_note(object, info),
             undefined = sum(is.na(values)), elbow = elbow(values),
             range = if (any(is.finite(values))) range(values, finite = TRUE),
             ties = ties_note(object, info),
             best = utils::head(object$feature[!is.na(values)], 5L))),
        class = "summary.feature_ranking"
    )
}

# How a ranking and its constraints were made, for a methods section. What the
# notes of the header say in words is no setting.
methods_sentence <- function(info) {
    # of a table that a file has given back
    if (length(info$parameters$settings)) return(info$parameters$settings)
    source <- registry_row(info$method)$source
    known <- Filter(function(value) is.atomic(value) && length(value) == 1L &&
        !value %in% c("fail", NA, 0, Inf), info$parameters)
    known[c("scale", "unit", "block", "rank_by", "rounds", "direction",
            "starts",
            if (any(grepl("neighbours in", info$note))) "space")] <- NULL
    said <- unique(c(setting_notes(info), sprintf("%s = %s", names(known),
                                                  unlist(known))))
    paste0(
        if (!is.null(info$constraints)) paste0(info$constraints, " "),
        info$label, " (", if (!is.na(source)) paste0(source, "; "),
        if (info$method == "own") "a table" else paste0(info$method, "()"),
        " of the R package linkrank ", this_version(), ", R ", getRversion(),
        ") ranked ", count_noun(info$features, "feature"),
        if (!is.null(info$samples))
            paste(" of", count_noun(info$samples, "sample")),
        " by ", info$key, if (length(said)) paste0(" (", toString(said), ")"),
        ".")
}

# How a ranking was made, without what only the package needs.
ranking_settings <- function(info) {
    info[c("names", "class", "order", "constraints")] <- NULL
    c(Filter(Negate(is.null), info), list(versions = c(
        linkrank = as.character(utils::packageVersion("linkrank")),
        R = as.character(getRversion())
    )))
}

#' @export
print.summary.feature_ranking <- function(x, ...) {
    cat(x$header, sep = "\n")
    range <- if (x$direction == "lower") x$range else rev(x$range)
    facts <- list(
        if (length(x$best)) fold_line(shorten(x$best, 57L), width = 58L),
        if (!is.null(range)) paste(formatC(range, digits = 4L, width = 1L),
                                   collapse = " to "),
        x$ties,
        if (!is.null(x$positive)) paste(show_number(x$positive), "of",
                                        show_number(x$features)),
        if (!is.null(x$significant)) show_number(x$significant),
        if (x$undefined > 0L) show_number(x$undefined),
        if (!is.na(x$elbow)) paste("after the first", if (x$elbow > 1L)
            show_number(x$elbow), if (x$elbow > 1L) "features" else "feature")
    )
    names(facts) <- c("Best", paste("Range of", x$key), "Ties",
                      "Margin above 0", "Adjusted p <= 0.05",
                      paste("Without", x$key), "Elbow")
    cat(fact_lines(Filter(Negate(is.null), facts)), sep = "\n")
    cat_lines(c(if (!is.null(x$significance)) paste0("  ", x$significance), "",
                "For a methods section:", paste0("  ", x$methods)))
    invisible(x)
}

# The elbow of a decreasing (or increasing) curve of ordered values: the point
# before the one farthest from the straight line between first and last point,
# both axes scaled to one. Features with a margin of 0 or less are not worth
# keeping, so the curve ends at the last positive value. NA without a clear
# elbow, or for a curve that is not monotone, as of a diversified ranking.
elbow <- function(values) {
    values <- values[is.finite(values)]
    if (length(values) && values[1L] > 0)
        values <- values[seq_len(max(which(values > 0)))]
    n <- length(values)
    ordered <- !is.unsorted(values) || !is.unsorted(-values)
    if (n < 3L || values[1L] == values[n] || !ordered) return(NA_integer_)
    along <- (seq_len(n) - 1) / (n - 1)
    height <- (values - values[n]) / (values[1L] - values[n])
    if (min(along + height) > 0.95) NA_integer_ else
        which.min(along + height) - 1L
}
