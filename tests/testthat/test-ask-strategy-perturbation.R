asked <- function(x, y, ...) {
    suppressWarnings(
        active_constraints(x, y, strategy = "perturbation", ...)
    )$questions
}

same_questions <- function(got, want) {
    nrow(got) == nrow(want) && all(got$i == want$i & got$j == want$j &
                                       got$type == want$type &
                                       got$implied == !want$asked)
}

test_that("small problems ask what all eigenvectors would ask", {
    expect_every(200, function(seed) {
        set.seed(seed)
        n <- sample(8:32, 1)
        x <- matrix(rnorm(n * 4), n) + 3 * (runif(n) < 0.4) * (seed %% 2)
        y <- sample(c("a", "b", "c", NA), n, TRUE, c(0.4, 0.3, 0.25, 0.05))
        k <- sample(2:7, 1)
        vectors <- sample(1:3, 1)
        criterion <- sample(c("eigenvector", "eigenvalue"), 1,
                            prob = c(0.8, 0.2))
        pairs <- sample(c("all", "uncertain"), 1)
        want <- reference_questions(reference_self_tuning(x, k), y, Inf, 8,
                                    vectors, criterion, pairs)
        same_questions(asked(x, y, n = Inf, max_questions = 8, k = k,
                             eigenvectors = vectors, criterion = criterion,
                             pairs = pairs, scale = "range"), want)
    })
})

test_that("a sparse similarity asks what the same dense one does", {
    expect_every(20, function(seed) {
        x <- random_matrix(20, 3, seed)
        y <- sample(c("a", "b"), 20, TRUE)
        graph <- similarity_graph(x, adjacency = "knn", weight = "self_tuning", k = 6)
        want <- reference_questions(as.matrix(graph$weights), y, Inf, 8)
        sparse <- asked(x, y, n = Inf, max_questions = 8, graph = graph)
        dense <- asked(x, y, n = Inf, max_questions = 8,
                       graph = as.matrix(graph))
        same_questions(sparse, want) && same_questions(dense, want)
    })
})

test_that("v_2 of each step, i* and the amended similarity are kept", {
    x <- random_matrix(20, 3)
    y <- rep(c("a", "b"), 10)
    got <- active_constraints(x, y, n = 4, strategy = "perturbation", k = 5,
                              scale = "range")
    s <- reference_self_tuning(x, 5)
    for (t in seq_len(nrow(got$questions))) {
        v <- eigen(diag(rowSums(s)) - s, symmetric = TRUE)$vectors[, 19]
        expect_equal(abs(sum(v * got$vectors[, t])), 1, tolerance = 1e-9)
        expect_identical(got$questions$entry[t], which.min(abs(v)))
        ends <- c(got$questions$i[t], got$questions$j[t])
        s[ends[1], ends[2]] <- s[ends[2], ends[1]] <-
            as.numeric(got$questions$type[t] == "must-link")
    }
    expect_equal(unname(as.matrix(got$similarity)), s)
    expect_identical(ncol(got$vectors), nrow(got$questions))
})

# ---- guards ------------------------------------------------------------------

test_that("the lowest two components are joined first, at the largest degree", {
    weights <- matrix(0, 9, 9)
    parts <- list(1:4, 5:7, 8:9)
    set.seed(1)
    for (part in parts) weights[part, part] <- runif(1, 0.5, 1)
    weights[2, 1:4] <- weights[1:4, 2] <- 0.95
    diag(weights) <- 0
    x <- random_matrix(9, 2)
    first <- asked(x, function(i, j) NA, n = 1, max_questions = 3,
                   graph = weights)
    # don't know relates two components too: each pair of them once
    expect_identical(first$i, c(2L, 2L, 5L))
    expect_identical(first$j, c(5L, 8L, 8L))
    expect_true(all(is.na(first$entry)))
    # cannot-links of three components: then the inside of the largest
    more <- active_constraints(x, function(i, j) "cannot-link", n = 5,
                               strategy = "perturbation", graph = weights)
    expect_identical(more$note, "components")
    expect_true(all(more$questions$i[4:5] <= 4 & more$questions$j[4:5] <= 4))
    # must-links join them, so that two questions are enough
    joined <- asked(x, function(i, j) "must-link", n = 1, max_questions = 3,
                    graph = weights)
    expect_identical(is.na(joined$entry), c(TRUE, TRUE, FALSE))
})

test_that("a graph connected only by rounding errors counts as disconnected", {
    weights <- matrix(1e-30, 8, 8)
    weights[1:4, 1:4] <- weights[5:8, 5:8] <- 1
    diag(weights) <- 0
    x <- random_matrix(8, 2)
    for (tiny in c(1e-30, 3e-16)) {
        weights[1:4, 5:8] <- weights[5:8, 1:4] <- tiny
        got <- active_constraints(x, function(i, j) "cannot-link", n = 1,
                                  strategy = "perturbation",
                                  graph = weights)
        expect_identical(got$note, "components")
        expect_identical(c(got$questions$i, got$questions$j), c(1L, 5L))
    }
})

