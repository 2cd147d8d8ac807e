# See tools/walk.
suppressPackageStartupMessages(library(linkrank))
shown <- commandArgs(trailingOnly = TRUE)

# At most so many functions, calls and files. A commit may lower them only.
caps <- list(relieff_sc = c(78, 98, 17), glean = c(115, 217, 23),
             group_markers = c(102, 197, 17),
             active_constraints = c(143, 381, 22),
             evaluate_ranking = c(91, 232, 13))
passed <- logical()

# The file of every function that is defined at the top of one.
file_of <- unlist(lapply(list.files("R", "[.]R$", full.names = TRUE), function(file) {
    parts <- Filter(function(part) is.call(part) && is.name(part[[2L]]),
                    as.list(parse(file, keep.source = FALSE)))
    names <- vapply(parts, function(part) as.character(part[[2L]]), "")
    stats::setNames(rep(basename(file), length(names)), names)
}))

# Every function of the package notes its name first.
walked <- new.env()
walked$names <- character()
home <- asNamespace("linkrank")
for (name in intersect(ls(home, all.names = TRUE), names(file_of))) {
    f <- get(name, home)
    if (typeof(f) != "closure") next
    body(f) <- bquote({
        .(function(name) walked$names <- c(walked$names, name))(.(name))
        .(body(f))
    })
    get("unlockBinding", baseenv())(name, home)
    assign(name, f, home)
    if (name %in% getNamespaceExports(home)) {
        there <- as.environment("package:linkrank")
        get("unlockBinding", baseenv())(name, there)
        assign(name, f, there)
    }
}

source("inst/examples/pbmc.R")
kind <- SummarizedExperiment::colData(sce)$cell_type
set.seed(1)
links <- constraints_from_labels(as.integer(factor(kind)), cannot_link = 10,
                                 must_link = 10)
nine <- paste("class", rep(1:9, length.out = ncol(sce)))
wide <- matrix(rnorm(60000), 60)
half <- rep(c(TRUE, FALSE), 30)
two <- rep(1:2, c(30, 30))
ranking <- variance_score(wide)
calls <- list(relieff_sc = function() relieff_sc(sce, links),
              glean = function() glean(sce, links),
              group_markers = function() group_markers(sce, nine),
              active_constraints = function() active_constraints(sce, kind, 10),
              evaluate_ranking = function() evaluate_ranking(
                  ranking, wide[half, ], two[half], wide[!half, ], two[!half]))
for (name in names(calls)) {
    walked$names <- character()
    suppressMessages(suppressWarnings(calls[[name]]()))
    files <- file_of[walked$names]
    figures <- c(length(unique(walked$names)), length(walked$names),
                 length(unique(files)))
    passed <- c(passed, figures <= caps[[name]])
    cat(sprintf("%-18s %4d functions %5d calls %3d files %5d changes of file\n",
                name, figures[1L], figures[2L], figures[3L],
                sum(files[-1L] != files[-length(files)])))
    if (name %in% shown) {
        print(utils::head(sort(table(walked$names), decreasing = TRUE), 200L))
    }
}
if ("--cap" %in% shown) {
    cat(sum(passed), "passed,", sum(!passed), "failed, 0 skipped\n")
    quit(status = as.integer(!all(passed)))
}
