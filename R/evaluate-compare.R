# Comparison of rankings with each other.

#' Compare a ranking with a target ranking
#'
#' Measures how well the first features of a ranking agree with those of a
#' target ranking, for instance a ranking from a few pairs with one from all
#' labels.
#'
#' @param ranking A `feature_ranking`.
#' @param target Another one of the same features.
#' @param n How many of the first features of `target` count, from 1; one or
#'   several numbers.
#' @param measure `"precision"` or `"distance"`.
#'
#' @return A number for each of `n`.
#' * `"precision"`: the proportion of the first `n` features of `target` that
#'   are among the first `n` of `ranking`, from 0 to 1, higher is better (4.16).
#' * `"distance"`: the sum over the first `n` features of `target` of the
#'   absolute difference of their two ranks, divided by the largest possible sum
#'   over all features, that of a reversed ranking (4.17, 4.18); 0 is best.
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
#' few <- relieff_sc(x, constraints_from_labels(colon$tissue,
#'     cannot_link = 10, must_link = 10))
#' all <- relieff_sc(x, constraints_from_labels(colon$tissue))
#' compare_rankings(few, all, c(10, 50))
#' compare_rankings(few, all, 50, measure = "distance")
#' @export
compare_rankings <- function(ranking, target, n = NULL,
                             measure = c("precision", "distance")) {
    measure <- check_choice(measure, c("precision", "distance"), "measure")
    n <- check_pair_of_rankings(ranking, target, n)
    place <- match(target$feature, ranking$feature)
    if (measure == "precision") {
        return(vapply(n, function(count) mean(place[seq_len(count)] <= count),
                      0))
    }
    order <- seq_along(place)
    largest <- sum(abs(order - rev(order)))
    if (largest == 0) numeric(length(n)) else
        cumsum(abs(place - order))[n] / largest
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
    if (length(n) < 2L) return(check_count(n, "n", 1, nrow(target)))
    vapply(n, check_count, 0, name = "n", lower = 1, upper = nrow(target))
}
