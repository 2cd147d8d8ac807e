# The printed numbers of the papers, and what became of them. They are of the
# sources: only what became of them is installed.
read_printed <- function() {
    utils::read.csv(package_sources("inst/reproduction/published.csv"),
                    colClasses = "character")
}

test_that("the printed numbers are numbers with an expectation", {
    printed <- read_printed()
    expect_gt(nrow(printed), 700)
    expect_false(anyNA(suppressWarnings(as.numeric(printed$published))))
    expect_false(anyDuplicated(
        printed[c("paper", "table", "data", "method", "metric")]) > 0)
    expect_setequal(printed$expected,
                    c("agree", "differ", "time", "no data", "not run"))
    # whoever expects a row to differ, or does not run it, says why
    expect_true(all(nzchar(printed$reason) | printed$expected == "agree"))
})

test_that("the results that ship are those of the printed numbers", {
    printed <- read_printed()
    file <- system.file("extdata", "reproduction.csv.gz", package = "linkrank")
    rows <- utils::read.csv(gzfile(file), colClasses = "character")
    same <- c("paper", "table", "data", "method", "metric", "published",
              "expected")
    expect_identical(rows[same], printed[same])
    ran <- nzchar(rows$ours)
    expect_identical(ran, rows$ours_runs != "0")
    expect_true(all(rows$verdict[!ran] %in% c("no data", "not run")))
    expect_true(all(rows$verdict[ran] %in%
                        c("exact", "within 2 se", "close", "differs", "time")))
})
