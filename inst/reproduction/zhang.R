# Zhang, Chen and Zhou (2008). Constraint Score. Pattern Recognition, 41.
#
# The first half of each class trains, the values stay as they are, the nearest
# neighbour classifies; printed is the mean accuracy over d = 1, ..., F. Where
# the printed number is exact with its deviation (Soybean, Wine), equally near
# samples went to the lower row; evaluate_ranking() shares them.

zhang_jobs <- function() {
    uci <- c("Ionosphere", "Sonar", "Soybean", "Wine")
    faces <- c(ORL = "ORL 64 x 64", YaleB = "YaleB")
    c(
        lapply(uci, zhang_baselines, table = "2", seconds = 1),
        Map(zhang_baselines, names(faces), "4", faces, 35),
        do.call(c, lapply(uci, zhang_constraints, table = "3",
                          runs = c(40, 100), seconds = 0.15)),
        do.call(c, Map(function(name, set) {
            zhang_constraints(name, "5", set, c(0, 20), 15)
        }, names(faces), faces))
    )
}

zhang_data <- function(set) {
    d <- read_set(set)
    split <- first_half(d$y)
    c(d, list(split = split, train = d$x[split$train, ],
              classes = droplevels(d$y[split$train])))
}

# Percent right by number of features, of equally near samples the first. The
# values are decimals, so distances that should be equal differ by rounding.
zhang_curves <- function(rankings, d) {
    if (ncol(d$x) > 100) {
        return(curves(rankings, d$x, d$y, d$split))
    }
    y <- as.character(d$y)
    train <- d$split$train
    test <- d$split$test
    one <- function(ranking) {
        apart <- matrix(0, length(test), length(train))
        vapply(top_features(ranking, ncol(d$x)), function(name) {
            apart <<- apart + outer(d$x[test, name], d$x[train, name], "-")^2
            nearest <- max.col(-round(apart, 8), "first")
            100 * mean(y[train][nearest] == y[test])
        }, 0)
    }
    t(vapply(rankings, one, numeric(ncol(d$x))))
}

zhang_baselines <- function(name, table, set = name, seconds) {
    new_job("zhang", row_id(table, name, "baselines"), set, c(1, 1), seconds,
        one = function(run) {
            d <- zhang_data(set)
            width <- mean(as.numeric(stats::dist(d$train))^2)
            zhang_curves(list(
                Variance = variance_score(d$train, scale = "none"),
                Laplacian = by_weight(laplacian_score(
                    d$train, k = 5, t = width, scale = "none"), "lower"),
                Fisher = fisher_score(d$train, d$classes, scale = "none")
            ), d)
        },
        tell = function(runs) {
            rows <- rownames(runs[[1L]])
            stats::setNames(lapply(rows, function(row) {
                list(values = round(mean(runs[[1L]][row, ]), 1),
                     curve = list(d = seq_len(ncol(runs[[1L]])),
                                  mean = runs[[1L]][row, ], se = NULL))
            }), row_id("zhang", table, name, rows, "mean accuracy"))
        })
}

zhang_constraints <- function(name, table, set = name, runs, seconds) {
    lapply(c(4, 10, 40), function(count) {
        new_job("zhang", row_id(table, name, count), set, runs, seconds,
            one = function(run) {
                d <- zhang_data(set)
                links <- constraints_from_labels(d$classes, cannot_link = count / 2,
                                                 must_link = count / 2)
                rowMeans(zhang_curves(list(
                    CS1 = constraint_order(d$train, links, "CS1"),
                    CS2 = constraint_order(d$train, links, "CS2")
                ), d))
            },
            tell = function(runs) {
                scores <- c("CS1", "CS2")
                stats::setNames(lapply(scores, function(score) {
                    list(values = vapply(runs, `[[`, 0, score))
                }), row_id("zhang", table, name, scores, count,
                           "constraints mean accuracy"))
            })
    })
}
