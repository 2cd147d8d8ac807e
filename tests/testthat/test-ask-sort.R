# Sorting by its description: all distances, groups as lists of members; a
# question is c(sample, nearest member of each group, in founding order, of more
# than nine groups the nearest first).
reference_sorting <- function(x, labels, order, n) {
    u <- apply(x, 2, function(f) (f - min(f)) / (max(f) - min(f)))
    d <- as.matrix(dist(u))
    groups <- list()
    questions <- list()
    for (s in order) {
        near <- vapply(groups, function(g) g[order(d[s, g], g)[1]], 0L)
        home <- 0
        if (length(near)) {
            if (length(questions) == n) return(questions)
            by <- if (length(near) > 9) order(d[s, near], near) else
                seq_along(near)
            questions <- c(questions, list(c(s, near[by])))
            home <- if (is.na(labels[s])) NA else
                c(which(labels[near] == labels[s]), 0)[1]
        }
        if (is.na(home)) next
        if (home) groups[[home]] <- c(groups[[home]], s) else
            groups <- c(groups, list(s))
    }
    questions
}

ask_all_groups <- function(x, labels, order, n) {
    q <- questionnaire(x, strategy = "groups", ask = "sort", order = order, n = n,
                       scale = "range")
    questions <- list()
    while (!is.null(shown <- next_pair(q))) {
        questions <- c(questions, list(unname(shown)))
        home <- which(labels[shown[-1]] == labels[shown[1]])
        q <- answer_pair(q, if (is.na(labels[shown[1]])) NA else
            c(home, 0)[1])
    }
    list(q = q, questions = questions)
}

sorted20 <- function(...) {
    set.seed(12)
    x <- random_matrix(20, 4)
    list(x = x, y = rep(c("a", "b", "c", "d"), 5),
         q = questionnaire(x, strategy = "groups", ask = "sort", ...))
}

test_that("samples are sorted as described, with unsure and many groups", {
    expect_every(30, function(seed) {
        x <- random_matrix(sample(8:30, 1), 4, seed)
        kinds <- sample(c(2, 4, 12), 1)
        y <- sample(c(letters[seq_len(kinds)], NA), nrow(x), TRUE)
        order <- sample(nrow(x))
        got <- ask_all_groups(x, y, order, 25)
        identical(got$questions, reference_sorting(x, y, order, 25))
    })
})

test_that("the closure is that of the labels of all placed samples", {
    x <- random_matrix(40, 5, 3)
    y <- rep(letters[1:10], 4)
    got <- ask_all_groups(x, y, 1:40, Inf)
    links <- pairwise_constraints(got$q)
    want <- constraint_links(constraints_from_labels(y))
    expect_identical(constraint_groups(links), constraint_groups(
        constraints_from_labels(stats::setNames(y, rownames(x)))))
    facts <- summary(links)
    expect_equal(facts$cannot_link + facts$implied_cannot_link,
                 sum(outer(y, y, "!=")) / 2)
    # one question for each sample but the first
    expect_identical(summary(got$q)$asked, 39L)
    # labels and a function give the same
    oracle <- active_constraints(x, y, n = 30, ask = "sort", order = 1:40)
    by_function <- active_constraints(x, function(i, j) {
        c(which(y[j] == y[i]), 0)[1]
    }, n = 30, ask = "sort", order = 1:40)
    expect_identical(as.data.frame(oracle), as.data.frame(by_function))
    expect_identical(max(oracle$questions$question, na.rm = TRUE), 30L)
    expect_output(print(oracle), ": 30 questions")
})

