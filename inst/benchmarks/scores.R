# Scores on graphs, pairs and labels, one thread, portable kernels, beside the
# same thing in plain R and in Rdimtools where it is installed.
source(system.file("benchmarks", "harness.R", package = "linkrank"))
machine()

has <- function(package) requireNamespace(package, quietly = TRUE)

# Laplacian score with RANN's neighbours and sparse matrices: the bar.
plain_laplacian <- function(x, k = 5) {
    n <- nrow(x)
    low <- apply(x, 2, min)
    u <- sweep(sweep(x, 2, low), 2, apply(x, 2, max) - low, "/")
    near <- RANN::nn2(u, u, k + 1L)
    i <- rep(seq_len(n), k)
    j <- as.vector(near$nn.idx[, -1L])
    w <- exp(-as.vector(near$nn.dists[, -1L])^2)
    s <- Matrix::sparseMatrix(i, j, x = w, dims = c(n, n))
    s <- pmax(s, Matrix::t(s))
    d <- Matrix::rowSums(s)
    centred <- sweep(u, 2, colSums(u * d) / sum(d))
    l <- Matrix::Diagonal(x = d) - s
    colSums(centred * as.matrix(l %*% centred)) / colSums(centred^2 * d)
}

laplacian <- function(n, p, times) {
    set.seed(1)
    x <- matrix(rnorm(n * p), n)
    sides <- list(linkrank = portable(function() laplacian_score(x, t = 1)))
    if (has("RANN")) sides[["RANN, Matrix"]] <- function() plain_laplacian(x)
    if (has("Rdimtools")) {
        sides$Rdimtools <- function() Rdimtools::do.lscore(
            x, 2, type = c("knn", 5)
        )
    }
    do.call(compare, c(sprintf("Laplacian score with its graph, %d x %d", n, p),
                       sides, list(times = c(times, rep(1, length(sides) - 1)))))
    cat(sprintf("  peak memory %.0f MB\n\n", peak_memory(sides[[1L]])))
    if (has("RANN")) {
        ours <- feature_scores(laplacian_score(x, t = 1))
        cat(sprintf("  largest relative difference to plain R: %.1e\n\n",
                    max(abs(ours / plain_laplacian(x) - 1))))
    }
}

# The quadratic form alone.
forms <- function(n, p, k) {
    set.seed(1)
    x <- matrix(rnorm(n * p), n)
    graph <- similarity_graph(x[, 1:10], k = k)
    edges <- summary(graph)$edges
    input <- linkrank:::scaled_data(x, "range", "fail", 1L,
                                    linkrank:::default_control())
    form <- list(linkrank:::graph_form(graph$weights))
    compare(sprintf("f'Lf alone, %d x %d, %d edges", n, p, edges),
            linkrank = portable(function() {
                linkrank:::quadratic_forms(input, form,
                                           linkrank:::run_control(1, FALSE))
            }))
    cat("\n")
}

labels <- function(n, p, classes) {
    set.seed(1)
    x <- matrix(rnorm(n * p), n)
    y <- factor(sample(classes, n, TRUE))
    links <- constraints_from_labels(y)
    sides <- list(linkrank = portable(function() constraint_score(x, links)))
    if (has("Rdimtools")) {
        sides$Rdimtools <- function() Rdimtools::do.cscore(x, y, 2)
    }
    do.call(compare, c(sprintf("CS1 of %.2g pairs from labels, %d x %d",
                               length(links), n, p), sides,
                       list(times = c(5, rep(1, length(sides) - 1)))))
    cat("\n")
    compare(sprintf("Fisher score, %d x %d, %d classes", n, p, classes),
            linkrank = portable(function() fisher_score(x, y)),
            "plain R rowsum" = function() {
                count <- as.vector(table(y))
                mean <- rowsum(x, y) / count
                within <- colSums(x^2) - colSums(count * mean^2)
                total <- colMeans(x)
                colSums(count * sweep(mean, 2, total)^2) / within
            })
    cat("\n")
}

# Single cells, kept sparse. The file is MatrixMarket, cells in rows.
cells <- function(file) {
    x <- methods::as(Matrix::readMM(file), "CsparseMatrix")
    set.seed(1)
    y <- factor(sample(9, nrow(x), TRUE))
    links <- constraints_from_labels(y)
    sides <- list(variance = portable(function() variance_score(x)),
                  Fisher = portable(function() fisher_score(x, y)),
                  CS1 = portable(function() constraint_score(x, links)))
    do.call(compare, c(sprintf("sparse, %d x %d", nrow(x), ncol(x)), sides))
    for (side in names(sides)) {
        cat(sprintf("  %s: peak memory %.0f MB\n", side,
                    peak_memory(sides[[side]])))
    }
}

laplacian(2000, 100, times = 3)
labels(2000, 2000, 10)
forms(5000, 2000, 10)
if (run_large()) {
    laplacian(5000, 200, times = 3)
}
file <- Sys.getenv("LINKRANK_CELLS")
if (nzchar(file)) {
    cells(file)
}
