test_that("stir() is the t-test on its pairs", {
    x <- random_matrix(24, 3)
    for (y in list(factor(rep(1:2, 12)), three_classes(24))) {
        for (k in list(1, 4, "multisurf")) {
            got <- stir(x, y, k = k)
            pairs <- reference_stir_pairs(x, y, k)
            for (f in colnames(x)) {
                d <- pairs$differences[[f]]
                test <- stats::t.test(d[pairs$miss], d[pairs$hit],
                                      alternative = "greater",
                                      var.equal = TRUE)
                row <- got[got$feature == f, ]
                expect_equal(row$statistic, test$statistic[["t"]])
                expect_equal(row$p_value, test$p.value)
                expect_equal(row$df, test$parameter[["df"]])
            }
            expect_equal(got$fdr, stats::p.adjust(got$p_value, "BH"))
        }
    }
})

test_that("stir() keeps its limits: constants, perfect features, gaps", {
    x <- mixed_data()
    y <- three_classes(30)
    x$perfect <- y == "p"
    two <- factor(y == "p")
    expect_warning(got <- stir(x, two, k = 2), "\"perfect\"",
                   class = "linkrank_warning_outcome")
    expect_equal(in_order(got, "statistic"),
                 stats::setNames(reference_stir(x, two, 2)$statistic,
                                 names(x)))
    expect_identical(in_order(got, "statistic")[["perfect"]], Inf)
    # without a variance there is no test, but of permuted classes
    expect_identical(in_order(got, "p_value")[["perfect"]], NA_real_)
    set.seed(3)
    permuted <- suppressWarnings(stir(x, two, k = 2, permutations = 19))
    expect_identical(in_order(permuted, "p_value")[["perfect"]], 0.05)
    # nothing but p_value and fdr changes; that of the t stays beside them
    t_columns <- c("statistic", "margin", "df", "feature")
    expect_identical(as.list(permuted)[t_columns], as.list(got)[t_columns])
    expect_identical(permuted$t_p_value, got$p_value)
    expect_null(got$t_p_value)
    set.seed(3)
    expect_identical(permuted[["fdr"]], suppressWarnings(stir(
        x, two, k = 2, permutations = 19, adjust = "none"))[["fdr"]])
    expect_identical(in_order(got, "statistic")[["f"]], NA_real_)
    expect_identical(got$feature[nrow(got)], "f")
    margins <- suppressWarnings(stir(x, two, k = 2, rank_by = "margin",
                                     adjust = "none"))
    expect_false(is.unsorted(-margins$margin))
    expect_identical(margins$fdr, margins$p_value)
})

test_that("with labels that mean nothing, one neighbour keeps its level", {
    share <- function(k) {
        set.seed(2)
        mean(replicate(20, {
            x <- matrix(rnorm(60 * 100), 60)
            mean(stir(x, sample(rep(1:2, 30)), k = k)$p_value < 0.05)
        }))
    }
    one <- share(1)
    expect_gt(one, 0.03)
    expect_lt(one, 0.06)
    expect_gt(share(10), one)
})

test_that("a single feature has numbers without names", {
    x <- random_matrix(20, 1)
    ranking <- stir(x, rep(1:2, 10), k = 1)
    expect_named(ranking$score, NULL)
    expect_identical(unname(feature_scores(ranking)), ranking$score)
})

test_that("classes that the data made are not tested", {
    x <- random_matrix(20, 6)
    y <- derived_labels(rep(1:2, 10))
    got <- stir(x, y, permutations = 19)
    expect_true(all(is.na(got$p_value)))
    expect_true(all(is.na(got$fdr)))
    expect_output(print(got), "these data made the classes")
    plain <- stir(x, rep(1:2, 10))
    expect_identical(got$statistic, plain$statistic)
    expect_false(anyNA(plain$p_value))
})
