#ifndef LR_EXPECTED_H
#define LR_EXPECTED_H

#include "lr_matrix.h"

/* Purpose: expected differences of one feature with missing cells to the
 * values that a missing cell stands for.
 *   numeric:  E|u - V| (of its ramp);  category: P(V != u),
 * V drawn from the values observed in one class, or in all samples (methods:
 * section 0, missing values; for categories ReliefD).
 * u        n scaled values, NaN = missing
 * scaling  its classes; one table without them, else one per class and one
 *          for samples of no class, which is that of all samples. A class
 *          without any value stands for all samples too.
 * out      [table][n], owned by the caller: of an observed cell the expected
 *          difference to a value of the table's class, of a missing cell the
 *          mean over the values it stands for itself
 * scratch  2 n + 1 doubles
 * Cost: a sort and two look-ups per cell for each table, O(n log n). */
void lr_expected_differences(const double *u, size_t n,
                             const lr_scaling *scaling, const lr_rule *rule,
                             double *out, double *scratch);

/* Ascending, in place, no recursion: O(n log n). */
void lr_sort(double *v, size_t n);

#endif
