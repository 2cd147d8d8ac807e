#' Plot a ranking
#'
#' Draws the ordered scores of all features, with the names of the best
#' features, the elbow after which further features add little, and the features
#' that are significant after adjustment; or the margins against their p-values;
#' or the course of an iterative method.
#'
#' @param x A `feature_ranking`; for `"significance"` one with margins and
#'   p-values: of [stir()], or of [relieff_sc()], [relief_sc()] and [fcrsc()]
#'   with `permutations`; for `"convergence"` one by [irelief()], [simba()] or
#'   [simba_sc()].
#' @param type `"scores"`, `"significance"` or `"convergence"`.
#' @param n How many of the best features to name; for `"significance"` those of
#'   the smallest adjusted p-values.
#' @param alpha Level at which an adjusted p-value counts as significant. A
#'   ranking without p-values has no such marks, and giving `alpha` is an error.
#' @param main,xlab,ylab,... Graphical parameters, passed on to [plot()]: `log =
#'   ""` gives a linear axis of ranks for many features as well, `xlim` and
#'   `ylim` zoom in.
#'
#' @return `x`, invisibly.
#'
#' @details *Scores.* The vertical axis is the column that orders the ranking,
#'   such as the
#' margin; from 501 features on the axis of ranks is logarithmic. The elbow
#' is the last point before the one farthest below the straight line between the
#' first feature and the last one with a positive value: use it as a guide, not
#' as a rule. Names are drawn beside the data, without their common prefix and
#' suffix. When not all requested names fit, the last line counts the others.
#' When several best features have the same score, the plot says how many.
#'
#' *Significance.* The margin of each feature against -log10 of its p-value:
#' features on the right separate the groups widely, features at the top
#' separate them consistently. Features that are significant after adjustment
#' are filled triangles, the others open circles. p-values by permutation are
#' drawn where there are any. The smallest is then 1 / (permutations + 1), so
#' many features may stand side by side at the top. Features without a p-value
#' are left out; p-values of 0 are drawn at the smallest positive one.
#'
#' *Convergence.* For [irelief()], the change of the weights in each iteration.
#' For [simba()] and [simba_sc()], the running mean of the margins of the visits
#' of each start and, beside it, the total margin of all samples with its final
#' weights. The start with the largest total margin, drawn solid, is chosen,
#' even if its curve is not the highest. More iterations or starts are needed
#' when curves still rise or fall at the end, or when the starts give different
#' margins.
#'
#' @section Errors: `linkrank_error_argument` when the ranking has no p-values,
#'   or no course, to draw.
#'
#' @examples
#' x <- log2(colon$x)
#' set.seed(1)
#' links <- constraints_from_labels(colon$tissue, cannot_link = 10,
#'                                  must_link = 0)
#' plot(relieff_sc(x, links))
#' plot(stir(x, colon$tissue, k = 1), type = "significance")
#' plot(irelief(iris[, 1:4], iris$Species, sigma = 0.5), type = "convergence")
#' @exportS3Method
plot.feature_ranking <- function(
    x, type = c("scores", "significance", "convergence"), n = 10L, alpha = 0.05,
    main = NULL, xlab = NULL, ylab = NULL, ...) {
    check_ranking(x, "x")
    type <- check_plot_type(type, c("scores", "significance", "convergence"))
    drawn <- c("n", "alpha")
    refuse_unused("type", type, list(scores = drawn, significance = drawn))
    n <- check_count(n, "n", 0)
    alpha_given <- !missing(alpha)
    alpha <- check_number(alpha, "alpha", 0, 1)
    if (type == "convergence") {
        return(draw_convergence(x, main, xlab, ylab, ...))
    }
    if (type == "significance") {
        return(draw_significance(x, n, alpha, main, xlab, ylab, ...))
    }
    if (alpha_given) check_significance(x, "`alpha` needs")
    draw_scores(x, n, alpha, main, xlab, ylab, ...)
}

# Data, which plots of pairs and graphs take here, are for another function.
check_plot_type <- function(type, types) {
    refuse_if(length(dim(type)) == 2L, "`plot()` of a ranking takes no data: ",
              "plot_features(x, ranking) draws its features in the data `x`.")
    check_choice(type, types, "type")
}

