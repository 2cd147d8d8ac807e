# Text for print-outs: lines of 80 columns, short names, tables of facts.

# Lines of at most 80 columns, continued with an indent.
strwrap_line <- function(lines) {
    unlist(lapply(lines, function(line) {
        indent <- nchar(line) - nchar(sub("^ +", "", line))
        strwrap(line, width = 80L, indent = indent, exdent = indent + 2L)
    }))
}

# Names in a table: no wider than this, and without line breaks or bytes that
# are no text. Long names keep both ends: many differ at the last letters only.
shorten <- function(text, width) {
    text <- encodeString(text)
    long <- which(nchar(text, type = "width") > width)
    end <- substring(text[long], nchar(text[long]) - width %/% 3L + 1L)
    begin <- strtrim(text[long], width - 3L - nchar(end, type = "width"))
    text[long] <- paste0(begin, "...", end)
    text
}

# Names with commas, as lines that are broken between names only.
join_names <- function(names, width) {
    names <- paste0(names, rep(c(",", ""), c(length(names) - 1L, 1L)))
    lines <- names[1L]
    for (name in names[-1L]) {
        longer <- paste(lines[length(lines)], name)
        if (nchar(longer, type = "width") <= width) {
            lines[length(lines)] <- longer
        } else {
            lines <- c(lines, name)
        }
    }
    lines
}

# A column of titles, and facts: a text, or lines that stay as they are.
fact_lines <- function(facts) {
    width <- max(nchar(names(facts)), 18L) + 2L
    unlist(lapply(names(facts), function(name) {
        lines <- facts[[name]]
        if (length(lines) == 1L) {
            lines <- strwrap(lines, width = 79L - width)
        }
        paste0("  ", formatC(c(name, rep("", length(lines) - 1L)),
                             width = -width), lines)
    }))
}
