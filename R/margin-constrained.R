# relieff_sc(): margins of constraints, by pairs or by labels, within blocks.

# ==== constraints =============================================================

# Relief-Sc and ReliefF-Sc: margins from cannot-linked pairs.

#' Rank features by the margin between cannot-linked samples
#'
#' @description `relieff_sc()` (ReliefF-Sc) scores a feature by how much it
#'   separates the samples of each cannot-link (a pair of different groups),
#'   compared with its variation among near samples. Use it when a few pairs are
#'   known; [glean()] also uses the structure of all samples. `relief_sc()`
#'   takes one neighbour, `relieff_sc()` the mean over `k`.
#'
#' ```{r, comment = "#>"}
#' x <- log2(colon$x)                  # 62 samples in rows, 2000 genes
#' pairs <- rbind(c("T1", "N2"), c("T5", "N8"), c("T20", "N4"))
#' links <- pairwise_constraints(cannot_link = pairs, samples = rownames(x))
#' genes <- relieff_sc(x, links, scale = "none")
#' head(as.data.frame(genes), 3)
#' ```
#'
#'
#' @param x Data, samples in rows or a container: see [prepare_data()].
#' @param constraints Constraints of the same samples, from
#'   [pairwise_constraints()] or [constraints_from_labels()], with a
#'   cannot-link.
#' @param k Number of neighbours, a whole number from 1; at most all are taken.
#' @param direction `"both"` averages the two directions of a pair; `"first"`
#'   takes it as typed.
#' @param must_link `"use"`: the neighbours of a sample are first those that it
#'   is must-linked to, then others, never one cannot-linked to it. `"ignore"`:
#'   the nearest samples.
#' @param rank_by What orders the table: the `"margin"`, or the paired t
#'   `"statistic"` of the margins.
#' @param own_term `"leave_out"`: neighbours for each feature are found without
#'   it; `"keep"`: with it. See *A feature's own term*.
#' @param permutations Number of relabelled sets for [p_values], at most 1e6,
#'   such as 199; 0 for none.
#' @param BPPARAM Where a file on disk and permutations run: [workers].
#' @param ... Arguments of [prepare_data()], by name: `scale`, `space`,
#'   `distance`, `block`, `unit`, `by`, `assay.type`, `threads`, `progress`.
#'
#' @return A [`feature_ranking`][feature_ranking()], highest margin first, with
#'   columns
#' * `score`: the weight w >= 0, positive margins divided by their length;
#' * `margin`: z, the sum of the margins over the cannot-links, in units of the
#'   scaled feature. At 0 or below the feature does not separate the pairs. No
#'   fixed value is good;
#' * `statistic`: paired t of the margins over the constraints. It has no
#'   p-value: its mean is above 0 for uninformative pairs too. `NA` with a
#'   single constraint or equal margins;
#' * `p_value`, `fdr`, `family_p_value`, with `permutations`: see [p_values].
#'   `NA` for a constant feature;
#' * `highest`, `difference`: where the feature is high, see [feature_ranking].
#'
#' @details With u the scaled value of a feature and H_1(x), ..., H_K(x) the K =
#'   `k` nearest other samples of x in the whole data set, the margin is (3.8
#'   and 3.16 of Hijazi 2019)
#' \deqn{z = \sum_{(n, m)} \frac{1}{K} \sum_{j=1}^{K} \left(|u_n - u_{H_j(m)}| - |u_n - u_{H_j(n)}|\right)}{z = sum over (n, m) of the mean over j of |u_n - u_Hj(m)| - |u_n - u_Hj(n)|}
#' over the cannot-linked pairs (n, m); with `direction = "both"` the mean of
#' this and of the same with n and m exchanged. `score` is
#' \eqn{w = z^+ / \|z^+\|_2}{w = z+ / ||z+||} (3.15).
#'
#' *A feature's own term.* A space with a feature puts samples near that are
#' alike in it, and noise then ranks by its variation. With `own_term =
#' "leave_out"` each feature with more than 0.005 of the mean distance gets
#' neighbours without it: by the distances in all other features, or, in
#' components, by coordinates z_i - a_i V, with a_i its centred value and V_k
#' the sum of a_i z_ik / the sum of z_ik^2. There is one set of
#' neighbours for all features where these are more than 200, in a given
#' `space`, by `distance = "correlation"`, and where own ones would take more
#' than 4e9 differences.
#'
#' *Confidence.* Margins are multiplied by `confidence` (`NA`: 1) divided by its
#' mean, in `statistic` too.
#'
#' *Blocks.* With `block` only cannot-links within a block count; must-links
#' across blocks still make groups. `highest` and `difference` compare groups
#' that are apart by all answers within blocks.
#'
#' *Ties and missing values.* Equal distances keep row order (but for rounding,
#' see [similarity_graph()]; those without a feature are rounded to 1e-9 of that
#' across all ranges), equal margins column order. A margin that is 0 but for
#' rounding is 0. A difference to a missing value is the mean difference to all
#' values observed in its feature (for factors, the share of other values). A
#' constant feature has margin 0.
#'
#' *Cost.* With e samples in cannot-links, n samples and p features: e n p
#' differences and 4 k per pair and feature; all labels: e k log(e k) per
#' feature. With `own_term = "leave_out"` another e n p comparisons, and a
#' search more for each factor or feature with missing cells, and for each of a
#' file ([data_on_disk]) or by Euclidean distances. Memory beyond `x`: at most
#' 250 MB and 250 n bytes. A file is read twice. B permutations take B times as
#' long.
#'
#' @section The published form: Relief-Sc and ReliefF-Sc are Algorithms 3.1 and
#'   3.2 of Hijazi (2019), who takes `k` = 3, 5 or 10. Our defaults differ in
#'   all of this:
#'
#' ```
#' relief_sc(x, constraints, direction = "first", must_link = "ignore",
#'           scale = "range", own_term = "keep")
#' relieff_sc(x, constraints, k = 5, direction = "first",
#'            must_link = "ignore", scale = "range", own_term = "keep")
#' ```
#'
#' @section Errors: Those of [prepare_data()]; `linkrank_error_input` for ranges
#'   beyond 1e150 or below 1e-150; `linkrank_error_constraints` (no cannot-link,
#'   none within a block, other samples), `linkrank_error_argument`. A warning
#'   `linkrank_warning_margin` when no feature has a positive margin: all scores
#'   are 0. `linkrank_message_pairs` counts pairs left out.
#'
#' @references Hijazi, S. (2019). PhD thesis, NNT 2019DUNK0546. Sections 3.2.2
#' and 3.2.3.
#' @seealso [plot.feature_ranking()], [top_features()], [pair_margins()]
#' @examples
#' x <- log2(colon$x)
#' set.seed(1)
#' links <- constraints_from_labels(colon$tissue, cannot_link = 10,
#'                                  must_link = 0)
#' genes <- relieff_sc(x, links)
#' genes
#' relieff_sc(x[, 1:200], links, permutations = 99)
#' @export
relieff_sc <- function(x, constraints, ..., k = 3,
                       direction = c("both", "first"),
                       must_link = c("use", "ignore"),
                       rank_by = c("margin", "statistic"), permutations = 0,
                       own_term = c("leave_out", "keep"), BPPARAM = NULL) {
    options <- checked(k, direction, must_link, rank_by, permutations, own_term)
    workers <- check_workers(BPPARAM)
    input <- constrained_data(x, constraints, ...)
    rank_constrained("relieff_sc", input, options, workers)
}

