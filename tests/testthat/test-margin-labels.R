# Constraints from all labels: sums over sorted values instead of a walk
# through all pairs of samples of different classes.

# The same sums pair by pair.
pair_by_pair <- function(input, options, control) {
    pairs <- pairs_of(input$constraints)
    use <- options$must_link == "use"
    links <- if (use) constraint_links(input$constraints)
    lists <- find_hits(input, pairs$ends, options$k, links, control)
    sums <- .Call(C_constrained_margins, input$data, input$scaling, pairs,
                  lists, TRUE, control)
    sums$rounding <- margin_rounding(sums, input$data, input$scaling)
    sums
}

# The paired t of these sums.
statistic_of <- function(sums) {
    square <- sums$square - sums$deviation^2 / sums$pairs
    t <- sums$margin / sqrt(sums$pairs * square / (sums$pairs - 1))
    replace(t, sums$pairs < 2 | square <= sums$rounding^2 * (sums$pairs - 1), NA)
}

input_of <- function(x, links, options) {
    scale_for_margins(list(data = prepared(x, scale = options$scale, uses = "scale"),
                           constraints = links, pairs = pairs_of(links)),
                      "keep")
}

options_of <- function(k, must_link, scale) {
    list(k = k, direction = "both", must_link = must_link, permutations = 0,
         own_term = "leave_out", rank_by = "margin", scale = scale)
}

# Ties, zeros, copies of samples, hits of the other class, samples without a
# label and without hits.
labelled_problem <- function(seed) {
    set.seed(seed)
    n <- sample(c(5:20, 70), 1L)
    x <- matrix(rnorm(n * 9), n)
    if (seed %% 3 == 0) x <- round(x)
    if (seed %% 2 == 0) x[runif(n * 9) < 0.7] <- 0
    x[, 2] <- abs(x[, 2]) + 100
    if (seed %% 5 == 0) x <- x[sample.int(n, n, TRUE), ]
    x[, 9] <- 4
    labels <- sample(letters[seq_len(sample(2:8, 1L))], n, TRUE)
    if (seed %% 4 == 0) labels[sample.int(n, 2L)] <- NA
    labels[1:2] <- c("a", "b")
    list(x = x, links = constraints_from_labels(labels),
         options = options_of(sample(c(1, 3, 40), 1L),
                              c("use", "ignore")[seed %% 2 + 1],
                              c("range", "zscore", "none")[seed %% 3 + 1]))
}

test_that("sums over sorted values are those over all pairs", {
    expect_every(300, function(seed) {
        problem <- labelled_problem(seed)
        input <- input_of(problem$x, problem$links, problem$options)
        run <- function(sums) {
            sums(input, problem$options, run_control(1, FALSE))
        }
        got <- run(constrained_margins)
        want <- run(pair_by_pair)
        # per pair, next to the largest term of a pair
        scale <- pmax(want$size, .Machine$double.xmin) * want$pairs
        got_squares <- got$square - got$deviation^2 / got$pairs
        squares <- want$square - want$deviation^2 / want$pairs
        statistic <- suppressWarnings(run(margin_table),
                                      classes = "linkrank_warning_margin")$statistic
        identical(got$pairs, want$pairs) &&
            all(abs(got$margin - want$margin) <= 1e-13 * scale) &&
            all(abs(got_squares - squares) <= 1e-13 * scale * want$size) &&
            all(got$size >= want$size * (1 - 1e-15)) &&
            isTRUE(all.equal(statistic, statistic_of(want),
                             tolerance = 1e-6))
    })
})

test_that("categories and missing values keep their expected differences", {
    set.seed(3)
    x <- data.frame(a = rnorm(40), b = factor(sample(letters[1:4], 40, TRUE)),
                    c = rpois(40, 1), d = rnorm(40), e = runif(40) < 0.3)
    x$d[c(3, 9)] <- NA
    labels <- rep(c("u", "v", NA, "w"), 10)
    links <- constraints_from_labels(labels)
    want <- reference_relieff_sc(x, links)
    got <- in_column_order(relieff_sc(x, links, scale = "range"))
    expect_equal(got$margin, want$margin, tolerance = 1e-12)
    expect_equal(got$statistic, want$statistic,
                 tolerance = 1e-10)
    # nothing but such features
    only <- x[c("b", "d")]
    expect_identical(in_column_order(relieff_sc(only, links)),
                     in_column_order(relieff_sc(only, links[])))
})

