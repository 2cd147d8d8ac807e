# Biological units: samples of one unit change places, are averaged and are split
# together.

# ---- what a unit is -----------------------------------------------------------

test_that("units are read as blocks are, and shown", {
    x <- random_matrix(12, 3)
    unit <- rep(c("c", "a", "b"), c(5, 4, 3))
    data <- prepare_data(x, unit = unit)
    expect_identical(data$unit_of, rep(c(3L, 1L, 2L), c(5, 4, 3)))
    expect_output(print(data), "  3 units of 3 to 5 samples", fixed = TRUE)
    expect_identical(take_samples(data, c(1, 6, 12))$unit_of, c(3L, 1L, 2L))
    expect_null(prepare_data(data, unit = NULL)$unit_of)
    expect_error(prepare_data(x, unit = unit[-1]), "`unit`",
                 class = "linkrank_error_argument")
    expect_error(variance_score(x, unit = unit), "unit")
    # a unit that is not known is one of its own, and they are counted
    unit[c(2, 9)] <- NA
    expect_output(print(prepare_data(x, unit = unit)), "; 2 of none")
    expect_message(code <- known_unit(prepare_data(x, unit = unit)),
                   "`unit` is NA for 2 samples, each of which counts as a unit",
                   class = "linkrank_message_unit")
    expect_length(unique(code), 5)
    # groups as samples
    by <- rep(1:6, each = 2)
    expect_identical(prepare_data(x, by = by, unit = rep(1:3, each = 4))$unit_of,
                     rep(1:3, each = 2))
    expect_error(prepare_data(x, by = by, unit = rep(1:4, 3)),
                 "`unit` must be the same for all samples of a group")
})

test_that("a donor in the sample data is named, once, unless it is used", {
    skip_if_not_installed("SingleCellExperiment")
    set.seed(1)
    x <- random_matrix(24, 10)
    sce <- SingleCellExperiment::SingleCellExperiment(
        list(logcounts = t(x)),
        colData = data.frame(Patient_ID = rep(1:8, each = 3),
                             kind = rep(c("a", "b"), each = 12)))
    said_of <- function(call, count = 1L) {
        messages <- character()
        withCallingHandlers(suppressWarnings(call), message = function(m) {
            if (inherits(m, "linkrank_message_unit")) {
                messages <<- c(messages, conditionMessage(m))
            }
            invokeRestart("muffleMessage")
        })
        expect_length(grep("\"Patient_ID\" has 8 values for 24",
                           messages), count)
        expect_length(messages, count)
    }
    links <- constraints_from_labels(sce, "kind")
    said_of(relieff_sc(sce, links, permutations = 9))
    said_of(stir(sce, "kind"))
    said_of(group_markers(sce, "kind"))
    said_of(evaluate_method(sce, "kind", "relieff", splits = 2, n = 2))
    said_of(evaluate_questions(sce, "kind", "groups", ask = "sort",
                               questions = 4, splits = 2, n = 2))
    said_of(ranking_stability(sce, y = "kind", method = "relieff", n = 2,
                           replicates = 2))
    said_of(relieff_sc(sce, links), 0L) # no p-values
    said_of(relieff_sc(sce, links, permutations = 9, unit = "Patient_ID"), 0L)
    said_of(group_markers(sce, "kind", unit = "Patient_ID"), 0L)
    said_of(evaluate_method(sce, "kind", "relieff", splits = 2, n = 2,
                         unit = "Patient_ID"), 0L)
    links <- constraints_from_labels(rep(c("a", "b", "a"), 8))
    said_of(relieff_sc(sce, links, permutations = 9, block = "Patient_ID"), 0L)
})

# ---- exchange -----------------------------------------------------------------

# The definition, one sample at a time; `drawn`: by unit, the unit in its place.
slow_exchange <- function(drawn, unit, block) {
    vapply(seq_along(unit), function(v) {
        own <- which(unit == unit[v] & block == block[v])
        there <- which(unit == drawn[[unit[v]]] & block == block[v])
        if (!length(there)) return(v)
        there[(match(v, own) - 1L) %% length(there) + 1L]
    }, 0L)
}

