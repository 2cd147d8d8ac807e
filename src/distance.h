#ifndef LR_DISTANCE_H
#define LR_DISTANCE_H

#include "lr_matrix.h"

enum {
    LR_ROWS = 64,      /* samples that are scaled and packed at a time */
    LR_FEATURES = 256, /* features of such a pack: 128 kB, stays in cache */
    LR_PARTNERS = 4    /* end points that share one load of a pack */
};

/* Distances of some end points (samples by row number) to all samples. The
 * caller fills a panel block of features by block of features; a sum runs over
 * the features in column order, one addition each, so its bits depend neither
 * on the blocks nor on threads nor on the instruction set.
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
    const int *ends;        /* n_ends row numbers */
    size_t n_ends;
    const double *packed;   /* from lr_pack_ends() */
    const double *expected; /* from lr_expected_block(), or NULL */
} lr_panel;

/* Doubles that `packed` needs: ends rounded up to LR_PARTNERS, per feature. */
size_t lr_packed_size(size_t n_ends, size_t features);

/* Scaled values of the end points, [group of 4][feature][4], 0 beyond the
 * last one; NaN = missing. */
void lr_pack_ends(const lr_block *block, const lr_scaling *scaling,
                  const int *ends, size_t n_ends, double *packed);

/* Features of the block with missing cells: their number is how many columns
 * of n doubles lr_expected_block() fills, for each table of expected
 * differences (lr_class_tables). */
size_t lr_count_missing(const lr_block *block, const lr_scaling *scaling);

/* Expected differences of those features. scratch: 3 n + 1 doubles. */
void lr_expected_block(const lr_block *block, const lr_scaling *scaling,
                       double *expected, double *scratch);

/* Adds the block's part of the distances to rows first_row .. first_row +
 * LR_ROWS - 1 (fewer at the end of the data).
 * distance  [end][row], ends `ld` doubles apart, LR_ROWS writable in each of
 *           the ends rounded up to LR_PARTNERS
 * pack      LR_ROWS * LR_FEATURES doubles of this thread's own
 * Cost: LR_ROWS * n_ends * count differences. */
void lr_distance_rows(const lr_panel *panel, size_t first_row,
                      double *distance, size_t ld, double *pack);

#endif
