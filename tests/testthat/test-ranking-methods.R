tested_ranking <- function(n) {
    set.seed(1)
    p_value <- sort(runif(n))
    made_ranking(seq(1, -0.5, length.out = n),
                 statistic = seq(4, -2, length.out = n), p_value = p_value,
                 fdr = p.adjust(p_value, "BH"))
}

# ---- print ------------------------------------------------------------------

test_that("print() shows method, direction, counts and the ten best", {
    expect_snapshot({
        tested_ranking(2000)
        print(tested_ranking(2000), n = 3)
        print(tested_ranking(4), n = Inf)
        print(tested_ranking(4), n = 0)
    })
})

test_that("print() of a real ranking", {
    links <- pairwise_constraints(cannot_link = rbind(c(1, 2), c(5, 8), c(9, 12)),
                                  must_link = cbind(1, 5), samples = rownames(colon$x))
    expect_snapshot({
        relieff_sc(log2(colon$x), links)
        relief_sc(log2(colon$x), links, direction = "first",
                  must_link = "ignore")
        relieff_sc(log2(colon$x), links, rank_by = "statistic", k = 1)
    })
})

test_that("print() of a part keeps the ranks", {
    ranking <- tested_ranking(20)
    expect_snapshot({
        ranking[c(3, 7), ]
        ranking[0, ]
    })
})

test_that("print() wants a count of rows", {
    ranking <- tested_ranking(4)
    expect_refused("argument", print(ranking, n = -1), print(ranking, n = NA))
})

test_that("numbers of any size stay readable", {
    expect_snapshot({
        made_ranking(c(3e300, 2, -1e-3))
        made_ranking(c(3e-300, 0, -1e-310))
        made_ranking(c(123456, 1, -20))
        made_ranking(c(0.00012, 0.00011))
        made_ranking(c(NA, NaN, Inf, -Inf, 2))
        made_ranking(c(0.5, -1e-17, 0))
    })
})

test_that("long names are cut, and columns that do not fit are named", {
    names <- paste("a gene set with a really long name, number", 1:12)
    wide <- made_ranking(12:1, names, statistic = 12:1 / 7,
                         p_value = 1:12 / 100, fdr = 1:12 / 50,
                         family_p_value = 1:12 / 101)
    expect_snapshot({
        wide
        summary(wide)
    })
    expect_true(all(vapply(names[1:10], function(name) {
        any(grepl(name, capture.output(print(wide)), fixed = TRUE))
    }, NA)))
    # longer than a line: without what all of them share
    longest <- made_ranking(12:1, paste0(strrep("gene ", 20), 1:12))
    expect_output(print(longest), "\n     1  1  .*names without \"gene gene")
    expect_narrow(wide)
    expect_narrow(summary(wide))
})

test_that("odd names do not break the table", {
    names <- c("two\nlines", "tab\there", "\u00e9t\u00e9",
               strrep("\u4e2d", 40), "bytes \xe9\xff", "")
    odd <- made_ranking(6:1, names)
    expect_narrow(odd)
    expect_narrow(summary(odd))
    # the scores are below one another; a comma fits behind a name
    lines <- utils::tail(utils::capture.output(odd), 8L)[1:7]
    expect_length(unique(nchar(lines, type = "width")), 1L)
    expect_narrow(summary(made_ranking(2:1, c(strrep("a", 70), "b"))))
    skip_if_not(l10n_info()[["UTF-8"]], "print-outs are recorded in UTF-8")
    expect_snapshot(odd)
})

test_that("100,000 features are counted in full", {
    ranking <- made_ranking(seq(1, 0.5, length.out = 100010))
    printed <- capture.output(print(ranking), print(summary(ranking)))
    expect_no_match(printed, "e[+]0")
    expect_match(printed, "... 100000 more", fixed = TRUE, all = FALSE)
    last <- ranking[99999:100001, ]
    expect_snapshot(last)
})

test_that("print() and summary() come back invisibly", {
    ranking <- tested_ranking(4)
    capture.output({
        expect_invisible(print(ranking))
        expect_identical(print(ranking), ranking)
        expect_invisible(print(summary(ranking)))
    })
})

# ---- summary ----------------------------------------------------------------

test_that("summary() counts what is positive, significant and undefined", {
    ranking <- made_ranking(c(3, 1, 0, -1, NA), fdr = c(
        0.05, 0.051, 0.2, NA, NA
    ))
    facts <- summary(ranking)
    expect_identical(facts$features, 5L)
    expect_identical(facts$significant, 1L)
    expect_identical(facts$undefined, 1L)
    expect_identical(facts$range, c(-1, 3))
    expect_identical(facts$best, c("g1", "g2", "g3", "g4"))
    expect_snapshot(facts)
})

