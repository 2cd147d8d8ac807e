# active_constraints(): a loop over the questionnaire, and its result.

#' Choose samples and ask about them
#'
#' Chooses samples and asks which are of the same group. Use it when few
#' questions can be answered.
#'
#' @param x Data: see [prepare_data()].
#' @param oracle Who answers: [console_oracle()]; a function of two row numbers
#'   that returns `"must-link"`, `"same"` or `TRUE`, `"cannot-link"`,
#'   `"different"` or `FALSE`, or `"unsure"` or `NA`; or class labels (a column
#'   of sample data by name, too), `NA` where not known.
#' @param n When to stop. For `"groups"` and `"random"` the number of questions;
#'   for `"perturbation"` of cannot-links, asked or implied. `Inf` where
#'   `max_questions` is finite.
#' @param strategy How pairs are chosen: `"groups"`, `"perturbation"`,
#'   `"random"`, or a function of your own: see Details and
#'   [question_strategies].
#' @param max_questions At most this many questions.
#' @param order For `"groups"`: the samples in the order in which they are
#'   taken, row numbers or names; `NULL` for the order below.
#' @param graph For `"perturbation"`: a [similarity_graph()] of the samples, a
#'   symmetric matrix of weights, an igraph or a `colPair()`; `NULL` for the
#'   self-tuning graph, full up to 2000 samples, else of the `k` nearest
#'   neighbours.
#' @param k For `"perturbation"`: neighbours of the self-tuning graph, from 1.
#' @param pairs For `"perturbation"`: choose from `"all"` pairs, or from those
#'   with the most `"uncertain"` sample.
#' @param eigenvectors For `"perturbation"`: number of eigenvectors, from v_2
#'   on, over which the sensitivities are summed.
#' @param criterion For `"perturbation"`: sensitivity of the `"eigenvector"`'s
#'   most uncertain entry, or of the `"eigenvalue"`.
#' @param must_link For `"perturbation"`: also this many must-links, asked or
#'   implied.
#' @param ask `"sort"`, for `"groups"`: each new sample beside all known groups
#'   at once. `"pairs"`: two samples a question. `NULL`: sorting for this
#'   strategy, unless `oracle` is a function.
#' @param rater,answers The name of the person; a list of raters' tables or
#'   files whose disputes are asked: see [questionnaire()].
#' @param ... Arguments of [prepare_data()], by name: `scale`, `space`,
#'   `distance`, `block`, `na.action`, `by`, `assay.type`, `threads`,
#'   `progress`.
#' @return An object of class `active_constraints`, which inherits from
#'   [`pairwise_constraints`][pairwise_constraints()]. Besides the pairs it
#'   holds
#' * `questions`: a data.frame, one row per answer: `question` (its number; `NA`
#'   for a pair that was decided), `i`, `j`, `name_i`, `name_j`, `type`
#'   (`"must-link"`, `"cannot-link"`, `"unsure"`), `implied`, `time`, `source`,
#'   for `"perturbation"` `entry` (i* of that step), and, if used, `rater`,
#'   `confidence`, `origin` and `shown`, see [questionnaire()]. A sorted sample
#'   has a row for each pair;
#' * `strategy`; `finished`, why it ended; `memory`, of your own strategy;
#' * for `"perturbation"`: `vectors`, v_2 at each question (samples in rows),
#'   `similarity`, the graph after the answers, and `note`, the numerical
#'   safeguards used (`"components"`, `"close eigenvalues"`).
#'
#' @details A pair is never asked twice, nor one that the closure of the answers
#'   decides (see [close_constraints()]).
#'
#' *`"groups"`*, the default, takes samples in an order that soon has one of
#' every kind. With d_ij the Euclidean distance in `space` (20 principal
#' components; other strategies take all features), the first has the smallest
#' sum of distances to all. Each next one, j, lowers most the distance to the
#' nearest one taken: it maximises, over the samples t taken before,
#' \deqn{\sum_i \max(\min_t d_{it} - d_{ij}, 0)}{sum_i max(min_t d_it - d_ij, 0)}
#' (BUILD of Kaufman and Rousseeuw 1990; values within 1e-9 of the largest are
#' equal, the lower row wins). Of more than 1000 samples rows floor((0:999) n /
#' 1000) + 1 take part; the others follow by row.
#'
#' *In pairs* each new sample is compared with its nearest member of every known
#' group, nearest group first, until a must-link; without any it starts a group.
#' Unsure is no must-link.
#'
#' *Sorting.* Each new sample is shown beside its nearest member of every group,
#' in order of founding, of more than nine groups the nearest first. The answer
#' is the number of a group (a must-link; cannot-links to the other members
#' shown follow as `implied`), 0 for none (a cannot-link to each; a new group),
#' or unsure (not shown again). A function as `oracle` gets the row numbers of
#' the sample and of the members.
#'
#' *Blocks.* With `block` samples are compared within their batch or donor: one
#' sample of each block in turn. When the last samples of every block (two or
#' more, and as many as it has groups) have joined a group, the first sample of
#' each group is shown beside the nearest members in earlier blocks, until a
#' must-link.
#'
#' *`"random"`* draws pairs, each in a random direction. For `"perturbation"`,
#' the published strategy, and your own see [question_strategies].
#'
#' *When the oracle fails*, the answers so far are returned with a warning;
#' before any answer this is an error.
#'
#' *Cost.* `"groups"`: components, distances of at most 1000 samples, 20 n
#' differences per question. `"perturbation"`: one Cholesky factorisation per
#' question and three n by n matrices, or, with neighbours, some hundred
#' matrix-vector products.
#'
#' @section The published form: Algorithm 4.1 of Hijazi (2019), on the full
#'   self-tuning graph (our default is `"groups"`); `k` is not stated, 5 and 7
#'   each give printed numbers:
#'
#' ```
#' active_constraints(x, oracle, n = 20, strategy = "perturbation",
#'                    scale = "range")
#' ```
#'
#' @section Errors: `linkrank_error_argument`; `linkrank_error_input` for `x`; a
#'   warning `linkrank_warning_questions` when no pair is left before `n`,
#'   `linkrank_warning_oracle` when the oracle fails.
#'
#' @references Hijazi, S. (2019). PhD thesis, NNT 2019DUNK0546. Section 4.3.2.
#'
#' Kaufman, L. and Rousseeuw, P. J. (1990). *Finding Groups in Data*. Wiley.
#'
#' @seealso [glean()]; [questionnaire()] to ask the questions from your own
#'   program; [plot.active_constraints()]
#' @examples
#' x <- log2(colon$x)
#' links <- active_constraints(x, oracle = colon$tissue, n = 20)
#' links
#' glean(x, links, scale = "none")
#'
#' # a strategy of one's own: each sample and the next one
#' along <- function(state) {
#'     i <- seq_len(state$samples - 1)
#'     i <- i[state$open(i, i + 1)][1]
#'     if (!is.na(i)) c(i, i + 1)
#' }
#' active_constraints(x, colon$tissue, n = 10, strategy = along)
#' @export
active_constraints <- function(
    x, oracle, n, ..., strategy = c("groups", "perturbation", "random"),
    max_questions = Inf, order = NULL, graph = NULL, k = 7,
    pairs = c("all", "uncertain"), eigenvectors = 1,
    criterion = c("eigenvector", "eigenvalue"), must_link = 0,
    ask = NULL, rater = NULL, answers = NULL) {
    check_given(n, paste("how many questions (for strategy",
                         "= \"perturbation\": cannot-links)"))
    taken <- split_column(
        x, oracle, "who answers, as console_oracle() or class labels")
    x <- taken$x
    oracle <- taken$y
    refuse_if(identical(c(n, max_questions), c(Inf, Inf)),
              "`n` must be finite, or `max_questions` must be, not both Inf.")
    if (is.function(oracle)) {
        # of two row numbers
        ask <- ask %||% "pairs"
    }
    given <- question_settings(x, ..., given = mget(question_arguments))
    oracle <- as_oracle(oracle, given$input$data)
    # labels that these data made tell no more than the data
    derived <- origin_rule(label_origin(oracle$labels))$none
    if (derived) given$strategy$origin <- "data"
    q <- new_questionnaire(given, oracle$hint)
    if (!is.null(answers)) q <- take_disputes(q, answers)
    q <- ask_all(q, oracle)
    if (identical(q$finished, "no pair is left")) {
        unit <- sub("s$", "", q$strategy$counts)
        found <- count_found(q)[[q$strategy$counts]]
        wanted <- if (is.finite(q$n)) count_noun(q$n, unit) else
            count_noun(q$max_questions, "question")
        warn_linkrank("No pair is left to ask: ", count_noun(found, unit),
                      " instead of ", wanted, ".", class = "questions")
    }
    result <- new_active_constraints(q)
    if (derived) result$derived <- TRUE
    if (q$control$progress) message("Asked ", asked_line(result), ".")
    result
}

