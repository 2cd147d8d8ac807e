test_that("agreement, region and scores are those of the full matrices", {
    set.seed(1)
    votes <- matrix(sample(3, 60, TRUE), 15)
    s <- reference_agreement(votes)
    at <- t(utils::combn(15, 2))
    expect_equal(vote_agreement(votes, at[, 1], at[, 2]), s[at])
    # bins [0, 0.05), ..., [0.95, 1]
    bins <- cut(s[upper.tri(s)], seq(0, 1, by = 0.05), right = FALSE,
                include.lowest = TRUE)
    expect_equal(vote_histogram(votes, 20), as.vector(table(bins)))

    x <- matrix(rnorm(15 * 4), 15)
    links <- pairwise_constraints(cannot_link = rbind(c(1, 2), c(3, 4), c(5, 6)),
                                  must_link = rbind(c(7, 8), c(9, 10)), samples = 15)
    pairs <- as.data.frame(links)
    region <- uncertain_region(bin_counts(s[upper.tri(s)], 20))
    value <- s[cbind(pairs$i, pairs$j)]
    inside <- !anyNA(region) & value >= region[1] & value <= region[2]
    strength <- ifelse(inside, 0.3, 0.7)
    u <- euclidean_cells(scaled_data(prepare_data(x, scale = "range")))
    given <- pcfs_pairs(links)
    expect_equal(pair_scores(u, attr(u, "feature"), given,
                             s[cbind(given$first, given$second)], region, 0.3),
                 reference_pcfs_score(scaled_by_range(x), pairs, s, strength))
})

test_that("the region begins at the first valley", {
    # counts with a valley in bin 6 (of 20), worked by hand: the smoothed
    # counts of bins 3 to 18 are g_i times the mean of five
    counts <- c(9, 9, 9, 9, 5, 1, 5, 9, rep(9, 12))
    region <- uncertain_region(counts)
    expect_equal(unname(region), c(5.5 / 20, 19.5 / 20 - 5.5 / 20))
    expect_true(all(is.na(uncertain_region(20:1))))
    expect_equal(bin_counts(c(0, 0.05, 0.999, 1), 20),
                 c(1, 1, rep(0, 17), 2))
})

test_that("rounds end when the selection stays, and are all reported", {
    set.seed(1)
    truth <- rep(1:3, each = 20)
    x <- cbind(truth + rnorm(60, sd = 0.1), -truth + rnorm(60, sd = 0.1),
               matrix(rnorm(240), 60))
    links <- constraints_from_labels(truth, cannot_link = 10, must_link = 10)
    found <- pcfs(x, links, clusters = 3, n = 2)
    expect_identical(sort(found$feature[found$selected]), c("V1", "V2"))
    rounds <- summary(found)$rounds
    expect_identical(sort(rounds[[length(rounds)]]$selected), c("V1", "V2"))
    expect_identical(rounds[[length(rounds)]]$changed, 0L)
    expect_warning(few <- pcfs(x, links, clusters = 3, max_iter = 1),
                   class = "linkrank_warning_convergence")
    expect_length(summary(few)$rounds, 1)
    set.seed(5)
    a <- pcfs(x, links, clusters = 3)
    set.seed(5)
    expect_identical(pcfs(x, links, clusters = 3), a)
    expect_narrow(a)
    expect_identical(a$score, sort(a$score))
})

test_that("classifiers may be chosen, factors and labels are taken", {
    set.seed(1)
    y <- rep(1:2, 15)
    x <- data.frame(a = y + rnorm(30, sd = 0.1), b = rnorm(30),
                    c = factor(sample(letters[1:3], 30, TRUE)), d = 5)
    links <- constraints_from_labels(y)
    for (classifier in list("nearest", function(train, y, test) {
        rep(levels(y)[1], nrow(test))
    })) {
        found <- pcfs(x, links, clusters = 2, classifier = classifier)
        expect_identical(found$feature[1], "a")
        expect_identical(nrow(found), 4L)
    }
    # named in another order
    rownames(x) <- paste0("s", 1:30)
    found <- lapply(list(identity, rev), function(turn) {
        set.seed(2)
        pcfs(x, links, clusters = 2, classifier = function(train, y, test) {
            near <- test[, "a"] < mean(tapply(train[, "a"], y, mean))
            turn(stats::setNames(levels(y)[1 + near], rownames(test)))
        })
    })
    expect_identical(found[[1]]$score, found[[2]]$score)
    expect_refused("argument",
        pcfs(x, links, clusters = 2, classifier = function(train, y, test) {
            stats::setNames(rep("1", 30), c("other", rownames(test)[-1]))[30:1]
        }),
        pcfs(x, links, clusters = 2, classifier = function(train, y, test) 1),
        pcfs(x, links, clusters = 2, classifier = function(train, y, test) {
            rep(NA, nrow(test))
        }),
        pcfs(x, links, clusters = 2, classifier = "forest"),
        pcfs(x, links, clusters = 31),
        pcfs(x, links, clusters = 2, n = 5),
        pcfs(x, links, clusters = 2, beta = 2))
    expect_refused("constraints",
        pcfs(x, pairwise_constraints(samples = 30), clusters = 2),
        pcfs(x, pairwise_constraints(cannot_link = rbind(c(1, 2), c(2, 3), c(1, 3)),
                                     samples = 30), clusters = 2))
})

test_that("many samples have their pairs drawn", {
    set.seed(1)
    votes <- matrix(sample(2, 2100 * 3, TRUE), 2100)
    counts <- vote_histogram(votes, 20)
    expect_equal(sum(counts), 1e6)
    expect_equal(counts[1] / 1e6, 1 / 8, tolerance = 0.05)
})
