# The level of every number that is printed beside a ranking, a table of markers,
# a curve or a table of raters: on data with nothing to be found, how often is
# there a p-value up to .05, any discovery at a rate of .05, how often does an
# interval hold the true value?
#
#   Rscript calibration.R [SETS [FILE [WHAT]]]
#
# SETS: data sets of each design (40); FILE: a table like levels.csv, in which the
# rows that were run replace those of the same name; WHAT: only rows with this
# regular expression in their "number, design".
#
# Exit status 1 where a level is missed, in the direction that promises too
# much, by more than three standard errors; of shares of data sets, where as many
# or more come up with probability .00135 at most, of fewer than 400 sets .01.
# Rows without a level are of numbers that are printed with a warning, whose page
# says where they do not hold, or that promise nothing (what was found, chance).

source(system.file("benchmarks", "harness.R", package = "linkrank"))
machine()
options(width = 110, linkrank.progress = FALSE, linkrank.threads = 1L)
given <- commandArgs(trailingOnly = TRUE)
sets <- if (length(given)) as.integer(given[1L]) else 40L
wanted <- if (length(given) > 2L) given[3L] else ""
# of rows that are one bit a set, such as any discovery: with 400 sets a level of
# .12 in place of .05 passes twice in a hundred runs, with 40 in most
one_bit <- if (sets >= 200L) 400L else sets
quiet <- function(work) suppressWarnings(suppressMessages(work))

# Rows of the table. `use`: a function that returns named numbers of one data
# set; `level`: what they should be on average, by name or one for all; `side`:
# 1 where more promises too much, -1 where less does, 0 both.
rows <- NULL
designs_seen <- 0L
measure <- function(what, design, use, level = 0.05, side = 1,
                    count = one_bit) {
    designs_seen <<- designs_seen + 1L
    if (!grepl(wanted, paste0(what, ", ", design))) return(invisible())
    set.seed(designs_seen)
    found <- rbind(replicate(count, use()))
    names <- if (is.null(rownames(found))) "" else rownames(found)
    level <- if (is.null(names(level))) rep(level, nrow(found)) else level[names]
    more <- data.frame(number = what, design = design, value = names,
                       level = unname(level),
                       measured = round(rowMeans(found, na.rm = TRUE), 3),
                       se = round(apply(found, 1L, error_of), 3), sets = count)
    more$missed <- vapply(seq_along(names), function(row) {
        misses(found[row, ], level[[row]], side)
    }, NA)
    rows <<- rbind(rows, more)
    message(what, ", ", design, ": ", paste(names, more$measured, collapse = " "))
    if (length(given) > 1L) keep_rows(rows[names(rows) != "missed"], given[2L])
}
keep_rows <- function(more, file) {
    old <- if (file.exists(file)) read.csv(file)
    name <- function(table) paste(table$number, table$design)
    table <- rbind(old[!name(old) %in% name(more), ], more)
    # each where its number has been until now, new ones at the end
    table <- table[order(match(table$number, unique(c(old$number, more$number)))), ]
    write.csv(table, file, row.names = FALSE)
}
error_of <- function(values) {
    sd(values, na.rm = TRUE) / sqrt(sum(!is.na(values)))
}
misses <- function(values, level, side) {
    values <- values[!is.na(values)]
    if (is.na(level) || !length(values)) return(FALSE)
    if (all(values %in% 0:1) && level > 0 && level < 1) {
        # a share has the distribution of its level, however many came up
        hits <- sum(values)
        tail <- c(less = pbinom(hits, length(values), level),
                  more = pbinom(hits - 1, length(values), level, lower.tail = FALSE))
        limit <- if (length(values) < 400L) 0.01 else pnorm(-3)
        return(min(tail[c(side <= 0, side >= 0)]) < limit)
    }
    off <- (mean(values) - level) / max(error_of(values), 1e-3)
    off * (if (side) side else sign(off)) > 3
}

# the rule itself: true shares of .05, .08, .10 and .12 where .05 is promised
set.seed(1)
for (share in c(0.05, 0.08, 0.1, 0.12)) {
    caught <- replicate(2000, misses(rbinom(one_bit, 1, share), 0.05, 1))
    cat(sprintf("A share of %.2f of %d sets is found in %.3f of runs.\n", share,
                one_bit, mean(caught)))
}

