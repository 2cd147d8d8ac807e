# Work functions stand at the top: workers of a socket get them as they are.
draw_and_add <- function(task, shared) {
    c(task * shared$times, stats::runif(2L))
}

spread_some <- function(..., work = draw_and_add, count = 5L, BPPARAM = NULL,
                        shared = list(times = 10)) {
    set.seed(7)
    spread(as.list(seq_len(count)), work, shared,
           check_workers(BPPARAM), c("Test", "sums"), ...)
}

test_that("each task has its own stream, which follows from the seed", {
    found <- spread_some()
    expect_equal(vapply(found, `[`, 0, 1L), 10 * 1:5)
    expect_length(unique(unlist(lapply(found, `[`, 2:3))), 10L)
    set.seed(7)
    streams <- task_streams(5L)
    kind <- RNGkind()
    expected <- lapply(streams, function(stream) {
        assign(".Random.seed", stream, envir = globalenv())
        runif(2)
    })
    RNGkind(kind[1L], kind[2L], kind[3L])
    expect_identical(lapply(found, `[`, 2:3), expected)
    # streams 2^127 numbers apart, as L'Ecuyer has them
    expect_identical(streams[[3L]], parallel::nextRNGStream(streams[[2L]]))
})

test_that("the caller's random numbers go on alike, whatever does the work", {
    after <- function(...) {
        spread_some(...)
        runif(1)
    }
    one <- after()
    expect_identical(after(count = 2L), one)
    skip_if_not_installed("BiocParallel")
    expect_identical(after(BPPARAM = BiocParallel::SerialParam()), one)
    expect_identical(after(BPPARAM = BiocParallel::MulticoreParam(2)), one)
})

test_that("all back ends give the same bits", {
    skip_if_not_installed("BiocParallel")
    one <- spread_some()
    for (workers in list(BiocParallel::SerialParam(),
                         BiocParallel::MulticoreParam(2),
                         BiocParallel::MulticoreParam(2, RNGseed = 3))) {
        expect_identical(spread_some(BPPARAM = workers), one)
    }
})

fail_at_two <- function(task, shared) {
    if (task >= 2L) {
        abort_linkrank("Task ", task, " is not possible.", class = "argument")
    }
    task
}
environment(fail_at_two) <- asNamespace("linkrank")

test_that("the first task that fails stops the call, as without workers", {
    expect_refused("argument", spread_some(work = fail_at_two))
    skip_if_not_installed("BiocParallel")
    expect_error(spread_some(work = fail_at_two,
                             BPPARAM = BiocParallel::MulticoreParam(2)),
                 "Task 2 is", class = "linkrank_error_argument")
})

warn_twice <- function(task, shared) {
    warning("seen")
    if (task == 3L) {
        warning("three")
    }
    task
}

test_that("warnings of tasks are given once", {
    said <- character()
    withCallingHandlers(
        found <- spread_some(work = warn_twice),
        warning = function(condition) {
            said <<- c(said, conditionMessage(condition))
            invokeRestart("muffleWarning")
        }
    )
    expect_identical(said, c("seen", "three"))
    expect_identical(found, as.list(1:5))
})

lose_three <- function(task, shared) {
    if (task == 3L && file.exists(shared$deadly)) {
        tools::pskill(Sys.getpid(), tools::SIGKILL)
    }
    task
}

test_that("a lost worker is an error that counts its tasks", {
    skip_on_os("windows")
    skip_if_not_installed("BiocParallel")
    deadly <- tempfile("deadly")
    file.create(deadly)
    on.exit(unlink(deadly))
    expect_error(suppressWarnings(spread_some(
        work = lose_three, shared = list(deadly = deadly),
        BPPARAM = BiocParallel::MulticoreParam(2, tasks = 5L)
    )), "have no result", class = "linkrank_error_workers")
    # later calls have results of their own
    unlink(deadly)
    for (call in 1:4) {
        expect_identical(as.list(1:5), spread_some(
            work = lose_three, shared = list(deadly = deadly),
            BPPARAM = BiocParallel::MulticoreParam(2)
        ))
    }
})

test_that("what cannot be is said", {
    expect_refused("argument", check_workers(2))
})

test_that("tasks without results come with the first worker's own message", {
    skip_if_not_installed("BiocParallel")
    # as R says it in this session, which may have no such quotes
    lacks <- enc2native("there is no package called \u2018linkrank\u2019")
    failed <- tryCatch(
        BiocParallel::bplapply(1:3, function(i) {
            if (i > 1) stop(lacks)
            i
        }, BPPARAM = BiocParallel::SerialParam(stop.on.error = FALSE)),
        error = identity
    )
    found <- lost_tasks(failed, 3)
    expect_identical(attr(found, "reason"), lacks)
    expect_error(give_results(found, "runs"),
                 paste0("(a worker says: ", lacks, ")"),
                 fixed = TRUE, class = "linkrank_error_workers")
    # a condition without results keeps its message
    other <- simpleError("connection lost\nsomewhere")
    expect_identical(attr(lost_tasks(other, 2), "reason"),
                     "connection lost\nsomewhere")
})

test_that("what is computed beside is what would be computed here", {
    settled <- function(job) {
        for (try in 1:200) {
            found <- job$take()
            if (!is.null(found)) break
            Sys.sleep(0.05)
        }
        job$end()
        found
    }
    here <- Sys.getpid()
    expect_identical(settled(beside(function() list(a = 1, b = NULL))),
                     list(a = 1, b = NULL))
    # a process that is lost, an error
    expect_identical(settled(beside(function() {
        if (Sys.getpid() != here) tools::pskill(Sys.getpid(), tools::SIGKILL)
        list(2)
    })), list(2))
    expect_error(settled(beside(function() stop("no ranking"))), "no ranking")
    # one that is not wanted any more
    skip_on_os("windows")
    file <- tempfile()
    job <- beside(function() {
        while (!file.exists(file)) Sys.sleep(0.01)
        unlink(file)
        list(3)
    })
    expect_null(job$take())
    job$end()
    file.create(file)
    Sys.sleep(0.1)
    expect_true(file.exists(file))
})
