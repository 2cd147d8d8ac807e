# Each test is a session of its own.
fresh <- function(code) {
    slow_state$shown <- NULL
    old <- options(linkrank.progress = NULL)
    on.exit(options(old))
    shown <- character()
    withCallingHandlers(code, linkrank_message_slow = function(condition) {
        shown <<- c(shown, conditionMessage(condition))
        invokeRestart("muffleMessage")
    })
    shown
}

test_that("what takes over ten seconds is announced, and only that", {
    expect_length(fresh(note_slow(9.9e9, "this", "do that")), 0)
    expect_identical(fresh(note_slow(61e9, "this", "do that")),
                     "About 61 seconds for this: do that.\n")
    expect_identical(show_duration(700), "12 minutes")
    expect_identical(show_duration(9000), "2.5 hours")
})

test_that("options(linkrank.progress = FALSE) silences it", {
    expect_length(fresh({
        options(linkrank.progress = FALSE)
        note_slow(1e15, "this", "do that")
    }), 0)
})

test_that("the same message comes once, and none inside of a task", {
    expect_length(fresh(for (i in 1:3) note_slow(2e10, "this", "do that")), 1)
    expect_length(fresh(without_slow(note_slow(2e10, "this", "do that"))), 0)
})

# A stand-in for data that nobody has time for: nothing is computed.
huge <- function(n, p) list(n = n, p = p, layout = "columns")

test_that("estimates are near to what was measured", {
    expect_match(fresh(note_slow_search(huge(20000, 500), 20000)),
                 "About 25 seconds for neighbours of 20000 samples among")
    # PBMC 3k takes 1.2 s, a hundred times as many stored cells 120 s
    cells <- Matrix::sparseMatrix(1:22387, rep(1:7, length.out = 22387), x = 1)
    sparse <- list(n = 22387, p = 7, layout = "sparse", values = cells)
    expect_match(fresh(note_slow_search(sparse, 263800 * 100)),
                 "About 2.5 minutes")
    # 7.7 minutes
    expect_match(fresh(note_slow_features(huge(2638, 13714), 13714, 1,
                                          "the graph", "take fewer")),
                 "About 8.3 minutes for the graph of 13714 features in")
    expect_match(fresh(note_slow_glean(huge(20000, 20000), 1500, 1)),
                 paste("About 4.2 minutes for components of 20000 samples in",
                       "20000 features and a choice among 1500"))
    # 36.6 million entries of 38,000 cells in a TENx file: 16 s
    reader <- list(n = 38000, bytes = 108 + 8 * 963)
    expect_match(fresh(note_slow_reading(reader, c(38000, 20000), TRUE)),
                 paste("About 15 seconds for reading 38000 samples of",
                       "20000 features twice"))
    expect_match(fresh(note_slow_reading(NULL, c(38000, 20000), FALSE)),
                 "1.5 minutes")
})

test_that("slow functions give a message before they begin", {
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

test_that("reading a DelayedMatrix and a user's classifier give messages", {
    x <- random_matrix(30, 40)
    y <- rep(1:2, 15)
    ranking <- variance_score(x)
    majority <- function(train, y, test) rep(y[1L], nrow(test))
    # the least time passes that can be measured, or none
    local_slow_from(-1)
    expect_match(fresh(evaluate_ranking(ranking, x, y, x, y, majority,
                                        n = 1:3)),
                 "for 3 numbers of features, by `classifier`")
    skip_if_not_installed("DelayedArray")
    disk <- DelayedArray::DelayedArray(x)
    expect_match(fresh(variance_score(disk)),
                 "for reading 30 samples of 40 features twice, in blocks")
})
