ensemble_links <- function() {
    constraints_from_labels(rep(1:2, each = 15), cannot_link = 12, must_link = 12)
}

# feature g1 tells the classes apart
ensemble_data <- function() {
    x <- random_matrix(30, 6)
    x[, 1] <- x[, 1] + rep(c(0, 4), each = 15)
    x
}

test_that("it averages the method over rows and features that were drawn", {
    x <- ensemble_data()
    set.seed(1)
    links <- ensemble_links()
    set.seed(2)
    got <- ensemble_ranking(unname_samples(x), links, replicates = 7, features = 3,
                            method = "constraint_score",
                            options = list(type = "CS1"), combine = "score")
    # the same draws, one by one
    set.seed(2)
    plan <- lapply(1:7, function(b) {
        rows <- draw_rows(30, list(constraints = links))
        list(rows = rows, features = sort(sample.int(6, 3)))
    })
    sums <- matrix(NA_real_, 7, 6)
    for (b in 1:7) {
        rows <- plan[[b]]$rows
        columns <- plan[[b]]$features
        expect_length(columns, 3)
        expect_false(anyDuplicated(rows) > 0)
        sums[b, columns] <- reference_constraint_score(
            reference_columns(x[rows, columns]),
            constraints_of(links, rows),
            "CS1"
        )
    }
    expect_equal(unname(feature_scores(got)), colMeans(sums, na.rm = TRUE))
    place <- match(got$feature, paste0("g", 1:6))
    expect_identical(got$drawn, as.integer(colSums(!is.na(sums)))[place])
    ranks <- t(apply(sums, 1, function(s) rank(s, na.last = "keep")))
    # top: a quarter of 3 features, rounded up
    expect_equal(got$frequency, colMeans(ranks <= 1, na.rm = TRUE)[place])
    expect_identical(summary(got)$direction, "lower")
})

test_that("the mean rank is the default, and finds the feature that matters", {
    x <- ensemble_data()
    for (method in c("relieff_sc", "constraint_score")) {
        set.seed(1)
        got <- ensemble_ranking(x, constraints_from_labels(
            rep(1:2, each = 15), cannot_link = 12, must_link = 12
        ), method = method, replicates = 30)
        expect_identical(got$feature[1], "g1")
        expect_lt(got$score[1], 1.3)
        expect_gt(got$frequency[1], 0.8)
        expect_identical(summary(got)$direction, "lower")
    }
    fisher <- ensemble_ranking(x, y = rep(1:2, each = 15), combine = "score",
                               method = "fisher_score", replicates = 30)
    expect_identical(fisher$feature[1], "g1")
    expect_identical(summary(fisher)$direction, "higher")
})

test_that("set.seed() reproduces it, and leaves the stream where it was", {
    x <- ensemble_data()
    set.seed(1)
    links <- ensemble_links()
    # a method with random numbers of its own
    run <- function() {
        set.seed(4)
        got <- ensemble_ranking(x, links, method = "relieff_sc", replicates = 4,
                                options = list(permutations = 5))
        list(got, runif(1))
    }
    expect_identical(run(), run())
    set.seed(4)
    ensemble_ranking(x, links, replicates = 4)
    after <- runif(1)
    expect_identical(run()[[2]], after)
})

test_that("constraints keep the pairs of the rows that were drawn", {
    links <- pairwise_constraints(cannot_link = rbind(c(1, 5), c(2, 3)), must_link = cbind(5, 4),
                                  samples = letters[1:6])
    part <- constraints_of(links, c(1, 4, 5))
    expect_identical(as.data.frame(part)[1:3],
                     data.frame(i = c(1L, 3L), j = c(3L, 2L),
                                type = c("cannot-link", "must-link")))
    expect_identical(part$names, c("a", "d", "e"))
    expect_true(is_usable(c(1, 4, 5), list(constraints = links)))
    expect_false(is_usable(c(1, 5, 6), list(constraints = links)))
    # a cannot-link across blocks does not count
    expect_false(is_usable(c(1, 4, 5), list(constraints = links),
                           block = 1:3))
    expect_false(is_usable(1:3, list(y = c(1, 1, 1, 2))))
    labels <- constraints_from_labels(c("u", "u", "v", NA))
    part <- constraints_of(labels, c(1, 3, 4))
    expect_identical(as.data.frame(part)$type,
                     "cannot-link")
})

