# ReliefF and STIR with all instances, k = 10, one thread, against CORElearn and
# a plain R version of STIR; ReliefF with missing cells; I-Relief per iteration.
#
#   Rscript relieff.R [spambase.csv.gz]
#
# Without the file the first case has data of its size. Packages that are not
# installed are left out.

source(system.file("benchmarks", "harness.R", package = "linkrank"))
machine()

two_groups <- function(samples, features) {
    set.seed(1)
    y <- rep(c("a", "b"), length.out = samples)
    x <- matrix(stats::rnorm(samples * features), samples,
                dimnames = list(NULL, paste0("f", seq_len(features))))
    x[, 1:20] <- x[, 1:20] + (y == "b")
    list(x = x, y = factor(y))
}

spambase <- function() {
    file <- grep("csv", commandArgs(trailingOnly = TRUE), value = TRUE)
    if (length(file) == 0L) {
        return(two_groups(4601, 57))
    }
    table <- utils::read.csv(gzfile(file[1L]))
    list(x = as.matrix(table[-ncol(table)]), y = factor(table$class))
}

# STIR in vectorised R with the whole matrix of distances, as its authors' code
# does it: neighbours by sorting rows, differences by indexing.
plain_stir <- function(x, y, k) {
    low <- apply(x, 2L, min)
    width <- apply(x, 2L, max) - low
    u <- t((t(x) - low) / ifelse(width > 0, width, 1))
    distance <- as.matrix(stats::dist(u, "manhattan"))
    diag(distance) <- Inf
    nearest <- function(i, same) {
        from <- which((y == y[i]) == same)
        from[order(distance[i, from])[seq_len(k)]]
    }
    all <- seq_along(y)
    hits <- unlist(lapply(all, nearest, same = TRUE))
    misses <- unlist(lapply(all, nearest, same = FALSE))
    owner <- rep(all, each = k)
    m <- abs(u[owner, ] - u[misses, ])
    h <- abs(u[owner, ] - u[hits, ])
    n <- length(owner)
    variance <- function(d) colSums((t(t(d) - colMeans(d)))^2) / (n - 1)
    (colMeans(m) - colMeans(h)) / sqrt((variance(m) + variance(h)) / n)
}

core_learn <- function(case) {
    data <- data.frame(y = case$y, case$x)
    # differences without its ramp, as here
    CORElearn::attrEval("y", data, "ReliefFequalK", ReliefIterations = 0,
                        kNearestEqual = 10, maxThreads = 1,
                        numAttrProportionEqual = 0,
                        numAttrProportionDifferent = 1)
}

run <- function(title, case, times) {
    sides <- list(
        ReliefF = portable(function() relieff(case$x, case$y)),
        `ReliefF, fastest` = function() relieff(case$x, case$y),
        STIR = portable(function() stir(case$x, case$y)),
        `plain R STIR` = function() plain_stir(case$x, case$y, 10)
    )
    if (requireNamespace("CORElearn", quietly = TRUE)) {
        sides$CORElearn <- function() core_learn(case)
    }
    runs <- c(times, times, times, 1, 1)[seq_along(sides)]
    do.call(compare, c(list(title), sides, list(times = runs)))
    cat(sprintf("  peak memory beyond the data %6.1f MB\n\n",
                peak_memory(portable(function() relieff(case$x, case$y)))))
}

run("ReliefF, spambase: 4601 x 57, k = 10", spambase(), 5)
big <- two_groups(2000, 500)
run("ReliefF, 2000 x 500, k = 10", big, 5)
run("ReliefF, 200 x 5000, k = 10", two_groups(200, 5000), 5)

# What missing cells cost: the second side is whole data.
whole <- two_groups(1500, 400)
for (share in c(0.01, 0.05)) {
    gapped <- whole$x
    gapped[sample(length(gapped), share * length(gapped))] <- NA
    compare(sprintf("ReliefF, 1500 x 400, %g %% of the cells missing",
                    100 * share),
            missing = function() relieff(gapped, whole$y),
            whole = function() relieff(whole$x, whole$y))
}

one <- function() suppressWarnings(irelief(big$x, big$y, max_iter = 1))
compare("I-Relief, 2000 x 500, one iteration", portable = portable(one),
        fastest = one, times = 3)
cat(sprintf("  peak memory beyond the data %6.1f MB\n\n",
            peak_memory(portable(one))))

# The same scores, but for CORElearn's treatment of ties.
if (requireNamespace("CORElearn", quietly = TRUE)) {
    small <- two_groups(200, 50)
    cat(sprintf("largest difference to CORElearn, 200 x 50: %.2g\n",
                max(abs(feature_scores(relieff(small$x, small$y)) -
                            core_learn(small)))))
}
