# In which order to ask about samples: that of active_constraints() beside
# others.
#
#   Rscript order.R [FOLDER] [RESULTS.csv] [MINUTES] [SEEDS]
#
# For everybody with the sets of R packages that are installed (package_tables
# in harness.R); with a FOLDER of data sets (see read_call()) also with these.
# One half of a set, at most 1,500 samples, is asked about by sorting; its class
# labels answer. Sets of more than 150 samples there are also thinned to 150. At
# most 200 features, and as many of another set beside them, in random order, as
# a second structure. Per order, and 20, 50 and 100 answers where there are one
# and a half times as many samples, percent:
#
#   kinds       of the classes, how many the asked samples have
#   labels      of the other samples that glean_labels() gives their class
#   nearest     that are of the class of the nearest asked sample
#   glean, relieff_sc    of the other half that the nearest neighbour classifies
#               correctly, in the best 5, 10 and 20 features
#
# The table, means with standard errors between sets of the differences to the
# first order, is written to order.csv beside RESULTS.csv; the article "The numbers"
# prints the one that ships.
source(system.file("benchmarks", "harness.R", package = "linkrank"))
given <- c(commandArgs(trailingOnly = TRUE), rep(NA, 4L))
given[is.na(given)] <- c("none", "order_runs.csv", "Inf", "1")[is.na(given)]
call <- list(folder = given[1L], results = given[2L],
             minutes = as.numeric(given[3L]),
             seeds = eval(parse(text = given[4L])))

set_of <- function(name) {
    if (is.null(held[[name]])) {
        held[[name]] <- if (name %in% names(package_tables))
            package_set(name) else plain_set(call, name)
    }
    held[[name]]
}
there <- vapply(package_tables, function(of) {
    requireNamespace(of[1L], quietly = TRUE)
}, NA)
sets <- names(package_tables)[there]
if (dir.exists(call$folder)) sets <- c(sets, distinct_sets(sets_of(call)))

# ---- the orders ----------------------------------------------------------------

# Each gets the components of the samples, their distances, how many samples are
# wanted, and a function that answers with the class of a sample.
orders <- list(
    # BUILD of PAM, as the package has it
    linkrank = function(z, d, m, class) NULL,
    random = function(z, d, m, class) sample.int(nrow(z)),
    # Hacohen, Dekel and Weinshall (2022): of as many clusters as samples are
    # wanted the most typical sample each, the largest cluster first
    typiclust = function(z, d, m, class) {
        k <- min(m, nrow(unique(z)) - 1L)
        near <- apply(d, 1L, function(own) mean(sort(own)[2:min(21, nrow(d))]))
        found <- stats::kmeans(z, k, iter.max = 50L, nstart = 2L)$cluster
        own <- split(order(near), found[order(near)])
        vapply(own[order(-lengths(own))], `[`, 0L, 1L)
    },
    # clusters of a graph in turn, as a leader who visits each of them
    louvain = function(z, d, m, class) {
        near <- t(apply(d, 1L, function(own) order(own)[2:min(11, nrow(d))]))
        graph <- igraph::graph_from_edgelist(
            cbind(rep(seq_len(nrow(z)), ncol(near)), c(near)), directed = FALSE)
        found <- igraph::membership(igraph::cluster_louvain(
            igraph::simplify(graph)))
        shuffled <- sample.int(nrow(z))
        turn <- stats::ave(shuffled, found[shuffled], FUN = seq_along)
        shuffled[order(turn)]
    },
    farthest = function(z, d, m, class) {
        taken <- which.min(colSums(d))
        while (length(taken) < m) {
            nearest <- apply(d[, taken, drop = FALSE], 1L, min)
            taken <- c(taken, which.max(nearest))
        }
        unique(taken)
    },
    # Bae, Noh and Sutherland (2024): most similarity to the nearest one taken
    maxherding = function(z, d, m, class) {
        near <- exp(-(d / stats::median(d))^2 * 4)
        taken <- integer()
        covered <- numeric(nrow(d))
        while (length(taken) < m) {
            gain <- colSums(pmax(near - covered, 0))
            gain[taken] <- -1
            taken <- c(taken, which.max(gain))
            covered <- pmax(covered, near[, taken[length(taken)]])
        }
        taken
    },
    # from five samples at random, five at a time: those whose two most frequent
    # classes among 30 trees of bootstrap samples are most alike
    forest = function(z, d, m, class) {
        table <- data.frame(z)
        taken <- sample.int(nrow(z), min(5L, m))
        while (length(taken) < m) {
            votes <- vapply(1:30, function(tree) {
                own <- sample(taken, replace = TRUE)
                y <- class(own)
                if (nlevels(y) == 1L) return(rep(levels(y), nrow(z)))
                use <- sample.int(ncol(z), max(2, round(sqrt(ncol(z)))), TRUE)
                fit <- rpart::rpart(y ~ ., cbind(
                    table[own, unique(use), drop = FALSE], y),
                    method = "class", control = rpart::rpart.control(
                        minsplit = 2, cp = 0, xval = 0))
                as.character(stats::predict(fit, table, type = "class"))
            }, character(nrow(z)))
            margin <- apply(votes, 1L, function(own) {
                count <- sort(c(tabulate(factor(own)), 0), decreasing = TRUE)
                count[1L] - count[2L]
            })
            margin[taken] <- Inf
            taken <- c(taken, utils::head(order(margin, stats::runif(nrow(z))),
                                          5L))
        }
        utils::head(taken, m)
    }
)
if (!requireNamespace("igraph", quietly = TRUE)) orders$louvain <- NULL

