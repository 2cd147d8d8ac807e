#ifndef LR_EXPECTED_H
#define LR_EXPECTED_H

#include "lr_matrix.h"

/* What a missing cell of one feature stands for: the distribution of its
 * observed values. */
typedef struct {
    const double *cell; /* n: expected difference of each cell to a random
                           observed value; for a missing cell that of two
                           random observed values */
    double both;        /* expected difference of two random observed values */
} lr_expected;

/* Purpose: expected differences of one feature with missing cells.
 *   numeric:  E|u - V| and E|V - V'|;  category: P(V != u) and P(V != V'),
 * V, V' drawn from the observed values (methods: section 0, missing values
 * without labels; for categories ReliefD with one class).
 * u        n scaled values, NaN = missing
 * out      n results, owned by the caller; returns `both`
 * scratch  2 n + 1 doubles
 * Cost: one sort, O(n log n). */
double lr_expected_differences(const double *u, size_t n, int category,
                               double *out, double *scratch);

/* Ascending, in place, no recursion: O(n log n). */
void lr_sort(double *v, size_t n);

#endif
