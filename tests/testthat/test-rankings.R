# A ranking in the hands of base R and dplyr: while its rows are in order of rank
# it is one, and every function that takes it gives the right answer; else it is
# a plain data.frame, or damaged, and every function refuses it.

ranked_data <- local({
    set.seed(1)
    x <- random_matrix(24, 12)
    y <- rep(c("a", "b"), 12)
    x[y == "a", 5] <- x[y == "a", 5] + 2
    list(x = x, y = y, links = constraints_from_labels(
        stats::setNames(y, rownames(x)), cannot_link = 8, must_link = 8))
})

ranking_of <- function(maker = "relieff_sc") {
    d <- ranked_data
    switch(maker,
           relieff_sc = relieff_sc(d$x, d$links, k = 2),
           variance = variance_score(d$x),
           laplacian = laplacian_score(d$x),
           glean = glean(d$x, d$links), fcrsc = fcrsc(d$x, d$links),
           select_subset = select_subset(d$x, d$links),
           stir = stir(d$x, d$y), irelief = irelief(d$x, d$y, sigma = 1))
}

# Rows that leave out the best feature and some others, in order of rank.
filtered <- function(ranking) ranking[-c(1, 4, 9), ]

# A ranking of these features alone, with their scores.
alone <- function(ranking) {
    info <- attr(ranking, "info")
    as_feature_ranking(stats::setNames(ranking[[info$key]], ranking$feature),
                       info$direction)
}

drawn <- function(code) {
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    force(code)
}

