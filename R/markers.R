# Markers of groups of samples, with direction and effect size.

#' Find the features that mark each group of samples
#'
#' @description Compares every group with the others, feature by feature: by how
#' much and in which direction they differ, and whether that is more than
#' chance. Use it to describe groups of samples, from labels or from must-links.
#'
#' ```{r, comment = "#>"}
#' markers <- group_markers(log2(colon$x), colon$tissue)   # 62 x 2000, 2 groups
#' columns <- c("group", "feature", "difference", "cohen_d", "fdr")
#' as.data.frame(markers)[1:3, columns]
#' ```
#'
#' @param groups Which samples belong together:
#'   * [constraints][pairwise_constraints()]: the groups that must-links join,
#'     of two samples or more. See *Undecided groups*. Names are those of
#'     [constraint_groups()], or classes where labels were given.
#'   * what [glean()], [glean_labels()], [pck_means()] or
#'     [spectral_clustering()] returned: labels of confidence 0.3 or more. No
#'     p-values then.
#'   * a factor or vector with a group per sample (`NA`: left out), or the name
#'     of a column of a container's sample data.
#' @param pairwise Also return the columns of every pair of groups?
#' @param lfc The difference, a number from 0, that the tests should exceed.
#' @param variance `"equal"`: one variance of a feature for all groups;
#'   `"group"`: one for each group, see [marker_tests].
#' @param permutations How often the groups of the samples are exchanged for
#'   p-values, such as 199; 0 for the t.
#' @param BPPARAM Where permutations run: see [workers].
#' @param ... Arguments of [prepare_data()], by name: `block`, `unit`,
#'   `na.action`, `by`, `assay.type`, `threads`, `progress`.
#' @inheritParams relieff_sc
#'
#' @return A data.frame of class [`group_markers`][group_markers-methods], one
#'   row per group and feature, the best marker of a group first:
#' * `group`, a factor; `rank`, from 1 in each group; `feature`;
#' * `difference`: the mean of the group minus the mean of the others, in units
#'   of `x` (for logged data a log fold change);
#' * `cohen_d`: the difference in standard deviations;
#' * `auc`: the probability that a sample of the group has a larger value than
#'   one of another group, ties counted by half;
#' * `mean`, `mean_others`, `detected`, `detected_others`: means, and shares of
#'   samples with a value above 0;
#' * `statistic`, `p_value`: moderated t and its two-sided p-value, see
#'   [marker_tests];
#' * `fdr`: the false discovery rate (Benjamini-Hochberg) to decide by, within a
#'   group, with `permutations` over all groups;
#' * `family_p_value`, with `permutations`: the probability of any false
#'   discovery.
#'
#' With `pairwise` columns `difference.<other>`, `cohen_d.<other>` and
#' `auc.<other>` follow.
#'
#' @details
#' With m_g, v_g and n_g the mean, variance and number of samples of group g,
#' two groups are compared by
#' \deqn{d_{gh} = \frac{m_g - m_h}{\sqrt{(v_g + v_h) / 2}}, \qquad a_{gh} = P(x_g > x_h) + \frac{1}{2} P(x_g = x_h).}{d_gh = (m_g - m_h) / sqrt((v_g + v_h) / 2) and a_gh = P(x_g > x_h) + P(x_g = x_h) / 2.}
#' Values are not scaled. `difference`, `cohen_d` and `auc` are means over the
#' other groups.
#'
#' *Order.* By `difference` where all features have one unit (containers,
#' `prepare_data(x, scale = "none")`), else by `cohen_d`, the largest first,
#' ties by column. For two groups, one of fewer than five samples, `cohen_d`
#' takes the moderated standard deviation.
#'
#' *Validity.* P-values hold if the groups do not depend on these features
#' (persons, clones, sorting). Groups that these data made differ
#' "significantly" in noise, and get none: those of glean(), clusters, factors
#' of class `linkrank_labels` (which `factor()`, text and files drop),
#' constraints of `origin` "data". `print()` says where people saw features.
#' Test all features, not the top of a ranking by the same answers. Few samples
#' prove little. *Effects of the best features are too large*: see
#' [confint()][group_markers-methods].
#'
#' *Units.* Cells of one donor and replicates are not independent: with `unit`
#' the samples of a unit in a group are averaged (pseudobulk). A unit in several
#' groups is a block; all others are one block, or those of `block`, the same
#' for all samples of a unit.
#'
#' *Undecided groups.* Two groups that no answer joins or sets apart, directly
#' or by implication, do not count in each other's means and tests; a message
#' names them. Groups that are apart from no other, and groups of one sample,
#' are left out.
#'
#' A constant feature has difference 0, d 0, AUC 0.5 and no test.
#'
#' *Missing cells* are refused, or with `na.action = "mean"` filled by the
#' feature's mean: differences shrink and tests find less. A factor is refused:
#' give a logical column for each level.
#'
#' *Cost.* A walk over the data, one more for each permutation. Memory: four
#' numbers per feature, group and block, one per feature, group and permutation.
#'
#' @section Errors: `linkrank_error_argument` (not two groups of two samples;
#'   `block`, `lfc`, lengths), `linkrank_error_constraints` (no groups apart),
#'   `linkrank_error_input` (missing values, factors, values beyond 1e150,
#'   differences below 1e-150). Messages `linkrank_message_groups`,
#'   `linkrank_message_variance`, `linkrank_message_skewness`.
#'
#' @seealso [marker_tests]; [group_markers-methods] for print, `top_features()`,
#'   `plot()` and gene-set tests; [pair_margins()]
#' @examples
#' # twenty answers, the groups that they make, and what marks them
#' x <- log2(colon$x)
#' links <- active_constraints(x, oracle = colon$tissue, n = 20)
#' markers <- group_markers(x, links)
#' markers
#' top_features(markers, 5, group = markers$group[1])
#'
#' # all labels
#' group_markers(x, colon$tissue, lfc = 0.5)
#' @export
group_markers <- function(x, groups, ..., pairwise = FALSE, lfc = 0,
                          variance = c("equal", "group"), permutations = 0,
                          BPPARAM = NULL) {
    options <- c(checked(pairwise, lfc, variance, permutations),
                 list(workers = check_workers(BPPARAM)))
    refuse_if(options$lfc > 0 && options$permutations > 0, "`permutations` must
              be 0 where `lfc` is above 0: they test a difference of 0.")
    taken <- split_column(x, groups, paste(
        "constraints, what glean() returned, or a class per sample"))
    data <- prepared(taken$x, ..., uses = c("block", "unit", "na.action"))
    data <- marker_data(data)
    design <- read_design(taken$y, data)
    if (!is.null(design$unit)) {
        averaged <- average_units(data, design)
        data <- averaged$data
        design <- averaged$design
    }
    count <- length(design$names)
    open <- !is.null(design$apart)
    columns <- 16 + options$permutations + (3 * options$pairwise + open) * count
    check_bytes(8 * data$p * count * columns, "The table of markers")
    moments <- group_moments(data, design$code, count, design$block,
                             if (options$pairwise || open) "pairs" else "mean",
                             data$control)
    moments <- compare_groups(moments, design$apart)
    note_no_block(moments, design$names)
    found <- marker_tables(moments, data, design, options)
    info <- c(list(
        origin = design$origin, from = design$from, made_by = this_version(),
        noun = if (is.null(design$unit)) "sample" else "unit mean",
        groups = design$names, answered = design$answered,
        size = tabulate(design$code, count), left_out = design$left_out,
        features = data$p, zeros = mean(data$minimum == 0),
        undecided = if (open) sum(!design$apart[upper.tri(design$apart)]),
        blocks = if (!is.null(design$block)) moments$blocks
    ), options[c("lfc", "variance", "permutations")],
    found[c("order", "df", "prior", "names", "intervals", "guarded")])
    restore_markers(found$table, info)
}

# Groups that answers set apart, but that share no block.
note_no_block <- function(moments, names) {
    apart <- do.call(rbind, lapply(seq_len(moments$groups), function(g) {
        h <- moments$others[[g]]
        h <- h[h > g & colSums(moments$shares[[g]])[h] == 0]
        cbind(rep(g, length(h)), h)
    }))
    if (nrow(apart)) {
        shown <- utils::head(apart, 3L)
        listed <- paste0("\"", names[shown[, 1L]], "\" and \"",
                         names[shown[, 2L]], "\"", collapse = ", ")
        inform_linkrank("Not compared, without a block in common: ",
                        count_noun(nrow(apart), "pair"), " of groups, ", listed,
                        if (nrow(apart) > 3L) ", ...", ".", class = "groups")
    }
}

marker_data <- function(data) {
    refuse_factors(data)
    if (missing_rule(data) == "fail") refuse_missing(data)
    data <- without_missing(data, list(category = logical(data$p)))
    # Variances are sums of squares, which must neither overflow nor vanish.
    lowest <- data$minimum
    highest <- data$maximum
    odd <- union(odd_ranges(highest - lowest),
                 which(pmax(abs(lowest), abs(highest)) > 1e150))
    refuse_if(length(odd), "`x` must have values of at most 1e150 that differ ",
              "by at least 1e-150 in a feature, or not at all, but feature \"",
              data$features[odd[1L]], "\" runs from ", format(lowest[odd[1L]]),
              " to ", format(highest[odd[1L]]), ".", class = "input")
    data
}

# list(table, order, df, prior, names, intervals, guarded): the table of all
# groups, the column that orders each, what its tests are based on,
# list(estimate, error, df) of every group, features in the order of `names`,
# and whether exact tests raised any fdr.
marker_tables <- function(moments, data, design, options) {
    # The same value in all samples that are compared.
    cells <- which(moments$size > 0)
    varies <- moments$square[, cells, drop = FALSE] != 0 |
        moments$mean[, cells, drop = FALSE] != moments$mean[, cells[1L]]
    constant <- rowSums(varies) == 0
    model <- marker_model(moments, constant, options$variance)
    tested <- design$origin != "data"
    detected <- detection_counts(moments)
    if (tested) {
        note_test(model, moments, detected, design, options)
        if (model$df > 0 && options$permutations == 0)
            note_skewness(moments, data, design, detected, options)
    }
    contrasts <- lapply(seq_len(moments$groups), group_contrast, model = model,
                        moments = moments)
    tests <- lapply(contrasts, t_test, constant, options$lfc)
    permuted <- options$permutations > 0
    if (tested && !permuted)
        tests <- Map(adjusted_test, tests, list(detected), seq_along(tests))
    shown <- lapply(stats::setNames(nm = names(tests[[1L]])), function(name) {
        unlist(lapply(tests, `[[`, name))
    })
    if (!tested || permuted) shown <- shown["statistic"]
    if (tested && permuted) {
        shown <- c(shown, permuted_tests(shown$statistic, constant,
                                         detected$varied, data, design,
                                         options))
    }
    order <- if (decide_scale(data) == "none") "difference" else "cohen_d"
    effects <- group_effects(moments, model, options$pairwise, design$names,
                             order)
    group <- factor(rep(design$names, each = data$p), unique(design$names))
    best <- order(rep(seq_along(tests), each = data$p), -effects$key,
                  method = "radix")
    columns <- c(list(feature = rep(data$features, length(tests))),
                 effects$table, shown, effects$pairs)
    table <- list2DF(c(list(group = group,
                            rank = rep(seq_len(data$p), length(tests))),
                       lapply(columns, `[`, best)))
    list(table = table, order = order, df = model$df, prior = model$prior,
         names = data$features, intervals = if (tested) contrasts,
         guarded = !is.null(Find(function(test) {
             any(test$fdr > stats::p.adjust(test$p_value, "BH"), na.rm = TRUE)
         }, tests)))
}

note_test <- function(model, moments, detected, design, options) {
    if (model$df <= 0) {
        inform_linkrank("No p-values: the groups", if (!is.null(design$block))
                            " and blocks", " leave no degrees of freedom for ",
                        "a variance.", class = "groups")
        return(invisible())
    }
    unequal <- if (options$variance == "equal" && options$permutations == 0)
        unequal_variances(moments, detected)
    if (!is.null(unequal)) {
        size <- detected$size[unequal$groups]
        named <- encodeString(design$names[unequal$groups], quote = "\"")
        inform_linkrank("Variances are larger in group {named[1L]} (",
                        count_noun(size[1L], "sample"), ") than in {named[2L]}
                        ({size[2L]}) in {round(100 * unequal$share)} % of the
                        features, more than by chance: try `variance =
                        \"group\"`.", class = "variance")
    }
}

# The mean of a small group follows the tail of its values (log-normal, 2
# samples against 40, nothing to find: a discovery in .98 of data sets); in
# groups of the same size the tails cancel.
note_skewness <- function(moments, data, design, detected, options) {
    if (length(unique(detected$size)) == 1L) return(invisible())
    skewness <- residual_skewness(moments, data, design, detected)
    inform_if(skewness > 1, "Values are skewed (median skewness ",
              format(skewness, digits = 2L), ") and groups differ in size, so ",
              "p-values may be far too small: ",
              if (min(data$minimum) >= 0) "take logs, or ",
              "`permutations = 199`", if (options$lfc > 0) " with `lfc = 0`",
              ".", class = "skewness")
}

# list(p_value, fdr, family_p_value), of all groups as `statistic`, by
# exchanging the groups of the samples, within blocks (methods: 14, 15).
permuted_tests <- function(statistic, constant, varied, data, design, options) {
    control <- data$control
    grouped <- which(!is.na(design$code))
    members <- split(grouped,
                     design$block[grouped] %||% rep(1L, length(grouped)))
    codes <- lapply(seq_len(options$permutations), function(b) {
        code <- design$code
        for (own in members) code[own] <- code[own[sample.int(length(own))]]
        code
    })
    data$control <- no_progress(control)
    found <- spread(codes, permuted_statistics,
                    list(data = data, design = design, constant = constant,
                         variance = options$variance),
                    options$workers, c("Permutations", "sets"),
                    control$progress, random = FALSE)
    # all groups together: a sample that is moved changes several of them
    given <- size_of_statistic(statistic)
    relabelling_tests(c(list(rbind(given)), found), 1e-9 * (1 + given),
                      is.na(statistic), rep_len(varied, length(given)))
}

# One row, of all features of each group: |t| when the samples have these
# groups.
permuted_statistics <- function(code, shared) {
    design <- shared$design
    moments <- group_moments(shared$data, code, length(design$names),
                             design$block, control = shared$data$control)
    moments <- compare_groups(moments, design$apart)
    model <- marker_model(moments, shared$constant, shared$variance)
    t(unlist(lapply(seq_len(moments$groups), function(g) {
        contrast <- group_contrast(model, moments, g)
        size_of_statistic(t_test(contrast, shared$constant, 0)$statistic)
    })))
}

# |t|, finite: 0 where there is none, and large where nothing varies.
size_of_statistic <- function(statistic) {
    size <- pmin(abs(statistic), 1e9)
    replace(size, is.na(size), 0)
}

restore_markers <- function(table, info) {
    structure(table, info = info, class = c("group_markers", "data.frame"))
}
