compact_colon <- function(p = 120) {
    set.seed(1)
    links <- constraints_from_labels(colon$tissue, cannot_link = 10,
                                     must_link = 0)
    fcrsc(log2(colon$x)[, seq_len(p)], links)
}

test_that("the heat map holds selected features and their companions", {
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    ranking <- compact_colon()
    names <- plot(ranking, log2(colon$x), n = 6, companions = 2)
    chosen <- ranking$feature[ranking$selected][1:6]
    expect_equal(intersect(names, chosen), chosen)
    expect_true(all(setdiff(names, chosen) %in%
                        ranking$feature[ranking$cluster %in% ranking$cluster[1:6]]))
    grouped <- plot(ranking, log2(colon$x), n = 6, companions = 2,
                    groups = colon$tissue, main = "by tissue")
    expect_equal(grouped, names)
    expect_lte(length(plot(ranking, log2(colon$x), n = 100, rows = 10)), 10)
})

test_that("the tree is drawn with the cut", {
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    ranking <- compact_colon()
    clusters <- plot(ranking)
    expect_equal(unname(clusters[ranking$feature]), ranking$cluster)
    expect_equal(plot(ranking, log2(colon$x), type = "tree"), clusters)
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
    ranking <- compact_colon(30)
    expect_refused("argument", plot(ranking, type = "heatmap"),
                   plot(ranking, log2(colon$x), n = 0),
                   plot(ranking, log2(colon$x), groups = 1:3),
                   plot(ranking, type = "map"),
                   plot(ranking, log2(colon$x)[, 40:60]))
})
