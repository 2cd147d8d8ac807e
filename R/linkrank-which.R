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
#' Labels that you trust say more than pairs do. On narrow tables with codes a
#' random forest on the labels of the asked samples is ahead of [glean()]: see
#' `vignette("labels")`.
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
#' * a method, oracle or strategy of your own beside ours:
#'   a function instead of its name, in [evaluate_method()]
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
#' * messages to switch off: [linkrank_options]
#'
#' @seealso [linkrank][linkrank-package] for the methods with their formulas,
#'   `vignette("linkrank")` for ten minutes from pairs to genes.
#' @examples
#' # what each method needs
#' ranking_methods()[c("method", "needs")]
#' @name which_function
NULL