test_that("margins that are not there are not counted as positive", {
    expect_identical(summary(made_ranking(c(2, 1, NA, -1)))$positive, 2L)
})

test_that("summary() of a ranking without any score says so", {
    expect_snapshot({
        summary(made_ranking(c(NA, NaN, NA)))
        summary(tested_ranking(5)[0, ])
        summary(made_ranking(1))
    })
})

# ---- the elbow --------------------------------------------------------------

test_that("the elbow is before the point farthest below the line", {
    # heights 1, .2, .1, 0 over 0, 1/3, 2/3, 1: sums 1, .533, .767, 1
    expect_identical(elbow(c(1, 0.2, 0.1, 0)), 1L)
    # twice as steep before the fourth point as after it
    expect_identical(elbow(c(10, 8, 6, 4, 3, 2, 1)), 3L)
    # two high, two low: the drop is after the second
    expect_identical(elbow(c(0.375, 0.359, 0.140, 0.123)), 2L)
})

test_that("the elbow does not depend on unit or origin of positive scores", {
    set.seed(2)
    values <- sort(rexp(50), decreasing = TRUE)
    expect_identical(elbow(values * 1e200), elbow(values))
    expect_identical(elbow(values + 5), elbow(values))
})

test_that("what follows the last positive value does not move the elbow", {
    values <- c(10, 3, 2, 1)
    expect_identical(elbow(c(values, -1, -50)), elbow(values))
    expect_identical(elbow(c(values, NA)), elbow(values))
})

test_that("the elbow of rising scores, where lower is better", {
    expect_identical(elbow(c(-1, -0.2, -0.1, 0)), 1L)
})

test_that("no elbow where there is no bend", {
    expect_identical(elbow(c(2, 2, 2)), NA_integer_)
    expect_identical(elbow(c(2, 1)), NA_integer_)
    expect_identical(elbow(numeric()), NA_integer_)
    expect_identical(elbow(c(NA, NaN, Inf)), NA_integer_)
})

# ---- [ and as.data.frame ----------------------------------------------------

test_that("rows of a ranking are a ranking", {
    ranking <- tested_ranking(6)
    part <- ranking[2:3, ]
    expect_s3_class(part, "feature_ranking")
    expect_identical(part$rank, 2:3)
    expect_identical(summary(part)$parameters, summary(ranking)$parameters)
    expect_identical(ranking[ranking$margin > 0, ]$rank, 1:4)
    expect_s3_class(head(ranking, 2), "feature_ranking")
    expect_identical(head(ranking, 2)$rank, 1:2)
    expect_identical(tail(ranking, 1)$rank, 6L)
    expect_s3_class(subset(ranking, margin > 0.5), "feature_ranking")
    expect_identical(ranking[], ranking)
})

test_that("columns are as those of a data.frame", {
    ranking <- tested_ranking(6)
    plain <- as.data.frame(ranking)
    expect_identical(ranking[["feature"]], plain$feature)
    expect_identical(ranking["feature"], plain["feature"])
    expect_identical(ranking[2, "margin"], plain[2, "margin"])
    expect_identical(ranking[, "margin"], plain[["margin"]])
    expect_identical(ranking[, "margin", drop = FALSE],
                     plain[, "margin", drop = FALSE])
    expect_identical(ranking[1:2, c("rank", "feature")],
                     plain[1:2, c("rank", "feature")])
    kept <- c("rank", "feature", "score", "margin")
    expect_s3_class(ranking[kept], "feature_ranking")
    expect_s3_class(ranking[, kept], "feature_ranking")
})

test_that("as.data.frame() leaves nothing of the class", {
    plain <- as.data.frame(tested_ranking(3))
    expect_identical(class(plain), "data.frame")
    expect_named(attributes(plain), c("names", "class", "row.names"),
                 ignore.order = TRUE)
    expect_identical(attr(plain, "row.names"), 1:3)
})

test_that("what works for a data.frame works for a ranking", {
    ranking <- tested_ranking(3)
    expect_identical(nrow(rbind(as.data.frame(ranking),
                                as.data.frame(ranking))), 6L)
    file <- tempfile(fileext = ".csv")
    on.exit(unlink(file))
    write.csv(ranking, file, row.names = FALSE)
    expect_equal(read.csv(file), as.data.frame(ranking))
    merged <- merge(ranking, data.frame(feature = "g2", chromosome = "X"))
    expect_identical(merged$rank, 2L)
})

