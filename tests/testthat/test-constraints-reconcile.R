# Answers between samples of two or three groups, some of them wrong.
random_answers <- function(n, count, wrong, weights = NULL) {
    group <- sample(rep_len(1:3, n))
    all <- t(utils::combn(n, 2))
    pick <- all[sample(nrow(all), count), ]
    flip <- sample(nrow(pick)) %in% sample(nrow(pick))[seq_len(nrow(pick))] &
        stats::runif(nrow(pick)) < wrong
    same <- xor(group[pick[, 1]] == group[pick[, 2]], flip)
    data.frame(first = pick[, 1], second = pick[, 2],
               answer = ifelse(same, "same", "different"),
               confidence = if (is.null(weights)) NA_real_ else weights)
}

quietly <- function(work) suppressMessages(work)

# As the reference reads it.
as_pairs <- function(answers) {
    data.frame(first = answers$first, second = answers$second,
               must_link = answers$answer == "same",
               weight = ifelse(is.na(answers$confidence), 1,
                               answers$confidence))
}

test_that("the pairs that stay are those of the reference", {
    set.seed(1)
    exchanged <- 0
    for (trial in 1:40) {
        answers <- random_answers(6, 9, 0.35, stats::runif(9, 0.5, 1))
        pairs <- as_pairs(answers)
        want <- reference_settle(pairs, 6)
        greedy <- reference_enter(pairs, 6, logical(9))
        exchanged <- exchanged + !identical(want, greedy)
        links <- quietly(reconcile_answers(answers, 6))
        key <- function(first, second) sort(paste(pmin(first, second),
                                                  pmax(first, second)))
        expect_identical(key(links$first, links$second),
                         key(pairs$first[want], pairs$second[want]))
        expect_equal(nrow(answer_conflicts(links)), sum(!want))
    }
    # the data have exchanges
    expect_gt(exchanged, 2)
})

test_that("equal weights: consistent, nothing could be added, near the best", {
    set.seed(2)
    lost <- best <- 0
    for (trial in 1:25) {
        answers <- random_answers(7, 10, 0.3)
        pairs <- as_pairs(answers)
        links <- quietly(reconcile_answers(answers, 7))
        inside <- paste(pairs$first, pairs$second) %in%
            paste(links$first, links$second)
        expect_true(reference_consistent(pairs[inside, ], 7))
        for (out in which(!inside)) {
            more <- replace(inside, out, TRUE)
            expect_false(reference_consistent(pairs[more, ], 7))
        }
        lost <- lost + sum(!inside)
        best <- best + 10 - reference_most_weight(pairs, 7)
    }
    expect_gte(lost, best)
    expect_lte(lost, 1.05 * best)
})

test_that("by hand: one wrong must-link against three cannot-links", {
    # groups a b and c d; b-c is wrong and comes first
    answers <- data.frame(
        first = c("b", "a", "c", "a", "a", "b"),
        second = c("c", "b", "d", "c", "d", "d"),
        answer = c("same", "same", "same", "different", "different",
                   "different")
    )
    expect_message(links <- reconcile_answers(answers),
                   "Left out: 1 answer, see answer_conflicts().",
                   fixed = TRUE)
    found <- answer_conflicts(links)
    expect_identical(as.list(found[c("first", "second", "answer", "reason",
                                     "weight", "votes")]),
                     list(first = "b", second = "c", answer = "must-link",
                          reason = "chain", weight = 1, votes = 1L))
    # b is different from d, which is like c
    expect_true(found$chain %in% c("b | d-c", "b-a | c"))
    expect_length(links, 5)
})

