# Principal components against svd() and prcomp().

components_reference <- function(x, count = 2) {
    u <- apply(x, 2, function(column) {
        range <- range(column, na.rm = TRUE)
        u <- (column - range[1]) / max(diff(range), 1e-300)
        u[is.na(u)] <- mean(u, na.rm = TRUE)
        u
    })
    u <- u * rep(balanced_weights(as.data.frame(x)), each = nrow(x))
    all <- prcomp(u)
    scores <- all$x[, seq_len(count)]
    signs <- apply(scores, 2, function(axis) sign(axis[which.max(abs(axis))]))
    list(axes = unname(scores %*% diag(signs)),
         share = (all$sdev^2 / sum(all$sdev^2))[seq_len(count)])
}

expect_components <- function(x) {
    found <- principal_components(prepare_data(x))
    expected <- components_reference(x)
    expect_equal(unname(found), expected$axes, ignore_attr = TRUE,
                 tolerance = 1e-6)
    expect_equal(attr(found, "explained"), expected$share, tolerance = 1e-8)
    expect_identical(rownames(found), rownames(x))
    expect_identical(colnames(found), c("PC1", "PC2"))
}

test_that("components are those of prcomp(), wide, tall and square", {
    expect_components(two_directions(10, 50))
    expect_components(two_directions(200, 5))
    expect_components(two_directions(12, 12))
    expect_components(two_directions(3, 4))
    expect_components(two_directions(40, 2))
    expect_components(log2(colon$x))
})

test_that("missing values are the feature's mean", {
    x <- two_directions(30, 8)
    x[cbind(c(1, 5, 30), c(2, 2, 8))] <- NA
    expect_components(x)
})

test_that("components do not depend on the kind of data", {
    x <- count_matrix(20, 10)
    expect_identical(
        principal_components(prepare_data(as_matrix_class(x, "dgCMatrix"))),
        principal_components(prepare_data(x))
    )
})

test_that("a single feature has one component, the other is 0", {
    x <- matrix(c(0, 1, 4), 3)
    found <- principal_components(prepare_data(x))
    # u = 0, 1/4, 1 has mean 5/12; the largest, 7/12, is positive
    expect_equal(found[, 1], c(-5, -2, 7) / 12)
    expect_identical(found[, 2], numeric(3))
    expect_equal(attr(found, "explained"), c(1, 0))
})

test_that("data on a line have one component", {
    x <- outer(c(1, 2, 5, 3, 9), c(1, -2, 3))
    found <- principal_components(prepare_data(x))
    expect_equal(attr(found, "explained"), c(1, 0))
    expect_lt(max(abs(found[, 2])), 1e-6)
})

test_that("constant data lie in one point", {
    found <- principal_components(prepare_data(matrix(7, 5, 3)))
    expect_identical(unname(found[, 1:2]), matrix(0, 5, 2))
    expect_identical(attr(found, "explained"), c(0, 0))
})

test_that("equal components span the plane that they should", {
    # the corners of a regular simplex: all components are alike
    found <- principal_components(prepare_data(diag(6)))
    expect_equal(crossprod(found[, 1:2]), diag(2), ignore_attr = TRUE)
    expect_equal(attr(found, "explained"), c(0.2, 0.2))
})

test_that("components close to noise are those of the definition", {
    x <- random_matrix(150, 300)
    found <- principal_components(prepare_data(x))
    expect_equal(attr(found, "explained"), components_reference(x)$share,
                 tolerance = 1e-8)
})

# ---- the block method --------------------------------------------------------

scores_of <- function(x, count, ..., scale = "range", threads = 1L) {
    data <- prepare_data(x, threads = threads, progress = FALSE)
    component_scores(data, feature_scaling(data, scale), count, ...)
}

# Scaled, centred cells from the definition.
centred_cells <- function(x) {
    u <- apply(as.matrix(x), 2, function(v) {
        if (max(v) > min(v)) (v - min(v)) / (max(v) - min(v)) else v * 0
    })
    sweep(u, 2, colMeans(u))
}

# U'U and the residual of each component, in units of the largest value.
expect_residuals <- function(found, x, least = 1e-10) {
    u <- centred_cells(x)
    values <- attr(found, "values")
    sigma <- sqrt(values)
    scores <- matrix(found, nrow(found))
    expect_equal(crossprod(scores), diag(values, length(values)),
                 tolerance = 1e-9)
    left <- u %*% crossprod(u, scores) - scores %*% diag(values, length(values))
    expect_lte(max(sqrt(colSums(left^2)) / sigma^2 / sigma[1]), least)
    expect_equal(attr(found, "total"), sum(u^2))
}

test_that("the block method finds what the exact one finds", {
    shapes <- list(c(40, 90), c(90, 40), c(60, 60), c(25, 9), c(9, 25))
    for (shape in shapes) {
        x <- random_matrix(shape[1], shape[2], seed = sum(shape))
        exact <- scores_of(x, 6)
        expect_residuals(exact, x, 1e-13)
        for (formed in c(0, 800)) {
            block <- scores_of(x, 6, exact = 0, formed = formed)
            expect_equal(abs(unname(block)), abs(unname(exact)),
                         tolerance = 1e-9, ignore_attr = TRUE)
            expect_residuals(block, x)
        }
    }
})

