/* The one LAPACK routine in use. It belongs to the layer that knows R: kernels
 * take the finished factor, and are built and tested without LAPACK. */
#ifndef LR_LAPACK_H
#define LR_LAPACK_H

#include <R_ext/Lapack.h>

#ifndef FCONE
#define FCONE
#endif

/* The lower Cholesky factor in place of the lower triangle of a, n x n by
 * columns. Returns 0 when a is not positive definite. */
static inline int lr_cholesky(double *a, int n)
{
    int info = 0;
    F77_CALL(dpotrf)("L", &n, a, &n, &info FCONE);
    return info == 0;
}

#endif
