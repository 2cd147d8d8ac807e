# prepare_data(), the one door: what a call computes with is read, checked and
# described here.

# The arguments of prepare_data() besides `x`, which the dots of every function
# with data take.
data_arguments <- c("scale", "space", "distance", "block", "unit", "by",
                    "na.action", "assay.type", "threads", "progress")

# Those that every function takes which prepares data.
each_call <- c("by", "assay.type", "threads", "progress")

# All that methods which search for neighbours use of them.
neighbour_arguments <- c("scale", "space", "distance", "block")

#' Prepare data once, for several methods
#'
#' @description Reads and checks data once, and keeps with them the settings of
#'   an analysis. Use it before several calls, and to look at a table as it
#'   came. A single call does not need it: every function takes the arguments
#'   that it uses by name, as in `relieff_sc(x, links, scale = "none")`.
#'
#' ```{r, comment = "#>"}
#' table <- data.frame(age = c(50, 61, -9, 47, 55, -9, -9),
#'                     sex = c("f", "m", "f", "", "m", "f", "m"))
#' prepare_data(table)
#' ```
#'
#' @param x Data: a numeric matrix, a data.frame (numeric, logical, factor or
#'   character columns) or a sparse matrix of package \pkg{Matrix}, samples in
#'   rows; or a SummarizedExperiment, SingleCellExperiment, ExpressionSet or
#'   EList of \pkg{limma} (without weights), features in rows (Seurat:
#'   `Seurat::as.SingleCellExperiment(object)`); or what `prepare_data()`
#'   returned, whose settings are replaced by those given. At least 3 samples.
#'   Every column is a feature: remove classes and identifiers first.
#' @param scale How features are made comparable: by their `"range"`, by
#'   standard deviation (`"zscore"`), `"balanced"` or `"none"`. `NULL`: `"none"`
#'   for Bioconductor containers, else `"balanced"`; say `"none"` for a matrix
#'   of logged expressions. See [scaling].
#' @param space The space that neighbours are computed in, by Euclidean
#'   distance: `NULL` for all features; a number of principal components of the
#'   scaled features; the name of a reducedDim, such as `"PCA"`; or a numeric
#'   matrix with a row per sample (of distances d: `cmdscale(d, k = 20)`).
#'   Margins and scores stay those of the features. Not with a `graph` or
#'   another `distance` than `"euclidean"`. Left out: 20 components in
#'   [glean()], [suspect_answers()] and questions of strategy `"groups"`, else
#'   all features.
#' @param distance How near samples are: `"manhattan"`, `"euclidean"`, or
#'   `"correlation"`, 1 - r over the features, see [scaling]. `NULL`: the
#'   method's own.
#' @param block The batch or donor of each sample: a factor, a vector, or the
#'   name of a column of the container's sample data. See *Blocks*. A sample
#'   with `NA` is left out of all comparisons, with a message. Values belong to
#'   samples by order, or by name where they are named so (message
#'   `linkrank_message_order`, also for names of other samples).
#' @param unit The donor, patient or animal of each sample, given as `block` is,
#'   see *Units*; `NA`: a unit of its own.
#' @param by Given as `block` is: its groups, such as clusters, become the
#'   samples, with the means of their observed values. See *Groups*.
#' @param na.action What methods without a rule of their own do about missing
#'   cells: `"fail"`, an error, or `"mean"`, the mean of the feature's observed
#'   values. `NULL`: `"fail"`.
#' @param assay.type Which assay: its number or name. `NULL`: `"logcounts"`,
#'   else `exprs` of an ExpressionSet, else the only one.
#' @param threads Number of threads; results do not depend on it.
#' @param progress Show progress when a call takes more than two seconds?
#' @param ... The arguments below, by name.
#'
#' @return A list of class `prepared_data`, for the functions of this package,
#'   with `dim()` and `dimnames()` of samples x features; `print()` shows what
#'   is stored.
#'
#' @details A setting that a method does not use is ignored in prepared data,
#'   and refused in its call. Results have the same bits for any number of
#'   threads and any kind of `x`.
#'
#' *Tables.* Printed, prepared data have a line for each column that may need
#' attention: a frequent value, or one far from a short scale, may be a code for
#' missing (-9, 99), a mean far above the median may need logarithms. Blank
#' text is missing. Text of 20 rows or more with more values than a third of the
#' rows, or more than 20 numbers or dates, is no category: a warning
#' `linkrank_warning_text` names a call that mends it, and it is left out.
#' Factors differ by 0 or 1; ordered factors, dates, times and durations are the
#' numbers that R stores. Labelled columns of haven are categories where all
#' values have a label.
#'
#' *Blocks.* What batches differ in separates the samples of every pair that
#' joins two of them, and then leads the ranking. With `block` only samples of
#' one block are neighbours; ask pairs within blocks too, as
#' [active_constraints()] does with it.
#'
#' *Groups.* With `by` constraints and `y` are about the groups, columns of
#' sample data are kept where they are the same within groups, features must be
#' numeric or logical, and samples with `NA` are left out (message
#' `linkrank_message_groups`).
#'
#' *Units.* Cells of one donor, or replicates, taken as independent make
#' p-values far too small and accuracies too high. With `unit` permutations
#' exchange whole units ([p_values], [stir()]), [group_markers()] tests means of
#' units, and [evaluate_method()], [evaluate_questions()] and
#' [ranking_stability()] split by units. A message `linkrank_message_unit` says
#' where the sample data have such a column. Few units have few permutations: 3
#' donors against 3 have 20, so no p-value is below 0.05.
#'
#' *Parts.* In `prepare_data(x)[rows, ]` a feature without values is constant.
#'
#' *Memory.* Cells are not copied, but for a data.frame (8 bytes each) and a
#' sparse assay (12 per stored cell). Components and neighbours (12 k bytes per
#' sample) are kept for the next call. Files ([data_on_disk]) are read in
#' blocks; n by n distances are never stored.
#'
#' @section Errors: `linkrank_error_input` (class of `x`, fewer than 3 samples,
#'   repeated names, NaN or infinite values, a feature without values),
#'   `linkrank_error_argument`. A warning `linkrank_warning_unlogged` names raw
#'   counts and 100 features or more like raw intensities.
#'
#' @examples
#' x <- prepare_data(log2(colon$x), scale = "none", space = 10)
#' x
#' links <- constraints_from_labels(colon$tissue)
#' relieff_sc(x, links)
#'
#' # the same data, with another scale
#' variance_score(prepare_data(x, scale = "range"))
#' @export
prepare_data <- function(
    x, ..., scale = NULL, space = NULL, distance = NULL, block = NULL,
    unit = NULL, by = NULL, na.action = NULL, assay.type = NULL,
    threads = getOption("linkrank.threads", 1L),
    progress = getOption("linkrank.progress", interactive())) {
    check_given(x, data_words)
    UseMethod("prepare_data")
}

