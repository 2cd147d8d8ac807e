test_that("every split ranks on its own training half", {
    set.seed(1)
    x <- random_matrix(40, 10)
    y <- rep(c("a", "b"), 20)
    seen <- new.env()
    seen$rows <- list()
    ranker <- function(x, y, constraints) {
        seen$rows <- c(seen$rows, list(rownames(x)))
        seen$links <- constraints
        relieff_sc(x, constraints)
    }
    set.seed(7)
    found <- evaluate_method(x, y, list(own = ranker, named = "relieff_sc"),
                             splits = 3, cannot_link = 4, must_link = 2)
    expect_identical(unique(found$split), 1:3)
    expect_length(seen$rows, 3)
    expect_true(all(lengths(seen$rows) == 20))
    expect_length(seen$links, 6)
    # the same pairs for both
    own <- found[found$ranking == "own", "accuracy"]
    expect_equal(own, found[found$ranking == "named", "accuracy"])
    set.seed(7)
    again <- evaluate_method(x, y, list(own = ranker, named = "relieff_sc"),
                             splits = 3, cannot_link = 4, must_link = 2)
    expect_identical(again, found)
})

test_that("methods are asked for by name, first halves once", {
    x <- random_matrix(24, 6)
    y <- factor(rep(1:3, 8))
    found <- evaluate_method(x, y, c("variance_score", "fisher_score"),
                             type = "first", n = c(1, 6))
    expect_identical(levels(found$ranking), c("Variance", "Fisher score"))
    half <- split_half(y, "first")
    want <- evaluate_ranking(fisher_score(x[half$train, ], y[half$train]),
                             x[half$train, ], y[half$train], x[half$test, ],
                             y[half$test], n = c(1, 6))
    expect_equal(found$accuracy[found$ranking == "Fisher score"],
                 want$accuracy)
})

test_that("errors are those of splits, not of draws, and allow for overlap", {
    # splits 1, 2, 3 with means 1, 2, 6: variance 7
    expect_equal(corrected_error(cbind(c(0, 2, 2, 2, 5, 7), 1:6),
                                 c(1, 1, 2, 2, 3, 3), 1 / 4),
                 c(sqrt(7), 2) * sqrt(1 / 3 + 1 / 4))
    x <- random_matrix(24, 6)
    y <- factor(rep(1:2, 12))
    folds <- evaluate_method(x, y, "fisher_score", folds = 4, n = 3)
    expect_equal(summary(folds)$se,
                 sd(folds$accuracy) * sqrt(1 / 4 + 1 / 3))
    drawn <- evaluate_method(x, y, "relieff_sc", splits = 3, draws = 4, n = 3)
    expect_equal(summary(drawn)$se,
                 sd(tapply(drawn$accuracy, drawn$split, mean)) *
                     sqrt(1 / 3 + 1))
    expect_equal(summary(drawn)$run_se, sd(drawn$accuracy) / sqrt(12))
    one <- evaluate_method(x, y, "relieff_sc", splits = 1, draws = 4, n = 3)
    expect_identical(summary(one)$se, NA_real_)
    # fewer than five splits, but more than one
    expect_output(print(summary(folds)), "an interval needs the factor of t")
    five <- evaluate_method(x, y, "fisher_score", folds = 6, n = 3)
    for (silent in list(summary(one), summary(five))) {
        expect_no_match(capture.output(print(silent)), "factor of t")
    }
    # and of each number of features, all at once
    numbers <- evaluate_method(x, y, c("variance_score", "relieff_sc"),
                               splits = 3, draws = 2, n = c(2, 5))
    each <- split(as.data.frame(numbers),
                  list(numbers$features, numbers$ranking), drop = TRUE)
    expect_identical(average_splits(numbers)$accuracy_se, unname(vapply(
        each, function(part) corrected_error(part$accuracy, part$split, 1), 0
    )))
})

