# Which twenty questions to ask: strategies of asking, pairs or sorting, and
# answers propagated to further pairs. glean.R compares other rankings from the
# answers.
#
#   Rscript questions.R FOLDER [SEEDS] [RESULTS.csv] [MINUTES]
#
# See read_call() in harness.R. Rankings and questions on at most 150 samples of
# one half, the nearest neighbour on the other half (at most 300).
#
#   strategies  all ranked by relieff_sc(); mean over the first half of the
#               ranking (at most 100 features). `pairs` and `sorted` are strategy
#               "groups"
#   asked       pairs and sorting by several rankings, 20 and 40 answers; mean
#               over 5, 10, 20 and 50 features, with one structure and with two
#               (join_sets(): at most 300 features and 240 samples a set)
#
# Standard errors are between sets. The tables strategies.csv and, of part `asked`,
# questions.csv, beside RESULTS.csv, ship.
source(system.file("benchmarks", "harness.R", package = "linkrank"))
call <- read_call("questions_runs.csv")

sets <- sets_of(call, c(
    "wine", "heart_statlog", "sonar", "segmentation_210", "soybean_small",
    "ionosphere", "wdbc", "dermatology", "spectf_80", "colon", "leukemia_5147",
    "prostate_ge_5966", "yale", "orl", "lung_325_discrete", "zeisel_1464",
    "madelon_2600"
))
questions <- 20

ask <- function(d, strategy, how = "pairs", count = questions) {
    limit <- if (strategy == "perturbation") Inf else count
    suppressWarnings(active_constraints(d$x, d$y, n = limit,
                                        strategy = strategy, ask = how,
                                        max_questions = count, scale = "range"))
}

# Answers may lack the kind of pairs that a ranking needs: features keep their
# order.
ranked <- function(x, rank_it) {
    tryCatch(suppressWarnings(rank_it()), linkrank_error = function(condition) {
        as_feature_ranking(stats::setNames(rev(seq_len(ncol(x))), colnames(x)))
    })
}

accuracy <- function(d, rank_it, n) {
    100 * mean(evaluate_ranking(ranked(d$x, rank_it), d$x, d$y, d$test,
                                d$y_test, n = n)$accuracy)
}

# ---- strategies --------------------------------------------------------------

published <- function(d, links) {
    relieff_sc(d$x, links, k = 5, direction = "first", must_link = "ignore",
               scale = "range")
}

run_strategies <- function(name, seed) {
    d <- split_set(read_set(call$folder, name), seed)
    links <- lapply(c(pairs = "groups", random = "random",
                      perturbation = "perturbation"), ask, d = d)
    links$sorted <- ask(d, "groups", "sort")
    links["propagated"] <- list(tryCatch(
        propagate_constraints(links$pairs, d$x, scale = "range"),
        linkrank_error = function(condition) NULL
    ))
    links$full_labels <- constraints_from_labels(d$y)
    spread <- links$propagated
    added <- if (!is.null(spread)) as.data.frame(spread)[spread$added, ]
    same <- d$y[added$i] == d$y[added$j]
    half <- seq_len(min(100, ceiling(ncol(d$x) / 2)))
    found <- vapply(links, function(own) {
        accuracy(d, function() relieff_sc(d$x, own, scale = "range"), half)
    }, 0)
    found["published"] <- accuracy(
        d, function() published(d, links$perturbation), half
    )
    data.frame(part = "strategies", structures = "one", answers = questions,
               ask = names(found), method = "relieff_sc", accuracy = found,
               cannot = vapply(links[names(found)], function(own) {
                   if (inherits(own, "active_constraints"))
                       summary(own)$cannot_link else NA
               }, 0),
               touched = NA, added = NROW(added),
               right = sum(same == (added$type == "must-link")))
}

# ---- pairs or sorting --------------------------------------------------------

rankers <- list(
    glean = function(x, links) glean(x, links, scale = "range"),
    relieff_sc = function(x, links) relieff_sc(x, links, scale = "range"),
    CS1 = function(x, links) constraint_score(x, links, type = "CS1"),
    CS2 = function(x, links) constraint_score(x, links, type = "CS2")
)

run_asked <- function(problem, structures, count, seed) {
    d <- split_set(problem, seed)
    varies <- apply(d$x, 2L, function(v) max(v) > min(v))
    d$x <- d$x[, varies, drop = FALSE]
    d$test <- d$test[, colnames(d$x), drop = FALSE]
    rows <- lapply(c(pairs = "pairs", sorted = "sort"), function(how) {
        links <- ask(d, "groups", how, count)
        found <- vapply(rankers, function(rank) {
            accuracy(d, function() rank(d$x, links),
                     unique(pmin(c(5, 10, 20, 50), ncol(d$x))))
        }, 0)
        data.frame(part = "asked", structures = structures, answers = count,
                   ask = c(pairs = "pairs", sort = "sorted")[[how]],
                   method = names(found), accuracy = found,
                   cannot = summary(links)$cannot_link,
                   touched = summary(links)$touched, added = NA, right = NA)
    })
    do.call(rbind, rows)
}

