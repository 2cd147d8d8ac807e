# The examples of README.md print what stands there, and its results are those of the
# table that ships.

shown_blocks <- function(lines) {
    fences <- grep("^```", lines)
    first <- fences[c(TRUE, FALSE)]
    last <- fences[c(FALSE, TRUE)]
    text <- which(lines[first] == "```text")
    inside <- function(i) lines[seq(first[i] + 1L, last[i] - 1L)]
    lapply(text, function(i) list(code = inside(i - 1L), shown = inside(i)))
}

test_that("the examples of README.md run and print what stands there", {
    lines <- readLines(package_sources("README.md"), encoding = "UTF-8")
    blocks <- shown_blocks(lines)
    expect_length(blocks, 2L)
    if (!requireNamespace("SingleCellExperiment", quietly = TRUE)) blocks <- blocks[1L]
    pdf(NULL)
    on.exit(dev.off())
    for (block in blocks) {
        code <- sub("^source\\(", "source(local = TRUE, ", block$code)
        at <- new.env(parent = globalenv())
        printed <- capture.output(source(exprs = parse(text = code), local = at,
                                         print.eval = TRUE))
        expect_identical(printed, block$shown)
    }
})

test_that("README.md has the figures of the table that ships", {
    script <- parse(package_sources("data-raw/readme.R"), keep.source = FALSE)
    of_table <- Filter(function(part) {
        is.call(part) && identical(part[[2L]], quote(figures))
    }, as.list(script))
    at <- new.env()
    eval(of_table[[1L]], at)
    lines <- readLines(package_sources("README.md"), encoding = "UTF-8")
    old <- setwd(dirname(package_sources("README.md")))
    on.exit(setwd(old))
    marks <- c(grep("^<!-- figures", lines), grep("^<!-- end of figures", lines))
    expect_identical(lines[seq(marks[1L] + 2L, marks[2L] - 2L)], at$figures())
})

test_that("the example of cells says what it needs", {
    script <- parse(system.file("examples", "pbmc.R", package = "linkrank"))
    expect_error(eval(script, list2env(list(requireNamespace = function(...) FALSE))),
                 "needs the package SingleCellExperiment")
})
