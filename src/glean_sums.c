/* Mean differences of pairs, over edges and between groups of samples, of one
 * feature. */
#include "glean_sums.h"

#include <math.h>

#define ITEM double
#define KEY(item) (item)
#include "lr_merge_sort.h"

double lr_mean_difference(const lr_entries *entries, size_t n, double *scratch)
{
    size_t count = entries->count, below = 0;
    double sum = 0.0;
    if (n < 2)
        return 0.0;
    memcpy(scratch, entries->value, count * sizeof(double));
    const double *w = sort_items(scratch, scratch + count, count);
    while (below < count && w[below] < 0.0)
        below++;
    /* the zeros between are n - count samples of value 0 */
    for (size_t r = 0; r < count; r++) {
        double rank = (double)(r < below ? r : r + (n - count)) + 1.0;
        sum += (2.0 * rank - (double)n - 1.0) * w[r];
    }
    return 2.0 * sum / ((double)n * ((double)n - 1.0));
}

double lr_block_mean_difference(const lr_entries *entries,
                                const lr_blocks *blocks, double *scratch,
                                double *column, size_t *next)
{
    double sum = 0.0, pairs = 0.0;
    memset(next, 0, (blocks->n_blocks + 1) * sizeof(size_t));
    for (size_t k = 0; k < entries->count; k++)
        next[blocks->block_of[entries->row[k]] + 1]++;
    for (size_t b = 0; b < blocks->n_blocks; b++)
        next[b + 1] += next[b];
    for (size_t k = 0; k < entries->count; k++)
        column[next[blocks->block_of[entries->row[k]]]++] = entries->value[k];
    /* next[b] is where block b ends by now */
    for (size_t b = 0; b < blocks->n_blocks; b++) {
        size_t from = b > 0 ? next[b - 1] : 0;
        double n = (double)blocks->size[b], all = n * (n - 1.0) / 2.0;
        lr_entries own = {NULL, column + from, next[b] - from};
        sum += all * lr_mean_difference(&own, blocks->size[b], scratch);
        pairs += all;
    }
    memset(column, 0, entries->count * sizeof(double));
    return pairs > 0.0 ? sum / pairs : 0.0;
}

enum { EDGES_AT_ONCE = 128 };

/* Lists which of the next edges of sample i, from number e, end at an entry,
 * and returns how many do: without a branch, which would often be predicted
 * wrongly. */
static int find_shared(const lr_graph *g, int i, int e,
                       const uint32_t *is_entry, int *edge)
{
    int count = 0;
    for (int s = 0; s < EDGES_AT_ONCE && e < g->start[i + 1]; s++, e++) {
        unsigned j = (unsigned)g->row[e];
        edge[count] = e;
        count += is_entry[j / 32] >> j % 32 & 1;
    }
    return count;
}

double lr_edge_differences(const lr_edge_list *edges, const lr_entries *entries,
                           double *column, uint32_t *is_entry)
{
    const lr_graph *g = &edges->graph;
    double sum = 0.0, shared = 0.0;
    int edge[EDGES_AT_ONCE];
    for (size_t k = 0; k < entries->count; k++) {
        int i = entries->row[k];
        column[i] = entries->value[k];
        is_entry[i / 32] |= (uint32_t)1 << i % 32;
        sum += edges->degree[i] * fabs(entries->value[k]);
    }
    for (size_t k = 0; k < entries->count; k++) {
        int i = entries->row[k];
        double own = entries->value[k], size = fabs(own);
        for (int64_t e = g->start[i]; e < g->start[i + 1]; e += EDGES_AT_ONCE) {
            int count = find_shared(g, i, (int)e, is_entry, edge);
            for (int f = 0; f < count; f++) {
                double other = column[g->row[edge[f]]];
                shared += g->weight[edge[f]]
                    * (fabs(own - other) - size - fabs(other));
            }
        }
    }
    for (size_t k = 0; k < entries->count; k++) {
        column[entries->row[k]] = 0.0;
        is_entry[entries->row[k] / 32] = 0;
    }
    return sum + shared;
}

/* ---- scatter between groups and within ----------------------------------- */

/* Sums of the weights, and of the weighted values, of each group's entries. */
static void sum_groups(const lr_groups *g, const lr_entries *entries,
                       double *weight, double *sum)
{
    memset(weight, 0, g->n_groups * sizeof(double));
    memset(sum, 0, g->n_groups * sizeof(double));
    for (size_t k = 0; k < entries->count; k++) {
        int i = entries->row[k], label = g->label[i];
        if (label < 0)
            continue;
        weight[label] += g->weight[i];
        sum[label] += g->weight[i] * entries->value[k];
    }
}

/* The groups from .. to - 1, those of a block; their sums become means. */
static void add_block(const lr_groups *g, int from, int to,
                      const double *weight, double *mean, double *between,
                      double *within)
{
    double total = 0.0, all = 0.0;
    for (int c = from; c < to; c++) {
        total += g->mass[c];
        all += mean[c];
        mean[c] = g->mass[c] > 0.0 ? mean[c] / g->mass[c] : 0.0;
    }
    all = total > 0.0 ? all / total : 0.0;
    for (int c = from; c < to; c++) {
        double away = mean[c] - all, rest = g->mass[c] - weight[c];
        *between += g->mass[c] * away * away;
        /* the samples that are no entries have the value 0 */
        if (rest > 0.0)
            *within += rest * mean[c] * mean[c];
    }
}

void lr_group_contrast(const lr_groups *g, const lr_entries *entries,
                       double *scratch, double *between, double *within)
{
    double *weight = scratch, *mean = scratch + g->n_groups;
    sum_groups(g, entries, weight, mean);
    *between = *within = 0.0;
    for (size_t b = 0; b < g->n_blocks; b++)
        add_block(g, g->block_start[b], g->block_start[b + 1], weight, mean,
                  between, within);
    for (size_t k = 0; k < entries->count; k++) {
        int i = entries->row[k], label = g->label[i];
        double away = label < 0 ? 0.0 : entries->value[k] - mean[label];
        *within += g->weight[i] * away * away;
    }
}
