# What the page is made of: words, elements of HTML, and pictures as the browser
# fetches them.

# ==== words ===================================================================

# All texts of the page, by name, are in inst/app/words.csv, in English and
# German. A word in braces is replaced.

# Those that inst/app/app.js shows.
script_words <- c("no_picture", "not_decoded", "press_again", "computing",
                  "no_reply", "no_socket")

# The texts of one page: `words` says some or all of them otherwise.
page_texts <- function(question = NULL, words = NULL) {
    all <- as.list(questionnaire_words())
    if (is.null(names(words)) && is.character(words) && length(words) == 1L) {
        ours <- words %in% c("en", "de")
        refuse_if(!ours && !isTRUE(file.exists(words)), "`words` must be ",
                  "\"de\", named texts or a file of them, but there is no ",
                  "file ", quote_values(words), ".")
        words <- if (ours) questionnaire_words(words) else
            questionnaire_words("text", plain_names(utils::read.csv(
                words, colClasses = "character", encoding = "UTF-8")))
    }
    if (!is.null(words)) check_words(words, all)
    all[names(words)] <- as.list(words)
    if (!is.null(question))
        all$question <- all$question_sort <- check_text(question, "question")
    all
}

check_words <- function(words, known) {
    text <- unlist(words)
    refuse_if(!is.character(text) || length(text) != length(words) ||
                  anyNA(text) || is.null(names(words)) ||
                  anyDuplicated(names(words)),
              "`words` must be texts named as those of words.csv, or a file, ",
              "not ", describe_value(words), ".")
    other <- setdiff(names(words), names(known))
    refuse_if(length(other), "`words` names ", quote_values(other[1L]), ", ",
              "but words.csv has no text of that name.")
    for (name in names(words)) {
        odd <- setdiff(word_marks(text[[name]]), word_marks(known[[name]]))
        refuse_if(length(odd), "`words` has ", quote_values(odd[1L]), " in \"",
                  name, "\", which is not replaced there.")
    }
}

# The words in braces.
word_marks <- function(text) {
    regmatches(text, gregexpr("[{][a-z]+[}]", text))[[1L]]
}

# Text in markdown, or a file of it, as HTML: its own HTML is text, pictures are
# left out, and links open pages beside this one.
read_guidelines <- function(guidelines) {
    if (is.null(guidelines)) return(NULL)
    text <- check_text(guidelines, "guidelines")
    if (grepl("[.](md|txt)$", text)) {
        refuse_if(!file.exists(text), "`guidelines` names the file \"", text,
                  "\", which does not exist.")
        text <- paste(readLines(text, encoding = "UTF-8", warn = FALSE),
                      collapse = "\n")
    }
    html <- shiny::markdown(gsub("<", "&lt;", text, fixed = TRUE))
    html <- gsub("&amp;lt;", "&lt;", html, fixed = TRUE)
    html <- gsub("<img[^>]*>| href=\"(?!https?://)[^\"]*\"", "", html,
                 perl = TRUE)
    htmltools::HTML(gsub("<a href", "<a target='_blank' rel='noopener' href",
                         html, fixed = TRUE))
}

# ==== elements ================================================================

# tags$p(class = "empty", ...) and the like, as in htmltools, but text at once:
# the elements of 34 cards took htmltools 410 of 500 ms.
tags <- structure(list(), class = "html_tags")

#' @export
`$.html_tags` <- function(x, name) {
    function(...) {
        parts <- list(...)
        own <- nzchar(names(parts) %||% character(length(parts)))
        set <- Filter(length, parts[own])
        values <- vapply(set, function(value) if (is.na(value[1L])) "" else
            paste0("=\"", htmltools::htmlEscape(paste(value, collapse = " "),
                                               TRUE), "\""), "")
        set <- paste0(" ", names(set), values, collapse = "", recycle0 = TRUE)
        inside <- as_html(parts[!own])
        end <- if (!name %in% c("img", "input", "link", "meta"))
            paste0(inside, "</", name, ">")
        structure(html_text("<", name, set, ">", end),
                  html_dependencies = attr(inside, "html_dependencies"))
    }
}

