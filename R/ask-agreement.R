# How well raters agree with each other, and each with itself.

#' Agreement of raters
#'
#' Compares the answers that two or more people gave to the same pairs, or one
#' person twice: how many are alike, Cohen's or Fleiss's kappa with an interval,
#' and which pairs are in dispute.
#'
#' @param answers Tables of answers, as in [reconcile_answers()]: a named list
#'   with one for each rater, or one table with a column `rater`.
#' @param x What `answer_agreement()` returned.
#' @param n How many pairs in dispute to print.
#' @param ... Must be empty.
#'
#' @return An object of class `answer_agreement`, a list of
#' * `pairs`: the number of pairs that at least two raters decided;
#' * `alike`: how often two raters gave the same answer to the same pair, from 0
#'   to 1; `chance`: the value expected from the frequencies of the answers;
#' * `kappa`, and `interval`, its 95 % interval; `NA` when all answers are of
#'   one kind, or no pair was decided by two raters;
#' * `raters`: a data.frame with a row per rater: `rater`, the number of
#'   `answers`, how many are `unsure`, how many repeat a pair (`repeated`), and
#'   how many of these are like the first (`consistent`);
#' * `disputes`: a data.frame with a row per pair in dispute: `first`, `second`,
#'   and a column per rater with the answer (`NA`: not asked).
#'
#' @details With A the share of alike answers and E its expectation by chance,
#' kappa = (A - E) / (1 - E). Two raters (Cohen 1960): E is the sum over both
#' kinds of the product of the two raters' shares of it. More raters (Fleiss
#' 1971): of a pair with r answers, m of them must-links, A is (m (m - 1) + (r -
#' m) (r - m - 1)) / (r (r - 1)), averaged over the pairs; E is the sum of the
#' squared shares of the two kinds in all answers. Unsure answers count only in
#' `raters` and `disputes`. Of a pair that a rater answered several times, the
#' first decided answer is compared with the other raters; the later ones tell
#' its consistency.
#'
#' *The interval* allows for pairs that share samples: who misjudges a sample
#' answers all of its pairs otherwise. Kappa is computed again without each
#' sample (the jackknife); the interval is Wilson's for A, with as many pairs as
#' give this variance, at most the number of samples, and the quantile of t, on
#' the scale of kappa with E as estimated. Of two raters who each misjudged 10 %
#' of the samples of two kinds it held the true kappa of 0.41 in 91 % of 300
#' sets of 15 samples and 20 pairs, 91 % of 15 and 40, 100 % of 10 and 40, 97 %
#' of 20 and 100. With pairs taken as independent it was 79, 65, 61 and 55 %.
#'
#' @section Errors: `linkrank_error_constraints`: no table of answers, or no
#'   pair that was answered twice.
#'
#' @references Cohen, J. (1960). A coefficient of agreement for nominal scales.
#'   *Educational and Psychological Measurement*, 20, 37-46.
#'
#'   Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters.
#'   *Psychological Bulletin*, 76, 378-382.
#'
#' @seealso [reconcile_answers()] for constraints from such answers
#' @examples
#' ann <- data.frame(first = c("a", "a", "b", "c"), second = c("b", "c", "c", "d"),
#'                   answer = c("same", "different", "different", "same"))
#' bob <- ann
#' bob$answer[4] <- "different"
#' answer_agreement(list(ann = ann, bob = bob))
#' @order 1
#' @export
answer_agreement <- function(answers, ...) {
    check_dots_empty(...)
    check_given(answers, "tables of answers")
    votes <- read_votes(answer_tables(answers), NULL)
    rows <- votes$rows
    rows$rater[is.na(rows$rater)] <- "rater"
    raters <- unique(rows$rater)
    key <- pair_key(rows$first, rows$second, votes$samples)
    pair <- match(key, unique(key))
    given <- first_answers(rows, pair, raters)
    repeats <- repeated_answers(rows, pair)
    ends <- cbind(rows$first, rows$second)[!duplicated(pair), , drop = FALSE]
    twice <- rowSums(!is.na(given$type)) >= 2L
    type <- given$type[twice, , drop = FALSE]
    found <- kappa_of(type)
    refuse_if(!any(twice) && !anyDuplicated(pair),
              "`answers` must hold pairs that two raters answered, or one ",
              "rater twice, but there is none.", class = "constraints")
    count <- function(rater) tabulate(match(rater, raters), length(raters))
    table <- data.frame(
        rater = raters, answers = count(rows$rater),
        unsure = count(rows$rater[rows$type == "unsure"]),
        repeated = count(repeats$rater),
        consistent = count(repeats$rater[repeats$alike])
    )
    structure(c(list(pairs = sum(twice)), found, list(
        interval = kappa_interval(found, type, ends[twice, , drop = FALSE]),
        raters = table,
        disputes = disputed_pairs(given$shown, rows, pair, votes$names)
    )), class = "answer_agreement")
}