#' @export
prepare_data.default <- function(x, ...) {
    settings <- data_settings(list(...))
    if (is.matrix(x) && !isS4(x) && (is.numeric(x) || is.logical(x))) {
        # a table of counts and the like has a class of its own
        x <- unclass(x)
        return(new_prepared_data(x, "columns", dim(x), colnames(x),
                                 rownames(x), cell_kind(x), settings))
    }
    if (inherits(x, "formula")) abort_formula(x)
    refuse_swapped()
    abort_linkrank("`x` must be a numeric matrix, a data.frame, a sparse ",
                   "matrix or a SummarizedExperiment, not ",
                   describe_matrix(x), conversion_of(x), ".", class = "input")
}

# Data that were prepared before: what is given replaces what they hold.
#' @export
prepare_data.prepared_data <- function(x, ...) {
    given <- data_settings(list(...))
    check_undamaged(prepared_problem(x), "x", "prepare_data()")
    refuse_if(!is.null(given$assay.type), "`assay.type` must be given to the ",
              "first prepare_data(), which reads the assay.")
    x$settings[names(given)] <- given
    x$settings$control <- run_control(x$settings$threads, x$settings$progress)
    with_settings(x, x$settings)
}

# C trusts that the parts fit together.
prepared_problem <- function(x) {
    # dim() is NULL for a sparse matrix of a file until its package is loaded
    if (isS4(x$values)) loadNamespace("Matrix")
    parts <- lengths(x[c("features", "kind", "minimum", "maximum", "missing",
                         "several")])
    unfit <- !is_number(x$n) || !is_number(x$p) || any(parts != x$p) ||
        !all(dim(x$values) %in% c(x$n, x$p))
    version_problem(x$made_by) %||% if (unfit) "its parts do not fit together"
}

#' @export
dim.prepared_data <- function(x) as.integer(c(x$n, x$p))

#' @export
dimnames.prepared_data <- function(x) list(x$samples, x$features)

#' @export
`[.prepared_data` <- function(x, i = TRUE, j = TRUE, ...) {
    if (nargs() < 3L) return(NextMethod()) # its parts
    rows <- stats::setNames(seq_len(x$n), x$samples)[i]
    columns <- stats::setNames(seq_len(x$p), x$features)[j]
    refuse_if(anyNA(c(rows, columns)), "`x` has no such samples or features.")
    take_prepared(x, unname(rows), unname(columns))
}

#' @export
summary.prepared_data <- function(object, ...) object

