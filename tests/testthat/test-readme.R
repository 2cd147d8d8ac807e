# The first example of README.md, and the data of the second.

test_that("the first example of README.md runs and prints what stands there", {
    lines <- readLines(package_sources("README.md"), encoding = "UTF-8")
    fences <- grep("^```", lines)
    code <- lines[seq(fences[1L] + 1L, fences[2L] - 1L)]
    shown <- lines[seq(fences[3L] + 1L, fences[4L] - 1L)]
    expect_identical(lines[fences[c(1L, 3L)]], c("```r", "```text"))
    expect_match(code[2L], "wine", fixed = TRUE)
    printed <- capture.output(eval(parse(text = code), new.env()))
    expect_identical(printed, shown)
})

test_that("the example of cells says what it needs", {
    script <- parse(system.file("examples", "pbmc.R", package = "linkrank"))
    expect_error(eval(script, list2env(list(requireNamespace = function(...) FALSE))),
                 "needs the package SingleCellExperiment")
})
