# The questionnaire: which question is due, what has been answered, what follows
# from it. A plain value: every step returns a new one. Its fields:
#
#   data              prepared_data (for hints and descriptions)
#   samples, names    of the samples
#   strategy, state   see ask-strategy.R
#   n, max_questions  limits
#   answers, step     the answers in order, see ask-answers.R; also of pairs
#                     that the closure decided when they were selected (implied)
#   closure           what the answers decide, see closure_of()
#   history           rows of the log besides the answers in force: what was
#                     changed or undone, and names of kinds, see ask-file.R
#   pending, pending_step, finished    the pair to ask, or why there is none;
#                     both NULL: an answer was added, advance() selects
#                     the next pair
#   ask               "pairs", or "sort": pending is then a sample and the
#                     members of groups, see ask-sort.R
#   person            who answers
#   others, deciding  see ask-deciding.R
#   further           see further_question()
#   far, around       distances of a sample, see distances_of(), and what is
#                     around it, see search_around()
#   hint, ranking, best, stability     see follow_ranking()
#   later, behind     see rank_answers()

#' Questionnaire about pairs of samples
#'
#' Asks which samples are of the same group, one question at a time, for a
#' dialogue of your own; [active_constraints()] and [questionnaire_app()] are
#' ready made. [next_pair()] shows the question, [answer_pair()] stores the
#' answer, [undo_answer()] takes it back, [write_answers()] saves all. Answers
#' change a copy.
#'
#' @param x Data: see [prepare_data()].
#' @param strategy,order,graph,k,pairs,eigenvectors,criterion,must_link How the
#'   next pair is chosen; see [active_constraints()].
#' @param n,max_questions When to end, as in [active_constraints()]; by default
#'   when no pair is left. `update()`: how many more questions to ask; by
#'   default 10, with `ask` none.
#' @param ask See [active_constraints()]. `update()`: go on in this form, with
#'   all answers.
#' @param rater The name of the person, stored with every answer, or `NULL`.
#' @param answers Earlier answers: a file, any table that
#'   [reconcile_answers()] reads, or constraints. They count as questions and
#'   are not asked again; what they leave open is asked first. They are matched
#'   by sample name where there are names. A list of raters' tables or files, or
#'   what [reconcile_answers()] made of raters who sorted: only what they
#'   dispute is asked.
#' @param raters Answers of other people, in any form that [reconcile_answers()]
#'   takes, or what it returned: only what these leave open is asked.
#' @param hint Compute after each answer how much the best features changed? See
#'   *How things stand*.
#' @param object A questionnaire.
#' @param ... Arguments of [prepare_data()], by name: `scale`, `space`,
#'   `distance`, `block`, `na.action`, `by`, `assay.type`, `threads`,
#'   `progress`.
#'
#' @return
#' * `questionnaire()`, `update()`: a questionnaire, for [answer_pair()] and
#'   [write_answers()]. [pairwise_constraints()] of it are
#'   [active_constraints()].
#' * `summary()`: counts: questions `asked`, answered `must_link`, `cannot_link`
#'   and `unsure`; pairs `implied`, and `open`; the `limit` of questions and how
#'   many are `left`.
#'
#' @details *Earlier answers that disagree.* Unsure answers count only if there
#'   is no other. [reconcile_answers()] settles contradictions, which are an
#'   error.
#'
#' *What answers leave open.* After `answers` that are constraints, or were
#' given to other questions, strategy `"groups"` first asks about groups of two
#' samples or more that no answer joins or sets apart, then about pairs in
#' dispute. With `raters` these are the only questions, and the result contains
#' only their answers:
#' `reconcile_answers(list(ann = ann, bob = bob, eve = result))` adds them.
#'
#' *Settling disputes.* With `answers = list(ann = "ann.csv", bob = "bob.csv")`
#' of people who sorted, a judge places the samples on which they differ, each
#' beside the groups on which they agree, the most undecided first. Of people
#' who answered pairs, only pairs that they decided differently, directly or by
#' chains, are asked. Result and file hold the undisputed and the settled
#' answers; `questionnaire(x, answers = result)` goes on.
#'
#' *How things stand.* With `hint = TRUE` the questionnaire holds `stability`:
#' for each answer that decides a pair, the share of the best 20 features (the
#' better half of fewer than 40) that were among them 8 such answers before;
#' else `NA`. The ranking is that of [glean()] for `"groups"` with up to 1000
#' samples and 2 million values, else of [relieff_sc()]. Page, dialogue and
#' `print()` show the share, how many groups there are and how many were seen
#' only once. 0.85 or more after 10 such answers: the ranking has settled. It
#' may settle long before all groups are seen.
#'
#' *More questions.* `update()` raises the limit, or goes on by sorting.
#'
#' @section Errors: `linkrank_error_contradiction`; `linkrank_error_answers` for
#'   `answers` that are no table, of other data, or contradict those given.
#'
#' @seealso [answer_pair()]; [active_constraints()]; [reconcile_answers()]
#' @examples
#' x <- log2(colon$x)
#' q <- questionnaire(x, max_questions = 2)
#' q <- answer_pair(q, "different")
#' q <- answer_pair(q, 2) # like the second group shown
#' q
#' summary(q)
#' pairwise_constraints(q)
#' next_pair(update(q, 5)) # five questions more
#' @order 1
#' @export
questionnaire <- function(
    x, ..., strategy = c("groups", "perturbation", "random"), n = Inf,
    max_questions = Inf, order = NULL, graph = NULL, k = 7,
    pairs = c("all", "uncertain"), eigenvectors = 1,
    criterion = c("eigenvector", "eigenvalue"), must_link = 0,
    ask = NULL, rater = NULL, answers = NULL,
    raters = NULL, hint = FALSE) {
    check_given(x, data_words)
    given <- question_settings(x, ..., given = mget(question_arguments))
    q <- new_questionnaire(given, check_flag(hint, "hint"))
    if (is_text(answers)) answers <- read_answers(answers)
    if (are_disputed(answers)) {
        refuse_if(!is.null(raters), "`raters` must be NULL where `answers` ",
                  "are those of several raters.")
        return(advance(take_disputes(q, answers)))
    }
    q <- take_others(q, read_others(raters, q))
    if (is.null(answers)) return(advance(q))
    q$history <- rbind(q$history, attr(answers, "group_names"))
    if (inherits(answers, "pairwise_constraints")) {
        answers <- given_pairs(answers, q, "answers")
        q$deciding <- TRUE
        q["disputes"] <- list(answers$disputes)
    }
    answers <- check_answers(answers, q)
    known <- !answers$implied & answers$type != "unsure"
    # contradictions are all listed
    check_no_contradiction(answers$i[known], answers$j[known],
                           answers$type[known] == "must-link", q$names,
                           "contradiction")
    check_consistent(q, answers)
    replay(q, answers)
}

