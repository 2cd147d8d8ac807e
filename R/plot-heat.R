# Heat maps: features in rows, samples in columns.

# Cells with mean 0 and standard deviation 1 in each column; 0 if missing or
# constant.
scale_cells <- function(cells) {
    cells <- scale(cells)
    cells[!is.finite(cells)] <- 0
    attributes(cells)[c("scaled:center", "scaled:scale")] <- NULL
    cells
}

# Samples by group, and within a group by the first component of the features
# shown, which needs no distances between all pairs of samples.
sample_order <- function(cells, groups) {
    along <- svd(cells, nu = 1L, nv = 1L)
    sign <- if (sum(along$v) < 0) -1 else 1
    order(groups, sign * along$u[, 1L])
}

# Position of each sample from 0 to 1, in order: list(left, right, group). A
# small group keeps a visible width; there is a gap between groups.
heat_columns <- function(groups, least = 0.03, gap = 0.006) {
    runs <- rle(as.integer(groups))
    proportion <- pmax(runs$lengths / length(groups), least)
    available <- 1 - gap * (length(proportion) - 1)
    proportion <- proportion / sum(proportion) * available
    start <- cumsum(c(0, proportion + gap))[seq_along(proportion)]
    width <- rep(proportion / runs$lengths, runs$lengths)
    left <- rep(start, runs$lengths) + width * (sequence(runs$lengths) - 1)
    list(left = left, right = left + width,
         group = rep(seq_along(proportion), runs$lengths))
}

# The plot. `cells`: samples x features; `names`: of the rows; `links`: list(must,
# cannot) of pairs, or NULL. Gives the order of the samples.
draw_heat <- function(cells, names, groups, links, titles) {
    if (is.null(groups)) {
        groups <- rep(1L, nrow(cells))
        labels <- ""
    } else {
        groups <- addNA(groups, ifany = TRUE)
        labels <- levels(groups)
        labels[is.na(labels)] <- "unknown"
    }
    order <- sample_order(cells, groups)
    columns <- heat_columns(groups[order])
    shown <- sort(unique(as.integer(groups)))
    labels <- shorten(labels[shown], 40L)
    # Margins as wide as names and labels need.
    line <- graphics::par("csi")
    widest <- 0.4 * graphics::par("fin")[1L]
    left <- min(text_inches(names, 0.8) + 0.15, widest)
    old <- graphics::par(mai = c(1.6 * line, max(left, 0.9), 2 * line, 0.15))
    top <- if (heat_labels_fit(labels, columns)) 1.2 * line else
        text_inches(labels, 0.75) + 0.5 * line
    top <- min(top, 0.4 * graphics::par("fin")[2L])
    graphics::par(mai = graphics::par("mai") + c(0, 0, top, 0))
    on.exit(graphics::par(old))
    plan <- heat_window(ncol(cells), links)
    draw_heat_cells(cells[order, , drop = FALSE], columns)
    rows <- ncol(cells)
    available <- graphics::par("mai")[2L] - 0.1
    size <- min(0.8, 0.8 * available / text_inches(names, 0.8),
                0.9 * graphics::par("pin")[2L] / rows / graphics::par("csi"))
    graphics::mtext(names, 2L, 0.3, las = 1, at = rows:1 - 0.5, cex = size)
    if (length(labels) > 1L || nzchar(labels)) {
        draw_heat_groups(labels, shown, columns, plan)
    }
    draw_heat_links(links, order, columns, plan)
    draw_colour_key(plan$keys)
    do.call(graphics::title, utils::modifyList(
        list(line = graphics::par("mar")[3L] - 1.4,
             cex.main = title_size(titles$main)), titles))
    invisible(order)
}

heat_labels_fit <- function(labels, columns) {
    available <- tapply(columns$right - columns$left, columns$group, sum)
    needed <- graphics::strwidth(labels, "inches", cex = 0.75) + 0.1
    all(needed <= available * graphics::par("pin")[1L])
}

# The window: a row is 1 high; below them the arcs of the links, above the bar
# of the groups. `inch`: one in rows.
heat_window <- function(rows, links) {
    graphics::plot.new()
    height <- graphics::par("pin")[2L]
    arcs <- if (is.null(links)) 0.05 else min(0.7, 0.25 * height)
    bar <- 0.12
    inch <- rows / max(height - arcs - bar, 0.3 * height)
    graphics::plot.window(c(0, 1), c(-arcs * inch, rows + bar * inch),
                          xaxs = "i", yaxs = "i")
    list(rows = rows, inch = inch, arcs = arcs * inch, keys = -arcs * inch)
}

