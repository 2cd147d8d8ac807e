#pragma once

#include "lr_matrix.h"

/* Products of features with several vectors at a time, for the principal
 * components of the samples. Sets of LR_VECTORS vectors of length n are held
 * side by side: entry i of vector t at [i * LR_VECTORS + t].
 *
 * Every sum has one order, that of the rows or of the features, and a cell that
 * is 0 adds nothing to it: sparse and dense data, blocks of any size and any
 * number of threads give the same bits. */
enum {
    LR_VECTORS = 8,
    LR_COLUMNS = 4 /* of the same rows, that are in work together */
};

/* Scaled cells of a feature: of the samples row[0 .. count - 1], or of the
 * samples first .. first + count - 1 when `row` is NULL. */
typedef struct {
    size_t count, first;
    const int *row;
    const double *u;
} lr_cells;

/* out[c][t] += sum_i u_i x[i][t], LR_VECTORS results for the cells of each
 * column c. columns: 1, or LR_COLUMNS of the same rows, without `row`.
 * Cost: 16 count for each. */
void lr_dot_vectors(const lr_cells *cells, size_t columns, const double *x,
                    double *out, lr_level level);

/* y[i][t] += u_i w[c][t], c in order. Cost: 16 count for each. */
void lr_add_vectors(const lr_cells *cells, size_t columns, const double *w,
                    double *y, lr_level level);

/* Orthonormal columns of length m. */
typedef struct {
    const double *columns;
    size_t m, count;
} lr_basis;

/* out[c][t] += sum of basis[i][c] x[i][t] over the rows from .. to - 1. */
void lr_dot_basis(const lr_basis *basis, size_t from, size_t to,
                  const double *x, double *out, lr_level level);

/* x[i][t] -= sum of basis[i][c] w[c][t], c in order, for these rows. */
void lr_less_basis(const lr_basis *basis, size_t from, size_t to,
                   const double *w, double *x, lr_level level);

/* sum of u and of its squares, in the order of the rows. */
void lr_sum_cells(const lr_cells *cells, double *sum, double *squares);

/* A start that no random numbers decide, another one for each `number`: entries
 * between -1 and 1. */
void lr_start_vectors(size_t n, size_t width, size_t number, double *x);

/* Makes the first `width` vectors of x orthonormal in place: x = q r. A vector
 * with a remaining length below `least` is dropped, and those after it move up.
 * r  LR_VECTORS x LR_VECTORS by columns; rows beyond the result are 0
 * Returns how many are left; all vectors behind them are 0. */
size_t lr_orthonormalize(size_t n, size_t width, double least, double *x,
                         double *r);

/* Length of G v - value v for the Ritz vector of column `vector` (length k) of
 * the projected problem, whose last `width` entries belong to the last block
 * and whose remainder is next * r (rows of r: `next`). */
double lr_ritz_residual(const double *vector, size_t k, size_t width,
                        const double *r, size_t next);

/* basis (m x k by columns) <- basis * s (k x keep by columns), in place.
 * scratch: LR_ROTATED k doubles. */
enum { LR_ROTATED = 64 };
void lr_rotate_basis(double *basis, size_t m, size_t k, const double *s,
                     size_t keep, double *scratch);
