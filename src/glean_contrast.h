#ifndef LR_GLEAN_CONTRAST_H
#define LR_GLEAN_CONTRAST_H

#include "read_entries.h"

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

#endif
