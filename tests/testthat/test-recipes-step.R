# Samples with names, two classes, a group each, a factor and missing cells.
step_data <- function(n = 30) {
    x <- as.data.frame(random_matrix(n, 6))
    x$g1 <- x$g1 + rep(c(0, 3), length.out = n)
    x$g2[4] <- NA
    x$kind <- factor(rep_len(c("a", "b", "c"), n))
    data.frame(sample = paste0("s", seq_len(n)),
               class = factor(rep_len(c("u", "v"), n)),
               level = seq_len(n) / 7, x, row.names = NULL)
}

step_links <- function(data) {
    pairwise_constraints(
        cannot_link = cbind(c("s1", "s3", "s5", "s7"), c("s2", "s4", "s6", "s8")),
        must_link = cbind(c("s1", "s2"), c("s9", "s10")), samples = data$sample
    )
}

step_recipe <- function(data, ...) {
    rec <- recipes::update_role(recipes::recipe(class ~ ., data = data),
                                sample, level, new_role = "id")
    step_select_linkrank(rec, recipes::all_predictors(), ...)
}

prepared <- function(data, ..., training = data) {
    recipes::prep(step_recipe(data, ...), training = training)
}

ranked <- function(rec) rec$steps[[1L]]$ranking

# What a step ranks by pairs where no method is named.
by_pairs <- function(x, links) {
    as.data.frame(glean(x, links, na.action = "mean"))
}

test_that("a step ranks as the method on the same rows, and keeps the best", {
    skip_if_not_installed("recipes")
    data <- step_data()
    links <- step_links(data)
    rec <- prepared(data, constraints = links, sample_id = "sample",
                    num_terms = 3, method = "relieff_sc", options = list(k = 2))
    x <- data[c(paste0("g", 1:6), "kind")]
    rownames(x) <- data$sample
    expected <- relieff_sc(x, links, k = 2)
    expect_identical(ranked(rec), as.data.frame(expected))
    baked <- recipes::bake(rec, new_data = data[5:1, ])
    expect_setequal(names(baked),
                    c("sample", "class", "level", top_features(expected, 3)))
    expect_identical(as.character(baked$sample), data$sample[5:1])
    # the columns stay in their order
    expect_identical(names(baked), intersect(names(rec$template),
                                             names(baked)))
})

test_that("every method ranks in a step from what it needs", {
    skip_if_not_installed("recipes")
    data <- step_data()
    data$g2[4] <- 0
    data$kind <- factor(data$kind == "a")
    for (method in ranking_methods()$method) {
        known <- if (grepl("rrelieff|supervised", method)) "level" else "class"
        rec <- suppressWarnings(prepared(
            data, must_link = known, cannot_link = known, method = method,
            num_terms = 2
        ))
        expect_identical(nrow(ranked(rec)), 7L)
        expect_identical(sum(generics::tidy(rec, 1)$removed), 5L)
    }
    labels <- prepared(data, must_link = "class", cannot_link = "class")
    expect_identical(
        ranked(labels),
        by_pairs(data[c(paste0("g", 1:6), "kind")],
                 constraints_from_labels(data$class))
    )
})