#' @export
print.prepared_data <- function(x, ...) {
    kept <- if (x$layout == "reader") "on disk" else
        if (holds_sparse(x)) "sparse" else "dense"
    settings <- x$settings
    missing <- sum(as.numeric(x$missing))
    kinds <- table(factor(x$kind, c("numeric", "logical", "factor")))
    kinds <- kinds[kinds > 0L]
    space <- settings$space
    cat_lines(c(
        paste0("Prepared data: ", count_noun(x$n, "sample"), ", ",
               count_noun(x$p, "feature"), ", ", kept, " (", x$container, ")"),
        paste0("  features: ", paste(show_number(kinds), names(kinds),
                                     collapse = ", "),
               if (missing > 0) paste0("; ", count_noun(missing, "cell"),
                                       " missing"),
               if (length(x$unfit)) paste0("; ", count_noun(
                   length(x$unfit), "column"), " left out")),
        paste0("  scale: ", describe_scale(x)),
        if ("space" %in% names(settings)) paste0(
            "  space: ", if (is.null(space)) "all features" else
                if (length(space) == 1L && is.numeric(space))
                    count_noun(space, "principal component") else
                        if (is.character(space)) quote_values(space) else
                            "a matrix of coordinates"),
        if (!is.null(settings$distance)) paste0("  distance: ",
                                                settings$distance),
        describe_codes(x$block_of, "block"), describe_codes(x$unit_of, "unit"),
        column_lines(x)
    ))
    invisible(x)
}

# What to look at before ranking: a line a column of a table, problems first; of
# many columns how many have which problem.
column_lines <- function(x, most = 60L) {
    if (x$layout != "columns" || x$n * x$p > 5e6) return(NULL)
    said <- lapply(seq_len(x$p), function(j) say_column(x, j))
    counts <- if (x$p > most) table(unlist(lapply(said, names)))
    said <- vapply(said, paste, "", collapse = ", ")
    names(said) <- x$features
    said <- c(x$unfit, if (x$p <= most) said[nzchar(said)])
    c(if (length(said)) paste0("  ", shorten(names(said), 20L), ": ", said),
      if (length(counts)) paste0("  columns: ", paste(counts, names(counts),
                                                      collapse = ", ")))
}

say_column <- function(x, j) {
    cells <- x$values[!is.na(x$values[, j]), j]
    runs <- rle(sort(as.numeric(cells)))
    number <- x$kind[j] == "numeric"
    measured <- number && length(runs$values) > 10L
    code <- if (measured) which.max(runs$lengths) else if (number)
        far_end(runs$values)
    share <- c(runs$lengths[code], 0)[1L] / length(cells)
    c(`with missing cells` = if (x$missing[j] > 0L)
          paste(show_number(x$missing[j]), "missing"),
      if (share > (if (measured) 0.2 else 0.05)) c(
          `with a frequent value` = paste0(
              runs$values[code[1L]], " in ", round(100 * share),
              " % of the cells: a code?"))
      else if (measured && is_skewed(cells)) c(skewed = "skewed: take logs?"))
}

# The place of the end of a short scale that is further from the others than
# twice their range, as 99 is from 1 to 5; none where there is no such end.
far_end <- function(values) {
    Filter(function(end) {
        others <- range(values[-end])
        min(abs(values[end] - others)) > 2 * diff(others)
    }, if (length(values) > 2L) c(1L, length(values)))
}

# How many blocks or units there are, and of how many samples; NULL for none.
describe_codes <- function(code, noun) {
    if (is.null(code)) return(NULL)
    sizes <- table(code)
    paste0("  ", count_noun(length(sizes), noun), " of ",
           paste(unique(range(sizes)), collapse = " to "), " samples",
           if (anyNA(code)) paste0("; ", sum(is.na(code)), " of none"))
}

# The scale, and why it is that one.
describe_scale <- function(data) {
    scale <- decide_scale(data)
    words <- switch(scale, range = "features scaled by their range",
        zscore = "features scaled by their standard deviation",
        balanced = "features scaled, none spreads more than the median one",
        none = "features unscaled")
    paste0(words, if (!is.null(data$settings$scale)) " (as given)" else
        if (isTRUE(data$one_unit)) " (they share a unit)")
}

# ---- the settings of a call -------------------------------------------------

# The data of a call, with what it was given in its dots. `uses`: the arguments
# of prepare_data() that the method uses besides `assay.type`, `threads` and
# `progress`; `takes`: the names of its own arguments; `other`: those in the
# dots that are for another function; `before`: checks of other arguments, made
# after those of the names and before the data are read.
prepared <- function(x, ..., uses = character(),
                     takes = names(formals(sys.function(sys.parent()))),
                     other = NULL, before = NULL) {
    force(takes)
    if (...length()) {
        check_data_names(...names(), c(uses, other, each_call), takes,
                         parent.frame(), function(k) ...elt(k))
    }
    force(before)
    if (is.null(other)) return(prepare_data(x, ...))
    check_given(x, data_words)
    given <- list(...)
    do.call(prepare_data, c(list(x), given[!names(given) %in% other]),
            quote = TRUE)
}

