# Neighbours and pairs within blocks.

in_blocks <- function(n = 60, p = 25, seed = 4) {
    set.seed(seed)
    # many ties, and copies in different blocks
    x <- sparse_cells(n, p, 0.4, seed)
    x[11:14, ] <- x[1:4, ]
    block <- sample(rep(c("one", "two", "three"), length.out = n))
    links <- constraints_from_labels(rep(1:3, length.out = n), cannot_link = 30, must_link = 12)
    list(x = x, block = block, links = links)
}

quietly <- function(code) {
    suppressMessages(suppressWarnings(code,
                                      classes = "linkrank_warning_margin"),
                     classes = "linkrank_message_pairs")
}

columns_of <- function(ranking) as.data.frame(ranking)

test_that("kinds of data, threads and coordinates give the same bits", {
    case <- in_blocks()
    rank <- function(x, ..., block = case$block, scale = "range") {
        quietly(columns_of(relieff_sc(x, case$links, ..., scale = scale,
                                      block = block)))
    }
    want <- rank(case$x)
    frame <- as.data.frame(case$x)
    expect_identical(rank(frame), want)
    for (class in c("dgCMatrix", "dgRMatrix")) {
        expect_identical(rank(as_matrix_class(case$x, class)), want)
    }
    expect_identical(rank(case$x, space = case$x, scale = "none"),
                     rank(case$x, distance = "euclidean", scale = "none",
                          own_term = "keep"))
    expect_same_for_threads(function(threads) {
        list(rank(case$x, threads = threads),
             rank(as_matrix_class(case$x, "dgCMatrix"), threads = threads))
    })
    sce <- experiment_of(case$x)
    sce$donor <- factor(case$block)
    expect_identical(rank(sce, block = "donor"), want)
})

test_that("data on disk are searched within blocks", {
    skip_without_tenx()
    case <- in_blocks(90, 17)
    want <- quietly(relieff_sc(case$x, case$links, block = case$block,
                               scale = "range"))
    with_block_size(12000, {
        got <- quietly(relieff_sc(experiment_with(in_tenx(case$x), case$x),
                                  case$links, block = case$block,
                                  scale = "range"))
    })
    expect_identical(columns_of(got), columns_of(want))
})

test_that("lists of all samples are those of each block alone", {
    case <- in_blocks(150)
    block <- as.integer(factor(case$block))
    for (x in list(case$x, as_matrix_class(case$x, "dgCMatrix"))) {
        data <- prepare_data(x)
        scaling <- feature_scaling(data, "none")
        where <- feature_space(data, scaling, "manhattan", block)
        control <- run_control(1, FALSE)
        rules <- list(neighbour_rule(), class_rule(rep(0:1, 75), 2))
        for (rule in rules) {
            found <- nearest(where, seq_len(150), 4, rule, control)$row
            for (b in 1:3) {
                own <- which(block == b)
                part <- prepare_data(case$x[own, ])
                alone <- rule
                alone["class_of"] <- list(rule$class_of[own])
                want <- nearest(feature_space(part, scaling, "manhattan"),
                                seq_along(own), 4, alone, control)$row
                want[want > 0L] <- own[want[want > 0L]]
                expect_identical(found[, own], want)
            }
        }
    }
})

test_that("a single block is none, and its names do not matter", {
    case <- in_blocks()
    plain <- relieff_sc(case$x, case$links)
    one <- relieff_sc(case$x, case$links, block = rep(7, 60))
    expect_identical(columns_of(one)$margin, columns_of(plain)$margin)
    # all but 12 samples are in blocks of their own
    block <- replace(seq_len(60), 1:12, 1L)
    named <- factor(block, labels = rev(seq_along(unique(block))))
    links <- pairwise_constraints(cannot_link = cbind(1:6, 7:12), samples = 60)
    expect_identical(relieff_sc(case$x, links, block = block)$margin,
                     relieff_sc(case$x, links, block = named)$margin)
})

