# questionnaire_app(): wires the state (app-state.R) and the pages (app-page.R,
# app-pair.R) to shiny. The state belongs to a desk (app-desk.R), not to a
# window: after a reload and in a second window the same question is shown. Only
# a contradiction that is being resolved belongs to a window.

#' Ask a person on a web page
#'
#' @description Asks a person, who needs no R, which samples belong together, in
#' a browser (package shiny). The page shows a new sample beside one member of
#' every known group; for a questionnaire with `ask = "pairs"`, two samples side
#' by side. Use it when an expert can tell samples from pictures or records.
#' Every answer is saved at once, and can be undone and changed. On your own
#' computer no data leave it.
#'
#' ```r
#' q <- questionnaire(x, n = 20)                # x: samples in rows
#' app <- questionnaire_app(q, file = "answers.csv",
#'                          picture = function(i) files[i])  # images, by row
#' links <- shiny::runApp(app)                  # the answers, as pairs
#' glean(x, links)
#' ```
#'
#' \if{html}{\figure{questionnaire-app.png}{options: width="100\%" alt="A new
#' sample beside one of each of five groups, the features in which they differ,
#' a map and the list of answers"}}
#'
#' @param questionnaire A questionnaire from [questionnaire()], usually with `n
#'   =` questions. With `hint = TRUE` the page says how many groups there are,
#'   and shows the ranking on request. A function that makes it opens the page
#'   at once, while the first question is prepared.
#' @param file Name of the file of answers (CSV, see [read_answers()]), or
#'   `NULL`. Questions that it already answers are not asked again.
#' @param describe `NULL`, or a function of two row numbers that describes the
#'   two samples. It returns or prints text for both, or returns a list of two:
#'   text, a named vector, a data.frame, or HTML of \pkg{htmltools}.
#' @param picture `NULL`, or a function of one row number that returns names of
#'   image files (PNG, JPEG, GIF, SVG, WebP) or their addresses on the host of
#'   the page, or draws or returns a plot (base graphics, \pkg{ggplot2},
#'   \pkg{lattice}).
#' @param map Coordinates of the samples: a matrix with a row per sample, whose
#'   first two columns are used; the name of a reducedDim, such as `"UMAP"`;
#'   `NULL` for two principal components; `FALSE` for no map.
#' @param differences How many features to list in which the two samples differ
#'   most (see [console_oracle()]), a whole number from 0.
#' @param evidence Show the map and the features at once? `FALSE` folds them
#'   away: answers based on the features add nothing new, and the ranking then
#'   looks better than it is. The column `shown` of the answers says what was in
#'   view.
#' @param question Heading and title of the page; `NULL` for that of `words`.
#' @param finish Show a button that ends the app and returns the constraints?
#'   `FALSE` on a server.
#' @param show Names of columns of `colData()` or `pData()` to show for each
#'   sample. Labels would give the answer away.
#' @param ranking With `hint = TRUE`: may the person press "Show ranking", which
#'   is stored with the answers? Always `FALSE` with `raters` or a `key` for
#'   each.
#' @param raters Who answers. `NULL`: a link that ends in `?rater=ann` is Ann's,
#'   and all windows without a name share one questionnaire. `TRUE`: the page
#'   asks for a name. Names: the page offers these only; else at most 20 can
#'   begin.
#' @param names Show the names of the samples? `FALSE` where they give the
#'   answer away: samples then have random codes, pairs random sides, and known
#'   groups and the table of answers are not offered.
#' @param words `NULL`, `"de"` for German, or other texts of the page, as in
#'   `c(same = "Same grade")`; or a file of them with columns `name` and `text`.
#'   All are in `system.file("app", "words.csv", package = "linkrank")`; a word
#'   in braces, such as `{number}`, is replaced.
#' @param key `NULL`, or a secret that the link must contain, as in
#'   `?key=3f9c2a71`: at least 8 letters, digits, dashes or underscores. Named,
#'   `c(ann = "3f9c2a71", bob = "7fb1c09e")`: one for each rater. One named
#'   `leader` opens the page of who leads.
#' @param guidelines `NULL`, or what the person should know, as markdown or the
#'   name of a file of it (`.md`, `.txt`): shown first, and again by the key h.
#'
#' @return A Shiny app object, also of class `questionnaire_app`.
#'   [shiny::runApp()] and [shiny::runGadget()] return an object of class
#'   [active_constraints()] when the person is done.
#'   [`pairwise_constraints(app)`][pairwise_constraints()] gives the answers so
#'   far, however the app ended. Several raters give a list named by rater, for
#'   [reconcile_answers()] and [answer_agreement()].
#'
#' @details
#' [question_page] says what the page shows, its keys, and the page of who
#' leads.
#'
#' *Several raters.* Each has questions, answers and a file (`answers-ann.csv`
#' beside `answers.csv`). The same answers lead to the same questions. The app
#' ends when all are done that `raters` or `key` names, else with Ctrl-C or Esc
#' in R.
#'
#' *Who may connect.* Whoever has the address; with `key` only who has the link,
#' and without it only from this computer. Other origins and frames are refused,
#' but for RStudio's viewer and the option `linkrank.frame_ancestors`; a window
#' that sends what no page sends is closed. Behind a
#' proxy `X-Forwarded-Host` must name the address that people open: see the
#' article "Servers" of the sources.
#'
#' *Cost.* Each answer takes one write of the file and one pass through the
#' data. The ranking follows when nobody has answered for four seconds, in a
#' second process (on Windows in this one).
#'
#' @section Errors: `linkrank_error_package` without \pkg{shiny};
#'   `linkrank_error_argument` for arguments of another kind (functions are
#'   tried on the first pair); `linkrank_error_answers` for a file that is
#'   damaged, of other data or not writable.
#'
#' @seealso [question_page]; [console_oracle()] for the same at the R prompt.
#' @examples
#' x <- log2(colon$x)
#' q <- questionnaire(x, n = 20, hint = TRUE)
#' if (requireNamespace("shiny", quietly = TRUE)) {
#'     app <- questionnaire_app(q, file = tempfile(fileext = ".csv"))
#'     # links <- shiny::runApp(app)
#'     pairwise_constraints(app)
#' }
#' @export
questionnaire_app <- function(
    questionnaire, file = NULL, describe = NULL, picture = NULL, map = NULL,
    differences = 8L,
    evidence = is.null(describe) && is.null(picture) && is.null(show),
    question = NULL, finish = TRUE, show = NULL,
    ranking = is.null(raters) && is.null(names(key)), raters = NULL,
    names = TRUE, words = NULL, key = NULL, guidelines = NULL) {
    late <- !missing(questionnaire) && is.function(questionnaire)
    if (late) {
        needs <- Filter(is.name, formals(questionnaire))
        needs <- setdiff(names(needs)[as.character(needs) == ""], "...")
        refuse_if(length(needs), "`questionnaire` must be a function that can ",
                  "be called without arguments, but its argument `", needs[1L],
                  "` has no default.")
    } else check_questionnaire(questionnaire)
    for (package in c("shiny", "htmltools"))
        need_package(package, user = "questionnaire_app()")
    options <- c(list(
        describe = check_optional_function(describe, "describe",
                                           "two row numbers"),
        picture = check_optional_function(picture, "picture",
                                          "one row number"),
        map = map, marks = ranking, show = show,
        guidelines = read_guidelines(guidelines),
        words = page_texts(question, words)
    ), checked(differences, evidence, finish, ranking, names))
    options[c("key", "leader")] <- check_key(key)
    refuse_if(!is.null(names(options$key)) && !is.null(raters), "`raters` ",
              "must be NULL where `key` names the raters.")
    options$raters <- check_raters(raters) %||% names(options$key)
    refuse_if(ranking && !is.null(options$raters), "`ranking` must be FALSE ",
              "where several people answer: who sees it follows it.")
    options$file <- if (!is.null(file)) check_file_name(file)
    make <- once(function() make_desks(
        if (late) check_questionnaire(questionnaire()) else questionnaire,
        options))
    if (!late) make()
    start_app(make, options, late)
}

