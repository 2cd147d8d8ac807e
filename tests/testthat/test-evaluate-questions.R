# evaluate_questions(): sessions, judgements, curves.

kinds <- function(n = 36, p = 8, seed = 1) {
    set.seed(seed)
    y <- factor(rep(c("a", "b", "c"), length.out = n))
    x <- random_matrix(n, p)
    x[, 1] <- x[, 1] + 4 * as.integer(y)
    x[, 2] <- x[, 2] - 4 * as.integer(y)
    list(x = x, y = y)
}

evaluated <- function(d, ..., seed = 5) {
    set.seed(seed)
    evaluate_questions(d$x, d$y, ..., ask = "sort", n = c(1, 3),
                       progress = FALSE)
}

test_that("rows are those of sessions by hand", {
    d <- kinds()
    found <- evaluated(d, c(sorted = "groups", "perturbation"), c("glean", "relieff_sc"),
                       questions = c(0, 4, 8), splits = 2)
    expect_s3_class(found, c("question_evaluation", "data.frame"), exact = TRUE)
    expect_identical(nrow(found), 2L * 2L * 2L * 3L)
    set.seed(5)
    plan <- plan_splits(2, "random", 1 / 2, NULL, d$y)
    for (row in which(found$questions > 0)) {
        own <- found[row, ]
        split <- plan[[own$split]]
        x <- d$x[split$train, ]
        y <- d$y[split$train]
        links <- suppressWarnings(suppressMessages(
            if (own$strategy == "sorted")
                active_constraints(x, y, own$questions) else
                    active_constraints(x, y, Inf, strategy = "perturbation",
                                       max_questions = own$questions)))
        ranking <- suppressMessages(
            rank_features(x, links, method = as.character(own$method)))
        want <- evaluate_ranking(ranking, x, y, d$x[split$test, ],
                                 d$y[split$test], n = c(1, 3))
        expect_equal(own$accuracy, mean(want$accuracy))
        if (own$method == "glean") {
            cluster <- glean_labels(ranking)$cluster
            rest <- setdiff(1:18, c(links$questions$i, links$questions$j))
            indices <- group_indices(cluster[rest], y[rest])
            expect_equal(unlist(own[names(indices)]), indices)
            expect_equal(own$ari_all, group_indices(cluster, y)[["ari"]])
        } else {
            expect_true(is.na(own$ari))
        }
    }
    none <- found[found$questions == 0, ]
    expect_true(all(none$ari[none$method == "glean"] == 0))
    expect_true(all(is.na(none$accuracy[none$method == "relieff_sc"])))
})

test_that("clusters, functions and a strategy's own groups are judged", {
    d <- kinds()
    # each sample beside the first one of every group so far
    place <- function(state) {
        first <- state$memory$first
        groups <- state$memory$groups
        if (is.null(first)) {
            first <- 1L
            groups <- replace(rep(NA, state$samples), 1L, 1L)
        }
        for (i in which(is.na(groups))) {
            relation <- state$relation(rep(i, length(first)), first)
            home <- which(relation %in% "must-link")
            open <- which(is.na(relation))
            if (!length(home) && length(open)) {
                return(list(pair = c(i, first[open[1]]), memory = list(
                    first = first, groups = groups)))
            }
            if (!length(home)) first <- c(first, i)
            groups[i] <- c(home, length(first))[1L]
        }
        list(pair = NULL, memory = list(first = first, groups = groups))
    }
    asked <- suppressWarnings(active_constraints(d$x, d$y, 200, strategy = place))
    expect_equal(group_indices(asked$memory$groups, d$y)[["ari"]], 1)
    found <- suppressMessages(evaluated(d, list(place = place), list(
        "pck_means", "spectral_clustering",
        one = function(x) factor(rep(1, nrow(x))),
        scores = function(x, constraints) apply(x, 2, var),
        few = function(x, constraints) list(cluster = stats::kmeans(x, 2)$cluster)
    ), questions = c(3, 60), splits = 2))
    at <- function(method, what, count = 60) {
        found[found$method == method & found$questions == count, what]
    }
    expect_identical(at("one", "ari_all"), c(0, 0))
    expect_identical(at("one", "groups", 3), c(1, 1))
    expect_identical(at("few", "groups", 3), c(2, 2))
    expect_true(all(at("scores", "accuracy") > 0.5))
    expect_equal(at("own groups", "ari_all"), c(1, 1))
    expect_true(all(at("own groups", "ari_all", 3) < 1))
    expect_true(all(at("pck_means", "ari_all") == 1))
    # all were asked about
    expect_true(all(is.na(at("pck_means", "ari"))))
    expect_true(all(is.na(at("pck_means", "accuracy"))))
    expect_setequal(levels(found$method), c(
        "pck_means", "spectral_clustering", "one", "scores", "few",
        "own groups"))
    # functions without a list around them
    sole <- suppressMessages(evaluated(d, place, function(x) {
        factor(rep(1, nrow(x)))
    }, questions = 3, splits = 2))
    expect_identical(sole$ari_all[sole$method == "own"], c(0, 0))
    expect_setequal(sole$strategy, "own")
})