#' @rdname relieff_sc
#' @export
relief_sc <- function(x, constraints, ..., direction = c("both", "first"),
                      must_link = c("use", "ignore"),
                      rank_by = c("margin", "statistic"), permutations = 0,
                      own_term = c("leave_out", "keep"), BPPARAM = NULL) {
    options <- c(k = 1, checked(direction, must_link, rank_by, permutations,
                                own_term))
    workers <- check_workers(BPPARAM)
    input <- constrained_data(x, constraints, ...)
    rank_constrained("relief_sc", input, options, workers)
}

# `input`: from constrained_data().
rank_constrained <- function(method, input, options, workers) {
    input <- scale_for_margins(input, options$own_term)
    control <- c(input$data$control, list(workers = workers))
    table <- margin_table(input, options, control)
    new_feature_ranking(table, input$data, method, options$rank_by,
                        c(options, input$settings), input$constraints,
                        margin_note(options, method != "relief_sc"),
                        input$where, pairs = input$pairs,
                        caveat = relabelling_note(input, options))
}

# list(data, constraints, block, pairs): of a ranking by constraints, after all
# checks. The names in the dots are checked first, and the data are read last.
constrained_data <- function(x, constraints, ...,
                             uses = c(neighbour_arguments, "unit"),
                             takes = names(formals(sys.function(sys.parent()))),
                             other = NULL) {
    force(takes)
    data <- prepared(x, ..., uses = uses, takes = takes, other = other,
                     before = check_has_cannot_link(
                         check_constraints(constraints)))
    matched <- match_constraints(constraints, data)
    if (!identical(matched, constraints))
        check_has_cannot_link(matched, " left for the samples of `x`")
    block <- if ("block" %in% uses && !is.null(data$block_of)) known_block(data)
    pairs <- pairs_of(matched, block)
    if (is.null(block)) note_split_column(matched, data) else note_across(pairs)
    list(data = data, constraints = matched, block = block, pairs = pairs)
}

