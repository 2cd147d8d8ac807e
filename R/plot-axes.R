# Axes, labels and colours that all pictures share.

# ==== pictures ================================================================

# What plot() and autoplot() draw is one value: draw() draws it by graphics,
# as_ggplot() makes a ggplot object of it. Its parts:
#
# titles    list(main, xlab, ylab)
# layers    tables, drawn in this order, each named by its kind: points, lines,
#           bands, boxes, segments, labels (at their places), down and across
#           (lines through the whole plot). Columns: x, y, xend, yend, xmin,
#           xmax, ymin, ymax, xintercept, yintercept, label; `of`, a row of
#           `styles`, or `shade`, the strength of ink; and, if they differ from
#           these, colour, shape, line, size, width, density and fill
# styles    a row for each of several kinds: label, colour, shape, line, and
#           where the `legend` has it: "top", "side", "names" (beside the data
#           in draw(), in the legend in as_ggplot()), or "" for none
# names     a table of names beside the data: x, y, label and maybe `of`; if
#           `whole_names`, with what they have in common
# settings  of plot(): log, xlim, ylim and the like
# rows      names of rows from top to bottom, the last one at y = 1; columns:
#           of columns, the first one at x = 1
# ticks     of the vertical axis; x_ticks and heads: tables of what is written
#           below and above the other one, at and label
# note      a line for a corner
# whole     whole numbers on the horizontal axis?
picture <- function(titles, layers, ...) {
    list(titles = titles, layers = Filter(NROW, layers), ...)
}

titles_are <- function(main, xlab, ylab) {
    list(main = main, xlab = xlab, ylab = ylab)
}

# A table that a picture is made of, and the titles of the picture.
titled <- function(table, main, xlab, ylab, ...) {
    structure(table, titles = titles_are(main, xlab, ylab), ...)
}

# Draws a picture(); the dots are graphical parameters.
draw <- function(picture, main = NULL, xlab = NULL, ylab = NULL, ...) {
    settings <- utils::modifyList(picture$settings %||% list(), list(...))
    styles <- picture$styles
    names <- visible_names(picture$names, settings)
    fitted <- fit_names(names$label, whole = isTRUE(picture$whole_names))
    side <- styles[styles$legend == "side", ]
    above <- styles[styles$legend == "top", ]
    side_key <- side_legend(side$label)
    taken <- fitted$inches + side_key$inches + max(0, 0.05 * side$size)
    top_key <- if (NROW(above)) top_legend(above$label, taken)
    if (!is.null(picture$rows)) {
        old <- graphics::par("mai")
        on.exit(graphics::par(mai = old))
        graphics::par(mai = replace(old, 2L, name_margin(2L, picture$rows)))
        width <- graphics::par("pin")[1L] - taken
        flat <- width / length(picture$columns) >
            text_inches(picture$columns, 0.8) + 0.1
        if (!flat) graphics::par(mai = replace(
            graphics::par("mai"), 1L, name_margin(1L, picture$columns)))
    }
    window <- draw_axes(
        in_layers(picture, c("x", "xend", "xmin", "xmax")),
        in_layers(picture, c("y", "yend", "ymin", "ymax")),
        utils::modifyList(picture$titles, Filter(
            Negate(is.null), titles_are(main, xlab, ylab))), settings,
        c(taken, top_key$inches %||% 0), isTRUE(picture$whole)
    )
    for (k in seq_along(picture$layers))
        draw_layer(names(picture$layers)[k], picture$layers[[k]], styles)
    if (NROW(above)) {
        draw_legend("topleft", top_key, above, text.width = max(
            graphics::strwidth(above$label, cex = top_key$size)))
    }
    if (NROW(side)) draw_legend("topright", side_key, side, x.intersp = 0.7)
    draw_side_names(fitted, names$x, names$y, max(window$x),
                    styles$colour[names$of])
    if (!is.null(picture$ticks)) graphics::axis(2L, picture$ticks)
    draw_names(2L, rev(picture$rows))
    draw_names(1L, picture$columns, flat)
    if (!is.null(picture$x_ticks))
        graphics::axis(1L, picture$x_ticks$at, picture$x_ticks$label)
    if (!is.null(picture$heads)) {
        graphics::axis(3L, picture$heads$at, picture$heads$label, tick = FALSE,
                       line = -0.8, font = 2L, cex.axis = 0.9, gap.axis = -1)
    }
    note_below(picture$note, right = TRUE)
}

