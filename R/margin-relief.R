# Relief, ReliefF, STIR and RReliefF: margins between hits and misses when the
# class or a number is known of each sample. All are sums of differences over
# `segments`, the hits or misses of one sample each, times a coefficient
# (r_margin.c); only the neighbourhoods and the coefficients differ.

#' Rank features by the margin between classes
#'
#' ReliefF scores a feature by how much more it differs between a sample and its
#' nearest samples of other classes (misses) than of the same class (hits). It
#' sees features that matter only together. Use `relieff()` when many samples
#' have a class; `relief()`, with one hit and one miss, is more easily misled by
#' noise. [stir()] adds p-values, [rrelieff()] is for a number, [relieff_sc()]
#' for pairs.
#'
#' @param x Data: see [prepare_data()]. Or a formula such as `class ~ .` or
#'   `class ~ age + dose` with columns of `data`.
#' @param y The class of each sample, of two or more classes: a factor, text,
#'   logical or whole numbers; a data.frame of one such column; or the name of a
#'   column of a container's sample data. `NA`: unlabelled, counts only towards
#'   the range of features. Values named by sample are matched by name, others
#'   by order; names of other samples are said (message
#'   `linkrank_message_order`).
#' @param k Number of hits, and of misses from each other class: a whole number
#'   from 1. `"surf"`: all samples nearer than the mean distance of all pairs;
#'   `"multisurf"`: nearer than the mean minus half a standard deviation of the
#'   sample's own distances.
#' @param samples How many samples' margins are averaged: `Inf` for all, else
#'   that many, drawn at random.
#' @param ramp `NULL`, or `c(low, high)`: differences of numeric features up to
#'   `low` count as 0, from `high` on as 1, linearly between, in units of the
#'   scaled feature.
#' @param ... Arguments of [prepare_data()], by name: `scale`, `space`,
#'   `distance`, `by`, `assay.type`, `threads`, `progress`. (`relief()` has no
#'   `distance`.) And `data = `, a data.frame, if `x` is a formula.
#'
#' @return A [`feature_ranking`][feature_ranking()], highest score first;
#'   `score` is the weight W, for `scale = "range"` between -1 and 1. Irrelevant
#'   features have weights around or below 0.
#'
#' @details With u the scaled value of a feature, P(c) the share of class c
#'   among the labelled samples, and H_j(x), M_j(x, c) the j-th nearest hit and
#'   miss of class c, ReliefF is (2.4)
#' \deqn{W = \frac{1}{T} \sum_{x} \left( \sum_{c \neq class(x)} \frac{P(c)}{1 - P(class(x))} \frac{1}{K} \sum_{j=1}^{K} |u_x - u_{M_j(x, c)}| - \frac{1}{K} \sum_{j=1}^{K} |u_x - u_{H_j(x)}| \right)}{W = mean over x of (sum over other classes c of P(c) / (1 - P(class(x))) mean_j |u_x - u_Mj(x, c)| - mean_j |u_x - u_Hj(x)|)}
#' Relief (Algorithm 2.1) takes the nearest hit, the nearest miss of any other
#' class, squared differences, and Euclidean distances.
#'
#' *Neighbours.* Distances are sums of the same differences over all features;
#' equal ones keep row order (but for rounding, see [similarity_graph()]).
#' Duplicates of a sample are neighbours. Where a class has fewer samples than
#' `k`, the mean is over those there are; without any, it is 0. A radius is
#' exclusive.
#'
#' *Missing values* (ReliefD): the difference is the mean difference to all
#' values observed in the class of the sample; for two missing values, over all
#' combinations. A class without any observed value stands for all samples.
#' Factor, text and logical features differ by 0 or 1. Constant features have
#' weight 0.
#'
#' *Cost.* n^2 p / 2 differences for the neighbours of n samples (twice with a
#' radius; fewer in a sparse matrix), and n p times the number of neighbours for
#' the margins. Memory beyond `x`: for each sample and class 64 bytes and 16 for
#' each neighbour; with missing values or data read in blocks at most about 250
#' MB.
#'
#' @section The published form: Relief is that of Kira and Rendell (1992),
#'   ReliefF that of Kononenko (1994), as Algorithm 2.1 and (2.4) of Hijazi
#'   (2019), whose tables take `k` = 3 or 5. The defaults are those:
#'
#' ```
#' relief(x, y, scale = "range")
#' relieff(x, y, k = 10, scale = "range")
#' ```
#'
#' @section Errors: Those of [prepare_data()]; `linkrank_error_argument`;
#'   `linkrank_error_memory` for too many neighbours. A warning
#'   `linkrank_warning_outcome` names features that determine `y` one to one.
#'
#' @references Kononenko, I. (1994). *ECML-94*, 171-182.
#'   \doi{10.1007/3-540-57868-4_57}
#'
#' Urbanowicz, R. J. et al. (2018). *Journal of Biomedical Informatics*, 85,
#' 189-203. \doi{10.1016/j.jbi.2018.07.014}
#'
#' Hijazi, S. (2019). PhD thesis, NNT 2019DUNK0546. Chapter 2.
#'
#' @seealso [stir()], [rrelieff()], [irelief()], [simba()], [relieff_sc()]
#' @examples
#' relieff(log2(colon$x), colon$tissue)
#'
#' # factors and numbers side by side, three classes
#' relieff(iris[, 1:4], iris$Species, k = "multisurf")
#' relieff(Species ~ . - Sepal.Width, data = iris)
#'
#' # two features that matter only together
#' set.seed(1)
#' x <- matrix(sample(0:1, 600, replace = TRUE), 100)
#' y <- x[, 1] != x[, 2]
#' relieff(x, y, k = 5)
#' @export
relieff <- function(x, y, ..., k = 10, samples = Inf, ramp = NULL) {
    if (has_formula(x, ..., y = y)) return(rank_by_formula())
    options <- list(
        k = check_neighbourhood(k),
        samples = check_count_or_all(samples, "samples", 1),
        ramp = check_ramp(ramp)
    )
    work <- open_labelled(prepared(x, ..., uses = label_arguments), y,
                          class_response, options$ramp)
    ends <- draw_samples_of(work$labels$known, options$samples)
    # W: the differences to hits and misses times their coefficients.
    score <- over_segments(work, ends, options$k, function(segments, before) {
        weight <- weigh_classes(segments, work$labels)
        segments$coefficient <- mean_coefficient(weight, segments$count) /
            length(ends)
        .Call(C_segment_sums, work$data, work$scaling, segments, FALSE,
              before, work$data$control)
    })
    labelled_ranking(list(score = score), work, "relieff", "score", options)
}