draw_scores <- function(x, n, alpha, main, xlab, ylab, ...) {
    info <- attr(x, "info")
    shown <- scored_features(x, info)
    settings <- list(log = if (nrow(shown) > many_features) "x" else "")
    settings <- utils::modifyList(settings, list(...))
    titles <- list(
        main = main %||% paste0(info$label, ": ",
                                count_noun(nrow(x), "feature")),
        xlab = xlab %||% if (grepl("x", settings$log)) "Rank (log scale)" else
            "Rank",
        ylab = ylab %||% paste0(capitalise(info$key),
                                if (info$direction == "lower")
                                    ", lower is better"))
    # the best feature is always at the top
    if (info$direction == "lower" && is.null(settings$ylim)) {
        settings$ylim <- rev(window_of(shown$value, NULL))
    }
    # Only visible points are named.
    table <- utils::head(shown, n)
    inside <- function(values, limits) {
        is.null(limits) |
            values >= min(limits, Inf) & values <= max(limits, -Inf)
    }
    best <- table[inside(table$rank, settings$xlim) &
                      inside(table$value, settings$ylim), ]
    names <- fit_names(best$feature)
    adjusted <- adjusted_p_values(shown)
    key <- significance_key(
        (adjusted %||% rep(NA, nrow(shown)) <= alpha) %in% TRUE,
        if (!is.null(adjusted)) paste("adjusted p <=", alpha), names$inches)
    window <- draw_axes(shown$rank, shown$value, titles, settings,
                        reserved = c(names$inches, key$inches), whole = TRUE)
    draw_ranking(shown, key)
    draw_side_names(names, best$rank, best$value, max(window$x))
    note_below(ties_note(x, info), right = TRUE)
    invisible(x)
}

# The features with a score, which is `value`, best first.
scored_features <- function(x, info) {
    shown <- as.data.frame(x)[order(x$rank), ]
    shown$value <- shown[[info$key]]
    shown <- shown[is.finite(shown$value), ]
    refuse_if(!nrow(shown), "The ranking must hold a finite ", info$key, " to ",
              "be plotted, but it has none.")
    shown
}

# With more features the first few would be compressed at the edge.
many_features <- 500L

# Which features are significant, and a legend; `words`: what that is, NULL where
# there is no test.
significance_key <- function(significant, words, taken) {
    if (is.null(words)) return(list(significant = significant, inches = 0))
    counts <- c(sum(significant), sum(!significant))
    fitted <- top_legend(paste0(c(words, "others"), " (", counts, ")"), taken)
    c(list(significant = significant), fitted)
}

# Filled if significant, open if not; without a test all are the same.
draw_ranking <- function(shown, key) {
    if (min(shown$value) < 0) {
        graphics::abline(h = 0, col = ink(0.3))
    }
    place <- elbow(shown$value)
    if (!is.na(place)) {
        at <- shown$rank[place]
        graphics::abline(v = at, lty = 2, col = ink(0.5))
        graphics::mtext(paste("elbow:", at), side = 3, at = at, cex = 0.8,
                        col = ink(0.75), line = 0.1)
    }
    draw_tested(shown$rank, shown$value, key)
}

significance_style <- function(tested = TRUE) {
    data.frame(colour = c(ink(0.7), colours[["vermillion"]]),
               shape = c(if (tested) 1L else 19L, 17L), size = c(0.5, 0.75))
}

# The few significant ones are drawn last, over the others.
draw_tested <- function(x, y, key) {
    tested <- !is.null(key$labels)
    style <- significance_style(tested)
    for (kind in c(FALSE, TRUE)) {
        rows <- which(key$significant == kind)
        mark <- style[kind + 1L, ]
        graphics::points(x[rows], y[rows], pch = mark$shape, cex = mark$size,
                         col = mark$colour)
    }
    if (tested) {
        draw_top_legend(key, pch = rev(style$shape), col = rev(style$colour),
                        pt.cex = rev(style$size))
    }
}
