# glean(): structure, margins, propagated answers and contrast in one ranking,
# in a space learned from the answers.

#' Find relevant features from few pairs and all samples
#'
#' @description `glean()` ranks features (genes, spectra, columns) by how well
#'   they separate groups of samples. Use it when labels are missing, but some
#'   pairs of samples are known to be of the same group (must-link) or of
#'   different ones (cannot-link). It also uses the structure of all samples,
#'   and ranks a feature lower if better ones already say the same.
#'   `glean_labels()` returns the group of each sample.
#'
#' ```{r, comment = "#>"}
#' x <- log2(colon$x)                  # 62 samples in rows, 2000 genes
#' links <- active_constraints(x, colon$tissue, n = 20)    # 20 answers
#' genes <- glean(x, links, scale = "none")
#' head(as.data.frame(genes)[c("feature", "score", "highest")], 3)
#' ```
#'
#' @param x Data: see [prepare_data()]. A factor is one feature.
#' @param constraints Constraints: see [pairwise_constraints()]; also without a
#'   cannot-link. `NULL`: the structure of the data alone ranks.
#' @param top How many of the most relevant features to check for redundancy,
#'   from 1 to `Inf`.
#' @param rank_by What orders the table. `"score"`: few features for a model.
#'   `"contrast"`, or `"relevance"` (all four parts): a list to report, with
#'   copies. `update(ranking, rank_by = )` only sorts.
#' @param rounds How often `space` is learned from the answers, a whole number
#'   from 0 to 100; `NULL` for one, or none from 10,000 samples on and in a
#'   reducedDim or matrix. Nothing is learned there, nor from less than two
#'   groups.
#' @param ranking What `glean()` returned.
#' @param ... Arguments of [prepare_data()], by name: `scale`, `space`, `block`,
#'   `na.action`, `by`, `assay.type`, `threads`, `progress`.
#'
#' @return `glean()`: a [`feature_ranking`][feature_ranking()] with columns
#' * `score`: `relevance` times the part of the feature that higher-ranked ones
#'   do not explain, from 0 to 1; `NA` beyond `top` and for constant features;
#' * `relevance`: the four parts combined, from 0 (constant) to 1 (best in all),
#'   comparable within one data set only;
#' * `structure`, `margin`, `spread`: parts, in units of the scaled feature; 0
#'   if the answers do not define the part;
#' * `contrast`: a ratio of variances, from 0; "perfect" above a million;
#' * `highest`, `difference`: where the feature is high, see [feature_ranking].
#'
#' By score, features beyond `top` follow by relevance, then constant ones; ties
#' by relevance, then column.
#'
#' `glean_labels()`: clusters as [pck_means()] returns them: `cluster` (`NA`:
#' connected to no sample in a pair); `answered`, how many samples of each group
#' were in a pair; `confidence`, from 0 to 1, which orders the samples and is no
#' probability: it can be high in noise. Trust them after questions that build
#' groups ([active_constraints()]).
#'
#' @details With u the scaled values and distances in `space`, for structure and
#'   margin without the feature's own term ([relieff_sc()]):
#'
#' * structure s: mean of |u_i - u_j| over all pairs, minus that over samples
#'   and their 3 nearest; without answers divided by 100 where it is below two
#'   standard errors (of features with own neighbours)
#' * margin m: mean over the cannot-links (a, b), both orders, of the mean of
#'   |u_j - u_a| over the 3 nearest of b minus that over the 3 nearest of a,
#'   weighted by `confidence`
#' * spread t: as ReliefF, from propagated labels: mean difference to the 3
#'   nearest of each other label (weighted by its proportion), minus that to the
#'   3 nearest of the same label, weighted by confidence
#' * contrast e, with the same weights: variance between the groups / (variance
#'   within them + its median over the features)
#' * relevance r: exp of the mean over the parts of log max(part / largest,
#'   1e-4); a part without a positive value is left out
#'
#' *Propagated labels.* Must-linked samples are a group, and so is a sample in
#' cannot-links only. On the self-tuning graph of the 7 nearest neighbours, with
#' weight 1 within a group and 0 between groups that are apart, the label
#' weights are Q = (I - 0.9 P)^-1 Y. P = D^(-1/2) W D^(-1/2), and Y has the
#' members of the groups, each with weight 1 / size. A sample gets the label of
#' the largest proportion in its row; its confidence is the difference to the
#' second.
#'
#' *Rounds.* With v = r / max(r), components are computed again, of v u, and
#' with them neighbours, labels and parts. `glean_labels()` returns the labels
#' of the last space, unless in the first one more of the answered samples have
#' the nearest other one in their own group.
#'
#' *Redundancy.* Each next feature maximises r (1 - R), with R its largest
#' squared correlation with one before: [diversify_ranking()].
#'
#' *When it helps.* Answers add little about the main structure of the data,
#' much about a weaker one; `print()` says in clear cases that another one is
#' dominant. Take logs of expression data first.
#'
#' *Blocks.* With `block` all parts are within blocks; cannot-links across them
#' only keep groups apart.
#'
#' *Ties.* Distances are rounded to 1e-9 of the largest (from 10,000 samples on:
#' of those to 20 samples); equal ones are in row order.
#'
#' *Cost*, with n samples, p features, q components and G groups, in each round:
#' components n^2 p or p^2 n, at most 4480 n p; neighbours 3 n^2 q; labels 3 n G
#' p. Redundancy: n `top`^2. Memory: 640 vectors of length min(n, p), `top`
#' features, 450 n G bytes. A sparse `x` stays sparse.
#'
#' @section Errors: `linkrank_error_input`, `linkrank_error_constraints`,
#'   `linkrank_error_argument`, a message `linkrank_message_rounds`.
#'
#' @references Hijazi, S. (2019). PhD thesis, NNT 2019DUNK0546, section 3.2.3.
#'   Zhou, D. et al. (2004), *NIPS* 16. Zelnik-Manor, L. and Perona, P. (2004),
#'   *NIPS* 17. Genest, C. and Zidek, J. V. (1986), *Statistical Science*, 1,
#'   114. Tusher, V. et al. (2001), *PNAS*, 98, 5116. Sun, Y. (2007), *IEEE
#'        TPAMI*, 29, 1035. Carbonell, J. and Goldstein, J. (1998), *SIGIR*,
#'        335.
#'
#' @seealso [active_constraints()], [plot.glean_ranking()]
#' @examples
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
    space <- data_space(data, default_components)
    input <- scaled_data(data)
    ranked <- input$data
    placed <- is.character(space) || !is.null(dim(space))
    if (is.null(rounds))
        rounds <- if (placed || ranked$n >= many_samples) 0 else 1
    if (is.null(constraints))
        constraints <- pairwise_constraints(samples = ranked$n)
    constraints <- match_constraints(constraints, ranked)
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
    last <- glean_rounds(space, rounds, input,
                         glean_answers(constraints, pairs, input))
    table <- last$table
    # relevant features one by one, each with little correlation to those before
    order <- order(-table$relevance)
    order <- order[table$relevance[order] > 0]
    order <- utils::head(order, min(top, length(order)))
    picked <- diversify_features(input, order, table$relevance[order])
    table$score[order[picked$place]] <- picked$value
    # worth only falls from pick to pick, so scores give the order of the picks,
    # and the others follow by relevance
    new_feature_ranking(
        table, ranked, "glean", c(rank_by, "relevance"),
        c(list(top = top, rank_by = rank_by, space = last$space$given,
               rounds = rounds, block = kept_codes(data)$block),
          input$settings),
        constraints, c(
            if (sum(pairs$kinds) == 0) "no answers: structure alone" else
                count_noun(last$groups, "group"),
            paste("neighbours in", last$space$label),
            if (last$learned > 0) c("space learned from the answers",
                                    count_noun(last$learned, "round"))
        ), block = input$block, pairs = pairs,
        answers = c(last[c("groups", "group_names", "answered",
                           "learned", "agreement")],
                    list(axes = plot_axes(last, input),
                         largest = vapply(table[part_names], max, 0)),
                    last$samples),
        sample_names = ranked$samples, class = "glean_ranking"
    )
}

glean_orders <- c("score", "relevance", "contrast")

# The ranking in the order of another column, equal values by relevance.
order_glean <- function(ranking, rank_by) {
    info <- attr(ranking, "info")
    info$key <- info$parameters$rank_by <- rank_by
    place <- order(-ranking[[rank_by]], -ranking$relevance,
                   match(ranking$feature, info$names))
    reorder_ranking(as.data.frame(ranking), place, info)
}
