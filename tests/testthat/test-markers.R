# group_markers() against its reference, edge cases, and what may not change it.

# Counts, ratios, constants and copies, with a group that differs.
marker_case <- function(seed, n = 30, groups = c("a", "b", "c")) {
    set.seed(seed)
    x <- matrix(rnorm(n * 9), n, 9)
    x[, 2] <- round(pmax(x[, 2], 0), 1)
    x[, 3] <- rpois(n, 0.4)
    x[, 4] <- -rpois(n, 0.7)
    x[, 5] <- 0
    x[, 6] <- 0.1
    x[, 7] <- rpois(n, 5) + 1
    x[, 8] <- x[, 2]
    colnames(x) <- paste0("g", 1:9)
    y <- factor(c(rep(groups, each = 2L),
                  sample(groups, n - 2L * length(groups), TRUE)))
    x[, 1] <- x[, 1] + 2 * (y == groups[1L])
    list(x = x, y = y, block = sample(1:3, n, TRUE))
}

expect_reference_markers <- function(got, wanted, features) {
    expect_identical(levels(got$group), names(wanted))
    for (group in names(wanted)) {
        table <- as.data.frame(got)[got$group == group, ]
        expect_identical(table$rank, seq_along(features))
        table <- table[match(features, table$feature), ]
        columns <- setdiff(names(wanted[[group]]), "feature")
        expect_equal(as.list(table[columns]), as.list(wanted[[group]][columns]),
                     tolerance = 1e-8)
    }
}

test_that("tables are those of the definitions", {
    for (seed in 1:3) {
        case <- marker_case(seed)
        expect_reference_markers(group_markers(case$x, case$y),
                                 reference_markers(case$x, case$y),
                                 colnames(case$x))
        expect_reference_markers(group_markers(case$x, case$y, lfc = 0.3),
                                 reference_markers(case$x, case$y, lfc = 0.3),
                                 colnames(case$x))
    }
})

test_that("small groups, two groups and many agree too", {
    for (seed in 1:2) {
        case <- marker_case(seed, n = 9 + seed)
        expect_reference_markers(group_markers(case$x, case$y),
                                 reference_markers(case$x, case$y),
                                 colnames(case$x))
        case <- marker_case(seed, 40, letters[1:7])
        expect_reference_markers(group_markers(case$x, case$y),
                                 reference_markers(case$x, case$y),
                                 colnames(case$x))
        case <- marker_case(seed, 16, c("u", "v"))
        expect_reference_markers(group_markers(case$x, case$y),
                                 reference_markers(case$x, case$y),
                                 colnames(case$x))
    }
})

test_that("blocks are compared within, and are a term of the model", {
    for (seed in 1:4) {
        case <- marker_case(seed)
        case$x <- case$x + outer(case$block, c(3, rep(0, 8)))
        expect_reference_markers(
            group_markers(case$x, case$y, block = case$block),
            reference_markers(case$x, case$y, case$block),
            colnames(case$x)
        )
    }
    # pairs of samples: no block knows a variance
    set.seed(1)
    x <- random_matrix(16, 6)
    y <- factor(rep(c("normal", "tumour"), 8))
    patient <- rep(1:8, each = 2)
    got <- group_markers(x, y, block = patient)
    expect_reference_markers(got, reference_markers(x, y, patient), colnames(x))
    expect_false(anyNA(got$cohen_d))
})

test_that("features of one unit are ordered by their difference", {
    case <- marker_case(2)
    want <- reference_markers(case$x, case$y, one_unit = TRUE)
    got <- group_markers(prepare_data(case$x, scale = "none"), case$y)
    expect_reference_markers(got, want, colnames(case$x))
    expect_false(identical(got$feature, group_markers(case$x, case$y)$feature))
    skip_if_not_installed("SummarizedExperiment")
    held <- SummarizedExperiment::SummarizedExperiment(list(v = t(case$x)))
    expect_identical(as.data.frame(group_markers(held, case$y)),
                     as.data.frame(got))
})

test_that("the size that counts is that of the smallest block", {
    # eight samples a group, four in each block: the feature that varies least
    # there by chance is not before the one with the largest difference
    set.seed(3)
    y <- factor(rep(c("a", "b"), each = 8))
    block <- rep(1:2, 8)
    x <- matrix(rnorm(16 * 30), 16, 30)
    x[, 1] <- x[, 1] + 4 * (y == "a")
    x[, 2] <- 0.4 * (y == "a") + 0.02 * x[, 2]
    colnames(x) <- paste0("g", 1:30)
    d <- group_markers(x, y)
    expect_identical(top_features(d, 1, group = "a"), "g2")
    by_block <- group_markers(x, y, block = block)
    expect_identical(top_features(by_block, 1, group = "a"), "g1")
    expect_reference_markers(by_block, reference_markers(x, y, block),
                             colnames(x))
    # a block that holds one of them only does not count
    more <- rbind(x, x + 0.1, x[1, ] + 0.2)
    got <- group_markers(more, y[c(1:16, 1:16, 1)], block = c(block, block, 3))
    expect_identical(top_features(got, 1, group = "a"), "g2")
})

