random_subset_case <- function(seed) {
    set.seed(seed)
    n <- sample(6:11, 1)
    p <- sample(3:8, 1)
    kind <- seed %% 4
    x <- switch(kind + 1,
                matrix(rnorm(n * p), n),
                matrix(sample(0:3, n * p, TRUE), n),
                matrix(sample(0:1, n * p, TRUE), n),
                matrix(runif(n * p), n))
    x[, 1] <- x[, p]                        # a copy
    if (p > 3) x[, 2] <- -x[, 3]            # a mirror image
    if (seed %% 7 == 0) x[, p] <- 1         # a constant
    storage.mode(x) <- "double"
    list(x = x, n = n, p = p, sigma = c(1, 0.3, 2.5, 0.05)[seed %% 4 + 1],
         class = sample(2, n, TRUE))
}

test_that("the order is that of plain double arithmetic, ties included", {
    for (seed in seq_len(trials(200))) {
        case <- random_subset_case(seed)
        u <- scaled_by_range(case$x)
        class <- replace(case$class, 1:4, c(1, 1, 2, 2))
        if (seed %% 2) {
            y <- replace(class, sample(5:case$n, 1), NA)
            rows <- which(!is.na(y))
            pairs <- all_reference_pairs(y[rows])
            want <- reference_forward(u[rows, ], pairs, case$sigma)
            got <- select_subset(case$x, y = y, sigma = case$sigma)
            curve <- want$error / nrow(pairs)
        } else {
            y <- replace(class, 5:case$n, NA)
            found <- reference_nearest_class(u, 1:4, class[1:4])
            want <- reference_forward(u, all_reference_pairs(found),
                                      case$sigma)
            got <- select_subset(case$x, y = y, sigma = case$sigma,
                                 context = "semisupervised")
            curve <- 2 * want$error / case$n^2
        }
        expect_identical(got$feature, paste0("V", want$order))
        expect_equal(got$score, curve, tolerance = 1e-13)
        expect_identical(top_features(got, n = "best"),
                         got$feature[seq_len(which.min(want$error))])
    }
})

test_that("lists of pairs count as given, without their closure", {
    x <- random_matrix(12, 6)
    links <- pairwise_constraints(cannot_link = rbind(c(3, 1), c(5, 2)),
                                  must_link = rbind(c(7, 8), c(9, 8), c(12, 4)),
                                  samples = 12)
    pairs <- subset_pairs_in_order(c(3, 5, 7, 9, 12), c(1, 2, 8, 8, 4),
                             c(0, 0, 1, 1, 1))
    want <- reference_forward(scaled_by_range(x), pairs, 1)
    got <- select_subset(x, links)
    expect_identical(got$feature, colnames(x)[want$order])
    expect_equal(got$score, want$error / 5)
    expect_identical(got$entry, 1:6)
})

test_that("must-link groups are prototypes when there is no `y`", {
    x <- random_matrix(15, 5)
    links <- pairwise_constraints(cannot_link = rbind(c(1, 3)), must_link = rbind(c(1, 2), c(3, 4)),
                                  samples = 15)
    found <- reference_nearest_class(scaled_by_range(x), 1:4, c(1, 1, 2, 2))
    want <- reference_forward(scaled_by_range(x), all_reference_pairs(found), 1)
    got <- select_subset(x, links, context = "semisupervised")
    expect_identical(got$feature, colnames(x)[want$order])
    expect_equal(got$score, 2 * want$error / 225)
})

test_that("the kind of data, threads and kernels change nothing", {
    x <- round(random_matrix(40, 50) * 4)
    y <- rep(1:4, 10)
    plain <- select_subset(x, y = y)
    sparse <- Matrix::Matrix(x, sparse = TRUE)
    expect_equal(select_subset(sparse, y = y), plain)
    expect_equal(select_subset(as.data.frame(x), y = y), plain)
    threaded <- expect_same_for_threads(function(threads) {
        select_subset(x, y = y, threads = threads)
    })
    expect_identical(threaded, plain)
    old <- options(linkrank.portable = TRUE)
    on.exit(options(old))
    expect_identical(select_subset(x, y = y), plain)
})

test_that("samples may be permuted, and features in any order", {
    x <- random_matrix(20, 8)
    y <- rep(1:2, 10)
    plain <- select_subset(x, y = y)
    turned <- 20:1
    moved <- select_subset(x[turned, ], y = y[turned])
    expect_identical(moved$feature, plain$feature)
    expect_equal(moved$score, plain$score)
    other <- select_subset(x[, 8:1], y = y)
    expect_identical(other$feature, plain$feature)
})

test_that("factors, missing values and constant features have a place", {
    set.seed(4)
    x <- data.frame(a = rnorm(20), b = factor(sample(letters[1:3], 20, TRUE)),
                    c = 1, d = rnorm(20))
    y <- rep(1:2, 10)
    got <- select_subset(x, y = y)
    # a category differs by 0 or 1
    u <- cbind(scaled_by_range(as.matrix(x[c("a", "d")])), 0)
    pairs <- all_reference_pairs(y)
    codes <- as.integer(x$b)
    errors <- vapply(seq_len(4), function(f) {
        d <- switch(f, u[, 1], NULL, u[, 3], u[, 2])
        square <- if (f == 2) codes[pairs$i] != codes[pairs$j] else
            (d[pairs$i] - d[pairs$j])^2
        sum((exp(-square / 2) - pairs$target)^2)
    }, 0)
    expect_identical(got$feature[1], names(x)[which.min(errors)])
    expect_equal(got$score[1], min(errors) / nrow(pairs))
    # entering a constant feature changes nothing
    at <- which(got$feature == "c")
    expect_equal(got$score[at], c(got$score[at - 1], 1)[1])

    x$a[3] <- NA
    expect_error(select_subset(x, y = y), class = "linkrank_error_input")
    filled <- x
    filled$a[3] <- mean(x$a, na.rm = TRUE)
    expect_equal(select_subset(x, y = y, na.action = "mean")$score,
                 select_subset(filled, y = y)$score)
})

