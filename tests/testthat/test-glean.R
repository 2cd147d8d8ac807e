# glean() against its slow reference, and what must not change it.

# Three classes that some features tell apart, and answers about some samples.
glean_case <- function(n, p, seed, questions = 15) {
    set.seed(seed)
    class <- sample(rep(1:3, length.out = n))
    x <- matrix(rnorm(n * p), n, p,
                dimnames = list(NULL, sprintf("f%02d", seq_len(p))))
    x[, 1] <- x[, 1] + 2 * class
    x[, 2] <- x[, 2] - 2 * (class == 2)
    if (p > 4) {
        x[, 4] <- x[, 1] * 0.5 + x[, 4] * 0.3
    }
    pairs <- t(replicate(questions, sample(n, 2)))
    same <- class[pairs[, 1]] == class[pairs[, 2]]
    list(x = x, cannot = pairs[!same, , drop = FALSE],
         must = pairs[same, , drop = FALSE], class = class)
}

links_of <- function(case) {
    pairwise_constraints(cannot_link = case$cannot, must_link = if (nrow(case$must)) case$must,
                         samples = nrow(case$x))
}

expect_reference <- function(case, ..., weight = 1, disputed = integer()) {
    wanted <- reference_glean(case$x, case$cannot, case$must, ...,
                              weight = weight, disputed = disputed)
    links <- links_of(case)
    if (length(disputed)) {
        links$disputes <- cbind(disputed, disputed, deparse.level = 0)
    }
    links$confidence[!links$must_link] <- weight
    got <- suppressMessages(glean(case$x, links, ...),
                            classes = "linkrank_message_pairs")
    expect_identical(got$feature, wanted$table$feature)
    expect_equal(own_columns(got)[-(1:2)], wanted$table[-1],
                 tolerance = 1e-9, ignore_attr = TRUE)
    if (!is.null(wanted$spread)) {
        labels <- glean_labels(got)
        expect_equal(labels$confidence, wanted$spread$confidence,
                     tolerance = 1e-9)
        sure <- wanted$spread$confidence > 1e-9
        # groups by their members: numbers are those of constraint_groups()
        partition <- function(code) match(code[sure], unique(code[sure]))
        expect_equal(partition(as.integer(labels$cluster)),
                     partition(wanted$spread$label))
    }
}

test_that("a sample in dispute founds no group, and its cannot-links count", {
    for (seed in 31:33) {
        case <- glean_case(30, 9, seed)
        disputed <- setdiff(case$cannot, case$must)
        case$cannot <- rbind(case$cannot, cbind(disputed[1],
                                                 setdiff(30:28, disputed[1])))
        disputed <- utils::head(setdiff(case$cannot, case$must), 3)
        expect_reference(case, disputed = disputed)
        expect_reference(case, disputed = disputed,
                         block = rep(1:2, length.out = 30))
    }
    # two raters: the sample that one calls like s1 and the other unlike it
    set.seed(1)
    x <- random_matrix(40, 6)
    x <- x + 4 * rep(c(0, 1), 20)
    said <- function(...) {
        pairs <- rbind(c(1, 3), c(1, 5), c(2, 4), c(1, 2), ...)
        data.frame(first = rownames(x)[pairs[, 1]],
                   second = rownames(x)[pairs[, 2]],
                   answer = c("same", "same", "same", "different",
                              "different", "same")[seq_len(nrow(pairs))])
    }
    ann <- said(c(7, 2), c(7, 1))
    bob <- transform(ann, answer = replace(answer, 6, "different"))
    links <- suppressMessages(reconcile_answers(list(ann = ann, bob = bob), rownames(x)))
    expect_identical(disputed_samples(links), 7L)
    ranking <- glean(x, links)
    labels <- glean_labels(ranking)
    expect_setequal(labels$cluster, 1:2)
    # and no column of a ranking is lost
    expect_true("highest" %in% names(relieff_sc(x, links)))
    expect_identical(levels(group_markers(x, links)$group), c("1", "2"))
    # neither for fewer samples, nor where the other one of the pair is gone
    for (rows in list(c(40:1), c(2:30))) {
        fewer <- suppressMessages(restrict_constraints(links, rows))
        expect_identical(fewer$names[disputed_samples(fewer)], "s7")
        expect_setequal(glean_labels(glean(x[rows, ], fewer))$cluster, 1:2)
    }
    expect_identical(disputed_samples(links[seq_along(links)]), 7L)
    expect_identical(disputed_samples(close_constraints(links)), 7L)
    # an answer settles it
    more <- function(...) pairwise_constraints(..., samples = rownames(x))
    expect_length(disputed_samples(c(links, more(cannot_link = cbind(7, 1)))), 0)
    expect_length(disputed_samples(c(links, more(must_link = cbind(7, 9)))), 0)
})