test_that("an example by hand", {
    # a: 1, 3; b: 0, 0, 3: means 2 and 1, variances 2 and 3; of six pairs a is
    # larger in 1 > 0, 1 > 0, 3 > 0, 3 > 0 and equal in 3 = 3
    x <- cbind(f = c(1, 3, 0, 0, 3))
    got <- group_markers(x, c("a", "a", "b", "b", "b"))
    expect_equal(got$difference, c(1, -1))
    expect_equal(got$cohen_d, c(1, -1) / sqrt(2.5))
    expect_equal(got$auc, c(4.5, 1.5) / 6)
    expect_equal(got$detected, c(1, 1 / 3))
    # the ordinary t with three degrees of freedom: (2 + 6) / 3 pooled
    t <- 1 / sqrt(8 / 3 * (1 / 2 + 1 / 3))
    expect_equal(got$statistic, c(t, -t))
    expect_equal(got$p_value, rep(2 * pt(-t, 3), 2))
})

test_that("groups come from answers, spread answers or labels alike", {
    x <- random_matrix(14, 8)
    links <- pairwise_constraints(
        cannot_link = rbind(c(1, 4), c(1, 8), c(5, 9), c(14, 1)),
        must_link = rbind(c(1, 2), c(2, 3), c(4, 5), c(8, 9), c(9, 10)),
        samples = rownames(x)
    )
    y <- rep(NA, 14)
    y[1:3] <- "1"
    y[4:5] <- "2"
    y[8:10] <- "3"
    expect_message(got <- group_markers(x, links), "Left out",
                   class = "linkrank_message_groups")
    want <- group_markers(x, y)
    expect_identical(as.data.frame(got), as.data.frame(want))
    # by name, whatever other samples there are
    part <- suppressMessages(group_markers(x[c(1:10, 14), ], links))
    expect_identical(as.data.frame(part), as.data.frame(got))
    # from labels: the names of the classes
    all <- group_markers(x, constraints_from_labels(y))
    expect_identical(as.data.frame(all), as.data.frame(want))
    ranking <- glean(x, links)
    spread <- suppressMessages(group_markers(x, ranking))
    labels <- glean_labels(ranking)
    # how many of each group were answered, said where there was one
    size <- closure_groups(links)$size
    expect_equal(unname(labels$answered), as.integer(size))
    expect_output(print(spread), paste0("[0-9] samples, ", max(size), " answered)"))
    if (any(size == 1)) expect_output(print(labels), "resting on one answered")
    labels$cluster[labels$confidence < 0.3] <- NA
    want <- suppressMessages(group_markers(x, as.integer(labels$cluster)))
    expect_null(spread$p_value)
    expect_null(spread$fdr)
    columns <- names(spread)
    expect_identical(as.data.frame(spread), as.data.frame(want)[columns])
    expect_output(print(spread), "no p-values, because these data made")
})

test_that("the direction of a ranking is that of the markers", {
    x <- random_matrix(12, 6)
    links <- pairwise_constraints(cannot_link = cbind(1, 4), must_link = rbind(c(1, 2), c(2, 3), c(4, 5)),
                                  samples = rownames(x))
    ranking <- relieff_sc(x, links)
    markers <- group_markers(x, links)
    up <- markers[markers$difference > 0, ]
    at <- match(up$feature, ranking$feature)
    expect_identical(ranking$highest[at], as.character(up$group))
    expect_equal(ranking$difference[at], up$difference)
})

