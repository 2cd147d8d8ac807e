# Constraints from answers that disagree: the votes of each pair are added, then
# the pairs enter one by one, and those that contradict are left out.

#' Constraints from answers that disagree
#'
#' `reconcile_answers()` makes constraints of answers, some of them wrong. Of
#' people who sorted samples it estimates how often each errs, and the kind of
#' each sample. Of answers about pairs it counts votes, and leaves out those of
#' least weight that contradict the others. `answer_conflicts()` lists them, and
#' why.
#'
#' @param answers A table of answers, or a list of them named by rater: a
#'   data.frame, as from [read_answers()], the name of such a file, or
#'   constraints.
#' @param samples As in [pairwise_constraints()]. `NULL`: those in the answers,
#'   in order of appearance.
#' @param constraints What `reconcile_answers()` returned.
#'
#' @return `reconcile_answers()`:
#'   [`pairwise_constraints`][pairwise_constraints()]. The `confidence` of a
#'   pair is |sum of votes| / number of raters who saw it, and `NA`, which
#'   counts as 1, where that is one rater who gave none; of sorted samples the
#'   probability of the kind. Where several raters saw a pair, `as.data.frame()`
#'   has their number in `votes`. Of raters who sorted, field `raters` has a row
#'   each: `rater`, `samples` placed, `error`, and `agreement`, the adjusted
#'   Rand index with each other rater.
#'
#' `answer_conflicts()`: a data.frame, a row for every answer left out: `first`
#' and `second`, `answer`, `weight`, `votes` (sum and number), `raters`,
#' `reason`, `chain`, and `sure`: of somebody who sorted (reason `"placed"`: the
#' result places the samples otherwise; `"open"`: it does not place them) the
#' probability of the kind of the less sure sample. In `chain`, `?` is a sample
#' that a subset left out.
#'
#' @details A table has a row per answer, as for [pairwise_constraints()]: the
#'   pair in `name_i` and `name_j`, `i` and `j`, `first` and `second`, or the
#'   first two columns; the answer in `type`, `answer` or the third column;
#'   optionally `rater`, and `confidence`, above 0, up to 1 (`NA`: 1). When all
#'   agree, the result is that of [pairwise_constraints()].
#'
#' *Raters who sorted* (two or more, or one beside others who answered pairs)
#' have files with columns `action` and `implied`, as [write_answers()] stores
#' them. Each has groups with own numbers. The model (Dawid and Skene 1979, with
#' one error rate for a rater) starts from clusters by average linkage of the
#' share of raters who set two samples apart, cut below one half; the kinds are
#' the clusters of two samples or more. A group stands for the kind with most of
#' its members' weight, of those with which it shared a sample at the start; a
#' group of one says "none of these". A rater's error is (sum of 1 - T + 1) /
#' (samples + 5), at most 0.75. The probability T of a sample's kind is
#' proportional to the kind's share times, for each rater who placed the sample,
#' 1 - error if the group stands for this kind, else error / kinds; the steps
#' are repeated, never to a single kind. A sample is placed where its largest T
#' exceeds 0.5 and some group stands for a kind. The result has must-links from
#' each sample to the one of its kind that was asked about first, and
#' cannot-links to those of other kinds, if a rater set these apart. With fewer
#' than two clusters of two samples these are kept as they are. Beside answers
#' about pairs the result votes as one more rater, with confidence T.
#'
#' *Answers about pairs*:
#'
#' 1. *Votes.* A must-link is a vote of +w, a cannot-link of -w, w its
#'    confidence; unsure is none. A rater who answered a pair several times
#'    alike has one vote, with the mean confidence; one who answered both ways
#'    has two. Answers without a rater are a vote each. Pairs that only follow
#'    (`implied`) have none, and are added in the end where they still follow.
#'    The answer with less weight is left out (`reason` `"outvoted"`); of sum 0
#'    both are (`"tie"`).
#' 2. *Greedy entry.* Pairs enter in decreasing |sum of votes| (equal: more
#'    votes, then the order of the table), unless they contradict the closure of
#'    those before.
#' 3. *Exchange.* One pair that was left out (`"chain"`) enters, and the
#'    lightest pairs that contradict it leave: a minimum cut between its two
#'    samples. Then others may enter. An exchange that lowers the weight left
#'    out is kept, until there is none. A smaller set may exist.
#'
#' A `chain` is a shortest proof: `a-b-c` are must-links, `c | d` is a
#' cannot-link. Each exchange costs, for each pair left out, a shortest chain
#' and a minimum cut.
#'
#' *Samples in dispute.* A sample that was sorted but not placed, or one of an
#' undecided pair or chain that is in no must-link, is in no group of [glean()]
#' and [group_markers()]. [questionnaire()] asks about these.
#'
#' In files answers about samples that are not in `samples` are dropped with a
#' message; what they imply is kept. In tables such a name is an error.
#'
#' @section Errors: `linkrank_error_constraints`: no such table, a word that is
#'   no answer, an unknown sample.
#'
#' @references Dawid, A. P. and Skene, A. M. (1979). *Applied Statistics*, 28,
#'   20-28. \doi{10.2307/2346806}
#'
#' @seealso [answer_agreement()] for how well raters agree, [suspect_answers()]
#'   for answers that do not fit the data
#' @examples
#' ann <- data.frame(first = c("a", "b", "a"), second = c("b", "c", "c"),
#'                   answer = c("same", "same", "different"))
#' bob <- data.frame(first = "a", second = "b", answer = "same")
#' links <- reconcile_answers(list(ann = ann, bob = bob))
#' links
#' answer_conflicts(links)
#'
#' # two who sorted, one of them with wrong samples
#' x <- log2(colon$x)
#' ann <- active_constraints(x, colon$tissue, n = 20)
#' wrong <- as.character(colon$tissue)
#' wrong[ann$questions$i[c(6, 14)]] <- "other"
#' bob <- active_constraints(x, wrong, n = 20)
#' reconcile_answers(list(ann = ann, bob = bob), samples = rownames(x))
#' @export
reconcile_answers <- function(answers, samples = NULL) {
    check_given(answers, "a table of answers, or a list of tables")
    tables <- answer_tables(answers)
    votes <- read_votes(tables, samples)
    sorted <- are_sorted(votes$rows)
    model <- if (any(sorted)) pool_raters(votes$rows[sorted, ])
    sorted <- sorted & !is.null(model)
    rows <- votes$rows[!sorted, ]
    implied <- rows[rows$implied, ]
    counted <- add_votes(rbind(rows[!rows$implied, ], model$pairs),
                         votes$samples)
    pairs <- settle_pairs(counted$pairs)
    kept <- pairs[pairs$kept, ]
    constraints <- new_constraints(
        cbind(kept$first, kept$second), kept$must_link, votes$samples,
        votes$names, kept$confidence, if (any(kept$seen > 1L)) kept$seen,
        origin = worst_origin(votes$rows$origin)
    )
    # implied pairs, as far as they follow from the answers that are kept
    follows <- relation(closure_of(constraints), implied$i, implied$j)
    implied <- implied[(implied$type == follows) %in% TRUE, ]
    constraints <- add_pairs(constraints, implied$i, implied$j,
                             implied$type == "must-link", implied$confidence)
    left_out <- which(!pairs$kept)
    left_out <- left_out[order(pairs$weight[left_out] > 0)]
    conflicts <- conflict_table(pairs, counted$sides, votes$names)
    constraints$disputes <- left_open_pairs(constraints, pairs[left_out, ])
    if (any(sorted)) {
        said <- votes$rows[sorted & !votes$rows$implied &
                               votes$rows$type != "unsure", ]
        known <- relation(closure_of(constraints), said$i, said$j)
        # samples in dispute as pairs of each with itself, the most undecided
        # first, and pairs that somebody answered and nothing decides
        at <- model$samples[model$differ]
        constraints$disputes <- rbind(
            cbind(at, at), cbind(said$i, said$j)[is.na(known), ],
            constraints$disputes, deparse.level = 0
        )
        conflicts <- as_conflicts(rbind(conflicts, unused_answers(
            said, known, model, votes$names)))
    }
    constraints$group_names <- names_of_raters(tables, votes, constraints)
    if (!is.null(votes$wanted)) {
        constraints <- follow_and_report(constraints, seq_along(votes$wanted),
                                    votes$wanted)
    }
    constraints$conflicts <- conflicts
    constraints$raters <- model$raters
    constraints$answered <- answered_words(votes$rows)
    inform_if(nrow(conflicts), "Left out: ",
              count_noun(nrow(conflicts), "answer"),
              ", see answer_conflicts().", class = "constraints")
    constraints
}

