# ---- problems at random, and the C beside its reference ---------------------

# Columns of every kind. The first one is a number that is never missing, so
# that no tie of distances is decided by how expected differences are rounded;
# the first sample is known in every feature.
mixed_columns <- function(n, p) {
    columns <- lapply(seq_len(p), function(j) {
        kind <- if (j == 1L) 1L else sample.int(8L, 1L)
        column <- switch(kind,
            rnorm(n),
            rexp(n) * 10^sample(-3:3, 1L),
            round(100 * runif(n)) / 10,
            sample.int(9L, n, replace = TRUE),
            factor(sample(c("a", "b", "c", "d"), n, replace = TRUE)),
            sample(c("yes", "no"), n, replace = TRUE),
            runif(n) < 0.4,
            rep(sample(c(0, 7.3), 1L), n)
        )
        if (j > 1L && runif(1) < 0.4) {
            column[1L + sample.int(n - 1L, sample.int(n - 1L, 1L))] <- NA
        }
        column
    })
    names(columns) <- paste0("f", seq_len(p))
    data.frame(columns)
}

# Few different whole numbers: most distances are ties, and rounding decides
# which of them are equal to the last bit.
rating_matrix <- function(n, p) {
    matrix(sample.int(sample(2:10, 1L), n * p, replace = TRUE), n, p)
}

repeat_some <- function(x) {
    n <- nrow(x)
    if (runif(1) < 0.4) {
        x <- x[c(1L, sample.int(n, n - 1L, replace = TRUE)), , drop = FALSE]
        rownames(x) <- NULL
    }
    if (runif(1) < 0.3) {
        x <- x[, sample.int(ncol(x), ncol(x) + 1L, replace = TRUE),
               drop = FALSE]
        colnames(x) <- paste0("f", seq_len(ncol(x)))
    }
    x
}

# Consistent by construction: samples of one hidden class may be must-linked,
# of two classes cannot-linked; typed in any direction.
links_at_random <- function(n) {
    classes <- c(1L, 2L, sample.int(4L, n - 2L, replace = TRUE))[sample.int(n)]
    links <- constraints_from_labels(classes)
    if (runif(1) < 0.2) {
        classes[classes > 2L & runif(n) < 0.5] <- NA
        return(constraints_from_labels(classes))
    }
    pairs <- as.data.frame(links)
    must <- pairs$type == "must-link"
    cannot <- as.matrix(pairs[!must, c("i", "j")])
    must <- as.matrix(pairs[must, c("i", "j")])
    cannot <- cannot[sample.int(nrow(cannot), min(nrow(cannot),
                                                  sample.int(8L, 1L))), ,
                     drop = FALSE]
    turned <- runif(nrow(cannot)) < 0.5
    cannot[turned, ] <- cannot[turned, 2:1]
    must <- must[sample.int(nrow(must), min(nrow(must), sample(0:4, 1L))), ,
                 drop = FALSE]
    pairwise_constraints(cannot_link = cannot, must_link = must, samples = n)
}

# Blocks that leave a pair; NULL for most sets.
blocks_at_random <- function(constraints) {
    block <- sample.int(3L, constraints$samples, replace = TRUE)
    within <- pairs_of(constraints, block)$count
    if (runif(1) < 0.5 && within > 0) block
}

problem_at_random <- function(seed) {
    set.seed(seed)
    n <- sample(3:22, 1L)
    ratings <- runif(1) < 0.4
    x <- if (ratings) rating_matrix(n, sample.int(9L, 1L)) else
        mixed_columns(n, sample.int(9L, 1L))
    scales <- c("range", "none", if (!ratings) c("zscore", "balanced"))
    constraints <- links_at_random(n)
    list(x = repeat_some(x), constraints = constraints,
         options = list(
             k = sample.int(n + 3L, 1L),
             direction = sample(c("both", "first"), 1L),
             must_link = sample(c("use", "ignore"), 1L),
             distance = sample(c("manhattan", "euclidean"), 1L),
             scale = sample(scales, 1L),
             block = blocks_at_random(constraints)
         ))
}

run <- function(x, constraints, ..., method = relieff_sc) {
    suppressMessages(suppressWarnings(method(x, constraints, ...),
                                      classes = "linkrank_warning_margin"),
                     classes = "linkrank_message_pairs")
}

# The hits that C finds for the samples of the cannot-links, by sample.
hits_found <- function(x, constraints, k = 3, must_link = "use",
                       distance = "manhattan", scale = "range", block = NULL,
                       control = run_control(1, FALSE)) {
    data <- prepare_data(x)
    links <- if (must_link == "use") constraint_links(constraints)
    ends <- pairs_of(constraints, block)$ends
    found <- nearest(feature_space(data, feature_scaling(data, scale),
                                   distance, block), ends, k, neighbour_rule(links),
                     control)
    hits <- vector("list", data$n)
    for (e in seq_along(ends)) {
        # the must-linked ones first
        own <- found$row[order(-found$list), e]
        hits[[ends[e]]] <- head(own[own > 0], k)
    }
    hits
}

