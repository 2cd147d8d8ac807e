# Nearest samples in given coordinates (src/near.h): ordered by distances that
# are rounded to 1e-9 of the largest one, since the last digits of components
# depend on how they were computed. Equal: the lower row.

near_samples <- function(points, control) {
    attributes(points) <- attributes(points)["dim"]
    list(points = points, n = nrow(points),
         unit = .Call(C_distance_unit, points, control), control = control)
}

# list(row, distance), k x n.
nearest_points <- function(near, k) {
    .Call(C_nearest_points, near$points, as.integer(k), near$unit,
          near$control)
}

# Neighbours of some samples under links, as find_neighbours() gives them.
nearest_linked <- function(near, ends, k, links) {
    lists <- .Call(C_nearest_linked, near$points, as.integer(ends),
                   as.integer(k), links, near$unit, near$control)
    c(list(ends = ends, k = as.integer(k)), lists)
}

# The k nearest samples of each label, k x labels x n, 0 for none; NA: a sample
# that neither searches nor is found.
nearest_labelled <- function(near, label, labels, k) {
    known <- which(!is.na(label))
    # those of a label together, by row: so the search need not look at labels
    sorted <- known[order(label[known])]
    start <- c(0L, cumsum(tabulate(label[known], labels)))
    found <- .Call(C_nearest_labelled, near$points[sorted, , drop = FALSE],
                   as.integer(start), as.integer(k), near$unit, near$control)
    rows <- array(0L, c(k, labels, near$n))
    rows[, , sorted] <- c(0L, sorted)[found + 1L]
    rows
}
