data40 <- function() {
    set.seed(4)
    random_matrix(40, 5)
}
kinds40 <- rep(c("a", "b", "c"), length.out = 40)

test_that("repeats are asked beyond n, sides swapped, and decide nothing", {
    set.seed(9)
    q <- questionnaire(data40(), ask = "pairs", n = 12, repeats = 3)
    plain <- questionnaire(data40(), ask = "pairs", n = 12)
    expect_identical(next_pair(q), next_pair(plain))
    q <- answer_all(q, kinds40)
    plain <- answer_all(plain, kinds40)
    expect_identical(count_answers(q), 15L)
    expect_identical(as.data.frame(pairwise_constraints(q)),
                     as.data.frame(pairwise_constraints(plain)))
    answers <- answer_table(q)
    again <- which(answers$repeated)
    expect_length(again, 3)
    expect_gte(min(again), 4)
    for (at in again) {
        # the same pair earlier, but not just before
        first <- which(answers$i == answers$j[at] & answers$j == answers$i[at])
        expect_lt(first, at - 1)
        expect_false(answers$repeated[first])
    }
    expect_identical(answers[!answers$repeated, c("i", "j", "type")],
                     answer_table(plain)[c("i", "j", "type")],
                     ignore_attr = TRUE)
    facts <- summary(q)
    expect_identical(c(facts$asked, facts$repeated, facts$consistent),
                     c(12L, 3L, 3L))
    expect_output(print(q), "3 questions asked twice: the answers are alike")
})

# The states of a questionnaire in which a repeated question is due.
repeated_states <- function(..., kinds = kinds40, ask = "pairs") {
    set.seed(7)
    q <- questionnaire(data40(), ask = ask, n = 15, repeats = 4, ...)
    states <- list()
    while (!is.null(pair <- next_pair(q))) {
        if (q$pending_repeat) states <- c(states, list(q))
        q <- if (length(pair) > 2) answer_pair(q, match(
            kinds[pair[1]], kinds[pair[-1]], nomatch = 0L)) else
                answer_pair(q, kinds[pair[1]] == kinds[pair[2]])
    }
    states
}

test_that("a repeated question does not tell its own answer", {
    for (ask in c("pairs", "groups")) {
        states <- repeated_states(ask = ask)
        expect_length(states, 4)
        joined <- vapply(states, function(q) {
            closure_relation(q$closure, q$pending[1], q$pending[2])
        }, "")
        expect_true(all(c("must-link", "cannot-link") %in% joined))
        for (q in states) {
            again <- asked_again(q)
            expect_length(again, 1)
            expect_true(all(q$pending %in% shown_of(q, again)))
            seen <- without_repeat(q)$closure
            expect_false("must-link" %in% closure_relation(seen, q$pending[1],
                                                           q$pending[2]))
            # all other answers are shown
            others <- !q$repeated & !q$implied & q$action != again
            expect_identical(closure_relation(seen, q$first, q$second)[others],
                             closure_relation(q$closure, q$first,
                                              q$second)[others])
            listed <- capture.output(show_answers(q))
            expect_length(listed, count_answers(q) - 1)
            expect_no_match(listed, paste0("^ *", again, " "))
            # answered, it is listed
            q <- answer_pair(q, FALSE)
            expect_false(again %in% asked_again(q))
            expect_identical(without_repeat(q), q)
        }
    }
})

test_that("answers that join the two samples otherwise do not tell it either", {
    q <- repeated_states()[[1]]
    pair <- q$pending
    third <- setdiff(1:40, c(q$first, q$second))[1]
    for (i in pair) {
        q <- record_answer(q, c(i, third), "must-link")
    }
    seen <- without_repeat(q)$closure$component
    expect_true(seen[pair[1]] != seen[pair[2]])
    expect_identical(sum(seen == seen[pair[1]]), 1L)
})

