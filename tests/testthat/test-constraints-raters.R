# Raters who sorted: the model against a slow one from the page, what becomes of
# every answer, and what is at the edges.

# A sorted session: each sample, in order, beside the first one of every group
# so far. `label`: NA for "can't tell".
sorted_rows <- function(label, order = seq_along(label)) {
    first <- integer()
    rows <- list()
    for (i in order) {
        home <- match(label[i], label[first])
        if (length(first)) {
            type <- if (is.na(label[i])) rep("unsure", length(first)) else
                ifelse(seq_along(first) %in% home, "must-link", "cannot-link")
            rows <- c(rows, list(list(
                i = rep(i, length(first)), j = first, type = type,
                action = rep(i, length(first)),
                implied = !is.na(home) & type == "cannot-link")))
        }
        if (is.na(home) && !is.na(label[i])) first <- c(first, i)
    }
    if (length(rows)) as.data.frame(do.call(Map, c(list(c), rows)))
}

sorted_by <- function(...) lapply(list(...), sorted_rows)

reconciled <- function(tables, samples) {
    suppressMessages(reconcile_answers(tables, samples))
}

# Dawid and Skene's model as it is written down, a sample and a kind at a time.
# `label`: samples x raters. list(share, error).
reference_kinds <- function(label) {
    n <- nrow(label)
    raters <- seq_len(ncol(label))
    far <- matrix(1, n, n)
    for (i in seq_len(n)) for (j in seq_len(n)) {
        both <- which(!is.na(label[i, ]) & !is.na(label[j, ]))
        if (length(both)) {
            far[i, j] <- 1 - mean(label[i, both] == label[j, both])
        }
    }
    start <- cutree(hclust(as.dist(far), "average"), h = 0.499)
    members <- Filter(function(own) length(own) > 1, split(seq_len(n), start))
    kinds <- seq_along(members)
    share <- matrix(1 / length(members), n, length(members))
    for (k in kinds) for (i in members[[k]]) {
        share[i, ] <- 0.001 / (1 + 0.001 * (length(kinds) - 1))
        share[i, k] <- 1 / (1 + 0.001 * (length(kinds) - 1))
    }
    for (round in 1:1000) {
        means <- matrix(NA, n, ncol(label))
        for (r in raters) for (g in unique(na.omit(label[, r]))) {
            own <- which(label[, r] == g)
            weight <- vapply(kinds, function(k) {
                if (any(own %in% members[[k]])) sum(share[own, k]) else 0
            }, 0)
            means[own, r] <- if (length(own) < 2 || max(weight) == 0) 0 else
                which.max(weight)
        }
        error <- vapply(raters, function(r) {
            placed <- which(!is.na(label[, r]))
            wrong <- vapply(placed, function(i) {
                if (means[i, r] == 0) 1 else 1 - share[i, means[i, r]]
            }, 0)
            min((sum(wrong) + 1) / (length(placed) + 5), 0.75)
        }, 0)
        new <- share
        for (i in seq_len(n)) {
            for (k in kinds) {
                new[i, k] <- mean(share[, k]) + 1e-6
                for (r in which(!is.na(label[i, ]))) {
                    new[i, k] <- new[i, k] * if (means[i, r] == k)
                        1 - error[r] else error[r] / length(kinds)
                }
            }
            new[i, ] <- new[i, ] / sum(new[i, ])
        }
        done <- max(abs(new - share)) < 1e-6
        share <- new
        if (done) break
    }
    list(share = share, error = error)
}

slip <- function(y, rate) {
    wrong <- stats::runif(length(y)) < rate
    y[wrong] <- sample(max(y) + 2, sum(wrong), TRUE)
    y
}