# ---- data --------------------------------------------------------------------

genes <- log2(colon$x)
genes <- unname(genes - rowMeans(genes))
normal <- function(n = 62, p = 400) matrix(rnorm(n * p), n)
some_genes <- function() genes[, sample.int(ncol(genes), 400)]
factors <- function(n = 100, p = 300) {
    normal(n, 3) %*% matrix(rnorm(3 * p), 3) + normal(n, p)
}
classes <- function(n, groups = 2) sample(rep_len(seq_len(groups), n))

between <- function(a, b, count, n) {
    all <- as.matrix(expand.grid(a, b))
    pairwise_constraints(cannot_link = all[sample.int(nrow(all), count), , drop = FALSE],
                         samples = n)
}
designs <- list(
    `20 disjoint pairs` = function(x, y) pairwise_constraints(
        cannot_link = cbind(sample(which(y == 1), 20), sample(which(y == 2), 20)),
        samples = nrow(x)),
    `20 random pairs` = function(x, y) {
        between(which(y == 1), which(y == 2), 20, nrow(x))
    },
    `ten against ten` = function(x, y) {
        between(sample(which(y == 1), 10), sample(which(y == 2), 10), 100,
                nrow(x))
    },
    `3 against 20` = function(x, y) {
        between(sample(which(y == 1), 3), sample(which(y == 2), 20), 60,
                nrow(x))
    },
    `20 labels` = function(x, y) {
        y[-sample.int(length(y), 20)] <- NA
        constraints_from_labels(y)
    },
    `30 must-links, 20 cannot-links` = function(x, y) {
        constraints_from_labels(y, cannot_link = 20, must_link = 30)
    },
    `20 questions about pairs` = function(x, y) {
        active_constraints(x, y, n = 20, ask = "pairs", scale = "range")
    },
    `40 samples sorted` = function(x, y) {
        active_constraints(x, y, n = 40, ask = "sort", scale = "range")
    },
    `40 sorted, 20 % wrong` = function(x, y) {
        wrong <- runif(length(y)) < 0.2
        y[wrong] <- 3 - y[wrong]
        active_constraints(x, y, n = 40, ask = "sort", scale = "range")
    },
    `8 cannot-links by perturbation` = function(x, y) {
        active_constraints(x, y, n = 8, strategy = "perturbation",
                           criterion = "eigenvalue", max_questions = 40,
                           scale = "range")
    }
)

# ---- p-values of pairs -------------------------------------------------------

p_values <- function(data, design, block = NULL) function() {
    x <- data()
    ranking <- quiet(relieff_sc(x, designs[[design]](x, classes(nrow(x))),
                                scale = "none", permutations = 99,
                                block = if (!is.null(block)) block(x)))
    c(p = mean(ranking$p_value <= 0.05, na.rm = TRUE),
      fdr = any(ranking$fdr <= 0.05, na.rm = TRUE),
      family = any(ranking$family_p_value <= 0.05, na.rm = TRUE))
}
pairs <- "relieff_sc(permutations)"
plain <- c("20 disjoint pairs", "20 random pairs", "ten against ten",
           "20 labels", "20 questions about pairs", "40 samples sorted",
           "40 sorted, 20 % wrong")
for (design in plain) {
    # those sorted are exchanged among themselves only: ?p_values has what it costs
    level <- c(p = if (grepl("sorted", design)) 0.055 else 0.05, fdr = 0.05,
               family = 0.05)
    measure(pairs, paste("normal,", design), p_values(normal, design), level)
    measure(pairs, paste("colon,", design), p_values(some_genes, design), level)
}
hostile <- list(
    `t with 2 df, 3 against 20` =
        list(function() matrix(rt(62 * 400, 2), 62), "3 against 20"),
    `rare counts, ten against ten` =
        list(function() matrix(rpois(62 * 400, 0.15), 62), "ten against ten"),
    `three factors, 30 must-links, 20 cannot-links` =
        list(factors, "30 must-links, 20 cannot-links"),
    `three factors, 40 samples sorted` = list(factors, "40 samples sorted"),
    `two batches 2 sd apart, with block` =
        list(function() normal() + 2 * rep(0:1, 31), "20 random pairs",
             function(x) rep(1:2, 31))
)
for (name in names(hostile)) {
    measure(pairs, name, do.call(p_values, hostile[[name]]))
}
measure(paste(pairs, "with a warning"),
        "one factor, 8 cannot-links by perturbation", level = NA, use = p_values(
            function() tcrossprod(rnorm(62), rnorm(300)) + normal(62, 300),
            "8 cannot-links by perturbation"))

