# Which features separate two samples: those in which they differ much, next
# to how much samples near them differ. A feature seen in one cell of thousands
# differs as much as can be, but not from what its neighbours have.

# The nearest samples of each of some, one more than a neighbourhood holds: at
# most 8, fewer of few samples. A matrix with a column for each, named by its
# number. They are searched once for each sample, and known to all copies of the
# questionnaire.
near_samples <- function(q, samples) {
    samples <- sort(samples)
    matrix(unlist(lapply(samples, q$near, samples)), ncol = length(samples),
           dimnames = list(NULL, samples))
}

search_near <- function(q) {
    force(q)
    remember(function(some) {
        nearest(questionnaire_input(q)$where, some,
                min(7, (q$samples - 2) %/% 2) + 1, plain_rule(),
                no_progress(q$control))$row
    })
}

# data.frame(number, first, second, first_value, second_value): the features
# that separate two samples most, beyond noise; first those that are higher in
# the first one, then those higher in the second one, as many of each where
# there are, then levels that differ. Their column numbers, where the two
# samples are between the smallest (0) and the largest (1) value of all samples,
# whatever `scale` is, and their values.
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
    cells <- read_around(q, near)
    weight <- separation(cells[[1L]], cells[[2L]])
    able <- which(beyond_noise(weight, cells))
    side <- ifelse(q$data$kind[able] == "factor", 3,
                   1 + (cells[[1L]][1L, able] < cells[[2L]][1L, able]))
    place <- stats::ave(-weight[able], side, FUN = rank)
    picked <- utils::head(order(place, -weight[able]), count)
    top <- able[picked[order(side[picked], place[picked])]]
    values <- .Call(C_read_features, q$data, top)
    places <- vapply(seq_along(top), function(at) {
        range_places(values[, at], pair)
    }, numeric(2L))
    data.frame(number = top, first = places[1L, ], second = places[2L, ],
               first_value = values[pair[1L], ],
               second_value = values[pair[2L], ])
}

# The scaled cells of some lists of samples; of factors, whether the level is
# that of the first sample.
read_around <- function(q, samples) {
    cells <- .Call(C_read_samples, q$data, q$scaling,
                   as.integer(unlist(samples)))
    for (f in which(q$scaling$category)) {
        cells[, f] <- cells[, f] == cells[1L, f]
    }
    lapply(split(seq_len(nrow(cells)), rep(seq_along(samples),
                                           lengths(samples))),
           function(rows) cells[rows, , drop = FALSE])
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
    if (is.na(usual) || usual == 0) usual <- 1
    size / (spread + usual)
}

# Which of these are no noise, at a false discovery rate of 0.05? By t, with the
# mean of the two spreads. Smaller neighbourhoods, of few samples, cannot tell.
beyond_noise <- function(weight, cells) {
    count <- vapply(cells, nrow, 0L)
    if (min(count) < 8L) return(weight > 0)
    t <- 2 * weight / sqrt(sum(1 / count))
    p_value <- 2 * stats::pt(-t, sum(count) - 2)
    weight > 0 & stats::p.adjust(p_value, "BH") <= 0.05
}

# The same as words for the dialogue: "CD79A (3.1 / 0)", "stage (III / II)".
differing_features <- function(q, pair, count = 4L,
                               near = near_samples(q, pair)) {
    found <- separating_features(q, pair, count, near)
    if (!nrow(found)) return("nothing beyond noise")
    vapply(seq_len(nrow(found)), function(at) {
        words <- cell_words(q$data, found$number[at],
                            c(found$first_value[at], found$second_value[at]))
        paste0(shorten(q$data$features[found$number[at]], 24L), " (",
               words[1L], " / ", words[2L], ")")
    }, "")
}

# Two cells as they were given: numbers to three digits, levels, dates, yes, no.
cell_words <- function(data, feature, cells, flags = c("no", "yes")) {
    shown <- cell_text(data, feature, cells) %||%
        if (data$kind[feature] == "logical") flags[1L + cells] else
            vapply(signif(cells, 3L), format, "", digits = 3L)
    ifelse(is.na(cells), "?", shorten(shown, 24L))
}
