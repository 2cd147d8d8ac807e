# glean(): structure, margins and propagated answers in one ranking.

#' Semi-supervised ranking from few pairs (glean)
#'
#' To glean is to collect what others have left: `glean()` uses the unlabelled
#' samples in addition to a few answered pairs, such as those of
#' [active_constraints()]. The relevance of a feature combines three parts: the
#' structure of the data (without any answer), the margin of the answered pairs,
#' and the margin of labels propagated from the answers over the graph of the
#' samples. Features are then selected one by one such that they are relevant
#' and not redundant with those before them. `glean_labels()` returns the
#' estimated group of each sample.
#'
#' @param x Data: see [relieff_sc()]. Features are numeric, logical or factors
#'   of two levels, which count as 0 and 1.
#' @param constraints Constraints: see [relieff_sc()]; also without a
#'   cannot-link, or empty.
#' @param top How many of the most relevant features to check for redundancy, a
#'   whole number from 1 or `Inf`; the others follow by relevance.
#' @param space Space in which neighbours are computed: the number of principal
#'   components; the name of a reducedDim of a SingleCellExperiment, such as
#'   `"PCA"`; a numeric matrix with a row per sample; or `NULL` for all
#'   features.
#' @param scale How features are made comparable: by their `"range"`, by
#'   standard deviation (`"zscore"`), or `"none"`, for features with the same
#'   unit, such as log expressions. `NULL`: `"none"` for Bioconductor
#'   containers, `"range"` for every other `x`.
#' @param na.action `"fail"`: missing values are an error; `"mean"`: they are
#'   replaced by the feature's mean.
#' @param ranking What `glean()` returned.
#' @inheritParams relieff_sc
#'
#' @return `glean()`: a [`feature_ranking`][feature_ranking], one row per
#'   feature, with columns
#' * `score`: the relevance times the part of the feature that is not explained
#'   by higher-ranked features, from 0 to 1; `NA` beyond `top` and for constant
#'   features;
#' * `relevance`: the three parts combined, from 0 (constant) to 1;
#' * `structure`, `margin`, `spread`: the parts, in units of the feature's
#'   scale; 0 if the answers do not define the part.
#'
#'   The rows are in selection order; features beyond `top` follow by relevance,
#'   constant features are last. `print()` says when the parts disagree.
#'
#'   `glean_labels()`: a data.frame with a row per sample, in the order of the
#'   data: `sample`, its name or number; `group`, the number of a group of
#'   must-linked samples, numbered by their lowest samples (`NA`: not connected
#'   to any sample in a pair); `confidence`, from 0 to 1, where samples in a
#'   pair have 1.
#'
#' @details
#' With u the scaled values and "nearest" by Euclidean distance in `space`:
#'
#' | part | of a feature |
#' | --- | --- |
#' | structure s | mean of \|u_i - u_j\| over all pairs, minus that over each sample and its 3 nearest |
#' | margin m | mean over the cannot-links (a, b), both orders, of the mean \|u_j - u_a\| over the 3 nearest of b minus that over the 3 nearest of a: that of [relieff_sc()] with must-links |
#' | spread t | as ReliefF, from propagated labels: confidence-weighted mean difference to the 3 nearest of each other label (weighted by its proportion), minus that to the 3 nearest of the same label |
#' | relevance r | exp of the mean over the parts of log max(part / largest, 1e-4); a part without a positive value is left out |
#'
#' *Propagated labels.* Must-linked samples are a group, and so is a sample in
#' cannot-links only. On the self-tuning graph of the 7 nearest neighbours, with
#' weight 1 within a group and 0 between cannot-linked groups, the label weights
#' are Q = (I - 0.9 P)^-1 Y, P = D^(-1/2) W D^(-1/2), Y the groups' members,
#' each with weight 1 / size. A sample gets the label of the largest proportion
#' in its row, and its confidence is the difference to the second largest.
#'
#' *Redundancy.* As in [diversify_ranking()]: each next feature maximises r (1 -
#' R), with R its largest squared correlation with a feature selected before.
#'
#' *When it helps.* `vignette("questions")` compares it on real data with other
#' rankings, without answers and with all labels, and includes the data sets
#' where it is worse. When the structure of the data disagrees with the answers,
#' `print()` says so. The structure then reflects another property of the
#' samples; try [relieff_sc()] or more questions. An unscaled expression matrix
#' that is not on the log scale is dominated by a few highly expressed genes:
#' take logs first.
#'
#' *Ties.* Distances are compared after rounding to 1e-9 of the largest one,
#' equal distances by row; equal relevances keep column order. Results have the
#' same bits for any number of threads and any kind of `x`, given the same
#' `scale`.
#'
#' *Cost*, with n samples, p features, q components and G groups: components
#' n^2 p, or some hundred passes over the data where both n and p exceed 500;
#' neighbours (2 + 1) n^2 q; structure n log n per feature; propagated labels 3
#' n G per feature; redundancy n `top`^2. A sparse `x` stays sparse. Memory: the
#' components' vectors (at most 640 of length min(n, p)), n `top` numbers, and
#' several times n G numbers; with `space = NULL` also one copy of the scaled
#' data.
#'
#' @section Errors: `linkrank_error_input` for `x`, also for a factor of more
#'   than two levels, which `relieff_sc()` takes; `linkrank_error_constraints`;
#'   `linkrank_error_argument` for arguments out of range, a `space` that `x`
#'   does not have or that is not a matrix of its samples.
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
#'   Carbonell, J. and Goldstein, J. (1998). The use of MMR. *SIGIR*, 335-336.
#'
#' @seealso [active_constraints()] for the questions, [plot.glean_ranking()]
#' @examples
#' # log-transform raw intensities, so that all genes have the same unit
#' x <- log2(colon$x)
#' links <- active_constraints(x, colon$tissue, n = 20)
#' genes <- glean(x, links, scale = "none")
#' genes
#' head(glean_labels(genes))
#' @order 1
#' @export
glean <- function(x, constraints, top = 1500, space = 20, scale = NULL,
                  na.action = c("fail", "mean"), assay.type = NULL,
                  threads = getOption("linkrank.threads", 1L),
                  progress = getOption("linkrank.progress", interactive()),
                  ...) {
    check_dots_empty(...)
    control <- run_control(threads, progress)
    top <- check_count_or_all(top, "top", 1)
    scale <- check_scale(scale)
    na.action <- check_choice(na.action, c("fail", "mean"), "na.action")
    check_constraints(constraints)
    input <- scaled_data(x, scale, na.action, assay.type, control)
    check_two_levels(input)
    constraints <- match_constraints(constraints, input$data)
    tell_slow_glean(input$data, top)
    space <- glean_space(space, input, control)
    parts <- glean_parts(input, space$points, constraints, control)
    table <- glean_table(parts, input)
    picked <- select_diverse(table, input, top, control)
    table$score[picked$features] <- picked$value
    ranking <- new_feature_ranking(
        table, input$data, "glean", "score",
        list(top = top, space = space$given, scale = input$scaling$scale,
             na.action = na.action),
        constraints, glean_note(space, parts),
        answers = c(list(groups = parts$groups, axes = space$axes),
                    parts$samples),
        sample_names = input$data$samples, class = "glean_ranking"
    )
    arrange_glean(ranking, picked$features)
}

