# Objects of limma, edgeR and others as `x`.

test_that("an EList is its values, with the targets as sample data", {
    skip_if_not_installed("limma")
    loadNamespace("limma")
    x <- random_matrix(24, 8)
    group <- rep(c("a", "b"), 12)
    arrays <- methods::new("EList", list(
        E = t(x), targets = data.frame(group = group,
                                       batch = rep(1:2, each = 12))
    ))
    links <- few_links(rownames(x))
    expect_identical(as.data.frame(relieff_sc(arrays, links)),
                     as.data.frame(relieff_sc(x, links, scale = "none")))
    expect_identical(as.data.frame(relieff(arrays, "group")),
                     as.data.frame(relieff(x, group, scale = "none")))
    expect_identical(as.data.frame(group_markers(arrays, "group",
                                                 block = "batch")),
                     as.data.frame(group_markers(x, group,
                                                 block = rep(1:2, each = 12))))
    expect_identical(as.data.frame(constraints_from_labels(arrays, "group")),
                     as.data.frame(constraints_from_labels(
                         stats::setNames(group, rownames(x)))))
    set.seed(1)
    found <- evaluate_method(arrays, "group", list(v = variance_score),
                             splits = 2)
    set.seed(1)
    want <- evaluate_method(x, group, list(v = function(x) {
        variance_score(x, scale = "none")
    }), splits = 2, scale = "none")
    expect_identical(found$v, want$v)
    bare <- methods::new("EList", list(E = t(x)))
    expect_identical(relieff_sc(bare, links)$margin,
                     relieff_sc(arrays, links)$margin)
    expect_refused("argument", relieff(bare, "group"))
})

test_that("weights of an EList are not dropped in silence", {
    skip_if_not_installed("limma")
    set.seed(1)
    counts <- matrix(rpois(40 * 12, 50), 40,
                     dimnames = list(paste0("g", 1:40), paste0("s", 1:12)))
    group <- rep(c("a", "b"), 6)
    voomed <- limma::voom(counts)
    by_array <- voomed
    by_array$weights <- rep(c(0.5, 2), 6)
    links <- few_links(colnames(counts))
    for (arrays in list(voomed, by_array)) {
        expect_refused("input", group_markers(arrays, group),
                       relieff_sc(arrays, links), glean(arrays, links),
                       evaluate_method(arrays, group, "fisher_score"),
                       variance_score(arrays), questionnaire(arrays, n = 3),
                       propagate_constraints(links, arrays))
    }
    # without weights, or with equal ones
    plain <- voomed
    plain$weights <- NULL
    equal <- voomed
    equal$weights[] <- 3
    want <- group_markers(prepare_data(t(voomed$E), scale = "none"), group)
    for (arrays in list(plain, equal)) {
        expect_identical(as.data.frame(group_markers(arrays, group)),
                         as.data.frame(want))
    }
})

test_that("other containers are refused with their conversion", {
    for (case in list(c("DGEList", "give t\\(edgeR::cpm\\(x, log = TRUE\\)\\)"),
                      c("Seurat", "Seurat::as.SingleCellExperiment\\(x\\)"),
                      c("MultiAssayExperiment", "getWithColData\\(x, 1\\)"))) {
        x <- structure(list(), class = case[1])
        expect_error(variance_score(x), case[2], class = "linkrank_error_input")
    }
})

test_that("a reducedDim \"PCA\" is named once", {
    skip_if_not_installed("SingleCellExperiment")
    x <- random_matrix(20, 5)
    links <- few_links(rownames(x))
    sce <- SingleCellExperiment::SingleCellExperiment(
        list(logcounts = t(x)), reducedDims = list(PCA = x[, 1:2])
    )
    before <- said_before$space
    said_before$space <- NULL
    expect_silent(relieff_sc(sce, links, space = "PCA"))
    expect_message(relieff_sc(sce, links), "`space = \"PCA\"`",
                   class = "linkrank_message_space")
    expect_silent(relieff_sc(sce, links))
    said_before$space <- before
})