test_that("small problems of every kind agree with the equations", {
    expect_every(320, function(seed) {
        problem <- problem_at_random(seed)
        options <- problem$options
        wanted <- do.call(reference_relieff_sc, c(problem[1:2], options))
        found <- do.call(hits_found, c(problem[1:2], options[-2L]))
        ranking <- do.call(run, c(problem[1:2], options))
        isTRUE(all.equal(
            unlist(in_column_order(own_columns(ranking)), use.names = FALSE),
            unlist(wanted[c("score", "margin", "statistic")],
                   use.names = FALSE),
            tolerance = 1e-8
        )) && identical(found, wanted$hits) && !is.unsorted(-ranking$margin)
    })
})

test_that("hits without a feature's term in principal components", {
    expect_every(48, function(seed) {
        set.seed(seed)
        n <- sample(c(12L, 25L, 50L), 1L)
        x <- data.frame(matrix(rnorm(n * 3), n), code = sample(3, n, TRUE),
                        flag = runif(n) < .4,
                        kind = factor(sample(letters[1:3], n, TRUE)))
        links <- links_at_random(n)
        scale <- sample(c("range", "balanced", "zscore", "none"), 1L)
        k <- sample(c(1, 3, 40), 1L)
        q <- sample(2:6, 1L)
        got <- in_column_order(run(x, links, k = k, space = q, scale = scale))
        u <- reference_glean_scale(x, scale)
        near <- reference_glean_space(u, q)
        deltas <- lapply(u, function(v) {
            sapply(seq_len(n), function(i) reference_gap(v, i, seq_len(n)))
        })
        keep <- reference_shares(x, scale) > 0.005
        ones <- rep(1, length(u))
        without <- ifelse(keep, reference_without(u, ones, near), list(NULL))
        pairs <- reference_pairs(links)
        closure <- reference_closure_of(links)
        margin <- vapply(seq_along(u), function(f) {
            hits <- lapply(seq_len(n), function(i) {
                others <- near$order[[i]]
                own <- closure$same[i, others]
                apart <- closure$apart[i, others]
                head(c(reference_again(without[[f]], i, others[own]),
                       reference_again(without[[f]], i,
                                       others[!own & !apart])), k)
            })
            add_up(reference_margins(deltas[[f]], pairs$cannot, hits, "both"))
        }, 0)
        isTRUE(all.equal(got$margin, margin))
    })
})

test_that("features with a small share keep their say, and so do many", {
    set.seed(1)
    links <- few_links(30)
    x <- data.frame(matrix(rnorm(30 * 20), 30), flag = runif(30) < .4,
                    kind = factor(sample(letters[1:3], 30, TRUE)))
    x[[2L]] <- c(1, numeric(29)) # a mean difference of 2 / 30
    x[3, 1] <- x[7, 21] <- NA
    for (scale in c("none", "zscore", "balanced", "range")) {
        x[[3L]] <- x[[3L]] / 50
        input <- scale_for_margins(constrained_data(x, links, scale = scale))
        expect_identical(input$own, unname(which(
            reference_shares(x, scale) > own_share)))
    }
    own <- function(x, ...) {
        scale_for_margins(constrained_data(x, links, ...))$own
    }
    wide <- matrix(rnorm(30 * 201), 30)
    wide[, 1] <- 100 * wide[, 1]
    expect_null(own(wide, scale = "none"))
    expect_identical(own(wide[, -201], scale = "none")[1L], 1L)
    expect_null(own(wide[, 1:9], distance = "correlation"))
    expect_null(own(wide[, 1:9], space = wide[, 1:2]))
    expect_null(own(wide[, 1, drop = FALSE]))
})

test_that("hits of features with a say of their own are the same in all forms", {
    set.seed(2)
    x <- round(matrix(rexp(40 * 8), 40), 1)
    x[runif(320) < .5] <- 0
    colnames(x) <- letters[1:8]
    links <- links_at_random(40)
    for (space in list(NULL, 3)) {
        wanted <- as.data.frame(run(x, links, space = space))
        expect_identical(as.data.frame(run(data.frame(x), links, space = space)),
                         wanted)
        expect_identical(as.data.frame(run(as_matrix_class(x, "dgCMatrix"), links,
                                           space = space, threads = 2)), wanted)
        if (requireNamespace("HDF5Array", quietly = TRUE)) {
            file <- HDF5Array::writeHDF5Array(x, chunkdim = c(7, 3),
                                              with.dimnames = TRUE)
            expect_identical(as.data.frame(run(file, links, space = space)), wanted)
        }
    }
})

