# ---- drawing ----------------------------------------------------------------

relabelled_all <- function(n, sets, seed, block = NULL) {
    set.seed(seed)
    relabelled_samples(n, seq_len(n), sets, block)
}

test_that("samples are permuted whole, or within blocks", {
    set.seed(3)
    by_hand <- cbind(sample.int(9), sample.int(9))
    expect_identical(relabelled_all(9, 2, 3), by_hand)
    expect_identical({
        set.seed(3)
        relabelled_samples(9, c(2L, 7L), 2)
    }, by_hand[c(2, 7), ])

    block <- c(2L, 1L, 2L, NA, 1L, 2L, 1L, 2L)
    drawn <- relabelled_all(8, 40, 1, block)
    for (level in 1:2) {
        rows <- which(block == level)
        expect_true(all(apply(drawn[rows, ], 2L, sort) == rows))
    }
    expect_true(all(drawn[4, ] == 4)) # in no block
    set.seed(5)
    first <- c(2L, 5L, 7L)[sample.int(3)]
    expect_identical(relabelled_all(8, 1, 5, block)[c(2, 5, 7), 1], first)
})

test_that("after questions only the samples in pairs change places", {
    among <- c(2L, 3L, 5L, 8L)
    set.seed(4)
    by_hand <- cbind(sample.int(4), sample.int(4))
    set.seed(4)
    drawn <- relabelled_samples(9, seq_len(9), 2, NULL, among)
    expect_identical(drawn[among, ], matrix(among[by_hand], 4))
    expect_identical(drawn[-among, ], matrix(setdiff(1:9, among), 5, 2))
    block <- c(1L, 1L, 2L, 2L, 1L, 1L, 2L, 2L, 1L)
    drawn <- relabelled_samples(9, seq_len(9), 40, block, among)
    expect_true(all(apply(drawn[c(2, 5), ], 2L, sort) == c(2, 5)))
    expect_true(all(apply(drawn[c(3, 8), ], 2L, sort) == c(3, 8)))
})

# ---- against the reference --------------------------------------------------

mixed_frame <- function(n, p) {
    x <- data.frame(matrix(rnorm(n * p), n))
    x[[p - 1L]] <- factor(sample(c("a", "b", "c"), n, replace = TRUE))
    x[[p]][sample.int(n, 3L)] <- NA
    x
}

permuted <- function(x, constraints, ..., scale = "range", permutations = 19) {
    suppressWarnings(
        relieff_sc(x, constraints, ..., scale = scale,
                   permutations = permutations),
        classes = "linkrank_warning_margin"
    )
}

significance <- c("p_value", "fdr", "family_p_value")

random_constraints <- function(n, must) {
    groups <- sample(rep(1:4, length.out = n))
    constraints_from_labels(groups, cannot_link = sample(2:6, 1L), must_link = must)
}

relabelling <- function(x, links, ..., block = NULL) {
    options <- summary(relieff_sc(x, links, ...))$parameters
    control <- run_control(1, FALSE)
    input <- scale_for_margins(
        list(data = prepared(x, scale = options$scale,
                             distance = options$distance,
                             uses = c("scale", "distance")),
             constraints = links, block = block,
             pairs = pairs_of(links, block)), options$own_term
    )
    list(input = input, options = options, control = control,
         graph = constraint_graph(input, options))
}

test_that("p-values are those of the relabelled samples, counted slowly", {
    settings <- expand.grid(
        must_link = c("use", "ignore"), direction = c("both", "first"),
        distance = c("manhattan", "euclidean"), k = c(1, 3, 12),
        stringsAsFactors = FALSE
    )
    expect_every(nrow(settings), function(i) {
        # 5 has no divisor in common with their number: all values come soon
        options <- as.list(settings[1 + (5 * i) %% nrow(settings), ])
        set.seed(i)
        n <- sample(9:14, 1L)
        # ratings: many margins are equal in other words
        x <- if (i %% 3) mixed_frame(n, 6) else
            matrix(sample.int(3L, 6 * n, replace = TRUE), n)
        # hubs, groups larger than k, and pairs from labels
        links <- switch(1L + i %% 4L, random_constraints(n, 5),
                        random_constraints(n, 0),
                        pairwise_constraints(cannot_link = cbind(1, 5:8),
                                             must_link = rbind(c(1, 2), c(2, 3), c(3, 4)),
                                             samples = n),
                        constraints_from_labels(c("a", "b", sample(
                            c("a", NA), n - 2L, replace = TRUE))))
        samples <- relabelled_all(n, 9, 100 + i)
        wanted <- do.call(reference_relabelling,
                          c(list(x, links, samples), options))
        set.seed(100 + i)
        got <- in_column_order(do.call(permuted, c(list(x, links), options,
                                                   permutations = 9)))
        isTRUE(all.equal(got[significance], wanted[significance]))
    })
})