test_that("glean() is its definition, step by step", {
    expect_reference(glean_case(26, 9, 1))
    for (seed in 1:2) {
        expect_reference(glean_case(12, 40, seed, questions = 5))
    }
    expect_reference(glean_case(30, 7, 7), scale = "none")
    expect_reference(glean_case(30, 7, 8), scale = "zscore")
    expect_reference(glean_case(30, 7, 9), space = 2)
    expect_reference(glean_case(30, 7, 10), space = NULL)
    expect_reference(glean_case(30, 12, 11), top = 4)
    for (rounds in c(0, 2, 3)) {
        expect_reference(glean_case(30, 12, 12 + rounds), rounds = rounds)
    }
    expect_reference(glean_case(30, 7, 10), space = NULL, rounds = 2)
    case <- glean_case(30, 7, 21)
    expect_reference(case, weight = seq(0.1, 1, length.out = nrow(case$cannot)))
    case <- glean_case(30, 9, 22)
    expect_reference(case, block = sample(c(1, 1, 2, 2, 2, 3), 30, TRUE))
    # a block of one sample and one of three
    expect_reference(glean_case(30, 9, 24), block = rep(1:3, c(26, 1, 3)))
})

# Numbers, a flag, and three factors: one that follows the classes, one at
# random whose levels are rare, one that is nearly a copy of the first.
mixed_case <- function(n, seed, questions = 15) {
    case <- glean_case(n, 4, seed, questions)
    kind <- letters[case$class]
    noisy <- ifelse(seq_len(n) %% 5 == 0, sample(letters[1:4], n, TRUE), kind)
    case$x <- data.frame(
        case$x, kind = factor(noisy), flag = case$class == 2,
        code = factor(sample(c("p", "q", "r", "s"), n, TRUE, c(6, 3, 1, 1))),
        copy = factor(ifelse(seq_len(n) %% 7 == 0, "z", noisy)),
        same = factor("only")
    )
    case
}

test_that("a factor of more levels is one feature", {
    expect_reference(mixed_case(28, 1), scale = "balanced")
    expect_reference(mixed_case(28, 4), scale = "range", rounds = 2)
    expect_reference(mixed_case(28, 5), scale = "none", space = NULL)
    expect_reference(mixed_case(28, 6), scale = "zscore", space = 3, top = 4)
    expect_reference(mixed_case(30, 7), scale = "range",
                     block = rep(1:3, c(14, 12, 4)))
    case <- mixed_case(26, 8)
    case$cannot <- case$cannot[0, ]
    expect_reference(case, scale = "balanced")
    case <- mixed_case(26, 8)
    case$x <- case$x[c("kind", "code", "copy")]
    expect_reference(case, scale = "range")
    # whatever the levels are called, and in which order
    case <- mixed_case(26, 9)
    got <- glean(case$x, links_of(case))
    expect_true(all(c("kind", "code", "copy") %in% got$feature))
    turned <- case$x
    turned$code <- factor(as.character(turned$code), c("s", "q", "r", "p"))
    turned$kind <- as.character(turned$kind)
    expect_equal(as.data.frame(glean(turned, links_of(case))),
                 as.data.frame(got), tolerance = 1e-9)
    # missing cells and factors are one step: the most frequent level
    holes <- case$x
    frequent <- names(which.max(table(holes$code)))
    at <- which(holes$code == frequent)[2]
    holes$code[at] <- NA
    expect_identical(names(which.max(table(holes$code))), frequent)
    expect_equal(as.data.frame(glean(holes, links_of(case), scale = "range",
                                     na.action = "mean")),
                 as.data.frame(glean(case$x, links_of(case),
                                     scale = "range")), tolerance = 1e-9)
})