# ---- p-values of classes and groups ------------------------------------------

for (sizes in list(c(15, 15), c(3, 20))) {
    measure("stir(permutations)", paste(sizes, collapse = " against "),
            function() {
        found <- quiet(stir(normal(sum(sizes), 200), rep(1:2, sizes),
                            permutations = 99))
        c(p = mean(found$p_value <= 0.05), fdr = any(found$fdr <= 0.05))
    })
}
# NA where the answers leave fewer than two groups to be compared
markers <- function(groups) function() {
    found <- tryCatch(quiet(group_markers(groups$x(), groups$of())),
                      linkrank_error = function(e) NULL)
    if (is.null(found)) return(c(p = NA, fdr = NA))
    first <- found[found$group == found$group[1L], ]
    c(p = mean(first$p_value <= 0.05, na.rm = TRUE),
      fdr = any(first$fdr <= 0.05, na.rm = TRUE))
}
measure("group_markers(), one group", "normal, 10 against 10",
        markers(list(x = function() normal(20), of = function() rep(1:2, 10))))
for (size in 2:3) {
    measure("group_markers(), one group",
            paste("normal,", size, "against", size), markers(list(
                x = function() normal(2 * size),
                of = function() rep(1:2, each = size))))
}
measure("group_markers(), one group", "normal, 5, 10 and 30",
        markers(list(x = function() normal(45),
                     of = function() rep(1:3, c(5, 10, 30)))))
measure("group_markers(), one group", "normal, 40 samples sorted", function() {
    x <- normal()
    links <- quiet(designs[["40 samples sorted"]](x, classes(62)))
    markers(list(x = function() x, of = function() links))()
})

# ---- errors of curves, stability, agreement ----------------------------------

curve <- function(...) function() {
    found <- quiet(evaluate_method(normal(60, 40), classes(60), n = c(5, 20),
                                   c("relieff", "fisher_score"), ...))
    facts <- summary(found, reference = "Fisher score")
    own <- facts[facts$ranking == "ReliefF", ]
    c(se = abs(own$mean - 0.5) <= 1.96 * own$se,
      run_se = abs(own$mean - 0.5) <= 1.96 * own$run_se,
      difference_se = abs(own$difference) <= 1.96 * own$difference_se)
}
coverage <- c(se = 0.95, run_se = NA, difference_se = 0.95)
splits <- list(`20 splits` = list(splits = 20), `50 splits` = list(splits = 50),
               `10 folds` = list(folds = 10))
for (name in names(splits)) {
    measure("evaluate_method(), mean +- 1.96 se", name,
            do.call(curve, splits[[name]]), coverage, -1)
}
measure("evaluate_method(), mean +- 1.96 se", "10 splits of 5 draws", function() {
    found <- quiet(evaluate_method(normal(60, 40), classes(60), "relieff_sc",
                                   n = c(5, 20), splits = 10, draws = 5,
                                   scale = "range"))
    with(summary(found), c(se = abs(mean - 0.5) <= 1.96 * se,
                           run_se = abs(mean - 0.5) <= 1.96 * run_se))
}, coverage, -1)
for (halves in c(FALSE, TRUE)) {
    measure("ranking_stability(), 10 features", if (halves)
        "40 pairs, halves" else "40 pairs, subsets of 80 %", function() {
        links <- constraints_from_labels(classes(60), cannot_link = 20, must_link = 20)
        found <- quiet(ranking_stability(normal(60, 200), links, n = 10,
                                         replicates = 10, halves = halves,
                                         scale = "range"))
        c(`corrected - chance` = found$corrected - found$chance,
          corrected = found$corrected)
    }, c(`corrected - chance` = 0, corrected = if (halves) 0 else NA), 0)
}
for (size in list(c(15, 20), c(15, 40), c(10, 40), c(20, 100))) {
    measure("answer_agreement(), 95 % interval",
            paste(size[1L], "samples,", size[2L], "pairs"), function() {
        class <- rep_len(1:2, size[1L])
        ends <- t(combn(size[1L], 2L))
        ends <- ends[sample.int(nrow(ends), size[2L]), ]
        said <- lapply(c(ann = 1, bob = 2), function(rater) {
            own <- ifelse(runif(size[1L]) < 0.1, 3 - class, class)
            data.frame(first = ends[, 1L], second = ends[, 2L],
                       answer = own[ends[, 1L]] == own[ends[, 2L]])
        })
        interval <- answer_agreement(said)$interval
        c(kappa = interval[1L] <= 0.4096 && 0.4096 <= interval[2L])
    }, 0.9, -1, 5L * sets) # of few samples: at least .90
}

