#ifndef LR_GLEAN_DIFFERENCES_H
#define LR_GLEAN_DIFFERENCES_H

#include "read_entries.h"
#include "graph_similarity.h"

/* Sums of |u_i - u_j| of one feature over pairs of samples, from its entries:
 * sparse and dense data, read in any blocks, give the same bits. */

/* The mean over all pairs of n samples, 2 / (n (n - 1)) sum_r (2 r - n - 1)
 * u_(r), u_(r) being the r-th smallest. scratch: 2 * entries->count doubles.
 * Cost: sorting the entries. */
double lr_mean_difference(const lr_entries *entries, size_t n,
                          double *scratch);

/* Samples in blocks. */
typedef struct {
    size_t n_blocks;
    const int *block_of; /* per sample, from 0 */
    const size_t *size;  /* samples of each block */
} lr_blocks;

/* The mean over all pairs of samples of the same block, 0 without any.
 * scratch: 2 n doubles; column: n doubles; next: n_blocks + 1 */
double lr_block_mean_difference(const lr_entries *entries,
                                const lr_blocks *blocks, double *scratch,
                                double *column, size_t *next);

/* sum over the edges {i, j} of weight_ij |u_i - u_j|, each once; weights may be
 * negative. column: n doubles, all 0 before and after.
 * Cost: the edges of the entries. */
double lr_edge_differences(const lr_graph *graph, const lr_entries *entries,
                           double *column);

#endif
