# Salmi, Hammouche and Macaire (2020). Similarity-based constraint score for
# feature selection. Knowledge-Based Systems, 209.
#
# Values scaled to [0, 1] over all rows, the first half of each class trains
# (WBCD: rows 1 to 410, WDBC: rows 1 to 376). p prototypes per class are drawn,
# the constraints are all their pairs, and the nearest neighbour knows the
# prototypes only. Their C2 has lambda = 1.

salmi_sets <- list(
    WBCD = list(first = 5, runs = c(50, 100), seconds = 0.05),
    WDBC = list(first = 12, runs = c(50, 100), seconds = 0.08),
    Ionosphere = list(first = 13, runs = c(50, 100), seconds = 0.07),
    Dermatology = list(first = 15, runs = c(50, 100), seconds = 0.09),
    Segmentation = list(set = "Segmentation 2310", first = 11, share = 1,
                        runs = c(10, 100), seconds = 0.4),
    Yale = list(share = 0.2, runs = c(10, 100), seconds = 0.3),
    ORL = list(first = 300, share = 0.2, runs = c(5, 100), seconds = 1),
    `CNAE-9` = list(share = 0.2, runs = c(5, 100), seconds = 0.6),
    Mfeat = list(first = 100, share = 0.2, runs = c(5, 100), seconds = 1),
    Pie10P = list(share = 0.1, runs = c(5, 100), seconds = 0.6),
    ALLAML = list(share = 0.05, runs = c(5, 100), seconds = 1)
)

salmi_jobs <- function() {
    names <- names(salmi_sets)
    printed_p <- Filter(function(name) {
        !is.null(salmi_sets[[name]]$first)
    }, names)
    c(
        lapply(names, salmi_supervised, p = 3),
        do.call(c, lapply(c(2, 4), function(p) {
            lapply(printed_p, salmi_supervised, p = p)
        })),
        salmi_size_jobs(), salmi_clustered_jobs(), salmi_time_jobs()
    )
}

salmi_set_of <- function(name) {
    set <- salmi_sets[[name]]$set
    if (is.null(set)) name else set
}

salmi_data <- function(name) {
    d <- read_set(salmi_set_of(name))
    d$x <- unit_range(d$x)
    first <- c(WBCD = 410, WDBC = 376)
    rows <- seq_along(d$y)
    d$split <- if (name %in% names(first)) {
        list(train = rows[rows <= first[[name]]],
             test = rows[rows > first[[name]]])
    } else {
        first_half(d$y)
    }
    d
}

# Rows of p samples from every class of the training part.
salmi_prototypes <- function(d, p) {
    train <- d$split$train
    rows <- split(train, droplevels(d$y[train]))
    sort(unlist(lapply(rows, function(of) {
        of[sample.int(length(of), min(p, length(of)))]
    }), use.names = FALSE))
}

salmi_rankings <- function(x, classes, p, most) {
    links <- constraints_from_labels(classes)
    list(
        ReliefF = relieff(x, classes, k = p - 1, scale = "none"),
        C1 = constraint_order(x, links, "CS1"),
        C2 = constraint_order(x, links, "CS2", lambda = 1),
        `eps^S` = select_subset(x, links, max_features = most, scale = "none")
    )
}

# ---- Tables 2, 3, 4 and the first half of 8 ---------------------------------

salmi_supervised <- function(name, p) {
    of <- salmi_sets[[name]]
    new_job("salmi", row_id(name, "p", p), salmi_set_of(name), of$runs,
            of$seconds, one = function(run) salmi_run(name, p),
            tell = function(runs) salmi_rows(name, p, runs))
}

salmi_run <- function(name, p) {
    d <- salmi_data(name)
    of <- salmi_sets[[name]]
    features <- ncol(d$x)
    top <- ceiling((if (is.null(of$share)) 1 else of$share) * features)
    most <- max(top, of$first)
    rows <- salmi_prototypes(d, p)
    classes <- droplevels(d$y[rows])
    rankings <- salmi_rankings(d$x[rows, ], classes, p,
                               if (p == 3 && features < 700) Inf else most)
    found <- curves(rankings, d$x, d$y,
                    list(train = rows, test = d$split$test), seq_len(most))
    size <- length(best_subset(rankings[["eps^S"]]))
    c(list(mean = rowMeans(found[, seq_len(top)]), size = size,
           at_size = found["eps^S", min(size, most)]),
      if (!is.null(of$first)) list(
          rank = rank(-found[c("eps^S", "C1", "C2"), of$first],
                      ties.method = "min"),
          quality = salmi_quality(d, rows)))
}

