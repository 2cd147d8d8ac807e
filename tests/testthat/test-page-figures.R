# Figures in the text of a page come from a table that ships, from code that runs, or
# are no measurement: sizes, settings, versions, equations, years. What a table or a
# script cannot make again is not written by hand.

# The numbers of all tables that ship, as a text may round them.
table_values <- function() {
    root <- dirname(package_sources("DESCRIPTION"))
    files <- list.files(file.path(root, "inst"), "[.]csv$", full.names = TRUE,
                        recursive = TRUE)
    files <- files[!grepl("words|published|texts|arguments", basename(files))]
    values <- unlist(lapply(files, function(file) {
        table <- utils::read.csv(file)
        unlist(table[vapply(table, is.numeric, NA)])
    }))
    values <- abs(unique(values[is.finite(values)]))
    shown <- c(sprintf("%.0f", values), sprintf("%.1f", values),
               sprintf("%.2f", values), sprintf("%.3f", values))
    # a share as percent, and without its zero
    unique(c(shown, sprintf("%.0f", 100 * values[values <= 1]), sub("^0[.]", ".", shown)))
}

# Measurements: a number beside a percent sign, an error or a word for a result. A
# number alone may be a size, a setting or a year.
measured <- function(text) {
    number <- "[-+]?[0-9]*[.]?[0-9]+"
    patterns <- c(
        # 75.0 %, +1.2 (0.4), 1.2 points, .55, 0.36 s
        paste0(number, "(?= %| points?\\b| \\([0-9.]+\\)| s\\b| seconds\\b| minutes\\b",
               "| times (as|more|less)\\b| GB\\b| MB\\b)"),
        "(?<![0-9A-Za-z.])[.][0-9]+",
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

# Not measured, or measured by no script whose table ships; each is on its page.
no_measurement <- list(
    numbers.Rmd = c("95" = "the usual level of an interval"),
    propagate_constraints.Rd = c("4.14" = "number of an equation",
                                 "4.15" = "number of an equation"),
    relieff.Rd = c("250" = "MB that a call may take"),
    spectral_clustering.Rd = c("90" = "where the warning begins"),
    compare_rankings.Rd = c("4.16" = "number of an equation"),
    relieff_sc.Rd = c("3.15" = "number of an equation",
                      "250" = "MB that a call may take"),
    simba.Rd = c("3.20" = "number of an equation", "3.21" = "number of an equation")
)

# What is in no table and has no excuse.
unfounded <- function(text, excused, values = table_values()) {
    setdiff(measured(text), c(values, names(excused)))
}

test_that("every figure in the text of a page is in a table that ships", {
    values <- table_values()
    expect_gt(length(values), 1000)
    for (file in c(page_files(), help_files())) {
        name <- basename(file)
        text <- if (grepl("Rd$", name)) help_prose(file) else said_in(file)
        expect_identical(unfounded(text, no_measurement[[name]], values), character(),
                         label = name)
        # an excuse that is not needed any more goes
        expect_identical(setdiff(as.character(names(no_measurement[[name]])), measured(text)),
                         character(), label = name)
    }
})

test_that("a figure that no table has is found", {
    expect_identical(unfounded("It gains 98.765 points, +43.217 (0.4).", NULL),
                     c("98.765", "43.217"))
    expect_identical(unfounded("of 2000 genes in 62 samples, at most 20", NULL),
                     character())
})
