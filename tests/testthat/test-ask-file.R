# What is on the disk: full disks, two writers, links, modes, odd names.

answers14 <- function(count) {
    answer_all(questionnaire(random_matrix(14, 4), ask = "pairs"),
               rep(c("a", "b", "c", "a", "a", "b", NA), 2), count)
}

# ---- full disks ----------------------------------------------------------------

test_that("a full disk leaves the old file and the answers in R", {
    folder <- small_disk()
    file <- file.path(folder, "a.csv")
    q <- answers14(5)
    write_answers(q, file)
    before <- readBin(file, "raw", 1e5)
    fill_disk(folder)
    # a part of it would fit
    more <- answer_pair(q, "unsure", remark = strrep("x", 10000))
    refused <- tryCatch(write_answers(more, file), error = identity)
    expect_s3_class(refused, "linkrank_error_answers")
    expect_match(conditionMessage(refused),
                 paste0("written to \"", file,
                        "\": No space left on device."),
                 fixed = TRUE)
    expect_identical(readBin(file, "raw", 1e5), before)
    expect_setequal(dir(folder), c("a.csv", "full"))

    # the dialogue: going on writes nothing, the answer is an error at once
    x <- random_matrix(14, 4)
    keys <- c("r", strrep("x", 10000), "y", "y", "q")
    expect_warning(got <- dialogue(x, keys, file = file)$result,
                   "No space left on device",
                   class = "linkrank_warning_oracle")
    expect_identical(readBin(file, "raw", 1e5), before)
    expect_identical(sum(!got$questions$implied), 6L)
    expect_identical(got$questions$type[6], "must-link")

    # with free space again, what is in R is written
    unlink(file.path(folder, "full"))
    write_answers(got, file)
    expect_identical(nrow(read_answers(file)), 6L)
})

test_that("a full device is an error at the first answer", {
    skip_on_os("windows")
    skip_if_not(file.exists("/dev/full"))
    q <- answers14(2)
    expect_error(write_answers(q, "/dev/full"),
                 "written to \"/dev/full\": No space left on device",
                 class = "linkrank_error_answers")
    expect_error(dialogue(random_matrix(14, 4), "y", file = "/dev/full"),
                 "No space left on device", class = "linkrank_error_answers")
    expect_true(file.exists("/dev/full"))
    expect_identical(.Call(C_file_kind, "/dev/full"), "device")
})

# ---- links, modes, what cannot be opened ---------------------------------------

test_that("the mode is kept and a symbolic link stays a link", {
    skip_on_os("windows")
    folder <- tempfile("links")
    dir.create(file.path(folder, "real"), recursive = TRUE)
    real <- file.path(folder, "real", "a.csv")
    link <- file.path(folder, "link.csv")
    write_answers(answers14(3), real)
    Sys.chmod(real, "0604", use_umask = FALSE)
    file.symlink(file.path("real", "a.csv"), link)
    write_answers(answers14(4), link)
    expect_identical(Sys.readlink(link), file.path("real", "a.csv"))
    expect_identical(nrow(read_answers(real)), 4L)
    expect_identical(format(file.mode(real)), "604")
    # a link to a file that is still to come
    early <- file.path(folder, "early.csv")
    file.symlink("later.csv", early)
    write_answers(answers14(2), early)
    expect_identical(nrow(read_answers(file.path(folder, "later.csv"))), 2L)
    expect_setequal(dir(folder), c("real", "link.csv", "early.csv",
                                   "later.csv"))
    file.symlink("round.csv", file.path(folder, "round.csv"))
    expect_error(write_answers(answers14(2), file.path(folder, "round.csv")),
                 "symbolic links", class = "linkrank_error_answers")
    unlink(folder, recursive = TRUE)
})

test_that("a file that cannot be opened is named with the reason", {
    skip_on_os("windows")
    q <- answers14(2)
    folder <- tempfile("folder")
    dir.create(folder)
    refused <- function(call) {
        got <- tryCatch(call, error = identity)
        expect_s3_class(got, "linkrank_error_answers")
        expect_null(conditionCall(got))
        gsub(tempdir(), "", conditionMessage(got), fixed = TRUE)
    }
    expect_match(refused(write_answers(q, "/no/such/a.csv")),
                 "to \"/no/such/a.csv\": No such file or directory.")
    expect_match(refused(write_answers(q, folder)), "it is a folder")
    expect_match(refused(read_answers(folder)), "it is a folder")
    expect_match(refused(write_answers(q, "http://localhost/a.csv")),
                 "to \"http://localhost/a.csv\": No such file or directory.")
    expect_match(refused(read_answers("/no/such.csv")), "does not exist")
    expect_match(refused(dialogue(random_matrix(14, 4), "y",
                                  file = "/no/such/a.csv")), "No such file")
    expect_length(dir(folder), 0L)
    unlink(folder, recursive = TRUE)
})

test_that("a read-only file is not replaced", {
    skip_on_os("windows")
    skip_if(Sys.info()[["effective_user"]] == "root", "root may write it")
    file <- tempfile()
    write_answers(answers14(2), file)
    Sys.chmod(file, "0444")
    expect_error(write_answers(answers14(3), file), "read-only",
                 class = "linkrank_error_answers")
    expect_identical(nrow(read_answers(file)), 2L)
})

# ---- names -----------------------------------------------------------------------

odd_names <- function() {
    latin <- "na\xefve"
    Encoding(latin) <- "latin1"
    c("caf\u00e9", "two\nlines", "carriage\rreturn", "\r\n1,2,\"x\"", latin,
      "# no remark", "\u65e5\u672c", "ends with \"", "\\u00e9", " blank ")
}

test_that("names are the same bytes again, line breaks and all", {
    x <- random_matrix(10, 3)
    rownames(x) <- odd_names()
    q <- answer_all(questionnaire(x, ask = "pairs"), rep(1:2, 5), 9)
    file <- tempfile()
    write_answers(q, file)
    expect_identical(read_answers(file), answer_table(q))
    # what another program reads
    plain <- !grepl("\r", answer_table(q)$name_i)
    expect_identical(read.csv(file, encoding = "UTF-8")$name_i[plain],
                     answer_table(q)$name_i[plain])
    expect_false(is.null(next_pair(questionnaire(
        x, answers = read_answers(file)
    ))))
    # cut at every byte: never a crash, never a wrong answer
    bytes <- readBin(file, "raw", 1e5)
    whole <- read_answers(file)
    expect_each(places_in(bytes), function(length) {
        writeBin(bytes[seq_len(length)], file)
        got <- tryCatch(suppressWarnings(
            read_answers(file), classes = "linkrank_warning_answers"
        ), linkrank_error_answers = function(condition) NULL)
        if (is.null(got)) return(TRUE)
        attr(got, "damaged") <- NULL
        kept <- seq_len(nrow(got))
        identical(got[1:5], whole[kept, 1:5])
    })
    unlink(file)
})

test_that("bytes that are no text of any kind survive the file", {
    x <- random_matrix(6, 3)
    rownames(x) <- c("a\xff", "b\xe9\x80", "c", "d", "e", "f")
    q <- answer_all(questionnaire(x, ask = "pairs"), c(1, 2, 1, 2, 1, 2), 5)
    file <- tempfile()
    write_answers(q, file)
    got <- read_answers(file)
    raws <- function(names) lapply(names, charToRaw)
    expect_identical(raws(got$name_i), raws(answer_table(q)$name_i))
    expect_identical(next_pair(questionnaire(x, answers = got, ask = "pairs"))[0:2],
                     next_pair(q)[0:2])
    unlink(file)
})

test_that("LC_ALL=C writes what UTF-8 reads", {
    skip_on_cran()
    skip_on_os("windows")
    file <- tempfile()
    script <- tempfile(fileext = ".R")
    writeLines(c(
        "library(linkrank)",
        "set.seed(1)",
        "x <- matrix(rnorm(30), 10)",
        "rownames(x) <- c('caf\\u00e9', paste0('\\u65e5', 1:9))",
        "q <- questionnaire(x)",
        "for (t in 1:3) q <- answer_pair(q, 'unsure')",
        sprintf("write_answers(q, %s)", deparse(file)),
        sprintf("q <- questionnaire(x, answers = read_answers(%s))",
                deparse(file)),
        "stopifnot(nrow(pairwise_constraints(q)$questions) == 3)"
    ), script)
    libraries <- paste(.libPaths(), collapse = .Platform$path.sep)
    status <- system2(file.path(R.home("bin"), "Rscript"),
                      c("--no-init-file", shQuote(script)),
                      stdout = FALSE, stderr = FALSE,
                      env = c(paste0("R_LIBS=", shQuote(libraries)),
                              "LC_ALL=C"))
    expect_identical(status, 0L)
    got <- read_answers(file)
    expect_true(all(c(got$name_i, got$name_j) %in%
                        c("caf\u00e9", paste0("\u65e5", 1:9))))
    unlink(c(file, script))
})

