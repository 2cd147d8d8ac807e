# Neighbours of few samples in data on disk, and the samples that margins need.
#
# The file is read once, tile by tile. In memory are the end points, their
# nearest samples so far, and the tile: an ordinary search among these gives the
# nearest samples so far and in the tile, in the order (distance, row), whatever
# the tiles. At the end the samples that margins need are all in memory.

# Are the neighbours of so many samples found this way? A missing cell stands
# for all observed cells of its feature, and many end points do not fit.
reads_samples <- function(data, n_ends, k) {
    if (is.null(data$cells) || any(data$missing > 0L)) {
        return(FALSE)
    }
    n_ends <= held_ends(data, k)
}

# How many end points fit into memory with k others each.
held_ends <- function(data, k) {
    room <- max(4 * DelayedArray::getAutoBlockSize(), 2^26)
    floor(room / ((1 + k) * data$cells$bytes))
}

# What find_neighbours() returns, with `ends`, `others` and `group` numbered in
# `data`, the samples held at the end, which are samples `rows` of the file.
# search: list(ends, room, links, metric)
disk_neighbours <- function(data, scaling, search, control) {
    tiles <- seq_along(data$cells$first)
    if (has_workers(control$workers)) {
        return(spread_tiles(tiles, data, scaling, search, control))
    }
    line <- progress_line(c("Neighbours", "samples"), data$n,
                          control$progress)
    on.exit(line$end())
    number_held(data, search, search_tiles(tiles, data, scaling, search,
                                           no_progress(control), line$tick))
}

# list(held, found): the nearest samples in some tiles.
search_tiles <- function(tiles, data, scaling, search, control,
                         tick = function(done) NULL) {
    cells <- data$cells
    held <- hold_samples(cells, search$ends)
    room <- new_room(cells)
    for (some in split(tiles, (tiles - tiles[1L]) %/% cells$joined)) {
        samples <- tile_samples(cells, some)
        held <- add_tiles(held, cells, some, room)
        found <- search_held(data, held, scaling, search, control)
        held <- keep_held(held, search$ends, found)
        tick(samples[length(samples)])
    }
    list(held = held, found = found)
}

# Some tiles a task; then a search among what the tasks have found.
spread_tiles <- function(tiles, data, scaling, search, control,
                         per_task = 2L * data$cells$joined) {
    workers <- control$workers
    control$workers <- NULL
    sent <- data
    sent$values <- NULL
    found <- spread(split(tiles, (tiles - 1L) %/% per_task), search_task,
                    list(data = sent, scaling = scaling, search = search,
                         control = no_progress(control)),
                    workers, c("Neighbours", "parts of the file"),
                    control$progress, random = FALSE)
    nearest <- unlist(found)
    held <- hold_samples(data$cells, c(search$ends, nearest[nearest > 0L]))
    found <- search_held(data, held, scaling, search, no_progress(control))
    number_held(data, search, list(held = keep_held(held, search$ends, found),
                                   found = found))
}

search_task <- function(tiles, shared) {
    search_tiles(tiles, shared$data, shared$scaling, shared$search,
                 shared$control)$found
}

# ---- samples in memory -------------------------------------------------------

# list(rows, block): sample numbers, ascending, and their features x samples
# block.
hold_samples <- function(cells, samples) {
    samples <- sort(unique(samples))
    list(rows = samples, block = cells$read(samples))
}

# The samples of consecutive tiles in their places among those held. The block
# is that of the room, until the next tiles are added.
add_tiles <- function(held, cells, tiles, room) {
    samples <- tile_samples(cells, tiles)
    before <- which(held$rows < samples[1L])
    after <- which(held$rows > samples[length(samples)])
    empty_room(room, length(samples) + length(held$rows))
    put_samples(room, held_columns(held, before))
    for (tile in tiles) {
        put_samples(room, cells$read(tile_samples(cells, tile)))
    }
    put_samples(room, held_columns(held, after))
    list(rows = c(held$rows[before], samples, held$rows[after]),
         block = room_block(room))
}

held_columns <- function(held, columns) {
    if (methods::is(held$block, "dgCMatrix")) {
        take_columns(held$block, columns)
    } else {
        held$block[, columns, drop = FALSE]
    }
}

keep_held <- function(held, ends, found) {
    needed <- sort(unique(c(ends, found$others, found$group)))
    keep <- held$rows %in% needed
    list(rows = held$rows[keep], block = held_columns(held, which(keep)))
}

# As as_feature_data() gives it; ranges are those of all samples.
held_data <- function(data, held) {
    sparse <- methods::is(held$block, "dgCMatrix")
    part <- unclass(data)
    part$values <- held$block
    part$layout <- if (sparse) "by sample" else "rows"
    part$transposed <- if (sparse) transposed_once(held$block)
    part$n <- as.numeric(length(held$rows))
    part$samples <- data$samples[held$rows]
    part[c("cells", "block", "sample_data")] <- NULL
    structure(part, class = "feature_data")
}

# ---- the search --------------------------------------------------------------

# Sample numbers of the file, 0 where a list has no more.
search_held <- function(data, held, scaling, search, control) {
    links <- if (!is.null(search$links)) {
        restrict_links(search$links, held$rows)
    }
    lists <- .Call(C_neighbour_lists, held_data(data, held), scaling,
                   match(search$ends, held$rows), search$room, links,
                   search$metric, control)
    number <- c(0L, held$rows)
    lapply(lists[c("others", "group")], function(list) {
        list[] <- as.integer(number[list + 1L])
        list
    })
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

# `searched`: list(held, found).
number_held <- function(data, search, searched) {
    rows <- searched$held$rows
    place <- function(list) {
        list[] <- match(list, rows, nomatch = 0L)
        list
    }
    list(ends = match(search$ends, rows), others = place(searched$found$others),
         group = place(searched$found$group), rows = rows,
         data = held_data(data, searched$held))
}