test_that("constant features, copies and few samples", {
    case <- glean_case(20, 8, 1)
    case$x[, 3] <- 7
    # a mirrored copy, which rounding alone does not put before the second
    case$x[, 6] <- 1 - 2 * case$x[, 2] + 1e-6 * case$x[, 4]
    case$x[, 7] <- case$x[, 1]
    case$x[11:15, ] <- case$x[1:5, ]
    expect_reference(case)
    got <- glean(case$x, links_of(case))
    expect_identical(got$feature[8], "f03")
    expect_identical(got$relevance[8], 0)
    # what a copy adds to the first of its kind is nothing
    expect_equal(sort(got$score)[1:2], c(0, 0))
    expect_silent(flat <- glean(matrix(1, 6, 3), pairwise_constraints(samples = 6)))
    expect_identical(flat$relevance, numeric(3))
    for (n in 4:8) {
        expect_reference(glean_case(n, 5, n, questions = 3))
    }
})

test_that("no answers and a single group leave the structure alone", {
    case <- glean_case(20, 6, 2)
    none <- pairwise_constraints(samples = 20)
    got <- glean(case$x, none)
    expect_identical(got$margin, numeric(6))
    expect_identical(got$spread, numeric(6))
    expect_equal(got$relevance, pmax(got$structure / max(got$structure), 1e-4))
    expect_identical(glean_labels(got)$confidence, numeric(20))
    one <- glean(case$x, pairwise_constraints(must_link = cbind(3, 9),
                                              samples = 20))
    expect_identical(as.data.frame(one), as.data.frame(got))
    expect_identical(which(glean_labels(one)$confidence > 0), c(3L, 9L))
    expect_output(print(glean_labels(one)), "confidence orders .* no probability")
})

test_that("labels are groups, and pairs of them are never written out", {
    case <- glean_case(24, 8, 3)
    labelled <- case$class
    labelled[c(2, 9, 17)] <- NA
    pairs <- which(outer(labelled, labelled, "!="), arr.ind = TRUE)
    pairs <- pairs[pairs[, 1] < pairs[, 2], ]
    same <- which(outer(labelled, labelled, "=="), arr.ind = TRUE)
    same <- same[same[, 1] < same[, 2], ]
    got <- glean(case$x, constraints_from_labels(labelled))
    wanted <- glean(case$x, pairwise_constraints(cannot_link = pairs, must_link = same, samples = 24))
    # the groups of labels have their names
    expect_identical(got$highest, as.character(labelled[
        match(wanted$highest, as.character(constraint_groups(
            constraints_from_labels(labelled))))]))
    got$highest <- wanted$highest
    expect_equal(as.data.frame(got), as.data.frame(wanted), tolerance = 1e-12)
    all <- glean(case$x, constraints_from_labels(case$class))
    expect_identical(glean_labels(all)$confidence, rep(1, 24))
})

test_that("parts are what other functions compute", {
    case <- glean_case(30, 6, 4)
    links <- links_of(case)
    got <- glean(case$x, links, space = NULL, rounds = 0)
    # neighbours by Euclidean distance, range scale, K = 3, both directions
    margin <- relieff_sc(case$x, links, distance = "euclidean")
    pairs <- nrow(unique(t(apply(case$cannot, 1, sort))))
    expect_equal(got$margin[order(got$feature)],
                 margin$margin[order(margin$feature)] / pairs)
})