test_that("pairs count by their confidence", {
    set.seed(8)
    x <- data.frame(a = rnorm(20), b = rnorm(20),
                    c = replace(rnorm(20), 4, NA),
                    d = factor(sample(letters[1:3], 20, TRUE)))
    links <- pairwise_constraints(cannot_link = rbind(c(1, 2), c(3, 9), c(5, 12), c(7, 2)),
                                  must_link = cbind(1, 14), samples = 20)
    plain <- links
    links$confidence <- c(0.2, NA, 0.7, 0.5, 0.1)
    for (direction in c("both", "first")) {
        got <- relieff_sc(x, links, direction = direction, permutations = 9,
                          scale = "range")
        want <- reference_relieff_sc(x, links, direction = direction)
        at <- match(names(x), got$feature)
        expect_equal(got$margin[at], unname(want$margin))
        expect_equal(got$score[at], unname(want$score))
        expect_equal(got$statistic[at], unname(want$statistic))
    }
    # and within blocks by that of the pairs that are left
    block <- rep(1:2, c(8, 12))
    got <- run(x, links, block = block, scale = "range")
    want <- reference_relieff_sc(x, links, block = block)
    expect_equal(got$margin[match(names(x), got$feature)], unname(want$margin))
    # p-values do not count it
    set.seed(3)
    got <- in_column_order(relieff_sc(x, links, permutations = 19,
                                      scale = "range"))
    set.seed(3)
    samples <- relabelled_samples(20, 1:20, 19)
    wanted <- reference_relabelling(x, plain, samples)
    expect_equal(got[names(wanted)], wanted)
    # must-links have no margin, so their confidence alone changes nothing;
    # equal confidence gives the bits without
    links$confidence <- c(rep(0.3, 4), 0.9)
    expect_identical(as.data.frame(relieff_sc(x, links)),
                     as.data.frame(relieff_sc(x, plain)))
    # the terms of each pair have their weights
    links$confidence <- c(0.2, NA, 0.7, 0.5, 0.1)
    got <- relieff_sc(x, links)
    terms <- pair_margins(x, links, names(x))
    expect_identical(apply(terms, 2, add_up)[got$feature],
                     stats::setNames(got$margin, got$feature))
    # so does glean()
    y <- matrix(rnorm(30 * 12), 30)
    answers <- pairwise_constraints(cannot_link = rbind(c(1, 2), c(3, 9), c(5, 12)),
                                    samples = 30)
    equal <- glean(y, answers)
    answers$confidence <- rep(0.5, 3)
    expect_identical(as.data.frame(glean(y, answers)), as.data.frame(equal))
})

test_that("labels give the same as the list of all their pairs", {
    expect_every(40, function(seed) {
        set.seed(seed)
        n <- sample(4:15, 1L)
        x <- if (seed %% 2L) rating_matrix(n, 5L) else mixed_columns(n, 5L)
        labels <- c("a", "b", sample(c("a", "b", "c", NA), n - 2L, TRUE))
        links <- constraints_from_labels(labels)
        must_link <- if (seed %% 3L) "use" else "ignore"
        both <- function(direction) {
            lapply(list(links, links[]), function(links) {
                in_column_order(run(x, links, direction = direction,
                                    must_link = must_link))
            })
        }
        typed <- both("first")
        # in both directions their sums come from sorted values
        sums <- both("both")
        identical(typed[[1L]], typed[[2L]]) &&
            isTRUE(all.equal(sums[[1L]], sums[[2L]], tolerance = 1e-9))
    })
})

test_that("more pairs than are made at a time add up as all do at once", {
    x <- random_matrix(1460, 1)
    far <- abs(outer(x[, 1L], x[, 1L], `-`)) / diff(range(x))
    apart <- upper.tri(far)
    expect_gt(sum(apart), 2^20)
    hit <- apply(replace(far, diag(1460) > 0, Inf), 1L, which.min)
    to_hit <- far[cbind(1:1460, hit)]
    got <- relief_sc(x, constraints_from_labels(paste("class", 1:1460)),
                     direction = "first", must_link = "ignore")
    expect_equal(got$margin, sum((far[, hit] - to_hit)[apart]), tolerance = 1e-12)
})

test_that("Relief-Sc is ReliefF-Sc with one neighbour", {
    set.seed(1)
    x <- mixed_columns(15L, 6L)
    links <- few_links(15L)
    expect_identical(in_column_order(run(x, links, method = relief_sc)),
                     in_column_order(run(x, links, k = 1)))
})

# ---- a worked example -------------------------------------------------------

# Five samples; A / 8 is 0, 1/8, 1/2, 3/4, 1 and B / 4 is 0, 1, 0, 1/2, 1. Their
# Manhattan distances are
#       2     3     4     5
#  1   9/8   1/2   5/4    2
#  2        11/8   9/8   7/8
#  3               3/4   3/2
#  4                     3/4
worked <- cbind(A = c(0, 1, 4, 6, 8), B = c(0, 4, 0, 2, 4))
worked_links <- function(must_link = NULL) {
    pairwise_constraints(cannot_link = rbind(c(1, 5), c(2, 4)), must_link = must_link, samples = 5)
}

test_that("one neighbour, by hand", {
    # H(1) = 3, H(5) = 4, H(2) = 5, H(4) = 3 (as near as 5, the lower row)
    # (1, 5): A |1-4| - |1-3| = 3/4 - 1/2 = 1/4, back |5-3| - |5-4| = 1/4
    #         B          1/2 - 0  = 1/2, back    1 - 1/2  = 1/2
    # (2, 4): A |2-3| - |2-5| = 3/8 - 7/8 = -1/2, back |4-5| - |4-3| = 0
    #         B            1 - 0  = 1,   back  1/2 - 1/2 = 0
    first <- relief_sc(worked, worked_links(), direction = "first", scale = "range",
                       own_term = "keep")
    expect_identical(first$feature, c("B", "A"))
    expect_identical(first$margin, c(3 / 2, -1 / 4))
    expect_identical(first$score, c(1, 0))
    # B: 1/2 and 1, mean 3/4, sd 1 / (2 sqrt 2), t = 3/4 * sqrt 2 * 2 sqrt 2 = 3
    # A: 1/4 and -1/2, mean -1/8, sd 3 / (4 sqrt 2), t = -1/3
    expect_equal(first$statistic, c(3, -1 / 3))

    both <- relief_sc(worked, worked_links(), scale = "range", own_term = "keep")
    expect_identical(both$margin, c(1, 0)) # B 1/2 + 1/2, A 1/4 - 1/4
    expect_identical(both$score, c(1, 0))
    expect_equal(both$statistic, c(NA, 0)) # the margins of B are equal
})

