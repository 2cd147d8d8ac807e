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
#' Help pages have all equations, `vignette("methods")` says how to choose,
#' [ranking_methods()] returns this table, and [rank_features()] calls any
#' method by its name.
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
#' * `linkrank.frame_ancestors`: sites that may show the page of
#'   [questionnaire_app()] in a frame.
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

# ?which_function, the entrance to the manual. A new function gets a row here.

#' Which function do I need?
#'
#' From a question to a function. All take the same data, see [prepare_data()].
#'
#' @section What do you know of the samples?:
#' * a class for every sample: [relieff()]; feature by feature [fisher_score()]
#' * a number for every sample: [rrelieff()], [supervised_laplacian_score()]
#' * a number for some samples: [semisupervised_laplacian_score()]
#' * classes of some samples: [constraints_from_labels()], then [glean()]
#' * pairs of a known direction (tumour and normal): `group_markers(x, labels,
#'   block = patient)`, the paired t of \pkg{limma}; cannot-links find far less
#' * pairs judged alike or different: [pairwise_constraints()], then [glean()]
#' * pairs, to be used alone: [pairwise_constraints()], then [relieff_sc()];
#'   in a mixed table compare it with [glean()]: neither is always ahead
#' * columns such as clone or marker: [constraints_from_columns()], then
#'   [glean()]
#' * how many questions are needed: [plan_questions()]
#' * somebody to ask, in R: [active_constraints()] with [console_oracle()]
#' * somebody to ask, on a web page: [questionnaire_app()]
#' * clusters to merge and to name: [questionnaire()] about
#'   `prepare_data(x, by = )`, then [constraint_groups()] with `of`
#' * answers in a file or a table: [read_answers()], [pairwise_constraints()]
#' * answers of several people, or that disagree: [reconcile_answers()]
#' * nothing: [glean()] without constraints; [laplacian_score()],
#'   [variance_score()]
#' * scores of another package: [as_feature_ranking()]
#'
#' Ask by sorting, the default: it places more samples than answers about pairs.
#'
#' Labels that you trust say more than pairs do. README compares [glean()] with
#' a random forest on the labels of the asked samples.
#'
#' @section What do you want from a ranking?:
#' * few features for a model: [glean()]
#' * all features that differ, for a list to report: [glean()] with
#'   `rank_by = "contrast"`
#' * groups of samples, and what marks them: [group_markers()];
#'   [plot_features()] for single samples
#' * the names of the best features: [top_features()]
#' * the result in a SummarizedExperiment: [add_ranking()]
#' * the data with the best features only: [keep_features()]
#' * a short list without repetition: [diversify_ranking()]
#' * one feature from each group of similar ones: [fcrsc()], not for spectra
#' * scores along a spectrum: [plot()][plot.feature_ranking] with
#'   `type = "curve"`
#' * features that fit the constraints together: [select_subset()], [pcfs()]
#' * how many features to keep: [evaluate_method()]; [top_features()] with
#'   `n = "best"`
#' * significance, from classes: [stir()] with `permutations`,
#'   [plot()][plot.feature_ranking] with `type = "significance"`
#' * significance, from pairs: [relieff_sc()] with `permutations`; of the groups
#'   that they make, [group_markers()]
#' * the pairs that a feature rests on: [pair_margins()]
#' * reasons why a feature ranks high: [plot()][plot.glean_ranking] of a
#'   [glean()] ranking
#'
#' @section How good is it?:
#' * accuracy, compared between methods: [evaluate_method()],
#'   [evaluate_ranking()]
#' * a method of your own beside ours: a function instead of its name, in
#'   [evaluate_method()]; a strategy, in [evaluate_questions()]
#' * accuracy after each question; strategies compared: [evaluate_questions()]
#' * whether other samples give the same list: [ranking_stability()]
#' * a ranking that depends less on the sample: [ensemble_ranking()]
#' * how redundant the best features are: [redundancy()]
#' * whether the constraints agree with the data: [constraint_quality()]
#' * how well people agree: [answer_agreement()]
#' * which answers to look at again: [suspect_answers()]
#' * what the constraints imply: [close_constraints()], [constraint_groups()]
#' * further pairs, from similar samples: [propagate_constraints()]
#' * groups of samples, from answers: [glean_labels()], which finds their number
#'   too
#' * groups of samples, from few or no pairs: [pck_means()]; of any shape
#'   [spectral_clustering()]
#' * selection inside a model: [step_select_linkrank()]
#'
#' @section How does it run?:
#' * a method from a publication: [ranking_methods()], [rank_features()]
#' * data for several methods, tables of mixed kinds, batches: [prepare_data()]
#' * data on disk: [data_on_disk]
#' * several processors or a cluster: argument `threads`, [workers]
#' * progress, memory, processors: [linkrank_options]
#'
#' @seealso [linkrank][linkrank-package] for the methods with their formulas,
#'   `vignette("linkrank")` for ten minutes from pairs to genes.
#' @examples
#' # what each method needs
#' ranking_methods()[c("method", "needs")]
#' @name which_function
NULL

