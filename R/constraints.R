# The constraint set. A `pairwise_constraints` object is a list of
#
#   samples      number of samples
#   names        their names, or NULL
#   first, second, must_link, confidence
#                one entry per pair, in the given direction; confidence is
#                NA except for propagated pairs
#   votes        only of reconcile_answers(): how many raters saw each pair
#   disputes     a matrix of pairs about which answers were left out and that
#                none decides: see disputed_samples()
#   origin       where the pairs come from, one of constraint_origins
#   founded      of answers, the samples in the order in which they were asked
#                about, which numbers the groups
#   group_names  the names of groups, a data.frame of `sample`, a member, and
#                `name`; or NULL
#   answered     of answers, who gave how many, see answered_words()
#   drawn        TRUE of pairs that were drawn at random from labels
#
# Or codes, from labels or columns, instead of `first` to `confidence`:
#
#   group_of, class_of
#                an integer per sample, NA for none: samples with the same
#                `group_of` are must-linked, those with different `class_of`
#                cannot-linked; of labels both are the same
#   groups, classes
#                the names of the codes
#   columns      the names of the columns, NULL for labels
#
# pairs_of(), write_out(), components_of(), constraint_links() and
# is_labelled() read both forms.

#' Must-link and cannot-link constraints between samples
#'
#' Makes constraints of pairs. A *must-link* states that two samples are of the
#' same group, a *cannot-link* that they are of different groups.
#'
#' @param pairs A table of pairs with a column of their kinds, see Details; or a
#'   sheet of groups, with the columns `sample` and `group`. Or, alone, what
#'   [questionnaire()], [questionnaire_app()] or [active_constraints()]
#'   returned: the answers so far.
#' @param ... Must be empty: pairs of one kind are given by name.
#' @param must_link,cannot_link Pairs of one kind, one per row: a two-column
#'   matrix or data.frame of row numbers or sample names, or what `colPair()`
#'   gives; `NULL` for none. A third column may only be `confidence`. The order
#'   within a pair is kept, for `direction = "first"` in [relieff_sc()].
#' @param samples The number of samples, their names, or the data; names or data
#'   for pairs by name.
#' @param confidence How sure the pairs of `must_link` and `cannot_link` are,
#'   above 0, up to 1: one number, or one for each pair.
#' @param origin Where the pairs come from, which decides how [p_values] are
#'   computed. `"given"`: the samples were chosen without these data, as labels
#'   and random pairs. `"questions"`: the data chose the samples, a person or
#'   labels answered, as in [active_constraints()]. `"features in view"`:
#'   whoever answered saw features, a map or a ranking. `"data"`: these data
#'   made pairs, as in [propagate_constraints()]. Of combined sets the last of
#'   these four counts.
#'
#' @return An object of class `pairwise_constraints`, of a questionnaire also
#'   [`active_constraints`][active_constraints()] (of several raters a list of
#'   them). `length()` is its number of pairs; `print()`, `summary()`,
#'   [plot()][plot.pairwise_constraints], `c()`, `[` and `lapply()` work,
#'   `summary()$methods` is a paragraph for a methods section;
#'   `as.data.frame()` gives one row per pair, cannot-links first: `i` and `j`
#'   (row numbers), `type` (`"cannot-link"` or `"must-link"`), `confidence`
#'   (`NA`: 1), `name_i`, `name_j`, and `origin` where it is not `"given"`.
#'
#' @details A pair given twice counts once, in the direction given first. All
#'   pairs are checked together: they must not contradict each other (see
#'   [close_constraints()]). Cost: close to linear in samples and pairs.
#'
#' *A table of both kinds* is a data.frame of three or more columns: the pairs
#' in `i` and `j` or in `first` and `second`, else in the first two columns; the
#' kind in `type`, `answer` or `relation`, else in a third column of text. A
#' must-link is `"must-link"` or `"same"`, in the three columns by name also `1`
#' or `TRUE`; a cannot-link is `"cannot-link"` or `"different"`, or `0`, `-1` or
#' `FALSE`; `"unsure"`, `"?"`, `NA` or an empty cell make no pair, and a message
#' counts them. Columns `confidence`, `origin` and `shown` are used. A first
#' column that only numbers the rows is ignored. `name_i` and `name_j` are used
#' instead of `i` and `j` when `samples` are names, also for samples in another
#' order; pairs of samples that are gone are dropped with a message.
#'
#' *Numbers* are row numbers, also where samples have names. `cbind()` of
#' factors, which gives codes, is an error.
#'
#' @section Errors: `linkrank_error_constraints`: a pair of a sample with
#'   itself, a sample out of range or unknown (with the row, and the name that
#'   may have been meant), a pair given as both kinds, and a cannot-link within
#'   a chain of must-links. The field `contradictions` of the condition has all;
#'   [reconcile_answers()] settles them.
#'
#' @seealso [constraints_from_labels()] for pairs from known classes;
#'   [close_constraints()], [constraint_groups()].
#' @examples
#' links <- pairwise_constraints(
#'     cannot_link = rbind(c(1, 2), c(5, 8), c(9, 12)),
#'     must_link = cbind(1, 5),
#'     samples = rownames(colon$x)
#' )
#' links
#' as.data.frame(links)
#'
#' # a table from a spreadsheet
#' known <- data.frame(first = c("ann", "bob"), second = c("bob", "cat"),
#'                     relation = c("same", "different"))
#' pairwise_constraints(known, samples = c("ann", "bob", "cat"))
#' @export
pairwise_constraints <- function(pairs = NULL, ..., must_link = NULL,
                                 cannot_link = NULL, samples,
                                 confidence = NULL,
                                 origin = c("given", "questions",
                                            "features in view", "data")) {
    refuse_if(...length() && !all(nzchar(...names() %||% "")), "Pairs must ",
              "be given by the name of their kind: `must_link =` or ",
              "`cannot_link =`.", class = "constraints")
    check_dots_empty(...)
    origin <- check_choice(origin)
    held <- held_constraints(pairs)
    if (!is.null(held)) {
        refuse_if(!missing(samples) || !is.null(must_link) ||
                      !is.null(cannot_link), "`pairs` contains constraints ",
                  "already: give it alone, and join further pairs by c().")
        return(with_origin(held, origin))
    }
    check_given(samples, "the number of samples, their names, or the data")
    names <- named_samples(samples)
    samples <- check_sample_count(samples, names)
    if (is_table(pairs)) pairs <- pairs_of_sheet(pairs)
    # the kind of a pair is never guessed
    has_kind <- is.null(pairs) || is_table(pairs) && ncol(pairs) != 2L
    if (!has_kind) abort_linkrank(
        "`pairs` must be answers, or a table with a third column of kinds; two",
        " columns are `must_link =` or `cannot_link =`.", class = "constraints")
    refuse_factor_codes(cannot_link, substitute(cannot_link), "cannot_link",
                        parent.frame())
    refuse_factor_codes(must_link, substitute(must_link), "must_link",
                        parent.frame())
    rows <- rbind(read_kind(cannot_link, "cannot_link", samples, names),
                  read_kind(must_link, "must_link", samples, names))
    if (!is.null(confidence))
        rows$confidence <- given_confidence(confidence, rows, pairs)
    if (!is.null(pairs)) {
        return(with_origin(constraints_from_table(pairs, rows, samples, names),
                           origin))
    }
    new_constraints(cbind(rows$i, rows$j), rows$must_link, samples, names,
                    rows$confidence, origin = origin)
}

