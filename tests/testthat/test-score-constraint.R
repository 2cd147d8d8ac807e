raw_scores <- function(ranking) unname(feature_scores(ranking))

# numbers, a constant column, a factor; some links
links_of <- function(n = 30) {
    pairwise_constraints(
        cannot_link = rbind(c(1, 2), c(3, 7), c(8, 2), c(20, 21), c(5, 6)),
        must_link = rbind(c(1, 9), c(9, 10), c(2, 11), c(4, 3)), samples = n
    )
}

features_of <- function(n = 30) {
    set.seed(7)
    x <- data.frame(a = rnorm(n), b = rexp(n), c = rep(1, n),
                    d = factor(sample(c("u", "v", "w"), n, TRUE)),
                    e = rnorm(n), f = rnorm(n))
    # no difference between cannot-linked samples
    x$e[c(2, 7, 8, 21, 6)] <- x$e[c(1, 3, 1, 20, 5)]
    x$e[8] <- x$e[2]
    # and none within any link
    x$f <- rep(c(0.1, 0.7), c(22, n - 22))
    x
}

all_types <- c("CS1", "CS2", "CS3", "CS4", "CLS", "C6", "CCLS")

# ---- against the reference ---------------------------------------------------

test_that("every type equals its equation", {
    x <- features_of()
    u <- reference_columns(x)
    links <- links_of()
    for (type in all_types) {
        got <- raw_scores(constraint_score(x, links, type = type))
        want <- reference_constraint_score(u, links, type)
        expect_equal(got, want, tolerance = 1e-10)
    }
})

test_that("their arguments do what the equations say", {
    x <- features_of()[c("a", "b", "e")]
    u <- reference_columns(x)
    links <- links_of()
    # not `type`: R would take t = 0.4 for it
    check <- function(score, ...) {
        expect_equal(raw_scores(constraint_score(x, links, type = score, ...)),
                     reference_constraint_score(u, links, score, ...),
                     tolerance = 1e-10)
    }
    check("CS2", lambda = 2)
    check("CS3", gamma = 5, unlabelled = "both", k = 3)
    check("CS4", k = 3, t = 0.4)
    check("CLS", denominator = "pairs", k = 4, t = 0.5)
    check("C6", denominator = "pairs", k = 4, t = 0.5)
    check("CCLS", lambda = 0.2, gamma = 0.5, k = 7, t = 2)
    set.seed(1)
    check("CCLS", y = sample(c("p", "q", NA), 30, TRUE))
})

test_that("pairs count by their confidence", {
    x <- features_of()
    u <- reference_columns(x)
    links <- links_of()
    plain <- links
    links$confidence <- c(0.2, NA, 0.9, 0.4, 1, 0.3, NA, 0.05, 0.6)
    for (type in all_types) {
        expect_equal(raw_scores(constraint_score(x, links, type = type)),
                     reference_constraint_score(u, links, type),
                     tolerance = 1e-10)
        expect_false(isTRUE(all.equal(
            raw_scores(constraint_score(x, links, type = type)),
            raw_scores(constraint_score(x, plain, type = type))
        )))
    }
    # equal confidence: the same bits as without
    for (equal in list(0.3, 1)) {
        links$confidence[] <- equal
        for (type in all_types) {
            expect_identical(as.data.frame(constraint_score(x, links, type = type)),
                             as.data.frame(constraint_score(x, plain, type = type)))
        }
    }
    # by hand: differences 1 and 3 of must-links, 2 of a cannot-link, weights
    # 0.5, 1 and 1: (0.5 * 1 + 9) / 4
    by_hand <- pairwise_constraints(cannot_link = cbind(1, 5), must_link = rbind(c(1, 2), c(3, 4)), samples = 6)
    by_hand$confidence <- c(NA, 0.5, NA)
    score <- constraint_score(cbind(a = c(0, 1, 5, 2, 2, 9)), by_hand, type = "CS1",
                              scale = "none")
    expect_equal(unname(feature_scores(score)), 9.5 / 4)
})

test_that("labels give what their pairs give, without a list of pairs", {
    x <- features_of()
    set.seed(2)
    # a class of one, and unlabelled samples
    labels <- c("alone", sample(c("p", "q", NA), 29, TRUE))
    kept <- constraints_from_labels(labels)
    written <- kept[seq_len(length(kept))]
    for (type in all_types) {
        # NULL: the default
        for (denominator in c(list(NULL), if (type %in% c("CLS", "C6"))
            "pairs")) {
            score <- function(links) raw_scores(do.call(constraint_score, c(
                list(x, links, type = type), denominator = denominator)))
            expect_equal(
                score(kept), score(written),
                tolerance = 1e-10
            )
        }
    }
    # 5e9 pairs
    many <- random_matrix(1e5, 2)
    labels <- rep(1:2, 50000)
    got <- feature_scores(constraint_score(many, constraints_from_labels(labels)))
    within <- apply(many, 2, function(f) sum(tapply(f, labels, function(g) {
        length(g) * sum((g - mean(g))^2)
    })))
    all <- apply(many, 2, function(f) length(f) * sum((f - mean(f))^2))
    expect_equal(got, within / (all - within))
})

