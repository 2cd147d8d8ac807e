#' linkrank: rank features from links between samples
#'
#' Ranks features (genes, spectra, pixels) when labels are scarce and all that
#' is known is that some pairs of samples belong together (must-link) or apart
#' (cannot-link).
#'
#' @section From pairs to genes:
#' 1. [pairwise_constraints()] holds what a person knows of pairs of samples;
#'    [constraints_from_labels()] makes pairs from known classes;
#'    [active_constraints()] asks about the pairs that matter.
#' 2. [glean()] ranks the features of a matrix, data.frame, sparse matrix or
#'    SummarizedExperiment from a few answers and the data, [relieff_sc()] by the
#'    margin of the pairs alone, with p-values.
#' 3. [plot()][plot.feature_ranking] shows the ranking, [top_features()] gives
#'    names, [keep_features()] cuts the data down, and [add_ranking()] writes
#'    the ranks into a SummarizedExperiment.
#' 4. [evaluate_method()] tells what a ranking is worth where labels are known.
#'
#' `vignette("linkrank")` walks through it in five minutes,
#' `vignette("constraints")` from no labels to a ranking with twenty questions,
#' `vignette("bioconductor")` from cells to genes.
#'
#' @section Methods:
#' With u the scaled value of a feature and H_j(x) the j-th nearest sample of x:
#'
#' `r paste(method_lines(), collapse = "\n")`
#'
#' [ensemble_ranking()] averages any of them over samples of rows and features;
#' [diversify_ranking()] and [prune_correlated()] take redundancy out of any
#' ranking.
#'
#' `vignette("methods")` has all equations, [ranking_methods()] is this table in
#' R, [rank_features()] calls any method by its name.
#'
#' @section Data on disk:
#' A `DelayedMatrix` or a container of one (HDF5, TENx, H5AD) is read in blocks
#' of about `DelayedArray::getAutoBlockSize()`; a sparse one that takes less is
#' read whole. [relief_sc()] and [relieff_sc()] read the samples of a larger
#' file twice. All other functions ask for features: where a sparse file keeps
#' the cells of a sample together, as TENx and most H5AD files do, they write
#' its non-zero cells once to a temporary file of 12 bytes each (in `tempdir()`,
#' gone with the call) and read blocks of features from there.
#'
#' @section Slow calls:
#' A call that will take over ten seconds says so before it begins: one message
#' of class `linkrank_message_slow`, with an estimate (one thread, commonly
#' within a factor of two) and the way out. So do neighbours ([relieff_sc()],
#' [relief_sc()], [relieff()], [relief()], [similarity_graph()] and what builds on
#' them), [glean()], [irelief()], [simba()], [simba_sc()], [select_subset()],
#' [pcfs()], [feature_graph()] and [fcrsc()], [diversify_ranking()],
#' [prune_correlated()], [active_constraints()] by perturbation,
#' [evaluate_ranking()], what is done in many tasks ([evaluate_method()],
#' [ensemble_ranking()], [ranking_stability()]) after the first of them, and
#' reading from disk.
#'
#' @section Options:
#' * `linkrank.threads`: default of `threads` (1).
#' * `linkrank.progress`: default of `progress` (`interactive()`); `FALSE` also
#'   silences the messages of slow calls.
#' * `linkrank.max_bytes`: largest object that a call makes beside the data where
#'   its size grows with the square of the samples, such as a closure written out,
#'   or is that of all scaled cells (4 GiB).
#' * `linkrank.portable`: `TRUE` runs the portable kernels even where the
#'   processor has faster instructions; the results are the same.
#' * `linkrank.worthwhile`: elementary operations for which one more thread is
#'   started (1e7).
#' * `linkrank.processors`: the most threads a call may use (0: as many as the
#'   machine has processors).
#' * `linkrank.batch_bytes`: memory for the starts that [simba()] runs side by
#'   side (256 MiB).
#'
#' @useDynLib linkrank, .registration = TRUE, .fixes = "C_"
#' @keywords internal
"_PACKAGE"
