# The state of questionnaire_app() as HTML: its frame, progress, buttons,
# answers, contradictions and ranking. Pure functions; they need htmltools, not
# shiny. Actions are attributes of elements (data-act, a JSON object), which
# inst/app/app.js sends to R. `options` are the arguments of
# questionnaire_app(); `words` are the texts of the page, see app-html.R.

#' What the question page shows
#'
#' @description The page that [questionnaire_app()] opens. A new sample is at
#' the left, a card for each group at the right; below are the answers so far,
#' and on request a map, the ranking and the result.
#'
#' @details
#' *Sorting.* A card for each group shows the member nearest to the new sample,
#' its record and picture, three features in which they differ (curves where
#' features are ordered, like spectra), and the button "This group". A click on
#' its mark names the group. "None of these" makes a new one; two can be joined
#' ([answer_pair()]). A sample is one entry in the list of answers, undone as a
#' whole.
#'
#' *Pictures* open at full size by a click, and are enlarged and moved together:
#' wheel, two fingers, `+`, `-`, `0`, arrows, drag. A warning at the start names
#' samples without a picture.
#'
#' *Keys*: y same, n different, u or ? not sure; 1 to 9 this group, 0 or n none
#' of these, j joins groups; z undo, l list, r remark, q Done, h guidelines, Esc
#' closes a contradiction. A key pressed twice does nothing.
#'
#' *Earlier answers.* A menu changes an answer, a click on its names shows the
#' samples, the field above searches.
#'
#' *Result so far* shows the groups and what marks each. "Ask five more" asks
#' about five random samples, beyond `n`, and then says how many of them the
#' groups had right. "These also?" offers up to eight samples nearest to a
#' group; those checked join it, with `nearest` in the column `shown`.
#'
#' *A sample that cannot be shown.* Where `describe` or `picture` stops, the
#' page shows the rest and the message; "Same" and "different" then have to be
#' pressed twice.
#'
#' *Several windows* show the same question. Answers that another program adds
#' to the file are imported; where they contradict, or the disk is full, the
#' page says so.
#'
#' *The leader's page* shows how many answers each rater has given, the
#' agreement (adjusted Rand index) and the disputes. It asks the leader about
#' these ("Settle"), and gives the joint result as a table for
#' [pairwise_constraints()]; `leader` is also in the list that is returned.
#'
#' @seealso [questionnaire_app()], [answer_pair()]
#' @name question_page
#' @aliases NULL question_page
#' @usage NULL
app_page <- function(options) {
    words <- options$words
    htmltools::htmlTemplate(
        app_file("page.html"), document_ = TRUE,
        # also for attributes
        text = function(name) {
            htmltools::HTML(htmltools::htmlEscape(say(words, name), TRUE))
        },
        files = htmltools::htmlDependency(
            "linkrank-app", utils::packageVersion("linkrank"),
            src = c(file = app_file()), script = c("app.js", "key.js"),
            stylesheet = "app.css"),
        words = tags$meta(id = "words", content = jsonlite::toJSON(
            words[script_words], auto_unbox = TRUE)),
        done = if (options$finish) {
            tags$button(type = "button", id = "done", say(words, "done"),
                        tags$kbd("Q"), class = "action-button primary")
        },
        ranking = if (options$ranking) {
            tags$div(id = "ranking", class = "shiny-html-output")
        },
        downloads = if (options$names) {
            tags$a(id = "answers_csv", class = "shiny-download-link", href = "",
                   download = NA, say(words, "answers_csv"))
        },
        guidelines = options$guidelines)
}

app_file <- function(...) system.file("app", ..., package = "linkrank")

# What app.js sends to R, as JSON, without NULL: numbers, and texts in which
# nothing is to be escaped.
act <- function(...) {
    values <- unlist(lapply(list(...), function(one) if (is.character(one))
        dQuote(one, FALSE) else one))
    paste0("{", paste0("\"", names(values), "\":", values, collapse = ","), "}")
}

# A button that does it.
button_for <- function(action, ...) {
    tags$button(type = "button", `data-act` = action, ...)
}

# The three answers in the words of the page.
answer_labels <- function(words) {
    c(`must-link` = say(words, "same"), unsure = say(words, "unsure"),
      `cannot-link` = say(words, "different"))
}

first_key <- function(action) key_words[[action]][1L]