# The names that raters gave their groups, each for the group in which most of
# its members are now; of several names the one with most members.
names_of_raters <- function(tables, votes, constraints) {
    groups <- closure_groups(constraints)
    if (!length(groups$size)) return(NULL)
    who <- rater_keys(votes$rows)
    named <- do.call(rbind, unname(Map(function(table, rater) {
        named <- attr(table, "group_names")
        if (!NROW(named)) return(NULL)
        rater <- c(stats::na.omit(raters_of(table, rater)), "rater")[1L]
        names_of_rows(named, votes$names, votes$samples, rater)
    }, tables, names(tables))))
    named <- named[named$rater %in% who, ]
    if (!NROW(named)) return(NULL)
    found <- do.call(rbind, lapply(unique(named$rater), function(one) {
        named <- named[named$rater == one, ]
        own <- groups_of_rater(votes$rows[who == one, ])
        codes <- own$code[match(named$sample, own$samples)]
        now <- lapply(codes, function(code) {
            tabulate(groups$code[own$samples[own$code %in% code]],
                     length(groups$size))
        })
        data.frame(sample = groups$first[vapply(now, which.max, 0L)],
                   name = named$name, size = vapply(now, max, 0L))
    }))
    found <- found[order(-found$size), ]
    found <- found[!duplicated(found$sample) & found$size > 0L, 1:2]
    if (nrow(found)) found
}

