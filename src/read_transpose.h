/* Sparse cells sample by sample transposed feature by feature. */
#pragma once

#include <stddef.h>

/* Sparse data as containers have them, and files of cells. */
typedef struct {
    size_t n, p;
    const int *start;   /* per sample and one more: its cells are */
    const int *feature; /*   feature[start[i]] ..: 0 .. p - 1, ascending */
    const double *value;
} lr_sample_cells;

/* The cells of the samples from .. to - 1 by a counting sort. As in
 * lr_sparse_tile, those of feature j are row[start[j]] .., from 0 for sample
 * `from`, ascending.
 * start       p + 1 numbers
 * row, value  space for all these cells
 * next        p + 1 numbers of scratch
 * cursor      to - from numbers of scratch
 * Cost: two passes over the cells, the second one a chunk of features at a
 * time where there are many cells, so that what is written stays in cache. */
void lr_transpose_cells(const lr_sample_cells *cells, size_t from, size_t to,
                   int *start, int *row, double *value, int *next,
                   int *cursor);
