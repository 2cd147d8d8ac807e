drawn <- function(...) {
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    withVisible(plot(...))
}

# ---- principal components ---------------------------------------------------

# prcomp() of the range-scaled data, signs as here.
components_reference <- function(x, count = 2) {
    u <- apply(x, 2, function(column) {
        range <- range(column, na.rm = TRUE)
        u <- (column - range[1]) / max(diff(range), 1e-300)
        u[is.na(u)] <- mean(u, na.rm = TRUE)
        u
    })
    all <- prcomp(u)
    scores <- all$x[, seq_len(count)]
    signs <- apply(scores, 2, function(axis) sign(axis[which.max(abs(axis))]))
    list(axes = unname(scores %*% diag(signs)),
         share = (all$sdev^2 / sum(all$sdev^2))[seq_len(count)])
}

expect_components <- function(x) {
    found <- principal_components(as_feature_data(x, missing = "keep"))
    expected <- components_reference(x)
    expect_equal(unname(found), expected$axes, ignore_attr = TRUE,
                 tolerance = 1e-6)
    expect_equal(attr(found, "share"), expected$share, tolerance = 1e-8)
    expect_identical(rownames(found), rownames(x))
    expect_identical(colnames(found), c("PC1", "PC2"))
}

# Data with two directions that stand out.
two_directions <- function(n, p) {
    x <- random_matrix(n, p)
    x + outer(rnorm(n), rnorm(p)) * 3 + outer(rnorm(n), rnorm(p)) * 1.5
}

test_that("components are those of prcomp(), wide, tall and square", {
    expect_components(two_directions(10, 50))
    expect_components(two_directions(200, 5))
    expect_components(two_directions(12, 12))
    expect_components(two_directions(3, 4))
    expect_components(two_directions(40, 2))
    expect_components(colon$x)
})

test_that("missing values are the feature's mean", {
    x <- two_directions(30, 8)
    x[cbind(c(1, 5, 30), c(2, 2, 8))] <- NA
    expect_components(x)
})

test_that("components do not depend on the kind of data", {
    x <- count_matrix(20, 10)
    expect_identical(
        principal_components(as_feature_data(as_matrix_class(x, "dgCMatrix"))),
        principal_components(as_feature_data(x))
    )
})

test_that("products are those of the whole matrix, in blocks of any size", {
    x <- two_directions(12, 17)
    u <- scale(apply(x, 2, function(a) (a - min(a)) / diff(range(a))),
               scale = FALSE)
    vectors <- matrix(rnorm(36), 12)
    for (cells in c(1, 12, 60, 1e6)) {
        found <- gram_product(as_feature_data(x), vectors, cells)
        expect_equal(found$value, u %*% t(u) %*% vectors, ignore_attr = TRUE)
        expect_equal(found$total, sum(u^2))
    }
})

test_that("a single feature has one component, the other is 0", {
    x <- matrix(c(0, 1, 4), 3)
    found <- principal_components(as_feature_data(x))
    # u = 0, 1/4, 1 has mean 5/12; the largest, 7/12, is positive
    expect_equal(found[, 1], c(-5, -2, 7) / 12)
    expect_identical(found[, 2], numeric(3))
    expect_equal(attr(found, "share"), c(1, 0))
})

test_that("data on a line have one component", {
    x <- outer(c(1, 2, 5, 3, 9), c(1, -2, 3))
    found <- principal_components(as_feature_data(x))
    expect_equal(attr(found, "share"), c(1, 0))
    expect_lt(max(abs(found[, 2])), 1e-6)
})

test_that("constant data lie in one point", {
    found <- principal_components(as_feature_data(matrix(7, 5, 3)))
    expect_identical(unname(found[, 1:2]), matrix(0, 5, 2))
    expect_identical(attr(found, "share"), c(0, 0))
})

test_that("equal components span the plane that they should", {
    # the corners of a regular simplex: all components are alike
    found <- principal_components(as_feature_data(diag(6)))
    expect_equal(crossprod(found[, 1:2]), diag(2), ignore_attr = TRUE)
    expect_equal(attr(found, "share"), c(0.2, 0.2))
})

test_that("components hardly apart from noise are found in a few passes", {
    x <- random_matrix(150, 300)
    found <- principal_components(as_feature_data(x), most = 12L)
    expect_equal(attr(found, "share"), components_reference(x)$share,
                 tolerance = 1e-3)
    all <- principal_components(as_feature_data(x))
    expect_equal(attr(all, "share"), components_reference(x)$share,
                 tolerance = 1e-8)
})

