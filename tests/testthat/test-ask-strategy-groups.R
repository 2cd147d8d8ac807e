# Explore by its description: all distances, groups as lists, no closure.
reference_groups <- function(x, labels, order, n) {
    u <- apply(x, 2, function(f) (f - min(f)) / (max(f) - min(f)))
    d <- as.matrix(dist(u))
    groups <- list()
    asked <- matrix(integer(), 0, 2)
    for (s in order) {
        near <- lapply(groups, function(g) g[order(d[s, g], g)[1]])
        home <- 0
        for (g in order(vapply(near, function(m) d[s, m], 0))) {
            if (nrow(asked) == n) return(asked)
            asked <- rbind(asked, c(s, near[[g]]))
            if (isTRUE(labels[s] == labels[near[[g]]])) {
                home <- g
                break
            }
        }
        if (home) groups[[home]] <- c(groups[[home]], s) else
            groups <- c(groups, list(s))
    }
    asked
}

test_that("groups are asked as described, don't know included", {
    expect_every(40, function(seed) {
        x <- random_matrix(sample(8:25, 1), 4, seed)
        y <- sample(c("a", "b", "c", NA), nrow(x), TRUE, c(4, 3, 2, 1))
        order <- sample(nrow(x))
        got <- suppressWarnings(
            active_constraints(x, y, n = 30, order = order, ask = "pairs",
                               scale = "range")
        )$questions
        want <- reference_groups(x, y, order, 30)
        identical(cbind(got$i, got$j), want) && !any(got$implied)
    })
})

test_that("an order may be given by names and need not hold all samples", {
    x <- random_matrix(10, 3)
    y <- rep(c("a", "b"), 5)
    by_name <- active_constraints(x, y, n = 2, order = c("s4", "s2", "s9"))
    by_row <- active_constraints(x, y, n = 2, order = c(4, 2, 9))
    expect_identical(by_name$questions[c("i", "j", "type")],
                     by_row$questions[c("i", "j", "type")])
    expect_warning(active_constraints(x, y, n = 9, order = c(4, 2, 9)),
                   "No pair is left", class = "linkrank_warning_questions")
    expect_refused("argument",
                   active_constraints(x, y, n = 3, order = c(1, 1)),
                   active_constraints(x, y, n = 3, order = 11),
                   active_constraints(x, y, n = 3, order = 1.5),
                   active_constraints(x, y, n = 3, order = c("s4", "t1")))
})

# BUILD by its description: what each sample would lower the sum by, every time.
reference_order <- function(distance) {
    all <- seq_len(nrow(distance))
    taken <- which(colSums(distance) <= (1 + 1e-12) * min(colSums(distance)))[1]
    while (length(taken) < length(all)) {
        nearest <- apply(distance[, taken, drop = FALSE], 1, min)
        gain <- vapply(all, function(j) {
            sum(nearest) - sum(pmin(nearest, distance[, j]))
        }, 0)
        gain[taken] <- -1
        taken <- c(taken, which(gain >= max(gain) - 1e-9 * max(gain))[1])
    }
    taken
}

test_that("the order lowers most the distance to the nearest sample taken", {
    # on a line at 0 1 2 10 11: the sums of distances are 24 21 20 28 32, so that
    # the third is the first; its distances are 2 1 0 8 9, of which the samples
    # save 2 2 - 16 16; then 2 2 - - 1; then - 1 - - 1
    line <- as.matrix(dist(c(0, 1, 2, 10, 11)))
    expect_identical(covering_order(line), c(3L, 4L, 1L, 2L, 5L))
    expect_every(40, function(seed) {
        x <- random_matrix(sample(3:40, 1), sample(1:4, 1), seed)
        # ties and copies too
        if (seed %% 2) x <- round(x)
        distance <- unname(as.matrix(dist(x)))
        identical(covering_order(distance), reference_order(distance))
    })
})

