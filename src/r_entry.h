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

/* ---- entries ------------------------------------------------------------ */

/* r_read_source.c: the most threads that a call may use, and how many have worked
 * since this was asked last */
SEXP r_most_threads(SEXP control);
SEXP r_threads_used(void);

/* r_spread.c */
SEXP r_hash_object(SEXP value);

/* r_read.c */
SEXP r_frame_types(SEXP frame);
SEXP r_columns_fit(SEXP matrix);
SEXP r_frame_matrix(SEXP frame, SEXP types, SEXP codes);
SEXP r_scan_features(SEXP data, SEXP control);
SEXP r_scan_samples(SEXP block, SEXP p, SEXP scan);
SEXP r_scan_zeros(SEXP scan, SEXP n);
SEXP r_feature_moments(SEXP data, SEXP control);
SEXP r_read_samples(SEXP data, SEXP scaling, SEXP samples);
SEXP r_read_features(SEXP data, SEXP features);

/* r_read_source.c: sparse data sample by sample */
SEXP r_transpose_samples(SEXP matrix);
SEXP r_bind_samples(SEXP blocks);

/* r_constraints.c */
SEXP r_components(SEXP n, SEXP first, SEXP second);
SEXP r_shortest_path(SEXP n, SEXP first, SEXP second, SEXP from, SEXP to);
SEXP r_closure(SEXP links);

/* r_search.c */
SEXP r_nearest(SEXP where, SEXP ends, SEXP k, SEXP rule, SEXP with_distance,
               SEXP control);
SEXP r_within_radius(SEXP where, SEXP ends, SEXP radius, SEXP rule,
                     SEXP control);
SEXP r_sample_distances(SEXP where, SEXP ends, SEXP control);
SEXP r_distance_summary(SEXP where, SEXP ends, SEXP control);

/* r_margin_relief.c */
SEXP r_segment_sums(SEXP data, SEXP scaling, SEXP segments, SEXP square,
                    SEXP before, SEXP control);
SEXP r_segment_moments(SEXP data, SEXP scaling, SEXP segments, SEXP fresh,
                       SEXP before, SEXP control);

/* r_margin_irelief.c, r_margin_simba.c */
SEXP r_irelief_step(SEXP data, SEXP scaling, SEXP where, SEXP ends,
                    SEXP options, SEXP control);
SEXP r_simba(SEXP data, SEXP scaling, SEXP visits, SEXP order, SEXP links,
             SEXP both, SEXP control);

/* r_margin.c */
SEXP r_constrained_margins(SEXP data, SEXP scaling, SEXP pairs, SEXP lists,
                           SEXP both, SEXP control);

/* r_margin_permutations.c */
SEXP r_relabelled_hits(SEXP graph, SEXP samples, SEXP lists, SEXP block,
                       SEXP k);
SEXP r_relabelled_margins(SEXP data, SEXP scaling, SEXP pairs, SEXP ends,
                          SEXP hits, SEXP both, SEXP control);
SEXP r_margin_spreads(SEXP margin, SEXP rounding, SEXP chunks);
SEXP r_count_standardised(SEXP margin, SEXP rounding, SEXP chunks,
                          SEXP spreads, SEXP features, SEXP thresholds);

/* r_margin_labels.c */
SEXP r_label_margins(SEXP data, SEXP scaling, SEXP index, SEXP control);

/* r_graph.c */
SEXP r_similarity_graph(SEXP where, SEXP options, SEXP control);
SEXP r_graph_degrees(SEXP weights);

/* r_score.c */
SEXP r_quadratic_forms(SEXP data, SEXP scaling, SEXP forms, SEXP control);
SEXP r_pair_sums(SEXP data, SEXP scaling, SEXP first, SEXP second,
                 SEXP products, SEXP control);

/* r_graph_feature.c */
SEXP r_sparse_graph(SEXP data, SEXP scaling, SEXP fill, SEXP simplex,
                    SEXP lambda, SEXP part, SEXP control);
SEXP r_correlation_graph(SEXP data, SEXP scaling, SEXP fill, SEXP k,
                         SEXP control);

/* r_components.c */
SEXP r_principal_components(SEXP data, SEXP scaling, SEXP count,
                            SEXP tolerance, SEXP exact, SEXP start,
                            SEXP control);

/* r_glean.c */
SEXP r_difference_sums(SEXP data, SEXP scaling, SEXP graphs, SEXP groups,
                       SEXP control);
SEXP r_mean_differences(SEXP data, SEXP scaling, SEXP block, SEXP control);

/* r_graph_correlation.c */
SEXP r_keep_uncorrelated(SEXP data, SEXP scaling, SEXP fill, SEXP features,
                         SEXP most, SEXP control);
SEXP r_diversify(SEXP data, SEXP scaling, SEXP fill, SEXP features,
                 SEXP relevance, SEXP control);
SEXP r_correlation_sums(SEXP data, SEXP scaling, SEXP fill, SEXP features,
                        SEXP control);

/* r_graph_forest.c */
SEXP r_forest(SEXP i, SEXP start, SEXP weight, SEXP original, SEXP top);
SEXP r_cut_tree(SEXP merge, SEXP count);

/* r_graph_spectral.c */
SEXP r_graph_components(SEXP model, SEXP threshold);
SEXP r_shifted_factor(SEXP model, SEXP sigma, SEXP ridge);
SEXP r_inverse_product(SEXP inverse, SEXP x);
SEXP r_lanczos(SEXP model, SEXP inverse, SEXP root, SEXP plain, SEXP deflate,
               SEXP basis, SEXP steps);
SEXP r_resolvent(SEXP model, SEXP inverse, SEXP sigma, SEXP deflate,
                 SEXP value, SEXP entry);
SEXP r_best_pair(SEXP v, SEXP g, SEXP used, SEXP order, SEXP row);

/* r_graph_propagate.c */
SEXP r_propagation_columns(SEXP weights, SEXP root, SEXP a, SEXP rhs,
                           SEXP control);
SEXP r_strong_entries(SEXP h, SEXP y, SEXP options, SEXP control);
SEXP r_admit_pairs(SEXP n, SEXP given, SEXP first, SEXP second,
                   SEXP must_link);

/* r_subset.c */
SEXP r_select_subset(SEXP data, SEXP scaling, SEXP pairs, SEXP options,
                     SEXP control);
SEXP r_subset_errors(SEXP data, SEXP scaling, SEXP pairs, SEXP features,
                     SEXP sigmas, SEXP control);

/* r_cluster.c */
SEXP r_pck_means(SEXP rows, SEXP links, SEXP centers, SEXP settings);

/* r_read_files.c */
SEXP r_file_kind(SEXP file);
SEXP r_write_file(SEXP file, SEXP bytes);
SEXP r_sync_folder(SEXP folder);

/* r_evaluate.c */
SEXP r_nearest_along(SEXP cells, SEXP known, SEXP k, SEXP control);

/* r_markers.c */
SEXP r_group_moments(SEXP data, SEXP design, SEXP auc, SEXP control);

/* ---- results ------------------------------------------------------------ */

/* A new vector or matrix as element `at` of a list, to be filled in. */
int *set_ints(SEXP list, int at, size_t count);
double *set_reals(SEXP list, int at, size_t count);
int *set_int_matrix(SEXP list, int at, size_t rows, size_t columns);
double *set_real_matrix(SEXP list, int at, size_t rows, size_t columns);

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