test_that("two neighbours, by hand", {
    # H(1) = 3, 2; H(5) = 4, 2; H(2) = 5, 1 (as near as 4); H(4) = 3, 5
    # (1, 5): A (3/4 + 1/8)/2 - (1/2 + 1/8)/2 = 1/8, back 11/16 - 9/16 = 1/8
    #         B  (1/2 + 1)/2 - (0 + 1)/2     = 1/4, back  1/2 - 1/4   = 1/4
    # (2, 4): A (3/8 + 7/8)/2 - (7/8 + 1/8)/2 = 1/8, back  1/2 - 1/4   = 1/4
    #         B    (1 + 0)/2 - (0 + 1)/2      = 0,   back  1/2 - 1/2   = 0
    # A 1/8 + 3/16 = 5/16, B 1/4; w = (5, 4) / sqrt(41)
    ranking <- relieff_sc(worked, worked_links(), k = 2, scale = "range", own_term = "keep")
    expect_identical(ranking$feature, c("A", "B"))
    expect_identical(ranking$margin, c(5 / 16, 1 / 4))
    expect_equal(ranking$score, c(5, 4) / sqrt(41))
})

test_that("must-links lead to hits and away from them, by hand", {
    # 1 and 4 together, so 4 is apart from 5, and 1 from 2: H(1) = 4, H(4) = 1,
    # H(5) = 2 (not 4, 1), H(2) = 5
    # (1, 5): A |1-2| - |1-4| = 1/8 - 3/4 = -5/8, back |5-4| - |5-2| = -5/8
    #         B             1 - 1/2       =  1/2, back  1/2 - 0      =  1/2
    # (2, 4): A |2-1| - |2-5| = 1/8 - 7/8 = -3/4, back |4-5| - |4-1| = -1/2
    #         B             1 - 0         =  1,   back  1/2 - 1/2    =  0
    links <- worked_links(cbind(1, 4))
    both <- relief_sc(worked, links, scale = "range", own_term = "keep")
    expect_identical(both$margin, c(1, -5 / 4))
    first <- relief_sc(worked, links, direction = "first", scale = "range", own_term = "keep")
    expect_identical(first$margin, c(3 / 2, -11 / 8))
    # ignored, they change nothing
    expect_identical(
        in_column_order(relief_sc(worked, links, must_link = "ignore",
                                  scale = "range", own_term = "keep")),
        in_column_order(relief_sc(worked, worked_links(), scale = "range", own_term = "keep"))
    )
})

test_that("a feature has no say in its own hits, by hand", {
    # of `worked` below, hits of A by B and of B by A (equal: the lower row):
    # A: H(1) = 3, H(5) = 2, H(2) = 5, H(4) = 1; B: H(1) = 2, H(5) = 4,
    # H(2) = 1, H(4) = 3
    # (1, 5): A |1-2| - |1-3| = 1/8 - 1/2 = -3/8, back |5-3| - |5-2| = -3/8
    #         B |1-4| - |1-2| = 1/2 - 1   = -1/2, back |5-2| - |5-4| = -1/2
    # (2, 4): A |2-1| - |2-5| = 1/8 - 7/8 = -3/4, back |4-5| - |4-1| = -1/2
    #         B |2-3| - |2-1| = 1 - 1     = 0,    back |4-1| - |4-3| = 0
    both <- run(worked, worked_links(), k = 1, scale = "range")
    expect_identical(both$feature, c("B", "A"))
    expect_identical(both$margin, c(-1 / 2, -1))
    expect_identical(unclass(pair_margins(worked, worked_links(), 1:2, k = 1,
                                          scale = "range"))[1:4],
                     c(-3 / 8, -5 / 8, -1 / 2, 0))
})

# ---- what must not matter ---------------------------------------------------

test_that("the order of columns, of rows and of pairs only orders the result", {
    set.seed(1)
    x <- random_matrix(30, 20)
    links <- few_links(30)
    wanted <- in_column_order(relieff_sc(x, links, scale = "range"))
    columns <- sample(20)
    got <- in_column_order(relieff_sc(x[, columns], links, scale = "range"))
    expect_identical(lapply(wanted[2:5], `[`, columns), got[2:5])
    # the length of z is a sum over the columns
    expect_equal(wanted$score[columns], got$score, tolerance = 1e-14)

    rows <- sample(30)
    moved <- pairwise_constraints(cannot_link = rbind(match(c(1, 4), rows),
                                        match(c(2, 5), rows),
                                        match(c(6, 3), rows)),
                                  must_link = cbind(match(1, rows), match(2, rows)), samples = 30)
    expect_identical(in_column_order(relieff_sc(x[rows, ], moved,
                                                scale = "range")), wanted)

    # sums of eighths are exact in any order
    x <- matrix(sample(0:8, 300, replace = TRUE), 30)
    x[1:2, ] <- c(0, 8)
    labels <- rep(1:3, each = 10)
    links <- constraints_from_labels(labels, cannot_link = 20, must_link = 5)
    wanted <- in_column_order(run(x, links, k = 4, scale = "range"))
    shuffled <- in_column_order(run(x, links[sample(25)], k = 4,
                                    scale = "range"))
    expect_identical(shuffled[1:2], wanted[1:2])
    expect_equal(shuffled, wanted, tolerance = 1e-12)
})

