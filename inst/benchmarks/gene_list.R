# Which ranking lists the genes that differ? Of the 50 best genes by the F
# statistic of all labels, the share among the 50 best after twenty answers, and
# of the orders of glean() after few pairs that somebody knows.
#
#   Rscript gene_list.R FOLDER [SEEDS] [RESULTS.csv] [MINUTES]
#
# FOLDER: see read_call() in harness.R. Samples are sorted in the order of
# active_constraints(), which is drawn once per seed on nine tenths of the
# samples; their classes answer. Pairs are drawn at random. Per set and seed the
# shares go to RESULTS, and to gene_list.csv beside it their means with standard
# errors: between sets, and between experiments, because four sets are of one
# experiment and two of another.
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

drawn <- function(cannot_link, must_link) function(x, y) {
    constraints_from_labels(y, cannot_link = cannot_link, must_link = must_link)
}
designs <- list(
    # values as they are: some sets are not logged
    "20 sorted" = function(x, y) {
        suppressWarnings(active_constraints(x, y, n = 20, progress = FALSE))
    },
    "10 cannot-links, 4 must-links" = drawn(10, 4), "3 cannot-links" = drawn(3, 0)
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
    do.call(rbind, lapply(names(designs), function(answers) {
        own <- if (answers == "20 sorted") rankings else rankings[startsWith(
            names(rankings), "glean")]
        links <- designs[[answers]](x, y)
        share <- vapply(own, function(rank) {
            found <- suppressMessages(suppressWarnings(rank(x, links)))$feature
            mean(best %in% utils::head(found, most))
        }, 0)
        data.frame(answers, ranking = names(own), share, row.names = NULL)
    }))
}

done <- run_sets(sets, call, run_set)

# ---- the table -----------------------------------------------------------------

# c(mean, standard error) of the means of groups of rows
averages <- function(share, group) {
    means <- tapply(share, group, mean)
    round(c(mean(means), stats::sd(means) / sqrt(length(means))), 3L)
}
each <- unique(done[c("answers", "ranking")])
table <- do.call(rbind, Map(function(answers, name) {
    rows <- done[done$answers == answers & done$ranking == name, ]
    experiment <- experiments[rows$set]
    by_set <- averages(rows$share, rows$set)
    by_experiment <- averages(rows$share, experiment)
    data.frame(answers, ranking = name, sets = length(unique(rows$set)),
               share = by_set[1L], error = by_set[2L],
               experiments = length(unique(experiment)),
               share_experiments = by_experiment[1L],
               error_experiments = by_experiment[2L])
}, each$answers, each$ranking))
utils::write.csv(table, file.path(dirname(call$results), "gene_list.csv"),
                 row.names = FALSE)
print(table, row.names = FALSE)