# What depends on the questionnaire: list(desks, options), with the arguments
# that are checked by it.
make_desks <- function(q, options) {
    options$ranking <- options$ranking && q$hint
    options$show <- check_show(options$show, q$data)
    if (q$ask == "sort") options$words$question <- options$words$question_sort
    if (options$evidence && options$differences > 0)
        options$curve <- curve_order(q$data)
    options$clusters <- is.null(options$describe) && !is.null(q$data$clusters)
    if (options$clusters) {
        # described by their sizes and markers
        options$describe <- describe_clusters(q, c(
            say(options$words, "cluster_size"),
            say(options$words, "cluster_high")))
        options$differences <- 0L
    }
    if (!options$names) {
        options$words$codes <- draw_codes(q$samples, q$names)
        # fixed for each sample, so that a pair is always shown alike
        options$sides <- 100 * stats::runif(q$samples)
    }
    # Arguments are checked now; principal components are computed when they
    # are first shown.
    options$place <- once(function() sample_axes(q$data, options$map,
                                                 "map")$axes)
    if (!is.null(options$map) && !isFALSE(options$map)) options$place()
    desks <- new_desks(q, options)
    try_first_pair(q, options)
    list(desks = desks, options = options)
}

# The user's functions are tried before a person waits for them.
try_first_pair <- function(q, options) {
    if (is.null(q$pending)) return(invisible())
    if (!is.null(options$picture)) {
        found <- unlist(lapply(q$pending, picture_file,
                               picture = options$picture))
        unlink(found[is_drawn(found)])
        report_missing_pictures(q, options$picture,
                                if (any(is_drawn(found))) 1 else 5)
    }
    if (!is.null(options$describe))
        describe_pair_html(options$describe, q$pending)
}