test_that("the largest values are those of svd()", {
    x <- random_matrix(70, 200)
    expected <- svd(centred_cells(x))$d[1:20]^2
    expect_equal(attr(scores_of(x, 20), "values"), expected)
    expect_equal(attr(scores_of(x, 20, exact = 0), "values"), expected)
})

test_that("a long search is cut back and still converges", {
    # a flat spectrum: many vectors are needed
    x <- random_matrix(1500, 720, seed = 3)
    found <- scores_of(x, 8)
    expect_residuals(found, x, 1e-8)
})

test_that("equal values and low rank are found by both methods", {
    x <- cbind(diag(12), diag(12)[, 1:3], 5)
    for (exact in c(0, 500)) {
        found <- scores_of(x, 20, exact = exact)
        u <- centred_cells(x)
        expect_equal(ncol(found), 11L)
        expect_equal(tcrossprod(matrix(found, 12)), tcrossprod(u),
                     tolerance = 1e-9)
    }
    expect_identical(ncol(scores_of(matrix(3, 6, 4), 2)), 0L)
    expect_identical(ncol(scores_of(matrix(3, 6, 4), 2, exact = 0)), 0L)
})

test_that("containers, blocks and threads change no bit", {
    set.seed(4)
    x <- matrix(rpois(60 * 35, 0.4) * runif(60 * 35), 60)
    x[, 3] <- x[, 3] + 2
    x[, 4] <- x[, 4] - 1
    x[, 5] <- -x[, 5]
    ways <- list(c(exact = 0, formed = 0), c(exact = 0, formed = 800),
                 c(exact = 500, formed = 0))
    for (way in ways) {
        by_way <- function(x, ...) {
            scores_of(x, 7, exact = way["exact"], formed = way["formed"], ...)
        }
        for (scale in c("range", "none", "zscore")) {
            dense <- by_way(x, scale = scale)
            sparse <- by_way(as_matrix_class(x, "dgCMatrix"), scale = scale)
            expect_identical(unname(sparse), unname(dense))
            portable <- with_option(list(linkrank.portable = TRUE), {
                by_way(x, scale = scale)
            })
            expect_identical(portable, dense)
            expect_same_for_threads(function(threads) {
                by_way(x, scale = scale, threads = threads)
            })
        }
        expect_identical(by_way(t(t(x)[35:1, ])[, 35:1]), by_way(x))
    }
    expect_same_for_threads(function(threads) {
        scores_of(as_matrix_class(x, "dgCMatrix"), 7, exact = 0,
                  threads = threads)
    })
    skip_if_not_installed("DelayedArray")
    expect_identical(
        scores_of(DelayedArray::DelayedArray(x), 7, exact = 0),
        scores_of(x, 7, exact = 0)
    )
})

test_that("sparse data of many samples are read in parts, without a trace", {
    x <- matrix(0, 40000, 12)
    filled <- seq(3, length(x), by = 7)
    x[filled] <- sin(filled)
    dense <- scores_of(x, 3, exact = 0, formed = 0)
    for (threads in 1:2) {
        sparse <- scores_of(as_matrix_class(x, "dgCMatrix"), 3, exact = 0,
                            formed = 0, threads = threads)
        expect_identical(unname(sparse), unname(dense))
    }
    expect_residuals(dense, x)
})

test_that("a start changes nothing that is found", {
    set.seed(11)
    x <- matrix(rnorm(90 * 60), 90)
    before <- attr(scores_of(x, 6, exact = 0), "vectors")
    expect_equal(crossprod(before), diag(6), tolerance = 1e-8)
    x[, 1:20] <- 3 * x[, 1:20]
    for (x in list(x, t(x))) {
        cold <- scores_of(x, 6, exact = 0, scale = "none")
        # a good start, its own answer, and one that all wanted is orthogonal to
        own <- attr(cold, "vectors")
        far <- svd(cbind(own, matrix(rnorm(length(own)), nrow(own))))$u[, 7:12]
        for (start in list(before, own, own[, 1:2], far)) {
            warm <- scores_of(x, 6, exact = 0, scale = "none", start = start)
            expect_equal(structure(warm, vectors = NULL),
                         structure(cold, vectors = NULL), tolerance = 1e-7)
            expect_identical(scores_of(as_matrix_class(x, "dgCMatrix"), 6,
                                       exact = 0, scale = "none",
                                       start = start, threads = 2), warm)
        }
    }
})

test_that("a plot never depends on random numbers, nor draws any", {
    data <- prepare_data(two_directions(10, 5))
    set.seed(1)
    before <- .Random.seed
    first <- principal_components(data)
    expect_identical(.Random.seed, before)
    expect_identical(principal_components(data), first)
})

test_that("a search that ends before its tolerance says how far it came", {
    x <- random_matrix(1300, 1200, seed = 3)
    expect_warning(scores_of(x, 150, cuts = 0, formed = 0),
                   class = "linkrank_warning_convergence")
})