test_that("the outcome is found by its role, or named", {
    skip_if_not_installed("recipes")
    data <- step_data()
    x <- data[c(paste0("g", 1:6), "kind")]
    same <- function(rec, ranking) {
        expect_identical(ranked(rec), as.data.frame(ranking))
    }
    same(prepared(data, method = "relieff", options = list(k = 3)),
         relieff(x, data$class, k = 3))
    same(prepared(data, method = "rrelieff", outcome = "level"),
         rrelieff(x, data$level))
    # nothing is needed, so nothing is asked for
    data$g2[4] <- 0
    x$g2[4] <- 0
    numeric <- recipes::step_rm(
        recipes::recipe(~ ., data = data[paste0("g", 1:6)]), g6
    )
    numeric <- step_select_linkrank(numeric, recipes::all_predictors(),
                                    method = "variance_score", num_terms = 2)
    expect_identical(recipes::prep(numeric)$steps[[2]]$ranking,
                     as.data.frame(variance_score(x[1:5])))
    # a method that takes either: pairs come first
    same(prepared(data, method = "select_subset"),
         select_subset(x, y = data$class))
    links <- step_links(data)
    named <- x
    rownames(named) <- data$sample
    same(prepared(data, method = "select_subset", constraints = links,
                  sample_id = "sample"), select_subset(named, links))
    # the classes as pairs
    same(prepared(data, outcome = "class", method = "relieff_sc"),
         relieff_sc(x, constraints_from_labels(data$class)))
    # no argument at all, with factors and missing cells
    data$g3[7] <- x$g3[7] <- NA
    same(prepared(data), relieff(x, data$class))
    same(prepared(data, outcome = "level"), rrelieff(x, data$level))
    unlabelled <- recipes::recipe(~ ., data = x)
    unlabelled <- step_select_linkrank(unlabelled, recipes::all_predictors())
    expect_identical(recipes::prep(unlabelled)$steps[[1]]$ranking,
                     by_pairs(x, pairwise_constraints(samples = 30)))
    # without the outcome among new data
    rec <- prepared(data, method = "relieff", num_terms = 1)
    expect_identical(nrow(recipes::bake(rec, data[1:3, names(data) != "class"])),
                     3L)
})

test_that("a labelled recipe with factors and missing cells is enough", {
    skip_if_not_installed("recipes")
    data <- step_data()
    x <- data[c(paste0("g", 1:6), "kind")]
    expect_identical(ranked(prepared(data)),
                     as.data.frame(relieff(x, data$class)))
    classes <- constraints_from_labels(data$class)
    expect_identical(ranked(prepared(data, method = "glean")),
                     as.data.frame(glean(x, classes, na.action = "mean")))
    expect_identical(ranked(prepared(data, method = "relieff_sc")),
                     as.data.frame(relieff_sc(x, classes)))
    numbers <- recipes::recipe(level ~ ., data = data[c("level", names(x))])
    numbers <- step_select_linkrank(numbers, recipes::all_predictors())
    expect_identical(ranked(recipes::prep(numbers)),
                     as.data.frame(rrelieff(x, data$level)))
    # unless the options say otherwise
    expect_error(prepared(data, method = "glean",
                          options = list(na.action = "fail")))
})

test_that("proportions, thresholds and numbers keep what top_features() keeps", {
    skip_if_not_installed("recipes")
    data <- step_data()
    x <- data[c(paste0("g", 1:6), "kind")]
    ranking <- relieff(x, data$class)
    kept <- function(...) {
        table <- generics::tidy(prepared(data, method = "relieff", ...), 1)
        table$terms[!table$removed]
    }
    expect_identical(kept(prop = 0.4), top_features(ranking, prop = 0.4))
    expect_identical(kept(prop = 1), ranking$feature)
    expect_identical(kept(threshold = ranking$score[3]), ranking$feature[1:3])
    expect_identical(kept(threshold = ranking$score[5], prop = 0.3),
                     ranking$feature[1:3])
    expect_identical(kept(threshold = ranking$score[5], num_terms = 2),
                     ranking$feature[1:2])
    # a lower score is better
    data$g2[4] <- 0
    pairs <- prepared(data, method = "laplacian_score", threshold = 1e6)
    expect_false(any(generics::tidy(pairs, 1)$removed))
})

