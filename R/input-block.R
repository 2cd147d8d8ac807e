# Blocks of samples, such as batches or donors, as codes.

# Code per sample, from 1; NA where the block is not known; NULL for no blocks:
# the `block_of` of prepared data.
read_block <- function(data) {
    block <- data$settings$block
    if (is.null(block)) {
        return(NULL)
    }
    labels <- as_class_labels(named_response(block, data, "block"), "block")
    match_response(labels, data, "block")
    as.integer(labels)
}

# The same where every sample must have a block.
known_block <- function(data) {
    code <- data$block_of
    unknown <- which(is.na(code))
    if (length(unknown)) {
        abort_linkrank("`block` must be known of every sample, but it is NA ",
                       "for sample ", name_sample(data, unknown[1L]),
                       if (length(unknown) > 1L)
                           paste(" and", length(unknown) - 1L, "more"),
                       ": leave such samples out, or give them a block of ",
                       "their own.")
    }
    code
}

# What a ranking keeps of the argument: a column's name, or the block of each
# sample.
kept_block <- function(data) {
    block <- data$settings$block
    if (is.null(block) || is.character(block) && length(block) == 1L) block else
        stats::setNames(as.character(block), data$samples)
}
