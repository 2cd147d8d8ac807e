# Settling what raters dispute.

dispute_data <- function() random_matrix(8, 5)

pairs_table <- function(first, second, same) {
    data.frame(first = paste0("s", first), second = paste0("s", second),
               answer = ifelse(same, "same", "different"))
}

# They differ about s1 and s2, and s3 and s5 by way of s4; not about s6 to s8.
two_raters <- function() {
    list(ann = pairs_table(c(1, 3, 4, 6), c(2, 4, 5, 7), TRUE),
         bob = pairs_table(c(1, 3, 6, 6), c(2, 5, 7, 8),
                           c(FALSE, FALSE, TRUE, FALSE)))
}

dispute_files <- function(tables = two_raters()) {
    lapply(stats::setNames(nm = names(tables)), function(rater) {
        q <- questionnaire(dispute_data(), answers = tables[[rater]],
                           rater = rater)
        q$answers$rater[] <- rater
        write_answers(q, tempfile(fileext = ".csv"))
    })
}

asked_pair <- function(q) paste(sort(names(next_pair(q))), collapse = " ")

# Which cannot-links the must-links contradict, and which must-links are on a
# path between the samples of one: all paths, by trying.
reference_disputes <- function(rows) {
    must <- rows[rows$same, ]
    on_paths <- function(from, to, seen = from, used = integer()) {
        if (from == to) {
            return(used)
        }
        unlist(lapply(seq_len(nrow(must)), function(at) {
            ends <- c(must$i[at], must$j[at])
            if (from %in% ends && !setdiff(ends, from) %in% seen) {
                step <- setdiff(ends, from)
                on_paths(step, to, c(seen, step), c(used, at))
            }
        }))
    }
    cannot <- rows[!rows$same, ]
    used <- Map(on_paths, cannot$i, cannot$j)
    list(cannot = cannot[lengths(used) > 0, ], must = must[unique(unlist(used)), ])
}

test_that("exactly what contradicts is in dispute", {
    set.seed(36)
    found <- 0
    for (draw in 1:40) {
        ends <- t(replicate(9, sample(8, 2)))
        rows <- data.frame(i = ends[, 1], j = ends[, 2], same = runif(9) < 0.6)
        # all count alike
        rows <- rows[!duplicated(pair_key(rows$i, rows$j, 8)), ]
        ends <- as.matrix(rows[1:2])
        said <- data.frame(rows[1:2], implied = FALSE,
                           type = ifelse(rows$same, "must-link", "cannot-link"))
        key <- pair_key(said$i, said$j, 8)
        disputed <- key %in% disputed_keys(said, key, 8)
        all <- reference_disputes(rows)
        # all such cannot-links, no must-link that is on no path
        expect_setequal(key[disputed & !rows$same],
                        pair_key(all$cannot$i, all$cannot$j, 8))
        expect_identical(setdiff(key[disputed & rows$same],
                                 pair_key(all$must$i, all$must$j, 8)),
                         numeric())
        # the rest contradicts nothing and decides none of them
        rest <- rows[!disputed, ]
        expect_identical(nrow(reference_disputes(rest)$cannot), 0L)
        reached <- diag(8) > 0
        reached[as.matrix(rest[rest$same, 1:2])] <- TRUE
        for (step in 1:3) reached <- (reached | t(reached)) %*% reached > 0
        reached <- reached | t(reached)
        expect_false(any(reached[ends[disputed, , drop = FALSE]]))
        found <- found + sum(disputed)
    }
    expect_gt(found, 40)
})

test_that("only disputes are asked, and the settled answers complete the rest", {
    x <- dispute_data()
    files <- dispute_files()
    for (answers in list(two_raters(), files, unlist(files),
                         lapply(files, read_answers))) {
        q <- questionnaire(x, answers = answers, rater = "eve")
        expect_identical(asked_pair(q), "s1 s2")
        q <- answer_pair(q, "different")
        expect_identical(asked_pair(q), "s3 s4")
        expect_identical(asked_pair(answer_pair(q, NA)), "s4 s5")
        q <- answer_pair(q, "same")
        q <- answer_pair(q, "different")
        # s3 and s5 follow
        expect_null(next_pair(q))
        expect_false(offers_sorting(q))
        links <- pairwise_constraints(q)
        expect_identical(sum(links$must_link), 2L)
        expect_identical(sum(!links$must_link), 3L)
        expect_identical(max(constraint_groups(links), na.rm = TRUE), 2L)
    }
    # nothing in dispute
    ann <- two_raters()$ann
    alike <- questionnaire(x, answers = list(ann = ann, bob = ann))
    expect_null(next_pair(alike))
    expect_refused("answers",
                   questionnaire(x, answers = two_raters()[c(1, 1)]))
    expect_refused("constraints", questionnaire(x, answers = list(1, 2)))
    expect_refused("argument",
                   questionnaire(x, answers = two_raters(),
                                 raters = two_raters()))
})