#' @rdname relieff
#' @export
relief <- function(x, y, ..., samples = Inf) {
    if (has_formula(x, ..., y = y)) return(rank_by_formula())
    options <- list(samples = check_count_or_all(samples, "samples", 1))
    work <- open_labelled(prepared(x, ..., uses = c("scale", "space")), y,
                          class_response, distances = space_distance)
    ends <- draw_samples_of(work$labels$known, options$samples)
    segments <- merge_misses(nearest_segments(work, ends, 1,
                                              with_distance = TRUE), 1)
    weight <- ifelse(segments$group == 1L, 1, -1)
    segments$coefficient <- mean_coefficient(weight, segments$count) /
        length(ends)
    score <- .Call(C_segment_sums, work$data, work$scaling, segments, TRUE,
                   NULL, work$data$control)
    labelled_ranking(list(score = score), work, "relief", "score", options)
}

# What label methods use of the arguments of prepare_data().
label_arguments <- c("scale", "space", "distance")

check_neighbourhood <- function(k) {
    if (is.character(k) && length(k) == 1L && k %in% c("surf", "multisurf"))
        return(k)
    refuse_value_if(is.character(k), k, "`k` must be a whole number of at ",
                    "least 1, \"surf\" or \"multisurf\"")
    check_count(k, "k")
}

check_ramp <- function(ramp) {
    ok <- is.null(ramp) ||
        (is.numeric(ramp) && length(ramp) == 2L && all(is.finite(ramp)) &&
             ramp[1L] >= 0 && ramp[1L] < ramp[2L])
    refuse_if(!ok, "`ramp` must be NULL or two numbers c(low, high) with ",
              "0 <= low < high, not ", if (is.numeric(ramp))
                  paste0("c(", toString(format(ramp, trim = TRUE)), ")") else
                      describe_value(ramp), ".")
    if (is.null(ramp)) NULL else as.numeric(ramp)
}

# What every method with labels starts from: data, labels and scaling that knows
# the classes; where neighbours are computed, and the `settings` that a ranking
# keeps. `respond`: class_response() or numeric_response().
# `distances`: those of the method, default first; NULL: it has no neighbours.
open_labelled <- function(data, y, respond, ramp = NULL,
                          distances = margin_distances, rule = "published") {
    force(data)
    y <- named_response(y, data)
    labels <- respond(y, data)
    warn_outcome_ranked(y, data)
    scaling <- feature_scaling(data, decide_scale(data, rule), labels, ramp)
    work <- list(data = data, labels = labels, scaling = scaling)
    if (is.null(distances)) return(work)
    search <- scaled_search(data, scaling, distances)
    if (length(distances) == 1L) search$settings["distance"] <- list(NULL)
    work[names(search)] <- search
    work
}

