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

made_task <- function(n = 40) {
    set.seed(1)
    data <- data.frame(class = factor(rep(c("u", "v"), n / 2)),
                       matrix(rnorm(n * 6), n))
    mlr3::as_task_classif(data, target = "class", id = "made")
}

test_that("scores are those that order the ranking, higher is better", {
    skip_if_not_installed("mlr3filters")
    task <- made_task()
    x <- as.data.frame(task$data(cols = task$feature_names))
    scores <- function(...) mlr3filters::flt("linkrank", ...)$calculate(task)$scores
    by_classes <- relieff(x, task$truth())
    expect_identical(scores(), stats::setNames(by_classes$score, by_classes$feature))
    lower <- laplacian_score(x)
    expect_identical(scores(method = "laplacian_score"),
                     stats::setNames(-lower$score, lower$feature))
    margins <- relieff_sc(x, constraints_from_labels(task$truth()))
    expect_identical(scores(method = "relieff_sc"),
                     stats::setNames(margins$margin, margins$feature))
    links <- constraints_from_labels(task$truth())
    table <- ranking_methods()
    for (method in table$method[!grepl("numeric", table$needs)]) {
        needs <- strsplit(table$needs[table$method == method], " or ")[[1L]]
        given <- if ("y" %in% needs) list(y = task$truth()) else
            if ("constraints" %in% needs) list(constraints = links)
        set.seed(2)
        found <- suppressWarnings(scores(method = method))
        set.seed(2)
        ranking <- suppressWarnings(
            do.call(rank_features, c(list(x), given, method = method)))
        along <- found[ranking$feature]
        expect_false(is.unsorted(-along[!is.na(along)]), label = method)
        expect_false(is.unsorted(is.na(along)), label = method)
    }
})

test_that("arguments of methods are parameters with types and ranges", {
    skip_if_not_installed("mlr3filters")
    task <- made_task()
    x <- as.data.frame(task$data(cols = task$feature_names))
    filter <- mlr3filters::flt("linkrank", method = "relieff", k = 3, scale = "none")
    expect_identical(filter$calculate(task)$scores[["X2"]],
                     feature_scores(relieff(x, task$truth(), k = 3,
                                            scale = "none"))[["X2"]])
    types <- filter$param_set
    expect_identical(types$class[["k"]], "ParamInt")
    expect_identical(types$lower[["k"]], 1)
    expect_identical(types$upper[["permutations"]], 1e6)
    expect_identical(types$levels$own_term, c("leave_out", "keep"))
    expect_identical(types$class[["t"]], "ParamDbl")
    for (bad in list(list(k = 0), list(k = 2.5), list(scale = "unit"), list(beta = 2))) {
        expect_error(do.call(types$set_values, bad), names(bad))
    }
    # what only the method knows
    unused <- mlr3filters::flt("linkrank", method = "variance_score", k = 3)
    expect_error(unused$calculate(task), "`k`", class = "linkrank_error_argument")
    by_words <- mlr3filters::flt("linkrank", method = "relieff",
                                 options = list(k = "surf"))
    expect_identical(names(by_words$calculate(task)$scores),
                     relieff(x, task$truth(), k = "surf")$feature)
    # in a search space
    types$set_values(k = paradox::to_tune(2, 9))
    expect_identical(types$search_space()$upper[["k"]], 9)
})

test_that("help() of the filter opens its page", {
    skip_if_not_installed("mlr3filters")
    filter <- mlr3filters::flt("linkrank")
    expect_identical(filter$man, "linkrank::mlr_filters_linkrank")
    skip_if(!length(tools::Rd_db("linkrank")), "installed without help pages")
    expect_identical(basename(as.character(filter$help())), "mlr_filters_linkrank")
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
