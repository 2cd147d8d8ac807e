# The trial of an answer, from the definition: right, and by chance.
predicted_trial <- function(q, shown, same, places) {
    best <- tail(Filter(Negate(is.null), q$best), 1)
    group <- q$closure$component
    relation <- closure_relation(q$closure, rep(shown[1], q$samples),
                                 seq_len(q$samples))
    able <- setdiff(unique(c(q$first, q$second, shown[-1])),
                    c(which(group == group[shown[1]]),
                      which(relation == "cannot-link")))
    if (!length(best) || length(unique(group[able])) < 2) {
        return(NULL)
    }
    near <- as.matrix(dist(places[, best[[1]]], "manhattan"))[shown[1], able]
    nearest <- group[able][which.min(near)]
    at <- match(nearest, group[shown[-1]])
    if (!is.na(at)) c(right = same[at], chance = mean(group[able] == nearest))
}

# A questionnaire whose samples have all been sorted by their labels, in order.
sorted_until <- function(labels, x = random_matrix(length(labels), 12), ...) {
    answer_sorted(questionnaire(x, order = seq_along(labels), ask = "groups",
                                hint = TRUE, ...), labels)
}

answer_sorted <- function(q, labels, count = Inf) {
    while (count > 0 && !is.null(shown <- next_pair(q))) {
        same <- labels[shown[1]] == labels[shown[-1]]
        q <- answer_pair(q, c(which(same), 0)[1])
        count <- count - 1
    }
    q
}

test_that("kinds are counted in the order in which they are founded", {
    q <- sorted_until(c(2, 2, 1, 3, 1, 2))
    expect_identical(seen_kinds(q), list(c(1L, 2L, 6L), c(3L, 5L), 4L))
    expect_identical(stop_advice(q)[c("kinds", "once")],
                     list(kinds = 3L, once = 1L))
    expect_output(print(q), "3 kinds so far, one seen only once: there may be")
    # pairs: who is not compared with all kinds may be of one of them
    pairs <- questionnaire(random_matrix(6, 12), order = 1:6, ask = "pairs")
    for (same in c(FALSE, FALSE)) pairs <- answer_pair(pairs, same)
    expect_length(seen_kinds(pairs), 2L)
    expect_length(seen_kinds(answer_pair(pairs, FALSE)), 3L)
    expect_length(seen_kinds(answer_pair(pairs, NA)), 2L)
    expect_identical(seen_kinds(questionnaire(random_matrix(6, 3))), list())
    # blocks are compared last
    q <- questionnaire(random_matrix(8, 12), order = 1:8, hint = TRUE,
                       block = rep(1:2, each = 4))
    q <- answer_all(q, rep(c(1, 2), c(2, 6)), 4)
    expect_length(seen_kinds(q), 2L)
    expect_gt(length(seen_kinds(q, across = TRUE)), 1L)
})

test_that("advice needs settled, predicting features and no kind seen once", {
    q <- sorted_until(rep(1:2, 6))
    expect_false(is_stable(q))
    # the last answer again, after such a share and such predictions
    advised <- function(share = 0.85, right = TRUE, of = q) {
        of$best <- replicate(11, 1:20, simplify = FALSE)
        of$best[[3]] <- c(of$ranking$order, 13:99)[1:6]
        of$predicted <- lapply(1:10, function(k) c(right = right, chance = 0.5))
        is_stable(follow_ranking(of))
    }
    settled <- function(share) has_settled(replace(q, "stability", list(share)))
    expect_true(settled(0.85))
    for (share in list(0.84, NA_real_, numeric())) expect_false(settled(share))
    expect_true(advised())
    expect_false(advised(right = FALSE))
    few <- sorted_until(rep(1:2, 5))
    expect_identical(count_asked(few), 9L)
    expect_false(has_settled(replace(few, "stability", 1)))
    # the same, but the last sample is the only one of its kind
    once <- sorted_until(c(rep(1:2, 5), 1, 3))
    expect_false(advised(of = once))
})

test_that("advice stays until a kind is seen only once", {
    set.seed(4)
    x <- random_matrix(40, 50)
    truth <- rep(1:2, 20)
    x[, 1:20] <- x[, 1:20] + 9 * truth
    truth[c(25, 30)] <- 3
    q <- questionnaire(x, order = 1:40, ask = "groups", n = 24, hint = TRUE)
    q <- answer_sorted(q, truth, 23)
    expect_true(is_stable(q))
    # the best features change: nothing is taken back
    q$best[15:23] <- list(21:40)
    kept <- answer_pair(q, 1)
    expect_lt(tail(kept$stability, 1), 0.5)
    expect_true(is_stable(kept))
    expect_true(is_stable(answer_pair(q, NA)))
    expect_output(print(kept), "You may stop: the best features settled")
    # a new kind, and its second sample: all is needed again
    new <- answer_pair(q, 0)
    expect_false(is_stable(new))
    expect_identical(stop_advice(new)[c("kinds", "once")],
                     list(kinds = 3L, once = 1L))
    expect_true(is_stable(undo_answer(new)))
    # a changed answer that leaves all kinds seen twice, and one that does not
    expect_true(is_stable(answer_pair(kept, NA, number = 20)))
    expect_false(is_stable(answer_pair(kept, 0, number = 20)))
})

test_that("nothing is advised below ten features", {
    q <- sorted_until(rep(1:2, 10), random_matrix(20, 9))
    expect_null(stop_advice(q))
    expect_identical(advice_lines(q), NULL)
    expect_null(show_advice(q, as.list(questionnaire_words())))
    expect_false(is.null(stop_advice(sorted_until(rep(1:2, 10)))))
})