test_that("a quote that never ends swallows no answers", {
    file <- tempfile()
    write_answers(answers14(5), file)
    lines <- readLines(file)
    lines[3] <- sub("\",", ",", lines[3])
    writeLines(lines, file)
    expect_error(read_answers(file), "line 3", class = "linkrank_error_answers")
    writeBin(as.raw(c(65, 0, 66)), file)
    expect_error(read_answers(file), "bytes that are not text[.]$",
                 class = "linkrank_error_answers")
    utf16 <- iconv("sample\tgroup\nT1\tA\n", "UTF-8", "UTF-16LE", toRaw = TRUE)
    writeBin(utf16[[1]], file)
    expect_error(read_answers(file), "as UTF-16",
                 class = "linkrank_error_answers")
    expect_error(write_answers(answers14(5), "answers.XLSX"),
                 "must be the name of a CSV file")
    unlink(file)
})

test_that("other programs' CSV is read: CRLF, a mark of UTF-8, quotes", {
    q <- answers14(4)
    file <- tempfile()
    utils::write.csv(answer_table(q), file, row.names = FALSE)
    expect_identical(read_answers(file), answer_table(q))
    lines <- readLines(file)
    writeBin(c(as.raw(c(0xef, 0xbb, 0xbf)),
               charToRaw(paste0(lines, "\r\n", collapse = ""))), file)
    expect_identical(read_answers(file), answer_table(q))
    unlink(file)
})

# ---- two at one file -------------------------------------------------------------

test_that("answers of another program are taken over, none is lost", {
    x <- random_matrix(14, 4)
    file <- tempfile()
    mine <- answer_pair(questionnaire(x, ask = "pairs"), "cannot-link")
    store <- answer_store(file)
    mine <- save_answers(mine, store)
    # another one reads it, answers twice and writes
    other <- questionnaire(x, ask = "pairs", answers = read_answers(file))
    for (t in 1:2) other <- answer_pair(other, "unsure", source = "other")
    write_answers(other, file)
    # meanwhile here: undo, and another answer
    mine <- save_answers(answer_pair(undo_answer(mine), "must-link"), store)
    all <- answer_table(mine)
    expect_identical(nrow(all), 3L)
    expect_identical(all$type, c("must-link", "unsure", "unsure"))
    expect_identical(read_answers(file), all)
    # nothing is asked twice
    due <- next_pair(mine)
    expect_false(pair_key(due[[1]], due[[2]], 14) %in%
                     pair_key(all$i, all$j, 14))
    # an emptied or removed file takes nothing away
    unlink(file)
    expect_identical(answer_table(save_answers(mine, store)), all)
    expect_identical(read_answers(file), all)
})

test_that("sorted answers of two programs stay two actions", {
    x <- random_matrix(14, 4)
    file <- tempfile()
    store <- answer_store(file)
    first <- questionnaire(x, strategy = "groups", ask = "sort",
                           scale = "range")
    first <- answer_pair(answer_pair(first, 0), 0)
    first <- save_answers(first, store)
    other <- questionnaire(x, strategy = "groups", ask = "sort",
                           answers = read_answers(file), scale = "range")
    write_answers(answer_pair(other, 2, source = "other"), file)
    # both have sorted the same sample
    expect_error(save_answers(answer_pair(first, 1), store),
                 "changed by another program", class = "linkrank_error_answers")
    first <- save_answers(answer_pair(first, 2), store)
    expect_identical(first$answers$action, c(1L, 2L, 2L, 3L, 3L, 3L))
    first <- answer_pair(first, 1)
    # before it is saved, another one is written
    other <- questionnaire(x, strategy = "groups", ask = "sort",
                           order = c(first$answers$i[1], first$answers$j[1], 14:1)[
                               !duplicated(c(first$answers$i[1], first$answers$j[1],
                                             14:1))],
                           answers = read_answers(file), scale = "range")
    expect_false(next_pair(other)[1] %in% first$answers$i)
    write_answers(answer_pair(other, 0), file)
    first <- save_answers(first, store)
    expect_identical(max(first$answers$action), 5L)
    expect_identical(read_answers(file), answer_table(first))
    # another group for the second of them: in its place, as one
    changed <- answer_pair(first, 1, number = 3)
    write_answers(changed, file)
    expect_identical(read_answers(file), answer_table(changed))
    write_answers(undo_answer(changed), file)
    expect_identical(read_answers(file), answer_table(undo_answer(changed)))
    unlink(file)
})

test_that("an undone answer does not come back from the file", {
    file <- tempfile()
    q <- answers14(4)
    write_answers(q, file)
    write_answers(undo_answer(q), file)
    expect_identical(read_answers(file), answer_table(q)[1:3, ])
    changed <- answer_pair(undo_answer(q), "unsure", number = 2)
    write_answers(changed, file)
    expect_identical(read_answers(file)$type, answer_table(changed)$type)
    # another one that still has it takes that over
    expect_identical(answer_table(save_answers(q, answer_store(file))),
                     read_answers(file))
    unlink(file)
})

test_that("raters that contradict each other are named, with both answers", {
    x <- random_matrix(6, 3)
    ask <- function(i, j, type, source) {
        questionnaire(x, ask = "pairs", order = 1:6, answers = data.frame(
            i = i, j = j, name_i = paste0("s", i), name_j = paste0("s", j),
            type = type, time = "2026-01-01T00:00:00Z", source = source
        ))
    }
    file <- file.path(tempdir(), "raters.csv")
    write_answers(ask(1:2, 2:3, "must-link", "anna"), file)
    before <- readLines(file)
    said <- function(q) {
        refused <- tryCatch(write_answers(q, file), error = identity)
        expect_s3_class(refused, "linkrank_error_answers")
        expect_identical(refused$questionnaire, q)
        sub(tempdir(), "", conditionMessage(refused), fixed = TRUE)
    }
    expect_snapshot({
        cat(said(ask(2, 1, "cannot-link", "berta")))
        cat(said(ask(c(4, 1), c(5, 3), c("unsure", "cannot-link"), "berta")))
    })
    expect_identical(readLines(file), before)
    unlink(file)
})

test_that("the dialogue and another program at one file", {
    x <- random_matrix(14, 4)
    file <- tempfile()
    meanwhile <- function(i, j) {
        if (nrow(read_answers(file)) != 2) return(invisible())
        other <- questionnaire(x, ask = "pairs", answers = read_answers(file))
        other <- answer_pair(answer_pair(other, "cannot-link"), "unsure",
                             source = "other")
        write_answers(other, file)
    }
    keys <- c("n", "n", "y", "y", "q")
    expect_warning(got <- dialogue(x, keys, n = 8, file = file,
                                   describe = meanwhile)$result,
                   "changed by another program",
                   class = "linkrank_warning_oracle")
    # the other's two answers stay in the file, mine in R
    expect_identical(read_answers(file)$type,
                     c("cannot-link", "cannot-link", "cannot-link", "unsure"))
    expect_identical(got$questions$type,
                     c("cannot-link", "cannot-link", "must-link"))
    unlink(file)
})

# ---- answers that are given as a table -------------------------------------------

test_that("a table of answers is checked like a file", {
    x <- random_matrix(20, 10)
    table <- function(...) {
        given <- list(i = 1L, j = 2L, name_i = "s1", name_j = "s2",
                      type = "must-link", time = "2026-01-01T00:00:00Z",
                      source = "me")
        changed <- list(...)
        given[names(changed)] <- changed
        as.data.frame(given)
    }
    ask <- function(...) questionnaire(x, strategy = "random", answers = table(...))
    nameless <- function(...) ask(name_i = "", name_j = "", ...)
    expect_refused("constraints", ask(type = "maybe"), ask(type = 2),
                   nameless(i = "1"), nameless(i = 1.5), nameless(i = NA),
                   nameless(i = 0), nameless(i = 21), ask(name_i = "s2"),
                   ask(name_i = NA), ask(confidence = 0),
                   ask(confidence = "much"))
    expect_refused("answers", ask(time = "today"),
                   ask(name_i = "t1"), ask(name_i = "t1", name_j = "t2"))
    # names count, row numbers where there are none
    expect_identical(ask(i = 3, j = 9)$answers$i, ask()$answers$i)
    expect_identical(nameless(i = 3)$answers$i, 3L)
    # one vocabulary
    for (must in list("same", "Same ", TRUE, 1, "must-link")) {
        expect_identical(ask(type = must)$answers$type, "must-link")
    }
    for (cannot in list("different", FALSE, 0, -1)) {
        expect_identical(ask(type = cannot)$answers$type, "cannot-link")
    }
    expect_identical(ask(type = NA)$answers$type, "unsure")
    same <- ask(i = 1, j = 2, type = factor("must-link"),
                name_i = factor("s1"))
    expect_identical(answer_table(same), answer_table(ask()))
    file <- tempfile()
    write_answers(ask(source = "a, \"b\""), file)
    expect_identical(read_answers(file)$source, "a, \"b\"")
    unlink(file)
})

