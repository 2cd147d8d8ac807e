drawn <- function(...) {
    file <- tempfile(fileext = ".pdf")
    grDevices::pdf(file)
    on.exit({
        grDevices::dev.off()
        unlink(file)
    })
    before <- graphics::par("mfrow")
    result <- withVisible(plot(...))
    expect_identical(graphics::par("mfrow"), before)
    expect_false(result$visible)
    result$value
}

test_that("questions are drawn on the components of the data", {
    x <- random_matrix(20, 4)
    y <- rep(c("a", "b", NA, "a"), 5)
    axes <- principal_components(prepare_data(x))
    for (strategy in names(strategies)) {
        links <- active_constraints(x, y, n = 5, strategy = strategy)
        expect_equal(drawn(links, x), axes)
    }
    # a questionnaire, and no question at all
    q <- questionnaire(x)
    next_pair(q)
    q <- answer_pair(q, 0)
    expect_equal(drawn(q, x), axes)
    expect_refused("constraints", relieff_sc(x, q))
    none <- pairwise_constraints(questionnaire(x))
    expect_equal(drawn(none, x), axes)
    expect_refused("argument", plot(none))
})

test_that("questions go without numbers", {
    x <- random_matrix(20, 4)
    links <- active_constraints(x, rep(1:2, 10), n = 4)
    with <- texts_of(plot(links, x))
    expect_gt(length(with), length(texts_of(plot(links, x, labels = FALSE))))
    expect_silent(drawn(plot(links, x, labels = FALSE)))
})
