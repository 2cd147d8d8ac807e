# The best features of a ranking in the data.

#' Plot the best features in the data
#'
#' Draws a heat map of the best features, with samples ordered by class and the
#' links marked below, or a dot for each feature and class. Both are readable
#' with thousands of samples.
#'
#' @param x The data, as for [prepare_data()], with the features of the ranking.
#' @param ranking A `feature_ranking`.
#' @param n How many of the best features to show.
#' @param classes Class of each sample, or the name of a column of `colData()`
#'   or `pData()`. Needed for dots.
#' @param constraints Pairs to mark below the heat map, of the samples of `x`;
#'   at most 200 of each kind, evenly selected.
#' @param type `"heat"` or `"dots"`.
#' @param assay.type Which assay of a container: see [prepare_data()].
#' @param main,... The title, and graphical parameters for [title()].
#'
#' @return Invisibly, what is drawn. Heat: a matrix with a row per feature from
#'   top to bottom and a column per sample from left to right, each feature with
#'   mean 0 and standard deviation 1. Dots: a data.frame with a row per feature
#'   and class: `feature`, `class`, `mean` of the standardised values, `share`,
#'   the proportion of samples above 0 (above the feature's median unless the
#'   smallest value shown is 0), `samples`.
#'
#' @details *Heat.* Colours go from -2 (blue) over the mean (light) to 2
#'   standard deviations (red). Samples are ordered by class, and within a class
#'   by the first principal component of the features shown. A class has at
#'   least 3 percent of the width; with more than 600 samples adjacent samples
#'   are averaged. Links are arcs: solid for must-links, dashed for
#'   cannot-links.
#'
#'   *Dots.* The area is the proportion of samples of the class above the level;
#'   the colour is the mean.
#'
#'   A missing value is replaced by the feature's mean. Features are read one by
#'   one; the data are not copied as a whole.
#'
#' @section Errors: `linkrank_error_argument` when `type = "dots"` has no
#'   classes or `x` lacks a feature; `linkrank_error_constraints` for
#'   constraints of other samples.
#'
#' @seealso [plot.feature_ranking()] for the scores
#' @examples
#' set.seed(1)
#' x <- log2(colon$x)
#' links <- constraints_from_labels(colon$tissue, cannot_link = 8,
#'                                  must_link = 5)
#' genes <- relieff_sc(x, links, scale = "none")
#' plot_features(x, genes, classes = colon$tissue, constraints = links)
#' plot_features(x, genes, classes = colon$tissue, type = "dots")
#' @export
plot_features <- function(x, ranking, n = 10L, classes = NULL,
                          constraints = NULL, type = c("heat", "dots"),
                          assay.type = NULL, main = NULL, ...) {
    type <- check_choice(type, c("heat", "dots"), "type")
    view <- feature_view(x, ranking, n, classes, constraints, assay.type)
    if (type == "dots") dots <- class_dots(view)
    count <- length(view$names)
    main <- main %||% paste0(attr(ranking, "info")$label, ": ",
                             if (count == nrow(ranking)) "all " else
                                 "the best ", count_noun(count, "feature"))
    if (type == "dots") {
        draw_dots(dots, view, main, ...)
        return(invisible(dots))
    }
    cells <- scale_cells(view$cells)
    order <- draw_heat(cells, shown_names(view$names), view$classes, view$links,
                       list(main = main, ...))
    invisible(t(cells)[, order, drop = FALSE])
}

# list(names, cells, classes, links): the data of plots of features.
feature_view <- function(x, ranking, n, classes, constraints, assay.type) {
    check_ranking(ranking)
    names <- top_features(ranking, n)
    data <- prepare_data(x, assay.type = assay.type)
    places <- match_features(names, data$features)
    links <- if (!is.null(constraints)) {
        check_constraints(constraints)
        link_pairs(match_constraints(constraints, data), 200L)
    }
    cells <- read_features(data, places)
    dimnames(cells) <- list(data$samples, data$features[places])
    list(names = names, cells = cells,
         classes = view_classes(classes, x, data), links = links,
         samples = data$samples)
}

shown_names <- function(names) {
    shorten(drop_common(names, 16L), 40L)
}