# Files that are missing or no pictures, and samples that cannot be drawn, are
# known at the start.
report_missing_pictures <- function(q, picture, seconds = 5) {
    begin <- Sys.time()
    missing <- logical()
    for (i in seq_len(q$samples)) {
        found <- tryCatch(picture_file(picture, i), error = identity)
        missing[i] <- inherits(found, "error")
        unlink(Filter(is_drawn, unlist(found[!missing[i]])))
        if (difftime(Sys.time(), begin, units = "secs") > seconds) break
    }
    names <- show_names(q, utils::head(which(missing), 5L), page_texts())
    warn_if(any(missing), "`picture` has no picture of ", sum(missing), " of ",
            count_noun(length(missing), "sample"), ": ",
            paste(names, collapse = ", "),
            if (sum(missing) > 5L) " and others", ".", class = "argument")
}

# `make()`: the questions, from make_desks(); are they made `late`, when
# somebody opens the page?
start_app <- function(make, options, late) {
    seen <- list2env(list(made = !late))
    # what who leads can set is said in R as well, once
    tell <- function(why) {
        inform_if(!identical(seen$said, why), why, class = "app")
        seen$said <- why
    }
    # why nothing is served
    refusal <- function(request, link) {
        why <- wrong_address(request, options)
        if (!is.null(why)) tell(why)
        why %||% if (identical(link$problem, "key"))
            say(options$words, "wrong_key")
    }
    app <- shiny::shinyApp(
        ui = function(request) {
            # What a request for the page gets.
            link <- read_link(request$QUERY_STRING, options)
            why <- refusal(request, link)
            if (!is.null(why)) return(plain_page(options, tags$p(
                `data-refused` = "", why), 403L, "questions", keep = TRUE))
            if (!seen$made || request$PATH_INFO != "/")
                return(waiting_page(request, make, options, seen))
            desks <- make()$desks
            options <- options_of(make()$options, link$rater)
            switch(
                c(link$problem, "none")[1L],
                leader = leader_page(desks, link, options),
                name = name_page(link, options), app_page(options))
        },
        server = function(input, output, session) {
            link <- read_link(shiny::isolate(session$clientData$url_search),
                              options)
            why <- refusal(session$request, link)
            if (!is.null(c(why, link$problem))) return(end_window(session, why))
            app_server(input, output, session, make()$desks, link$rater,
                       make()$options)
        },
        onStart = function() check_host(options$key),
        uiPattern = "/(prepare)?")
    page <- app$httpHandler
    app$httpHandler <- function(request) {
        # a web socket that came as a page
        if (identical(request$PATH_INFO, "/websocket/"))
            tell(say(options$words, "no_socket"))
        response <- page(request)
        if (!is.null(response))
            response$headers <- c(response$headers, page_headers())
        response
    }
    attr(app, "questionnaires") <- function() app_questionnaires(make()$desks)
    class(app) <- c("questionnaire_app", class(app))
    app
}

