# One call of each method: what it is given besides `x`.
method_calls <- function(n) {
    y <- rep(c("a", "b"), length.out = n)
    links <- constraints_from_labels(y, cannot_link = 8, must_link = 4)
    given <- lapply(stats::setNames(nm = ranking_methods()$method), function(method) {
        switch(method_needs(method)[1L],
               y = list(y = if (registry_row(method)$family == "regression" ||
                                method == "rrelieff") seq_len(n) / n else y),
               constraints = list(constraints = links), list())
    })
    given$select_subset <- c(given$select_subset, list(n = 3))
    given$irelief <- c(given$irelief, list(max_iter = 3))
    given
}

test_that("a method gives the same from prepared data as from the data", {
    x <- random_matrix(24, 12)
    calls <- suppressWarnings(method_calls(24))
    prepared <- prepare_data(x)
    expect_each(seq_along(calls), function(at) {
        method <- names(calls)[at]
        set.seed(3)
        plain <- suppressWarnings(suppressMessages(
            do.call(method, c(list(x), calls[[method]]))))
        set.seed(3)
        again <- suppressWarnings(suppressMessages(
            do.call(method, c(list(prepared), calls[[method]]))))
        identical(again, plain)
    })
})

test_that("settings count in the data as in the call", {
    x <- random_matrix(30, 10)
    links <- few_links(30)
    block <- rep(c("p", "q", "p", "p", "q", "q"), 5)
    expect_identical(
        suppressMessages(relieff_sc(prepare_data(x, scale = "none", space = 3,
                                                 block = block), links)),
        suppressMessages(relieff_sc(x, links, scale = "none", space = 3,
                                    block = block)))
    expect_identical(glean(prepare_data(x, space = NULL), links, rounds = 0),
                     glean(x, links, space = NULL, rounds = 0))
    # left out, it is the method's own
    expect_identical(glean(prepare_data(x), links), glean(x, links, space = 20))
    # what a method does not use is ignored in data
    expect_identical(variance_score(prepare_data(x, space = 3)),
                     variance_score(x))
})

test_that("given settings replace those of prepared data, NULL removes them", {
    x <- random_matrix(30, 10)
    links <- few_links(30)
    data <- prepare_data(x, scale = "none", space = 3)
    expect_identical(relieff_sc(data, links, scale = "zscore"),
                     relieff_sc(x, links, scale = "zscore", space = 3))
    expect_identical(relieff_sc(prepare_data(data, scale = NULL, space = NULL),
                                links), relieff_sc(x, links))
    # nothing is read anew: the cells are the same object
    expect_true(identical(prepare_data(data, space = 4)$known, data$known))
})

test_that("the rule for missing cells holds for prepared data", {
    x <- random_matrix(20, 5)
    x[3, 2] <- NA
    data <- prepare_data(x)
    expect_error(variance_score(data), "g2.*1 missing value",
                 class = "linkrank_error_input")
    expect_identical(variance_score(prepare_data(data, na.action = "mean")),
                     variance_score(x, na.action = "mean"))
    # margins have a rule of their own
    expect_identical(relieff_sc(data, few_links(20)),
                     relieff_sc(x, few_links(20)))
})

test_that("each method takes the settings that the table of methods names", {
    x <- random_matrix(24, 6)
    given <- list(scale = "range", space = 2, distance = "euclidean",
                  block = rep(1:2, each = 12), unit = rep(1:12, each = 2),
                  na.action = "mean")
    calls <- suppressWarnings(method_calls(24))
    expect_each(seq_along(calls), function(at) {
        method <- names(calls)[at]
        uses <- strsplit(registry_row(method)$data, " ")[[1L]]
        taken <- vapply(names(given), function(setting) {
            refused <- tryCatch({
                suppressWarnings(suppressMessages(do.call(
                    method, c(list(x), calls[[method]], given[setting]))))
                ""
            }, linkrank_error_argument = conditionMessage)
            !startsWith(refused, "Unused argument")
        }, NA)
        setequal(names(given)[taken], uses)
    })
})

