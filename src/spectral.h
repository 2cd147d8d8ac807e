#ifndef LR_SPECTRAL_H
#define LR_SPECTRAL_H

#include "graph.h"
#include "lr.h"

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
} lr_laplacian;

/* y = S x, without the edits. Cost: the stored weights. */
void lr_similarity_product(const lr_graph *graph, const double *x, double *y);

/* y = L x, edits included. */
void lr_laplacian_product(const lr_laplacian *l, const double *x, double *y);

/* y = D^-1/2 S D^-1/2 x, without the edits; `root` holds 1 / sqrt(degree), 0
 * for an isolated vertex. scratch: n doubles. */
void lr_normalized_product(const lr_graph *graph, const double *root,
                           const double *x, double *y, double *scratch);

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

/* Removes from x its part in the span of k orthonormal columns. */
void lr_project(size_t n, const double *columns, size_t k, double *x);

/* y = operator x; the operator is symmetric. */
typedef void (*lr_operator)(void *context, const double *x, double *y);

/* One step of Lanczos with full reorthogonalisation, twice, against the
 * `deflate` columns and the basis so far.
 * basis  n x (at + 1), orthonormal; column at + 1 takes the next vector
 * alpha, beta  entry (at, at) and (at + 1, at) of the tridiagonal matrix
 * Returns 0 when the basis spans an invariant space (beta is 0 then). */
int lr_lanczos_step(size_t n, lr_operator apply, void *context,
                    const double *deflate, size_t n_deflate, double *basis,
                    size_t at, double *alpha, double *beta);

/* Solves operator x = rhs in the space orthogonal to the `deflate` columns, in
 * which the operator must be positive definite, by conjugate gradients,
 * preconditioned by a positive `diagonal` (its inverse is applied; NULL: none).
 * Stops at a residual of tolerance * ||rhs||. scratch: 4 n doubles.
 * LR_NOT_CONVERGED: a direction of no curvature, or max_steps were not enough;
 * x is the best so far. Returns the steps taken in *steps. */
lr_status lr_conjugate_gradients(size_t n, lr_operator apply, void *context,
                                 const double *diagonal, const double *deflate,
                                 size_t n_deflate, const double *rhs, double *x,
                                 double tolerance, int max_steps,
                                 double *scratch, int *steps);

/* Connected components over edges heavier than `threshold`, edits included,
 * numbered by their lowest sample; returns their number. component: n results.
 * scratch: 2 n ints. Cost: the edges; for a dense graph rows until everything
 * is reached, one row for a full graph. */
int lr_graph_components(const lr_laplacian *l, double threshold,
                        int *component, int *scratch);

/* Sensitivities of pairs, factored: with q columns of v and g
 *   score(i, j) = sum_r |(v_r(i) - v_r(j)) (g_r(i) - g_r(j))|
 * (methods: section 7; g = v gives that of the eigenvalue). */
typedef struct {
    size_t n, q;
    const double *v, *g; /* n x q */
    const double *used;  /* sorted keys of the pairs that are left out: */
    size_t n_used;       /*   i * n + j + 1 for i < j, from 0 */
} lr_sensitivity;

enum { LR_PAIR_BLOCK = 32 };

/* The pair i < j of the largest score that is not used, over all pairs or
 * (row >= 0) those of one sample; scores within 1e-10 of the largest are
 * equal, the lowest (i, j) wins; so do scores that are all 0 but for rounding.
 * order  the samples, so that each LR_PAIR_BLOCK in turn are close in (v, g):
 *        blocks whose boxes are too close together are not looked into
 * boxes  4 q doubles for each block
 * Returns 0 when no pair is left. Cost: from O(n + blocks^2) up. */
int lr_best_pair(const lr_sensitivity *s, int row, const int *order,
                 double *boxes, int *first, int *second, double *score);

#endif
