# What wrong answers cost, and what settling them, more raters and sorting are
# worth.
#
#   Rscript wrong_answers.R FOLDER [SEEDS] [RESULTS.csv] [MINUTES]
#
# See read_call() in harness.R. Thirteen small sets of the folder (at most 200
# features and 75 training samples); nearest neighbour on the other half, mean
# over 5, 10, 20 and 50 features. 20 and 40 answers, of which 0, 5, 10, 20 or 30 %
# are wrong (as many of each rater as that makes, at random places):
#
#   plain     group questions of active_constraints(), one person
#   settled   the three most suspect of these answers are checked again and
#             then right; what contradicts others is left to reconcile_answers()
#   two, three   more people answer the same questions, reconcile_answers();
#             `three_equal` without the weights that votes get
#   sorted    ask = "sort": as many actions, some with a wrong group
#   in_order  random pairs among half as many samples as answers, as in a
#             spreadsheet; an answer that contradicts earlier ones is left out
#   reconciled   the same pairs, reconcile_answers()
#
# With `structures` "two" each set stands beside another one, see join_sets().
# Standard errors are between sets.
source(system.file("benchmarks", "harness.R", package = "linkrank"))
call <- read_call("wrong_answers.csv", seeds = 1:3)
depths <- c(5, 10, 20, 50)
sets <- sets_of(call, c("dermatology", "heart_statlog", "ionosphere", "sonar",
                        "wdbc", "wine", "segmentation_210", "spectf_80",
                        "lung_325_discrete", "colon", "allaml", "prostate_ge_5966",
                        "lymphoma_4026_discrete"))

# ---- answers, some of them wrong ---------------------------------------------

wrong_places <- function(count, rate) {
    seq_len(count) %in% sample.int(count, round(rate * count))
}

# Also a person who sorts: the wrong answer is then one of the other choices.
erring_person <- function(y, count, rate) {
    wrong <- wrong_places(count, rate)
    asked <- 0
    function(i, j) {
        asked <<- asked + 1
        choice <- c(which(y[j] == y[i]), 0)[1L]
        if (wrong[asked]) {
            others <- setdiff(0:length(j), choice)
            choice <- others[sample.int(length(others), 1L)]
        }
        if (length(j) == 1L) choice == 1 else choice
    }
}

ask <- function(d, count, rate, how) {
    suppressWarnings(active_constraints(
        d$x, erring_person(d$y, count, rate), n = count, ask = how,
        scale = "range"
    ))
}

# The answers of one more person to some pairs.
answers_to <- function(pairs, y, rate) {
    said <- (y[pairs$i] == y[pairs$j]) != wrong_places(length(pairs$i), rate)
    data.frame(i = pairs$i, j = pairs$j, answer = said)
}

reconcile <- function(answers, d) {
    suppressMessages(reconcile_answers(answers, nrow(d$x)))
}

given <- function(links) {
    pairs <- as.data.frame(links)
    data.frame(i = pairs$i, j = pairs$j, answer = pairs$type == "must-link")
}

# The answers that are checked again come first.
settle <- function(links, d, most = 3) {
    again <- utils::head(suspect_answers(links, d$x, scale = "range"), most)
    others <- given(links)
    at <- paste(others$i, others$j) %in% paste(again$i, again$j)
    reconcile(rbind(answers_to(again, d$y, 0), others[!at, ]), d)
}

without_weights <- function(links) {
    links$confidence[] <- NA
    links
}

spreadsheet <- function(d, count, rate) {
    among <- sample.int(nrow(d$x), count / 2)
    pairs <- utils::combn(among, 2)
    pairs <- pairs[, sample.int(ncol(pairs), count)]
    answers_to(list(i = pairs[1L, ], j = pairs[2L, ]), d$y, rate)
}

take_in_order <- function(answers, d) {
    links <- pairwise_constraints(samples = nrow(d$x))
    for (row in seq_len(nrow(answers))) {
        more <- rbind(given(links), answers[row, ])
        links <- tryCatch(pairwise_constraints(cannot_link = more, samples = nrow(d$x)),
                          linkrank_error_constraints = function(e) links)
    }
    links
}

# Constraints by treatment.
all_answers <- function(d, count, rate) {
    plain <- ask(d, count, rate, "pairs")
    sorted <- ask(d, count, rate, "sort")
    sheet <- spreadsheet(d, count, rate)
    found <- list(plain = plain, sorted = sorted,
                  in_order = take_in_order(sheet, d))
    if (rate == 0) {
        return(found)
    }
    raters <- c(list(given(plain)), lapply(1:2, function(rater) {
        answers_to(given(plain), d$y, rate)
    }))
    three <- reconcile(raters, d)
    c(found, list(settled = settle(plain, d),
                  two = reconcile(raters[1:2], d), three = three,
                  three_equal = without_weights(three),
                  reconciled = reconcile(sheet, d)))
}

# ---- rankings ----------------------------------------------------------------

rankers <- list(
    glean = function(x, links) glean(x, links, scale = "range"),
    relieff_sc = function(x, links) relieff_sc(x, links, scale = "range"),
    CS1 = function(x, links) constraint_score(x, links, type = "CS1"),
    CS2 = function(x, links) constraint_score(x, links, type = "CS2")
)

# Features keep their order where the answers lack the kind that a score needs.
in_given_order <- function(x) {
    as_feature_ranking(stats::setNames(rev(seq_len(ncol(x))), colnames(x)))
}