test_that("groups are compared with those that they are apart from", {
    case <- marker_case(4, 40, letters[1:4])
    rownames(case$x) <- paste0("s", 1:40)
    at <- match(levels(case$y), case$y)
    must <- cbind(at[case$y], 1:40)
    must <- must[must[, 1] != must[, 2], ]
    # nothing tells a from b
    links <- pairwise_constraints(
        cannot_link = rbind(at[c(1, 3)], at[c(1, 4)], at[c(2, 3)], at[c(2, 4)], at[3:4]),
        must_link = must, samples = rownames(case$x)
    )
    apart <- diag(4) == 0
    apart[1, 2] <- apart[2, 1] <- FALSE
    case$y <- factor(case$y, labels = 1:4)
    expect_message(got <- group_markers(case$x, links, pairwise = TRUE),
                   "1 pair of groups is not compared",
                   class = "linkrank_message_groups")
    columns <- setdiff(names(got), grep("[.][0-9]", names(got), value = TRUE))
    expect_reference_markers(got[columns],
                             reference_markers(case$x, case$y, apart = apart),
                             colnames(case$x))
    a <- got[got$group == levels(case$y)[1], ]
    open <- paste0(c("difference.", "cohen_d.", "auc."), levels(case$y)[2])
    expect_true(all(is.na(unlist(as.data.frame(a)[open]))))
    expect_identical(sum(is.na(a[[paste0("auc.", levels(case$y)[3])]])), 0L)
    expect_output(print(got), "1 pair of groups undecided")
    # in blocks
    blocked <- suppressMessages(group_markers(case$x, links,
                                              block = case$block))
    expect_reference_markers(blocked,
                             reference_markers(case$x, case$y, case$block,
                                               apart = apart),
                             colnames(case$x))
    # what the message says leads on
    expect_identical(sort(unname(case$y[next_pair(questionnaire(
        case$x, answers = links))])), sort(case$y[at[1:2]]))
    decided <- c(links, pairwise_constraints(cannot_link = cbind(
        links$names[at[1]], links$names[at[2]]), samples = links$names))
    expect_message(all <- group_markers(case$x, decided), NA)
    expect_identical(as.data.frame(all), as.data.frame(group_markers(
        case$x, factor(case$y, unique(case$y)))))
    # a group apart from none is left out
    fewer <- pairwise_constraints(cannot_link = rbind(at[c(1, 3)]), must_link = must,
                                  samples = rownames(case$x))
    expect_message(suppressMessages(
        part <- group_markers(case$x, fewer), "pairs of groups"),
        "Left out: 2 groups without a cannot-link to another")
    expect_setequal(part$group, levels(case$y)[c(1, 3)])
    # of many pairs five are named
    expect_message(suppressMessages(group_markers(case$x, pairwise_constraints(
        cannot_link = rbind(at[c(1, 3)]), must_link = must, samples = rownames(case$x))), "Left out"),
        "5 pairs of groups are not compared.*decides that they differ")
})

test_that("a ranking says why it has no direction", {
    x <- random_matrix(12, 4)
    ranking <- function(cannot, must) {
        relieff_sc(x, pairwise_constraints(cannot_link = cannot, must_link = must, samples = rownames(x)))
    }
    must <- rbind(c(1, 2), c(3, 4), c(5, 6))
    open <- ranking(rbind(c(1, 3), c(2, 4), c(1, 5)), must)
    expect_null(open$highest)
    expect_output(print(open), paste("No direction is shown: no answer says",
                                     "whether the groups of s3 and s5 differ."))
    expect_output(print(ranking(rbind(c(1, 3)), must)),
                  "No direction is shown: some pairs of groups")
    all <- ranking(rbind(c(1, 3), c(2, 5), c(5, 3)), must)
    expect_false(is.null(all$highest))
    printed <- utils::capture.output(all, ranking(rbind(c(1, 3), c(2, 5)), NULL))
    expect_false(any(grepl("No column", printed)))
})

test_that("constants, no degrees of freedom and infinite effects are defined", {
    x <- cbind(same = rep(2, 6), apart = c(1, 1, 0, 0, 3, 3),
               other = c(0, 1, 2, 3, 4, 9))
    got <- group_markers(x, rep(c("a", "b", "c"), each = 2))
    same <- got[got$feature == "same", ]
    expect_identical(same$difference, rep(0, 3))
    expect_identical(same$cohen_d, rep(0, 3))
    expect_identical(same$auc, rep(0.5, 3))
    expect_identical(same$p_value, rep(NA_real_, 3))
    apart <- got[got$feature == "apart", ]
    expect_identical(apart$cohen_d, c(NA, -Inf, Inf))
    expect_message(
        none <- group_markers(x[1:4, ], c("a", "b", "a", "b"),
                              block = c(1, 1, 2, 2), lfc = 0),
        NA
    )
    expect_false(all(is.na(none$p_value)))
    expect_message(
        none <- group_markers(x[1:4, ], c("a", "a", "b", "b"),
                              block = 1:4),
        "without a block in common", class = "linkrank_message_groups"
    )
    expect_true(all(is.na(none$p_value)))
})

