# Questions about one sample and all groups, or about clusters, and what is
# shown of both.

# ==== sorting =================================================================

# Sorting samples into groups: a question shows a sample beside one member of
# every group. The answer is a choice: the number of the group, 0 for none of
# them, NA for unsure. A question about a pair is one about a single group.

# How many groups a question shows beside a sample; page and dialogue show so
# many at once; up to so many have a place of their own, see shown_members().
groups_shown <- function(q) if (q$ask == "sort") Inf else 1L
groups_at_once <- 8L
groups_in_place <- 9L

check_ask <- function(ask, strategy) {
    if (is.null(ask)) return(if (strategy == "groups") "sort" else "pairs")
    ask <- check_choice(ask, c("sort", "pairs"), "ask")
    refuse_if(ask == "sort" && strategy != "groups", "`ask` must be \"pairs\"
              for strategy \"{strategy}\", which knows no groups.")
    ask
}

# Is nearly every pair of different groups, so that sorting would say more?
offers_sorting <- function(q) {
    said <- q$answers$type[!q$answers$implied & q$answers$type != "unsure"]
    is.null(q$said) && q$ask == "pairs" && q$strategy$name == "groups" &&
        !is.null(q$pending) && length(said) >= 8L &&
        mean(said == "cannot-link") >= 7 / 8
}

# Has a question groups to choose from? Also one from a file of sorted samples,
# where this questionnaire asks about pairs.
is_sorted <- function(q, shown) q$ask == "sort" || length(shown) > 2L

