test_that("functions and labels answer alike, NA is unsure", {
    x <- random_matrix(12, 3)
    y <- c("a", "b", NA, "a", "b", "a", "b", "b", "a", "a", NA, "b")
    asked <- integer()
    oracle <- function(i, j) {
        expect_type(c(i, j), "integer")
        asked <<- c(asked, i, j)
        if (is.na(y[i]) || is.na(y[j])) NA else
            if (y[i] == y[j]) "must-link" else "cannot-link"
    }
    one <- active_constraints(x, oracle, n = 10)
    other <- active_constraints(x, factor(y), n = 10, ask = "pairs")
    columns <- c("i", "j", "type", "implied")
    expect_identical(one$questions[columns], other$questions[columns])
    expect_true("unsure" %in% one$questions$type)
    expect_identical(asked, as.vector(rbind(one$questions$i,
                                            one$questions$j)))
    expect_identical(unique(other$questions$source), "labels")
})

test_that("an oracle that fails later leaves its answers, at first an error", {
    x <- random_matrix(12, 3)
    count <- 0
    oracle <- function(i, j) {
        count <<- count + 1
        if (count > 3) stop("the line is dead")
        "cannot-link"
    }
    expect_warning(got <- active_constraints(x, oracle, n = 10),
                   "question 4, so the 3 answers so far are returned: the line",
                   class = "linkrank_warning_oracle")
    expect_length(got, 3L)
    expect_error(active_constraints(x, function(i, j) stop("no line"), n = 2),
                 "`oracle` stopped with the message: no line.",
                 class = "linkrank_error_argument")
    count <- 0
    odd <- function(i, j) {
        count <<- count + 1
        if (count > 2) "maybe" else "unsure"
    }
    expect_warning(got <- active_constraints(x, odd, n = 10), "\"maybe\"",
                   class = "linkrank_warning_oracle")
    expect_identical(nrow(got$questions), 2L)
    expect_refused("argument",
                   active_constraints(x, function(i, j) "yes", n = 2),
                   active_constraints(x, function(i, j) 1, n = 2),
                   active_constraints(x, function(i, j) NULL, n = 2))
})

test_that("an oracle is a column, too, and a function of two samples", {
    x <- random_matrix(16, 5)
    kind <- rep(c("a", "b"), 8)
    expect_error(active_constraints(x, function(i) TRUE, n = 2),
                 "function of two samples, not of 1",
                 class = "linkrank_error_argument")
    skip_if_not_installed("SummarizedExperiment")
    se <- SummarizedExperiment::SummarizedExperiment(
        list(logcounts = t(x)), colData = data.frame(kind = kind)
    )
    timeless <- function(links) {
        links$questions$time <- NULL
        links
    }
    expect_identical(timeless(active_constraints(se, "kind", n = 4)),
                     timeless(active_constraints(se, kind, n = 4)))
    expect_error(active_constraints(se, "kinds", n = 4), "kind",
                 class = "linkrank_error_argument")
})

test_that("an oracle answers in any of the words", {
    x <- random_matrix(12, 4)
    answers <- list(TRUE, "different", FALSE, "same", "unsure", NA,
                    "must-link", "cannot-link")
    count <- 0
    got <- active_constraints(x, function(i, j) {
        count <<- count + 1
        answers[[count]]
    }, n = 6)
    expect_identical(got$questions$type[!got$questions$implied],
                     c("must-link", "cannot-link", "cannot-link", "must-link",
                       "unsure", "unsure"))
})

test_that("the dialogue as a person sees it", {
    x <- random_matrix(10, 6)
    expect_snapshot(cat(
        dialogue(x, c("y", "x", "", "N", "z", "?", "l", "", "q"))$shown,
        sep = "\n"
    ))
})

test_that("changing an answer, with a contradiction on the way", {
    x <- random_matrix(8, 3)
    # samples in the order of the question, whatever it is
    keys <- c("n", "n", "y", "l", "9", "x", "1", "z", "y", "", "q")
    expect_snapshot(cat(dialogue(x, keys)$shown, sep = "\n"))
    done <- dialogue(x, c("n", "n", "y", "l", "1", "y", "2", "y", "q"))
    expect_identical(sum(done$result$questions$type[1:3] == "must-link"), 3L)
})

test_that("keys before any answer, and the end of the input", {
    x <- random_matrix(8, 3)
    done <- dialogue(x, c("undo", "list"))
    expect_identical(sum(done$shown == "There is no answer yet."), 2L)
    expect_length(done$result, 0L)
})

