# Relief-Sc and ReliefF-Sc: whole calls from R, one thread, portable and fastest
# kernels side by side, and a naive version in vectorised R.
#
#   Rscript relief_sc.R [large]
#
# "large" adds 100,000 samples x 2000 features: 1.6 GB of data.

source(system.file("benchmarks", "harness.R", package = "linkrank"))
machine()

# The published algorithm in plain R: distances of one query sample at a time.
naive <- function(x, first, second, k) {
    low <- apply(x, 2L, min)
    width <- apply(x, 2L, max) - low
    u <- t((t(x) - low) / ifelse(width > 0, width, 1))
    ends <- unique(c(first, second))
    turned <- t(u)
    hits <- lapply(ends, function(e) {
        distance <- colSums(abs(turned - turned[, e]))
        distance[e] <- Inf
        order(distance)[seq_len(k)]
    })
    z <- numeric(ncol(x))
    for (t in seq_along(first)) {
        own <- hits[[match(first[t], ends)]]
        other <- hits[[match(second[t], ends)]]
        z <- z + rowMeans(abs(turned[, other, drop = FALSE] -
                                  turned[, first[t]])) -
            rowMeans(abs(turned[, own, drop = FALSE] - turned[, first[t]]))
    }
    z
}

make <- function(samples, features, pairs) {
    set.seed(1)
    x <- matrix(stats::rnorm(samples * features), samples)
    first <- sample.int(samples %/% 2, pairs, replace = TRUE)
    second <- samples %/% 2 + sample.int(samples %/% 2, pairs, replace = TRUE)
    list(x = x, first = first, second = second,
         links = pairwise_constraints(cannot_link = cbind(first, second),
                                      samples = samples))
}

published <- function(case, k) {
    relieff_sc(case$x, case$links, k = k, direction = "first",
               must_link = "ignore")
}

run <- function(samples, features, pairs, k, times, with_naive = TRUE) {
    case <- make(samples, features, pairs)
    title <- sprintf("%d x %d, %d pairs, K = %d", samples, features, pairs, k)
    sides <- list(portable = portable(function() published(case, k)),
                  fastest = function() published(case, k),
                  defaults = function() relieff_sc(case$x, case$links, k = k))
    if (with_naive) {
        sides$`naive R` <- function() {
            naive(case$x, case$first, case$second, k)
        }
    }
    do.call(compare, c(list(title), sides, list(times = times)))
    cat(sprintf("  peak memory beyond the data %6.1f MB\n\n",
                peak_memory(portable(function() published(case, k)))))
}

run(4601, 57, 100, 60, times = 5)
run(62, 2000, 220, 1, times = 9)
if (run_large()) {
    run(100000, 2000, 100, 10, times = 3, with_naive = FALSE)
}

# A wide data.frame: no column by column work.
wide <- make(500, 20000, 50)
frame <- as.data.frame(wide$x)
compare("500 x 20000 data.frame, 50 pairs, K = 3",
        `data.frame` = portable(function() relieff_sc(frame, wide$links)),
        `as.matrix() + method` = portable(function() {
            relieff_sc(as.matrix(frame), wide$links)
        }), times = 5)
cat(sprintf("  peak memory %6.1f MB, with as.matrix() %6.1f MB\n",
            peak_memory(portable(function() relieff_sc(frame, wide$links))),
            peak_memory(portable(function() {
                relieff_sc(as.matrix(frame), wide$links)
            }))))
