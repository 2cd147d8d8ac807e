# Who answers, and whom the page serves, without a browser.

test_that("a link names the rater and holds the key", {
    skip_if_not_installed("shiny")
    read <- function(search, ...) read_link(search, list(...))
    expect_identical(read("", raters = NULL)$problem, NULL)
    expect_identical(read("?rater=Ann")$rater, "ann")
    expect_identical(read("", raters = TRUE)$problem, "name")
    expect_identical(read("?rater=eve", raters = c("ann", "bob"))$problem,
                     "name")
    expect_identical(read("?rater=bob", raters = c("ann", "bob"))$problem,
                     NULL)
    for (bad in c("..%2Fx", "a%20b", "%2Fetc", "-x", "nobody",
                  strrep("a", 41))) {
        expect_identical(read(paste0("?rater=", bad))$problem, "name")
    }
    expect_identical(read("?rater=ann", key = "sesame-12")$problem, "key")
    expect_identical(read("?key=sesame-1", key = "sesame-12")$problem, "key")
    expect_null(read("?key=sesame-12", key = "sesame-12")$problem)
})

test_that("a page of another origin is refused, a proxy is not", {
    from <- function(origin, host, forwarded = NULL) {
        same_origin(list(HTTP_ORIGIN = origin, HTTP_HOST = host,
                         HTTP_X_FORWARDED_HOST = forwarded))
    }
    expect_true(from("http://127.0.0.1:7760", "127.0.0.1:7760"))
    expect_true(from(NULL, "127.0.0.1:7760"))
    expect_false(from("http://evil.example", "127.0.0.1:7760"))
    expect_false(from("http://127.0.0.1:80", "127.0.0.1:7760"))
    expect_false(from("null", "127.0.0.1:7760"))
    expect_true(from("https://lab.example", "127.0.0.1:7760", "lab.example"))
    expect_true(from("https://lab.example", "lab.example:443"))
})

test_that("at a loopback address only its names are the host", {
    at <- function(host, server = "127.0.0.1", key = NULL, ...) {
        own_host(list2env(list(HTTP_HOST = host, SERVER_NAME = server, ...)),
                 key)
    }
    for (host in c("127.0.0.1:7760", "localhost:80", "LOCALHOST",
                   "app.localhost:1", "[::1]:7760")) {
        expect_true(at(host))
    }
    for (host in c("rebind.evil:7760", "127.0.0.1.evil:80", "evil",
                   "localhost.evil", "localhost:80:evil", "evil/localhost")) {
        expect_false(at(host))
        expect_false(at(host, "::1"))
        expect_true(at(host, "10.0.0.7"))
        expect_true(at(host, key = "sesame-12"))
        expect_true(at(host, HTTP_X_FORWARDED_HOST = "lab.example"))
    }
})

test_that("no page may frame the questions, but RStudio", {
    skip_if_not_installed("shiny")
    app <- questionnaire_app(questionnaire(random_matrix(14, 6), n = 6))
    headers <- function() {
        request <- list2env(list(REQUEST_METHOD = "GET", PATH_INFO = "/",
                                 HTTP_HOST = "127.0.0.1:1"))
        app$httpHandler(request)$headers
    }
    held <- Sys.getenv("RSTUDIO")
    on.exit(Sys.setenv(RSTUDIO = held))
    Sys.setenv(RSTUDIO = "")
    expect_identical(headers()[["Content-Security-Policy"]],
                     "frame-ancestors 'none'")
    Sys.setenv(RSTUDIO = "1")
    expect_match(headers()[["Content-Security-Policy"]], "'self' http://local")
    options(linkrank.frame_ancestors = "https://lab.example")
    on.exit(options(linkrank.frame_ancestors = NULL), add = TRUE)
    expect_identical(headers()[["Content-Security-Policy"]],
                     "frame-ancestors https://lab.example")
})

