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

test_that("text that is no category is left out, with a call that was tried", {
    set.seed(1)
    x <- data.frame(V1 = 1, random_matrix(40, 2))
    number <- signif(exp(rnorm(40)), 3)
    texts <- list(
        paste(number, "mg/dl"), paste0("<", number), paste0(number, "%"),
        paste0("$", number), paste0(number, "\u00a0"), paste0("\u2212", number),
        replace(as.character(number), 5:15, "n.d."),
        sub(".", ",", number, fixed = TRUE),
        paste(sub(".", ",", number, fixed = TRUE), "g/l"),
        paste0(1:40, ".718,5"), paste0(1:40, ",718.5"), paste0(1:40, "'718"),
        format(as.Date("2024-02-27") + 1:40, "%d.%m.%Y"),
        format(as.Date("2024-02-27") + 1:40), paste0(rep(1:20, 2), ":", 10:49)
    )
    want <- list(number, number, number, number, number, -number,
                 replace(number, 5:15, NA), number, number, 1:40 * 1000 + 718.5,
                 1:40 * 1000 + 718.5, 1:40 * 1000 + 718,
                 as.Date("2024-02-27") + 1:40, as.Date("2024-02-27") + 1:40,
                 as.difftime(rep(1:20, 2) * 60 + 10:49, units = "mins"))
    for (t in seq_along(texts)) {
        x$V1 <- texts[[t]]
        said <- expect_warning(ranked <- variance_score(x), "no category",
                               class = "linkrank_warning_text")
        expect_false("V1" %in% ranked$feature)
        # what the sentence says to type, typed
        call <- sub(".*: (as.*) makes .*", "\\1", conditionMessage(said))
        x$V1 <- suppressWarnings(eval(str2lang(call)))
        expect_equal(as.numeric(x$V1, units = "mins"),
                     as.numeric(want[[t]], units = "mins"))
        ranked <- variance_score(x, na.action = "mean")
        expect_identical(nrow(ranked), 3L)
    }
    # neither numbers nor dates
    for (text in list(paste0("F0500", 1:40), paste0(1:40, "x10^", 2:5),
                      paste0(1:40, "/100"), paste0(1:40, "-", 41:80))) {
        x$V1 <- text
        expect_warning(variance_score(x), "(an identifier|other text); factor",
                       class = "linkrank_warning_text")
    }
    # 21 numbers of 80 rows, words, and what somebody made a factor
    wide <- x[rep(1:40, 2), ]
    wide$V1 <- paste(rep_len(1:21, 80), "J.")
    expect_warning(variance_score(wide), "21 values such as \"1 J.\"")
    wide$V1 <- rep_len(paste("ward", c(letters, LETTERS)[1:26]), 80)
    expect_silent(variance_score(wide))
    x$V1 <- rep(c("1", "2", "3", "n.d."), 10)
    expect_silent(variance_score(x))
    x$V1 <- factor(texts[[1]])
    expect_message(variance_score(x), "Taken as categories.*\"V1\"")
    # the same of classes; blocks and units may have as many values
    y <- texts[[8]]
    expect_refused("argument", relieff(x[-1], y), group_markers(x[-1], y),
                   constraints_from_labels(y))
    expect_silent(constraints_from_labels(paste0("donor", rep(1:20, 2))))
    expect_silent(as_class_labels(as.character(rep(1:20, 2)), "block"))
})

test_that("calls on parts of a table leave the same columns out", {
    set.seed(1)
    x <- data.frame(random_matrix(40, 4), id = paste0("p", 1:40))
    y <- rep(c("a", "b"), 20)
    calls <- list(
        function(x) ranking_stability(x, y = y, method = "relieff", replicates = 3),
        function(x) ensemble_ranking(x, y = y, method = "relieff", replicates = 3),
        function(x) evaluate_method(x, y, "relieff", splits = 2),
        function(x) evaluate_questions(x, y, questions = c(0, 3), splits = 2,
                                       n = 2)
    )
    links <- few_links(40)
    x <- x[c(5, 1:4)]
    suppressWarnings(ranked <- relieff_sc(x, links))
    calls <- c(calls, function(x) diversify_ranking(ranked, x),
               function(x) feature_view(x, ranked, 3, NULL, NULL, NULL)$cells)
    for (call in calls) {
        set.seed(1)
        want <- call(x[-1])
        set.seed(1)
        said <- testthat::capture_warnings(got <- call(x))
        expect_identical(sum(grepl("no category", said)), 1L)
        expect_equal(as.data.frame(got), as.data.frame(want))
    }
})

