/* The border between R and the kernels: R headers, every registered entry,
 * and the readers that convert R objects into the kernels' structs. R code has
 * checked all arguments; readers check lengths and numbers of samples once
 * more, because objects may be edited by hand: what does not fit is an
 * error. */
#pragma once

#define R_NO_REMAP
#define STRICT_R_HEADERS
#define USE_FC_LEN_T

#include <R.h>
#include <Rinternals.h>
#include <R_ext/Lapack.h>
#ifndef FCONE
#define FCONE
#endif

#include "graph.h"
#include "read_walk.h"
#include "search_walk.h"

/* ---- entries ------------------------------------------------------------ */

/* The name of each and how many arguments it has. */
#define ENTRIES(E) \
    E(columns_fit, 1) E(scan_features, 2) E(scan_samples, 3) \
    E(expected_differences, 3) E(feature_moments, 2) E(read_features, 2) \
    E(bind_samples, 1) E(place_cells, 6) E(map_file, 3) E(unmap_file, 1) \
    E(is_mapped, 1) E(components, 3) \
    E(principal_components, 6) E(difference_sums, 5) E(mean_differences, 4) \
    E(shortest_path, 5) E(nearest, 6) E(within_radius, 5) \
    E(mean_distance, 3) E(segment_sums, 6) E(segment_moments, 6) \
    E(irelief_step, 6) E(simba, 7) E(constrained_margins, 6) \
    E(relabelled_hits, 5) E(relabelled_margins, 7) E(label_margins, 5) \
    E(near_pairs, 4) E(graph_degrees, 1) E(quadratic_forms, 4) \
    E(pair_sums, 6) E(sparse_graph, 6) E(correlation_graph, 4) \
    E(keep_uncorrelated, 5) E(diversify, 5) E(correlation_sums, 4) \
    E(forest, 5) \
    E(graph_components, 2) E(shifted_factor, 3) E(inverse_product, 2) \
    E(lanczos, 6) E(resolvent, 6) E(best_pair, 4) E(sample_distances, 3) \
    E(read_samples, 3) E(propagation_columns, 5) E(strong_entries, 4) \
    E(admit_pairs, 5) E(select_subset, 5) E(subset_errors, 6) E(pck_means, 4) \
    E(nearest_along, 4) E(group_moments, 4) E(file_kind, 1) E(write_file, 3) \
    E(sync_folder, 1) E(varied_features, 4)

#define ARGUMENTS_1 SEXP
#define ARGUMENTS_2 ARGUMENTS_1, SEXP
#define ARGUMENTS_3 ARGUMENTS_2, SEXP
#define ARGUMENTS_4 ARGUMENTS_3, SEXP
#define ARGUMENTS_5 ARGUMENTS_4, SEXP
#define ARGUMENTS_6 ARGUMENTS_5, SEXP
#define ARGUMENTS_7 ARGUMENTS_6, SEXP
#define DECLARE(name, n) SEXP r_##name(ARGUMENTS_##n);
ENTRIES(DECLARE)

/* ---- results ------------------------------------------------------------- */

/* A list of these names, to be filled in. */
#define NEW_LIST(...) Rf_mkNamed(VECSXP, (const char *[]){__VA_ARGS__, ""})

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
some_features read_features(SEXP data, SEXP scaling, SEXP features,
                            SEXP control);

/* A search from all `ends` (numbers from 1, ascending; R_NilValue: all samples)
 * to all samples of a neighbour_space; leaves one object too. */
pair_walk read_search(SEXP where, SEXP ends, SEXP control);
