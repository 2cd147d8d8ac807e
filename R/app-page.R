# The state of questionnaire_app() as HTML: its frame, progress, buttons,
# answers, contradictions and ranking. Pure functions; they need htmltools, not
# shiny. Actions are attributes of elements (data-act, a JSON object), which
# inst/app/app.js sends to R.

app_page <- function(options) {
    folder <- system.file("app", package = "linkrank")
    htmltools::htmlTemplate(
        file.path(folder, "page.html"), document_ = TRUE,
        question = options$question,
        files = htmltools::htmlDependency(
            "linkrank-app", utils::packageVersion("linkrank"),
            src = c(file = folder), script = "app.js", stylesheet = "app.css"
        ),
        done = if (options$finish) {
            htmltools::tags$button(type = "button", id = "done", "Done",
                                   class = "action-button primary")
        },
        hint = options$hint
    )
}

# Values are numbers and fixed words only, so that nothing needs an escape.
act <- function(...) {
    parts <- list(...)
    text <- vapply(parts, function(part) {
        if (is.character(part)) paste0("\"", part, "\"") else
            show_number(part)
    }, "")
    paste0("{", paste0("\"", names(parts), "\":", text, collapse = ","), "}")
}

answer_labels <- c(`must-link` = "Same kind", unsure = "Unsure",
                   `cannot-link` = "Different kinds")
answer_signs <- c(`must-link` = "=", unsure = "?", `cannot-link` = "\u2260")

first_key <- function(action) key_words[[action]][1L]

show_buttons <- function(q) {
    tags <- htmltools::tags
    due <- q$pending
    given <- count_answers(q)
    answers <- if (!is.null(due)) lapply(names(answer_labels), function(a) {
        tags$button(
            type = "button", class = paste("answer", a),
            `data-key` = first_key(a),
            `data-act` = act(what = "answer", answer = a, i = due[1L],
                             j = due[2L]),
            answer_labels[[a]], tags$kbd(toupper(first_key(a)))
        )
    })
    tags$div(
        class = "buttons", role = "group", `aria-label` = "Answer", answers,
        tags$button(type = "button", id = "undo",
                    `data-key` = first_key("undo"),
                    disabled = if (given == 0L) NA,
                    `data-act` = act(what = "undo", count = given),
                    "Undo", tags$kbd(toupper(first_key("undo"))))
    )
}

show_progress <- function(q) {
    tags <- htmltools::tags
    counts <- summary(q)
    limited <- is.finite(counts$limit)
    all <- q$samples * (q$samples - 1) / 2
    fraction <- if (limited) counts$asked / counts$limit else
        1 - counts$open / all
    number <- function(value) {
        tags$b(format(value, big.mark = "\u202f", scientific = FALSE))
    }
    tags$div(
        class = "progress-line",
        tags$span(number(counts$asked), "asked"),
        tags$span(number(counts$implied), "more follow"),
        tags$span(number(if (limited) counts$left else counts$open),
                  if (limited) "left" else "pairs open"),
        tags$div(
            class = "bar", role = "progressbar", `aria-valuemin` = 0,
            `aria-valuemax` = 100, `aria-valuenow` = round(100 * fraction),
            `aria-label` = "Progress",
            tags$div(style = sprintf("width:%.1f%%", 100 * fraction))
        )
    )
}

# `shared`: list(trouble, time), the result of saving the last answer.
show_saved <- function(shared, file) {
    tags <- htmltools::tags
    if (!is.null(shared$trouble)) {
        return(tags$span(class = "trouble", role = "alert", paste(
            "Not saved, but kept in R:", shared$trouble)))
    }
    if (is.null(file)) {
        return(tags$span("Not kept in a file"))
    }
    tags$span(title = file, paste0(
        "Saved in ", basename(file),
        if (!is.null(shared$time)) paste0(" at ", shared$time)
    ))
}

show_finished_page <- function(q, options) {
    tags <- htmltools::tags
    press <- function(id, text, class = NULL) {
        tags$button(type = "button", class = class, `data-press` = id, text)
    }
    why <- switch(q$finished,
        n = if (q$strategy$counts == "questions") {
            paste("all", q$n, "questions were asked")
        } else {
            paste(q$n, "pairs of different kinds were found")
        },
        max_questions = paste(q$max_questions, "questions were asked"),
        `the strategy failed` = "the next question could not be chosen",
        "no pair is left to ask"
    )
    tags$section(
        class = "finished",
        tags$h2("All questions are answered"),
        tags$p(paste0("The questionnaire ended because ", why, ". Answers ",
                      "can still be changed in the list, or the last one ",
                      "undone.")),
        tags$div(
            class = "ways",
            if (options$finish) press("done", "Done: return them to R",
                                      "primary"),
            press("answers_csv", "Answers as CSV"),
            if (options$hint) press("ranking_csv", "Ranking as CSV")
        )
    )
}

# ---- answers -----------------------------------------------------------------

show_name <- function(q, i) {
    if (is.null(q$names)) paste("sample", i) else q$names[i]
}

