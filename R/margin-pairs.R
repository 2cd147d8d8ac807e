# What every cannot-link adds to the margin of a feature.

#' Find the pairs that a feature's margin rests on
#'
#' The margin of a feature in [relieff_sc()] is a sum over the cannot-links.
#' `pair_margins()` returns the terms: which pairs speak for a feature, which
#' against it.
#'
#' @param features Names, column numbers, or a
#'   [`feature_ranking`][feature_ranking()], of which the ten best are taken.
#' @inheritParams relieff_sc
#'
#' @return A matrix of class `pair_margins` with a row for each cannot-link and
#'   a column for each feature. Above 0: the two samples of the pair are farther
#'   apart in this feature than near samples are. `print()` counts the pairs for
#'   and against each feature; `as.data.frame()` gives a row per pair and
#'   feature, with samples, names and values.
#'
#' @details Added in the order of the rows, the margins of the pairs are the
#'   column `margin` of [relieff_sc()] with the same arguments (`k = 1`: of
#'   [relief_sc()]); pairs that differ in `confidence` are weighted.
#'
#' *Cost.* The neighbours, as for [relieff_sc()]. Memory: 8 bytes for each pair
#' and feature.
#'
#' @section Errors: as for [relieff_sc()]; `linkrank_error_argument` for other
#'   features; `linkrank_error_memory` for too many pairs.
#'
#' @seealso [relieff_sc()], [group_markers()]
#' @examples
#' x <- log2(colon$x)
#' set.seed(1)
#' links <- constraints_from_labels(colon$tissue, cannot_link = 10,
#'                                  must_link = 0)
#' genes <- relieff_sc(x, links)
#' pairs <- pair_margins(x, links, top_features(genes, 3))
#' pairs
#' plot(pairs)
#' @export
pair_margins <- function(x, constraints, features, ..., k = 3,
                         direction = c("both", "first"),
                         must_link = c("use", "ignore"),
                         own_term = c("leave_out", "keep")) {
    options <- checked(k, direction, must_link, own_term)
    input <- constrained_data(x, constraints, ..., uses = neighbour_arguments)
    control <- input$data$control
    places <- asked_features(features, input$data$features, x)
    input <- scale_for_margins(input, options$own_term)
    pairs <- listed_pairs(input$pairs, length(places))
    links <- if (options$must_link == "use") constraint_links(input$constraints)
    # list(lists, part, margins, hits) of features with the same neighbours
    run <- function(input, ..., places = which(input$scaling$divisor != 0)) {
        lists <- find_hits(input, pairs$ends, options$k, links, control, ...)
        part <- some_features(c(lists["data"], input["scaling"]), places)
        # Pairs x features, each row from the lists of its two ends.
        rows <- lapply(seq_along(pairs$first), function(t) {
            ends <- c(pairs$first[t], pairs$second[t])
            own <- lists[c("ends", "row", "k", "others")]
            own[1:2] <- list(own$ends[ends], own$row[, ends, drop = FALSE])
            pair <- list(first = 1L, second = 2L, label = NULL, count = 1,
                         weight = pairs$weight[t])
            .Call(C_constrained_margins, part$data, part$scaling, pair, own,
                  options$direction == "both", no_progress(control))$margin
        })
        # must-linked samples are hits before all others
        first_others <- seq_len(lists$others)
        list(lists = lists, part = part,
             margins = matrix(unlist(rows), length(rows), byrow = TRUE),
             hits = lapply(seq_along(pairs$ends), function(e) {
                 near <- c(lists$row[-first_others, e],
                           lists$row[first_others, e])
                 unname(part$data$values[utils::head(near[near > 0L], lists$k),
                                         , drop = FALSE])
             }))
    }
    result <- run(input, places = places)
    input$own <- intersect(places, input$own)
    alone <- each_own(input, pairs$ends, options$k, neighbour_rule(links),
                      control, run)
    for (i in seq_along(alone)) {
        f <- input$own[i]
        result$margins[, places == f] <- alone[[i]]$margins
        result$hits <- Map(function(hits, own) {
            hits[, places == f] <- own
            hits
        }, result$hits, alone[[i]]$hits)
    }
    new_pair_margins(result, pairs, input$data)
}