# For every function that takes a ranking: the call; the right value for a
# filtered ranking, from it and the whole one, NULL where it must be refused;
# `of`: which ranking; `method`: of a generic of base R, which does not reach us
# for a plain data.frame.
uses <- local({
    use <- function(call, right = NULL, of = "relieff_sc", method = FALSE) {
        list(call = call, right = right, of = of, method = method)
    }
    d <- ranked_data
    x <- d$x
    se <- function() {
        SummarizedExperiment::SummarizedExperiment(list(logcounts = t(x)))
    }
    marks <- data.frame(feature = colnames(x), mark = 1:12)
    other <- function(part) {
        found <- ranking_of("variance")
        found[found$feature %in% part$feature, ]
    }
    evaluated <- function(ranking) {
        found <- evaluate_ranking(list(one = ranking), x[1:14, ], d$y[1:14],
                                  x[15:24, ], d$y[15:24])
        as.data.frame(found)
    }
    shown <- function(ranking) {
        rows <- grep("^ +[0-9]+  g", capture.output(print(ranking)),
                     value = TRUE)
        as.integer(sub("^ +([0-9]+) .*", "\\1", rows))
    }
    bars <- function(ranking) linkrank:::relative_parts(ranking, 5)[, ]
    list(
        top_features = use(function(r) top_features(r, 3),
                           function(part, whole) part$feature[1:3]),
        keep_features = use(function(r) keep_features(x, r, 3),
                            function(part, whole) x[, part$feature[1:3]]),
        feature_scores = use(feature_scores, function(part, whole) {
            feature_scores(whole)[colnames(x)[colnames(x) %in% part$feature]]
        }),
        annotate_ranking = use(
            function(r) as.list(annotate_ranking(r, marks))[1:6],
            function(part, whole) {
                as.list(filtered(annotate_ranking(whole, marks)))[1:6]
            }),
        add_ranking = use(function(r) {
            found <- add_ranking(se(), r, "m", n = 2)
            as.list(SummarizedExperiment::rowData(found))
        }, function(part, whole) {
            at <- match(colnames(x), part$feature)
            list(m_score = part$score[at], m_rank = part$rank[at],
                 m_selected = colnames(x) %in% part$feature[1:2])
        }),
        diversify_ranking = use(
            function(r) diversify_ranking(r, x)$feature,
            function(part, whole) diversify_ranking(alone(part), x)$feature,
            "laplacian"),
        pruned = use(function(r) {
            as.data.frame(diversify_ranking(r, x, max_cor = 0.2, method = "prune"))[c("rank", "feature",
                                                         "selected")]
        }, function(part, whole) {
            as.data.frame(diversify_ranking(alone(part), x, max_cor = 0.2, method = "prune"))[
                c("rank", "feature", "selected")]
        }),
        evaluate_ranking = use(evaluated,
                               function(part, whole) evaluated(alone(part))),
        compare_rankings = use(
            function(r) compare_rankings(r, other(r), 3),
            function(part, whole) compare_rankings(alone(part),
                                                   alone(other(part)), 3)),
        ensemble_ranking = use(function(r) ensemble_ranking(list(
            r, ranking_of("variance")))),
        as_feature_ranking = use(
            function(r) as_feature_ranking(r)$feature,
            function(part, whole) part$feature, "laplacian"),
        pair_margins = use(
            function(r) colnames(pair_margins(x, d$links, r)),
            function(part, whole) part$feature),
        group_markers = use(
            function(r) group_markers(x, r),
            function(part, whole) group_markers(x, whole), "glean"),
        glean_labels = use(glean_labels,
                           function(part, whole) glean_labels(whole), "glean"),
        top_features.subset_ranking = use(function(r) top_features(r, "best"), of = "select_subset"),
        plot_features = use(function(r) rownames(drawn(plot_features(x, r, 3))),
                            function(part, whole) part$feature[1:3]),
        significance = use(
            function(r) drawn(plot(r, type = "significance"))$feature,
            function(part, whole) part$feature, "stir", TRUE),
        convergence = use(
            function(r) drawn(plot(r, type = "convergence"))$feature,
            function(part, whole) part$feature, "irelief", TRUE),
        print.feature_ranking = use(shown, function(part, whole) part$rank,
                                    "laplacian", TRUE),
        print.glean_ranking = use(shown, function(part, whole) part$rank,
                                  "glean", TRUE),
        summary.feature_ranking = use(
            function(r) summary(r)[c("features", "best", "positive")],
            function(part, whole) {
                list(features = 9L, best = part$feature[1:5],
                     positive = sum(part$margin > 0))
            }, method = TRUE),
        plot.feature_ranking = use(
            function(r) drawn(plot(r))$feature,
            function(part, whole) part$feature, method = TRUE),
        plot.glean_ranking = use(bars, function(part, whole) {
            linkrank:::relative_parts(whole, 12)[part$feature[1:5], ]
        }, "glean", TRUE),
        plot.fcrsc_ranking = use(
            function(r) drawn(plot(r)),
            function(part, whole) drawn(plot(whole)), "fcrsc", TRUE),
        plot.subset_ranking = use(function(r) drawn(plot(r)),
                                  NULL, "select_subset", TRUE),
        update.feature_ranking = use(
            function(r) update(r, x, d$links),
            function(part, whole) whole, method = TRUE),
        glance.feature_ranking = use(
            function(r) as.list(generics::glance(r))[c("n_features",
                                                       "n_positive")],
            function(part, whole) {
                list(n_features = 9L, n_positive = sum(part$score > 0))
            }, method = TRUE),
        autoplot.feature_ranking = use(
            function(r) {
                drawn <- ggplot2::autoplot(r, n = 3)$layers
                drawn[[length(drawn)]]$data$label
            }, function(part, whole) part$feature[1:3], method = TRUE),
        parts = use(
            function(r) {
                drawn <- ggplot2::ggplot_build(ggplot2::autoplot(r, n = 3))
                drawn$layout$panel_params[[1]]$y$get_labels()
            }, function(part, whole) part$feature[1:3], "glean", TRUE)
    )
})

# Those that only give the table or a part of it.
exits <- c("[.feature_ranking", "as.data.frame.feature_ranking",
           "tidy.feature_ranking", "rbind.feature_ranking",
           "dplyr_reconstruct.feature_ranking",
           paste0(c("[<-", "[[<-", "$<-", "names<-"), ".feature_ranking"))

available <- function(name) {
    needs <- c(add_ranking = "SummarizedExperiment",
               glance.feature_ranking = "generics",
               autoplot.feature_ranking = "ggplot2",
               parts = "ggplot2")
    is.na(needs[name]) || requireNamespace(needs[name], quietly = TRUE)
}