test_that("like one group is unlike the others shown", {
    kit <- sorted20(n = 12)
    q <- kit$q
    want <- NULL
    while (!is.null(shown <- next_pair(q))) {
        same <- kit$y[shown[-1]] == kit$y[shown[1]]
        want <- rbind(want, data.frame(i = shown[[1]], j = unname(shown[-1]),
                                       same = same))
        q <- answer_pair(q, c(which(same), 0)[1],
                         confidence = if (any(same)) 0.5 else NA)
    }
    links <- pairwise_constraints(q)
    got <- as.data.frame(links)
    got <- got[order(match(paste(got$i, got$j), paste(want$i, want$j))), ]
    expect_identical(got$i, want$i)
    expect_identical(got$j, want$j)
    expect_identical(got$type == "must-link", want$same)
    liked <- want$i %in% want$i[want$same]
    expect_identical(got$confidence, ifelse(liked, 0.5, NA))
    # the file says that they follow, and undo takes them back
    table <- answer_table(q)
    expect_identical(table[c("i", "j")], want[c("i", "j")])
    expect_identical(table$implied, liked & !want$same)
    expect_identical(summary(q)$asked, 12L)
    once <- undo_answer(q)
    expect_identical(answer_pair(once, choice_given(q, 12L),
                                 confidence = q$answers$confidence[q$answers$action %in% 12][1])[
                                     c("first", "second", "type", "implied")],
                     q[c("first", "second", "type", "implied")])
    again <- questionnaire(kit$x, ask = "sort", n = 12,
                           answers = answer_table(q))
    expect_identical(as.data.frame(pairwise_constraints(again)),
                     as.data.frame(links))
})

test_that("twenty questions place twenty samples sorted, fewer in pairs", {
    x <- random_matrix(60, 5, 4)
    y <- rep(letters[1:3], 20)
    placed <- function(ask) {
        links <- active_constraints(x, y, n = 20, ask = ask)
        summary(links)$touched
    }
    expect_identical(placed("sort"), 21L)
    expect_lt(placed("pairs"), 18L)
})

test_that("answers are numbers, words where they are clear", {
    kit <- sorted20()
    q <- kit$q
    expect_length(next_pair(q), 2)
    expect_identical(answer_table(answer_pair(q, TRUE))$type, "must-link")
    expect_identical(answer_table(answer_pair(q, 1))$type, "must-link")
    expect_identical(answer_table(answer_pair(q, "different"))$type,
                     "cannot-link")
    two <- answer_pair(q, 0)
    expect_length(next_pair(two), 3)
    expect_identical(answer_table(answer_pair(two, 2))[2:3, c("type", "implied")],
                     data.frame(type = c("cannot-link", "must-link"),
                                implied = c(TRUE, FALSE), row.names = 2:3))
    expect_identical(answer_table(answer_pair(two, FALSE))$type,
                     rep("cannot-link", 3))
    expect_identical(answer_table(answer_pair(two, "unsure"))$type[2:3],
                     rep("unsure", 2))
    expect_refused("argument", answer_pair(two, 3), answer_pair(two, "same"),
                   answer_pair(two, TRUE), answer_pair(two, -1),
                   answer_pair(two, 1.5), answer_pair(two, "maybe"),
                   questionnaire(kit$x, strategy = "random", ask = "sort"),
                   questionnaire(kit$x, ask = "piles"))
})

test_that("an action is undone and changed as one, several pairs in the file", {
    kit <- sorted20()
    q <- kit$q
    states <- list(q)
    for (t in 1:9) {
        shown <- next_pair(q)
        q <- answer_pair(q, c(which(kit$y[shown[-1]] == kit$y[shown[1]]), 0)[1])
        states <- c(states, list(q))
    }
    answers <- answer_table(q)
    expect_gt(nrow(answers), 9)
    expect_identical(max(answers$action), 9L)
    for (t in 9:1) {
        q <- undo_answer(q)
        expect_identical(answer_table(q), answer_table(states[[t]]))
        expect_identical(next_pair(q), next_pair(states[[t]]))
    }
    full <- states[[10]]
    file <- tempfile(fileext = ".csv")
    write_answers(full, file)
    expect_identical(read_answers(file), answer_table(full))
    again <- questionnaire(kit$x, strategy = "groups", ask = "sort",
                           answers = read_answers(file))
    expect_identical(next_pair(again), next_pair(full))
    expect_identical(answer_table(again), answer_table(full))
    expect_identical(answer_table(undo_answer(again)),
                     answer_table(undo_answer(full)))
    # the same file for questions about pairs, and for the constraints
    pairs <- questionnaire(kit$x, strategy = "groups", answers = read_answers(file))
    expect_identical(pairs$closure$component, full$closure$component)
    links <- pairwise_constraints(read_answers(file),
                                  samples = rownames(kit$x))
    expect_identical(constraint_groups(links), constraint_groups(
        pairwise_constraints(full)))
    unlink(file)
    # a change: like none of them, then like the first
    none <- which(vapply(1:9, function(k) identical(choice_given(full, k), 0L),
                         NA))
    at <- max(none)
    shown <- shown_of(full, at)
    changed <- answer_pair(full, 1, number = at)
    expect_identical(choice_given(changed, at), 1L)
    expect_identical(count_answers(changed), 9L)
    row <- answer_table(changed)[answer_table(changed)$action == at, ]
    expect_identical(c(row$i[1], row$j), shown)
    expect_identical(row$type[!row$implied], "must-link")
    expect_identical(as.integer(nrow(changed$history)),
                     length(shown) - 1L)
    back <- answer_pair(changed, 0, number = at)
    expect_identical(answer_table(back)[c("i", "j", "type")],
                     answer_table(full)[c("i", "j", "type")])
})

