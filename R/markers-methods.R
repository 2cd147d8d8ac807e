# print, [, top_features, marker_lists and annotation of markers.

#' Look at the markers of groups
#'
#' Methods for what [group_markers()] returns, a data.frame with a row per group
#' and feature.
#'
#' @param x,ranking What [group_markers()] returned.
#' @param n How many of the best markers of each group.
#' @param group The name of one group; `NULL` for all of them.
#' @param alpha Only markers whose `fdr` is at most this. `summary()` counts
#'   them: `found`, and `higher` in the group.
#' @param markers,object What [group_markers()] returned.
#' @param parm Names of features; without it all rows.
#' @param level The share of intervals that hold the true difference.
#' @param selected Were the features picked by these markers, as the best are?
#'   Then the level of each interval is 1 - (1 - `level`) k / m for k of the m
#'   rows of all groups, so that on average at most 1 - `level` of the intervals
#'   miss (Benjamini and Yekutieli 2005). `FALSE` is for features that were
#'   chosen beforehand.
#' @param column Which column the vectors hold, one of numbers; `NULL` for whole
#'   tables.
#' @param i,j,drop As for a data.frame. Without `group`, `rank`, `feature`,
#'   `difference` and `statistic`, or bound by `rbind()`, the result is a plain
#'   data.frame.
#' @param row.names,optional,... As for [as.data.frame()]; unused.
#'
#' @return `print()` says what the p-values rest on. `top_features()` gives the
#'   names of the best markers of a group, or a list of them by group.
#'   `confint()` gives intervals of `difference`, by the t even of markers
#'   tested by permutations: a data.frame with `group`, `feature`, `difference`,
#'   `lower` and `upper`. With `block` they are those of the additive model.
#'   `marker_lists()` gives a list by group: vectors named by feature, largest
#'   value first, equal ones in order of rank, as gene-set tests take them; with
#'   `column = NULL` data.frames, best marker first, for
#'   `openxlsx::write.xlsx()`.
#'
#' @references Benjamini, Y. and Yekutieli, D. (2005). *Journal of the American
#'   Statistical Association*, 100, 71-81. \doi{10.1198/016214504000001907}
#'
#' @examples
#' markers <- group_markers(log2(colon$x), colon$tissue)
#' print(markers, n = 3)
#' top_features(markers, 5, group = "tumour")
#' markers[markers$group == "tumour" & markers$difference < -1, ]
#'
#' confint(markers, top_features(markers, 2, group = "tumour"))
#'
#' # signed statistics, as fgsea takes them, or as here the competitive test of
#' # limma; genes of a set vary together, so its p-values order the sets only
#' up <- marker_lists(markers)$tumour
#' head(up)
#' if (requireNamespace("limma", quietly = TRUE)) {
#'     sets <- list(first = names(up)[1:40], last = names(up)[1901:1940])
#'     limma::cameraPR(up, limma::ids2indices(sets, names(up)))
#' }
#' @name group_markers-methods
NULL

check_markers <- function(markers, name = "x") {
    refuse_class_if(!inherits(markers, "group_markers"), markers, "`", name,
                    "` must be what group_markers() returned")
    check_undamaged(markers_problem(markers), name, "group_markers()")
    markers
}

markers_problem <- function(markers) {
    info <- attr(markers, "info")
    if (!is.data.frame(markers) || !is.list(info) ||
        !all(marker_keys %in% names(markers))) {
        return("it lacks columns or the description of the groups")
    }
    if (!all(vapply(unclass(markers), NROW, 0L) == nrow(markers)))
        return("its columns are not of one length")
    code <- match(as.character(markers$group), info$groups)
    if (anyNA(code)) return("it contains a group that was not compared")
    feature <- match(markers$feature, markers$feature)
    version_problem(info$made_by) %||%
        if (anyDuplicated(feature + as.numeric(nrow(markers)) * code))
            "it contains a feature twice in a group"
}

marker_keys <- c("group", "rank", "feature", "difference", "statistic")

# The groups that are there, in order.
groups_of <- function(markers) {
    intersect(attr(markers, "info")$groups, unique(as.character(markers$group)))
}

rows_of <- function(markers, group) {
    rows <- which(markers$group == group)
    rows[order(markers$rank[rows])]
}

#' @rdname group_markers-methods
#' @export
summary.group_markers <- function(object, alpha = 0.05, ...) {
    check_dots_empty(...)
    groups <- groups_of(check_markers(object, "object"))
    alpha <- check_number(alpha, "alpha", 0, 1)
    fdr <- object[["fdr"]]
    # without tests NA
    count <- function(some) if (is.null(fdr)) rep(NA_integer_, length(groups))
        else tabulate(match(object$group[some], groups), length(groups))
    found <- (fdr <= alpha) %in% TRUE
    data.frame(group = groups, found = count(found),
               higher = count(found & object$difference > 0))
}

