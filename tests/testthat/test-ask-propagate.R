links_of <- function(x, y, cannot = 3, must = 3) {
    links <- constraints_from_labels(y, cannot_link = cannot, must_link = must)
    links$names <- rownames(x)
    links
}

same_pairs <- function(got, want) {
    key <- function(d) paste(d$type, pmin(d$i, d$j), pmax(d$i, d$j))
    got <- as.data.frame(got)
    at <- match(key(want), key(got))
    nrow(got) == nrow(want) && !anyNA(at) &&
        isTRUE(all.equal(got$confidence[at], want$confidence,
                         tolerance = 1e-9))
}

test_that("both methods are their dense references", {
    expect_every(60, function(seed) {
        set.seed(seed)
        n <- sample(10:24, 1)
        x <- matrix(rnorm(n * 3), n) + rep(0:1, length.out = n) * (seed %% 3)
        y <- rep(0:1, length.out = n)
        links <- links_of(x, y)
        method <- if (seed %% 2) "local" else "published"
        must_link <- if (seed %% 5 == 0) "ignore" else "use"
        a <- sample(c(0.5, 0.8, 0.95), 1)
        k <- sample(3:6, 1)
        # a missing cell is the mean of its feature
        given <- x
        if (seed %% 3 == 0) {
            given[sample.int(length(x), 4)] <- NA
            for (j in 1:3) {
                x[is.na(given[, j]), j] <- mean(given[, j], na.rm = TRUE)
            }
        }
        s <- reference_self_tuning(x, k, full = method == "published")
        pairs <- as.data.frame(links)
        candidates <- reference_candidates(s, pairs, method, a, 0.05,
                                           must_link)
        want <- reference_propagation(n, pairs, candidates)
        got <- withCallingHandlers(
            do.call(propagate_constraints, c(
                list(links, given, method = method, a = a, k = k,
                     must_link = must_link, na.action = "mean",
                     scale = "range"), list(relative = 0.05)[method == "local"]
            )),
            linkrank_warning_propagation = function(w) {
                want <<- list(taken = transform(pairs, confidence = NA_real_),
                              dropped = 0)
                invokeRestart("muffleWarning")
            }
        )
        same_pairs(got, want$taken) &&
            sum(got$propagation$dropped) == want$dropped
    })
})

test_that("a pair that is as much of one kind as of the other is neither", {
    # Points on a line, -3 to 3, mirrored: 1-4 are must-linked and 4-7
    # cannot-linked, so 2-4 is as a must-link what 4-6 is as a cannot-link, and
    # a pair between the two halves is as near to both.
    x <- matrix(c(-3, -2, -1, 0, 1, 2, 3))
    links <- pairwise_constraints(cannot_link = cbind(4, 7), must_link = cbind(4, 1), samples = 7)
    even <- function(x) {
        found <- as.data.frame(propagate_constraints(
            links, x, relative = 1e-6, k = 2, scale = "none"
        ))
        found[(found$i + found$j) == 8, ]
    }
    expect_identical(nrow(even(x)), 0L)
    # whatever the last bits are
    expect_every(20, function(seed) {
        set.seed(seed)
        nrow(even(x * (1 + 1e-14 * rnorm(7)))) == 0
    })
})

test_that("what answers across blocks imply is not propagated against", {
    expect_every(20, function(seed) {
        set.seed(seed)
        x <- random_matrix(20, 3, seed)
        block <- rep(1:2, 10)
        # 1 and 3 are of one block, kept apart by way of sample 2 of the other
        links <- pairwise_constraints(cannot_link = rbind(c(1, 2), c(5, 7)),
                                      must_link = rbind(c(2, 3), c(1, 9), c(3, 11)),
                                      samples = 20)
        found <- suppressMessages(propagate_constraints(
            links, x, block = block, relative = 1e-3
        ))
        closed <- reference_closure_of(found)
        !any(closed$same & closed$apart) && closed$apart[1, 3]
    })
})

test_that("threads and blocks of rows change no bit", {
    x <- random_matrix(130, 4)
    y <- rep(1:2, 65)
    links <- links_of(x, y, 4, 2)
    weights <- unname(similarity_graph(x, adjacency = "full", weight = "self_tuning",
                                       k = 7)$weights)
    one <- expect_same_for_threads(function(threads) {
        propagation_columns(weights, 1:7, 0.9, run_control(threads, FALSE))
    })
    expect_equal(one, reference_inverse(weights, 0.9)[, 1:7],
                 tolerance = 1e-11)
})

test_that("the original pairs stay first, in order and direction", {
    x <- random_matrix(20, 3)
    links <- pairwise_constraints(cannot_link = rbind(c(9, 2), c(7, 3)), must_link = cbind(8, 1),
                                  samples = rownames(x))
    got <- propagate_constraints(links, x, k = 4, relative = 0.02)
    table <- as.data.frame(got)
    expect_identical(table$i[1:2], c(9L, 7L))
    expect_identical(is.na(table$confidence),
                     !got$added)
    expect_gt(sum(got$propagation$added), 0)
    added <- table[got$added & table$type == "cannot-link", ]
    expect_false(is.unsorted(-added$confidence))
    expect_true(all(added$i < added$j))
    # no added pair contradicts the closure of all of them
    closure <- reference_closure(
        as.matrix(table[table$type == "cannot-link", c("i", "j")]),
        as.matrix(table[table$type == "must-link", c("i", "j")]), 20
    )
    expect_false(any(closure$same & closure$apart))
})