test_that("swapping the ends of a pair matters to one direction only", {
    x <- random_matrix(20, 15)
    there <- pairwise_constraints(cannot_link = rbind(c(1, 4), c(2, 5)), samples = 20)
    back <- pairwise_constraints(cannot_link = rbind(c(4, 1), c(2, 5)), samples = 20)
    expect_identical(in_column_order(relieff_sc(x, back)),
                     in_column_order(relieff_sc(x, there)))
    expect_false(identical(
        in_column_order(relieff_sc(x, back, direction = "first")),
        in_column_order(relieff_sc(x, there, direction = "first"))
    ))
})

test_that("the unit of a feature does not matter once it is scaled", {
    x <- random_matrix(20, 8)
    y <- x * rep(2^c(0, 1, -1, 30, -30, 500, -500, 7), each = 20)
    for (scale in c("range", "zscore")) {
        expect_identical(relieff_sc(y, few_links(20), scale = scale),
                         relieff_sc(x, few_links(20), scale = scale))
    }
})

test_that("two levels are 0 and 1 in any form", {
    set.seed(1)
    flag <- matrix(runif(60) < 0.5, 20)
    number <- rnorm(20)
    forms <- list(
        data.frame(number, flag),
        data.frame(number, flag + 0),
        data.frame(number, flag + 0L),
        data.frame(number, ifelse(flag, "b", "a")),
        data.frame(number, ifelse(flag, "b", "a"), stringsAsFactors = TRUE),
        # codes 1 and 3: not next to each other
        data.frame(number, lapply(1:3, function(j) {
            factor(flag[, j], c(FALSE, "unused", TRUE))
        })),
        cbind(number, flag)
    )
    tables <- lapply(forms, function(x) {
        names <- c("number", "f1", "f2", "f3")
        if (is.data.frame(x)) names(x) <- names else colnames(x) <- names
        as.data.frame(relieff_sc(x, few_links(20)))
    })
    for (table in tables[-1L]) {
        expect_identical(table, tables[[1L]])
    }
})

# ---- blocks, threads, kernels -----------------------------------------------

# Numbers with few digits and many zeros, so that a sparse matrix is one and
# single precision would show.
block_matrix <- function(n, p) {
    x <- round(matrix(rnorm(n * p), n, p), 3)
    x[runif(n * p) < 0.5] <- 0
    dimnames(x) <- list(NULL, paste0("g", seq_len(p)))
    x
}

# The same data in other forms, all read in another way than the matrix.
other_forms <- function(x) {
    list(
        frame = function() data.frame(x),
        sparse = function() as_matrix_class(x, "dgCMatrix"),
        rows = function() experiment_of(x),
        sparse_rows = function() experiment_of(as_matrix_class(x, "dgCMatrix")),
        file = function() {
            HDF5Array::writeHDF5Array(x, chunkdim = pmin(dim(x), c(7, 3)),
                                      with.dimnames = TRUE)
        },
        delayed = function() DelayedArray::DelayedArray(x)
    )
}

# What a form needs; without it the test of this form is skipped, and counted.
form_package <- c(rows = "SummarizedExperiment",
                  sparse_rows = "SummarizedExperiment", file = "HDF5Array",
                  delayed = "DelayedArray")

with_small_blocks <- function(bytes, code) {
    if (requireNamespace("DelayedArray", quietly = TRUE)) {
        old <- DelayedArray::getAutoBlockSize()
        suppressMessages(DelayedArray::setAutoBlockSize(bytes))
        on.exit(suppressMessages(DelayedArray::setAutoBlockSize(old)))
    }
    code
}

for (form in names(other_forms())) {
    test_that(paste("data as", form, "give the same bits, in any blocks"), {
        if (form %in% names(form_package)) {
            skip_if_not_installed(form_package[[form]])
        }
        set.seed(1)
        sizes <- rbind(c(6, 1), c(63, 9), c(65, 7), c(128, 17))
        for (i in seq_len(nrow(sizes))) {
            x <- block_matrix(sizes[i, 1L], sizes[i, 2L])
            links <- few_links(nrow(x))
            wanted <- run(x, links, distance = "euclidean", scale = "range")
            got <- with_small_blocks(8 * nrow(x) * 3, run(
                other_forms(x)[[form]](), links, distance = "euclidean",
                scale = "range"
            ))
            expect_identical(got, wanted)
        }
    })
}

