# Links of a-b-c (must), d-e (must) and cannot-links a-d, c-f, f-g.
linked <- function(names = letters[1:8]) {
    pairwise_constraints(cannot_link = rbind(c(1, 4), c(3, 6), c(6, 7)),
                         must_link = rbind(c(1, 2), c(2, 3), c(5, 4)), samples = names)
}

pairs_of <- function(links) {
    table <- as.data.frame(links)
    paste0(table$name_i, ifelse(table$type == "must-link", "+", "-"),
           table$name_j)
}

silently <- function(code) suppressMessages(code, "linkrank_message")

# The closure of both kinds, as a set of unordered pairs of sample names.
closed_pairs <- function(links, names) {
    table <- as.data.frame(close_constraints(links))
    table <- table[table$name_i %in% names & table$name_j %in% names, ]
    sort(paste(pmin(table$name_i, table$name_j),
               pmax(table$name_i, table$name_j), table$type))
}

test_that("pairs inside stay as typed, groups are joined again", {
    links <- linked()
    # b leaves: a and c are joined
    part <- silently(restrict_constraints(links, letters[c(1, 3:8)]))
    expect_identical(pairs_of(part), c("a-d", "c-f", "f-g", "e+d", "a+c"))
    # a leaves: its cannot-link moves to b, the lowest that is left
    part <- silently(restrict_constraints(links, letters[2:8]))
    expect_identical(pairs_of(part), c("b-d", "c-f", "f-g", "b+c", "e+d"))
    # f leaves, and has no group: two pairs dropped
    expect_message(part <- restrict_constraints(links, letters[c(1:5, 7:8)]),
                   "^2 of 6 pairs dropped", class = "linkrank_message")
    expect_identical(pairs_of(part), c("a-d", "a+b", "b+c", "e+d"))
})

test_that("a cannot-link does not move to groups that have one already", {
    links <- pairwise_constraints(cannot_link = rbind(c(1, 4), c(2, 5), c(5, 3)),
                                  must_link = rbind(c(1, 2), c(2, 3), c(4, 5)), samples = 6)
    # 2 leaves: (1, 4) is inside, so neither of the others is needed; (5, 3)
    # is inside as well
    part <- silently(restrict_constraints(links, c(1, 3, 4, 5, 6)))
    expect_identical(part$first[!part$must_link], c(1L, 4L))
    expect_identical(part$second[!part$must_link], c(3L, 2L))
    # 1 and 5 leave: (1, 4) moves to (2, 4), which speaks for all
    part <- silently(restrict_constraints(links, c(2, 3, 4, 6)))
    expect_identical(part$first[!part$must_link], 1L)
    expect_identical(part$second[!part$must_link], 3L)
})

test_that("what is implied for those who stay does not change", {
    expect_every(60, function(seed) {
        set.seed(seed)
        labels <- sample(4, 14, TRUE)
        links <- constraints_from_labels(stats::setNames(labels, letters[1:14]),
                                         cannot_link = 6, must_link = 8)
        stay <- sample(letters[1:14], sample(3:13, 1))
        part <- silently(restrict_constraints(links, stay))
        identical(part$names, stay) &&
            identical(closed_pairs(part, stay), closed_pairs(links, stay))
    })
})

test_that("the order of the samples permutes the numbers only", {
    expect_every(30, function(seed) {
        set.seed(seed)
        labels <- stats::setNames(sample(3, 12, TRUE), letters[1:12])
        links <- constraints_from_labels(labels, cannot_link = 6, must_link = 6)
        stay <- sort(sample(12, 8))
        part <- silently(restrict_constraints(links, stay))
        turned <- silently(restrict_constraints(links, rev(stay)))
        identical(pairs_of(part), pairs_of(turned)) &&
            identical(restrict_constraints(part, 8:1), turned) &&
            identical(restrict_constraints(restrict_constraints(links, 12:1),
                                           12:1), links)
    })
})

