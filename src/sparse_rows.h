/* Samples of sparse data one by one, and their exact distances. */
#ifndef LR_SPARSE_ROWS_H
#define LR_SPARSE_ROWS_H

#include "lr_matrix.h"
#include "read_tile.h"
#include "read_transpose.h"

/* Sparse data and how their cells are scaled: plain features only. They lie
 * feature by feature (tile), or sample by sample. */
typedef struct {
    lr_sparse_tile tile;
    const lr_sample_cells *samples; /* NULL: the tile holds them all */
    size_t p;
    const double *center, *divisor; /* divisor 0: constant, left out */
    const double *zero; /* lr_shift_of(): of a cell that is not stored, w = 0 */
} lr_sparse_cells;

/* Some samples: their features ascend, and u is the scaled value. */
typedef struct {
    size_t *start; /* per sample and one more */
    int *feature;
    double *u;
} lr_sparse_rows;

/* Of cells that lie in either way. Sets rows->start for `count` samples, so that
 * start[count] tells how many cells they have.
 * place  per sample of the data: its number among them, -1 when not wanted */
void lr_count_cells(const lr_sparse_cells *cells, const int *place,
                    size_t count, lr_sparse_rows *rows);

/* Fills in the cells; start is as before.
 * next   count size_t of scratch */
void lr_extract_cells(const lr_sparse_cells *cells, const int *place,
                      size_t count, lr_sparse_rows *rows, size_t *next);

/* The distance of samples a of `left` and b of `right`, the sum over the
 * features in column order: a feature that neither stores adds 0, so the bits
 * are those of the sum over all. Euclidean: squared. */
double lr_sparse_distance(const lr_sparse_rows *left, size_t a,
                          const lr_sparse_rows *right, size_t b,
                          const double *zero, lr_metric metric);

#endif
