forms_of <- function(x, forms, ...) {
    input <- score_input(prepared(x, scale = "range", uses = "scale"))
    unname(quadratic_forms(input, forms))
}

test_that("2 f'Lf is the sum of weighted squared differences", {
    x <- random_matrix(30, 19)
    u <- reference_columns(x)
    for (graph in list(similarity_graph(x),
                       similarity_graph(x, adjacency = "full"))) {
        l <- as.matrix(graph_laplacian(graph))
        got <- forms_of(x, list(graph_form(graph$weights)))
        want <- apply(u, 2, function(f) sum(f * (l %*% f)))
        expect_equal(got[, 1], want, tolerance = 1e-12)
        expect_equal(2 * got[, 1], apply(u, 2, function(f) {
            sum(dense(graph) * outer(f, f, "-")^2)
        }), tolerance = 1e-12)
    }
})

test_that("sums over pairs of labels follow from the class means", {
    set.seed(3)
    x <- random_matrix(40, 11)
    u <- reference_columns(x)
    labels <- sample(c(1:3, NA), 40, TRUE)
    weight <- runif(40)
    apart <- outer(labels, labels, "!=")
    apart[is.na(apart)] <- FALSE
    got <- forms_of(x, list(different_form(labels, 3, weight)))
    want <- apply(u, 2, function(f) {
        sum(weight * apart * outer(f, f, "-")^2)
    })
    expect_equal(got[, 1], want, tolerance = 1e-12)
})

test_that("nothing depends on threads, kernels or the kind of data", {
    set.seed(4)
    x <- matrix(rpois(500 * 300, 0.4), 500)
    graph <- similarity_graph(x)
    labels <- sample(c(1:3, NA), 500, TRUE)
    forms <- list(graph_form(graph$weights), scatter_form(graph_degrees(graph)),
                  scatter_form(graph_degrees(graph), center = NULL),
                  class_form(labels, 1:3), class_form(labels, 3:1))
    run <- function(x, threads = 1L) {
        input <- score_input(prepared(x, threads = threads))
        quadratic_forms(input, forms)
    }
    one <- expect_same_for_threads(function(threads) run(x, threads))
    old <- options(linkrank.portable = TRUE)
    on.exit(options(old))
    expect_identical(run(x), one)
    # from the nonzero cells alone
    sparse <- Matrix::Matrix(x, sparse = TRUE)
    expect_identical(run(sparse), one)
    expect_same_for_threads(function(threads) run(sparse, threads))
})

test_that("sparse cells that are stored as zero, negative or everywhere", {
    x <- random_matrix(30, 6)
    x[abs(x) < 0.8] <- 0
    x[, 5] <- x[, 5] + 7
    x[, 6] <- 0
    sparse <- methods::as(Matrix::Matrix(x, sparse = TRUE), "CsparseMatrix")
    sparse@x[3] <- 0
    x <- as.matrix(sparse)
    graph <- similarity_graph(x)
    labels <- rep(1:3, 10)
    forms <- list(graph_form(graph$weights), scatter_form(graph_degrees(graph)),
                  scatter_form(graph_degrees(graph), center = NULL),
                  scatter_form(NULL, center = rep(1, 30)),
                  graph_form(1 - diag(30)), class_form(labels, rep(1, 3)))
    for (scale in c("range", "zscore", "none")) {
        value <- function(x) {
            input <- score_input(prepared(x, scale = scale, uses = "scale"))
            quadratic_forms(input, forms)
        }
        expect_identical(value(sparse), value(x))
    }
})
