# What twenty questions are worth: features ranked from the answers, judged by
# the nearest neighbour, averaged over the first half of the ranking.
#
#   Rscript questions.R FOLDER [SEEDS] [RESULTS.csv] [MINUTES]
#
# FOLDER holds the data sets as <name>.csv.gz, features first, the last column
# `class`. SEEDS such as 1:10. Each finished combination is a line of RESULTS;
# the same call goes on where the last one ended, or stopped after MINUTES.
library(linkrank)
options(linkrank.progress = FALSE)

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) == 0L) {
    cat("questions.R: not run, it wants a folder of data\n")
    quit(save = "no")
}
folder <- arguments[1]
seeds <- if (length(arguments) > 1) eval(parse(text = arguments[2])) else 1:10
results <- if (length(arguments) > 2) arguments[3] else "questions.csv"
minutes <- if (length(arguments) > 3) as.numeric(arguments[4]) else Inf

sets <- c("wine", "heart_statlog", "sonar", "segmentation_210",
          "soybean_small", "ionosphere", "wdbc", "dermatology", "spectf_80",
          "colon", "leukemia_5147", "prostate_ge_5966", "yale", "orl",
          "lung_325_discrete", "zeisel_1464", "madelon_2600")
questions <- 20
most_train <- 150
most_test <- 300

read_set <- function(name) {
    table <- utils::read.csv(file.path(folder, paste0(name, ".csv.gz")),
                             check.names = FALSE)
    x <- as.matrix(table[-ncol(table)])
    # missing values are few: the feature's mean, as the papers do
    for (j in which(colSums(is.na(x)) > 0)) {
        x[is.na(x[, j]), j] <- mean(x[, j], na.rm = TRUE)
    }
    list(x = x, y = factor(table$class))
}

# At most `most` of some rows, in the proportions of their classes.
thin <- function(rows, y, most) {
    if (length(rows) <= most) {
        return(rows)
    }
    share <- most / length(rows)
    sort(unlist(lapply(split(rows, droplevels(y[rows])), function(own) {
        own[sample.int(length(own), max(1, round(share * length(own))))]
    })))
}

split_set <- function(set, seed) {
    set.seed(seed)
    half <- split_half(set$y)
    train <- thin(half$train, set$y, most_train)
    test <- thin(half$test, set$y, most_test)
    list(x = set$x[train, , drop = FALSE], y = droplevels(set$y[train]),
         test = set$x[test, , drop = FALSE], y_test = set$y[test])
}

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

begin <- proc.time()[["elapsed"]]
done <- if (file.exists(results)) utils::read.csv(results)
# seeds outermost: whenever it stops, every set has nearly as many
for (seed in seeds) {
    for (name in sets) {
        there <- any(done$set == name & done$seed == seed)
        if (there || proc.time()[["elapsed"]] - begin > 60 * minutes) next
        set <- read_set(name)
        row <- cbind(set = name, seed = seed, run(split_set(set, seed)))
        utils::write.table(row, results, append = !is.null(done), sep = ",",
                           col.names = is.null(done), row.names = FALSE)
        done <- rbind(done, row)
    }
}

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
