quietly <- function(work) suppressMessages(work)

# Tables of raters from a matrix pairs x raters of 1 (same), 0, NA (unsure).
rater_tables <- function(answers) {
    pairs <- data.frame(first = paste0("a", seq_len(nrow(answers))),
                        second = paste0("b", seq_len(nrow(answers))))
    lapply(as.data.frame(answers), function(own) {
        cbind(pairs, answer = c("different", "same")[own + 1])
    })
}

# Cohen's kappa from the table of counts, as in his paper.
reference_cohen <- function(a, b) {
    known <- !is.na(a) & !is.na(b)
    table <- table(factor(a[known], 0:1), factor(b[known], 0:1)) / sum(known)
    chance <- sum(rowSums(table) * colSums(table))
    (sum(diag(table)) - chance) / (1 - chance)
}

# Fleiss's kappa, pair by pair.
reference_fleiss <- function(answers) {
    rows <- answers[rowSums(!is.na(answers)) >= 2, , drop = FALSE]
    alike <- vapply(seq_len(nrow(rows)), function(p) {
        own <- rows[p, !is.na(rows[p, ])]
        two <- utils::combn(length(own), 2)
        mean(own[two[1, ]] == own[two[2, ]])
    }, 0)
    share <- mean(rows, na.rm = TRUE)
    chance <- share^2 + (1 - share)^2
    (mean(alike) - chance) / (1 - chance)
}

test_that("kappa by hand: 8 of 10 alike", {
    # both same 5, both different 3, ann alone same 2:
    # chance 0.7 * 0.5 + 0.3 * 0.5 = 0.5, kappa (0.8 - 0.5) / 0.5
    answers <- cbind(ann = c(rep(1, 5), rep(0, 3), 1, 1),
                     bob = c(rep(1, 5), rep(0, 3), 0, 0))
    got <- answer_agreement(rater_tables(answers))
    expect_equal(unlist(got[c("pairs", "alike", "chance", "kappa")]),
                 c(pairs = 10, alike = 0.8, chance = 0.5, kappa = 0.6))
    # without a sample: without its pair. Alike, both same: 7 of 9, chance
    # 6 / 9 * 4 / 9 + 3 / 9 * 5 / 9 = 39 / 81; both different 7 of 9, 7 / 9 *
    # 5 / 9 + 2 / 9 * 4 / 9 = 43 / 81; ann alone same: 8 of 9, 6 / 9 * 5 / 9 +
    # 3 / 9 * 4 / 9 = 42 / 81; each of them for two samples
    without <- rep(c((63 - 39) / 42, (63 - 43) / 38, (72 - 42) / 39),
                   2 * c(5, 3, 2))
    error <- 19 / 20 * sum((without - mean(without))^2) * 0.5^2
    n <- 0.8 * 0.2 / error
    t2 <- qt(0.975, 19)^2
    half <- sqrt(t2 * (0.16 / n + t2 / (4 * n^2))) / (1 + t2 / n)
    middle <- (0.8 + t2 / (2 * n)) / (1 + t2 / n)
    expect_lt(n, 10)
    expect_equal(got$interval,
                 (pmin(middle + c(-half, half), 1) - 0.5) / 0.5)
    expect_identical(got$disputes$first, c("a9", "a10"))
    expect_identical(got$disputes$bob, rep("cannot-link", 2))
})

test_that("kappa is the references', with unsure answers and gaps", {
    set.seed(1)
    for (raters in 2:4) {
        answers <- matrix(sample(c(0, 1, 1, NA), 30 * raters, TRUE), 30,
                          dimnames = list(NULL, letters[1:raters]))
        got <- answer_agreement(rater_tables(answers))
        want <- if (raters == 2) reference_cohen(answers[, 1], answers[, 2])
                else reference_fleiss(answers)
        expect_equal(got$kappa, want)
        expect_true(got$interval[1] < want && want < got$interval[2])
        expect_equal(got$raters$unsure, colSums(is.na(answers)),
                         ignore_attr = TRUE)
        # the order of the rows does not matter
        turned <- lapply(rater_tables(answers), function(own) own[30:1, ])
        expect_equal(answer_agreement(turned)[c("kappa", "interval")],
                     got[c("kappa", "interval")])
    }
})