test_that("blank and declared missing cells of a table are missing", {
    x <- as.data.frame(random_matrix(12, 2))
    x$therapy <- rep(c("a", "", " ", "b"), 3)
    x$stage <- factor(rep(c("", "1", "2"), 4))
    x$item <- structure(rep(c(1, 2, 9), 4), na_values = 9,
                        labels = c(no = 1, yes = 2, unsure = 9),
                        class = c("haven_labelled_spss", "haven_labelled",
                                  "vctrs_vctr", "double"))
    x$age <- structure(c(30:40, 99), labels = c(refused = 99),
                       class = c("haven_labelled", "vctrs_vctr", "integer"))
    expect_message(data <- prepare_data(x),
                   "NA: 14 values of column \"therapy\", \"stage\", \"item\",",
                   class = "linkrank_message_missing")
    expect_identical(data$missing, c(0L, 0L, 6L, 4L, 4L, 0L))
    expect_identical(data$kind, c("numeric", "numeric", "factor", "factor",
                                  "factor", "numeric"))
})

test_that("containers of other packages are refused with the call that helps", {
    home <- new.env()
    setClass("otu_table", contains = "matrix", where = home)
    setClass("cube", contains = "matrix", where = home)
    lazy <- structure(list(), class = c("tbl_SQLite", "tbl_sql", "tbl_lazy", "tbl"))
    local_dim <- function(x) c(NA_integer_, 4L)
    registerS3method("dim", "tbl_SQLite", local_dim)
    cells <- random_matrix(6, 4)
    table <- data.frame(a = 1:6)
    table$NIR <- cells
    table$odd <- structure(c(1L, 9L, 1L, 2L, 1L, 1L), levels = c("a", "b"),
                           class = "factor")
    expect_refused("input", variance_score(new("otu_table", cells)),
                   variance_score(new("cube", cells)), variance_score(lazy),
                   evaluate_method(lazy, 1:6),
                   keep_features(lazy, variance_score(cells), 2),
                   variance_score(structure(list(), class = "AnnDataR6")),
                   variance_score(table), variance_score(table["odd"]),
                   variance_score(replace(cells, 7:18, NA)))
    expect_refused("argument", relieff(cells, table$odd))
})

test_that("arrays of one dimension and run-length vectors are vectors", {
    x <- random_matrix(20, 4)
    y <- rep(c("a", "b"), 10)
    codes <- factor(y)
    dim(codes) <- 20
    for (one in list(array(y, 20), codes, matrix(y))) {
        expect_identical(relieff(x, one), relieff(x, y))
        expect_identical(constraints_from_labels(one), constraints_from_labels(y))
    }
    expect_identical(rrelieff(x, array(x[, 1] + 1, 20)), rrelieff(x, x[, 1] + 1))
    # and columns, as scale() makes them
    table <- data.frame(x, class = y)
    arrays <- table
    arrays$g1 <- matrix(x[, 1])
    arrays$class <- array(y, 20)
    expect_identical(variance_score(arrays), variance_score(table))
    arrays$g1 <- x[, 1:2]
    expect_error(variance_score(arrays), "\"g1\" is a matrix: rank it alone",
                 class = "linkrank_error_input")
    # codes without a level
    for (code in c(-3L, 0L, 5L)) {
        table$class <- structure(rep(c(1L, code), 10), levels = c("a", "b"),
                                 class = "factor")
        expect_error(variance_score(table), "with a code that has no level",
                     class = "linkrank_error_input")
    }
})

test_that("a column of a table is `y` by its name, and no feature then", {
    table <- data.frame(random_matrix(20, 4), class = rep(c("a", "b"), 10))
    x <- table[1:4]
    y <- table$class
    expect_identical(relieff(table, "class"), relieff(x, y))
    expect_identical(fisher_score(table, y = "class"), fisher_score(x, y))
    expect_identical(rank_features(table, y = "class", method = "stir"), stir(x, y))
    expect_identical(select_subset(table, y = "class"), select_subset(x, y = y))
    expect_equal(group_markers(table, groups = "class"), group_markers(x, y))
    set.seed(1)
    named <- evaluate_method(table, "class", "relieff", splits = 2)
    set.seed(1)
    expect_identical(named, evaluate_method(x, y, "relieff", splits = 2))
    expect_error(relieff(table, "clas"), "no column of `x`. Did you mean `class`?")
    ranked <- relieff(x, y)
    expect_identical(
        evaluate_ranking(ranked, table[1:12, ], "class", table[13:20, ], "class"),
        evaluate_ranking(ranked, x[1:12, ], y[1:12], x[13:20, ], y[13:20]))
    # but for the seconds at which they were answered
    asked <- lapply(list(active_constraints(table, "class", n = 3),
                         active_constraints(x, y, n = 3)), as.data.frame)
    expect_identical(asked[[1]], asked[[2]])
    expect_identical(sample_view(table, NULL, NULL, "class", "are drawn"),
                     sample_view(x, NULL, NULL, y, "are drawn"))
})