# Says that the questions are being made, before R is busy making them: the
# browser shows this until its next request, which waits for them, is answered.
# It is for all who come meanwhile, and leads back to the page.
waiting_page <- function(request, make, options, seen) {
    words <- options$words
    link <- sub("^[?]?(?=.)", "?", request$QUERY_STRING, perl = TRUE)
    if (request$PATH_INFO == "/") return(plain_page(
        options, tags$progress(`aria-label` = say(words, "preparing")),
        title = "preparing",
        headers = list(Refresh = paste0("1; url=prepare", link))))
    made <- tryCatch(make(), error = identity)
    seen$made <- !inherits(made, "error")
    link <- paste0("./", link)
    if (seen$made)
        return(shiny::httpResponse(303L, headers = list(Location = link)))
    why <- say(words, "no_desk", why = conditionMessage(made))
    inform_linkrank(why, class = "app")
    plain_page(options, list(tags$p(class = "trouble", role = "alert", why),
                             tags$a(href = link, say(words, "try_again"))),
               500L, "questions")
}

# Who answers beside others sees no ranking, as theirs would follow from it.
options_of <- function(options, rater) {
    if (!is.null(rater)) options[c("ranking", "marks")] <- FALSE
    options
}

#' @export
print.questionnaire_app <- function(x, ...) {
    links <- shiny::runApp(x)
    cat("The answers; `links <- pairwise_constraints(app)` has them, with ",
        "`.Last.value`\ninstead of `app` if the app has no name.\n", sep = "")
    print(links)
    invisible(links)
}

# ---- one window --------------------------------------------------------------

app_server <- function(input, output, session, desks, rater, options) {
    desk <- tryCatch(desks$get(rater), linkrank_error = identity)
    if (inherits(desk, "condition")) {
        output$question <- shiny::renderUI(show_trouble(
            "no_desk", desk, options$words))
        return(invisible())
    }
    options <- options_of(options, rater)
    options["file"] <- list(desk$store$file)
    window <- do.call(shiny::reactiveValues, new_window())
    app_acting(input, session, desk, window, options)
    count <- function(step) {
        desk$shared$windows <- shiny::isolate(desk$shared$windows) + step
    }
    count(1)
    session$onSessionEnded(function() count(-1))
    app_saving(input, session, desk, window, desks, options)
    app_outputs(input, output, session, desk, window, options)
    # where names are hidden, the table would tell them
    if (options$names) {
        save <- function(file) write_answers(desk$shared$q, file)
        output$answers_csv <- shiny::downloadHandler("answers.csv", save,
                                                     "text/csv")
        shiny::outputOptions(output, "answers_csv", suspendWhenHidden = FALSE)
    }
    app_ranking(session, desk$shared, window)
}

# What the page sends, as app_step() does it.
app_acting <- function(input, session, desk, window, options) {
    shared <- desk$shared
    shiny::registerInputHandler("linkrank", function(act, session, name) {
        sender$token <- session$token
        act
    }, force = TRUE)
    # before anything is drawn
    pace <- new_pace()
    pacing <- session$onInputReceived(function(sent) {
        if (pace()) return()
        pacing()
        end_window(session, say(options$words, "closed"))
    })
    acting <- shiny::observeEvent(input$act, {
        act <- input$act
        if (!is_action(act)) {
            acting$destroy()
            return(end_window(session, say(options$words, "closed")))
        }
        # after what it changes has been sent
        session$onFlushed(function() {
            session$sendCustomMessage("taken", act$number)
        })
        act["shown"] <- list(read_ids(act$shown, options$words))
        q <- shared$q
        after <- app_step(whole_state(q, window), act, in_view(
            q, options, act$unfolded, window$ranking))
        # An answer to a question that another window has answered first.
        if (!identical(after$q, q)) {
            shared$q <- after$q
            shared$by <- session$token
            # a person who asks for more questions has not ended
            shared$ended <- NULL
            save_shared(desk)
        } else if (identical(act$what, "answer") &&
            !identical(shared$by, session$token) &&
            !is.na(named_answer(q, act$shown))) {
            after$notice <- list(key = "answered_elsewhere")
        }
        set_window(window, after)
    })
}

