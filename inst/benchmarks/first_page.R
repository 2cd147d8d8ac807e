# The figure of the README: twenty samples sorted into groups and no label, beside
# methods that get the labels of the same samples, the labels of all, or none.
#
#   Rscript first_page.R FOLDER [SEEDS] [RESULTS.csv] [MINUTES]
#
# See read_call() in harness.R. All classification sets of the folder alone, and
# those of distinct_sets() joined in pairs, where the classes of the first are
# sorted. At most 150 samples of one half and 500 features to rank with (joined: 120
# and 600). One judge for all: the nearest neighbour, from the labels of that half
# to the other half, the mean over the best 5, 10 and 20 features. Standard errors
# are between sets. The table first_page.csv, beside RESULTS.csv, ships; the picture
# becomes man/figures/README-sorted.png. Needs glmnet and ranger.
source(system.file("benchmarks", "harness.R", package = "linkrank"))
call <- read_call("first_page_runs.csv")
for (package in c("glmnet", "ranger")) {
    if (!requireNamespace(package, quietly = TRUE)) {
        not_run("the package ", package, " is not installed")
    }
}
sets <- sets_of(call)

# ---- the rankings ------------------------------------------------------------

# Standardised coefficients, summed over the path. Each sample twice is the same
# fit: glmnet refuses classes of one sample.
elastic_net <- function(x, y) {
    fit <- suppressWarnings(glmnet::glmnet(
        rbind(x, x), rep(y, 2), alpha = 0.5, nlambda = 50,
        family = if (nlevels(y) > 2) "multinomial" else "binomial"
    ))
    classes <- if (is.list(fit$beta)) fit$beta else list(fit$beta)
    size <- vapply(classes, function(beta) rowSums(abs(as.matrix(beta))),
                   numeric(ncol(x)))
    rowSums(size) * apply(x, 2L, stats::sd)
}

forest <- function(x, y) {
    ranger::ranger(x = x, y = y, importance = "impurity",
                   num.threads = 1)$variable.importance
}

# One class among the samples, nothing to learn: features keep their order.
learned <- function(fit, x, y) {
    y <- droplevels(y)
    value <- if (nlevels(y) > 1L) fit(x, y) else
        stats::setNames(rep(0, ncol(x)), colnames(x))
    as_feature_ranking(sort(value, decreasing = TRUE))
}

rank_all <- function(d) {
    links <- suppressWarnings(active_constraints(d$x, d$y, n = 20,
                                                 ask = "sort"))
    same <- sort(unique(c(links$questions$i, links$questions$j)))
    fisher <- fisher_score(d$x, d$y)
    margins <- relieff(d$x, d$y)
    list(`variance, no label` = variance_score(d$x),
         `glean(), no label` = glean(d$x, pairwise_constraints(
             samples = nrow(d$x))),
         `glean(), 20 samples sorted` = glean(d$x, links),
         `elastic net, labels of these 20` = learned(
             elastic_net, d$x[same, ], d$y[same]),
         `random forest, labels of these 20` = learned(
             forest, d$x[same, ], d$y[same]),
         `F statistic, all labels` = fisher,
         `F, all labels, not redundant` = diversify_ranking(fisher, d$x),
         `ReliefF, all labels` = margins,
         `ReliefF, all labels, not redundant` = diversify_ranking(margins, d$x),
         `random forest, all labels` = learned(forest, d$x, d$y))
}

run_problem <- function(problem, structures, seed) {
    d <- split_set(problem, seed)
    varies <- apply(d$x, 2L, function(v) max(v) > min(v))
    d$x <- d$x[, varies, drop = FALSE]
    d$test <- d$test[, varies, drop = FALSE]
    n <- unique(pmin(c(5, 10, 20), ncol(d$x)))
    rankings <- rank_all(d)
    data.frame(structures = structures, method = names(rankings),
               accuracy = vapply(rankings, function(ranking) {
                   100 * mean(evaluate_ranking(ranking, d$x, d$y, d$test,
                                               d$y_test, n = n)$accuracy)
               }, 0))
}

