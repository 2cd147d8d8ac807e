# ---- against the reference --------------------------------------------------

all_weights <- c("binary", "heat", "gaussian", "self_tuning", "inverse", "cosine")

small <- function(seed = 1, n = 23, p = 4) {
    x <- random_matrix(n, p, seed)
    x[5, ] <- x[2, ]
    x
}

test_that("every adjacency, weight and distance equals the reference", {
    x <- small()
    for (scale in c("range", "zscore", "none")) {
        u <- reference_columns(x, scale)
        for (adjacency in c("knn", "mutual_knn", "epsilon", "full")) {
            for (weight in all_weights) {
                for (distance in c("euclidean", "manhattan")) {
                    epsilon <- if (adjacency == "epsilon") 1.1
                    nearest <- adjacency %in% c("knn", "mutual_knn") ||
                        weight == "self_tuning"
                    width <- switch(weight, heat = list(t = 0.6),
                                    gaussian = , inverse = list(sigma = 0.7))
                    got <- do.call(similarity_graph, c(list(
                        x, adjacency = adjacency, weight = weight,
                        k = if (nearest) 4, epsilon = epsilon,
                        distance = distance, scale = scale), width))
                    want <- reference_graph(u, adjacency, weight, 4, epsilon,
                                            0.7, 0.6, distance)
                    expect_equal(dense(got), want, tolerance = 1e-12)
                }
            }
        }
    }
})

test_that("any number of samples fills tiles alike", {
    for (n in c(3, 4, 63, 64, 65, 129, 300, 1100)) {
        set.seed(n)
        x <- matrix(sample(8, n * 5, TRUE), n)
        k <- min(5, n - 1)
        want <- reference_graph(reference_columns(x), weight = "binary", k = k)
        expect_identical(dense(similarity_graph(x, weight = "binary", k = k,
                                                scale = "range")),
                         want)
    }
})

test_that("factors, text and logical columns differ by 0 or 1", {
    set.seed(1)
    x <- data.frame(a = rnorm(20), b = factor(sample(letters[1:4], 20, TRUE)),
                    c = factor(sample(c("x", "y"), 20, TRUE)))
    want <- reference_graph(reference_columns(x), k = 3)
    expect_equal(dense(similarity_graph(x, k = 3, scale = "range")), want,
                 tolerance = 1e-12)
    x$b <- as.character(x$b)
    x$c <- x$c == "y"
    expect_equal(dense(similarity_graph(x, k = 3, scale = "range")), want,
                 tolerance = 1e-12)
})

# ---- the same whatever the form, threads, kernels ----------------------------

test_that("threads, kernels and kinds of data change no bit", {
    set.seed(2)
    x <- matrix(sample(9, 700 * 30, TRUE), 700)
    for (adjacency in c("epsilon", "full")) {
        expect_same_for_threads(function(threads) {
            dense(similarity_graph(x, adjacency = adjacency, threads = threads,
                                   epsilon = if (adjacency == "epsilon") 1))
        })
    }
    one <- expect_same_for_threads(function(threads) {
        dense(similarity_graph(x, adjacency = "knn", weight = "self_tuning", k = 4,
                               threads = threads))
    })
    same <- function(...) {
        expect_identical(dense(similarity_graph(..., weight = "self_tuning",
                                                k = 4)), one)
    }
    same(x + 0)
    same(as.data.frame(x))
    same(Matrix::Matrix(x, sparse = TRUE))
    old <- options(linkrank.portable = TRUE)
    on.exit(options(old))
    same(x)
})

test_that("permuted samples permute the graph", {
    x <- random_matrix(60, 7)
    place <- sample(60)
    expect_equal(dense(similarity_graph(x))[place, place],
                 dense(similarity_graph(x[place, ])))
})

# ---- odd data ----------------------------------------------------------------

test_that("equal distances keep row order", {
    # four points on a line, distance 1/3 apart: worked by hand
    x <- matrix(c(0, 1, 2, 3))
    want <- matrix(0, 4, 4)
    want[cbind(c(1, 2, 3, 4), c(2, 1, 2, 3))] <- 1
    expect_identical(dense(similarity_graph(x, adjacency = "knn", weight = "binary", k = 1)),
                     pmax(want, t(want)))
    mutual <- matrix(0, 4, 4)
    mutual[1, 2] <- mutual[2, 1] <- 1
    expect_identical(dense(similarity_graph(x, adjacency = "mutual_knn", weight = "binary", k = 1)),
                     mutual)
})