# The same with how the features are scaled, where neighbours are computed, the
# features that have no say there about their `own` margin, and the `settings`
# that a ranking keeps.
scale_for_margins <- function(input, own_term = "leave_out") {
    data <- input$data
    input <- c(input, scaled_search(data, feature_scaling(data),
                                    margin_distances, input$block))
    # an update() of the ranking exchanges units again
    codes <- kept_codes(data)
    input$settings["block"] <- list(codes$block)
    input$settings$unit <- codes$unit
    if (own_term == "leave_out") input$own <- own_features(input)
    input
}

# What margins take: list(scaling, where, settings). Where a search and margins
# compare the same cells, the expected differences of features with missing
# cells are computed once for both; not where they would take much memory, or
# data on disk be read once more.
scaled_search <- function(data, scaling, distances, block = NULL) {
    space <- data$settings$space
    where <- neighbour_space(space, data, scaling, distances, block)
    if (identical(where$scaling, scaling) && any(data$missing > 0L) &&
        data$layout != "reader") {
        scaling["expected"] <- list(.Call(C_expected_differences, data,
                                          scaling, data$control))
        where$scaling <- scaling
    }
    list(scaling = scaling, where = where,
         settings = list(distance = where$distance, scale = scaling$scale,
                         space = space))
}

check_has_cannot_link <- function(constraints, where = "") {
    if (count_pairs(constraints)[["cannot_link"]] == 0)
        abort_linkrank("`constraints` must contain at least one cannot-link, ",
                       "but it has none", where, ".", class = "constraints")
}

# The columns of a ranking by constrained margins, features in column order.
# `input`: from scale_for_margins().
margin_table <- function(input, options, control) {
    sums <- constrained_margins(input, options, control)
    # The paired t: none of a single pair, nor where the sum of squares about
    # the mean is no more than rounding.
    pairs <- sums$pairs
    least <- sums$rounding^2 * (pairs - 1)
    if (!is.null(sums$magnitude)) least <- pmax(least, 1e-13 * sums$magnitude)
    squares <- sums$square - sums$deviation^2 / pairs
    variance <- squares / (pairs - 1)
    statistic <- sums$margin / pairs / sqrt(pmax(variance, 0) / pairs)
    statistic[pairs < 2 | squares <= least] <- NA
    # w = z+ / ||z+|| (3.15), a margin that is no more than rounding being 0;
    # the largest is taken out first, so that squares of huge or tiny margins
    # neither overflow nor vanish.
    positive <- sums$margin
    positive[positive <= pairs * sums$rounding] <- 0
    c(list(score = unit_length(positive, paste0(
               "the table is ordered by margin", matched_note(input$block))),
           margin = sums$margin, statistic = statistic),
      if (options$permutations > 0) {
          relabelled_p_values(input, options, control, sums)
      })
}

# z of (3.16) and what its significance needs, features in column order.
constrained_margins <- function(input, options, control) {
    links <- if (options$must_link == "use") constraint_links(input$constraints)
    ends <- input$pairs$ends
    margins <- function(input, ...) {
        lists <- find_hits(input, ends, options$k, links, control, ...)
        listed_margins(lists$data, input$scaling, input$pairs, lists,
                       options$direction == "both", control)
    }
    sums <- margins(input)
    alone <- if (length(input$own))
        each_own(input, ends, options$k, neighbour_rule(links), control,
                 margins)
    for (i in seq_along(alone)) {
        f <- input$own[i]
        for (name in setdiff(names(sums), "pairs"))
            sums[[name]][f] <- alone[[i]][[name]][f]
    }
    sums$rounding <- margin_rounding(sums, input$data, input$scaling)
    # 0 but for rounding: such features keep the order of their columns
    sums$margin[abs(sums$margin) <= sums$pairs * sums$rounding] <- 0
    sums
}

# The nearest samples of the end points for a walk over margins: list(ends, row,
# others, k, data, rows), `row` from nearest(), of which the first `others` rows
# are samples that are not must-linked; `data`: those in which the samples are
# numbered, samples `rows` of the input, or all of them (NULL). `links`: from
# constraint_links(), or NULL.
find_hits <- function(input, ends, k, links, control,
                      near = nearest(input$where, ends, k,
                                     neighbour_rule(links), control)) {
    k <- min(k, input$data$n - 1)
    c(samples_needed(input$data, as.integer(ends), near$row, near$held),
      list(others = sum(near$list == 1L), k = as.integer(k)))
}

