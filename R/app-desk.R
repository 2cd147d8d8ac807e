# Who answers on the page, and whom the page serves. A desk is the state of one
# person: list(shared, store, rater), `shared` being reactive values, what
# all windows of the person show:
#
#   q                see app-state.R
#   time, trouble    when the answers were saved, or why they were not
#   tried            when saving was last tried
#   by               the token of the window that acted last
#   ended            the token of the window whose Done ended the questions
#   windows          how many windows are open
#
# Everybody who opens the address without a name shares one desk.

# `q`: without answers of its own; `file`: NULL for none.
new_desk <- function(q, file, rater = NULL) {
    if (!is.null(rater)) q$person <- rater
    q$later <- TRUE
    store <- answer_store(file)
    list(shared = shiny::reactiveValues(q = save_answers(q, store),
                                        time = clock_time(), windows = 0),
         store = store, rater = rater)
}

clock_time <- function() format(Sys.time(), "%H:%M:%S")

# "answers.csv" of ann is "answers-ann.csv".
rater_file <- function(file, rater) {
    if (!is.null(file))
        sub("([.][A-Za-z0-9]+)?$", paste0("-", rater, "\\1"), file)
}

# All desks of an app: list(get, all). The shared one is made at once unless
# everybody is asked for a name, the others when somebody comes.
new_desks <- function(q, options) {
    desks <- new.env()
    if (is.null(options$raters)) desks$nobody <- new_desk(q, options$file)
    get <- function(rater) {
        key <- rater %||% "nobody"
        # what is in dispute may have changed, and what was settled is on disk
        if (!is.null(desks$leader) && key == "leader" &&
            !is.null(options$file) &&
            shiny::isolate(desks$leader$shared$windows) == 0)
            rm("leader", envir = desks)
        if (is.null(desks[[key]])) {
            named <- setdiff(names(desks), c("nobody", "leader"))
            refuse_if(length(named) >= most_raters && key != "leader" &&
                          !is.character(options$raters),
                      "At most ", most_raters, " names can answer here, and ",
                      "all have been taken.")
            desks[[key]] <- new_desk(if (key == "leader") judge() else q,
                                     rater_file(options$file, rater), rater)
        }
        desks[[key]]
    }
    all <- function() {
        named <- setdiff(names(desks), "nobody")
        mget(c(intersect("nobody", names(desks)), sort_text(named)), desks)
    }
    # who leads settles what the others dispute
    judge <- function() questionnaire(q$data, hint = q$hint, answers = lapply(
        Filter(count_answers, asked_raters(list(all = all))), held_constraints))
    list(get = get, all = all)
}

# Whoever has the address can think of names, and each costs memory and a file.
most_raters <- 20L

# The questionnaires of all desks by rater; who has no name and no answer only
# where nobody else is there.
app_questionnaires <- function(desks) {
    all <- lapply(desks$all(), function(desk) shiny::isolate(desk$shared$q))
    all[names(all) != "nobody" | vapply(all, count_answers, 0) > 0 |
            length(all) == 1L]
}

# All but who leads.
asked_raters <- function(desks) {
    all <- app_questionnaires(desks)
    all[names(all) != "leader"]
}

# ---- the link ----------------------------------------------------------------

# Letters, digits, dots and dashes: a name is part of a file's name.
is_rater_name <- function(name) {
    is_text(name) &&
        grepl("^[[:alnum:]][[:alnum:]._-]{0,39}$", name) &&
        !name %in% c("nobody", "leader")
}