test_that("a question stays what it showed where another would be due now", {
    x <- random_matrix(8, 4)
    q <- questionnaire(x, ask = "sort", order = 1:8)
    like <- function(q, sample) {
        answer_pair(q, c(match(sample, q$pending[-1]), 0)[1])
    }
    # 3 is like 1, 4 like none, 5 like 1 or 3; then 3 becomes a group of its own
    q <- answer_pair(like(answer_pair(q, 0), 1L), 0)
    q <- like(q, intersect(q$pending[-1], c(1L, 3L)))
    changed <- answer_pair(q, 0, number = 2)
    expect_length(shown_of(q, 4), 4)
    expect_identical(shown_of(changed, 4), shown_of(q, 4))
    expect_identical(choice_given(changed, 4), choice_given(q, 4))
    # the file of these answers is read in a new session
    file <- tempfile(fileext = ".csv")
    write_answers(changed, file)
    input <- textConnection("q")
    capture.output(again <- active_constraints(
        x, console_oracle(file = file, input = input), n = 9,
        ask = "sort", order = 1:8
    ))
    close(input)
    expect_identical(constraint_groups(again),
                     constraint_groups(pairwise_constraints(changed)))
    # what was shown, and in which order, is in the file
    read <- questionnaire(x, ask = "sort", order = 1:8,
                          answers = read_answers(file))
    expect_identical(lapply(1:4, shown_of, q = read),
                     lapply(1:4, shown_of, q = changed))
    expect_identical(answer_table(answer_pair(read, 3, number = 4))$type,
                     answer_table(answer_pair(changed, 3, number = 4))$type)
    # sample 4 was not shown beside the third group
    expect_identical(changed$pending, c(4L, setdiff(1:3, shown_of(q, 3))))
    unlink(file)
})

test_that("two people who sort the same samples are compared and settled", {
    x <- random_matrix(6, 4)
    sort_as <- function(y, rater) {
        q <- questionnaire(x, ask = "sort", order = 1:6, rater = rater)
        while (!is.null(shown <- next_pair(q))) {
            home <- which(y[shown[-1]] == y[shown[1]])
            q <- answer_pair(q, c(home, 0)[1])
        }
        answer_table(q)
    }
    ann <- sort_as(c(1, 2, 3, 1, 2, 3), "ann")
    bob <- sort_as(c(1, 2, 3, 1, 2, 1), "bob")
    # 6 is in another group
    found <- answer_agreement(rbind(ann, bob))
    expect_identical(found$groups$samples, 6)
    expect_identical(found$samples$sample, c("s3", "s6"))
    # 6 goes where bob put it, as nobody else saw what ann put it with
    expect_message(links <- reconcile_answers(rbind(ann, bob), rownames(x)),
                   "Left out: 1 answer")
    expect_identical(unname(constraint_groups(links)),
                     c(1L, 2L, NA, 1L, 2L, 1L))
    expect_identical(disputed_samples(links), 3L)
    expect_identical(answer_conflicts(links)$raters, "ann")
    own <- reconcile_answers(ann, rownames(x))
    whole <- pairwise_constraints(ann, samples = rownames(x))
    expect_setequal(pair_key(own$first, own$second, 6L),
                    pair_key(whole$first, whole$second, 6L))
    # of one who is not sure that 2 is unlike 1, no more than that follows
    ann$type[ann$i == 2] <- "unsure"
    part <- reconcile_answers(ann, rownames(x))
    expect_false(any(pair_key(part$first, part$second, 6L) %in%
                         pair_key(4L, 2L, 6L)))
})