# ---- identities --------------------------------------------------------------

test_that("CLS without constraints is the Laplacian score", {
    x <- features_of()
    none <- pairwise_constraints(samples = 30)
    expect_equal(feature_scores(constraint_score(x, none, type = "CLS")),
                 feature_scores(laplacian_score(x, scale = "range")))
    expect_equal(feature_scores(constraint_score(x, none, type = "C6", k = 4, t = 2)),
                 feature_scores(laplacian_score(x, k = 4, t = 2,
                                                scale = "range")))
})

test_that("CS4 is the Laplacian score times CS1", {
    x <- features_of()
    links <- links_of()
    want <- feature_scores(laplacian_score(x, scale = "range")) *
        feature_scores(constraint_score(x, links))
    expect_equal(feature_scores(constraint_score(x, links, type = "CS4")), want)
})

test_that("Fisher and CS1 agree on two equal classes", {
    # ML = n SS_w, CL = n SS_w + 2 n SS_b with n samples in each class
    x <- random_matrix(20, 5)
    y <- rep(1:2, 10)
    fisher <- feature_scores(fisher_score(x, y))
    cs1 <- feature_scores(constraint_score(x, constraints_from_labels(y)))
    expect_equal(cs1, 1 / (1 + 2 * fisher))
})

test_that("sparse data give the same, without being expanded", {
    set.seed(3)
    x <- matrix(rpois(60 * 30, 0.6), 60)
    sparse <- Matrix::Matrix(x, sparse = TRUE)
    links <- links_of(60)
    labels <- constraints_from_labels(rep(1:3, 20))
    for (type in all_types) {
        for (given in list(links, labels)) {
            expect_identical(
                feature_scores(constraint_score(sparse, given, type = type)),
                feature_scores(constraint_score(x, given, type = type))
            )
        }
    }
})

test_that("the order and direction of pairs do not matter", {
    x <- features_of()
    links <- links_of()
    pairs <- cbind(links$second, links$first)
    turned <- pairwise_constraints(
        cannot_link = pairs[!links$must_link, ][5:1, ],
        must_link = pairs[links$must_link, ], samples = 30
    )
    for (type in all_types) {
        expect_equal(feature_scores(constraint_score(x, turned, type = type)),
                     feature_scores(constraint_score(x, links, type = type)))
    }
})

# ---- odd data ----------------------------------------------------------------

test_that("0/0 and x/0 are distinguished and come last", {
    # must-links differ in a and b, cannot-links in b alone; c is constant
    x <- cbind(a = c(0, 1, 0, 1), b = c(0, 1, 3, 9), c = 1,
               d = c(0.1, 0.1, 0.1, 0.7))
    links <- pairwise_constraints(cannot_link = cbind(1, 3), must_link = cbind(1, 2), samples = 4)
    got <- constraint_score(x, links)
    expect_identical(got$feature, c("b", "a", "c", "d"))
    expect_identical(got$score, c(1 / 9, Inf, NA, NA))
    expect_identical(feature_scores(constraint_score(x, links, type = "CS2"))[["c"]], 0)
    # from labels: no rounding may be left over in class means
    x <- cbind(a = rep(c(0.1, 0.7), 15), b = rnorm(30), c = rep(0.1, 30),
               d = rep(c(0.1, 0.1, 0.7), 10))
    got <- feature_scores(constraint_score(x, constraints_from_labels(rep(1:2, 15)),
                                   scale = "none"))
    expect_identical(got[["a"]], 0)
    expect_identical(got[["c"]], NA_real_)
    got <- feature_scores(constraint_score(
        x, constraints_from_labels(rep(c(1, 2, NA), 10)), scale = "none"
    ))
    expect_identical(got[["d"]], NA_real_)
})

test_that("few samples and more neighbours than there are", {
    x <- random_matrix(4, 3)
    links <- pairwise_constraints(cannot_link = cbind(1, 2), must_link = cbind(3, 4), samples = 4)
    u <- reference_columns(x)
    for (type in all_types) {
        expect_equal(raw_scores(constraint_score(x, links, type = type)),
                     reference_constraint_score(u, links, type))
    }
})

test_that("missing values are refused, or replaced by the mean", {
    x <- as.matrix(features_of()[c("a", "b")])
    x[4, 1] <- NA
    expect_refused("input", constraint_score(x, links_of()))
    filled <- x
    filled[4, 1] <- mean(x[, 1], na.rm = TRUE)
    for (type in all_types) {
        expect_equal(feature_scores(constraint_score(x, links_of(), type = type,
                                             na.action = "mean")),
                     feature_scores(constraint_score(filled, links_of(), type = type)))
    }
})

