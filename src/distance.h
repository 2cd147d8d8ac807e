#ifndef LR_DISTANCE_H
#define LR_DISTANCE_H

#include "lr_matrix.h"
#include "pairs.h"

enum { LR_FEATURES = 256 }; /* of a pack of LR_ROWS: 128 kB, stays in cache */

/* Distances of end points to samples, block of features by block of features;
 * a sum runs over the features in column order, one addition each, so its bits
 * depend neither on the blocks nor on threads nor on the instruction set.
 *
 * u_ij is the scaled value (lr_matrix.h); the distance of e and r is
 *   Manhattan  sum_j |u_ej - u_rj|     (methods: section 0)
 *   Euclidean  sum_j (u_ej - u_rj)^2   (squares: the order is the same)
 * with lr_difference() for categories and missing cells. */
typedef struct {
    const lr_block *block;
    const lr_scaling *scaling;
    lr_metric metric;
    lr_level level;
    double *packed;         /* of the tile's end points, lr_packed_size() */
    const double *expected; /* from lr_expected_block(), or NULL */
} lr_panel;

/* Doubles that `packed` needs: ends rounded up to LR_PARTNERS, per feature. */
size_t lr_packed_size(size_t n_ends, size_t features);

/* Scaled values of one share of the tile's end points, [group of 4][feature]
 * [4], 0 beyond the last one; NaN = missing. */
void lr_pack_ends(const lr_panel *panel, const lr_tile *tile, lr_share share);

/* Expected differences of the block's features with missing cells: n doubles
 * for each table (lr_class_tables). scratch: 3 n + 1 doubles. */
void lr_expected_block(const lr_block *block, const lr_scaling *scaling,
                       double *expected, double *scratch);

/* Adds the block's part of the distances to LR_ROWS rows of the tile from its
 * row number `from` on (fewer at its end).
 * pack  LR_ROWS * LR_FEATURES doubles of this thread's own
 * Cost: LR_ROWS * n_ends * count differences. */
void lr_fill_rows(const lr_panel *panel, const lr_tile *tile, size_t from,
                  double *pack);

#endif
