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

test_that("the spectral order visits the groups cyclically", {
    # three blocks of samples, far apart: three groups of the seven
    set.seed(1)
    block <- rep(1:3, c(12, 10, 8))
    x <- cbind(c(0, 20, 40)[block], c(0, 30, 5)[block]) +
        rnorm(60, sd = 0.5)
    weights <- reference_self_tuning(x, 5, full = FALSE)
    order <- spectral_order(weights)
    expect_setequal(order, 1:30)
    # not connected: the largest is split into five, the others follow
    expect_identical(block[order[1:7]], c(1L, 1L, 1L, 1L, 1L, 2L, 3L))
    degree <- rowSums(weights)
    expect_identical(order[6], which(block == 2)[which.max(degree[block == 2])])
})

test_that("more components than groups: six, and all others together", {
    weights <- matrix(0, 30, 30)
    for (part in split(1:30, rep(1:10, each = 3))) {
        weights[part, part] <- 1
    }
    diag(weights) <- 0
    groups <- graph_groups(weights, laplacian_model(weights), 7L)
    expect_identical(lengths(groups), c(rep(3L, 6), 12L))
    expect_identical(groups[[1]], 1:3)
})

test_that("spectral groups are those of eigen() and plain k-means", {
    expect_every(15, function(seed) {
        x <- random_matrix(40, 3, seed)
        weights <- reference_self_tuning(x, 7)
        root <- 1 / sqrt(rowSums(weights))
        e <- eigen(root * weights * rep(root, each = 40), symmetric = TRUE)
        rows <- e$vectors[, 1:7]
        rows <- rows / sqrt(rowSums(rows^2))
        starts <- which.max(rowSums(weights))
        while (length(starts) < 7) {
            d <- as.matrix(dist(rows))[, starts, drop = FALSE]
            starts <- c(starts, which.max(apply(d, 1, min)))
        }
        centres <- rows[starts, ]
        repeat {
            d <- as.matrix(dist(rbind(centres, rows)))[-(1:7), 1:7]
            cluster <- apply(d, 1, which.min)
            last <- centres
            for (k in unique(cluster)) {
                centres[k, ] <- colMeans(rows[cluster == k, , drop = FALSE])
            }
            if (max(abs(centres - last)) < 1e-13) break
        }
        got <- spectral_groups(laplacian_model(weights), 7L)
        want <- lapply(seq_len(7), function(k) {
            own <- unname(which(cluster == k))
            own[order(d[cbind(own, k)])]
        })
        identical(got, unname(want))
    })
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

test_that("many samples are compared in components, in twice as many groups", {
    before <- many_samples
    on.exit(replace_binding("many_samples", before))
    replace_binding("many_samples", 240)
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
                     list(strategy = "random"))) {
        all <- do.call(active_constraints, c(list(data, kind, n = 3), one))
        expect_no_match(c(all$space, ""), "component")
    }
})

# The symmetric matrix of weighted edges.
both_ways <- function(i, j, weight, n) {
    two <- i != j
    once <- edges_once(i[two], j[two], weight[two], n)
    once + Matrix::t(once)
}

test_that("of many samples parts of the graph with several kinds are split", {
    before <- many_samples
    on.exit(replace_binding("many_samples", before))
    # six kinds, random edges within each; kinds 2 to 5 touch at one edge, the
    # sixth is far away and small, and the first, alone, is the largest
    set.seed(4)
    joined <- function(samples) {
        cbind(rep(samples, 5L), c(replicate(5L, sample(samples))))
    }
    kind <- rep(1:6, c(2000, 300, 300, 300, 300, 3))
    samples <- split(seq_along(kind), kind)
    touching <- vapply(samples[2:5], `[`, 0L, 1L)
    edges <- rbind(do.call(rbind, lapply(samples, joined)),
                   cbind(touching[-4L], touching[-1L]))
    weights <- both_ways(edges[, 1L], edges[, 2L], rep(1, nrow(edges)),
                         length(kind))
    kinds_of <- function(groups) lapply(groups, function(own) unique(kind[own]))
    model <- laplacian_model(weights)
    small <- kinds_of(graph_groups(weights, model, 7))
    expect_true(any(lengths(small) > 1L))
    replace_binding("many_samples", 3000)
    groups <- graph_groups(weights, model, 14)
    expect_setequal(unlist(groups), seq_along(kind))
    expect_identical(length(groups), 15L)
    expect_identical(sort(groups[[15L]]), samples[[6L]])
    # but for the samples at the edges between them
    mixed <- vapply(groups[1:14], function(own) {
        sum(table(kind[own])) - max(table(kind[own]))
    }, 0)
    expect_lt(sum(mixed), 30)
    expect_setequal(kind[vapply(groups, `[`, 0L, 1L)], 1:6)
    # copies only, in parts that are all small: as of few samples
    copies <- both_ways(seq(1, 2999, 2), seq(2, 3000, 2), rep(1, 1500), 3000)
    groups <- graph_groups(copies, laplacian_model(copies), 14)
    expect_identical(lengths(groups), rep(c(2L, 2974L), c(13, 1)))
    expect_setequal(unlist(groups), 1:3000)
})