test_that("as few must-links as there can be join a group again", {
    star <- pairwise_constraints(must_link = cbind(3, c(1, 2, 4, 5, 6)),
                                 samples = 7)
    part <- silently(restrict_constraints(star, c(1, 2, 4, 5, 6, 7)))
    expect_identical(cbind(part$first, part$second),
                     cbind(1:4, 2:5))
    # parts that interleave: 1-5, 2-6 and 3 lose the hub 4
    hub <- pairwise_constraints(
        must_link = rbind(c(1, 5), c(2, 6), c(4, 1), c(4, 2), c(4, 3)),
        samples = 6
    )
    part <- silently(restrict_constraints(hub, c(1, 2, 3, 5, 6)))
    expect_identical(cbind(part$first, part$second),
                     rbind(c(1L, 4L), c(2L, 5L), c(1L, 2L), c(2L, 3L)))
})

test_that("numbers, names and TRUE choose alike, labels and confidence stay", {
    links <- linked()
    by_name <- silently(restrict_constraints(links, c("a", "b", "f", "c")))
    expect_identical(silently(restrict_constraints(links, c(1, 2, 6, 3))),
                     by_name)
    expect_identical(
        silently(restrict_constraints(links, 1:8 %in% c(1, 2, 3, 6))),
        silently(restrict_constraints(links, c(1, 2, 3, 6)))
    )
    labels <- constraints_from_labels(c(a = "u", b = "v", c = NA, d = "w",
                                        e = "v"))
    part <- silently(restrict_constraints(labels, c("e", "a", "c")))
    expect_identical(part, constraints_from_labels(c(e = "v", a = "u",
                                                     c = NA)))
    links$confidence <- (1:6) / 10
    part <- silently(restrict_constraints(links, letters[c(8:3, 1)]))
    expect_identical(part$confidence, c(0.1, 0.2, 0.3, 0.6, NA))
})

test_that("samples that cannot be kept are refused", {
    links <- linked()
    expect_refused("constraints",
        restrict_constraints(links, c(1, 2, 1)),
        restrict_constraints(links, c("a", "b", "b")),
        restrict_constraints(links, c("a", "h", "B", "y")),
        restrict_constraints(links, 9),
        restrict_constraints(links, integer()),
        restrict_constraints(links, c(TRUE, FALSE)),
        restrict_constraints(links, c(1, NA)),
        restrict_constraints(links, quote(a)),
        restrict_constraints(linked(8), "a"),
        restrict_constraints("links", 1)
    )
})

test_that("a duplicate sample in a matrix is found", {
    links <- pairwise_constraints(cannot_link = rbind(c(1, 2)), samples = 6)
    expect_refused("constraints",
        restrict_constraints(links, matrix(c(1, 2, 3, 1), 2)))
    expect_identical(restrict_constraints(links, cbind(c(1, 2, 5))),
                     restrict_constraints(links, c(1, 2, 5)))
})

test_that("data and constraints are matched by name when both have names", {
    x <- random_matrix(12, 5)
    links <- pairwise_constraints(cannot_link = rbind(c(1, 4), c(2, 5), c(6, 3)), must_link = cbind(1, 2),
                                  samples = rownames(x))
    want <- relieff_sc(x, links)
    turned <- c(5, 1, 12, 2:4, 11:6)
    expect_silent(got <- relieff_sc(x[turned, ], links))
    expect_equal(as.data.frame(got), as.data.frame(want))
    # filtered, with an unknown sample: the pairs that are there
    part <- rbind(x[c(8, 2:7), ], new = 0.1)
    expect_message(got <- relieff_sc(part, links), "of 4 pairs dropped")
    known <- silently(restrict_constraints(links, rownames(x)[c(8, 2:7)]))
    by_hand <- pairwise_constraints(
        cannot_link = as.data.frame(known)[1:2][!known$must_link, ],
        samples = 8
    )
    expect_identical(as.data.frame(got),
                     as.data.frame(relieff_sc(part, by_hand)))
    expect_identical(summary(got)$cannot_links, 3L)
    expect_error(relieff_sc(x[7:12, ], links), "but none of its 4 is",
                 class = "linkrank_error_constraints")
    other <- x
    rownames(other) <- letters[1:12]
    expect_error(relieff_sc(other, links), "are in one, .* in the other",
                 class = "linkrank_error_constraints")
})