# The arguments that questionnaire() and active_constraints() share.
question_arguments <- c("strategy", "n", "max_questions", "order", "graph", "k",
                        "pairs", "eigenvectors", "criterion", "must_link",
                        "ask", "rater")

# What questionnaire() and active_constraints() are given besides `x`, checked,
# with what the questions are asked about (`input`) and the `options` of the
# strategy.
question_settings <- function(x, ..., given) {
    given$strategy <- as_strategy(given$strategy)
    given$ask <- check_ask(given$ask, given$strategy$name)
    given$options <- c(given[c("order", "graph")], checked(
        values = given[c("k", "pairs", "eigenvectors", "criterion")]))
    refuse_unused("strategy", given$strategy$name, list(
        groups = "order", perturbation = c("pairs", "eigenvectors", "criterion",
                                           "graph", "k")
    ), parent.frame())
    refuse_beside("k", "graph", parent.frame())
    least <- c(n = 1, max_questions = 1, must_link = 0)
    given[names(least)] <- Map(check_count_or_all, given[names(least)],
                               names(least), least)
    refuse_if(given$must_link > 0 && given$strategy$counts == "questions",
              "`must_link` must be 0 where `n` counts questions, as here.")
    check_one_place(given$graph, ...names())
    data <- prepared(x, ..., uses = c(neighbour_arguments, "na.action"),
                     takes = names(formals(sys.function(sys.parent()))))
    # the components that glean() takes from the same prepare_data(), too
    few <- given$strategy$name == "groups" && is.null(data$settings$distance)
    given$input <- asked_input(data, given$strategy$scaled,
                               space = if (few) default_components)
    given$control <- data$control
    given
}

