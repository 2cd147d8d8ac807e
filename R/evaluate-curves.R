# Curves along rankings: print, summary, plot.

#' Methods for evaluations
#'
#' @param x,object What [evaluate_ranking()] or [evaluate_method()] returned.
#' @param measure `"accuracy"`, `"precision"` or `"recall"`, or `"rmse"`, the
#'   only one where numbers were predicted.
#' @param reference Name of the ranking that the others are compared with; `NULL`
#'   for the one of best mean.
#' @param main,xlab,ylab Titles of the plot.
#' @param row.names,optional Unused.
#' @param ... Graphical parameters for `plot()`, else unused.
#'
#' @return `plot()` and `print()` return their argument, invisibly;
#'   `as.data.frame()` the plain table; `summary()` a data.frame with a row per
#'   ranking: the mean accuracy over all numbers of features, the best accuracy
#'   and the least number of features that reaches it. After
#'   [evaluate_method()], the best ranking first: also `sd` and `se` of the mean
#'   over the runs (splits and draws); `difference`, the mean difference to the
#'   ranking `reference` on the same runs, and its `difference_se`;
#'   `features_1se`, the least number of features whose mean is within one
#'   standard error of the best mean; and `rank_sum` of the mean accuracies.
#'   Runs share samples, so standard errors are too small rather than too large.
#' @examples
#' set.seed(1)
#' half <- split_half(colon$tissue)
#' x <- colon$x[half$train, ]
#' links <- constraints_from_labels(colon$tissue[half$train], 10, 10)
#' found <- evaluate_ranking(relieff_sc(x, links), x,
#'                           colon$tissue[half$train], colon$x[half$test, ],
#'                           colon$tissue[half$test])
#' plot(found, measure = "recall")
#' summary(found)
#' @name ranking_evaluation
NULL

#' @rdname ranking_evaluation
#' @export
print.ranking_evaluation <- function(x, ...) {
    samples <- attr(x, "samples")
    cat("<ranking_evaluation> ", count_noun(nlevels(x$ranking), "ranking"),
        if (!is.null(samples))
            paste0(", ", samples[["train"]], " training and ",
                   samples[["test"]], " test samples"), "\n", sep = "")
    print_accuracies(x, summary(x))
    cat("  plot() draws the curves, as.data.frame() gives all values.\n")
    invisible(x)
}

# A line per ranking: accuracies at some numbers of features, and the best.
print_accuracies <- function(curves, facts) {
    measure <- main_measure(curves)
    shown <- intersect(c(1, 2, 5, 10, 20, 50, 100), curves$features)
    shown <- if (length(shown)) shown else
        unique(range(curves$features))
    show <- function(values) formatC(values, digits = 3L, format = "f")
    # as many as 80 columns hold beside names and best
    names <- shorten(as.character(facts$ranking), 24L)
    most <- (60 - max(nchar(names), 13L)) %/% 7
    if (length(shown) > most) {
        shown <- shown[round(seq(1, length(shown), length.out = most))]
    }
    cells <- vapply(shown, function(count) {
        own <- curves[curves$features == count, ]
        show(own[[measure]][match(facts$ranking, own$ranking)])
    }, character(nrow(facts)))
    table <- cbind(format(c(paste(measure, "with"), names)),
        format(rbind(shown, matrix(cells, nrow(facts))), justify = "right"),
        format(c("best", paste0(show(facts$best), " with ", facts$features)),
               justify = "left"))
    cat(sub(" +$", "", apply(table, 1L, function(row) {
        paste0("  ", paste(row, collapse = "  "))
    })), sep = "\n")
}

#' @rdname ranking_evaluation
#' @exportS3Method
as.data.frame.ranking_evaluation <- function(x, row.names = NULL,
                                             optional = FALSE, ...) {
    attr(x, "samples") <- NULL
    class(x) <- "data.frame"
    x
}

#' @rdname ranking_evaluation
#' @export
summary.ranking_evaluation <- function(object, ...) {
    table <- as.data.frame(object)
    measure <- main_measure(table)
    rows <- lapply(split(table, table$ranking), function(own) {
        best <- best_place(own[[measure]], measure)
        data.frame(ranking = own$ranking[1L], mean = mean(own[[measure]]),
                   best = own[[measure]][best], features = own$features[best])
    })
    out <- do.call(rbind, rows)
    rownames(out) <- NULL
    out
}

# What a table is about: the share that is right, or how far off.
main_measure <- function(table) {
    if (is.null(table$rmse)) "accuracy" else "rmse"
}

