# Pairs whose direction is known, as tumour and normal of a patient, are labels. How
# much is the direction worth? 20 disjoint pairs, each of random samples of two
# classes, ranked by the size of the paired t of group_markers(block = pair) and,
# without the directions, by glean() and relieff_sc(). Accuracy of the nearest
# neighbour, from the labels of that half to the other half, mean over the best 5,
# 10 and 20 features. Sets of two classes, of the folder and of R packages.
#
#   Rscript directions.R FOLDER [SEEDS] [RESULTS.csv] [MINUTES]
#
# See read_call() in harness.R. Standard errors are between sets.
source(system.file("benchmarks", "harness.R", package = "linkrank"))
call <- read_call("directions.csv")
of_packages <- paste(names(package_tables), "(R)")

read_two <- function(name) {
    set <- if (name %in% of_packages) package_set(sub(" .*", "", name)) else
        plain_set(call, name)
    few <- table(set$y) < 4
    kept <- which(!set$y %in% names(few)[few])
    list(x = set$x[kept, , drop = FALSE], y = droplevels(set$y[kept]))
}

# Of at least six features, or there is little to rank.
sets <- Filter(function(name) {
    set <- read_two(name)
    nlevels(set$y) == 2L && ncol(set$x) >= 6L
}, c(distinct_sets(sets_of(call)), of_packages))

by_paired_t <- function(x, pairs) {
    rows <- c(pairs)
    markers <- group_markers(x[rows, ], rep(c("a", "b"), each = nrow(pairs)),
                             block = rep(seq_len(nrow(pairs)), 2L))
    own <- as.data.frame(markers)[markers$group == "a", ]
    size <- stats::setNames(abs(own$statistic), own$feature)
    size[is.na(size)] <- 0
    as_feature_ranking(sort(size, decreasing = TRUE))
}

done <- run_sets(sets, call, function(name, seed) {
    set <- read_two(name)
    set.seed(seed)
    set$x <- set$x[, some(ncol(set$x), 500), drop = FALSE]
    colnames(set$x) <- paste0("f", seq_len(ncol(set$x)))
    d <- split_set(set, seed)
    varies <- apply(d$x, 2L, function(v) max(v) > min(v))
    x <- d$x[, varies, drop = FALSE]
    count <- min(20, table(d$y))
    pairs <- vapply(levels(d$y), function(class) {
        sample(which(d$y == class))[seq_len(count)]
    }, integer(count))
    links <- pairwise_constraints(cannot_link = pairs, samples = nrow(x))
    rankings <- suppressWarnings(list(
        `paired t, known directions` = by_paired_t(x, pairs),
        `glean()` = glean(x, links), `relieff_sc()` = relieff_sc(x, links)))
    n <- unique(pmin(c(5, 10, 20), ncol(x)))
    data.frame(method = names(rankings),
               accuracy = vapply(rankings, function(ranking) {
                   100 * mean(evaluate_ranking(ranking, x, d$y,
                                               d$test[, varies, drop = FALSE],
                                               d$y_test, n = n)$accuracy)
               }, 0))
})

complete <- Reduce(intersect, split(done$seed, done$set))
done <- done[done$seed %in% complete, ]
means <- tapply(done$accuracy, done[c("set", "method")], mean)
means <- means[, unique(done$method)]
less <- means[, 1L] - means
cat(nrow(means), " sets, ", length(complete), " seeds\n", sep = "")
print(round(data.frame(accuracy = colMeans(means), t_minus = colMeans(less),
                       error = apply(less, 2L, stats::sd) /
                           sqrt(nrow(means))), 1))
