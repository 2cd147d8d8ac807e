# questionnaire_app() without a browser: what it takes, and its server.

few <- function(..., ask = "pairs") {
    questionnaire(random_matrix(14, 6), ask = ask, n = 6, hint = TRUE, ...)
}

# What the page of the question sends.
answer_of <- function(app, answer) {
    due <- attr(app, "questionnaires")()$nobody$pending
    list(what = "answer", answer = answer, shown = samples_text(due))
}

test_that("the app answers, undoes, saves and returns its constraints", {
    skip_if_not_installed("shiny")
    file <- tempfile(fileext = ".csv")
    app <- questionnaire_app(few(), file = file)
    expect_s3_class(app, c("questionnaire_app", "shiny.appobj"))
    expect_no_warning(empty <- read_answers(file))
    expect_identical(nrow(empty), 0L)
    test_page(app, {
        for (answer in c("must-link", "cannot-link", "unsure")) {
            session$setInputs(act = answer_of(app, answer))
        }
        expect_match(output$progress$html, "<b>3</b>")
        expect_match(output$saved$html, "Saved in")
        expect_identical(read_answers(file)$type,
                         c("must-link", "cannot-link", "unsure"))
        last <- utils::tail(read_answers(file), 1)
        undo <- list(what = "undo", count = 3,
                     shown = paste(last$i, last$j))
        session$setInputs(act = undo)
        expect_match(output$notice, "undone")
        # neither does what is no action, and the window stays
        for (act in list(5, "x", list(5), list(what = list(1)), NULL, TRUE)) {
            session$setInputs(act = act)
        }
        expect_identical(nrow(read_answers(file)), 2L)
        # whoever is late does nothing
        session$setInputs(act = undo)
        expect_identical(nrow(read_answers(file)), 2L)
        expect_identical(read_answers(output$answers_csv, history = TRUE),
                         read_answers(file, history = TRUE))
    })
    links <- pairwise_constraints(app)
    expect_s3_class(links, "active_constraints")
    expect_identical(links$questions$type[!links$questions$implied],
                     read_answers(file)$type)
    # and goes on from there
    again <- questionnaire_app(few(), file = file)
    expect_identical(nrow(pairwise_constraints(again)$questions), 2L)
    unlink(file)
})

test_that("the ranking comes when it is asked for, and after quiet seconds", {
    skip_if_not_installed("shiny")
    app <- questionnaire_app(few(ask = "pairs"))
    ranked <- function() attr(app, "questionnaires")()$nobody$ranking
    test_page(app, {
        session$setInputs(act = answer_of(app, "cannot-link"))
        due <- samples_text(attr(app, "questionnaires")()$nobody$pending)
        expect_match(output$question$html, paste0("data-pair=\"", due))
        session$elapse(10000)
        expect_null(ranked())
        expect_no_match(output$ranking$html, "table")
        session$setInputs(act = list(what = "ranking"))
        expect_match(output$ranking$html, "table")
        # a further answer drops the ranking that is due
        first <- ranked()
        session$setInputs(act = answer_of(app, "cannot-link"))
        session$elapse(3000)
        session$setInputs(act = answer_of(app, "cannot-link"))
        session$elapse(3000)
        expect_identical(ranked(), first)
        question <- output$question
        session$elapse(5000)
        # it is computed in a second process
        for (try in 1:200) {
            if (!identical(ranked(), first)) break
            Sys.sleep(0.05)
            session$elapse(250)
        }
        expect_identical(output$question, question)
        expect_identical(ranked(), current_ranking(attr(app, "questionnaires")()$nobody))
        session$setInputs(act = list(what = "ranking"))
        expect_no_match(output$ranking$html, "table")
    })
    shown <- pairwise_constraints(app)$questions$shown
    expect_identical(grepl("ranking", shown), c(FALSE, TRUE, TRUE))
})

test_that("tables that the page does not offer are not served", {
    skip_if_not_installed("shiny")
    test_page(questionnaire_app(few(), names = FALSE, ranking = FALSE), {
        expect_match(output$progress$html, "<b>0</b>")
        expect_error(output$answers_csv, "defined")
    })
})

