# Doquire and Verleysen (2013). A graph Laplacian based approach to
# semi-supervised feature selection for regression problems. Neurocomputing.
#
# Artificial problems of 1000 samples: in how many data sets are all relevant
# features ranked first?

doquire_problems <- list(
    Y1 = list(features = 6, relevant = 3, y = function(x) {
        5 * x[, 1] + 7 * x[, 2] - 10 * x[, 3]
    }),
    Y2 = list(features = 8, relevant = 4, y = function(x) {
        cos(2 * pi * x[, 1] * x[, 2]) * sin(2 * pi * x[, 3] * x[, 4])
    }),
    Y3 = list(features = 4, relevant = 2, y = function(x) {
        x[, 1]^2 * x[, 2]^-2
    })
)

doquire_jobs <- function() lapply(names(doquire_problems), doquire_problem)

doquire_problem <- function(name) {
    problem <- doquire_problems[[name]]
    new_job("doquire", name, character(), c(200, 1000), 0.05,
        one = function(run) {
            x <- matrix(stats::runif(1000 * problem$features), 1000)
            colnames(x) <- paste0("X", seq_len(problem$features))
            y <- problem$y(x)
            first <- problem$relevant
            wanted <- colnames(x)[seq_len(first)]
            score <- supervised_laplacian_score(x, y, k = 5)
            by_cor <- order(-abs(stats::cor(x, y)))[seq_len(first)]
            100 * c(SLS = setequal(top_features(score, first), wanted),
                    Correlation = setequal(colnames(x)[by_cor], wanted))
        },
        tell = function(runs) {
            what <- c("SLS", "Correlation")
            stats::setNames(lapply(what, function(row) {
                list(values = vapply(runs, `[[`, 0, row))
            }), row_id("doquire_1", name, what, "percent"))
        })
}