#' @rdname group_markers-methods
#' @export
print.group_markers <- function(x, n = 5L, ...) {
    check_markers(x)
    n <- check_count_or_all(n, "n")
    info <- attr(x, "info")
    cat_lines(c(
        paste0("<group_markers> ", length(info$groups), " groups ",
               switch(info$origin, data = "made from these data",
                      labels = "given", paste("from", info$from)), ", ",
               count_noun(sum(info$size), info$noun), ", ",
               count_noun(info$features, "feature")),
        marker_notes(info), paste0("  ", rests_on(info)),
        if (info$guarded) few_samples_note(info)
    ))
    shown <- utils::head(groups_of(x), 20L)
    # each of two groups is the other one mirrored: one table of what is higher
    two <- length(info$groups) == 2L && length(shown) == 2L
    for (part in if (two) list(shown) else shown) {
        rows <- unlist(lapply(part, function(group) {
            rows <- rows_of(x, group)
            utils::head(if (two) rows[x$difference[rows] > 0] else rows, n)
        }))
        cat(group_lines(x, part, rows, info), sep = "\n")
    }
    more <- length(groups_of(x)) - length(shown)
    if (length(shown)) cat_lines(paste0(
        "  ", if (more > 0L) paste0("... ", more, " more groups. "),
        "top_features(markers, 20, group = ",
        quote_values(shorten(groups_of(x)[1L], 20L)), ") gives names, ",
        "plot() shows all groups."
    ))
    invisible(x)
}

marker_notes <- function(info) {
    notes <- c(
        if (info$left_out > 0L)
            paste(count_noun(info$left_out, "sample"), "left out"),
        if (isTRUE(info$undecided > 0L))
            paste(count_noun(info$undecided, "pair"), "of groups undecided"),
        if (!is.null(info$blocks))
            paste("within", count_noun(info$blocks, "block")),
        if (info$lfc > 0) paste("tested against a difference of", info$lfc)
    )
    if (length(notes)) paste0("  ", paste(notes, collapse = ", "))
}

# The largest group in which no feature that is on there alone is a discovery
# by itself, where the exact test is behind the false discovery rates.
few_samples_note <- function(info) {
    size <- info$size[info$size <= sum(info$size) / 2]
    p_value <- 2 / choose(sum(info$size), size)
    few <- p_value * info$features > 0.05
    if (any(few) && info$permutations == 0) paste0(
        "  a feature on in a group of ", max(size[few]), " alone has exact p ",
        format(min(p_value[few]), digits = 2L), ", no discovery by itself")
}

# What the p-values rest on, in a sentence.
rests_on <- function(info) {
    rule <- origin_rule(info$origin)
    if (rule$none) return("no p-values, because these data made the groups")
    if (info$df <= 0)
        return("no p-values, because nothing is left for a variance")
    test <- if (info$permutations > 0) paste(info$permutations, "permutations")
        else if (info$variance == "group") "the moderated Welch t" else
            "the moderated t"
    paste0("fdr: ", if (info$permutations > 0) "over all groups" else
        "within each group", ", by ", test, " of ", if (info$noun == "sample")
            "samples, taken as independent" else "the means of units",
        if (!is.na(rule$why))
            paste0("; valid only if the groups were not found in these data (",
                   rule$why, ")")
        else if (info$from == "questions about pairs")
            "; valid only if no answer is wrong"
        else if (info$permutations == 0) paste(
            "; `permutations = 199` is more robust to wrong answers"))
}

# One group, or two: the names, and the rows.
group_lines <- function(x, groups, rows, info) {
    size <- info$size[match(groups, info$groups)]
    columns <- intersect(c(
        if (length(groups) > 1L) "group", "rank", "feature", info$annotation,
        "difference", "cohen_d", "auc", "fdr",
        if (info$zeros >= 0.2) c("detected", "detected_others")), names(x))
    numbered <- grepl("^[0-9]+$", groups) & info$origin != "labels"
    c(paste0(ifelse(numbered, "Group ", ""), shorten(groups, 50L), " (",
             count_noun(size, info$noun),
             if (!is.null(info$answered))
                 paste0(", ", info$answered[groups], " answered"), ")",
             collapse = ", "),
      format_table(as.data.frame(x)[rows, columns, drop = FALSE]))
}

#' @rdname group_markers-methods
#' @exportS3Method
as.data.frame.group_markers <- function(x, row.names = NULL,
                                        optional = FALSE, ...) {
    attr(x, "info") <- NULL
    class(x) <- "data.frame"
    x
}

#' @rdname group_markers-methods
#' @export
`[.group_markers` <- function(x, i, j, drop) {
    part <- table_part(as.data.frame.group_markers(x),
                       nargs() - 1L - as.integer(!missing(drop)), i, j, drop)
    kept <- is.data.frame(part) && all(marker_keys %in% names(part))
    if (kept) restore_markers(part, attr(x, "info")) else part
}