# list(rater, problem, key) of the part of a link after "?". `problem`: "key" or
# "name" where the page cannot be shown, "leader" where it is another one, about
# what is `given`.
read_link <- function(search, options) {
    given <- shiny::parseQueryString(search %||% "")
    key <- given[["key"]]
    if (!is.null(key) && identical(key, options$leader)) {
        return(list(rater = "leader", key = key, given = given,
                    problem = if (is.null(given[["settle"]])) "leader"))
    }
    # a key of one rater opens the pages of no other
    holder <- names(options$key)[match(key, options$key)]
    rater <- if (is.null(given[["rater"]])) holder else
        ascii_lower(trimws(given[["rater"]]))
    opens <- is.null(options$key) ||
        isTRUE(key %in% options$key) && identical(rater, holder %||% rater)
    named <- if (is.null(rater)) is.null(options$raters) else
        is_rater_name(rater) && (!is.character(options$raters) ||
                                     rater %in% options$raters)
    list(rater = rater, problem = if (!opens) "key" else if (!named) "name",
         key = key)
}

# Why a connection is refused, with what to set: NULL for none.
wrong_address <- function(request, options) {
    if (same_origin(request) && own_host(request, options$key)) return(NULL)
    say(options$words, "wrong_address",
        here = sub("^[a-z]+://", "",
                   request$HTTP_ORIGIN %||% request$HTTP_HOST),
        there = if (same_origin(request)) request$SERVER_NAME else
            request$HTTP_HOST)
}

# Has this page opened the socket? A page of another origin cannot change its
# `Origin`. A proxy names its own address.
same_origin <- function(request) {
    hosts <- tolower(c(request$HTTP_HOST, strsplit(
        paste0(request$HTTP_X_FORWARDED_HOST, ""), " *, *")[[1L]]))
    origin <- request$HTTP_ORIGIN
    is.null(origin) || tolower(sub("^[a-z]+://", "", origin)) %in%
        c(hosts, sub(":(80|443)$", "", hosts))
}

# Who reaches this machine alone (bound to 127.0.0.1) under another name is a
# page of that name, which had its address changed (DNS rebinding). It does not
# know a key, and cannot name itself a proxy when it opens a socket.
own_host <- function(request, key) {
    host <- request$HTTP_HOST
    is.null(host) || !is.null(key) ||
        !grepl("^(127[.]|::1$|::ffff:127[.])", paste0(request$SERVER_NAME)) ||
        grepl("^(([^:]+[.])?localhost|127[.0-9]+|\\[::1\\])(:[0-9]+)?$",
              tolower(host)) ||
        any(grepl("^HTTP_X_(FORWARDED|RSTUDIO)", names(request)))
}

# No page of another origin may show the questions in a frame, but RStudio shows
# apps in one of its own.
page_headers <- function() {
    here <- "'self' http://localhost:* http://127.0.0.1:*"
    frames <- getOption("linkrank.frame_ancestors",
                        if (Sys.getenv("RSTUDIO") == "1") here else "'none'")
    list(`Content-Security-Policy` = paste("frame-ancestors", frames),
         `Referrer-Policy` = "no-referrer")
}

# list(key, leader): one for all, or one for each rater, with the names; that of
# who leads.
check_key <- function(key) {
    named <- names(key) %||% rep("", length(key))
    leads <- named == "leader"
    good <- is.null(key) || is.character(key) && !anyDuplicated(key) &&
        length(key) && all(grepl("^[A-Za-z0-9_-]{8,}$", key)) &&
        sum(leads) < 2L && (sum(!leads) < 2L || all(nzchar(named)))
    refuse_value_if(!good, key, "`key` must be at least 8 letters, digits, ",
                    "dashes or underscores, or such a key for each rater, ",
                    "with the names of the raters")
    own <- key[!leads]
    names(own) <- if (any(nzchar(names(own)))) check_raters(names(own))
    list(key = if (length(own)) own,
         leader = if (any(leads)) key[[which(leads)]])
}