test_that("a missing cell is no difference of a sample to itself", {
    # Sample 1 and 2 are each other's hits, as are 3 and 4. b: expected
    # differences of the missing cell: to 0 and 1 1/2, to 1/2 1/3.
    #   to the hits of 2: x1 (0 + 1/2 + 1/3) / 3, x2 (1/2 + 1 + 1/2) / 3
    #   to the hits of 1: x1 (1/2 + 1/2 + 1/3) / 3, x2 (0 + 1 + 1/2) / 3
    # margin: mean of 5/18 - 8/18 and 1/2 - 2/3
    x <- data.frame(a = c(0, 1, 2, 3), b = c(NA, 0, 1, 0.5))
    links <- pairwise_constraints(cannot_link = cbind(1, 2), samples = 4)
    rank <- function(direction) {
        ranking <- suppressWarnings(
            relieff_sc(x, links, k = 3, direction = direction,
                       must_link = "ignore", scale = "range"),
            classes = "linkrank_warning_margin"
        )
        ranking$margin[ranking$feature == "b"]
    }
    expect_equal(rank("both"), -1 / 6)
    expect_equal(rank("first"), -1 / 6)
})

test_that("missing values and factors are the same in any blocks", {
    skip_if_not_installed("DelayedArray")
    set.seed(1)
    x <- block_matrix(70, 23)
    x[sample(length(x), 300)] <- NA
    wanted <- relieff_sc(x, few_links(70))
    for (blocks in c(1, 2, 5, 22)) {
        got <- with_small_blocks(8 * 70 * blocks, relieff_sc(
            DelayedArray::DelayedArray(x), few_links(70)
        ))
        expect_identical(got, wanted)
    }
})

test_that("search and margins share the expected differences", {
    set.seed(1)
    x <- data.frame(block_matrix(40, 9), kind = factor(sample(5, 40, TRUE)))
    x[3:5, c(2, 4, 10)] <- NA
    input <- scale_for_margins(constrained_data(x, few_links(40)))
    apart <- input
    apart$scaling["expected"] <- list(NULL)
    apart$where$scaling <- apart$scaling
    expect_type(input$scaling$expected, "double")
    expect_identical(input$where$scaling, input$scaling)
    options <- list(k = 3, direction = "both", must_link = "use")
    sums <- function(input) {
        constrained_margins(input, options, input$data$control)
    }
    expect_identical(sums(input), sums(apart))
    # they are those of all samples, so that none may be left out
    sparse <- Matrix::rsparsematrix(40, 9, 0.3)
    sparse[3, 2] <- NA
    for (data in list(input$data, prepare_data(sparse))) {
        expect_identical(samples_needed(data, 1L, 2:3),
                         list(data = data, rows = NULL, ends = 1L, row = 2:3))
    }
})

# Hits of some samples by the rule: sums over the columns in their order.
hits_by_columns <- function(x, ends, k) {
    d <- matrix(0, nrow(x), length(ends))
    for (j in seq_len(ncol(x))) {
        u <- (x[, j] - min(x[, j])) / (max(x[, j]) - min(x[, j]))
        d <- d + abs(u - rep(u[ends], each = nrow(x)))
    }
    hits <- vector("list", nrow(x))
    for (e in seq_along(ends)) {
        hits[[ends[e]]] <- head(setdiff(order(d[, e]), ends[e]), k)
    }
    hits
}

test_that("sizes around the blocks of the kernels change nothing", {
    set.seed(1)
    sizes <- rbind(c(63, 8), c(64, 255), c(65, 256), c(64, 257), c(1023, 9),
                   c(1024, 7), c(1025, 5), c(2049, 3), c(130, 513))
    for (i in seq_len(nrow(sizes))) {
        n <- sizes[i, 1L]
        x <- block_matrix(n, sizes[i, 2L])
        for (ends in 3:5) {
            # one sample apart from some others: `ends` end points
            used <- sample(n, ends)
            links <- pairwise_constraints(cannot_link = cbind(used[1L], used[-1L]),
                                          samples = n)
            wanted <- hits_by_columns(x, used, 4)
            for (form in list(x, as_matrix_class(x, "dgCMatrix"))) {
                expect_identical(
                    hits_found(form, links, k = 4, must_link = "ignore"),
                    wanted, label = paste(c(sizes[i, ], ends), collapse = " ")
                )
            }
        }
    }
})

test_that("threads and instruction sets change nothing", {
    set.seed(1)
    # more samples than are in work at a time
    x <- matrix(rnorm(1200 * 100), 1200)
    x[, 5] <- sample(0:1, 1200, replace = TRUE)
    labels <- rep(NA, 1200)
    labels[1:300] <- rep(1:2, 150)
    links <- constraints_from_labels(labels)
    for (distance in c("manhattan", "euclidean")) {
        one <- expect_same_for_threads(function(threads) {
            relieff_sc(x, links, distance = distance, threads = threads)
        })
    }
    portable <- with_option(list(linkrank.portable = TRUE),
                            relieff_sc(x, links, distance = "euclidean"))
    expect_identical(portable, one)
})

test_that("threads divide factors and missing values like numbers", {
    set.seed(1)
    x <- data.frame(matrix(rnorm(600 * 60), 600))
    x[31:45] <- lapply(x[31:45], cut, 3)
    x[40:60] <- lapply(x[40:60], function(v) replace(v, sample(600, 50), NA))
    links <- constraints_from_labels(rep(1:2, 300))
    expect_same_for_threads(function(threads) {
        relieff_sc(x, links, k = 10, threads = threads)
    })
})

