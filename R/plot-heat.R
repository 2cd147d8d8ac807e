# Heat maps and dots of features in samples or groups.

# ==== heat maps ===============================================================

# Heat maps: features in rows, samples in columns.

# Cells with mean 0 and standard deviation 1 in each column; 0 if missing or
# constant.
scale_cells <- function(cells) {
    cells <- scale(cells)
    cells[!is.finite(cells)] <- 0
    attributes(cells)[c("scaled:center", "scaled:scale")] <- NULL
    cells
}

# The class of each sample; all are of class "" where there are no classes.
heat_groups <- function(view) {
    addNA(view$classes %||% factor(rep("", nrow(view$cells))), ifany = TRUE)
}

# Samples by group, and within a group by the first component of the features
# shown, which needs no distances between all pairs of samples.
sample_order <- function(cells, groups) {
    along <- svd(cells, nu = 1L, nv = 1L)
    sign <- if (sum(along$v) < 0) -1 else 1
    order(groups, sign * along$u[, 1L])
}

# Positions from 0 to 1, in order: list(left, right, size) of each group, and
# `middle` of each sample. A small group keeps a visible width; there is a gap
# between groups.
heat_columns <- function(groups, least = 0.03, gap = 0.006) {
    size <- rle(as.integer(groups))$lengths
    width <- pmax(size / length(groups), least)
    width <- width / sum(width) * (1 - gap * (length(size) - 1))
    left <- cumsum(c(0, width + gap))[seq_along(width)]
    list(left = left, right = left + width, size = size,
         middle = rep(left, size) +
             rep(width / size, size) * (sequence(size) - 0.5))
}

# The plot. `cells`: samples x features; `names`: of the rows; `links`:
# list(must, cannot) of pairs, or NULL. Gives the order of the samples.
draw_heat <- function(cells, names, groups, links, titles) {
    order <- sample_order(cells, groups)
    columns <- heat_columns(groups[order])
    codes <- sort(unique(as.integer(groups)))
    labels <- levels(groups)[codes]
    labels <- shorten(ifelse(is.na(labels), "unknown", labels), 40L)
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
    available <- graphics::par("mai")[2L] - 0.1
    size <- min(0.8, 0.8 * available / text_inches(names, 0.8),
                0.9 * graphics::par("pin")[2L] / plan$rows / line)
    graphics::mtext(names, 2L, 0.3, las = 1, at = plan$rows:1 - 0.5, cex = size)
    if (!identical(labels, ""))
        draw_heat_groups(labels, codes, columns, plan)
    draw_heat_links(links, order, columns, plan)
    draw_colour_key(-plan$arcs)
    do.call(graphics::title, utils::modifyList(
        list(line = graphics::par("mar")[3L] - 1.4,
             cex.main = title_size(titles$main)), titles))
    invisible(order)
}

heat_labels_fit <- function(labels, columns) {
    available <- (columns$right - columns$left) * graphics::par("pin")[1L]
    all(graphics::strwidth(labels, "inches", cex = 0.75) + 0.1 <= available)
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
    list(rows = rows, inch = inch, arcs = arcs * inch)
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
    last <- cumsum(columns$size)
    for (g in seq_along(last)) {
        rows <- seq(to = last[g], length.out = columns$size[g])
        width <- columns$right[g] - columns$left[g]
        means <- average_runs(cells[rows, , drop = FALSE],
                              max(1, ceiling(most * width)))
        level <- round((means + 2) / 4 * (length(heat_colours) - 1)) + 1
        image <- t(matrix(heat_colours[level], nrow(means)))
        graphics::rasterImage(image, columns$left[g], 0, columns$right[g],
                              ncol(cells), interpolate = FALSE)
    }
}

draw_heat_groups <- function(labels, codes, columns, plan) {
    colour <- style_of(max(codes))$colour[codes]
    low <- plan$rows + 0.04 * plan$inch
    graphics::rect(columns$left, low, columns$right, low + 0.08 * plan$inch,
                   col = colour, border = NA, xpd = NA)
    flat <- heat_labels_fit(labels, columns)
    graphics::text((columns$left + columns$right) / 2, low + 0.14 * plan$inch,
                   labels, adj = if (flat) c(0.5, 0) else c(0, 0.5),
                   srt = if (flat) 0 else 90, cex = 0.75, xpd = NA)
}

