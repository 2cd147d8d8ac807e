# evaluate_method(): splits of the samples, and the accuracy of a ranking made
# of a part of them.

# ==== evaluate_method() =======================================================

# Evaluation of ranking methods over repeated splits.

#' Evaluate ranking methods over repeated splits
#'
#' Splits the samples, ranks the features on the training samples by several
#' methods that get the same information, predicts the test samples from the
#' first features of each ranking, and repeats this. Use it to choose a method
#' and a number of features. Errors of means and differences allow for samples
#' that splits share.
#'
#' @param x Data: see [prepare_data()].
#' @param y Class of each sample, or a number to predict: whole numbers are
#'   classes, unless a metric or a ranker is one of numbers. No `NA`. Also the
#'   name of a column of a data.frame, which is then no feature, or of a
#'   container's sample data.
#' @param rankers Names of methods ([ranking_methods()]), or a named list of
#'   names and functions. `NULL`: `"glean"`, or `"rrelieff"` for a number. A
#'   function, as in [rank_features()], gets training samples, and also those of
#'   `assay.type`, `na.action` and `threads` that are among its arguments.
#' @param splits Number of splits (with `folds`: of repeats, by default 1); or a
#'   list of training row numbers or of `list(train, test)`, or an `rset` or
#'   `initial_split()` of \pkg{rsample}.
#' @param type `"random"`: samples are drawn. `"first"`: the first samples of
#'   each class, in row order; there is one such split.
#' @param share Proportion of each class for training, above 0 and below 1;
#'   rounded up.
#' @param folds `NULL`; or the number of parts, from 2, each the test part of
#'   one split, with classes distributed evenly; `Inf`: leave-one-out.
#' @param draws How often constraints are drawn for each split, a whole number
#'   from 1.
#' @param constraints What all methods that need them get. `"labels"`: pairs
#'   drawn from the training classes; `"active"`: pairs that
#'   [active_constraints()] selects, answered by these; constraints of all
#'   samples, restricted to the training samples; or a function that gets those
#'   of `x`, `y` and `rows` (data, classes and row numbers of the training
#'   samples) that are among its arguments, and returns constraints.
#' @param cannot_link,must_link For `"labels"`: how many pairs of each kind;
#'   `Inf` for both: all. `cannot_link = NULL`: 10, or fewer where there are
#'   fewer.
#' @param questions For `"active"`: how many questions, a whole number from 1.
#' @param options Named list of arguments of the methods: by ranker, as in
#'   `list("ReliefF-Sc" = list(k = 5))`, or for all, as in `list(k = 5)`.
#' @param n,classifier,positive,metric See [evaluate_ranking()].
#' @param k For the evaluation: see [evaluate_ranking()]. `k` and `scale` of the
#'   methods are in `options`.
#' @param BPPARAM Run the splits in parallel on [workers].
#' @param ... Arguments of [prepare_data()], by name: `scale`, `na.action` (both
#'   of the classifier), `unit`, `assay.type`, `threads`, `progress`.
#' @return An object of class `method_evaluation` (and [ranking_evaluation]), a
#'   data.frame with a row per split, draw, ranking and number of features:
#'   `split`, `draw`, `ranking`, `features` and a column per metric, by default
#'   `accuracy`, `precision`, `recall` (for a number `rmse`).
#'   [summary()][ranking_evaluation] gives means, errors, paired differences and
#'   a number of features. Attribute `ratio`: test samples per training sample;
#'   `dropped`: the constraints of each run that do not apply to the training
#'   samples.
#'
#' @details *Replicates.* Where several samples come from one donor, or are
#'   replicates, noise is classified right. With `unit = donor` all samples of a
#'   donor are on one side, and `share`, `folds` and classes (that of most
#'   samples) are of donors.
#'
#' Neither methods nor constraints use the test samples. Splits are drawn first,
#' and each run (a split and a draw) has its own random stream: methods do not
#' affect each other, and workers change no bit. An error in a method ends the
#' evaluation.
#'
#' @section Errors: `linkrank_error_argument` (unknown method or option, a
#'   function that returns no ranking, `NA` in `y`, other `splits`); those of
#'   [evaluate_ranking()].
#'
#' @seealso [evaluate_ranking()] for one split
#' @examples
#' x <- log2(colon$x)
#' set.seed(1)
#' found <- evaluate_method(
#'     x[, 1:200], colon$tissue, splits = 5, n = c(1, 5, 10, 20),
#'     rankers = list(
#'         Glean = "glean",
#'         `one neighbour` = function(x, constraints) relief_sc(x, constraints)
#'     )
#' )
#' found
#' summary(found)
#' plot(found)
#'
#' # a metric of one's own: tumours that are missed cost five times as much
#' cost <- structure(function(truth, estimate) {
#'     mean((truth != estimate) * ifelse(truth == "tumour", 5, 1))
#' }, direction = "minimize")
#' evaluate_method(x[, 1:200], colon$tissue, "relieff", splits = 5,
#'                 n = c(5, 20), metric = cost)
#' @export
evaluate_method <- function(
    x, y, rankers = NULL, ..., splits = 20, type = c("random", "first"),
    share = 1 / 2, folds = NULL, draws = 1, constraints = "labels",
    cannot_link = NULL, must_link = 0, questions = 20, options = list(),
    n = NULL, classifier = NULL, positive = NULL, metric = NULL, k = 1,
    BPPARAM = NULL) {
    called <- called_settings(..., uses = c(score_arguments, "unit"))
    taken <- split_column(as_samples(x), y)
    x <- check_whole(taken$x, called$assay.type)
    if (inherits(x, "prepared_data"))
        called$na.action <- called$na.action %||% x$settings$na.action
    samples <- sample_axis(x)
    unit <- known_unit(x, called$unit)
    y <- named_response(taken$y, x)
    warn_if(origin_rule(label_origin(y))$none, "Accuracy says nothing about ",
            "`y`, because these data made its classes.", class = "significance")
    y <- check_outcome(y, samples$n, predicts_numbers(y, metric, rankers))
    metric <- check_metric(metric, !is.factor(y))
    settings <- evaluation_options(classifier, n, positive, metric, k, called)
    inner <- inner_settings(called)
    rankers <- check_rankers(rankers %||%
                                 if (is.factor(y)) "glean" else "rrelieff")
    source <- constraint_source(constraints, samples, cannot_link, must_link,
                                questions)
    shared <- list(x = x, y = y, rankers = rankers, inner = inner,
                   settings = settings[names(settings) != "control"],
                   options = options_by_ranker(options, rankers, inner),
                   source = source, samples = samples$n)
    workers <- check_workers(BPPARAM)
    plan <- plan_splits(if (missing(splits)) NULL else splits, type, share,
                        folds, y, unit)
    draws <- check_count(draws, "draws", 1, 1e6)
    tasks <- unlist(lapply(plan, function(split) {
        lapply(seq_len(draws), function(draw) c(split, draw = draw))
    }), recursive = FALSE)
    found <- warn_once(
        spread(tasks, evaluate_run, shared, workers,
               c("Evaluation", "runs"), called$control$progress),
        # that a column splits the pairs is no news where it is `y`
        "linkrank_message_pairs"[identical(constraints, "labels")]
    )
    dropped <- vapply(found, `[[`, 0, "dropped")
    structure(do.call(rbind, lapply(found, `[[`, "table")),
              splits = length(plan), draws = draws, made_by = this_version(),
              split_by = split_words(samples$n, unit),
              ratio = test_ratio(plan),
              dropped = if (!all(is.na(dropped))) dropped,
              metrics = metric_directions(metric),
              class = c("method_evaluation", "ranking_evaluation",
                        "data.frame"))
}