test_that("a rater may have none of the samples that there are now", {
    tables <- c(two_raters(), list(
        eve = pairs_table(c(1, 3), c(3, 5), c(FALSE, TRUE)),
        kim = pairs_table(9, 10, TRUE)))
    all <- random_matrix(10, 5)
    files <- lapply(stats::setNames(nm = names(tables)), function(rater) {
        write_answers(questionnaire(all, answers = tables[[rater]],
                                    rater = rater), tempfile(fileext = ".csv"))
    })
    ask <- function(files, rows) {
        seen <- NULL
        q <- withCallingHandlers(
            questionnaire(all[rows, ], answers = files),
            linkrank_message_answers = function(m) {
                seen <<- c(seen, conditionMessage(m))
                invokeRestart("muffleMessage")
            })
        list(q = q, seen = seen)
    }
    found <- ask(files, 1:8)
    expect_match(found$seen, "1 of 1 answer is not used", all = FALSE)
    want <- ask(files[-4], 1:8)
    expect_identical(asked_pair(found$q), asked_pair(want$q))
    expect_identical(found$q$disputes, want$q$disputes)
    # nothing is in dispute with who is left alone
    expect_null(next_pair(ask(files[3:4], 1:8)$q))
    # who answered about none of them is no rater
    expect_error(suppressMessages(questionnaire(all[6:8, ], answers = files[3:4])),
                 "there is no answer about samples of `x`",
                 class = "linkrank_error_answers")
    unlink(unlist(files))
})

test_that("pairs on which raters agree are not asked, the most undecided first", {
    x <- dispute_data()
    # three agree on s1 and s2, two on s2 and s3; one says that s1 and s3 differ
    ann <- pairs_table(c(1, 2, 4, 6), c(2, 3, 5, 7), c(TRUE, TRUE, TRUE, TRUE))
    bob <- pairs_table(c(1, 2, 4, 6), c(2, 3, 5, 7), c(TRUE, TRUE, TRUE, FALSE))
    cy <- pairs_table(c(1, 1, 4), c(2, 3, 5), c(TRUE, FALSE, FALSE))
    asked <- function(answers, said = c("same", "different")) {
        q <- questionnaire(x, answers = answers, rater = "eve")
        found <- character()
        while (!is.null(next_pair(q))) {
            expect_lt(0, left_to_judge(q)[1])
            found <- c(found, asked_pair(q))
            q <- answer_pair(q, said[1])
        }
        expect_identical(c(left_to_judge(q), 0L)[1], 0L)
        found
    }
    three <- list(ann = ann, bob = bob, cy = cy)
    expect_identical(asked(three), c("s6 s7", "s4 s5", "s1 s3"))
    expect_identical(asked(three[3:1]), c("s6 s7", "s1 s3", "s4 s5"))
    expect_identical(asked(list(ann[1:2, ], cy[1:2, ])), "s2 s3")
    expect_identical(asked(list(ann, ann)), character())
    skip_if_not_installed("htmltools")
    q <- questionnaire(x, answers = three, rater = "eve")
    html <- as.character(show_progress(q, page_texts()))
    expect_match(html, "<b>4</b>[[:space:]]*pairs left on which raters differ")
})

