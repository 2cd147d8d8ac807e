long_names <- function(n) paste0("a sample with a very long name, number ",
                                 seq_len(n))

# ---- length, [, c, as.data.frame --------------------------------------------

test_that("length counts pairs, beyond the largest integer too", {
    expect_identical(length(few_links(6)), 4L)
    expect_identical(length(pairwise_constraints(samples = 3)), 0L)
    # two classes of 50,000: 1e5 (1e5 - 1) / 2 pairs in all, 5e4^2 apart
    links <- constraints_from_labels(rep(1:2, 50000))
    expect_identical(length(links), 4999950000)
    expect_identical(count_pairs(links)[["cannot_link"]], 2.5e9)
})

test_that("an index chooses pairs in the order of as.data.frame()", {
    links <- few_links(6)
    table <- as.data.frame(links)
    expect_identical(as.data.frame(links[c(2, 4)]), rows(table, c(2, 4)))
    expect_identical(as.data.frame(links[-1]), rows(table, -1))
    expect_identical(as.data.frame(links[table$type == "must-link"]),
                     rows(table, 4))
    expect_identical(links[], links)
    expect_length(links[0], 0)
    expect_identical(links[c(1, 1)], links[1])
    expect_identical(links[2:1]$first, c(2L, 1L))
})

test_that("what is chosen keeps names, samples and confidence", {
    links <- new_constraints(rbind(1:2, 3:4), c(FALSE, FALSE), 4, letters[1:4],
                             c(0.4, 0.6))
    expect_identical(links[2]$confidence, 0.6)
    expect_identical(links[2]$names, letters[1:4])
    expect_identical(links[2]$samples, 4L)
})

test_that("an index into labels writes the pairs out", {
    links <- constraints_from_labels(c(1, 1, 2))
    expect_identical(as.data.frame(links[3]),
                     data.frame(i = 1L, j = 2L, type = "must-link",
                                confidence = NA_real_, name_i = NA_character_,
                                name_j = NA_character_))
    expect_identical(as.data.frame(links[1:3]), as.data.frame(links))
})

test_that("an index that chooses nothing there is refused", {
    links <- few_links(6)
    expect_refused("argument",
        links[5],
        links[c(TRUE, FALSE, TRUE, FALSE, TRUE)],
        links[c(1, NA)],
        links["a"],
        links[1, 2],
        links[1, ]
    )
})

test_that("as.data.frame() gives a row a pair, cannot-links first", {
    links <- pairwise_constraints(cannot_link = cbind(3, 1), must_link = cbind(4, 2), samples = letters[1:4])
    expect_identical(as.data.frame(links), data.frame(
        i = 3:4, j = 1:2, type = c("cannot-link", "must-link"),
        confidence = NA_real_, name_i = c("c", "d"), name_j = c("a", "b")
    ))
    expect_identical(dim(as.data.frame(pairwise_constraints(samples = 3))),
                     c(0L, 6L))
})

test_that("as.data.frame() and the constructor are each other's inverse", {
    links <- few_links(paste0("s", 1:6))
    table <- as.data.frame(links)
    must <- table$type == "must-link"
    again <- pairwise_constraints(cannot_link = table[!must, 1:2], must_link = table[must, 1:2],
                                  samples = links$names)
    expect_identical(again, links)
})

test_that("sets of the same samples combine, pairs counting once", {
    a <- pairwise_constraints(cannot_link = cbind(1, 2), must_link = cbind(3, 4), samples = 6)
    b <- pairwise_constraints(cannot_link = rbind(c(2, 1), c(5, 6)), samples = 6)
    both <- c(a, b)
    expect_identical(as.data.frame(both)[1:3], data.frame(
        i = c(1L, 5L, 3L), j = c(2L, 6L, 4L),
        type = c("cannot-link", "cannot-link", "must-link")
    ))
    expect_identical(c(a), a)
    expect_identical(c(a, NULL), a)
    expect_identical(c(a, a, a), a)
})

test_that("combining keeps the names that one of the sets has", {
    a <- pairwise_constraints(cannot_link = cbind(1, 2), samples = 4)
    b <- pairwise_constraints(cannot_link = cbind("a", "c"), samples = letters[1:4])
    said <- "matched by position"
    expect_message(together <- c(a, b), said,
                   class = "linkrank_message_constraints")
    expect_identical(together$names, letters[1:4])
    expect_message(together <- c(b, a), said)
    expect_identical(together$names, letters[1:4])
    expect_silent(c(a, a))
    expect_silent(c(b, b))
})

test_that("labels combine with pairs", {
    labels <- constraints_from_labels(c(1, 2, NA, NA))
    more <- pairwise_constraints(must_link = cbind(3, 1), samples = 4)
    expect_identical(c(labels, more)$first, c(1L, 3L))
    expect_identical(c(labels), labels)
})