test_that("a key of one rater opens nobody else's questions", {
    skip_if_not_installed("shiny")
    keys <- c(ann = "sesame-12", bob = "sesame-34")
    read <- function(search) {
        read_link(search, list(key = keys, raters = names(keys)))
    }
    expect_identical(read("?key=sesame-34")[c("rater", "problem")],
                     list(rater = "bob", problem = NULL))
    expect_null(read("?rater=Ann&key=sesame-12")$problem)
    for (search in c("", "?rater=ann", "?rater=bob&key=sesame-12",
                     "?rater=eve&key=sesame-12", "?key=sesame-56")) {
        expect_identical(read(search)$problem, "key")
    }
    expect_identical(check_key(c(Ann = "sesame-12"))$key, c(ann = "sesame-12"))
    expect_identical(check_key(c(leader = "sesame-56", Ann = "sesame-12")),
                     list(key = c(ann = "sesame-12"), leader = "sesame-56"))
    # one for all others, or none for them
    expect_identical(check_key(c("sesame-12", leader = "sesame-56")),
                     list(key = "sesame-12", leader = "sesame-56"))
    expect_identical(check_key(c(leader = "sesame-56")),
                     list(key = NULL, leader = "sesame-56"))
    for (bad in list(unname(keys), c(ann = "sesame-12", bob = "sesame-12"),
                     c(ann = "short", bob = "sesame-12"),
                     c(`a b` = "sesame-12"), character(),
                     c("sesame-12", "sesame-34", leader = "sesame-56"),
                     c(leader = "sesame-56", leader = "sesame-12"))) {
        expect_error(check_key(bad), class = "linkrank_error_argument")
    }
    expect_error(questionnaire_app(questionnaire(random_matrix(14, 6)),
                                   raters = TRUE, key = keys),
                 "must be NULL", class = "linkrank_error_argument")
})

test_that("the file of a rater", {
    expect_identical(rater_file("a/answers.csv", "ann"), "a/answers-ann.csv")
    expect_identical(rater_file("answers", "ann"), "answers-ann")
    expect_null(rater_file(NULL, "ann"))
})

test_that("each rater has a desk; the app returns the links of all", {
    skip_if_not_installed("shiny")
    folder <- tempfile("desks")
    dir.create(folder)
    on.exit(unlink(folder, recursive = TRUE))
    file <- file.path(folder, "answers.csv")
    q <- questionnaire(random_matrix(14, 6), strategy = "groups", n = 6)
    desks <- new_desks(q, list(raters = TRUE, file = file))
    expect_length(dir(folder), 0L)
    for (name in c("ann", "bob")) {
        desk <- desks$get(name)
        shiny::isolate({
            desk$shared$q <- answer_pair(desk$shared$q, if (name == "ann")
                "same" else "different", source = "web")
            save_shared(desk)
        })
    }
    expect_identical(sort(dir(folder)), c("answers-ann.csv",
                                          "answers-bob.csv"))
    ann <- read_answers(file.path(folder, "answers-ann.csv"))
    expect_identical(c(ann$rater, ann$source, ann$type),
                     c("ann", "web", "must-link"))
    links <- answers_of_app(app_questionnaires(desks))
    expect_named(links, c("ann", "bob"))
    both <- suppressMessages(reconcile_answers(links))
    expect_identical(nrow(answer_conflicts(both)), 2L)
    # nobody has come under a name: the shared one
    alone <- new_desks(q, list(raters = NULL, file = NULL))
    expect_named(app_questionnaires(alone), "nobody")
})

test_that("rows of two raters of one file are both kept", {
    file <- tempfile(fileext = ".csv")
    on.exit(unlink(file))
    x <- random_matrix(14, 6)
    ann <- answer_pair(questionnaire(x, strategy = "groups", rater = "ann"), "same")
    bob <- answer_pair(questionnaire(x, strategy = "groups", rater = "bob"), "different")
    write_answers(ann, file)
    write_answers(bob, file)
    both <- read_answers(file)
    expect_setequal(paste(both$rater, both$type),
                    c("ann must-link", "bob cannot-link"))
    ann <- answer_pair(ann, "unsure")
    write_answers(ann, file)
    expect_identical(nrow(read_answers(file)), 3L)
    again <- questionnaire(x, strategy = "groups", rater = "ann")
    again <- save_answers(again, answer_store(file))
    expect_identical(answer_table(again)$type, c("must-link", "unsure"))
})