test_that("samples in columns are noticed by number and name", {
    x <- random_matrix(12, 5)
    turned <- t(x)
    asks <- "is `x` to be transposed\\?$"
    for (links in list(few_links(12), few_links(rownames(x)))) {
        expect_error(relieff_sc(turned, links), asks,
                     class = "linkrank_error_constraints")
        expect_error(glean(unname(turned), links), asks,
                     class = "linkrank_error_constraints")
        expect_error(spectral_clustering(turned, links, clusters = 2), asks,
                     class = "linkrank_error_constraints")
        expect_error(ranking_stability(turned, links), asks,
                     class = "linkrank_error_constraints")
    }
    expect_error(laplacian_score(turned, graph = similarity_graph(x, k = 2)),
                 asks, class = "linkrank_error_argument")
    expect_error(relieff_sc(turned[, 1:11], few_links(12)), "samples\\.$",
                 class = "linkrank_error_constraints")
    expect_error(relieff(turned, rep(1:2, 6)), asks,
                 class = "linkrank_error_argument")
    expect_error(relieff(turned, rep(1:2, 4)), "samples\\.$",
                 class = "linkrank_error_argument")
})

test_that("names on one side only: by position, with a message", {
    x <- random_matrix(12, 5)
    links <- few_links(rownames(x))
    plain <- unname_samples(x)
    expect_message(got <- relieff_sc(plain, links), "matched by position",
                   class = "linkrank_message_constraints")
    expect_silent(by_number <- relieff_sc(x, few_links(12)))
    expect_equal(as.data.frame(got), as.data.frame(by_number))
    # automatic row names are none
    frame <- as.data.frame(plain)
    expect_message(relieff_sc(frame, links), "matched by position")
    frame <- frame[-1, ]
    rownames(frame) <- NULL
    expect_error(suppressMessages(relieff_sc(frame, links)),
                 "without names to match them by")
    named <- as.data.frame(x)[c(12, 1:11), ]
    expect_silent(got <- relieff_sc(named, links))
    expect_equal(got$margin, relieff_sc(x, links)$margin)
})

test_that("every function that takes both matches them", {
    x <- abs(random_matrix(20, 6))
    labels <- stats::setNames(rep(1:2, 10), rownames(x))
    set.seed(4)
    links <- constraints_from_labels(labels, cannot_link = 6, must_link = 6)
    turned <- x[c(11:20, 10:1), ]
    by_number <- restrict_constraints(links, rownames(turned))
    by_number["names"] <- list(NULL)
    calls <- list(
        function(l) constraint_score(turned, l),
        function(l) simba_sc(turned, l, order = 1:6),
        function(l) select_subset(turned, l),
        function(l) fcrsc(turned, l),
        function(l) pck_means(turned, l, clusters = 2)$cluster,
        function(l) spectral_clustering(turned, l, clusters = 2)$cluster,
        function(l) constraint_quality(l, turned),
        function(l) constraint_quality(l, turned,
                                               cluster = rep(1:2, 10), measure = "informativeness"),
        function(l) constraint_quality(l, turned, measure = "must_link",
                                        truth = rep(1:2, 10)),
        function(l) as.data.frame(propagate_constraints(l, turned))[1:4]
    )
    expect_each(seq_along(calls), function(i) {
        set.seed(1)
        named <- calls[[i]](links)
        set.seed(1)
        plain <- calls[[i]](by_number)
        isTRUE(all.equal(unclass(named), unclass(plain),
                         check.attributes = FALSE))
    })
    grDevices::pdf(NULL)
    expect_silent(plot(links, turned))
    grDevices::dev.off()
})