draw_samples_of <- function(labelled, samples) {
    if (samples >= length(labelled)) return(labelled)
    sort(labelled[sample.int(length(labelled), samples)])
}

# Segments: owner (sample), count and start (from 0) of its neighbours in row,
# of_class (from 0) and group (0 hits, 1 misses).
new_segments <- function(work, ends, row, count, distance = NULL) {
    classes <- length(work$labels$levels)
    owner <- rep(ends, each = classes)
    of_class <- rep(seq_len(classes) - 1L, length(ends))
    list(owner = owner, start = as.integer(c(0, cumsum(count))), row = row,
         count = count, of_class = of_class,
         group = as.integer(of_class != work$labels$code[owner]),
         coefficient = NULL, distance = distance)
}

same_class <- function(work) {
    class_rule(work$labels$code, length(work$labels$levels))
}

# The k nearest samples of each class.
nearest_segments <- function(work, ends, k, with_distance = FALSE) {
    near <- nearest(work$where, ends, k, same_class(work), work$data$control,
                    with_distance)
    there <- near$row > 0L
    # a column for each class of each sample
    lists <- max(near$list)
    count <- colSums(matrix(there, ncol = lists * length(ends)))
    new_segments(work, ends, near$row[there], count,
                 if (with_distance) near$distance[there])
}

# The k nearest misses of any class: two segments per sample, hits and misses.
merge_misses <- function(segments, k) {
    group <- rep(segments$group, segments$count)
    owner <- rep(segments$owner, segments$count)
    place <- order(owner, group, segments$distance, segments$row)
    owner <- owner[place]
    group <- group[place]
    key <- 2 * match(owner, unique(segments$owner)) - 1 + group
    rank <- sequence(rle(key)$lengths)
    keep <- rank <= k
    ends <- unique(segments$owner)
    count <- tabulate(key[keep], 2L * length(ends))
    list(owner = rep(ends, each = 2L), start = c(0L, cumsum(count)),
         row = segments$row[place][keep], count = count,
         group = rep(0:1, length(ends)), coefficient = NULL)
}

# Runs `use(segments, before)` over all samples: at once with a number of
# neighbours, in batches with a radius, whose neighbours may be very many.
over_segments <- function(work, ends, k, use) {
    if (is.numeric(k)) return(use(nearest_segments(work, ends, k), NULL))
    radius <- if (k == "surf")
        mean_distance(work$where, work$labels$known, work$data$control)
    at_once <- max(4, min(256, floor(2^24 / work$data$n)))
    result <- NULL
    for (first in seq(1, length(ends), by = at_once)) {
        batch <- ends[seq(first, min(first + at_once - 1, length(ends)))]
        near <- within_radius(work$where, batch, radius, same_class(work),
                              work$data$control)
        result <- use(new_segments(work, batch, near$row,
                                   diff(near$start)), result)
    }
    result
}

# Hits count -1, misses of class c P(c) / (1 - P(own class)) (2.4).
weigh_classes <- function(segments, labels) {
    prior <- tabulate(labels$code + 1L, length(labels$levels)) /
        length(labels$known)
    own_class <- labels$code[segments$owner] + 1L
    of_class <- segments$of_class + 1L
    ifelse(own_class == of_class, -1, prior[of_class] / (1 - prior[own_class]))
}

# A mean over the neighbours there are, 0 when there are none.
mean_coefficient <- function(weight, count) {
    ifelse(count > 0, weight / pmax(count, 1), 0)
}

# `...`: more of the note. `caveat`: a sentence below the table, or NULL.
labelled_ranking <- function(columns, work, method, key, options, ...,
                             caveat = NULL) {
    options <- c(options, work$settings)
    new_feature_ranking(columns, work$data, method, key, options,
                        note = labelled_note(work, options, ...),
                        where = work$where, caveat = caveat)
}

labelled_note <- function(work, options, ...) {
    unlabelled <- work$data$n - length(work$labels$known)
    drawn <- !is.null(options$samples) &&
        options$samples < length(work$labels$known)
    c(if (!is.null(options$k)) paste("k =", options$k),
      if (is.null(work$labels$value))
          paste(length(work$labels$levels), "classes"),
      if (unlabelled > 0) paste(unlabelled, "unlabelled"),
      if (drawn) paste(options$samples, "samples drawn"), ...)
}

# ==== RReliefF ================================================================

# RReliefF: ReliefF for a numeric outcome.