# Of several comparisons, which share no header.
#' @exportS3Method
rbind.group_markers <- function(..., deparse.level = 1) {
    # one whose class was edited would come back here
    for (part in list(...)) if (!is.data.frame(part)) check_markers(part)
    rbind.feature_ranking(...)
}

#' @rdname group_markers-methods
#' @export
top_features.group_markers <- function(ranking, n = 10L, group = NULL,
                                       alpha = NULL, ...) {
    check_dots_empty(...)
    check_markers(ranking, "ranking")
    n <- check_count_or_all(n, "n", 1)
    kept <- if (is.null(alpha)) rep(TRUE, nrow(ranking)) else {
        alpha <- check_number(alpha, "alpha", 0, 1)
        fdr <- ranking[["fdr"]]
        refuse_if(is.null(fdr),
                  "`alpha` must be left out: these markers have no p-values.")
        (fdr <= alpha) %in% TRUE
    }
    best <- function(group) {
        rows <- rows_of(ranking, group)
        rows <- rows[kept[rows]]
        as.character(ranking$feature[utils::head(rows, n)])
    }
    groups <- groups_of(ranking)
    if (is.null(group)) return(stats::setNames(lapply(groups, best), groups))
    refuse_value_if(!is.atomic(group) || length(group) != 1L ||
                        !as_names(group) %in% groups, group,
                    "`group` must be one of ", quote_values(groups))
    best(as_names(group))
}

#' @rdname group_markers-methods
#' @export
confint.group_markers <- function(object, parm, level = 0.95, ...,
                                  selected = TRUE) {
    check_dots_empty(...)
    check_markers(object, "object")
    level <- check_number(level, "level", 0, 1)
    selected <- check_flag(selected, "selected")
    info <- attr(object, "info")
    refuse_if(is.null(info$intervals), "Confidence intervals are not valid ",
              "here: the groups were made from these data.")
    if (missing(parm)) parm <- info$names
    refuse_value_if(!is_worded(parm) || !all(parm %in% info$names),
                    if (is_worded(parm)) setdiff(parm, info$names) else parm,
                    "`parm` must be names of features")
    chosen <- which(object$feature %in% parm)
    features <- length(info$names)
    rows <- as.numeric(features) * length(info$groups)
    if (selected) level <- 1 - (1 - level) * length(chosen) / rows
    at <- match(object$feature[chosen], info$names) + features *
        (match(as.character(object$group[chosen]), info$groups) - 1)
    value <- function(name) {
        unlist(lapply(info$intervals, function(group) {
            rep_len(group[[name]], features)
        }))[at]
    }
    half <- stats::qt((1 + level) / 2, value("df")) * value("error")
    data.frame(group = object$group[chosen], feature = object$feature[chosen],
               difference = object$difference[chosen],
               lower = value("estimate") - half,
               upper = value("estimate") + half)
}

#' @rdname group_markers-methods
#' @export
marker_lists <- function(markers, column = "statistic") {
    check_given(markers, "what group_markers() returned")
    check_markers(markers, "markers")
    table <- as.data.frame(markers)
    if (!is.null(column)) {
        numbers <- names(table)[vapply(table, is.numeric, NA)]
        column <- check_choice(column, numbers, "column")
    }
    groups <- groups_of(markers)
    # tables are sheets, whose names are short and without some characters
    titles <- if (!is.null(column)) groups else make.unique(strtrim(gsub(
        "[][*?/\\\\:]", "_", sub("^([0-9]+)$", "Group \\1", groups)), 28L))
    stats::setNames(lapply(groups, function(group) {
        own <- table[rows_of(markers, group), , drop = FALSE]
        features <- as.character(own$feature)
        if (!is.null(column)) {
            # in this sort equal values keep their order; it leaves NA out
            return(sort(stats::setNames(own[[column]], features),
                        decreasing = TRUE, method = "radix"))
        }
        row.names(own) <- features
        own[names(own) != "group"]
    }), titles)
}

#' @export
annotate_ranking.group_markers <- function(ranking, annotation) {
    check_markers(ranking, "ranking")
    info <- attr(ranking, "info")
    table <- annotated(ranking, annotation)
    info$annotation <- c(info$annotation, setdiff(names(table), names(ranking)))
    restore_markers(table, info)
}

#' @export
write_ranking.group_markers <- function(ranking, x, name, n, columns) {
    check_markers(ranking, "ranking")
    known <- setdiff(names(ranking), c("group", "feature"))
    check_added(columns, known, "")
    info <- attr(ranking, "info")
    columns <- columns %||% intersect(c("rank", "difference", "fdr"), known)
    for (group in groups_of(ranking)) {
        own <- as.data.frame(ranking)[rows_of(ranking, group), ]
        x <- add_columns(x, own, info$names,
                         paste0(name %||% "markers", "_", group), columns, n)
    }
    add_settings(x, name %||% "markers", c(method = "group_markers", info))
}
