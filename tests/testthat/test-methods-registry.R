test_that("ranking_methods() is the table of methods", {
    expect_snapshot(ranking_methods())
})

test_that("every row names an exported function with its documented needs", {
    table <- ranking_methods()
    expect_identical(anyDuplicated(table$method), 0L)
    expect_true(all(table$method %in% getNamespaceExports("linkrank")))
    expect_true(all(table$direction %in% c("higher", "lower")))
    expect_true(all(table$needs %in% c("nothing", "constraints", "constraints or nothing", "y",
                                       "numeric y", "constraints or y")))
    for (i in seq_len(nrow(table))) {
        takes <- names(formals(get(table$method[i])))
        needs <- sub("numeric ", "", table$needs[i])
        needs <- setdiff(strsplit(needs, " or ")[[1]], "nothing")
        expect_identical(head(takes, 1 + length(needs)), c("x", needs))
    }
})

# A problem that every method can rank, and what else it asks for.
any_problem <- function(method) {
    set.seed(7)
    y <- if (grepl("laplacian_score|rrelieff", method)) rnorm(24) else
        rep(c("a", "b"), 12)
    needs <- registry_row(method)$needs
    links <- constraints_from_labels(rep(c("a", "b"), 12), cannot_link = 12, must_link = 12)
    c(list(x = random_matrix(24, 8), method = method),
      list(constraints = links)[grepl("constraints", needs)],
      list(y = y)[needs %in% c("y", "numeric y")])
}

test_that("every method ranks by its name, and is what its row says", {
    for (method in ranking_methods()$method) {
        row <- registry_row(method)
        ranking <- suppressWarnings(do.call(rank_features,
                                            any_problem(method)))
        info <- summary(ranking)
        expect_identical(info$method, method)
        expect_identical(info$direction, row$direction)
        expect_true(startsWith(info$label, row$label))
        expect_identical(sort(ranking$feature), paste0("g", 1:8))
        expect_null(ranking_problem(ranking))
        expect_true(is.null(info$parameters$scale) || is_text(info$parameters$scale))
        header <- capture.output(print(ranking))[1]
        order <- if (nzchar(row$order)) row$order else
            paste(row$direction, info$key, "is better")
        expect_identical(header, paste0("<feature_ranking> ", info$label, ", ",
                                        order))
    }
})

test_that("an ensemble runs every method whose row says so", {
    for (method in ranking_methods()$method) {
        expect_identical(registry_row(method)$ensemble, "yes")
        ensemble <- suppressWarnings(do.call(ensemble_ranking, c(
            any_problem(method), replicates = 3, features = 6
        )))
        expect_match(summary(ensemble)$label, "^Ensemble of ")
    }
})

test_that("what a method's dots take reaches it by every way", {
    problem <- any_problem("fcrsc")
    by_name <- do.call(rank_features, c(problem, direction = "first"))
    expect_identical(summary(by_name)$parameters$direction, "first")
    set.seed(2)
    in_dots <- suppressWarnings(do.call(ensemble_ranking, c(
        problem, replicates = 2, features = 6, direction = "first"
    )))
    set.seed(2)
    in_options <- suppressWarnings(do.call(ensemble_ranking, c(
        problem, replicates = 2, features = 6,
        options = list(list(direction = "first"))
    )))
    expect_identical(in_dots, in_options)
    expect_refused("argument",
        do.call(ensemble_ranking, c(problem, directoin = "first")))
})

test_that("a method may need either of two things", {
    x <- random_matrix(12, 5)
    y <- rep(1:2, 6)
    expect_identical(rank_features(x, y = y, method = "select_subset"),
                     select_subset(x, y = y))
    expect_refused("argument", rank_features(x, method = "select_subset"))
})

# ---- a method that is added as CONTRIBUTING.md says, and thrown away ----------

