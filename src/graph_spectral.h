#pragma once

#include "components.h"
#include "graph.h"

/* Sum of the weights at each sample. */
void lr_degrees(const lr_graph *graph, double *degree);

/* The Laplacian of a graph with weights S, and how active selection changes it:
 * an edit changes the weight of one pair. With b = e_first - e_second
 *
 *   L = D - S + sum_t delta_t b_t b_t'
 *
 * so S itself is never copied. A dense S must have a zero diagonal. All
 * vectors have n entries; the caller owns everything. */
typedef struct {
    lr_graph graph;
    const double *degree; /* row sums of S, without the edits */
    size_t n_edits;
    const int *first, *second;
    const double *delta;
    int team; /* threads of a product */
} lr_laplacian;

/* One step of Chebyshev's recurrence with A = R S R - G, which is -L without
 * edits or D^-1/2 S D^-1/2, for LR_VECTORS vectors side by side (components.h):
 *   next = factor (A now - center now) - before
 * The graph has weights, and 0 on the diagonal. All vectors are n x
 * LR_VECTORS. */
typedef struct {
    lr_graph graph;
    const double *root, *shift; /* diagonals of R and of G */
    double factor, center;
    const double *now, *scaled; /* scaled: R now */
    double *before;             /* takes next */
    double *turned;             /* takes R next */
    lr_level level;
} lr_chebyshev;

/* Rows from .. to - 1; the sums run over the samples in order. Cost: 16 for
 * each stored weight of these rows. */
void lr_chebyshev_rows(const lr_chebyshev *step, size_t from, size_t to);

/* The lower triangle of A = L - sigma I + ridge 11', by columns, for a
 * Cholesky factor. Dense graphs only; edits included. */
void lr_shifted_laplacian(const lr_laplacian *l, double sigma, double ridge,
                          double *a);

/* x = (R R')^-1 x for a lower Cholesky factor R, n x n by columns. Cost: one
 * pass over the triangle forwards and one backwards. */
void lr_cholesky_solve(size_t n, const double *factor, double *x);

/* The inverse of A after edits that came later than its factor, by Woodbury:
 *   (A + U C U')^-1 = A^-1 - Z (C^-1 + U'Z)^-1 Z',  Z = A^-1 U
 * where U has a column e_first - e_second per update, C = diag(delta). */
typedef struct {
    size_t n;
    const double *factor; /* lower Cholesky factor of A */
    size_t n_updates;
    const int *first, *second;
    const double *z;      /* n x n_updates */
    const double *small;  /* (C^-1 + U'Z)^-1, n_updates x n_updates */
} lr_inverse;

/* y = (updated A)^-1 x. scratch: 2 n_updates doubles. */
void lr_inverse_product(const lr_inverse *inverse, const double *x, double *y,
                        double *scratch);

/* Connected components over edges heavier than `threshold`, edits included,
 * numbered by their lowest sample. component: n results. scratch: 2 n ints.
 * Cost: the edges; for a dense graph rows until everything is joined, one row
 * for a full graph. */
void lr_graph_components(const lr_laplacian *l, double threshold,
                         int *component, int *scratch);
