# Values as text: in messages, in printed output, in files; and the tables of
# text that come with the package.

# ==== values in messages ======================================================

`%||%` <- function(value, default) if (is.null(value)) default else value

# What is given as a name of a sample, feature, group or block: numbers in
# full, 100000 and never 1e+05. What no text can be made of, such as a function,
# is the name of its class.
as_names <- function(values) {
    text <- tryCatch(as.character(values), error = function(e) class(values))
    if (is.numeric(values)) {
        whole <- which(abs(values) < 2^53 & values == floor(values))
        text[whole] <- sprintf("%.0f", as.double(values[whole]))
    }
    text
}

# Lower case that does not depend on the session: "I" is no "i" in Turkish.
ascii_lower <- function(text) {
    chartr("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", text)
}

is_worded <- function(values) is.character(values) || is.factor(values)

# Names of a vector, and row names that are names: R numbers the rows of a
# data.frame without any, but the numbers that a file, or a subset, has given to
# rows are names.
own_row_names <- function(table) {
    if (is.null(dim(table))) return(names(table))
    if (!is.data.frame(table) || .row_names_info(table) >= 0L) rownames(table)
}

quote_each <- function(values) encodeString(as.character(values), quote = "\"")

# "a", "b" and 3 more: at most five values, then the count.
quote_values <- function(values, most = 5L) {
    values <- as_names(values)
    shown <- paste(encodeString(utils::head(values, most), quote = "\""),
                   collapse = ", ")
    rest <- length(values) - most
    if (rest > 0L) paste0(shown, " and ", rest, " more") else shown
}

# How a given value is shown in a message.
describe_value <- function(value) {
    if (is.null(value)) return("NULL")
    one <- length(value) == 1L
    if (is.character(value) && one) return(encodeString(value, quote = "\""))
    if (is.object(value) || !is.atomic(value)) return(describe_class(value))
    if (one) return(format(value, digits = 15L, scientific = 15L))
    if (is.null(dim(value))) paste(length(value), "values") else
        describe_class(value)
}

describe_class <- function(value) {
    if (is.null(value)) return("NULL")
    name <- class(value)[1L]
    if (is.atomic(value) && !is.object(value) && is.null(dim(value)))
        name <- paste(name, "vector")
    article <- if (grepl("^[aeiouAEIOU]", name)) "an" else "a"
    paste(article, name)
}

# Counts in full, 100000 instead of 1e+05, but not 1e300.
show_number <- function(number) {
    format(number, scientific = 15L, trim = TRUE, digits = 15L)
}

# 1 sample, 2 samples
count_noun <- function(count, noun) {
    paste0(show_number(count), " ", noun, c("s", "")[1L + (count == 1)])
}

show_bytes <- function(bytes) {
    format(structure(bytes, class = "object_size"), units = "auto",
           standard = "SI")
}

# What another package says, as a part of our sentence: its lines as one, cut at
# the end of a word.
one_line <- function(text, most = 160L) {
    lines <- strsplit(text, "\n", fixed = TRUE)[[1L]]
    line <- paste(trimws(lines[nzchar(lines)]), collapse = " ")
    if (nchar(line) > most)
        return(paste(sub(" +[^ ]*$", "", substr(line, 1L, most)), "..."))
    sub("[.]$", "", line)
}

# ==== printed output ==========================================================

# Lines of 80 columns, short names, tables of facts.

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

# ==== words and encodings =====================================================

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

# A table of text that comes with the package, read once.
package_table <- function(name) {
    if (is.null(tables_read[[name]])) {
        file <- system.file(name, package = "linkrank")
        assign(name, utils::read.csv(file, colClasses = "character",
                                     encoding = "UTF-8"), tables_read)
    }
    tables_read[[name]]
}

tables_read <- new.env(parent = emptyenv())