test_that("end points that take several passes get the same hits", {
    set.seed(1)
    # sparse: 128 MB of distances hold 836 end points of 20,000 samples
    x <- block_matrix(20000, 2)
    x[sample(20000, 60), ] <- x[1:60, ]
    ends <- sort(sample(20000, 900))
    links <- pairwise_constraints(cannot_link = matrix(ends, ncol = 2), samples = 20000)
    found <- hits_found(as_matrix_class(x, "dgCMatrix"), links,
                        must_link = "ignore")
    looked_at <- ends[c(1, 835:838, 900)]
    expect_identical(found[looked_at],
                     hits_by_columns(x, looked_at, 3)[looked_at])

    # many features: 64 MB of scaled values hold 80 end points
    x <- matrix(rnorm(83 * 1e5), 83)
    links <- constraints_from_labels(rep(1:2, length.out = 83))
    looked_at <- c(80, 81)
    found <- hits_found(x, links, must_link = "ignore")
    expect_identical(found[looked_at],
                     hits_by_columns(x, looked_at, 3)[looked_at])
})

test_that("a forked child does not wait for threads it does not have", {
    skip_on_os("windows")
    set.seed(1)
    x <- matrix(rnorm(1000 * 1000), 1000)
    links <- constraints_from_labels(rep(c(1:2, NA), c(250, 250, 500)))
    wanted <- relieff_sc(x, links, threads = 2)
    child <- parallel::mcparallel(relieff_sc(x, links, threads = 2))
    got <- parallel::mccollect(child, wait = FALSE, timeout = 60)
    if (is.null(got)) {
        tools::pskill(child$pid, tools::SIGKILL)
        parallel::mccollect(child)
    }
    expect_identical(got[[1L]], wanted)
})

# ---- limits -----------------------------------------------------------------

expect_no_margin <- function(code) {
    expect_warning(code, class = "linkrank_warning_margin")
}

test_that("without a positive margin all weights are 0, with a warning", {
    x <- cbind(far = c(0, 1, 7, 20), near = c(0, 3, 9, 12))
    links <- pairwise_constraints(cannot_link = cbind(1, 2), samples = 4)
    expect_no_margin(
        ranking <- relief_sc(x, links, must_link = "ignore", scale = "range")
    )
    # each is the other's nearest: 0 - 1/20, 0 - 3/12
    expect_equal(ranking$margin, c(-1 / 20, -1 / 4))
    expect_identical(ranking$score, c(0, 0))
    expect_identical(ranking$feature, c("far", "near"))
    expect_snapshot(relief_sc(x, links, must_link = "ignore", scale = "range"))
})

test_that("margins that cancel but for rounding are no positive margins", {
    set.seed(1)
    # two samples apart with the same hits: all others. Every margin is 0.
    x <- random_matrix(20, 30)
    links <- pairwise_constraints(cannot_link = cbind(3, 8), samples = 20)
    expect_no_margin(ranking <- relieff_sc(x, links, k = 100))
    expect_identical(ranking$score, numeric(30))
    expect_lt(max(abs(ranking$margin)), 1e-15)
})

test_that("identical samples and constant features have no margin", {
    links <- few_links(8)
    same <- matrix(rep(c(1, 5, 2), each = 8), 8)
    constant <- data.frame(a = rep(3, 8), b = "x", c = NA_real_)
    constant$c[5] <- 2
    for (x in list(same, constant)) {
        for (scale in c("range", "zscore", "none")) {
            expect_no_margin(ranking <- relieff_sc(x, links, scale = scale))
            expect_identical(ranking$margin, numeric(3))
            expect_identical(ranking$score, numeric(3))
            expect_identical(ranking$feature,
                             prepare_data(x)$features)
            expect_true(all(is.na(ranking$statistic)))
        }
    }
})

test_that("a sample without any hit left adds nothing", {
    x <- random_matrix(4, 5)
    everyone <- constraints_from_labels(1:4)
    expect_no_margin(ranking <- relieff_sc(x, everyone, scale = "range"))
    expect_identical(ranking$margin, numeric(5))
    # as printed, the same pairs have hits
    expect_true(any(run(x, everyone, must_link = "ignore",
                        scale = "range")$margin != 0))

    # only sample 1 is apart from all: its own hits are missing
    links <- pairwise_constraints(cannot_link = cbind(1, 2:4), samples = 4)
    wanted <- reference_relieff_sc(x, links)
    expect_identical(lengths(wanted$hits), c(0L, 2L, 2L, 2L))
    expect_equal(in_column_order(run(x, links,
                                     scale = "range"))$margin, wanted$margin)
})

test_that("one constraint ranks, but has no statistic", {
    x <- random_matrix(12, 6)
    links <- pairwise_constraints(cannot_link = cbind(2, 9), samples = 12)
    ranking <- run(x, links, scale = "range")
    expect_equal(in_column_order(ranking)$margin,
                 reference_relieff_sc(x, links)$margin)
    expect_true(all(is.na(ranking$statistic)))
    expect_named(ranking, c("rank", "feature", "score", "margin", "statistic",
                            "highest", "difference"))
})