# The field `disputes`: of a pair that an answer could still decide, both
# samples; of one whose answers contradict those that are kept each sample with
# itself.
left_open_pairs <- function(constraints, left_out) {
    if (nrow(left_out)) {
        first <- left_out$first
        second <- left_out$second
        open <- is.na(relation(closure_of(constraints), first, second))
        rbind(cbind(first, second)[open, ], cbind(first, first)[!open, ],
              cbind(second, second)[!open, ], deparse.level = 0)
    }
}

#' @rdname reconcile_answers
#' @export
answer_conflicts <- function(constraints) {
    check_given(constraints)
    refuse_if(!inherits(constraints, "pairwise_constraints"),
              "`constraints` must be what reconcile_answers() returned.")
    check_constraints(constraints)
    constraints$conflicts %||% no_conflicts()
}

no_conflicts <- function() {
    as_conflicts(data.frame(
        first = character(), second = character(), answer = character(),
        weight = numeric(), votes = integer(), raters = character(),
        reason = character(), chain = character(), sure = numeric()
    ))
}

as_conflicts <- function(table) {
    class(table) <- c("answer_conflicts", "data.frame")
    rownames(table) <- NULL
    table
}

#' @export
print.answer_conflicts <- function(x, n = 10L, ...) {
    n <- check_count_or_all(n, "n")
    cat("<answer_conflicts> ", count_noun(nrow(x), "answer"), " left out\n",
        sep = "")
    if (!nrow(x) || !all(names(no_conflicts()) %in% names(x)))
        return(invisible(x))
    shown <- utils::head(x, n)
    by <- ifelse(nzchar(shown$raters), paste0(" (", shown$raters, ")"), "")
    why <- c(tie = "as many votes against it", outvoted = "outvoted",
             open = "not settled")[shown$reason]
    placed <- shown$reason == "placed"
    why[placed] <- paste("placed otherwise with probability",
                         formatC(shown$sure, digits = 2L, format = "f"))[placed]
    why[is.na(why)] <- paste("against", shown$chain)[is.na(why)]
    cat_lines(paste0("  ", shown$first, " and ", shown$second, ": ",
                     answer_words[shown$answer], by, ", ", why))
    cat_rest(nrow(x) - nrow(shown), " more; as.data.frame() gives all.")
    invisible(x)
}

