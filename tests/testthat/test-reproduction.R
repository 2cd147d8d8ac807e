# The printed numbers of the papers, and what became of them. They are of the
# sources: only what became of them is installed.
read_printed <- function() {
    utils::read.csv(package_sources("inst/reproduction/published.csv"),
                    colClasses = "character")
}

judge <- function(file = "judge.R") {
    functions <- new.env()
    sys.source(package_sources(file.path("inst/reproduction", file)), functions)
    functions
}

test_that("the printed numbers are numbers with an expectation", {
    printed <- read_printed()
    expect_gt(nrow(printed), 700)
    expect_false(anyNA(suppressWarnings(as.numeric(printed$published))))
    expect_false(anyDuplicated(
        printed[c("paper", "table", "data", "method", "metric")]) > 0)
    expect_setequal(printed$expected,
                    c("agree", "may differ", "time", "no data", "not run"))
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
                        c("exact", "within 2 se", "close", "differs",
                          "too few runs", "time")))
    expect_true(all(nzchar(rows$title)))
    # and so have causes and the sentences about all rows
    rows$difference <- as.numeric(rows$difference)
    expect_identical(
        judge()$answers(rows),
        readLines(system.file("extdata", "reproduction.txt",
                              package = "linkrank")))
    explained <- c("cause", "between", "nearest")
    expect_identical(judge()$explain_rows(rows)[explained], rows[explained])
})

test_that("the reading of all rows is the nearest on most", {
    file <- system.file("extdata", "reproduction.csv.gz", package = "linkrank")
    rows <- utils::read.csv(gzfile(file), colClasses = "character")
    salmi <- judge("salmi.R")
    nearest <- table(unlist(strsplit(rows$nearest, ", ")))
    expect_setequal(names(nearest), names(salmi$salmi_readings))
    expect_identical(names(which.max(nearest)), salmi$salmi_reading)
})

# The protocols of one paper, with their common parts.
protocol_of <- function(paper) {
    home <- new.env(parent = environment(relieff_sc))
    for (file in c("protocol.R", paste0(paper, ".R"))) {
        sys.source(package_sources(file.path("inst/reproduction", file)), home)
    }
    home
}

# Percent right of the first nearest row, one test sample at a time.
right_of_first <- function(x, y, train, test, features) {
    right <- vapply(test, function(i) {
        away <- vapply(train, function(j) {
            sum((x[i, features] - x[j, features])^2)
        }, 0)
        y[train[which.min(away)]] == y[i]
    }, NA)
    100 * mean(right)
}

test_that("of equally near samples the first or the first class wins", {
    set.seed(1)
    x <- matrix(sample(0:2, 120, TRUE), 20, dimnames = list(NULL, letters[1:6]))
    y <- factor(sample(c("1", "2", "3"), 20, TRUE), c("3", "1", "2"))
    orders <- list(one = letters[1:6], other = letters[c(5, 2, 6, 1, 4, 3)])
    ranked <- lapply(orders, function(names) {
        as_feature_ranking(stats::setNames(6:1, names))
    })
    rows <- c(3, 1, 7, 12, 9, 4)
    test <- setdiff(1:20, rows)
    slow <- function(train, most) {
        t(vapply(orders, function(names) {
            vapply(seq_len(most), function(m) {
                right_of_first(x, y, train, test, names[seq_len(m)])
            }, 0)
        }, numeric(most)))
    }
    salmi <- protocol_of("salmi")
    found <- salmi$curves_of_first(ranked, x, y,
                                   list(train = rows, test = test))
    expect_identical(colnames(found), as.character(1:6))
    expect_equal(unname(found), unname(slow(rows, 6)))
    # Salmi's Table 3: classes by name, and without m = 1
    by_class <- rows[order(as.character(y[rows]))]
    expect_false(isTRUE(all.equal(slow(by_class, 5), slow(rows, 5))))
    data <- list(x = x, y = y, split = list(test = test))
    expect_equal(salmi$salmi_mean(ranked, data, rows, 5),
                 rowMeans(slow(by_class, 5)[, -1]))
    # the error of a row is that of its mean, also for the printed one
    row <- salmi$with_own_error(list(values = c(1, 2, 3, 6)))
    expect_equal(row$error, stats::sd(c(1, 2, 3, 6)) / c(2, 10))
    expect_identical(row$runs, 4L)
})

test_that("classes that are named by many numbers are classes", {
    set.seed(2)
    d <- list(x = matrix(rnorm(480), 160, dimnames = list(NULL, letters[1:3])),
              y = factor(rep(1:40, each = 4)), split = list(train = 1:160))
    rows <- which(rep(c(TRUE, TRUE, FALSE, FALSE), 40))
    salmi <- protocol_of("salmi")
    found <- salmi$salmi_quality(d, rows)
    levels(d$y) <- paste0("person", 1:40)
    expect_identical(found, salmi$salmi_quality(d, rows))
    expect_true(all(is.finite(unlist(found))))
})

