# The data of a call as C reads them: matrices, data frames, sparse data.

# ==== data ====================================================================

# What prepare_data() returns, a `prepared_data`, is what every method takes; no
# other function depends on the class of `x`:
#
#   values, layout   the cells: a matrix with samples in rows ("columns") or in
#                    columns ("rows"), a dgCMatrix with samples in rows
#                    ("sparse") or in columns ("by sample",
#                    see transposed_once()), or a function(first, count) that
#                    returns some features as a samples x features matrix
#                    ("reader")
#   block            features that a reader returns at a time
#   stored           function() that returns the stored cells of a reader as
#                    memory (input-disk.R), or NULL
#   cells            a reader of samples besides (input-disk.R), or NULL
#   transposed       of "by sample": an environment whose `values` are samples x
#                    features, made when they are first asked for; else NULL
#   n, p             samples, features
#   features         names, always there
#   samples          names, or NULL
#   kind             "numeric", "logical" or "factor" per feature; a factor's
#                    cells are codes
#   unfit            what is wrong with text columns that are no categories and
#                    were left out, by name; NULL for none
#   types            by name, of each factor, text, date, time or duration an
#                    empty column, by which cell_text() shows its cells
#   minimum, maximum, missing, several    per feature, of the observed cells;
#                    several: are there more than two different values?
#   sample_data      what is known of the samples besides, or NULL
#   container        the class of `x`, for messages
#   one_unit         do the features share a unit, as those of a Bioconductor
#                    container do? See decide_scale()
#   spaces           coordinates of the samples by name (reducedDims), or NULL
#   clusters         where samples are the means of groups: their `size`, and
#                    `deviation`, the standard one of each feature within them
#   settings         what prepare_data() was given besides, by name
#   block_of         code of each sample's block, NA where it is not known; or
#                    NULL for no blocks
#   unit_of          the same of each sample's biological unit
#   known            an environment for what was computed from them
#   control          how the present call runs, see run_control()

# What `x` holds, where it was left out.
data_words <- "the data, with a row per sample"

# How to make a container that is read from one that is not: a sentence that
# inst/containers.csv has.
conversion_of <- function(x) {
    known <- package_table("containers.csv")
    at <- match(c(class(x), methods::is(x)), known$class)
    give <- c(known$give[at[!is.na(at)]], if (is.matrix(x) && is.character(x))
        "type.convert(as.data.frame(x), as.is = TRUE)", if (isS4(x) &&
        is.matrix(x)) "as(x, \"matrix\"), with samples in rows")[1L]
    if (!is.na(give)) paste0(": give ", give)
}

# A matrix of the wrong type is more than "a matrix".
describe_matrix <- function(x) {
    plain <- is.matrix(x) && !is.object(x)
    if (plain) paste("a", typeof(x), "matrix") else describe_class(x)
}

#' @export
prepare_data.data.frame <- function(x, ...) {
    refuse_if(inherits(x, c("feature_ranking", "group_markers")), "`x` must ",
              "be the data, not a table of results: the data come first.")
    settings <- data_settings(list(...))
    n <- .row_names_info(x, 2L)
    samples <- own_row_names(x)
    # a plain list: the methods of [<- of other classes copy all columns, or
    # group them
    x <- as.list(unclass(x))
    # numbers without a class are most of many columns, and need no second look
    bare <- vapply(x, typeof, "") %in% c("double", "integer") &
        lengths(x) == n & !vapply(x, is.object, NA) & !vapply(x, is.array, NA)
    x[!bare] <- plain_cells(x[!bare])
    kinds <- rep("numeric", length(x))
    kinds[!bare] <- vapply(x[!bare], column_kind, "", n)
    other <- which(kinds == "other")[1L]
    refuse_if(!is.na(other), "`x` must have numeric, logical, factor or ",
              "character columns, but column \"", names(x)[other],
              "\" is ", describe_class(x[[other]]),
              if (is.factor(x[[other]])) " with a code that has no level",
              if (length(dim(x[[other]])) == 2L)
                  paste0(": rank it alone, as ", column_code(names(x)[other])),
              ".", class = "input")
    check_extent(n, length(x), settings$fewest)
    unfit <- if (!reads_parts()) find_unfit(x, kinds, n)
    warn_unfit(unfit, length(x))
    fit <- !names(x) %in% names(unfit)
    x <- x[fit]
    kinds <- kinds[fit]
    text <- kinds == "text"
    x[text] <- lapply(x[text], function(column) {
        levels <- unique(column[!is.na(column)])
        structure(match(column, levels), levels = levels, class = "factor")
    })
    kinds[text] <- "factor"
    shown <- Filter(function(column) {
        inherits(column, c("factor", stored_classes))
    }, x[!bare[fit]])
    # ordered factors count as the numbers of their levels, dates, times and
    # durations as those that R stores
    values <- vapply(x, as.numeric, numeric(n), USE.NAMES = FALSE)
    dim(values) <- c(n, length(x))
    new_prepared_data(values, "columns", dim(values), names(x), samples, kinds,
                      settings, container = "data.frame", unfit = unfit,
                      types = lapply(shown, function(column)
                          unname(column[0L])))
}