test_that("questions and their graph follow reordered samples", {
    x <- random_matrix(15, 4)
    asked <- active_constraints(x, rep(1:3, 5), 3, strategy = "perturbation",
                                max_questions = 6)
    order <- c(15:8, 1:7)
    turned <- restrict_constraints(asked, order)
    expect_s3_class(turned, "active_constraints")
    at <- match(1:15, order)
    expect_identical(turned$questions$i, at[asked$questions$i])
    expect_identical(turned$questions$entry, at[asked$questions$entry])
    expect_identical(unname(as.matrix(turned$similarity$weights)),
                     unname(as.matrix(asked$similarity$weights)[order, order]))
    expect_identical(turned$vectors, asked$vectors[order, ])
    spread <- function(links, x) {
        added <- as.data.frame(propagate_constraints(links, x, method = "published"))
        sort(paste(pmin(added$name_i, added$name_j),
                   pmax(added$name_i, added$name_j), added$type))
    }
    expect_identical(spread(asked, x[order, ]), spread(asked, x))
    expect_message(part <- restrict_constraints(asked, 1:14),
                   "similarity of the questions is left out")
    expect_identical(class(part), "pairwise_constraints")
    grDevices::pdf(NULL)
    expect_message(plot(asked, x[-1, ]), "similarity")
    grDevices::dev.off()
})

test_that("labels, columns and their pairs drop the same number of pairs", {
    set.seed(12)
    labels <- c("a", "a", "b", "b", "c", sample(c(letters[1:3], NA), 9, TRUE))
    cells <- data.frame(known = labels, line = sample(c(1:4, NA), 14, TRUE))
    sets <- list(constraints_from_labels(labels),
                 constraints_from_columns(cells, cannot_link = "known"),
                 constraints_from_columns(cells, must_link = "line"))
    for (links in sets) expect_every(40, function(trial) {
        rows <- sample(14, sample(4:13, 1))
        identical(as.numeric(follow_samples(links, rows, NULL)$dropped),
                  as.numeric(follow_samples(links[], rows, NULL)$dropped))
    })
    # of six pairs only that of the two samples of a kind is lost
    expect_message(restrict_constraints(
        constraints_from_labels(c("a", "a", "b", "b")), c(1, 3, 4)
    ), "1 of 6 pairs dropped")
})

test_that("classes and groups without samples are forgotten", {
    cells <- data.frame(known = c("a", "b", "c", "c"), line = c(1, 2, 2, 3))
    suppressMessages({
        part <- restrict_constraints(constraints_from_columns(
            cells, cannot_link = "known"), 2:4)
        groups <- restrict_constraints(constraints_from_columns(
            cells, must_link = "line"), c(2, 4))
    })
    expect_identical(part$classes, c("b", "c"))
    expect_identical(part$class_of, c(1L, 2L, 2L))
    expect_identical(groups$groups, c("2", "3"))
    expect_output(print(part), "labels of column \"known\": b (1), c (2)",
                  fixed = TRUE)
})

test_that("TRUE and FALSE by name choose samples by name", {
    links <- pairwise_constraints(cannot_link = cbind("a", "b"),
                                  must_link = cbind("c", "d"),
                                  samples = letters[1:4])
    keep <- c(d = TRUE, c = TRUE, b = FALSE, a = FALSE)
    expect_message(expect_message(
        part <- restrict_constraints(links, keep), "matched by name",
        class = "linkrank_message_order"), "1 of 2 pairs")
    expect_identical(part, suppressMessages(restrict_constraints(
        links, c("c", "d"))))
    expect_error(restrict_constraints(links, c(b = TRUE, a = TRUE, c = TRUE,
                                               e = FALSE)), "it names \"e\"")
})
