# Numbers, names and tables as text, in messages and in files.

# ==== text ====================================================================

# Text for printed output: lines of 80 columns, short names, tables of facts.

# Lines of at most 80 columns, continued with an indent.
strwrap_line <- function(lines) {
    unlist(lapply(lines, function(line) {
        indent <- nchar(line) - nchar(sub("^ +", "", line))
        strwrap(line, width = 80L, indent = indent, exdent = indent + 2L)
    }))
}

cat_lines <- function(lines) cat(strwrap_line(lines), sep = "\n")

# Names in a table: no wider than this, and without line breaks or bytes that
# are not text. Long names keep beginning and end, because many differ only in
# the last letters.
shorten <- function(text, width) shorten_shown(encodeString(text), width)

# The same for text that is already printable.
shorten_shown <- function(text, width) {
    long <- which(nchar(text, type = "width") > width)
    end <- substring(text[long], nchar(text[long]) - width %/% 3L + 1L)
    begin <- strtrim(text[long], width - 3L - nchar(end, type = "width"))
    text[long] <- paste0(begin, "...", end)
    text
}

# Names without their common prefix and suffix, when one is wider than `width`.
# Words and numbers stay whole: "cell_" is removed from "cell_117" and
# "cell_12".
drop_common <- function(names, width = 12L) {
    if (length(unique(names)) < 2L || anyNA(names) || !all(validUTF8(names)) ||
        max(nchar(names, type = "width")) <= width) {
        return(names)
    }
    names <- substring(names, common_start(names) + 1L)
    backwards <- vapply(strsplit(names, ""), function(letters) {
        paste(rev(letters), collapse = "")
    }, "")
    substr(names, 1L, nchar(names) - common_start(backwards))
}

# The line below a table that is not shown whole.
cat_rest <- function(rest, more) {
    if (rest > 0) cat("  ... ", show_number(rest), more, "\n", sep = "")
}

# The line below a table whose names are shown by fit_width().
note_line <- function(names, width) {
    note <- dropped_note(names, width)
    if (!is.null(note)) strwrap_line(paste0("  ", note))
}

# The prefix and suffix that drop_common() removes, as a sentence; NULL for
# none.
dropped_note <- function(names, width = 12L) {
    short <- drop_common(names, width)
    if (!length(names) || identical(short, names)) return(NULL)
    start <- common_start(names) + 1L
    affixes <- c(substr(names[1L], 1L, start - 1L),
              substring(names[1L], start + nchar(short[1L])))
    affixes <- shorten(affixes[nzchar(affixes)], 30L)
    paste("names without", paste0("\"", affixes, "\"", collapse = " and "))
}

# Names for printed output: whole if all fit into `width`, else without common
# prefix and suffix, and cut only if necessary. dropped_note() describes it.
fit_width <- function(names, width) {
    shorten(drop_common(names, width), width)
}

# Length of the common prefix, up to the end of a word or number; at least one
# character of each name is left.
common_start <- function(names) {
    most <- min(nchar(names)) - 1L
    # those of a locale's order, which may ignore case, may share more
    extremes <- sort(names, method = "radix")[c(1L, length(names))]
    letters <- strsplit(substr(extremes, 1L, most), "")
    same <- sum(cumprod(letters[[1L]] == letters[[2L]]))
    kind <- function(text) {
        ifelse(grepl("[[:digit:]]", text), "number",
               ifelse(grepl("[[:alpha:]]", text), "word", "between"))
    }
    for (end in rev(seq_len(same))) {
        last <- kind(substr(names[1L], end, end))
        following <- kind(substr(names, end + 1L, end + 1L))
        if (last == "between" || all(following != last)) return(end)
    }
    0L
}

# Parts in one line, or in lines that are broken between parts only.
fold_line <- function(parts, before = "", between = ", ", width = 80L,
                      indent = 0L) {
    end <- sub(" +$", "", between)
    lines <- paste0(before, parts[1L])
    for (at in seq_along(parts)[-1L]) {
        last <- length(lines)
        longer <- paste0(lines[last], between, parts[at])
        ended <- if (at < length(parts)) paste0(longer, end) else longer
        if (nchar(ended, type = "width") <= width) {
            lines[last] <- longer
        } else {
            lines[last] <- paste0(lines[last], end)
            lines <- c(lines, paste0(strrep(" ", indent), parts[at]))
        }
    }
    lines
}