# `given`: from question_settings().
new_questionnaire <- function(given, hint) {
    input <- given$input
    data <- input$data
    input$far <- distances_of(input$where, given$control)
    strategy <- choose_strategy(given$strategy, input, given$options,
                                given$control)
    q <- structure(list(
        data = data, scaling = input$scaling,
        # coordinates only: in all features it would be the data again
        where = if (!is.null(input$where$label)) input$where,
        block = input$block, samples = as.integer(data$n), names = data$samples,
        strategy = strategy, state = strategy$start(),
        n = given$n, must_link = given$must_link,
        max_questions = given$max_questions,
        far = input$far,
        closure = pair_closure(integer(), integer(), logical(),
                               as.integer(data$n)),
        pending = NULL, pending_step = NULL, finished = NULL, hint = hint,
        ranking = NULL, best = list(), stability = numeric(),
        control = given$control,
        ask = given$ask, person = check_rater(given$rater),
        deciding = FALSE, others = NULL, disputes = NULL,
        whole = FALSE, further = NULL,
        answers = no_rows, step = list(), history = no_rows,
        made_by = this_version()
    ), class = "questionnaire")
    q$around <- search_around(q)
    q
}

check_rater <- function(rater) {
    if (is.null(rater)) return(NA_character_)
    refuse_value_if(!is_text(rater) || !nzchar(trimws(rater)) ||
                        trimws(rater) == "NA" || grepl("[[:cntrl:]]", rater),
                    rater, "`rater` must be the name of a person, in one line")
    trimws(rater)
}

check_questionnaire <- function(questionnaire, name = "questionnaire") {
    check_given(questionnaire, "what questionnaire() made")
    refuse_class_if(!inherits(questionnaire, "questionnaire"), questionnaire,
                    "`", name, "` must come from questionnaire()")
    q <- unclass(questionnaire)
    whole <- identical(names(q$answers), names(log_defaults)) &&
        all(lengths(unclass(q$answers)) == length(q$step))
    check_undamaged(version_problem(q$made_by) %||%
                        if (!whole) "its answers lack a part",
                    name, "questionnaire()")
    # package Matrix and C trust the rows of sparse matrices
    rapply(q, check_slots, "dgCMatrix")
    questionnaire
}

# ---- going on ----------------------------------------------------------------

# Looks for the next pair to ask; on the way, uses those the closure decides.
advance <- function(q) {
    q[c("pending", "pending_step", "finished")] <- list(NULL)
    repeat {
        question <- if (!is.null(q$further)) further_question(q)
        ended <- if (is.null(question)) count_found(q)$reached
        if (is.null(c(question, ended)) && q$deciding)
            question <- deciding_question(q)
        if (is.null(c(question, ended)) && !is.null(q$others))
            ended <- "nothing is left to decide"
        found <- if (!is.null(question)) list(pair = question) else
            if (is.null(ended)) q$strategy$propose(q$state, q)
        if (!is.null(found$state)) q$state <- found$state
        if (is.null(found$pair)) {
            q$finished <- ended %||% found$finished %||% "no pair is left"
            return(q)
        }
        if (all(is.na(found$decided))) {
            q$pending <- as.integer(found$pair)
            q["pending_step"] <- found["step"]
            return(q)
        }
        q <- record_answers(q, found$pair, list(
            type = found$decided, implied = TRUE, source = "closure",
            rater = NA_character_, action = NA_integer_), found$step)
    }
}