test_that("agreeing answers give what pairwise_constraints() gives", {
    set.seed(3)
    answers <- random_answers(12, 20, 0, sample(c(NA, 0.5, 1), 20, TRUE))
    expect_silent(links <- reconcile_answers(answers, 12))
    expect_equal(as.data.frame(links),
                 as.data.frame(pairwise_constraints(answers, samples = 12)))
    expect_identical(nrow(answer_conflicts(links)), 0L)
    expect_identical(nrow(answer_conflicts(links[1:3])), 0L)
    expect_output(print(answer_conflicts(links)), "0 answers left out")
    # a questionnaire's result, and constraints, are tables
    asked <- active_constraints(log2(colon$x), colon$tissue, n = 5)
    expect_identical(as.data.frame(reconcile_answers(asked,
                                                     rownames(colon$x))),
                     as.data.frame(asked)[1:7])
    expect_identical(as.data.frame(reconcile_answers(list(links), 12)),
                     as.data.frame(links))
})

test_that("votes of a pair are added, one for each rater", {
    pair <- function(answer, ...) {
        data.frame(first = "a", second = "b", answer = answer, ...)
    }
    settle <- function(...) quietly(reconcile_answers(list(...)))
    # two against one, then a tie
    two <- settle(ann = pair("same"), bob = pair("different"),
                  eve = pair(TRUE))
    expect_identical(as.data.frame(two)$type, "must-link")
    expect_equal(two$confidence, 1 / 3)
    expect_identical(answer_conflicts(two)$raters, "bob")
    expect_identical(answer_conflicts(two)$reason, "outvoted")
    tie <- settle(ann = pair("same"), bob = pair("different"))
    expect_length(tie, 0)
    expect_identical(answer_conflicts(tie)$reason, c("tie", "tie"))
    expect_setequal(answer_conflicts(tie)$raters, c("ann", "bob"))
    # unsure is no vote
    expect_identical(settle(pair("same"), pair(NA))$must_link, TRUE)
    # confidence counts: 0.9 against 0.4 and 0.4
    weighed <- settle(pair("same", confidence = 0.9),
                      pair("different", confidence = 0.4),
                      pair("different", confidence = 0.4))
    expect_identical(weighed$must_link, TRUE)
    expect_equal(weighed$confidence, 0.1 / 3)
    # a rater who was asked twice has one vote
    twice <- rbind(pair("same", rater = "ann"), pair("same", rater = "ann"),
                   pair("different", rater = "bob"))
    expect_length(quietly(reconcile_answers(twice)), 0)
    # without raters every row is a vote
    expect_length(quietly(reconcile_answers(twice[1:3])), 1)
})

# Votes of some tables: given, used for a pair that stays, listed as left out.
vote_counts <- function(tables, samples) {
    links <- quietly(reconcile_answers(tables, samples))
    rows <- do.call(rbind, unname(Map(function(table, name) {
        rater <- table$rater %||%
            if (length(tables) > 1L) name else seq_len(nrow(table))
        data.frame(pair = paste(pmin(table$first, table$second),
                                pmax(table$first, table$second)),
                   answer = table$answer, rater = rater)
    }, tables, seq_along(tables))))
    rows <- unique(rows[rows$answer != "unsure", ])
    kept <- as.data.frame(links)
    kept <- paste(pmin(kept$i, kept$j), pmax(kept$i, kept$j),
                  ifelse(kept$type == "must-link", "same", "different"))
    c(given = nrow(rows), used = sum(paste(rows$pair, rows$answer) %in% kept),
      listed = sum(answer_conflicts(links)$votes))
}

test_that("votes given are votes used and votes listed", {
    set.seed(11)
    lost <- 0
    for (trial in 1:60) {
        raters <- 1 + trial %% 3
        tables <- lapply(seq_len(raters), function(rater) {
            # each says some pairs again, and not always the same
            table <- random_answers(7, 12, 0.25)[sample(12, 18, TRUE), ]
            again <- sample(18, 5)
            table$answer[again] <- sample(c("same", "different", "unsure"), 5,
                                          TRUE)
            if (trial %% 4) cbind(table, rater = letters[rater]) else table
        })
        counts <- vote_counts(tables, 7)
        expect_identical(counts[["given"]],
                         counts[["used"]] + counts[["listed"]])
        lost <- lost + counts[["listed"]]
    }
    expect_gt(lost, 60)
})

