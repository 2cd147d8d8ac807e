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

test_that("groups may have been made text", {
    set.seed(4)
    markers <- group_markers(random_matrix(20, 6), rep(c("b", "a"), 10))
    words <- markers
    words$group <- as.character(words$group)
    expect_identical(marker_dots(words, 3), marker_dots(markers, 3))
})

test_that("height, mark and name in a volcano go by the same number", {
    x <- log2(colon$x[, 1:60])
    markers <- group_markers(x, colon$tissue)
    drawn <- without_device(plot(markers, "volcano", n = 3))
    # genes that were scaled have no unit in common; others have
    expect_identical(drawn$effect, markers$cohen_d)
    expect_identical(attr(drawn, "titles")$xlab, "Cohen's d")
    plain <- group_markers(prepare_data(x, scale = "none"), colon$tissue)
    shown <- without_device(plot(plain, "volcano"))
    expect_identical(shown$effect, plain$difference)
    expect_identical(attr(shown, "titles")$xlab, "Difference")
    expect_equal(10^-drawn$height, markers$fdr)
    expect_identical(drawn$significant, markers$fdr <= 0.05)
    highest <- order(markers$group, markers$fdr, -abs(markers$cohen_d))
    expect_setequal(drawn$feature[drawn$named],
                    markers$feature[highest[c(1:3, 61:63)]])
    expect_identical(as.vector(tapply(drawn$named, drawn$group, sum)), c(3L, 3L))
    expect_error(without_device(plot(markers, "volcano", group = identity)),
                 "`group` must be among .* not \"function\"",
                 class = "linkrank_error_argument")
    shown <- texts_of(plot(markers, "volcano", n = 3, group = "tumour"))
    expect_match(shown, "^fdr <= 0.05 \\([0-9]+\\)$", all = FALSE)
    one <- without_device(plot(markers, "volcano", group = "tumour",
                               alpha = 0.5, main = "Colon"))
    expect_identical(levels(one$group), "tumour")
    expect_identical(sum(one$significant),
                     sum(markers$fdr[markers$group == "tumour"] <= 0.5))
    strict <- without_device(plot(markers, "volcano", alpha = 1e-7))
    expect_true(all(strict$significant[strict$named]))
    # p-values of 0 have a place; groups of the data have no p-values
    markers$fdr[1:2] <- 0
    expect_true(all(is.finite(
        without_device(plot(markers, "volcano"))$height)))
    set.seed(1)
    links <- constraints_from_labels(colon$tissue, cannot_link = 9, must_link = 9)
    made <- without_device(plot(group_markers(x, glean(x, links)), "volcano"))
    expect_identical(attr(made, "titles")$ylab, "Size of the statistic")
    expect_false(any(made$significant))
    expect_refused("argument",
        plot(markers, "volcano", group = "none"),
        plot(markers, alpha = 0.1),
        plot(markers, "bars"),
        plot(markers, n = 0),
        # not what column detected_others says
        plot(markers[setdiff(names(markers), "detected")])
    )
})

test_that("a pair's picture names its feature and its ends", {
    x <- random_matrix(20, 5)
    links <- pairwise_constraints(cannot_link = cbind(1:6, 11:16), samples = rownames(x))
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
        plot(margins, classes = 1:3),
        plot(margins, classes = rep(1:2, 20))
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

test_that("the ends of the colours are written out, inside the picture", {
    x <- random_matrix(12, 4)
    x[1:6, 1] <- x[1:6, 1] + 1700
    groups <- rep(c("g", "h"), each = 6)
    shown <- texts_of(plot(group_markers(x, groups)))
    expect_true(all(c("-1700", "1700") %in% shown))
    boxes <- text_boxes(plot(group_markers(1e4 * x, groups)))
    ends <- boxes[boxes$text %in% c("-1.7e+07", "1.7e+07"), ]
    expect_identical(nrow(ends), 2L)
    expect_true(all(ends$right <= 7 & ends$low >= 0))
})
