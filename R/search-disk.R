# Neighbours of few samples in data on disk.
#
# The file is read once, tile by tile. In memory are the query points, their
# nearest samples so far, and the tile: an ordinary search among these gives the
# nearest samples so far and in the tile, in the order (distance, row), whatever
# the tiles. At the end the samples of all lists are in memory.
#
# A file that has blocks of features as cheaply is read by these, as long as all
# distances fit into memory; then the samples of the lists are read.

# Are the neighbours of so many samples found this way? A missing cell stands
# for all observed cells of its feature, and many end points do not fit.
reads_samples <- function(data, n_ends, k, rule) {
    !any(data$missing > 0L) && is.null(rule$class_of) &&
        n_ends <= held_ends(data, k)
}

# How many end points fit into memory with k others each.
held_ends <- function(data, k) {
    memory <- max(4 * DelayedArray::getAutoBlockSize(), 2^26)
    floor(memory / ((1 + k) * data$cells$bytes))
}

# What nearest() returns; `held`: list(rows, block).
disk_nearest <- function(where, ends, k, rule, control, with_distance) {
    search <- list(where = where, ends = ends, k = k, rule = rule,
                   with_distance = with_distance)
    data <- where$data
    if (isTRUE(data$cells$across) && is.null(control$workers) &&
        8 * length(ends) * max(data$n, data$block) <= 2^26) {
        near <- .Call(C_nearest, where, ends, k, rule, with_distance, control)
        hits <- near$row[near$row > 0L]
        near$held <- hold_samples(data$cells, c(ends, hits))
        return(near)
    }
    tiles <- seq_along(data$cells$first)
    if (!is.null(control$workers)) return(spread_tiles(tiles, search, control))
    line <- progress_line(c("Neighbours", "samples"), data$n, control$progress)
    on.exit(line$end())
    search_tiles(tiles, search, no_progress(control), line$tick)
}

# The nearest samples in some tiles.
search_tiles <- function(tiles, search, control,
                         tick = function(done) NULL) {
    cells <- search$where$data$cells
    held <- hold_samples(cells, search$ends)
    # Side by side they are copied, and copies make R collect garbage: only as
    # many as make a search of the samples held worthwhile.
    most <- length(search$ends) * (1 + sum(search$k))
    joined <- min(cells$joined, ceiling(4 * most / cells$n *
                                            length(cells$first)))
    for (some in split(tiles, (tiles - tiles[1L]) %/% joined)) {
        samples <- tile_samples(cells, some)
        near <- search_held(add_tiles(held, cells, some), search, control)
        held <- near$held
        tick(samples[length(samples)])
    }
    near
}

# Some tiles a task; then a search among what the tasks have found.
spread_tiles <- function(tiles, search, control,
                         per_task = 2L * search$where$data$cells$joined) {
    cells <- search$where$data$cells
    workers <- control$workers
    control$workers <- NULL
    sent <- search
    sent$where$data["values"] <- list(NULL)
    near <- spread(split(tiles, (tiles - 1L) %/% per_task), function(
        tiles, shared) search_tiles(tiles, shared$search, shared$control)$row,
                   list(search = sent, control = no_progress(control)),
                   workers, c("Neighbours", "parts of the file"),
                   control$progress, random = FALSE)
    rows <- unlist(near)
    search_held(hold_samples(cells, c(search$ends, rows[rows > 0L])), search,
                no_progress(control))
}

# ---- samples in memory -------------------------------------------------------

# list(rows, block): sample numbers, ascending, and their features x samples
# block.
hold_samples <- function(cells, samples) {
    samples <- sort(unique(samples))
    list(rows = samples, block = cells$read(samples))
}

# The samples of consecutive tiles in their places among those held.
add_tiles <- function(held, cells, tiles) {
    samples <- tile_samples(cells, tiles)
    before <- which(held$rows < samples[1L])
    after <- which(held$rows > samples[length(samples)])
    read <- lapply(tiles, function(tile) cells$read(tile_samples(cells, tile)))
    list(rows = c(held$rows[before], samples, held$rows[after]),
         block = bind_samples(c(list(take_columns(held$block, before)), read,
                                list(take_columns(held$block, after)))))
}

# ---- the search --------------------------------------------------------------

# The nearest samples among those held, numbered in the file, and those of them
# that are needed further on as `held`.
search_held <- function(held, search, control) {
    where <- search$where
    where$data <- held_data(where$data, held)
    where["block"] <- list(where$block[held$rows])
    rule <- search$rule
    if (!is.null(rule$links))
        rule$links <- restrict_links(rule$links, held$rows)
    near <- .Call(C_nearest, where, match(search$ends, held$rows), search$k,
                  rule, search$with_distance, control)
    near$row[] <- c(0L, as.integer(held$rows))[near$row + 1L]
    keep <- which(held$rows %in% c(search$ends, near$row))
    near$held <- list(rows = held$rows[keep],
                      block = take_columns(held$block, keep))
    near
}

# constraint_links() of some samples, in their order; components keep their
# numbers.
restrict_links <- function(links, rows) {
    component <- links$component[rows]
    size <- tabulate(component + 1L, length(links$member_start) - 1L)
    links$component <- component
    links$member <- order(component) - 1L
    links$member_start <- c(0L, as.integer(cumsum(size)))
    links
}
