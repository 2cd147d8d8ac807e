# The pages as HTML, without a browser.

html <- function(tags) as.character(htmltools::tagList(tags))

count_of <- function(text, what) {
    lengths(regmatches(text, gregexpr(what, text, fixed = TRUE)))
}

page_options <- function(...) {
    given <- list(describe = NULL, picture = NULL, map = NULL,
                  differences = 3, evidence = TRUE, question = "Same?",
                  finish = TRUE, hint = TRUE, ranking = TRUE, show = character(), file = NULL,
                  words = as.list(questionnaire_words()), names = TRUE)
    changed <- list(...)
    given[names(changed)] <- changed
    given
}

test_that("the question holds its pair, the names and the features", {
    skip_if_not_installed("htmltools")
    q <- questionnaire(random_matrix(14, 4), ask = "pairs")
    state <- new_app_state(q)
    text <- html(show_question_page(state, page_options()))
    expect_match(text, sprintf("data-pair=\"%d %d\"", q$pending[1],
                               q$pending[2]))
    for (name in names(next_pair(q))) expect_match(text, name)
    found <- separating_features(q, q$pending, 3)
    expect_identical(count_of(text, "<line x1='0'"), nrow(found))
    expect_identical(count_of(text, "<td class=\"track\">"), nrow(found))
    folded <- html(show_question_page(state, page_options(evidence = FALSE)))
    expect_match(folded, "<details class=\"folded\">")
    expect_match(folded, "they are already in the data")
    none <- html(show_question_page(state, page_options(differences = 0, map = FALSE)))
    expect_no_match(none, "evidence")
})

test_that("levels, dates and flags are shown, never codes", {
    skip_if_not_installed("htmltools")
    x <- data.frame(
        leaf = factor(rep(c("ovate", "<i>linear</i>"), 4)),
        stage = factor(rep(c("III", "II"), 4), ordered = TRUE),
        smoker = rep(c(TRUE, FALSE), 4), day = as.Date("2024-03-01") + 0:7,
        size = rep(c(0.12345, 8), 4)
    )
    q <- questionnaire(x, strategy = "random")
    # the rows of the table as text, by the names of the features
    shown <- function(...) {
        text <- html(show_differences(q, 1:2, c("A", "B"), page_options(
            differences = 9, ...)))
        text <- gsub("\n *", "", text)
        rows <- regmatches(text, gregexpr("<tr>.*?</tr>", text,
                                          perl = TRUE))[[1]][-1]
        words <- lapply(strsplit(gsub("<div.*?</div>", "", rows, perl = TRUE),
                                 "(<[^>]*>)+"), `[`, -1)
        stats::setNames(lapply(words, `[`, -1), vapply(words, `[`, "", 1))
    }
    found <- shown()
    expect_identical(found[order(names(found))], list(
        day = c("2024-03-01", "2024-03-02"),
        leaf = c("ovate", "&lt;i&gt;linear&lt;/i&gt;"),
        size = c("0.123", "8"), smoker = c("yes", "no"), stage = c("III", "II")
    ))
    german <- as.list(questionnaire_words("de"))
    expect_identical(shown(words = german)$smoker, c("ja", "nein"))
})

test_that("names are text, never code", {
    skip_if_not_installed("htmltools")
    x <- random_matrix(8, 3)
    rownames(x) <- paste0("<script>alert(", 1:8, ")</script>")
    colnames(x) <- c("<b>", "\"quoted\"", "it's")
    q <- answer_all(questionnaire(x, ask = "pairs", hint = TRUE), rep(1:2, 4), 4)
    state <- new_app_state(q)
    map <- sample_axes(q$data, cbind(1:8, 8:1))$axes
    look <- app_step(state, list(what = "look",
                                 shown = action_table(q)$shown[1]))
    pages <- list(show_question_page(state, page_options()), show_answer_list(state),
                  show_question_page(look, page_options()),
                  show_map(state, map, page_options()), show_ranking(q),
                  show_buttons(look, page_options()))
    for (page in pages) {
        expect_no_match(html(page), "<script>|<b>[^nsA0-9]")
    }
})