# `x` after the checks of whole data, of which parts are read later: what there
# is to say of the values is said then, but not of columns.
check_whole <- function(x, assay.type = NULL) {
    # computed here, because without_unfit() uses it for tables only
    data <- withCallingHandlers(prepare_data(x, assay.type = assay.type),
                                linkrank_warning_unlogged = muffle)
    without_unfit(x, data)
}

# The settings in the dots of a call that reads no data, or several.
called_settings <- function(
    ..., uses = character(), takes = names(formals(sys.function(sys.parent())))
) {
    force(takes)
    if (...length()) {
        check_data_names(...names(), c(uses, setdiff(each_call, "by")), takes,
                         parent.frame(), function(k) ...elt(k))
    }
    data_settings(list(...))
}

# The names in the dots of a call that are not empty, NULL for none; the values
# are not evaluated, because they may not exist. `value`: a function of the
# place of an argument.
check_data_names <- function(names, uses, takes, frame, value) {
    refuse_formula(takes, frame)
    check_argument_names(names, uses, value, c(takes, uses))
}

# What prepare_data() is given besides the data, checked, and the `control` of
# the call. A setting that is NULL is the default again, but for `space`: no
# other space than all features.
data_settings <- function(given) {
    if (length(given)) {
        check_data_names(names(given), c(data_arguments, "fewest"), "x", NULL,
                         function(k) given[[k]])
    }
    if (!is.null(given$scale))
        check_choice(given$scale, feature_scales, "scale")
    if (!is.null(given$distance)) {
        refuse_distances(given$distance, "distance")
        check_choice(given$distance, margin_distances, "distance")
    }
    if (!is.null(given$na.action))
        check_choice(given$na.action, c("fail", "mean"), "na.action")
    given$control <- run_control(given$threads, given$progress)
    given
}

# The data with these settings, after the checks that need the data.
with_settings <- function(data, settings) {
    # matched by name now, because parts of the data take them by place
    codes <- names(settings)[names(settings) %in% c("block", "unit")]
    for (name in codes) {
        given <- settings[[name]]
        if (!is.null(given) && !is_text(given))
            settings[[name]] <- named_response(given, data, name)
    }
    if (isTRUE(nrow(settings$space) == data$n))
        settings$space <- match_places(settings$space, data$samples, "space")
    data$control <- settings$control
    data$settings <- settings[!names(settings) %in%
                                  c("by", "fewest", "control")]
    if (!is.null(settings$by)) data <- group_samples(data, settings$by)
    for (name in codes)
        data[paste0(name, "_of")] <- list(read_codes(data, name))
    if (is.character(settings$space)) check_space_name(settings$space, data)
    data
}

check_space_name <- function(space, data, name = "space") {
    have <- names(data$spaces)
    refuse_if(is.matrix(space), "`", name, "` must contain numbers, not text.")
    refuse_value_if(length(space) != 1L || is.na(space) || !space %in% have,
                    space, "`", name, "` must be a number, a matrix or the ",
                    "name of a reducedDim of `x`, which has ",
                    if (length(have)) quote_values(have) else "none")
}

# ---- what methods read of the settings --------------------------------------

# What methods do about missing cells that have no rule of their own.
missing_rule <- function(data) c(data$settings$na.action, "fail")[1L]

# Of a method with a `default` of its own, which NULL replaces by all features.
data_space <- function(data, default) {
    if ("space" %in% names(data$settings)) data$settings$space else default
}

# The block of each sample, as a code, or NULL. A sample whose block is not
# known has one of its own: it is compared with no other.
known_block <- function(data, note = TRUE) {
    if (is.null(data$block_of)) return(NULL)
    if (note) note_unknown_blocks(sum(is.na(data$block_of)))
    number_unknown(data$block_of)
}

# What a ranking keeps of `block` and `unit`, where they were given: a column's
# name, or the block or unit of each sample.
kept_codes <- function(data) {
    given <- data$settings[c("block", "unit")]
    lapply(given[lengths(given) > 0L], function(given) {
        if (is.character(given) && length(given) == 1L) given else
            stats::setNames(as_names(given), data$samples)
    })
}

# Coordinates are needed, since the search reads samples and not distances of
# pairs: distances of one's own become coordinates.
refuse_distances <- function(value, name) {
    distances <- inherits(value, "dist") || is.matrix(value) &&
        is.numeric(value) && nrow(value) == ncol(value) && nrow(value) > 2L &&
        !anyNA(value) && all(diag(value) == 0) && all(value >= 0) &&
        any(value > 0) && isSymmetric(unname(value))
    refuse_if(distances || is.function(value), "`{name}` must not be distances
              or a function: give coordinates, such as space =
              cmdscale(d, k = 20) of distances d, or similarities as `graph`.")
}