test_that("labels give the same as the list of their pairs within blocks", {
    expect_every(20, function(seed) {
        set.seed(seed)
        x <- random_matrix(18, 5, seed)
        if (seed %% 2L) x[sample(90, 8)] <- NA
        labels <- c("a", "b", sample(c("a", "b", "c", NA), 16, TRUE))
        block <- c(1, 1, sample(3, 16, TRUE))
        all <- as.data.frame(constraints_from_labels(labels))
        must <- all$type == "must-link"
        listed <- pairwise_constraints(cannot_link = as.matrix(all[!must, c("i", "j")]),
                                       must_link = as.matrix(all[must, c("i", "j")]),
                                       samples = 18)
        direction <- c("both", "first")[1 + seed %% 3 %/% 2]
        found <- lapply(list(constraints_from_labels(labels), listed),
                        function(links) {
            ranking <- quietly(relieff_sc(x, links, block = block,
                                          direction = direction))
            own_columns(ranking)[order(ranking$feature),
                                 c("margin", "statistic")]
        })
        isTRUE(all.equal(found[[1L]], found[[2L]], ignore_attr = TRUE,
                         check.attributes = FALSE))
    })
})

test_that("blocks of two samples have no neighbours, which is said", {
    set.seed(1)
    x <- matrix(rnorm(160), 16)
    patient <- rep(1:8, each = 2)
    links <- pairwise_constraints(cannot_link = matrix(1:16, ncol = 2, byrow = TRUE),
                                  samples = 16)
    for (method in list(relieff_sc, glean)) {
        expect_warning(method(x, links, block = patient),
                       "or give the labels, .*group_markers\\(x, labels, block = \\)",
                       class = "linkrank_warning_margin")
    }
    expect_error(group_markers(x, links, block = patient),
                 "use labels: group_markers\\(x, labels",
                 class = "linkrank_error_argument")
})

test_that("left out pairs are counted, and some must be left", {
    case <- in_blocks()
    block <- rep(1:2, 30)
    links <- pairwise_constraints(cannot_link = rbind(c(1, 3), c(2, 5), c(2, 7)),
                                  samples = 60)
    expect_message(relieff_sc(case$x, links, block = block),
                   paste("^2 of 3 cannot-links are left out, because the two",
                         "samples are of different blocks."),
                   class = "linkrank_message_pairs")
    expect_silent(relieff_sc(case$x, links, block = rep(1, 60)))
    ranking <- quietly(relief_sc(case$x, links, block = block))
    expect_identical(attr(ranking, "info")$cannot_links, 1L)
    expect_match(paste(capture.output(print(ranking, n = 1)), collapse = " "),
                 "within 2 blocks")
    across <- pairwise_constraints(cannot_link = rbind(c(1, 2), c(3, 8)), samples = 60)
    one <- pairwise_constraints(cannot_link = cbind(1, 2), samples = 60)
    labels <- constraints_from_labels(rep(c("a", "b"), 30))
    x <- case$x
    expect_refused("constraints", relieff_sc(x, across, block = block),
                   relief_sc(x, one, block = block),
                   glean(x, labels, block = block))
    expect_refused("argument", relieff_sc(x, links, block = 1:3),
                   relieff_sc(x, links, block = "donor"),
                   glean(x, links, block = list(1, 2)))
})

