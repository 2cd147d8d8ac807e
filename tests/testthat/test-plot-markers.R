# Dots of markers, and a feature's margin pair by pair.

without_device <- function(code) {
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    force(code)
}

test_that("dots are those of the table, each feature once", {
    set.seed(1)
    x <- matrix(rexp(24 * 8), 24, 8, dimnames = list(NULL, letters[1:8]))
    markers <- group_markers(x, rep(c("u", "v", "w"), 8))
    dots <- without_device(plot(markers, n = 2))
    expect_false(anyDuplicated(dots[c("feature", "group")]) > 0)
    best <- unique(unlist(top_features(markers, 2)))
    expect_identical(unique(dots$feature), best)
    at <- match(paste(dots$group, dots$feature),
                paste(markers$group, markers$feature))
    expect_identical(dots$difference, markers$difference[at])
    expect_identical(dots$detected, markers$detected[at])
})

test_that("a pair's picture names its feature and its ends", {
    x <- random_matrix(20, 5)
    links <- pairwise_constraints(cbind(1:6, 11:16), samples = rownames(x))
    margins <- pair_margins(x, links, c("g2", "g4"))
    drawn <- without_device(plot(margins, "g4"))
    expect_identical(sort(drawn$margin), sort(unname(margins[, "g4"])))
    expect_false(is.unsorted(-drawn$margin))
    expect_identical(drawn$first, unname(x[match(
        sub(" .*", "", drawn$pair), rownames(x)), "g4"]))
    without_device(plot(margins, 1, n = 3, classes = rep(c("a", NA), 10)))
    expect_refused("argument",
        plot(margins, "g1"),
        plot(margins, 3),
        plot(margins, classes = 1:3)
    )
})

test_that("names of one letter stay inside the picture", {
    x <- random_matrix(12, 4)
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    lines <- NULL
    setHook("plot.new", function(...) {
        lines <<- graphics::par("mai")[1] / graphics::par("csi")
    })
    on.exit(setHook("plot.new", NULL, "replace"), add = TRUE)
    plot(group_markers(x, rep(c("g", "h", "k"), 4)))
    # 0.3 lines of space, and a line of text
    expect_gte(lines, 1.3)
})
