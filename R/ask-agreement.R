# Where answers differ: agreement of raters, samples and pairs in dispute,
# answers that look wrong.

# ==== agreement ===============================================================

# How well raters agree with each other, and each with itself.

#' Agreement of raters
#'
#' How well raters agree, and on what not. Raters who sorted are compared by the
#' adjusted Rand index of the samples that both placed, raters who answered
#' pairs, or one person twice, by Cohen's or Fleiss's kappa.
#'
#' @param answers Tables or files of answers, as in [reconcile_answers()]: a
#'   named list with one for each rater, or one table with a column `rater`.
#' @param x What `answer_agreement()` returned.
#' @param n How many pairs of raters, samples and pairs in dispute to print.
#' @param ... Must be empty.
#'
#' @return An object of class `answer_agreement`, a list of
#' * `groups`, of raters who sorted: a row per pair of raters: `first`,
#'   `second`, the number of `samples` both placed, the adjusted Rand index
#'   `ari` (1: the same groups, 0: as by chance), and `lower` and `upper`, its
#'   95 % interval; `NULL` for none;
#' * `samples`, of raters who sorted: a row per sample in dispute, the most
#'   undecided first: `sample`, the probability `sure` of its likeliest kind,
#'   and a column per rater with the group, named as [reconcile_answers()] does
#'   (`"none"`: one that others have not);
#' * `pairs`: how many pairs two or more raters decided; `alike`: how often two
#'   gave the same answer, from 0 to 1; `chance`: the value expected from the
#'   frequencies of the answers;
#' * `kappa`, and `interval`, its 95 % interval; `NA` when all answers are of
#'   one kind, or no pair has two raters;
#' * `raters`: a row per rater: `rater`, numbers of `answers`, `unsure` and
#'   `repeated` ones, how many of these are `consistent`; of raters who sorted
#'   also samples `placed` and `error`, see [reconcile_answers()];
#' * `disputes`: a row per pair in dispute: `first`, `second`, and a column per
#'   rater (`NA`: not asked).
#'
#' @details *Raters who sorted.* The interval of the adjusted Rand index (Hubert
#'   and Arabie 1985) is the index plus and minus the quantile of t times the
#'   standard error, from -1 to 1. Its square adds the variance of the jackknife
#'   over samples, three times that of the index when the samples of one rater
#'   are permuted, and the mean square of what one sample changes that one of
#'   them puts into another group.
#'
#' *Pairs.* With A the share of alike answers and E its expectation by chance,
#' kappa = (A - E) / (1 - E). Two raters (Cohen 1960): E is the sum over both
#' kinds of the product of the raters' shares of it. More (Fleiss 1971): of a
#' pair with r answers, m of them must-links, A is (m (m - 1) + (r - m) (r - m -
#' 1)) / (r (r - 1)), averaged over the pairs; E is the sum of the squared
#' shares of the two kinds. Unsure answers count only in `raters` and
#' `disputes`; of repeated answers the first decided one is compared.
#'
#' *The interval* of kappa allows for pairs that share samples: it is Wilson's
#' for A, with as many pairs as give the variance of the jackknife over samples,
#' at most the number of samples, and the quantile of t.
#'
#' @section Errors: `linkrank_error_constraints`: no table of answers, or
#'   nothing that two raters, or one twice, answered.
#'
#' @references Cohen, J. (1960). *Educational and Psychological Measurement*,
#'   20, 37-46.
#'
#' Fleiss, J. L. (1971). *Psychological Bulletin*, 76, 378-382.
#'
#' Hubert, L. and Arabie, P. (1985). *Journal of Classification*, 2, 193-218.
#' \doi{10.1007/BF01908075}
#'
#' @seealso [reconcile_answers()] for constraints from such answers
#' @examples
#' ann <- data.frame(first = c("a", "a", "b", "c"),
#'                   second = c("b", "c", "c", "d"),
#'                   answer = c("same", "different", "different", "same"))
#' bob <- ann
#' bob$answer[4] <- "different"
#' answer_agreement(list(ann = ann, bob = bob))
#'
#' # two who sorted, one of them with three wrong samples
#' x <- log2(colon$x)
#' ann <- active_constraints(x, colon$tissue, n = 20)
#' wrong <- replace(colon$tissue, c(1, 5, 9), "tumour")
#' bob <- active_constraints(x, wrong, n = 20)
#' answer_agreement(list(ann = ann, bob = bob))
#' @order 1
#' @export
answer_agreement <- function(answers, ...) {
    check_dots_empty(...)
    check_given(answers, "tables of answers")
    votes <- read_votes(answer_tables(answers), NULL)
    all <- votes$rows
    sorted <- are_sorted(all)
    all$rater <- rater_keys(all)
    model <- if (any(sorted)) pool_raters(all[sorted, ])
    several <- NROW(model$raters) > 1L
    rows <- if (several) all[!sorted, ] else all
    raters <- unique(rows$rater)
    key <- pair_key(rows$i, rows$j, votes$samples)
    pair <- match(key, unique(key))
    given <- first_answers(rows, pair, raters)
    repeats <- repeated_answers(rows, pair)
    ends <- cbind(rows$i, rows$j)[!duplicated(pair), , drop = FALSE]
    type <- replace(given, given %in% "unsure", NA)
    twice <- rowSums(!is.na(type)) >= 2L
    type <- type[twice, , drop = FALSE]
    found <- kappa_of(type)
    refuse_if(!several && !any(twice) && !anyDuplicated(pair), "`answers` must
              have a pair that was answered twice.", class = "constraints")
    everybody <- unique(all$rater)
    count <- function(of) tabulate(match(of, everybody), length(everybody))
    table <- data.frame(
        rater = everybody, answers = count(all$rater),
        unsure = count(all$rater[all$type == "unsure"]),
        repeated = count(repeats$rater),
        consistent = count(repeats$rater[repeats$alike])
    )
    if (several) {
        at <- match(everybody, model$raters$rater)
        table$placed <- model$raters$samples[at]
        table$error <- model$raters$error[at]
    }
    structure(c(list(
        groups = if (several) agreement_of_groups(model),
        samples = if (several) data.frame(
            sample = show_places(model$samples[model$differ], votes$names),
            sure = model$sure[model$differ],
            groups_of_all(model, answers)[model$differ, , drop = FALSE],
            check.names = FALSE, row.names = NULL),
        pairs = sum(twice)), found, list(
        interval = kappa_interval(found, type, ends[twice, , drop = FALSE]),
        raters = table,
        disputes = disputed_pairs(given, rows, pair, votes$names)
    )), class = "answer_agreement")
}

# The group into which each rater put a sample, as all of them together number
# or name it.
groups_of_all <- function(model, answers) {
    groups <- closure_groups(suppressMessages(reconcile_answers(answers)))
    home <- match(seq_len(max(model$stands, 0L, na.rm = TRUE)), model$cluster)
    label <- groups$names[groups$code[model$samples[home]]]
    label <- c("none", ifelse(is.na(label), "none", label))
    array(label[model$stands + 1L], dim(model$code), dimnames(model$code))
}

# A row per pair of raters who sorted, with an interval. The jackknife alone has
# no width where all agree, and too little by chance agreement: it held the
# index in .63 to .83 of data sets there. The variance by chance counts thrice:
# that of the index grows with it, and an index near 0 does not exclude one of
# larger variance (25 % wrong, 40 samples: .88 counted once, .998 so; 100
# samples .88 and .935).
agreement_of_groups <- function(model) {
    code <- model$code
    ends <- which(upper.tri(model$raters$agreement), arr.ind = TRUE)
    without <- vapply(seq_len(nrow(code)), function(i) {
        rand_indices(code[-i, , drop = FALSE])[ends]
    }, numeric(nrow(ends)))
    # a sample that only one of them placed is none of theirs
    both <- t(!is.na(code[, ends[, 1L]] + code[, ends[, 2L]]))
    dim(both) <- dim(without) <- c(nrow(ends), nrow(code))
    without[!both] <- NA
    samples <- rowSums(both)
    error <- sqrt((samples - 1) / samples * rowSums(
        (without - rowMeans(without, na.rm = TRUE))^2, na.rm = TRUE))
    more <- apply(ends, 1L, function(pair) {
        counts <- unclass(table(code[, pair[1L]], code[, pair[2L]]))
        sum(3 * exchanged_square(counts),
            (moved_square(counts) + moved_square(t(counts))) / 2, na.rm = TRUE)
    })
    error <- sqrt(error^2 + more)
    ari <- model$raters$agreement[ends]
    half <- suppressWarnings(stats::qt(0.975, samples - 1)) * error
    raters <- model$raters$rater
    data.frame(first = raters[ends[, 1L]], second = raters[ends[, 2L]],
               samples = samples, ari = ari, lower = pmax(ari - half, -1),
               upper = pmin(ari + half, 1))
}

# `counts`: how many samples two raters put into each two of their groups. The
# variance of the adjusted Rand index when the samples of one are exchanged,
# from the pairs of pairs that have both samples, one or none in common.
exchanged_square <- function(counts) {
    pairs_of_pairs <- function(size) {
        alike <- sum(choose(size, 2))
        c(alike, shared <- sum(size * choose(size - 1, 2)),
          choose(alike, 2) - shared)
    }
    first <- pairs_of_pairs(rowSums(counts))
    second <- pairs_of_pairs(colSums(counts))
    all <- pairs_of_pairs(sum(counts))
    chance <- first[1L] * second[1L] / all[1L]
    square <- (c(1, 2, 2) * (as.numeric(first) * second) / all)[all > 0]
    (sum(square) - chance^2) / ((first[1L] + second[1L]) / 2 - chance)^2
}

# The mean square of its change when the second rater puts one sample into
# another group, a new one where there is no other.
moved_square <- function(counts) {
    if (ncol(counts) < 2L) counts <- cbind(counts, 0)
    index <- function(alike, first, second) {
        chance <- as.numeric(first) * second / choose(sum(counts), 2)
        found <- (alike - chance) / ((first + second) / 2 - chance)
        replace(found, is.nan(found), 1)
    }
    move <- which(diag(ncol(counts)) == 0, arr.ind = TRUE)
    more <- function(size) {
        size[, move[, 2L], drop = FALSE] - size[, move[, 1L], drop = FALSE] + 1
    }
    size <- matrix(colSums(counts), nrow(counts), ncol(counts), byrow = TRUE)
    first <- sum(choose(rowSums(counts), 2))
    second <- sum(choose(size[1L, ], 2))
    alike <- sum(choose(counts, 2))
    change <- index(alike + more(counts), first, second + more(size)) -
        index(alike, first, second)
    stats::weighted.mean(change^2, counts[, move[, 1L]])
}

# A matrix pairs x raters: the first decided answer, else "unsure" (NA: none).
first_answers <- function(rows, pair, raters) {
    given <- matrix(NA_character_, max(pair, 0L), length(raters),
                    dimnames = list(NULL, raters))
    # the first in this order is the last that is put down
    at <- rev(order(rows$type == "unsure"))
    given[cbind(pair[at], match(rows$rater[at], raters))] <- rows$type[at]
    given
}

# Of the decided answers that repeat a pair: who gave them, and which of them
# are like the first.
repeated_answers <- function(rows, pair) {
    one <- paste(pair, rows$rater)[rows$type != "unsure"]
    known <- rows[rows$type != "unsure", ]
    again <- which(duplicated(one))
    list(rater = known$rater[again],
         alike = known$type[again] == known$type[match(one[again], one)])
}

# list(alike, chance, kappa) of pairs that at least two raters decided: Cohen's
# kappa of two raters, Fleiss's of more. Own code because package irr refuses
# pairs that some raters have not answered, and its intervals take pairs that
# share samples for independent.
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
    if (is.na(found$kappa)) return(c(NA_real_, NA_real_))
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

disputed_pairs <- function(given, rows, pair, names) {
    some <- function(type) rowSums(given == type, na.rm = TRUE) > 0
    at <- which(some("must-link") & some("cannot-link"))
    row <- match(at, pair)
    data.frame(first = show_places(rows$i[row], names),
               second = show_places(rows$j[row], names),
               given[at, , drop = FALSE], check.names = FALSE)
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
    groups <- utils::head(x$groups, n)
    sorted <- x$raters[!is.na(x$raters$error), ]
    open <- utils::head(x$samples, n)
    own <- x$raters[x$raters$repeated > 0L, ]
    disputes <- nrow(x$disputes)
    open_pairs <- utils::head(x$disputes, n)
    kappa <- if (is.na(x$kappa)) {
        "no kappa, because all answers are of one kind"
    } else {
        paste0(if (count > 2L) "Fleiss's" else "Cohen's", " kappa ",
               number(x$kappa), ", 95 % interval ", number(x$interval[1L]),
               " to ", number(x$interval[2L]))
    }
    cat_lines(c(
        paste0("<answer_agreement> ", count_noun(count, "rater"),
               if (x$pairs || is.null(x$groups))
                   paste0(", ", count_noun(x$pairs, "pair"),
                          " decided by two or more")),
        paste0("  ", groups$first, " and ", groups$second, ": adjusted Rand ",
               "index ", number(groups$ari), ", 95 % interval ",
               number(groups$lower), " to ", number(groups$upper), " (",
               groups$samples, " samples)", recycle0 = TRUE),
        paste0("  ", sorted$rater, ": ", sorted$placed, " samples placed, ",
               "error ", number(sorted$error), recycle0 = TRUE),
        if (NROW(x$samples)) paste0("  ", count_noun(nrow(x$samples), "sample"),
                                    " in dispute"),
        paste0("    ", open$sample, ": ", words_of_raters(open),
               recycle0 = TRUE),
        if (x$pairs) paste0("  ", c(paste0(
            "alike ", percent(x$alike), " (", percent(x$chance),
            " expected by chance)"
        ), kappa)), paste0("  ", own$rater, ": ", own$consistent, " of ",
               vapply(own$repeated, count_noun, "", "repeated answer"),
               " like the first", recycle0 = TRUE),
        if (disputes) paste0("  ", count_noun(disputes, "pair"), " in dispute"),
        paste0("    ", open_pairs$first, " and ", open_pairs$second, ": ",
               words_of_raters(open_pairs, answer_words), recycle0 = TRUE)
    ))
    cat_rest(disputes - n, " more in $disputes")
    invisible(x)
}

# "ann same, bob different": what each rater said, in the columns behind the
# first two; `words` for what is there.
words_of_raters <- function(table, words = NULL) {
    vapply(seq_len(NROW(table)), function(at) {
        said <- unlist(table[at, -(1:2)])
        said <- said[!is.na(said)]
        paste(names(said), words[said] %||% said, collapse = ", ")
    }, "")
}

# ==== disputes ================================================================

# Settling what raters dispute. Field `said` of a questionnaire: all that they
# answered, as rows of a file, with `disputed`: is the pair asked about?

# Are these tables or files of raters, or what reconcile_answers() made of those
# who sorted, not the answers of this questionnaire?
are_disputed <- function(answers) {
    inherits(answers, "pairwise_constraints") &&
        length(disputed_between(answers)) > 0L ||
        (is.list(answers) || is.character(answers)) && is.vector(answers) &&
        length(answers) > 1L
}

take_disputes <- function(q, answers) {
    refuse_class_if(!are_disputed(answers), answers, "`answers` must be a ",
                    "list of the tables or files of raters, or, of raters who ",
                    "sorted, what reconcile_answers() made", class = "answers")
    q$whole <- TRUE
    if (is.object(answers)) return(take_others(q, read_others(answers, q)))
    tables <- lapply(answers, function(one) check_answers(one, q, TRUE))
    size <- vapply(tables, nrow, 1L)
    # who is not named in a table is named by the list
    rows <- do.call(rbind, unname(tables))
    by <- names_of_list(tables)
    rows$rater <- raters_of(rows, rep(by, size))
    attr(rows, "group_names") <- do.call(rbind, unname(Map(function(table, by) {
        named <- attr(answer_rows(table), "group_names")
        if (NROW(named)) cbind(named[c("i", "name_i", "remark")],
                               rater = raters_of(named, by))
    }, answers, by)))
    rater <- unique(rows$rater)
    # all samples of a rater may be gone
    refuse_if(!length(rater) || length(rater) + sum(size == 0L) < 2L,
              "`answers` must be of two raters or more, but ",
              if (!length(rater)) "there is no answer about samples of `x`" else
                  paste("all are of", quote_values(rater)), ".",
              class = "answers")
    others <- read_others(rows, q)
    if (!is.null(others$judged)) {
        rows$disputed <- rows$i %in% others$judged | rows$j %in% others$judged
        q$said <- rows
        return(take_others(q, others))
    }
    key <- pair_key(rows$i, rows$j, q$samples)
    rows$disputed <- key %in% disputed_keys(rows, key, q$samples)
    q$said <- rows
    q$ask <- "pairs"
    q <- take_others(q, read_others(rows[!rows$disputed, ], q))
    first <- which(rows$disputed & !duplicated(key))
    first <- first[order(net_votes(rows, key)[first])]
    q$disputes <- cbind(rows$i, rows$j)[first, , drop = FALSE]
    q
}

# How many more raters say one than the other of the pair of each row.
net_votes <- function(rows, key) {
    vote <- (rows$type == "must-link") - (rows$type == "cannot-link")
    abs(stats::ave(vote * !rows$implied, key, FUN = sum))
}

# `others`: from read_others(), or NULL.
take_others <- function(q, others) {
    if (!is.null(others)) {
        q[c("others", "disputes")] <- list(others, others$disputes)
        q$closure <- closure_of_record(q)
        q$deciding <- TRUE
    }
    q
}

# The keys of the pairs in dispute: cannot-links between samples that must-links
# connect, and shortest chains of these until none is left; of each such circle
# only the pairs that fewest agree on, two at least. What the rest decides is
# not in dispute.
disputed_keys <- function(rows, key, samples) {
    must <- rows$type == "must-link"
    net <- net_votes(rows, key)
    direct <- !rows$implied & rows$type != "unsure"
    left <- direct
    clash <- c()
    repeat {
        at <- which(left)
        found <- find_contradictions(rows$i[at], rows$j[at], must[at], Inf)
        if (!found$count) break
        open <- unlist(Map(function(cannot, path) {
            circle <- c(cannot, pair_key(path[-1L], path[-length(path)],
                                         samples))
            votes <- net[match(circle, key)]
            circle[votes <= sort(votes)[2L]]
        }, key[at[found$at]], found$chains))
        clash <- c(clash, open)
        left <- left & !(must & key %in% open)
    }
    left <- left & (must | !key %in% clash)
    rest <- pair_closure(rows$i[left], rows$j[left], must[left], samples)
    key[direct & !left & is.na(relation(rest, rows$i, rows$j))]
}

# "ann: same, bob: different": what they said of the pair of an answer, or NULL.
said_of <- function(q, number, words = answer_words) {
    if (is.null(q$said)) return(NULL)
    row <- q$answers[match(number, q$answers$action), ]
    said <- q$said[q$said$disputed & !q$said$implied, ]
    if (length(q$others$judged)) {
        # with whom they put the sample, if with anybody
        said <- said[said$i == row$i, ]
        said <- said[order(said$type != "must-link"), ]
        said <- said[!duplicated(said$rater), ]
        with <- ifelse(said$type == "must-link",
                       paste0(" (", show_samples(said$j, q$names), ")"), "")
    } else {
        said <- said[pair_key(said$i, said$j, q$samples) %in%
                         pair_key(row$i, row$j, q$samples), ]
        with <- ""
    }
    if (nrow(said))
        paste0(said$rater, ": ", words[said$type], with, collapse = ", ")
}

# Their rows as far as a file needs them; what the answers settle is undone.
rater_rows <- function(q) {
    said <- q$said
    if (is.null(said)) return(no_rows)
    refuse_if(q$person %in% said$rater, "`rater` must not be one of `answers`,
              as {quote_values(q$person)} is.", class = "answers")
    answers <- answers_in(q)
    answers <- answers[answers$type != "unsure", ]
    placed <- intersect(q$others$judged, answers$i)
    settled <- said$disputed & (
        pair_key(said$i, said$j, q$samples) %in%
            pair_key(answers$i, answers$j, q$samples) |
            said$i %in% placed | said$j %in% placed)
    said <- said[names(no_rows)]
    rbind(said[settled | !q$said$disputed, ], undone_rows(q, said[settled, ]))
}

# ==== answers that look wrong =================================================

# Answers that do not fit the data: pairs called alike that are far apart, and
# pairs called different that are near.

#' Answers to look at again
#'
#' Orders answers by how unusual they are for the data: a must-link between
#' distant samples, or a cannot-link between near ones, may be a mistake. No
#' answer is changed.
#'
#' @param constraints Constraints: see [pairwise_constraints()].
#' @param x Data: see [prepare_data()].
#' @param ... Arguments of [prepare_data()], by name: `scale`, `space`,
#'   `na.action`, `by`, `assay.type`, `threads`, `progress`.
#' @return A data.frame of class `suspect_answers` with one row per answer, the
#'   most unusual first: `i`, `j`, `type`, `name_i`, `name_j`, `distance`, and
#'   `share`: of all pairs of samples, the share that is at least as far apart
#'   (must-links) or at most as far apart (cannot-links).
#'
#' @details Distances are Euclidean. Beyond 2000 samples `share` is computed
#'   from the pairs of 4,000,000 / n samples (at least 200), at equal steps of
#'   the rows, with all others.
#'
#' A small `share` is no p-value. Right answers on the border of a group have
#' small shares too, and the data may vary mostly in something that was not
#' asked about; most answers listed first are right. Look at these samples again
#' without seeing the data: an answer that is changed because the data suggest
#' it adds nothing to them.
#'
#' *Cost.* 4,000,000 distances, or n^2 if that is less.
#'
#' @section Errors: `linkrank_error_constraints`, `linkrank_error_input` for
#'   `x`, `linkrank_error_argument`.
#'
#' @seealso [reconcile_answers()], [answer_agreement()], [constraint_quality()]
#' @examples
#' x <- log2(colon$x)
#' links <- active_constraints(x, colon$tissue, n = 20)
#' suspect_answers(links, x, scale = "none")
#' @export
suspect_answers <- function(constraints, x, ...) {
    check_constraints(constraints)
    data <- prepared(x, ..., uses = c("scale", "space", "na.action"))
    # pairs of two blocks have a distance too
    data["block_of"] <- list(NULL)
    input <- asked_input(data, distances = space_distance,
                         space = default_components)
    constraints <- match_constraints(constraints, input$data)
    pairs <- as.data.frame(constraints)
    control <- no_progress(data$control)
    pairs$distance <- pair_distances(input$where, pairs$i, pairs$j, control)
    # The share of all pairs that are as far or farther (`far`), else as near
    # or nearer, than each distance; those of components are rounded.
    far <- pairs$type == "must-link"
    n <- input$data$n
    limit <- pairs$distance^2 * ifelse(far, 1 - 1e-6, 1 + 1e-6)
    order <- order(limit)
    rows <- some_of(seq_len(n), max(200, ceiling(4e6 / n)))
    # of all pairs, those in each gap between the limits
    gaps <- numeric(length(limit) + 1L)
    for (own in split(rows, (seq_along(rows) - 1L) %/% 50L)) {
        squared <- sample_distances(input$where, own, control)
        squared <- squared[-((seq_along(own) - 1L) * n + own)]
        gaps <- gaps + tabulate(findInterval(squared, limit[order]) + 1L,
                                length(gaps))
    }
    nearer <- numeric(length(limit))
    nearer[order] <- cumsum(gaps)[seq_along(limit)] / sum(gaps)
    pairs$share <- ifelse(far, 1 - nearer, nearer)
    pairs$confidence <- NULL
    pairs <- pairs[order(pairs$share), ]
    rownames(pairs) <- NULL
    structure(pairs, space = input$where$label %||% "all features",
              class = c("suspect_answers", "data.frame"))
}

#' @export
print.suspect_answers <- function(x, n = 3L, ...) {
    n <- check_count_or_all(n, "n")
    if (!all(c("name_i", "type", "share") %in% names(x))) return(NextMethod())
    cat("<suspect_answers> ", count_noun(nrow(x), "answer"), ", distances in ",
        attr(x, "space"), "\n", sep = "")
    shown <- utils::head(x, n)
    name <- function(number, name) ifelse(is.na(name), number, name)
    nearer <- shown$type == "cannot-link"
    cat(strwrap_line(paste0(
        "  look again at ", name(shown$i, shown$name_i), " and ",
        name(shown$j, shown$name_j), ": ", answer_words[shown$type], ", but ",
        formatC(100 * shown$share, digits = 1L, format = "f"),
        " % of all pairs are ", ifelse(nearer, "nearer", "farther apart")
    ))[nrow(shown) > 0L], sep = "\n")
    cat_rest(nrow(x) - nrow(shown), " less unusual; as.data.frame() gives all.")
    invisible(x)
}
