#pragma once

#include "lr.h"

/* Centres a column of n values and divides it by its length, in place, so that
 * products of columns are correlations; a constant one becomes 0. */
void lr_standardize(double *x, size_t n);

/* Most correlated features (methods: section 6, ours): for each of the targets
 * first .. first + count - 1 (at most LR_NEAREST_TARGETS), its k features of
 * largest |r|, best first; of equal ones the lower column. Itself excluded.
 * nearest  k per target;  r: their correlations, with sign
 * scratch  lr_nearest_scratch(n) doubles
 * Cost: 2 n p count operations. */
enum { LR_NEAREST_TARGETS = 64 };
typedef struct {
    const double *z; /* n x p */
    size_t n, p;
} lr_standard;
size_t lr_nearest_scratch(size_t n);
void lr_nearest_correlated(const lr_standard *columns, size_t first,
                           size_t count, size_t k, int *nearest, double *r,
                           double *scratch);

/* Goes through the columns and keeps one unless its |r| with a column kept
 * before it exceeds `most`. Goes from column `first` to `end` - 1 with the
 * n_kept columns kept so far in `kept`; returns how many there are then. */
size_t lr_keep_uncorrelated(const double *z, size_t n, size_t first,
                            size_t end, double most, int *kept,
                            size_t n_kept);

/* Sums over the pairs of columns first .. first + count - 1 with all columns
 * before them: of r, and of |r|. scratch: lr_nearest_scratch(n). */
void lr_sum_correlations(const double *z, size_t n, size_t first, size_t count,
                         double *sum, double *absolute, double *scratch);