test_that("medoids of the order are those of pam() before it swaps", {
    skip_if_not_installed("cluster")
    # of few medoids: later two samples that are the nearest of each other save
    # the same, and pam() takes the higher row
    expect_every(10, function(seed) {
        x <- random_matrix(150, 5, seed)
        found <- cluster::pam(x, 8, do.swap = FALSE)
        setequal(covering_order(as.matrix(dist(x)))[1:8], found$id.med)
    })
})

test_that("a thousand samples, evenly spaced, are in the order", {
    before <- most_in_order
    on.exit(replace_binding("most_in_order", before))
    replace_binding("most_in_order", 10)
    x <- random_matrix(25, 3, 1)
    some <- c(1, 3, 6, 8, 11, 13, 16, 18, 21, 23)
    want <- c(some[reference_order(as.matrix(dist(x[some, ])))],
              setdiff(1:25, some))
    order_of <- function(x, ...) {
        data <- prepare_data(x, scale = "none", ...)
        input <- asked_input(data, space = data_space(data, 20))
        question_order(input$where, default_control())
    }
    for (kind in list(list(x), list(x, space = NULL), list(x, space = x),
                      list(Matrix::Matrix(x, sparse = TRUE)))) {
        expect_equal(do.call(order_of, kind), want)
    }
    # of each block by itself, one sample of each in turn
    block <- rep(1:2, c(15, 10))
    own <- lapply(list(1:15, 16:25), function(rows) {
        rows[order_of(x[rows, ])]
    })
    both <- c(rbind(own[[1]][1:10], own[[2]]), own[[1]][11:15])
    expect_equal(order_of(x, block = block), both)
})

test_that("small, identical and duplicated samples have an order too", {
    y <- c("a", "b", "a")
    expect_length(active_constraints(random_matrix(3, 2), y, n = 2, ask = "pairs"), 2L)
    same <- matrix(1, 25, 3)
    labels <- rep(c("a", "b"), length.out = 25)
    got <- active_constraints(same, labels, n = 10, ask = "pairs")
    expect_length(got, 10L)
    twice <- random_matrix(20, 3)[rep(1:10, 2), ]
    rownames(twice) <- NULL
    expect_length(active_constraints(twice, rep(1:2, 10), n = 12, ask = "pairs"),
                  12L)
})

test_that("questions are in the components of glean()", {
    set.seed(5)
    kind <- rep(1:14, length.out = 240)
    x <- matrix(rnorm(240 * 25), 240)
    x[, 1:14] <- x[, 1:14] + 9 * diag(14)[kind, ]
    data <- prepare_data(x)
    found <- active_constraints(data, kind, n = 13)
    # the first 14 samples are of 14 kinds
    expect_setequal(kind[c(found$questions$i, found$questions$j)], 1:14)
    expect_output(print(found), "strategy \"groups\" in 20 principal comp")
    expect_output(print(questionnaire(data)), "\"groups\" in 20 principal")
    # glean() of the same data takes them
    expect_identical(data$known$components$key[[1]], 20)
    expect_identical(as.data.frame(found), as.data.frame(
        active_constraints(data, kind, n = 13, space = 20)))
    for (one in list(list(space = NULL), list(distance = "correlation"),
                     list(strategy = "random"),
                     list(strategy = "perturbation"))) {
        all <- do.call(active_constraints, c(list(data, kind, n = 3), one))
        expect_no_match(c(all$space, ""), "component")
    }
    # which has no graph
    expect_refused("argument",
                   active_constraints(x, kind, n = 3, k = 5),
                   questionnaire(x, graph = similarity_graph(x)))
})

test_that("the order goes on behind its beginning", {
    x <- random_matrix(80, 3)
    links <- suppressWarnings(active_constraints(x, 1:80, n = 100))
    where <- questionnaire_input(questionnaire(x))$where
    expect_identical(unique(links$questions$i),
                     question_order(where, default_control())[-1])
})
