#pragma once

#include "glean_sums.h"
#include "read_walk.h"

/* Of each feature the mean of |u_i - u_j| over all pairs, of the same block
 * when there are blocks. */
void mean_differences(const feature_data *data, const lr_blocks *blocks,
                      double *out);

typedef struct {
    size_t n_graphs;
    const lr_edge_list *edges;
    lr_groups groups; /* none: n_groups is 0 */
} difference_parts;

static inline size_t difference_columns(const difference_parts *parts)
{
    return parts->n_graphs + (parts->groups.n_groups > 0 ? 2 : 0);
}

/* out: p x difference_columns(): the weighted sums of |u_i - u_j| over the
 * edges of each graph, and the scatter between and within the groups. */
void difference_sums(const feature_data *data, const difference_parts *parts,
                     double *out);