set_pending <- function(q, samples, step = NULL) {
    q[c("pending", "pending_step")] <- list(samples, step)
    q
}

# How much there is of what limits count, and which of these is `reached`. What
# was checked at once is beyond the questions that are to be asked.
count_found <- function(q) {
    action <- q$answers$action[!was_checked(q$answers$shown)]
    found <- list(questions = length(unique(action[!is.na(action)])),
                  `cannot-links` = sum(q$answers$type == "cannot-link"),
                  `must-links` = sum(q$answers$type == "must-link"))
    found$reached <- if (found[[q$strategy$counts]] >= q$n &&
                         found$`must-links` >= q$must_link) "n" else
        if (found$questions >= q$max_questions) "max_questions"
    found
}

#' @rdname answer_pair
#' @order 2
#' @export
next_pair <- function(questionnaire) {
    pair <- check_questionnaire(questionnaire)$pending
    if (is.null(pair) || is.null(questionnaire$names)) return(pair)
    stats::setNames(pair, questionnaire$names[pair])
}

#' Answer the questions of a questionnaire
#'
#' Shows the question of a [questionnaire()] that is due, stores or changes an
#' answer, and takes the last one back.
#'
#' @param questionnaire A questionnaire.
#' @param answer `"must-link"`, `"same"` or `TRUE`, `"cannot-link"`,
#'   `"different"` or `FALSE`, `"unsure"` or `NA`. With `ask = "sort"`, the
#'   number of the group among those shown, 0 or `"different"` for none; or
#'   `"3=5"`, which joins two groups.
#' @param number `NULL` for the question that is due; or the numbers of earlier
#'   questions to change, one for each of `answer`.
#' @param source How the answer was given: a word that is stored with it.
#' @param confidence How sure the answer is: above 0, up to 1, or `NA` (1).
#' @param remark A text stored with the answer; `""` removes it, and with
#'   `number`, `NULL` leaves it.
#' @param shown What was in view, filled in by page and dialogue: `"names"`,
#'   `"picture"`, `"description"`, `"features"`, `"map"`, `"ranking"` (the last
#'   three make the `origin` `"features in view"`); `"nearest"`: offered as near
#'   to a group, and checked.
#'
#' @return
#' * `next_pair()`: the row numbers of the new sample and of a member of each
#'   group, or of the two to ask about, named by sample if the samples have
#'   names; `NULL` at the end.
#' * `answer_pair()`, `undo_answer()`: the changed questionnaire.
#'
#' @details *Contradictions.* Only a changed answer can contradict others.
#'   `linkrank_error_contradiction` then names the chain of must-links; its
#'   field `numbers` holds the questions, `path` the samples. Several answers
#'   can be changed in one call.
#'
#' @section Errors: `linkrank_error_contradiction`; `linkrank_error_argument`
#'   for another answer, or when there is nothing to answer or take back.
#'
#' @seealso [questionnaire()], [write_answers()]
#' @examples
#' q <- questionnaire(log2(colon$x))
#' next_pair(q)
#' q <- answer_pair(q, "different")
#' next_pair(q) # a new sample beside one of each group
#' q <- answer_pair(q, 2) # like the second group shown
#' q <- undo_answer(q)
#' q <- answer_pair(q, "unsure", remark = "out of focus")
#' pairwise_constraints(q)$questions
#' @order 1
#' @export
answer_pair <- function(questionnaire, answer, number = NULL,
                        source = "person", confidence = NA, remark = NULL,
                        shown = NULL) {
    q <- check_questionnaire(questionnaire)
    check_given(answer, "\"must-link\", \"cannot-link\" or \"unsure\"")
    answer <- as.list(answer)
    none <- length(confidence) == 1L && is.na(confidence)
    share <- is_number(confidence) && confidence > 0 && confidence <= 1
    refuse_value_if(!none && !share, confidence, "`confidence` must be a ",
                    "number above 0, up to 1, or NA")
    refuse_value_if(!is_text(source) || !grepl("^[A-Za-z0-9 ._-]+$", source),
                    source, "`source` must be a word of letters, digits, ",
                    "blanks, dots and dashes")
    said <- list(source = source, confidence = as.numeric(confidence))
    said$remark <- check_remark(remark)
    said$shown <- if (!is.null(shown)) check_view(shown)
    if (!is.null(number)) {
        choices <- changed_choices(q, answer, number)
        return(change_answers(q, choices, number, said))
    }
    refuse_if(length(answer) != 1L, "`answer` must be a single answer, not ",
              count_noun(length(answer), "answer"), ".")
    refuse_if(is.null(q$pending), "No question is due: the questionnaire is ",
              "finished (", show_finished(q), ").")
    joined <- joined_groups(answer[[1L]], q$pending)
    if (!is.null(joined)) return(join_groups(q, joined, said))
    advance(take_answer(q, choice_of(q, answer[[1L]], q$pending), said))
}