test_that("pairs of groups are there when asked for", {
    case <- marker_case(2)
    got <- group_markers(case$x, case$y, pairwise = TRUE)
    plain <- group_markers(case$x, case$y)
    expect_equal(as.data.frame(got)[names(plain)], as.data.frame(plain))
    a <- got[got$group == "a", ]
    expect_true(all(is.na(a$cohen_d.a)))
    expect_equal(a$cohen_d, (a$cohen_d.b + a$cohen_d.c) / 2)
    expect_equal(a$auc, (a$auc.b + a$auc.c) / 2)
    expect_equal(a$difference, (a$difference.b + a$difference.c) / 2)
    two <- group_markers(case$x[case$y != "c", ],
                         droplevels(case$y[case$y != "c"]))
    two <- two[two$group == "a", ]
    expect_equal(a$cohen_d.b[order(a$feature)], two$cohen_d[order(two$feature)])
    expect_equal(a$auc.b[order(a$feature)], two$auc[order(two$feature)])
})

test_that("kinds of data and threads change no bit", {
    case <- marker_case(5, 60)
    want <- as.data.frame(group_markers(case$x, case$y, block = case$block))
    run <- function(x) {
        as.data.frame(group_markers(x, case$y, block = case$block))
    }
    expect_identical(run(as.data.frame(case$x)), want)
    sparse <- Matrix::Matrix(case$x, sparse = TRUE)
    expect_identical(run(sparse), want)
    expect_same_for_threads(function(threads) {
        group_markers(case$x, case$y, pairwise = TRUE, threads = threads)
    })
    expect_same_for_threads(function(threads) {
        group_markers(sparse, case$y, threads = threads)
    })
    skip_if_not_installed("SummarizedExperiment")
    want <- run(prepare_data(case$x, scale = "none"))  # the order of one unit
    for (values in list(t(case$x), Matrix::t(sparse))) {
        x <- SummarizedExperiment::SummarizedExperiment(
            list(logcounts = values),
            colData = S4Vectors::DataFrame(type = case$y, batch = case$block)
        )
        expect_identical(
            as.data.frame(group_markers(x, "type", block = "batch")), want
        )
    }
    skip_if_not_installed("DelayedArray")
    expect_identical(run(prepare_data(DelayedArray::DelayedArray(case$x),
                                      scale = "none")), want)
})

test_that("a clinical table: cells that are filled, levels as columns", {
    table <- data.frame(age = replace(random_matrix(12, 1)[, 1], 3, NA),
                        smokes = replace(rep(c(TRUE, FALSE), 6), 5, NA))
    for (level in c("low", "high")) {
        table[[level]] <- rep(c("low", "high", "low"), 4) == level
    }
    groups <- rep(c("a", "b", "c"), each = 4)
    filled <- vapply(table, function(column) {
        replace(as.numeric(column), is.na(column), mean(column, na.rm = TRUE))
    }, numeric(12))
    found <- group_markers(table, groups, na.action = "mean")
    expect_equal(as.data.frame(found),
                 as.data.frame(group_markers(filled, groups)))
    expect_identical(group_markers(prepare_data(table, na.action = "mean"),
                                   groups), found)
    expect_identical(found$mean[found$feature == "low"],
                     c(0.75, 0.5, 0.75))
    expect_error(group_markers(table, groups, na.action = "omit"),
                 class = "linkrank_error_argument")
})

test_that("what cannot be compared is refused in one sentence", {
    x <- random_matrix(8, 4)
    links <- function(cannot, must) {
        pairwise_constraints(cannot_link = cannot, must_link = must, samples = rownames(x))
    }
    missing <- replace(x, 3, NA)
    expect_refused("constraints",
        group_markers(x, links(NULL, rbind(c(1, 2), c(3, 4), c(5, 6)))),
        group_markers(x, structure(list(), class = "pairwise_constraints"))
    )
    expect_refused("input",
        group_markers(missing, rep(1:2, 4)),
        group_markers(data.frame(a = 1:8, b = gl(2, 4)), rep(1:2, 4)),
        # variances that overflow or vanish
        group_markers(x * 1e200, rep(1:2, 4)),
        group_markers(x * 1e306, rep(1:2, 4), block = gl(2, 4)),
        group_markers(cbind(x, far = 1e308), rep(1:2, 4)),
        group_markers(x * 1e-200, rep(1:2, 4))
    )
    expect_refused("argument",
        group_markers(x),
        group_markers(x, rep(1, 8)),
        group_markers(x, 1:8),
        group_markers(x, links(rbind(c(1, 3)), rbind(c(1, 2)))),
        group_markers(x, rep(1:2, 3)),
        group_markers(x, list(1)),
        group_markers(x, rep(1:2, 4), lfc = -1),
        group_markers(x, rep(1:2, 4), pairwise = NA),
        group_markers(x, rep(1:2, 4), block = 1:3),
        group_markers(x, rep(1:2, 4), batch = 1:8),
        group_markers(x, glean(x[1:7, ], pairwise_constraints(
            cannot_link = cbind(1, 2), samples = 7)))
    )
})