test_that("a function ranks, and rankings are diversified", {
    skip_if_not_installed("recipes")
    data <- step_data()
    data$g3 <- data$g1 + 1e-3 * data$g3
    data$g2[4] <- 0
    data$kind <- NULL
    x <- data[paste0("g", 1:6)]
    rec <- prepared(data, method = function(x, y, k) relieff(x, y, k = k),
                    options = list(k = 2))
    expect_identical(ranked(rec), as.data.frame(relieff(x, data$class, k = 2)))
    spread <- function(x) apply(x, 2, max) - apply(x, 2, min)
    rec <- prepared(data, method = spread, num_terms = 2)
    expect_identical(ranked(rec)$score, sort(unname(spread(x)), TRUE))
    printed <- capture.output(print(rec$steps[[1]]))
    printed <- c(printed, capture.output(print(rec$steps[[1]]),
                                         type = "message"))
    expect_match(paste(printed, collapse = " "), "left out by the ranking function")
    both <- function(x, y, constraints) relieff_sc(x, constraints)
    links <- step_links(data)
    rec <- prepared(data, method = both, constraints = links,
                    sample_id = "sample")
    rownames(x) <- data$sample
    expect_identical(ranked(rec), as.data.frame(relieff_sc(x, links)))
    optional <- function(x, y = NULL, constraints = NULL) {
        c(y = is.null(y) + 0, constraints = is.null(constraints) + 0)
    }
    rec <- prepared(data, method = optional)
    expect_identical(ranked(rec)$feature, c("constraints", "y"))
    rec <- prepared(data, method = "relieff", diversify = TRUE, num_terms = 2)
    rownames(x) <- NULL
    want <- diversify_ranking(relieff(x, data$class), x)
    expect_identical(ranked(rec), as.data.frame(want))
    expect_false(identical(want$feature, relieff(x, data$class)$feature))
})

test_that("the range to tune follows the features that are selected", {
    skip_if_not_installed("recipes")
    data <- step_data()
    offered <- function(rec) {
        table <- generics::tunable(rec$steps[[length(rec$steps)]])
        expect_identical(table$name, c("num_terms", "prop"))
        table$call_info[[1]]$range
    }
    expect_identical(offered(step_recipe(data, method = "relieff")), c(1L, 7L))
    rec <- recipes::recipe(class ~ ., data = data)
    expect_identical(
        offered(step_select_linkrank(rec, g1, g2, method = "relieff")),
        c(1L, 2L)
    )
    # columns that do not exist yet
    expect_identical(
        offered(step_select_linkrank(rec, PC1, PC2, method = "relieff")),
        c(1L, 9L)
    )
    wide <- recipes::recipe(~ ., data = as.data.frame(matrix(0, 2, 130)))
    expect_identical(
        offered(step_select_linkrank(wide, recipes::all_predictors(),
                                     method = "variance_score")), c(1L, 100L)
    )
})

test_that("columns make pairs, alone and beside given ones", {
    skip_if_not_installed("recipes")
    data <- step_data()
    data$patient <- rep(1:10, 3)
    data$known <- factor(replace(data$patient %% 2, 9:30, NA))
    data$level <- NULL
    use <- function(...) {
        rec <- recipes::update_role(
            recipes::recipe(class ~ ., data = data), sample, patient, known,
            new_role = "id"
        )
        rec <- step_select_linkrank(rec, recipes::all_predictors(), ...)
        ranked(recipes::prep(rec))
    }
    x <- data[c(paste0("g", 1:6), "kind")]
    links <- constraints_from_columns(data, must_link = "patient", cannot_link = "known")
    expect_identical(use(must_link = "patient", cannot_link = "known"),
                     by_pairs(x, links))
    given <- step_links(data)
    numbered <- pairwise_constraints(cannot_link = cbind(c(1, 3, 5, 7), c(2, 4, 6, 8)),
                                     must_link = cbind(c(1, 2), c(9, 10)), samples = 30)
    of <- function(must_link = NULL, cannot_link = NULL) {
        constraints_from_columns(data, must_link = must_link,
                                 cannot_link = cannot_link)
    }
    expect_identical(
        use(constraints = given, sample_id = "sample", cannot_link = "class"),
        by_pairs(x, c(numbered, of(cannot_link = "class")))
    )
    expect_identical(
        use(must_link = "patient", cannot_link = c("class", "known")),
        by_pairs(x, c(of("patient"), of(NULL, "class"),
                                      of(NULL, "known")))
    )
})

