# ---- paired t over the constraints ------------------------------------------

# Continuous features, one factor and one with gaps.
mixed_frame <- function(n, p) {
    x <- data.frame(matrix(rnorm(n * p), n))
    x[[p - 1L]] <- factor(sample(c("a", "b", "c"), n, replace = TRUE))
    x[[p]][sample.int(n, 3L)] <- NA
    x
}

random_links <- function(n, cannot, must) {
    constraints_from_labels(rep(1:3, length.out = n), cannot, must)
}

test_that("statistics are those of t.test() over the constraints", {
    for (direction in c("both", "first")) {
        for (pairs in c(2, 3, 25)) {
            set.seed(pairs)
            x <- mixed_frame(24, 12)
            links <- random_links(24, pairs, 4)
            got <- in_column_order(relieff_sc(x, links, direction = direction))
            margins <- reference_relieff_sc(x, links,
                                            direction = direction)$margins
            tests <- apply(margins, 2L, function(margin) {
                test <- t.test(margin, alternative = "greater")
                c(test$statistic, test$p.value)
            })
            expect_equal(got$statistic, tests[1L, ], tolerance = 1e-10)
            expect_equal(got$p_value, tests[2L, ], tolerance = 1e-10)
            expect_identical(got$adj_p_value, p.adjust(got$p_value, "BH"))
            expect_equal(got$adj_p_value, reference_adjusted(got$p_value))
        }
    }
})

test_that("adjusted p-values leave out features without a statistic", {
    set.seed(1)
    x <- random_matrix(20, 10)
    x[, c(2, 9)] <- 3
    got <- in_column_order(relieff_sc(x, few_links(20)))
    expect_identical(which(is.na(got$statistic)), c(2L, 9L))
    expect_identical(which(is.na(got$adj_p_value)), c(2L, 9L))
    expect_identical(
        got$adj_p_value[-c(2, 9)],
        in_column_order(relieff_sc(x[, -c(2, 9)], few_links(20)))$adj_p_value
    )
})

# Groups of four samples far apart in `group`: n, its hit, m, its hit. In
# `value` they stand at 0, 1, 7, 5 from an offset of their own, so that every
# margin is 5 - 1 = 4, back 6 - 2 = 4, over the range.
equal_margins <- function(offsets) {
    groups <- length(offsets)
    x <- cbind(group = rep(1e8 * seq_len(groups), each = 4),
               value = rep(offsets, each = 4) + c(0, 1, 7, 5))
    first <- 4 * seq_len(groups) - 3
    list(x = x, links = pairwise_constraints(cbind(first, first + 2),
                                             samples = nrow(x)))
}

test_that("margins that are equal but for rounding have no statistic", {
    offsets <- c(0, 13, 29, 31, 57, 83, 90, 100)
    # the wider the range, the smaller are the margins next to the values
    for (width in c(1, 7, 1e3, 1e6)) {
        example <- equal_margins(round(offsets * width))
        for (scale in c("range", "zscore", "none")) {
            margins <- reference_relieff_sc(example$x, example$links, k = 1,
                                            must_link = "ignore",
                                            scale = scale)$margins
            got <- in_column_order(relief_sc(example$x, example$links,
                                             must_link = "ignore",
                                             scale = scale))
            expect_equal(got$margin[2L], sum(margins[, 2L]))
            expect_identical(got$statistic, c(NA_real_, NA_real_))
            expect_identical(got$p_value, c(NA_real_, NA_real_))
        }
    }
    # the plain formula is misled
    expect_gt(sd(margins <- reference_relieff_sc(
        equal_margins(offsets)$x, equal_margins(offsets)$links, k = 1,
        must_link = "ignore"
    )$margins[, 2L]), 0)
    expect_lt(sd(margins), 1e-16)
})