test_that("nothing to find: p-values of the size that they say", {
    set.seed(1)
    p <- unlist(lapply(1:20, function(trial) {
        x <- matrix(rnorm(15 * 200), 15)
        group_markers(x, rep(1:3, 5))$p_value
    }))
    expect_lt(abs(mean(p <= 0.05) - 0.05), 0.008)
    # rare values: the exact test bounds the false discovery rate
    found <- vapply(1:40, function(trial) {
        x <- matrix(rbinom(60 * 150, 1, 0.06) * rexp(60 * 150), 60)
        any(group_markers(x, c(rep(1, 6), rep(2, 54)))$fdr <= 0.05,
            na.rm = TRUE)
    }, NA)
    expect_lte(sum(found), 4)
})

test_that("a single feature has markers, also pair by pair", {
    set.seed(4)
    x <- matrix(rnorm(36), 18, dimnames = list(NULL, c("a", "b")))
    groups <- rep(c("u", "v", "w"), 6)
    alone <- group_markers(x[, "a", drop = FALSE], groups, pairwise = TRUE)
    both <- group_markers(x, groups, pairwise = TRUE)
    areas <- function(markers) {
        table <- as.data.frame(markers)
        table <- table[table$feature == "a", ]
        table$auc[order(table$group)]
    }
    expect_length(areas(alone), 3)
    expect_identical(areas(alone), areas(both))
})

test_that("groups that these data made get no p-values, by whatever door", {
    x <- random_matrix(24, 8)
    links <- pairwise_constraints(cannot_link = rbind(c(1, 4), c(2, 9)),
                                  must_link = rbind(c(1, 2), c(4, 5)), samples = rownames(x))
    labels <- glean_labels(glean(x, links))$cluster
    clusters <- list(pck_means(x, links, clusters = 2),
                     spectral_clustering(x, links, clusters = 3))
    more <- propagate_constraints(links, x)
    made <- c(list(labels, droplevels(labels[TRUE]), more,
                   close_constraints(more), c(links, more)),
              clusters, lapply(clusters, `[[`, "cluster"),
              list(constraints_from_labels(clusters[[1]]$cluster)))
    for (groups in made) {
        markers <- suppressMessages(group_markers(x, groups, permutations = 2))
        expect_null(markers$fdr)
        expect_output(print(markers), "no p-values, because these data made")
    }
    expect_refused("argument", confint(markers))
    # of a plain factor nobody knows
    expect_output(print(group_markers(x, factor(clusters[[1]]$cluster))),
                  "valid only if the groups were not")
    expect_output(print(group_markers(x, pairwise_constraints(
        cannot_link = cbind(1, 4), must_link = rbind(1:2, 4:5), samples = rownames(x)))), "permutations = 199")
    skip_if_not_installed("SummarizedExperiment")
    held <- SummarizedExperiment::SummarizedExperiment(list(v = t(x)))
    held$kind <- clusters[[1]]$cluster
    expect_null(group_markers(held[8:1, ], "kind")$fdr)
    expect_null(group_markers(data.frame(k = labels)$k, x = x)$fdr)
})