accuracies <- function(d, links) {
    n <- unique(pmin(depths, ncol(d$x)))
    vapply(rankers, function(rank) {
        ranking <- tryCatch(suppressWarnings(rank(d$x, links)),
                            linkrank_error_constraints = function(e)
                                in_given_order(d$x))
        100 * mean(evaluate_ranking(ranking, d$x, d$y, d$test, d$y_test,
                                    n = n)$accuracy)
    }, 0)
}

halves <- function(set, seed) {
    set.seed(seed)
    half <- linkrank:::split_half(set$y)
    train <- thin(half$train, set$y, 75)
    x <- set$x[train, , drop = FALSE]
    varies <- apply(x, 2L, function(v) max(v) > min(v))
    test <- thin(half$test, set$y, 150)
    list(x = x[, varies, drop = FALSE], y = as.character(set$y[train]),
         test = set$x[test, varies, drop = FALSE],
         y_test = as.character(set$y[test]))
}

run_case <- function(d, seed, structures, count, rate) {
    set.seed(1000 * seed + count + round(100 * rate))
    links <- all_answers(d, count, rate)
    rows <- lapply(names(links), function(treatment) {
        accuracy <- accuracies(d, links[[treatment]])
        data.frame(structures = structures, answers = count, wrong = rate,
                   treatment = treatment, method = names(accuracy),
                   accuracy = accuracy,
                   placed = summary(links[[treatment]])$touched)
    })
    do.call(rbind, rows)
}

run_set <- function(name, seed) {
    set <- read_set(call$folder, name)
    other <- read_set(call$folder, sets[match(name, sets) %% length(sets) + 1L])
    set.seed(seed)
    few <- lapply(list(set, other), function(one) {
        list(x = one$x[, some(ncol(one$x), 200), drop = FALSE], y = one$y)
    })
    problems <- join_sets(few[[1L]], few[[2L]], seed)
    d <- halves(problems$one, seed)
    rows <- list(run_case(halves(problems$two, seed), seed, "two", 20, 0))
    for (count in c(20, 40)) {
        for (rate in c(0, 0.05, 0.1, 0.2, 0.3)) {
            rows <- c(rows, list(run_case(d, seed, "one", count, rate)))
        }
    }
    do.call(rbind, rows)
}

done <- run_sets(sets, call, run_set)

# ---- the tables --------------------------------------------------------------

means <- aggregate(cbind(accuracy, placed) ~ set + structures + answers + wrong +
                       treatment + method, done, mean)
pick <- function(treatment, wrong, answers, method, column = "accuracy",
                 structures = "one") {
    rows <- means[means$treatment == treatment & means$wrong == wrong &
                      means$answers == answers & means$method == method &
                      means$structures == structures, ]
    stats::setNames(rows[[column]], rows$set)[unique(means$set)]
}
show <- function(values) {
    sprintf("%+.1f (%.1f)", mean(values),
            stats::sd(values) / sqrt(length(values)))
}
cat(length(unique(done$set)), "sets, seeds",
    paste(sort(unique(done$seed)), collapse = " "), "\n")
rates <- sort(unique(means$wrong))
names(rates) <- paste(100 * rates, "%")
methods <- names(rankers)
for (answers in c(20, 40)) {
    cat("\n", answers, " answers, accuracy in percent: plain\n", sep = "")
    print(noquote(t(sapply(methods, function(method) {
        right <- pick("plain", 0, answers, method)
        c(`0 %` = sprintf("%.1f", mean(right)), sapply(rates[-1L], function(rate) {
            show(pick("plain", rate, answers, method) - right)
        }))
    }))))
    for (pair in list(c("settled", "plain"), c("two", "plain"),
                      c("three", "plain"), c("three", "three_equal"),
                      c("sorted", "plain"), c("reconciled", "in_order"))) {
        cat("\n", answers, " answers: ", pair[1L], " - ", pair[2L], "\n",
            sep = "")
        print(noquote(t(sapply(methods, function(method) {
            sapply(rates[-1L], function(rate) {
                show(pick(pair[1L], rate, answers, method) -
                         pick(pair[2L], rate, answers, method))
            })
        }))))
    }
}
cat("\nsorted - plain, no wrong answer; samples placed\n")
for (case in list(c("one", 20), c("one", 40), c("two", 20))) {
    cat(case[1L], "structure(s),", case[2L], "actions:",
        sapply(methods, function(method) {
            of <- function(treatment) {
                pick(treatment, 0, case[2L], method, structures = case[1L])
            }
            paste0(method, " ", sprintf("%.1f", mean(of("plain"))), " ",
                   sprintf("%.1f", mean(of("sorted"))), " ",
                   show(of("sorted") - of("plain")), ";")
        }), "placed", sapply(c("plain", "sorted"), function(treatment) {
            sprintf("%.1f", mean(pick(treatment, 0, case[2L], "glean", "placed",
                                      case[1L])))
        }), "\n")
}
cat("\nglean(), 20 answers, each set: 20 % wrong - none; three - plain; sorted -",
    "plain (no wrong answer)\n")
by_set <- cbind(
    wrong = pick("plain", 0.2, 20, "glean") - pick("plain", 0, 20, "glean"),
    three = pick("three", 0.2, 20, "glean") - pick("plain", 0.2, 20, "glean"),
    sorted = pick("sorted", 0, 20, "glean") - pick("plain", 0, 20, "glean")
)
print(round(by_set[order(by_set[, "wrong"]), ], 1))
