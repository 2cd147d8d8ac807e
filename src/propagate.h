#ifndef LR_PROPAGATE_H
#define LR_PROPAGATE_H

#include "graph.h"
#include "lr.h"

/* Sets of T vectors of length n are held in groups of LR_SOLVE_LANES: entry i of
 * vector t is at [((t / LR_SOLVE_LANES) * n + i) * LR_SOLVE_LANES + t % LR_SOLVE_LANES]; T is
 * rounded up, and what is beyond it is 0. */
enum { LR_SOLVE_LANES = 4, LR_TILE_ROWS = 4, LR_SPAN = 256 };

size_t lr_lanes_size(size_t n, size_t columns);

/* Rows from .. to - 1 of Y = D^-1/2 S D^-1/2 X for `groups` groups of vectors.
 * scaled: D^-1/2 X; root: 1 / sqrt(degree), 0 for an isolated vertex. `from` is
 * a multiple of LR_TILE_ROWS. The sums run over the samples in order, so they
 * do not depend on how the rows are shared. */
void lr_normalized_rows(const lr_graph *graph, const double *root,
                        const double *scaled, size_t groups, size_t from,
                        size_t to, double *y);

/* One vector's way through conjugate gradients for (I - a P) m = e. */
typedef struct {
    double rr, pap;
    int done;
} lr_column;

/* After y = P p is known: one step of every column that is not done, which is
 * when its residual is at most tolerance. x, r, p, y as lanes.
 * Returns how many columns are left. */
size_t lr_advance_columns(size_t n, size_t columns, double a,
                          double tolerance, double *x, double *r, double *p,
                          const double *y, lr_column *state);

/* G = H Y', where H (n x k, by rows) and Y (`packed`: groups of LR_SOLVE_LANES rows,
 * [group][k][lane], 0 beyond n). Four rows from `row` on: their largest
 * entries. Cost 8 n k. */
void lr_row_maxima(const double *h, const double *packed, size_t n, size_t k,
                   size_t row, double *maximum);

/* The entries (row, j), j > row, that are at least tau or (both) at most -tau,
 * of the four rows from `row` on, group by group. first NULL: counts only.
 * Returns their number. */
size_t lr_strong_entries(const double *h, const double *packed, size_t n,
                         size_t k, size_t row, double tau, int both, int *first,
                         int *second, double *value);

/* Takes pairs in order, each unless it contradicts the closure of those before
 * it; the first n_given are consistent and always taken.
 * first, second, must_link: n_pairs each
 * taken    n_pairs results: 1 taken, 0 contradicts
 * scratch  4 n + 4 n_pairs ints
 * Cost: close to linear; a must-link costs the shorter of the two components'
 * lists of cannot-links. */
void lr_admit_pairs(size_t n, size_t n_given, size_t n_pairs, const int *first,
                    const int *second, const int *must_link, int *taken,
                    int *scratch);

#endif
