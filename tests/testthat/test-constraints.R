test_that("pairs keep the order and direction in which they were typed", {
    links <- pairwise_constraints(cannot_link = rbind(c(5, 1), c(2, 4)),
                                  must_link = cbind(3, 2), samples = 6)
    expect_identical(links$first, c(5L, 2L, 3L))
    expect_identical(links$second, c(1L, 4L, 2L))
    expect_identical(links$must_link, c(FALSE, FALSE, TRUE))
    expect_identical(links$samples, 6L)
})

test_that("a pair given twice, in either direction, counts once, as first", {
    links <- pairwise_constraints(cannot_link = rbind(c(4, 2), c(2, 4), c(1, 3), c(4, 2)),
                                  must_link = rbind(c(5, 6), c(6, 5)), samples = 6)
    expect_identical(links$first, c(4L, 1L, 5L))
    expect_identical(links$second, c(2L, 3L, 6L))
})

test_that("pairs may come as any two-column table", {
    typed <- rbind(c(5, 1), c(2, 4))
    links <- pairwise_constraints(cannot_link = typed, samples = 6)
    whole <- matrix(as.integer(typed), ncol = 2)
    frame <- data.frame(i = typed[, 1], j = typed[, 2])
    expect_identical(pairwise_constraints(cannot_link = whole, samples = 6), links)
    expect_identical(pairwise_constraints(cannot_link = frame, samples = 6), links)
    expect_identical(pairwise_constraints(cannot_link = typed, samples = 6L), links)
})

test_that("sample names can replace row numbers", {
    names <- c("a", "b", "c", "d")
    links <- pairwise_constraints(cannot_link = rbind(c(4, 1)), must_link = cbind(2, 1), samples = names)
    text <- pairwise_constraints(cannot_link = cbind("d", "a"), must_link = cbind("b", "a"), samples = names)
    frame <- pairwise_constraints(
        cannot_link = data.frame(i = factor("d"), j = "a"),
        must_link = data.frame(i = "b", j = "a", stringsAsFactors = TRUE), samples = factor(names)
    )
    expect_identical(text, links)
    expect_identical(frame, links)
})

test_that("factor pairs are read by their names, not their codes", {
    names <- c("z", "y", "x")
    pairs <- data.frame(i = factor("y", levels = c("y", "x")),
                        j = factor("x", levels = c("y", "x")))
    links <- pairwise_constraints(cannot_link = pairs, samples = names)
    expect_identical(c(links$first, links$second), c(2L, 3L))
})

test_that("names that look like numbers are names when given as text", {
    links <- pairwise_constraints(cannot_link = cbind("3", "1"), samples = c("3", "2", "1"))
    expect_identical(c(links$first, links$second), c(1L, 3L))
})

test_that("no pairs at all are fine, in whatever empty form they come", {
    none <- pairwise_constraints(samples = 4)
    expect_length(none, 0)
    empty <- list(matrix(nrow = 0, ncol = 2), matrix(0, 0, 2),
                  matrix("", 0, 2), data.frame(i = integer(), j = integer()),
                  data.frame(i = character(), j = character()))
    for (pairs in empty) {
        expect_identical(pairwise_constraints(cannot_link = pairs, samples = 4), none)
    }
})

test_that("pairs of another form are refused", {
    expect_refused("constraints",
        pairwise_constraints(cannot_link = c(1, 2), samples = 5),
        pairwise_constraints(cannot_link = 1, samples = 5),
        pairwise_constraints(cannot_link = matrix(1:6, 2), samples = 9),
        pairwise_constraints(cannot_link = data.frame(i = 1), samples = 9),
        pairwise_constraints(cannot_link = list(1, 2), samples = 5),
        pairwise_constraints(must_link = cbind(1.5, 2), samples = 5),
        pairwise_constraints(must_link = cbind(NA, 2), samples = 5),
        pairwise_constraints(cannot_link = cbind(TRUE, FALSE), samples = 5),
        pairwise_constraints(cannot_link = data.frame(i = I(list(1)), j = 2), samples = 5)
    )
})

