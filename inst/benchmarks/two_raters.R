# Two people answer their own questions, some of them wrong, and
# reconcile_answers() settles them: does every next step run, and how many groups
# has nobody named?
#
#   Rscript two_raters.R FOLDER [SEEDS]
#
# FOLDER holds zeisel_1464.csv.gz. Half of the cells, three types, logs; 25
# questions to each person, of which 0, 5 or 10 % of the answers are wrong; pairs or
# sorting, without and with two random blocks, in which the rate of each gene
# differs by exp(N(0, 0.8)).
#
#   stops      share of runs in which glean(), group_markers() or
#              questionnaire(answers = ) ends with an error
#   undecided  pairs of groups that group_markers() cannot compare
#   phantom    groups of glean() that consist of one answered sample, about which
#              a "same" was left out
#   questions  of one more person, who answers right, until nothing is left open
source(system.file("benchmarks", "harness.R", package = "linkrank"))
call <- read_call("none.csv", seeds = 1:12)
questions <- 25
set <- read_set(call$folder, "zeisel_1464")

draw_cells <- function(seed) {
    set.seed(seed)
    half <- sort(sample(nrow(set$x), nrow(set$x) / 2))
    counts <- set$x[half, ]
    batch <- sample(1:2, length(half), TRUE)
    rate <- exp(stats::rnorm(ncol(counts), 0, 0.8))
    counts[batch == 2, ] <- counts[batch == 2, ] * rep(rate, each = sum(batch == 2))
    total <- rowSums(counts)
    x <- log1p(counts * stats::median(total) / total)
    rownames(x) <- paste0("c", half)
    list(x = x[, apply(x, 2L, function(v) max(v) > min(v))],
         y = as.character(set$y[half]), batch = batch)
}

# A wrong answer is one of the other choices.
person <- function(y, rate) {
    function(i, j) {
        choice <- c(which(y[j] == y[i]), 0)[1L]
        if (stats::runif(1) < rate) {
            others <- setdiff(0:length(j), choice)
            choice <- others[sample.int(length(others), 1L)]
        }
        if (length(j) == 1L) choice == 1 else choice
    }
}

phantoms <- function(ranking, links, x) {
    lost <- answer_conflicts(links)
    lost <- lost[lost$answer == "must-link", ]
    kept <- as.data.frame(links)
    joined <- kept[kept$type == "must-link", c("name_i", "name_j")]
    alone <- setdiff(c(lost$first, lost$second), unlist(joined))
    labels <- glean_labels(ranking)
    # a group that an answer founded has an answered sample, of confidence 1
    sum(names(labels$cluster) %in% alone & labels$confidence == 1)
}

run_once <- function(d, ask, block, rate) {
    batch <- if (block) d$batch
    raters <- lapply(c(ann = 1, bob = 2), function(rater) {
        active_constraints(d$x, person(d$y, rate), questions, ask = ask,
                           block = batch, scale = "none")
    })
    links <- reconcile_answers(raters, rownames(d$x))
    stops <- c(glean = FALSE, markers = FALSE, questionnaire = FALSE)
    step <- function(name, work) {
        tryCatch(work, linkrank_error = function(e) {
            stops[[name]] <<- TRUE
            cat("  ", name, ": ", conditionMessage(e), "\n", sep = "")
            NULL
        })
    }
    ranking <- step("glean", glean(d$x, links, scale = "none", block = batch))
    markers <- step("markers", group_markers(d$x, links, block = batch))
    step("questionnaire", questionnaire(d$x, answers = links, block = batch))
    third <- questionnaire(d$x, raters = raters, ask = ask, block = batch)
    asked <- 0
    right <- person(d$y, 0)
    while (!is.null(shown <- next_pair(third))) {
        third <- answer_pair(third, right(shown[1L], shown[-1L]))
        asked <- asked + 1
    }
    c(stops = any(stops), left_out = nrow(answer_conflicts(links)),
      undecided = sum(attr(markers, "info")$undecided),
      groups = length(attr(markers, "info")$groups),
      phantom = if (is.null(ranking)) NA else phantoms(ranking, links, d$x),
      questions = asked)
}

rows <- list()
for (rate in c(0, 0.05, 0.1)) {
    for (ask in c("pairs", "groups")) {
        for (block in c(FALSE, TRUE)) {
            runs <- vapply(call$seeds, function(seed) {
                d <- draw_cells(seed)
                set.seed(1000 * seed + 100 * rate)
                suppressMessages(suppressWarnings(run_once(d, ask, block, rate)))
            }, numeric(6L))
            rows <- c(rows, list(data.frame(
                wrong = rate, ask = ask, block = block,
                t(round(rowMeans(runs), 2))
            )))
        }
    }
}
print(do.call(rbind, rows), row.names = FALSE)
