# Rankings with reduced redundancy.

#' Reduce the redundancy of a ranking
#'
#' The best features are often copies of one another. `"correlation"` re-orders
#' any ranking so that each next feature is relevant and little correlated with
#' those before it; `"prune"` keeps a feature unless it is strongly correlated
#' with a better one that was kept.
#'
#' @param ... Arguments of [prepare_data()], by name: `na.action`, `by`,
#'   `assay.type`, `threads`, `progress`.
#' @param ranking A `feature_ranking` of any method.
#' @param x The data that were ranked, or others with the same features; factors
#'   for `"correlation"` only.
#' @param method `"correlation"` or `"prune"`.
#' @param top Of `"correlation"`: how many of the best features to re-order,
#'   from 1 to `Inf`; the others follow.
#' @param max_cor Of `"prune"`: the largest absolute correlation of two features
#'   that are both kept, from 0 to 1.
#' @param n Of `"prune"`: stop when this number of features is kept; `Inf`
#'   checks all.
#'
#' @return A [`feature_ranking`][feature_ranking] with the rows of `ranking` in
#'   a new order, ranks in this order, and a further column:
#' * `"correlation"`: `relevance`, g of Details; `NA` beyond `top`;
#' * `"prune"`: `selected`; the features kept come first, both parts in their
#'   old order.
#'
#' @details `"correlation"` takes as relevance g the score divided by the
#'   largest score, at least 1e-4; where a lower score is better, (max - s) /
#'   (max - min) of the finite scores. A feature without a score has 1e-4; for
#'   [select_subset()] s is the order of entry. The first feature is the one of
#'   largest g; the next always maximises g_f (1 - R_f), with R_f the largest
#'   squared correlation of f with a feature chosen before it; of a factor the
#'   largest over the indicators of its levels.
#'
#' *Which one to take.* For a short list that predicts, `"correlation"`.
#' `"prune"` says which features were left out; long lists end in weak features.
#' The automatic cut of [fcrsc()] leaves out only the most similar genes; a
#' given number of clusters puts most genes, or a spectrum, into one. In a list
#' to report copies are welcome: they differ, too.
#'
#' *Ties* go to the better rank. With a constant feature correlations are 0, and
#' an r^2 above 1 - 1e-12 counts as 1.
#'
#' *Cost.* For n samples, `"correlation"`: n `top`^2 operations; `"prune"`: 2 n
#' for each feature and kept feature. Memory: one copy of the features to check.
#'
#' @section Errors: As [feature_graph()]; `linkrank_error_argument` when `x`
#'   lacks a feature, and for an argument of the other method.
#'
#' @seealso [redundancy()], [glean()], whose order by score does the same
#' @examples
#' x <- log2(colon$x)
#' set.seed(1)
#' links <- constraints_from_labels(colon$tissue, cannot_link = 10,
#'                                  must_link = 0)
#' genes <- relieff_sc(x, links)
#' varied <- diversify_ranking(genes, x)
#' varied
#'
#' # how alike are the best twenty, before and after?
#' sapply(list(genes, varied), function(ranking) {
#'     redundancy(keep_features(x, ranking, 20), absolute = TRUE)
#' })
#'
#' pruned <- diversify_ranking(genes, x, method = "prune", max_cor = 0.7)
#' sum(pruned$selected)
#' top_features(pruned, 5)
#' @export
diversify_ranking <- function(
    ranking, x, ..., method = c("correlation", "prune"), top = 1500,
    max_cor = 0.7, n = Inf) {
    check_ranking(ranking)
    method <- check_choice(method)
    refuse_unused("method", method, list(correlation = "top",
                                         prune = c("max_cor", "n")))
    top <- check_count_or_all(top, "top", 1)
    max_cor <- check_number(max_cor, "max_cor", 0, 1)
    n <- check_count_or_all(n, "n", 1)
    data <- prepared(x, ..., uses = "na.action")
    places <- feature_places(x, ranking, Inf, data)
    if (method == "correlation") reorder_relevant(ranking, data, places, top)
    else keep_first(ranking, data, places, max_cor, n)
}

