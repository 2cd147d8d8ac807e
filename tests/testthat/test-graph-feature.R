as_plain <- function(graph) unname(as.matrix(graph))

test_that("the graph is the exact solution of both problems", {
    for (seed in 1:4) {
        x <- random_matrix(12, 7, seed)
        expect_equal(as_plain(feature_graph(x)),
                     reference_feature_graph(x, "simplex"), tolerance = 1e-8)
        for (lambda in c(0, 0.05, 0.5)) {
            graph <- feature_graph(x, method = "nnlasso", lambda = lambda)
            expect_equal(as_plain(graph),
                         reference_feature_graph(x, "nnlasso", lambda),
                         tolerance = 1e-8)
        }
    }
})

test_that("unscaled features of any size give the same graph", {
    x <- random_matrix(12, 7, 4)
    for (method in c("simplex", "nnlasso")) {
        graph <- feature_graph(x, method = method, scale = "none")
        # single precision ends at 3e38: the first call crashed R
        for (size in 2^c(400, -400, 30, -30)) {
            other <- feature_graph(x * size, method = method, scale = "none")
            expect_equal(as_plain(other), as_plain(graph), tolerance = 1e-10)
            expect_lt(max(other$kkt), 1e-9)
        }
    }
    set.seed(1)
    two <- matrix(rnorm(58) * 1e120, 29)
    expect_identical(as_plain(feature_graph(two, scale = "none"))[1L, 2L], 1)
})

test_that("fewer samples than features", {
    x <- random_matrix(5, 8, 9)
    expect_equal(as_plain(feature_graph(x, method = "nnlasso", lambda = 0.2)),
                 reference_feature_graph(x, "nnlasso", 0.2), tolerance = 1e-8)
})

# The weights of each feature as the C code has them, before they are made
# symmetric: column i reconstructs feature i.
weights_of <- function(x, method, lambda) {
    cells <- scaled_data(prepared(x), scale = "range")
    found <- .Call(C_sparse_graph, cells$data, cells$scaling,
                   method == "simplex", lambda,
                   list(number = 1L, parts = 1L),
                   run_control(1L, FALSE))
    s <- matrix(0, ncol(x), ncol(x))
    s[cbind(found$to, found$from)] <- found$weight
    s
}

# How far a solution is from the optimality conditions of (3.24), as a share of
# ||y||^2: no feature may have a larger gradient than the level, those in use
# must have that one. The level is lambda times the largest inner product, and
# with the simplex the gradient that those in use share.
certificate <- function(u, entering, target, s, method, lambda) {
    y <- u[, target]
    others <- setdiff(entering, target)
    gradient <- drop(crossprod(u, y - u %*% s))[others]
    used <- s[others] > 0
    level <- if (method == "simplex") mean(gradient[used]) else
        lambda * max(crossprod(u[, others], y))
    gap <- c(max(gradient - level), abs(gradient[used] - level), -s[others],
             if (method == "simplex") abs(sum(s) - 1))
    max(gap) / sum(y^2)
}

test_that("the weights meet the optimality conditions, and kkt says how well", {
    x <- log2(colon$x)[, 1:120]
    u <- scaled_by_range(x)
    lambda <- 0.1
    for (method in c("simplex", "nnlasso")) {
        graph <- if (method == "simplex") feature_graph(x) else
            feature_graph(x, method = method, lambda = lambda)
        entering <- which(graph$original == seq_len(120))
        s <- weights_of(x, method, lambda)
        gaps <- vapply(entering, function(i) {
            certificate(u, entering, i, s[, i], method, lambda)
        }, 0)
        expect_lt(max(gaps), 1e-9)
        expect_true(all(graph$kkt <= 1e-12, na.rm = TRUE))
        expect_true(all(graph$nonzeros[!is.na(graph$nonzeros)] <= 62))
        expect_true(all(graph$rounds[!is.na(graph$rounds)] >= 1))
        # the certificate can fail: a weight moved by a millionth
        wrong <- s[, entering[1]]
        moved <- which.max(wrong)
        wrong[moved] <- wrong[moved] * (1 + 1e-6)
        expect_gt(certificate(u, entering, entering[1], wrong, method, lambda),
                  1e-9)
    }
    # with the simplex each feature hands out a weight of 1
    graph <- feature_graph(x)
    entering <- graph$original == seq_len(120)
    expect_equal(sum(as.matrix(graph)[entering, entering]),
                 sum(entering), tolerance = 1e-10)
})