test_that("equal eigenvalues are left out with a note, every pair is used", {
    # a full graph of equal weights: lambda_2 = ... = lambda_n
    weights <- matrix(0.5, 7, 7) - diag(0.5, 7)
    x <- random_matrix(7, 2)
    got <- active_constraints(x, function(i, j) NA, n = 1, max_questions = 21,
                              strategy = "perturbation", graph = weights)
    expect_identical(got$note, "close eigenvalues")
    expect_length(unique(pair_key(got$questions$i, got$questions$j, 7)), 21L)
    expect_identical(got$questions$i[1], 1L)
    expect_match(capture.output(print(got)), "too close were left out",
                 all = FALSE)
    # a ring: lambda_2 = lambda_3 alone
    ring <- matrix(0, 8, 8)
    for (i in 1:8) ring[i, i %% 8 + 1] <- ring[i %% 8 + 1, i] <- 1
    got <- active_constraints(random_matrix(8, 2), function(i, j) NA, n = 1,
                              max_questions = 3, strategy = "perturbation",
                              graph = ring)
    expect_true("close eigenvalues" %in% got$note)
    expect_true(all(is.finite(got$vectors)))
})

test_that("the term of a near-equal eigenvalue is left out of g", {
    # eigenvalues by design: lambda_2 and lambda_3 differ by 1e-11
    set.seed(2)
    n <- 10
    q <- qr.Q(qr(cbind(1, matrix(rnorm(n * (n - 1)), n))))
    values <- c(0, 5, 5 + 1e-11, seq(6, 9, length.out = n - 3))
    l <- q %*% (values * t(q))
    s <- -l
    diag(s) <- 0
    focus <- list(model = laplacian_model(s), inverse = NULL)
    focus <- know_vectors(focus, 1L)
    entry <- 4L
    found <- resolvent(focus, 1L, entry,
                       1e-8 * max(current_degree(focus$model)))
    expect_true(found$close)
    v <- focus$known$vectors[, 1]
    want <- numeric(n)
    for (p in 4:n) want <- want + q[, p] * q[entry, p] / (5 - values[p])
    expect_equal(found$g, want, tolerance = 1e-6)
})

test_that("identical samples and samples in one place are no trouble", {
    same <- matrix(2, 9, 3)
    got <- asked(same, rep(c("a", "b", "c"), 3), n = 5, scale = "range")
    expect_identical(sum(got$type == "cannot-link"), 5L)
    x <- random_matrix(12, 3)
    x[2, ] <- x[1, ]
    rownames(x) <- NULL
    want <- reference_questions(reference_self_tuning(x, 7), rep(1:2, 6), 5)
    expect_true(same_questions(asked(x, rep(1:2, 6), n = 5,
                                     scale = "range"), want))
})

test_that("above the dense limit the graph is that of neighbours", {
    set.seed(1)
    x <- matrix(rnorm(2001 * 3), 2001)
    rm(list = ls(said_before), envir = said_before)
    ask <- function() {
        active_constraints(x, rep(1:2, length.out = 2001), n = Inf,
                           strategy = "perturbation", k = 10,
                           max_questions = 2)
    }
    expect_message(got <- ask(), "nearest neighbours, not of all pairs",
                   class = "linkrank_message_graph")
    # once a session
    expect_silent(ask())
    expect_s4_class(got$similarity$weights, "dgCMatrix")
    expect_identical(nrow(got$questions[!got$questions$implied, ]), 2L)
})

test_that("must-links can be waited for", {
    x <- random_matrix(24, 4)
    y <- rep(1:2, 12)
    ask <- function(...) {
        active_constraints(x, y, strategy = "perturbation", ...)
    }
    plain <- ask(n = 4)
    longer <- ask(n = 4, must_link = 6)
    counts <- count_pairs(longer)
    expect_gte(counts[["cannot_link"]], 4)
    expect_identical(counts[["must_link"]], 6L)
    # the same questions, only more of them
    shown <- seq_len(nrow(plain$questions))
    expect_identical(longer$questions[shown, c("i", "j", "type")],
                     plain$questions[, c("i", "j", "type")])
    # without the last answer a number was short
    before <- table(head(longer$questions$type, -1))
    expect_true(before[["cannot-link"]] < 4 || before[["must-link"]] < 6)
    expect_identical(ask(n = 4, must_link = 0)$questions$i,
                     plain$questions$i)
    expect_identical(nrow(ask(n = 4, must_link = 6,
                              max_questions = 3)$questions), 3L)
    expect_error(active_constraints(x, y, n = 4, must_link = 1),
                 class = "linkrank_error_argument")
})

test_that("conjugate gradients can be interrupted", {
    # a chain: as many steps as samples, some seconds
    n <- 20000L
    chain <- Matrix::sparseMatrix(i = seq_len(n - 1L), j = seq_len(n - 1L) + 1L,
                                  x = 1, dims = c(n, n), symmetric = TRUE)
    weights <- methods::as(chain, "generalMatrix")
    model <- laplacian_model(weights)
    begin <- cpu_seconds()
    on.exit(setTimeLimit())
    expect_error({
        setTimeLimit(cpu = 0.2, transient = TRUE)
        .Call(linkrank:::C_resolvent, model, NULL, 0,
              matrix(1 / sqrt(n), n, 1L), -1e-12, 1L)
    }, "time limit")
    setTimeLimit()
    if (judges_time()) {
        expect_lt(cpu_seconds() - begin, 5)
    }
})
