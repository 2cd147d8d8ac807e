test_that("a count is a finite whole number within its limits", {
    expect_identical(check_count(3L, "k"), 3)
    expect_identical(check_count(0, "k", lower = 0), 0)
    expect_identical(check_count(61, "k", 1, 61), 61)
    expect_refused("argument",
        check_count(0, "k"),
        check_count(62, "k", 1, 61),
        check_count(1.5, "k"),
        check_count(NA, "k"),
        check_count(NA_real_, "k"),
        check_count(NaN, "k"),
        check_count("5", "k"),
        check_count(TRUE, "k"),
        check_count(NULL, "k"),
        check_count(1:2, "k"),
        check_count(factor(1), "k"),
        check_count(list(1), "k"),
        check_count(matrix(1, 1, 2), "k"),
        check_count(2e5, "k", 1, 1e5)
    )
})

test_that("arguments are what their row of the table says", {
    rules <- package_table("arguments.csv")
    expect_identical(rules$argument, unique(rules$argument))
    k <- 3L
    tol <- 0
    direction <- c("both", "first")
    names <- FALSE
    expect_identical(checked(k, tol, direction, names),
                     list(k = 3, tol = 0, direction = "both", names = FALSE))
    expect_identical(checked(values = list(sigma = 2L)), list(sigma = 2))
    for (row in seq_len(nrow(rules))) {
        rule <- rules[row, ]
        ask <- function(value) {
            checked(values = stats::setNames(list(value), rule$argument))[[1L]]
        }
        choices <- strsplit(rule$choices, " ")[[1L]]
        ends <- as.numeric(c(rule$lower, rule$upper))
        good <- switch(rule$kind, flag = TRUE, positive = 0.5,
                       choice = choices[2L], ends[is.finite(ends)])
        for (value in good) expect_identical(ask(value), value)
        bad <- switch(rule$kind, flag = list(NA, 1), positive = list(0, Inf),
                      choice = list(rev(choices), "none of them", 1),
                      count = list(ends[1L] - 1, ends[1L] + 0.5, NULL),
                      number = list(ends[1L] - 1e-9, NA, "0"))
        for (value in bad) expect_error(ask(value), class = "linkrank_error",
                                        paste0("`", rule$argument, "` must be"))
        if (is.finite(ends[2L])) expect_error(ask(2 * ends[2L]), "must be")
    }
})