test_that("a sample whose block is not known is compared with none", {
    case <- list(x = random_matrix(60, 5), block = rep(1:2, 30))
    case$links <- pairwise_constraints(cannot_link = cbind(1:8, 21:28), must_link = cbind(1, 3),
                                       samples = 60)
    unknown <- replace(case$block, c(5, 60), NA)
    alone <- replace(as.character(case$block), c(5, 60), c("p", "q"))
    for (rank in list(relieff_sc, relief_sc, glean)) {
        quiet <- function(code) suppressMessages(code, "linkrank_message_pairs")
        expect_message(got <- quiet(rank(case$x, case$links, block = unknown)),
                       "Left out of all comparisons: 2 samples whose `block` is NA",
                       class = "linkrank_message_block")
        wanted <- quiet(rank(case$x, case$links, block = alone))
        expect_identical(as.data.frame(got), as.data.frame(wanted))
    }
    expect_message(active_constraints(case$x, rep(1:2, 30), n = 3,
                                      block = unknown),
                   class = "linkrank_message_block")
    expect_message(group_markers(case$x, rep(1:2, each = 30), block = unknown),
                   "2 samples whose `block` is NA",
                   class = "linkrank_message_block")
    # the blocks that are counted are those that are known
    expect_match(quiet(relieff_sc(case$x, case$links, block = unknown)) |>
                     suppressMessages() |> capture.output(), "within 2 blocks",
                 all = FALSE)
    expect_output(print(prepare_data(case$x, block = unknown)),
                  "2 blocks of 29 samples; 2 of none")
})

test_that("pairs that are alone in their blocks say why nothing is found", {
    set.seed(1)
    x <- matrix(rnorm(20 * 4), 20)
    links <- pairwise_constraints(cannot_link = cbind(1:10, 11:20), samples = 20)
    expect_warning(relieff_sc(x, links, block = rep(1:10, 2)),
                   "no block has a sample besides the two of a pair",
                   class = "linkrank_warning_margin")
})

# Pairs of all kinds: must-links across blocks carry what a cannot-link across
# blocks says back into a block.
across_case <- function(seed) {
    set.seed(seed)
    class <- sample(rep(1:3, length.out = 24))
    pairs <- unique(t(apply(t(replicate(16, sample.int(24, 2))), 1, sort)))
    same <- class[pairs[, 1]] == class[pairs[, 2]]
    list(x = random_matrix(24, 6, seed), block = sample(rep(1:2, 12)),
         links = pairwise_constraints(cannot_link = pairs[!same, , drop = FALSE],
                                      must_link = pairs[same, , drop = FALSE],
                                      samples = 24))
}

test_that("no hit is a sample that answers across blocks keep apart", {
    # Samples 1 and 3 are of different kinds, 2 and 3 of the same, 3 is of the
    # other block: 2 is no hit of 1, whose only others are 4 (kept apart), 5 and
    # 6. By range u = x: hits of 1 (0): 5 (.3); of 4 (1): 6 (.9). Margin of
    # (1, 4) as typed: |0 - .9| - |0 - .3| = .6.
    x <- matrix(c(0, .1, .15, 1, .3, .9, .5, .6))
    block <- c("A", "A", "B", "A", "A", "A", "B", "B")
    links <- pairwise_constraints(cannot_link = rbind(c(1, 4), c(1, 3)), must_link = cbind(2, 3),
                                  samples = 8)
    margin <- function(rank, ...) {
        quietly(rank(x, links, ..., direction = "first", scale = "range",
                     block = block))$margin
    }
    expect_equal(margin(relieff_sc, k = 1), 0.6)
    expect_equal(margin(relief_sc), 0.6)
    expect_equal(c(unclass(quietly(pair_margins(
        x, links, 1, k = 1, direction = "first", scale = "range", block = block
    )))), 0.6)
    # the given pairs are as they were
    expect_identical(attr(quietly(relieff_sc(x, links, block = block)),
                          "info")$cannot_links, 1L)
})

test_that("margins and p-values within blocks are their reference", {
    expect_every(40, function(seed) {
        case <- across_case(seed)
        want <- reference_relieff_sc(case$x, case$links, block = case$block)
        set.seed(seed)
        got <- quietly(relieff_sc(case$x, case$links, block = case$block,
                                  permutations = 9, scale = "range"))
        set.seed(seed)
        samples <- relabelled_samples(24, 1:24, 9, case$block)
        sets <- reference_relabelling(case$x, case$links, samples,
                                      block = case$block)
        got <- got[match(colnames(case$x), got$feature), ]
        pairs <- quietly(pair_margins(case$x, case$links, 1:6,
                                      block = case$block, scale = "range"))
        isTRUE(all.equal(got$margin, unname(want$margin))) &&
            isTRUE(all.equal(colSums(pairs), got$margin,
                             check.attributes = FALSE)) &&
            isTRUE(all.equal(as.list(got[names(sets)]), as.list(sets)))
    })
})

