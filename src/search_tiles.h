/* Distances of pairs of samples, in tiles: some end points x some rows. The
 * walk over pairs (search_walk.c) chooses the tiles and divides them among
 * threads, search_dense.c computes them, consumers use what is complete. */
#pragma once

#include "lr.h"

enum {
    LR_ROWS = 64,    /* samples whose distances are computed at a time */
    LR_PARTNERS = 4, /* end points of a register tile */
    LR_HALF = 256    /* end points of a pass over the half triangle */
};

typedef struct {
    const int *ends;   /* n_ends samples; ascending when `half` */
    size_t n_ends;
    size_t first_slot; /* number of ends[0] among the walk's end points */
    size_t first_row, n_rows;
    int half;          /* rows beyond their end only: each pair once */
    double *distance; /* of end e and row first_row + r at e * ld + r; space for
                          LR_PARTNERS - 1 ends more */
    size_t ld;         /* n_rows or more, a multiple of LR_ROWS */
} lr_tile;

/* One of `count` chunks of the work on a tile. */
typedef struct {
    size_t number, count;
} lr_chunk;

/* First row of the tile that is paired with its end number e. */
static inline size_t lr_tile_begin(const lr_tile *tile, size_t e)
{
    size_t end = (size_t)tile->ends[e];
    return !tile->half || end < tile->first_row ? 0
                                                : end + 1 - tile->first_row;
}

/* Whose work end number e is. In a half both samples of a pair are served, so
 * that a sample belongs to the same chunk as an end and as a row. */
static inline int lr_is_own_end(const lr_tile *tile, size_t e, lr_chunk chunk)
{
    size_t number = tile->half ? (size_t)tile->ends[e] / LR_ROWS
                               : tile->first_slot + e;
    return number % chunk.count == chunk.number;
}
