# All that a plot hands to the device, as a flat list of values.
drawn_by <- function(code) {
    grDevices::pdf(NULL)
    grDevices::dev.control("enable")
    on.exit(grDevices::dev.off())
    force(code)
    flat <- function(value) {
        if (is.list(value) || is.pairlist(value)) {
            unlist(lapply(as.list(value), flat), recursive = FALSE)
        } else {
            list(value)
        }
    }
    flat(grDevices::recordPlot()[[1]])
}

entry_curve <- function() {
    select_subset(random_matrix(20, 15), y = rep(1:2, 10), n = 12)
}

test_that("the plot is the curve of the scores, with its minimum", {
    genes <- entry_curve()
    drawn <- drawn_by(plot(genes))
    is_curve <- vapply(drawn, function(value) {
        is.double(value) && identical(as.vector(value), genes$score[1:12])
    }, NA)
    expect_true(any(is_curve))
    text <- unlist(Filter(is.character, drawn))
    expect_true(all(genes$feature[1:10] %in% text))
    expect_true(paste("minimum:", which.min(genes$score)) %in% text)
    bare <- unlist(Filter(is.character, drawn_by(plot(genes, n = 0))))
    expect_false(any(genes$feature %in% bare))
})

test_that("the number of names is checked", {
    genes <- entry_curve()
    expect_refused("argument", plot(genes, n = -1), plot(genes, n = "all"))
})