test_that("what a call cannot use is refused, with the nearest name", {
    x <- random_matrix(20, 5)
    links <- few_links(20)
    expect_refused(
        "argument",
        relieff_sc(x, links, t = 2),
        relieff_sc(x, links, 5),
        relieff_sc(x, links, perm = 3),
        relieff_sc(x, links, scal = "none"),
        glean(x, links, n = 10),
        glean(x, links, dimred = "PCA"),
        variance_score(x, space = 2),
        variance_score(x, block = 1:20),
        relieff_sc(x, links, BNPARAM = 1),
        relieff_sc(x, links, num.threads = 2),
        relieff_sc(x, links, seed = 1),
        relieff_sc(x, links, weights = 1),
        relieff_sc(x, links, verbose = TRUE),
        relieff_sc(x, links, subset.row = 1:3),
        variance_score(x, ntop = 5),
        prepare_data(x, 5),
        prepare_data(x, k = 3),
        prepare_data(x, scale = "log"),
        prepare_data(x, distance = "cosine"),
        prepare_data(x, space = "PCA"),
        prepare_data(x, block = 1:3),
        prepare_data(prepare_data(x), assay.type = 1)
    )
})

test_that("a container of another package needs one method", {
    home <- new.env()
    assign("prepare_data.notebook",
           function(x, ...) prepare_data(x$pages, ...), home)
    registerS3method("prepare_data", "notebook",
                     get("prepare_data.notebook", home))
    x <- random_matrix(20, 6)
    notebook <- structure(list(pages = x), class = "notebook")
    expect_identical(relieff_sc(notebook, few_links(20), scale = "zscore"),
                     relieff_sc(x, few_links(20), scale = "zscore"))
    expect_identical(dim(prepare_data(notebook)), dim(x))
    # also where samples are drawn or columns taken before anything is read
    y <- gl(2, 10)
    expect_equal_table <- function(f) {
        set.seed(1)
        wanted <- f(x)
        set.seed(1)
        expect_identical(as.data.frame(f(notebook)), as.data.frame(wanted))
    }
    expect_equal_table(function(x) fisher_score(x, y))
    expect_equal_table(function(x) {
        variance_score(keep_features(x, relieff_sc(x, few_links(20)), 3))
    })
    expect_equal_table(function(x) {
        ranking_stability(x, few_links(20), method = "relieff_sc",
                          replicates = 2, n = 3)
    })
    expect_equal_table(function(x) {
        ensemble_ranking(x, y = y, method = "fisher_score", replicates = 3)
    })
    expect_equal_table(function(x) {
        evaluate_method(x, y, "fisher_score", splits = 2, n = 2)
    })
})

test_that("a container of another package is given back", {
    home <- new.env()
    assign("keep_features.notebook", function(x, ranking, n = 10L) {
        x$pages <- keep_features(x$pages, ranking, n)
        x
    }, home)
    assign("add_ranking.notebook", function(x, ranking, ...) {
        x$scores <- ranking$score[match(colnames(x$pages), ranking$feature)]
        x
    }, home)
    assign("constraints_from_labels.notebook", function(labels, name, ...) {
        constraints_from_labels(labels[[name]], ...)
    }, home)
    for (generic in c("keep_features", "add_ranking", "constraints_from_labels")) {
        registerS3method(generic, "notebook",
                         get(paste0(generic, ".notebook"), home))
    }
    x <- random_matrix(20, 6)
    notebook <- structure(list(pages = x, kind = rep(c("a", "b"), 10)),
                          class = "notebook")
    ranking <- fisher_score(x, notebook$kind)
    small <- keep_features(notebook, ranking, 2)
    expect_s3_class(small, "notebook")
    expect_identical(small$pages, x[, top_features(ranking, 2)])
    full <- add_ranking(notebook, ranking)
    expect_s3_class(full, "notebook")
    expect_identical(full$scores, ranking$score[match(colnames(x), ranking$feature)])
    expect_identical(constraints_from_labels(notebook, "kind"),
                     constraints_from_labels(notebook$kind))
})

test_that("groups become samples, with the means of their values", {
    x <- random_matrix(20, 6)
    x[2, 3] <- NA
    group <- factor(rep(c("b", "a", "c", NA), 5))
    expect_message(data <- prepare_data(x, by = group), "5 samples without",
                   class = "linkrank_message_groups")
    means <- t(vapply(c("a", "b", "c"), function(level) {
        colMeans(x[which(group == level), ], na.rm = TRUE)
    }, numeric(6)))
    expect_equal(read_features(data, 1:6), unname(means))
    expect_identical(dimnames(data), list(c("a", "b", "c"), colnames(x)))
    frame <- data.frame(kind = gl(2, 5), value = 1:10 + 0)
    expect_refused("input",
                   prepare_data(frame, by = rep(1:5, 2)))
})

