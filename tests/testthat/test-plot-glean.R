# Pictures of glean(): what they show, and what they give back.

drawn_ranking <- function() {
    set.seed(3)
    x <- random_matrix(30, 12)
    class <- rep(1:3, 10)
    x[, 1] <- x[, 1] + 3 * class
    x[, 2] <- x[, 2] - 3 * (class == 2)
    glean(x, pairwise_constraints(cannot_link = rbind(c(1, 2), c(2, 3), c(1, 6)),
                                  must_link = rbind(c(1, 4), c(3, 6)), samples = 30))
}

draw <- function(...) {
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    withVisible(plot(...))
}

test_that("every type is drawn without a word", {
    ranking <- drawn_ranking()
    for (type in c("parts", "samples", "scores")) {
        expect_false(expect_silent(draw(ranking, type = type))$visible)
    }
    expect_silent(draw(ranking, n = 3, main = "Mine", xlab = "share"))
    expect_silent(draw(ranking, n = 500))
    structure_only <- glean(random_matrix(10, 4),
                            pairwise_constraints(samples = 10))
    expect_silent(draw(structure_only))
    expect_silent(draw(structure_only, type = "samples"))
})

test_that("existing parts are fractions of the largest value", {
    ranking <- drawn_ranking()
    shares <- relative_parts(ranking)
    expect_identical(colnames(shares),
                     c("structure", "margin", "spread", "contrast"))
    expect_equal(unname(apply(shares, 2, max)), c(1, 1, 1, 1))
    expect_equal(shares[, "margin"], ranking$margin / max(ranking$margin),
                 ignore_attr = TRUE)
    none <- glean(random_matrix(10, 4), pairwise_constraints(samples = 10))
    expect_identical(colnames(relative_parts(none)), "structure")
})

test_that("samples are drawn on the first two dimensions of the space", {
    x <- random_matrix(15, 6)
    links <- few_links(rownames(x))
    points <- cbind(seq_len(15), rev(seq_len(15))^2, 0)
    expect_equal(draw(glean(x, links, space = points, rounds = 0,
                            scale = "range"),
                      type = "samples")$value, points[, 1:2])
    axes <- principal_components(prepare_data(x))
    expect_equal(draw(glean(x, links, rounds = 0), type = "samples")$value,
                 axes, ignore_attr = TRUE, tolerance = 1e-6)
    for (space in list(20, NULL)) {
        # that of the features by their relevance in the round before
        before <- glean(x, links, space = space, rounds = 0, scale = "range")
        v <- before$relevance[match(colnames(x), before$feature)]
        u <- sweep(scale(apply(x, 2, function(column) {
            (column - min(column)) / diff(range(column))
        }), scale = FALSE), 2, v / max(v), "*")
        learned <- draw(glean(x, links, space = space,
                              scale = "range"), type = "samples")$value
        expect_equal(abs(learned), abs(prcomp(u)$x[, 1:2]), tolerance = 1e-6,
                     ignore_attr = TRUE)
    }
    one <- draw(glean(x, links, space = points[, 1, drop = FALSE], rounds = 0,
                      scale = "range"),
                type = "samples")$value
    expect_identical(one[, 2], numeric(15))
})

test_that("what cannot be drawn is refused", {
    ranking <- drawn_ranking()
    flat <- glean(matrix(1, 6, 3), pairwise_constraints(samples = 6))
    expect_refused("argument", draw(ranking, type = "curves"),
                   draw(ranking, n = 0), draw(flat), draw(ranking, alpha = 0.1),
                   draw(ranking[0, ]),
                   draw(ranking, type = "samples", n = 3))
})