# Matrices pairs x raters: `type`, the first decided answer (NA: none), and
# `shown`, that or "unsure".
first_answers <- function(rows, pair, raters) {
    shown <- matrix(NA_character_, max(pair, 0L), length(raters),
                    dimnames = list(NULL, raters))
    # the first in this order is the last that is put down
    at <- rev(order(rows$type == "unsure"))
    shown[cbind(pair[at], match(rows$rater[at], raters))] <- rows$type[at]
    list(type = replace(shown, shown %in% "unsure", NA), shown = shown)
}

# Of the decided answers that repeat a pair: who gave them, and which of them are
# like the first.
repeated_answers <- function(rows, pair) {
    one <- paste(pair, rows$rater)[rows$type != "unsure"]
    known <- rows[rows$type != "unsure", ]
    again <- which(duplicated(one))
    list(rater = known$rater[again],
         alike = known$type[again] == known$type[match(one[again], one)])
}

# list(alike, chance, kappa) of pairs that at least two raters decided.
kappa_of <- function(type) {
    answers <- rowSums(!is.na(type))
    must <- rowSums(type == "must-link", na.rm = TRUE)
    other <- answers - must
    alike <- mean((must * (must - 1) + other * (other - 1)) /
                      (answers * (answers - 1)))
    shares <- if (ncol(type) == 2L) colMeans(type == "must-link") else
        rep(sum(must) / sum(answers), 2L)
    chance <- prod(shares) + prod(1 - shares)
    kappa <- (alike - chance) / (1 - chance)
    known <- function(value) if (is.finite(value)) value else NA_real_
    list(alike = known(alike), chance = known(chance), kappa = known(kappa))
}

# Wilson's 95 % interval for the share alike, on the scale of kappa, with as
# many pairs as give the variance of the jackknife over samples, but no more
# than there are samples, and the quantile of t.
kappa_interval <- function(found, type, ends) {
    if (is.na(found$kappa)) {
        return(c(NA_real_, NA_real_))
    }
    samples <- unique(c(ends))
    count <- length(samples)
    without <- vapply(samples, function(i) {
        kept <- rowSums(ends == i) == 0
        kappa_of(type[kept, , drop = FALSE])$kappa
    }, 0)
    without[is.na(without)] <- found$kappa
    alike <- found$alike
    error <- (count - 1)^2 / count * stats::var(without) * (1 - found$chance)^2
    n <- min(nrow(type), count,
             if (error > 0) max(alike * (1 - alike) / error, 1))
    t2 <- stats::qt(0.975, count - 1)^2
    centre <- (alike + t2 / (2 * n)) / (1 + t2 / n)
    half <- sqrt(t2 * (alike * (1 - alike) / n + t2 / (4 * n^2))) / (1 + t2 / n)
    (c(max(centre - half, 0), min(centre + half, 1)) - found$chance) /
        (1 - found$chance)
}

disputed_pairs <- function(shown, rows, pair, names) {
    kinds <- function(own) length(unique(own[!is.na(own) & own != "unsure"]))
    at <- which(apply(shown, 1L, kinds) > 1L)
    row <- match(at, pair)
    name <- function(i) if (is.null(names)) i else names[i]
    data.frame(first = name(rows$first[row]), second = name(rows$second[row]),
               shown[at, , drop = FALSE], check.names = FALSE)
}

#' @rdname answer_agreement
#' @order 2
#' @export
print.answer_agreement <- function(x, n = 10L, ...) {
    n <- check_count_or_all(n, "n")
    number <- function(value) formatC(value, digits = 2L, format = "f")
    percent <- function(value) paste(formatC(100 * value, digits = 0L,
                                             format = "f"), "%")
    count <- nrow(x$raters)
    own <- x$raters[x$raters$repeated > 0L, ]
    disputes <- nrow(x$disputes)
    kappa <- if (is.na(x$kappa)) {
        "no kappa, because all answers are of one kind"
    } else {
        paste0(if (count > 2L) "Fleiss's" else "Cohen's", " kappa ",
               number(x$kappa), ", 95 % interval ", number(x$interval[1L]),
               " to ", number(x$interval[2L]))
    }
    cat_lines(c(
        paste0("<answer_agreement> ", count_noun(count, "rater"), ", ",
               count_noun(x$pairs, "pair"), " decided by two or more"),
        if (x$pairs) paste0("  ", c(paste0(
            "alike ", percent(x$alike), " (", percent(x$chance),
            " expected by chance)"
        ), kappa)),
        paste0("  ", own$rater, ": ", own$consistent, " of ",
               vapply(own$repeated, count_noun, "", "repeated answer"),
               " like the first", recycle0 = TRUE),
        if (disputes) paste0("  ", count_noun(disputes, "pair"), " in dispute"),
        dispute_lines(utils::head(x$disputes, n))
    ))
    cat_rest(disputes - n, " more in $disputes")
    invisible(x)
}

dispute_lines <- function(disputes) {
    raters <- names(disputes)[-(1:2)]
    vapply(seq_len(nrow(disputes)), function(at) {
        said <- unlist(disputes[at, -(1:2)])
        known <- !is.na(said)
        paste0("    ", disputes$first[at], " and ", disputes$second[at], ": ",
               paste(raters[known], answer_words[said[known]],
                     collapse = ", "))
    }, "")
}