# ---- other tests and intervals of groups -------------------------------------

exchanged <- function(x, groups) {
    found <- quiet(group_markers(x, groups, permutations = 99))
    c(p = mean(found$p_value <= 0.05, na.rm = TRUE),
      fdr = any(found$fdr <= 0.05, na.rm = TRUE),
      family = any(found$family_p_value <= 0.05, na.rm = TRUE))
}
measure("group_markers(permutations)", "t with 2 df, 7 against 14", function() {
    exchanged(matrix(rt(21 * 200, 2), 21), rep(1:2, c(7, 14)))
})
measure("group_markers(permutations)", "colon, 40 sorted, 20 % wrong", function() {
    x <- some_genes()
    exchanged(x, quiet(designs[["40 sorted, 20 % wrong"]](x, classes(62))))
})
# n samples of standard deviation sd, in a part of the features, against others
unequal <- function(n, others, sd, part = 1) {
    x <- normal(n + others, 300)
    own <- seq_len(300 * part)
    x[seq_len(n), own] <- sd * x[seq_len(n), own]
    list(x = x, y = rep(1:2, c(n, others)))
}
unequal_designs <- list(
    "3 against 30" = function() unequal(3, 30, 1),
    "2 against 30" = function() unequal(2, 30, 1),
    "10 against 30" = function() unequal(10, 30, 1),
    "2 of sd 3 against 30" = function() unequal(2, 30, 3),
    "3 of sd 3 against 30" = function() unequal(3, 30, 3),
    "5 of sd 3 against 30" = function() unequal(5, 30, 3),
    "6 of sd 3 against 11" = function() unequal(6, 11, 3),
    "5 against 40, a fifth of the features of sd 4" = function() {
        unequal(5, 40, 4, 0.2)
    },
    "colon, 3 against 30" = function() {
        list(x = some_genes()[sample.int(62, 33), ], y = rep(1:2, c(3, 30)))
    }
)
for (design in names(unequal_designs)) for (variance in c("equal", "group")) {
    # one variance is a promise only where there is one; the tail of squeezed
    # variances is known to be above its level in the last two designs
    open <- if (variance == "equal") grepl("sd|colon", design) else
        grepl("fifth|colon", design)
    measure(paste0("group_markers(variance = \"", variance, "\")"), design,
            function() {
        data <- unequal_designs[[design]]()
        found <- quiet(group_markers(data$x, data$y, variance = variance))
        c(p = mean(found$p_value <= 0.05), fdr = any(found$fdr <= 0.05))
    }, if (open) NA else 0.05)
}
measure("confint() of group_markers()", "normal, 5, 10 and 30", function() {
    bounds <- confint(quiet(group_markers(normal(45), rep(1:3, c(5, 10, 30)))))
    c(difference = mean(bounds$lower <= 0 & bounds$upper >= 0))
}, 0.95, -1)
measure("confint() of group_markers()", "normal, the two best", function() {
    markers <- quiet(group_markers(normal(40, 300), rep(1:2, 20)))
    bounds <- confint(markers, top_features(markers, 2, group = "1"))
    c(difference = mean(bounds$lower <= 0 & bounds$upper >= 0))
}, 0.95, -1)

# ---- replicates and donors ---------------------------------------------------

