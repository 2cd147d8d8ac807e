# Which ranking lists the genes that differ? Of the 50 best genes by the F
# statistic of all labels, the share among the 50 best after twenty answers.
#
#   Rscript gene_list.R FOLDER [SEEDS] [RESULTS.csv] [MINUTES]
#
# FOLDER: see read_call() in harness.R. Samples are sorted in the order of
# active_constraints(), which is drawn once per seed on nine tenths of the
# samples; their classes answer. Per set and seed the shares go to RESULTS, and
# to gene_list.csv beside it their means with standard errors: between sets, and
# between experiments, because four sets are of one experiment and two of
# another.
source(system.file("benchmarks", "harness.R", package = "linkrank"))
call <- read_call("gene_list_runs.csv", 1:2)
experiments <- c(
    colon = "colon", leukemia_5147 = "leukemia", leukemia_7129 = "leukemia",
    leukemia_7070_discrete = "leukemia", allaml = "leukemia",
    lung_325_discrete = "lung", lymphoma_4026_discrete = "lymphoma",
    prostate_12533 = "prostate", prostate_ge_5966 = "prostate",
    zeisel_1464 = "zeisel"
)
sets <- sets_of(call, names(experiments))
most <- 50L

f_statistic <- function(x, y) {
    size <- as.vector(table(y))
    means <- rowsum(x, y) / size
    between <- colSums(size * sweep(means, 2L, colMeans(x))^2)
    within <- colSums((x - means[as.integer(y), ])^2)
    between / pmax(within, 1e-12 * max(within))
}

rankings <- list(
    "glean, score" = function(x, links) glean(x, links),
    "glean, relevance" = function(x, links) {
        glean(x, links, rank_by = "relevance")
    },
    "glean, contrast" = function(x, links) {
        glean(x, links, rank_by = "contrast")
    },
    relieff_sc = function(x, links) relieff_sc(x, links),
    group_markers = function(x, links) {
        found <- as.data.frame(group_markers(x, links))
        list(feature = unique(found$feature[order(found$p_value)]))
    },
    variance = function(x, links) variance_score(x)
)

run_set <- function(name, seed) {
    set <- plain_set(call, name)
    set.seed(seed)
    rows <- seq_along(set$y)
    rows <- thin(rows, set$y, min(500, ceiling(0.9 * length(rows))))
    x <- set$x[rows, ]
    colnames(x) <- paste0("g", seq_len(ncol(x)))
    y <- droplevels(set$y[rows])
    best <- colnames(x)[order(-f_statistic(x, y))[seq_len(most)]]
    # values as they are: some sets are not logged
    links <- suppressWarnings(active_constraints(x, y, n = 20,
                                                 progress = FALSE))
    share <- vapply(rankings, function(rank) {
        found <- suppressMessages(suppressWarnings(rank(x, links)))$feature
        mean(best %in% utils::head(found, most))
    }, 0)
    data.frame(ranking = names(rankings), share, row.names = NULL)
}

done <- run_sets(sets, call, run_set)

# ---- the table -----------------------------------------------------------------

# c(mean, standard error) of the means of groups of rows
averages <- function(share, group) {
    means <- tapply(share, group, mean)
    round(c(mean(means), stats::sd(means) / sqrt(length(means))), 3L)
}
table <- do.call(rbind, lapply(names(rankings), function(name) {
    rows <- done[done$ranking == name, ]
    experiment <- experiments[rows$set]
    by_set <- averages(rows$share, rows$set)
    by_experiment <- averages(rows$share, experiment)
    data.frame(ranking = name, sets = length(unique(rows$set)),
               share = by_set[1L], error = by_set[2L],
               experiments = length(unique(experiment)),
               share_experiments = by_experiment[1L],
               error_experiments = by_experiment[2L])
}))
utils::write.csv(table, file.path(dirname(call$results), "gene_list.csv"),
                 row.names = FALSE)
print(table, row.names = FALSE)