test_that("a small spread is no rounding", {
    # margins of 4 and one of 5 over a range of 1e6, or of 4 + 1e-6 over 100
    example <- equal_margins(c(0, 3e5, 1e6))
    example$x[4, 2] <- 6
    got <- in_column_order(relief_sc(example$x, example$links))
    margins <- reference_relieff_sc(example$x, example$links, k = 1)$margins
    expect_equal(got$statistic[2L],
                 t.test(margins[, 2L])$statistic[["t"]], tolerance = 1e-6)
    example <- equal_margins(c(0, 40, 100))
    example$x[4, 2] <- 5 + 1e-6
    got <- in_column_order(relief_sc(example$x, example$links))
    margins <- reference_relieff_sc(example$x, example$links, k = 1)$margins
    expect_equal(got$statistic[2L],
                 t.test(margins[, 2L])$statistic[["t"]], tolerance = 1e-6)
})

test_that("rank_by = \"statistic\" orders by it, without one last", {
    set.seed(1)
    x <- random_matrix(25, 14)
    x[, c(1, 6)] <- 0
    x[, 11] <- x[, 3]
    links <- random_links(25, 8, 3)
    by_margin <- relieff_sc(x, links)
    by_statistic <- relieff_sc(x, links, rank_by = "statistic")
    expect_identical(in_column_order(by_statistic), in_column_order(by_margin))
    wanted <- order(-in_column_order(by_margin)$statistic)
    expect_identical(by_statistic$feature, colnames(x)[wanted])
    expect_identical(by_statistic$feature[13:14], c("g1", "g6"))
    expect_identical(ranking_info(by_statistic)$key, "statistic")
    # copies keep the order of columns
    expect_identical(diff(match(c("g3", "g11"), by_statistic$feature)), 1L)

    one <- relieff_sc(x, links[1], rank_by = "statistic")
    expect_identical(one$feature, colnames(x))
})

# ---- permutations -----------------------------------------------------------

# The sets of pairs that a call draws after the same set.seed().
drawn_sets <- function(constraints, permutations) {
    pairs <- reference_pairs(constraints)
    n <- constraints$samples
    same <- reference_closure(pairs$cannot, pairs$must, n)$same
    lowest <- max.col(same, "first")
    draw <- pair_sampler(match(lowest, unique(lowest)), same = FALSE)
    lapply(seq_len(permutations), function(b) draw(nrow(pairs$cannot)))
}

permutation_p <- function(x, constraints, ..., permutations = 19) {
    ranking <- suppressWarnings(
        relieff_sc(x, constraints, ..., permutations = permutations),
        classes = "linkrank_warning_margin"
    )
    in_column_order(ranking)$permutation_p_value
}

test_that("random pairs come from those that are not must-linked", {
    set.seed(1)
    links <- pairwise_constraints(rbind(c(1, 6), c(2, 7)),
                                  rbind(c(1, 2), c(2, 3), c(6, 8)),
                                  samples = 9)
    together <- rbind(c(1, 2), c(1, 3), c(2, 3), c(6, 8))
    sets <- drawn_sets(links, 300)
    pairs <- do.call(rbind, sets)
    keys <- paste(pmin(pairs[, 1], pairs[, 2]), pmax(pairs[, 1], pairs[, 2]))
    expect_false(any(keys %in% paste(together[, 1], together[, 2])))
    expect_length(unique(keys), 9 * 8 / 2 - 4) # all the others
    expect_false(any(vapply(sets, function(set) {
        anyDuplicated(t(apply(set, 1L, sort))) > 0L
    }, NA)))
})

test_that("p-values count the drawn sets that do as well", {
    settings <- expand.grid(
        must_link = c("use", "ignore"), direction = c("both", "first"),
        distance = c("manhattan", "euclidean"), k = c(1, 3, 12),
        stringsAsFactors = FALSE
    )
    expect_every(nrow(settings), function(i) {
        options <- as.list(settings[i, ])
        set.seed(i)
        n <- sample(9:14, 1L)
        # ratings: many margins are equal in other words
        x <- if (i %% 3) mixed_frame(n, 6) else
            matrix(sample.int(3L, 6 * n, replace = TRUE), n)
        links <- if (i %% 4) random_links(n, sample(2:6, 1L), i %% 3) else
            constraints_from_labels(c("a", "b", sample(c("a", NA), n - 2L,
                                                       replace = TRUE)))
        set.seed(100 + i)
        sets <- drawn_sets(links, 19)
        wanted <- do.call(reference_permutations,
                          c(list(x, links, sets), options))
        set.seed(100 + i)
        got <- do.call(permutation_p, c(list(x, links), options))
        isTRUE(all.equal(got, wanted))
    })
})