# The values of some columns of all layers.
in_layers <- function(picture, columns) {
    unlist(lapply(picture$layers, function(layer) {
        layer[intersect(columns, names(layer))]
    }), use.names = FALSE)
}

# Only visible points are named.
visible_names <- function(names, settings) {
    inside <- function(values, limits) {
        is.null(limits) |
            values >= min(limits, Inf) & values <= max(limits, -Inf)
    }
    names[inside(names$x, settings$xlim) & inside(names$y, settings$ylim), ]
}

# A layer with its colours, shapes, line types and sizes.
layer_looks <- function(layer, styles) {
    looks <- if (is.null(layer$shade) && !is.null(layer$of)) {
        styles[layer$of, c("colour", "shape", "line")]
    } else {
        list(colour = ink(layer$shade %||% 1), shape = 19L, line = 1L)
    }
    do.call(data.frame, utils::modifyList(c(looks, size = 1, width = 1,
                                            density = -1, fill = NA),
                                          as.list(layer)))
}

draw_layer <- function(kind, layer, styles) {
    shown <- layer_looks(layer, styles)
    each <- function(draw_one) {
        for (one in split(shown, shown$of %||% rep(1L, nrow(shown))))
            draw_one(one)
    }
    switch(kind,
        points = graphics::points(shown$x, shown$y, pch = shown$shape,
                                  col = shown$colour, bg = shown$fill,
                                  cex = shown$size),
        lines = each(function(one) graphics::lines(
            one$x, one$y, col = one$colour[1L], lty = one$line[1L],
            lwd = one$width[1L])),
        bands = each(function(one) graphics::polygon(
            c(one$x, rev(one$x)), c(one$ymin, rev(one$ymax)), border = NA,
            col = grDevices::adjustcolor(one$colour[1L], 0.15))),
        boxes = for (one in split(shown, shown$density)) graphics::rect(
            one$xmin, one$ymin, one$xmax, one$ymax, col = one$colour,
            border = if (one$density[1L] < 0) NA else one$colour,
            density = one$density[1L]),
        segments = graphics::segments(
            shown$x, shown$y, shown$xend, shown$yend, col = shown$colour,
            lty = shown$line, lwd = shown$width),
        labels = place_labels(shown$label, as.matrix(shown[c("x", "y")]),
                              matrix(0, 0L, 2L), shown$size[1L], halo = TRUE),
        down = {
            graphics::abline(v = shown$xintercept, col = shown$colour,
                             lty = shown$line)
            graphics::mtext(shown$label %||% "", 3L, 0.1, cex = 0.8,
                            at = shown$xintercept, col = shown$colour)
        },
        across = graphics::abline(h = shown$yintercept, col = shown$colour,
                                  lty = shown$line))
}

# ==== axes and labels =========================================================

# Axes with space beside the data for names and legends, which therefore never
# cover the data or exceed the plot. The space is part of the plot region, so
# later additions, such as abline(), use the same axes.

# An empty plot. `titles`: main, xlab and ylab. `reserved`: inches left free on
# the right and above. `whole`: only whole numbers on the horizontal axis.
draw_axes <- function(x, y, titles, settings, reserved, whole) {
    unused <- intersect(c("type", "n", "alpha"), names(settings))
    refuse_if(length(unused), "`", unused[1L], "` must be left out, because ",
              "the plot sets it or does not use it.")
    logs <- strsplit(settings$log %||% "", "")[[1L]]
    windows <- list(x = window_of(x, settings$xlim),
                    y = window_of(y, settings$ylim))
    for (side in 1:2) {
        axis <- c("x", "y")[side]
        settings[[paste0(axis, "lim")]] <- extend_limits(
            windows[[axis]], reserved[side], graphics::par("pin")[side],
            axis %in% logs)
    }
    asked <- settings[c("axes", "xaxt", "yaxt", "las", "cex.axis")]
    settings[c("axes", "xaxt", "yaxt")] <- NULL
    settings$cex.main <- settings$cex.main %||% title_size(titles$main)
    do.call(graphics::plot, c(
        list(NA, type = "n", xaxs = "i", yaxs = "i", axes = FALSE), titles,
        settings[setdiff(names(settings), c("xaxs", "yaxs"))]
    ))
    if (!isFALSE(asked$axes)) {
        draw_scales(windows, asked, whole)
        graphics::box()
    }
    invisible(windows)
}

