# The words of the page and the elements of HTML that it is made of.

# ==== words ===================================================================

# All texts of the page, by name, are in inst/app/words.csv, in English and
# German. A word in braces is replaced.

# Those that inst/app/app.js shows.
script_words <- c("finished", "ended", "lost_saved", "lost_memory",
                  "lost_trouble", "ended_elsewhere", "saved_own", "no_picture",
                  "not_decoded", "press_again", "computing")

# The text of a name, with its words in braces replaced; several texts where a
# replacement is a vector.
say <- function(words, key, ...) {
    parts <- list(...)
    text <- words[[key]]
    piece <- regmatches(text, gregexpr("[{][a-z]+[}]|[^{]+|[{]", text))[[1L]]
    do.call(paste0, lapply(piece, function(one) {
        part <- parts[[gsub("[{}]", "", one)]]
        if (startsWith(one, "{") && !is.null(part)) as.character(part) else one
    }))
}

# Texts by name: a column of a file that has the column `name`.
questionnaire_words <- function(column = "en", file = app_file("words.csv")) {
    table <- utils::read.csv(file, colClasses = "character",
                             encoding = "UTF-8")
    stats::setNames(table[[column]], table$name)
}

# The texts of one page: `words` says some or all of them otherwise.
page_texts <- function(question = NULL, words = NULL, sorted = FALSE) {
    all <- as.list(questionnaire_words())
    if (is.null(names(words)) && is.character(words) && length(words) == 1L) {
        ours <- words %in% c("en", "de")
        refuse_if(!ours && !isTRUE(file.exists(words)), "`words` must be ",
                  "\"de\", named texts or a file of them, but there is no ",
                  "file ", quote_values(words), ".", class = "argument")
        words <- if (ours) questionnaire_words(words) else
            questionnaire_words("text", words)
    }
    if (!is.null(words)) check_words(words, all)
    all[names(words)] <- as.list(words)
    if (sorted) all$question <- all$question_sort
    if (!is.null(question)) {
        all$question <- all$question_sort <- check_text(question, "question")
    }
    all
}

check_words <- function(words, known) {
    text <- unlist(words)
    refuse_if(!is.character(text) || length(text) != length(words) ||
                  anyNA(text) || is.null(names(words)) ||
                  anyDuplicated(names(words)),
              "`words` must be texts named as those of words.csv, or a file, ",
              "not ", describe_value(words), ".", class = "argument")
    other <- setdiff(names(words), names(known))
    refuse_if(length(other), "`words` names ", quote_values(other[1L]), ", ",
              "but words.csv has no text of that name.",
              class = "argument")
    for (name in names(words)) {
        odd <- setdiff(word_marks(text[[name]]), word_marks(known[[name]]))
        refuse_if(length(odd), "`words` has ", quote_values(odd[1L]), " in \"",
                  name, "\", which is not replaced there.", class = "argument")
    }
}

# The words in braces.
word_marks <- function(text) {
    regmatches(text, gregexpr("[{][a-z]+[}]", text))[[1L]]
}

# ==== elements ================================================================

# Elements of HTML, named and used as those of htmltools::tags, but text at
# once: a page takes less than half of the time that trees of elements take.
# Elements that the user's functions return are written by htmltools.

# Names are attributes: NULL for none, NA for one without a value. The rest is
# inside: text, elements and lists of them.
element <- function(name) {
    force(name)
    function(...) {
        parts <- list(...)
        named <- if (is.null(names(parts))) FALSE else names(parts) != ""
        inside <- html_parts(parts[!named])
        text <- paste(unlist(inside), collapse = "\n")
        if (length(inside) > 1L) {
            text <- paste0("\n", text, "\n")
        }
        with_needs(paste0(
            "<", name, html_attributes(parts[named]), ">",
            if (!name %in% c("img", "input", "meta")) paste0(text, "</", name,
                                                             ">")
        ), unlist(lapply(inside, attr, "html_dependencies"), FALSE))
    }
}

html_attributes <- function(values) {
    values <- values[lengths(values) > 0L]
    if (length(values)) {
        text <- vapply(values, as.character, "")
        given <- paste0("=\"", htmltools::htmlEscape(text, TRUE), "\"")
        paste0(" ", names(values), replace(given, is.na(text), ""),
               collapse = "")
    }
}

# A flat list of HTML.
html_parts <- function(part) {
    if (inherits(part, "html")) {
        list(part)
    } else if (inherits(part, c("shiny.tag", "shiny.tag.list"))) {
        made <- htmltools::renderTags(part)
        list(with_needs(made$html, made$dependencies))
    } else if (is.list(part)) {
        unlist(lapply(unname(part), html_parts), FALSE)
    } else if (!is.null(part)) {
        list(htmltools::htmlEscape(part))
    }
}

# HTML that needs the style sheets and scripts of some packages.
with_needs <- function(text, needs) {
    structure(as.character(text), html = TRUE, class = c("html", "character"),
              html_dependencies = if (length(needs)) needs)
}

tags <- lapply(stats::setNames(nm = c(
    "article", "a", "b", "button", "details", "div", "form", "figcaption",
    "figure", "h2", "h3", "h4", "i", "img", "input", "kbd", "label", "meta",
    "option", "p", "section", "select", "small", "span", "summary", "svg",
    "table", "tbody", "caption", "td", "th", "thead", "tr"
)), element)
