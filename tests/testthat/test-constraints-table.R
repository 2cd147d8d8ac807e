names <- c("p001", "p002", "p003", "p004", "p005")

listed <- function(kind) {
    data.frame(first = c("p001", "p004", "p002"),
               second = c("p002", "p003", "p005"), relation = kind)
}

test_that("a table of both kinds is read, whatever it calls them", {
    want <- pairwise_constraints(cannot_link = cbind("p004", "p003"),
                                 must_link = cbind(c("p001", "p002"), c("p002", "p005")),
                                 samples = names)
    kinds <- list(c("must-link", "cannot-link", "must-link"),
                  c("Same", " different", "SAME"), c(1, 0, 1), c(1L, -1L, 1L),
                  c(TRUE, FALSE, TRUE), factor(c("same", "different", "same")))
    for (kind in kinds) {
        expect_identical(as.data.frame(pairwise_constraints(
            listed(kind), samples = names)), as.data.frame(want))
    }
    numbers <- data.frame(note = "x", i = c(1, 4, 2), j = c(2, 3, 5),
                          type = c(1, 0, 1))
    expect_identical(as.data.frame(pairwise_constraints(
        numbers, samples = names)), as.data.frame(want))
    more <- pairwise_constraints(listed(c(1, 0, 1))[1:2, ],
                                 must_link = cbind("p002", "p005"), samples = names)
    expect_identical(as.data.frame(more), as.data.frame(want))
})

test_that("what write.csv() wrote is read back, names first", {
    links <- pairwise_constraints(cannot_link = cbind("p004", "p003"),
                                  must_link = cbind(c("p001", "p002"), c("p002", "p005")),
                                  samples = names)
    links$confidence <- c(0.5, NA, 0.25)
    file <- tempfile(fileext = ".csv")
    on.exit(unlink(file))
    write.csv(as.data.frame(links), file)
    expect_identical(pairwise_constraints(read.csv(file), samples = names),
                     links)
    turned <- pairwise_constraints(read.csv(file), samples = rev(names))
    expect_identical(as.data.frame(turned)[4:6], as.data.frame(links)[4:6])
    expect_identical(turned$first, 6L - links$first)
    # without names: by number
    by_number <- pairwise_constraints(read.csv(file), samples = 5)
    expect_identical(by_number$first, links$first)
    plain <- pairwise_constraints(cannot_link = cbind(1, 2), samples = 3)
    expect_identical(as.data.frame(plain)$name_i, NA_character_)
    write.csv(as.data.frame(plain), file, row.names = FALSE)
    expect_identical(pairwise_constraints(read.csv(file), samples = 3), plain)
})

test_that("the mark of UTF-8 is no part of the first name, however it is read", {
    table <- data.frame(i = 1:2, j = 3:4, type = "cannot-link")
    plain <- pairwise_constraints(table, samples = 5)
    # in UTF-8, in a session without it (LC_ALL=C), with encoding = "UTF-8"
    # there, and in Latin 1
    for (mark in c("\ufeff", "X...", "X.U.FEFF.", "\u00ef..")) {
        names(table)[1L] <- paste0(mark, "i")
        expect_identical(pairwise_constraints(table, samples = 5), plain)
    }
})

test_that("unsure is no pair, and is counted aloud", {
    kinds <- list(c("same", "unsure", "same"), c(TRUE, NA, TRUE),
                  c("same", "", "same"))
    for (kind in kinds) {
        expect_message(links <- pairwise_constraints(listed(kind),
                                                     samples = names),
                       "Not used, as unsure: 1 of 3 answers.")
        expect_identical(links$must_link, c(TRUE, TRUE))
    }
    answers <- data.frame(first = "p001", second = "p002", note = "x",
                          answer = "different")
    expect_identical(pairwise_constraints(answers, samples = names)$must_link,
                     FALSE)
})

test_that("no rows, no pairs", {
    empty <- listed(c(1, 0, 1))[0, ]
    expect_length(pairwise_constraints(empty, samples = names), 0)
})

test_that("slips in a table are refused with their row", {
    a <- factor("p001")
    tab <- list(b = factor("p002"))
    expect_refused("constraints",
        pairwise_constraints(listed(c("same", "alike", "same")),
                             samples = names),
        pairwise_constraints(cbind(listed(c(1, 0, 1)), confidence = c(1, 0, 1)),
                             samples = names),
        pairwise_constraints(listed(c(1, 2, 0)), samples = names),
        pairwise_constraints(cannot_link = cbind("p001", c("p002", "P003", "pO04")),
                             samples = names),
        pairwise_constraints(cannot_link = cbind("p001", c("p002", "p003 ")),
                             samples = names),
        pairwise_constraints(cannot_link = cbind(c("p001", "p002"), c("p002", NA)),
                             samples = names),
        pairwise_constraints(cannot_link = cbind(c(1, 2), c(3, NA)), samples = names),
        pairwise_constraints(cannot_link = cbind(a, tab$b), samples = names),
        pairwise_constraints(must_link = cbind(i = a, factor("p002")),
                             samples = names),
        pairwise_constraints(cbind(listed(c(1, 0, 1)), confidence = "much"),
                             samples = names)
    )
    expect_length(pairwise_constraints(cannot_link = cbind(1L, 2L), samples = names), 1)
})

