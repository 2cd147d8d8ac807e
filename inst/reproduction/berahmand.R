# Berahmand, Rostami and Forouzandeh (2020). A novel method of constrained
# feature selection by the measurement of pairwise constraints uncertainty.
#
# Random two thirds train; as many features as Table 6 prints, rounded. How many
# constraints were given is not printed: half the training samples of each kind.

berahmand_sizes <- list(
    SPECTF = c(PCFS = 19, LS = 19, FS = 19),
    Sonar = c(PCFS = 17, LS = 18, FS = 22),
    Colon = c(PCFS = 40, LS = 41, FS = 51),
    Arrhythmia = c(PCFS = 19, LS = 19, FS = 22),
    Spambase = c(PCFS = 26, LS = 29, FS = 32),
    Madelon = c(PCFS = 56, LS = 55, FS = 62),
    Isolet = c(PCFS = 73, LS = 72, FS = 83),
    Mfeat = c(PCFS = 72, LS = 73, FS = 87)
)

berahmand_jobs <- function() {
    quick <- c("SPECTF", "Sonar", "Colon")
    do.call(c, lapply(names(berahmand_sizes), function(name) {
        seconds <- if (name %in% quick) 1 else 15
        list(berahmand_set(name, c(if (name %in% quick) 5 else 0, 10),
                           seconds),
             berahmand_times(name, c(if (name %in% quick) 1 else 0, 1),
                             seconds))
    }))
}

berahmand_classifiers <- list(SVM = linear_svm, NB = naive_bayes,
                              DT = decision_tree)

berahmand_set <- function(name, runs, seconds) {
    sizes <- berahmand_sizes[[name]]
    new_job("berahmand", name, name, runs, seconds,
        one = function(run) {
            d <- read_set(name)
            x <- unit_range(d$x)
            split <- random_share(nrow(x), 2 / 3)
            train <- x[split$train, ]
            classes <- droplevels(unname(d$y[split$train]))
            rank <- berahmand_rankers(train, classes, sizes[["PCFS"]])
            rankings <- lapply(rank, function(one) one())
            vapply(names(rankings), function(method) {
                best <- top_features(rankings[[method]], sizes[[method]])
                vapply(berahmand_classifiers, function(classify) {
                    found <- classify(train[, best], classes,
                                      x[split$test, best])
                    100 * mean(found == as.character(d$y[split$test]))
                }, 0)
            }, numeric(3))
        },
        tell = function(runs) {
            cells <- expand.grid(classifier = names(berahmand_classifiers),
                                 method = names(sizes),
                                 stringsAsFactors = FALSE)
            stats::setNames(Map(function(classifier, method) {
                list(values = vapply(runs, function(run) {
                    run[classifier, method]
                }, 0), d = sizes[[method]])
            }, cells$classifier, cells$method),
            row_id("berahmand_2", name, cells$method, cells$classifier,
                   "accuracy"))
        })
}

berahmand_rankers <- function(train, classes, size) {
    pairs <- round(length(classes) / 2)
    links <- constraints_from_labels(classes, cannot_link = pairs, must_link = pairs)
    list(
        PCFS = function() quiet(pcfs(train, links, clusters = nlevels(classes), n = size,
                                     scale = "range")),
        LS = function() laplacian_score(train, t = 1, scale = "range"),
        FS = function() fisher_score(train, classes)
    )
}

# Table 7: milliseconds.
berahmand_times <- function(name, runs, seconds) {
    size <- berahmand_sizes[[name]][["PCFS"]]
    new_job("berahmand", row_id("time", name), name, runs, seconds,
        one = function(run) {
            d <- read_set(name)
            split <- random_share(nrow(d$x), 2 / 3)
            rank <- berahmand_rankers(unit_range(d$x)[split$train, ],
                                      droplevels(unname(d$y[split$train])),
                                      size)
            vapply(rank, function(one) 1000 * cpu(one()), 0)
        },
        tell = function(runs) {
            methods <- names(runs[[1L]])
            stats::setNames(lapply(methods, function(method) {
                list(values = vapply(runs, `[[`, 0, method))
            }), row_id("berahmand_7", name, methods, "time in ms"))
        })
}
