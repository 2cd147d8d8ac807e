# Who is who: what names samples, and what is a value at all, at every door.

# The same samples with ids of a file, and in another order on the other side.
id_cases <- function() {
    x <- random_matrix(20, 4)
    list(text = paste0("s", 1:20), number = as.character(1001:1020),
         round = c("100000", "200000", as.character(1:18)),
         turned = as.character(20:1)) |>
        lapply(function(ids) {
            table <- as.data.frame(unname_samples(x))
            attr(table, "row.names") <-
                if (grepl("s", ids[1])) ids else as.integer(ids)
            list(x = `rownames<-`(x, ids), table = table, ids = ids)
        })
}

test_that("ids of a file are names, whatever the order of the rows", {
    rows <- c(11:20, 10:1)
    for (case in id_cases()) {
        x <- case$x
        turned <- case$table[rows, ]
        y <- stats::setNames(rep(c("a", "b"), 10), case$ids)
        block <- stats::setNames(rep(1:2, each = 10), case$ids)
        links <- pairwise_constraints(
            cannot_link = cbind(case$ids[c(1, 3)], case$ids[c(2, 6)]),
            must_link = cbind(case$ids[1], case$ids[3]), samples = case$table
        )
        space <- `rownames<-`(x[, 1:2] * 2, case$ids)
        meta <- data.frame(kind = unname(y), row.names = case$ids)
        calls <- list(
            function(x) relieff_sc(x, links),
            function(x) relieff_sc(x, links, space = space),
            function(x) relieff_sc(x, constraints_from_columns(
                meta, cannot_link = "kind")),
            function(x) relieff(x, y), function(x) glean(x, links),
            function(x) relieff(x, factor(y)), function(x) fisher_score(x, y),
            function(x) group_markers(x, y),
            function(x) group_markers(x, y, block = block)
        )
        for (call in calls) {
            got <- as.data.frame(suppressMessages(call(turned)))
            want <- as.data.frame(suppressMessages(call(x[rows, ])))
            expect_identical(got, want)
            want <- as.data.frame(suppressMessages(call(x)))
            by <- c("group"[!is.null(got$group)], "feature")
            sorted <- function(d) d[do.call(order, d[by]), ]
            expect_equal(sorted(got)$statistic, sorted(want)$statistic,
                         tolerance = 1e-9)
        }
        # answers in a file
        q <- answer_all(questionnaire(case$table, ask = "pairs"),
                        rep(1:2, 10), 4)
        file <- tempfile(fileext = ".csv")
        write_answers(q, file)
        again <- questionnaire(turned, ask = "pairs",
                               answers = read_answers(file))
        said <- function(q) {
            table <- answer_table(q)
            sort(paste(table$name_i, table$name_j, table$type))
        }
        expect_identical(said(again), said(q))
        # as a spreadsheet's numbers
        read <- utils::read.csv(file, fileEncoding = "UTF-8-BOM")
        expect_identical(
            as.data.frame(pairwise_constraints(read, samples = case$ids)),
            as.data.frame(pairwise_constraints(read_answers(file),
                                               samples = case$ids))
        )
        unlink(file)
    }
})

test_that("a number becomes a name without an exponent, at every door", {
    expect_identical(as_names(c(1e5, 1e15, 0.5, NA, 3)),
                     c("100000", "1000000000000000", "0.5", NA, "3"))
    x <- random_matrix(12, 4)
    kind <- rep(c(1e5, 2e5), 6)
    expect_identical(levels(as_class_labels(kind)), c("100000", "200000"))
    expect_identical(levels(group_markers(x, kind)$group),
                     c("100000", "200000"))
    expect_length(top_features(group_markers(x, kind), 2, group = 1e5), 2)
    expect_identical(prepare_data(x, by = rep(1:3 * 1e5, 4))$samples,
                     c("100000", "200000", "300000"))
    scores <- data.frame(feature = c(1e5, 7), score = 1:2)
    expect_setequal(as_feature_ranking(scores)$feature, c("100000", "7"))
    ranking <- annotate_ranking(as_feature_ranking(scores), data.frame(
        feature = c(1e5, 7), symbol = c("A", "B")))
    expect_setequal(ranking$symbol, c("A", "B"))
    links <- pairwise_constraints(
        cannot_link = data.frame(i = "s1", j = 1e5), samples = c("s1", "100000")
    )
    expect_length(links, 1)
})