test_that("it stops at the given number", {
    x <- random_matrix(30, 20)
    y <- rep(1:3, 10)
    full <- select_subset(x, y = y)
    some <- select_subset(x, y = y, n = 4)
    expect_identical(some$feature[1:4], full$feature[1:4])
    expect_identical(some$entry, c(1:4, rep(NA, 16)))
    expect_identical(some$feature[-(1:4)],
                     colnames(x)[!colnames(x) %in% some$feature[1:4]])
    full <- select_subset(x, y = y, sigma = 0.4)
    early <- select_subset(x, y = y, sigma = 0.4, stop = "minimum",
                           patience = 2)
    entered <- sum(!is.na(early$entry))
    expect_lt(which.min(full$score), 10)
    expect_identical(entered, which.min(full$score) + 2L)
    expect_identical(top_features(early, n = "best"), top_features(full, n = "best"))
})

test_that("sigma = \"auto\" takes the least score on its grid, twice", {
    x <- random_matrix(25, 6)
    y <- rep(1:2, length.out = 25)
    grid <- 10^seq(-1, 2, by = 0.1)
    pairs <- all_reference_pairs(y)
    u <- scaled_by_range(x)
    best <- function(features) {
        square <- rowSums((u[pairs$i, features, drop = FALSE] -
                               u[pairs$j, features, drop = FALSE])^2)
        grid[which.min(vapply(grid, function(sigma) {
            sum((exp(-square / (2 * sigma^2)) - pairs$target)^2)
        }, 0))]
    }
    first <- select_subset(x, y = y, sigma = best(1:6))
    want <- best(match(top_features(first, n = "best"), colnames(x)))
    got <- select_subset(x, y = y, sigma = "auto")
    expect_identical(summary(got)$parameters$sigma, want)
    expect_identical(got, select_subset(x, y = y, sigma = want))
})

test_that("an extreme sigma neither fails nor loses the order", {
    x <- random_matrix(10, 5)
    y <- rep(1:2, 5)
    for (sigma in c(1e-3, 0.06, 0.1, 40, 1e4)) {
        want <- reference_forward(scaled_by_range(x), all_reference_pairs(y),
                                  sigma)
        got <- select_subset(x, y = y, sigma = sigma)
        expect_identical(got$feature, colnames(x)[want$order])
    }
    wide <- select_subset(x, y = y, scale = "none", sigma = 0.01)
    expect_false(anyNA(wide$score))
})

test_that("the ranking prints, plots and is summarised", {
    x <- random_matrix(20, 15)
    genes <- select_subset(x, y = rep(1:2, 10), n = 12)
    expect_narrow(genes)
    expect_snapshot(genes)
    expect_snapshot(summary(genes))
    picture <- tempfile(fileext = ".pdf")
    grDevices::pdf(picture)
    expect_identical(plot(genes), genes)
    plot(genes, n = 0)
    grDevices::dev.off()
    expect_gt(file.size(picture), 1000)
    expect_s3_class(genes[1:5, ], "subset_ranking")
    expect_identical(rank_features(x, few_links(20),
                                   method = "select_subset"),
                     select_subset(x, few_links(20)))
})

test_that("what cannot be used is refused", {
    x <- random_matrix(10, 4)
    none <- pairwise_constraints(samples = 10)
    cannot <- pairwise_constraints(cannot_link = cbind(1, 2), samples = 10)
    one <- pairwise_constraints(cannot_link = NULL, must_link = cbind(1, 2), samples = 10)
    expect_refused("constraints",
        select_subset(x, none),
        select_subset(x, cannot, sigma = "auto"),
        select_subset(x, one, sigma = "auto"),
        select_subset(x, one, context = "semisupervised"),
        select_subset(x, cannot, context = "semisupervised"),
        select_subset(x, cannot, y = c("a", "a", rep(NA, 8)),
                      context = "semisupervised"),
        select_subset(x, pairwise_constraints(cannot_link = cbind(1, 2), samples = 12)))
    expect_refused("argument",
        select_subset(x),
        select_subset(x, cannot, y = 1:10),
        select_subset(x, cannot, y = 1:9, context = "semisupervised"),
        select_subset(x, cannot, sigma = 0),
        select_subset(x, cannot, sigma = "automatic"),
        select_subset(x, cannot, n = 0),
        select_subset(x, cannot, stop = "never"),
        select_subset(x, cannot, max_features = 2),
        top_features(relieff_sc(x, cannot, own_term = "keep"), n = "best"))
    old <- options(linkrank.max_bytes = 100)
    on.exit(options(old))
    expect_refused("memory", select_subset(x, cannot))
})

# The first features to enter have the largest scores, of which a low one is
# better.
test_that("a threshold is not for the curve of a selection", {
    x <- random_matrix(12, 4)
    ranking <- select_subset(x, y = rep(1:2, 6))
    expect_error(top_features(ranking, threshold = ranking$score[2]),
                 "n = \"best\" gives the features up to its minimum",
                 class = "linkrank_error_argument")
})