test_that("must-links spread unless they are ignored", {
    set.seed(1)
    x <- matrix(rnorm(60), 30) + rep(c(0, 6), each = 15)
    links <- pairwise_constraints(cannot_link = cbind(1, 16), must_link = rbind(c(1, 2), c(16, 17)),
                                  samples = 30)
    use <- propagate_constraints(links, x)$propagation$added
    ignore <- propagate_constraints(links, x,
                                    must_link = "ignore")$propagation$added
    expect_gt(use[["must_link"]], 0)
    expect_identical(ignore[["must_link"]], 0L)
    expect_gt(ignore[["cannot_link"]], 0)
})

test_that("published propagation takes the similarity that selection left", {
    x <- random_matrix(18, 3)
    y <- rep(c("a", "b"), 9)
    links <- active_constraints(x, y, n = 4, strategy = "perturbation", k = 5)
    own <- propagate_constraints(links, x, method = "published", a = 0.9)
    given <- propagate_constraints(links, x, method = "published", a = 0.9,
                                   graph = links$similarity)
    fresh <- propagate_constraints(links, x, method = "published", a = 0.9,
                                   graph = reference_self_tuning(x, 5))
    expect_identical(as.data.frame(own), as.data.frame(given))
    expect_false(identical(as.data.frame(own), as.data.frame(fresh)))
})

test_that("with a threshold that is not positive nothing is propagated", {
    x <- random_matrix(12, 3)
    links <- pairwise_constraints(must_link = rbind(c(1, 2), c(3, 4), c(5, 6)),
                                  samples = 12)
    expect_warning(got <- propagate_constraints(links, unname(x),
                                                method = "published"),
                   "must be positive", class = "linkrank_warning_propagation")
    expect_length(got, 3L)
    expect_identical(sum(got$propagation$added), 0L)
})

test_that("samples without an edge spread nothing", {
    s <- matrix(0, 6, 6)
    s[1:4, 1:4] <- 1
    diag(s) <- 0
    x <- unname(random_matrix(6, 2))
    links <- pairwise_constraints(cannot_link = cbind(1, 6), samples = 6)
    got <- as.data.frame(propagate_constraints(links, x, graph = s,
                                               a = 0.9))
    expect_true(all(got$j == 6))
    expect_gt(nrow(got), 1L)
})

test_that("identical samples and constraints from labels are no trouble", {
    same <- matrix(1, 9, 2)
    links <- pairwise_constraints(cannot_link = cbind(1, 2), samples = 9)
    expect_s3_class(propagate_constraints(links, same),
                    "propagated_constraints")
    x <- unname(random_matrix(10, 2))
    all <- constraints_from_labels(rep(1:2, 5))
    expect_identical(sum(propagate_constraints(all, x)$propagation$added), 0L)
})

test_that("what cannot be propagated is refused", {
    x <- random_matrix(12, 3)
    links <- few_links(rownames(x))
    must <- pairwise_constraints(must_link = cbind(1, 2),
                                 samples = rownames(x))
    expect_refused(
        "argument",
        propagate_constraints(links, x, a = 0),
        propagate_constraints(links, x, a = 1),
        propagate_constraints(links, x, a = NA),
        propagate_constraints(links, x, relative = 0),
        propagate_constraints(links, x, relative = 2),
        propagate_constraints(links, x, method = "global"),
        propagate_constraints(links, x, graph = diag(3)),
        propagate_constraints(links, x, alpha = 0.5)
    )
    expect_refused(
        "constraints",
        propagate_constraints(must, x, must_link = "ignore"),
        propagate_constraints(links[0], x),
        propagate_constraints(1, x),
        propagate_constraints(few_links(9), x)
    )
    old <- options(linkrank.max_bytes = 1000)
    on.exit(options(old))
    expect_error(propagate_constraints(links, x),
                 class = "linkrank_error_memory")
})

test_that("propagation along a chain is that of solve() up to a = 1 - 1e-7", {
    set.seed(6)
    n <- 300
    w <- exp(rnorm(n - 1))
    s <- Matrix::sparseMatrix(c(2:n, seq_len(n - 1)), c(seq_len(n - 1), 2:n),
                              x = c(w, w))
    root <- 1 / sqrt(Matrix::rowSums(s))
    p <- root * as.matrix(s) * rep(root, each = n)
    control <- run_control(1L, FALSE)
    for (a in 1 - c(0.1, 1e-4, 1e-7)) {
        want <- solve(diag(n) - a * p)[, c(10, 200)]
        got <- propagation_columns(s, c(10L, 200L), a, control)
        expect_lt(max(abs(got / rep(got[cbind(c(10, 200), 1:2)], each = n) -
                          want / rep(want[cbind(c(10, 200), 1:2)], each = n))),
                  1e-6)
    }
    # it says how many columns did not end, and that 1 - a leaves no digits
    unit <- diag(n)[, 1:2]
    expect_warning(spread_columns(s, unit, 1 - 1e-7, control, steps = 30),
                   "in 2 of 2 columns", class = "linkrank_warning_convergence")
})
