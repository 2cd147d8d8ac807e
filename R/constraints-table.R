# Pairs from a table of both kinds, such as a spreadsheet or the file of
# write.csv(as.data.frame(links)).

# Columns that only number the rows.
row_number_columns <- c("X", "", "...1")

is_pair_table <- function(pairs) is.data.frame(pairs) && length(pairs) > 2L

# list(pairs, must_link, confidence), a row per pair.
read_pair_table <- function(table, samples, names) {
    table <- as.data.frame(table)
    if (names(table)[1L] %in% row_number_columns && length(table) > 3L) {
        table <- table[-1L]
    }
    pairs <- read_pairs(pair_columns(table, names), "cannot_link", samples,
                       names)
    if (nrow(pairs) == 0L) {
        return(list(pairs = pairs, must_link = logical(),
                    confidence = numeric()))
    }
    kind <- if ("type" %in% names(table)) "type" else names(table)[3L]
    list(pairs = pairs, must_link = read_kinds(table[[kind]], kind),
         confidence = read_confidence(table$confidence, nrow(table)))
}

pair_columns <- function(table, names) {
    given <- c("name_i", "name_j")
    if (!is.null(names) && all(given %in% names(table)) &&
        !all(is.na(table[given]))) {
        return(table[given])
    }
    if (all(c("i", "j") %in% names(table))) table[c("i", "j")] else table[1:2]
}

# TRUE for must-links, FALSE for cannot-links.
read_kinds <- function(kind, column) {
    text <- tolower(trimws(as.character(kind)))
    must <- text %in% c("must-link", "same", "1", "true")
    cannot <- text %in% c("cannot-link", "different", "0", "-1", "false")
    other <- which(!must & !cannot)
    if (length(other)) {
        given <- kind[other[1L]]
        abort_linkrank("Column \"", column, "\" must hold for every pair ",
                       "\"must-link\" (or 1, TRUE, \"same\") or ",
                       "\"cannot-link\" (or 0, -1, FALSE, \"different\"), ",
                       "but row ", other[1L], " holds ",
                       if (is.na(given)) "NA" else
                           quote_values(given), ".",
                       class = "constraints")
    }
    must
}

read_confidence <- function(confidence, count) {
    if (is.null(confidence) || all(is.na(confidence))) {
        return(rep(NA_real_, count))
    }
    if (!is.numeric(confidence)) {
        abort_linkrank("Column \"confidence\" must hold numbers, not ",
                       describe_class(confidence), ".", class = "constraints")
    }
    as.numeric(confidence)
}

# cbind() of factors gives their codes, which look like row numbers.
refuse_factor_codes <- function(pairs, code, name, frame) {
    bound <- is.call(code) && is.matrix(pairs) && is.integer(pairs) &&
        as.character(code[[1L]])[1L] %in% c("cbind", "rbind")
    if (!bound) {
        return(invisible())
    }
    for (part in as.list(code)[-1L]) {
        if (is_plain_reference(part) &&
            is.factor(tryCatch(eval(part, frame), error = function(e) NULL))) {
            abort_linkrank("`", name, "` must hold row numbers or sample ",
                           "names, but ", code[[1L]], "() made codes of the ",
                           "factor ",
                           "`", paste(deparse(part), collapse = " "),
                           "`: use data.frame().",
                           class = "constraints")
        }
    }
}

# Can it be evaluated again without side effects? A name, or a part of a named
# object.
is_plain_reference <- function(code) {
    if (!is.call(code)) {
        return(is.symbol(code))
    }
    head <- as.character(code[[1L]])[1L]
    head %in% c("$", "[[", "[", "factor", "as.factor") &&
        !any(vapply(as.list(code)[-1L], function(part) {
            is.call(part) && !is_plain_reference(part)
        }, NA))
}