test_that("the dialogue counts repeats, and does not list what it asks again", {
    input <- textConnection(rep(c("l", "", "n"), 9))
    set.seed(7)
    shown <- capture.output(active_constraints(
        data40(), console_oracle(input = input), n = 6, ask = "pairs",
        repeats = 3
    ))
    close(input)
    said <- grep("^Question", shown, value = TRUE)
    expect_identical(unique(sub(":.*", "", said)),
                     paste("Question", 1:9, "of 9"))
    # eight lists, of 1 to 8 answers; the three repeats hide one each
    expect_length(grep("^ +[0-9]+  .* and .*: different$", shown),
                  sum(1:8) - 3)
})

test_that("a repeat answered otherwise is said, and settled by a change", {
    set.seed(9)
    q <- questionnaire(data40(), ask = "pairs", n = 12, repeats = 2)
    while (!is.null(pair <- next_pair(q))) {
        same <- kinds40[pair[1]] == kinds40[pair[2]]
        if (q$pending_repeat) same <- !same
        q <- answer_pair(q, same)
    }
    expect_identical(repeat_verdicts(q)$alike, c(FALSE, FALSE))
    expect_message(links <- pairwise_constraints(q),
                   "2 questions asked twice: 2 answered differently",
                   class = "linkrank_message_answers")
    verdict <- repeat_verdicts(q)[1, ]
    # the person takes back the second answer
    q <- answer_pair(q, q$type[q$action %in% verdict$number],
                     number = verdict$again)
    expect_identical(repeat_verdicts(q)$alike, c(TRUE, FALSE))
    # the disagreement is known from the file too
    expect_identical(answer_agreement(answer_table(q))$raters$consistent, 1L)
    expect_identical(nrow(answer_conflicts(suppressMessages(
        reconcile_answers(answer_table(q))))), 2L)
})

test_that("undo, and going on from a file, keep repeats apart", {
    set.seed(2)
    q <- questionnaire(data40(), ask = "pairs", n = 8, repeats = 2,
                       rater = "Ann \u00c5")
    states <- list()
    while (!is.null(next_pair(q))) {
        states <- c(states, list(q))
        pair <- next_pair(q)
        q <- answer_pair(q, kinds40[pair[1]] == kinds40[pair[2]])
    }
    for (state in rev(states)) {
        q <- undo_answer(q)
        expect_identical(next_pair(q), next_pair(state))
        expect_identical(q$pending_repeat, state$pending_repeat)
        expect_identical(answer_table(q), answer_table(state))
    }
    full <- states[[10]]
    file <- tempfile(fileext = ".csv")
    write_answers(full, file)
    answers <- read_answers(file)
    expect_identical(answers, answer_table(full))
    expect_identical(answers$rater, rep("Ann \u00c5", 9))
    again <- questionnaire(data40(), ask = "pairs", n = 8, repeats = 2,
                           answers = answers)
    expect_identical(answer_table(again), answers)
    expect_identical(again$closure, full$closure)
    # writing to the same file adds nothing
    write_answers(again, file)
    expect_identical(read_answers(file), answers)
    unlink(file)
})

test_that("unsure answers are not repeated", {
    set.seed(3)
    q <- questionnaire(data40(), strategy = "random", n = 6, repeats = 2)
    while (!is.null(next_pair(q))) {
        q <- answer_pair(q, "unsure")
    }
    expect_identical(count_answers(q), 6L)
    expect_identical(nrow(repeat_verdicts(q)), 0L)
})

test_that("repeats for the strategy that counts cannot-links", {
    set.seed(3)
    links <- active_constraints(data40()[1:14, ], kinds40[1:14], n = 3,
                                strategy = "perturbation", max_questions = 9,
                                repeats = 1)
    set.seed(3)
    plain <- active_constraints(data40()[1:14, ], kinds40[1:14], n = 3,
                                strategy = "perturbation", max_questions = 9)
    again <- links$questions$repeated
    if (is.null(again)) again <- rep(FALSE, nrow(links$questions))
    expect_identical(links$questions[!again, names(plain$questions)][-c(1, 8)],
                     plain$questions[-c(1, 8)], ignore_attr = TRUE)
})

