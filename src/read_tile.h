/* Some consecutive samples of sparse data, feature by feature. */
#ifndef LR_READ_TILE_H
#define LR_READ_TILE_H

#include <stddef.h>

typedef struct {
    size_t first, count; /* samples */
    const int *start;    /* per feature and one more: its cells are */
    const int *row;      /*   row[start[j]] ..: 0 .. count - 1, ascending */
    const double *value;
} lr_sparse_tile;

#endif
