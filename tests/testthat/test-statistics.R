# The levels of printed numbers, on data with nothing to be found. The table
# inst/benchmarks/levels.csv has more data sets: calibration.R.

test_that("errors of repeated splits hold the true accuracy", {
    set.seed(1)
    # what a split says is the mean of the half that it tests
    covered <- replicate(400, {
        half <- replicate(20, seq_len(60) %in% sample.int(60, 30))
        right <- rnorm(60)
        means <- colSums(half * right) / 30
        error <- corrected_error(matrix(means), 1:20, 1)
        abs(mean(means)) <= 1.96 * error
    })
    expect_gt(mean(covered), 0.9)
})

test_that("the interval of kappa holds where pairs share samples", {
    set.seed(1)
    # two raters misjudge 10 % of the samples of two kinds: kappa 0.41
    covered <- replicate(200, {
        kind <- rep(1:2, length.out = 15)
        said <- replicate(2, ifelse(runif(15) < 0.1, 3 - kind, kind))
        ends <- t(combn(15, 2)[, sample.int(105, 40)])
        type <- apply(said, 2L, function(own) {
            ifelse(own[ends[, 1L]] == own[ends[, 2L]], "must-link",
                   "cannot-link")
        })
        interval <- kappa_interval(kappa_of(type), type, ends)
        interval[1L] <= 0.41 && 0.41 <= interval[2L]
    })
    expect_gte(mean(covered, na.rm = TRUE), 0.9)
})

test_that("relabelling after questions holds where there is nothing", {
    found <- vapply(1:40, function(seed) {
        set.seed(seed)
        kind <- sample(rep(1:2, 20))
        x <- outer(rnorm(40), rnorm(30)) + matrix(rnorm(1200), 40)
        links <- suppressMessages(active_constraints(x, kind, n = 20,
                                                     ask = "sort"))
        ranking <- suppressMessages(suppressWarnings(
            relieff_sc(x, links, permutations = 39)
        ))
        c(mean(ranking$p_value <= 0.05), any(ranking$family_p_value <= 0.05))
    }, numeric(2))
    expect_lt(mean(found[1L, ]), 0.1)
    expect_lt(mean(found[2L, ]), 0.16)
})

test_that("stability beyond that of relabelled pairs is 0 without an effect", {
    found <- vapply(1:12, function(seed) {
        set.seed(seed)
        x <- matrix(rnorm(40 * 60), 40)
        links <- constraints_from_labels(sample(rep(1:2, 20)), cannot_link = 15, must_link = 15)
        found <- ranking_stability(x, links, method = "relieff_sc", n = 10,
                                   replicates = 6)
        halves <- ranking_stability(x, links, method = "relieff_sc", n = 10,
                                    replicates = 6, halves = TRUE)
        c(found$corrected - found$chance, halves$corrected, found$corrected)
    }, numeric(3))
    error <- apply(found, 1, sd) / sqrt(12)
    expect_lt(abs(mean(found[1, ])), 3 * error[1])
    expect_lt(abs(mean(found[2, ])), 3 * error[2])
    # of subsets alone it looks like an effect
    expect_gt(mean(found[3, ]), 0.1)
})