test_that("a ranking survives being saved", {
    ranking <- tested_ranking(3)
    file <- tempfile(fileext = ".rds")
    on.exit(unlink(file))
    saveRDS(ranking, file)
    expect_identical(readRDS(file), ranking)
})

test_that("a long note goes on in the next line, within 80 columns", {
    x <- random_matrix(20, 3)
    given <- rrelieff(x, rnorm(20), k = 3, sigma = 0.123456789,
                      ramp = c(0.0123456, 0.987654321), scale = "zscore")
    expect_narrow(given)
    expect_narrow(as_feature_ranking(c(g1 = 1, g2 = 2), method = paste(
        rep("word", 30), collapse = " "), samples = 12))
    expect_error(print(structure(list(), class = "feature_ranking")),
                 class = "linkrank_error_argument")
})

test_that("a table is as wide as the console, with headings in two lines", {
    ranking <- list2DF(list(
        rank = 1:2, feature = c("ENSG00000001473", "ENSG00000001002"),
        score = c(.25, .2), p_value = c(.005, .01), fdr = c(.9, 1),
        family_p_value = c(.6, 1), highest = c("T7", "T7"),
        difference = c(2.5, 2), margin = c(11, 8), statistic = c(5, 4)))
    lines <- function(width) {
        old <- options(width = width)
        on.exit(options(old))
        format_table(ranking)
    }
    expect_snapshot(for (width in c(60, 80, 130)) writeLines(lines(width)))
    for (width in 60:130) {
        expect_lte(max(nchar(lines(width))), width)
    }
    expect_identical(lines(10), lines(60))
    expect_identical(break_heading(c("own_p_value", "  0.5", "0.012")),
                     c("own_", "p_value", "0.5", "0.012"))
    # nothing saved: wide cells, no place to break, two letters
    for (cells in list(c("fdr", "0.123456789"), c("difference", "1"),
                       c("cohen_d", "1.234"))) {
        expect_identical(break_heading(cells), c("", cells))
    }
})

test_that("an edited class ends in words, or in a plain table", {
    ranking <- variance_score(colon$x[, 1:20])
    class(ranking) <- rev(class(ranking))
    expect_identical(ranking[1:2][[2]], ranking$feature)
    markers <- group_markers(log2(colon$x[, 1:20]), colon$tissue)
    turned <- markers
    class(turned) <- rev(class(turned))
    expect_identical(turned[1:2][[2]], markers$rank)
    bare <- markers
    class(bare) <- "group_markers"
    expect_error(rbind(bare, bare), "it lacks columns",
                 class = "linkrank_error_argument")
    expect_error(rbind(markers, bare), "it lacks columns",
                 class = "linkrank_error_argument")
})

test_that("objects hold the version that made them, older ones end in words", {
    x <- log2(colon$x[, 1:20])
    older <- "an earlier version made it, in another form"
    version <- as.character(utils::packageVersion("linkrank"))
    data <- prepare_data(x)
    q <- questionnaire(x, n = 3)
    expect_identical(c(data$made_by, q$made_by), c(version, version))
    data$made_by <- q$made_by <- NULL
    expect_error(variance_score(data), older, class = "linkrank_error_argument")
    expect_error(answer_pair(q, 0), older, class = "linkrank_error_argument")
    expect_error(print(q), older, class = "linkrank_error_argument")
    for (table in list(variance_score(x), group_markers(x, colon$tissue))) {
        expect_identical(attr(table, "info")$made_by, version)
        attr(table, "info")$made_by <- NULL
        expect_error(print(table), older, class = "linkrank_error_argument")
    }
    # of these the shape is checked whole
    links <- pairwise_constraints(must_link = cbind(1, 2), samples = 62)
    held <- list(links, constraints_from_labels(colon$tissue),
                 similarity_graph(x), feature_graph(x))
    expect_identical(vapply(held, `[[`, "", "made_by"), rep(version, 4))
    tables <- list(
        evaluate_ranking(variance_score(x), x[1:31, ], colon$tissue[1:31],
                         x[32:62, ], colon$tissue[32:62]),
        evaluate_method(x, colon$tissue, "variance_score", splits = 5),
        evaluate_questions(x, colon$tissue, "random", "variance_score",
                           questions = 3, splits = 2),
        ranking_stability(x, method = "variance_score", replicates = 2)
    )
    expect_identical(vapply(tables, attr, "", "made_by"), rep(version, 4))
})