test_that("groups that name the samples are matched by name", {
    d <- kinds()
    rownames(d$x) <- paste0("s", seq_along(d$y))
    by <- stats::setNames(d$y, rownames(d$x))
    right <- function(x) factor(by[rownames(x)])
    found <- evaluated(d, "random", list(
        right = function(x) unname(right(x)),
        turned = function(x) rev(right(x)),
        listed = function(x) list(cluster = rev(right(x)))
    ), questions = 3, splits = 2)
    expect_identical(found$ari_all, rep(1, 6))
    expect_error(evaluated(d, "random", function(x) {
        stats::setNames(right(x), c("other", rownames(x)[-nrow(x)]))
    }, questions = 3, splits = 2), "`methods` must return values named",
    class = "linkrank_error_argument")
})

test_that("the published strategies of the examples find the groups", {
    skip_if_not_installed("cluster")
    published <- new.env()
    sys.source(package_sources("inst/examples/active.R"), published,
               keep.source = TRUE)
    d <- kinds(30)
    found <- suppressMessages(evaluated(d, list(
        explore = published$explore_consolidate(3), npu = published$npu,
        cobras = published$cobras), questions = c(4, 200), splits = 2))
    own <- found[found$method == "own groups", ]
    expect_setequal(own$strategy, "cobras")
    expect_equal(own$ari_all[own$questions == 200], c(1, 1))
    all <- found[found$method == "glean" & found$questions == 200, ]
    expect_equal(all$ari_all, rep(1, 6))
    longest <- vapply(as.list(published), function(one) {
        length(deparse(one, control = "useSource"))
    }, 0)
    expect_lte(max(longest), 25)
})

test_that("wrong answers cost, several raters help", {
    d <- kinds(60)
    area <- function(...) {
        found <- evaluated(d, "groups", questions = c(10, 25), splits = 3, ...)
        summary(found, "ari_all")$area
    }
    expect_gt(area(), area(noise = 0.4))
    expect_gt(area(noise = 0.2, raters = 7), area(noise = 0.2))
})

test_that("in noise the samples that were not asked about have an index of 0", {
    set.seed(6)
    found <- do.call(rbind, lapply(1:4, function(draw) {
        as.data.frame(suppressMessages(evaluate_questions(
            matrix(rnorm(60 * 20), 60), sample(rep(1:2, 30)), "groups", ask = "sort",
            questions = 20, splits = 2, progress = FALSE)))
    }))
    expect_lt(abs(mean(found$ari)), 0.12)
    expect_gt(mean(found$ari_all), 0.25)
})

test_that("each of several raters has an own session", {
    set.seed(7)
    x <- random_matrix(20, 6)
    y <- rep(1:2, 10)
    answers <- simulate_answers(x, y, list(strategy = "groups", ask = "sort"),
                                12, 0.3, 3)
    given <- answers(12)
    expect_s3_class(given$constraints, "pairwise_constraints")
    # the first questions of the same sessions
    early <- answers(4)
    expect_true(all(early$asked %in% given$asked))
    expect_length(answers(0)$constraints, 0)
    alone <- simulate_answers(x, y, list(strategy = "random", ask = "pairs"),
                              6, 0, 1)(6)
    expect_length(alone$constraints, 6)
})

