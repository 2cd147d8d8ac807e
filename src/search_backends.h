/* Who computes distances, or bounds of them: the walk over pairs takes those of
 * any data, cell by cell; the search by bounds those of sparse data; the search
 * by points those in few dimensions. */
#pragma once

#include "search_dense.h"
#include "search_sparse.h"
#include "search_walk.h"

/* Operations between two checks for an interrupt. */
enum { CHUNK_WORK = 250000000 };

/* ---- all distances: search_dense_walk.c ---------------------------------- */

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
    double *expected;    /* of these, unless the scaling has them, */
    size_t *expected_at; /*   of each feature */
    double *scratch;     /* scratch_size of each thread */
    size_t scratch_size;
} dense_distances;

/* Of the pairs of that walk. */
dense_distances *open_distances(const pair_walk *walk);

/* Scratch for so many end points of a pass. */
void allocate_distances(dense_distances *d, size_t n_ends);

/* Makes a block of features the current one. No thread runs. The end points of
 * a tile are to be packed, and its rows filled, by the functions of
 * search_dense.h. */
void read_distances(dense_distances *d, size_t block);

/* ---- bounds: search_sparse_walk.c ---------------------------------------- */

/* Samples whose sums one chunk holds, and their cells feature by feature where
 * the data have them sample by sample. */
typedef struct {
    int *cursor;
    lr_sparse_tile tile;
    int *start, *row, *next;
    double *value;
    float *common;
    double *own, *bounds;
} sparse_sums;

typedef struct {
    lr_sparse_cells cells;
    lr_metric metric;
    size_t most_ends; /* of a pass */
    double work;      /* elementary operations for a pair */
    double largest;   /* |w| */
    size_t n, n_cells, cells_in_row;
    size_t capacity; /* cells that are transposed at a time */
    lr_sparse_panel panel;
    lr_sparse_rows ends;
    sparse_sums *sums; /* of each chunk */
    int *place;        /* per sample, -1 between uses */
} sparse_bounds;

/* NULL when these data have no useful bounds. */
sparse_bounds *open_bounds(const pair_walk *walk);

/* Makes these the end points of a pass; `chunks` threads work on it. */
void begin_bounds(sparse_bounds *d, const int *ends, size_t n_ends, int chunks);

/* Offers the rows from .. to - 1; those of a chunk ascend in a pass. */
void offer_bounds(sparse_bounds *d, size_t from, size_t to,
                  const lr_screen_rule *rule, lr_screen *screen, size_t chunk);

/* The distances of some pairs, whose rows ascend. */
void measure_pairs(sparse_bounds *d, lr_candidate *pairs, size_t count,
                   int team);

/* ---- lists: search_bounds_walk.c ----------------------------------------- */

/* End points with too many candidates, by their slots: all their distances are
 * to be offered to the same lists. */
typedef struct {
    size_t count;
    const int *slot;
} left_ends;

/* Fills empty lists without all distances, but for those of `left`; FALSE:
 * nothing is done, the caller walks. */
int search_by_bounds(pair_walk *walk, lr_lists *lists, int order_only,
                     left_ends *left);

/* ---- lists in few dimensions: search_points_walk.c ----------------------- */

/* The same, of all end points. */
int search_by_points(pair_walk *walk, lr_lists *lists);
