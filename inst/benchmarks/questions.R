# Which twenty questions to ask: strategies of asking, and answers propagated to
# further pairs, all ranked by relieff_sc(). glean.R compares other rankings
# from the answers.
#
#   Rscript questions.R FOLDER [SEEDS] [RESULTS.csv] [MINUTES]
#
# See read_call() in harness.R. Rankings and questions on at most 150 samples of
# one half, the nearest neighbour on the other half (at most 300), averaged over
# the first half of the ranking (at most 100 features).
source(system.file("benchmarks", "harness.R", package = "linkrank"))
call <- read_call("questions.csv")

sets <- sets_of(call, c(
    "wine", "heart_statlog", "sonar", "segmentation_210", "soybean_small",
    "ionosphere", "wdbc", "dermatology", "spectf_80", "colon", "leukemia_5147",
    "prostate_ge_5966", "yale", "orl", "lung_325_discrete", "zeisel_1464",
    "madelon_2600"
))
questions <- 20

ask <- function(d, strategy) {
    limit <- if (strategy == "perturbation") Inf else questions
    suppressWarnings(active_constraints(d$x, d$y, n = limit,
                                        strategy = strategy,
                                        max_questions = questions))
}

# No cannot-link among the answers: no ranking, features keep their order.
accuracy <- function(d, rank_it) {
    ranking <- tryCatch(suppressWarnings(rank_it()), linkrank_error =
                            function(condition) NULL)
    if (is.null(ranking)) {
        ranking <- suppressWarnings(relieff_sc(0 * d$x, pairwise_constraints(
            cbind(1, 2), samples = nrow(d$x)
        )))
    }
    half <- seq_len(min(100, ceiling(ncol(d$x) / 2)))
    100 * mean(evaluate_ranking(ranking, d$x, d$y, d$test, d$y_test,
                                n = half)$accuracy)
}

published <- function(d, links) {
    relieff_sc(d$x, links, k = 5, direction = "first", must_link = "ignore")
}

spread_answers <- function(d, links) {
    propagate_constraints(links, d$x, truth = d$y)
}

run <- function(d) {
    links <- lapply(c(groups = "groups", random = "random",
                      perturbation = "perturbation"), ask, d = d)
    more <- tryCatch(spread_answers(d, links$groups),
                     linkrank_error = function(condition) NULL)
    spread <- more$propagation
    data.frame(
        groups = accuracy(d, function() relieff_sc(d$x, links$groups)),
        random = accuracy(d, function() relieff_sc(d$x, links$random)),
        perturbation = accuracy(d, function() relieff_sc(d$x,
                                                         links$perturbation)),
        published = accuracy(d, function() published(d, links$perturbation)),
        propagated = accuracy(d, function() relieff_sc(d$x, more)),
        full_labels = accuracy(d, function() relieff_sc(
            d$x, constraints_from_labels(d$y))),
        cannot_groups = summary(links$groups)$cannot_link,
        cannot_random = summary(links$random)$cannot_link,
        cannot_perturbation = summary(links$perturbation)$cannot_link,
        added = sum(spread$added),
        right = sum(spread$precision * spread$added, na.rm = TRUE)
    )
}

done <- run_sets(sets, call, function(name, seed) {
    run(split_set(read_set(call$folder, name), seed))
})

# ---- the table ---------------------------------------------------------------

methods <- c("groups", "random", "perturbation", "published", "propagated",
             "full_labels")
complete <- Reduce(intersect, split(done$seed, done$set))
done <- done[done$seed %in% complete & done$set %in% sets, ]
cat(length(unique(done$set)), "sets, seeds", paste(sort(complete),
                                                   collapse = " "), "\n\n")
means <- t(vapply(split(done[methods], factor(done$set, unique(done$set))),
                  colMeans, numeric(length(methods))))
print(round(rbind(means, mean = colMeans(means)), 1))
against <- function(one, other) {
    difference <- means[, one] - means[, other]
    cat(sprintf("%-14s - %-14s %+5.2f, standard error between sets %.2f\n",
                one, other, mean(difference),
                sd(difference) / sqrt(length(difference))))
}
cat("\n")
against("groups", "published")
against("groups", "random")
against("perturbation", "random")
against("published", "random")
against("propagated", "groups")
against("full_labels", "groups")
cat("\ncannot-links of 20 questions: groups",
    round(mean(done$cannot_groups), 1), "random",
    round(mean(done$cannot_random), 1), "perturbation",
    round(mean(done$cannot_perturbation), 1), "\n")
cat("local propagation:", round(mean(done$added), 1), "pairs added,",
    round(100 * sum(done$right) / sum(done$added)), "% of them right\n")
