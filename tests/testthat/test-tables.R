# Results that are a data.frame are one in the hands of base R too: what it
# writes, counts, splits or binds is what it makes of the plain data.frame.

# Made once for all of this file.
our_tables <- local({
    made <- NULL
    function() made <<- if (is.null(made)) make_tables() else made
})

make_tables <- function() {
    set.seed(1)
    x <- random_matrix(24, 12)
    links <- few_links(rownames(x))
    y <- rep(c("a", "b", "c"), 8)
    x[y == "b", 3] <- x[y == "b", 3] + 2
    links <- constraints_from_labels(setNames(y, rownames(x)), cannot_link = 12, must_link = 12)
    answers <- data.frame(first = c("s1", "s2", "s1"),
                          second = c("s2", "s3", "s3"),
                          answer = c("same", "same", "different"))
    ranking <- relieff_sc(x, links)
    methods <- evaluate_method(x, y, list(v = "variance_score",
                                          r = "relieff"),
                               splits = 2, n = c(1, 4), progress = FALSE)
    list(
        feature_ranking = ranking,
        glean_ranking = glean(x, links),
        fcrsc_ranking = fcrsc(x, links),
        subset_ranking = select_subset(x, links),
        group_markers = group_markers(x, y),
        suspect_answers = suspect_answers(links, x),
        answer_conflicts = answer_conflicts(suppressMessages(
            reconcile_answers(answers, samples = rownames(x)))),
        ranking_evaluation = evaluate_ranking(
            list(one = ranking, two = variance_score(x)), x[1:12, ], y[1:12],
            x[13:24, ], y[13:24], n = c(1, 4)),
        method_evaluation = methods,
        evaluation_summary = summary(methods),
        ranking_stability = ranking_stability(x, links, replicates = 3,
                                              progress = FALSE),
        question_evaluation = evaluate_questions(
            x, y, c("groups", "random"), ask = "sort", questions = c(0, 6),
            splits = 2, n = 2, progress = FALSE),
        question_plan = suppressMessages(suppressWarnings(plan_questions(
            x, effect = 3, questions = c(5, 10), trials = 2,
            progress = FALSE)))
    )
}

# Classes before "data.frame" that the sources of the package give.
table_classes <- function(files) {
    found <- character()
    walk <- function(part) {
        if (!is.call(part)) {
            return(invisible())
        }
        of <- if (is.name(part[[1L]])) as.character(part[[1L]]) else ""
        classes <- if (of %in% c("structure", "new_feature_ranking")) {
            part$class
        } else if (of == "<-" && is.call(part[[2L]]) &&
                   identical(part[[2L]][[1L]], quote(class))) {
            part[[3L]]
        }
        text <- Filter(is.character, as.list(classes))
        if (of == "new_feature_ranking" || "data.frame" %in% text) {
            found <<- c(found, setdiff(unlist(text), "data.frame"))
        }
        lapply(as.list(part), walk)
    }
    for (file in files) {
        if (!any(grepl("data.frame|new_feature_ranking", readLines(file)))) next
        lapply(as.list(parse(file, keep.source = FALSE)), walk)
    }
    unique(found)
}

plain <- function(x) {
    for (name in setdiff(names(attributes(x)), c("names", "row.names"))) {
        attr(x, name) <- NULL
    }
    class(x) <- "data.frame"
    x
}

written <- function(write, x, ...) {
    file <- tempfile()
    on.exit(unlink(file))
    write(x, file, ...)
    readLines(file)
}