test_that("nothing that crosses a split changes anything", {
    skip_if_not_installed("recipes")
    data <- step_data()
    links <- step_links(data)
    held_out <- c("s7", "s8", "s20", "s21")
    inside <- data[!data$sample %in% held_out, ]
    once <- prepared(data, constraints = links, sample_id = "sample",
                     training = inside)
    # values of the samples left out
    other <- data
    other[other$sample %in% held_out, paste0("g", 1:6)] <- 1e6
    again <- prepared(other, constraints = links, sample_id = "sample",
                      training = inside)
    expect_identical(ranked(again), ranked(once))
    # pairs that reach out of the training set, or lie outside
    crossing <- c(links, pairwise_constraints(
        cannot_link = cbind(c("s20", "s8", "s20"), c("s11", "s13", "s21")),
        must_link = cbind("s12", "s21"), samples = data$sample
    ))
    again <- prepared(data, constraints = crossing, sample_id = "sample",
                      training = inside)
    expect_identical(ranked(again), ranked(once))
    # it is what restrict_constraints() leaves, in the rows of the training set
    x <- inside[c(paste0("g", 1:6), "kind")]
    rownames(x) <- inside$sample
    own <- suppressMessages(restrict_constraints(crossing, inside$sample))
    expect_identical(ranked(once), by_pairs(x, own))
    # but a pair inside does change it
    more <- c(links, pairwise_constraints(cannot_link = cbind("s11", "s14"),
                                          samples = data$sample))
    again <- prepared(data, constraints = more, sample_id = "sample",
                      training = inside)
    expect_false(identical(ranked(again), ranked(once)))
})

test_that("rows without the name of a sample are samples of their own", {
    skip_if_not_installed("recipes")
    data <- step_data()
    links <- step_links(data)
    spare <- which(!data$sample %in% unlist(as.data.frame(links)[
        c("name_i", "name_j")]))
    of <- function(name, kind = identity) {
        data$sample[spare] <- name
        data$sample <- kind(data$sample)
        ranked(suppressMessages(prepared(data, constraints = links,
                                         sample_id = "sample")))
    }
    expect_gt(length(spare), 2)
    expect_identical(of(""), of(NA))
    expect_identical(of("", factor), of(NA))
})

test_that("must-links through a sample left out still join those inside", {
    skip_if_not_installed("recipes")
    data <- step_data()
    through <- pairwise_constraints(
        cannot_link = cbind("s30", "s2"),
        must_link = cbind(c("s30", "s30"), c("s1", "s3")), samples = data$sample
    )
    rec <- prepared(data, constraints = through, sample_id = "sample",
                    training = data[-30, ])
    same <- pairwise_constraints(cannot_link = cbind("s1", "s2"), must_link = cbind("s1", "s3"),
                                 samples = data$sample)
    expect_identical(
        ranked(rec),
        ranked(prepared(data, constraints = same, sample_id = "sample",
                        training = data[-30, ]))
    )
})

test_that("a repeated sample counts once, and the order of rows nothing", {
    skip_if_not_installed("recipes")
    data <- step_data()
    links <- step_links(data)
    once <- prepared(data, constraints = links, sample_id = "sample")
    twice <- prepared(data, constraints = links, sample_id = "sample",
                      training = data[c(1:30, 3, 3, 8, 1), ])
    expect_identical(ranked(twice), ranked(once))
    turned <- prepared(data, constraints = links, sample_id = "sample",
                       training = data[30:1, ])
    expect_equal(ranked(turned), ranked(once))
    # samples that the constraints do not know are in no pair
    few <- restrict_constraints(links, paste0("s", 1:10))
    unknown <- prepared(data, constraints = few, sample_id = "sample")
    expect_identical(ranked(unknown), ranked(once))
})