# Donors, each of three or more samples; `effect`: in standard deviations of
# donors, of the first 30 features
donors <- function(count, sizes, effect = 0) {
    unit <- rep(seq_len(count), rep_len(sizes, count))
    class <- classes(count)
    own <- normal(count, 200)
    own[class == 2, 1:30] <- own[class == 2, 1:30] + effect
    list(x = own[unit, ] + 0.5 * normal(length(unit), 200), y = class[unit],
         unit = unit)
}
by_unit <- list(
    `relieff_sc(permutations, unit)` = function(d) {
        relieff_sc(d$x, constraints_from_labels(d$y), permutations = 99,
                   unit = d$unit, scale = "none")
    },
    `stir(permutations, unit)` = function(d) {
        stir(d$x, d$y, permutations = 99, unit = d$unit)
    },
    `group_markers(unit)` = function(d) {
        found <- group_markers(d$x, d$y, unit = d$unit)
        as.data.frame(found)[found$group == found$group[1L], ]
    }
)
for (what in names(by_unit)) for (count in c(6, 20)) {
    for (sizes in list(3, c(1, 4, 10))) {
        measure(what, paste0(count, " donors of ", paste(sizes, collapse = ", "),
                             " samples"), function() {
            found <- quiet(by_unit[[what]](donors(count, sizes)))
            c(p = mean(found$p_value <= 0.05, na.rm = TRUE),
              fdr = any(found$fdr <= 0.05, na.rm = TRUE))
        })
    }
}
# what whole donors cost: of 30 features that differ, the share at a rate of .05
measure("relieff_sc(permutations), found of 30", "20 donors of 3 samples, 2 sd",
        function() {
    d <- donors(20, 3, 2)
    first <- !duplicated(d$unit)
    means <- prepare_data(d$x, by = d$unit, scale = "none")
    found <- function(ranking) {
        at <- match(1:30, sub("\\D+", "", ranking$feature))
        mean(ranking$fdr[at] <= 0.05, na.rm = TRUE)
    }
    c(unit = found(quiet(by_unit[[1]](d))),
      by = found(quiet(relieff_sc(means, constraints_from_labels(d$y[first]),
                                  permutations = 99))))
}, level = NA, count = sets)
measure("relieff_sc(permutations) without unit", "20 donors of 3 samples",
        function() {
    d <- donors(20, 3)
    found <- quiet(relieff_sc(d$x, constraints_from_labels(d$y), scale = "none",
                              permutations = 99))
    c(p = mean(found$p_value <= 0.05, na.rm = TRUE))
}, level = NA)
measure("evaluate_method(unit), accuracy", "20 donors of 3 samples", function() {
    d <- donors(20, 3)
    found <- quiet(evaluate_method(d$x, d$y, "relieff", n = 10, splits = 8,
                                   unit = d$unit))
    c(accuracy = mean(found$accuracy))
}, 0.5, 0)

# ---- wrong answers about pairs, curves of questions --------------------------

# Raters who each misjudge a fifth of the samples, each with an own session.
for (count in 2:3) {
    measure("group_markers() after raters who sorted",
            paste0("colon, ", count, " raters, 40 sorted, 20 % wrong"), function() {
        x <- some_genes()
        y <- classes(62)
        answers <- replicate(count, {
            quiet(designs[["40 sorted, 20 % wrong"]](x, y))
        }, simplify = FALSE)
        names(answers) <- c("ann", "bob", "cid")[seq_len(count)]
        markers(list(x = function() x,
                     of = function() quiet(reconcile_answers(answers, 62))))()
    })
}
# 10 % of the answers are wrong: known to promise too much
measure("group_markers() after pairs with slips", "colon, 40 questions, 10 % wrong",
        function() {
    x <- some_genes()
    y <- classes(62)
    slips <- function(i, j) (y[i] == y[j]) != (runif(1) < 0.1)
    links <- quiet(active_constraints(x, slips, n = 40, scale = "range"))
    markers(list(x = function() x, of = function() links))()
}, level = NA)
measure("evaluate_questions(), samples not asked", "normal, 20 of 30 sorted",
        function() {
    found <- quiet(evaluate_questions(normal(60, 40), classes(60), "groups", ask = "sort",
                                      questions = 20, splits = 2, n = 5))
    c(ari = mean(found$ari, na.rm = TRUE))
}, 0, 0)

# ---- noise beside features that differ, own variances, many groups -----------

