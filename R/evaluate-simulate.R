# Simulated data and raters, and groups that are planted into data.

# ==== simulated raters ========================================================

# Sessions of questions that simulated raters answer.

# Sessions with simulated raters, one for each, whose questions follow the
# rater's own answers: a function of a number of questions that returns
# list(constraints, asked, groups), `asked` being the samples asked about so far
# and `groups` those of a user's strategy. `label`: of each sample; `noise`: the
# share of wrong answers.
simulate_answers <- function(x, label, form, count, noise, raters, ...) {
    sessions <- lapply(seq_len(raters), function(rater) {
        simulate_session(x, label, form, count, noise, ...)
    })
    function(questions) {
        pairs <- lapply(sessions, function(session) {
            session$pairs[session$pairs$action <= questions, ]
        })
        groups <- sessions[[1L]]$groups
        known <- as.integer(names(groups))
        last <- max(known[known <= questions], -1L)
        list(constraints = join_raters(pairs, length(label)),
             asked = unique(unlist(lapply(pairs, `[`, c("i", "j")))),
             groups = groups[[as.character(last)]])
    }
}

# list(pairs, groups): the answers, and the groups of a user's strategy by the
# number of answers.
simulate_session <- function(x, label, form, count, noise, ...) {
    sorted <- form$ask == "sort"
    strategy <- form$strategy
    # the group of sample i among those of the samples j, 0 for none
    rater <- function(i, j) {
        choice <- c(which(label[j] == label[i]), 0L)[1L]
        wrong <- setdiff(c(0L, seq_along(j)), choice)
        if (stats::runif(1L) >= noise) choice else
            wrong[sample.int(length(wrong), 1L)]
    }
    groups <- new.env(parent = emptyenv())
    if (is.function(strategy)) {
        own <- strategy
        strategy <- function(state) {
            found <- own(state)
            if (is.list(found) && !is.null(found$memory$groups)) {
                assign(as.character(nrow(state$answers)), found$memory$groups,
                       groups)
            }
            found
        }
        # it is called once more to return groups after the last answer
        count <- count + 1
    }
    count <- max(count, 1)
    session <- suppressWarnings(suppressMessages(active_constraints(
        x, if (sorted) rater else function(i, j) rater(i, j) == 1L, count,
        strategy = strategy, max_questions = count, ask = form$ask, ...
    )))
    pairs <- session$questions[c("i", "j", "type", "question", "implied")]
    names(pairs)[4L] <- "action"
    list(pairs = pairs[!is.na(pairs$action), ], groups = groups)
}

join_raters <- function(pairs, n) {
    pairs <- Filter(nrow, pairs)
    if (length(pairs) > 1L)
        return(suppressMessages(reconcile_answers(pairs, samples = n)))
    known <- if (length(pairs)) pairs[[1L]][pairs[[1L]]$type != "unsure", ]
    pairwise_constraints(known, samples = n, origin = "questions")
}

# ==== planted groups ==========================================================

# How many questions are needed? By simulation on the user's own data.

