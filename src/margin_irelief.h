#pragma once

#include "margin_pairs.h"
#include "search_tiles.h"

/* Which misses have one distribution: those of each class, classes weighted by
 * their priors, or all of them together (2.37 [Hijazi 2019]). */
typedef enum { LR_BY_CLASS = 1, LR_TOGETHER = 2 } lr_variant;

typedef struct {
    const int *class_of; /* per sample, -1 = takes no part */
    size_t n, n_classes;
    const double *prior; /* per class */
    double sigma;        /* kernel width: f(d) = exp(-d / sigma) */
    lr_variant variant;
} lr_irelief;

/* Purpose: converts the distances of one sample to all samples, in place, to
 * the coefficients of their differences in v (2.31 - 2.35): gamma alpha for
 * misses, - gamma beta for hits, 0 for itself.
 * scratch  3 n_classes doubles
 * Returns gamma, 1 minus the probability that the sample is an outlier (2.33,
 * 2.34). The kernel is taken relative to the nearest sample of a class, so that
 * it never vanishes for a whole class. Cost: n exponentials. */
double lr_irelief_coefficients(const lr_irelief *problem, int end,
                               double *distance, double *scratch);

/* v[l] += sum over ends e and samples r of coefficient_er |u_e - u_r| for
 * LR_LANES plain features.
 * tile  the coefficients in place of distances, all samples in its rows
 * u     [sample][LR_LANES]
 * Cost: n_ends * n differences per feature. */
void lr_irelief_plain(const lr_tile *tile, const double *u, double *v);

/* The same for one feature that is a category or has missing cells. table: per
 * sample, of the expected differences. */
void lr_irelief_other(const lr_tile *tile, const lr_values *values,
                      const int *table, double *v);