is_table <- function(x) is.data.frame(x) || methods::is(x, "DataFrame")

# Rows of i, j, must_link, confidence: pairs of one kind, of a table of two
# columns and, maybe, `confidence`.
read_kind <- function(pairs, name, samples, names) {
    confidence <- NULL
    if (is_table(pairs)) {
        pairs <- as.data.frame(pairs, optional = TRUE)
        confidence <- pairs[["confidence"]]
        pairs <- pairs[names(pairs) != "confidence"]
        refuse_if(length(pairs) > 2L, "`", name, "` must have two columns, ",
                  "and `confidence` if it is known, but it has ",
                  quote_values(names(pairs)), ": choose the two, or give a ",
                  "table of both kinds as `pairs`.", class = "constraints")
    }
    pairs <- read_pairs(pairs, name, samples, names)
    list2DF(list(i = pairs[, 1L], j = pairs[, 2L],
                 must_link = rep(name == "must_link", nrow(pairs)),
                 confidence = read_confidence(confidence, nrow(pairs))))
}

# One for all pairs of the call, or one for each of a single kind.
given_confidence <- function(confidence, rows, pairs) {
    count <- nrow(rows)
    refuse_if(!is.null(pairs) || !all(is.na(rows$confidence)),
              "`confidence` must be left out where the table has this column, ",
              "or is of both kinds.", class = "constraints")
    refuse_value_if(!is.atomic(confidence) || length(confidence) != 1L &&
                        (length(confidence) != count ||
                             length(unique(rows$must_link)) > 1L), confidence,
                    "`confidence` must be one number, or one for each pair ",
                    "of a single kind", class = "constraints")
    read_confidence(rep_len(confidence, count), count)
}