test_that("data are printed with what is used of them", {
    flowers <- iris
    flowers$Sepal.Width[4] <- NA
    expect_snapshot({
        prepare_data(flowers)
        prepare_data(random_matrix(20, 5), scale = "none", space = 3,
                     block = rep(1:4, 5), distance = "euclidean")
    })
})

# ---- balanced -------------------------------------------------------------------

# Measurements, codes, coins, flags, categories, a constant; `holes`: with NA.
spread_table <- function(seed, n = 40, holes = FALSE) {
    set.seed(seed)
    x <- data.frame(
        a = rexp(n), coin = rbinom(n, 1, .4), code = sample(3, n, TRUE),
        kind = factor(sample(c("p", "q", "r"), n, TRUE)), b = rnorm(n),
        flag = sample(c(TRUE, FALSE), n, TRUE), flat = 7, c = runif(n),
        two = factor(sample(c("u", "v"), n, TRUE)),
        order = factor(sample(4, n, TRUE), ordered = TRUE)
    )
    if (holes) {
        for (j in seq_along(x)) x[sample(n, 5), j] <- NA
    }
    x
}

test_that("balanced differences are those of the equation", {
    for (seed in 1:6) {
        x <- spread_table(seed, holes = seed %% 2 == 0)
        counted <- transform(x, order = as.numeric(order))
        weight <- unname(balanced_weights(counted))
        expect_lt(max(weight[c(2, 4, 6, 9)]), 1)
        expect_identical(weight[7], 1)
        scaling <- feature_scaling(prepare_data(x), "balanced")
        ends <- vapply(counted, function(v) {
            diff(range(as.numeric(v), na.rm = TRUE))
        }, 0)
        plain <- scaling$category == FALSE
        expect_identical(which(!plain), 4L)
        expect_equal(scaling$divisor[plain], unname(ends / weight)[plain])
        expect_equal(scaling$step[4], weight[4])
        links <- few_links(40)
        got <- relieff_sc(x, links)
        want <- reference_relieff_sc(counted, links, scale = "balanced")
        expect_equal(got$margin[match(names(x), got$feature)], want$margin)
        expect_identical(got, relieff_sc(x, links, scale = "balanced"))
        expect_identical(summary(got)$parameters$scale, "balanced")
    }
})

test_that("the median is that of the measurements, or else of what varies", {
    # s of 0, 0, 1, 1: sqrt(1/3); of 0, 0, 0, 1: 1/2; M = their mean
    x <- cbind(even = c(0, 0, 1, 1), rare = c(0, 0, 0, 1), flat = 2)
    middle <- (sqrt(1 / 3) + 1 / 2) / 2
    expect_equal(feature_scaling(prepare_data(x))$divisor,
                 c(sqrt(1 / 3) / middle, 1, 0))
    # one measurement: 0, 1/3, 2/3, 1 has s = sqrt(5/27)
    x <- cbind(x, size = 0:3)
    expect_equal(feature_scaling(prepare_data(x))$divisor,
                 c(sqrt(1 / 3) / sqrt(5 / 27), 1 / 2 / sqrt(5 / 27), 0, 3))
    expect_identical(feature_scaling(prepare_data(matrix(1, 4, 2)))$divisor, c(0, 0))
})

test_that("balanced data have the same bits in every container", {
    x <- sparse_cells(30, 12)
    x[, 3] <- rep(0:1, 15)
    links <- few_links(30)
    rank <- function(x, ...) own_columns(relieff_sc(x, links, ...))
    want <- rank(x)
    expect_identical(rank(as.data.frame(x)), want)
    expect_same_for_threads(function(threads) rank(x, threads = threads))
    for (class in c("dgCMatrix", "dgRMatrix", "dgTMatrix")) {
        expect_identical(rank(as_matrix_class(x, class)), want)
    }
    skip_if_not_installed("HDF5Array")
    skip_if_not_installed("SummarizedExperiment")
    sce <- experiment_with(in_file(t(x), c(4, 6)), x)
    expect_identical(rank(sce, scale = "balanced"), want)
    expect_identical(summary(relieff_sc(sce, links))$parameters$scale, "none")
})

test_that("the spread is computed once", {
    data <- prepare_data(random_matrix(20, 5))
    first <- feature_scaling(data)
    expect_length(data$known$deviation, 5L)
    data$known$deviation <- 1:5 / 10
    # 1 by max(1, s / M), M = .3
    expect_equal(feature_scaling(data)$divisor,
                 (data$maximum - data$minimum) * c(1, 1, 1, 4 / 3, 5 / 3))
    expect_equal(feature_scaling(take_cells(data, 1:19, 1:5))$divisor,
                 feature_scaling(prepare_data(data$values[1:19, ]))$divisor)
})