test_that("units change places whole, the r-th sample for the r-th", {
    unit <- c(2L, 1L, 2L, 3L, 3L, 3L, 1L, 4L)
    set.seed(1)
    drawn <- sample.int(4L)
    set.seed(1)
    expect_identical(relabelled_samples(8, 1:8, 1, unit = unit)[, 1L],
                     slow_exchange(drawn, unit, rep(1L, 8)))
    # units of one sample are samples
    set.seed(2)
    plain <- relabelled_samples(8, 1:8, 5)
    set.seed(2)
    expect_identical(relabelled_samples(8, 1:8, 5, unit = 1:8), plain)
    # only those that hold one of the samples in question
    set.seed(3)
    some <- relabelled_samples(8, 1:8, 30, among = c(1L, 8L), unit = unit)
    expect_true(all(some[c(2, 4:7), ] == c(2, 4:7)))
    expect_setequal(some[8, ], c(1, 8))
    expect_setequal(some[3, ], c(3, 8)) # unit 4 has a single sample
})

test_that("units change places with those that are in the same blocks", {
    # units 1 and 2 are in both blocks, 3 and 4 in the first, 5 in the second
    unit <- c(1L, 1L, 2L, 2L, 2L, 3L, 4L, 4L, 5L, 5L)
    block <- c(1L, 2L, 1L, 2L, 2L, 1L, 1L, 1L, 2L, 2L)
    expect_identical(unname(exchangeable_units(block, 1:10, unit)),
                     list(1:2, 3:4, 5L))
    for (seed in 1:10) {
        set.seed(seed)
        drawn <- c((1:2)[sample.int(2)], (3:4)[sample.int(2)], 5L)
        set.seed(seed)
        got <- relabelled_samples(10, 1:10, 1, block, unit = unit)[, 1L]
        expect_identical(got, slow_exchange(drawn, unit, block))
        expect_identical(block[got], block)
    }
    # a sample alone in its block keeps its unit from nothing
    expect_identical(unname(exchangeable_units(c(1L, 1L, 1L, 7L), 1:4,
                                               c(1L, 2L, 1L, 2L))), list(1:2))
})

test_that("units of relieff_sc() change places with units of their size", {
    unit <- rep(1:9, c(1, 1, 2, 3, 4, 7, 8, 3, 2))
    n <- length(unit)
    places <- exchange_blocks(n, NULL, unit)
    expect_identical(unname(exchangeable_units(places, seq_len(n), unit)),
                     list(1:2, c(3L, 9L), c(4L, 8L), 5:6, 7L))
    expect_identical(exchange_blocks(3, NULL, NULL), rep(1L, 3))
    # in every block by the number of samples there
    two <- exchange_blocks(6, c(1L, 1L, 1L, 1L, 2L, 2L), c(1, 1, 2, 2, 2, 1))
    expect_length(exchangeable_units(two, 1:6, c(1L, 1L, 2L, 2L, 2L, 1L)), 1L)
    two <- exchange_blocks(6, c(1L, 1L, 1L, 2L, 2L, 2L), c(1, 1, 2, 2, 2, 1))
    expect_length(exchangeable_units(two, 1:6, c(1L, 1L, 2L, 2L, 2L, 1L)), 2L)
    # small and large donors, nothing to find
    set.seed(3)
    rate <- mean(replicate(12, {
        unit <- rep(1:20, rep(c(2, 4), 10))
        donors <- random_matrix(20, 60)[unit, ]
        x <- unname(donors) + 0.5 * random_matrix(60, 60)
        found <- relieff_sc(x, constraints_from_labels(sample(rep(1:2, 10))[unit]),
                            permutations = 39, unit = unit, scale = "none")
        mean(found$p_value <= 0.05)
    }))
    expect_lt(rate, 0.1) # .20 when any two units change places
})

# ---- p-values of pairs --------------------------------------------------------

