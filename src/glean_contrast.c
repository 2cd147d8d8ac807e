#include "glean_contrast.h"

#include <string.h>

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
