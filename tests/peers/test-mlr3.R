# The filter that is registered with mlr3filters.

test_that("the filter ranks by what each method needs", {
    skip_if_not_installed("mlr3filters")
    ranked <- function(task, ...) {
        found <- mlr3filters::flt("linkrank", ...)$calculate(task)
        names(sort(found$scores, decreasing = TRUE))
    }
    set.seed(1)
    data <- data.frame(class = factor(rep(c("u", "v"), 20)),
                       matrix(rnorm(40 * 5), 40))
    data$X2 <- data$X2 + 2 * (data$class == "v")
    x <- data[-1]
    task <- mlr3::as_task_classif(data, target = "class", id = "made")
    expect_identical(ranked(task), relieff(x, data$class)$feature)
    expect_identical(ranked(task, method = "fisher_score"),
                     fisher_score(x, data$class)$feature)
    expect_identical(ranked(task, method = "variance_score"),
                     variance_score(x)$feature)
    from_labels <- constraints_from_labels(data$class)
    expect_identical(ranked(task, method = "relieff_sc"),
                     relieff_sc(x, from_labels)$feature)
    expect_identical(ranked(task, method = "select_subset"),
                     select_subset(x, y = data$class)$feature)
    links <- pairwise_constraints(cannot_link = cbind(c(1, 3, 5), c(2, 4, 8)), samples = 40)
    for (method in c("relieff_sc", "relief_sc", "glean")) {
        expect_identical(ranked(task, method = method, constraints = links),
                         rank_features(x, links, method = method)$feature)
    }
    # links between rows that a split leaves out do not count
    part <- task$clone()$filter(1:30)
    crossing <- c(links, pairwise_constraints(cannot_link = cbind(1, 36), samples = 40))
    expect_identical(ranked(part, constraints = crossing),
                     ranked(part, constraints = links))
    numbers <- mlr3::as_task_regr(data.frame(y = rnorm(40), x), target = "y",
                                  id = "numbers")
    for (method in c("rrelieff", "supervised_laplacian_score",
                     "semisupervised_laplacian_score")) {
        expect_identical(ranked(numbers, method = method),
                         rank_features(x, y = numbers$truth(),
                                       method = method)$feature)
    }
    # missing cells, and rows that a bootstrap repeats
    gaps <- data
    gaps$X1[3] <- NA
    gaps <- mlr3::as_task_classif(gaps, target = "class", id = "gaps")
    expect_identical(ranked(gaps, method = "glean", constraints = links),
                     glean(gaps$data(cols = names(x)), links,
                           na.action = "mean")$feature)
    twice <- task$clone()$filter(c(1:40, 3, 3))
    expect_identical(ranked(twice), ranked(task))
})

test_that("the filter comes with either package, and goes with ours", {
    skip_if_not_installed("mlr3filters")
    known <- function(...) {
        script <- paste0(..., "cat('linkrank' %in% ",
                         "mlr3filters::mlr_filters$keys())")
        system2(file.path(R.home("bin"), "Rscript"),
                c("--vanilla", "-e", shQuote(script)), stdout = TRUE,
                env = paste0("R_LIBS=", paste(.libPaths(), collapse = ":")))
    }
    expect_identical(known("library(linkrank);"), "TRUE")
    expect_identical(known("library(mlr3filters); library(linkrank);"), "TRUE")
    expect_identical(known("library(linkrank); library(mlr3filters);",
                           "unloadNamespace('linkrank');"), "FALSE")
})
