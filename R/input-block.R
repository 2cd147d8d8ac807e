# Blocks of samples, such as batches or donors, as codes.

# Code per sample, from 1; NA where the block is not known; NULL for no blocks:
# the `block_of` of prepared data.
read_block <- function(data) {
    block <- data$settings$block
    if (is.null(block)) return(NULL)
    labels <- as_class_labels(named_response(block, data, "block"), "block")
    match_response(labels, data, "block")
    as.integer(labels)
}

# The same with a block of its own for each sample whose block is not known: it
# is compared with no other.
known_block <- function(data, note = TRUE) {
    code <- data$block_of
    unknown <- which(is.na(code))
    if (note) note_unknown_blocks(length(unknown))
    code[unknown] <- max(code, 0L, na.rm = TRUE) + seq_along(unknown)
    code
}

note_unknown_blocks <- function(count) {
    if (count > 0L) {
        inform_linkrank(count_noun(count, "sample"), " whose `block` is NA ",
                        if (count > 1L) "are" else "is", " left out of all ",
                        "comparisons.", class = "block")
    }
}

# What a ranking keeps of the argument: a column's name, or the block of each
# sample.
kept_block <- function(data) {
    block <- data$settings$block
    if (is.null(block) || is.character(block) && length(block) == 1L) block else
        stats::setNames(as_names(block), data$samples)
}