test_that("keys and names of the wrong kind are refused", {
    expect_refused("argument", check_key("short"), check_key(12345678),
                   check_key("with blank"), check_raters("a b"),
                   check_raters(c("Ann", "ann")), check_raters(FALSE),
                   check_raters(character()))
    expect_identical(check_raters(c("Ann", "bob")), c("ann", "bob"))
})

test_that("not every name that somebody thinks of can begin", {
    skip_if_not_installed("shiny")
    q <- questionnaire(random_matrix(14, 6), strategy = "groups", n = 6)
    desks <- new_desks(q, list(raters = NULL, file = NULL))
    for (name in paste0("r", seq_len(most_raters))) desks$get(name)
    expect_error(desks$get("eve"), "At most 20 names",
                 class = "linkrank_error_argument")
    expect_identical(desks$get("r1")$rater, "r1")
    named <- new_desks(q, list(raters = paste0("r", 1:30), file = NULL))
    for (name in paste0("r", 1:30)) named$get(name)
    expect_length(named$all(), 30L)
})

test_that("the agreement is a page for the leader, not for raters", {
    skip_if_not_installed("shiny")
    y <- rep(1:2, 10)
    x <- random_matrix(20, 6)
    rownames(x) <- paste0("<b>", 1:20)
    get <- function(app, search) {
        page <- app$httpHandler(list(
            REQUEST_METHOD = "GET", PATH_INFO = "/", QUERY_STRING = search,
            HTTP_HOST = "localhost"))
        list(status = page$status, text = paste(page$content, collapse = ""))
    }
    q <- questionnaire(x, n = 14, scale = "none")
    keys <- c(leader = "sesame-56", ann = "sesame-12", bob = "sesame-34")
    expect_silent(app <- questionnaire_app(q, key = keys))
    link <- "?key=sesame-56"
    expect_match(get(app, link)$text, "Nobody can be compared yet")
    for (search in c("", "?leader=", "?leader=sesame-56", "?key=sesame-5",
                     "?rater=leader", "?rater=leader&key=sesame-5")) {
        expect_identical(get(app, search)$status, 403L)
    }
    expect_no_match(get(app, "?key=sesame-12")$text, "sesame-56|settle")
    # without such a key there is none, nor is anybody called so
    alone <- questionnaire_app(q, raters = TRUE)
    for (search in c("?rater=leader", "?key=sesame-56&rater=leader")) {
        expect_match(get(alone, search)$text, "Your name")
    }
    options <- list(words = page_texts(), leader = "sesame-56")
    # and it answers nothing
    expect_identical(read_link(paste0(link, "&rater=ann"), options)$problem,
                     "leader")
    asked <- answer_all(q, y)
    slips <- replace(y, asked$answers$i[c(5, 9)], 3 - y[asked$answers$i[c(5, 9)]])
    all <- list(ann = asked, bob = answer_all(q, slips), cy = q)
    found <- suppressMessages(answer_agreement(lapply(all[1:2],
                                                      pairwise_constraints)))
    for (words in c("en", "de")) {
        options$words <- page_texts(words = words)
        page <- agreement_page(all, options)$content
        expect_true(grepl(say(options$words, "agreement"), page))
        expect_true(grepl(format(round(found$groups$ari, 2)), page, fixed = TRUE))
        expect_true(grepl(say(options$words, "samples_disputed"), page))
        expect_false(grepl("<b>[0-9]", page))
        rows <- sub("(?s).*<tbody>(.*)</tbody>.*", "\\1", page, perl = TRUE)
        expect_length(gregexpr("<tr>", rows)[[1]], nrow(found$samples))
        expect_true(grepl("&lt;b&gt;", page, fixed = TRUE))
    }
    # groups that others have not are said in the words of the page
    found$samples[1, c("ann", "bob")] <- "none"
    draw <- agreement_page
    environment(draw) <- list2env(list(answer_agreement = function(...) found),
                                  parent = asNamespace("linkrank"))
    page <- draw(all, options)$content
    expect_identical(lengths(regmatches(page, gregexpr(
        "keine der gemeinsamen Gruppen", page))), 2L)
    expect_no_match(page, ">none<")
    # pairs
    pairs <- lapply(list(ann = y, bob = slips), function(truth) answer_all(
        questionnaire(x, n = 12, strategy = "random"), truth))
    options$words <- page_texts()
    page <- agreement_page(pairs, options)$content
    expect_true(grepl("Pairs that two or more decided: [0-9]+, alike", page))
    expect_true(grepl(">Same group<", page))
    # all of one kind have no kappa
    one <- answer_all(questionnaire(x, n = 12, strategy = "random"),
                      rep(1, nrow(x)), 5)
    page <- agreement_page(list(ann = one, bob = one), options)$content
    expect_match(page, "all with the same answer, so there is no kappa")
    expect_no_match(page, "kappa NA")
})

