# What group_markers() returns: print, [, top_features, marker_lists, tidy.

some_markers <- function() {
    set.seed(1)
    x <- round(matrix(rnorm(24 * 30), 24, 30,
                      dimnames = list(NULL, paste0("gene", 1:30))), 2)
    y <- rep(c("B cell", "T cell", "monocyte"), 8)
    x[y == "T cell", 3] <- x[y == "T cell", 3] + 3
    group_markers(x, y)
}

test_that("print-outs are by group and fit the screen", {
    markers <- some_markers()
    expect_snapshot(print(markers, n = 2))
    expect_narrow(markers)
    long <- markers
    long$feature <- paste0(long$feature, strrep("x", 60))
    expect_narrow(long)
    expect_snapshot({
        x <- log2(colon$x)
        links <- pairwise_constraints(cannot_link = cbind(1, 2), must_link = rbind(c(1, 3), c(2, 4)),
                                      samples = rownames(x))
        print(group_markers(x, links), n = 2)
    })
    links <- with_origin(links, "features in view")
    shown <- sub("^ +", "", capture.output(print(group_markers(x, links))))
    expect_match(paste(shown, collapse = " "),
                 "(answers were given with features in view) Group", fixed = TRUE)
})

test_that("names of the best, by group or of one", {
    markers <- some_markers()
    t_cell <- as.data.frame(markers)[markers$group == "T cell", ]
    expect_identical(top_features(markers, 4, group = "T cell"),
                     t_cell$feature[1:4])
    expect_identical(t_cell$feature[1], "gene3")
    all <- top_features(markers, 2)
    expect_named(all, c("B cell", "T cell", "monocyte"))
    expect_identical(all[["T cell"]], t_cell$feature[1:2])
    expect_identical(top_features(markers, Inf, "T cell", alpha = 0.01),
                     t_cell$feature[t_cell$fdr <= 0.01])
    expect_refused("argument",
        top_features(markers, 3, group = "NK"),
        top_features(markers, 3, group = mean),
        top_features(markers, 0),
        top_features(markers, prop = 0.1)
    )
})

test_that("lists hold signed statistics, or tables by group", {
    markers <- some_markers()
    lists <- marker_lists(markers)
    expect_named(lists, c("B cell", "T cell", "monocyte"))
    part <- as.data.frame(markers)[markers$group == "T cell", ]
    largest <- order(-part$statistic)
    expect_identical(lists[["T cell"]],
                     setNames(part$statistic, part$feature)[largest])
    expect_identical(marker_lists(markers, "auc")[[1]][["gene3"]],
                     markers$auc[markers$group == "B cell" &
                                     markers$feature == "gene3"])
    # rows in another order, ties and a value that is not known
    markers$auc[markers$feature == "gene5"] <- NA
    mixed <- markers[sample(nrow(markers)), ]
    auc <- marker_lists(mixed, "auc")[["B cell"]]
    own <- markers[markers$group == "B cell" & !is.na(markers$auc), ]
    expect_identical(auc, setNames(own$auc, own$feature)[order(-own$auc,
                                                               own$rank)])
    tables <- marker_lists(markers, column = NULL)
    expect_identical(class(tables[[2]]), "data.frame")
    expect_identical(rownames(tables[[2]]), tables[[2]]$feature)
    expect_identical(tables[[2]]$feature[1], "gene3")
    expect_identical(tables[[2]]$cohen_d, part$cohen_d)
    expect_refused("argument", marker_lists(markers, "feature"),
                   marker_lists(), marker_lists(as.data.frame(markers)))
    skip_if_not_installed("limma")
    sets <- list(planted = 3, others = 10:14)
    found <- limma::cameraPR(lists[["T cell"]][paste0("gene", 1:30)], sets)
    expect_identical(found["planted", "Direction"], "Up")
})

test_that("rows keep the class while the keys are there", {
    markers <- some_markers()
    up <- markers[markers$difference > 0, ]
    expect_s3_class(up, "group_markers")
    expect_narrow(up)
    expect_s3_class(head(markers), "group_markers")
    expect_identical(class(markers[, c("feature", "auc")]), "data.frame")
    expect_identical(markers[["auc"]], markers$auc)
    expect_identical(class(as.data.frame(markers)), "data.frame")
    skip_if_not_installed("generics")
    expect_identical(as.data.frame(generics::tidy(markers)),
                     as.data.frame(markers))
    damaged <- markers
    damaged$rank <- NULL
    expect_refused("argument", print(damaged), top_features(damaged))
})