# ---- where pairs come from ---------------------------------------------------

# The later, the more part had the data in them.
constraint_origins <- c("given", "questions", "features in view", "data")

# What is said of origins other than "given".
origin_words <- c(
    questions = "the data chose the samples asked about",
    `features in view` = "answers were given with features in view",
    data = "the data had a part in the choice of the pairs"
)

# The one place that decides what an origin allows: list(void, none, why).
# `void`: p-values by these data are not valid, of pairs or of groups; `none`:
# of groups there are none, since they differ by their making. "labels": given
# groups.
origin_rule <- function(origin) {
    list(void = origin %in% c("features in view", "data"),
         none = origin == "data",
         why = unname(c(origin_words, labels = "clusters are")[origin]))
}

label_origin <- function(labels) {
    if (inherits(labels, "linkrank_labels")) "data" else "given"
}

# What a person may have in view, as in the column `shown` of answers.
view_words <- c("names", "picture", "description", "features", "map", "ranking",
                "nearest")

# These words, each once and in this order, joined by "+"; NA for none.
join_view <- function(...) {
    words <- unlist(strsplit(c("", ...), "+", fixed = TRUE))
    held <- view_words[view_words %in% words]
    if (length(held)) paste(held, collapse = "+") else NA_character_
}

saw_features <- function(seen) grepl("features|map|ranking", seen)

# The origins of answers with what was in view.
seen_origin <- function(origins, seen) {
    replace(origins, saw_features(seen) & !origins %in% "data",
            "features in view")
}

# The last of some origins; NA and none at all count as "given".
worst_origin <- function(...) {
    constraint_origins[max(match(c(...), constraint_origins), 1L, na.rm = TRUE)]
}

# Of a set, or of each set in a list, this origin or a later one.
with_origin <- function(constraints, origin) {
    if (!inherits(constraints, "pairwise_constraints"))
        return(lapply(constraints, with_origin, origin))
    constraints$origin <- worst_origin(constraints$origin, origin)
    constraints
}

# The constraints that an object with answers holds, NULL for any other.
held_constraints <- function(x) {
    UseMethod("held_constraints")
}

#' @export
held_constraints.default <- function(x) NULL

#' @export
held_constraints.pairwise_constraints <- function(x) x

# The names of the samples, or of those of data; NULL where there are none.
named_samples <- function(samples) {
    if (length(dim(samples)) == 2L) samples <- sample_axis(samples)$samples
    if (is_worded(samples))
        check_names(as.character(samples), "sample", "`samples`", "constraints")
}

# rownames(x) is NULL without names, a common mistake.
check_sample_count <- function(samples, names = NULL) {
    if (!is.null(names)) return(length(names))
    if (length(dim(samples)) == 2L) samples <- count_samples(samples)
    refuse_if(!is.numeric(samples) || length(samples) != 1L, "`samples` must ",
              "be the number of samples, their names or the data, not ",
              describe_value(samples), ".")
    check_count(samples, "samples", 1, .Machine$integer.max)
}

