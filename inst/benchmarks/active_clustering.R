# Groups found by questions: glean_labels() after questions of the package and
# of published strategies (inst/examples/active.R), PCK-means with the same
# answers, and the groups of COBRAS, on the sets that fetch.R writes.
#
#   Rscript fetch.R FOLDER
#   Rscript active_clustering.R FOLDER [SEEDS] [RESULTS.csv] [MINUTES]
#
# See read_call() in harness.R. Questions are about half of at most 300 samples.
# `ari_all` is the adjusted Rand index of all of these; `ari` of those that were not
# asked about, whose class no answer gives (sets that have fewer than two are left
# out). COBRAS and Explore place only samples that they asked about.
source(system.file("benchmarks", "harness.R", package = "linkrank"))
source(system.file("examples", "active.R", package = "linkrank"))
call <- read_call("active_clustering.csv", 1:2)
sets <- sets_of(call, c("banknote", "dermatology", "glass", "heart_statlog",
                        "ionosphere", "segmentation_210", "sonar",
                        "soybean_small", "spectf_80", "vehicle", "wbcd",
                        "wine"))

run <- function(name, seed) {
    set <- plain_set(call, name)
    set.seed(seed)
    rows <- thin(seq_along(set$y), set$y, 300)
    y <- droplevels(set$y[rows])
    found <- suppressWarnings(evaluate_questions(
        set$x[rows, , drop = FALSE], y, list(
            "groups", "random", NPU = npu, COBRAS = cobras,
            Explore = explore_consolidate(nlevels(y))
        ), c("glean", "pck_means"), questions = c(0, 20, 50, 100), splits = 1
    ))
    as.data.frame(found)[c("strategy", "method", "questions", "ari",
                           "ari_all")]
}

found <- run_sets(sets, call, run)
wide <- function(questions, measure) {
    own <- found[found$questions == questions, ]
    table <- tapply(own[[measure]], list(own$set, paste(own$strategy, own$method)),
                    mean)
    table <- table[, colSums(!is.na(table)) > 0, drop = FALSE]
    table[stats::complete.cases(table), , drop = FALSE]
}
for (measure in c("ari_all", "ari")) for (questions in c(20, 50, 100)) {
    table <- wide(questions, measure)
    if (nrow(table) < 2L) next
    cat("\nAfter ", questions, " questions, ", nrow(table), " sets: ", measure,
        "; minus groups, sort glean\nand minus groups, pairs glean (standard ",
        "errors between sets); sets ahead of groups, sort glean\n", sep = "")
    minus <- function(reference) {
        gap <- table - table[, reference]
        sprintf("%+.3f (%.3f)", colMeans(gap),
                apply(gap, 2L, stats::sd) / sqrt(nrow(gap)))
    }
    cat(sprintf("  %-18s %.3f  %s  %s  %2d\n", colnames(table), colMeans(table),
                minus("groups, sort glean"), minus("groups, pairs glean"),
                colSums(table > table[, "groups, sort glean"]))[
                    order(-colMeans(table))], sep = "")
}
for (questions in c(50, 100)) {
    cat("\nAfter", questions, "questions, by set\n")
    print(round(wide(questions, "ari_all")[, c("groups, sort glean", "groups, pairs glean",
                                    "Explore glean", "NPU glean",
                                    "COBRAS own groups", "random glean")], 2))
}