# The answers to the question, or to an earlier one that is shown again; undo.
# Where samples are sorted, the cards have the buttons for their groups.
show_buttons <- function(state, options) {
    words <- options$words
    given <- count_answers(state$q)
    last <- if (given) shown_of(state$q, given)
    shown <- shown_samples(state)
    texts <- if (!is.null(shown) && !is_offer(state))
        choice_texts(state$q, shown, words)
    own <- names(texts) %in% c(answer_choices, "0")
    tags$div(
        class = "buttons", role = "group", `aria-label` = say(words, "answer"),
        Map(function(answer, text) answer_button(state, answer, text, words),
            names(texts)[own], texts[own]),
        # beside an earlier answer it would seem to be about that one
        if (is.null(state$look)) button_for(
            act(what = "undo", count = given, shown = page_ids(last, words)),
            id = "undo", `data-key` = first_key("undo"),
            disabled = if (given == 0L) NA,
            say(words, "undo"), tags$kbd(toupper(first_key("undo")))))
}

# The answers to a question about these samples in the words of the page, named
# as in `said` of action_table(). `label`: of the group of each sample.
choice_texts <- function(q, shown, words, label = labels_of_groups(q)) {
    if (!is_sorted(q, shown)) return(answer_labels(words))
    groups <- show_names(q, shown[-1L], words)
    label <- label[shown[-1L]]
    groups <- ifelse(nzchar(label), paste0(label, " (", groups, ")"), groups)
    texts <- c(say(words, "like", name = groups), say(words, "like_none"),
               say(words, "unsure"))
    stats::setNames(texts, c(seq_along(groups), "0", "unsure"))
}

# `answer`: as in `said` of action_table().
answer_button <- function(state, answer, label, words) {
    shown <- shown_samples(state)
    class <- if (answer %in% answer_choices) answer else
        if (answer == "0") "cannot-link" else "must-link like"
    keys <- if (answer %in% answer_choices) first_key(answer) else
        if (answer == "0") c("0", "n") else
            c(if (nchar(answer) == 1L) answer, if (length(shown) == 2L) "y")
    was <- if (!is.null(state$look)) action_table(state$q)$said[
        named_answer(state$q, samples_text(shown))]
    button_for(
        act(what = if (is.null(was)) "answer" else "change", answer = answer,
            shown = page_ids(shown, words), was = was),
        class = paste("answer", class),
        `data-key` = paste(keys, collapse = " "),
        `aria-pressed` = if (!is.null(was)) tolower(was == answer),
        label, if (length(keys)) tags$kbd(toupper(keys[1L])))
}

# The samples on the page: those of an earlier answer that is shown again, else
# of the question that is due.
shown_samples <- function(state) {
    if (!is.null(state$look)) state$look else
        if (!isTRUE(state$result)) state$q$pending
}

# Is it a sample of a group, and what may be put there?
is_offer <- function(state) isTRUE(attr(state$look, "offer"))

show_progress <- function(q, words) {
    counts <- summary(q)
    given <- count_answers(q)
    limited <- is.finite(counts$limit)
    all <- q$samples * (q$samples - 1) / 2
    judge <- left_to_judge(q)
    left <- if (!is.null(judge)) judge[1L] else if (!limited) counts$open else
        if (is.null(q$pending)) 0 else counts$left
    what <- if (length(q$others$judged)) "in_dispute" else if (!is.null(judge))
        "pairs_in_dispute" else if (limited) "left" else "open"
    fraction <- if (!is.null(judge)) 1 - left / judge[2L] else
        if (limited) given / max(given + left, 1) else 1 - left / all
    minutes <- if (what != "open") minutes_left(q, left)
    number <- function(value) {
        tags$b(format(value, big.mark = "\u202f", scientific = FALSE))
    }
    tags$div(
        class = "progress-line", tags$span(number(given), say(words, "asked")),
        tags$span(number(left), say(words, what)),
        if (!is.null(minutes)) tags$span(say(words, "minutes_left",
                                             minutes = minutes)),
        tags$progress(max = 100, value = round(100 * fraction, 1),
                      `aria-label` = say(words, "progress")),
        # from two groups on
        if (length(q$closure$against)) button_for(
            act(what = "result"), class = "again", say(words, "result")))
}

# How long so many questions take a person who answers as before: the median of
# the times between answers, in which no pause counts. NULL for none, and before
# the sixth answer.
minutes_left <- function(q, questions) {
    given <- answers_in(q)
    own <- !duplicated(given$action) & !was_checked(given$shown)
    time <- as.POSIXct(given$time[own], "UTC", time_form)
    pace <- diff(as.numeric(time))
    if (length(pace) >= 5L && questions > 0)
        max(1, round(questions * stats::median(pace) / 60))
}

show_standing <- function(q, words) {
    lines <- standing_lines(q, words)
    if (length(lines)) tags$p(class = "standing", role = "status",
                              as.list(lines))
}