# One group against the mean of the others. Variance of feature f in group g: the
# factor of the group times that of the feature, drawn to its prior once, times a
# deviation, which has a prior of its own.
reference_welch <- function(x, y, g, constant, block = rep(1, nrow(x))) {
    groups <- levels(y)
    p <- ncol(x)
    df <- size <- mean <- variance <- level <- list()
    for (h in groups) {
        rows <- which(y == h)
        cells <- split(rows, block[rows])
        means <- sapply(cells, function(cell) colMeans(x[cell, , drop = FALSE]))
        mean[[h]] <- rowMeans(means)
        # of the mean of the means of its blocks
        size[[h]] <- length(cells)^2 / sum(1 / lengths(cells))
        df[[h]] <- length(rows) - length(cells)
        variance[[h]] <- sapply(1:p, function(f) {
            sum(sapply(cells, function(cell) {
                sum((x[cell, f] - mean(x[cell, f]))^2)
            })) / df[[h]]
        })
        least <- 1e-5 * median(variance[[h]][!constant])
        level[[h]] <- log(pmax(variance[[h]], least)) - digamma(df[[h]] / 2) +
            log(df[[h]] / 2)
    }
    factor <- sapply(level, function(own) exp(mean(own[!constant])))
    all <- sum(unlist(df))
    feature <- sapply(1:p, function(f) {
        sum(sapply(groups, function(h) {
            df[[h]] * variance[[h]][f] / factor[[h]]
        })) / all
    })
    prior <- reference_prior(feature[!constant], all)
    if (is.infinite(prior$df)) feature <- rep(prior$variance, p) else
        feature <- (prior$df * prior$variance + all * feature) / (prior$df + all)
    excess <- weight <- c()
    for (i in seq_along(groups)) for (j in seq_len(i - 1)) {
        noise <- trigamma(df[[i]] / 2) + trigamma(df[[j]] / 2)
        ratio <- var((level[[i]] - level[[j]])[!constant])
        excess <- c(excess, (ratio - noise) / 2)
        weight <- c(weight, 1 / noise^2)
    }
    excess <- sum(weight * excess) / sum(weight)
    k <- if (excess <= 0) Inf else
        2 * uniroot(function(v) trigamma(v) - excess, c(1e-3, 1e6), tol = 1e-12)$root
    error <- share <- estimate <- 0
    for (h in groups) {
        w <- if (h == g) 1 else -1 / (length(groups) - 1)
        post <- if (is.infinite(k)) factor[[h]] * feature else
            (k * factor[[h]] * feature + df[[h]] * variance[[h]]) / (k + df[[h]])
        estimate <- estimate + w * mean[[h]]
        error <- error + w^2 * post / size[[h]]
        share <- share + (w^2 * post / size[[h]])^2 / (k + df[[h]])
    }
    df <- pmin(all + prior$df, error^2 / share)
    t <- estimate / sqrt(error)
    t[constant] <- NA
    data.frame(statistic = t, p_value = 2 * pt(-abs(t), df),
               lower = estimate - qt(0.95, df) * sqrt(error))
}

test_that("a variance for each group is a moderated Welch test, with intervals", {
    for (seed in 1:4) for (groups in list(c("u", "v"), c("a", "b", "c"))) {
        case <- marker_case(seed, 40, groups)
        # variances that deviate by feature, group and both, but for two seeds
        own <- which(!colnames(case$x) %in% c("g5", "g6"))
        if (seed > 2) case$x[, own] <- case$x[, own] *
            exp(matrix(rnorm(3 * length(own)), 3))[as.integer(case$y), ]
        constant <- colnames(case$x) %in% c("g5", "g6")
        got <- group_markers(case$x, case$y, variance = "group")
        within <- confint(got, level = 0.9)
        for (g in groups) {
            want <- reference_welch(case$x, case$y, g, constant)
            own <- which(got$group == g)
            own <- own[match(colnames(case$x), got$feature[own])]
            expect_equal(got$statistic[own], want$statistic)
            expect_equal(got$p_value[own], want$p_value)
            expect_equal(within$lower[own][!constant], want$lower[!constant])
        }
    }
    # blocks: the mean over the blocks, one variance for each group
    y <- factor(rep(c("u", "v"), each = 12))
    block <- rep(1:2, 12)
    x <- random_matrix(24, 5)
    got <- group_markers(x, y, block = block, variance = "group")
    want <- reference_welch(x, y, "u", logical(5), block)
    expect_equal(got$statistic[got$group == "u"],
                 want$statistic[match(got$feature[got$group == "u"],
                                      colnames(x))])
    # a group of one sample in each block has no variance, and so no test
    got <- group_markers(x[c(1:12, 13:14), ], y[1:14], block = block[1:14],
                         variance = "group")
    expect_true(all(is.na(got$p_value)))
    expect_true(all(is.na(got$statistic)))
})