test_that("samples out of range or unknown are refused", {
    names <- c("a", "b", "c")
    expect_refused("constraints",
        pairwise_constraints(cannot_link = cbind(1, 63), samples = 62),
        pairwise_constraints(cannot_link = cbind(0, 1), samples = 62),
        pairwise_constraints(must_link = cbind(-1, 1), samples = 62),
        pairwise_constraints(cannot_link = cbind(1, 3e9), samples = 62),
        pairwise_constraints(cannot_link = cbind(1, Inf), samples = 1e5),
        pairwise_constraints(cannot_link = cbind("a", "d"), samples = names),
        pairwise_constraints(cannot_link = cbind(letters[1:13], LETTERS[1:13]),
                             samples = names),
        pairwise_constraints(cannot_link = cbind("a", NA), samples = names),
        pairwise_constraints(cannot_link = cbind("a", "b"), samples = 3)
    )
})

test_that("samples that are no count and no names are refused", {
    x <- matrix(0, 3, 2)
    expect_refused("argument",
        pairwise_constraints(cannot_link = cbind(1, 2)),
        pairwise_constraints(cannot_link = cbind(1, 2), samples = rownames(x)),
        pairwise_constraints(cannot_link = cbind(1, 2), samples = 1:3),
        pairwise_constraints(cannot_link = cbind(1, 2), samples = list(x)),
        pairwise_constraints(cannot_link = cbind(1, 2), samples = 2.5),
        pairwise_constraints(cannot_link = cbind(1, 2), samples = Inf),
        pairwise_constraints(cannot_link = cbind(1, 2), samples = 3e9)
    )
    expect_refused("constraints",
        pairwise_constraints(cannot_link = cbind(1, 2), samples = c("a", "b", "a")),
        pairwise_constraints(cannot_link = cbind(1, 2), samples = c("a", "", "b")),
        pairwise_constraints(cannot_link = cbind(1, 2), samples = c("a", "b", NA)),
        pairwise_constraints(cannot_link = cbind(1, 2), samples = rep(letters, 2))
    )
})

test_that("a sample paired with itself is refused", {
    expect_refused("constraints",
        pairwise_constraints(cannot_link = rbind(c(1, 2), c(3, 3)), samples = 5),
        pairwise_constraints(must_link = cbind("b", "b"),
                             samples = c("a", "b", "c")),
        pairwise_constraints(cannot_link = cbind(100000, 100000), samples = 2e5)
    )
})

test_that("a pair of both kinds is refused, in any direction", {
    expect_refused("constraints",
        pairwise_constraints(cannot_link = rbind(c(3, 4), c(1, 2)), must_link = cbind(1, 2), samples = 5),
        pairwise_constraints(cannot_link = cbind(1, 2), must_link = cbind(2, 1), samples = 5),
        pairwise_constraints(cannot_link = cbind("b", "a"), must_link = cbind("a", "b"),
                             samples = c("a", "b", "c"))
    )
})

test_that("a contradiction is refused with the chain that proves it", {
    expect_refused("constraints",
        pairwise_constraints(cannot_link = cbind(2, 9),
                             must_link = rbind(c(2, 5), c(5, 9)),
                             samples = 12),
        pairwise_constraints(cannot_link = cbind("s3", "s1"),
                             must_link = rbind(c("s1", "s2"), c("s2", "s3")),
                             samples = paste0("s", 1:4))
    )
})

test_that("pair keys are the same both ways and differ between pairs", {
    n <- 40
    pairs <- t(combn(n, 2))
    key <- pair_key(pairs[, 1], pairs[, 2], n)
    expect_identical(pair_key(pairs[, 2], pairs[, 1], n), key)
    expect_identical(anyDuplicated(key), 0L)
    # neighbouring pairs of the largest numbers
    expect_false(pair_key(9e7 - 1, 9e7, 9e7) == pair_key(9e7 - 2, 9e7, 9e7))
    expect_false(pair_key(9e7 - 2, 9e7 - 1, 9e7) ==
                     pair_key(9e7 - 2, 9e7, 9e7))
})

test_that("constraints must speak of the samples of the data", {
    x <- random_matrix(5, 4)
    expect_refused("constraints",
        relieff_sc(x, few_links(6)),
        relieff_sc(x, pairwise_constraints(cannot_link = cbind(1, 2), samples = 4)),
        relieff_sc(x, pairwise_constraints(cannot_link = cbind(1, 2), samples = 7)),
        relieff_sc(x, constraints_from_labels(rep(1:2, 3))),
        relieff_sc(x, constraints_from_labels(1:4)),
        relieff_sc(x, pairwise_constraints(cannot_link = cbind(1, 2), samples = letters[1:5]))
    )
})

test_that("only one side may have names", {
    x <- random_matrix(6, 4)
    named <- relieff_sc(x, few_links(rownames(x)), k = 1)
    expect_identical(relieff_sc(x, few_links(6), k = 1), named)
    expect_identical(relieff_sc(unname_samples(x), few_links(rownames(x)),
                                k = 1), named)
})

