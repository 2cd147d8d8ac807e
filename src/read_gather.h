#pragma once

#include "lr_difference.h"
#include "lr_vector.h"

/* Scales the cells of the needed rows of up to LR_LANES plain features of a
 * block (numbers within it) into u, [row][LR_LANES]; unused lanes become 0. */
void lr_gather_plain(const lr_block *block, const lr_scaling *scaling,
                     const size_t *features, size_t count, const int *rows,
                     size_t n_rows, double *u);

/* n raw cells x of a feature, scaled. */
void lr_scale_cells(const lr_scaling *scaling, size_t feature, const double *x,
                    size_t n, double *u);

/* Expected differences of feature number j of a block, n for each table
 * (lr_class_tables).
 * scratch  n + lr_expected_scratch() doubles */
void lr_expected_feature(const lr_block *block, const lr_scaling *scaling,
                         size_t j, double *out, double *scratch);

/* The same rows of one feature that is a category or has missing cells: u per
 * row. `expected`: [table][row], set when cells are missing.
 * scratch: (1 + tables) n + lr_expected_scratch() doubles
 * Returns whether `expected` was set. */
int lr_gather_single(const lr_block *block, const lr_scaling *scaling,
                     size_t feature, const int *rows, size_t n_rows, double *u,
                     double *expected, double *scratch);

/* Indicators of the levels level .. level + LR_LANES - 1 (codes of the
 * feature's cells) of a category feature, times sqrt(1/2): then the squared
 * difference of two samples is 0 or 1. u: [sample][LR_LANES], all samples. */
void lr_gather_levels(const lr_block *block, size_t feature, double level,
                      double *u);
