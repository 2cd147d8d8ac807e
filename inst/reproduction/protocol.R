# Common parts of the protocols of all papers: scaling, splits, curves, jobs.

# ---- data -------------------------------------------------------------------

fill_mean <- function(x) {
    for (j in which(colSums(is.na(x)) > 0)) {
        x[is.na(x[, j]), j] <- mean(x[, j], na.rm = TRUE)
    }
    x
}

# Every feature to [0, 1] over all rows, as the papers do.
unit_range <- function(x) {
    x <- fill_mean(x)
    low <- apply(x, 2L, min)
    width <- apply(x, 2L, max) - low
    width[width == 0] <- 1
    sweep(sweep(x, 2L, low), 2L, width, "/")
}

first_of_each <- function(y, counts) {
    rows <- split(seq_along(y), y)
    train <- sort(unlist(Map(utils::head, rows, counts[names(rows)])))
    list(train = train, test = setdiff(seq_along(y), train))
}

# The first half of every class, rounded up.
first_half <- function(y) first_of_each(y, ceiling(table(y) / 2))

random_share <- function(n, share) {
    train <- sort(sample(n, round(share * n)))
    list(train = train, test = setdiff(seq_len(n), train))
}

# ---- rankings ---------------------------------------------------------------

# By score alone, equal scores in column order.
by_weight <- function(ranking, direction = "higher") {
    as_feature_ranking(round(feature_scores(ranking), 12), direction)
}

quiet <- function(call) suppressWarnings(call)

published_relieff_sc <- function(x, links, k) {
    by_weight(quiet(relieff_sc(x, links, k = k, direction = "first",
                               must_link = "ignore", scale = "none",
                               own_term = "keep")))
}

published_simba_sc <- function(x, links) {
    by_weight(simba_sc(x, links, starts = 5, direction = "first",
                       must_link = "ignore", scale = "none"))
}

self_tuning <- function(x, k = 7) {
    similarity_graph(x, adjacency = "full", weight = "self_tuning", k = k, scale = "none")
}

# ---- evaluation -------------------------------------------------------------

# Percent right by number of features: a row per ranking. The values are judged
# as they are.
curves <- function(rankings, x, y, split, n = NULL, classifier = NULL,
                   k = 1) {
    y <- as.character(y)
    found <- quiet(evaluate_ranking(
        rankings, x[split$train, , drop = FALSE], factor(y[split$train]),
        x[split$test, , drop = FALSE], factor(y[split$test]),
        classifier = classifier, n = n, scale = "none", k = k
    ))
    found <- as.data.frame(found)
    100 * tapply(found$accuracy, list(found$ranking, found$features), mean)[
        names(rankings), , drop = FALSE]
}

# The same for every number of features, of equally near samples the first. The
# values are decimals, so distances that should be equal differ by rounding: of
# them 8 digits count (round() takes ten times as long).
curves_of_first <- function(rankings, x, y, split, most = ncol(x)) {
    y <- as.character(y)
    one <- function(ranking) {
        apart <- matrix(0, length(split$test), length(split$train))
        vapply(top_features(ranking, most), function(name) {
            apart <<- apart + outer(x[split$test, name],
                                    x[split$train, name], "-")^2
            nearest <- max.col(-floor(apart * 1e8 + 0.5), "first")
            100 * mean(y[split$train][nearest] == y[split$test])
        }, 0)
    }
    found <- t(vapply(rankings, one, numeric(most)))
    `colnames<-`(found, seq_len(most))
}

linear_svm <- function(train, y, test) {
    model <- e1071::svm(train, droplevels(y), kernel = "linear",
                        scale = FALSE, cost = 1)
    as.character(stats::predict(model, test))
}

decision_tree <- function(train, y, test) {
    table <- data.frame(train, .class = droplevels(y))
    control <- rpart::rpart.control(minsplit = 4, minbucket = 2, cp = 0.005,
                                    xval = 0)
    model <- rpart::rpart(.class ~ ., table, control = control,
                          parms = list(split = "information"))
    as.character(stats::predict(model, data.frame(test), type = "class"))
}

naive_bayes <- function(train, y, test) {
    model <- e1071::naiveBayes(train, droplevels(y))
    as.character(stats::predict(model, test))
}

cpu <- function(call) {
    before <- proc.time()
    force(call)
    spent <- proc.time() - before
    sum(spent[c("user.self", "sys.self")])
}

# The constraint score as the papers rank by it: equal ones keep the order of
# the columns, where constraint_score() asks what cannot-links differ by.
constraint_order <- function(x, links, type, ...) {
    found <- constraint_score(x, links, type = type, scale = "none", ...)
    as_feature_ranking(feature_scores(found), direction = "lower")
}

# ---- jobs -------------------------------------------------------------------

# A job answers rows of published.csv from one data set. `one(run)` returns the
# numbers of one run, `tell(runs)` from the list of all runs a list named by
# row, each list(values = one per run, d = , curve = , note = ).
#   data      what it needs, as data.R calls it
#   runs      how many, c(quick, full); 0: not in this mode
#   seconds   about how long a run takes
new_job <- function(paper, name, data, runs, seconds, one, tell) {
    list(paper = paper, name = name, data = data,
         runs = stats::setNames(runs, c("quick", "full")), seconds = seconds,
         one = one, tell = tell)
}

row_id <- function(...) {
    text <- tolower(paste(..., sep = "_"))
    gsub("^_|_$", "", gsub("[^a-z0-9]+", "_", text))
}

# The best number of features by the mean curve, and the runs there.
best_of_curves <- function(runs, row = 1L) {
    all <- do.call(rbind, lapply(runs, function(run) run[row, ]))
    mean <- colMeans(all)
    at <- which(mean > max(mean) - 1e-9)[1L]
    list(values = all[, at], d = as.numeric(colnames(all))[at],
         curve = list(d = as.numeric(colnames(all)), mean = mean,
                      se = apply(all, 2L, stats::sd) / sqrt(nrow(all))))
}