# Components, neighbours in them and the similarity of the features on top.
tell_slow_glean <- function(data, top) {
    top <- min(top, data$p)
    stored <- if (holds_sparse(data)) length(data$values@x) else
        data$n * data$p
    tell_slow(400 * stored + 3 * data$n^2 + data$n * top^2,
              paste("components of", count_noun(data$n, "sample"), "in",
                    count_noun(data$p, "feature"), "and a choice among",
                    show_number(top)),
              paste("a smaller `top` compares fewer features, `space` may be",
                    "existing components, such as \"PCA\""))
}

# The space for neighbours; all features are one as well.
glean_space <- function(space, input, control) {
    found <- space_coordinates(space, input$data, input$scaling, control)
    if (is.null(found)) {
        cells <- euclidean_cells(input)
        attr(cells, "feature") <- NULL
        found <- list(points = cells, label = "all features")
    }
    found$axes <- plot_axes(found, input, control)
    found$given <- if (is.numeric(space) && !is.null(dim(space))) "matrix" else
        space
    found
}

# The first two dimensions, for plot(type = "samples").
plot_axes <- function(space, input, control) {
    points <- space$points
    if (space$label == "all features") {
        points <- component_scores(input$data, input$scaling, 2, control, 1e-3)
    }
    axes <- matrix(0, input$data$n, 2L)
    shown <- seq_len(min(2L, ncol(points)))
    axes[, shown] <- points[, shown]
    axes
}

