#pragma once

#include "lr_matrix.h"

/* Purpose: expected differences of one feature with missing cells to the
 * values that replace a missing cell.
 *   numeric:  E|u - V| (of its ramp);  category: P(V != u),
 * V drawn from the values observed in one class, or in all samples (methods:
 * section 0, missing values; for categories ReliefD).
 * u        n scaled values, NaN = missing
 * scaling  its classes; one table without them, else one per class and one
 *          for samples of no class, which is that of all samples. A class
 *          without any value is replaced by those of all samples.
 * out      [table][n], owned by the caller: of an observed cell the expected
 *          difference to a value of the table's class, of a missing cell the
 *          mean over the values that replace it; the same number for two
 *          missing cells from both sides. A table is left as it is when none
 *          of its samples has a missing cell: it is never used
 * scratch  lr_expected_scratch() doubles
 * Cost: a sort, O(n), and two passes over the cells for each such table. */
size_t lr_expected_scratch(size_t n, size_t tables);
void lr_expected_differences(const double *u, size_t n,
                             const lr_scaling *scaling, const lr_rule *rule,
                             double *out, double *scratch);
