# What twenty answers are worth when the data hold another structure besides the
# one asked about: sets joined in pairs, and the same sets alone.
#
#   Rscript two_structures.R FOLDER [SEEDS] [RESULTS.csv] [MINUTES]
#
# See read_call() in harness.R. Each set A is joined with another one, B: at most
# 300 features of A beside as many of B and at most 240 samples, the samples of B
# in random order. A's classes are asked about, and judge: the nearest neighbour
# on the other half, the mean over 5, 10, 20 and 50 features. A seed draws all
# the pairings. `before` is three_parts() of harness.R. Standard errors are between sets.
source(system.file("benchmarks", "harness.R", package = "linkrank"))
call <- read_call("two_structures.csv", seeds = 1:3)
depths <- c(5, 10, 20, 50)

sets <- distinct_sets(sets_of(call))

# ---- the rankings ------------------------------------------------------------

margins <- function(x, links) {
    # no cannot-link among the answers: features keep their order
    tryCatch(suppressWarnings(relieff_sc(x, links, scale = "range")),
             linkrank_error_constraints = function(condition) NULL)
}

# Twenty samples in their groups: one action each, where a person can sort.
sorted <- function(y, count = 20) {
    y[-sample.int(length(y), min(length(y), count))] <- NA
    constraints_from_labels(y)
}

rank_all <- function(d) {
    none <- pairwise_constraints(samples = nrow(d$x))
    links <- suppressWarnings(active_constraints(d$x, d$y, n = 20,
                                                 ask = "pairs",
                                                 scale = "range"))
    twenty <- sorted(d$y)
    all <- constraints_from_labels(d$y)
    list(no_answers = glean(d$x, none, scale = "range"),
         relieff_sc = margins(d$x, links),
         before = three_parts(d$x, links),
         without_rounds = glean(d$x, links, rounds = 0, scale = "range"),
         glean = glean(d$x, links, scale = "range"),
         before_sorted = three_parts(d$x, twenty),
         glean_sorted = glean(d$x, twenty, scale = "range"),
         before_labels = three_parts(d$x, all),
         glean_labels = glean(d$x, all, scale = "range"),
         relieff_labels = diversify_ranking(relieff(d$x, d$y), d$x))
}

judge <- function(d, rankings) {
    n <- unique(pmin(depths, ncol(d$x)))
    vapply(rankings, function(ranking) {
        if (is.null(ranking)) return(NA_real_)
        100 * mean(evaluate_ranking(ranking, d$x, d$y, d$test, d$y_test,
                                    n = n)$accuracy)
    }, 0)
}

# Does print() say that the structure is about something else?
notes <- function(ranking) {
    any(grepl("dominant structure", utils::capture.output(print(ranking))))
}

run_set <- function(name, seed) {
    problems <- joined_problems(call, sets, name, seed)
    rows <- lapply(names(problems), function(structures) {
        d <- split_set(problems[[structures]], seed)
        varies <- apply(d$x, 2L, function(v) max(v) > min(v))
        d$x <- d$x[, varies, drop = FALSE]
        d$test <- d$test[, colnames(d$x), drop = FALSE]
        set.seed(seed)
        rankings <- rank_all(d)
        data.frame(structures = structures,
                   method = names(rankings), accuracy = judge(d, rankings),
                   noted = vapply(rankings, notes, NA))
    })
    do.call(rbind, rows)
}

done <- run_sets(sets, call, run_set)

# ---- the tables --------------------------------------------------------------

means <- aggregate(cbind(accuracy, noted) ~ set + structures + method, done,
                   mean)
pick <- function(method, structures, column = "accuracy") {
    rows <- means[means$method == method & means$structures == structures, ]
    stats::setNames(rows[[column]], rows$set)[unique(means$set)]
}
show <- function(values) {
    values <- values[!is.na(values)]
    sprintf("%+.1f (%.1f)", mean(values),
            stats::sd(values) / sqrt(length(values)))
}
cat(length(unique(done$set)), "sets, seeds",
    paste(sort(unique(done$seed)), collapse = " "), "\n\n")
methods <- unique(done$method)
table <- t(vapply(methods, function(method) {
    c(one = sprintf("%.1f", mean(pick(method, "one"), na.rm = TRUE)),
      two = sprintf("%.1f", mean(pick(method, "two"), na.rm = TRUE)))
}, c(one = "", two = "")))
cat("accuracy in percent, with one structure and with two\n")
print(noquote(table))
cat("\ndifferences: mean, standard error between sets\n")
pairs <- list(c("glean", "no_answers"), c("glean", "relieff_sc"),
              c("glean", "before"), c("without_rounds", "before"),
              c("glean_sorted", "before_sorted"), c("glean_sorted", "glean"),
              c("glean_labels", "before_labels"),
              c("glean_labels", "relieff_labels"))
table <- t(vapply(pairs, function(pair) {
    vapply(c(one = "one", two = "two"), function(structures) {
        show(pick(pair[1L], structures) - pick(pair[2L], structures))
    }, "")
}, c(one = "", two = "")))
rownames(table) <- vapply(pairs, paste, "", collapse = " - ")
print(noquote(table))
cat("\nthe note of print(), share of the problems\n")
print(round(c(one = mean(pick("glean", "one", "noted")),
              two = mean(pick("glean", "two", "noted"))), 2))
cat("\nglean - before, each set\n")
by_set <- cbind(one = pick("glean", "one") - pick("before", "one"),
                two = pick("glean", "two") - pick("before", "two"))
print(round(by_set[order(by_set[, "two"]), ], 1))
