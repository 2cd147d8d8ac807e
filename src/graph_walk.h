/* What graphs are made of, in portions with a chance to interrupt between them:
 * each part is in the file that it names. */
#pragma once

#include "components_lanczos_walk.h"
#include "graph_propagate.h"
#include "graph_spectral.h"
#include "read_walk.h"
#include "search_walk.h"

/* ---- edges as they are found: graph_walk.c ------------------------------- */

typedef struct {
    size_t count, capacity;
    int *from, *to;
    double *weight;
} edge_list;

void add_edge(edge_list *list, int from, int to, double weight);

/* ---- graphs of samples: graph_walk.c ------------------------------------- */

/* Pairs of samples, from 1, that are nearer than epsilon, and their distances
 * (squared when Euclidean): at most `most`; returns how many there are. */
size_t near_pairs(pair_walk *walk, double epsilon, size_t most,
                  edge_list *near);

/* ---- correlations: graph_feature_walk.c ---------------------------------- */

/* Of those in `keep`, numbers of places: see lr_keep_uncorrelated(). */
size_t keep_uncorrelated(const some_features *some, double most, int *keep);

/* sums: of r and of |r| over all pairs. */
void sum_correlations(const some_features *some, double *sums);

/* ---- graphs of features: graph_feature_walk.c ---------------------------- */

/* The features that enter a graph: neither constant nor a copy of an earlier
 * one. Their columns are moved together at the front of u. */
typedef struct {
    const run_control *control;
    double *u;
    size_t n, p, count;
    int *feature;  /* count, numbered from 1 */
    int *original; /* p, numbered from 0; -1 constant */
} entering;

entering read_entering(const feature_data *data);

/* simplex or nnlasso: part number `part`, from 1, of the targets. */
typedef struct {
    int simplex;
    double lambda;
    int part, parts;
} code_options;

/* Per feature of the data. */
typedef struct {
    double *kkt;
    int *nonzeros, *rounds;
} code_report;

/* Edges between features, numbered from 1. */
void code_features(entering *e, const code_options *options, edge_list *list,
                   const code_report *report);

/* The k most correlated ones of each. */
void correlate_features(entering *e, double k, edge_list *list);

/* ---- conjugate gradients: graph_walk.c ----------------------------------- */

/* For LR_VECTORS right-hand sides at once, each with steps of its own. The
 * operator is positive definite on what is not deflated. */
typedef struct {
    size_t n;
    lr_block_operator apply;
    void *context;
    const double *diagonal; /* whose inverse is applied first; NULL: none */
    lr_basis deflate;
    double tolerance;       /* of the length of a residual */
    double most;            /* steps */
    const run_control *control;
    double *r, *p;          /* n x LR_VECTORS */
    double *sums;           /* two for each 512 samples, LR_VECTORS each */
    double *x;              /* the solution, n x LR_VECTORS */
    double *y;              /* the operator times p */
    double step[LR_VECTORS], back[LR_VECTORS];
} gradients;

gradients open_gradients(size_t n, lr_block_operator apply, void *context,
                         const run_control *control);

/* g->r: the right-hand sides, which become the residuals of g->x; length: of
 * each of these. A column ends at the tolerance, or where there is no curvature
 * or no number any more. */
void solve_block(gradients *g, double *length);

/* ---- propagation: graph_propagate_walk.c --------------------------------- */

typedef struct {
    lr_graph graph;
    const double *root; /* 1 / sqrt(degree), 0 for isolated samples */
    double a;
    const double *rhs;  /* n x count */
    size_t count;
    double most_steps;
} propagation;

/* Columns that ended by the number of steps, and their longest residual. */
typedef struct {
    size_t unfinished;
    double longest;
} propagated;

/* out: (I - a P)^-1 rhs, P = D^-1/2 S D^-1/2 */
propagated solve_propagation(const propagation *task, run_control control,
                             double *out);

typedef struct {
    lr_product product;
    double *maximum;
    lr_strong strong;
    size_t *count; /* strong entries of each item, then where they begin */
    size_t first;  /* item of this portion */
} product_task;

/* H Y', both n x k. */
lr_product pack_product(const double *h, const double *y, size_t n, size_t k);

/* Sets strong.tau; how many entries are strong, 0 unless it is positive. */
size_t count_strong(product_task *task, const run_control *control);

/* Fills in those of task->strong. */
void keep_strong(product_task *task, const run_control *control);

/* ---- spectra: graph_walk.c ----------------------------------------------- */

/* What the operators need; each uses its part. */
typedef struct {
    lr_laplacian laplacian;
    run_control control;
    lr_inverse inverse;
    int has_inverse;
    double shift;         /* of the operator at hand */
    const double *root;   /* diagonal of R, see lr_chebyshev; or NULL */
    double *diagonal;     /* of the Laplacian, edits included */
    const double *deflate;
    size_t n_deflate;
    double *more_scratch;
    double *one, *block;  /* of the inverse: two vectors; LR_VECTORS of them */
} spectral_context;

/* The diagonal and the scratch. */
void prepare_operators(spectral_context *context);

/* lr_chebyshev_rows() of some rows, for lr_run_chunks(). */
void chebyshev_rows(void *context, size_t from, size_t to);

/* With a root, of the operator of lr_chebyshev, with G = 0 unless `laplacian`;
 * else of the inverse. */
typedef struct {
    size_t wanted, steps; /* at most so many products */
    int laplacian;
    lr_accuracy accuracy;
    const double *start;  /* a unit vector near the first, or NULL */
} spectral_options;

/* Those of the largest eigenvalues: values and residuals of the operator
 * itself. */
eigenvectors graph_vectors(spectral_context *c, const spectral_options *o);

/* g, n numbers: see r_resolvent(). */
lr_status solve_resolvent(spectral_context *context, double value, double sigma,
                          size_t entry, double *g);