# A two-column integer matrix of sample numbers.
read_pairs <- function(pairs, name, samples, names, owner = "`samples`") {
    if (is.null(pairs)) return(matrix(integer(), 0L, 2L))
    # as colPair() of a SingleCellExperiment gives them
    if (methods::is(pairs, "Hits")) pairs <- as.matrix(pairs)
    if (is.data.frame(pairs) && length(pairs) == 2L) {
        if (any(vapply(pairs, is_worded, NA)))
            pairs[] <- lapply(pairs, as_names)
        pairs <- unname(as.matrix(pairs))
    }
    given <- if (length(dim(pairs)) != 2L) describe_value(pairs) else
        paste("one of", count_noun(ncol(pairs), "column"))
    refuse_if(!is.matrix(pairs) || ncol(pairs) != 2L, "`", name, "` must be a ",
              "matrix or data.frame of two columns, one row a pair, not ",
              given, "; cbind(1, 2) is one pair, igraph::as_edgelist() makes ",
              "a table of a graph.", class = "constraints")
    if (nrow(pairs) == 0L) return(matrix(integer(), 0L, 2L))
    numbers <- if (is.character(pairs))
        match_samples(pairs, name, names, owner) else pairs
    numbers <- check_sample_numbers(numbers, name, samples)
    if (!is.character(pairs)) note_names_that_are_numbers(pairs, name, names)
    matrix(as.integer(numbers), ncol = 2L)
}

