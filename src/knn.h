#ifndef LR_KNN_H
#define LR_KNN_H

#include "hits.h"

/* The nearest samples of every sample, each pair looked at once: a tile of
 * distances serves both of its samples, which is half the arithmetic of a
 * search from every sample in turn. */

/* Which of its lists a sample keeps another one in. */
typedef enum {
    LR_ANY_CLASS = 0,  /* one list: everybody */
    LR_SAME_OR_OTHER,  /* two lists: 0 its own class, 1 any other class */
    LR_EACH_CLASS      /* a list for each class, numbered from 0 */
} lr_class_rule;

typedef struct {
    size_t n;            /* samples */
    lr_class_rule rule;
    size_t n_lists;      /* per sample: 1, 2, or the number of classes */
    const int *class_of; /* n classes from 0, negative: neither searches nor is
                            found; NULL under LR_ANY_CLASS */
    lr_nearest *list;    /* [sample][n_lists] */
    double *limit;       /* [sample][n_lists] distance that a newcomer must not
                            exceed; +Inf at first */
} lr_neighbours;

/* Distances of the samples first_end .. to the samples first_row .., where
 * first_end <= first_row: pair (e, r) at distance[e * ld + r], both counted
 * from the tile's corner. Pairs with row <= end are not looked at. */
typedef struct {
    size_t first_end, n_ends, first_row, n_rows;
    double *distance;
    size_t ld;
} lr_tile;

/* Pairs of a tile enter the lists of their ends, or of their rows: of the ends
 * (rows) `from` .. `to` - 1 of the tile only, so that threads can share it.
 * Ties: distance, then row number (lr_nearest), whatever the order of tiles.
 * Cost: one comparison a pair, O(log capacity) for each that enters. */
void lr_offer_to_ends(const lr_neighbours *neighbours, const lr_tile *tile,
                      size_t from, size_t to);
void lr_offer_to_rows(const lr_neighbours *neighbours, const lr_tile *tile,
                      size_t from, size_t to);

/* First row of the tile that lies beyond its end number e. */
static inline size_t lr_tile_begin(const lr_tile *tile, size_t e)
{
    size_t end = tile->first_end + e;
    return end < tile->first_row ? 0 : end + 1 - tile->first_row;
}

#endif
