# STIR: the margins of ReliefF divided by their standard errors.

#' Rank features by p-values of their margins (STIR)
#'
#' STIR converts the margin of ReliefF into a t statistic. Use it instead of
#' [relieff()] for a cut-off, with `permutations`: the p-values of t are too
#' small. Those of `permutations` are valid if the samples, or the units that
#' `unit` names, are independent and these data did not make the classes.
#'
#' @param ... Arguments of [prepare_data()], by name: `scale`, `space`,
#'   `distance`, `unit`, `by`, `assay.type`, `threads`, `progress`. And
#'   `data = `, a data.frame, if `x` is a formula.
#' @inheritParams relieff
#' @param k Number of hits, and of misses of any other class, or a radius: see
#'   [relieff()].
#' @param adjust How p-values of t are adjusted: one of
#'   [stats::p.adjust.methods]; not with `permutations`.
#' @param rank_by The column that orders the table: the t `"statistic"` or the
#'   `"margin"`.
#' @param permutations How often `y` is permuted for p-values, at most 1e6, such
#'   as 199; 0 for none.
#'
#' @return A [`feature_ranking`][feature_ranking()], largest statistic first,
#'   with columns
#' * `score`: the same as `statistic`;
#' * `margin`: mean difference to misses minus mean difference to hits;
#' * `statistic`: pseudo-t;
#' * `p_value`, `fdr`: with `permutations`, of permuted classes; without, the
#'   one-sided p-value of t and the same adjusted by `adjust`. `NA` where `y` is
#'   a factor of class `linkrank_labels`, as of [glean_labels()], because these
#'   data made the classes;
#' * `df`: degrees of freedom, the same for all features;
#' * `t_p_value`: the p-value of t, with `permutations`.
#'
#' A constant feature has `NA`. Where all misses differ alike, and all hits
#' less, the statistic is `Inf`, without a p-value but by `permutations`.
#'
#' @details Let M and H be the sets of pairs of every sample with its misses and
#'   with its hits. With \eqn{\bar M}{mean(M)}, \eqn{\bar H}{mean(H)} the means
#'   of the differences of a feature and \eqn{s_M^2}{s2(M)}, \eqn{s_H^2}{s2(H)}
#'   their variances over the pairs, the statistic is (2.43, 2.44)
#' \deqn{t = \frac{\bar M - \bar H}{s \sqrt{1/|M| + 1/|H|}}, \quad s^2 = \frac{(|M| - 1) s_M^2 + (|H| - 1) s_H^2}{|M| + |H| - 2}}{t = (mean(M) - mean(H)) / (s sqrt(1/|M| + 1/|H|)), s^2 = ((|M| - 1) s2(M) + (|H| - 1) s2(H)) / (|M| + |H| - 2)}
#' with |M| + |H| - 2 degrees of freedom. Misses are the
#' nearest samples of any other class.
#'
#' *Accuracy of the p-values.* Every sample is in several pairs, so those of t
#' are too small, the more so the larger `k` and the more unequal the classes;
#' adjusting does not correct that. `permutations` = B does: the labels (with
#' `unit`, of whole units) are permuted B times, and the margins give `p_value`
#' and `fdr` as in [p_values]. Cost: B times as long, 8 B bytes per feature.
#'
#' Missing values, ties, factors and cost are as in [relieff()].
#'
#' @section The published form: STIR of Le et al. (2019), with a radius or with
#'   a fixed number of neighbours:
#'
#' ```
#' stir(x, y, k = "multisurf", scale = "range", rank_by = "statistic")
#' ```
#'
#' The default `k = 10` differs; it is the default of [relieff()].
#'
#' @inheritSection relieff Errors
#'
#' @references Le, T. T. et al. (2019). *Bioinformatics*, 35, 1358-1365.
#'   \doi{10.1093/bioinformatics/bty788}
#'
#' Hijazi, S. (2019). PhD thesis, NNT 2019DUNK0546. Section 2.6.
#'
#' @seealso [plot.feature_ranking()] for margins against p-values
#' @examples
#' x <- log2(colon$x)
#' genes <- stir(x, colon$tissue)
#' genes
#' summary(genes)
#' stir(x[, 1:200], colon$tissue, permutations = 99)
#' @export
stir <- function(x, y, ..., k = 10, adjust = "BH",
                 rank_by = c("statistic", "margin"), permutations = 0) {
    if (has_formula(x, ..., y = y)) return(rank_by_formula())
    options <- list(
        k = check_neighbourhood(k),
        adjust = check_choice(adjust, stats::p.adjust.methods, "adjust"),
        rank_by = check_choice(rank_by),
        permutations = check_count(permutations, "permutations", 0, 1e6)
    )
    work <- open_labelled(prepared(x, ..., uses = c(label_arguments, "unit")),
                          y, class_response)
    work["unit"] <- list(known_unit(work$data))
    options$unit <- kept_codes(work$data)$unit
    margins <- stir_margins(stir_moments(work, options$k), work)
    # Without a variance equal means give NA, others Inf, which is no test.
    statistic <- margins$margin / margins$error
    statistic[is.nan(statistic)] <- NA_real_
    p_value <- stats::pt(statistic, margins$df, lower.tail = FALSE)
    p_value[is.infinite(statistic)] <- NA_real_
    # nothing is tested between classes that these data made
    derived <- origin_rule(label_origin(named_response(y, work$data)))$none
    if (derived) p_value[] <- NA_real_
    table <- list(score = statistic, margin = margins$margin,
                  statistic = statistic, p_value = p_value,
                  fdr = stats::p.adjust(p_value, options$adjust),
                  df = rep(margins$df, length(statistic)))
    if (options$permutations > 0 && !derived) {
        table$t_p_value <- p_value
        table[c("p_value", "fdr")] <- permuted_stir(margins, work, options)
    }
    labelled_ranking(table, work, "stir", options$rank_by, options,
                     paste("df =", margins$df),
                     caveat = if (derived)
                         "No p-values, because these data made the classes."
                     else if (options$permutations == 0) paste(
                         "The p-values take pairs that share samples for",
                         "independent and are too small, the more so the more",
                         "unequal the classes: `permutations = 199` gives",
                         "those by permuted classes.") else paste0(
                         "p-values: classes of ",
                         exchanged_words(work$labels$known, work$unit),
                         "; valid only if the classes were not found in these ",
                         "data (", origin_rule("labels")$why, ")."))
}