# `shared`: list(trouble, time), the result of saving the last answer; with what
# the page says when the connection is lost.
show_saved <- function(shared, options, rater = NULL) {
    words <- options$words
    kept <- if (!is.null(shared$trouble)) "trouble" else
        if (is.null(options$file)) "memory" else "saved"
    text <- say(words, paste0("kept_", kept), why = shared$trouble,
                file = basename(options$file %||% ""), time = shared$time)
    # who answers here, whether others do, and where the answers are
    list(
        if (!is.null(rater)) {
            tags$span(class = "rater", say(words, "answering", rater = rater))
        },
        if (isTRUE(shared$windows > 1)) {
            tags$span(class = "others", say(words, "other_windows"))
        },
        tags$span(class = if (kept == "trouble") "trouble",
                  role = if (kept == "trouble") "alert",
                  `data-lost` = say(words, paste0("lost_", kept),
                                    count = count_answers(shared$q)), text))
}

show_finished_page <- function(q, options) {
    words <- options$words
    why <- switch(q$finished, n = if (q$strategy$counts == "questions")
        "some_asked" else "all_found", max_questions = "some_asked",
        `the strategy failed` = "strategy_failed", "no_pair")
    count <- if (why == "all_found") q$n else count_answers(q)
    tags$section(
        class = "finished", tags$h2(say(words, "finished")),
        tags$p(say(words, "finished_why",
                   why = say(words, why, count = count))),
        if (has_more_questions(q)) button_for(
            act(what = "more"),
            say(words, "more_questions", count = questions_more)))
}

# What the person has in view who presses a button, as answer_pair() takes it.
# `unfolded`: have the features and the map been, at this question? `ranking`:
# is the ranking shown?
in_view <- function(q, options, unfolded, ranking) {
    evidence <- options$evidence || isTRUE(unfolded)
    view_words[c(options$names, !is.null(options$picture),
                 !is.null(options$describe) && !isTRUE(options$clusters) ||
                     length(options$show) > 0L,
                 isTRUE(options$clusters) ||
                     evidence && options$differences > 0,
                 (isTRUE(unfolded) || evidence && !is_crowded(q$pending)) &&
                     !isFALSE(options$map),
                 options$ranking && ranking && !is.null(q$ranking), FALSE)]
}

# ---- answers -----------------------------------------------------------------

# What the rows of these answers show: a list each, with `now` the answer,
# perhaps changed.
list_rows <- function(state, numbers, words, source) {
    q <- state$q
    answers <- action_table(q)
    label <- labels_of_groups(q)
    if (is.null(words$codes)) source <- NULL
    lapply(numbers, function(number) {
        shown <- shown_of(q, number)
        change <- state$conflict$changes[[as.character(number)]]
        list(number = number, id = page_ids(shown, words),
             said = answers$said[number],
             texts = choice_texts(q, shown, words, label),
             code = attr(label, "code")[shown[1L]], label = label[shown[1L]],
             now = if (is.null(change)) answers$said[number] else
                 choice_text(q, shown, change), changed = !is.null(change),
             sorted = is_sorted(q, shown),
             looked = answers$shown[number] == samples_text(state$look),
             names = show_names(q, shown, words),
             thumbs = lapply(shown[1:2], show_thumb, source = source),
             notes = c(if (!is.null(change)) say(words, "changed_now"),
                       said_of(q, number, answer_labels(words)),
                       remark_on(q, number)))
    })
}

show_list_row <- function(row, words) {
    others <- paste(row$names[-1L], collapse = ", ")
    tags$tr(
        class = if (row$changed) "changed",
        tags$td(class = "number", row$number),
        tags$td(
            button_for(
                act(what = "look", shown = row$id), class = "look",
                title = say(words, "look", number = row$number,
                            first = row$names[1L], second = others),
                `aria-current` = if (row$looked) "true",
                row$thumbs[[1L]], row$names[1L],
                if (!row$sorted) list(
                    " ", tags$span(class = "and", say(words, "and")), " ",
                    row$thumbs[[2L]], others)),
            if (row$sorted && row$code > 0L) group_mark(row$code, row$label),
            lapply(row$notes, tags$small)),
        # the answers that may be given instead; app.js sends their `value`
        tags$td(tags$select(
            class = "choice", `aria-label` = paste0(
                say(words, "number_answer", number = row$number), ": ",
                toString(row$names)),
            `data-act` = act(what = "change", shown = row$id, was = row$said),
            html_text("<option value=\"", names(row$texts), ifelse(
                names(row$texts) == row$now, "\" selected>", "\">"),
                htmltools::htmlEscape(row$texts), "</option>"))))
}

# Where names are hidden, samples have codes: options$codes.
show_names <- function(q, i, words) {
    if (!is.null(words$codes)) return(words$codes[i])
    name <- if (is.null(q$names)) i else q$names[i]
    # a number alone would look like that of a group
    ifelse(grepl("^[0-9]+$", name), say(words, "sample", number = name), name)
}

# The samples of a question as the page names them, and such a text as
# samples_text() gives it: a number could tell where names must not.
page_ids <- function(shown, words) {
    samples_text(if (is.null(words$codes)) shown else words$codes[shown])
}