done <- run_sets(sets, call, function(name, seed) {
    own <- plain_set(call, name)
    set.seed(seed)
    own$x <- own$x[, some(ncol(own$x), 500), drop = FALSE]
    colnames(own$x) <- paste0("a", seq_len(ncol(own$x)))
    distinct <- distinct_sets(sets)
    rbind(run_problem(own, "one", seed), if (name %in% distinct) {
        run_problem(joined_problems(call, distinct, name, seed)$two, "two",
                    seed)
    })
})

# ---- the table and the figure ------------------------------------------------

best <- "glean(), 20 samples sorted"

# Of each method: the mean, glean() minus it, and the error of this difference.
summarise <- function(own, title) {
    complete <- Reduce(intersect, split(own$seed, own$set))
    own <- own[own$seed %in% complete, ]
    means <- tapply(own$accuracy, own[c("set", "method")], mean)
    means <- means[, unique(own$method)]
    less <- means[, best] - means
    table <- data.frame(accuracy = colMeans(means), glean_minus = colMeans(less),
                        error = apply(less, 2L, stats::sd) / sqrt(nrow(means)))
    cat("\n", sprintf(title, nrow(means)), ", ", length(complete), " seeds\n",
        sep = "")
    print(round(table, 1))
    for (other in grep("these 20", colnames(less), value = TRUE)) {
        lost <- sort(less[less[, other] < -1, other])
        cat("loses more than 1 to ", other, ": ", toString(sprintf(
            "%s (%.1f)", names(lost), lost)), "\n", sep = "")
    }
    lost <- vapply(colnames(less), function(other) {
        own <- sort(less[less[, other] < -1, other])
        toString(sprintf("%s (%.1f)", names(own), own))
    }, "")
    c(table, list(names = rownames(table), title = sprintf(title, nrow(means)),
                  sets = nrow(means), seeds = length(complete), lost = lost))
}

# The line of a method is one standard error of its difference to glean().
draw <- function(table, names = TRUE) {
    at <- rev(seq_along(table$names))
    low <- table$accuracy - table$error
    high <- table$accuracy + table$error
    colour <- ifelse(table$names == best, "#d55e00", "black")
    plot(table$accuracy, at, xlim = c(50, 85), xaxs = "i", yaxt = "n",
         pch = 19, col = colour, ylab = "", bty = "n", main = table$title,
         xlab = "other samples classified correctly, percent",
         panel.first = graphics::abline(
             v = table$accuracy[table$names == best], col = "grey85"))
    graphics::segments(low, at, high, at)
    graphics::text(high, at, sprintf("%.1f", table$accuracy), pos = 4,
                   col = colour)
    if (names) graphics::mtext(table$names, 2L, 0.5, at = at, las = 1,
                               col = colour, cex = 0.85)
}

alone <- summarise(done[done$structures == "one", ], "%d data sets, one structure")
distinct <- summarise(done[done$structures == "one" &
                               done$set %in% distinct_sets(sets), ],
                      "%d data sets that share no samples")
joined <- summarise(done[done$structures == "two", ],
                    "%d with a second structure")
cases <- list(one = alone, distinct = distinct, two = joined)
write_table(do.call(rbind, lapply(names(cases), function(case) {
    with(cases[[case]], data.frame(
        structures = case, sets, seeds, method = names, accuracy = accuracy,
        glean_minus = glean_minus, error = error,
        lost = if (case == "distinct") "" else lost, row.names = NULL))
})), "first_page", call)
grDevices::png(file.path(dirname(call$results), "first_page.png"), 1520, 620, res = 150,
               type = if (capabilities("cairo")) "cairo" else "Xlib")
graphics::layout(t(1:2), widths = c(1.65, 1))
graphics::par(mar = c(4, 17, 2, 1), mgp = c(2.5, 0.8, 0), cex = 0.8)
draw(alone)
graphics::par(mar = c(4, 1, 2, 1))
draw(joined, names = FALSE)
invisible(grDevices::dev.off())