test_that("threads and containers change no bit", {
    set.seed(5)
    x <- matrix(rpois(50 * 30, 0.7) * round(runif(50 * 30), 2), 50,
                dimnames = list(paste0("s", 1:50), paste0("g", 1:30)))
    x[, 2] <- x[, 2] - 1
    case <- glean_case(50, 3, 5)
    links <- pairwise_constraints(cannot_link = case$cannot, must_link = case$must, samples = 50)
    plain <- expect_same_for_threads(function(threads) {
        glean(x, links, threads = threads)
    })
    for (scale in c("range", "none")) {
        wanted <- glean(x, links, scale = scale)
        sparse <- as_matrix_class(x, "dgCMatrix")
        expect_identical(glean(sparse, links, scale = scale), wanted)
        expect_identical(glean(as.data.frame(x), links, scale = scale), wanted)
        skip_if_not_installed("SummarizedExperiment")
        se <- SummarizedExperiment::SummarizedExperiment(list(t(x)))
        expect_identical(glean(se, links, scale = scale), wanted)
        skip_if_not_installed("DelayedArray")
        delayed <- DelayedArray::DelayedArray(x)
        expect_identical(glean(delayed, links, scale = scale), wanted)
    }
    expect_identical(glean(se, links), glean(x, links, scale = "none"))
})

test_that("permuted rows and columns permute the result", {
    case <- glean_case(28, 10, 6)
    got <- glean(case$x, links_of(case))
    row <- sample(28)
    moved <- case
    moved$x <- case$x[row, ]
    moved$cannot[] <- match(case$cannot, row)
    moved$must[] <- match(case$must, row)
    expect_equal(as.data.frame(glean(moved$x, links_of(moved))),
                 as.data.frame(got), tolerance = 1e-9)
    column <- sample(10)
    moved <- case
    moved$x <- case$x[, column]
    expect_equal(as.data.frame(glean(moved$x, links_of(moved))),
                 as.data.frame(got), tolerance = 1e-9)
})

test_that("missing values are replaced by the mean, or refused", {
    case <- glean_case(20, 6, 7)
    case$x[3, 2] <- NA
    expect_error(glean(case$x, links_of(case),
                       scale = "range"), class = "linkrank_error_input")
    filled <- case$x
    u <- (filled - rep(apply(filled, 2, min, na.rm = TRUE), each = 20))
    filled[3, 2] <- mean(filled[, 2], na.rm = TRUE)
    expect_equal(as.data.frame(glean(case$x, links_of(case),
                                     na.action = "mean", scale = "range")),
                 as.data.frame(glean(filled, links_of(case), scale = "range")))
})

test_that("flags and factors of two levels are 0 and 1", {
    case <- glean_case(20, 4, 8)
    frame <- as.data.frame(case$x)
    frame$flag <- case$class == 2
    frame$pair <- factor(ifelse(case$class == 1, "a", "b"))
    plain <- cbind(case$x, flag = frame$flag * 1,
                   pair = as.integer(frame$pair) - 1)
    expect_equal(as.data.frame(glean(frame, links_of(case))),
                 as.data.frame(glean(plain, links_of(case))))
})

test_that("a space of its own: a matrix, or a reducedDim", {
    case <- glean_case(25, 8, 9)
    links <- links_of(case)
    points <- prcomp(reference_glean_scale(case$x, "range"))$x[, 1:3]
    fixed <- as.data.frame(glean(case$x, links, space = 3, rounds = 0,
                                 scale = "range"))
    expect_message(glean(case$x, links, space = points, rounds = 2, scale = "range"),
                   class = "linkrank_message_rounds")
    expect_silent(given <- glean(case$x, links, space = points, scale = "range"))
    expect_identical(summary(given)$parameters$rounds, 0)
    # another space has its own default of rounds, in both directions
    expect_silent(again <- update(given, case$x, links, space = 3))
    learned <- glean(case$x, links, space = 3, scale = "range")
    expect_identical(again$score, learned$score)
    expect_silent(back <- update(learned, case$x, links, space = points))
    expect_identical(back$score, given$score)
    expect_identical(summary(update(glean(
        case$x, links, space = 3, rounds = 0, scale = "range"), case$x, links,
        space = 4))$parameters$rounds, 0)
    # in given coordinates features keep their own term
    for (part in c("spread", "contrast")) {
        expect_equal(in_order(given, part),
                     stats::setNames(fixed[[part]], fixed$feature)[colnames(case$x)])
    }
    # a single group says nothing that could be learned
    expect_silent(glean(case$x, pairwise_constraints(
        must_link = cbind(1, 2), samples = 25), space = points,
                        scale = "range"))
    skip_if_not_installed("SingleCellExperiment")
    sce <- SingleCellExperiment::SingleCellExperiment(
        list(logcounts = t(case$x)), reducedDims = list(PCA = points)
    )
    expect_equal(as.data.frame(glean(sce, links, space = "PCA",
                                     rounds = 0, scale = "range")),
                 as.data.frame(given))
})