test_that("it prints, is drawn and summarised", {
    x <- random_matrix(24, 6)
    y <- factor(rep(1:2, 12))
    set.seed(2)
    found <- evaluate_method(x, y, c("variance_score", "relieff_sc"),
                             splits = 4, cannot_link = 3)
    expect_narrow(found)
    expect_snapshot(found)
    facts <- summary(found)
    expect_named(facts, c("ranking", "mean", "sd", "se", "run_se",
                          "difference", "difference_se", "best", "features",
                          "features_1se", "rank_sum"))
    means <- tapply(found$accuracy, list(found$split, found$ranking), mean)
    means <- means[, as.character(facts$ranking)]
    expect_false(is.unsorted(-facts$mean))
    expect_equal(facts$mean, unname(colMeans(means)))
    # 12 samples of 24 are tested: sqrt(1 / 4 + 12 / 12)
    wider <- sqrt(1 / 4 + 1)
    expect_equal(facts$se, unname(apply(means, 2, sd)) * wider)
    expect_equal(facts$run_se, unname(apply(means, 2, sd)) / 2)
    expect_equal(facts$rank_sum, unname(rank_sum(means)))
    apart <- means[, 2] - means[, 1]
    expect_equal(facts$difference, c(0, mean(apart)))
    expect_equal(facts$difference_se, c(0, sd(apart) * wider))
    other <- summary(found, reference = as.character(facts$ranking[2]))
    expect_equal(other$difference, c(-mean(apart), 0))
    # by hand: the least n within one standard error of the best mean
    own <- found[found$ranking == facts$ranking[1], ]
    curve <- tapply(own$accuracy, own$features, mean)
    error <- tapply(own$accuracy, own$features, sd) * wider
    near <- which(curve >= max(curve) - error[which.max(curve)])
    expect_identical(facts$features_1se[1], min(own$features[near]))
    grDevices::pdf(NULL)
    expect_identical(plot(found), found)
    grDevices::dev.off()
    for (call in list(print, summary, plot))
        expect_error(call(found[0, ]), "it has no row", class = "linkrank_error")
})

test_that("rankers that cannot be used are refused", {
    x <- random_matrix(24, 6)
    y <- factor(rep(1:2, 12))
    expect_refused("argument",
        evaluate_method(x, y, "forest"),
        evaluate_method(x, y, list("relieff_sc", "relief_sc")),
        evaluate_method(x, y, list(a = function(x) 1)),
        evaluate_method(x, y, list(a = function(x) stop("No luck."))),
        evaluate_method(x, replace(y, 3, NA), "relieff_sc"),
        evaluate_method(x, y[1:5], "relieff_sc"),
        evaluate_method(x, y, "relieff_sc", splits = 0))
})

test_that("a ranker may return scores by name", {
    x <- random_matrix(24, 6)
    y <- factor(rep(1:2, 12))
    run <- function(ranker) {
        set.seed(1)
        evaluate_method(x, y, list(own = ranker), splits = 2)
    }
    spread <- function(x) apply(x, 2, var)
    expect_identical(run(spread),
                     run(function(x) as_feature_ranking(spread(x))))
    # without a list around it, the same but for its name
    set.seed(1)
    alone <- evaluate_method(x, y, spread, splits = 2)
    expect_equal(alone$accuracy, run(spread)$accuracy)
})

# A ranker that keeps what it has seen, and ranks by variance.
watching <- function(seen) {
    function(x, y, constraints) {
        seen$x <- c(seen$x, list(x))
        seen$y <- c(seen$y, list(y))
        seen$links <- c(seen$links, list(constraints))
        variance_score(x)
    }
}

test_that("a fixed split takes many draws of constraints", {
    x <- random_matrix(24, 6)
    y <- factor(rep(1:2, 12))
    seen <- new.env()
    set.seed(3)
    found <- evaluate_method(x, y, list(own = watching(seen)), type = "first",
                             draws = 4, cannot_link = 3, n = 1:2)
    expect_identical(unique(found$draw), 1:4)
    expect_identical(unique(found$split), 1L)
    expect_identical(rownames(seen$x[[1]]), rownames(seen$x[[4]]))
    expect_false(identical(seen$links[[1]], seen$links[[2]]))
    expect_narrow(found)
    expect_refused("argument",
        evaluate_method(x, y, "relieff_sc", type = "first", splits = 100))
})

test_that("proportions, folds and given splits", {
    y <- factor(rep(c("a", "b", "c"), c(9, 6, 5)))
    third <- split_half(y, share = 2 / 3)
    expect_refused("argument",
                   plan_splits(2, "random", NULL, NULL, y))
    expect_identical(c(table(y[third$train])), c(a = 6L, b = 4L, c = 4L))
    plan <- plan_splits(NULL, "random", 1 / 2, 4, y)
    expect_length(plan, 4)
    tests <- lapply(plan, `[[`, "test")
    expect_identical(sort(unlist(tests)), 1:20)
    expect_lte(diff(range(lengths(tests))), 1)
    # each class is dealt out evenly
    counts <- vapply(tests, function(test) c(table(y[test])), integer(3))
    expect_true(all(apply(counts, 1, function(n) diff(range(n))) <= 1))
    expect_length(plan_splits(2, "random", 1 / 2, 5, y), 10)
    expect_identical(plan_splits(NULL, "first", 1 / 2, Inf, y)[[20]]$test, 20L)
    own <- plan_splits(list(1:10, list(train = 11:20, test = c(3, 1))),
                       "random", 1 / 2, NULL, y)
    expect_identical(own[[1]]$test, 11:20)
    expect_identical(own[[2]]$test, c(1L, 3L))
    rset <- data.frame(id = c("f1", "f2"))
    rset$splits <- list(list(in_id = 1:15, out_id = NA),
                        list(in_id = c(2L, 2L, 5L), out_id = c(7L, 9L)))
    class(rset) <- c("rset", "data.frame")
    rset <- plan_splits(rset, "random", 1 / 2, NULL, y)
    expect_identical(rset[[1]]$test, 16:20)
    expect_identical(rset[[2]][c("train", "test")],
                     list(train = c(2L, 5L), test = c(7L, 9L)))
    expect_refused("argument",
        plan_splits(list(), "random", 1 / 2, NULL, y),
        plan_splits(few_links(20), "random", 1 / 2, NULL, y),
        plan_splits(list(1:20), "random", 1 / 2, NULL, y),
        plan_splits(list(c(1, 1)), "random", 1 / 2, NULL, y),
        plan_splits(list(list(train = 1:5, test = 5:9)), "random", 1, NULL, y),
        plan_splits(list(1:5), "random", 1 / 2, 3, y),
        plan_splits(NULL, "random", 1 / 2, 21, y),
        plan_splits(NULL, "random", 1, NULL, y))
})