test_that("raters do not see the ranking, also those that `key` names", {
    skip_if_not_installed("shiny")
    shows <- function(search, ...) {
        request <- list(REQUEST_METHOD = "GET", PATH_INFO = "/",
                        QUERY_STRING = search, HTTP_HOST = "localhost")
        page <- questionnaire_app(few(), ...)$httpHandler(request)
        expect_identical(page$status, 200)
        grepl("ranking", page$content)
    }
    named <- c(ann = "sesame-12", bob = "sesame-34")
    expect_true(shows(""))
    expect_true(shows("?key=sesame-12", key = "sesame-12"))
    expect_false(shows("?rater=ann", raters = c("ann", "bob")))
    expect_false(shows("?key=sesame-12", key = named))
    expect_true(shows(""))
    expect_false(shows("?rater=ann"))
    for (several in list(list(key = named), list(raters = "ann"))) {
        expect_refused("argument", do.call(questionnaire_app, c(
            list(few(), ranking = TRUE), several)))
    }
    # neither from the server nor with the result
    test_page(suppressMessages(questionnaire_app(few(), key = named)), {
        session$clientData <- shiny::reactiveValues(url_search = "?key=sesame-12")
        expect_error(output$ranking, "defined")
    })
})

test_that("the samples of all questions that may follow are known ahead", {
    for (ask in c("sort", "pairs")) {
        q <- few(ask = ask)
        for (step in 1:5) {
            following <- lapply(list(
                "unsure", FALSE, if (ask == "sort") 1 else TRUE), function(answer) {
                    next_pair(answer_pair(q, answer))
                })
            expect_true(all(unlist(following) %in%
                                c(q$pending, samples_ahead(q))))
            like <- step == 2
            q <- answer_pair(q, if (ask == "sort") as.integer(like) else like)
        }
    }
    # a question must not draw random numbers for those that may follow
    random <- questionnaire(random_matrix(14, 6), strategy = "random")
    expect_identical(samples_ahead(random), integer())
    expect_identical(samples_ahead(answer_pair(few(max_questions = 1), NA)),
                     integer())
})

test_that("what cannot be saved stays in R, and the page says why", {
    skip_if_not_installed("shiny")
    folder <- tempfile("folder")
    dir.create(folder)
    app <- questionnaire_app(few(), file = file.path(folder, "a.csv"))
    test_page(app, {
        unlink(folder, recursive = TRUE)
        session$setInputs(act = answer_of(app, "must-link"))
        expect_match(output$saved$html, "Not saved, but still in the program.*a.csv")
        dir.create(folder)
        session$setInputs(act = answer_of(app, "unsure"))
        expect_match(output$saved$html, "Saved in a.csv")
    })
    expect_identical(read_answers(file.path(folder, "a.csv"))$type,
                     c("must-link", "unsure"))
    unlink(folder, recursive = TRUE)
})

test_that("trouble with the disk is tried again every minute, and by Done", {
    skip_if_not_installed("shiny")
    folder <- tempfile("folder")
    dir.create(folder)
    file <- file.path(folder, "a.csv")
    app <- questionnaire_app(few(), file = file)
    test_page(app, {
        unlink(folder, recursive = TRUE)
        session$setInputs(act = answer_of(app, "must-link"))
        expect_match(output$saved$html, "class=\"trouble\"[^>]*data-lost=")
        # Done warns first and ends nothing
        session$setInputs(done = 1)
        expect_match(output$notice, "could not be saved.*Press Done again")
        dir.create(folder)
        Sys.sleep(1.1)
        session$elapse(61000)
        expect_match(output$saved$html, "Saved in a.csv")
    })
    expect_identical(read_answers(file)$type, "must-link")
    unlink(folder, recursive = TRUE)
})

