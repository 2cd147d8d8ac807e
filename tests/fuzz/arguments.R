# Arguments by their names: what is right, what is wrong, what is damaged.

labels_of <- function(s) {
    y <- s$truth
    switch(sample(4L, 1L), y, factor(paste0("class", y)), letters[y],
           replace(y, sample.int(s$n, 1L), NA))
}

# Of each sample: a batch, and with some a whole that crosses the classes.
batches <- function(s) {
    y <- sample(c("north", "south"), s$n, TRUE)
    if (runif(1) < 0.2) NULL else if (runif(1) < 0.5) factor(y) else y
}

small <- function(most = 6L) function(s) sample.int(most, 1L)

# Per name: a function of the scene, or a list per function with `other`.
right <- list(
    x = list(
        constraints_from_columns = function(s) of(s, "columns"),
        other = function(s) s$x),
    constraints = function(s) of(s, "links"),
    y = labels_of, classes = function(s) s$truth,
    annotation = function(s) of(s, "annotation"),
    block = batches,
    groups = list(plan_questions = function(s) 2, other = function(s) {
        groups <- c("B cells", "T cells", "others", "rest")[s$truth]
        if (runif(1) < 0.3) groups[sample.int(s$n, 1L)] <- NA
        if (runif(1) < 0.5) factor(groups) else groups
    }),
    strategies = function(s) {
        one_of("groups", "random", function(state) sample(state$samples, 2L))
    },
    methods = function(s) one_of("glean", "pck_means"),
    effect = function(s) runif(1, 0.5, 3), trials = function(s) 2,
    noise = function(s) runif(1, 0, 0.5), level = function(s) 0.05,
    answers = list(questionnaire = NULL, other = function(s) of(s, "raters")),
    pairwise = function(s) runif(1) < 0.5, lfc = function(s) runif(1, 0, 2),
    confidence = function(s) one_of(NA, 1, 0.4),
    number = function(s) 1L, source = function(s) "somebody",
    rater = function(s) "Ada",
    eigenvectors = small(2L), rounds = small(3L), adjust = function(s) "none",
    alpha = function(s) runif(1), ramp = function(s) c(0.1, 0.5),
    cut = function(s) one_of("auto", "h"), draws = small(2L),
    name = function(s) "mine", columns = function(s) "rank",
    features = list(
        pair_margins = function(s) {
            names <- colnames(s$x)
            if (is.null(names)) sample.int(s$p, 1L) else sample(names, 1L)
        },
        ensemble_ranking = function(s) sample.int(s$p, 1L)),
    ranking = list(
        glean_labels = function(s) glean(s$x, of(s, "links")),
        other = function(s) of(s, "ranking")),
    target = list(plan_questions = function(s) 0.8,
                  other = function(s) of(s, "ranking")),
    questionnaire = function(s) of(s, "questionnaire"),
    tree = function(s) of(s, "tree"),
    markers = function(s) of(s, "markers"),
    graph = list(
        cluster_features = function(s) of(s, "feature_graph"),
        fcrsc = function(s) one_of("simplex", "nnlasso", "correlation",
                                   of(s, "feature_graph")),
        other = function(s) of(s, "graph")),
    k = small(4L), n = small(), t = function(s) 10^runif(1, -1, 3),
    sigma = function(s) runif(1, 0.2, 5), top = small(30L),
    starts = small(3L), replicates = small(3L), permutations = small(9L),
    max_iter = small(20L), max_features = small(4L), patience = small(3L),
    clusters = function(s) 2, cluster = function(s) s$truth,
    lambda = function(s) runif(1, 0.05, 0.9),
    gamma = function(s) runif(1, 0.05, 0.9), beta = function(s) runif(1),
    penalty = function(s) one_of(0, 1, 10, Inf), votes = small(3L),
    bins = function(s) sample(5:20, 1L), a = function(s) runif(1, 0.1, 0.9),
    relative = function(s) runif(1, 0.01, 0.9), C = small(3L),
    k_output = small(3L), samples = list(
        pairwise_constraints = samples_of,
        restrict_constraints = function(s) sort(sample.int(
            s$n, sample(3:s$n, 1L))),
        as_feature_ranking = function(s) s$n,
        other = function(s) sample.int(s$n, 1L)),
    cannot_link = list(
        pairwise_constraints = function(s) draw_pairs(s, FALSE),
        constraints_from_columns = function(s) "known",
        other = function(s) sample(0:3, 1L)),
    must_link = list(
        pairwise_constraints = function(s) draw_pairs(s, TRUE),
        constraints_from_columns = function(s) "clone",
        relieff_sc = NULL, relief_sc = NULL, simba_sc = NULL,
        propagate_constraints = NULL, other = function(s) sample(0:2, 1L)),
    labels = labels_of, truth = function(s) s$truth,
    oracle = function(s) {
        truth <- s$truth
        function(i, j) {
            if (truth[i] == truth[j]) "must-link" else "cannot-link"
        }
    },
    max_questions = small(5L), order = list(
        simba = function(s) sample.int(s$n), simba_sc = NULL,
        other = function(s) sample.int(s$n)),
    answer = function(s) one_of("must-link", "cannot-link", "unsure", NA),
    hint = function(s) runif(1) < 0.5, type = list(spectral_score = small(2L)),
    max_cor = function(s) runif(1), h = function(s) runif(1),
    prop = function(s) runif(1, 0.05, 1), absolute = function(s) TRUE,
    feature = function(s) of(s, "ranking")$feature[1L],
    epsilon = function(s) runif(1, 0.1, 5), space = function(s) 1,
    method = list(
        rank_features = function(s) one_of("relieff_sc", "variance_score",
                                           "CS1", "fisher_score"),
        ensemble_ranking = function(s) one_of("relieff_sc", "relief_sc"),
        ranking_stability = function(s) one_of("relieff_sc", "relief_sc"),
        as_feature_ranking = function(s) "mine"),
    rankers = function(s) {
        one_of(variance_score, list(one = "variance_score", two = "relieff"))
    },
    splits = small(2L), questions = small(3L), folds = function(s) 2,
    share = function(s) runif(1, 0.3, 0.7), fraction = function(s) 0.8,
    train = function(s) s$x, test = function(s) s$x,
    y_test = function(s) s$truth,
    scores = function(s) setNames(runif(s$p), paste0("g", seq_len(s$p))),
    file = list(read_answers = function(s) of(s, "file"),
                write_answers = function(s) tempfile(fileext = ".csv")),
    accuracy = function(s) matrix(runif(6), 3, dimnames = list(
        NULL, c("a", "b"))),
    combine = function(s) one_of("rank", "score"),
    variant = small(2L), tol = function(s) 1e-4
)

