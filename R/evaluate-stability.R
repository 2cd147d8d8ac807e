# Stability of the selected features over subsets of the samples.

#' Stability of a ranking method
#'
#' Ranks repeatedly on random subsets of the samples and measures how well the
#' first n features agree. Use it to decide how many features to trust. Subsets
#' of one data set share samples and pairs, so their agreement is not that with
#' new data, and is above 0 where there is nothing to be found: compare it with
#' `chance`, or use `halves`.
#'
#' @param x Data: see [prepare_data()]; for `print()` and `plot()` the result.
#' @param constraints,y Constraints, or a class or number per sample: what the
#'   method needs.
#' @param method Name of a method, or a function: see [rank_features()].
#' @param n Numbers of features at which rankings are compared; by default about
#'   twenty.
#' @param replicates Number of random subsets.
#' @param fraction Fraction of the samples in a subset, drawn without
#'   replacement.
#' @param halves Divide the samples into two halves `replicates` times, which
#'   share no sample and no pair? Without `fraction`.
#' @param BPPARAM Run in parallel on [workers].
#' @param ... Arguments of the method and of [prepare_data()], by name; with
#'   `unit` subsets are of whole units.
#' @return An object of class `ranking_stability`, a data.frame with a row per
#'   number of features: `features`; `overlap`, the mean over all pairs of
#'   subsets of the proportion of features that both rank among their first n;
#'   `corrected`, Kuncheva's index (1 for equal sets, 0 for random ones);
#'   `chance`, that of rankings by relabelled pairs; `correlation`, the mean
#'   rank correlation (Spearman) of the features that either ranks among its
#'   first n, `NA` below three. Attributes: `frequency`, for each n, how often
#'   each feature is among the first n; `chance`, the mean corrected overlap of
#'   each permutation.
#'
#' @details Constraints of a subset are the pairs with both samples in it; one
#'   without a pair of a kind that `constraints` has is drawn again. The rank
#'   correlation is negative if most features are among the first n of one
#'   subset only. With overlap o at n of p features the corrected overlap is
#'   (o - n/p) / (1 - n/p). Cost: twice `replicates` runs of the method, with
#'   `halves` four times.
#'
#' *`chance`*: the samples of the pairs, or the values of `y`, are permuted as
#' for [p_values] (with `unit`, those of units of as many samples), two subsets
#' or halves are ranked by them, and their overlap is averaged over
#' `replicates` / 2 permutations (with `halves`, `replicates`). Where nothing is
#' to be found half of them are exceeded: an effect exceeds nearly all.
#'
#' @section Errors: `linkrank_error_constraints` when a hundred subsets in a row
#'   lack a kind of pair; those of the method.
#'
#' @references Shah, R. D. and Samworth, R. J. (2013). *Journal of the Royal
#'   Statistical Society B*, 75, 55-80. \doi{10.1111/j.1467-9868.2011.01034.x}
#'
#' Kuncheva, L. I. (2007). *Proceedings of the 25th IASTED International
#' Multi-Conference*, 390-395.
#'
#' @examples
#' x <- log2(colon$x)
#' set.seed(1)
#' links <- constraints_from_labels(colon$tissue,
#'     cannot_link = 20, must_link = 20)
#' found <- ranking_stability(x[, 1:200], links, replicates = 5)
#' found
#' plot(found)
#' @export
ranking_stability <- function(x, constraints = NULL, y = NULL, ...,
                              method = NULL, n = NULL, replicates = 20,
                              fraction = 0.8, halves = FALSE, BPPARAM = NULL) {
    options <- list(...)
    unit <- options$unit
    options$unit <- NULL
    moved <- move_to_data(x, options)
    options <- moved$options
    replicates <- check_count(replicates, "replicates", 2, 1e6)
    taken <- split_column(as_samples(moved$x), y)
    x <- check_whole(taken$x, options$assay.type)
    # names would take relabelled values back to their samples
    y <- unname(named_response(taken$y, x))
    fraction <- check_number(fraction, "fraction", 0, 1)
    samples <- count_samples(x)
    unit <- known_unit(x, unit)
    if (!is.null(y)) match_length(y, samples, "y")
    if (!is.null(constraints))
        constraints <- match_constraints_once(constraints, sample_axis(x))
    check_extent(samples, 1L)
    check_flag(halves, "halves")
    given <- known_parts(x, constraints, y, method)
    constraints <- given$constraints
    method <- default_method(method, given)
    whole <- values_with_data(given, options, method)
    workers <- check_workers(BPPARAM)
    # of units all samples are in the same part
    of_unit <- split(seq_len(samples), unit %||% seq_len(samples))
    units <- length(of_unit)
    refuse_if(units < 3L, "`unit` must have at least 3 different values, of ",
              "which subsets are drawn, not ", units, ".")
    sizes <- if (halves) c(units %/% 2L, units - units %/% 2L) else
        max(3, round(fraction * units))
    parts <- unlist(lapply(seq_len(replicates), function(again) {
        parts_with_pairs(function() {
            drawn <- split(sample.int(units, sum(sizes)),
                           rep(seq_along(sizes), sizes))
            rows <- lapply(drawn, function(own) {
                sort(unlist(of_unit[own], use.names = FALSE))
            })
            list(rows = unname(rows), constraints = constraints, y = y)
        }, whole$block)
    }), recursive = FALSE)
    found <- warn_once(
        spread(c(parts, relabelled_parts(parts, samples, constraints, y,
                                         whole$block, unit)),
               rank_part, c(whole, list(method = method)),
               workers, c("Stability", "rankings"), whole$progress)
    )
    features <- nrow(found[[1L]])
    n <- n %||% unique(round(exp(seq(0, log(features), length.out = 20L))))
    real <- seq_along(parts)
    agreement_table(found[real], check_counts(n, features), found[-real],
                    if (halves) couples_of(length(parts)),
                    split_words(samples, unit))
}