test_that("a second program adds a sorted sample to the file", {
    x <- random_matrix(6, 4)
    file <- tempfile(fileext = ".csv")
    start <- questionnaire(x, ask = "sort", order = 1:6)
    q <- answer_pair(answer_pair(start, 0), 2)
    store <- answer_store(file)
    q <- save_answers(q, store)
    other <- questionnaire(x, ask = "sort", order = 1:6,
                           answers = read_answers(file))
    write_answers(answer_pair(other, 1), file)
    # changed here meanwhile: what follows from it is no contradiction
    q <- save_answers(answer_pair(q, 1, number = 2), store)
    expect_identical(lapply(1:3, choice_given, q = q), list(0L, 1L, 1L))
    expect_identical(read_answers(file), answer_table(q))
    links <- suppressWarnings(active_constraints(
        x, function(i, j) if (i < 4) 1 else stop(), n = 9, ask = "sort",
        order = 1:6))
    write_answers(links, again <- tempfile(fileext = ".csv"))
    expect_identical(read_answers(again)$j, links$questions$j)
    unlink(c(file, again))
})

test_that("a sample that nobody can place is in no group", {
    kit <- sorted20()
    q <- answer_pair(kit$q, NA)
    unsure <- answer_table(q)$i
    while (!is.null(shown <- next_pair(q))) {
        expect_false(unsure %in% shown)
        q <- answer_pair(q, 0)
    }
    # all others are groups of their own
    expect_identical(sum(is.finite(q$closure$component)), 20L)
    expect_identical(length(q$state$groups), 19L)
})

test_that("the dialogue sorts, lists and changes", {
    x <- random_matrix(10, 6)
    type <- function(...) {
        input <- textConnection(c(...))
        on.exit(close(input))
        cat(capture.output(links <- active_constraints(
            x, console_oracle(input = input), n = 8, ask = "sort",
            order = 1:10
        )), sep = "\n")
        invisible(links)
    }
    expect_snapshot(links <- type("0", "y", "2", "u", "n", "z", "l", "2", "0",
                                  "q"))
    expect_snapshot(print(links))
    # a person's text for each group
    input <- textConnection(c("0", "1", "q"))
    shown <- capture.output(active_constraints(
        x, console_oracle(input = input,
                          describe = function(i, j) paste("pair", i, j)),
        n = 3, ask = "sort", order = 1:10
    ))
    close(input)
    expect_match(shown, "pair 3 2", all = FALSE)
    expect_match(shown, "group 2:", all = FALSE)
})

test_that("more than eight groups are one question, listed in eights", {
    x <- random_matrix(14, 5)
    q <- questionnaire(x, strategy = "groups", ask = "sort", order = 1:14)
    while (length(next_pair(q)) < 10) q <- answer_pair(q, 0)
    # the tenth sample beside all nine groups
    expect_identical(q$pending, c(10L, 1:9))
    then <- answer_pair(q, 0)
    # and the next one beside ten, the nearest first
    expect_identical(then$pending, c(11L, order(q$far(11L)[1:10])))
    expect_identical(summary(then)$asked, 9L)
    expect_identical(undo_answer(then)$pending, q$pending)
    input <- textConnection(c("0", "0", "9", "z", "z", "q"))
    file <- tempfile(fileext = ".csv")
    write_answers(q, file)
    output <- capture.output(active_constraints(
        x, console_oracle(input = input, file = file), n = 30, ask = "sort",
        order = 1:14
    ))
    close(input)
    expect_length(grep("^   9  s9", output), 1)
    expect_length(grep("(0 shows 1 more group)", output, fixed = TRUE), 2)
    expect_length(grep("(0 shows 2 more groups)", output, fixed = TRUE), 3)
    # the place of temporary files may be long
    expect_true(all(nchar(gsub(file, "", output, fixed = TRUE)) <= 80))
    # what was undone has further columns
    left <- read_answers(file)
    expect_identical(left[names(answer_table(q))], answer_table(q))
    unlink(file)
})

