# The sample farthest from all that were asked about, with the nearest of these.
farthest <- function(state) {
    asked <- unique(c(state$answers$i, state$answers$j))
    if (!length(asked)) {
        return(c(1, which.max(state$distances(1))))
    }
    distances <- sapply(asked, state$distances)
    new <- which.max(apply(distances, 1, min))
    known <- asked[order(distances[new, ])]
    c(new, known[state$open(new, known)][1])
}

# Samples on a line at 0, 8, 3, 5.5, 1; classes a b a b a.
#   first 1 and its farthest, 2; of the others 3 is farthest from both, 3 from
#   1; then 4, which is 2.5 from 2 and from 3, of which 3 is the first in i, j
line_of_samples <- function() {
    matrix(c(0, 8, 3, 5.5, 1), 5, dimnames = list(letters[1:5], "g"))
}

test_that("a strategy of one's own is worked by hand", {
    x <- line_of_samples()
    got <- active_constraints(x, c("a", "b", "a", "b", "a"), n = 3,
                              strategy = farthest)
    expect_identical(got$questions$i, c(1L, 3L, 4L))
    expect_identical(got$questions$j, c(2L, 1L, 3L))
    expect_identical(got$questions$type, c("cannot-link", "must-link",
                                           "cannot-link"))
    expect_identical(got$strategy, "own")
    expect_snapshot(got)
    # the same by hand, pair by pair
    q <- answer_all(questionnaire(x, strategy = farthest, n = 3), c("a", "b", "a", "b",
                                                         "a"))
    expect_identical(pairwise_constraints(q)$questions[c("i", "j")],
                     got$questions[c("i", "j")])
    again <- answer_pair(undo_answer(q), "must-link")
    expect_identical(pairwise_constraints(again)$questions$type[3],
                     "must-link")
    expect_identical(unname(next_pair(questionnaire(x, strategy = farthest))), 1:2)
})

test_that("it gets the answers, what they decide, and its memory", {
    x <- random_matrix(8, 3)
    seen <- list()
    one_by_one <- function(state) {
        seen[[length(seen) + 1]] <<- state
        step <- if (is.null(state$memory)) 1 else state$memory
        list(pair = state$names[step + 0:1], memory = step + 1)
    }
    labels <- c(1, 1, 2, NA, 2, 2, 1, 1)
    got <- active_constraints(x, labels, n = 4, strategy = one_by_one,
                              scale = "range")
    expect_identical(got$questions$type, c("must-link", "cannot-link",
                                           "unsure", "unsure"))
    last <- seen[[4]]
    expect_equal(last$samples, 8)
    expect_identical(last$memory, 4)
    expect_identical(last$answers$type, c("must-link", "cannot-link",
                                          "unsure"))
    # 1-2-3: 3 is cannot-linked to 1 as well
    expect_identical(last$relation(c(1, 1, 3, 5), c(2, 3, 4, 6)),
                     c("must-link", "cannot-link", NA, NA))
    expect_identical(last$open(c(1, 1, 3, 5, 5), c(2, 3, 4, 6, 5)),
                     c(FALSE, FALSE, FALSE, TRUE, FALSE))
    scaled <- apply(x, 2, function(u) (u - min(u)) / diff(range(u)))
    expect_equal(last$distances(3), unname(as.matrix(dist(scaled))[, 3]))
})

test_that("a pair that is not open is drawn again, the end is said", {
    x <- line_of_samples()
    labels <- c("a", "b", "a", "b", "a")
    draw <- function(state) sample(state$samples, 2)
    set.seed(2)
    got <- active_constraints(x, labels, n = 4, strategy = draw)
    expect_identical(nrow(got$questions), 4L)
    expect_false(any(got$questions$implied))
    expect_warning(none <- active_constraints(x, labels, n = 9,
                                              strategy = farthest),
                   class = "linkrank_warning_questions")
    expect_lte(nrow(none$questions), 7)
    # the same strategy, judged on many splits
    found <- evaluate_method(
        random_matrix(24, 5), rep(1:2, 12), "relief_sc", splits = 2, n = 1:2,
        constraints = function(x, y) {
            active_constraints(x, y, 6, strategy = farthest)
        }
    )
    expect_s3_class(found, "method_evaluation")
})

test_that("answers are kept when a strategy fails", {
    x <- line_of_samples()
    breaks <- function(state) {
        if (nrow(state$answers) == 2) stop("No luck.")
        farthest(state)
    }
    labels <- c("a", "b", "a", "b", "a")
    expect_warning(got <- active_constraints(x, labels, n = 4,
                                             strategy = breaks),
                   "No luck", class = "linkrank_warning_questions")
    expect_identical(nrow(got$questions), 2L)
    expect_identical(got$finished, "the strategy failed")
    ask <- function(strategy, ...) {
        active_constraints(x, labels, n = 4, strategy = strategy, ...)
    }
    expect_refused("argument",
        ask(function(state) stop("boom")),
        ask(function(state) c(1, 1)),
        ask(function(state) c(1, 6)),
        ask(function(state) c("a", "z")),
        ask(function(state) "a"),
        ask(function(state) list(pair = 1:3)),
        ask(farthest, must_link = 2),
        ask(farthest, ask = "sort"),
        ask(1),
        ask("own"),
        ask("sorted")
    )
    # the first pair stays the only one that is proposed
    expect_warning(ask(function(state) c(1, 2)),
                   "its last 100 were, such as", class = "linkrank_warning_questions")
})