test_that("every answer is in the file before the next question", {
    x <- random_matrix(12, 4)
    file <- tempfile(fileext = ".csv")
    counts <- integer()
    describe <- function(i, j) {
        counts <<- c(counts, nrow(read_answers(file)))
        paste("samples", i, "and", j)
    }
    first <- dialogue(x, c("yes", "NO", "different", "z", "same", "quit"),
                      file = file,
                      describe = describe)
    expect_identical(counts, c(0L, 1L, 2L, 3L, 2L, 3L))
    expect_true(any(grepl("^samples [0-9]+ and [0-9]+$", first$shown)))
    expect_identical(read_answers(file)[1:5],
                     first$result$questions[1:3, c("i", "j", "name_i",
                                                   "name_j", "type")])
    # the same call goes on: with nothing typed, nothing new is there
    second <- dialogue(x, character(), file = file)
    expect_identical(second$result$questions$i, first$result$questions$i)
    expect_match(second$shown[1], "Continuing after 3 answers")
    expect_match(second$shown[2], "^Question 4 of 20")
    unlink(file)
})

test_that("a description that fails loses nothing", {
    x <- random_matrix(12, 4)
    file <- tempfile(fileext = ".csv")
    shown <- 0
    describe <- function(i, j) {
        shown <<- shown + 1
        if (shown == 3) stop("no picture")
    }
    expect_warning(done <- dialogue(x, rep("n", 9), file = file,
                                    describe = describe), "no picture")
    expect_length(done$result, 2L)
    expect_identical(nrow(read_answers(file)), 2L)
    unlink(file)
})

test_that("R killed in the middle: no answer is lost and none asked twice", {
    skip_on_cran()
    skip_on_os("windows")
    file <- tempfile(fileext = ".csv")
    keys <- c("y", "n", "n", "y", "u", "n", "y", "n")
    script <- tempfile(fileext = ".R")
    seen <- tempfile()
    writeLines(c(
        "library(linkrank)",
        sprintf("seen <- %s; file <- %s", deparse(seen), deparse(file)),
        "describe <- function(i, j) {",
        "    cat(i, j, '\\n', file = seen, append = TRUE)",
        "    if (length(readLines(seen)) == 5) tools::pskill(Sys.getpid(), 9)",
        "}",
        sprintf("keys <- textConnection(%s)", deparse(keys)),
        "x <- log2(colon$x)",
        "active_constraints(x, console_oracle(describe, file, keys),",
        "                   n = 8, ask = 'pairs')"
    ), script)
    # by way of a shell, whose word on the killed process is not wanted
    libraries <- paste(.libPaths(), collapse = .Platform$path.sep)
    system2("sh", c("-c", shQuote(paste(
        shQuote(file.path(R.home("bin"), "Rscript")), "--no-init-file",
        shQuote(script)
    ))), stdout = FALSE, stderr = FALSE,
    env = paste0("R_LIBS=", shQuote(libraries)))
    answers <- read_answers(file)
    expect_identical(answers$type, c("must-link", "cannot-link",
                                     "cannot-link", "must-link"))
    before <- utils::read.table(seen)
    expect_identical(nrow(before), 5L)
    after <- NULL
    describe <- function(i, j) {
        after <<- rbind(after, c(i, j))
        invisible()
    }
    done <- dialogue(log2(colon$x), keys[5:8], n = 8, file = file,
                     describe = describe)
    # the question on the screen comes again, the answered ones do not
    expect_identical(after[1, ], as.integer(before[5, ]))
    expect_identical(nrow(after), 4L)
    # as if nothing had happened
    whole <- dialogue(log2(colon$x), keys, n = 8)
    columns <- c("i", "j", "type")
    expect_identical(done$result$questions[columns],
                     whole$result$questions[columns])
    expect_identical(read_answers(file)$type, whole$result$questions$type)
    unlink(c(file, script, seen))
})

test_that("a damaged last line stays in the file, and is left out", {
    x <- random_matrix(12, 4)
    file <- tempfile(fileext = ".csv")
    dialogue(x, c("y", "n", "q"), file = file)
    cat("5,6,\"s5\",\"s", file = file, append = TRUE)
    expect_warning(done <- dialogue(x, c("n", "q"), file = file), "damaged")
    expect_identical(done$result$questions$type,
                     c("must-link", "cannot-link", "cannot-link"))
    expect_true("5,6,\"s5\",\"s\",#cut" %in% readLines(file))
    expect_warning(got <- read_answers(file), "damaged")
    expect_identical(nrow(got), 3L)
    unlink(file)
})

