/* Distances of pairs of samples, in tiles: some end points x some rows. The
 * walk over pairs (r_search_walk.c) chooses the tiles and divides them among threads,
 * a filler computes them, consumers use what is complete. */
#ifndef LR_SEARCH_TILES_H
#define LR_SEARCH_TILES_H

#include "lr.h"

enum {
    LR_ROWS = 64,    /* samples that a filler takes at a time */
    LR_PARTNERS = 4, /* end points that it takes side by side */
    LR_HALF = 256    /* end points of a pass over the half triangle */
};

typedef struct {
    const int *ends;   /* n_ends samples; ascending when `half` */
    size_t n_ends;
    size_t first_slot; /* number of ends[0] among the walk's end points */
    size_t first_row, n_rows;
    int half;          /* rows beyond their end only: each pair once */
    double *distance;  /* of end e and row first_row + r at e * ld + r */
    size_t ld;         /* n_rows or more, a multiple of the filler's unit */
} lr_tile;

/* One of `count` chunks of the work on a tile. */
typedef struct {
    size_t number, count;
} lr_chunk;

/* Who computes the distances. The walk goes through the end points in passes,
 * and in each through the blocks of features. With a single block, tiles of a
 * pass follow each other down the rows; with more, a tile is all of its rows,
 * and each block adds its part. */
typedef struct {
    void *context;
    size_t n_blocks;
    size_t unit;       /* rows that fill() takes in a call, times LR_ROWS */
    size_t end_bytes;  /* of scratch for each end point of a pass */
    double work;       /* elementary operations for a pair and block */
    int costly;        /* is a block dear to read again in the next pass? */
    /* Scratch for so many end points and threads. */
    void (*allocate)(void *context, size_t n_ends, int threads);
    /* Makes a block of features the current one. No thread runs. */
    void (*read)(void *context, size_t block);
    /* A chunk of what is to be prepared for the tile's end points, once a pass
     * and block, before its first tile is filled. */
    void (*pack)(void *context, const lr_tile *tile, lr_chunk chunk);
    /* Adds the block's part of the distances of all ends of the tile to its
     * rows from .. to - 1. The tile has space for LR_PARTNERS - 1 ends more;
     * pairs that are not beyond their end may be left when it is `half`. A
     * thread's calls come with ascending rows within a pass. */
    void (*fill)(void *context, const lr_tile *tile, size_t from, size_t to,
                 int thread);
} lr_filler;

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

#endif