# ---- parts of the samples ----------------------------------------------------

# draw(): list(rows, constraints, y), the rows of some parts, which are drawn
# again until each has a pair of every kind. A list of list(rows, constraints,
# y).
parts_with_pairs <- function(draw, block = NULL) {
    for (try in seq_len(100L)) {
        drawn <- draw()
        pairs <- drawn$constraints
        parts <- lapply(drawn$rows, function(rows) {
            list(rows = rows, y = drawn$y[rows],
                 constraints = if (!is.null(pairs)) constraints_of(pairs, rows))
        })
        whole <- is.null(pairs) || all(vapply(parts, function(part) {
            keeps_kinds(part$constraints, pairs, block[part$rows])
        }, NA))
        if (whole) return(parts)
    }
    abort_linkrank("None of 100 random subsets of {length(parts[[1L]]$rows)}
                   samples contained both a must-link and a cannot-link: give
                   more pairs or raise `fraction`.", class = "constraints")
}

# The same parts with relabelled pairs and permuted `y`, alike for two parts
# that are compared; none where there is nothing to relabel.
relabelled_parts <- function(parts, samples, constraints, y, block = NULL,
                             unit = NULL) {
    paired <- !is.null(constraints) && sum(count_pairs(constraints)) > 0
    if (is.null(y) && !paired) return(list())
    among <- if (!is.null(constraints)) exchanged_samples(constraints) else
        which(!is.na(y))
    # units of as many samples change places, so that each place has one sample
    size <- if (!is.null(unit)) tabulate(unit)[unit]
    couples <- couples_of(length(parts))
    unlist(lapply(seq_len(ncol(couples)), function(couple) {
        rows <- lapply(parts[couples[, couple]], `[[`, "rows")
        parts_with_pairs(function() {
            from <- order(relabelled_samples(samples, seq_len(samples), 1L,
                                             size, among, unit))
            list(rows = rows, y = y[from],
                 constraints = if (!is.null(constraints)) follow_samples(
                     constraints, from, constraints$names
                 )$constraints)
        }, block)
    }), recursive = FALSE)
}

# Which parts are compared: columns 1 2, 3 4, ...
couples_of <- function(parts) matrix(seq_len(parts %/% 2L * 2L), 2L)

# `shared`: list(x, method, options).
rank_part <- function(part, shared) {
    given <- known_parts(take_samples(shared$x, part$rows), part$constraints,
                         part$y)
    as_ranker(shared$method, names(given), shared$options)(given)
}

# ---- agreement of rankings --------------------------------------------------

# `relabelled`: rankings by chance, two by two; `couples`: which of `rankings`
# are compared, NULL for all.
agreement_table <- function(rankings, counts, relabelled = list(),
                            couples = NULL, split_by = NULL) {
    features <- attr(rankings[[1L]], "info")$names
    places_in <- function(rankings) {
        matrix(vapply(rankings, function(ranking) {
            match(features, ranking$feature)
        }, integer(length(features))), length(features))
    }
    places <- places_in(rankings)
    lacking <- rowSums(is.na(places)) > 0
    refuse_if(any(lacking), "The ranking function must rank all features of ",
              "its `x`, but it left out ", quote_values(features[lacking]), ".")
    couples <- couples %||% utils::combn(ncol(places), 2L)
    table <- do.call(rbind, lapply(counts, function(n) {
        agreement_at(places, n, couples)
    }))
    by_chance <- places_in(relabelled)
    pairs <- couples_of(ncol(by_chance))
    # counts x permutations
    chance <- vapply(seq_len(ncol(pairs)), function(pair) {
        vapply(counts, function(n) {
            agreement_at(by_chance, n, pairs[, pair, drop = FALSE])$corrected
        }, 0)
    }, numeric(length(counts)))
    chance <- matrix(chance, length(counts))
    frequency <- vapply(counts, function(n) rowMeans(places <= n),
                        numeric(length(features)))
    frequency <- matrix(frequency, length(features),
                        dimnames = list(features, counts))
    by_n <- if (ncol(pairs)) rowMeans(chance) else NA_real_
    structure(data.frame(features = counts, table[1:2], chance = by_n,
                         table["correlation"]),
              frequency = frequency, rankings = length(rankings),
              chance = colMeans(chance, na.rm = TRUE),
              made_by = this_version(),
              split_by = split_by, method = attr(rankings[[1L]], "info")$label,
              class = c("ranking_stability", "data.frame"))
}

# Means over pairs of rankings, columns of `couples`; places: features x
# rankings.
agreement_at <- function(places, n,
                         couples = utils::combn(ncol(places), 2L)) {
    fraction <- n / nrow(places)
    values <- apply(couples, 2L, function(pair) {
        a <- places[, pair[1L]]
        b <- places[, pair[2L]]
        either <- a <= n | b <= n
        c(sum(a <= n & b <= n) / n,
          if (n > 2L)
              stats::cor(a[either], b[either], method = "spearman") else NA)
    })
    overlap <- mean(values[1L, ])
    data.frame(overlap = overlap,
               corrected = if (fraction < 1)
                   (overlap - fraction) / (1 - fraction) else NA_real_,
               correlation = mean(values[2L, ]))
}

#' @rdname ranking_stability
#' @export
print.ranking_stability <- function(x, ...) {
    cat("<ranking_stability> ", attr(x, "method"), ", ",
        count_noun(attr(x, "rankings"), "part"), "\n", sep = "")
    cat_lines(attr(x, "split_by"))
    shown <- some_of(seq_len(nrow(x)), 8L)
    columns <- c("overlap", "corrected", "chance", "correlation")
    cells <- formatC(as.matrix(as.data.frame(as.list(x))[shown, columns]),
                     digits = 2L, format = "f")
    cells <- rbind(c("features", columns), cbind(x$features[shown], cells))
    cells <- format(cells, justify = "right")
    cat_cells(cells[1L, 1L], cells[-1L, 1L], cells[, -1L])
    if (!all(is.na(x$chance))) {
        cat("  chance: corrected overlap with relabelled pairs\n")
        # "above the mean of chance" was said of half of the data sets with
        # nothing to be found
        mean <- mean(x$corrected, na.rm = TRUE)
        chance <- attr(x, "chance")
        cat("  On average the corrected overlap is ",
            formatC(mean, digits = 2L, format = "f"), ", above that of ",
            sum(chance < mean), " of ", length(chance), " permutations.\n",
            sep = "")
    }
    invisible(x)
}
