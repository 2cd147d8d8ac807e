/* The data as kernels see it: blocks of features, and how a raw cell becomes
 * the scaled value that differences are taken of. */
#ifndef LR_MATRIX_H
#define LR_MATRIX_H

#include "lr.h"

/* Some consecutive features of all n samples. A missing cell is NaN. */
typedef struct {
    const double *values; /* cell (i, j) at values[i + j * stride] */
    size_t stride;        /* at least n */
    size_t n;             /* samples */
    size_t first;         /* number of the block's first feature */
    size_t count;         /* features in the block */
} lr_block;

/* Per feature of the whole data set (length p each):
 * u = (x - center) / divisor, computed once per cell; 0 where divisor is 0.
 * A category feature differs by 1 where two values are unequal. */
typedef struct {
    const double *center;
    const double *divisor;
    const int *category;
    const int *missing; /* number of missing cells */
} lr_scaling;

/* A feature whose scaled values are all the same adds nothing. */
static inline int lr_is_constant(const lr_scaling *s, size_t feature)
{
    return s->divisor[feature] == 0.0;
}

/* Plain features differ by |u_a - u_b|; others need lr_difference(). */
static inline int lr_is_plain(const lr_scaling *s, size_t feature)
{
    return !s->category[feature] && s->missing[feature] == 0;
}

static inline double lr_scale_cell(const lr_scaling *s, size_t feature,
                                   double x)
{
    double divisor = s->divisor[feature];
    return divisor == 0.0 ? 0.0 : (x - s->center[feature]) / divisor;
}

#endif
