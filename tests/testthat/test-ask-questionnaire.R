data_of <- function() random_matrix(14, 4)

labels14 <- rep(c("a", "b", "c", "a", "a", "b", NA), 2)

without_time <- function(q) {
    answers <- answer_table(q)
    answers$time <- NULL
    answers
}

test_that("active_constraints() is the loop over it", {
    for (strategy in c("groups", "perturbation")) {
        q <- answer_all(questionnaire(data_of(), strategy = strategy, n = 6), labels14)
        got <- pairwise_constraints(q)
        want <- active_constraints(data_of(), labels14, n = 6,
                                   strategy = strategy)
        expect_identical(as.data.frame(got), as.data.frame(want))
        expect_identical(got$finished, "n")
        expect_null(next_pair(q))
    }
})

test_that("next_pair() names its samples and changes nothing", {
    q <- questionnaire(data_of(), ask = "pairs")
    pair <- next_pair(q)
    expect_named(pair, rownames(data_of())[pair])
    expect_identical(next_pair(q), pair)
    expect_null(names(next_pair(questionnaire(unname(data_of())))))
})

test_that("undo goes back answer by answer, to the same questions", {
    for (strategy in names(strategies)) {
        set.seed(1)
        states <- list(questionnaire(data_of(), strategy = strategy, ask = "pairs"))
        for (t in 1:7) {
            states[[t + 1]] <- answer_all(states[[t]], labels14, 1)
        }
        q <- states[[8]]
        for (t in 7:1) {
            q <- undo_answer(q)
            expect_identical(next_pair(q), next_pair(states[[t]]))
            expect_identical(answer_table(q), answer_table(states[[t]]))
            expect_identical(q$answers$implied, states[[t]]$answers$implied)
            expect_identical(q$closure, states[[t]]$closure)
        }
        expect_error(undo_answer(q), "none has been given",
                     class = "linkrank_error_argument")
        # forwards again: the same questions, whatever went before
        again <- answer_all(q, labels14, 7)
        if (strategy != "random") {
            expect_identical(without_time(again), without_time(states[[8]]))
        }
    }
})

test_that("an undone answer may be another one the second time", {
    q <- answer_all(questionnaire(data_of(), ask = "pairs"), labels14, 4)
    pair <- next_pair(q)
    q <- answer_pair(undo_answer(answer_pair(q, "must-link")), "cannot-link")
    answers <- answer_table(q)
    expect_identical(nrow(answers), 5L)
    expect_identical(answers$type[5], "cannot-link")
    expect_setequal(c(answers$i[5], answers$j[5]), pair)
})

test_that("a finished questionnaire takes no answer, but undo and changes", {
    q <- answer_all(questionnaire(data_of(), ask = "pairs", n = 3), labels14)
    expect_null(next_pair(q))
    expect_snapshot({
        print(q)
        answer_pair(q, "unsure")
    }, error = TRUE)
    expect_length(next_pair(undo_answer(q)), 2L)
    expect_identical(answer_table(answer_pair(q, "unsure", 2))$type[2],
                     "unsure")
})

# ---- changes -----------------------------------------------------------------

# Three samples, asked in a fixed order: 1-2 different, 2-3 different, 1-3 same.
three_answers <- function() {
    q <- questionnaire(random_matrix(5, 2), ask = "pairs", order = 1:5)
    given <- data.frame(i = c(1L, 2L, 1L), j = c(2L, 3L, 3L),
                        type = c("cannot-link", "cannot-link", "must-link"),
                        time = "2026-01-01T00:00:00Z", source = "person")
    replay(rebuild(q, integer()), given_rows(given, 5L, q$names))
}

test_that("a change that contradicts names the chain and the answers", {
    q <- three_answers()
    expect_snapshot(answer_pair(q, "must-link", number = 1), error = TRUE)
    refused <- tryCatch(answer_pair(q, "must-link", number = 1),
                        error = identity)
    expect_s3_class(refused, "linkrank_error_contradiction")
    expect_identical(refused$numbers, 1:3)
    expect_identical(refused$path, c(3L, 1L, 2L))
    # either of the others may be changed with it
    both <- answer_pair(q, c("must-link", "must-link"), number = 1:2)
    expect_identical(answer_table(both)$type, rep("must-link", 3))
    other <- answer_pair(q, c("must-link", "unsure"), number = c(1, 3))
    expect_identical(answer_table(other)$type,
                     c("must-link", "cannot-link", "unsure"))
    # and the questionnaire itself is as it was
    expect_identical(answer_table(q)$type,
                     c("cannot-link", "cannot-link", "must-link"))
})

