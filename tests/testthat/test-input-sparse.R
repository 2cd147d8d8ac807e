# Sparse data are searched through the features that samples share; a matrix of
# the same cells goes through all distances. Both must give the same lists, to
# the last bit of every distance.

# Counts and other numbers, of any sign; copies of samples make ties, a column
# far from 0 is stored in full.
sparse_cells <- function(n, p, seed) {
    set.seed(seed)
    density <- stats::runif(1, 0.02, 0.28)
    cells <- n * p
    draw <- switch(seed %% 4 + 1, stats::rexp(cells), stats::rnorm(cells),
                   sample.int(3L, cells, TRUE), -stats::runif(cells))
    x <- matrix(draw * (stats::runif(cells) < density), n)
    if (seed %% 3 == 0) x <- x[sample.int(n, n, TRUE), ]
    if (seed %% 5 == 0) x[, 1] <- 1000.5 + x[, 1]
    if (seed %% 7 == 0) x[sample.int(n, n / 2), ] <- 0
    dimnames(x) <- list(NULL, paste0("g", seq_len(p)))
    x
}

# What a search finds in a dgCMatrix and in a matrix of the same cells.
both_searches <- function(x, scale, search) {
    lapply(list(as_matrix_class(x, "dgCMatrix"), x), function(x) {
        data <- as_feature_data(x)
        search(data, feature_scaling(data, scale))
    })
}

scale_of <- function(seed) c("range", "zscore", "none")[seed %% 3 + 1]

metric_of <- function(seed) {
    c("manhattan", "euclidean")[(seed %/% 3) %% 2 + 1]
}

test_that("end points have the same neighbours, with links or without", {
    expect_every(1200, function(seed) {
        n <- 20 + seed %% 90
        x <- sparse_cells(n, 5 + seed %% 60, seed)
        labels <- sample(c(1:4, rep(NA, 6)), n, TRUE)
        labels[1:6] <- rep(1:2, 3)
        links <- switch(seed %% 4 + 1, NULL,
                        constraints_from_labels(labels),
                        constraints_from_labels(labels, 4, 3),
                        constraints_from_labels(labels, 0, Inf))
        if (!is.null(links)) links <- constraint_links(links)
        ends <- sort(sample.int(n, sample.int(n, 1L)))
        found <- both_searches(x, scale_of(seed), function(data, scaling) {
            find_neighbours(data, scaling, ends, 1 + seed %% 4, 0, links,
                            metric_of(seed), run_control(1, FALSE))
        })
        identical(found[[1L]], found[[2L]])
    })
})

test_that("classes have the same neighbours at the same distances", {
    expect_every(700, function(seed) {
        n <- 24 + seed %% 60
        x <- sparse_cells(n, 5 + seed %% 40, seed)
        class_of <- sample(c(-1L, 0:2), n, TRUE)
        known <- which(class_of >= 0L)
        all <- seed %% 2 == 0
        ends <- if (all) known else known[seq_len(1 + seed %% 5)]
        found <- both_searches(x, scale_of(seed), function(data, scaling) {
            scaling$class_of <- class_of
            scaling$classes <- 3L
            .Call(C_class_neighbours, data, scaling, ends, list(
                k = 1 + seed %% 6, all = all,
                metric = metric_code(metric_of(seed)), with_distance = TRUE
            ), run_control(1, FALSE))
        })
        identical(found[[1L]], found[[2L]])
    })
})

test_that("graphs have the same edges and weights", {
    expect_every(400, function(seed) {
        n <- 24 + seed %% 60
        x <- sparse_cells(n, 5 + seed %% 40, seed)
        graphs <- lapply(list(as_matrix_class(x, "dgCMatrix"), x), function(x) {
            similarity_graph(
                x, adjacency = c("knn", "mutual_knn")[seed %% 2 + 1],
                weight = c("heat", "self_tuning", "binary")[seed %% 3 + 1],
                k = 1 + seed %% 6, scale = scale_of(seed),
                distance = metric_of(seed)
            )
        })
        identical(graphs[[1L]], graphs[[2L]])
    })
})