# ---- spreadsheets ----------------------------------------------------------------

# Bytes as a program saves them.
saved <- function(lines, end = "\n", mark = FALSE) {
    file <- tempfile(fileext = ".csv")
    writeBin(c(if (mark) as.raw(c(0xef, 0xbb, 0xbf)),
               charToRaw(enc2utf8(paste0(lines, end, collapse = "")))), file)
    file
}

# Three answers as the package writes them.
plain_file <- c(
    "i,j,name_i,name_j,type,time,source",
    "1,2,\"'=s1\",\"s;2\",must-link,2026-11-22T14:03:00Z,web",
    "3,2,\"s 3\",\"s;2\",cannot-link,2026-11-22T14:04:00Z,web",
    "3,4,\"s 3\",\"\u00e9\",unsure,2026-11-22T14:05:00Z,web"
)
plain_names <- c("=s1", "s;2", "s 3", "\u00e9")

test_that("the bytes of a file are guarded and have a mark", {
    x <- random_matrix(4, 3)
    rownames(x) <- plain_names
    q <- questionnaire(x, ask = "pairs", order = c(1, 4),
                       answers = read_answers(saved(plain_file)))
    file <- tempfile()
    write_answers(q, file)
    written <- c(
        paste0(plain_file[1], ",rater,confidence,action,",
               "origin,shown,remark,implied"),
        paste0(plain_file[-1], ",,,", 1:3, ",,,,FALSE")
    )
    expect_identical(readBin(file, "raw", 1e4),
                     readBin(saved(written, mark = TRUE), "raw", 1e4))
})

test_that("what a spreadsheet has saved is read as it was", {
    wanted <- read_answers(saved(plain_file))
    expect_identical(wanted$name_i, plain_names[c(1, 3, 3)])
    # German: semicolons, local times, CRLF, quotes only where they are needed
    german <- c(
        "i;j;name_i;name_j;type;time;source",
        "1;2;'=s1;\"s;2\";must-link;22.11.2026 14:03;web",
        "3;2;s 3;\"s;2\";cannot-link;22.11.2026 14:04;web",
        "3;4;s 3;\u00e9;unsure;22.11.2026 14:05;web"
    )
    # American: empty columns and lines, times of twelve hours, everything quoted
    american <- c(
        "\"i\",\"j\",\"name_i\",\"name_j\",\"type\",\"time\",\"source\",,",
        "1,2,'=s1,s;2,must-link,11/22/26 2:03 PM,web,,",
        "3,2,\"s 3\",s;2,\"cannot-link\",11/22/26 2:04 PM,web,,",
        "3,4,s 3,\u00e9,unsure,11/22/26 2:05 PM,web", ",,,,,,,,", ",,"
    )
    for (end in c("\n", "\r\n", "\r")) {
        for (lines in list(plain_file, german, american)) {
            expect_identical(read_answers(saved(lines, end, end != "\r")),
                             wanted)
        }
    }
    tabs <- gsub(";", "\t", gsub("\"s;2\"", "s\uff1b2", german))
    expect_identical(read_answers(saved(tabs))[5:7], wanted[5:7])
})

test_that("other columns become part of the remark, none is lost", {
    lines <- paste0(plain_file, c(",remark,comment,", ",old,\"new, and\",",
                                  ",,-,", ",,,more"))
    expect_identical(read_answers(saved(lines))$remark,
                     c("old; comment: new, and", "comment: -", "more"))
    expect_error(read_answers(saved(sub("source", "time", plain_file))),
                 "must begin with the columns", class = "linkrank_error_answers")
    expect_error(read_answers(saved(c(plain_file, "1,3,a,b,unsure,\"x\"y,web",
                                      plain_file[2]))),
                 "line 5", class = "linkrank_error_answers")
    # a cell too many is no answer
    expect_warning(short <- read_answers(saved(c(plain_file,
        "1,3,a,b,unsure,2026-11-22T14:05:00Z,web,x"))), "damaged",
        class = "linkrank_warning_answers")
    expect_identical(nrow(short), 3L)
})

test_that("TRUE and 0.5 of a German spreadsheet", {
    lines <- gsub(",", ";", paste0(plain_file, c(
        ",confidence,implied", ",0p5,FALSCH", ",1,FALSCH", ",,FALSCH")))
    lines <- sub("0p5", "0,5", lines)
    lines <- c(lines, "1;4;'=s1;\u00e9;must-link;22.11.2026 15:00;web;1;WAHR")
    got <- read_answers(saved(lines))
    expect_identical(got$confidence, c(0.5, 1, NA, 1))
    expect_identical(got$implied, c(FALSE, FALSE, FALSE, TRUE))
})

test_that("a comment that a spreadsheet has put in quotes stays in the file", {
    file <- saved(append(plain_file, "\"# a note, kept\",,,,,,", 1))
    x <- random_matrix(4, 3)
    rownames(x) <- plain_names
    for (time in 1:2) {
        q <- questionnaire(x, answers = read_answers(file))
        write_answers(if (time == 1) undo_answer(q) else q, file)
        expect_identical(sum(readLines(file) == "\"# a note, kept\",,,,,,"), 1L)
    }
    unlink(file)
})

test_that("either column of times tells the day from the month", {
    lines <- c("i,j,name_i,name_j,type,time,source,superseded",
               "1,2,a,b,must-link,03/28/2026 09:30,web,",
               "3,2,c,b,unsure,03/04/2026 09:20,web,03/05/2026 09:25")
    got <- read_answers(saved(lines), history = TRUE)
    # in the order of the times
    expect_identical(got$time, c("2026-03-04T09:20:00Z",
                                 "2026-03-28T09:30:00Z"))
    expect_identical(got$superseded, c("2026-03-05T09:25:00Z", NA))
})

test_that("a cell that is no text of this locale is no answer", {
    cells <- c(type = "unsure", confidence = "0.5", implied = "FALSE")
    for (column in names(cells)) for (odd in c("\xe4", "\xc2\xbd")) {
        changed <- replace(cells, column, odd)
        line <- paste(c("1,2,,", changed[1], "2026-01-31T09:30:00Z,web",
                        changed[-1]), collapse = ",")
        lines <- c(paste0(plain_file[1], ",confidence,implied"), line, line)
        file <- tempfile()
        writeLines(lines, file, useBytes = TRUE)
        expect_error(read_answers(file), "line 2 of .* has .* in column",
                     class = "linkrank_error_answers")
        unlink(file)
    }
})

test_that("changed line ends within names are changed back", {
    x <- random_matrix(6, 3)
    rownames(x) <- c("two\nlines", letters[1:5])
    q <- answer_all(questionnaire(x, ask = "pairs"), c(1, 2, 1, 2, 1, 2), 5)
    file <- tempfile()
    write_answers(q, file)
    text <- rawToChar(readBin(file, "raw", 1e4)[-(1:3)])
    writeBin(charToRaw(gsub("\n", "\r\n", text)), file)
    expect_identical(read_answers(file), answer_table(q))
})

# ---- history ---------------------------------------------------------------------

test_that("answers that were undone or changed stay in the file", {
    x <- random_matrix(14, 4)
    file <- tempfile()
    q <- answers14(4)
    write_answers(q, file)
    first <- answer_table(q)
    q <- answer_pair(undo_answer(q), "unsure")
    q <- answer_pair(q, "unsure", number = 2)
    write_answers(q, file)
    now <- read_answers(file)
    expect_identical(now, answer_table(q))
    all <- read_answers(file, history = TRUE)
    old <- all[!is.na(all$superseded), ]
    expect_equal(all[is.na(all$superseded), names(now)], now,
                 ignore_attr = "row.names")
    expect_identical(old$type, first$type[c(2, 4)])
    expect_identical(old$time, first$time[c(2, 4)])
    # again and in another session: each once
    write_answers(q, file)
    again <- save_answers(questionnaire(x, ask = "pairs"), answer_store(file))
    expect_identical(answer_table(again), now)
    again <- answer_pair(again, "different", number = 1)
    write_answers(again, file)
    expect_identical(sum(!is.na(read_answers(file, TRUE)$superseded)), 3L)
    # nothing counts them
    all <- read_answers(file, history = TRUE)
    expect_identical(answer_table(questionnaire(x, ask = "pairs", answers = all)),
                     read_answers(file))
    decided <- sum(read_answers(file)$type != "unsure")
    links <- suppressMessages(pairwise_constraints(all, samples = rownames(x)))
    expect_identical(nrow(as.data.frame(links)), decided)
    votes <- read_votes(answer_tables(list(ann = all, bob = all)), NULL)
    expect_identical(nrow(votes$rows), 2L * nrow(read_answers(file)))
    # the same as read.csv() gives it
    table <- utils::read.csv(file, fileEncoding = "UTF-8-BOM")
    expect_identical(nrow(plain_table(table)), nrow(read_answers(file)))
    unlink(file)
})