test_that("what is no constraint set is refused wherever one is taken", {
    x <- random_matrix(6, 4)
    expect_refused("constraints",
        relieff_sc(x, cbind(1, 2)),
        relieff_sc(x, NULL),
        relief_sc(x, list(1, 2)),
        close_constraints(data.frame(i = 1, j = 2)),
        constraint_groups("a")
    )
})

test_that("a ranking needs a cannot-link", {
    x <- random_matrix(6, 4)
    only <- pairwise_constraints(must_link = cbind(1, 2), samples = 6)
    expect_refused("constraints",
        relieff_sc(x, only),
        relief_sc(x, pairwise_constraints(samples = 6)),
        relief_sc(x, constraints_from_labels(rep("a", 6), cannot_link = 0))
    )
})

# ---- where pairs come from ---------------------------------------------------

test_that("what makes constraints says where their pairs come from", {
    set.seed(1)
    x <- random_matrix(20, 5)
    y <- rep(c("a", "b"), 10)
    given <- few_links(rownames(x))
    expect_identical(given$origin, "given")
    expect_identical(constraints_from_labels(y)$origin, "given")
    derived <- structure(factor(y), class = c("linkrank_labels", "factor"))
    expect_identical(constraints_from_labels(derived)$origin, "data")
    expect_identical(constraints_from_labels(derived, cannot_link = 3, must_link = 3)$origin, "data")
    column <- data.frame(kind = y)
    column$found <- derived
    expect_identical(constraints_from_columns(column, must_link = "kind")$origin, "given")
    expect_identical(constraints_from_columns(column, must_link = "kind", cannot_link = "found")$origin,
                     "data")
    wanted <- c(groups = "questions", random = "given", perturbation = "data")
    for (strategy in names(wanted)) {
        got <- active_constraints(x, y, n = 3, strategy = strategy)
        expect_identical(got$origin, wanted[[strategy]])
    }
    own <- function(state) c(1, 1 + nrow(state$answers) + 1)
    expect_identical(active_constraints(x, y, n = 3, strategy = own)$origin,
                     "data")
    expect_identical(propagate_constraints(given, x)$origin, "data")
})

test_that("the origin is kept, and of several the last counts", {
    x <- random_matrix(20, 5)
    asked <- active_constraints(x, rep(c("a", "b"), 10), n = 8)
    given <- few_links(rownames(x))
    chosen <- pairwise_constraints(cannot_link = cbind("s1", "s2"), samples = rownames(x),
                                   origin = "data")
    expect_identical(asked[1:2]$origin, "questions")
    expect_identical(c(given, asked[1])$origin, "questions")
    expect_identical(c(asked[1], chosen, given[1])$origin, "data")
    expect_identical(close_constraints(chosen)$origin, "data")
    for (kept in list(1:9, 20:1)) {
        expect_identical(restrict_constraints(asked, kept)$origin, "questions")
    }
    expect_identical(pairwise_constraints(asked)$origin, "questions")
    expect_identical(reconcile_answers(list(asked, given))$origin, "questions")
    expect_identical(reconcile_answers(asked)$origin, "questions")
    file <- tempfile(fileext = ".csv")
    on.exit(unlink(file))
    write_answers(asked, file)
    again <- pairwise_constraints(read_answers(file), samples = rownames(x))
    expect_identical(again$origin, "questions")
    expect_identical(pairwise_constraints(
        questionnaire(x, strategy = "random", answers = read_answers(file))
    )$origin, "questions")
    write.csv(as.data.frame(chosen), file)
    again <- pairwise_constraints(read.csv(file), samples = rownames(x))
    expect_identical(again$origin, "data")
    # answers without it, to the questions that are due and to others
    unlink(file)
    write_answers(asked, file)
    plain <- read_answers(file)
    plain$origin <- NULL
    expect_identical(pairwise_constraints(questionnaire(x, answers = plain))
                     $origin, "questions")
    expect_identical(pairwise_constraints(
        questionnaire(x, strategy = "random", answers = plain)
    )$origin, "given")
    plain$origin <- "elsewhere"
    expect_refused("constraints",
                   pairwise_constraints(plain, samples = rownames(x)))
    expect_refused("argument", pairwise_constraints(samples = 3, origin = "x"))
    expect_snapshot({
        chosen
        asked[1:2]
    })
})