test_that("whole calls give the same results", {
    x <- sparse_cells(120, 60, 8)
    sparse <- as_matrix_class(x, "dgCMatrix")
    y <- factor(rep(1:3, 40))
    links <- constraints_from_labels(y, 12, 6)
    calls <- list(
        function(x) relief_sc(x, links), function(x) relieff_sc(x, links),
        function(x) relieff_sc(x, constraints_from_labels(y)),
        function(x) relieff(x, y), function(x) relief(x, y),
        function(x) stir(x, y), function(x) relieff(x, y, k = "surf"),
        function(x) {
            set.seed(2)
            relieff_sc(x, links, permutations = 5)
        },
        function(x) propagate_constraints(links, x),
        function(x) {
            asked <- active_constraints(x, y, n = 6, strategy = "groups")
            asked$questions$time <- NULL # the clock goes on
            asked
        }
    )
    for (call in calls) {
        expect_identical(call(sparse), call(x))
    }
    # its sums over the edges leave out the cells that are 0
    expect_equal(laplacian_score(sparse), laplacian_score(x))
})

test_that("margins look at the samples that they need", {
    x <- sparse_cells(700, 40, 2)
    sparse <- as_matrix_class(x, "dgCMatrix")
    data <- as_feature_data(sparse)
    scaling <- feature_scaling(data, "range")
    expect_every(60, function(seed) {
        set.seed(seed)
        links <- constraints_from_labels(rep(1:4, 175), 3, seed %% 3)
        must_link <- c("use", "ignore")[seed %% 2 + 1]
        lists <- find_neighbours(data, scaling, cannot_linked(links)$ends,
                                 1 + seed %% 3, 0, NULL, "manhattan",
                                 run_control(1, FALSE))
        rows <- keep_needed(lists, data, scaling)$rows
        run <- function(x) {
            set.seed(seed)
            suppressWarnings(
                relieff_sc(x, links, k = 1 + seed %% 3,
                           must_link = must_link, permutations = 4),
                classes = "linkrank_warning_margin"
            )
        }
        length(rows) < 30 && identical(run(sparse), run(x))
    })
    gaps <- sparse
    gaps[3, 2] <- NA
    data <- as_feature_data(gaps, missing = "keep")
    lists <- list(ends = 1:2, others = matrix(3:4, 1), group = matrix(0L, 0, 2))
    expect_identical(keep_needed(lists, data, feature_scaling(data, "range")),
                     lists)
})

test_that("threads and passes change no list", {
    x <- as_matrix_class(sparse_cells(1300, 50, 5), "dgCMatrix")
    links <- constraints_from_labels(rep(1:2, 650), 500, 20)
    expect_same_for_threads(function(threads) {
        relieff_sc(x, links, threads = threads)
    })
    # more end points than a pass has
    one <- expect_same_for_threads(function(threads) {
        similarity_graph(x, k = 4, threads = threads)
    })
    expect_identical(one, similarity_graph(as.matrix(x), k = 4))
})

test_that("more ties than there is room for are all looked at", {
    # 1800 of 2000 samples are the same, and more than a list has room for
    set.seed(1)
    x <- matrix(0, 2000, 12)
    x[1:200, ] <- rpois(200 * 12, 0.3)
    dimnames(x) <- list(NULL, paste0("g", 1:12))
    found <- both_searches(x, "range", function(data, scaling) {
        find_neighbours(data, scaling, c(1:50, 1990:2000), 3, 0, NULL,
                        "manhattan", run_control(1, FALSE))
    })
    expect_identical(found[[1L]], found[[2L]])
    links <- constraint_links(constraints_from_labels(rep(1:2, 1000), 30, 3))
    found <- both_searches(x, "none", function(data, scaling) {
        find_neighbours(data, scaling, c(1:50, 1990:2000), 3, 0, links,
                        "euclidean", run_control(1, FALSE))
    })
    expect_identical(found[[1L]], found[[2L]])
})

test_that("data without useful bounds go through all distances", {
    x <- sparse_cells(60, 30, 3)
    near <- function(x, ...) {
        data <- as_feature_data(x, missing = "keep")
        find_neighbours(data, feature_scaling(data, "none"), 1:9, 3, 0, NULL,
                        "euclidean", run_control(1, FALSE))
    }
    huge <- x
    huge[, 4] <- 1e40 * huge[, 4]
    expect_identical(near(as_matrix_class(huge, "dgCMatrix")), near(huge))
    gaps <- x
    gaps[cbind(1:20, 7)] <- NA
    expect_identical(near(as_matrix_class(gaps, "dgCMatrix")), near(gaps))
    dense <- x + 1
    expect_identical(near(as_matrix_class(dense, "dgCMatrix")), near(dense))
})