#' Gene expression in tumour and normal colon tissue
#'
#' Expression of 2000 genes in 40 tumour and 22 normal colon tissue samples,
#' measured with an oligonucleotide array by Alon et al. (1999).
#'
#' @format A list of two elements:
#' \describe{
#'   \item{\code{x}}{Numeric matrix, 62 samples (rows) by 2000 genes (columns),
#'     without missing values. Values are raw array intensities, neither logged
#'     nor normalised, from 5.8 to 20903.2; take \code{log2(colon$x)}, as
#'     help pages do; vignettes also centre each array,
#'     \code{x - apply(x, 1, median)}, which changes the order of genes.
#'     Rows and columns are in the order of the source.}
#'   \item{\code{tissue}}{Factor of length 62 with levels \code{normal} and
#'     \code{tumour}, named by sample.}
#' }
#'
#' @details \strong{Sample names.} A name is \code{T} (tumour) or \code{N}
#'   (normal) and a running number within the kind, in row order: \code{T1},
#'   \code{N1}, \code{T2} and so on to \code{T40} and \code{N22}. The source
#'   does not say which samples come from the same patient.
#'
#' \strong{Gene names} are the gene ids of the source. 75 of 1911 ids occur two
#' to four times; the first column of an id keeps it, the others get \code{.1},
#' \code{.2} and \code{.3}: \code{Hsa.13491} and \code{Hsa.13491.1} are two
#' measurements under one id.
#'
#' \strong{Identical columns.} The ids \code{HSAC07}, \code{UMGAP} and \code{i}
#' each have four columns with the same values.
#'
#' \strong{Atypical samples.} Shetta and Niranjan (2020) take the tumours
#' \code{T2}, \code{T30}, \code{T33}, \code{T36} and \code{T37} as outliers.
#' They are kept.
#'
#' @source Data set \code{Colon} in the CRAN package \pkg{plsgenomics}, GPL (>=
#'   2), read by \file{data-raw/colon.R} in the sources of this package.
#'
#' @references Alon, U. et al. (1999). \emph{Proceedings of the National Academy
#'   of Sciences of the USA}, 96, 6745-6750. \doi{10.1073/pnas.96.12.6745}
#'
#' Shetta, O. and Niranjan, M. (2020). \emph{Royal Society Open Science}, 7,
#' 190714. \doi{10.1098/rsos.190714}
#'
#' @examples
#' dim(colon$x)
#' table(colon$tissue)
#' colon$x[1:4, 1:3]
#'
#' # two measurements under one gene id, on the log scale
#' cor(log(colon$x[, c("Hsa.13491", "Hsa.13491.1")]))
#'
#' @docType data
#' @keywords datasets
"colon"