test_that("after questions p-values are those among the samples in pairs", {
    expect_every(24, function(seed) {
        set.seed(seed)
        n <- sample(12:16, 1L)
        x <- mixed_frame(n, 5)
        x[[1L]] <- rep(c(0, 1), c(n - 2L, 2L)) # nearly constant
        links <- random_constraints(n, 3)
        links$origin <- if (seed %% 3) "questions" else "data"
        among <- sort(unique(c(links$first, links$second)))
        set.seed(200 + seed)
        samples <- relabelled_samples(n, seq_len(n), 9, NULL, among)
        wanted <- reference_relabelling(x, links, samples, k = 2,
                                        among = among)
        set.seed(200 + seed)
        got <- in_column_order(suppressMessages(suppressWarnings(permuted(
            x, links, k = 2, permutations = 9
        ), classes = "linkrank_warning_significance")))
        isTRUE(all.equal(got[significance], wanted))
    })
})

test_that("p-values that are less than they seem are announced", {
    x <- random_matrix(20, 4)
    links <- few_links(rownames(x))
    tested <- function(x, links) {
        set.seed(1)
        permuted(x, links, permutations = 9)
    }
    expect_silent(tested(x, links))
    chosen <- pairwise_constraints(as.data.frame(links),
                                   samples = rownames(x),
                                   origin = "data")
    expect_warning(tested(x, chosen), class = "linkrank_warning_significance")
    viewed <- with_origin(links, "features in view")
    expect_warning(tested(x, viewed), "answers were given with features in view",
                   class = "linkrank_warning_significance")
    expect_output(print(relieff_sc(x, viewed)), "not valid, because answers were")
    asked <- active_constraints(x, rep(c("a", "b"), 10), n = 12, ask = "pairs")
    rare <- cbind(x, rare = c(1, numeric(19)))
    few <- active_constraints(x, rep(c("a", "b"), 10), n = 3, ask = "pairs")
    ties <- matrix(rep(c(0, 1, 1), length.out = 80), 20)
    expect_snapshot({
        tested(x, chosen)
        relieff_sc(x, chosen)
        tested(rare, asked)
        relieff_sc(x, asked)
        tested(x, few)
        tested(ties, pairwise_constraints(cannot_link = cbind(1:4, 5:8), samples = 20))
    })
})

test_that("of given pairs that make groups print names group_markers()", {
    x <- random_matrix(20, 4)
    pairs <- function(must) pairwise_constraints(cannot_link = cbind(1, 3), must_link = must,
                                                 samples = rownames(x))
    expect_output(print(relieff_sc(x, pairs(rbind(1:2, 3:4)))),
                  "power with the 2 groups of 4 samples")
    said <- capture.output(print(relieff_sc(x, pairs(rbind(1:2)))))
    expect_false(any(grepl("group_markers", said)))
})

test_that("with blocks samples are permuted within them", {
    expect_every(40, function(seed) {
        set.seed(seed)
        n <- sample(12:16, 1L)
        x <- matrix(rnorm(n * 5), n)
        block <- sample(rep(1:2, c(5, n - 5)))
        # must-links across blocks, groups larger than k, labels
        links <- if (seed %% 3) random_constraints(n, 6) else
            constraints_from_labels(sample(c(1, 2, NA), n, replace = TRUE))
        if (pairs_of(links, block)$count == 0) {
            return(TRUE)
        }
        k <- sample(4L, 1L)
        samples <- relabelled_all(n, 9, seed, block)
        wanted <- reference_relabelling(x, links, samples, k = k,
                                        block = block)
        set.seed(seed)
        got <- in_column_order(suppressMessages(
            permuted(x, links, k = k, block = block, permutations = 9)
        ))
        isTRUE(all.equal(got[significance], wanted))
    })
    # many pairs of labels, set by set
    set.seed(1)
    x <- matrix(rnorm(120 * 3), 120)
    block <- rep(1:2, 60)
    links <- constraints_from_labels(sample(rep(1:3, 40)))
    shared <- relabelling(x, links, block = block)
    all <- relabelled_all(120, 3, 4, block)
    by_set <- margins_set_by_set(all, shared)
    expect_equal(by_set, t(apply(all, 2L, function(place) {
        labels <- links$class_of
        labels[place] <- links$class_of
        in_column_order(suppressMessages(
            relieff_sc(x, constraints_from_labels(labels), block = block)
        ))$margin
    })))
})

