# Pairs from a table of both kinds, such as a spreadsheet or the file of
# write.csv(as.data.frame(links)).

# The constraints that a table says, and the pairs `more` besides, rows of
# read_kind().
constraints_from_table <- function(table, more, samples, names) {
    named <- rows_of_names(table)
    table <- plain_table(table)
    wanted <- names
    # the samples of a file of answers may be gone from the data
    names <- c(names, other_names(table, names))
    said <- read_pair_table(table, max(samples, length(names)), names)
    decided <- said[said$type != "unsure", ]
    unsure <- nrow(said) - nrow(decided)
    inform_if(unsure > 0, "Not used, as unsure: ", show_number(unsure), " of ",
              count_noun(nrow(said), "answer"), ".", class = "constraints")
    constraints <- new_constraints(
        cbind(c(decided$i, more$i), c(decided$j, more$j)),
        c(decided$type == "must-link", more$must_link),
        max(samples, length(names)), names,
        c(decided$confidence, more$confidence),
        origin = worst_origin(decided$origin),
        founded = if (any(c("time", "action") %in% names(table)))
            founding_order(decided$i, decided$j),
        answered = if (any(c("time", "action", "rater") %in% names(table)))
            answered_words(c(said, list(source = table[["source"]])))
    )
    if (NROW(named)) constraints$group_names <- names_of_rows(
        named, names, constraints$samples)[c("sample", "name")]
    if (length(names) == length(wanted)) return(constraints)
    follow_and_report(constraints, seq_along(wanted), wanted)
}

# The rows of a file of answers that give names to groups: of each sample the
# and rater the last.
rows_of_names <- function(table) {
    rows <- attr(table, "group_names")
    if (is.null(rows) && all(c("i", "type", "remark") %in% names(table)))
        rows <- as.data.frame(table)[table$type %in% "name", ]
    sample <- ifelse(rows$name_i %in% c(NA, ""), rows$i, rows$name_i)
    again <- duplicated(paste(sample, rows$rater), fromLast = TRUE)
    rows[!again & !rows$remark %in% c(NA, ""), ]
}

# The same as data.frame(sample, name, rater), the samples by number, where they
# are among so many `samples` with `names`.
names_of_rows <- function(rows, names, samples, rater = NA) {
    sample <- match(known_spelling(rows$name_i, names), names)
    by_number <- is.null(names) | rows$name_i %in% c(NA, "")
    sample[by_number] <- rows$i[by_number]
    named <- data.frame(sample = as.integer(sample),
                        name = as.character(rows$remark),
                        rater = raters_of(rows, rater))
    named[sample %in% seq_len(samples), ]
}

# A sheet in which somebody gave samples their groups (columns `sample`,
# `group`; empty: not placed; `?`: unsure) as the answers of one who sorted in
# the order of its rows; any other table as it is.
pairs_of_sheet <- function(table) {
    sheet <- plain_names(table)
    if (!all(c("sample", "group") %in% names(sheet))) return(table)
    refuse_if(length(unique(sheet[["rater"]])) > 1L, "A sheet of groups must ",
              "be of one rater, but this one has several: split(sheet, ",
              "sheet$rater) makes a list of sheets.", class = "constraints")
    group <- trimws(as_names(sheet$group))
    sheet <- sheet[!group %in% c("", NA), ]
    group <- group[!group %in% c("", NA)]
    note_alike(unique(group), "group")
    twice <- sheet$sample[anyDuplicated(sheet$sample)]
    refuse_if(length(twice), "A sheet of groups must have each sample in one ",
              "row, but ", quote_values(twice), " is in two: the sheets of ",
              "several raters are given as a list.", class = "constraints")
    unsure <- group == "?"
    founder <- which(!duplicated(group) & !unsure)
    both <- which(outer(founder, seq_along(group), `<`), arr.ind = TRUE)
    to <- both[, 2L]
    from <- founder[both[, 1L]]
    same <- group[to] == group[from]
    sample <- sheet$sample
    pairs <- data.frame(
        first = sample[to], second = sample[from],
        answer = ifelse(unsure[to], "unsure",
                        ifelse(same, "same", "different")),
        action = to, implied = !same & !unsure[to] & to %in% to[same]
    )
    pairs$rater <- sheet[["rater"]][to]
    named <- founder[!grepl("^[0-9]+$", group[founder])]
    attr(pairs, "group_names") <- data.frame(
        i = suppressWarnings(as.integer(as_names(sample[named]))),
        name_i = if (is.numeric(sample)) rep(NA, length(named)) else
            as_names(sample[named]),
        remark = group[named])
    pairs
}

kind_columns <- c("type", "answer", "relation")

# Columns that say something about a pair but not which samples, or which kind.
pair_facts <- c("confidence", "weight", "origin", "rater", "time", "source",
                "action", "implied", "shown", "remark")

file_names <- c("name_i", "name_j")

table_columns <- c(kind_columns, pair_facts, file_names, "i", "j", "first",
                   "second", "superseded", "sample", "group")