test_that("features that were picked have wider intervals", {
    case <- marker_case(6, 40)
    plain <- group_markers(case$x, case$y)
    # those of all features hold the difference that the test refuses
    inside <- confint(plain)
    zero <- inside$lower <= 0 & inside$upper >= 0
    known <- !is.na(plain$p_value)
    expect_identical(zero[known], plain$p_value[known] >= 0.05)
    # k of the m rows of all groups: level 1 - (1 - level) k / m
    two <- confint(plain, c("g1", "g7"), level = 0.9)
    expect_identical(nrow(two), 6L)
    want <- confint(plain, c("g1", "g7"), level = 1 - 0.1 * 2 / 9,
                    selected = FALSE)
    expect_equal(two, want)
    one <- plain[which.min(plain$p_value), ]
    expect_equal(confint(one), confint(one, level = 1 - 0.05 / 27, selected = FALSE))
    # rows that were taken out of the table are picked as well
    expect_equal(confint(plain[plain$feature %in% c("g1", "g7"), ], level = 0.9),
                 want)
    expect_error(confint(plain, mean), "`parm` must be names",
                 class = "linkrank_error_argument")
    expect_refused("argument", confint(plain, selected = NA),
                   confint(plain, c("g1", "new")), confint(plain, 1:2))
    # coverage of the best row of twenty groups without a difference: counted by
    # features it was .24
    set.seed(5)
    hold <- replicate(trials(100), {
        markers <- group_markers(matrix(rnorm(100 * 40), 100), rep(1:20, 5))
        best <- confint(markers[which.min(markers$p_value), ])
        best$lower <= 0 && best$upper >= 0
    })
    expect_gt(mean(hold), 0.8)
    # coverage of the two best of features without a difference
    set.seed(4)
    miss <- replicate(trials(40), {
        markers <- group_markers(matrix(rnorm(20 * 100), 20), rep(1:2, 10))
        best <- top_features(markers, 2, group = "1")
        vapply(c(TRUE, FALSE), function(selected) {
            bounds <- confint(markers, best, selected = selected)
            mean(bounds$lower > 0 | bounds$upper < 0)
        }, 0)
    })
    expect_lt(mean(miss[1, ]), 0.15)
    expect_gt(mean(miss[2, ]), 0.5)
})

test_that("a message tells of groups whose variances differ", {
    set.seed(5)
    named <- function(few, many, sd, share = 1) {
        y <- rep(c("few", "many"), c(few, many))
        wide <- matrix(rnorm((few + many) * 200), few + many)
        changed <- seq_len(200 * share)
        wide[y == "few", changed] <- sd * wide[y == "few", changed]
        list(x = wide, y = y)
    }
    # also for groups of three, unequal sizes of any ratio, a part of the features
    for (case in list(named(5, 30, 3), named(3, 30, 3), named(6, 11, 3),
                      named(5, 40, 4, 0.2), named(30, 5, 1 / 3))) {
        expect_message(group_markers(case$x, case$y), "variance = \"group\"",
                       class = "linkrank_message_variance")
        expect_no_message(group_markers(case$x, case$y, variance = "group"))
    }
    for (case in list(named(5, 30, 1), named(3, 30, 1), named(12, 12, 3))) {
        expect_no_message(group_markers(case$x, case$y))
    }
    # nothing to be found, but features with variances of their own: each group
    # drawn towards its own prior had a discovery in .25 and .62 of data sets
    for (few in 2:3) {
        found <- replicate(trials(160), {
            x <- named(few, few, 1)$x * rep(sqrt(2 / rgamma(200, 2)), each = 2 * few)
            min(group_markers(x, rep(1:2, each = few), variance = "group")$fdr)
        })
        expect_lt(mean(found <= 0.05), 0.3)
    }
})

test_that("a message tells of skewed values in groups of different size", {
    set.seed(5)
    x <- exp(matrix(rnorm(42 * 300), 42))
    y <- rep(c("few", "many"), c(2, 40))
    said <- function(...) tryCatch({
        group_markers(...)
        ""
    }, linkrank_message_skewness = conditionMessage)
    measured <- function(x, ...) {
        data <- marker_data(prepared(x, ...,
                                     uses = c("block", "unit", "na.action")))
        design <- read_design(y, data)
        moments <- compare_groups(group_moments(
            data, design$code, 2, design$block, "mean", data$control), NULL)
        residual_skewness(moments, data, design, detection_counts(moments))
    }
    # the third moment of what is left of the group means
    few <- x[, 1:100]
    rest <- few - rowsum(few, y)[y, ] / c(table(y))[y]
    expect_equal(measured(few),
                 median(colMeans(rest^3) / colMeans(rest^2)^1.5))
    # one value for all containers, and residuals of cells with blocks
    expect_identical(measured(Matrix::Matrix(few, sparse = TRUE)),
                     measured(few))
    if (requireNamespace("HDF5Array", quietly = TRUE)) {
        expect_identical(measured(in_file(few, c(10, 20))), measured(few))
    }
    block <- rep(1:2, 21)
    rest <- few - rowsum(few, paste(y, block))[paste(y, block), ] /
        c(table(paste(y, block)))[paste(y, block)]
    expect_equal(measured(few, block = block),
                 median(colMeans(rest^3) / colMeans(rest^2)^1.5))
    expect_match(said(x, y), "take logs, or `permutations = 199`.",
                 fixed = TRUE)
    expect_match(said(x - 1, y), "too small: `permutations = 199`.",
                 fixed = TRUE)
    expect_match(said(x, y, lfc = 1), "with `lfc = 0`", fixed = TRUE)
    expect_match(said(Matrix::Matrix(x, sparse = TRUE), y), "skewed")
    expect_match(said(matrix(rnbinom(104 * 300, mu = 20, size = 1), 104),
                      rep(1:2, c(4, 100))), "skewed")
    expect_warning(raw <- said(colon$x, colon$tissue), "not logged")
    expect_match(raw, "skewed")
    # cured, the same sizes, or the tail of zeros of a rare feature
    expect_identical(said(log(x), y), "")
    expect_identical(said(x, y, permutations = 2), "")
    expect_identical(said(x, rep(1:2, 21)), "")
    expect_identical(said(log2(colon$x), colon$tissue), "")
    expect_identical(said(matrix(rpois(42 * 300, 0.2), 42), y), "")
    expect_identical(said(cbind(perfect = y == "few", none = 0), y), "")
})

