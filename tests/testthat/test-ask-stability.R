# `known`: deciding answers; `share`: the last value of stability; `predicted`: were
# the answers predicted?
settled <- function(share, known = 30L, predicted = TRUE) {
    trials <- lapply(1:10, function(k) c(right = predicted, chance = 0.5))
    list(stability = c(NA, share), implied = rep(FALSE, known),
         repeated = rep(FALSE, known), type = rep("must-link", known),
         action = seq_len(known), best = list(1:20), predicted = trials)
}

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

test_that("advice to stop: 85 % of the best, at least 10 answers that decide", {
    expect_true(is_stable(settled(0.85)))
    expect_true(is_stable(settled(1, 10L)))
    expect_false(is_stable(settled(1, 9L)))
    expect_false(is_stable(settled(0.84)))
    expect_false(is_stable(settled(NA)))
    expect_false(is_stable(list(stability = numeric())))
    expect_false(is_stable(settled(1, predicted = FALSE)))
    expect_true(has_settled(settled(1, predicted = FALSE)))
    expect_identical(stability_sentence(settled(0.9)), paste(
        "18 of the best 20 features are the same as 8 answers ago, and they",
        "predicted answers better than chance: you may stop."))
    expect_null(stability_sentence(settled(0.5)))
    expect_identical(stability_counts(settled(0.5)),
                     list(same = 10, count = 20L, before = 8L))
})

test_that("stability is the share of the best features of 8 answers before", {
    x <- random_matrix(30, 50)
    truth <- rep(1:2, 15)
    for (strategy in c("groups", "random")) {
        q <- questionnaire(x, strategy = strategy, n = 16, hint = TRUE)
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
    expect_null(stability_sentence(q))
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
    while (!is.null(pair <- next_pair(q))) {
        q <- answer_pair(q, truth[pair[1]] == truth[pair[2]])
    }
    expect_length(q$stability, 10L)
    expect_equal(best_distances(q, 1L, c(2L, 4L), 1:2),
                 c(1 + abs(diff(range(truth))), 1))
})
