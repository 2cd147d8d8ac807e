# Places of four features in two rankings: a b c d and b a d c.
#   n = 1: a against b: overlap 0; beyond chance (0 - 1/4) / (3/4)
#   n = 2: the same two: 1
#   n = 3: abc and bad: 2/3; beyond chance (2/3 - 3/4) / (1/4)
test_that("overlaps are worked by hand", {
    places <- cbind(c(1, 2, 3, 4), c(2, 1, 4, 3))
    expect_equal(agreement_at(places, 1)$overlap, 0)
    expect_equal(agreement_at(places, 1)$corrected, -1 / 3)
    expect_equal(agreement_at(places, 2)$overlap, 1)
    expect_equal(agreement_at(places, 3)$overlap, 2 / 3)
    expect_equal(agreement_at(places, 3)$corrected, -1 / 3)
    # all four: ranks 1 2 3 4 against 2 1 4 3
    expect_equal(agreement_at(places, 3)$correlation, 0.6)
    expect_true(is.na(agreement_at(places, 2)$correlation))
    expect_true(is.na(agreement_at(places, 4)$corrected))
})

test_that("a method that always says the same is stable", {
    x <- random_matrix(20, 8)
    same <- function(x) made_ranking(8:1 * 1.0, colnames(x))
    found <- ranking_stability(x, method = same, replicates = 4, n = 1:8)
    expect_equal(found$overlap, rep(1, 8))
    expect_equal(found$correlation[3:8], rep(1, 6))
    frequency <- attr(found, "frequency")
    expect_equal(unname(frequency[, "3"]), rep(c(1, 0), c(3, 5)))
})

test_that("parts keep the pairs among their samples", {
    links <- pairwise_constraints(cannot_link = rbind(c(5, 1), c(2, 6)), must_link = cbind(3, 7),
                                  samples = letters[1:8])
    part <- constraints_of(links, c(1, 2, 3, 5, 7))
    expect_identical(as.data.frame(part)$i, c(4L, 3L))
    expect_identical(as.data.frame(part)$j, c(1L, 5L))
    expect_identical(part$names, letters[c(1, 2, 3, 5, 7)])
    labels <- constraints_from_labels(c(1, 2, NA, 1, 2))
    expect_identical(constraints_of(labels, c(1, 3, 5))$class_of,
                     c(1L, NA, 2L))
})

test_that("it runs from constraints, labels and options, and is drawn", {
    set.seed(1)
    x <- random_matrix(30, 12)
    y <- rep(1:2, 15)
    x[, 1] <- x[, 1] + 3 * y
    links <- constraints_from_labels(y, cannot_link = 20, must_link = 20)
    set.seed(1)
    found <- ranking_stability(x, links, method = "relieff_sc", replicates = 5,
                               k = 1)
    expect_gt(found$overlap[1], 0.99)
    expect_narrow(found)
    expect_snapshot(found)
    expect_gt(ranking_stability(x, y = y, method = "fisher_score",
                                replicates = 3)$overlap[1], 0.99)
    grDevices::pdf(NULL)
    expect_identical(plot(found), found)
    grDevices::dev.off()
    expect_refused("constraints",
        ranking_stability(x, few_links(30), fraction = 0.1),
        ranking_stability(x, few_links(20)))
    expect_refused("argument",
        ranking_stability(x, y = 1:3, method = "fisher_score"),
        ranking_stability(x, links, replicates = 1),
        ranking_stability(x, links, n = 0),
        ranking_stability(x, links, method = "forest"))
})

test_that("chance is the overlap of two parts by the same relabelled pairs", {
    x <- random_matrix(24, 10)
    links <- constraints_from_labels(rep(1:2, 12), cannot_link = 20, must_link = 20)
    parts <- list(list(rows = 1:20), list(rows = 5:24))
    set.seed(3)
    alone <- constraints_from_labels(rep(1:2, 12), cannot_link = 20, must_link = 0)
    got <- relabelled_parts(parts, 24L, alone, NULL)
    shared <- lapply(got, function(part) {
        ends <- cbind(part$rows[part$constraints$first],
                      part$rows[part$constraints$second])
        ends[ends[, 1] %in% 5:20 & ends[, 2] %in% 5:20, ]
    })
    expect_identical(shared[[1]], shared[[2]])
    given <- as.data.frame(alone)[c("i", "j")]
    expect_lt(mean(paste(shared[[1]][, 1], shared[[1]][, 2]) %in%
                       paste(given$i, given$j)), 0.5)
    # what is the same for all pairs has the same agreement by chance
    same <- function(x, constraints) made_ranking(10:1 * 1.0, colnames(x))
    expect_equal(ranking_stability(x, links, method = same, replicates = 4,
                                   n = 3)$chance, 1)
    expect_identical(ranking_stability(x, method = "variance_score", n = 3,
                                       replicates = 3)$chance, NA_real_)
    y <- rep(1:2, 12)
    expect_true(is.finite(ranking_stability(x, y = y, method = "fisher_score",
                                            replicates = 4, n = 3)$chance))
})

test_that("halves share no sample", {
    x <- random_matrix(25, 8)
    rows <- list()
    spy <- function(x) {
        rows[[length(rows) + 1L]] <<- rownames(x)
        made_ranking(rnorm(8), colnames(x))
    }
    set.seed(1)
    found <- ranking_stability(x, method = spy, replicates = 3, halves = TRUE,
                               n = 4)
    expect_length(rows, 6)
    for (at in c(1, 3, 5)) {
        expect_setequal(unlist(rows[at + 0:1]), rownames(x))
        expect_identical(length(rows[[at]]), 12L)
    }
    expect_identical(attr(found, "rankings"), 6L)
})

test_that("fewer than three samples are refused before a part is drawn", {
    links <- pairwise_constraints(cannot_link = rbind(1:2), samples = 2)
    expect_error(ranking_stability(matrix(1:8, 2), links),
                 "at least 3 samples, not 2",
                 class = "linkrank_error_input")
})

test_that("subsets need three units", {
    x <- random_matrix(12, 3)
    y <- rep(1:2, 6)
    for (halves in c(FALSE, TRUE)) {
        expect_error(ranking_stability(x, y = y, method = "relieff",
                                       unit = rep(1:2, each = 6),
                                       halves = halves),
                     "at least 3 different values", class = "linkrank_error")
    }
})

test_that("names of y say nothing about relabelled parts", {
    x <- random_matrix(24, 5)
    rownames(x) <- paste0("s", 1:24)
    y <- rep(c("a", "b"), 12)
    stability <- function(y) {
        set.seed(2)
        ranking_stability(x, y = y, method = "relieff", replicates = 4)
    }
    named <- stats::setNames(y, rownames(x))
    expect_identical(stability(named), stability(y))
    expect_identical(suppressMessages(stability(rev(named))), stability(y))
})