# The margins of pairs whose neighbours are known. `both`: both directions.
listed_margins <- function(data, scaling, pairs, lists, both, control) {
    if (!is.null(pairs$block))
        return(block_margins(data, scaling, pairs, lists, both, control))
    # their scratch takes about 110 bytes for each hit of each labelled sample
    if (both && !is.null(pairs$label) &&
            as.numeric(lists$k) * length(lists$ends) <= most_hits) {
        return(label_margins(data, scaling, pairs, lists, control))
    }
    .Call(C_constrained_margins, data, scaling, pairs, lists, both, control)
}

# `instead`: what becomes of the ranking when there is nothing positive.
unit_length <- function(positive, instead) {
    largest <- max(positive)
    if (largest == 0) {
        warn_linkrank("No feature has a positive margin, so all scores are 0; ",
                      instead, ".", class = "margin")
        return(positive)
    }
    positive <- positive / largest
    positive / sqrt(sum(positive^2))
}

# `own_term`: the default, which is not said.
margin_note <- function(options, show_k, own_term = "leave_out") {
    c(if (show_k) paste("k =", options$k),
      if (options$direction == "both") "both directions" else
          "direction as typed",
      if (options$must_link == "ignore") "must-links ignored",
      if (options$own_term != own_term) paste("own_term =", options$own_term))
}

# ==== without the feature's own say ===========================================

# In a space that holds the feature whatever spreads chooses its own neighbours:
# of iris and five random codes the codes led glean() without answers. So those
# of each feature with more than this share of the distances are found without
# it: there are at most so many that data of more features are as they were.
own_share <- 0.005

# Neither where there are many features, none of which has a say, nor beyond so
# many differences (some seconds): then all have the same neighbours. `work`: of
# one search.
has_many <- function(features, work) {
    features > 1 / own_share || features * work > 4e9
}

# Their numbers; none where the space does not come from the features. A feature
# that varies alone is all that tells which samples are near. `searches`: of
# samples near to one.
own_features <- function(input, searches = length(input$pairs$ends)) {
    data <- input$data
    scaling <- input$scaling
    space <- data$settings$space
    if (is.character(space) || !is.null(dim(space)) ||
        identical(input$where$distance, "correlation") ||
        sum(scaling$divisor != 0) < 2L ||
        has_many(data$p, searches * data$n *
                     if (all(shares_search(input))) 3 else input$where$data$p))
        return(NULL)
    # the mean difference of two samples
    mean <- vapply(seq_len(data$p), function(j) {
        u <- sort(read_scaled(data, scaling, j))
        n <- length(u)
        sum <- if (scaling$category[j])
            (scaling$step[j] %||% 1) * (n^2 - sum(table(u)^2)) else
            2 * sum((2 * seq_len(n) - n - 1) * u)
        sum / max(n * (n - 1), 1)
    }, 0)
    which(mean > own_share * sum(mean))
}

# Are the neighbours without each of these features found by one walk over all
# distances?
shares_search <- function(input) {
    where <- input$where
    identical(where$metric, 0L) & identical(where$rounding, 0) &
        where$data$layout != "reader" & !input$scaling$category &
        input$data$missing == 0L
}

# What `use(input, near)` returns for each feature with a say: `near` from
# nearest() in the space without it, `input` for the margins of it alone. So
# many features share a walk as take 64 MB.
each_own <- function(input, ends, k, rule, control, use) {
    own <- as.integer(input$own)
    together <- shares_search(input)[own]
    at_once <- max(1, floor(2^24 / (k * length(ends))))
    groups <- c(split(own[together],
                      (seq_len(sum(together)) - 1) %/% at_once),
                as.list(own[!together]))
    results <- lapply(groups, function(some) {
        near <- nearest(space_without(input, some), ends, k, rule, control)
        columns <- matrix(seq_len(ncol(near$row)), ncol = length(some))
        lapply(seq_along(some), function(i) {
            near$row <- near$row[, columns[, i], drop = FALSE]
            input$scaling$divisor[-some[i]] <- 0
            use(input, near)
        })
    })
    unlist(results, FALSE, use.names = FALSE)[match(own, unlist(groups))]
}