test_that("tests of margins, by hand", {
    # z - z_0: feature 1: 0, -1, -1, -2; feature 2: 0, 1, 0, -1
    margins <- list(cbind(5, 1), cbind(c(4, 4), c(2, 1)), cbind(3, 0))
    got <- relabelling_tests(margins, c(0, 0), c(FALSE, FALSE), c(TRUE, TRUE))
    # 1 of 4; itself, one larger and one equal
    expect_equal(got$p_value, c(1, 3) / 4)
    # T: 1, 0, 0, -1 times sqrt(3 / 2) and 0, 1, 0, -1 times the same; at the
    # largest 2 of 8 are reached, by 1 feature: 1/2; at 0, 6 of 8 by 2: 3/4
    expect_equal(got$fdr, c(2 / 4 / 1, 6 / 4 / 2))
    # largest of each set: given, then 1, 0, -1 times sqrt(3 / 2)
    expect_equal(got$family_p_value, c(2, 3) / 4)
})

test_that("tests of margins are those of the definition", {
    for (seed in 1:10) {
        set.seed(seed)
        z <- matrix(if (seed %% 2) rnorm(20 * 30) else
            sample.int(4L, 20 * 30, replace = TRUE), 20)
        z[, 3] <- 1 # no spread
        none <- seq_len(30) %in% c(7, 30)
        chunks <- list(z[1, , drop = FALSE], z[2:8, ], z[9, , drop = FALSE],
                       z[10:20, ])
        varied <- seq_len(30) != 12
        got <- relabelling_tests(chunks, rep(1e-12, 30), none, varied)
        expect_equal(got, reference_relabelling_tests(z, !none, varied))
        expect_identical(got$p_value[3], 1)
        expect_identical(which(is.na(got$p_value)), c(7L, 30L))
        expect_identical(which(is.na(got$family_p_value)), c(7L, 12L, 30L))
    }
})

test_that("from 100 features on T is less the median of its set", {
    expect_every(24, function(seed) {
        set.seed(seed)
        p <- sample(c(99:102, 130), 1L)
        none <- seq_len(p) %in% if (seed %% 2) c(7, 30)
        varied <- seq_len(p) != 12
        z <- matrix(if (seed %% 3) rnorm(20 * p) else
            sample.int(4L, 20 * p, replace = TRUE), 20)
        # pairs as given, and some of the sets, are far apart in all features
        z <- z + c(1, rnorm(19))
        z[, 3] <- 1
        z[, 5] <- z[, 4] # equal ones stay equal
        chunks <- list(z[1, , drop = FALSE], z[2:8, ], z[9, , drop = FALSE],
                       z[10:20, ])
        got <- relabelling_tests(chunks, rep(1e-12, p), none, varied,
                                 centred = TRUE)
        wanted <- reference_relabelling_tests(z, !none, varied, centred = TRUE)
        plain <- relabelling_tests(chunks, rep(1e-12, p), none, varied)
        identical(got$p_value, plain$p_value) &&
            isTRUE(all.equal(got, wanted)) && got$family_p_value[3] == 1 &&
            identical(got, plain) == (sum(varied & !none) < 100)
    })
    # copies of one feature have nothing left
    z <- matrix(rnorm(20), 20, 100)
    all <- rep(TRUE, 100)
    got <- relabelling_tests(list(rbind(z[1L, ]), z[-1L, ]), 1e-12 * all, !all, all,
                             centred = TRUE)
    expect_identical(got$fdr, rep(1, 100))
    expect_identical(got$family_p_value, rep(1, 100))
})