test_that("a description of a pair may have any of its forms", {
    skip_if_not_installed("htmltools")
    q <- questionnaire(random_matrix(14, 4), ask = "pairs")
    shown <- function(describe) {
        html(pair_description(q, q$pending, page_options(describe = describe)))
    }
    expect_match(shown(function(i, j) paste("pair", i, j)), "<p>pair [0-9]+")
    expect_match(shown(function(i, j) cat("printed\n")), "<p>printed</p>")
    sides <- shown(function(i, j) list(c(age = i), data.frame(stage = "II")))
    expect_match(sides, "<th scope=\"row\">age</th>")
    expect_match(sides, "<td>II</td>")
    expect_match(shown(function(i, j) htmltools::tags$em("tag")), "<em>tag")
    expect_match(shown(function(i, j) htmltools::HTML("<em>text")), "<em>text")
    # style sheets and scripts that an element needs go with it
    sheet <- htmltools::htmlDependency("own", "1", c(href = "/own"),
                                       stylesheet = "own.css")
    needy <- function(i, j) htmltools::tagList(htmltools::tags$em("tag"), sheet)
    page <- show_question_page(new_app_state(q), page_options(describe = needy))
    expect_identical(htmltools::findDependencies(page)[[1L]]$name, "own")
    # what is none is a sentence on the page; at the start it is refused
    expect_match(shown(function(i, j) mean), "must return text, a named")
    expect_match(shown(function(i, j) list(mean, 1)), "must return text")
})

test_that("a contradiction shows its chain and its answers", {
    skip_if_not_installed("htmltools")
    q <- questionnaire(random_matrix(5, 2), ask = "pairs", order = 1:5,
                       answers = data.frame(
                           i = c(1, 2, 1), j = c(2, 3, 3),
                           name_i = c("s1", "s2", "s1"),
                           name_j = c("s2", "s3", "s3"),
                           type = c("cannot-link", "cannot-link",
                                    "must-link"),
                           time = "2026-01-01T00:00:00Z", source = "person"
                       ))
    state <- app_step(new_app_state(q), list(
        what = "change", answer = "must-link", was = "cannot-link",
        shown = action_table(q)$shown[1]))
    text <- html(show_conflict(state))
    plain <- gsub("\\s+", " ", gsub("<[^>]*>", " ", text))
    expect_match(plain, paste(
        "s3 = s1 \\(Answer 3\\) = s2 \\(Answer 1\\) all of the same group,",
        "by the chain"))
    expect_match(plain, "s3 \u2260 s2 \\(Answer 2\\) different groups")
    expect_identical(count_of(text, "class=\"choice\""), 3L)
    expect_null(show_conflict(new_app_state(q)))
    expect_match(html(show_answer_list(state)), "changed now")
})

test_that("progress, ranking and the end", {
    skip_if_not_installed("htmltools")
    q <- questionnaire(random_matrix(14, 12), ask = "pairs", n = 7, hint = TRUE)
    expect_match(html(show_ranking(q)), "needs one pair")
    q <- answer_all(q, rep(1:2, 7), 5)
    expect_match(html(show_progress(q, as.list(questionnaire_words()))), "<b>5</b>\\s*answered")
    expect_match(html(show_progress(q, as.list(questionnaire_words()))), "<progress max=\"100\" value=\"71.4\"")
    q <- answer_all(q, rep(1:2, 7), 1)
    expect_identical(count_of(html(show_ranking(q)), "class=\"margin\""), 10L)
    q <- answer_all(q, rep(1:2, 7))
    text <- html(show_question_page(new_app_state(q), page_options()))
    expect_match(text, "because 7 questions were asked")
    # all other buttons are elsewhere on the page
    expect_identical(count_of(text, "<button"), 1L)
    expect_match(text, "10 more questions")
    expect_match(html(show_saved(list(q = q), page_options())),
                 "data-lost=\"[^\"]*they are lost.\"[^>]*>Not saved: lost when the program ends</span>")
    expect_match(html(show_saved(list(q = q), page_options(file = "a.csv"))),
                 "data-lost=\"[^\"]*up to number 7 are saved.\">")
    expect_match(html(show_saved(list(q = q, trouble = "disk <full>"),
                                 page_options(file = "a.csv"))),
                 "Not saved, but still in the program: disk &lt;full&gt;")
})

