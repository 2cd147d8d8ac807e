# Questions that decide what given answers leave open.

# Two raters who differ about one pair; the groups of s1, s2 and s4 are not all
# known to differ.
two_tables <- function() {
    pair <- function(first, second, answer) {
        data.frame(first = paste0("s", first), second = paste0("s", second),
                   answer = answer)
    }
    list(ann = pair(c(1, 3, 2, 4, 1, 12), c(3, 5, 6, 8, 2, 1),
                    c("same", "same", "same", "same", "different", "same")),
         bob = pair(c(1, 4, 12, 12), c(3, 8, 1, 4),
                    c("same", "same", "different", "different")))
}

deciding_data <- function() random_matrix(14, 5)

settled <- function() {
    suppressMessages(reconcile_answers(two_tables(),
                                       rownames(deciding_data())))
}

# The questions until `count` are answered, as sorted names.
asked_first <- function(q, count, answer = FALSE) {
    vapply(seq_len(count), function(at) {
        pair <- names(next_pair(q))
        q <<- answer_pair(q, answer)
        paste(sort(pair), collapse = " ")
    }, "")
}

test_that("the deciding questions come first, whatever the answers are", {
    x <- deciding_data()
    links <- settled()
    # s1 and s4 are open, and s2 and s4; the pair in dispute is s1 and s12
    want <- c("s1 s4", "s2 s4", "s1 s12")
    file <- tempfile(fileext = ".csv")
    utils::write.csv(as.data.frame(links), file)
    spreadsheet <- utils::read.csv(file)
    expect_identical(asked_first(questionnaire(x, answers = links), 3), want)
    numbers <- as.data.frame(links)[c("i", "j", "type")]
    for (answers in list(as.data.frame(links), spreadsheet, numbers)) {
        q <- questionnaire(x, answers = answers)
        expect_identical(asked_first(q, 2), want[1:2])
    }
    # a file of answers, in an order in which nobody asked
    q <- questionnaire(x, answers = two_tables()$ann)
    expect_identical(asked_first(q, 2), want[1:2])
    expect_identical(q$answers$source[1:2], c("given", "given"))
    file <- write_answers(q, tempfile(fileext = ".csv"))
    again <- questionnaire(x, answers = read_answers(file))
    expect_identical(next_pair(again), next_pair(q))
    # constraints of the same samples in another order, and of fewer
    turned <- questionnaire(x[14:1, ], answers = links)
    expect_identical(asked_first(turned, 1), "s5 s8")
    fewer <- suppressMessages(questionnaire(x[-3, ], answers = links))
    expect_identical(asked_first(fewer, 1), "s1 s4")
})

test_that("nothing is left open by one questionnaire's own answers", {
    x <- deciding_data()
    y <- rep(1:3, length.out = 14)
    y[c(5, 9)] <- NA
    q <- answer_all(questionnaire(x), y, 9)
    again <- questionnaire(x, answers = answer_table(q))
    expect_identical(next_pair(again), next_pair(q))
    expect_false(again$deciding)
    # all labels: only as many pairs as imply the others
    labels <- constraints_from_labels(rep(c("a", "b", NA), c(6, 6, 2)))
    q <- questionnaire(unname(x), answers = labels)
    expect_identical(sum(q$answers$type == "must-link"), 10L)
    expect_identical(summary(q)$open, 14 * 13 / 2 - 12 * 11 / 2)
    columns <- constraints_from_columns(
        data.frame(kind = rep(c("a", "b"), 7), donor = rep(1:7, 2)),
        must_link = NULL, cannot_link = "kind")
    q <- questionnaire(unname(x), answers = columns)
    expect_identical(sum(q$answers$type == "cannot-link"), 49L)
})