test_that("all functions that take a ranking are tested here", {
    home <- asNamespace("linkrank")
    takes <- vapply(getNamespaceExports(home), function(name) {
        found <- get(name, home)
        is.function(found) &&
            any(c("ranking", "target") %in% names(formals(found)))
    }, NA)
    methods <- getNamespaceInfo(home, "S3methods")
    # the methods of generics of ours are those generics
    own <- grepl("_ranking$", methods[, 2]) & !is.na(methods[, 2])
    found <- c(names(takes)[takes],
               paste0(sub(".*::", "", methods[own, 1]), ".",
                      methods[own, 2]))
    found <- setdiff(found, grep("^print.summary|[.]summary[.]", found,
                                 value = TRUE))
    # where it is TRUE or FALSE, a share, or what a step keeps
    other <- c("questionnaire_app", "plan_questions", "step_select_linkrank")
    expect_setequal(setdiff(found, c(names(uses), exits)), other)
    # and by arguments of other names
    expect_setequal(setdiff(names(uses), found), c(
        "ensemble_ranking", "as_feature_ranking", "pair_margins",
        "group_markers", "pruned", "significance", "convergence", "parts"))
})

# What base R makes of a ranking that is none after it.
changes <- list(
    sorted = function(r) r[order(r$feature), ],
    shuffled = function(r) r[c(2:nrow(r), 1), ],
    reversed = function(r) r[rev(seq_len(nrow(r))), ],
    by_name = function(r) r[rev(r$feature), ],
    bound = function(r) rbind(r, r),
    parts = function(r) rbind(r[1:4, ], r[5:nrow(r), ]),
    split = function(r) do.call(rbind, split(r, rep_len(1:2, nrow(r)))),
    repeated = function(r) r[c(1, 1, 2), ],
    merged = function(r) merge(r, data.frame(feature = r$feature, new = 1)),
    columns_bound = function(r) cbind(r, new = 1),
    transformed = function(r) transform(r, score = -score),
    within = function(r) within(r, score <- rev(score)),
    assigned = function(r) { r$score <- rev(r$score); r },
    cell = function(r) { r[2, "score"] <- 99; r },
    element = function(r) { r[["rank"]][2] <- 9L; r },
    renamed_features = function(r) { r$feature <- toupper(r$feature); r },
    missing = function(r) { is.na(r$rank) <- 2; r },
    appended = function(r) { r[nrow(r) + 1L, ] <- r[1, ]; r }
)

test_that("what is sorted, bound or edited is a plain data.frame", {
    for (maker in c("relieff_sc", "laplacian", "glean")) {
        ranking <- ranking_of(maker)
        for (name in names(changes)) {
            changed <- changes[[name]](ranking)
            expect_identical(class(changed), "data.frame", label = name)
            expect_null(attr(changed, "info"), label = name)
        }
        # the column that orders it is none that others may edit
        key <- attr(ranking, "info")$key
        ranking[[key]] <- rev(ranking[[key]])
        expect_identical(class(ranking), "data.frame")
    }
    ranking <- ranking_of()
    names(ranking)[2] <- "gene"
    expect_identical(class(ranking), "data.frame")
    skip_if_not_installed("dplyr")
    ranking <- ranking_of()
    for (changed in list(
        dplyr::arrange(ranking, feature), dplyr::mutate(ranking, score = 1),
        dplyr::bind_rows(ranking, ranking), dplyr::rename(ranking, gene = 2),
        dplyr::slice(ranking, 3:1), dplyr::group_by(ranking, score > 0)
    )) {
        expect_false(inherits(changed, "feature_ranking"))
    }
    expect_s3_class(dplyr::filter(ranking, rank > 3), "feature_ranking")
    expect_s3_class(dplyr::mutate(ranking, new = 1), "feature_ranking")
})

test_that("filtered rankings and those with other columns stay rankings", {
    for (maker in c("relieff_sc", "laplacian", "glean", "fcrsc")) {
        ranking <- ranking_of(maker)
        named <- ranking$feature[c(2, 5, 11)]
        kept <- list(
            head(ranking, 3), tail(ranking, 3), filtered(ranking),
            subset(ranking, rank > 2), ranking[named, ],
            ranking[ranking$rank %% 2 == 0, ], unique(ranking),
            stats::na.omit(ranking), ranking[0, ], rev(ranking),
            ranking[c("feature", "score", "rank",
                      attr(ranking, "info")$key)],
            local({ ranking$new <- 1; ranking }),
            local({ ranking[["new"]] <- 1; ranking }),
            local({ ranking[, "new"] <- 1; ranking }),
            local({ ranking["new"] <- 1; ranking }),
            local({ ranking$new <- NULL; ranking }),
            local({ names(ranking) <- names(ranking); ranking }),
            within(ranking, new <- 1)
        )
        for (part in kept) {
            expect_identical(class(part), class(ranking))
            expect_identical(attr(part, "info"), attr(ranking, "info"))
            at <- match(part$feature, ranking$feature)
            expect_identical(part$rank, at)
            expect_identical(part$score, ranking$score[at])
        }
        expect_identical(ranking[named, ], ranking[c(2, 5, 11), ])
    }
})

