# Standard terms: users are biologists and R programmers, and a private word for
# a thing that has a name costs each of them. Words that are gone stay gone; the
# glossary of CONTRIBUTING.md has the terms that stand for them.

# Whole words (an underscore ends a word too, so names in the code count), each
# with what is written instead.
gone <- c(
    "rooms?" = "space, buffer, capacity",
    "told" = "reported, given, recognised",
    "sought" = "searched, computed in",
    "in the place of" = "instead of",
    "(as|where) (it|they) lies?" = "without transposing, as stored",
    "lies? one after" = "is stored contiguously",
    "looked at|looks at" = "checked, read, used",
    "know nothing" = "uninformative",
    "calm" = "default_control()",
    "quiet\\(" = "no_progress()",
    "mates?" = "queries of the same component",
    "forks" = "nodes of the tree, child processes",
    "twins?" = "reference",
    "loud" = "highly expressed",
    "lose none|loses none" = "checkpoints",
    "in turns" = "alternately",
    "other than before" = "unlike before",
    "stands? more than once" = "is duplicated",
    "knows (its|their) neighbours" = "already defines neighbours",
    "(sentences?|words?|error) of ours|(the package's|its|our) own words" =
        "a linkrank error",
    "(known to be|not yet) with (any )?others?" = "the same group as, no group yet",
    "what (it|they|[a-z]+) (is|are) worth" = "its accuracy, its contribution",
    "how right" = "the accuracy of",
    "judges? (ranking )?methods" = "evaluate",
    "explains? a number" = "for a numeric outcome",
    "carry what is known" = "add annotation",
    "what a set of constraints implies" = "transitive closure"
)

# Pieces of sentences over which a reader stumbled.
stumbled <- c(
    "no better gene", "when they are spread to", "brightness too",
    "two more commands do all", "for independent draws, which",
    "gives back what the data", "is little news", "step against repetition",
    "from nothing, hardly", "whether it was caught", "is put to many data",
    "low and broad", "and then crawl", "honest share", "; pairs say it",
    "things are known", "testing mends", "that agree in truth",
    "that both name", "ranking settled", "twenty questions are all"
)

# The text of a file on one line, without the marks of comments, so that no line
# break hides two words.
text_of <- function(file) {
    lines <- readLines(file, encoding = "UTF-8", warn = FALSE)
    lines <- sub("^[ \t]*(#'|#+|//|/?[*]+|>)?[ \t]*", "", lines)
    paste(lines, collapse = " ")
}

# Where the patterns stand in a text, with the words around them.
found_in <- function(text, patterns) {
    whole <- paste0("(?i)(?<![[:alpha:]])(?:", paste(patterns, collapse = "|"),
                    ")(?![[:alpha:]])")
    at <- gregexpr(whole, text, perl = TRUE)[[1L]]
    if (at[1L] < 0L) {
        return(character())
    }
    substring(text, at - 25L, at + attr(at, "match.length") + 20L)
}

# All that people write but this file: what has no ending is a script.
written_files <- function() {
    root <- dirname(package_sources("DESCRIPTION"))
    folders <- c("R", "src", "man", "vignettes", "inst", "tests", "tools",
                 "data-raw")
    inside <- list.files(file.path(root, folders),
                         "(^[^.]+|[.](R|c|h|Rd|Rmd|md|html|js|mjs|css))$",
                         full.names = TRUE, recursive = TRUE)
    pages <- file.path(root, c("DESCRIPTION", "README.md", "NEWS.md",
                               "CONTRIBUTING.md", "Makefile", "_pkgdown.yml"))
    files <- c(inside, pages[file.exists(pages)])
    files[!grepl("(test-words|messages)[.]R$|/node_modules/|kernels/build/", files)]
}

test_that("private words are gone from code, help, vignettes and pages", {
    files <- written_files()
    expect_gt(length(files), 500)
    found <- lapply(files, function(file) {
        hits <- found_in(text_of(file), c(names(gone), stumbled))
        sprintf("%s: ...%s...", basename(file), hits)
    })
    expect_identical(unlist(found), character())
})

test_that("words are found whole, in names and across lines, not inside others", {
    file <- tempfile()
    on.exit(unlink(file))
    writeLines(c("#' Samples stand more", "#' than once.", "read_room <- 1",
                 "broom, mushroom; apart from that",
                 "/* as it", " * lies */"), file)
    expect_length(found_in(text_of(file), names(gone)), 3L)
    expect_identical(found_in("a room", "rooms?"), "a room")
})