done <- run_sets(sets, call, function(name, seed) {
    problems <- joined_problems(call, sets, name, seed)
    rbind(run_strategies(name, seed),
          run_asked(problems$one, "one", 20, seed),
          run_asked(problems$two, "two", 20, seed),
          run_asked(problems$one, "one", 40, seed),
          run_asked(problems$two, "two", 40, seed))
})

# ---- the tables --------------------------------------------------------------

complete <- Reduce(intersect, split(done$seed, done$set))
done <- done[done$seed %in% complete & done$set %in% sets, ]
cat(length(unique(done$set)), "sets, seeds", paste(sort(complete),
                                                   collapse = " "), "\n\n")
# Set x way of asking, means over the seeds.
table_of <- function(rows, value = "accuracy") {
    tapply(rows[[value]], list(factor(rows$set, unique(rows$set)),
                               factor(rows$ask, unique(rows$ask))), mean)
}
against <- function(means, one, other) {
    difference <- means[, one] - means[, other]
    cat(sprintf("%-12s - %-12s %+5.2f, standard error between sets %.2f\n",
                one, other, mean(difference),
                sd(difference) / sqrt(length(difference))))
    invisible(difference)
}
own <- done[done$part == "strategies", ]
means <- table_of(own)
print(round(rbind(means, mean = colMeans(means)), 1))
cat("\n")
for (pair in list(c("sorted", "pairs"), c("sorted", "random"),
                  c("pairs", "random"), c("sorted", "published"),
                  c("pairs", "published"), c("perturbation", "random"),
                  c("published", "random"), c("propagated", "pairs"),
                  c("full_labels", "sorted"))) {
    against(means, pair[1L], pair[2L])
}
cat("\ncannot-links of 20 questions:\n")
print(round(colMeans(table_of(own, "cannot")), 1))
once <- own[own$ask == "propagated", ]
cat("local propagation:", round(mean(once$added), 1), "pairs added,",
    round(100 * sum(once$right) / sum(once$added)), "% of them right\n")

minus <- function(other) means - means[, other]
error <- function(less) apply(less, 2L, stats::sd) / sqrt(nrow(less))
write_table(data.frame(
    strategy = colnames(means), sets = nrow(means), seeds = length(complete),
    accuracy = colMeans(means), minus_random = colMeans(minus("random")),
    error_random = error(minus("random")), minus_pairs = colMeans(minus("pairs")),
    error_pairs = error(minus("pairs")),
    added = ifelse(colnames(means) == "propagated", mean(once$added), NA),
    right = ifelse(colnames(means) == "propagated",
                   100 * sum(once$right) / sum(once$added), NA)
), "strategies", call)

own <- done[done$part == "asked", ]
for (structures in c("one", "two")) {
    for (count in unique(own$answers)) {
        case <- own[own$structures == structures & own$answers == count, ]
        cat("\n", structures, " structure(s), ", count, " answers; samples ",
            "placed: ", paste(c("pairs", "sorted"), round(colMeans(table_of(
                case, "touched")), 1), collapse = ", "), "\n", sep = "")
        for (method in names(rankers)) {
            means <- table_of(case[case$method == method, ])
            cat(sprintf("%-10s pairs %.1f sorted %.1f ", method,
                        mean(means[, "pairs"]), mean(means[, "sorted"])))
            difference <- against(means, "sorted", "pairs")
            lost <- sort(difference[difference < -1])
            cat("   lost:", paste(names(lost), sprintf("%.1f", lost),
                                  collapse = ", "), "\n")
        }
    }
}

write_table(do.call(rbind, lapply(
    split(own, own[c("method", "answers", "structures")], drop = TRUE),
    function(rows) {
        means <- table_of(rows)
        placed <- colMeans(table_of(rows, "touched"))
        gain <- means[, "sorted"] - means[, "pairs"]
        data.frame(rows[1L, c("structures", "answers", "method")],
                   sets = nrow(means), seeds = length(complete),
                   pairs = mean(means[, "pairs"]), sorted = mean(means[, "sorted"]),
                   gain = mean(gain), error = stats::sd(gain) / sqrt(length(gain)),
                   placed_pairs = placed[["pairs"]],
                   placed_sorted = placed[["sorted"]])
    }
)), "questions", call)