# The state as app_step() takes it, and what it leaves of the window.
whole_state <- function(q, window) {
    c(list(q = q), shiny::isolate(shiny::reactiveValuesToList(window)))
}

set_window <- function(window, state) {
    for (field in names(new_window())) window[[field]] <- state[[field]]
}

# The window whose page sent the newest action.
sender <- new.env()

# Do at most so many messages of a window wait at a time? R may be slow, but a
# person does not go on for long without a reply. Those that wait are read
# before what is put off now.
new_pace <- function(most = 20) {
    seen <- list2env(list(waiting = 0))
    function() {
        if (seen$waiting == 0) later::later(function() seen$waiting <- 0)
        seen$waiting <- seen$waiting + 1
        seen$waiting <= most
    }
}

# The page says why, and is not loaded again. Shiny takes a round for each
# message, while others wait: what this window has sent is put aside at once,
# until another acts.
end_window <- function(session, why) {
    session$sendCustomMessage("ended", why)
    session$close()
    sender$token <- session$token
    for (message in 1:1e4) if (!identical(sender$token, session$token) ||
                               !later::run_now(0, all = FALSE)) break
}

# The ranking is computed where it is shown, and when for four seconds nobody
# has answered, beside the questions: an answer waits for none, and what is then
# out of date is thrown away.
app_ranking <- function(session, shared, window) {
    seen <- new.env()
    end <- function() {
        if (!is.null(seen$job)) seen$job$end()
        seen$job <- NULL
    }
    session$onSessionEnded(end)
    shiny::observe({
        q <- shared$q
        wanted <- window$ranking && isTRUE(q$behind)
        due <- identical(seen$given, q$answers$time)
        if (!wanted || !due) end()
        if (!wanted) return()
        seen$given <- q$answers$time
        if (!due) return(shiny::invalidateLater(4000, session))
        seen$job <- seen$job %||% beside(function() {
            unclass(catch_up(q))[ranking_fields]
        })
        found <- seen$job$take()
        if (is.null(found)) return(shiny::invalidateLater(250, session))
        q[names(found)] <- found
        shared$q <- q
    }, priority = -2)
}

ranking_fields <- c("ranking", "best", "stability", "behind")

# Done saves what could not be saved before it ends; trouble is tried again
# every minute and when a window opens.
app_saving <- function(input, session, desk, window, desks, options) {
    shared <- desk$shared
    shiny::observe({
        if (is.null(shared$trouble)) return()
        shiny::invalidateLater(60000, session)
        tried <- shiny::isolate(shared$tried)
        if (difftime(Sys.time(), tried, units = "secs") >= 1) save_shared(desk)
    })
    shiny::observeEvent(input$done, {
        if (!options$finish) return()
        save_shared(desk)
        warned <- identical(window$notice$key, "not_done")
        if (is.null(shared$trouble) || warned) {
            shared$ended <- session$token
        } else {
            window$notice <- list(key = "not_done", why = shared$trouble)
        }
    })
    app_end(session, desk, desks, options)
}

# After Done: all windows show it, then R ends; of several raters, when all that
# are expected have ended.
app_end <- function(session, desk, desks, options) {
    ending <- shiny::observe({
        by <- desk$shared$ended
        if (is.null(by)) return()
        own <- by == session$token
        ended <- names(Filter(function(desk) {
            !is.null(shiny::isolate(desk$shared$ended))
        }, desks$all()))
        # have all raters ended that the app was made for?
        awaited <- c(options$raters, if (!is.null(options$leader)) "leader")
        last <- is.null(desk$rater) || is.character(options$raters) &&
            all(awaited %in% ended)
        ending$destroy()
        end_window(session, say(options$words, if (!own) "ended_elsewhere" else
            if (last) "ended" else "saved_own"))
        # the page has that by then
        if (own && last) later::later(function() shiny::stopApp(
            answers_of_app(app_questionnaires(desks))), 0.2)
    })
}

# All windows show that the answers are saved, or why they are not.
save_shared <- function(desk) shiny::isolate({
    shared <- desk$shared
    shared$tried <- Sys.time()
    saved <- tryCatch(save_answers(shared$q, desk$store),
                      linkrank_error = identity)
    shared$trouble <- if (inherits(saved, "condition")) conditionMessage(saved)
    if (is.null(shared$trouble)) {
        shared$q <- saved
        shared$time <- clock_time()
    }
})