test_that("a rater's own contradiction is two votes, both listed", {
    pair <- function(answer, rater, ...) {
        data.frame(first = "a", second = "b", answer = answer, rater, ...)
    }
    own <- quietly(reconcile_answers(pair(c("same", "different"), "ann")))
    expect_length(own, 0)
    expect_identical(answer_conflicts(own)$answer, c("must-link",
                                                     "cannot-link"))
    expect_identical(answer_conflicts(own)$raters, c("ann", "ann"))
    both <- quietly(reconcile_answers(rbind(
        pair("different", "ann"), pair(c("same", "different"), "bob"))))
    expect_identical(as.data.frame(both)$type, "cannot-link")
    expect_equal(both$confidence, 0.5)
    lost <- answer_conflicts(both)
    expect_identical(c(lost$answer, lost$raters, lost$reason),
                     c("must-link", "bob", "outvoted"))
})

test_that("raters who agree add up, and those who saw a pair are counted", {
    pair <- function(answer, ...) {
        data.frame(first = c("a", "b"), second = c("b", "c"), answer = answer,
                   ...)
    }
    links <- quietly(reconcile_answers(list(
        ann = pair(c("same", "different")), bob = pair(c("same", "unsure")),
        eve = pair("same")[1, ]
    )))
    table <- as.data.frame(links)
    expect_identical(table$votes, c(2L, 3L))
    expect_equal(table$confidence, c(0.5, 1))
    # 0.8 and 0.4 of three who saw it
    weighed <- quietly(reconcile_answers(list(
        ann = pair("same", confidence = 0.8)[1, ],
        bob = pair("same", confidence = 0.4)[1, ], eve = pair("unsure")[1, ]
    )))
    expect_equal(weighed$confidence, 0.4)
    # what becomes of them
    expect_identical(links[2]$votes, 3L)
    more <- pairwise_constraints(cannot_link = cbind("a", "c"), samples = links$names)
    expect_identical(c(links, more)$votes, c(2L, NA, 3L))
    expect_identical(restrict_constraints(links, c("c", "b"))$votes, 2L)
    expect_identical(close_constraints(links)$votes, c(2L, NA, 3L))
    # one rater alone: as pairwise_constraints()
    expect_null(quietly(reconcile_answers(pair("same")))$votes)
    damaged <- links
    damaged$votes <- 1L
    expect_error(length(damaged), class = "linkrank_error_constraints")
})

test_that("more votes win among equal weights, then the order of the table", {
    chain <- data.frame(first = c("a", "b", "a"), second = c("b", "c", "c"),
                        answer = c("same", "same", "different"))
    expect_identical(answer_conflicts(quietly(reconcile_answers(chain)))$second,
                     "c")
    turned <- answer_conflicts(quietly(reconcile_answers(chain[3:1, ])))
    expect_identical(unlist(turned[c("first", "second")], use.names = FALSE),
                     c("a", "b"))
    # 0.5 of two raters against 1 of one
    halves <- cbind(chain[3, ], confidence = 0.5)
    found <- answer_conflicts(quietly(reconcile_answers(list(
        cbind(chain[1:2, ], confidence = c(1, 1)), halves, halves
    ))))
    expect_identical(found$answer, "must-link")
})

test_that("the order of the rows does not matter with different weights", {
    set.seed(4)
    for (trial in 1:5) {
        answers <- random_answers(15, 40, 0.2, stats::runif(40, 0.3, 1))
        turned <- answers[sample(40), ]
        swap <- stats::runif(40) < 0.5
        turned[swap, 1:2] <- turned[swap, 2:1]
        key <- function(links) sort(paste(pmin(links$first, links$second),
                                          pmax(links$first, links$second),
                                          links$must_link))
        expect_identical(key(quietly(reconcile_answers(answers, 15))),
                         key(quietly(reconcile_answers(turned, 15))))
    }
})

