#pragma once

#include "lr.h"

/* All eigenvalues and eigenvectors of a symmetric matrix, by Householder's
 * reduction to a tridiagonal matrix and QL with implicit shifts (Golub and Van
 * Loan 2013, Algorithms 8.3.1 and 8.3.3). Sums run in a fixed order, so that
 * the bits are the same wherever and with whatever BLAS R runs.
 * a       n x n by columns, n > 0, both triangles; destroyed
 * values  n results, largest first
 * first   0; or of each eigenvector only the entries first .. n - 1 are wanted,
 *         for a quarter of the cost
 * vectors (n - first) x n by columns, orthonormal, in the order of the values
 * scratch 3 n doubles
 * LR_NOT_CONVERGED: an eigenvalue took more than 60 sweeps, which finite input
 * never does. Cost: about 8 n^3. */
lr_status lr_symmetric_eigen(double *a, size_t n, size_t first, double *values,
                             double *vectors, double *scratch);