test_that("what is in braces in a written sentence is code, in a value it is not", {
    given <- "{stop(\"no\")}"
    message_of <- function(n) {
        conditionMessage(tryCatch(
            refuse_value_if(TRUE, given, "`{given}` must be {n + 1}
                            or more, as in ", given, if (n > 1) " and {n}"),
            error = identity))
    }
    expect_identical(message_of(1), paste0("`", given, "` must be 2 or more, as ",
                                           "in ", given, ", not \"{stop(\\\"",
                                           "no\\\")}\"."))
    expect_match(message_of(2), "and {n}, not", fixed = TRUE)
    expect_warning(warn_if(TRUE, "{given} of {length(given)}", class = "x"),
                   "no.* of 1$", class = "linkrank_warning_x")
})

test_that("limits are written out under any options, huge numbers never", {
    old <- options(scipen = -5)
    on.exit(options(old))
    expect_error(check_count(0, "k"), "of at least 1, not 0.", fixed = TRUE)
    expect_error(check_count(0, "k", 1, 61), "from 1 to 61,", fixed = TRUE)
    expect_error(check_number(2, "h", 0, 1), "from 0 to 1,", fixed = TRUE)
    expect_error(check_number(-1, "h", 0), "of at least 0, not -1.", fixed = TRUE)
    expect_identical(show_number(2147483647), "2147483647")
    expect_lt(nchar(show_number(1e300)), 10)
})

test_that("infinity is no count, but may mean all", {
    expect_refused("argument",
        check_count(Inf, "permutations", 0),
        check_count(-Inf, "k"),
        check_count_or_all(-Inf, "n"),
        check_count_or_all(2.5, "n")
    )
    expect_identical(check_count_or_all(Inf, "n"), Inf)
    expect_identical(check_count_or_all(7, "n"), 7)
})

test_that("a number lies within its limits", {
    expect_identical(check_number(0.05, "alpha", 0, 1), 0.05)
    expect_identical(check_number(1L, "alpha", 0, 1), 1)
    expect_refused("argument",
        check_number(1.01, "alpha", 0, 1),
        check_number("a", "alpha", 0, 1),
        check_number(NA, "alpha", 0, 1),
        check_number(c(0.1, 0.2), "alpha", 0, 1)
    )
})

test_that("a choice is one of the names, and the default the first", {
    choices <- c("range", "zscore", "none")
    expect_identical(check_choice(choices, choices, "scale"), "range")
    expect_identical(check_choice("none", choices, "scale"), "none")
    expect_refused("argument",
        check_choice("z-score", choices, "scale"),
        check_choice("ran", choices, "scale"),
        check_choice(NA_character_, choices, "scale"),
        check_choice(NULL, choices, "scale"),
        check_choice(1, choices, "scale"),
        check_choice(choices[2:3], choices, "scale")
    )
})

test_that("a flag is TRUE or FALSE", {
    expect_true(check_flag(TRUE, "progress"))
    expect_refused("argument",
        check_flag(NA, "progress"),
        check_flag(1, "progress"),
        check_flag("yes", "progress"),
        check_flag(c(TRUE, FALSE), "progress"),
        check_flag(NULL, "progress")
    )
})

test_that("what lands in the dots is named, with the likely argument", {
    rank_all <- function(x, k, distance, ...) check_dots_empty(...)
    expect_null(rank_all(1, 2, 3))
    expect_refused("argument",
        rank_all(1, K = 5),
        rank_all(1, 2, distanse = "euclidean"),
        rank_all(1, neighbours = 5),
        rank_all(1, 2, 3, 4),
        rank_all(1, 2, 3, what = stop("never evaluated"))
    )
})

test_that("one letter is not offered for another", {
    expect_identical(suggest_name("y", c("x", "k", "...")), "")
    expect_identical(suggest_name("K", c("x", "k")), " Did you mean `k`?")
    expect_identical(suggest_name("kk", c("x", "k")), " Did you mean `k`?")
    expect_identical(suggest_name("k", character()), "")
    expect_identical(suggest_name("s", c("scale", "x", "space")),
                     " Did you mean `scale` or `space`?")
})

test_that("threads are a count, and more than C can hold mean very many", {
    expect_identical(run_control(2, FALSE)$threads, 2L)
    expect_identical(run_control(1e12, FALSE)$threads, .Machine$integer.max)
    expect_refused("argument", run_control(0, FALSE), run_control("two", FALSE))
})

test_that("how an entry in C runs can be set by options", {
    usual <- list(threads = 1L, progress = FALSE, portable = FALSE,
                  worthwhile = 1e6, processors = 0, batch_bytes = 256 * 2^20)
    expect_identical(run_control(1, FALSE), usual)
    expect_identical(no_progress(run_control(1, TRUE)), usual)
    old <- options(linkrank.portable = TRUE, linkrank.worthwhile = 3,
                   linkrank.processors = 2L, linkrank.batch_bytes = 1e4)
    on.exit(options(old))
    expect_identical(run_control(2, TRUE),
                     list(threads = 2L, progress = TRUE, portable = TRUE,
                          worthwhile = 3, processors = 2, batch_bytes = 1e4))
    options(linkrank.worthwhile = "much")
    expect_refused("argument", run_control(1, FALSE))
})

test_that("no more threads than processors, work and R CMD check allow", {
    x <- random_matrix(64, 40)
    rank <- function(threads) relieff(x, rep(1:2, 32), threads = threads)
    expect_same_for_threads(rank)
    old <- options(linkrank.worthwhile = 0, linkrank.processors = 1)
    on.exit(options(old))
    # threads of other packages wake up now and then, a team works each time
    always <- function(threads) {
        all(replicate(5, second_thread_works(rank(threads), 0.1)))
    }
    expect_false(always(8))
    # as users have it, so little work starts no second thread
    options(old)
    expect_false(always(2))
})

# ---- required arguments ------------------------------------------------------

# A right value for every argument without a default.
right_values <- function() {
    set.seed(1)
    x <- matrix(rnorm(80), 20, dimnames = list(NULL, paste0("f", 1:4)))
    y <- rep(c("a", "b"), 10)
    links <- pairwise_constraints(cannot_link = rbind(c(1, 2), c(3, 8)), must_link = rbind(c(1, 3)), samples = 20)
    ranking <- fcrsc(x, links)
    graph <- feature_graph(x)
    list(x = x, y = y, constraints = links, ranking = ranking,
         target = ranking, graph = graph, tree = cluster_features(graph),
         labels = y, truth = y, train = x, test = x, y_test = y,
         questionnaire = questionnaire(x, strategy = "random"), answer = "must-link",
         oracle = y, n = 3, accuracy = cbind(a = 1:2, b = 3:4),
         file = tempfile(), scores = c(a = 1, b = 2), samples = 20,
         clusters = 2, effect = 1, rankers = "variance_score", feature = "f1",
         annotation = data.frame(feature = paste0("f", 1:4), z = 1:4),
         groups = y, features = "f1", answers = data.frame(
             first = 1, second = 2, answer = "must-link"
         ))
}

without_default <- function(fun) {
    required <- vapply(formals(fun), identical, NA, quote(expr = ))
    setdiff(names(required)[required], "...")
}

test_that("a required argument that is left out is named, in every export", {
    right <- right_values()
    exports <- getNamespaceExports("linkrank")
    exports <- exports[!startsWith(exports, ".")]
    seen <- 0L
    for (name in sort(exports)) {
        for (argument in without_default(getExportedValue("linkrank", name))) {
            others <- setdiff(without_default(get(name)), argument)
            given <- right[others]
            expect_true(all(others %in% names(right)), info = name)
            call <- as.call(c(as.name(name), given))
            refused <- tryCatch(eval(call), error = identity)
            expect_s3_class(refused, "linkrank_error_argument")
            expect_match(conditionMessage(refused), fixed = TRUE,
                         paste0("`", argument, "` must be given"))
            expect_identical(as.character(conditionCall(refused)[[1L]]), name)
            seen <- seen + 1L
        }
    }
    expect_gt(seen, 90L)
})

test_that("what is left out is named as by the one who left it out", {
    inner <- function(value) check_given(value, "a number")
    middle <- function(size, other = NULL) inner(size)
    outer <- function(weight) middle(weight, 1)
    refused <- tryCatch(outer(), error = identity)
    expect_identical(conditionMessage(refused),
                     "`weight` must be given: a number.")
    expect_identical(conditionCall(refused), quote(outer()))
    # a default is a value, and so is what an expression gives
    expect_silent(outer(1))
    defaults <- function(weight = NULL) middle(weight)
    expect_silent(defaults())
    expect_silent(middle(NULL))
    ask <- function(d, o) active_constraints(d, o, 5)
    expect_error(ask(iris[1:4]), "`o` must be given",
                 class = "linkrank_error_argument")
    look <- function(d) questionnaire(d)
    expect_error(look(), "`d` must be given", class = "linkrank_error_argument")
})

test_that("words of other packages lead to ours", {
    x <- random_matrix(20, 5)
    links <- few_links(20)
    y <- gl(2, 10)
    expect_refused("argument", relieff_sc(x, links, batch = y),
                   glean(x, links, design = ~ y), simba_sc(x, links, block = y),
                   relieff_sc(x, links, dimred = "PCA"),
                   variance_score(x, exprs_values = 1),
                   variance_score(x, num_terms = 3),
                   glean(x, links, subset_row = 1:3),
                   relieff(x, group = y))
})

test_that("an argument that another one makes idle is refused", {
    x <- random_matrix(20, 5)
    y <- rep(1:2, 10)
    links <- few_links(20)
    samples <- similarity_graph(x, k = 3)
    features <- feature_graph(x)
    expect_refused("argument",
        feature_graph(x, lambda = 0.2),
        feature_graph(x, method = "nnlasso", k = 9),
        fcrsc(x, links, lambda = 0.2),
        fcrsc(x, links, graph = "correlation", lambda = 0.2),
        fcrsc(x, links, graph = features, lambda = 0.2),
        propagate_constraints(links, x, method = "published", relative = 0.2),
        propagate_constraints(links, x, graph = samples, k = 6),
        spectral_clustering(x, links, clusters = 2, graph = samples, k = 6),
        similarity_graph(x, t = 1, weight = "gaussian"),
        similarity_graph(x, sigma = 2),
        similarity_graph(x, epsilon = 1),
        spectral_score(x, graph = samples, t = 1),
        constraint_score(x, links, type = "CS4", graph = samples, k = 4),
        simba(x, y, order = 1:20, starts = 4),
        simba_sc(x, links, order = seq_along(which(!links$must_link)), starts = 2),
        active_constraints(x, y, 3, pairs = "uncertain"),
        active_constraints(x, y, 3, strategy = "perturbation", order = 1:3),
        questionnaire(x, criterion = "eigenvalue"),
        questionnaire(x, strategy = "random", k = 5),
        questionnaire(x, strategy = "perturbation", graph = samples, k = 5),
        constraint_quality(links, x, measure = "informativeness", cluster = y,
                           starts = 3)
    )
    # a program that passes on all of its arguments asks for nothing by those
    # that are as by default; an argument that is used is none of these
    programs <- list(
        list("feature_graph", x, lambda = 0.1, k = 10L),
        list("similarity_graph", x, sigma = 1, t = NULL, epsilon = NULL),
        list("fcrsc", x, links, graph = "simplex", lambda = 0.1),
        list("laplacian_score", x, graph = samples, k = 5, t = NULL),
        list("simba", x, y, order = 1:20, starts = 5),
        list("constraint_score", x, links, type = "CS1",
             unlabelled = c("either", "both"), denominator =
                 "pairs_and_unlabelled", y = NULL, lambda = NULL),
        list("active_constraints", x, y, 3, order = NULL, graph = NULL,
             pairs = c("all", "uncertain"), criterion = "eigenvector"),
        list("propagate_constraints", links, x, method = "published",
             relative = formals(propagate_constraints)$relative)
    )
    for (call in programs) {
        expect_no_error(suppressWarnings(do.call(call[[1L]], call[-1L])))
    }
    passing <- function(pairs = c("all", "uncertain"), k = 7, ...) {
        questionnaire(x, strategy = "random", pairs = pairs, k = k, ...)
    }
    expect_s3_class(passing(), "questionnaire")
    expect_error(passing(k = 6), "`k` must be left out for strategy = ")
    expect_no_error(similarity_graph(x, weight = "binary", t = NULL))
    expect_no_error(simba(x, y, order = 1:20, starts = 1))
    expect_no_error(fcrsc(x, links, graph = "nnlasso", lambda = 0.2))
    expect_no_error(questionnaire(x, strategy = "perturbation", graph = NULL,
                                  k = 5))
    # what a ranking keeps makes no argument idle that replaces it
    first <- simba(x, y, starts = 2)
    expect_identical(update(first, x, y = y, order = 20:1),
                     simba(x, y, order = 20:1))
    expect_identical(update(update(first, x, y = y, order = 20:1), x, y = y),
                     simba(x, y, order = 20:1))
    first <- fcrsc(x, links, graph = "nnlasso", lambda = 0.2)
    expect_identical(update(first, x, links, graph = "simplex"),
                     fcrsc(x, links))
    expect_identical(update(fcrsc(x, links, h = 0.5), x, links, cut = 2),
                     fcrsc(x, links, cut = 2))
    expect_identical(update(fcrsc(x, links, cut = 2), x, links, h = 0.5),
                     fcrsc(x, links, h = 0.5))
    # NULL replaces nothing
    expect_identical(update(fcrsc(x, links, cut = 2), x, links, h = NULL),
                     fcrsc(x, links, cut = 2))
    scores <- function(...) constraint_score(x, links, ...)
    first <- scores(type = "CLS", denominator = "pairs", k = 3)
    expect_identical(update(first, x, links, type = "CS2", lambda = 0.3),
                     scores(type = "CS2", lambda = 0.3))
    expect_identical(update(first, x, links, type = "C6"),
                     scores(type = "C6", denominator = "pairs", k = 3))
    expect_identical(update(first, x, links, type = "CS4", graph = samples),
                     scores(type = "CS4", graph = samples))
    expect_identical(update(scores(type = "CS2", lambda = 2), x, links,
                            type = "CS1"), scores(type = "CS1"))
    first <- update(simba(x, y), x, y = y, order = 20:1)
    set.seed(1)
    again <- update(first, x, y = y, starts = 2)
    set.seed(1)
    expect_identical(again, simba(x, y, starts = 2))
    expect_error(update(scores(), x, links, type = mean), "`type` must be")
})

test_that("a choice without its name is said, not what its default lacks", {
    x <- random_matrix(12, 6)
    y <- rep(1:2, 6)
    links <- constraints_from_labels(y, cannot_link = 8, must_link = 4)
    ranking <- relieff_sc(x, links)
    said <- c(
        type = quote(constraint_score(x, links, "CS2", lambda = 1)),
        adjacency = quote(similarity_graph(x, "epsilon", epsilon = 1)),
        weight = quote(similarity_graph(x, "gaussian", sigma = 1, t = 1)),
        method = quote(feature_graph(x, "nnlasso", lambda = 0.1)),
        method = quote(diversify_ranking(ranking, x, "prune", max_cor = 0.5)),
        measure = quote(constraint_quality(links, x, "informativeness",
                                           clusters = 2)),
        strategy = quote(questionnaire(x, "perturbation", k = 3)),
        strategy = quote(active_constraints(x, y, 5, "perturbation", k = 3))
    )
    for (at in seq_along(said)) {
        expect_error(eval(said[[at]]), fixed = TRUE, paste0(
            " came without: did you mean `", names(said)[at], "`?"))
    }
    expect_error(spectral_score(x, 2, graph = similarity_graph(x), k = 3),
                 "by name, but 2 came without.", fixed = TRUE)
    expect_error(constraint_score(x, links, lambda = 1, scale = "none"),
                 "`lambda` must be left out for type = \"CS1\"")
})
