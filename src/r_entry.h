/* The border between R and the kernels: R headers, every registered entry,
 * and the readers that convert R objects into the kernels' structs. R code has
 * checked all arguments; what is wrong here is an internal error. */
#ifndef R_ENTRY_H
#define R_ENTRY_H

#define R_NO_REMAP
#define STRICT_R_HEADERS
#define USE_FC_LEN_T

#include <R.h>
#include <Rinternals.h>
#include <string.h>

#include "graph_similarity.h"
#include "constraints.h"
#include "lr_matrix.h"
#include "read_tile.h"
#include "read_transpose.h"

/* ---- memory until the end of the entry ---------------------------------- */

static inline double *new_doubles(size_t count)
{
    return (double *)R_alloc(count > 0 ? count : 1, sizeof(double));
}

static inline int *new_ints(size_t count)
{
    return (int *)R_alloc(count > 0 ? count : 1, sizeof(int));
}

static inline size_t *new_sizes(size_t count)
{
    return (size_t *)R_alloc(count > 0 ? count : 1, sizeof(size_t));
}

static inline double *zero_doubles(size_t count)
{
    double *out = new_doubles(count);
    memset(out, 0, count * sizeof(double));
    return out;
}

/* `count` structs: all bits 0, so that members not named are NULL or 0 */
static inline void *zero_structs(size_t count, size_t size)
{
    void *out = R_alloc(count > 0 ? count : 1, (int)size);
    memset(out, 0, count * size);
    return out;
}

static inline size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ---- entries, by the number of their arguments --------------------------- */

typedef SEXP entry_0(void);
entry_0 r_threads_used;

typedef SEXP entry_1(SEXP);
entry_1 r_bind_samples, r_closure, r_columns_fit, r_file_kind, r_frame_types,
    r_graph_degrees, r_hash_object, r_most_threads, r_sync_folder,
    r_transpose_samples;

typedef SEXP entry_2(SEXP, SEXP);
entry_2 r_cut_tree, r_feature_moments, r_graph_components, r_inverse_product,
    r_read_features, r_scan_features, r_scan_samples, r_scan_zeros,
    r_write_file;

typedef SEXP entry_3(SEXP, SEXP, SEXP);
entry_3 r_components, r_distance_summary, r_expected_differences,
    r_frame_matrix, r_margin_spreads, r_read_samples, r_sample_distances,
    r_shifted_factor, r_similarity_graph;

typedef SEXP entry_4(SEXP, SEXP, SEXP, SEXP);
entry_4 r_group_moments, r_label_margins, r_mean_differences, r_nearest_along,
    r_pck_means, r_quadratic_forms, r_strong_entries;

typedef SEXP entry_5(SEXP, SEXP, SEXP, SEXP, SEXP);
entry_5 r_admit_pairs, r_best_pair, r_correlation_graph, r_correlation_sums,
    r_difference_sums, r_forest, r_propagation_columns, r_relabelled_hits,
    r_select_subset, r_shortest_path, r_within_radius;

typedef SEXP entry_6(SEXP, SEXP, SEXP, SEXP, SEXP, SEXP);
entry_6 r_constrained_margins, r_count_standardised, r_diversify,
    r_irelief_step, r_keep_uncorrelated, r_nearest, r_pair_sums, r_resolvent,
    r_segment_moments, r_segment_sums, r_subset_errors;

typedef SEXP entry_7(SEXP, SEXP, SEXP, SEXP, SEXP, SEXP, SEXP);
entry_7 r_lanczos, r_principal_components, r_relabelled_margins, r_simba,
    r_sparse_graph;

/* ---- results ------------------------------------------------------------ */

/* A new vector or matrix as element `at` of a list, to be filled in. */
int *set_ints(SEXP list, int at, size_t count);
double *set_reals(SEXP list, int at, size_t count);
int *set_int_matrix(SEXP list, int at, size_t rows, size_t columns);
double *set_real_matrix(SEXP list, int at, size_t rows, size_t columns);

/* The first `count` elements of a list: those members of each of p structs of
 * `members` numbers. */
