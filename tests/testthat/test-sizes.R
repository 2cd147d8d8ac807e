# Functions that are read in one screen, and files that are found through: no
# function over 45 lines, no macro over 30, neither in C with more than 8
# parameters (what belongs together is a struct), no file over 450 lines.
most <- list(lines = 45L, macro = 30L, parameters = 8L, file = 450L)

# Functions of a C file: their names, first lines, lengths and parameters. A
# body stands between lines that are nothing but a brace.
functions_in_c <- function(lines) {
    begin <- which(lines == "{")
    end <- which(lines == "}")
    end <- vapply(begin, function(line) min(end[end > line]), 0)
    head <- vapply(begin, function(line) {
        over <- grep("^$|[;}]$|[*]/$|^#|\\\\$", lines[seq_len(line - 1L)])
        max(0L, over) + 1L
    }, 0)
    header <- mapply(function(from, to) {
        paste(lines[from:(to - 1L)], collapse = " ")
    }, head, begin)
    data.frame(name = sub("^.*?(\\w+)\\(.*", "\\1", header, perl = TRUE),
               line = head, lines = end - head + 1L,
               parameters = vapply(header, count_parameters, 0L,
                                   USE.NAMES = FALSE))
}

# Those of the last parenthesis of the first level, each function pointer one.
count_parameters <- function(header) {
    signs <- strsplit(header, "")[[1L]]
    depth <- cumsum((signs == "(") - (signs == ")"))
    open <- max(which(signs == "(" & depth == 1L))
    inside <- signs[-seq_len(open)]
    if (identical(trimws(sub("[)].*", "", paste(inside, collapse = ""))),
                  "void")) {
        return(0L)
    }
    sum(inside == "," & depth[-seq_len(open)] == 1L) + 1L
}

# Macros of a C file that take arguments, by the same columns: a kernel for
# each width of vectors cannot be a function in C99, but is read like one.
macros_in_c <- function(lines) {
    begin <- grep("^# *define +\\w+\\(", lines)
    end <- grep("\\\\$", lines, invert = TRUE)
    end <- vapply(begin, function(line) min(end[end >= line]), 0)
    header <- regmatches(lines[begin], regexpr("\\w+\\([^)]*\\)", lines[begin]))
    data.frame(name = sub("\\(.*", "", header), line = begin,
               lines = end - begin + 1L,
               parameters = lengths(strsplit(header, ",")))
}

# Functions of an R file by the same columns, without parameters.
functions_in_r <- function(file) {
    code <- parse(file, keep.source = TRUE)
    place <- attr(code, "srcref")
    is_function <- vapply(code, function(part) {
        is.call(part) && identical(part[[1L]], as.name("<-")) &&
            is.call(part[[3L]]) &&
            identical(part[[3L]][[1L]], as.name("function"))
    }, NA)
    data.frame(
        name = vapply(code[is_function], function(part) {
            paste(deparse(part[[2L]]), collapse = "")
        }, ""),
        line = vapply(place[is_function], `[`, 0L, 1L),
        lines = vapply(place[is_function], function(at) at[3L] - at[1L] + 1L,
                       0L)
    )
}

functions_of <- function(folder, pattern, read) {
    files <- list.files(package_sources(folder), pattern, full.names = TRUE)
    found <- lapply(files, function(file) {
        functions <- read(file)
        cbind(functions, file = rep(basename(file), nrow(functions)))
    })
    do.call(rbind, found)
}

# None of them has more, `what` being a column of `functions`.
expect_at_most <- function(functions, what, most) {
    told <- sprintf("%s() at %s:%d has %d %s", functions$name, functions$file,
                    functions$line, functions[[what]], what)
    expect_identical(told[functions[[what]] > most], character())
}

test_that("functions in C are short and take few parameters", {
    functions <- functions_of("src", "[.]c$", function(file) {
        functions_in_c(readLines(file))
    })
    expect_gt(nrow(functions), 700)
    expect_at_most(functions, "lines", most$lines)
    # entries of R are called with what the R side hands over
    expect_at_most(functions[!grepl("^r_", functions$name), ], "parameters",
                   most$parameters)
})

test_that("macros in C are shorter than functions", {
    macros <- functions_of("src", "[.][ch]$", function(file) {
        macros_in_c(readLines(file))
    })
    expect_gt(nrow(macros), 20)
    expect_at_most(macros, "lines", most$macro)
    expect_at_most(macros, "parameters", most$parameters)
})

test_that("functions in R are short", {
    functions <- functions_of("R", "[.]R$", functions_in_r)
    expect_gt(nrow(functions), 700)
    expect_at_most(functions, "lines", most$lines)
})

test_that("no file is long", {
    files <- c(list.files(package_sources("R"), "[.]R$", full.names = TRUE),
               list.files(package_sources("src"), "[.][ch]$",
                          full.names = TRUE))
    lines <- lengths(lapply(files, readLines))
    expect_identical(basename(files)[lines > most$file], character())
})

test_that("long functions and long lists of parameters are found", {
    code <- c(
        "/* ends here. */",
        "static double many(const double *a, int (*use)(int, void *),",
        "                   size_t n)", "{", "    return a[n];", "}", "",
        "int none(void)", "{", rep("", 50), "}"
    )
    found <- functions_in_c(code)
    expect_identical(found$name, c("many", "none"))
    expect_identical(found$line, c(2, 8))
    expect_equal(found$lines, c(5, 53))
    expect_identical(found$parameters, c(3L, 0L))

    macros <- macros_in_c(c(
        "#define WIDTH 8", "# define SHORT(x) (x)", "",
        "#define LONG(name, type) \\", rep("    x; \\", 40), "    y", "int z;"
    ))
    expect_identical(macros$name, c("SHORT", "LONG"))
    expect_identical(macros$line, c(2L, 4L))
    expect_equal(macros$lines, c(1, 42))
    expect_identical(macros$parameters, c(1L, 2L))

    file <- tempfile()
    on.exit(unlink(file))
    writeLines(c("one <- 1", "", "two <- function(a) {", "    a", "}"), file)
    expect_identical(functions_in_r(file)[c("name", "line", "lines")],
                     data.frame(name = "two", line = 3L, lines = 3L))
})
