# The filter of the article for mlr3 (vignettes/articles/mlr3.Rmd), as a reader
# copies it.

article_filter <- function() {
    lines <- readLines(file.path(Sys.getenv("LINKRANK_SOURCES"), "vignettes",
                                 "articles", "mlr3.Rmd"))
    first <- grep("^```\\{r filter\\}", lines)
    last <- first + grep("^```$", lines[-seq_len(first)])[1L]
    home <- new.env(parent = globalenv())
    eval(parse(text = lines[(first + 1L):(last - 1L)]), home)
    home$FilterLinkrank
}

test_that("the article's filter ranks by what each method needs", {
    skip_if_not_installed("mlr3filters")
    skip_if_not_installed("paradox")
    skip_if(Sys.getenv("LINKRANK_SOURCES") == "", "no sources")
    filter <- article_filter()
    ranked <- function(task, ...) {
        found <- filter$new(...)$calculate(task)
        names(sort(found$scores, decreasing = TRUE))
    }
    set.seed(1)
    data <- data.frame(class = factor(rep(c("u", "v"), 20)),
                       matrix(rnorm(40 * 5), 40))
    data$X2 <- data$X2 + 2 * (data$class == "v")
    x <- data[-1]
    task <- mlr3::as_task_classif(data, target = "class", id = "made")
    expect_identical(ranked(task, "relieff"),
                     relieff(x, data$class)$feature)
    expect_identical(ranked(task, "fisher_score"),
                     fisher_score(x, data$class)$feature)
    expect_identical(ranked(task, "variance_score"),
                     variance_score(x)$feature)
    from_labels <- constraints_from_labels(data$class)
    expect_identical(ranked(task), relieff_sc(x, from_labels)$feature)
    expect_identical(ranked(task, "select_subset"),
                     select_subset(x, from_labels)$feature)
    links <- pairwise_constraints(cbind(c(1, 3, 5), c(2, 4, 8)), samples = 40)
    for (method in c("relieff_sc", "relief_sc", "glean")) {
        expect_identical(ranked(task, method, links),
                         rank_features(x, links, method = method)$feature)
    }
    # links between rows that a split leaves out do not count
    part <- task$clone()$filter(1:30)
    crossing <- c(links, pairwise_constraints(cbind(1, 36), samples = 40))
    expect_identical(ranked(part, constraints = crossing),
                     ranked(part, constraints = links))
    numbers <- mlr3::as_task_regr(data.frame(y = rnorm(40), x), target = "y",
                                  id = "numbers")
    for (method in c("rrelieff", "supervised_laplacian_score",
                     "semisupervised_laplacian_score")) {
        expect_identical(ranked(numbers, method),
                         rank_features(x, y = numbers$truth(),
                                       method = method)$feature)
    }
    # every method is of one of these kinds
    expect_true(all(ranking_methods()$needs %in%
                        c("nothing", "y", "constraints", "constraints or y")))
})
