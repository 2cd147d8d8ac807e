/* Who computes distances, or bounds of them: the walk over pairs takes those of
 * any data, cell by cell; the search by bounds those of sparse data; the search
 * by points those in few dimensions. */
#pragma once

#include "search_dense.h"
#include "search_walk.h"

/* Operations between two checks for an interrupt. */
enum { CHUNK_WORK = 250000000 };

/* ---- all distances: search_dense_walk.c ---------------------------------- */

/* Expected differences of the features with missing cells. */
typedef struct {
    const feature_data *data;
    size_t *at; /* of each feature in `out` */
    double *out, *scratch; /* scratch: scratch_size of each thread */
    size_t scratch_size;
} expected_task;

/* The walk goes through the end points in passes, and in each through the
 * blocks of features. With a single block, tiles of a pass follow each other
 * down the rows; with more, a tile is all of its rows, and each block adds its
 * part. */
typedef struct {
    feature_source source;
    size_t n_blocks;
    double work; /* elementary operations for a pair and block */
    size_t end_bytes; /* of scratch for each end point of a pass */
    lr_block block;
    lr_panel panel;
    lr_pack *packs;      /* of each thread */
    size_t most_gapped;  /* features of a block with missing cells */
    expected_task expected; /* of these, unless the scaling has them */
} dense_distances;

/* Of the pairs of that walk. */
dense_distances *open_distances(const pair_walk *walk);

/* Scratch for so many end points of a pass. */
void allocate_distances(dense_distances *d, size_t n_ends);

/* Makes a block of features the current one. No thread runs. The end points of
 * a tile are to be packed, and its rows filled, by the functions of
 * search_dense.h. */
void read_distances(dense_distances *d, size_t block);

/* ---- lists of sparse data: search_sparse_walk.c -------------------------- */

/* End points with too many candidates, by their slots: all their distances are
 * to be offered to the same lists. */
typedef struct {
    size_t count;
    int *slot;
} left_ends;

/* Fills empty lists without all distances, but for those of `left`; FALSE:
 * nothing is done, the caller walks. */
int search_by_bounds(pair_walk *walk, lr_lists *lists, int order_only,
                     left_ends *left);

/* ---- lists in few dimensions: search_points_walk.c ----------------------- */

/* The same, of all end points. */
int search_by_points(pair_walk *walk, lr_lists *lists);