test_that("who leads sees names that mean the same, settles, and takes the result", {
    skip_if_not_installed("shiny")
    y <- rep(1:2, 10)
    set.seed(4)
    x <- matrix(rnorm(20 * 6), 20) + 3 * y
    rownames(x) <- paste0("T", 1:20)
    folder <- tempfile("leads")
    dir.create(folder)
    on.exit(unlink(folder, recursive = TRUE))
    file <- file.path(folder, "answers.csv")
    q <- questionnaire(x, n = 12, scale = "none")
    picture <- function(i) plot(i)
    ann <- answer_all(q, y)
    slips <- replace(y, ann$answers$i[c(5, 9)], 3 - y[ann$answers$i[c(5, 9)]])
    bob <- answer_all(q, slips)
    # each names the groups, in another order
    name_all <- function(q) {
        for (group in seen_groups(q)) {
            kind <- if (mean(y[group]) < 1.5) "odd" else "even"
            q <- name_group(q, group[1], kind)
        }
        q
    }
    ann <- name_all(ann)
    bob <- name_all(bob)
    write_answers(ann, rater_file(file, "ann"))
    write_answers(bob, rater_file(file, "bob"))
    keys <- c(leader = "sesame-56", ann = "sesame-12", bob = "sesame-34")
    app <- suppressWarnings(questionnaire_app(q, file = file, key = keys,
                                              picture = picture))
    get <- function(search) app$httpHandler(list(
        REQUEST_METHOD = "GET", PATH_INFO = "/", HTTP_HOST = "localhost",
        QUERY_STRING = paste0("?key=sesame-56", search)))
    found <- suppressMessages(answer_agreement(list(
        ann = pairwise_constraints(ann), bob = pairwise_constraints(bob))))
    own <- as.matrix(found$samples[c("ann", "bob")])
    expect_true(all(own %in% c("odd", "even", "none")))
    expect_true(all(own[, 1] != own[, 2]))
    # also of raters who have not come since R was started
    page <- get("")$content
    for (name in found$samples$sample) expect_match(page, name, fixed = TRUE)
    expect_match(page, ">odd<")
    expect_match(page, paste0(">", format(as.POSIXct(
        max(ann$answers$time), "UTC", "%Y-%m-%dT%H:%M:%SZ"), "%Y-%m-%d %H:%M", tz = ""), " "))
    expect_match(page, "name=\"settle\"")
    # pictures of samples, and of nothing else
    at <- sub(".*[?]key=sesame-56&amp;picture=([0-9]+).*", "\\1", page)
    expect_identical(get(paste0("&picture=", at))$content_type, "image/png")
    for (odd in c("0", "21", "-1", "x", "1e9", "../etc")) {
        expect_identical(get(paste0("&picture=", odd))$status, 404L)
    }
    # what all say together, for R
    joint <- function() utils::read.csv(text = rawToChar(get("&joint=1")$content[-(1:3)]))
    links <- suppressMessages(reconcile_answers(list(
        ann = pairwise_constraints(ann), bob = pairwise_constraints(bob))))
    expect_equal(joint(), as.data.frame(links), ignore_attr = TRUE)
    # the disputes are asked about, and what is answered settles them
    desk <- new_desks(q, list(raters = c("ann", "bob"), file = file))
    for (rater in c("ann", "bob")) desk$get(rater)
    desk <- desk$get("leader")
    shiny::isolate({
        q <- desk$shared$q
        expect_setequal(rownames(x)[q$others$judged], found$samples$sample)
        while (!is.null(shown <- next_pair(q))) {
            q <- answer_pair(q, c(which(y[shown[-1]] == y[shown[1]]), 0)[1])
        }
        # under the names that the raters gave
        expect_setequal(group_names(q)$name, c("odd", "even"))
        desk$shared$q <- q
        save_shared(desk)
        settled <- held_constraints(q)
    })
    expect_identical(settled$disputes, NULL)
    groups <- closure_groups(settled)
    placed <- !is.na(groups$code)
    expect_true(all(found$samples$sample %in% rownames(x)[placed]))
    expect_identical(groups$names[groups$code[placed]], c("odd", "even")[y[placed]])
    # after R was started again as well
    columns <- c("i", "j", "type", "name_i", "name_j")
    expect_equal(joint()[columns], as.data.frame(settled)[columns],
                 ignore_attr = TRUE)
    expect_identical(closure_groups(pairwise_constraints(
        joint(), samples = rownames(x)))$code[placed], groups$code[placed])
    expect_true("answers-leader.csv" %in% dir(folder))
})