test_that("bad input is refused in one sentence", {
    case <- glean_case(12, 4, 10)
    links <- links_of(case)
    x <- case$x
    frame <- data.frame(x, colour = rep(c("red", NA, "green", "blue"), 3))
    wrong <- matrix(0, 5, 2)
    holes <- matrix(c(1, NA), 12, 2)
    expect_refused("input", glean(frame, links))
    expect_refused("argument", glean(x, links, top = 0),
                   glean(x, links, space = 0), glean(x, links, space = "PCA"),
                   glean(x, links, space = wrong),
                   glean(x, links, space = holes),
                   glean(x, links, scale = "log"), glean(x, links, tops = 3))
    expect_refused("constraints", glean(x, pairwise_constraints(
        cannot_link = cbind(1, 2), samples = 13)), glean(x, 3),
        glean(x, data.frame(i = 1, j = 2, type = "must-link")))
    expect_refused("argument", glean_labels(relieff_sc(x, links)))
})

test_that("rounds are reached by name, and kept", {
    case <- glean_case(40, 12, 12)
    links <- links_of(case)
    none <- glean(case$x, links, rounds = 0)
    learned <- glean(case$x, links)
    expect_identical(summary(none)$parameters$rounds, 0)
    expect_identical(summary(learned)$parameters$rounds, 1)
    expect_error(glean(case$x, links, rounds = 1e10), "from 0 to 100",
                 class = "linkrank_error_argument")
    expect_identical(rank_features(case$x, links, method = "glean",
                                   rounds = 0), none)
    expect_identical(update(none, case$x, links), none)
    evaluate <- function(...) {
        set.seed(1)
        evaluate_method(case$x, factor(case$class), "glean", splits = 3,
                        constraints = "active", questions = 8, n = 1:12,
                        options = list(...))$accuracy
    }
    expect_identical(evaluate(rounds = 1), evaluate())
    expect_false(identical(evaluate(rounds = 0), evaluate()))
    skip_if_not_installed("recipes")
    frame <- data.frame(sample = paste0("s", 1:40), case$x)
    links <- pairwise_constraints(cannot_link = case$cannot, must_link = case$must,
                                  samples = frame$sample)
    step <- step_select_linkrank(
        recipes::recipe(~ ., data = frame), dplyr::starts_with("f"),
        constraints = links, sample_id = "sample", method = "glean", num_terms = 12,
        options = list(rounds = 0)
    )
    ranking <- recipes::prep(step, frame)$steps[[1L]]$ranking
    expect_equal(ranking$score, none$score)
})

test_that("print() says what the ranking rests on", {
    case <- glean_case(26, 9, 1)
    expect_snapshot(glean(case$x, links_of(case)))
    expect_narrow(glean(case$x, links_of(case)))
})

test_that("a contrast without variance in the groups is printed as perfect", {
    x <- cbind(a = rep(0:1, 6), c = rep(1:0, 6))
    ranking <- glean(x, constraints_from_labels(rep(c("u", "v"), 6)))
    expect_gt(max(ranking$contrast), 1e6)
    old <- options(width = 130)
    on.exit(options(old))
    expect_match(capture.output(print(ranking)), "perfect$", all = FALSE)
    shown <- paste(capture.output(print(ranking)), collapse = " ")
    expect_no_match(shown, "e+0", fixed = TRUE)
})

