# Which features separate two samples: those in which they differ much, next
# to how much samples near them differ. A feature seen in one cell of thousands
# differs as much as can be, but not from what its neighbours have.

# The nearest samples of each of some, one more than a neighbourhood holds: at
# most 8, fewer of few samples. A matrix with a column for each, named by its
# number.
near_samples <- function(q, samples) {
    samples <- sort(samples)
    near <- nearest(questionnaire_input(q)$where, samples,
                    min(7, (q$samples - 2) %/% 2) + 1, plain_rule(),
                    no_progress(q$control))$row
    colnames(near) <- samples
    near
}

# data.frame(number, first, second, first_value, second_value), the most
# separating features first: their column numbers, where the two samples are
# between the smallest (0) and the largest (1) value of all samples, whatever
# `scale` is, and their values.
#
# The size of a difference is that of the two samples or that of the means of
# their neighbourhoods, whichever is less, 0 where the two disagree; it is
# divided by the spread within the neighbourhoods plus the median spread of the
# features that differ at all. `near`: one search serves the pairs of a
# question.
separating_features <- function(q, pair, count,
                                near = near_samples(q, pair)) {
    # Each of the two with its neighbours, without the other one.
    near <- lapply(pair, function(i) {
        around <- setdiff(near[, as.character(i)], pair)
        c(i, utils::head(around, nrow(near) - 1L))
    })
    scaling <- feature_scaling(q$data, q$scale)
    cells <- .Call(C_read_samples, q$data, scaling,
                   as.integer(unlist(near)))
    for (f in which(scaling$category)) {
        cells[, f] <- cells[, f] == cells[1L, f]
    }
    weight <- separation(cells[seq_along(near[[1L]]), , drop = FALSE],
                         cells[-seq_along(near[[1L]]), , drop = FALSE])
    top <- utils::head(order(-weight), count)
    top <- top[weight[top] > 0]
    values <- .Call(C_read_features, q$data, top)
    places <- vapply(seq_along(top), function(at) {
        range_places(values[, at], pair)
    }, numeric(2L))
    data.frame(number = top, first = places[1L, ], second = places[2L, ],
               first_value = values[pair[1L], ],
               second_value = values[pair[2L], ])
}

# Where some samples are between the smallest (0) and the largest (1) value.
range_places <- function(values, samples) {
    ends <- range(values, na.rm = TRUE)
    (values[samples] - ends[1L]) / (ends[2L] - ends[1L])
}

# `a`, `b`: rows of the two neighbourhoods, the samples themselves first.
separation <- function(a, b) {
    own <- a[1L, ] - b[1L, ]
    means <- list(colMeans(a, na.rm = TRUE), colMeans(b, na.rm = TRUE))
    between <- means[[1L]] - means[[2L]]
    size <- pmin(abs(own), abs(between)) * (own * between > 0)
    size[is.na(size)] <- 0
    squares <- colSums((a - rep(means[[1L]], each = nrow(a)))^2, na.rm = TRUE) +
        colSums((b - rep(means[[2L]], each = nrow(b)))^2, na.rm = TRUE)
    spread <- sqrt(squares / max(nrow(a) + nrow(b) - 2, 1))
    usual <- stats::median(spread[size > 0])
    if (is.na(usual) || usual == 0) {
        usual <- 1
    }
    size / (spread + usual)
}

# The same as words, "CD79A (low / high)", "stage (III / II)", for the dialogue.
differing_features <- function(q, pair, count = 3L,
                               near = near_samples(q, pair)) {
    found <- separating_features(q, pair, count, near)
    if (!nrow(found)) {
        return("nothing")
    }
    vapply(seq_len(nrow(found)), function(at) {
        f <- found$number[at]
        words <- cell_text(q$data, f, c(found$first_value[at],
                                        found$second_value[at])) %||%
            level_words(c(found$first[at], found$second[at]), q$data$kind[f])
        words <- shorten(words, 24L)
        paste0(shorten(q$data$features[f], 24L), " (", words[1L], " / ",
               words[2L], ")")
    }, "")
}

# Words for two places from 0 to 1.
level_words <- function(places, kind) {
    if (kind == "logical") {
        return(c("no", "yes")[1L + (places > 0)])
    }
    levels <- c("low", "middle", "high")[1L + (places > 1 / 3) +
                                             (places > 2 / 3)]
    if (levels[1L] == levels[2L]) c("lower", "higher")[rank(places)] else
        levels
}
