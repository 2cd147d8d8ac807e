# plan_questions(): what is planted, asked, found and shown.

test_that("a part of a plan prints as a table", {
    plan <- suppressMessages(suppressWarnings(
        plan_questions(random_matrix(20, 10), 3, questions = 5, trials = 2,
                       progress = FALSE)))
    expect_output(print(plan), "^<question_plan> 2 kinds, 3 standard")
    expect_output(print(plan[1:2]), "^ *questions *found")
})

test_that("what is certain to be found is found, what is not planted is not", {
    set.seed(1)
    x <- random_matrix(40, 20)
    strong <- plan_questions(x, 20, questions = c(30, 2), trials = 4)
    expect_s3_class(strong, c("question_plan", "data.frame"), exact = TRUE)
    expect_identical(strong$questions, c(2L, 30L))
    expect_identical(strong$found, c(0, 1))
    expect_identical(strong$right[2], 1)
    expect_identical(strong$found_se, c(0, 0))
    none <- plan_questions(x, 1e-9, questions = 20, trials = 8)
    expect_lt(none$found, 0.2)
})

test_that("the shares are those of a trial by hand", {
    set.seed(2)
    cells <- random_matrix(30, 12)
    options <- list(effect = 2, questions = c(8, 16), groups = 3, share = 0.25,
                    noise = 0, raters = 1, level = 0.05)
    shared <- list(cells = cells, options = options)
    set.seed(5)
    got <- plan_trial(1, shared)
    set.seed(5)
    kind <- sample(rep_len(1:3, 30))
    planted <- sample.int(12, 3)
    x <- cells
    for (k in 1:3) {
        x[kind == k, planted[k]] <- x[kind == k, planted[k]] + 2
    }
    colnames(x) <- 1:12
    for (row in 1:2) {
        links <- suppressWarnings(suppressMessages(active_constraints(
            x, kind, n = c(8, 16)[row], scale = "none")))
        ranking <- suppressMessages(glean(x, links, scale = "none"))
        expect_equal(got[row, "right"], c(right = mean(
            planted %in% top_features(ranking, 3))))
        markers <- suppressMessages(group_markers(x, links))
        expect_equal(got[row, "found"], c(found = mean(
            planted %in% markers$feature[which(markers$fdr <= 0.05)])))
    }
})

test_that("wrong answers cost, more raters help, printed and drawn", {
    set.seed(3)
    x <- random_matrix(40, 30)
    run <- function(...) {
        set.seed(7)
        plan_questions(x, 2.5, questions = 30, trials = 4, ...)
    }
    right <- run()
    wrong <- run(noise = 0.3)
    more <- run(noise = 0.3, raters = 5)
    expect_lt(wrong$right, right$right)
    expect_lt(wrong$right, more$right)
    expect_output(print(right), "2 kinds, 2.5 standard deviations apart in 10 %")
    expect_output(print(wrong), "30 % of answers wrong, 1 rater, 4 trials")
    grDevices::pdf(NULL)
    expect_identical(plot(right), right)
    grDevices::dev.off()
    expect_refused("argument",
        plan_questions(x), plan_questions(x, 0),
        plan_questions(x, 1, questions = 0), plan_questions(x, 1, groups = 21),
        plan_questions(x, 1, noise = 2), plan_questions(x, 1, trials = 1),
        plan_questions(x, 1, scale = "none")
    )
})