test_that("three samples and one feature are enough", {
    # u = 0, 1/4, 1; k = 1: H(1) = 2, H(3) = 2; (1, 3): 1/4 - 1/4, back
    # 3/4 - 3/4
    x <- cbind(a = c(0, 1, 4))
    links <- pairwise_constraints(cannot_link = cbind(1, 3), samples = 3)
    expect_no_margin(ranking <- relief_sc(x, links))
    expect_identical(ranking$margin, 0)
    # k = 2 as printed: H(1) = 2, 3, H(3) = 2, 1
    # (1, 3): (1/4 + 0) / 2 - (1/4 + 1) / 2 = -1/2, and back the same
    for (k in c(2, 3, 1000)) {
        expect_no_margin(ranking <- relieff_sc(x, links, k = k,
                                               must_link = "ignore"))
        expect_identical(ranking$margin, -1 / 2)
    }
})

test_that("numbers near the ends of the double range are scaled, not lost", {
    x <- random_matrix(15, 4)
    y <- x * rep(c(1e300, 1e-300, 1e-160, 1e160), each = 15)
    for (scale in c("range", "zscore")) {
        expect_equal(relieff_sc(y, few_links(15), scale = scale)$margin,
                     relieff_sc(x, few_links(15), scale = scale)$margin)
    }
    plain <- run(x, few_links(15), scale = "none", distance = "euclidean")
    for (unit in c(1e149, 1e-149)) {
        got <- run(x * unit, few_links(15), scale = "none",
                   distance = "euclidean")
        expect_equal(got[-4], plain[-4])
        expect_equal(got$margin / unit, plain$margin)
    }
    huge <- x * 1e300
    tiny <- x * 1e-300
    expect_refused("input",
        relieff_sc(huge, few_links(15), scale = "none"),
        relieff_sc(tiny, few_links(15), scale = "none")
    )
})

# ---- what it tells ----------------------------------------------------------

test_that("the result names method, direction, samples and constraints", {
    x <- round(random_matrix(12, 4), 1)
    links <- few_links(rownames(x))
    expect_snapshot({
        relieff_sc(x, links)
        relief_sc(x, links)
        relieff_sc(x, links, k = 5, direction = "first", must_link = "ignore")
        relieff_sc(x, links, rank_by = "statistic")
        summary(relieff_sc(x, links))
    })
    info <- summary(relieff_sc(x, links, k = 2, scale = "none"))
    expect_identical(info$method, "relieff_sc")
    expect_identical(info$key, "margin")
    expect_identical(info$parameters$k, 2)
    expect_identical(info$parameters$scale, "none")
    expect_identical(info$cannot_links, 3L)
    expect_identical(info$must_links, 1L)
})

test_that("what cannot be ranked is said in one sentence", {
    x <- random_matrix(12, 4)
    links <- few_links(12)
    expect_refused("argument",
        relieff_sc(x, links, k = 0),
        relieff_sc(x, links, k = 1.5),
        relieff_sc(x, links, k = NA),
        relieff_sc(x, links, k = "5"),
        relieff_sc(x, links, K = 5),
        relief_sc(x, links, k = 5),
        relieff_sc(x, links, k = 3, direction = "both", must_link = "use", distance = "manhattan", rank_by = "margin", permutations = 0,
                   space = NULL, block = NULL, scale = "range", assay.type = 1, BPPARAM = NULL, threads = 1, progress = FALSE, "more"),
        relieff_sc(x, links, direction = "second"),
        relieff_sc(x, links, must_link = TRUE),
        relieff_sc(x, links, distance = "cosine"),
        relieff_sc(x, links, scale = "minmax"),
        relieff_sc(x, links, rank_by = "score"),
        relieff_sc(x, links, permutations = -1),
        relieff_sc(x, links, threads = 0),
        relieff_sc(x, links, progress = NA)
    )
    expect_refused("constraints",
        relieff_sc(x, cbind(1, 2)),
        relieff_sc(x, pairwise_constraints(must_link = cbind(1, 2),
                                           samples = 12)),
        relieff_sc(x, few_links(11)),
        relieff_sc(x, pairwise_constraints(cannot_link = cbind(1, 13), samples = 13)),
        relieff_sc(x, few_links(letters[1:12]))
    )
})

test_that("neighbours without each feature are those of a search for each", {
    expect_every(40, function(seed) {
        set.seed(seed)
        n <- sample(c(20L, 150L, 700L), 1L)
        p <- sample(c(2L, 5L, 30L), 1L)
        # tenths, so that distances are equal but for rounding
        x <- matrix(sample(0:9, n * p, TRUE) / 10, n)
        x[, 1L] <- x[, 1L] + (seq_len(n) %% 3 == 0)
        input <- list(data = prepare_data(x), own = seq_len(p))
        input$scaling <- feature_scaling(input$data)
        input$where <- feature_space(
            input$data, input$scaling, "manhattan",
            if (runif(1) < 0.5) sample(2L, n, TRUE) - 1L)
        links <- constraint_links(links_at_random(n))
        rule <- neighbour_rule(if (runif(1) < 0.5) links)
        ends <- sort(sample(n, sample(n, 1L)))
        k <- sample(c(1, 4, n - 1), 1L)
        control <- run_control(sample(2L, 1L), FALSE)
        together <- each_own(input, ends, k, rule, control,
                             function(input, near) near$row)
        alone <- lapply(input$own, function(f) {
            nearest(space_without(input, f), ends, k, rule, control)$row
        })
        identical(together, alone)
    })
})