test_that("kinds in another language are named with a call that recodes them", {
    table <- data.frame(Probe = c("p001", "p002", "p002"),
                        Partner = c("p003", "p003", "p001"),
                        Urteil = c("verschieden", "gleich", "verschieden"))
    recoded <- transform(table, type = c("different", "same", "different"))
    want <- pairwise_constraints(recoded, samples = names)
    for (given in list(table, transform(table, type = Urteil),
                       transform(table, type = factor(Urteil)),
                       transform(recoded, type = replace(type, 2, "gleich")))) {
        said <- expect_error(pairwise_constraints(given, samples = names),
                             "recode", class = "linkrank_error_constraints")
        # what it says, typed, with the words filled in
        call <- sub(".* recode: (.*), \"same\" or .*", "\\1",
                    conditionMessage(said))
        call <- sub("\"verschieden\" = \"...\"", "\"verschieden\" = \"different\"",
                    sub("\"gleich\" = \"...\"", "\"gleich\" = \"same\"", call,
                        fixed = TRUE), fixed = TRUE)
        table <- given
        eval(str2lang(call))
        expect_identical(pairwise_constraints(table, samples = names), want)
    }
})

test_that("the kind of a pair is never guessed", {
    pairs <- data.frame(i = c("p001", "p002"), j = c("p003", "p004"))
    want <- pairwise_constraints(cannot_link = pairs, samples = names)
    for (fact in list(list(weight = 1), list(batch = 1), list(reviewed = TRUE),
                      list(comment = NA), list(type = "same"))) {
        expect_error(pairwise_constraints(cannot_link = cbind(pairs, fact),
                                          samples = names), "two columns",
                     class = "linkrank_error_constraints")
        if (is.null(fact$type)) {
            expect_error(pairwise_constraints(cbind(pairs, fact),
                                              samples = names),
                         "must have a column `type`",
                         class = "linkrank_error_constraints")
        }
    }
    sure <- pairwise_constraints(cannot_link = cbind(pairs, confidence = 0.5),
                                 samples = names)
    expect_identical(sure$confidence, c(0.5, 0.5))
    expect_identical(pairwise_constraints(cannot_link = pairs, samples = names,
                                          confidence = 0.5), sure)
    expect_refused("constraints",
        pairwise_constraints(pairs, samples = names),
        pairwise_constraints(must_link = pairs, pairs, samples = names),
        pairwise_constraints(must_link = pairs, pairs, pairs, samples = names),
        pairwise_constraints(must_link = pairs, samples = names,
                             confidence = 1:3 / 3),
        pairwise_constraints(must_link = pairs, samples = names,
                             confidence = 2),
        pairwise_constraints(must_link = pairs, samples = names,
                             confidence = sum),
        pairwise_constraints(data.frame(x = 1:2, type = "same", rater = "a"),
                             samples = names)
    )
    expect_identical(as.data.frame(pairwise_constraints(
        must_link = pairs[1, ], cannot_link = pairs[2, ], samples = names
    ))$type, c("cannot-link", "must-link"))
    # a column that numbers the rows is left out, one that does not is an end
    worded <- cbind(X = 1:2, pairs, relation = "same")
    expect_identical(pairwise_constraints(worded, samples = names)$second, 3:4)
    names(worded)[1:3] <- c("n", "a", "b")
    expect_identical(pairwise_constraints(worded, samples = names)$second, 3:4)
    x <- matrix(0, 5, 1, dimnames = list(names, NULL))
    expect_identical(pairwise_constraints(cannot_link = pairs, samples = x),
                     want)
    expect_identical(pairwise_constraints(want), want)
})

test_that("numbers that are names of other samples are said", {
    expect_message(
        links <- pairwise_constraints(cannot_link = cbind(1, 3),
                                      samples = c("3", "2", "1", "4")),
        "read as row numbers", class = "linkrank_message_constraints"
    )
    expect_identical(links$first, 1L)
    expect_silent(pairwise_constraints(cannot_link = cbind(1, 3),
                                       samples = as.character(1:4)))
})