# Row numbers that may be meant as names.
note_names_that_are_numbers <- function(numbers, name, names) {
    # 3 is "003", too
    places <- match(numbers, suppressWarnings(as.numeric(names)))
    other <- which(places != numbers)[1L]
    inform_if(!anyNA(c(places, other)), "The numbers in `{name}` are read as row
              numbers, though all are names of samples too: row {numbers[other]}
              is {quote_values(names[numbers[other]])}; give names as text
              (colClasses of read.csv()).", class = "constraints")
}

# `owner`: the object with the names.
match_samples <- function(pairs, name, names, owner = "`samples`") {
    # a sheet of samples without names has their numbers as text
    if (is.null(names) && all(grepl("^[1-9][0-9]{0,8}$", pairs)))
        return(as.integer(pairs))
    refuse_if(is.null(names), "`", name, "` gives sample names, so ", owner,
              if (owner == "`samples`") " must be names, or have them." else
                  " must name its samples, but it does not.",
              class = "constraints")
    check_no_missing(pairs, name)
    numbers <- match(pairs, names)
    if (!anyNA(numbers)) return(numbers)
    # unknown names, each with the first row of the table that has it
    text <- c(t(pairs))
    first <- which(!text %in% names & !duplicated(text))
    shown <- utils::head(first, 3L)
    places <- paste0(quote_each(text[shown]), " (row ",
                     t(row(pairs))[shown], ")")
    rest <- length(first) - length(shown)
    meant <- unique(unlist(lapply(text[shown], nearest_name, names)))
    abort_linkrank(
        "`", name, "` refers to ",
        if (length(first) > 1L) "samples " else "sample ", toString(places),
        if (rest) paste(" and", rest, "more"), ", but ", owner,
        " has no such name.",
        if (length(meant)) paste0(" Did you mean ",
                                  paste(quote_each(meant), collapse = ", "),
                                  "?"),
        class = "constraints"
    )
}

check_no_missing <- function(pairs, name) {
    refuse_if(anyNA(pairs), "`", name, "` must contain row numbers or sample ",
              "names, but row ", min(row(as.matrix(pairs))[is.na(pairs)]),
              " of it contains NA.", class = "constraints")
}

# The names that a spreadsheet may have changed into this one: "007" becomes 7,
# "1E5" 1.00E+05, "SEPT2" 2-Sep or Sep-02, "1/2" 1-Feb.
spreadsheet_names <- function(name, names) {
    as_number <- function(text) suppressWarnings(as.numeric(text))
    number <- as_number(sub(",", ".", name, fixed = TRUE))
    if (!is.na(number)) return(names[as_number(names) %in% number])
    numbers <- function(text) {
        lapply(regmatches(text, gregexpr("[0-9]+", text)), as_number)
    }
    word <- function(text) substr(gsub("[^a-z]", "", ascii_lower(text)), 1L, 3L)
    parts <- numbers(name)[[1L]]
    month <- match(word(name), ascii_lower(month.abb))
    if (is.na(month) && length(parts) == 3L) {
        # 2026-09-02, 02.09.2026 or 9/2/2026
        parts <- parts[parts < 32]
        month <- parts
    }
    given <- numbers(names)
    named <- word(names) %in% ascii_lower(month.abb[month[month %in% 1:12]]) &
        vapply(given, function(own) length(own) == 1L && own %in% parts, NA)
    both <- vapply(given, function(own) {
        length(own) == 2L && any(own %in% month) && any(own %in% parts)
    }, NA) & word(names) == ""
    if (anyNA(month)) character() else names[named | both]
}

# The name that may have been meant, or NULL.
nearest_name <- function(name, names) {
    changed <- spreadsheet_names(name, names)
    if (length(changed)) return(changed[1L])
    # the file of a sample: data/img1.png, my%20img1
    bare <- function(text) sub("[.][[:alpha:]][[:alnum:]]{1,3}$", "", basename(
        gsub("%20", " ", chartr("\\", "/", text))))
    same <- names[bare(names) == bare(name)]
    if (length(same) == 1L) return(same)
    # an accent may be a character of its own
    name <- gsub("[\u0300-\u036f]", "", name)
    distance <- utils::adist(trimws(name), names, ignore.case = TRUE)
    near <- max(1, nchar(trimws(name)) %/% 4)
    if (min(distance) <= near && min(distance) < nchar(name))
        names[which.min(distance)]
}

check_sample_numbers <- function(pairs, name, samples) {
    refuse_if(inherits(pairs, "integer64"), "`", name, "` contains numbers of ",
              "class integer64: as.numeric() makes numbers of them that R ",
              "knows.", class = "constraints")
    if (is.numeric(pairs) || is.logical(pairs) && all(is.na(pairs)))
        check_no_missing(pairs, name)
    refuse_if(!is.numeric(pairs) || any(pairs != floor(pairs)), "`", name,
              "` must contain row numbers or sample names, not ",
              if (!is.numeric(pairs)) describe_matrix(pairs) else
                  describe_value(pairs[pairs != floor(pairs)][1L]), ".",
              class = "constraints")
    outside <- which(pairs < 1 | pairs > samples)
    refuse_if(length(outside), "`", name, "` refers to sample ",
              show_number(pairs[outside[1L]]), ", but there are ",
              show_number(samples), " samples.", class = "constraints")
    pairs
}

# Fields of constraints from pairs that only some sets have.
more_fields <- c("votes", "disputes", "founded", "group_names", "answered",
                 "conflicts", "raters", "drawn")

# Constructor for checked sample numbers: drops duplicate pairs and refuses
# contradictions. All constraints from pairs are made here. `...`: more_fields.
new_constraints <- function(pairs, must_link, samples, names = NULL,
                            confidence = rep(NA_real_, nrow(pairs)),
                            votes = NULL, origin = "given", ...) {
    first <- pairs[, 1L]
    second <- pairs[, 2L]
    check_no_self_pair(first, second, names)
    key <- pair_key(first, second, samples)
    check_no_contradiction(first, second, must_link, names)
    keep <- order(must_link, seq_along(key))
    keep <- keep[!duplicated(key[keep])]
    more <- list(votes = votes[keep], ...)[more_fields]
    structure(c(list(samples = as.integer(samples), names = names,
                     first = first[keep], second = second[keep],
                     must_link = must_link[keep],
                     confidence = confidence[keep], origin = origin,
                     made_by = this_version()), Filter(length, more)),
              class = "pairwise_constraints")
}

# The pairs as a table; `votes` is NA for pairs that nobody voted on.
pair_rows <- function(constraints) {
    rows <- unclass(constraints)[c("first", "second", "must_link",
                                   "confidence")]
    rows$votes <- constraints$votes %||% rep(NA_integer_, length(rows$first))
    list2DF(rows)
}

# The set with other pairs, a table like that of pair_rows(); what is known of
# the answers and of who gave them stays true.
with_rows <- function(constraints, rows) {
    kept <- unclass(constraints)[c("samples", "names", "origin", more_fields)]
    if (!is.null(kept$votes)) kept$votes <- rows$votes
    do.call(new_constraints, c(list(
        cbind(rows$first, rows$second), rows$must_link,
        confidence = rows$confidence), kept[!is.na(names(kept))]))
}

# Rows of pairs that nobody voted on.
new_pairs <- function(first, second, must_link, confidence = NA_real_) {
    list2DF(lapply(list(first = first, second = second, must_link = must_link,
                        confidence = confidence, votes = NA_integer_),
                   rep_len, length(first)))
}

# The set with such pairs besides its own.
add_pairs <- function(constraints, ...) {
    with_rows(constraints, rbind(pair_rows(constraints), new_pairs(...)))
}

# The same number for a pair in either direction; exact up to 9e7 samples.
pair_key <- function(first, second, samples) {
    (pmin(first, second) - 1) * samples + pmax(first, second)
}

check_no_self_pair <- function(first, second, names) {
    self <- which(first == second)
    refuse_if(length(self), "A pair must be of two samples, but sample ",
              show_samples(first[self[1L]], names), " is paired with itself.",
              class = "constraints")
}

# As columns of a table have them.
show_places <- function(i, names) if (is.null(names)) i else names[i]

# Constructor for constraints as codes: `group_of` and `class_of` are factors,
# or NULL for no pairs of that kind.
new_coded_constraints <- function(group_of, class_of, names, origin,
                                  columns = NULL) {
    samples <- length(group_of %||% class_of)
    codes <- function(values) {
        if (is.null(values)) rep(NA_integer_, samples) else as.integer(values)
    }
    class_codes <- codes(class_of)
    # of labels the same vector, which is in memory once
    group_codes <- if (identical(group_of, class_of)) class_codes else
        codes(group_of)
    structure(
        list(samples = samples, names = names, group_of = group_codes,
             groups = levels(group_of), class_of = class_codes,
             classes = levels(class_of), columns = columns, origin = origin,
             made_by = this_version()),
        class = "pairwise_constraints"
    )
}

is_coded <- function(constraints) !is.null(constraints$class_of)

is_from_labels <- function(constraints) {
    is_coded(constraints) && is.null(constraints$columns)
}

check_constraints <- function(constraints, name = "constraints") {
    check_given(constraints, "the pairs, from pairwise_constraints()")
    if (!inherits(constraints, "pairwise_constraints")) refuse_class_if(
        TRUE, constraints, "`", name, "` must come from pairwise_constraints()",
        if (inherits(constraints, "questionnaire"))
            ", as pairwise_constraints(questionnaire)," else
        if (length(dim(constraints)) == 2L)
            ", as pairwise_constraints(table, samples = nrow(x)),",
        " or constraints_from_labels()", class = "constraints")
    check_undamaged(constraints_problem(unclass(constraints)), name,
                    "pairwise_constraints()", "constraints")
    constraints
}

# Is this an integer code per sample, NA for unknown, that refers to these
# names?
codes_within <- function(codes, n, names) {
    is.integer(codes) && length(codes) == n &&
        numbers_within(codes[!is.na(codes)], sum(!is.na(codes)), 1L,
                       length(names))
}

constraints_problem <- function(constraints) {
    n <- constraints$samples
    if (!numbers_within(n, 1L, 1L, .Machine$integer.max))
        return("it lacks the number of samples")
    if (!isTRUE(constraints$origin %in% constraint_origins))
        return("it does not say where its pairs come from")
    names <- constraints$names
    if (!is.null(names) && !(is.character(names) && length(names) == n))
        return("it does not name every sample")
    if (is_coded(constraints)) {
        fit <- codes_within(constraints$group_of, n, constraints$groups) &&
            codes_within(constraints$class_of, n, constraints$classes)
        return(if (!fit) "a code is not one of its groups or classes")
    }
    count <- length(constraints$first)
    whole <- is.logical(constraints$must_link) &&
        !anyNA(constraints$must_link) &&
        length(constraints$must_link) == count &&
        length(constraints$confidence) == count &&
        numbers_within(c(constraints$first, constraints$second), 2 * count,
                       1L, n) &&
        !any(constraints$first == constraints$second)
    if (!whole)
        return(paste("a pair is not of two of its", show_number(n), "samples"))
    members <- c(constraints$founded, constraints$group_names$sample)
    if (!all(members %in% seq_len(n)))
        return("its groups are not of its samples")
    disputes <- constraints$disputes
    if (!length(constraints$votes) %in% c(0L, count) || !is.null(disputes) &&
        !numbers_within(disputes, 2L * NROW(disputes), 1L, n)) {
        "its votes are not those of its pairs"
    }
}

# ==== for a methods section ===================================================

# How constraints came about, in sentences. `kinds`: from count_pairs();
# `groups`: of closure_groups(), or NULL where some may be the same.
constraint_methods <- function(x, kinds, touched, groups) {
    several <- which(x$votes > 1L)
    paste0(c(
        if (length(x$answered))
            paste("Questions were answered by", toString(x$answered)),
        paste(if (isTRUE(x$drawn) || is_from_labels(x)) "Labels" else
            if (is_coded(x)) paste0(
                "Sample data (", quote_values(unique(unlist(x$columns))), ")"
            ) else if (length(x$answered)) "The answers" else "Given pairs",
              "made", count_noun(kinds[["cannot_link"]], "cannot-link"),
              "and", count_noun(kinds[["must_link"]], "must-link"), "among",
              show_number(touched), "of", count_noun(x$samples, "sample")),
        if (x$origin != "given") capitalise(origin_words[[x$origin]]),
        if (length(x$raters)) paste("Agreement is the adjusted Rand index:",
            paste(trimws(rater_lines(x$raters, Inf)), collapse = "; ")),
        if (length(several)) paste(
            "Several people judged", length(several), "of these pairs and",
            "agreed on", sum(x$confidence[several] %in% c(1, NA))),
        if (NROW(x$conflicts)) paste("Left out:", count_noun(
            NROW(x$conflicts), "contradicted answer")),
        if (length(groups$size) > 1L)
            paste("The groups, with their answered samples, are", toString(
                with_sizes(groups$names, groups$size)))
    ), ".", collapse = " ")
}

# Who answered how many questions. `rows`: answers with `type`; those of one
# `action` are one question, and what is `implied` nobody said.
answered_words <- function(rows, rater = rows$rater, how = NULL) {
    action <- rep_len(rows[["action"]] %||% NA, length(rater))
    action <- ifelse(is.na(action), -seq_along(rater), action)
    implied <- rep_len(rows[["implied"]] %||% FALSE, length(rater))
    said <- !implied %in% c(TRUE, "TRUE")
    said <- said & !duplicated(paste(rater, action, said))
    vapply(unique(rater[said]), function(one) {
        own <- rater %in% one
        unsure <- sum(rows[["type"]][own & said] == "unsure")
        if (is.na(one)) one <- if ("labels" %in% rows[["source"]]) "labels" else
            "one person"
        paste0(one, " (", toString(c(
            paste(count_noun(sum(own & said), "question"),
                  how %||% if (anyDuplicated(action[own]))
                      "by sorting samples" else "about pairs"),
            if (unsure > 0L) paste(unsure, "unsure")
        )), ")")
    }, "", USE.NAMES = FALSE)
}