# A title in the usual size, or smaller if it does not fit. It is centred on the
# plot region, which is not the centre of the device.
title_size <- function(title, usual = graphics::par("cex.main")) {
    sides <- graphics::par("mai")[c(2L, 4L)]
    available <- graphics::par("pin")[1L] + 2 * min(sides)
    min(usual, usual * 0.97 * available /
            max(text_inches(title, usual, 2L), 0.01))
}

window_of <- function(values, limits) {
    if (!is.null(limits)) return(limits)
    limits <- range(values, finite = TRUE)
    if (limits[1L] == limits[2L]) {
        # one value: in the middle
        limits <- limits + c(-1, 1) * max(abs(limits[1L]), 1e-300) * 0.4
        if (all(limits == 0)) limits <- c(-1, 1)
    }
    limits
}

# The limits with 4 percent around and `inches` of `available` beyond the end.
extend_limits <- function(limits, inches, available, log) {
    if (log) limits <- log10(limits)
    fraction <- min(inches / max(available, 0.1), 0.6)
    span <- diff(limits)
    limits <- limits + c(-0.04, 0.04) * span
    limits[2L] <- limits[1L] + 1.08 * span / (1 - fraction)
    if (log) 10^limits else limits
}

# Ticks only in the range of the data; labels as wide as the margin allows.
draw_scales <- function(windows, asked, whole) {
    for (side in 1:2) {
        window <- range(windows[[side]])
        slack <- 1e-6 * diff(window)
        ticks <- graphics::axTicks(side)
        ticks <- ticks[ticks >= window[1L] - slack &
                           ticks <= window[2L] + slack]
        if (side == 1L && whole) {
            ticks <- unique(c(if (window[1L] == 1) 1, ticks))
            ticks <- ticks[ticks == round(ticks)]
        }
        if (identical(asked[[c("xaxt", "yaxt")[side]]], "n") ||
            !length(ticks)) {
            next
        }
        labels <- format_ticks(ticks)
        wide <- max(graphics::strwidth(labels, "inches"))
        size <- asked$cex.axis %||% if (side == 1L) 1 else
            max(0.6, min(1, 1.7 * graphics::par("csi") / wide))
        graphics::axis(side, ticks, labels, cex.axis = size,
                       las = asked$las %||% 1)
    }
}

format_ticks <- function(ticks) {
    if (max(ticks) > 1000 * min(ticks) && min(ticks) > 0) {
        # for a logarithmic axis: each value separately
        return(formatC(ticks, digits = 6L, width = 1L, format = "g"))
    }
    largest <- max(abs(ticks))
    if (largest >= 1e5 || largest < 1e-3) return(format(ticks, trim = TRUE))
    format(ticks, trim = TRUE, scientific = FALSE)
}

# ---- names beside the data --------------------------------------------------

# Names at 1, 2, ... below the data or on their left, no larger than the rows
# and the margin.
draw_names <- function(side, names, flat = side == 2L) {
    if (is.null(names)) return(invisible())
    count <- length(names)
    size <- if (side == 1L && flat) 0.8 else 0.8 * min(
        1, (graphics::par("mai")[side] - 0.25) / text_inches(names, 0.8),
        0.95 * graphics::par("pin")[side] / count / graphics::par("csi") / 0.8)
    graphics::axis(side, seq_len(count), names, tick = FALSE, cex.axis = size,
                   las = if (flat) 1 else 2, gap.axis = -1,
                   line = 0.3 - graphics::par("mgp")[2L])
}

# The margin of a side: as wide as the names need, but not more than some of the
# figure.
name_margin <- function(side, names) {
    if (is.null(names)) return(graphics::par("mai")[side])
    min(text_inches(names, 0.8) + 0.25, 0.4 * graphics::par("fin")[3L - side])
}

# How much of the horizontal and of the vertical axis an inch takes.
data_inches <- function() {
    diff(matrix(graphics::par("usr"), 2L))[1L, ] / graphics::par("pin")
}

line_inches <- function(size) {
    1.25 * size * graphics::par("csi")
}

