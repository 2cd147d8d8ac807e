#pragma once

#include <stdint.h>

#include "graph.h"
#include "read_entries.h"

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

/* Edges {i, j}, i < j, in column i of the graph only, and the sum of the
 * weights at each sample, at both ends. Weights may be negative. */
typedef struct {
    lr_graph graph;
    const double *degree;
} lr_edge_list;

/* sum over the edges of weight_ij |u_i - u_j| = sum over i of degree_i |u_i|
 * + sum over the edges between two entries of
 * weight_ij (|u_i - u_j| - |u_i| - |u_j|): other edges are not computed with.
 * column: n doubles, is_entry: n bits, all 0 before and after.
 * Cost: the edges at the lower ends of which there are entries. */
double lr_edge_differences(const lr_edge_list *edges, const lr_entries *entries,
                           double *column, uint32_t *is_entry);

/* ---- scatter between groups and within ----------------------------------- */

/* Samples in groups, each with a weight: what the answers say of them. A group
 * is the samples of a label in one block. */
typedef struct {
    size_t n_groups;
    const int *label;     /* per sample, from 0; -1: in no group */
    const double *weight; /* per sample; 0 without a label */
    const double *mass;   /* per group: sum of its weights, lower rows first */
    size_t n_blocks;
    const int *block_start; /* the groups of block b: block_start[b] .. */
} lr_groups;

/* The weighted scatter of one feature between the groups and within them
 * (methods: section 12, step 5), from its entries:
 *   between = sum over groups of mass_g (mean_g - mean of its block)^2
 *   within  = sum over samples of weight_i (u_i - mean of the group of i)^2
 * scratch: 2 n_groups doubles. Cost: twice the entries. */
void lr_group_contrast(const lr_groups *groups, const lr_entries *entries,
                       double *scratch, double *between, double *within);