test_that("the model is that of the reference", {
    set.seed(1)
    for (trial in 1:12) {
        kinds <- 2 + trial %% 3
        y <- sample(rep_len(seq_len(kinds), 30))
        label <- vapply(seq_len(2 + trial %% 4), function(r) {
            own <- slip(y, 0.05 * r)
            replace(own, sample(30, 2 * (trial %% 3)), NA)
        }, integer(30))
        label <- label[rowSums(!is.na(label)) > 0, ]
        n <- nrow(label)
        want <- reference_kinds(label)
        links <- reconciled(apply(label, 2, sorted_rows), n)
        expect_equal(links$raters$error, want$error, tolerance = 1e-6)
        sure <- apply(want$share, 1, max)
        kind <- max.col(want$share)
        groups <- closure_groups(links)$code
        placed <- !is.na(groups)
        expect_true(all(sure[placed] > 0.5))
        expect_identical(outer(groups, groups, `==`)[placed, placed],
                         outer(kind, kind, `==`)[placed, placed])
        # the confidence of a sample is its probability
        must <- links$must_link
        expect_equal(links$confidence[must], sure[links$first[must]],
                     tolerance = 1e-6)
        # the others: nobody's group stands for a kind, or the last of a kind
        others <- which(!placed & sure > 0.5)
        expect_lte(length(others), 3)
        expect_setequal(disputed_samples(links), which(!placed))
    }
})

test_that("three raters who differ in some samples do not end in one group", {
    y <- rep(1:2, 12)
    ann <- replace(y, c(5, 9), 3 - y[c(5, 9)])
    bob <- y
    eve <- replace(y, c(3, 20), 5:6)
    tables <- sorted_by(ann = ann, bob = bob, eve = eve)
    expect_message(links <- reconcile_answers(tables, 24), "Left out")
    expect_identical(unname(constraint_groups(links)), y)
    lost <- answer_conflicts(links)
    expect_true(all(lost$reason == "placed" & lost$sure > 0.9))
    expect_setequal(lost$raters, c("ann", "eve"))
    # 5 and 9 in their places; 3 and 20 were said to be like none of two
    expect_identical(sum(lost$raters == "ann"), 2L)
    expect_setequal(lost$first[lost$raters == "eve"], c(3L, 20L))
    table <- links$raters
    expect_identical(table$rater, c("ann", "bob", "eve"))
    expect_identical(table$samples, rep(24L, 3))
    expect_true(all(diff(table$error[c(2, 1)]) > 0))
    expect_equal(table$agreement["ann", "bob"],
                 group_indices(ann, bob)[["ari"]])
    expect_snapshot({
        links
        print(lost, n = 2)
        print(links, n = 1)
    })
    # those in dispute, the most undecided first
    open <- links$disputes
    expect_identical(open[, 1], open[, 2])
    expect_setequal(open[, 1], c(5L, 9L, 3L, 20L))
})

test_that("every answer is used or listed", {
    set.seed(2)
    for (trial in seq_len(trials(25))) {
        y <- sample(1:3, 16, TRUE)
        tables <- lapply(1:(2 + trial %% 3), function(r) {
            own <- slip(y, 0.3)
            sorted_rows(replace(own, sample(16, trial %% 5), NA), sample(16))
        })
        if (trial %% 2) {
            # and somebody who answered pairs
            pairs <- t(replicate(6, sample(16, 2)))
            tables <- c(tables, list(data.frame(
                i = pairs[, 1], j = pairs[, 2],
                type = ifelse(y[pairs[, 1]] == y[pairs[, 2]], "same",
                              "different"))))
        }
        links <- reconciled(tables, 16)
        given <- do.call(rbind, lapply(tables, function(table) {
            table[!(table$implied %||% FALSE) & table$type != "unsure", 1:3]
        }))
        given$type <- answer_kind(given$type)
        used <- (relation(closure_of(links), given$i, given$j) ==
                     given$type) %in% TRUE
        expect_identical(sum(answer_conflicts(links)$votes), sum(!used))
        # no group of a sample that somebody put with another one
        groups <- closure_groups(links)
        alone <- groups$first[groups$size == 1]
        same <- given[given$type == "must-link", ]
        expect_false(any(alone %in% c(same$i, same$j)))
    }
})

