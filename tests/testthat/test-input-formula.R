formula_data <- function() {
    set.seed(11)
    data.frame(age = rnorm(24), dose = rnorm(24), sex = gl(2, 1, 24),
               class = gl(3, 8), `a b` = rnorm(24), number = rnorm(24),
               check.names = FALSE)
}

test_that("a formula with data gives what the columns give", {
    data <- formula_data()
    x <- data[names(data) != "class"]
    for (rank in list(relief, relieff, stir, irelief, simba)) {
        set.seed(1)
        expected <- rank(x, data$class)
        set.seed(1)
        expect_identical(rank(class ~ ., data = data), expected)
        set.seed(1)
        expect_identical(rank(class ~ ., data), expected)
    }
    expect_identical(relieff(class ~ ., data, k = 3), relieff(x, data$class, k = 3))
    expect_identical(relieff(formula = class ~ ., data = data, k = 3),
                     relieff(x, data$class, k = 3))
    expect_identical(relieff(k = 3, formula = class ~ ., data),
                     relieff(x, data$class, k = 3))
    for (rank in list(supervised_laplacian_score,
                      semisupervised_laplacian_score)) {
        expect_identical(rank(number ~ age + dose, data = data),
                         rank(data[1:2], data$number))
    }
    expect_identical(rrelieff(number ~ . - class, data = data),
                     rrelieff(data[c(1:3, 5)], data$number))
    expect_identical(fisher_score(class ~ age + `a b`, data = data),
                     fisher_score(data[c("age", "a b")], data$class))
    expect_identical(variance_score(~ age + dose, data = data),
                     variance_score(data[1:2]))
    # the left side is no feature
    numbers <- data[c(1, 2, 5, 6)]
    expect_identical(variance_score(number ~ ., data = numbers, scale = "none"),
                     variance_score(numbers[-4], scale = "none"))
})

test_that("rank_features() takes a formula for any method", {
    data <- formula_data()
    x <- data[c("age", "dose")]
    links <- pairwise_constraints(cannot_link = cbind(1:4, 9:12), samples = 24)
    by <- function(formula, ...) rank_features(formula, data = data, ...)
    expect_identical(by(class ~ age + dose, method = "fisher_score"),
                     fisher_score(x, data$class))
    expect_identical(rank_features(class ~ age + dose, data,
                                   method = "relieff", k = 2),
                     relieff(x, data$class, k = 2))
    expect_identical(by(~ age + dose, links), glean(x, links))
    expect_identical(by(class ~ age + dose, constraints = links),
                     glean(x, links))
    expect_identical(rank_features(class ~ age + dose, data),
                     relieff(x, data$class))
    expect_identical(by(class ~ age + dose, method = "variance_score"),
                     variance_score(x))
    spread <- function(x, y) apply(x, 2, max) + nlevels(y)
    expect_identical(by(class ~ age + dose, method = spread)$score,
                     sort(unname(apply(x, 2, max)), TRUE) + 3)
})

test_that("columns are added, taken away, and kept once", {
    known <- c("a", "b", "c", "y")
    of <- function(formula) formula_columns(formula[[3]], known, "y")
    expect_identical(of(y ~ .), c("a", "b", "c"))
    expect_identical(of(y ~ . - b), c("a", "c"))
    expect_identical(of(y ~ c + a + c), c("c", "a"))
    expect_identical(of(y ~ . - (a + b)), "c")
    expect_identical(of(y ~ a + (. - b) - 1), c("a", "c"))
    expect_identical(of(y ~ 0 + b), "b")
    # 3000 names
    many <- paste0("v", 1:3000)
    expect_identical(formula_columns(reformulate(many)[[2]], many), many)
})

test_that("the data and the call may stand anywhere", {
    home <- function() {
        local_data <- formula_data()
        wanted <- 2
        relieff(class ~ age + dose, data = local_data, k = wanted)
    }
    data <- formula_data()
    expected <- relieff(data[1:2], data$class, k = 2)
    expect_identical(home(), expected)
    pass <- function(...) relieff(...)
    expect_identical(pass(class ~ age + dose, data = data, k = 2), expected)
    expect_identical(do.call(relieff, list(class ~ age + dose, data = data,
                                           k = 2)), expected)
    expect_identical(do.call("relieff", list(class ~ age + dose, data, k = 2),
                             quote = TRUE), expected)
    formula <- class ~ age + dose
    expect_identical(relieff(formula, data, k = 2), expected)
    columns <- cbind(age = data$age, dose = data$dose, y = data$number)
    expect_identical(rrelieff(y ~ ., data = columns),
                     rrelieff(data[1:2], data$number))
    skip_if_not_installed("tibble")
    expect_identical(relieff(class ~ age + dose, tibble::as_tibble(data),
                             k = 2), expected)
})

test_that("what a formula cannot say is refused", {
    data <- formula_data()
    expect_refused("argument",
                   relieff(class ~ log(age), data = data),
                   relieff(class ~ age * dose, data = data),
                   relieff(class ~ agee, data = data),
                   relieff(age + dose ~ ., data = data),
                   relieff(clas ~ ., data = data),
                   relieff(~ ., data = data),
                   relieff(class ~ ., data = 1:3), relieff(class ~ .),
                   relieff(formula = class ~ .), variance_score(~ age),
                   rank_features(class ~ ., method = "relieff"),
                   relieff(class ~ ., data, k = 0),
                   relieff(class ~ ., data, j = 2),
                   rank_features(class ~ age, data = data,
                                 method = "relieff_sc"))
    expect_refused("input", relieff(class ~ 0, data = data))
})

test_that("labels as the second argument are recognised", {
    data <- formula_data()
    x <- data[1:2]
    expect_refused("argument",
                   rank_features(x, data$class, method = "relieff"),
                   rank_features(x, as.character(data$class)),
                   ensemble_ranking(x, data$class, method = "relieff"))
})