test_that("nothing is undone from beside an earlier answer", {
    skip_if_not_installed("htmltools")
    q <- answer_all(questionnaire(random_matrix(10, 4),
                                                strategy = "groups"), 1:10, 3)
    state <- new_app_state(q)
    expect_match(html(show_buttons(state, page_options())), "id=\"undo\"")
    look <- app_step(state, list(what = "look", shown = action_table(q)$shown[1]))
    text <- html(show_buttons(look, page_options()))
    expect_no_match(text, "undo")
    expect_match(text, "aria-pressed")
})

test_that("the finished page says why no question follows", {
    q <- questionnaire(random_matrix(14, 4), ask = "pairs", n = 1)
    while (!is.null(q$pending)) q <- answer_pair(q, "cannot-link")
    said <- function(finished) {
        q$finished <- finished
        html(show_finished_page(q, page_options()))
    }
    expect_match(said("max_questions"), "because 1 questions were asked")
    expect_match(said("the strategy failed"), "question could not be chosen")
    expect_match(said("no pair left"), "no pair is left to ask")
    q$strategy$counts <- "cannot-links"
    expect_match(said("n"), "because 1 pairs of different groups")
})

test_that("a failing description leaves the other side and says why", {
    skip_if_not_installed("htmltools")
    q <- questionnaire(random_matrix(14, 4), ask = "pairs")
    bad <- q$pending[2]
    page <- function(describe) html(show_question_page(
        new_app_state(q), page_options(describe = describe)))
    lacks <- function(i, j) {
        if (bad %in% c(i, j)) stop("no record of <this> patient")
        list(c(age = i), c(age = j))
    }
    text <- page(lacks)
    for (name in names(next_pair(q))) expect_match(text, name)
    expect_match(text, "<th scope=\"row\">age</th>")
    expect_match(text, "could not be shown: no record of &lt;this&gt; patient")
    expect_identical(count_of(text, "could not be shown"), 1L)
    expect_identical(count_of(text, "Try again"), 1L)
    # of both: a sentence each
    text <- page(function(i, j) stop("no server"))
    expect_identical(count_of(text, "no server"), 2L)
    expect_match(text, names(next_pair(q))[1])
})

test_that("the list shows twenty answers at a time, however many there are", {
    skip_if_not_installed("htmltools")
    q <- answer_all(questionnaire(random_matrix(60, 3), strategy = "random"),
                    c(rep(1:2, 29), NA, NA), 45)
    state <- new_app_state(q)
    rows <- function(state) {
        text <- html(show_answer_list(state))
        as.integer(regmatches(text, gregexpr("(?<=\"number\">)[0-9]+", text,
                                             perl = TRUE))[[1]])
    }
    expect_identical(rows(state), 45:26)
    expect_match(html(show_answer_list(state)), "rows&quot;:40")
    older <- app_step(state, list(what = "list", rows = 60))
    expect_identical(rows(older), 45:1)
    expect_no_match(html(show_answer_list(older)), "Older")
    # a text in them, wherever it stands; the first question is number 1
    find <- function(text) app_step(older, list(what = "list", answer = text))
    named <- rows(find("S7"))
    expect_true(length(named) > 0 && all(vapply(named, function(number) {
        any(grepl("^7", shown_of(q, number)))
    }, NA)))
    unsure <- which(action_table(q)$said == "unsure")
    expect_identical(rows(find("not sure")), utils::head(rev(unsure), 20))
    expect_length(rows(find("nobody said this")), 0L)
    expect_match(html(show_answer_list(find("("))), "No answer contains this text")
    expect_identical(rows(find("")), 45:26)
    next_one <- app_step(find(""), list(what = "answer", answer = "unsure",
                                        shown = samples_text(q$pending)))
    expect_identical(rows(next_one), 46:27)
})

