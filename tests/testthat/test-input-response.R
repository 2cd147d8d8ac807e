test_that("all kinds of labels become a factor", {
    expect_identical(as_class_labels(c("b", "a", NA, "b")),
                     factor(c("b", "a", NA, "b")))
    expect_identical(as_class_labels(c(TRUE, NA, FALSE)),
                     factor(c(TRUE, NA, FALSE)))
    expect_identical(as_class_labels(c(3L, 1L, NA)), factor(c(3, 1, NA)))
    expect_identical(as_class_labels(c(3, 1, 10)), factor(c(3, 1, 10)))
})

test_that("a factor keeps the order of its levels and loses empty ones", {
    labels <- factor(c("low", "high", NA), levels = c("low", "mid", "high"))
    expect_identical(levels(as_class_labels(labels)), c("low", "high"))
    expect_identical(as.integer(as_class_labels(labels)), c(1L, 2L, NA))
})

test_that("NaN and NA as a level mean unlabelled", {
    expect_identical(levels(as_class_labels(c(1, 2, NaN))), c("1", "2"))
    labels <- addNA(factor(c("a", NA, "b")))
    expect_identical(levels(as_class_labels(labels)), c("a", "b"))
    expect_identical(is.na(as_class_labels(labels)), c(FALSE, TRUE, FALSE))
})

test_that("what is no class label is refused", {
    expect_refused("argument",
        as_class_labels(c(0.5, 1)),
        as_class_labels(NULL),
        as_class_labels(list("a", "b")),
        as_class_labels(matrix(1:4, 2)),
        as_class_labels(data.frame(a = 1:2)),
        as_class_labels(Sys.Date()),
        as_class_labels(1i, "y")
    )
})

# Twenty samples, four features that say nothing of the classes.
outcome_data <- function() {
    set.seed(3)
    data.frame(matrix(rnorm(80), 20, dimnames = list(NULL, paste0("g", 1:4))),
               flag = rep_len(c(TRUE, FALSE, FALSE), 20),
               kind = factor(rep_len(c("u", "v", "w"), 20)))
}

test_that("a feature that is `y` is named, however it is written", {
    x <- outcome_data()
    y <- factor(rep(c("no", "yes"), each = 10))
    copies <- list(
        class = y, text = as.character(y), spelt = ifelse(y == "no", "b", "c"),
        code = as.integer(y), number = as.numeric(y), is = y == "yes",
        not = y == "no"
    )
    for (name in names(copies)) {
        with_copy <- x
        with_copy[[name]] <- copies[[name]]
        expect_warning(found <- relieff(with_copy, y, k = 3),
                       paste0("is a feature: \"", name, "\""),
                       class = "linkrank_warning_outcome")
        expect_identical(nrow(found), 7L)
    }
    expect_silent(relieff(x, y, k = 3))
    # labels may lack, and levels may spell numbers
    known <- replace(y, c(2, 19), NA)
    with_copy <- data.frame(x, class = y)
    expect_warning(relieff(with_copy, known), class = "linkrank_warning_outcome")
    spelt <- rep(0:1, 10)
    expect_warning(relieff(cbind(as.matrix(x[1:4]), a = spelt), factor(spelt)),
                   "is a feature: \"a\"", class = "linkrank_warning_outcome")
    expect_warning(relieff(cbind(a = spelt == 1, b = spelt == 0, x), spelt),
                   "`y` itself is a feature: \"a\", \"b\"; leave out",
                   class = "linkrank_warning_outcome")
})

test_that("one differing sample is no copy, nor a feature with more values", {
    x <- outcome_data()
    y <- factor(rep(c("no", "yes", "may"), length.out = 20))
    # `kind` has the same groups
    expect_warning(relieff(x, y), "\"kind\"", class = "linkrank_warning_outcome")
    x$kind[4] <- "v"
    x$code <- replace(as.integer(y), 20, 1L)
    x$fine <- factor(paste(y, rep(1:2, each = 10)))
    expect_silent(relieff(x, y))
    # two classes that share a value
    x$coarse <- factor(ifelse(y == "no", "u", "v"))
    expect_silent(relieff(x, y))
})