test_that("worked: a feature between two others", {
    # scaled, b is the mean of a and c; a and c each take b alone
    a <- c(0, 1, 0, 1)
    b <- c(0, 1, 0.5, 0.5)
    c <- c(0, 1, 1, 0)
    s <- as.matrix(feature_graph(cbind(a, b, c)))
    expect_equal(s["a", "b"], (1 + 1 / 2) / 2)
    expect_equal(s["b", "c"], (1 + 1 / 2) / 2)
    expect_equal(s["a", "c"], 0)
})

test_that("copies are joined to the first, constant features to nothing", {
    x <- random_matrix(10, 6, 2)
    y <- cbind(x, 3 * x[, 2] + 1, 7, x[, 2], 2 * x[, 5])
    # exact after scaling: powers of two and sums without rounding
    y[, 7] <- x[, 2] * 4
    y[, 10] <- x[, 5] * 2
    colnames(y) <- paste0("g", 1:10)
    for (method in c("simplex", "nnlasso", "correlation")) {
        graph <- feature_graph(y, method = method)
        expect_equal(graph$original, c(1:6, 2, 0, 2, 5))
        s <- as.matrix(graph)
        expect_equal(s[1:6, 1:6], as.matrix(feature_graph(x, method = method)))
        expect_equal(unname(s[, 7]), c(0, 1, rep(0, 8)))
        expect_equal(unname(s[, 9]), c(0, 1, rep(0, 8)))
        expect_equal(unname(s[, 10]), c(0, 0, 0, 0, 1, rep(0, 5)))
        expect_true(all(s[, 8] == 0))
    }
})

test_that("few features that enter", {
    x <- cbind(a = c(1, 2, 4), b = 5, c = c(1, 2, 4))
    graph <- feature_graph(x)
    expect_equal(sum(as.matrix(graph)), 2)
    expect_equal(as.matrix(graph)["a", "c"], 1)
    expect_equal(sum(as.matrix(feature_graph(cbind(a = 1:3, b = 2)))), 0)
    two <- feature_graph(cbind(a = c(1, 2, 4), b = c(1, 3, 4)))
    expect_equal(as.matrix(two)["a", "b"], 1)
    expect_equal(length(feature_graph(matrix(1:3))$original), 1)
})

test_that("correlation joins each feature to its nearest ones", {
    x <- random_matrix(20, 30, 3)
    x[, 7] <- -x[, 6] + 0.01 * x[, 7]
    for (k in c(1, 4, 100)) {
        r <- abs(cor(x))
        diag(r) <- -1
        near <- apply(r, 2, function(v) rank(-v, ties.method = "first") <= k)
        diag(near) <- FALSE
        want <- ifelse(near | t(near), r, 0)
        expect_equal(as_plain(feature_graph(x, method = "correlation", k = k)),
                     unname(want), tolerance = 1e-12)
    }
})

test_that("the same bits for any threads, instructions and kind of data", {
    x <- log2(colon$x)[, 1:200]
    for (method in c("simplex", "nnlasso", "correlation")) {
        graph <- expect_same_for_threads(function(threads) {
            feature_graph(x, method = method, threads = threads)
        })
        old <- options(linkrank.portable = TRUE)
        expect_identical(feature_graph(x, method = method), graph)
        options(old)
        expect_identical(feature_graph(as.data.frame(x), method = method)$similarity,
                         graph$similarity)
        sparse <- Matrix::Matrix(x, sparse = TRUE)
        expect_identical(feature_graph(sparse, method = method)$similarity,
                         graph$similarity)
    }
    skip_if_not_installed("SummarizedExperiment")
    se <- SummarizedExperiment::SummarizedExperiment(list(t(x)))
    expect_identical(feature_graph(se)$similarity,
                     feature_graph(x)$similarity)
})

test_that("the order of columns does not matter", {
    x <- random_matrix(15, 40, 5)
    set.seed(1)
    turned <- sample(40)
    for (method in c("simplex", "nnlasso", "correlation")) {
        s <- as.matrix(feature_graph(x, method = method))
        expect_equal(as.matrix(feature_graph(x[, turned], method = method)),
                     s[turned, turned], tolerance = 1e-9)
    }
})

