#pragma once

#include "lr_matrix.h"
#include "lr_vector.h"

/* The result of one pass over a feature. */
typedef struct {
    double minimum, maximum; /* of the observed cells; NaN when there is none */
    int missing;             /* cells that the caller calls missing */
    int bad;                 /* NaN or infinite cells that are not missing */
} lr_summary;

/* Distinguishes a missing cell from a NaN of a computation. */
typedef int (*lr_is_missing)(double);

/* Purpose: range, missing and non-finite cells of one feature.
 * x  `count` of its n raw cells; the others are 0
 * Cost: one pass over x, two when a cell is not finite. */
lr_summary lr_scan(const double *x, size_t count, size_t n,
                   lr_is_missing is_missing);

/* Is one of the n cells x neither the minimum nor the maximum of its feature,
 * so that it has more than two different values? Cost: up to the first such
 * cell. */
int lr_has_several(const double *x, size_t n, const lr_summary *summary);

/* Do at least `least` of these cells differ from the most frequent value among
 * them? Missing cells are no value. x: n cells, changed.  Cost: two passes. */
int lr_is_varied(double *x, size_t n, double least);

/* Ranges of all features that grow sample by sample; NaN at first. */
typedef struct {
    double *minimum, *maximum; /* per feature */
    double *entries;           /* cells seen, also missing and bad ones */
    int *missing, *bad;
    int *several;              /* more than two different values? */
    int whole;                 /* whole numbers only, so far? */
} lr_ranges;

/* Takes in `count` cells x of one sample. feature: whose they are; NULL for
 * features 0 .. count - 1. Cost: one comparison or two a cell. */
void lr_scan_sample(lr_ranges *ranges, const int *feature, const double *x,
                    size_t count, lr_is_missing is_missing);

/* The cells of `n` samples that were not seen are zeros. */
void lr_scan_zeros(lr_ranges *ranges, size_t p, size_t n);

/* Do p columns of a sparse matrix hold rows 0 .. n - 1 in ascending order, with
 * `count` cells in all? start: p + 1 numbers. Cost: one pass over `row`. */
int lr_columns_fit(const int *start, size_t p, const int *row, size_t count,
                   size_t n);

/* Means and standard deviations of the observed cells of LR_DOUBLES features
 * side by side, denominator one less than there are; NaN when there is none, or
 * one. x: of each feature `count` of the n cells; the others are 0, and change
 * no bit. Cost: two passes, more where cells are missing or all are huge, tiny
 * or 0. */
void lr_moments(const double *const *x, size_t count, size_t n, double *mean,
                double *deviation);