# The space without a feature, or without each of several. Distances are rounded
# to 1e-9 of that of two samples at the ends of all ranges: else the order of
# sums would decide between equal ones.
space_without <- function(input, own) {
    where <- input$where
    if (where$rounding > 0) {
        one <- some_features(input, own)
        one$data <- without_missing(one$data, one$scaling)
        where$data <- without_term(where$data, euclidean_cells(one))
        return(where)
    }
    scaling <- where$scaling
    width <- ifelse(scaling$category, scaling$step %||% 1,
                    (where$data$maximum - where$data$minimum) / scaling$divisor)
    width <- width[scaling$divisor != 0]
    where$rounding <- 1e-9 *
        if (where$metric == 0L) sum(width) else sqrt(sum(width^2))
    if (length(own) > 1L)
        where$without <- read_scaled(input$data, scaling, own) else
            where$scaling$divisor[own] <- 0
    where
}

# Coordinates without the term of a feature whose columns are `cells`:
# z_i - a_i V with V_k = sum of a_i z_ik / sum of z_ik^2.
without_term <- function(data, cells) {
    z <- data$values
    size <- pmax(colSums(z^2), 1e-300)
    for (column in seq_len(ncol(cells))) {
        a <- cells[, column] - mean(cells[, column])
        data$values <- data$values - outer(a, colSums(a * z) / size)
    }
    extremes <- apply(data$values, 2L, range)
    data[c("minimum", "maximum")] <- list(extremes[1L, ], extremes[2L, ])
    data
}

# list(data, scaling) of some features, all cells in memory.
some_features <- function(input, places) {
    data <- input$data
    scaling <- input$scaling
    data[c("values", "layout", "p")] <- list(
        read_features(data, places), "columns", as.numeric(length(places)))
    per_feature <- c("features", "kind", "minimum", "maximum", "missing")
    data[per_feature] <- lapply(data[per_feature], `[`, places)
    columns <- c("center", "divisor", "category", "missing", "step")
    scaling[columns] <- lapply(scaling[columns], `[`, places)
    scaling["expected"] <- list(NULL)
    list(data = data, scaling = scaling)
}

# ==== labels ==================================================================

# Margins of constraints from all labels: every pair of labelled samples of
# different classes counts, but they are summed together (margin_labels.h).

most_hits <- 4e6

# What C_constrained_margins returns, and `magnitude`, the size of the terms
# that the sum of squares is made of. Categories and features with missing
# values go through the pairs.
label_margins <- function(data, scaling, pairs, lists, control) {
    by_class <- order(pairs$label)
    sizes <- tabulate(pairs$label)
    sums <- .Call(C_label_margins, data, scaling, sizes[sizes > 0L], list(
        ends = lists$ends[by_class], row = lists$row[, by_class, drop = FALSE],
        others = lists$others, k = lists$k
    ), control)
    sums$deviation <- sums$margin
    sums$magnitude <- sums$magnitude + sums$margin^2 / pairs$count
    sums$pairs <- pairs$count
    plain <- !scaling$category & scaling$missing == 0L
    if (any(!plain & scaling$divisor != 0)) {
        scaling$divisor[plain] <- 0
        others <- .Call(C_constrained_margins, data, scaling, pairs, lists,
                        TRUE, control)
        for (name in c("margin", "deviation", "square", "size"))
            sums[[name]][!plain] <- others[[name]][!plain]
    }
    sums
}

# ==== blocks ==================================================================

# Margins of labels in several blocks: the pairs of each block are summed as
# labels of their own.

# What listed_margins() returns, over all blocks: means and sums of squares
# about them are joined as those of groups.
block_margins <- function(data, scaling, pairs, lists, both, control) {
    parts <- lapply(split(seq_along(pairs$ends), pairs$block), function(ends) {
        label <- pairs$label[ends]
        part <- list(ends = pairs$ends[ends],
                     count = count_label_pairs(label, FALSE), first = NULL,
                     second = NULL, label = label, weight = NULL)
        lists$ends <- lists$ends[ends]
        lists$row <- lists$row[, ends, drop = FALSE]
        if (part$count > 0)
            listed_margins(data, scaling, part, lists, both, control)
    })
    parts <- Filter(Negate(is.null), parts)
    add <- function(value) Reduce(`+`, lapply(parts, value))
    margin <- add(function(part) part$margin)
    count <- add(function(part) part$pairs)
    square <- add(function(part) {
        away <- part$margin / part$pairs - margin / count
        part$square - part$deviation^2 / part$pairs + part$pairs * away^2
    })
    magnitude <- add(function(part) part$magnitude %||% part$square)
    list(margin = margin, deviation = 0 * margin, square = square,
         size = do.call(pmax, lapply(parts, `[[`, "size")), pairs = count,
         magnitude = magnitude)
}