test_that("blank and declared missing values are no class, and counted", {
    x <- random_matrix(12, 4)
    y <- c("a", "b", "", "a", "b", " ", "a", "b", "a", "b", "a", "b")
    want <- replace(y, c(3, 6), NA)
    declared <- structure(
        c(1, 2, 9, 1, 2, 7, 1, 2, 1, 2, 1, 2), na_values = 9,
        na_range = c(6, 8),
        class = c("haven_labelled_spss", "haven_labelled", "vctrs_vctr",
                  "double")
    )
    calls <- list(
        function(y) constraints_from_labels(y), function(y) relieff(x, y),
        function(y) group_markers(x, y),
        function(y) active_constraints(x, y, n = 3),
        function(y) relieff_sc(x, few_links(12), block = y)
    )
    for (call in calls) {
        set.seed(1)
        plain <- suppressMessages(call(want))
        set.seed(1)
        suppressMessages(expect_message(
            got <- call(y), "blank or", class = "linkrank_message_missing"))
        expect_equal(nrow(as.data.frame(got)), nrow(as.data.frame(plain)))
    }
    expect_message(got <- constraints_from_labels(y), "2 values of `labels`",
                   class = "linkrank_message_missing")
    expect_identical(got$class_of, constraints_from_labels(want)$class_of)
    expect_message(got <- constraints_from_labels(declared), "2 values",
                   class = "linkrank_message_missing")
    expect_identical(got$class_of, constraints_from_labels(want)$class_of)
    expect_message(got <- as_class_labels(factor(y)), "2 values")
    expect_identical(levels(got), c("a", "b"))
    expect_silent(as_class_labels(want))
})

test_that("numbers that were read as text are said", {
    x <- as.data.frame(random_matrix(20, 3))
    cells <- format(round(x[[1]], 2))
    for (text in list(replace(cells, 3, "n/a"), factor(replace(cells, 3, "-")),
                      sub(".", ",", cells, fixed = TRUE))) {
        x[[1]] <- rep_len(text[1:10], 20)
        x[3, 1] <- text[3]
        expect_warning(prepare_data(x), "contains numbers as text",
                       class = "linkrank_warning_text")
    }
    # words, and categories that somebody made of numbers
    x[[1]] <- rep(c("low", "high"), 10)
    expect_no_warning(prepare_data(x))
    x[[1]] <- factor(rep(1:4, 5))
    expect_no_warning(prepare_data(x))
    # once for all resampled parts
    x[[1]] <- rep(c("1", "2", "3", "4"), 5)
    seen <- 0
    withCallingHandlers(
        evaluate_method(x, rep(1:2, 10), "relieff", splits = 3, n = 1),
        linkrank_warning_text = function(w) {
            seen <<- seen + 1
            invokeRestart("muffleWarning")
        })
    expect_identical(seen, 1)
})

test_that("coordinates and tables of samples are matched by their names", {
    skip_if_not_installed("SingleCellExperiment")
    x <- random_matrix(20, 6)
    links <- few_links(rownames(x))
    sce <- SingleCellExperiment::SingleCellExperiment(list(logcounts = t(x)))
    points <- stats::prcomp(x)$x[, 1:3]
    suppressWarnings(
        SingleCellExperiment::reducedDim(sce, "PCA") <- points[20:1, ])
    expect_message(got <- relieff_sc(sce, links, space = "PCA"),
                   "matched by name", class = "linkrank_message_order")
    want <- relieff_sc(t(t(x)), links, scale = "none", space = points)
    expect_equal(got$margin, want$margin)
    skip_if_not_installed("limma")
    loadNamespace("limma")
    targets <- data.frame(g = rep(1:2, 10), row.names = rownames(x))
    arrays <- methods::new("EList", list(
        E = t(x), targets = targets[20:1, , drop = FALSE]))
    expect_message(got <- group_markers(arrays, "g"), "matched by name")
    expect_identical(got$difference,
                     group_markers(sce, targets$g)$difference)
})

test_that("names of length 0, as a triplet matrix may have them, are none", {
    x <- matrix(c(1, 0, 2, 0, 3, 1, 4, 0, 0, 5, 1, 2), 4)
    triplets <- methods::as(stored_cells(x), "TsparseMatrix")
    triplets@Dimnames <- list(character(), character())
    expect_identical(variance_score(triplets)$feature,
                     variance_score(unname(x))$feature)
    expect_null(prepare_data(triplets)$samples)
})
