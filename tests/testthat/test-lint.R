# Sizes, as far as the sources tell: no product of two numbers of rows in R's
# integers, which is NA from 46,341 rows on, and every export in tools/ladder.

# Functions whose result is an integer, and names (arguments, elements of lists)
# that stand for one.
integer_functions <- c("nrow", "ncol", "NROW", "NCOL", "length", "lengths", "col",
                       "row", "seq_along", "seq_len", "sequence", "which",
                       "which.max", "which.min", "max.col", "match", "order",
                       "tabulate", "findInterval", "as.integer", "nchar")
integer_names <- c("i", "j", "first", "second", "row", "rows", "samples",
                   "component", "code", "codes", "label", "labels", "member")
double_functions <- c("/", "^", "as.numeric", "as.double", "numeric", "sqrt",
                      "exp", "log", "choose", "floor", "ceiling", "mean",
                      "rowSums", "colSums")
# The result is an integer if no argument is known to be a double and one is
# known to be an integer. Of `[` and these only the first argument counts.
keeps_kind <- c("(", "pmin", "pmax", "min", "max", "c", "unique", "sort", "sum",
                "sort.int", "rev", "+", "-", "*", "%/%", "%%", "abs", "diff",
                "cumsum", "setdiff", "union", "intersect", "as.vector")
first_decides <- c("[", "[[", "rep", "rep.int", "matrix", "head", "tail")

# "integer", "double" or "" of an expression; `kinds`: those of variables.
kind_of <- function(code, kinds) {
    if (is.integer(code) || is.double(code)) {
        return(typeof(code))
    }
    if (is.name(code)) {
        return(c(kinds[as.character(code)], "")[[1L]])
    }
    if (!is.call(code)) {
        return("")
    }
    name <- sub("^.*::", "", deparse(code[[1L]])[1L])
    if (name %in% integer_functions) {
        "integer"
    } else if (name %in% double_functions) {
        "double"
    } else if (name == "$") {
        if (as.character(code[[3L]]) %in% integer_names) "integer" else ""
    } else if (name %in% first_decides) {
        kind_of(code[[2L]], kinds)
    } else if (name %in% keeps_kind) {
        own <- setdiff(seq_along(code)[-1L], which(names(code) == "na.rm"))
        of <- vapply(own, function(at) kind_of(code[[at]], kinds), "")
        if ("double" %in% of) "double" else if ("integer" %in% of) "integer" else ""
    } else {
        ""
    }
}

# The products of two integers in some code, as text.
integer_products <- function(code) {
    found <- character()
    # returns the kinds of the variables after this code
    walk <- function(code, kinds) {
        if (!is.call(code)) {
            return(kinds)
        }
        if (identical(code[[1L]], quote(`function`))) {
            arguments <- names(code[[2L]])
            kinds[arguments] <- ifelse(arguments %in% integer_names, "integer",
                                       "")
            walk(code[[3L]], kinds)
            return(kinds)
        }
        if (identical(code[[1L]], quote(`*`))) {
            both <- as.list(code)[2:3]
            literal <- vapply(both, is.integer, NA)
            kind <- vapply(both, kind_of, "", kinds)
            if (all(kind == "integer") && !any(literal)) {
                found <<- c(found, paste(deparse(code), collapse = " "))
            }
        }
        for (at in seq_along(code)) {
            if (!identical(code[[at]], quote(expr = ))) {
                kinds <- walk(code[[at]], kinds)
            }
        }
        if (identical(code[[1L]], quote(`<-`)) && is.name(code[[2L]])) {
            kinds[as.character(code[[2L]])] <- kind_of(code[[3L]], kinds)
        }
        kinds
    }
    walk(code, character())
    found
}

test_that("products of integers are found", {
    planted <- quote({
        graph <- function(near) {
            n <- ncol(near$row)
            i <- col(near$row)[near$row > 0]
            j <- near$row[near$row > 0]
            key <- pmin(i, j) * n + pmax(i, j)
            nrow(key) * (2L * length(i) - 1L)
            right <- (pmin(i, j) - 1) * n + as.numeric(n) * i + n * n / 2
        }
        pairs <- function(first, samples) first * samples
    })
    expect_identical(integer_products(planted),
                     c("pmin(i, j) * n", "nrow(key) * (2L * length(i) - 1L)",
                       "n * n", "first * samples"))
})

test_that("no product of two row numbers is an integer", {
    files <- list.files(package_sources("R"), "[.]R$", full.names = TRUE)
    expect_gt(length(files), 90)
    found <- unlist(lapply(files, function(file) {
        products <- unlist(lapply(parse(file, keep.source = FALSE),
                                  integer_products))
        if (length(products)) paste0(basename(file), ": ", products)
    }))
    expect_identical(found, NULL)
})