asked_features <- function(features, names, x) {
    check_given(features, "the names or numbers of some features")
    refuse_former_ranking(features, "features")
    if (inherits(features, "feature_ranking")) {
        names_as_ranked(x, attr(features, "info")$names)
        features <- top_features(features, 10L)
    }
    places <- if (is_worded(features) && length(features)) {
        match(as_names(features), names)
    } else if (whole_within(features, 1, length(names))) {
        features
    } else {
        abort_value(features, "`features` must be names of features of `x`, ",
                    "numbers from 1 to ", length(names), ", or a ranking")
    }
    refuse_if(anyNA(places), "`features` must be features of
              `x`, but it has no {quote_values(features[is.na(places)])}.")
    as.integer(places)
}

# The cannot-links as a list, those from labels too.
listed_pairs <- function(pairs, features) {
    check_bytes(8 * pairs$count * (features + 4), "The margins of all pairs")
    if (is.null(pairs$label)) return(pairs)
    both <- label_pairs(pairs$label, FALSE)
    if (!is.null(pairs$block)) {
        both <- both[pairs$block[both[, 1L]] == pairs$block[both[, 2L]], ,
                     drop = FALSE]
    }
    pairs$first <- both[, 1L]
    pairs$second <- both[, 2L]
    pairs[c("label", "block")] <- list(NULL)
    pairs
}

new_pair_margins <- function(result, pairs, data) {
    first <- pairs$ends[pairs$first]
    second <- pairs$ends[pairs$second]
    names <- data$samples
    dimnames(result$margins) <- list(
        paste(show_samples(first, names), show_samples(second, names),
              sep = " - "),
        result$part$data$features
    )
    values <- function(ends) {
        unname(result$part$data$values[result$lists$ends[ends], , drop = FALSE])
    }
    structure(result$margins, pairs = data.frame(i = first, j = second),
              samples = names, n = data$n,
              ends = list(first = values(pairs$first),
                          second = values(pairs$second)),
              hits = list(first = result$hits[pairs$first],
                          second = result$hits[pairs$second]),
              class = c("pair_margins", "matrix", "array"))
}

#' @export
print.pair_margins <- function(x, n = 10L, ...) {
    check_pair_margins(x)
    n <- check_count_or_all(n, "n")
    cat("<pair_margins> ", count_noun(nrow(x), "cannot-link"), ", ",
        count_noun(ncol(x), "feature"), "\n", sep = "")
    shown <- seq_len(min(n, ncol(x)))
    cat(format_table(pair_summary(x)[shown, , drop = FALSE]), sep = "\n")
    cat_rest(ncol(x) - length(shown), " more")
    invisible(x)
}

# A row per feature: pairs for and against it, and the share of the positive
# margins that comes from the largest.
pair_summary <- function(x) {
    margins <- unclass(x)
    positive <- pmax(margins, 0)
    largest <- apply(positive, 2L, max) / colSums(positive)
    best <- rownames(margins)[apply(margins, 2L, which.max)]
    count <- function(some) as.integer(colSums(some))
    data.frame(feature = colnames(margins), margin = colSums(margins),
               "for" = count(margins > 0), against = count(margins < 0),
               largest_share = ifelse(is.nan(largest), NA, largest),
               largest_pair = best, check.names = FALSE, row.names = NULL)
}

check_pair_margins <- function(x, name = "x") {
    sizes <- c(NROW(attr(x, "pairs")), NROW(attr(x, "ends")$first),
               length(attr(x, "hits")$first))
    whole <- is.matrix(x) && is.numeric(x) && all(sizes == nrow(x))
    check_undamaged(if (!whole) "it is not whole", name, "pair_margins()")
}

#' @export
as.data.frame.pair_margins <- function(x, row.names = NULL, optional = FALSE,
                                       ...) {
    check_pair_margins(x)
    pairs <- attr(x, "pairs")
    names <- attr(x, "samples")
    ends <- attr(x, "ends")
    rows <- rep(seq_len(nrow(x)), ncol(x))
    data.frame(i = pairs$i[rows], j = pairs$j[rows],
               name_i = show_samples(pairs$i[rows], names),
               name_j = show_samples(pairs$j[rows], names),
               feature = rep(colnames(x), each = nrow(x)),
               margin = as.vector(unclass(x)),
               value_i = as.vector(ends$first),
               value_j = as.vector(ends$second))
}