answer_words <- c(`must-link` = "same", `cannot-link` = "different",
                  unsure = "unsure")

# ---- reading -----------------------------------------------------------------

# A list of data.frames, named by rater where names were given.
answer_tables <- function(answers) {
    single <- inherits(answers, c("data.frame", "pairwise_constraints"))
    several <- is.list(answers) || is.character(answers)
    refuse_value_if(!single && (!several || is.object(answers) ||
                                    !length(answers)), answers,
                    "`answers` must be a table of answers or a list of tables ",
                    "or files", class = "constraints")
    tables <- lapply(if (single) list(answers) else answers, answer_rows)
    nobody <- length(tables) == 1L && is.null(names(tables))
    stats::setNames(tables, if (nobody) NA else names_of_list(tables))
}

# The raters of a list of tables, also where only some are named. A name that
# is made is that of nobody else.
names_of_list <- function(tables) {
    given <- trimws(names(tables) %||% rep("", length(tables)))
    taken <- unlist(lapply(tables, raters_of, NA))
    made <- make.unique(c(unique(c(given, taken)),
                          paste("rater", seq_along(tables))))
    ifelse(given %in% c("", NA), utils::tail(made, length(tables)), given)
}

# One of them, with the columns of its pairs, the answer, confidence and rater.
answer_rows <- function(table) {
    if (is_text(table)) {
        # by its name, because files are in a later layer
        table <- get("read_answers", envir = topenv(), mode = "function")(table)
    }
    table <- held_constraints(table) %||% table
    if (inherits(table, "pairwise_constraints")) {
        check_constraints(table)
        named <- table$group_names
        named <- data.frame(i = named$sample, remark = as.character(named$name),
                            name_i = show_samples(named$sample, table$names))
        questions <- table$questions
        table <- if (is.null(questions)) as.data.frame(table) else
            questions[!is.na(questions$question), ]
        names(table)[names(table) == "question"] <- "action"
        attr(table, "group_names") <- named
    }
    if (is.data.frame(table)) table <- pairs_of_sheet(table)
    refuse_if(!is.data.frame(table) || length(table) < 3L, "`answers` must be ",
              "a data.frame of at least three columns, the pair and the ",
              "answer, not ", if (is.data.frame(table))
                  paste("one of", count_noun(length(table), "column")) else
                      describe_value(table), ".", class = "constraints")
    structure(plain_table(table), group_names = rows_of_names(table))
}

# list(rows, samples, names, wanted): a row per answer, the number and names of
# all samples in the tables; `wanted`: the names that were asked for, NULL if
# there are no others.
read_votes <- function(tables, samples) {
    wanted <- NULL
    if (is.null(samples)) {
        names <- sample_names_in(tables)
        samples <- length(names)
        if (is.null(names)) {
            numbers <- unlist(lapply(tables, pair_columns, NULL))
            check_sample_numbers(check_some_answer(numbers), "answers",
                                 .Machine$integer.max)
            samples <- as.integer(max(numbers))
        }
    } else {
        names <- named_samples(samples)
        samples <- check_sample_count(samples, names)
        # one rater of several may have seen none of these samples
        found <- lapply(tables, other_names, names)
        other <- unique(unlist(lapply(tables, other_names, names,
                                      !all(vapply(found, is.null, NA)))))
        if (length(other)) {
            wanted <- names
            names <- c(names, other)
            samples <- length(names)
        }
    }
    rows <- do.call(rbind, Map(function(table, rater) {
        rows <- read_pair_table(table, samples, names, "answers", rater = rater)
        one <- paste(rows$action, rows$i, rows$rater)
        # a pair that was answered twice is no answer about several groups
        again <- duplicated(data.frame(one, rows$j))
        many <- one[!again & !is.na(rows$action)]
        rows$several <- rows$implied | one %in% many[duplicated(many)]
        rows$asked <- rep(any(c("action", "time") %in% names(table)),
                          nrow(rows))
        rows$pooled <- logical(nrow(rows))
        rows[order(rows$action), ]
    }, unname(tables), names(tables)))
    check_no_self_pair(rows$i, rows$j, names)
    list(rows = rows, samples = samples, names = names, wanted = wanted)
}