# list(structure, margin, spread: per feature; samples: label and confidence;
# groups: their number).
glean_parts <- function(input, points, constraints, control) {
    where <- coordinate_space(points, control, rounded = TRUE)
    near <- graph_neighbours(where, control)
    links <- constraint_links(constraints, listed = TRUE)
    groups <- answered_groups(constraints, links)
    edges <- list(structure_edges(near))
    spread <- known_labels(groups)
    if (groups$count >= 2L) {
        spread <- spread_labels(near, groups, control)
        edges <- c(edges, list(spread_edges(where, spread, groups, control)))
    }
    sums <- .Call(C_difference_sums, input$data, input$scaling, edges, control)
    list(structure = clear_difference(sums[, 1L], sums[, 2L]),
         margin = margin_part(input, where, constraints, links, control),
         spread = if (ncol(sums) > 2L) sums[, 3L] else numeric(nrow(sums)),
         samples = spread, groups = groups$count)
}

# a - b, 0 if the difference is rounding error: with up to four samples all are
# neighbours, and there is no structure.
clear_difference <- function(a, b) {
    ifelse(abs(a - b) <= 1e-12 * a, 0, a - b)
}

# Relevance, the mean of the logs of the parts (methods: step 6).
glean_table <- function(parts, input) {
    values <- as.data.frame(parts[c("structure", "margin", "spread")])
    constant <- input$data$maximum == input$data$minimum
    most <- vapply(values, max, 0)
    logs <- Map(function(part, largest) {
        log(pmax(part / largest, 1e-4))
    }, values[most > 0], most[most > 0])
    relevance <- if (length(logs)) exp(Reduce(`+`, logs) / length(logs))
                 else rep(1, nrow(values))
    relevance[constant] <- 0
    data.frame(score = NA_real_, relevance = relevance, values)
}

# Selects relevant features one by one, each with little correlation to those
# before: list(features, value).
select_diverse <- function(table, input, top, control) {
    ranked <- order(-table$relevance)
    ranked <- ranked[table$relevance[ranked] > 0]
    ranked <- utils::head(ranked, min(top, length(ranked)))
    cells <- c(input, list(fill = numeric(input$data$p)))
    found <- diversify_features(cells, ranked, table$relevance[ranked],
                                control)
    list(features = ranked[found$place], value = found$value)
}

# The selected features in their order, then the others by relevance; constant
# features come last.
arrange_glean <- function(ranking, picked) {
    info <- attr(ranking, "info")
    table <- as.data.frame(ranking)
    first <- match(info$names[picked], table$feature)
    others <- setdiff(seq_len(nrow(table)), first)
    column <- match(table$feature, info$names)
    others <- others[order(-table$relevance[others], column[others])]
    reorder_ranking(table, c(first, others), info)
}

glean_note <- function(space, parts) {
    paste0(count_noun(parts$groups, "group"), ", neighbours in ", space$label)
}

check_two_levels <- function(input) {
    many <- which(input$scaling$category)
    if (length(many)) {
        abort_linkrank("`x` must have numeric or logical features or factors ",
                       "of two levels for glean(), but feature \"",
                       input$data$features[many[1L]], "\" has more levels: ",
                       "relieff_sc() takes them.", class = "input")
    }
}
