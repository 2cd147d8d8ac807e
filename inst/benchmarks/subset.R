# Forward selection by eps^S and eps^SS: whole calls, one thread, portable and
# fastest kernels, and one step of a naive version in vectorised R.
#
#   Rscript subset.R [large]
#
# Sizes are those of Table 7 of Salmi et al. (2020), on random data: the time
# does not depend on the values, but for how many candidates come near the best.
# "large" goes on to 100 features where the publication took 1111 s.

source(system.file("benchmarks", "harness.R", package = "linkrank"))
machine()

make <- function(samples, features, classes) {
    set.seed(1)
    y <- rep_len(seq_len(classes), samples)
    shift <- matrix(stats::rnorm(classes * features, sd = 0.7), classes)
    list(x = matrix(stats::rnorm(samples * features), samples) + shift[y, ],
         y = y, three = replace(y, -seq_len(3 * classes), NA))
}

# The first step in plain R: every candidate, all pairs.
naive_step <- function(x, y) {
    u <- apply(x, 2L, function(column) {
        (column - min(column)) / (max(column) - min(column))
    })
    target <- outer(y, y, "==")
    vapply(seq_len(ncol(u)), function(f) {
        sum((exp(-outer(u[, f], u[, f], "-")^2 / 2) - target)^2)
    }, 0)
}

run <- function(samples, features, classes, steps, published, times = 3,
                naive = TRUE) {
    case <- make(samples, features, classes)
    call <- function() {
        select_subset(case$x, y = case$three, context = "semisupervised",
                      n = steps)
    }
    sides <- list(portable = portable(call), fastest = call)
    if (naive) {
        sides$`naive R, one step` <- function() naive_step(case$x, case$y)
    }
    title <- sprintf("eps^SS, %d x %d, m = %d (published %s s)", samples,
                     features, steps, published)
    do.call(compare, c(list(title), sides, list(times = times)))
    cat(sprintf("  peak memory beyond the data %6.1f MB\n\n",
                peak_memory(portable(call))))
}

run(1000, 649, 10, 20, 202, times = 2)
run(200, 1024, 40, 100, 46)
run(37, 7129, 2, 100, 22)
if (run_large()) {
    run(1000, 649, 10, 100, 1111, times = 1, naive = FALSE)
}

case <- make(60, 7129, 2)
call <- function() select_subset(case$x, y = case$y, n = 100)
compare("eps^S, 60 prototypes, 7129 features, m = 100",
        portable = portable(call), fastest = call, times = 3)