stored_classes <- c("Date", "POSIXct", "difftime")

column_kind <- function(column, n) {
    if (length(column) != n || !is.null(dim(column))) return("other")
    if (inherits(column, c("ordered", stored_classes))) return("numeric")
    if (is.factor(column) && all(as.integer(column) %in% c(
        NA, seq_along(levels(column))))) return("factor")
    if (is.object(column)) return("other")
    switch(typeof(column), double = , integer = "numeric",
           logical = "logical", character = "text", "other")
}

# ==== text columns ============================================================

# The columns of a table as they were meant: blank text and what package haven
# declares missing are NA, and labelled values are categories where each has a
# label, else numbers.
plain_cells <- function(x) {
    blank <- integer()
    for (j in seq_along(x)) {
        column <- if (isS4(x[[j]])) x[[j]] else plain_column(x[[j]])
        if (!is.null(dim(column)) || !is.atomic(column)) next
        empty <- is_blank(column)
        labels <- attr(column, "labels")
        if (inherits(column, "haven_labelled")) {
            column <- as.vector(unclass(column))
            words <- names(labels)[match(column, labels)]
            if (!anyNA(words[!is.na(column) & !empty])) column <- factor(words)
        }
        if (any(empty)) column[empty] <- NA
        x[[j]] <- column
        blank[names(x)[j]] <- sum(empty)
    }
    if (!reads_parts()) {
        note_blank(sum(blank), paste(
            "column", quote_values(names(blank)[blank > 0L])))
    }
    x
}