test_that("tools/ladder calls every exported function", {
    code <- parse(package_sources("tools/ladder.R"), keep.source = FALSE)
    table <- Filter(function(part) {
        is.call(part) && identical(part[[2L]], quote(calls))
    }, as.list(code))
    names <- names(eval(table[[1L]][[3L]]))
    lines <- readLines(package_sources("NAMESPACE"))
    exports <- sub("^export[(](.*)[)]$", "\\1", grep("^export[(]", lines,
                                                     value = TRUE))
    expect_identical(sort(names), sort(exports))
})

# Calls of as.character(), format() and paste() of what users give as names, which
# would make "1e+05" of 100000: as_names() is the one that does not.
names_as_text <- function(code) {
    given <- c("samples", "names", "labels", "group", "block", "of", "by", "y",
               "positive", "classes", "rater", "raters", "features")
    found <- character()
    walk <- function(part) {
        if (is.call(part) && as.character(part[[1L]])[1L] %in%
                c("as.character", "format", "as.vector")) {
            value <- part[[2L]]
            if (is.call(value) && identical(value[[1L]], quote(`$`))) value <- value[[3L]]
            if (is.name(value) && as.character(value) %in% given) {
                found <<- c(found, deparse1(part))
            }
        }
        if (is.call(part) || is.pairlist(part)) {
            for (inner in as.list(part)) if (!missing(inner)) walk(inner)
        }
    }
    for (part in as.list(code)) walk(part)
    found
}

test_that("names that users give become text by one function", {
    expect_identical(names_as_text(quote({
        as_names(samples)
        f(as.character(labels), paste(table$rater), format(data$block))
    })), c("as.character(labels)", "format(data$block)"))
    files <- list.files(package_sources("R"), "[.]R$", full.names = TRUE)
    found <- unlist(lapply(files, function(file) {
        names_as_text(parse(file, keep.source = FALSE))
    }))
    # of factors and text, a group's number, and an id of the page
    expect_identical(sort(unique(found)), c(
        "as.character(group)", "as.character(markers$group)", "as.character(names)",
        "as.character(samples)", "as.character(y)", "as.vector(samples)"))
})

# The files that comments of R and C name, with the file they stand in.
named_files <- function(lines, file) {
    comments <- if (endsWith(file, ".R")) grep("^ *#", lines, value = TRUE) else
        unlist(regmatches(lines, gregexpr("/[*].*|^ [*] [A-Za-z(].*", lines)))
    found <- regmatches(comments, gregexpr(
        "(?<![\\w.*<>-])[a-z][\\w-]*[a-z]\\.(R|c|h)\\b(?![(.])", comments,
        perl = TRUE, ignore.case = TRUE))
    unlist(found)
}

test_that("every file that a comment names exists", {
    expect_identical(named_files(c("# see there.R, and C (src/r_read.c)", "f(a.R)"), "a.R"),
                     c("there.R", "r_read.c"))
    # a tarball lacks some of them
    root <- dirname(package_sources(".Rbuildignore"))
    files <- list.files(file.path(root, c("R", "src")), "[.][Rch]$", full.names = TRUE)
    known <- basename(list.files(root, recursive = TRUE))
    wrong <- lapply(files, function(file) {
        setdiff(named_files(readLines(file), file), c(known, "all.h", "left.h"))
    })
    expect_identical(as.character(unlist(wrong)), character())
})

# But for links, and what help shows of an equation as text, where a break would
# glue two words together.
test_that("every file of R and C opens with a comment that says what is in it", {
    files <- list.files(c(package_sources("R"), package_sources("src")), "[.][Rch]$",
                        full.names = TRUE)
    opens <- vapply(files, function(file) {
        grepl("^(# [^ ]|#' |/[*] [^ ]|#pragma once$)", readLines(file, n = 1L))
    }, NA)
    expect_identical(basename(files[!opens]), character())
})

test_that("no line of R or C is wider than 80 columns", {
    files <- list.files(c(package_sources("R"), package_sources("src")),
                        "[.][Rch]$", full.names = TRUE)
    expect_gt(length(files), 200L)
    lines <- unlist(lapply(files, function(file) {
        lines <- readLines(file)
        wide <- which(nchar(lines) > 80L &
                          !grepl("https?:|^#' .*[}][{].*[}]$", lines))
        sprintf("%s:%d", basename(file), wide)
    }))
    expect_identical(as.character(lines), character())
})

test_that("spread is one function and one part of glean()", {
    lines <- unlist(lapply(list.files(package_sources("R"), full.names = TRUE),
                           readLines))
    expect_identical(sum(grepl("^[^#]*\\bspread <-|^spread <-", lines)), 1L)
})
