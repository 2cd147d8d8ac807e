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
    expect_true(all(printed$expected_first %in% printed$expected))
    # whoever expects a row to differ, or does not run it, says why; so does
    # whoever changes an expectation
    expect_true(all(nzchar(printed$reason) | printed$expected == "agree"))
    expect_true(all(nzchar(printed$changed) |
                        printed$expected == printed$expected_first))
    titles <- utils::read.csv(package_sources("inst/reproduction/tables.csv"),
                              colClasses = "character")
    expect_setequal(paste(printed$paper, printed$table),
                    paste(titles$paper, titles$table))
})

test_that("the results that ship are those of the printed numbers", {
    printed <- read_printed()
    file <- system.file("extdata", "reproduction.csv.gz", package = "linkrank")
    rows <- utils::read.csv(gzfile(file), colClasses = "character")
    # reasons and expectations have one source
    expect_identical(rows[names(printed)], printed)
    ran <- nzchar(rows$ours)
    expect_identical(ran, rows$ours_runs != "0")
    expect_true(all(rows$verdict[!ran] %in% c("no data", "not run")))
    expect_true(all(rows$verdict[ran] %in%
                        c("exact", "within 2 se", "close", "differs", "time")))
    expect_true(all(nzchar(rows$title)))
})

judge <- function() {
    functions <- new.env()
    sys.source(package_sources("inst/reproduction/judge.R"), functions)
    functions
}

test_that("rounding does not hide a difference of many errors", {
    verdict <- function(ours, difference, runs = 100) {
        judge()$verdict_of(
            list(expected = "agree", published = "6", digits = 0),
            list(ours = ours, difference = difference, ours_runs = runs))
    }
    expect_identical(verdict(6.65, 4.3), "differs")
    expect_identical(verdict(6.2, 1.5), "exact")
    expect_identical(verdict(6.2, 2.5), "close")
    expect_identical(verdict(7.2, 1.5), "within 2 se")
    # without an error: the printed number, or not
    expect_identical(verdict(6.4, NA, 1), "exact")
    expect_identical(verdict(7.1, NA, 1), "differs")
    expect_identical(verdict(NA, NA, 0), "not run")
})

test_that("few runs have wider limits, unless the spread is the printed one", {
    verdict <- function(own_spread, printed) {
        judge()$verdict_of(
            list(expected = "agree", published = "50", published_sd = printed,
                 runs = "100", digits = 0),
            list(ours = 40, difference = -4, ours_runs = 4,
                 se = own_spread / sqrt(4)))
    }
    # qt(pnorm(2:3), 3) is 3.3 and 9.2
    expect_identical(verdict(6, "5"), "close")
    expect_identical(verdict(6, ""), "close")
    expect_identical(verdict(4, "5"), "differs")
})

test_that("an error that a job knows is taken", {
    row <- list(published = "10", published_sd = "", published_d = "",
                runs = "100")
    ours <- judge()$measure(row, list(values = 13, runs = 40,
                                      error = c(3, 4)))
    expect_identical(ours$ours_runs, 40)
    expect_equal(ours$se, 3)
    expect_equal(ours$difference, 3 / 5)
    sure <- judge()$measure(row, list(values = 10, runs = 40, error = c(0, 0)))
    expect_true(is.na(sure$difference))
})

test_that("a full disk leaves what was kept, and no half report", {
    folder <- package_sources("inst/reproduction")
    scripts <- new.env(parent = environment(relieff_sc))
    for (file in c("jobs.R", "report.R")) {
        sys.source(file.path(folder, file), scripts)
    }
    disk <- small_disk("48k")
    cache <- list(place = disk)
    job <- list(paper = "a", name = "b", key = "c")
    scripts$keep_runs(as.list(1:3), job, cache)
    expect_identical(scripts$kept_runs(job, cache), as.list(1:3))
    kept <- dir(disk)
    expect_error(scripts$keep_runs(as.list(runif(1e4)), job, cache), disk,
                 fixed = TRUE, class = "linkrank_error_disk")
    expect_identical(scripts$kept_runs(job, cache), as.list(1:3))
    expect_identical(dir(disk), kept)

    rows <- utils::read.csv(system.file("extdata", "reproduction.csv.gz",
                                        package = "linkrank"))
    rows <- rows[rows$paper == "zhang", ]
    rows[is.na(rows) & vapply(rows, is.logical, NA)[col(rows)]] <- ""
    report <- function(folder) {
        utils::capture.output(scripts$write_report(rows, folder, "quick"))
    }
    whole <- tempfile("report")
    report(whole)
    sizes <- file.size(list.files(whole, full.names = TRUE, recursive = TRUE))
    expect_length(sizes, 4L)
    # space for a part of the files only
    folder <- file.path(disk, "report")
    expect_gt(sum(sizes), 48 * 1024)
    refused <- tryCatch(report(folder), error = identity)
    expect_s3_class(refused, "linkrank_error_disk")
    expect_match(conditionMessage(refused), disk, fixed = TRUE)
    left <- list.files(folder, recursive = TRUE)
    expect_lt(length(left), 4L)
    expect_identical(unname(tools::md5sum(file.path(folder, left))),
                     unname(tools::md5sum(file.path(whole, left))))
    unlink(whole, recursive = TRUE)
})

test_that("the protocols name nothing that does not exist", {
    folder <- package_sources("inst/reproduction")
    # run.R and ship.R are commands: they run when they are read
    files <- c("protocol.R", setdiff(list.files(folder, "[.]R$"),
                                     c("protocol.R", "run.R", "ship.R")))
    home <- new.env(parent = environment(relieff_sc))
    for (file in files) sys.source(file.path(folder, file), home)
    functions <- Filter(is.function, mget(ls(home), home))
    absent <- lapply(functions, function(made) {
        Filter(function(name) !exists(name, environment(made)),
               codetools::findGlobals(made))
    })
    expect_gt(length(functions), 100)
    expect_identical(as.character(unlist(absent)), character())
})
