# Markers where there is nothing to find and some answers are wrong: the tissue of
# the colon data, permuted, or normal data; a rater who errs and, of two groups of
# one kind, takes the first. The share of groups with a marker at FDR .05 by the
# t, and of data sets with any by exchanging the groups.
#
#   Rscript wrong_markers.R [SETS]
suppressPackageStartupMessages(library(linkrank))
sets <- as.integer(c(commandArgs(TRUE), 100)[1L])
colon_logs <- log2(colon$x)

draw <- function(data) {
    if (data == "colon") {
        list(x = colon_logs, y = sample(as.character(colon$tissue)))
    } else {
        list(x = matrix(stats::rnorm(62 * 500), 62),
             y = sample(rep(c("a", "b"), 31)))
    }
}

# A wrong answer is one of the other choices.
rater <- function(y, rate) {
    function(i, j) {
        choice <- c(which(y[j] == y[i]), 0)[1L]
        if (stats::runif(1) >= rate) return(choice)
        others <- setdiff(0:length(j), choice)
        others[sample.int(length(others), 1L)]
    }
}

run_set <- function(seed, data, count, rate) {
    set.seed(seed)
    d <- draw(data)
    links <- suppressWarnings(suppressMessages(active_constraints(
        d$x, rater(d$y, rate), n = count, ask = "groups", scale = "none"
    )))
    found <- function(...) {
        markers <- tryCatch(suppressMessages(group_markers(d$x, links, ...)),
                            linkrank_error = function(e) NULL)
        if (is.null(markers)) return(NA)
        tapply(markers$fdr <= 0.05, droplevels(markers$group), any, na.rm = TRUE)
    }
    c(t = mean(found()), permutations = any(found(permutations = 99)))
}

for (data in c("colon", "normal")) {
    for (count in c(20, 40)) {
        for (rate in c(0, 0.1, 0.2)) {
            got <- vapply(seq_len(sets), run_set, numeric(2), data, count, rate)
            cat(sprintf("%s, %d sorted, %2.0f %% wrong: groups by t %.3f, sets by permutations %.3f (%d sets)\n",
                        data, count, 100 * rate, mean(got[1L, ], na.rm = TRUE),
                        mean(got[2L, ], na.rm = TRUE), sum(!is.na(got[1L, ]))))
        }
    }
}