test_that("guidelines are markdown, in which nothing runs or is fetched", {
    skip_if_not_installed("shiny")
    expect_null(read_guidelines(NULL))
    text <- paste0("# Cells\n\n* **round** `a < b` <script>alert(1)</script>\n\n",
                   "[x](javascript:alert(1)) [y](https://a.org/) ",
                   "![i](https://a.org/i.png) <img src=x onerror=alert(2)>")
    file <- tempfile(fileext = ".md")
    writeLines(text, file)
    for (given in c(text, file)) {
        html <- as.character(read_guidelines(given))
        expect_match(html, "<h1>Cells</h1>", fixed = TRUE)
        expect_match(html, "<strong>round</strong> <code>a &lt; b</code>",
                     fixed = TRUE)
        expect_no_match(html, "<script|<img|javascript")
        expect_match(html, "<a>x</a>", fixed = TRUE)
        expect_match(html, "noopener' href=\"https://a.org/\">y", fixed = TRUE)
        expect_match(html, "&lt;script&gt;alert(1)&lt;/script&gt;", fixed = TRUE)
    }
    unlink(file)
    expect_error(read_guidelines(file), "names the file .* does not exist",
                 class = "linkrank_error_argument")
    expect_error(read_guidelines(5), "`guidelines` must be a single text",
                 class = "linkrank_error_argument")
    page <- as.character(app_page(page_options(
        guidelines = read_guidelines(text))))
    expect_match(page, "<dialog id=\"guidelines\".*<h1>Cells</h1>")
})

test_that("the time that is left is the person's own", {
    skip_if_not_installed("htmltools")
    q <- answer_all(questionnaire(random_matrix(30, 3), n = 26,
                                  strategy = "random"), rep(1:2, 15), 6)
    at <- cumsum(c(0, 30, 40, 9000, 20, 30))
    q$answers$time <- format(as.POSIXct("2026-01-01", "UTC") + at, "%Y-%m-%dT%H:%M:%SZ")
    expect_identical(minutes_left(q, 20), 10)
    expect_identical(minutes_left(q, 1), 1)
    expect_null(minutes_left(q, 0))
    expect_null(minutes_left(undo_answer(q), 20))
    words <- as.list(questionnaire_words())
    expect_match(html(show_progress(q, words)), "about 10 min left")
    # without a limit
    q <- answer_all(questionnaire(random_matrix(30, 3), strategy = "random"),
                    rep(1:2, 15), 6)
    expect_no_match(html(show_progress(q, words)), "min left")
})

test_that("without names nothing gives a sample away", {
    skip_if_not_installed("htmltools")
    x <- random_matrix(14, 4)
    rownames(x) <- paste0("Tumour", 1:14)
    q <- answer_all(questionnaire(x, ask = "pairs", hint = TRUE), rep(1:2, 7), 6)
    blind <- page_options(names = FALSE, sides = c(0, rep(1, 13)))
    blind$words$codes <- paste0("K", 21:34)
    state <- new_app_state(q)
    first <- list(shown = action_table(q)$shown[1])
    look <- app_step(state, c(what = "look", first))
    state$conflict <- list(answers = action_table(q)[1:2, ], path = q$answers$i[1:2])
    map <- sample_axes(q$data, cbind(1:14, 14:1))$axes
    pages <- list(show_question_page(state, blind), show_question_page(look, blind),
                  show_answer_list(state, blind$words),
                  show_conflict(state, blind$words), app_page(blind),
                  show_map(replace(state, "peek", list(c(9, 9))), map, blind))
    for (page in pages) {
        expect_no_match(html(page), "Tumour|same group as|answers_csv")
        # nor row numbers, which are those of the groups in sorted data
        expect_no_match(html(page),
                        "(pair|shown)[^ ]*(=|:)[^ ]*(\"|quot;)[0-9]")
    }
    expect_match(html(pages[[1]]), "</svg>\\s*K2[0-9]\\s*</h2>")
    expect_match(html(pages[[3]]), "K2[0-9]\\s*<span class=\"and\">and</span>\\s*K")
    expect_identical(read_ids(page_ids(c(3, 11), blind$words), blind$words),
                     "3 11")
    expect_identical(read_ids("K99 K21", blind$words), "NA 1")
    expect_match(draw_codes(90, "A1"), "^[A-HJ-NP-Z][1-9]$")
    expect_false(anyDuplicated(draw_codes(5000, "A1")) > 0)
    # the sides depend on the pair only
    expect_identical(on_sides(q, c(1L, 2L), blind), c(2L, 1L))
    expect_identical(on_sides(q, c(2L, 3L), blind), c(2L, 3L))
})

