/* The data as kernels see it: blocks of features, and how a raw cell becomes
 * the scaled value that differences are taken of. */
#pragma once

#include "lr.h"

/* Some consecutive samples of sparse data, feature by feature. */
typedef struct {
    size_t first, count; /* samples */
    const int *start;    /* per feature and one more: its cells are */
    const int *row;      /*   row[start[j]] ..: 0 .. count - 1, ascending */
    const double *value;
} lr_sparse_tile;

/* Some consecutive features of all n samples. A missing cell is NaN. */
typedef struct {
    const double *values; /* cell (i, j) at values[i + j * stride] */
    size_t stride;        /* at least n */
    size_t n;             /* samples */
    size_t first;         /* number of the block's first feature */
    size_t count;         /* features in the block */
    const lr_sparse_tile *stored; /* all features as sparse data store them,
                                     where `values` is NULL; else NULL */
} lr_block;

/* Per feature of the whole data set (length p each):
 * u = (x - center) / divisor, computed once per cell; 0 where divisor is 0.
 * A category feature differs by 1 where two values are unequal. The last five
 * are NULL (0) when a method has no use for them. */
typedef struct {
    const double *center;
    const double *divisor;
    const int *category;
    const int *missing; /* number of missing cells */
    const int *class_of; /* per sample, from 0, -1 = not known: a missing cell
                            is replaced by the values observed in its class */
    size_t n_classes;
    const double *ramp; /* low, high: numeric differences become 0 up to low, 1
                           from high, linear between */
    const double *step; /* per feature, instead of the 1 of categories */
    const double *const *expected; /* of each feature with missing cells its
                            expected differences (lr_missing.h), and LR_BEHIND
                            numbers that may be read; NULL: to be computed */
} lr_scaling;

enum { LR_BEHIND = 64 };

/* What the difference of two cells of one feature is. */
typedef struct {
    int category;
    double step;
    const double *ramp;
} lr_rule;

static inline lr_rule lr_rule_of(const lr_scaling *s, size_t feature)
{
    lr_rule r = {s->category[feature], s->step ? s->step[feature] : 1.0,
                 s->category[feature] ? NULL : s->ramp};
    return r;
}

/* Samples of an unknown class have the last table of expected differences,
 * that of all observed values. */
static inline size_t lr_class_tables(const lr_scaling *s)
{
    return s->class_of ? s->n_classes + 1 : 1;
}

static inline size_t lr_table_of(const lr_scaling *s, size_t sample)
{
    if (!s->class_of)
        return 0;
    return s->class_of[sample] < 0 ? s->n_classes
                                   : (size_t)s->class_of[sample];
}

/* A feature whose scaled values are all the same adds nothing. */
static inline int lr_is_constant(const lr_scaling *s, size_t feature)
{
    return s->divisor[feature] == 0.0;
}

/* Plain features differ by |u_a - u_b|; others need lr_difference(). */
static inline int lr_is_plain(const lr_scaling *s, size_t feature)
{
    return !s->category[feature] && s->missing[feature] == 0 && !s->ramp;
}

static inline double lr_scale_cell(const lr_scaling *s, size_t feature,
                                   double x)
{
    double divisor = s->divisor[feature];
    return divisor == 0.0 ? 0.0 : (x - s->center[feature]) / divisor;
}
