#ifndef LR_SEARCH_DENSE_H
#define LR_SEARCH_DENSE_H

#include "lr_matrix.h"
#include "search_tiles.h"

enum { LR_FEATURES = 256 }; /* of a pack: 128 kB, stays in cache */

/* Scaled rows, [feature][row], and where cells are missing: a bit for each of
 * the rows that a register tile takes, for its number of tile and feature. */
typedef struct {
    double u[LR_FEATURES * LR_ROWS];
    unsigned char gaps[LR_ROWS / 4][LR_FEATURES];
} lr_pack;

/* Distances of end points to samples, block of features by block of features;
 * a sum runs over the features in column order, one addition each, so its bits
 * depend neither on the blocks nor on threads nor on the instruction set.
 *
 * u_ij is the scaled value (lr_matrix.h); the distance of e and r is
 *   Manhattan  sum_j |u_ej - u_rj|     (methods: section 0)
 *   Euclidean  sum_j (u_ej - u_rj)^2   (squares: the order is the same)
 * with lr_difference() for categories and missing cells (of a sample to itself
 * it is not made: nobody asks for that distance). */
typedef struct {
    const lr_block *block;
    const lr_scaling *scaling;
    lr_metric metric;
    lr_level level;
    double *packed;      /* of the tile's end points, lr_packed_size() */
    unsigned char *gaps; /* a bit for each of 4 end points: is its cell missing?
                            a fourth of lr_packed_size(), NULL: none is */
    double **expected;   /* of each feature with missing cells, from
                            lr_expected_feature() */
} lr_panel;

/* Doubles that `packed` needs: ends rounded up to LR_PARTNERS, per feature. */
size_t lr_packed_size(size_t n_ends, size_t features);

/* Scaled values of one chunk of the tile's end points, [group of 4][feature]
 * [4], 0 beyond the last one; NaN = missing. */
void lr_pack_ends(const lr_panel *panel, const lr_tile *tile, lr_chunk chunk);

/* Expected differences of feature number j of the block, n for each table
 * (lr_class_tables), to panel->expected[j].
 * scratch  n + lr_expected_scratch() doubles */
void lr_expected_feature(const lr_panel *panel, size_t j, double *scratch);

/* Adds the block's part of the distances to LR_ROWS rows of the tile from its
 * row number `from` on (fewer at its end).
 * pack  this thread's own
 * Cost: LR_ROWS * n_ends * count differences. */
void lr_fill_rows(const lr_panel *panel, const lr_tile *tile, size_t from,
                  lr_pack *pack);

#endif
