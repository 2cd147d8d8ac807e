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
        quote(active_constraints(x, y, 3, strategy = "perturbation"))
    )
    # as if the same work took for ever
    local_slow_from(1e-12)
    for (call in calls) {
        expect_identical(announced(eval(call)), "linkrank_message_slow",
                         label = deparse(call)[1L])
    }
})
