# How pages are written: short sentences, few words, no name of a page that is gone.

sentences_of <- function(file) {
    text <- prose_of(one_text(file))
    # a heading, an item and a row of a table end a sentence
    text <- gsub("(?m)^[|#].*$|^ *[*-] |^$", ". ", text, perl = TRUE)
    sentences <- strsplit(gsub("\\s+", " ", text), "[.:?!;]( |$)")[[1L]]
    words <- lengths(strsplit(trimws(sentences), " +"))
    words[words > 2L]
}

test_that("sentences of pages are short", {
    for (file in page_files()) {
        words <- sentences_of(file)
        expect_gt(length(words), 10L)
        expect_lte(mean(words), 20, label = basename(file))
        expect_lt(stats::quantile(words, 0.9), 35, label = basename(file))
    }
})

test_that("the five pages have some 9,000 words, README 1,200, the first page 900", {
    count <- function(file) length(scan(file, "", quote = "", quiet = TRUE,
                                        comment.char = "", encoding = "UTF-8"))
    files <- page_files()
    pages <- files[basename(dirname(files)) == "vignettes"]
    expect_length(pages, 5L)
    expect_lte(sum(vapply(pages, count, 0)), 9200)
    expect_lte(count(files[basename(files) == "README.md"]), 1200)
    expect_lte(count(files[basename(files) == "linkrank.Rmd"]), 900)
})

test_that("help pages have 38,000 words as they are read, none above 1,000", {
    words <- vapply(help_files(), function(file) {
        text <- utils::capture.output(tools::Rd2txt(file))
        sum(lengths(strsplit(trimws(text[nzchar(trimws(text))]), "\\s+")))
    }, 0)
    expect_gt(length(words), 70L)
    expect_identical(basename(names(words)[words > 1000]), character())
    expect_lte(sum(words), 38000)
})

test_that("every page that is named exists", {
    root <- dirname(package_sources("DESCRIPTION"))
    pages <- sub("[.]Rmd$", "", list.files(file.path(root, "vignettes"), "[.]Rmd$"))
    files <- c(page_files(), help_files(),
               list.files(file.path(root, c("R", "inst")), "[.](R|csv)$",
                          full.names = TRUE, recursive = TRUE))
    named <- unlist(lapply(files, function(file) {
        found <- regmatches(one_text(file), gregexpr(
            "vignette\\(\\\\*\"([^\"\\\\]+)", one_text(file)))[[1L]]
        sub(".*\"", "", found)
    }))
    expect_gt(length(named), 10L)
    expect_identical(setdiff(named, pages), character())
})
