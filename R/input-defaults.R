# The distances that methods offer. Defaults that depend on the data: `scale =
# NULL`, `assay.type = NULL`, and the warnings about counts and intensities that
# were not logged. They are decided only here.

# All distances. `metric`: the number of C (lr_metric in src/lr.h) by which
# neighbour_space() has them; `title`: the name in texts.
distance_table <- data.frame(
    metric = c(0L, 1L, 1L), title = c("Manhattan", "Euclidean", "correlation"),
    row.names = c("manhattan", "euclidean", "correlation")
)

# What methods offer, the default first: for margins, graphs and questions; and
# the one distance in a space of coordinates.
margin_distances <- rownames(distance_table)
graph_distances <- margin_distances[c(2L, 1L, 3L)]
question_distances <- margin_distances[c(2L, 3L)]
space_distance <- graph_distances[1L]

feature_scales <- c("range", "zscore", "balanced", "none")

# The features of a Bioconductor container have the same unit, which scaling by
# the range would undo: a gene detected in three cells would get the weight of a
# marker. In other data two-valued features and short codes would lead every
# ranking, because they spread most.
# `rule`: "data", or what a method that was published with a default of its own
# does: "published", by range where the features have no unit in common;
# "range", where a width is absolute; "zscore", where it is part of the
# equation.
decide_scale <- function(data, rule = "data", scale = data$settings$scale) {
    if (!is.null(scale)) return(scale)
    if (rule %in% c("range", "zscore")) return(rule)
    if (isTRUE(data$one_unit)) return("none")
    if (rule == "published") "range" else "balanced"
}

# The number of the chosen assay. `names`: those of the assays, or NULL;
# `preferred`: a name that is used besides "logcounts".
decide_assay <- function(assay.type, names, count, preferred = character()) {
    if (count == 0L) abort_linkrank("`x` must have an assay, but it has none.",
                                    class = "input")
    if (!is.null(assay.type)) {
        if (is.character(assay.type) && length(assay.type) == 1L) {
            refuse_if(!assay.type %in% names, "`assay.type` is ",
                      describe_value(assay.type), ", but `x` ", "has ",
                      describe_assays(names, count), ".")
            return(match(assay.type, names))
        }
        return(check_count(assay.type, "assay.type", 1, count))
    }
    wanted <- intersect(c("logcounts", preferred), names)
    if (length(wanted)) return(match(wanted[1L], names))
    refuse_if(count > 1L, "`assay.type` must name the assay of `x` to use, ",
              "which has ", describe_assays(names, count), ".")
    1L
}

describe_assays <- function(names, count) {
    if (!length(names))
        return(paste(count_noun(count, "assay"), "without names"))
    paste(if (count > 1L) "the assays" else "the assay", quote_values(names))
}

# `whole`: are all cells known to be whole numbers, or not? NULL: not known.
warn_unlogged <- function(data, whole = NULL) {
    one_unit <- isTRUE(data$one_unit) || holds_sparse(data)
    most <- max(data$maximum)
    if (one_unit && most > 50 && min(data$minimum) >= 0 &&
            holds_whole_numbers(data, whole)) {
        warn_linkrank("`x` contains raw counts (up to ", show_number(most),
                      "), so a few features or the sequencing depth would ",
                      "dominate: log-normalise first (\"logcounts\" of a ",
                      "SingleCellExperiment).", class = c("counts", "unlogged"))
    } else if (are_unlogged_intensities(data$minimum, data$maximum, one_unit)) {
        least <- min(data$minimum)
        warn_linkrank("`x` seems to contain intensities that were not logged ",
                      "(up to ", show_number(signif(most, 3)), "), so large ",
                      "ones would dominate: take log2(", if (least > 0) "x)."
                      else if (least == 0 && holds_whole_numbers(data))
                          "1 + x), as they are whole." else
                              "pmax(x, 10)), as some are not positive.",
                      class = c("intensities", "unlogged"))
    }
}

# Raw counts are recognised in containers and sparse matrices only, because
# whole numbers elsewhere may be codes or pixels. Values up to 50 may be codes
# in these as well.
# Unlogged intensities span orders of magnitude between many features of one
# unit. Other tables do not: pixels and spectra have like features, codes small
# ones, a table of several units has small features beside a few large ones, and
# principal components and other centred values are as often negative.
# Logarithms of intensities stay far below 100. Checked on 39 data sets: only
# the four with raw intensities are named.
are_unlogged_intensities <- function(minimum, maximum, one_unit) {
    least <- if (one_unit) 100 else 1000
    if (length(maximum) < 100 || max(maximum) <= least) return(FALSE)
    level <- stats::quantile(maximum, c(.1, .5, .9), names = FALSE)
    centred <- stats::median(minimum) < -level[2L] / 2
    !centred && level[3L] >= 5 * level[1L] && (one_unit || level[2L] > 50)
}

# A call that reads parts of its data repeatedly warns once.
warn_once <- function(code, said = character()) {
    state <- list2env(list(said = said))
    once <- function(condition) {
        kinds <- class(condition)
        if (any(kinds %in% state$said)) muffle(condition)
        assign("said", c(state$said, kinds[1L]), state)
    }
    withCallingHandlers(code, linkrank_warning_unlogged = once,
                        linkrank_message_block = once,
                        linkrank_message_pairs = once)
}

muffle <- function(condition) {
    tryInvokeRestart(if (inherits(condition, "message")) "muffleMessage" else
        "muffleWarning")
}

# The extremes of features with fractions nearly always have fractions too, so
# all values are checked only if the extremes are whole numbers.
holds_whole_numbers <- function(data, known = NULL, cells_at_once = 2^22) {
    whole <- function(values) all(values == floor(values), na.rm = TRUE)
    if (!whole(data$maximum) || !whole(data$minimum)) return(FALSE)
    if (!is.null(known)) return(known)
    if (holds_sparse(data)) return(whole(data$values@x))
    step <- data$block %||% max(1, floor(cells_at_once / data$n))
    for (first in seq(1, data$p, by = step)) {
        last <- min(first + step - 1, data$p)
        if (!whole(.Call(C_read_features, data, as.integer(first:last))))
            return(FALSE)
    }
    TRUE
}