test_that("the interval covers kappa also where all agree", {
    skip_on_cran()
    set.seed(2)
    # with probability 0.8 both give the same coin, else one each: kappa 0.8
    covered <- vapply(1:400, function(trial) {
        both <- stats::runif(20) < 0.8
        coin <- matrix(sample(0:1, 40, TRUE), 20)
        coin[both, 2] <- coin[both, 1]
        colnames(coin) <- c("a", "b")
        type <- matrix(c("cannot-link", "must-link")[coin + 1], 20,
                       dimnames = dimnames(coin))
        limits <- kappa_interval(kappa_of(type), type, matrix(1:40, 20))
        limits[1] <= 0.8 && 0.8 <= limits[2]
    }, NA)
    expect_gt(mean(covered), 0.92)
})

test_that("of a pair that two raters share nothing is known", {
    got <- answer_agreement(rater_tables(cbind(a = c(1, 0, NA), b = c(1, 0, 1))))
    expect_identical(got$kappa, 1)
    # two pairs alike, with the quantile of t with 3 degrees of freedom
    t2 <- qt(0.975, 3)^2
    expect_equal(got$interval, c((2 / (2 + t2) - 0.5) / 0.5, 1))
})

test_that("pairs that one rater answered twice tell consistency", {
    table <- rater_tables(cbind(ann = c(1, 0, 1, 0)))$ann
    again <- table[c(1, 2, 3, 1), ]
    again$answer <- c("same", "same", NA, "same")
    swapped <- again
    swapped[1:2] <- again[2:1]
    for (more in list(again, swapped)) {
        got <- answer_agreement(rbind(table, more))
        expect_identical(unlist(got$raters[-1]),
                         c(answers = 8L, unsure = 1L, repeated = 3L,
                           consistent = 2L))
        expect_identical(got$pairs, 0L)
        expect_output(print(got), "2 of 3 repeated answers like the first")
    }
})

test_that("what cannot be compared is refused; all alike has no kappa", {
    ann <- rater_tables(cbind(ann = c(1, 0)))
    expect_refused("constraints", answer_agreement(ann),
                   answer_agreement(3), answer_agreement(list(1, 2)))
    expect_refused("argument", answer_agreement(), answer_agreement(ann, 2))
    same <- answer_agreement(rater_tables(cbind(a = c(1, 1), b = c(1, 1))))
    expect_identical(same$kappa, NA_real_)
    expect_output(print(same), "no kappa")
})

test_that("the agreement is printed", {
    answers <- cbind(ann = c(1, 0, 1, 0, 1, 1), bob = c(1, 0, 1, 1, NA, 0),
                     eve = c(1, 1, 1, 0, 0, NA))
    agreement <- answer_agreement(rater_tables(answers))
    expect_snapshot(agreement)
    expect_snapshot(print(agreement, n = 1))
})

test_that("the variance of exchanged samples is that of all permutations", {
    # samples 1 to 5 in groups 1 1 2 2 2 and 1 1 1 2 3
    a <- c(1, 1, 2, 2, 2)
    b <- c(1, 1, 1, 2, 3)
    orders <- as.matrix(expand.grid(1:5, 1:5, 1:5, 1:5, 1:5))
    orders <- orders[apply(orders, 1L, anyDuplicated) == 0, ]
    index <- apply(orders, 1L, function(order) {
        group_indices(a, b[order])[["ari"]]
    })
    expect_equal(mean(index), 0)
    expect_equal(exchanged_square(unclass(table(a, b))), mean(index^2))
    # one group on both sides: any move leaves 0 of 1
    expect_identical(moved_square(matrix(5)), 1)
})

