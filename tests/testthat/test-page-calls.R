# Every call that a page prints runs: those of README.md, the vignettes and the
# articles in the text and in blocks that are not run there, those of the help pages
# beside their examples.

# What the calls name.
reader_data <- function() {
    at <- new.env()
    set.seed(1)
    at$x <- log2(colon$x[1:40, 1:60])
    at$y <- unname(colon$tissue[1:40])
    at$tissue <- at$type <- at$classes <- at$y
    at$labels <- setNames(as.character(at$y), rownames(at$x))
    at$oracle <- at$labels
    at$patient <- at$block <- at$unit <- rep(1:20, each = 2)
    at$wine <- utils::read.csv(system.file("extdata", "wine.csv.gz", package = "linkrank"))
    at$data <- data.frame(class = at$y, number = 1:40, at$x)
    at$table <- at$df <- at$data
    at$links <- at$constraints <- active_constraints(at$x, at$labels, n = 15)
    at$answers <- at$asked <- at$links
    at$ranking <- at$genes <- glean(at$x, at$links)
    at$subset <- select_subset(at$x[, 1:5], at$links)
    at$spectrum <- `colnames<-`(at$x, 401:460)
    at$of_spectrum <- relieff(at$spectrum, at$y)
    at$tree <- cluster_features(feature_graph(at$x))
    at$iterated <- irelief(at$x, at$y)
    at$markers <- at$marked <- group_markers(at$x, at$y)
    at$q <- questionnaire(at$x, n = 20)
    at$ann <- at$bob <- at$links
    at$label <- rep(1:8, 5)
    at$session <- at$result <- at$links
    at$sizes <- 1:3
    at$n <- 3
    at$clusters <- 2
    at$guess <- 1
    at$found <- evaluate_method(at$x, at$y, "fisher_score", splits = 5, n = 1:3)
    at$scores <- setNames(1:60 / 60, colnames(at$x))
    at$sheet <- at$file <- "answers.csv"
    if (requireNamespace("SingleCellExperiment", quietly = TRUE)) {
        cells <- SingleCellExperiment::SingleCellExperiment(
            list(logcounts = t(at$x)), colData = data.frame(
                donor = rep(c("one", "two"), 20), label = rep(1:8, 5),
                tissue = at$y, patient = rep(1:20, each = 2),
                row.names = rownames(at$x)))
        at$sce <- at$both <- cells
    }
    at$run_app <- function(app, ...) at$links
    at
}

# A whole call of a function of this package: nothing is left to be filled in.
whole_call <- function(code) {
    part <- tryCatch(parse(text = code, keep.source = FALSE),
                     error = function(condition) NULL)
    if (length(part) != 1L || !is.call(part[[1L]])) return(FALSE)
    call <- part[[1L]]
    empty <- function(part) {
        if (is.call(part)) return(length(part) == 1L ||
                                      any(vapply(as.list(part), empty, NA)))
        is.name(part) && (!nzchar(part) || as.character(part) == "...")
    }
    own <- any(all.names(call) %in% c(getNamespaceExports("linkrank"), "plot",
                                      "summary", "update", "confint", "autoplot"))
    own && length(call) > 1L && !empty(call) &&
        !all.names(call)[1L] %in% c("c", "function", "if", "::")
}

# Calls and blocks, by their first line, that need what a test does not have.
not_run <- c(
    `links <- active_constraints(x, console_oracle(file = "answers.csv"), n = 20)` =
        "a person",
    `ensemble_ranking(x, links, BPPARAM = BiocParallel::MulticoreParam(4))` =
        "a cluster",
    `# _targets.R` = "package targets",
    `filter <- mlr3filters::flt("linkrank", method = "relieff", k = 5)` =
        "package mlr3filters, see tests/peers"
)

first_line <- function(code) sub("\n.*", "", code)

printed_calls <- function() {
    pages <- page_files()
    spans <- lapply(pages, function(file) {
        code_spans(gsub("(?s)\n```.*?\n```", "\n", one_text(file), perl = TRUE))
    })
    found <- data.frame(page = c(rep(basename(pages), lengths(spans))),
                        code = unlist(spans))
    blocks <- lapply(pages, function(file) fenced(one_text(file), "r"))
    help <- help_files()
    code <- lapply(help, help_code)
    found <- rbind(found, data.frame(page = rep(basename(pages), lengths(blocks)),
                                     code = as.character(unlist(blocks))),
                   data.frame(page = rep(basename(help), lengths(code)),
                              code = unlist(code)))
    block <- grepl("\n", found$code)
    keep <- block | first_line(found$code) %in% names(not_run) |
        vapply(found$code, whole_call, NA)
    found[keep, ]
}

# What `x` and others stand for on a page: a table, a container, numbers to explain,
# a spectrum, or the object that is plotted.
readings <- function(at) {
    list(list(), list(x = at$sce), list(y = 1:40), list(x = at$links, y = at$x),
         list(x = at$subset, ranking = at$subset),
         list(asked = at$genes, found = list(crabs = at$found)),
         list(data = at$spectrum, ranking = at$of_spectrum),
         list(x = at$tree, ranking = at$iterated))
}

# The message of what stops by every reading.
stopped <- function(code, at) {
    first <- NULL
    for (reading in readings(at)) {
        said <- stopped_once(code, list2env(reading, parent = at))
        if (is.null(said)) return(NULL)
        if (is.null(first)) first <- said
    }
    first
}

stopped_once <- function(code, at) {
    if (grepl("write_answers(", code, fixed = TRUE)) unlink("sheet.csv")
    code <- gsub("shiny::runApp", "run_app", code, fixed = TRUE)
    code <- gsub("source(", "source(local = TRUE, ", code, fixed = TRUE)
    # not shown: printing an app would start it
    tryCatch({
        suppressWarnings(suppressMessages(
            eval(parse(text = code), new.env(parent = at))
        ))
        NULL
    }, error = conditionMessage)
}

test_that("every call that a page prints runs", {
    skip_if_not_installed("SingleCellExperiment")
    skip_if_not_installed("shiny")
    found <- printed_calls()
    expect_gt(nrow(found), 50)
    found <- found[!duplicated(found$code), ]
    # what is left out is printed somewhere
    expect_identical(setdiff(names(not_run), first_line(found$code)), character())
    found <- found[!first_line(found$code) %in% names(not_run), ]
    at <- reader_data()
    folder <- tempfile()
    dir.create(folder)
    old <- setwd(folder)
    on.exit({
        setwd(old)
        unlink(folder, recursive = TRUE)
    })
    write_answers(at$links, "answers.csv")
    at$files <- rep(package_sources("man/figures/logo.png"), 40)
    at$app <- questionnaire_app(at$q, file = "answers.csv")
    writeLines("Judge by the picture.", "guide.md")
    saveRDS(at$x, "data.rds")
    write_answers(at$links, "sheet.csv", empty = TRUE)
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off(), add = TRUE)
    said <- lapply(found$code, stopped, at = at)
    bad <- lengths(said) > 0
    expect_identical(sprintf("%s: %s\n  %s", found$page[bad], found$code[bad],
                             as.character(unlist(said))), character())
})

test_that("a call that stops is found, and what is no whole call is not run", {
    expect_true(whole_call("glean(x, links, scale = \"none\")"))
    for (code in c("glean()", "update(ranking, rank_by = )", "summary()", "glean(x, ...)",
                   "scale = \"none\"", "praznik::MRMR(x, y)", "c(a, glean(x))")) {
        expect_false(whole_call(code), label = code)
    }
    expect_match(stopped("glean(x, links, k = 0)", reader_data()), "k")
})