test_that("print() says when the structure is not the one asked about", {
    set.seed(1)
    x <- matrix(rnorm(60 * 40), 60)
    asked <- rep(1:2, 30)
    other <- rep(1:2, each = 30)
    x[, 1:20] <- x[, 1:20] + 5 * other
    x[, 21:40] <- x[, 21:40] + 1.5 * asked
    answers <- function(class) {
        class[-c(1:10, 51:60)] <- NA
        constraints_from_labels(class)
    }
    weaker <- glean(x, answers(asked))
    out <- expect_narrow(weaker)
    expect_match(paste(trimws(out), collapse = " "), paste(
        "The dominant structure is not the one asked about: the 5 features",
        "with the most structure are below the median feature"), fixed = TRUE)
    main <- capture.output(print(glean(x, answers(other))))
    expect_false(any(grepl("dominant", main)))
})

test_that("agreement is the place of the features with most structure", {
    table <- data.frame(relevance = 1, structure = 1:30, margin = 1:30,
                        spread = 0, contrast = 1:30)
    expect_equal(structure_agreement(table), mean(26:30) / 30,
                 ignore_attr = TRUE)
    table$margin <- table$contrast <- 30:1
    expect_equal(structure_agreement(table), mean(1:5) / 30,
                 ignore_attr = TRUE)
    expect_identical(structure_agreement(table[1:19, ]), NA_real_)
    table$margin <- table$contrast <- 0
    expect_identical(structure_agreement(table), NA_real_)
})

test_that("no edge of the graph is lost beyond 46,340 samples", {
    skip_on_cran()
    # products of two row numbers are beyond the integers there: a chain
    n <- 46400L
    before <- c(2L, seq_len(n - 1L))
    after <- c(seq_len(n)[-1L], n - 1L)
    near <- list(row = rbind(before, after), distance = matrix(1, 2, n))
    none <- list(of = rep(NA_integer_, n), unit = rep(NA_integer_, n),
                 count = 0, apart = matrix(0, 0, 2), same = matrix(0, 0, 2))
    expect_identical(length(answered_graph(near, none)@x), 2L * (n - 1L))
    # the second group is in the last rows
    group <- rep(1:2, c(n - 40, 40))
    set.seed(1)
    x <- matrix(rnorm(n) + 50 * group, dimnames = list(NULL, "f"))
    ends <- cbind(1:5, n - 0:4)
    links <- pairwise_constraints(cannot_link = ends, must_link = rbind(cbind(1:4, 2:5),
                                              cbind(n - 0:3, n - 1:4)),
                                  samples = n)
    expect_silent(suppressMessages(
        found <- glean(x, links, space = NULL, rounds = 0)
    ))
    expect_true(all(glean_labels(found)$cluster[group == 2] == 2))
})

test_that("of many samples nothing is learned unless asked for", {
    before <- many_samples
    on.exit(replace_binding("many_samples", before))
    case <- glean_case(30, 12, 12)
    case$links <- links_of(case)
    few <- glean(case$x, case$links)
    expect_identical(summary(few)$parameters$rounds, 1)
    replace_binding("many_samples", 30)
    many <- glean(case$x, case$links)
    expect_identical(summary(many)$parameters$rounds, 0)
    expect_identical(many, glean(case$x, case$links, rounds = 0))
    expect_identical(glean(case$x, case$links, rounds = 1), few)
    expect_no_match(capture.output(print(many)), "learned")
})

test_that("rounding is not spread among copies", {
    set.seed(3)
    rows <- as.matrix(expand.grid(rep(list(c(0, 1)), 4)))
    x <- rows[rep(1:16, each = 12), ] %*% diag(runif(4))
    links <- constraints_from_labels(rep(rep(1:2, each = 6), 16))
    expect_identical(glean(x, links, scale = "none")$spread, numeric(4))
})

test_that("without constraints the structure alone ranks", {
    x <- random_matrix(20, 6)
    none <- glean(x)
    expect_identical(as.data.frame(none),
                     as.data.frame(glean(x, pairwise_constraints(samples = 20))))
    expect_output(print(none), "no answers: structure alone")
})