# The margins of the pairs when samples take other places, from the definition:
# a sample has the component of the last one that became it, its hits are the
# nearest of its component, then the nearest of those not apart from it.
slow_margins <- function(x, links, place, k, block = rep(1L, nrow(x)),
                         own_term = "keep") {
    n <- nrow(x)
    u <- apply(x, 2L, function(v) (v - min(v)) / diff(range(v)))
    pairs <- as.data.frame(links)
    closed <- as.data.frame(close_constraints(links))
    ends <- unique(unlist(pairs[pairs$type == "cannot-link", c("i", "j")]))
    alike <- diag(n) > 0
    apart <- matrix(FALSE, n, n)
    for (row in seq_len(nrow(closed))) {
        at <- rbind(c(closed$i[row], closed$j[row]),
                    c(closed$j[row], closed$i[row]))
        if (closed$type[row] == "must-link") alike[at] <- TRUE else
            apart[at] <- TRUE
    }
    # what an end point is joined to or kept from
    nodes <- which(rowSums((alike | apart)[, ends, drop = FALSE]) > 0)
    from <- rep(NA_integer_, n)
    for (v in nodes) from[place[v]] <- v
    hits <- function(w, far) {
        others <- order(far[w, ])
        others <- others[others != w & block[others] == block[w]]
        joined <- (alike[from[w], from[others]]) %in% TRUE
        kept_out <- (apart[from[w], from[others]]) %in% TRUE
        c(others[joined], others[!joined & !kept_out])[
            seq_len(min(k, sum(!kept_out)))]
    }
    cannot <- pairs[pairs$type == "cannot-link", ]
    cannot <- cannot[block[cannot$i] == block[cannot$j], ]
    vapply(seq_len(ncol(u)), function(f) {
        # all features here have more than .005 of the distances
        seen <- if (own_term == "keep") u else u[, -f]
        near <- lapply(seq_len(n), hits, as.matrix(dist(seen, "manhattan")))
        sum(vapply(seq_len(nrow(cannot)), function(row) {
            n <- place[cannot$i[row]]
            m <- place[cannot$j[row]]
            one <- function(a, b) {
                mean(abs(u[a, f] - u[near[[b]], f])) -
                    mean(abs(u[a, f] - u[near[[a]], f]))
            }
            (one(n, m) + one(m, n)) / 2
        }, 0))
    }, 0)
}

awkward_units <- list(
    `equal sizes` = rep(1:6, each = 3),
    `one each` = 1:18,
    `1 to 6` = rep(1:6, c(1, 6, 2, 2, 3, 4)),
    scattered = c(3, 1, 2, 3, 1, 4, 4, 5, 6, 5, 5, 5, 6, 2, 1, 1, 1, 3)
)

test_that("p-values by units are those of the definition", {
    expect_every(24, function(i) {
        set.seed(i)
        unit <- as.integer(awkward_units[[1 + i %% 4]])
        x <- random_matrix(18, 5)
        class <- if (i %% 3) rep(1:2, 9)[unit] else sample(1:3, 18, TRUE)
        links <- switch(1 + i %% 5,
            constraints_from_labels(class),
            constraints_from_labels(class, cannot_link = 6, must_link = 5),
            constraints_from_labels(class, cannot_link = 5, must_link = 0),
            pairwise_constraints(cannot_link = cbind(1, 10:14),
                                 must_link = cbind(1:3, 2:4), samples = 18),
            constraints_from_labels(replace(class, 7:12, NA)))
        k <- c(1, 3, 20)[1 + i %% 3]
        set.seed(100 + i)
        places <- relabelled_samples(18, 1:18, 6, unit = unit,
                                     exchange_blocks(18, NULL, unit))
        own <- c("keep", "leave_out")[1 + i %/% 2 %% 2]
        wanted <- t(apply(cbind(1:18, places), 2L, function(place) {
            slow_margins(x, links, place, k, own_term = own)
        }))
        set.seed(100 + i)
        got <- in_column_order(suppressMessages(suppressWarnings(relieff_sc(
            x, links, k = k, scale = "range", permutations = 6,
            unit = unit, own_term = own))))
        isTRUE(all.equal(got$margin, wanted[1L, ])) &&
            isTRUE(all.equal(got$p_value, colMeans(sweep(
            wanted, 2L, wanted[1L, ] - 1e-9, ">="))))
    })
})