# Classes or numbers, known for all samples.
check_outcome <- function(y, samples, numbers) {
    check_all_known(if (numbers || holds_numbers(y)) {
        match_response(as_numeric_response(y), list(n = samples))
    } else {
        warn_many_numbers(y, "metric = \"rmse\" judges predicted numbers")
        check_classes(y, "y", samples, "x")
    }, "y")
}

# ---- one run ----------------------------------------------------------------

# `task`: list(train, test, split, draw). list(table, dropped).
evaluate_run <- function(task, shared) {
    train <- take_samples(shared$x, task$train)
    y <- shared$y[task$train]
    drawn <- run_constraints(shared, train, y, task$train)
    given <- c(list(x = train, y = y, constraints = drawn$constraints),
               shared$inner)
    rankings <- Map(function(ranker, name, used) {
        parts <- given[names(given) %in% ranker_parts(ranker)]
        tryCatch(as_ranker(ranker, names(parts), used)(parts),
                 error = function(condition) abort_linkrank(
                     "Ranker \"{name}\": {conditionMessage(condition)}"))
    }, shared$rankers, names(shared$rankers), shared$options)
    found <- do.call(evaluate_ranking, c(list(
        rankings, train, y, take_samples(shared$x, task$test),
        shared$y[task$test]), shared$settings, shared$inner), quote = TRUE)
    list(table = data.frame(split = task$split, draw = task$draw,
                            as.data.frame(found)), dropped = drawn$dropped)
}

# ---- constraints of a run ---------------------------------------------------

# Where the constraints of a run come from.
constraint_source <- function(constraints, samples, cannot_link, must_link,
                              questions) {
    if (inherits(constraints, "pairwise_constraints")) {
        constraints <- match_constraints_once(constraints, samples)
    } else if (!is.function(constraints)) {
        ok <- is_text(constraints) && constraints %in% c("labels", "active")
        refuse_value_if(!ok, constraints, "`constraints` must be \"labels\",
                        \"active\", pairwise_constraints or a function(x, y,
                        rows)")
        questions <- check_count(questions, "questions")
    }
    list(constraints = constraints, cannot_link = cannot_link,
         must_link = must_link, questions = questions)
}

