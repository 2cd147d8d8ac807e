# The step inside package tune: a whole tune_grid(), and what it reports beside
# the same by hand.

tuning_data <- function(n = 100) {
    set.seed(4)
    x <- as.data.frame(matrix(rnorm(n * 12), n,
                              dimnames = list(NULL, paste0("g", 1:12))))
    class <- factor(rep_len(c("u", "v"), n))
    x$g1 <- x$g1 + (class == "v")
    x$g7 <- x$g7 - (class == "v")
    data.frame(sample = paste0("s", seq_len(n)), class, x)
}

tuning_recipe <- function(data, links, ...) {
    rec <- recipes::recipe(class ~ ., data = data)
    rec <- recipes::update_role(rec, sample, new_role = "id")
    rec <- recipes::update_role_requirements(rec, "id", bake = FALSE)
    step_select_linkrank(rec, recipes::all_predictors(), constraints = links,
                         sample_id = "sample", ...)
}

need_tune <- function() {
    for (package in c("tune", "workflows", "parsnip", "rsample", "yardstick")) {
        skip_if_not_installed(package)
    }
}

test_that("num_terms is tuned, and each resample ranks its own samples", {
    need_tune()
    data <- tuning_data()
    set.seed(1)
    links <- constraints_from_labels(setNames(data$class, data$sample), cannot_link = 60, must_link = 20)
    flow <- workflows::workflow(
        tuning_recipe(data, links, num_terms = tune::tune()),
        parsnip::logistic_reg()
    )
    set.seed(2)
    resamples <- rsample::bootstraps(data, times = 3)
    expect_identical(as.list(tune::tunable(flow))$name, c("num_terms", "prop"))
    grid <- data.frame(num_terms = c(1L, 3L, 5L))
    tuned <- tune::tune_grid(flow, resamples, grid = grid,
                             metrics = yardstick::metric_set(
                                 yardstick::accuracy
                             ))
    found <- tune::collect_metrics(tuned, summarize = FALSE)
    by_hand <- function(split, keep) {
        train <- rsample::analysis(split)
        test <- rsample::assessment(split)
        rec <- recipes::prep(tuning_recipe(data, links, num_terms = keep),
                             training = train)
        fit <- glm(class ~ ., binomial, recipes::bake(
            rec, train, recipes::all_predictors(), recipes::all_outcomes()
        ))
        score <- predict(fit, recipes::bake(rec, test))
        mean((score > 0) == (test$class == "v"))
    }
    for (row in seq_len(nrow(found))) {
        split <- resamples$splits[[match(found$id[row], resamples$id)]]
        expect_equal(found$.estimate[row],
                     by_hand(split, found$num_terms[row]))
    }
    best <- tune::select_best(tuned, metric = "accuracy")
    final <- generics::fit(tune::finalize_workflow(flow, best), data)
    # the names of the samples are not asked for
    new <- data[1:4, names(data) != "sample"]
    expect_identical(nrow(predict(final, new)), 4L)
})

test_that("grids stay within the data, by labels and without a given grid", {
    need_tune()
    data <- tuning_data()[-1]
    set.seed(2)
    folds <- rsample::vfold_cv(data, 3)
    rec <- recipes::recipe(class ~ ., data = data)
    grid_of <- function(...) {
        step <- step_select_linkrank(rec, recipes::all_predictors(),
                                     method = "relieff", ...)
        flow <- workflows::workflow(step, parsnip::logistic_reg())
        tuned <- tune::tune_grid(flow, folds, grid = 3,
                                 metrics = yardstick::metric_set(
                                     yardstick::accuracy
                                 ))
        tune::collect_metrics(tuned)
    }
    by_number <- grid_of(num_terms = tune::tune())
    expect_identical(range(by_number$num_terms), c(1L, 12L))
    by_share <- grid_of(prop = tune::tune())
    expect_length(by_share$prop, 3L)
    expect_true(all(by_share$prop >= 0.05 & by_share$prop <= 1))
})