# By margins with permuted classes: list(p_value, fdr). Which samples are
# labelled stays.
permuted_stir <- function(margins, work, options) {
    labelled <- work$labels$known
    sets <- options$permutations
    check_bytes(8 * (work$data$p + length(labelled)) * sets,
                paste("The margins of", show_number(sets), "permutations"))
    orders <- relabelled_samples(length(labelled), seq_along(labelled), sets,
                                 unit = work$unit[labelled])
    orders <- lapply(seq_len(sets), function(b) orders[, b])
    progress <- work$data$control$progress
    work$data$control <- no_progress(work$data$control)
    drawn <- spread(orders, stir_set, list(work = work, options = options),
                    NULL, c("Permutations", "sets"), progress,
                    random = FALSE)
    varied <- varied_features(work$data, labelled, work$data$control)
    relabelling_tests(c(list(rbind(margins$margin)), drawn), margins$rounding,
                      work$scaling$divisor == 0, varied)[c("p_value", "fdr")]
}

# 1 x features: the margins when the classes are in this order.
stir_set <- function(order, shared) {
    work <- shared$work
    labelled <- work$labels$known
    work$labels$code[labelled] <- work$labels$code[labelled][order]
    if (any(work$data$missing > 0L)) {
        work$scaling <- feature_scaling(work$data, work$scaling$scale,
                                        work$labels)
    }
    margins <- stir_margins(stir_moments(work, shared$options$k), work)
    # where exchanged units leave no sample that another is of the class of
    matrix(replace(margins$margin, is.nan(margins$margin), 0), 1L)
}

# Counts of hits and misses, and the moments of their differences per feature.
stir_moments <- function(work, k) {
    labelled <- work$labels$known
    several <- length(work$labels$levels) > 2L && is.numeric(k)
    add <- function(segments, before) {
        pairs <- rowsum(segments$count, factor(segments$group, 0:1))[, 1L]
        seen <- if (is.null(before)) c(0, 0) else before$pairs
        list(pairs = seen + pairs,
             sums = .Call(C_segment_moments, work$data, work$scaling, segments,
                          seen == 0, before$sums, work$data$control))
    }
    if (several) {
        segments <- nearest_segments(work, labelled, k, with_distance = TRUE)
        return(add(merge_misses(segments, k), NULL))
    }
    over_segments(work, labelled, k, add)
}