test_that("p-values of many features are those of their definition", {
    set.seed(1)
    x <- matrix(rnorm(16 * 105), 16)
    links <- random_constraints(16, 5)
    # after questions T is not centred
    for (origin in c("given", "questions")) for (must_link in c("use", "ignore")) {
        links$origin <- origin
        among <- if (origin == "given") 1:16 else
            sort(unique(c(links$first, links$second)))
        set.seed(7)
        samples <- relabelled_samples(16, 1:16, 9, NULL, among)
        wanted <- reference_relabelling(x, links, samples, k = 2, among = among)
        set.seed(7)
        got <- in_column_order(permuted(x, links, k = 2, permutations = 9,
                                        must_link = must_link))
        expect_equal(got[significance], wanted)
    }
})

# 30 labels, 30 of 150 features differ: without must-links and the median half of
# what is found is noise.
test_that("noise beside features that differ is seldom found", {
    found <- vapply(1:6, function(seed) {
        set.seed(seed)
        x <- matrix(rnorm(30 * 150), 30)
        x[1:15, 1:30] <- x[1:15, 1:30] + 1.2
        ranking <- permuted(x, constraints_from_labels(rep(1:2, each = 15)),
                            permutations = 39, must_link = "ignore",
                            scale = "none")
        noise <- as.integer(sub("\\D+", "", ranking$feature)) > 30
        c(mean(ranking$p_value[noise] <= 0.05),
          any(ranking$family_p_value[noise] <= 0.05))
    }, numeric(2))
    expect_lt(mean(found[1L, ]), 0.1)
    expect_lt(sum(found[2L, ]), 2)
})

test_that("a margin that is equal but for rounding counts", {
    z <- list(cbind(1), matrix(1 - c(1e-15, 1e-9)))
    got <- relabelling_tests(z, 1e-12, FALSE, TRUE)
    expect_identical(got$p_value, 2 / 3)
    # rounding is no spread
    got <- relabelling_tests(z, 1e-8, FALSE, TRUE)
    expect_identical(unlist(got, use.names = FALSE), c(1, 1, 1))
})

test_that("every order of the same samples has the same margin", {
    # the two samples of one pair: any relabelling is the same pair
    set.seed(1)
    x <- matrix(sample.int(10L, 12 * 40, replace = TRUE), 12)
    got <- suppressMessages(permuted(x, pairwise_constraints(
        cannot_link = cbind(1, 2), samples = 12, origin = "questions"
    ), must_link = "ignore"))
    expect_true(all(got$p_value == 1 | is.na(got$p_value)))
})

# ---- in any portions --------------------------------------------------------

test_that("sets together are what each is alone, with weights too", {
    set.seed(1)
    x <- mixed_frame(20, 10)
    links <- pairwise_constraints(cannot_link = rbind(c(1, 5), c(2, 9), c(9, 12), c(3, 7)),
                                  must_link = rbind(c(1, 2), c(7, 8), c(8, 10), c(10, 11)),
                                  samples = 20)
    links$confidence <- c(1, 0.5, 1, 0.2, 1, 1, 1, 1)
    for (k in c(2, 4)) {
        shared <- relabelling(x, links, k = k, own_term = "keep")
        all <- relabelled_all(20, 6, 1)
        nodes <- shared$graph$nodes
        expect_setequal(nodes, c(1:3, 5, 7:12))
        some <- all[nodes, ]
        together <- margins_of_sets(some, shared)
        one <- margins_of_sets(some[, 3, drop = FALSE], shared)
        expect_identical(one[1L, ], together[3L, ])
        alone <- apply(all, 2L, function(place) {
            input <- shared$input
            input$constraints <- restrict_constraints(links, order(place))
            input$pairs <- pairs_of(input$constraints)
            constrained_margins(input, shared$options, shared$control)$margin
        })
        expect_equal(together, t(alone), tolerance = 1e-12)
    }
})

