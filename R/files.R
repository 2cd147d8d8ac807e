# Files that the package writes: whole, or the disk is named.

# The reason in a message of R: "cannot open file 'a': Permission denied".
disk_reason <- function(condition) {
    text <- one_line(conditionMessage(condition))
    sub("^.*(reason '|: +)([^':]+)'?$", "\\2", text)
}

# Writes a file whole; `what` begins the message, "The ranking".
write_checked <- function(file, bytes, what) {
    reason <- .Call(C_write_file, file, bytes, FALSE)
    if (!is.null(reason)) {
        unlink(file)
        abort_linkrank(what, " could not be written to \"{dirname(file)}\"
                       ({reason}).", class = "disk")
    }
}

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