# ---- remarks ---------------------------------------------------------------------

test_that("a remark is stored, changed, removed and read back", {
    q <- questionnaire(random_matrix(14, 4), ask = "pairs")
    q <- answer_pair(q, "same", remark = " =out of focus\u00e9 ")
    q <- answer_pair(q, "different")
    file <- tempfile()
    write_answers(q, file)
    expect_identical(read_answers(file)$remark, c("=out of focus\u00e9", NA))
    expect_identical(pairwise_constraints(q)$questions$remark[1],
                     "=out of focus\u00e9")
    # another answer keeps it; only a new remark changes nothing else
    q2 <- answer_pair(q, "unsure", number = 1)
    expect_identical(q2$answers$remark[1], "=out of focus\u00e9")
    q3 <- answer_pair(q, "same", number = 1, remark = "sharp")
    # the one without it is a row before
    expect_identical(q3$history$remark, "=out of focus\u00e9")
    expect_identical(q3$answers$remark, c("sharp", NA))
    expect_null(answer_table(answer_pair(q, "same", number = 1,
                                         remark = ""))$remark)
    expect_refused("argument", answer_pair(q, "same", remark = 3),
                   answer_pair(q, "same", remark = NA_character_),
                   answer_pair(q, "same", remark = c("a", "b")))
    # one that somebody has typed into the file
    lines <- readLines(file)
    writeLines(sub(",,FALSE$", ",from the file,FALSE", lines), file)
    q <- save_answers(answer_pair(q, "unsure"), answer_store(file))
    expect_identical(q$answers$remark[!is.na(q$answers$remark)],
                     c("=out of focus\u00e9", "from the file"))
    unlink(file)
})

test_that("\"NA\" is a remark and a name like others", {
    x <- random_matrix(14, 4)
    said <- c("NA", "'NA", "NA ", "''NA", "na")
    q <- questionnaire(x, ask = "pairs", rater = "ann")
    for (t in seq_along(said)) q <- answer_pair(q, "unsure")
    store <- answer_store(tempfile())
    q <- save_answers(q, store)
    # remarks on answers that the file has already
    q$answers$remark[] <- said
    q <- save_answers(q, store)
    held <- read_bytes(store$file)
    expect_identical(save_answers(q, store)$answers$remark, said)
    expect_identical(read_bytes(store$file), held)
    expect_identical(read_answers(store$file)$remark, said)
    again <- save_answers(questionnaire(x, ask = "pairs", rater = "ann"),
                          answer_store(store$file))
    expect_identical(again$answers$remark, said)
    # what write.csv() makes of empty cells is none
    unlink(store$file)
    table <- answer_table(q)
    table$remark <- c(NA, "sharp", NA, NA, NA)
    utils::write.csv(table, store$file, row.names = FALSE)
    expect_identical(read_answers(store$file)$remark, table$remark)
    sample <- unname(next_pair(q))[1]
    write_answers(name_group(q, sample, "NA"), store$file)
    expect_identical(attr(read_answers(store$file), "group_names")$remark, "NA")
    again <- questionnaire(x, ask = "pairs", rater = "ann",
                           answers = read_answers(store$file))
    expect_identical(group_names(again),
                     data.frame(sample = sample, name = "NA"))
    unlink(store$file)
})

test_that("the dialogue takes a remark and lists it", {
    said <- dialogue(random_matrix(14, 4), c("r", "too dark", "u", "l", "", "q"),
                     n = 8)
    expect_identical(said$result$questions$remark, "too dark")
    expect_true(any(grepl("unsure (too dark)", said$shown, fixed = TRUE)))
})

test_that("more questions", {
    q <- answer_all(questionnaire(random_matrix(14, 4), ask = "pairs", n = 3),
                    rep(c("a", "b", "c", "a", "a", "b", NA), 2), 3)
    expect_null(next_pair(q))
    more <- update(q, 2)
    whole <- answers14(3)
    expect_identical(next_pair(more), next_pair(whole))
    expect_identical(summary(more)$left, 2)
    expect_refused("argument", update(more), update(q, 0))
    q$finished <- "the strategy failed"
    expect_error(update(q), "limit, but the strategy failed.",
                 fixed = TRUE)
    counted <- questionnaire(random_matrix(14, 4), strategy = "perturbation", n = 2)
    while (!is.null(next_pair(counted))) {
        counted <- answer_pair(counted, "different")
    }
    expect_false(is.null(next_pair(update(counted, 1))))
})

test_that("a second person begins in a file without answers", {
    file <- tempfile(fileext = ".csv")
    on.exit(unlink(file))
    x <- random_matrix(8, 3)
    for (person in c("ann", "bob")) {
        q <- save_answers(questionnaire(x, rater = person), answer_store(file))
        expect_identical(count_answers(q), 0L)
    }
    expect_identical(names(read_answers(file)), answer_columns)
})

# ---- the log ---------------------------------------------------------------------

test_that("nothing in the file is ever changed", {
    file <- tempfile()
    store <- answer_store(file)
    q <- questionnaire(random_matrix(14, 4), ask = "pairs")
    held <- raw()
    steps <- list(
        function(q) answer_pair(q, "same"), function(q) answer_pair(q, "unsure"),
        undo_answer, function(q) answer_pair(q, "different"),
        function(q) answer_pair(q, "unsure", number = 1),
        function(q) answer_pair(q, "same", number = 1),
        function(q) set_remark(q, 2, "blurred"),
        function(q) set_remark(q, 2, NA_character_),
        function(q) name_group(q, 3L, "A"), undo_answer, undo_answer, identity
    )
    for (step in steps) {
        q <- save_answers(step(q), store)
        bytes <- readBin(file, "raw", 1e5)
        expect_identical(bytes[seq_along(held)], held)
        held <- bytes
        expect_identical(read_answers(file)$type, answer_table(q)$type)
        expect_identical(read_answers(file)$remark, answer_table(q)$remark)
    }
    # as one file: every statement once, with when it was replaced
    history <- read_answers(file, history = TRUE)
    expect_false(anyNA(history$superseded))
    expect_identical(history$type, c("must-link", "unsure", "must-link",
                                     "unsure", rep("cannot-link", 3)))
    expect_false(file.exists(paste0(file, ".lock")))
    # a file that was emptied or deleted is written again
    q <- answer_pair(q, "same")
    for (lose in list(unlink, file.create)) {
        lose(file)
        q <- save_answers(q, store)
        expect_identical(read_answers(file), structure(
            answer_table(q), group_names = attr(read_answers(file),
                                                "group_names")))
        expect_gte(nrow(read_answers(file, TRUE)), 6L)
    }
    unlink(file)
})

test_that("a process that is killed loses the row it was writing at most", {
    x <- random_matrix(14, 4)
    rownames(x)[1:8] <- odd_names()[c(1:4, 6:9)]
    q <- answer_all(questionnaire(x, ask = "pairs"), rep(1:2, 7), 5)
    file <- tempfile()
    write_answers(q, file)
    bytes <- readBin(file, "raw", 1e5)
    next_one <- answer_pair(q, "unsure", remark = "the \"last\" one")
    # cut anywhere, also within the header: what follows is read
    expect_each(places_in(bytes), function(length) {
        writeBin(bytes[seq_len(length)], file)
        suppressWarnings(write_answers(next_one, file),
                         classes = "linkrank_warning_answers")
        again <- suppressWarnings(read_answers(file),
                                  classes = "linkrank_warning_answers")
        attr(again, "damaged") <- NULL
        identical(again[1:7], answer_table(next_one)[1:7])
    })
    # said when it is read, wherever it stands
    writeBin(utils::head(bytes, -10L), file)
    expect_warning(write_answers(next_one, file), "^Line [0-9]+ of .* left out",
                   class = "linkrank_warning_answers")
    expect_warning(got <- read_answers(file), "^Line [0-9]+ of .* left out",
                   class = "linkrank_warning_answers")
    expect_match(attr(got, "damaged"), "#cut")
    expect_identical(nrow(got), 6L)
    unlink(file)
})