test_that("tables, files and sessions are read alike", {
    set.seed(3)
    x <- random_matrix(20, 6)
    y <- rep(1:3, length.out = 20)
    asked <- lapply(c(ann = 1, bob = 2, eve = 3), function(r) {
        suppressWarnings(active_constraints(x, slip(y, 0.15), n = 17,
                                            scale = "none"))
    })
    links <- reconciled(asked, rownames(x))
    expect_false(is.null(links$raters))
    # a file of answers has no labels
    expect_setequal(links$group_names$name, as.character(1:3))
    links["group_names"] <- NULL
    groups <- constraint_groups(links)
    files <- lapply(asked, function(one) {
        read_answers(write_answers(one, tempfile(fileext = ".csv")))
    })
    expect_identical(reconciled(files, rownames(x)), links)
    tables <- lapply(asked, as.data.frame)
    expect_true(all(c("action", "implied") %in% names(tables$ann)))
    again <- reconciled(tables, rownames(x))
    expect_identical(outer(constraint_groups(again), constraint_groups(again),
                           `==`), outer(groups, groups, `==`))
    expect_equal(again$raters, links$raters)
    # one table, samples in another order, sessions in another order
    one <- do.call(rbind, Map(cbind, files, rater = names(files)))
    turned <- sample(rownames(x))
    for (other in list(reconciled(one, turned),
                       reconciled(files[c(3, 1, 2)], turned))) {
        found <- constraint_groups(other)[rownames(x)]
        expect_identical(unname(outer(found, found, `==`)),
                         unname(outer(groups, groups, `==`)))
    }
    # of fewer samples
    part <- suppressMessages(reconcile_answers(asked, rownames(x)[1:15]))
    expect_identical(part$samples, 15L)
    expect_identical(part$raters, links$raters)
})

test_that("edges: one rater, no common sample, one group, nobody could tell", {
    y <- c(1, 2, 1, 2, 3, 1)
    # one rater: the answers
    alone <- reconcile_answers(sorted_by(y), 6)
    expect_null(alone$raters)
    expect_identical(closure_groups(alone)$code, as.integer(y))
    expect_identical(nrow(answer_conflicts(alone)), 0L)
    # no common sample: nothing is known between their groups
    apart <- reconciled(list(sorted_rows(rep(y, 2), 1:6),
                             sorted_rows(rep(y, 2), 7:12)), 12)
    expect_identical(closure_groups(apart)$code,
                     c(1L, 2L, 1L, 2L, NA, 1L, 3L, 4L, 3L, 4L, NA, 3L))
    expect_identical(relation(closure_of(apart), 1L, 7L), NA_character_)
    expect_identical(relation(closure_of(apart), c(1L, 5L), c(2L, 1L)),
                     rep("cannot-link", 2))
    expect_true(all(is.na(apart$raters$agreement)))
    # who puts all into one group is no reason to join them
    y <- rep(1:2, 8)
    lump <- cbind(sorted_rows(rep(1, 16)), time = "2026-01-01T00:00:00Z")
    for (others in list(sorted_by(y), sorted_by(y, replace(y, 7, 2)))) {
        links <- reconciled(c(others, list(lump)), 16)
        expect_identical(unname(constraint_groups(links))[-7], y[-7])
        expect_identical(nrow(links$raters), length(others) + 1L)
    }
    both <- reconciled(list(lump, lump), 16)
    expect_true(all(constraint_groups(both) == 1))
    # all "can't tell"
    unsure <- sorted_rows(c(1, 2, NA, NA, NA))[-1, ]
    none <- reconcile_answers(list(unsure, unsure), 5)
    expect_length(none, 0)
    some <- reconcile_answers(list(sorted_rows(y), unsure), 16)
    expect_identical(unname(constraint_groups(some)), y)
    # two samples, and samples that all say are of no group
    two <- function(label) cbind(sorted_rows(label),
                                 time = "2026-01-01T00:00:00Z")
    tie <- reconciled(list(two(1:2), two(c(1, 1))), 2)
    expect_length(tie, 0)
    expect_identical(nrow(answer_conflicts(tie)), 2L)
    expect_identical(closure_groups(tie)$size, integer())
    # two say the opposite of the only pair that both placed: no pair is left
    opposed <- sorted_by(c(1, 2, NA), c(1, 1))
    none <- reconciled(opposed, 3)
    expect_length(none, 0)
    expect_identical(nrow(answer_conflicts(none)), 2L)
    expect_identical(answer_agreement(opposed)$samples$sample, 2L)
    single <- reconciled(sorted_by(1:4, 1:4), 4)
    expect_identical(sum(!single$must_link), 6L)
    expect_identical(closure_groups(single)$code, 1:4)
    # one that all set apart from two kinds founds no group, its pairs count
    y <- c(1, 2, 1, 2, 1, 2, 3)
    rare <- reconciled(sorted_by(y, y, y), 7)
    expect_identical(disputed_samples(rare), 7L)
    expect_identical(relation(closure_of(rare), c(7L, 7L), 1:2), rep("cannot-link", 2))
    expect_identical(nrow(answer_conflicts(rare)), 0L)
})