test_that("samples are those of the answers, or those given", {
    by_name <- data.frame(first = c("s3", "s1"), second = c("s1", "s2"),
                          answer = c(TRUE, FALSE))
    links <- reconcile_answers(by_name)
    expect_identical(links$names, c("s3", "s1", "s2"))
    named <- reconcile_answers(by_name, samples = paste0("s", 1:5))
    expect_identical(named$samples, 5L)
    expect_identical(named$first, c(1L, 3L))
    expect_identical(reconcile_answers(data.frame(i = 2, j = 9, type = 1))$samples,
                     9L)
    # a file of answers: samples that are gone are dropped aloud, what they
    # imply stays
    file <- data.frame(i = c(1, 2, 1), j = c(2, 3, 4),
                       name_i = c("a", "b", "a"), name_j = c("b", "c", "d"),
                       type = c("must-link", "must-link", "cannot-link"))
    expect_message(part <- reconcile_answers(file, c("d", "c", "a")),
                   "1 of 3 pairs dropped")
    # the cannot-link, and the must-link through "b"
    expect_identical(as.data.frame(part)$name_i, c("a", "c"))
    expect_identical(as.data.frame(part)$name_j, c("d", "a"))
    expect_message(again <- pairwise_constraints(file, samples = c("d", "c",
                                                                   "a")),
                   "1 of 3 pairs dropped")
    expect_identical(as.data.frame(again), as.data.frame(part))
})

test_that("what is no table of answers is refused", {
    good <- data.frame(first = "a", second = "b", answer = "same")
    expect_refused("constraints",
        reconcile_answers(1:3),
        reconcile_answers(list()),
        reconcile_answers(good[1:2]),
        reconcile_answers(list(good, 7)),
        reconcile_answers(transform(good, answer = "perhaps")),
        reconcile_answers(transform(good, second = "a")),
        reconcile_answers(cbind(good, confidence = 0)),
        reconcile_answers(good, samples = c("a", "c")),
        reconcile_answers(list(good, data.frame(i = 1, j = 2, type = 0))),
        reconcile_answers(good[0, ]),
        reconcile_answers(data.frame()),
        pairwise_constraints(data.frame(), samples = 4)
    )
    expect_refused("argument", reconcile_answers(), answer_conflicts(),
                   reconcile_answers(good, samples = mean),
                   reconcile_answers(good, samples = NA),
                   answer_conflicts(good))
})

test_that("the conflicts are printed", {
    answers <- data.frame(
        first = c("a", "b", "a", "d"), second = c("b", "c", "c", "e"),
        answer = c("same", "same", "different", "same")
    )
    expect_snapshot({
        links <- reconcile_answers(list(ann = answers,
                                        bob = transform(answers[4, ],
                                                        answer = "different")))
        links
        answer_conflicts(links)
        print(answer_conflicts(links), n = 1)
    })
})

test_that("tables without a name in a list that names some are of two raters", {
    same <- data.frame(first = "a", second = "b", answer = "same")
    other <- data.frame(first = "a", second = "b", answer = "different")
    links <- suppressMessages(reconcile_answers(list(ann = other, same, same)))
    expect_identical(links$must_link, TRUE)
    expect_identical(answer_conflicts(links)$raters, "ann")
    # an answer without a rater is of the one who is named for the table
    same$rater <- NA
    twice <- rbind(same, transform(same, rater = "bob"))
    links <- suppressMessages(reconcile_answers(list(ann = other, bob = twice)))
    expect_length(links, 0L)
    x <- matrix(rnorm(40), 10, dimnames = list(letters[1:10], NULL))
    q <- questionnaire(x, answers = list(ann = other, same, same))
    expect_setequal(q$said$rater, c("ann", "rater 2", "rater 3"))
})

