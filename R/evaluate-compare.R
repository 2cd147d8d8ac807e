# Comparison of rankings with each other, and of methods over many runs.

#' Precision and distance of a ranking against a target ranking
#'
#' Measures how well the first features of a ranking agree with those of a
#' target ranking, for instance a ranking from a few pairs with one from all
#' labels.
#'
#' @param ranking A `feature_ranking`.
#' @param target Another one of the same features.
#' @param n How many of the first features of `target` count, from 1; one or
#'   several numbers.
#'
#' @return A number for each of `n`. `ranking_precision()`: the proportion of
#' the first `n` features of `target` that are among the first `n` of `ranking`,
#' from 0 to 1, higher is better (4.16). `ranking_distance()`: the sum over the
#' first `n` features of `target` of the absolute difference of their two ranks,
#' divided by the largest possible sum over all features, that of a reversed
#' ranking (4.17, 4.18); 0 is best.
#'
#' @details Both take the full rankings, so `n` must not exceed their features.
#' With a single feature the distance is 0.
#'
#' @references Hijazi, S. (2019). *Semi-supervised Margin-based Feature
#'   Selection for Classification.* PhD thesis, NNT 2019DUNK0546. Section 4.6.3.
#'
#' @examples
#' x <- log2(colon$x)
#' set.seed(1)
#' few <- constraints_from_labels(colon$tissue, 10, 10)
#' all <- constraints_from_labels(colon$tissue)
#' ranking_precision(relieff_sc(x, few), relieff_sc(x, all),
#'                   c(10, 50))
#' ranking_distance(relieff_sc(x, few), relieff_sc(x, all), 50)
#' @export
ranking_precision <- function(ranking, target, n = NULL) {
    n <- check_pair_of_rankings(ranking, target, n)
    place <- match(target$feature, ranking$feature)
    vapply(n, function(count) mean(place[seq_len(count)] <= count), 0)
}

#' @rdname ranking_precision
#' @export
ranking_distance <- function(ranking, target, n = NULL) {
    n <- check_pair_of_rankings(ranking, target, n)
    count <- nrow(target)
    gap <- abs(match(target$feature, ranking$feature) - seq_len(count))
    largest <- sum(abs(seq_len(count) - rev(seq_len(count))))
    if (largest == 0) numeric(length(n)) else cumsum(gap)[n] / largest
}

check_pair_of_rankings <- function(ranking, target, n) {
    check_ranking(ranking)
    check_ranking(target, "target")
    if (!setequal(ranking$feature, target$feature)) {
        other <- c(setdiff(target$feature, ranking$feature),
                   setdiff(ranking$feature, target$feature))
        abort_linkrank("`ranking` and `target` must hold the same features, ",
                       "but only one of them has ", quote_values(other), ".")
    }
    if (length(n) < 2L) {
        return(check_count(n, "n", 1, nrow(target)))
    }
    vapply(n, check_count, 0, name = "n", lower = 1, upper = nrow(target))
}

#' Rank sums of methods over repeated runs
#'
#' Sums over the runs of the rank of each method, 1 for the most accurate (40)
#' of Salmi et al. (2020). The smallest sum marks the method that is most often
#' the best.
#'
#' @param accuracy A numeric matrix or data.frame, runs in rows, methods in
#'   columns; higher is better.
#'
#' @return A number per method, named as the columns are.
#'
#' @details Equal accuracies of a run get the smallest of their ranks.
#'
#' @examples
#' rank_sum(cbind(a = c(0.9, 0.8, 0.7), b = c(0.9, 0.7, 0.8)))
#' @export
rank_sum <- function(accuracy) {
    check_given(accuracy, "a number per run and method")
    if (is.data.frame(accuracy)) {
        accuracy <- as.matrix(accuracy)
    }
    refuse_if(!is.matrix(accuracy) || !is.numeric(accuracy) || anyNA(accuracy),
              "`accuracy` must be a numeric matrix without NA, runs in rows ",
              "and methods in columns.")
    ranks <- apply(-accuracy, 1L, rank, ties.method = "min")
    sums <- rowSums(matrix(ranks, ncol(accuracy)))
    stats::setNames(sums, colnames(accuracy))
}