# A file as it was before there was a log: only the columns that say something,
# answers that were changed or undone below, with the time.
earlier_file <- c(
    "i,j,name_i,name_j,type,time,source,superseded,rater,action,implied,remark",
    "3,1,\"s3\",\"s1\",cannot-link,2026-11-20T09:00:00Z,web,,ann,1,FALSE,",
    "5,1,\"s5\",\"s1\",cannot-link,2026-11-20T09:02:00Z,web,,ann,2,TRUE,dark",
    "5,3,\"s5\",\"s3\",must-link,2026-11-20T09:02:00Z,web,,ann,2,FALSE,dark",
    "# a note",
    "5,1,\"s5\",\"s1\",must-link,2026-11-20T09:01:00Z,web,2026-11-20T09:02:00Z,ann,2,FALSE,",
    "5,3,\"s5\",\"s3\",cannot-link,2026-11-20T09:01:00Z,web,2026-11-20T09:02:00Z,ann,2,TRUE,"
)

# And as it was when a remark, which a cut may shorten, was the last cell.
middle_file <- c(
    paste0("i,j,name_i,name_j,type,time,source,rater,confidence,action,",
           "implied,origin,shown,remark"),
    "12,9,\"s12\",\"a\nb\",unsure,2026-11-27T20:56:06Z,person,ann,,2,FALSE,questions,,\"see S,\nx\"",
    "12,9,\"s12\",\"a\nb\",undone,2026-11-27T20:56:07Z,person,ann,,2,FALSE,questions,,",
    "9,13,\"a\nb\",\"'=d\",must-link,2026-11-27T20:56:08Z,person,ann,0.5,1,FALSE,questions,\"names+picture\","
)

# Such files, without text that nothing ends, and one of now with quotes and line
# breaks, as bytes.
damaged_files <- function() {
    x <- random_matrix(14, 4)
    rownames(x)[c(3, 5)] <- c("a \"b\"\nc", "=d")
    q <- questionnaire(x, ask = "pairs", rater = "ann")
    q <- answer_pair(answer_pair(q, "same"), "unsure", remark = "see \"S\",\nx")
    q <- answer_pair(undo_answer(q), "different", remark = "see \"S\" first")
    c(list(log_bytes(answer_pair(q, "different", remark = "two\nlines"))),
      lapply(list(middle_file, sub("dark", "", earlier_file)), function(lines) {
          readBin(saved(lines, mark = TRUE), "raw", 1e5)
      }))
}

test_that("a file cut at any byte holds whole answers, and takes more", {
    file <- tempfile()
    said <- function() {
        rows <- withCallingHandlers(
            suppressMessages(read_answers(file, history = TRUE)), warning = function(condition) {
                expect_match(conditionMessage(condition), "^Line [0-9]+ of")
                invokeRestart("muffleWarning")
            })
        paste(rows$i, rows$j, rows$type, rows$remark %||% rep(NA, nrow(rows)))
    }
    x <- random_matrix(14, 4)
    more <- answer_pair(questionnaire(x, ask = "pairs", rater = "eve",
                                      strategy = "random"), "same")
    for (bytes in damaged_files()) {
        writeBin(bytes, file)
        whole <- said()
        header <- match(charToRaw("\n"), bytes)
        # also in a note, and behind the first letter of a name of a column,
        # which is one of its own: "i"
        within <- vapply(c("# a note", ",implied"), regexpr, 0L,
                         rawToChar(bytes), fixed = TRUE, useBytes = TRUE) + 1L
        expect_each(union(places_in(bytes), within), function(length) {
            writeBin(bytes[seq_len(length)], file)
            left <- if (length >= header) said()
            suppressMessages(suppressWarnings(write_answers(more, file)))
            again <- said()
            all(left %in% whole) && all(left %in% again) &&
                length(again) == length(left) + 1L
        })
    }
    unlink(file)
})

test_that("the columns of a file may stand in any order", {
    file <- tempfile(fileext = ".csv")
    q <- questionnaire(random_matrix(14, 4), ask = "pairs")
    q <- answer_pair(answer_pair(q, "same"), "unsure", remark = "dark")
    write_answers(q, file)
    whole <- read_answers(file)
    table <- utils::read.csv(file, fileEncoding = "UTF-8-BOM")
    # "i" last as well, which is how a header that was cut may end
    for (order in list(rev(names(table)), c(names(table)[-1L], "i"))) {
        utils::write.csv(table[order], file, row.names = FALSE, na = "")
        expect_identical(read_answers(file), whole)
    }
})

test_that("a row cut at its last comma, or within doubled quotes, is not whole", {
    file <- tempfile()
    bytes <- damaged_files()[[1]]
    rest <- "see \"\"S\"\" first\",FALSE\n"
    from <- regexpr(rest, rawToChar(bytes), fixed = TRUE, useBytes = TRUE)
    for (kept in c(-1L, 0L, 5L, 6L, 8L, 9L, nchar(rest) - c(8L, 7L))) {
        writeBin(utils::head(bytes, from + kept - 1L), file)
        expect_warning(got <- read_answers(file), "^Line .* and left out",
                       class = "linkrank_warning_answers")
        expect_identical(nrow(got), 1L)
    }
    unlink(file)
})

test_that("any byte changed: answers, or a sentence that names the line", {
    file <- tempfile()
    bytes <- damaged_files()[[1]]
    set.seed(4)
    # each by one that is no text, and others
    at <- c(seq_along(bytes), sample(length(bytes), 300))
    to <- as.raw(c(rep(0x9b, length(bytes)),
                   sample(c(0:255, 128:255), 300, TRUE)))
    expect_every(length(at), function(one) {
        writeBin(replace(bytes, at[one], to[one]), file)
        said <- tryCatch(
            nrow(suppressWarnings(suppressMessages(read_answers(file)))),
            linkrank_error_answers = conditionMessage)
        is.integer(said) || grepl(paste(
            "but line [0-9]+ of", "must begin with the columns",
            "that are not text", "is ambiguous", sep = "|"), said)
    })
    # all characters that a carriage return could be, and one
    writeBin(c(bytes, charToRaw("# \1\2\3\4\5\6\a\b\r\n")), file)
    expect_error(read_answers(file), "bytes that are not text",
                 class = "linkrank_error_answers")
    head <- replace(bytes, 8, as.raw(0xe9))
    writeBin(head, file)
    expect_error(read_answers(file), "must begin with the columns",
                 class = "linkrank_error_answers")
    unlink(file)
})

test_that("a clock that is set back loses nothing and brings nothing back", {
    clock <- as.POSIXct("2026-03-01 12:00:00", tz = "UTC")
    real <- time_now
    set_clock <- function(how) {
        utils::assignInNamespace("time_now", how, "linkrank")
    }
    on.exit(set_clock(real))
    set_clock(function() {
        clock <<- clock + 10
        plain_times(clock)
    })
    x <- random_matrix(14, 4)
    file <- tempfile()
    store <- answer_store(file)
    same <- function(q) {
        expect_identical(read_answers(file)[1:7], answer_table(q)[1:7])
        expect_false(is.unsorted(attr(read_answers(file), "group_names")$time))
    }
    q <- questionnaire(x, ask = "pairs")
    for (t in 1:4) q <- save_answers(answer_pair(q, "different"), store)
    q <- save_answers(name_group(q, q$answers$i[1], "one"), store)
    # an undone answer, a change, a remark, a name
    clock <- clock - 3600
    q <- save_answers(undo_answer(q), store)
    same(q)
    q <- save_answers(answer_pair(q, "same", number = 1), store)
    same(q)
    q <- save_answers(answer_pair(q, "same", number = 1, remark = "sure"), store)
    same(q)
    q <- save_answers(name_group(q, q$answers$i[1], "two"), store)
    expect_silent(again <- questionnaire(x, ask = "pairs",
                                         answers = read_answers(file)))
    expect_identical(group_name(again, q$answers$i[1]), "two")
    same(q)
    # a further program, which knows the answers in force only
    clock <- clock - 3600
    again <- save_answers(answer_pair(again, "same"), answer_store(file))
    same(again)
    # two programs at one file, the clock of this one behind that of the other
    q <- save_answers(answer_pair(q, "unsure"), store)
    other <- save_answers(again, answer_store(file))
    expect_identical(answer_table(other)[1:7], answer_table(q)[1:7])
    due <- unname(next_pair(q))
    clock <- clock + 7200
    other <- name_group(answer_pair(other, "unsure"), due[1], "theirs")
    other <- save_answers(other, answer_store(file))
    clock <- clock - 7200
    q <- name_group(answer_pair(q, "same"), due[2], "mine")
    q <- save_answers(q, store)
    expect_identical(tail(answers_in(q)$type, 1), "must-link")
    expect_identical(group_name(q, due), c("mine", "mine"))
    same(q)
    bytes <- read_bytes(file)
    expect_identical(save_answers(q, store), q)
    expect_identical(read_bytes(file), bytes)
    # sorted samples, and those of "These also?"
    sorted <- questionnaire(x)
    file <- tempfile()
    store <- answer_store(file)
    for (t in 1:4) sorted <- save_answers(answer_pair(sorted, 0), store)
    clock <- clock - 3600
    sorted <- save_answers(undo_answer(sorted), store)
    near <- unasked_samples(sorted)[1:2]
    sorted <- save_answers(join_samples(sorted, sorted$answers$i[1], near, "page",
                                        "names"), store)
    expect_length(last_answers(sorted), 2L)
    expect_identical(read_answers(file), answer_table(sorted))
    unlink(file)
})