test_that("what was left out stays listed when the constraints change", {
    ann <- data.frame(first = c("a", "b", "a", "d"),
                      second = c("b", "c", "c", "e"),
                      answer = c("same", "same", "different", "same"))
    bob <- data.frame(first = c("a", "d"), second = c("b", "e"),
                      answer = c("same", "different"))
    quietly <- suppressMessages
    links <- quietly(reconcile_answers(list(ann = ann, bob = bob)))
    lost <- answer_conflicts(links)
    expect_identical(nrow(lost), 3L)
    for (same in list(links[1:2], links[], close_constraints(links),
                      c(links, links), c(links, pairwise_constraints(
                          cannot_link = cbind("a", "d"),
                          samples = links$names)),
                      restrict_constraints(links, 5:1))) {
        expect_identical(answer_conflicts(same), lost)
    }
    part <- quietly(restrict_constraints(links, c("e", "d", "a")))
    expect_identical(answer_conflicts(part), as_conflicts(lost[
        lost$first == "d", ]))
    # samples by number
    number <- function(table) {
        table[1:2] <- lapply(table[1:2], match, letters)
        table
    }
    links <- quietly(reconcile_answers(list(ann = number(ann),
                                            bob = number(bob))))
    turned <- answer_conflicts(restrict_constraints(links, 5:1))
    expect_identical(turned$first, 6L - answer_conflicts(links)$first)
    chained <- turned$reason == "chain"
    expect_identical(turned$chain[chained], "5-4-3")
    part <- quietly(restrict_constraints(links, c(3, 1)))
    expect_identical(answer_conflicts(part)$chain, "2-?-1")
    expect_identical(answer_conflicts(part)$first, 2L)
})

test_that("raters who sorted are known after the constraints change", {
    tissue <- as.character(colon$tissue)
    x <- log2(colon$x)
    ann <- active_constraints(x, tissue, n = 12)
    wrong <- replace(tissue, ann$questions$i[6], "other")
    bob <- active_constraints(x, wrong, n = 12)
    links <- suppressMessages(reconcile_answers(list(ann = ann, bob = bob),
                                                rownames(x)))
    for (same in list(links[], close_constraints(links), c(links, links[1:2]),
                      c(links[1:2], links))) {
        expect_identical(same$raters, links$raters)
    }
    asked <- function(links) next_pair(questionnaire(x, raters = links))
    expect_identical(asked(links[]), asked(links))
    # sets of other raters
    cat <- suppressMessages(reconcile_answers(list(cat = ann, dan = bob),
                                              rownames(x)))
    both <- c(links, cat)
    expect_identical(both$raters$rater, c("ann", "bob", "cat", "dan"))
    expect_identical(both$raters$error, rep(links$raters$error, 2))
    expect_output(print(both), "dan: 13 samples sorted")
})

test_that("a rater without a name is none of those that have one", {
    said <- function(answer, rater = NULL) {
        table <- data.frame(first = "a", second = "b", answer = answer)
        table$rater <- rater
        table
    }
    links <- suppressMessages(reconcile_answers(list(
        said("same", "rater 2"), said("same"), said("different"))))
    expect_identical(links$must_link, TRUE)
    expect_identical(answer_conflicts(links)$raters, "rater 3")
    # a blank makes no other rater
    own <- list(said("same"), said("different"))
    links <- suppressMessages(reconcile_answers(stats::setNames(
        own, c("ann", "ann "))))
    expect_identical(answer_conflicts(links)$raters, c("ann", "ann"))
    x <- matrix(rnorm(20), 10, dimnames = list(letters[1:10], NULL))
    q <- questionnaire(x, answers = list(said("same", "rater 2"),
                                         said("different")))
    expect_identical(q$said$rater, c("rater 2", "rater 2.1"))
})

test_that("a rater may have seen none of the samples", {
    file <- function(first, second) {
        data.frame(name_i = first, name_j = second, type = "must-link")
    }
    ann <- file(c("a", "c"), c("b", "d"))
    bob <- file("g", "h")
    expect_message(links <- reconcile_answers(list(ann = ann, bob = bob),
                                              letters[1:6]), "1 of 3 pairs")
    expect_match(links$answered[2], "bob (1 question about pairs)", fixed = TRUE)
    links$answered <- links$answered[1]
    expect_equal(links, reconcile_answers(list(ann = ann), letters[1:6]))
    expect_error(reconcile_answers(list(ann = bob, bob = bob), letters[1:6]),
                 "no such name", class = "linkrank_error_constraints")
})