# A row per feature and class.
class_dots <- function(view) {
    classes <- view$classes
    refuse_if(is.null(classes), "`classes` must be given for dots, which show ",
              "a value for each feature and class.")
    cells <- view$cells
    level <- if (min(cells, Inf, na.rm = TRUE) == 0) rep(0, ncol(cells)) else
        apply(cells, 2L, stats::median, na.rm = TRUE)
    count <- as.vector(table(classes))
    known <- !is.na(classes)
    means <- function(values) {
        rowsum(values[known, , drop = FALSE], as.integer(classes)[known]) /
            count
    }
    above <- sweep(cells, 2L, level, ">")
    above[is.na(above)] <- FALSE
    structure(
        data.frame(feature = rep(view$names, each = nlevels(classes)),
                   class = factor(rep(levels(classes), ncol(cells)),
                                  levels(classes)),
                   mean = as.vector(means(scale_cells(cells))),
                   share = as.vector(means(above + 0)),
                   samples = rep(count, ncol(cells))),
        level = if (all(level == 0)) "above 0" else "above the median",
        colour = "mean, sd", limit = 2
    )
}

# `dots`: feature, class, mean (its colour) and share; attributes `level` and
# `colour` name what share and mean are, `rules`: rows with a line below,
# `limit`: where the colours end at the latest.
draw_dots <- function(dots, view, main, ...) {
    rows <- length(view$names)
    classes <- levels(dots$class)
    names <- shown_names(view$names)
    labels <- shorten(classes, 40L)
    line <- graphics::par("csi")
    fin <- graphics::par("fin")
    old <- graphics::par(mai = c(
        min(max(text_inches(labels, 0.8) + 0.6 * line, 1.5 * line),
            0.45 * fin[2L]),
        min(text_inches(names, 0.8) + 0.25, 0.4 * fin[1L]), 2.5 * line,
        max(text_inches(attr(dots, "level"), 0.7) + 0.25, 1.05)))
    on.exit(graphics::par(old))
    graphics::plot.new()
    graphics::plot.window(c(0.4, length(classes) + 0.6), c(0.4, rows + 0.6),
                          xaxs = "i", yaxs = "i")
    graphics::title(main = main, cex.main = title_size(main), ...)
    step <- min(graphics::par("pin") / c(length(classes) + 0.2, rows + 0.2))
    largest <- min(max(step, 0.08), 0.28)
    y <- rows + 1 - match(dots$feature, view$names)
    graphics::segments(0.4, seq_len(rows), length(classes) + 0.6,
                       col = ink(0.12))
    graphics::abline(h = rows + 0.5 - attr(dots, "rules"), col = ink(0.4))
    top <- min(max(abs(dots$mean), 1e-9), attr(dots, "limit"))
    draw_disks(as.integer(dots$class), y, dots$share,
               pmin(pmax(dots$mean / top, -1), 1), largest)
    draw_row_names(names, 0.8)
    flat <- text_inches(labels, 0.8) + 0.1 <
        graphics::par("pin")[1L] / length(classes)
    graphics::axis(1L, seq_along(classes), labels, las = if (flat) 1 else 2,
                   tick = FALSE, line = -0.7, cex.axis = 0.8, gap.axis = -1)
    graphics::box(col = ink(0.4))
    draw_dots_key(attr(dots, "level"), attr(dots, "colour"), top, largest)
}

# `share` is the area of a disk with a diameter of at most `largest` inches,
# `level` its position in the colours from -1 to 1.
draw_disks <- function(x, y, share, level, largest) {
    colour <- heat_colours[round((level + 1) / 2 * 40) + 1]
    width <- 0.5 * largest * sqrt(share)
    graphics::symbols(x, y, circles = pmax(width, 1e-3) * data_inches()[1L],
                      inches = FALSE, bg = colour, fg = ink(0.5), add = TRUE,
                      xpd = NA)
}

# Sizes and colours, beside the dots.
draw_dots_key <- function(level, colour, top, largest) {
    inch <- data_inches()
    step <- max(0.2, largest)
    left <- graphics::par("usr")[2L] + 0.27 * inch[1L]
    down <- function(inches) graphics::par("usr")[4L] - inches * inch[2L]
    heads <- c(0.08, 0.24 + 4 * step)
    rows <- c(heads[1L] + (1:3) * step, heads[2L] + (1:3) * step)
    ends <- formatC(c(-top, 0, top), digits = 2L, width = 1L)
    draw_disks(rep(left, 6L), down(rows), c(0.25, 0.5, 1, 0.5, 0.5, 0.5),
               c(0, 0, 0, -1, 0, 1), largest)
    say <- function(right, inches, text) {
        graphics::text(left + right * inch[1L], down(inches), text,
                       adj = c(0, 0.5), cex = 0.7, xpd = NA)
    }
    say(-0.12, heads, c(level, colour))
    say(0.28, rows, c("25 %", "50 %", "100 %", ends))
}
