#pragma once

#include "lr_difference.h"
#include "lr_vector.h"

/* Cannot-linked pairs of end points and the hits of each end point. Samples
 * are numbered by their place in a list of the rows that are needed at all, so
 * that the values of one feature are together in cache. */
typedef struct {
    size_t n_pairs;
    const int *first, *second; /* end points, 0 .. n_ends - 1 */
    size_t n_ends;
    const int *end;   /* place of each end point */
    size_t k;         /* space for hits per end point */
    const int *hit;   /* [end point][k] places */
    const int *count; /* hits of each end point, at most k */
    int both;         /* average the two directions of a pair? */
    const double *weight; /* of each pair; NULL: 1 */
} lr_margin_pairs;

/* What a feature's margins add up to. Deviations are taken from the first
 * pair's margin, so that equal margins have exactly no spread. */
typedef struct {
    double sum;       /* z of (3.8), (3.16) [Hijazi 2019] */
    double deviation; /* sum of (margin - first) */
    double square;    /* sum of (margin - first)^2 */
    double size;      /* largest |miss| + |hit| term: the scale of rounding */
    double first;     /* margin of the very first pair */
} lr_margin_sum;

/* Adds the margins of some pairs, each times its weight, the mean over the hits
 * H of
 *     |x_n - H(x_m)| - |x_n - H(x_n)|         (3.8), (3.16)
 * for LR_LANES plain features at once, or for one other. An end point without
 * hits counts 0.
 * values   `expected` of one table
 * sums     LR_LANES results, or one, continued from earlier pairs; `fresh` when
 *          there are none yet
 * scratch  n_ends * LR_LANES doubles, or n_ends
 * Cost: n_pairs * k * (1 or 2) + n_ends * k differences per feature. */
void lr_margins(const lr_margin_pairs *pairs, const lr_values *values,
                int fresh, lr_margin_sum *sums, double *scratch);