test_that("101 raters", {
    set.seed(4)
    y <- rep(1:2, 10)
    tables <- lapply(1:101, function(r) sorted_rows(slip(y, 0.3), sample(20)))
    links <- reconciled(tables, 20)
    groups <- unname(constraint_groups(links))
    expect_identical(outer(groups, groups, `==`), outer(y, y, `==`))
    expect_output(print(links, n = 3), "98 more raters in [$]raters")
    expect_identical(dim(links$raters$agreement), c(101L, 101L))
})

test_that("those who sorted vote as one beside pairs", {
    y <- rep(1:3, 6)
    sorted <- sorted_by(ann = y, bob = replace(y, 9, 1))
    pairs <- data.frame(i = c(1, 4, 2), j = c(2, 7, 3),
                        type = c("same", "same", "different"))
    links <- reconciled(c(sorted, list(dan = pairs)), 18)
    # a pair of one person does not join two kinds
    expect_identical(closure_groups(links)$code[-9], as.integer(y)[-9])
    lost <- answer_conflicts(links)
    expect_identical(lost$raters[lost$reason == "chain"], "dan")
    expect_identical(lost$votes, rep(1L, nrow(lost)))
    # it places a sample that nobody else saw
    more <- reconciled(c(sorted, list(dan = data.frame(
        i = 19, j = 3, type = "same"))), 19)
    expect_identical(closure_groups(more)$code[19], 3L)
    # one who sorted, one who answered pairs
    one <- reconciled(c(sorted[1], list(dan = pairs)), 18)
    expect_identical(closure_groups(one)$code, as.integer(y))
    expect_identical(answer_conflicts(one)$raters, "dan")
    expect_identical(one$raters$rater, "ann")
})

test_that("the adjusted Rand indices are those of two partitions", {
    set.seed(5)
    code <- matrix(sample(c(1:3, NA), 60, TRUE), 15)
    found <- rand_indices(code)
    for (a in 1:3) for (b in (a + 1):4) {
        both <- !is.na(code[, a]) & !is.na(code[, b])
        expect_equal(found[a, b], found[b, a])
        expect_equal(found[a, b], group_indices(code[both, a],
                                                code[both, b])[["ari"]])
    }
    expect_identical(rand_indices(cbind(c(1, 1), c(2, 2)))[1, 2], 1)
    expect_identical(rand_indices(cbind(c(1, NA), c(2, 2)))[1, 2], NA_real_)
})

test_that("names that raters gave go with most of the members", {
    y <- rep(c("b cell", "t cell"), 12)
    x <- random_matrix(24, 5)
    set.seed(4)
    ann <- suppressWarnings(active_constraints(x, y, n = 16, rater = "ann"))
    asked <- unique(c(ann$questions$j, ann$questions$i))
    # the first of a kind is misjudged by one, who names it, and by nobody else
    other <- replace(y, asked[1], setdiff(y, y[asked[1]]))
    sheet <- data.frame(sample = rownames(x)[asked], group = other[asked])
    numbers <- data.frame(sample = rownames(x)[asked],
                          group = as.integer(factor(y[asked])))
    for (answers in list(list(ann = ann, cy = sheet), list(cy = sheet, ann = ann),
                         list(cy = sheet, bob = numbers, eve = numbers))) {
        links <- suppressMessages(reconcile_answers(answers, rownames(x)))
        groups <- closure_groups(links)
        expect_setequal(groups$names, unique(y))
        right <- groups$names[groups$code[asked[-1]]] == y[asked[-1]]
        expect_true(all(right, na.rm = TRUE))
    }
    none <- suppressMessages(reconcile_answers(list(numbers, numbers),
                                               rownames(x)))
    expect_null(none$group_names)
})