test_that("labels of which the pairs are not listed have the same margins", {
    expect_every(12, function(i) {
        set.seed(i)
        unit <- as.integer(awkward_units[[1 + i %% 4]])
        x <- random_matrix(18, 4)
        class <- if (i %% 3) rep(1:2, 9)[unit] else sample(1:3, 18, TRUE)
        if (i %% 2) class[c(2, 5, 9)] <- NA
        links <- constraints_from_labels(class)
        places <- relabelled_samples(18, 1:18, 4, unit = unit)
        options <- summary(relieff_sc(x, links, scale = "range"))$parameters
        input <- scale_for_margins(list(
            data = prepared(x, scale = "range", unit = unit,
                            uses = c("scale", "unit")),
            constraints = links, pairs = pairs_of(links)), "keep")
        input$unit <- unit
        got <- margins_set_by_set(places, list(
            input = input, options = options, control = run_control(1, FALSE)))
        wanted <- t(apply(places, 2L, function(place) {
            slow_margins(x, links, place, 3)
        }))
        isTRUE(all.equal(got, wanted))
    })
})

test_that("with blocks units are exchanged within them", {
    set.seed(4)
    unit <- rep(1:8, c(2, 3, 2, 2, 3, 1, 2, 3))
    block <- ifelse(unit < 5, 1L, 2L)
    x <- random_matrix(18, 6)
    links <- constraints_from_labels(rep(c(1, 2), 4)[unit])
    set.seed(9)
    places <- relabelled_samples(18, 1:18, 9, unit = unit,
                                 exchange_blocks(18, block, unit))
    wanted <- rbind(slow_margins(x, links, 1:18, 2, block), t(apply(
        places, 2L, function(place) slow_margins(x, links, place, 2, block))))
    set.seed(9)
    got <- suppressMessages(relieff_sc(x, links, k = 2, scale = "range",
                                       permutations = 9, unit = unit,
                                       block = block))
    expect_equal(in_column_order(got)$p_value, colMeans(sweep(
        wanted, 2L, wanted[1L, ] - 1e-9, ">=")))
    # a donor that is the block can change places with none
    expect_message(relieff_sc(x, constraints_from_labels(rep(1:2, 9)),
                              permutations = 9, unit = unit, block = unit),
                   "Only 0 units can be permuted",
                   class = "linkrank_message_significance")
})

test_that("stir() exchanges the classes of units", {
    set.seed(5)
    unit <- rep(1:6, c(1, 6, 2, 2, 3, 4))
    x <- random_matrix(18, 6)
    y <- rep(1:2, 3)[unit]
    set.seed(6)
    places <- relabelled_samples(18, 1:18, 9, unit = unit)
    margins <- function(y) in_column_order(stir(x, y, k = 2))$margin
    wanted <- rbind(margins(y), t(apply(places, 2L, function(place) {
        margins(y[place])
    })))
    set.seed(6)
    got <- in_column_order(stir(x, y, k = 2, permutations = 9, unit = unit))
    expect_equal(got$p_value, colMeans(sweep(
        wanted, 2L, wanted[1L, ] - 1e-9, ">=")))
})

test_that("a print-out says whether samples or units were exchanged", {
    set.seed(1)
    x <- random_matrix(18, 4)
    unit <- rep(1:9, each = 2)
    y <- rep(1:2, 5)[unit]
    shown <- function(ranking) paste(sub("^ +", "", capture.output(print(
        ranking))), collapse = " ")
    links <- constraints_from_labels(y)
    expect_match(shown(relieff_sc(x, links, permutations = 9, unit = unit)),
                 "p-values: 9 units exchanged; valid only if these data had no")
    expect_match(shown(relieff_sc(x, links, permutations = 9)),
                 "p-values: 18 samples exchanged, taken as independent; valid")
    expect_match(shown(stir(x, y, permutations = 9, unit = unit)),
                 "classes of 9 units exchanged; valid only if the classes")
    expect_match(shown(group_markers(x, y, unit = unit)),
                 "moderated t of the means of units; valid only if")
    expect_match(shown(group_markers(x, y)),
                 "moderated t of samples, taken as independent; valid only if")
})

# ---- markers ------------------------------------------------------------------

