# Margins of labels in several blocks: the pairs of each block are summed as
# labels of their own.

# What listed_margins() returns, over all blocks: means and sums of squares
# about them are joined as those of groups.
block_margins <- function(data, scaling, pairs, lists, both, control) {
    parts <- lapply(split(seq_along(pairs$ends), pairs$block), function(ends) {
        label <- pairs$label[ends]
        part <- list(ends = pairs$ends[ends],
                     count = count_label_pairs(label, FALSE), first = NULL,
                     second = NULL, label = label, weight = NULL)
        lists$ends <- lists$ends[ends]
        lists$row <- lists$row[, ends, drop = FALSE]
        if (part$count > 0) {
            listed_margins(data, scaling, part, lists, both, control)
        }
    })
    parts <- Filter(Negate(is.null), parts)
    add <- function(value) Reduce(`+`, lapply(parts, value))
    margin <- add(function(part) part$margin)
    count <- add(function(part) part$pairs)
    square <- add(function(part) {
        away <- part$margin / part$pairs - margin / count
        part$square - part$deviation^2 / part$pairs + part$pairs * away^2
    })
    magnitude <- add(function(part) part$magnitude %||% part$square)
    list(margin = margin, deviation = 0 * margin, square = square,
         size = do.call(pmax, lapply(parts, `[[`, "size")), pairs = count,
         magnitude = magnitude)
}
