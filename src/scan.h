#ifndef LR_SCAN_H
#define LR_SCAN_H

#include "lr_matrix.h"

/* What one pass over a feature tells. */
typedef struct {
    double minimum, maximum; /* of the observed cells; NaN when there is none */
    int missing;             /* cells that the caller calls missing */
    int bad;                 /* NaN or infinite cells that are not missing */
    int first_bad;           /* sample of the first one, -1 when none */
} lr_summary;

/* Tells a missing cell from a NaN that some computation left behind. */
typedef int (*lr_is_missing)(double);

/* Purpose: range, missing and non-finite cells of one feature.
 * x  n raw cells.  Cost: one pass over x, two when a cell is not finite. */
lr_summary lr_scan(const double *x, size_t n, lr_is_missing is_missing);

/* Mean and standard deviation of the observed cells, denominator one less than
 * there are; NaN when there is none, or one (three passes). */
void lr_moments(const double *x, size_t n, double *mean, double *deviation);

#endif