test_that("the same pairs in another order are as good", {
    # all labelled: there are no other pairs to draw
    set.seed(1)
    x <- matrix(sample.int(10L, 15 * 40, replace = TRUE), 15)
    links <- constraints_from_labels(rep(1:3, 5))
    expect_identical(permutation_p(x, links), rep(1, 40))
})

test_that("a constant feature is never better than chance", {
    x <- cbind(random_matrix(15, 3), constant = 1)
    set.seed(1)
    ranking <- relieff_sc(x, few_links(15), permutations = 9)
    expect_identical(in_column_order(ranking)$permutation_p_value[4L], 1)
    expect_true(all((ranking$permutation_p_value * 10) %in% 1:10))
    expect_null(relieff_sc(x, few_links(15))$permutation_p_value)
})

test_that("sets are counted in any portions, by any number of threads", {
    set.seed(1)
    x <- mixed_frame(20, 15)
    links <- random_links(20, 10, 4)
    options <- ranking_info(relieff_sc(x, links))$parameters
    input <- scale_for_margins(
        list(data = as_feature_data(x, missing = "keep"), constraints = links),
        options, run_control(1, FALSE)
    )
    sets <- drawn_sets(links, 30)
    count <- function(sets) {
        count_at_least(sets, list(
            input = input, least = numeric(input$data$p), options = options,
            control = run_control(1, FALSE)
        ))
    }
    expect_identical(count(sets[1]) + count(sets[2:12]) + count(sets[13:30]),
                     count(sets))

    once <- function(...) {
        set.seed(7)
        relieff_sc(x, links, permutations = 40, ...)
    }
    expect_same_for_threads(function(threads) once(threads = threads))
    old <- options(linkrank.portable = TRUE)
    on.exit(options(old))
    expect_identical(once(), {
        options(old)
        once()
    })
})

test_that("sets that do not fit into memory are drawn in batches", {
    set.seed(1)
    x <- matrix(rnorm(120 * 3), 120)
    links <- constraints_from_labels(rep(c(1, 2, NA), c(45, 45, 30)))
    # 2025 pairs with 119 hits at either end: 16 sets at a time
    options <- ranking_info(relieff_sc(x, links, k = 1000))$parameters
    control <- run_control(1, FALSE)
    input <- scale_for_margins(
        list(data = as_feature_data(x), constraints = links), options, control
    )
    sums <- constrained_margins(input, options, control)
    options$permutations <- 40
    set.seed(2)
    got <- permutation_p_values(input, sums, options, control)
    set.seed(2)
    sets <- drawn_sets(links, 40)
    together <- count_at_least(sets, list(
        input = input, least = sums$margin - sums$pairs * sums$rounding,
        options = options, control = control
    ))
    expect_identical(got, (together + 1) / 41)
})

test_that("p-values of pairs without meaning are uniform", {
    p_values <- lapply(1:25, function(seed) {
        set.seed(seed)
        x <- matrix(rnorm(25 * 20), 25)
        # pairs at random, drawn as their replacements are
        links <- pairwise_constraints(drawn_sets(few_links(25), 1)[[1L]],
                                      cbind(1, 2), samples = 25)
        permutation_p(x, links, k = 2, permutations = 39)
    })
    p_values <- unlist(p_values)
    expect_lt(max(abs(ecdf(p_values)(1:39 / 40) - 1:39 / 40)), 0.08)

    # with many ties they may be larger, but not smaller
    p_values <- unlist(lapply(1:25, function(seed) {
        set.seed(seed)
        x <- matrix(sample.int(3L, 12 * 20, replace = TRUE), 12)
        links <- pairwise_constraints(drawn_sets(few_links(12)[1:2], 1)[[1L]],
                                      samples = 12)
        permutation_p(x, links, k = 2, permutations = 39)
    }))
    expect_lt(max(ecdf(p_values)(1:39 / 40) - 1:39 / 40), 0.08)
})

test_that("the table shows permutation p-values if they fit", {
    x <- round(random_matrix(20, 4), 1)
    set.seed(1)
    expect_snapshot(relieff_sc(x, few_links(20), permutations = 99))
})
