# Pictures of glean().

#' Plot a ranking by glean()
#'
#' Draws the best features with their four parts, or the samples with the groups
#' of the propagated labels.
#'
#' @param x What [glean()] returned.
#' @param type `"parts"`, `"samples"`, or a type of [plot.feature_ranking()], as
#'   `"scores"`.
#' @param y The data, for `"curve"`.
#' @param n How many of the best features to show.
#' @param main,xlab,ylab,... Graphical parameters, passed on to [plot()].
#'
#' @return `x`, invisibly; for `"samples"` the coordinates, invisibly.
#'
#' @details *Parts.* Each is divided by its largest value over all features;
#' bars to the left are negative, and a part that the answers do not define is
#' left out. Where structure is long and the others short, the data rank the
#' feature more than the answers.
#'
#' *Samples.* The axes are the first two components of the space in which
#' neighbours were computed, that of the last round. Colours and shapes are
#' groups (grey for samples that are not connected to an answered pair), the
#' size of a point is its confidence; rings are samples in a pair.
#'
#' @examples
#' x <- log2(colon$x)
#' links <- active_constraints(x, colon$tissue, n = 20)
#' genes <- glean(x, links, scale = "none")
#' plot(genes)
#' plot(genes, type = "samples")
#' @exportS3Method
plot.glean_ranking <- function(x, type = c("parts", "samples", "scores",
                                        "significance", "convergence", "curve"),
                               y = NULL, n = 20L, main = NULL, xlab = NULL,
                               ylab = NULL, ...) {
    type <- check_plot_type(type, c("parts", "samples", ranking_plots))
    if (type %in% ranking_plots) return(NextMethod())
    refuse_unused("type", type, list(parts = "n"))
    n <- check_count(n, "n", 1)
    if (type == "samples") {
        draw(glean_picture(x), main, xlab, ylab, ...)
        return(invisible(attr(x, "info")$answers$axes))
    }
    draw(parts_picture(x, n), main, xlab, ylab, ...)
    invisible(x)
}

# Existing parts of the best features, relative to the largest values among all
# that were ranked.
relative_parts <- function(x, n = nrow(x)) {
    most <- attr(check_ranking(x, "x"), "info")$answers$largest
    lacking <- setdiff(part_names, names(x))
    refuse_if(length(lacking), "`x` must have the columns that glean() gave, ",
              "but it has no ", quote_values(lacking), ".")
    most <- most[most > 0]
    table <- utils::head(as.data.frame(x), n)
    relative <- as.matrix(table[names(most)]) %*% diag(1 / most, length(most))
    refuse_if(!length(relative), "The ranking must have a part with a ",
              "positive value to be plotted, but it has none.")
    dimnames(relative) <- list(table$feature, names(most))
    relative
}

# A column of bars for each part, names on the left.
parts_picture <- function(x, n) {
    # a bar far to the left would leave no space for the others
    relative <- pmax(relative_parts(x, n), -1)
    left <- -pmin(0, apply(relative, 2L, min))
    zero <- cumsum(left + c(0, rep(1.25, ncol(relative) - 1L)))
    rows <- rev(seq_len(nrow(relative)))
    style <- part_style[rep(colnames(relative), each = length(rows)), ]
    from <- rep(zero, each = length(rows))
    to <- from + as.vector(relative)
    picture(
        titles_are("Glean: parts of the best features",
                   "Fraction of the part's largest value", ""),
        list(boxes = data.frame(
                 xmin = pmin(from, to), xmax = pmax(from, to),
                 ymin = rows - 0.38, ymax = rows + 0.38, style),
             segments = data.frame(x = zero, xend = zero, y = 0.5,
                                   yend = max(rows) + 0.5, shade = 0.6)),
        rows = shown_names(rownames(relative)),
        x_ticks = data.frame(at = as.vector(outer(c(0, 0.5, 1), zero, "+")),
                             label = c("0", "", "1")),
        heads = data.frame(at = zero + 0.5, label = colnames(relative)),
        settings = list(xaxt = "n", yaxt = "n")
    )
}

# Samples in their groups, the surest last; rings are samples in a pair.
glean_picture <- function(x) {
    samples <- glean_samples(x)
    samples <- samples[order(samples$confidence), ]
    levels(samples$group) <- sprintf("group %s", levels(samples$group))
    places <- samples[c("x", "y")]
    info <- attr(x, "info")
    kind <- if (is.numeric(info$parameters$space)) "Component" else "Dimension"
    rings <- places[samples$confidence == 1, ]
    picture(
        titles_are("Glean: groups of the samples by the answers",
                   paste(kind, 1), paste(kind, 2)),
        list(points = cbind(places, of = codes_of(samples$group),
                            size = (0.4 + 0.7 * samples$confidence) *
                                point_size(nrow(samples))),
             points = if (nrow(rings)) cbind(rings, shape = 1L, size = 1.6)),
        styles = class_styles(samples$group, "not reached", Inf),
        note = "the larger, the surer"
    )
}

# A row per sample: x, y, group (NA: not reached) and confidence.
glean_samples <- function(x) {
    answers <- attr(x, "info")$answers
    reached <- !is.na(answers$label) & answers$confidence > 0
    data.frame(x = answers$axes[, 1L], y = answers$axes[, 2L],
               group = factor(ifelse(reached, answers$label, NA),
                              seq_len(answers$groups), answers$group_names),
               confidence = answers$confidence)
}