# An arc below the map between the two samples of a link.
draw_heat_links <- function(links, order, columns, plan) {
    if (is.null(links)) return(invisible())
    place <- numeric(length(order))
    place[order] <- columns$middle
    half <- seq(0, pi, length.out = 41L)
    counts <- vapply(links, nrow, 0L)
    ends <- do.call(rbind, links)
    style <- link_style[rep(1:2, counts), ]
    # many arcs are thin and let each other through
    many <- nrow(ends) > 12L
    for (row in seq_len(nrow(ends))) {
        bound <- place[ends[row, ]]
        reach <- abs(diff(bound))
        graphics::lines(mean(bound) + reach / 2 * cos(half),
                        -plan$arcs * (0.2 + 0.7 * reach) * sin(half),
                        col = grDevices::adjustcolor(style$colour[row],
                                                     if (many) 0.6 else 1),
                        lty = style$line[row], lwd = if (many) 0.8 else 1.3)
    }
    graphics::legend(1, -plan$arcs, xjust = 1, yjust = 1, horiz = TRUE,
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
                   high - 0.065 * inch[2L], ends, adj = c(NA, 0.5),
                   pos = c(2, 4), offset = 0, cex = 0.75, xpd = NA)
}

# ==== markers =================================================================

# Markers of groups: a dot for each feature and group, or differences against
# p-values.

#' Plot the markers of groups
#'
#' Dots: a row per marker, a column per group, a dot for each: the larger, the
#' more samples of the group have a value above 0; the colour shows the
#' difference to the other groups. Volcano: the difference of every feature
#' against -log10 of its `fdr`, a panel for each group.
#'
#' @param x What [group_markers()] returned, for dots with the rows of all
#'   features that are drawn.
#' @param type `"dots"` or `"volcano"`.
#' @param n How many of the best markers of each group to draw as dots, or of
#'   the highest points to name.
#' @param group For a volcano: names of the groups to draw; `NULL` for all.
#' @param alpha For a volcano: features of at most this `fdr` are marked.
#' @param main,... The title, of a volcano one for each group, and graphical
#'   parameters, for dots those of [title()].
#'
#' @return Invisibly, a data.frame with a row per feature and group. Dots:
#'   `feature`, `of` (the group whose marker it is), `group`, `detected` and
#'   `difference`. Volcano: `group`, `feature`, `effect`, `height`,
#'   `significant` and `named`.
#'
#' @details In dots red is higher in the group than in the others, blue is
#'   lower. A feature that is best in several groups has one row.
#'
#' In a volcano `effect` is `difference` where all features have one unit, else
#' `cohen_d`. Height, mark and name go by `fdr`: triangles are features of at
#' most `alpha`, of which the highest are named. An `fdr` of 0 is drawn at the
#' smallest positive one. Markers without p-values are drawn by the size of
#' `statistic`, and none is marked.
#'
#' @seealso [plot_features()] for single samples.
#' @examples
#' types <- iris$Species
#' markers <- group_markers(as.matrix(iris[1:4]), types)
#' plot(markers, n = 2)
#' plot(group_markers(log2(colon$x), colon$tissue), type = "volcano",
#'      group = "tumour")
#' @exportS3Method
plot.group_markers <- function(x, type = c("dots", "volcano"), n = 5L,
                               group = NULL, alpha = 0.05, main = NULL, ...) {
    check_markers(x)
    type <- check_choice(type)
    refuse_unused("type", type, list(volcano = c("group", "alpha")))
    n <- check_count(n, "n", if (type == "dots") 1 else 0)
    if (type == "volcano")
        return(draw_volcanoes(marker_volcano(x, n, group, alpha), main, ...))
    dots <- marker_dots(x, n)
    draw_dots(dots_table(dots, n), main, ...)
    invisible(dots)
}

