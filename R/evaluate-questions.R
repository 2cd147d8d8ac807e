# Accuracy of rankings and of clusters along the questions.

#' Compare strategies of questions by known classes
#'
#' How much do answers improve rankings and clusters? Labels answer the
#' questions of each strategy, and every method is evaluated after each number
#' of questions. Use it to compare strategies and methods, also your own.
#'
#' @param x Data: see [prepare_data()].
#' @param y The class of each sample, by which questions are answered.
#' @param strategies How questions are chosen: `"groups"`, `"random"` and
#'   `"perturbation"` of [active_constraints()], or functions, see there. A
#'   vector or a list; names label the strategies.
#' @param methods What uses the answers: names of [ranking_methods()] but those
#'   that need `y`, `"pck_means"`, `"spectral_clustering"`, or functions. A
#'   function, as in [evaluate_method()], also gets `clusters`, the number of
#'   classes, and returns a ranking, a factor with a group per sample, or a list
#'   with such a `cluster`.
#' @param ask How strategy `"groups"` asks: `"sort"` (a sample beside all
#'   groups), `"pairs"`, or both. All others ask about pairs.
#' @param questions Numbers of questions, whole numbers from 0.
#' @param noise The share of answers that are wrong, from 0 to 1.
#' @param raters How many people answer; of several [reconcile_answers()] makes
#'   one set.
#' @param splits,share,BPPARAM See [evaluate_method()]: questions are about the
#'   training samples.
#' @param n Numbers of features at which accuracies are averaged.
#' @param ... Arguments of [prepare_data()], by name: `na.action`, `unit`,
#'   `assay.type`, `threads`, `progress`.
#'
#' @return A data.frame of class `question_evaluation`, a row per split,
#'   strategy, method and number of questions (columns `split`, `strategy`,
#'   `method`, `questions`):
#' * `accuracy`, of the nearest neighbour with the best `n` features, for the
#'   test samples;
#' * `ari` and `nmi`, the adjusted Rand index and the normalised mutual
#'   information of groups and classes of the training samples that were not
#'   asked about (`NA` for fewer than two); samples without a group are one
#'   group. `ari` is 0 on average in noise, `nmi` above 0;
#' * `groups`, their number; `ari_all`, the index of all training samples, which
#'   is high in noise too, as the answers give the class of most.
#'
#' Rankings have an accuracy, clusters have indices, [glean()] has both. `NA`
#' where a method cannot do without more answers. The `groups` in the `memory`
#' of your own strategy, a group per sample, are evaluated as `"own groups"`.
#'
#' `summary()`: a row per strategy and method, best first, with the `area` under
#' the curve (its mean height), `se`, the difference to the best and its
#' standard error, corrected for splits that overlap (see [ranking_evaluation]),
#' and the `last` value.
#'
#' @details Each split, strategy and rater is one session, of which smaller
#'   numbers are the first questions. A wrong answer is the opposite, or, where
#'   samples are sorted, another of the groups shown or none.
#'
#' @section Errors: `linkrank_error_argument` for arguments out of range or `NA`
#'   in `y`; errors of strategies and methods.
#' @references Hubert, L. and Arabie, P. (1985). *Journal of Classification*, 2,
#'   193-218. \doi{10.1007/BF01908075}
#' @seealso [plan_questions()] for data without classes
#' @examples
#' set.seed(1)
#' found <- evaluate_questions(
#'     log2(colon$x)[, 1:100], colon$tissue, c("groups", "random"),
#'     questions = c(0, 10, 20), splits = 2, ask = "sort"
#' )
#' found
#' summary(found, measure = "ari")
#' plot(found)
#' @order 1
#' @export
evaluate_questions <- function(
    x, y, strategies = c("groups", "random"), methods = "glean", ...,
    ask = c("sort", "pairs"), questions = c(0, 5, 10, 20, 40), noise = 0,
    raters = 1, splits = 10, share = 1 / 2, n = c(5, 10, 20), BPPARAM = NULL) {
    called <- called_settings(..., uses = c("na.action", "unit"))
    taken <- split_column(as_samples(x), y)
    x <- check_whole(taken$x, called$assay.type)
    unit <- known_unit(x, called$unit)
    y <- check_all_known(check_classes(named_response(taken$y, x), "y",
                                       sample_axis(x)$n, "x"), "y")
    refuse_if(!whole_within(questions, 0, 1e6), "`questions` must be whole ",
              "numbers from 0 to 1000000.")
    refuse_sorted(strategies)
    strategies <- asked_forms(check_choices(strategies, "strategies", c(
        "groups", "random", "perturbation")), ask)
    rankers <- package_table("methods.csv")$method
    by_class <- vapply(rankers, function(one) "y" %in% ranker_parts(one), NA)
    methods <- check_choices(methods, "methods",
                             c(names(clusterers), rankers[!by_class]))
    shared <- c(list(x = x, y = y, unit = unit, strategies = strategies,
                     methods = methods, n = check_counts(n, 1e6),
                     questions = as.integer(sort(unique(questions))),
                     settings = inner_settings(called)), checked(noise, raters))
    workers <- check_workers(BPPARAM)
    plan <- plan_splits(splits, "random", share, NULL, y, unit)
    tasks <- unlist(lapply(plan, function(split) {
        lapply(names(strategies), function(name) c(split, strategy = name))
    }), recursive = FALSE)
    found <- do.call(rbind, warn_once(spread(
        tasks, judge_session, shared, workers, c("Evaluation", "sessions"),
        called$control$progress), "linkrank_message_pairs"))
    found$strategy <- factor(found$strategy, names(strategies))
    found$method <- factor(found$method, unique(c(names(methods),
                                                  found$method)))
    structure(found, splits = length(plan), ratio = test_ratio(plan),
              split_by = split_words(length(y), unit), made_by = this_version(),
              class = c("question_evaluation", "data.frame"))
}

