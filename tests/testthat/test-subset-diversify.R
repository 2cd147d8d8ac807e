a_ranking <- function(x, seed = 1) {
    set.seed(seed)
    n <- nrow(x)
    links <- pairwise_constraints(cannot_link = matrix(sample(n, 12), 6), samples = n)
    relieff_sc(x, links, own_term = "keep")
}

correlated <- function(n = 15, p = 25, seed = 2) {
    x <- random_matrix(n, p, seed)
    x[, 5:12] <- x[, 5:12] * 0.2 + x[, 1]
    x[, 20] <- 3
    x
}

test_that("diversify_ranking() follows the definition", {
    for (seed in 1:4) {
        x <- correlated(seed = seed)
        ranking <- a_ranking(x, seed)
        relevance <- pmax(ranking$score / max(ranking$score), 1e-4)
        order <- reference_diversify(x[, ranking$feature], relevance)
        got <- diversify_ranking(ranking, x)
        expect_equal(got$feature, ranking$feature[order])
        expect_equal(got$relevance, relevance[order])
        expect_equal(feature_scores(got), feature_scores(ranking))
        expect_equal(got$rank, seq_len(ncol(x)))
    }
})

test_that("a factor correlates as its levels do", {
    for (seed in 1:4) {
        set.seed(seed)
        n <- 30
        kind <- factor(sample(letters[1:4], n, TRUE))
        x <- data.frame(a = rnorm(n), kind = kind, b = (kind == "b") + rnorm(n),
                        flat = 1, other = factor(sample(1:3, n, TRUE)),
                        near = rnorm(n, c(a = 0, b = 3, c = 1, d = 0)[kind], .5))
        x$b[3] <- NA
        ranking <- variance_score(x, na.action = "mean")
        ranked <- x[ranking$feature]
        columns <- lapply(ranked, function(column) {
            if (is.factor(column)) outer(column, levels(column), "==") + 0 else
                replace(column, is.na(column), mean(column, na.rm = TRUE))
        })
        want <- reference_diversify(
            do.call(cbind, columns), pmax(ranking$score / ranking$score[1], 1e-4),
            rep(seq_along(columns), vapply(columns, NCOL, 0L)))
        got <- diversify_ranking(ranking, x, na.action = "mean")
        expect_identical(got$feature, ranking$feature[want])
    }
})

test_that("sparse features are compared as dense ones are", {
    set.seed(9)
    x <- random_matrix(60, 40, 9)
    # a quarter of the cells and fewer, among dense ones; copies of both kinds
    rare <- seq(1, 40, by = 2)
    x[, rare] <- x[, rare] * (runif(60 * length(rare)) < 0.2)
    x[, c(2, 5)] <- 2 * x[, c(4, 7)]
    x[, 9] <- 0
    ranking <- a_ranking(x, 3)
    relevance <- pmax(ranking$score / max(ranking$score), 1e-4)
    got <- diversify_ranking(ranking, x)
    expect_equal(got$feature, ranking$feature[
        reference_diversify(x[, ranking$feature], relevance)])
    expect_identical(diversify_ranking(ranking, as_matrix_class(x, "dgCMatrix")),
                     got)
    # more features than one item takes
    wide <- cbind(x, random_matrix(60, 300, 4) * (runif(60 * 300) < 0.1))
    colnames(wide) <- paste0("w", seq_len(ncol(wide)))
    ranking <- a_ranking(wide, 3)
    relevance <- pmax(ranking$score / max(ranking$score), 1e-4)
    expect_equal(diversify_ranking(ranking, wide)$feature, ranking$feature[
        reference_diversify(wide[, ranking$feature], relevance)])
})

test_that("only the first ones move", {
    x <- correlated()
    ranking <- a_ranking(x)
    got <- diversify_ranking(ranking, x, top = 8)
    expect_setequal(got$feature[1:8], ranking$feature[1:8])
    expect_equal(got$feature[9:25], ranking$feature[9:25])
    expect_true(all(is.na(got$relevance[9:25])))
    expect_equal(diversify_ranking(ranking, x, top = 1)$feature,
                 ranking$feature)
    expect_equal(diversify_ranking(ranking, x, top = Inf)$feature,
                 diversify_ranking(ranking, x)$feature)
})

test_that("relevance whatever the direction and the scores", {
    relevance <- function(direction, ...) {
        relevance_of(structure(list(score = c(...)),
                               info = list(direction = direction, key = "score")))
    }
    expect_equal(relevance("lower", 1, 3, NA), c(1, 1e-4, 1e-4))
    expect_equal(relevance("lower", 2, 2, Inf), c(1, 1, 1e-4))
    expect_equal(relevance("higher", 4, 1, -1), c(1, 0.25, 1e-4))
    expect_equal(relevance("higher", Inf, 2, 1), c(1, 1, 0.5))
    expect_equal(relevance("higher", 0, 0, 0), rep(1e-4, 3))
})