# The choice that an answer to the question about the samples `shown` means.
choice_of <- function(q, answer, shown, name = "`answer`") {
    sorted <- is_sorted(q, shown)
    count <- length(shown) - 1L
    single <- is.atomic(answer) && length(answer) == 1L
    number <- single && is.numeric(answer) && !is.na(answer)
    if (sorted && number && answer %in% 0:count) return(as.integer(answer))
    # other numbers are answers in tables only
    choice <- if (single && !number) choice_of_kind(answer_kind(answer), count)
    if (!is.null(choice)) return(choice)
    refuse_if(sorted, name, " must be the number of a group",
              if (count > 1L) paste(" from 1 to", count) else " (1)", ", 0 for
              none of them or NA for unsure, not {describe_value(answer)}.")
    abort_value(answer, name, " must be \"must-link\", \"cannot-link\" or ",
                "\"unsure\" (TRUE, FALSE and NA, or \"same\" and ",
                "\"different\", mean the same)")
}

# The choice that one of answer_choices is about so many groups; NULL for none:
# "same" is clear about one group only.
choice_of_kind <- function(kind, groups) {
    list(`cannot-link` = 0L, unsure = NA_integer_,
         `must-link` = if (groups == 1L) 1L)[[kind]]
}

# The members of the two groups that an answer such as "3=5" joins, NULL for any
# other answer. `shown`: the samples of a question.
joined_groups <- function(answer, shown) {
    pair <- if (is_text(answer)) strsplit(answer, " *= *")[[1L]]
    if (length(unique(pair)) == 2L && all(pair %in% seq_along(shown[-1L])))
        shown[sort(as.integer(pair)) + 1L]
}

# Two groups are of one kind: the answers that set them apart are changed to
# "like" the other group; without any, it is an answer of its own.
join_groups <- function(q, pair, said) {
    side <- match(q$closure$component, q$closure$component[pair])
    answers <- q$answers
    apart <- which(!answers$implied & answers$type == "cannot-link" &
                       side[answers$i] + side[answers$j] == 3L)
    apart <- apart[!duplicated(answers$action[apart])]
    number <- answers$action[apart]
    if (length(apart)) return(change_answers(
        q, apart - match(number, answers$action) + 1L, number, said))
    advance(take_answer(set_pending(q, pair), 1L, said))
}

# What a choice says of the pairs of the first sample with the others:
# list(type, implied). "Like this one" implies that it is unlike the others, as
# far as their groups are apart; rankings from cannot-links need these pairs.
choice_pairs <- function(choice, shown) {
    others <- seq_along(shown[-1L])
    type <- rep(if (is.na(choice)) "unsure" else "cannot-link", length(others))
    type[others == choice] <- "must-link"
    list(type = type, implied = choice %in% others & others != choice)
}

# The samples that the question of an action showed.
shown_of <- function(q, number) {
    at <- which(q$answers$action == number)
    c(q$answers$i[at[1L]], q$answers$j[at])
}

# The choice that an action was; `at`: its rows.
choice_given <- function(q, number, at = which(q$answers$action == number)) {
    implied <- q$answers$implied[at]
    type <- ifelse(implied & !all(implied), "", q$answers$type[at])
    if ("must-link" %in% type) return(match("must-link", type))
    if (all(type == "unsure")) NA_integer_ else 0L
}

# A choice as text: "2" for like the second member shown, "0" for like none,
# "unsure"; of a pair its type.
choice_text <- function(q, shown, choice) {
    if (!is_sorted(q, shown)) return(choice_pairs(choice, shown)$type)
    if (is.na(choice)) "unsure" else as.character(choice)
}

# All actions in order, as text: the samples `shown`, and what was `said`.
action_table <- function(q) {
    answers <- q$answers
    rows <- unname(split(seq_along(answers$action), answers$action))
    shown <- lapply(rows, function(at) c(answers$i[at[1L]], answers$j[at]))
    said <- vapply(seq_along(rows), function(number) {
        choice_text(q, shown[[number]], choice_given(q, at = rows[[number]]))
    }, "")
    data.frame(shown = vapply(shown, paste, "", collapse = " "), said = said)
}

# ---- further samples ---------------------------------------------------------

# Samples that were drawn from those that nobody was asked about, and what was
# computed of them, which nobody sees before they are answered: q$further =
# list(after, sample, member): asked after so many answers; a member of the
# group that each is computed to be of.

# The next of them beside its nearest member of every group, whatever the
# strategy asks; NULL where none is left.
further_question <- function(q) {
    left <- setdiff(q$further$sample, asked_samples(q))
    if (!length(left) || count_answers(q) < q$further$after) return(NULL)
    groups <- seen_groups(q)
    if (!length(groups)) return(NULL)
    c(left[1L], shown_members(groups, q$far(left[1L], left), Inf))
}

# list(right, placed): for how many of them the answers tell whether the
# computed group was right, and how often it was; NULL until all are answered.
further_right <- function(q) {
    sample <- q$further$sample
    if (!length(sample) || !all(sample %in% asked_samples(q))) return(NULL)
    found <- relation(q$closure, sample, q$further$member)
    found <- found[!is.na(found)]
    if (length(found))
        list(right = sum(found == "must-link"), placed = length(found))
}

# ---- the nearest of a group --------------------------------------------------

asked_samples <- function(q) c(q$answers$i, q$answers$j)

unasked_samples <- function(q) {
    setdiff(seq_len(q$samples), c(asked_samples(q), q$others$rows$i,
                                  q$others$rows$j))
}

# The samples that nobody was asked about and that are nearer to a member of
# this group than to any other that was asked about; the nearest first.
nearest_of_group <- function(q, group, most = 8L) {
    known <- unlist(seen_groups(q))
    left <- unasked_samples(q)
    far <- vapply(known, q$far, numeric(q$samples), known)[left, , drop = FALSE]
    near <- max.col(-far, "first")
    own <- which(known[near] %in% group)
    left[own[utils::head(order(far[cbind(own, near[own])]), most)]]
}

# Puts samples into the group of one of them, at once: one undo takes all back.
join_samples <- function(q, member, samples, source, shown) {
    said <- list(time = next_time(q), source = source,
                 shown = join_view(shown, "nearest"))
    for (i in samples) q <- take_answer(set_pending(q, c(i, member)), 1L, said)
    advance(q)
}

was_checked <- function(shown) grepl("nearest", shown)

# The numbers of the last answer, or of those that were checked at once.
last_answers <- function(q) {
    last <- count_answers(q)
    key <- paste(q$answers$time, q$answers$shown)[
        match(seq_len(last), q$answers$action)]
    seq(min(which(key == key[last] & was_checked(key)), last), last)
}

# ==== clusters ================================================================

# Questions about clusters, whose samples are the means of groups, see
# prepare_data(by = ): what marks each of them takes the place of what sets two
# samples apart.

# The features that are higher in group i than in the mean of the other groups,
# next to the spread within groups, which adds its median: data.frame(number,
# difference).
cluster_markers <- function(q, i, count = 6L) {
    means <- q$data$values
    difference <- means[i, ] - colMeans(means[-i, , drop = FALSE], na.rm = TRUE)
    deviation <- q$data$clusters$deviation
    usual <- stats::median(deviation[deviation > 0])
    weight <- difference / (deviation + if (is.na(usual)) 1 else usual)
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
            high <- q$data$features[cluster_markers(q, one, 4L)$number]
            stats::setNames(c(show_number(q$data$clusters$size[one]),
                              paste(shorten(high, 24L), collapse = ", ")),
                            labels)
        })
    }
}

# ==== features that differ ====================================================

# Which features separate two samples: those in which they differ much, next
# to how much samples near them differ. A feature seen in one cell of thousands
# differs as much as can be, but not from what its neighbours have.