test_that("missing values are refused or replaced by the mean", {
    x <- random_matrix(12, 7, 1)
    x[3, 2] <- NA
    filled <- x
    filled[3, 2] <- mean(x[, 2], na.rm = TRUE)
    expect_equal(feature_graph(x, na.action = "mean")$similarity,
                 feature_graph(filled)$similarity)
    expect_refused("input", feature_graph(x), feature_graph(iris))
})

test_that("factors of two levels and logicals are numbers", {
    x <- data.frame(a = factor(rep(c("x", "y"), 5)), b = rep(c(TRUE, FALSE), 5),
                    c = c(1:9, 3))
    plain <- cbind(a = as.integer(x$a), b = x$b, c = x$c)
    expect_equal(feature_graph(x)$similarity,
                 feature_graph(plain)$similarity)
})

test_that("a graph becomes a plain matrix", {
    graph <- feature_graph(random_matrix(8, 6))
    expect_equal(as.matrix(graph), as.matrix(graph$similarity))
    expect_true(isSymmetric(as.matrix(graph)))
})

test_that("a violated certificate warns", {
    graph <- feature_graph(random_matrix(8, 6))
    graph$kkt[3] <- 1e-6
    expect_warning(check_certificate(graph), "\"g3\" [(]error 1e-06",
                   class = "linkrank_warning_certificate")
})

test_that("arguments are checked", {
    x <- random_matrix(6, 4)
    expect_refused("argument", feature_graph(x, method = "lasso"),
                   feature_graph(x, lambda = 2), feature_graph(x, k = 0),
                   feature_graph(x, K = 3),
                   feature_graph(x, na.action = "omit"))
})

test_that("print and summary", {
    x <- cbind(random_matrix(8, 6), copy = 0, flat = 1)
    x[, 7] <- x[, 1]
    expect_snapshot(feature_graph(x, method = "correlation", k = 2))
    expect_snapshot(summary(feature_graph(x, method = "correlation", k = 2)))
    printed <- capture.output(print(feature_graph(x)))
    expect_match(printed, "Optimality \\(KKT\\) .* at most", all = FALSE)
    expect_true(all(nchar(printed) <= 80))
    printed <- capture.output(print(summary(feature_graph(x, method = "nnlasso"))))
    expect_match(printed, "Optimality", all = FALSE)
})

test_that("other scales than the range give the graph of scaled features", {
    x <- random_matrix(30, 8)
    x[, 3] <- 10 * x[, 3]
    plain <- feature_graph(x, method = "nnlasso", scale = "none")
    zscore <- feature_graph(x, method = "nnlasso", scale = "zscore")
    expect_equal(as.matrix(zscore$similarity),
                 as.matrix(feature_graph(scale(x), method = "nnlasso",
                                         scale = "none")$similarity))
    expect_false(isTRUE(all.equal(plain$similarity, zscore$similarity)))
    expect_error(feature_graph(x, scale = "no"),
                 class = "linkrank_error_argument")
})

test_that("workers change nothing in a graph of many features", {
    skip_if_not_installed("BiocParallel")
    x <- random_matrix(6, 5003)
    x[, 17] <- x[, 4]
    x[, 9] <- 1
    one <- feature_graph(x, method = "nnlasso", lambda = 0.5)
    expect_identical(feature_graph(x, method = "nnlasso", lambda = 0.5,
                                   BPPARAM = BiocParallel::SerialParam()), one)
})

test_that("parts of the features are coded as all of them are", {
    x <- random_matrix(12, 150)
    cells <- scaled_data(prepared(x), scale = "range")
    shared <- list(cells = cells, control = run_control(1L, FALSE),
                   options = feature_graph_options("simplex", 0.1, 10))
    whole <- code_part(list(number = 1L, parts = 1L), shared)
    for (parts in c(2L, 3L, 40L)) {
        found <- lapply(seq_len(parts), function(i) {
            code_part(list(number = i, parts = parts), shared)
        })
        expect_identical(join_codes(found), whole)
    }
})

test_that("a zero with a sign is a zero: copies are found, dense or sparse", {
    x <- random_matrix(12, 5)
    x[, 4] <- c(rep(0, 10), 2, 3)
    x[, 5] <- c(0, rep(-0, 9), 2, 3)
    graph <- feature_graph(x)
    expect_identical(graph$original[[5L]], 4L)
    expect_identical(graph$original[[4L]], 4L)
    sparse <- methods::as(Matrix::Matrix(x, sparse = TRUE), "generalMatrix")
    expect_identical(feature_graph(sparse)$original, graph$original)
})
