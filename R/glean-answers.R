# Results of glean() besides its table: labels of the samples, and whether its
# parts agree.

#' @rdname glean
#' @export
glean_labels <- function(ranking) {
    check_glean(ranking)
    info <- attr(ranking, "info")
    answers <- info$answers
    data.frame(sample = if (is.null(info$sample_names))
                   seq_len(info$samples) else info$sample_names,
               group = answers$label, confidence = answers$confidence)
}

check_glean <- function(ranking) {
    check_given(ranking, "what glean() returned")
    if (!inherits(ranking, "glean_ranking")) {
        abort_linkrank("`ranking` must be what glean() returned, not ",
                       describe_class(ranking), ".", class = "argument")
    }
    ranking
}

# Rank correlation of structure and margin among the first `n` features; NA if
# one of them does not vary.
agreement <- function(ranking, n = 100L) {
    best <- utils::head(as.data.frame(ranking), n)
    varies <- function(values) length(unique(values)) > 1L
    if (nrow(best) < 3L || !varies(best$structure) || !varies(best$margin)) {
        return(NA_real_)
    }
    stats::cor(best$structure, best$margin, method = "spearman")
}

#' @export
print.glean_ranking <- function(x, ...) {
    NextMethod()
    if (isTRUE(agreement(x) < 0)) {
        cat(strwrap_line(paste0(
            "  The answers disagree with the structure of the data (rank ",
            "correlation of structure and margin ",
            formatC(agreement(x), digits = 2L, format = "f"),
            "); compare relieff_sc()."
        )), sep = "\n")
    }
    invisible(x)
}