test_that("a changed answer is as if it had been given so", {
    for (strategy in c("groups", "perturbation")) {
        q <- answer_all(questionnaire(data_of(), strategy = strategy, ask = "pairs"), labels14, 6)
        number <- max(which(answer_table(q)$type == "cannot-link"))
        changed <- answer_pair(q, "unsure", number = number)
        answers <- answer_table(changed)
        expect_identical(answers$type[-number],
                         answer_table(q)$type[-number])
        again <- questionnaire(data_of(), strategy = strategy, ask = "pairs", answers = answers)
        expect_identical(next_pair(again), next_pair(changed))
        expect_identical(again$implied, changed$implied)
    }
})

# ---- files -------------------------------------------------------------------

test_that("answers come back from their file, and the questions go on", {
    for (strategy in c("groups", "perturbation")) {
        q <- answer_all(questionnaire(data_of(), strategy = strategy, ask = "pairs"), labels14, 5)
        file <- tempfile(fileext = ".csv")
        expect_identical(expect_invisible(write_answers(q, file)), file)
        answers <- read_answers(file)
        expect_identical(answers, answer_table(q))
        expect_identical(lines_of(file, n = 1),
                         paste(log_columns, collapse = ","))
        again <- questionnaire(data_of(), strategy = strategy, ask = "pairs", answers = answers)
        expect_identical(next_pair(again), next_pair(q))
        expect_identical(as.data.frame(pairwise_constraints(again)),
                         as.data.frame(pairwise_constraints(q)))
        expect_identical(read.csv(file)$type, answers$type)
        write_answers(pairwise_constraints(q), file)
        expect_identical(read_answers(file)[-6], answers[-6])
        unlink(file)
    }
})

test_that("random answers are kept, whatever is drawn after them", {
    set.seed(1)
    q <- answer_all(questionnaire(data_of(), strategy = "random"), labels14, 5)
    set.seed(99)
    again <- questionnaire(data_of(), strategy = "random", answers = answer_table(q))
    expect_identical(answer_table(again), answer_table(q))
    expect_false(pair_key(again$pending[1], again$pending[2], 14) %in%
                     pair_key(q$answers$i, q$answers$j, 14))
})

test_that("names with quotes, commas and accents survive the file", {
    x <- random_matrix(5, 2)
    rownames(x) <- c("a,b", "say \"so\"", "caf\u00e9", " blank", "e")
    q <- answer_all(questionnaire(x, ask = "pairs"), c(1, 1, 2, 2, 1), 4)
    file <- tempfile()
    write_answers(q, file)
    expect_identical(read_answers(file), answer_table(q))
    expect_false(is.null(next_pair(questionnaire(
        x, answers = read_answers(file)
    ))))
    unlink(file)
})

test_that("a damaged last line is kept aside, other damage refused", {
    q <- answer_all(questionnaire(data_of(), ask = "pairs"), labels14, 4)
    file <- tempfile()
    write_answers(q, file)
    lines <- lines_of(file)
    whole <- read_answers(file)
    for (length in c(1, 5, 20, nchar(lines[5]) - 10)) {
        cat(c(lines[1:4], ""), file = file, sep = "\n")
        cat(substr(lines[5], 1, length), file = file, append = TRUE)
        expect_warning(got <- read_answers(file), "damaged",
                       class = "linkrank_warning_answers")
        expect_identical(attr(got, "damaged"), substr(lines[5], 1, length))
        attr(got, "damaged") <- NULL
        expect_identical(got, whole[1:3, ])
    }
    # the last line is whole, only its end of line is lacking
    cat(paste(lines, collapse = "\n"), file = file)
    expect_identical(read_answers(file), whole)
    writeLines(c("# a remark", lines[1], "", lines[2:5]), file)
    expect_identical(read_answers(file), whole)
    bad <- file.path(tempdir(), "bad.csv")
    writeLines(c(lines[1:2], "1,2,x", lines[3:5]), bad)
    expect_error(read_answers(bad), "line 3", class = "linkrank_error_answers")
    writeLines("x,y", bad)
    expect_error(read_answers(bad), "must begin with the columns",
                 class = "linkrank_error_answers")
    writeLines(character(), bad)
    expect_error(read_answers(bad), class = "linkrank_error_answers")
    unlink(c(file, bad))
})

test_that("answers of other data are refused by name", {
    q <- answer_all(questionnaire(data_of(), ask = "pairs"), labels14, 3)
    answers <- answer_table(q)
    other <- data_of()
    rownames(other) <- paste0("other", 1:14)
    short <- data_of()[1:5, ]
    expect_refused("answers", questionnaire(other, answers = answers))
    expect_refused("constraints",
                   questionnaire(short, answers = data.frame(
                       i = 1L, j = 9L, name_i = "", name_j = "",
                       type = "unsure", time = "", source = "x")),
                   questionnaire(data_of(), answers = 1:3))
    expect_message(by_place <- questionnaire(unname(data_of()), ask = "pairs",
                                             answers = answers),
                   "matched by position", class = "linkrank_message_answers")
    expect_identical(by_place$answers$i, answers$i)
    expect_error(read_answers(file.path(tempdir(), "nowhere.csv")),
                 "does not exist", class = "linkrank_error_answers")
    expect_refused("argument", write_answers(q, 3), read_answers(NA),
                   write_answers(1, tempfile()))
})