question_measures <- c("accuracy", "ari", "nmi", "groups", "ari_all")

clusterers <- list(pck_means = pck_means,
                   spectral_clustering = spectral_clustering)

# A list of list(strategy, ask), by strategy "groups" one for each of `ask`.
asked_forms <- function(strategies, ask) {
    if (!length(ask) || !is.vector(ask)) ask <- list(ask)
    ask <- vapply(ask, check_choice, "", c("sort", "pairs"), "ask",
                  USE.NAMES = FALSE)
    unlist(lapply(names(strategies), function(name) {
        own <- strategies[[name]]
        asks <- if (identical(own, "groups")) unique(ask) else "pairs"
        forms <- lapply(asks, function(one) list(strategy = own, ask = one))
        stats::setNames(forms, if (length(asks) == 1L) name else
            paste0(name, ", ", asks))
    }), recursive = FALSE)
}

# A list of names that are known and functions, each with a name.
check_choices <- function(choices, argument, known) {
    choices <- name_choices(choices, "own")
    text <- vapply(choices, is_text, NA)
    good <- text | vapply(choices, is.function, NA)
    wrong <- setdiff(unlist(choices[text]), known)
    refuse_if(!length(good) || !all(good) || length(wrong) ||
              anyDuplicated(names(choices)), "`{argument}` must be functions
              or among {quote_values(known, 8L)}, each with another name",
              if (length(wrong)) paste0(", not ", quote_values(wrong)), ".")
    choices
}

# `task`: list(train, test, split, strategy). The rows of one session.
judge_session <- function(task, shared) {
    train <- take_samples(shared$x, task$train)
    class <- shared$y[task$train]
    unit <- shared$unit[task$train] %||% seq_along(class)
    answers <- do.call(simulate_answers, c(
        list(train, class, shared$strategies[[task$strategy]],
             max(shared$questions), shared$noise, shared$raters),
        shared$settings), quote = TRUE)
    accuracy <- function(ranking) {
        mean(do.call(evaluate_ranking, c(list(
            ranking, train, class, take_samples(shared$x, task$test),
            shared$y[task$test], n = pmin(shared$n, nrow(ranking)),
            metric = "accuracy"), shared$settings), quote = TRUE)$accuracy)
    }
    no_groups <- c(ari = NA, nmi = NA, groups = NA, ari_all = NA)
    rows <- lapply(shared$questions, function(count) {
        given <- answers(count)
        found <- Map(use_answers, shared$methods, names(shared$methods), list(c(
            list(x = train, constraints = given$constraints,
                 clusters = nlevels(droplevels(class))),
            shared$settings)))
        if (!is.null(given$groups)) {
            found$`own groups` <- list(cluster = match_returned(
                given$groups, sample_axis(train)$samples, "strategies", "x"))
        }
        values <- vapply(found, function(one) {
            ranked <- inherits(one, "feature_ranking")
            group <- if (!ranked) one$cluster else
                if (inherits(one, "glean_ranking")) glean_labels(one)$cluster
            c(accuracy = if (ranked) accuracy(one) else NA,
              if (is.null(group)) no_groups else
                  indices_of_session(group, class, which(
                      unit %in% unit[given$asked] | duplicated(unit))))
        }, numeric(5L))
        data.frame(split = task$split, strategy = task$strategy,
                   method = names(found), questions = count, t(values))
    })
    found <- do.call(rbind, rows)
    rownames(found) <- NULL
    found
}

# Of the samples that nobody was asked about, as the answers give the class of
# the others; `ari_all` of all. Of a unit one sample counts, of those asked
# none.
indices_of_session <- function(group, class, asked) {
    rest <- setdiff(seq_along(class), asked)
    c(if (length(rest) < 2L) c(ari = NA, nmi = NA, groups = NA) else
          group_indices(group[rest], class[rest]),
      ari_all = group_indices(group, class)[["ari"]])
}