test_that("how things stand is said in numbers, which name no feature", {
    skip_if_not_installed("htmltools")
    x <- random_matrix(30, 50)
    x[1:15, 1:20] <- x[1:15, 1:20] + 9
    q <- questionnaire(x, hint = TRUE, n = 20)
    words <- as.list(questionnaire_words())
    expect_null(show_standing(q, words))
    q <- answer_all(q, rep(1:2, each = 15))
    expect_match(html(show_standing(q, words)), paste0(
        "Groups so far: 2\\.\\s*The ranking has settled[.] Rare groups"))
    q$stability[] <- 0.8
    expect_match(html(show_standing(q, words)),
                 "not settled yet \\(16 of 20 features stayed\\)[.]")
    expect_no_match(html(app_page(page_options(ranking = FALSE))), "ranking")
})

test_that("what is in view is what the page shows", {
    q <- questionnaire(random_matrix(14, 4), ask = "pairs", hint = TRUE)
    view <- function(..., unfolded = FALSE, of = q, shown = FALSE) {
        join_view(in_view(of, page_options(...), unfolded, shown))
    }
    expect_identical(view(), "names+features+map")
    expect_identical(view(evidence = FALSE), "names")
    expect_identical(view(evidence = FALSE, unfolded = TRUE),
                     "names+features+map")
    expect_identical(view(names = FALSE, picture = identity, map = FALSE),
                     "picture+features")
    for (described in list(view(differences = 0, show = "age"),
                           view(differences = 0, describe = paste))) {
        expect_identical(described, "names+description+map")
    }
    expect_identical(view(names = FALSE, evidence = FALSE), NA_character_)
    ranked <- answer_all(q, rep(1:2, 7), 8)
    expect_identical(view(of = ranked), "names+features+map")
    expect_identical(view(of = ranked, shown = TRUE),
                     "names+features+map+ranking")
    expect_identical(view(of = ranked, shown = TRUE, ranking = FALSE),
                     "names+features+map")
})

test_that("features that are a curve are drawn as one, others not", {
    x <- outer(1:20, 1:30, function(i, j) sin((i + j) / 9))
    named <- function(names, cells = x) {
        curve_order(prepare_data(`colnames<-`(cells, names)))
    }
    expect_identical(named(paste0("A", 1:30)), 1:30)
    expect_identical(named(as.character(30:1)), 30:1)
    expect_identical(named(paste0("nm", seq(900, 958, 2))), 1:30)
    expect_null(named(c(paste0("A", 1:29), "B30")))
    expect_null(named(c(paste0("A", 1:29), "A")))
    # numbered, but no curve
    expect_null(named(paste0("V", 1:30), random_matrix(20, 30)))
    skip_if_not_installed("htmltools")
    q <- questionnaire(`colnames<-`(x, 1:30), ask = "pairs")
    drawn <- function() count_of(html(show_question_page(
        new_app_state(q), page_options(curve = curve_order(q$data)))),
        "class=\"curve\"")
    expect_identical(drawn(), 2L)
})

test_that("of more than nine groups eight are shown, then all", {
    skip_if_not_installed("htmltools")
    cards <- function(state) {
        page <- html(show_question_page(state, page_options()))
        c(count_of(page, "card side-b"), count_of(page, "More groups"))
    }
    state <- new_app_state(answer_all(questionnaire(random_matrix(40, 5)), 1:40, 9))
    expect_identical(cards(state), c(8L, 1L))
    expect_identical(cards(app_step(state, list(what = "groups"))), c(10L, 0L))
    state$q <- undo_answer(state$q)
    expect_identical(cards(state), c(9L, 0L))
})
