# What these data made is not tested by them, whichever function it comes in by.
# Every export has a place here; a new one must be given one.

doors <- list(
    # p-values of pairs, classes or groups
    tests = c("fcrsc", "group_markers", "relief_sc", "relieff_sc", "stir"),
    # make pairs or groups, which keep where they come from
    makes = c("active_constraints", "close_constraints", "constraint_groups",
              "constraints_from_columns", "constraints_from_labels",
              "glean_labels", "pairwise_constraints", "pck_means",
              "propagate_constraints", "read_answers", "reconcile_answers",
              "restrict_constraints", "spectral_clustering", "write_answers"),
    # call those that test, by name
    passes = c("ensemble_ranking", "evaluate_method", "rank_features",
               "ranking_stability", "step_select_linkrank"),
    # take pairs, labels or groups, and return no p-value
    none = c("answer_agreement", "answer_conflicts", "answer_pair",
             "constraint_quality", "constraint_score", "evaluate_questions",
             "evaluate_ranking", "fisher_score", "glean", "irelief",
             "next_pair", "pair_margins", "pcfs", "plan_questions",
             "plot_features", "questionnaire", "questionnaire_app", "relief",
             "relieff", "rrelieff", "select_subset",
             "semisupervised_laplacian_score", "simba", "simba_sc",
             "supervised_laplacian_score", "suspect_answers", "undo_answer"),
    # take none of these
    other = c("add_ranking", "annotate_ranking", "as_feature_ranking",
              "cluster_features", "compare_rankings", "console_oracle",
              "cut_features", "diversify_ranking", "feature_graph",
              "feature_scores", "graph_laplacian", "keep_features",
              "laplacian_score", "marker_lists", "prepare_data",
              "ranking_methods", "redundancy", "similarity_graph",
              "spectral_score", "top_features", "variance_score")
)

test_that("every export is known here", {
    exports <- getNamespaceExports("linkrank")
    # without the tables of S4
    expect_setequal(unlist(doors), grep("^[.]__", exports, value = TRUE,
                                        invert = TRUE))
    expect_false(anyDuplicated(unlist(doors)) > 0)
})

some_derived <- function() {
    set.seed(3)
    x <- matrix(rnorm(30 * 20), 30, dimnames = list(
        paste0("s", 1:30), paste0("g", 1:20)))
    quiet <- function(call) suppressWarnings(suppressMessages(call))
    asked <- quiet(active_constraints(x, rep(1:2, 15), n = 10))
    labels <- glean_labels(quiet(glean(x, asked)))$cluster
    list(x = x, asked = asked, labels = labels)
}

# No number is printed without a word: there is no p-value, or a warning and a
# line of print say that it does not hold.
expect_void <- function(call) {
    said <- character()
    found <- withCallingHandlers(
        suppressMessages(call), linkrank_warning_significance = function(w) {
            said <<- c(said, conditionMessage(w))
            invokeRestart("muffleWarning")
        }, warning = function(w) invokeRestart("muffleWarning"))
    p <- grep("p_value$|^fdr$", names(found), value = TRUE)
    shown <- paste(capture.output(print(found)), collapse = " ")
    if (all(is.na(unlist(as.data.frame(found)[p])))) {
        expect_match(shown, "[Nn]o p-values")
    } else {
        expect_match(said, "are not valid", all = FALSE)
        expect_match(shown, "are not valid")
    }
}

test_that("labels that these data made have no p-values that hold", {
    it <- some_derived()
    x <- it$x
    labels <- it$labels
    columns <- data.frame(kind = I(labels), row.names = rownames(x))
    columns$kind <- labels
    pairs <- list(
        constraints_from_labels(labels),
        constraints_from_labels(labels, cannot_link = 8, must_link = 4),
        constraints_from_labels(columns, "kind"),
        constraints_from_columns(columns, cannot_link = "kind"),
        constraints_from_columns(columns, must_link = "kind",
                                 cannot_link = "kind"),
        constraints_from_columns(data.frame(kind = as.character(labels)),
                                 cannot_link = "kind", origin = "data"),
        constraints_from_columns(data.frame(kind = as.character(labels)),
                                 must_link = "kind", cannot_link = "kind",
                                 origin = "data"),
        active_constraints(x, labels, n = 8),
        active_constraints(x, labels, n = 8, strategy = "random", ask = "pairs"),
        c(active_constraints(x, labels, n = 8), it$asked),
        pairwise_constraints(cannot_link = cbind(1, 2:9), samples = 30,
                             origin = "data"),
        propagate_constraints(it$asked, x),
        constraints_from_labels(pck_means(x, it$asked, clusters = 2)$cluster)
    )
    kept <- function(links) list(
        links, close_constraints(links), restrict_constraints(links, 1:29),
        pairwise_constraints(as.data.frame(links), samples = 30))
    for (links in pairs) {
        expect_identical(links$origin, "data")
        for (again in kept(links)) expect_identical(again$origin, "data")
        expect_void(relieff_sc(x, links, permutations = 9))
    }
    expect_void(relief_sc(x, pairs[[1]], permutations = 9))
    expect_void(fcrsc(x, pairs[[2]], permutations = 9, graph = "correlation"))
    expect_void(rank_features(x, pairs[[2]], method = "relieff_sc",
                              permutations = 9))
    for (links in pairs[c(1, 3, 5)]) {
        expect_void(group_markers(x, links, permutations = 3))
    }
    for (groups in list(labels, columns$kind, rev(labels), droplevels(labels))) {
        expect_void(stir(x, groups, permutations = 9))
        expect_void(group_markers(x, groups))
    }
    expect_void(rank_features(x, y = labels, method = "stir",
                              permutations = 9))
    expect_void(stir(kind ~ ., data = cbind(columns, x), permutations = 9))
})

test_that("what nobody knows of has a line that says what it rests on", {
    # labels as text have lost their mark, pairs may be picked for their distance
    it <- some_derived()
    said_of <- function(found) gsub(" +", " ", paste(capture.output(print(found)),
                                                  collapse = " "))
    text <- as.character(it$labels)
    expect_match(said_of(relieff_sc(it$x, constraints_from_labels(text),
                                 permutations = 9)),
                 "valid only if these data had no part in the choice")
    expect_match(said_of(stir(it$x, text, permutations = 9)),
                 "valid only if the classes were not found in these data")
    expect_match(said_of(group_markers(it$x, text)),
                 "valid only if the groups were not found in these data")
    far <- which(as.matrix(dist(it$x)) > 7, arr.ind = TRUE)
    far <- far[far[, 1] < far[, 2], ][1:5, ]
    expect_match(said_of(relieff_sc(it$x, pairwise_constraints(
        cannot_link = far, samples = 30), permutations = 9)),
        "valid only if these data had no part in the choice")
})
