# Markers of groups of samples, with direction and effect size.

#' Find the features that mark each group of samples
#'
#' Compares every group with the others, feature by feature: by how much and in
#' which direction they differ, and whether that is more than chance. A
#' ranking such as that of [relieff_sc()] says which features matter;
#' `group_markers()` shows where they are high, and tests the difference.
#'
#' @param groups Which samples belong together:
#'   * [constraints][pairwise_constraints()]: the groups that must-links join,
#'     of two samples or more. Only their samples are used, and a group is
#'     compared with those that a cannot-link sets it apart from, directly or by
#'     implication; see "Undecided groups". A group has its number or name in
#'     [constraint_groups()], or the class of its samples where all pairs of
#'     labels were taken or labels answered.
#'   * what [glean()], [glean_labels()], [pck_means()] or
#'     [spectral_clustering()] returned: propagated labels where their
#'     confidence is at least 0.3. No p-values then, see Details.
#'   * a factor, or a character, logical or whole-number vector, with a group
#'   per sample; `NA` for samples to leave out. For a container of
#'   Bioconductor also the name of a column of its sample data.
#' @param pairwise Also return the columns of every pair of groups?
#' @param lfc The difference, a number from 0, that the tests should exceed in
#'   either direction.
#' @param variance `"equal"`: one variance of a feature for all groups;
#'   `"group"`: one for each group, see Details.
#' @param permutations How often the groups of the samples are exchanged for
#'   p-values, such as 199; 0 for the t.
#' @param BPPARAM Where permutations run: see [workers].
#' @param ... Arguments of [prepare_data()], by name: `block`, `unit`,
#'   `na.action`, `by`, `assay.type`, `threads`, `progress`.
#' @inheritParams relieff_sc
#'
#' @return A data.frame of class [`group_markers`][group_markers-methods], one
#'   row per group and feature, the groups in order, the best marker of a group
#'   first:
#' * `group`, a factor; `rank`, from 1 in each group; `feature`;
#' * `difference`: the mean of the group minus the mean of the others. For
#'   logged data this is a log fold change; above 0 means higher in the group;
#' * `cohen_d`: the difference in standard deviations;
#' * `auc`: the probability that a sample of the group has a larger value than
#'   one of another group, ties counted by half; 0.5 means no difference;
#' * `mean`, `mean_others`, `detected`, `detected_others`: means of the values,
#'   and shares of the samples with a value above 0;
#' * `statistic`, `p_value`: t and its two-sided p-value, as \pkg{limma}
#'   computes them;
#' * `fdr`: the false discovery rate (Benjamini-Hochberg) to decide by, which
#'   print-outs and [`top_features(alpha = )`][group_markers-methods] use:
#'   within a group, with `permutations` over all groups; see *Rare values*;
#' * `family_p_value`, with `permutations`: the probability of any false
#'   discovery.
#'
#' With `pairwise = TRUE` columns `difference.<other>`, `cohen_d.<other>` and
#' `auc.<other>` follow, `NA` in the rows of the group itself and of groups that
#' it is not compared with.
#'
#' @details
#' Values are used as they are given, without scaling. With m_g, v_g and n_g the
#' mean, the variance and the number of samples of group g, groups g and h are
#' compared by
#' \deqn{d_{gh} = \frac{m_g - m_h}{\sqrt{(v_g + v_h) / 2}}, \qquad
#' a_{gh} = P(x_g > x_h) + \frac{1}{2} P(x_g = x_h).}{d_gh = (m_g - m_h) / sqrt((v_g + v_h) / 2) and a_gh = P(x_g > x_h) + P(x_g = x_h) / 2.}
#' `difference`, `cohen_d`, `auc` and the columns of the others are means over
#' the other groups, each of which counts alike however large it is.
#'
#' *Order.* In a container of Bioconductor, and with `scale = "none"` in
#' [prepare_data()], all features have one unit, and those of a group are
#' ordered by `difference`, the largest first; in other data by `cohen_d`. The
#' variance of a group of fewer than five samples, with `block` in the smallest
#' block that holds both groups, is mostly chance; for two groups of which one
#' is so small the moderated standard deviation of the test takes its place in
#' that order. Equal features keep the order of the columns. So the first rows
#' are higher in the group, and the last rows lower.
#'
#' *Few samples.* Twenty cells order the genes and prove little: a gene that is
#' on in all 3 cells of a group and off in the 17 others has an exact p-value of
#' 1 / 1140, which among thousands of genes is no discovery. After 20 sorted
#' cells of PBMC 3k, a tenth of the answers wrong, the best 20 by `difference`
#' share .42 with those of `scran::findMarkers()` of all labels, by `cohen_d`
#' .21 (40 cells: .42, .35; of the groups of [glean()] .53, .52; Zeisel's
#' neurons .45, .29 and after 40 cells .46, .48; `inst/benchmarks/markers.R`).
#'
#' *Effects of the best features are too large*, because they are the best in
#' these samples too: the ten best of ten samples against ten had a mean
#' difference of 1.4 where the true one was 0.9. [confint()] of the rows allows
#' for that.
#'
#' *Test.* The moderated t of Smyth (2004) for the contrast of m_g and the mean
#' of the other m_h, in the linear model with a mean for each group: the
#' residual variance of a feature is drawn towards that of all features. With
#' `lfc` the hypothesis is that the difference is at most `lfc` in either
#' direction (McCarthy and Smyth 2009), and `statistic` is 0 where it is not
#' exceeded.
#'
#' `variance = "group"` is Welch's t of that contrast. The variance of a feature
#' in a group is the factor of the group (the mean over the features, of logs)
#' times the variance of the feature, which is drawn to its prior once, with all
#' groups, times a deviation that is drawn to 1 by a prior of its own (from the
#' logs of ratios between groups); degrees of freedom are those of
#' Satterthwaite, at most those of the pooled t. A group that leaves none has no
#' test then. It holds where the groups differ by about one factor in all
#' features, not where a few features have far larger variances in a small group
#' (a fifth of standard deviation 4, 5 samples against 40:
#' `inst/benchmarks/levels.csv`). A message names it where two groups of unequal
#' size, of three samples or more, have variances whose ratio is beyond the
#' 0.001 quantile of its F distribution in a tenth of the features. Permutations
#' do not protect against unequal variances.
#'
#' *Skewed values.* In groups of different size the t finds too much where
#' values have a tail, as concentrations and counts do without logs (log-normal,
#' 3 samples against 20: `inst/benchmarks/levels.csv`). A message says so where
#' the median skewness of the residuals is above 1, over at most 100 of the
#' features that the t decides (*Rare values*): take logs, or `permutations`.
#'
#' *Units.* Samples of one donor, and replicates, are not independent. With
#' `unit` the samples of a unit in a group are averaged, and all columns are of
#' these means (pseudobulk); a unit with samples in several groups is a block,
#' all other units are one block or those of `block`, which must be the same for
#' all samples of a unit.
#'
#' *Permutations.* The groups of the samples are exchanged, within blocks;
#' p-value, false discovery rate and family are those of [relieff_sc()], with
#' |t| for the margin. They are valid for small groups of heavy tails, and after
#' sorting and for given pairs also with wrong answers. After questions in
#' pairs, which show the nearest group first, answers must be without mistakes
#' for t and permutations alike (10 % of the answers wrong: a false discovery in
#' 13 to 33 % of data sets).
#'
#' *What the p-values rest on.* They hold if the groups do not depend on these
#' features (by persons, clones, sorting). Groups that these data made differ
#' "significantly" in noise, and get no p-values: those of glean(), clusters,
#' factors of class `linkrank_labels` (which `factor()`, text and files drop),
#' constraints of `origin` "data"; print() says where people saw features. Test
#' all features, not the top of a ranking by the same answers.
#'
#' *Rare values.* Where most samples have one value, as 0 in single cells, the t
#' finds too much: the variance of a group that happens to hold none or all of
#' the few others is far too small. So for features of which at most half of the
#' samples differ from the median, `fdr` without `permutations` rests on the
#' larger of two p-values: that of the t, and the exact (hypergeometric) one of
#' how many samples of the group differ, two-sided and without blocks. (PBMC 3k,
#' 5 against 100 random cells: adjusted p-values of the t alone are at most 0.05
#' for a feature of all groups, `fdr` for one of 13 %.)
#'
#' *Undecided groups.* Two groups that no answer joins or sets apart do not
#' count in each other's means and tests. A message names such pairs, with the
#' calls that ask about them or decide, and groups that are apart from no other,
#' which are left out.
#'
#' *Blocks.* Means, d_gh and a_gh are taken within each block that holds both
#' groups and averaged with weights 1 / (1 / n_g + 1 / n_h), n_g and n_h counted
#' in the block; a message names groups that share none. Where one side of a
#' block has a single sample, the variance is that of the other side; where no
#' block has two samples of one side, as with a tumour and a normal sample of
#' each patient, that of the model. A block in which neither group varies counts
#' for d only where all are so. The test adds a term for each block to the
#' model.
#'
#' *Tables.* Missing cells are refused, or with `na.action = "mean"` filled by
#' the mean of the feature's known values: as these are drawn to one value in
#' every group, differences shrink by about the share that is missing, and tests
#' find less (none of 0.05 too much: 0.02 to 0.05 where 20 or 40 % of the cells
#' were missing in all samples or in one group of 5 or 10).
#' A factor has no mean and is refused. What marks a group among its levels is
#' found by a column of `TRUE` and `FALSE` for each, such as
#' `table$low <- table$grade == "low"`: `mean` is then the share of the level,
#' and `fdr` rests on the exact test as well, see *Rare values*.
#'
#' *Edge cases.* A message names groups of one sample, which are left out. A
#' constant feature has difference 0, d 0, AUC 0.5 and no test. d
#' is `Inf` or `-Inf` where groups differ and neither varies. Without residual
#' degrees of freedom the p-values are `NA`, which a message says. With fewer
#' than two features that vary the t is not moderated.
#'
#' *Threads and kinds of data* change no bit of the result.
#'
#' *Cost.* A walk over the data, and one for each permutation. Per feature a
#' sort of its non-zero values, and for each of them as many steps as there are
#' groups.
#' Memory: the result, four numbers per feature, group and block, and one per
#' feature, group and permutation.
#'
#' @section Errors: `linkrank_error_argument` when there are not two groups of
#'   two samples, and for `block`, `lfc` and vectors of another length;
#'   `linkrank_error_constraints` when no two groups are cannot-linked;
#'   `linkrank_error_input` for missing values without `na.action`, for
#'   factors, and for values beyond 1e150 or differences below 1e-150. Messages
#'   of class `linkrank_message_groups`, `linkrank_message_variance` and
#'   `linkrank_message_skewness`.
#'
#' @references Smyth, G. K. (2004). Linear models and empirical Bayes methods
#'   for assessing differential expression in microarray experiments.
#'   *Statistical Applications in Genetics and Molecular Biology*, 3, 3.
#'   \doi{10.2202/1544-6115.1027}
#'
#'   McCarthy, D. J. and Smyth, G. K. (2009). Testing significance relative to a
#'   fold-change threshold is a TREAT. *Bioinformatics*, 25, 765-771.
#'   \doi{10.1093/bioinformatics/btp053}
#'
#' @seealso [group_markers-methods] for print, `top_features()`, `plot()` and
#'   gene-set tests; [glean_labels()]; [pair_margins()], which pairs a feature
#'   rests on.
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
    options <- list(
        pairwise = check_flag(pairwise, "pairwise"),
        lfc = check_number(lfc, "lfc", 0),
        variance = check_choice(variance, c("equal", "group"), "variance"),
        permutations = check_count(permutations, "permutations", 0, 1e6),
        workers = check_workers(BPPARAM)
    )
    refuse_if(options$lfc > 0 && options$permutations > 0, "`permutations` ",
              "must be 0 where `lfc` is above 0, because permuted groups test ",
              "only a difference of 0.")
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
        features = data$p,
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
        inform_linkrank(count_noun(nrow(apart), "pair"), " of groups ",
                        if (nrow(apart) > 1L) "share" else "shares",
                        " no block and cannot be compared: ", listed,
                        if (nrow(apart) > 3L) ", ...", ".", class = "groups")
    }
}

marker_data <- function(data) {
    factors <- which(data$kind == "factor")
    refuse_if(length(factors), "`x` must have numeric or logical features, ",
              "but feature \"", data$features[factors[1L]], "\" is a factor: ",
              "remove it, or use ordered() or model.matrix().", class = "input")
    if (missing_rule(data) == "fail") refuse_missing(data)
    data <- without_missing(data, list(category = logical(data$p)),
                            data$control)
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
        inform_linkrank("Variances are larger in group ", named[1L], " (",
                        count_noun(size[1L], "sample"), ") than in ",
                        named[2L], " (", size[2L], ") in ",
                        round(100 * unequal$share), " % of the features, more ",
                        "than by chance: try `variance = \"group\"`.",
                        class = "variance")
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
