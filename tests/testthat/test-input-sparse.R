# Sparse data are searched through the features that samples share; a matrix of
# the same cells goes through all distances. Both must give the same lists, to
# the last bit of every distance. So must sparse data that are stored sample by
# sample, as in containers.

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

# The data of a container that holds a dgCMatrix with features in rows.
data_by_sample <- function(x, missing = "fail") {
    data <- data_from_rows(Matrix::t(as_matrix_class(x, "dgCMatrix")), colnames(x),
                           rownames(x), list(), NULL, "test")
    data$control <- default_control()
    if (missing == "fail") refuse_missing(data) else data
}

# What a search finds in a matrix, and in the same cells as sparse data of
# either layout: as many answers as there are different ones.
all_searches <- function(x, scale, search) {
    data <- list(prepare_data(x),
                 prepare_data(as_matrix_class(x, "dgCMatrix")),
                 data_by_sample(x))
    unique(lapply(data, function(data) {
        search(data, feature_scaling(data, scale))
    }))
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
                        constraints_from_labels(labels, cannot_link = 4, must_link = 3),
                        constraints_from_labels(labels, cannot_link = 0, must_link = Inf))
        if (!is.null(links)) links <- constraint_links(links)
        ends <- sort(sample.int(n, sample.int(n, 1L)))
        found <- all_searches(x, scale_of(seed), function(data, scaling) {
            found_in(data, scaling, ends, 1 + seed %% 4, links,
                     metric_of(seed), with_distance = seed %% 5 == 0)
        })
        length(found) == 1L
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
        found <- all_searches(x, scale_of(seed), function(data, scaling) {
            nearest(feature_space(data, scaling, metric_of(seed)), ends,
                    1 + seed %% 6, class_rule(class_of, 3L),
                    run_control(1, FALSE), with_distance = TRUE)
        })
        length(found) == 1L
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
    links <- constraints_from_labels(y, cannot_link = 12, must_link = 6)
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

test_that("margins of cells by sample take only the samples they need", {
    x <- sparse_cells(700, 40, 2)
    data <- data_by_sample(x)
    expect_every(30, function(seed) {
        set.seed(seed)
        links <- constraints_from_labels(rep(1:4, 175), cannot_link = 3, must_link = seed %% 3)
        input <- list(data = data, constraints = links, pairs = pairs_of(links))
        options <- list(k = 1 + seed %% 3, direction = "both", must_link = "use")
        control <- run_control(1, FALSE)
        input$data$settings$scale <- "range"
        input <- scale_for_margins(input)
        ends <- input$pairs$ends
        lists <- find_hits(input, ends, options$k, NULL, control)
        all <- input
        all$data <- prepare_data(x)
        all$data$settings$scale <- "range"
        all <- scale_for_margins(all)
        length(lists$rows) < 30 && lists$data$n == length(lists$rows) &&
            identical(lists$rows[lists$ends], ends) &&
            identical(constrained_margins(input, options, control),
                      constrained_margins(all, options, control))
    })
    # a missing cell needs its whole feature
    gaps <- x
    gaps[3, 2] <- NA
    kept <- samples_needed(data_by_sample(gaps, "keep"), 1:2, 3:5)
    expect_null(kept$rows)
    expect_identical(kept$data$n, 700)
})

test_that("threads and passes change no list", {
    x <- as_matrix_class(sparse_cells(1300, 50, 5), "dgCMatrix")
    links <- constraints_from_labels(rep(1:2, 650), cannot_link = 500, must_link = 20)
    expect_same_for_threads(function(threads) {
        relieff_sc(x, links, threads = threads)
    })
    # more end points than a pass has
    one <- expect_same_for_threads(function(threads) {
        similarity_graph(x, k = 4, threads = threads)
    })
    expect_identical(one, similarity_graph(as.matrix(x), k = 4))
})

test_that("more ties than a list holds are all compared", {
    # 1800 of 2000 samples are the same, and more than a list holds
    set.seed(1)
    x <- matrix(0, 2000, 12)
    x[1:200, ] <- rpois(200 * 12, 0.3)
    dimnames(x) <- list(NULL, paste0("g", 1:12))
    found <- all_searches(x, "range", function(data, scaling) {
        found_in(data, scaling, c(1:50, 1990:2000), 3)
    })
    expect_length(found, 1L)
    links <- constraint_links(constraints_from_labels(rep(1:2, 1000), cannot_link = 30, must_link = 3))
    found <- all_searches(x, "none", function(data, scaling) {
        found_in(data, scaling, c(1:50, 1990:2000), 3, links, "euclidean")
    })
    expect_length(found, 1L)
})

