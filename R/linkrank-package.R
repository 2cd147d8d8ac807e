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
#' 2. [relieff_sc()] ranks the features of a matrix, data.frame, sparse matrix
#'    or SummarizedExperiment.
#' 3. [plot()][plot.feature_ranking] shows the ranking, [top_features()] gives
#'    names, [keep_features()] cuts the data down, and [add_ranking()] writes
#'    the ranks into a SummarizedExperiment.
#'
#' `vignette("linkrank")` walks through it in five minutes,
#' `vignette("constraints")` from no labels to a ranking with twenty questions.
#'
#' @section Methods:
#' With u the scaled value of a feature and H_j(x) the j-th nearest sample of x:
#'
#' | function | score of a feature |
#' | --- | --- |
#' | [relief_sc()] | sum over cannot-links (n, m) of \|u_n - u_H(m)\| - \|u_n - u_H(n)\| |
#' | [relieff_sc()] | the same, the mean over the K nearest H_1, ..., H_K |
#' | [constraint_score()] | sum over must-links of (u_n - u_m)^2 / the same over cannot-links (CS1), and six others |
#' | [variance_score()] | mean of (u_n - mean)^2 |
#' | [laplacian_score()], [spectral_score()] | sum over edges of weight (u_n - u_m)^2 / weighted scatter |
#' | [fisher_score()] | scatter between classes / scatter within |
#' | [supervised_laplacian_score()], [semisupervised_laplacian_score()] | Laplacian score on a graph of outcomes |
#' | [ensemble_ranking()] | mean of any of these over samples of rows and features |
#' | [fcrsc()] | that of [relieff_sc()]; one feature per cluster of redundant features comes first |
#' | [simba_sc()] | weight that widens \|\|x_n - H(x_m)\|\|_w - \|\|x_n - H(x_n)\|\|_w by gradient steps |
#' | [relieff()], [relief()] | mean over samples x of \|u_x - u_M(x)\| - \|u_x - u_H(x)\|, misses M of other classes and hits H of its own |
#' | [stir()] | the same, over its standard error |
#' | [irelief()] | as relieff(), with all hits and misses by their probability, iterated |
#' | [rrelieff()] | differences among near samples that differ in a number, less those among near samples that do not |
#' | [simba()] | weight that widens \|\|x - M\|\|_w - \|\|x - H\|\|_w by gradient steps |
#'
#' [diversify_ranking()] and [prune_correlated()] take redundancy out of any
#' ranking.
#'
#' | [select_subset()] | sum over pairs of (w - t)^2, w the similarity in the subset, t = 1 for must-links, else 0 |
#' | [pcfs()] | weighted squared differences over must-links, divided by those over cannot-links |
#'
#' `vignette("methods")` has all equations, [ranking_methods()] is this table in
#' R, [rank_features()] calls any method by its name.
#'
#' @section Options:
#' * `linkrank.threads`: default of `threads` (1).
#' * `linkrank.progress`: default of `progress` (`interactive()`).
#' * `linkrank.max_bytes`: largest object whose size grows with the square of
#'   the samples, such as a closure written out (4 GiB).
#' * `linkrank.portable`: `TRUE` runs the portable kernels even where the
#'   processor has faster instructions; the results are the same.
#' * `linkrank.worthwhile`: elementary operations for which one more thread is
#'   started (5e7).
#' * `linkrank.processors`: the most threads a call may use (0: as many as the
#'   machine has processors).
#' * `linkrank.batch_bytes`: memory for the starts that [simba()] runs side by
#'   side (256 MiB).
#'
#' @useDynLib linkrank, .registration = TRUE, .fixes = "C_"
#' @keywords internal
"_PACKAGE"