test_that("kinds of data agree", {
    x <- round(ensemble_data())
    run <- function(x) {
        set.seed(3)
        ensemble_ranking(x, y = rep(1:2, each = 15), method = "fisher_score",
                         replicates = 9)
    }
    one <- run(x)
    expect_equal(feature_scores(run(as.data.frame(x))), feature_scores(one))
    expect_equal(feature_scores(run(Matrix::Matrix(x, sparse = TRUE))), feature_scores(one))
    skip_if_not_installed("SummarizedExperiment")
    se <- SummarizedExperiment::SummarizedExperiment(list(t(x)))
    expect_equal(feature_scores(run(se)), feature_scores(one))
})

test_that("workers change nothing", {
    skip_if_not_installed("BiocParallel")
    x <- ensemble_data()
    run <- function(...) {
        set.seed(3)
        ensemble_ranking(x, y = rep(1:2, each = 15), method = "fisher_score",
                         replicates = 9, ...)
    }
    expect_identical(run(BPPARAM = BiocParallel::SerialParam()), run())
    expect_identical(run(BPPARAM = BiocParallel::MulticoreParam(2)), run())
})

test_that("values per sample follow the rows that are drawn", {
    x <- ensemble_data()
    links <- constraints_from_labels(rep(1:2, each = 15))
    block <- replace(rep(c("a", "b"), 15), 4:11, NA)
    run <- function(call, ...) {
        set.seed(4)
        call(x, links, ..., method = "relieff_sc", replicates = 3)
    }
    for (call in list(ensemble_ranking, ranking_stability)) {
        messages <- capture_messages(found <- run(call, block = block))
        # once, not for each of the parts
        expect_match(messages, "whose `block` is NA", all = FALSE)
        expect_length(messages, 2)
        x <- prepare_data(x, block = block)
        expect_equal(run(call), found, ignore_attr = "info") |>
            suppressMessages()
        x <- ensemble_data()
        found <- run(call, space = x[, 1:2])
        x <- prepare_data(x, space = x[, 1:2])
        expect_equal(run(call), found, ignore_attr = "info")
        x <- ensemble_data()
    }
    expect_error(run(ensemble_ranking, block = block[-1]), "one value per")
})

test_that("what is wrong is said", {
    x <- ensemble_data()
    set.seed(1)
    links <- ensemble_links()
    expect_refused(
        "argument", ensemble_ranking(x, links, method = "relieve"),
        ensemble_ranking(x, method = "relieff_sc"),
        ensemble_ranking(x, links, method = "variance_score"),
        ensemble_ranking(x, links, replicates = 0),
        ensemble_ranking(x, links, features = 7),
        ensemble_ranking(x, links, combine = "median"),
        ensemble_ranking(x, links, method = "relieff_sc", options = list(K = 3)),
        ensemble_ranking(x, links, method = "relieff_sc", K = 3),
        ensemble_ranking(x, links, n = 9),
        ensemble_ranking(x, y = 1:3, method = "fisher_score")
    )
    set.seed(1)
    expect_warning(few <- ensemble_ranking(x, links, replicates = 1, features = 2),
                   class = "linkrank_warning_ensemble")
    expect_identical(sum(is.na(few$score)), 4L)
    expect_snapshot({
        set.seed(1)
        ensemble_ranking(x, links, replicates = 9, method = "constraint_score",
                         options = list(type = "C6"))
    })
})

# ---- own methods, and given rankings ------------------------------------------

