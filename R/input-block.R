# Blocks of samples, such as batches, and biological units, such as donors, as
# codes.

# Code per sample, from 1; NA where it is not known; NULL where nothing is
# given: `block_of` and `unit_of` of prepared data. `name`: "block" or "unit".
read_codes <- function(data, name, given = data$settings[[name]]) {
    if (is.null(given)) return(NULL)
    labels <- as_class_labels(named_response(given, data, name), name)
    match_response(labels, list(n = count_samples(data)), name)
    as.integer(labels)
}

# The same with a block of its own for each sample whose block is not known: it
# is compared with no other.
known_block <- function(data, note = TRUE) {
    if (note) note_unknown_blocks(sum(is.na(data$block_of)))
    number_unknown(data$block_of)
}

number_unknown <- function(code) {
    unknown <- which(is.na(code))
    code[unknown] <- max(code, 0L, na.rm = TRUE) + seq_along(unknown)
    code
}

# The unit of each sample, as a code; NULL: none is given. A sample whose unit
# is not known is a unit of its own. `x`: data as given or prepared; `unit`: as
# given in a call, besides.
known_unit <- function(x, unit = NULL) {
    code <- if (!is.null(unit)) read_codes(x, "unit", unit) else
        if (inherits(x, "prepared_data")) x$unit_of
    unknown <- sum(is.na(code))
    if (unknown > 0L) {
        inform_linkrank("`unit` is NA for ", count_noun(unknown, "sample"),
                        ", each of which counts as a unit of its own.",
                        class = "unit")
    }
    if (is.null(code)) note_no_unit(x)
    number_unknown(code)
}

# Columns of sample data that name what the samples are taken from.
unit_columns <- paste0("^(donor|patient|subject|individual|animal|mouse)s?",
                       "([._ -]?(id|no|nr|number|name))?$")

# Tells that samples of one donor count as independent.
note_no_unit <- function(x) {
    prepared <- inherits(x, "prepared_data")
    columns <- if (prepared) x$sample_data else
        if (samples_in_columns(x)) sample_table(x)$columns
    samples <- count_samples(x)
    for (name in grep(unit_columns, names(columns), ignore.case = TRUE,
                      value = TRUE)) {
        units <- length(unique(as.vector(columns[[name]])))
        block <- prepared && identical(x$settings$block, name)
        if (units == 1L || units == samples || block) next
        return(inform_linkrank(
            "Samples count as independent, but column \"", name, "\" of the ",
            "sample data names ", units, " for ", samples, " samples: `unit = ",
            "\"", name, "\"` in prepare_data() takes those of one as one.",
            class = "unit"))
    }
}

note_unknown_blocks <- function(count) {
    if (count > 0L) {
        inform_linkrank(count_noun(count, "sample"), " whose `block` is NA ",
                        if (count > 1L) "are" else "is", " left out of all ",
                        "comparisons.", class = "block")
    }
}

# What a ranking keeps of the argument: a column's name, or the block or unit of
# each sample.
kept_codes <- function(data, name) {
    given <- data$settings[[name]]
    if (is.null(given) || is.character(given) && length(given) == 1L) given else
        stats::setNames(as_names(given), data$samples)
}