test_that("Zhang's samples come in the order of the authors' files", {
    zhang <- protocol_of("zhang")
    stars <- strsplit(zhang$sonar_stars, "")[[1]] == "1"
    # 97 rocks come first; 55 of them and 49 of 111 mines train
    expect_identical(c(length(stars), sum(stars[1:97]), sum(stars[-(1:97)])),
                     c(208L, 55L, 49L))
    zhang$read_set <- function(name) {
        y <- switch(name, Sonar = rep(c("R", "M"), c(97, 111)),
                    Ionosphere = rep(c("b", "g"), 4), Wine = rep(1:3, each = 4),
                    other = rep(c("b", "a"), 4))
        list(x = cbind(row = seq_along(y), same = 0),
             y = factor(y, unique(y)))
    }
    of <- function(name) zhang$zhang_data(name)
    expect_equal(of("Sonar")$x[, "row"], c(which(stars), which(!stars)))
    expect_equal(of("Ionosphere")$x[, "row"], c(2, 4, 6, 8, 1, 3, 5, 7))
    expect_identical(as.character(of("Wine")$y),
                     rep(c("2", "1", "3"), each = 4))
    expect_equal(of("other")$x[, "row"], 1:8)
    # each class trains with its first half
    expect_equal(unname(of("Wine")$split$train), c(1, 2, 5, 6, 9, 10))
    expect_identical(as.character(of("Wine")$classes),
                     rep(c("2", "1", "3"), each = 2))
})

test_that("a tied vote of neighbours has no label, nor has an empty cluster", {
    known <- factor(c("b", "m", NA, "b", NA, "m", "b", NA, NA),
                    levels = c("b", "m", "z"))
    cluster <- c(1, 1, 1, 2, 2, 2, 2, 3, NA)
    for (levels in list(c("b", "m", "z"), c("z", "m", "b"))) {
        label <- judge("salmi.R")$salmi_vote(cluster, factor(known, levels))
        expect_identical(label, c(NA, NA, NA, "b", "b", "b", "b", NA, NA))
    }
})

test_that("a row says its cause, and whose reading is nearest", {
    rows <- data.frame(
        reason = c("", "cause not known; our SVM and trees are not Weka's",
                   "k is not printed"),
        readings = c("", "first one 4, second 8, third 6.5", "first one 4.5"),
        published = c("1", "6", "5"), difference = c(NA, 3.5, 1),
        verdict = c("exact", "differs", "within 2 se"),
        expected_first = c("agree", "agree", "may differ"))
    rows <- judge()$explain_rows(rows)
    expect_identical(rows$cause, c("", "cause not known",
                                   "another setting is not printed"))
    expect_identical(rows$between, c("", "yes", "no"))
    expect_identical(rows$nearest, c("", "third", "first one"))
    said <- judge()$answers(rows)
    expect_match(said[1], "Of 3 printed .* 2 are reproduced .* 0 are close and")
    expect_match(said[1], "1 differ: 1 cause not known.", fixed = TRUE)
    expect_match(said[2], "the 2 rows .* 1 printed numbers .* first one on 1")
    expect_match(said[3], "Of the 1 rows .* 100 % are more")
    # a printed number that no reading reaches is not explained by them
    rows$reason[2:3] <- "the graph that labels the training part is not printed"
    rows$verdict[3] <- "differs"
    open <- judge()$explain_rows(rows)
    expect_identical(open$cause[2:3], c(judge()$clustering, judge()$beyond))
    expect_match(judge()$answers(open)[2], fixed = TRUE, paste(
        "Of the 2 that differ, it can explain the 1 that do; the other 1 lie outside of",
        "all four. Nearest"))
    rows$reason[3] <- "351 samples are printed, the file has 452; our SVM is not Weka's"
    open <- judge()$explain_rows(rows)
    expect_identical(open$cause[3], "other samples than printed")
    expect_match(judge()$answers(open)[2], "the other 1 lie outside of all four (1 of",
                 fixed = TRUE)
})

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
    verdict <- function(own_spread, printed, runs = 5) {
        judge()$verdict_of(
            list(expected = "agree", published = "50", published_sd = printed,
                 runs = "100", digits = 0),
            list(ours = 40, difference = -4, ours_runs = runs,
                 se = own_spread / sqrt(runs)))
    }
    # qt(pnorm(2:3), 4) is 2.9 and 6.6
    expect_identical(verdict(6, "5"), "close")
    expect_identical(verdict(6, ""), "close")
    expect_identical(verdict(4, "5"), "differs")
    # qt(pnorm(2), 2) is 4.5: of three runs, 4 errors would be within 2 se
    for (runs in 2:4) {
        expect_identical(verdict(6, "", runs), "too few runs")
        expect_identical(verdict(4, "5", runs), "too few runs")
    }
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
    for (file in c("judge.R", "jobs.R", "report.R")) {
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