# NA where no rater is named.
raters_of <- function(table, rater) {
    rater <- rep_len(as_names(rater), nrow(table))
    given <- trimws(as_names(table[["rater"]]))
    if (length(given)) ifelse(given %in% c("", "NA", NA), rater, given) else
        rater
}

# In order of appearance; NULL where samples are given by number.
sample_names_in <- function(tables) {
    named <- lapply(tables, function(table) {
        pairs <- pair_columns(table, "")
        if (!is.numeric(pairs[[1L]])) as.character(t(as.matrix(pairs)))
    })
    numbers <- vapply(named, is.null, NA)
    if (all(numbers)) return(NULL)
    refuse_if(any(numbers), "`answers` must give the samples by name in every ",
              "table or by number in every table, but table ",
              which(numbers)[1L], " has numbers and table ",
              which(!numbers)[1L], " names.", class = "constraints")
    names <- unique(unlist(named, use.names = FALSE))
    check_some_answer(names[!is.na(names)])
}

check_some_answer <- function(samples) {
    refuse_if(!length(samples), "`samples` must be given when there is no ",
              "answer.", class = "constraints")
    samples
}

# ---- votes -------------------------------------------------------------------

# list(pairs, sides). `pairs` has a row per pair that somebody decided, in order
# of appearance: first, second, must_link, weight (|sum of votes|), votes for
# that answer, confidence, seen (by how many raters). `sides` has a row per pair
# and answer, must-links first: pair (its row), must_link, the sum (`weight`)
# and number (`votes`) of the votes for it, and the raters.
add_votes <- function(rows, samples) {
    key <- pair_key(rows$i, rows$j, samples)
    voter <- ifelse(is.na(rows$rater), paste0("row ", seq_len(nrow(rows))),
                    paste0("rater ", rows$rater))
    known <- rows$type != "unsure"
    keys <- unique(key[known])
    # unsure is no vote, but who says so has seen the pair
    saw <- !duplicated(paste(key, voter)) & (known | !is.na(rows$rater))
    seen <- tabulate(match(key[saw], keys), length(keys))
    rows <- rows[known, ]
    pair <- match(key[known], keys)
    must <- rows$type == "must-link"
    weight <- ifelse(is.na(rows$confidence), 1, rows$confidence)
    # one vote for each answer of a voter: who contradicts himself has two
    said <- paste(pair, voter[known], must)
    at <- which(!duplicated(said))
    one <- match(said, said[at])
    vote <- as.vector(rowsum(as.numeric(weight), one)) / tabulate(one)
    total <- function(values, by, levels) {
        vapply(split(values, factor(by, levels)), sum, 0, USE.NAMES = FALSE)
    }
    net <- total(ifelse(must[at], vote, -vote), pair[at], seq_along(keys))
    net[abs(net) < 1e-9 * total(vote, pair[at], seq_along(keys))] <- 0
    side <- 2L * pair[at] - must[at]
    sides <- sort(unique(side))
    # those of the raters who sorted are counted by themselves
    votes <- tabulate(match(side[!rows$pooled[at]], sides), length(sides))
    raters <- vapply(split(rows$rater[at], factor(side, sides)), function(own) {
        paste(own[!is.na(own)], collapse = ", ")
    }, "", USE.NAMES = FALSE)
    begin <- match(seq_along(keys), pair)
    plain <- as.vector(tapply(is.na(rows$confidence), pair, all))
    list(pairs = data.frame(
        first = rows$i[begin], second = rows$j[begin],
        must_link = net > 0, weight = abs(net),
        votes = votes[match(2L * seq_along(keys) - (net > 0), sides)],
        confidence = ifelse(plain & seen == 1L, NA_real_, abs(net) / seen),
        seen = seen
    ), sides = data.frame(
        pair = (sides + 1L) %/% 2L, must_link = sides %% 2L == 1L,
        weight = total(vote, side, sides), votes = votes, raters = raters
    ))
}

# ---- entry and exchange ------------------------------------------------------

