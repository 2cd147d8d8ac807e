# How well clusterings under constraints find the classes of eight sets: the
# adjusted Rand index without constraints and after 50 samples were sorted.
# glean_labels() finds the number of groups itself, the others get it.
#
#   Rscript clusterings.R FOLDER 1:3
#
# See read_call() in harness.R. At most 300 samples of a set are taken. The table
# clusterings.csv beside RESULTS.csv ships; it is that of ?spectral_clustering.
source(system.file("benchmarks", "harness.R", package = "linkrank"))
call <- read_call("clusterings_runs.csv", 1:3)
sets <- sets_of(call, c("dermatology", "ionosphere", "lung_325_discrete",
                        "mfeat", "segmentation_210", "sonar", "wdbc", "wine"))

run <- function(name, seed) {
    set <- plain_set(call, name)
    set.seed(seed)
    kept <- thin(seq_along(set$y), set$y, 300)
    x <- set$x[kept, ]
    y <- droplevels(set$y[kept])
    k <- nlevels(y)
    index <- function(cluster) linkrank:::group_indices(cluster, y)[["ari"]]
    sorted <- suppressWarnings(suppressMessages(
        active_constraints(x, y, 50, scale = "range")))
    rows <- lapply(c(0, 50), function(questions) {
        links <- if (questions) sorted else
            pairwise_constraints(samples = nrow(x))
        spectral <- function(normalisation) {
            found <- tryCatch(
                suppressWarnings(spectral_clustering(
                    x, links, clusters = k, normalisation = normalisation,
                    scale = "range")),
                linkrank_error_constraints = function(e) NULL)
            if (is.null(found)) c(NA, NA) else
                c(index(found$cluster), max(found$sizes) / length(y))
        }
        symmetric <- spectral("symmetric")
        additive <- spectral("additive")
        scaled <- scale(x)
        data.frame(
            questions = questions, symmetric = symmetric[1L],
            additive = additive[1L], symmetric_largest = symmetric[2L],
            additive_largest = additive[2L],
            k_means = if (questions) NA else
                index(stats::kmeans(scaled, k, nstart = 10)$cluster),
            pck_means = index(pck_means(x, links, clusters = k,
                                        scale = "range")$cluster),
            glean_labels = if (questions)
                index(suppressMessages(glean_labels(
                    glean(x, links, scale = "range")))$cluster)
            else NA
        )
    })
    do.call(rbind, rows)
}

found <- run_sets(sets, call, run)
columns <- c("additive", "symmetric", "k_means", "pck_means", "glean_labels",
             "additive_largest", "symmetric_largest")
means <- stats::aggregate(found[columns], found[c("questions", "set")], mean,
                          na.action = stats::na.pass)
means <- means[order(means$questions, means$set), ]
print(format(means, digits = 2), row.names = FALSE)
for (questions in c(0, 50)) {
    own <- means[means$questions == questions, columns]
    cat("\nAfter", questions, "answers, mean over", nrow(own), "sets:\n")
    own <- own[!is.na(colMeans(own))]
    print(round(colMeans(own), 3))
    others <- c("additive", "k_means", "pck_means", "glean_labels")
    gap <- own[intersect(others, names(own))] - own$symmetric
    cat("minus symmetric (standard error between sets):\n")
    cat(sprintf("  %-14s %+.3f (%.3f)\n", names(gap), colMeans(gap),
                apply(gap, 2L, stats::sd) / sqrt(nrow(gap))), sep = "")
}

others <- c("symmetric", "additive", "k_means", "pck_means", "glean_labels")
write_table(do.call(rbind, lapply(c(0, 50), function(questions) {
    own <- means[means$questions == questions, others]
    own <- own[!is.na(colMeans(own))]
    gap <- own - own$symmetric
    data.frame(questions = questions, method = names(own), sets = nrow(own),
               ari = colMeans(own), minus_symmetric = colMeans(gap),
               error = apply(gap, 2L, stats::sd) / sqrt(nrow(gap)))
})), "clusterings", call)
