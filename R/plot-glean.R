#' Plot what glean() found
#'
#' The best features with their three parts side by side, so that you see
#' whether the answers or the structure of the data lead; or the samples with
#' the groups that the answers spread to.
#'
#' @param x What [glean()] returned.
#' @param type `"parts"`, `"samples"`, or `"curve"` for the scores of all
#'   features as [plot.feature_ranking()] draws them.
#' @param n How many of the best features to show.
#' @param main,xlab,ylab,... Graphical parameters, passed on to [plot()].
#'
#' @return `x`, invisibly; for `"samples"` the coordinates, invisibly.
#'
#' @details *Parts.* Each is divided by its largest value over all features; bars
#' to the left are negative, and a part that the answers do not give is left
#' out. Where structure is long and margin and spread are short, the feature
#' follows from the data more than from the answers.
#'
#' *Samples.* The first two components of the space in which neighbours were
#' sought. Colours are groups (grey beyond the eighth, and where no answer
#' reaches), the size of a point its confidence; rings are samples in a pair.
#'
#' @examples
#' x <- log2(colon$x)
#' links <- active_constraints(x, colon$tissue, n = 20)
#' genes <- glean(x, links, scale = "none")
#' plot(genes)
#' plot(genes, type = "samples")
#' @exportS3Method
plot.glean_ranking <- function(x, type = c("parts", "samples", "curve"),
                               n = 20L, main = NULL, xlab = NULL, ylab = NULL,
                               ...) {
    type <- check_choice(type, c("parts", "samples", "curve"), "type")
    n <- check_count(n, "n", 1)
    if (type == "curve") {
        return(plot.feature_ranking(x, n = min(n, 10L), main = main, ...))
    }
    if (type == "samples") {
        return(draw_glean_samples(x, main, xlab, ylab, ...))
    }
    draw_parts(x, n, main, xlab, ylab, ...)
    invisible(x)
}

part_colours <- c(structure = "#1b7837", margin = "#b2182b",
                  spread = "#2166ac")

# Parts as shares of their largest values, those that are there.
part_shares <- function(x) {
    table <- as.data.frame(x)[names(part_colours)]
    most <- vapply(table, max, 0)
    shares <- as.matrix(table[most > 0]) %*% diag(1 / most[most > 0],
                                                  sum(most > 0))
    dimnames(shares) <- list(x$feature, names(part_colours)[most > 0])
    shares
}

draw_parts <- function(x, n, main, xlab, ylab, ...) {
    shares <- utils::head(part_shares(x), n)
    if (ncol(shares) == 0L) {
        abort_linkrank("The ranking must have a part with a positive value ",
                       "to be plotted, but it has none.", class = "argument")
    }
    rows <- nrow(shares)
    parts <- colnames(shares)
    names <- shorten(rownames(shares), 20L)
    inches <- max(graphics::strwidth(names, "inches", cex = 0.8)) + 0.35
    old <- graphics::par(mai = replace(graphics::par("mai"), 2L, inches))
    on.exit(graphics::par(old))
    low <- min(0, shares)
    draw_axes(c(low, 1), c(0.4, rows + 1 + rows / 12),
              if (is.null(main)) "Glean: parts of the best features" else main,
              if (is.null(xlab)) "Share of the part's largest value" else xlab,
              if (is.null(ylab)) "" else ylab,
              list(yaxt = "n", yaxs = "i", bty = "n"), ...)
    graphics::abline(v = 0, col = "grey60")
    graphics::axis(2L, rev(seq_len(rows)), names, las = 1, tick = FALSE,
                   cex.axis = 0.8, line = -0.6)
    thick <- 0.8 / length(parts)
    for (k in seq_along(parts)) {
        top <- rev(seq_len(rows)) + 0.4 - (k - 1) * thick
        graphics::rect(0, top - thick, shares[, k], top, border = NA,
                       col = part_colours[[parts[k]]])
    }
    graphics::legend("top", horiz = TRUE, bty = "n", cex = 0.85,
                     fill = part_colours[parts], border = NA, legend = parts)
}

group_colours <- c("#1b9e77", "#d95f02", "#7570b3", "#e7298a", "#66a61e",
                   "#e6ab02", "#a6761d", "#1f78b4")

draw_glean_samples <- function(x, main, xlab, ylab, ...) {
    info <- attr(x, "info")
    answers <- info$answers
    axes <- answers$axes
    kind <- if (is.numeric(info$parameters$space)) "Component" else "Dimension"
    name <- function(given, i) if (is.null(given)) paste(kind, i) else given
    colour <- group_colours[answers$label]
    colour[is.na(colour) | answers$confidence == 0] <- "grey70"
    given <- answers$confidence == 1
    draw_axes(axes[, 1L], axes[, 2L], if (is.null(main))
        "Glean: what the answers say of the samples" else main,
        name(xlab, 1L), name(ylab, 2L),
        list(ylim = range(axes[, 2L]) + c(0, 0.15) *
                 diff(range(axes[, 2L]))), ...)
    last <- order(answers$confidence)
    graphics::points(axes[last, ], pch = 20, col = colour[last],
                     cex = (0.5 + 1.2 * answers$confidence)[last])
    graphics::points(axes[given, , drop = FALSE], cex = 1.6)
    shown <- seq_len(min(answers$groups, length(group_colours)))
    if (length(shown)) {
        graphics::legend("top", horiz = TRUE, bty = "n", cex = 0.85, pch = 20,
                         col = group_colours[shown],
                         legend = paste("group", shown))
    }
    invisible(axes)
}