test_that("every method with an outcome warns of it among the features", {
    x <- outcome_data()[1:4]
    y <- rep(0:1, 10)
    number <- rnorm(20)
    warned <- function(code) {
        expect_warning(code, class = "linkrank_warning_outcome")
    }
    with_copy <- data.frame(x, copy = y)
    for (rank in list(relief, relieff, stir, irelief, simba, fisher_score)) {
        warned(rank(with_copy, y))
    }
    with_number <- data.frame(x, copy = number)
    for (rank in list(rrelieff, supervised_laplacian_score,
                      semisupervised_laplacian_score)) {
        warned(rank(with_number, number))
    }
    warned(rank_features(with_copy, y = y, method = "fisher_score"))
    warned(select_subset(with_copy, y = y))
    warned(evaluate_ranking(variance_score(with_copy), with_copy, y,
                            with_copy, y, n = 1))
    # rankings by pairs are judged by the classes
    set.seed(1)
    warned(evaluate_method(with_copy, factor(y), "relieff_sc", splits = 2,
                           n = 1))
    warned(evaluate_method(with_number, number, "variance_score", splits = 2,
                           n = 1))
})

test_that("binary features that equal few labels by chance give no warning", {
    # 2^6 features hold every way to divide seven samples
    x <- t(sapply(0:6, function(bit) bitwAnd(0:127, 2^bit) > 0)) + 0
    colnames(x) <- paste0("g", 1:128)
    y <- c(0, 1, 1, 0, 1, 0, 0)
    expect_silent(fisher_score(x[, 2:127], y))
})

test_that("one column of a table is a vector", {
    x <- outcome_data()[1:4]
    y <- data.frame(class = rep(c("a", "b"), 10))
    expected <- relieff(x, y$class)
    expect_identical(relieff(x, y), expected)
    expect_identical(relieff(x, y["class"]), expected)
    expect_identical(rrelieff(x, data.frame(n = 1:20)), rrelieff(x, 1:20))
    set.seed(1)
    judged <- evaluate_method(x, y, "fisher_score", splits = 2, n = 1)
    set.seed(1)
    expect_identical(evaluate_method(x, y$class, "fisher_score", splits = 2,
                                     n = 1), judged)
    expect_error(relieff(x, data.frame(y, y)),
                 class = "linkrank_error_argument")
    skip_if_not_installed("tibble")
    expect_identical(relieff(x, tibble::as_tibble(y)), expected)
})

test_that("dates are numbers as an outcome, and many whole numbers no classes", {
    x <- outcome_data()[1:4]
    day <- as.Date("2021-03-01") + c(20:1)
    for (time in list(day, as.POSIXct(day), day - day[1])) {
        table <- data.frame(x, copy = time)
        expect_warning(rrelieff(table, time), "feature: \"copy\"",
                       class = "linkrank_warning_outcome")
    }
    expect_identical(rrelieff(x, day), rrelieff(x, 20:1))
    expect_identical(rrelieff(x, as.POSIXct(day)), rrelieff(x, 20:1 * 86400))
    expect_error(relieff(x, day), class = "linkrank_error_argument")
    set.seed(1)
    wide <- matrix(rnorm(42 * 3), 42)
    age <- rep(21:41, 2)
    expect_warning(relieff(wide, age),
                   "`y` has 21 different numbers", fixed = TRUE,
                   class = "linkrank_warning_outcome")
    expect_warning(fisher_score(wide, age), class = "linkrank_warning_outcome")
    expect_silent(relieff(wide, pmin(age, 40)))
    expect_silent(relieff(wide, factor(age)))
})