# Those that a function of this name needs, besides what has no default.
also <- list(simba = "starts", simba_sc = "starts", pck_means = "starts",
             ensemble_ranking = c("constraints", "replicates"),
             ranking_stability = c("constraints", "replicates"),
             rank_features = c("constraints", "y"), glean = "constraints",
             select_subset = "constraints", evaluate_method = "splits",
             active_constraints = "max_questions",
             questionnaire = "max_questions",
             plan_questions = c("questions", "trials"),
             evaluate_questions = c("questions", "splits", "strategies"),
             constraints_from_columns = c("must_link", "cannot_link"),
             plot_features = c("classes", "constraints"))

# Left alone: graphics, workers, and what must fit another argument.
never <- c("...", "main", "xlab", "ylab", "BPPARAM", "assay.type",
           "threads", "progress", "options", "classifier", "positive",
           "metric")

right_value <- function(name, fun, s) {
    maker <- right[[name]]
    if (is.list(maker)) {
        maker <- if (fun %in% names(maker)) maker[[fun]] else maker$other
    }
    if (is.function(maker)) list(maker(s))
}

# Choices are recognised by the default: c("a", "b").
choice_value <- function(default) {
    if (is.call(default) && identical(default[[1L]], quote(c))) {
        values <- eval(default)
        if (is.character(values)) list(sample(values, 1L))
    }
}

