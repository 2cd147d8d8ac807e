# Subset scores with sequential forward selection: eps^S and eps^SS.

#' Forward selection of a feature subset by constraints
#'
#' Adds one feature at a time: the one for which must-linked samples become most
#' similar and cannot-linked samples most dissimilar. This detects redundant
#' features. The minimum of the score suggests how many to keep.
#'
#' @param x Data: see [prepare_data()].
#' @param constraints Constraints: see [pairwise_constraints()]; may be left out
#'   when `y` is given.
#' @param y Class of each sample, `NA` for unlabelled ones: the prototypes of
#'   `"semisupervised"`. `NULL`: the must-link groups of `constraints` are the
#'   classes of prototypes.
#' @param context `"supervised"`: the score eps^S of the constrained pairs.
#'   `"semisupervised"`: the score eps^SS of all pairs of samples, each assigned
#'   to the class of its nearest prototype.
#' @param sigma Width of the similarity, a positive number; `"auto"` chooses it
#'   from the data.
#' @param n Largest number of features to select.
#' @param stop `"none"`: continue to `n`. `"minimum"`: stop as soon as the score
#'   has not fallen below its minimum for `patience` steps.
#' @param patience See `stop`.
#' @param ... Arguments of [prepare_data()], by name: `scale`, `na.action`,
#'   `by`, `assay.type`, `threads`, `progress`.
#'
#' @return A [`feature_ranking`][feature_ranking] in order of entry, with
#'   columns
#' * `score`: that of the subset up to this feature, divided by the number of
#'   ordered constraints (eps^S) or pairs, n^2 (eps^SS); lower is better;
#' * `entry`: the step at which the feature entered.
#'
#' Both are `NA` for features that did not enter, which follow in column order.
#' `plot()` shows the curve. `top_features(ranking, "best")` gives the features
#' up to the (first) minimum.
#'
#' @details The similarity of two samples in a set F of features is (34)
#' \deqn{w_{nm}(F) = \exp\left(-\sum_{i \in F} (u_{ni} - u_{mi})^2 / (2 \sigma^2)\right)}{w(F) = exp(-sum over i in F of (u_ni - u_mi)^2 / (2 sigma^2))}
#' with u the scaled values. With the constraints M and C as given, without
#' their closure (36),
#' \deqn{\varepsilon^S(F) = \sum_{(n, m) \in M} (w_{nm} - 1)^2 + \sum_{(n, m) \in C} w_{nm}^2,}{eps^S(F) = sum over M of (w - 1)^2 + sum over C of w^2,}
#' and (37-39)
#' \deqn{\varepsilon^{SS}(F) = \sum_{n, m} (w_{nm} - t_{nm})^2,}{eps^SS(F) = sum over all n, m of (w_nm - t_nm)^2,}
#' where t is 1 if the nearest prototypes of n and m (Euclidean, all features; a
#' prototype's nearest one is itself) belong to one class, else 0.
#'
#' *How many features.* Every feature reduces similarities, first mostly those
#' between classes, later also those within. A larger `sigma` selects more
#' features. `sigma = "auto"` takes from 31 values between 0.1 and 100 the one
#' with the smallest score of all features and selects, then the one with the
#' smallest score of this subset, and selects again.
#'
#' *Ties.* Equal scores: the lower column enters. Factors of more than two
#' levels differ by 0 or 1. A constant feature changes nothing.
#'
#' *Cost.* Per step, pairs times features products. Memory: 36 bytes per pair
#' and 16 per cell of the samples in pairs; eps^SS has n (n - 1) / 2 pairs.
#'
#' @section The published form: eps^S and eps^SS of Salmi et al. (2020), with
#'   the constraints among p prototypes of each class:
#'
#' ```
#' select_subset(x, constraints, sigma = 1, scale = "range")
#' select_subset(x, y = y, context = "semisupervised", sigma = 1,
#'               scale = "range")
#' ```
#'
#' The defaults are the same.
#'
#' @section Errors: `linkrank_error_constraints`: no pair for eps^S; no
#'   must-link or no cannot-link for `"auto"`; no prototypes of two classes for
#'   eps^SS. `linkrank_error_memory` for too many pairs. Also those of
#'   [relieff_sc()].
#'
#' @references Salmi, A., Hammouche, K. and Macaire, L. (2020). *Knowledge-Based
#'   Systems*, 209, 106429. \doi{10.1016/j.knosys.2020.106429}
#'
#' @seealso [constraint_quality()] for the accuracy of the derived pairs of
#'   eps^SS.
#' @examples
#' x <- log2(colon$x)
#' set.seed(1)
#' links <- constraints_from_labels(colon$tissue, cannot_link = 10,
#'                                  must_link = 10)
#' genes <- select_subset(x, links, n = 15)
#' genes
#' top_features(genes, n = "best")
#' @export
select_subset <- function(
    x, constraints = NULL, y = NULL, ...,
    context = c("supervised", "semisupervised"), sigma = 1, n = Inf,
    stop = c("none", "minimum"), patience = 5) {
    if (names_column(y, x)) return(rank_by_formula())
    if (!identical(sigma, "auto")) sigma <- check_positive(sigma, "sigma")
    options <- c(checked(context), list(
        sigma = sigma, n = check_count_or_all(n, "n", 1)
    ), checked(stop, patience))
    y <- named_response(y, x)
    data <- prepared(x, ..., uses = score_arguments)
    constraints <- subset_constraints(constraints, y, options$context)
    input <- scaled_data(data, "range")
    options <- c(options, input$settings)
    constraints <- match_constraints(constraints, input$data)
    if (!is.null(y))
        warn_outcome_ranked(match_response(y, input$data), input$data)
    pairs <- subset_pairs(input, constraints, y, options)
    if (identical(options$sigma, "auto"))
        options$sigma <- choose_sigma(input, pairs, options)
    chosen <- run_selection(input, pairs, options$sigma, options)
    score <- entry <- rep(NA_real_, input$data$p)
    score[chosen$order] <- subset_curve(chosen$error, pairs, options$context)
    entry[chosen$order] <- seq_along(chosen$order)
    name <- if (options$context == "supervised") "eps^S" else "eps^SS"
    best <- which.min(chosen$error)
    note <- c(name, paste("sigma =", format(options$sigma, digits = 3L)),
              paste("least with the first", best, "of", length(chosen$order)))
    new_feature_ranking(data.frame(score = score, entry = as.integer(entry)),
                        input$data, "select_subset", "entry", options,
                        constraints, note, class = "subset_ranking")
}

