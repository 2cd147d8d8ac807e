dense_graph <- function(n, seed) {
    set.seed(seed)
    s <- matrix(runif(n * n), n)
    s <- s + t(s)
    diag(s) <- 0
    s
}

low_values <- function(s) {
    rev(eigen(diag(rowSums(s)) - s, symmetric = TRUE)$values)
}

test_that("low eigenvectors follow edits, with and without a factor", {
    expect_every(20, function(seed) {
        n <- 5 + 2 * seed
        s <- dense_graph(n, seed)
        sparse <- methods::as(Matrix::Matrix(s, sparse = TRUE), "generalMatrix")
        one <- matrix(1 / sqrt(n), n, 1)
        ok <- TRUE
        for (weights in list(s, sparse)) {
            model <- laplacian_model(weights)
            inverse <- factor_model(model)
            now <- s
            for (t in 1:4) {
                ends <- sample(n, 2)
                delta <- if (t %% 2) 1 - now[ends[1], ends[2]] else
                    -now[ends[1], ends[2]]
                now[ends[1], ends[2]] <- now[ends[2], ends[1]] <-
                    now[ends[1], ends[2]] + delta
                model <- edit_model(model, ends[1], ends[2], delta)
                inverse <- update_inverse(inverse, ends[1], ends[2], delta)
                if (is.null(inverse)) inverse <- factor_model(model)
                found <- next_vector(model, inverse, one)
                l <- diag(rowSums(now)) - now
                residual <- l %*% found$vector - found$value * found$vector
                ok <- ok && abs(found$value - low_values(now)[2]) < 1e-9 &&
                    max(abs(residual)) < 1e-8 && !found$failed
            }
            ok <- ok && isTRUE(all.equal(current_degree(model), rowSums(now)))
        }
        ok
    })
})

test_that("an inverse is made anew when an eigenvalue falls below its shift", {
    s <- dense_graph(12, 1)
    model <- laplacian_model(s)
    inverse <- factor_model(model)
    expect_null(inverse[["missing"]])
    # nearly cuts sample 1 off: lambda_2 falls far below sigma
    for (j in 2:11) {
        if (is.null(inverse)) break
        model <- edit_model(model, 1L, j, -s[1, j])
        inverse <- update_inverse(inverse, 1L, j, -s[1, j])
    }
    expect_null(inverse)
    expect_null(update_inverse(NULL, 1L, 2L, 1))
    expect_null(update_inverse(factor_model(model), 1L, 12L, 0.5, most = 0L))
})

test_that("the vectors of the normalised graph are those of eigen()", {
    expect_every(10, function(seed) {
        s <- dense_graph(15 + seed, seed)
        root <- 1 / sqrt(rowSums(s))
        want <- eigen(root * s * rep(root, each = nrow(s)), symmetric = TRUE)
        got <- leading_vectors(laplacian_model(s), 4L)
        max(abs(abs(colSums(got * want$vectors[, 1:4])) - 1)) < 1e-8
    })
})

test_that("an operator of two different values still gives all vectors", {
    s <- matrix(1, 9, 9) - diag(9)
    got <- leading_vectors(laplacian_model(s), 5L)
    expect_equal(crossprod(got), diag(5), tolerance = 1e-10)
})

test_that("vectors are those of eigen() after restarts, from parts on", {
    set.seed(3)
    # two parts, each of four kinds that are nearly apart
    kind <- rep(1:8, each = 60)
    x <- cbind(6 * (kind %% 4), 400 * (kind > 4), 0) + rnorm(480 * 3)
    s <- nameless(similarity_graph(x, k = 7, scale = "none")$weights)
    dense <- as.matrix(s)
    degree <- rowSums(dense)
    normal <- dense / sqrt(outer(degree, degree))
    for (how in c("symmetric", "additive")) {
        matrix <- if (how == "symmetric") normal else dense - diag(degree)
        want <- eigen(matrix, symmetric = TRUE)
        got <- leading_vectors(laplacian_model(s), 14L, how)
        expect_equal(crossprod(got), diag(14), tolerance = 1e-10)
        expect_equal(colSums(got * matrix %*% got), want$values[1:14],
                     tolerance = 1e-9)
        expect_lt(max(abs(got - want$vectors[, 1:14] %*%
                              crossprod(want$vectors[, 1:14], got))),
                  if (how == "symmetric") 1e-7 else 1e-5)
    }
})

# The weights of similarity_graph() along a curve: two parts of few hundred
# samples, of which neighbouring eigenvalues are nearly equal.
curve_weights <- function() {
    set.seed(5)
    s <- c(sort(runif(500)), 3 + sort(runif(300)))
    x <- unname(cbind(s, s^2))
    nameless(similarity_graph(x, k = 2, t = 1, scale = "none")$weights)
}

test_that("1 - eigenvalue is that of eigen() for samples along a curve", {
    s <- curve_weights()
    model <- laplacian_model(s)
    root <- 1 / sqrt(model$degree)
    normal <- root * as.matrix(s) * rep(root, each = nrow(s))
    parts <- connected_parts(model)
    exact <- unlist(lapply(split(seq_along(parts), parts), function(i) {
        eigen(normal[i, i], TRUE, only.values = TRUE)$values
    }))
    exact <- sort(1 - exact)[max(parts) + 1:4]
    got <- leading_vectors(model, max(parts) + 4L)
    got <- 1 - colSums(got * normal %*% got)[max(parts) + 1:4]
    expect_lt(max(abs(got - exact) / exact), 1e-6)
    # a fraction of the products is not enough, and it says so
    expect_warning(leading_vectors(model, max(parts) + 4L, steps = 20),
                   class = "linkrank_warning_convergence")
})

test_that("a full graph takes few products", {
    set.seed(1)
    x <- matrix(rnorm(400 * 30), 400) + rep(1:5, 80) * rep(c(0.7, 0),
                                                          c(2800, 9200))
    s <- nameless(similarity_graph(x, adjacency = "full",
                                   weight = "self_tuning")$weights)
    model <- laplacian_model(s)
    first <- matrix(sqrt(model$degree / sum(model$degree)))
    run <- lanczos(model, first, 4, c(1e-9, 0, 0),
                   root = 1 / sqrt(model$degree))
    expect_lt(run$steps, 500)
    expect_false(run$failed)
})
