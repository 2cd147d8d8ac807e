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

# The margin of each feature against -log10 of its p-value.
draw_significance <- function(x, n, alpha, main, xlab, ylab, ...) {
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
    table <- data.frame(
        feature = x$feature[known], difference = x$margin[known],
        height = -log10(pmax(p_value, min(p_value[p_value > 0], 1))),
        significant = (adjusted <= alpha) %in% TRUE,
        named = order(order(adjusted, p_value, -x$margin[known])) <= n)
    draw_volcano(table, list(
        main = main %||% paste0(attr(x, "info")$label, ": ",
                                count_noun(nrow(table), "feature")),
        xlab = xlab %||% "Margin", ylab = ylab %||% "-log10 of the p-value"),
        ..., words = paste("adjusted p <=", alpha))
    invisible(x)
}

draw_convergence <- function(x, main, xlab, ylab, ...) {
    info <- attr(x, "info")
    main <- main %||% paste0(info$label, ": convergence")
    if (!is.null(info$convergence)) {
        draw_changes(info, main, xlab, ylab, ...)
    } else if (!is.null(info$trace)) {
        draw_traces(info, main, xlab, ylab, ...)
    } else {
        abort_linkrank("`x` must be a ranking by irelief(), simba() or ",
                       "simba_sc(), not by ", info$label, ".")
    }
    invisible(x)
}

draw_changes <- function(info, main, xlab, ylab, ...) {
    steps <- info$convergence
    moved <- steps$change > 0
    if (any(moved)) {
        steps <- steps[moved, ]
    } else {
        # 0 has no logarithm: a text in the middle replaces the curve
        steps$change <- 1
    }
    tol <- info$parameters$tol
    draw_axes(steps$iteration, c(steps$change, if (tol > 0) tol),
              list(main = main, xlab = xlab %||% "Iteration",
                   ylab = ylab %||% "Change of the weights"),
              list(log = "y"), ..., whole = TRUE)
    if (!any(moved)) {
        graphics::text(mean(graphics::par("usr")[1:2]), 1,
                       "The weights did not change.")
    } else {
        graphics::lines(steps$iteration, steps$change, type = "b", pch = 20)
    }
    if (tol > 0) {
        graphics::abline(h = tol, lty = 2, col = ink(0.5))
        graphics::mtext(paste("tol:", tol), side = 4, at = tol, cex = 0.8,
                        col = ink(0.75), line = 0.1)
    }
}

# The chosen start has the largest margin under its final weights, which the
# running mean of the visits does not show; it is written beside the curves.
draw_traces <- function(info, main, xlab, ylab, ...) {
    visits <- seq_len(nrow(info$trace))
    running <- apply(info$trace, 2L, cumsum) / visits
    dim(running) <- dim(info$trace)
    starts <- info$starts
    order <- order(-starts$margin)
    names <- fit_names(paste0(
        "start ", order, ": ", formatC(starts$margin[order], digits = 4L),
        ifelse(starts$chosen[order], ", chosen", "")), whole = TRUE)
    # means of the first few visits would compress the rest
    settled <- running[visits > 0.05 * length(visits), , drop = FALSE]
    window <- draw_axes(visits, settled, list(
        main = main, xlab = xlab %||% "Visit",
        ylab = ylab %||% "Mean margin so far"), ...,
        reserved = c(names$inches, 0.1), whole = TRUE)
    draw_courses(visits, running, starts$chosen, window)
    # lines to the names in the colours of the curves
    draw_side_names(names, rep(length(visits), length(order)),
                    running[length(visits), order], max(window$x),
                    ifelse(starts$chosen[order], colours[["vermillion"]],
                           ink(0.35)))
    graphics::mtext("total margin with the final weights", 3L, 0.2, adj = 1,
                    cex = 0.75, col = ink(0.75))
}

# Values outside the window are cut, because the first visits vary widely.
draw_courses <- function(visits, running, chosen, window) {
    inside <- running >= min(window$y) & running <= max(window$y)
    running[!inside] <- NA
    for (start in order(chosen)) {
        graphics::lines(visits, running[, start],
                        lwd = if (chosen[start]) 2.2 else 1,
                        lty = if (chosen[start]) 1 else 2,
                        col = if (chosen[start]) colours[["vermillion"]] else
                            ink(0.5))
    }
}
