#' linkrank: rank features from pairs of samples
#'
#' Ranks features from pairs of samples that are known to be of the same group
#' (must-link) or of different groups (cannot-link). [which_function] leads from
#' a question to a function.
#'
#' @section From pairs to genes:
#' 1. [pairwise_constraints()] takes judged pairs, [constraints_from_labels()]
#'    known classes, and [active_constraints()] chooses what to ask.
#' 2. [glean()] ranks the features from the pairs and the structure of all
#'    samples; [relieff_sc()] from the pairs alone.
#' 3. [plot()][plot.feature_ranking] draws the ranking, [top_features()] returns
#'    names, [keep_features()] reduces the data.
#' 4. [evaluate_method()] estimates the accuracy where labels are known.
#'
#' `vignette("linkrank")` goes through these steps in ten minutes.
#'
#' @section Methods:
#' With u the scaled value of a feature and H_j(x) the j-th nearest sample of x:
#'
#' `r paste(method_lines(), collapse = "\n")`
#'
#' [ensemble_ranking()] averages any of them; [diversify_ranking()] removes
#' redundancy.
#'
#' `vignette("methods")` has all equations, [ranking_methods()] returns this
#' table, and [rank_features()] calls any method by its name.
#'
#' @seealso [which_function], [linkrank_options], [data_on_disk], [workers]
#'
#' @useDynLib linkrank, .registration = TRUE, .fixes = "C_"
#' @keywords internal
"_PACKAGE"

#' Package options
#'
#' Options change how a call runs or what it reports, never its result:
#' `options(linkrank.threads = 2)`.
#'
#' @section Options:
#' * `linkrank.threads`: default of `threads` (1).
#' * `linkrank.progress`: default of `progress` (`interactive()`).
#' * `linkrank.max_bytes`: largest object that a call makes beside the data (4
#'   GiB), such as an n by n matrix or a copy of the scaled cells. A call that
#'   needs more stops with an error.
#' * `linkrank.portable`: `TRUE` runs the portable kernels even where the
#'   processor has faster instructions.
#' * `linkrank.worthwhile`: operations for which one more thread is started
#'   (1e6).
#' * `linkrank.processors`: the most threads that a call may use (0: as many as
#'   the machine has processors).
#' * `linkrank.batch_bytes`: memory for the starts that [simba()] runs side by
#'   side (256 MiB).
#'
#' @seealso [data_on_disk], [workers]
#' @examples
#' old <- options(linkrank.progress = FALSE)
#' options(old)
#' @name linkrank_options
NULL

#' Data on disk
#'
#' Functions that take data accept a `DelayedMatrix`, or a Bioconductor
#' container of one (HDF5, TENx, H5AD), as `x`, with the same result as for the
#' data in memory.
#'
#' @details Data are read in blocks of about `DelayedArray::getAutoBlockSize()`
#'   bytes; data that take less are read whole. [relief_sc()] and [relieff_sc()]
#'   read the samples of a larger file twice. Others read features: where a
#'   sparse file stores the cells of a sample together, as TENx and most H5AD
#'   files do, they first write its non-zero cells, feature by feature, to a
#'   temporary file in `tempdir()`, 12 bytes each. The file is mapped into
#'   memory: a call is as fast as with the data in memory if as much is free.
#'   (On Windows, with missing cells that are replaced, and with more than
#'   2^31 - 1 cells, blocks of features are expanded instead, which is many
#'   times slower.) The file is removed when the call ends; that of a
#'   [questionnaire()] or of [prepare_data()] after these are gone: give
#'   prepared data to several calls.
#'
#'   Set `DelayedArray::setAutoBlockSize()`, the memory of a block, and a
#'   `tempdir()` with enough space.
#'
#' @section Errors: `linkrank_error_disk` when `tempdir()` has too little space,
#'   or a limit of memory (`ulimit -v`) or a disk refuses that its file is
#'   mapped; the message names the disk.
#'
#' @seealso [linkrank_options], [workers]
#' @examples
#' if (requireNamespace("DelayedArray", quietly = TRUE)) {
#'     x <- DelayedArray::DelayedArray(log2(colon$x))
#'     variance_score(x)
#' }
#' @name data_on_disk
NULL