test_that("stability is the share of the best features of 8 answers before", {
    x <- random_matrix(30, 50)
    truth <- rep(1:2, 15)
    for (strategy in c("groups", "random")) {
        q <- questionnaire(x, strategy = strategy, ask = "pairs", n = 16, hint = TRUE)
        best <- list()
        wanted <- numeric()
        while (!is.null(pair <- next_pair(q))) {
            unsure <- length(wanted) %in% c(3, 12)
            same <- truth[pair[1]] == truth[pair[2]]
            q <- answer_pair(q, if (unsure) NA else same)
            links <- pairwise_constraints(q)
            ranked <- count_pairs(links)[["cannot_link"]] > 0 && !unsure
            if (ranked) {
                ranking <- if (strategy == "groups") {
                    glean(x, links)
                } else {
                    relieff_sc(x, links)
                }
                best <- c(best, list(top_features(ranking, 20)))
            }
            at <- length(best)
            wanted <- c(wanted, if (ranked && at > 8) {
                mean(best[[at]] %in% best[[at - 8]])
            } else {
                NA
            })
        }
        expect_equal(q$stability, wanted)
        expect_gt(sum(!is.na(wanted)), 2)
    }
})

test_that("unsure answers never advise to stop", {
    x <- random_matrix(30, 50)
    q <- questionnaire(x, hint = TRUE)
    q <- answer_pair(q, "different")
    for (k in 1:20) q <- answer_pair(q, NA)
    expect_false(is_stable(q))
    expect_identical(q$stability, rep(NA_real_, 21))
})

test_that("what takes seconds is ranked by margins, and nothing is said", {
    small <- questionnaire(random_matrix(14, 6), hint = TRUE)
    expect_true(ranks_by_glean(small))
    small$samples <- 1001L
    expect_false(ranks_by_glean(small))
    expect_silent(answer_pair(questionnaire(random_matrix(14, 6), hint = TRUE),
                              FALSE))
})

test_that("answers are predicted by the nearest sample in the best features", {
    x <- random_matrix(30, 50)
    truth <- rep(1:2, 15)
    x[, 1:20] <- x[, 1:20] + truth
    places <- apply(x, 2, function(v) (v - min(v)) / (max(v) - min(v)))
    for (ask in c("pairs", "groups")) {
        q <- questionnaire(x, ask = ask, n = 14, hint = TRUE)
        while (!is.null(next_pair(q))) {
            before <- q
            shown <- q$pending
            same <- truth[shown[1]] == truth[shown[-1]]
            q <- answer_pair(q, if (ask == "pairs") same else
                c(which(same), 0)[1])
            expect_equal(tail(q$predicted, 1)[[1]],
                         predicted_trial(before, shown, same, places))
        }
        trials <- do.call(rbind, q$predicted)
        expect_gt(nrow(trials), 3)
        # all sequences of right and wrong
        right <- as.matrix(expand.grid(rep(list(0:1), nrow(trials))))
        chance <- apply(right, 1, function(one) {
            prod(ifelse(one, trials[, "chance"], 1 - trials[, "chance"]))
        })
        expect_equal(prediction_p_value(q),
                     sum(chance[rowSums(right) >= sum(trials[, "right"])]))
        expect_identical(undo_answer(q)$predicted, head(q$predicted, -1))
        changed <- answer_pair(q, if (ask == "pairs") NA else "unsure",
                               number = 14)
        expect_identical(changed$predicted, rep(list(NULL), 14))
    }
    expect_identical(prediction_p_value(list(predicted = list(NULL))), NA_real_)
})

test_that("factors of three levels have a hint too", {
    set.seed(1)
    truth <- rep(1:2, 15)
    table <- data.frame(a = factor(rep(c("u", "v", "w"), 10)), b = truth,
                        c = rnorm(30))
    q <- questionnaire(table, n = 10, hint = TRUE, scale = "range")
    q <- answer_all(q, truth)
    expect_length(q$stability, 10L)
    expect_equal(best_distances(q, 1L, c(2L, 4L), 1:2),
                 c(1 + abs(diff(range(truth))), 1))
})

test_that("a ranking that may come later is the same, and waits for no answer", {
    x <- random_matrix(30, 50)
    truth <- rep(1:2, 15)
    now <- later <- rare <- questionnaire(x, ask = "pairs", n = 14,
                                          hint = TRUE)
    later$later <- rare$later <- TRUE
    for (k in 1:14) {
        answer <- if (k != 3) diff(truth[now$pending]) == 0 else NA
        now <- answer_pair(now, answer)
        later <- answer_pair(later, answer)
        rare <- answer_pair(rare, answer)
        expect_identical(later$pending, now$pending)
        later <- catch_up(later)
        expect_false(isTRUE(later$behind))
        same <- c("ranking", "best", "stability", "predicted", "advised")
        expect_identical(later[same], now[same])
    }
    # rankings that were outdated are not computed
    expect_null(rare$ranking)
    expect_identical(catch_up(rare)$ranking, now$ranking)
    undone <- undo_answer(later)
    expect_identical(undone$ranking, now$ranking)
    expect_identical(catch_up(undone)$ranking, undo_answer(now)$ranking)
    changed <- answer_pair(later, "unsure", number = 5)
    expect_identical(catch_up(changed)$ranking,
                     answer_pair(now, "unsure", number = 5)$ranking)
})
