# When does questionnaire(hint = TRUE) say that one may stop, with labels as
# answers, and how often where nothing is to be found?
#
#   Rscript advice.R FOLDER [SEEDS] [RESULTS.csv] [MINUTES]
#
# See read_call() in harness.R. Twelve sets of the folder, at most 150 samples and
# 500 features drawn with each seed, 40 questions, in pairs and sorted. "random": the
# labels are permuted, so that no feature knows anything about them. The advice needs
# that the best features have settled (share of them unchanged), that they predict
# the answers (p-value of prediction), and that no kind was seen only once. The level
# of the second is the largest of `levels` at which at most a twentieth of the random
# trials is advised to stop, in pairs and sorted.
#
# How often is the next sample of a new kind, where samples come in the order of the
# questionnaire? Beside it, the share of placed samples that are the only one of
# their kind, by which Good and Turing estimate that chance.
#
# Then walks through sets of three kinds or more, 300 samples and the 1000 features
# of the largest variance: when the advice comes first, how many kinds had been seen
# by then, how often it is taken back.
source(system.file("benchmarks", "harness.R", package = "linkrank"))
call <- read_call("advice.csv", seeds = 1:4)
sets <- sets_of(call, c("dermatology", "segmentation_210", "wdbc",
                        "heart_statlog", "soybean_small", "ionosphere", "colon",
                        "spectf_80", "sonar", "wine", "lung_325_discrete",
                        "allaml"))
questions <- 40
levels <- c(0.02, 0.05, 0.1, 0.2, 0.3)

run_trial <- function(x, y, ask = "pairs", ...) {
    q <- questionnaire(x, n = questions, hint = TRUE, progress = FALSE, ask = ask,
                       ...)
    rows <- list()
    while (!is.null(shown <- next_pair(q))) {
        same <- y[shown[1]] == y[shown[-1]]
        q <- answer_pair(q, if (ask == "pairs") same else c(which(same), 0)[1])
        sizes <- lengths(linkrank:::seen_kinds(q))
        rows[[length(rows) + 1]] <- data.frame(
            p_value = linkrank:::prediction_p_value(q), kinds = length(sizes),
            once = sum(sizes == 1), placed = sum(sizes))
    }
    cbind(question = seq_along(rows), share = q$stability, advised = q$advised,
          do.call(rbind, rows))
}

run_set <- function(name, seed) {
    set <- read_set(call$folder, name)
    set.seed(seed)
    rows <- thin(seq_along(set$y), set$y, 150)
    x <- set$x[rows, some(ncol(set$x), 500), drop = FALSE]
    x <- x[, apply(x, 2L, function(v) max(v) > min(v)), drop = FALSE]
    y <- as.character(set$y[rows])
    labels <- list(true = y, random = sample(y))
    do.call(rbind, lapply(c("pairs", "groups"), function(ask) {
        do.call(rbind, lapply(names(labels), function(kind) {
            cbind(ask = ask, labels = kind,
                  suppressWarnings(run_trial(x, labels[[kind]], ask)))
        }))
    }))
}

done <- run_sets(sets, call, run_set)

# ---- the tables --------------------------------------------------------------

done$trial <- interaction(done[c("set", "seed", "labels", "ask")], drop = TRUE)

# The question at which the advice comes first in each trial, NA for never.
first_advice <- function(level) {
    good <- done$share >= 0.85 & done$question >= 10 &
        (is.na(level) | done$once == 0 & done$p_value <= level)
    one <- done[!duplicated(done$trial), c("trial", "set", "labels", "ask")]
    advised <- done[good %in% TRUE, ]
    one$at <- advised$question[match(one$trial, advised$trial)]
    one
}

cat(length(sets), "sets, seeds", paste(sort(unique(done$seed)), collapse = " "),
    "\n\nadvised to stop within", questions, "questions\n")
rows <- t(vapply(c(NA, levels), function(level) {
    first <- first_advice(level)
    by <- split(!is.na(first$at), first[c("labels", "ask")])
    vapply(by, function(own) paste(sum(own), "of", length(own)), "")
}, character(4)))
dimnames(rows) <- list(c("settled only", paste("p <=", levels)),
                       c("sorted, random", "sorted, true", "pairs, random",
                         "pairs, true"))
print(noquote(rows))

most <- vapply(levels, function(level) {
    first <- first_advice(level)
    first <- first[first$labels == "random", ]
    max(tapply(!is.na(first$at), first$ask, mean))
}, 0)
chosen <- max(c(levels[most <= 0.05], levels[1L]))
cat("\nchosen: p <=", chosen, "\n\nquestion of the advice, of each set (median",
    "over seeds; -: never)\n")
first <- first_advice(chosen)
first <- first[first$labels == "true", ]
at <- tapply(first$at, first[c("set", "ask")], function(at) {
    at <- stats::median(ifelse(is.na(at), Inf, at))
    if (is.finite(at)) at else NA
})
print(at[order(at[, "groups"]), ], na.print = "-")

true <- split(done, done$trial)[unique(done$trial[done$labels == "true"])]
next_ones <- do.call(rbind, lapply(true, function(own) {
    at <- which(diff(own$placed) > 0 & own$placed[-nrow(own)] > 2)
    data.frame(ask = rep(own$ask[1L], length(at)), new = diff(own$kinds)[at] > 0,
               estimate = (own$once / own$placed)[at])
}))
cat("\nthe next sample is of a new kind, by the share of samples alone in theirs\n")
next_ones$share <- cut(next_ones$estimate, c(-1, 0, 0.1, 0.2, 0.3, 0.5, 1))
print(stats::aggregate(cbind(estimate, new) ~ share + ask, next_ones, mean),
      digits = 2)
print(table(next_ones$share, next_ones$ask))

# ---- walks -------------------------------------------------------------------

# The features with the largest variance, the samples in the same proportions.
walk_set <- function(name) {
    set.seed(1)
    if (name != "pbmc3k") {
        set <- read_set(call$folder, name)
    } else {
        file <- file.path(call$folder, c("pbmc3k.mtx.gz", "pbmc3k_labels.csv.gz"))
        cells <- as.matrix(Matrix::readMM(gzfile(file[1L])))
        cells <- log1p(cells / rowSums(cells) * 1e4)
        set <- list(x = cells, y = factor(utils::read.csv(gzfile(file[2L]))$class))
    }
    rows <- thin(seq_along(set$y), set$y, 300)
    x <- set$x[rows, , drop = FALSE]
    spread <- apply(x, 2L, stats::var)
    keep <- utils::head(order(-spread), min(1000, sum(spread > 0)))
    list(x = x[, sort(keep), drop = FALSE], y = as.character(set$y[rows]),
         scale = if (name == "pbmc3k") "none")
}

walks <- c("pbmc3k", "segmentation_2310", "dermatology", "wine", "zeisel_1464",
           "mfeat")
there <- file.exists(file.path(call$folder, paste0(
    walks, ifelse(walks == "pbmc3k", ".mtx.gz", ".csv.gz"))))
cat("\nwalks: first advice, kinds seen by then, kinds, times taken back\n")
for (name in walks[there]) {
    set <- walk_set(name)
    for (ask in c("pairs", "groups")) {
        walk <- run_trial(set$x, set$y, ask, scale = set$scale)
        first <- which(walk$advised)[1L]
        cat(sprintf("%-18s %-6s %4s %3s %3d %3d\n", name, ask,
                    if (is.na(first)) "-" else first,
                    if (is.na(first)) "-" else walk$kinds[first],
                    length(unique(set$y)), sum(diff(walk$advised) < 0)))
    }
}