test_that("of raters who sorted the groups are compared", {
    set.seed(9)
    x <- random_matrix(24, 5)
    y <- rep(1:3, 8)
    session <- function(truth, order = 1:24) {
        suppressWarnings(active_constraints(x, truth, n = 18, order = order,
                                            scale = "none"))
    }
    ann <- session(y)
    bob <- session(replace(y, c(5, 9), c(1, 2)))
    eve <- session(replace(y, c(7, 8), 9), c(4:24, 1:3))
    found <- answer_agreement(list(ann = ann, bob = bob, eve = eve))
    expect_identical(found$groups$first, c("ann", "ann", "bob"))
    code <- lapply(list(ann, bob, eve), function(one) closure_groups(one)$code)
    index <- function(a, b, use) {
        use <- use[!is.na(a[use]) & !is.na(b[use])]
        group_indices(a[use], b[use])[["ari"]]
    }
    for (row in 1:3) {
        a <- code[[c(1, 1, 2)[row]]]
        b <- code[[c(2, 3, 3)[row]]]
        both <- which(!is.na(a) & !is.na(b))
        own <- found$groups[row, ]
        expect_equal(own$samples, length(both))
        expect_equal(own$ari, index(a, b, both))
        # the jackknife
        without <- vapply(both, function(i) index(a, b, setdiff(both, i)), 0)
        m <- length(both)
        drawn <- replicate(trials(4000), index(a[both], sample(b[both]), seq_len(m)))
        square <- exchanged_square(unclass(table(a, b)))
        expect_lt(abs(var(drawn) / square - 1), 6 * sqrt(2 / length(drawn)))
        moved <- function(a, b) mean(unlist(lapply(both, function(i) {
            lapply(setdiff(b[both], b[i]), function(g) {
                (index(a, replace(b, i, g), both) - own$ari)^2
            })
        })))
        error <- sqrt((m - 1) / m * sum((without - mean(without))^2) +
                          3 * square + (moved(a, b) + moved(b, a)) / 2)
        half <- qt(0.975, m - 1) * error
        expect_equal(c(own$lower, own$upper),
                     c(max(own$ari - half, -1), min(own$ari + half, 1)))
    }
    links <- suppressMessages(reconcile_answers(list(ann = ann, bob = bob,
                                                     eve = eve)))
    expect_equal(found$raters$error, links$raters$error)
    expect_identical(found$raters$placed, links$raters$samples)
    # by sample, not by pair
    expect_identical(found$pairs, 0L)
    expect_true(all(c("s5", "s9") %in% found$samples$sample))
    expect_false(is.unsorted(found$samples$sure))
    expect_identical(names(found$samples), c("sample", "sure", "ann", "bob",
                                             "eve"))
    expect_narrow(found)
    expect_output(print(found), "ann and bob: adjusted Rand index")
    expect_output(print(found, n = 1), "ann: 1[89] samples placed, error 0")
    # beside them two who answered pairs
    pairs <- data.frame(first = c("s1", "s2"), second = c("s4", "s3"),
                        answer = c("same", "different"))
    both <- answer_agreement(list(ann = ann, bob = bob, dan = pairs, fay = pairs))
    expect_identical(both$pairs, 2L)
    expect_identical(both$alike, 1)
    expect_identical(nrow(both$groups), 1L)
    expect_identical(is.na(both$raters$placed), rep(c(FALSE, TRUE), each = 2))
})

test_that("files of raters are read as the tables in them", {
    x <- log2(colon$x)
    files <- c(ann = tempfile(fileext = ".csv"), bob = tempfile(fileext = ".csv"))
    wrong <- replace(as.character(colon$tissue), c(1, 5, 9), "tumour")
    write_answers(active_constraints(x, colon$tissue, n = 12), files[["ann"]])
    write_answers(active_constraints(x, wrong, n = 12), files[["bob"]])
    tables <- lapply(files, read_answers)
    for (given in list(files, as.list(files))) {
        expect_identical(answer_agreement(given), answer_agreement(tables))
        expect_identical(reconcile_answers(given), reconcile_answers(tables))
    }
    expect_identical(reconcile_answers(files[["ann"]]),
                     reconcile_answers(tables$ann))
    expect_error(reconcile_answers("gone.csv"), "\"gone.csv\" does not exist",
                 class = "linkrank_error_answers")
    unlink(files)
})
