# What features that spread do to rankings, by the range, by the rule that only
# two-valued and categorical features were reduced by, and balanced: accuracy and
# the place of noise. Nothing is added to the data, or five features of noise:
# coins, codes 1 to 3, codes 1 to 5. Twenty samples sorted by class, the class of the
# others by the nearest neighbour, mean of the best 1, 5, 10 and 20 features.
#
#   Rscript balanced.R FOLDER [REPEATS [SECONDS]]   # FOLDER: of the data sets

source(system.file("benchmarks", "harness.R", package = "linkrank"))
given <- commandArgs(trailingOnly = TRUE)
if (!length(given) || !dir.exists(given[1L])) {
    not_run("the script wants a folder of data")
}
repeats <- if (length(given) > 1L) as.numeric(given[2L]) else 5
deadline <- Sys.time() + if (length(given) > 2L) as.numeric(given[3L]) else Inf

rules <- c("range", "old rule", "balanced")
added <- list(nothing = 0, coins = 2, `codes 1 to 3` = 3, `codes 1 to 5` = 5)

# Differences as the rule has them: the old one by values that are scaled before.
scaled_by <- function(x, rule) {
    if (rule != "old rule") {
        return(prepare_data(x, scale = rule))
    }
    u <- apply(x, 2L, function(v) (v - min(v)) / max(diff(range(v)), 1e-300))
    spread <- apply(u, 2L, stats::sd)
    several <- apply(u, 2L, function(v) length(unique(v)) > 2L)
    weight <- 1 / pmax(1, spread / stats::median(spread[several]))
    if (any(several)) u[, !several] <- u[, !several, drop = FALSE] %*%
        diag(weight[!several], sum(!several))
    prepare_data(u, scale = "none")
}

# Accuracy and how many of the first ten features are noise, for each rule.
try_rules <- function(x, y, rows, links, method, noise) {
    vapply(stats::setNames(nm = rules), function(rule) {
        ranking <- suppressWarnings(rank_features(
            scaled_by(x[rows, , drop = FALSE], rule), links, method = method))
        n <- unique(pmin(c(1, 5, 10, 20), ncol(x)))
        right <- evaluate_ranking(ranking, x[rows, , drop = FALSE], y[rows],
                                  x[-rows, , drop = FALSE], y[-rows], n = n,
                                  scale = "range")$accuracy
        c(accuracy = 100 * mean(right),
          noise = sum(utils::head(ranking$feature, 10L) %in% noise),
          first = ranking$feature[1L] %in% noise)
    }, numeric(3L))
}

try_set <- function(x, y) {
    half <- linkrank:::split_half(y)
    rows <- thin(half$train, y, 150)
    known <- y[rows]
    known[-sample(length(rows), min(20, length(rows)))] <- NA
    links <- constraints_from_labels(known)
    vapply(added, function(values) {
        noise <- matrix(sample(max(values, 1), 5 * nrow(x), TRUE), ncol = 5,
                        dimnames = list(NULL, paste0("noise", 1:5)))
        if (values > 0) x <- cbind(x, noise)
        vapply(c(glean = "glean", relieff_sc = "relieff_sc"), function(method) {
            try_rules(x, y, rows, links, method, colnames(noise))
        }, matrix(0, 3L, length(rules)))
    }, array(0, c(3L, length(rules), 2L)))
}

# The mean of the repeats: measure, rule, method, what was added.
found <- list()
add_set <- function(name, x, y) {
    few <- table(y) < 4
    keep <- !y %in% names(few)[few]
    x <- x[keep, apply(x[keep, , drop = FALSE], 2L, function(v) {
        max(v) > min(v)
    }), drop = FALSE]
    y <- droplevels(y[keep])
    if (Sys.time() > deadline || nlevels(y) < 2L || ncol(x) < 2L) {
        return(invisible())
    }
    colnames(x) <- paste0("f", seq_len(ncol(x)))
    set.seed(1)
    rows <- thin(seq_along(y), y, 300)
    x <- x[rows, some(ncol(x), 500), drop = FALSE]
    tried <- tryCatch(
        replicate(repeats, try_set(x, droplevels(y[rows]))),
        error = function(e) cat(name, ":", conditionMessage(e), "\n"))
    if (!is.null(tried)) {
        found[[name]] <<- apply(tried, 1:4, mean)
    }
}

for (name in distinct_sets(sets_of(list(folder = given[1L])))) {
    if (Sys.time() > deadline) break
    set <- plain_set(list(folder = given[1L]), name)
    add_set(name, set$x, set$y)
    rm(list = name, envir = held)
}

for (name in names(package_tables)) {
    set <- package_set(name)
    if (!is.null(set)) add_set(name, set$x, set$y)
}

# ---- the table: means over the sets, standard errors between them --------------

found <- simplify2array(found)
error <- function(v) stats::sd(v) / sqrt(length(v))
cat(dim(found)[5L], " sets, ", repeats, " repeats\n", sep = "")
for (method in dimnames(found)[[3L]]) {
    cat(sprintf("\n%-22s %9s %9s %9s   %s\n", method, "range", "old rule",
                "balanced", "balanced minus range, old rule"))
    for (what in names(added)) {
        one <- found[, , method, what, ]
        gain <- lapply(1:2, function(rule) {
            one["accuracy", 3L, ] - one["accuracy", rule, ]
        })
        cat(sprintf("  %-20s %9.1f %9.1f %9.1f   %+.1f (%.1f), %+.1f (%.1f)\n",
                    what, mean(one["accuracy", 1L, ]),
                    mean(one["accuracy", 2L, ]), mean(one["accuracy", 3L, ]),
                    mean(gain[[1L]]), error(gain[[1L]]), mean(gain[[2L]]),
                    error(gain[[2L]])))
        if (what == "nothing") next
        cat(sprintf("  %-20s %9.2f %9.2f %9.2f\n",
                    c("noise of best ten", "noise is first"),
                    rowMeans(one[2:3, 1L, ]), rowMeans(one[2:3, 2L, ]),
                    rowMeans(one[2:3, 3L, ])), sep = "")
    }
}