test_that("annotation of markers is in the table and in print", {
    markers <- some_markers()
    known <- data.frame(feature = c("gene3", "gene1"), symbol = c("C", "A"))
    got <- annotate_ranking(markers, known)
    expect_s3_class(got, "group_markers")
    expect_identical(got$symbol, known$symbol[match(markers$feature,
                                                    known$feature)])
    expect_identical(as.data.frame(got)[names(markers)],
                     as.data.frame(markers))
    expect_match(capture.output(print(got)), "feature +symbol +difference",
                 all = FALSE)
    expect_match(capture.output(print(got[got$group == "B cell", ])),
                 "feature +symbol", all = FALSE)
    expect_refused("argument",
        annotate_ranking(markers, data.frame(feature = "gene3", auc = 1)),
        annotate_ranking(markers, data.frame(feature = "other")),
        annotate_ranking(structure(markers, info = NULL), known)
    )
})

test_that("markers are written into a container, a column a group", {
    skip_if_not_installed("SummarizedExperiment")
    markers <- some_markers()
    genes <- unique(markers$feature)
    se <- SummarizedExperiment::SummarizedExperiment(
        list(matrix(0, length(genes) + 1, 1,
                    dimnames = list(c("new", rev(genes)), NULL)))
    )
    rows <- SummarizedExperiment::rowData(
        add_ranking(se, markers, n = 2, columns = c("rank", "auc")))
    expect_identical(names(rows)[1:3], paste0(
        "markers_B cell_", c("rank", "auc", "selected")))
    own <- markers[markers$group == "T cell", ]
    expect_identical(rows[["markers_T cell_auc"]],
                     own$auc[match(rownames(rows), own$feature)])
    expect_setequal(rownames(rows)[rows[["markers_T cell_selected"]]],
                    top_features(markers, 2, "T cell"))
    usual <- SummarizedExperiment::rowData(add_ranking(se, markers, "m"))
    expect_identical(names(usual)[1:3],
                     paste0("m_B cell_", c("rank", "difference", "fdr")))
    expect_refused("argument", add_ranking(se, markers, columns = "score"),
                   add_ranking(matrix(0, 2, 2), markers))
})

test_that("lists of markers go into gene-set tests as they are", {
    skip_if_not_installed("limma")
    values <- marker_lists(some_markers())[[1L]]
    expect_false(is.unsorted(-values))
    sets <- limma::ids2indices(list(up = names(values)[1:3],
                                    down = rev(names(values))[1:3]),
                               names(values))
    found <- limma::cameraPR(values, sets)
    expect_identical(found["up", "Direction"], "Up")
    expect_identical(found["down", "Direction"], "Down")
})

test_that("print says what few samples cannot say", {
    set.seed(3)
    counts <- matrix(rpois(20 * 400, 0.1), 20)
    counts[, 1] <- rep(1:0, c(3, 17))
    groups <- rep(c("a", "b", "c"), c(3, 7, 10))
    printed <- function(...) {
        paste(trimws(capture.output(print(suppressMessages(
            group_markers(counts, groups, ...)
        )))), collapse = " ")
    }
    # 1140 triples of 20 samples, two-sided
    expect_match(printed(), paste("a feature on in a group of 3 alone has exact",
                                  "p 0.0018, no discovery by itself"))
    expect_no_match(printed(permutations = 19), "exact p")
})

test_that("summary() counts what was found in each group", {
    x <- random_matrix(24, 6)
    x[1:12, 1] <- x[1:12, 1] + 9
    markers <- group_markers(x, rep(c("a", "b"), each = 12))
    expect_identical(summary(markers)$group, c("a", "b"))
    expect_identical(summary(markers, alpha = 1e-6)$higher, c(1L, 0L))
    expect_identical(sum(summary(markers, alpha = 1)$found), 12L)
    expect_identical(dim(summary(markers[0, ])), c(0L, 3L))
    expect_false(any(grepl("NA", capture.output(print(markers[0, ])))))
    expect_refused("argument", summary(markers, alpha = "all"),
                   summary(markers, alhpa = 0.1))
})

test_that("two groups are printed as one table, `detected` where there are zeros", {
    set.seed(1)
    x <- matrix(rexp(40 * 8) + 1, 40, dimnames = list(NULL, paste0("g", 1:8)))
    y <- rep(c("a", "b"), 20)
    lines <- capture.output(print(group_markers(x, y), n = 8))
    expect_match(lines, "^a \\(20 samples\\), b \\(20 samples\\)$", all = FALSE)
    # each feature once, in the group in which it ranks higher
    shown <- grep("^ *[ab] +[1-8] +g", lines, value = TRUE)
    expect_length(shown, 8L)
    expect_setequal(sub(".*(g[1-8]).*", "\\1", shown), colnames(x))
    expect_no_match(lines, "detected")
    # one of five features is not enough of them, two are
    x[1, 1] <- 0
    expect_no_match(capture.output(group_markers(x, y)), "detected")
    x[1, 2] <- 0
    found <- group_markers(x, y)
    expect_match(capture.output(found), "detected_others", all = FALSE)
    expect_match(capture.output(found[found$group == "b", ]),
                 "^b \\(20 samples\\)$", all = FALSE)
})