app_outputs <- function(input, output, session, desk, window, options) {
    words <- options$words
    shared <- desk$shared
    # without the ranking: when it comes, nothing else is drawn again
    q <- shiny::reactiveVal()
    shiny::observe({
        now <- shared$q
        now[ranking_fields] <- list(NULL)
        after <- forget_outdated(whole_state(now, window))
        undone <- count_answers(now) < count_answers(shiny::isolate(q()))
        if (undone && !identical(shiny::isolate(shared$by), session$token))
            after$notice <- list(key = "undone_elsewhere")
        set_window(window, after)
        q(now)
    }, priority = 1)
    # the whole state: what a page reads of it draws the page again when it
    # changes
    state <- new.env()
    lapply(names(new_window()), function(field) {
        makeActiveBinding(field, function() window[[field]], state)
    })
    makeActiveBinding("q", function() {
        replace(q(), "ranking", list(shiny::isolate(shared$q)$ranking))
    }, state)
    source <- picture_source(options$picture, session, words$codes)
    # the map comes after the first question, because the first may take seconds
    drawn <- shiny::reactiveVal(FALSE)
    if (options$evidence) session$onFlushed(function() drawn(TRUE))
    pages <- alist(
        # also of somebody who goes on by sorting
        heading = say(words, if (is_sorted(q(), shown_samples(state)))
            "question_sort" else "question"),
        announced = question_line(state, options),
        progress = show_progress(q(), words),
        saved = show_saved(shared, options, desk$rater),
        question = {
            # what failed is tried again
            state$again
            show_question_page(state, options, source)
        },
        buttons = show_buttons(state, options),
        answers = show_answer_list(state, words, source),
        conflict = show_conflict(state, words, source),
        standing = show_standing(shared$q, words),
        ranking = show_ranking(shared$q, words, state$ranking),
        map = if (drawn() || isTRUE(input$unfolded))
            show_map(state, options$place(), options, source))
    pages[c(if (!options$ranking) "ranking",
            if (isFALSE(options$map)) "map")] <- NULL
    here <- environment()
    # also while a contradiction hides them, because shiny does not notice when
    # style sheets show them again
    Map(function(name, page) {
        output[[name]] <- shiny::renderUI(page, here, quoted = TRUE)
        shiny::outputOptions(output, name, suspendWhenHidden = FALSE)
    }, names(pages), pages)
    output$notice <- shiny::renderText({
        if (!is.null(state$notice)) do.call(say, c(list(words), state$notice))
    })
    app_ahead(session, q, source)
}

# While a question is shown, the samples that may follow are made ready one by
# one: what is near them is searched, their pictures are drawn and fetched by
# the browser. An answer waits for one of them at most.
app_ahead <- function(session, q, source) {
    seen <- new.env()
    shiny::observe({
        now <- q()
        if (!identical(seen$shown, now$pending)) {
            seen$shown <- now$pending
            seen$left <- NULL
            # after the question itself
            return(shiny::invalidateLater(100, session))
        }
        seen$left <- seen$left %||% c(samples_ahead(now), NA)
        if (length(seen$left)) {
            one <- seen$left[1L]
            seen$left <- seen$left[-1L]
            if (!is.na(one)) now$around(one, setdiff(seen$left, NA))
            # an empty message says that all are on their way
            address <- if (!is.na(one) && !is.null(source)) source(one)
            if (!inherits(address, "condition"))
                session$sendCustomMessage("ahead", as.list(address))
            shiny::invalidateLater(50, session)
        }
    }, priority = -1)
}

# The samples of the questions that may follow, whatever is answered, beside
# those that are shown; only where it is cheap to choose them and draws no
# random numbers.
samples_ahead <- function(q) {
    if (is.null(q$pending) || q$strategy$name != "groups") return(integer())
    q$hint <- FALSE
    # a sorted sample that is in some group is itself on the page
    choices <- if (is_sorted(q, q$pending)) NA else c(1L, 0L, NA)
    following <- lapply(choices, function(choice) {
        advance(take_answer(q, choice, list()))$pending
    })
    as.integer(setdiff(unlist(following), q$pending))
}