test_that("those that decide most come first", {
    x <- deciding_data()
    # pairs (1, 2), (3, 4), ..., (11, 12); 1 is apart from 3 only; 5 from 7, 9, 11
    must <- cbind(c(1, 3, 5, 7, 9, 11), c(2, 4, 6, 8, 10, 12))
    links <- pairwise_constraints(cannot_link = rbind(c(1, 3), c(5, 7), c(5, 9), c(5, 11)),
                                  must_link = must, samples = rownames(x))
    open <- 1 - diag(6)
    apart <- rbind(c(1, 2), c(3, 4), c(3, 5), c(3, 6))
    open[rbind(apart, apart[, 2:1])] <- 0
    # by trying: how many open pairs "same" leaves
    left <- function(g, h) {
        joined <- pmin(open[g, ], open[h, ])
        joined[c(g, h)] <- 0
        rest <- open[-c(g, h), -c(g, h)]
        sum(rest) / 2 + sum(joined)
    }
    pairs <- which(open == 1 & upper.tri(open), arr.ind = TRUE)
    remaining <- apply(pairs, 1, function(pair) left(pair[1], pair[2]))
    best <- pairs[remaining == min(remaining), , drop = FALSE]
    shown <- next_pair(questionnaire(x, answers = links))
    expect_true(any(best[, 1] == (min(shown) + 1) %/% 2 &
                        best[, 2] == (max(shown) + 1) %/% 2))
    # sorting shows all groups that are open for one
    sorted <- questionnaire(x, answers = links, ask = "sort")
    expect_length(next_pair(sorted), 5)
    sorted <- answer_pair(sorted, 0)
    expect_false(anyNA(sorted$closure$component))
    expect_identical(sum(with(sorted$answers, type[action == 11]) == "cannot-link"), 4L)
})

test_that("one more person is asked only what others left open", {
    x <- deciding_data()
    for (raters in list(two_tables(), settled())) {
        q <- questionnaire(x, raters = raters, rater = "eve", n = 10)
        want <- c("s1 s4", "s2 s4", "s1 s12")
        for (at in 1:3) {
            expect_identical(paste(sort(names(next_pair(q))), collapse = " "),
                             want[at])
            q <- answer_pair(q, at == 3)
        }
        expect_null(next_pair(q))
        expect_output(print(q), "finished: nothing is left to decide")
        eve <- pairwise_constraints(q)
        expect_length(eve, 3)
        # goes on where it ended
        part <- questionnaire(x, raters = raters, answers = answer_table(q)[1:2, ])
        expect_identical(names(next_pair(part)), names(next_pair(part)))
        expect_identical(sort(names(next_pair(part))), c("s1", "s12"))
        expect_identical(sort(names(next_pair(undo_answer(q)))), c("s1", "s12"))
    }
    all <- suppressMessages(reconcile_answers(c(two_tables(), list(eve = eve)),
                                              rownames(x)))
    expect_length(disputed_samples(all), 0)
    expect_identical(answer_conflicts(all)$raters, "bob")
    expect_message(markers <- group_markers(x, all), NA)
    expect_identical(levels(markers$group), c("1", "2", "3"))
    # another strategy asks no other question, either
    q <- questionnaire(x, strategy = "random", raters = two_tables(), ask = "pairs")
    expect_identical(asked_first(q, 3), want)
})

test_that("who cannot tell is asked no more than three times", {
    x <- deciding_data()
    links <- pairwise_constraints(must_link = rbind(c(1, 2), c(2, 3), c(4, 5),
                                                    c(5, 6)),
                                  samples = rownames(x))
    q <- questionnaire(x, raters = links)
    for (at in 1:3) {
        expect_true(min(next_pair(q)) <= 3 && max(next_pair(q)) %in% 4:6)
        q <- answer_pair(q, NA)
    }
    expect_null(next_pair(q))
    expect_identical(anyDuplicated(q$answers[c("i", "j")]), 0L)
})

test_that("within blocks first", {
    x <- deciding_data()
    block <- rep(1:2, 7)
    links <- pairwise_constraints(
        must_link = rbind(c(1, 2), c(1, 3), c(5, 4), c(4, 6)),
        samples = rownames(x)
    )
    pair <- next_pair(questionnaire(x, answers = links, block = block))
    expect_identical(block[pair[1]], block[pair[2]])
})

test_that("what is no answer is refused", {
    x <- deciding_data()
    expect_refused("constraints", questionnaire(x, answers = 1:3),
                   questionnaire(x, answers = data.frame(a = "t1", b = "t2",
                                                         answer = "same")),
                   questionnaire(x, answers = list(two_tables())),
                   questionnaire(unname(x), answers = two_tables()$ann),
                   questionnaire(x, raters = 1:3),
                   questionnaire(x[1:5, ], answers = constraints_from_labels(
                       rep(1:2, 7))))
})
