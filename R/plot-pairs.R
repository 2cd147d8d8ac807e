# Pictures of pairs and of their margins.

# ==== pairs ===================================================================

# The margin of one feature, pair by pair.

#' Plot the pairs that a feature's margin rests on
#'
#' A row for each cannot-link. On the left the values of its two samples, and of
#' their neighbours; on the right what the pair adds to the margin. Pairs whose
#' samples are far apart, with neighbours close to them, carry the feature.
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
#'   same colour are the neighbours of each that were used. Bars to the right
#'   (filled) speak for the feature, bars to the left (hatched) against it. A
#'   missing value has no mark.
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
    picture <- pair_picture(x, feature, n, classes)
    rows <- picture$rows
    old <- open_pair_picture(picture$style, main %||% picture$title, ...)
    on.exit(graphics::par(old))
    draw_pair_values(picture, xlab)
    margins <- rows$margin
    count <- length(margins)
    y <- rev(seq_len(count))
    graphics::par(mai = c(3.2 * graphics::par("csi"), 0.1, 0.1, 0.15))
    graphics::plot(NA, xlim = window_of(c(0, margins), NULL),
                   ylim = c(0.4, count + 0.6), yaxt = "n", yaxs = "i",
                   xlab = "Margin of the pair", ylab = "")
    for (sign in c(1, -1)) {
        some <- which(margins * sign > 0)
        colour <- link_style[if (sign > 0) "must" else "cannot", "colour"]
        if (length(some)) {
            graphics::rect(0, y[some] - 0.35, margins[some], y[some] + 0.35,
                           col = colour, border = colour,
                           density = if (sign < 0) 25)
        }
    }
    graphics::abline(v = 0, col = ink(0.6))
    invisible(rows)
}

# What is drawn of one feature: list(title, names of the pairs from top to
# bottom, `rows` and `values`, tables of the pairs and of all marks, style).
pair_picture <- function(x, feature, n, classes, name = "x") {
    check_pair_margins(x, name)
    n <- check_count(n, "n")
    column <- if (is.character(feature) && length(feature) == 1L) {
        match(feature, colnames(x))
    } else if (length(feature) == 1L && whole_within(feature, 1, ncol(x))) {
        feature
    } else {
        NA
    }
    refuse_value_if(is.na(column), feature, "`feature` must be one of ",
                    quote_values(colnames(x)), ", or its number")
    rows <- utils::head(order(-abs(x[, column])), n)
    rows <- rows[order(-x[rows, column])]
    pairs <- attr(x, "pairs")[rows, ]
    style <- end_styles(pairs, classes, attr(x, "samples"))
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
         names = paste(shorten(named$i, 40L), shorten(named$j, 40L), sep = " - "),
         style = style,
         values = do.call(rbind, unname(values)),
         rows = data.frame(pair = rownames(x)[rows],
                           margin = unname(x[rows, column]),
                           first = ends$first, second = ends$second))
}

# list(first, second: numbers of styles; labels) of the ends of some pairs.
end_styles <- function(pairs, classes, samples) {
    if (is.null(classes)) {
        count <- nrow(pairs)
        return(list(first = rep(1L, count), second = rep(2L, count),
                    labels = c("first sample", "second sample")))
    }
    classes <- as_class_labels(classes, "classes")
    refuse_if(length(classes) < max(pairs), "`classes` must have one value ",
              "per sample, but it has ", length(classes), " and the pairs are ",
              "of up to ", max(pairs), " samples.")
    if (length(classes) == length(samples)) {
        match_places(classes, samples, "classes")
    }
    shown <- droplevels(classes[c(pairs$i, pairs$j)])
    code <- as.integer(addNA(shown, ifany = TRUE))
    count <- nrow(pairs)
    list(first = code[seq_len(count)], second = code[count + seq_len(count)],
         labels = c(levels(shown), if (anyNA(shown)) "unknown"))
}

# Title and legend above two panels; gives the parameters to go back to.
open_pair_picture <- function(style, main, ...) {
    old <- graphics::par(c("mai", "mgp", "mfrow"))
    labels <- shorten(style$labels, 24L)
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
    key <- top_legend(labels)
    look <- style_of(length(labels))
    graphics::legend("center", legend = key$labels, col = look$colour,
                     pch = look$shape, ncol = key$columns, bty = "n",
                     cex = key$size)
    graphics::par(mgp = c(2, 0.7, 0))
    old
}

