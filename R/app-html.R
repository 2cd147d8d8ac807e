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