# The toy's function stands where a user would define one; its row is added to
# the table, and the test's end takes both away.
with_toy_method <- function(code, ensemble = "yes") {
    toy_range <- function(x, y, assay.type = 1L, threads = 1L,
                          progress = FALSE, ...) {
        data <- prepare_data(x, assay.type = assay.type)
        known <- class_response(y, data)
        new_feature_ranking(
            data.frame(score = data$maximum - data$minimum), data, "toy_range",
            "score", list(classes = length(known$levels))
        )
    }
    environment(toy_range) <- asNamespace("linkrank")
    assign("toy_range", toy_range, envir = globalenv())
    old <- package_table
    replace_binding("package_table", function(name) {
        if (name != "methods.csv") return(old(name))
        row <- old(name)[1, ]
        row[] <- ""
        row[c("method", "label", "family", "needs", "direction", "source",
              "formula", "order", "ensemble", "data")] <- list(
            "toy_range", "Toy range", "baseline", "y", "higher",
            "nobody 2000", "max - min", "widest first", ensemble,
            "scale na.action"
        )
        rbind(old(name), row)
    })
    on.exit({
        replace_binding("package_table", old)
        rm("toy_range", envir = globalenv())
    })
    force(code)
}

test_that("a toy method is registered, ranked, printed, averaged and gone", {
    x <- random_matrix(12, 5)
    y <- rep(c("a", "b"), 6)
    links <- few_links(12)
    before <- ranking_methods()
    with_toy_method({
        expect_identical(utils::tail(ranking_methods()$method, 1), "toy_range")
        ranking <- rank_features(x, y = y, method = "toy_range")
        width <- apply(x, 2, max) - apply(x, 2, min)
        expect_equal(ranking$score, unname(sort(width, decreasing = TRUE)))
        expect_identical(capture.output(print(ranking))[1],
                         "<feature_ranking> Toy range, widest first")
        expect_true(any(grepl("[toy_range()], from y, higher is better: max",
                              method_lines(), fixed = TRUE)))
        set.seed(1)
        ensemble <- ensemble_ranking(x, y = y, method = "toy_range",
                                     replicates = 30, features = 3)
        expect_identical(summary(ensemble)$label, "Ensemble of Toy range")
        stable <- ranking_stability(x, y = y, method = "toy_range",
                                    replicates = 3)
        expect_s3_class(stable, "ranking_stability")
        found <- evaluate_method(x, y, "toy_range", splits = 2)
        expect_identical(levels(found$ranking), "Toy range")
        expect_refused("argument",
            rank_features(x, links, method = "toy_range"),
            rank_features(x, y = y, method = "toy_range", k = 3),
            rank_features(x, method = "toy_range")
        )
    })
    with_toy_method(ensemble = "no", expect_refused("argument",
        ensemble_ranking(x, y = y, method = "toy_range")
    ))
    expect_identical(ranking_methods(), before)
    expect_refused("argument", rank_features(x, y = y, method = "toy_range"))
})

# ---- what is written of the methods -------------------------------------------

test_that("the page of the package lists every method", {
    page <- readLines(package_sources("man/linkrank-package.Rd"))
    for (method in package_table("methods.csv")$method) {
        expect_true(any(grepl(paste0("=", method, "]"), page, fixed = TRUE) |
                            grepl(paste0("{", method, "()}"), page,
                                  fixed = TRUE)), info = method)
    }
    # a table that markdown did not understand would leave its bars
    expect_false(any(grepl("^\\s*\\|.*\\|\\s*$", page)))
})

# The lines of the section "The published form" of a function's page.
published_form <- function(method) {
    pages <- list.files(dirname(package_sources("man/linkrank-package.Rd")),
                        full.names = TRUE, pattern = "[.]Rd$")
    alias <- paste0("\\alias{", method, "}")
    page <- Filter(function(page) alias %in% page, lapply(pages, readLines))[[1]]
    start <- which(page == "\\section{The published form}{")
    if (length(start) != 1) {
        return(character())
    }
    end <- which(page == "}")
    page[start:min(end[end > start])]
}

test_that("every method that is somebody's has its published form's call", {
    registry <- package_table("methods.csv")
    theirs <- registry$method[!grepl("^after ", registry$source)]
    expect_gt(length(theirs), 15)
    for (method in c(theirs, "active_constraints", "propagate_constraints")) {
        section <- published_form(method)
        expect_true(any(grepl(paste0(method, "("), section, fixed = TRUE)),
                    info = method)
        # the page says what our defaults are beside it
        expect_true(any(grepl("default", section)), info = method)
    }
})