test_that("a damaged file of a rater is a sentence on the page of who leads", {
    skip_if_not_installed("shiny")
    folder <- tempfile("leads")
    dir.create(folder)
    on.exit(unlink(folder, recursive = TRUE))
    file <- file.path(folder, "answers.csv")
    q <- questionnaire(random_matrix(20, 6), n = 12)
    for (rater in c("ann", "bob", "cy")) {
        write_answers(answer_all(q, rep(1:2, 10)), rater_file(file, rater))
    }
    bob <- readLines(rater_file(file, "bob"))
    writeLines(sub("^[^,]*,", "", bob), rater_file(file, "bob"))
    app <- questionnaire_app(q, file = file, key = c(
        leader = "sesame-56", ann = "sesame-12", bob = "sesame-34", cy = "sesame-78"))
    page <- function() app$httpHandler(list(
        REQUEST_METHOD = "GET", PATH_INFO = "/", HTTP_HOST = "localhost",
        QUERY_STRING = "?key=sesame-56"))
    shown <- page()
    expect_identical(shown$status, 200L)
    expect_match(shown$content, "role=\"alert\">bob: `[^<]+answers-bob.csv[^<]+[.]</p>")
    expect_match(shown$content, "Adjusted Rand index")
    expect_match(shown$content, "<button>As of [0-9:]{8}: load again</button>")
    # and is read as soon as it is whole again
    writeLines(bob, rater_file(file, "bob"))
    expect_no_match(page()$content, "role=\"alert\"")
    # of a study that nobody has joined
    alone <- questionnaire_app(q, raters = TRUE, key = c(leader = "sesame-56"))
    shown <- alone$httpHandler(list(
        REQUEST_METHOD = "GET", PATH_INFO = "/", HTTP_HOST = "localhost",
        QUERY_STRING = "?key=sesame-56"))
    expect_match(shown$content, "Nobody can be compared yet")
})

