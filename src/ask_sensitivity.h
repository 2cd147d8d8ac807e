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

enum { LR_PAIR_BLOCK = 32 };

/* The pair i < j of the largest score that is not used, over all pairs or
 * (row >= 0) those of one sample; scores within 1e-10 of the largest are
 * equal, the lowest (i, j) wins; so do scores that are all 0 but for rounding.
 * order  the samples, so that each LR_PAIR_BLOCK in order are close in (v, g):
 *        blocks whose boxes are too close together are not looked into
 * boxes  4 q doubles for each block
 * Returns 0 when no pair is left. Cost: from O(n + blocks^2) up. */
int lr_best_pair(const lr_sensitivity *s, int row, const int *order,
                 double *boxes, int *first, int *second, double *score);
