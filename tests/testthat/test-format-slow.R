# Each test is a call of its own.
fresh <- function(code) {
    slow_state$told <- NULL
    before <- slow_state$pace
    on.exit(slow_state$pace <- before)
    slow_state$pace <- 1
    old <- options(linkrank.progress = NULL)
    on.exit(options(old), add = TRUE)
    told <- character()
    withCallingHandlers(code, linkrank_message_slow = function(condition) {
        told <<- c(told, conditionMessage(condition))
        invokeRestart("muffleMessage")
    })
    told
}

test_that("what takes over ten seconds is told, and only that", {
    expect_length(fresh(tell_slow(9.9, "this", "do that")), 0)
    expect_identical(fresh(tell_slow(61, "this", "do that")),
                     "About 61 seconds for this: do that.\n")
    expect_identical(show_duration(700), "12 minutes")
    expect_identical(show_duration(9000), "2.5 hours")
})

test_that("options(linkrank.progress = FALSE) silences it", {
    expect_length(fresh({
        options(linkrank.progress = FALSE)
        tell_slow(1e6, "this", "do that")
    }), 0)
})

test_that("a slower machine is told sooner", {
    expect_length(fresh({
        slow_state$pace <- 2
        tell_slow(6, "this", "do that")
    }), 1)
    slow_state$pace <- NULL
    expect_gt(machine_pace(), 0.19)
    expect_identical(machine_pace(), slow_state$pace)
})

test_that("a call of a user tells once, whatever it calls", {
    outer <- function() {
        tell_slow(20, "this", "do that")
        tell_slow(30, "that", "do this")
    }
    environment(outer) <- asNamespace("linkrank")
    expect_length(fresh(outer()), 1)
    expect_length(fresh(without_slow(outer())), 0)
})

# A stand-in for data that nobody has time for: nothing is computed.
huge <- function(n, p) list(n = n, p = p, layout = "columns")

test_that("estimates grow with the work and agree with what was measured", {
    expect_equal(distance_seconds(huge(6000, 500), 6000), 2.16)
    # PBMC 3k: 2.2 million cells that are not 0, a hundred times as large
    cells <- Matrix::sparseMatrix(1:22387, rep(1:7, length.out = 22387), x = 1)
    sparse <- list(n = 22387, p = 7, layout = "sparse", values = cells)
    expect_equal(100 * distance_seconds(sparse, 2638), 1.18, tolerance = 0.01)
    told <- fresh(tell_slow_features(huge(2638, 13714), 13714, 9.3e-10,
                                     "the graph", "take fewer"))
    expect_match(told, "About 7.7 minutes for the graph of 13714 features in")
    # fcrsc(top = 500) on PBMC 3k took 8.6 s
    expect_length(fresh(tell_slow_features(huge(2638, 500), 500, 9.3e-10,
                                           "the graph", "", TRUE)), 0)
    expect_length(fresh(tell_slow_features(huge(2638, 600), 600, 9.3e-10,
                                           "the graph", "", TRUE)), 1)
})

test_that("slow functions tell before they begin", {
    # stops at the message, so that nothing slow runs
    announced <- function(code) {
        class <- "nothing"
        fresh(tryCatch(code, linkrank_message_slow = function(condition) {
            class <<- class(condition)[1L]
        }))
        class
    }
    x <- random_matrix(30, 40)
    y <- rep(1:2, 15)
    links <- constraints_from_labels(y)
    ranking <- variance_score(x)
    calls <- list(
        quote(feature_graph(x)), quote(fcrsc(x, links)),
        quote(relieff(x, y)), quote(relieff_sc(x, links)),
        quote(similarity_graph(x)), quote(select_subset(x, links)),
        quote(simba(x, y)), quote(simba_sc(x, links)), quote(irelief(x, y)),
        quote(diversify_ranking(ranking, x)),
        quote(prune_correlated(ranking, x)),
        quote(glean(x, links)), quote(pcfs(x, links)),
        quote(evaluate_ranking(ranking, x, y, x, y)),
        quote(active_constraints(x, y, 3, strategy = "perturbation"))
    )
    # as if the same work took for ever
    local_slow_from(1e-12)
    for (call in calls) {
        expect_identical(announced(eval(call)), "linkrank_message_slow",
                         label = deparse(call)[1L])
    }
})

test_that("the estimates of glean, pcfs, judging and reading say what is slow", {
    told <- fresh(tell_slow_glean(huge(20000, 20000), 1500, 20))
    expect_match(told, paste("About 3.3 minutes for components of 20000",
                             "samples in 20000 features and a choice among"))
    # colon: 0.086 s
    expect_lt(4e-7 * stored_count(huge(62, 2000)) + 8e-10 * 62 * 1500^2, 0.3)
    told <- fresh(tell_slow_pcfs(huge(2000, 5000),
                                 list(max_iter = 10, votes = 10)))
    expect_match(told, "50 seconds for 10 rounds over 2000 samples in 5000")
    judge <- list(k = 1, rankings = 2L)
    told <- fresh(tell_slow_judging(1000, 1000, 2000, judge))
    expect_match(told, "28 seconds for 1000 samples judged by 1000 in up to")
    expect_length(fresh(tell_slow_judging(31, 31, 2000, judge)), 0)
    # 36.6 million entries of 38,000 cells in a TENx file: 16 s
    reader <- list(n = 38000, bytes = 108 + 8 * 963)
    told <- fresh(tell_slow_reading(reader, c(38000, 20000), TRUE))
    expect_match(told, paste("About 15 seconds for reading 38000 samples of",
                             "20000 features twice"))
    expect_match(fresh(tell_slow_reading(NULL, c(38000, 20000), FALSE)),
                 "1.5 minutes")
})

test_that("reading a DelayedMatrix and a classifier of the user are told", {
    x <- random_matrix(30, 40)
    y <- rep(1:2, 15)
    ranking <- variance_score(x)
    majority <- function(train, y, test) rep(y[1L], nrow(test))
    # the least time passes that can be measured, or none
    local_slow_from(-1)
    expect_match(fresh(evaluate_ranking(ranking, x, y, x, y, majority,
                                        n = 1:3)),
                 "for 3 numbers of features, judged by `classifier`")
    skip_if_not_installed("DelayedArray")
    disk <- DelayedArray::DelayedArray(x)
    expect_match(fresh(variance_score(disk)),
                 "for reading 30 samples of 40 features twice, in blocks")
})