test_that("what is wrong is said", {
    x <- features_of()
    links <- links_of()
    only <- function(...) pairwise_constraints(..., samples = 30)
    expect_refused(
        "constraints", constraint_score(x, only(cannot_link = cbind(1, 2))),
        constraint_score(x, only(must_link = cbind(1, 2)), type = "CS3"),
        constraint_score(x, only(), type = "CS2"),
        constraint_score(x, only(), type = "C6", denominator = "pairs"),
        constraint_score(x, links_of(31)), constraint_score(x, 1:2)
    )
    expect_refused(
        "argument", constraint_score(x, links, type = "CS5"),
        constraint_score(x, links, lambda = 1),
        constraint_score(x, links, type = "CS2", gamma = 1),
        constraint_score(x, links, type = "CS1", y = 1:30),
        constraint_score(x, links, type = "CCLS", y = 1:3),
        constraint_score(x, links, type = "CCLS", gamma = 2),
        constraint_score(x, links, type = "CS2", lambda = -1),
        constraint_score(x, links, type = "CS3", unlabelled = "none"),
        constraint_score(x, links, type = "CLS", denominator = "all"),
        constraint_score(x, links, type = "CLS", t = 0),
        constraint_score(x, links, kind = "CS1")
    )
    old <- options(linkrank.max_bytes = 1e4)
    on.exit(options(old))
    expect_refused("memory",
                   constraint_score(x, constraints_from_labels(rep(1:2, 15)),
                                    type = "CLS"))
})

test_that("printed output shows type and settings", {
    x <- features_of()
    expect_snapshot({
        constraint_score(x, links_of())
        constraint_score(x, links_of(), type = "CCLS")
        constraint_score(x, constraints_from_labels(rep(1:2, 15)), type = "CS2")
    })
    expect_identical(
        feature_scores(rank_features(x, links_of(), method = "constraint_score",
                             type = "CS3")),
        feature_scores(constraint_score(x, links_of(), type = "CS3"))
    )
})

test_that("CS4 takes the graph of its Laplacian score", {
    x <- random_matrix(15, 5)
    links <- few_links(rownames(x))
    graph <- similarity_graph(x, adjacency = "full", weight = "self_tuning", k = 7)
    want <- feature_scores(laplacian_score(x, graph = graph)) *
        feature_scores(constraint_score(x, links, type = "CS1"))
    got <- constraint_score(x, links, type = "CS4", graph = graph)
    expect_equal(feature_scores(got), want)
    expect_equal(feature_scores(constraint_score(x, links, type = "CS4",
                                                 graph = graph$weights)), want)
    expect_lt(object.size(summary(got)$parameters), 5000)
    expect_narrow(got)
    expect_refused("argument",
        constraint_score(x, links, type = "CS3", graph = graph),
        constraint_score(x, links, type = "CS4", graph = graph, k = 3))
})

# ---- ties -------------------------------------------------------------------

test_that("features of one score go by what cannot-linked samples differ by", {
    # By hand, unscaled; must-link 1-2, cannot-links 1-3 and 2-4. None of a, b, c
    # differs within the must-link: CS1 is 0. CL: a 1, b 4 + 4, c 9; d has
    # ML = 1 and CL = 1, e is constant.
    x <- cbind(a = c(0, 0, 1, 0), b = c(0, 0, 2, 2), c = c(0, 0, 3, 0),
               d = c(0, 1, 1, 1), e = 1, copy = c(0, 0, 3, 0))
    links <- pairwise_constraints(cannot_link = rbind(c(1, 3), c(2, 4)), must_link = cbind(1, 2),
                                  samples = 4)
    ranking <- constraint_score(x, links, scale = "none")
    expect_identical(ranking$feature, c("c", "copy", "b", "a", "d", "e"))
    expect_identical(ranking$apart, c(9, 9, 8, 1, 1, 0))
    expect_identical(ranking$score, c(0, 0, 0, 0, 1, NA))
    expect_output(print(ranking), "4 features have the same best score")
})

test_that("every type reports the sum, and sparse counts are ordered by it", {
    set.seed(4)
    x <- matrix(rpois(30 * 40, 0.15), 30)
    colnames(x) <- paste0("g", 1:40)
    links <- links_of()
    u <- reference_columns(x)
    cannot <- reference_by_feature(u, function(f) {
        reference_quadratic(f, reference_links(links)$cannot)
    })
    for (type in setdiff(all_types, c("CLS", "C6"))) {
        ranking <- constraint_score(x, links, type = type)
        expect_equal(ranking$apart, unname(cannot[match(ranking$feature,
                                                        colnames(x))]))
        # a stable sort by score, then by the sum
        expect_identical(order(ranking$score, -ranking$apart,
                               match(ranking$feature, colnames(x))), 1:40)
    }
    tied <- constraint_score(x, links)
    expect_gt(sum(tied$score == 0, na.rm = TRUE), 5)
    expect_false(is.unsorted(-tied$apart[which(tied$score == 0)]))
    for (type in c("CLS", "C6")) {
        expect_true(all(constraint_score(x, links, type = type)$apart >= 0))
    }
})