reorder_relevant <- function(ranking, data, places, top) {
    top <- min(top, nrow(ranking))
    cells <- level_columns(scaled_data(data, scale = "range"))
    relevance <- relevance_of(ranking)[seq_len(top)]
    place <- diversify_features(cells, places[seq_len(top)], relevance)$place
    table <- as.data.frame(ranking)
    table$relevance <- c(relevance, rep(NA_real_, nrow(ranking) - top))
    rest <- seq_len(nrow(ranking) - top) + top
    reorder_ranking(table, c(place, rest), add_note(ranking, paste0(
        "diversified", if (top < nrow(ranking)) paste(" to rank", top)
    )))
}

keep_first <- function(ranking, data, places, max_cor, n) {
    cells <- scaled_data(data, scale = "range", numbers = TRUE)
    kept <- first_uncorrelated(cells, places, max_cor, n, data$control)
    table <- as.data.frame(ranking)
    table$selected <- seq_len(nrow(table)) %in% kept
    reorder_ranking(table, order(!table$selected), add_note(ranking, paste0(
        if (n <= length(kept)) "the first ", length(kept), " kept at |r| <= ",
        format(max_cor)
    )))
}

# The first n kept positions. They are usually among the best features, so these
# are checked first.
first_uncorrelated <- function(cells, places, max_cor, n, control) {
    looked_at <- min(length(places), 4 * n)
    repeat {
        kept <- .Call(C_keep_uncorrelated, cells$data, cells$scaling,
                      places[seq_len(looked_at)], max_cor, control)
        if (length(kept) >= n || looked_at == length(places))
            return(utils::head(kept, min(n, length(kept))))
        looked_at <- min(length(places), 2 * looked_at)
    }
}

# The greedy order of some features: list(place, value), the positions among
# them and the g_f (1 - R_f) at selection.
diversify_features <- function(cells, features, relevance) {
    if (is.null(cells$feature)) .Call(
        C_diversify, cells$data, cells$scaling, features, relevance,
        cells$data$control) else diversify_columns(cells, features, relevance)
}

# The same where a feature may have several columns: two features correlate as
# the two columns do that correlate most. A missing cell is the column's mean.
diversify_columns <- function(cells, features, relevance) {
    own <- which(cells$feature %in% features)
    owner <- match(cells$feature[own], features)
    u <- read_scaled(cells$data, cells$scaling, own)
    u <- u - rep(colMeans(u, na.rm = TRUE), each = nrow(u))
    u[is.na(u)] <- 0
    u <- u / rep(pmax(sqrt(colSums(u^2)), 1e-300), each = nrow(u))
    redundant <- value <- numeric(length(features))
    place <- integer()
    while (length(place) < length(features)) {
        worth <- replace(relevance * (1 - redundant), place, -1)
        place <- c(place, best <- which.max(worth))
        value[length(place)] <- worth[best]
        for (column in which(owner == best)) {
            square <- colSums(u * u[, column])^2
            square[square > 1 - 1e-12] <- 1
            redundant <- pmax(redundant, tapply(square, owner, max))
        }
    }
    list(place = place, value = value)
}

# Scores from 1e-4 to 1, for either direction.
relevance_of <- function(ranking) {
    # the scores of a forward selection are a curve over all that entered
    score <- if (inherits(ranking, "subset_ranking")) ranking$entry else
        ordering_scores(ranking)
    finite <- score[is.finite(score)]
    most <- max(finite, -Inf)
    if (attr(ranking, "info")$direction == "higher") {
        relevance <- if (most > 0) score / most else score * 0
    } else {
        width <- most - min(finite, Inf)
        relevance <- if (width > 0) (most - score) / width else score * 0 + 1
    }
    relevance[is.na(relevance)] <- 0
    pmin(pmax(relevance, 1e-4), 1)
}

add_note <- function(ranking, note) {
    info <- attr(ranking, "info")
    info$note <- c(info$note, note)
    info$diversified <- TRUE
    info
}
