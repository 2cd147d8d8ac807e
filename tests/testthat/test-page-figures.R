# Figures in the text of a page come from code that runs, or are no measurement: sizes,
# settings, versions, equations, years. What a table or a script cannot make again is
# not written by hand. test-readme.R compares the figures of README with their table.

number <- "(?<![A-Za-z0-9.])[-+]?[0-9]*[.]?[0-9]+"

# Measurements: a number beside a percent sign, an error or a word for a result. A
# number alone may be a size, a setting or a year.
measured <- function(text, more = character()) {
    patterns <- c(
        # 75.0 %, 75%, +1.2 (0.4), 1.2 points, .55, 0.36 s, 3-fold
        paste0(number, "(?= ?%| percent\\b| points?\\b| \\([0-9.]+\\)| s\\b| ms\\b",
               "| seconds\\b| minutes\\b| times\\b|-fold\\b| GB\\b| MB\\b)"),
        "(?<![0-9A-Za-z.])[.][0-9]+",
        # (-2.2, standard error 0.8), 14 of 50, 13 of the best 50
        "(?<=[( ])[-+][0-9]+[.][0-9]+", "(?<=standard error )[0-9]*[.]?[0-9]+",
        "(?<![0-9A-Za-z.])[0-9]+(?= of (the )?(best )?[0-9])",
        "(?<=\\()[0-9]*[.][0-9]+(?=\\))", more
    )
    at <- unlist(lapply(patterns, function(pattern) {
        regmatches(text, gregexpr(pattern, text, perl = TRUE))[[1L]]
    }))
    unique(sub("^[-+]", "", at))
}

# In pages every number with a decimal point may be one; in help it may be an equation.
decimals <- "(?<![A-Za-z0-9.])[0-9]+[.][0-9]+(?![.]?[0-9])"

# Text without what is no measurement: spans of code, equations, versions.
said_in <- function(file) {
    text <- gsub("(?s)<!-- figures.*?<!-- end of figures -->", " ", one_text(file),
                 perl = TRUE)
    text <- gsub("(?<!`)`[^`]+`(?!`)", " ", prose_of(text), perl = TRUE)
    gsub("\\s+", " ", text)
}

# Not measured, in the words of its page.
equations <- function(...) stats::setNames(rep("an equation", ...length()), c(...))
level <- "a level"
memory <- "what a call may take"
no_measurement <- list(
    README.md = c("R 4.2" = "a version"),
    bioconductor.Rmd = c("15 minutes" = "what an expert may have",
                         "CC BY 4.0" = "a licence"),
    labels.Rmd = c("Select 10 of 500" = "a setting"),
    linkrank.Rmd = c("R 4.2" = "a version"),
    methods.Rmd = c("up to 0.05" = level, "level is 0.05" = level),
    numbers.Rmd = c("up to 0.05" = level, "(*family*) of 0.05" = level,
                    "95 % intervals" = level, "at 0.01" = level,
                    "200 of the 2000 genes" = "a setting"),
    answer_agreement.Rd = c("95 %" = level),
    baseline_scores.Rd = equations("(1.21)", "(1.27)"),
    colon.Rd = c("75 of 1911 ids" = "rows of the source"),
    compare_rankings.Rd = equations("(4.16)"),
    constraint_score.Rd = equations("(1.41)"),
    ensemble_ranking.Rd = c("63 %" = "the default share of rows"),
    irelief.Rd = equations("(2.30)", "(2.37)"),
    p_values.Rd = c("5 %" = level),
    plot_features.Rd = c("3 percent" = "a width"),
    propagate_constraints.Rd = equations("(4.14)", "(4.15)"),
    question_strategies.Rd = c("100 times" = "a limit"),
    questionnaire_app.Rd = c("100%" = "a width"),
    relieff.Rd = c("250 MB" = memory, equations("(2.4)")),
    relieff_sc.Rd = c("250 MB" = memory, equations("(3.15)")),
    similarity_graph.Rd = c("200 MB" = memory, equations("(1.5)")),
    simba.Rd = equations("(2.29)", "(3.20)", "(3.21)"),
    spectral_clustering.Rd = c("90 %" = "where the warning begins"),
    supervised_laplacian_score.Rd = c("1 %" = "where the default weight holds")
)

# Numbers that nothing excuses.
unfounded <- function(text, page) {
    for (excuse in names(no_measurement[[page]])) {
        text <- gsub(excuse, " ", text, fixed = TRUE)
    }
    measured(text, if (!grepl("Rd$", page)) decimals)
}

test_that("no figure in the text of a page is written by hand", {
    for (file in c(page_files(), help_files())) {
        name <- basename(file)
        text <- if (grepl("Rd$", name)) help_prose(file) else said_in(file)
        expect_identical(unfounded(text, name), character(), label = name)
        # an excuse that is not needed any more goes
        for (excuse in names(no_measurement[[name]])) {
            expect_true(grepl(excuse, text, fixed = TRUE), label = paste(name, excuse))
        }
    }
})

test_that("a figure is found, round ones too", {
    expect_identical(unfounded("It gains 98.765 points, +43.217 (0.4).", "none.Rd"),
                     c("98.765", "43.217", "0.4"))
    expect_identical(unfounded("of 2000 genes in 62 samples, at most 20", "none.Rmd"),
                     character())
    for (text in c("20 % more", "83% of", "83 percent", "5 points", "in 10 s", "12 ms",
                   "1.0 (0.5)", "standard error 2", "14 of 50 genes", "13 of the best 50",
                   "a gain (-2.0, of all)", "2 times as fast", "3-fold", "r = 0.97",
                   "accuracy is 0.83, with an error of 0.02")) {
        expect_gt(length(unfounded(text, "none.Rmd")), 0L, label = text)
    }
})