test_that("a proxy that says no address, and an open network, are refused in words", {
    skip_if_not_installed("shiny")
    app <- questionnaire_app(questionnaire(random_matrix(14, 6), n = 6))
    options <- list(words = page_texts(), key = NULL)
    asked <- function(...) wrong_address(list2env(list(...)), options)
    expect_null(asked(HTTP_HOST = "127.0.0.1:7", HTTP_ORIGIN = "http://127.0.0.1:7"))
    expect_match(asked(HTTP_HOST = "127.0.0.1:7", HTTP_ORIGIN = "https://lab.example"),
                 "Opened as lab.example, asked for 127.0.0.1:7: .*X-Forwarded-Host")
    expect_match(asked(HTTP_HOST = "lab.example", SERVER_NAME = "127.0.0.1"),
                 "Opened as lab.example, asked for 127.0.0.1: ")
    get <- function(...) app$httpHandler(list2env(list(
        REQUEST_METHOD = "GET", QUERY_STRING = "", ...)))
    # once in R, however often it is tried
    said <- testthat::capture_messages(for (time in 1:3) {
        page <- get(PATH_INFO = "/", HTTP_HOST = "lab.example",
                    SERVER_NAME = "127.0.0.1")
    })
    expect_length(said, 1L)
    expect_identical(page$status, 403L)
    expect_match(page$content, "X-Forwarded-Host")
    expect_identical(page$headers[["Referrer-Policy"]], "no-referrer")
    expect_message(get(PATH_INFO = "/websocket/", HTTP_HOST = "localhost"),
                   "must let web sockets through", class = "linkrank_message_app")
    for (host in c("0.0.0.0", "192.168.1.5", "::")) {
        expect_error(shiny::runApp(app, host = host, launch.browser = FALSE),
                     paste0("`key` must be given where `host` is \"", host),
                     fixed = TRUE, class = "linkrank_error_argument")
    }
    # before shiny says that it listens there
    port <- 20000L + Sys.getpid() %% 10000L
    taken <- serverSocket(port)
    on.exit(close(taken))
    said <- testthat::capture_messages(expect_error(
        shiny::runApp(app, port = port, launch.browser = FALSE),
        paste("a program answers at", port), fixed = TRUE,
        class = "linkrank_error_argument"))
    expect_length(said, 0L)
})

test_that("the paths of the server are in no tip", {
    skip_if_not_installed("htmltools")
    page <- as_html(show_saved(list(q = NULL), list(
        words = page_texts(), file = "/srv/secret/answers.csv")))
    expect_no_match(page, "secret")
})

test_that("a page comes before the questions are made, once for all", {
    skip_if_not_installed("shiny")
    made <- 0
    trouble <- TRUE
    late <- function() {
        made <<- made + 1
        if (trouble) stop("no <table> yet")
        questionnaire(random_matrix(14, 4), ask = "pairs")
    }
    app <- questionnaire_app(late, key = "sesame-12")
    get <- function(path, search = "?key=sesame-12") {
        app$httpHandler(list(REQUEST_METHOD = "GET", PATH_INFO = path,
                             QUERY_STRING = search, HTTP_HOST = "localhost"))
    }
    # nobody else has anything made
    for (path in c("/", "/prepare")) {
        expect_identical(get(path, "?key=other")$status, 403L)
    }
    page <- get("/")
    expect_identical(page$status, 200L)
    expect_match(page$content, "The first question is being prepared")
    expect_identical(page$headers$Refresh, "1; url=prepare?key=sesame-12")
    expect_identical(made, 0)
    # each request tries again what failed, as the answers of the app do
    expect_message(page <- get("/prepare"), "cannot be shown: no <table> yet",
                   class = "linkrank_message_app")
    expect_identical(page$status, 500L)
    expect_match(page$content, "cannot be shown: no &lt;table&gt; yet")
    expect_match(page$content, "<h1>Questions</h1>", fixed = TRUE)
    expect_error(pairwise_constraints(app), "no <table> yet")
    expect_identical(made, 2)
    expect_null(get("/else"))
    trouble <- FALSE
    for (time in 1:2) {
        page <- get("/prepare")
        expect_identical(page$status, 303L)
        expect_identical(page$headers$Location, "./?key=sesame-12")
    }
    expect_match(get("/")$content, "id=\"question\"")
    expect_length(pairwise_constraints(app), 0)
    expect_identical(made, 3)
    expect_error(questionnaire_app(function(x, y = 1, ...) x), paste(
        "be called without arguments, but its argument `x` has no default"
    ), class = "linkrank_error_argument")
    wrong <- questionnaire_app(function() 1)
    expect_error(pairwise_constraints(wrong), "must come from questionnaire()",
                 class = "linkrank_error_argument")
})

test_that("a name with letters that are not ASCII is the same in a link", {
    name <- "\u00c4da"
    # such a letter is none in some locales
    given <- tryCatch(check_raters(name), linkrank_error = function(e) TRUE)
    link <- read_link("?rater=%C3%84da", list(raters = given))
    expect_identical(is.null(link$problem), is_rater_name(name))
})