# ---- the judge -----------------------------------------------------------------

judge <- function(d, order, count) {
    # of an order that has fewer samples the rest at random
    if (!is.null(order)) order <- c(order, setdiff(d$shuffled, order))
    links <- suppressMessages(active_constraints(d$data, d$y, n = count,
                                                 order = order))
    asked <- unique(c(links$questions$j[1L], links$questions$i))
    rest <- setdiff(seq_along(d$y), asked)
    right <- function(label) 100 * mean(label == d$y[rest])
    ranking <- suppressMessages(glean(d$data, links))
    label <- as.character(glean_labels(ranking)$cluster)[rest]
    label[is.na(label)] <- ""
    nearest <- asked[apply(d$distance[rest, asked], 1L, which.min)]
    accuracy <- function(ranking) {
        n <- unique(pmin(c(5, 10, 20), ncol(d$x)))
        100 * mean(evaluate_ranking(ranking, d$x, d$y, d$test, d$y_test,
                                    n = n)$accuracy)
    }
    margins <- tryCatch(relieff_sc(d$data, links),
                        linkrank_error = function(condition) ranking)
    c(kinds = 100 * length(unique(d$y[asked])) / nlevels(d$y),
      labels = right(label), nearest = right(d$y[nearest]),
      glean = accuracy(ranking), relieff_sc = accuracy(margins))
}

run_part <- function(d, structures, size, counts) {
    varies <- apply(d$x, 2L, function(v) max(v) > min(v))
    d$x <- d$x[, varies, drop = FALSE]
    d$test <- d$test[, varies, drop = FALSE]
    d$data <- prepare_data(d$x)
    z <- linkrank:::asked_input(d$data, space = 20)$where$data$values
    d$distance <- as.matrix(stats::dist(z))
    d$shuffled <- sample.int(nrow(z))
    class <- function(own) droplevels(d$y[own])
    rows <- lapply(counts[1.5 * counts <= nrow(z)], function(count) {
        found <- vapply(orders, function(order) {
            judge(d, order(z, d$distance, count + 1L, class), count)
        }, numeric(5L))
        data.frame(structures, size, answers = count, order = names(orders),
                   t(found))
    })
    do.call(rbind, rows)
}

run_set <- function(name, seed) {
    set <- set_of(name)
    set.seed(seed)
    colnames(set$x) <- paste0("a", seq_len(ncol(set$x)))
    half <- linkrank:::split_half(set$y)
    test <- thin(half$test, set$y, 300)
    large <- thin(half$train, set$y, 1500)
    few <- thin(half$train, set$y, 150)
    # beside another set, with its samples in random order
    own <- set$x[, some(ncol(set$x), 200), drop = FALSE]
    cut <- function(rows, x = own) {
        list(x = x[rows, , drop = FALSE], y = droplevels(set$y[rows]),
             test = x[test, , drop = FALSE], y_test = set$y[test])
    }
    found <- run_part(cut(few), "one", "150", 20)
    if (length(large) >= 200L) {
        found <- rbind(found, run_part(cut(large), "one", "1500",
                                       c(20, 50, 100)))
    }
    rows <- c(few, test)
    for (other in sample(setdiff(sets, name))) {
        other <- set_of(other)$x
        if (nrow(other) < length(rows)) next
        more <- matrix(0, nrow(own), min(ncol(other), ncol(own)))
        more[rows, ] <- other[sample.int(nrow(other), length(rows)),
                              some(ncol(other), ncol(own))]
        colnames(more) <- paste0("b", seq_len(ncol(more)))
        return(rbind(found, run_part(cut(few, cbind(own, more)), "two", "150",
                                     20)))
    }
    found
}

done <- run_sets(sets, call, run_set)

# ---- the table -----------------------------------------------------------------

measures <- c("kinds", "labels", "nearest", "glean", "relieff_sc")
own <- stats::aggregate(done[measures], done[c("set", "structures", "size",
                                               "answers", "order")], mean)
case <- interaction(own$structures, own$size, own$answers, drop = TRUE)
table <- do.call(rbind, lapply(split(own, case), function(rows) {
    by <- split(rows, factor(rows$order, names(orders)))
    first <- by[[1L]]
    do.call(rbind, lapply(names(by), function(name) {
        other <- by[[name]][match(first$set, by[[name]]$set), ]
        less <- as.matrix(other[measures] - first[measures])
        error <- apply(less, 2L, stats::sd) / sqrt(nrow(less))
        data.frame(first[1L, c("structures", "size", "answers")],
                   sets = nrow(first), order = name,
                   measure = measures, mean = colMeans(other[measures]),
                   minus_first = colMeans(less), error = error)
    }))
}))
number <- c("mean", "minus_first", "error")
table[number] <- round(table[number], 2)
utils::write.csv(table, file.path(dirname(call$results), "order.csv"),
                 row.names = FALSE)
print(table, row.names = FALSE)
