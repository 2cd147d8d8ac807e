# What calls are made with: data, pairs, and all that the package makes of them.
# Everything is drawn at random from R's generator, which the number of the call
# has seeded.

one_of <- function(...) {
    choices <- list(...)
    choices[[sample.int(length(choices), 1L)]]
}

draw_cells <- function(n, p, kind) {
    size <- n * p
    cells <- switch(kind,
        normal = rnorm(size),
        # below three cells in ten, sparse x has a search of its own
        counts = as.numeric(rpois(size, one_of(0.1, 0.6))),
        whole = sample.int(4L, size, TRUE) + 0,
        flags = rbinom(size, 1, 0.4) + 0,
        # mostly 0, which is not the least value
        gaps = rnorm(size) * rbinom(size, 1, 0.15),
        huge = rnorm(size) * 10^sample(c(-120, -8, 8, 120), 1L),
        shifted = rnorm(size) + 1e7)
    matrix(cells, n, p)
}

# One scene: the data and what is known of the samples.
new_scene <- function() {
    n <- sample(c(3:12, 20:40), 1L)
    p <- sample(c(1:9, 12, 25), 1L)
    kind <- sample(c("normal", "counts", "whole", "flags", "gaps", "huge",
                     "shifted"), 1L, prob = c(4, 3, 2, 2, 3, 1, 1))
    x <- draw_cells(n, p, kind)
    if (runif(1) < 0.25) x[, sample.int(p, 1L)] <- x[1L]
    if (runif(1) < 0.2) x[sample.int(n, 1L), ] <- x[sample.int(n, 1L), ]
    dimnames(x) <- list(if (runif(1) < 0.6) paste0("s", seq_len(n)),
                        if (runif(1) < 0.8) paste0("g", seq_len(p)))
    classes <- sample(2:4, 1L)
    truth <- sample(rep_len(seq_len(classes), n))
    as.environment(list(x = x, n = n, p = p, kind = kind, truth = truth,
                        names = rownames(x), whole = TRUE, made = list()))
}

# What the scene holds already, or makes now.
of <- function(scene, what) {
    if (is.null(scene$made[[what]])) {
        scene$made[[what]] <- makers[[what]](scene)
    }
    scene$made[[what]]
}

draw_pairs <- function(s, same) {
    ends <- t(combn(s$n, 2L))
    ends <- ends[(s$truth[ends[, 1L]] == s$truth[ends[, 2L]]) == same, ,
                 drop = FALSE]
    ends[sample.int(nrow(ends), min(nrow(ends), sample(0:6, 1L))), ,
         drop = FALSE]
}

samples_of <- function(s) if (is.null(s$names)) s$n else s$names

# The first questions answered by the truth, a quarter of them wrong or unsure.
answer_some <- function(q, s, count) {
    for (answer in seq_len(count)) {
        pair <- next_pair(q)
        if (is.null(pair)) break
        alike <- match(s$truth[pair[1L]], s$truth[pair[-1L]], nomatch = 0L)
        sorting <- q$ask == "sort"
        answer <- if (sorting) alike else
            if (alike) "must-link" else "cannot-link"
        if (runif(1) < 0.25) {
            answer <- if (sorting) one_of(0, 1, NA) else
                one_of("must-link", "unsure")
        }
        q <- answer_pair(q, answer, confidence = one_of(NA, 1, 0.5))
    }
    q
}

