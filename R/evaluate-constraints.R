# Quality of a set of constraints: accuracy of extensions, coherence,
# informativeness.

#' Quality of a set of constraints
#'
#' Two measures of Davidson, Wagstaff and Basu (2006) of how useful a set of
#' constraints is likely to be, and the accuracy of the must-links that
#' [select_subset()] derives. Informativeness measures how much information the
#' constraints add to the data. Coherence measures how little must-links and
#' cannot-links conflict in the feature space.
#'
#' @param constraints Constraints, from [pairwise_constraints()] or
#'   [constraints_from_labels()].
#' @param x Data of the same samples: see [prepare_data()].
#' @param measure `"coherence"`, `"informativeness"` or `"must_link"`.
#' @param truth Of `"must_link"`: the true class of each sample, without `NA`.
#' @param y Of `"must_link"`: see [select_subset()].
#' @param clusters Of `"informativeness"`: number of clusters of the clustering
#'   without constraints; or give `cluster`.
#' @param cluster Of `"informativeness"`: the cluster of each sample from any
#'   clustering made without the constraints.
#' @param starts Of `"informativeness"`: random starts of the clustering.
#' @param ... Arguments of [prepare_data()], by name: `scale`, `na.action`,
#'   `by`, `assay.type`, `threads`, `progress`.
#'
#' @return
#' * `"coherence"`: the proportion of all combinations of a must-link and a
#'   cannot-link that do not overlap, from 0 to 1; `NaN` when one kind is
#'   missing.
#' * `"informativeness"`: the proportion of the constraints that a clustering
#'   without constraints violates, from 0 to 1.
#' * `"must_link"`: a named vector: `NML`, extended must-links divided by
#'   original ones (41); `CNML`, the proportion of the added must-links within
#'   one true class (42), `NaN` when none is added; `original` and `extended`,
#'   the numbers of must-linked pairs of samples (original ones: the closure).
#'
#' @details
#' *Coherence*: a pair of samples is the line segment between them in the scaled
#' feature space. Pair b is projected on the line through pair a; the overlap of
#' b with a is the length of the part of segment a that the projection covers. A
#' must-link and a cannot-link are coherent when neither overlaps the other, for
#' instance when they are orthogonal or far from each other. A pair of equal
#' samples has no direction and overlaps nothing. Constraints from all labels
#' are expanded to a list of pairs. Cost: the inner products of the samples in
#' pairs, and must-links times cannot-links: 1e10 of these, three quarters of an
#' hour, are the most.
#'
#' *Informativeness*: (1 / |C|) times the number of constraints that the
#' partition P, computed without them, violates. By default P is k-means
#' ([pck_means()] without constraints, the best of `starts`).
#'
#' *Must-links*: the score eps^SS of [select_subset()] assigns each sample to
#' the class of its nearest prototype, which adds must-links. When few of them
#' are correct, the supervised score is the better choice. Pairs of a sample
#' with itself are not counted. All numbers are computed from class sizes.
#'
#' @section Errors: Those of [relieff_sc()]; `linkrank_error_argument` for an
#'   argument of another measure.
#'
#' @references Davidson, I., Wagstaff, K. L. and Basu, S. (2006). Measuring
#'   constraint-set utility for partitional clustering algorithms. *Knowledge
#'   Discovery in Databases: PKDD 2006*, 115-126. \doi{10.1007/11871637_15}
#'
#'   Salmi, A., Hammouche, K. and Macaire, L. (2020). Similarity-based
#'   constraint score for feature selection. *Knowledge-Based Systems*, 209,
#'   106429. \doi{10.1016/j.knosys.2020.106429}
#'
#' @examples
#' set.seed(1)
#' x <- iris[1:4]
#' links <- constraints_from_labels(iris$Species,
#'     cannot_link = 10, must_link = 10)
#' constraint_quality(links, x)
#' constraint_quality(links, x, measure = "informativeness", clusters = 3)
#' constraint_quality(links, x, measure = "must_link", truth = iris$Species)
#' @export
constraint_quality <- function(
    constraints, x, ..., measure = c("coherence", "informativeness",
                                     "must_link"),
    truth = NULL, y = NULL, clusters = NULL, cluster = NULL, starts = 10) {
    measure <- check_choice(measure, c("coherence", "informativeness",
                                       "must_link"), "measure")
    refuse_unused("measure", measure, list(
        informativeness = c("clusters", "cluster", "starts"),
        must_link = c("truth", "y")
    ))
    check_constraints(constraints)
    if (measure == "informativeness") {
        return(informativeness_of(constraints, x, ..., clusters = clusters,
                                  cluster = cluster, starts = starts))
    }
    data <- prepared(x, ..., uses = score_arguments)
    input <- scaled_data(data)
    constraints <- match_constraints(constraints, data)
    if (measure == "coherence") coherence_of(constraints, input) else
        derived_quality(constraints, input, truth, y)
}