test_that("two groups of one kind are joined by one action", {
    x <- random_matrix(14, 5)
    y <- c(1:5, 1, 3, 5, 3, 2, 5, 4, 1, 2)
    q <- questionnaire(x, ask = "sort", order = 1:14, hint = TRUE)
    for (t in 1:7) {
        home <- which(y[q$pending[-1]] == y[q$pending[1]])
        q <- answer_pair(q, c(home, 0)[1])
    }
    # the ninth sample beside five groups; the third is the fifth
    one <- answer_pair(q, "3=5")
    expect_identical(count_answers(one), 7L)
    expect_identical(one$pending[1], q$pending[1])
    expect_length(one$pending, 5)
    want <- y
    want[want == 5] <- 3
    expect_identical(relation(one$closure, 1L, 2:8),
                     ifelse(want[2:8] == 1, "must-link", "cannot-link"))
    expect_true(all(relation(one$closure, c(3L, 7L), c(5L, 8L)) ==
                        "must-link"))
    expect_identical(answer_pair(q, "5 = 3")[c("first", "type")],
                     one[c("first", "type")])
    # a file holds it, the list shows it and takes it back
    file <- tempfile(fileext = ".csv")
    write_answers(one, file)
    expect_identical(read_answers(file), answer_table(one))
    number <- which(action_table(one)$said != action_table(q)$said)
    expect_length(number, 1)
    back <- answer_pair(one, 0, number = number)
    expect_identical(back$closure$component, q$closure$component)
    expect_identical(back$pending, q$pending)
    expect_refused("argument", answer_pair(q, "3=3"), answer_pair(q, "3=6"),
                   answer_pair(q, "0=1"), answer_pair(q, "1=2", number = 3))
    unlink(file)
    # groups that no answer sets apart
    free <- questionnaire(x, ask = "sort", order = 1:14, answers =
                              pairwise_constraints(must_link = rbind(
                                  c(1, 6), c(2, 10)), samples = rownames(x)))
    free$deciding <- FALSE
    free$pending <- c(3L, 1L, 2L)
    joined <- answer_pair(free, "1=2")
    expect_identical(count_answers(joined), count_answers(free) + 1L)
    expect_identical(relation(joined$closure, 6L, 10L), "must-link")
    # in the dialogue
    input <- textConnection(c("0", "0", "1=2", "q"))
    on.exit(close(input))
    said <- capture.output(links <- active_constraints(
        x, console_oracle(input = input), n = 8, ask = "sort", order = 1:14
    ))
    expect_length(grep("1=2 these two are one group$", said), 3)
    expect_identical(links$questions$type[!links$questions$implied],
                     c("must-link", "cannot-link", "cannot-link"))
})