makers <- list(
    links = function(s) {
        if (runif(1) < 0.1) {
            known <- of(s, "active")
            if (any(as.data.frame(known)$type == "cannot-link")) return(known)
        }
        if (runif(1) < 0.2) {
            labels <- s$truth
            labels[runif(s$n) < 0.3] <- NA
            if (length(unique(labels[!is.na(labels)])) > 1L) {
                names(labels) <- s$names
                return(constraints_from_labels(labels))
            }
        }
        cannot <- draw_pairs(s, FALSE)
        if (!nrow(cannot)) {
            apart <- which(s$truth != s$truth[1L])
            cannot <- cbind(1L, apart[1L])
        }
        pairwise_constraints(cannot_link = cannot, must_link = draw_pairs(s, TRUE),
                             samples = samples_of(s))
    },
    graph = function(s) {
        similarity_graph(s$x, k = sample.int(min(5L, s$n - 1L), 1L),
                         weight = one_of("binary", "self_tuning"))
    },
    feature_graph = function(s) {
        feature_graph(s$x, method = one_of("simplex", "nnlasso", "correlation"))
    },
    tree = function(s) cluster_features(of(s, "feature_graph")),
    ranking = function(s) {
        one_of(function() variance_score(s$x),
               function() relieff_sc(s$x, of(s, "links"), k = 2),
               function() fisher_score(s$x, s$truth),
               function() relief_sc(s$x, of(s, "links")),
               function() stir(s$x, s$truth, k = 1),
               function() fcrsc(s$x, of(s, "links")),
               function() glean(s$x, of(s, "links")),
               function() select_subset(s$x, y = s$truth))()
    },
    cells = function(s) s$x,
    clustered = function(s) fcrsc(s$x, of(s, "links")),
    margins = function(s) {
        links <- of(s, "links")
        pair_margins(s$x, links, top_features(relieff_sc(s$x, links), 2))
    },
    markers = function(s) group_markers(s$x, s$truth),
    agreement = function(s) answer_agreement(of(s, "raters")),
    suspects = function(s) suspect_answers(of(s, "active"), s$x),
    annotation = function(s) {
        data.frame(symbol = sample(letters, s$p, TRUE), row.names = {
            names <- colnames(s$x)
            if (is.null(names)) paste0("V", seq_len(s$p)) else names
        })
    },
    columns = function(s) {
        known <- c("B", "T", "NK", "M")[s$truth]
        clone <- paste0(known, sample(3L, s$n, TRUE))
        data.frame(clone = replace(clone, runif(s$n) < 0.3, NA),
                   known = replace(known, runif(s$n) < 0.3, NA),
                   row.names = s$names)
    },
    recipe = function(s) {
        if (!has("recipes")) return(NULL)
        step_select_linkrank(
            recipes::recipe(~ ., as.data.frame(s$x)),
            recipes::all_numeric_predictors(), constraints = of(s, "links"),
            num_terms = sample.int(s$p, 1L))
    },
    questionnaire = function(s) {
        sorting <- runif(1) < 0.3
        q <- questionnaire(
            s$x, strategy = if (sorting) "groups" else
                one_of("groups", "random", "perturbation"),
            ask = if (sorting) "groups" else "pairs", hint = runif(1) < 0.2)
        answer_some(q, s, sample(0:4, 1L))
    },
    raters = function(s) {
        lapply(c(Ada = "Ada", Ben = "Ben"), function(rater) {
            answer_some(questionnaire(s$x, rater = rater), s, sample(1:4, 1L))
        })
    },
    active = function(s) pairwise_constraints(cannot_link = of(s, "questionnaire")),
    propagated = function(s) propagate_constraints(of(s, "links"), s$x),
    clusters = function(s) pck_means(s$x, of(s, "links"), clusters = 2, starts = 1),
    evaluation = function(s) {
        evaluate_ranking(of(s, "ranking"), s$x, s$truth, s$x, s$truth)
    },
    stability = function(s) {
        ranking_stability(s$x, y = s$truth, method = "relieff",
                          replicates = 2)
    },
    method_evaluation = function(s) {
        evaluate_method(s$x, s$truth, list(a = "variance_score"), splits = 2)
    },
    file = function(s) {
        file <- tempfile(fileext = ".csv")
        write_answers(of(s, "questionnaire"), file)
        file
    }
)

# ---- the same data as other classes -------------------------------------------

has <- function(package) requireNamespace(package, quietly = TRUE)

# FALSE where the class cannot hold these data.
container_kinds <- c("data.frame", "sparse", "sparse", "SE", "delayed",
                     "blocks", "rows", "rows")

as_container <- function(x, kind) {
    switch(kind,
        data.frame = as.data.frame(x, optional = TRUE),
        sparse = methods::as(Matrix::Matrix(x, sparse = TRUE),
                             "generalMatrix"),
        SE = SummarizedExperiment::SummarizedExperiment(list(a = t(x))),
        rows = SummarizedExperiment::SummarizedExperiment(list(
            a = methods::as(Matrix::Matrix(t(x), sparse = TRUE),
                            "generalMatrix"))),
        delayed = DelayedArray::DelayedArray(x),
        blocks = SummarizedExperiment::SummarizedExperiment(list(
            a = DelayedArray::DelayedArray(t(x)))))
}
