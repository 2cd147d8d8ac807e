# print, summary, [ and as.data.frame for rankings.

#' A ranking of features
#'
#' Every ranking method returns a `feature_ranking`: a data.frame with one row
#' per feature, best first.
#'
#' @param x,object A `feature_ranking`.
#' @param n How many rows to print.
#' @param i,j,drop As for a data.frame. Rows keep their ranks; without the
#'   columns `rank`, `feature` and `score` the result is a plain data.frame.
#' @param row.names,optional,... As for [as.data.frame()]; unused.
#'
#' @return `print()` returns its argument, invisibly. `as.data.frame()` gives
#'   the plain data.frame. `summary()` gives a list with the settings and, where
#'   the method defines them, the number of features with a positive margin
#'   (`positive`), of features significant at 0.05 after adjustment
#'   (`significant`), without a score (`undefined`), and the place where the
#'   ordered scores bend most (`elbow`, see [plot.feature_ranking()]).
#'
#' @details Columns of every ranking: `rank`, `feature` and `score`; the
#'   method's help page explains its own columns. Ranking is a stable sort:
#'   equal features keep their order in the data, and features without a score
#'   come last.
#'
#' @seealso [top_features()], [scores()], [ranking_info()],
#'   [select_features()], [add_ranking()]
#' @examples
#' links <- pairwise_constraints(rbind(c(1, 2), c(5, 8), c(9, 12)),
#'                               samples = rownames(colon$x))
#' genes <- relieff_sc(colon$x, links)
#' genes
#' summary(genes)
#' genes[genes$margin > 1.5, ]
#' @name feature_ranking
NULL

#' @rdname feature_ranking
#' @export
print.feature_ranking <- function(x, n = 10L, ...) {
    info <- attr(x, "info")
    cat(ranking_header(x, info), sep = "\n")
    shown <- min(n, nrow(x))
    cat(format_ranking(x, seq_len(shown)), sep = "\n")
    rest <- nrow(x) - shown
    if (rest > 0L) {
        cat(strwrap_line(paste0(
            "  ... ", rest, " more. plot() shows all; top_features(",
            "ranking, 50) gives names."
        )), sep = "\n")
    }
    invisible(x)
}

ranking_header <- function(x, info) {
    first <- paste0("<feature_ranking> ", info$label, ", ", info$direction,
                    " ", info$key, " is better")
    second <- paste0("  ", count_noun(info$samples, "sample"), ", ",
                     count_noun(info$features, "feature"))
    if (!is.null(info$cannot_links)) {
        second <- paste0(second, ", ",
                         count_noun(info$cannot_links, "cannot-link"), ", ",
                         count_noun(info$must_links, "must-link"))
    }
    note <- if (!is.null(info$note)) paste0("(", info$note, ")")
    fits <- nchar(second) + nchar(paste0(" ", note)) <= 80L
    c(first, if (fits) paste(c(second, note), collapse = " ") else
        c(second, paste0("  ", note)))
}

# A table of at most 80 columns: columns that do not fit are left out, and
# long names cut.
format_ranking <- function(x, rows) {
    table <- as.data.frame(x)[rows, , drop = FALSE]
    columns <- lapply(names(table), function(name) {
        cells <- format_column(table[[name]], name)
        left <- name == "feature"
        width <- max(nchar(c(name, cells)))
        formatC(c(name, cells), width = if (left) -width else width)
    })
    width <- vapply(columns, function(cells) nchar(cells[1L]), 0L) + 2L
    columns <- columns[cumsum(width) <= 78L]
    sub(" +$", "", do.call(paste0, unlist(lapply(columns, function(cells) {
        list("  ", cells)
    }), recursive = FALSE)))
}

format_column <- function(values, name) {
    if (is.character(values) || is.factor(values)) {
        return(shorten(as.character(values), 28L))
    }
    if (!is.double(values)) {
        return(format(values))
    }
    if (grepl("p_value$", name)) {
        out <- formatC(values, digits = 2L, format = "g")
    } else {
        out <- format_numbers(values)
    }
    out[is.na(values)] <- "NA"
    out
}

