# Methods of broom's generics and dplyr for the objects of this package. All of
# these packages are only suggested; the methods are registered when their
# package is loaded.

#' Tidy tables of results
#'
#' Methods of `tidy()`, `glance()` and `augment()` of \pkg{generics},
#' \pkg{broom} and the tidymodels, available as soon as one of these is loaded.
#'
#' @param x A ranking, constraints, an evaluation of rankings or methods, the
#'   stability of a method, or clusters under constraints.
#' @param data The data that were clustered, a data.frame or matrix.
#' @param ... Unused.
#'
#' @return A tibble where \pkg{tibble} is installed, else a data.frame.
#' * `tidy()` of a ranking or of [group_markers()]: its table; of constraints: a
#'   row per pair; of [active_constraints()]: the questions; of evaluations and
#'   of [ranking_stability()]: the table that is plotted; of clusters: a row per
#'   cluster, `cluster` and `size`.
#' * `glance()` of a ranking: one row with `method`, `direction`, `n_samples`,
#'   `n_features`, `n_cannot_link`, `n_must_link` and `n_positive`, features
#'   with a score above 0; of evaluations: one row per ranking or method, as
#'   `summary()` gives; of clusters: one row with `method`, `n_samples`,
#'   `n_clusters`, `broken_cannot_link`, `broken_must_link`, `objective`,
#'   `iterations` and `converged`. `NA` where there is none.
#' * `augment()` of clusters: the data with a column `.cluster`, of
#'   [glean_labels()] also `.confidence`.
#'
#' @details *dplyr verbs* on a ranking give a ranking as long as the result is
#'   one: see [feature_ranking].
#'
#' @examples
#' x <- log2(colon$x)
#' links <- pairwise_constraints(cannot_link = rbind(c(1, 2), c(5, 8)),
#'                               samples = rownames(x))
#' genes <- relieff_sc(x, links)
#' if (requireNamespace("generics", quietly = TRUE)) {
#'     print(generics::glance(genes))
#'     head(generics::tidy(genes), 3)
#' }
#' @name tidiers
NULL

as_tibble_if_installed <- function(table) {
    has_tibble <- requireNamespace("tibble", quietly = TRUE)
    if (has_tibble) tibble::as_tibble(table) else table
}

#' @rdname tidiers
#' @exportS3Method generics::tidy
tidy.feature_ranking <- function(x, ...) {
    as_tibble_if_installed(as.data.frame(x))
}

#' @rdname tidiers
#' @exportS3Method generics::glance
glance.feature_ranking <- function(x, ...) {
    info <- attr(check_ranking(x, "x"), "info")
    as_tibble_if_installed(data.frame(
        method = info$method, direction = info$direction,
        n_samples = as.integer(info$samples %||% NA), n_features = nrow(x),
        n_cannot_link = as.numeric(info$cannot_links %||% NA),
        n_must_link = as.numeric(info$must_links %||% NA),
        n_positive = sum(ordering_scores(x) > 0, na.rm = TRUE)
    ))
}

#' @rdname tidiers
#' @exportS3Method generics::tidy
tidy.group_markers <- tidy.feature_ranking

#' @rdname tidiers
#' @exportS3Method generics::tidy
tidy.pairwise_constraints <- tidy.feature_ranking

#' @rdname tidiers
#' @exportS3Method generics::tidy
tidy.active_constraints <- function(x, ...) {
    as_tibble_if_installed(x$questions)
}

#' @rdname tidiers
#' @exportS3Method generics::tidy
tidy.ranking_evaluation <- tidy.feature_ranking

#' @rdname tidiers
#' @exportS3Method generics::glance
glance.ranking_evaluation <- function(x, ...) {
    as_tibble_if_installed(as.data.frame(summary(x)))
}

#' @rdname tidiers
#' @exportS3Method generics::tidy
tidy.ranking_stability <- function(x, ...) {
    as_tibble_if_installed(structure(x, frequency = NULL, rankings = NULL,
                                     method = NULL, class = "data.frame"))
}

#' @rdname tidiers
#' @exportS3Method generics::tidy
tidy.constrained_clusters <- function(x, ...) {
    as_tibble_if_installed(summary(x))
}

#' @rdname tidiers
#' @exportS3Method generics::glance
glance.constrained_clusters <- function(x, ...) {
    as_tibble_if_installed(data.frame(
        method = x$method, n_samples = length(x$cluster),
        n_clusters = length(x$sizes),
        broken_cannot_link = x$broken[["cannot_link"]] %||% NA_real_,
        broken_must_link = x$broken[["must_link"]] %||% NA_real_,
        objective = x$objective %||% NA_real_,
        iterations = x$iterations %||% NA_integer_,
        converged = x$converged %||% NA
    ))
}

#' @rdname tidiers
#' @exportS3Method generics::augment
augment.constrained_clusters <- function(x, data, ...) {
    check_given(data, "the data that were clustered")
    refuse_class_if(!is.data.frame(data) && !is.matrix(data) &&
                        !methods::is(data, "DataFrame"), data,
                    "`data` must be a data.frame or matrix")
    # a DataFrame would lose names such as "a b"
    data <- if (is.matrix(data)) as.data.frame(data) else
        as.data.frame(data, optional = TRUE)
    refuse_if(nrow(data) != length(x$cluster), "`data` must have the clustered
              {length(x$cluster)} samples, not {nrow(data)}.")
    refuse_if(anyDuplicated(names(data)) || !all(nzchar(names(data))),
              "`data` must have a different name for each column.")
    places <- stats::setNames(seq_along(x$cluster), names(x$cluster))
    at <- match_places(places, own_row_names(data), "x", "data")
    data$.cluster <- unname(x$cluster[at])
    data$.confidence <- x$confidence[at]
    as_tibble_if_installed(data)
}

# ---- dplyr ------------------------------------------------------------------

#' @exportS3Method dplyr::dplyr_reconstruct
dplyr_reconstruct.feature_ranking <- function(data, template) {
    still_ranking(data, template)
}