# The answer to the question that is due; `choice`: see ask-sort.R.
take_answer <- function(q, choice, said) {
    q <- record_answers(q, q$pending, c(choice_pairs(choice, q$pending), said),
                        q$pending_step)
    q["pending"] <- list(NULL)
    if (q$hint) follow_ranking(q) else q
}

# NULL for none that was given; "" removes one.
check_remark <- function(remark) {
    if (is.null(remark)) return(NULL)
    refuse_value_if(!is_text(remark), remark, "`remark` must be a text")
    remark <- trimws(remark)
    if (nzchar(remark)) remark else NA_character_
}

check_view <- function(shown) {
    words <- if (is.character(shown)) unlist(strsplit(shown, "+", fixed = TRUE))
    refuse_value_if(!is.character(shown) || !all(words %in% c(view_words, NA)),
                    shown, "`shown` must be among ", toString(view_words))
    join_view(words)
}

show_finished <- function(q) {
    switch(q$finished, n = paste0("`n` = ", q$n, " was reached"),
           max_questions = paste0("`max_questions` = ", q$max_questions,
                                  " was reached"), q$finished)
}

# ---- what has been answered --------------------------------------------------

# Do the answers contradict each other? The error holds the numbers of those
# that prove it, and the path of must-links between the two samples. `about`:
# list(samples, names, others), as a questionnaire has them.
check_consistent <- function(about, answers) {
    answers <- rbind(answers[!answers$implied & answers$type != "unsure", ],
                     about$others$rows)
    must <- answers$type == "must-link"
    found <- find_contradictions(answers$i, answers$j, must)
    if (!found$count) return(invisible())
    at <- found$at[1L]
    path <- found$chains[[1L]]
    action <- answers$action
    links <- match(pair_key(path[-1L], path[-length(path)], about$samples),
                   ifelse(must, pair_key(answers$i, answers$j, about$samples),
                          NA))
    numbers <- sort(unique(action[c(at, links)]))
    by <- function(action) {
        own <- sort(unique(action))
        paste(c(if (length(own)) paste0(
            if (length(own) > 1L) "answers " else "answer ",
            paste(own, collapse = ", ")
        ), if (anyNA(action)) "those of other people"), collapse = " and ")
    }
    abort_linkrank("Samples {show_samples(answers$i[at], about$names)} and
                   {show_samples(answers$j[at], about$names)} are cannot-linked
                   ({by(action[at])}), but {show_path(path, about$names)} is a
                   chain of must-links ({by(action[links])}).",
                   class = "contradiction",
                   fields = list(numbers = numbers, path = path))
}