test_that("a plot never depends on random numbers, nor draws any", {
    data <- as_feature_data(two_directions(10, 5))
    set.seed(1)
    before <- .Random.seed
    first <- principal_components(data)
    expect_identical(.Random.seed, before)
    expect_identical(principal_components(data), first)
})

# ---- plot -------------------------------------------------------------------

test_that("plot() gives the coordinates back, invisibly", {
    x <- two_directions(12, 6)
    out <- expect_silent(drawn(few_links(12), x))
    expect_false(out$visible)
    expect_identical(out$value, principal_components(as_feature_data(x)))
})

test_that("constraints of every sort are drawn without a word", {
    x <- two_directions(40, 6)
    sets <- list(
        few_links(40), few_links(rownames(x)),
        pairwise_constraints(samples = 40),
        pairwise_constraints(must_link = cbind(1, 2), samples = 40),
        constraints_from_labels(rep(c("a", "b", NA, "c"), 10)),
        constraints_from_labels(c("a", "b", rep(NA, 38)))
    )
    for (links in sets) {
        expect_silent(drawn(links, x))
        expect_silent(drawn(links, x, labels = TRUE))
        expect_silent(drawn(links, x, labels = FALSE))
    }
})

test_that("data of every sort are drawn without a word", {
    x <- count_matrix(12, 6)
    gaps <- x
    gaps[2, 3] <- NA
    sets <- list(x, as.data.frame(x), as_matrix_class(x, "dgCMatrix"), gaps,
                 x[, 1, drop = FALSE], matrix(1, 12, 3), x * 1e300,
                 data.frame(f = rep(c("a", "b", "c"), 4), g = rep(1:2, 6)))
    for (data in sets) {
        expect_silent(drawn(few_links(12), data))
    }
})

test_that("an experiment is drawn from the assay that is asked for", {
    skip_if_not_installed("SummarizedExperiment")
    x <- two_directions(12, 6)
    se <- SummarizedExperiment::SummarizedExperiment(list(a = t(x), b = t(x^2)))
    expect_equal(drawn(few_links(12), se, assay.type = "b")$value,
                 drawn(few_links(12), x^2)$value)
})

test_that("labels of many samples are drawn without writing all pairs out", {
    x <- two_directions(5000, 3)
    options(linkrank.max_bytes = 2e7)
    on.exit(options(linkrank.max_bytes = NULL))
    expect_silent(drawn(constraints_from_labels(rep(1:2, 2500)), x))
})

test_that("graphical parameters may be given, limits too", {
    x <- two_directions(12, 6)
    expect_silent(drawn(few_links(12), x, xlim = c(-9, 9), ylim = c(-9, 9),
                        las = 0, main = "Mine", xlab = "x", ylab = "y"))
})

test_that("at most so many links of a kind are drawn, from first to last", {
    pairs <- cbind(1:3000, 3001:6000)
    links <- pairwise_constraints(pairs, samples = 6000)
    ends <- link_ends(links, 2000L)
    expect_identical(dim(ends$cannot), c(2000L, 2L))
    expect_identical(ends$cannot[c(1, 2000), ], pairs[c(1, 3000), ])
    expect_identical(anyDuplicated(ends$cannot), 0L)
    expect_identical(nrow(ends$must), 0L)
    expect_identical(link_ends(few_links(6), 10L)$must, cbind(1L, 2L))
})

test_that("few labels stay as they are, many are thinned evenly", {
    few <- constraints_from_labels(c("a", NA, "b"))
    expect_identical(thin_labels(few), few)
    many <- thin_labels(constraints_from_labels(rep(1:2, 5000)))
    kept <- which(!is.na(many$labels))
    expect_length(kept, 1000)
    expect_identical(range(kept), c(1L, 10000L))
})

test_that("what cannot be drawn is refused", {
    x <- two_directions(12, 6)
    expect_refused("argument",
        plot(few_links(12)),
        drawn(few_links(12), x, labels = "yes")
    )
    expect_refused("constraints",
        drawn(few_links(13), x),
        drawn(few_links(letters[1:12]), x)
    )
    expect_refused("input",
        drawn(few_links(12), "x"),
        drawn(few_links(12), x / 0)
    )
})
