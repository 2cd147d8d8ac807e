# What people read: README.md, vignettes, articles and help pages, without what R
# makes of them. Articles are in the sources only.

page_files <- function() {
    root <- dirname(package_sources("DESCRIPTION"))
    c(file.path(root, "README.md"),
      list.files(file.path(root, "vignettes"), "[.]Rmd$", full.names = TRUE,
                 recursive = TRUE))
}

help_files <- function() {
    list.files(dirname(package_sources("man/linkrank-package.Rd")), "[.]Rd$",
               full.names = TRUE)
}

one_text <- function(file) {
    paste(readLines(file, encoding = "UTF-8", warn = FALSE), collapse = "\n")
}

# The blocks between fences: those that are run have braces.
fenced <- function(text, kind) {
    blocks <- regmatches(text, gregexpr("(?ms)^```.*?^```", text, perl = TRUE))[[1L]]
    opening <- sub("\n.*", "", blocks)
    sub("\n?```$", "", sub("^[^\n]*\n", "", blocks[opening == paste0("```", kind)]))
}

# Text of a page that a person wrote, without its head, code, equations, links.
prose_of <- function(text) {
    blank <- function(pattern, text) gsub(pattern, " ", text, perl = TRUE)
    text <- blank("(?s)\\A---\n.*?\n---\n", text)
    text <- blank("(?ms)^```.*?^```", text)
    text <- blank("(?s)<!--.*?-->|<[^<>]+>", text)
    text <- blank("(?s)\\$\\$.*?\\$\\$|\\$[^$]+\\$", text)
    text <- blank("\\]\\([^)]*\\)|https?://[^ )]+|doi:[^ )]+", text)
    sub("(?s)\n#+ References\n.*", "\n", text, perl = TRUE)
}

# `spans` of code that are on one line or two.
code_spans <- function(text) {
    spans <- regmatches(text, gregexpr("(?<!`)`[^`]+`(?!`)", text, perl = TRUE))[[1L]]
    gsub("\\s+", " ", gsub("^`|`$", "", spans))
}

# \code{} and \preformatted{} of a help page, but for usage and examples.
help_code <- function(file) {
    walk <- function(part) {
        tag <- attr(part, "Rd_tag")
        if (!is.null(tag) && tag %in% c("\\code", "\\preformatted")) {
            text <- paste(unlist(part), collapse = "")
            return(if (tag == "\\code") gsub("\\s+", " ", text) else text)
        }
        if (is.list(part)) unlist(lapply(part, walk))
    }
    page <- tools::parse_Rd(file)
    tags <- vapply(page, attr, "", "Rd_tag")
    unlist(lapply(page[!tags %in% c("\\usage", "\\examples", "\\alias")], walk))
}

# Text of a help page without code, equations and references.
help_prose <- function(file) {
    left_out <- c("\\code", "\\preformatted", "\\eqn", "\\deqn", "\\doi", "\\url",
                  "\\href", "\\usage", "\\examples", "\\references", "\\alias",
                  "COMMENT")
    walk <- function(part) {
        if (any(attr(part, "Rd_tag") %in% left_out)) return(" ")
        if (is.list(part)) paste(unlist(lapply(part, walk)), collapse = "") else
            as.character(part)
    }
    text <- gsub("\\s+", " ", walk(tools::parse_Rd(file)))
    gsub("\\\\%", "%", text)
}
