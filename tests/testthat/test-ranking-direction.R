# Columns `highest` and `difference` of rankings from pairs.

# Groups 1-2-3, 4-5 and 8, all apart.
apart_links <- function(samples) {
    pairwise_constraints(cannot_link = rbind(c(1, 4), c(2, 8), c(8, 5)),
                         must_link = rbind(c(1, 2), c(2, 3), c(4, 5)), samples = samples)
}

test_that("direction is that of the group means of the answered samples", {
    x <- random_matrix(12, 6)
    x[, 6] <- 3
    groups <- list(`1` = 1:3, `2` = 4:5, `3` = 8)
    means <- sapply(groups, function(rows) colMeans(x[rows, , drop = FALSE]))
    highest <- names(groups)[max.col(means, "first")]
    difference <- apply(means, 1L, function(m) max(m) - mean(m[-which.max(m)]))
    highest[6] <- NA
    links <- apart_links(rownames(x))
    rankings <- list(relieff_sc(x, links), relief_sc(x, links),
                     glean(x, links), constraint_score(x, links, type = "CS1"),
                     relieff_sc(x, links, scale = "zscore"))
    for (ranking in rankings) {
        at <- match(colnames(x), ranking$feature)
        expect_identical(ranking$highest[at], highest)
        expect_equal(ranking$difference[at], unname(difference))
        expect_identical(tail(names(ranking), 2), c("highest", "difference"))
    }
})

test_that("there is none where a group is not known to be apart", {
    x <- random_matrix(12, 4)
    without <- list(
        pairwise_constraints(cannot_link = rbind(c(1, 4), c(2, 5)), samples = 12),
        pairwise_constraints(cannot_link = cbind(1, 4), must_link = cbind(8, 9), samples = 12)
    )
    for (links in without) {
        expect_null(relieff_sc(x, links)$highest)
    }
    expect_null(variance_score(x)$highest)
})

# Do counts alone say that some groups are not apart?
lacks_cannot_links <- function(links) {
    data <- prepare_data(matrix(seq_len(2 * links$samples), links$samples))
    identical(answer_direction(data, links, NULL, pairs_of(links))$missing,
              "some pairs of groups have no cannot-link")
}

test_that("groups without an answer are named in the order of the samples", {
    # 1 and 5 are a group, 2 and 6 another one; nothing is said of 1 and 3
    links <- pairwise_constraints(
        cannot_link = rbind(c(1, 2), c(5, 6), c(2, 3)),
        must_link = rbind(c(1, 5), c(2, 6)), samples = 6)
    data <- prepare_data(matrix(1:12, 6))
    expect_identical(answer_direction(data, links, NULL, pairs_of(links))$missing,
                     "no answer says whether the groups of 1 and 3 differ")
})

test_that("where cannot-links are too few, groups are not apart", {
    set.seed(1)
    few <- vapply(1:100, function(trial) {
        pairs <- t(replicate(6, sample(6, 2)))
        links <- tryCatch(
            pairwise_constraints(cannot_link = pairs[1:4, ], must_link = pairs[5:6, ], samples = 6),
            error = function(contradiction) NULL
        )
        if (is.null(links) || !lacks_cannot_links(links)) return(FALSE)
        expect_false(is.null(undecided_groups(links, closure_groups(links))))
        TRUE
    }, NA)
    expect_gt(sum(few), 10)
    expect_false(lacks_cannot_links(apart_links(12)))
    expect_false(lacks_cannot_links(constraints_from_labels(gl(2, 5))))
})

test_that("kinds of data, missing cells and factors have their direction", {
    x <- round(pmax(random_matrix(20, 6), 0), 1)
    links <- apart_links(rownames(x))
    want <- relieff_sc(x, links, scale = "none")
    sparse <- relieff_sc(Matrix::Matrix(x, sparse = TRUE), links,
                         scale = "none")
    expect_identical(sparse$highest, want$highest)
    expect_identical(sparse$difference, want$difference)
    frame <- data.frame(a = c(NA, NA, NA, 1, 2, rnorm(15)),
                        b = c(NA, 4, 2, 1, 2, rnorm(15)), c = gl(4, 5))
    got <- relieff_sc(frame, apart_links(20))
    got <- got[match(c("a", "b", "c"), got$feature), ]
    expect_identical(got$highest[3], NA_character_)
    expect_identical(got$difference[3], NA_real_)
    means <- c(3, 1.5, frame$b[8])
    others <- means[means < max(means)]
    expect_equal(got$difference[2], max(means) - mean(others))
    expect_identical(got$highest[2], c("1", "2", "3")[which.max(means)])
    means <- c(1.5, frame$a[8])
    expect_equal(got$difference[1], max(means) - min(means))
    skip_if_not_installed("DelayedArray")
    skip_if_not_installed("HDF5Array")
    file <- methods::as(t(x), "HDF5Array")
    object <- SummarizedExperiment::SummarizedExperiment(list(logcounts = file))
    colnames(object) <- rownames(x)
    disk <- relieff_sc(object, links)
    expect_identical(disk$highest, want$highest)
    expect_identical(disk$difference, want$difference)
})

test_that("print-outs show direction after the score", {
    x <- random_matrix(12, 5)
    expect_snapshot(print(relieff_sc(x, apart_links(rownames(x))), n = 3))
})

test_that("answers across blocks tell groups apart, values within them count", {
    x <- random_matrix(12, 5)
    block <- rep(c("one", "two"), 6)
    # groups 1-2, 3-4 and 5-6, each with a sample in both blocks; 1 and 4 are of
    # different blocks
    links <- pairwise_constraints(cannot_link = rbind(c(1, 4), c(1, 5), c(3, 5)),
                                  must_link = rbind(c(1, 2), c(3, 4), c(5, 6)),
                                  samples = rownames(x))
    # a shift of a block changes nothing
    shifted <- x + 100 * (block == "two")
    rankings <- suppressMessages(list(
        relieff_sc(x, links, block = block),
        relieff_sc(shifted, links, block = block),
        glean(x, links, block = block, rounds = 0),
        fcrsc(x, links, block = block)
    ))
    means <- sapply(c(`1` = 1, `2` = 3, `3` = 5),
                    function(i) colMeans(x[i + 0:1, ]))
    for (ranking in rankings) {
        at <- match(colnames(x), ranking$feature)
        expect_identical(ranking$highest[at],
                         colnames(means)[max.col(means, "first")])
        expect_equal(ranking$difference[at], unname(apply(means, 1, function(m) {
            max(m) - mean(m[-which.max(m)])
        })))
    }
    # without the pair of 3 and 5, their groups are not known to be apart
    fewer <- links[-which(links$first == 3 & links$second == 5)]
    expect_null(suppressMessages(
        relieff_sc(x, fewer, block = block))$highest)
})