# Rd2txt() drops the line breaks of an equation, and glues the words around them.
test_that("equations have the form for text in one line", {
    forms <- function(part) {
        tag <- attr(part, "Rd_tag")
        text <- if (identical(tag, "\\deqn") && length(part) == 2L) {
            paste(unlist(part[[2L]]), collapse = "")
        }
        c(text, if (is.list(part)) unlist(lapply(part, forms)))
    }
    man <- list.files(file.path(dirname(package_sources("DESCRIPTION")), "man"),
                      "[.]Rd$", full.names = TRUE)
    found <- unlist(lapply(man, function(file) forms(tools::parse_Rd(file))))
    expect_gt(length(found), 15L)
    expect_identical(grep("\n", trimws(found), fixed = TRUE, value = TRUE),
                     character())
})

# Markdown makes a list of a line that begins with a sign or with "1.", so a formula
# that is broken there is torn apart on the page. Our lists begin with `*`.
list_by_chance <- function(lines) {
    before <- c("", lines[-length(lines)])
    sign <- grepl("^#' *[-+] ", lines)
    one <- grepl("^#' *1[.)] ", lines) & !grepl("^#'$|:$", before)
    which(sign | one)
}

test_that("no line of help is a list by chance", {
    expect_identical(list_by_chance(c("#' the mean |a", "#'   - b| of", "#' from 0 to",
                                      "#' 1. Lower", "#'", "#' 1. First")), c(2L, 4L))
    folder <- file.path(dirname(package_sources("DESCRIPTION")), "R")
    for (file in list.files(folder, "[.]R$", full.names = TRUE)) {
        lines <- readLines(file, encoding = "UTF-8")
        expect_identical(list_by_chance(lines), integer(), label = basename(file))
    }
})

test_that("pages of exported functions say what they return, without tags", {
    root <- dirname(package_sources("DESCRIPTION"))
    exported <- sub("^export\\((.*)\\)$", "\\1", grep(
        "^export\\(", readLines(file.path(root, "NAMESPACE")), value = TRUE
    ))
    man <- list.files(file.path(root, "man"), "[.]Rd$", full.names = TRUE)
    found <- character()
    for (file in man) {
        page <- tools::parse_Rd(file)
        tags <- vapply(page, attr, "", "Rd_tag")
        text <- readLines(file)
        names <- trimws(unlist(page[tags == "\\alias"]))
        found <- c(found, names)
        if (any(names %in% exported)) {
            expect_true("\\value" %in% tags, label = basename(file))
        }
        expect_identical(grep("(^|[^[:alnum:]\\\\])@[a-z]+", text, value = TRUE),
                         character(), label = basename(file))
    }
    expect_identical(setdiff(exported, found), character())
})

# Cells of a table are not wrapped in text help: a wide one is unreadable there.
wide_lines <- function(file) {
    page <- tools::parse_Rd(file)
    code <- vapply(page, attr, "", "Rd_tag") %in% c("\\usage", "\\examples")
    text <- utils::capture.output(tools::Rd2txt(
        structure(page[!code], class = "Rd"),
        options = list(underline_titles = FALSE)))
    text[nchar(text) > 80L]
}

test_that("tables in text help fit 80 columns", {
    planted <- tempfile(fileext = ".Rd")
    on.exit(unlink(planted))
    writeLines(c("\\name{a}", "\\title{a}", "\\description{",
                 paste0("\\tabular{ll}{one \\tab ", strrep("word ", 20), "}}")),
               planted)
    expect_length(wide_lines(planted), 1L)
    man <- list.files(file.path(dirname(package_sources("DESCRIPTION")), "man"),
                      "[.]Rd$", full.names = TRUE)
    has_table <- vapply(man, function(file) {
        any(grepl("\\tabular", readLines(file), fixed = TRUE))
    }, NA)
    for (file in man[has_table]) {
        expect_identical(wide_lines(file), character(), label = basename(file))
    }
})

test_that("pages prepare the arrays alike and name no repository", {
    root <- dirname(package_sources("DESCRIPTION"))
    pages <- c(file.path(root, "README.md"),
               list.files(file.path(root, "vignettes"), "[.]Rmd$",
                          full.names = TRUE))
    expect_gte(length(pages), 6L)
    for (page in pages) {
        text <- text_of(page)
        expect_no_match(text, "install.packages(\"linkrank\")", fixed = TRUE)
        count <- function(words) {
            lengths(regmatches(text, gregexpr(words, text, fixed = TRUE)))
        }
        expect_gte(count("x - apply(x, 1, median)"), count("<- log2(colon$x"),
                   label = basename(page))
    }
})