test_that("areas and errors are those of the equations", {
    d <- kinds()
    set.seed(5)
    both <- evaluate_questions(d$x, d$y, c("groups", "random"), questions = 2,
                               splits = 2, n = 1, progress = FALSE)
    expect_identical(levels(both$strategy),
                     c("groups, sort", "groups, pairs", "random"))
    found <- evaluated(d, c(sorted = "groups", "random"), c("glean", "relieff_sc"),
                       questions = c(0, 2, 8), splits = 3)
    facts <- summary(found, "ari")
    expect_identical(facts$curve[order(-facts$area)], facts$curve)
    values <- lapply(c("sorted", "random"), function(strategy) {
        vapply(1:3, function(split) {
            v <- found$ari[found$split == split & found$method == "glean" &
                               found$strategy == strategy]
            (2 * (v[1] + v[2]) / 2 + 6 * (v[2] + v[3]) / 2) / 8
        }, 0)
    })
    names(values) <- c("sorted", "random")
    expect_equal(facts$area, unname(vapply(values[facts$curve], mean, 0)))
    factor <- sqrt(1 / 3 + attr(found, "ratio"))
    expect_equal(facts$se, unname(vapply(values[facts$curve], sd, 0)) * factor)
    gap <- values[[facts$curve[2]]] - values[[facts$curve[1]]]
    expect_equal(facts$difference, c(0, mean(gap)))
    expect_equal(facts$difference_se, c(0, sd(gap) * factor))
    # relieff_sc() begins after 0 questions, so all accuracies do
    all <- summary(found)
    expect_identical(nrow(all), 4L)
    own <- found[found$strategy == "sorted" & found$method == "glean", ]
    means <- tapply(own$accuracy, own$questions, mean)
    expect_equal(all$area[all$curve == "sorted, glean"],
                 mean(means[c("2", "8")]))
    expect_identical(summary(found, reference = "random, glean")$difference[
        all$curve == "random, glean"], 0)
    # one curve, of several splits
    alone <- own[own$split < 3, ]
    expect_equal(summary(alone, "ari")$area, mean(values$sorted[1:2]))
    expect_identical(summary(alone[alone$questions == 2, ], "ari")$area,
                     mean(alone$ari[alone$questions == 2]))
})

test_that("it prints, draws, runs on workers and refuses", {
    d <- kinds()
    found <- evaluated(d, c(sorted = "groups", "random"), questions = c(0, 3, 6, 9),
                       splits = 2)
    expect_narrow(found)
    expect_snapshot(found)
    expect_output(print(found[1:3]), "split strategy method")
    grDevices::pdf(NULL)
    expect_identical(plot(found, measure = "ari"), found)
    grDevices::dev.off()
    skip_if_not_installed("ggplot2")
    drawn <- ggplot2::autoplot(found, measure = "nmi")
    expect_identical(drawn$labels$x, "Questions")
    expect_identical(drawn$labels$y, "Normalised mutual information")
    skip_if_not_installed("BiocParallel")
    again <- evaluated(d, c(sorted = "groups", "random"), questions = c(0, 3, 6, 9),
                       splits = 2,
                       BPPARAM = BiocParallel::SerialParam())
    expect_identical(again, found)
    expect_refused("argument",
        evaluate_questions(d$x, d$y, strategies = quote(groups)),
        evaluate_questions(d$x, d$y, "nearest"),
        evaluate_questions(d$x, d$y, list("groups", groups = "random")),
        evaluate_questions(d$x, d$y, "sorted"),
        evaluate_questions(d$x, d$y, ask = "groups"),
        evaluate_questions(d$x, d$y, ask = character()),
        evaluate_questions(d$x, d$y, 3),
        evaluate_questions(d$x, d$y, methods = "kmeans"),
        evaluate_questions(d$x, d$y, methods = "relieff"),
        evaluate_questions(d$x, d$y, questions = 2, methods = function(x) {
            list(cluster = 1:3)
        }),
        evaluate_questions(d$x, d$y, questions = -1),
        evaluate_questions(d$x, d$y, noise = 2),
        evaluate_questions(d$x, replace(d$y, 2, NA)),
        evaluate_questions(d$x, d$y, scale = "none"),
        plot(found, measure = "kappa"),
        summary(found, reference = "groups")
    )
})

test_that("a method that fails is named", {
    d <- kinds()
    expect_error(evaluate_questions(d$x, d$y, "random", list(
        mine = function(x) stop("no memory")), questions = 2, splits = 2),
        "Method \"mine\": no memory", class = "linkrank_error")
})
