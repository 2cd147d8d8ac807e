# How CPU seconds and memory of a call grow with samples and with features: each
# case is a function at four sizes of one of the two, the other fixed.
#
#   Rscript growth.R [FILE [FUNCTION]]   the table is written to FILE, as
#                                        growth.csv is
#
# One thread; user and system seconds, of calls below 1.5 s the least of three or
# more. Exponents are fitted to the logarithms; `last` is that of the two largest
# sizes. `memory` is the peak beyond `x` at the largest size, `held` the size of
# `x`, both in MB.

source(system.file("benchmarks", "harness.R", package = "linkrank"))
machine()
options(linkrank.threads = 1L)
given <- commandArgs(trailingOnly = TRUE)

# Samples of five classes, each with higher values in a twentieth of the features,
# and the pairs of 20 samples of known class, whatever the number of samples. In
# dense data ten factors correlate the features, as in expression arrays.
make_case <- function(data, n, p) {
    set.seed(1)
    y <- sample.int(5L, n, replace = TRUE)
    x <- if (data == "sparse") {
        draws <- ceiling(p / 50)
        sample <- rep(seq_len(n), each = draws)
        feature <- y[sample] + 20 * floor(runif(n * draws) * (p %/% 20))
        sparse_case(n, p, 0.05) +
            Matrix::sparseMatrix(sample, feature, x = 1, dims = c(n, p))
    } else {
        factors <- matrix(rnorm(n * 10), n) %*% matrix(rnorm(10 * p), 10)
        factors + rnorm(n * p) + 3 * outer(y, rep_len(seq_len(20L), p), "==")
    }
    colnames(x) <- paste0("f", seq_len(p))
    known <- replace(y, -sample.int(n, 20), NA)
    list(x = x, y = factor(y), links = constraints_from_labels(known),
         scores = as_feature_ranking(stats::setNames(p:1, colnames(x))))
}

calls <- list(
    relieff_sc = function(d) relieff_sc(d$x, d$links),
    relieff = function(d) relieff(d$x, d$y),
    simba_sc = function(d) simba_sc(d$x, d$links),
    constraint_score = function(d) constraint_score(d$x, d$links),
    laplacian_score = function(d) laplacian_score(d$x),
    glean = function(d) glean(d$x, d$links),
    group_markers = function(d) group_markers(d$x, d$y),
    active_constraints = function(d) active_constraints(d$x, d$y, n = 20),
    fcrsc = function(d) fcrsc(d$x, d$links),
    spectral_clustering = function(d) {
        spectral_clustering(d$x, d$links, clusters = 5)
    },
    propagate_constraints = function(d) propagate_constraints(d$links, d$x),
    diversify_ranking = function(d) {
        diversify_ranking(d$scores, d$x, top = Inf)
    }
)