test_that("`rank_by` chooses the column that orders, and update() only sorts", {
    for (case in list(glean_case(30, 12, 11), mixed_case(28, 4))) {
        links <- links_of(case)
        x <- data.frame(case$x, none = 1)
        default <- glean(x, links, top = 5)
        expect_identical(glean(x, links, top = 5, rank_by = "score"), default)
        wanted <- as.data.frame(default)
        column <- match(wanted$feature, colnames(x))
        for (by in c("relevance", "contrast")) {
            ranking <- glean(x, links, top = 5, rank_by = by)
            place <- order(-wanted[[by]], -wanted$relevance, column)
            expect_equal(as.data.frame(ranking)[-1], wanted[place, -1],
                         tolerance = 0, ignore_attr = TRUE)
            expect_identical(ranking$rank, seq_along(x))
            expect_identical(ranking$feature[length(x)], "none")
            expect_identical(update(default, rank_by = by), ranking)
            expect_identical(update(ranking, rank_by = "score"), default)
            expect_identical(update(ranking, x, links), ranking)
            expect_identical(update(default, x, links, rank_by = by), ranking)
            # a part is sorted among itself
            part <- update(default[1:4, ], rank_by = by)
            expect_identical(part$feature,
                             intersect(ranking$feature, default$feature[1:4]))
        }
    }
    expect_refused("argument", glean(x, links, rank_by = "margin"),
                   update(default, rank_by = "margin"),
                   update(default, rank_by = NULL))
})

test_that("equal contrasts are in order of relevance, then of columns", {
    # two groups of two; a is constant in both, so are its copy b and c, which
    # only differs less: by hand, w = 0 for all three and the median is 0, so
    # that all contrasts are between / (1e-9 max) and those of a and b equal
    x <- cbind(c = c(0, 0, 1, 1), a = c(0, 0, 2, 2), b = c(0, 0, 2, 2))
    links <- pairwise_constraints(cannot_link = cbind(1, 3),
                                  must_link = rbind(c(1, 2), c(3, 4)), samples = 4)
    got <- glean(x, links, scale = "none", rank_by = "contrast")
    expect_identical(got$feature, c("a", "b", "c"))
    expect_identical(got$contrast[1], got$contrast[2])
    expect_identical(glean(x[, 3:1], links, scale = "none",
                           rank_by = "contrast")$feature, c("b", "a", "c"))
})

test_that("without two groups relevance orders instead of contrast", {
    case <- glean_case(26, 9, 1)
    relevance <- glean(case$x, rank_by = "relevance")
    got <- glean(case$x, rank_by = "contrast")
    expect_identical(got$feature, relevance$feature)
    expect_identical(update(relevance, rank_by = "contrast"), got)
    expect_snapshot(tail(capture.output(print(relevance, n = 3)), 3))
})

test_that("everything that takes a ranking follows its order", {
    case <- glean_case(30, 12, 11)
    x <- case$x
    links <- links_of(case)
    report <- glean(x, links, rank_by = "contrast")
    expect_snapshot({
        print(report, n = 3)
        print(update(report, rank_by = "score"), n = 3)
        update(report, rank_by = "distance")
    }, error = TRUE)
    expect_identical(feature_scores(report),
                     stats::setNames(report$contrast, report$feature)[colnames(x)])
    third <- report$contrast[3]
    expect_identical(top_features(report, threshold = third), report$feature[1:3])
    expect_identical(colnames(keep_features(x, report, 3)), report$feature[1:3])
    expect_identical(summary(report)$key, "contrast")
    expect_identical(summary(report)$range, range(report$contrast))
    expect_identical(diversify_ranking(report, x)$feature[1], report$feature[1])
    expect_error(update(diversify_ranking(report, x), rank_by = "score"),
                 "ranking stores neither")
    relative <- relative_parts(report, 4)
    expect_identical(rownames(relative), report$feature[1:4])
    y <- factor(case$class)
    accuracy <- function(method, ...) {
        set.seed(1)
        evaluate_method(x, y, method, splits = 2, cannot_link = 5, ...)$accuracy
    }
    expect_identical(accuracy("glean", options = list(rank_by = "contrast")),
                     accuracy(function(x, constraints)
                         glean(x, constraints, rank_by = "contrast")))
})