test_that("exchanged groups: p-values that hold, within blocks, on workers", {
    case <- marker_case(2, 30, c("u", "v"))
    set.seed(9)
    got <- group_markers(case$x, case$y, permutations = 30, block = case$block)
    set.seed(9)
    design <- lapply(1:30, function(b) {
        y <- case$y
        for (k in 1:3) {
            own <- which(case$block == k)
            y[own] <- y[own[sample.int(length(own))]]
        }
        y
    })
    given <- group_markers(case$x, case$y, block = case$block)
    sets <- sapply(design, function(y) {
        set <- suppressMessages(group_markers(case$x, y, block = case$block))
        abs(set$statistic[match(paste("u", colnames(case$x)),
                                paste(set$group, set$feature))])
    })
    at <- match(paste("u", colnames(case$x)), paste(got$group, got$feature))
    wanted <- (rowSums(sets >= abs(given$statistic[match(
        paste("u", colnames(case$x)), paste(given$group, given$feature))]) -
            1e-9) + 1) / 31
    known <- !is.na(got$p_value[at])
    expect_true(all(known[-(5:6)]))
    expect_equal(got$p_value[at][known], wanted[known])
    expect_equal(got$statistic, given$statistic)
    expect_output(print(got), "by 30 permutations")
    expect_refused("argument", group_markers(case$x, case$y, lfc = 1,
                                             permutations = 9),
                   group_markers(case$x, case$y, permutations = -1),
                   group_markers(case$x, case$y, variance = "own"))
    # nothing to find
    set.seed(3)
    p <- unlist(lapply(1:10, function(trial) {
        group_markers(matrix(rt(18 * 60, 3), 18), rep(1:2, c(4, 14)),
                      permutations = 39)$p_value
    }))
    expect_lt(abs(mean(p <= 0.05) - 0.05), 0.03)
})

test_that("the guard of rare values holds for shifted data too", {
    set.seed(8)
    counts <- matrix(rpois(60 * 40, 0.3), 60)
    y <- rep(1:2, c(6, 54))
    fdr <- function(x) group_markers(x, y)$fdr
    expect_equal(fdr(counts), fdr(counts - 0.5))
    expect_equal(sort(fdr(counts)), sort(fdr(-counts)))
    # zeros that are equal but for rounding, as in logs of counts per million
    expect_equal(fdr(counts - 0.5 + rep(c(0, 1e-13, -1e-13), 20)), fdr(counts))
})

test_that("clusters go with their samples' names", {
    set.seed(12)
    kind <- rep(1:2, 15)
    x <- random_matrix(30, 4) + 2 * kind
    rownames(x) <- paste0("s", 1:30)
    links <- constraints_from_labels(replace(kind, 9:30, NA))
    ranking <- glean(x, links)
    turned <- x[30:1, ]
    for (groups in list(ranking, glean_labels(ranking),
                        pck_means(x, links, clusters = 2))) {
        expect_silent(here <- group_markers(x, groups))
        expect_silent(there <- group_markers(turned, groups))
        expect_equal(as.data.frame(there), as.data.frame(here))
        part <- suppressMessages(group_markers(x[1:20, ], groups))
        expect_identical(length(unique(part$group)), 2L)
    }
    other <- x
    rownames(other) <- paste0("t", 1:30)
    expect_error(group_markers(other, ranking), class = "linkrank_error")
})