test_that("markers of units are those of their means", {
    set.seed(7)
    unit <- c(rep(1:8, c(1, 6, 2, 2, 3, 4, 1, 5)), NA)
    x <- random_matrix(25, 30)
    y <- rep(c("a", "b"), 4)[unit]
    y[25] <- "a"
    got <- suppressMessages(group_markers(x, y, unit = unit, pairwise = TRUE))
    known <- replace(unit, 25, 9)
    wanted <- group_markers(prepare_data(x, by = known), rep(c("a", "b"), 5)[-10],
                            pairwise = TRUE)
    expect_equal(as.data.frame(got), as.data.frame(wanted))
    # sparse, and features in rows, to the bit
    sparse <- suppressMessages(group_markers(
        Matrix::Matrix(x, sparse = TRUE), y, unit = unit, pairwise = TRUE))
    expect_equal(as.data.frame(sparse), as.data.frame(got))
    # a group of one unit has no test
    expect_message(group_markers(x, replace(y, which(unit == 3), "c"),
                                 unit = replace(unit, 25, 1)),
                   "Left out: 1 group of a single unit (\"c\")", fixed = TRUE)
})

test_that("a unit in several groups is a block", {
    set.seed(8)
    unit <- rep(1:10, each = 4)
    x <- random_matrix(40, 12)
    y <- rep(c("a", "b"), 20)
    got <- group_markers(x, y, unit = unit)
    means <- prepare_data(x, by = paste0(LETTERS[unit], y))
    wanted <- group_markers(means, rep(c("a", "b"), 10),
                            block = rep(1:10, each = 2))
    expect_equal(as.data.frame(got), as.data.frame(wanted))
    # it is the paired t, but for the prior
    paired <- t.test(tapply(x[y == "a", 1], unit[y == "a"], mean),
                     tapply(x[y == "b", 1], unit[y == "b"], mean), paired = TRUE)
    expect_equal(got$difference[got$group == "a" & got$feature == "g1"],
                 unname(paired$estimate))
    # the others are one block, or those that are given
    some <- replace(y, unit > 4, ifelse(unit[unit > 4] %% 2, "a", "b"))
    mixed <- group_markers(x, some, unit = unit)
    cells <- paste0(LETTERS[unit], some)
    first <- match(sort(unique(cells)), cells)
    expect_equal(as.data.frame(mixed), as.data.frame(group_markers(
        prepare_data(x, by = cells), some[first],
        block = replace(unit, unit > 4, 0)[first])))
    expect_error(group_markers(x, some, unit = unit, block = rep(1:2, 20)),
                 "`block` must be the same for all samples of a unit",
                 class = "linkrank_error_argument")
})

# ---- splits -------------------------------------------------------------------

test_that("all samples of a unit are on one side of a split", {
    set.seed(10)
    unit <- rep(1:12, c(1, 6, 2, 2, 3, 4, 1, 5, 2, 2, 1, 1))
    y <- factor(rep(1:2, 6)[unit])
    together <- function(plan) all(vapply(plan, function(split) {
        !any(unit[split$train] %in% unit[split$test]) &&
            setequal(c(split$train, split$test), seq_along(unit))
    }, NA))
    halves <- plan_splits(5, "random", 1 / 2, NULL, y, unit)
    expect_true(together(halves))
    # half of the units of each class
    expect_true(all(vapply(halves, function(split) {
        all(table(rep(1:2, 6)[unique(unit[split$train])]) == 3)
    }, NA)))
    folds <- plan_splits(NULL, "random", 1 / 2, 4, y, unit)
    expect_true(together(folds))
    expect_identical(sort(unlist(lapply(folds, `[[`, "test"))),
                     seq_along(unit))
    expect_length(plan_splits(NULL, "random", 1 / 2, Inf, y, unit), 12)
    expect_true(together(plan_splits(NULL, "first", 1 / 2, NULL, y, unit)))
    # units of one sample are samples
    set.seed(11)
    plain <- plan_splits(3, "random", 1 / 2, NULL, y)
    set.seed(11)
    expect_identical(plan_splits(3, "random", 1 / 2, NULL, y,
                                 seq_along(y)), plain)
    expect_error(plan_splits(list(1:3), "random", 1 / 2, NULL, y, unit),
                 "`splits` must have all samples of a unit on one side")
    # numbers, and a unit of several classes
    expect_true(together(plan_splits(3, "random", 1 / 2, NULL,
                                     rnorm(length(unit)), unit)))
    expect_true(together(plan_splits(3, "random", 1 / 2, NULL,
                                     factor(rep(1:2, 15)), unit)))
})