test_that("a feature without a value in a part is a constant there", {
    set.seed(1)
    x <- matrix(rnorm(16 * 40, 20), 16, dimnames = list(NULL, paste0("p", 1:40)))
    y <- rep(c("a", "b"), each = 8)
    for (j in 31:40) x[sample(16, 14), j] <- NA
    whole <- prepare_data(x)
    half <- c(1:4, 9:12)
    empty <- colSums(!is.na(x[half, ])) == 0
    expect_gt(sum(empty), 1)
    filled <- x[half, ]
    filled[, empty] <- 1
    expect_identical(own_columns(relieff(whole[half, ], y[half])),
                     own_columns(relieff(filled, y[half])))
    expect_error(prepare_data(x[half, ]), "known value in every feature")
    for (action in list(NULL, "mean")) {
        found <- evaluate_method(x, y, "relieff", splits = 2, na.action = action)
        expect_false(anyNA(found$accuracy))
    }
    # the setting of prepared data holds, and the message tells of a part
    set.seed(1)
    want <- evaluate_method(x, y, "variance_score", splits = 2, na.action = "mean")
    set.seed(1)
    expect_equal(evaluate_method(prepare_data(x, na.action = "mean"), y,
                                 "variance_score", splits = 2), want)
    expect_error(evaluate_method(x, y, "variance_score", splits = 2),
                 "in a part, feature .* na.action = \"mean\"")
    expect_error(ranking_stability(x, y = y, method = "relieff", na.action = "mean"),
                 "Leave it out")
    stable <- ranking_stability(x, y = y, method = "relieff", replicates = 3)
    expect_s3_class(stable, "ranking_stability")
    expect_identical(nrow(ensemble_ranking(x, y = y, method = "relieff",
                                           replicates = 20)), 40L)
    expect_s3_class(evaluate_questions(x, y, questions = c(0, 3), splits = 2,
                                       n = 2, na.action = "mean"),
                    "question_evaluation")
})

test_that("defaults fit small data, and no method refuses its own", {
    x <- random_matrix(12, 20)
    y <- rep(c("a", "b"), each = 6)
    set.seed(1)
    expect_s3_class(evaluate_method(x, y, "glean", splits = 2), "method_evaluation")
    expect_error(evaluate_method(x, y, "glean", splits = 2, cannot_link = 10),
                 "only 9 of them")
    expect_identical(rank_features(x, method = "glean"), glean(x))
    a <- variance_score(x)
    expect_identical(compare_rankings(a, a), 1)
})

test_that("one look at a table finds what is wrong with its columns", {
    skip_if_not_installed("survival")
    table <- hospital_export()
    expect_identical(dim(table), c(418L, 20L))
    expect_message(expect_warning(data <- prepare_data(table),
                                  "no category",
                                  class = "linkrank_warning_text"),
                   "107 values")
    expect_snapshot(summary(data))
    shown <- paste(capture.output(print(data)), collapse = " ")
    for (column in c("Alter", "Bilirubin", "Cholesterin", "Albumin", "AP",
                     "AST")) {
        expect_match(shown, paste0(column, ": [0-9]+ values such as [^:]*: +",
                                   "as.numeric"))
    }
    for (words in c("Patient: .* an identifier", "Aufnahme: .* as.Date",
                    "Kupfer: -9 in 26 %", "Triglyceride: 999 in 33 %",
                    "Therapie: 106 missing", "Bilirubin: [^?]*take logs?")) {
        expect_match(shown, words)
    }
    # methods rank the other columns; of prepared data nothing is said again
    links <- constraints_from_labels(table$Status)
    expect_warning(ranked <- suppressMessages(relieff_sc(table, links)),
                   "and 3 more, which print", class = "linkrank_warning_text")
    expect_no_warning(again <- relieff_sc(data, links))
    expect_identical(nrow(ranked), 12L)
    expect_identical(own_columns(again), own_columns(ranked))
    expect_identical(dim(data[1:40, ]), c(40L, 12L))
    # of many columns how many there are
    wide <- random_matrix(30, 80)
    wide[1, 1:3] <- NA
    wide[, 4] <- exp(3 * wide[, 4])
    expect_match(capture.output(prepare_data(wide)),
                 "columns: 1 skewed, 3 with missing cells", all = FALSE)
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

test_that("the look at a table names a code at the end of a short scale", {
    look <- function(...) capture.output(print(prepare_data(data.frame(...))))
    scale <- rep(1:5, 8)
    said <- look(item = replace(scale, 1:6, 99), low = replace(scale, 1:6, -20),
                 few = replace(scale, 1, 99), plain = scale, two = scale > 2,
                 zero = rep(c(0, 1, 2, 3, 6), 8))
    expect_identical(sum(grepl("a code?", said, fixed = TRUE)), 2L)
    expect_match(said, "item: 99 in 15 % of the cells: a code?", fixed = TRUE,
                 all = FALSE)
    expect_match(said, "low: -20 in 15 % of the cells: a code?", fixed = TRUE,
                 all = FALSE)
    expect_error(variance_score(structure(list(), class = "DFrame")),
                 "give as.data.frame(x)", fixed = TRUE)
})
