# The space in which neighbours are looked for, and its distances.

# ==== spaces ==================================================================

# Where neighbours are computed. A `neighbour_space` is a list:
#
#   data, scaling   the prepared_data that are compared and how their cells are
#                   scaled (input-scale.R): the data themselves, or coordinates
#                   of their samples as data of their own
#   metric          0 for Manhattan, 1 for Euclidean distances
#   rounding        0, or the unit to which distances are rounded
#   block           NULL, or a code per sample: only samples of one block are
#                   neighbours, in nearest() and in graphs
#   without         NULL, or scaled values of plain features, a column each:
#                   nearest() answers for the space without each of them
#   label           NULL for all features, else what the coordinates are
#   distance        the name of the distance, where a method offers several
#
# It is a value beside the data, and C takes it as it is (src/r_search.c).

# `space`: the user's argument; `distances`: those of the method, a single one
# leaves no choice.
neighbour_space <- function(space, data, scaling, distances = space_distance,
                            block = NULL) {
    distance <- if (length(distances) == 1L) distances else
        data$settings$distance
    if (is.null(distance)) {
        # those in a space are Euclidean
        distance <- if (is.null(space)) distances[1L] else space_distance
    } else if (length(distances) > 1L) {
        check_choice(distance, distances, "distance")
        refuse_value_if(!is.null(space) && distance != space_distance, distance,
                        "`distance` must be \"euclidean\" beside `space`")
    }
    where <- if (distance == "correlation") {
        correlation_space(data, scaling, block)
    } else if (is.null(space)) {
        # components that are there are better than all features
        if ("PCA" %in% names(data$spaces)) {
            inform_once("space", "Neighbours are computed in all features:
                        `space = \"PCA\"` takes the reducedDim, faster and
                        usually better. (This is said once.)", class = "space")
        }
        feature_space(data, scaling, distance, block)
    } else {
        refuse_distances(space, "space")
        place <- space_coordinates(space, data, scaling)
        coordinate_space(place$points, place$rounded, data, place$label, block)
    }
    where$distance <- distance
    where
}

# The default `space` of glean() and of its questions.
default_components <- 20

many_samples <- 10000

# All features of the data.
feature_space <- function(data, scaling, distance = space_distance,
                          block = NULL) {
    list(data = data, scaling = scaling,
         metric = distance_table[distance, "metric"], rounding = 0,
         block = block, label = NULL)
}

# A matrix of finite numbers, samples x dimensions, whose columns are compared
# without scaling. `rounded`: distances are rounded to 1e-9 of the largest one,
# since the last digits of principal components depend on how they were
# computed. `data`: those that the points are of, or NULL.
coordinate_space <- function(points, rounded = FALSE, data = NULL,
                             label = NULL, block = NULL) {
    attributes(points) <- list(dim = dim(points))
    extremes <- apply(points, 2L, range)
    where <- unscaled_space(points, "columns", nrow(points), extremes[1L, ],
                            extremes[2L, ], data$samples, block)
    where$data$known <- data$known
    if (rounded) where$rounding <- 1e-9 * largest_distance(
        where, if (is.null(data)) default_control() else data$control)
    where["label"] <- list(label)
    where
}

# The largest distance of two samples; of many samples the largest one to any of
# 20 that are far away from each other, at least half of it. Of fewer samples
# three such ones leave few whose distances have to be computed.
largest_distance <- function(where, control) {
    points <- where$data$values
    quiet <- no_progress(control)
    near <- Inf
    largest <- 0
    for (step in seq_len(if (nrow(points) < many_samples) 3L else 20L)) {
        distance <- sqrt(sample_distances(where, which.max(near), quiet))
        near <- pmin(near, distance)
        largest <- max(largest, distance)
    }
    if (nrow(points) >= many_samples) return(largest)
    # one of two samples so far away is at least half of it from the mean
    away <- sqrt(colSums((t(points) - colMeans(points))^2))
    ends <- which(2 * away >= (1 - 1e-9) * largest)
    max(largest, vapply(split(ends, seq_along(ends) %/% 64L), function(some) {
        sqrt(max(sample_distances(where, some, quiet)))
    }, 0))
}

# Coordinates as data of their own; `width`: how many a reader returns at a
# time.
unscaled_space <- function(values, layout, n, minimum, maximum, samples, block,
                           width = NULL) {
    q <- length(minimum)
    data <- structure(list(
        values = values, layout = layout, block = width, n = as.numeric(n),
        p = as.numeric(q), features = paste("dimension", seq_len(q)),
        samples = samples, kind = rep("numeric", q), minimum = minimum,
        maximum = maximum, missing = integer(q), one_unit = FALSE
    ), class = "prepared_data")
    feature_space(data, new_scaling(numeric(q), rep(1, q)), block = block)
}

# NULL for all features, else list(points, rounded, label): the coordinates,
# samples x dimensions, and whether distances are rounded, as those of
# components are. A missing cell is its feature's mean. `start`: where the
# search for components begins, see component_scores(), which they keep in
# `vectors`.
space_coordinates <- function(space, data, scaling, start = NULL,
                              name = "space") {
    if (is.null(space)) return(NULL)
    if (is.character(space) && is.null(dim(space))) {
        check_space_name(space, data, name)
        label <- paste0("\"", space, "\"")
        points <- check_points(data$spaces[[space]], data,
                               paste("The reducedDim", label))
        return(list(points = points, rounded = FALSE, label = label))
    }
    if (is.numeric(space) && is.null(dim(space))) {
        count <- check_count(space, "space", 1)
        key <- list(count, scaling$center, scaling$divisor)
        if (is.null(start) && identical(data$known$components$key, key))
            return(data$known$components$place)
        points <- component_scores(data, scaling, count, start = start)
        vectors <- attr(points, "vectors")
        number <- ncol(points)
        # nothing varies: all samples are one point
        if (number == 0L) points <- matrix(0, data$n, 1L)
        place <- list(points = points, rounded = TRUE, vectors = vectors,
                      label = count_noun(number, "principal component"))
        if (is.null(start) && is.environment(data$known)) {
            # for the next method that asks for the same
            assign("components", list(key = key, place = place), data$known)
        }
        return(place)
    }
    points <- check_points(match_places(space, data$samples, name), data,
                           paste0("`", name, "`"))
    list(points = points, rounded = FALSE,
         label = paste("a matrix of", count_noun(ncol(points), "column")))
}

# A graph is made of neighbours already. `names`: of what the call was given; a
# space that prepared data hold is of no use then.
check_one_place <- function(graph, names) {
    refuse_if(!is.null(graph) && "space" %in% names, "`space` must be left out
              when `graph` is given: the graph already defines neighbours.")
}

# Coordinates as a plain matrix of finite numbers with a row per sample.
check_points <- function(points, data, what) {
    if (is.data.frame(points) || methods::is(points, "Matrix"))
        points <- as.matrix(points)
    refuse_if(!is.matrix(points) || !is.numeric(points) || ncol(points) == 0L,
              what, " must be a numeric matrix with a row per sample, not ",
              describe_matrix(points), ".")
    refuse_if(nrow(points) != data$n, what, " must have a row for each of the ",
              data$n, " samples of `x`, not ", nrow(points), ".")
    bad <- which(!is.finite(points))
    refuse_if(length(bad), what, " must contain finite numbers, but sample ",
              name_sample(data, (bad[1L] - 1) %% data$n + 1), " has ",
              format(points[bad[1L]]), ".")
    storage.mode(points) <- "double"
    dimnames(points) <- NULL
    points
}

# ==== correlations ============================================================

# distance = "correlation": neighbours by 1 - r, r the correlation of two
# samples over their scaled features.
#
# A sample that is centred and scaled to unit length over its p features,
#     z_a = (u_a - mean u_a) / |u_a - mean u_a|,
# has |z_a - z_b|^2 = 2 (1 - r_ab). So the samples z are a space of p
# coordinates in which the Euclidean search finds the neighbours, with its
# order, ties, blocks and threads. A sample without variation has no
# correlation: it gets r = 0 with the others by one more coordinate, in which it
# is 1 and they are 0, and r = 1 with another such sample.
#
# Data in memory that are dense have a dense copy z. The z of sparse data and of
# files are made block by block whenever they are read.

correlation_space <- function(data, scaling, block = NULL) {
    refuse_factors(data, which(scaling$category),
                   " or factors of two levels for distance = \"correlation\"")
    data <- without_missing(data, scaling)
    width <- max(1, min(data$p, floor(2^22 / data$n)))
    standard <- sample_standards(data, scaling, width)
    read <- standard_reader(data, scaling, standard)
    q <- data$p + any(standard$flat)
    held <- data$layout == "columns" || data$layout == "by sample"
    if (held) check_bytes(8 * data$n * q, "The standardised samples")
    where <- unscaled_space(if (held) read(1, q) else read,
                            if (held) "columns" else "reader", data$n,
                            rep(-1, q), rep(1, q), data$samples, block,
                            if (!held) width)
    # samples that are the same but for their mean and length are equally near
    where$rounding <- 1e-9
    where$label <- "all features by correlation"
    where
}

# list(mean, length, flat) of the scaled features of each sample. Sums run over
# the features in column order, so that blocks change no bit.
sample_standards <- function(data, scaling, width) {
    add_over <- function(term) {
        total <- numeric(data$n)
        for (first in seq(1, data$p, by = width)) {
            u <- read_scaled(data, scaling,
                             first:min(first + width - 1, data$p))
            for (j in seq_len(ncol(u))) total <- total + term(u[, j])
        }
        total
    }
    mean <- add_over(identity) / data$p
    square <- add_over(function(u) (u - mean)^2)
    # what rounding leaves of a sample whose values are all the same
    flat <- sqrt(square) <= data$p^1.5 * 2^-50 * abs(mean)
    list(mean = mean, length = ifelse(flat, 1, sqrt(square)), flat = flat)
}

# A function(first, count) that returns z of some features, samples x features.
standard_reader <- function(data, scaling, standard) {
    force(scaling)
    function(first, count) {
        last <- min(first + count - 1, data$p)
        z <- read_scaled(data, scaling, first - 1 + seq_len(last - first + 1))
        z <- (z - standard$mean) / standard$length
        z[standard$flat, ] <- 0
        if (first + count - 1 > data$p) cbind(z, as.numeric(standard$flat)) else
            z
    }
}