# Whatever stands in an element; of a widget with the scripts that it needs.
as_html <- function(part) {
    if (is.null(part) || inherits(part, "html")) return(part)
    needs <- NULL
    if (inherits(part, c("shiny.tag", "shiny.tag.list"))) {
        needs <- htmltools::findDependencies(part)
        part <- as.character(part)
    } else if (is.list(part)) {
        part <- lapply(part, as_html)
        needs <- unlist(lapply(part, attr, "html_dependencies"), FALSE, FALSE)
        part <- paste(unlist(part), collapse = "\n")
    } else part <- htmltools::htmlEscape(as.character(part))
    attr(part, "html_dependencies") <- needs
    part
}

# Texts that are HTML already, as paste0() makes them.
html_text <- function(...) {
    structure(paste0(...), html = TRUE, class = c("html", "character"))
}

# ==== pictures ================================================================

picture_types <- c(png = "image/png", jpg = "image/jpeg",
                   jpeg = "image/jpeg", gif = "image/gif",
                   svg = "image/svg+xml", webp = "image/webp")

# The image files or addresses that picture(i) names, or a PNG of what it draws
# or returns.
picture_file <- function(picture, i) {
    drawn <- tempfile("linkrank-picture", fileext = ".png")
    # there is no file if nothing is drawn; Cairo needs no display
    type <- if (capabilities("cairo")) "cairo" else getOption("bitmapType")
    grDevices::png(drawn, 960, 720, res = 144, type = type)
    device <- grDevices::dev.cur()
    value <- tryCatch({
        value <- picture(i)
        plots <- c("ggplot", "trellis", "recordedplot")
        if (inherits(value, plots)) print(value) else value
    }, finally = grDevices::dev.off(device))
    if (is.character(value) && length(value) && !anyNA(value))
        return(vapply(value, check_picture_file, "", USE.NAMES = FALSE))
    refuse_if(!file.exists(drawn), "`picture` must name an image file or draw ",
              "a plot, but for sample {i} it gave {describe_value(value)}.")
    drawn
}

# The media type for the extension of a name, NA for an unsupported one.
picture_type <- function(file) {
    unname(picture_types[ascii_lower(sub("^.*[.]", "", file))])
}

is_address <- function(file) grepl("^https?://", file)

# Was it drawn by picture_file()? Then it is not needed elsewhere.
is_drawn <- function(file) {
    startsWith(basename(file), "linkrank-picture") &
        dirname(file) == dirname(tempfile())
}

check_picture_file <- function(file) {
    if (is_address(file)) return(file)
    refuse_if(!file.exists(file), "`picture` must name an image file, but \"",
              file, "\" does not exist.")
    refuse_if(is.na(picture_type(file)), "`picture` must name a file that ",
              "ends in ", paste(names(picture_types), collapse = ", "), ", ",
              "not \"", basename(file), "\".")
    file
}

# A function of a sample: the address of its picture, drawn once per window, or
# the condition that prevented it, and then it is tried again. The browser
# fetches the picture; through the socket it would be a third larger and never
# cached. What was drawn goes with the window, or each reload would leave files
# until R ends. `known`: NULL instead of drawing it.
picture_source <- function(picture, session, codes = NULL) {
    if (is.null(picture)) return(NULL)
    kept <- new.env(parent = emptyenv())
    kept$drawn <- character()
    session$onSessionEnded(function() unlink(kept$drawn))
    function(i, known = FALSE) {
        name <- paste0("picture-", codes[i] %||% i)
        if (is.null(kept[[name]]) && !known) {
            address <- tryCatch({
                files <- picture_file(picture, i)
                kept$drawn <- c(kept$drawn, files[is_drawn(files)])
                picture_addresses(files, name, session)
            }, error = identity)
            if (inherits(address, "condition")) return(address)
            kept[[name]] <- address
        }
        kept[[name]]
    }
}

picture_addresses <- function(files, name, session) {
    host <- shiny::isolate(session$clientData$url_hostname)
    vapply(seq_along(files), function(at) {
        file <- files[at]
        if (!is_address(file)) {
            return(session$registerDataObj(paste0(name, "-", at), file,
                                           send_picture))
        }
        refuse_if(!identical(sub("^https?://([^/:]+).*$", "\\1", file), host),
                  "`picture` must name addresses on ", host, ", where the ",
                  "page is, not \"", file, "\".")
        file
    }, "")
}

send_picture <- function(file, request) {
    shiny::httpResponse(200L, picture_type(file),
                        readBin(file, "raw", file.size(file)),
                        # an SVG that is opened by its address runs no script
                        list(`Content-Security-Policy` = "sandbox",
                             `X-Content-Type-Options` = "nosniff"))
}
