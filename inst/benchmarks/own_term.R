# What `own_term = "leave_out"` changes, by every function that has it: accuracy,
# and how many random codes are among the five best features. Tables of R packages
# with five random codes 1 to 3, at most 300 samples, of which at most 80 of one
# half are ranked with; twenty samples are sorted in the order of
# active_constraints(), or 15 random pairs are cannot-links. Accuracy of the
# nearest neighbour, from the labels of that half to the other half, mean of the
# best 1, 2, 3 and 5 features. (stir() with the same option gained nothing: -.15
# (.05) with the classes of 20 samples, 0 (.18) with all, seeds 1 to 12.)
#
#   Rscript own_term.R . [SEEDS] [RESULTS.csv] [MINUTES]
#
# See read_call() in harness.R; no folder of data is read. Standard errors are
# between tables. own_term.csv beside RESULTS.csv ships.
source(system.file("benchmarks", "harness.R", package = "linkrank"))
call <- read_call("own_term_runs.csv", 1:12)

methods <- list(
    relieff_sc = relieff_sc, relief_sc = relief_sc, fcrsc = fcrsc,
    simba_sc = function(...) simba_sc(..., starts = 3)
)

coded_set <- function(name) {
    set <- package_set(name)
    if (is.null(set)) return(NULL)
    rows <- thin(seq_along(set$y), set$y, 300)
    x <- set$x[rows, , drop = FALSE]
    x <- x[, apply(x, 2L, function(v) max(v) > min(v)), drop = FALSE]
    codes <- matrix(sample(3, 5 * nrow(x), TRUE), ncol = 5L,
                    dimnames = list(NULL, paste0("code", 1:5)))
    set <- list(x = cbind(x, codes), y = droplevels(set$y[rows]))
    half <- linkrank:::split_half(set$y)
    train <- thin(half$train, set$y, 80)
    list(x = set$x[train, ], y = droplevels(set$y[train]),
         test = set$x[half$test, ], y_test = set$y[half$test])
}

run_table <- function(name, seed) {
    set.seed(seed)
    set <- coded_set(name)
    if (is.null(set)) return(NULL)
    judged <- function(method, answers) {
        measured <- vapply(c("keep", "leave_out"), function(own_term) {
            set.seed(seed)
            ranking <- suppressMessages(suppressWarnings(methods[[method]](
                set$x, links[[answers]], own_term = own_term)))
            right <- evaluate_ranking(ranking, set$x, set$y, set$test,
                                      set$y_test, n = c(1, 2, 3, 5),
                                      scale = "zscore")$accuracy
            c(100 * mean(right),
              sum(grepl("^code", utils::head(ranking$feature, 5L))))
        }, c(0, 0))
        data.frame(method, answers, keep = measured[1L, 1L],
                   leave_out = measured[1L, 2L], codes_keep = measured[2L, 1L],
                   codes_leave_out = measured[2L, 2L])
    }
    links <- suppressMessages(suppressWarnings(list(
        sorted = active_constraints(set$x, set$y, n = 20, progress = FALSE),
        pairs = constraints_from_labels(set$y, cannot_link = 15,
                                        must_link = 0))))
    rows <- expand.grid(method = names(methods), answers = names(links),
                        stringsAsFactors = FALSE)
    do.call(rbind, Map(judged, rows$method, rows$answers))
}

tried <- function(name, seed) {
    tryCatch(run_table(name, seed), error = function(e) {
        cat(name, ": ", conditionMessage(e), "\n", sep = "")
    })
}
done <- run_sets(names(package_tables), call, tried)

done$gain <- done$leave_out - done$keep
measures <- c("keep", "leave_out", "gain", "codes_keep", "codes_leave_out")
own <- stats::aggregate(done[measures], done[c("method", "answers", "set")], mean)
table <- do.call(rbind, lapply(split(own, own[c("method", "answers")], TRUE),
                               function(rows) {
    data.frame(rows[1L, c("method", "answers")], tables = nrow(rows),
               t(colMeans(rows[measures])),
               error = stats::sd(rows$gain) / sqrt(nrow(rows)))
}))
write_table(table[order(table$method, table$answers), ], "own_term", call)
print(table, row.names = FALSE, digits = 3)