best_place <- function(values, measure) {
    if (measure == "rmse") which.min(values) else which.max(values)
}

#' @rdname ranking_evaluation
#' @exportS3Method
plot.ranking_evaluation <- function(x, measure = NULL, main = NULL,
                                    xlab = "Features", ylab = NULL, ...) {
    table <- as.data.frame(x)
    draw_curves(table, check_measure(measure, table), NULL, main, xlab, ylab,
                ...)
    invisible(x)
}

check_measure <- function(measure, table) {
    there <- intersect(c("accuracy", "precision", "recall", "rmse"),
                       names(table))
    if (is.null(measure)) there[1L] else
        check_choice(measure, there, "measure")
}

curve_colours <- c("#1b6ca8", "#b2182b", "#3a7d44", "#8e5ea2", "#d98200",
                   "#444444", "#00808a", "#a0522d", "#c2589a", "#7a7a00")

# Curves of one measure by number of features; `spread`: the name of a column to
# shade around them, or NULL. With more than eight, the legend stands beside the
# picture, in the order of the curves, and curves have marks of their own.
draw_curves <- function(table, measure, spread, main, xlab, ylab, ...) {
    rankings <- levels(table$ranking)
    many <- length(rankings) > 8L
    style <- curve_style(length(rankings))
    # more bands than a few would hide each other
    if (length(rankings) > 4L) spread <- NULL
    width <- if (is.null(spread)) 0 else table[[spread]]
    limits <- range(table[[measure]] - width, table[[measure]] + width,
                    na.rm = TRUE)
    if (is.null(main)) {
        main <- paste(if (measure == "rmse") "Prediction" else
            "Classification", "of test samples")
    }
    if (is.null(ylab)) {
        ylab <- if (measure == "rmse") "Root mean squared error" else
            paste0(toupper(substr(measure, 1L, 1L)), substring(measure, 2L))
    }
    labels <- shorten(rankings, 24L)
    if (many) {
        old <- graphics::par(mar = graphics::par("mar") +
                                 c(0, 0, 0, 1 + 0.5 * max(nchar(labels))))
        on.exit(graphics::par(old))
    }
    graphics::plot(range(table$features), limits, type = "n", main = main,
                   xlab = xlab, ylab = ylab, las = 1, ...)
    parts <- split(table, table$ranking)
    if (!is.null(spread)) {
        for (k in seq_along(parts)) {
            draw_band(parts[[k]], measure, spread, style$colour[k])
        }
    }
    for (k in seq_along(parts)) {
        draw_curve(parts[[k]]$features, parts[[k]][[measure]], style[k, ],
                   many)
    }
    draw_curve_legend(labels, style, many, measure,
                      vapply(parts, function(own) mean(own[[measure]]), 0))
}

curve_style <- function(count) {
    colours <- length(curve_colours)
    data.frame(colour = rep_len(curve_colours, count),
               line = rep(seq_len(6L), each = colours, length.out = count),
               mark = rep_len(c(19, 17, 15, 1, 2, 0, 3, 4, 5, 6, 8, 18, 25),
                              count))
}

# `marked`: about six marks along the curve.
draw_curve <- function(x, y, style, marked) {
    graphics::lines(x, y, type = if (length(x) == 1L) "p" else "l",
                    col = style$colour, lty = style$line, lwd = 2, pch = 19)
    if (marked) {
        at <- unique(round(seq(1, length(x), length.out = 6L)))
        graphics::points(x[at], y[at], col = style$colour, pch = style$mark,
                         bg = style$colour, cex = 0.9)
    }
}

# `means`: of the curves; the highest comes first where there are many.
draw_curve_legend <- function(labels, style, many, measure, means) {
    if (!many) {
        graphics::legend(if (measure == "rmse") "topright" else "bottomright",
                         legend = labels, lwd = 2, col = style$colour,
                         lty = style$line, bty = "n", cex = 0.8)
        return(invisible())
    }
    order <- order(-means)
    edge <- graphics::par("usr")
    graphics::legend(edge[2L], edge[4L], legend = labels[order], lwd = 2,
                     col = style$colour[order], lty = style$line[order],
                     pch = style$mark[order], pt.bg = style$colour[order],
                     bty = "n", cex = 0.75, xpd = NA)
}

draw_band <- function(own, measure, spread, colour) {
    middle <- own[[measure]]
    around <- own[[spread]]
    around[is.na(around)] <- 0
    graphics::polygon(c(own$features, rev(own$features)),
                      c(middle - around, rev(middle + around)), border = NA,
                      col = grDevices::adjustcolor(colour, 0.15))
}