test_that("methods with a scale of their own keep it", {
    x <- random_matrix(30, 6)
    y <- rep(1:2, 15)
    links <- few_links(30)
    scale_of <- function(ranking) summary(ranking)$parameters$scale
    for (ranking in list(
        relief(x, y), relieff(x, y), stir(x, y), simba(x, y), irelief(x, y),
        rrelieff(x, x[, 1]), fisher_score(x, y), variance_score(x),
        constraint_score(x, links), select_subset(x, links)
    )) {
        expect_identical(scale_of(ranking), "range")
    }
    expect_identical(scale_of(supervised_laplacian_score(x, x[, 1])), "zscore")
    for (ranking in list(
        relief_sc(x, links), simba_sc(x, links), fcrsc(x, links),
        glean(x, links), laplacian_score(x), spectral_score(x)
    )) {
        expect_identical(scale_of(ranking), "balanced")
    }
})

test_that("an evaluation, which prepares each half itself, refuses `by`", {
    x <- as.matrix(iris[1:4])
    expect_error(evaluate_ranking(variance_score(x), x, iris$Species, x,
                                  iris$Species, by = iris$Species),
                 "Unused argument `by`")
    expect_error(evaluate_method(x, iris$Species, "fisher_score",
                                 by = iris$Species), "Unused argument `by`")
})

# The page of a method names what it takes through the dots: its row says what.
test_that("pages name the arguments of prepare_data() that a method uses", {
    registry <- package_table("methods.csv")
    folder <- dirname(package_sources("man/linkrank-package.Rd"))
    pages <- lapply(list.files(folder, "[.]Rd$", full.names = TRUE), readLines)
    for (row in seq_len(nrow(registry))) {
        alias <- paste0("\\alias{", registry$method[row], "}")
        page <- Filter(function(page) alias %in% page, pages)[[1L]]
        from <- grep("^[\\]item[{][.]{3}[}]", page)
        text <- page[from:(from + which(page[from:length(page)] == "")[1L])]
        uses <- c(strsplit(registry$data[row], " ")[[1L]], "by", "assay.type",
                  "threads", "progress")
        named <- vapply(paste0("\\code{", uses, "}"), function(code) {
            any(grepl(code, text, fixed = TRUE))
        }, logical(1L))
        expect_true(all(named), label = registry$method[row])
    }
})

test_that("how a call runs is checked once", {
    x <- random_matrix(20, 5)
    links <- pairwise_constraints(cannot_link = cbind(1:3, 4:6), samples = 20)
    count <- 0L
    suppressMessages(trace(
        "run_control", function() count <<- count + 1L, print = FALSE,
        where = asNamespace("linkrank")
    ))
    on.exit(suppressMessages(
        untrace("run_control", where = asNamespace("linkrank"))
    ))
    relieff_sc(x, links, threads = 2, progress = FALSE)
    expect_identical(count, 1L)
})

test_that("methods by name rank means of groups too", {
    x <- random_matrix(40, 6)
    group <- rep(letters[1:10], 4)
    means <- rowsum(x, group) / 4
    links <- pairwise_constraints(cannot_link = cbind("a", "b"), must_link = cbind("c", "d"),
                                  samples = letters[1:10])
    by_margin <- function(...) rank_features(..., method = "relieff_sc")
    expect_equal(by_margin(x, links, by = group, k = 2),
                 relieff_sc(means, links, k = 2))
    several <- function(x, ...) {
        set.seed(1)
        list(ensemble_ranking(x, links, method = "relieff_sc",
                              replicates = 3, ...)$score,
             ranking_stability(x, links, method = "relieff_sc",
                               replicates = 3, ...)$overlap)
    }
    expect_equal(several(x, by = group), several(means))
    # a block of the samples becomes one of the groups
    block <- rep(rep(1:2, each = 5), 4)
    expect_equal(by_margin(x, links, by = group, block = block)$score,
                 relieff_sc(means, links, block = rep(1:2, each = 5))$score)
})