test_that("what is tested does not change what is selected", {
    x <- random_matrix(30, 8)
    y <- factor(rep(1:3, 10))
    split <- split_half(y, "first")
    turned <- y
    turned[split$test] <- rev(y[split$test])
    selected <- function(y, constraints) {
        seen <- new.env()
        ranker <- function(x, y, constraints) {
            ranking <- relieff_sc(x, constraints)
            seen$names <- c(seen$names, top_features(ranking, 8))
            ranking
        }
        set.seed(9)
        evaluate_method(x, y, list(own = ranker), splits = list(split),
                        draws = 3, constraints = constraints, n = 2)
        seen$names
    }
    drawn <- function(y, rows) constraints_from_labels(y, cannot_link = 4, must_link = 0)
    expect_every(3, function(i) {
        constraints <- list("labels", "active", drawn)[[i]]
        identical(selected(y, constraints), selected(turned, constraints))
    })
})

test_that("given pairs follow the training samples, the others are counted", {
    x <- random_matrix(20, 5)
    y <- factor(rep(1:2, 10))
    links <- pairwise_constraints(cannot_link = rbind(c(1, 2), c(3, 14), c(5, 8), c(11, 12)),
                                  must_link = cbind(1, 3), samples = rownames(x))
    seen <- new.env()
    found <- evaluate_method(x, y, list(own = watching(seen)),
                             splits = list(1:10, 11:20), constraints = links)
    # 3-14 crosses the first split, 11-12 is for testing; 3's group is {1, 3}
    expect_identical(attr(found, "dropped"), c(2, 4))
    expect_identical(seen$links[[1]], constraints_of(links, 1:10))
    expect_identical(length(seen$links[[2]]), 1L)
    expect_match(expect_narrow(found), "3 dropped on average", all = FALSE)
    # reordered data: the same pairs
    order <- c(20:1)
    seen$links <- NULL
    again <- evaluate_method(x[order, ], y[order], list(own = watching(seen)),
                             splits = list(11:20, 1:10), constraints = links)
    expect_identical(again$accuracy, found$accuracy)
    by_row <- function(y, rows) constraints_of(links, rows)
    other <- evaluate_method(x, y, list(own = watching(new.env())),
                             splits = list(1:10, 11:20), constraints = by_row)
    expect_identical(other$accuracy, found$accuracy)
    expect_refused("constraints",
        evaluate_method(x, y, "relieff_sc", constraints = function(y, rows)
            few_links(7)))
    expect_refused("argument",
        evaluate_method(x, y, "relieff_sc", constraints = "pairs"))
})

test_that("the order of the rows changes no evaluation", {
    x <- random_matrix(30, 6)
    y <- factor(rep(c("a", "b"), 15))
    links <- constraints_from_labels(stats::setNames(y, rownames(x)), cannot_link = 8, must_link = 4)
    half <- rownames(x)[c(1:8, 16:23)]
    order <- sample(30)
    judged <- function(order) {
        as.data.frame(evaluate_method(
            x[order, ], y[order], c("relieff_sc", "fisher_score"),
            splits = list(which(rownames(x)[order] %in% half)),
            constraints = links, k = 3
        ))
    }
    expect_equal(judged(order), judged(1:30))
})

test_that("options reach the rankers, all or by name", {
    x <- random_matrix(24, 6)
    x[3, 2] <- NA
    y <- factor(rep(1:2, 12))
    run <- function(...) {
        set.seed(5)
        evaluate_method(x, y, c(A = "relieff_sc", B = "fisher_score"),
                        splits = 2, na.action = "mean", n = 1:6, ...)
    }
    plain <- run()
    expect_identical(run(options = list(k = 3))$accuracy, plain$accuracy)
    for_one <- run(options = list(A = list(k = 1, direction = "first")))
    for_all <- run(options = list(k = 1, direction = "first"))
    expect_identical(for_one, for_all)
    expect_false(identical(for_one$accuracy, plain$accuracy))
    expect_refused("argument",
        run(options = list(K = 1)),
        run(options = list(A = list(K = 1))),
        run(options = list(1)))
})