read_ids <- function(text, words) {
    if (is.null(words$codes) || !is_text(text)) return(text)
    samples_text(match(strsplit(text, " ")[[1L]], words$codes))
}

answers_table <- function(rows, words) {
    tags$table(class = "answers",
               tags$tbody(lapply(rows, show_list_row, words)))
}

# The answers in which the text that is looked for stands, newest first, and no
# more than are asked for: the page does not grow.
answers_at_once <- 20L

show_answer_list <- function(state, words = page_texts(), source = NULL) {
    numbers <- rev(seq_len(count_answers(state$q)))
    none <- function(name) tags$p(class = "empty", say(words, name))
    if (!length(numbers)) return(none("none_yet"))
    if (!nzchar(state$find)) numbers <- utils::head(numbers, state$rows + 1L)
    rows <- Filter(function(row) {
        text <- c(row$number, row$names, row$texts[row$now], row$notes)
        any(grepl(tolower(state$find), tolower(text), fixed = TRUE))
    }, list_rows(state, numbers, words, source))
    list(
        answers_table(utils::head(rows, state$rows), words),
        if (!length(rows)) none("not_found"),
        if (length(rows) > state$rows) button_for(
            act(what = "list", rows = state$rows + answers_at_once),
            class = "again", say(words, "older")))
}

# ---- contradictions ----------------------------------------------------------

show_conflict <- function(state, words = page_texts(), source = NULL) {
    if (is.null(state$conflict)) return(NULL)
    tags$section(
        class = "conflict", role = "alertdialog", tabindex = "-1",
        `aria-labelledby` = "conflict-title",
        tags$h2(id = "conflict-title", say(words, "contradiction")),
        show_chain(state, words, source),
        tags$p(say(words, "contradiction_help")),
        answers_table(list_rows(state, state$conflict$numbers, words, source),
                      words),
        button_for(act(what = "leave"), class = "primary",
                   say(words, "change_nothing"), tags$kbd("Esc")))
}

# The chain of must-links and the cannot-link that closes it, with the numbers
# of the answers.
show_chain <- function(state, words, source) {
    q <- state$q
    path <- state$conflict$path
    name <- function(i) {
        tags$b(show_thumb(source, i), show_names(q, i, words))
    }
    said <- answers_in(q)
    said <- said[!said$implied, ]
    link <- function(a, b, class, sign) {
        number <- said$action[match(pair_key(a, b, q$samples),
                                    pair_key(said$i, said$j, q$samples))]
        list(tags$span(class = paste("link", class), sign), " ", name(b), " ",
             # else it is an answer of others
             if (!is.na(number)) tags$small(class = "by", paste0(
                 "(", say(words, "number_answer", number = number), ")")))
    }
    last <- length(path)
    steps <- lapply(seq_len(last - 1L), function(at) {
        list(" ", link(path[at], path[at + 1L], "must-link", "="))
    })
    tags$div(
        class = "chain",
        tags$div(name(path[1L]), steps, tags$small(say(words, "by_chain"))),
        tags$div(name(path[1L]), " ",
                 link(path[1L], path[last], "cannot-link", "\u2260"),
                 tags$small(say(words, "by_answer"))))
}

# ---- ranking -----------------------------------------------------------------

# Where it is `shown`, because the person has asked for it.
show_ranking <- function(q, words = page_texts(), shown = TRUE) {
    button <- button_for(act(what = "ranking"), class = "again",
                         `aria-expanded` = tolower(shown),
                         say(words, if (shown) "ranking_hide" else "ranking"))
    list(button, if (shown) if (is.null(q$ranking))
        tags$p(class = "empty", say(words, "no_ranking")) else
            ranking_top(q, words))
}

ranking_top <- function(q, words, count = 10L) {
    top <- utils::head(q$ranking$order, count)
    score <- q$ranking$score[seq_along(top)]
    size <- pmax(score, 0, na.rm = TRUE) / max(score, 1e-300, na.rm = TRUE)
    groups <- seen_groups(q)
    high <- highest_group(q, top, groups)
    names <- names_of_groups(q, groups)
    marks <- ifelse(high > 0L, group_mark(high, names[pmax(high, 1L)]), "")
    rows <- html_text(
        "<tr><td class=\"number\">", seq_along(top), "</td>",
        feature_head(q, top, 20L), "<td>", marks, sprintf(
            "</td><td class=\"margin\" style=\"background-size:%.0f%%\">",
            100 * size),
        ifelse(is.na(score), "", sprintf("%.2f", score)), "</td></tr>")
    tags$table(
        class = "ranking",
        tags$thead(tags$tr(tags$td(),
                           tags$th(scope = "col", say(words, "feature")),
                           tags$th(scope = "col", say(words, "high_in")),
                           tags$th(scope = "col", say(words, "score")))),
        tags$tbody(rows))
}