test_that("what does not fit together is not combined", {
    a <- pairwise_constraints(cannot_link = cbind(1, 2), samples = letters[1:4])
    expect_refused("constraints",
        c(a, pairwise_constraints(cannot_link = cbind(1, 2), samples = 5)),
        c(a, pairwise_constraints(cannot_link = cbind(1, 2), samples = letters[4:1])),
        c(a, pairwise_constraints(must_link = cbind(1, 2), samples = 4)),
        c(a, cbind(1, 2))
    )
})

# ---- print and summary ------------------------------------------------------

test_that("print() shows counts, what closure adds, and the pairs", {
    expect_snapshot({
        pairwise_constraints(cannot_link = rbind(c(1, 2), c(5, 8), c(9, 12)), must_link = cbind(1, 5),
                             samples = 62)
        pairwise_constraints(cannot_link = cbind("T1", "N1"), must_link = cbind("T1", "T3"),
                             samples = c("T1", "N1", "T3", "N40"))
        pairwise_constraints(samples = 3)
        pairwise_constraints(cannot_link = cbind(1, 2), samples = 3)
        pairwise_constraints(must_link = rbind(c(1, 2), c(2, 3), c(4, 5)),
                             samples = 5)
    })
})

test_that("print() shows the first pairs and counts the others", {
    links <- pairwise_constraints(cannot_link = cbind(1:15, 16:30), samples = 40)
    expect_snapshot({
        links
        print(links, n = 2)
        print(links, n = 0)
    })
    expect_identical(capture.output(print(links, n = Inf))[-(1:3)],
                     sprintf("  %2d  %2d  cannot-link", 1:15, 16:30))
    expect_refused("argument", print(links, n = -1), print(links, n = "all"))
})

test_that("print() of labels shows the classes, not the pairs", {
    expect_snapshot({
        constraints_from_labels(c("normal", "tumour", NA, "tumour"))
        constraints_from_labels(rep(LETTERS, 2))
        constraints_from_labels(c(1, NA, 2))
    })
})

test_that("print() shows confidence where it is known", {
    links <- new_constraints(rbind(1:2, 3:4, 5:6), c(FALSE, FALSE, TRUE), 6,
                             confidence = c(0.98765, NA, 1))
    expect_snapshot(links)
})

test_that("counts are written out, never as 1e+05", {
    links <- pairwise_constraints(cannot_link = cbind(1:100010, 1e5 + 11), samples = 2e5)
    printed <- capture.output(print(links), print(summary(links)))
    expect_no_match(printed, "e[+]0")
    expect_match(printed, "... 100000 more", fixed = TRUE, all = FALSE)
    last <- pairwise_constraints(cannot_link = cbind(1e5, 1), must_link = cbind(1e5, 2), samples = 1e5)
    expect_snapshot(last)
})

test_that("long and odd names fit 80 columns and remain different", {
    links <- few_links(long_names(6))
    expect_snapshot(links)
    expect_narrow(links)
    expect_narrow(summary(links))
    odd <- pairwise_constraints(cannot_link = cbind(1, 2), must_link = cbind(3, 4), samples = c(
        "two\nlines", "\u00e9t\u00e9", strrep("\u4e2d", 40), "bytes \xe9\xff"
    ))
    expect_narrow(odd)
    # what the pairs are stands below one another
    lines <- utils::tail(utils::capture.output(odd), 2L)
    expect_identical(diff(nchar(sub("(cannot|must)-link$", "", lines),
                                type = "width")), 0L)
    skip_if_not(l10n_info()[["UTF-8"]], "print-outs are recorded in UTF-8")
    expect_snapshot(odd)
})

test_that("a million samples as labels fit 80 columns", {
    links <- constraints_from_labels(rep(paste(long_names(40)), 25000))
    expect_snapshot({
        links
        summary(links)
    })
    expect_narrow(links)
    expect_narrow(summary(links))
})

test_that("many groups fit 80 columns", {
    groups <- rep(1:40, times = 40:1)
    must <- label_pairs(groups, TRUE)
    links <- pairwise_constraints(cannot_link = cbind(1, 820), must_link = must, samples = length(groups))
    expect_snapshot(summary(links))
    expect_narrow(links)
    expect_narrow(summary(links))
})

test_that("summary() counts samples, pairs, groups and what is implied", {
    links <- pairwise_constraints(cannot_link = rbind(c(1, 5), c(6, 7)),
                                  must_link = rbind(c(1, 2), c(2, 3), c(5, 4)), samples = 8)
    # groups {1, 2, 3} and {4, 5}: 3 + 1 must-links, 3 * 2 + 1 cannot-links
    expect_identical(unclass(summary(links)), list(
        samples = 8L, touched = 7L, cannot_link = 2L, must_link = 3L,
        implied_cannot_link = 5, implied_must_link = 1, groups = 2L,
        group_sizes = c(3L, 2L),
        methods = paste("Given pairs made 2 cannot-links and 3 must-links among",
                        "7 of 8 samples.")
    ))
    expect_snapshot(summary(links))
    expect_snapshot(summary(constraints_from_labels(c("a", "b", NA, "a"))))
    expect_snapshot(summary(pairwise_constraints(samples = 3)))
})