# A ranking, a list with `cluster`, or NULL where the answers are too few.
use_answers <- function(method, name, given) {
    if (is_text(method) && method %in% names(clusterers))
        method <- clusterers[[method]]
    tryCatch(suppressWarnings(suppressMessages({
        found <- if (is.function(method)) call_by_name(method, given) else {
            parts <- given[intersect(names(given), ranker_parts(method))]
            as_ranker(method, names(parts), settings_of(method, given[-(1:3)]))(
                parts)
        }
        if (is.factor(found)) found <- list(cluster = found)
        if (!is.list(found) || is.data.frame(found))
            return(as_own_ranking(found))
        axis <- sample_axis(given$x)
        refuse_if(length(found$cluster) != axis$n, "`methods` must return a ",
                  "ranking, or a group for each of the ", axis$n, " samples ",
                  "as a factor or a list with `cluster`, but a function ",
                  "returned ", length(found$cluster), " groups.")
        list(cluster = match_returned(found$cluster, axis$samples, "methods",
                                      "x"))
    })), linkrank_error_constraints = function(condition) NULL,
    error = function(condition) {
        if (inherits(condition, "linkrank_error")) stop(condition)
        abort_linkrank("Method \"", name, "\": ", conditionMessage(condition))
    })
}

# ---- curves ------------------------------------------------------------------

# One measure as what evaluate_method() returns, a ranking being a strategy and
# method, and features being questions.
as_method_evaluation <- function(x, measure, name) {
    check_columns(x, c("split", "strategy", "method", "questions",
                       question_measures), name, "evaluate_questions()")
    known <- question_measures[!vapply(as.list(x)[question_measures],
                                       function(v) all(is.na(v)), NA)]
    measure <- if (is.null(measure)) known[1L] else
        check_choice(measure, known, "measure")
    table <- as.data.frame(x)
    table <- table[!is.na(table[[measure]]), ]
    parts <- droplevels(table[c("strategy", "method")])
    several <- vapply(parts, nlevels, 0L) > 1L
    curve <- if (all(several)) interaction(parts, sep = ", ", lex.order = TRUE,
                                           drop = TRUE) else
        parts[[if (several[["method"]]) "method" else "strategy"]]
    order <- order(table$split, curve, table$questions)
    structure(data.frame(split = table$split, draw = 1L, ranking = curve,
                         features = table$questions, table[measure])[order, ],
              splits = attr(x, "splits"), draws = 1L, ratio = attr(x, "ratio"),
              metrics = stats::setNames(FALSE, measure),
              class = c("method_evaluation", "ranking_evaluation",
                        "data.frame"))
}

#' @rdname evaluate_questions
#' @order 2
#' @param object What `evaluate_questions()` returned.
#' @param measure `"accuracy"`, `"ari"`, `"nmi"`, `"groups"` or `"ari_all"`;
#'   `NULL` for the first that there is.
#' @param reference The strategy and method that others are compared with, as
#'   in the column `curve`; `NULL` for the best.
#' @exportS3Method
summary.question_evaluation <- function(object, measure = NULL,
                                        reference = NULL, ...) {
    curves <- as_method_evaluation(object, measure, "object")
    measure <- main_metric(curves)
    counts <- Reduce(intersect, split(curves$features, curves$ranking),
                     unique(curves$features))
    curves <- curves[curves$features %in% counts, ]
    area <- function(values) {
        if (length(counts) < 2L) return(mean(values))
        between <- (values[-1L] + values[-length(values)]) / 2
        sum(diff(sort(counts)) * between) / diff(range(counts))
    }
    table <- compare_rankers(curves, measure, reference, area)
    last <- curves[curves$features == max(counts), ]
    data.frame(curve = as.character(table$ranking), area = table$mean,
               se = table$se, difference = table$difference,
               difference_se = table$difference_se,
               last = as.vector(tapply(last[[measure]], last$ranking, mean)[
                   as.character(table$ranking)]))
}

#' @rdname evaluate_questions
#' @order 3
#' @exportS3Method
print.question_evaluation <- function(x, ...) {
    if (!all(c("split", "strategy", "method", "questions",
               question_measures) %in% names(x))) { # some of its columns
        return(print(as.data.frame(x)))
    }
    count <- function(column) length(unique(x[[column]]))
    cat("<question_evaluation> ",
        paste(count("strategy"), if (count("strategy") == 1L) "strategy" else
            "strategies"), ", ", count_noun(count("method"), "method"), ", ",
        count_noun(count("split"), "split"), "\n", sep = "")
    cat_lines(attr(x, "split_by"))
    for (measure in c("accuracy", "ari")[!c(all(is.na(x$accuracy)),
                                            all(is.na(x$ari)))]) {
        facts <- summary(x, measure)
        means <- average_splits(as_method_evaluation(x, measure, "x"))
        names <- fit_width(facts$curve, 24L)
        most <- (58 - max(nchar(names), nchar(measure))) %/% 7
        counts <- some_of(unique(means$features), most)
        cat_cells(measure, names,
                  shown_values(means, measure, facts$curve, counts, "q = "),
                  c("area", shown_value(facts$area)),
                  c("se", shown_value(facts$se)))
    }
    cat("  area: under the curve, with its standard error, corrected for ",
        "splits that\n  overlap. summary() compares, plot() draws.\n", sep = "")
    invisible(x)
}
