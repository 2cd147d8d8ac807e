# When does questionnaire(hint = TRUE) say that one may stop, with labels as
# answers, and how often where nothing is to be found?
#
#   Rscript advice.R FOLDER [SEEDS] [RESULTS.csv] [MINUTES]
#
# See read_call() in harness.R. Twelve sets of the folder, at most 150 samples and
# 500 features drawn with each seed, 40 questions in pairs. "random": the labels
# are permuted, so that no feature knows anything about them. The advice needs that
# the best features have settled (share of them unchanged), that they predict the
# answers (p-value of prediction) and that no kind was seen only once. Sets 1, 3, 5
# ... choose the level of the second: the largest of `levels` at which at most a
# twentieth of their random trials is advised to stop. The others judge. Standard
# errors are between sets.
#
# Then walks through sets of three kinds or more, 300 samples and 1000 features with
# the largest variance, in pairs and sorted: when the advice comes first, how many
# kinds had been seen by then, how often it is taken back; and, over all questions
# that place a sample, how often the next sample is of a new kind beside the share
# of placed samples that are the only one of their kind (Good and Turing).
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
    rbind(cbind(labels = "true", run_trial(x, y)),
          cbind(labels = "random", run_trial(x, sample(y))))
}

done <- run_sets(sets, call, run_set)

# ---- the tables --------------------------------------------------------------

# The question at which the advice comes first, NA for never.
first_advice <- function(level) {
    good <- done$share >= 0.85 & done$question >= 10 & done$once == 0
    if (!is.na(level)) {
        good <- good & done$p_value <= level
    }
    good <- good %in% TRUE
    trial <- interaction(done$set, done$seed, done$labels, drop = TRUE)
    at <- tapply(ifelse(good, done$question, NA), trial, function(v) {
        if (all(is.na(v))) NA else min(v, na.rm = TRUE)
    })
    one <- match(levels(trial), trial)
    data.frame(done[one, c("set", "seed", "labels")], at = as.vector(at))
}

advised <- function(first, labels, names = sets) {
    own <- first[first$labels == labels & first$set %in% names, ]
    by_set <- tapply(!is.na(own$at), own$set, mean)
    c(share = mean(by_set), error = stats::sd(by_set) / sqrt(length(by_set)))
}
show <- function(found) {
    sprintf("%3.0f %% (%.0f)", 100 * found[["share"]], 100 * found[["error"]])
}

choosing <- sets[c(TRUE, FALSE)]
judging <- setdiff(sets, choosing)
cat(length(sets), "sets, seeds", paste(sort(unique(done$seed)), collapse = " "),
    "\n\nadvised to stop within", questions, "questions\n")
tables <- lapply(c(NA, levels), first_advice)
rows <- t(vapply(tables, function(first) c(
    show(advised(first, "random", choosing)),
    show(advised(first, "true", choosing)),
    show(advised(first, "random", judging)),
    show(advised(first, "true", judging))
), character(4)))
dimnames(rows) <- list(c("settled only", paste("p <=", levels)),
                       c("choose: random", "choose: true", "judge: random",
                         "judge: true"))
print(noquote(rows))

random <- vapply(tables[-1L], function(first) {
    advised(first, "random", choosing)[["share"]]
}, 0)
chosen <- max(c(levels[random <= 0.05], levels[1L]))
cat("\nchosen: p <=", chosen, "\n\nquestion of the advice, of each set (median",
    "over seeds; 0: never)\n")
by_set <- sapply(list(settled = NA, advice = chosen), function(level) {
    first <- first_advice(level)
    first <- first[first$labels == "true", ]
    tapply(first$at, first$set, function(at) {
        at <- stats::median(ifelse(is.na(at), Inf, at))
        if (is.finite(at)) at else 0
    })
})
first <- first_advice(chosen)
random <- first[first$labels == "random", ]
print(cbind(by_set, random = tapply(!is.na(random$at), random$set, sum),
            of = tapply(random$at, random$set, length))[order(by_set[, 2L]), ])

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
cat("\nwalks: first advice, kinds seen by then, kinds, times taken back; a new kind",
    "next: how often, and as estimated\n")
for (name in walks[there]) {
    set <- walk_set(name)
    for (ask in c("pairs", "groups")) {
        walk <- run_trial(set$x, set$y, ask, scale = set$scale)
        first <- which(walk$advised)[1L]
        placing <- which(diff(walk$placed) > 0 & walk$placed[-nrow(walk)] > 2)
        cat(sprintf("%-18s %-6s %4s %3s %3d %3d   %.2f %.2f (%d)\n", name, ask,
                    if (is.na(first)) "-" else first,
                    if (is.na(first)) "-" else walk$kinds[first],
                    length(unique(set$y)), sum(diff(walk$advised) < 0),
                    mean(diff(walk$kinds)[placing] > 0),
                    mean((walk$once / walk$placed)[placing]), length(placing)))
    }
}