test_that("values whose names are those of other samples are taken with a warning", {
    x <- random_matrix(12, 4)
    plain <- rep(c("a", "b", "b"), 4)
    right <- stats::setNames(plain, rownames(x))
    turned <- rev(right)
    links <- constraints_from_labels(plain)
    expect_identical(relieff(x, right), relieff(x, plain))
    expect_identical(relieff(as.data.frame(x), factor(right)),
                     relieff(x, plain))
    # names of other samples are said, and names of data without any tell nothing
    expect_message(
        foreign <- relieff(x, stats::setNames(turned, letters[1:12])),
        "`y` names other samples than `x`, such as \"a\", and is taken in",
        class = "linkrank_message_order")
    expect_identical(foreign, relieff(x, unname(turned)))
    expect_identical(relieff(unname(x), turned),
                     relieff(unname(x), unname(turned)))
    # as indexing a table of classes names them
    numbered <- x
    rownames(numbered) <- 1:12
    found <- c("1" = "a", "2" = "b")[rep(1:2, 6)]
    expect_identical(relieff(numbered, found), relieff(numbered, unname(found)))
    # but a name that is there twice is not settled by place
    for (names in list(replace(rownames(x), 2, "s1"),
                       replace(rev(rownames(x)), 2, "s5"))) {
        for (call in list(relieff, fisher_score, group_markers)) {
            expect_error(call(x, stats::setNames(plain, names)),
                         "it repeats \"s[15]\" and has no \"s(2|11)\"",
                         class = "linkrank_error_argument")
        }
    }
    expect_error(relieff_sc(x, links, space = x[c(1:12, 5), ]),
                 "`space`", class = "linkrank_error_argument")
    # a function of the user's finds the names
    seen <- list()
    own <- function(x, y, ...) {
        seen[[length(seen) + 1L]] <<- identical(names(y), rownames(x))
        stats::setNames(apply(x, 2, stats::var), colnames(x))
    }
    evaluate_method(x, right, list(own = own), splits = 1, n = 2)
    expect_true(all(unlist(seen)))
    # samples drawn twice have other row names in a data.frame
    set.seed(1)
    named <- ensemble_ranking(as.data.frame(x), y = right, method = "relieff",
                              replicates = 3)
    set.seed(1)
    expect_identical(named, ensemble_ranking(as.data.frame(x), y = plain,
                                             method = "relieff",
                                             replicates = 3))
    halves <- stats::setNames(rep(1:2, each = 6), rownames(x))[12:1]
    calls <- expression(
        relieff(x, turned), fisher_score(x, factor(turned)),
        rrelieff(x, stats::setNames(12:1 / 8, rev(rownames(x)))),
        relieff_sc(x, links, block = halves),
        group_markers(x, turned), group_markers(x, plain, block = halves),
        active_constraints(x, turned, n = 3),
        questionnaire(x, block = halves),
        constraint_quality(links, x, measure = "must_link", truth = turned),
        constraint_quality(links, x, cluster = turned, measure = "informativeness"),
        select_subset(x, y = turned), rank_features(x, y = turned,
                                                    method = "relieff"),
        evaluate_ranking(variance_score(x), x, plain, x, turned),
        plot(links, x, classes = turned),
        plot(pair_margins(x, links, 1), classes = turned)
    )
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    for (call in as.list(calls)) {
        seen <- list()
        withCallingHandlers(eval(call), linkrank_message_order = function(m) {
            seen[[length(seen) + 1L]] <<- m
            invokeRestart("muffleMessage")
        })
        expect_length(seen, 1)
        expect_match(conditionMessage(seen[[1]]), "matched by name")
    }
    expect_message(got <- relieff(x, turned), class = "linkrank_message_order")
    expect_identical(got, relieff(x, turned[rownames(x)]))
    # a function that passes it on says it once
    expect_message(ensemble_ranking(x, y = turned, method = "relieff",
                                    replicates = 3), "are matched by name")
    # names that do not fit, and names at their own places
    other <- turned
    names(other)[1] <- "new"
    expect_error(relieff(x, other), "it names \"new\" and has no \"s12\"",
                 class = "linkrank_error_argument")
    other <- rev(turned)
    names(other)[1] <- "new"
    expect_silent(relieff(x, other))
})

test_that("a formula and `y`, or columns of one name, are not settled in silence", {
    data <- data.frame(a = 1:6, b = c(2, 1, 4, 3, 6, 5), class = rep(1:2, 3))
    expect_error(relieff(class ~ ., data$class, data = data),
                 "formula names it: \"class\"", class = "linkrank_error")
    expect_error(relieff(class ~ ., data = cbind(data, a = 6:1)),
                 "\"a\" is duplicated", class = "linkrank_error")
})

test_that("a factor with codes that have no level is refused", {
    for (codes in list(c(1L, -3L, 1L, 2L), c(1L, 0L, 2L, 2L), c(5L, NA, 1L, 2L))) {
        labels <- structure(codes, levels = c("a", "b"), class = "factor")
        for (call in list(as_class_labels, constraints_from_labels,
                          function(y) fisher_score(diag(4), y))) {
            expect_error(call(labels), "a level for each code",
                         class = "linkrank_error_argument")
        }
    }
})
