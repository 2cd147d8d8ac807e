# Several people sort 40 of 80 samples each, with mistakes, and reconcile_answers()
# makes one set of their answers: how many samples are in the right group?
#
#   Rscript two_raters.R [SETS]
#
# 60 features: classes differ in 15 of them, and two factors lie across all. A rater
# misjudges a share of the samples as another class, or as a class of its own; of
# `hard` samples half of the raters say another class. Each has an own session.
#
#   right     share of the samples asked about in the group that matches their class,
#             with its standard error
#   wrong     share of the samples placed that are in another one
#   placed    share of the samples asked about that are in a group of two or more
#   groups    how many
#   best      `right` of the best rater alone, of the samples this one was asked about
#   stops     share of the sets in which a next step ends with an error
#   unnamed   groups of one sample that somebody put with another one
#   judge     questions of one more person, who answers right, about what is in
#             dispute, and `right` with these answers
#
# Then the level and the power of group_markers() on the result: p is the mean share
# of p-values up to 0.05 where nothing is to be found, any the share of sets with a
# discovery at a false discovery rate of 0.05; found is the share of 15 of 150
# features, in which two classes are 1.5 standard deviations apart, that are found by
# one, two and three raters who misjudge 10 %.
suppressPackageStartupMessages(library(linkrank))
options(linkrank.progress = FALSE)
sets <- c(as.integer(commandArgs(trailingOnly = TRUE)), 20L)[1L]
quiet <- function(work) suppressWarnings(suppressMessages(work))
normal <- function(n, p) matrix(stats::rnorm(n * p), n)

misjudged <- function(class, rate) {
    for (i in which(stats::runif(length(class)) < rate)) {
        other <- c(setdiff(seq_len(max(class)), class[i]), max(class) + i)
        class[i] <- other[sample.int(length(other), 1L)]
    }
    class
}

sessions <- function(x, truths, count = 40) {
    names(truths) <- letters[seq_along(truths)]
    lapply(truths, function(truth) {
        quiet(active_constraints(x, truth, n = count, scale = "none"))
    })
}

# The group of each sample, NA for none of two or more.
groups_of <- function(links) {
    group <- constraint_groups(links)
    replace(rep(NA, links$samples), seq_along(group), unname(group))
}

asked_of <- function(session) unique(c(session$questions$i, session$questions$j))

# Groups are matched with classes, those with most samples in common first.
score <- function(group, class, asked) {
    common <- unclass(table(group[asked], class[asked]))
    right <- 0
    while (length(common) && max(common) > 0) {
        at <- which(common == max(common), arr.ind = TRUE)[1L, ]
        right <- right + max(common)
        common <- common[-at[1L], -at[2L], drop = FALSE]
    }
    placed <- sum(!is.na(group[asked]))
    c(right = right / length(asked), wrong = 1 - right / max(placed, 1),
      placed = placed / length(asked),
      groups = length(unique(stats::na.omit(group))))
}

judge <- function(x, raters, class) {
    q <- quiet(questionnaire(x, answers = raters, rater = "judge",
                             scale = "none"))
    asked <- 0
    while (!is.null(shown <- next_pair(q))) {
        q <- answer_pair(q, c(which(class[shown[-1L]] == class[shown[1L]]), 0)[1L])
        asked <- asked + 1
    }
    list(asked = asked, links = pairwise_constraints(q))
}

fails <- function(work) {
    tryCatch({
        quiet(work)
        FALSE
    }, linkrank_error = function(condition) {
        cat("  ", conditionMessage(condition), "\n", sep = "")
        TRUE
    })
}

