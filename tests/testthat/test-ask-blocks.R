# Questions and propagation within batches or donors.

# Two groups in each of three blocks, which differ more than the groups.
blocked_groups <- function(n = 48, seed = 1) {
    set.seed(seed)
    group <- rep(c("a", "b"), length.out = n)
    block <- rep(c("one", "two", "three"), each = n / 3)
    x <- matrix(rnorm(n * 6), n)
    x[, 1] <- x[, 1] + 6 * (group == "a")
    x[, 2:3] <- x[, 2:3] + 40 * as.integer(factor(block))
    list(x = x, group = group, block = block)
}

across_of <- function(links, block) {
    block[links$questions$i] != block[links$questions$j]
}

test_that("questions of a block are those of its samples alone", {
    case <- blocked_groups()
    links <- active_constraints(case$x, case$group, 24, scale = "none",
                                block = case$block, ask = "pairs")
    across <- across_of(links, case$block)
    first <- which(across)[1]
    expect_gt(first, 6)
    for (b in unique(case$block)) {
        own <- which(case$block == b)
        asked <- links$questions[seq_len(first - 1), ]
        asked <- asked[case$block[asked$i] == b, ]
        alone <- active_constraints(case$x[own, ], case$group[own],
                                    nrow(asked), scale = "none", ask = "pairs")
        expect_identical(asked$i, own[alone$questions$i])
        expect_identical(asked$j, own[alone$questions$j])
    }
    # four groups are joined to the two of the first block, or decided
    expect_lte(sum(across), 6)
    expect_identical(sum(links$questions$type[across] == "must-link"), 4L)
    groups <- closure_groups(links)
    expect_length(groups$size, 2L)
    expect_null(undecided_groups(links, groups))
    # a given order, and coordinates
    for (more in list(list(order = 48:1), list(space = case$x))) {
        links <- do.call(active_constraints,
                         c(list(case$x, case$group, 12, block = case$block),
                           more))
        expect_false(any(across_of(links, case$block)[1:6]))
    }
})

test_that("samples are sorted within blocks", {
    case <- blocked_groups(36)
    links <- active_constraints(case$x, case$group, 20, ask = "sort",
                                block = case$block)
    across <- across_of(links, case$block)
    expect_true(any(across))
    expect_false(any(across[1:6]))
    expect_length(closure_groups(links)$size, 2L)
    # all samples of small blocks: the rest is joined at the end
    few <- c(1:4, 13:16, 25:28)
    links <- suppressWarnings(active_constraints(
        case$x[few, ], case$group[few], 200, block = case$block[few]
    ))
    expect_length(closure_groups(links)$size, 2L)
})

test_that("random pairs are of one block, and a single one changes nothing", {
    case <- blocked_groups()
    set.seed(1)
    links <- active_constraints(case$x, case$group, 40, strategy = "random",
                                block = case$block)
    expect_false(any(across_of(links, case$block)))
    few <- c(1, 2, 17, 18, 33)
    set.seed(1)
    expect_warning(
        all <- active_constraints(case$x[few, ], case$group[few], 9, strategy = "random",
                                  block = case$block[few]),
        "No pair is left", class = "linkrank_warning_questions"
    )
    expect_identical(nrow(all$questions), 2L)
    one <- active_constraints(case$x, case$group, 15, block = rep(1, 48))
    none <- active_constraints(case$x, case$group, 15)
    expect_identical(one$questions[c("i", "j")], none$questions[c("i", "j")])
    x <- case$x
    labels <- case$group
    expect_refused("argument",
                   active_constraints(x, labels, 5, strategy = "perturbation",
                                      block = case$block),
                   questionnaire(x, block = 1:3))
})

test_that("a stored questionnaire keeps its blocks", {
    case <- blocked_groups()
    q <- questionnaire(case$x, n = 12, block = case$block, hint = TRUE)
    q <- answer_all(q, case$group)
    links <- active_constraints(case$x, case$group, 12, block = case$block)
    expect_identical(pairwise_constraints(q)$questions[c("i", "j")],
                     links$questions[c("i", "j")])
    expect_true(any(is.finite(q$stability)))
})

test_that("answers spread within blocks only", {
    case <- blocked_groups()
    links <- pairwise_constraints(cannot_link = rbind(c(1, 2), c(17, 18)),
                                  must_link = rbind(c(1, 33), c(2, 34)), samples = 48)
    code <- as.integer(factor(case$block))
    for (method in c("local", "published")) {
        graph <- if (method == "published") similarity_graph(
            case$x, adjacency = "full", weight = "self_tuning")
        found <- suppressWarnings(propagate_constraints(
            links, case$x, method = method, block = case$block, graph = graph
        ))
        same <- case$block[found$first] == case$block[found$second]
        expect_true(all(same[!found$must_link]))
    }
    # the default graph of the blocks is that of each block alone
    local <- propagate_constraints(links, case$x, must_link = "ignore",
                                   scale = "none", block = case$block)
    own <- which(case$block == "one")
    alone <- propagate_constraints(
        pairwise_constraints(cannot_link = cbind(1, 2), samples = 16), case$x[own, ],
        must_link = "ignore", scale = "none"
    )
    here <- local$added & local$first %in% own
    expect_identical(cbind(local$first, local$second)[here, ],
                     cbind(alone$first, alone$second)[alone$added, ])
    across <- pairwise_constraints(cannot_link = rbind(c(1, 2), c(1, 18)), samples = 48)
    expect_message(propagate_constraints(across, case$x, block = case$block),
                   "1 of 2 cannot-links is left out",
                   class = "linkrank_message_pairs")
})

test_that("the features that are followed are those within blocks", {
    case <- blocked_groups()
    q <- answer_all(questionnaire(case$x, n = 14, block = case$block),
                    case$group)
    got <- current_ranking(q)
    want <- suppressMessages(glean(case$x, pairwise_constraints(q),
                                   block = case$block))
    expect_identical(got$by, "score")
    expect_identical(got$order, as.integer(sub("V", "", want$feature)))
})