salmi_quality <- function(d, rows) {
    train <- d$split$train
    known <- replace(rep(NA_character_, length(train)), match(rows, train),
                     as.character(d$y[rows]))
    must_link_quality(constraints_from_labels(known), d$x[train, ],
                      as.character(d$y[train]), y = known,
                      scale = "none")[c("NML", "CNML")]
}

salmi_rows <- function(name, p, runs) {
    each <- function(part, row) {
        list(values = vapply(runs, function(run) run[[part]][[row]], 0))
    }
    rows <- list()
    if (p == 3) {
        for (method in c("ReliefF", "C1", "C2", "eps^S")) {
            rows[[row_id("salmi_3", name, method, "mean accuracy")]] <-
                each("mean", method)
        }
        size <- vapply(runs, `[[`, 0, "size")
        rows[[row_id("salmi_8", name, "eps^S accuracy at the minimum")]] <-
            list(values = vapply(runs, `[[`, 0, "at_size"), d = mean(size))
        rows[[row_id("salmi_8", name, "eps^S features at the minimum")]] <-
            list(values = size)
    }
    if (!is.null(runs[[1L]]$rank)) {
        for (method in c("eps^S", "C1", "C2")) {
            ranks <- each("rank", method)
            rows[[row_id("salmi_2", name, method, "p", p, "rank sum")]] <-
                list(values = 100 * ranks$values)
        }
        for (what in c("NML", "CNML")) {
            rows[[row_id("salmi_4", name, what, "p", p, what)]] <-
                each("quality", what)
        }
    }
    rows
}

# ---- Table 8, eps^SS: how many features -------------------------------------

salmi_size_jobs <- function() {
    list(
        salmi_size("WBCD", c(10, 50), 0.3), salmi_size("WDBC", c(10, 50), 0.3),
        salmi_size("Ionosphere", c(10, 50), 0.2),
        salmi_size("Dermatology", c(10, 50), 0.2),
        salmi_size("Segmentation", c(3, 20), 1),
        salmi_size("Yale", c(3, 20), 2), salmi_size("ORL", c(0, 10), 7),
        salmi_size("Pie10P", c(0, 10), 15), salmi_size("ALLAML", c(0, 10), 15),
        salmi_size("CNAE-9", c(0, 3), 110), salmi_size("Mfeat", c(0, 3), 190)
    )
}

salmi_size <- function(name, runs, seconds) {
    new_job("salmi", row_id("size", name), salmi_set_of(name), runs, seconds,
        one = function(run) length(best_subset(salmi_eps_ss(name))),
        tell = function(runs) {
            stats::setNames(list(list(values = unlist(runs))), row_id(
                "salmi_8", name, "eps^SS features at the minimum"))
        })
}

salmi_known <- function(d, p = 3) {
    train <- d$split$train
    rows <- salmi_prototypes(d, p)
    factor(replace(rep(NA_character_, length(train)), match(rows, train),
                   as.character(d$y[rows])))
}

salmi_eps_ss <- function(name, most = NULL) {
    d <- salmi_data(name)
    if (is.null(most)) {
        most <- if (ncol(d$x) > 700) 250 else Inf
    }
    select_subset(d$x[d$split$train, ], y = salmi_known(d),
                  context = "semisupervised", max_features = most,
                  scale = "none")
}

# ---- Tables 5 and 6: the training part labelled by clustering ---------------

salmi_clustered_jobs <- function() {
    list(salmi_clustered("WBCD", 5), salmi_clustered("WDBC", 16),
         salmi_clustered("Ionosphere", 17), salmi_clustered("Dermatology", 15))
}