# The pairs with a column `kept`: which of them stay?
settle_pairs <- function(pairs) {
    votes <- decided_votes(pairs)
    inside <- enter_pairs(votes, logical(length(votes$row)))
    repeat {
        better <- if (!all(inside)) exchange_pair(votes, inside)
        if (is.null(better)) {
            pairs$kept <- seq_len(nrow(pairs)) %in% votes$row[inside]
            return(pairs)
        }
        inside <- better
    }
}

# The pairs that are no tie, by their samples only: list(row, first, second,
# must, weight, order, touched, samples), `row` among all pairs, `order` of
# entry.
decided_votes <- function(pairs) {
    row <- which(pairs$weight > 0)
    pairs <- pairs[row, ]
    touched <- unique(c(pairs$first, pairs$second))
    list(row = row, first = match(pairs$first, touched),
         second = match(pairs$second, touched), must = pairs$must_link,
         weight = pairs$weight, touched = touched, samples = length(touched),
         order = order(-signif(pairs$weight, 12L), -pairs$votes))
}

# Those inside, and in order each other one that contradicts nothing.
enter_pairs <- function(votes, inside) {
    order <- c(which(inside), votes$order[!inside[votes$order]])
    inside[order] <- as.logical(.Call(
        C_admit_pairs, votes$samples, sum(inside), votes$first[order] - 1L,
        votes$second[order] - 1L, votes$must[order]
    ))
    inside
}

# The first exchange that lowers the weight left out, NULL for none.
exchange_pair <- function(votes, inside) {
    outside <- votes$order[!inside[votes$order]]
    # of equally light cuts, the one in the way of most pairs
    blamed <- tabulate(unlist(lapply(outside, function(out) {
        chain_of(votes, inside, out)$pairs
    })), length(inside))
    capacity <- votes$weight * (1 - 1e-6 * blamed / (max(blamed) + 1))
    left_out <- function(inside) sum(votes$weight[!inside])
    for (out in outside) {
        trial <- inside
        trial[lightest_cut(votes, inside, out, capacity)] <- FALSE
        trial[out] <- TRUE
        trial <- enter_pairs(votes, trial)
        if (left_out(trial) < left_out(inside) * (1 - 1e-9)) return(trial)
    }
    NULL
}

# What contradicts a pair that is left out: list(samples, pairs, bar), a
# shortest chain from its first sample to its second, its pairs, and after which
# sample the cannot-link is (0: none, for a cannot-link that is left out).
chain_of <- function(votes, inside, out) {
    must <- which(inside & votes$must)
    ends <- c(votes$first[out], votes$second[out])
    walk <- function(from, to) {
        if (from == to) return(from)
        .Call(C_shortest_path, votes$samples, votes$first[must],
              votes$second[must], from, to)
    }
    if (votes$must[out]) {
        steps <- lapply(ends, steps_from, votes = votes, must = must)
        apart <- which(inside & !votes$must)
        u <- c(votes$first[apart], votes$second[apart])
        v <- c(votes$second[apart], votes$first[apart])
        best <- which.min(steps[[1L]][u] + steps[[2L]][v])
        start <- walk(ends[1L], u[best])
        samples <- c(start, walk(v[best], ends[2L]))
        bar <- length(start)
    } else {
        samples <- walk(ends[1L], ends[2L])
        bar <- 0L
    }
    key <- function(a, b) pair_key(a, b, votes$samples)
    used <- which(inside)
    list(samples = samples, bar = bar, pairs = used[match(
        key(samples[-1L], samples[-length(samples)]),
        key(votes$first[used], votes$second[used])
    )])
}

# Must-links from a sample to each other one, Inf where there is no chain. One
# walk for this and for paths took an eighth more time.
steps_from <- function(from, votes, must) {
    a <- c(votes$first[must], votes$second[must])
    b <- c(votes$second[must], votes$first[must])
    steps <- replace(rep(Inf, votes$samples), from, 0)
    reached <- from
    while (length(reached)) {
        following <- unique(b[a %in% reached])
        following <- following[is.infinite(steps[following])]
        steps[following] <- steps[reached[1L]] + 1
        reached <- following
    }
    steps
}