test_that("answers that contradict each other are refused with the chain", {
    answers <- answer_table(three_answers())
    answers$type <- c("must-link", "cannot-link", "must-link")
    expect_error(questionnaire(random_matrix(5, 2), answers = answers),
                 "s3-s1-s2 is a chain of must-links; reconcile_answers()",
                 fixed = TRUE,
                 class = "linkrank_error_contradiction")
})

# ---- hints and arguments -----------------------------------------------------

test_that("a hint says when the ranking has stopped changing", {
    set.seed(1)
    x <- matrix(rnorm(40 * 30), 40)
    y <- rep(1:2, 20)
    x[y == 1, 1:10] <- x[y == 1, 1:10] + 4
    q <- questionnaire(x, ask = "pairs", hint = TRUE)
    q <- answer_all(q, y, 35)
    expect_length(q$stability, 35L)
    expect_match(capture.output(print(q)), "The ranking has settled. Rare groups",
                 all = FALSE)
    expect_no_match(capture.output(print(questionnaire(x))), "settled")
})

test_that("answers and arguments out of range are refused", {
    q <- questionnaire(data_of(), ask = "pairs")
    given <- answer_pair(q, "unsure")
    expect_refused("argument",
                   answer_pair(q, "maybe"), answer_pair(q, 1),
                   answer_pair(q, TRUE, confidence = 2),
                   answer_pair(q, TRUE, confidence = "much"),
                   answer_pair(q, c("unsure", "unsure")),
                   answer_pair(q, "unsure", number = 1),
                   answer_pair(given, "unsure", number = 2),
                   answer_pair(given, "unsure", number = c(1, 1)),
                   answer_pair(q, "unsure", source = "a,b"),
                   answer_pair(1, "unsure"), next_pair(NULL), undo_answer(3),
                   questionnaire(data_of(), strategy = "grops"),
                   questionnaire(data_of(), hints = TRUE))
    expect_identical(answer_pair(q, NA)$answers$type, "unsure")
})

test_that("what was in view is kept, and features make the origin", {
    x <- data_of()
    q <- questionnaire(x, strategy = "random")
    expect_null(answer_table(answer_pair(q, TRUE))$shown)
    q <- answer_pair(q, "must-link", shown = c("picture", "names"))
    expect_identical(pairwise_constraints(q)$origin, "given")
    q <- answer_pair(q, NA, shown = "ranking+names")
    # what is unsure makes no pair
    expect_identical(pairwise_constraints(q)$origin, "given")
    q <- answer_pair(q, "cannot-link", shown = c("map", "names"))
    q <- answer_pair(q, "unsure")
    shown <- c("names+picture", "names+ranking", "names+map", NA)
    links <- pairwise_constraints(q)
    expect_identical(links$questions$shown, shown)
    expect_identical(links$origin, "features in view")
    file <- tempfile(fileext = ".csv")
    on.exit(unlink(file))
    for (answers in list(q, links)) {
        unlink(file)
        write_answers(answers, file)
        said <- read_answers(file)
        expect_identical(said$shown, shown)
        expect_identical(said, answer_table(q))
    }
    again <- questionnaire(x, strategy = "random", answers = said)
    expect_identical(answer_table(again), answer_table(q))
    # a table where only `shown` tells
    plain <- said[names(said) != "origin"]
    for (got in list(
        pairwise_constraints(questionnaire(x, strategy = "random",
                                           answers = plain)),
        reconcile_answers(list(plain, said)),
        pairwise_constraints(plain, samples = rownames(x))
    )) {
        expect_identical(got$origin, "features in view")
    }
    # who changes an answer knows what was in view before
    changed <- answer_pair(q, "must-link", 1, shown = "features")
    expect_identical(answer_table(changed)$shown[1], "names+picture+features")
    expect_identical(answer_table(answer_pair(q, "must-link", 3))$shown[3],
                     "names+map")
    expect_refused("argument", answer_pair(q, TRUE, shown = "feature"),
                   answer_pair(q, TRUE, shown = 1))
})

test_that("a value without a name is named, with the argument it may be for", {
    expect_error(questionnaire(data_of(), "random"), "\"random\".*`strategy`",
                 class = "linkrank_error_argument")
})
