# How much the answers add to the data: glean() compared with rankings without
# answers, other rankings from the same answers (`before` is three_parts() in
# harness.R), and rankings from all labels.
#
#   Rscript glean.R FOLDER [SEEDS] [RESULTS.csv] [MINUTES]
#
# See read_call() in harness.R: all classification sets of the folder, 5, 10, 20
# and 40 group questions on at most 150 samples of one half, the nearest neighbour
# on the other half (at most 300), at 5, 10, 20 and 50 features and over the curve
# (the first half of the ranking, at most 100 features). Single cells are not
# scaled. The table of the curves, glean.csv beside RESULTS.csv, ships. questions.R
# compares the strategies of asking.
source(system.file("benchmarks", "harness.R", package = "linkrank"))
call <- read_call("glean_runs.csv", seeds = 1:2)
depths <- c(5, 10, 20, 50)
sets <- sets_of(call)

# Rankings by name; what needs no answers is made once per half.
without_answers <- function(d, scale) {
    none <- pairwise_constraints(samples = nrow(d$x))
    list(no_answers = glean(d$x, none, scale = scale),
         variance = variance_score(d$x, scale = "range"),
         variance_unscaled = variance_score(d$x, scale = "none"))
}

with_labels <- function(d, scale) {
    list(fisher = diversify_ranking(fisher_score(d$x, d$y), d$x),
         relieff = diversify_ranking(relieff(d$x, d$y, scale = scale), d$x))
}

from_answers <- function(d, links, scale) {
    margin <- tryCatch(suppressWarnings(relieff_sc(d$x, links, scale = scale)),
                       linkrank_error_constraints = function(condition) NULL)
    list(glean = glean(d$x, links, scale = scale),
         before = three_parts(d$x, links, scale),
         # no cannot-link among the answers: features keep their order
         relieff_sc = if (is.null(margin)) suppressWarnings(relieff_sc(
             0 * d$x, pairwise_constraints(cannot_link = cbind(1, 2), samples = nrow(d$x)),
             scale = "range"
         )) else margin)
}

judge <- function(d, rankings) {
    p <- ncol(d$x)
    half <- min(100, ceiling(p / 2))
    at <- sort(unique(c(seq_len(half), pmin(depths, p))))
    curves <- lapply(rankings, function(ranking) {
        100 * evaluate_ranking(ranking, d$x, d$y, d$test, d$y_test,
                               n = at)$accuracy
    })
    rows <- lapply(names(curves), function(method) {
        own <- curves[[method]]
        data.frame(method = method, curve = mean(own[at <= half]),
                   t(stats::setNames(own[match(pmin(depths, p), at)],
                                     paste0("at_", depths))))
    })
    do.call(rbind, rows)
}

run_set <- function(name, seed) {
    set <- read_set(call$folder, name)
    colnames(set$x) <- make.unique(colnames(set$x))
    scale <- if (grepl("zeisel", name)) "none" else "range"
    if (scale == "none") set$x <- log1p(set$x)
    d <- split_set(set, seed)
    d$x <- d$x[, apply(d$x, 2, function(v) max(v) > min(v)), drop = FALSE]
    d$test <- d$test[, colnames(d$x), drop = FALSE]
    fixed <- c(without_answers(d, scale), with_labels(d, scale))
    rows <- list(cbind(questions = 0, judge(d, fixed)))
    for (count in c(5, 10, 20, 40)) {
        links <- suppressWarnings(active_constraints(d$x, d$y, n = count,
                                                     ask = "pairs",
                                                     scale = "range"))
        rows[[length(rows) + 1L]] <- cbind(
            questions = count, judge(d, from_answers(d, links, scale))
        )
    }
    do.call(rbind, rows)
}

done <- run_sets(sets, call, run_set)

# ---- the tables --------------------------------------------------------------

measures <- c("curve", paste0("at_", depths))
means <- aggregate(done[measures], done[c("set", "questions", "method")], mean)
pick <- function(method, questions, measure) {
    rows <- means[means$method == method & means$questions == questions, ]
    stats::setNames(rows[[measure]], rows$set)[unique(means$set)]
}
show <- function(one, other, questions, measure) {
    asked <- if (other %in% c("relieff_sc", "before")) questions else 0
    difference <- pick("glean", questions, measure) -
        pick(other, asked, measure)
    sprintf("%+.1f (%.1f)", mean(difference),
            sd(difference) / sqrt(length(difference)))
}
cat(length(unique(means$set)), "sets, seeds",
    paste(sort(unique(done$seed)), collapse = " "), "\n")
cat("glean() minus others: mean, standard error between sets\n\n")
others <- c("before", "relieff_sc", "no_answers", "variance", "variance_unscaled",
            "fisher", "relieff")
for (measure in measures) {
    table <- vapply(c(5, 10, 20, 40), function(questions) {
        vapply(others, show, "", one = "glean", questions = questions,
               measure = measure)
    }, character(length(others)))
    colnames(table) <- paste(c(5, 10, 20, 40), "questions")
    cat(measure, "\n")
    print(noquote(table))
    cat("\n")
}
curve_of <- function(method, questions) pick(method, questions, "curve")
by_set <- do.call(cbind, c(
    sapply(c("glean", "before", "relieff_sc"), curve_of, questions = 20,
           simplify = FALSE),
    sapply(others[-(1:2)], curve_of, questions = 0, simplify = FALSE)
))
cat("each set, 20 questions, curve\n")
worst_first <- order(by_set[, "glean"] - by_set[, "no_answers"])
print(round(by_set[worst_first, , drop = FALSE], 1))
cat("glean - before, 20 questions, sets that lose more than 2\n")
loss <- by_set[, "glean"] - by_set[, "before"]
print(round(sort(loss[loss < -2]), 1))

counts <- c(5, 10, 20, 40)
write_table(do.call(rbind, lapply(others, function(other) {
    do.call(rbind, lapply(counts, function(count) {
        asked <- if (other %in% c("relieff_sc", "before")) count else 0
        less <- pick("glean", count, "curve") - pick(other, asked, "curve")
        data.frame(other = other, questions = count, sets = length(less),
                   seeds = length(unique(done$seed)), glean_minus = mean(less),
                   error = stats::sd(less) / sqrt(length(less)),
                   lost = toString(names(less)[less < 0]))
    }))
})), "glean", call)