test_that("many pairs of labels are ranked set by set", {
    set.seed(1)
    x <- matrix(rnorm(110 * 3), 110)
    links <- constraints_from_labels(rep(c(1, 2, NA), c(52, 52, 6)))
    expect_null(relabelling(x, links, scale = "range")$graph$first)
    set.seed(2)
    got <- in_column_order(permuted(x, links, permutations = 4,
                                    scale = "range"))
    shared <- relabelling(x, links, scale = "range")
    all <- relabelled_all(110, 4, 2)
    by_set <- apply(all, 2L, function(place) {
        labels <- links$class_of
        labels[place] <- links$class_of
        in_column_order(relieff_sc(x, constraints_from_labels(labels),
                                   scale = "range"))$margin
    })
    wanted <- reference_relabelling_tests(rbind(got$margin, t(by_set)))
    expect_equal(got[significance], wanted)
})

test_that("threads, workers and the memory there is change no bit", {
    set.seed(1)
    x <- mixed_frame(20, 15)
    links <- random_constraints(20, 4)
    once <- function(...) {
        set.seed(7)
        permuted(x, links, permutations = 40, ...)
    }
    skip_if_not_installed("BiocParallel")
    one <- expect_same_for_threads(function(threads) once(threads = threads))
    expect_identical(once(BPPARAM = BiocParallel::SerialParam()), one)
    shared <- relabelling(x, links)
    shared$graph$near <- 2^28 # lists of the nearest do not fit
    expect_lt(sets_at_once(shared$graph, shared$input$data, 3), 40)
})

test_that("a numeric space, an integer matrix and a sparse one do alike", {
    skip_if_not_installed("Matrix")
    set.seed(4)
    counts <- matrix(rpois(25 * 30, 0.4), 25)
    links <- random_constraints(25, 3)
    run <- function(x, ...) {
        set.seed(1)
        in_column_order(permuted(x, links, scale = "none", ...))
    }
    expect_equal(run(methods::as(counts, "CsparseMatrix")), run(counts))
    expect_equal(run(methods::as(counts, "CsparseMatrix"), space = 3),
                 run(counts, space = 3))
})

# ---- meaning ----------------------------------------------------------------

test_that("p-values hold where nothing is to be found, hubs included", {
    p_values <- lapply(1:30, function(seed) {
        set.seed(seed)
        x <- matrix(rnorm(25 * 30), 25)
        links <- if (seed %% 2) {
            pairwise_constraints(cannot_link = cbind(1, 2:9), samples = 25)
        } else {
            constraints_from_labels(rep(c(1, 2, NA), c(5, 5, 15)))
        }
        permuted(x, links, k = 2, permutations = 39)$p_value
    })
    levels <- 1:39 / 40
    expect_lt(max(abs(ecdf(unlist(p_values))(levels) - levels)), 0.08)
})

test_that("what separates the pairs is found", {
    set.seed(2)
    side <- rep(0:1, each = 20)
    x <- matrix(rnorm(40 * 40), 40)
    x[, 1:3] <- x[, 1:3] + 5 * side
    links <- constraints_from_labels(ifelse(1:40 %% 2, side, NA))
    got <- permuted(x, links, permutations = 99)
    expect_identical(sort(top_features(got, 3, alpha = 0.05)),
                     c("V1", "V2", "V3"))
    expect_true(all(got$family_p_value[1:3] == 0.01))
})

test_that("without permutations there is no p-value, and one line says so", {
    x <- round(random_matrix(20, 4), 1)
    set.seed(1)
    with <- permuted(x, few_links(20), permutations = 99)
    without <- relieff_sc(x, few_links(20))
    expect_false(any(grepl("p_value", names(without))))
    expect_identical(names(with)[4:8], c("margin", "statistic", significance))
    expect_snapshot({
        with
        without
        summary(without)
        relief_sc(x, few_links(20))
    })
    expect_snapshot(error = TRUE, {
        top_features(without, alpha = 0.05)
        plot(without, alpha = 0.1)
        plot(without, type = "significance")
        plot(glean(x, few_links(20), space = 3), type = "significance")
    })
    x <- cbind(x, constant = 1)
    set.seed(1)
    constant <- in_column_order(permuted(x, few_links(20), permutations = 9))
    expect_identical(which(is.na(constant$p_value)), 5L)
    expect_identical(which(is.na(constant$family_p_value)), 5L)
})

test_that("more margins than fit are refused", {
    old <- options(linkrank.max_bytes = 1e5)
    on.exit(options(old))
    expect_error(relief_sc(random_matrix(20, 4), few_links(20),
                           permutations = 1e4),
                 "The margins of 10000 permutations would take",
                 class = "linkrank_error_memory")
})