# What questions are asked about: list(data, scaling, block, where). scaled: are
# missing cells to be filled? `distances`: those of the method, default first;
# `space`: its default.
asked_input <- function(data, scaled = TRUE,
                        distances = question_distances, space = NULL) {
    space <- data_space(data, space)
    # with missing cells, unless they are to be filled
    input <- if (scaled) scaled_data(data) else
        list(data = data, scaling = feature_scaling(data))
    input["block"] <- list(known_block(data))
    input$where <- neighbour_space(space, input$data, input$scaling, distances,
                                   input$block)
    input
}

# The same of a questionnaire, which keeps the data, their scaling and
# coordinates.
questionnaire_input <- function(q, distance = space_distance) {
    where <- q$where %||% feature_space(q$data, q$scaling, distance)
    where["block"] <- list(q$block)
    list(data = q$data, scaling = q$scaling, where = where, block = q$block)
}

# A function of a sample: its squared distances to all samples.
distances_of <- function(where, control) {
    force(where)
    remember(function(samples) {
        sample_distances(where, samples, no_progress(control))
    }, together = max(1, min(24, 2^20 %/% where$data$n)))
}

# The self-tuning graph is full up to this number of samples.
dense_limit <- 2000

question_weights <- function(input, options, control) {
    if (!is.null(options$graph)) {
        graph <- as_graph(options$graph, "graph")
        match_graph(graph, input$data, "graph")
        return(nameless(without_diagonal(graph$weights)))
    }
    full <- input$data$n <= dense_limit
    if (!full) {
        inform_once("full graph", "With more than {dense_limit} samples the
                    similarity is that of the {options$k} nearest neighbours",
                    if (!is.null(input$where$label)) paste0(" in ",
                    input$where$label), ", not of all pairs.", class = "graph")
    }
    self_tuning_weights(input$where, if (full) "full" else "knn", options$k,
                        control)
}

