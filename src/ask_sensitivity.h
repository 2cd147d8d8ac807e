#pragma once

#include "lr.h"

/* Sensitivities of pairs, factored: with q columns of v and g
 *   score(i, j) = sum_r |(v_r(i) - v_r(j)) (g_r(i) - g_r(j))|
 * (methods: section 7; g = v gives that of the eigenvalue). */
typedef struct {
    size_t n, q;
    const double *v, *g; /* n x q */
    const double *used;  /* sorted keys of the pairs that are left out: */
    size_t n_used;       /*   i * n + j + 1 for i < j, from 0 */
} lr_sensitivity;

/* The pair i < j of the largest score that is not used, over all pairs or
 * (row >= 0) those of one sample; scores within 1e-10 of the largest are
 * equal, the lowest (i, j) wins; so do scores that are all 0 but for rounding.
 * bound  n doubles of scratch
 * Returns 0 when no pair is left. Cost: n q, and n^2 q where no sample's pairs
 * can be ruled out. */
int lr_best_pair(const lr_sensitivity *s, int row, double *bound, int *first,
                 int *second);