test_that("halves of prepared data may hold factors of the same levels", {
    set.seed(1)
    table <- data.frame(a = rnorm(20), b = factor(sample(letters[1:3], 20, TRUE)),
                        c = sample(c("u", "v", "w"), 20, TRUE))
    y <- gl(2, 10)
    half <- c(1:6, 11:16)
    data <- prepare_data(table)
    part <- function(rows) take_samples(data, rows)
    ranking <- relieff(table[half, ], y[half])
    expect_equal(
        evaluate_ranking(ranking, part(half), y[half],
                         part(setdiff(1:20, half)), y[-half]),
        evaluate_ranking(ranking, table[half, ], y[half], table[-half, ],
                         y[-half])
    )
    other <- prepare_data(droplevels(table[table$b != "a", ]))
    expect_error(evaluate_ranking(ranking, part(half), y[half], other,
                                  rep(1:2, length.out = nrow(other))),
                 "same levels", class = "linkrank_error")
})

test_that("prepared data have rows, columns, a head and a summary", {
    x <- random_matrix(20, 5)
    data <- prepare_data(x, block = rep(1:2, 10))
    expect_identical(dim(data[1:4, ]), c(4L, 5L))
    expect_identical(dimnames(data[, c("g2", "g1")])[[2]], c("g2", "g1"))
    expect_identical(dim(head(data, 3)), c(3L, 5L))
    expect_identical(summary(data), data)
    expect_equal(variance_score(data[3:12, ]),
                 variance_score(x[3:12, ]), ignore_attr = TRUE)
    expect_refused("argument", data[30, ], data[, "none"],
                   variance_score(variance_score(x)))
    expect_refused("input", variance_score(dist(x)))
})

test_that("what is given of samples by name stays theirs in parts of the data", {
    x <- random_matrix(8, 3)
    dimnames(x) <- list(paste0("s", 1:8), paste0("g", 1:3))
    donor <- c("u", "u", "u", "v", "v", "v", "w", "w")
    turned <- stats::setNames(rev(donor), rev(rownames(x)))
    table <- data.frame(donor = turned, row.names = names(turned))
    plain <- prepare_data(x, block = donor, unit = donor, space = x[, 1:2])
    for (given in list(turned, table)) {
        named <- suppressMessages(prepare_data(
            x, block = given, unit = given, space = x[8:1, 1:2]))
        part <- c("block_of", "unit_of", "values")
        expect_identical(named[4:8, ][part], plain[4:8, ][part])
        expect_identical(named[4:8, ]$settings$space, x[4:8, 1:2])
        expect_identical(unname(suppressMessages(
            prepare_data(x, by = given)$values)),
            unname(prepare_data(x, by = donor)$values))
    }
    # without names, a table of one column is that column
    links <- pairwise_constraints(cannot_link = cbind(c(1, 4), c(2, 5)),
                                  samples = rownames(x))
    expect_identical(glean(x, links, block = data.frame(donor)),
                     glean(x, links, block = donor))
})

test_that("parts of groups keep the sizes and spreads of these", {
    x <- random_matrix(20, 5)
    whole <- prepare_data(x, by = rep(letters[1:4], 2:8, length.out = 20))
    part <- whole[c("c", "a", "d"), 5:2]
    expect_identical(part$clusters$size, whole$clusters$size[c(3, 1, 4)])
    expect_identical(part$clusters$deviation, whole$clusters$deviation[5:2])
    expect_null(prepare_data(x)[1:5, ]$clusters)
})

test_that("too few groups and the name of a feature are refused in words", {
    x <- random_matrix(8, 3)
    colnames(x) <- c("a", "b", "ward")
    x[, "ward"] <- half <- rep(1:2, 4)
    expect_error(prepare_data(x, by = half),
                 "`by` must have at least 3 groups, not 2.", fixed = TRUE)
    for (data in list(x, as.data.frame(x))) {
        expect_error(prepare_data(data, block = "ward"), fixed = TRUE, paste(
            "`block` must be a value per sample, not the name of a feature:",
            "give the values of \"ward\"."))
    }
    # a name that is near one of a column, and one that is not
    table <- data.frame(x, kind = half)
    expect_error(relieff(table, "Kind"), fixed = TRUE, paste(
        "`y` must be a value per sample, and \"Kind\" is no column of `x`.",
        "Did you mean `kind`?"))
    expect_error(prepare_data(x, block = "donor"), "\"donor\" is no column")
    expect_silent(prepare_data(x, block = x[, "ward"]))
    # the class of a single test sample may have such a name
    y <- rep(c("a", "b"), 4)
    values <- x[, c("a", "b")]
    found <- evaluate_ranking(variance_score(values), values, y,
                              values[1, , drop = FALSE], "a", n = 1)
    expect_identical(attr(found, "samples")[["test"]], 1L)
})
