# distance = "correlation": against stats::cor() and, in every function that has
# it, against standardised samples as `space`.

scaled_by_range <- function(x) {
    apply(x, 2, function(v) {
        if (max(v) > min(v)) (v - min(v)) / (max(v) - min(v)) else 0 * v
    })
}

# Each sample over its features: mean 0, length 1.
standardised <- function(u) {
    t(apply(u, 1, function(v) (v - mean(v)) / sqrt(sum((v - mean(v))^2))))
}

correlation_case <- function() {
    x <- random_matrix(24, 9, seed = 5)
    x[x < -0.2] <- 0
    x[, 4] <- 3
    y <- rep(c("a", "b", "c"), 8)
    list(x = x, y = y, number = x[, 1] + rnorm(24), u = scaled_by_range(x),
         links = constraints_from_labels(c(y[1:9], rep(NA, 15))))
}

correlation_calls <- function(case) {
    y <- case$y
    links <- case$links
    list(
        relieff = function(x, ...) relieff(x, y, k = 3, ...),
        surf = function(x, ...) relieff(x, y, k = "surf", ...),
        rrelieff = function(x, ...) rrelieff(x, case$number, k = 3, ...),
        stir = function(x, ...) stir(x, y, k = 3, ...),
        relief_sc = function(x, ...) relief_sc(x, links, ...),
        relieff_sc = function(x, ...) relieff_sc(x, links, ...),
        fcrsc = function(x, ...) fcrsc(x, links, ...)
    )
}

test_that("neighbours are those of largest correlation", {
    case <- correlation_case()
    r <- stats::cor(t(case$u))
    graph <- similarity_graph(case$x, distance = "correlation", k = 4,
                              weight = "heat", t = 1, scale = "range")
    near <- vapply(1:24, function(i) {
        order(replace(-r[i, ], i, Inf))[1:4]
    }, integer(4))
    joined <- matrix(FALSE, 24, 24)
    joined[cbind(c(near), rep(1:24, each = 4))] <- TRUE
    joined <- joined | t(joined)
    weights <- unname(as.matrix(graph$weights))
    expect_identical(weights > 0, joined)
    # squared distances are 2 (1 - r)
    expect_equal(weights[joined], exp(-2 * (1 - unname(r)[joined])))
    expect_snapshot(graph)
})

# Neighbours by cor(), differences by the definition (methods: section 5): the
# hits of a sample are its nearest others.
test_that("margins are differences to the most correlated samples", {
    case <- correlation_case()
    pairs <- rbind(c(1, 2), c(5, 9), c(20, 3))
    got <- relieff_sc(case$x, pairwise_constraints(cannot_link = pairs, samples = 24), k = 3,
                      distance = "correlation", scale = "range")
    r <- stats::cor(t(case$u))
    hits <- function(a, b) {
        order(replace(-r[a, ], c(a, b), Inf))[1:3]
    }
    gap <- function(a, near) {
        colMeans(abs(t(t(case$u[near, ]) - case$u[a, ])))
    }
    margins <- apply(pairs, 1, function(p) {
        a <- p[1]
        b <- p[2]
        (gap(a, hits(b, a)) - gap(a, hits(a, b)) +
             gap(b, hits(a, b)) - gap(b, hits(b, a))) / 2
    })
    expect_equal(got$margin[match(colnames(case$x), got$feature)],
                 unname(rowSums(margins)))
    expect_snapshot(print(got, n = 3))
})

test_that("every function agrees with standardised samples as its space", {
    case <- correlation_case()
    z <- standardised(case$u)
    for (call in correlation_calls(case)) {
        expect_equal(
            as.data.frame(call(case$x, distance = "correlation",
                               scale = "range")),
            as.data.frame(call(case$x, distance = "euclidean", space = z,
                               scale = "range"))
        )
    }
    block <- rep(1:2, each = 12)
    expect_equal(
        as.data.frame(relieff_sc(case$x, case$links, block = block,
                                 distance = "correlation", scale = "range")),
        as.data.frame(relieff_sc(case$x, case$links, block = block, space = z,
                                 distance = "euclidean", scale = "range"))
    )
    for (strategy in c("groups", "perturbation")) {
        ask <- function(...) {
            active_constraints(case$x, case$y, n = 6, strategy = strategy,
                               scale = "range", ...)$questions[c("i", "j", "type")]
        }
        expect_equal(ask(distance = "correlation"), ask(space = z))
    }
    q <- questionnaire(case$x, distance = "correlation", hint = TRUE,
                       scale = "range")
    expect_identical(next_pair(q), next_pair(questionnaire(case$x, space = z,
                                                           scale = "range")))
    expect_length(answer_pair(q, "different")$stability, 1)
})

