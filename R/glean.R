# glean(): structure, margins, propagated answers and contrast in one ranking,
# in a space learned from the answers.

#' Find relevant features from few pairs and all samples
#'
#' `glean()` ranks features (genes, spectra, columns) by how well they separate
#' groups of samples, when only a few pairs of samples are known to be of the
#' same group or of different ones. It learns from these pairs and from the
#' structure of all samples, and ranks a feature lower if better ones already
#' say the same. `glean_labels()` returns the estimated group of each sample.
#'
#' @param x Data: see [prepare_data()]. A factor is one feature, whatever its
#'   number of levels.
#' @param constraints Constraints: see [relieff_sc()]; also without a
#'   cannot-link. `NULL` for none: the structure of the data alone ranks.
#' @param top How many of the most relevant features to check for redundancy, a
#'   whole number from 1 or `Inf`; the others follow by relevance. It decides
#'   the time of large data: 300 take .63 of the time of 1500 (50,000 cells),
#'   with features as good.
#' @param rank_by What orders the table. `"score"`: few features for a model, no
#'   two alike. `"contrast"`, or `"relevance"` for all four parts: every feature
#'   that tells the groups apart, copies too, for a list to report. All three
#'   are columns, so `update(ranking, rank_by = )` only sorts.
#' @param rounds How often `space` is learned from the answers, a whole number
#'   from 0 to 100; `NULL` for one round, none from 10,000 samples on. Nothing
#'   is learned from fewer than two groups, nor in a reducedDim or a matrix,
#'   whose coordinates stay as they are.
#' @param ranking What `glean()` returned.
#' @param ... Arguments of [prepare_data()], by name: `scale`, `space`, `block`,
#'   `na.action`, `by`, `assay.type`, `threads`, `progress`.
#'
#' @return `glean()`: a [`feature_ranking`][feature_ranking], one row per
#'   feature, with columns
#' * `score`: the relevance times the part of the feature that is not explained
#'   by higher-ranked features, from 0 to 1; `NA` beyond `top` and for constant
#'   features;
#' * `relevance`: the four parts combined, from 0 (constant) to 1 (best in all
#'   four). It compares the features of one data set: there is no fixed value
#'   from which a feature is good, see [top_features()] with `n = "best"`;
#' * `structure`, `margin`, `spread`: parts, in units of the feature's scale; 0
#'   if the answers do not define the part;
#' * `contrast`: the fourth part, a ratio of variances, from 0; printed as
#'   "perfect" above a million, where hardly a feature varies within the groups.
#'
#'   All are those of the last round. By score the rows are in selection order,
#'   and features beyond `top` follow by relevance; equal scores and contrasts
#'   are in order of relevance, and constant features are last. `print()`
#'   says when the main structure of the data is not the one asked about, and
#'   names the order for the other job. Where the answers make no two groups
#'   all contrasts are 0, and relevance orders.
#'
#'   `glean_labels()`: clusters as [pck_means()] returns them, with the same
#'   methods: `cluster`, a factor, the number or name of a group of must-linked
#'   samples, as in [constraint_groups()] (`NA`: not connected to any sample in
#'   a pair), `answered`, how many samples of each group were in a pair, and
#'   `confidence`, from 0 to 1, where samples in a pair have 1. It orders the
#'   samples and is no probability: in noise 37 % of the samples that
#'   were not asked about had .3 or more, of which 52 % were in the right one of
#'   two groups, as by chance. The
#'   number of clusters is that of the answers. Trust them after questions
#'   that build groups, as [active_constraints()] asks them; random pairs leave
#'   most samples in groups of their own. [group_markers()] takes the ranking
#'   and shows what marks each group.
#'
#' @details
#' The relevance of a feature combines four parts: the structure of the data
#' (without any answer), the margin of the answered pairs, and the margin and
#' the contrast of labels propagated from the answers over the graph of the
#' samples. Neighbours are then computed again in a space in which relevant
#' features weigh more, and the parts with them. Features are selected one by
#' one such that they are relevant and not redundant with those before them.
#' With u the scaled values and "nearest" by Euclidean distance in `space`:
#'
#' * structure s: mean of |u_i - u_j| over all pairs, minus that over each
#'   sample and its 3 nearest
#' * margin m: mean over the cannot-links (a, b), both orders, of the mean
#'   |u_j - u_a| over the 3 nearest of b minus that over the 3 nearest of a,
#'   weighted by `confidence`: that of [relieff_sc()] with must-links, divided
#'   by the number of pairs
#' * spread t: as ReliefF, from propagated labels: confidence-weighted mean
#'   difference to the 3 nearest of each other label (weighted by its
#'   proportion), minus that to the 3 nearest of the same label
#' * contrast e: with the confidences of the same labels as weights: variance
#'   between the groups / (variance within them + its median over the features)
#' * relevance r: exp of the mean over the parts of log max(part / largest,
#'   1e-4); a part without a positive value is left out
#'
#' *A feature's own term.* The neighbours of structure and margin are, for each
#' feature with more than 0.005 of the variance in a `space` of components or of
#' all features, those without its term, as in [relieff_sc()] and with the same
#' exceptions: else in tables of few features whatever spreads has structure.
#'
#' *Propagated labels.* Must-linked samples are a group, and so is a sample in
#' cannot-links only. On the self-tuning graph of the 7 nearest neighbours, with
#' weight 1 within a group and 0 between cannot-linked groups, the label weights
#' are Q = (I - 0.9 P)^-1 Y, P = D^(-1/2) W D^(-1/2), Y the groups' members,
#' each with weight 1 / size. A sample gets the label of the largest proportion
#' in its row, and its confidence is the difference to the second largest.
#'
#' *Rounds.* With v = r / max(r) as the weight of each feature, components are
#' computed again, of v u, and with them the neighbours, the propagated labels
#' and the parts. Differences, means and correlations stay those of u. A second
#' round changes little. The labels that `glean_labels()` returns are those of
#' the first space, unless in the last one more of the answered samples have the
#' nearest other answered one in their own group. `vignette("how-many")` has
#' how many are right.
#'
#' *Redundancy.* As in [diversify_ranking()]: each next feature maximises r (1 -
#' R), with R its largest squared correlation with a feature selected before.
#'
#' *Two jobs.* By `score` a table of few features predicts well, and lacks most
#' of what differs, because copies of better features are down. A list of genes
#' to report is by `contrast`; the groups of the answers, or of the propagated
#' labels, are described and tested by [group_markers()]. On narrow tables with
#' codes a random forest of the labels of the same samples predicts better.
#'
#' *When it helps.* `vignette("how-many")` compares it on real data with other
#' rankings, without answers and with all labels, losses included. Answers are
#' worth little about the main structure of the data, and much about a weaker
#' one, such as the disease beside the batch. `print()` says
#' "The dominant structure is not the one asked about" if the
#' features with the most structure (a tenth, 5 to 20), before the first round,
#' are on average below the median feature by the mean log of the other three
#' parts. The note appears only in clear cases, so its absence is no
#' evidence that all is well. An unscaled expression
#' matrix that is not on the log scale is dominated by a few highly expressed
#' genes: take logs first. No scale of log counts is best: of the blood cells
#' 84, 81 and 78 % had the right label unscaled, scaled by range and
#' standardised, of 68,579 simulated ones 90, 94 and 98 %.
#'
#' *Blocks.* With `block` all four parts are those within the batches or donors:
#' structure is the mean difference over the pairs of samples of one block,
#' minus that to near samples of the block (a sample alone in its block does not
#' count); cannot-links across blocks have no margin, but keep groups apart; the
#' graph has edges within blocks besides the must-links; near samples of another
#' label are those of the block; and contrast compares the labels of each block,
#' between being the sum of (sum of c) (mean of the label in the block - mean of
#' the block)^2. The components are those of all samples.
#'
#' *Factors.* Two levels differ by 1, as scaled. In distances, components,
#' variances and correlations a factor of more than two levels is the indicators
#' of its levels, divided by the square root of 2: variances are added up, and
#' the correlation with another feature is the largest absolute one of an
#' indicator.
#'
#' *Ties.* Distances are compared after rounding to 1e-9 of the largest one (of
#' 10,000 samples or more: of those to 20 samples far from each other), equal
#' distances by row; equal relevances keep column order. Results have the
#' same bits for any number of threads and any kind of `x`, given the same
#' `scale`.
#'
#' *Cost*, with n samples, p features, q components and G groups, for each round
#' and once before the first: components n^2 p, or p^2 n of up to 800 features,
#' else 10 to 140 times 32 n p, of a sparse `x` 32 for each stored value;
#' neighbours (2 + 1) n^2 q; propagated labels 3 n G per feature. Once:
#' structure n log n per feature; redundancy n `top`^2 for dense features, and
#' n d^2 `top`^2 for features with a proportion d of at most a quarter of values
#' other than 0. A sparse `x` stays sparse. Memory: the
#' components' vectors (at most 640 of length min(n, p)), the `top` features,
#' and about 450 n G bytes; with `space = NULL` also one copy of the
#' scaled data.
#'
#' @section Errors: `linkrank_error_input` for `x`;
#'   `linkrank_error_constraints`; `linkrank_error_argument` for arguments out
#'   of range, a `space` that `x` does not have or that is not a matrix of its
#'   samples. A message of class `linkrank_message_rounds` says that nothing is
#'   learned in the `space` that is given; `rounds = 0` is without it.
#'
#' @references Genest, C. and Zidek, J. V. (1986). Combining probability
#'   distributions. *Statistical Science*, 1, 114-135.
#'
#'   Zhou, D. et al. (2004). Learning with local and global consistency. *NIPS*
#'   16.
#'
#'   Zelnik-Manor, L. and Perona, P. (2004). Self-tuning spectral clustering.
#'   *NIPS* 17.
#'
#'   Hijazi, S. (2019). *Semi-supervised Margin-based Feature Selection for
#'   Classification.* PhD thesis, NNT 2019DUNK0546. Section 3.2.3.
#'
#'   Tusher, V., Tibshirani, R. and Chu, G. (2001). Significance analysis of
#'   microarrays. *PNAS*, 98, 5116-5121. The median in the contrast.
#'
#'   Sun, Y. (2007). Iterative RELIEF for feature weighting. *IEEE Transactions
#'   on Pattern Analysis and Machine Intelligence*, 29, 1035-1051. The space.
#'
#'   Carbonell, J. and Goldstein, J. (1998). The use of MMR. *SIGIR*, 335-336.
#'
#' @seealso [active_constraints()] for the questions, [plot.glean_ranking()]
#' @examples
#' # log-transform raw intensities, so that all genes have the same unit
#' x <- log2(colon$x)
#' links <- active_constraints(x, colon$tissue, n = 20)
#' genes <- glean(x, links, scale = "none")
#' genes
#' glean_labels(genes)
#' @order 1
#' @export
glean <- function(x, constraints = NULL, ..., top = 1500, rounds = NULL,
                  rank_by = c("score", "relevance", "contrast")) {
    top <- check_count_or_all(top, "top", 1)
    rank_by <- check_choice(rank_by, glean_orders, "rank_by")
    if (!is.null(rounds)) rounds <- check_count(rounds, "rounds", 0, 100)
    if (!is.null(constraints)) check_constraints(constraints)
    data <- prepared(x, ..., uses = c("scale", "space", "block", "na.action"))
    control <- data$control
    space <- data_space(data, default_components)
    input <- scaled_data(data)
    ranked <- input$data
    rounds <- rounds %||% if (ranked$n < many_samples) 1 else 0
    constraints <- match_constraints(
        constraints %||% pairwise_constraints(samples = ranked$n), ranked)
    input["block"] <- list(known_block(data))
    pairs <- pairs_of(constraints, input$block)
    if (is.null(input$block)) {
        note_split_column(constraints, ranked)
    } else {
        note_across(pairs)
        matched <- matched_note(input$block)
        warn_if(!is.null(matched), "Neither margins nor structure are above 0",
                matched, ".", class = "margin")
    }
    input$constant <- ranked$maximum == ranked$minimum
    input <- level_columns(input)
    # a difference of two levels is one in two columns, in each by the square
    # root of 1/2
    input$width <- if (is.null(input$feature)) 1 else
        ifelse(tabulate(input$feature) > 1L, sqrt(2), 1)
    found <- glean_rounds(space, rounds, input,
                          glean_answers(constraints, pairs, input, control),
                          control)
    table <- found$table
    # relevant features one by one, each with little correlation to those before
    order <- order(-table$relevance)
    order <- order[table$relevance[order] > 0]
    order <- utils::head(order, min(top, length(order)))
    picked <- diversify_features(input, order, table$relevance[order], control)
    table$score[order[picked$place]] <- picked$value
    ranking <- new_feature_ranking(
        table, ranked, "glean", "score",
        list(top = top, rank_by = rank_by, space = found$space$given,
             rounds = rounds,
             block = kept_codes(data)$block,
             scale = input$scaling$scale, na.action = missing_rule(data)),
        constraints, paste0(
            if (sum(pairs$kinds) == 0)
                "no answers: structure alone" else
                count_noun(found$groups, "group"), ", neighbours in ",
            found$space$label, if (found$learned > 0)
                paste0(", space learned from the answers, ",
                       count_noun(found$learned, "round"))
        ), block = input$block, pairs = pairs,
        answers = c(found[c("groups", "group_names", "answered",
                            "learned", "agreement")],
                    list(axes = plot_axes(found, input, control),
                         largest = vapply(table[part_names], max, 0)),
                    found$samples),
        sample_names = ranked$samples, class = "glean_ranking"
    )
    order_glean(ranking, rank_by)
}

glean_orders <- c("score", "relevance", "contrast")

# The ranking in the order of a column, equal values by relevance. Worth only
# falls from pick to pick, so scores give the order of the picks, and the others
# follow by relevance.
order_glean <- function(ranking, rank_by) {
    info <- attr(ranking, "info")
    info$key <- info$parameters$rank_by <- rank_by
    info$order <- if (rank_by == "score") registry_row("glean")$order else ""
    place <- order(-ranking[[rank_by]], -ranking$relevance,
                   match(ranking$feature, info$names))
    reorder_ranking(as.data.frame(ranking), place, info)
}
