labels_of <- function(n, seed = 1) {
    set.seed(seed)
    sample(c("a", "b", "c"), n, replace = TRUE)
}

test_that("every strategy asks no pair twice and none that is decided", {
    x <- random_matrix(16, 3)
    y <- labels_of(16)
    for (strategy in names(strategies)) {
        set.seed(1)
        got <- suppressWarnings(
            active_constraints(x, y, n = Inf, strategy = strategy,
                               max_questions = 40)
        )
        q <- got$questions
        expect_false(anyDuplicated(pair_key(q$i, q$j, 16)) > 0)
        for (t in which(!q$implied)) {
            before <- pair_closure(q$i[seq_len(t - 1)], q$j[seq_len(t - 1)],
                                   q$type[seq_len(t - 1)] == "must-link", 16L)
            expect_true(is.na(relation(before, q$i[t], q$j[t])))
        }
        expect_identical(q$type == "must-link", y[q$i] == y[q$j])
    }
})

test_that("only random uses random numbers, and set.seed() repeats it", {
    x <- random_matrix(12, 3)
    y <- labels_of(12)
    set.seed(3)
    state <- .Random.seed
    active_constraints(x, y, n = 4)
    active_constraints(x, y, n = 2, strategy = "perturbation")
    expect_identical(.Random.seed, state)
    one <- active_constraints(x, y, n = 5, strategy = "random")
    set.seed(3)
    other <- active_constraints(x, y, n = 5, strategy = "random")
    expect_identical(as.data.frame(one), as.data.frame(other))
})

test_that("limits count what they say", {
    x <- random_matrix(14, 3)
    y <- labels_of(14)
    got <- active_constraints(x, y, n = 5, ask = "pairs")
    expect_identical(nrow(got$questions), 5L)
    expect_identical(got$finished, "n")
    got <- active_constraints(x, y, n = 5, max_questions = 3, ask = "pairs")
    expect_identical(nrow(got$questions), 3L)
    got <- active_constraints(x, y, n = 5, strategy = "perturbation")
    expect_identical(sum(got$questions$type == "cannot-link"), 5L)
    got <- active_constraints(x, y, n = Inf, max_questions = 5,
                              strategy = "perturbation")
    expect_identical(sum(!got$questions$implied), 5L)
    # ends at once: nothing implied is used after the last question
    expect_false(got$questions$implied[nrow(got$questions)])
})

test_that("one kind of samples ends with a warning and all pairs", {
    x <- random_matrix(6, 2)
    expect_warning(
        got <- active_constraints(x, rep(1, 6), n = 2,
                                  strategy = "perturbation"),
        "0 cannot-links instead of 2", class = "linkrank_warning_questions"
    )
    expect_length(got, 15L)
    expect_warning(got <- active_constraints(x, rep(1, 6), n = 20,
                                             strategy = "random"),
                   class = "linkrank_warning_questions")
    expect_identical(sum(got$questions$type == "must-link"), 5L)
})

test_that("any kind of data asks the same", {
    x <- random_matrix(15, 4)
    y <- labels_of(15)
    want <- active_constraints(x, y, n = 6)$questions
    frame <- active_constraints(as.data.frame(x), y, n = 6)$questions
    sparse <- active_constraints(methods::as(x, "CsparseMatrix"), y,
                                 n = 6)$questions
    columns <- setdiff(names(want), "time")
    expect_identical(frame[columns], want[columns])
    expect_identical(sparse[columns], want[columns])
})

test_that("missing values are refused, filled, or not used", {
    x <- random_matrix(12, 3)
    y <- labels_of(12)
    x[3, 2] <- NA
    expect_error(active_constraints(x, y, n = 3), "must be finite",
                 class = "linkrank_error_input")
    filled <- x
    filled[3, 2] <- mean(x[, 2], na.rm = TRUE)
    columns <- c("i", "j", "type")
    expect_identical(
        active_constraints(x, y, n = 5, na.action = "mean",
                           scale = "range")$questions[columns],
        active_constraints(filled, y, n = 5, scale = "range")$questions[columns]
    )
    expect_length(active_constraints(x, y, n = 3, strategy = "random"), 3L)
})

test_that("a result works wherever constraints do", {
    x <- random_matrix(20, 5)
    got <- active_constraints(x, labels_of(20), n = 12, ask = "pairs")
    expect_s3_class(got, "pairwise_constraints")
    expect_identical(dim(as.data.frame(got)), c(12L, 7L)) # with the origin
    expect_s3_class(relieff_sc(x, got), "feature_ranking")
    expect_s3_class(close_constraints(got), "pairwise_constraints")
    expect_length(got[1:3], 3L)
    expect_length(c(got, few_links(rownames(x))[1]), length(got) + 1L)
})

test_that("printed output and the closing line", {
    x <- random_matrix(20, 5)
    got <- active_constraints(x, labels_of(20), n = 12, ask = "pairs")
    expect_narrow(got)
    expect_snapshot(print(got, n = 3))
    expect_message(active_constraints(x, labels_of(20), n = 12,
                                      ask = "pairs", progress = TRUE), asked_line(got),
                   fixed = TRUE)
    more <- active_constraints(x, labels_of(20), n = 6,
                               strategy = "perturbation")
    expect_narrow(more)
})

test_that("arguments out of range are refused", {
    x <- random_matrix(10, 3)
    y <- labels_of(10)
    expect_refused(
        "argument",
        active_constraints(x, y),
        active_constraints(x, y, n = 0),
        active_constraints(x, y, n = Inf),
        active_constraints(x, y, n = 2.5),
        active_constraints(x, y, n = 3, max_questions = 0),
        active_constraints(x, y, n = 3, strategy = "group"),
        active_constraints(x, y, n = 3, k = 0),
        active_constraints(x, y, n = 3, strategy = "perturbation",
                           eigenvectors = 10),
        active_constraints(x, y, n = 3, pairs = "some"),
        active_constraints(x, y, n = 3, criterion = "trace"),
        active_constraints(x, y, n = 3, graph = diag(9),
                           strategy = "perturbation"),
        active_constraints(x, y, n = 3, strategies = "random"),
        active_constraints(x, y[-1], n = 3),
        active_constraints(x, NULL, n = 3),
        active_constraints(x, list(1), n = 3)
    )
})

test_that("update() of answers says what takes them", {
    links <- active_constraints(rbind(1:3, 4:6, 2:4), c(1, 2, 1), n = 2)
    expect_error(update(links, n = 3), "questionnaire(x, answers = links)",
                 fixed = TRUE, class = "linkrank_error_argument")
})