test_that("dense, sparse and threads give the same bits", {
    case <- correlation_case()
    sparse <- Matrix::Matrix(case$x, sparse = TRUE)
    for (call in correlation_calls(case)) {
        run <- function(x, ...) as.data.frame(call(x, ...,
                                                   distance = "correlation"))
        dense <- run(case$x)
        expect_identical(run(sparse), dense)
        expect_identical(run(as.data.frame(case$x)), dense)
        expect_identical(run(case$x, threads = 2), dense)
    }
    graph <- function(x) {
        similarity_graph(x, distance = "correlation")$weights
    }
    expect_identical(graph(sparse), graph(case$x))
    data <- prepare_data(sparse)
    scaling <- feature_scaling(data, "range")
    expect_identical(sample_standards(data, scaling, 2),
                     sample_standards(prepare_data(case$x), scaling, 9))
})

test_that("files give the same bits", {
    skip_if_not_installed("HDF5Array")
    skip_if_not_installed("SummarizedExperiment")
    case <- correlation_case()
    run <- function(assay) {
        as.data.frame(relieff_sc(experiment_with(assay, case$x), case$links,
                                 distance = "correlation"))
    }
    dense <- run(t(case$x))
    expect_identical(run(in_file(t(case$x), c(4, 6))), dense)
    skip_without_tenx()
    expect_identical(run(in_tenx(case$x)), dense)
})

# Four features, no scaling. Samples 1 and 2 rise, 3 falls, 4 and 5 are constant,
# 6 is 1 times two and one more: r = 1 with sample 1.
test_that("shifted, scaled and constant samples are worked by hand", {
    x <- rbind(c(1, 2, 3, 4), c(1, 2, 3, 9), c(4, 3, 2, 1), 2, 5,
               c(3, 5, 7, 9))
    graph <- similarity_graph(x, adjacency = "full", weight = "heat", t = 1, scale = "none",
                              distance = "correlation")
    got <- -log(unname(as.matrix(graph$weights))) / 2
    # 1 - r: (-3 -1 1 3) and (-11 -7 -3 21) / 4: r = 100 / sqrt(20 * 620)
    near <- 1 - 100 / sqrt(20 * 620)
    expect_equal(got[1, 2:6], c(near, 2, 1, 1, 0))
    expect_equal(got[4, 5], 0)
    expect_equal(got[4, c(2, 3, 6)], c(1, 1, 1))
    # 1 and 6 are equally near to all: the lower row first
    links <- pairwise_constraints(cannot_link = cbind(2, 3), samples = 6)
    one <- relief_sc(x, links, scale = "none", distance = "correlation")
    hit <- x[1, ]
    expect_equal(unname(feature_scores(one) > 0),
                 unname((abs(x[2, ] - x[4, ]) - abs(x[2, ] - hit) +
                             abs(x[3, ] - hit) - abs(x[3, ] - x[4, ])) > 0))
})

test_that("missing cells are the mean, and what cannot be is refused", {
    case <- correlation_case()
    case$x[3, 2] <- NA
    filled <- case$x
    filled[3, 2] <- mean(case$x[, 2], na.rm = TRUE)
    graph <- function(x, ...) {
        similarity_graph(x, distance = "correlation", scale = "range",
                         ...)$weights
    }
    expect_equal(graph(case$x, na.action = "mean"), graph(filled))
    expect_s3_class(relieff_sc(case$x, case$links, distance = "correlation"),
                    "feature_ranking")
    d <- dist(filled)
    expect_refused("argument",
        relieff_sc(filled, case$links, space = d),
        relieff_sc(filled, case$links, space = as.matrix(d)),
        relieff_sc(filled, case$links, distance = d),
        relieff(filled, case$y, distance = function(a, b) sum(abs(a - b))),
        similarity_graph(filled, distance = function(a, b) 1 - cor(a, b)),
        similarity_graph(filled, distance = "pearson"),
        relieff_sc(filled, case$links, space = filled,
                   distance = "correlation"),
        active_constraints(filled, case$y, 3, distance = "manhattan")
    )
    expect_refused("input", relieff_sc(iris, constraints_from_labels(
        iris$Species, cannot_link = 5, must_link = 5), distance = "correlation"))
    # the way that the message names
    expect_equal(
        as.data.frame(relieff_sc(filled, case$links, scale = "none",
                                 space = cmdscale(d, k = 8))),
        as.data.frame(relieff_sc(filled, case$links, scale = "none",
                                 distance = "euclidean", own_term = "keep"))
    )
})