test_that("a killed R leaves a file that can be read, at any time", {
    skip_on_cran()
    skip_on_os("windows")
    file <- tempfile()
    script <- tempfile(fileext = ".R")
    writeLines(c(
        "library(linkrank)", "x <- matrix(sin(1:4000), 400)",
        "q <- questionnaire(x, strategy = 'random')",
        sprintf("store <- linkrank:::answer_store(%s)", deparse(file)),
        "for (step in 1:10000) {",
        "    q <- linkrank:::save_answers(answer_pair(q, NA, remark = 'a'), store)",
        "    if (step %% 3 == 0)",
        "        q <- linkrank:::save_answers(undo_answer(q), store)",
        "}"
    ), script)
    libraries <- paste(.libPaths(), collapse = .Platform$path.sep)
    for (time in 1:2) {
        system2("sh", c("-c", shQuote(paste(
            shQuote(file.path(R.home("bin"), "Rscript")), "--no-init-file",
            shQuote(script), ">/dev/null 2>&1 & echo $! >",
            shQuote(paste0(script, ".pid"))))),
            env = paste0("R_LIBS=", shQuote(libraries)))
        until <- Sys.time() + 60
        # while it writes, and after it was killed
        while (NROW(if (isTRUE(file.size(file) > 0)) read_answers(file)) < 5L &&
               Sys.time() < until) Sys.sleep(0.01)
        tools::pskill(as.integer(readLines(paste0(script, ".pid"))), 9L)
        got <- read_answers(file)
        expect_gte(nrow(got), 4L)
        expect_null(attr(got, "damaged"))
        # the next one begins anew
        unlink(file)
    }
    unlink(c(script, paste0(script, ".pid")))
})

test_that("two R processes write to one file, each of its own pairs", {
    x <- random_matrix(14, 4)
    file <- tempfile()
    stores <- list(answer_store(file), answer_store(file))
    q <- rep(list(questionnaire(x, ask = "pairs")), 2)
    for (step in 1:6) {
        k <- 1L + step %% 2L
        q[[k]] <- save_answers(q[[k]], stores[[k]])
        q[[k]] <- save_answers(answer_pair(q[[k]], c("same", "different",
                                                     "unsure")[1 + step %% 3]),
                               stores[[k]])
    }
    q[[1]] <- save_answers(q[[1]], stores[[1]])
    q[[2]] <- save_answers(q[[2]], stores[[2]])
    expect_identical(answer_table(q[[1]]), answer_table(q[[2]]))
    # what one undoes, changes or remarks, the other takes over
    q[[1]] <- undo_answer(answer_pair(q[[1]], "unsure", number = 2))
    q[[1]] <- save_answers(set_remark(q[[1]], 1, "dark"), stores[[1]])
    q[[2]] <- save_answers(q[[2]], stores[[2]])
    expect_identical(answer_table(q[[2]]), answer_table(q[[1]]))
    expect_identical(next_pair(q[[2]]), next_pair(q[[1]]))
    # a row by hand that says the opposite of an answer that is not yet saved
    held <- readBin(file, "raw", 1e5)
    due <- next_pair(q[[1]])
    cat(paste(due[1], due[2], names(due)[1], names(due)[2], "cannot-link",
              time_now(), "hand\n", sep = ","), file = file,
        append = TRUE)
    expect_error(save_answers(answer_pair(q[[1]], "same"), stores[[1]]),
                 "\"cannot-link\" (hand, 20", fixed = TRUE,
                 class = "linkrank_error_answers")
    # undone here, before it was saved: the one by hand counts
    back <- save_answers(undo_answer(answer_pair(q[[1]], "same")), stores[[1]])
    expect_true("hand" %in% back$answers$source)
    expect_identical(read_answers(file)$type, answer_table(back)$type)
    writeBin(held, file)
    # one that a person has added by hand stays as it is
    cat("1,2,s1,s2,unsure,", time_now(), ",hand\n", sep = "", file = file,
        append = TRUE)
    held <- readLines(file)
    q[[1]] <- save_answers(q[[1]], stores[[1]])
    expect_identical(readLines(file), held)
    expect_identical(utils::tail(q[[1]]$answers$source, 1), "hand")
    q[[2]] <- save_answers(q[[2]], stores[[2]])
    # one that was not saved is not lost by that
    q[[1]] <- answer_pair(q[[1]], "unsure")
    q[[2]] <- save_answers(answer_pair(undo_answer(q[[2]]), "unsure"),
                           stores[[2]])
    q[[1]] <- save_answers(q[[1]], stores[[1]])
    expect_identical(read_answers(file), answer_table(q[[1]]))
    unlink(file)
})

test_that("a file of before is read, and goes on below a header of its own", {
    x <- random_matrix(14, 4)
    file <- saved(earlier_file, mark = TRUE)
    now <- read_answers(file)
    expect_identical(now$type, c("cannot-link", "cannot-link", "must-link"))
    expect_identical(now$action, c(1L, 2L, 2L))
    expect_identical(nrow(read_answers(file, history = TRUE)), 5L)
    q <- questionnaire(x, strategy = "groups", ask = "sort", rater = "ann")
    q <- save_answers(q, answer_store(file))
    expect_identical(answer_table(q), now)
    expect_identical(readLines(file)[-1], earlier_file[-1])
    q <- answer_pair(q, 1, number = 2)
    write_answers(q, file)
    expect_identical(read_answers(file), answer_table(q))
    expect_identical(readLines(file)[seq_along(earlier_file)][-1],
                     earlier_file[-1])
    expect_identical(nrow(read_answers(file, history = TRUE)), 7L)
    unlink(file)
})

test_that("spreadsheets between two answers: separators and ends are kept", {
    german <- gsub(",", ";", earlier_file, fixed = TRUE)
    x <- random_matrix(14, 4)
    rownames(x)[1] <- "s1\nb"
    german <- gsub("s1", "s1\r\nb", german, fixed = TRUE)
    for (end in c("\n", "\r\n")) {
        file <- saved(if (end == "\n") gsub("\r", "", german) else german, end)
        q <- questionnaire(x, strategy = "groups", ask = "sort", rater = "ann")
        store <- answer_store(file)
        for (time in 1:2) q <- save_answers(answer_pair(q, 0), store)
        lines <- readLines(file)
        expect_match(utils::tail(lines, 1), "^[0-9]+;[0-9]+;\"")
        expect_identical(sum(grepl("name_i;name_j", lines)), 2L)
        expect_identical(read_answers(file)[1:7], answer_table(q)[1:7])
    }
    # saved anew meanwhile, without seconds
    lines <- gsub("2026-11-20T09:(..):00Z", "20.11.2026 09:\\1",
                  readLines(file))
    lines <- gsub("Z", "", lines)
    writeLines(lines, file)
    q <- save_answers(answer_pair(q, NA), store)
    expect_identical(read_answers(file)[1:5], answer_table(q)[1:5])
    unlink(file)
})

