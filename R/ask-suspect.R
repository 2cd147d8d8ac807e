# Answers that do not fit the data: pairs called alike that are far apart, and
# pairs called different that are near.

#' Answers to look at again
#'
#' Orders answers by how unusual they are for the data: a must-link between
#' distant samples, or a cannot-link between near ones, may be a mistake. The
#' result is advice on where to look again; no answer is changed.
#'
#' @param constraints Constraints of the same samples, for instance from
#'   [active_constraints()] or [reconcile_answers()].
#' @param x Data: see [prepare_data()].
#' @param ... Arguments of [prepare_data()], by name: `scale`, `space`,
#'   `na.action`, `by`, `assay.type`, `threads`, `progress`.
#' @return A data.frame of class `suspect_answers` with one row per answer, the
#'   most unusual first (equal: in the order of the constraints), and columns
#'   `i`, `j`, `type`, `name_i` and `name_j` as in `as.data.frame(constraints)`,
#'   `distance`, and `share`: of all pairs of samples, the share that is at
#'   least as far apart (must-links) or at most as far apart (cannot-links),
#'   from 0 to 1.
#'
#' @details Distances are Euclidean. Up to 2000 samples `share` is computed from
#'   all pairs; with n samples more, from the pairs of 4,000,000 / n samples (at
#'   least 200), at equal steps in the order of the rows, with all others.
#'
#'   A small `share` is not a p-value. Right answers of samples on the border of
#'   a group have small shares too, and the data may vary mostly in something
#'   that was not asked about. Look at these samples again without seeing the
#'   data: an answer that is changed because the data suggest it adds nothing to the
#'   data. Of twenty answers with one planted mistake, the mistake was among the
#'   first three in 50 of 120 trials (18 expected by chance), by data set in 5
#'   to 22 of 24.
#'
#'   Cost: 4,000,000 distances, or n^2 if that is less.
#'
#' @section Errors: `linkrank_error_constraints` when the constraints are about
#'   other samples, `linkrank_error_input` for `x`, `linkrank_error_argument`.
#'
#' @seealso [reconcile_answers()], [answer_agreement()],
#'   [constraint_quality()] for one number about all pairs
#' @examples
#' x <- log2(colon$x)
#' links <- active_constraints(x, colon$tissue, n = 20)
#' suspect_answers(links, x, scale = "none")
#' @export
suspect_answers <- function(constraints, x, ...) {
    check_constraints(constraints)
    data <- prepared(x, ..., uses = c("scale", "space", "na.action"))
    # pairs of two blocks have a distance too
    data["block_of"] <- list(NULL)
    input <- asked_input(data, distances = "euclidean",
                         space = default_components)
    constraints <- match_constraints(constraints, input$data)
    pairs <- as.data.frame(constraints)
    control <- no_progress(data$control)
    pairs$distance <- pair_distances(input$where, pairs$i, pairs$j, control)
    # The share of all pairs that are as far or farther (`far`), else as near
    # or nearer, than each distance; those of components are rounded.
    far <- pairs$type == "must-link"
    n <- input$data$n
    limit <- pairs$distance^2 * ifelse(far, 1 - 1e-6, 1 + 1e-6)
    order <- order(limit)
    count <- min(n, max(200, ceiling(4e6 / n)))
    rows <- unique(round(seq(1, n, length.out = count)))
    # of all pairs, those in each gap between the limits
    gaps <- numeric(length(limit) + 1L)
    for (own in split(rows, (seq_along(rows) - 1L) %/% 50L)) {
        squared <- sample_distances(input$where, own, control)
        squared <- squared[-((seq_along(own) - 1L) * n + own)]
        gaps <- gaps + tabulate(findInterval(squared, limit[order]) + 1L,
                                length(gaps))
    }
    nearer <- numeric(length(limit))
    nearer[order] <- cumsum(gaps)[seq_along(limit)] / sum(gaps)
    pairs$share <- ifelse(far, 1 - nearer, nearer)
    pairs$confidence <- NULL
    pairs <- pairs[order(pairs$share), ]
    rownames(pairs) <- NULL
    structure(pairs, space = input$where$label %||% "all features",
              class = c("suspect_answers", "data.frame"))
}

#' @export
print.suspect_answers <- function(x, n = 3L, ...) {
    n <- check_count_or_all(n, "n")
    if (!all(c("name_i", "type", "share") %in% names(x))) return(NextMethod())
    cat("<suspect_answers> ", count_noun(nrow(x), "answer"), ", distances in ",
        attr(x, "space"), "\n", sep = "")
    shown <- utils::head(x, n)
    name <- function(number, name) ifelse(is.na(name), number, name)
    nearer <- shown$type == "cannot-link"
    cat(strwrap_line(paste0(
        "  look again at ", name(shown$i, shown$name_i), " and ",
        name(shown$j, shown$name_j), ": ", answer_words[shown$type], ", but ",
        formatC(100 * shown$share, digits = 1L, format = "f"),
        " % of all pairs are ", ifelse(nearer, "nearer", "farther apart")
    ))[nrow(shown) > 0L], sep = "\n")
    cat_rest(nrow(x) - nrow(shown),
             " less unusual; as.data.frame() gives all.")
    invisible(x)
}
