#pragma once

#include <stdint.h>

#include "lr_matrix.h"
#include "lr_vector.h"
#include "search_tiles.h"

enum {
    LR_FEATURES = 256, /* of a pack: 128 kB, stays in cache */
    LR_GAPPED = 16,    /* of a pack with missing cells, which are more */
    LR_TILE_ROWS = 2 * LR_DOUBLES, /* of the smallest register tile */
    LR_WIDE_ROWS = 8,              /* of the largest one with missing cells */
    LR_WIDEST_ROWS = 16,           /* of the largest one */
    /* of all patches: one for each tile and feature, and patch 0 */
    LR_PATCH_ROWS = LR_ROWS * LR_GAPPED + LR_WIDE_ROWS
};

/* A missing cell of a row: where its expected differences to the end points at
 * hand are, of a group's packed ones, and where they are put. */
typedef struct {
    size_t from;
    double *to;
} lr_gap;

/* What a pack needs besides its rows where cells are missing.
 * - The cell of an end point: its difference to all rows is the expected one.
 *   So from[j][e] says where the numbers are that meet end point e of a group
 *   in feature j: the rows of the pack, or these expected differences.
 * - The cell of a row: its difference to all end points is the expected one. A
 *   patch says so for one feature and the rows of one register tile: `keep` has
 *   no bits for such a row, so that its difference becomes 0, and `add` has the
 *   expected one instead. Patch 0 changes nothing. */
typedef struct {
    double add[LR_PATCH_ROWS * LR_PARTNERS];
    uint64_t keep[LR_PATCH_ROWS];
    const double *from[LR_GAPPED][LR_PARTNERS];
    unsigned short patch[LR_ROWS / LR_TILE_ROWS][LR_GAPPED];
    lr_gap gaps[LR_ROWS * LR_GAPPED]; /* by register tile: */
    size_t gap_start[LR_ROWS / LR_TILE_ROWS + 1];
    unsigned char turned[LR_GAPPED]; /* features whose `from` is not the pack */
    size_t n_turned;
} lr_pack_gaps;

/* The words for what is computed at a time:
 *   tile           some end points x some rows (search_tiles.h)
 *   register tile  LR_PARTNERS of the end points x the rows of two vectors
 *   group          LR_PARTNERS end points
 *   panel          all end points of a tile, packed group by group
 *   pack           LR_ROWS rows of some features, packed for one thread */

/* Scaled rows, [feature][row]. */
typedef struct {
    double u[LR_FEATURES * LR_ROWS];
    lr_pack_gaps *gaps; /* NULL when no cell is missing */
} lr_pack;

/* Distances of end points to samples, block of features by block of features;
 * a sum runs over the features in column order, one addition each, so its bits
 * depend neither on the blocks nor on threads nor on the instruction set.
 *
 * u_ij is the scaled value (lr_matrix.h); the distance of e and r is
 *   Manhattan  sum_j |u_ej - u_rj|     (methods: section 0)
 *   Euclidean  sum_j (u_ej - u_rj)^2   (squares: the order is the same)
 * with lr_difference() for categories and missing cells (of a sample to itself
 * it is not made: that distance is never used). */
typedef struct {
    const lr_block *block;
    const lr_scaling *scaling;
    lr_metric metric;
    lr_level level;
    double *packed;      /* of the tile's end points, lr_packed_size() */
    unsigned char *gaps; /* a bit for each of 4 end points: is its cell missing?
                            a fourth of lr_packed_size(), NULL: none is */
    size_t n_tables;     /* tables of a feature, without those at the end that
                            are of no sample */
    size_t n_gapped;     /* features of the block with missing cells, and of the
                            tile's end points and these [group of 4][feature]
                            [table][4] expected differences in the metric: */
    double *packed_expected;
    const double **expected; /* of each feature with missing cells, from
                            lr_expected_feature(); LR_BEHIND numbers behind
                            the last table are read, but not used */
} lr_panel;

/* Doubles that `packed` needs: ends rounded up to LR_PARTNERS, per feature. */
size_t lr_packed_size(size_t n_ends, size_t features);

/* Scaled values of one chunk of the tile's end points, [group of 4][feature]
 * [4], 0 beyond the last one; NaN = missing. */
void lr_pack_ends(const lr_panel *panel, const lr_tile *tile, lr_chunk chunk);

/* Adds the block's part of the distances to LR_ROWS rows of the tile from its
 * row number `from` on (fewer at its end).
 * pack  this thread's own
 * Cost: LR_ROWS * n_ends * count differences. */
void lr_fill_rows(const lr_panel *panel, const lr_tile *tile, size_t from,
                  lr_pack *pack);