test_that("a function is averaged as the method that it calls", {
    x <- ensemble_data()
    links <- ensemble_links()
    run <- function(method, x, ...) {
        set.seed(3)
        ensemble_ranking(x, links, method = method, replicates = 9,
                         combine = "score", ...)
    }
    named <- run("relieff_sc", x, k = 2)
    own <- run(function(x, constraints, k) relieff_sc(x, constraints, k = k),
               x, k = 2)
    expect_identical(as.data.frame(own), as.data.frame(named))
    expect_identical(summary(own)$label, "Ensemble of ReliefF-Sc")
    expect_identical(as.data.frame(run(relieff_sc, unname(x), k = 2))$score,
                     named$score)
    # scores by name, in any order, are a ranking
    scores <- function(x, constraints, k) {
        ranking <- relieff_sc(x, constraints, k = k)
        rev(stats::setNames(ranking$margin, ranking$feature))
    }
    expect_identical(as.data.frame(run(scores, x, k = 2)),
                     as.data.frame(named))
})

# a: ranks g1 1, g2 2, g3 3; b: g3 1, g1 2, g2 3; means 3/2, 5/2, 2
test_that("given rankings are averaged by hand", {
    a <- made_ranking(c(3, 2, 1))
    b <- c(g3 = 9, g1 = 5, g2 = 4)
    got <- ensemble_ranking(list(a, b))
    expect_identical(got$feature, c("g1", "g3", "g2"))
    expect_identical(got$score, c(1.5, 2, 2.5))
    # the first of each: g1 and g3
    expect_identical(got$frequency, c(0.5, 0.5, 0))
    expect_identical(summary(got)$direction, "lower")
    expect_null(got$drawn)
    # scores: (3 + 5) / 2, (2 + 4) / 2, (1 + 9) / 2
    by_score <- ensemble_ranking(list(a, b), combine = "score")
    expect_identical(by_score$feature, c("g3", "g1", "g2"))
    expect_identical(by_score$score, c(5, 4, 3))
    expect_snapshot(ensemble_ranking(list(a, b), n = 2))
    expect_snapshot(summary(ensemble_ranking(list(a, a))))
})

test_that("rankings that cannot be averaged are refused", {
    a <- made_ranking(c(3, 2, 1))
    low <- as_feature_ranking(c(g1 = 1, g2 = 2, g3 = 3), "lower")
    expect_refused("argument",
        ensemble_ranking(list(a, made_ranking(c(2, 1)))),
        ensemble_ranking(list(a, c(g1 = 1, g2 = 2, g4 = 3))),
        ensemble_ranking(list(a, low), combine = "score"),
        ensemble_ranking(list(a, a), few_links(62)),
        ensemble_ranking(list(a, a), method = "relief"),
        ensemble_ranking(list(a, a), n = 4),
        update(ensemble_ranking(list(a, a)), random_matrix(9, 3)),
        ensemble_ranking(random_matrix(9, 3), method = function(x) 1:3),
        ensemble_ranking(random_matrix(9, 3), method = function(x) c(a = 1)),
        ensemble_ranking(random_matrix(9, 3), method = function(x, y) x),
        ensemble_ranking()
    )
})

test_that("subsets are as large as it takes to draw every feature", {
    for (p in c(1, 2, 7, 50, 2000)) {
        for (replicates in c(1, 5, 50)) {
            size <- covering_size(p, replicates)
            left <- p * (1 - c(size, size - 1) / p)^replicates
            expect_true(size >= sqrt(p) && size <= p &&
                            left[1] <= 0.05 + 1e-9)
            expect_true(size == ceiling(sqrt(p)) || left[2] > 0.05 - 1e-9)
        }
    }
    x <- random_matrix(20, 60)
    set.seed(2)
    expect_silent(got <- ensemble_ranking(x, method = "variance_score",
                                          replicates = 20, progress = FALSE))
    expect_identical(summary(got)$parameters$features,
                     covering_size(60, 20))
})