# `from` the smallest to `to` the largest size, with so many of the `other`.
cases <- utils::read.table(header = TRUE, text = "
call                  data   what  from     to other
relieff_sc            sparse n     8000  64000  2000
relieff_sc            dense  n     2500  20000  1000
relieff_sc            sparse p     5000  40000  4000
relieff_sc            dense  p     2500  20000  1000
relieff               sparse n     2000  16000  1000
relieff               dense  n     1000   8000  1000
relieff               sparse p     2000  16000  2000
relieff               dense  p     1000   8000  1500
simba_sc              sparse n      500   4000  1000
simba_sc              dense  n      500   4000  1000
simba_sc              sparse p      500   4000  1000
simba_sc              dense  p      500   4000  1000
constraint_score      sparse n    20000 160000   500
constraint_score      dense  n     7500  60000   500
constraint_score      sparse p    10000  80000   500
constraint_score      dense  p     7500  60000   500
laplacian_score       sparse n     2000  16000  1000
laplacian_score       dense  n     1000   8000  1000
laplacian_score       sparse p     2000  16000  2000
laplacian_score       dense  p     1000   8000  1500
glean                 sparse n     1200   9600  1000
glean                 dense  n      800   6400  1000
glean                 sparse p     1000   8000  1200
glean                 dense  p      800   6400  1000
group_markers         sparse n    10000  80000  1000
group_markers         dense  n     2000  16000  1000
group_markers         sparse p     5000  40000  1000
group_markers         dense  p     2000  16000  1000
active_constraints    sparse n     2400   9600  1000
active_constraints    dense  n     2400   9600   500
active_constraints    sparse p     1000   8000  2400
active_constraints    dense  p     1000   8000  2400
active_constraints    sparse n    10000  40000  1000
active_constraints    dense  n    10000  30000   600
active_constraints    sparse p     1000   8000 10000
active_constraints    dense  p      600   2400 10000
fcrsc                 sparse n      500   4000   400
fcrsc                 dense  n      500   4000   400
fcrsc                 sparse p      400   3200   400
fcrsc                 dense  p      500   4000   400
spectral_clustering   sparse n     2400  19200   500
spectral_clustering   dense  n     2400  19200   200
spectral_clustering   sparse p     1000   8000  2400
spectral_clustering   dense  p     1000   8000  2400
propagate_constraints sparse n     1200   9600  1000
propagate_constraints dense  n     1200   9600   500
propagate_constraints sparse p     1000   8000  2000
propagate_constraints dense  p     1000   8000  1500
diversify_ranking     sparse n     2000  16000  1000
diversify_ranking     dense  n     1000   8000  1000
diversify_ranking     sparse p      500   4000  2000
diversify_ranking     dense  p      500   4000  1000
")
cases <- cases[cases$call %in% c(given[-1L], if (length(given) < 2L)
    cases$call), ]

cpu <- function(code) sum(system.time(code, gcFirst = FALSE)[1:2])

# c(seconds, memory) of one size.
measure <- function(name, d) {
    run <- function() suppressMessages(suppressWarnings(calls[[name]](d)))
    seconds <- 0
    memory <- peak_memory(function() seconds <<- cpu(found <- run()))
    if (seconds < 1.5) {
        # one by one, because the collection of garbage takes long in some
        times <- max(3, ceiling(0.5 / max(seconds, 0.005)))
        seconds <- min(replicate(times, cpu(run())))
    }
    c(seconds, memory)
}

# The exponent of values by sizes.
slope <- function(values, sizes) {
    unname(stats::lm.fit(cbind(1, log(sizes)), log(values))$coefficients[2L])
}

measure_case <- function(case) {
    sizes <- round(case$from * (case$to / case$from)^(0:3 / 3), -1)
    found <- vapply(sizes, function(size) {
        n <- if (case$what == "n") size else case$other
        p <- if (case$what == "n") case$other else size
        d <- make_case(case$data, n, p)
        c(measure(case$call, d), as.numeric(utils::object.size(d$x)) / 2^20)
    }, numeric(3))
    cat(sprintf("%-22s %-6s %s %6d with %5d: %7.3f s %6.0f MB\n", case$call,
                case$data, case$what, as.integer(sizes), case$other,
                found[1L, ], found[2L, ]), sep = "")
    cbind(case, exponent = round(slope(found[1L, ], sizes), 2),
          last = round(slope(found[1L, 3:4], sizes[3:4]), 2),
          seconds = signif(found[1L, 4L], 2),
          memory = round(found[2L, 4L]), held = round(found[3L, 4L]))
}

# what the first call of a session costs
for (name in unique(cases$call)) measure(name, make_case("dense", 100, 40))
rows <- lapply(split(cases, seq_len(nrow(cases))), measure_case)
table <- do.call(rbind, rows)
options(width = 110)
print(table, row.names = FALSE)
if (length(given) && grepl("[.]csv$", given[1L])) {
    utils::write.csv(table, given[1L], row.names = FALSE)
}