# list(constraints, dropped): NULL when no ranker needs them.
run_constraints <- function(shared, train, y, rows) {
    source <- shared$source
    given <- source$constraints
    wanted <- vapply(shared$rankers, function(ranker) {
        "constraints" %in% ranker_parts(ranker)
    }, NA)
    if (!any(wanted)) return(list(constraints = NULL, dropped = NA_real_))
    if (inherits(given, "pairwise_constraints"))
        return(follow_samples(given, rows, given$names[rows]))
    links <- if (is.function(given)) {
        own_constraints(call_by_name(given, list(x = train, y = y,
                                                 rows = rows)),
                        rows, shared$samples)
    } else if (given == "labels") {
        constraints_from_labels(
            y, must_link = source$must_link,
            cannot_link = source$cannot_link %||%
                min(10, count_label_pairs(as.integer(factor(y)), FALSE)))
    } else {
        # a small training part may have fewer pairs to ask about
        withCallingHandlers(
            do.call(active_constraints, c(list(train, y, source$questions),
                                          shared$inner), quote = TRUE),
            linkrank_warning_questions = muffle)
    }
    list(constraints = links, dropped = NA_real_)
}

# A user's function with those of some values that are among its arguments.
call_by_name <- function(own, values) {
    takes <- names(formals(args(own)))
    if (!"..." %in% takes) values <- values[names(values) %in% takes]
    do.call(own, values, quote = TRUE)
}

# Constraints from a user's function: of the training samples, or of all.
own_constraints <- function(links, rows, samples) {
    check_constraints(links)
    if (links$samples == length(rows)) return(links)
    refuse_if(links$samples != samples, "`constraints` must return those of all
              {length(rows)} training samples.", class = "constraints")
    constraints_of(links, rows)
}

# ---- rankers ----------------------------------------------------------------

check_rankers <- function(rankers) {
    if (is.function(rankers)) rankers <- list(ranker = rankers)
    if (is.character(rankers) && is.null(names(rankers))) {
        registry <- package_table("methods.csv")
        names(rankers) <- registry$label[match(rankers, registry$method)]
    }
    rankers <- as.list(rankers)
    refuse_if(!length(rankers) || !all(nzchar(names(rankers) %||% "")) ||
                  anyDuplicated(names(rankers)), "`rankers` must be names of ",
              "methods, or a list that names each ranker differently.")
    lapply(rankers, check_method)
    rankers
}

# The options of each ranker: its own, or general ones that it has as arguments;
# then the settings of the evaluation that it has as arguments.
options_by_ranker <- function(options, rankers, inner) {
    takes <- lapply(rankers, method_arguments)
    options <- as.list(options)
    own <- length(options) && all(names(options) %in% names(rankers)) &&
        all(vapply(options, is.list, NA))
    if (!own) {
        unknown <- setdiff(names(options), unlist(takes))
        refuse_if(length(unknown) || length(options) && is.null(names(options)),
                  "`options` must name arguments of the rankers, or rankers, ",
                  "not ", if (length(unknown)) quote_values(unknown) else
                      "be without names", ".")
    }
    Map(function(ranker, name, takes) {
        used <- if (own) options[[name]] else
            options[names(options) %in% takes]
        if (is.function(ranker)) return(used)
        said <- settings_of(ranker, inner)
        c(used, said[setdiff(names(said), names(used))])
    }, rankers, names(rankers), takes)
}

# ==== splits ==================================================================

# Row numbers of training and test samples, ascending: a share of each class,
# rounded up to whole samples, drawn or the first in row order. Unlabelled
# samples are a class. Of units, these are the samples.
split_half <- function(y, type = "random", share = 1 / 2) {
    classes <- as_class_labels(y, "y")
    refuse_if(length(classes) < 2L, "`y` must have at least 2 samples to be ",
              "halved, not ", length(classes), ".")
    rows <- split(seq_along(classes), addNA(classes, ifany = TRUE))
    train <- lapply(rows, function(own) {
        if (type == "random") own <- own[sample.int(length(own))]
        # 2/3 of 3 must be 2 in spite of rounding
        utils::head(own, ceiling(share * length(own) - 1e-9))
    })
    train <- sort(unlist(train, use.names = FALSE))
    refuse_if(!length(train) || length(train) == length(classes),
              "`share` must leave samples for training and for testing, but ",
              format(share), " of each class, rounded up, does not (samples: ",
              length(classes), ", classes: ", length(rows), ").")
    list(train = train, test = setdiff(seq_along(classes), train))
}

# ==== groups of samples =======================================================

# Groups of samples against classes.

# c(ari, nmi, groups): the adjusted Rand index (Hubert and Arabie 1985), the
# mutual information divided by the mean of the two entropies, and the number
# of groups. Samples without a group are together.
group_indices <- function(group, class) {
    code <- as.integer(factor(group))
    count <- max(code, 0L, na.rm = TRUE)
    code[is.na(code)] <- count + 1L
    chance <- count_alike(code) * count_alike(class) / choose(length(code), 2)
    most <- (count_alike(code) + count_alike(class)) / 2
    entropy <- function(...) {
        share <- table(...) / length(code)
        -sum(share[share > 0] * log(share[share > 0]))
    }
    own <- entropy(code) + entropy(class)
    # where both have a single group, or one for each sample
    c(ari = if (most == chance) 1 else
          (count_alike(code, class) - chance) / (most - chance),
      nmi = if (own == 0) 1 else 2 * (own - entropy(code, class)) / own,
      groups = count)
}