test_that("pruning follows the definition", {
    for (most in c(0, 0.3, 0.7, 1)) {
        x <- correlated()
        ranking <- a_ranking(x)
        got <- diversify_ranking(ranking, x, max_cor = most, method = "prune")
        kept <- reference_keep(x[, ranking$feature], most)
        expect_equal(got$feature[got$selected], ranking$feature[kept])
        expect_equal(got$feature[!got$selected],
                     setdiff(ranking$feature, ranking$feature[kept]))
    }
})

test_that("copies: the better one is kept", {
    x <- random_matrix(12, 4, 3)
    x <- cbind(x, copy = x[, 2])
    got <- diversify_ranking(a_ranking(x), x, max_cor = 0.99, method = "prune")
    expect_false(got$selected[got$feature == "copy"])
    expect_true(got$selected[got$feature == "g2"])
})

test_that("the data may be of any kind and order", {
    x <- correlated()
    ranking <- a_ranking(x)
    for (method in c("correlation", "prune")) {
        run <- function(ranking, x) {
            diversify_ranking(ranking, x, method = method)
        }
        want <- run(ranking, x)
        expect_equal(run(ranking, as.data.frame(x)), want)
        expect_equal(run(ranking, x[, 25:1]), want)
        expect_equal(run(ranking, Matrix::Matrix(x, sparse = TRUE)), want)
    }
    part <- ranking[3:10, ]
    expect_equal(nrow(diversify_ranking(part, x, method = "prune")), 8)
    missing <- x
    missing[1, 1] <- NA
    expect_refused("input", diversify_ranking(ranking, missing),
                   diversify_ranking(ranking, missing, method = "prune"))
    expect_equal(nrow(diversify_ranking(ranking, missing,
                                        na.action = "mean")), 25)
})

test_that("the header shows the settings", {
    x <- correlated()
    ranking <- a_ranking(x)
    expect_snapshot({
        print(diversify_ranking(ranking, x, top = 5), n = 2)
        print(diversify_ranking(ranking, x, method = "prune"), n = 2)
    })
    expect_true(is.na(summary(diversify_ranking(ranking, x))$elbow))
})

test_that("arguments are checked", {
    x <- correlated()
    ranking <- a_ranking(x)
    expect_refused("argument", diversify_ranking(x, x),
                   diversify_ranking(ranking, x[, -(1:3)]),
                   diversify_ranking(ranking, x, top = 0),
                   diversify_ranking(ranking, x, max_cor = 1.5, method = "prune"),
                   diversify_ranking(ranking, x, max_cor = 0.5),
                   diversify_ranking(ranking, x, n = 3),
                   diversify_ranking(ranking, x, top = 3, method = "prune"))
})

test_that("pruning stops at `n`, with the first ones kept", {
    x <- random_matrix(15, 60, 5)
    x[, seq(2, 60, 2)] <- x[, seq(1, 59, 2)] + 0.01 * x[, seq(2, 60, 2)]
    ranking <- variance_score(x)
    all <- diversify_ranking(ranking, x, max_cor = 0.5, method = "prune")
    kept <- all$feature[all$selected]
    for (n in c(1, 2, 5, length(kept), 60)) {
        part <- diversify_ranking(ranking, x, max_cor = 0.5, n = n, method = "prune")
        expect_identical(part$feature[part$selected], head(kept, n))
        expect_identical(sort(part$feature), sort(ranking$feature))
    }
    expect_error(diversify_ranking(ranking, x, n = 0, method = "prune"),
                 class = "linkrank_error_argument")
})

# The scores of a forward selection fall along its curve, so that the last
# feature to enter would be the most relevant one.
test_that("relevance of a forward selection follows the order of entry", {
    x <- random_matrix(30, 5)
    y <- rep(c("a", "b", "c"), 10)
    x[, 4] <- x[, 4] + 3 * (y == "b")
    ranking <- select_subset(x, y = y)
    got <- diversify_ranking(ranking, x)
    expect_identical(got$feature[1L], ranking$feature[1L])
    expect_equal(got$relevance[match(ranking$feature, got$feature)],
                 c(1, 0.75, 0.5, 0.25, 1e-4))
    some <- diversify_ranking(select_subset(x, y = y, n = 2), x)
    expect_equal(sort(some$relevance), c(1e-4, 1e-4, 1e-4, 1e-4, 1))
})
