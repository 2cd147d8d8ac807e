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
    # no question at all
    none <- pairwise_constraints(questionnaire(x))
    expect_equal(drawn(none, x), axes)
    expect_refused("argument", plot(none))
})

test_that("v_2 is drawn for the component it is about", {
    weights <- matrix(0, 8, 8)
    weights[1:5, 1:5] <- weights[6:8, 6:8] <- 1
    diag(weights) <- 0
    x <- unname(random_matrix(8, 2))
    links <- active_constraints(x, function(i, j) "cannot-link", n = 3,
                                strategy = "perturbation",
                                graph = weights)
    expect_true(anyNA(links$vectors))
    expect_identical(dim(drawn(links, x)), c(8L, 2L))
    # nothing was asked inside a component
    links <- active_constraints(x, function(i, j) "cannot-link", n = 1,
                                strategy = "perturbation",
                                graph = weights)
    expect_identical(dim(drawn(links, x)), c(8L, 2L))
})