test_that("margins of pairs add up within blocks", {
    case <- in_blocks()
    for (links in list(case$links, constraints_from_labels(
        replace(rep(1:3, 20), 5:50, NA)))) {
        ranking <- quietly(relieff_sc(case$x, links, block = case$block))
        pairs <- quietly(pair_margins(case$x, links, ranking,
                                      block = case$block))
        expect_equal(colSums(pairs), setNames(ranking$margin[1:10],
                                              ranking$feature[1:10]))
    }
})

test_that("the direction is that within the blocks", {
    x <- random_matrix(12, 6)
    block <- rep(1:2, each = 6)
    x[block == 2, ] <- x[block == 2, ] + 9
    # groups 1-2-9 and 3-7-8: one sample against two in the second block
    links <- pairwise_constraints(cannot_link = rbind(c(1, 3), c(9, 7)),
                                  must_link = rbind(c(1, 2), c(2, 9), c(3, 7), c(7, 8)),
                                  samples = rownames(x))
    ranking <- relieff_sc(x, links, block = block)
    at <- match(colnames(x), ranking$feature)
    weight <- c(2 * 1 / 3, 1 * 2 / 3)
    away <- weight[1] * (colMeans(x[1:2, ]) - x[3, ]) +
        weight[2] * (x[9, ] - colMeans(x[7:8, ]))
    away <- away / sum(weight)
    expect_equal(ranking$difference[at], unname(abs(away)))
    expect_identical(ranking$highest[at],
                     unname(ifelse(away > 0, "1", "2")))
})

test_that("a column that splits the cannot-links is named", {
    skip_if_not_installed("SummarizedExperiment")
    set.seed(3)
    x <- random_matrix(60, 5)
    sce <- experiment_of(x)
    batch <- rep(c("one", "two"), 30)
    sce$batch <- factor(batch)
    # many values, and one
    sce$donor <- rep(letters[1:20], 3)
    sce$all <- "same"
    across <- cbind(seq(1, 23, 2), seq(2, 24, 2))
    links <- pairwise_constraints(cannot_link = across, must_link = rbind(c(1, 58), c(2, 59), c(3, 60)),
                                  samples = 60)
    named <- paste("^12 of 12 cannot-links are between values of column",
                   "\"batch\" of the sample data")
    for (rank in list(relieff_sc, function(...) glean(..., rounds = 0))) {
        rm(list = ls(said_before), envir = said_before)
        expect_message(rank(sce, links), named,
                       class = "linkrank_message_pairs")
        # once a session
        expect_silent(rank(sce, links))
    }
    rm(list = ls(said_before), envir = said_before)
    # a column as fine as the groups may be what was answered
    kinds <- constraints_from_labels(rep(c("a", "b", "c", NA), c(6, 6, 6, 42)))
    sce$kind <- rep(c("a", "b", "c", "d"), c(6, 6, 6, 42))
    expect_silent(relieff_sc(sce[, ], pairwise_constraints(
        as.data.frame(kinds), samples = 60)))
    expect_silent(relieff_sc(x, links))
    # too few, split by half, or what the pairs are about
    expect_silent(relieff_sc(sce, links[c(1:7, 13:15)]))
    half <- pairwise_constraints(cannot_link = rbind(across[1:6, ], across[7:12, ] + c(
        rep(0, 6), rep(1, 6))), samples = 60)
    expect_silent(relieff_sc(sce, half))
    expect_silent(relieff_sc(sce, constraints_from_labels(batch, cannot_link = 15, must_link = 5)))
})