#' Relief for a numeric outcome (regression, RReliefF)
#'
#' RReliefF is [relieff()] for a numeric `y`: a feature has a high score when
#' near samples that differ in it also differ in `y`. Features may matter only
#' together.
#'
#' @param ... Arguments of [prepare_data()], by name: `scale`, `space`,
#'   `distance`, `by`, `assay.type`, `threads`, `progress`. And `data = `, a
#'   data.frame, if `x` is a formula.
#' @inheritParams relieff
#' @param y A number or date for each sample, at least two different; or a
#'   data.frame of one such column. `NA`: unknown, counts only towards the range
#'   of features. Also the name of a column of a data.frame, which is no feature
#'   then, or of the sample data of a container.
#' @param k Number of neighbours, a whole number from 1; more than there are
#'   means all of them.
#' @param sigma How slowly the weight of a neighbour decreases with its rank;
#'   `Inf` for equal weights.
#'
#' @return A [`feature_ranking`][feature_ranking], one row per feature, highest
#'   score first; column `score` is the weight W, between -1 and 1 for
#'   `scale = "range"`.
#'
#' @details
#' The j-th nearest neighbour of a sample has weight \eqn{\exp(-(j /
#' \sigma)^2)}{exp(-(j / sigma)^2)}, divided by their sum. With
#' \eqn{N_{dC}}{NdC}, \eqn{N_{dA}}{NdA} and \eqn{N_{dCdA}}{NdCdA} the weighted
#' sums, over all samples and their neighbours, of the differences of `y`
#' (divided by its range), of the feature, and of their products, and m the
#' number of samples, \deqn{W = \frac{N_{dCdA}}{N_{dC}} - \frac{N_{dA} -
#' N_{dCdA}}{m - N_{dC}}}{W = NdCdA / NdC - (NdA - NdCdA) / (m - NdC)}
#' A term whose denominator is 0 is 0; then `y` never, or always fully, differs
#' between neighbours. A missing value is replaced by the distribution of the
#' observed values of its feature. Ties, factors and cost are as in [relieff()].
#'
#' @section The published form: RReliefF is that of Robnik-Sikonja and Kononenko
#' (2003), with weights that decrease with the rank, or with equal weights, as
#' in their program CORElearn:
#'
#' ```
#' rrelieff(x, y, k = 70, sigma = 20, scale = "range")
#' rrelieff(x, y, k = 10, sigma = Inf, scale = "range")
#' ```
#'
#' The default `k = 10, sigma = 20` is between the two.
#'
#' @inheritSection relieff Errors
#'
#' @references Robnik-Sikonja, M. and Kononenko, I. (2003). *Machine Learning*,
#'   53, 23-69. \doi{10.1023/A:1025667309714}
#'
#' @examples
#' rrelieff(mtcars[, -1], mtcars$mpg)
#' rrelieff(mpg ~ ., data = mtcars)
#' @export
rrelieff <- function(x, y, ..., k = 10, sigma = 20, ramp = NULL) {
    if (has_formula(x, ..., y = y)) return(rank_by_formula())
    options <- list(
        k = check_count(k, "k"),
        sigma = check_positive(sigma, "sigma", infinite = TRUE),
        ramp = check_ramp(ramp)
    )
    work <- open_labelled(prepared(x, ..., uses = label_arguments), y,
                          numeric_response, options$ramp)
    near <- nearest_segments(work, work$labels$known, options$k)
    segments <- weigh_ranks(near, work$labels$value, options$sigma)
    score <- .Call(C_segment_sums, work$data, work$scaling, segments, FALSE,
                   NULL, work$data$control)
    labelled_ranking(list(score = score), work, "rrelieff", "score", options,
                     paste("sigma =", options$sigma))
}

# A segment for each neighbour: both terms of W have the same differences of
# the feature, so one coefficient holds them.
weigh_ranks <- function(near, y, sigma) {
    owner <- rep(near$owner, near$count)
    rank <- sequence(near$count)
    # relative to the nearest one, so that a small sigma keeps only that one
    weight <- exp((1 - rank^2) / sigma^2)
    place <- rep(seq_along(near$count), near$count)
    weight <- weight / rowsum(weight, place, reorder = FALSE)[place, 1L]
    response <- y[near$owner]
    change <- abs(y[owner] - y[near$row]) / (max(response) - min(response))
    total <- sum(weight * change)
    rest <- length(near$owner) - total
    explained <- if (total > 0) change / total else 0
    unexplained <- if (rest > 0) (1 - change) / rest else 0
    list(owner = owner, start = seq.int(0L, length(owner)), row = near$row,
         coefficient = weight * (explained - unexplained), group = NULL)
}