# Values of both ends and of their neighbours, a row per pair.
draw_pair_values <- function(picture, xlab) {
    names <- picture$names
    count <- length(names)
    line <- graphics::par("csi")
    most <- 0.5 * graphics::par("fin")[1L]
    size <- min(0.7, 0.7 * most / text_inches(names, 0.7))
    graphics::par(mai = c(3.2 * line, text_inches(names, size) + 0.25, 0.1,
                          0.1))
    marks <- picture$values
    graphics::plot(NA, xlim = window_of(marks$value, NULL),
                   ylim = c(0.4, count + 0.6), yaxt = "n", yaxs = "i",
                   xlab = xlab, ylab = "")
    draw_row_names(names, size)
    graphics::segments(picture$rows$first, rev(seq_len(count)),
                       picture$rows$second, col = ink(0.3))
    marks <- marks[order(marks$end), ]
    look <- style_of(length(picture$style$labels))[marks$code, ]
    graphics::points(marks$value, marks$y, col = look$colour,
                     pch = ifelse(marks$end, look$shape, 1L),
                     cex = ifelse(marks$end, 1, 0.5))
}

# ==== margins =================================================================

# Plots of p-values and of the convergence of margin methods.

# The margin of each feature against -log10 of its p-value: a table for
# draw_volcano() and auto_volcano().
significance_volcano <- function(x, n, alpha) {
    check_significance(x, "`x` must hold")
    columns <- significance_columns(x)
    p_value <- x[[columns$p_value]]
    known <- !is.na(p_value)
    refuse_if(!any(known), "A feature of `x` must have a p-value, but all are ",
              "missing.")
    refuse_if(is.null(x$margin), "`x` must be a ranking with margins and ",
              "p-values, not one by ", attr(x, "info")$label, ".")
    p_value <- p_value[known]
    adjusted <- x[[columns$adjusted]][known]
    structure(data.frame(
        feature = x$feature[known], effect = x$margin[known],
        height = -log10(pmax(p_value, min(p_value[p_value > 0], 1))),
        significant = (adjusted <= alpha) %in% TRUE,
        named = order(order(adjusted, p_value, -x$margin[known])) <= n),
        width = "Margin", height = "-log10 of the p-value",
        words = paste("fdr <=", alpha))
}

draw_significance <- function(x, n, alpha, main, xlab, ylab, ...) {
    table <- significance_volcano(x, n, alpha)
    draw_volcano(table, list(
        main = main %||% paste0(attr(x, "info")$label, ": ",
                                count_noun(nrow(table), "feature")),
        xlab = xlab %||% attr(table, "width"),
        ylab = ylab %||% attr(table, "height")), ...,
        words = attr(table, "words"))
    invisible(x)
}

# The course of an iterative method: curves for draw_curves() and auto_curves(),
# and the titles of the axes. Means of the first few visits would compress the
# rest, and a change of 0 has no logarithm.
convergence_curves <- function(x) {
    info <- attr(x, "info")
    steps <- info$convergence
    refuse_if(is.null(steps) && is.null(info$trace), "`x` must be a ranking by ",
              "irelief(), simba() or simba_sc(), not by ", info$label, ".")
    if (is.null(steps)) {
        visits <- nrow(info$trace)
        late <- which(seq_len(visits) > 0.05 * visits)
        first <- order(-info$starts$margin)
        names <- paste0("start ", first, ": ", formatC(
            info$starts$margin[first], digits = 4L),
            ifelse(info$starts$chosen[first], ", chosen", ""))
        running <- apply(info$trace, 2L, cumsum) / seq_len(visits)
        dim(running) <- dim(info$trace)
        x <- rep(late, length(first))
        y <- as.vector(running[late, first])
        of <- factor(rep(names, each = length(late)), names)
        titles <- c("Visit; beside it the total margin with the final weights",
                    "Mean margin so far")
    } else {
        steps <- steps[steps$change > 0, ]
        refuse_if(!nrow(steps), "The weights of `x` must change to have a ",
                  "course, but they did not.")
        x <- steps$iteration
        y <- steps$change
        of <- factor(rep("", length(y)))
        titles <- c("Iteration", "Change of the weights")
    }
    structure(data.frame(features = x, value = y, low = y, high = y,
                         ranking = of),
              titles = titles, log = if (is.null(steps)) "" else "y",
              tol = info$parameters$tol)
}

draw_convergence <- function(x, main, xlab, ylab, ...) {
    table <- convergence_curves(x)
    titles <- attr(table, "titles")
    draw_curves(split(table, table$ranking), list(
        main = main %||% paste0(attr(x, "info")$label, ": convergence"),
        xlab = xlab %||% titles[1L], ylab = ylab %||% titles[2L]),
        list(log = attr(table, "log")), ...)
    graphics::abline(h = attr(table, "tol"), lty = 2, col = ink(0.5))
    invisible(x)
}