void set_members(SEXP list, const void *structs, size_t p, int count,
                 size_t members);

/* ---- readers ------------------------------------------------------------ */

/* An element of a named list; an internal error when it is not there. */
SEXP list_element(SEXP list, const char *name);
SEXP list_element_or_null(SEXP list, const char *name);
int list_int(SEXP list, const char *name);
double list_real(SEXP list, const char *name);
size_t list_size(SEXP list, const char *name);

/* The numbers of an element; integers may be logical values. */
int *list_ints(SEXP list, const char *name);
double *list_reals(SEXP list, const char *name);
/* Those of a vector; NULL for R's NULL. */
int *int_or_null(SEXP x);
double *real_or_null(SEXP x);

/* A copy of numbers that R counts from 1, counted from 0. */
int *zero_based(SEXP numbers);

/* A factor's codes to classes from 0, NA to -1. */
const int *read_classes(SEXP codes);

/* How a call runs: run_control() in R. Nothing in it changes a result. */
typedef struct {
    int threads;        /* at most so many: scratch is made for each */
    double worthwhile;  /* work for which one more thread starts */
    lr_level level;
    int progress;
    double batch_bytes; /* what is held for a batch, where one is made */
} run_control;

run_control read_control(SEXP control);

/* For what is over in a moment: one thread, no progress line. */
run_control default_control(void);

/* Number of threads for `work` elementary operations (about 1e9 a second). */
int team_size(const run_control *control, double work);

lr_scaling read_scaling(SEXP scaling);

/* A `links` list (constraint_links() in R, numbered from 0 there already);
 * returns NULL for NULL. */
const lr_links *read_links(SEXP links, lr_links *storage);

/* A similarity_graph's `weights`: a dgCMatrix, or a dense double matrix. */
lr_graph read_graph(SEXP weights);

/* ---- reading features in blocks (r_read_source.c) ----------------------------- */

/* How the values are stored: `layout` in R. The blocks of a reader are the
 * size that R says; all others can be made smaller. */
typedef enum {
    LAYOUT_COLUMNS,
    LAYOUT_ROWS,
    LAYOUT_SPARSE,
    LAYOUT_BY_SAMPLE, /* sparse */
    LAYOUT_READER
} data_layout;

data_layout read_layout(SEXP data);

/* Sparse data in memory, of either layout? */
int is_stored(data_layout layout);

typedef struct {
    size_t n, p;
    size_t per_block;  /* features in a block, but for the last one */
    SEXP data;     /* the feature_data list */
    SEXP values;
    data_layout layout;
    double *buffer; /* n * per_block doubles; NULL when blocks need no copy */
    SEXP block;     /* what the reader function returned last */
    PROTECT_INDEX index;
} feature_source;

/* Opens the data for reading. `whole`: a double matrix may come as a single
 * block; else no block is larger than about 16 MB. Leaves one object on the
 * protection stack: the caller's UNPROTECT count includes it. */
feature_source source_open(SEXP data, int whole);

/* Smaller blocks, when something is held for each of their cells. */
void source_divide(feature_source *source, size_t parts);

/* All cells of sparse data feature by feature, or NULL for data of other kinds.
 * If they are stored by sample this transposes them when it is first called,
 * and so it allocates. */
const lr_sparse_tile *stored_cells(SEXP data, lr_sparse_tile *storage);

/* The cells of data that are stored sample by sample, else NULL. */
const lr_sample_cells *sample_cells(SEXP data, lr_sample_cells *storage);

/* Features first .. first + per_block - 1; valid until the next call. */
lr_block source_block(feature_source *source, size_t first);

/* ---- progress (r_progress.c) -------------------------------------------- */

typedef struct {
    const char *task, *unit;
    double total;
    long begin, shown; /* when the task began, and the line was written */
    double left;       /* seconds that it reported, -1 at first */
    int on, width;
} progress_line;

progress_line progress_begin(const char *task, const char *unit, double total,
                             int on);
/* Lets the user interrupt, and after two seconds shows how far we are. */
void progress_tick(progress_line *line, double done);
void progress_end(progress_line *line);

#endif