test_that("a tibble is a sheet, and a sheet is of one rater", {
    skip_if_not_installed("tibble")
    sheet <- data.frame(sample = letters[1:4], group = c(1, 1, 2, 2))
    expect_silent(links <- pairwise_constraints(tibble::as_tibble(sheet),
                                                samples = letters[1:4]))
    expect_identical(links, pairwise_constraints(sheet, samples = letters[1:4]))
    # group 1 of one person is not that of another one
    sheet$rater <- c("ann", "bob")
    expect_error(reconcile_answers(sheet), "of one rater",
                 class = "linkrank_error_constraints")
})

test_that("only a column that numbers the rows is dropped from a table", {
    pairs <- data.frame(first = 1:3, second = 4:6,
                        answer = c("same", "different", "same"),
                        confidence = c(0.5, 0.6, 0.7))
    want <- pairwise_constraints(pairs[c(2, 1, 3), ], samples = 6)
    expect_setequal(want$first, 1:3)
    expect_equal(pairwise_constraints(pairs, samples = 6), want)
    # as write.csv(), readr and pandas add one
    for (name in c("", "X", "...1", "Unnamed: 0")) {
        numbered <- stats::setNames(cbind(1:3, pairs), c(name, names(pairs)))
        expect_equal(pairwise_constraints(numbered, samples = 6), want)
    }
    unnamed <- stats::setNames(pairs, c("a", "b", "type", "confidence"))
    expect_equal(pairwise_constraints(unnamed, samples = 6), want)
    unsaid <- data.frame(a = 1:3, b = 4:6, quality = 3:1, type = "same")
    expect_error(pairwise_constraints(unsaid, samples = 6), "where three may",
                 class = "linkrank_error_constraints")
    # a file of answers whose columns are in another order
    expect_equal(as.data.frame(pairwise_constraints(
        cbind(action = 1:3, pairs), samples = 6)), as.data.frame(want))
})

test_that("further columns of a sheet do not move its samples", {
    sheet <- data.frame(sample = 1:6, group = c(1, 2, 1, 2, 3, 3))
    want <- pairwise_constraints(sheet, samples = 6)
    expect_match(want$answered, "^one person \\(5 questions")
    want$answered <- sub("one person", "ann", want$answered)
    more <- cbind(sheet, remark = "", rater = "ann")
    expect_identical(pairwise_constraints(more, samples = 6), want)
    expect_identical(pairwise_constraints(cbind(X = 1:6, more), samples = 6),
                     want)
    expect_identical(pairwise_constraints(more[4:1], samples = 6), want)
})

test_that("a column whose name only begins like one of answers is none", {
    said <- data.frame(first = "a", second = "b",
                       answer = c("same", "same", "different"),
                       rater_age = c(40, 40, 41),
                       confidence_rank = c(0.1, 0.1, 1))
    expect_message(links <- reconcile_answers(said), "1 answer")
    expect_message(want <- reconcile_answers(said[1:3]), "1 answer")
    expect_identical(links, want)
    expect_identical(answer_conflicts(links)$raters, "")
    expect_identical(pairwise_constraints(said[1, ], samples = c("a", "b")),
                     pairwise_constraints(said[1, 1:3],
                                          samples = c("a", "b")))
})

test_that("numbers of which a spreadsheet left out zeros are said", {
    sheet <- data.frame(sample = c(3, 1, 2), group = c(1, 1, 2))
    expect_message(
        pairwise_constraints(sheet, samples = c("003", "001", "002")),
        "read as row numbers.*row 1 is \"003\"",
        class = "linkrank_message_constraints"
    )
    expect_silent(pairwise_constraints(sheet,
                                       samples = c("001", "002", "003")))
})

test_that("a sheet has a sample once", {
    sheet <- data.frame(sample = letters[c(1:4, 1, 4)],
                        group = c("A", "B", "A", "B", "B", ""))
    expect_error(reconcile_answers(sheet), "\"a\" is in two",
                 class = "linkrank_error_constraints")
    expect_length(pairwise_constraints(sheet[-5, ], samples = letters[1:4]),
                  5L)
})

test_that("labels that somebody typed twice are said", {
    typed <- c("Tumor", "tumor", "Tumor ", "normal")
    expect_message(links <- constraints_from_labels(typed),
                   "case or blanks.*\"Tumor\", \"Tumor \", \"tumor\"",
                   class = "linkrank_message_labels")
    expect_identical(summary(links)$must_link, 0)
    # blanks around the groups of a sheet are none
    sheet <- data.frame(sample = 1:4, group = typed)
    expect_message(links <- pairwise_constraints(sheet, samples = 4),
                   "\"Tumor\", \"tumor\"", class = "linkrank_message_labels")
    expect_identical(unname(constraint_groups(links)), c(1L, 2L, 1L, 3L))
    expect_silent(constraints_from_labels(c("Tumor", "normal")))
})