# The means of at most `most` runs of rows of about the same length.
average_runs <- function(cells, most) {
    runs <- min(nrow(cells), most)
    run <- ceiling(seq_len(nrow(cells)) / nrow(cells) * runs)
    rowsum(cells, run) / as.vector(table(run))
}

# Samples in the same column of the screen are averaged.
draw_heat_cells <- function(cells, columns, most = 600) {
    cells <- pmin(pmax(cells, -2), 2)
    for (rows in split(seq_len(nrow(cells)), columns$group)) {
        width <- columns$right[rows[length(rows)]] - columns$left[rows[1L]]
        means <- average_runs(cells[rows, , drop = FALSE],
                              max(1, ceiling(most * width)))
        level <- round((means + 2) / 4 * (length(heat_colours) - 1)) + 1
        image <- t(matrix(heat_colours[level], nrow(means)))
        graphics::rasterImage(image, columns$left[rows[1L]], 0,
                              columns$right[rows[length(rows)]],
                              ncol(cells), interpolate = FALSE)
    }
}

draw_heat_groups <- function(labels, shown, columns, plan) {
    bound <- function(value, which) tapply(value, columns$group, which)
    left <- bound(columns$left, min)
    right <- bound(columns$right, max)
    colour <- style_of(max(shown))$colour[shown]
    low <- plan$rows + 0.04 * plan$inch
    graphics::rect(left, low, right, low + 0.08 * plan$inch, col = colour,
                   border = NA, xpd = NA)
    flat <- heat_labels_fit(labels, columns)
    graphics::text((left + right) / 2, low + 0.14 * plan$inch, labels,
                   adj = if (flat) c(0.5, 0) else c(0, 0.5),
                   srt = if (flat) 0 else 90, cex = 0.75, xpd = NA)
}

# An arc below the map between the two samples of a link.
draw_heat_links <- function(links, order, columns, plan) {
    if (is.null(links)) return(invisible())
    place <- numeric(length(order))
    place[order] <- (columns$left + columns$right) / 2
    half <- seq(0, pi, length.out = 41L)
    # many arcs are thin and let each other through
    many <- nrow(links$cannot) + nrow(links$must) > 12L
    for (kind in c("cannot", "must")) {
        for (row in seq_len(nrow(links[[kind]]))) {
            bound <- place[links[[kind]][row, ]]
            reach <- abs(diff(bound))
            graphics::lines(mean(bound) + reach / 2 * cos(half),
                            -plan$arcs * (0.2 + 0.7 * reach) * sin(half),
                            col = grDevices::adjustcolor(
                                link_style[kind, "colour"],
                                if (many) 0.6 else 1
                            ), lty = link_style[kind, "line"],
                            lwd = if (many) 0.8 else 1.3)
        }
    }
    counts <- vapply(links[c("cannot", "must")], nrow, 0L)
    graphics::legend(1, plan$keys, xjust = 1, yjust = 1, horiz = TRUE,
                     bty = "n", cex = 0.75, xpd = NA, lwd = 1.3,
                     lty = link_style$line, col = link_style$colour,
                     legend = link_kinds(counts))
}

# From -2 to 2, below the map, with its ends beside it.
draw_colour_key <- function(top) {
    inch <- data_inches()
    ends <- c("-2 sd", "2 sd")
    gap <- graphics::strwidth(ends[1L], cex = 0.75) + 0.06 * inch[1L]
    left <- graphics::par("usr")[1L] + gap + 0.76 * inch[1L] * (0:40) / 41
    high <- top - 0.08 * inch[2L]
    graphics::rect(left, high - 0.13 * inch[2L], left + 0.76 * inch[1L] / 41,
                   high, border = NA, col = heat_colours, xpd = NA)
    graphics::text(range(left) + c(-0.06, 0.08) * inch[1L],
                   high - 0.065 * inch[2L], ends, adj = c(NA, 0.5), pos = c(2, 4),
                   offset = 0, cex = 0.75, xpd = NA)
}