# The answers in force.
plain_table <- function(table) {
    table <- plain_names(table)
    in_force(if (numbers_rows(table)) table[-1L] else table)
}

# Spreadsheets change the case of a header.
plain_names <- function(table) {
    refuse_if(any(vapply(table, NROW, 1L) != NROW(table)), "The columns of the
              table of pairs must be of one length.", class = "constraints")
    table <- as.data.frame(table, optional = TRUE)
    # read.csv() takes the mark of UTF-8 for a part of a name
    names(table) <- sub("^(\ufeff|X\\.U\\.FEFF\\.|X\\.{3}|\u00ef\\.\\.)", "",
                        names(table))
    lower <- ascii_lower(trimws(names(table)))
    fits <- lower %in% table_columns & !lower %in% names(table) &
        !duplicated(lower)
    names(table)[fits] <- lower[fits]
    table
}

# Does the first column only number the rows, as write.csv() adds it? Of other
# names it may be one of the samples, where those that follow are numbers, too.
numbers_rows <- function(table) {
    name <- names(table)[1L]
    counts <- length(table) > 3L && is.numeric(table[[1L]]) &&
        isTRUE(all(table[[1L]] == seq_len(nrow(table))))
    if (!counts || name %in% table_columns) return(FALSE)
    plain <- grepl("^(X|V1|[.]{3}1|Unnamed.*)?$", name) ||
        any(c("i", "first", "name_i") %in% names(table))
    following <- table[2:3]
    if (plain || any(names(following) %in% table_columns)) return(plain)
    refuse_if(all(vapply(following, is.numeric, NA)), "A table of pairs must
              have columns `i` and `j` where three may be samples:
              {quote_values(names(table)[1:3])}.", class = "constraints")
    all(vapply(following, is_worded, NA))
}

# The column of kinds.
kind_column <- function(table) {
    named <- intersect(kind_columns, names(table))
    if (length(named)) return(named[1L])
    third <- setdiff(names(table)[3L], c(pair_facts, NA))
    words <- if (length(third)) table[[third]]
    text <- is_worded(words) &&
        any(ascii_lower(trimws(words)) %in% unlist(kind_words))
    others <- setdiff(names(table)[-(1:2)], table_columns)
    recode <- unlist(Map(recode_call, table[others], others))
    refuse_if(!text, "A table of pairs must have a column `type` of ",
              "\"same\" and \"different\", but it has ",
              if (length(table)) quote_values(names(table), 8L) else "none",
              recode[1L] %||% paste("; give pairs of one kind as `must_link =`",
                                    "or `cannot_link =`"), ".",
              class = "constraints")
    third
}

# How to say two or three words of another language in ours; which is which the
# user fills in. NULL where the column has no such words.
recode_call <- function(values, column) {
    words <- unique(trimws(values[!is.na(values)]))
    if (!is_worded(values) || !length(words) %in% 2:3) return(NULL)
    paste0("; recode: table$type <- c(",
           paste(quote_each(words), "=", quote_each(ifelse(
               is.na(answer_kind(words)), "...", words)), collapse = ", "),
           ")[as.character(", column_code(column, "table"), ")], \"same\" or ",
           "\"different\" for each \"...\"")
}

# A data.frame, a row per pair: i, j, type, rater, confidence, action, origin,
# implied; `type` is one of answer_choices, `origin` of constraint_origins or
# NA. `name`: what the table is called in messages, `owner` what has the names;
# `rater`: who is meant where the table does not say.
read_pair_table <- function(table, samples, names, name = "pairs",
                            owner = "`samples`", rater = NA) {
    kind <- kind_column(table)
    pairs <- read_pairs(pair_columns(table, names), name, samples, names, owner)
    count <- nrow(table)
    list2DF(list(
        i = pairs[, 1L], j = pairs[, 2L],
        type = read_kinds(table[[kind]], kind),
        rater = raters_of(table, rater),
        confidence = read_confidence(table[["confidence"]], count),
        action = rep_len(table[["action"]] %||% NA, count),
        origin = read_origins(table, count),
        implied = rep_len(table[["implied"]] %||% FALSE, count) %in%
            c(TRUE, "TRUE")))
}

# Does it name the samples beside their numbers, as files of answers do?
has_file_names <- function(table) {
    all(file_names %in% names(table)) &&
        !all(is.na(table[file_names]) | table[file_names] == "")
}

# The two ends of each pair. Names that are numbers stay names.
pair_columns <- function(table, names) {
    ends <- list(file_names[!is.null(names) && has_file_names(table)],
                 c("i", "j"), c("first", "second"), names(table)[1:2])
    there <- vapply(ends, function(two) {
        length(two) == 2L && all(two %in% names(table))
    }, NA)
    named <- any(there[-4L])
    ends <- ends[[which(there)[1L]]]
    pairs <- table[ends]
    text <- vapply(pairs, is_worded, NA) | ends %in% file_names
    unlike <- any(ends %in% c(pair_facts, kind_columns)) ||
        any(text) && !all(text)
    refuse_if(!named && unlike, "A table of pairs must have their two samples ",
              "in columns `i` and `j`, or in its first two, but these are ",
              quote_values(ends), ".", class = "constraints")
    pairs[text] <- lapply(pairs[text], known_spelling, names)
    pairs
}

# Names as those of the samples, where the bytes of a file were read as they
# are, or the apostrophe that keeps a spreadsheet from computing is still there.
known_spelling <- function(given, names) {
    given <- as_names(given)
    strange <- which(!given %in% c(names, NA, ""))
    if (length(strange)) {
        plain <- readable_bytes(given[strange])
        bare <- sub("^'", "", plain)
        given[strange] <- ifelse(bare %in% names, bare, plain)
    }
    given
}

# ": "7" (\"007\"?), ..." for names that a spreadsheet may have changed.
list_strange <- function(strange, names) {
    if (!length(strange) || is.null(names)) return("")
    shown <- utils::head(strange, 3L)
    meant <- vapply(shown, function(name) {
        near <- nearest_name(name, names)
        if (length(near)) paste0(" (", quote_each(near), "?)") else ""
    }, "")
    paste0(": ", paste0(quote_each(shown), meant, collapse = ", "),
           if (length(strange) > 3L)
               paste(" and", length(strange) - 3L, "more"))
}

# Names in such a file that are not among the names of the samples. If all are
# strange, the file is one of other data: NULL, unless `all`.
other_names <- function(table, names, all = FALSE) {
    if (is.null(names) || !has_file_names(table)) return(NULL)
    given <- unique(unlist(lapply(table[file_names], known_spelling, names)))
    other <- setdiff(given, c(names, NA, ""))
    if (all || length(other) < length(given)) other
}

# ---- the words of an answer --------------------------------------------------

answer_choices <- c("must-link", "cannot-link", "unsure")

kind_words <- list(`must-link` = c("must-link", "same"),
                   `cannot-link` = c("cannot-link", "different"),
                   unsure = c("unsure", "?", "na", ""))

# One of answer_choices for every value, NA for a value that is no answer.
answer_kind <- function(values) {
    # TRUE and FALSE in the languages that spreadsheets save them in. Letters
    # that are not ASCII stand there in both cases, because no locale is relied
    # on.
    truth <- package_table("truth.csv")
    text <- ascii_lower(trimws(as_names(values)))
    kind <- rep(NA_character_, length(text))
    kind[text %in% c(kind_words[["must-link"]], "1", truth$true)] <- "must-link"
    kind[text %in% c(kind_words[["cannot-link"]], "0", "-1",
                     truth$false)] <- "cannot-link"
    kind[is.na(values) | text %in% kind_words$unsure] <- "unsure"
    kind
}

read_kinds <- function(values, column) {
    kind <- answer_kind(values)
    other <- which(is.na(kind))
    refuse_if(length(other), "Column \"", column, "\" must be \"same\" (1), ",
              "\"different\" (0) or \"unsure\" (NA), but row ", other[1L],
              " is ", quote_values(values[other[1L]]),
              recode_call(values, column), ".", class = "constraints")
    kind
}

read_confidence <- function(confidence, count) {
    if (is.null(confidence) || all(is.na(confidence)))
        return(rep(NA_real_, count))
    refuse_class_if(!is.numeric(confidence), confidence, "Column \"confidence\"
                    must contain numbers", class = "constraints")
    bad <- which(!is.na(confidence) & !(confidence > 0 & confidence <= 1))
    refuse_if(length(bad), "Column \"confidence\" must contain numbers above ",
              "0, up to 1, or NA, but row ", bad[1L], " contains ",
              describe_value(confidence[bad[1L]]), ".", class = "constraints")
    as.numeric(confidence)
}

# The column `origin`, and what the column `shown` says of it.
read_origins <- function(table, count) {
    origins <- as.character(table[["origin"]] %||% rep(NA, count))
    origins[origins %in% ""] <- NA
    other <- which(!origins %in% c(constraint_origins, NA))
    refuse_if(length(other), "Column \"origin\" must contain ",
              quote_values(constraint_origins), " or NA, but row ", other[1L],
              " contains ", quote_values(origins[other[1L]]), ".",
              class = "constraints")
    seen_origin(origins, table[["shown"]])
}

# cbind() of factors gives their codes, which look like row numbers. Names, and
# parts of named objects, are evaluated again: that has no side effects.
refuse_factor_codes <- function(pairs, code, name, frame) {
    bound <- is.call(code) && is.matrix(pairs) && is.integer(pairs) &&
        as.character(code[[1L]])[1L] %in% c("cbind", "rbind")
    for (part in if (bound) as.list(code)[-1L]) {
        calls <- setdiff(all.names(part), all.vars(part))
        plain <- all(calls %in% c("$", "[[", "[", "factor", "as.factor"))
        refuse_if(plain && is.factor(
            tryCatch(eval(part, frame), error = function(e) NULL)
        ), "`", name, "` must contain row numbers or sample names, but ",
        code[[1L]], "() made codes of the factor `",
        paste(deparse(part), collapse = " "), "`: use data.frame().",
        class = "constraints")
    }
}
