drawn <- function(code) {
    file <- tempfile(fileext = ".pdf")
    grDevices::pdf(file)
    on.exit({
        grDevices::dev.off()
        unlink(file)
    })
    force(code)
}

test_that("margins are drawn against p-values", {
    ranking <- stir(log2(colon$x), colon$tissue, k = 1)
    expect_identical(drawn(plot(ranking, type = "significance")), ranking)
    expect_silent(drawn(plot(ranking, n = 0, main = "m", type = "significance")))
    # a perfect feature has p = 0, a constant one none
    x <- cbind(perfect = rep(0:1, 10), constant = 1, random_matrix(20, 4))
    expect_warning(found <- stir(x, rep(1:2, 10), k = 2),
                   class = "linkrank_warning_outcome")
    expect_silent(drawn(plot(found, type = "significance")))
    links <- few_links(rownames(colon$x))
    expect_silent(drawn(plot(relieff_sc(log2(colon$x), links,
                                                     permutations = 19), type = "significance")))
})

test_that("courses are drawn", {
    slow <- suppressWarnings(irelief(iris[, 1:4], iris$Species, max_iter = 3))
    expect_identical(drawn(plot(slow, type = "convergence")), slow)
    expect_silent(drawn(plot(slow, ylab = "change", type = "convergence")))
    # one feature has weight 1 whatever the margins, so nothing changes
    still <- irelief(iris[, 1, drop = FALSE], iris$Species)
    expect_true(all(summary(still)$convergence$change == 0))
    expect_refused("argument", drawn(plot(still, type = "convergence")))
    set.seed(1)
    expect_silent(drawn(plot(simba(iris[, 1:4], iris$Species), type = "convergence")))
    one <- simba_sc(log2(colon$x), few_links(rownames(colon$x)), starts = 1)
    expect_silent(drawn(plot(one, type = "convergence")))
})

test_that("other rankings are refused", {
    ranking <- relieff(iris[, 1:4], iris$Species)
    expect_refused("argument",
        plot(ranking, type = "significance"), plot(ranking, type = "convergence"),
        plot(ranking, type = "convergence", n = 3), plot(ranking, type = "sum")
    )
})

test_that("what is significant is named, by the smallest adjusted p-values", {
    x <- log2(colon$x)[, 1:60]
    set.seed(4)
    links <- constraints_from_labels(colon$tissue, cannot_link = 15, must_link = 10)
    ranking <- relieff_sc(x, links, permutations = 19)
    named <- intersect(texts_of(plot(ranking, n = 5, type = "significance")),
                       ranking$feature)
    expect_setequal(named, ranking$feature[order(
        ranking$fdr, ranking$p_value, -ranking$margin)[1:5]])
})

test_that("features without an adjusted p-value are drawn as not significant", {
    set.seed(1)
    x <- cbind(matrix(rpois(60 * 20, 0.05), 60), matrix(rnorm(600), 60))
    links <- pairwise_constraints(cannot_link = cbind(1:10, 11:20),
                                  samples = 60)
    ranking <- suppressMessages(relieff_sc(x, links, permutations = 99))
    expect_true(anyNA(ranking$fdr))
    file <- tempfile(fileext = ".pdf")
    grDevices::pdf(file)
    on.exit({
        grDevices::dev.off()
        unlink(file)
    })
    expect_identical(plot(ranking, type = "significance"), ranking)
})