test_that("more neighbours than there are means all of them", {
    x <- random_matrix(6, 2)
    expect_identical(dense(similarity_graph(x, k = 99)),
                     dense(similarity_graph(x, k = 5)))
    expect_equal(dense(similarity_graph(x, k = 99)),
                 dense(similarity_graph(x, adjacency = "full")))
})

test_that("a scale of 0 becomes the smallest positive one, or 1", {
    x <- matrix(c(0, 0, 0, 1, 3))
    got <- dense(similarity_graph(x, adjacency = "full", weight = "self_tuning", k = 2))
    # scales 0, 0, 0, 1/3 and 1: the first three become 1/3
    s <- c(1, 1, 1, 1, 3) / 3
    want <- exp(-outer(x[, 1] / 3, x[, 1] / 3, "-")^2 / (2 * outer(s, s)))
    diag(want) <- 0
    expect_equal(got, want)
    same <- matrix(7, 4, 2)
    expect_identical(dense(similarity_graph(same, adjacency = "full", weight = "self_tuning")),
                     1 - diag(4))
})

test_that("samples of zeros have cosine 0", {
    x <- rbind(c(0, 0), c(1, 0), c(1, 2), c(0, 2))
    got <- dense(similarity_graph(x, adjacency = "full", weight = "cosine", scale = "none"))
    expect_equal(got[1, ], rep(0, 4))
    expect_equal(got[2, 3], 1 / sqrt(5))
    expect_equal(got[2, 4], 0)
})

test_that("missing values are refused, or replaced by the mean", {
    x <- small()
    x[3, 2] <- NA
    expect_refused("input", similarity_graph(x, scale = "range"))
    filled <- x
    filled[3, 2] <- mean(x[, 2], na.rm = TRUE)
    expect_equal(dense(similarity_graph(x, na.action = "mean",
                                        scale = "range")),
                 dense(similarity_graph(filled, scale = "range")))
    expect_equal(dense(similarity_graph(Matrix::Matrix(x, sparse = TRUE),
                                        na.action = "mean", scale = "range")),
                 dense(similarity_graph(filled, scale = "range")))
})

test_that("a missing level is the most frequent one", {
    x <- data.frame(a = factor(c("u", "v", "v", NA, "w")), b = 1:5)
    filled <- x
    filled$a[4] <- "v"
    expect_identical(dense(similarity_graph(x, na.action = "mean", k = 2,
                                            scale = "range")),
                     dense(similarity_graph(filled, k = 2,
                                            scale = "range")))
})

# ---- the object --------------------------------------------------------------

test_that("it holds weights, names and arguments", {
    x <- small()
    graph <- similarity_graph(x)
    expect_s3_class(graph, "similarity_graph")
    expect_s4_class(graph$weights, "dgCMatrix")
    expect_true(methods::validObject(graph$weights))
    expect_true(Matrix::isSymmetric(graph$weights))
    expect_identical(rownames(graph$weights), rownames(x))
    expect_identical(graph$samples, rownames(x))
    expect_identical(graph$parameters$k, 5)
    expect_identical(similarity_graph(x, weight = "self_tuning")$parameters$k,
                     7)
    full <- similarity_graph(x, adjacency = "full")
    expect_true(is.matrix(full$weights))
    expect_equal(as.matrix(full), full$weights)
})

test_that("a matrix of weights is a graph, whose diagonal is ignored", {
    x <- small()
    graph <- similarity_graph(x)
    s <- as.matrix(graph)
    loops <- s + diag(2, nrow(s))
    for (given in list(s, loops, graph$weights,
                       Matrix::Matrix(loops, sparse = TRUE),
                       methods::as(graph$weights, "symmetricMatrix"))) {
        expect_equal(dense(as_graph(given)), unname(s))
    }
    # names of one side are those of the samples, of two sides alike
    w <- tcrossprod(1:4)
    expect_identical(as_graph(`colnames<-`(w, letters[1:4]))$samples,
                     letters[1:4])
    expect_error(as_graph(`dimnames<-`(w, list(letters[1:4], letters[4:1]))),
                 "not symmetric in its names",
                 class = "linkrank_error_argument")
    expect_refused("argument", as_graph("knn"), as_graph(s[1:3, ]),
                   as_graph(-s), as_graph(s * NA), as_graph(upper.tri(s)))
})