test_that("the map comes after the question, and only where it is seen", {
    skip_if_not_installed("shiny")
    test_page(questionnaire_app(few(), map = cbind(1:14, 14:1)), {
        session$flushReact()
        session$flushReact()
        expect_match(output$map$html, "<svg")
    })
    folded <- questionnaire_app(few(), map = cbind(1:14, 14:1),
                                evidence = FALSE)
    test_page(folded, {
        session$flushReact()
        expect_null(output$map)
        session$setInputs(unfolded = TRUE)
        expect_match(output$map$html, "<svg")
        session$setInputs(act = answer_of(folded, "unsure"))
        session$setInputs(act = c(answer_of(folded, "must-link"),
                                  unfolded = TRUE))
    })
    expect_identical(pairwise_constraints(folded)$questions$shown,
                     c("names", "names+features+map"))
})

test_that("arguments of the wrong kind are named at the start", {
    skip_if_not_installed("shiny")
    q <- few()
    expect_refused("argument",
                   questionnaire_app(3), questionnaire_app(q, describe = "x"),
                   questionnaire_app(q, picture = 1),
                   questionnaire_app(q, picture = function(i) "nowhere.png"),
                   questionnaire_app(q, picture = function(i) 7),
                   questionnaire_app(q, describe = function(i, j) mean),
                   questionnaire_app(q, map = cbind(1:3, 1:3)),
                   questionnaire_app(q, map = cbind(letters[1:14], "b")),
                   questionnaire_app(q, map = "UMAP"),
                   questionnaire_app(q, map = mean),
                   questionnaire_app(q, question = NA),
                   questionnaire_app(q, finish = 2),
                   questionnaire_app(q, differences = -1),
                   questionnaire_app(q, show = "patient"),
                   questionnaire_app(q, file = 3))
})

test_that("a picture is a file or what was drawn", {
    skip_if_not_installed("shiny")
    drawn <- picture_file(function(i) plot(i), 3)
    expect_gt(file.size(drawn), 1000)
    expect_identical(picture_file(function(i) drawn, 1), drawn)
    expect_identical(picture_type("a.b.JPG"), "image/jpeg")
    expect_true(is.na(picture_type("a.pdf")))
    expect_identical(picture_file(function(i) c(drawn, drawn), 1),
                     c(drawn, drawn))
    expect_identical(picture_file(function(i) "https://a.b/c.png", 1),
                     "https://a.b/c.png")
    tiff <- tempfile(fileext = ".tiff")
    file.create(tiff)
    expect_error(picture_file(function(i) tiff, 1), "ends in png, jpg",
                 class = "linkrank_error_argument")
    # of all samples, those without a file are named at the start
    q <- few()
    own <- tempfile(fileext = ".png")
    file.copy(drawn, own)
    files <- rep(own, 14)
    lost <- setdiff(1:14, q$pending)[1:2]
    files[lost] <- "gone.png"
    expect_warning(report_missing_pictures(q, function(i) files[i]),
                   paste0("no picture of 2 of 14 samples: s", lost[1], ", s",
                          lost[2]), class = "linkrank_warning_argument")
    skip_if_not_installed("lattice")
    expect_gt(file.size(picture_file(function(i) {
        lattice::xyplot(1:3 ~ 1:3)
    }, 1)), 1000)
})

test_that("samples without a picture are counted at the start", {
    skip_if_not_installed("shiny")
    good <- tempfile(fileext = ".PNG")
    writeBin(as.raw(c(0x89, 0x50, 0x4e, 0x47)), good)
    # of all samples, also where the first ones are drawn or have a file
    q <- few()
    others <- setdiff(1:14, q$pending)
    picture <- function(i) {
        if (i == others[1]) "slide.doc" else if (i == others[2]) "gone.png" else
            if (i == others[3]) stop("no slide") else
                if (i %in% q$pending) plot(i) else good
    }
    before <- dir(tempdir(), "^linkrank-picture")
    expect_warning(questionnaire_app(q, picture = picture), paste0(
        "no picture of 3 of 14 samples: s", others[1], ", s", others[2], ", s",
        others[3]), class = "linkrank_warning_argument")
    expect_identical(dir(tempdir(), "^linkrank-picture"), before)
})

