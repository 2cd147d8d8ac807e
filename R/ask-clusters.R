# Questions about clusters, whose samples are the means of groups, see
# prepare_data(by = ): what marks each of them takes the place of what sets two
# samples apart.

# The features that are higher in group i than in the mean of the other groups,
# next to the spread within groups, which adds its median: data.frame(number,
# difference).
cluster_markers <- function(q, i, count = 6L) {
    means <- q$data$values
    difference <- means[i, ] - colMeans(means[-i, , drop = FALSE], na.rm = TRUE)
    spread <- q$data$clusters$spread
    usual <- stats::median(spread[spread > 0])
    weight <- difference / (spread + if (is.na(usual)) 1 else usual)
    top <- utils::head(order(-weight), count)
    top <- top[(weight[top] > 0) %in% TRUE]
    data.frame(number = top, difference = difference[top])
}

# "CD3D +1.9", as words.
high_features <- function(q, i) {
    found <- cluster_markers(q, i)
    if (!nrow(found)) return("nothing")
    paste0(shorten(q$data$features[found$number], 24L), " +",
           vapply(signif(found$difference, 2L), format, ""))
}

# The same in the dialogue.
cluster_lines <- function(q, samples, begin) {
    unlist(lapply(samples, function(i) {
        fold_line(high_features(q, i),
                  paste0(begin, shorten(q$names[i], 24L), " high: "), ", ",
                  indent = nchar(begin) + 2L)
    }))
}

# And on the page, below each of two clusters.
describe_clusters <- function(q, labels) {
    function(i, j) {
        lapply(c(i, j), function(one) {
            stats::setNames(c(show_number(q$data$clusters$size[one]),
                              paste(high_features(q, one), collapse = ", ")),
                            labels)
        })
    }
}
