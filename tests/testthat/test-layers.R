# The layers of R/: a file calls its own layer and those before it, never a later
# one. The layer of a file is its name up to the first dash. CONTRIBUTING.md
# quotes this vector; layers on one line of it, here in one string, do not call
# each other.
layers <- c("text", "conditions", "files", "check", "control", "spread",
            "input", "constraints", "ranking", "search", "graph", "margin score",
            "cluster", "subset", "ask", "glean", "markers", "methods",
            "evaluate", "plot", "tidy recipes app", "zzz")

# Those of src/: what all share comes first, then the data; the border is last.
layers_c <- c("lr", "read", "components", layers, "r init")

layer_of <- function(file) {
    sub("[-._].*", "", basename(file))
}

place_of <- function(layer, among = layers) {
    stems <- strsplit(among, " ")
    place <- rep(seq_along(stems), lengths(stems))
    place[match(layer, unlist(stems))]
}

# Every function of a namespace with the names of others that stand in it, and
# the files of both; `home`: the file of each, by name.
calls_of <- function(namespace, home) {
    names <- Filter(function(name) is.function(get(name, namespace)),
                    ls(namespace, all.names = TRUE))
    called <- lapply(names, function(name) {
        parts <- as.call(c(quote(`function`), as.list(get(name, namespace))))
        setdiff(intersect(all.names(parts, unique = TRUE), names), name)
    })
    from <- rep(names, lengths(called))
    to <- unlist(called)
    data.frame(from, to, from_file = unname(home[from]),
               to_file = unname(home[to]))
}

# Calls of a later layer, or of another one on the same line, as text; a local
# variable of the same name is none.
wrong_calls <- function(calls, namespace) {
    from <- layer_of(calls$from_file)
    to <- layer_of(calls$to_file)
    wrong <- place_of(to) > place_of(from) |
        (place_of(to) == place_of(from) & to != from)
    calls <- calls[wrong, ]
    global <- vapply(seq_len(nrow(calls)), function(row) {
        calls$to[row] %in%
            codetools::findGlobals(get(calls$from[row], namespace))
    }, NA)
    sprintf("%s() in %s calls %s() in %s", calls$from, calls$from_file,
            calls$to, calls$to_file)[global]
}

home_of_functions <- function() {
    files <- list.files(package_sources("R"), "[.]R$", full.names = TRUE)
    defined <- lapply(files, defined_in)
    stats::setNames(rep(basename(files), lengths(defined)), unlist(defined))
}

test_that("no file calls a later layer", {
    skip_if_not_installed("codetools")
    home <- home_of_functions()
    calls <- calls_of(asNamespace("linkrank"), home)
    expect_gt(nrow(calls), 1000)
    # the sources are those of the installed package
    expect_identical(setdiff(c(calls$from, calls$to), names(home)),
                     character())
    # a file of a layer that is not in the vector would pass unseen
    expect_identical(setdiff(layer_of(home), unlist(strsplit(layers, " "))),
                     character())
    expect_identical(wrong_calls(calls, asNamespace("linkrank")), character())
})

test_that("a call of a later layer is found", {
    skip_if_not_installed("codetools")
    planted <- new.env()
    evalq({
        draw_tree <- function(x) x
        cut_tree <- function(x) lapply(x, draw_tree)
        weigh <- function(x) margin_of(x)
        margin_of <- function(x) {
            # a variable that only has the name of a later function
            draw_tree <- x
            draw_tree
        }
    }, planted)
    home <- c(draw_tree = "plot-tree.R", cut_tree = "graph-cluster.R",
              weigh = "score-new.R", margin_of = "margin-relief.R")
    expect_identical(
        wrong_calls(calls_of(planted, home), planted),
        c("cut_tree() in graph-cluster.R calls draw_tree() in plot-tree.R",
          "weigh() in score-new.R calls margin_of() in margin-relief.R")
    )
})

# Every header of the package that a C file includes.
includes_of <- function(lines, file) {
    found <- grep('^#include "', lines, value = TRUE)
    data.frame(from = rep(basename(file), length(found)),
               to = sub('^#include "(.*)".*', "\\1", found))
}

test_that("no C file includes a later layer, and only the border knows R", {
    files <- list.files(package_sources("src"), "[.][ch]$", full.names = TRUE)
    lines <- lapply(files, readLines)
    includes <- do.call(rbind, Map(includes_of, lines, files))
    expect_gt(nrow(includes), 200)
    from <- place_of(layer_of(includes$from), layers_c)
    to <- place_of(layer_of(includes$to), layers_c)
    expect_identical(includes[is.na(from) | is.na(to) | to > from, "from"],
                     character())
    of_r <- vapply(lines, function(text) any(grepl("<R|SEXP", text)), NA)
    expect_identical(setdiff(layer_of(files[of_r]), c("r", "init")),
                     character())
})

test_that("every function is in one file", {
    home <- home_of_functions()
    expect_identical(anyDuplicated(names(home)), 0L)
})

test_that("CONTRIBUTING.md quotes the layers", {
    lines <- readLines(package_sources("CONTRIBUTING.md"))
    quoted <- sub("^> ", "", grep("^> ", lines, value = TRUE))
    expect_identical(
        paste(quoted, collapse = " "),
        paste(gsub(" ", ", ", setdiff(layers, "zzz")), collapse = " < ")
    )
})

test_that("no exported function hides one of R", {
    packages <- c("base", "stats", "utils", "graphics", "grDevices", "datasets")
    for (package in packages) {
        expect_identical(intersect(getNamespaceExports("linkrank"),
                                   getNamespaceExports(package)),
                         character(), info = package)
    }
})