test_that("numbers are evaluated by their error", {
    x <- random_matrix(24, 4)
    y <- x[, 2] + rnorm(24) / 10
    set.seed(5)
    found <- evaluate_method(x, y, c("rrelieff", "variance_score"), splits = 3,
                             n = c(1, 4), k = 2)
    expect_named(found, c("split", "draw", "ranking", "features", "rmse"))
    facts <- summary(found)
    expect_false(is.unsorted(facts$mean))
    expect_narrow(found)
    grDevices::pdf(NULL)
    expect_identical(plot(found), found)
    grDevices::dev.off()
})

test_that("workers change no bit", {
    skip_if_not_installed("BiocParallel")
    x <- random_matrix(24, 5)
    y <- factor(rep(1:2, 12))
    run <- function(...) {
        set.seed(8)
        evaluate_method(x, y, c("relieff_sc", "simba_sc"), splits = 3,
                        draws = 2, n = 1:3, ...)
    }
    plain <- run()
    for (workers in list(BiocParallel::SerialParam(),
                         BiocParallel::MulticoreParam(2),
                         BiocParallel::MulticoreParam(2, RNGseed = 3))) {
        expect_identical(run(BPPARAM = workers), plain)
    }
    # two other R processes, which take seconds to start
    workers <- tryCatch(BiocParallel::bpstart(BiocParallel::SnowParam(2)),
                        error = identity)
    on.exit(BiocParallel::bpstop(workers), add = TRUE)
    on_sockets <- tryCatch(run(BPPARAM = workers), error = identity)
    if (inherits(on_sockets, "error")) {
        fail(paste0("Socket workers are other R processes, which load linkrank ",
                    "from R_LIBS: is it installed there? ",
                    conditionMessage(on_sockets)))
    }
    expect_identical(on_sockets, plain)
    # a function of the user's finds this package there
    if (!is_attached()) {
        attachNamespace("linkrank")
        on.exit(detach("package:linkrank"), add = TRUE)
    }
    mine <- function(x, y, ...) variance_score(x)
    environment(mine) <- globalenv()
    own <- function(...) {
        set.seed(1)
        evaluate_method(x, y, list(m = mine), splits = 2, ...)
    }
    expect_identical(own(BPPARAM = workers), own())
    # but not where it is not attached
    outcome <- run_task(list(task = 1), function(task, shared) is_attached(),
                        NULL)
    expect_identical(outcome$value, is_attached())
})

test_that("fifteen methods are printed and drawn", {
    x <- random_matrix(24, 6)
    y <- factor(rep(1:2, 12))
    many <- stats::setNames(rep(list("variance_score"), 15),
                            paste("method", 1:15))
    found <- evaluate_method(x, y, many, splits = 2)
    grDevices::pdf(NULL)
    expect_identical(plot(found), found)
    grDevices::dev.off()
    expect_narrow(found)
})

test_that("one sample in a container is evaluated like one in a matrix", {
    skip_if_not_installed("SummarizedExperiment")
    set.seed(3)
    x <- matrix(rnorm(60), 12, dimnames = list(NULL, letters[1:5]))
    y <- factor(rep(c("a", "b"), 6))
    one_out <- function(x) {
        set.seed(4)
        found <- evaluate_method(x, y, list(one = "variance_score"),
                                 folds = 12, n = 2, scale = "range",
                                 options = list(scale = "range"))
        as.data.frame(found)
    }
    inside <- SummarizedExperiment::SummarizedExperiment(list(a = t(x)))
    expect_identical(one_out(inside), one_out(x))
    expect_identical(one_out(DelayedArray::DelayedArray(x)), one_out(x))
})

test_that("a single unit and a ranker without data are refused", {
    x <- random_matrix(12, 3)
    y <- rep(1:2, 6)
    for (folds in list(NULL, 2)) {
        expect_error(evaluate_method(x, y, "relieff", unit = rep(1, 12),
                                     folds = folds),
                     "`unit` must have at least 2 different values",
                     class = "linkrank_error")
    }
    # classes of one sample cannot be halved
    expect_error(evaluate_method(x, factor(1:12), "relieff"), fixed = TRUE,
                 "0.5 of each class, rounded up, does not (samples: 12, classes: 12)")
    dots <- function(...) relieff(...)
    expect_error(evaluate_method(x, y, list(own = dots)),
                 "a function with an argument `x`", class = "linkrank_error")
    expect_error(rank_features(x, y = y, method = dots),
                 "a function with an argument `x`", class = "linkrank_error")
})