answer_choice <- function(answers, number, changes) {
    tags <- htmltools::tags
    wanted <- changes[[as.character(number)]]
    now <- if (is.null(wanted)) answers$type[number] else wanted
    tags$div(
        class = "choice", role = "group",
        `aria-label` = paste("Answer", number),
        lapply(names(answer_labels), function(answer) {
            tags$button(
                type = "button", class = answer,
                `aria-pressed` = if (answer == now) "true" else "false",
                title = answer_labels[[answer]],
                `aria-label` = answer_labels[[answer]],
                `data-act` = act(what = "change", number = number,
                                 answer = answer, i = answers$i[number],
                                 j = answers$j[number]),
                answer_signs[[answer]]
            )
        })
    )
}

show_answer_rows <- function(q, numbers, changes) {
    tags <- htmltools::tags
    answers <- answer_table(q)
    lapply(numbers, function(number) {
        changed <- !is.null(changes[[as.character(number)]])
        tags$tr(
            class = if (changed) "changed",
            tags$td(class = "number", number),
            tags$td(show_name(q, answers$i[number]),
                    tags$span(class = "and", "and"),
                    show_name(q, answers$j[number]),
                    if (changed) tags$small("changed now")),
            tags$td(answer_choice(answers, number, changes))
        )
    })
}

show_answer_list <- function(state) {
    tags <- htmltools::tags
    given <- count_answers(state$q)
    if (given == 0L) {
        return(tags$p(class = "empty", "None yet."))
    }
    tags$table(class = "answers", tags$tbody(
        show_answer_rows(state$q, rev(seq_len(given)), state$changes)
    ))
}

# ---- contradictions ----------------------------------------------------------

show_conflict <- function(state) {
    if (is.null(state$conflict)) {
        return(NULL)
    }
    tags <- htmltools::tags
    tags$section(
        class = "conflict", role = "alertdialog", tabindex = "-1",
        `aria-labelledby` = "conflict-title",
        tags$h2(id = "conflict-title", "These answers contradict each other"),
        show_chain(state),
        tags$p("One of them must be wrong. Change another answer too, or ",
               "change nothing."),
        tags$table(class = "answers", tags$tbody(show_answer_rows(
            state$q, state$conflict$numbers, state$changes
        ))),
        tags$button(type = "button", class = "primary",
                    `data-act` = act(what = "leave"),
                    "Change nothing", tags$kbd("Esc"))
    )
}

# The chain of must-links and the cannot-link that closes it, with the numbers
# of the answers.
show_chain <- function(state) {
    tags <- htmltools::tags
    q <- state$q
    answers <- answer_table(q)
    path <- state$conflict$path
    link <- function(a, b, class, sign) {
        number <- match(pair_key(a, b, q$samples),
                        pair_key(answers$i, answers$j, q$samples))
        tags$span(class = paste("link", class), paste(sign, number))
    }
    last <- length(path)
    steps <- lapply(seq_len(last - 1L), function(at) {
        list(link(path[at], path[at + 1L], "must-link", "="),
             tags$b(show_name(q, path[at + 1L])))
    })
    tags$div(
        class = "chain",
        tags$div(tags$b(show_name(q, path[1L])), steps,
                 tags$small("all of the same kind, by the chain")),
        tags$div(tags$b(show_name(q, path[1L])),
                 link(path[1L], path[last], "cannot-link", "\u2260"),
                 tags$b(show_name(q, path[last])),
                 tags$small("different kinds, by one answer"))
    )
}

# ---- ranking -----------------------------------------------------------------

# Changes of rank are meaningful only after a few answers.
show_ranking <- function(q, before, count = 10L, quiet = 5L) {
    tags <- htmltools::tags
    if (is.null(q$margin)) {
        return(tags$p(class = "empty", "A ranking needs one pair of different",
                      " kinds."))
    }
    top <- utils::head(order(-q$margin), count)
    then <- if (!is.null(before) && count_answers(q) > quiet) {
        rank(-before, ties.method = "first")[top]
    }
    largest <- max(q$margin[top], 1e-300)
    rows <- lapply(seq_along(top), function(place) {
        margin <- q$margin[top[place]]
        name <- q$data$features[top[place]]
        tags$tr(
            tags$td(class = "number", place),
            tags$td(class = "moved", show_move(then[place], place)),
            tags$th(scope = "row", title = name, shorten(name, 20L)),
            tags$td(class = "margin", tags$i(style = sprintf(
                "width:%.0f%%", 100 * max(margin, 0) / largest)),
                tags$span(format(round(margin, 2), nsmall = 2)))
        )
    })
    htmltools::tagList(
        tags$table(
            class = "ranking",
            tags$thead(tags$tr(tags$td(), tags$td(),
                               tags$th(scope = "col", "Feature"),
                               tags$th(scope = "col", "Margin"))),
            tags$tbody(rows)
        ),
        if (is_stable(q)) tags$p(class = "stable", stable_text)
    )
}

show_move <- function(then, place) {
    if (is.null(then) || is.na(then) || then == place) {
        return(NULL)
    }
    up <- then > place
    text <- if (then > 99L) "new" else abs(then - place)
    htmltools::tags$span(
        class = if (up) "up" else "down",
        tags_hidden(paste(if (up) "up" else "down", text)),
        htmltools::tags$span(`aria-hidden` = "true", paste0(
            if (up) "\u25b2" else "\u25bc", text))
    )
}

tags_hidden <- function(text) {
    htmltools::tags$span(class = "hidden", text)
}

# All features by margin, best first.
margins_as_table <- function(q) {
    place <- order(-q$margin)
    data.frame(rank = seq_along(place), feature = q$data$features[place],
               margin = q$margin[place])
}
