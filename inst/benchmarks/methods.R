# All methods at ten pairs, over random splits: 1-NN accuracy along the ranking.
# It writes the table of the vignette `methods`.
#
#   Rscript methods.R FOLDER RESULT.csv.gz [SPLITS]
#
# FOLDER holds colon, dermatology, sonar and yale as <name>.csv.gz: numeric
# columns and, last, the column `class`.

library(linkrank)
options(linkrank.progress = FALSE)

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) < 2L) {
    cat("methods.R: not run, it needs a folder of data and a result file\n")
    quit(save = "no")
}
folder <- arguments[1L]
splits <- if (length(arguments) > 2L) as.numeric(arguments[3L]) else 20

score <- function(type) {
    force(type)
    function(x, constraints) constraint_score(x, constraints, type = type)
}
rankers <- list(
    `random order` = function(x) {
        variance_score(x * 0 + stats::rnorm(length(x)))
    },
    `Variance` = "variance_score",
    `Laplacian` = "laplacian_score",
    `CS1` = score("CS1"), `CS2` = score("CS2"), `CS3` = score("CS3"),
    `CLS` = score("CLS"), `C6` = score("C6"), `CCLS` = score("CCLS"),
    `ReliefF-Sc` = "relieff_sc",
    `ReliefF-Sc, published` = function(x, constraints) {
        relieff_sc(x, constraints, k = 5, direction = "first",
                   must_link = "ignore", scale = "range")
    },
    `eps^S` = function(x, constraints) {
        select_subset(x, constraints, n = 100)
    },
    `eps^SS` = function(x, constraints) {
        select_subset(x, constraints, context = "semisupervised",
                      n = 100)
    },
    `PCFS` = function(x, y, constraints) {
        pcfs(x, constraints, clusters = nlevels(y), scale = "range")
    },
    `Fisher, all labels` = "fisher_score"
)

evaluate <- function(name) {
    data <- utils::read.csv(gzfile(file.path(folder,
                                             paste0(name, ".csv.gz"))),
                            check.names = FALSE)
    data <- data[stats::complete.cases(data), ]
    x <- as.matrix(data[-ncol(data)])
    y <- factor(data$class)
    set.seed(1)
    found <- suppressWarnings(evaluate_method(
        x, y, rankers, splits = splits, cannot_link = 5, must_link = 5,
        n = Filter(function(n) n <= ncol(x), c(1, 2, 5, 10, 20, 50, 100)),
        scale = "range"
    ))
    print(found)
    cbind(data = name, as.data.frame(found))
}

results <- do.call(rbind, lapply(c("colon", "dermatology", "sonar", "yale"),
                                 evaluate))
results$accuracy <- round(results$accuracy, 4)
con <- gzfile(arguments[2L], "w", compression = 9)
utils::write.csv(results[c("data", "split", "ranking", "features",
                           "accuracy")], con, row.names = FALSE)
close(con)