# 60 samples of two classes; `count` of 300 features differ by `by`
beside <- function(count, by, links) function() {
    y <- classes(60)
    x <- normal(60, 300)
    x[y == 2, seq_len(count)] <- x[y == 2, seq_len(count)] + by
    found <- quiet(relieff_sc(x, links(x, y), permutations = 99, scale = "none",
                              must_link = "ignore"))
    noise <- as.integer(sub("\\D+", "", found$feature)) > count
    c(noise = mean(c(noise[found$fdr <= 0.05], if (!any(found$fdr <= 0.05)) 0)),
      family = any(noise & found$family_p_value <= 0.05))
}
apart <- function(count) function(x, y) {
    constraints_from_labels(y, cannot_link = count, must_link = 0)
}
measure("relieff_sc(permutations), noise among what is found",
        "30 of 300 differ by 2 sd, 100 cannot-links", beside(30, 2, apart(100)),
        c(noise = 0.06, family = NA)) # ?p_values
measure("relieff_sc(permutations), noise among what is found",
        "100 of 300 differ by 3 sd, 100 cannot-links", beside(100, 3, apart(100)),
        c(noise = 0.05, family = NA))
own_variances <- list(`3 against 3` = c(3, 3), `3 against 30` = c(3, 30),
                      `2 against 2` = c(2, 2))
for (name in names(own_variances)) {
    measure("group_markers(variance = \"group\")",
            paste0(name, ", features of own variances (prior df 4)"), function() {
        sizes <- own_variances[[name]]
        x <- normal(sum(sizes), 300) * rep(sqrt(4 / rchisq(300, 4)), each = sum(sizes))
        found <- quiet(group_markers(x, rep(1:2, sizes), variance = "group"))
        c(p = mean(found$p_value <= 0.05), fdr = any(found$fdr <= 0.05))
    }, if (name == "2 against 2") NA else 0.05)
}
measure("confint() of group_markers()", "normal, the best row of 20 groups of 5",
        function() {
    markers <- quiet(group_markers(normal(100, 100), rep(1:20, 5)))
    bounds <- confint(markers[which.min(markers$p_value), ])
    c(difference = mean(bounds$lower <= 0 & bounds$upper >= 0))
}, 0.95, -1)
# a message names logs and permutations where values are skewed and sizes differ
skewed <- list(`log-normal, 2 against 40` = c(2, 40),
               `log-normal, 3 against 20` = c(3, 20),
               `log-normal, 10 against 10` = c(10, 10))
for (name in names(skewed)) {
    measure("group_markers(), skewed values", name, function() {
        sizes <- skewed[[name]]
        found <- quiet(group_markers(exp(normal(sum(sizes), 300)),
                                     rep(1:2, sizes)))
        c(p = mean(found$p_value <= 0.05), fdr = any(found$fdr <= 0.05))
    }, if (diff(skewed[[name]]) != 0) NA else 0.05)
}
# raters who sorted 40 samples of two kinds, each with an own share wrong; from
# answers at random to nearly all right
for (wrong in c(0.5, 0.25, 0.02)) {
    measure("answer_agreement(), interval of the adjusted Rand index",
            paste0("40 samples, ", 100 * wrong, " % wrong"), function() {
        class <- classes(40)
        said <- lapply(c(ann = "ann", bob = "bob"), function(rater) {
            own <- ifelse(runif(40) < wrong, 3 - class, class)
            quiet(active_constraints(normal(40, 3), own, n = 40, ask = "sort",
                                     rater = rater, scale = "none"))
        })
        index <- (1 - 2 * wrong)^4
        groups <- quiet(answer_agreement(said))$groups
        c(ari = groups$lower <= index && index <= groups$upper)
    }, 0.95, -1)
}
measure("relieff_sc(permutations), noise among what is found",
        "30 of 300 differ by 2 sd, 40 samples sorted",
        beside(30, 2, designs[["40 samples sorted"]]), c(noise = 0.05, family = NA))

# ---- what was found ----------------------------------------------------------

rownames(rows) <- NULL
print(rows, right = FALSE)
cat(sum(!is.na(rows$level) & !rows$missed), " passed, ", sum(rows$missed),
    " failed, 0 skipped\n", sep = "")
quit(status = as.integer(any(rows$missed)))