test_that("what was drawn for a window goes with it", {
    skip_if_not_installed("shiny")
    folder <- tempfile("pictures")
    dir.create(folder)
    # a name that is also that of drawn ones
    own <- file.path(folder, "linkrank-picture-1.png")
    writeBin(as.raw(c(0x89, 0x50, 0x4e, 0x47)), own)
    end <- function() NULL
    session <- list(clientData = list(url_hostname = "localhost"),
                    registerDataObj = function(name, data, filter) data,
                    onSessionEnded = function(callback) end <<- callback)
    source <- picture_source(function(i) if (i == 1) plot(i) else own, session)
    files <- shiny::isolate(c(source(1), source(2)))
    expect_identical(shiny::isolate(source(1)), files[1])
    expect_identical(file.exists(files), c(TRUE, TRUE))
    end()
    expect_identical(file.exists(files), c(FALSE, TRUE))
    # those that try whether the first pair can be shown
    kept <- function() dir(tempdir(), "^linkrank-picture")
    before <- kept()
    questionnaire_app(few(), picture = function(i) plot(i))
    questionnaire_app(few(), picture = function(i) own)
    expect_identical(kept(), before)
    expect_true(file.exists(own))
})

test_that("clusters are shown by their sizes and markers", {
    skip_if_not_installed("shiny")
    set.seed(4)
    x <- random_matrix(24, 6)
    x[1:8, 1:3] <- x[1:8, 1:3] + 3
    q <- questionnaire(prepare_data(x, by = rep(letters[1:4], each = 6),
                                    scale = "none"), n = 3)
    described <- describe_clusters(q, c("samples", "high"))(1, 4)
    expect_identical(described[[2]][["samples"]], "6")
    expect_match(described[[1]][["high"]], "^g[123], g[1-6]")
    app <- questionnaire_app(q)
    test_page(app, {
        expect_match(output$question$html, "<td>g[1-6], g[1-6]")
        expect_no_match(output$question$html, "class=\"differences\"")
        session$setInputs(act = answer_of(app, "0"))
        shown <- pairwise_constraints(app)$questions$shown
        expect_match(shown[1], "features")
        expect_no_match(shown[1], "description")
    })
})

test_that("at most 20 messages of a window wait, whatever the time", {
    skip_if_not_installed("later")
    pace <- new_pace()
    many <- function(count) vapply(seq_len(count), function(i) pace(), NA)
    expect_identical(many(22), rep(c(TRUE, FALSE), c(20, 2)))
    later::run_now()
    # who waits for replies is never stopped
    for (i in 1:30) {
        expect_true(all(many(5)))
        later::run_now()
    }
})

test_that("a window that sends what no page sends is closed, others go on", {
    skip_if_not_installed("shiny")
    skip_if_not_installed("later")
    q <- questionnaire(random_matrix(14, 6), n = 6, ask = "pairs")
    app <- questionnaire_app(q)
    odd <- list(list(what = "nothing"), "text", NULL, list(), list(what = 1))
    test_page(app, {
        session$setInputs(act = answer_of(app, "must-link"))
        session$setInputs(act = answer_of(app, "unsure"))
        expect_false(session$isClosed())
        session$setInputs(act = list(what = "nothing"))
        expect_true(session$isClosed())
        session$setInputs(act = answer_of(app, "must-link"))
    })
    expect_identical(answer_table(attr(app, "questionnaires")()$nobody)$type,
                     c("must-link", "unsure"))
    for (one in odd) expect_false(is_action(one))
    # what it has sent is read at once, until another window acts
    heard <- read <- character()
    lapply(c("ann", "ann", "bob", "ann"), function(from) later::later(function() {
        if (from == "bob") sender$token <- from
        read <<- c(read, from)
    }))
    window <- list(token = "ann", close = function() heard <<- c(heard, "closed"),
                   sendCustomMessage = function(type, text) heard <<- c(type, text))
    end_window(window, "why")
    expect_identical(heard, c("ended", "why", "closed"))
    expect_identical(read, c("ann", "ann", "bob"))
    while (later::run_now(0)) NULL
})
