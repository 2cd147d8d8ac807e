# The search for neighbours. Every method that needs near samples asks here, and
# no other file computes distances of samples or sorts by them:
#
#   nearest(where, ends, k, rule, control): the k nearest samples of some
#   nearest_of_all(where, k, control): those of all samples, kept
#   within_radius(...): all samples within a radius
#   sample_distances(...): all distances of some samples
#   distances_among(...): those of some samples to each other
#   mean_distance(...): that of all pairs
#   pair_distances(...): distances of given pairs
#
# `where` is a neighbour_space (search-space.R): which data are compared, scaled
# how, by which metric. `ends` are sample numbers, ascending, the query points.
# `rule` says which samples are in a list of a query point (src/search_lists.h):
#
#   neighbour_rule()           one list, of all other samples
#   neighbour_rule(links)      two lists: first samples that the constraints
#                              neither join to the query point nor keep from it,
#                              then those of its must-link component
#   class_rule(code, classes)  one list for each class of the neighbours
#
# With where$block only samples of the query point's block are in its lists.
# The order is always (distance, row): equal distances keep row order
# (src/search_lists.h). No sample is in its own list. n by n distances are never
# held.

# links: from constraint_links(), or NULL.
neighbour_rule <- function(links = NULL) {
    list(class_of = NULL, classes = if (is.null(links)) 1L else 2L,
         links = links)
}

# code: the class of each sample, from 0; -1: in no list.
class_rule <- function(code, classes) {
    list(class_of = as.integer(code), classes = as.integer(classes),
         links = NULL)
}

# list(row, distance, list):
#   row       a column for each query point with the numbers of its neighbours
#             in the data, its lists one below the other, each nearest first; 0
#             where a list has no more
#   distance  of these, squared for the Euclidean metric, NA where a list has no
#             more; NULL unless `with_distance`, as the order alone costs less
#   list      for each row of `row` the number of its list
#   held      of data on disk: these samples, which are in memory by now
#             (search-disk.R); else NULL
nearest <- function(where, ends, k, rule, control, with_distance = FALSE) {
    # places in each list: of the same class, of all, or c(all, must-linked)
    if (!is.null(rule$class_of)) {
        k <- min(k, max(tabulate(rule$class_of + 1L)))
        check_class_lists(length(ends), rule$classes, k)
    } else {
        k <- min(k, where$data$n - 1)
        linked <- diff(rule$links$member_start)
        if (length(linked)) k <- c(k, min(k, max(linked) - 1))
    }
    k <- as.integer(k)
    ends <- as.integer(ends)
    near <- if (!is.null(where$data$cells) && is.null(where$response) &&
                reads_samples(where$data, length(ends), k[1L], rule)) {
        disk_nearest(where, ends, k, rule, control, with_distance)
    } else {
        .Call(C_nearest, where, ends, k, rule, with_distance, control)
    }
    lists <- if (is.null(rule$links)) rep(k, rule$classes) else k
    near$list <- rep(seq_along(lists), lists)
    near
}

# Prepared data keep the lists that were searched last: questions, glean() and
# clusters of one object search once.
nearest_of_all <- function(where, k, control) {
    known <- where$data$known
    key <- list(where$data$values, where$scaling, where$metric, where$rounding,
                where$block, where$response, as.numeric(k))
    if (identical(known$nearest$key, key)) return(known$nearest$near)
    near <- nearest(where, seq_len(where$data$n), k, neighbour_rule(), control,
                    with_distance = TRUE)
    if (is.environment(known)) known$nearest <- list(key = key, near = near)
    near
}

# `k` places in a list for each class of each query point: 16 bytes a place and
# 64 a list, until the margins are computed. C and R number places by int.
check_class_lists <- function(
    ends, classes, k,
    what = paste("The neighbours of", count_noun(ends, "sample"), "in each of",
                 show_number(classes), "classes")) {
    lists <- as.numeric(ends) * classes
    check_bytes(16 * lists * k + 64 * lists, what)
    if (lists * k > .Machine$integer.max)
        abort_linkrank(what, " are {lists * k}, more than can be numbered.",
                       class = "memory")
}

# The samples of each class that are nearer than `radius`, whatever their block:
# list(row, start), grouped by query point, then class. A `radius` of NULL is
# the mean of the query point's distances minus half their standard deviation.
within_radius <- function(where, ends, radius, rule, control) {
    .Call(C_within_radius, where, ends, radius, rule, control)
}

# n x ends, squared for the Euclidean metric.
sample_distances <- function(where, ends, control) {
    .Call(C_sample_distances, where, as.integer(ends), control)
}

# Some x the same, squared for the Euclidean metric.
distances_among <- function(where, some, control) {
    if (where$data$layout == "columns") {
        where$data$values <- where$data$values[some, , drop = FALSE]
        where$data$n <- as.numeric(length(some))
        where["block"] <- list(NULL)
        return(sample_distances(where, seq_along(some), control))
    }
    # n x 24 at a time
    do.call(cbind, lapply(split(some, seq_along(some) %/% 24L), function(own) {
        sample_distances(where, own, control)[some, , drop = FALSE]
    }))
}

# Of all pairs of some samples.
mean_distance <- function(where, ends, control) {
    .Call(C_mean_distance, where, ends, control)
}

# Euclidean distances of pairs of samples, never rounded.
pair_distances <- function(where, first, second, control) {
    sqrt(.Call(C_pair_sums, where$data, where$scaling, as.integer(first) - 1L,
               as.integer(second) - 1L, FALSE, no_progress(control)))
}

# ---- the samples that a walk over features needs -----------------------------

# list(data, rows, ends, row): the data with some samples only, `rows` of them,
# where that spares reading or transposing all others, and the numbers of the
# end points and their neighbours among these, 0 staying 0; else all as they
# are, and `rows` NULL. `held`: of nearest(). A missing cell needs its whole
# feature.
samples_needed <- function(data, ends, row, held = NULL) {
    if (is.null(held) && data$layout == "by sample" &&
            !any(data$missing > 0L)) {
        rows <- sort(unique(c(ends, row[row > 0L])))
        if (length(rows) <= data$n / 2)
            held <- list(rows = rows, block = take_columns(data$values, rows))
    }
    if (!is.null(held)) {
        data <- held_data(data, held)
        ends[] <- match(ends, held$rows)
        row[] <- match(row, held$rows, nomatch = 0L)
    }
    list(data = data, rows = held$rows, ends = ends, row = row)
}