test_that("graphs of igraph and of colPair() are graphs", {
    skip_if_not_installed("igraph")
    graph <- similarity_graph(small())
    other <- igraph::graph_from_adjacency_matrix(graph$weights, "undirected",
                                                 weighted = TRUE)
    expect_equal(dense(as_graph(other)), dense(graph))
    plain <- igraph::delete_edge_attr(other, "weight")
    expect_equal(dense(as_graph(plain)), 1 * (dense(graph) > 0))
    expect_refused("argument", as_graph(igraph::make_graph(c(1, 2, 2, 3))))
    skip_if_not_installed("SingleCellExperiment")
    sce <- SingleCellExperiment::SingleCellExperiment(list(logcounts = t(small())))
    edges <- Matrix::summary(graph$weights)
    SingleCellExperiment::colPair(sce, "near") <- S4Vectors::SelfHits(
        edges$i, edges$j, nnode = 23L, length = 1 - edges$x, weight = edges$x)
    expect_equal(dense(as_graph(SingleCellExperiment::colPair(sce, "near"))),
                 dense(graph))
    first_of <- function(graph) {
        active_constraints(sce, rep(1:3, length.out = 23), n = 4, graph = graph,
                           strategy = "perturbation")$first
    }
    expect_identical(first_of(SingleCellExperiment::colPair(sce, "near")),
                     first_of(graph))
})

test_that("prepared data keep the neighbours that were searched last", {
    x <- random_matrix(40, 6, 3)
    data <- prepare_data(x, space = 3)
    same <- function(...) {
        expect_identical(similarity_graph(data, ...), similarity_graph(x, space = 3, ...))
    }
    for (turn in 1:2) {
        same()
        same(k = 7)
        same(scale = "none")
    }
    # lists that are there are not searched again
    first <- similarity_graph(data, k = 2, weight = "binary")
    data$known$nearest$near$row[] <- rep(c(1:40)[-1], length.out = 80)
    expect_false(identical(similarity_graph(data, k = 2, weight = "binary"), first))
    links <- pairwise_constraints(cannot_link = cbind(1:4, 5:8), samples = 40)
    wanted <- glean(prepare_data(x, space = 3), links)
    expect_identical(glean(data, links), wanted)
    expect_identical(glean(data, links), wanted)
})

test_that("print and summary say what is there", {
    x <- small()
    expect_snapshot({
        print(similarity_graph(x))
        summary(similarity_graph(x, adjacency = "epsilon", weight = "gaussian", epsilon = 0.3))
        similarity_graph(x, adjacency = "full", weight = "self_tuning", distance = "manhattan")
        as_graph(1 - diag(3))
    })
    for (weight in all_weights) {
        expect_narrow(similarity_graph(x, adjacency = "mutual_knn", weight = weight))
        expect_narrow(summary(similarity_graph(x, adjacency = "mutual_knn", weight = weight)))
    }
    facts <- summary(similarity_graph(x, adjacency = "epsilon", weight = "binary", epsilon = 0.3))
    joined <- reference_graph(reference_columns(x), "epsilon", "binary",
                              epsilon = 0.3)
    expect_identical(facts$edges, as.integer(sum(joined) / 2))
    expect_identical(unname(facts$neighbours), as.integer(rowSums(joined)))
    expect_equal(unname(facts$degree), rowSums(joined))
    expect_identical(facts$isolated, sum(rowSums(joined) == 0))
})

test_that("arguments out of range are refused", {
    x <- small()
    expect_refused("argument", similarity_graph(x, adjacency = "near"),
                   similarity_graph(x, weight = 1), similarity_graph(x, k = 0),
                   similarity_graph(x, k = 2.5), similarity_graph(x, t = 0),
                   similarity_graph(x, sigma = -1),
                   similarity_graph(x, adjacency = "epsilon"),
                   similarity_graph(x, epsilon = 1),
                   similarity_graph(x, K = 3))
    old <- options(linkrank.max_bytes = 1000)
    on.exit(options(old))
    expect_refused("memory", similarity_graph(x, adjacency = "full"),
                   similarity_graph(x, adjacency = "epsilon", epsilon = 9),
                   similarity_graph(x, k = 20))
})