test_that("the calls of the published forms name arguments there are", {
    registry <- package_table("methods.csv")
    theirs <- registry$method[!grepl("^after ", registry$source)]
    for (method in c(theirs, "active_constraints", "propagate_constraints")) {
        section <- published_form(method)
        from <- grep("preformatted", section)[1]
        to <- grep("^}", section)
        section[from] <- sub(".*preformatted[{]", "", section[from])
        code <- section[from:(min(to[to > from]) - 1)]
        calls <- Filter(function(call) identical(call[[1]], as.name(method)),
                        as.list(parse(text = code, keep.source = FALSE)))
        expect_gt(length(calls), 0)
        made <- match.fun(method)
        for (call in calls) {
            own <- c(names(formals(made)), data_arguments,
                     if (method == "fcrsc") names(formals(relieff_sc)))
            expect_true(all(names(as.list(call)) %in% c("", own)),
                        info = method)
        }
    }
})

# The rows of the vignette's tables that begin with a function.
listed_methods <- function(lines) {
    rows <- grep("^\\| `[a-z_]+\\(\\)`", lines, value = TRUE)
    data.frame(method = sub("^\\| `([a-z_]+)\\(\\)`.*", "\\1", rows),
               line = rows)
}

test_that("vignette(\"methods\") has a row for every method", {
    lines <- readLines(package_sources("vignettes/methods.Rmd"))
    rows <- listed_methods(lines)
    registry <- package_table("methods.csv")
    expect_setequal(rows$method, registry$method)
    way <- regexpr("\\| (higher|lower) \\|", rows$line)
    direction <- regmatches(rows$line, way)
    expect_identical(gsub("[| ]", "", direction),
                     registry$direction[match(rows$method[way > 0],
                                              registry$method)])
    # a name elsewhere in the text is no row
    for (method in registry$method) {
        without <- setdiff(lines, rows$line[rows$method == method])
        expect_identical(
            setdiff(registry$method, listed_methods(without)$method), method
        )
    }
})

test_that("the reference index has a place for every method", {
    index <- readLines(package_sources("_pkgdown.yml"))
    listed <- sub("^ *- ", "", grep("^ +- [a-z_.]+$", index, value = TRUE))
    expect_identical(setdiff(package_table("methods.csv")$method, listed), character())
})

test_that("rank_features() is the method called by its name", {
    x <- random_matrix(10, 6)
    links <- few_links(10)
    expect_identical(rank_features(x, links), glean(x, links))
    expect_identical(rank_features(x, links, method = "relief_sc"),
                     relief_sc(x, links))
    expect_identical(
        rank_features(x, links, method = "relieff_sc", k = 2,
                      distance = "euclidean", direction = "first"),
        relieff_sc(x, links, k = 2, distance = "euclidean",
                   direction = "first")
    )
})

test_that("without a method, what is given decides", {
    x <- random_matrix(30, 6)
    x[, 1] <- x[, 1] + 3 * rep(1:2, 15)
    none <- pairwise_constraints(samples = rownames(x))
    class <- rep(c("a", "b"), 15)
    day <- as.Date("2021-01-01") + rep(1:10, 3)
    expect_identical(rank_features(x)$feature, glean(x, none)$feature)
    expect_identical(rank_features(x, y = class), relieff(x, class))
    for (y in list(x[, 1] + 0.5, day, as.integer(1:30))) {
        expect_identical(rank_features(x, y = y), rrelieff(x, y))
    }
    set.seed(1)
    runs <- function(...) {
        set.seed(1)
        data.frame(ensemble_ranking(x, ..., replicates = 3, features = 6)$score,
                   ranking_stability(x, ..., n = 1:6, replicates = 2)$chance)
    }
    expect_identical(runs(few_links(30)),
                     runs(few_links(30), method = "glean"))
    expect_identical(runs(y = class), runs(y = class, method = "relieff"))
    alone <- runs()
    expect_identical(alone[[2]], rep(NA_real_, 6))
    set.seed(1)
    judged <- evaluate_method(x, class, splits = 2, n = 1:2)
    expect_identical(levels(judged$ranking), "Glean")
    judged <- evaluate_method(x, 1:30 / 7, splits = 2, n = 1:2)
    expect_identical(levels(judged$ranking), "RReliefF")
})

