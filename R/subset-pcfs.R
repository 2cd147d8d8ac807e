# PCFS: alternates feature selection and constrained clustering.

#' Alternate feature selection and clustering (PCFS)
#'
#' PCFS clusters the samples under the constraints, and measures for each pair
#' how well classifiers trained on parts of the clustering agree. It scores
#' features by small differences of must-linked and large differences of
#' cannot-linked samples, weighted by this agreement. Then it clusters again
#' with the best features.
#'
#' @param x Data: see [prepare_data()].
#' @param constraints Constraints, with at least one pair: see [relieff_sc()].
#' @param clusters Number of clusters, from 2 to the number of samples; `NULL`:
#'   the number of must-link groups, but at least 2.
#' @param n Features kept in each round; half of them by default.
#' @param beta Strength of a pair whose agreement is uncertain, from 0 to 1; the
#'   others have 1 - `beta`.
#' @param bins Bins of the histogram of agreements, at least 5.
#' @param max_iter Largest number of rounds.
#' @param classifier `"centroid"`: the class of the nearest class mean;
#'   `"nearest"`: of the nearest sample; or a function
#'   `function(train, y, test)` of scaled matrices and a factor that returns the
#'   class of each row of `test`.
#' @param votes Number of classifiers trained in a round.
#' @param ... Arguments of [prepare_data()], by name: `scale`, `na.action`,
#'   `by`, `assay.type`, `threads`, `progress`.
#' @return A [`feature_ranking`][feature_ranking()], lowest score first, with
#'   columns `score` and `selected` (the `n` features of the last round).
#'   [summary()][feature_ranking] gives `rounds`: for each the features
#'   `selected`, the `cluster` of each sample before it, the bounds of the
#'   `uncertain` region (`NA`: none) and how many features `changed`. It ends
#'   when none does.
#'
#' @details Agreement: `votes` times, a classifier is trained on two thirds of
#'   the samples, drawn at random, with their clusters as classes, and predicts
#'   all samples; T is 1 for two samples predicted alike, else 0. The agreement
#'   S starts as the first T and becomes (T + S) / 2 with each other. Uncertain
#'   region (3-6): the first valley of the smoothed histogram of S, m_d, and
#'   m_c, the largest bin centre minus m_d; no valley, or m_c < m_d: no pair is
#'   uncertain. Strength R is beta for uncertain pairs, else 1 - beta. Score of
#'   a feature (7), lower is better:
#' \deqn{\frac{\sum_M (f_i - f_j)^2 R_{ij} + \frac{1 - S_{ij}}{\sum_M (1 - S)} (1 - R_{ij})}{\sum_C (f_i - f_j)^2 R_{ij} + \frac{1 - S_{ij}}{\sum_C (1 - S)} (1 - R_{ij})}}{(sum over M of (f_i - f_j)^2 R_ij + (1 - S_ij) / sum(1 - S) (1 - R_ij)) / (the same over C)}
#' over the given pairs; a zero sum of 1 - S makes its term 0. Clusters come
#' from [pck_means()], first with all features.
#'
#' *Ties.* Equal scores keep column order; 0/0 and constant features are `NA`
#' and last; if only the denominator is 0, the score is `Inf`. Factors differ by
#' 0 or 1. *Cost.* Per round one clustering, `votes` predictions and pairs times
#' features; the histogram counts at most two million pairs of samples. Memory:
#' two copies of the data.
#'
#' @section The published form: Algorithm 2 of Berahmand et al. (2020), with the
#'   number of features `n` of their Table 6:
#'
#' ```
#' pcfs(x, constraints, clusters = clusters, n = n, beta = 0.3)
#' ```
#'
#' `beta` is the default. Classifier, votes and bins are not printed there.
#'
#' @section Errors: `linkrank_error_constraints`: no pair; cannot-links that
#'   cannot all hold with this number of clusters. `linkrank_error_argument`: a
#'   classifier that returns another number of classes, or `NA`. Also those of
#'   [relieff_sc()].
#'
#' @references Berahmand, K., Rostami, M. and Forouzandeh, S. (2020). *Journal
#'   of Big Data*, 7, 83. \doi{10.1186/s40537-020-00352-3}
#'
#' @seealso [pck_means()], [select_subset()]
#' @examples
#' set.seed(1)
#' links <- constraints_from_labels(iris$Species, cannot_link = 10,
#'                                  must_link = 10)
#' found <- pcfs(iris[1:4], links, clusters = 3)
#' found
#' length(summary(found)$rounds)
#' @export
pcfs <- function(
    x, constraints, ..., clusters = NULL, n = NULL, beta = 0.3, bins = 20,
    max_iter = 10, classifier = c("centroid", "nearest"), votes = 10) {
    check_constraints(constraints)
    if (!is.function(classifier)) classifier <- check_choice(classifier)
    options <- c(checked(beta, bins, max_iter), list(classifier = classifier),
                 checked(votes))
    data <- prepared(x, ..., uses = score_arguments)
    input <- scaled_data(data)
    options <- c(options, input$settings)
    constraints <- match_constraints(constraints, input$data)
    if (is.null(clusters)) {
        groups <- must_linked_groups(constraints)
        clusters <- max(2L, groups, na.rm = TRUE)
    }
    options$clusters <- check_count(clusters, "clusters", 2, input$data$n)
    options$n <- check_count(n %||% ceiling(input$data$p / 2), "n", 1,
                             input$data$p)
    pairs <- pcfs_pairs(constraints)
    check_can_be_met(pairs$links, options$clusters, constraints$names)
    run <- run_pcfs(euclidean_cells(input), pairs, options,
                    no_progress(data$control))
    new_pcfs_ranking(run, input$data, options, constraints)
}