test_that("without t it is the median squared distance of the edges", {
    x <- small()
    for (adjacency in c("knn", "mutual_knn", "epsilon", "full")) {
        epsilon <- if (adjacency == "epsilon") 0.4
        graph <- similarity_graph(x, adjacency = adjacency, epsilon = epsilon,
                                  scale = "range")
        t <- graph$parameters$t
        u <- reference_columns(x)
        d <- as.matrix(dist(u))
        joined <- reference_joined(reference_gaps(u), adjacency, 5, epsilon, TRUE)
        expect_equal(t, median(d[upper.tri(d) & joined]^2))
        again <- similarity_graph(x, adjacency = adjacency, epsilon = epsilon, t = t,
                                  scale = "range")
        expect_identical(again$weights, graph$weights)
    }
    # most edges join duplicates, then all
    x <- unname(rbind(x[rep(1, 12), ], x[2, ]))
    graph <- similarity_graph(x, k = 3, scale = "range")
    expect_equal(sort(unique(graph$weights@x)), c(exp(-1), 1))
    x[] <- 1
    expect_identical(similarity_graph(x, k = 3,
                                      scale = "range")$parameters$t, 1)
    expect_identical(similarity_graph(small(), adjacency = "epsilon",
                                      epsilon = 1e-9,
                                      scale = "range")$parameters$t, 1)
})

test_that("weights that underflow warn with the remedy", {
    x <- random_matrix(12, 40) * 20
    # squared distances of about 2 x 40 x 400
    expect_snapshot({
        graph <- similarity_graph(x, t = 1, scale = "none")
        graph <- similarity_graph(x, weight = "gaussian", scale = "none")
        graph <- similarity_graph(x, adjacency = "full", t = 1, scale = "none")
    })
    # all above 0, and so small that the closest pairs decide alone
    expect_warning(near <- similarity_graph(x, t = 600, scale = "none"),
                   "the largest weight is .*e-.*almost 0: give a larger `t`",
                   class = "linkrank_warning_graph")
    expect_true(all(near$weights@x > 0) && max(near$weights@x) < 1e-8)
    expect_silent(similarity_graph(x, t = 32000, scale = "none"))
    expect_silent(similarity_graph(x, weight = "self_tuning", scale = "none"))
    expect_silent(similarity_graph(x, weight = "binary", scale = "none"))
})

test_that("a graph that is symmetric within rounding counts above the diagonal", {
    set.seed(2)
    weights <- as.matrix(dist(matrix(rnorm(40), 20)))
    nearly <- weights
    nearly[15, 3] <- nearly[15, 3] * (1 + 1e-15)
    x <- matrix(rpois(20 * 6, 0.7) + 0, 20)
    sparse <- Matrix::Matrix(x, sparse = TRUE)
    for (graph in list(nearly, Matrix::Matrix(nearly, sparse = TRUE))) {
        expect_silent(same <- laplacian_score(sparse, graph = graph))
        expect_identical(feature_scores(same),
                         feature_scores(laplacian_score(x, graph = weights)))
    }
})

test_that("pairs in one or both directions become a symmetric matrix, by hand", {
    # 0-1 in both directions, of distance 2; 1-2 and 0-2 from 2 alone; 1-3, of
    # distance 0, from 3 alone; sample 5 has none
    lists <- list(row = rbind(c(2L, 1L, 2L, 2L, 0L), c(0L, 0L, 1L, 0L, 0L)),
                  distance = rbind(c(2, 2, 1, 0, 0), c(0, 0, 3, 0, 0)))
    joined <- function(mutual) {
        pairs <- neighbour_pairs(lists, mutual)
        joined_pairs(pairs, pairs$distance^2, 5)
    }
    either <- joined(FALSE)
    expect_identical(either@p, c(0L, 0L, 1L, 3L, 4L, 4L))
    expect_identical(either@i, c(0L, 0L, 1L, 1L))
    expect_identical(either@x, c(4, 9, 1, 0))
    whole <- both_halves(either)
    expect_identical(whole@p, c(0L, 2L, 5L, 7L, 8L, 8L))
    expect_identical(whole@i, c(1L, 2L, 0L, 2L, 3L, 0L, 1L, 1L))
    expect_identical(whole@x, c(4, 9, 4, 1, 0, 9, 1, 0))
    both <- joined(TRUE)
    expect_identical(both@p, c(0L, 0L, 1L, 1L, 1L, 1L))
    expect_identical(both@x, 4)
    lists$row[] <- 0L
    expect_identical(joined(FALSE)@p, integer(6))
    # exp(-4 / (2 s_1 s_2)); s_1 = 0 is the smallest other one
    expect_identical(positive_scales(c(0, 3, 2)), c(2, 3, 2))
    expect_identical(positive_scales(c(0, 0)), c(1, 1))
    tuned <- weigh_edges(both, list(weight = "self_tuning"), c(1, 2, 3, 1, 1))
    expect_identical(tuned@x, exp(-4 / (2 * 1 * 2)))
    inverse <- weigh_edges(both, list(weight = "inverse", sigma = 2), NULL)
    expect_identical(inverse@x, 0.5)
})