test_that("every kind of data and number of threads gives the same bits", {
    x <- count_matrix(60, 30)
    x[, 5] <- x[, 5] + 2
    x[, 6] <- -x[, 6] - 1
    x[, 7] <- x[, 7] - 1
    links <- constraints_from_labels(rep(1:4, 15))
    for (scale in c("range", "zscore", "none")) {
        run <- function(x, threads = 1) {
            relieff_sc(x, links, scale = scale, threads = threads)
        }
        expect_identical(run(as_matrix_class(x, "dgCMatrix")), run(x))
        expect_identical(run(as.data.frame(x)), run(x))
        expect_same_for_threads(function(threads) run(x, threads))
    }
    # cells that are stored although they are 0
    stored <- as_matrix_class(x, "dgCMatrix")
    stored[cbind(1:20, 3)] <- 7
    stored@x[stored@x == 7] <- 0
    zeros <- as.matrix(stored)
    expect_identical(relieff_sc(stored, links), relieff_sc(zeros, links))
})

test_that("margins that are all equal have no statistic, others have one", {
    # two classes of two copies each: every margin is the distance, 1
    labels <- rep(c("a", "b"), each = 40)
    x <- cbind(equal = rep(c(0.1, 1e3), each = 40), spread = rnorm(80),
               rare = rep(c(1, 0), c(6, 74)))
    got <- in_column_order(relieff_sc(x, constraints_from_labels(labels)))
    margins <- reference_relieff_sc(x, constraints_from_labels(labels))
    expect_identical(got$statistic[1L], NA_real_)
    expect_equal(got$statistic, margins$statistic,
                 tolerance = 1e-10)
    expect_identical(is.na(got$statistic), c(TRUE, FALSE, FALSE))
})

test_that("exact sums of millions of pairs are met", {
    # whole numbers, scaled by a power of two: the loops below round nothing
    set.seed(5)
    n <- 700
    u <- sample(0:64, n, TRUE) * (runif(n) < 0.4)
    u[1:2] <- c(0, 64)
    labels <- sample(1:3, n, TRUE, c(0.9, 0.05, 0.05))
    links <- constraints_from_labels(labels)
    options <- options_of(2, "use", "range")
    input <- input_of(cbind(u), links, options)
    got <- constrained_margins(input, options, run_control(1, FALSE))
    found <- found_in(input$data, input$scaling, seq_len(n), 2,
                      constraint_links(links))
    hits <- found$row[order(-found$list), ][1:2, ]
    to_hits <- function(v, m) {
        abs(v - u[hits[1, m]]) + abs(v - u[hits[2, m]])
    }
    own <- to_hits(u, seq_len(n))
    # four times 64 the margin, whole numbers
    margins <- outer(u, seq_len(n), to_hits) - own
    margins <- (margins + t(margins))[outer(labels, labels, "<")]
    expect_equal(got$margin, sum(margins) / 256, tolerance = 1e-14)
    expect_equal(got$square, sum(margins^2) / 256^2, tolerance = 1e-14)
})

test_that("more hits than memory is for go through the pairs", {
    options <- options_of(4, "use", "range")
    input <- input_of(random_matrix(12, 3),
                      constraints_from_labels(rep(1:2, 6)), options)
    # only sums over sorted values have a magnitude
    sorted <- function(most) {
        replace_binding("most_hits", most)
        sums <- constrained_margins(input, options, default_control())
        !is.null(sums$magnitude)
    }
    on.exit(replace_binding("most_hits", most_hits))
    expect_identical(c(sorted(48), sorted(47)), c(TRUE, FALSE))
})
