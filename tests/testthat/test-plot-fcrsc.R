compact_colon <- function(p = 120) {
    set.seed(1)
    links <- constraints_from_labels(colon$tissue, cannot_link = 10,
                                     must_link = 0)
    fcrsc(log2(colon$x)[, seq_len(p)], links)
}

test_that("the tree is drawn with the cut", {
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    ranking <- compact_colon()
    clusters <- plot(ranking)
    expect_equal(unname(clusters[ranking$feature]), ranking$cluster)
    expect_no_error(plot(compact_colon(20)))
})

test_that("leaves are named where they fit, else the largest clusters", {
    few <- compact_colon(20)
    text <- text_boxes(plot(few))$text
    expect_setequal(text, few$feature)
    many <- compact_colon(300)
    boxes <- text_boxes(plot(many))
    expect_false(any_overlap(boxes))
    # the selected feature of a cluster and the number of the others
    parts <- do.call(rbind, strsplit(sub(" more$", "", boxes$text), " and ",
                                     fixed = TRUE))
    sizes <- many$cluster_size[match(parts[, 1], many$feature)]
    expect_identical(sizes - 1L, as.integer(parts[, 2]))
    expect_true(all(many$selected[match(parts[, 1], many$feature)]))
    expect_no_error(plot(many[1:50, ]))
    # pruned, a cluster has the name of the best of several that were selected
    pruned <- diversify_ranking(many, log2(colon$x), method = "prune",
                                max_cor = 1)
    expect_identical(text_boxes(plot(pruned))$text, boxes$text)
    expect_gt(nrow(parts), 5)
    others <- many$cluster_size[!many$cluster %in%
                                    many$cluster[match(parts[, 1],
                                                       many$feature)]]
    expect_lte(max(others), min(sizes))
    # on a larger device all of them
    wide <- text_boxes(plot(many), width = 7, height = 40)$text
    expect_setequal(wide, many$feature)
})

test_that("the cut lies between the merges", {
    tree <- list(height = c(0.1, 0.2, 0.5))
    expect_equal(cut_height(tree, 0), 0.05)
    expect_equal(cut_height(tree, 2), 0.35)
    expect_equal(cut_height(tree, 3), 0.5)
})

test_that("arguments are checked", {
    expect_refused("argument", plot(compact_colon(30), type = "map"),
                   plot(compact_colon(30), n = 1))
})