test_that("functions are right about a filtered ranking, or refuse it", {
    for (name in Filter(available, names(uses))) {
        use <- uses[[name]]
        whole <- ranking_of(use$of)
        part <- filtered(whole)
        if (is.null(use$right)) {
            expect_error(use$call(part), class = "linkrank_error_argument",
                         label = name)
            expect_error(use$call(whole), NA, label = name)
        } else {
            expect_identical(use$call(part), use$right(part, whole),
                             label = name)
        }
    }
    whole <- ranking_of("select_subset")
    expect_refused("argument", top_features(head(whole, 3), n = "best"),
                   ensemble_ranking(list(head(whole, 3), whole)))
})

test_that("functions refuse what was sorted, bound or edited", {
    for (name in Filter(available, names(uses))) {
        use <- uses[[name]]
        whole <- ranking_of(use$of)
        for (change in c("sorted", "shuffled", "bound", "cell")) {
            changed <- changes[[change]](whole)
            if (!use$method && name != "as_feature_ranking") {
                expect_error(use$call(changed), "give the ranking itself",
                             class = "linkrank_error_argument",
                             label = paste(name, change))
            }
            # such as data.table::setorder() makes them, in place
            if (change != "cell") {
                attributes(changed)[c("class", "info")] <-
                    attributes(whole)[c("class", "info")]
                expect_error(use$call(changed), "must be as its method made it",
                             class = "linkrank_error_argument",
                             label = paste(name, change, "in place"))
            }
        }
    }
    ranking <- ranking_of()
    sorted <- changes$sorted(ranking)
    d <- ranked_data
    expect_refused("argument", top_features(sorted, 3),
                   evaluate_ranking(list(a = ranking, b = sorted), d$x, d$y,
                                    d$x, d$y),
                   ensemble_ranking(list(ranking, sorted)))
})

test_that("functions of users must rank every feature where ranks are averaged", {
    d <- ranked_data
    best <- function(x, constraints) head(relieff_sc(x, constraints), 5)
    sorted <- function(x, constraints) {
        found <- relieff_sc(x, constraints)
        found[order(found$feature), ]
    }
    for (rank in list(best, sorted)) {
        expect_error(ensemble_ranking(d$x, d$links, method = rank,
                                      replicates = 2, progress = FALSE),
                     class = "linkrank_error_argument")
        expect_error(ranking_stability(d$x, d$links, method = rank,
                                       replicates = 3, progress = FALSE),
                     class = "linkrank_error_argument")
    }
    found <- evaluate_method(d$x, d$y, list(best = best), splits = 2,
                             cannot_link = 5, must_link = 5, progress = FALSE)
    expect_identical(unique(found$features), 1:5)
    expect_error(evaluate_method(d$x, d$y, list(sorted = sorted), splits = 2,
                                 cannot_link = 5, must_link = 5,
                                 progress = FALSE), "give the ranking itself")
})

test_that("a diversified subset keeps its curve", {
    whole <- ranking_of("select_subset")
    other <- diversify_ranking(whole, ranked_data$x)
    expect_false(identical(other$feature, whole$feature))
    expect_identical(top_features(other, n = "best"), top_features(whole, n = "best"))
})

test_that("a lower score stays better", {
    ranking <- ranking_of("laplacian")
    again <- as_feature_ranking(ranking)
    expect_identical(again$feature, ranking$feature)
    expect_identical(summary(again)$direction, "lower")
})

test_that("markers that are bound are a plain data.frame", {
    d <- ranked_data
    markers <- group_markers(d$x, d$y)
    expect_identical(class(rbind(markers, markers)), "data.frame")
    again <- markers[c(1, 1, 2), ]
    expect_refused("argument", print(again), top_features(again),
                   marker_lists(again))
    # sorted markers keep their ranks
    sorted <- markers[order(markers$feature), ]
    expect_identical(top_features(sorted, 3), top_features(markers, 3))
    expect_identical(marker_lists(sorted), marker_lists(markers))
})
