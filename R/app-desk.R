# Who answers on the page, and whom the page serves. A desk is the state of one
# person: list(shared, store, file, rater), `shared` being what all windows of
# the person show:
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
    q <- save_answers(q, store)
    list(shared = shiny::reactiveVal(list(q = q, time = NULL, trouble = NULL,
                                          windows = 0)),
         store = store, file = file, rater = rater)
}

# "answers.csv" of ann is "answers-ann.csv".
rater_file <- function(file, rater) {
    if (!is.null(file)) {
        sub("([.][A-Za-z0-9]+)?$", paste0("-", rater, "\\1"), file)
    }
}

# All desks of an app: list(get, all). The shared one is made at once unless
# everybody is asked for a name, the others when somebody comes.
new_desks <- function(q, options) {
    desks <- new.env()
    if (is.null(options$raters)) desks[["/"]] <- new_desk(q, options$file)
    get <- function(rater) {
        key <- rater %||% "/"
        if (is.null(desks[[key]])) {
            named <- setdiff(names(desks), "/")
            refuse_if(length(named) >= most_raters &&
                          !is.character(options$raters),
                      "At most ", most_raters, " names can answer here, and ",
                      "all have been taken.", class = "argument")
            desks[[key]] <- new_desk(q, rater_file(options$file, rater),
                                     rater)
        }
        desks[[key]]
    }
    list(get = get, all = function() mget(sort_text(names(desks)), desks))
}

# Whoever has the address can think of names, and each costs memory and a file.
most_raters <- 20L

# The questionnaire of an app, or a list of them, named by rater.
app_questionnaire <- function(desks) {
    all <- lapply(desks$all(), function(desk) {
        shiny::isolate(desk$shared())$q
    })
    if (identical(names(all), "/")) return(all[["/"]])
    # what nobody named has answered, first
    shared <- names(all) == "/"
    names(all)[shared] <- "nobody"
    all[!shared | vapply(all, count_answers, 0) > 0]
}

# ---- the link ----------------------------------------------------------------

# Letters, digits, dots and dashes: a name is part of a file's name.
is_rater_name <- function(name) {
    is_text(name) &&
        grepl("^[[:alnum:]][[:alnum:]._-]{0,39}$", name) && name != "nobody"
}

# list(rater, problem) of the part of a link after "?". `problem`: "key" or
# "name" where the page cannot be shown, "leader" where it is another one.
read_link <- function(search, options) {
    given <- shiny::parseQueryString(search %||% "")
    leads <- given[["leader"]]
    if (!is.null(leads)) {
        return(list(problem = if (identical(leads, options$leader)) "leader"
                    else "key"))
    }
    key <- given[["key"]]
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
    c(list(`Content-Security-Policy` = paste("frame-ancestors", frames)),
      if (frames == "'none'") list(`X-Frame-Options` = "DENY"))
}

# One for all, or one for each rater, with the names.
check_key <- function(key) {
    good <- is.null(key) || is.character(key) && !anyDuplicated(key) &&
        (length(key) == 1L || length(key) && !is.null(names(key))) &&
        all(grepl("^[A-Za-z0-9_-]{8,}$", key))
    refuse_value_if(!good, key, "`key` must be at least 8 letters, digits, ",
                    "dashes or underscores, or such a key for each rater, ",
                    "with the names of the raters")
    if (is.null(names(key))) key else
        stats::setNames(key, check_raters(names(key)))
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
    field <- if (is.character(options$raters)) {
        lapply(options$raters, function(name) tags$button(
            type = "submit", name = "rater", value = name, name))
    } else {
        list(tags$input(type = "text", name = "rater", id = "rater",
                        required = NA, maxlength = "40",
                        pattern = "[^ \\/\\\\]+", autofocus = NA),
             tags$button(type = "submit", class = "primary",
                         say(words, "begin")))
    }
    plain_page(
        options, tags$form(
            class = "name", method = "get",
            tags$label(`for` = "rater", say(words, "your_name")),
            if (!is.null(link$key)) {
                tags$input(type = "hidden", name = "key", value = link$key)
            },
            tags$div(class = "ways", field),
            tags$p(class = "empty", say(words, "name_help"))
        )
    )
}

# How the raters agree so far, for who leads the study: tables.
agreement_page <- function(all, options) {
    words <- options$words
    if (inherits(all, "questionnaire")) all <- list(nobody = all)
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
    who <- data.frame(names(all), given)
    who[names(found$raters)[-(1:5)]] <- found$raters[
        match(names(all), found$raters$rater), -(1:5)]
    pairs <- found$disputes
    pairs[-(1:2)] <- lapply(pairs[-(1:2)], function(said) {
        answer_labels(words)[said]
    })
    plain_page(options, list(
        part("answers", who,
             c("rater", "asked", "placed", "error")[seq_along(who)]),
        part("agreement", found$groups, c("rater", "rater", "in_common", "rand",
                                          "lower", "upper")),
        if (isTRUE(found$pairs > 0)) tags$p(say(
            words, "alike", count = found$pairs, kappa = round(found$kappa, 2),
            share = round(100 * found$alike))),
        if (is.null(found)) tags$p(say(words, "no_agreement")),
        part("samples_disputed", found$samples, c("a_sample", "sure")),
        part("pairs_disputed", pairs, rep("a_sample", 2L))
    ), title = "agreement")
}

plain_page <- function(options, content, status = 200L, title = "question",
                       headers = list()) {
    title <- say(options$words, title)
    page <- tags$html(
        lang = say(options$words, "lang"),
        tags$head(tags$meta(charset = "utf-8"), tags$title(title),
                  tags$meta(name = "viewport",
                            content = "width=device-width, initial-scale=1"),
                  tags$link(rel = "icon", href = "data:,"),
                  htmltools::includeCSS(app_file("app.css"))),
        tags$body(tags$header(tags$h1(title)),
                  tags$main(class = "plain", content))
    )
    shiny::httpResponse(status, "text/html; charset=UTF-8",
                        paste0("<!DOCTYPE html>",
                               htmltools::doRenderTags(page)), headers)
}
