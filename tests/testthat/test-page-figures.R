# Figures in the text of a page come from the tables of that page, from code that runs,
# or are no measurement: sizes, settings, versions, equations, years. What a table or a
# script cannot make again is not written by hand.

# Pages with figures in their text, and the tables that have them. All tables together
# hold nearly every round number, so what another table has is no support.
own_tables <- list(README.md = "first_page.csv")

# The numbers of the tables of a page, as a text may round them.
table_values <- function(page) {
    folder <- file.path(dirname(package_sources("DESCRIPTION")), "inst/benchmarks")
    values <- unlist(lapply(own_tables[[page]], function(name) {
        table <- utils::read.csv(file.path(folder, name))
        unlist(table[vapply(table, is.numeric, NA)])
    }))
    values <- abs(unique(as.numeric(values[is.finite(values)])))
    shown <- c(sprintf("%.0f", values), sprintf("%.1f", values),
               sprintf("%.2f", values), sprintf("%.3f", values))
    # a share as percent, and without its zero
    unique(c(shown, sprintf("%.0f", 100 * values[values <= 1]), sub("^0[.]", ".", shown)))
}

# Measurements: a number beside a percent sign, an error or a word for a result. A
# number alone may be a size, a setting or a year.
measured <- function(text) {
    number <- "(?<![A-Za-z0-9.])[-+]?[0-9]*[.]?[0-9]+"
    patterns <- c(
        # 75.0 %, +1.2 (0.4), 1.2 points, .55, 0.36 s
        paste0(number, "(?= %| points?\\b| \\([0-9.]+\\)| s\\b| seconds\\b| minutes\\b",
               "| times (as|more|less)\\b| GB\\b| MB\\b)"),
        "(?<![0-9A-Za-z.])[.][0-9]+",
        # (-2.2, standard error 0.8), 14 of 50
        "(?<=[( ])[-+][0-9]+[.][0-9]+", "(?<=standard error )[0-9]*[.]?[0-9]+",
        "(?<![0-9A-Za-z.])[0-9]+(?= of (the )?[0-9])",
        "(?<=\\()[0-9]*[.][0-9]+(?=\\))"
    )
    at <- unlist(lapply(patterns, function(pattern) {
        regmatches(text, gregexpr(pattern, text, perl = TRUE))[[1L]]
    }))
    unique(sub("^[-+]", "", at))
}

# Text without what is no measurement: spans of code, equations, versions.
said_in <- function(file) {
    text <- prose_of(one_text(file))
    text <- gsub("(?<!`)`[^`]+`(?!`)", " ", text, perl = TRUE)
    gsub("\\s+", " ", text)
}

# Not measured; each is on its page.
equations <- function(...) stats::setNames(rep("number of an equation", ...length()),
                                           c(...))
no_measurement <- list(
    bioconductor.Rmd = c("15" = "minutes that an expert may have"),
    labels.Rmd = c("10" = "features that an example selects"),
    numbers.Rmd = c("95" = "the usual level of an interval",
                    "200" = "features of a simulation"),
    answer_agreement.Rd = c("95" = "the level of the interval"),
    baseline_scores.Rd = equations("1.21", "1.27"),
    colon.Rd = c("75" = "rows of the source"),
    compare_rankings.Rd = equations("4.16"),
    constraint_score.Rd = equations("1.41"),
    ensemble_ranking.Rd = c("63" = "the default share of rows"),
    irelief.Rd = equations("2.30", "2.37"),
    p_values.Rd = c("5" = "the level of a test"),
    propagate_constraints.Rd = equations("4.14", "4.15"),
    relieff.Rd = c("250" = "MB that a call may take", equations("2.4")),
    relieff_sc.Rd = c("250" = "MB that a call may take", equations("3.15")),
    similarity_graph.Rd = c("200" = "MB that a call may take", equations("1.5")),
    simba.Rd = equations("2.29", "3.20", "3.21"),
    spectral_clustering.Rd = c("90" = "where the warning begins"),
    supervised_laplacian_score.Rd = c("1" = "where the default weight holds")
)

# What is in no table of the page and has no excuse.
unfounded <- function(text, page, values = table_values(page)) {
    setdiff(measured(text), c(values, names(no_measurement[[page]])))
}

test_that("every figure in the text of a page is in a table that ships", {
    expect_gt(length(table_values("README.md")), 100)
    for (file in c(page_files(), help_files())) {
        name <- basename(file)
        text <- if (grepl("Rd$", name)) help_prose(file) else said_in(file)
        expect_identical(unfounded(text, name), character(), label = name)
        # an excuse that is not needed any more goes, and so does a table
        expect_identical(setdiff(as.character(names(no_measurement[[name]])), measured(text)),
                         character(), label = name)
        if (!is.null(own_tables[[name]]))
            expect_gt(length(intersect(measured(text), table_values(name))), 10L)
    }
})

test_that("a figure that no table of the page has is found, round ones too", {
    expect_identical(unfounded("It gains 98.765 points, +43.217 (0.4).", "none.Rmd"),
                     c("98.765", "43.217", "0.4"))
    expect_identical(unfounded("of 2000 genes in 62 samples, at most 20", "none.Rmd"),
                     character())
    for (text in c("20 % more", "5 points", "in 10 s", "1.0 (0.5)", "standard error 2",
                   "14 of 50 genes", "a gain (-2.0, of all)", "2 times as fast")) {
        expect_gt(length(unfounded(text, "none.Rmd")), 0L)
        # the same with numbers that the table of README does not have
        changed <- gsub("[0-9]+", "99987", text)
        expect_gt(length(unfounded(changed, "README.md")), 0L)
    }
})