self_tuning_weights <- function(where, adjacency, k, control) {
    nameless(build_graph(where, graph_options(adjacency, "self_tuning", k),
                         control)$weights)
}

nameless <- function(weights) {
    dimnames(weights) <- list(NULL, NULL)
    weights
}

check_order <- function(order, data) {
    if (is.character(order) && !is.null(data$samples)) {
        at <- match(order, data$samples)
        refuse_if(anyNA(at), "`order` refers to
                  {quote_values(unique(order[is.na(at)]))}, which `x` lacks.")
        order <- at
    }
    refuse_if(!whole_within(order, 1, data$n) || anyDuplicated(order), "`order`
              must be different row numbers from 1 to {data$n}, or names.")
    as.integer(order)
}

# ---- the loop ----------------------------------------------------------------

# An oracle's ask(q) returns the questionnaire after an answer, or NULL to stop.
ask_all <- function(q, oracle) {
    q <- oracle$begin(q)
    repeat {
        asked <- tryCatch(oracle$ask(q), error = identity,
                          interrupt = identity)
        if (inherits(asked, "condition"))
            return(stop_asking(q, asked, oracle$file))
        if (is.null(asked)) return(q)
        q <- if (is.null(asked$pending)) advance(asked) else asked
    }
}

# Given answers are never lost.
stop_asking <- function(q, condition, file) {
    # an answer that could not be saved
    q <- condition$questionnaire %||% q
    given <- count_answers(q)
    interrupted <- inherits(condition, "interrupt")
    if (!given && interrupted) invokeRestart("abort")
    if (!given) abort_called(condition, "`oracle`")
    so_far <- paste("the", count_noun(given, "answer"), "so far are returned")
    q$finished <- if (interrupted) "it was interrupted" else "the oracle failed"
    warn_if(interrupted, "Interrupted at question {given + 1L}: {so_far}",
            if (!is.null(file)) paste0("; they are in \"", file, "\", and the ",
                                       "same call goes on from there"), ".",
            class = "oracle")
    warn_if(!interrupted, "The oracle failed at question {given + 1L}, so ",
            so_far, ": ", conditionMessage(condition), class = "oracle")
    q
}

# ---- the result --------------------------------------------------------------

new_active_constraints <- function(q) {
    result <- answer_constraints(q)
    used <- names(drop_unused(answers_in(q)[log_columns]))
    result$questions <- q$answers[unique(c("action", answer_columns[1:5],
                                           "implied", used))]
    names(result$questions)[1L] <- "question"
    result$strategy <- q$strategy$name
    result$group_names <- if ("name" %in% q$history$type ||
        NROW(q$others$group_names)) {
        group_names(q)
    } else if (!is.null(q$labels)) {
        first <- closure_groups(result)$first
        named <- data.frame(sample = first,
                            name = as.character(q$labels[first]))
        named[!is.na(named$name), ]
    }
    result$finished <- q$finished
    result$space <- q$where$label
    result$memory <- q$state$memory
    if (!is.null(q$strategy$keep)) {
        kept <- q$strategy$keep(q$state, q, q$step)
        result$questions[names(kept$questions)] <- kept$questions
        result[names(kept$parts)] <- kept$parts
    }
    class(result) <- c("active_constraints", class(result))
    result
}

# Where samples were sorted with what reconcile_answers() must know of it.
#' @exportS3Method
as.data.frame.active_constraints <- function(x, row.names = NULL,
                                             optional = FALSE, ...) {
    table <- NextMethod()
    said <- x$questions[x$questions$type != "unsure", ]
    # an answer, where a pair also followed from another one
    said <- said[order(said$implied), ]
    at <- match(pair_key(table$i, table$j, x$samples),
                pair_key(said$i, said$j, x$samples))
    if (anyDuplicated(said$question[!is.na(said$question)])) {
        table$action <- said$question[at]
        table$implied <- said$implied[at]
    }
    table$rater <- said$rater[at]
    table
}

strategy_words <- function(strategy, space) {
    paste0("strategy \"", strategy, "\"",
           if (!is.null(space)) paste(" in", space))
}

asked_line <- function(x) {
    questions <- x$questions
    given <- questions[!questions$implied, ]
    follow <- sum(questions$implied)
    paste0(questions_line(length(unique(given$question)), table(factor(
        given$type, c("cannot-link", "must-link", "unsure")))),
        if (follow > 0L) paste0("; ", count_noun(follow, "more pair"), " of ",
                                "this set ", if (follow == 1L) "follows" else
                                    "follow"))
}

#' @export
print.active_constraints <- function(x, n = 10L, ...) {
    NextMethod()
    lines <- c(
        paste0("  ", strategy_words(x$strategy, x$space), ": ", asked_line(x)),
        if (length(x$note)) paste0("  ", perturbation_notes[x$note])
    )
    cat_lines(lines)
    invisible(x)
}

#' @exportS3Method
update.active_constraints <- function(object, ...) {
    abort_linkrank("`object` must be a questionnaire or a ranking;
                   questionnaire(x, answers = links) asks more questions.")
}