test_that("what is printed comes back invisibly", {
    links <- few_links(6)
    capture.output({
        expect_invisible(print(links))
        expect_identical(print(links), links)
        expect_invisible(print(summary(links)))
        expect_identical(print(constraints_from_labels(1:3))$class_of, 1:3)
    })
})

test_that("str() and all.equal() read constraints of labels", {
    links <- constraints_from_labels(rep(1:2, 50000))
    expect_output(str(links), "class_of")
    expect_true(all.equal(links, links))
})

test_that("long names are cut in the middle, and only long ones", {
    expect_identical(shorten(c("short", "exactly ten", NA), 11),
                     c("short", "exactly ten", "<NA>"))
    expect_identical(shorten("abcdefghijklmnopqrstuvwxyz", 12), "abcde...wxyz")
    expect_identical(shorten("tab\there", 20), "tab\\there")
    expect_lte(nchar(shorten(strrep("\u4e2d", 40), 24), "width"), 24)
    expect_identical(shorten(character(), 10), character())
})

test_that("names are joined by commas, and lines broken between them", {
    expect_identical(fold_line("a b", width = 10), "a b")
    expect_identical(fold_line(c("a b", "c d", "e f"), width = 9),
                     c("a b, c d,", "e f"))
    expect_identical(fold_line(c("longer than this", "b"), width = 5),
                     c("longer than this,", "b"))
})

test_that("all.equal() counts the pairs that two sets share", {
    links <- pairwise_constraints(cannot_link = cbind(1:5, 6:10), samples = 20)
    expect_true(all.equal(links, links[5:1]))
    expect_match(all.equal(links, links[1:4]), "5 and 4 pairs, of which 4")
    expect_type(all.equal(links, "pairs"), "character")
})

# Sessions of every kind about ten samples.
six_sessions <- function() {
    ids <- letters[1:10]
    kind <- rep(c("tall", "short"), 5)
    x <- random_matrix(10, 4)
    rownames(x) <- ids
    links <- function(...) pairwise_constraints(..., samples = ids)
    sorted <- function(y, rater, ...) active_constraints(
        x, y, n = 6, order = 1:10, rater = rater, progress = FALSE, ...)
    ann <- sorted(kind, "ann")
    bob <- sorted(replace(kind, c(3, 5), "short"), "bob")
    file <- tempfile(fileext = ".csv")
    write_answers(ann, file)
    pairs <- function(answer) data.frame(first = c("a", "b", "c"),
                                         second = c("c", "d", "d"), answer = answer)
    list(given = links(cannot_link = cbind(c("a", "c"), c("b", "d")),
                       must_link = cbind("a", "c")),
         labels = constraints_from_labels(stats::setNames(kind, ids)),
         columns = constraints_from_columns(
             data.frame(clone = rep(1:5, each = 2), kind = rep(c("u", "v"), c(4, 6)),
                        row.names = ids), must_link = "clone", cannot_link = "kind"),
         asked = sorted(kind, NULL), file = links(read_answers(file)),
         several = reconcile_answers(list(ann = ann, bob = bob), ids),
         pairs = reconcile_answers(list(
             ann = pairs(c("same", "same", "different")),
             bob = pairs(c("same", "different", "different"))), ids),
         judge = sorted(kind, "carol", answers = list(ann = ann, bob = bob)),
         none = links())
}

test_that("a paragraph for a methods section says how constraints came about", {
    sessions <- suppressMessages(suppressWarnings(six_sessions()))
    said <- vapply(sessions, function(links) summary(links)$methods, "")
    expect_snapshot(cat(paste0(names(said), ": ", said), sep = "\n"))
    expect_false(any(grepl("NULL|NaN|This package|  ", said)))
    # parts and sums keep who answered, and what a file says is the same
    several <- sessions$several
    expect_identical(several[1:3]$answered, several$answered)
    expect_identical(c(several, sessions$none)$answered, several$answered)
    expect_match(sessions$file$answered, "^ann \\(6 questions by sorting")
    expect_match(sessions$asked$answered, "^labels \\(6 questions by sorting")
    expect_null(sessions$given$answered)
    # pairs drawn from labels are of labels, also some of them
    drawn <- constraints_from_labels(rep(1:2, 5), cannot_link = 4, must_link = 2)
    for (set in list(drawn, drawn[1:3]))
        expect_match(summary(set)$methods, "^Labels made [34] cannot-links")
    expect_match(summary(c(drawn, pairwise_constraints(samples = 10)))$methods,
                 "^Given pairs")
})