# Fits names into a column beside the data: list(names, size, more, inches,
# dropped). Unless they are `whole`, the common prefix and suffix are removed
# first, as described by `dropped`; names that do not fit into the height at the
# smallest size are counted in `more`.
fit_names <- function(names, size = 0.75, whole = FALSE, smallest = 0.5) {
    dropped <- if (!whole) dropped_note(names)
    names <- shorten(if (whole) names else drop_common(names), 40L)
    height <- graphics::par("pin")[2L]
    size <- max(smallest, min(size, size * height /
                                  (length(names) * line_inches(size))))
    lines <- max(1, floor(height / line_inches(size)))
    more <- max(0, length(names) - lines)
    if (more > 0L) {
        more <- more + 1
        names <- c(utils::head(names, lines - 1L), paste("and", more, "more"))
    }
    # a very long name gets smaller letters before it is shortened
    widest <- 0.45 * graphics::par("pin")[1L]
    wide <- text_inches(names, size)
    if (wide > widest) {
        size <- max(smallest, size * widest / wide)
        most <- floor(max(nchar(names, type = "width")) * widest /
                          text_inches(names, size))
        names <- shorten_shown(names, max(most, 8))
    }
    list(names = names, size = size, more = more, dropped = dropped,
         inches = if (length(names)) text_inches(names, size) + 0.35 else 0)
}

# A line in the corner below the horizontal axis.
note_below <- function(text, right = FALSE) {
    if (!is.null(text)) {
        graphics::mtext(text, 1L, graphics::par("mar")[1L] - 1.2,
                        adj = if (right) 1 else 0, cex = 0.7, col = ink(0.75))
    }
}

text_inches <- function(text, size, font = 1L) {
    max(graphics::strwidth(text, "inches", cex = size, font = font), 0)
}

# Names in the free column on the right, each with a line to its point (x, y):
# horizontal to the edge of the data, then to the name.
draw_side_names <- function(fitted, x, y, edge, colour = NULL) {
    # more names than fit are counted in the last one
    count <- length(fitted$names)
    if (count == 0L) return(invisible())
    x <- utils::head(x, count)
    y <- utils::head(y, count)
    if (!length(colour)) colour <- rep(ink(0.3), count)
    usr <- graphics::par("usr")
    inch <- data_inches()
    across <- if (graphics::par("xlog")) function(at) 10^at else identity
    start <- (if (graphics::par("xlog")) log10(edge) else edge) +
        0.02 * diff(usr[1:2])
    gap <- line_inches(fitted$size) * abs(inch[2L])
    # downwards in the plot, also on a reversed axis
    sign <- if (usr[3L] > usr[4L]) -1 else 1
    at <- if (graphics::par("ylog")) {
        10^separate_places(log10(y), gap, usr[3:4])
    } else {
        sign * separate_places(sign * y, gap, sign * usr[3:4])
    }
    points <- seq_len(count - (fitted$more > 0))
    graphics::segments(x[points], y[points], across(start), y[points],
                       col = colour[points], lwd = 0.7)
    graphics::segments(across(start), y[points],
                       across(start + 0.18 * inch[1L]), at[points],
                       col = colour[points], lwd = 0.7)
    graphics::text(across(start + 0.2 * inch[1L]), at, fitted$names,
                   adj = c(0, 0.5), cex = fitted$size, xpd = NA)
    note_below(fitted$dropped)
}

# Positions with a distance of at least `gap`, in the order of `y`, as near to
# it as possible (least squares by isotonic regression) and within the limits.
separate_places <- function(y, gap, limits) {
    count <- length(y)
    down <- order(-y)
    steps <- gap * seq_len(count)
    level <- -stats::isoreg(-(y[down] + steps))$yf
    limits <- sort(limits) + c(0.5, -0.5) * gap
    level <- pmax(pmin(level, limits[2L] + gap), limits[1L] + count * gap)
    places <- numeric(count)
    places[down] <- level - steps
    places
}

# ---- legends ----------------------------------------------------------------

# Rows that a legend above the data takes, and its inches; `taken`: inches on
# the right that are used by names or another legend.
top_legend <- function(labels, taken = 0, size = 0.85, smallest = 0.55) {
    available <- graphics::par("pin")[1L] - taken
    # all columns are as wide as the widest
    needed <- function(size) {
        (text_inches(labels, size) + 0.55 * size) * length(labels) + 0.1
    }
    size <- max(smallest, min(size, size * available / needed(size)))
    columns <- max(1, min(length(labels), floor(
        available * length(labels) / needed(size) + 1e-9)))
    rows <- ceiling(length(labels) / columns)
    list(labels = labels, size = size, columns = columns,
         inches = (rows + 0.6) * line_inches(size))
}

