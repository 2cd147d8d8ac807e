labels14 <- rep(c("a", "b", "c", "a", "a", "b", NA), 2)

test_that("the order is worked out once, whatever is undone or changed", {
    built <- 0
    old <- list(question_order = question_order,
                sample_distances = sample_distances)
    on.exit(Map(replace_binding, names(old), old))
    replace_binding("question_order", function(...) {
        built <<- built + 1
        sample(14)
    })
    replace_binding("sample_distances", function(where, samples, ...) {
        built <<- built + 1
        abs(outer(seq_len(14), samples, `-`))
    })
    q <- questionnaire(random_matrix(14, 4), ask = "pairs")
    q <- with_answers(q, no_rows)
    q <- answer_all(q, labels14, 8)
    before <- built
    expect_gt(before, 1)
    q <- undo_answer(undo_answer(q))
    changed <- answer_pair(q, "unsure", number = 2)
    undo_answer(changed)
    expect_identical(built, before)
})

test_that("a message about the graph comes once", {
    rm(list = ls(said_before), envir = said_before)
    old <- dense_limit
    on.exit(replace_binding("dense_limit", old))
    replace_binding("dense_limit", 100)
    x <- random_matrix(101, 2)
    messages <- 0
    withCallingHandlers({
        q <- questionnaire(x, strategy = "perturbation", k = 3)
        q <- answer_pair(answer_pair(q, "unsure"), "unsure")
        q <- answer_pair(undo_answer(q), "cannot-link")
        q <- answer_pair(q, "unsure", number = 1)
    }, linkrank_message = function(condition) {
        messages <<- messages + 1
        invokeRestart("muffleMessage")
    })
    expect_identical(messages, 1)
})

test_that("stored distances stay within their buffer", {
    asked <- integer()
    far <- remember(function(i) {
        asked <<- c(asked, i)
        matrix(i, 10, length(i), byrow = TRUE)
    }, together = 2L, most = 25)
    for (i in c(2:3, 3:1, 3L, 1:3)) expect_identical(far(i), rep(i, 10))
    expect_identical(asked, c(2L, 3L, 1L, 3L, 2L, 3L))
    # with those ahead, as many as are computed together
    for (i in 4:8) expect_identical(far(i, c(5:9, 4L)), rep(i, 10))
    expect_identical(asked[-(1:6)], c(4:8, 5L))
})

test_that("distances of the samples that follow are computed together", {
    before <- sample_distances
    on.exit(replace_binding("sample_distances", before))
    fetched <- list()
    replace_binding("sample_distances", function(where, ends, control) {
        found <- before(where, ends, control)
        fetched <<- c(fetched, list(ends))
        for (at in seq_along(ends)) {
            expect_identical(found[, at, drop = FALSE],
                             before(where, ends[at], control))
        }
        found
    })
    for (x in list(random_matrix(60, 5), sparse_cells(60, 40))) {
        fetched <- list()
        found <- active_constraints(x, rep_len(letters[1:4], 60), n = 40)
        # after those of the order
        fetched <- utils::tail(fetched, 2L)
        expect_identical(lengths(fetched), c(24L, 24L))
        expect_true(all(found$questions$i %in% unlist(fetched)))
    }
})

# Three samples: 1-2 different, 2-3 different, 1-3 same.
three <- function() {
    questionnaire(random_matrix(5, 2), ask = "pairs", order = 1:5,
                  answers = data.frame(
                      i = c(1, 2, 1), j = c(2, 3, 3),
                      name_i = c("s1", "s2", "s1"),
                      name_j = c("s2", "s3", "s3"),
                      type = c("cannot-link", "cannot-link", "must-link"),
                      time = "2026-01-01T00:00:00Z", source = "person"
                  ))
}

test_that("changes are kept until they contradict nothing", {
    q <- three()
    first <- change_until_consistent(q, NULL, 1L, 1L, "web")
    expect_identical(first$q, q)
    expect_identical(first$changes, list(`1` = 1L))
    expect_identical(first$conflict$path, c(3L, 1L, 2L))
    second <- change_until_consistent(first$q, first$changes, 2L, 1L, "web")
    expect_null(second$conflict)
    expect_identical(second$changed, "1, 2")
    answers <- answer_table(second$q)
    expect_identical(answers$type, rep("must-link", 3))
    expect_identical(answers$source, c("web", "web", "person"))
    # the same one may be wanted otherwise
    other <- change_until_consistent(first$q, first$changes, 1L, NA_integer_,
                                     "web")
    expect_identical(answer_table(other$q)$type[1], "unsure")
})

test_that("the ranking that is followed is that of the answers as they are", {
    x <- random_matrix(14, 6)
    q <- answer_all(questionnaire(x, ask = "pairs", hint = TRUE,
                                  scale = "range"), labels14, 6)
    by_glean <- function(q) glean(x, pairwise_constraints(q), scale = "range")
    expect_equal(q$ranking$score, by_glean(q)$score)
    expect_identical(colnames(x)[q$ranking$order], by_glean(q)$feature)
    expect_identical(utils::tail(Filter(length, q$best), 1)[[1]],
                     q$ranking$order[1:3])
    back <- undo_answer(q)
    expect_equal(back$ranking$score, by_glean(back)$score)
    expect_length(back$stability, 5L)
    expect_length(back$best, 5L)
    number <- which(answer_table(q)$type == "cannot-link")[1]
    changed <- answer_pair(q, "unsure", number = number)
    expect_equal(changed$ranking$score, by_glean(changed)$score)
    expect_identical(changed$stability, rep(NA_real_, 6))
    expect_null(session_facts(changed)$settled)
    pairs <- answer_all(questionnaire(x, strategy = "random", hint = TRUE,
                                      scale = "range"), labels14, 6)
    margins <- relieff_sc(x, pairwise_constraints(pairs), scale = "range")
    expect_equal(pairs$ranking$score, margins$margin)
    expect_identical(pairs$ranking$by, "margin")
})