derived_quality <- function(constraints, input, truth, y) {
    refuse_if(is.null(truth), "`truth` must be given for measure = ",
              "\"must_link\": the class of each sample.")
    truth <- check_true_classes(truth, input$data)
    prototypes <- prototypes_of(constraints, y)
    found <- nearest_class(input, prototypes, input$data$control)
    extended <- count_alike(found)
    original <- count_alike(prototypes$class)
    right <- count_alike(found, truth) -
        count_alike(prototypes$class, truth[prototypes$rows])
    c(NML = extended / original, CNML = right / (extended - original),
      original = original, extended = extended)
}

# `axis`: data, or the result of sample_axis().
check_true_classes <- function(truth, axis, name = "truth") {
    classes <- check_classes(truth, name, axis$n, "x", axis$samples)
    check_all_known(classes, name)
}

check_all_known <- function(values, name) {
    refuse_if(anyNA(values), "`", name, "` must be known for all samples, but ",
              "that of sample ", which(is.na(values))[1L], " is NA.")
    values
}

coherence_of <- function(constraints, input) {
    check_combinations(constraints)
    listed <- write_out(constraints)
    rows <- sort(unique(c(listed$first, listed$second)))
    check_bytes(8 * as.numeric(length(rows))^2,
                "The inner products of the samples in pairs")
    products <- tcrossprod(euclidean_cells(input)[rows, , drop = FALSE])
    pairs <- list(first = match(listed$first, rows),
                  second = match(listed$second, rows))
    kinds <- list(lapply(pairs, `[`, listed$must_link),
                  lapply(pairs, `[`, !listed$must_link))
    count <- lengths(lapply(kinds, `[[`, "first"))
    # each pair of the rarer kind with all of the other
    many <- kinds[[which.max(count)]]
    few <- kinds[[3L - which.max(count)]]
    coherent <- vapply(seq_along(few$first), function(t) {
        one <- list(first = few$first[t], second = few$second[t])
        sum(overlap(products, one, many) == 0 &
                overlap(products, many, one) == 0)
    }, 0L)
    sum(as.numeric(coherent)) / prod(count)
}

# Every must-link is compared with every cannot-link.
most_combinations <- 1e10

check_combinations <- function(constraints) {
    count <- as.numeric(count_pairs(constraints))
    refuse_if(prod(count) > most_combinations, "`constraints` must have at ",
              "most 1e10 combinations of a must-link and a cannot-link, not ",
              show_number(prod(count)), ": constraints_from_labels(y, 1000, ",
              "1000) draws some pairs of labels.", class = "constraints")
}

# Fraction of each pair `on` that the projection of pair `of` covers; one of
# them may be a single pair.
overlap <- function(products, of, on) {
    at <- function(a, b) products[(b - 1) * nrow(products) + a]
    square <- at(on$first, on$first) - 2 * at(on$first, on$second) +
        at(on$second, on$second)
    place <- function(point) {
        along <- at(point, on$second) - at(point, on$first) -
            at(on$first, on$second) + at(on$first, on$first)
        along / square
    }
    s <- place(of$first)
    t <- place(of$second)
    covered <- pmin(1, pmax(s, t)) - pmax(0, pmin(s, t))
    # rounding of the products can leave small values for orthogonal pairs
    covered[!is.finite(covered) | covered < 1e-9] <- 0
    covered
}

informativeness_of <- function(constraints, x, ..., clusters, cluster,
                               starts) {
    refuse_if(is.null(clusters) == is.null(cluster), "Give either `clusters`, ",
              "their number, or `cluster`, the cluster of each sample.")
    axis <- sample_axis(x)
    constraints <- match_constraints_once(constraints, axis)
    if (is.null(cluster)) {
        none <- pairwise_constraints(samples = constraints$samples)
        cluster <- pck_means(x, none, ..., clusters = clusters,
                             starts = starts)$cluster
    }
    cluster <- as.integer(check_true_classes(cluster, axis, "cluster"))
    sum(count_broken(constraints, cluster)) / sum(count_pairs(constraints))
}
