# Every plot() and autoplot() of every class on tables that have little to draw: a
# plot without a warning, or one sentence of the package.

# Constant and rare features among noise, a missing cell in each column, a single
# feature, and no variation at all.
hard_tables <- function() {
    noise <- random_matrix(20, 8)
    rare <- same <- gaps <- noise
    rare[, 1:5] <- rep(c(1, 0), c(20, 80))
    rare[1, 2:5] <- 1
    gaps[cbind(1:8, 1:8)] <- NA
    same[] <- 2
    list(rare = rare, gaps = gaps, single = noise[, 1, drop = FALSE], same = same)
}

# What is plotted, each made of a table `x`.
plotted <- expression(
    relieff_sc(x, links, permutations = 19), stir(x, y, k = 2),
    stir(x, y, k = 2, permutations = 19), irelief(x, y), simba_sc(x, links),
    laplacian_score(x, na.action = "mean"),
    variance_score(x, na.action = "mean")[1, ],
    fcrsc(x, links, permutations = 19, na.action = "mean"),
    select_subset(x, links, na.action = "mean"),
    pcfs(x, links, na.action = "mean"), glean(x, links, na.action = "mean"),
    group_markers(x, y), group_markers(x, y, permutations = 19),
    group_markers(x, c("u", rep(c("a", "b"), 9), "v")),
    group_markers(x, glean(x, labels)), feature_graph(x, na.action = "mean"),
    cluster_features(feature_graph(x, na.action = "mean")),
    pair_margins(x, links, colnames(x)[1]), links, labels,
    pairwise_constraints(samples = rownames(x)),
    pck_means(x, links, clusters = 2, na.action = "mean"),
    active_constraints(x, y, n = 3, na.action = "mean"),
    questionnaire(x, na.action = "mean"),
    similarity_graph(x, k = 3, na.action = "mean"),
    evaluate_ranking(variance_score(x), x, y, x, y),
    evaluate_method(x, y, "variance_score", splits = 2),
    ranking_stability(x, links, replicates = 2),
    evaluate_questions(x, y, "random", questions = c(0, 4), splits = 2, n = 1),
    plan_questions(x, effect = 1, questions = c(4, 8), trials = 2)
)

made_of <- function(code, x) {
    y <- rep(c("a", "b"), 10)
    links <- pairwise_constraints(
        cannot_link = rbind(c(1, 4), c(2, 5), c(6, 3), c(7, 10), c(8, 12)), must_link = cbind(1, 2),
        samples = rownames(x))
    labels <- constraints_from_labels(stats::setNames(y, rownames(x)))
    suppressMessages(suppressWarnings(tryCatch(eval(code),
                                               linkrank_error = identity)))
}

# The values of the argument `type`; NA where there is none.
types_of <- function(object, generic) {
    of <- inherits(object, c("fcrsc_ranking", "subset_ranking", "glean_ranking",
                             "group_markers", "feature_ranking"), which = TRUE)
    all <- c(ranking_plots, if (generic == "autoplot") c("heat", "dots"))
    all <- setdiff(all, "curve") # needs data with an axis
    switch(c("fcrsc", "subset", "glean", "markers", "ranking", "none")[
        which(c(of > 0, TRUE))[1L]],
        fcrsc = c("tree", all),
        subset = if (generic == "plot") NA else all,
        glean = c("parts", "samples", all),
        markers = c("dots", "volcano"),
        ranking = all,
        none = NA)
}

# "drawn", or what went wrong.
outcome_of <- function(object, generic, type, x) {
    features <- inherits(object, "feature_ranking") && generic == "autoplot" &&
        type %in% c("heat", "dots")
    of_samples <- inherits(object, c("pairwise_constraints", "similarity_graph",
                                     "constrained_clusters", "questionnaire"))
    arguments <- c(
        list(object), if (!is.na(type)) list(type = type),
        if (features) list(x = x, classes = rep(c("a", "b"), 10)),
        if (of_samples) stats::setNames(list(x), c(plot = "y", autoplot = "x")[generic])
    )
    tryCatch(suppressMessages({
        drawn <- do.call(if (generic == "plot") graphics::plot else
            ggplot2::autoplot, arguments)
        if (generic == "autoplot") ggplot2::ggplotGrob(drawn)
        "drawn"
    }), linkrank_error = function(e) "refused",
    error = conditionMessage, warning = conditionMessage)
}

test_that("every method draws, or refuses in a sentence, what is hard to draw", {
    skip_if_not_installed("ggplot2")
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    seen <- list()
    methods <- parseNamespaceFile("linkrank", dirname(getNamespaceInfo(
        "linkrank", "path")))$S3methods
    classes_of <- function(generic) {
        methods[sub(".*::", "", methods[, 1L]) == generic, 2L]
    }
    # the pictures of ggplot2 take long: of one class and columns, of hard tables by
    # one method, and of features in the data, where the class says nothing, one each
    done <- character()
    for (table in names(hard_tables())) {
        x <- hard_tables()[[table]]
        for (code in plotted) {
            object <- made_of(code, x)
            if (inherits(object, "error")) next
            for (generic in c("plot", "autoplot")) {
                if (generic == "autoplot" && inherits(object, c(
                    "constrained_clusters", "question_plan", "questionnaire")))
                    next
                for (type in types_of(object, generic)) {
                    picture <- paste(
                        table, generic, type,
                        if (table == "rare") class(object)[1L] else
                            intersect(class(object), classes_of(generic))[1L],
                        if (!type %in% c("heat", "dots") && table == "rare")
                            toString(names(object))
                    )
                    if (generic == "autoplot" && picture %in% done) next
                    done <- c(done, picture)
                    outcome <- outcome_of(object, generic, type, x)
                    expect_true(outcome %in% c("drawn", "refused"), label = paste(
                        table, deparse1(code), generic, type, outcome))
                    if (outcome == "drawn") {
                        seen[[generic]] <- union(seen[[generic]], class(object))
                    }
                }
            }
        }
    }
    # all methods of these generics
    for (generic in c("plot", "autoplot")) {
        wanted <- classes_of(generic)
        expect_gt(length(wanted), 8L)
        expect_identical(setdiff(wanted, seen[[generic]]), character())
    }
})

test_that("features without an adjusted p-value are drawn as not significant", {
    x <- hard_tables()$rare
    ranking <- made_of(plotted[[1L]], x)
    adjusted <- ranking[["fdr"]]
    expect_true(anyNA(adjusted))
    shown <- texts_of(plot(ranking, type = "significance", alpha = 1))
    count <- sum(!is.na(adjusted))
    expect_match(shown, paste0("fdr <= 1 (", count, ")"), fixed = TRUE,
                 all = FALSE)
    none <- made_of(plotted[[1]], hard_tables()$same)
    expect_error(plot(none, type = "significance"), "must have a p-value",
                 class = "linkrank_error")
})
