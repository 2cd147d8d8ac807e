# Two builds of the package side by side: is any workload slower than before?
#
#   sh tools/bench-against COMMIT [PART]
#   Rscript against.R LIBRARY_BEFORE LIBRARY_NOW [PART]
#
# PART is a regular expression for the names of the cases. Each build runs in
# separate R processes, alternately, so that a busy machine slows both. The
# result is the smallest number of processor seconds of one thread over all
# repetitions. The cases call functions of both builds with the same arguments.

random <- function(n, p, classes = 2) {
    set.seed(1)
    x <- matrix(stats::rnorm(n * p), n)
    list(x = x, y = factor(rep_len(seq_len(classes), n)))
}

pairs_of <- function(n, count) {
    set.seed(2)
    linkrank::pairwise_constraints(
        cannot_link = matrix(sample(n, 2 * count), count), samples = n
    )
}

counts <- function(n, p) {
    set.seed(3)
    methods::as(Matrix::rsparsematrix(n, p, 0.05, rand.x = function(n) {
        stats::rpois(n, 2) + 1
    }), "CsparseMatrix")
}

# Each case makes its data and returns the call to time.
cases <- list(
    `relieff_sc(), 4601 x 57, K = 60` = function() {
        d <- random(4601, 57)
        links <- pairs_of(4601, 100)
        function() linkrank::relieff_sc(d$x, links, k = 60)
    },
    `relieff_sc(), 20,000 x 500` = function() {
        d <- random(20000, 500)
        links <- pairs_of(20000, 40)
        function() linkrank::relieff_sc(d$x, links)
    },
    `relieff_sc(), 200 x 5000` = function() {
        d <- random(200, 5000)
        links <- pairs_of(200, 40)
        function() linkrank::relieff_sc(d$x, links)
    },
    `relief_sc(), 200 x 5000` = function() {
        d <- random(200, 5000)
        links <- pairs_of(200, 40)
        function() linkrank::relief_sc(d$x, links)
    },
    `pair_margins(), 200 x 5000` = function() {
        d <- random(200, 5000)
        links <- pairs_of(200, 40)
        function() linkrank::pair_margins(d$x, links, 1:50)
    },
    `glean(), 200 x 5000` = function() {
        d <- random(200, 5000)
        links <- pairs_of(200, 40)
        function() linkrank::glean(d$x, links)
    },
    `glean(), 800 x 1000` = function() {
        d <- random(800, 1000)
        links <- pairs_of(800, 40)
        function() linkrank::glean(d$x, links)
    },
    `relieff(), 2000 x 500` = function() {
        d <- random(2000, 500)
        function() linkrank::relieff(d$x, d$y)
    },
    `relieff(), 200 x 5000` = function() {
        d <- random(200, 5000)
        function() linkrank::relieff(d$x, d$y)
    },
    `stir(), 1000 x 500` = function() {
        d <- random(1000, 500)
        function() linkrank::stir(d$x, d$y)
    },
    `stir(), 200 x 5000` = function() {
        d <- random(200, 5000)
        function() linkrank::stir(d$x, d$y)
    },
    `simba_sc(), 60 x 2000, all labels` = function() {
        d <- random(60, 2000)
        links <- linkrank::constraints_from_labels(d$y, must_link = 0)
        function() linkrank::simba_sc(d$x, links, starts = 2)
    },
    `simba(), 200 x 2000, 4 starts` = function() {
        d <- random(200, 2000)
        function() linkrank::simba(d$x, d$y, starts = 4)
    },
    `irelief(), 800 x 200` = function() {
        d <- random(800, 200)
        function() suppressWarnings(
            linkrank::irelief(d$x, d$y, max_iter = 3)
        )
    },
    `similarity_graph(), 3000 x 500` = function() {
        d <- random(3000, 500)
        function() linkrank::similarity_graph(d$x)
    },
    `laplacian_score(), 2000 x 500` = function() {
        d <- random(2000, 500)
        function() linkrank::laplacian_score(d$x)
    },
    `constraint_score(), 2000 x 5000` = function() {
        d <- random(2000, 5000)
        links <- linkrank::constraints_from_labels(d$y, cannot_link = 100, must_link = 100)
        function() linkrank::constraint_score(d$x, links)
    },
    `fisher_score(), 2000 x 5000` = function() {
        d <- random(2000, 5000)
        function() linkrank::fisher_score(d$x, d$y)
    },
    `variance_score(), sparse 5000 x 20,000` = function() {
        x <- counts(5000, 20000)
        function() linkrank::variance_score(x)
    },
    `feature_graph(), 200 x 300` = function() {
        d <- random(200, 300)
        function() linkrank::feature_graph(d$x)
    },
    `feature_graph("nnlasso"), 200 x 300` = function() {
        d <- random(200, 300)
        function() linkrank::feature_graph(d$x, method = "nnlasso")
    },
    `fcrsc(), 200 x 300` = function() {
        d <- random(200, 300)
        links <- pairs_of(200, 20)
        function() linkrank::fcrsc(d$x, links)
    },
    `fcrsc(), 100 x 1000` = function() {
        d <- random(100, 1000)
        links <- pairs_of(100, 20)
        function() linkrank::fcrsc(d$x, links)
    },
    `select_subset(), 200 x 500, 50 steps` = function() {
        d <- random(200, 500)
        # `max_features` is its name in older versions
        names <- names(formals(linkrank::select_subset))
        most <- stats::setNames(list(50), intersect(c("n", "max_features"), names))
        function() do.call(linkrank::select_subset,
                           c(list(d$x, y = d$y), most))
    },
    `active_constraints(), 500 x 20` = function() {
        d <- random(500, 20)
        function() suppressMessages(suppressWarnings(
            linkrank::active_constraints(d$x, d$y, n = 10, ask = "pairs")
        ))
    },
    `propagate_constraints("published"), 600 x 20` = function() {
        d <- random(600, 20)
        links <- pairs_of(600, 60)
        function() linkrank::propagate_constraints(links, d$x, method = "published")
    },
    `propagate_constraints(), 2000 x 20` = function() {
        d <- random(2000, 20)
        links <- pairs_of(2000, 100)
        function() linkrank::propagate_constraints(links, d$x)
    },
    `diversify_ranking(), 100 x 5000` = function() {
        d <- random(100, 5000)
        ranking <- linkrank::fisher_score(d$x, d$y)
        function() linkrank::diversify_ranking(ranking, d$x)
    },
    `pck_means(), 2000 x 50` = function() {
        d <- random(2000, 50)
        links <- pairs_of(2000, 100)
        function() linkrank::pck_means(d$x, links, clusters = 3)
    },
    `relieff_sc(), 118 x 13, 200 calls` = function() {
        d <- random(118, 13)
        links <- pairs_of(118, 20)
        function() for (i in 1:200) linkrank::relieff_sc(d$x, links)
    }
)