#' @export
top_features.subset_ranking <- function(ranking, n = 10L, ...) {
    if (!identical(n, "best")) return(NextMethod())
    check_dots_empty(...)
    entered <- entered_features(ranking, "ranking")
    entered$feature[seq_len(which.min(entered$score))]
}

# The rows of the features that entered, in this order, also of a diversified
# ranking. Their scores are a curve, so that all of them are needed.
entered_features <- function(ranking, name) {
    refuse_class_if(!inherits(check_ranking(ranking, name), "subset_ranking"),
                    ranking, "`", name, "` must come from select_subset()")
    all <- attr(ranking, "info")$features
    refuse_if(nrow(ranking) != all, "`{name}` must contain all {all} features
              that select_subset() ranked, not {nrow(ranking)}.")
    as.data.frame(ranking)[order(ranking$entry, na.last = NA), ]
}

# Labels alone define constraints too.
subset_constraints <- function(constraints, y, context) {
    if (is.null(constraints)) {
        refuse_if(is.null(y),
                  "`constraints` must be given, or class labels as `y`.")
        return(constraints_from_labels(unname(as_class_labels(y, "y"))))
    }
    check_constraints(constraints)
    refuse_if(!is.null(y) && context == "supervised", "`y` must be left out
              beside `constraints`: context = \"supervised\" does not use it.")
    constraints
}

# ---- the pairs of a score ---------------------------------------------------

# list(rows, first, second, must_link), numbered by place in `rows`, in the
# order in which the score adds them: by the later sample, must-links first.
subset_pairs <- function(input, constraints, y, options) {
    pairs <- if (options$context == "semisupervised") {
        list(rows = seq_len(input$data$n),
             label = nearest_class(input, prototypes_of(constraints, y)))
    } else {
        constrained_pairs(constraints)
    }
    refuse_if(identical(options$sigma, "auto") && options$context ==
                  "supervised" && any(count_pairs(constraints) == 0), "`sigma`
              = \"auto\" needs must-links and cannot-links, but `constraints`
              lacks a kind.", class = "constraints")
    check_bytes(48 * count_subset_pairs(pairs) +
                    24 * length(pairs$rows) * input$data$p,
                "The pairs of samples")
    if (is.null(pairs$label)) return(pairs)
    before <- seq_along(pairs$rows) - 1L
    first <- sequence(before)
    second <- rep(before + 1L, before)
    sorted_pairs(pairs$rows, first, second,
                 pairs$label[first] == pairs$label[second])
}

sorted_pairs <- function(rows, first, second, must_link) {
    place <- order(second, !must_link, first)
    list(rows = rows, first = first[place], second = second[place],
         must_link = must_link[place])
}

count_subset_pairs <- function(pairs) {
    rows <- as.numeric(length(pairs$rows))
    if (is.null(pairs$label)) length(pairs$first) else rows * (rows - 1) / 2
}

refuse_no_pairs <- function(constraints) {
    refuse_if(sum(count_pairs(constraints)) == 0, "`constraints` must contain
              at least one pair, but it has none.", class = "constraints")
}

constrained_pairs <- function(constraints) {
    refuse_no_pairs(constraints)
    if (is_from_labels(constraints)) {
        rows <- which(!is.na(constraints$class_of))
        return(list(rows = rows, label = constraints$class_of[rows]))
    }
    constraints <- write_out(constraints)
    rows <- sort(unique(c(constraints$first, constraints$second)))
    a <- match(constraints$first, rows)
    b <- match(constraints$second, rows)
    sorted_pairs(rows, pmin(a, b), pmax(a, b), constraints$must_link)
}

# list(rows, class): labelled samples, or the members of must-link groups.
prototypes_of <- function(constraints, y) {
    classes <- if (is.null(y)) {
        must_linked_groups(constraints)
    } else {
        match_length(y, constraints$samples, "y")
        y <- match_places(y, constraints$names, "y", "constraints")
        as.integer(as_class_labels(y, "y"))
    }
    rows <- which(!is.na(classes))
    source <- if (is.null(y)) "`constraints`" else "`y`"
    count <- length(unique(classes[rows]))
    refuse_if(count < 2L, source, " must give prototypes of two or more
              classes", if (is.null(y)) " (must-link groups)", ", but it gives
              {c(\"none\", \"one\")[count + 1L]}.", class = "constraints")
    list(rows = rows, class = unname(classes[rows]))
}

# Class of the nearest prototype of each sample; equal distances: the lower row.
nearest_class <- function(input, prototypes) {
    n <- input$data$n
    where <- feature_space(input$data, input$scaling)
    least <- rep(Inf, n)
    classes <- integer(n)
    # a chunk of the prototypes at a time, at most 16 MB of distances
    chunk <- max(1, floor(2^21 / n))
    for (part in split(seq_along(prototypes$rows),
                       (seq_along(prototypes$rows) - 1) %/% chunk)) {
        distances <- sample_distances(where, prototypes$rows[part],
                                      no_progress(input$data$control))
        for (at in seq_along(part)) {
            nearer <- distances[, at] < least
            least[nearer] <- distances[nearer, at]
            classes[nearer] <- prototypes$class[part[at]]
        }
    }
    classes[prototypes$rows] <- prototypes$class
    classes
}

# ---- selection --------------------------------------------------------------

run_selection <- function(input, pairs, sigma, options) {
    .Call(C_select_subset, input$data, input$scaling, pairs, list(
        sigma = sigma, steps = min(options$n, input$data$p),
        patience = if (options$stop == "minimum") options$patience else 0
    ), input$data$control)
}

sigma_grid <- 10^seq(-1, 2, by = 0.1)

# The sigma with the smallest score of all features, then of the selected ones.
choose_sigma <- function(input, pairs, options) {
    best_for <- function(features) {
        errors <- .Call(C_subset_errors, input$data, input$scaling, pairs,
                        features, sigma_grid, input$data$control)
        sigma_grid[which.min(errors)]
    }
    sigma <- best_for(seq_len(input$data$p))
    chosen <- run_selection(input, pairs, sigma, options)
    best_for(sort(chosen$order[seq_len(which.min(chosen$error))]))
}

# Sums over unordered pairs, as the publication divides ordered ones.
subset_curve <- function(error, pairs, context) {
    if (context == "supervised") {
        error / count_subset_pairs(pairs)
    } else {
        2 * error / length(pairs$rows)^2
    }
}