# What is around one sample: the scaled cells of it and of its nearest, one more
# than a neighbourhood holds (at most 8, fewer of few samples), with their
# numbers as attribute `row`. It is read once for each sample, and known to all
# copies of the questionnaire.
search_around <- function(q) {
    force(q)
    remember(function(samples) {
        near <- nearest(questionnaire_input(q)$where, samples,
                        min(7, (q$samples - 2) %/% 2) + 1, neighbour_rule(),
                        no_progress(q$control))$row
        row <- rbind(samples, near)
        cells <- .Call(C_read_samples, q$data, q$scaling, as.integer(row))
        lapply(split(seq_along(row), col(row)), function(own) {
            structure(cells[own, , drop = FALSE], row = row[own])
        })
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
# features that differ at all. `around`: one reading serves the pairs of a
# question.
separating_features <- function(q, pair, count, around = q$around(pair)) {
    separating_of_each(q, list(pair), count, around)[[1L]]
}

# The same of several pairs: a data.frame each, and one reading of the features.
separating_of_each <- function(q, pairs, count, around) {
    top <- lapply(pairs, most_separating, q = q, count = count, around = around)
    all <- unique(as.integer(unlist(top)))
    cells <- .Call(C_read_features, q$data, all)
    Map(function(pair, top) {
        values <- t(cells[pair, match(top, all), drop = FALSE])
        places <- range_places(q$data, values, top)
        data.frame(number = top, first = places[, 1L], second = places[, 2L],
                   first_value = values[, 1L], second_value = values[, 2L])
    }, pairs, top)
}

# Where values are between the least (0) and the largest (1) of their feature.
range_places <- function(data, values, feature) {
    least <- data$minimum[feature]
    (values - least) / (data$maximum[feature] - least)
}

most_separating <- function(q, pair, count, around) {
    around <- around[as.character(pair)]
    # where the two are equal, they do not differ
    use <- which(around[[1L]][1L, ] != around[[2L]][1L, ])
    # each with its neighbours, without the other one
    cells <- lapply(around, function(own) {
        others <- which(!attr(own, "row") %in% pair)
        own[c(1L, utils::head(others, nrow(own) - 2L)), use, drop = FALSE]
    })
    # of factors, whether the level is that of the first sample
    level <- cells[[1L]][1L, ]
    for (f in which(q$scaling$category[use]))
        for (side in 1:2) cells[[side]][, f] <- cells[[side]][, f] == level[f]
    weight <- separation(cells[[1L]], cells[[2L]])
    good <- beyond_noise(weight, cells, q$data$p)
    able <- use[good]
    weight <- weight[good]
    side <- ifelse(q$data$kind[able] == "factor", 3,
                   1 + (cells[[1L]][1L, good] < cells[[2L]][1L, good]))
    place <- stats::ave(-weight, side, FUN = rank)
    picked <- utils::head(order(place, -weight), count)
    able[picked[order(side[picked], place[picked])]]
}

# `a`, `b`: rows of the two neighbourhoods, the samples themselves first.
separation <- function(a, b) {
    own <- a[1L, ] - b[1L, ]
    means <- list(colMeans(a, na.rm = TRUE), colMeans(b, na.rm = TRUE))
    between <- means[[1L]] - means[[2L]]
    size <- pmin(abs(own), abs(between)) * (own * between > 0)
    # elsewhere the spread does not matter
    some <- which(size > 0)
    squares <- function(x, mean) colSums(na.rm = TRUE, (
        x[, some, drop = FALSE] - rep(mean[some], each = nrow(x)))^2)
    deviation <- sqrt((squares(a, means[[1L]]) + squares(b, means[[2L]])) /
                          max(nrow(a) + nrow(b) - 2, 1))
    usual <- stats::median(deviation)
    if (is.na(usual) || usual == 0) usual <- 1
    replace(numeric(ncol(a)), some, size[some] / (deviation + usual))
}

# The places of those that are no noise, at a false discovery rate of 0.05 of so
# many `features`. By t, with the mean of the two spreads. Smaller
# neighbourhoods, of few samples, cannot tell.
beyond_noise <- function(weight, cells, features) {
    count <- vapply(cells, nrow, 0L)
    if (min(count) < 8L) return(which(weight > 0))
    t <- 2 * weight / sqrt(sum(1 / count))
    free <- sum(count) - 2
    # at most those with a p-value of 0.06, which are few
    some <- which(t > stats::qt(0.97, free))
    p_value <- 2 * stats::pt(-t[some], free)
    some[stats::p.adjust(p_value, "BH", features) <= 0.05]
}

# The same as words for the dialogue: "CD79A (3.1 / 0)", "stage (III / II)".
differing_features <- function(q, pair, count = 4L, around = q$around(pair)) {
    found <- separating_features(q, pair, count, around)
    if (!nrow(found)) return("nothing beyond noise")
    words <- cell_words(q$data, found)
    paste0(shorten(q$data$features[found$number], 24L), " (", words[1L, ],
           " / ", words[2L, ], ")")
}

# The cells of the two samples as they were given, a column for each feature
# that was found: numbers to three digits, levels, dates, yes, no.
cell_words <- function(data, found, flags = c("no", "yes")) {
    vapply(seq_along(found$number), function(at) {
        feature <- found$number[at]
        cells <- c(found$first_value[at], found$second_value[at])
        shown <- cell_text(data, feature, cells) %||%
            if (data$kind[feature] == "logical") flags[1L + cells] else
                vapply(signif(cells, 3L), format, "", digits = 3L)
        ifelse(is.na(cells), "?", shorten(shown, 24L))
    }, c("", ""))
}
