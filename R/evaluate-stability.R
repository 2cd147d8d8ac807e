# Stability of the selected features over subsets of the samples.

#' Stability of a ranking method
#'
#' Ranks repeatedly on random subsets of the samples and measures how well the
#' first n features agree. Together with the accuracy along a ranking it helps
#' to decide how many features to trust, because it estimates which features
#' another sample would also select.
#'
#' @param x Data: see [prepare_data()]; for `print()` and `plot()` what
#'   `ranking_stability()` returned.
#' @param constraints,y Constraints, or a class or number per sample: what the
#'   method needs.
#' @param method Name of a method ([ranking_methods()]), or a function that gets
#'   those of `x`, `constraints` and `y` that are among its arguments and
#'   returns a `feature_ranking` or a numeric vector named by feature, higher is
#'   better.
#' @param n Numbers of features at which rankings are compared; by default about
#'   twenty between 1 and all of them.
#' @param replicates Number of random subsets.
#' @param fraction Fraction of the samples in a subset, drawn without
#'   replacement.
#' @param BPPARAM,folder Run the rankings in parallel on [workers] and store
#'   finished results; the result does not depend on it.
#' @param ... Arguments of the method, and those of [prepare_data()] that it
#'   uses, by name.
#' @return An object of class `ranking_stability`, a data.frame with a row per
#'   number of features: `features`; `overlap`, the mean over all pairs of
#'   subsets of the proportion of features that both rank among their first n;
#'   `corrected`, the overlap corrected for chance (Kuncheva's index, 1 for
#'   equal sets, 0 for random ones, `NA` for all features); `correlation`, the
#'   mean rank correlation (Spearman) of the features that either ranks among
#'   its first n, `NA` below three. Attribute `frequency`: for each n, how often
#'   each feature is among the first n, a matrix. `plot()` draws the curves.
#'
#' @details Constraints of a subset are the pairs with both samples in it;
#' samples in pairs and other samples are drawn with equal probability. A subset
#' without a pair of a kind that `constraints` has is drawn again. Samples are
#' drawn with R's random numbers, all before the first ranking; each ranking has
#' its own stream of random numbers ([workers]). The rank correlation is
#' negative if most of the features are among the first n of one subset only.
#' With overlap o at n of p features the corrected overlap is (o - n/p) / (1 -
#' n/p). Cost: `replicates` runs of the method.
#'
#' @section Errors: `linkrank_error_constraints` when a hundred subsets in a row
#'   lack a kind of pair, because there are too few pairs for this `fraction`.
#'   Also those of the method.
#'
#' @references Kuncheva, L. I. (2007). A stability index for feature selection.
#'   *Proceedings of the 25th IASTED International Multi-Conference*, 390-395.
#'
#' @examples
#' x <- log2(colon$x)
#' set.seed(1)
#' links <- constraints_from_labels(colon$tissue, 20, 20)
#' found <- ranking_stability(x[, 1:200], links, replicates = 5)
#' found
#' plot(found)
#' @export
ranking_stability <- function(x, constraints = NULL, y = NULL, ...,
                              method = "relieff_sc", n = NULL, replicates = 20,
                              fraction = 0.8, BPPARAM = NULL, folder = NULL) {
    options <- list(...)
    if (!is.null(options$by)) {
        x <- means_of_groups(x, options)
        options[per_sample] <- NULL
    }
    # the line of progress is of the replicates
    progress <- options$progress %||%
        getOption("linkrank.progress", interactive())
    if (!is.function(method)) options$progress <- FALSE
    replicates <- check_count(replicates, "replicates", 2, 1e6)
    y <- named_response(y, x)
    fraction <- check_number(fraction, "fraction", 0, 1)
    samples <- count_samples(x)
    if (!is.null(y)) match_length(y, samples, "y")
    if (!is.null(constraints)) {
        constraints <- match_constraints_once(constraints, sample_axis(x))
    }
    check_extent(samples, 1L)
    size <- max(3, round(fraction * samples))
    given <- known_parts(x, constraints, y)
    # refuses bad input of the method before anything is drawn
    as_ranker(method, names(given), options)
    workers <- check_workers(BPPARAM, folder)
    parts <- lapply(seq_len(replicates), function(part) {
        # list(rows, constraints): samples of a subset, and their constraints.
        for (try in seq_len(100L)) {
            rows <- sort(sample.int(samples, size))
            if (is.null(constraints)) {
                return(list(rows = rows))
            }
            part <- constraints_of(constraints, rows)
            if (all(count_pairs(part) > 0 | count_pairs(constraints) == 0)) {
                return(list(rows = rows, constraints = part))
            }
        }
        abort_linkrank("`fraction` leaves no pair of each kind in ", size,
                       " of ", samples, " samples.", class = "constraints")
    })
    rankings <- warn_once(
        spread(parts, rank_part,
               list(x = x, y = y, method = method, options = options),
               workers, c("Stability", "rankings"),
               check_flag(progress, "progress"))
    )
    features <- nrow(rankings[[1L]])
    n <- n %||% unique(round(exp(seq(0, log(features), length.out = 20L))))
    agreement_table(rankings, check_counts(n, features))
}

# `part`: list(rows, constraints); `shared`: list(x, y, method, options).
rank_part <- function(part, shared) {
    given <- known_parts(take_samples(shared$x, part$rows), part$constraints,
                         shared$y[part$rows])
    as_ranker(shared$method, names(given), shared$options)(given)
}

# ---- agreement of rankings --------------------------------------------------

agreement_table <- function(rankings, counts) {
    features <- attr(rankings[[1L]], "info")$names
    places <- vapply(rankings, function(ranking) {
        match(features, ranking$feature)
    }, integer(length(features)))
    places <- matrix(places, length(features))
    lacking <- rowSums(is.na(places)) > 0
    refuse_if(any(lacking), "The ranking function must rank all features of ",
              "its `x`, but it left out ", quote_values(features[lacking]), ".")
    table <- lapply(counts, function(n) agreement_at(places, n))
    frequency <- vapply(counts, function(n) rowMeans(places <= n),
                        numeric(length(features)))
    frequency <- matrix(frequency, length(features),
                        dimnames = list(features, counts))
    structure(data.frame(features = counts, do.call(rbind, table)),
              frequency = frequency, rankings = length(rankings),
              method = attr(rankings[[1L]], "info")$label,
              class = c("ranking_stability", "data.frame"))
}

# Means over pairs of rankings; places: features x rankings.
agreement_at <- function(places, n) {
    fraction <- n / nrow(places)
    pairs <- utils::combn(ncol(places), 2L)
    values <- apply(pairs, 2L, function(pair) {
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
    shown <- unique(round(seq(1, nrow(x), length.out = min(nrow(x), 8L))))
    cells <- vapply(as.list(x)[c("overlap", "corrected", "correlation")],
                    function(column) {
                        formatC(column[shown], digits = 2L, format = "f")
                    }, character(length(shown)))
    cells <- matrix(cells, length(shown))
    table <- rbind(c("features", "overlap", "corrected", "correlation"),
                   cbind(format(x$features[shown]), cells))
    cat(row_lines(format(table, justify = "right")), sep = "\n")
    invisible(x)
}
