# Cells of clones and known types that agree, with gaps in both.
clone_cells <- function(n, seed) {
    set.seed(seed)
    clone <- sample(c(letters[1:6], NA), n, TRUE, c(rep(0.1, 6), 0.4))
    known <- sample(c("B", "NK", "T", NA), n, TRUE)
    of_clone <- sample(c("B", "NK", "T"), 6, TRUE)[match(clone, letters)]
    known <- ifelse(is.na(known) | is.na(of_clone), known, of_clone)
    data.frame(clone, known, row.names = paste0("c", seq_len(n)))
}

# The same pairs by going through all of them.
columns_by_trying <- function(cells) {
    pairs <- t(utils::combn(nrow(cells), 2))
    a <- cells[pairs[, 1], ]
    b <- cells[pairs[, 2], ]
    pairwise_constraints(cannot_link = pairs[which(a$known != b$known), , drop = FALSE],
                         must_link = pairs[which(a$clone == b$clone), , drop = FALSE],
                         samples = rownames(cells))
}

# All pairs of different known values.
pairs_of_unlike <- function(values) {
    pairs <- t(utils::combn(length(values), 2))
    pairs[which(values[pairs[, 1]] != values[pairs[, 2]]), , drop = FALSE]
}

both_columns <- function(cells) {
    constraints_from_columns(cells, must_link = "clone", cannot_link = "known")
}

# 30 such cells and their features, with the pairs kept and written out.
clone_problem <- function(features, seed) {
    cells <- clone_cells(30, seed)
    x <- random_matrix(30, features)
    rownames(x) <- rownames(cells)
    list(x = x, links = both_columns(cells), written = columns_by_trying(cells))
}

test_that("columns are all their pairs, kept as groups and labels", {
    cells <- data.frame(clone = c("p", "q", "p", NA, "p"),
                        known = c("B", NA, NA, "T", "B"),
                        row.names = letters[1:5])
    links <- both_columns(cells)
    expect_null(links$first)
    expect_identical(links$group_of, c(1L, 2L, 1L, NA, 1L))
    expect_identical(links$class_of, c(1L, NA, NA, 2L, 1L))
    # B and T differ: a-d, d-e; one clone: a-c, a-e, c-e
    expect_identical(length(links), 5L)
    expect_identical(as.data.frame(links)[1:3], data.frame(
        i = c(1L, 4L, 1L, 1L, 3L), j = c(4L, 5L, 3L, 5L, 5L),
        type = rep(c("cannot-link", "must-link"), 2:3)
    ))
    expect_identical(links$names, letters[1:5])
})

test_that("counts, groups and closure are those of the pairs", {
    # the paragraph names the columns
    facts <- function(links) replace(summary(links), "methods", NULL)
    expect_every(30, function(seed) {
        cells <- clone_cells(25, seed)
        links <- both_columns(cells)
        written <- columns_by_trying(cells)
        closed <- close_constraints(links)
        isTRUE(all.equal(facts(links), facts(written))) &&
            identical(must_linked_groups(links), must_linked_groups(written)) &&
            identical(closed$group_of, links$group_of) &&
            identical(reference_closure_of(write_out(closed)),
                      reference_closure_of(written)) &&
            all(count_pairs(closed) ==
                    count_pairs(close_constraints(written)))
    })
})

test_that("they say of any two samples what their pairs say", {
    all <- expand.grid(i = seq_len(25), j = seq_len(25))
    expect_every(30, function(seed) {
        cells <- clone_cells(25, seed)
        links <- both_columns(cells)
        written <- columns_by_trying(cells)
        said <- function(set) relation(closure_of(set), all$i, all$j)
        groups <- closure_groups(links)
        identical(said(links), said(written)) &&
            identical(undecided_groups(links, groups),
                      undecided_groups(written, groups))
    })
})