test_that("the settled answer is written with its history, and wins", {
    x <- dispute_data()
    file <- tempfile(fileext = ".csv")
    input <- textConnection(c("n", "q"))
    # when others answered is of no importance
    others <- lapply(two_raters(), cbind, time = "2026-01-01T00:00:00Z")
    said <- capture.output(active_constraints(
        x, console_oracle(file = file, input = input), n = 20, rater = "eve",
        answers = others))
    close(input)
    expect_match(said, "^   [43] pairs left on which raters differ", all = FALSE)
    # hidden before the answer, shown after
    at <- grep("ann: same, bob: different", said)
    expect_length(at, 1)
    expect_gt(at, grep("^> n", said))
    expect_false(any(grepl("ann|bob", said[seq_len(at - 1)])))
    input <- textConnection(c("y", "l", "1", "y", "l", "", "n"))
    said <- capture.output(links <- active_constraints(
        x, console_oracle(file = file, input = input), n = 20, rater = "eve",
        answers = dispute_files()))
    close(input)
    expect_match(said, "Continuing after 1 answer", all = FALSE)
    expect_match(said, "1  .*: same .ann: same, bob: different.", all = FALSE)
    # of each settled pair: who said what, undone, then what was settled
    lines <- readLines(file)
    own <- grep("\"s1\",\"s2\"", lines, value = TRUE)
    expect_identical(sub(".*\"s2\",([a-z-]+),.*", "\\1", own),
                     c("must-link", "cannot-link", "undone", "undone",
                       "cannot-link", "must-link"))
    expect_identical(anyDuplicated(lines), 0L)
    all <- read_answers(file, history = TRUE)
    pair <- all[all$name_i == "s1" & all$name_j == "s2", ]
    expect_identical(pair$rater, c("ann", "bob", "eve", "eve"))
    expect_identical(pair$type, c("must-link", "cannot-link", "cannot-link",
                                  "must-link"))
    expect_identical(is.na(pair$superseded), c(FALSE, FALSE, FALSE, TRUE))
    now <- read_answers(file)
    expect_identical(now$rater[now$name_i == "s1"], "eve")
    expect_message(settled <- reconcile_answers(now, rownames(x)), NA)
    expect_identical(must_linked_groups(settled), must_linked_groups(links))
    # also what the page offers as a file
    q <- questionnaire(x, answers = two_raters(), rater = "eve")
    page <- tempfile(fileext = ".csv")
    writeBin(log_bytes(answer_pair(q, "same")), page)
    expect_identical(sum(read_answers(page)$name_i == "s1"), 1L)
    # who is one of them does not settle
    q$person <- "ann"
    expect_refused("answers", write_answers(q, tempfile()))
})

test_that("the page shows what the raters said after the answer", {
    skip_if_not_installed("htmltools")
    q <- questionnaire(dispute_data(), answers = two_raters(), rater = "eve")
    state <- new_app_state(q)
    html <- function(tag) paste(as.character(tag), collapse = "")
    state <- app_step(state, list(what = "answer", answer = "must-link",
                                  shown = samples_text(q$pending)))
    expect_match(html(show_answer_list(state)), "ann: .*[Ss]ame.*, bob: ")
    state <- app_step(state, list(what = "undo", count = 1,
                                  shown = samples_text(q$pending)))
    expect_no_match(html(show_answer_list(state)), "bob")
})

test_that("a changed answer contradicts those of others", {
    x <- random_matrix(8, 5)
    links <- pairwise_constraints(cannot_link = rbind(c(1, 3)), must_link = cbind(c(1, 3, 5), c(2, 4, 6)),
                                  samples = rownames(x))
    q <- questionnaire(x, raters = links, ask = "pairs")
    q <- answer_pair(q, "different")
    first <- q$pending
    q <- answer_pair(q, "same")
    expect_identical(summary(q)$open, summary(answer_pair(q, "same", 2))$open)
    expect_error(answer_pair(q, "same", 1), "those of other people",
                 class = "linkrank_error_contradiction")
    answers <- action_table(q)
    state <- app_step(new_app_state(q), list(
        what = "change", shown = answers$shown[1], was = answers$said[1],
        answer = "must-link"))
    # only one of the two links of the proof is an answer with a number
    chain <- as.character(show_conflict(state))
    expect_length(gregexpr("class=\"by\"", chain)[[1]], 2L)
    wrong <- data.frame(first = "s1", second = "s2", answer = "different")
    expect_error(questionnaire(x, raters = links, answers = wrong),
                 "cannot-linked [(]answer 1[)].*[(]those of other people[)]",
                 class = "linkrank_error_contradiction")
})

# Two who sorted and differ about three samples.
two_sessions <- function(x, y) {
    ann <- suppressWarnings(active_constraints(x, y, n = 15, scale = "none"))
    samples <- unique(c(ann$questions$i, ann$questions$j))
    wrong <- samples[c(6, 9, 12)]
    other <- replace(y, wrong, 3 - y[wrong])
    list(tables = list(ann = ann, bob = active_constraints(
        x, other, n = 15, scale = "none")), wrong = wrong, samples = samples)
}

place <- function(q, y) {
    shown <- next_pair(q)
    answer_pair(q, c(which(y[shown[-1]] == y[shown[1]]), 0)[1])
}