test_that("replicates are not classified by one another", {
    set.seed(12)
    unit <- rep(1:20, each = 3)
    x <- matrix(rnorm(20 * 40), 20)[unit, ] + 0.3 * matrix(rnorm(2400), 60)
    y <- sample(rep(1:2, 10))[unit]
    # few of each: noise is near one half by units, and above .7 by samples
    mean_of <- function(...) summary(evaluate_method(
        x, y, "relieff", n = 20, splits = 6, ...))$mean
    expect_gt(mean_of(), 0.7)
    expect_lt(mean_of(unit = unit), 0.7)
    expect_output(print(evaluate_method(x, y, "relieff", n = 5, splits = 2,
                                        unit = unit)),
                  "  split: 20 units of 60 samples", fixed = TRUE)
    # the samples of units that were asked about are named
    asked <- evaluate_questions(x, y, "groups", ask = "sort", unit = unit, splits = 6, n = 5,
                                questions = c(4, 5))
    expect_lt(mean(asked$ari), 0.3)
    links <- constraints_from_labels(y, cannot_link = 30, must_link = 30)
    for (halves in c(FALSE, TRUE)) {
        found <- ranking_stability(x, links, method = "relieff_sc", n = 5,
                                   unit = unit, replicates = 3, halves = halves)
        expect_output(print(found), "split: 20 units of 60 samples", fixed = TRUE)
    }
})

test_that("stability by units exchanges those of as many samples", {
    set.seed(13)
    unit <- rep(1:12, c(1, 6, 2, 2, 3, 4, 1, 5, 2, 2, 1, 1))
    x <- random_matrix(30, 8)
    y <- rep(1:2, 6)[unit]
    links <- constraints_from_labels(y, cannot_link = 40, must_link = 20)
    for (halves in c(FALSE, TRUE)) {
        found <- ranking_stability(x, links, method = "relieff_sc", n = 3,
                                   unit = unit, replicates = 3, halves = halves)
        expect_false(anyNA(found$chance))
    }
    expect_false(anyNA(ranking_stability(x, y = y, method = "relieff", n = 3,
                                         unit = unit, replicates = 3)$chance))
})

test_that("a unit in training and in test samples is named", {
    unit <- factor(rep(c("a", "b", "c", NA), each = 5))
    x <- random_matrix(20, 4)
    y <- rep(1:2, 10)
    ranking <- relieff(x, y)
    judge <- function(train, test = setdiff(1:20, train)) {
        part <- function(rows) prepare_data(x[rows, ], unit = unit[rows])
        evaluate_ranking(ranking, part(train), y[train], part(test), y[test])
    }
    expect_warning(judge(1:12), "share the unit \"c\"",
                   class = "linkrank_warning_samples")
    expect_no_warning(judge(1:10, 11:20))
    # the units that nobody knows are not the same
    expect_no_warning(judge(c(1:10, 16:18)))
})

# ---- weights ------------------------------------------------------------------

test_that("p-values do not count confidence, which may follow distances", {
    set.seed(3)
    x <- random_matrix(20, 6)
    pairs <- matrix(sample.int(20), ncol = 2)
    plain <- pairwise_constraints(cannot_link = pairs, samples = 20)
    sure <- pairwise_constraints(cannot_link = pairs, samples = 20,
                                 confidence = seq(0.1, 1, 0.1))
    p_of <- function(links) {
        set.seed(1)
        in_column_order(relieff_sc(x, links, permutations = 19))$p_value
    }
    expect_identical(p_of(sure), p_of(plain))
    expect_false(identical(relieff_sc(x, sure)$margin,
                           relieff_sc(x, plain)$margin))
})