test_that("all methods can be compared in a loop", {
    x <- random_matrix(10, 6)
    table <- ranking_methods()
    for (method in table$method[table$needs == "constraints"]) {
        ranking <- rank_features(x, few_links(10), method = method)
        expect_identical(summary(ranking)$method, method)
    }
})

test_that("methods that are not there are refused", {
    x <- random_matrix(10, 6)
    links <- few_links(10)
    expect_refused("argument",
        rank_features(x, links, method = "relieve"),
        rank_features(x, links, method = "reliefsc"),
        rank_features(x, links, method = c("relief_sc", "relieff_sc")),
        rank_features(x, links, method = NA_character_)
    )
})

test_that("a function ranks where a method is named", {
    x <- random_matrix(10, 6)
    links <- few_links(10)
    expect_identical(rank_features(x, links, method = relief_sc),
                     relief_sc(x, links))
    spread <- function(x, power = 1) apply(x, 2, var)^power
    expect_identical(rank_features(x, method = spread, power = 2),
                     as_feature_ranking(apply(x, 2, var)^2))
    expect_identical(rank_features(x, y = 1:10, method = function(x, y) {
        abs(cor(x, y))[, 1]
    })$score, unname(sort(abs(cor(x, 1:10)), decreasing = TRUE)))
    expect_refused("argument",
        rank_features(x, method = function(x, constraints) 1),
        rank_features(x, links, method = spread),
        rank_features(x, method = spread, pwoer = 2),
        rank_features(x, method = function(x) 1:6),
        rank_features(x, method = function(x) x)
    )
    # what has a default may be left out
    expect_identical(rank_features(x, method = function(x, y = NULL) {
        expect_null(y)
        spread(x)
    }), as_feature_ranking(spread(x)))
})

test_that("what a method lacks or cannot take is refused", {
    x <- random_matrix(10, 6)
    links <- few_links(10)
    expect_refused("argument",
        rank_features(x, method = "relieff_sc"),
        rank_features(x, y = rep(1:2, 5), method = "relieff_sc"),
        rank_features(x, links, y = rep(1:2, 5))
    )
})

test_that("arguments that a method does not have are refused", {
    x <- random_matrix(10, 6)
    links <- few_links(10)
    expect_refused("argument",
        rank_features(x, links, K = 5),
        rank_features(x, links, method = "relief_sc", k = 5),
        rank_features(x, links, method = "relieff_sc", dist = "euclidean"),
        rank_features(x, links, NULL, method = "relief_sc", 5),
        rank_features(x, links, method = "relieff_sc", directoin = "both"),
        rank_features(x, links, method = "relieff_sc", k = 1.5)
    )
})

test_that("an argument may be given as NULL to be refused by the method", {
    expect_refused("argument",
        rank_features(random_matrix(10, 6), few_links(10), k = NULL,
                      method = "relieff_sc")
    )
})

test_that("a function that takes pairs by number has those of the data", {
    x <- random_matrix(20, 5)
    links <- few_links(rownames(x))
    turned <- pairwise_constraints(
        as.data.frame(links)[c("name_i", "name_j", "type")],
        samples = rev(rownames(x)))
    apart <- function(x, constraints) {
        pairs <- as.data.frame(constraints)
        pairs <- pairs[pairs$type == "cannot-link", ]
        colMeans(abs(x[pairs$i, ] - x[pairs$j, ]))
    }
    own <- rank_features(x, links, method = apart)
    expect_identical(own$score[1], max(colMeans(abs(x[c(1, 2, 6), ] -
                                                        x[c(4, 5, 3), ]))))
    expect_equal(rank_features(x, turned, method = apart), own)
    expect_equal(as.data.frame(rank_features(x[20:1, ], links, method = apart)),
                 as.data.frame(own))
})