# The same number of decimals in a column, four digits for its largest value;
# powers of ten where that would take too much room.
format_numbers <- function(values) {
    finite <- abs(values[is.finite(values)])
    largest <- if (length(finite)) max(finite) else 0
    if (largest >= 1e6 || (largest > 0 && largest < 1e-4)) {
        return(formatC(values, digits = 3L, format = "e"))
    }
    whole <- if (largest > 0) floor(log10(largest)) else 0
    formatC(values, digits = max(0, 3 - whole), format = "f")
}

#' @rdname feature_ranking
#' @exportS3Method
as.data.frame.feature_ranking <- function(x, row.names = NULL,
                                          optional = FALSE, ...) {
    attr(x, "info") <- NULL
    class(x) <- "data.frame"
    x
}

#' @rdname feature_ranking
#' @export
`[.feature_ranking` <- function(x, i, j, drop = FALSE) {
    info <- attr(x, "info")
    table <- as.data.frame(x)
    # as for data.frames, one index chooses columns
    indices <- nargs() - 1L - as.integer(!missing(drop))
    part <- if (indices < 2L) {
        if (missing(i)) table else table[i]
    } else {
        table[i, j, drop = drop]
    }
    kept <- is.data.frame(part) &&
        all(c("rank", "feature", "score", info$key) %in% names(part))
    if (kept) restore_ranking(part, info) else part
}

#' @rdname feature_ranking
#' @export
summary.feature_ranking <- function(object, ...) {
    info <- attr(object, "info")
    adjusted <- object$adj_p_value
    structure(
        list(label = info$label, header = ranking_header(object, info),
             features = nrow(object),
             positive = if (!is.null(object$margin)) sum(object$margin > 0),
             significant = if (!is.null(adjusted))
                 sum(adjusted <= 0.05, na.rm = TRUE),
             undefined = sum(is.na(object[[info$key]])),
             elbow = elbow(object[[info$key]]),
             range = range(object[[info$key]], finite = TRUE),
             key = info$key, best = utils::head(object$feature, 5L)),
        class = "summary.feature_ranking"
    )
}

#' @export
print.summary.feature_ranking <- function(x, ...) {
    cat(x$header, sep = "\n")
    range <- paste(formatC(rev(x$range), digits = 4L), collapse = " to ")
    rows <- c("Best" = paste(shorten(x$best, 14L), collapse = ", "))
    rows[paste("Range of", x$key)] <- range
    if (!is.null(x$positive)) {
        rows["Margin above 0"] <- paste(x$positive, "of", x$features)
    }
    if (!is.null(x$significant)) {
        rows["Adjusted p <= 0.05"] <- x$significant
    }
    if (x$undefined > 0L) {
        rows[paste("Without", x$key)] <- x$undefined
    }
    if (!is.na(x$elbow)) {
        rows["Elbow"] <- paste("after the first",
                               count_noun(x$elbow, "feature"))
    }
    cat(paste0("  ", formatC(names(rows), width = -20L), rows), sep = "\n")
    invisible(x)
}

# Where a falling (or rising) curve of ordered values bends most: the point
# farthest from the straight line between its ends, both axes scaled to one.
# Beyond the last positive value of a margin there is nothing to keep, so the
# curve ends there. NA when it has no bend to speak of.
elbow <- function(values) {
    values <- values[is.finite(values)]
    if (length(values) && values[1L] > 0) {
        values <- values[seq_len(max(which(values > 0)))]
    }
    n <- length(values)
    if (n < 3L || values[1L] == values[n]) {
        return(NA_integer_)
    }
    along <- (seq_len(n) - 1) / (n - 1)
    height <- (values - values[n]) / (values[1L] - values[n])
    which.min(along + height)
}