# Who is on the network could answer; and shiny says where it listens before it
# finds that it cannot.
check_host <- function(key) {
    # of runApp()
    at <- dynGet("host", NULL)
    port <- dynGet("port", NULL)
    refuse_if(is.null(key) && is_text(at) &&
                  !grepl("^(127[.]|localhost$|::1$|/)", at),
              "`key` must be given where `host` is {quote_values(at)}, because
              everybody in the network could answer.")
    refuse_if(is_number(port) && answers_at(at, port), "`port` must be another,
              because a program answers at {show_number(port)} already: stop
              it, or leave `port` out.")
}

# Does a program listen there?
answers_at <- function(host, port) {
    if (identical(host, "0.0.0.0")) host <- "127.0.0.1"
    there <- suppressWarnings(tryCatch(
        socketConnection(host, port, timeout = 1), error = function(e) NULL))
    if (!is.null(there)) close(there)
    !is.null(there)
}

check_raters <- function(raters) {
    if (is.null(raters) || isTRUE(raters)) return(raters)
    good <- is.character(raters) && length(raters) &&
        all(vapply(raters, is_rater_name, NA)) &&
        !anyDuplicated(ascii_lower(raters))
    refuse_value_if(!good, raters, "`raters` must be TRUE or different names ",
                    "of letters, digits, dots and dashes")
    ascii_lower(raters)
}

# ---- pages without questions -------------------------------------------------

# Asks for the name, once: the link then holds it.
name_page <- function(link, options) {
    words <- options$words
    field <- if (is.character(options$raters))
        lapply(options$raters, function(name) tags$button(
            type = "submit", name = "rater", value = name, name)) else list(
        tags$input(type = "text", name = "rater", id = "rater", required = NA,
                   maxlength = "40", pattern = "[^ \\/\\\\]+", autofocus = NA),
        tags$button(type = "submit", class = "primary", say(words, "begin")))
    plain_page(
        options, tags$form(
            class = "name", method = "get",
            tags$label(`for` = "rater", say(words, "your_name")),
            if (!is.null(link$key))
                tags$input(type = "hidden", name = "key", value = link$key),
            tags$div(class = "ways", field),
            tags$p(class = "empty", say(words, "name_help"))
        ), keep = TRUE)
}

# The pages of who leads the study: how the raters agree, a picture, and what
# they say together, as a table.
leader_page <- function(desks, link, options) {
    # also of those who have not come since R was started
    own <- !is.null(options$file) &&
        file.exists(rater_file(options$file, "leader"))
    damaged <- unlist(lapply(c(
        if (is.character(options$raters)) options$raters, if (own) "leader"
    ), function(rater) tryCatch({
        desks$get(rater)
        NULL
    }, linkrank_error = function(e) paste0(rater, ": ", conditionMessage(e)))))
    all <- asked_raters(desks)
    picture <- suppressWarnings(as.integer(link$given[["picture"]]))
    if (length(picture)) return(picture_page(picture, all[[1L]], options))
    if (is.null(link$given[["joint"]]))
        return(agreement_page(all, options, link$key, damaged))
    judge <- app_questionnaires(desks)$leader
    joint <- if (!is.null(judge)) held_constraints(judge) else
        reconcile_answers(lapply(all, held_constraints))
    shiny::httpResponse(
        200L, "text/csv; charset=UTF-8", csv_bytes(as.data.frame(joint)),
        list(`Content-Disposition` = "attachment; filename=joint.csv"))
}

picture_page <- function(i, q, options) {
    file <- if (i %in% seq_len(q$samples) && !is.null(options$picture))
        tryCatch(picture_file(options$picture, i)[1L], error = function(e) NULL)
    if (is.null(file)) return(shiny::httpResponse(404L))
    if (is_address(file))
        return(shiny::httpResponse(303L, headers = list(Location = file)))
    on.exit(unlink(file[is_drawn(file)]))
    send_picture(file, NULL)
}

# Tables of who has answered what, how alike, and what is in dispute, with when
# that was; `damaged`: what is wrong with a file.
agreement_page <- function(all, options, key = NULL, damaged = NULL) {
    words <- options$words
    given <- vapply(all, count_answers, 0)
    found <- tryCatch(
        answer_agreement(lapply(all[given > 0], held_constraints)),
        linkrank_error = function(condition) NULL)
    # `heads`: texts of the first columns
    part <- function(title, table, heads) {
        if (!NROW(table)) return(NULL)
        numbers <- vapply(table, is.double, NA)
        table[numbers] <- round(table[numbers], 2)
        names(table)[seq_along(heads)] <- vapply(heads, say, "", words = words)
        list(tags$h2(say(words, title)), show_facts(utils::head(table, 100L)))
    }
    who <- data.frame(names(all), given, vapply(all, function(q) {
        if (is.finite(summary(q)$limit)) format(summary(q)$left) else ""
    }, ""), vapply(all, function(q) format(as.POSIXct(
        max(q$answers$time, ""), "UTC", time_form), "%Y-%m-%d %H:%M", tz = "",
        usetz = TRUE), ""))
    who[names(found$raters)[-(1:5)]] <- found$raters[
        match(names(all), found$raters$rater), -(1:5)]
    who[is.na(who)] <- ""
    pairs <- found$disputes
    pairs[-(1:2)] <- lapply(pairs[-(1:2)],
                            function(said) answer_labels(words)[said])
    # each sample with its picture
    seen <- function(name) {
        known <- all[[1L]]$names %||% seq_len(all[[1L]]$samples)
        at <- paste0("?key=", key, "&picture=", match(name, known))
        list(tags$a(href = at, target = "_blank", tags$img(
            class = "thumb", loading = "lazy", src = at, alt = ""), name))
    }
    samples <- found$samples
    samples[-(1:2)] <- lapply(samples[-(1:2)], function(group) replace(
        group, group %in% "none", say(words, "no_common")))
    if (!is.null(options$picture) && !is.null(found)) {
        pairs[1:2] <- lapply(pairs[1:2], Map, f = seen)
        if (NROW(samples)) samples$sample <- Map(seen, samples$sample)
    }
    plain_page(options, list(
        lapply(damaged, tags$p, class = "trouble", role = "alert"),
        part("answers", who, c("rater", "answered", "left_over", "last_answer",
                               "placed", "error")[seq_along(who)]),
        part("agreement", found$groups, c("rater", "and", "in_common", "rand",
                                    "lower", "upper")),
        if (isTRUE(found$pairs > 0)) tags$p(say(
            words, if (is.na(found$kappa)) "all_alike" else "alike",
            count = found$pairs, kappa = round(found$kappa, 2),
            share = round(100 * found$alike))),
        if (is.null(found)) tags$p(say(words, "no_agreement")),
        tags$form(
            class = "ways", tags$input(type = "hidden", name = "key",
                                       value = key),
            tags$button(say(words, "reload", time = clock_time())),
            if (NROW(found$samples) + NROW(pairs) > 0) tags$button(
                class = "primary", name = "settle", value = 1,
                say(words, "settle")),
            if (!is.null(found)) tags$button(name = "joint", value = 1,
                                             say(words, "joint"))),
        part("samples_disputed", samples, c("a_sample", "sure")),
        part("pairs_disputed", pairs, rep("a_sample", 2L))
    ), title = "agreement", keep = TRUE)
}

# `keep`: does its key leave the address?
plain_page <- function(options, content, status = 200L, title = "question",
                       headers = list(), keep = FALSE) {
    title <- say(options$words, title)
    page <- tags$html(
        lang = say(options$words, "lang"),
        tags$head(tags$meta(charset = "utf-8"), tags$title(title),
                  tags$meta(name = "viewport",
                            content = "width=device-width, initial-scale=1"),
                  tags$link(rel = "icon", href = "data:,"),
                  htmltools::includeCSS(app_file("app.css"))),
        tags$body(tags$header(tags$h1(title)),
                  tags$main(class = "plain", content),
                  if (keep) htmltools::includeScript(app_file("key.js"))))
    shiny::httpResponse(status, "text/html; charset=UTF-8",
                        paste0("<!DOCTYPE html>", page), headers)
}