test_that("a questionnaire goes on in the other form with all its answers", {
    case <- sorted20(n = 30)
    pairs <- questionnaire(case$x, ask = "pairs", n = 12)
    for (t in 1:8) {
        expect_false(offers_sorting(pairs))
        pairs <- answer_pair(pairs, t == 5)
    }
    # seven of eight are different
    expect_true(offers_sorting(pairs))
    expect_false(offers_sorting(answer_pair(pairs, TRUE)))
    expect_true(offers_sorting(answer_pair(pairs, NA)))
    sorting <- update(pairs, ask = "sort")
    expect_false(offers_sorting(sorting))
    expect_identical(as.data.frame(pairwise_constraints(sorting)),
                     as.data.frame(pairwise_constraints(pairs)))
    expect_identical(summary(sorting)$limit, 12)
    # as if these answers had come from a file
    again <- questionnaire(case$x, ask = "sort", n = 12, answers =
                               pairwise_constraints(pairs)$questions)
    again$deciding <- FALSE
    expect_identical(next_pair(sorting), next_pair(advance(again)))
    expect_gt(length(next_pair(sorting)), 2)
    sorting <- answer_pair(sorting, 1)
    back <- update(sorting, ask = "pairs")
    expect_length(next_pair(back), 2)
    expect_identical(update(back, ask = "sort")$pending, sorting$pending)
    ended <- answer_all(pairs, case$y)
    expect_identical(update(ended, ask = "sort")$finished, "n")
    expect_identical(summary(update(ended, 2, ask = "sort"))$left, 2)
    chain <- questionnaire(case$x, strategy = "perturbation", n = 5)
    expect_identical(update(chain, ask = "pairs"), chain)
    expect_error(update(chain, ask = "sort"), class = "linkrank_error_argument")
})

test_that("the dialogue offers to sort after eight different pairs", {
    case <- sorted20()
    keys <- textConnection(c("s", rep("n", 8), "s", "1", "q"))
    on.exit(close(keys))
    shown <- capture.output(links <- active_constraints(
        case$x, console_oracle(input = keys), n = 20, ask = "pairs"
    ))
    expect_identical(grep("s sort from here on", shown) >
                         grep("^Question 9 of 20: are", shown), TRUE)
    expect_length(grep("^Please type one of: y n u z l r q", shown), 1)
    expect_length(grep("^Question 9 of 20: which", shown), 1)
    expect_identical(max(links$questions$question), 9L)
})

test_that("labels, people and questionnaires sort, functions get two numbers", {
    case <- sorted20()
    sorts <- function(q) length(next_pair(answer_pair(q, "different"))) > 2
    expect_true(sorts(questionnaire(case$x)))
    expect_false(sorts(questionnaire(case$x, ask = "pairs")))
    expect_false(sorts(questionnaire(case$x, strategy = "perturbation")))
    asked <- function(oracle, ...) {
        links <- active_constraints(case$x, oracle, n = 6, ...)
        anyDuplicated(links$questions$question) > 0
    }
    keys <- textConnection(rep("0", 6))
    on.exit(close(keys))
    capture.output(by_person <- asked(console_oracle(input = keys)))
    expect_true(by_person)
    expect_true(asked(case$y))
    expect_false(asked(case$y, strategy = "random"))
    expect_false(asked(function(i, j) {
        expect_length(j, 1)
        case$y[i] == case$y[j]
    }))
    set.seed(2)
    evaluated <- suppressMessages(evaluate_method(
        case$x, case$y, "relieff_sc", splits = 2, n = 1:2,
        constraints = "active", questions = 6
    ))
    set.seed(2)
    sorted <- suppressMessages(evaluate_method(
        case$x, case$y, "relieff_sc", splits = 2, n = 1:2, constraints =
            function(x, y) active_constraints(x, y, 6, ask = "sort")
    ))
    expect_identical(evaluated$accuracy, sorted$accuracy)
})

test_that("of more than nine groups the nearest come first", {
    # kind k at (k, 0) and (k, 0.1)
    y <- rep(1:12, each = 2)
    x <- cbind(as.numeric(y), rep(c(0, 0.1), 12))
    q <- questionnaire(x, scale = "none", order = c(2 * (1:12), 1))
    # each kind's second sample founds a group, then the first sample comes
    for (k in 1:11) {
        groups <- length(q$pending) - 1L
        if (groups <= 9L) expect_identical(q$pending[-1], 2L * seq_len(groups))
        q <- answer_pair(q, 0)
    }
    expect_identical(q$pending, c(1L, 2L * 1:12))
    # as it was last, the twelfth group was shown beside the eleventh first
    expect_identical(shown_of(q, 11L), c(24L, 2L * 11:1))
    expect_identical(shown_of(q, 9L), c(20L, 2L * 1:9))
})