# Adds earlier answers. Those that the strategy would ask for are handled as if
# they had just been given; other pairs are learned in addition. The ranking is
# computed only after the last one, and nothing is decided in between.
replay <- function(q, answers) {
    hint <- q$hint
    deciding <- q$deciding
    q$hint <- FALSE
    for (number in unique(answers$action)) {
        q$deciding <- FALSE
        if (is.null(q$pending)) q <- advance(q)
        q <- replay_action(q, answers[answers$action == number, ])
        deciding <- deciding || q$deciding
    }
    q$hint <- hint
    q$deciding <- deciding
    if (deciding) q["pending"] <- list(NULL)
    if (q$hint) {
        # the ranking is computed for the last of several answers only
        q <- rank_answers(q)
        length(q$stability) <- length(q$best) <- count_answers(q)
    }
    if (is.null(q$pending) || !is.null(count_found(q)$reached)) advance(q) else
        q
}

# One action: its pairs, or the one pair that is due.
replay_action <- function(q, rows) {
    # do these rows answer the question that is due?
    first <- rows$i[1L] == q$pending[1L] || length(q$pending) == 2L
    same <- !is.null(q$pending) && first &&
        setequal(c(rows$i[1L], rows$j), q$pending)
    q$deciding <- !same
    shown <- if (same && nrow(rows) == 1L) q$pending else c(rows$i[1L], rows$j)
    rows$origin[is.na(rows$origin)] <- if (same) q$strategy$origin else "given"
    said <- c("type", "time", "source", setdiff(optional_columns, "action"))
    q <- record_answers(q, shown, rows[said], if (same) q$pending_step)
    # a pending pair is asked later, unless it has been decided; a pending
    # sample is shown again beside the groups that there are now
    decided <- !is.null(q$pending) &&
        !all(is.na(relation(q$closure, q$pending[1L], q$pending[-1L])))
    if (same || decided || q$ask == "sort") q["pending"] <- list(NULL)
    q
}

#' @rdname questionnaire
#' @order 2
#' @export
update.questionnaire <- function(object, n = if (is.null(ask)) 10, ask = NULL,
                                 ...) {
    check_dots_empty(...)
    q <- check_questionnaire(object)
    if (!is.null(ask) && check_ask(ask, q$strategy$name) != q$ask) {
        q$ask <- ask
        # the strategy looks the answers up, whatever was asked
        q$state <- q$strategy$start()
        q <- advance(q)
    }
    if (is.null(n)) return(q)
    more <- check_count(n, "n", 1)
    ended <- q$finished %||% "a question is due"
    refuse_if(!has_more_questions(q), "The questionnaire must have ended at ",
              "its limit, but ", if (ended %in% c("n", "max_questions"))
                  "no pair is left to ask" else ended, ".")
    found <- count_found(q)
    if (found$questions >= q$max_questions)
        q$max_questions <- found$questions + more
    found <- found[[q$strategy$counts]]
    if (found >= q$n) q$n <- found + more
    advance(q)
}

has_more_questions <- function(q) {
    isTRUE(q$finished %in% c("n", "max_questions")) && summary(q)$open > 0
}

answer_constraints <- function(q) {
    answers <- q$answers[q$answers$type != "unsure", ]
    # what raters agree on counts where their disputes are settled
    others <- if (q$whole) q$others
    rows <- rbind(answers, others$rows)
    new_constraints(cbind(rows$i, rows$j), rows$type == "must-link",
                    q$samples, q$names, rows$confidence,
                    disputes = if (is.null(q$others)) q$disputes,
                    origin = worst_origin(rows$origin),
                    founded = founding_order(c(others$rows$i, answers$i),
                                             c(others$rows$j, answers$j)),
                    answered = c(others$answered, answered_words(
                        q$answers, how = if (length(others$judged))
                            "about disputes" else if (q$ask == "sort")
                                "by sorting samples")))
}

#' @export
held_constraints.questionnaire <- function(x) {
    new_active_constraints(check_questionnaire(x))
}

#' @export
held_constraints.questionnaire_app <- function(x) {
    answers_of_app(attr(x, "questionnaires")())
}

# The constraints of one questionnaire of nobody, or a list of those of raters.
answers_of_app <- function(all) {
    all <- lapply(all, held_constraints)
    if (identical(names(all), "nobody")) all$nobody else all
}