test_that("data without useful bounds go through all distances", {
    x <- sparse_cells(60, 30, 3)
    near <- function(x, ...) {
        data <- prepare_data(x)
        found_in(data, feature_scaling(data, "none"), 1:9, 3, NULL,
                 "euclidean")
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

# ---- samples one after the other ---------------------------------------------

test_that("tiles of samples and chunks of threads change no list", {
    # more cells than are transposed at a time
    x <- as_matrix_class(sparse_cells(1300, 2600, 20), "dgCMatrix")
    expect_gt(length(x@x), 2^19)
    links <- constraint_links(constraints_from_labels(rep(1:2, 650), cannot_link = 60, must_link = 20))
    near <- function(data, threads) {
        lapply(c("manhattan", "euclidean"), function(distance) {
            found_in(data, feature_scaling(data, "range"), 1:120, 3, links,
                     distance, threads)
        })
    }
    found <- expect_same_for_threads(function(threads) {
        near(data_by_sample(x), threads)
    })
    expect_identical(found, near(prepare_data(x), 1))
})

test_that("searches make no other copy of the cells, walks make one", {
    skip_if_not_installed("SummarizedExperiment")
    x <- as_matrix_class(sparse_cells(400, 50, 8), "dgCMatrix")
    se <- SummarizedExperiment::SummarizedExperiment(list(v = Matrix::t(x)))
    links <- constraints_from_labels(rep(1:4, 100), cannot_link = 5, must_link = 5)
    widths <- integer()
    once <- transposed_once
    replace_binding("transposed_once", function(x) {
        force(x)
        transposed <- new.env(parent = emptyenv())
        delayedAssign("values", {
            widths <<- c(widths, ncol(x))
            once(x)$values
        }, assign.env = transposed)
        transposed
    })
    on.exit(replace_binding("transposed_once", once))
    relief_sc(se, links, own_term = "keep")
    relieff_sc(se, links, own_term = "keep")
    expect_true(length(widths) > 0 && all(widths < 200))
    # permutations ask feature by feature which ones vary
    widths <- integer()
    relieff_sc(se, links, permutations = 3)
    expect_identical(widths[widths >= 200], 400L)
    widths <- integer()
    similarity_graph(se)
    expect_identical(widths, integer())
    relieff(se, rep(1:4, 100))
    expect_identical(widths, 400L)
    widths <- integer()
    relieff_sc(se, constraints_from_labels(rep(1:4, 100)))
    expect_identical(widths, 400L)
})

test_that("every method gives the bits of the transposed matrix", {
    skip_if_not_installed("SummarizedExperiment")
    x <- as_matrix_class(sparse_cells(60, 12, 6), "dgCMatrix")
    rownames(x) <- paste0("s", 1:60)
    se <- SummarizedExperiment::SummarizedExperiment(list(v = Matrix::t(x)))
    for (method in ranking_methods()$method) {
        takes <- names(formals(get(method)))
        needs <- registry_row(method)$needs
        y <- if (grepl("laplacian_score|rrelieff", method)) as.numeric(1:60) else
            rep(c("a", "b"), 30)
        rank <- function(x) {
            set.seed(1)
            ranking <- suppressWarnings(do.call(rank_features, c(
                list(x = x, method = method),
                list(constraints = constraints_from_labels(
                    rep(c("a", "b"), 30), cannot_link = 9, must_link = 9
                ))[grepl("constraints", needs)],
                list(y = y)[needs %in% c("y", "numeric y")],
                list(scale = "range")[any(c("scale", "...") %in% takes)]
            )))
            as.data.frame(ranking)
        }
        expect_identical(rank(se), rank(x), info = method)
    }
})

test_that("missing cells by sample are reported, kept and filled", {
    x <- sparse_cells(40, 8, 8)
    x[cbind(c(3, 9, 20), c(2, 2, 5))] <- NA
    known <- prepare_data(as_matrix_class(x, "dgCMatrix"))
    data <- data_by_sample(x, "keep")
    expect_identical(data[c("minimum", "maximum", "missing")],
                     known[c("minimum", "maximum", "missing")])
    expect_identical(fill_missing(data, c(2L, 5L), c(0.5, 2))$values@x,
                     fill_missing(known, c(2L, 5L), c(0.5, 2))$values@x)
    expect_refused("input", data_by_sample(x))
})