draw_legend <- function(place, fitted, styles, x.intersp = 1, ...) {
    # where nothing has a mark, no space for one
    marks <- Filter(function(mark) !all(is.na(mark)), list(
        pch = styles$shape, pt.bg = styles$fill, pt.cex = styles$size))
    do.call(graphics::legend, c(list(
        place, legend = fitted$labels, ncol = fitted$columns, bty = "n",
        cex = fitted$size, lty = styles$line, col = styles$colour, xpd = NA,
        seg.len = 1.6, y.intersp = max(1, 0.5 * styles$size),
        x.intersp = max(x.intersp, 0.35 * styles$size), ...), marks))
}

# A complete legend on the right of the data, in as many columns as needed.
side_legend <- function(labels, size = 0.8, smallest = 0.45) {
    labels <- shorten(drop_common(labels, 24L), 32L)
    rows <- function(size) {
        max(1, floor(graphics::par("pin")[2L] / line_inches(size)) - 1)
    }
    width <- function(size) {
        ceiling(length(labels) / rows(size)) *
            (text_inches(labels, size) + 0.4 * size) + 0.1
    }
    while (size > smallest && width(size) > 0.4 * graphics::par("pin")[1L])
        size <- size - 0.05
    list(labels = labels, size = size,
         columns = ceiling(length(labels) / rows(size)),
         inches = if (length(labels)) width(size) else 0)
}

# ==== colours =================================================================

# All colours of the plots. No information is shown by colour alone: shape, fill
# or line type differs as well.

# Six colours of Okabe and Ito (2008), which differ with protan and deutan sight
# too; their yellow and black would be invisible on white or black paper.
colours <- c(blue = "#0072B2", vermillion = "#D55E00", green = "#009E73",
             purple = "#CC79A7", orange = "#E69F00", sky = "#56B4E9")

# Six more for more classes: each as far as possible in CIE Lab from those
# before it, and clear of white and of black paper.
more_colours <- c("#6A00B1", "#9BD93A", "#574418", "#F2BB97", "#8F0D1C",
                  "#9281F1")

most_colours <- length(colours) + length(more_colours)

link_style <- data.frame(colour = colours[c("vermillion", "blue")],
                         line = c(2L, 1L), row.names = c("cannot", "must"))

# Answers.
agreement_style <- data.frame(
    colour = c(colours[c("blue", "vermillion")], "grey50"),
    shape = c(19L, 0L, 4L), line = 1:3,
    row.names = c("must-link", "cannot-link", "unsure")
)

# Bars of glean()'s parts: filled, open and hatched (lines per inch).
part_style <- data.frame(colour = colours[c("green", "vermillion", "blue",
                                            "orange")],
                         density = c(-1, 0, 60, 25),
                         row.names = c("structure", "margin", "spread",
                                       "contrast"))

# From low to high, light in the middle.
heat_colours <- grDevices::hcl.colors(41L, "Blue-Red 3")

# A style for each of `count` classes or curves. The lengths of the cycles have
# no common divisor, so a combination of colour and shape repeats after 84
# classes, of colour and line type after 60 curves; adjacent ones differ in all
# of them.
style_of <- function(count) {
    cycle <- c(unname(colours), if (count > 6L) more_colours)
    data.frame(colour = rep_len(cycle, count),
               shape = rep_len(c(19L, 17L, 15L, 1L, 2L, 0L, 8L), count),
               line = rep_len(c(1L, 5L, 2L, 4L, 3L), count))
}

# Grey, from the background (0) to the foreground (1) of the device, because
# plots may be light on dark. A transparent background is derived from the
# foreground.
ink <- function(strength) {
    front <- grDevices::col2rgb(graphics::par("fg"))
    paper <- graphics::par("bg")
    back <- if (grDevices::col2rgb(paper, alpha = TRUE)[4L] > 0) {
        grDevices::col2rgb(paper)
    } else if (mean(front) > 127) {
        front * 0
    } else {
        front * 0 + 255
    }
    shades <- front %*% t(strength) + back %*% t(1 - strength)
    grDevices::rgb(shades[1L, ], shades[2L, ], shades[3L, ],
                   maxColorValue = 255)
}
