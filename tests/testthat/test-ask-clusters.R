# Questions about clusters: their markers, and the way back to the samples.

clusters_of <- function() {
    set.seed(4)
    kind <- rep(1:3, each = 8)
    x <- random_matrix(24, 9)
    x[kind == 2, 1:3] <- x[kind == 2, 1:3] + 3
    x[kind == 3, 4:6] <- x[kind == 3, 4:6] + 3
    # two clusters of each kind, and two samples in none
    label <- factor(paste0("k", kind, rep(c("a", "b"), 12)))
    label[c(5, 20)] <- NA
    list(x = x, kind = kind, label = label,
         data = suppressMessages(prepare_data(x, by = label, scale = "none")))
}

test_that("the markers of a cluster are those of its means and spread", {
    case <- clusters_of()
    q <- questionnaire(case$data)
    expect_identical(q$data$clusters$size, as.vector(table(case$label)) + 0)
    known <- !is.na(case$label)
    within <- apply(case$x[known, ], 2, function(v) {
        sqrt(sum((v - ave(v, case$label[known]))^2) / (sum(known) - 6))
    })
    expect_equal(q$data$clusters$deviation, unname(within))
    means <- apply(case$x[known, ], 2, tapply, case$label[known], mean)
    for (i in 1:6) {
        difference <- means[i, ] - colMeans(means[-i, ])
        weight <- difference / (within + median(within))
        want <- order(-weight)[seq_len(min(6, sum(weight > 0)))]
        found <- cluster_markers(q, i)
        expect_identical(found$number, unname(want))
        expect_equal(found$difference, unname(difference[want]))
    }
    expect_setequal(cluster_markers(q, 3, 3)$number, 1:3)
    # no cell of the data is kept
    expect_identical(dim(q$data$values), c(6L, 9L))
})

test_that("the dialogue shows sizes and markers, which are in view", {
    case <- clusters_of()
    for (ask in c("sort", "pairs")) {
        seen <- dialogue(case$data, c("y", "n", "q"), ask = ask)
        expect_true(any(grepl("k[123][ab], [34] samples", seen$shown)))
        expect_true(any(grepl("k2a high: .*g[123] [+]", seen$shown)))
        expect_false(any(grepl("differ most", seen$shown)))
        expect_identical(unique(seen$result$questions$shown), "names+features")
        expect_identical(seen$result$origin, "features in view")
    }
})

test_that("answers about clusters name and join the samples", {
    case <- clusters_of()
    kind <- sub("[ab]$", "", levels(case$label))
    links <- suppressWarnings(active_constraints(case$data, kind, n = 20))
    expect_lte(max(links$questions$question), 5)
    found <- constraint_groups(links, of = case$label)
    expect_s3_class(found, c("linkrank_labels", "factor"), exact = TRUE)
    expect_identical(levels(found), c("k1", "k3", "k2"))
    expect_identical(is.na(found), is.na(case$label))
    expect_identical(as.character(found)[-c(5, 20)],
                     paste0("k", case$kind[-c(5, 20)]))
    named <- constraint_groups(links, as.character(case$label),
                               c(k2b = "B", k1 = "T"))
    expect_identical(levels(named), c("T", "k3", "B"))
    expect_identical(levels(constraint_groups(links, case$label, 7:9)),
                     c("7", "8", "9"))
    # an untouched cluster keeps its own; without `of` it is in no group
    few <- pairwise_constraints(must_link = cbind("k1a", "k1b"),
                                samples = levels(case$label))
    expect_identical(levels(constraint_groups(few, case$label))[1:2],
                     c("k1a+k1b", "k2a"))
    expect_identical(constraint_groups(few, names = "T"),
                     derived_labels(c(1L, 1L, NA, NA, NA, NA), "T"))
    few$group_names <- data.frame(sample = 2L, name = "T cell")
    expect_identical(levels(constraint_groups(few, case$label))[1], "T cell")
    markers <- group_markers(case$x, found)
    expect_output(print(markers), "no p-values, because these data made")
    expect_null(markers$fdr)
    wrong <- list(c("a", "b"), c("a", "a", "b"), c(k1a = "a", k1b = "b"),
                  c(k9 = "a"), c(k1a = NA))
    says <- c("each of the groups", "a must-link makes them one",
              "\"k1\" gets \"a\", \"b\"", "no group or member", "empty or NA")
    for (at in seq_along(wrong)) {
        expect_error(constraint_groups(links, case$label, wrong[[at]]),
                     says[at], class = "linkrank_error_argument")
    }
    expect_error(constraint_groups(links, letters), "is no sample of",
                 class = "linkrank_error_argument")
})