test_that("a judge places the samples about which people who sorted differ", {
    set.seed(8)
    y <- rep(1:2, 10)
    x <- random_matrix(20, 6)
    d <- two_sessions(x, y)
    links <- suppressMessages(reconcile_answers(d$tables, rownames(x)))
    files <- lapply(d$tables, function(one) {
        write_answers(one, tempfile(fileext = ".csv"))
    })
    starts <- list(questionnaire(x, answers = links, rater = "eve"),
                   questionnaire(x, answers = d$tables, rater = "eve"),
                   questionnaire(x, answers = files, rater = "eve"),
                   questionnaire(x, raters = links, rater = "eve"),
                   questionnaire(x, raters = d$tables, rater = "eve"))
    for (q in starts) {
        expect_setequal(q$others$judged, d$wrong)
        for (left in 3:1) {
            expect_length(samples_to_judge(q), left)
            # beside one sample of each kind about which they agree
            expect_true(q$pending[1] %in% d$wrong)
            expect_setequal(y[q$pending[-1]], 1:2)
            q <- place(q, y)
        }
        expect_null(next_pair(q))
        result <- pairwise_constraints(q)
        again <- suppressMessages(reconcile_answers(
            c(d$tables, list(eve = q)), rownames(x)))
        for (one in c(list(again), if (q$whole) list(result))) {
            groups <- constraint_groups(one)[d$samples]
            expect_identical(unname(outer(groups, groups, `==`)),
                             outer(y[d$samples], y[d$samples], `==`))
        }
    }
    said <- capture.output(active_constraints(
        x, console_oracle(input = textConnection(c("1", "u", "q"))), n = 9,
        answers = links, scale = "none"))
    expect_match(said, "^   3 samples left on which", all = FALSE)
    expect_match(said, "^   1 sample left on which", all = FALSE)
    # most undecided first, and a result that goes on
    sure <- links$confidence[match(links$disputes[1:3, 1], links$first)]
    expect_false(is.unsorted(sure, na.rm = TRUE))
    expect_false(is.null(next_pair(questionnaire(x, answers = pairwise_constraints(
        place(place(place(starts[[1]], y), y), y))))))
    # can't tell, none of them, pairs
    q <- answer_pair(starts[[1]], NA)
    expect_false(q$pending[1] == starts[[1]]$pending[1])
    expect_length(samples_to_judge(answer_pair(q, 0)), 1L)
    pairs <- questionnaire(x, answers = links, ask = "pairs")
    expect_length(next_pair(pairs), 2L)
    expect_length(samples_to_judge(answer_pair(pairs, "same")), 2L)
    # who put it where, afterwards
    q <- place(starts[[2]], y)
    expect_match(said_of(q, 1), "^ann: same [(]s[0-9]+[)], bob: same [(]s")
    file <- write_answers(q, tempfile(fileext = ".csv"))
    now <- read_answers(file)
    expect_setequal(now$rater, c("ann", "bob", "eve"))
    expect_false(any(now$i[now$rater != "eve"] == q$answers$i[1]))
})

test_that("the page says how many samples are left", {
    skip_if_not_installed("htmltools")
    set.seed(8)
    y <- rep(1:2, 10)
    x <- random_matrix(20, 6)
    d <- two_sessions(x, y)
    q <- questionnaire(x, answers = d$tables, rater = "eve")
    html <- as.character(show_progress(q, page_texts()))
    expect_match(html, "<b>3</b>[[:space:]]*samples left on which raters differ")
})

test_that("a judge may found the kinds, where nobody agrees on any", {
    x <- random_matrix(5, 4)
    sheet <- function(group) data.frame(sample = rownames(x), group = group)
    raters <- list(sheet(c(1, 2, 1, 3, 1)), sheet(c(1, 2, 3, 1, 4)),
                   data.frame(sample = c("s5", "s4"), group = c("mo", "bc")))
    y <- c(1, 2, 2, 1, 2)
    for (q in list(questionnaire(x, answers = raters, rater = "eve"),
                   questionnaire(x, raters = raters, rater = "eve"))) {
        while (!is.null(shown <- next_pair(q))) {
            expect_false(anyNA(shown))
            q <- place(q, y)
        }
        expect_s3_class(pairwise_constraints(q), "pairwise_constraints")
    }
})

test_that("one file is read as one person's", {
    x <- random_matrix(20, 6)
    ann <- answer_all(questionnaire(x, n = 6, rater = "ann"), rep(1:2, 10))
    ann <- name_group(ann, 1, "odd")
    file <- write_answers(ann, tempfile(fileext = ".csv"))
    on.exit(unlink(file))
    whole <- questionnaire(x, answers = read_answers(file))
    again <- questionnaire(x, answers = file)
    expect_identical(answer_table(again)$type, answer_table(ann)$type)
    expect_identical(answer_table(again), answer_table(whole))
    expect_identical(group_names(again)$name, "odd")
    expect_identical(next_pair(again), next_pair(whole))
    # files of several
    other <- write_answers(answer_all(questionnaire(
        x, n = 6, rater = "bob"), rep(1:4, 5)), tempfile(fileext = ".csv"))
    expect_match(said_of(place(questionnaire(x, answers = c(file, other)), rep(1:2, 10)),
                         1), "^ann: ")
    expect_refused("answers", questionnaire(x, answers = "none.csv"))
})
