/* Distances of some end points to all samples of sparse data, up to a proven
 * bound, from the features that both have.
 *
 * With w = u - zero (read_entries.h) |u_a - u_b| = |w_a - w_b|, and with m =
 * min( |w_a|, |w_b|) where the signs agree, else 0,
 *     |w_a - w_b| = |w_a| + |w_b| - 2 m,
 *     (w_a - w_b)^2 = w_a^2 + w_b^2 - 2 w_a w_b,
 * so that T = S_e + S_j - 2 M with S the sum of a sample's own |w| or w^2 and M
 * over the features in which neither is 0. M is summed in floats.
 *
 * Bound. eta = 2^-24, m_e = features in which the end point is not 0. A float
 * is within eta of its double, a product within 2 eta + eta, and a float sum of
 * at most m_e terms of one sign adds (m_e - 1) eta: with x = (m_e + 3) eta and
 * c_e = 2 x / (1 - 2 x), 2 M is within c_e M of its exact value; the products
 * of the Euclidean sum have both signs, within c_e sqrt(S_e S_j) by
 * Cauchy-Schwarz. All double sums, the distance's own among them, have at most
 * p terms and stay within (2 p + 16) 2^-52 (S_e + S_j) together. Floats that
 * vanish: at most p 2^-148 (Euclidean: p 2^-146 (1 + max |w|)^2). */
#pragma once

#include "read_entries.h"
#include "read_transpose.h"
#include "search_bounds.h"

/* ---- samples one by one, and their exact distances ----------------------- */

/* Sparse data and how their cells are scaled: plain features only. They are
 * stored feature by feature (tile), or sample by sample. */
typedef struct {
    lr_sparse_tile tile;
    const lr_sample_cells *samples; /* NULL: the tile holds them all */
    size_t p;
    const double *center, *divisor; /* divisor 0: constant, left out */
    const double *zero; /* lr_shift_of(): of a cell that is not stored, w = 0 */
} lr_sparse_cells;

/* Some samples: their features ascend, and u is the scaled value. */
typedef struct {
    size_t *start; /* per sample and one more */
    int *feature;
    double *u;
} lr_sparse_rows;

/* Of cells that are stored in either way. Sets rows->start for `count` samples,
 * so that start[count] tells how many cells they have. place per sample of the
 * data: its number among them, -1 when not wanted */
void lr_count_cells(const lr_sparse_cells *cells, const int *place,
                    size_t count, lr_sparse_rows *rows);

/* Fills in the cells; start is as before.
 * next   count size_t of scratch */
void lr_extract_cells(const lr_sparse_cells *cells, const int *place,
                      size_t count, lr_sparse_rows *rows, size_t *next);

/* The distance of samples a of `left` and b of `right`, the sum over the
 * features in column order: a feature that neither stores adds 0, so the bits
 * are those of the sum over all. Euclidean: squared. */
double lr_sparse_distance(const lr_sparse_rows *left, size_t a,
                          const lr_sparse_rows *right, size_t b,
                          const double *zero, lr_metric metric);

/* ---- end points feature by feature, and bounds --------------------------- */

enum {
    LR_SPARSE_ROWS = 1024, /* samples whose sums stay in cache */
    LR_SPARSE_UNIT = 16    /* end points are rounded up to this */
};

/* The end points by feature. Where few of them are not 0, a list of these,
 * first the positive ones; else the values of all, positive and negative parts
 * apart (Euclidean: the values themselves, in `positive`). */
typedef struct {
    lr_metric metric;
    size_t n_ends, ld;    /* ld: n_ends rounded up to LR_SPARSE_UNIT */
    size_t p;
    size_t *start, *middle; /* per feature (and one more) of `end`, `size` */
    int *end;             /* list, space for all cells of the end points */
    float *size;          /* |w|, or w */
    int *full;            /* per feature: number among the full ones, or -1 */
    size_t n_full;
    float *positive, *negative; /* [full feature][ld] */
    double *sum, *root;   /* per end: S_e and its root */
    double *slack;        /* per end: c_e */
    double relative;      /* (2 p + 16) 2^-52 */
    double vanished;
} lr_sparse_panel;

/* Are the bounds valid for values |w| <= largest of p features? */
int lr_sparse_bounded(size_t p, double largest, lr_metric metric);

/* How many features are full, and sets `full`. count: p of scratch. */
void lr_panel_plan(lr_sparse_panel *panel, const lr_sparse_rows *ends,
                   const double *zero, int *count);

/* Fills the panel in; start, middle, end, size, positive, negative, sum, root
 * and slack are allocated.
 * largest  of |w| in the data; next: 2 p size_t of scratch */
void lr_panel_fill(lr_sparse_panel *panel, const lr_sparse_rows *ends,
                   const double *zero, double largest, size_t *next);

/* The sums M of the samples from .. to - 1 with all end points, and their own
 * S.
 * cursor  per feature: a cell before which all rows are below `from`; moves on
 * common  [sample][ld] floats, own: per sample; both are cleared first
 * Cost: one addition for each cell and each end point that shares it. */
void lr_panel_sums(const lr_sparse_panel *panel, const lr_sparse_cells *cells,
                   size_t from, size_t to, int *cursor, float *common,
                   double *own);

/* Offers these samples to the lists of the end points.
 * bounds  2 n_ends doubles of scratch */
void lr_panel_offer(const lr_sparse_panel *panel, const lr_screen_rule *rule,
                    size_t from, size_t to, const float *common,
                    const double *own, double *bounds, lr_screen *screen);