test_that("names of kinds are rows of the file, and survive", {
    x <- random_matrix(14, 4)
    file <- tempfile()
    store <- answer_store(file)
    q <- answer_pair(questionnaire(x, ask = "pairs"), "same")
    pair <- unname(next_pair(questionnaire(x, ask = "pairs")))
    q <- name_group(q, pair[1], "B cells")
    q <- name_group(q, pair[1], "T cells")
    q <- save_answers(name_group(q, pair[2], "B cells"), store)
    wanted <- data.frame(sample = pair[2], name = "B cells")
    expect_identical(group_names(q), wanted)
    expect_identical(read_answers(file)$type, "must-link")
    expect_identical(attr(read_answers(file), "group_names")$remark,
                     c("B cells", "T cells", "B cells"))
    held <- readBin(file, "raw", 1e5)
    q <- save_answers(q, store)
    expect_identical(readBin(file, "raw", 1e5), held)
    # in another session, from the file or as a table, and for another window
    other <- save_answers(questionnaire(x, ask = "pairs"),
                          answer_store(file))
    expect_identical(group_names(other), wanted)
    again <- questionnaire(x[14:1, ], ask = "pairs",
                           answers = read_answers(file))
    expect_identical(group_names(again)$sample, 15L - pair[2])
    write_answers(name_group(other, pair[2], ""), file)
    q <- save_answers(q, store)
    expect_identical(group_names(q)$name, character())
    expect_identical(group_names(with_answers(other, answers_in(other))),
                     wanted)
    unlink(file)
})

test_that("what a change of another answer implies is no answer of its own", {
    y <- rep(1:3, 6)
    x <- random_matrix(18, 4)
    q <- answer_all(questionnaire(x, n = 8, rater = "ann", scale = "none"), y)
    file <- write_answers(q, tempfile(fileext = ".csv"))
    turned <- 0
    for (number in 4:8) for (choice in 0:2) {
        changed <- tryCatch(answer_pair(q, choice, number),
                            linkrank_error = function(condition) q)
        held <- tempfile(fileext = ".csv")
        file.copy(file, held)
        write_answers(changed, held)
        rows <- answer_table(changed)
        again <- read_answers(held)
        same <- c("i", "j", "type", "action", "implied")
        expect_identical(again[same], rows[same])
        old <- answer_table(q)
        turned <- turned + any((old$type != rows$type)[rows$action != number])
    }
    expect_gt(turned, 2)
})

test_that("a file that somebody has sorted reads as before", {
    x <- random_matrix(10, 4)
    q <- questionnaire(x, strategy = "random", ask = "pairs")
    file <- tempfile(fileext = ".csv")
    for (k in 1:6) q <- answer_pair(q, k %% 3 != 0)
    write_answers(q, file)
    later <- function(from, to) {
        # as if it was a minute later
        lines <- readLines(file)
        new <- seq_along(lines) > from
        lines[new] <- sub("T[0-9]{2}:[0-9]{2}:", to, lines[new])
        writeLines(lines, file)
    }
    later(1, "T01:00:")
    q <- questionnaire(x, strategy = "random", ask = "pairs",
                       answers = read_answers(file))
    q <- answer_pair(q, FALSE, number = 1)
    before <- length(readLines(file))
    write_answers(q, file)
    later(before, "T01:01:")
    q <- undo_answer(questionnaire(x, strategy = "random", ask = "pairs",
                                   answers = read_answers(file)))
    before <- length(readLines(file))
    write_answers(q, file)
    later(before, "T01:02:")
    want <- read_answers(file)
    key <- function(answers) sort(paste(answers$i, answers$j, answers$type))
    table <- utils::read.csv(file, fileEncoding = "UTF-8-BOM",
                             colClasses = "character", na.strings = "")
    for (rows in list(order(table$time, decreasing = TRUE), nrow(table):1,
                      order(table$type, table$name_i))) {
        write.csv(table[rows, ], file, row.names = FALSE, na = "")
        expect_identical(key(suppressMessages(read_answers(file))), key(want))
        linked <- suppressMessages(
            pairwise_constraints(table[rows, ], samples = rownames(x)))
        expect_length(linked, sum(want$type != "unsure"))
    }
    expect_message(read_answers(file), "the last by time counts")
    unlink(file)
})

test_that("files are read as spreadsheets of many countries save them", {
    rows <- c("\"a\",\"b\",must-link,2026-01-31T09:30:00Z,web,TRUE",
              "\"a\",\"c\",cannot-link,,web,FALSE")
    head <- "i,j,name_i,name_j,type,time,source,implied"
    plain <- read_answers(saved(c(head, paste0("1,2,", rows[1]),
                                  paste0("1,3,", rows[2]))))
    as_saved <- function(true, false, kinds = c("must-link", "cannot-link")) {
        lines <- c("sep=;", toupper(head), paste0("1.0,2.0,", rows[1]),
                   paste0("1.0,3.0,", rows[2]))
        lines <- sub("must-link", kinds[1], sub("cannot-link", kinds[2], lines))
        lines <- sub("TRUE$", true, sub("FALSE$", false, lines))
        # the line of the separator stays
        lines[-1] <- gsub(",", ";", gsub("\"", "", lines[-1]))
        saved(lines)
    }
    words <- package_table("truth.csv")
    for (k in seq_len(nrow(words))) {
        expect_identical(read_answers(as_saved(words$true[k], words$false[k],
                                               unlist(words[k, 2:3]))), plain)
    }
    # Windows-1252
    file <- tempfile()
    lines <- c(head, "1,2,M\xfcller,b,?,,web,NA")
    writeLines(lines, file, useBytes = TRUE)
    got <- read_answers(file)
    expect_identical(got$name_i, "M\u00fcller")
    expect_identical(got$type, "unsure")
    # what is wrong is named
    writeLines(c(head, "1,2,a,b,same,,web,maybe", "1,2,a,b,same,,web,"), file)
    expect_error(read_answers(file), "\"maybe\" in column \"implied\"",
                 class = "linkrank_error_answers")
    unlink(file)
})

test_that("names that a spreadsheet has changed are listed", {
    known <- c("SEPT2", "MARCH1", "007", "1E5", "1/2", "s10")
    meant <- c(`2-Sep` = "SEPT2", `Sep-02` = "SEPT2", `1-Mar` = "MARCH1",
               `7` = "007", `1.00E+05` = "1E5", `100000` = "1E5",
               `2-Jan` = "1/2", `01.02.2026` = "1/2", `02.09.2026` = "SEPT2")
    # files of samples
    meant <- c(meant, `data/s10.png` = "s10", `C:\\x\\MARCH1.PNG` = "MARCH1")
    for (name in names(meant)) {
        expect_identical(nearest_name(name, known), meant[[name]])
    }
    known <- c("my img1", "img2.tif")
    expect_identical(nearest_name("a/my%20img1.png", known), known[1])
    expect_identical(nearest_name("img2", known), known[2])
    x <- random_matrix(6, 3)
    rownames(x) <- c("SEPT2", "MARCH1", "007", "1E5", "1/2", "s10")
    table <- data.frame(i = 1:2, j = 6, name_i = c("2-Sep", "1/2"),
                        name_j = c("s10", "s10"), type = "same")
    expect_message(questionnaire(x, ask = "pairs", answers = table),
                   "\"2-Sep\" (\"SEPT2\"?)", fixed = TRUE)
    # the mark that keeps a spreadsheet from computing
    table$name_i <- c("'+a", "'007")
    rownames(x)[1] <- "+a"
    links <- suppressMessages(pairwise_constraints(table, samples = x))
    expect_identical(links$first, c(1L, 3L))
})

test_that("two people who differ have their rows side by side", {
    x <- random_matrix(20, 6)
    y <- rep(1:2, 10)
    session <- function(rater, labels) {
        suppressWarnings(active_constraints(x, labels, n = 12, rater = rater))
    }
    said <- list(ann = session("ann", y),
                 bob = session("bob", replace(y, c(3, 8, 11), 3)))
    file <- tempfile(fileext = ".csv")
    for (who in c("ann", "bob", "ann", "bob")) write_answers(said[[who]], file)
    read <- read_answers(file)
    for (who in names(said)) {
        given <- said[[who]]$questions
        given <- given[!is.na(given$question), ]
        own <- read[read$rater == who, ]
        expect_identical(own$i, given$i)
        expect_identical(own$j, given$j)
        expect_identical(own$type, given$type)
    }
    expect_false(identical(said$ann$must_link, said$bob$must_link))
    # who has no name is one person
    file <- tempfile(fileext = ".csv")
    write_answers(session(NULL, y), file)
    expect_error(write_answers(session(NULL, replace(y, c(3, 8, 11), 3)), file),
                 "was changed by another program",
                 class = "linkrank_error_answers")
})

read_sheet <- function(file) utils::read.csv(file, fileEncoding = "UTF-8-BOM")

