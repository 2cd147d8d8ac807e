test_that("named scores become a ranking, ties by place, NA last", {
    scores <- c(b = 2, a = NA, d = 3, c = 2)
    got <- as_feature_ranking(scores)
    expect_identical(got$feature, c("d", "b", "c", "a"))
    expect_identical(feature_scores(got), scores)
    expect_identical(as_feature_ranking(scores, "lower")$feature,
                     c("b", "c", "d", "a"))
    expect_identical(summary(got)$label, "own")
    expect_null(summary(got)$samples)
    frame <- data.frame(feature = names(scores), score = unname(scores),
                        p = 4:1)
    other <- as_feature_ranking(frame, method = "limma", samples = 62)
    expect_identical(other$feature, got$feature)
    expect_identical(other$p, c(2L, 4L, 1L, 3L))
    named <- data.frame(score = scores, row.names = names(scores))
    expect_identical(as_feature_ranking(named), got)
    expect_identical(as_feature_ranking(cbind(scores)), got)
    expect_snapshot({
        got
        other
        summary(other)
    })
})

test_that("all that works on rankings works on it", {
    x <- random_matrix(30, 6)
    y <- rep(c("u", "v"), 15)
    own <- as_feature_ranking(apply(x, 2, var), method = "mine")
    expect_identical(own$feature, variance_score(x, scale = "none")$feature)
    expect_identical(ncol(keep_features(x, own, 2)), 2L)
    expect_s3_class(diversify_ranking(own, x), "feature_ranking")
    expect_s3_class(diversify_ranking(own, x, method = "prune"), "feature_ranking")
    expect_identical(compare_rankings(own, own, 3), 1)
    found <- evaluate_ranking(own, x[1:15, ], y[1:15], x[16:30, ], y[16:30])
    expect_identical(levels(found$ranking), "mine")
    again <- as_feature_ranking(as.data.frame(own))
    expect_identical(again$feature, own$feature)
    grDevices::pdf(NULL)
    expect_silent(plot(own))
    grDevices::dev.off()
})

test_that("scores without features are refused", {
    expect_refused("argument",
        as_feature_ranking(1:3),
        as_feature_ranking("a"),
        as_feature_ranking(c(a = 1, a = 2)),
        as_feature_ranking(stats::setNames(1:2, c("a", ""))),
        as_feature_ranking(c(a = 1)[0]),
        as_feature_ranking(data.frame(score = 1:2)),
        as_feature_ranking(data.frame(feature = "a")),
        as_feature_ranking(data.frame(feature = "a", score = "b")),
        as_feature_ranking(c(a = 1), direction = "up"),
        as_feature_ranking(c(a = 1), samples = 0),
        as_feature_ranking(c(a = 1), method = 1)
    )
})

test_that("NaN is no score", {
    expect_error(as_feature_ranking(c(a = NaN, b = 1, c = 2)), "\"a\" is NaN",
                 class = "linkrank_error_argument")
    expect_error(as_feature_ranking(data.frame(feature = c("a", "b"),
                                               score = c(1, 0 / 0))),
                 "\"b\" is NaN", class = "linkrank_error_argument")
    expect_identical(as_feature_ranking(c(a = NA, b = 1))$score, c(1, NA))
})

test_that("only columns of exactly these names are feature and score", {
    table <- data.frame(feature_id = 1:3, score = c(2, 3, 1),
                        row.names = c("a", "b", "c"))
    expect_identical(as_feature_ranking(table)$feature, c("b", "a", "c"))
    expect_error(as_feature_ranking(data.frame(feature = "a", score_of = 1)),
                 "it has none", class = "linkrank_error_argument")
})

test_that("a table of a ranking is read in its direction", {
    x <- random_matrix(20, 5)
    file <- tempfile(fileext = ".csv")
    on.exit(unlink(file))
    for (made in list(laplacian_score(x), variance_score(x))) {
        utils::write.csv(as.data.frame(made, settings = TRUE), file)
        read <- as_feature_ranking(utils::read.csv(file))
        expect_identical(read$feature, made$feature)
        expect_identical(summary(read)$direction, summary(made)$direction)
        turned <- as_feature_ranking(as.data.frame(made)[5:1, ])
        expect_identical(turned$feature, made$feature)
    }
    # a direction that is given counts; a message says that ranks differ
    expect_identical(as_feature_ranking(as.data.frame(laplacian_score(x)),
                                        "higher")$rank, 1:5)
    table <- data.frame(feature = c("a", "b", "c"), score = c(2, 3, 1),
                        rank = 1:3)
    expect_message(own <- as_feature_ranking(table),
                   class = "linkrank_message_scores")
    expect_identical(own$feature, c("b", "a", "c"))
})