# The pairs of least total capacity without which `out` contradicts nothing: a
# minimum cut between its samples, by augmenting paths (Edmonds and Karp). For a
# must-link, cannot-links lead from the group of its first sample to that of its
# second only, because a contradiction has one of them.
lightest_cut <- function(votes, inside, out, capacity) {
    must <- which(inside & votes$must)
    group <- .Call(C_components, votes$samples, votes$first[must],
                   votes$second[must])
    ends <- c(votes$first[out], votes$second[out])
    pair <- must[group[votes$first[must]] %in% group[ends]]
    near <- votes$first[pair]
    far <- votes$second[pair]
    backward <- capacity[pair]
    if (votes$must[out]) {
        joins <- function(from, to) {
            which(inside & !votes$must & group[from] == group[ends[1L]] &
                      group[to] == group[ends[2L]])
        }
        along <- joins(votes$first, votes$second)
        against <- joins(votes$second, votes$first)
        near <- c(near, votes$first[along], votes$second[against])
        far <- c(far, votes$second[along], votes$first[against])
        pair <- c(pair, along, against)
        backward <- c(backward, numeric(length(along) + length(against)))
    }
    from <- c(near, far)
    to <- c(far, near)
    capacity <- residual <- c(capacity[pair], backward)
    back <- c(length(pair) + seq_along(pair), seq_along(pair))
    repeat {
        found <- augmenting_path(from, to, residual, ends, votes$samples)
        if (is.null(found$path)) {
            cut <- found$reached[from] & !found$reached[to] & capacity > 0
            return(unique(rep(pair, 2L)[cut]))
        }
        flow <- min(residual[found$path])
        residual[found$path] <- residual[found$path] - flow
        residual[back[found$path]] <- residual[back[found$path]] + flow
    }
}

# list(path, reached): a shortest path of arcs with capacity left between the
# two ends, NULL if there is none, and the samples that were reached.
augmenting_path <- function(from, to, residual, ends, samples) {
    by <- integer(samples)
    reached <- replace(logical(samples), ends[1L], TRUE)
    open <- which(residual > 1e-9 * max(residual))
    last <- ends[1L]
    while (length(last) && !reached[ends[2L]]) {
        arcs <- open[from[open] %in% last & !reached[to[open]]]
        arcs <- arcs[!duplicated(to[arcs])]
        last <- to[arcs]
        reached[last] <- TRUE
        by[last] <- arcs
    }
    path <- integer()
    node <- ends[2L]
    while (reached[node] && node != ends[1L]) {
        path <- c(by[node], path)
        node <- from[by[node]]
    }
    list(path = if (reached[node]) path, reached = reached)
}

# ---- what was left out -------------------------------------------------------

conflict_table <- function(pairs, sides, names) {
    of <- pairs[sides$pair, ]
    reason <- ifelse(of$weight == 0, "tie",
                     ifelse(sides$must_link == of$must_link, "chain",
                            "outvoted"))
    out <- which((reason != "chain" | !of$kept) & sides$votes > 0L)
    if (!length(out)) return(no_conflicts())
    out <- out[order(sides$pair[out], reason[out] != "outvoted")]
    overruled <- reason[out] == "chain"
    chain <- rep("", length(out))
    votes <- decided_votes(pairs)
    inside <- pairs$kept[votes$row]
    rows <- match(sides$pair[out][overruled], votes$row)
    # what contradicts decided pairs that do not stay, as text
    chain[overruled] <- vapply(rows, function(row) {
        proof <- chain_of(votes, inside, row)
        samples <- votes$touched[proof$samples]
        # on either side of the bar, if there is one
        side <- seq_along(samples) > proof$bar
        paste(vapply(split(samples, side), show_path, "", names = names),
              collapse = " | ")
    }, "")
    as_conflicts(data.frame(
        first = show_places(of$first[out], names),
        second = show_places(of$second[out], names),
        answer = ifelse(sides$must_link[out], "must-link", "cannot-link"),
        weight = ifelse(overruled, of$weight[out], sides$weight[out]),
        votes = sides$votes[out], raters = sides$raters[out],
        reason = reason[out], chain = chain, sure = rep(NA_real_, length(out))
    ))
}