# What base R makes of a table; tables among it are compared as plain ones.
uses_of_tables <- list(
    write.csv = function(x) written(write.csv, x),
    write.table = function(x) written(write.table, x, sep = "\t"),
    lapply = function(x) lapply(x, class),
    sapply = function(x) sapply(x, length),
    vapply = function(x) vapply(x, function(column) sum(is.na(column)), 0),
    mapply = function(x) mapply(identical, x, x),
    Filter = function(x) names(Filter(is.numeric, x)),
    as.list = function(x) as.list(x)[names(x)],
    str = function(x) grep("^ [$]", capture.output(str(x)), value = TRUE),
    is.na = function(x) is.na(x),
    as.matrix = function(x) as.matrix(x),
    dim = function(x) c(dim(x), length(x), NROW(x), NCOL(x)),
    split = function(x) split(x, rep_len(1:2, nrow(x))),
    by = function(x) c(by(x, rep_len(1:2, nrow(x)), nrow)),
    rbind = function(x) rbind(x, x),
    rbind_parts = function(x) do.call(rbind, split(x, rep_len(1:2, nrow(x)))),
    cbind = function(x) cbind(x, extra = seq_len(nrow(x))),
    merge = function(x) {
        keys <- unique(x[[1L]])
        merge(x, data.frame(keys, extra = seq_along(keys)), by = 1)
    },
    order = function(x) x[do.call(order, unname(as.list(plain(x)))), ],
    columns = function(x) x[c(2, 1)],
    column = function(x) list(x[, 2], x[[2]], x[[names(x)[2]]], x[2]),
    rows = function(x) x[c(TRUE, FALSE), ],
    cell = function(x) x[1, 2],
    reversed = function(x) x[rev(seq_len(nrow(x))), ],
    head = function(x) list(head(x, 2), tail(x, 2)),
    subset = function(x) subset(x, seq_len(nrow(x)) > 1, 1:2),
    transform = function(x) transform(x, extra = 1),
    within = function(x) within(x, extra <- 1),
    unique = function(x) list(unique(x), duplicated(x), anyDuplicated(x)),
    complete = function(x) complete.cases(x),
    set_column = function(x) {
        x$extra <- 1
        x[["other"]] <- 2
        x[1, 1] <- NA
        x
    },
    renamed = function(x) {
        names(x)[1] <- "first"
        x
    }
)

expect_same_use <- function(x, name, use) {
    bare <- function(found) {
        if (is.data.frame(found)) return(plain(found))
        if (is.list(found)) lapply(found, bare) else found
    }
    expect_identical(bare(use(x)), bare(use(plain(x))),
                     label = paste0(name, "() of a ", class(x)[1]))
}

test_that("base R sees the columns of every table", {
    tables <- our_tables()
    files <- list.files(dirname(package_sources("R/conditions.R")), "[.]R$",
                        full.names = TRUE)
    expect_setequal(table_classes(files), names(tables))
    for (x in tables) {
        expect_identical(plain(as.data.frame(x)), plain(x))
        for (name in names(uses_of_tables)) {
            expect_same_use(x, name, uses_of_tables[[name]])
        }
    }
    # those with a summary of their own apart
    summarised <- Filter(function(x) {
        is.null(getS3method("summary", class(x)[1L], optional = TRUE)) &&
            !inherits(x, c("feature_ranking", "ranking_evaluation"))
    }, tables)
    expect_gte(length(summarised), 4)
    for (x in summarised) {
        expect_same_use(x, "summary", summary)
    }
})

test_that("the file of markers holds the markers", {
    markers <- our_tables()$group_markers
    file <- tempfile()
    on.exit(unlink(file))
    write.csv(markers, file, row.names = FALSE)
    read <- read.csv(file)
    expect_identical(read$group, as.character(markers$group))
    expect_identical(read$rank, markers$rank)
    expect_identical(read$feature, markers$feature)
    expect_equal(read$statistic, markers$statistic)
})

# Not suggested by the package, so that no code names them.
test_that("readr writes the columns of every table", {
    skip_if_not_installed("readr")
    write <- getExportedValue("readr", "write_csv")
    for (x in our_tables()) {
        expect_same_use(x, "write_csv", function(x) written(write, x))
    }
})

test_that("openxlsx writes the columns of every table", {
    skip_if_not_installed("openxlsx")
    write <- getExportedValue("openxlsx", "write.xlsx")
    read <- getExportedValue("openxlsx", "read.xlsx")
    file <- tempfile(fileext = ".xlsx")
    on.exit(unlink(file))
    for (x in our_tables()) {
        expect_same_use(x, "write.xlsx", function(x) {
            write(x, file, overwrite = TRUE)
            if (nrow(x)) read(file)
        })
    }
    markers <- our_tables()$group_markers
    write(marker_lists(markers, NULL), file, overwrite = TRUE)
    expect_identical(read(file, "b")$feature,
                     markers$feature[markers$group == "b"])
})