# The clock counts milliseconds, so short calls are repeated.
processor_seconds <- function(run, calls) {
    gc(FALSE)
    sum(system.time(for (i in seq_len(calls)) run(), FALSE)[1:2]) / calls
}

# The times of one build: a line "seconds<TAB>case" each, or NA for a failure.
time_build <- function(library, part) {
    library("linkrank", lib.loc = library, character.only = TRUE)
    options(linkrank.progress = FALSE)
    for (name in grep(part, names(cases), value = TRUE)) {
        seconds <- tryCatch({
            set.seed(1)
            run <- cases[[name]]()
            calls <- ceiling(0.2 / max(processor_seconds(run, 1), 0.001))
            min(replicate(3, processor_seconds(run, calls)))
        }, error = function(problem) {
            message(name, ": ", conditionMessage(problem))
            NA
        })
        cat(seconds, "\t", name, "\n", sep = "")
    }
}

run_build <- function(script, library, part) {
    lines <- system2(file.path(R.home("bin"), "Rscript"),
                     c("--no-init-file", shQuote(script), "--build",
                       shQuote(library), shQuote(part)), stdout = TRUE)
    found <- utils::read.delim(text = lines, header = FALSE)
    stats::setNames(as.numeric(found[[1L]]), found[[2L]])
}

compare_builds <- function(script, before, now, part, turns = 5) {
    seconds <- replicate(turns, cbind(before = run_build(script, before, part),
                                      now = run_build(script, now, part)),
                         simplify = FALSE)
    least <- do.call(pmin, seconds)
    cat(sprintf("%-46s %9s %9s %7s\n", "processor seconds", "before", "now",
                "ratio"))
    cat(sprintf("%-46s %9.4f %9.4f %7.2f\n", rownames(least),
                least[, "before"], least[, "now"],
                least[, "now"] / least[, "before"]), sep = "")
    slower <- least[, "now"] > 1.03 * least[, "before"]
    cat("\n", sum(slower, na.rm = TRUE), " of ", nrow(least),
        " cases more than 3 % slower\n", sep = "")
}

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) < 2L) {
    cat("against.R: not run, it needs two libraries; see tools/bench-against\n")
    quit(save = "no")
}
part <- if (length(arguments) > 2L) arguments[3L] else "."
if (arguments[1L] == "--build") {
    time_build(arguments[2L], part)
} else {
    script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
    compare_builds(script, arguments[1L], arguments[2L], part)
}