pcfs_pairs <- function(constraints) {
    refuse_no_pairs(constraints)
    listed <- write_out(constraints)
    list(first = listed$first, second = listed$second,
         must_link = listed$must_link, links = constraint_links(listed))
}

new_pcfs_ranking <- function(run, data, options, constraints) {
    rounds <- length(run$rounds)
    warn_if(!run$fixed, "Features were still exchanged in round {rounds}: raise
            `max_iter`.", class = "convergence")
    note <- c(paste(options$clusters, "clusters"),
              paste(options$n, "features kept"),
              paste(if (!run$fixed) "not", "fixed after",
                    count_noun(rounds, "round")))
    table <- data.frame(score = run$score)
    table$selected <- seq_len(data$p) %in% run$selected
    named <- lapply(run$rounds, function(round) {
        round$selected <- data$features[round$selected]
        round
    })
    new_feature_ranking(table, data, "pcfs", "score", options, constraints,
                        note, rounds = named)
}

# ---- rounds -----------------------------------------------------------------

# u: samples x columns, from euclidean_cells().
run_pcfs <- function(u, pairs, options, control) {
    feature <- attr(u, "feature")
    selected <- seq_len(max(feature))
    rounds <- list()
    fixed <- FALSE
    while (!fixed && length(rounds) < options$max_iter) {
        rows <- t(u[, feature %in% selected, drop = FALSE])
        cluster <- run_pck_means(rows, pairs$links, options$clusters, list(
            penalty = 1, starts = 5, max_iter = 100
        ))$cluster
        votes <- collect_votes(u, cluster, options, control)
        agreement <- vote_agreement(votes, pairs$first, pairs$second)
        region <- uncertain_region(vote_histogram(votes, options$bins))
        score <- pair_scores(u, feature, pairs, agreement, region, options$beta)
        last <- selected
        selected <- order(score)[seq_len(options$n)]
        fixed <- setequal(selected, last)
        rounds <- c(rounds, list(list(
            selected = selected, cluster = cluster, uncertain = region,
            changed = length(setdiff(selected, last))
        )))
    }
    list(score = score, selected = selected, rounds = rounds, fixed = fixed)
}

# ---- agreement --------------------------------------------------------------

# Predicted class of every sample by each of the classifiers: samples x votes.
collect_votes <- function(u, cluster, options, control) {
    count <- max(2, round(2 / 3 * nrow(u)))
    attr(u, "feature") <- NULL
    vapply(seq_len(options$votes), function(vote) {
        rows <- sample.int(nrow(u), count)
        match(classify(options$classifier, u[rows, , drop = FALSE],
                       factor(cluster[rows]), u, control), unique(cluster))
    }, integer(nrow(u)))
}

classify <- function(classifier, train, y, test, control) {
    if (is.function(classifier)) {
        answer <- match_returned(classifier(train, y, test), rownames(test),
                                 "classifier", "x")
        return(check_predictions(answer, nrow(test), levels(y)))
    }
    if (classifier == "centroid") {
        y <- droplevels(y)
        centers <- rowsum(train, as.integer(y)) / as.vector(table(y))
        # ||x - c||^2 minus ||x||^2, which is the same for all classes
        distance <- rep(rowSums(centers^2), each = nrow(test)) -
            2 * tcrossprod(test, centers)
        return(levels(y)[max.col(-distance, ties.method = "first")])
    }
    cells <- list(train = train, test = test, counts = ncol(train))
    nearest <- .Call(C_nearest_along, cells, list(), 1L, control)$result
    as.character(y)[nearest + 1]
}

# S of some pairs: the latest vote weighs one half, the one before a quarter.
vote_agreement <- function(votes, first, second) {
    agreement <- as.numeric(votes[first, 1L] == votes[second, 1L])
    for (vote in seq_len(ncol(votes))[-1L]) {
        alike <- votes[first, vote] == votes[second, vote]
        agreement <- (alike + agreement) / 2
    }
    agreement
}

# Counts of the agreements of all pairs, or of a million random ones. Samples
# with the same votes are alike, so pairs of their kinds are counted.
vote_histogram <- function(votes, bins) {
    n <- nrow(votes)
    if (n > 2000L) {
        first <- sample.int(n, 1e6, replace = TRUE)
        second <- sample.int(n - 1L, 1e6, replace = TRUE)
        second <- second + (second >= first)
        return(bin_counts(vote_agreement(votes, first, second), bins))
    }
    counts <- numeric(bins)
    for (i in seq_len(n - 1L)) {
        agreement <- vote_agreement(votes, rep(i, n - i), (i + 1L):n)
        counts <- counts + bin_counts(agreement, bins)
    }
    counts
}

bin_counts <- function(values, bins) {
    tabulate(pmin(floor(values * bins) + 1, bins), bins)
}

# c(lower, upper) of the uncertain region (3-6), NA when there is none.
uncertain_region <- function(counts) {
    bins <- length(counts)
    inner <- seq(3, bins - 2)
    moving <- vapply(inner, function(i) mean(counts[(i - 2):(i + 2)]), 0)
    smooth <- counts[inner] / sum(counts[-bins]) * moving
    at <- which(diff(sign(diff(smooth))) == 2)
    if (!length(at)) return(c(lower = NA_real_, upper = NA_real_))
    centres <- (seq_len(bins) - 0.5) / bins
    lower <- centres[inner[at[1L] + 1L]]
    c(lower = lower, upper = max(centres) - lower)
}

# ---- scores -----------------------------------------------------------------

pair_scores <- function(u, feature, pairs, agreement, region, beta) {
    uncertain <- !anyNA(region) & agreement >= region[1L] &
        agreement <= region[2L]
    strength <- ifelse(uncertain, beta, 1 - beta)
    part <- function(which) {
        rest <- 1 - agreement[which]
        if (any(rest != 0)) rest <- rest / sum(rest)
        weighted_squares(u, feature, pairs$first[which], pairs$second[which],
                         strength[which]) + sum(rest * (1 - strength[which]))
    }
    score <- part(pairs$must_link) / part(!pairs$must_link)
    score[is.nan(score) | !varies(u, feature)] <- NA_real_
    score
}

# A constant feature does not separate any pair and gets no score.
varies <- function(u, feature) {
    different <- colSums(u != rep(u[1L, ], each = nrow(u))) > 0
    as.vector(rowsum(as.numeric(different), feature)) > 0
}

# Sum over the pairs of strength * difference^2, by feature, some pairs at a
# time.
weighted_squares <- function(u, feature, first, second, strength) {
    sums <- numeric(ncol(u))
    chunk <- max(1, floor(2^21 / ncol(u)))
    for (part in split(seq_along(first), (seq_along(first) - 1) %/% chunk)) {
        d <- u[first[part], , drop = FALSE] - u[second[part], , drop = FALSE]
        sums <- sums + colSums(strength[part] * d^2)
    }
    as.vector(rowsum(sums, feature))
}