test_that("every ranking counts them as all their pairs", {
    given <- clone_problem(12, 4)
    x <- given$x
    same <- function(rank) {
        expect_equal(as.data.frame(rank(given$links)),
                     as.data.frame(rank(given$written)), tolerance = 1e-12)
    }
    table <- ranking_methods()
    for (method in table$method[grepl("constraints", table$needs)]) {
        options <- if (method == "pcfs") list(clusters = 3)
        same(function(pairs) {
            set.seed(1)
            do.call(rank_features, c(list(x, pairs, method = method), options))
        })
    }
    for (type in names(score_plans)) {
        same(function(pairs) constraint_score(x, pairs, type = type))
    }
    for (direction in c("first", "both")) {
        same(function(pairs) {
            set.seed(1)
            relieff_sc(x, pairs, direction = direction, permutations = 9)
        })
    }
    same(function(pairs) {
        set.seed(1)
        ensemble_ranking(x, pairs, replicates = 9, features = 6)
    })
})

test_that("links of one kind alone have the scores of their pairs", {
    cells <- data.frame(known = rep(c("B", "T", NA), c(9, 12, 4)),
                        clone = rep(c(NA, "a", "b"), c(11, 7, 7)))
    x <- random_matrix(25, 6)
    same <- function(links, types) {
        for (type in types) {
            expect_equal(constraint_score(x, links, type = type)$score,
                         constraint_score(x, links[], type = type)$score)
        }
    }
    same(constraints_from_columns(cells, cannot_link = "known"),
         c("CS2", "CS3", "CLS", "C6", "CCLS"))
    same(constraints_from_columns(cells, must_link = "clone"),
         c("CS2", "CLS", "C6", "CCLS"))
})

test_that("cannot-links alone are sides, however many groups", {
    cells <- data.frame(known = rep(c("B", "T", NA), c(9, 12, 4)),
                        clone = NA_character_,
                        row.names = paste0("c", 1:25))
    x <- random_matrix(25, 6)
    rownames(x) <- rownames(cells)
    links <- constraints_from_columns(cells, cannot_link = "known")
    written <- columns_by_trying(cells)
    expect_equal(as.data.frame(relieff_sc(x, links)),
                 as.data.frame(relieff_sc(x, written)))
    # a side per group and no list of pairs of groups
    expect_length(constraint_links(links)$against, 0L)
    many <- constraints_from_columns(data.frame(id = 1:50000),
                                     cannot_link = "id")
    expect_identical(length(many), 1249975000L)
    expect_lt(as.numeric(object.size(constraint_links(many))), 3e6)
})

test_that("clusters, propagation and judgement take them", {
    given <- clone_problem(8, 5)
    x <- given$x
    same <- function(work) {
        set.seed(1)
        a <- work(given$links)
        set.seed(1)
        expect_equal(a, work(given$written))
    }
    same(function(pairs) pck_means(x, pairs, clusters = 3)$cluster)
    same(function(pairs) pck_means(x, pairs, clusters = 3)$broken)
    same(function(pairs) spectral_clustering(x, pairs, clusters = 3)$cluster)
    same(function(pairs) spectral_clustering(x, pairs, clusters = 3)$broken)
    same(function(pairs) as.data.frame(propagate_constraints(pairs, x)))
    same(function(pairs) constraint_quality(pairs, x))
})

test_that("samples that leave hand their class to their group", {
    expect_every(30, function(seed) {
        cells <- clone_cells(25, seed)
        keep <- sample(25, 14)
        suppressMessages({
            part <- restrict_constraints(both_columns(cells), keep)
            written <- restrict_constraints(columns_by_trying(cells), keep)
        })
        identical(part$names, written$names) &&
            identical(reference_closure_of(write_out(part)),
                      reference_closure_of(written))
    })
    cells <- clone_cells(25, 1)
    counted <- function(links) {
        tryCatch(restrict_constraints(links, 3:20),
                 message = conditionMessage)
    }
    expect_identical(counted(both_columns(cells)),
                     counted(columns_by_trying(cells)))
})

test_that("one column for both is labels, and c() joins sets", {
    cells <- clone_cells(12, 2)
    expect_identical(constraints_from_columns(cells, must_link = "known", cannot_link = "known"),
                     constraints_from_labels(stats::setNames(
                         cells$known, rownames(cells)
                     )))
    known <- pairwise_constraints(must_link = cbind("c1", "c2"),
                                  samples = rownames(cells))
    expect_identical(length(c(known, constraints_from_columns(
        cells, cannot_link = "known"
    ))), 1L + nrow(pairs_of_unlike(cells$known)))
})