right_arguments <- function(fun, s) {
    takes <- formals(fun_of(fun))
    given <- list()
    for (name in setdiff(names(takes), never)) {
        required <- identical(takes[[name]], quote(expr = ))
        if (required || name %in% also[[fun]] || runif(1) < 0.25) {
            value <- if (!required) choice_value(takes[[name]])
            given[name] <- if (is.null(value)) right_value(name, fun, s) else
                value
        }
    }
    given
}

fun_of <- function(fun) get(fun, envir = asNamespace("linkrank"))

# ---- what is wrong -----------------------------------------------------------

wrong_values <- function() {
    list(NULL, NA, NA_real_, NaN, -1, 0, 1.5, Inf, -Inf, 1e10, 2^31, "a", "",
         character(), numeric(), TRUE, list(), list(1, "a"), mean, c(1, 2),
         1:3, matrix(1:4, 2), matrix("a", 3, 3), data.frame(),
         data.frame(a = 1:3, b = letters[1:3]), factor(c("u", "v")),
         as.raw(1), 1i, quote(a), Sys.Date(), array(1, c(2, 2, 2)),
         structure(list(), class = "similarity_graph"),
         structure(list(), class = "pairwise_constraints"),
         structure(list(), class = "feature_ranking"))
}

wrong_data <- function(s) {
    x <- s$x
    at <- sample.int(length(x), 1L)
    switch(sample(9L, 1L), replace(x, at, NA), replace(x, at, NaN),
           replace(x, at, Inf), x[1:2, , drop = FALSE],
           x[, integer(), drop = FALSE], `dimnames<-`(x, list(
               NULL, rep("same", ncol(x)))), x * 1e308, as.character(x),
           `storage.mode<-`(x, "complex"))
}

spoil <- function(args, s) {
    if (!length(args)) return(args)
    name <- sample(names(args), 1L)
    args[name] <- if (name %in% c("x", "train", "test") && runif(1) < 0.5) {
        list(wrong_data(s))
    } else {
        wrong_values()[sample.int(length(wrong_values()), 1L)]
    }
    args
}

# ---- what is damaged ---------------------------------------------------------

damage_vector <- function(v) {
    if (!length(v)) return(v)
    at <- sample.int(length(v), 1L)
    switch(sample(5L, 1L), v[-at], c(v, v[1L]), replace(v, at, NA),
           if (is.numeric(v)) {
               replace(v, at, as(999999999L, typeof(v)))
           } else rev(v),
           if (is.numeric(v)) replace(v, at, as(-7L, typeof(v))) else NULL)
}

damage <- function(object, depth = 0L) {
    if (isS4(object) && methods::is(object, "Matrix")) {
        slots <- intersect(c("p", "i", "x", "Dim"), slotNames(object))
        slot <- sample(slots, 1L)
        attr(object, slot) <- damage_vector(attr(object, slot))
        return(object)
    }
    if (is.atomic(object)) {
        kept <- attributes(object)
        object <- damage_vector(object)
        if (length(object) && is.null(kept$dim)) class(object) <- kept$class
        return(object)
    }
    if (!is.list(object) || !length(object) || depth > 2L) return(object)
    class <- oldClass(object)
    object <- unclass(object)
    at <- sample.int(length(object), 1L)
    object[at] <- list(if (runif(1) < 0.15) NULL else
        damage(object[[at]], depth + 1L))
    class(object) <- class
    object
}

objects <- c("constraints", "graph", "ranking", "questionnaire", "tree",
             "target", "object")

spoil_object <- function(args, s) {
    name <- intersect(objects, names(args))
    if (!length(name) || "x" %in% names(args) && runif(1) < 0.3) {
        if (!"x" %in% names(args)) return(spoil(args, s))
        args$x <- damage(as_container(s$x, "sparse"))
        return(args)
    }
    name <- name[sample.int(length(name), 1L)]
    args[name] <- list(damage(args[[name]]))
    args
}
