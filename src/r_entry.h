/* The border between R and the kernels: R headers, every registered entry,
 * and the readers that convert R objects into the kernels' structs. R code has
 * checked all arguments; readers check lengths and numbers of samples once more,
 * because objects may be edited by hand: what does not fit is an error. */
#ifndef R_ENTRY_H
#define R_ENTRY_H

#define R_NO_REMAP
#define STRICT_R_HEADERS
#define USE_FC_LEN_T

#include <R.h>
#include <Rinternals.h>
#include <string.h>

#include "constraints.h"
#include "graph_similarity.h"
#include "read_walk.h"
#include "search_walk.h"

/* ---- entries, by the number of their arguments --------------------------- */

typedef SEXP entry_1(SEXP);
entry_1 r_bind_samples, r_closure, r_columns_fit, r_file_kind, r_frame_types,
    r_graph_degrees, r_is_mapped, r_sync_folder, r_transpose_samples,
    r_unmap_file;

typedef SEXP entry_2(SEXP, SEXP);
entry_2 r_append_file, r_cut_tree, r_feature_moments, r_frame_matrix,
    r_graph_components, r_inverse_product, r_map_file, r_read_features,
    r_scan_features, r_scan_samples, r_scan_zeros, r_write_file;

typedef SEXP entry_3(SEXP, SEXP, SEXP);
entry_3 r_components, r_distance_summary, r_expected_differences, r_join_tiles,
    r_margin_spreads, r_read_samples, r_sample_distances, r_shifted_factor,
    r_similarity_graph;

typedef SEXP entry_4(SEXP, SEXP, SEXP, SEXP);
entry_4 r_group_moments, r_label_margins, r_mean_differences, r_nearest_along,
    r_pck_means, r_quadratic_forms, r_strong_entries, r_varied_features;

typedef SEXP entry_5(SEXP, SEXP, SEXP, SEXP, SEXP);
entry_5 r_admit_pairs, r_best_pair, r_correlation_graph, r_correlation_sums,
    r_difference_sums, r_forest, r_propagation_columns, r_relabelled_hits,
    r_select_subset, r_shortest_path, r_within_radius;

typedef SEXP entry_6(SEXP, SEXP, SEXP, SEXP, SEXP, SEXP);
entry_6 r_constrained_margins, r_count_standardised, r_diversify,
    r_irelief_step, r_keep_uncorrelated, r_lanczos, r_nearest, r_pair_sums,
    r_resolvent, r_segment_moments, r_segment_sums, r_subset_errors;

typedef SEXP entry_7(SEXP, SEXP, SEXP, SEXP, SEXP, SEXP, SEXP);
entry_7 r_principal_components, r_relabelled_margins, r_simba, r_sparse_graph;

/* ---- results ------------------------------------------------------------- */

/* A new vector or matrix as element `at` of a list, to be filled in. */
int *set_ints(SEXP list, int at, size_t count);
double *set_reals(SEXP list, int at, size_t count);
int *set_int_matrix(SEXP list, int at, size_t rows, size_t columns);
double *set_real_matrix(SEXP list, int at, size_t rows, size_t columns);

/* The first `count` elements of a list: those members of each of p structs of
 * `members` numbers. */
void set_members(SEXP list, const void *structs, size_t p, int count,
                 size_t members);

/* ---- readers ------------------------------------------------------------- */

/* An element of a named list; an internal error when it is not there. */
SEXP list_element(SEXP list, const char *name);
SEXP list_element_or_null(SEXP list, const char *name);
int list_int(SEXP list, const char *name);
double list_real(SEXP list, const char *name);
size_t list_size(SEXP list, const char *name);

/* The numbers of a vector, and of an element, which must be `count`; integers
 * may be logical values. */
#define ANY_COUNT ((size_t)-1)
int *ints_of(SEXP x, size_t count);
double *reals_of(SEXP x, size_t count);
int *list_ints(SEXP list, const char *name, size_t count);
double *list_reals(SEXP list, const char *name, size_t count);
/* Those of a vector; NULL for R's NULL. */
int *int_or_null(SEXP x, size_t count);
double *real_or_null(SEXP x, size_t count);

/* An error when the parts of an object do not fit together. */
void check_fit(int fits);
/* An error unless these numbers are at least `lower` and below `end`. */
void check_places(const int *numbers, size_t count, int lower, size_t end);
/* The `count` numbers of a vector, and of an element, so checked. */
int *places_of(SEXP x, size_t count, int lower, size_t end);
int *list_places(SEXP list, const char *name, size_t count, int lower,
                 size_t end);
/* Where each of `count` lists begins among `total` numbers, and `total`. */
int *list_starts(SEXP list, const char *name, size_t count, size_t total);

/* A copy of numbers that R counts from 1 to `most`, counted from 0. */
int *zero_based(SEXP numbers, size_t most);

/* A factor's codes, one for each of n samples, to classes from 0, NA to -1. */
const int *read_classes(SEXP codes, size_t n, size_t n_classes);

/* How a call runs: run_control() in R. */
run_control read_control(SEXP control);

/* A `links` list (constraint_links() in R, numbered from 0 there already) of n
 * samples; returns NULL for NULL. */
const lr_links *read_links(SEXP links, size_t n, lr_links *storage);

/* A similarity_graph's `weights`: a dgCMatrix, or a dense double matrix. */
lr_graph read_graph(SEXP weights);

/* A dgCMatrix, features x samples; the second one goes through all its row
 * numbers. */
lr_sample_cells read_columns(SEXP matrix);
lr_sample_cells read_fitting(SEXP matrix);

/* A feature_data list; `scaling` and `control` NULL: the call has none. Leaves
 * one object on the protection stack: the caller's UNPROTECT count includes
 * it. */
feature_data *read_data(SEXP data, SEXP scaling, SEXP control);

/* Features of the data by their numbers; leaves one object too. */
some_features read_features(SEXP data, SEXP scaling, SEXP fill, SEXP features,
                            SEXP control);

/* A search from all `ends` (numbers from 1, ascending; R_NilValue: all samples)
 * to all samples of a neighbour_space; leaves one object too. */
pair_walk read_search(SEXP where, SEXP ends, SEXP control);

#endif