salmi_clustered <- function(name, first) {
    new_job("salmi", row_id("clustered", name), name, c(0, 20), 8,
        one = function(run) salmi_clustered_run(name, first),
        tell = function(runs) {
            scores <- c("eps^SS", "C3", "C4", "C5", "C6", "C7")
            ranks <- stats::setNames(lapply(scores, function(score) {
                list(values = 100 * vapply(runs, function(run) {
                    run$rank[[score]]
                }, 0))
            }), row_id("salmi_5", name, scores, "p_3_rank sum"))
            printed <- c("LS", "Spec", "C4", "C7", "eps^SS")
            means <- stats::setNames(lapply(printed, function(score) {
                list(values = vapply(runs, function(run) run$mean[[score]], 0))
            }), row_id("salmi_6", name, printed, "mean accuracy"))
            c(ranks, means)
        })
}

salmi_clustered_run <- function(name, first) {
    d <- salmi_data(name)
    x <- d$x[d$split$train, ]
    known <- salmi_known(d)
    links <- constraints_from_labels(known)
    rankings <- salmi_semisupervised(x, known, links)
    found <- vapply(rankings, function(ranking) {
        vapply(seq_len(ncol(x)), function(count) {
            salmi_judge(d, x, known, links, top_features(ranking, count))
        }, 0)
    }, numeric(ncol(x)))
    scores <- c("eps^SS", "C3", "C4", "C5", "C6", "C7")
    list(mean = colMeans(found),
         rank = rank(-found[first, scores], ties.method = "min"))
}

salmi_semisupervised <- function(x, known, links) {
    graph <- similarity_graph(x, "full", "gaussian", sigma = 1, scale = "none")
    score <- function(.type, ...) {
        constraint_order(x, links, type = .type, ...)
    }
    list(
        LS = laplacian_score(x, graph, scale = "none"),
        Spec = spectral_score(x, type = 1, graph = graph, scale = "none"),
        C3 = score("CS3", t = 2), C4 = score("CS4", graph = graph),
        C5 = score("CLS", t = 2), C6 = score("C6", t = 2),
        C7 = score("CCLS", y = known, t = 2),
        `eps^SS` = select_subset(x, y = known, context = "semisupervised",
                                 scale = "none")
    )
}

# Clusters get the class of the prototypes in them, then classify the test part.
salmi_judge <- function(d, x, known, links, features) {
    z <- x[, features, drop = FALSE]
    graph <- similarity_graph(z, "full", "gaussian", sigma = 1,
                              scale = "none")
    cluster <- tryCatch(
        spectral_clustering(z, links, nlevels(known), graph = graph)$cluster,
        linkrank_error = function(condition) as.integer(known)
    )
    votes <- table(factor(cluster, seq_len(nlevels(known))), known)
    label <- levels(known)[max.col(votes, "first")][cluster]
    given <- !is.na(known)
    label[given] <- as.character(known)[given]
    ok <- !is.na(label)
    place <- list(train = d$split$train[ok], test = d$split$test)
    y <- replace(as.character(d$y), place$train, label[ok])
    all <- rank_as_given(d$x[, features, drop = FALSE])
    curves(list(one = all), d$x[, features, drop = FALSE], y, place,
           length(features))[[1L]]
}

rank_as_given <- function(x) {
    as_feature_ranking(stats::setNames(rev(seq_len(ncol(x))), colnames(x)))
}

# ---- Table 7: seconds -------------------------------------------------------

salmi_time_jobs <- function() {
    do.call(c, lapply(c("Mfeat", "ORL", "ALLAML"), function(name) {
        lapply(c(20, 50, 100), function(most) salmi_time(name, most))
    }))
}

salmi_time <- function(name, most) {
    new_job("salmi", row_id("time", name, most), name, c(0, 1), 10,
        one = function(run) {
            d <- salmi_data(name)
            rows <- salmi_prototypes(d, 3)
            links <- constraints_from_labels(droplevels(d$y[rows]))
            c(`eps^S` = cpu(select_subset(d$x[rows, ], links, scale = "none",
                                          max_features = most)),
              `eps^SS` = cpu(salmi_eps_ss(name, most)))
        },
        tell = function(runs) {
            scores <- c("eps^S", "eps^SS")
            stats::setNames(lapply(scores, function(score) {
                list(values = vapply(runs, `[[`, 0, score))
            }), row_id("salmi_7", name, scores, "m", most, "time in s"))
        })
}