# Text padded to this width, left- or right-aligned. format() and formatC()
# count a backslash twice.
pad_text <- function(text, width = max(nchar(text, type = "width")),
                     left = TRUE) {
    blanks <- strrep(" ", pmax(width - nchar(text, type = "width"), 0L))
    if (left) paste0(text, blanks) else paste0(blanks, text)
}

# A column of titles, and facts: a text, or lines that stay as they are.
fact_lines <- function(facts) {
    width <- max(nchar(names(facts)), 18L) + 2L
    unlist(lapply(names(facts), function(name) {
        lines <- facts[[name]]
        if (length(lines) == 1L) lines <- strwrap(lines, width = 79L - width)
        paste0("  ", pad_text(c(name, rep("", length(lines) - 1L)), width),
               lines)
    }))
}

capitalise <- function(word) {
    paste0(toupper(substr(word, 1L, 1L)), substring(word, 2L))
}

# ==== files ===================================================================

# CSV for spreadsheets: text in UTF-8 in every locale, which no spreadsheet runs
# as a formula, and which reads back as it was.

# A table with a header, as bytes.
csv_bytes <- function(table) {
    columns <- lapply(table, function(column) {
        if (is.character(column)) quote_cells(column) else as.character(column)
    })
    lines <- c(paste(quote_cells(names(table)), collapse = ","),
               do.call(paste, c(unname(columns), sep = ",")))
    c(utf8_mark, unlist(lapply(lines, function(line) {
        c(charToRaw(line), as.raw(10L))
    })))
}

# With these bytes in front, a spreadsheet reads the file as UTF-8.
utf8_mark <- as.raw(c(0xef, 0xbb, 0xbf))

quote_cells <- function(text) {
    text <- guard_formulas(utf8_bytes(text))
    paste0("\"", gsub("\"", "\"\"", text, fixed = TRUE, useBytes = TRUE), "\"")
}

# What a spreadsheet takes for a formula: = + - @ in any width, tabs and line
# breaks, perhaps after blanks. An apostrophe in front makes it text; where
# there are apostrophes already it is one more. Also behind what ends a cell
# where a spreadsheet expects no commas.
formula_pattern <- "'* *([=+@\\t\\r\\n-]|\\xef\\xbc[\\x9d\\x8b\\x8d\\xa0])"
cell_begins <- "(?<![^;\\t\\r\\n])"

guard_formulas <- function(text, mark = "", instead = "'") {
    text <- gsub(paste0(cell_begins, mark, "(?=", formula_pattern, ")"),
                 instead, text, perl = TRUE, useBytes = TRUE)
    Encoding(text) <- "bytes"
    text
}

# Text as UTF-8, marked as bytes, which no function translates; bytes that are
# not valid in this locale are not changed.
utf8_bytes <- function(text) {
    text <- as.character(text)
    marked <- Encoding(text) %in% c("latin1", "UTF-8")
    text[marked] <- enc2utf8(text[marked])
    native <- which(Encoding(text) == "unknown")
    said <- iconv(text[native], "", "UTF-8")
    text[native] <- ifelse(is.na(said), text[native], said)
    Encoding(text) <- "bytes"
    text
}

# Bytes from a file as text.
from_bytes <- function(text) {
    Encoding(text) <- "unknown"
    valid <- validUTF8(text)
    Encoding(text[valid]) <- "UTF-8"
    text
}

# Bytes that are no UTF-8 are Windows-1252, in which spreadsheets save, as far
# as they can be.
readable_bytes <- function(text) {
    odd <- which(!validUTF8(text))
    bytes <- text[odd]
    Encoding(bytes) <- "unknown"
    read <- iconv(bytes, "CP1252", "UTF-8")
    text[odd] <- ifelse(is.na(read), text[odd], read)
    text
}

# The text of a name, with its words in braces replaced; several texts where a
# replacement is a vector.
say <- function(words, key, ...) {
    parts <- list(...)
    text <- words[[key]]
    if (!length(parts)) return(text)
    piece <- regmatches(text, gregexpr("[{][a-z]+[}]|[^{]+|[{]", text))[[1L]]
    do.call(paste0, lapply(piece, function(one) {
        part <- parts[[gsub("[{}]", "", one)]]
        if (startsWith(one, "{") && !is.null(part)) as.character(part) else one
    }))
}