# What is said of the text columns that are no categories, by name.
find_unfit <- function(x, kinds, n) {
    counts <- n >= 20L & vapply(x, is.integer, NA)
    counts[counts] <- vapply(x[counts], identical, NA, seq_len(n))
    warn_if(any(counts), "Column ", quote_values(names(x)[counts]), " of `x` ",
            "numbers the rows: leave it out, unless their order is a feature.",
            class = "identifier")
    many <- Filter(function(column) {
        n >= 20L && length(unique(column)) > n / 3
    }, x[kinds == "factor"])
    inform_if(length(many), "Taken as categories, with more levels than a third
              of the rows: {quote_values(names(many))}.", class = "text")
    text <- x[kinds == "text"]
    unlist(Map(text_problem, text, vapply(names(text), column_code, "")))
}

column_code <- function(name, table = "x") {
    if (identical(make.names(name), name)) paste0(table, "$", name) else
        paste0(table, "[[", quote_values(name), "]]")
}

# Text of 20 rows or more is no category where it has more than a third as many
# values as rows, or more than 20 that are numbers or dates: "98 values such as
# "14,5 mg/dl", ...", else NULL. `code`: what the text is in the user's words.
text_problem <- function(text, code) {
    values <- unique(text[!is.na(text)])
    count <- length(values)
    if (length(text) < 20L || count <= min(20, length(text) / 3)) return(NULL)
    read <- read_text(values[seq_len(min(count, 1000L))], code)
    # numbers that differ in nearly all rows and are whole were made text
    number <- read$value[match(text, values)]
    names_rows <- count >= 0.9 * sum(!is.na(text)) && (is.null(read) ||
        read$plain && all(number == floor(number), na.rm = TRUE))
    if (!names_rows && is.null(read) && count <= length(text) / 3) return(NULL)
    if (names_rows) read <- list(words = "perhaps an identifier")
    paste0(show_number(count), " values such as ",
           quote_values(read$example %||% values[1L]), ": ",
           read$words %||% "other text",
           if (startsWith(read$words %||% "", "as.numeric") &&
                   is_skewed(number)) " (skewed: take logs?)")
}

# Is the mean far above the median, of values that have logarithms?
is_skewed <- function(values) {
    values <- values[!is.na(values)]
    isTRUE(min(values, Inf) >= 0 &&
               mean(values) - stats::median(values) > stats::sd(values) *
                   max(0.2, 2 / sqrt(length(values))))
}

# The first call of inst/texts.csv that was tried on the different `values` and
# makes numbers or dates of nearly all with a digit: list(words, example, value,
# plain: is it as.numeric()?), NULL for none. `form`: of the texts that a call
# reads right.
read_text <- function(values, code) {
    digits <- grepl("[0-9]", values)
    if (mean(digits) <= 0.5 || any(grepl("^0[0-9]+$", values))) return(NULL)
    calls <- package_table("texts.csv")
    # a sign that only the second call reads
    minus <- any(grepl("\u2212", values, fixed = TRUE))
    for (at in if (minus) 2L else seq_len(nrow(calls))) {
        call <- str2lang(gsub("@", "values", calls$call[at]))
        value <- tryCatch(suppressWarnings(eval(call)),
                          error = function(condition) NA)
        number <- as.numeric(value)
        good <- is.finite(number) & grepl(calls$form[at], values)
        if (mean(good[digits]) < 0.9) next
        seen <- which(good)[order(!is.na(suppressWarnings(
            as.numeric(values[good]))))[1L]]
        return(list(example = values[seen], value = replace(number, !good, NA),
                    plain = at == 1L, words = paste0(
                        gsub("@", code, calls$call[at]), " makes ",
                        format(value[seen], digits = 15L), " of it",
                        if (!all(good)) paste(" and NA of",
                                              quote_values(values[!good], 3L)))
        ))
    }
}

warn_unfit <- function(unfit, columns) {
    if (!length(unfit)) return(invisible())
    all <- length(unfit) == columns
    more <- length(unfit) - 5L
    shown <- paste("\n ", quote_each(names(unfit)), "has", unfit)
    say <- if (all) abort_linkrank else warn_linkrank
    say(if (all) "Nothing is left of `x`" else "Left out",
        ", as text that is no category:",
        paste(utils::head(shown, 5L), collapse = ";"),
        if (more > 0L) paste0(";\n  and ", more, " more, which print(",
                              "prepare_data(x)) shows"),
        "; factor() keeps a column as it is.",
        class = if (all) "input" else "text")
}

# `x`, without the columns that `data`, prepared from it, have not.
without_unfit <- function(x, data) {
    if (is.data.frame(x) && length(data$unfit))
        as.data.frame(x)[data$features] else x
}

#' @export
prepare_data.Matrix <- function(x, ...) {
    settings <- data_settings(list(...))
    new_prepared_data(as_sparse_columns(x), "sparse", dim(x), colnames(x),
                      rownames(x), cell_kind(x), settings,
                      container = class(x)[1L])
}

# The kind of all features of a matrix: TRUE and FALSE differ by 0 or 1,
# whatever the scale.
cell_kind <- function(values) {
    flags <- is.logical(values) || isS4(values) &&
        (methods::is(values, "lMatrix") || methods::is(values, "nMatrix"))
    if (flags) "logical" else "numeric"
}

# `settings`: from data_settings(); `whole`: what these are a part of, or NULL.
new_prepared_data <- function(values, layout, extent, features, samples, kind,
                              settings, block = NULL, sample_data = NULL,
                              container = class(values)[1L], one_unit = FALSE,
                              spaces = NULL, cells = NULL, types = NULL,
                              stored = NULL, unfit = NULL, whole = NULL) {
    control <- settings$control
    check_extent(extent[1L], extent[2L], settings$fewest)
    check_bytes(8 * extent[1L], "The cells of one feature")
    data <- list(values = values, layout = layout, block = block,
                 made_by = this_version(),
                 n = as.numeric(extent[1L]), p = as.numeric(extent[2L]),
                 features = check_names(features, "feature"),
                 # of length 0 in package Matrix: none
                 samples = if (length(samples)) check_names(samples, "sample"),
                 kind = rep_len(kind, extent[2L]), sample_data = sample_data,
                 container = container, one_unit = one_unit, spaces = spaces,
                 cells = cells, types = types, stored = stored,
                 unfit = unfit, transposed = if (layout == "by sample")
                     transposed_once(values))
    if (!length(features)) data$features <- paste0("V", seq_len(extent[2L]))
    scan <- if (!is.null(cells) && !isTRUE(cells$across)) {
        scan_samples(cells, control$progress)
    } else if (layout == "by sample") {
        # what C_scan_features() returns, of features x samples, which are read
        # sample by sample
        .Call(C_scan_samples, values, empty_scan(nrow(values)), ncol(values))
    } else {
        .Call(C_scan_features, data, control)
    }
    # C counts entries as integers; Windows cannot take a file as memory
    if (sum(scan$entries) > .Machine$integer.max ||
        .Platform$OS.type == "windows") {
        data["stored"] <- list(NULL)
    }
    check_cells(data, scan)
    data[c("minimum", "maximum", "missing")] <-
        scan[c("minimum", "maximum", "missing")]
    data$several <- scan$several > 0L
    empty <- which(scan$missing == data$n)
    if (length(empty)) {
        # in a part of the samples, where it is a constant: its mean in the
        # `whole`, with which the samples of other parts are compared
        fill <- if (is.null(whole)) rep(0, length(empty)) else colMeans(
            read_features(whole, match(data$features[empty], whole$features)),
            na.rm = TRUE)
        data <- fill_missing(data, empty, fill)
        data$missing <- replace(scan$missing, empty, 0L)
        data$minimum[empty] <- data$maximum[empty] <- fill
    }
    warn_unlogged(data, scan$whole)
    data$known <- new.env(parent = emptyenv())
    class(data) <- "prepared_data"
    with_settings(data, settings)
}

# `fewest`: 3 unless a call says otherwise, as for samples that are judged only.
check_extent <- function(n, p, fewest = NULL) {
    if (p < 1L || n < (if (is.null(fewest)) 3L else fewest))
        abort_linkrank("`x` must have at least ", if (p < 1L)
            "one feature, but it has none" else paste("3 samples, not", n), ".",
            class = "input")
}

check_names <- function(names, noun, of = "`x`", class = "input") {
    if (!length(names)) return(NULL)
    empty <- which(is.na(names) | names == "")
    if (length(empty))
        abort_linkrank(of, " must name every ", noun, " or none, but ", noun,
                       " ", empty[1L], " has no name.", class = class)
    if (anyDuplicated(names)) refuse_duplicated(
        names, of, " must have a different name for every ", noun,
        class = class)
    names
}

check_cells <- function(data, scan) {
    bad <- which(scan$bad > 0L)
    if (length(bad)) abort_not_finite(data, bad, "keep")
    empty <- which(scan$missing == data$n)
    if (length(empty) && !reads_parts()) abort_linkrank("`x` must have a known
        value in every feature, but it has none in
        {quote_values(data$features[empty])}", if (data$layout == "columns")
            "; x[, colSums(is.na(x)) < nrow(x)] drops them", ".",
        class = "input")
    wide <- setdiff(which(!is.finite(scan$maximum - scan$minimum)), empty)
    j <- wide[1L]
    if (length(wide)) abort_linkrank("`x` must have features of a finite range,
        but feature \"{data$features[j]}\" runs from {format(scan$minimum[j])}
        to {format(scan$maximum[j])}.", class = "input")
}

# Methods without a rule of their own for missing cells.
refuse_missing <- function(data) {
    incomplete <- which(data$missing > 0L)
    if (length(incomplete)) abort_not_finite(data, incomplete, "fail")
    data
}

# `missing`: "fail", or "keep" where missing cells are allowed.
abort_not_finite <- function(data, bad, missing) {
    j <- bad[1L]
    cells <- .Call(C_read_features, data, j)
    lacks <- is.na(cells) & !is.nan(cells)
    wrong <- !is.finite(cells) & !(missing == "keep" & lacks)
    count <- sum(wrong)
    what <- if (all(lacks[wrong])) "missing value" else "non-finite value"
    first <- name_sample(data, which(wrong)[1L])
    more <- length(bad) - 1L
    abort_linkrank("`x` must be finite", if (missing == "keep") " or NA",
                   ", but ", if (reads_parts()) "in a part, ", "feature
                   \"{data$features[j]}\" has {count_noun(count, what)},
                   {if (count > 1L) \"the first \"}in sample {first}",
                   if (more > 0L) paste0(
                       " (and ", count_noun(more, "more feature"), ")"),
                   if (what == "missing value")
                       "; na.action = \"mean\" replaces them"
                   else if (all(cells[wrong] %in% -Inf))
                       "; for logs of 0: x[x == -Inf] <- NA",
                   ".", class = "input")
}

# Raw cells of some features, in the order of `places`, samples x features.
read_features <- function(data, places) {
    .Call(C_read_features, data, as.integer(places))
}

# The numbers in names that are alike but for them; NULL for other features.
axis_places <- function(features) {
    at <- suppressWarnings(as.numeric(sub("^.*?(?=[0-9.]+$)", "", features,
                                          perl = TRUE)))
    if (length(at) >= 10L && !anyNA(at) && !anyDuplicated(at) &&
        length(unique(sub("[0-9.]+$", "", features))) == 1L) at
}

# The order of features that are the points of a curve, such as a spectrum:
# named by numbers, or alike with numbers, and next to one another alike. NULL
# for others.
curve_order <- function(data) {
    at <- axis_places(data$features)
    if (is.null(at) || any(data$kind == "factor")) return(NULL)
    order <- order(at)
    some <- some_of(seq_len(data$n), 50)
    cells <- scale(sample_cells(data, some)[, order], scale = FALSE)
    alike <- stats::cor(c(cells[, -1L]), c(cells[, -ncol(cells)]), use = "pair")
    if (isTRUE(alike > 0.5)) order
}

# As they were given.
sample_cells <- function(data, i) {
    .Call(C_read_samples, data, new_scaling(numeric(data$p), rep(1, data$p)),
          as.integer(i))
}

# Some cells of a feature as text: levels, dates; NULL for plain numbers and
# flags. NA where a cell is missing.
cell_text <- function(data, feature, cells) {
    type <- data$types[[data$features[feature]]]
    if (!is.null(type)) {
        storage.mode(cells) <- typeof(type)
        attributes(cells) <- attributes(type)
        ifelse(is.na(cells), NA, trimws(format(cells)))
    }
}

name_sample <- function(data, i) {
    if (is.null(data$samples)) i else paste0("\"", data$samples[i], "\"")
}

# ==== sparse data =============================================================

# Sparse matrices in memory. Bioconductor's containers, and files of cells, hold
# them with features in rows: the cells of a sample are stored together.
# Neighbours and ranges are computed without transposing them. A walk over
# features needs a transposed copy: it is made when it is first asked for and
# kept as long as the data (src/read_transpose.h).

# A matrix of package Matrix, of any class, as a dgCMatrix whose slots fit.
as_sparse_columns <- function(x, name = "x", class = "input") {
    check_undamaged(slot_problem(x), name, "package Matrix", class)
    if (methods::is(x, "dgCMatrix")) return(methods::as(x, "dgCMatrix"))
    for (class in c("dMatrix", "generalMatrix", "CsparseMatrix"))
        x <- methods::as(x, class)
    x
}

holds_sparse <- function(data) data$layout %in% c("sparse", "by sample")

# A dgCMatrix from its slots, set one by one: a validity check would read all
# entries. The name of the package loads it, which takes a second: the first
# call that needs it does that.
sparse_matrix <- function(i, x, p, extent) {
    out <- methods::new(structure("dgCMatrix", package = "Matrix"))
    out@i <- i
    out@x <- x
    out@p <- as.integer(p)
    out@Dim <- as.integer(extent)
    out
}

# What C calls `transposed`: an environment whose `values` are t() of a
# dgCMatrix, samples x features.
transposed_once <- function(x) {
    force(x)
    transposed <- new.env(parent = emptyenv())
    delayedAssign("values", Matrix::t(x), assign.env = transposed)
    transposed
}

# Some columns of a matrix; those of a dgCMatrix without names.
take_columns <- function(x, columns) {
    if (is.matrix(x)) return(x[, columns, drop = FALSE])
    width <- diff(x@p)[columns]
    at <- sequence(width, x@p[columns] + 1)
    sparse_matrix(x@i[at], x@x[at], c(0, cumsum(as.numeric(width))),
                  c(nrow(x), length(columns)))
}

# Data of these samples alone, where that takes less than a walk over all; of
# data on disk the samples that are read alone.
answered_part <- function(data, rows) {
    if (length(rows) > data$n / 2) return(data)
    block <- if (!is.null(data$cells)) data$cells$read(rows) else
        if (data$layout == "by sample") take_columns(data$values, rows)
    if (!is.null(block))
        return(held_data(data, list(rows = rows, block = block)))
    if (data$layout == "sparse") {
        data$values <- data$values[rows, , drop = FALSE]
        data$n <- as.numeric(length(rows))
    }
    data
}

# Samples `held`, list(rows, block: their cells, features x samples), as data in
# memory; what is known of the features stays that of all samples.
held_data <- function(data, held) {
    sparse <- methods::is(held$block, "dgCMatrix")
    part <- unclass(data)
    part$values <- held$block
    part$layout <- if (sparse) "by sample" else "rows"
    part["transposed"] <- list(if (sparse) transposed_once(held$block))
    part$n <- as.numeric(length(held$rows))
    part["samples"] <- list(data$samples[held$rows])
    part[c("cells", "block", "sample_data")] <- list(NULL)
    structure(part, class = "prepared_data")
}

# What C_scan_samples() has found before any sample.
empty_scan <- function(p) {
    list(minimum = rep(NaN, p), maximum = rep(NaN, p), missing = integer(p),
         bad = integer(p), entries = numeric(p), whole = TRUE,
         several = integer(p))
}