test_that("a step prints, tidies, and shows what can be tuned", {
    skip_if_not_installed("recipes")
    data <- step_data()
    rec <- step_recipe(data, constraints = step_links(data),
                       sample_id = "sample", num_terms = 3, id = "pairs")
    before <- generics::tidy(rec, 1)
    expect_identical(before$terms, "recipes::all_predictors()")
    expect_identical(before$removed, NA)
    after <- generics::tidy(recipes::prep(rec), 1)
    expect_identical(names(after), c("terms", "rank", "score", "margin",
                                     "removed", "id"))
    expect_identical(after$removed, rep(c(FALSE, TRUE), c(3, 4)))
    expect_identical(unique(after$id), "pairs")
    expect_identical(after$terms, ranked(recipes::prep(rec))$feature)
    step <- rec$steps[[1]]
    expect_identical(generics::required_pkgs(step), "linkrank")
    printed <- capture.output(print(recipes::prep(rec)$steps[[1]]),
                              type = "output")
    printed <- c(printed, capture.output(print(recipes::prep(rec)$steps[[1]]),
                                         type = "message"))
    expect_match(paste(printed, collapse = " "), "glean")
})

test_that("what a step cannot do it says", {
    skip_if_not_installed("recipes")
    data <- step_data()
    links <- step_links(data)
    rows <- pairwise_constraints(cannot_link = cbind(1, 2), samples = 30)
    rec <- recipes::recipe(class ~ ., data = data)
    every <- recipes::all_predictors
    use <- function(...) {
        step_select_linkrank(rec, every(), ...)
    }
    # recipes wraps what a step signals
    failure <- function(..., training = data, rec = step_recipe(data, ...)) {
        signal <- tryCatch(recipes::prep(rec, training = training),
                           error = identity)
        if (is.null(signal$parent)) signal else signal$parent
    }
    expect_refused("argument", use(constraints = rows, sample_id = "sample"),
                   use(constraints = links),
                   use(constraints = links, sample_id = c("a", "b")),
                   use(must_link = 1))
    expect_refused("argument",
                   stop(failure(constraints = links, sample_id = "name")),
                   stop(failure(must_link = "kind", cannot_link = "class")),
                   stop(failure(constraints = links, sample_id = "sample",
                                num_terms = 0)),
                   stop(failure(constraints = links, sample_id = "sample",
                                method = "reliefsc")),
                   stop(failure(constraints = links, sample_id = "sample",
                                method = "fisher_score")),
                   stop(failure(rec = step_select_linkrank(
                       rec, recipes::has_type("date"), constraints = links,
                       sample_id = "sample"))))
    two <- recipes::update_role(rec, level, new_role = "outcome")
    two <- step_select_linkrank(two, every(), method = "relieff")
    none <- recipes::recipe(~ ., data = data)
    none <- step_select_linkrank(none, every(), method = "relieff")
    # recipes, which depends on hardhat, knows them by their class
    weights <- getExportedValue("hardhat", "importance_weights")
    heavy <- data.frame(data, weight = weights(data$level))
    weighted <- step_recipe(heavy, method = "relieff")
    expect_refused("argument",
                   use(method = "relieff", top_p = 5),
                   use(method = "relieff", prob = 0.5),
                   use(method = "relieff", constraints = links),
                   use(method = "variance_score", must_link = "kind"),
                   use(method = "reliefsc"), use(outcome = 1),
                   use(outcome = "class", diversify = 1),
                   use(method = "relieff", options = c(k = 5)),
                   stop(failure(rec = two)), stop(failure(rec = none)),
                   stop(failure(rec = step_select_linkrank(
                       recipes::recipe(~ ., data = data), every(),
                       method = "glean"))),
                   stop(failure(method = "relieff_sc", outcome = "level")),
                   stop(failure(rec = weighted, training = heavy)),
                   stop(failure(method = "relieff", prop = 2)),
                   stop(failure(method = "relieff", threshold = 9)),
                   stop(failure(method = "relieff", outcome = "g1")))
    # NULL is a default
    expect_identical(names(use(method = "relieff", options = NULL)$steps[[1L]]),
                     names(use(method = "relieff")$steps[[1L]]))
    few <- data[-c(1, 2, 3, 5, 8, 9, 10), ]
    expect_refused("constraints",
                   stop(failure(constraints = links, sample_id = "sample",
                                training = few)))
})

test_that("only a recipe takes a step", {
    skip_if_not_installed("recipes")
    expect_error(step_select_linkrank(list(1)), "`recipe` must be the result of",
                 class = "linkrank_error_argument")
})
