# A questionnaire whose samples have all been sorted by their labels, in order.
sorted_until <- function(labels, x = random_matrix(length(labels), 12), ...) {
    answer_sorted(questionnaire(x, order = seq_along(labels), ask = "sort",
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

test_that("groups are counted in the order in which they are founded", {
    q <- sorted_until(c(2, 2, 1, 3, 1, 2))
    expect_identical(seen_groups(q), list(c(1L, 2L, 6L), c(3L, 5L), 4L))
    expect_identical(session_facts(q), list(groups = 3L, once = 1L))
    expect_output(print(q), "Groups so far: 3, of these seen only once: 1[.]$")
    # pairs: who is not compared with all kinds may be of one of them
    pairs <- questionnaire(random_matrix(6, 12), order = 1:6, ask = "pairs")
    for (same in c(FALSE, FALSE)) pairs <- answer_pair(pairs, same)
    expect_length(seen_groups(pairs), 2L)
    expect_length(seen_groups(answer_pair(pairs, FALSE)), 3L)
    expect_length(seen_groups(answer_pair(pairs, NA)), 2L)
    expect_identical(seen_groups(questionnaire(random_matrix(6, 3))), list())
})

test_that("three facts are said, and not that one may stop", {
    q <- sorted_until(rep(1:2, 6))
    # the last answer again, after such a share; an unsure one changes nothing
    facts <- function(share, of = q) {
        of$stability <- c(share, NA)
        session_facts(of)
    }
    expect_identical(facts(5 / 6), list(groups = 2L, once = 0L, same = 5, count = 6L,
                                        before = 8L, settled = FALSE))
    expect_true(facts(0.85)$settled)
    expect_identical(names(facts(NA)), c("groups", "once"))
    few <- sorted_until(rep(1:2, 5))
    expect_identical(count_answers(few), 9L)
    expect_false(facts(1, few)$settled)
    # questions that build no groups leave most samples alone
    pairs <- answer_all(questionnaire(random_matrix(12, 12), strategy = "random",
                                      hint = TRUE), rep(1:2, 6), 12)
    expect_identical(names(session_facts(pairs)),
                     c("same", "count", "before", "settled"))
    # forty kinds, eight of them seen, each several times, and a ranking at rest
    set.seed(4)
    truth <- rep(1:40, each = 3)
    x <- random_matrix(120, 40) + 9 * diag(40)[truth, ]
    many <- sorted_until(truth, x, n = 23)
    many$stability[23] <- 1
    said <- capture.output(print(many))
    expect_match(said, "Groups so far: 8[.]$", all = FALSE)
    expect_match(said, "The ranking has settled. Rare groups may be missing.",
                 all = FALSE, fixed = TRUE)
    expect_no_match(said, "stop|unlikely")
    words <- unlist(lapply(c("en", "de"), questionnaire_words))
    expect_no_match(words, "may stop|unlikely|chance of|unwahrscheinlich|aufh\u00f6ren")
})

test_that("the dialogue says how things stand after every eighth answer", {
    dialogue <- function(keys, ...) {
        input <- textConnection(keys)
        on.exit(close(input))
        capture.output(active_constraints(
            random_matrix(40, 12), console_oracle(input = input, ...),
            n = 17, ask = "pairs"))
    }
    said <- dialogue(rep("n", 17))
    expect_length(grep("Groups so far", said), 2L)
    expect_match(said[grep("^Question 9", said) - 1], "Groups so far", all = FALSE)
    expect_match(said, "^Ranking not settled yet [(][0-6] of 6 features stayed[)]",
                 all = FALSE)
    expect_length(grep("Groups so far", dialogue(rep("n", 17), hint = FALSE)), 0L)
})

test_that("nothing is said of fewer than ten features", {
    q <- sorted_until(rep(1:2, 10), random_matrix(20, 9))
    expect_null(session_facts(q))
    expect_identical(standing_lines(q), NULL)
    expect_null(show_standing(q, as.list(questionnaire_words())))
    expect_false(is.null(session_facts(sorted_until(rep(1:2, 10)))))
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

test_that("unsure answers settle nothing", {
    x <- random_matrix(30, 50)
    q <- questionnaire(x, hint = TRUE)
    q <- answer_pair(q, "different")
    for (k in 1:20) q <- answer_pair(q, NA)
    expect_null(session_facts(q)$settled)
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

test_that("factors of three levels have a hint too", {
    set.seed(1)
    truth <- rep(1:2, 15)
    table <- data.frame(a = factor(rep(c("u", "v", "w"), 10)), b = truth,
                        c = rnorm(30))
    q <- questionnaire(table, n = 10, hint = TRUE, scale = "range")
    q <- answer_all(q, truth)
    expect_length(q$stability, 10L)
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
        same <- c("ranking", "best", "stability")
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
