# The picture of the pairs that the margin of a feature rests on.

# ==== pairs ===================================================================

# The margin of one feature, pair by pair.

#' Plot the pairs that a feature's margin rests on
#'
#' A row for each cannot-link: on the left the values of its two samples and of
#' their neighbours, on the right what the pair adds to the margin.
#'
#' @param x What [pair_margins()] returned.
#' @param feature Which feature: its name, or the number of a column of `x`.
#' @param n How many pairs to draw, those with the largest margins of either
#'   sign.
#' @param classes A class per sample, for the colours of the two ends; `NULL`
#'   colours the first and the second sample of each pair as they were given.
#' @param main,xlab,... The title, the title of the left axis, and graphical
#'   parameters for [title()].
#'
#' @return Invisibly, what is drawn: a data.frame with the pairs from top to
#'   bottom, `pair`, `margin`, `first` and `second` (the values of the two
#'   ends).
#'
#' @details Large marks are the two samples of the pair, small open ones of the
#'   same colour their neighbours. Bars to the right (filled) speak for the
#'   feature, to the left (hatched) against it. A missing value has no mark.
#'
#' @examples
#' x <- log2(colon$x)
#' set.seed(1)
#' links <- constraints_from_labels(colon$tissue, cannot_link = 10,
#'                                  must_link = 0)
#' genes <- top_features(relieff_sc(x, links), 2)
#' plot(pair_margins(x, links, genes), genes[1],
#'      classes = colon$tissue)
#' @exportS3Method
plot.pair_margins <- function(x, feature = 1L, n = 30L, classes = NULL,
                              main = NULL, xlab = "Value", ...) {
    pairs <- shown_pairs(x, feature, n, classes)
    panels <- pair_panels(pairs)
    old <- open_pair_picture(panels$values$styles, main %||% pairs$title, ...)
    on.exit(graphics::par(old))
    graphics::par(mai = c(3.2 * graphics::par("csi"), 0.1, 0.1, 0.1))
    draw(panels$values, xlab = xlab)
    draw(panels$margins)
    invisible(pairs$rows)
}

# What is drawn of one feature: list(title, names of the pairs from top to
# bottom, `rows` and `values`, tables of the pairs and of all marks, style).
shown_pairs <- function(x, feature, n, classes, name = "x") {
    check_pair_margins(x, name)
    n <- check_count(n, "n")
    column <- if (is.character(feature)) match(feature, colnames(x)) else
        feature
    refuse_value_if(length(column) != 1L || !whole_within(column, 1, ncol(x)),
                    feature, "`feature` must be one of ",
                    quote_values(colnames(x)), ", or its number")
    rows <- utils::head(order(-abs(x[, column])), n)
    rows <- rows[order(-x[rows, column])]
    pairs <- attr(x, "pairs")[rows, ]
    style <- end_styles(pairs, classes, attr(x, "samples"), attr(x, "n"))
    y <- rev(seq_along(rows))
    named <- lapply(pairs[c("i", "j")], show_samples, attr(x, "samples"))
    ends <- lapply(attr(x, "ends"), function(end) unname(end[rows, column]))
    values <- lapply(c(first = "first", second = "second"), function(side) {
        near <- lapply(attr(x, "hits")[[side]][rows],
                       function(cells) cells[, column])
        shift <- if (side == "first") 0.2 else -0.2
        count <- lengths(near)
        data.frame(value = c(unlist(near), ends[[side]]),
                   y = c(rep(y + shift, count), y),
                   code = c(rep(style[[side]], count), style[[side]]),
                   end = rep(c(FALSE, TRUE), c(sum(count), length(rows))))
    })
    list(title = paste0(shorten(colnames(x)[column], 30L), ": ", if (length(
             rows) < nrow(x)) paste0(length(rows), " of "),
             count_noun(nrow(x), "cannot-link")),
         names = paste(shorten(named$i, 40L), "-", shorten(named$j, 40L)),
         style = style,
         values = do.call(rbind, unname(values)),
         rows = data.frame(pair = rownames(x)[rows],
                           margin = unname(x[rows, column]),
                           first = ends$first, second = ends$second))
}

# list(first, second: numbers of styles; labels) of the ends of some pairs.
end_styles <- function(pairs, classes, samples, n) {
    count <- nrow(pairs)
    if (is.null(classes)) return(list(
        first = rep(1L, count), second = rep(2L, count),
        labels = c("first sample", "second sample")))
    classes <- as_class_labels(classes, "classes")
    refuse_if(length(classes) != n, "`classes` must have one value per sample,
              but it has {length(classes)} and the pairs are of {n} samples.")
    classes <- match_places(classes, samples, "classes")
    drawn <- droplevels(classes[c(pairs$i, pairs$j)])
    code <- as.integer(addNA(drawn, ifany = TRUE))
    list(first = code[seq_len(count)], second = code[count + seq_len(count)],
         labels = c(levels(drawn), if (anyNA(drawn)) "unknown"))
}

# Title and legend above two panels; gives the parameters to go back to.
open_pair_picture <- function(styles, main, ...) {
    old <- graphics::par(c("mai", "mgp", "mfrow"))
    labels <- shorten(styles$label, 24L)
    line <- graphics::par("csi")
    # about as many rows as the legend will take: text has no width before a
    # page is there
    wide <- 0.5 * line * length(labels) * (max(nchar(labels)) + 4)
    rows <- ceiling(wide / (graphics::par("din")[1L] - 0.4))
    graphics::layout(matrix(c(1L, 1L, 2L, 3L), 2L, byrow = TRUE),
                     widths = c(1.7, 1),
                     heights = c(graphics::lcm(2.54 * line * (2.4 + rows)), 1))
    graphics::par(mai = c(0, 0.2, 2 * line, 0.2))
    graphics::plot.new()
    graphics::title(main = main, line = 0.6, cex.main = title_size(main), ...)
    draw_legend("center", top_legend(labels), styles)
    graphics::par(mgp = c(2, 0.7, 0))
    old
}

# A row per pair: the values of its ends and of their neighbours, and its
# margin.
pair_panels <- function(pairs) {
    rows <- pairs$rows
    y <- rev(seq_len(nrow(rows)))
    marks <- data.frame(x = pairs$values$value, y = pairs$values$y,
                        of = pairs$values$code)
    end <- pairs$values$end
    near <- marks[!end, ]
    near[c("shape", "size")] <- rep(c(1, 0.5), each = nrow(near))
    labels <- pairs$style$labels
    against <- rows$margin < 0
    settings <- list(ylim = c(0.4, length(y) + 0.6), yaxt = "n")
    list(
        values = picture(
            titles_are("", "Value", ""),
            list(segments = data.frame(x = rows$first, y, xend = rows$second,
                                       yend = y, shade = 0.3),
                 points = near, points = marks[end, ]),
            styles = cbind(label = labels, style_of(length(labels))[1:2],
                           line = 0L, legend = "names"),
            rows = pairs$names, settings = settings),
        margins = picture(
            titles_are("", "Margin of the pair", ""),
            list(boxes = data.frame(
                     xmin = pmin(rows$margin, 0), xmax = pmax(rows$margin, 0),
                     ymin = y - 0.35, ymax = y + 0.35,
                     colour = link_style$colour[2L - against],
                     density = ifelse(against, 25, -1)),
                 down = data.frame(xintercept = 0, shade = 0.6)),
            settings = settings)
    )
}