# The best of each group, each feature once, in all groups.
marker_dots <- function(x, n, name = "x") {
    check_columns(x, "detected", name, "group_markers()")
    best <- top_features(x, n)
    chosen <- data.frame(feature = unlist(best, use.names = FALSE),
                         of = rep(names(best), lengths(best)))
    chosen <- chosen[!duplicated(chosen$feature), ]
    at <- match(as.character(x$feature), chosen$feature)
    rows <- which(!is.na(at))
    # groups may have been made text
    group <- factor(x$group, groups_of(x))
    rows <- rows[order(at[rows], group[rows])]
    data.frame(feature = as.character(x$feature)[rows],
               of = factor(chosen$of[at[rows]], names(best)),
               group = group[rows], detected = x$detected[rows],
               difference = x$difference[rows])
}

# The same as a table for draw_dots().
dots_table <- function(dots, n) {
    of <- dots$of[!duplicated(dots$feature)]
    known <- dots[!is.na(dots$detected) & !is.na(dots$difference), ]
    titled(data.frame(feature = known$feature, class = known$group,
                      mean = known$difference, share = known$detected),
           paste("The best", if (n == 1) "marker" else paste(n, "markers"),
                 "of each group"), "", "",
           features = unique(dots$feature), level = "above 0",
           colour = "difference", rules = which(diff(as.integer(of)) != 0))
}

# A row per group and feature, in order of rank: group, feature, effect, height,
# significant and named; the attribute `words` says what the marks are, NULL for
# no legend.
marker_volcano <- function(x, n, group, alpha, name = "x") {
    alpha <- check_number(alpha, "alpha", 0, 1)
    groups <- groups_of(x)
    lacking <- setdiff(as_names(group), groups)
    refuse_if(length(lacking), "`group` must be among ",
              quote_values(groups), ", not ", quote_values(lacking), ".")
    if (!is.null(group)) groups <- intersect(groups, as_names(group))
    rows <- unlist(lapply(groups, rows_of, markers = x))
    table <- as.data.frame(x)[rows, ]
    column <- intersect(c("fdr", "statistic"), names(table))[1L]
    height <- abs(table[[column]])
    if (column == "fdr")
        height <- -log10(pmax(height, min(height[height > 0], 1, na.rm = TRUE)))
    # differences of features of different units cannot be drawn on one axis;
    # equal heights, as those of no significance, by the size of the difference
    effect <- attr(x, "info")$order %||% "difference"
    check_columns(x, effect, name, "group_markers()")
    first <- order(table$group, -height, -abs(table[[effect]]))
    significant <- (table[["fdr"]] %||% Inf <= alpha) %in% TRUE
    drawn <- data.frame(
        group = factor(table$group, groups), feature = table$feature,
        effect = table[[effect]], height, significant,
        named = stats::ave(order(first), table$group, FUN = rank) <= n &
            (significant | column != "fdr")
    )[is.finite(height), ]
    refuse_if(!nrow(drawn), "`x` must have a finite ", column, " to be drawn, ",
              "but it has none.")
    words <- c(difference = "Difference", cohen_d = "Cohen's d",
               fdr = "-log10 of the fdr", statistic = "Size of the statistic")
    titled(drawn, NULL, words[[effect]], words[[column]],
           words = if (column == "fdr") paste("fdr <=", alpha))
}

draw_volcanoes <- function(table, main, ...) {
    groups <- levels(table$group)
    titles <- rep_len(main %||% shorten(groups, 30L), length(groups))
    if (length(groups) > 1L) {
        old <- graphics::par(mfrow = rev(grDevices::n2mfrow(length(groups))),
                             mar = c(3.2, 3.6, 2.2, 0.6), mgp = c(2.1, 0.7, 0))
        on.exit(graphics::par(old))
    }
    for (k in seq_along(groups))
        draw(volcano(table, which(table$group == groups[k])), titles[k], ...)
    invisible(table)
}

volcano <- function(table, rows = seq_len(nrow(table))) {
    shown <- table[rows, ]
    places <- cbind(x = shown$effect, y = shown$height, shown["feature"],
                    # each group in a panel of its own
                    shown[intersect("group", names(shown))])
    tested <- tested_points(places, shown$significant, attr(table, "words"))
    named <- places[shown$named, ]
    picture(attr(table, "titles"),
            list(down = data.frame(xintercept = 0, shade = 0.3),
                 points = tested$points),
            styles = tested$styles, names = cbind(named, label = named$feature))
}