test_that("what spreads has no structure by its own choice", {
    # of 20 draws before: codes only among the four with the most structure
    coded <- function(seed, rows = 1:150) {
        set.seed(seed)
        x <- cbind(as.matrix(iris[rows, 1:4]),
                   matrix(sample(3, 5 * length(rows), TRUE), length(rows)))
        colnames(x)[5:9] <- paste0("code", 1:5)
        x
    }
    codes <- vapply(1:20, function(seed) {
        ranking <- as.data.frame(glean(coded(seed), NULL))
        most <- order(-ranking$structure)[1:4]
        c(sum(grepl("code", ranking$feature[most])),
          sum(grepl("code", ranking$feature[1:4])))
    }, c(0, 0))
    expect_identical(codes[1L, 1:4], numeric(4))
    # .15 before what may be chance came last
    expect_lt(mean(codes[2L, ]) / 4, 0.1)
    # which is where structure alone ranks: no answers, or one group
    x <- coded(2, seq(1, 150, 5))
    none <- matrix(0L, 0L, 2L)
    for (must in list(none, rbind(c(1, 2), c(2, 3)))) {
        wanted <- reference_glean(x, none, must)$table
        links <- if (nrow(must)) pairwise_constraints(must_link = must,
                                                      samples = nrow(x))
        got <- glean(x, links)
        expect_identical(got$feature, wanted$feature)
        expect_equal(got$structure, wanted$structure, tolerance = 1e-9)
        weak <- got$structure > 0 & got$structure < 0.01 * max(got$structure)
        expect_gt(sum(weak), 0)
    }
})

test_that("samples alone in their blocks have no structure", {
    x <- iris[seq(1, 150, 10), ]
    ranking <- glean(x, NULL, block = seq_len(nrow(x)))
    expect_identical(ranking$structure, numeric(5))
    expect_false(anyNA(ranking$score))
})

test_that("two-valued noise does not lead", {
    ranks <- vapply(1:6, function(seed) {
        set.seed(seed)
        x <- cbind(matrix(rbinom(600, 1, .5), 100), matrix(rnorm(600), 100),
                   matrix(rlnorm(600), 100))
        colnames(x) <- paste0("f", 1:18)
        mean(match(colnames(x)[1:6], glean(x, NULL)$feature))
    }, 0)
    # 9.5 is fair; 3.6 before
    expect_gt(mean(ranks), 7)
})

test_that("a paragraph tells what was done, in words and not in code", {
    set.seed(1)
    x <- data.frame(matrix(rnorm(100 * 6), 100))
    links <- pairwise_constraints(cannot_link = rbind(c(1, 2), c(3, 4)),
                                  samples = 100)
    said <- function(...) gsub("(R|linkrank) [0-9.]+([,)])", "\\1 x.y.z\\2",
                               summary(...)$methods)
    ranking <- glean(x, links)
    expect_snapshot({
        cat(said(ranking), "\n")
        cat(said(update(ranking, rank_by = "contrast")), "\n")
        cat(said(glean(x)), "\n")
        cat(said(glean(x, links, space = NULL, rounds = 0)), "\n")
        cat(said(relieff_sc(x, links, block = rep(1, 100))), "\n")
    })
    expect_match(said(ranking), summary(links)$methods, fixed = TRUE)
    # groups, where they are known, are in both
    apart <- constraints_from_labels(rep(c("a", NA, "b"), c(3, 90, 7)))
    expect_match(said(glean(x, apart)), summary(apart)$methods, fixed = TRUE)
    expect_match(summary(apart)$methods, "are a \\(3\\), b \\(7\\)\\.")
    text <- as.data.frame(ranking, settings = TRUE)$settings[1]
    expect_identical(text, summary(ranking)$methods)
    expect_identical(summary(as_feature_ranking(as.data.frame(
        ranking, settings = TRUE)))$methods, text)
    skip_if_not_installed("SummarizedExperiment")
    se <- SummarizedExperiment::SummarizedExperiment(list(a = t(x)))
    se <- add_ranking(se, ranking)
    expect_identical(S4Vectors::metadata(se)$linkrank$glean$methods, text)
})