test_that("rater, repeats and confidence are checked, kept and used", {
    x <- data40()
    expect_refused("argument",
        questionnaire(x, repeats = 1),
        questionnaire(x, n = 4, repeats = 3),
        questionnaire(x, n = 4, repeats = -1),
        questionnaire(x, rater = ""),
        questionnaire(x, rater = c("a", "b")),
        questionnaire(x, rater = "two\nlines"),
        questionnaire(x, rater = 3)
    )
    q <- questionnaire(x, rater = "ann")
    q <- answer_pair(q, TRUE, confidence = 0.5)
    q <- answer_pair(q, FALSE)
    expect_identical(answer_table(q)$confidence, c(0.5, NA))
    links <- pairwise_constraints(q)
    expect_identical(links$confidence[links$must_link], 0.5)
    expect_identical(links$questions$rater, c("ann", "ann"))
    file <- tempfile(fileext = ".csv")
    write_answers(links, file)
    expect_identical(read_answers(file)[c("rater", "confidence")],
                     answer_table(q)[c("rater", "confidence")])
    expect_named(read_answers(file), c(answer_columns, "rater", "confidence",
                                       "origin"))
    unlink(file)
})

# ---- answers of others -------------------------------------------------------

test_that("answers are matched by name; those about lost samples stay in the file", {
    x <- data40()
    q <- answer_all(questionnaire(x, ask = "pairs", n = 12), kinds40)
    file <- tempfile(fileext = ".csv")
    write_answers(q, file)
    answers <- read_answers(file)
    lost <- answers$name_i[12]
    keep <- rev(setdiff(rownames(x), lost))
    gone <- answers$name_i == lost | answers$name_j == lost
    expect_message(part <- questionnaire(x[keep, ], ask = "pairs",
                                         answers = answers),
                   paste(sum(gone), "of 12 answers"))
    expect_identical(answer_table(part)$name_i, answers$name_i[!gone])
    expect_identical(x[keep, ][answer_table(part)$i, 1],
                     x[answers$name_i[!gone], 1])
    suppressMessages(write_answers(part, file))
    expect_setequal(paste(read_answers(file)$name_i, read_answers(file)$name_j),
                    paste(answers$name_i, answers$name_j))
    # and the ranking's constraints
    expect_message(links <- pairwise_constraints(answers, samples = keep),
                   "pairs? dropped")
    expect_identical(links$names, keep)
    unlink(file)
})

test_that("two raters on one pair: every contradiction is said, none resolved", {
    x <- data40()
    q <- answer_all(questionnaire(x, ask = "pairs", n = 12), kinds40)
    ann <- answer_table(q)
    bob <- ann
    flip <- c(`must-link` = "cannot-link", `cannot-link` = "must-link")
    bob$type[c(2, 5)] <- flip[bob$type[c(2, 5)]]
    expect_error(questionnaire(x, answers = rbind(ann, bob)),
                 "The pairs hold [0-9]+ contradictions.*reconcile_answers",
                 class = "linkrank_error_contradiction")
    # unsure is none, in either order
    bob$type[c(2, 5)] <- "unsure"
    for (both in list(rbind(ann, bob), rbind(bob, ann))) {
        merged <- questionnaire(x, answers = both)
        expect_setequal(paste(merged$first, merged$second, merged$type),
                        paste(ann$i, ann$j, ann$type))
    }
    expect_message(links <- pairwise_constraints(bob, samples = rownames(x)),
                   "2 of 12 answers are unsure and not used.")
    expect_length(links, 10)
})

test_that("unsure in one of two writers' files is no conflict", {
    x <- data40()
    q <- questionnaire(x, ask = "pairs")
    file <- tempfile(fileext = ".csv")
    write_answers(answer_pair(q, "unsure", source = "ann"), file)
    write_answers(answer_pair(q, "different", source = "bob"), file)
    expect_identical(read_answers(file)[c("type", "source")],
                     data.frame(type = "cannot-link", source = "bob"))
    write_answers(answer_pair(q, NA, source = "ann"), file)
    expect_identical(read_answers(file)$type, "cannot-link")
    unlink(file)
})