test_that("containers, tables and DataFrames give the same", {
    skip_if_not_installed("SingleCellExperiment")
    skip_if_not_installed("Biobase")
    cells <- clone_cells(12, 3)
    links <- both_columns(cells)
    counts <- matrix(1, 2, 12, dimnames = list(c("a", "b"), rownames(cells)))
    sce <- SingleCellExperiment::SingleCellExperiment(
        list(logcounts = counts), colData = S4Vectors::DataFrame(cells)
    )
    expect_identical(both_columns(sce), links)
    expect_identical(both_columns(S4Vectors::DataFrame(cells)), links)
    set <- Biobase::ExpressionSet(counts, Biobase::AnnotatedDataFrame(cells))
    expect_identical(both_columns(set), links)
    sce$known <- S4Vectors::Rle(cells$known)
    expect_identical(both_columns(sce), links)

    labels <- constraints_from_labels(stats::setNames(cells$known,
                                                      rownames(cells)))
    expect_identical(constraints_from_labels(sce, "known"), labels)
    expect_identical(constraints_from_labels(set, "known"), labels)
    expect_identical(constraints_from_labels(cells, "known"), labels)
    set.seed(1)
    drawn <- constraints_from_labels(cells, "known", cannot_link = 3, must_link = 0)
    set.seed(1)
    expect_identical(constraints_from_labels(sce, "known", cannot_link = 3,
                                             must_link = 0), drawn)
})

test_that("`y` may name a column of a container", {
    skip_if_not_installed("SingleCellExperiment")
    x <- random_matrix(20, 5)
    kind <- rep(c("a", "b"), 10)
    sce <- SingleCellExperiment::SingleCellExperiment(
        list(logcounts = t(x)),
        colData = S4Vectors::DataFrame(kind, score = x[, 1])
    )
    for (rank in list(fisher_score, relieff, stir, irelief)) {
        expect_identical(as.data.frame(rank(sce, "kind")),
                         as.data.frame(rank(sce, kind)))
    }
    for (rank in list(rrelieff, supervised_laplacian_score)) {
        expect_identical(as.data.frame(rank(sce, "score")),
                         as.data.frame(rank(sce, x[, 1])))
    }
    expect_identical(as.data.frame(rank_features(sce, y = "kind",
                                                 method = "fisher_score")),
                     as.data.frame(fisher_score(sce, kind)))
    of <- function(y) {
        set.seed(1)
        evaluate_method(sce, y, "fisher_score", splits = 2, n = 1:3)
    }
    expect_identical(of("kind"), of(kind))
})

test_that("what is wrong is said with columns, samples and chain", {
    cells <- data.frame(clone = c("p", "q", "p", NA), known = c("B", NA, "T",
                                                                "T"),
                        one = "x", none = NA, fraction = c(0.5, 1, 2, 3),
                        row.names = letters[1:4])
    expect_refused("constraints",
                   both_columns(cells),
                   constraints_from_columns(cells, cannot_link = "one"),
                   constraints_from_columns(cells, must_link = "none"))
    expect_refused("argument",
                   constraints_from_columns(cells),
                   constraints_from_columns(cells, must_link = "colne"),
                   constraints_from_columns(cells, must_link = c("clone", "one")),
                   constraints_from_columns(cells, must_link = "fraction"),
                   constraints_from_columns(letters, must_link = "clone"),
                   constraints_from_labels(cells),
                   constraints_from_labels(cells, "typ"))
})

test_that("printed output fits the page", {
    cells <- clone_cells(40, 6)
    expect_snapshot({
        both_columns(cells)
        constraints_from_columns(cells, must_link = "clone")
        constraints_from_columns(cells, cannot_link = "known")
    })
})

test_that("damaged codes are refused", {
    links <- both_columns(clone_cells(12, 2))
    x <- random_matrix(12, 4)
    rownames(x) <- links$names
    for (codes in c("group_of", "class_of")) {
        damaged <- links
        damaged[[codes]][1] <- 99L
        expect_error(relieff_sc(x, damaged),
                     class = "linkrank_error_constraints")
    }
})