run_once <- function(classes, rates, hard = 0) {
    class <- sample(rep_len(seq_len(classes), 80))
    means <- matrix(0, classes, 60)
    means[, 1:15] <- stats::rnorm(15 * classes)
    x <- means[class, ] + normal(80, 60) + normal(80, 2) %*% normal(2, 60)
    truths <- lapply(rates, function(rate) misjudged(class, rate))
    difficult <- stats::runif(80) < hard
    truths <- lapply(truths, function(truth) {
        for (i in which(difficult & stats::runif(80) < 1 / 2)) {
            others <- setdiff(seq_len(classes), class[i])
            truth[i] <- others[sample.int(length(others), 1L)]
        }
        truth
    })
    raters <- sessions(x, truths)
    links <- quiet(reconcile_answers(raters, samples = 80))
    asked <- unique(unlist(lapply(raters, asked_of)))
    best <- which.min(rates)
    stops <- fails(glean(x, links, scale = "none")) |
        fails(group_markers(x, links)) |
        fails(questionnaire(x, answers = links, scale = "none")) |
        fails(questionnaire(x, raters = raters, scale = "none"))
    pairs <- as.data.frame(links)
    alone <- setdiff(unlist(pairs[c("i", "j")]),
                     c(which(!is.na(groups_of(links))), links$disputes))
    joined <- unlist(lapply(raters, function(one) {
        as.data.frame(one)[one$must_link, c("i", "j")]
    }))
    settled <- judge(x, raters, class)
    c(score(groups_of(links), class, asked),
      best = score(groups_of(raters[[best]]), class,
                   asked_of(raters[[best]]))[["right"]],
      stops = stops, unnamed = sum(alone %in% joined), judge = settled$asked,
      judged = score(groups_of(settled$links), class, asked)[["right"]])
}

designs <- list(
    list("2 classes, .1 .1 .1", 2, c(.1, .1, .1)),
    list("2 classes, .05 .3 .3", 2, c(.05, .3, .3)),
    list("3 classes, .1 .1 .1", 3, c(.1, .1, .1)),
    list("3 classes, .05 .3 .3", 3, c(.05, .3, .3)),
    list("3 classes, .02 .4 .4", 3, c(.02, .4, .4)),
    list("5 classes, .1 .1 .2 .4 .4", 5, c(.1, .1, .2, .4, .4)),
    list("2 classes, .1 .1", 2, c(.1, .1)),
    list("3 classes, .1 .1", 3, c(.1, .1)),
    list("3 classes, .05, 15 % hard", 3, c(.05, .05, .05), .15)
)
rows <- lapply(designs, function(design) {
    set.seed(21)
    runs <- replicate(sets, do.call(run_once, design[-1L]))
    data.frame(design = design[[1L]], t(round(rowMeans(runs), 3)),
               se = round(stats::sd(runs["right", ]) / sqrt(sets), 3))
})
print(do.call(rbind, rows), row.names = FALSE)

# ---- markers -----------------------------------------------------------------

markers_of <- function(x, class, raters, rate, count = 40) {
    said <- sessions(x, lapply(seq_len(raters), function(rater) {
        misjudged(class, rate)
    }), count)
    links <- if (raters > 1L) quiet(reconcile_answers(said, samples = nrow(x))) else
        said[[1L]]
    tryCatch(quiet(group_markers(x, links)), linkrank_error = function(e) NULL)
}

set.seed(22)
level <- replicate(3 * sets, {
    x <- scale(log2(colon$x[, sample(ncol(colon$x), 200)]))
    found <- markers_of(x, sample(rep_len(1:2, nrow(x))), 3, .2)
    if (is.null(found)) c(NA, NA) else
        c(mean(found$p_value <= .05), any(found$fdr <= .05))
})
cat(sprintf("colon, no classes, 3 raters .2: p %.3f (%.3f), any %.3f (%.3f)\n",
            mean(level[1, ], na.rm = TRUE),
            sd(level[1, ], na.rm = TRUE) / sqrt(3 * sets),
            mean(level[2, ], na.rm = TRUE),
            sd(level[2, ], na.rm = TRUE) / sqrt(3 * sets)))
for (raters in 1:3) {
    found <- replicate(sets, {
        class <- sample(rep_len(1:2, 80))
        x <- normal(80, 150)
        for (f in 1:15) x[, f] <- x[, f] + 1.5 * (class == sample.int(2, 1))
        colnames(x) <- seq_len(150)
        markers <- markers_of(scale(x), class, raters, .1)
        if (is.null(markers)) 0 else
            mean(1:15 %in% markers$feature[markers$fdr <= .05])
    })
    cat(sprintf("15 of 150 features, %d raters .1: found %.2f (%.2f)\n", raters,
                mean(found), sd(found) / sqrt(sets)))
}
