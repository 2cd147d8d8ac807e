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
    text <- gsub(paste0(cell_begins, mark, "(?=", formula_pattern, ")"), instead,
                 text, perl = TRUE, useBytes = TRUE)
    Encoding(text) <- "bytes"
    text
}

unguard_formulas <- function(text) guard_formulas(text, "'", "")

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

# Bytes that are no UTF-8 are Windows-1252, in which spreadsheets save, as far as
# they can be.
readable_bytes <- function(text) {
    odd <- which(!validUTF8(text))
    bytes <- text[odd]
    Encoding(bytes) <- "unknown"
    read <- iconv(bytes, "CP1252", "UTF-8")
    text[odd] <- ifelse(is.na(read), text[odd], read)
    text
}