test_that("the file of other samples is refused by name and not touched", {
    x <- random_matrix(12, 4)
    file <- tempfile(fileext = ".csv")
    dialogue(x, c("y", "q"), file = file)
    before <- readLines(file)
    rownames(x) <- paste0("t", 1:12)
    expect_error(dialogue(x, "y", file = file), "belong to other data",
                 class = "linkrank_error_answers")
    expect_identical(readLines(file), before)
    unlink(file)
})

test_that("columns about the samples are shown only when they are named", {
    skip_if_not_installed("SummarizedExperiment")
    se <- experiment_of(random_matrix(8, 4))
    SummarizedExperiment::colData(se)$tissue <- rep(c("colon", "liver"), 4)
    SummarizedExperiment::colData(se)$batch <- 1:8 + 0
    shown <- dialogue(se, c("n", "q"))$shown
    expect_false(any(grepl("colon|liver", shown)))
    # run lengths, long numbers and tables too
    columns <- S4Vectors::DataFrame(run = S4Vectors::Rle(rep(c("u", "v"), 4)),
                                    id = 1e5 * 1:8, half = 1:8 + 1 / 3)
    columns$pair <- S4Vectors::DataFrame(a = letters[1:8], b = 8:1)
    expect_identical(
        unname(sample_facts(list(sample_data = columns), 3L, names(columns))),
        c("u", "300000", "3.333", "c, 6"))
    shown <- dialogue(se, c("n", "q"), show = c("tissue", "batch"))$shown
    expect_match(shown[2], "\\((colon|liver), batch [1-8]\\)   and   s")
    expect_refused("argument",
                   dialogue(se, "y", show = "tisue"),
                   dialogue(random_matrix(8, 4), "y", show = "tissue"),
                   dialogue(se, "y", show = 3))
    # the last part would end at 80, but a comma follows the one before
    for (sizes in list(c(30, 30, 30), c(37, 38, 10))) {
        long <- fold_line(strrep("x", sizes), "   ", ", ")
        expect_lte(max(nchar(long)), 80L)
        expect_length(long, 2L)
    }
})

test_that("quitting shows where the answers are", {
    file <- tempfile(fileext = ".csv")
    shown <- dialogue(random_matrix(8, 3), c("y", "n", "q"), file = file)$shown
    shown <- gsub("\\s+", " ", paste(shown, collapse = " "))
    expect_true(endsWith(shown, paste0(
        "> q 2 answers in ", file, ": the same call goes on from there."
    )))
    unlink(file)
})

test_that("an interrupt keeps the answers and says how to go on", {
    file <- tempfile(fileext = ".csv")
    interrupted <- function(i, j) {
        if (nrow(read_answers(file)) == 2) {
            condition <- structure(class = c("interrupt", "condition"),
                                    list(message = "", call = NULL))
            signalCondition(condition)
        }
    }
    expect_warning(
        got <- dialogue(random_matrix(8, 3), rep("n", 5), file = file,
                        describe = interrupted)$result,
        paste0("Interrupted at question 3: the 2 answers so far are returned; ",
               "they are in \"", file, "\", and the same call goes on"),
        fixed = TRUE, class = "linkrank_warning_oracle"
    )
    expect_identical(nrow(got$questions), 2L)
    unlink(file)
})

test_that("a console oracle needs something to ask", {
    x <- random_matrix(8, 3)
    expect_refused("argument",
                   active_constraints(x, console_oracle(), n = 2),
                   console_oracle(describe = "x"), console_oracle(file = 3),
                   console_oracle(input = "keys"), console_oracle(hint = NA))
})

test_that("the dialogue notes what it shows, functions and labels nothing", {
    x <- random_matrix(8, 4)
    asked <- dialogue(x, c("y", "u", "q"))$result
    expect_identical(asked$questions$shown, rep("names+features", 2))
    expect_identical(asked$origin, "features in view")
    blind <- dialogue(x, c("y", "q"), describe = function(i, j) "two")$result
    expect_identical(blind$questions$shown, "description")
    expect_identical(blind$origin, "questions")
    both <- dialogue(prepare_data(data.frame(x, kind = 1:8)), c("y", "q"))
    expect_identical(both$result$questions$shown, "names+features")
    expect_null(active_constraints(x, rep(1:2, 4), n = 3)$questions$shown)
})