test_that("a sheet is filled in by who has no questionnaire", {
    y <- rep(c("b", "a"), 10)
    x <- random_matrix(20, 6)
    rownames(x)[1] <- "=1+1"
    names(y) <- rownames(x)
    file <- function() tempfile(fileext = ".csv")
    ann <- suppressWarnings(active_constraints(x, y, n = 12, rater = "ann"))
    asked <- unique(c(ann$questions$i, ann$questions$j))
    own <- write_answers(ann, file(), empty = TRUE)
    sheet <- read_sheet(own)
    expect_named(sheet, c("sample", "group", "remark"))
    expect_setequal(sub("^'", "", sheet$sample), rownames(x)[asked])
    # no answer, no name of a group
    expect_true(all(is.na(sheet[-1])))
    expect_error(write_answers(ann, own, empty = TRUE), "may have been filled in",
                 class = "linkrank_error_answers")
    sheet$group <- y[sub("^'", "", sheet$sample)]
    links <- pairwise_constraints(sheet, samples = rownames(x))
    groups <- constraint_groups(links, of = rownames(x))
    expect_identical(as.character(groups[asked]), unname(y[asked]))
    # the same groups as those of the one who sorted
    both <- list(ann = ann, cy = sheet)
    expect_identical(answer_agreement(both)$groups$ari, 1)
    expect_identical(nrow(answer_conflicts(reconcile_answers(both, rownames(x)))),
                     0L)
    expect_identical(questionnaire(x, answers = sheet)$closure$component,
                     questionnaire(x, answers = links)$closure$component)
    # unsure, not placed, with other heads and blanks
    names(sheet) <- c("Sample", "GROUP ", "notes")
    sheet[3, 2] <- " ? "
    sheet[4, 2] <- ""
    expect_message(less <- pairwise_constraints(sheet, samples = rownames(x)),
                   "Not used, as unsure")
    expect_identical(sum(!is.na(constraint_groups(less))), length(asked) - 2L)
    # codes
    blind <- file()
    write_answers(ann, blind, empty = TRUE, names = FALSE)
    coded <- read_sheet(blind)
    key <- read_sheet(sub(".csv", "-key.csv", blind, fixed = TRUE))
    expect_false(any(coded$sample %in% rownames(x)))
    expect_false(is.unsorted(coded$sample))
    expect_setequal(key$sample[match(coded$sample, key$code)],
                    read_sheet(own)$sample)
    # the key beside the sheet is used, also where the sheet was saved as a copy
    coded$group <- y[sub("^'", "", key$sample[match(coded$sample, key$code)])]
    copy <- sub(".csv", "-ann.csv", blind, fixed = TRUE)
    write.csv2(coded, copy, row.names = FALSE)
    read <- read_answers(copy)
    expect_setequal(read$sample, rownames(x)[asked])
    again <- constraint_groups(pairwise_constraints(read, samples = rownames(x)),
                               of = rownames(x))
    expect_identical(as.character(again), as.character(groups))
    expect_identical(read_answers(blind)$sample, read$sample)
    # two keys with these codes, neither with the name of the copy
    file.copy(sub(".csv", "-key.csv", blind, fixed = TRUE),
              sub(".csv", "-2-key.csv", blind, fixed = TRUE))
    expect_error(read_answers(copy), "must be those of one key",
                 class = "linkrank_error_answers")
    expect_identical(read_answers(blind)$sample, read$sample)
    # numbers are names where the data have names, else rows
    expect_placed <- function(links, at) {
        groups <- constraint_groups(links)
        expect_setequal(which(!is.na(groups)), at)
        alike <- function(codes) unname(outer(codes, codes, `==`))
        expect_identical(alike(as.character(groups)[at]), alike(y[at]))
        # the names that the groups were given are those of these samples
        given <- links$group_names
        expect_identical(given$name, unname(y[given$sample]))
    }
    for (names in list(NULL, rev(seq_along(y)), 100 + seq_along(y))) {
        named <- `rownames<-`(x, names)
        q <- questionnaire(named, n = 8)
        for (text in c(TRUE, FALSE)) {
            sheet <- read_answers(write_answers(q, file(), TRUE, names = text))
            at <- match(sheet$sample, rownames(named) %||% seq_along(y))
            sheet$group <- y[at]
            filled <- file()
            write.csv(sheet, filled, row.names = FALSE)
            links <- pairwise_constraints(read_answers(filled), samples = named)
            expect_placed(links, at)
            both <- list(a = filled, b = sheet)
            expect_placed(reconcile_answers(both, samples = named), at)
            # row numbers are rows, whatever the names are
            sheet$sample <- at
            expect_placed(suppressMessages(
                pairwise_constraints(sheet, samples = named)), at)
        }
    }
    # pairs, and what nobody was asked about
    pairs <- active_constraints(x, y, n = 6, ask = "pairs")
    sheet <- read_sheet(write_answers(pairs, file(), empty = TRUE))
    sheet$answer <- ifelse(y[sub("^'", "", sheet$first)] ==
                               y[sub("^'", "", sheet$second)], "same", "different")
    expect_identical(answer_agreement(list(ann = pairs, cy = sheet))$alike, 1)
    new <- questionnaire(x, n = 8)
    expect_identical(nrow(read_sheet(write_answers(new, file(), empty = TRUE))), 8L)
    sheet <- read_sheet(write_answers(questionnaire(x, ask = "pairs"), file(),
                                      empty = TRUE))
    expect_setequal(sub("^'", "", sheet$sample), rownames(x))
    expect_refused("argument", write_answers(links, file(), empty = TRUE))
})

test_that("each rater of a file has the names that he gave his groups", {
    x <- log2(colon$x)[c(1:8, 41:48), 1:40]
    tissue <- as.character(colon$tissue)[c(1:8, 41:48)]
    begin <- function(rater, labels, names) {
        q <- answer_all(questionnaire(x, n = 8, rater = rater), labels)
        groups <- seen_groups(q)
        for (k in 1:2) q <- name_group(q, groups[[k]][1L], names[k])
        q
    }
    ann <- begin("ann ", tissue, c("one", "two"))
    bob <- begin("bob", replace(tissue, c(3, 10), tissue[c(10, 3)]),
                 c("first", "second"))
    file <- tempfile(fileext = ".csv")
    write_answers(ann, file)
    write_answers(bob, file)
    both <- read_answers(file)
    # the blank behind a name is not part of it
    expect_setequal(both$rater, c("ann", "bob"))
    expect_identical(ann$person, "ann")
    named <- attr(both, "group_names")
    expect_identical(named$remark, c("one", "two", "first", "second"))
    want <- suppressMessages(reconcile_answers(list(ann, bob), rownames(x)))
    plain <- read_sheet(file)
    for (table in list(both, plain, split(both, both$rater))) {
        got <- suppressMessages(reconcile_answers(table, rownames(x)))
        expect_equal(got$group_names, want$group_names)
    }
    own <- structure(both[both$rater == "ann", ], group_names = named)
    again <- questionnaire(x[16:1, ], rater = "ann", answers = own)
    held <- group_names(again)
    expect_identical(rownames(x)[16:1][held$sample],
                     rownames(x)[group_names(ann)$sample])
    expect_identical(held$name, c("one", "two"))
    # row 2 is another sample there
    write_answers(name_group(again, 2L, "third"), file)
    both <- read_answers(file)
    expect_identical(rows_of_names(both)$name_i[5], rownames(x)[15])
    expect_identical(nrow(rows_of_names(both)), 5L)
})

test_that("a rater cannot be named as a file says that there is none", {
    expect_error(questionnaire(log2(colon$x), rater = "NA"), "not \"NA\"",
                 class = "linkrank_error_argument")
})

test_that("whatever is changed and undone, the file holds the answers", {
    x <- matrix(c(1:24, 24:1), 12, dimnames = list(paste0("s", 1:12), NULL))
    columns <- c("name_i", "name_j", "type", "implied", "action")
    kept <- function(q, file) {
        write_answers(q, file)
        expect_identical(
            unname(as.list(given_rows(read_answers(file), 12L, rownames(x))[columns])),
            unname(as.list(answers_in(q)[columns]))
        )
    }
    # what follows from an answer changes with another one, so that rows are
    # written again; then an answer is undone, and the same one is given again
    # within a minute
    labels <- rep(1:3, 4)
    file <- tempfile(fileext = ".csv")
    q <- answer_all(questionnaire(x), labels, 6)
    kept(q, file)
    for (number in seq_len(count_answers(q))) {
        changed <- tryCatch(answer_pair(q, "unsure", number = number),
                            linkrank_error_contradiction = function(e) q)
        kept(changed, file)
        less <- undo_answer(changed)
        kept(less, file)
        kept(answer_all(less, labels, 1), file)
        file <- tempfile(fileext = ".csv")
        kept(q, file)
    }
})