#' Plan the number of questions
#'
#' How many answers are needed to find what differs between kinds of samples?
#' Kinds are planted in your data, questions about them are answered, and the
#' planted features are looked for.
#'
#' @param x Data: see [prepare_data()], taken at mean 0 and standard deviation
#'   1.
#' @param effect How far apart two kinds are in a planted feature, in standard
#'   deviations, a positive number. Effects of the best features (`cohen_d` of
#'   [group_markers()]) are too large: plan with less.
#' @param questions Numbers of questions, whole numbers from 1.
#' @param groups How many kinds there are, a whole number from 2.
#' @param share The share of the features that is planted, each higher in one
#'   kind, drawn at random.
#' @param noise The share of answers that are wrong, from 0 to 1.
#' @param raters How many people answer; of several [reconcile_answers()] makes
#'   one set.
#' @param level The false discovery rate at which features count as found.
#' @param target The share to be found, to which print and plot refer.
#' @param trials How many times kinds are planted, from 2.
#' @param BPPARAM Run the trials in parallel on [workers].
#' @param ... Arguments of [prepare_data()], by name: `na.action`, `by`,
#'   `assay.type`, `threads`, `progress`.
#'
#' @return A data.frame of class `question_plan`, one row per number of
#'   questions: `questions`; `found`, the mean share of the planted features
#'   that [group_markers()] finds at this level, and `right`, of planted ones
#'   among as many best features of [glean()], with standard errors `found_se`
#'   and `right_se`. Answers that make no two groups find nothing.
#'
#' @details In each trial the samples are divided into kinds of equal size at
#'   random and sorted, as by [active_constraints()]; smaller numbers of
#'   questions are the first of the same session. A wrong answer is another of
#'   the groups shown, or none. Other kinds of your samples are noise here.
#'
#' *Cost.* Per trial a session, and for each number of questions one call of
#' [group_markers()] and one of [glean()].
#'
#' @section Errors: `linkrank_error_argument` for arguments out of range;
#'   `linkrank_error_input` for `x`.
#' @seealso [active_constraints()], [group_markers()]
#' @examples
#' plan <- plan_questions(log2(colon$x)[, 1:60], effect = 1.5,
#'                        questions = c(10, 20), trials = 2)
#' plan
#' @order 1
#' @export
plan_questions <- function(x, effect, ..., questions = c(10, 20, 40, 80),
                           groups = 2, share = 0.1, noise = 0, raters = 1,
                           level = 0.05, target = 0.8, trials = 20,
                           BPPARAM = NULL) {
    check_given(effect, "a difference in standard deviations, such as 1")
    data <- prepared(x, ..., uses = "na.action")
    refuse_if(!whole_within(questions, 1, 1e6), "`questions` must be whole ",
              "numbers from 1 to 1000000.")
    options <- c(checked(effect), list(
        questions = as.integer(sort(unique(questions))),
        groups = check_count(groups, "groups", 2, data$n %/% 2)
    ), checked(share, noise, raters, level))
    goal <- checked(target, trials)
    workers <- check_workers(BPPARAM)
    cells <- euclidean_cells(scaled_data(data, scale = "zscore"))
    attributes(cells) <- list(dim = dim(cells))
    found <- spread(as.list(seq_len(goal$trials)), plan_trial,
                    list(cells = cells, options = options), workers,
                    c("Plan", "trials"), data$control$progress)
    found <- simplify2array(found)
    mean <- rowMeans(found, dims = 2L)
    error <- apply(found, 1:2, stats::sd) / sqrt(goal$trials)
    structure(
        data.frame(questions = options$questions, found = mean[, "found"],
                   found_se = error[, "found"], right = mean[, "right"],
                   right_se = error[, "right"], row.names = NULL),
        info = c(options, goal,
                 list(samples = data$n, features = ncol(cells))),
        class = c("question_plan", "data.frame")
    )
}

# Numbers of questions x (found, right), of one planting.
plan_trial <- function(trial, shared) {
    options <- shared$options
    x <- shared$cells
    label <- sample(rep_len(seq_len(options$groups), nrow(x)))
    planted <- sample.int(ncol(x), max(1, round(options$share * ncol(x))))
    own <- rep_len(seq_len(options$groups), length(planted))
    x[, planted] <- x[, planted] + options$effect * outer(label, own, `==`)
    colnames(x) <- seq_len(ncol(x))
    answers <- simulate_answers(
        x, label, list(strategy = "groups", ask = "sort"),
        max(options$questions), options$noise, options$raters, scale = "none",
        threads = 1, progress = FALSE)
    t(vapply(options$questions, function(count) {
        planted_found(x, answers(count)$constraints, as.character(planted),
                      options$level)
    }, c(found = 0, right = 0)))
}

# Shares of the planted features: found by a test of the groups, and among as
# many best features of the ranking. Answers may make no two groups to test.
planted_found <- function(x, links, planted, level) {
    quiet <- function(call) {
        tryCatch(suppressWarnings(suppressMessages(call)),
                 linkrank_error_argument = function(e) NULL,
                 linkrank_error_constraints = function(e) NULL)
    }
    markers <- quiet(group_markers(x, links, progress = FALSE, threads = 1))
    ranking <- quiet(glean(x, links, scale = "none", progress = FALSE,
                           threads = 1))
    c(found = if (is.null(markers)) 0 else
          mean(planted %in% markers$feature[which(markers$fdr <= level)]),
      right = if (is.null(ranking)) 0 else
          mean(planted %in% top_features(ranking, length(planted))))
}

#' @rdname plan_questions
#' @order 2
#' @export
print.question_plan <- function(x, ...) {
    info <- attr(x, "info")
    if (is.null(info)) { # some of its columns
        return(print(structure(x, class = "data.frame")))
    }
    enough <- x$questions[x$found >= info$target]
    percent <- function(share) paste(format(100 * share), "%")
    cat_lines(c(
        paste0("<question_plan> ", info$groups, " kinds, ", info$effect,
               " standard deviations apart in ", percent(info$share), " of ",
               count_noun(info$features, "feature"), ", ",
               count_noun(info$samples, "sample")),
        paste0("  ", percent(info$noise), " of answers wrong, ",
               count_noun(info$raters, "rater"), ", ",
               count_noun(info$trials, "trial"))
    ))
    table <- as.data.frame(x)
    shares <- names(table) != "questions"
    table[shares] <- lapply(table[shares], sprintf, fmt = "%.2f")
    cat(format_table(table), sep = "\n")
    cat_lines(paste0(
        "  found: by group_markers() at FDR ", info$level, "; right: among ",
        "the best by glean(). ", if (length(enough))
            paste(min(enough), "questions find")
        else "None of these numbers of questions finds",
        " ", percent(info$target), "."
    ))
    invisible(x)
}
